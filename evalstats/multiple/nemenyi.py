"""The Nemenyi test, which compares the mean ranks of all pairs of classifiers."""

from __future__ import annotations

__all__ = ["NemenyiTestResult", "nemenyi_test"]

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats._declarations import SIGNIFICANCE_LEVELS, Data, Declaration, Draw
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import ClassifiersTestResult
from evalstats._types import FloatArray
from evalstats.distributions import studentized_range
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.critical_differences import critical_difference
from evalstats.multiple.mean_ranks import checked_ranks, reason_if_all_tied, standardized


@dataclass(frozen=True, kw_only=True, eq=False)
class NemenyiTestResult(ClassifiersTestResult):
    """Result of `nemenyi_test`.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k)
        ``statistic[i, j]`` is the mean rank of i minus the mean rank of j, divided by the standard error. It is
        negative if i is better, and 0 on the diagonal.
    pvalue : ndarray of shape (..., k, k)
        p-values adjusted for all k (k - 1) / 2 pairs. They are symmetric and 1 on the diagonal.
    alternative : str
        ``'two-sided'``.
    method : str or ndarray of str
        ``'studentized range'``.
    reason : str, None or ndarray of object
        A sentence if all classifiers are tied on every dataset, otherwise None.
    mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier. Rank 1 is the best.
    n_datasets, n_classifiers : int
        Shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    min_attainable_pvalue : float
        The minimum attainable p-value of a pair in a table of this shape. It is attained if one classifier of the pair
        is the best and the other is the worst on every dataset.
    tie_tolerance : float
        Relative precision to which scores were rounded before ranking. The value 0 means no rounding.
    """

    mean_ranks: FloatArray
    n_datasets: int
    n_classifiers: int
    min_attainable_pvalue: float
    tie_tolerance: float

    def _axes(self) -> tuple[str, ...]:
        return "first", "second"

    def critical_difference(self, alpha: float = 0.05) -> float:
        """Compute the smallest significant difference between two mean ranks at level `alpha`.

        Parameters
        ----------
        alpha : float, default: 0.05
            Probability, strictly between 0 and 1, of rejecting at least one pair if no two classifiers differ.

        Returns
        -------
        float
            The critical difference in ranks. Two mean ranks differ by at least this value if ``pvalue <= alpha``.
        """
        return critical_difference(self.n_datasets, self.n_classifiers, alpha=alpha, test="nemenyi")


def nemenyi_test(
    scores: Any, *, greater_is_better: bool = True, tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> NemenyiTestResult:
    """Test which pairs of classifiers differ in mean rank (Nemenyi test).

    All pairs are compared, and the p-values are adjusted for the family of k (k - 1) / 2 comparisons. The null
    hypothesis of a pair is that the two classifiers have the same expected rank. Use the test after a Friedman test
    that rejects. The null distribution is the limit for many datasets.

    The p-value of a pair depends on the other classifiers in the table, because they may rank between the two
    classifiers. To avoid this dependence, test individual pairs with `wilcoxon_test` or `sign_test` and adjust the
    p-values. The test controls the family-wise error rate only if all classifiers perform equally. In a simulation, two
    classifiers with equal performance had the first and the last rank on each dataset, in random order. The other
    classifiers differed in performance. The test was applied after an omnibus test that rejects. At the 5% level, the
    true null hypothesis of these two classifiers was rejected in up to 12.1% of simulated tables. With 100 datasets and
    20 classifiers, the rate without an omnibus test was 13.5%.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least two classifiers, in any unit. Leading axes are
        batch dimensions.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest score then has rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality. Tied
        scores get the mean of their ranks.

    Returns
    -------
    NemenyiTestResult
        Matrices `statistic` and `pvalue`. ``critical_difference(alpha)`` returns the critical difference for a diagram.

    Raises
    ------
    InvalidValueError
        If the shape is wrong, a score is nan or infinite, or `tie_tolerance` is not 0 or a power of ten.
    InvalidTypeError
        If the scores are not numbers, or `greater_is_better` is not a bool.

    See Also
    --------
    friedman_test : the omnibus test of all classifiers.
    bonferroni_dunn_test : the test with one control, which has more power.

    Notes
    -----
    The statistic is (R_i - R_j) / sqrt(k (k + 1) / (6 n)) with mean ranks R. The p-value is the probability that the
    range of k independent standard normal variables is at least sqrt(2) times the absolute statistic. The test does not
    correct for ties and is conservative if there are many ties.

    References
    ----------
    .. [1] P. B. Nemenyi (1963). Distribution-free Multiple Comparisons. PhD thesis, Princeton University.
    .. [2] J. Demšar (2006). Statistical Comparisons of Classifiers over Multiple Data Sets. Journal of Machine Learning
       Research 7:1-30, section 3.2.2.
    .. [3] A. Benavoli, G. Corani, F. Mangili (2016). Should We Really Use Post-Hoc Tests Based on Mean-Ranks? Journal
       of Machine Learning Research 17(5):1-10.

    Examples
    --------
    Accuracies of three classifiers on ten datasets, from the tutorial of Japkowicz:

    >>> from evalstats import nemenyi_test
    >>> a = [85.83, 85.91, 86.12, 85.82, 86.28, 86.42, 85.91, 86.10, 85.95, 86.12]
    >>> b = [75.86, 73.18, 69.08, 74.05, 74.71, 65.90, 76.25, 75.10, 70.50, 73.95]
    >>> c = [84.19, 85.90, 83.83, 85.11, 86.38, 81.20, 86.38, 86.75, 88.03, 87.18]
    >>> result = nemenyi_test(list(zip(a, b, c)))
    >>> result.mean_ranks
    array([1.5, 3. , 1.5])
    >>> result.pvalue.round(4)
    array([[1.    , 0.0023, 1.    ],
           [0.0023, 1.    , 0.0023],
           [1.    , 0.0023, 1.    ]])
    >>> round(result.critical_difference(alpha=0.05), 3)
    1.048
    """
    ranks, n, k, tie_tolerance = checked_ranks(scores, greater_is_better, tie_tolerance)
    sums = ranks.sum(axis=-2)
    statistic = standardized(sums[..., :, None] - sums[..., None, :], n, k)  # Demšar (2006), section 3.2.2

    pvalue = _pvalues(sums, statistic, n)

    return NemenyiTestResult(
        classifiers=column_names(scores),
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        method=np.full(sums.shape[:-1], "studentized range"),
        reason=reason_if_all_tied(ranks),
        mean_ranks=sums / n,
        n_datasets=n,
        n_classifiers=k,
        min_attainable_pvalue=float(_range_pvalue(standardized(n * (k - 1), n, k), k)),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=nemenyi_test,
        data=Data.RANKED_TABLE,
        inputs={"scores": Draw("table"), "greater_is_better": (True, False), "alpha": SIGNIFICANCE_LEVELS},
        sentence="Nemenyi test of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
    ),
)


def _pvalues(sums: FloatArray, statistic: FloatArray, n: int) -> FloatArray:
    """Return the p-value of each pair; compute it only once for each distinct difference of rank sums."""
    k = sums.shape[-1]
    pvalue = np.ones(statistic.shape)
    halves = int(2 * np.ptp(sums, axis=-1).max(initial=0.0)) + 1  # a rank sum is a multiple of one half
    if halves < sums[..., 0].size * k * (k - 1) // 2:
        of_difference = _range_pvalue(standardized(np.arange(halves) / 2, n, k), k)
        doubled = (2 * sums).astype(np.intp)
        for row in range(k):  # one row at a time: all rows would need as much memory as the matrix
            pvalue[..., row, :] = of_difference[np.abs(doubled - doubled[..., [row]])]
            pvalue[..., row, row] = 1.0
        return pvalue
    i, j = np.triu_indices(k, 1)
    pvalue[..., i, j] = pvalue[..., j, i] = _range_pvalue(statistic[..., i, j], k)
    return pvalue


def _range_pvalue(statistic: FloatArray, k: int) -> FloatArray:
    """Compute P(range of k standard normal variables >= sqrt(2) |statistic|)."""
    return tails.as_pvalue(studentized_range.sf(math.sqrt(2) * np.abs(statistic), k))
