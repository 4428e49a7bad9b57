"""What does every comparison tell, whether datasets, folds or cases were compared?"""

from __future__ import annotations

__all__ = ["ComparedPair", "ComparisonResult"]

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._result import HypothesisTestResult, Record, report_module
from evalstats._types import BoolArray, FloatArray
from evalstats.comparison.ranks import Ranking
from evalstats.comparison.validity import Validity
from evalstats.multiple.letters import compact_letters
from evalstats.tables.errors import TableError
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.comparison.advice.recommendation import WhichTestResult
    from evalstats.comparison.margins import Margins
    from evalstats.comparison.posteriors import Posteriors

MOST_PAIRS = 1_000_000  # with a record of their own: a gigabyte
FEW_PAIRS = 1000  # of more, one that is asked for is computed alone


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
    validity : Validity
        Whether the tests are valid for these data: which stand in the place of others, and of which pairs nothing is
        concluded because there is no p-value.
    margins : Margins or None
        What is shown of each pair up to a margin; None unless one was given.
    posteriors : Posteriors or None
        How probable better, practically equivalent and worse are; None unless a rope was given.
    options : dict
        The arguments of `compare` that were given and are not the default, as plain values: with them the comparison
        can be made again. A Generator and other things that cannot be written stand there by the name of their type.
    data_checksum : str or None
        SHA-256 of the file of the data, such as ``'sha256:86db...'``; None where the data were no file.
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
    validity: Validity
    margins: Margins | None = None
    posteriors: Posteriors | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    data_checksum: str | None = None
    _compared: Sequence[tuple[int, int]]
    _pvalues: Callable[[], FloatArray]
    _pairs: Callable[[Sequence[int]], tuple[AnyPair, ...]]
    _advice: Callable[[], WhichTestResult]

    @cached_property
    def pairs(self) -> tuple[AnyPair, ...]:
        """Every pair that was compared, with its effect sizes; computed when first asked for.

        Sorted by rank: of `first`, then of `second` (with a control: of the other classifier).
        """
        self._refuse_all_pairs()
        return self._pairs(range(self.n_pairs))

    def _refuse_all_pairs(self) -> None:
        """Refuse to make a record of each of millions of pairs, of which nobody reads more than a few."""
        if self.n_pairs <= MOST_PAIRS:
            return
        raise TableError(
            f"the {self.n_classifiers:,} classifiers have {self.n_pairs:,} pairs, and {MOST_PAIRS:,} at most are "
            "written one by one",
            "text, Markdown, LaTeX and HTML show those with the smallest p-values, as pairs_with_smallest_pvalues() "
            "has them; or compare all with one, by {}",
            "control",
        )

    def pairs_with_smallest_pvalues(self, most: int) -> tuple[AnyPair, ...]:
        """Return at most so many of `pairs`, in their order; the effect sizes of the others are not computed.

        Parameters
        ----------
        most : int
            Of more pairs than this, those with the smallest p-values are taken.

        Returns
        -------
        tuple
        """
        if _checks.count(most, "most") >= self.n_pairs:
            return self.pairs
        return self._pairs(sorted(np.argsort(self._pvalues(), kind="stable")[:most].tolist()))

    def decisions(self) -> Iterator[tuple[str, str, float, bool]]:
        """Yield names, p-value and decision of each of `pairs`, in their order; no effect size is computed."""
        names = self.table.classifiers
        for (a, b), pvalue in zip(self._compared, self._pvalues().tolist(), strict=True):
            yield names[a], names[b], pvalue, bool(self.different[a, b])

    @cached_property
    def advice(self) -> WhichTestResult:
        """What `which_test` says of the data, found out when first asked for: its warnings stand in the report too."""
        return self._advice()

    @property
    def verdict(self) -> str:
        """What follows and what does not, in the sentences with which every report begins."""
        said: str = report_module("documents").verdict(self)
        return said

    def __str__(self) -> str:
        return self.verdict

    @property
    def ranks(self) -> Ranking:
        """The classifiers from the best to the worst, as a table: `comparison.ranks.to_frame()`."""
        order = [self.table.position(name) for name in self.ranking]
        scores = self.table.scores[:, order]
        ranks = getattr(self, "mean_ranks", None)
        return Ranking(
            classifiers=self.ranking,
            mean_ranks=None if ranks is None else tuple(ranks[i] for i in order),
            mean_scores=tuple(np.nanmean(scores, axis=0).tolist()),
            median_scores=tuple(np.nanmedian(scores, axis=0).tolist()),
            letters=tuple(self.letters[i] for i in order) if self.is_conclusive and self.letters else (),
        )

    @property
    def is_conclusive(self) -> bool:
        """Whether the decisions on the pairs mean something."""
        return self.significant

    @property
    def n_classifiers(self) -> int:
        """Number of classifiers compared."""
        return len(self.table.classifiers)

    @property
    def n_pairs(self) -> int:
        """Number of pairs that were compared."""
        return len(self._compared)

    @property
    def compared(self) -> tuple[tuple[str, str], ...]:
        """Names of the two classifiers of each of `pairs`."""
        names = self.table.classifiers
        return tuple((names[a], names[b]) for a, b in self._compared)

    @property
    def n_different(self) -> int:
        """Number of pairs that are concluded to differ."""
        return int(self.different.sum()) // 2

    @cached_property
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
        wanted = {self.table.position(first), self.table.position(second)}
        for i, (a, b) in enumerate(self._compared):
            if {a, b} == wanted:
                return self.pairs[i] if "pairs" in vars(self) or self.n_pairs <= FEW_PAIRS else self._pairs([i])[0]
        raise InvalidValueError(f"{first!r} and {second!r} were not compared with each other")

    def _told(self) -> Iterator[tuple[str, Any]]:
        yield from self._told_but_pairs()
        yield "pairs", self.pairs

    def _told_but_pairs(self) -> Iterator[tuple[str, Any]]:
        yield from super()._told()
        yield "advice", self.advice

    def _rows(self) -> Sequence[Record]:
        return self.pairs
