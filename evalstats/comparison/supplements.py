"""Records of the optional analyses of a comparison: margins, posteriors, robustness and subgroups."""

from __future__ import annotations

__all__ = [
    "OUTCOMES",
    "VERDICTS",
    "Analysis",
    "MarginPair",
    "Margins",
    "PairRobustness",
    "PosteriorPair",
    "Posteriors",
    "Robustness",
    "SubgroupAnalysis",
    "SubgroupPair",
]

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalstats import _checks
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.comparison.validity import Validity
from evalstats.paired.subgroups import SubgroupTestResult

VERDICTS = ("better", "not worse", "worse", "undecided")
OUTCOMES = ("better", "equivalent", "worse", "undecided")


# --- margins ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class MarginPair(Record):
    """A classifier, its reference, and the conclusion with respect to the margin.

    Attributes
    ----------
    classifier, reference : str
        `reference` is the control if there is one, or the classifier that is ranked higher if there is no control.
    difference : float
        Estimate of classifier minus reference, in the unit of the metric.
    low, high : float
        Limits of the confidence interval for the difference, not adjusted for the other pairs.
    pvalue_noninferiority, pvalue_inferiority : float
        One-sided p-values for noninferiority with the margin, and for inferiority by more than the margin. Both are
        adjusted for all pairs.
    verdict : {'better', 'not worse', 'worse', 'undecided'}
        Conclusion. ``'better'``: the comparison itself finds a significant difference in favor of the classifier.
        ``'not worse'``: the classifier is shown to be noninferior, that is, not worse by the margin or more.
        ``'worse'``: the classifier is shown to be worse by more than the margin. ``'undecided'``: the data are not
        sufficient for a conclusion.
    smallest_margin : float
        The smallest margin for which the test of this pair, without adjustment, shows noninferiority.
    reason : str or None
        Reason why a test does not apply, or None.
    """

    classifier: str
    reference: str
    difference: float
    low: float
    high: float
    pvalue_noninferiority: float
    pvalue_inferiority: float
    verdict: str
    smallest_margin: float
    reason: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Margins(Record):
    """Conclusions of `compare` with respect to a noninferiority margin.

    Attributes
    ----------
    margin : float
        The margin, as passed to `compare`, in the unit of the metric.
    alpha : float
        Significance level of each one-sided test.
    confidence_level : float
        Confidence level of the intervals, 1 - 2 alpha.
    test : str
        The test with the margin: a test of `noninferiority_test`, or ``'accuracy'``, ``'auc'`` or the name of a metric
        for the instances of one test set.
    adjustment : str
        Adjustment of the p-values of the pairs, or ``'none'`` for a single pair.
    pairs : tuple of MarginPair
        Conclusions on the pairs, in the order of the pairs of the comparison.
    validity : Validity
        Validity of the test for these data: pairs without a p-value, attainable p-values, and findings about the type-I
        error rate with few instances or clusters.
    """

    margin: float
    alpha: float
    confidence_level: float
    test: str
    adjustment: str
    pairs: tuple[MarginPair, ...]
    validity: Validity

    def classifiers(self, verdict: str) -> tuple[str, ...]:
        """Return the classifiers of the pairs with the given verdict, one of the `VERDICTS`."""
        verdict = _checks.choice(verdict, "verdict", VERDICTS)
        return tuple(pair.classifier for pair in self.pairs if pair.verdict == verdict)

    def _rows(self) -> Sequence[Record]:
        return self.pairs


# --- posteriors -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class PosteriorPair(Record):
    """Two classifiers, and the posterior probability of each outcome.

    Attributes
    ----------
    first, second : str
        The classifiers, as in the pairs of the comparison. `second` is the control if there is one.
    p_better : float
        Posterior probability that `first` is better by more than the rope.
    p_equivalent : float
        Posterior probability of practical equivalence, that is, of a difference within the rope.
    p_worse : float
        Posterior probability that `second` is better by more than the rope.
    outcome : {'better', 'equivalent', 'worse', 'undecided'}
        The outcome whose probability is above the threshold, or ``'undecided'`` if no probability is above the
        threshold.
    reason : str or None
        A sentence if the input is degenerate, or None.
    """

    first: str
    second: str
    p_better: float
    p_equivalent: float
    p_worse: float
    outcome: str
    reason: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Posteriors(Record):
    """Posterior probabilities from `compare` for a region of practical equivalence.

    Attributes
    ----------
    rope : float
        Half the width of the region, as passed to `compare`, in the unit of the metric.
    threshold : float
        Posterior probability that an outcome must exceed: the larger of 1 - alpha and one half.
    test : {'signed-rank', 'sign', 'correlated-t', 'accuracy'}
        ``'signed-rank'``: `bayes_signed_rank_test` over datasets. ``'sign'``: `bayes_sign_test`, if the pairs are
        compared by the sign test. ``'correlated-t'``: `bayes_correlated_ttest` over the folds of one dataset.
        ``'accuracy'``: `bayes_accuracy_test` over the instances of one test set.
    n_simulations : int or None
        Number of draws from each posterior, or None if the posterior is known exactly.
    seed : int or None
        Seed of the draws, or None if the posterior is known exactly.
    n_pairs : int
        Number of compared pairs.
    """

    rope: float
    threshold: float
    test: str
    n_simulations: int | None
    seed: int | None
    n_pairs: int
    _find: Callable[[], tuple[PosteriorPair, ...]]

    @cached_property
    def pairs(self) -> tuple[PosteriorPair, ...]:
        """The posterior of each pair, in the order of the comparison, computed on first use.

        If there are more than 300 pairs (or, for more than 133 datasets, fewer), only the pairs with the smallest
        p-values are included.
        """
        return self._find()

    def classifiers(self, outcome: str) -> tuple[tuple[str, str], ...]:
        """Return the pairs (first, second) with the given outcome, one of the `OUTCOMES`."""
        outcome = _checks.choice(outcome, "outcome", OUTCOMES)
        return tuple((pair.first, pair.second) for pair in self.pairs if pair.outcome == outcome)

    def _told(self) -> Iterator[tuple[str, Any]]:
        yield from super()._told()
        yield "pairs", self.pairs

    def _rows(self) -> Sequence[Record]:
        return self.pairs


# --- robustness -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis(Record):
    """An analysis of the table, and the decisions of the analysis.

    Attributes
    ----------
    omnibus_test, posthoc_test : str or None
        Names of the tests, as in `compare`. `omnibus_test` is None for two classifiers. On one dataset, `posthoc_test`
        is the name of the analysis, such as ``'mcnemar-midp'``.
    adjustment : str
        Adjustment of the p-values of the pairs, or ``'single-step'`` if one test covers the whole family.
    is_primary : bool
        Whether this analysis is the primary analysis, whose decisions are reported.
    omnibus_pvalue : float
        p-value of the omnibus test, or of the only test for two classifiers. It is nan for three or more classifiers
        without an omnibus test.
    significant : bool
        Whether the omnibus test rejects or, without an omnibus test, whether any pair is significantly different.
    pvalues : tuple of float
        Adjusted p-value of each pair, in the order of `Robustness.pairs`.
    different : tuple of bool
        Decision on each pair: True if the test of the pair rejects and, if required, the omnibus test also rejects.
    agreement : float
        Proportion of the pairs with the same decision as in the primary analysis.
    """

    omnibus_test: str | None
    posthoc_test: str
    adjustment: str
    is_primary: bool
    omnibus_pvalue: float
    significant: bool
    pvalues: tuple[float, ...]
    different: tuple[bool, ...]
    agreement: float


@dataclass(frozen=True, kw_only=True, eq=False)
class PairRobustness(Record):
    """Changes of the analysis that would change the decision on one pair.

    Attributes
    ----------
    first, second : str
        The classifiers, as in `Comparison.pairs`.
    different : bool
        Decision of the primary analysis.
    n_different : int
        Number of analyses, including the primary analysis, in which the two classifiers differ significantly.
    smallest_pvalue, largest_pvalue : float
        Smallest and largest p-value of the pair in all analyses.
    deciding_datasets : tuple of str
        Datasets each of which changes the decision of the primary analysis if it alone is left out.
    stability : float
        Proportion of the datasets that can be left out, one at a time, without a change of the decision.
    deciding_classifiers : tuple of str
        Other classifiers each of which changes the decision of the primary analysis on this pair if it alone is left
        out.
    posterior : {'better', 'equivalent', 'worse', 'undecided'} or None
        The Bayesian decision, as in `PosteriorPair.outcome`, or None if there is no rope or no posterior for the pair.
    posterior_agrees : bool or None
        Whether the Bayesian decision and the primary analysis agree: both find the same classifier better, or neither
        finds a classifier better. It is None if `posterior` is None.
    """

    first: str
    second: str
    different: bool
    n_different: int
    smallest_pvalue: float
    largest_pvalue: float
    deciding_datasets: tuple[str, ...]
    stability: float
    deciding_classifiers: tuple[str, ...]
    posterior: str | None
    posterior_agrees: bool | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Robustness(Record):
    """The decisions of a comparison under all valid analyses, and with one dataset or classifier left out.

    Attributes
    ----------
    analyses : tuple of Analysis
        All analyses. The primary analysis is first.
    left_out : tuple of (str, str)
        Other tests of the pairs that are not valid for these data, each with the reason.
    pairs : tuple of PairRobustness
        Every pair that is compared, in the order of `Comparison.pairs`.
    agreement : float
        Proportion of the decisions of all analyses on all pairs that agree with the decisions of the primary analysis.
        The Bayesian decisions are not counted, because they do not control an error rate.
    """

    analyses: tuple[Analysis, ...]
    left_out: tuple[tuple[str, str], ...]
    pairs: tuple[PairRobustness, ...]
    agreement: float

    def _rows(self) -> Sequence[Record]:
        return self.pairs

    @property
    def n_analyses(self) -> int:
        """Number of analyses, including the primary analysis."""
        return len(self.analyses)

    @property
    def is_unanimous(self) -> bool:
        """Whether all analyses reach the same decision on every pair."""
        return all(pair.n_different in (0, self.n_analyses) for pair in self.pairs)


# --- subgroups --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class SubgroupPair(Record):
    """Tests of the differences between two classifiers in the subgroups.

    Attributes
    ----------
    first, second : str
        The classifiers in the order of the ranking; with a control, `second` is the control.
    test : SubgroupTestResult
        The difference in each subgroup. It is positive if `first` is better, even if the metric is a loss. The
        intervals are simultaneous for all subgroups and all pairs.
    pvalue : float
        p-value of the interaction test, adjusted by Holm's method for all pairs.
    crossover_pvalue : float
        p-value of the test for a crossover interaction (differences of both signs), adjusted by Holm's method for all
        pairs.
    subgroup_pvalue : ndarray of shape (n_subgroups,)
        p-value of the difference in each subgroup, adjusted by Holm's method for all subgroups of all pairs.
    """

    first: str
    second: str
    test: SubgroupTestResult
    pvalue: float
    crossover_pvalue: float
    subgroup_pvalue: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class SubgroupAnalysis(Record):
    """Result of `compare` with subgroups.

    Attributes
    ----------
    column : str
        Column of the subgroups in the source.
    subgroups : tuple of str
        Names of the subgroups.
    n_instances : tuple of int
        Number of instances or questions in each subgroup.
    metric : str
    alpha : float
        Significance level. The intervals of all subgroups and pairs have the simultaneous confidence level 1 - alpha.
    unit : {'instance', 'question'}
    pairs : tuple of SubgroupPair
        Every compared pair.
    left_out : dict of str to str
        Subgroups in which the metric is undefined and the classifiers are not compared, mapped to the reasons.
    """

    column: str
    subgroups: tuple[str, ...]
    n_instances: tuple[int, ...]
    metric: str
    alpha: float
    unit: str
    pairs: tuple[SubgroupPair, ...]
    left_out: dict[str, str]
