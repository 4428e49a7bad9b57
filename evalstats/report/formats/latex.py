"""How does a record stand in a paper?"""

from __future__ import annotations

__all__ = ["latex"]

import re

from evalstats import _checks
from evalstats._result import Record
from evalstats._version import __version__
from evalstats.diagram import Diagram, place
from evalstats.report.blocks import Block, Cite, Document, Figure, Listing, Paragraph, Sentences, Table
from evalstats.report.documents import document
from evalstats.report.widths import font_sizes
from evalstats.wording import shorten, unbroken

_MOST_ROWS = 45
# in font sizes; a picture wider than the page is scaled down, and these keep its letters legible
_LONGEST_NAME, _WIDEST_PICTURE = 16.0, 60.0

# what has a meaning in LaTeX, or makes a ligature, an optional argument or a shorthand of babel
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"{\char34}", "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "…": r"\ldots{}", "–": "--", "−": r"\ensuremath{-}", "·": r"\ensuremath{\cdot}", "√": r"\ensuremath{\surd}",
    "²": r"\ensuremath{^{2}}", "∞": r"\ensuremath{\infty}", "“": "``", "”": "''", "\u00a0": "~",
}  # fmt: skip
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        (
            *("alpha", "beta", "gamma", "delta", "varepsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
            *("nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "varphi", "chi", "psi", "omega"),
            *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"),
        ),
        strict=True,
    )
)
_ESCAPES = _SPECIAL | {letter: rf"\ensuremath{{\{name}}}" for letter, name in _GREEK.items()}
_POWER = re.compile(r"^(.*?)([\d.]+)e([+−-])0*(\d+)$")
_NBSP = "\u00a0"
_FORMULA = re.compile(rf"(\b[pW]{_NBSP}[=<>]{_NBSP}\d(?:[.\d]*\d)?)(?![\w.]*\w)")

_ABOUT_CITATIONS = "% The citations are entries of evalstats.report.bibliography(), to be saved as evalstats.bib."
_PREAMBLE = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{booktabs}
\usepackage{tikz}
\begin{document}
"""
_STYLES = {
    "axis": "line width=0.5pt",
    "tick": "line width=0.5pt",
    "leader": "line width=0.4pt",
    "bar": "line width=2.4pt",
    "interval": "line width=1.6pt",
    "ruler": "line width=0.7pt",
}


def latex(record: Record | Document, *, standalone: bool = False) -> str:
    r"""Return a record as LaTeX: what follows, tables, the diagram in TikZ, and a methods paragraph with citations.

    Parameters
    ----------
    record : Record or Document
        Anything that evalstats returns, or a document made of it.
    standalone : bool, default: False
        False: a fragment to paste or ``\input`` into a document that loads the packages booktabs and tikz.
        True: a whole document.

    Returns
    -------
    str
        Ends with a line break. Every name is escaped. The keys of its citations stand in `bibliography`.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.latex(c).splitlines()[1])
    % Needs \usepackage[T1]{fontenc}, \usepackage{booktabs} and \usepackage{tikz}; the file is in UTF-8.
    """
    report = document(record, most_rows=_MOST_ROWS)
    body = _fragment(report)
    if not _checks.boolean(standalone, "standalone"):
        return body
    bibliography = "\\bibliographystyle{plain}\n\\bibliography{evalstats}\n" if report.cited else ""
    end = f"{bibliography}\\end{{document}}\n"
    title = f"\\section*{{{_escaped(report.title)}}}\n"
    return f"{_PREAMBLE}{title}{body}{end}"


def _fragment(report: Document) -> str:
    lines = [
        f"% Made by evalstats {__version__}.",
        r"% Needs \usepackage[T1]{fontenc}, \usepackage{booktabs} and \usepackage{tikz}; the file is in UTF-8.",
        *([_ABOUT_CITATIONS] if report.cited else []),
        "% Letters of names that pdfLaTeX does not know need LuaLaTeX or XeLaTeX and a font that has them.",
        r"\paragraph{Result.}",
        _sentences(report.verdict.content),
    ]
    for section in report.sections:
        lines += ["", rf"\paragraph{{{_escaped(section.heading)}{'' if section.heading.endswith('?') else '.'}}}"]
        lines += [_block(block) for block in section.blocks]
    return "\n".join(lines) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return _sentences(block.content)
    if isinstance(block, Listing):
        items = "\n".join(rf"  \item {_sentences(item)}" for item in block.items)
        return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
    return _table(block) if isinstance(block, Table) else _figure(block)


def _table(table: Table) -> str:
    shape = "".join("r" if column.numeric else "p{16em}" if column.prose else "l" for column in table.columns)
    cells = zip(*(_cells(table, j) for j in range(len(table.columns))), strict=True)
    rows = "\n".join(f"  {' & '.join(row)} \\\\" for row in cells)
    heads = " & ".join(_escaped(column.head) for column in table.columns)
    caption = f"\\caption{{{_words(table.caption)}}}\n\\label{{tab:evalstats-{table.name}}}\n" if table.caption else ""
    return rf"""\begin{{table}}[htbp]
\centering
{caption}\smallskip
\resizebox{{\ifdim\width>\linewidth \linewidth\else\width\fi}}{{!}}{{%
\begin{{tabular}}{{@{{}}{shape}@{{}}}}
  \toprule
  {heads} \\
  \midrule
{rows}
  \bottomrule
\end{{tabular}}}}
\end{{table}}"""


def _cells(table: Table, j: int) -> list[str]:
    """Write a column; names that stand in full in the table of ranks are shortened in that of the pairs."""
    cells = [row[j] for row in table.rows]
    if table.columns[j].numeric:
        return [_number(cell) for cell in cells]
    if table.name == "pairs":
        cells = shorten(cells, font_sizes, _LONGEST_NAME)
    return [_escaped(cell) for cell in cells]


def _figure(figure: Figure) -> str:
    return rf"""\begin{{figure}}[htbp]
\centering
\resizebox{{\ifdim\width>\linewidth \linewidth\else\width\fi}}{{!}}{{%
{_tikz(figure.diagram)}}}
\caption{{{_words(" ".join(figure.diagram.caption))}}}
\label{{fig:evalstats-diagram}}
\end{{figure}}"""


def _tikz(diagram: Diagram) -> str:
    picture = place(diagram, font_sizes, longest_name=_LONGEST_NAME)
    if picture.width > _WIDEST_PICTURE:
        picture = place(diagram, font_sizes, longest_name=_LONGEST_NAME, width=_WIDEST_PICTURE)
    marks = "" if diagram.conclusive else ", densely dotted"
    lines = [r"\begin{tikzpicture}[x=1em, y=-1em, every node/.style={inner sep=0pt, outer sep=0pt}]"]
    for s in picture.segments:
        style = _STYLES[s.kind] + (marks if s.kind in {"bar", "interval"} else "")
        lines.append(rf"  \draw[{style}] ({s.x1:.3f}, {s.y1:.3f}) -- ({s.x2:.3f}, {s.y2:.3f});")
    anchors = {"start": "west", "middle": "center", "end": "east"}
    for t in picture.texts:
        words = rf"\textbf{{{_escaped(t.text)}}}" if t.kind == "control" else _escaped(t.text)
        size = r"\small " if t.size < 1 else ""
        lines.append(rf"  \node[anchor={anchors[t.anchor]}] at ({t.x:.3f}, {t.y:.3f}) {{{size}\strut {words}}};")
    return "\n".join([*lines, r"\end{tikzpicture}"])


def _sentences(sentences: Sentences) -> str:
    words = ""
    for item in sentences:
        # the space before a citation must not break
        words = words.rstrip() + rf"~\cite{{{','.join(item.keys)}}}" if isinstance(item, Cite) else words + _words(item)
    return words


def _number(cell: str) -> str:
    """Set a number as mathematics, a power of ten as such."""
    if power := _POWER.match(cell):
        before, digits, sign, exponent = power.groups()
        minus = "" if sign == "+" else "-"
        return f"${_escaped_number(before)}{digits}\\times 10^{{{minus}{exponent}}}$"
    if re.fullmatch(r"[+−]?[\d.]+", cell):
        return f"${_escaped_number(cell)}$"
    return _escaped(cell)


def _escaped_number(text: str) -> str:
    return text.replace("−", "-")


def _words(text: str) -> str:
    """Escape a text and set its 'p = 0.05' and the like as mathematics."""
    pieces = _FORMULA.split(unbroken(text))
    pieces[0::2] = map(_escaped, pieces[0::2])
    pieces[1::2] = (f"${formula.replace(_NBSP, ' ')}$" for formula in pieces[1::2])
    return "".join(pieces)


def _escaped(text: str) -> str:
    pieces = []
    for previous, character in zip(" " + text, text, strict=False):
        # two hyphens, commas or apostrophes in a row would become one character
        if character in "-,'" and character == previous:
            pieces.append("{}")
        pieces.append(_ESCAPES.get(character, character))
    return "".join(pieces)
