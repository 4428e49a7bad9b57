"""Lists of values with their intervals, and maps of points, in a terminal."""

from __future__ import annotations

__all__ = ["draw_figure"]

import math

import numpy as np

from evalstats.cd_layout import Diagram
from evalstats.report.blocks import Figure
from evalstats.report.formats.text_diagram import draw
from evalstats.report.interval_list import IntervalList, IntervalRow
from evalstats.report.projection_map import MapFold, MapPoint, ProjectionMap
from evalstats.report.text_width import columns, pad
from evalstats.wording import shorten

_SHORTEST_AXIS, _LONGEST_AXIS = 16, 40
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
