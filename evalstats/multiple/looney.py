"""Looney's F test of the accuracies of several classifiers on one test set."""

from __future__ import annotations

__all__ = ["LooneyFTestResult", "looney_f_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._declarations import Data, Declaration
from evalstats._labels import column_names
from evalstats._result import ClassifiersTestResult, reasons
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails

NOTHING_INFORMATIVE = (
    "for every instance, all classifiers are correct or all are incorrect, so there is no difference to test"
)
NO_ERROR = (
    "the same classifiers are correct for every instance, so there is no residual variance and the F distribution "
    "does not apply; use cochran_q_test"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class LooneyFTestResult(ClassifiersTestResult):
    """Result of `looney_f_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        F: the variance between the classifiers divided by the residual variance.
    pvalue : float or ndarray
        p-value from the F distribution. It is nan if there is no residual variance.
    df : tuple of two ints
        Degrees of freedom, k - 1 and (k - 1)(n - 1).
    accuracies : ndarray of shape (..., n_classifiers)
        Accuracy of each classifier.
    n_instances, n_classifiers : int
        Number n of instances and number k of classifiers.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    n_informative : int or ndarray
        Number of instances with both correct and incorrect predictions.
    """

    df: tuple[int, int]
    accuracies: FloatArray
    n_instances: int
    n_classifiers: int
    n_informative: Any


def looney_f_test(correct: Any) -> LooneyFTestResult:
    """Test whether several classifiers have equal accuracy on one test set (Looney's F test).

    The null hypothesis is that all classifiers have the same accuracy. The test is a repeated-measures analysis of
    variance of correct (1) and incorrect (0) predictions. The F distribution is an approximation, which assumes that
    all pairs of classifiers agree equally often. Use this test to reproduce published results. `cochran_q_test` also
    tests for equal accuracies, and it is exact if there are few instances.

    Parameters
    ----------
    correct : array_like of shape (..., n_instances, n_classifiers)
        Whether each classifier (column) is correct for each instance (row), as True and False or 1 and 0. At least two
        columns and one row are required. The instances must be independent of each other. Leading axes are batch
        dimensions.

    Returns
    -------
    LooneyFTestResult
        F, its degrees of freedom and the p-value. The result also contains the accuracies.

    Raises
    ------
    ValueError
        If a value is not True, False, 1 or 0, or the data are not a table.
    TypeError
        If values are not Booleans or numbers.

    See Also
    --------
    cochran_q_test : test for equal accuracies by permutations or the chi-squared distribution.
    rm_anova_test : F test of scores, with corrections for nonsphericity.

    Notes
    -----
    F = (n - 1) Q / ((k - 1) n - Q) with Cochran's Q, so F is an increasing function of Q. If no instance is
    informative, F is 0, p is 1, and `reason` states the cause.

    References
    ----------
    Looney, S. W. (1988). A statistical technique for comparing the accuracies of several classifiers. Pattern
    Recognition Letters 8, 5-9.

    Kuncheva, L. I. (2004). Combining Pattern Classifiers. Wiley, section 1.4.3.

    Examples
    --------
    >>> from evalstats.multiple import looney_f_test
    >>> correct = [[1, 1, 1]] * 12 + [[1, 1, 0]] * 4 + [[1, 0, 0]] * 2 + [[0, 1, 0], [0, 0, 0]]
    >>> result = looney_f_test(correct)
    >>> result.df
    (2, 38)
    >>> print(f"F = {result.statistic:.3f}, p = {result.pvalue:.4f}")
    F = 5.404, p = 0.0086
    """
    right = _checks.correctness_matrix(correct)
    n, k = right.shape[-2:]

    # both sums of squares, multiplied by k n: integers
    per_classifier, per_case = np.count_nonzero(right, axis=-2), np.count_nonzero(right, axis=-1)
    between = k * (per_classifier**2).sum(axis=-1) - per_classifier.sum(axis=-1) ** 2
    residual = n * (per_case * (k - per_case)).sum(axis=-1) - between

    df = (k - 1, (k - 1) * (n - 1))
    has_error = residual > 0
    within = np.where(has_error, residual, 1).astype(np.float64)
    statistic = np.where(between == 0, 0.0, np.where(has_error, (n - 1) * between / within, np.inf))
    pvalue = tails.f_pvalue(between.astype(np.float64), within, df[0], max(df[1], 1))
    return LooneyFTestResult(
        statistic=statistic,
        pvalue=np.where(has_error, pvalue, np.where(between > 0, np.nan, 1.0)),
        alternative="two-sided",
        method=np.full(between.shape, "f"),
        reason=reasons(between.shape, (~has_error & (between == 0), NOTHING_INFORMATIVE), (~has_error, NO_ERROR)),
        df=df,
        accuracies=per_classifier / n,
        n_instances=n,
        n_classifiers=k,
        classifiers=column_names(correct, "correct"),
        n_informative=np.count_nonzero((per_case > 0) & (per_case < k), axis=-1),
    )


DECLARATIONS = (
    Declaration(function=looney_f_test, data=Data.CORRECT_ANSWERS, sentence="Looney's F test: {f_or_chi2}, {outcome}"),
)
