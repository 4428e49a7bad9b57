"""McNemar's test of all pairs: which of several classifiers differ in how often they are right on one test set?"""

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

IDLE_ON_SAMPLES = "in {of} pairs both are right in the same samples, so nothing tells them apart"
IDLE_ON_GROUPS = "in {of} pairs both are right equally often in every group, so nothing tells them apart"


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseMcNemarTestResult(PairwiseTestResult):
    """What `pairwise_mcnemar_test` returns; ``statistic, pvalue = result`` works.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        The statistic of `mcnemar_test` for classifier i against j: for ``'exact'`` and ``'midp'`` the number of samples
        that only i gets right, for ``'asymptotic'`` chi-squared. 0 on the diagonal; with a control that of each
        classifier against it, and nan at the control.
    pvalue : ndarray of the same shape
        Adjusted for all pairs that are compared; symmetric and 1 on the diagonal, or nan at the control.
    unadjusted_pvalue : ndarray of the same shape
        The p-value that `mcnemar_test` gives to the pair.
    difference : ndarray of the same shape
        Accuracy of i minus accuracy of j, or of the control; nan at the control.
    n_only : ndarray of int, of the same shape
        Samples that i gets right and j, or the control, gets wrong.
    n_discordant : ndarray of int, of the same shape
        Samples that one of the two gets right and the other wrong.
    accuracies : ndarray of shape (..., k)
        Share of the samples on which each classifier is right.
    n_instances : int
        Number of samples.
    n_clusters : int or None
        Number of groups of samples; None where each sample stands for itself.
    correction : bool
        As asked for. It is used by ``'asymptotic'`` only.
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
    """Learn which pairs of several classifiers differ in accuracy on one test set.

    The null hypothesis of a pair: both have the same accuracy, so that a sample which one gets right and the other
    wrong is equally likely to be the right one of either. Each pair is tested as `mcnemar_test` does, and the p-values
    are adjusted for all pairs that are compared. Hundreds of classifiers are counted at once.

    Parameters
    ----------
    correct : array_like of shape (..., n_instances, n_classifiers)
        Whether each classifier (column) is right on each sample (row), as True and False or 1 and 0; at least two
        columns and one row. The samples must be independent of each other, or else come in `clusters` that are. Leading
        axes are a batch of test sets, each with a family of its own.
    control : int or column name, optional
        The column of the classifier that all others are compared with: its index from 0, or, for a data frame, its
        name. None: all pairs.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise`, with a control of `adjust_pvalues`; or ``'none'``.
    method : {'exact', 'midp', 'asymptotic'}, default: 'exact'
        The null distribution, as in `mcnemar_test`.
    correction : bool, default: True
        Continuity correction of ``'asymptotic'``.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the classifier is right more often than the control. Only with a control may it be one-sided.
    clusters : array_like of shape (n_instances,), optional
        Which item each sample belongs to, where several samples come from one: see `mcnemar_test`. Groups of many
        different sizes make ``'exact'`` and ``'midp'`` take milliseconds for each pair.

    Returns
    -------
    PairwiseMcNemarTestResult
        Matrices `statistic`, `pvalue`, `difference` and the counts; or, with a control, one row of each.

    Raises
    ------
    ValueError, TypeError
        If a value is neither right nor wrong, the shape is not that of a table, the control is no column, the
        alternative is one-sided without a control, `clusters` does not name one group for each sample, or an option is
        unknown.

    See Also
    --------
    cochran_q_test : whether there is any difference at all.
    mcnemar_test : one pair, with an interval for the difference.

    Notes
    -----
    A pair without discordant samples has p = 1, and `reason` tells how many pairs there are of that kind.

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
    family = which_pairs.family_of(correct, k, control, adjust, alternative)
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
        sentence="McNemar's tests of {compared} on {n_instances:count case}{in_groups}: {smallest} ({law_of_answers})",
    ),
)


def pairwise_mcnemar_from_both(
    both: IntArray, n: int, *, control: int | None, adjust: str
) -> PairwiseMcNemarTestResult:
    """Return what `pairwise_mcnemar_test` returns for n samples, on `both[i, j]` of which i and j are right."""
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
    """What the test says of each pair, along the last axis."""

    statistic_i: FloatArray
    statistic_j: FloatArray
    pvalue: FloatArray
    is_idle: BoolArray  # nothing tells the two apart


def _only_one_right(right: BoolArray, n_right: IntArray, pairs: ComparedPairs) -> tuple[IntArray, IntArray]:
    """Count for each pair the samples that only i, and only j gets right."""
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
    """Count the right answers of each classifier in each group (last axis)."""
    from evalstats.metrics.cluster_variance import sums_by_group, understand_groups

    return sums_by_group(right, understand_groups(clusters, right.shape[-1], rows=("correct",), correct=correct))


def _tested_groups(
    by_group: IntArray, pairs: ComparedPairs, alternative: str, method: str, correction: bool
) -> _Tested:
    """Test the pairs in blocks, because all leads of all pairs would not fit into memory."""
    blocks = []
    for i, j in pairs.blocks(by_group[..., 0, :].size):
        leads = discordant_groups.leads_of_groups(by_group[..., i, :], by_group[..., j, :])
        blocks.append(_tested(leads, alternative, method, correction))
    return _Tested(*(np.concatenate(values, axis=-1) for values in zip(*blocks, strict=True)))
