"""Posterior probabilities of all pairs."""

from __future__ import annotations

__all__ = ["pairwise_posteriors", "posterior_heatmap"]

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._types import FloatArray
from evalstats.bayes.posterior import PosteriorResult
from evalstats.plot import style
from evalstats.plot.intervals import MOST_PAIRS
from evalstats.plot.matrix import EMPTY, UNKNOWN, Matrix, draw_matrix, whole_percent
from evalstats.plot.row_layout import axes_of_rows, fill_rows, legend_above, pair_names, plain_scale
from evalstats.wording import shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REGIONS = ("better", "rope")
# lower limits of the shades
_EDGES = (0.05, 0.5, 0.75, 0.95)
_BAR = 0.7
_LONGEST_UNIT = 24  # characters


class _Pairs(NamedTuple):
    """Probabilities that the row is better than the column and that both are practically equivalent, best row first."""

    names: tuple[str, ...]
    better: FloatArray
    rope: FloatArray
    half_width: float
    reason: str | None


def posterior_heatmap(
    result: PosteriorResult,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    region: str = "better",
    greater_is_better: bool = True,
    unit: str = "",
    title: str | None = None,
    legend: bool = True,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the posterior probability that the row is better than the column, or that both are equivalent.

    The classifiers are sorted by their mean probability of being better than another classifier. The probabilities in a
    cell and in its mirror image, and the probability of practical equivalence, sum to 100%.

    Parameters
    ----------
    result : PosteriorResult
        Posteriors of all pairs, from `bayes_pairwise_signed_rank_test`, `bayes_pairwise_sign_test` or
        `bayes_pairwise_correlated_ttest`.
    names : sequence of str, optional
        Names of the classifiers in the order of the scores. Default: numbers.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure of the size that names and numbers need, but no larger than a page.
    region : {'better', 'rope'}, default: 'better'
        ``'better'``: the probability that the classifier of the row is better by more than the rope, the region of
        practical equivalence. ``'rope'``: the probability of a difference within the rope.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    unit : str, default: ''
        The unit of the scores, for the rope.
    title : str, optional
        Title above the plot.
    legend : bool, default: True
        Whether to explain the shades next to the matrix.
    caption : bool, default: True
        Whether to write an explanation below the matrix.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `result` is not a PosteriorResult.
    InvalidValueError
        If the result does not contain all pairs, or the number of names is not the number of classifiers.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017). Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77), 1-36. Section 4.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import example_table, plot
    >>> from evalstats.bayes import bayes_pairwise_signed_rank_test
    >>> table = example_table("japkowicz-accuracy")
    >>> result = bayes_pairwise_signed_rank_test(table.scores, rope=1)
    >>> ax = plot.posterior_heatmap(result, table.classifiers)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['Random Forest', 'SVM', 'NB', 'AdaBoost']
    """
    pairs = _understood(result, names, greater_is_better)
    region = _checks.choice(region, "region", REGIONS)
    values = pairs.better if region == "better" else pairs.rope
    steps = np.searchsorted(_EDGES, values, side="right")
    steps[np.isnan(values)] = UNKNOWN
    np.fill_diagonal(steps, EMPTY)
    rope = _rope(pairs.half_width, unit)
    better = f"the row is better than the column by more than the rope, {rope}"
    what = better if region == "better" else f"the two are practically equivalent: within the rope, {rope}"
    matrix = Matrix(
        rows=pairs.names,
        columns=pairs.names,
        steps=steps,
        write=lambda i, j: whole_percent(values[i, j]),
        bold=values >= _EDGES[-1],
        shades=style.STEPS,
        key=("below 5%", "5% to 50%", "50% to 75%", "75% to 95%", "95% or more"),
        unknown="no posterior",
        sentences=(f"Posterior probability, in percent, that {what}.", *_reason(pairs)),
    )
    return draw_matrix(matrix, ax, title=title, legend=legend, font_size=font_size, below=caption)


def pairwise_posteriors(
    result: PosteriorResult,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    control: str | None = None,
    greater_is_better: bool = True,
    unit: str = "",
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the posterior probabilities of each pair as a bar: first better, equivalent, second better.

    The left part of a bar is the probability that the first classifier is better. The right part is the probability
    that the second classifier is better. The gray part between them is the probability that both are practically
    equivalent. The three parts sum to 100%.

    Parameters
    ----------
    result : PosteriorResult
        As in `posterior_heatmap`.
    names : sequence of str, optional
        Names of the classifiers in the order of the scores. Default: numbers.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure of the size that the pairs need.
    control : str, optional
        Plot only pairs with this classifier. Default: all pairs or, for more than 45 pairs, the pairs with the best
        classifier.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    unit : str, default: ''
        The unit of the scores, for the rope.
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
        If `result` is not a PosteriorResult.
    InvalidValueError
        If the result does not contain all pairs, or the number of names is not the number of classifiers. If `control`
        is not a classifier, or `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import example_table, plot
    >>> from evalstats.bayes import bayes_pairwise_signed_rank_test
    >>> table = example_table("japkowicz-accuracy")
    >>> result = bayes_pairwise_signed_rank_test(table.scores, rope=1)
    >>> ax = plot.pairwise_posteriors(result, table.classifiers, control="NB")
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['Random Forest − NB', 'SVM − NB', 'NB − AdaBoost']
    """
    pairs = _understood(result, names, greater_is_better)
    chosen = _chosen(pairs, control)
    size, measure = style.font_size_of(font_size, title, caption=caption), style.measure_of_font()
    labels = pair_names([(pairs.names[i], pairs.names[j]) for i, j in chosen], ax, size, measure)
    shares = np.array([(pairs.better[i, j], pairs.rope[i, j], pairs.better[j, i]) for i, j in chosen])
    texts = [" / ".join(whole_percent(share, never="0") for share in row) for row in shares]
    ax = axes_of_rows(ax, labels, texts, size, measure, above=2.5)
    _bars(ax, shares, size)
    ax.set_xlim(0, 1)
    plain_scale(ax, labels, size, None)
    style.write_title(ax, title, size, above=2.6)
    if caption:
        sentence = (
            "Posterior probabilities of each pair, in percent: the first is better / practically equivalent, within "
            f"{_rope(pairs.half_width, unit)} / the second is better."
        )
        _below(ax, (sentence, *_reason(pairs)), size)
    fill_rows(ax, labels, texts, size, "pairs", otherwise="name a classifier in control=, ")
    return ax


def _understood(result: Any, names: Any, greater_is_better: Any) -> _Pairs:
    if not isinstance(result, PosteriorResult):
        raise InvalidTypeError(f"result must be the result of a Bayesian comparison, not {type(result).__name__}")
    shape = np.shape(result.p_rope)
    if not result._of_pairs or len(shape) != 2:
        raise InvalidValueError(
            f"result must contain all pairs, as from bayes_pairwise_signed_rank_test, but its shape is {shape}"
        )
    k = shape[0]
    known = [f"classifier {i + 1}" for i in range(k)] if names is None else _checks.listed(names, "names", "str")
    labels = [_checks.text(name, "a name") for name in known]
    style.check_number_of_names(labels, k)
    larger, smaller = (result.p_greater, result.p_less)
    better = np.asarray(larger if _checks.boolean(greater_is_better, "greater_is_better") else smaller)
    worse = better.T
    others = ~np.eye(k, dtype=bool)
    order = np.argsort(-np.nansum(np.where(others, better - worse, 0.0), axis=1), kind="stable")
    at = np.ix_(order, order)
    rope, reasons = np.asarray(result.p_rope), np.asarray(result.reason, dtype=object)
    reason = next(iter(reasons[np.isnan(rope)].tolist()), None)
    return _Pairs(tuple(labels[i] for i in order.tolist()), better[at], rope[at], result.rope, reason)


def _chosen(pairs: _Pairs, control: Any) -> list[tuple[int, int]]:
    """Return the pairs to plot, with the better classifier first: all pairs, or the pairs with one classifier."""
    every = list(zip(*(places.tolist() for places in np.triu_indices(len(pairs.names), 1)), strict=True))
    if control is None:
        return every if len(every) <= MOST_PAIRS else [(i, j) for i, j in every if i == 0]
    if not _checks.is_among(control, pairs.names):
        raise InvalidValueError(f"control must be one of {', '.join(map(repr, pairs.names))}, not {short(control)}")
    place = pairs.names.index(control)
    return [(i, j) for i, j in every if place in (i, j)]


def _rope(half_width: float, unit: str) -> str:
    (known,) = shorten([style.drawable(unit, "unit")], len, _LONGEST_UNIT)
    return f"±{half_width:g}{'' if known in ('', '%') else ' '}{known}"


def _bars(ax: Axes, shares: FloatArray, size: float) -> None:
    start = np.zeros(len(shares))
    words = ("first is better", "equivalent", "second is better")
    for column, color, word in zip(shares.T, (style.BLUE, style.GREY, style.RED), words, strict=True):
        ax.barh(range(len(shares)), column, left=start, height=_BAR, color=color, label=word)
        start = start + column
    for threshold in (0.05, 0.95):
        ax.axvline(threshold, color="white", linewidth=0.6, linestyle=(0, (4, 3)), label="_threshold")
    legend_above(ax, size)


def _reason(pairs: _Pairs) -> tuple[str, ...]:
    """Return a sentence that explains why pairs have no posterior, or an empty text."""
    return () if pairs.reason is None else (f"Without a posterior: {pairs.reason}.",)


def _below(ax: Axes, sentences: tuple[str, ...], size: float) -> None:
    style.caption(ax, sentences, size=size)
