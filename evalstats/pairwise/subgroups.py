"""Tests of equal differences in all subgroups, for all pairs of classifiers."""

from __future__ import annotations

__all__ = ["PairwiseSubgroupTestResult", "pairwise_subgroup_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._declarations import OF_SIZES, ONE_PROBLEM, Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._types import FloatArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.pair_indexing import PairwiseTestResult
from evalstats.paired.subgroups import subgroup_test


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseSubgroupTestResult(PairwiseTestResult):
    """Result of `pairwise_subgroup_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (k, k), or (k,) with a control
        Q of the test of interaction for each pair. It is 0 on the diagonal.
    pvalue : ndarray of the same shape
        p-values of the test of interaction, adjusted for all compared pairs.
    crossover_pvalue : ndarray of the same shape
        p-value of the test for a change of sign, for each pair.
    worst_lower : ndarray of the same shape
        Smallest simultaneous lower limit over the subgroups, for the first classifier minus the second.
    subgroups : tuple
        Names of the subgroups, in sorted order.
    difference, standard_error : ndarray of shape (k, k, n_subgroups), or (k, n_subgroups) with a control
        Mean difference of each pair in each subgroup, and its standard error.
    n_resamples, seed : int or None
        Number of permutations, and their seed, which is the same for every pair, or None without permutations.
    """

    crossover_pvalue: FloatArray
    worst_lower: FloatArray
    subgroups: tuple[Any, ...]
    difference: FloatArray
    standard_error: FloatArray
    n_resamples: int | None
    seed: int | None


def pairwise_subgroup_test(
    scores: Any,
    subgroup: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    control: Any = None,
    adjust: str = "holm",
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
) -> PairwiseSubgroupTestResult:
    """Test for each pair of classifiers whether the difference is the same in all subgroups.

    The null hypothesis for a pair is that the mean difference is the same in all subgroups. Each pair is tested with
    `subgroup_test`, and the p-values are adjusted for all compared pairs.

    Parameters
    ----------
    scores : array_like of shape (n_instances, n_classifiers)
        One row per instance, one column per classifier. Scores are 1 and 0 for correct and incorrect, or any other
        numbers for which a greater value is better.
    subgroup : array_like of shape (n_instances,)
        As in `subgroup_test`.
    clusters, method, n_resamples
        As in `subgroup_test`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.

    Returns
    -------
    PairwiseSubgroupTestResult

    Raises
    ------
    ValueError, TypeError
        As in `subgroup_test`, or if the scores are not a table.

    References
    ----------
    Cochran, W. G. (1954). The combination of estimates from different experiments. Biometrics 10, 101-129.

    Gail, M. & Simon, R. (1985). Testing for qualitative interactions between treatment effects and patient subsets.
    Biometrics 41, 361-372.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.pairwise import pairwise_subgroup_test
    >>> rng = np.random.default_rng(1)
    >>> scores = rng.normal(size=(90, 3))
    >>> scores[:30, 0] += 2
    >>> result = pairwise_subgroup_test(scores, np.repeat(["a", "b", "c"], 30))
    >>> result.pvalue.round(3)
    array([[1.   , 0.   , 0.   ],
           [0.   , 1.   , 0.378],
           [0.   , 0.378, 1.   ]])
    """
    _labels.same_labels(rows=("scores",), scores=scores, subgroup=subgroup, clusters=clusters)
    table = _checks.score_matrix(scores)
    if table.ndim != 2:
        raise InvalidValueError(
            f"scores must have the shape (n_instances, n_classifiers), but its shape is {table.shape}"
        )
    family = which_pairs.family_of(scores, table.shape[1], control, adjust)
    pairs, source = family.pairs, _checks.random_source(rng)

    asked = {"clusters": clusters, "method": method, "n_resamples": n_resamples, "rng": source.given}
    both = list(zip(pairs.i.tolist(), pairs.j.tolist(), strict=True))
    if isinstance(scores, np.ndarray) and scores.dtype.kind == "f":
        table = np.asarray(scores)  # its precision counts
    found = [subgroup_test(table[:, i], table[:, j], subgroup, **asked) for i, j in both]

    # the smallest lower limit of j against i is minus the largest upper limit of i against j
    worst = np.array([one.worst_lower for one in found])
    other = np.array([-np.nanmax(one.upper) if not np.isnan(one.upper).all() else np.nan for one in found])
    of_groups = [np.array([getattr(one, name) for one in found]).T for name in ("difference", "standard_error")]
    methods = {str(one.method) for one in found}
    return family.result(
        PairwiseSubgroupTestResult,
        statistic=pairs.shared(np.array([one.statistic for one in found])),
        unadjusted=pairs.shared(np.array([one.pvalue for one in found]), 1.0),
        method=methods.pop() if len(methods) == 1 else "monte-carlo",
        reason=next((one.reason for one in found if one.reason), None),
        crossover_pvalue=pairs.shared(np.array([one.crossover_pvalue for one in found]), 1.0),
        worst_lower=pairs.placed(worst, other, 0.0),
        subgroups=found[0].subgroups,
        n_resamples=next((one.n_resamples for one in found if one.n_resamples), None),
        seed=next((one.seed for one in found if one.seed is not None), None),
        difference=np.moveaxis(pairs.opposed(of_groups[0]), 0, -1),
        standard_error=np.moveaxis(pairs.shared(of_groups[1]), 0, -1),
    )


DECLARATIONS = (
    Declaration(
        function=pairwise_subgroup_test,
        data=Data.SUBGROUP_TABLE,
        excused=ONE_PROBLEM | OF_SIZES,
        sentence="Tests of equal differences in all subgroups, of {compared}: {smallest} ({method:law})",
    ),
)
