"""Fleiss' kappa and Scott's pi: agreement of raters with common label proportions."""

from __future__ import annotations

__all__ = ["FleissKappaResult", "ScottPiResult", "fleiss_kappa", "scott_pi"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._result import reasons
from evalstats._types import FloatArray, IntArray
from evalstats.agreement import agreement_result
from evalstats.agreement import ratings as tables
from evalstats.agreement.ratings import label_counts, understand
from evalstats.metrics.class_encoding import class_codes, given_classes
from evalstats.metrics.counts import present_classes, tally, understand_pairs

CHANCE_IS_COMPLETE = "all ratings have the same label, so the expected chance agreement is 1 and kappa is undefined"


@dataclass(frozen=True, kw_only=True, eq=False)
class FleissKappaResult(agreement_result.AgreementResult):
    """Result of `fleiss_kappa`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    estimate : float or ndarray
        Kappa. It is 1 if all raters agree on all instances, and 0 for agreement by chance. It is nan if all ratings
        have the same label.
    standard_error : float or ndarray
        Standard error of kappa over the instances, which is valid for every true kappa and used for the interval.
    standard_error_null : float or ndarray
        Large-sample standard error of kappa for raters who choose labels at random; the test uses it.
    statistic : float or ndarray
        z: kappa divided by `standard_error_null`.
    pvalue : float or ndarray
        p-value from the normal distribution.
    observed_agreement : float or ndarray
        Proportion of the pairs of raters that agree, averaged over the instances.
    chance_agreement : float or ndarray
        Expected proportion of agreement if all raters choose labels at random with probabilities equal to
        `proportions`.
    n_instances, n_raters : int
        Numbers of instances and of ratings of each instance.
    raters : tuple or None
        Names of the raters: the columns of the data frame, or None for an array and for counts.
    labels : tuple
        The labels.
    proportions : ndarray of shape (..., k)
        Proportion of each label among all ratings.
    """

    standard_error_null: Any
    observed_agreement: Any
    chance_agreement: Any
    n_raters: int
    raters: tuple[Any, ...] | None
    labels: tuple[Any, ...]
    proportions: FloatArray


class KappaOfCounts(NamedTuple):
    """Kappa for instances with equal numbers of ratings, and its components."""

    estimate: FloatArray
    standard_error: FloatArray
    standard_error_null: FloatArray
    observed: FloatArray
    by_chance: FloatArray
    proportions: FloatArray
    reason: Any


def fleiss_kappa(
    ratings: ArrayLike | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    alternative: str = "two-sided",
) -> FleissKappaResult:
    """Estimate the agreement of several raters beyond chance (Fleiss' kappa).

    All instances have the same number of ratings, not necessarily from the same raters. The null hypothesis of the test
    is that each rating is drawn at random, with the same label probabilities for all instances and raters.

    Parameters
    ----------
    ratings : array_like of shape (..., n_instances, n_raters)
        The label of each rater (column) for each instance (row): integers, Booleans, text or other hashable objects,
        all of one kind. Leading axes are batch dimensions.
    counts : array_like of shape (..., n_instances, k), optional
        Instead of `ratings`: number of raters who chose each label (column) for each instance (row), with the same sum
        in every row.
    labels : sequence, optional
        All labels. A label that is not listed raises an error. None: all labels that occur, sorted. For counts, the
        labels are 0 to k - 1.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: more agreement than by chance. ``'less'``: less agreement than by chance.

    Returns
    -------
    FleissKappaResult
        Kappa with its standard errors, test and `confidence_interval`.

    Raises
    ------
    ValueError
        If there are fewer than two raters, or an option is unknown. If a rating is missing (see `krippendorff_alpha`
        and `gwet_ac1`) or not in `labels`. If a count is not a nonnegative integer, or the rows of counts have
        different sums.
    TypeError
        If labels have different types, such as text and numbers.

    Notes
    -----
    For two raters, the coefficient equals Scott's pi, not Cohen's kappa: chance agreement is computed from the
    proportions of all ratings together.

    Gwet's standard error is computed from the differences between the instances. The interval uses the t distribution
    with n_instances - 1 degrees of freedom. The standard error under the null hypothesis is from Fleiss, Nee & Landis.
    In simulations, four raters guess the labels of 5 to 200 instances. At the 0.05 level, the two-sided test rejects in
    at most 5.1% of the tables, and the one-sided test in at most 5.5%. The permutation test of `krippendorff_alpha`
    controls the type-I error rate. If all ratings have the same label, all values are nan. If all raters agree on every
    instance, the interval is exact. `reason` states these cases.

    References
    ----------
    Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76, 378-382.

    Fleiss, J. L., Nee, J. C. M. & Landis, J. R. (1979). Large sample variance of kappa in the case of different sets of
    raters. Psychological Bulletin 86, 974-977.

    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics.

    Examples
    --------
    Four raters, five instances:

    >>> from evalstats.agreement import fleiss_kappa
    >>> ratings = [list("aaab"), list("bbbb"), list("aaaa"), list("abcc"), list("cccc")]
    >>> result = fleiss_kappa(ratings)
    >>> print(f"kappa = {result.estimate:.3f}, z = {result.statistic:.2f}, p = {result.pvalue:.0e}")
    kappa = 0.596, z = 4.60, p = 4e-06

    Ten instances, fourteen raters, five labels, as counts:

    >>> result = fleiss_kappa(counts=[
    ...     [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    ...     [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ... ])
    >>> print(f"{result.estimate:.3f} = ({result.observed_agreement:.3f} - {result.chance_agreement:.3f}) / (1 - "
    ...       f"{result.chance_agreement:.3f})")
    0.210 = (0.378 - 0.213) / (1 - 0.213)
    """
    if counts is not None:
        _checks.instead("counts", ratings=ratings, labels=labels)
        return _result(*_equal_sums(tables.counts(counts, "counts", "(n_instances, k)")), alternative)
    given = understand(ratings)
    if not given.is_given.all():
        at = ", ".join(str(i) for i in np.argwhere(~given.is_given)[0])
        raise InvalidValueError(
            f"ratings must not contain missing labels, but ratings[{at}] is missing; krippendorff_alpha and gwet_ac1 "
            "accept missing ratings"
        )
    return _result(*label_counts(given, labels), alternative, given.raters)


def _equal_sums(counts: FloatArray) -> tuple[FloatArray, tuple[int, ...]]:
    """Return the counts as an array, after a check that all rows have the same sum, and the label numbers."""
    sums = counts.sum(axis=-1)
    if (different := sums != sums.flat[0]).any():
        raise InvalidValueError(
            f"counts must have the same sum in every row, but one row has {sums.flat[0]:g} ratings and another row "
            f"has {sums[different][0]:g} ratings; gwet_ac1 accepts unequal sums"
        )
    if sums.flat[0] < 2:
        raise InvalidValueError(
            f"counts must hold two ratings or more of each instance, but the sum of each row is {sums.flat[0]:g}"
        )
    return counts, tuple(range(counts.shape[-1]))


def _result(
    counts: FloatArray, labels: tuple[Any, ...], alternative: str, raters: tuple[Any, ...] | None = None
) -> FleissKappaResult:
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    n_instances = counts.shape[-2]
    kappa = kappa_of_counts(counts, np.ones(counts.shape[:-1]))
    statistic = agreement_result.standardized(kappa.estimate, kappa.standard_error_null)

    with np.errstate(divide="ignore"):
        largest = 1 / kappa.by_chance
    return FleissKappaResult(
        estimate=kappa.estimate,
        standard_error=kappa.standard_error,
        standard_error_null=kappa.standard_error_null,
        statistic=statistic,
        pvalue=agreement_result.pvalues(statistic, alternative),
        alternative=alternative,
        method=np.full(statistic.shape, "normal"),
        reason=kappa.reason,
        observed_agreement=1 - kappa.observed,
        chance_agreement=1 - kappa.by_chance,
        n_instances=n_instances,
        n_raters=int(counts[(0,) * (counts.ndim - 1)].sum()),
        raters=raters,
        labels=labels,
        proportions=kappa.proportions,
        _df=max(n_instances - 1, 1),
        _largest_disagreement=largest,
    )


def kappa_of_counts(counts: FloatArray, n_times: FloatArray) -> KappaOfCounts:
    """Return Fleiss' kappa of count patterns (..., p, k) with multiplicities `n_times` (..., p)."""
    n = n_times.sum(axis=-1)
    m = counts.sum(axis=-1)[..., :1]
    totals = (counts * n_times[..., np.newaxis]).sum(axis=-2)
    n_ratings = totals.sum(axis=-1)
    proportions = totals / n_ratings[..., np.newaxis]

    # disagreeing pairs among the ratings of one instance, and among all ratings: integers, so no disagreement is
    # exactly 0
    split = m**2 - (counts**2).sum(axis=-1)
    observed = (split * n_times).sum(axis=-1) / (n_ratings * (m[..., 0] - 1))
    by_chance = (n_ratings**2 - (totals**2).sum(axis=-1)) / n_ratings**2
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.where(by_chance > 0, 1 - observed / by_chance, np.nan)

        observed_here = split / (m * (m - 1))
        by_chance_here = 1 - (counts * proportions[..., np.newaxis, :]).sum(axis=-1) / m
        standard_error = _over_cases(observed_here, by_chance_here, observed, by_chance, n_times)
        standard_error_null = _under_chance(proportions, by_chance, n_ratings * (m[..., 0] - 1))
    reason = reasons(
        estimate.shape,
        (by_chance == 0, CHANCE_IS_COMPLETE),
        (observed == 0, agreement_result.FULL_AGREEMENT),
        (n == 1, agreement_result.ONE_CASE),
        (standard_error == 0, agreement_result.NO_VARIANCE),
    )
    return KappaOfCounts(estimate, standard_error, standard_error_null, observed, by_chance, proportions, reason)


def _over_cases(
    observed_here: FloatArray,
    by_chance_here: FloatArray,
    observed: FloatArray,
    by_chance: FloatArray,
    n_times: FloatArray,
) -> FloatArray:
    """Return the standard error from the influence of each instance: Gwet (2014)."""
    observed, by_chance = observed[..., np.newaxis], by_chance[..., np.newaxis]
    influence = (observed_here - observed) - 2 * observed / by_chance * (by_chance_here - by_chance)
    influence = agreement_result.without_noise(influence, np.ones_like(observed)) / by_chance
    n = n_times.sum(axis=-1)
    return np.asarray(np.sqrt((n_times * influence**2).sum(axis=-1) / (n * (n - 1))))


def _under_chance(proportions: FloatArray, by_chance: FloatArray, n_pairs: FloatArray) -> FloatArray:
    """Return the standard error for random ratings: Fleiss, Nee & Landis (1979)."""
    third = (proportions * (1 - proportions) * (1 - 2 * proportions)).sum(axis=-1)
    return np.asarray(np.sqrt(2 * (by_chance**2 - third) / n_pairs) / by_chance)


@dataclass(frozen=True, kw_only=True, eq=False)
class ScottPiResult(agreement_result.AgreementResult):
    """Result of `scott_pi`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    estimate : float or ndarray
        Pi. It is 1 for agreement on every instance, 0 for agreement by chance, and nan if all labels are the same.
    standard_error : float or ndarray
        Standard error of pi over the instances, which is valid for every true pi and used for the interval.
    standard_error_null : float or ndarray
        Large-sample standard error of pi for raters who choose labels at random; the test uses it.
    statistic : float or ndarray
        z: pi divided by `standard_error_null`.
    pvalue : float or ndarray
        p-value from the normal distribution.
    observed_agreement : float or ndarray
        Proportion of the instances on which the raters agree.
    chance_agreement : float or ndarray
        Expected proportion of agreement if both raters choose labels at random with the pooled label proportions.
    n_instances : int or ndarray
        Number of instances.
    labels : tuple
        The labels, in the order of the table.
    table : ndarray of shape (..., k, k)
        Number of instances for each pair of labels. Rows are y1, columns are y2.
    """

    standard_error_null: Any
    observed_agreement: Any
    chance_agreement: Any
    labels: tuple[Any, ...]
    table: IntArray


def scott_pi(
    y1: ArrayLike | None = None,
    y2: ArrayLike | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    alternative: str = "two-sided",
) -> ScottPiResult:
    """Estimate the agreement of two raters with common label proportions (Scott's pi).

    Pi differs from `cohen_kappa` in the definition of chance agreement: both raters choose from one distribution, the
    pooled label proportions. Therefore, a difference in the label proportions of the two raters reduces pi. The null
    hypothesis of the test is that both raters choose at random.

    Parameters
    ----------
    y1, y2 : array_like of shape (..., n)
        The labels of the two raters for the same n instances. Leading axes are batch dimensions and broadcast.
    counts : array_like of shape (..., k, k), optional
        Instead of `y1` and `y2`: number of instances for each pair of labels. Leading axes are batch dimensions. A data
        frame must have the same labels in the same order as rows and columns.
    labels : sequence, optional
        All labels. A label that is not listed raises an error. None: all labels that occur, sorted. For counts in a
        data frame, the labels are its labels. For counts in an array, the labels are 0 to k - 1.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: more agreement than by chance. ``'less'``: less agreement than by chance.

    Returns
    -------
    ScottPiResult
        Pi with its standard errors, test and `confidence_interval`.

    Raises
    ------
    ValueError
        If the lengths differ, there are no instances, a label is missing or not listed, or an option is unknown. If the
        counts are not square, are not nonnegative integers, are all 0, or are given together with other data.
    TypeError
        If labels have different types, such as text and numbers.

    Notes
    -----
    Pi is Fleiss' kappa for two raters, with the same standard errors (see `fleiss_kappa`). Scott's pi is never above
    Cohen's kappa.

    References
    ----------
    Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion Quarterly 19,
    321-325.

    Examples
    --------
    >>> from evalstats.agreement import cohen_kappa, scott_pi
    >>> y1, y2 = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 1, 1]
    >>> print(f"pi {scott_pi(y1, y2).estimate:.3f}, kappa {cohen_kappa(y1, y2).estimate:.3f}")
    pi 0.467, kappa 0.500
    >>> result = scott_pi(counts=[[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    >>> print(f"{result.estimate:.4f} +- {result.standard_error:.4f}")
    0.7962 +- 0.0594
    """
    if counts is not None:
        _checks.instead("counts", y1=y1, y2=y2, labels=labels)
        return _from_table(*tables.square_table(counts, "counts"), alternative)
    pairs = understand_pairs(y1, y2, names=("y1", "y2"))
    names = present_classes(pairs) if labels is None else given_classes(labels, pairs.kind)
    table = tally([class_codes(pairs.true, names), class_codes(pairs.predicted, names)])

    return _from_table(table.astype(np.float64), tuple(names), alternative)


def _from_table(table: FloatArray, labels: tuple[Any, ...], alternative: str) -> ScottPiResult:
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    one_hot = np.eye(len(labels))
    both = (one_hot[:, np.newaxis] + one_hot).reshape(-1, len(labels))  # the two labels of each cell of the table
    pi = kappa_of_counts(both, table.reshape(*table.shape[:-2], -1))
    statistic = agreement_result.standardized(pi.estimate, pi.standard_error_null)

    n = table.sum(axis=(-2, -1))
    with np.errstate(divide="ignore"):
        largest = 1 / pi.by_chance
    return ScottPiResult(
        estimate=pi.estimate,
        standard_error=pi.standard_error,
        standard_error_null=pi.standard_error_null,
        statistic=statistic,
        pvalue=agreement_result.pvalues(statistic, alternative),
        alternative=alternative,
        method=np.full(statistic.shape, "normal"),
        reason=pi.reason,
        observed_agreement=1 - pi.observed,
        chance_agreement=1 - pi.by_chance,
        n_instances=n.astype(np.int64),
        labels=labels,
        table=table.astype(np.int64),
        _df=np.maximum(n - 1, 1),
        _largest_disagreement=largest,
    )


DECLARATIONS = (
    Declaration(function=fleiss_kappa, data=Data.LABELLINGS, sentence=f"Fleiss' kappa: {agreement_result.WORDS}"),
    Declaration(function=scott_pi, data=Data.LABELLINGS, sentence=f"Scott's pi: {agreement_result.WORDS}"),
)
