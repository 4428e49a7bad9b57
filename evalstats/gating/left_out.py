"""Questions that only the baseline or only the candidate has, and the worst case of the gate for these questions."""

from __future__ import annotations

__all__ = ["Absent", "UnpairedItems", "WorstScores", "left_out_of", "worst_leads", "worst_scores"]

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evalstats._types import FloatArray

# common cluster of all questions that the baseline lacks, because their clusters are unknown
UNKNOWN_CLUSTER = "\0the baseline lacks them"
# lag of the candidate on a dataset that it lacks, as a multiple of the largest difference plus the margin
FAR_BEHIND = 10.0


class Absent(NamedTuple):
    """Rows of the questions of a task that only the baseline or only the candidate has."""

    of_baseline: Sequence[int]  # what the candidate lacks
    of_candidate: Sequence[int]  # what the baseline lacks

    @property
    def n(self) -> int:
        """Number of questions."""
        return len(self.of_baseline) + len(self.of_candidate)


class UnpairedItems(NamedTuple):
    """Numbers of omitted questions of baseline and candidate, and the scores on these questions or None."""

    of_baseline: int
    of_candidate: int
    baseline: float | None
    candidate: float | None


def left_out_of(absent: Absent, old: FloatArray | None, new: FloatArray | None) -> UnpairedItems:
    """Return the omitted questions of a task, with the proportions of correct answers of baseline and candidate."""
    means = [
        float(share[list(rows)].mean()) if share is not None and len(rows) else None
        for share, rows in ((old, absent.of_baseline), (new, absent.of_candidate))
    ]
    return UnpairedItems(len(absent.of_baseline), len(absent.of_candidate), *means)


class WorstScores(NamedTuple):
    """Scores of baseline and candidate over the union of their questions, and the clusters of the questions."""

    old: FloatArray
    new: FloatArray
    clusters: list[str] | None


def worst_scores(
    both: tuple[Sequence[int], Sequence[int]],
    absent: Absent,
    old: FloatArray,
    new: FloatArray,
    clusters: Sequence[str] | None,
) -> WorstScores:
    """Return the known scores, with the worst values for the candidate in place of the missing scores.

    A missing answer of the candidate counts as incorrect, and a missing answer of the baseline as correct. These values
    are the least favorable for the candidate.
    """
    first, second = (list(rows) for rows in both)
    mine, others = list(absent.of_baseline), list(absent.of_candidate)
    known = None
    if clusters is not None:
        known = [*(clusters[i] for i in first), *(clusters[i] for i in mine), *[UNKNOWN_CLUSTER] * len(others)]
    return WorstScores(
        np.concatenate([old[first], old[mine], np.ones(len(others))]),
        np.concatenate([new[second], np.zeros(len(mine)), new[others]]),
        known,
    )


def worst_leads(ahead: FloatArray, behind: FloatArray, n_absent: int, margin: float) -> tuple[FloatArray, FloatArray]:
    """Return scores with additional datasets, on which the candidate loses more than on all common datasets."""
    worst = FAR_BEHIND * (float(np.abs(ahead - behind).max()) + margin)
    level = float(min(ahead.min(), behind.min()))
    return (
        np.concatenate([ahead, np.full(n_absent, level - worst)]),
        np.concatenate([behind, np.full(n_absent, level)]),
    )
