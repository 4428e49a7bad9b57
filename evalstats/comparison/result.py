"""What does every comparison tell, whether datasets, folds or cases were compared?"""

from __future__ import annotations

__all__ = ["ComparedPair", "ComparisonResult"]

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from evalstats._checks import InvalidValueError
from evalstats._result import HypothesisTestResult, Record
from evalstats._types import BoolArray
from evalstats.multiple.letters import compact_letters
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.comparison.advice import WhichTestResult


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparedPair(Record):
    """Two classifiers side by side, and the decision on them.

    Attributes
    ----------
    first, second : str
        The classifiers. `second` is the control where there is one.
    statistic, pvalue : float
        Of the test of this pair; the p-value is adjusted for all pairs that are compared.
    different : bool
        Whether the comparison concludes that the two differ. False never means that they are equal.
    n_wins, n_ties, n_losses : int or None
        How often `first` is better than, equal to and worse than `second`; None where nothing is counted.
    """

    first: str
    second: str
    statistic: float
    pvalue: float
    different: bool
    n_wins: int | None
    n_ties: int | None
    n_losses: int | None


AnyPair = TypeVar("AnyPair", bound=ComparedPair)


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparisonResult(Record, Generic[AnyPair]):
    """What `Comparison` and `OneDatasetComparison` have in common: all that a report of either may rely on.

    Attributes
    ----------
    table : ScoreTable
        The scores that were compared, with names, metric and direction.
    control : str or None
        The classifier that the others were compared with; None: all pairs.
    alpha : float
        Level of significance. A hypothesis is rejected where p <= alpha; a nan p-value never rejects.
    ranking : tuple of str
        The classifiers from the best to the worst; equal ones in the order of the table.
    omnibus : HypothesisTestResult or None
        The test whether three or more classifiers differ at all; None where there is none.
    adjustment : str or None
        How the p-values of the pairs were adjusted; None or ``'none'`` for a single pair.
    significant : bool
        Whether the leading test rejects at alpha.
    smallest_pvalue : float or None
        Smallest p-value that the leading test can reach with these data; None where there is no such bound.
    different : ndarray of bool, shape (n_classifiers, n_classifiers)
        Decisions in the order of the table. With a control only its row and column are comparisons.
    groups : tuple of tuple of str
        Maximal groups that are contiguous in the ranking and whose members are all mutually not different, best first.
        Empty with a control.
    loose_pairs : tuple of (str, str)
        Pairs that are not different and stand together in none of the groups.
    notes : tuple of str
        Codes of what the reader must know; ``report`` turns each into a sentence.
    """

    table: ScoreTable
    control: str | None
    alpha: float
    ranking: tuple[str, ...]
    omnibus: HypothesisTestResult | None
    adjustment: str | None
    significant: bool
    smallest_pvalue: float | None
    different: BoolArray
    groups: tuple[tuple[str, ...], ...]
    loose_pairs: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    _pairs: Callable[[], tuple[AnyPair, ...]]
    _advice: Callable[[], WhichTestResult]

    @cached_property
    def pairs(self) -> tuple[AnyPair, ...]:
        """Every pair that was compared, with its effect sizes; computed when first asked for.

        Sorted by rank: of `first`, then of `second` (with a control: of the other classifier).
        """
        return self._pairs()

    @cached_property
    def advice(self) -> WhichTestResult:
        """What `which_test` says of the data, found out when first asked for: its warnings stand in the report too."""
        return self._advice()

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

    def pair(self, first: str, second: str) -> AnyPair:
        """Return the record of two classifiers, in either order of the names."""
        self.table.position(first), self.table.position(second)
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair
        raise InvalidValueError(f"{first!r} and {second!r} were not compared with each other")

    def _told(self) -> Iterator[tuple[str, Any]]:
        yield from super()._told()
        yield from (("advice", self.advice), ("pairs", self.pairs))

    def _rows(self) -> Sequence[Record]:
        return self.pairs
