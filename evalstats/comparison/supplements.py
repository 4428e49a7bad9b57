"""The records of what a comparison is asked for beside its test: margins, posteriors and robustness."""

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
]

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalstats import _checks
from evalstats._result import Record
from evalstats.comparison.validity import Validity

VERDICTS = ("better", "not worse", "worse", "undecided")
OUTCOMES = ("better", "equivalent", "worse", "undecided")


# --- margins ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class MarginPair(Record):
    """A classifier, the one that it is measured by, and what is shown up to the margin.

    Attributes
    ----------
    classifier, reference : str
        `reference` is the control where there is one, and otherwise the one of both that is ranked higher.
    difference : float
        Estimate of classifier minus reference, in the unit of the metric.
    low, high : float
        Interval of the difference, of this pair alone.
    pvalue_noninferiority, pvalue_inferiority : float
        One-sided, adjusted for all pairs: that the classifier is not worse by the margin or more; that it is worse by
        more than the margin.
    verdict : {'better', 'not worse', 'worse', 'undecided'}
        What is shown: ``'better'`` where the comparison itself calls the two different, the classifier ahead;
        ``'not worse'`` and ``'worse'``, by more than the margin; ``'undecided'`` shows nothing: the data are too few.
    smallest_margin : float
        The margin from which on this pair alone, not adjusted, would be shown not to be worse.
    reason : str or None
        None, or why a test does not apply.
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
    """What `compare` says of a margin.

    Attributes
    ----------
    margin : float
        As asked for, in the unit of the metric.
    alpha : float
        Level of significance of each one-sided test.
    confidence_level : float
        Of the intervals: 1 - 2 alpha.
    test : str
        The test that is moved by the margin: one of `noninferiority_test`, or ``'accuracy'``, ``'auc'`` or the name of
        a metric for the cases of one test set.
    adjustment : str
        How the p-values of the pairs were adjusted; ``'none'`` for a single pair.
    pairs : tuple of MarginPair
        In the order of the pairs of the comparison.
    validity : Validity
        Whether the test is valid for these data: which pairs have no p-value, which p-values can be reached, and what
        is known of its level with so few cases or clusters.
    """

    margin: float
    alpha: float
    confidence_level: float
    test: str
    adjustment: str
    pairs: tuple[MarginPair, ...]
    validity: Validity

    def classifiers(self, verdict: str) -> tuple[str, ...]:
        """Return the classifiers of the pairs that have one of the `VERDICTS`."""
        verdict = _checks.choice(verdict, "verdict", VERDICTS)
        return tuple(pair.classifier for pair in self.pairs if pair.verdict == verdict)

    def _rows(self) -> Sequence[Record]:
        return self.pairs


# --- posteriors -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class PosteriorPair(Record):
    """Two classifiers, and how probable each answer is.

    Attributes
    ----------
    first, second : str
        As in the pairs of the comparison: `second` is the control where there is one.
    p_better : float
        Posterior probability that `first` is better by more than the rope.
    p_equivalent : float
        That the two are practically equivalent: within the rope.
    p_worse : float
        That `second` is better by more than the rope.
    outcome : {'better', 'equivalent', 'worse', 'undecided'}
        The answer whose probability is above the threshold; ``'undecided'`` where none is.
    reason : str or None
        None, or a sentence where the input was degenerate.
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
    """What `compare` says of a region of practical equivalence.

    Attributes
    ----------
    rope : float
        Half the width of the region, as asked for, in the unit of the metric.
    threshold : float
        How probable an answer must be to be given: 1 - alpha, or one half where that is less.
    test : {'signed-rank', 'sign', 'correlated-t', 'accuracy'}
        `bayes_signed_rank_test` over datasets, `bayes_sign_test` where the pairs are compared by the sign test,
        `bayes_correlated_ttest` over the folds of one dataset, and `bayes_accuracy_test` over the cases of one test
        set.
    n_simulations : int or None
        Number of draws from each posterior; None where it is known exactly.
    seed : int or None
        Seed of the draws; None likewise.
    n_pairs : int
        Number of pairs that the comparison compares.
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
        """The posterior of each pair, in the order of the comparison; computed when first asked for.

        Of more than 300 pairs, and of fewer above 133 datasets, those with the smallest p-values of the comparison.
        """
        return self._find()

    def classifiers(self, outcome: str) -> tuple[tuple[str, str], ...]:
        """Return the pairs (first, second) that have one of the `OUTCOMES`."""
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
    """One way to answer the question, and what it decides.

    Attributes
    ----------
    omnibus_test, posthoc_test : str or None
        Names of the tests, as `compare` takes them; no omnibus test for two classifiers. On one dataset, what is tested
        and how, such as ``'mcnemar-midp'``.
    adjustment : str
        How the p-values of the pairs were adjusted; ``'single-step'`` where the test is one for the whole family.
    is_primary : bool
        Whether it is the analysis of the comparison, whose verdict counts.
    omnibus_pvalue : float
        Of the leading test; for two classifiers of the only test. On one dataset nan where no test leads.
    significant : bool
        Whether the leading test rejects.
    pvalues : tuple of float
        Adjusted p-value of each pair, in the order of `Robustness.pairs`.
    different : tuple of bool
        Decision on each pair: its own test rejects, and the leading test too where that one is needed.
    agreement : float
        Share of the pairs on which it decides as the primary analysis does.
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
    """What would change the decision on one pair.

    Attributes
    ----------
    first, second : str
        The classifiers, as in `Comparison.pairs`.
    different : bool
        Decision of the primary analysis.
    n_different : int
        Number of analyses, the primary one included, that call the two different.
    min_attainable_pvalue, largest_pvalue : float
        Of all analyses.
    deciding_datasets : tuple of str
        Datasets without any one of which the primary analysis would decide otherwise.
    stability : float
        Share of the datasets that can be left out, one at a time, without a change of the decision.
    deciding_classifiers : tuple of str
        Other classifiers without any one of which the primary analysis would decide otherwise on these two.
    """

    first: str
    second: str
    different: bool
    n_different: int
    min_attainable_pvalue: float
    largest_pvalue: float
    deciding_datasets: tuple[str, ...]
    stability: float
    deciding_classifiers: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Robustness(Record):
    """The verdict of a comparison under all valid analyses, and without each dataset and each classifier.

    Attributes
    ----------
    analyses : tuple of Analysis
        The primary analysis first.
    left_out : tuple of (str, str)
        Tests that answer the same question but are not valid for these data, each with the reason.
    pairs : tuple of PairRobustness
        Every pair that is compared, in the order of `Comparison.pairs`.
    agreement : float
        Share of all decisions, of each analysis on each pair, that are those of the primary analysis.
    """

    analyses: tuple[Analysis, ...]
    left_out: tuple[tuple[str, str], ...]
    pairs: tuple[PairRobustness, ...]
    agreement: float

    def _rows(self) -> Sequence[Record]:
        return self.pairs

    @property
    def n_analyses(self) -> int:
        """Number of analyses, the primary one included."""
        return len(self.analyses)

    @property
    def is_unanimous(self) -> bool:
        """Whether all analyses decide alike on every pair."""
        return all(pair.n_different in (0, self.n_analyses) for pair in self.pairs)
