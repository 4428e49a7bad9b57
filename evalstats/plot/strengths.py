"""Strengths of models in battles, with intervals and confidence sets of the ranks."""

from __future__ import annotations

__all__ = ["battle_strengths"]

import math
from typing import TYPE_CHECKING

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats.comparison.battles import BattleComparison
from evalstats.plot import style
from evalstats.plot.row_layout import axes_of_rows, draw_interval, fill_rows, plain_scale, row_names
from evalstats.plot.style import BLUE, font_size_of, measure_of_font

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_MODELS = 60


def battle_strengths(
    comparison: BattleComparison,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the strength of each model with a confidence interval, and the confidence set of its rank.

    A larger log-strength means more wins. The interval is for the strength of a single model. The numbers on the right
    are the confidence set of the rank of the model. The level of these sets applies to all models together. A filled
    dot marks a model that may be the best. An open dot marks a model that is significantly worse than another model.

    Parameters
    ----------
    comparison : BattleComparison
        Result of `compare` of battles.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure of the size that the models need.
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
        If `comparison` is not a comparison of battles.
    InvalidValueError
        If there are more than 60 models, or a strength is infinite.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import compare, plot
    >>> battles = {"model_a": list("ABCABC"), "model_b": list("BCACAB"), "winner": ["model_a", "tie"] * 3}
    >>> ax = plot.battle_strengths(compare(battles))
    >>> sorted(label.get_text() for label in ax.get_yticklabels())
    ['A', 'B', 'C']
    """
    comparison = _checks.instance(comparison, "comparison", BattleComparison, "a result of compare for battles")
    names, own = comparison.ranking, comparison.strengths
    if len(names) > MOST_MODELS:
        raise InvalidValueError(f"comparison must have at most {MOST_MODELS} models, not {len(names)}")
    if comparison.ranks is None or not all(map(math.isfinite, own.estimate)):
        raise InvalidValueError(f"comparison must have finite strengths, but {comparison.reason}")
    size = font_size_of(font_size, title, caption=caption)
    measure = measure_of_font()
    sets = [comparison.rank_set(name) for name in names]
    texts = [f"rank {first}" if first == last else f"ranks {first} to {last}" for first, last in sets]
    labels = row_names(names, ax, size, measure)
    ax = axes_of_rows(ax, labels, texts, size, measure)
    low, high = own.confidence_interval(1 - comparison.alpha)
    for place, name in enumerate(names):
        i = own.models.index(name)
        values = (own.estimate[i], float(low[i]), float(high[i]))
        draw_interval(ax, place, values, (-math.inf, math.inf), size, color=BLUE, is_full=name in comparison.best)
    plain_scale(ax, labels, size, title)
    if caption:
        level = f"{100 * (1 - comparison.alpha):.4g}%"
        words = [
            f"{level} intervals for individual models.",
            f"Ranks: {level} confidence sets for all models together.",
            "A filled dot marks a model that may be the best.",
        ]
        style.caption(ax, words, size=size, head="Log-strength")
    fill_rows(ax, labels, texts, size, "models")
    return ax
