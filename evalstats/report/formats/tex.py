"""Texts and tables in LaTeX."""

from __future__ import annotations

__all__ = ["escaped", "number", "sentences", "tex_table", "words"]

import re

from evalstats.report.blocks import Cite, Column, Sentences, Table
from evalstats.report.comparisons.paper_table import NOT_DIFFERENT
from evalstats.report.text_width import font_sizes
from evalstats.wording import shorten, unbroken

# characters with a meaning in LaTeX, or in a ligature, an optional argument or a shorthand of babel
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"{\char34}", "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "…": r"\ldots{}", "–": "--", "−": r"\ensuremath{-}", "·": r"\ensuremath{\cdot}", "√": r"\ensuremath{\surd}",
    "°": r"\ensuremath{^{\circ}}",
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


def sentences(content: Sentences) -> str:
    """Render running text with its citations."""
    text = ""
    for item in content:
        # the space before a citation must not break
        text = text.rstrip() + rf"~\cite{{{','.join(item.keys)}}}" if isinstance(item, Cite) else text + words(item)
    return text


def number(cell: str) -> str:
    """Format a number as mathematics, with a power of ten as a superscript."""
    if power := _POWER.match(cell):
        before, digits, sign, exponent = power.groups()
        minus = "" if sign == "+" else "-"
        return f"${_escaped_number(before)}{digits}\\times 10^{{{minus}{exponent}}}$"
    if re.fullmatch(r"[+−]?[\d.]+", cell):
        return f"${_escaped_number(cell)}$"
    return escaped(cell)


def _escaped_number(text: str) -> str:
    return text.replace("−", "-")


def words(text: str) -> str:
    """Escape running text, set formulas such as 'p = 0.05' as mathematics, and let long names break at underscores."""
    pieces = _FORMULA.split(unbroken(text))
    pieces[0::2] = map(escaped, pieces[0::2])
    pieces[1::2] = (f"${formula.replace(_NBSP, ' ')}$" for formula in pieces[1::2])
    return "".join(pieces).replace(r"\_", r"\_\allowbreak{}")


def escaped(text: str) -> str:
    """Escape a name so that LaTeX reads no part of it as a command."""
    pieces = []
    for previous, character in zip(" " + text, text, strict=False):
        # two hyphens, commas or apostrophes in a row would become one character
        if character in "-,'" and character == previous:
            pieces.append("{}")
        pieces.append(_ESCAPES.get(character, character))
    return "".join(pieces)


# --- tables -----------------------------------------------------------------------------------------------------------


_PLAIN = re.compile(rf"([+−]?)(\d+)(?:\.(\d+))?{NOT_DIFFERENT}?")
# maximum width of a name in font sizes; a longer name is shortened if the complete name is elsewhere in the report
_LONGEST_NAME = 16.0


def table_width(table: Table) -> float:
    """Estimate the width of a table, in font sizes, with wide heads rotated."""
    turned = _turns(table.columns, 0.0)
    return sum(
        max(
            [0.0 if turned and column.numeric else _width(column.head)]
            + [min(_width(row[j]), _LONGEST_NAME) for row in table.rows]
        )
        + 0.9
        for j, column in enumerate(table.columns)
    )


def tex_table(table: Table, *, star: str, length: str, room: float) -> str:
    """Render a table as a float in LaTeX.

    Parameters
    ----------
    table : Table
        The table.
    star : str
        ``'*'`` for a float across both columns of a page.
    length : str
        Maximum width as a length of LaTeX. If a table is wider even with small letters, it is scaled down.
    room : float
        The maximum width in font sizes. If the heads of numeric columns are too wide, they are rotated.

    Returns
    -------
    str
        The environment ``table``.
    """
    columns = range(len(table.columns))
    shape = "".join(_shape(table, j) for j in columns)
    cells = list(zip(*(_cells(table, j) for j in columns), strict=True))
    rows = [f"  {' & '.join(row)} \\\\" for row in cells]
    if table.foot:
        rows.insert(-1, r"  \midrule")
    heads = " & ".join(_heads(table.columns, room))
    said = words(table.caption_with("bold", "underlined"))
    caption = f"\\caption{{{said}}}\n\\label{{tab:evalstats-{table.name}}}\n" if said else ""
    body = "\n".join(rows)
    return rf"""\begin{{table{star}}}[htbp]
\centering
{caption}\medskip\footnotesize\setlength{{\tabcolsep}}{{4pt}}
\resizebox{{\ifdim\width>{length} {length}\else\width\fi}}{{!}}{{%
\begin{{tabular}}{{@{{}}{shape}@{{}}}}
  \toprule
  {heads} \\
  \midrule
{body}
  \bottomrule
\end{{tabular}}}}
\end{{table{star}}}"""


def _shape(table: Table, j: int) -> str:
    column = table.columns[j]
    if not column.numeric:
        return "p{16em}" if column.prose else "l"
    parts = [found for row in table.rows if (found := _PLAIN.fullmatch(row[j]))]
    if not _is_aligned(table, j):
        return "r"
    sign = "-" if any(found[1] for found in parts) else ""
    whole, decimals = (max(len(found[i] or "") for found in parts) for i in (2, 3))
    form = f"{sign}{whole}.{decimals}" if decimals else f"{sign}{whole}"
    return f"S[table-format={form}, table-number-alignment=right, table-text-alignment=right]"


def _is_aligned(table: Table, j: int) -> bool:
    """Return whether a column contains only plain numbers and dashes."""
    cells = [row[j] for row in table.rows]
    return all(cell == "–" or _PLAIN.fullmatch(cell) for cell in cells) and any(cell != "–" for cell in cells)


def _heads(columns: tuple[Column, ...], room: float) -> list[str]:
    """Return the heads of the columns, rotated if they are names that are wider than the available width."""
    turned = _turns(columns, room)
    return [_head(column, turned=turned and column.numeric) for column in columns]


def _turns(columns: tuple[Column, ...], room: float) -> bool:
    """Return whether the heads are names of classifiers and wider than the available width."""
    are_names = len(columns) > 3 and all(column.numeric for column in columns[1:])
    return are_names and sum(_width(column.head) + 0.9 for column in columns) > room


def _width(text: str) -> float:
    return 0.8 * font_sizes(text)


def _head(column: Column, *, turned: bool) -> str:
    head = escaped(column.head)
    return rf"{{\rotatebox{{90}}{{{head}}}}}" if turned else f"{{{head}}}"


def _cells(table: Table, j: int) -> list[str]:
    """Return the cells of a column; in the table of pairs, long names are shortened."""
    cells = [row[j] for row in table.rows]
    if not table.columns[j].numeric:
        if table.name == "pairs":
            cells = shorten(cells, font_sizes, _LONGEST_NAME)
        bold = [table.stands_out(i) and cell == "yes" for i, cell in enumerate(cells)]
        return [
            rf"\textbf{{{escaped(cell)}}}" if is_bold else escaped(cell)
            for is_bold, cell in zip(bold, cells, strict=True)
        ]
    write = _aligned if _is_aligned(table, j) else number
    return [_emphasized(table, i, j, cell, write(cell)) for i, cell in enumerate(cells)]


def _aligned(cell: str) -> str:
    """Format a number for siunitx, with braces around other texts."""
    if cell == "–":
        return "{--}"
    plain = cell.removesuffix(NOT_DIFFERENT)
    mark = r"\rlap{$^{\circ}$}" if plain != cell else ""
    return f"{{{number(plain)}{mark}}}" if mark else plain.replace("−", "-")


def _emphasized(table: Table, i: int, j: int, cell: str, written: str) -> str:
    """Set the best value of a row in bold, and underline the second-best value."""
    plain = cell.removesuffix(NOT_DIFFERENT)
    text = escaped(plain)
    mark = r"\rlap{$^{\circ}$}" if plain != cell else ""
    if (i, j) in table.best:
        return rf"{{\bfseries {text}{mark}}}"
    return rf"{{\underline{{{text}}}{mark}}}" if (i, j) in table.second else written
