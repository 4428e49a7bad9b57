"""Krippendorff's alpha: agreement of raters for any scale, with missing ratings."""

from __future__ import annotations

__all__ = ["KrippendorffAlphaResult", "krippendorff_alpha"]

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._canonical_order import is_mirrored
from evalstats._checks import RandomSource
from evalstats._declarations import Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._result import reasons
from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.agreement import agreement_result
from evalstats.agreement.ratings import Ratings, label_codes, label_counts, understand
from evalstats.distributions.shuffled_ratings import shuffled_pvalue

NOT_TWICE = "no instance has two ratings, so there is no agreement to measure"
NO_VARIATION = "all comparable ratings are the same, so no disagreement is possible and alpha is undefined"

NUMBERS_AT_ONCE = 2**20
# for instances with more ratings, labels are counted, which takes the same time for any number of ratings
MOST_IN_PAIRS = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class KrippendorffAlphaResult(agreement_result.AgreementResult):
    """Result of `krippendorff_alpha`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    estimate : float or ndarray
        Alpha. It is 1 if the ratings of every instance agree, and 0 for agreement by chance.
    standard_error : float or ndarray
        Standard error of alpha over the instances, which is valid for every true alpha.
    statistic : float or ndarray
        t: alpha divided by its standard error.
    pvalue : float or ndarray
        Proportion of the arrangements of the ratings whose alpha is at least as extreme as the observed alpha. If
        `method` is ``'t'``, the p-value is from the t distribution with n_instances - 1 degrees of freedom.
    method : str or ndarray
        ``'exact'``, ``'monte-carlo'`` or ``'t'``.
    observed_disagreement : float or ndarray
        Mean difference (by `level`) between two ratings of one instance.
    expected_disagreement : float or ndarray
        Mean difference over all pairs of comparable ratings.
    n_instances : int or ndarray
        Number of instances with two or more ratings. Only the ratings of these instances can be compared.
    n_ratings : int or ndarray
        Number of ratings of the instances with two or more ratings.
    raters : tuple or None
        Names of the raters: the columns of the data frame, or None for an array.
    level : str
        ``'nominal'``, ``'ordinal'``, ``'interval'`` or ``'ratio'``.
    n_resamples : int, None or ndarray
        Number of random arrangements, or None if `method` is not ``'monte-carlo'``.
    seed : int, None or ndarray
        Seed of the random arrangements, or None without random arrangements or if `rng` was a Generator.
    """

    observed_disagreement: Any
    expected_disagreement: Any
    n_ratings: Any
    raters: tuple[Any, ...] | None
    level: str
    n_resamples: Any
    seed: Any


def krippendorff_alpha(
    ratings: ArrayLike,
    *,
    level: str = "nominal",
    labels: Sequence[Any] | None = None,
    alternative: str = "two-sided",
    method: str = "auto",
    n_resamples: int | None = None,
    rng: Any = None,
) -> KrippendorffAlphaResult:
    """Estimate the agreement of raters for any scale and any number of ratings (Krippendorff's alpha).

    The null hypothesis of the test is that the ratings are exchangeable. The p-value is from a permutation test, which
    assigns all ratings at random to the positions that have a rating.

    Parameters
    ----------
    ratings : array_like of shape (..., n_instances, n_raters)
        The label or number of each rater (column) for each instance (row). None, nan and masked values are missing
        ratings. Leading axes are batch dimensions.
    level : {'nominal', 'ordinal', 'interval', 'ratio'}, default: 'nominal'
        Definition of the difference between two ratings. ``'nominal'``, for integers, Booleans, text or other hashable
        objects: 0 if the ratings are equal, otherwise 1. ``'ordinal'``, for ordered labels: the square of the
        difference between their mid-ranks. ``'interval'``, for numbers: the square of their difference. ``'ratio'``,
        for nonnegative numbers with a true zero, such as lengths and counts: the squared ratio of their difference to
        their sum.
    labels : sequence, optional
        All labels in their order. A label that is not listed raises an error. None: all labels that occur, sorted. The
        levels ``'interval'`` and ``'ratio'`` do not accept labels.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: more agreement than by chance. ``'less'``: less agreement than by chance.
    method : {'auto', 'exact', 'monte-carlo', 't'}, default: 'auto'
        Method for the p-value. ``'exact'``: all arrangements of the ratings. ``'monte-carlo'``: `n_resamples` random
        arrangements. ``'auto'``: exact if the exact method is fast, as for few ratings or few labels, otherwise Monte
        Carlo. ``'t'``: the t distribution, which is fast but inaccurate for few instances and for rare labels (see
        Notes).
    n_resamples : int, optional
        Number of random arrangements. Default: 9999, or fewer for more than 6,711 ratings, but at least 999.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    KrippendorffAlphaResult
        Alpha with its standard error, test and `confidence_interval`.

    Raises
    ------
    ValueError
        If there are fewer than two raters, a label is not listed, a number on a ratio scale is negative, or an option
        is unknown. If there are too many arrangements for ``method='exact'``.
    TypeError
        If labels have different types, or ratings on an interval or ratio scale are not numbers.

    Notes
    -----
    Alpha is 1 - Do / De. Do is the mean difference within instances, weighted by the number of ratings of each
    instance. De is the mean difference over all pairs of ratings, but no rating is paired with itself. For complete
    nominal ratings, this exclusion is the only difference from Fleiss' kappa.

    The standard error is computed from the influence of each instance (Gwet). On the ordinal scale, it includes the
    dependence of the ranks on the sample. The interval uses the t distribution with n_instances - 1 degrees of freedom.

    The p-value of the permutation test does not depend on the order of instances and raters or on the names of labels.
    A Monte Carlo p-value is (b + 1) / (m + 1), where b of m random arrangements are at least as extreme as the observed
    arrangement. The distance from 0, the mean of alpha over all arrangements, measures how extreme alpha is. With
    ``method='t'``, the test is liberal for raters who guess. In simulations at the 0.05 level, it rejects in 7% to 12%
    of tables with 10 instances and labels of similar frequency. If one label has a proportion of 10%, the t-test
    rejects in 42% of tables with 40 instances and two raters.

    If no instance has two ratings, or if all ratings are the same, all values are nan. If all ratings of each instance
    agree, the standard error is 0 and the interval is exact. `reason` states these cases.

    References
    ----------
    Krippendorff, K. (2019). Content Analysis: An Introduction to Its Methodology, 4th edition. Sage.

    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics.

    Examples
    --------
    Four raters and twelve instances with missing ratings; each row is a rater, so ``zip`` transposes the table:

    >>> from evalstats.agreement import krippendorff_alpha
    >>> _ = None
    >>> ratings = list(zip(
    ...     [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    ...     [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    ...     [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    ...     [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ... ))
    >>> for level in ("nominal", "ordinal", "interval", "ratio"):
    ...     print(level, round(krippendorff_alpha(ratings, level=level).estimate, 3))
    nominal 0.743
    ordinal 0.815
    interval 0.849
    ratio 0.797
    """
    level = _checks.choice(level, "level", ("nominal", "ordinal", "interval", "ratio"))
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    method = _checks.choice(method, "method", ("auto", "exact", "monte-carlo", "t"))
    n_resamples = None if n_resamples is None else _checks.count(n_resamples, "n_resamples")
    source = _checks.random_source(rng)
    given = understand(ratings)
    compared = Ratings(given.array, given.is_given & (given.is_given.sum(axis=-1, keepdims=True) > 1))

    m = compared.is_given.sum(axis=-1)
    n, n_ratings = (m > 1).sum(axis=-1), m.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        by = {"nominal": _by_label, "ordinal": _by_rank, "interval": _by_number, "ratio": _by_ratio}[level]
        differences = by(compared, labels)
        observed = differences.within.sum(axis=-1) / n_ratings
        # a rating is not paired with itself
        expected = differences.among * (n_ratings / (n_ratings - 1.0))
        estimate = np.where(expected > 0, 1 - observed / expected, np.nan)
        standard_error = _standard_error(differences, m)
        largest = 1 / expected
    statistic = agreement_result.standardized(estimate, standard_error)

    df = np.maximum(n - 1, 1)
    if method == "t":
        none = np.full(estimate.shape, None)
        test = _Test(agreement_result.pvalues(statistic, alternative, df), np.full(estimate.shape, "t"), none)
    else:
        test = _shuffled(differences, compared.is_given, expected, alternative, method, n_resamples, source)
    reason = reasons(
        estimate.shape,
        (n == 0, NOT_TWICE),
        (expected == 0, NO_VARIATION),
        (observed == 0, agreement_result.FULL_AGREEMENT),
        (n == 1, agreement_result.ONE_CASE),
        (standard_error == 0, agreement_result.NO_VARIANCE),
    )
    return KrippendorffAlphaResult(
        estimate=estimate,
        standard_error=standard_error,
        statistic=statistic,
        pvalue=test.pvalue,
        alternative=alternative,
        method=test.method,
        reason=reason,
        observed_disagreement=observed * differences.unit,
        expected_disagreement=expected * differences.unit,
        n_instances=n,
        n_ratings=n_ratings,
        raters=given.raters,
        level=level,
        n_resamples=test.n_resamples,
        seed=source.seed_of(test.n_resamples),
        _df=df,
        _largest_disagreement=largest,
    )


DECLARATIONS = (
    Declaration(
        function=krippendorff_alpha, data=Data.LABELLINGS, sentence=f"Krippendorff's alpha: {agreement_result.WORDS}"
    ),
)


class _Differences(NamedTuple):
    """Differences of comparable ratings, for instances with m ratings."""

    within: FloatArray  # shape (..., n): sum over the pairs of each instance, divided by m - 1
    # shape (..., n): sum over the ratings of each instance of their mean difference from all ratings
    to_all: FloatArray
    among: FloatArray  # shape (...): mean over all pairs, including the pairs of a rating with itself
    unit: Any  # shape (...): largest difference, by which all differences are divided
    points: AnyArray  # shape (..., n, n_raters): number that represents each rating
    of_pairs: Callable[[Any], Any]  # maps points (..., m) to the sums (...) of the differences of their pairs
    in_order: Callable[[Any], Any]  # points in an order that does not depend on names or directions
    # shape (..., n): effect of each instance on observed / among through the ranks of all ratings
    through_ranks: Any = 0.0


class _Test(NamedTuple):
    """The p-values, of shape (...), and the method of each."""

    pvalue: FloatArray
    method: AnyArray
    n_resamples: AnyArray


def _shuffled(
    d: _Differences,
    is_given: BoolArray,
    expected: FloatArray,
    alternative: str,
    method: str,
    n_resamples: int | None,
    source: RandomSource,
) -> _Test:
    """Compute the permutation p-value of alpha. Return nan if alpha is undefined."""
    shape = expected.shape
    test = _Test(np.full(shape, np.nan), np.full(shape, "exact", dtype="U11"), np.full(shape, None))
    for at in np.ndindex(shape):
        if not expected[at] > 0:
            continue
        points, m = d.points[at][is_given[at]], is_given[at].sum(axis=-1)
        test.pvalue[at], test.method[at], test.n_resamples[at] = shuffled_pvalue(
            d.in_order(points),
            m[m > 1],
            d.of_pairs,
            float(d.within[at].sum()) / 2,
            float(expected[at]) * points.size / 2,
            alternative=alternative,
            method=method,
            n_resamples=n_resamples,
            source=source,
        )
    return test


def _standard_error(d: _Differences, m: IndexArray) -> FloatArray:
    """Return the standard error from the influence of each instance: Gwet (2014)."""
    n, n_ratings = ((m > 1).sum(axis=-1, keepdims=True), m.sum(axis=-1, keepdims=True))
    among = d.among[..., np.newaxis]
    observed = d.within.sum(axis=-1, keepdims=True) / n_ratings
    influence = d.within - observed * m - 2 * observed / among * (d.to_all - among * m) + d.through_ranks
    influence = agreement_result.without_noise(influence, m.astype(np.float64)) / (among * n_ratings / n)
    return np.asarray(np.sqrt((influence**2).sum(axis=-1) / (n * (n - 1.0))[..., 0]))


def _by_label(compared: Ratings, labels: Any) -> _Differences:
    """Return the nominal differences: 1 for different labels, 0 for equal labels."""
    codes, counts = _codes_and_counts(compared, labels)
    m, totals = counts.sum(axis=-1), counts.sum(axis=-2)
    n_ratings = totals.sum(axis=-1)
    shares = totals / n_ratings[..., np.newaxis]
    return _Differences(
        within=(m**2 - (counts**2).sum(axis=-1)) / np.maximum(m - 1, 1),
        to_all=m - (counts * shares[..., np.newaxis, :]).sum(axis=-1),
        among=(n_ratings**2 - (totals**2).sum(axis=-1)) / n_ratings**2,
        unit=1.0,
        points=codes,
        of_pairs=_unequal_pairs,
        in_order=_by_frequency,
    )


def _codes_and_counts(compared: Ratings, labels: Any) -> tuple[IndexArray, FloatArray]:
    codes, _ = label_codes(compared, labels)
    counts, _ = label_counts(compared, labels)
    return codes.of((slice(None),) * len(codes.shape)).astype(np.intp), counts


def _unequal_pairs(codes: AnyArray) -> Any:
    first, second = np.triu_indices(codes.shape[-1], 1)
    if codes.shape[-1] <= MOST_IN_PAIRS:
        return sum((codes[..., i] != codes[..., j] for i, j in zip(first, second, strict=True)), start=np.zeros(()))
    return (codes.shape[-1] ** 2 - sum((codes == c).sum(axis=-1) ** 2.0 for c in np.unique(codes))) / 2


def _by_frequency(codes: AnyArray) -> AnyArray:
    """Return codes sorted by label frequency, ascending. Labels of equal frequency are interchangeable."""
    frequencies = np.sort(np.unique(codes, return_counts=True)[1])
    return np.repeat(np.arange(frequencies.size), frequencies)


def _by_number(compared: Ratings, labels: Any) -> _Differences:
    """Return squared differences of numbers."""
    return _on_a_line(_numbers(compared, labels, "an interval"), compared.is_given)


def _by_ratio(compared: Ratings, labels: Any) -> _Differences:
    """Return squared differences of numbers divided by their sums: 0 for equal numbers, 1 if one is 0."""
    x, is_given = _numbers(compared, labels, "a ratio"), compared.is_given
    if (is_negative := is_given & (x < 0)).any():
        at = tuple(int(i) for i in np.argwhere(is_negative)[0])
        raise InvalidValueError(
            f"ratings must be nonnegative on a ratio scale, but ratings[{', '.join(map(str, at))}] is {x[at]:g}; "
            "level='interval' accepts negative numbers"
        )
    # halves, because a sum may be too large for a float
    x = np.where(is_given, x / 2, 0.0)
    m = is_given.sum(axis=-1)
    within, mean_difference = np.zeros(m.shape), np.zeros(x.shape)
    for j in range(x.shape[-1]):
        both = is_given & is_given[..., [j]]
        within += np.where(both, _squared_ratio(x, x[..., [j]]), 0.0).sum(axis=-1)
    for at in np.ndindex(x.shape[:-2]):
        values, place, counts = np.unique(x[at][is_given[at]], return_inverse=True, return_counts=True)
        step = max(1, NUMBERS_AT_ONCE // max(values.size, 1))
        of_value = [
            _squared_ratio(values[start : start + step, np.newaxis], values) @ counts / counts.sum()
            for start in range(0, values.size, step)
        ]
        mean_difference[at][is_given[at]] = np.concatenate([*of_value, []])[place.ravel()]
    return _Differences(
        within=within / np.maximum(m - 1, 1),
        to_all=mean_difference.sum(axis=-1),
        among=mean_difference.sum(axis=(-2, -1)) / m.sum(axis=-1),
        unit=1.0,
        points=x,
        of_pairs=_squared_ratios,
        in_order=np.sort,
    )


def _squared_ratios(x: AnyArray) -> Any:
    first, second = np.triu_indices(x.shape[-1], 1)
    pairs = zip(first, second, strict=True)
    return sum((_squared_ratio(x[..., i], x[..., j]) for i, j in pairs), start=np.zeros(()))


def _squared_ratio(a: FloatArray, b: FloatArray) -> FloatArray:
    total = a + b
    return np.asarray(((a - b) / np.where(total > 0, total, 1.0)) ** 2)


def _numbers(compared: Ratings, labels: Any, scale: str) -> FloatArray:
    if labels is not None:
        raise InvalidValueError(
            f"labels apply only to the levels 'nominal' and 'ordinal'; on {scale} scale, the numbers themselves are "
            "used"
        )
    return _checks.finite(_checks.numbers(compared.array, "ratings"), "ratings")


def _by_rank(compared: Ratings, labels: Any) -> _Differences:
    """Return squared differences of the mid-ranks among all ratings: Krippendorff's ordinal metric."""
    code, counts = _codes_and_counts(compared, labels)
    totals = counts.sum(axis=-2)
    rank = np.cumsum(totals, axis=-1) - totals / 2
    d = _on_a_line(np.take_along_axis(rank[..., np.newaxis, :], code, axis=-1), compared.is_given)
    return d._replace(through_ranks=_through_ranks(counts, d))


def _on_a_line(points: FloatArray, is_given: BoolArray) -> _Differences:
    """Return the squared differences of numbers, divided by the square of their range."""
    first = np.min(points, axis=(-2, -1), where=is_given, initial=np.inf, keepdims=True)
    last = np.max(points, axis=(-2, -1), where=is_given, initial=-np.inf, keepdims=True)
    # halves, because the range of the numbers may be too large for a float
    length = last / 2 - first / 2
    x = np.where(is_given & (length > 0), (points / 2 - first / 2) / length, 0.0)
    m = is_given.sum(axis=-1)
    n_ratings = m.sum(axis=-1)
    own = np.argmax(is_given, axis=-1)[..., np.newaxis]
    # relative to the first rating of the instance, so the difference of equal ratings is exactly 0
    apart = np.where(is_given, x - np.take_along_axis(x, own, axis=-1), 0.0)
    x = np.where(is_given, x - x.sum(axis=(-2, -1), keepdims=True) / n_ratings[..., np.newaxis, np.newaxis], 0.0)
    mean_square = (x**2).sum(axis=(-2, -1)) / n_ratings
    return _Differences(
        within=2 * (m * (apart**2).sum(axis=-1) - apart.sum(axis=-1) ** 2) / np.maximum(m - 1, 1),
        to_all=(x**2).sum(axis=-1) + m * mean_square[..., np.newaxis],
        among=2 * mean_square,
        unit=4 * length[..., 0, 0] ** 2,
        points=x,
        of_pairs=_squares_of_pairs,
        in_order=_in_one_direction,
    )


def _squares_of_pairs(x: AnyArray) -> Any:
    # relative to the first rating, so the difference of equal ratings is exactly 0
    apart = x - x[..., :1]
    return x.shape[-1] * (apart**2).sum(axis=-1) - apart.sum(axis=-1) ** 2


def _in_one_direction(x: AnyArray) -> AnyArray:
    return np.sort(-x if is_mirrored(x) else x)


def _through_ranks(counts: FloatArray, d: _Differences) -> FloatArray:
    """Return the influence of each instance on observed - ratio * expected through the ranks of the labels."""
    m, totals = counts.sum(axis=-1), counts.sum(axis=-2)
    n_ratings = totals.sum(axis=-1, keepdims=True)
    shares = totals / n_ratings
    rank = np.cumsum(shares, axis=-1) - shares / 2
    ratio = d.within.sum(axis=-1, keepdims=True) / n_ratings / d.among[..., np.newaxis]

    # derivatives of the mean differences within instances and among all ratings with respect to the rank of each label
    per_case = counts * (
        m[..., np.newaxis] * rank[..., np.newaxis, :] - (counts * rank[..., np.newaxis, :]).sum(-1)[..., np.newaxis]
    )
    within = 4 * (per_case / np.maximum(m - 1, 1)[..., np.newaxis]).sum(axis=-2) / n_ratings
    among = 4 * shares * (rank - (shares * rank).sum(axis=-1, keepdims=True))
    by_rank = within - ratio * among
    # an additional label shifts the higher ranks by 1 and its own rank by one half
    by_share = by_rank.sum(axis=-1, keepdims=True) - np.cumsum(by_rank, axis=-1) + by_rank / 2
    by_share -= (by_share * shares).sum(axis=-1, keepdims=True)
    return np.asarray((counts * by_share[..., np.newaxis, :]).sum(axis=-1) * (n_ratings**2 / d.unit[..., np.newaxis]))
