"""Confidence sets for the ranks of models, from estimates and their covariance."""

from __future__ import annotations

__all__ = ["RankConfidenceSets", "rank_confidence_sets"]

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray, IndexArray, IntArray
from evalstats.distributions import studentized_range
from evalstats.distributions import tail_probabilities as tails

METHODS = ("step-down", "single-step")
NO_ERROR = (
    "the differences between some models have no standard error, so the order of these models is unknown and the "
    "confidence sets are wide"
)
NUMBERS_IN_ALL = 4 * 10**7
FEWEST_DRAWS, MOST_DRAWS = 10_000, 200_000
EQUAL = 1e-9  # tolerance for variances that are equal up to rounding
SLACK = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class RankConfidenceSets(Record):
    """Result of `rank_confidence_sets`.

    Attributes
    ----------
    rank : ndarray of int, of shape (k,)
        Rank of each estimate. Rank 1 is the best, and ties get the smallest of their ranks.
    lower, upper : ndarray of int, of shape (k,)
        Smallest and largest rank in the confidence set of each model.
    best : ndarray of bool, of shape (k,)
        Whether the rank of the model may be `n_best` or smaller.
    n_best : int
        The value of the argument.
    pvalue : ndarray of shape (k, k)
        p-values of the differences, adjusted for all pairs (max-t). For sets of individual models, they are adjusted
        only for the pairs of the row. The p-value is 1 on the diagonal, and nan if the difference has no standard
        error.
    critical_value : float or ndarray of shape (k,)
        Quantile of the largest standardized difference in the last step. For sets of individual models, there is one
        quantile for each model.
    confidence_level : float
        Requested confidence level.
    method : str
        ``'step-down'`` or ``'single-step'``.
    simultaneous : bool
        Whether the level applies to the sets of all models together.
    df : float
        Degrees of freedom, or infinity for the normal distribution.
    distribution : str
        ``'exact'``: Student's or the studentized range distribution. ``'monte-carlo'``: a simulated distribution.
    n_resamples : int or None
        Number of simulated vectors, or None if `distribution` is ``'exact'``.
    seed : int or None
        Seed of the simulation, or None if `distribution` is ``'exact'`` or `rng` was a Generator.
    reason : str or None
        A sentence if some differences have no standard error, otherwise None.
    """

    rank: IntArray
    lower: IntArray
    upper: IntArray
    best: BoolArray
    n_best: int
    pvalue: FloatArray
    critical_value: Any
    confidence_level: float
    method: str
    simultaneous: bool
    df: float
    distribution: str
    n_resamples: int | None
    seed: int | None
    reason: str | None


class _Pairs(NamedTuple):
    """Pairs with a standard error, their t statistics and their standard errors."""

    i: IndexArray
    j: IndexArray
    t: FloatArray
    error: FloatArray

    def of(self, which: Any) -> _Pairs:
        return _Pairs(self.i[which], self.j[which], self.t[which], self.error[which])


def rank_confidence_sets(
    estimate: ArrayLike,
    covariance: ArrayLike,
    *,
    df: float = math.inf,
    confidence_level: float = 0.95,
    method: str = "step-down",
    simultaneous: bool = True,
    n_best: int = 1,
    greater_is_better: bool = True,
    n_resamples: int | None = None,
    rng: Any = None,
) -> RankConfidenceSets:
    """Compute a confidence set for the rank of each model.

    The set contains all ranks that are consistent with the confidence intervals for the differences. If a model is
    significantly better than another model, its rank is smaller. With `simultaneous`, the probability that all sets
    contain the true ranks is at least the confidence level.

    Parameters
    ----------
    estimate : array_like of shape (k,)
        Estimates of k models, such as the log-strengths of `bradley_terry_from_battles`, or mean scores.
    covariance : array_like of shape (k, k)
        Covariance matrix of the estimates.
    df : float, default: infinity
        Degrees of freedom of the covariance, 1 or more, for Student's t distribution instead of the normal
        distribution.
    confidence_level : float, default: 0.95
        Probability that the sets contain the true ranks: all sets simultaneously, or each set separately.
    method : {'step-down', 'single-step'}, default: 'step-down'
        ``'step-down'``: the significant pairs are left out, and the remaining pairs are compared again with a smaller
        critical value. These steps continue until no further pair is significant. The sets are never larger than with
        ``'single-step'``. ``'single-step'``: one critical value for all pairs.
    simultaneous : bool, default: True
        True: the level applies to all sets together. False: the level applies to the set of one model, which you chose
        before you saw the data.
    n_best : int, default: 1
        `best` marks all models whose rank may be at most this number.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest estimate then has rank 1.
    n_resamples : int, optional
        Number of simulated vectors of estimates. Default: 10,000 to 200,000, with fewer for many models. No simulation
        is necessary for two models, or in the first step if all differences have the same variance.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    RankConfidenceSets
        The ranks with their sets, the set of the best models, and the adjusted p-values of all pairs.

    Raises
    ------
    ValueError, TypeError
        If the covariance does not match the estimates or is not symmetric, or if an option is unknown.

    See Also
    --------
    bradley_terry_from_battles : the strengths of models, estimated from battles.
    rank_distribution : the ranks in bootstrap samples of datasets.

    References
    ----------
    Mogstad, M., Romano, J. P., Shaikh, A. M. & Wilhelm, D. (2024). Inference for ranks with applications to mobility
    across neighbourhoods and academic achievement across countries. Review of Economic Studies 91, 476-518.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.multiple import rank_confidence_sets
    >>> sets = rank_confidence_sets([1, 2, 2.5, 4, 4.2], 0.25 * np.eye(5), method="single-step")
    >>> sets.lower, sets.upper
    (array([3, 3, 1, 1, 1]), array([5, 5, 5, 3, 3]))
    """
    values, matrix = _understood(estimate, covariance)
    k = len(values)
    freedom = _checks.real(df, "df")
    if not freedom >= 1:
        raise InvalidValueError(f"df must be 1 or more, not {freedom:g}")
    level = _checks.confidence_level(confidence_level)
    method = _checks.choice(method, "method", METHODS)
    simultaneous = _checks.boolean(simultaneous, "simultaneous")
    n_best = _checks.count(n_best, "n_best")
    if not _checks.boolean(greater_is_better, "greater_is_better"):
        values = -values
    source = _checks.random_source(rng)
    if n_resamples is not None:
        n_resamples = _checks.count(n_resamples, "n_resamples")

    pairs = _pairs(values, matrix)
    simulation = _Simulation(matrix, len(pairs.i), freedom, n_resamples, source)
    families = [np.ones(len(pairs.i), bool)] if simultaneous else [(pairs.i == m) | (pairs.j == m) for m in range(k)]
    lower, upper = np.ones(k, dtype=np.int64), np.full(k, k, dtype=np.int64)
    pvalue, critical = np.full((k, k), np.nan), np.full(len(families), np.nan)
    np.fill_diagonal(pvalue, 1.0)
    for m, family in enumerate(families):
        own = pairs.of(family)
        if not len(own.i):
            continue
        rejected, critical[m], adjusted = _tested(own, simulation, level, method)
        above = np.where(own.t > 0, own.i, own.j)[rejected]
        below = np.where(own.t > 0, own.j, own.i)[rejected]
        if simultaneous:
            pvalue[own.i, own.j] = pvalue[own.j, own.i] = adjusted
            lower += np.bincount(below, minlength=k)
            upper -= np.bincount(above, minlength=k)
        else:
            pvalue[m, np.where(own.i == m, own.j, own.i)] = adjusted
            lower[m], upper[m] = 1 + (below == m).sum(), k - (above == m).sum()
    n_drawn = simulation.n if simulation.is_used else None
    return RankConfidenceSets(
        rank=1 + (values[None, :] > values[:, None]).sum(axis=1),
        lower=lower,
        upper=upper,
        best=lower <= n_best,
        n_best=n_best,
        pvalue=pvalue,
        critical_value=float(critical[0]) if simultaneous else critical,
        confidence_level=level,
        method=method,
        simultaneous=simultaneous,
        df=freedom,
        distribution="exact" if n_drawn is None else "monte-carlo",
        n_resamples=n_drawn,
        seed=None if n_drawn is None else source.seed,
        reason=NO_ERROR if len(pairs.i) < k * (k - 1) // 2 else None,
    )


def _understood(estimate: Any, covariance: Any) -> tuple[FloatArray, FloatArray]:
    values, matrix = _checks.numbers(estimate, "estimate"), _checks.numbers(covariance, "covariance")
    if np.isnan(values).any():
        at = int(np.flatnonzero(np.isnan(values))[0])
        raise InvalidValueError(f"estimate must hold numbers or infinity, but estimate[{at}] is nan, which has no rank")
    _labels.square_labels(covariance, "covariance")
    _labels.same_labels(rows=["covariance"], covariance=covariance, estimate=estimate)
    if values.ndim != 1 or len(values) < 2:
        raise InvalidValueError(f"estimate must have the shape (k,), with k of 2 or more, not {values.shape}")
    k = len(values)
    if matrix.shape != (k, k):
        raise InvalidValueError(f"covariance must have the shape {(k, k)}, not {matrix.shape}")
    known = np.isfinite(matrix)
    if not np.allclose(np.where(known, matrix, 0), np.where(known.T, matrix.T, 0), rtol=1e-8, atol=1e-300):
        raise InvalidValueError("covariance must be symmetric")
    if (np.diag(matrix) < 0).any():
        raise InvalidValueError("covariance must not contain negative variances")
    return values, matrix


def _pairs(values: FloatArray, matrix: FloatArray) -> _Pairs:
    """Return the pairs whose difference has a positive variance."""
    variance = np.diag(matrix)
    i, j = np.triu_indices(len(values), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        square = variance[i] + variance[j] - 2 * matrix[i, j]
        square = np.where(square > 1e-14 * (variance[i] + variance[j]), square, np.nan)
        error = np.sqrt(square)
        t = (values[i] - values[j]) / error
    known = np.isfinite(t)
    return _Pairs(i[known], j[known], t[known], error[known])


class _Simulation:
    """Normal vectors with mean 0 and the covariance of the estimates, drawn on demand."""

    def __init__(self, matrix: FloatArray, n_pairs: int, df: float, n: int | None, source: Any) -> None:
        self.n = n or min(max(NUMBERS_IN_ALL // max(n_pairs, 1), FEWEST_DRAWS), MOST_DRAWS)
        self.df, self.source, self.is_used = df, source, False
        self._matrix = matrix

    @cached_property
    def vectors(self) -> FloatArray:
        """Vectors of shape (k, n); models without a variance stay at 0."""
        self.is_used = True
        rng = self.source.generator()
        known = np.isfinite(np.diag(self._matrix))
        values, vectors = np.linalg.eigh(self._matrix[np.ix_(known, known)])
        drawn = np.zeros((len(self._matrix), self.n))
        noise = rng.standard_normal((int(known.sum()), self.n))
        drawn[known] = (vectors * np.sqrt(np.maximum(values, 0))) @ noise
        if self.df < math.inf:
            drawn /= np.sqrt(rng.chisquare(self.df, self.n) / self.df)
        return drawn

    def of(self, pairs: _Pairs, at: int) -> FloatArray:
        """Return the absolute t of one pair in each vector."""
        return np.asarray(np.abs(self.vectors[pairs.i[at]] - self.vectors[pairs.j[at]]) / pairs.error[at])

    def quantile(self, pairs: _Pairs, level: float) -> float:
        """Return the quantile of the largest absolute t, which agrees with p-values of (b + 1) / (n + 1)."""
        largest = np.zeros(self.n)
        for at in range(len(pairs.i)):
            np.maximum(largest, self.of(pairs, at), out=largest)
        place = min(math.ceil(level * (self.n + 1)), self.n) - 1
        return float(np.partition(largest, place)[place])


def _tested(pairs: _Pairs, simulation: _Simulation, level: float, method: str) -> tuple[BoolArray, float, FloatArray]:
    """Return the rejected pairs, the last critical value, and the adjusted p-values.

    In a single step, the p-value is the probability that the largest t of all pairs is at least as large as the t of
    the pair. In a step-down test, the maximum is over the pairs with at most this t. The p-value is at least the
    p-values of the pairs with a larger t (Romano & Wolf 2016, section 2).
    """
    size, n = np.abs(pairs.t), simulation.n
    is_exact = _has_exact_law(pairs)
    if is_exact and (method == "single-step" or len(size) == 1):
        adjusted = _tail(size, pairs, simulation.df)
        return adjusted <= 1 - level + SLACK, _exact_quantile(pairs, simulation.df, level), adjusted
    order = np.argsort(size, kind="stable")
    largest, counts = np.zeros(n), np.empty(len(size))
    for at in order.tolist():
        np.maximum(largest, simulation.of(pairs, at), out=largest)
        if method == "step-down":
            counts[at] = np.count_nonzero(largest >= size[at])
    if method == "single-step":
        counts = np.asarray(n - np.searchsorted(np.sort(largest), size, side="left"), dtype=np.float64)
    adjusted = (counts + 1) / (n + 1)
    if is_exact:
        adjusted[order[-1]] = _tail(size[order[-1:]], pairs, simulation.df)[0]
    adjusted[order[::-1]] = np.maximum.accumulate(adjusted[order[::-1]])
    # a p-value of 0.05 must not be above 1 - 0.95
    rejected = adjusted <= 1 - level + SLACK
    left = pairs.of(slice(None) if method == "single-step" or rejected.all() else ~rejected)
    exact = _has_exact_law(left)
    return (
        rejected,
        (_exact_quantile(left, simulation.df, level) if exact else simulation.quantile(left, level)),
        adjusted,
    )


def _has_exact_law(pairs: _Pairs) -> bool:
    """Return whether the largest statistic is a studentized range: all pairs of a set of models, equal variances."""
    models = _n_models(pairs)
    is_whole = len(pairs.i) == models * (models - 1) // 2
    return is_whole and float(np.ptp(pairs.error)) <= EQUAL * float(pairs.error.max())


def _n_models(pairs: _Pairs) -> int:
    return len(set(pairs.i.tolist()) | set(pairs.j.tolist()))


def _tail(t: FloatArray, pairs: _Pairs, df: float) -> FloatArray:
    return tails.as_pvalue(studentized_range.sf(t * math.sqrt(2), _n_models(pairs), df))


def _exact_quantile(pairs: _Pairs, df: float, level: float) -> float:
    return float(studentized_range.isf(1 - level, _n_models(pairs), df)) / math.sqrt(2)
