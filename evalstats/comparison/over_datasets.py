"""The record of a comparison: every number and every decision, computed elsewhere, read by reports and plots."""

from __future__ import annotations

__all__ = ["Comparison", "Pair"]

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._result import ConfidenceInterval, HypothesisTestResult, Record
from evalstats.multiple.letters import compact_letters
from evalstats.paired.sign import SignTestResult
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.comparison.advice import WhichTestResult
    from evalstats.comparison.robustness import Robustness
    from evalstats.reproducibility.overlap import PValuesOverRuns, VerdictReproducibility


@dataclass(frozen=True, kw_only=True, eq=False)
class Pair(Record):
    """Two classifiers side by side: the decision and the effect sizes.

    Attributes
    ----------
    first, second : str
        The classifiers. `second` is the control where there is one; otherwise `first` has the better mean rank, and
        in a table of two classifiers `first` is the first column.
    mean_rank_difference : float
        Mean rank of `first` minus mean rank of `second`; negative where `first` is better.
    statistic, pvalue : float
        Of the post-hoc test (adjusted for all its comparisons), or, for two classifiers, of the Wilcoxon test.
    different : bool
        Whether the comparison concludes that the two differ. False never means that they are equal.
    n_wins, n_ties, n_losses : int
        Datasets on which `first` is better than, equal to and worse than `second`, of those that both have.
    rank_biserial : float
        Matched-pairs rank-biserial correlation, from -1 to 1; positive where `first` is better.
    """

    first: str
    second: str
    mean_rank_difference: float
    statistic: float
    pvalue: float
    different: bool
    n_wins: int
    n_ties: int
    n_losses: int
    rank_biserial: float
    _hodges_lehmann: Callable[[], float] = field(repr=False)

    @cached_property
    def hodges_lehmann(self) -> float:
        """Hodges-Lehmann estimate of the difference in score, `first` minus `second`, in the unit of the metric.

        It is the median of n^2 / 2 averages, and computed when first asked for.
        """
        return self._hodges_lehmann()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, the Hodges-Lehmann estimate included."""
        return {**super().to_dict(), "hodges_lehmann": self.hodges_lehmann}


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(Record):
    """All results and decisions of one comparison of classifiers.

    Attributes
    ----------
    table : ScoreTable
        The scores that were compared, with names, metric and direction.
    control : str or None
        The classifier that the others were compared with; None: all pairs.
    alpha : float
        Level of significance. A hypothesis is rejected where p <= alpha; a nan p-value never rejects.
    tie_tolerance : float
        Scores that agree to this relative precision are ties; 0: to the last bit.
    mean_ranks : tuple of float
        Mean rank per classifier in the order of the table; 1 is best. Where scores are missing, the mean is over the
        datasets that the classifier has, and the ranks 1 to m of a dataset with m scores are stretched to 1 to
        n_classifiers: 1 + (rank - 1) (n_classifiers - 1) / (m - 1).
    ranking : tuple of str
        The classifiers from the best mean rank to the worst; equal mean ranks in the order of the table.
    omnibus : HypothesisTestResult or None
        For three or more classifiers: a FriedmanTestResult, if no other test was chosen; None for two.
    posthoc : HypothesisTestResult or None
        None for two classifiers. Its numbers are there even where the omnibus test does not reject. Where scores are
        missing, a CommonDatasetsTestResult; the p-value of a pair without a common dataset is nan.
    omnibus_test, posthoc_test : str or None
        Names of both tests, as `compare` takes them; None for two classifiers.
    adjustment : str or None
        How the p-values of the pairs were adjusted: a method of `adjust_pairwise`, or ``'single-step'`` where the test
        is one for the whole family; None for two classifiers.
    wilcoxon, sign : WilcoxonTestResult and SignTestResult, or None
        For two classifiers; None otherwise.
    hodges_lehmann_interval : ConfidenceInterval or None
        For two classifiers: interval of the difference at level 1 - alpha.
    significant : bool
        Whether the leading test (Friedman, or Wilcoxon for two classifiers) rejects at alpha.
    critical_difference : float or None
        Smallest difference of mean ranks that the post-hoc test calls a difference at alpha; None for two classifiers,
        and for a post-hoc test under which there is no single one.
    smallest_pvalue : float or None
        Smallest p-value that the leading test can reach with these datasets, classifiers and ties; None where there is
        no such bound.
    smallest_posthoc_pvalue : float or None
        Smallest p-value that one pair can reach in the post-hoc test; None for two classifiers, and where there is no
        such bound.
    different : ndarray of bool, shape (n_classifiers, n_classifiers)
        Decisions in the order of the table; all False where the leading test does not reject. With a control only its
        row and column are comparisons.
    better : ndarray of bool, shape (n_classifiers, n_classifiers)
        ``better[i, j]``: by the measure of the post-hoc test, i is better than j, different or not. That is the mean
        rank for tests on mean ranks; other tests may see it the other way round.
    groups : tuple of tuple of str
        Maximal groups that are contiguous in rank and whose members are all mutually not different, best first.
        Empty with a control.
    loose_pairs : tuple of (str, str)
        Pairs that are not different and stand together in none of the groups.
    notes : tuple of str
        Codes of what the reader must know; ``report`` turns each into a sentence.
    reproducibility : VerdictReproducibility or None
        How far the verdict on each pair, and the ranking, came out alike in the repeats of the table; None where it
        holds fewer than two.
    pvalues_over_runs : PValuesOverRuns or None
        P-value of the Friedman test, or Wilcoxon's for two classifiers, in each repeat alone; None likewise.
    robustness : Robustness or None
        The verdict under other valid analyses, and without each dataset and classifier; None unless asked for.
    """

    table: ScoreTable
    control: str | None
    alpha: float
    tie_tolerance: float
    mean_ranks: tuple[float, ...]
    ranking: tuple[str, ...]
    omnibus: HypothesisTestResult | None
    posthoc: HypothesisTestResult | None
    omnibus_test: str | None
    posthoc_test: str | None
    adjustment: str | None
    wilcoxon: WilcoxonTestResult | None
    sign: SignTestResult | None
    hodges_lehmann_interval: ConfidenceInterval | None
    significant: bool
    critical_difference: float | None
    smallest_pvalue: float | None
    smallest_posthoc_pvalue: float | None
    different: NDArray[np.bool_]
    better: NDArray[np.bool_]
    groups: tuple[tuple[str, ...], ...]
    loose_pairs: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    reproducibility: VerdictReproducibility | None
    pvalues_over_runs: PValuesOverRuns | None
    robustness: Robustness | None
    _pairs: Callable[[], tuple[Pair, ...]]
    _advice: Callable[[], WhichTestResult]

    @cached_property
    def advice(self) -> WhichTestResult:
        """What `which_test` says of the table, found out when first asked for: its warnings stand in the report too."""
        return self._advice()

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every pair that was compared, with its effect sizes; computed when first asked for.

        Sorted by rank: of `first`, then of `second` (with a control: of the other classifier).
        """
        return self._pairs()

    @property
    def n_datasets(self) -> int:
        """Number of datasets compared."""
        return len(self.table.datasets)

    @property
    def n_classifiers(self) -> int:
        """Number of classifiers compared."""
        return len(self.table.classifiers)

    @property
    def letters(self) -> tuple[str, ...]:
        """Letters of each classifier in the order of the table: two that share one are not shown to differ.

        See `compact_letters`. Empty with a control, since the others are not compared with each other.
        """
        if self.control is not None:
            return ()
        order = [self.table.position(name) for name in self.ranking]
        return compact_letters(self.different, order).letters

    def mean_rank(self, classifier: str) -> float:
        """Mean rank of one classifier; 1 is best."""
        return self.mean_ranks[self.table.position(classifier)]

    def pair(self, first: str, second: str) -> Pair:
        """Return the record of two classifiers, in either order of the names."""
        self.table.position(first), self.table.position(second)
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair
        raise InvalidValueError(f"{first!r} and {short(second)} were not compared with each other")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, pairs included."""
        pairs = [pair.to_dict() for pair in self.pairs]
        return {**super().to_dict(), "advice": self.advice.to_dict(), "pairs": pairs}
