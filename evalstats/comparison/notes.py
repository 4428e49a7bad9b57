"""Codes of the notes of a comparison, with the conditions under which they apply.

`report` contains a sentence for each code.
"""

from __future__ import annotations

__all__ = [
    "CONDITIONS",
    "ON_ONE_DATASET",
    "OVER_DATASETS",
    "Note",
    "is_simulated",
    "notes_of",
    "variation_of",
]

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats._ranks import rounded
from evalstats._types import FloatArray
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.comparison.validity import cannot_reach

if TYPE_CHECKING:
    from evalstats.multiple.rm_anova import RMAnovaTestResult

# an asymptotic p-value from fewer datasets gets a note
FEW_DATASETS = 15
# fewer datasets give little information on other datasets
VERY_FEW_DATASETS = 6
# more folds are unlikely in one cross-validation
MANY_FOLDS = 20
# methods with simulated null distributions
SIMULATED = ("monte-carlo", "bootstrap")
# fewer scores give an imprecise estimate of their variance
FEW_SCORES = 10


class Note(StrEnum):
    """Codes of the notes that a comparison can contain."""

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
    RUNS_OF_ONE_SPLIT = "runs-of-one-split"
    SIZES_ASSUMED = "sizes-assumed"
    SOME_PAIRS_DEGENERATE = "some-pairs-degenerate"
    TEST_REPLACED = "test-replaced"
    UNEQUAL_VARIATION = "unequal-variation"
    VERY_FEW_DATASETS = "very-few-datasets"
    WILCOXON_AND_SIGN_DISAGREE = "wilcoxon-and-sign-disagree"


def notes_of(comparison: Comparison, notes: Sequence[Note]) -> tuple[str, ...]:
    """Return the codes of the notes that apply, in the order of the report."""
    return tuple(note.value for note in notes if CONDITIONS[note](comparison))


def _rests_on_few_datasets(comparison: Comparison) -> bool:
    if (of_two := comparison.wilcoxon) is not None:
        return bool(of_two.method == "asymptotic" and of_two.n_pairs - of_two.n_zero < FEW_DATASETS)
    leading: Any = comparison.omnibus
    is_approximate = leading.method in {"chi2", "f"} and comparison.omnibus_test != "rm-anova"
    return is_approximate and comparison.n_datasets < FEW_DATASETS


def _lacks_a_common_dataset(comparison: Comparison) -> bool:
    if not comparison.table.missing:
        return False
    posthoc: Any = comparison.posthoc
    # the diagonal entry of the control is not a pair, so it has no common dataset
    return bool((posthoc.n_common == 0).sum() > (comparison.control is not None))


def _is_drawn(comparison: Comparison) -> bool:
    results = (comparison.omnibus, comparison.posthoc, *comparison.tests)
    return any(is_simulated(one) for one in results)


def is_simulated(result: Any) -> bool:
    """Return whether a test has Monte Carlo p-values (the range test has them only if it resamples)."""
    method = np.asarray(getattr(result, "method", ""), dtype=str)
    is_range = bool((method == "range").any()) and result.n_resamples is not None
    return is_range or bool(np.isin(method, SIMULATED).any())


def _has_a_pair_without_rejecting(comparison: Comparison) -> bool:
    """Return whether a pair has a significant p-value although the omnibus test does not reject."""
    is_several = comparison.omnibus is not None
    return is_several and not comparison.significant and bool((comparison._pvalue <= comparison.alpha).any())


def _ranks_say_otherwise(comparison: Comparison) -> bool:
    ranks = rounded(np.array(comparison.mean_ranks))
    is_worse = ranks[:, None] > ranks
    return comparison.omnibus is not None and bool((comparison.different & comparison.better & is_worse).any())


def _runs_disagree(comparison: Comparison) -> bool:
    of_runs = comparison.pvalues_over_runs
    return of_runs is not None and 0 < of_runs.n_reject < of_runs.n_runs


def _wilcoxon_and_sign_disagree(comparison: Comparison) -> bool:
    sign = comparison.sign
    return sign is not None and comparison.significant != bool(sign.pvalue <= comparison.alpha)


def _varies_unequally(comparison: Comparison) -> bool:
    # tests of mean scores with a pooled variance; an ANOVA as their omnibus test is corrected for unequal variances
    if comparison.posthoc_test not in ("tukey", "dunnett"):
        return False
    variation = variation_of(comparison.omnibus, comparison.table.scores)
    return bool(variation.mauchly_pvalue <= comparison.alpha)


def variation_of(leading: Any, scores: FloatArray) -> RMAnovaTestResult:
    """Return an analysis of variance with Mauchly's test: the omnibus test, or a new analysis of the scores."""
    from evalstats.multiple.rm_anova import RMAnovaTestResult, rm_anova_test  # few comparisons need it

    return leading if isinstance(leading, RMAnovaTestResult) else rm_anova_test(scores)


def _sizes_are_assumed(comparison: Comparison) -> bool:
    if comparison.pair_test != "corrected_ttest":
        return False
    folds = comparison.table.folds[0]
    return folds.n_train is None or folds.n_test is None


def _some_pairs_degenerate(comparison: Comparison) -> bool:
    # the 5x2 F test itself states the reason for its only pair
    return comparison.pair_test != "ftest_5x2cv" and bool(comparison.validity.untested)


def _interval_says_otherwise(comparison: Comparison) -> bool:
    columns = comparison._columns(range(comparison.n_pairs))
    low, high, pvalue = (columns[name] for name in ("low", "high", "unadjusted_pvalue"))
    leaves_out_0 = (low > 0) | (high < 0)
    known = ~np.isnan(low) & ~np.isnan(high) & ~np.isnan(pvalue)
    return bool((known & (leaves_out_0 != (pvalue <= comparison.alpha))).any())


def _has_few_folds(comparison: Comparison) -> bool:
    return comparison.pair_test == "corrected_ttest" and comparison.n_repeats * comparison.n_folds < FEW_SCORES


CONDITIONS: dict[Note, Callable[[Comparison], bool]] = {
    Note.DATASETS_ARE_A_SAMPLE: lambda _: True,
    Note.DATASETS_DROPPED: lambda c: bool(c.table.dropped),
    Note.DEGENERATE: lambda c: c.leading is not None and c.leading.reason is not None,
    Note.DEPENDS_ON_THE_ANALYSIS: lambda c: c.robustness is not None and not c.robustness.is_unanimous,
    Note.DESIGN_CANNOT_REACH_ALPHA: lambda c: cannot_reach(c.min_attainable_pvalue, c.alpha),
    Note.FEW_DATASETS_ASYMPTOTIC: _rests_on_few_datasets,
    Note.FEW_FOLDS: _has_few_folds,
    Note.INTERVAL_SAYS_OTHERWISE: _interval_says_otherwise,
    Note.MANY_FOLDS_ASSUMED: lambda c: _sizes_are_assumed(c) and c.n_folds > MANY_FOLDS,
    Note.MEANS_SAY_OTHERWISE: lambda c: bool(c.means_otherwise),
    Note.MISSING_CELLS: lambda c: bool(c.table.missing),
    Note.MONTE_CARLO: _is_drawn,
    Note.NOT_ADJUSTED: lambda c: c.adjustment == "none" and c.n_pairs > 1,
    Note.NO_COMMON_DATASET: _lacks_a_common_dataset,
    Note.NO_CRITICAL_DIFFERENCE: lambda c: c.posthoc is not None and c.critical_difference is None,
    Note.OMNIBUS_WITHOUT_PAIRS: lambda c: c.omnibus is not None and c.significant and not c.different.any(),
    Note.ONE_DATASET: lambda _: True,
    Note.ONE_RUN: lambda c: bool(c.table.folds) and c.reproducibility is None,
    Note.PAIRS_WITHOUT_OMNIBUS: _has_a_pair_without_rejecting,
    Note.POOL_DEPENDENCE: lambda c: bool(c.posthoc_test) and POSTHOC_TESTS[str(c.posthoc_test)].depends_on_the_pool,
    Note.POSTHOC_CANNOT_REACH_ALPHA: lambda c: cannot_reach(c.smallest_posthoc_pvalue, c.alpha),
    Note.PVALUE: lambda _: True,
    Note.RANKS_SAY_OTHERWISE: _ranks_say_otherwise,
    Note.RUNS_DISAGREE: _runs_disagree,
    Note.RUNS_OF_ONE_SPLIT: lambda c: c.design == "runs",
    Note.SIZES_ASSUMED: _sizes_are_assumed,
    Note.SOME_PAIRS_DEGENERATE: _some_pairs_degenerate,
    Note.TEST_REPLACED: lambda c: bool(c.validity.replacements),
    Note.UNEQUAL_VARIATION: _varies_unequally,
    Note.VERY_FEW_DATASETS: lambda c: c.omnibus is not None and c.n_datasets < VERY_FEW_DATASETS,
    Note.WILCOXON_AND_SIGN_DISAGREE: _wilcoxon_and_sign_disagree,
}
# in the order of the report
OVER_DATASETS = (
    Note.DEGENERATE,
    Note.DATASETS_DROPPED,
    Note.MISSING_CELLS,
    Note.NO_COMMON_DATASET,
    Note.DESIGN_CANNOT_REACH_ALPHA,
    Note.POSTHOC_CANNOT_REACH_ALPHA,
    Note.TEST_REPLACED,
    Note.FEW_DATASETS_ASYMPTOTIC,
    Note.VERY_FEW_DATASETS,
    Note.NOT_ADJUSTED,
    Note.UNEQUAL_VARIATION,
    Note.MONTE_CARLO,
    Note.OMNIBUS_WITHOUT_PAIRS,
    Note.PAIRS_WITHOUT_OMNIBUS,
    Note.RANKS_SAY_OTHERWISE,
    Note.MEANS_SAY_OTHERWISE,
    Note.POOL_DEPENDENCE,
    Note.ONE_RUN,
    Note.RUNS_DISAGREE,
    Note.DEPENDS_ON_THE_ANALYSIS,
    Note.NO_CRITICAL_DIFFERENCE,
    Note.WILCOXON_AND_SIGN_DISAGREE,
    Note.DATASETS_ARE_A_SAMPLE,
    Note.PVALUE,
)
ON_ONE_DATASET = (
    Note.RUNS_OF_ONE_SPLIT,
    Note.ONE_DATASET,
    Note.ONE_RUN,
    Note.DEGENERATE,
    Note.SIZES_ASSUMED,
    Note.MANY_FOLDS_ASSUMED,
    Note.SOME_PAIRS_DEGENERATE,
    Note.TEST_REPLACED,
    Note.INTERVAL_SAYS_OTHERWISE,
    Note.FEW_FOLDS,
    Note.DESIGN_CANNOT_REACH_ALPHA,
    Note.MONTE_CARLO,
    Note.OMNIBUS_WITHOUT_PAIRS,
    Note.PAIRS_WITHOUT_OMNIBUS,
    Note.DEPENDS_ON_THE_ANALYSIS,
    Note.NOT_ADJUSTED,
    Note.PVALUE,
)
