"""The Bonferroni-Dunn test: which classifiers differ from a control?"""

from __future__ import annotations

__all__ = ["BonferroniDunnTestResult", "bonferroni_dunn_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._declarations import SIGNIFICANCE_LEVELS, Data, Declaration, Draw
from evalstats._labels import column_names, named
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import ClassifiersTestResult
from evalstats._types import FloatArray
from evalstats.adjustment.pair_indexing import column_of
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.critical_differences import critical_difference
from evalstats.multiple.mean_ranks import dataset_ranks, reason_if_all_tied, standardized


@dataclass(frozen=True, kw_only=True, eq=False)
class BonferroniDunnTestResult(ClassifiersTestResult):
    """Result of `bonferroni_dunn_test`.

    Attributes
    ----------
    statistic : ndarray of shape (..., k)
        Mean rank of each classifier minus that of the control, in standard errors: negative where the classifier is
        better than the control, nan at the control.
    pvalue : ndarray of shape (..., k)
        Adjusted for all k - 1 comparisons; nan at the control.
    alternative : str
        ``'two-sided'``.
    method : str or ndarray of str
        ``'normal'``.
    reason : str, None or ndarray of object
        None, or a sentence when no dataset tells any two classifiers apart.
    control : int or column name
        The control: its name, or its column where the scores have no names.
    mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier; 1 is the best.
    n_datasets, n_classifiers : int
        Shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame that was given; None for an array.
    min_attainable_pvalue : float
        The p-value where the control is the best and the other the worst on every dataset, or the reverse: no
        comparison in a table of this shape can have a smaller one.
    tie_tolerance : float
        Scores were ranked after rounding to as many significant digits as this names; 0: as they are.
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
        """Return the smallest difference from the mean rank of the control that is a difference at level `alpha`.

        Parameters
        ----------
        alpha : float, default: 0.05
            Probability, if none differs from the control, of calling any different; strictly between 0 and 1.

        Returns
        -------
        float
            In ranks. A classifier is at least this far from the control where ``pvalue <= alpha``.
        """
        return critical_difference(self.n_datasets, self.n_classifiers, alpha=alpha, test="bonferroni-dunn")


def bonferroni_dunn_test(
    scores: Any, *, control: Any, greater_is_better: bool = True, tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> BonferroniDunnTestResult:
    """Learn which of several classifiers differ from a control over datasets.

    Each classifier is compared with the control and with no other: k - 1 comparisons instead of all pairs, so that
    smaller differences are found than by `nemenyi_test`. The p-values hold for the family of all k - 1. The null
    hypothesis of a comparison is that the classifier and the control have the same expected rank. Choose the control
    before looking at the results, for instance the new method or the accepted one; a control chosen because it is the
    best makes all pairs the family. As in Nemenyi's test, the p-value of a comparison depends on the other columns.
    The family-wise level holds if all classifiers perform alike. Two equal ones, best and worst by a coin among
    others that differ, were called different in up to 26.5% of simulated tables at a level of 5%, after a leading
    test that rejects.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset, one column per classifier, in any unit; two classifiers or more. Leading axes are a batch.
    control : int or column name
        The column of the classifier that all others are compared with: its index from 0, or, for a data frame, its
        name.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest score then gets rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied; 0 compares bits. Tied scores share the
        mean of their ranks.

    Returns
    -------
    BonferroniDunnTestResult
        Vectors `statistic` and `pvalue`, nan at the control; ``critical_difference(alpha)`` for a diagram.

    Raises
    ------
    InvalidValueError
        The shape is wrong, a score is nan or infinite, the control is not in the table, or `tie_tolerance` is not 0 or
        a power of ten.
    InvalidTypeError
        The scores are not numbers, the control is not an index (nor a name of a data frame), or `greater_is_better` is
        not a bool.

    See Also
    --------
    nemenyi_test : all pairs.
    friedman_test : whether there is any difference at all.

    Notes
    -----
    statistic = (R_i - R_control) / sqrt(k (k + 1) / (6 n)) with mean ranks R; the p-value is k - 1 times the two-sided
    normal p-value, and 1 at most. Nothing is corrected for ties, which makes the test careful where there are many.

    References
    ----------
    .. [1] O. J. Dunn (1961). Multiple Comparisons among Means. Journal of the American Statistical Association
       56(293):52-64.
    .. [2] J. Demšar (2006). Statistical Comparisons of Classifiers over Multiple Data Sets. Journal of Machine Learning
       Research 7:1-30, section 3.2.2.

    Examples
    --------
    Do the first and the third of three classifiers differ from the second? The errors are fractions:

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
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    matrix = _checks.score_matrix(scores)
    n, k = matrix.shape[-2:]
    names, control = column_names(scores), column_of(control, scores, k)
    greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")

    ranks = dataset_ranks(matrix, greater_is_better, tie_tolerance)
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
    """Bonferroni's bound on the two-sided normal p-value of k - 1 comparisons."""
    return tails.as_pvalue((k - 1) * 2 * tails.normal_right_tail(np.abs(statistic)))
