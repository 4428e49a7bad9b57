"""Fleiss' kappa: do several raters agree beyond chance?"""

from __future__ import annotations

__all__ = ["FleissKappaResult", "fleiss_kappa", "fleiss_kappa_counts"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._declarations import Data, Declaration
from evalstats._result import reasons
from evalstats._types import FloatArray
from evalstats.agreement import count_tables as tables
from evalstats.agreement.agreement_result import (
    FULL_AGREEMENT,
    NO_VARIANCE,
    ONE_CASE,
    WORDS,
    AgreementResult,
    pvalues,
    standardised,
    without_noise,
)
from evalstats.agreement.ratings import label_counts, understand

CHANCE_IS_COMPLETE = "all ratings are one and the same label, so agreement by chance is complete and kappa has no value"


@dataclass(frozen=True, kw_only=True, eq=False)
class FleissKappaResult(AgreementResult):
    """What `fleiss_kappa` returns; ``statistic, pvalue = result`` works.

    Attributes
    ----------
    estimate : float or ndarray
        Kappa: 1 for agreement of all raters on all cases, 0 for as much as chance gives; nan where all ratings are the
        same label.
    standard_error : float or ndarray
        Standard error of kappa over the cases, whatever its true value; for the interval.
    standard_error_null : float or ndarray
        Large-sample standard error of kappa if raters draw their labels at random; for the test.
    statistic : float or ndarray
        z, kappa in units of `standard_error_null`.
    pvalue : float or ndarray
        From the normal distribution.
    observed_agreement : float or ndarray
        Share of the pairs of raters that agree, mean over the cases.
    chance_agreement : float or ndarray
        The same if all draw from the shares of the labels.
    n_cases, n_raters : int
        Number of cases, and of ratings of each case.
    labels : tuple
        The labels.
    shares : ndarray of shape (..., k)
        Share of each label among all ratings.
    """

    standard_error_null: Any
    observed_agreement: Any
    chance_agreement: Any
    n_raters: int
    labels: tuple[Any, ...]
    shares: FloatArray


class KappaOfCounts(NamedTuple):
    """Kappa of cases that were all rated equally often, and what it is made of."""

    estimate: FloatArray
    standard_error: FloatArray
    standard_error_null: FloatArray
    observed: FloatArray
    by_chance: FloatArray
    shares: FloatArray
    reason: Any


def fleiss_kappa(
    ratings: ArrayLike, *, labels: Sequence[Any] | None = None, alternative: str = "two-sided"
) -> FleissKappaResult:
    """Tell how far several raters agree beyond chance.

    Each case is rated equally often, not necessarily by the same raters. The null hypothesis of the test: each rating
    is drawn at random, with one probability of each label for all cases and raters.

    Parameters
    ----------
    ratings : array_like of shape (..., n_cases, n_raters)
        The label that each rater (column) gave to each case (row): whole numbers, booleans, text or other hashable
        objects, all of one kind. Leading axes are a batch.
    labels : sequence, optional
        All labels; a label that is not listed is an error. Without it: all that occur, sorted.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: more agreement than by chance; ``'less'``: less.

    Returns
    -------
    FleissKappaResult
        Kappa with its standard errors, test and `confidence_interval`.

    Raises
    ------
    ValueError
        If there are fewer than two raters, a rating is missing (see `krippendorff_alpha` and `gwet_ac1`) or not listed,
        or an option is unknown.
    TypeError
        If labels are of different kinds, such as text and numbers.

    Notes
    -----
    With two raters it is Scott's pi, not Cohen's kappa: chance is computed from the shares of all ratings together.

    The standard error is that of Gwet, from the differences between the cases, with the t distribution of n_cases - 1
    degrees of freedom in the interval; the one under the null hypothesis is that of Fleiss, Nee & Landis. With 5 to 100
    cases the two-sided test rejects at .05 in 6% of tables at most where raters guess, and the one-sided test of more
    agreement in 8% at most, where one label is rare; the test of `krippendorff_alpha` is exact. Where all ratings are
    one label everything is nan; where all raters agree on every case the interval is exact; `reason` says so.

    References
    ----------
    Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76, 378-382.

    Fleiss, J. L., Nee, J. C. M. & Landis, J. R. (1979). Large sample variance of kappa in the case of different sets of
    raters. Psychological Bulletin 86, 974-977.

    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics.

    Examples
    --------
    Four raters, five cases:

    >>> from evalstats.agreement import fleiss_kappa
    >>> ratings = [list("aaab"), list("bbbb"), list("aaaa"), list("abcc"), list("cccc")]
    >>> result = fleiss_kappa(ratings)
    >>> print(f"kappa = {result.estimate:.3f}, z = {result.statistic:.2f}, p = {result.pvalue:.0e}")
    kappa = 0.596, z = 4.60, p = 4e-06
    """
    given = understand(ratings)
    if not given.is_given.all():
        at = ", ".join(str(i) for i in np.argwhere(~given.is_given)[0])
        raise InvalidValueError(
            f"ratings must have no missing labels, but ratings[{at}] is missing; krippendorff_alpha and gwet_ac1 take "
            "missing ratings"
        )
    counts, names = label_counts(given, labels)
    return _result(counts, names, alternative)


DECLARATIONS = (Declaration(function=fleiss_kappa, data=Data.LABELLINGS, sentence=f"Fleiss' kappa: {WORDS}"),)


def fleiss_kappa_counts(counts: ArrayLike, *, alternative: str = "two-sided") -> FleissKappaResult:
    """Tell how far several raters agree beyond chance, from how many gave each label to each case.

    Parameters
    ----------
    counts : array_like of shape (..., n_cases, k)
        Number of raters that gave each label (column) to each case (row), with the same sum in every row. Leading axes
        are a batch.
    alternative
        As in `fleiss_kappa`.

    Returns
    -------
    FleissKappaResult
        As from `fleiss_kappa`; `labels` are 0 to k - 1.

    Raises
    ------
    ValueError
        If a count is no whole number of 0 or more, the rows have different sums, or an option is unknown.

    Examples
    --------
    Ten cases, fourteen raters, five labels:

    >>> from evalstats.agreement import fleiss_kappa_counts
    >>> result = fleiss_kappa_counts([
    ...     [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    ...     [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ... ])
    >>> print(f"{result.estimate:.3f} = ({result.observed_agreement:.3f} - {result.chance_agreement:.3f}) / (1 - "
    ...       f"{result.chance_agreement:.3f})")
    0.210 = (0.378 - 0.213) / (1 - 0.213)
    """
    array = tables.counts(counts, "counts", "(n_cases, k)")
    sums = array.sum(axis=-1)
    if (different := sums != sums.flat[0]).any():
        raise InvalidValueError(
            f"counts must have the same sum in every row, but one row has {sums.flat[0]:g} ratings and another "
            f"{sums[different][0]:g}; krippendorff_alpha and gwet_ac1 take unequal numbers of ratings"
        )
    if sums.flat[0] < 2:
        raise InvalidValueError(f"counts must hold two ratings or more of each case, but there are {sums.flat[0]:g}")
    return _result(array, tuple(range(array.shape[-1])), alternative)


def _result(counts: FloatArray, labels: tuple[Any, ...], alternative: str) -> FleissKappaResult:
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    n_cases = counts.shape[-2]
    kappa = kappa_of_counts(counts, np.ones(counts.shape[:-1]))
    statistic = standardised(kappa.estimate, kappa.standard_error_null)

    with np.errstate(divide="ignore"):
        largest = 1 / kappa.by_chance
    return FleissKappaResult(
        estimate=kappa.estimate,
        standard_error=kappa.standard_error,
        standard_error_null=kappa.standard_error_null,
        statistic=statistic,
        pvalue=pvalues(statistic, alternative),
        alternative=alternative,
        method=np.full(statistic.shape, "normal"),
        reason=kappa.reason,
        observed_agreement=1 - kappa.observed,
        chance_agreement=1 - kappa.by_chance,
        n_cases=n_cases,
        n_raters=int(counts[(0,) * (counts.ndim - 1)].sum()),
        labels=labels,
        shares=kappa.shares,
        _df=max(n_cases - 1, 1),
        _largest_disagreement=largest,
    )


def kappa_of_counts(counts: FloatArray, n_times: FloatArray) -> KappaOfCounts:
    """Return Fleiss' kappa of counts of shape (..., p, k), of patterns that occur `n_times` of shape (..., p)."""
    n = n_times.sum(axis=-1)
    m = counts.sum(axis=-1)[..., :1]
    totals = (counts * n_times[..., np.newaxis]).sum(axis=-2)
    n_ratings = totals.sum(axis=-1)
    shares = totals / n_ratings[..., np.newaxis]

    # disagreeing pairs among the ratings of one case, and among all: whole numbers, so that none is exactly 0
    split = m**2 - (counts**2).sum(axis=-1)
    observed = (split * n_times).sum(axis=-1) / (n_ratings * (m[..., 0] - 1))
    by_chance = (n_ratings**2 - (totals**2).sum(axis=-1)) / n_ratings**2
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.where(by_chance > 0, 1 - observed / by_chance, np.nan)

        observed_here = split / (m * (m - 1))
        by_chance_here = 1 - (counts * shares[..., np.newaxis, :]).sum(axis=-1) / m
        standard_error = _over_cases(observed_here, by_chance_here, observed, by_chance, n_times)
        standard_error_null = _under_chance(shares, by_chance, n_ratings * (m[..., 0] - 1))
    reason = reasons(
        estimate.shape,
        (by_chance == 0, CHANCE_IS_COMPLETE),
        (observed == 0, FULL_AGREEMENT),
        (n == 1, ONE_CASE),
        (standard_error == 0, NO_VARIANCE),
    )
    return KappaOfCounts(estimate, standard_error, standard_error_null, observed, by_chance, shares, reason)


def _over_cases(
    observed_here: FloatArray,
    by_chance_here: FloatArray,
    observed: FloatArray,
    by_chance: FloatArray,
    n_times: FloatArray,
) -> FloatArray:
    """Return the standard error from the influence of each case: Gwet (2014)."""
    observed, by_chance = observed[..., np.newaxis], by_chance[..., np.newaxis]
    influence = (observed_here - observed) - 2 * observed / by_chance * (by_chance_here - by_chance)
    influence = without_noise(influence, np.ones_like(observed)) / by_chance
    n = n_times.sum(axis=-1)
    return np.asarray(np.sqrt((n_times * influence**2).sum(axis=-1) / (n * (n - 1))))


def _under_chance(shares: FloatArray, by_chance: FloatArray, n_pairs: FloatArray) -> FloatArray:
    """Return the standard error for random ratings: Fleiss, Nee & Landis (1979)."""
    third = (shares * (1 - shares) * (1 - 2 * shares)).sum(axis=-1)
    return np.asarray(np.sqrt(2 * (by_chance**2 - third) / n_pairs) / by_chance)
