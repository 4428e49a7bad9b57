"""How do two classifiers of a table compare, beside the decision? Effects of as many pairs as are asked for."""

from __future__ import annotations

__all__ = ["hodges_lehmann", "pair_columns", "pairs_at", "pvalues_of_pairs"]

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from evalstats._types import FloatArray, IndexArray
from evalstats.comparison.decision import Decision
from evalstats.comparison.pair import Pair
from evalstats.paired.sign import wins_and_losses
from evalstats.paired.wilcoxon import wilcoxon_test

# estimates of so many pairs are made at once, from no more averages of two differences than this
MOST_AT_ONCE, AVERAGES_AT_ONCE = 64, 2_000_000

CHUNK = 1 << 18  # scores of one pass: a table of thousands by thousands has more pairs of scores than a memory holds


def pairs_at(decision: Decision, at: Sequence[int]) -> tuple[Pair, ...]:
    """Return the pairs at these places of `decision.compared`, with their effect sizes, which no decision needs."""
    columns = pair_columns(decision, at)
    names, estimates = list(columns), _Estimates(decision, at)
    return tuple(
        Pair(**dict(zip(names, values, strict=True)), hodges_lehmann=partial(estimates.of, place))
        for place, *values in zip(range(len(at)), *columns.values(), strict=True)
    )


class _Estimates:
    """The Hodges-Lehmann estimates of pairs: who asks for one mostly asks for the next ones too."""

    def __init__(self, decision: Decision, at: Sequence[int]) -> None:
        self._decision, self._at = decision, at
        averages = int(decision.table.scores.shape[0]) ** 2
        self._step = max(1, min(MOST_AT_ONCE, AVERAGES_AT_ONCE // averages))
        self._known: dict[int, list[float]] = {}  # by the number of the block

    def of(self, place: int) -> float:
        """Return the estimate of the pair at this place."""
        block, within = divmod(place, self._step)
        if block not in self._known:
            start = block * self._step
            self._known[block] = hodges_lehmann(self._decision, self._at[start : start + self._step])
        return self._known[block][within]


def pair_columns(decision: Decision, at: Sequence[int]) -> dict[str, list[Any]]:
    """Return the fields of the pairs at these places, each as a column, but for the Hodges-Lehmann estimates."""
    first, second = decision.compared.sides(at)
    larger, equal, smaller, correlation = _effects(decision, first, second)
    if not decision.table.greater_is_better:
        larger, smaller, correlation = smaller, larger, -correlation
    names = decision.table.classifiers
    return {
        "first": [names[i] for i in first.tolist()],
        "second": [names[i] for i in second.tolist()],
        "statistic": decision.statistic[first, second].tolist(),
        "pvalue": decision.pvalue[first, second].tolist(),
        "different": decision.different[first, second].tolist(),
        "n_wins": larger.astype(int).tolist(),
        "n_ties": equal.astype(int).tolist(),
        "n_losses": smaller.astype(int).tolist(),
        "mean_rank_difference": (decision.mean_ranks[first] - decision.mean_ranks[second]).tolist(),
        "rank_biserial": (correlation + 0.0).tolist(),  # no negative zero
    }


def hodges_lehmann(decision: Decision, at: Sequence[int]) -> list[float]:
    """Return the estimates of the differences of these pairs, on their common datasets where scores are missing."""
    found = np.full(len(at), np.nan)
    first, second = decision.compared.sides(at)
    for places, x, y in _passes(decision, first, second):
        signed_ranks = wilcoxon_test(x, y, method="asymptotic", tie_tolerance=decision.tie_tolerance)
        found[places] = signed_ranks.hodges_lehmann
    return found.tolist()


def pvalues_of_pairs(decision: Decision) -> FloatArray:
    """Return the p-value of each pair that was compared."""
    pvalues: FloatArray = decision.compared.of(decision.pvalue)
    return pvalues


def _effects(decision: Decision, first: IndexArray, second: IndexArray) -> FloatArray:
    """Return how often the first of each pair is larger, equal and smaller, and the rank-biserial correlation."""
    found = np.zeros((4, first.size))
    found[3] = np.nan  # of a pair without a common dataset
    for at, x, y in _passes(decision, first, second):
        larger, smaller = wins_and_losses(x, y, decision.tie_tolerance)
        # the effect size does not depend on the null distribution; the asymptotic one is the cheapest
        signed_ranks = wilcoxon_test(x, y, method="asymptotic", tie_tolerance=decision.tie_tolerance)
        found[:, at] = larger, x.shape[-1] - larger - smaller, smaller, signed_ranks.rank_biserial
    return found


def _passes(
    decision: Decision, first: IndexArray, second: IndexArray
) -> Iterator[tuple[IndexArray, FloatArray, FloatArray]]:
    """Yield places of some pairs and their scores, so many at a time as fit into a cache."""
    scores = np.ascontiguousarray(decision.table.scores.T)
    step = max(1, CHUNK // scores.shape[1])
    for start in range(0, first.size, step):
        places = np.arange(start, min(start + step, first.size))
        x, y = scores[first[places]], scores[second[places]]
        if not decision.table.missing:
            yield places, x, y
            continue
        from evalstats.pairwise.common_datasets import of_common_datasets

        yield from ((places[at], own_x, own_y) for at, own_x, own_y in of_common_datasets(x, y))
