"""The Bonferroni-Dunn test of several classifiers against a control."""

from __future__ import annotations

__all__ = ["BonferroniDunnTestResult", "bonferroni_dunn_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats._declarations import SIGNIFICANCE_LEVELS, Data, Declaration, Draw
from evalstats._labels import column_names, named
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import ClassifiersTestResult
from evalstats._types import FloatArray
from evalstats.adjustment.pair_indexing import column_of
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.critical_differences import critical_difference
from evalstats.multiple.mean_ranks import checked_ranks, reason_if_all_tied, standardized


@dataclass(frozen=True, kw_only=True, eq=False)
class BonferroniDunnTestResult(ClassifiersTestResult):
    """Result of `bonferroni_dunn_test`.

    Attributes
    ----------
    statistic : ndarray of shape (..., k)
        Mean rank of each classifier minus mean rank of the control, divided by the standard error. It is negative if
        the classifier is better than the control, and nan for the control.
    pvalue : ndarray of shape (..., k)
        p-values adjusted for all k - 1 comparisons. They are nan for the control.
    alternative : str
        ``'two-sided'``.
    method : str or ndarray of str
        ``'normal'``.
    reason : str, None or ndarray of object
        A sentence if all classifiers are tied on every dataset, otherwise None.
    control : int or column name
        Name of the control, or its index from 0 if the scores have no names.
    mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier. Rank 1 is the best.
    n_datasets, n_classifiers : int
        Shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    min_attainable_pvalue : float
        The minimum attainable p-value in a table of this shape. It is attained if, on every dataset, one of the two
        compared classifiers is the best and the other is the worst.
    tie_tolerance : float
        Relative precision to which scores were rounded before ranking. The value 0 means no rounding.
    """

    control: Any
    mean_ranks: FloatArray
    n_datasets: int
    n_classifiers: int
    min_attainable_pvalue: float
    tie_tolerance: float

    def _axes(self) -> tuple[str, ...]:
        return ("first",)

    def critical_difference(self, alpha: float = 0.05) -> float:
        """Compute the smallest significant difference from the mean rank of the control at level `alpha`.

        Parameters
        ----------
        alpha : float, default: 0.05
            Family-wise error rate, strictly between 0 and 1, if no classifier differs from the control.

        Returns
        -------
        float
            The critical difference in ranks. A mean rank differs from the mean rank of the control by at least this
            value if ``pvalue <= alpha``.
        """
        return critical_difference(self.n_datasets, self.n_classifiers, alpha=alpha, test="bonferroni-dunn")


def bonferroni_dunn_test(
    scores: Any, *, control: Any, greater_is_better: bool = True, tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> BonferroniDunnTestResult:
    """Test which classifiers differ from a control in mean rank (Bonferroni-Dunn test).

    Each classifier is compared only with the control. The family has k - 1 comparisons instead of all pairs, so smaller
    differences are significant than in `nemenyi_test`. The p-values are adjusted for this family. The null hypothesis
    of a comparison is that the classifier and the control have the same expected rank. Choose the control, such as a
    new or an established classifier, before you see the results. If you choose the best classifier as the control, the
    family consists of all pairs. As in the Nemenyi test, the p-value of a comparison depends on the other classifiers
    in the table. The test controls the family-wise error rate only if all classifiers perform equally. In a simulation,
    two classifiers with equal performance were the best and the worst on each dataset, in random order. The other
    classifiers differed in performance. The test was applied after an omnibus test that rejects. At the 5% level, the
    true null hypothesis of these two classifiers was rejected in up to 26.5% of simulated tables.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least two classifiers, in any unit. Leading axes are
        batch dimensions.
    control : int or column name
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest score then has rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality. Tied
        scores get the mean of their ranks.

    Returns
    -------
    BonferroniDunnTestResult
        Vectors `statistic` and `pvalue`, which are nan for the control. ``critical_difference(alpha)`` returns the
        critical difference for a diagram.

    Raises
    ------
    InvalidValueError
        If the shape is wrong, a score is nan or infinite, or the control is not in the table. If `tie_tolerance` is not
        0 or a power of ten.
    InvalidTypeError
        If the scores are not numbers, the control is neither an index nor a column name, or `greater_is_better` is not
        a bool.

    See Also
    --------
    nemenyi_test : the test of all pairs.
    friedman_test : the omnibus test of all classifiers.

    Notes
    -----
    The statistic is (R_i - R_control) / sqrt(k (k + 1) / (6 n)) with mean ranks R. The p-value is k - 1 times the
    two-sided p-value of the statistic from the standard normal distribution, at most 1. The test does not correct for
    ties and is conservative if there are many ties.

    References
    ----------
    .. [1] O. J. Dunn (1961). Multiple Comparisons among Means. Journal of the American Statistical Association
       56(293):52-64.
    .. [2] J. Demšar (2006). Statistical Comparisons of Classifiers over Multiple Data Sets. Journal of Machine Learning
       Research 7:1-30, section 3.2.2.

    Examples
    --------
    The control is the second of three classifiers, and the scores are error rates:

    >>> from evalstats import bonferroni_dunn_test
    >>> errors = [
    ...     [0.14, 0.24, 0.16], [0.14, 0.27, 0.15], [0.14, 0.31, 0.16], [0.14, 0.26, 0.15], [0.14, 0.25, 0.13],
    ...     [0.14, 0.34, 0.19], [0.14, 0.24, 0.13], [0.14, 0.25, 0.13], [0.14, 0.29, 0.12], [0.14, 0.26, 0.13],
    ... ]
    >>> result = bonferroni_dunn_test(errors, control=1, greater_is_better=False)
    >>> result.statistic.round(3)
    array([-3.354,    nan, -3.354])
    >>> result.pvalue.round(4)
    array([0.0016,    nan, 0.0016])
    >>> round(result.critical_difference(alpha=0.05), 3)
    1.002
    """
    ranks, n, k, tie_tolerance = checked_ranks(scores, greater_is_better, tie_tolerance)
    names, control = column_names(scores), column_of(control, scores, k)

    sums = ranks.sum(axis=-2)
    statistic = standardized(sums - sums[..., [control]], n, k)  # Demšar (2006), section 3.2.2
    statistic[..., control] = np.nan

    pvalue = _pvalue(statistic, k)

    return BonferroniDunnTestResult(
        classifiers=names,
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        method=np.full(sums.shape[:-1], "normal"),
        reason=reason_if_all_tied(ranks),
        control=named(control, names),
        mean_ranks=sums / n,
        n_datasets=n,
        n_classifiers=k,
        min_attainable_pvalue=float(_pvalue(standardized(n * (k - 1), n, k), k)),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=bonferroni_dunn_test,
        data=Data.RANKED_TABLE,
        example={"control": 0},
        inputs={
            "scores, control": Draw("table_and_control"),
            "greater_is_better": (True, False),
            "alpha": SIGNIFICANCE_LEVELS,
        },
        sentence="Bonferroni-Dunn test of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
    ),
)


def _pvalue(statistic: FloatArray, k: int) -> FloatArray:
    """Compute the two-sided normal p-value with Bonferroni's adjustment for k - 1 comparisons."""
    return tails.as_pvalue((k - 1) * 2 * tails.normal_right_tail(np.abs(statistic)))
