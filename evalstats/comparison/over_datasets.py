"""The record of a comparison: every number and every decision, computed elsewhere, read by reports and plots."""

from __future__ import annotations

__all__ = ["Comparison", "Pair"]

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats._result import ConfidenceInterval, HypothesisTestResult, plain
from evalstats._types import BoolArray
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.comparison.result import ComparedPair, ComparisonResult
from evalstats.paired.sign import SignTestResult
from evalstats.paired.wilcoxon import WilcoxonTestResult

if TYPE_CHECKING:
    from evalstats.comparison.robustness import Robustness
    from evalstats.reproducibility.run_overlap import PValuesOverRuns, VerdictReproducibility

# a file of all pairs has no more Hodges-Lehmann estimates than this, nor more than so many averages of two differences
MOST_ESTIMATES, MOST_AVERAGES = 1000, 20_000_000


class _WhenAsked:
    """A field that is given as a function of no arguments, or as its value, and computed when it is first asked for."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, record: Any, owner: type) -> float:
        if record is None:
            raise AttributeError(self._name)  # dataclass() asks for a default, and there is none
        value = vars(record)[self._name]
        if callable(value):
            value = vars(record)[self._name] = value()
        return float(value)

    def __set__(self, record: Any, value: Callable[[], float] | float) -> None:
        vars(record)[self._name] = value


@dataclass(frozen=True, kw_only=True, eq=False)
class Pair(ComparedPair):
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
    hodges_lehmann : float
        Hodges-Lehmann estimate of the difference in score, `first` minus `second`, in the unit of the metric. It is the
        median of n^2 / 2 averages, and computed when first asked for.
    """

    mean_rank_difference: float
    n_wins: int
    n_ties: int
    n_losses: int
    rank_biserial: float
    hodges_lehmann: _WhenAsked = _WhenAsked()


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(ComparisonResult[Pair]):
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
        A PairwiseWilcoxonTestResult, if no other test was chosen; None for two classifiers. Its numbers are there even
        where the omnibus test does not reject. Where scores are missing, a CommonDatasetsTestResult; the p-value of a
        pair without a common dataset is nan.
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
        Whether the leading test (Friedman, or Wilcoxon for two classifiers) rejects at alpha. The decisions on pairs
        need it where `is_gated` is True, and not by default.
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
        Decisions in the order of the table; all False where the leading test does not reject and `is_gated` is True.
        With a control only its row and column are comparisons.
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
    validity : Validity
        Whether the tests are valid for these data: which stand in the place of others, and of which pairs nothing is
        concluded because there is no p-value.
    margins : Margins or None
        What is shown of each pair up to a margin; None unless one was given.
    posteriors : Posteriors or None
        How probable better, practically equivalent and worse are; None unless a rope was given.
    options : dict
        The arguments of `compare` that were given and are not the default, as plain values.
    data_checksum : str or None
        SHA-256 of the file of the data, such as ``'sha256:86db...'``; None where the data were no file.
    reproducibility : VerdictReproducibility or None
        How far the verdict on each pair, and the ranking, came out alike in the repeats of the table; None where it
        holds fewer than two.
    pvalues_over_runs : PValuesOverRuns or None
        P-value of the Friedman test, or Wilcoxon's for two classifiers, in each repeat alone; None likewise.
    robustness : Robustness or None
        The verdict under other valid analyses, and without each dataset and classifier; None unless asked for.
    """

    tie_tolerance: float
    mean_ranks: tuple[float, ...]
    posthoc: HypothesisTestResult | None
    omnibus_test: str | None
    posthoc_test: str | None
    wilcoxon: WilcoxonTestResult | None
    sign: SignTestResult | None
    hodges_lehmann_interval: ConfidenceInterval | None
    critical_difference: float | None
    smallest_posthoc_pvalue: float | None
    better: BoolArray
    reproducibility: VerdictReproducibility | None
    pvalues_over_runs: PValuesOverRuns | None
    robustness: Robustness | None
    _columns: Callable[[Sequence[int]], dict[str, list[Any]]]
    _estimates: Callable[[Sequence[int]], list[float]]
    _decided_otherwise: Callable[[], tuple[tuple[str, str], ...]]
    _means_otherwise: Callable[[], tuple[tuple[str, str], ...]]

    @cached_property
    def means_otherwise(self) -> tuple[tuple[str, str], ...]:
        """Pairs that are shown to differ, the better first, whose mean scores have the opposite order."""
        return self._means_otherwise()

    @cached_property
    def decided_otherwise(self) -> tuple[tuple[str, str], ...]:
        """Pairs on which Wilcoxon's test of each pair with Holm's method decides otherwise; found when first asked for.

        Empty where no conclusion is drawn, where the pairs were compared by scores anyway, and beyond 1,000 pairs.
        """
        return self._decided_otherwise()

    @property
    def is_gated(self) -> bool:
        """Whether a pair is called different only where the leading test rejects too.

        So it is with tests of mean ranks and others whose level for all pairs together holds if all classifiers perform
        alike. The Wilcoxon and the sign test with an adjustment, and the tests that resample, need no gate.
        """
        return self.posthoc_test is not None and POSTHOC_TESTS[self.posthoc_test].is_gated

    @property
    def is_conclusive(self) -> bool:
        """Whether the decisions on the pairs mean something: the leading test rejects, or they do not need it."""
        return self.significant or (self.posthoc_test is not None and not self.is_gated)

    @property
    def n_datasets(self) -> int:
        """Number of datasets compared."""
        return len(self.table.datasets)

    def _told_but_pairs(self) -> Iterator[tuple[str, Any]]:
        yield from super()._told_but_pairs()
        yield "decided_otherwise", self.decided_otherwise

    def mean_rank(self, classifier: str) -> float:
        """Mean rank of one classifier; 1 is best."""
        return self.mean_ranks[self.table.position(classifier)]

    def _brief(self) -> dict[str, Any]:
        """Leave out the estimates of pairs, but for those with the smallest p-values, where all would take long."""
        self._refuse_all_pairs()
        told = {name: plain(value) for name, value in self._told_but_pairs()}
        columns = self._columns(range(self.n_pairs))
        pairs = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        at = np.argsort(columns["pvalue"], kind="stable")[: self._most_estimates].tolist()
        for i, estimate in zip(at, self._estimates(at), strict=True):
            pairs[i]["hodges_lehmann"] = estimate
        return told | {"pairs": pairs}

    @property
    def _most_estimates(self) -> int:
        return min(MOST_ESTIMATES, max(1, MOST_AVERAGES // (self.n_datasets * (self.n_datasets + 1) // 2)))

    def _left_out_of_brief(self) -> str:
        if self.n_pairs <= self._most_estimates:
            return ""
        return (
            f"hodges_lehmann is given for the {self._most_estimates:,} of {self.n_pairs:,} pairs with the smallest "
            "p-values, because each is a median of very many averages; Comparison.to_dict() has it for all."
        )
