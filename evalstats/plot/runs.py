"""Plots of repeated runs: running means and histograms of the scores."""

from __future__ import annotations

__all__ = ["run_histograms", "running_means"]

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._types import FloatArray
from evalstats.plot import style
from evalstats.plot.row_layout import axes_of_rows, fill_rows, row_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# in font sizes
_WIDTH, _HEIGHT, _ROW = 34.0, 26.0, 2.8
# the highest bar of a histogram, as a fraction of the row height
_HIGHEST = 0.85


def running_means(
    runs: ArrayLike,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    max_shown: int = 10,
    metric: str = "score",
    title: str | None = None,
    font_size: float | None = None,
) -> Axes:
    """Plot the mean score of each classifier over the first 1, 2, 3, ... runs.

    If the lines cross or are not yet stable, a different number of runs may lead to a different ranking. The
    classifiers in the legend are in the order of the mean over all runs, the highest first.

    Parameters
    ----------
    runs : array_like of shape (n_runs, n_classifiers)
        The score of each run, in the order of the runs.
    names : sequence of str, optional
        Names of the classifiers. Default: the columns of a data frame; for an array, ``'classifier 1'`` and so on.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure, whose size depends on the names.
    max_shown : int, default: 10
        Maximum number of classifiers with a name and a color. These classifiers have the highest means. The lines of
        the other classifiers are gray.
    metric : str, default: 'score'
        Name of the metric, for the axis.
    title : str, optional
        Title above the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError
        If `runs` has the wrong shape or contains nan or infinity, or the number of names is not the number of
        classifiers.

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
    n_named = _checks.count(max_shown, "max_shown")
    size = style.font_size_of(font_size, title, metric=metric)
    means = scores.cumsum(axis=0) / np.arange(1, len(scores) + 1)[:, None]

    order = np.argsort(-means[-1], kind="stable").tolist()
    labels = style.key_labels([labels[i] for i in order[:n_named]])
    ax = style.axes_with_key(ax, labels, size, width=_WIDTH, height=_HEIGHT)
    number = np.arange(1, len(scores) + 1)
    marker = "." if len(scores) == 1 else ""
    for i in order[n_named:]:
        ax.plot(number, means[:, i], color=style.ink(0.2), linewidth=0.8, marker=marker, zorder=0, label="_other")
    for place, (label, i) in enumerate(zip(labels, order, strict=False)):
        ax.plot(number, means[:, i], label=label, linewidth=1.3, marker=marker, **style.line_style(place))
    n_others = len(order) - len(labels)
    others = f" (gray: {n_others} other classifier{'' if n_others == 1 else 's'})" if n_others else ""
    style.name_quantity(ax, "x", f"number of runs{others}", size)
    style.name_quantity(ax, "y", f"mean {metric} so far", size)
    ax.tick_params(axis="y", labelsize=0.9 * size)
    _finish(ax, size, title)
    style.key_beside(ax, labels, size)
    return ax


def run_histograms(
    runs: ArrayLike,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    n_bins: int = 30,
    max_shown: int = 40,
    metric: str = "score",
    title: str | None = None,
    font_size: float | None = None,
) -> Axes:
    """Plot a histogram of the scores of the runs for each classifier, on a common scale.

    A line marks the mean, and a dot marks the median. If they differ clearly, the distribution is skewed. All
    histograms have the same bins, and the highest bars of all histograms have the same height.

    Parameters
    ----------
    runs : array_like of shape (n_runs, n_classifiers)
        The score of each run.
    names : sequence of str, optional
        Names of the classifiers. Default: the columns of a data frame; for an array, ``'classifier 1'`` and so on.
    ax : matplotlib Axes, optional
        Axes of the plot. Names are shortened and the font size is reduced until the names fit. Default: a new figure,
        whose size depends on the names.
    n_bins : int, default: 30
        Number of bins between the smallest and the largest score.
    max_shown : int, default: 40
        Maximum number of classifiers. The plot shows the classifiers with the highest means.
    metric : str, default: 'score'
        Name of the metric, for the axis.
    title : str, optional
        Title above the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError
        If `runs` has the wrong shape or contains nan or infinity, or `ax` is too small. If the number of names is not
        the number of classifiers.

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
    size, measure = style.font_size_of(font_size, title, metric=metric), style.measure_of_font()

    n_drawn = _checks.count(max_shown, "max_shown")
    if (n_others := len(labels) - n_drawn) > 0:
        best = np.argsort(-scores.mean(axis=0), kind="stable")[:n_drawn].tolist()
        scores, labels = scores[:, best], [labels[i] for i in best]
    labels = row_names(labels, ax, size, measure)
    ax = axes_of_rows(ax, labels, (), size, measure, row=_ROW)
    edges = _edges(scores, n_bins)
    for row, values in enumerate(scores.T):
        counts = np.histogram(values, edges)[0]
        # rows decrease upwards
        ax.stairs(row - _HIGHEST * counts / counts.max(), edges, baseline=row, fill=True, color=style.BLUE, alpha=0.45)
        ax.plot([values.mean()] * 2, [row, row - _HIGHEST], color=style.ink(), linewidth=1.2, label="_mean")
        ax.plot(
            [np.median(values)],
            [row],
            marker="o",
            markersize=0.4 * size,
            color=style.RED,
            clip_on=False,
            label="_median",
        )
        ax.axhline(row, color=style.ink(0.3), linewidth=0.6, zorder=0)
    ax.set_ylim(len(labels) - 0.7, -1)
    shown = f"; the best {n_drawn} of {n_drawn + n_others} classifiers" if n_others > 0 else ""
    _finish(ax, size, title)
    ax.spines["left"].set_visible(False)
    fill_rows(ax, labels, (), size, "classifiers")
    style.name_quantity(ax, "x", f"{metric} of one run (line: mean, dot: median{shown})", size)
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
    style.check_number_of_names(labels, k)
    return _checks.moderate(_checks.finite(array, "runs"), "runs"), labels


def _edges(scores: FloatArray, n_bins: int) -> FloatArray:
    low, high = float(scores.min()), float(scores.max())
    if low == high:
        half = abs(low) * 0.01 or 0.5
        low, high, n_bins = low - half, high + half, n_bins | 1  # an odd number: the score is in the middle of a bin
    return np.linspace(low, high, n_bins + 1)


def _finish(ax: Axes, size: float, title: Any) -> None:
    ax.tick_params(axis="x", labelsize=0.9 * size)
    ax.spines[["top", "right"]].set_visible(False)
    style.write_title(ax, title, size)
