"""Scatter plot of the scores of two classifiers."""

from __future__ import annotations

__all__ = ["scatter"]

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences
from evalstats._types import BoolArray, FloatArray
from evalstats.comparison.record import Comparison
from evalstats.plot import style
from evalstats.plot.row_layout import table_of
from evalstats.tables.score_table import ScoreTable, complete_scores
from evalstats.wording import LONGEST_NAME, Measure, metric_name, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# width and height of a new figure, and lengths of names, in font sizes
_WIDTH, _HEIGHT, _SHORTEST_NAME = 36.0, 39.0, 5.0
_MARGIN = 0.04
_Box = tuple[float, float, float, float]


def scatter(
    data: ScoreTable | Comparison,
    first: str,
    second: str,
    ax: Axes | None = None,
    *,
    n_labels: int = 0,
    title: str | None = None,
    legend: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the scores of two classifiers against each other, one point per dataset, with the diagonal.

    On each side of the diagonal are the datasets on which one of the classifiers is better. The distance from the
    diagonal shows the difference in score. The legend states the number of datasets on each side.

    Parameters
    ----------
    data : ScoreTable or Comparison
        The scores.
    first, second : str
        Names of the classifiers. `first` is on the horizontal axis.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    n_labels : int, default: 0
        Maximum number of named datasets, which have the largest differences. A name without a free position is left
        out.
    title : str, optional
        Title above the plot.
    legend : bool, default: True
        Whether to write above the plot the number of datasets on which each classifier is better.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `data` contains no scores.
    InvalidValueError
        If `data` does not contain one of the classifiers, both names are the same, or scores are missing.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.scatter(evalstats.example_table("demsar-2006"), "C4.5", "C4.5+m")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['C4.5+m is better: 10', 'C4.5 is better: 2', 'equal: 2']
    """
    table = table_of(data)
    x, y = _column(table, first, "first"), _column(table, second, "second")
    if first == second:
        raise InvalidValueError(f"first and second must be two classifiers, not both {short(first)}")
    n_labels = _checks.count(n_labels, "n_labels", minimum=0)
    size, measure = style.font_size_of(font_size, title, key=legend), style.measure_of_font()
    given = data.tie_tolerance if isinstance(data, Comparison) else DEFAULT_TIE_TOLERANCE
    d = differences(x, y, _checks.tolerance(given, table))

    ax = style.axes_to_draw_on(ax, _WIDTH * size / style.POINTS_PER_INCH, _HEIGHT * size / style.POINTS_PER_INCH)
    limit = max(min(2 * LONGEST_NAME, 0.6 * min(style.points_of(ax)) / size), _SHORTEST_NAME)
    names = shorten((first, second), measure, limit)
    low, high = _limits(x, y)
    ax.plot([low, high], [low, high], color=style.ink(0.5), linewidth=1, zorder=1, label="_equal")
    _points(ax, x, y, d if table.greater_is_better else -d, names, size)
    ax.set(xlim=(low, high), ylim=(low, high), aspect="equal", adjustable="box")
    unit = f" ({table.unit})" if table.unit else ""
    style.name_quantity(ax, "x", f"{metric_name(table.metric)} of {names[0]}{unit}", size)
    style.name_quantity(ax, "y", f"{metric_name(table.metric)} of {names[1]}{unit}", size)
    ax.tick_params(labelsize=0.9 * size)
    ax.spines[["top", "right"]].set_visible(False)
    if legend:
        _count(ax, size)
    style.write_title(ax, title, size, above=(5.5 if legend else 0.6))
    if n_labels:
        _label(ax, x, y, d, table.datasets, n_labels, size, measure)
    return ax


def _column(table: ScoreTable, name: Any, argument: str) -> FloatArray:
    if not _checks.is_among(name, table.classifiers):
        known = ", ".join(map(repr, table.classifiers))
        raise InvalidValueError(f"{argument} must be one of {known}, not {short(name)}")
    return np.asarray(complete_scores(table, "scatter")[:, table.classifiers.index(name)])


def _limits(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    low, high = float(min(x.min(), y.min())), float(max(x.max(), y.max()))
    margin = _MARGIN * (high - low) or abs(low) * 0.05 or 1.0
    return low - margin, high + margin


def _points(ax: Axes, x: FloatArray, y: FloatArray, lead: FloatArray, names: list[str], size: float) -> None:
    """Plot one point per dataset. `lead` is positive if the first classifier is better."""
    looks: tuple[tuple[BoolArray, str, dict[str, Any]], ...] = (
        (lead < 0, f"{names[1]} is better", {"marker": "o", "color": style.BLUE}),
        (lead > 0, f"{names[0]} is better", {"marker": "s", "color": style.RED}),
        (lead == 0, "equal", {"marker": "x", "color": style.ink()}),
    )
    for at, words, look in looks:
        label = f"{words}: {int(at.sum())}"
        ax.plot(x[at], y[at], linestyle="", markersize=0.6 * size, alpha=0.8, label=label, **look)


def _count(ax: Axes, size: float) -> None:
    legend = ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0.2,
        borderpad=0.2,
        frameon=False,
        fontsize=0.9 * size,
        handletextpad=0.2,
    )
    style.clear(legend.get_texts())


def _label(
    ax: Axes,
    x: FloatArray,
    y: FloatArray,
    d: FloatArray,
    datasets: tuple[str, ...],
    n_labels: int,
    size: float,
    measure: Measure,
) -> None:
    """Label the datasets farthest from the diagonal, if the label is inside the axes and overlaps no other element."""
    width, height = style.points_of(ax)
    farthest = [i for i in np.argsort(-np.abs(d), kind="stable").tolist() if d[i] != 0][:n_labels]
    font = 0.8 * size
    names = shorten([datasets[i] for i in farthest], measure, LONGEST_NAME)
    low, high = ax.get_xlim()
    points = [tuple(((np.array(at) - low) / (high - low) * (width, height)).tolist()) for at in zip(x, y, strict=True)]
    half = 0.3 * size
    taken: list[_Box] = [(right - half, up - half, right + half, up + half) for right, up in points]
    for i, name in zip(farthest, names, strict=True):
        for shift, side, box in _places(points[i], measure(name) * font, font, away=1 if d[i] > 0 else -1):
            inside = box[0] >= 0 and box[2] <= width and box[1] >= 0 and box[3] <= height
            if inside and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                ax.annotate(
                    name,
                    (x[i], y[i]),
                    shift,
                    textcoords="offset points",
                    fontsize=font,
                    horizontalalignment=side,
                    verticalalignment="center_baseline",
                    **style.as_written(),
                )
                break


def _places(
    at: tuple[float, float], width: float, font: float, *, away: int
) -> Iterator[tuple[tuple[float, float], str, _Box]]:
    """Yield the possible positions of a label: the offset from its point, the side, and the box in points."""
    gap = 0.8 * font
    for side in (away, -away):
        for up in (0.0, -0.9 * away, 0.9 * away, -1.8 * away, 1.8 * away):
            left = gap if side > 0 else -gap - width
            middle = up * font
            yield (
                (gap * side, middle),
                "left" if side > 0 else "right",
                (at[0] + left, at[1] + middle - 0.6 * font, at[0] + left + width, at[1] + middle + 0.6 * font),
            )


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
