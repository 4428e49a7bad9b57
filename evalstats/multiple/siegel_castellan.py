"""Pairwise z tests of mean ranks (Siegel and Castellan) and Miller's chi-squared test."""

from __future__ import annotations

__all__ = ["MillerTestResult", "SiegelCastellanTestResult", "miller_test", "siegel_castellan_test"]

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._declarations import Data, Declaration, Draw
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._types import FloatArray
from evalstats.adjustment.pair_indexing import PairwiseTestResult, family_of, joint_family
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.mean_ranks import (
    checked_ranks,
    pair_differences,
    reason_if_all_tied,
    standard_error,
    standardized,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class SiegelCastellanTestResult(PairwiseTestResult):
    """Result of `siegel_castellan_test`. See also `PairwiseTestResult`.

    Attributes
    ----------
    mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier. Rank 1 is the best.
    n_datasets : int
        Number n of datasets.
    min_attainable_pvalue : float
        The unadjusted p-value of a pair in which one classifier is the best and the other is the worst on every
        dataset.
    tie_tolerance : float
        Relative precision to which scores were rounded before ranking. The value 0 means no rounding.
    """

    mean_ranks: FloatArray
    n_datasets: int
    min_attainable_pvalue: float
    tie_tolerance: float


@dataclass(frozen=True, kw_only=True, eq=False)
class MillerTestResult(PairwiseTestResult):
    """Result of `miller_test`. See also `PairwiseTestResult`.

    Attributes
    ----------
    df : int
        Degrees of freedom of the chi-squared distribution, k - 1.
    mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier. Rank 1 is the best.
    n_datasets : int
        Number n of datasets.
    min_attainable_pvalue : float
        The p-value of a pair in which one classifier is the best and the other is the worst on every dataset.
    tie_tolerance : float
        Relative precision to which scores were rounded before ranking. The value 0 means no rounding.
    """

    df: int
    mean_ranks: FloatArray
    n_datasets: int
    min_attainable_pvalue: float
    tie_tolerance: float

    def critical_difference(self, alpha: float = 0.05) -> float:
        """Compute the smallest significant difference between two mean ranks at level `alpha`.

        Parameters
        ----------
        alpha : float, default: 0.05
            Probability, strictly between 0 and 1, of rejecting at least one contrast if no classifiers differ.

        Returns
        -------
        float
            The critical difference in ranks. Two mean ranks differ by at least this value if ``pvalue <= alpha``.
        """
        from scipy.special import chdtri

        quantile = float(chdtri(self.df, _checks.proportion(alpha, "alpha")))
        return math.sqrt(quantile) * standard_error(self.n_datasets, self.n_classifiers)


def siegel_castellan_test(
    scores: Any,
    *,
    control: Any = None,
    adjust: str = "holm",
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> SiegelCastellanTestResult:
    """Test which pairs of classifiers differ in mean rank (z of Siegel and Castellan).

    The null hypothesis of a pair is that the two classifiers have the same expected rank. The z statistic of each pair
    is the same as in `nemenyi_test`. The p-value is computed for the single pair and then adjusted. With Holm's method,
    the smallest p-value is slightly larger than in the Nemenyi test, and the other p-values may be smaller. With a
    control and ``adjust='bonferroni'``, the test is equivalent to `bonferroni_dunn_test`. With a control and a
    step-wise method such as ``'holm'`` or ``'hochberg'``, the test is the procedure with this name in Demšar (2006).
    The test controls the family-wise error rate only if all classifiers perform equally. In a simulation, two
    classifiers with equal performance had the first and the last rank on each dataset, in random order. The other
    classifiers differed in performance. The test was applied after an omnibus test that rejects. At the 5% level, the
    true null hypothesis of these two classifiers was rejected in up to 12.1% (26.5% with a control) of simulated
    tables.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least one row and two columns, in any unit. Leading
        axes are batch dimensions.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name.
        Choose the control before you see the results. If None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest score then has rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    SiegelCastellanTestResult
        Matrices `statistic` and `pvalue`, or vectors with a control. ``statistic[i, j]`` is negative if i is better.

    Raises
    ------
    InvalidValueError
        If scores are not finite or not a table, the control is not in the table, or an option is unknown.

    See Also
    --------
    friedman_exact_posthoc_test : the same comparison with the exact distribution.

    Notes
    -----
    z = (R_i - R_j) / sqrt(k (k + 1) / (6 n)) with mean ranks R. The test does not correct for ties and is conservative
    if there are many ties.

    References
    ----------
    .. [1] S. Siegel, N. J. Castellan (1988). Nonparametric Statistics for the Behavioral Sciences, 2nd edition,
       McGraw-Hill, section 7.2.
    .. [2] J. Demšar (2006). Statistical Comparisons of Classifiers over Multiple Data Sets. Journal of Machine Learning
       Research 7:1-30, section 3.2.2.

    Examples
    --------
    >>> from evalstats.multiple import siegel_castellan_test
    >>> scores = [[71, 80, 82], [64, 69, 78], [90, 91, 89], [55, 58, 66], [81, 80, 88], [77, 79, 84], [60, 70, 69]]
    >>> result = siegel_castellan_test(scores)
    >>> result.unadjusted_pvalue.round(4)
    array([[1.    , 0.1088, 0.0162],
           [0.1088, 1.    , 0.4227],
           [0.0162, 0.4227, 1.    ]])
    >>> result.pvalue.round(4)
    array([[1.    , 0.2176, 0.0485],
           [0.2176, 1.    , 0.4227],
           [0.0485, 0.4227, 1.    ]])
    """
    ranks, n, k, tie_tolerance = checked_ranks(scores, greater_is_better, tie_tolerance)
    family = family_of(scores, k, control, adjust)

    sums = ranks.sum(axis=-2)
    statistic = standardized(pair_differences(sums, family.pairs.control), n, k)

    return family.result(
        SiegelCastellanTestResult,
        statistic=statistic,
        unadjusted=tails.normal_pvalue(statistic),
        method="normal",
        reason=reason_if_all_tied(ranks),
        mean_ranks=sums / n,
        n_datasets=n,
        min_attainable_pvalue=float(tails.normal_pvalue(standardized(n * (k - 1), n, k))),
        tie_tolerance=tie_tolerance,
    )


def miller_test(
    scores: Any, *, control: Any = None, greater_is_better: bool = True, tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> MillerTestResult:
    """Test which pairs of classifiers differ in mean rank, jointly with all contrasts (Miller's test).

    As in Scheffé's method, the p-values are valid for all contrasts of mean ranks together, such as one classifier
    against the mean of three others. If only pairs are of interest, `nemenyi_test` has more power. If only comparisons
    with a control are of interest, `friedman_dunnett_test` has more power. The null hypothesis of a pair is that the
    two classifiers have the same expected rank. The test controls the family-wise error rate only if all classifiers
    perform equally. In a simulation, two classifiers with equal performance had the first and the last rank on each
    dataset, in random order. The other classifiers differed in performance. The test was applied after an omnibus test
    that rejects. At the 5% level, the true null hypothesis of these two classifiers was rejected in up to 11.8% of
    simulated tables.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least one row and two columns, in any unit. Leading
        axes are batch dimensions.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name.
        With a control, fewer pairs are returned, with the same p-values. If None, all pairs are compared.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest score then has rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    MillerTestResult
        Matrices `statistic` and `pvalue`, or vectors with a control. The statistic is chi2 (see Notes).

    Raises
    ------
    InvalidValueError
        If scores are not finite or not a table, or the control is not in the table.

    Notes
    -----
    chi2 = (R_i - R_j)^2 / (k (k + 1) / (6 n)) with mean ranks R and k - 1 degrees of freedom. `unadjusted_pvalue` uses
    one degree of freedom. The largest chi2 is at most the chi2 of `friedman_test` without correction for ties.

    References
    ----------
    .. [1] R. G. Miller (1981). Simultaneous Statistical Inference, 2nd edition, Springer, chapter 4.

    Examples
    --------
    >>> from evalstats.multiple import miller_test
    >>> scores = [[71, 80, 82], [64, 69, 78], [90, 91, 89], [55, 58, 66], [81, 80, 88], [77, 79, 84], [60, 70, 69]]
    >>> miller_test(scores).pvalue.round(4)
    array([[1.    , 0.2765, 0.0554],
           [0.2765, 1.    , 0.7251],
           [0.0554, 0.7251, 1.    ]])
    """
    ranks, n, k, tie_tolerance = checked_ranks(scores, greater_is_better, tie_tolerance)
    family = joint_family(scores, k, control)

    sums = ranks.sum(axis=-2)
    z = standardized(pair_differences(sums, family.pairs.control), n, k)

    return family.result(
        MillerTestResult,
        statistic=z**2,
        unadjusted=tails.normal_pvalue(z),
        adjusted=_chi2_pvalue(z, k),
        method="chi2",
        reason=reason_if_all_tied(ranks),
        df=k - 1,
        mean_ranks=sums / n,
        n_datasets=n,
        min_attainable_pvalue=float(_chi2_pvalue(standardized(n * (k - 1), n, k), k)),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=siegel_castellan_test,
        data=Data.RANKED_TABLE,
        variants={"control": {"control": 0}},
        inputs={"scores, adjust, control, greater_is_better": Draw("ranked_family")},
        sentence="Siegel and Castellan's test of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
    ),
    Declaration(
        function=miller_test,
        data=Data.RANKED_TABLE,
        inputs={"scores": Draw("table"), "greater_is_better": (True, False)},
        sentence="Miller's test of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
    ),
)


def _chi2_pvalue(z: FloatArray, k: int) -> FloatArray:
    """Compute P(chi-squared with k - 1 degrees of freedom >= z^2)."""
    return tails.chi2_pvalue(np.asarray(z**2), k - 1)
