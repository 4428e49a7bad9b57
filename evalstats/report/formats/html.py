"""Records as HTML pages."""

from __future__ import annotations

__all__ = ["elements", "html", "page_file"]

from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TypeAlias

from evalstats._result import Record
from evalstats._version import __version__
from evalstats.comparison.by_metric import ComparisonByMetric
from evalstats.comparison.record import Comparison
from evalstats.report.blocks import Document, Figure
from evalstats.report.documents import document
from evalstats.report.formats.html_blocks import block, sentences
from evalstats.report.references import PUBLICATIONS, bibliography

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
