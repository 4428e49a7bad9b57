"""Records as LaTeX."""

from __future__ import annotations

__all__ = ["latex"]

from evalstats import _checks
from evalstats._result import Record
from evalstats._version import __version__
from evalstats.report.blocks import Block, Document, Listing, Paragraph, Table, cited_in
from evalstats.report.documents import document
from evalstats.report.formats.tex import escaped, sentences, table_width, tex_table, words
from evalstats.report.formats.tikz import tikz

_MOST_ROWS = 45
# for each width: suffix of the environment, length in LaTeX, and minimum width in units of the small font size
_WIDTHS = {"column": ("", r"\columnwidth", 28.0), "text": ("*", r"\textwidth", 56.0)}

_ABOUT_CITATIONS = "% The citations are entries of evalstats.report.bibliography(), to be saved as evalstats.bib."
_ABOUT_LETTERS = (
    "% If a name has letters that pdfLaTeX does not support, use LuaLaTeX or XeLaTeX and a font with these letters."
)
_PREAMBLE = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{booktabs}
\usepackage{siunitx}
\usepackage{tikz}
\begin{document}
"""


def latex(
    record: Record | Document, *, standalone: bool = False, part: str | None = None, width: str = "column"
) -> str:
    r"""Render a record as LaTeX: conclusions, tables, the diagram in TikZ, and a methods paragraph.

    Parameters
    ----------
    record : Record or Document
        Any result of evalstats, or a document that was made from such a result.
    standalone : bool, default: False
        False: a fragment to paste or ``\input`` into a document that loads the packages booktabs, siunitx and tikz.
        True: a whole document.
    part : {'sentence', 'methods', 'scores', 'ranks', 'pairs', 'matrix', 'figure'}, optional
        For a comparison: only this part. ``'scores'`` is the table of datasets x classifiers with the mean ranks in the
        last row. The best score of each row is in bold, and the second best is underlined.
    width : {'column', 'text'}, default: 'column'
        Maximum width of tables and figures: ``\columnwidth``, or, across both columns of a page, ``\textwidth``. A
        table that does not fit into a column always has the width of the text. LaTeX measures the names of a diagram in
        the font of the document, and the axis uses the remaining width.

    Returns
    -------
    str
        The LaTeX code, which ends with a line break and in which every name is escaped. The keys of the citations are
        in `bibliography`.

    Raises
    ------
    InvalidTypeError
        If a part is requested for a record that is not a comparison.
    InvalidValueError
        If `part` or `width` is unknown, or the comparison does not have the part.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.latex(c).splitlines()[1])
    % Needs \usepackage[T1]{fontenc}, \usepackage{booktabs}, \usepackage{siunitx} and \usepackage{tikz}; in UTF-8.
    >>> print(report.latex(c, part="scores").splitlines()[-7])
      voting & 0.972 & {\bfseries 0.981} & {\underline{0.975}} & {\underline{0.975}} \\
    """
    width = _checks.choice(width, "width", tuple(_WIDTHS))
    is_whole = _checks.boolean(standalone, "standalone")
    if part is None:
        report = document(record, max_rows=_MOST_ROWS)
        body, cited, title = _fragment(report, width), report.cited, f"\\section*{{{escaped(report.title)}}}\n"
    else:
        from evalstats.report.parts import part_of

        blocks = part_of(record, part, max_rows=_MOST_ROWS)
        body, cited, title = "\n".join(_block(block, width) for block in blocks) + "\n", cited_in(blocks), ""
    if not is_whole:
        return body
    bibliography = "\\bibliographystyle{plain}\n\\bibliography{evalstats}\n" if cited else ""
    return f"{_PREAMBLE}{title}{body}{bibliography}\\end{{document}}\n"


def _fragment(report: Document, width: str) -> str:
    packages = (r"\usepackage[T1]{fontenc}", r"\usepackage{booktabs}", r"\usepackage{siunitx} and \usepackage{tikz}")
    lines = [
        f"% Made by evalstats {__version__}.",
        f"% Needs {', '.join(packages)}; in UTF-8.",
        *([_ABOUT_CITATIONS] if report.cited else []),
        _ABOUT_LETTERS,
        r"\paragraph{Result.}",
        sentences(report.verdict.content),
    ]
    for section in report.sections:
        lines += ["", rf"\paragraph{{{words(section.heading)}{'' if section.heading.endswith('?') else '.'}}}"]
        lines += [_block(block, width) for block in section.blocks]
    return "\n".join(lines) + "\n"


def _block(block: Block, width: str) -> str:
    if isinstance(block, Paragraph):
        return sentences(block.content)
    if isinstance(block, Listing):
        items = "\n".join(rf"  \item {sentences(item)}" for item in block.items)
        return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
    if isinstance(block, Table):
        # a table that is wider than a column spans both
        star, length, room = _WIDTHS["text" if table_width(block) > _WIDTHS["column"][2] else width]
        return tex_table(block, star=star, length=length, room=room)
    star, length, room = _WIDTHS[width]
    drawing = tikz(block.diagram, width=length, room=room)
    return rf"""\begin{{figure{star}}}[htbp]
\centering\footnotesize
{drawing}
\caption{{{words(" ".join(block.diagram.caption))}}}
\label{{fig:evalstats-diagram}}
\end{{figure{star}}}"""
