"""Scores of each classifier on each dataset."""

from __future__ import annotations

__all__ = ["scores_by_dataset"]

from typing import TYPE_CHECKING

import numpy as np

from evalstats import _checks
from evalstats.comparison.record import Comparison
from evalstats.plot import style
from evalstats.plot.row_layout import axes_of_rows, drawn_classifiers, fill_rows, plain_scale, row_names, table_of
from evalstats.tables.score_table import ScoreTable
from evalstats.wording import metric_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 1.5
# with more rows, the distances between the rows are smaller
_MOST_ROWS = 40
# with more datasets, each name has one line
_MOST_WRAPPED = 22


def scores_by_dataset(
    data: ScoreTable | Comparison,
    ax: Axes | None = None,
    *,
    max_shown: int = 8,
    connect_points: bool = True,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the score of each classifier on each dataset.

    Each row shows a dataset. Each dot shows a classifier, and the dots of one classifier are joined. The datasets are
    ordered by their mean score, the highest first. Parallel lines show classifiers with a constant difference in score.
    If lines cross, the ranking depends on the dataset.

    Parameters
    ----------
    data : ScoreTable or Comparison
        The scores. A line has a gap at a missing score.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure of at most one page, whose size depends on the names.
    max_shown : int, default: 8
        Maximum number of classifiers with a name and a color. These classifiers have the best mean ranks. All other
        classifiers have small gray dots.
    connect_points : bool, default: True
        Whether to join the dots of one classifier.
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
        If `data` is neither a table of scores nor a comparison.
    InvalidValueError
        If `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.scores_by_dataset(evalstats.example_table("japkowicz-accuracy"))
    >>> [label.get_text() for label in ax.get_yticklabels()][:3]
    ['Hypothyroid', 'Anneal', 'Tic-Tac-Toe']
    """
    table, drawn = table_of(data), drawn_classifiers(data, max_shown)
    connect_points = _checks.boolean(connect_points, "connect_points")
    size, measure = style.font_size_of(font_size, title, caption=caption), style.measure_of_font()
    order = np.argsort(-np.nanmean(table.scores, axis=1), kind="stable")
    names, row = style.key_labels(drawn.names), min(_ROW, _ROW * _MOST_ROWS / len(table.datasets))
    datasets = row_names(
        [table.datasets[i] for i in order.tolist()], ax, size, measure, is_dense=len(table.datasets) > _MOST_WRAPPED
    )
    ax = axes_of_rows(ax, datasets, ["     " + name for name in names], size, measure, row=row)
    style.joined_dots(ax, table.scores[order], drawn.columns, names, size, joined=connect_points)
    plain_scale(ax, datasets, size, title)
    style.key_beside(ax, names, size)
    if caption:
        _below(ax, table, len(drawn.names), size)
    fill_rows(ax, datasets, (), size, "datasets", thin=True)
    return ax


def _below(ax: Axes, table: ScoreTable, n_named: int, size: float) -> None:
    unit = f" ({table.unit})" if table.unit else ""
    better = "greater" if table.greater_is_better else "smaller"
    metric, n_others = metric_name(table.metric), len(table.classifiers) - n_named
    sentences = [f"{metric}{unit}; {better} is better. Datasets by their mean, classifiers by their mean rank."]
    if n_others:
        sentences.append(f"Gray dots: the {n_others} other classifier{'' if n_others == 1 else 's'}.")
    if table.missing:
        sentences.append(f"{len(table.missing):,} scores are missing.")
    style.caption(ax, sentences, size=size)
