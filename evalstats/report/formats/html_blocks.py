"""Blocks of a document as HTML."""

from __future__ import annotations

__all__ = ["block", "sentences", "words"]

import re
from html import escape

from evalstats.report.blocks import Block, Cite, Column, Figure, Listing, Paragraph, Sentences, Table
from evalstats.report.formats.svg import svg
from evalstats.report.references import PUBLICATIONS
from evalstats.wording import unbroken

_POWER = re.compile(r"^(.*?[\d.]+)e([+−-])0*(\d+)$")
_WHOLE = 16  # maximum length of a name in a table that is not broken, not even at spaces
_WIDEST = 30  # and of a word in a sentence
_SPACES = re.compile(r"(\s+)")
# a number with an exponent and with a minus sign instead of a hyphen
_SMALL = re.compile(r"(?<![\w.-])\d[\d.]*e-\d+\b")
# a long name may break after these characters, and between a lower-case and an upper-case letter
_BREAK = re.compile(r"(?<=[_/:+|;)\]-])(?=[\w(\[{<])(?!_)|(?<=[.,])(?=[^\W\d_])|(?<=[a-z])(?=[A-Z][a-z])")
# letters that are written from right to left, with the spaces between them
_FROM_THE_RIGHT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+(?:[\\s]+[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+)*"
)


def block(shown: Block, *, links: bool = True, name: str = "diagram") -> str:
    """Render one block as HTML; with `links`, citations link to the references of the page.

    The ids of a table or a figure begin with `name`.
    """
    if isinstance(shown, Paragraph):
        return f"<p>{sentences(shown.content, links=links)}</p>"
    if isinstance(shown, Listing):
        items = "\n".join(f"<li>{sentences(item, links=links)}</li>" for item in shown.items)
        return f"<ul>\n{items}\n</ul>"
    return _table(shown, name) if isinstance(shown, Table) else _figure(shown, name, links=links)


def sentences(content: Sentences, *, links: bool = True) -> str:
    """Render running text with its citations."""
    return "".join(_citation(item, links) if isinstance(item, Cite) else words(item) for item in content)


def words(text: str) -> str:
    """Escape a string, and mark the parts that must not be broken and the parts that are written from right to left."""
    pieces = (_name(piece) if len(piece) > _WIDEST else escape(piece) for piece in _SPACES.split(unbroken(text)))
    whole = _SMALL.sub(r'<span class="whole">\g<0></span>', "".join(pieces))
    return _FROM_THE_RIGHT.sub(lambda found: f"<bdi>{found[0]}</bdi>", whole)


def _name(text: str) -> str:
    """Escape a name, and mark possible line breaks if it is long."""
    return escape(text) if len(text) <= _WHOLE else "<wbr>".join(map(escape, _BREAK.split(text)))


def _table(table: Table, name: str) -> str:
    heads = "".join(_head(column) for column in table.columns)
    rows = [_row(table, i) for i in range(len(table.rows))]
    foot = f"<tfoot>\n{rows.pop()}\n</tfoot>\n" if table.foot else ""
    inside = f"<thead><tr>{heads}</tr></thead>\n<tbody>\n" + "\n".join(rows) + f"\n</tbody>\n{foot}"
    about = f"{name}-table-{table.name}"
    if not table.caption:
        return f'<div class="scroll"><table id="{about}">\n{inside}</table></div>'
    said = words(table.caption_with("bold", "underlined"))
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-labelledby="{about}-caption">'
        f'<table id="{about}" aria-labelledby="{about}-caption">\n{inside}</table></div>\n'
        f'<p class="caption" id="{about}-caption">{said}</p>'
    )


def _head(column: Column) -> str:
    return f'<th scope="col"{"" if column.numeric else _left(column)}>{_name(column.head)}</th>'


def _left(column: Column, text: str = "") -> str:
    kind = "t prose" if column.prose else "t long" if len(text) > _WHOLE else "t"
    return f' class="{kind}"'


def _row(table: Table, i: int) -> str:
    row, columns = table.rows[i], table.columns
    is_foot = table.foot and i == len(table.rows) - 1
    kind = ' class="marked"' if table.stands_out(i) else ' class="foot"' if is_foot else ""
    own = ' dir="auto"' if _FROM_THE_RIGHT.search(row[0]) else ""
    first = ' class="long"' if len(row[0]) > _WHOLE else ""
    cells = [f'<th scope="row"{first}{own}>{_name(row[0])}</th>']
    for j, (cell, column) in enumerate(zip(row[1:], columns[1:], strict=True), start=1):
        text = _number(cell) if column.numeric else words(cell) if column.prose else _name(cell)
        if (i, j) in table.best or (kind and cell == "yes"):
            text = f"<b>{text}</b>"
        elif (i, j) in table.second:
            text = f"<u>{text}</u>"
        cells.append(f"<td{'' if column.numeric else _left(column, cell)}>{text}</td>")
    return f"<tr{kind}>{''.join(cells)}</tr>"


def _figure(figure: Figure, name: str, *, links: bool) -> str:
    caption = words(" ".join(figure.diagram.caption))
    drawing = svg(figure.diagram, title=figure.diagram.title, name=name, brief=not links)
    return f'<figure>\n<div class="scroll">{drawing}</div>\n<figcaption>{caption}</figcaption>\n</figure>'


def _citation(cite: Cite, links: bool) -> str:
    names = {key: escape(PUBLICATIONS[key].short) for key in cite.keys}
    shown = [f'<a href="#ref-{key}">{name}</a>' for key, name in names.items()] if links else names.values()
    return f"({'; '.join(shown)})"


def _number(cell: str) -> str:
    """Write a power of ten as a superscript."""
    if power := _POWER.match(cell):
        before, sign, exponent = power.groups()
        return f"{escape(before)} × 10<sup>{'' if sign == '+' else '−'}{exponent}</sup>"
    return escape(cell)
