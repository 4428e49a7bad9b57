"""Page's test for a predicted order of classifiers."""

from __future__ import annotations

__all__ = ["PageTestResult", "checked_choices", "columns_in_order", "page_test"]

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import ALTERNATIVES
from evalstats._declarations import Data, Declaration
from evalstats._errors import InvalidTypeError, InvalidValueError, listed, short
from evalstats._labels import column_names, named
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import ClassifiersTestResult, reasons
from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.mean_ranks import ALL_TIED, checked_ranks

Pattern = tuple[int, ...]

METHODS = ("auto", "exact", "asymptotic")

# 'auto' is exact up to the first limit, about 0.3 s; 'exact' raises an error above the others: minutes, 1 GiB
AUTO_ADDITIONS, MOST_ADDITIONS = 2.5e8, 1e11
AUTO_CELLS, MOST_CELLS = 2**22, 2**27


@dataclass(frozen=True, kw_only=True, eq=False)
class PageTestResult(ClassifiersTestResult):
    """Result of `page_test`.

    Attributes
    ----------
    statistic : float or ndarray
        Page's L: the sum over the classifiers of the position in the predicted order times the rank sum. In this sum,
        the worst score has rank 1.
    pvalue : float or ndarray
        The p-value, computed by `method`.
    alternative : str
        The value of the argument `alternative`.
    method : str or ndarray of str
        The null distribution that was used: ``'exact'`` or ``'asymptotic'``.
    reason : str, None or ndarray of object
        A sentence if the input was degenerate, otherwise None.
    expected : float
        The mean of L if all orders are equally likely: n k (k + 1)^2 / 4.
    standard_deviation : float or ndarray
        The standard deviation of L if all orders are equally likely, given the ties.
    correction : bool
        Whether the normal approximation moves L by 1/2 toward `expected`.
    mean_spearman : float or ndarray
        Mean over the datasets of Spearman's correlation between the scores and the predicted order. It is 1 for a
        perfect trend. Datasets on which all classifiers are tied are omitted. The mean is nan if no dataset remains.
    mean_ranks : ndarray of shape (..., n_classifiers)
        Mean rank of each column, in the order of the table. Rank 1 is the best, as in all other tests.
    order : tuple of int or of column names
        The columns from the predicted worst to the predicted best.
    n_datasets, n_classifiers : int
        n and k, the shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    min_attainable_pvalue : float or ndarray
        The p-value of `method` if every dataset followed the predicted order, in the direction of the alternative.
    tie_tolerance : float
        The relative precision to which scores were rounded before the comparison.
    """

    expected: float
    standard_deviation: Any
    correction: bool
    mean_spearman: Any
    mean_ranks: FloatArray
    order: tuple[Any, ...]
    n_datasets: int
    n_classifiers: int
    min_attainable_pvalue: Any
    tie_tolerance: float


def page_test(
    scores: Any,
    *,
    order: Sequence[Any] | None = None,
    alternative: str = "greater",
    method: str = "auto",
    correction: bool = True,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> PageTestResult:
    """Test whether classifiers improve along a predicted order (Page's test).

    The null hypothesis is that all orders of the classifiers are equally likely on every dataset, given its ties.
    Predict the order before you see the scores, for example from the size of a model or of its training set. If the
    prediction is correct, this test needs fewer datasets than `friedman_test`, which tests for differences of any kind.

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
        The null distribution of L.

        ``'exact'``: all permutations of the ranks within every dataset, including ties. This method raises an error if
        the computation would take minutes.

        ``'asymptotic'``: the normal distribution, with the variance corrected for ties.

        ``'auto'``: exact if the computation takes about 0.3 s or less, otherwise asymptotic. Without ties, the
        computation is fast enough for up to 1000 datasets of 5 classifiers and 130 of 10. It is too slow for more than
        13 classifiers.
    correction : bool, default: True
        Continuity correction of the normal approximation: L moves by 1/2 toward its mean, because L is an integer (with
        ties, a multiple of one half).
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    PageTestResult
        L and its p-value. The result also contains `mean_spearman`, which measures the strength of the trend.

    Raises
    ------
    InvalidValueError
        If scores are not finite or not a table, the order is not a permutation of all columns, or an option is unknown.
        If ``'exact'`` takes too long.
    InvalidTypeError
        If the order is not a sequence.

    See Also
    --------
    friedman_test : the test for differences of any kind.

    References
    ----------
    .. [1] E. B. Page (1963). Ordered hypotheses for multiple treatments: a significance test for linear ranks. Journal
       of the American Statistical Association 58, 216-230.

    Examples
    --------
    A small, a medium and a large model on four datasets:

    >>> from evalstats.multiple import page_test
    >>> result = page_test([[0.71, 0.74, 0.80], [0.62, 0.66, 0.65], [0.80, 0.81, 0.85], [0.55, 0.60, 0.63]])
    >>> result.statistic, result.method
    (55.0, 'exact')
    >>> print(f"p = {result.pvalue:.4f}, mean correlation {result.mean_spearman:.3f}")
    p = 0.0069, mean correlation 0.875
    """
    ranks, n, k, tie_tolerance = checked_ranks(scores, greater_is_better, tie_tolerance)
    names = column_names(scores)
    columns = columns_in_order(order, names, k)
    alternative, method, correction = checked_choices(alternative, method, correction)
    shape = ranks.shape[:-2]

    place = 2 * np.arange(1, k + 1) - (k + 1)  # both doubled and centered: integers
    rows = (k + 1) - 2 * ranks[..., list(columns)]
    excess = rows.sum(axis=-2) @ place  # 4 (L - E L)
    most = (np.sort(rows, axis=-1) @ place).sum(axis=-1)
    squares = (rows**2).sum(axis=-1)
    variance = squares.sum(axis=-1) * float(place @ place) / (k - 1)  # of the excess

    side = {"greater": 1, "less": -1, "two-sided": 0}[alternative]
    extremes = np.stack([excess, most if side >= 0 else -most])
    pvalue = _normal_pvalue(extremes, variance, side, 2.0 if correction else 0.0)
    null = np.full(shape, "asymptotic")
    for at in np.ndindex(shape):
        patterns = [tuple(row) for row in np.sort(rows[at], axis=-1).astype(int).tolist() if row[0] != row[-1]]
        if method == "exact" or (method == "auto" and _is_affordable(patterns, AUTO_ADDITIONS, AUTO_CELLS)):
            null[at] = "exact"
            pvalue[:, *at] = _exact_pvalues(patterns, extremes[:, *at], side)

    return PageTestResult(
        statistic=n * k * (k + 1) ** 2 / 4 + excess / 4,
        pvalue=pvalue[0],
        alternative=alternative,
        method=null,
        reason=reasons(shape, (most == 0, ALL_TIED)),
        expected=n * k * (k + 1) ** 2 / 4,
        standard_deviation=np.sqrt(variance) / 4,
        correction=correction,
        mean_spearman=_mean_spearman(rows, place),
        mean_ranks=np.asarray(ranks.sum(axis=-2) / n),
        order=tuple(named(column, names) for column in columns),
        n_datasets=n,
        n_classifiers=k,
        classifiers=names,
        min_attainable_pvalue=pvalue[1],
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=page_test,
        data=Data.TABLE,
        sentence="Page test of a trend: L = {statistic:g}, expected {expected:g}, {outcome}",
    ),
)


def checked_choices(alternative: Any, method: Any, correction: Any) -> tuple[str, str, bool]:
    """Check the alternative, the method and the correction of a test of an order."""
    return (
        _checks.choice(alternative, "alternative", ALTERNATIVES),
        _checks.choice(method, "method", METHODS),
        _checks.boolean(correction, "correction"),
    )


def columns_in_order(order: Any, names: tuple[Any, ...] | None, k: int) -> tuple[int, ...]:
    """Return the columns in the predicted order, given as indices or names."""
    if order is None:
        return tuple(range(k))
    given = _checks.listed(order, "order", "columns")
    if isinstance(order, set | frozenset) or any(isinstance(column, np.ndarray) for column in given):
        raise InvalidTypeError(f"order must be a sequence of columns, not {short(order)}")
    known = range(k) if names is None else names
    if len(given) != k or any(given.count(name) != 1 for name in known):
        raise InvalidValueError(f"order must name each of the columns {listed(known)} once, but it is {short(given)}")
    return tuple(known.index(name) for name in given)


def _normal_pvalue(excess: FloatArray, variance: FloatArray, side: int, continuity: float) -> FloatArray:
    """Return the normal tail probability of 4 (L - E L) with continuity correction, or 1 if the variance is 0."""
    towards = continuity * (np.sign(excess) if side == 0 else side)
    z = (excess - towards) / np.sqrt(np.where(variance > 0, variance, 1.0))
    pvalue = tails.normal_pvalue(z if side == 0 else side * z, "two-sided" if side == 0 else "greater")
    return np.where(variance > 0, pvalue, 1.0)


def _mean_spearman(rows: FloatArray, place: IntArray) -> FloatArray:
    squares = (rows**2).sum(axis=-1)
    varies = squares > 0
    correlation = np.where(varies, rows @ place / np.sqrt(np.where(varies, squares, 1.0) * float(place @ place)), 0.0)
    count = varies.sum(axis=-1)
    return np.where(count > 0, correlation.sum(axis=-1) / np.maximum(count, 1), np.nan)


# The exact distribution is the convolution of the distributions of the datasets. Only positive numbers are added, so
# the far tail is as accurate as the middle.


def _exact_pvalues(patterns: list[Pattern], excess: FloatArray, side: int) -> FloatArray:
    """Return the tail probability of each excess 4 (L - E L). The distribution is symmetric."""
    if not _is_affordable(patterns, MOST_ADDITIONS, MOST_CELLS):
        raise InvalidValueError(
            f"method='exact' would take more than {MOST_ADDITIONS:.0e} additions or {8 * MOST_CELLS:.0e} bytes for "
            f"{len(patterns)} datasets and {len(patterns[0])} classifiers; use method='asymptotic'"
        )
    unit, law = _law_of_sum(patterns)
    wanted = np.abs(excess) if side == 0 else side * excess
    middle = (len(law) - 1) / 2
    right_tails = law[::-1].cumsum()[::-1]  # cumulative from the largest value: P(at least)
    first = np.rint(wanted / unit + middle).astype(int)
    tail = right_tails[first] * np.where((side == 0) & (wanted > 0), 2.0, 1.0)
    return np.where((side == 0) & (wanted == 0), 1.0, tails.as_pvalue(tail))


def _law_of_sum(patterns: list[Pattern]) -> tuple[int, FloatArray]:
    """Return the distribution of the sum over the datasets, from the smallest to the largest value in unit steps."""
    if not patterns:
        return 1, np.ones(1)
    unit = math.gcd(*(_step(pattern) for pattern in patterns))
    total = np.ones(1)
    for pattern in sorted(patterns):
        law = _law_of_one(pattern)
        stride = _step(pattern) // unit
        spaced = np.zeros((len(law) - 1) * stride + 1)
        spaced[::stride] = law
        total = np.convolve(total, spaced)
    return unit, total


@lru_cache(maxsize=256)
def _law_of_one(pattern: Pattern) -> FloatArray:
    """Return the probabilities of sum_j position_j r_j over all distinct orders of the ranks of one dataset.

    The positions are filled one after the other. A state is how often each distinct rank was used. For each
    state, the function counts the orders that lead to each sum. The counts are exact for up to 18 classifiers.
    """
    k, (values, counts) = len(pattern), np.unique(pattern, return_counts=True)
    gaps = (values - values[0]) // _gap(pattern)
    stride = np.cumprod([1, *(counts[:-1] + 1)])
    width = int(np.repeat(gaps, counts) @ np.arange(k)) + 1  # positions 0 to k - 1 change the sum by a constant
    orders = np.zeros((int(np.prod(counts + 1)), width))
    orders[0, 0] = 1
    for state in range(len(orders) - 1):
        used = state // stride % (counts + 1)
        j = int(used.sum())
        for gap, step in zip(gaps[used < counts].tolist(), stride[used < counts].tolist(), strict=True):
            orders[state + step, gap * j :] += orders[state, : width - gap * j]
    law: FloatArray = orders[-1, np.flatnonzero(orders[-1])[0] :]
    law = law / law.sum()
    law.flags.writeable = False
    return law


def _gap(pattern: Pattern) -> int:
    """Return the greatest common divisor of all differences of the doubled ranks."""
    return math.gcd(*(value - pattern[0] for value in pattern))


def _step(pattern: Pattern) -> int:
    """Return the unit of 4 (L - E L) with doubled positions."""
    return 2 * _gap(pattern)


def _is_affordable(patterns: list[Pattern], most_additions: float, most_cells: float) -> bool:
    if not patterns:
        return True
    distinct = set(patterns)
    k = len(patterns[0])
    cells = max(
        math.prod(pattern.count(value) + 1 for value in set(pattern)) * _length(pattern, _step(pattern))
        for pattern in distinct
    )
    unit = math.gcd(*(_step(pattern) for pattern in distinct))
    lengths = np.array([_length(pattern, unit) for pattern in patterns], dtype=np.float64)
    additions = float((lengths.cumsum() * lengths).sum()) + len(distinct) * cells * k / 2
    return cells <= most_cells and lengths.sum() <= most_cells and additions <= most_additions


def _length(pattern: Pattern, unit: int) -> int:
    """Count the unit steps between the smallest and the largest sum of positions times ranks."""
    k = len(pattern)
    return 2 * sum((2 * j - (k + 1)) * value for j, value in enumerate(pattern, start=1)) // unit + 1
