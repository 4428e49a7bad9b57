"""Permutation test of two classifiers with any metric."""

from __future__ import annotations

__all__ = ["MetricPermutationTestResult", "metric_permutation_test"]

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import ONE_PROBLEM, SIDES, Data, Declaration, Draw
from evalstats._errors import InvalidValueError
from evalstats._result import HypothesisTestResult
from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.paired.metric_resampling import ScoredPair, chunks, understand_scored_pair

METHODS = ("auto", "exact", "monte-carlo")
NOTHING_TO_EXCHANGE = "x and y have the same prediction for every instance, so exchanges have no effect"
# method='exact' raises an error above this number
MOST_OUTCOMES = 2**22
# relative to the size of the scores: a smaller difference is rounding error
ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class MetricPermutationTestResult(HypothesisTestResult):
    """Result of `metric_permutation_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float
        The value of `difference`.
    pvalue : float
        Proportion of the exchanges after which the difference is at least as extreme as the observed difference.
    method : str
        ``'exact'``: all exchanges. ``'monte-carlo'``: a random sample of the exchanges.
    metric : str
        Name of the metric.
    score_x, score_y : float
        Score of each classifier.
    difference : float
        score_x - score_y.
    standard_error : float
        Standard deviation of the difference over the exchanges, that is, under the null hypothesis.
    n_instances : int
        Number of instances.
    n_exchangeable : int
        Number of instances (or clusters) in which an exchange changes the predictions.
    n_resamples : int or None
        Number of random exchanges, or None if `method` is ``'exact'``.
    seed : int or None
        Seed of the random exchanges, or None if `method` is ``'exact'`` or `rng` was a Generator.
    n_undefined : int
        Number of exchanges after which the metric was undefined. These exchanges count as extreme.
    """

    metric: str
    score_x: float
    score_y: float
    difference: float
    standard_error: float
    n_instances: int
    n_exchangeable: int
    n_resamples: int | None
    seed: int | None
    n_undefined: int


def metric_permutation_test(
    y_true: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    *,
    metric: str | Callable[..., Any] = "f1",
    pos_label: Any = None,
    clusters: ArrayLike | None = None,
    alternative: str = "two-sided",
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
    undefined: str = "nan",
    **choices: Any,
) -> MetricPermutationTestResult:
    """Test whether two classifiers have exchangeable predictions by the difference in any metric.

    The null hypothesis is that, for each instance, the two predictions are exchangeable between the classifiers. The
    test exchanges the predictions of instances at random. The p-value is the proportion of the exchanges after which
    the difference between the scores is at least as extreme as the observed difference. The test is valid for any
    metric and any number of instances. The predictions of two classifiers that have equal scores but make different
    errors are not exchangeable. For such classifiers, the test is valid only for large samples.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels.
    x, y : array_like of shape (n,)
        Predictions of two classifiers: labels, scores or probabilities of the positive class, depending on the metric.
        Ranking scores are first replaced by their ranks, so the two classifiers do not need a common scale.
    metric : str or callable, default: 'f1'
        A name in `evalstats.metrics.METRICS`, or a function of true labels and predictions that returns a number.
    pos_label : label, optional
        The positive class. Default: 1 if the labels are 0 and 1 or -1 and 1, otherwise the greater of two labels.
    clusters : array_like of shape (n,), optional
        Cluster (patient, document, ...) of each instance. The predictions of whole clusters are exchanged, so only the
        clusters must be independent of each other.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger score (for an error, x is then worse). ``'less'``: x has the smaller score.
    method : {'auto', 'exact', 'monte-carlo'}, default: 'auto'
        ``'exact'``: all exchanges; exchanges with the same counts of labels are combined. ``'monte-carlo'``: a random
        sample of `n_resamples` exchanges. ``'auto'``: exact if the exact test computes at most `n_resamples` scores.
    n_resamples : int, default: 9999
        Number of random exchanges.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    undefined : {'nan', 'zero'}, default: 'nan'
        What to do if the metric is undefined after an exchange, such as precision without a positive prediction.
        ``'nan'``: the exchange counts as extreme, which is conservative. ``'zero'``: the score counts as 0.
    **choices
        Options of the metric, such as ``average='macro'`` or ``beta=2``.

    Returns
    -------
    MetricPermutationTestResult
        The difference and its p-value. The result also contains both scores and the standard error under the null
        hypothesis. For an interval, see `metric_bootstrap_test`.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, the metric is undefined for x or y, or an option is unknown. If
        there are too many exchanges for ``method='exact'``.
    TypeError
        If labels have different types, or the metric does not support an option.

    See Also
    --------
    mcnemar_test : the same test for the accuracy.
    metric_bootstrap_test : a test with a confidence interval for the difference.

    Notes
    -----
    A Monte Carlo p-value is (b + 1) / (m + 1). Here, b of m random exchanges lead to a difference that is at least as
    extreme as the observed difference. For labels, the score depends only on the counts of each combination (true
    label, two predictions), which are binomial. Therefore, the time does not depend on the number of instances.
    Differences that agree to within 1e-12 of the size of the scores are treated as equal. If x and y have the same
    prediction for every instance, p is 1 and `reason` states the cause.

    References
    ----------
    Noreen, E. W. (1989). Computer-Intensive Methods for Testing Hypotheses. Wiley, chapter 2.

    Yeh, A. (2000). More accurate tests for the statistical significance of result differences. International Conference
    on Computational Linguistics (COLING), 947-953.

    Phipson, B. & Smyth, G. K. (2010). Permutation p-values should never be zero. Statistical Applications in Genetics
    and Molecular Biology 9, article 39.

    Examples
    --------
    Ten instances; the second classifier misses three of the five positive instances.

    >>> from evalstats.paired import metric_permutation_test
    >>> y_true = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> x = [1, 1, 1, 1, 1, 0, 0, 0, 0, 1]
    >>> y = [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    >>> result = metric_permutation_test(y_true, x, y, metric="f1")
    >>> print(f"{result.score_x:.3f} and {result.score_y:.3f}, p = {result.pvalue}, {result.method}")
    0.909 and 0.500, p = 0.25, exact
    """
    pair = understand_scored_pair(y_true, x, y, metric, pos_label, clusters, undefined, choices)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    method = _checks.choice(method, "method", METHODS)
    n_resamples, source = _checks.resampling(n_resamples, rng)
    is_exact = _is_exact(pair, method, n_resamples)

    score_x, score_y = pair.exchanged(pair.as_observed[None])[0].tolist()
    difference = score_x - score_y

    if is_exact:
        null = _tally(_all_exchanges(pair), pair, difference, alternative)
        pvalue = float(tails.as_pvalue(null.extreme))
    else:
        null = _tally(_random_exchanges(pair, n_resamples, source.generator()), pair, difference, alternative)
        pvalue = (null.extreme + 1) / (n_resamples + 1)

    return MetricPermutationTestResult(
        statistic=difference,
        pvalue=pvalue,
        alternative=alternative,
        method="exact" if is_exact else "monte-carlo",
        reason=None if pair.n_exchangeable.size else NOTHING_TO_EXCHANGE,
        metric=pair.name,
        score_x=score_x,
        score_y=score_y,
        difference=difference,
        standard_error=null.standard_deviation,
        n_instances=pair.n_instances,
        n_exchangeable=int(pair.n_exchangeable.sum()),
        n_resamples=None if is_exact else n_resamples,
        seed=None if is_exact else source.seed,
        n_undefined=null.n_undefined,
    )


DECLARATIONS = (
    Declaration(
        function=metric_permutation_test,
        data=Data.PREDICTED_LABELS,
        excused=ONE_PROBLEM,
        inputs={"y_true, x, y": Draw("predicted_labels"), "metric": ("accuracy",), "method": ("exact",)} | SIDES,
        sentence=(
            "Permutation test of {metric}: {score_x:decimal} and {score_y:decimal} in {n_instances:count instance}, "
            "difference "
            "{difference:decimal}, {outcome}"
        ),
    ),
)


def _is_exact(pair: ScoredPair, method: str, n_resamples: int) -> bool:
    """Return whether the exact null distribution is used. The choice depends only on the predictions."""
    n_outcomes = math.prod((pair.n_exchangeable + 1).tolist())
    if method == "exact" and n_outcomes > MOST_OUTCOMES:
        raise InvalidValueError(
            f"method='exact' would take {n_outcomes:.3g} exchanges (the limit is {MOST_OUTCOMES}); use "
            "method='monte-carlo'"
        )
    return method == "exact" or (method == "auto" and n_outcomes <= n_resamples)


class _Exchanges(NamedTuple):
    """Block of exchanges: the number of units of each type in the first orientation, and their weights."""

    first: IntArray
    weight: FloatArray


def _all_exchanges(pair: ScoredPair) -> Iterator[_Exchanges]:
    """Yield each number of units of each type in the first orientation, with its binomial probability."""
    sizes = (pair.n_exchangeable + 1).tolist()
    laws = [_fair_binomial(size - 1) for size in sizes]
    for some in chunks(math.prod(sizes), pair.width):
        numbers = np.arange(some.start, some.stop)
        first = np.empty((len(numbers), len(sizes)), dtype=np.int64)
        weight = np.ones(len(numbers))
        for kind, (size, law) in enumerate(zip(sizes, laws, strict=True)):
            numbers, first[:, kind] = np.divmod(numbers, size)
            weight *= law[first[:, kind]]
        yield _Exchanges(first, weight)


def _fair_binomial(n: int) -> FloatArray:
    """Return P(K = 0), ..., P(K = n) for K binomial (n, 1/2), each correctly rounded."""
    ways, law = 1, []
    for k in range(n + 1):
        law.append(ways / (1 << n))
        ways = ways * (n - k) // (k + 1)
    return np.array(law)


def _random_exchanges(pair: ScoredPair, n_resamples: int, rng: np.random.Generator) -> Iterator[_Exchanges]:
    for some in chunks(n_resamples, pair.width):
        size = some.stop - some.start
        first = rng.binomial(pair.n_exchangeable, 0.5, size=(size, len(pair.n_exchangeable)))
        if pair.is_reversed:
            first = pair.n_exchangeable - first
        yield _Exchanges(first, np.ones(size))


class _Null(NamedTuple):
    """Null distribution of the difference over the exchanges."""

    extreme: float
    standard_deviation: float
    n_undefined: int


def _tally(exchanges: Iterator[_Exchanges], pair: ScoredPair, observed: float, alternative: str) -> _Null:
    slack = ROUNDING * max(pair.scale, abs(observed))
    extreme = total = squares = 0.0
    n_undefined = 0
    for first, weight in exchanges:
        scores = pair.exchanged(first)
        difference = scores[:, 0] - scores[:, 1]
        missing = np.isnan(difference)
        bound, difference = _towards(alternative, observed), np.where(missing, 0.0, difference)
        is_extreme = missing | (_towards(alternative, difference) >= bound - slack)
        extreme += float(weight[is_extreme].sum())
        total += float(weight[~missing].sum())
        squares += float(weight @ difference**2)  # the mean is 0, because exchanging all predictions changes the sign
        n_undefined += int(np.count_nonzero(missing))
    return _Null(extreme, math.sqrt(squares / total) if total else math.nan, n_undefined)


def _towards(alternative: str, difference: Any) -> Any:
    return {"two-sided": np.abs(difference), "greater": difference, "less": np.negative(difference)}[alternative]
