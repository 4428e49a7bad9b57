"""How much room do names around a matrix have, and which of them can be read?"""

from __future__ import annotations

__all__ = ["CELL_TEXT", "MOST_WRITTEN", "PAGE", "Around", "Place", "fitted", "natural"]

import math
from typing import TYPE_CHECKING, NamedTuple

from evalstats._checks import InvalidValueError
from evalstats.plot.style import POINTS_PER_INCH, SMALLEST_FONT, axes_to_draw_on, points_of
from evalstats.wording import Measure, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

# a matrix of more rows or columns has no texts in its cells
MOST_WRITTEN = 30
# a new figure is no larger than this, in inches: A4 or letter, across, within its margins
PAGE = (10.5, 7.75)
# in font sizes
_LONGEST_NAME, _SHORTEST_NAME, _LONGEST_ON_PAGE = 20.0, 5.0, 14.0
# a cell is at least so large in a new figure, in font sizes; its text is smaller than the names by this factor
_CELL_WIDTH, _CELL_HEIGHT, CELL_TEXT = 2.6, 2.0, 0.85
# sentences under the matrix have so much room
_NARROWEST = 21.0
# names stand side by side in a new figure as long as it is no wider than this, in font sizes; height of a line of text
_NARROW, _LINE_HEIGHT = 30.0, 1.2
# of many names so many are left out that the others have this font in points
_READABLE = 5.0
_NUMBERS = ("", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class Around(NamedTuple):
    """Room that is needed at the right for texts and for the key, and below for sentences, in font sizes."""

    beside: float
    key: float
    below: float
    n_keys: int


class Place(NamedTuple):
    """The names as short as they must be, their fonts in points, and the width of the matrix in font sizes.

    Of the rows and columns every `row_step`-th and `column_step`-th has its name written. `is_natural` says whether the
    figure has the size that the names ask for.
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

    @property
    def sentences(self) -> tuple[str, ...]:
        """What a reader must know about names that are not written."""
        step = max(self.row_step, self.column_step)
        if step == 1:
            return ()
        return (f"Of many classifiers every {_NUMBERS[step] if step < len(_NUMBERS) else f'{step}th'} is named.",)


def natural(
    names: tuple[Sequence[str], Sequence[str]],
    widest: float,
    size: float,
    measure: Measure,
    around: Around,
    *,
    has_texts: bool,
) -> tuple[Axes, Place]:
    """Make a figure in which everything has room, or one that fills a page."""
    rows, columns = (shorten(some, measure, _LONGEST_NAME) for some in names)
    cell, height = _LINE_HEIGHT, _LINE_HEIGHT
    longest = max(map(measure, columns), default=0) + 0.8
    if has_texts:
        cell, height = max(_CELL_WIDTH, CELL_TEXT * (widest + 1.2)), _CELL_HEIGHT
        if len(columns) * longest < max(len(columns) * cell, _NARROW):
            cell = max(cell, longest)
    upright = longest > cell
    width = max(len(columns) * cell, _NARROWEST - around.beside - around.key)
    wide = max(max(map(measure, rows)) + 1.5 + width + around.beside + around.key, 26.0)
    tall = len(rows) * height + (longest if upright else 2.0) + around.below
    tall = max(tall, 1.6 * (around.n_keys + 1) + 5.0 if around.n_keys else 0)
    inches = wide * size / POINTS_PER_INCH, tall * size / POINTS_PER_INCH
    if inches[0] <= PAGE[0] and inches[1] <= PAGE[1]:
        return axes_to_draw_on(None, *inches), Place(rows, columns, size, size, upright, width, 1, 1, True)
    ax = axes_to_draw_on(None, min(inches[0], PAGE[0]), min(inches[1], PAGE[1]))
    return ax, fitted(ax, names, size, measure, longest=_LONGEST_ON_PAGE)


def fitted(
    ax: Axes,
    names: tuple[Sequence[str], Sequence[str]],
    size: float,
    measure: Measure,
    *,
    longest: float = _LONGEST_NAME,
) -> Place:
    """Make names shorter and smaller, and of many leave some out, until they fit beside the cells of the axes."""
    ax = axes_to_draw_on(ax, 1, 1)
    width, height = points_of(ax)
    limit = min(longest, max(_SHORTEST_NAME, 0.35 * min(width, height) / size))
    rows, columns = (shorten(some, measure, limit) for some in names)
    wide, high = width / max(len(columns), 1), height / len(rows)
    upright = (max(map(measure, columns), default=0) + 0.6) * size > wide
    row_step, column_step = (
        max(1, math.ceil(_READABLE * _LINE_HEIGHT / room)) if max(len(rows), len(columns)) > MOST_WRITTEN else 1
        for room in (high, wide)
    )
    row_font = min(size, row_step * high / _LINE_HEIGHT)
    column_font = min(size, column_step * wide / _LINE_HEIGHT) if upright else size
    if min(row_font, column_font) < SMALLEST_FONT:
        inches = f"{width / POINTS_PER_INCH:.1f} x {height / POINTS_PER_INCH:.1f} inches"
        raise InvalidValueError(
            f"ax must have room for {len(rows)} rows and {len(columns)} columns, but it is {inches}; "
            "enlarge it, or leave ax out and the figure gets the size it needs"
        )
    return Place(rows, columns, row_font, column_font, upright, width / size, row_step, column_step, False)
