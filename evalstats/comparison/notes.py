"""Which codes must a reader know of a comparison, and when does each apply?

Here stand the codes and their conditions; `report` has a sentence for each. A test holds the tables to each other.
"""

from __future__ import annotations

__all__ = ["ON_ONE_DATASET", "OVER_DATASETS", "SIMULATED", "Note", "notes_of", "variation_of"]

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from evalstats._ranks import rounded
from evalstats._types import FloatArray
from evalstats.comparison.decision import Decision, OneDatasetDecision
from evalstats.comparison.validity import cannot_reach

if TYPE_CHECKING:
    from evalstats.multiple.rm_anova import RMAnovaTestResult

# below this number of datasets an asymptotic p-value deserves a word of warning
FEW_DATASETS = 15
# fewer datasets than this say nearly nothing about others
VERY_FEW_DATASETS = 6
# more folds than this are hardly those of one cross-validation
MANY_FOLDS = 20
# null distributions that are drawn
SIMULATED = ("monte-carlo", "bootstrap")
# fewer scores than this say little about their variance
FEW_SCORES = 10


class Note(StrEnum):
    """Every code that a comparison may carry."""

    DATASETS_ARE_A_SAMPLE = "datasets-are-a-sample"
    DATASETS_DROPPED = "datasets-dropped"
    DEGENERATE = "degenerate"
    DEPENDS_ON_THE_ANALYSIS = "depends-on-the-analysis"
    DESIGN_CANNOT_REACH_ALPHA = "design-cannot-reach-alpha"
    FEW_DATASETS_ASYMPTOTIC = "few-datasets-asymptotic"
    FEW_FOLDS = "few-folds"
    INTERVAL_SAYS_OTHERWISE = "interval-says-otherwise"
    MANY_FOLDS_ASSUMED = "many-folds-assumed"
    MEANS_SAY_OTHERWISE = "means-say-otherwise"
    MISSING_CELLS = "missing-cells"
    MONTE_CARLO = "monte-carlo"
    NOT_ADJUSTED = "not-adjusted"
    NO_COMMON_DATASET = "no-common-dataset"
    NO_CRITICAL_DIFFERENCE = "no-critical-difference"
    OMNIBUS_WITHOUT_PAIRS = "omnibus-without-pairs"
    ONE_DATASET = "one-dataset"
    ONE_RUN = "one-run"
    PAIRS_WITHOUT_OMNIBUS = "pairs-without-omnibus"
    PVALUE = "pvalue"
    POOL_DEPENDENCE = "pool-dependence"
    POSTHOC_CANNOT_REACH_ALPHA = "posthoc-cannot-reach-alpha"
    RANKS_SAY_OTHERWISE = "ranks-say-otherwise"
    RUNS_DISAGREE = "runs-disagree"
    SIZES_ASSUMED = "sizes-assumed"
    SOME_PAIRS_DEGENERATE = "some-pairs-degenerate"
    TEST_REPLACED = "test-replaced"
    UNEQUAL_VARIATION = "unequal-variation"
    VERY_FEW_DATASETS = "very-few-datasets"
    WILCOXON_AND_SIGN_DISAGREE = "wilcoxon-and-sign-disagree"


AnyDecision = TypeVar("AnyDecision", Decision, OneDatasetDecision)


def notes_of(decision: AnyDecision, conditions: Mapping[Note, Callable[[AnyDecision], bool]]) -> tuple[str, ...]:
    """Return the codes that apply, in the order in which they are told."""
    return tuple(note.value for note, applies in conditions.items() if applies(decision))


# --- over several datasets --------------------------------------------------------------------------------------------


def _rests_on_few_datasets(decision: Decision) -> bool:
    if (of_two := decision.wilcoxon) is not None:
        return bool(of_two.method == "asymptotic" and of_two.n_pairs - of_two.n_zero < FEW_DATASETS)
    is_approximate = decision.leading.method in {"chi2", "f"} and decision.omnibus_test != "rm-anova"
    return is_approximate and len(decision.table.datasets) < FEW_DATASETS


def _lacks_a_common_dataset(decision: Decision) -> bool:
    if not decision.table.missing:
        return False
    # the control has no dataset in common with itself, as no pair of its own is compared
    return bool((decision.posthoc.n_common == 0).sum() > (decision.control is not None))


def _rejects_without_a_pair(decision: Decision) -> bool:
    return decision.omnibus is not None and decision.significant and not decision.different.any()


def _is_drawn(decision: Decision) -> bool:
    of_pairs = getattr(decision.posthoc, "method", None)
    return any(isinstance(method, str) and method in SIMULATED for method in (decision.leading.method, of_pairs))


def _has_a_pair_without_rejecting(decision: Decision) -> bool:
    """Tell whether a pair's own test rejects and the leading test does not, be it a gate or not."""
    is_several = decision.omnibus is not None
    return is_several and not decision.significant and bool((decision.pvalue <= decision.alpha).any())


def _ranks_say_otherwise(decision: Decision) -> bool:
    ranks = rounded(decision.mean_ranks)
    is_worse = ranks[:, None] > ranks
    return decision.omnibus is not None and bool((decision.different & decision.better & is_worse).any())


def _runs_disagree(decision: Decision) -> bool:
    of_runs = decision.pvalues_over_runs
    return of_runs is not None and 0 < of_runs.n_reject < of_runs.n_runs


def _wilcoxon_and_sign_disagree(decision: Decision) -> bool:
    return decision.sign is not None and decision.significant != bool(decision.sign.pvalue <= decision.alpha)


def _varies_unequally(decision: Decision) -> bool:
    # the tests of mean scores that pool their variance; an ANOVA that leads them is corrected for it
    if decision.posthoc_test not in ("tukey", "dunnett"):
        return False
    return bool(variation_of(decision.leading, decision.table.scores).mauchly_pvalue <= decision.alpha)


def variation_of(leading: Any, scores: FloatArray) -> RMAnovaTestResult:
    """Return the analysis of variance that tells whether all differences vary equally: that which leads, or another."""
    from evalstats.multiple.rm_anova import RMAnovaTestResult, rm_anova_test  # few comparisons need it

    return leading if isinstance(leading, RMAnovaTestResult) else rm_anova_test(scores)


OVER_DATASETS: dict[Note, Callable[[Decision], bool]] = {
    Note.DEGENERATE: lambda d: d.leading.reason is not None,
    Note.DATASETS_DROPPED: lambda d: bool(d.table.dropped),
    Note.MISSING_CELLS: lambda d: bool(d.table.missing),
    Note.NO_COMMON_DATASET: _lacks_a_common_dataset,
    Note.DESIGN_CANNOT_REACH_ALPHA: lambda d: cannot_reach(d.min_attainable_pvalue, d.alpha),
    Note.POSTHOC_CANNOT_REACH_ALPHA: lambda d: cannot_reach(d.smallest_posthoc_pvalue, d.alpha),
    Note.TEST_REPLACED: lambda d: bool(d.replaced),
    Note.FEW_DATASETS_ASYMPTOTIC: _rests_on_few_datasets,
    Note.VERY_FEW_DATASETS: lambda d: d.omnibus is not None and len(d.table.datasets) < VERY_FEW_DATASETS,
    Note.NOT_ADJUSTED: lambda d: d.adjustment == "none" and len(d.compared) > 1,
    Note.UNEQUAL_VARIATION: _varies_unequally,
    Note.MONTE_CARLO: _is_drawn,
    Note.OMNIBUS_WITHOUT_PAIRS: _rejects_without_a_pair,
    Note.PAIRS_WITHOUT_OMNIBUS: _has_a_pair_without_rejecting,
    Note.RANKS_SAY_OTHERWISE: _ranks_say_otherwise,
    Note.MEANS_SAY_OTHERWISE: lambda d: bool(d.means_otherwise.any()),
    Note.POOL_DEPENDENCE: lambda d: d.depends_on_the_pool,
    Note.ONE_RUN: lambda d: bool(d.table.folds) and d.reproducibility is None,
    Note.RUNS_DISAGREE: _runs_disagree,
    Note.DEPENDS_ON_THE_ANALYSIS: lambda d: d.robustness is not None and not d.robustness.is_unanimous,
    Note.NO_CRITICAL_DIFFERENCE: lambda d: d.posthoc is not None and not d.has_critical_difference,
    Note.WILCOXON_AND_SIGN_DISAGREE: _wilcoxon_and_sign_disagree,
    Note.DATASETS_ARE_A_SAMPLE: lambda _: True,
    Note.PVALUE: lambda _: True,
}


# --- on one dataset ---------------------------------------------------------------------------------------------------


def _some_pairs_degenerate(decision: OneDatasetDecision) -> bool:
    # the F test of five repeats tells its only pair by its own reason
    return decision.pair_test != "ftest_5x2cv" and bool(np.isnan(decision.tested.unadjusted).any())


def _folds_are_many(decision: OneDatasetDecision) -> bool:
    return decision.tested.sizes_assumed and decision.tested.design["n_folds"] > MANY_FOLDS


def _interval_says_otherwise(decision: OneDatasetDecision) -> bool:
    tested = decision.tested
    leaves_out_0 = (tested.low > 0) | (tested.high < 0)
    known = ~np.isnan(tested.low) & ~np.isnan(tested.high) & ~np.isnan(tested.unadjusted)
    return bool((known & (leaves_out_0 != (tested.unadjusted <= decision.family.alpha))).any())


def _is_simulated(decision: OneDatasetDecision) -> bool:
    return any(np.any(np.asarray(test.method) == "monte-carlo") for test in decision.tested.tests)


ON_ONE_DATASET: dict[Note, Callable[[OneDatasetDecision], bool]] = {
    Note.ONE_DATASET: lambda _: True,
    Note.ONE_RUN: lambda d: bool(d.family.table.folds) and d.runs is None,
    Note.DEGENERATE: lambda d: d.leading is not None and d.leading.reason is not None,
    Note.SIZES_ASSUMED: lambda d: d.tested.sizes_assumed,
    Note.MANY_FOLDS_ASSUMED: _folds_are_many,
    Note.SOME_PAIRS_DEGENERATE: _some_pairs_degenerate,
    Note.TEST_REPLACED: lambda d: bool(d.replaced),
    Note.INTERVAL_SAYS_OTHERWISE: _interval_says_otherwise,
    Note.FEW_FOLDS: lambda d: d.pair_test == "corrected_ttest" and d.tested.n < FEW_SCORES,
    Note.DESIGN_CANNOT_REACH_ALPHA: lambda d: cannot_reach(d.tested.min_attainable_pvalue, d.family.alpha),
    Note.MONTE_CARLO: _is_simulated,
    Note.OMNIBUS_WITHOUT_PAIRS: lambda d: d.tested.omnibus is not None and d.significant and not d.shown.any(),
    Note.PAIRS_WITHOUT_OMNIBUS: lambda d: not d.significant and bool(d.rejected.any()),
    Note.DEPENDS_ON_THE_ANALYSIS: lambda d: d.robustness is not None and not d.robustness.is_unanimous,
    Note.NOT_ADJUSTED: lambda d: d.family.adjust == "none" and not d.family.are_two,
    Note.PVALUE: lambda _: True,
}
