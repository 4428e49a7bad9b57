"""The Wilcoxon signed-rank test of paired differences."""

from __future__ import annotations

__all__ = ["WilcoxonConvention", "WilcoxonConventions", "WilcoxonTestResult", "wilcoxon_test"]

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import CONFIDENCE_LEVELS, OF_SIZES, Data, Declaration, Draw
from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, extent
from evalstats._result import ConfidenceInterval, HypothesisTestResult, Record, reasons, unbatch
from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.signed_rank import cdf_of_rows, untied_law, walsh_averages, walsh_median

EXACT_UP_TO = 10_000  # number of nonzero differences: about 10 ms for one problem, measured
RANKS_AT_ONCE = 1 << 20  # 8 MB: exact tails of many problems are computed together
CHUNK = 1 << 14  # differences in one pass, which fit into a second-level cache

NO_DIFFERENCE = "all differences are zero"
# numbers of pairs: without ties and zeros, SciPy is exact up to 50, R below 50; otherwise SciPy permutes up to 13
SCIPY_EXACT, SCIPY_PERMUTES, R_ASYMPTOTIC = 50, 13, 50


@dataclass(frozen=True, kw_only=True, eq=False)
class WilcoxonTestResult(HypothesisTestResult):
    """Result of `wilcoxon_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        W+, the sum of the ranks of the positive differences (V in R), for every alternative. With ``'zsplit'``, the sum
        includes half of the ranks of the zeros.
    pvalue : float or ndarray
        The p-value, or 1 if all differences are zero.
    method : str or ndarray of str
        ``'exact'`` or ``'asymptotic'``: the null distribution that was used.
    reason : str, None or ndarray of object
        A sentence if all differences are zero, otherwise None.
    n_pairs : int
        Number of pairs, zeros included.
    n_zero : int or ndarray
        Number of differences that are zero.
    z : float or ndarray
        Standardized statistic of the normal approximation, with the chosen continuity correction. It is positive if x
        is larger, and 0 if all differences are zero.
    rank_biserial : float or ndarray
        Matched-pairs rank-biserial correlation (W+ - W-) / (W+ + W-), from -1 to 1. It is positive if x is larger, and
        0 if all differences are zero. Both sums contain only the ranks of the nonzero differences. With ``'pratt'`` and
        ``'zsplit'``, the zero differences are included when the ranks are assigned.
    min_attainable_pvalue : float or ndarray
        Smallest p-value over all assignments of signs to the absolute differences, with the alternative and the method
        of the test. If it is above alpha, the test cannot reject for any signs of the differences.
    zero_method, correction, tie_tolerance : str, bool, float
        Values that were passed. Only ``'asymptotic'`` uses the correction.
    """

    n_pairs: int
    n_zero: Any
    z: Any
    rank_biserial: Any
    min_attainable_pvalue: Any
    zero_method: str
    correction: bool
    tie_tolerance: float
    _x: FloatArray
    _y: FloatArray

    @cached_property
    def hodges_lehmann(self) -> Any:
        """Hodges-Lehmann estimate of the difference x - y: the median of the Walsh averages of the differences.

        The estimate is in the unit of the scores. With ``zero_method='wilcox'``, zero differences are dropped, as in R.
        With ``'pratt'`` and ``'zsplit'``, zero differences are kept. The estimate is 0.0 if all differences are zero.
        If the number of Walsh averages is even, the estimate is the mean of the two middle averages. After an
        asymptotic test, R returns a value between these two averages.
        """
        estimate = np.zeros(np.shape(self.statistic))
        for at in np.ndindex(estimate.shape):
            estimate[at] = self.hodges_lehmann_at(*at)
        return unbatch(estimate)

    def hodges_lehmann_at(self, *place: int) -> float:
        """Return the Hodges-Lehmann estimate of one problem of a batch, without computing the other estimates.

        Parameters
        ----------
        *place : int
            Index of the problem in the leading axes.

        Returns
        -------
        float
            The element of `hodges_lehmann` at this index.
        """
        return walsh_median(self._differences(place))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the difference x - y around the Hodges-Lehmann estimate.

        The limits are Walsh averages, as in R's ``wilcox.test(conf.int = TRUE)``. After an exact test, the exact
        distribution without ties determines the limits, so the interval is conservative if there are ties. After an
        asymptotic test, the limits are the shifts of x at which z crosses the normal quantile.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Confidence level, between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, in the unit of the scores. The interval is one-sided if the alternative is one-sided.
            If the number of differences is too small for the confidence level, the interval is the widest possible.
            `attained_level` is then below the confidence level (93.75% instead of 95% for 5 pairs). With
            ``zero_method='wilcox'``, zero differences are dropped. If no difference remains, the limits are nan and
            `attained_level` is 0. ``'pratt'`` and ``'zsplit'`` keep zero differences.
        """
        level = _checks.confidence_level(confidence_level)
        shape = np.shape(self.statistic)
        low, high, attained = np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape)
        n_sides = 2 if self.alternative == "two-sided" else 1
        is_exact = np.asarray(self.method) == "exact"
        for at in np.ndindex(shape):
            d = self._differences(at)
            if d.size:
                cut = _exact_cut if is_exact[at] else _asymptotic_cut
                position, attained[at] = cut(d, level, n_sides, self.correction)
                low[at], high[at] = walsh_averages(d, [position, d.size * (d.size + 1) // 2 + 1 - position])
        if self.alternative == "greater":
            high[...] = np.inf
        elif self.alternative == "less":
            low[...] = -np.inf
        return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=attained)

    def all_conventions(self) -> WilcoxonConventions:
        """Return the test as evalstats computes it in this call, and as SciPy, R and coin compute it by default.

        The programs differ in the treatment of zero differences and ties, and in the number of pairs up to which the
        exact distribution is used. They also differ in the continuity correction and in the definition of the
        statistic. SciPy, R and coin compare the differences of the floating-point numbers without a tolerance. Choose
        the convention before you see the p-values.

        Returns
        -------
        WilcoxonConventions
            The test by evalstats and by each program. The functions of the programs are ``scipy.stats.wilcoxon`` (SciPy
            1.13 and later), ``wilcox.test(x, y, paired = TRUE)`` of R, and ``wilcoxsign_test(x ~ y)`` of coin. For
            coin, there is one result with the asymptotic and one with the exact distribution.

        Raises
        ------
        InvalidValueError
            If the result is a batch.

        Examples
        --------
        >>> from evalstats import wilcoxon_test
        >>> x = [78, 82, 75, 90, 85, 78, 93, 88, 66, 72, 80, 81, 79, 84, 77]
        >>> y = [76, 82, 71, 88, 85, 79, 89, 84, 66, 74, 79, 77, 78, 80, 75]
        >>> for one in wilcoxon_test(x, y).all_conventions().conventions:
        ...     print(f"{one.program:11} {one.statistic_name} = {one.statistic:.3f}, p = {one.pvalue:.5f}")
        evalstats   W+ = 70.500, p = 0.01172
        SciPy       min(W+, W-) = 7.500, p = 0.01228
        R           V = 70.500, p = 0.01373
        coin        Z = 2.502, p = 0.01235
        coin, exact Z = 2.502, p = 0.01367
        """
        if np.ndim(self.statistic):
            raise InvalidValueError(
                f"all_conventions is for one test, but the result has the shape {self.pvalue.shape}"
            )
        d = np.abs(self._x - self._y)
        d = d[d > 0]
        is_plain = np.unique(d).size == d.size == self.n_pairs
        is_scipy_exact = self.n_pairs <= (SCIPY_EXACT if is_plain else SCIPY_PERMUTES)
        is_r_exact = is_plain and self.n_pairs < R_ASYMPTOTIC
        smaller = "min(W+, W-)" if self.alternative == "two-sided" else "W+"
        programs = {
            "SciPy": ("wilcox", "exact" if is_scipy_exact else "asymptotic", False, smaller),
            "R": ("wilcox", "exact" if is_r_exact else "asymptotic", True, "V"),
            "coin": ("pratt", "asymptotic", False, "Z"),
            "coin, exact": ("pratt", "exact", False, "Z"),
        }
        return WilcoxonConventions(
            n_pairs=self.n_pairs,
            n_zero=self.n_zero,
            alternative=self.alternative,
            conventions=(
                _convention(self, "evalstats", "W+"),
                *(self._by_program(program, *choices) for program, choices in programs.items()),
            ),
            reason=self.reason,
        )

    def _by_program(
        self, program: str, zero_method: str, method: str, correction: bool, name: str
    ) -> WilcoxonConvention:
        choices: dict[str, Any] = {"zero_method": zero_method, "method": method, "correction": correction}
        found = wilcoxon_test(self._x, self._y, alternative=self.alternative, tie_tolerance=0.0, **choices)
        convention = _convention(found, program, name)
        return convention if found.reason is None else replace(convention, statistic=math.nan, pvalue=math.nan)

    def _differences(self, place: tuple[int, ...]) -> FloatArray:
        """Return the sorted differences of one problem of the batch."""
        shape = (*np.shape(self.statistic), self.n_pairs)
        x, y = np.broadcast_to(self._x, shape)[place], np.broadcast_to(self._y, shape)[place]
        d = differences(x, y, self.tie_tolerance)
        return np.sort(d[d != 0] if self.zero_method == "wilcox" else d)


@dataclass(frozen=True, kw_only=True, eq=False)
class WilcoxonConvention(Record):
    """The signed-rank test as one program computes it by default.

    Attributes
    ----------
    program : str
        ``'evalstats'`` with the options of the call, ``'SciPy'``, ``'R'``, ``'coin'`` or ``'coin, exact'``.
    zero_method, method : str
        Treatment of zero differences by the program, and null distribution that it uses for the data, as in the options
        of `wilcoxon_test`.
    correction : bool or None
        Continuity correction of ``'asymptotic'``, or None if the test is exact.
    statistic_name : str
        Statistic that the program returns: ``'W+'``, ``'V'`` (the name of W+ in R), ``'min(W+, W-)'`` or ``'Z'``.
    statistic, pvalue : float
        The values that the program returns. If all differences are zero, they are nan for programs other than
        evalstats.
    """

    program: str
    zero_method: str
    method: str
    correction: bool | None
    statistic_name: str
    statistic: float
    pvalue: float


@dataclass(frozen=True, kw_only=True, eq=False)
class WilcoxonConventions(Record):
    """Result of `WilcoxonTestResult.all_conventions`. `to_frame` converts the result to a data frame.

    Attributes
    ----------
    n_pairs, n_zero, alternative, reason
        As in `WilcoxonTestResult`.
    conventions : tuple of WilcoxonConvention
        The conventions of the call itself, SciPy, R, coin, and coin with its exact distribution.
    """

    n_pairs: int
    n_zero: int
    alternative: str
    conventions: tuple[WilcoxonConvention, ...]
    reason: str | None

    def _rows(self) -> tuple[WilcoxonConvention, ...]:
        return self.conventions


def _convention(found: WilcoxonTestResult, program: str, name: str) -> WilcoxonConvention:
    """Convert a result to the convention of the program that uses this name of the statistic."""
    statistic = found.z if name == "Z" else found.statistic
    if name == "min(W+, W-)":
        n = found.n_pairs - found.n_zero
        statistic = min(statistic, n * (n + 1) / 2 - statistic)
    return WilcoxonConvention(
        program=program,
        zero_method=found.zero_method,
        method=str(found.method),
        correction=found.correction if found.method == "asymptotic" else None,
        statistic_name=name,
        statistic=float(statistic),
        pvalue=float(found.pvalue),
    )


def wilcoxon_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: str = "two-sided",
    zero_method: str = "wilcox",
    method: str = "auto",
    correction: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> WilcoxonTestResult:
    """Test whether paired differences are symmetric about zero (Wilcoxon signed-rank test).

    The null hypothesis is that the differences x - y are symmetric around zero. Given its absolute value, each
    difference is then positive or negative with equal probability. A large p-value does not show that the classifiers
    are equal.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n datasets. Leading axes are batch dimensions and broadcast: ``x[:, None,
        :]`` and ``x[None, :, :]`` test all pairs of rows.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger scores.
    zero_method : {'wilcox', 'pratt', 'zsplit'}, default: 'wilcox'
        Treatment of zero differences. ``'wilcox'``: zero differences are dropped before ranking (R, Wilcoxon).
        ``'pratt'``: zero differences are dropped after ranking. ``'zsplit'``: zero differences are ranked, and half of
        each rank counts for each sign (Demšar). The exact p-value of ``'zsplit'`` equals Pratt's, because zeros have no
        sign.
    method : {'auto', 'exact', 'asymptotic'}, default: 'auto'
        ``'exact'``: the conditional distribution given the absolute differences, with all their ties and zeros.
        ``'asymptotic'``: the normal distribution, with the variance corrected for ties. ``'auto'``: exact for up to
        10,000 nonzero differences (about 10 ms), asymptotic for more.
    correction : bool, default: True
        Continuity correction of the normal approximation, as in R. In a two-sided test, W+ is shifted by 0.5 toward its
        mean, but not past the mean. In a one-sided test, W+ is shifted by 0.5 against the alternative.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. By default, 0.3 - 0.2 and 0.9 - 0.8 are treated as equal, as are 30/30 - 29/30 and
        29/30 - 28/30. Scores that are more than 1000 times smaller than the largest score are rounded to
        correspondingly more digits.

    Returns
    -------
    WilcoxonTestResult
        W+ and its p-value. The result also contains the effect size `rank_biserial`, and the estimate `hodges_lehmann`
        with its `confidence_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If a score is not a finite number, x and y are not paired, a difference overflows, or an option is unknown.

    References
    ----------
    Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1(6).
    Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures, JASA 54(287).
    Hodges & Lehmann (1963), Estimates of location based on rank tests, Annals of Mathematical Statistics 34(2).
    Demšar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3.1.3.

    Examples
    --------
    Accuracies (%) of naive Bayes and of a support vector machine on ten datasets. One difference is zero.

    >>> from evalstats import wilcoxon_test
    >>> nb = [96.43, 73.42, 72.30, 71.70, 71.67, 74.36, 70.63, 83.21, 98.22, 69.62]
    >>> svm = [99.44, 81.34, 91.51, 66.16, 71.67, 77.08, 62.21, 80.63, 93.58, 99.90]
    >>> result = wilcoxon_test(nb, svm)
    >>> result.statistic, round(result.pvalue, 4), result.method
    (17.0, 0.5703, 'exact')
    >>> round(result.hodges_lehmann, 3)
    -2.72
    >>> low, high = result.confidence_interval(0.95)
    >>> round(low, 2), round(high, 2)
    (-16.5, 5.09)
    """
    a, b, tie_tolerance = _checks.pairs_and_tolerance(x, y, tie_tolerance)
    _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    _checks.choice(zero_method, "zero_method", ("wilcox", "pratt", "zsplit"))
    _checks.choice(method, "method", ("auto", "exact", "asymptotic"))
    correction = _checks.boolean(correction, "correction")
    shape = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])

    sums = _rank_sums(a, b, zero_method, tie_tolerance)
    n_zero, n_ranked, positive, total, _ = sums
    split = n_zero * (n_zero + 1) / 4 if zero_method == "zsplit" else 0
    z, largest_z = _standardized(sums, zero_method, alternative, correction)

    pvalue, smallest = np.ones(n_zero.shape), np.ones(n_zero.shape)
    is_exact = (n_ranked <= EXACT_UP_TO) if method == "auto" else np.full(n_zero.shape, method == "exact")
    if is_exact.any():
        laws = _laws(a, b, sums, np.flatnonzero(is_exact), zero_method, tie_tolerance)
        for cdf, at in laws:
            pvalue[at] = _exact_pvalue(cdf, positive[at], total[at], alternative)
        smallest[is_exact] = smallest_exact_pvalue(n_ranked[is_exact], alternative)
    if (is_normal := ~is_exact & (n_ranked > 0)).any():
        pvalue[is_normal] = tails.normal_pvalue(z[is_normal], alternative)
        smallest[is_normal] = tails.normal_pvalue(largest_z[is_normal], alternative)

    pvalue, smallest = tails.as_pvalue(pvalue), tails.as_pvalue(smallest)

    return WilcoxonTestResult(
        statistic=(positive / 2 + split).reshape(shape),
        pvalue=pvalue.reshape(shape),
        alternative=alternative,
        method=np.where(is_exact, "exact", "asymptotic").reshape(shape),
        reason=reasons(shape, (n_ranked.reshape(shape) == 0, NO_DIFFERENCE)),
        n_pairs=a.shape[-1],
        n_zero=n_zero.reshape(shape),
        z=z.reshape(shape),
        rank_biserial=((2 * positive - total) / np.maximum(total, 1)).reshape(shape),
        min_attainable_pvalue=smallest.reshape(shape),
        zero_method=zero_method,
        correction=correction,
        tie_tolerance=tie_tolerance,
        _x=a.copy(),
        _y=b.copy(),
    )


DECLARATIONS = (
    Declaration(
        function=wilcoxon_test,
        data=Data.PAIRS,
        variants={
            "pratt": {"zero_method": "pratt"},
            "zsplit": {"zero_method": "zsplit"},
            "asymptotic": {"method": "asymptotic"},
        },
        excused=OF_SIZES,
        inputs={
            "x, y": Draw("pairs", {"noise": True}),
            "alternative": _checks.ALTERNATIVES,
            "zero_method": ("wilcox", "pratt", "zsplit"),
            "method": ("auto", "exact", "asymptotic"),
            "correction": (True, False),
            "confidence_level": CONFIDENCE_LEVELS,
        },
        simulations={
            "auto": {},
            "asymptotic": {"method": "asymptotic"},
            "pratt": {"zero_method": "pratt"},
            "zsplit": {"zero_method": "zsplit"},
        },
        sentence=(
            "Wilcoxon signed-rank test: W+ = {statistic:g} over {n_pairs - n_zero:count difference} other than zero, "
            "{outcome}"
        ),
    ),
)


def smallest_exact_pvalue(n_ranked: IntArray, alternative: str) -> FloatArray:
    """Return the p-value of the given number of differences that all have the same sign."""
    n_sides = 2 if alternative == "two-sided" else 1
    return np.asarray(np.minimum(1, np.ldexp(float(n_sides), -n_ranked)))


class _RankSums(NamedTuple):
    """Doubled rank sums (integers) without zeros, for each problem of the batch."""

    n_zero: IntArray
    n_ranked: IntArray
    positive: IntArray
    total: IntArray
    ties: FloatArray  # sum of t^3 - t over the groups of t tied nonzero differences


def _rank_sums(x: FloatArray, y: FloatArray, zero_method: str, tie_tolerance: float) -> _RankSums:
    """Rank the absolute differences of each problem, in chunks that stay in the cache."""
    n = x.shape[-1]
    row_x, row_y = _rows(x, y)
    n_problems = row_x.size
    x, y = x.reshape(-1, n), y.reshape(-1, n)
    extents = (extent(x), extent(y)) if n_problems * n > x.size + y.size else None
    n_zero, n_positive, positive = (np.empty(n_problems, dtype=np.int64) for _ in range(3))
    ties = np.zeros(n_problems)
    step = max(1, CHUNK // n)
    for start in range(0, n_problems, step):
        at = slice(start, start + step)
        i, j = row_x[at], row_y[at]
        of_both = extents and ((extents[0][0][i], extents[0][1][i]), (extents[1][0][j], extents[1][1][j]))
        d = differences(x[i], y[j], tie_tolerance, of_both)
        n_zero[at], n_positive[at], positive[at], ties[at] = _positive_ranks(d)
    n_ranked = n - n_zero
    total = n_ranked * (n_ranked + 1)
    if zero_method != "wilcox":  # the zeros have the lowest ranks
        positive += 2 * n_zero * n_positive
        total += 2 * n_zero * n_ranked
    return _RankSums(n_zero, n_ranked, positive, total, ties)


def _rows(x: FloatArray, y: FloatArray) -> list[IntArray]:
    """Return the row of x and the row of y for each problem of the batch."""
    rows = [np.arange(math.prod(v.shape[:-1])).reshape(v.shape[:-1]) for v in (x, y)]
    return [row.ravel() for row in np.broadcast_arrays(*rows)]


def _positive_ranks(d: FloatArray) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Count the zeros and positive differences of each row, and sum the doubled positive midranks and t^3 - t.

    For speed, the bits of the absolute differences are sorted, with the sign in the lowest bit. The positive
    differences are therefore first in each group of ties.
    """
    n_rows, n = d.shape
    bits = d.view(np.uint64)
    keys = bits << 1
    keys |= bits >> 63
    keys.sort(axis=-1)
    is_negative = (keys & 1).view(np.int64)
    keys >>= 1

    n_zero = n - np.count_nonzero(keys, axis=-1)
    n_negative = is_negative.sum(axis=-1)
    negative = np.einsum("ij,j->i", is_negative, np.arange(1, n + 1)) - n_zero * n_negative
    n_ranked = n - n_zero
    positive = n_ranked * (n_ranked + 1) - 2 * negative
    ties = np.zeros(n_rows)
    is_tied = np.zeros(keys.size + 1, dtype=bool)  # equal to the previous key in the same row; False at both ends
    np.equal(keys[:, 1:], keys[:, :-1], out=is_tied[:-1].reshape(keys.shape)[:, 1:])
    if n_zero.any():
        is_tied[:-1] &= keys.ravel() != 0
    if is_tied.any():
        edges = np.flatnonzero(is_tied[1:] != is_tied[:-1])
        first, after = edges[::2], edges[1::2] + 1
        size = after - first
        inside = np.stack([first, after], axis=-1).ravel()
        minus = np.add.reduceat(is_negative.ravel(), inside[: -1 if after[-1] == keys.size else None])[::2]
        row = first // n
        # for p positive and m negative ties, the sum of positions is p m / 2 below the sum of midranks
        positive += np.bincount(row, weights=minus * (size - minus), minlength=n_rows).astype(np.int64)
        ties += np.bincount(row, weights=size**3.0 - size, minlength=n_rows)
    return n_zero, n_ranked - n_negative, positive, ties


def _standardized(
    sums: _RankSums, zero_method: str, alternative: str, correction: bool
) -> tuple[FloatArray, FloatArray]:
    """Return standardized W+, and the standardized extreme of W+ for the alternative, or 0 if all are zero."""
    n_zero, n_ranked, positive, total, ties = sums
    k = np.zeros_like(n_zero) if zero_method == "wilcox" else n_zero
    n = k + n_ranked
    # a quarter of the sum of the squared ranks k + 1, ..., n, minus the correction for ties
    variance = (n * (n + 1.0) * (2 * n + 1) - k * (k + 1.0) * (2 * k + 1)) / 24 - ties / 48
    if zero_method == "zsplit":
        variance += n_zero * (n_zero + 1.0) ** 2 / 16  # zeros also have a midrank, as any tied group (SciPy)
    is_empty = n_ranked == 0
    deviation = np.sqrt(np.where(is_empty, 1, variance))
    largest = -total if alternative == "less" else total
    z, largest_z = (
        np.where(is_empty, 0, _corrected(excess / 4, alternative, correction) / deviation)
        for excess in (2 * positive - total, largest)
    )
    return z, largest_z


def _corrected(excess: FloatArray, alternative: str, correction: bool) -> FloatArray:
    """Return the rank sum minus its mean, with the continuity correction."""
    if not correction:
        return excess
    if alternative == "two-sided":
        return np.sign(excess) * np.maximum(np.abs(excess) - 0.5, 0)
    return excess - 0.5 if alternative == "greater" else excess + 0.5


def _laws(
    x: FloatArray, y: FloatArray, sums: _RankSums, at: IntArray, zero_method: str, tie_tolerance: float
) -> Iterator[tuple[Callable[[IntArray], FloatArray], IntArray]]:
    """Yield each null distribution with its problems of the batch; skip problems without differences."""
    n_zero, n_ranked, _, _, ties = (v[at] for v in sums)
    is_shifted = n_zero > 0 if zero_method != "wilcox" else np.zeros(at.shape, dtype=bool)
    is_untied = (ties == 0) & ~is_shifted
    for n in np.unique(n_ranked[is_untied & (n_ranked > 0)]):
        yield untied_law(int(n)).cdf, at[is_untied & (n_ranked == n)]
    row_x, row_y = _rows(x, y)
    x, y = x.reshape(-1, x.shape[-1]), y.reshape(-1, y.shape[-1])
    tied, step = at[np.flatnonzero(~is_untied & (n_ranked > 0))], max(1, RANKS_AT_ONCE // x.shape[-1])
    for start in range(0, len(tied), step):
        some = tied[start : start + step]
        ranks = np.empty((len(some), x.shape[-1]), dtype=np.int64)
        piece = max(1, CHUNK // x.shape[-1])
        for begin in range(0, len(some), piece):
            here = some[begin : begin + piece]
            sizes = np.abs(differences(x[row_x[here]], y[row_y[here]], tie_tolerance))
            sizes.sort(axis=-1)
            doubled = _doubled_midranks(sizes)
            if zero_method == "wilcox":
                doubled -= 2 * sums.n_zero[here, np.newaxis]
            ranks[begin : begin + piece] = np.where(sizes == 0, 0, doubled)
        yield partial(cdf_of_rows, ranks), some


def _doubled_midranks(ordered: FloatArray) -> IntArray:
    """Return the doubled midranks of the ascending values of each row."""
    n = ordered.shape[-1]
    place = np.arange(n)
    is_first = np.ones(ordered.shape, dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=is_first[:, 1:])
    is_last = np.ones(ordered.shape, dtype=bool)
    is_last[:, :-1] = is_first[:, 1:]
    first = np.maximum.accumulate(np.where(is_first, place, 0), axis=-1)
    last = np.minimum.accumulate(np.where(is_last, place, n)[:, ::-1], axis=-1)[:, ::-1]
    return np.asarray(first + last + 2)


def _tied_groups(ordered: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the first position and the size of each group of equal values."""
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return first, np.diff(first, append=ordered.size)


def _exact_pvalue(
    cdf: Callable[[IntArray], FloatArray], positive: IntArray, total: IntArray, alternative: str
) -> FloatArray:
    negative = total - positive
    if alternative == "two-sided":
        return np.asarray(np.minimum(1, 2 * cdf(np.minimum(positive, negative))))
    return np.asarray(cdf(negative if alternative == "greater" else positive))


def _exact_cut(d: FloatArray, level: float, n_sides: int, correction: bool) -> tuple[int, float]:
    """Find the position of the lower limit among the Walsh averages, and the level of the interval."""
    law = untied_law(d.size)
    position = max(law.quantile((1 - level) / n_sides) // 2, 1)
    return position, 1 - n_sides * float(law.cdf(2 * (position - 1)))


def _asymptotic_cut(d: FloatArray, level: float, n_sides: int, correction: bool) -> tuple[int, float]:
    """Find the position of the lower limit among the Walsh averages by the normal approximation.

    If the differences are shifted by a value between two Walsh averages, W+ is the number of Walsh averages above this
    value.
    """
    from scipy.special import ndtr, ndtri

    n = d.size
    n_averages = n * (n + 1) // 2
    _, t = _tied_groups(d)
    deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - float(np.sum(t**3.0 - t)) / 48)
    centre = n_averages / 2 + 0.5 * correction
    n_above = math.ceil(centre - float(ndtri((1 - level) / n_sides)) * deviation)
    if n_above > n_averages:
        return 1, 1 - n_sides * float(ndtr((centre - n_averages) / deviation))
    return min(n_averages + 1 - n_above, n_averages), level
