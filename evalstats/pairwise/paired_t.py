"""Pairwise paired t-tests of the mean scores of several classifiers over datasets."""

from __future__ import annotations

__all__ = ["PairwisePairedTTestResult", "PairwiseTTestResult", "pairwise_paired_ttest"]

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._declarations import OF_SIZES, Data, Declaration, Draw
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import ConfidenceInterval
from evalstats._types import FloatArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.pair_indexing import PairwiseTestResult
from evalstats.paired.ttest import interval_of_the_mean, paired_ttest

FIELDS = ("statistic", "pvalue", "mean_difference", "standard_error", "cohen_dz")
EQUAL = "in {of} pairs, the scores are equal in every row"
CONSTANT = (
    "in {of} pairs, the scores differ by the same amount in every row, so the differences have no variance and the "
    "t distribution does not apply; use a rank test, such as pairwise_wilcoxon_test"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseTTestResult(PairwiseTestResult):
    """Result of pairwise t-tests of mean differences. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        t of each pair. It is positive if classifier i has a higher mean than j (or the control), 0 on the diagonal, and
        nan for the control.
    df : int or ndarray of the same shape
        Degrees of freedom.
    mean_difference : ndarray of the same shape
        Mean score of i minus the mean score of j or of the control, in the unit of the scores. It is 0 on the diagonal.
    standard_error : ndarray of the same shape
        Standard error of the mean difference, in the unit of the scores. It is 0 on the diagonal.
    """

    df: Any
    mean_difference: FloatArray
    standard_error: FloatArray

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the mean difference of each pair.

        The interval is one-sided if the alternative is one-sided; its limits are nan if the differences have no
        variance. The level is not adjusted for the number of pairs.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval for a single pair, if the assumptions of the test hold.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats.pairwise import pairwise_paired_ttest
        >>> scores = [[0.81, 0.78, 0.7], [0.84, 0.82, 0.74], [0.79, 0.80, 0.71], [0.90, 0.84, 0.75], [0.85, 0.83, 0.7]]
        >>> low, high = pairwise_paired_ttest(scores).confidence_interval()
        >>> print(f"{low[0, 1]:.4f} {high[0, 1]:.4f}")
        -0.0072 0.0552
        """
        return interval_of_the_mean(self, confidence_level)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwisePairedTTestResult(PairwiseTTestResult):
    """Result of `pairwise_paired_ttest`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    df : int
        Degrees of freedom: the number of datasets minus one.
    n_datasets : int
        Number of datasets.
    cohen_dz : ndarray of the same shape
        Mean difference divided by the standard deviation of the differences. It is 0 on the diagonal.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    n_datasets: int
    cohen_dz: FloatArray
    tie_tolerance: float


def pairwise_paired_ttest(
    scores: Any,
    *,
    control: Any = None,
    adjust: str = "holm",
    alternative: str = "two-sided",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> PairwisePairedTTestResult:
    """Test which pairs of classifiers differ in mean score over datasets (paired t-tests).

    The null hypothesis for a pair is that the differences between the two classifiers are a sample from a normal
    distribution with mean 0. For scores on datasets, this assumption is strong, and `pairwise_wilcoxon_test` is
    preferable. Each pair is tested with `paired_ttest` and its own variance, and the p-values are adjusted for all
    compared pairs.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least two rows and two columns, on the same scale.
        Leading axes are batch dimensions, and each member is a separate family. The folds of a cross-validation are not
        a sample of datasets; use `pairwise_corrected_ttest`.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the mean of the classifier is larger than the mean of the control. A one-sided alternative needs
        a control.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    PairwisePairedTTestResult
        Matrices `statistic`, `pvalue`, `mean_difference` and more. With a control, they are vectors. The method
        `confidence_interval` computes the intervals.

    Raises
    ------
    ValueError, TypeError
        If a score is not a finite number, the scores are not a table, or there are fewer than two datasets. If the
        control is not a column, the alternative is one-sided without a control, or an option is unknown.

    See Also
    --------
    paired_ttest : the test of one pair.
    tukey_test : the test of all pairs with a common variance and simultaneous intervals.
    pairwise_corrected_ttest : tests for the folds of a cross-validation on one dataset.

    Notes
    -----
    If a pair does not differ on any dataset, p is 1. If a pair differs by the same nonzero amount on every dataset, t
    is infinite and p is nan. In the adjustment, its hypothesis counts as not rejected. In both cases, `reason` states
    the number of such pairs.

    References
    ----------
    Student (1908). The probable error of a mean. Biometrika 6, 1-25.

    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.

    Examples
    --------
    >>> from evalstats.pairwise import pairwise_paired_ttest
    >>> scores = [[0.81, 0.78, 0.70], [0.84, 0.82, 0.74], [0.79, 0.80, 0.71], [0.90, 0.84, 0.75], [0.85, 0.83, 0.70]]
    >>> result = pairwise_paired_ttest(scores)
    >>> result.mean_difference[0].round(3)
    array([0.   , 0.024, 0.118])
    >>> result.pvalue.round(4)
    array([[1.    , 0.0993, 0.0021],
           [0.0993, 1.    , 0.0016],
           [0.0021, 0.0016, 1.    ]])
    """
    matrix, n, k, tie_tolerance = _checks.scores_and_size(scores, tie_tolerance, minimum_datasets=2)
    family = which_pairs.family_of(scores, k, control, adjust, alternative)

    pairs = family.pairs
    test = partial(paired_ttest, alternative=family.alternative, tie_tolerance=tie_tolerance)
    t, pvalue, mean, standard_error, dz = which_pairs.tested(
        pairs, matrix.swapaxes(-1, -2), test, FIELDS, which_pairs.NUMBERS_AT_ONCE
    )

    return family.result(
        PairwisePairedTTestResult,
        statistic=pairs.opposed(t),
        unadjusted=pairs.shared(pvalue, 1.0),
        method="t",
        reason=which_pairs.reason_of_pairs({EQUAL: (standard_error == 0) & (t == 0), CONSTANT: np.isnan(pvalue)}),
        df=n - 1,
        n_datasets=n,
        mean_difference=pairs.opposed(mean),
        standard_error=pairs.shared(standard_error),
        cohen_dz=pairs.opposed(dz),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=pairwise_paired_ttest,
        data=Data.TABLE,
        excused=OF_SIZES,
        inputs={"scores, adjust, control, alternative": Draw("family_of_pairs")},
        sentence="Paired t-tests of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
    ),
)
