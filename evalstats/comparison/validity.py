"""May this test speak about these data? If not, which one does, and of what can nothing be said?

Every comparison asks here before it decides, and keeps the answer: reports, pictures, margins and gates read it, and
have no conditions of their own.
"""

from __future__ import annotations

__all__ = [
    "FEW_CLUSTERS",
    "Replacement",
    "UntestedPair",
    "Validity",
    "first_reason",
    "has_few_clusters",
    "lacks_pvalue",
    "means_otherwise",
    "replacement",
    "untested",
    "valid_omnibus",
    "valid_posthoc",
]

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats._ranks import compared, rounded
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray
from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS

if TYPE_CHECKING:
    from evalstats.metrics.clusters import Clusters

# of fewer clusters, or of clusters so unlike that they count for fewer, the variance is too uncertain
FEW_CLUSTERS = 20
# what decides where another test over datasets has no p-value: exact tests, which need no variance
OMNIBUS_INSTEAD, POSTHOC_INSTEAD = "friedman", "wilcoxon"


@dataclass(frozen=True, kw_only=True, eq=False)
class Replacement(Record):
    """A test that stands in the place of another, which is not valid for these data.

    Attributes
    ----------
    of : {'omnibus', 'pairs'}
        What the test was to decide: whether classifiers differ at all, or which of them do.
    test, by : str
        Names of the test that is not valid, and of the one that decides instead, as they stand in a sentence.
    reason : str
        Why, as a clause: 'the differences have no variance'.
    """

    of: str
    test: str
    by: str
    reason: str


@dataclass(frozen=True, kw_only=True, eq=False)
class UntestedPair(Record):
    """A pair without a p-value, of which nothing is concluded: not that the two differ, nor that they do not.

    Attributes
    ----------
    first, second : str
        The classifiers.
    """

    first: str
    second: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Validity(Record):
    """Whether the tests of a comparison are valid for its data.

    Attributes
    ----------
    n_effective : float or None
        How many clusters of equal size carry as much information as the clusters that there are; None without clusters.
    replacements : tuple of Replacement
        Tests that stand in the place of others.
    untested : tuple of UntestedPair
        Pairs without a p-value, where no valid test is known.
    reason : str or None
        Why these pairs have none; None where there are no such pairs.
    """

    n_effective: float | None = None
    replacements: tuple[Replacement, ...] = ()
    untested: tuple[UntestedPair, ...] = ()
    reason: str | None = None

    def is_untested(self, first: str, second: str) -> bool:
        """Tell whether a pair, in either order of the names, has no p-value."""
        return any({pair.first, pair.second} == {first, second} for pair in self.untested)

    def untested_against(self, name: str) -> tuple[str, ...]:
        """Return the classifiers that could not be tested against this one."""
        met = [(pair.first, pair.second) for pair in self.untested if name in (pair.first, pair.second)]
        return tuple(b if a == name else a for a, b in met)


# --- clusters ---------------------------------------------------------------------------------------------------------


def has_few_clusters(clusters: Clusters) -> bool:
    """Tell whether the variance of a mean is too uncertain for a t-test, so that signs of clusters are tried."""
    return round(clusters.effective, 9) < FEW_CLUSTERS or bool((clusters.n_groups == 1).any())


# --- no p-value -------------------------------------------------------------------------------------------------------


def lacks_pvalue(pvalues: FloatArray) -> bool:
    """Tell whether a test has no p-value somewhere: it does not apply there."""
    return bool(np.isnan(pvalues).any())


def replacement(of: str, test: str, by: str, reasons: Any) -> Replacement:
    """Say why a test is replaced; of its reason only what comes before the advice to take another."""
    return Replacement(of=of, test=test, by=by, reason=first_reason(reasons))


def valid_omnibus(name: str, run: Callable[[str], Any]) -> tuple[str, Any, tuple[Replacement, ...]]:
    """Return the leading test over datasets that has a p-value: its name, its result, and whose place it takes."""
    found = run(name)
    if not lacks_pvalue(found.pvalue) or name == OMNIBUS_INSTEAD:
        return name, found, ()
    test, by = (OMNIBUS_TESTS[one].words for one in (name, OMNIBUS_INSTEAD))
    return OMNIBUS_INSTEAD, run(OMNIBUS_INSTEAD), (replacement("omnibus", test, by, found.reason),)


def valid_posthoc(
    name: str, control: int | None, run: Callable[[str], Any]
) -> tuple[str, Any, tuple[Replacement, ...]]:
    """Return the test of all pairs over datasets that has a p-value for each of them, likewise.

    One test decides on all pairs of a family: a level that holds for the family is known for nothing else.
    """
    found = run(name)
    pvalues = found.pvalue if control is None else np.delete(found.pvalue, control)
    if not lacks_pvalue(pvalues) or name == POSTHOC_INSTEAD:
        return name, found, ()
    test, by = (POSTHOC_TESTS[one].words for one in (name, POSTHOC_INSTEAD))
    return POSTHOC_INSTEAD, run(POSTHOC_INSTEAD), (replacement("pairs", test, by, found.reason),)


def untested(names: Sequence[str], pairs: Iterable[tuple[int, int]], pvalues: FloatArray) -> tuple[UntestedPair, ...]:
    """Return the pairs without a p-value."""
    if not lacks_pvalue(pvalues):
        return ()
    lack = np.isnan(pvalues).tolist()
    return tuple(
        UntestedPair(first=names[a], second=names[b]) for (a, b), is_nan in zip(pairs, lack, strict=True) if is_nan
    )


def first_reason(reasons: Any) -> str:
    """Return the first reason that a test gives, without the advice behind it."""
    found = (reason for reason in np.ravel(np.asarray(reasons, dtype=object)).tolist() if reason is not None)
    return str(next(found, "it is not defined there")).partition(";")[0]


# --- ranks against means ----------------------------------------------------------------------------------------------


def means_otherwise(scores: FloatArray, better: BoolArray, *, greater_is_better: bool) -> BoolArray:
    """Tell of each two classifiers whether the first is better, but has the worse mean.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, k)
        nan where a score is missing: the means of two are over the datasets that both have.
    better : ndarray of bool, shape (k, k)
        ``better[i, j]``: the test says that i is better than j.
    greater_is_better : bool
        Direction of the scores.

    Returns
    -------
    ndarray of bool, shape (k, k)
    """
    there = ~np.isnan(scores)
    worse = np.less if greater_is_better else np.greater
    if there.all():
        means = rounded(scores.mean(axis=0))
        return np.asarray(better & worse.outer(means, means))
    own = np.where(there, scores, 0.0).T @ there  # [i, j]: the sum of the scores of i where j has one too
    return np.asarray(better & worse(own, own.T) & (compared(own, own.T) != 0))
