"""How does a record look in a browser?"""

from __future__ import annotations

__all__ = ["html"]

import re
from html import escape

from evalstats._result import Record
from evalstats._version import __version__
from evalstats.report.blocks import Block, Cite, Document, Figure, Listing, Paragraph, Sentences, Table
from evalstats.report.documents import document
from evalstats.report.formats.svg import svg
from evalstats.report.references import PUBLICATIONS
from evalstats.wording import unbroken

_MOST_ROWS = 1000
_POWER = re.compile(r"^(.*?[\d.]+)e([+−-])0*(\d+)$")

_STYLE = """\
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --muted: #59636e; --line: #d1d9e0; --soft: #f4f6f8; --accent: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e6e9ec; --muted: #9aa4ae; --line: #363d44; --soft: #1e2226; --accent: #6cb2ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 0.6rem; overflow-wrap: anywhere; }
p, li { max-width: 46rem; overflow-wrap: anywhere; }
.verdict { background: var(--soft); border-left: 4px solid var(--accent); padding: 0.8rem 1rem; font-size: 1.08rem; }
.verdict { max-width: none; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { caption-side: bottom; text-align: left; padding-top: 0.5rem; }
caption, figcaption { color: var(--muted); font-size: 0.88rem; max-width: 46rem; }
th, td { padding: 0.28rem 0.8rem; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
th[scope="row"], td:not(.number) { white-space: normal; overflow-wrap: anywhere; min-width: 4rem; }
th[scope="row"] { min-width: 8rem; max-width: 16rem; overflow-wrap: break-word; font-weight: normal; }
thead th { border-bottom: 2px solid var(--ink); vertical-align: bottom; }
tbody tr:last-child > * { border-bottom: 2px solid var(--ink); }
.number { text-align: right; }
figure { margin: 1.2rem 0; overflow-x: auto; }
figcaption { margin-top: 0.4rem; }
a { color: var(--accent); }
footer { margin-top: 2.5rem; color: var(--muted); font-size: 0.85rem; }
.diagram { max-width: 100%; min-width: 34rem; height: auto; font-family: system-ui, sans-serif; }
.diagram text { fill: var(--ink); }
.diagram .end { fill: var(--muted); font-style: italic; }
.diagram .rank { fill: var(--muted); font-variant-numeric: tabular-nums; }
.diagram .control { font-weight: 700; }
.diagram line { stroke: var(--ink); stroke-width: 1.2; stroke-linecap: square; }
.diagram .leader { stroke-width: 1; }
.diagram .bar { stroke: var(--accent); stroke-width: 5; stroke-linecap: butt; }
.diagram .interval { stroke: var(--accent); stroke-width: 3; stroke-linecap: butt; }
.undecided .bar, .undecided .interval { stroke: var(--muted); stroke-dasharray: 3 3; }
@media print {
  :root { --paper: #ffffff; --ink: #000000; --muted: #444444; --line: #bbbbbb; --soft: #ffffff; --accent: #000000; }
  main { max-width: none; padding: 0; }
  h2, figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  .scroll, figure { overflow: visible; }
  .diagram { min-width: 0; }
}
"""


def html(record: Record | Document) -> str:
    """Return a record as one HTML page that needs nothing else.

    The page has no script and loads nothing; it follows the reader's light or dark mode and prints in black on white.

    Parameters
    ----------
    record : Record or Document
        Anything that evalstats returns, or a document made of it.

    Returns
    -------
    str
        Ends with a line break. Every name is escaped.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.html(c)[:32])
    <!DOCTYPE html>
    <html lang="en">
    """
    report = document(record, most_rows=_MOST_ROWS, with_scores=True)
    body = [f"<h1>{escape(report.title)}</h1>", f'<p class="verdict">{_sentences(report.verdict.content)}</p>']
    for section in report.sections:
        body.append(f'<section id="{section.name}">\n<h2>{escape(section.heading)}</h2>')
        body += [_block(block) for block in section.blocks]
        body.append("</section>")
    main = "\n".join([*body, *([_references(report.cited)] if report.cited else [])])
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="evalstats {__version__}">
<title>{escape(report.title)}</title>
<style>
{_STYLE}</style>
</head>
<body>
<main>
{main}
<footer>Made by evalstats {__version__}.</footer>
</main>
</body>
</html>
"""


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"<p>{_sentences(block.content)}</p>"
    if isinstance(block, Listing):
        items = "\n".join(f"<li>{_sentences(item)}</li>" for item in block.items)
        return f"<ul>\n{items}\n</ul>"
    return _table(block) if isinstance(block, Table) else _figure(block)


def _table(table: Table) -> str:
    heads = "".join(f'<th scope="col"{_class(column.numeric)}>{escape(column.head)}</th>' for column in table.columns)
    rows = "\n".join(f"<tr>{_row(row, table)}</tr>" for row in table.rows)
    caption = f"<caption>{_words(table.caption)}</caption>\n" if table.caption else ""
    return (
        f'<div class="scroll"><table id="table-{table.name}">\n{caption}'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>"
    )


def _row(row: tuple[str, ...], table: Table) -> str:
    cells = [f'<th scope="row"{_class(table.columns[0].numeric)}>{escape(row[0])}</th>']
    for cell, column in zip(row[1:], table.columns[1:], strict=True):
        cells.append(f"<td{_class(column.numeric)}>{_number(cell) if column.numeric else escape(cell)}</td>")
    return "".join(cells)


def _class(numeric: bool) -> str:
    return ' class="number"' if numeric else ""


def _figure(figure: Figure) -> str:
    caption = _words(" ".join(figure.diagram.caption))
    drawing = svg(figure.diagram, title="Critical-difference diagram")
    return f"<figure>\n{drawing}\n<figcaption>{caption}</figcaption>\n</figure>"


def _references(keys: tuple[str, ...]) -> str:
    items = []
    for key in sorted(keys):
        publication = PUBLICATIONS[key]
        link = f' <a href="{escape(publication.url)}">{escape(publication.url)}</a>' if publication.url else ""
        items.append(f'<li id="ref-{key}">{escape(publication.long)}{link}</li>')
    return '<section id="references">\n<h2>References</h2>\n<ul>\n' + "\n".join(items) + "\n</ul>\n</section>"


def _sentences(sentences: Sentences) -> str:
    return "".join(_citation(item) if isinstance(item, Cite) else _words(item) for item in sentences)


def _words(text: str) -> str:
    return escape(unbroken(text))


def _citation(cite: Cite) -> str:
    links = (f'<a href="#ref-{key}">{escape(PUBLICATIONS[key].short)}</a>' for key in cite.keys)
    return f"({'; '.join(links)})"


def _number(cell: str) -> str:
    """Write a power of ten as such."""
    if power := _POWER.match(cell):
        before, sign, exponent = power.groups()
        return f"{escape(before)} × 10<sup>{'' if sign == '+' else '−'}{exponent}</sup>"
    return escape(cell)
