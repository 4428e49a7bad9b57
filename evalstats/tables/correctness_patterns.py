"""Patterns of correct and incorrect predictions of several classifiers, and the number of instances with each."""

from __future__ import annotations

__all__ = ["WORD", "RightPatterns", "patterns_of_words", "right_patterns"]

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evalstats._types import BoolArray, IntArray
from evalstats.tables.aligned_instances import aligned_cases
from evalstats.tables.predictions import Predictions

# one bit for each classifier in an integer of 64 bits, whose sums stay positive
WORD = 62


class RightPatterns(NamedTuple):
    """Patterns of k classifiers on one dataset, in the order of their bits; each occurs once or more."""

    is_right: BoolArray  # (n_patterns, k)
    n_instances: IntArray  # (n_patterns,)

    def select(self, columns: Sequence[int]) -> RightPatterns:
        """Return the patterns of these classifiers only, in this order."""
        return RightPatterns(self.is_right[:, list(columns)], self.n_instances)

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(self.n_instances.sum())

    @property
    def both(self) -> IntArray:
        """Number of instances for which both classifiers are correct, shape (k, k)."""
        is_right = self.is_right.astype(np.int64)
        both: IntArray = (is_right.T * self.n_instances) @ is_right
        return both

    @property
    def tables(self) -> IntArray:
        """McNemar's tables ``[[both correct, only i], [only j, neither]]``, shape (k, k, 2, 2)."""
        both = self.both
        n_right = np.diag(both)
        only_i, only_j = n_right[:, np.newaxis] - both, n_right - both
        cells = np.stack([both, only_i, only_j, self.n - both - only_i - only_j], axis=-1)
        return cells.reshape(*both.shape, 2, 2)


def right_patterns(predictions: Predictions) -> RightPatterns:
    """Count how often each pattern of correct and incorrect answers occurs.

    Parameters
    ----------
    predictions : Predictions
        Of one dataset, as `aligned_cases` takes them.

    Returns
    -------
    RightPatterns
        The classifiers in the order of `predictions`.

    Raises
    ------
    InvalidValueError
        As `aligned_cases`.
    """
    counted = predictions._counted
    if counted is not None and counted.patterns is not None and predictions.y_pred is not None:
        return counted.patterns
    is_right = aligned_cases(predictions).is_right
    k = len(is_right)
    if k > WORD:
        return RightPatterns(is_right.T, np.ones(is_right.shape[-1], dtype=np.int64))
    words = np.zeros(is_right.shape[-1], dtype=np.int64)
    for j in range(k):
        words |= is_right[j].astype(np.int64) << j
    if k <= 16:
        n_instances = np.bincount(words, minlength=2**k)
        found = np.flatnonzero(n_instances)
        return patterns_of_words([found], n_instances[found], k)
    found, n_instances = np.unique(words, return_counts=True)
    return patterns_of_words([found], n_instances, k)


def patterns_of_words(words: Sequence[IntArray], n_instances: IntArray, k: int) -> RightPatterns:
    """Return patterns whose bits are stored in integers; each integer holds `WORD` classifiers."""
    bits = [(words[j // WORD] >> (j % WORD)) & 1 for j in range(k)]
    return RightPatterns(np.stack(bits, axis=-1).astype(bool), n_instances.astype(np.int64))
