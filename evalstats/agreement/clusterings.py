"""Scores of clusterings: agreement of clusters with known classes or with other clusters."""

from __future__ import annotations

__all__ = [
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "completeness_score",
    "fowlkes_mallows_score",
    "homogeneity_score",
    "normalized_mutual_info_score",
    "pair_counting_f_score",
    "purity_score",
    "rand_score",
    "v_measure_score",
]

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._types import FloatArray, IndexArray
from evalstats.agreement.contingency import Contingency, over_runs

AVERAGES = ("arithmetic", "geometric", "min", "max")
LARGEST_BETA = 1e100  # the square of this value times counts does not overflow a float
# relative rounding error of sums of logarithms of factorials
NOISE = 1e-12
AT_ONCE = 2**20


def purity_score(y_true: ArrayLike, y_pred: ArrayLike) -> Any:
    """Compute the purity: the proportion of instances that belong to the largest class of their cluster.

    If each instance is its own cluster, the purity is 1. Purity never decreases if a cluster is split.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        Class of each instance. The names of classes and clusters do not matter.
    y_pred : array_like of shape (..., n)
        Cluster of each instance. Leading axes are batch dimensions and broadcast: `y_true` of shape (n,) can be
        combined with 1,000 runs of shape (1000, n).

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError
        If the lengths differ, there are no instances, or a label is nan.
    TypeError
        If labels have types that cannot be compared.

    References
    ----------
    Manning, C. D., Raghavan, P. & Schütze, H. (2008). Introduction to Information Retrieval. Section 16.3.

    Examples
    --------
    >>> from evalstats.agreement import purity_score
    >>> round(purity_score([0, 0, 0, 1, 1, 1], [5, 5, 7, 7, 7, 7]), 4)
    0.8333
    """
    return over_runs(y_true, y_pred, lambda table: table.largest_of_clusters() / table.n)


def rand_score(y_true: ArrayLike, y_pred: ArrayLike) -> Any:
    """Compute the Rand index: the proportion of pairs of instances on which both labelings agree.

    Parameters
    ----------
    y_true, y_pred
        As in `purity_score`.

    Returns
    -------
    float or ndarray of shape (...)
        The score is 1 for a single instance, which has no pairs.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `purity_score`.

    References
    ----------
    Rand, W. M. (1971). Objective criteria for the evaluation of clustering methods. Journal of the American Statistical
    Association 66, 846-850.

    Examples
    --------
    >>> from evalstats.agreement import rand_score
    >>> round(rand_score([0, 0, 0, 1, 1, 1], [5, 5, 7, 7, 7, 7]), 4)
    0.6667
    """
    return over_runs(y_true, y_pred, _rand)


def adjusted_rand_score(y_true: ArrayLike, y_pred: ArrayLike) -> Any:
    """Compute the adjusted Rand index, which is corrected for chance.

    The expected value is 0 for random labels with the same cluster sizes. The score is 1 for identical clusterings and
    can be negative.

    Parameters
    ----------
    y_true, y_pred
        As in `purity_score`.

    Returns
    -------
    float or ndarray of shape (...)
        The score is 1 if each labeling has only one cluster, or if each instance is a cluster in both labelings.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `purity_score`.

    References
    ----------
    Hubert, L. & Arabie, P. (1985). Comparing partitions. Journal of Classification 2, 193-218. Eq. 5.

    Examples
    --------
    >>> from evalstats.agreement import adjusted_rand_score
    >>> round(adjusted_rand_score([0, 0, 0, 1, 1, 1], [5, 5, 7, 7, 7, 7]), 4)
    0.3243
    """
    return over_runs(y_true, y_pred, _adjusted_rand)


def fowlkes_mallows_score(y_true: ArrayLike, y_pred: ArrayLike) -> Any:
    """Compute the Fowlkes-Mallows score: the geometric mean of precision and recall over pairs.

    Parameters
    ----------
    y_true, y_pred
        As in `purity_score`.

    Returns
    -------
    float or ndarray of shape (...)
        The score is 0 if no pair is in the same class and in the same cluster.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `purity_score`.

    References
    ----------
    Fowlkes, E. B. & Mallows, C. L. (1983). A method for comparing two hierarchical clusterings. Journal of the American
    Statistical Association 78, 553-569.

    Examples
    --------
    >>> from evalstats.agreement import fowlkes_mallows_score
    >>> round(fowlkes_mallows_score([0, 0, 0, 1, 1, 1], [5, 5, 7, 7, 7, 7]), 4)
    0.6172
    """
    return over_runs(y_true, y_pred, _fowlkes_mallows)


def pair_counting_f_score(y_true: ArrayLike, y_pred: ArrayLike, *, beta: float = 1.0) -> Any:
    """Compute the F score over pairs: a pair in the same class and in the same cluster is a true positive.

    Parameters
    ----------
    y_true, y_pred
        As in `purity_score`.
    beta : float, default: 1.0
        Weight of recall relative to precision. With a weight above 1, split classes reduce the score more than mixed
        clusters.

    Returns
    -------
    float or ndarray of shape (...)
        The score is 1 if no pair is in the same class or in the same cluster.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `purity_score`, or if `beta` is not above 0.

    References
    ----------
    Manning, C. D., Raghavan, P. & Schütze, H. (2008). Introduction to Information Retrieval. Section 16.3.

    Examples
    --------
    >>> from evalstats.agreement import pair_counting_f_score
    >>> round(pair_counting_f_score([0, 0, 0, 1, 1, 1], [5, 5, 7, 7, 7, 7]), 4)
    0.6154
    """
    square = _beta(beta) ** 2
    return over_runs(y_true, y_pred, lambda table: _pair_f(table, square))


def homogeneity_score(y_true: ArrayLike, y_pred: ArrayLike) -> Any:
    """Compute the homogeneity: the proportion of the entropy of the classes that the clusters explain.

    Parameters
    ----------
    y_true, y_pred
        As in `purity_score`.

    Returns
    -------
    float or ndarray of shape (...)
        The score is 1 if there is only one class.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `purity_score`.

    References
    ----------
    Rosenberg, A. & Hirschberg, J. (2007). V-measure: a conditional entropy-based external cluster evaluation measure.
    EMNLP-CoNLL, 410-420.

    Examples
    --------
    >>> from evalstats.agreement import homogeneity_score
    >>> round(homogeneity_score([0, 0, 0, 1, 1, 1], [5, 5, 7, 7, 7, 7]), 4)
    0.4591
    """
    return over_runs(y_true, y_pred, lambda table: _or_one(*table.information()[:2]))


def completeness_score(y_true: ArrayLike, y_pred: ArrayLike) -> Any:
    """Compute the completeness: the proportion of the entropy of the clusters that the classes explain.

    Parameters
    ----------
    y_true, y_pred
        As in `purity_score`.

    Returns
    -------
    float or ndarray of shape (...)
        The score is 1 if there is only one cluster.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `purity_score`.

    References
    ----------
    Rosenberg, A. & Hirschberg, J. (2007). V-measure: a conditional entropy-based external cluster evaluation measure.
    EMNLP-CoNLL, 410-420.

    Examples
    --------
    >>> from evalstats.agreement import completeness_score
    >>> round(completeness_score([0, 0, 0, 1, 1, 1], [5, 5, 7, 7, 7, 7]), 4)
    0.5
    """
    return over_runs(y_true, y_pred, lambda table: _or_one(*table.information()[::2]))


def v_measure_score(y_true: ArrayLike, y_pred: ArrayLike, *, beta: float = 1.0) -> Any:
    """Compute the V-measure: the harmonic mean of homogeneity and completeness.

    Parameters
    ----------
    y_true, y_pred
        As in `purity_score`.
    beta : float, default: 1.0
        Weight of completeness relative to homogeneity.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `purity_score`, or if `beta` is not above 0.

    References
    ----------
    Rosenberg, A. & Hirschberg, J. (2007). V-measure: a conditional entropy-based external cluster evaluation measure.
    EMNLP-CoNLL, 410-420.

    Examples
    --------
    >>> from evalstats.agreement import v_measure_score
    >>> round(v_measure_score([0, 0, 0, 1, 1, 1], [5, 5, 7, 7, 7, 7]), 4)
    0.4787
    """
    weight = _beta(beta)
    return over_runs(y_true, y_pred, lambda table: _v_measure(table, weight))


def normalized_mutual_info_score(y_true: ArrayLike, y_pred: ArrayLike, *, average_method: str = "arithmetic") -> Any:
    """Compute the mutual information of two labelings, normalized by a mean of their entropies.

    Parameters
    ----------
    y_true, y_pred
        As in `purity_score`.
    average_method : {'arithmetic', 'geometric', 'min', 'max'}, default: 'arithmetic'
        The kind of mean of the two entropies. With ``'arithmetic'``, the score equals `v_measure_score`.

    Returns
    -------
    float or ndarray of shape (...)
        The score is 1 if each labeling has only one cluster, and 0 if exactly one of them has only one cluster.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `purity_score`, or if `average_method` is unknown.

    References
    ----------
    Vinh, N. X., Epps, J. & Bailey, J. (2010). Information theoretic measures for clusterings comparison. Journal of
    Machine Learning Research 11, 2837-2854. Table 2.

    Examples
    --------
    >>> from evalstats.agreement import normalized_mutual_info_score
    >>> round(normalized_mutual_info_score([0, 0, 0, 1, 1, 1], [5, 5, 7, 7, 7, 7]), 4)
    0.4787
    """
    method = _checks.choice(average_method, "average_method", AVERAGES)
    return over_runs(y_true, y_pred, lambda table: _normalized_information(table, method))


def adjusted_mutual_info_score(y_true: ArrayLike, y_pred: ArrayLike, *, average_method: str = "arithmetic") -> Any:
    """Compute the adjusted mutual information of two labelings, which is corrected for chance.

    The expected value is 0 for random labels with the same cluster sizes. The score is 1 for identical clusterings.

    Parameters
    ----------
    y_true, y_pred
        As in `purity_score`.
    average_method : {'arithmetic', 'geometric', 'min', 'max'}, default: 'arithmetic'
        The kind of mean of the two entropies. The mean is used as the maximum of the mutual information.

    Returns
    -------
    float or ndarray of shape (...)
        The score is 1 if each labeling has only one cluster, or if each instance is a cluster in both labelings. It is
        0 if exactly one of them has only one cluster.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `purity_score`, or if `average_method` is unknown.

    References
    ----------
    Vinh, N. X., Epps, J. & Bailey, J. (2010). Information theoretic measures for clusterings comparison. Journal of
    Machine Learning Research 11, 2837-2854. Eq. 24.

    Examples
    --------
    >>> from evalstats.agreement import adjusted_mutual_info_score
    >>> round(adjusted_mutual_info_score([0, 0, 0, 1, 1, 1], [5, 5, 7, 7, 7, 7]), 4)
    0.3552
    """
    method = _checks.choice(average_method, "average_method", AVERAGES)
    return over_runs(y_true, y_pred, lambda table: _adjusted_information(table, method))


def _beta(value: Any) -> float:
    beta = _checks.real(value, "beta")
    if not 0 < beta <= LARGEST_BETA:
        raise InvalidValueError(f"beta must be greater than 0 and at most {LARGEST_BETA:g}, not {short(value)}")
    return beta


def _or_one(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Return the ratio, or 1 if the denominator is 0, because no disagreement is possible."""
    ratio: FloatArray = np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 1.0)
    return ratio


def _rand(table: Contingency) -> FloatArray:
    pairs = table.pairs()
    return _or_one(pairs.all - pairs.true - pairs.predicted + 2 * pairs.both, np.full(table.m, pairs.all))


def _adjusted_rand(table: Contingency) -> FloatArray:
    """Compute the adjusted Rand index from products of integers, so the differences are exact."""
    pairs = table.pairs()
    above_chance = pairs.both * pairs.all - pairs.true * pairs.predicted
    possible = (pairs.true + pairs.predicted) / 2 * pairs.all - pairs.true * pairs.predicted
    return _or_one(above_chance, possible)


def _fowlkes_mallows(table: Contingency) -> FloatArray:
    pairs = table.pairs()
    of_true, of_predicted = (pairs.both / np.where(own > 0, own, 1.0) for own in (pairs.true, pairs.predicted))
    return np.sqrt(of_true) * np.sqrt(of_predicted)


def _pair_f(table: Contingency, square: float) -> FloatArray:
    pairs = table.pairs()
    return _or_one((1 + square) * pairs.both, square * pairs.true + pairs.predicted)


def _v_measure(table: Contingency, weight: float) -> FloatArray:
    shared, of_classes, of_clusters = table.information()
    homogeneity, completeness = _or_one(shared, of_classes), _or_one(shared, of_clusters)
    mean = weight * homogeneity + completeness
    return np.where(mean > 0, (1 + weight) * homogeneity * completeness / np.where(mean > 0, mean, 1.0), 0.0)


def _normalized_information(table: Contingency, method: str) -> FloatArray:
    shared, of_classes, of_clusters = table.information()
    mean = _mean_entropy(of_classes, of_clusters, method)
    n_classes, n_clusters = table.n_labels()
    value = np.where(shared > 0, shared / np.where(mean > 0, mean, 1.0), 0.0)
    return np.where((n_classes == 1) & (n_clusters == 1), 1.0, value)


def _adjusted_information(table: Contingency, method: str) -> FloatArray:
    by_chance = expected_mutual_information(table)
    shared, of_classes, of_clusters = table.information()
    mean = _mean_entropy(of_classes, of_clusters, method)
    n_classes, n_clusters = table.n_labels()
    possible = mean - by_chance
    nothing_possible = np.abs(possible) <= NOISE * np.maximum(mean, 1.0)
    value = np.where(nothing_possible, 1.0, (shared - by_chance) / np.where(nothing_possible, 1.0, possible))
    value = np.where((n_classes == 1) != (n_clusters == 1), 0.0, value)
    return np.where((n_classes == 1) & (n_clusters == 1), 1.0, value)


def _mean_entropy(one: FloatArray, other: FloatArray, method: str) -> FloatArray:
    if method == "arithmetic":
        return (one + other) / 2
    if method == "geometric":
        mean: FloatArray = np.sqrt(one * other)
        return mean
    return np.minimum(one, other) if method == "min" else np.maximum(one, other)


def expected_mutual_information(table: Contingency) -> FloatArray:
    """Return the expected mutual information in nats for each table: Vinh, Epps & Bailey (2010), eq. 24a.

    The expected mutual information is a sum over the pairs of a class and a cluster. Each term depends only on their
    sizes, so it is computed once for each pair of sizes in all runs.
    """
    n = table.n
    one, other = (sizes.astype(np.intp) for sizes in (table.class_sizes, table.cluster_sizes))
    keys = (one[:, :, None] * (n + 1) + other[:, None, :]).ravel()
    run = np.repeat(np.arange(table.m), one.shape[1] * other.shape[1])
    filled = ((one[:, :, None] > 0) & (other[:, None, :] > 0)).ravel()
    pairs, place = np.unique(keys[filled], return_inverse=True)
    of_pair = _of_sizes(*np.divmod(pairs, n + 1), n)
    return np.bincount(run[filled], of_pair[place], table.m).astype(np.float64, copy=False)


def _of_sizes(a: IndexArray, b: IndexArray, n: int) -> FloatArray:
    """Return the expected information of cells whose counts have a hypergeometric distribution."""
    from scipy.special import gammaln

    log_factorial = gammaln(np.arange(n + 1) + 1.0)
    low, high = np.maximum(a + b - n, 1), np.minimum(a, b)
    lengths = high - low + 1
    values = np.empty(len(a))
    ends = np.cumsum(lengths)
    start = 0
    while start < len(a):
        before = ends[start] - lengths[start]
        stop = max(int(np.searchsorted(ends, before + AT_ONCE, side="right")), start + 1)
        some = slice(start, stop)
        which = np.repeat(np.arange(stop - start), lengths[some])
        common = np.arange(len(which)) - (ends[some] - lengths[some] - before)[which] + low[some][which]
        x, y = a[some][which], b[some][which]
        of_sizes = log_factorial[a] + log_factorial[b] + log_factorial[n - a] + log_factorial[n - b] - log_factorial[n]
        log_probability = of_sizes[some][which] - (
            log_factorial[common]
            + log_factorial[x - common]
            + log_factorial[y - common]
            + log_factorial[n - x - y + common]
        )
        information = common / n * (np.log(common) + np.log(n) - np.log(x) - np.log(y))
        values[some] = np.bincount(which, information * np.exp(log_probability), stop - start)
        start = stop
    return values
