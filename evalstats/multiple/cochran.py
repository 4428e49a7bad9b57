"""Cochran's Q test of the accuracies of several classifiers on one test set."""

from __future__ import annotations

__all__ = ["CochranQTestResult", "cochran_q_of_patterns", "cochran_q_test"]

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names
from evalstats._result import ClassifiersTestResult, reasons
from evalstats._types import AnyArray, BoolArray, FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.rank_sums import Pattern, exact_cost, exact_tail
from evalstats.multiple.friedman import (
    AUTO_ADDITIONS,
    AUTO_CELLS,
    AUTO_CLASSIFIERS,
    AUTO_DATASETS,
    MOST_ADDITIONS,
    MOST_CELLS,
)

METHODS = ("auto", "exact", "chi2")
NOTHING_INFORMATIVE = (
    "for every instance, all classifiers are correct or all are incorrect, so there is no difference to test"
)
NO_GROUP_TELLS = "in every cluster, all classifiers are correct equally often, so there is no difference to test"


@dataclass(frozen=True, kw_only=True, eq=False)
class CochranQTestResult(ClassifiersTestResult):
    """Result of `cochran_q_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Cochran's Q. It is 0 if all accuracies are equal.
    pvalue : float or ndarray
        The p-value, computed by `method`.
    alternative : str
        The value ``'two-sided'``.
    method : str or ndarray of str
        The null distribution that was used: ``'exact'`` or ``'chi2'``.
    df : int
        Degrees of freedom of the chi-squared distribution, k - 1.
    n_instances, n_classifiers : int
        n and k, the shape of the data.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    n_informative : int or ndarray of int
        Number of instances with both correct and incorrect predictions, or of clusters in which the numbers of correct
        predictions differ. Only these instances or clusters affect Q.
    accuracies : ndarray of shape (..., n_classifiers)
        Accuracy of each classifier.
    min_attainable_pvalue : float or ndarray
        The minimum attainable p-value of `method`, given the observed number of correct predictions for each instance.
        It is attained if the classifiers have the same order on every instance. If it exceeds alpha, the test cannot
        reject for these numbers.
    n_clusters : int or None
        Number of clusters of instances, or None if `clusters` was None.
    """

    df: int
    n_instances: int
    n_classifiers: int
    n_informative: Any
    accuracies: FloatArray
    min_attainable_pvalue: Any
    n_clusters: int | None


def cochran_q_test(correct: Any, *, method: str = "auto", clusters: ArrayLike | None = None) -> CochranQTestResult:
    """Test whether several classifiers have equal accuracy on one test set.

    The null hypothesis is that all classifiers are equally likely to be correct for every instance. Therefore, given
    the number of correct classifiers of an instance, every choice of these classifiers is equally likely. The instances
    must be independent of each other, or belong to independent clusters (`clusters`). A small p-value is evidence that
    at least two accuracies differ. To find the pairs that differ, use `pairwise_mcnemar_test`.

    Parameters
    ----------
    correct : array_like of shape (..., n_instances, n_classifiers)
        Whether each classifier (column) is correct for each instance (row), as True and False or 1 and 0. At least two
        columns and one row are required. Leading axes are batch dimensions.
    method : {'auto', 'exact', 'chi2'}, default: 'auto'
        The null distribution.

        ``'exact'``: the permutation distribution, given the number of correct classifiers for each instance. For two
        classifiers, the test is McNemar's exact test. This method raises an error if the computation would take
        minutes.

        ``'chi2'``: the chi-squared approximation with k - 1 degrees of freedom. For two classifiers, the test is
        McNemar's test without correction. Tate & Brown (1970) recommend at least 24 / k informative instances, and at
        least 4.

        ``'auto'``: exact if the computation takes about 0.2 s or less, otherwise chi2. The p-value is always exact for
        two classifiers. It is exact for up to about 250 informative instances with three classifiers, 60 with four, 17
        with five and 8 with six. With clusters, the method is chi2.
    clusters : array_like of shape (n_instances,), optional
        The cluster of each instance, if several instances are correlated (sentences of a document, images of a
        patient): names or numbers, in any order. Then only the clusters must be independent of each other. The null
        hypothesis is that a permutation of the classifiers within a whole cluster does not change the distribution of
        the predictions. The chi-squared approximation requires many clusters. With clusters, ``'exact'`` raises an
        error. With one instance in each cluster, the result equals the result without clusters.

    Returns
    -------
    CochranQTestResult
        Q and its p-value. The result also contains the accuracies, the number of informative instances, and the minimum
        attainable p-value.

    Raises
    ------
    ValueError
        If a value is not True, False, 1 or 0, or the data are not a table. If `clusters` does not have one value for
        each instance, or an option is unknown. If ``'exact'`` is combined with clusters, or would take too long.
    TypeError
        If values are not Booleans or numbers.

    See Also
    --------
    friedman_test : the test of ranks, whose tie-corrected statistic is Cochran's Q for scores of 0 and 1.

    Notes
    -----
    If no instance is informative, as for classifiers that are always correct, Q is 0, p is 1, and `reason` states the
    cause. A p-value below the smallest positive float is returned as this float, 5e-324.

    With clusters, Q is (k - 1) sum_j S_j^2 / sum_g sum_j d_gj^2. Here, d_gj is the number of correct predictions of
    classifier j in cluster g minus the mean of this number over the classifiers. S_j is the sum of d_gj over the
    clusters. Q is then Friedman's statistic with the numbers d_gj instead of ranks.

    References
    ----------
    Cochran, W. G. (1950). The comparison of percentages in matched samples. Biometrika 37, 256-266.

    Tate, M. W. & Brown, S. M. (1970). Note on the Cochran Q test. Journal of the American Statistical Association 65,
    155-160.

    Examples
    --------
    Three classifiers on eight instances. All are correct on the last two instances, which therefore do not affect Q.

    >>> from evalstats import cochran_q_test
    >>> correct = [
    ...     [1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1], [1, 1, 1],
    ... ]
    >>> result = cochran_q_test(correct)
    >>> result.accuracies
    array([0.875, 0.75 , 0.25 ])
    >>> print(f"Q = {result.statistic:.3f}, df = {result.df}, p = {result.pvalue:.4f} ({result.method})")
    Q = 7.000, df = 2, p = 0.0576 (exact)
    >>> print(f"{cochran_q_test(correct, method='chi2').pvalue:.4f}")
    0.0302
    """
    right = _checks.correctness_matrix(correct)
    method = _checks.choice(method, "method", METHODS)

    per_classifier = np.count_nonzero(right, axis=-2)
    if clusters is None:
        return _of_samples(_numbers_right(right), per_classifier, method, column_names(correct, "correct"))
    k, per_group = right.shape[-1], _per_group(right, clusters, correct, method)
    of_each, most_unequal = _spread(per_group) // k, np.sort(per_group, axis=-1).sum(axis=-2)
    tested = _statistic(per_classifier, most_unequal, of_each.sum(axis=-1))
    return _result(
        tested,
        tails.chi2_pvalue(tested.q, k - 1),
        np.full(tested.within.shape, "chi2", dtype="<U5"),
        classifiers=column_names(correct, "correct"),
        accuracies=per_classifier / right.shape[-2],
        n_instances=right.shape[-2],
        n_informative=np.count_nonzero(of_each, axis=-1),
        n_clusters=per_group.shape[-2],
    )


def cochran_q_of_patterns(is_right: BoolArray, n_instances: IntArray) -> CochranQTestResult:
    """Return the result of `cochran_q_test` if row i of `is_right` occurs `n_instances[i]` times."""
    k = is_right.shape[-1]
    numbers = np.zeros(k + 1, dtype=np.int64)
    np.add.at(numbers, np.count_nonzero(is_right, axis=-1), n_instances)
    return _of_samples(numbers, n_instances @ is_right, "auto")


def _numbers_right(right: BoolArray) -> IntArray:
    """Count the instances on which exactly 0, 1, ..., k classifiers are correct."""
    k, per_sample = right.shape[-1], np.count_nonzero(right, axis=-1)
    shape = per_sample.shape[:-1]
    of_batch = np.arange(math.prod(shape)).reshape(*shape, 1) * (k + 1)
    return np.bincount((per_sample + of_batch).ravel(), minlength=math.prod(shape) * (k + 1)).reshape(*shape, k + 1)


class _Statistic(NamedTuple):
    """Q of the data and the maximum of Q for these instances."""

    q: FloatArray  # (2, ...)
    spread: IntArray  # (2, ...)
    within: IntArray


def _statistic(per_classifier: IntArray, most_unequal: IntArray, within: IntArray) -> _Statistic:
    k = per_classifier.shape[-1]
    spread = np.stack([_spread(per_classifier), _spread(most_unequal)])
    return _Statistic(np.where(within > 0, (k - 1) * spread / (k * np.maximum(within, 1)), 0.0), spread, within)


def _of_samples(
    numbers: IntArray, per_classifier: IntArray, method: str, classifiers: tuple[Any, ...] | None = None
) -> CochranQTestResult:
    """Test independent instances. `numbers` counts the instances with 0, 1, ..., k correct classifiers."""
    k = per_classifier.shape[-1]
    n, r = int(numbers.sum(axis=-1).flat[0]), np.arange(k + 1)
    # Q if the first classifiers were the correct ones on every instance
    most_unequal = np.flip(np.cumsum(np.flip(numbers[..., 1:], axis=-1), axis=-1), axis=-1)
    tested = _statistic(per_classifier, most_unequal, (numbers * r * (k - r)).sum(axis=-1))

    pvalue = tails.chi2_pvalue(tested.q, k - 1)
    null = np.full(tested.within.shape, "chi2", dtype="<U5")
    for at in np.ndindex(null.shape):
        patterns = _exact_patterns(numbers[at], k, method)
        if patterns is not None:
            null[at] = "exact"
            for i in (0, 1):
                pvalue[i, *at] = float(tails.as_pvalue(exact_tail(patterns, int(tested.spread[i, *at]))))
    return _result(
        tested,
        pvalue,
        null,
        classifiers=classifiers,
        accuracies=per_classifier / n,
        n_instances=n,
        n_informative=numbers[..., 1:k].sum(axis=-1),
        n_clusters=None,
    )


def _result(
    tested: _Statistic,
    pvalue: FloatArray,
    null: AnyArray,
    *,
    accuracies: FloatArray,
    n_instances: int,
    n_informative: IntArray,
    n_clusters: int | None,
    classifiers: tuple[Any, ...] | None = None,
) -> CochranQTestResult:
    k, nothing = accuracies.shape[-1], NOTHING_INFORMATIVE if n_clusters is None else NO_GROUP_TELLS
    return CochranQTestResult(
        statistic=tested.q[0],
        pvalue=pvalue[0],
        alternative="two-sided",
        method=null,
        reason=reasons(tested.within.shape, (tested.within == 0, nothing)),
        df=k - 1,
        n_instances=n_instances,
        n_classifiers=k,
        classifiers=classifiers,
        n_informative=n_informative,
        accuracies=accuracies,
        min_attainable_pvalue=pvalue[1],
        n_clusters=n_clusters,
    )


def _per_group(right: BoolArray, clusters: Any, correct: Any, method: str) -> IntArray:
    """Count the correct predictions of each classifier (last axis) in each cluster."""
    from evalstats.metrics.cluster_variance import sums_by_group, understand_groups

    if method == "exact":
        raise InvalidValueError(
            "method must be 'auto' or 'chi2' with clusters, not 'exact' (for two classifiers, mcnemar_test is exact)"
        )
    by_group = understand_groups(clusters, right.shape[-2], rows=("correct",), correct=correct)
    return sums_by_group(right.swapaxes(-1, -2), by_group).swapaxes(-1, -2)


def _spread(per_classifier: IntArray) -> IntArray:
    """Compute S = sum_j (k C_j - T)^2 with T = sum_j C_j, as for Friedman's doubled rank sums."""
    k = per_classifier.shape[-1]
    return np.asarray(((k * per_classifier - per_classifier.sum(axis=-1, keepdims=True)) ** 2).sum(axis=-1))


def _exact_patterns(numbers: IntArray, k: int, method: str) -> list[Pattern] | None:
    """Return the doubled midranks of each informative instance, or None if chi-squared is used."""
    n = int(numbers[1:k].sum())
    if method == "chi2" or (method == "auto" and k > 2 and n > 1 and (n > AUTO_DATASETS or k > AUTO_CLASSIFIERS)):
        return None
    midranks = [(r + 1,) * r + (k + r + 1,) * (k - r) for r in range(k)]  # doubled, with r correct classifiers
    patterns = [midranks[r] for r in range(1, k) for _ in range(int(numbers[r]))]
    additions, cells = exact_cost(patterns)
    most = (AUTO_ADDITIONS, AUTO_CELLS) if method == "auto" else (MOST_ADDITIONS, MOST_CELLS)
    if additions <= most[0] and cells <= most[1]:
        return patterns
    if method == "auto":
        return None
    raise InvalidValueError(
        f"method='exact' would take about {additions:.0e} additions and {8 * cells:.0e} bytes for {n} informative "
        f"instances and {k} classifiers (the limits are {MOST_ADDITIONS:.0e} and {8 * MOST_CELLS:.0e}); "
        "use method='chi2'"
    )
