"""Confidence intervals for the differences between the classifiers of each pair."""

from __future__ import annotations

__all__ = ["difference_intervals", "effect_sizes"]

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._result import Record
from evalstats.comparison.record import Comparison, of_design
from evalstats.paired.wilcoxon import wilcoxon_test
from evalstats.plot.row_layout import axes_of_rows, draw_interval, fill_rows, pair_names, plain_scale
from evalstats.plot.style import BLUE, caption, font_size_of, ink, measure_of_font
from evalstats.tables.score_table import complete_scores
from evalstats.wording import metric_name, tested_words, untested_note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# maximum number of pairs in one plot: 10 classifiers
MOST_PAIRS = 45
_MINUS = "−"


@dataclass(frozen=True, kw_only=True, eq=False)
class _Row(Record):
    first: str
    second: str
    estimate: float
    low: float
    high: float
    level: float
    different: bool


def effect_sizes(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    control: str | None = None,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the Hodges-Lehmann estimate of the difference for each pair with a confidence interval.

    A filled dot marks a pair that differs significantly in the comparison. The decisions are adjusted for all pairs.
    Each interval is for one pair. The interval shows the possible size of the difference, and does not decide which
    pairs differ.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare`.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure of the size that the pairs need.
    control : str, optional
        Plot only pairs with this classifier. Default: all compared pairs or, for more than 45 pairs, the pairs with the
        classifier that has the best mean rank.
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
        If `comparison` is not a comparison over datasets.
    InvalidValueError
        If `control` was not compared with another classifier, or `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.effect_sizes(evalstats.compare(evalstats.example_table("demsar-2006")), control="C4.5")
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['C4.5+m+cf − C4.5', 'C4.5+m − C4.5', 'C4.5+cf − C4.5']
    """
    of_design(comparison, "for several datasets", "datasets")
    pairs = _chosen(comparison, control)
    table = comparison.table
    at = {name: i for i, name in enumerate(table.classifiers)}
    scores = complete_scores(table, "effect_sizes")
    first, second = (scores.T[[at[getattr(p, side)] for p in pairs]] for side in ("first", "second"))
    tests = wilcoxon_test(first, second, tie_tolerance=comparison.tie_tolerance)
    interval = tests.confidence_interval(1 - comparison.alpha)
    rows = [
        _Row(
            first=pair.first,
            second=pair.second,
            estimate=pair.hodges_lehmann,
            low=float(interval.low[i]),
            high=float(interval.high[i]),
            level=float(interval.attained_level[i]),
            different=pair.different,
        )
        for i, pair in enumerate(pairs)
    ]
    return _draw(rows, comparison, ax, "Hodges-Lehmann estimate of the difference", title, caption, font_size)


def difference_intervals(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    control: str | None = None,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the difference in score for each pair on one dataset with a confidence interval.

    A filled dot marks a pair that differs significantly in the comparison. The decisions are adjusted for all pairs.
    Each interval is for one pair. The interval shows the possible size of the difference, and does not decide which
    pairs differ.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare` for one dataset.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure of the size that the pairs need.
    control : str, optional
        Plot only pairs with this classifier. Default: all compared pairs or, for more than 45 pairs, the pairs with the
        classifier that has the best score.
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
        If `comparison` is not a comparison on one dataset.
    InvalidValueError
        If `control` was not compared with another classifier, or `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> folds = [[0.81, 0.78, 0.70], [0.84, 0.82, 0.74], [0.79, 0.80, 0.71], [0.90, 0.84, 0.75], [0.85, 0.83, 0.70]]
    >>> names = ["NB", "SVM", "1-NN"]
    >>> rows = [("iris", name, i, row[j]) for i, row in enumerate(folds) for j, name in enumerate(names)]
    >>> columns = ("dataset", "classifier", "fold", "score")
    >>> table = dict(zip(columns, zip(*rows)))
    >>> ax = plot.difference_intervals(evalstats.compare(table))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['NB − SVM', 'NB − 1-NN', 'SVM − 1-NN']
    """
    of_design(comparison, "for one dataset", "folds", "runs", "instances")
    rows = [
        _Row(
            first=pair.first,
            second=pair.second,
            estimate=pair.difference,
            low=pair.low,
            high=pair.high,
            level=1 - comparison.alpha,
            different=pair.different,
        )
        for pair in _chosen(comparison, control)
    ]
    return _draw(rows, comparison, ax, "Difference", title, caption, font_size)


def _chosen(comparison: Comparison, control: str | None) -> list[Any]:
    """Return the pairs to plot: all pairs, or the pairs with one classifier."""
    pairs: list[Any] = list(comparison.pairs)
    if control is None and len(pairs) > MOST_PAIRS:
        control = comparison.control or comparison.ranking[0]
    if control is None:
        return pairs
    chosen = [pair for pair in pairs if _checks.is_among(control, (pair.first, pair.second))]
    if not chosen:
        known = ", ".join(map(repr, comparison.ranking))
        raise InvalidValueError(f"control must be one of the compared classifiers {known}, not {short(control)}")
    return chosen


def _draw(
    rows: list[_Row],
    comparison: Comparison,
    ax: Axes | None,
    what: str,
    title: str | None,
    below: bool,
    font_size: float | None,
) -> Axes:
    size, measure = font_size_of(font_size, title, caption=below), measure_of_font()
    written, labels = _written(rows), pair_names([(row.first, row.second) for row in rows], ax, size, measure)
    ax = axes_of_rows(ax, labels, written, size, measure)
    limits = _limits(rows)
    ax.axvline(0, color=ink(0.5), linewidth=1, zorder=0)
    for place, row in enumerate(rows):
        color = BLUE if row.different else ink(0.7)
        values = row.estimate, row.low, row.high
        draw_interval(ax, place, values, limits, size, color=color, is_full=row.different)
    ax.set_xlim(limits)
    plain_scale(ax, labels, size, title)
    if below:
        caption(ax, _sentences(rows, comparison, what), size=size)
    fill_rows(ax, labels, written, size, "pairs", otherwise="name a classifier in control=, ")
    return ax


def _limits(rows: list[_Row]) -> tuple[float, float]:
    values = np.array([0.0, *(v for row in rows for v in (row.estimate, row.low, row.high) if math.isfinite(v))])
    margin = 0.06 * (values.max() - values.min()) or 1.0
    return float(values.min() - margin), float(values.max() + margin)


def _written(rows: list[_Row]) -> list[str]:
    """Format estimates and limits with the decimals that the largest estimate has with three significant digits."""
    largest = max((abs(row.estimate) for row in rows if math.isfinite(row.estimate)), default=0.0)
    decimals = min(max(2 - math.floor(math.log10(largest)), 0), 12) if largest else 2
    return [
        f"{_number(row.estimate, decimals)} [{_number(row.low, decimals)}, {_number(row.high, decimals)}]"
        for row in rows
    ]


def _number(value: float, decimals: int) -> str:
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: f"{_MINUS}∞"}.get(value, "none")
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", _MINUS)


def _sentences(rows: list[_Row], comparison: Comparison, what: str) -> tuple[str, ...]:
    table = comparison.table
    unit = f" ({table.unit})" if table.unit else ""
    better = "above" if table.greater_is_better else "below"
    level = f"{100 * (1 - comparison.alpha):.4g}%"
    return (
        f"{what} in {metric_name(table.metric)}{unit}, with the separate {level} interval of each pair.",
        *_short_of(rows, level, 1 - comparison.alpha),
        f"{better} 0, the first is better.".capitalize(),
        f"A filled dot marks a pair that is shown to differ ({tested_words(comparison)}).",
        *filter(None, [untested_note(comparison.validity)]),
    )


def _short_of(rows: list[_Row], asked: str, level: float) -> tuple[str, ...]:
    """Return a sentence that names the intervals with a different confidence level."""
    reached = [row.level for row in rows if row.level < level - 1e-12 and not math.isnan(row.low + row.high)]
    if not reached:
        return ()
    which = f" for {len(reached)} of {len(rows)} pairs" if len(rows) > 1 else ""
    widest = f"{100 * min(reached):.4g}%"
    return (
        f"There are too few differences for {asked}{which}: the plot shows the widest possible interval, of {widest}.",
    )
