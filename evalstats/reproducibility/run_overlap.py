"""Agreement of repeated runs on the order of classifiers."""

from __future__ import annotations

__all__ = [
    "OverlapPair",
    "OverlapResult",
    "PValuesOverRuns",
    "VerdictReproducibility",
    "overlap",
    "overlap_matrix",
    "pvalues_over_runs",
    "verdict_reproducibility",
]

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalstats import _checks
from evalstats._checks import RandomSource
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names, named
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, compared, rounded
from evalstats._result import ConfidenceInterval, PairsByName, Record, reasons
from evalstats._types import AnyArray, FloatArray, IntArray
from evalstats.adjustment.pair_indexing import USUAL_ADJUSTMENT, USUAL_TEST, adjustment, column_of
from evalstats.effects.dominance import DominanceEffectResult, cliffs_delta
from evalstats.metrics.proportions import proportion_interval
from evalstats.multiple.critical_differences import critical_difference
from evalstats.multiple.friedman import friedman_test
from evalstats.multiple.mean_ranks import mean_ranks
from evalstats.paired.mcnemar import mcnemar_test
from evalstats.paired.permutation import permutation_test
from evalstats.paired.sign import sign_test
from evalstats.paired.ttest import paired_ttest
from evalstats.paired.wilcoxon import wilcoxon_test
from evalstats.pairwise.sign import pairwise_sign_test
from evalstats.pairwise.wilcoxon import pairwise_wilcoxon_test

PAIRINGS = ("index", "all")
# each test, and the value of its result that is positive if the first classifier is ahead
PAIRED_TESTS: Mapping[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "wilcoxon": (wilcoxon_test, lambda result: result.rank_biserial),
    "sign": (sign_test, lambda result: result.n_wins - result.n_losses),
    "paired-t": (paired_ttest, lambda result: result.statistic),
    "permutation": (permutation_test, lambda result: result.statistic),
}
# tests of the pairs in each run, and the value of the result that is positive if a classifier has the larger scores;
# tests of mean ranks have a critical difference
EFFECTS_OF_PAIRS: Mapping[str, tuple[Callable[..., Any], str]] = {
    "wilcoxon": (pairwise_wilcoxon_test, "rank_biserial"),
    "sign": (pairwise_sign_test, "win_difference"),
}
TESTS_OF_PAIRS = (*EFFECTS_OF_PAIRS, "nemenyi", "bonferroni-dunn")

ALWAYS_TIED = "the two classifiers are tied in every run, so neither classifier leads"
ONE_ORDER = "all runs give the same ranking; {n} runs cannot show how rare a different ranking is"
NO_ORDER = "all classifiers are tied in some runs, whose rank correlation with other runs is not defined"


@dataclass(frozen=True, kw_only=True, eq=False)
class OverlapPair(Record):
    """One pair of an `overlap_matrix`.

    Attributes
    ----------
    first, second : int or column name
        The two classifiers: their names, or their positions if the runs have no names.
    win_share, reproducibility : float
        As in `OverlapResult`, for the first classifier relative to the second.
    n_wins, n_losses, n_ties : int
        Numbers of runs in which the first classifier is above the second, below it and tied, respectively.
    """

    first: Any
    second: Any
    win_share: float
    reproducibility: float
    n_wins: int
    n_losses: int
    n_ties: int


@dataclass(frozen=True, kw_only=True, eq=False)
class OverlapResult(PairsByName[OverlapPair]):
    """Result of `overlap` and `overlap_matrix`.

    Attributes
    ----------
    win_share : float or ndarray
        R' of Raeder, Hoens & Chawla (2010), eq. 1: the proportion of the runs in which x is above y. Each tie counts as
        half a win.
    reproducibility : float or ndarray
        R = abs(2 R' - 1), where R' is `win_share`: Raeder, Hoens & Chawla (2010), eq. 2. It is 1 if one classifier
        leads in every run, and 0 if each classifier leads in half of the runs.
    n_wins, n_losses, n_ties : int or ndarray of int
        Numbers of runs, or of pairs of runs with ``pairing='all'``, in which x is above y, below y and tied,
        respectively.
    n_runs : int
        Number of runs of each classifier.
    pairing : str
        ``'index'``: run by run. ``'all'``: every run of x with every run of y.
    tie_tolerance : float
        Relative precision at which two scores are treated as equal.
    reason : str, None or ndarray of object
        A sentence if the two classifiers are tied in every run, otherwise None.
    """

    _of_pair: ClassVar[Any] = OverlapPair

    win_share: Any
    reproducibility: Any
    n_wins: Any
    n_losses: Any
    n_ties: Any
    n_runs: int
    pairing: str
    tie_tolerance: float
    reason: Any
    _dominance: DominanceEffectResult | None
    _of_pairs: bool = False
    _classifiers: tuple[Any, ...] | None = None

    @property
    # not a field, because reports name the pairs
    def classifiers(self) -> tuple[Any, ...] | None:  # type: ignore[override]
        """Names of the classifiers: the columns of the data frame, or None for an array and for two classifiers."""
        return self._classifiers

    def _axes(self) -> tuple[str, ...]:
        return ("first", "second") if self._of_pairs else ()

    def win_share_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the probability that x is above y in a new run; a tie counts half.

        With ``pairing='index'``, the interval is computed from Tango's score interval for P(x > y) - P(x < y) and
        assumes independent runs. If no run is tied, the interval equals Wilson's interval for a proportion. With
        ``pairing='all'``, the interval is computed from the interval for `cliffs_delta`. This interval also assumes
        that the runs of x and y are independent of each other.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Approximate coverage for the probability.

        Returns
        -------
        ConfidenceInterval
            Limits from 0 to 1, or nan with ``pairing='all'`` if all scores are equal.

        Examples
        --------
        >>> from evalstats import overlap
        >>> result = overlap([0.81, 0.84, 0.79, 0.90, 0.85, 0.83], [0.78, 0.82, 0.80, 0.84, 0.80, 0.81])
        >>> low, high = result.win_share_interval()
        >>> print(f"{result.win_share:.3f}, 95% interval {low:.3f} to {high:.3f}")
        0.833, 95% interval 0.436 to 0.970
        """
        level = _checks.confidence_level(confidence_level)
        if self._dominance is not None:
            difference = self._dominance.confidence_interval(level)
        else:
            # each run is an instance that the leading classifier predicts correctly: ties are the concordant instances
            wins, losses, ties = (np.asarray(n) for n in (self.n_wins, self.n_losses, self.n_ties))
            table = np.stack([np.zeros_like(ties), wins, losses, ties], axis=-1).reshape((*wins.shape, 2, 2))
            difference = mcnemar_test(counts=table, method="asymptotic").confidence_interval(level)
        low, high = ((1 + np.asarray(limit)) / 2 for limit in difference)
        return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=level)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the reproducibility: the image of `win_share_interval` under eq. 2.

        The lower limit is 0 if the interval for the proportion of wins contains 1/2. The runs then do not show which
        classifier leads more often. The coverage is at least the coverage of the interval for the win share.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Approximate coverage for the reproducibility.

        Returns
        -------
        ConfidenceInterval
            Limits from 0 to 1.

        Examples
        --------
        >>> from evalstats import overlap
        >>> result = overlap([0.81, 0.84, 0.79, 0.90, 0.85, 0.83], [0.78, 0.82, 0.80, 0.84, 0.80, 0.81])
        >>> low, high = result.confidence_interval()
        >>> print(f"{result.reproducibility:.3f}, 95% interval {low:.3f} to {high:.3f}")
        0.667, 95% interval 0.000 to 0.940
        """
        of_share = self.win_share_interval(confidence_level)
        low, high = (2 * np.asarray(limit) - 1 for limit in of_share)
        nearest = np.maximum(np.maximum(low, -high), 0)
        farthest = np.maximum(np.abs(low), np.abs(high))
        level = of_share.confidence_level
        return ConfidenceInterval(low=nearest, high=farthest, confidence_level=level, attained_level=level)


@dataclass(frozen=True, kw_only=True, eq=False)
class VerdictReproducibility(Record):
    """Result of `verdict_reproducibility`, with matrices that compare the row with the column.

    Attributes
    ----------
    mean_ranks : ndarray of shape (n_runs, n_classifiers)
        Mean rank over the datasets in every run. Rank 1 is the best.
    pairs : OverlapResult
        Proportion of the runs in which each classifier of a pair has the better mean rank, with the reproducibility and
        intervals.
    n_significant : ndarray of int, of shape (n_classifiers, n_classifiers)
        Number of runs in which the row is significantly better than the column, by the pairwise test.
    test : str
        The pairwise test.
    adjustment : str
        Adjustment of the p-values. ``'single-step'`` means that the test adjusts for the whole family.
    control : int, column name or None
        Name of the control, or its index from 0 if the scores have no names. None: all pairs are compared.
    ranking_agreement : float
        Proportion of the pairs of runs in which both runs give the same ranking of all classifiers by mean
        rank. This proportion estimates the probability that two new runs give the same ranking.
    ranking_agreement_standard_error : float
        Standard error of `ranking_agreement`. It is nan for 2 runs. For more runs, it is 0 if all runs agree or no two
        runs agree.
    n_rankings : int
        Number of different rankings.
    kendall_tau : float
        Mean of Kendall's tau-b over the pairs of runs. It is nan if no pair has a defined tau-b.
    n_runs, n_datasets, n_classifiers : int
        Numbers of runs, datasets and classifiers.
    alpha : float
        Significance level of `n_significant`.
    tie_tolerance : float
        Relative precision at which two scores are treated as equal.
    reason : str or None
        A sentence if all runs agree or all classifiers are tied in a run, otherwise None.
    """

    mean_ranks: FloatArray
    pairs: OverlapResult
    n_significant: IntArray
    test: str
    adjustment: str
    control: Any
    ranking_agreement: float
    ranking_agreement_standard_error: float
    n_rankings: int
    kendall_tau: float
    n_runs: int
    n_datasets: int
    n_classifiers: int
    alpha: float
    tie_tolerance: float
    reason: str | None

    @property
    def classifiers(self) -> tuple[Any, ...] | None:
        """Names of the classifiers: the columns of the data frames, or None for an array."""
        return self.pairs.classifiers

    def to_columns(self) -> dict[str, list[Any]]:
        """Return, for each pair, how often each classifier has the better mean rank and is significantly better."""
        columns, first, second = self.pairs.to_columns(), *np.triu_indices(self.n_classifiers, 1)
        significant = {"n_significant": (first, second), "n_significant_second": (second, first)}
        return {**columns, **{name: self.n_significant[places].tolist() for name, places in significant.items()}}


@dataclass(frozen=True, kw_only=True, eq=False)
class PValuesOverRuns(Record):
    """Result of `pvalues_over_runs`.

    Attributes
    ----------
    pvalues : ndarray of shape (n_runs,)
        Two-sided p-value of the test in each run. It is nan if the test is undefined.
    test : str
        Name of the test.
    alpha : float
        The significance level.
    n_runs, n_reject : int
        Number of runs, and number of runs with a p-value of at most `alpha`. A p-value of nan is not a rejection.
    n_reject_first, n_reject_second : int or None
        For two classifiers, the number of rejections in favor of each classifier, or None for more classifiers.
    n_undefined : int
        Number of runs in which the p-value is nan.
    reject_proportion : float
        n_reject / n_runs.
    median_pvalue : float
        Median of the defined p-values. It is nan if no p-value is defined.
    seed : int or None
        Seed of the simulated p-values, or None if no p-value is simulated or `rng` was a Generator.
    reason : str or None
        A sentence if the runs disagree or a p-value is nan, otherwise None.
    """

    pvalues: FloatArray
    test: str
    alpha: float
    n_runs: int
    n_reject: int
    n_reject_first: int | None
    n_reject_second: int | None
    n_undefined: int
    reject_proportion: float
    median_pvalue: float
    seed: int | None
    reason: str | None

    def _axes(self) -> tuple[str, ...]:
        return ("run",)

    @property
    def agree(self) -> bool:
        """Whether the test rejects in no run or in all runs (for two classifiers, in favor of the same classifier)."""
        return self.n_reject in (0, self.n_runs) and not (self.n_reject_first and self.n_reject_second)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute the Clopper-Pearson interval for the probability that the test rejects in a new run.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Minimum coverage for the probability.

        Returns
        -------
        ConfidenceInterval
            Limits from 0 to 1.

        Examples
        --------
        >>> from evalstats import example_table
        >>> from evalstats.reproducibility import pvalues_over_runs
        >>> runs = [example_table(f"raeder-2010-seed-{seed}").scores for seed in (216, 459)]
        >>> low, high = pvalues_over_runs(runs).confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        0.013 0.987
        """
        return proportion_interval(
            self.n_reject, self.n_runs, confidence_level=confidence_level, method="clopper-pearson"
        )


def overlap(
    x: ArrayLike, y: ArrayLike, *, pairing: str = "index", tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> OverlapResult:
    """Estimate how consistently one of two classifiers leads in repeated runs.

    Parameters
    ----------
    x, y : array_like of shape (..., n_runs)
        Scores of two classifiers in the same runs, for example with the same seeds, with at least 2 runs. Leading axes
        are batch dimensions and broadcast.
    pairing : {'index', 'all'}, default: 'index'
        ``'index'``: run i of x with run i of y, as in the paper. ``'all'``: every run of x with every run of y, for
        independent runs. The reproducibility is then the absolute value of Cliff's delta.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    OverlapResult
        The result also has the methods `win_share_interval` and `confidence_interval`.

    Raises
    ------
    ValueError
        If x and y have different numbers of runs, have only one run, or contain nan or infinity.

    Notes
    -----
    Runs with different seeds on the same data show the variation between seeds. They do not show the variation between
    datasets: a difference that is specific to this dataset occurs in every run.

    The 95% interval for the reproducibility has a coverage of 93.9% with 5 runs of two equal classifiers whose scores
    are often tied. The coverage is higher in all other simulated settings.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining, section V, eq. 1 and 2.

    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design. Statistics in Medicine 17, 891-908.

    Examples
    --------
    >>> from evalstats import overlap
    >>> result = overlap([0.81, 0.84, 0.79, 0.90, 0.85, 0.83], [0.78, 0.82, 0.80, 0.84, 0.80, 0.81])
    >>> result.n_wins, result.n_losses, round(result.win_share, 3), round(result.reproducibility, 3)
    (5, 1, 0.833, 0.667)
    """
    x, y, tie_tolerance = _checks.pairs_and_tolerance(x, y, tie_tolerance, minimum=2)
    pairing = _checks.choice(pairing, "pairing", PAIRINGS)

    if pairing == "all":
        dominance = cliffs_delta(x, y, tie_tolerance=tie_tolerance)
        wins, losses = np.asarray(dominance.n_greater), np.asarray(dominance.n_less)
        return _overlap_result(wins, losses, x.shape[-1] ** 2, x.shape[-1], pairing, tie_tolerance, dominance)
    ahead = compared(x, y, tie_tolerance)
    wins, losses = np.sum(ahead > 0, axis=-1), np.sum(ahead < 0, axis=-1)
    return _overlap_result(wins, losses, x.shape[-1], x.shape[-1], pairing, tie_tolerance)


def overlap_matrix(runs: ArrayLike, *, tie_tolerance: float = DEFAULT_TIE_TOLERANCE) -> OverlapResult:
    """Estimate how consistently one classifier of each pair leads in repeated runs.

    Parameters
    ----------
    runs : array_like of shape (..., n_runs, n_classifiers)
        Scores of every classifier (columns) in every run (rows), with at least two rows and two columns. Leading axes
        are batch dimensions.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    OverlapResult
        Matrices of shape (..., n_classifiers, n_classifiers): the row is x, and the column is y. On the diagonal,
        each classifier is tied with itself in every run.

    Raises
    ------
    ValueError
        If there are fewer than 2 runs or classifiers, or a score is nan or infinite.

    See Also
    --------
    overlap : the result for one pair.

    Examples
    --------
    >>> from evalstats.reproducibility import overlap_matrix
    >>> result = overlap_matrix([[0.81, 0.78, 0.70], [0.84, 0.82, 0.83], [0.79, 0.80, 0.75], [0.90, 0.84, 0.80]])
    >>> result.win_share
    array([[0.5 , 0.75, 1.  ],
           [0.25, 0.5 , 0.75],
           [0.  , 0.25, 0.5 ]])
    >>> result.reproducibility[0]
    array([0. , 0.5, 1. ])
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, runs)
    scores = _runs(runs, ("n_runs", "n_classifiers"))

    wins = _wins_of_all_pairs(rounded(scores, tie_tolerance))
    n_runs, n_classifiers = scores.shape[-2:]
    result = _overlap_result(wins, np.swapaxes(wins, -1, -2), n_runs, n_runs, "index", tie_tolerance)
    itself = np.arange(n_classifiers)
    result.reason[..., itself, itself] = None
    return replace(result, _of_pairs=True, _classifiers=column_names(runs, "runs"))


def verdict_reproducibility(
    runs: ArrayLike,
    *,
    test: str = USUAL_TEST,
    control: Any = None,
    adjust: str | None = None,
    alpha: float = 0.05,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> VerdictReproducibility:
    """Estimate how reproducible the decisions of a comparison over datasets are over repeated runs.

    Parameters
    ----------
    runs : array_like of shape (n_runs, n_datasets, n_classifiers)
        One table of scores for each of at least 2 runs, for example one table per seed.
    test : {'wilcoxon', 'sign', 'nemenyi', 'bonferroni-dunn'}, default: 'wilcoxon'
        The test that determines in which runs a pair differs significantly. The default is the test of `compare`,
        `pairwise_wilcoxon_test`. ``'nemenyi'`` and ``'bonferroni-dunn'`` are applied without a preceding Friedman test.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared. ``'bonferroni-dunn'`` requires a control, and ``'nemenyi'`` does not accept a
        control.
    adjust : str, optional
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``. Default: ``'holm'``. The tests
        ``'nemenyi'`` and ``'bonferroni-dunn'`` do not support an adjustment.
    alpha : float, default: 0.05
        Significance level of the test.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    VerdictReproducibility
        Results for each pair (``pairs``, which is an `OverlapResult`, and ``n_significant``) and for the whole ranking.

    Raises
    ------
    ValueError
        If there are fewer than 2 runs or classifiers, a score is nan or infinite, or an option is unknown. If the test
        does not support the control or the adjustment.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining, sections IV-A and V.

    Examples
    --------
    The runs with the two seeds of a published study on 18 datasets disagree on which classifier is better.

    >>> from evalstats import example_table
    >>> from evalstats.reproducibility import verdict_reproducibility
    >>> result = verdict_reproducibility([example_table(f"raeder-2010-seed-{seed}").scores for seed in (216, 459)])
    >>> result.mean_ranks.round(2)
    array([[1.11, 1.89],
           [1.72, 1.28]])
    >>> float(result.pairs.reproducibility[0, 1]), result.ranking_agreement, result.kendall_tau
    (0.0, 0.0, -1.0)

    HDDT is significantly better only in the first run:

    >>> result.n_significant.tolist(), result.test
    ([[0, 1], [0, 0]], 'wilcoxon')
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, runs)
    scores = _runs(runs, ("n_runs", "n_datasets", "n_classifiers"), n_axes=3)
    alpha = _checks.proportion(alpha, "alpha")
    greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    n_runs, n_datasets, n_classifiers = scores.shape
    names = column_names(runs, "runs")
    family = _family(runs, n_classifiers, test, control, adjust)

    ranks = mean_ranks(scores, greater_is_better, tie_tolerance)
    pairs = overlap_matrix(-ranks)
    if family.test in EFFECTS_OF_PAIRS:
        n_significant = _n_significant(scores if greater_is_better else -scores, family, alpha, tie_tolerance)
    else:
        n_significant = _n_far_apart(ranks, n_datasets, family, alpha)
    signs = _signs_of_all_pairs(rounded(ranks))
    n_alike = _number_of_equal_rows(signs)
    ranking_agreement, error = _share_of_equal_pairs(n_alike)
    n_rankings = round(float((1 / n_alike).sum()))
    return VerdictReproducibility(
        mean_ranks=ranks,
        pairs=replace(pairs, _classifiers=names),
        n_significant=n_significant,
        test=family.test,
        adjustment=family.adjustment,
        control=named(family.control, names),
        ranking_agreement=ranking_agreement,
        ranking_agreement_standard_error=error,
        n_rankings=n_rankings,
        kendall_tau=_mean_tau(signs),
        n_runs=n_runs,
        n_datasets=n_datasets,
        n_classifiers=n_classifiers,
        alpha=alpha,
        tie_tolerance=tie_tolerance,
        reason=NO_ORDER if not signs.any(axis=-1).all() else ONE_ORDER.format(n=n_runs) if n_rankings == 1 else None,
    )


def pvalues_over_runs(
    runs: ArrayLike,
    *,
    test: str = "auto",
    alpha: float = 0.05,
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    rng: Any = None,
) -> PValuesOverRuns:
    """Count the runs in which a test over datasets rejects.

    Parameters
    ----------
    runs : array_like of shape (n_runs, n_datasets, n_classifiers)
        One table of scores for each of at least 2 runs, for example one table per seed.
    test : {'auto', 'wilcoxon', 'sign', 'paired-t', 'permutation', 'friedman'}, default: 'auto'
        Two-sided test of each run, with the default options of the test. ``'auto'``: ``'wilcoxon'``
        for two classifiers, and ``'friedman'`` for more. All tests except ``'friedman'`` compare two classifiers.
    alpha : float, default: 0.05
        Significance level of the test in each run.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better. Only ``n_reject_first`` and
        ``n_reject_second`` depend on the direction.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality. The
        tolerance is passed to the test.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. Random numbers are used only by ``'permutation'`` for many
        unrounded scores, and by ``'friedman'`` if the exact test takes too long. The same seed is used for each run.

    Returns
    -------
    PValuesOverRuns
        The p-values, the numbers of rejections in each direction, and the method `confidence_interval`, for the
        probability that the test rejects in a new run.

    Raises
    ------
    ValueError
        If there are fewer than 2 runs, a score is nan or infinite, or the test does not support this number of
        classifiers.

    Notes
    -----
    Choosing the run with the smallest p-value, or stopping at the first rejection, is multiple testing without
    adjustment. Instead, average the runs (`long_run_mean`), and then test once.

    Examples
    --------
    Table II of Raeder, Hoens & Chawla (2010) reports a significant difference for both seeds. In the recomputation,
    only the first seed gives a significant difference.

    >>> from evalstats import example_table
    >>> from evalstats.reproducibility import pvalues_over_runs
    >>> result = pvalues_over_runs([example_table(f"raeder-2010-seed-{seed}").scores for seed in (216, 459)])
    >>> result.pvalues.round(5)
    array([0.00129, 0.22875])
    >>> result.n_reject, result.n_reject_first, result.n_reject_second
    (1, 1, 0)
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, runs)
    scores = _runs(runs, ("n_runs", "n_datasets", "n_classifiers"), n_axes=3)
    test = _checks.choice(test, "test", ("auto", *PAIRED_TESTS, "friedman"))
    alpha = _checks.proportion(alpha, "alpha")
    greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    source = _checks.random_source(rng)
    n_runs, _, n_classifiers = scores.shape
    if test == "auto":
        test = "wilcoxon" if n_classifiers == 2 else "friedman"
    if test != "friedman" and n_classifiers != 2:
        raise InvalidValueError(f"test={test!r} compares 2 classifiers, but runs hold {n_classifiers}; use 'friedman'")

    pvalues, lead, is_drawn = _pvalues_and_lead(scores, test, tie_tolerance, source)
    rejects = pvalues <= alpha
    sides = np.sign(lead)[rejects] * (1 if greater_is_better else -1)
    first, second = (int((sides > 0).sum()), int((sides < 0).sum())) if n_classifiers == 2 else (None, None)
    n_reject, n_undefined = int(rejects.sum()), int(np.isnan(pvalues).sum())
    return PValuesOverRuns(
        pvalues=pvalues,
        test=test,
        alpha=alpha,
        n_runs=n_runs,
        n_reject=n_reject,
        n_reject_first=first,
        n_reject_second=second,
        n_undefined=n_undefined,
        reject_proportion=n_reject / n_runs,
        median_pvalue=float(np.median(pvalues[~np.isnan(pvalues)])) if n_undefined < n_runs else float("nan"),
        seed=source.seed if is_drawn else None,
        reason=_reason_of_pvalues(n_reject, n_runs, n_undefined, first, second),
    )


def _runs(runs: Any, axes: tuple[str, ...], n_axes: int | None = None) -> FloatArray:
    """Validate finite scores with the given last axes, each except n_datasets with at least 2 elements."""
    array = _checks.numbers(runs, "runs")
    if array.ndim < len(axes) or (n_axes is not None and array.ndim != n_axes):
        raise InvalidValueError(f"runs must have the shape ({', '.join(axes)}), but it has the shape {array.shape}")
    for length, axis in zip(array.shape[-len(axes) :], axes, strict=True):
        least = 1 if axis == "n_datasets" else 2
        if length < least:
            raise InvalidValueError(f"{axis} must be at least {least}, but runs has the shape {array.shape}")
    column_names(runs, "runs")  # each name once
    return _checks.finite(array, "runs")


class _Family(NamedTuple):
    """Pairs that are tested in each run, and the test."""

    test: str
    adjustment: str
    control: int | None


def _family(runs: Any, k: int, test: Any, control: Any, adjust: Any) -> _Family:
    """Validate and return the pairs and the test of each run."""
    test = _checks.choice(test, "test", TESTS_OF_PAIRS)
    column = None if control is None else column_of(control, runs, k)
    if (test == "nemenyi" and column is not None) or (test == "bonferroni-dunn" and column is None):
        needs = "control must be left out" if column is not None else "control must be the index of a column, not None"
        compares = "all pairs" if column is not None else "other classifiers with a control"
        raise InvalidValueError(f"{needs}: test={test!r} compares {compares}")
    if test in EFFECTS_OF_PAIRS:
        return _Family(test, adjustment(USUAL_ADJUSTMENT if adjust is None else adjust, column), column)
    if adjust is not None:
        raise InvalidValueError(
            f"adjust must be left out, not {adjust!r}: test={test!r} already adjusts for the whole family"
        )
    return _Family(test, "single-step", column)


def _n_significant(scores: FloatArray, family: _Family, alpha: float, tie_tolerance: float) -> IntArray:
    """Count the runs in which a pairwise test decides that the row is better than the column."""
    function, effect = EFFECTS_OF_PAIRS[family.test]
    result = function(scores, control=family.control, adjust=family.adjustment, tie_tolerance=tie_tolerance)
    ahead, rejects = getattr(result, effect), result.pvalue <= alpha
    better, worse = ((rejects & one).sum(axis=0) for one in (ahead > 0, ahead < 0))
    if family.control is None:
        return np.asarray(better)
    counts = np.zeros((better.size, better.size), dtype=np.int64)
    counts[:, family.control], counts[family.control] = better, worse
    return counts


def _n_far_apart(ranks: FloatArray, n_datasets: int, family: _Family, alpha: float) -> IntArray:
    """Count the runs in which the mean ranks of a pair differ by at least the critical difference."""
    k = ranks.shape[-1]
    least = critical_difference(n_datasets, k, alpha=alpha, test=family.test) * (1 - 1e-12)  # equal ranks are rounded
    counts = sum((of_run - of_run[:, None] >= least).astype(np.int64) for of_run in ranks)
    is_compared = np.ones((k, k), dtype=bool)
    if family.control is not None:
        is_compared = (np.arange(k) == family.control) ^ (np.arange(k) == family.control)[:, None]
    return np.where(is_compared, counts, 0)


def _overlap_result(
    wins: AnyArray,
    losses: AnyArray,
    n_compared: int,
    n_runs: int,
    pairing: str,
    tie_tolerance: float,
    dominance: DominanceEffectResult | None = None,
) -> OverlapResult:
    """Compute eq. 1 and 2 from the counts."""
    ties = n_compared - wins - losses
    return OverlapResult(
        win_share=(2 * wins + ties) / (2 * n_compared),
        reproducibility=np.abs(wins - losses) / n_compared,
        n_wins=wins,
        n_losses=losses,
        n_ties=ties,
        n_runs=n_runs,
        pairing=pairing,
        tie_tolerance=tie_tolerance,
        reason=reasons(ties.shape, (ties == n_compared, ALWAYS_TIED)),
        _dominance=dominance,
    )


def _wins_of_all_pairs(scores: FloatArray) -> IntArray:
    """Count the runs, of shape (..., n_runs, k), in which each classifier is above each other classifier."""
    *batch, n_runs, k = scores.shape
    # there are k^2 n_runs comparisons, and small integers are compared several times faster than floats
    places = _places(scores).reshape((-1, n_runs, k)).swapaxes(-1, -2)
    wins = np.empty((len(places), k, k), dtype=np.int64)
    for of_table, place in zip(wins, np.ascontiguousarray(places), strict=True):
        for i in range(k):
            of_table[i] = np.add.reduce(place[i] > place, axis=-1, dtype=np.int64)
    return wins.reshape((*batch, k, k))


def _places(scores: FloatArray) -> NDArray[np.integer[Any]]:
    """Return the position of each score among the distinct scores of its run, in the smallest possible type."""
    order = np.argsort(scores, axis=-1)
    ordered = np.take_along_axis(scores, order, axis=-1)
    is_new = np.zeros(scores.shape, dtype=np.min_scalar_type(scores.shape[-1]))
    is_new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    places = np.empty_like(is_new)
    np.put_along_axis(places, order, np.cumsum(is_new, axis=-1, dtype=is_new.dtype), axis=-1)
    return places


def _signs_of_all_pairs(ranks: FloatArray) -> NDArray[np.int8]:
    """Return the sign of the difference in mean rank of each pair in each run, of shape (n_runs, k (k - 1) / 2)."""
    first, second = np.triu_indices(ranks.shape[-1], 1)
    return np.sign(ranks[:, first] - ranks[:, second]).astype(np.int8)


def _number_of_equal_rows(signs: NDArray[np.int8]) -> IntArray:
    """Count, for each run, the runs with the same ranking, including the run itself."""
    _, which, counts = np.unique(signs, axis=0, return_inverse=True, return_counts=True)
    return np.asarray(counts[which.reshape(-1)], dtype=np.int64)


def _share_of_equal_pairs(n_alike: IntArray) -> tuple[float, float]:
    """Return the proportion of the pairs of runs that agree (a U-statistic) and its jackknife standard error."""
    n = len(n_alike)
    share = float((n_alike - 1).sum() / (n * (n - 1)))
    if n == 2:
        return share, float("nan")
    without = (share * n * (n - 1) - 2 * (n_alike - 1)) / ((n - 1) * (n - 2))
    return share, float(np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum()))


def _mean_tau(signs: NDArray[np.int8]) -> float:
    """Return the mean of Kendall's tau-b over the pairs of runs in which not all classifiers are tied."""
    ordered = signs[signs.any(axis=-1)].astype(np.float64)
    n = len(ordered)
    if n < 2:
        return float("nan")
    ordered /= np.sqrt((ordered**2).sum(axis=-1, keepdims=True))
    # sum over pairs from the sum over all entries: tau of each run with itself is 1
    return float(np.clip(((ordered.sum(axis=0) ** 2).sum() - n) / (n * (n - 1)), -1, 1))


def _pvalues_and_lead(
    scores: FloatArray, test: str, tie_tolerance: float, source: RandomSource
) -> tuple[FloatArray, FloatArray, bool]:
    """Test every run, and return the p-values, the leads, and whether any p-value is simulated.

    A lead is positive if the first of two classifiers has the larger scores.
    """
    if test == "friedman":
        result = friedman_test(scores, tie_tolerance=tie_tolerance, rng=source.given)
        lead = result.mean_ranks[:, 1] - result.mean_ranks[:, 0]
    else:
        ask, lead_of = PAIRED_TESTS[test]
        choices = {"rng": source.given} if test == "permutation" else {}
        result = ask(scores[..., 0], scores[..., 1], tie_tolerance=tie_tolerance, **choices)
        lead = lead_of(result)
    return np.asarray(result.pvalue), np.asarray(lead), bool(np.any(np.asarray(result.method) == "monte-carlo"))


def _reason_of_pvalues(
    n_reject: int, n_runs: int, n_undefined: int, first: int | None, second: int | None
) -> str | None:
    sentences = []
    if 0 < n_reject < n_runs:
        sentences.append(f"the test rejects in {n_reject} of {n_runs} runs: the verdict depends on the run")
    if first and second:
        sentences.append(f"the first classifier is favored by {first} of the rejections, and the second by {second}")
    if n_undefined:
        sentences.append(
            f"the test is undefined in {n_undefined} of {n_runs} runs, which are not counted as rejections"
        )
    return "; ".join(sentences) or None
