"""Pairwise McNemar tests of the accuracies of several classifiers on one test set."""

from __future__ import annotations

__all__ = ["PairwiseMcNemarTestResult", "pairwise_mcnemar_from_both", "pairwise_mcnemar_test"]

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import Data, Declaration
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.pair_indexing import ComparedPairs, Family, PairwiseTestResult
from evalstats.distributions import discordant_groups
from evalstats.distributions.discordant_groups import METHODS, Leads
from evalstats.paired.mcnemar import both_right

IDLE_ON_SAMPLES = "in {of} pairs, both classifiers are correct for the same instances, so there is nothing to test"
IDLE_ON_GROUPS = (
    "in {of} pairs, both classifiers are correct equally often in every cluster, so there is nothing to test"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseMcNemarTestResult(PairwiseTestResult):
    """Result of `pairwise_mcnemar_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        The statistic of `mcnemar_test` for classifier i against j: the number of instances for which only i is correct
        (``'exact'``, ``'midp'``), or chi-squared (``'asymptotic'``). It is 0 on the diagonal. With a control, the
        statistic compares each classifier with the control, and is nan for the control.
    difference : ndarray of the same shape
        Accuracy of i minus the accuracy of j or of the control. It is nan for the control.
    n_only : ndarray of int, of the same shape
        Number of instances for which i is correct and j, or the control, is incorrect.
    n_discordant : ndarray of int, of the same shape
        Number of instances for which exactly one of the two classifiers is correct.
    accuracies : ndarray of shape (..., k)
        Accuracy of each classifier.
    n_instances : int
        Number of instances.
    n_clusters : int or None
        Number of clusters of instances, or None if `clusters` was None.
    correction : bool
        The value of the argument. Only ``'asymptotic'`` uses the correction.
    """

    difference: FloatArray
    n_only: IntArray
    n_discordant: IntArray
    accuracies: FloatArray
    n_instances: int
    n_clusters: int | None
    correction: bool


def pairwise_mcnemar_test(
    correct: Any,
    *,
    control: Any = None,
    adjust: str = "holm",
    method: str = "exact",
    correction: bool = True,
    alternative: str = "two-sided",
    clusters: ArrayLike | None = None,
) -> PairwiseMcNemarTestResult:
    """Test which pairs of classifiers differ in accuracy on one test set.

    The null hypothesis for a pair is that both classifiers have the same accuracy. Under this null hypothesis, either
    classifier is equally likely to be correct on a discordant instance, on which exactly one of the two is correct.
    Each pair is tested with `mcnemar_test`, and the p-values are adjusted for all compared pairs.

    Parameters
    ----------
    correct : array_like of shape (..., n_instances, n_classifiers)
        Whether each classifier (column) is correct for each instance (row), as True and False or 1 and 0. At least two
        columns and one row are required. The instances must be independent of each other, or belong to independent
        clusters (`clusters`). Leading axes are a batch of test sets, and each test set is its own family.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.
    method : {'exact', 'midp', 'asymptotic'}, default: 'exact'
        The null distribution, as in `mcnemar_test`.
    correction : bool, default: True
        Continuity correction of ``'asymptotic'``.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the classifier has a higher accuracy than the control. A one-sided alternative needs a control.
    clusters : array_like of shape (n_instances,), optional
        The cluster of each instance, if several instances are correlated: see `mcnemar_test`. With clusters of many
        different sizes, ``'exact'`` and ``'midp'`` take milliseconds for each pair.

    Returns
    -------
    PairwiseMcNemarTestResult
        Matrices `statistic`, `pvalue`, `difference` and the counts. With a control, they are vectors.

    Raises
    ------
    ValueError, TypeError
        If a value is not True, False, 1 or 0, or the data are not a table. If `clusters` does not have one value for
        each instance. If the control is not a column, the alternative is one-sided without a control, or an option is
        unknown.

    See Also
    --------
    cochran_q_test : the omnibus test of all classifiers.
    mcnemar_test : the test of one pair, with a confidence interval for the difference.

    Notes
    -----
    If a pair has no discordant instances, p is 1, and `reason` states the number of such pairs.

    References
    ----------
    McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or percentages.
    Psychometrika 12, 153-157.

    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.

    Examples
    --------
    >>> from evalstats import pairwise_mcnemar_test
    >>> correct = [[1, 1, 0]] * 9 + [[1, 0, 0]] * 3 + [[0, 1, 0]] + [[1, 1, 1]] * 7
    >>> result = pairwise_mcnemar_test(correct)
    >>> result.n_only
    array([[ 0,  3, 12],
           [ 1,  0, 10],
           [ 0,  0,  0]])
    >>> result.pvalue.round(4)
    array([[1.    , 0.625 , 0.0015],
           [0.625 , 1.    , 0.0039],
           [0.0015, 0.0039, 1.    ]])
    """
    right = _checks.correctness_matrix(correct).swapaxes(-1, -2)
    k, n = right.shape[-2:]
    family = which_pairs.family_of(correct, k, control, adjust, alternative, name="correct")
    method = _checks.choice(method, "method", METHODS)
    correction = _checks.boolean(correction, "correction")

    n_right = np.count_nonzero(right, axis=-1)
    only = _only_one_right(right, n_right, family.pairs)
    choices = (family.alternative, method, correction)
    if clusters is None:
        tested, n_clusters = _tested(discordant_groups.leads_of_cases(*only), *choices), None
    else:
        by_group = _right_by_group(right, clusters, correct)
        tested, n_clusters = _tested_groups(by_group, family.pairs, *choices), by_group.shape[-1]
    return _result(family, n, n_right, only, tested, n_clusters=n_clusters, method=method, correction=correction)


DECLARATIONS = (
    Declaration(
        function=pairwise_mcnemar_test,
        data=Data.CORRECT_ANSWERS,
        sentence="McNemar's tests of {compared} on {n_instances:count instance}{in_groups}: {smallest} "
        "({law_of_answers})",
    ),
)


def pairwise_mcnemar_from_both(
    both: IntArray, n: int, *, control: int | None, adjust: str
) -> PairwiseMcNemarTestResult:
    """Return the result of `pairwise_mcnemar_test` from the counts of instances with two correct predictions."""
    family = which_pairs.family_of(None, len(both), control, adjust)
    pairs, n_right = family.pairs, np.diag(both)
    both_of_pairs = both[pairs.i, pairs.j]
    only = n_right[pairs.i] - both_of_pairs, n_right[pairs.j] - both_of_pairs
    tested = _tested(discordant_groups.leads_of_cases(*only), "two-sided", "exact", True)
    return _result(family, n, n_right, only, tested, n_clusters=None, method="exact", correction=True)


def _result(
    family: Family,
    n: int,
    n_right: IntArray,
    only: tuple[IntArray, IntArray],
    tested: _Tested,
    *,
    n_clusters: int | None,
    method: str,
    correction: bool,
) -> PairwiseMcNemarTestResult:
    pairs, (only_i, only_j) = family.pairs, only
    return family.result(
        PairwiseMcNemarTestResult,
        statistic=pairs.placed(tested.statistic_i, tested.statistic_j, 0.0),
        unadjusted=pairs.shared(tested.pvalue, 1.0),
        method=method,
        reason=which_pairs.reason_of_pairs({IDLE_ON_SAMPLES if n_clusters is None else IDLE_ON_GROUPS: tested.is_idle}),
        difference=pairs.opposed((only_i - only_j) / n),
        n_only=pairs.placed(only_i, only_j, 0),
        n_discordant=pairs.shared(only_i + only_j),
        accuracies=n_right / n,
        n_instances=n,
        n_clusters=n_clusters,
        correction=correction,
    )


class _Tested(NamedTuple):
    """Results of the test for each pair, along the last axis."""

    statistic_i: FloatArray
    statistic_j: FloatArray
    pvalue: FloatArray
    is_idle: BoolArray  # the two classifiers do not differ on any instance


def _only_one_right(right: BoolArray, n_right: IntArray, pairs: ComparedPairs) -> tuple[IntArray, IntArray]:
    """Count, for each pair, the instances on which only i is correct and the instances on which only j is correct."""
    if pairs.control is None:
        both = both_right(right[..., :, None, :], right[..., None, :, :])[..., pairs.i, pairs.j]
    else:
        both = both_right(right, right[..., [pairs.control], :])[..., pairs.i]
    return n_right[..., pairs.i] - both, n_right[..., pairs.j] - both


def _tested(leads: Leads, alternative: str, method: str, correction: bool) -> _Tested:
    pvalue = discordant_groups.pvalue(leads, alternative, method, correction)
    if method == "asymptotic":
        of_i = of_j = discordant_groups.chi2(leads, correction)
    else:
        of_i, of_j = leads.of_x.astype(np.float64), leads.of_y.astype(np.float64)
    return _Tested(of_i, of_j, pvalue, leads.squares == 0)


def _right_by_group(right: BoolArray, clusters: Any, correct: Any) -> IntArray:
    """Count the correct predictions of each classifier in each cluster (last axis)."""
    from evalstats.metrics.cluster_variance import sums_by_group, understand_groups

    return sums_by_group(right, understand_groups(clusters, right.shape[-1], rows=("correct",), correct=correct))


def _tested_groups(
    by_group: IntArray, pairs: ComparedPairs, alternative: str, method: str, correction: bool
) -> _Tested:
    """Test the pairs in blocks to limit the memory use."""
    blocks = []
    for i, j in pairs.blocks(by_group[..., 0, :].size):
        leads = discordant_groups.leads_of_groups(by_group[..., i, :], by_group[..., j, :])
        blocks.append(_tested(leads, alternative, method, correction))
    return _Tested(*(np.concatenate(values, axis=-1) for values in zip(*blocks, strict=True)))
