"""Matrix of classifiers: shaded cells with texts, names around the cells, and a legend."""

from __future__ import annotations

__all__ = ["EMPTY", "UNKNOWN", "Matrix", "PairCells", "cells_of_pairs", "draw_matrix", "whole_percent"]

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._result import Record
from evalstats._types import BoolArray, IntArray
from evalstats.comparison.record import Comparison
from evalstats.plot import style
from evalstats.wording import LONGEST_NAME, Measure, shorten, wrap_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.text import Annotation


# codes instead of the number of a shade: an empty cell, and a cell without a value
EMPTY, UNKNOWN = -1, -2
# from this shade on (0 to 1), the text is white
_DARK = 0.5
_LINE, _EMPTY = "0.7", "0.93"
_UNKNOWN: dict[str, Any] = {"facecolor": "white", "hatch": "////", "edgecolor": _LINE, "linewidth": 0.6}
# texts at the right of the rows that are wider than this, in font sizes, are left out if there are many rows
_WIDEST_BESIDE = 12.0
# a matrix with more rows or columns has no texts in its cells
MOST_WRITTEN = 30
# in font sizes
_SHORTEST_NAME = 5.0
# minimum size of a cell in a new figure, in font sizes; its text is smaller than the names by this factor
_CELL_WIDTH, _CELL_HEIGHT, CELL_TEXT = 2.6, 2.0, 0.85
# height of a line of text in a cell
_CELL_LINE = 1.25
# width of the sentences below the matrix
_NARROWEST = 21.0
# maximum width of the cells of a new figure with horizontal names, in font sizes
_NARROW = 30.0
# width and height of an entry of a key above the cells beyond its text, in font sizes
_KEY_WIDTH, _KEY_HEIGHT = 4.0, 1.6
_TOO_SMALL = "The cells are too small for their values."


@dataclass(frozen=True, kw_only=True, eq=False)
class Matrix(Record):
    """A matrix as data.

    Attributes
    ----------
    rows, columns : tuple of str
        Names around the cells.
    steps : ndarray of int, shape (n_rows, n_columns)
        The shade of each cell, counted from 0. EMPTY is for cells without a comparison, such as the
        diagonal. UNKNOWN is for cells without a value, which are hatched.
    write : callable
        Function that returns the text of a cell from its row and its column. The function is called only if cells have
        texts.
    bold : ndarray of bool of the same shape, or None
        Whether the text of each cell is bold, or None if no text is bold.
    beside : tuple of str
        Texts at the right of the rows, with `beside_head` above them. The texts are empty if there are none.
    beside_sentence : str
        Explanation of the texts at the right, below the matrix.
    shades : tuple of str
        Colors of the steps.
    key : tuple of str
        Meaning of each shade.
    unknown : str
        Meaning of a hatched cell.
    sentences : tuple of str
        Sentences below the matrix.
    n_lines : int
        Number of lines of text in a cell.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    steps: IntArray
    write: Callable[[int, int], str]
    bold: BoolArray | None = None
    beside: tuple[str, ...] = ()
    beside_head: str = ""
    beside_sentence: str = ""
    shades: tuple[str, ...]
    key: tuple[str, ...]
    unknown: str
    sentences: tuple[str, ...]
    n_lines: int = 1

    @property
    def has_texts(self) -> bool:
        """Whether the cells have texts, which depends on the number of rows and columns."""
        return max(len(self.rows), len(self.columns)) <= MOST_WRITTEN


def draw_matrix(
    matrix: Matrix, ax: Axes | None, *, title: str | None, legend: bool, font_size: float | None, below: bool
) -> Axes:
    """Plot the matrix; `legend` and `below` state whether to plot the legend of the shades and the sentences."""
    size, measure = style.font_size_of(font_size, title, caption=below, key=legend), style.measure_of_font()
    texts = _texts(matrix)
    widest = max(
        (measure(line) * (1.13 if bold else 1) for text, bold in texts.values() for line in text.split("\n")),
        default=0.0,
    )
    beside = _beside(matrix, measure)
    widest_key = max(map(measure, (*matrix.key, matrix.unknown))) * CELL_TEXT if legend else 0.0
    around = Around(beside, widest_key, 7.0 if below else 2.0, len(matrix.key) if legend else 0)
    names, is_new = (matrix.rows, matrix.columns), ax is None
    ax, place = (
        natural(names, widest, size, measure, around, n_lines=matrix.n_lines if matrix.has_texts else 0)
        if ax is None
        else (ax, fitted(ax, names, size, measure))
    )
    _shade(ax, matrix)
    ax.spines[:].set(visible=not matrix.has_texts, color=_LINE, linewidth=0.6)  # for many cells, no edges
    above = around.rows_of_key(place.key_columns) * _KEY_HEIGHT * CELL_TEXT
    style.write_title(ax, title, size, above=above + (2.2 if matrix.beside_head else 0.8))
    of_names = CELL_TEXT * size if is_new and not place.is_natural else size
    if legend:
        _explain(ax, matrix, size, beside * place.row_font, place.key_columns)
    _name(ax, place)
    written = _write_beside(ax, matrix, place) if beside else []
    if below:
        sentences = (*matrix.sentences, *([matrix.beside_sentence] if beside else []))
        right = beside + (0 if place.key_columns else around.key)
        width = place.width + right if place.is_natural else style.points_of(ax)[0] / size
        style.caption(ax, sentences, size=size, width=width)
    if not place.is_natural:  # the surrounding elements have reduced the axes
        place = fitted(ax, names, of_names, measure, key_columns=place.key_columns)
        _name(ax, place)
        for text in written:
            text.remove()
        if beside:
            _write_beside(ax, matrix, place)
        if below and place.sentences:
            style.add_to_caption(ax, " ".join(place.sentences))
    if not _write_cells(ax, matrix, texts, size, widest) and below:
        style.add_to_caption(ax, _TOO_SMALL)
    if not place.is_natural:  # the sentences have reduced the axes again
        _name(ax, fitted(ax, names, of_names, measure, key_columns=place.key_columns))
        if below:
            style.fit_caption(ax, size)
    return ax


def _beside(matrix: Matrix, measure: Measure) -> float:
    """Return the width of the texts at the right of the rows, or 0 if there are no texts."""
    widest = max(map(measure, (*matrix.beside, matrix.beside_head)), default=0.0)
    if not widest or (not matrix.has_texts and widest > _WIDEST_BESIDE):
        return 0.0
    return widest + 1.2


def _texts(matrix: Matrix) -> dict[tuple[int, int], tuple[str, bool]]:
    """Return the text of each cell and whether the text is bold."""
    if not matrix.has_texts:
        return {}
    bold = np.zeros(matrix.steps.shape, dtype=bool) if matrix.bold is None else matrix.bold
    return {(i, j): (matrix.write(i, j), bool(bold[i, j])) for i, j in np.argwhere(matrix.steps >= 0).tolist()}


def _name(ax: Axes, place: Place) -> None:
    style.name_axis(ax, "y", place.rows, size=place.row_font, step=place.row_step)
    style.name_axis(ax, "x", place.columns, size=place.column_font, step=place.column_step, upright=place.upright)


def _shade(ax: Axes, matrix: Matrix) -> None:
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgb

    n_rows, n_columns = matrix.steps.shape
    palette = np.array([*map(to_rgb, matrix.shades), to_rgb("white"), to_rgb(_EMPTY)])  # -2 and -1 count from the end
    colors = palette[matrix.steps]
    if matrix.has_texts:
        edges = np.arange(n_columns + 1) - 0.5, np.arange(n_rows + 1) - 0.5
        ax.pcolormesh(*edges, colors, edgecolor=_LINE, linewidth=0.6, clip_on=False, antialiased=True)
    else:
        ax.imshow(colors, aspect="auto", interpolation="none")
    if (unknown := np.argwhere(matrix.steps == UNKNOWN)).size:
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        ax.add_collection(PolyCollection(unknown[:, None, ::-1] + corners, label="_unknown", **_UNKNOWN))
    ax.set_xlim(-0.5, n_columns - 0.5)
    ax.set_ylim(n_rows - 0.5, -0.5)


def _write_beside(ax: Axes, matrix: Matrix, place: Place) -> list[Annotation]:
    """Write the texts at the right of the rows, and return them."""
    right, size = len(matrix.columns) - 0.5, place.row_font
    heads = [(-0.5, matrix.beside_head, 0.5)] if matrix.beside_head else []
    texts = [(row, text, 0.0) for row, text in enumerate(matrix.beside) if row % place.row_step == 0]
    return [
        ax.annotate(
            text,
            (right, y),
            (0.6 * size, lift * size),
            textcoords="offset points",
            fontsize=size,
            color=style.ink(0.65) if lift else style.ink(),
            verticalalignment="bottom" if lift else "center_baseline",
            annotation_clip=False,
            **style.as_written(),
        )
        for y, text, lift in [*texts, *heads]
    ]


def _explain(ax: Axes, matrix: Matrix, size: float, beside: float, n_columns: int) -> None:
    """Plot the legend above the cells in the given number of columns, or at the right if the number is 0.

    At the right, the legend follows the texts of the rows, whose width is given in points.
    """
    from matplotlib.patches import Patch
    from matplotlib.transforms import ScaledTranslation

    handles = [
        Patch(facecolor=shade, label=text, edgecolor=_LINE, linewidth=0.6)
        for shade, text in zip(matrix.shades, matrix.key, strict=True)
    ]
    if (matrix.steps == UNKNOWN).any():
        handles.append(Patch(label=matrix.unknown, **_UNKNOWN))
    shift = ScaledTranslation(beside / style.POINTS_PER_INCH, 0, ax.figure.figure.dpi_scale_trans)
    where: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1, 1), "bbox_transform": ax.transAxes + shift}
    if n_columns:
        where = {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": n_columns, "columnspacing": 1.0}
    legend = ax.legend(
        handles=handles,
        **where,
        borderaxespad=0,
        borderpad=0.3,
        frameon=False,
        fontsize=CELL_TEXT * size,
        handlelength=1.4,
        handleheight=1.2,
    )
    style.clear(legend.get_texts())


def _write_cells(
    ax: Axes, matrix: Matrix, texts: dict[tuple[int, int], tuple[str, bool]], size: float, widest: float
) -> bool:
    """Write the texts of the cells at the largest readable font size that fits all cells; return False if none fits."""
    if not texts:
        return matrix.steps.size <= 1
    width, height = style.points_of(ax)
    room = width / len(matrix.columns) / (widest + 0.5), height / len(matrix.rows) / (_CELL_LINE * matrix.n_lines)
    font = min(CELL_TEXT * size, *room)
    if font < min(style.READABLE_FONT, CELL_TEXT * size):
        return False
    look = style.as_written()
    for (row, column), (text, bold) in texts.items():
        ax.text(
            column,
            row,
            text,
            fontsize=font,
            fontweight="bold" if bold else "normal",
            color="white" if _luminance(matrix.shades[matrix.steps[row, column]]) < _DARK else "black",
            horizontalalignment="center",
            verticalalignment="center_baseline" if matrix.n_lines == 1 else "center",
            in_layout=False,
            **look,
        )
    return True


def _luminance(color: str) -> float:
    from matplotlib.colors import to_rgb

    return float(np.dot(to_rgb(color), (0.299, 0.587, 0.114)))


def whole_percent(probability: float, *, never: str = "·") -> str:
    """Format a probability in whole percent, with 0 and 100 only for exact values; by default, an exact 0 is a dot."""
    if math.isnan(probability):
        return "none"
    if probability == 0:
        return never
    return "<1" if probability < 0.01 else ">99" if 0.99 < probability < 1 else f"{100 * probability:.0f}"


class PairCells(NamedTuple):
    """Names around the matrix of a comparison, best first, and the cells of the matrix, which are initially unknown."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    steps: IntArray
    row_of: dict[str, int]
    column_of: dict[str, int]

    def of(self, first: str, second: str) -> Iterator[tuple[tuple[int, int], bool]]:
        """Yield the cells of a pair, and whether `first` is the classifier of the row."""
        for row, column in ((first, second), (second, first)):
            if row in self.row_of and column in self.column_of:
                yield (self.row_of[row], self.column_of[column]), row == first


def cells_of_pairs(comparison: Any) -> PairCells:
    """Return the cells of all pairs of a comparison; with a control, the matrix has one row."""
    if not isinstance(comparison, Comparison):
        raise InvalidTypeError(f"comparison must be a result of compare, not {type(comparison).__name__}")
    control, columns = comparison.control, comparison.ranking
    rows = columns if control is None else (control,)
    if control is not None:
        columns = tuple(name for name in columns if name != control)
    steps = np.full((len(rows), len(columns)), UNKNOWN, dtype=np.intp)
    if control is None:
        np.fill_diagonal(steps, EMPTY)
    row_of, column_of = ({name: place for place, name in enumerate(names)} for names in (rows, columns))
    return PairCells(rows, columns, steps, row_of, column_of)


class Around(NamedTuple):
    """Space in font sizes: at the right for texts and for a label of the legend, and below for sentences."""

    beside: float
    key: float
    below: float
    n_keys: int

    def rows_of_key(self, n_columns: int) -> int:
        """Return the number of rows of a legend above the cells, with space for a hatched cell."""
        return math.ceil((self.n_keys + 1) / n_columns) if self.n_keys and n_columns else 0


class Place(NamedTuple):
    """Names, font sizes in points, the width of the matrix in font sizes, and the columns of the legend above it.

    Every `row_step`-th row and `column_step`-th column has its name. `is_natural` states whether the names determine
    the size of the figure. With 0 columns, the legend is at the right.
    """

    rows: list[str]
    columns: list[str]
    row_font: float
    column_font: float
    upright: bool
    width: float
    row_step: int
    column_step: int
    is_natural: bool
    key_columns: int

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences that state which names are omitted."""
        steps = {"row": self.row_step, "column": self.column_step}
        return tuple(style.nth_named(step, what) for what, step in steps.items() if step > 1)


def natural(
    names: tuple[Sequence[str], Sequence[str]],
    widest: float,
    size: float,
    measure: Measure,
    around: Around,
    *,
    n_lines: int,
) -> tuple[Axes, Place]:
    """Create a figure with enough space for all elements, or of a full page; with `n_lines` 0, cells have no texts."""
    rows, columns = (wrap_names(some, measure, LONGEST_NAME) for some in names)
    of_row, of_column = (style.LINE_HEIGHT * _most_lines(some) for some in (rows, columns))
    cell, height = of_column, of_row
    longest = max(map(measure, columns), default=0) + 0.8
    if n_lines:
        cell = max(_CELL_WIDTH, CELL_TEXT * (widest + 1.2), of_column + 0.2)
        height = max(_CELL_HEIGHT + CELL_TEXT * _CELL_LINE * (n_lines - 1), of_row + 0.4)
        if len(columns) * longest < max(len(columns) * cell, _NARROW):
            cell = max(cell, longest)
    upright = longest > cell
    key = around.key + 4.5 if around.n_keys else 0.0
    width = max(len(columns) * cell, _NARROWEST - around.beside - key)
    unit, page = size / style.POINTS_PER_INCH, style.page_width(size)
    left = max(map(measure, rows), default=0) + 1.5
    wide = max(left + width + around.beside + key, 26.0) * unit
    tall = len(rows) * height + (longest if upright else of_column + 0.8) + around.below
    high = max(tall, 1.6 * (around.n_keys + 1) + 5.0 if around.n_keys else 0) * unit
    if wide <= page and high <= style.PAGE_HEIGHT:
        return style.axes_to_draw_on(None, wide, high), Place(rows, columns, size, size, upright, width, 1, 1, True, 0)
    key_columns = 0
    if around.n_keys:
        key_columns = max(1, int((page / unit - left - around.beside) / (around.key + _KEY_WIDTH)))
        tall += around.rows_of_key(key_columns) * _KEY_HEIGHT * CELL_TEXT
        wide = max(wide - key * unit, min(wide, page))
    ax = style.axes_to_draw_on(None, min(wide, page), min(tall * unit, style.PAGE_HEIGHT))
    return ax, fitted(ax, names, CELL_TEXT * size, measure, key_columns=key_columns)


def fitted(
    ax: Axes, names: tuple[Sequence[str], Sequence[str]], size: float, measure: Measure, *, key_columns: int = 0
) -> Place:
    """Wrap or shorten names, reduce the font size, and omit some names until the names fit next to the cells."""
    ax = style.axes_to_draw_on(ax, 1, 1)
    width, height = style.points_of(ax)
    limit = min(LONGEST_NAME, max(_SHORTEST_NAME, 0.35 * min(width, height) / size))
    many = max(map(len, names)) > MOST_WRITTEN
    wide, high = width / max(len(names[1]), 1), height / len(names[0])
    rows, row_font, row_step = _beside_cells(names[0], high, limit, size, measure, many=many)
    columns, column_font, column_step = _beside_cells(names[1], wide, limit, size, measure, many=many)
    level = wrap_names(names[1], measure, wide / size - 0.6) if wide > _SHORTEST_NAME * size else columns
    upright = (max(map(measure, level), default=0) + 0.6) * size > wide or any("…" in name for name in level)
    if not upright:
        columns, column_font, column_step = level, size, 1
    if min(row_font, column_font) < style.SMALLEST_FONT:
        inches = f"{width / style.POINTS_PER_INCH:.1f} x {height / style.POINTS_PER_INCH:.1f} inches"
        raise InvalidValueError(
            f"ax must have space for {len(rows)} rows and {len(columns)} columns, but it is {inches}; "
            "enlarge it, or leave ax out for a larger figure"
        )
    sizes = row_font, column_font, upright, width / size, row_step, column_step
    return Place(rows, columns, *sizes, False, key_columns)


def _beside_cells(
    names: Sequence[str], room: float, limit: float, size: float, measure: Measure, *, many: bool
) -> tuple[list[str], float, int]:
    """Return names in one or two lines that fit the cells, the font size, and the step between named cells."""
    wrapped = wrap_names(names, measure, limit)
    if (font := room / style.LINE_HEIGHT / _most_lines(wrapped)) >= style.READABLE_FONT:
        return wrapped, min(size, font), 1
    step = max(1, math.ceil(style.READABLE_FONT * style.LINE_HEIGHT / room)) if many else 1
    return shorten(names, measure, limit), min(size, step * room / style.LINE_HEIGHT), step


def _most_lines(names: Sequence[str]) -> int:
    return 1 + max((name.count("\n") for name in names), default=0)
