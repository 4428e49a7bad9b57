"""Interface between a design and a comparison: the declaration of a design, and the results of the tests.

Each module of this folder declares one design as `DESIGN`. `compare` uses only this declaration.
"""

from __future__ import annotations

__all__ = [
    "Alternatives",
    "Answer",
    "Design",
    "OtherAnalysis",
    "Part",
    "Question",
    "adjusted_pairs",
    "adjustments_of",
    "ahead_of",
    "by_differences",
    "design_named",
    "draws",
    "each_adjusted",
    "order_of",
    "pair_test_of",
    "without_each",
]

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._ranks import rounded
from evalstats._result import HypothesisTestResult
from evalstats._types import AnyArray, BoolArray, FloatArray
from evalstats.adjustment.pair_indexing import USUAL_ADJUSTMENT, adjusted_family
from evalstats.comparison.advice.recommendation import WhichTestResult, which_test
from evalstats.comparison.notes import Note
from evalstats.comparison.ranking import RankedPairs
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import TESTS_OF_DIFFERENCES
from evalstats.comparison.validity import Replacement
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.bayes.posterior import PosteriorResult
    from evalstats.paired.noninferiority_results import MarginProblem

Places = list[tuple[int, int]]
# default number of resamples of the tests
N_RESAMPLES = 9999
# adjustments that control the family-wise error rate, like single-step tests
ADJUSTMENTS = ("bonferroni", "holm", "hochberg", "hommel", "shaffer", "bergmann-hommel")
OF_PAIRS_ONLY = ("shaffer", "bergmann-hommel")
# for more classifiers, the Bergmann-Hommel procedure is slow, unless p decreases with the distance of ranks
MOST_CLASSIFIERS = 12


class Question(NamedTuple):
    """Table to compare, with the control, the significance level and the options.

    `control` is the position of the control in the table.
    """

    table: ScoreTable
    control: int | None
    alpha: float
    tie_tolerance: float
    omnibus: str = "auto"
    posthoc: str = "auto"
    adjust: str | None = None
    method: str = "auto"
    n_resamples: int | None = None
    rng: Any = None
    average: str | None = None
    parametric: bool = False
    advice: WhichTestResult | None = None

    @property
    def k(self) -> int:
        """Number of classifiers."""
        return len(self.table.classifiers)

    @property
    def control_name(self) -> str | None:
        """Name of the control."""
        return None if self.control is None else self.table.classifiers[self.control]

    @property
    def adjustment(self) -> str:
        """Adjustment of the p-values of individual pairs."""
        return USUAL_ADJUSTMENT if self.adjust is None else self.adjust

    @property
    def of_leading(self) -> dict[str, Any]:
        """Options of the omnibus test."""
        resamples = {} if self.n_resamples is None else {"n_resamples": self.n_resamples}
        return {"method": self.method, "rng": self.rng, **resamples}

    @property
    def advised(self) -> str:
        """The test that `which_test` recommends for a pair of classifiers on one dataset."""
        assert self.advice is not None
        return pair_test_of(self.advice)

    def advise(self) -> WhichTestResult:
        """Return the recommendation of `which_test` for the data."""
        if self.advice is not None:
            return self.advice
        return which_test(self.table, control=self.control_name, parametric=self.parametric, alpha=self.alpha)


def pair_test_of(advice: WhichTestResult) -> str:
    """Return the test of one pair that corresponds to a recommended test for several classifiers."""
    name = str(advice.test)
    return next((pair for pair, test in TESTS_OF_DIFFERENCES.items() if name == test.of_several), name)


def draws(n_resamples: int | None, rng: Any) -> dict[str, Any]:
    """Return the number of resamples of a pairwise test and its seed, which is the same for all pairs.

    The p-value of a pair then does not depend on the other compared pairs.
    """
    source = _checks.random_source(rng)
    seed = int(source.generator().integers(2**32)) if source.seed is None else source.seed
    return {"n_resamples": N_RESAMPLES if n_resamples is None else n_resamples, "rng": seed}


class Answer(NamedTuple):
    """Results of the tests of a design; entry [i, j] of a matrix compares classifiers i and j of the table.

    `columns` returns the fields of the pairs at given positions, except names, p-value and decision.
    """

    order: list[int]  # the classifiers, the best first
    compared: RankedPairs
    pair_test: str
    pvalue: FloatArray  # adjusted
    better: BoolArray
    columns: Callable[[Sequence[int]], dict[str, Any]]
    adjustment: str | None
    omnibus: HypothesisTestResult | None = None
    is_gated: bool = False
    min_attainable_pvalue: float | None = None  # of the omnibus test
    smallest_of_pair: float | None = None
    reasons: Any = None  # reason for a missing p-value of a pair
    replaced: tuple[Replacement, ...] = ()
    n_effective: float | None = None
    fields: Mapping[str, Any] = {}  # fields of the record that exist only for this design


class OtherAnalysis(NamedTuple):
    """Alternative analysis: the omnibus test, if there is one, the post-hoc test, and the adjustment."""

    omnibus: str | None
    posthoc: str
    adjust: str


class Part(NamedTuple):
    """Classifiers that are compared, and their pairs; `without_units` contains the tables without each unit."""

    kept: list[int]
    places: list[int]  # positions of the pairs among all compared pairs
    pairs: Places  # positions among the remaining ones
    control: int | None
    without_units: bool = False


class Alternatives(NamedTuple):
    """All valid analyses of the same data (the primary analysis first), and the units that can be left out."""

    analyses: list[OtherAnalysis]
    left_out: list[tuple[str, str]]  # tests that are not valid, each with the reason
    units: Sequence[str]  # units that can be left out, one at a time; empty if no unit can be left out
    led: Callable[[OtherAnalysis, Part], FloatArray | float]  # p-value of the omnibus test; 0 if none is required
    pvalues: Callable[[OtherAnalysis, Part], FloatArray]  # adjusted, of each pair, along the last axis
    no_variance: str  # reason for a missing p-value of a test


@dataclass(frozen=True, kw_only=True)
class Design:
    """Type of sample, such as datasets or folds, and the functions that compare classifiers on such a sample.

    `test` runs the tests. `notes` contains the notes that a report can contain, in the order of the report.
    `why_no_choice` states why the user cannot choose a test, and is empty if the user can choose one. `posthocs`
    contains the tests that the user can always choose. `unanswered` names the supplements that the design does not
    support. The other functions compute the supplements: tests of margins, the Bayesian test and its posteriors, and
    alternative analyses.
    """

    test: Callable[[Question], Answer]
    margin_problems: Callable[[Comparison, Places, int | None, Any], Iterator[MarginProblem]]
    notes: tuple[Note, ...] = ()
    why_no_choice: str = ""
    posthocs: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    alternatives: Callable[[Question, Comparison], Alternatives] | None = None
    posterior_test: Callable[[Comparison], str] | None = None
    posteriors: Callable[[Comparison, str, Places, float, int], Iterator[tuple[Places, PosteriorResult]]] | None = None


def design_named(code: str) -> Design:
    """Return the design with a given code, and load its module and its tests."""
    design: Design = import_module(f"evalstats.comparison.designs.{code}").DESIGN
    return design


# --- functions that several designs share -----------------------------------------------------------------------------


def order_of(values: FloatArray, *, greater_is_better: bool = False, tie_tolerance: float | None = None) -> list[int]:
    """Return the classifiers from the best to the worst, with ties in the order of the table."""
    known = rounded(values) if tie_tolerance is None else rounded(values, tie_tolerance)
    return [int(i) for i in np.argsort(-known if greater_is_better else known, kind="stable")]


def ahead_of(x: Any, y: Any, table: ScoreTable) -> tuple[Any, Any]:
    """Return (x, y) if greater scores are better, or (y, x) if smaller scores are better."""
    return (x, y) if table.greater_is_better else (y, x)


def adjusted_pairs(
    unadjusted: FloatArray, pairs: Sequence[tuple[int, int]], k: int, control: int | None, adjust: str
) -> FloatArray:
    """Adjust the p-values of all pairs, or of all comparisons with a control, along the last axis."""
    if len(pairs) == 1:
        return unadjusted
    first, second = (list(places) for places in zip(*pairs, strict=True))
    if control is None:
        matrix = np.ones((*unadjusted.shape[:-1], k, k))
        matrix[..., first, second] = matrix[..., second, first] = unadjusted
        return np.asarray(adjusted_family(matrix, adjust, None)[..., first, second])
    column = np.full((*unadjusted.shape[:-1], k), np.nan)
    column[..., first] = unadjusted
    return np.asarray(adjusted_family(column, adjust, control)[..., first])


def adjustments_of(question: Question, most: int = MOST_CLASSIFIERS) -> list[str]:
    """Return the adjustments of individual p-values that control the family-wise error rate."""
    return [
        adjust
        for adjust in ADJUSTMENTS
        if (adjust not in OF_PAIRS_ONLY or question.control is None)
        and (adjust != "bergmann-hommel" or question.k <= most)
    ]


def each_adjusted(question: Question, tests: Sequence[str], omnibus: str | None = None) -> list[OtherAnalysis]:
    """Combine each test with each adjustment, the primary test first; for two classifiers, there is no adjustment."""
    adjustments = ["none"]
    if question.k > 2:
        adjustments = list(dict.fromkeys([question.adjustment, *adjustments_of(question)]))
    return [OtherAnalysis(omnibus, test, adjust) for test in tests for adjust in adjustments]


def without_each(rows: FloatArray) -> FloatArray:
    """Return all tables with one row left out, as an array of shape (n_rows, n_rows - 1, n_classifiers)."""
    n = len(rows)
    kept = np.array([[j for j in range(n) if j != i] for i in range(n)], dtype=np.intp).reshape(n, n - 1)
    return np.asarray(rows[kept])


def by_differences(
    question: Question,
    compared: RankedPairs,
    order: list[int],
    pvalue: FloatArray,
    columns: Mapping[str, AnyArray | None],
    **found: Any,
) -> Answer:
    """Combine the results of tests of individual pairs; unknown columns are None.

    The matrix `better` follows the sign of the differences.
    """
    first, second = compared.sides()
    pvalues, better = np.full((question.k, question.k), np.nan), np.zeros((question.k, question.k), dtype=bool)
    pvalues[first, second] = pvalues[second, first] = pvalue
    difference = np.asarray(columns["difference"])
    ahead = difference if question.table.greater_is_better else -difference
    better[first, second], better[second, first] = ahead > 0, ahead < 0
    return Answer(
        order=order,
        compared=compared,
        pvalue=pvalues,
        better=better,
        columns=partial(_taken, dict(columns)),
        adjustment=question.adjustment if len(compared) > 1 else "none",
        **found,
    )


def _taken(columns: Mapping[str, AnyArray | None], at: Sequence[int]) -> dict[str, Any]:
    places = np.asarray(at, dtype=np.intp)
    return {name: [None] * len(places) if values is None else values[places] for name, values in columns.items()}
