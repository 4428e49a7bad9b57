"""The permutation test: is the mean difference larger than random signs would make it?"""

from __future__ import annotations

__all__ = ["PermutationTestResult", "permutation_test"]

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._canonical import is_mirrored
from evalstats._checks import RandomSource
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, summands
from evalstats._result import ConfidenceInterval, HypothesisTestResult, reasons
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.distributions import tails
from evalstats.distributions.signed_rank import SignedRankLaw

METHODS = ("auto", "exact", "monte-carlo")
NO_DIFFERENCE = "x and y are equal in every pair, so there is no difference whose sign could change"

# 'auto' is exact up to here, about 0.3 s; the second is the sum of |d| in its unit, per pair, of 100 pairs at least
AUTO_PAIRS, AUTO_UNITS = 40, 80_000
# method='exact' is refused beyond: 10 s, 2 GiB
MOST_PAIRS, MOST_UNITS, LARGEST_SUM = 48, 640_000, 2**31
SMALL_UNITS_PAIRS = 100
FEW_PAIRS = 20  # two lists of 1024 sums: faster than anything else

LARGEST_SLACK = 1e-6  # of the sum of |d|
BLOCK = 2**20  # random signs at a time


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutationTestResult(HypothesisTestResult):
    """What `permutation_test` returns; ``statistic, pvalue = result`` works.

    Attributes
    ----------
    statistic : float or ndarray
        Mean of the differences x - y, in the unit of the scores.
    pvalue : float or ndarray
        Share of the sign assignments that are at least as extreme as the observed one, which is one of them.
    method : str or ndarray of str
        ``'exact'``: over all 2^n sign assignments; ``'monte-carlo'``: over a random sample of them.
    n_pairs : int
        Number of pairs.
    n_zero : int or ndarray
        Pairs in which x and y are equal; their sign changes nothing.
    n_resamples : int, None or ndarray of object
        Number of random sign assignments; None where `method` is ``'exact'``.
    seed : int, None or ndarray of object
        Seed of the random signs; None where `method` is ``'exact'``, or where `rng` was a Generator.
    smallest_pvalue : float or ndarray
        The p-value, by the method used, if all differences had the sign that the alternative asks for. Where it exceeds
        alpha, no scores with so many nonzero differences can be significant.
    tie_tolerance : float
        The relative precision to which differences were rounded.
    """

    n_pairs: int
    n_zero: Any
    n_resamples: Any
    seed: Any
    smallest_pvalue: Any
    tie_tolerance: float
    _differences: FloatArray
    _unit: FloatArray
    _noise: FloatArray

    def confidence_interval(
        self, confidence_level: float = 0.95, *, n_resamples: int = 99_999, rng: Any = None
    ) -> ConfidenceInterval:
        """Return the interval of all shifts of x against y that the test does not reject.

        Its limits are means of subsets of the differences (Hartigan 1969): up to 20 pairs, equal ones included, of all
        subsets, so that the interval leaves out 0 exactly where the test rejects; beyond, of random ones.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            The interval covers the common shift at least this often; it is infinite where no smaller one does.
        n_resamples : int, default: 99999
            Number of random subsets beyond 20 pairs.
        rng : None, int or numpy.random.Generator, optional
            Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole
            number is the seed; a Generator is used as it is. Every problem of a batch starts from the seed.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, in the unit of the scores; one-sided when the alternative is.

        Examples
        --------
        >>> from evalstats import permutation_test
        >>> low, high = permutation_test([7, 8, 9, 8, 7, 6, 9, 8, 5], [6, 7, 7, 7, 6, 4, 8, 6, 6]).confidence_interval()
        >>> print(f"{low:.2f} {high:.2f}")
        0.33 1.75
        """
        level = _checks.confidence_level(confidence_level)
        n_resamples = _checks.count(n_resamples, "n_resamples")
        source = _checks.random_source(rng)
        n_sides = 2 if self.alternative == "two-sided" else 1
        rows, shape = self._differences.reshape(-1, self.n_pairs), self._differences.shape[:-1]
        low, high, attained = np.full(len(rows), -np.inf), np.full(len(rows), np.inf), np.ones(len(rows))
        for i, (d, unit, noise) in enumerate(zip(rows, self._unit.flat, self._noise.flat, strict=True)):
            means = _subset_means(d, unit, noise, n_resamples, source)
            n_intervals = means.size + 1  # equally likely to hold the shift
            # the share in a tail, without the noise that makes 0.05 of 20 less than 1
            position = math.floor((1 - level) / n_sides * n_intervals * (1 + 1e-12))
            if position > 0:
                low[i], high[i] = np.partition(means, [position - 1, means.size - position])[[position - 1, -position]]
                attained[i] = 1 - n_sides * position / n_intervals
        if self.alternative == "less":
            low[:] = -np.inf
        if self.alternative == "greater":
            high[:] = np.inf
        return ConfidenceInterval(
            low=low.reshape(shape),
            high=high.reshape(shape),
            confidence_level=level,
            attained_level=attained.reshape(shape),
            seed=source.seed if self.n_pairs > FEW_PAIRS else None,
        )


def permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: str = "two-sided",
    n_resamples: int = 9999,
    rng: Any = None,
    method: str = "auto",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> PermutationTestResult:
    """Tell whether one of two classifiers scores higher on average, without assuming a normal distribution.

    The null hypothesis is that the differences x - y are symmetric around zero: given its size, each is as likely to be
    positive as to be negative. All sign assignments are then equally likely, and the p-value is the share of those
    whose mean is at least as extreme as the observed one (Fisher; Pitman).

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n datasets, in a unit in which differences can be compared. Leading axes
        are a batch and broadcast.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the scores of x are larger.
    n_resamples : int, default: 9999
        Number of random sign assignments for Monte Carlo; the p-value is never below 1 / (n_resamples + 1).
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is. Every problem of a batch starts from the seed.
    method : {'auto', 'exact', 'monte-carlo'}, default: 'auto'
        ``'exact'``: over all 2^n sign assignments; refused where that would take more than seconds.

        ``'monte-carlo'``: over a random sample of them, with a random error.

        ``'auto'``: exact where that takes about 0.3 s or less: up to 40 nonzero differences; and up to any number of
        them if they are multiples of a common unit, and on average at most 80,000 units large (as are scores with four
        decimals, or counts of correct answers). Monte Carlo otherwise.
    tie_tolerance : float, default: 1e-12
        Differences that vanish at this precision, relative to their scores, are zero, and sums of differences are equal
        when they agree to that precision: 0.1 + 0.2 is as extreme as 0.3. A coarser one than the default rounds the
        differences first. 0 compares differences by their bits, and sums up to the noise of adding.

    Returns
    -------
    PermutationTestResult
        The mean difference and its p-value; also the smallest p-value that could have come out, and
        `confidence_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If a score is not a finite number, x and y do not pair, an option is unknown, or ``'exact'`` is asked for and
        not affordable.

    See Also
    --------
    wilcoxon_test : the same for the ranks of the differences, where a few large ones must not decide.

    References
    ----------
    Fisher, R. A. (1935). The Design of Experiments. Oliver & Boyd, section 21.

    Pitman, E. J. G. (1937). Significance tests which may be applied to samples from any populations. Supplement to the
    Journal of the Royal Statistical Society 4, 119-130.

    Phipson, B. & Smyth, G. K. (2010). Permutation p-values should never be zero. Statistical Applications in Genetics
    and Molecular Biology 9, article 39.

    Hartigan, J. A. (1969). Using subsample values as typical values. Journal of the American Statistical Association
    64, 1303-1317.

    Examples
    --------
    Accuracies (%) of AdaBoost and of a random forest on ten datasets; one difference is zero.

    >>> from evalstats import permutation_test
    >>> adaboost = [83.63, 46.46, 72.31, 70.28, 71.67, 74.35, 44.91, 82.54, 93.21, 72.54]
    >>> forest = [99.55, 79.15, 80.97, 69.99, 71.67, 74.88, 79.87, 84.58, 99.39, 93.94]
    >>> result = permutation_test(adaboost, forest)
    >>> round(result.statistic, 3), result.pvalue, result.method
    (-12.209, 0.0078125, 'exact')
    >>> result.smallest_pvalue
    0.00390625
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    x, y = _checks.paired(x, y)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    n_resamples = _checks.count(n_resamples, "n_resamples")
    method = _checks.choice(method, "method", METHODS)
    source = _checks.random_source(rng)

    d, noise = summands(x, y, tie_tolerance)
    noise = np.broadcast_to(noise, d.shape).sum(axis=-1)
    n, shape = d.shape[-1], d.shape[:-1]
    unit = min(10 * tie_tolerance, 1) * np.broadcast_to(
        np.maximum(np.abs(x).max(axis=-1), np.abs(y).max(axis=-1)), shape
    )
    n_zero = n - np.count_nonzero(d, axis=-1)

    pvalues, used = np.ones((2, n_zero.size)), np.full(n_zero.size, "exact", dtype="<U11")
    resamples = np.full(n_zero.size, None, dtype=object)
    for i, (row, of_row) in enumerate(zip(d.reshape(-1, n), zip(unit.flat, noise.flat, strict=True), strict=True)):
        signs = _signs(row, *of_row)
        lattice = _lattice(signs) if signs.sizes.size > FEW_PAIRS and method != "monte-carlo" else None
        if _is_exact(signs, lattice, method):
            pvalues[:, i] = _exact_pvalues(signs, lattice, alternative)
        else:
            pvalues[:, i] = _monte_carlo_pvalues(signs, n_resamples, source.generator(), alternative)
            used[i], resamples[i] = "monte-carlo", n_resamples

    return PermutationTestResult(
        statistic=_mean(d),
        pvalue=pvalues[0].reshape(shape),
        alternative=alternative,
        method=used.reshape(shape),
        reason=reasons(shape, (n_zero == n, NO_DIFFERENCE)),
        n_pairs=n,
        n_zero=n_zero,
        n_resamples=resamples.reshape(shape),
        seed=source.seed_of(resamples.reshape(shape)),
        smallest_pvalue=pvalues[1].reshape(shape),
        tie_tolerance=tie_tolerance,
        _differences=d,
        _unit=unit.copy(),
        _noise=noise,
    )


class _Signs(NamedTuple):
    """What the null distribution of one problem is made of: in the unit of a power of two, so that no sum overflows."""

    sizes: FloatArray  # |d| of the nonzero differences, ascending
    is_positive: BoolArray
    unit: float  # what rounding may have added to a difference, at most
    slack: float  # two sums that differ by no more are equal


class _Lattice(NamedTuple):
    """The nonzero |d| as whole multiples of their common unit."""

    multiples: IntArray
    total: int


def _signs(d: FloatArray, unit: float, noise: float) -> _Signs:
    d = d[d != 0]
    d = d[np.argsort(np.abs(d), kind="stable")]
    exponent = int(np.frexp(d[-1])[1]) if d.size else 0
    sizes, unit = np.ldexp(np.abs(d), -exponent), _scaled(unit, exponent)
    return _Signs(sizes, d > 0, unit, _slack(sizes, unit, _scaled(noise, exponent)))


def _slack(sizes: FloatArray, unit: float, noise: float) -> float:
    """How far apart two equal sums of some of the sizes can be: all that noise, rounding and adding do to them.

    A coarse tolerance leaves decimals with few digits, which add up without such an error.
    """
    total = float(sizes.sum())
    return max(min(sizes.size * unit / 2, LARGEST_SLACK * total), noise, sizes.size * 2.0**-52 * total)


def _mean(d: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        mean = np.asarray(d.mean(axis=-1))
    return np.where(np.isfinite(mean), mean, (d / d.shape[-1]).sum(axis=-1))


def _most_units(n: int, units: int) -> int:
    """Largest sum of |d|, in their common unit, for which the law of the sum is affordable."""
    return min(units * max(n, SMALL_UNITS_PAIRS), LARGEST_SUM)


def _lattice(signs: _Signs) -> _Lattice | None:
    """Find the largest number that all |d| are multiples of, up to their rounding; None where it is too small."""
    sizes = np.unique(signs.sizes)
    total = float(signs.sizes.sum())
    smallest = total / _most_units(signs.sizes.size, MOST_UNITS)
    step = float(sizes[0])
    for size in sizes.tolist():  # Euclid's algorithm
        rest = size
        while rest > smallest / 2:
            step, rest = rest, abs(math.remainder(step, rest))
        if step < smallest:
            return None
        step = size / round(size / step)  # the larger the size, the more precisely does it tell the step
    multiples = np.rint(signs.sizes / step)
    step = float(multiples @ signs.sizes / (multiples @ multiples))  # least squares
    if step < smallest or np.abs(signs.sizes - multiples * step).max() > min(signs.unit, step / 1000):
        return None
    return _Lattice(multiples.astype(np.int64), int(multiples.sum()))


def _is_exact(signs: _Signs, lattice: _Lattice | None, method: str) -> bool:
    """Choose the null distribution of one problem: a matter of its scores, not of the machine."""
    if method == "monte-carlo":
        return False
    n = signs.sizes.size
    pairs, units = (AUTO_PAIRS, AUTO_UNITS) if method == "auto" else (MOST_PAIRS, MOST_UNITS)
    if n <= pairs or (lattice is not None and lattice.total <= _most_units(n, units)):
        return True
    if method == "exact":
        raise _checks.InvalidValueError(
            f"method='exact' would take too long for {n} nonzero differences without a common unit (the limit is "
            f"{MOST_PAIRS}); use method='monte-carlo'"
        )
    return False


def _exact_pvalues(signs: _Signs, lattice: _Lattice | None, alternative: str) -> tuple[float, float]:
    """Return the p-value, and the smallest there is with so many nonzero differences."""
    n = signs.sizes.size
    if n == 0:
        return 1.0, 1.0
    n_sides = 2 if alternative == "two-sided" else 1
    if lattice is not None and (lattice.total <= _most_units(n, AUTO_UNITS) or n > MOST_PAIRS):
        law = SignedRankLaw(*np.unique(lattice.multiples, return_counts=True))
        tail = float(law.cdf(_against(lattice.multiples, signs.is_positive, alternative)))
    else:
        bound = _against(signs.sizes, signs.is_positive, alternative) + signs.slack
        tail = math.ldexp(_count_up_to(signs.sizes, bound), -n)
    pvalue, smallest = (min(1.0, n_sides * p) for p in (tail, math.ldexp(1.0, -n)))
    return float(tails.as_pvalue(pvalue)), float(tails.as_pvalue(smallest))


def _against(sizes: FloatArray | IntArray, is_positive: BoolArray, alternative: str) -> Any:
    """Return the sum that speaks against the alternative: the smaller it is, the smaller is the p-value."""
    positive, negative = sizes[is_positive].sum(), sizes[~is_positive].sum()
    return {"greater": negative, "less": positive, "two-sided": min(positive, negative)}[alternative]


def _count_up_to(sizes: FloatArray, bound: float) -> int:
    """Count the subsets with a sum of at most `bound`: for each sum of one half, those of the other that fit beside."""
    ours, theirs = _sorted_sums(sizes[::2]), _sorted_sums(sizes[1::2])
    return int(np.searchsorted(ours, bound - theirs, side="right").sum())


def _sorted_sums(sizes: FloatArray) -> FloatArray:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.sort(np.concatenate([sums, sums + size]), kind="stable")  # merges two sorted runs
    return sums


def _monte_carlo_pvalues(
    signs: _Signs, n_resamples: int, rng: np.random.Generator, alternative: str
) -> tuple[float, float]:
    """(b + 1) / (m + 1), with b of m random sign assignments at least as extreme as the observed one."""
    sizes = signs.sizes
    if sizes.size == 0:
        return 1.0, 1.0
    total = float(sizes.sum())
    bounds = np.array([_against(sizes, signs.is_positive, alternative), 0.0]) + signs.slack
    counts = np.zeros(2, dtype=np.int64)
    for subsets in _random_subsets(sizes.size, n_resamples, rng):
        sums = subsets @ sizes
        if alternative == "two-sided":
            sums = np.minimum(sums, total - sums)
        counts += (sums[:, None] <= bounds).sum(axis=0)
    pvalue, smallest = ((counts + 1) / (n_resamples + 1)).tolist()
    return pvalue, smallest


def _subset_means(d: FloatArray, unit: float, noise: float, n_resamples: int, source: RandomSource) -> FloatArray:
    """Means of all subsets but the empty one, or of random ones; a sum that is 0 but for rounding is 0."""
    sign = -1 if is_mirrored(d) else 1
    d = np.sort(sign * d)  # whatever the order of the pairs, and of x and y
    exponent = int(np.frexp(np.abs(d).max())[1])
    scaled = np.stack([np.ldexp(d, -exponent), np.ones(d.size)])  # and each counts as one
    if d.size <= FEW_PAIRS:
        sums = np.zeros((2, 1))
        for column in scaled.T:
            sums = np.concatenate([sums, sums + column[:, None]], axis=1)
    else:
        subsets = _random_subsets(d.size, n_resamples, source.generator())
        sums = np.concatenate([subset @ scaled.T for subset in subsets]).T
    total, size = sums[:, sums[1] > 0]
    slack = _slack(np.abs(scaled[0]), _scaled(unit, exponent), _scaled(noise, exponent))
    means: FloatArray = np.ldexp(np.where(np.abs(total) <= slack, 0.0, sign * total) / size, exponent)
    return means


def _random_subsets(n: int, n_subsets: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield blocks of rows of 0 and 1, each with probability 1/2."""
    step = max(1, BLOCK // n)
    for start in range(0, n_subsets, step):
        size = min(step, n_subsets - start), -(-n // 8)
        yield np.unpackbits(rng.integers(0, 256, size, dtype=np.uint8), axis=-1, count=n).astype(np.float64)


def _scaled(unit: float, exponent: int) -> float:
    with np.errstate(over="ignore"):
        return float(np.ldexp(unit, -exponent))
