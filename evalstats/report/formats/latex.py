"""Records as LaTeX: texts, tables, and diagrams in TikZ."""

from __future__ import annotations

__all__ = ["escaped", "latex", "number", "sentences", "words"]

import re
from collections.abc import Sequence

from evalstats import _checks
from evalstats._result import Record
from evalstats._version import __version__
from evalstats.cd_layout import Diagram, Path, Picture, PlacedText, Segment, place
from evalstats.report.blocks import Block, Cite, Column, Document, Listing, Paragraph, Sentences, Table, cited_in
from evalstats.report.comparisons.comparison_tables import NOT_DIFFERENT
from evalstats.report.curve_figure import CurveFigure, place_curves
from evalstats.report.documents import document
from evalstats.report.interval_list import IntervalList, place_list
from evalstats.report.projection_map import ProjectionMap, place_map
from evalstats.report.text_width import font_sizes
from evalstats.wording import plain_number, shorten, unbroken

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


def _tex_table(table: Table, *, star: str, length: str, room: float) -> str:
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


_STYLES = {
    "axis": "line width=0.5pt",
    "tick": "line width=0.5pt",
    "leader": "line width=0.4pt",
    "bar": "line width=2.4pt",
    "interval": "line width=1.6pt",
    "ruler": "line width=0.7pt",
    "dot": "line width=5pt, line cap=round",
    "hole": "line width=3pt, line cap=round, white",
    "spoke": "line width=0.2pt, black!20",
    "fold": "line width=2pt, line cap=round, black!45",
    "grid": "line width=0.2pt, black!20",
    "reference": "line width=0.6pt, black!60",
    "curve": "line width=1pt",
    "dots": "line width=3pt, line cap=round",
}
# color and dash pattern of each curve, as in page.css
_CURVES = (
    ("{rgb,255:red,47;green,134;blue,200}", "solid"),
    ("{rgb,255:red,213;green,94;blue,0}", "dash pattern=on 6pt off 2.5pt"),
    ("{rgb,255:red,0;green,150;blue,110}", "dash pattern=on 1.5pt off 2pt"),
    ("{rgb,255:red,192;green,96;blue,154}", "dash pattern=on 7pt off 2pt on 1.5pt off 2pt"),
    ("{rgb,255:red,143;green,122;blue,0}", "dash pattern=on 10pt off 3pt"),
    ("{rgb,255:red,127;green,134;blue,141}", "dash pattern=on 3pt off 1.5pt on 1pt off 1.5pt on 1pt off 1.5pt"),
)
_SHORTEST_AXIS = 7.0  # in font sizes
_LARGEST_SIDE = 22.0  # of a square figure
_BETWEEN_NUMBERS = 0.5
_ANCHORS = {"start": "west", "middle": "center", "end": "east"}


def _tikz(drawn: Diagram | IntervalList | ProjectionMap | CurveFigure, *, width: str, room: float) -> str:
    r"""Render a diagram in TikZ: LaTeX measures the names in its font, and the axis uses the remaining width.

    Parameters
    ----------
    drawn : Diagram, IntervalList, ProjectionMap or CurveFigure
        The diagram.
    width : str
        A length of LaTeX, such as ``\columnwidth``.
    room : float
        The minimum width in font sizes. If names do not fit, they are shortened.

    Returns
    -------
    str
        Lines for a LaTeX group, such as a figure.
    """
    if isinstance(drawn, ProjectionMap):
        longest = room / 4
        beside = max(min(_measured(point.name), longest) for point in drawn.points) + 1.0
        width_of_points = max(room - 2 * beside, _SHORTEST_AXIS)
        return _in_font_sizes(place_map(drawn, _measured, longest_name=longest, width=width_of_points))
    if isinstance(drawn, CurveFigure):
        side = min(room, _LARGEST_SIDE) if drawn.is_square else room
        return _in_font_sizes(place_curves(drawn, _measured, longest_name=room / 2, width=side))
    if isinstance(drawn, Diagram):
        ranks = max(_measured(plain_number(label.mean_rank)) for label in drawn.labels)
        longest = (room - _SHORTEST_AXIS) / 2 - ranks - 1.8
        picture = place(drawn, _measured, longest_name=longest)
        marks = "" if drawn.conclusive else ", densely dotted"
    else:
        longest = room - _SHORTEST_AXIS - max(_measured(row.written) for row in drawn.rows) - 2.0
        picture, marks = place_list(drawn, _measured, longest_name=longest), ""
    axis = next(s for s in picture.segments if s.kind == "axis")
    frame = _Frame(axis.x1, axis.x2 - axis.x1)
    texts = _apart(picture.texts, frame, room)
    return "\n".join(
        [
            "% LaTeX measures the names, and the axis uses the remaining width",
            *(rf"\setbox{box}=\hbox{{\shortstack{{{lines}}}}}" for box, lines in frame.beside(picture).items()),
            rf"\dimen0={width}\advance\dimen0 by-\wd0\advance\dimen0 by-\wd2",
            r"\ifdim\dimen0<5em\dimen0=5em\fi\ifdim\dimen0>44em\dimen0=44em\fi",
            r"\edef\evalstatsaxis{\the\dimen0}%",
            r"\begin{tikzpicture}[x=\evalstatsaxis, y=-1em, every node/.style={inner sep=0pt, outer sep=0pt}]",
            *(frame.line(s, marks) for s in picture.segments),
            *(frame.text(t) for t in texts),
            r"\end{tikzpicture}",
        ]
    )


def _in_font_sizes(picture: Picture) -> str:
    """Render a picture with the same scale in both directions, in font sizes."""
    lines = [
        rf"  \draw[{_STYLES[s.kind]}] ({s.x1:.3f}, {s.y1:.3f}) -- ({s.x2:.3f}, {s.y2:.3f});" for s in picture.segments
    ]
    lines += [_path(path) for path in picture.paths]
    texts = [rf"  \node[anchor={_ANCHORS[t.anchor]}] at ({t.x:.3f}, {t.y:.3f}) {{{_words(t)}}};" for t in picture.texts]
    opening = r"\begin{tikzpicture}[x=1em, y=-1em, every node/.style={inner sep=0pt, outer sep=0pt}]"
    return "\n".join([opening, *lines, *texts, r"\end{tikzpicture}"])


def _path(path: Path) -> str:
    places = [f"({x:.2f}, {y:.2f})" for x, y in path.points]
    color, dashes = _CURVES[path.style % len(_CURVES)]
    if path.kind == "band":
        return rf"  \fill[color={color}, opacity=0.15] {' -- '.join(places)} -- cycle;"
    if path.kind == "reference":
        return rf"  \draw[{_STYLES['reference']}, {'dashed' if path.style else 'dotted'}] {' -- '.join(places)};"
    if path.kind == "dots":
        return "\n".join(rf"  \draw[{_STYLES['dots']}, color={color}] {place} -- {place};" for place in places)
    return rf"  \draw[{_STYLES['curve']}, color={color}, {dashes}] {' -- '.join(places)};"


class _Frame:
    """Start and length of the axis, in font sizes of the layout; in the picture, the axis extends from 0 to 1."""

    def __init__(self, start: float, length: float) -> None:
        self.start, self.length = start, length

    def split(self, x: float) -> tuple[float, float]:
        """Return the position on the axis, and the distance from the nearer end of the axis in font sizes."""
        along = min(max((x - self.start) / self.length, 0.0), 1.0)
        return along, x - self.start - along * self.length

    def at(self, x: float, y: float) -> str:
        along, beside = self.split(x)
        shift = f"[xshift={beside:.3f}em]" if abs(beside) > 5e-4 else ""
        return f"({shift}{along:.5f}, {y:.3f})"

    def line(self, s: Segment, marks: str) -> str:
        style = _STYLES[s.kind] + (marks if s.kind in {"bar", "interval"} else "")
        return rf"  \draw[{style}] {self.at(s.x1, s.y1)} -- {self.at(s.x2, s.y2)};"

    def text(self, t: PlacedText) -> str:
        return rf"  \node[anchor={_ANCHORS[t.anchor]}] at {self.at(t.x, t.y)} {{{_words(t)}}};"

    def beside(self, picture: Picture) -> dict[int, str]:
        """Return the texts to the left and to the right of the axis, as two boxes that LaTeX measures."""
        lines: dict[int, list[str]] = {0: [r"\kern1em"], 2: [r"\kern1em"]}
        for t in picture.texts:
            _, beside = self.split(t.x)
            if t.anchor != "middle" and beside:
                lines[0 if beside < 0 else 2].append(rf"\hbox{{{_words(t)}\kern{abs(beside):.3f}em}}")
        return {box: r"\\".join(own) for box, own in lines.items()}


def _apart(texts: Sequence[PlacedText], frame: _Frame, room: float) -> list[PlacedText]:
    """Leave out numbers that would overlap on a short axis, but keep the numbers at both ends."""
    ticks = sorted((t for t in texts if t.kind == "tick"), key=lambda t: t.x)
    taken = {True: 0.0, False: 0.0}  # to the left and to the right of the axis
    for t in texts:
        beside = frame.split(t.x)[1]
        if t.anchor != "middle":
            taken[beside < 0] = max(taken[beside < 0], abs(beside) + _measured(t.text))
    length = max(room - sum(taken.values()), _SHORTEST_AXIS)

    def touch(first: PlacedText, second: PlacedText) -> bool:
        between = length * (frame.split(second.x)[0] - frame.split(first.x)[0])
        return between < (_measured(first.text) + _measured(second.text)) / 2 + _BETWEEN_NUMBERS

    kept = ticks[:1]
    for tick in ticks[1:]:
        if tick is ticks[-1]:
            while len(kept) > 1 and touch(kept[-1], tick):
                kept.pop()
        if not touch(kept[-1], tick):
            kept.append(tick)
    return [t for t in texts if t.kind != "tick" or t in kept]


def _measured(text: str) -> float:
    """Estimate the width of a string in the font of a paper, which is narrower than the font of a page."""
    return 0.82 * font_sizes(text)


def _words(t: PlacedText) -> str:
    words = rf"\textbf{{{escaped(t.text)}}}" if t.kind == "control" else escaped(t.text)
    return rf"\strut {words}"


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
        return _tex_table(block, star=star, length=length, room=room)
    star, length, room = _WIDTHS[width]
    drawing = _tikz(block.diagram, width=length, room=room)
    return rf"""\begin{{figure{star}}}[htbp]
\centering\footnotesize
{drawing}
\caption{{{words(" ".join(block.diagram.caption))}}}
\label{{fig:evalstats-diagram}}
\end{{figure{star}}}"""
