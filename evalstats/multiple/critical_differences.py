"""By how much must two mean ranks differ before a post-hoc test calls the classifiers different?"""

from __future__ import annotations

__all__ = ["critical_difference"]

import math

from evalstats import _checks
from evalstats.distributions import studentized_range
from evalstats.distributions.tail_probabilities import erfc_inverse
from evalstats.multiple.mean_ranks import standard_error


def critical_difference(n_datasets: int, n_classifiers: int, *, alpha: float = 0.05, test: str = "nemenyi") -> float:
    """Learn the smallest difference of two mean ranks that a post-hoc test calls a difference.

    It depends on the size of the table only, so that a published table of mean ranks or a critical-difference diagram
    can be checked without its scores.

    Parameters
    ----------
    n_datasets : int
        Number of datasets the mean ranks were taken over, at least 1.
    n_classifiers : int
        Number of classifiers that were ranked, at least 2; with ``test='bonferroni-dunn'`` the control is one of them.
    alpha : float, default: 0.05
        Level of significance: the probability, if no two classifiers differ, of calling any of the compared pairs
        different; strictly between 0 and 1.
    test : {'nemenyi', 'bonferroni-dunn'}, default: 'nemenyi'
        ``'nemenyi'``: all pairs are compared. ``'bonferroni-dunn'``: each classifier with one control that was chosen
        before looking at the results.

    Returns
    -------
    float
        In ranks. A pair differs where its mean ranks are at least this far apart, which is where the p-value of
        `nemenyi_test` or `bonferroni_dunn_test` is at most `alpha`. It exceeds n_classifiers - 1, which no difference
        does, where the design cannot reach `alpha`.

    Raises
    ------
    InvalidValueError
        A count is too small, `alpha` is outside (0, 1) or `test` is unknown.
    InvalidTypeError
        A count is not a whole number or `alpha` is not a number.

    See Also
    --------
    nemenyi_test, bonferroni_dunn_test : the tests, from the scores; their results have this as a method.

    Notes
    -----
    The standard error of a difference of two mean ranks is sqrt(k (k + 1) / (6 n)). It is multiplied by the upper
    alpha quantile of the studentized range with infinite degrees of freedom over sqrt(2) (Nemenyi), or by the upper
    alpha / (2 (k - 1)) quantile of the normal distribution (Bonferroni-Dunn).

    References
    ----------
    .. [1] J. Demšar (2006). Statistical Comparisons of Classifiers over Multiple Data Sets. Journal of Machine Learning
       Research 7:1-30, section 3.2.2.

    Examples
    --------
    Four classifiers on fourteen datasets, the worked example of Demšar (2006):

    >>> from evalstats import critical_difference
    >>> round(critical_difference(14, 4), 3)
    1.254
    >>> round(critical_difference(14, 4, test="bonferroni-dunn"), 3)
    1.168
    """
    n = _checks.count(n_datasets, "n_datasets")
    k = _checks.count(n_classifiers, "n_classifiers", minimum=2)
    alpha = _checks.proportion(alpha, "alpha")
    test = _checks.choice(test, "test", tuple(QUANTILES))
    return QUANTILES[test](alpha, k) * standard_error(n, k)


def _nemenyi_quantile(alpha: float, k: int) -> float:
    return studentized_range.isf(alpha, k) / math.sqrt(2)


def _bonferroni_dunn_quantile(alpha: float, k: int) -> float:
    return math.sqrt(2) * erfc_inverse(math.log(alpha / (k - 1)))


QUANTILES = {"nemenyi": _nemenyi_quantile, "bonferroni-dunn": _bonferroni_dunn_quantile}
