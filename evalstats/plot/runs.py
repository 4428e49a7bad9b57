"""Plots of repeated runs: running means and histograms of the scores."""

from __future__ import annotations

__all__ = ["run_histograms", "running_means"]

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._types import FloatArray
from evalstats.plot.style import (
    BLUE,
    KEY_LINE,
    POINTS_PER_INCH,
    RED,
    SMALLEST_FONT,
    axes_to_draw_on,
    clear,
    font_size_of,
    ink,
    key_beside,
    line_style,
    measure_of_font,
    name_axis,
    points_of,
)
from evalstats.wording import Measure, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# in font sizes
_LONGEST_NAME, _SHORTEST_NAME, _AXIS = 22.0, 5.0, 34.0
_ROW = 2.8
# the highest bar of a histogram, as a fraction of the row height
_HIGHEST = 0.85


def running_means(
    runs: ArrayLike,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    metric: str = "score",
    title: str | None = None,
    font_size: float | None = None,
) -> Axes:
    """Plot the mean score over the first 1, 2, 3, ... runs of each classifier.

    If the lines are not yet stable, or cross, fewer runs would have led to another ranking. The legend is in the order
    of the mean over all runs, the highest first.

    Parameters
    ----------
    runs : array_like of shape (n_runs, n_classifiers)
        The score of each run, in the order of the runs.
    names : sequence of str, optional
        Names of the classifiers; by default the columns of a data frame.
    ax : matplotlib Axes, optional
        Axes of the plot; by default a new figure of the size that the names need.
    metric : str, default: 'score'
        Name of the metric, for the axis.
    title : str, optional
        Title above the plot.
    font_size : float, optional
        Size of the text in points; by default matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError
        If `runs` has the wrong shape or holds nan or infinity, or the number of names is not the number of classifiers.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    ICDM, 421-430. Figure 1.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> ax = plot.running_means([[0.8, 0.7], [0.6, 0.8], [0.7, 0.9]], ["NB", "SVM"])
    >>> [line.get_ydata().round(2).tolist() for line in ax.lines]
    [[0.7, 0.75, 0.8], [0.8, 0.7, 0.7]]
    """
    scores, labels = _understood(runs, names)
    size, measure = font_size_of(font_size, title, metric=metric), measure_of_font()
    means = scores.cumsum(axis=0) / np.arange(1, len(scores) + 1)[:, None]

    labels, ax = _fitted(labels, ax, size, measure, rows=max(26.0, KEY_LINE * (len(labels) + 4)))
    number = np.arange(1, len(scores) + 1)
    for place, i in enumerate(np.argsort(-means[-1], kind="stable").tolist()):
        marker = "." if len(scores) == 1 else ""
        ax.plot(number, means[:, i], label=labels[i], linewidth=1.3, marker=marker, **line_style(place))
    ax.set_xlabel("number of runs", fontsize=size)
    ax.set_ylabel(f"mean {metric} so far", fontsize=size, parse_math=False)
    ax.tick_params(axis="y", labelsize=0.9 * size)
    _finish(ax, size, title)
    key_beside(ax, len(labels), size)
    return ax


def run_histograms(
    runs: ArrayLike,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    n_bins: int = 30,
    metric: str = "score",
    title: str | None = None,
    font_size: float | None = None,
) -> Axes:
    """Plot a histogram of the scores of the runs for each classifier, on a common scale.

    A line marks the mean, and a dot marks the median; if they differ, the distribution is skewed. All histograms have
    the same bins, and the highest bars have the same height.

    Parameters
    ----------
    runs : array_like of shape (n_runs, n_classifiers)
        The score of each run.
    names : sequence of str, optional
        Names of the classifiers; by default the columns of a data frame.
    ax : matplotlib Axes, optional
        Axes of the plot; names and the font size are reduced until they fit. By default a new figure whose size depends
        on the names.
    n_bins : int, default: 30
        Number of bins between the smallest and the largest score.
    metric : str, default: 'score'
        Name of the metric, for the axis.
    title : str, optional
        Title above the plot.
    font_size : float, optional
        Size of the text in points; by default matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError
        If `runs` has the wrong shape or holds nan or infinity, the number of names is not the number of classifiers, or
        `ax` is too small.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    ICDM, 421-430. Figure 2.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> ax = plot.run_histograms([[0.8, 0.7], [0.6, 0.8], [0.7, 0.9]], ["NB", "SVM"], n_bins=3)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['NB', 'SVM']
    """
    scores, labels = _understood(runs, names)
    n_bins = _checks.count(n_bins, "n_bins")
    size, measure = font_size_of(font_size, title, metric=metric), measure_of_font()

    labels, ax = _fitted(labels, ax, size, measure, rows=_ROW * len(labels) + 4)
    edges = _edges(scores, n_bins)
    for row, values in enumerate(scores.T):
        counts = np.histogram(values, edges)[0]
        # rows decrease upwards
        ax.stairs(row - _HIGHEST * counts / counts.max(), edges, baseline=row, fill=True, color=BLUE, alpha=0.45)
        ax.plot([values.mean()] * 2, [row, row - _HIGHEST], color=ink(), linewidth=1.2, label="_mean")
        ax.plot(
            [np.median(values)], [row], marker="o", markersize=0.4 * size, color=RED, clip_on=False, label="_median"
        )
        ax.axhline(row, color=ink(0.3), linewidth=0.6, zorder=0)
    ax.set_ylim(len(labels) - 0.7, -1)
    ax.set_xlabel(f"{metric} of one run (line: mean, dot: median)", fontsize=size, parse_math=False)
    _finish(ax, size, title)
    ax.spines["left"].set_visible(False)
    _name_rows(ax, labels, size)
    return ax


def _understood(runs: ArrayLike, names: Sequence[str] | None) -> tuple[FloatArray, list[str]]:
    array = _checks.numbers(runs, "runs")
    if array.ndim != 2 or array.size == 0:
        raise InvalidValueError(f"runs must have the shape (n_runs, n_classifiers), but its shape is {array.shape}")
    k = array.shape[1]
    own = names is not None
    if names is None:
        names = getattr(runs, "columns", [f"classifier {i + 1}" for i in range(k)])
    labels = [_checks.text(name, "a name") if own else str(name) for name in _checks.listed(names, "names", "str")]
    _labels.labels_agree(runs, "runs", labels, "names", axis="columns")
    if len(labels) != k:
        raise InvalidValueError(f"names must hold one name for each of the {k} classifiers, but it holds {len(labels)}")
    return _checks.moderate(_checks.finite(array, "runs"), "runs"), labels


def _fitted(
    labels: list[str], ax: Axes | None, size: float, measure: Measure, *, rows: float
) -> tuple[list[str], Axes]:
    """Return short names, and the axes; new axes have a number of rows of text."""
    if ax is not None:
        limit = max(_SHORTEST_NAME, min(_LONGEST_NAME, 0.4 * points_of(axes_to_draw_on(ax, 0, 0))[0] / size))
        return shorten(labels, measure, limit), ax
    labels = shorten(labels, measure, _LONGEST_NAME)
    unit = size / POINTS_PER_INCH
    return labels, axes_to_draw_on(None, (_AXIS + max(map(measure, labels)) + 8) * unit, rows * unit)


def _edges(scores: FloatArray, n_bins: int) -> FloatArray:
    low, high = float(scores.min()), float(scores.max())
    if low == high:
        half = abs(low) * 0.01 or 0.5
        low, high, n_bins = low - half, high + half, n_bins | 1  # an odd number: the score is in the middle of a bin
    return np.linspace(low, high, n_bins + 1)


def _name_rows(ax: Axes, labels: list[str], size: float) -> None:
    font = min(size, points_of(ax)[1] / (len(labels) + 1) / 1.2)
    if font < SMALLEST_FONT:
        raise InvalidValueError(
            f"ax must have room for {len(labels)} classifiers; enlarge it, or leave ax out and the figure gets the "
            "size it needs"
        )
    name_axis(ax, "y", labels, size=font)


def _finish(ax: Axes, size: float, title: Any) -> None:
    ax.tick_params(axis="x", labelsize=0.9 * size)
    ax.spines[["top", "right"]].set_visible(False)
    if title:
        clear([ax.set_title(title, fontsize=1.2 * size)])
