"""Records as text for a terminal, with diagrams and lists of intervals."""

from __future__ import annotations

__all__ = ["draw", "draw_figure", "text"]

import math
import unicodedata
from collections import defaultdict

import numpy as np

from evalstats._checks import boolean, count
from evalstats._result import Record
from evalstats.cd_layout import Diagram, Label
from evalstats.report.blocks import Block, Cite, Column, Document, Figure, Listing, Paragraph, Sentences, Table
from evalstats.report.documents import document
from evalstats.report.interval_list import IntervalList, IntervalRow
from evalstats.report.projection_map import MapFold, MapPoint, ProjectionMap
from evalstats.report.references import PUBLICATIONS, citation
from evalstats.report.text_width import columns, pad
from evalstats.wording import plain_number, shorten, unbroken, wrap

# lines from a cell to the north, east, south and west: 0 none, 1 light, 2 heavy (bars), 3 double (the interval)
_GLYPHS: dict[tuple[int, ...], str] = {
    (0, 1, 0, 1): "─", (1, 0, 1, 0): "│", (0, 1, 1, 0): "┌", (0, 0, 1, 1): "┐", (1, 1, 0, 0): "└", (1, 0, 0, 1): "┘",
    (1, 1, 1, 0): "├", (1, 0, 1, 1): "┤", (0, 1, 1, 1): "┬", (1, 1, 0, 1): "┴", (1, 1, 1, 1): "┼",
    (0, 1, 0, 0): "─", (0, 0, 0, 1): "─",
    (0, 2, 0, 2): "━", (1, 2, 1, 0): "┝", (1, 0, 1, 2): "┥", (1, 2, 1, 2): "┿", (0, 2, 0, 0): "╺", (0, 0, 0, 2): "╸",
    (0, 3, 0, 3): "═", (1, 3, 1, 0): "╞", (1, 0, 1, 3): "╡", (1, 3, 1, 3): "╪", (0, 3, 0, 0): "═", (0, 0, 0, 3): "═",
}  # fmt: skip
_SHORTEST_AXIS, _LONGEST_AXIS, _SHORTEST_LABEL = 24, 64, 3


def draw(diagram: Diagram, *, width: int = 80, ascii_only: bool = False) -> list[str]:
    """Render the diagram as characters.

    Bars are heavy lines. The leader lines of the classifiers that a bar joins cross the bar. The interval of a control
    is a double line.

    Parameters
    ----------
    diagram : Diagram
        Layout of the diagram.
    width : int, default: 80
        Columns of the terminal.
    ascii_only : bool, default: False
        Whether to draw the lines with the ASCII characters ``-``, ``|``, ``+`` and ``=``.

    Returns
    -------
    list of str
        The lines, or an empty list if there are too many classifiers for this width.
    """
    number = max(len(plain_number(label.mean_rank)) for label in diagram.labels)
    n_ranks = len({label.mean_rank for label in diagram.labels})
    shortest = max(min(_SHORTEST_AXIS, 3 * width // 10), n_ranks + 1)
    beside = number + 5  # columns of a label in addition to its name
    room = (width - shortest) // 2 - beside
    if room < _SHORTEST_LABEL:
        return []
    ellipsis = "~" if ascii_only else "…"
    names = [name.replace("…", ellipsis) for name in shorten([x.classifier for x in diagram.labels], columns, room)]
    named = list(zip(diagram.labels, names, strict=True))
    left = max(columns(name) for label, name in named if label.side == "left")
    right = max((columns(name) for label, name in named if label.side == "right"), default=0)
    axis = min(width - left - right - 2 * beside, _LONGEST_AXIS)
    canvas = _Canvas(left + beside, axis)
    canvas.head(diagram, width)
    canvas.axis_line(diagram)
    canvas.levels(diagram)
    for label, name in named:
        canvas.label(label, name, number)
    return canvas.lines(ascii_only=ascii_only)


class _Canvas:
    """Cells with lines and texts; `row` is the next free row, and `start` is the column of the left end of the axis."""

    def __init__(self, start: int, axis: int) -> None:
        self.start, self.axis, self.row, self.first_label_row = start, axis, 0, 0
        self.lines_of: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        self.texts: dict[int, list[tuple[int, str]]] = defaultdict(list)
        self.column: dict[str, int] = {}

    def at(self, position: float) -> int:
        return self.start + round(position * (self.axis - 1))

    def horizontal(self, row: int, first: int, last: int, weight: int = 1) -> None:
        for column in range(first, last + 1):
            if column < last:
                self.lines_of[row, column][1] = weight
            if column > first:
                self.lines_of[row, column][3] = weight

    def vertical(self, column: int, first: int, last: int) -> None:
        for row in range(first, last + 1):
            if row < last:
                self.lines_of[row, column][2] = 1
            if row > first:
                self.lines_of[row, column][0] = 1

    def cap(self, row: int, column: int) -> None:
        self.lines_of[row, column][0] = self.lines_of[row, column][2] = 1

    def head(self, diagram: Diagram, width: int) -> None:
        """Plot the ruler of the critical difference, with the number at its side, or above it if the axis is short."""
        ruler = diagram.ruler
        if ruler is None:
            return
        text = f"CD = {plain_number(ruler.critical_difference)}" + ("" if ruler.fits else " (longer than the axis)")
        first, last = self.at(ruler.start), self.at(ruler.end)
        if last + 2 + len(text) > width:
            self.texts[self.row].append((max(min(first, width - len(text)), 0), text))
            self.row += 1
        else:
            self.texts[self.row].append((last + 2, text))
        self.horizontal(self.row, first, last)
        self.cap(self.row, first)
        if ruler.fits:
            self.cap(self.row, last)
        self.row += 1

    def axis_line(self, diagram: Diagram) -> None:
        end = 0
        for tick in diagram.ticks:
            column = self.at(tick.position)
            first = column - (len(tick.text) - 1) // 2
            if tick.text and first > end:
                self.texts[self.row].append((first, tick.text))
                self.lines_of[self.row + 1, column][0] = 1
                end = first + len(tick.text)
        self.row += 1
        self.horizontal(self.row, self.start, self.start + self.axis - 1)
        words = ("best", "worst") if diagram.best == "left" else ("worst", "best")
        self.texts[self.row] += [(self.start - 1 - len(words[0]), words[0]), (self.start + self.axis + 1, words[1])]
        self.column = self._columns_of(diagram.labels)

    def levels(self, diagram: Diagram) -> None:
        axis_row = self.row
        self.first_label_row = axis_row + 1 + diagram.n_levels
        for label in diagram.labels:
            self.vertical(self.column[label.classifier], axis_row, self.first_label_row + label.row)
        for bar in diagram.bars:
            ends = sorted(self.column[name] for name in (bar.members[0], bar.members[-1]))
            self.bar(axis_row + 1 + bar.level, *ends)
        if diagram.interval is not None:
            first, last = self.at(diagram.interval.start), self.at(diagram.interval.end)
            self.horizontal(axis_row + 1, first, last, weight=3)
            for column, cut in ((first, diagram.interval.start_cut), (last, diagram.interval.end_cut)):
                if not cut:
                    self.cap(axis_row + 1, column)

    def bar(self, row: int, first: int, last: int) -> None:
        if first < last:
            self.horizontal(row, first, last, weight=2)
            return
        # all members have the same mean rank: the bar extends one cell to each side
        for column, side in ((first - 1, 1), (first + 1, 3)):
            if column not in self.column.values() and not any(self.lines_of[row, column]):
                self.lines_of[row, column][side] = 2
                self.lines_of[row, first][4 - side] = 2

    def label(self, label: Label, name: str, number: int) -> None:
        row = self.first_label_row + label.row
        stem = self.column[label.classifier]
        rank = plain_number(label.mean_rank).rjust(number)
        if label.side == "left":
            self.horizontal(row, self.start - 2, stem)
            text = f"{name}  {rank}"
            self.texts[row].append((self.start - 3 - columns(text), text))
        else:
            self.horizontal(row, stem, self.start + self.axis + 1)
            self.texts[row].append((self.start + self.axis + 3, f"{rank}  {name}"))

    def lines(self, *, ascii_only: bool) -> list[str]:
        rows = range(max([*self.texts, *(row for row, _ in self.lines_of)]) + 1)
        return [self._line(row, ascii_only=ascii_only) for row in rows]

    def _line(self, row: int, *, ascii_only: bool) -> str:
        pieces = [(column, text) for column, text in self.texts[row]]
        for (r, column), ends in self.lines_of.items():
            if r == row and any(ends):
                pieces.append((column, _ascii(*ends) if ascii_only else _GLYPHS[tuple(ends)]))
        line = ""
        for column, text in sorted(pieces):
            line = pad(line, column) + text
        return line.rstrip()

    def _columns_of(self, labels: tuple[Label, ...]) -> dict[str, int]:
        """Assign a column to each classifier by its mean rank; different mean ranks get different columns."""
        ranks = sorted({label.position for label in labels})
        taken = [self.at(p) for p in ranks]
        for i in range(1, len(taken)):
            taken[i] = max(taken[i], taken[i - 1] + 1)
        limit = self.start + self.axis - 1
        for i in range(len(taken) - 1, -1, -1):
            taken[i] = min(taken[i], limit)
            limit = taken[i] - 1
        column = dict(zip(ranks, taken, strict=True))
        return {label.classifier: column[label.position] for label in labels}


def _ascii(north: int, east: int, south: int, west: int) -> str:
    if not (east or west):
        return "|"
    if max(east, west) > 1:
        return "#" if north or south else "="
    return "+" if north or south else "-"


_SHORTEST_INTERVAL_AXIS, _LONGEST_INTERVAL_AXIS = 16, 40
# characters for a line, its two ends, the line at zero, a full dot and an empty dot
_LINES = {False: tuple("─├┤│●○"), True: tuple("-||:*o")}


def draw_figure(figure: Figure, *, width: int = 80, ascii_only: bool = False) -> list[str]:
    """Render a figure as characters, or return no lines if the width is too small."""
    drawn = figure.diagram
    if isinstance(drawn, IntervalList):
        return draw_list(drawn, width=width, ascii_only=ascii_only)
    if isinstance(drawn, ProjectionMap):
        return draw_map(drawn, width=width, ascii_only=ascii_only)
    return draw(drawn, width=width, ascii_only=ascii_only) if isinstance(drawn, Diagram) else []


def draw_list(drawn: IntervalList, *, width: int = 80, ascii_only: bool = False) -> list[str]:
    """Render the list as characters: each line has a name, an interval with a dot, and the value in digits.

    Parameters
    ----------
    drawn : IntervalList
        Layout of the list.
    width : int, default: 80
        Columns of the terminal.
    ascii_only : bool, default: False
        Whether to use only ``-``, ``|``, ``*`` and ``o``.

    Returns
    -------
    list of str
        One line for each value, or an empty list if the width is too small for an axis.
    """
    digits = max(columns(row.written) for row in drawn.rows)
    room = width - digits - 4 - _SHORTEST_INTERVAL_AXIS
    if room < 6:
        return []
    ellipsis = "~" if ascii_only else "…"
    names = [name.replace("…", ellipsis) for name in shorten([row.name for row in drawn.rows], columns, room)]
    longest = max(map(columns, names))
    axis = min(width - digits - 4 - longest, _LONGEST_INTERVAL_AXIS)
    return [
        f"{pad(name, longest, right=True)}  {_row(drawn, row, axis, _LINES[ascii_only])}  {row.written}"
        for name, row in zip(names, drawn.rows, strict=True)
    ]


def _row(drawn: IntervalList, row: IntervalRow, axis: int, lines: tuple[str, ...]) -> str:
    line, start, end, zero, full, empty = lines

    def at(value: float) -> int:
        return round(drawn.position(value) * (axis - 1))

    cells = [" "] * axis
    cells[at(drawn.zero)] = zero
    if not math.isnan(row.low + row.high):
        low, high = at(row.low), at(row.high)
        cells[low : high + 1] = [line] * (high - low + 1)
        cells[low], cells[high] = start, end
    cells[at(row.value)] = full if row.full else empty
    return "".join(cells)


# --- maps of points ---------------------------------------------------------------------------------------------------


# a character is about twice as high as wide
_ASPECT = 0.5
_MOST_LINES, _LEAST_COLUMNS, _LONGEST_NAME = 24, 16, 16
# characters for a classifier, for several at one position, for the Ideal, and for a fold
_MARKS = {False: ("●", "◆", "○", "·"), True: ("*", "#", "o", ".")}


def draw_map(drawn: ProjectionMap, *, width: int = 80, ascii_only: bool = False) -> list[str]:
    """Render the points as characters, with their names if there is enough space.

    Parameters
    ----------
    drawn : ProjectionMap
        Layout of the map.
    width : int, default: 80
        Columns of the terminal.
    ascii_only : bool, default: False
        Whether to use only ``*``, ``#``, ``o`` and ``.``.

    Returns
    -------
    list of str
        The lines, or an empty list if the width is too small.
    """
    names = shorten([point.name for point in drawn.points], columns, _LONGEST_NAME)
    if ascii_only:
        names = [name.replace("…", "~") for name in names]
    room = width - max(map(columns, names)) - 2
    if room < _LEAST_COLUMNS:
        return []
    shown: list[MapPoint | MapFold] = [*drawn.points, *drawn.folds]
    at = np.array([(one.x, -one.y * _ASPECT) for one in shown])
    low, size = at.min(axis=0), np.ptp(at, axis=0)
    scale = min((room - 1) / (size[0] or 1e-300), (_MOST_LINES - 1) / (size[1] or 1e-300)) if size.any() else 1.0
    places = [(int(x), int(y)) for x, y in np.rint((at - low) * scale).tolist()]
    mark, several, ideal, fold = _MARKS[ascii_only]
    places, clouds = places[: len(names)], places[len(names) :]

    cells: dict[tuple[int, int], str] = {}
    for place in places[:-1]:
        cells[place] = several if place in cells else mark
    cells[places[-1]] = ideal
    for (x, y), name in sorted(zip(places, names, strict=True)):
        own = [(x + 2 + i, y) for i in range(-1, columns(name) + 1)]
        if name and not any(cell in cells for cell in own):
            cells[x + 2, y] = name
            cells |= {(x + 2 + i, y): "" for i in range(1, columns(name))}
            cells[x + 2 + columns(name), y] = " "
    cells = dict.fromkeys(clouds, fold) | cells
    return [
        _line({x: text for (x, row), text in cells.items() if row == y}) for y in range(max(y for _, y in cells) + 1)
    ]


def _line(texts: dict[int, str]) -> str:
    line = ""
    for x in sorted(texts):
        if texts[x]:
            line = pad(line, x) + texts[x]
    return line.rstrip()


_MOST_ROWS = 40
_SHORTEST_NAME = 6
_SHORTEST_PROSE = 24
_SHORTEST_WHOLE = 40  # longer texts are shortened so that no line is too long

_ASCII = {
    "α": "alpha", "ε": "epsilon", "χ": "chi", "²": "2", "−": "-", "–": "-", "·": "*", "√": "sqrt", "∞": "inf",
    "°": "'", "“": '"', "”": '"', "─": "-", "═": "=", "…": "~",
}  # fmt: skip


def text(
    record: Record | Document,
    *,
    width: int = 80,
    ascii: bool = False,  # noqa: A002  the word that users know
    methods: bool = False,
    part: str | None = None,
) -> str:
    """Render a record as plain text for a terminal.

    Parameters
    ----------
    record : Record or Document
        Any result of evalstats, or a document that was made from such a result.
    width : int, default: 80
        Maximum length of a line, in columns. If a table is too wide, it is split into parts, which are printed below
        each other.
    ascii : bool, default: False
        Whether to use only ASCII characters. A question mark replaces each non-ASCII letter of a name.
    methods : bool, default: False
        Whether to add the methods paragraph, if there is one, and the references, as in the formats for a paper.
    part : {'sentence', 'methods', 'scores', 'ranks', 'pairs', 'matrix', 'figure'}, optional
        For a comparison: only this part. In ``'scores'``, the table of datasets x classifiers, ``*`` marks the best
        score of each row, and ``+`` marks the second best.

    Returns
    -------
    str
        The text, which ends with a line break.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.text(c).splitlines()[0])
    Comparison of 4 classifiers on 14 datasets: AUC, higher is better
    """
    width = count(width, "width", minimum=40)
    ascii_only, methods = boolean(ascii, "ascii"), boolean(methods, "methods")
    page = _Page(width, ascii_only, methods)
    if part is not None:
        from evalstats.report.parts import part_of

        return "\n\n".join(map(page.block, part_of(record, part, max_rows=_MOST_ROWS))) + "\n"
    return page.write(document(record, max_rows=_MOST_ROWS, with_methods=methods))


class _Page:
    def __init__(self, width: int, ascii_only: bool, references: bool) -> None:
        self.width, self.ascii_only, self.references = width, ascii_only, references

    def write(self, report: Document) -> str:
        parts = [self.heading(report.title, "═"), self.paragraph(report.verdict)]
        for section in report.sections:
            parts.append(self.heading(section.heading, "─"))
            parts += [self.block(block) for block in section.blocks]
        if self.references and report.cited:
            parts.append(self.heading("References", "─"))
            parts.append("\n".join(self.hanging(PUBLICATIONS[key].long) for key in sorted(report.cited)))
        return "\n\n".join(part for part in parts if part) + "\n"

    def heading(self, words: str, line: str) -> str:
        lines = self.wrapped(words)
        return "\n".join([*lines, self.plain(line) * max(map(columns, lines))])

    def block(self, block: Block) -> str:
        if isinstance(block, Paragraph):
            return self.paragraph(block)
        if isinstance(block, Listing):
            return "\n".join(self.hanging(self.sentences(item), "- ") for item in block.items)
        return self.table(block) if isinstance(block, Table) else self.figure(block)

    def paragraph(self, paragraph: Paragraph) -> str:
        return "\n".join(self.wrapped(self.sentences(paragraph.content)))

    def hanging(self, words: str, first: str = "") -> str:
        lines = self.wrapped(words, self.width - 2)
        return "\n".join([first + lines[0], *(f"  {line}" for line in lines[1:])])

    def figure(self, figure: Figure) -> str:
        if not figure.in_text:
            return ""
        lines = draw_figure(figure, width=self.width, ascii_only=self.ascii_only)
        if not lines:
            lines = ["(The diagram does not fit into this width.)"]
        caption = self.wrapped(" ".join(figure.diagram.caption))
        return "\n".join([*(self.plain(line) for line in lines), "", *caption])

    def table(self, table: Table) -> str:
        numeric = [column.numeric for column in table.columns]
        heads = [self.plain(column.head) for column in table.columns]
        cells = [[self.plain(text) for text in _column(table, j)] for j in range(len(heads))]
        longest = [max(map(columns, head.split()), default=0) for head in heads]
        widths = [max([longest[j], *map(columns, cells[j])]) for j in range(len(heads))]
        floor = [
            width if column.numeric else min(width, max(_shortest(column), word))
            for width, column, word in zip(widths, table.columns, longest, strict=True)
        ]
        widths, gap, parts = self.fitted(widths, floor, numeric)
        laid = [
            [wrap(head, columns, width), *self.cells(own, width, prose=column.prose)]
            for head, own, width, column in zip(heads, cells, widths, table.columns, strict=True)
        ]
        blocks = []
        for part in parts:
            shown = [[laid[j][i] for j in part] for i in range(len(table.rows) + 1)]
            blocks.append(self.rows(shown, [widths[j] for j in part], [numeric[j] for j in part], gap))
        blocks += [self.wrapped(table.caption_with("marked by *", "marked by +"))] if table.caption else []
        return "\n\n".join("\n".join(lines) for lines in blocks)

    def cells(self, texts: list[str], width: int, *, prose: bool) -> list[list[str]]:
        """Return the lines of each cell: prose is wrapped, and other text is shortened to one line."""
        if prose:
            return [wrap(text, columns, width) for text in texts]
        return [[self.plain(text)] for text in shorten(texts, columns, width)]

    def rows(self, rows: list[list[list[str]]], widths: list[int], numeric: list[bool], gap: int) -> list[str]:
        """Lay out the cells as lines of text, with a rule below the first row, which contains the heads."""
        rule = self.plain("─") * (sum(widths) + gap * (len(widths) - 1))
        lines = []
        for row in rows:
            depth = max(map(len, row))
            for i in range(depth):
                at = [i - depth + len(cell) if row is rows[0] else i for cell in row]
                words = [cell[k] if 0 <= k < len(cell) else "" for cell, k in zip(row, at, strict=True)]
                own = zip(words, widths, numeric, strict=True)
                lines.append((gap * " ").join(pad(word, width, right=right) for word, width, right in own).rstrip())
            if row is rows[0]:
                lines.append(rule)
        return lines

    def wrapped(self, words: str, width: int | None = None) -> list[str]:
        return [line.replace("\u00a0", " ") for line in wrap(unbroken(self.plain(words)), columns, width or self.width)]

    def fitted(
        self, widths: list[int], floor: list[int], numeric: list[bool]
    ) -> tuple[list[int], int, list[list[int]]]:
        """Return the column widths, the gap between columns, and the columns in each part of the table.

        If the table is too wide, the gaps and the widest columns of names are reduced. If it is then still too wide,
        the table is split into parts below each other, each of which repeats the first columns with the names.
        """
        n = len(widths)
        gap = 2 if sum(widths) + 2 * (n - 1) <= self.width else 1
        if sum(floor) + gap * (n - 1) <= self.width or n == 1:
            return _narrowed(widths, floor, self.width - gap * (n - 1)), gap, [list(range(n))]
        keys = max(numeric.index(True) if True in numeric else 1, 1)
        widest = max(floor[keys:], default=0)
        names = _narrowed(widths[:keys], floor[:keys], self.width - keys * 2 - widest)
        room = self.width - sum(names) - 2 * (keys - 1)
        others = [max(min(width, room - 2), own) for width, own in zip(widths[keys:], floor[keys:], strict=True)]
        parts: list[list[int]] = []
        left = 0
        for j, width in enumerate(others, start=keys):
            if not parts or width + 2 > left:
                parts.append(list(range(keys)))
                left = room
            parts[-1].append(j)
            left -= width + 2
        return [*names, *others], 2, parts or [list(range(n))]

    def sentences(self, sentences: Sentences) -> str:
        return "".join(citation(item.keys) if isinstance(item, Cite) else item for item in sentences)

    def plain(self, words: str) -> str:
        if not self.ascii_only or words.isascii():
            return words
        spelled = unicodedata.normalize("NFKD", "".join(_ASCII.get(c, c) for c in words))
        return "".join(c if c.isascii() else "?" for c in spelled if not unicodedata.combining(c))


def _shortest(column: Column) -> int:
    """Return the minimum width of a column in characters, which depends on the type of text in the column."""
    return _SHORTEST_WHOLE if column.whole else _SHORTEST_PROSE if column.prose else _SHORTEST_NAME


def _column(table: Table, j: int) -> list[str]:
    """Return the cells of a column, with marks for the best and second-best values of a row."""
    cells = [row[j] for row in table.rows]
    if not (table.best or table.second) or not table.columns[j].numeric:
        return cells
    marks = ("*" if (i, j) in table.best else "+" if (i, j) in table.second else " " for i in range(len(cells)))
    return [cell + mark for cell, mark in zip(cells, marks, strict=True)]


def _narrowed(widths: list[int], floor: list[int], room: int) -> list[int]:
    """Reduce the widest columns until the table fits into the available width or all have their minimum width."""
    widths = list(widths)
    while sum(widths) > room and widths != floor:
        widest = max((j for j in range(len(widths)) if widths[j] > floor[j]), key=lambda j: widths[j])
        widths[widest] -= 1
    return widths
