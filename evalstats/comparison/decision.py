"""What do the tests say of a table, before names and sentences are made of it?

Everything stands in positions of the table: the records of `over_datasets` and `one_dataset` are made from it.
"""

from __future__ import annotations

__all__ = ["Decision", "Family", "OneDatasetDecision", "Tested"]

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats._ranks import rounded
from evalstats._result import HypothesisTestResult
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.comparison.ranked_pairs import RankedPairs
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.comparison.validity import (
    Replacement,
    Validity,
    cannot_reach,
    first_reason,
    means_otherwise,
    untested,
)
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.comparison.supplements import Robustness
    from evalstats.multiple.cochran import CochranQTestResult
    from evalstats.paired.sign import SignTestResult
    from evalstats.paired.wilcoxon import WilcoxonTestResult
    from evalstats.reproducibility.run_overlap import PValuesOverRuns, VerdictReproducibility


# --- over several datasets --------------------------------------------------------------------------------------------


class Decision(NamedTuple):
    """What was found out about classifiers over several datasets; matrices hold i against j in row i, column j.

    Of two classifiers there are `wilcoxon` and `sign`, of three or more `omnibus` and `posthoc`, each with its name as
    `compare` takes it.
    """

    table: ScoreTable
    control: int | None
    alpha: float
    tie_tolerance: float
    compared: RankedPairs
    mean_ranks: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    better: BoolArray
    wilcoxon: WilcoxonTestResult | None = None
    sign: SignTestResult | None = None
    omnibus_test: str | None = None
    omnibus: HypothesisTestResult | None = None
    posthoc_test: str | None = None
    posthoc: Any = None  # every post-hoc test has fields of its own
    adjustment: str | None = None
    reproducibility: VerdictReproducibility | None = None
    pvalues_over_runs: PValuesOverRuns | None = None
    robustness: Robustness | None = None
    replaced: tuple[Replacement, ...] = ()

    @property
    def validity(self) -> Validity:
        """Whose place the tests take, and which pairs have no p-value."""
        lacking = untested(self.table.classifiers, self.compared, self.compared.of(self.pvalue))
        reason = first_reason(getattr(self.posthoc, "reason", None)) if lacking else None
        smallest = self.min_attainable_pvalue if self.posthoc_test is None else self.smallest_posthoc_pvalue
        is_gated = self.posthoc_test is not None and POSTHOC_TESTS[self.posthoc_test].is_gated
        return Validity(
            replacements=self.replaced,
            untested=lacking,
            reason=reason,
            min_attainable_pvalue=smallest,
            out_of_reach=any(
                cannot_reach(one, self.alpha) for one in (smallest, self.min_attainable_pvalue if is_gated else None)
            ),
        )

    @property
    def means_otherwise(self) -> BoolArray:
        """Of each two that are shown to differ, whether the one that is better has the worse mean."""
        shown = self.different & self.better
        if not shown.any():
            return shown
        return means_otherwise(self.table.scores, shown, greater_is_better=self.table.greater_is_better)

    @property
    def leading(self) -> Any:
        """The test of all classifiers, or of both."""
        return self.omnibus if self.wilcoxon is None else self.wilcoxon

    @property
    def significant(self) -> bool:
        """Whether the leading test rejects."""
        return bool(self.leading.pvalue <= self.alpha)

    @property
    def different(self) -> BoolArray:
        """Decisions: those of the pair's own test, and of the leading test too where that one is needed."""
        rejected = np.asarray(self.pvalue <= self.alpha)
        if self.posthoc_test is None:
            return rejected
        return POSTHOC_TESTS[self.posthoc_test].different(rejected, self.significant)

    @property
    def order(self) -> list[int]:
        """The classifiers from the best mean rank to the worst."""
        return order_of(self.mean_ranks)

    @property
    def min_attainable_pvalue(self) -> float | None:
        """The smallest p-value that the leading test can reach; None where there is no such bound."""
        smallest: float | None = getattr(self.leading, "min_attainable_pvalue", None)
        return smallest

    @property
    def smallest_posthoc_pvalue(self) -> float | None:
        """The smallest p-value that a pair can reach in the post-hoc test; None likewise."""
        smallest: float | None = getattr(self.posthoc, "min_attainable_pvalue", None)
        return smallest

    @property
    def has_critical_difference(self) -> bool:
        """Whether one difference of mean ranks separates what differs from what does not."""
        return self.posthoc_test is not None and POSTHOC_TESTS[self.posthoc_test].has_critical_difference

    @property
    def depends_on_the_pool(self) -> bool:
        """Whether other classifiers of the table can change the p-value of a pair."""
        return self.posthoc_test is not None and POSTHOC_TESTS[self.posthoc_test].depends_on_the_pool


def order_of(mean_ranks: FloatArray) -> list[int]:
    """Return the classifiers from the best mean rank to the worst; equal ones in the order of the table."""
    return [int(i) for i in np.argsort(rounded(mean_ranks), kind="stable")]


# --- on one dataset ---------------------------------------------------------------------------------------------------


class Family(NamedTuple):
    """Which pairs are compared, and how their p-values become those of one family."""

    table: ScoreTable
    control: int | None
    pairs: list[tuple[int, int]]
    alpha: float
    adjust: str
    tie_tolerance: float
    n_resamples: int
    rng: Any

    @property
    def are_two(self) -> bool:
        """Whether there is a single pair."""
        return len(self.table.classifiers) == 2

    @property
    def columns(self) -> tuple[list[int], list[int]]:
        """The first and the second classifier of each pair."""
        first, second = zip(*self.pairs, strict=True)
        return list(first), list(second)

    def of_pairs(self, values: FloatArray) -> FloatArray:
        """Take what a test of the family says of each pair that is compared."""
        return np.array([values[a, b] if self.control is None else values[a] for a, b in self.pairs])


class Tested(NamedTuple):
    """What was found on one dataset; arrays hold one number for each pair that is compared."""

    tests: tuple[HypothesisTestResult, ...]
    statistic: FloatArray
    unadjusted: FloatArray
    pvalue: FloatArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    larger: IntArray | None  # folds in which the first has the larger score, or cases that only the first gets right
    smaller: IntArray | None
    n: int  # folds or cases
    design: dict[str, Any]
    sizes_assumed: bool = False
    omnibus: CochranQTestResult | None = None
    min_attainable_pvalue: float | None = None


class OneDatasetDecision(NamedTuple):
    """What was found out about classifiers on one dataset; `order` is that of their scores, the best first."""

    family: Family
    pair_test: str
    tested: Tested
    order: list[int]
    runs: FloatArray | None  # the score of each repeat, of shape (n_repeats, n_classifiers)
    robustness: Robustness | None = None
    replaced: tuple[Replacement, ...] = ()

    @property
    def validity(self) -> Validity:
        """Whose place the test takes, and which pairs have no p-value."""
        lacking = untested(self.family.table.classifiers, self.family.pairs, self.tested.unadjusted)
        reason = first_reason([test.reason for test in self.tested.tests]) if lacking else None
        return Validity(
            replacements=self.replaced,
            untested=lacking,
            reason=reason,
            min_attainable_pvalue=self.tested.min_attainable_pvalue if self.family.are_two else None,
            out_of_reach=cannot_reach(self.tested.min_attainable_pvalue, self.family.alpha),
        )

    @property
    def leading(self) -> HypothesisTestResult | None:
        """The omnibus test, or the test of the only pair; None where each pair is tested by itself."""
        return self.tested.omnibus or (self.tested.tests[0] if self.family.are_two else None)

    @property
    def rejected(self) -> BoolArray:
        """Of each pair, whether its own p-value rejects."""
        return np.asarray(self.tested.pvalue <= self.family.alpha)

    @property
    def significant(self) -> bool:
        """Whether the omnibus test rejects or, without one, whether any pair differs."""
        omnibus = self.tested.omnibus
        return bool(self.rejected.any()) if omnibus is None else bool(omnibus.pvalue <= self.family.alpha)

    @property
    def shown(self) -> BoolArray:
        """Of each pair, whether it is called different."""
        return self.rejected & self.significant
