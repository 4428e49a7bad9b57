"""Layout of rows: a name on the left, a plot on a common scale, and a text on the right."""

from __future__ import annotations

__all__ = [
    "ROW",
    "Drawn",
    "axes_of_rows",
    "draw_interval",
    "drawn_classifiers",
    "fill_rows",
    "legend_above",
    "longest_name",
    "plain_scale",
    "table_of",
]

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats.comparison.record import Comparison
from evalstats.multiple.incomplete_blocks import observed_ranks
from evalstats.plot.style import (
    POINTS_PER_INCH,
    SMALLEST_FONT,
    axes_to_draw_on,
    clear,
    ink,
    name_axis,
    points_of,
)
from evalstats.tables.score_table import ScoreTable
from evalstats.wording import Measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# in font sizes: lengths of names, length of the scale, height of a row
_LONGEST_NAME, _SHORTEST_NAME, _SCALE, ROW = 16.0, 5.0, 24.0, 1.7
_AROUND, _LINE_HEIGHT, _TEXT = 9.0, 1.2, 0.9
# with more rows, names are left out until the others have this font size in points
_FEW, _READABLE = 30, 5.0


def longest_name(ax: Axes | None, size: float, *, longest: float = _LONGEST_NAME, share: float = 0.25) -> float:
    """Return the maximum length of a name, in font sizes: a fraction of given axes, or a default for new axes."""
    if ax is None:
        return longest
    width = points_of(axes_to_draw_on(ax, 0, 0))[0] / size
    return max(_SHORTEST_NAME, min(longest, share * width))


def axes_of_rows(
    ax: Axes | None,
    labels: Sequence[str],
    texts: Sequence[str],
    size: float,
    measure: Measure,
    *,
    row: float = ROW,
    above: float = 0.0,
) -> Axes:
    """Return the given axes, or new axes with space for all rows, their texts, and a number of lines above."""
    if ax is not None:
        return ax
    beside = max(map(measure, texts), default=-1.0) + 1
    unit = size / POINTS_PER_INCH
    wide = max(map(measure, labels)) + _SCALE + beside + 2
    return axes_to_draw_on(None, wide * unit, (len(labels) * row + above + _AROUND) * unit)


def draw_interval(
    ax: Axes,
    place: int,
    values: tuple[float, float, float],
    limits: tuple[float, float],
    size: float,
    *,
    colour: Any,
    is_full: bool,
) -> None:
    """Plot an estimate as a dot, full or empty, and its limits as a line within the scale."""
    estimate, low, high = values
    if not math.isnan(low + high):
        ends = np.clip([low, high], *limits)
        ax.plot(ends, [place, place], color=colour, linewidth=0.16 * size, solid_capstyle="butt", label="_interval")
    ax.plot(
        [estimate],
        [place],
        marker="o",
        markersize=0.6 * size,
        color=colour,
        markerfacecolor=colour if is_full else ink(0),
        label="_estimate",
    )


def plain_scale(ax: Axes, n_rows: int, size: float, title: str | None) -> None:
    """Order rows downwards from 0, with only the scale below and the title around them."""
    ax.set_ylim(n_rows - 0.4, -0.6)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="x", labelsize=_TEXT * size)
    if title:
        clear([ax.set_title(title, fontsize=1.2 * size)])


def legend_above(ax: Axes, size: float) -> None:
    """Explain the colors of stacked bars in one line above the axes."""
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=3,
        borderaxespad=0.2,
        borderpad=0,
        columnspacing=1.0,
        frameon=False,
        fontsize=0.9 * size,
        handlelength=1.0,
    )


def fill_rows(
    ax: Axes,
    labels: Sequence[str],
    texts: Sequence[str],
    size: float,
    what: str,
    *,
    otherwise: str = "",
    thin: bool = False,
) -> None:
    """Write the names and texts of all rows, at the largest font size that fits; raise an error if none fits.

    With `thin`, names are left out until the others are readable. All other elements must be in place before, because
    they reduce the size of the axes.
    """
    room = points_of(ax)[1] / len(labels) / _LINE_HEIGHT
    step = max(1, math.ceil(_READABLE / room)) if thin and len(labels) > _FEW else 1
    font = min(size, step * room)
    if font < SMALLEST_FONT:
        raise InvalidValueError(
            f"ax must have room for {len(labels)} {what}; enlarge it, {otherwise}or leave ax out and "
            "the figure gets the size it needs"
        )
    name_axis(ax, "y", labels, size=font, step=step)
    for place, text in enumerate(texts):
        ax.annotate(
            text,
            (1, place),
            (0.6 * font, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            fontsize=_TEXT * font,
            verticalalignment="center_baseline",
            annotation_clip=False,
            color=ink(),
            parse_math=False,
        )


class Drawn(NamedTuple):
    """The plotted classifiers of a table, best first: names, columns, and the number of all classifiers."""

    names: tuple[str, ...]
    columns: list[int]
    n_classifiers: int

    @property
    def sentences(self) -> tuple[str, ...]:
        """Explanations of omitted classifiers."""
        if len(self.names) == self.n_classifiers:
            return ()
        return (f"Drawn are the best {len(self.names)} of {self.n_classifiers} classifiers, by their mean rank.",)


def table_of(data: Any) -> ScoreTable:
    """Return the scores of a table or of a comparison."""
    if isinstance(data, Comparison):
        return data.table
    if not isinstance(data, ScoreTable):
        raise InvalidTypeError(f"data must be a ScoreTable or a comparison, not {type(data).__name__}")
    return data


def drawn_classifiers(data: Any, max_shown: Any) -> Drawn:
    """Return the best classifiers, in the order of the comparison, or otherwise of the mean ranks."""
    table, n_drawn = table_of(data), _checks.count(max_shown, "max_shown")
    if isinstance(data, ScoreTable):
        ranks = observed_ranks(table.scores, table.greater_is_better, _checks.tolerance(DEFAULT_TIE_TOLERANCE, table))
        columns = np.argsort(np.nanmean(ranks, axis=0), kind="stable").tolist()
    else:
        columns = [table.position(name) for name in data.ranking]
    names = tuple(table.classifiers[i] for i in columns[:n_drawn])
    return Drawn(names, columns[:n_drawn], len(columns))
