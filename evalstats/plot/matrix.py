"""How does a matrix of classifiers look: shaded cells that hold texts, names around, a key beside?"""

from __future__ import annotations

__all__ = ["EMPTY", "UNKNOWN", "Matrix", "draw_matrix", "whole_percent"]

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats._result import Record
from evalstats._types import BoolArray, IntArray
from evalstats.plot.matrix_layout import CELL_TEXT, MOST_WRITTEN, Around, Place, fitted, natural
from evalstats.plot.style import (
    POINTS_PER_INCH,
    SMALLEST_FONT,
    caption,
    clear,
    font_size_of,
    ink,
    measure_of_font,
    name_axis,
    points_of,
)
from evalstats.wording import Measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# in place of the number of a shade: a cell that is empty by its nature, and one of which nothing is known
EMPTY, UNKNOWN = -1, -2
# from this shade on, of 0 to 1, text is white
_DARK = 0.5
_LINE, _EMPTY = "0.7", "0.93"
_UNKNOWN: dict[str, Any] = {"facecolor": "white", "hatch": "////", "edgecolor": _LINE, "linewidth": 0.6}
# texts beside the rows that are wider than this, in font sizes, are left out where there are many rows
_WIDEST_BESIDE = 12.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Matrix(Record):
    """A matrix as data.

    Attributes
    ----------
    rows, columns : tuple of str
        Names around the cells.
    steps : ndarray of int, shape (n_rows, n_columns)
        The shade of each cell, counted from 0; EMPTY for cells such as that of a classifier against itself; UNKNOWN for
        cells of which nothing is known, which are hatched.
    write : callable
        Returns the text of a cell from its row and its column; asked only for cells whose text is drawn.
    bold : ndarray of bool of the same shape, or None
        Which texts are stressed.
    beside : tuple of str
        Texts at the right of the rows, and `beside_head` above them; empty: none.
    beside_sentence : str
        What the texts beside mean; it stands under the matrix where they are drawn.
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
    steps: IntArray
    write: Callable[[int, int], str]
    bold: BoolArray | None
    beside: tuple[str, ...]
    beside_head: str
    beside_sentence: str
    shades: tuple[str, ...]
    key: tuple[str, ...]
    unknown: str
    sentences: tuple[str, ...]

    @property
    def has_texts(self) -> bool:
        """Whether texts are written into the cells: there are not too many of them to be read."""
        return max(len(self.rows), len(self.columns)) <= MOST_WRITTEN


def draw_matrix(
    matrix: Matrix, ax: Axes | None, *, title: str | None, key: bool, font_size: float | None, below: bool
) -> Axes:
    """Draw the matrix; `key` and `below` say whether to draw the key of the shades and the sentences."""
    size, measure = font_size_of(font_size, title, caption=below, key=key), measure_of_font()
    texts = _texts(matrix)
    widest = max((measure(text) * (1.13 if bold else 1) for text, bold in texts.values()), default=0.0)
    beside = _beside(matrix, measure)
    explained = max(map(measure, (*matrix.key, matrix.unknown))) * CELL_TEXT + 4.5 if key else 0.0
    around = Around(beside, explained, 7.0 if below else 2.0, len(matrix.key) if key else 0)
    names = matrix.rows, matrix.columns
    ax, place = (
        natural(names, widest, size, measure, around, has_texts=matrix.has_texts)
        if ax is None
        else (ax, fitted(ax, names, size, measure))
    )
    _shade(ax, matrix)
    ax.spines[:].set(visible=not matrix.has_texts, color=_LINE, linewidth=0.6)  # of many cells none has an edge
    if title:
        clear([ax.set_title(title, fontsize=1.2 * size, pad=(1.9 if matrix.beside_head else 0.8) * size)])
    if key:
        _explain(ax, matrix, size, beside * place.row_font)
    _name(ax, place)
    if not place.is_natural:  # what is around may have made the axes smaller
        place = fitted(ax, names, size, measure)
        _name(ax, place)
    if beside:
        _write_beside(ax, matrix, place)
    if below:
        sentences = (*matrix.sentences, *([matrix.beside_sentence] if beside else []), *place.sentences)
        caption(ax, sentences, size=size, width=place.width + (beside + explained if place.is_natural else 0))
    _write_cells(ax, matrix, texts, size, widest)
    return ax


def _beside(matrix: Matrix, measure: Measure) -> float:
    """Return the width that the texts beside the rows need; 0 where none are drawn."""
    widest = max(map(measure, (*matrix.beside, matrix.beside_head)), default=0.0)
    if not widest or (not matrix.has_texts and widest > _WIDEST_BESIDE):
        return 0.0
    return widest + 1.2


def _texts(matrix: Matrix) -> dict[tuple[int, int], tuple[str, bool]]:
    """Return the texts to be drawn, and whether they are stressed."""
    if not matrix.has_texts:
        return {}
    bold = np.zeros(matrix.steps.shape, dtype=bool) if matrix.bold is None else matrix.bold
    return {(i, j): (matrix.write(i, j), bool(bold[i, j])) for i, j in np.argwhere(matrix.steps >= 0).tolist()}


def _name(ax: Axes, place: Place) -> None:
    name_axis(ax, "y", place.rows, size=place.row_font, step=place.row_step)
    name_axis(ax, "x", place.columns, size=place.column_font, step=place.column_step, upright=place.upright)


def _shade(ax: Axes, matrix: Matrix) -> None:
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgb

    n_rows, n_columns = matrix.steps.shape
    palette = np.array([*map(to_rgb, matrix.shades), to_rgb("white"), to_rgb(_EMPTY)])  # -2 and -1 count from the end
    colours = palette[matrix.steps]
    if matrix.has_texts:
        edges = np.arange(n_columns + 1) - 0.5, np.arange(n_rows + 1) - 0.5
        ax.pcolormesh(*edges, colours, edgecolor=_LINE, linewidth=0.6, clip_on=False, antialiased=True)
    else:
        ax.imshow(colours, aspect="auto", interpolation="none")
    if (unknown := np.argwhere(matrix.steps == UNKNOWN)).size:
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        ax.add_collection(PolyCollection(unknown[:, None, ::-1] + corners, label="_unknown", **_UNKNOWN))
    ax.set_xlim(-0.5, n_columns - 0.5)
    ax.set_ylim(n_rows - 0.5, -0.5)


def _write_beside(ax: Axes, matrix: Matrix, place: Place) -> None:
    right, size = len(matrix.columns) - 0.5, place.row_font
    heads = [(-0.5, matrix.beside_head, 0.5)] if matrix.beside_head else []
    texts = [(row, text, 0.0) for row, text in enumerate(matrix.beside) if row % place.row_step == 0]
    for y, text, lift in [*texts, *heads]:
        ax.annotate(
            text,
            (right, y),
            (0.6 * size, lift * size),
            textcoords="offset points",
            fontsize=size,
            color=ink(0.65) if lift else ink(),
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
    if (matrix.steps == UNKNOWN).any():
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
        fontsize=CELL_TEXT * size,
        handlelength=1.4,
        handleheight=1.2,
    )
    clear(legend.get_texts())


def _write_cells(
    ax: Axes, matrix: Matrix, texts: dict[tuple[int, int], tuple[str, bool]], size: float, widest: float
) -> None:
    """Write into the cells at the largest font that fits into all; at none, colours alone must do."""
    if not texts:
        return
    width, height = points_of(ax)
    room = width / len(matrix.columns) / (widest + 0.5), height / len(matrix.rows) / 1.25
    font = min(CELL_TEXT * size, *room)
    if font < SMALLEST_FONT:
        return
    for (row, column), (text, bold) in texts.items():
        ax.text(
            column,
            row,
            text,
            fontsize=font,
            fontweight="bold" if bold else "normal",
            color="white" if _luminance(matrix.shades[matrix.steps[row, column]]) < _DARK else "black",
            horizontalalignment="center",
            verticalalignment="center_baseline",
            parse_math=False,
            in_layout=False,
        )


def _luminance(colour: str) -> float:
    from matplotlib.colors import to_rgb

    return float(np.dot(to_rgb(colour), (0.299, 0.587, 0.114)))


def whole_percent(probability: float, *, never: str = "·") -> str:
    """Write whole percents, neither 0 nor 100 where it is not certain; by default a dot where it never happened."""
    if math.isnan(probability):
        return "none"
    if probability == 0:
        return never
    return "<1" if probability < 0.01 else ">99" if 0.99 < probability < 1 else f"{100 * probability:.0f}"
