"""Friedman's test on aligned ranks: do several classifiers differ, if all scores are ranked together?"""

from __future__ import annotations

__all__ = [
    "FriedmanAlignedPosthocTestResult",
    "FriedmanAlignedTestResult",
    "friedman_aligned_posthoc_test",
    "friedman_aligned_test",
]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._declarations import OF_SIZES, Data, Declaration, Draw
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, midranks
from evalstats._result import ClassifiersTestResult
from evalstats._types import FloatArray
from evalstats.adjustment.pair_indexing import PairwiseTestResult, family_of
from evalstats.distributions import row_permutations as permuted_rows
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.mean_ranks import mean_ranks, reason_if_all_tied
from evalstats.multiple.rank_sum_pvalues import (
    normal_statistic,
    pair_differences,
)

METHODS = (*permuted_rows.METHODS_BESIDE, "chi2")


@dataclass(frozen=True, kw_only=True, eq=False)
class FriedmanAlignedTestResult(ClassifiersTestResult):
    """Whether several classifiers differ by their aligned ranks; see `friedman_aligned_test`.

    Attributes
    ----------
    statistic : float or ndarray
        The statistic of Hodges & Lehmann, corrected for ties, whatever the method.
    pvalue : float or ndarray
        The p-value by the method that `method` names.
    alternative : str
        Always ``'two-sided'``.
    method : str or ndarray of str
        The null distribution really used: ``'exact'``, ``'monte-carlo'`` or ``'chi2'``.
    reason : str, None or ndarray of object
        None, or a sentence when no dataset tells any two classifiers apart.
    df : int
        k - 1.
    chi2_pvalue : float or ndarray
        The p-value by the chi-squared distribution.
    mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier within the datasets, as in `friedman_test`; 1 is the best.
    mean_aligned_ranks : ndarray of shape (..., k)
        Mean aligned rank of each classifier, from 1 to n k; small is good.
    n_datasets, n_classifiers : int
        Shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame that was given; None for an array.
    min_attainable_pvalue : float or ndarray
        The p-value, by the method used, if every dataset had put its aligned ranks in the same order.
    n_resamples : int, None or ndarray of object
        Number of random arrangements; None where `method` is not ``'monte-carlo'``.
    seed : int, None or ndarray of object
        Seed of the random arrangements; None where there are none, or where `rng` was a Generator.
    tie_tolerance : float
        Aligned scores were compared after rounding to as many significant digits as this names; 0: as they are.
    """

    df: int
    chi2_pvalue: Any
    mean_ranks: FloatArray
    mean_aligned_ranks: FloatArray
    n_datasets: int
    n_classifiers: int
    min_attainable_pvalue: Any
    n_resamples: Any
    seed: Any
    tie_tolerance: float


@dataclass(frozen=True, kw_only=True, eq=False)
class FriedmanAlignedPosthocTestResult(PairwiseTestResult):
    """Which pairs differ by their aligned ranks; see `friedman_aligned_posthoc_test` and `PairwiseTestResult`.

    Attributes
    ----------
    mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier within the datasets, as in `friedman_test`; 1 is the best.
    mean_aligned_ranks : ndarray of shape (..., k)
        Mean aligned rank of each classifier, from 1 to n k; small is good.
    n_datasets : int
        Number n of datasets.
    min_attainable_pvalue : float or ndarray
        The unadjusted p-value of a pair whose one member is the best and whose other is the worst on every dataset.
    tie_tolerance : float
        Aligned scores were compared after rounding to as many significant digits as this names; 0: as they are.
    """

    mean_ranks: FloatArray
    mean_aligned_ranks: FloatArray
    n_datasets: int
    min_attainable_pvalue: Any
    tie_tolerance: float


def friedman_aligned_test(
    scores: Any,
    *,
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> FriedmanAlignedTestResult:
    """Tell whether several classifiers differ over datasets, by how far they are from the mean of each dataset.

    The null hypothesis: on every dataset all orders of the classifiers are equally likely. The mean of each dataset is
    taken from its scores; what remains is ranked over all datasets together, 1 for the best of all n k. So datasets are
    compared with each other, which helps where classifiers are few, and needs one unit for all datasets.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset, one column per classifier, in one unit for all datasets; at least two columns and one row.
        Leading axes are a batch of tables.
    method : {'auto', 'exact', 'chi2', 'monte-carlo'}, default: 'auto'
        The null distribution.

        ``'exact'``: the orders of the aligned ranks within every dataset; right for every table, and refused where it
        would take minutes.

        ``'monte-carlo'``: random orders; right for every table, with a random error.

        ``'chi2'``: the approximation of Hodges & Lehmann with k - 1 degrees of freedom.

        ``'auto'``: exact where that takes about 0.3 s or less, otherwise chi2 from 20 datasets on, Monte Carlo below.
    n_resamples : int, default: 9999
        Number of random orders for Monte Carlo.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is. Every table of a batch starts from the seed.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. Small scores then get the small ranks.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied; 0 compares bits. Aligned scores are
        rounded to the last significant digit of the largest score.

    Returns
    -------
    FriedmanAlignedTestResult
        The statistic and its p-value; also the mean aligned ranks.

    Raises
    ------
    InvalidValueError
        If scores are not finite or not a table, differences are too large for a float, an option is unknown, or
        ``'exact'`` is asked for and not affordable.

    See Also
    --------
    friedman_aligned_posthoc_test : which pairs differ.
    friedman_test, quade_test : ranks within each dataset.

    Notes
    -----
    With the aligned ranks r, their sums R of the classifiers and S of the datasets,
    T = (k - 1) (sum R^2 - k n^2 (k n + 1)^2 / 4) / (sum r^2 - sum S^2 / k). Without ties sum r^2 is
    k n (k n + 1) (2 k n + 1) / 6, as Garcia et al. print it. All tied: T is 0 and p is 1.

    References
    ----------
    .. [1] J. L. Hodges, E. L. Lehmann (1962). Rank methods for combination of independent experiments in analysis of
       variance. Annals of Mathematical Statistics 33, 482-497.
    .. [2] S. Garcia, A. Fernandez, J. Luengo, F. Herrera (2010). Advanced nonparametric tests for multiple comparisons
       in the design of experiments in computational intelligence and data mining. Information Sciences 180, 2044-2064.

    Examples
    --------
    >>> from evalstats import friedman_aligned_test
    >>> scores = [[71, 80, 82], [64, 69, 78], [90, 91, 89], [55, 58, 66], [81, 80, 88], [77, 79, 84], [60, 70, 69]]
    >>> result = friedman_aligned_test(scores)
    >>> result.mean_aligned_ranks.round(2)
    array([17.07, 11.14,  4.79])
    >>> print(f"T = {result.statistic:.3f}, p = {result.pvalue:.4f} ({result.method})")
    T = 9.670, p = 0.0011 (exact)
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    matrix = _checks.score_matrix(scores)
    method = _checks.choice(method, "method", METHODS)
    n_resamples = _checks.count(n_resamples, "n_resamples")
    greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    source = _checks.random_source(rng)
    n, k = matrix.shape[-2:]

    ranks = _aligned_ranks(matrix, greater_is_better, tie_tolerance)
    rows = _centred(ranks)
    statistic, most = _statistic(rows), _statistic(np.sort(rows, axis=-1))

    chi2_pvalue = _chi2_pvalue(statistic, k)
    approximation = chi2_pvalue, _chi2_pvalue(most, k)
    found = permuted_rows.permuted_pvalues(rows, approximation, method, "chi2", n_resamples, source)

    return FriedmanAlignedTestResult(
        classifiers=column_names(scores),
        statistic=statistic,
        pvalue=found.pvalue,
        alternative="two-sided",
        method=found.method,
        reason=reason_if_all_tied(rows),
        df=k - 1,
        chi2_pvalue=chi2_pvalue,
        mean_ranks=mean_ranks(matrix, greater_is_better, tie_tolerance),
        mean_aligned_ranks=ranks.mean(axis=-2),
        n_datasets=n,
        n_classifiers=k,
        min_attainable_pvalue=found.smallest,
        n_resamples=found.n_resamples,
        seed=source.seed_of(found.n_resamples),
        tie_tolerance=tie_tolerance,
    )


def friedman_aligned_posthoc_test(
    scores: Any,
    *,
    control: Any = None,
    adjust: str = "holm",
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> FriedmanAlignedPosthocTestResult:
    """Learn which pairs of several classifiers differ by their aligned ranks, or which differ from a control.

    The null hypothesis of a pair is that the two have the same expected aligned rank. It usually follows a
    `friedman_aligned_test` that rejects. The p-value of a pair depends on the other columns.
    The family-wise level holds if all classifiers perform alike. Two equal ones, best and worst by a coin among
    others that differ, were called different in up to 14.6% and 25.5% with a control of simulated tables at a level
    of 5%, after a leading test that rejects.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset, one column per classifier, in one unit for all datasets; at least two columns and one row.
        Leading axes are a batch.
    control : int or column name, optional
        The column of the classifier that all others are compared with: its index from 0, or, for a data frame, its
        name. It must be chosen before the results are seen. None: all pairs.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise`, with a control of `adjust_pvalues`; or ``'none'``.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. Small scores then get the small ranks.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied; 0 compares bits. Aligned scores are
        rounded to the last significant digit of the largest score.

    Returns
    -------
    FriedmanAlignedPosthocTestResult
        Matrices `statistic` and `pvalue`, or vectors with a control; the statistic is negative where i is better.

    Raises
    ------
    InvalidValueError
        If scores are not finite or not a table, differences are too large for a float, the control is not in the table
        or an option is unknown.

    Notes
    -----
    The variance is that of `friedman_aligned_test`: the aligned ranks of each dataset in any order. The usual formula
    (scmamp, after Garcia et al. 2010) is k (n k + 1) / 6 for a difference of mean ranks, as if the n k ranks had no
    relation to the datasets; but the ranks of one dataset are what they are because they are centred, and that variance
    is about (k - 1) / k of the right one: 1/2 for two classifiers, 2/3 for three.

    References
    ----------
    .. [1] J. L. Hodges, E. L. Lehmann (1962). Rank methods for combination of independent experiments in analysis of
       variance. Annals of Mathematical Statistics 33, 482-497.
    .. [2] S. Garcia, A. Fernandez, J. Luengo, F. Herrera (2010). Advanced nonparametric tests for multiple comparisons
       in the design of experiments in computational intelligence and data mining. Information Sciences 180, 2044-2064.

    Examples
    --------
    >>> from evalstats.multiple import friedman_aligned_posthoc_test
    >>> scores = [[71, 80, 82], [64, 69, 78], [90, 91, 89], [55, 58, 66], [81, 80, 88], [77, 79, 84], [60, 70, 69]]
    >>> friedman_aligned_posthoc_test(scores).pvalue.round(4)
    array([[1.    , 0.2154, 0.0056],
           [0.2154, 1.    , 0.2154],
           [0.0056, 0.2154, 1.    ]])
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    matrix = _checks.score_matrix(scores)
    n, k = matrix.shape[-2:]
    family = family_of(scores, k, control, adjust)
    greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")

    ranks = _aligned_ranks(matrix, greater_is_better, tie_tolerance)
    rows = _centred(ranks)
    variance = 2 * (rows**2).sum(axis=(-2, -1)) / (k - 1)
    statistic = normal_statistic(pair_differences(rows.sum(axis=-2), family.pairs.control), variance)

    most = normal_statistic(np.ptp(rows, axis=-1).sum(axis=-1), variance)

    return family.result(
        FriedmanAlignedPosthocTestResult,
        statistic=statistic,
        unadjusted=tails.normal_pvalue(statistic),
        method="normal",
        reason=reason_if_all_tied(rows),
        mean_ranks=mean_ranks(matrix, greater_is_better, tie_tolerance),
        mean_aligned_ranks=ranks.mean(axis=-2),
        n_datasets=n,
        min_attainable_pvalue=tails.normal_pvalue(most),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=friedman_aligned_test,
        data=Data.RANKED_TABLE,
        variants={"chi2": {"method": "chi2"}},
        excused=OF_SIZES,
        sentence="Friedman test on aligned ranks: {f_or_chi2}, {outcome}",
    ),
    Declaration(
        function=friedman_aligned_posthoc_test,
        data=Data.RANKED_TABLE,
        excused=OF_SIZES,
        inputs={"scores, adjust, control, greater_is_better": Draw("ranked_family", {"in_one_unit": True})},
        sentence="Test of the aligned ranks of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})",
    ),
)


def _aligned_ranks(scores: FloatArray, greater_is_better: bool, tie_tolerance: float) -> FloatArray:
    """Rank all scores of a table together, less the mean of their dataset; 1 is the best."""
    values = -scores if greater_is_better else scores
    with np.errstate(over="ignore", invalid="ignore"):
        # in ascending order, so that the mean is the same to the last bit whatever the order of the classifiers
        mean = np.broadcast_to(np.sort(values, axis=-1).mean(axis=-1, keepdims=True), values.shape)
        is_finite = np.isfinite(values - mean)
    if not is_finite.all():
        at = ", ".join(map(str, np.argwhere(~is_finite)[0][:-1]))
        raise InvalidValueError(f"scores less the mean of their dataset must be finite, but scores[{at}] are too large")
    flat = (*values.shape[:-2], -1)
    aligned = differences(values.reshape(flat), mean.reshape(flat), tie_tolerance)
    return midranks(aligned).reshape(values.shape)


def _centred(ranks: FloatArray) -> FloatArray:
    """Return 2 k times the ranks less their mean on the dataset: whole numbers."""
    k = ranks.shape[-1]
    return np.asarray(2 * k * ranks - 2 * ranks.sum(axis=-1, keepdims=True))


def _statistic(rows: FloatArray) -> FloatArray:
    """T of Hodges & Lehmann (1962), Garcia et al. (2010); 0 where all is tied."""
    within = (rows**2).sum(axis=(-2, -1))
    return np.asarray((rows.shape[-1] - 1) * permuted_rows.spread(rows) / np.where(within > 0, within, 1.0))


def _chi2_pvalue(statistic: FloatArray, k: int) -> FloatArray:
    return tails.chi2_pvalue(statistic, k - 1)
