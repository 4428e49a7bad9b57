"""Critical differences of mean ranks for post-hoc tests."""

from __future__ import annotations

__all__ = ["critical_difference"]

import math

from evalstats import _checks
from evalstats.distributions import studentized_range
from evalstats.distributions.tail_probabilities import erfc_inverse
from evalstats.multiple.mean_ranks import standard_error


def critical_difference(n_datasets: int, n_classifiers: int, *, alpha: float = 0.05, test: str = "nemenyi") -> float:
    """Compute the critical difference: the smallest significant difference between two mean ranks.

    The critical difference depends only on alpha and on the size of the table. Therefore, you can check a published
    table of mean ranks or a critical-difference diagram without the scores.

    Parameters
    ----------
    n_datasets : int
        Number of datasets over which the ranks were averaged, at least 1.
    n_classifiers : int
        Number of ranked classifiers, at least 2. With ``test='bonferroni-dunn'``, the number includes the control.
    alpha : float, default: 0.05
        Significance level: the probability, strictly between 0 and 1, of at least one rejection if no two of the
        compared classifiers differ.
    test : {'nemenyi', 'bonferroni-dunn'}, default: 'nemenyi'
        ``'nemenyi'``: all pairs are compared. ``'bonferroni-dunn'``: each classifier is compared with one control,
        which you chose before you saw the results.

    Returns
    -------
    float
        The critical difference in ranks. A pair differs significantly if its mean ranks differ by at least this value.
        The p-value of `nemenyi_test` or `bonferroni_dunn_test` is then at most `alpha`. If no pair can differ
        significantly in a table of this size, the critical difference exceeds n_classifiers - 1, the largest possible
        difference.

    Raises
    ------
    InvalidValueError
        If a count is too small, `alpha` is outside (0, 1) or `test` is unknown.
    InvalidTypeError
        If a count is not an integer or `alpha` is not a number.

    See Also
    --------
    nemenyi_test, bonferroni_dunn_test : the tests of scores, whose results have the method `critical_difference`.

    Notes
    -----
    The standard error of a difference between two mean ranks is sqrt(k (k + 1) / (6 n)). The critical difference is
    this standard error multiplied by a quantile. For the Nemenyi test, the quantile is the upper alpha quantile of the
    studentized range with infinite degrees of freedom, divided by sqrt(2). For the Bonferroni-Dunn test, the quantile
    is the upper alpha / (2 (k - 1)) quantile of the normal distribution.

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
