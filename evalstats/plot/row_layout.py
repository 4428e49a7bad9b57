"""Layout of rows: a name on the left, a plot on a common scale, and text on the right."""

from __future__ import annotations

__all__ = [
    "ROW",
    "Drawn",
    "axes_of_rows",
    "draw_interval",
    "drawn_classifiers",
    "fill_rows",
    "legend_above",
    "pair_names",
    "plain_scale",
    "row_names",
    "table_of",
]

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats.comparison.record import Comparison
from evalstats.multiple.incomplete_blocks import observed_ranks
from evalstats.plot import style
from evalstats.tables.score_table import ScoreTable
from evalstats.wording import LONGEST_NAME, Measure, shorten, wrap_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# in font sizes: width of the shortest name, of a line of a pair, and of the scale; height of a row
_SHORTEST_NAME, _LONGEST_OF_PAIR, _SCALE, ROW = 5.0, 16.0, 24.0, 1.7
_AROUND, _TEXT, _BETWEEN = 9.0, 0.9, 0.3
# width of the names, as a part of given axes
_SHARE = 0.3
# with more rows, names are left out until the others are readable
_FEW = 30
_MINUS = "−"


def row_names(
    names: Sequence[str], ax: Axes | None, size: float, measure: Measure, *, is_dense: bool = False
) -> list[str]:
    """Return the names of rows; long names are broken into two lines if there is space, or otherwise shortened.

    A new figure has space unless it is dense.
    """
    if ax is None:
        return shorten(names, measure, LONGEST_NAME) if is_dense else wrap_names(names, measure, LONGEST_NAME)
    width, height = style.points_of(style.axes_to_draw_on(ax, 0, 0))
    limit = max(_SHORTEST_NAME, _SHARE * width / size)
    if height / len(names) >= 2 * style.LINE_HEIGHT * size:
        return wrap_names(names, measure, min(LONGEST_NAME, limit))
    return shorten(names, measure, min(2 * LONGEST_NAME, limit))


def pair_names(pairs: Sequence[tuple[str, str]], ax: Axes | None, size: float, measure: Measure) -> list[str]:
    """Return the names of pairs as differences, in two lines if the names are long and there is space."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    limit, lines = _LONGEST_OF_PAIR, 2
    if ax is not None:
        width, height = style.points_of(style.axes_to_draw_on(ax, 0, 0))
        lines = 2 if height / len(pairs) >= 2 * style.LINE_HEIGHT * size else 1
        limit = max(_SHORTEST_NAME, min(limit, lines * _SHARE / 2 * width / size))
    brief = dict(zip(names, shorten(names, measure, limit), strict=True))
    labels = [f"{brief[first]} {_MINUS}\n{brief[second]}" for first, second in pairs]
    flat = [label.replace("\n", " ") for label in labels]
    return flat if lines == 1 or max(map(measure, flat)) <= max(limit, LONGEST_NAME) + 2 else labels


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
    """Return the given axes, or new axes with space for all rows, their texts, and some lines of text above."""
    if ax is not None:
        return ax
    beside = max(map(measure, texts), default=-1.0) + 1
    unit = size / style.POINTS_PER_INCH
    wide = min((max(map(measure, labels)) + _SCALE + beside + 2) * unit, style.page_width(size))
    if (lines := _most_lines(labels)) > 1:
        on_page = (style.PAGE_HEIGHT / unit - above - _AROUND) / len(labels)
        readable = lines * style.LINE_HEIGHT * min(1.0, style.READABLE_FONT / size) + 0.04
        row = max(row, min(lines * style.LINE_HEIGHT + _BETWEEN, max(on_page, readable)))
    return style.axes_to_draw_on(None, wide, (len(labels) * row + above + _AROUND) * unit)


def _most_lines(labels: Sequence[str]) -> int:
    return 1 + max(label.count("\n") for label in labels)


def draw_interval(
    ax: Axes,
    place: int,
    values: tuple[float, float, float],
    limits: tuple[float, float],
    size: float,
    *,
    color: Any,
    is_full: bool,
) -> None:
    """Plot an estimate as a filled or empty dot, and its limits as a line within the scale."""
    estimate, low, high = values
    if not math.isnan(low + high):
        ends = np.clip([low, high], *limits)
        ax.plot(ends, [place, place], color=color, linewidth=0.16 * size, solid_capstyle="butt", label="_interval")
    ax.plot(
        [estimate],
        [place],
        marker="o",
        markersize=0.6 * size,
        color=color,
        markerfacecolor=color if is_full else style.ink(0),
        label="_estimate",
    )


def plain_scale(ax: Axes, labels: Sequence[str], size: float, title: str | None) -> None:
    """Order and name rows downwards from 0, and draw only the scale below the rows and the title."""
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="x", labelsize=_TEXT * size)
    style.write_title(ax, title, size)
    style.name_axis(ax, "y", labels, size=size)


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

    With `thin`, names of rows are left out until the remaining names are readable, and the caption states this
    omission. Draw all other elements first, because they reduce the size of the axes.
    """
    room = style.points_of(ax)[1] / len(labels) / style.LINE_HEIGHT / _most_lines(labels)
    step = max(1, math.ceil(style.READABLE_FONT / room)) if thin and len(labels) > _FEW else 1
    if step > 1:
        style.add_to_caption(ax, style.nth_named(step, "row"))
    font = min(size, step * room)
    if font < style.SMALLEST_FONT:
        raise InvalidValueError(
            f"ax must have space for {len(labels)} {what}; enlarge it, {otherwise}or leave ax out to get a figure of "
            "the necessary size"
        )
    style.name_axis(ax, "y", labels, size=font, step=step)
    for place, text in list(enumerate(texts))[::step]:
        ax.annotate(
            text,
            (1, place),
            (0.6 * font, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            fontsize=max(_TEXT * font, min(style.READABLE_FONT, size, room)),
            verticalalignment="center_baseline",
            annotation_clip=False,
            color=style.ink(),
            **style.as_written(),
        )


class Drawn(NamedTuple):
    """The plotted classifiers of a table, best first: names, columns, and the total number of classifiers."""

    names: tuple[str, ...]
    columns: list[int]
    n_classifiers: int

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentence that states which classifiers are omitted."""
        if len(self.names) == self.n_classifiers:
            return ()
        return (f"The plot shows the {len(self.names)} of {self.n_classifiers} classifiers with the best mean ranks.",)


def table_of(data: Any) -> ScoreTable:
    """Return the scores of a table or of a comparison."""
    if isinstance(data, Comparison):
        return data.table
    if not isinstance(data, ScoreTable):
        raise InvalidTypeError(f"data must be a ScoreTable or a comparison, not {type(data).__name__}")
    return data


def drawn_classifiers(data: Any, max_shown: Any) -> Drawn:
    """Return the best classifiers in the order of the comparison, or of the mean ranks if `data` is a table."""
    table, n_drawn = table_of(data), _checks.count(max_shown, "max_shown")
    if isinstance(data, ScoreTable):
        ranks = observed_ranks(table.scores, table.greater_is_better, _checks.tolerance(DEFAULT_TIE_TOLERANCE, table))
        columns = np.argsort(np.nanmean(ranks, axis=0), kind="stable").tolist()
    else:
        columns = [table.position(name) for name in data.ranking]
    names = tuple(table.classifiers[i] for i in columns[:n_drawn])
    return Drawn(names, columns[:n_drawn], len(columns))
