"""Mean ranks by several metrics. Crossing lines show different rankings."""

from __future__ import annotations

__all__ = ["ranks_by_metric"]

from typing import TYPE_CHECKING

import numpy as np

from evalstats import _checks
from evalstats._ranks import rounded
from evalstats.comparison.by_metric import ComparisonByMetric
from evalstats.plot import style
from evalstats.plot.row_layout import axes_of_rows, fill_rows, plain_scale, row_names
from evalstats.wording import metric_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 3.0


def ranks_by_metric(
    comparison: ComparisonByMetric,
    ax: Axes | None = None,
    *,
    max_shown: int = 8,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the mean ranks of classifiers by several metrics.

    Each row shows a metric. Each dot shows a classifier, and the dots of one classifier are joined. If no lines cross,
    all metrics give the same order of the classifiers. If two lines cross, the order depends on the metric.

    Parameters
    ----------
    comparison : ComparisonByMetric
        Result of `compare` for several metrics.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure, whose size depends on the names.
    max_shown : int, default: 8
        Maximum number of classifiers with a name and a color. These classifiers have the smallest average of the mean
        ranks over the metrics. All other classifiers have small gray dots.
    title : str, optional
        Title above the plot.
    caption : bool, default: True
        Whether to write an explanation below the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `comparison` is not a result of `compare` for several metrics.
    InvalidValueError
        If `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> predictions = evalstats.example_path("sklearn-predictions")
    >>> found = evalstats.compare(predictions, metric=["accuracy", "roc_auc", "brier"])
    >>> ax = plot.ranks_by_metric(found)
    >>> [line.get_label() for line in ax.lines]
    ['neighbours', 'logistic', 'naive Bayes', 'tree']
    """
    comparison = _checks.instance(
        comparison, "comparison", ComparisonByMetric, "a result of compare for several metrics"
    )
    n_named = _checks.count(max_shown, "max_shown")
    size, measure = style.font_size_of(font_size, title, caption=caption), style.measure_of_font()
    columns = np.argsort(rounded(comparison.mean_ranks.mean(axis=1)), kind="stable")[:n_named].tolist()
    metrics = row_names([metric_name(metric) for metric in comparison.metrics], ax, size, measure)
    names = style.key_labels([comparison.classifiers[i] for i in columns])
    row = max(_ROW, style.key_lines(names) / len(metrics))
    ax = axes_of_rows(ax, metrics, ["     " + name for name in names], size, measure, row=row)
    style.joined_dots(ax, comparison.mean_ranks.T, columns, names, size)
    plain_scale(ax, metrics, size, title)
    style.key_beside(ax, names, size)
    if caption:
        _below(ax, comparison, len(names), size)
    fill_rows(ax, metrics, (), size, "metrics")
    return ax


def _below(ax: Axes, found: ComparisonByMetric, n_named: int, size: float) -> None:
    over = [len(one.table.datasets) for one in found.comparisons if one.mean_ranks is not None]
    sentences = ["Ranks of the classifiers by each metric; 1 is the best."]
    if over:
        n = f"{over[0]}" if len(set(over)) == 1 else f"{min(over)} to {max(over)}"
        sentences = [f"Mean ranks over {n} datasets by each metric; 1 is the best."]
    sentences.append("If two lines cross, the order depends on the metric.")
    if n_others := len(found.classifiers) - n_named:
        sentences.append(f"Gray dots: the {n_others} other classifier{'' if n_others == 1 else 's'}.")
    style.caption(ax, sentences, size=size)
