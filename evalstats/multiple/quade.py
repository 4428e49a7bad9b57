"""Quade's test of several classifiers over datasets, each weighted by the range of its scores."""

from __future__ import annotations

__all__ = ["QuadePosthocTestResult", "QuadeTestResult", "quade_posthoc_test", "quade_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._declarations import OF_SIZES, Data, Declaration, Draw
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, midranks
from evalstats._result import ClassifiersTestResult
from evalstats._types import FloatArray
from evalstats.adjustment.pair_indexing import PairwiseTestResult, family_of
from evalstats.distributions import row_permutations as permuted_rows
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.mean_ranks import (
    all_agree,
    dataset_ranks,
    mean_zero,
    normal_statistic,
    pair_differences,
    reason_against_t,
    reason_if_all_tied,
    residual,
    t_pvalue,
    t_statistic,
)

METHODS = (*permuted_rows.METHODS_BESIDE, "f")
POSTHOC_METHODS = ("normal", "t")
ONE_DATASET = "with one dataset, all orders of the classifiers are equally extreme"
ALL_AGREE = "all datasets agree and have equal ranges, so F is infinite"


@dataclass(frozen=True, kw_only=True, eq=False)
class QuadeTestResult(ClassifiersTestResult):
    """Result of `quade_test`.

    Attributes
    ----------
    statistic : float or ndarray
        Quade's F, for any `method`. It is infinite if all datasets agree and have equal ranges, and nan for one
        dataset.
    pvalue : float or ndarray
        The p-value, computed by `method`.
    alternative : str
        The value ``'two-sided'``.
    method : str or ndarray of str
        The null distribution that was used: ``'exact'``, ``'monte-carlo'`` or ``'f'``.
    reason : str, None or ndarray of object
        A sentence if the input was degenerate, otherwise None.
    df : tuple of int
        Degrees of freedom of F: (k - 1, (k - 1)(n - 1)).
    f_pvalue : float or ndarray
        The p-value from the F distribution or, if F is infinite, the probability that all datasets agree by chance.
    mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier with equal weights for the datasets. Rank 1 is the best.
    weighted_mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier, with each dataset weighted by the rank of its range.
    range_ranks : ndarray of shape (..., n)
        Weight of each dataset: the rank of its range. The smallest range has rank 1.
    n_datasets, n_classifiers : int
        Shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    min_attainable_pvalue : float or ndarray
        The p-value of `method` if the ranks had the same order on every dataset.
    n_resamples : int, None or ndarray of object
        Number of random arrangements, or None if `method` is not ``'monte-carlo'``.
    seed : int, None or ndarray of object
        Seed of the random arrangements, or None without random arrangements or if `rng` was a Generator.
    tie_tolerance : float
        Relative precision to which scores and ranges were rounded before the comparison. The value 0 means no rounding.
    """

    df: tuple[int, int]
    f_pvalue: Any
    mean_ranks: FloatArray
    weighted_mean_ranks: FloatArray
    range_ranks: FloatArray
    n_datasets: int
    n_classifiers: int
    min_attainable_pvalue: Any
    n_resamples: Any
    seed: Any
    tie_tolerance: float


@dataclass(frozen=True, kw_only=True, eq=False)
class QuadePosthocTestResult(PairwiseTestResult):
    """Result of `quade_posthoc_test`. See also `PairwiseTestResult`.

    Attributes
    ----------
    df : int or None
        Degrees of freedom of the t distribution, (k - 1)(n - 1), or None for the normal distribution.
    mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier with equal weights for the datasets. Rank 1 is the best.
    weighted_mean_ranks : ndarray of shape (..., k)
        Mean rank of each classifier, with each dataset weighted by the rank of its range.
    n_datasets : int
        Number n of datasets.
    min_attainable_pvalue : float or ndarray
        The unadjusted p-value of a pair in which one classifier is the best and the other is the worst on every
        dataset. It is nan for ``'t'``, because the residual variance has no lower bound.
    tie_tolerance : float
        Relative precision to which scores and ranges were rounded before the comparison. The value 0 means no rounding.
    """

    df: int | None
    mean_ranks: FloatArray
    weighted_mean_ranks: FloatArray
    n_datasets: int
    min_attainable_pvalue: Any
    tie_tolerance: float


def quade_test(
    scores: Any,
    *,
    method: str = "auto",
    n_resamples: int = 9999,
    rng: Any = None,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> QuadeTestResult:
    """Test whether several classifiers differ over datasets, weighted by their range (Quade's test).

    The null hypothesis is that all orders of the classifiers are equally likely on every dataset. As in
    `friedman_test`, the classifiers are ranked on each dataset. Each dataset is then weighted by the rank of its range,
    which is the largest score minus the smallest score. The differences between scores must therefore be comparable
    between datasets. For two classifiers, the test is a form of the Wilcoxon signed-rank test, whereas the Friedman
    test is a form of the sign test. Quade's test has more power than `friedman_test` if there are few classifiers.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least one row and two columns, in the same unit for
        all datasets. Leading axes form a batch of tables.
    method : {'auto', 'exact', 'f', 'monte-carlo'}, default: 'auto'
        The null distribution.

        ``'exact'``: all permutations of the ranks within every dataset, given the weights and ties. This method is
        valid for every table. It raises an error if the computation would take minutes.

        ``'monte-carlo'``: random permutations of the ranks. This method is valid for every table, but the p-value has a
        random error.

        ``'f'``: Quade's approximation, the F distribution with k - 1 and (k - 1)(n - 1) degrees of freedom, as in R.

        ``'auto'``: exact if the computation takes about 0.3 s or less. Otherwise, f if there are 20 or more datasets,
        and Monte Carlo if there are fewer.
    n_resamples : int, default: 9999
        Number of random permutations for the Monte Carlo method.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. Each table of a batch uses the same seed.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest score then has rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality. The
        same rule applies to ranges: 0.3 - 0.2 and 0.9 - 0.8 are treated as equal.

    Returns
    -------
    QuadeTestResult
        F and its p-value. The result also contains the weights and the weighted mean ranks.

    Raises
    ------
    InvalidValueError
        If scores are not finite or not a table, a range is too large for a float, or an option is unknown. If
        ``'exact'`` takes too long.

    See Also
    --------
    quade_posthoc_test : the post-hoc test.
    friedman_test : the test with equal weights for the datasets, whose scores need no common unit.

    Notes
    -----
    If all scores are tied, F is 0 and p is 1. If all datasets have the same order and the same range, F is infinite.

    Let 3 classifiers have equal means and standard deviations of 1, 2 and 3. On 5 datasets, ``method='f'`` then rejects
    in 7.1% of tables at the 0.05 level.

    References
    ----------
    .. [1] D. Quade (1979). Using weighted rankings in the analysis of complete blocks with additive block effects.
       Journal of the American Statistical Association 74, 680-683.
    .. [2] W. J. Conover (1999). Practical Nonparametric Statistics, 3rd edition, Wiley, section 5.8.

    Examples
    --------
    >>> from evalstats import quade_test
    >>> scores = [
    ...     [5, 4, 7, 10, 12], [1, 3, 1, 0, 2], [16, 12, 22, 22, 35], [5, 4, 3, 5, 4], [10, 9, 7, 13, 10],
    ...     [19, 18, 28, 37, 58], [10, 7, 6, 8, 7],
    ... ]
    >>> result = quade_test(scores, method="f")
    >>> print(f"F{result.df} = {result.statistic:.4f}, p = {result.pvalue:.4f}")
    F(4, 24) = 3.8293, p = 0.0152
    >>> result.range_ranks
    array([5., 2., 6., 1., 4., 7., 3.])
    """
    matrix, n, k, tie_tolerance = _checks.scores_and_size(scores, tie_tolerance)
    method = _checks.choice(method, "method", METHODS)
    n_resamples, source = _checks.resampling(n_resamples, rng)
    ranks = dataset_ranks(matrix, _checks.boolean(greater_is_better, "greater_is_better"), tie_tolerance)

    weight = _range_ranks(matrix, tie_tolerance)
    rows = _weighted_rows(ranks, weight)
    f, f_pvalue = _f(rows), _f_pvalue(rows)

    approximation = f_pvalue, _f_pvalue(np.sort(rows, axis=-1))
    found = permuted_rows.permuted_pvalues(rows, approximation, method, "f", n_resamples, source)

    return QuadeTestResult(
        classifiers=column_names(scores),
        statistic=f,
        pvalue=found.pvalue,
        alternative="two-sided",
        method=found.method,
        reason=_reasons(rows),
        df=(k - 1, (k - 1) * (n - 1)),
        f_pvalue=f_pvalue,
        mean_ranks=ranks.mean(axis=-2),
        weighted_mean_ranks=_weighted_mean_ranks(ranks, weight),
        range_ranks=weight,
        n_datasets=n,
        n_classifiers=k,
        min_attainable_pvalue=found.smallest,
        n_resamples=found.n_resamples,
        seed=source.seed_of(found.n_resamples),
        tie_tolerance=tie_tolerance,
    )


def quade_posthoc_test(
    scores: Any,
    *,
    control: Any = None,
    adjust: str = "holm",
    method: str = "normal",
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> QuadePosthocTestResult:
    """Test which pairs of classifiers differ in Quade's weighted mean rank.

    The null hypothesis of a pair is that the two classifiers have the same expected rank on every dataset. Use the test
    after a `quade_test` that rejects. As in all tests of mean ranks, the p-value of a pair depends on the other
    classifiers in the table. The test controls the family-wise error rate only if all classifiers perform equally. In a
    simulation, two classifiers with equal performance had the first and the last rank on each dataset, in random order.
    The other classifiers differed in performance. The test was applied after an omnibus test that rejects. At the 5%
    level, the true null hypothesis of these two classifiers was rejected in up to 15.5% (21.6% with a control) of
    simulated tables.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least one row and two columns, in the same unit for
        all datasets. Leading axes are batch dimensions.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name.
        Choose the control before you see the results. If None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.
    method : {'normal', 't'}, default: 'normal'
        ``'normal'``: the variance of the weighted ranks if all orders are equally likely, given weights and ties.

        ``'t'``: the residual variance of the data after subtracting the differences between classifiers (Conover). This
        method has more power than ``'normal'`` if the other classifiers differ widely. It is undefined if all datasets
        agree.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. The smallest score then has rank 1.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality. The
        same rule applies to ranges.

    Returns
    -------
    QuadePosthocTestResult
        Matrices `statistic` and `pvalue`, or vectors with a control. ``statistic[i, j]`` is negative if i is better.

    Raises
    ------
    InvalidValueError
        If scores are not finite or not a table, or a range is too large for a float. If the control is not in the
        table, or an option is unknown.

    See Also
    --------
    conover_test : the test with the same t statistic and equal weights for the datasets.

    Notes
    -----
    Without ties and for weighted mean ranks, the variance of ``'normal'`` is k (k + 1) (2n + 1) / (9 n (n + 1)). The
    formula of Garcia et al. (2010) is (k - 1) / 2 times this value and is correct only for three classifiers.

    References
    ----------
    .. [1] W. J. Conover (1999). Practical Nonparametric Statistics, 3rd edition, Wiley, section 5.8.
    .. [2] S. Garcia, A. Fernandez, J. Luengo, F. Herrera (2010). Advanced nonparametric tests for multiple comparisons
       in the design of experiments in computational intelligence and data mining. Information Sciences 180, 2044-2064.

    Examples
    --------
    >>> from evalstats.multiple import quade_posthoc_test
    >>> scores = [[71, 80, 82], [64, 69, 78], [90, 91, 93], [55, 58, 66], [81, 80, 88], [77, 79, 84], [60, 70, 69]]
    >>> quade_posthoc_test(scores, control=2).pvalue.round(4)
    array([0.0067, 0.1685,    nan])
    """
    matrix, n, k, tie_tolerance = _checks.scores_and_size(scores, tie_tolerance)
    family = family_of(scores, k, control, adjust)
    method = _checks.choice(method, "method", POSTHOC_METHODS)
    ranks = dataset_ranks(matrix, _checks.boolean(greater_is_better, "greater_is_better"), tie_tolerance)

    weight = _range_ranks(matrix, tie_tolerance)
    rows = _weighted_rows(ranks, weight)
    difference = pair_differences(rows.sum(axis=-2), family.pairs.control)
    variance = 2 * (rows**2).sum(axis=(-2, -1)) / (k - 1)
    statistic = t_statistic(difference, rows) if method == "t" else normal_statistic(difference, variance)

    unadjusted = t_pvalue(difference, rows) if method == "t" else tails.normal_pvalue(statistic)
    most = normal_statistic(np.ptp(rows, axis=-1).sum(axis=-1), variance)

    return family.result(
        QuadePosthocTestResult,
        statistic=statistic,
        unadjusted=unadjusted,
        method=method,
        reason=reason_against_t(rows) if method == "t" else reason_if_all_tied(ranks),
        df=(k - 1) * (n - 1) if method == "t" else None,
        mean_ranks=ranks.mean(axis=-2),
        weighted_mean_ranks=_weighted_mean_ranks(ranks, weight),
        n_datasets=n,
        min_attainable_pvalue=tails.normal_pvalue(most) + (np.nan if method == "t" else 0.0),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=quade_test,
        data=Data.RANKED_TABLE,
        variants={"f": {"method": "f"}, "monte-carlo": {"method": "monte-carlo", "n_resamples": 199, "rng": 1}},
        excused=OF_SIZES,
        sentence="Quade test: {f_or_chi2}, {outcome}",
    ),
    Declaration(
        function=quade_posthoc_test,
        data=Data.RANKED_TABLE,
        variants={"t": {"method": "t"}},
        excused=OF_SIZES,
        inputs={"scores, adjust, control, greater_is_better": Draw("ranked_family", {"in_one_unit": True})},
        sentence=(
            "Test of Quade's weighted ranks of {compared} on {n_datasets:count dataset}: {smallest} ({method:law})"
        ),
    ),
)


def _range_ranks(scores: FloatArray, tie_tolerance: float) -> FloatArray:
    """Return the rank of the range of each dataset: 1 for the smallest range after rounding."""
    best, worst = scores.max(axis=-1), scores.min(axis=-1)
    with np.errstate(over="ignore"):
        is_finite = np.isfinite(best - worst)
    if not is_finite.all():
        at = ", ".join(map(str, np.argwhere(~is_finite)[0]))
        raise InvalidValueError(
            f"the range of every dataset must be finite, but the range of scores[{at}] is too large"
        )
    return midranks(differences(best, worst, tie_tolerance))


def _weighted_rows(ranks: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the integers 4 Q (r - (k + 1) / 2) with weights Q: Quade (1979), Conover (1999), section 5.8."""
    return np.asarray(2 * weight[..., None] * mean_zero(ranks))


def _weighted_mean_ranks(ranks: FloatArray, weight: FloatArray) -> FloatArray:
    n = weight.shape[-1]
    return np.asarray((weight[..., None] * ranks).sum(axis=-2) / (n * (n + 1) / 2))


def _f(rows: FloatArray) -> FloatArray:
    """Return (n - 1) B / (A - B), or 0 if all scores are tied, nan for one dataset."""
    n = rows.shape[-2]
    between, within = permuted_rows.spread(rows), residual(rows)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(between > 0, (n - 1) * between / within, 0.0)


def _f_pvalue(rows: FloatArray) -> FloatArray:
    """Compute the p-value of F; for infinite F, return the probability that all datasets have the same order."""
    n, k = rows.shape[-2:]
    between, within = permuted_rows.spread(rows), residual(rows)
    tail = tails.f_right_tail(between, np.where(within > 0, within, 1.0), k - 1, max(n - 1, 1) * (k - 1))
    pvalue = np.array(np.where(within > 0, tail, 1.0))
    for at in np.argwhere((within == 0) & (between > 0)):
        pvalue[tuple(at)] = permuted_rows.chance_of_agreement(rows[tuple(at)])
    return np.asarray(tails.as_pvalue(pvalue))


def _reasons(rows: FloatArray) -> Any:
    one_dataset = rows.shape[-2] == 1
    return reason_if_all_tied(rows, (all_agree(rows), ONE_DATASET if one_dataset else ALL_AGREE))
