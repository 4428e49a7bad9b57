"""Jonckheere's tests for a predicted order of groups or classifiers."""

from __future__ import annotations

__all__ = ["JonckheereBlockTestResult", "JonckheereTestResult", "jonckheere_block_test", "jonckheere_test"]

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names, named
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import ClassifiersTestResult, HypothesisTestResult, reasons
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.mean_ranks import ALL_TIED, checked_ranks
from evalstats.multiple.page import checked_choices, columns_in_order

Block = tuple[tuple[int, ...], tuple[int, ...]]  # sizes of the groups, and of the ties
ALL_EQUAL = "all scores are equal"
# 'auto' is exact up to the first limit, about 0.3 s; method='exact' raises an error above the second: minutes
AUTO_ADDITIONS, MOST_ADDITIONS = 1e9, 3e11
Sizes = tuple[int, ...]  # sizes of the groups, in the predicted order
Pattern = tuple[int, ...]  # number of equal values, from the smallest value to the largest
A_CALL = 1e3  # number of additions that takes as long as a function call


@dataclass(frozen=True, kw_only=True, eq=False)
class JonckheereTestResult(HypothesisTestResult):
    """Result of `jonckheere_test`.

    Attributes
    ----------
    statistic : float or ndarray
        Jonckheere's J: the number of pairs of scores from different groups that are in the predicted order. A pair of
        equal scores counts one half.
    pvalue : float or ndarray
        The p-value, computed by `method`.
    expected : float
        The mean of J if the groups do not differ: half the number of pairs.
    standard_deviation : float or ndarray
        The standard deviation of J if the groups do not differ, given the ties.
    order_probability : float or ndarray
        J divided by the number of pairs: the estimated probability that two scores from different groups are in the
        predicted order.
    correction : bool
        Whether the normal approximation moves J by 1/2 toward `expected`.
    sizes : tuple of int
        The number of scores in each group.
    min_attainable_pvalue : float or ndarray
        The p-value of `method` if the scores followed the predicted order as closely as their ties allow.
    tie_tolerance : float
        The relative precision to which scores were rounded before the comparison.
    """

    expected: float
    standard_deviation: Any
    order_probability: Any
    correction: bool
    sizes: tuple[int, ...]
    min_attainable_pvalue: Any
    tie_tolerance: float


@dataclass(frozen=True, kw_only=True, eq=False)
class JonckheereBlockTestResult(ClassifiersTestResult):
    """Result of `jonckheere_block_test`.

    Attributes
    ----------
    statistic : float or ndarray
        The sum of Jonckheere's J over the datasets. J is the number of pairs of classifiers in which the later
        classifier is better. Ties count half.
    pvalue : float or ndarray
        The p-value, computed by `method`.
    expected : float
        The mean of the statistic if all orders are equally likely: half the number of pairs.
    standard_deviation : float or ndarray
        The standard deviation of the statistic if all orders are equally likely, given the ties.
    order_probability : float or ndarray
        The statistic divided by the number of pairs: the estimated probability that the later of two classifiers is
        better.
    correction : bool
        Whether the normal approximation moves the statistic by 1/2 toward `expected`.
    mean_ranks : ndarray of shape (..., n_classifiers)
        Mean rank of each column, in the order of the table. Rank 1 is the best.
    order : tuple of int or of column names
        The columns from the predicted worst to the predicted best.
    n_datasets, n_classifiers : int
        n and k, the shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    min_attainable_pvalue : float or ndarray
        The p-value of `method` if every dataset followed the predicted order.
    tie_tolerance : float
        The relative precision to which scores were rounded before the comparison.
    """

    expected: float
    standard_deviation: Any
    order_probability: Any
    correction: bool
    mean_ranks: FloatArray
    order: tuple[Any, ...]
    n_datasets: int
    n_classifiers: int
    min_attainable_pvalue: Any
    tie_tolerance: float


def jonckheere_test(
    samples: Sequence[Any],
    *,
    alternative: str = "greater",
    method: str = "auto",
    correction: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> JonckheereTestResult:
    """Test whether scores of independent groups increase along a predicted order (Jonckheere-Terpstra).

    The null hypothesis is that all scores have the same distribution. Predict the order before you see the scores. The
    test is for independent groups, such as runs of one classifier with increasing amounts of data. For scores on the
    same datasets, use `jonckheere_block_test` or `page_test`.

    Parameters
    ----------
    samples : sequence of array_like of shape (..., n_i)
        The scores of each of at least two groups, in the predicted order, from the smallest to the largest. Leading
        axes are batch dimensions and broadcast.
    alternative : {'two-sided', 'less', 'greater'}, default: 'greater'
        ``'greater'``: scores increase along the order. ``'less'``: scores decrease.
    method : {'auto', 'exact', 'asymptotic'}, default: 'auto'
        The null distribution of J.

        ``'exact'``: all assignments of the scores to the groups, with their ties. This method raises an error if the
        computation would take minutes.

        ``'asymptotic'``: the normal distribution, with the variance corrected for ties.

        ``'auto'``: exact if the computation takes about 0.3 s or less, otherwise asymptotic.
    correction : bool, default: True
        Continuity correction of the normal approximation: J moves by 1/2 toward its mean.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    JonckheereTestResult
        J, its p-value, and the estimated probability that two scores are in the predicted order.

    Raises
    ------
    InvalidValueError
        If there are fewer than two groups, a group is empty, a score is not finite, or an option is unknown. If
        ``'exact'`` takes too long.
    InvalidTypeError
        If the samples are not a sequence of numbers.

    See Also
    --------
    jonckheere_block_test : the test for classifiers on the same datasets.

    Notes
    -----
    J is the sum of the Mann-Whitney statistics over all pairs of groups. For two groups, the test is the Mann-Whitney
    test.

    References
    ----------
    .. [1] A. R. Jonckheere (1954). A distribution-free k-sample test against ordered alternatives. Biometrika 41,
       133-145.
    .. [2] M. Hollander, D. A. Wolfe (1999). Nonparametric Statistical Methods, 2nd edition, section 6.2.

    Examples
    --------
    Accuracy of runs with 100, 200 and 400 training instances:

    >>> from evalstats.multiple import jonckheere_test
    >>> result = jonckheere_test([[0.71, 0.74, 0.70], [0.75, 0.73, 0.78], [0.80, 0.77, 0.79]])
    >>> result.statistic, result.expected, result.method
    (25.0, 13.5, 'exact')
    >>> print(f"p = {result.pvalue:.4f}, {result.order_probability:.0%} of the pairs are in order")
    p = 0.0048, 93% of the pairs are in order
    """
    listed = _checks.listed(samples, "samples", "arrays of scores")
    tie_tolerance = _checks.tolerance(tie_tolerance, *listed)
    arrays = _groups(listed)
    alternative, method, correction = checked_choices(alternative, method, correction)
    sizes = tuple(array.shape[-1] for array in arrays)
    shape = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    pooled = np.concatenate([np.broadcast_to(a, (*shape, a.shape[-1])) for a in arrays], axis=-1)
    values = rounded(pooled, tie_tolerance)

    total = n_pairs(sizes)
    fields: dict[str, Any] = {name: np.empty(shape) for name in ("statistic", "pvalue", "smallest", "deviation")}
    null = np.empty(shape, dtype=object)
    for at in np.ndindex(shape):
        block = (sizes, _ties(values[at]))
        observed = _twice_in_order(values[at], sizes)
        most = _twice_in_order(np.sort(values[at]) if alternative != "less" else -np.sort(-values[at]), sizes)
        null[at], tail, fields["deviation"][at] = _tail([block], [observed, most], alternative, method, correction)
        fields["statistic"][at], (fields["pvalue"][at], fields["smallest"][at]) = observed / 2, tail

    return JonckheereTestResult(
        statistic=fields["statistic"],
        pvalue=fields["pvalue"],
        alternative=alternative,
        method=null.astype(str),
        reason=reasons(shape, (fields["deviation"] == 0, ALL_EQUAL)),
        expected=total / 2,
        standard_deviation=fields["deviation"],
        order_probability=fields["statistic"] / total,
        correction=correction,
        sizes=sizes,
        min_attainable_pvalue=fields["smallest"],
        tie_tolerance=tie_tolerance,
    )


def jonckheere_block_test(
    scores: Any,
    *,
    order: Sequence[Any] | None = None,
    alternative: str = "greater",
    method: str = "auto",
    correction: bool = True,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> JonckheereBlockTestResult:
    """Test whether classifiers improve along a predicted order (sum of Jonckheere statistics).

    The null hypothesis is that all orders of the classifiers are equally likely on every dataset, given its ties. The
    test has the same purpose as `page_test`. In this test, a pair of adjacent classifiers has the same weight as the
    pair of the first and the last classifier. The sum counts the pairs in which the later of two classifiers is better.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least one row and two columns. Leading axes are batch
        dimensions. Only the order within a row counts.
    order : sequence of int or of column names, optional
        All columns by index, or by name if they have names, from the predicted worst to the predicted best. None: the
        order of the columns.
    alternative : {'two-sided', 'less', 'greater'}, default: 'greater'
        ``'greater'``: the scores of the classifiers improve along the order. ``'less'``: they become worse.
    method : {'auto', 'exact', 'asymptotic'}, default: 'auto'
        The null distribution. ``'exact'``: all permutations of the observed ranks within every dataset, including ties.
        This method raises an error if the computation would take minutes. ``'asymptotic'``: the normal distribution,
        with the variance corrected for ties. ``'auto'``: exact if the computation takes about 0.3 s or less, otherwise
        asymptotic.
    correction : bool, default: True
        Continuity correction of the normal approximation: the statistic moves by 1/2 toward its mean.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    JonckheereBlockTestResult
        The number of pairs in the predicted order and its p-value. The result also contains the estimated probability
        that the later of two classifiers is better.

    Raises
    ------
    InvalidValueError
        If scores are not finite or not a table, the order is not a permutation of all columns, or an option is unknown.
        If ``'exact'`` takes too long.
    InvalidTypeError
        If the order is not a sequence.

    See Also
    --------
    page_test : the test with the same purpose that is based on rank sums.

    Notes
    -----
    Without ties, the statistic is a linear function of the mean over the datasets of Kendall's rank correlation with
    the predicted order.

    References
    ----------
    .. [1] A. R. Jonckheere (1954). A test of significance for the relation between m rankings and k ranked categories.
       British Journal of Statistical Psychology 7, 93-100.

    Examples
    --------
    A small, a medium and a large model on four datasets:

    >>> from evalstats.multiple import jonckheere_block_test
    >>> result = jonckheere_block_test([[0.71, 0.74, 0.80], [0.62, 0.66, 0.65], [0.80, 0.81, 0.85], [0.55, 0.60, 0.63]])
    >>> result.statistic, result.expected, result.method
    (11.0, 6.0, 'exact')
    >>> print(f"p = {result.pvalue:.4f}; the larger model is better in {result.order_probability:.0%}")
    p = 0.0069; the larger model is better in 92%
    """
    ranks, n, k, tie_tolerance = checked_ranks(scores, greater_is_better, tie_tolerance)
    names = column_names(scores)
    columns = columns_in_order(order, names, k)
    alternative, method, correction = checked_choices(alternative, method, correction)
    shape, sizes = ranks.shape[:-2], (1,) * k

    rows = -ranks[..., list(columns)]
    best = np.sort(rows, axis=-1) if alternative != "less" else -np.sort(-rows, axis=-1)
    fields = {name: np.empty(shape) for name in ("statistic", "pvalue", "smallest", "deviation")}
    null = np.empty(shape, dtype=object)
    for at in np.ndindex(shape):
        blocks = [(sizes, _ties(row)) for row in rows[at]]
        observed, most = (sum(_twice_in_order(row, sizes) for row in table[at]) for table in (rows, best))
        null[at], tail, fields["deviation"][at] = _tail(blocks, [observed, most], alternative, method, correction)
        fields["statistic"][at], (fields["pvalue"][at], fields["smallest"][at]) = observed / 2, tail

    total = n * n_pairs(sizes)
    return JonckheereBlockTestResult(
        statistic=fields["statistic"],
        pvalue=fields["pvalue"],
        alternative=alternative,
        method=null.astype(str),
        reason=reasons(shape, (fields["deviation"] == 0, ALL_TIED)),
        expected=total / 2,
        standard_deviation=fields["deviation"],
        order_probability=fields["statistic"] / total,
        correction=correction,
        mean_ranks=np.asarray(ranks.sum(axis=-2) / n),
        order=tuple(named(column, names) for column in columns),
        n_datasets=n,
        n_classifiers=k,
        classifiers=names,
        min_attainable_pvalue=fields["smallest"],
        tie_tolerance=tie_tolerance,
    )


def _groups(samples: list[Any]) -> list[FloatArray]:
    if len(samples) < 2:
        raise InvalidValueError(f"samples must hold two or more groups of scores, not {len(samples)}")
    arrays = []
    for i, sample in enumerate(samples):
        array = _checks.finite(_checks.numbers(sample, f"samples[{i}]"), f"samples[{i}]")
        if not array.ndim or 0 in array.shape:
            raise InvalidValueError(f"samples[{i}] must hold at least one score, but its shape is {array.shape}")
        arrays.append(array)
    try:
        np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    except ValueError as error:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise InvalidValueError(f"the leading axes of samples must broadcast, but their shapes are {shapes}") from error
    return arrays


def _ties(values: FloatArray) -> tuple[int, ...]:
    """Return the sizes of the groups of ties, from the smallest value to the largest."""
    return tuple(np.unique(values, return_counts=True)[1].tolist())


def _twice_in_order(values: FloatArray, sizes: tuple[int, ...]) -> int:
    """Return twice the number of ordered pairs of different groups. Ties count half."""
    twice, seen = 0, np.sort(values[: sizes[0]])
    for start, size in zip(np.cumsum(sizes[:-1]).tolist(), sizes[1:], strict=True):
        group = values[start : start + size]
        twice += int((np.searchsorted(seen, group, "left") + np.searchsorted(seen, group, "right")).sum())
        seen = np.sort(values[: start + size])
    return twice


def _tail(
    blocks: list[Block], observed: list[int], alternative: str, method: str, correction: bool
) -> tuple[str, FloatArray, float]:
    """Return the null distribution, the p-value of each sum of doubled pair counts, and its standard deviation."""
    expected, variance = (sum(part) for part in zip(*(moments(*block) for block in blocks), strict=True))
    excess = np.array(observed) - 2 * expected  # twice the standard deviation of J
    if variance == 0:
        return "exact" if method != "asymptotic" else method, np.ones(len(observed)), 0.0
    work = _work(blocks)
    if method == "exact" and work > MOST_ADDITIONS:
        raise InvalidValueError(
            f"method='exact' would take about {work:.0e} additions (the limit is {MOST_ADDITIONS:.0e}); "
            "use method='asymptotic'"
        )
    side = {"greater": 1, "less": -1, "two-sided": 0}[alternative]
    if method == "exact" or (method == "auto" and work <= AUTO_ADDITIONS):
        law = law_of_sum([law_of_pairs(*block) for block in sorted(blocks)])
        return "exact", _exact_pvalue(law, excess, side), math.sqrt(variance)
    towards = (np.sign(excess) if side == 0 else side) * (1.0 if correction else 0.0)
    z = (excess - towards) / (2 * math.sqrt(variance))
    pvalue = tails.normal_pvalue(z if side == 0 else side * z, "two-sided" if side == 0 else "greater")
    return "asymptotic", pvalue, math.sqrt(variance)


def _exact_pvalue(law: FloatArray, excess: FloatArray, side: int) -> FloatArray:
    """Return the tail probability of each excess; for a two-sided test, add both tails at the same distance."""
    distance = np.arange(len(law)) - (len(law) - 1) / 2
    measured = np.abs(distance) if side == 0 else side * distance
    wanted = np.abs(excess) if side == 0 else side * excess
    lowest = measured[law > 0].min()
    return tails.as_pvalue([law[measured >= w].sum() if w > lowest else 1.0 for w in wanted.tolist()])


def _work(blocks: list[Block]) -> float:
    """Estimate the number of additions for the distributions of the blocks and of their sum."""
    laws = sum(law_work(*block) for block in set(blocks))
    length = 2 * n_pairs(blocks[0][0]) + 1
    return laws + float(length) ** 2 * len(blocks) * (len(blocks) - 1) / 2


# Two values of the same group are not a pair, and a pair of equal values counts half. All distributions are of twice
# the number of pairs in order, from 0. Only positive numbers are added, so the far tail is as accurate as the middle.
def n_pairs(sizes: Sizes) -> int:
    """Count the pairs of values from different groups."""
    return (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2


@lru_cache(maxsize=256)
def law_of_pairs(sizes: Sizes, pattern: Pattern) -> FloatArray:
    """Return the probabilities of 0, 1, ..., 2 n_pairs: twice the number of pairs in order."""
    law = _untied(sizes) if max(pattern) == 1 else _tied(sizes, pattern)
    law.flags.writeable = False
    return law


def law_of_sum(laws: Sequence[FloatArray]) -> FloatArray:
    """Return the distribution of the sum of independent numbers."""
    total: FloatArray = np.ones(1)
    for law in laws:
        total = np.convolve(total, law)
    return total


def law_work(sizes: Sizes, pattern: Pattern) -> float:
    """Estimate the number of additions of `law_of_pairs`."""
    length = 2 * n_pairs(sizes) + 1
    if max(pattern) == 1:
        before = list(itertools.accumulate(sizes, initial=0))[:-1]
        steps = sum(m * n * (m * n + A_CALL) for m, n in zip(before, sizes, strict=True))
        return steps + sum(m * n for m, n in zip(before, sizes, strict=True)) * length
    states = math.prod(size + 1 for size in sizes)
    ways = max(math.comb(equal + len(sizes) - 1, equal) for equal in pattern)
    return float(states) * ways * (length + 10 * A_CALL)


def moments(sizes: Sizes, pattern: Pattern) -> tuple[float, float]:
    """Return the mean and the variance of the number of pairs in order; Hollander & Wolfe (1999), 6.12 and 6.19."""
    n = sum(sizes)

    def sums(counts: Sequence[int]) -> tuple[int, int, int]:
        return (
            sum(c * (c - 1) * (2 * c + 5) for c in counts),
            sum(c * (c - 1) * (c - 2) for c in counts),
            sum(c * (c - 1) for c in counts),
        )

    groups, ties = sums(sizes), sums(pattern)
    variance = (n * (n - 1) * (2 * n + 5) - groups[0] - ties[0]) / 72
    if n > 2:
        variance += groups[1] * ties[1] / (36 * n * (n - 1) * (n - 2))
    if n > 1:
        variance += groups[2] * ties[2] / (8 * n * (n - 1))
    return n_pairs(sizes) / 2, variance if len(pattern) > 1 else 0.0


def _untied(sizes: Sizes) -> FloatArray:
    """Return the distribution without ties: a sum of independent Mann-Whitney statistics."""
    before, counts = 0, [np.ones(1)]
    for size in sizes:
        counts.append(_mann_whitney(before, size))
        before += size
    law = law_of_sum(counts)
    twice = np.zeros(2 * len(law) - 1)
    twice[::2] = law
    return twice


def _mann_whitney(m: int, n: int) -> FloatArray:
    """Return the distribution of the Mann-Whitney statistic of n and m values."""
    laws = [np.ones(1)] * (m + 1)  # distribution for j values and i other values, for every i
    for j in range(1, n + 1):
        for i in range(1, m + 1):
            law = np.zeros(i * j + 1)
            law[i:] = j / (i + j) * laws[i]  # number of pairs if the largest value is one of the j values
            law[: (i - 1) * j + 1] += i / (i + j) * laws[i - 1]
            laws[i] = law
    return laws[m]


def _tied(sizes: Sizes, pattern: Pattern) -> FloatArray:
    """Return the distribution with ties, by assigning the groups of equal values in ascending order."""
    k, length = len(sizes), 2 * n_pairs(sizes) + 1
    laws = {(0,) * k: np.zeros(length)}
    laws[(0,) * k][0] = 1.0
    for equal in pattern:
        moved: dict[Sizes, FloatArray] = {}
        for used, law in laws.items():
            room = [size - u for size, u in zip(sizes, used, strict=True)]
            for chosen in _shares(equal, room):
                # pairs with smaller values count twice, pairs of equal values once
                gain = sum(chosen[h] * (2 * used[g] + chosen[g]) for h in range(k) for g in range(h))
                weight = math.prod(math.comb(r, c) for r, c in zip(room, chosen, strict=True)) / math.comb(
                    sum(room), equal
                )
                state = tuple(u + c for u, c in zip(used, chosen, strict=True))
                target = moved.setdefault(state, np.zeros(length))
                target[gain:] += weight * law[: length - gain]
        laws = moved
    return laws[sizes]


def _shares(n: int, room: Sequence[int]) -> Iterator[Sizes]:
    """Yield all ways to distribute n items to groups with given capacities."""
    if len(room) == 1:
        if n <= room[0]:
            yield (n,)
        return
    for first in range(min(n, room[0]) + 1):
        for others in _shares(n - first, room[1:]):
            yield (first, *others)
