"""How does a matrix of classifiers look: shaded cells that hold texts, names around, a key beside?"""

from __future__ import annotations

__all__ = ["Cell", "Matrix", "draw_matrix"]

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._result import Record
from evalstats.plot.style import (
    POINTS_PER_INCH,
    SMALLEST_FONT,
    axes_to_draw_on,
    caption,
    clear,
    font_size_of,
    measure_of_font,
    name_axis,
    points_of,
)
from evalstats.wording import Measure, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# in font sizes
_LONGEST_NAME, _SHORTEST_NAME = 20.0, 5.0
# a cell is at least so large in a new figure, in font sizes; its text is smaller than the names by this factor
_CELL_WIDTH, _CELL_HEIGHT, _CELL_TEXT = 2.6, 2.0, 0.85
# from this shade on, of 0 to 1, text is white
_DARK = 0.5
_LINE, _EMPTY = "0.7", "0.93"
_UNKNOWN: dict[str, Any] = {"facecolor": "white", "hatch": "////", "edgecolor": _LINE, "linewidth": 0.6}
# names stand side by side in a new figure as long as it is no wider than this, in font sizes; height of a line of text
_NARROW, _LINE_HEIGHT = 30.0, 1.2


@dataclass(frozen=True, kw_only=True, eq=False)
class Cell(Record):
    """A shaded cell with a text; `step` counts the shades, `bold` stresses the text."""

    text: str
    step: int
    bold: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Matrix(Record):
    """A matrix as data.

    Attributes
    ----------
    rows, columns : tuple of str
        Names around the cells.
    cells : dict of (int, int) to Cell
        The cells that hold something.
    empty : frozenset of (int, int)
        Cells that are empty by their nature, such as a classifier against itself; what is in neither is hatched.
    beside : tuple of str
        Texts at the right of the rows, and `beside_head` above them; empty: none.
    shades : tuple of str
        Colours of the steps.
    key : tuple of str
        What each shade means.
    unknown : str
        What a hatched cell means.
    sentences : tuple of str
        What stands under the matrix.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[tuple[int, int], Cell]
    empty: frozenset[tuple[int, int]]
    beside: tuple[str, ...]
    beside_head: str
    shades: tuple[str, ...]
    key: tuple[str, ...]
    unknown: str
    sentences: tuple[str, ...]


def draw_matrix(
    matrix: Matrix, ax: Axes | None, *, title: str | None, key: bool, font_size: float | None, below: bool
) -> Axes:
    """Draw the matrix; `key` and `below` say whether to draw the key of the shades and the sentences."""
    size, measure = font_size_of(font_size, title, caption=below, key=key), measure_of_font()
    beside = max(map(measure, (*matrix.beside, matrix.beside_head)), default=0)
    beside += 1.2 if beside else 0
    explained = max(map(measure, (*matrix.key, matrix.unknown))) * _CELL_TEXT + 4.5 if key else 0.0
    around = _Around(beside, explained, 7.0 if below else 2.0)
    is_new = ax is None
    ax, place = _new(matrix, size, measure, around) if ax is None else _given(ax, matrix, size, measure)
    _shade(ax, matrix)
    ax.spines[:].set_visible(False)
    if title:
        clear([ax.set_title(title, fontsize=1.2 * size, pad=(1.9 if matrix.beside_head else 0.8) * size)])
    if key:
        _explain(ax, matrix, size, beside * place.row_font)
    _name(ax, place)
    if not is_new:  # what is around may have made the axes smaller
        ax, place = _given(ax, matrix, size, measure)
        _name(ax, place)
    _write_beside(ax, matrix, place.row_font)
    if below:
        caption(ax, matrix.sentences, size=size, width=place.width + (beside + explained if is_new else 0))
    _write_cells(ax, matrix, size, measure)
    return ax


def _name(ax: Axes, place: _Place) -> None:
    name_axis(ax, "y", place.rows, size=place.row_font)
    name_axis(ax, "x", place.columns, size=place.column_font, upright=place.upright)


class _Around(NamedTuple):
    """Room that is needed at the right for texts and for the key, and below for sentences, in font sizes."""

    beside: float
    key: float
    below: float


class _Place(NamedTuple):
    """The names as short as they must be, their fonts in points, and the width of the matrix in font sizes."""

    rows: list[str]
    columns: list[str]
    row_font: float
    column_font: float
    upright: bool
    width: float


def _new(matrix: Matrix, size: float, measure: Measure, around: _Around) -> tuple[Axes, _Place]:
    """Make a figure in which everything has room."""
    rows, columns = shorten(matrix.rows, measure, _LONGEST_NAME), shorten(matrix.columns, measure, _LONGEST_NAME)
    widest = max((measure(cell.text) for cell in matrix.cells.values()), default=0)
    cell = max(_CELL_WIDTH, _CELL_TEXT * (widest + 1.2))
    longest = max(map(measure, columns), default=0) + 0.8
    if len(columns) * longest < max(len(columns) * cell, _NARROW):
        cell = max(cell, longest)
    upright = longest > cell
    width = max(len(columns) * cell, 1)
    wide = max(max(map(measure, rows)) + 1.5 + width + around.beside + around.key, 26.0)
    tall = len(rows) * _CELL_HEIGHT + (longest if upright else 2.0) + around.below
    tall = max(tall, 1.6 * (len(matrix.key) + 1) + 5.0 if around.key else 0)
    ax = axes_to_draw_on(None, wide * size / POINTS_PER_INCH, tall * size / POINTS_PER_INCH)
    return ax, _Place(rows, columns, size, size, upright, width)


def _given(ax: Axes, matrix: Matrix, size: float, measure: Measure) -> tuple[Axes, _Place]:
    """Make names shorter and smaller until they fit beside the cells of the axes as they are."""
    ax = axes_to_draw_on(ax, 1, 1)
    width, height = points_of(ax)
    limit = min(_LONGEST_NAME, max(_SHORTEST_NAME, 0.35 * min(width, height) / size))
    rows, columns = shorten(matrix.rows, measure, limit), shorten(matrix.columns, measure, limit)
    wide, high = width / max(len(columns), 1), height / len(rows)
    upright = (max(map(measure, columns), default=0) + 0.6) * size > wide
    row_font, column_font = min(size, high / _LINE_HEIGHT), min(size, wide / _LINE_HEIGHT) if upright else size
    if min(row_font, column_font) < SMALLEST_FONT:
        inches = f"{width / POINTS_PER_INCH:.1f} x {height / POINTS_PER_INCH:.1f} inches"
        raise InvalidValueError(
            f"ax must have room for {len(rows)} rows and {len(columns)} columns, but it is {inches}; "
            "enlarge it, or leave ax out and the figure gets the size it needs"
        )
    return ax, _Place(rows, columns, row_font, column_font, upright, width / size)


def _shade(ax: Axes, matrix: Matrix) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    n_rows, n_columns = len(matrix.rows), len(matrix.columns)
    colours = np.ones((n_rows, n_columns, 3))
    for place in matrix.empty:
        colours[place] = to_rgb(_EMPTY)
    for place, cell in matrix.cells.items():
        colours[place] = to_rgb(matrix.shades[cell.step])
    edges = np.arange(n_columns + 1) - 0.5, np.arange(n_rows + 1) - 0.5
    ax.pcolormesh(*edges, colours, edgecolor=_LINE, linewidth=0.6, clip_on=False, antialiased=True)
    for row, column in np.ndindex(n_rows, n_columns):
        if (row, column) not in matrix.cells and (row, column) not in matrix.empty:
            ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, **_UNKNOWN))
    ax.set_xlim(-0.5, n_columns - 0.5)
    ax.set_ylim(n_rows - 0.5, -0.5)


def _write_beside(ax: Axes, matrix: Matrix, size: float) -> None:
    right = len(matrix.columns) - 0.5
    heads = [(-0.5, matrix.beside_head, 0.5)] if matrix.beside_head else []
    for y, text, lift in [*((row, text, 0.0) for row, text in enumerate(matrix.beside)), *heads]:
        ax.annotate(
            text,
            (right, y),
            (0.6 * size, lift * size),
            textcoords="offset points",
            fontsize=size,
            color="0.35" if lift else "black",
            verticalalignment="bottom" if lift else "center_baseline",
            annotation_clip=False,
            parse_math=False,
        )


def _explain(ax: Axes, matrix: Matrix, size: float, beside: float) -> None:
    """Draw the key at the right, beyond what stands beside the rows, whose width is given in points."""
    from matplotlib.patches import Patch
    from matplotlib.transforms import ScaledTranslation

    handles = [
        Patch(facecolor=shade, label=text, edgecolor=_LINE, linewidth=0.6)
        for shade, text in zip(matrix.shades, matrix.key, strict=True)
    ]
    known = len(matrix.cells) + len(matrix.empty)
    if known < len(matrix.rows) * len(matrix.columns):
        handles.append(Patch(label=matrix.unknown, **_UNKNOWN))
    shift = ScaledTranslation(beside / POINTS_PER_INCH, 0, ax.figure.figure.dpi_scale_trans)
    legend = ax.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(1, 1),
        bbox_transform=ax.transAxes + shift,
        borderaxespad=0,
        borderpad=0.3,
        frameon=False,
        fontsize=_CELL_TEXT * size,
        handlelength=1.4,
        handleheight=1.2,
    )
    clear(legend.get_texts())


def _write_cells(ax: Axes, matrix: Matrix, size: float, measure: Measure) -> None:
    """Write into the cells at the largest font that fits into all; at none, colours alone must do."""
    if not matrix.cells:
        return
    width, height = points_of(ax)
    # bold letters are wider
    widest = max(measure(cell.text) * (1.13 if cell.bold else 1) for cell in matrix.cells.values())
    room = width / len(matrix.columns) / (widest + 0.5), height / len(matrix.rows) / 1.25
    font = min(_CELL_TEXT * size, *room)
    if font < SMALLEST_FONT:
        return
    for (row, column), cell in matrix.cells.items():
        ax.text(
            column,
            row,
            cell.text,
            fontsize=font,
            fontweight="bold" if cell.bold else "normal",
            color="white" if _luminance(matrix.shades[cell.step]) < _DARK else "black",
            horizontalalignment="center",
            verticalalignment="center_baseline",
            parse_math=False,
            in_layout=False,
        )


def _luminance(colour: str) -> float:
    from matplotlib.colors import to_rgb

    return float(np.dot(to_rgb(colour), (0.299, 0.587, 0.114)))
