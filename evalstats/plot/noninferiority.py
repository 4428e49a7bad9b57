"""Confidence intervals for differences with a noninferiority margin, and the winning rate of an LLM judge."""

from __future__ import annotations

__all__ = ["annotator_margins", "margin_intervals"]

import math
from typing import TYPE_CHECKING

import numpy as np

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.agreement.alternative_annotators import AlternativeAnnotatorResult
from evalstats.comparison.record import Comparison
from evalstats.comparison.supplements import Margins
from evalstats.plot import style
from evalstats.plot.row_layout import axes_of_rows, draw_interval, fill_rows, pair_names, plain_scale
from evalstats.wording import metric_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# maximum number in one plot
MOST_PAIRS = 45
_RED = "#b2182b"
# values of epsilon in the plot of a judge
EPSILONS = np.arange(0, 41) / 100


def margin_intervals(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the confidence interval for each difference and the margin, with the verdict on each pair.

    On the shaded side of the dashed line, the first classifier of a pair is worse by more than the margin. An
    interval outside of this region shows noninferiority for a single pair. The verdicts are adjusted for all pairs.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare` with a `margin`.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure of the size that the pairs need.
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
        If `comparison` is not a result of `compare`.
    InvalidValueError
        If the comparison was made without a margin or has more than 45 pairs, or if `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> table = evalstats.example_table("demsar-2006")
    >>> ax = plot.margin_intervals(evalstats.compare(table, control="C4.5", margin=0.02))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['C4.5+m+cf − C4.5', 'C4.5+m − C4.5', 'C4.5+cf − C4.5']
    """
    if not isinstance(comparison, Comparison):
        raise InvalidTypeError(f"comparison must be a result of compare, not {type(comparison).__name__}")
    if comparison.margins is None:
        raise InvalidValueError("comparison must be made with a margin, for example compare(table, margin=0.01)")
    margins, pairs = comparison.margins, comparison.margins.pairs
    if len(pairs) > MOST_PAIRS:
        raise InvalidValueError(f"comparison must have at most {MOST_PAIRS} pairs, not {len(pairs)}; give it a control")
    size = style.font_size_of(font_size, title, caption=caption)
    measure, verdicts = style.measure_of_font(), [pair.verdict for pair in pairs]
    labels = pair_names([(pair.classifier, pair.reference) for pair in pairs], ax, size, measure)
    ax = axes_of_rows(ax, labels, verdicts, size, measure)
    limits = _limits(margins)
    greater = comparison.table.greater_is_better
    _draw_margin(ax, margins.margin, limits, greater)
    for place, pair in enumerate(pairs):
        color = {"better": style.BLUE, "not worse": style.BLUE, "worse": _RED}.get(pair.verdict, style.ink(0.6))
        values = pair.difference, pair.low, pair.high
        draw_interval(ax, place, values, limits, size, color=color, is_full=pair.verdict != "undecided")
    ax.set_xlim(limits)
    plain_scale(ax, labels, size, title)
    if caption:
        _write_caption(ax, comparison, margins, size)
    fill_rows(ax, labels, verdicts, size, "pairs")
    return ax


def annotator_margins(
    result: AlternativeAnnotatorResult,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    font_size: float | None = None,
) -> Axes:
    """Plot the winning rate of a judge for each epsilon from 0 to 0.4.

    If the winning rate is at or above the dashed line, the judge may replace the annotators by the rule of
    `alternative_annotator_test`. The point marks the epsilon of the result.

    Parameters
    ----------
    result : AlternativeAnnotatorResult
        Result of `alternative_annotator_test`.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    title : str, optional
        Title above the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `result` is not a result of `alternative_annotator_test`.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.agreement import alternative_annotator_test
    >>> result = alternative_annotator_test([[1, 1], [0, 0], [1, 0], [1, 1]], [1, 0, 0, 1], min_instances=4)
    >>> plot.annotator_margins(result).get_xlabel()
    'epsilon'
    """
    if not isinstance(result, AlternativeAnnotatorResult):
        raise InvalidTypeError(f"result must be a result of alternative_annotator_test, not {type(result).__name__}")
    size = style.font_size_of(font_size, title, caption=False)
    ax = style.axes_to_draw_on(ax, 40 * size / style.POINTS_PER_INCH, 24 * size / style.POINTS_PER_INCH)
    rates = [result.at(float(epsilon)).winning_rate for epsilon in EPSILONS]
    ax.step(EPSILONS, rates, where="post", color=style.BLUE, linewidth=size / 5)
    ax.axhline(0.5, color=style.ink(0.6), linestyle="--", linewidth=size / 12)
    ax.plot([result.epsilon], [result.winning_rate], "o", color=style.BLUE, markersize=0.7 * size, clip_on=False)
    ax.set(xlim=(0, EPSILONS[-1]), ylim=(-0.03, 1.03))
    style.clear([ax.set_xlabel("epsilon", fontsize=size), ax.set_ylabel("winning rate", fontsize=size)])
    style.plain_axes(ax, size, title)
    return ax


def _draw_margin(ax: Axes, margin: float, limits: tuple[float, float], greater_is_better: bool) -> None:
    """Plot the line at 0, and shade the region beyond the margin."""
    edge, far = (-margin, limits[0]) if greater_is_better else (margin, limits[1])
    ax.axvspan(min(edge, far), max(edge, far), color=style.ink(0.08), zorder=-1, label="_too much worse")
    ax.axvline(edge, color=_RED, linewidth=1, linestyle="--", zorder=0, label="_margin")
    ax.axvline(0, color=style.ink(0.5), linewidth=1, zorder=0)


def _limits(margins: Margins) -> tuple[float, float]:
    values = [value for pair in margins.pairs for value in (pair.difference, pair.low, pair.high)]
    shown = np.array([0.0, -margins.margin, margins.margin, *(value for value in values if math.isfinite(value))])
    room = 0.06 * float(shown.max() - shown.min())
    return float(shown.min() - room), float(shown.max() + room)


def _write_caption(ax: Axes, comparison: Comparison, margins: Margins, size: float) -> None:
    table = comparison.table
    unit = f" ({table.unit})" if table.unit else ""
    level = f"{100 * margins.confidence_level:.4g}%"
    adjusted = "" if margins.adjustment == "none" else " The verdicts are adjusted for all pairs."
    sentences = (
        f"Difference in {metric_name(table.metric)}{unit}, with the separate {level} interval of each pair.",
        f"Gray: worse by more than the margin of {margins.margin:g}.",
        f"{'Above' if table.greater_is_better else 'Below'} 0, the first is better.",
        f"An open dot marks an undecided pair.{adjusted}",
    )
    style.caption(ax, sentences, size=size)
