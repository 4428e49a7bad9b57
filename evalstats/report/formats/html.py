"""Records as HTML pages, with the blocks of a document and diagrams in SVG."""

from __future__ import annotations

__all__ = ["block", "elements", "html", "page_file", "sentences", "svg", "words"]

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TypeAlias

from evalstats._result import Record
from evalstats._version import __version__
from evalstats.cd_layout import Diagram, Path, Picture, PlacedText, Segment, place
from evalstats.comparison.by_metric import ComparisonByMetric
from evalstats.comparison.record import Comparison
from evalstats.report.blocks import Block, Cite, Column, Document, Figure, Listing, Paragraph, Sentences, Table
from evalstats.report.curve_figure import CurveFigure, place_curves
from evalstats.report.documents import document
from evalstats.report.interval_list import IntervalList, place_list
from evalstats.report.projection_map import ProjectionMap, place_map
from evalstats.report.references import PUBLICATIONS, bibliography
from evalstats.report.text_width import font_sizes
from evalstats.wording import unbroken

_FONT_SIZE = 14.0
_LONGEST_NAME = 20.0


def svg(
    drawn: Diagram | IntervalList | ProjectionMap | CurveFigure,
    *,
    title: str,
    name: str = "diagram",
    brief: bool = False,
) -> str:
    """Render a diagram as an SVG element with a title and a description for screen readers.

    The style sheet of the page sets colors and line widths by the classes of the parts.

    Parameters
    ----------
    drawn : Diagram, IntervalList, ProjectionMap or CurveFigure
        The diagram.
    title : str
        Title of the SVG element, for screen readers.
    name : str, default: 'diagram'
        Prefix of the ids for the title and the description. The name must be unique on the page.
    brief : bool, default: False
        Whether to leave out the ranks in the description and the labels of each part, which only a complete page
        requires.

    Returns
    -------
    str
        One ``<svg>`` element.
    """
    if isinstance(drawn, Diagram):
        picture = place(drawn, font_sizes, longest_name=_LONGEST_NAME)
        kind = "diagram" if drawn.conclusive else "diagram undecided"
    elif isinstance(drawn, ProjectionMap):
        picture, kind = place_map(drawn, font_sizes, longest_name=_LONGEST_NAME), "diagram map"
    elif isinstance(drawn, CurveFigure):
        picture, kind = place_curves(drawn, font_sizes, longest_name=_LONGEST_NAME), "diagram curves"
    else:
        picture, kind = place_list(drawn, font_sizes, longest_name=2.5 * _LONGEST_NAME), "diagram list"
    labeled = f'role="img" aria-labelledby="{name}-title {name}-desc"'
    return "\n".join(
        [
            f'<svg class="{kind}" {labeled} xmlns="http://www.w3.org/2000/svg" {_size(picture)}>',
            f'<title id="{name}-title">{escape(title)}</title>',
            f'<desc id="{name}-desc">{escape(" ".join(drawn.caption) if brief else drawn.description)}</desc>',
            '<g stroke="currentColor">',  # for readers that ignore styles
            *(_line(s, "" if brief else _of(s.of)) for s in picture.segments),
            "</g>",
            *_paths(picture.paths, brief=brief),
            *(_text(t, "" if brief else _of(t.of)) for t in picture.texts),
            "</svg>",
        ]
    )


def _size(picture: Picture) -> str:
    width, height = picture.width * _FONT_SIZE, picture.height * _FONT_SIZE
    return (
        f'viewBox="0 0 {width:.1f} {height:.1f}" width="{width:.0f}" height="{height:.0f}" font-size="{_FONT_SIZE:g}"'
    )


def _line(s: Segment, of: str) -> str:
    x1, y1, x2, y2 = (_FONT_SIZE * value for value in (s.x1, s.y1, s.x2, s.y2))
    line = f'<line class="{s.kind}"{of} x1="{x1:.4g}" y1="{y1:.4g}" x2="{x2:.4g}" y2="{y2:.4g}"'
    return f"{line}><title>{escape(s.full)}</title></line>" if s.full else f"{line}/>"


def _paths(paths: tuple[Path, ...], *, brief: bool) -> list[str]:
    if not paths:
        return []
    return [
        '<g stroke="currentColor" fill="none">',
        *(_path(one, "" if brief else _of(one.of)) for one in paths),
        "</g>",
    ]


def _path(path: Path, of: str) -> str:
    places = [f"{_FONT_SIZE * x:.1f},{_FONT_SIZE * y:.1f}" for x, y in path.points]
    # a dot is a line without length
    data = "".join(f"M{place}h0" for place in places) if path.kind == "dots" else "M" + " ".join(places)
    close = "Z" if path.kind == "band" else ""
    return f'<path class="{path.kind} s{path.style}"{of} d="{data}{close}"/>'


def _text(t: PlacedText, of: str) -> str:
    full = f"<title>{escape(t.full)}</title>" if t.full != t.text else ""
    smaller = "" if t.size == 1 else f' font-size="{_FONT_SIZE * t.size:.1f}"'
    x, baseline = _FONT_SIZE * t.x, _FONT_SIZE * (t.y + 0.34)
    where = f'x="{x:.4g}" y="{baseline:.4g}" text-anchor="{t.anchor}"{smaller}'
    return f'<text class="{t.kind}"{of} {where}>{full}{escape(t.text)}</text>'


def _of(labels: tuple[int, ...]) -> str:
    return f' data-of="{" ".join(map(str, labels))}"' if labels else ""


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


AnyComparison: TypeAlias = Comparison | ComparisonByMetric

_MOST_ROWS = 400
# maximum length in characters of a table or a script for other programs in a page
_LONGEST_SOURCE = 40_000


def html(record: Record | Document, *, part: str | None = None) -> str:
    """Render a record as a self-contained HTML page.

    The page loads no other files, supports light and dark mode, and prints in black on white. The page is complete
    without its script. The script sorts tables, copies sentences and sources, and shows in the diagram which
    classifiers are not significantly different. The content security policy of the page allows only this script and
    this style sheet.

    Parameters
    ----------
    record : Record or Document
        Any result of evalstats, or a document that was made from such a result.
    part : {'sentence', 'methods', 'scores', 'ranks', 'pairs', 'matrix', 'figure'}, optional
        For a comparison: render only this part, as elements for your own page.

    Returns
    -------
    str
        The page, whose text ends with a line break and in which every name is escaped.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.html(c)[:32])
    <!DOCTYPE html>
    <html lang="en">
    >>> print(report.html(c, part="sentence")[:42])
    <p>The 4 classifiers do not all perform eq
    """
    if part is not None:
        from evalstats.report.parts import part_of

        return "\n".join(block(one, links=False) for one in part_of(record, part, max_rows=_MOST_ROWS)) + "\n"
    report = _report(record)
    style, script = page_file("page.css"), page_file("page.js")
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="evalstats {__version__}">
<title>{escape(report.title)}</title>
<style>{style}</style>
</head>
<body>
<main>
{_main(report, record)}
<footer>Made by evalstats {__version__}.</footer>
</main>
<script>{script}</script>
</body>
</html>
"""


def elements(record: Record | Document) -> str:
    """Return the HTML elements of a record for a page that contains the style and the script of `page_file`."""
    return _main(_report(record), record)


def _report(record: Record | Document) -> Document:
    return document(record, max_rows=_MOST_ROWS, with_scores=True)


def _main(report: Document, record: Record | Document) -> str:
    body = [f"<h1>{escape(report.title)}</h1>", f'<p class="verdict">{sentences(report.verdict.content)}</p>']
    n_figures = 0
    for section in report.sections:
        body.append(f'<section id="{section.name}">\n<h2>{escape(section.heading)}</h2>')
        for one in section.blocks:
            n_figures += isinstance(one, Figure)
            body.append(block(one, name=f"diagram-{n_figures}" if isinstance(one, Figure) else section.name))
        body.append("</section>")
    if report.cited:
        body.append(_references(report.cited))
    if isinstance(record, Comparison | ComparisonByMetric):
        body.append(_sources(record, report.cited))
    return "\n".join(body)


def _references(keys: tuple[str, ...]) -> str:
    items = []
    for key in sorted(keys):
        publication = PUBLICATIONS[key]
        link = f' <a href="{escape(publication.url)}">{escape(publication.url)}</a>' if publication.url else ""
        items.append(f'<li id="ref-{key}">{escape(publication.long)}{link}</li>')
    return '<section id="references">\n<h2>References</h2>\n<ul>\n' + "\n".join(items) + "\n</ul>\n</section>"


def _sources(comparison: AnyComparison, cited: tuple[str, ...]) -> str:
    """Return the LaTeX, BibTeX and R sources of a comparison, for copying from the page."""
    from evalstats.report.formats.latex import latex
    from evalstats.report.formats.r_script import r_script

    made = {
        "LaTeX: methods": latex(comparison, part="methods"),
        "LaTeX: table of the classifiers": latex(comparison, part="ranks"),
        "BibTeX": bibliography(cited),
        "R script that recomputes the tests": r_script(comparison) if _is_short(comparison) else "",
    }
    shown = [
        f"<details><summary>{title}</summary>\n"
        f'<pre tabindex="0" role="region" aria-label="{title}">{escape(source)}</pre></details>'
        for title, source in made.items()
        if 0 < len(source) <= _LONGEST_SOURCE
    ]
    return '<section id="sources">\n<h2>For a paper, and for R</h2>\n' + "\n".join(shown) + "\n</section>"


def _is_short(comparison: AnyComparison) -> bool:
    """Return whether the scores and pairs are few enough to include the R script in the page."""
    each = comparison.comparisons if isinstance(comparison, ComparisonByMetric) else (comparison,)
    return sum(_n_scores(one) * 8 + len(one.pairs) * 40 for one in each) <= _LONGEST_SOURCE


def _n_scores(comparison: Comparison) -> int:
    if comparison.n_questions is not None:
        return int(comparison.n_questions) * len(comparison.models)
    if comparison.n_test is not None:
        return comparison.n_classifiers * int((comparison.n_repeats or 1) * (comparison.n_folds or comparison.n_test))
    return comparison.table.scores.size


@cache
def page_file(name: str) -> str:
    """Return the text of ``page.css`` or of ``page.js``, whose function ``enhance(root)`` activates a report."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the hash of a style or a script, as in a content security policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
