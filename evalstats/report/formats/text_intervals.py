"""Lists of values with their intervals in a terminal."""

from __future__ import annotations

__all__ = ["draw_figure"]

import math

from evalstats.report.blocks import Figure
from evalstats.report.formats.text_diagram import draw
from evalstats.report.formats.text_map import draw_map
from evalstats.report.interval_list import IntervalList, IntervalRow
from evalstats.report.projection_map import ProjectionMap
from evalstats.report.text_width import columns, pad
from evalstats.wording import shorten

_SHORTEST_AXIS, _LONGEST_AXIS = 16, 40
# a line, its ends, the line at zero, a full and an empty dot
_LINES = {False: tuple("─├┤│●○"), True: tuple("-||:*o")}


def draw_figure(figure: Figure, *, width: int = 80, ascii_only: bool = False) -> list[str]:
    """Render a figure in characters; no lines if the width is too small."""
    drawn = figure.diagram
    if isinstance(drawn, IntervalList):
        return draw_list(drawn, width=width, ascii_only=ascii_only)
    if isinstance(drawn, ProjectionMap):
        return draw_map(drawn, width=width, ascii_only=ascii_only)
    return draw(drawn, width=width, ascii_only=ascii_only)


def draw_list(drawn: IntervalList, *, width: int = 80, ascii_only: bool = False) -> list[str]:
    """Render the list in characters: a name, an interval with a dot, and the value in digits.

    Parameters
    ----------
    drawn : IntervalList
        What to draw.
    width : int, default: 80
        Columns of the terminal.
    ascii_only : bool, default: False
        Draw with ``-``, ``|``, ``*`` and ``o``.

    Returns
    -------
    list of str
        One line for each value; none if the width is too small for an axis.
    """
    digits = max(columns(row.written) for row in drawn.rows)
    room = width - digits - 4 - _SHORTEST_AXIS
    if room < 6:
        return []
    ellipsis = "~" if ascii_only else "…"
    names = [name.replace("…", ellipsis) for name in shorten([row.name for row in drawn.rows], columns, room)]
    longest = max(map(columns, names))
    axis = min(width - digits - 4 - longest, _LONGEST_AXIS)
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
