"""Critical-difference diagrams in a terminal."""

from __future__ import annotations

__all__ = ["draw"]

from collections import defaultdict

from evalstats.cd_layout import Diagram, Label
from evalstats.report.text_width import columns, pad
from evalstats.wording import plain_number, shorten

# lines from a cell to the north, east, south and west: 0 none, 1 light, 2 heavy (bars), 3 double (the interval)
_GLYPHS: dict[tuple[int, ...], str] = {
    (0, 1, 0, 1): "─", (1, 0, 1, 0): "│", (0, 1, 1, 0): "┌", (0, 0, 1, 1): "┐", (1, 1, 0, 0): "└", (1, 0, 0, 1): "┘",
    (1, 1, 1, 0): "├", (1, 0, 1, 1): "┤", (0, 1, 1, 1): "┬", (1, 1, 0, 1): "┴", (1, 1, 1, 1): "┼",
    (0, 1, 0, 0): "─", (0, 0, 0, 1): "─",
    (0, 2, 0, 2): "━", (1, 2, 1, 0): "┝", (1, 0, 1, 2): "┥", (1, 2, 1, 2): "┿", (0, 2, 0, 0): "╺", (0, 0, 0, 2): "╸",
    (0, 3, 0, 3): "═", (1, 3, 1, 0): "╞", (1, 0, 1, 3): "╡", (1, 3, 1, 3): "╪", (0, 3, 0, 0): "═", (0, 0, 0, 3): "═",
}  # fmt: skip
_SHORTEST_AXIS, _LONGEST_AXIS, _SHORTEST_NAME = 24, 64, 3


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
    if room < _SHORTEST_NAME:
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
