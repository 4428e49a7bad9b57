"""Numbers of positive and negative instances that pass each threshold, in each of many rankings."""

from __future__ import annotations

__all__ = ["ThresholdCounts", "counts_of_one", "threshold_counts"]

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import Index
from evalstats.metrics.concordant_pairs import ordered_keys
from evalstats.metrics.ranking_input import Rankings, understand_rankings


class ThresholdCounts(NamedTuple):
    """Weights of the positive and negative instances with at least each distinct score, one ranking after another.

    Each ranking begins, at ``starts``, with a threshold that no instance passes; all instances pass the last threshold.
    Scores decrease.
    """

    tp: FloatArray
    fp: FloatArray
    starts: IndexArray
    threshold: FloatArray | None

    @property
    def lasts(self) -> IndexArray:
        """Positions of the last threshold of each ranking."""
        return np.append(self.starts[1:], len(self.tp)) - 1

    @property
    def rows(self) -> IndexArray:
        """Index of the ranking of each threshold."""
        return np.repeat(np.arange(len(self.starts)), self.lasts - self.starts + 1)

    def kept(self, keep: BoolArray) -> ThresholdCounts:
        """Return some of the thresholds, including the first of each ranking."""
        places = np.flatnonzero(keep)
        threshold = None if self.threshold is None else self.threshold.take(places)
        return ThresholdCounts(self.tp.take(places), self.fp.take(places), places.searchsorted(self.starts), threshold)


def threshold_counts(
    rankings: Rankings, *, thresholds: bool = False, corners: bool = False
) -> Iterator[tuple[Index, ThresholdCounts]]:
    """Yield blocks of the batch with the counts of their rankings; with `thresholds` also the scores.

    A threshold that no additional weight passes is left out. `corners` also leaves out thresholds before or after which
    only positive or only negative instances pass: a metric that increases with each positive instance and decreases
    with each negative instance never has its maximum there.
    """
    n = rankings.positive.shape[-1]
    shape = (*rankings.batch, n)
    positive, score = np.broadcast_to(rankings.positive, shape), np.broadcast_to(rankings.score, shape)
    weight = None if rankings.weight is None else np.broadcast_to(rankings.weight, shape)
    for block in classes.blocks(shape, n):
        rows = block[:-1]
        y, s = positive[rows].reshape(-1, n), score[rows].reshape(-1, n)
        if weight is None and not thresholds:
            yield rows, _of_keys(ordered_keys(s, y), corners=corners)
        else:
            yield rows, _of_scores(y, s.astype(np.float64), None if weight is None else weight[rows].reshape(-1, n))


def counts_of_one(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any, function: str) -> ThresholdCounts:
    """Return the counts of one problem with instances of both classes; `function` is the caller for messages."""
    rankings = understand_rankings(y_true, y_score, pos_label, sample_weight)
    if rankings.batch:
        shapes = f"the shapes are {rankings.positive.shape} and {rankings.score.shape}"
        raise InvalidValueError(f"y_true and y_score must have the shape (n,) for {function}, but {shapes}")
    ((_, counts),) = threshold_counts(rankings._replace(batch=(1,)), thresholds=True)
    if not (counts.tp[-1] > 0 and counts.fp[-1] > 0):
        raise InvalidValueError(f"y_true must hold positive and negative instances for {function}, not one class alone")
    return counts


def _of_keys(keys: AnyArray, *, corners: bool) -> ThresholdCounts:
    """Sort the keys themselves, which is faster than sorting their positions; positive instances have odd keys."""
    keys.sort(axis=-1)
    if corners and not np.equal(keys[:, 1:] ^ keys[:, :-1], 1).any():  # no tie of cases of both classes
        return _corners_of_keys(keys)
    decreasing = keys[:, ::-1]
    ends = np.ones(keys.shape, dtype=bool)
    np.greater(decreasing[:, 1:] ^ decreasing[:, :-1], 1, out=ends[:, :-1])
    tp = np.cumsum(decreasing & np.uint64(1), axis=-1, dtype=np.float64)
    return _with_starts(tp, np.arange(1.0, keys.shape[-1] + 1) - tp, ends, None)


def _corners_of_keys(keys: AnyArray) -> ThresholdCounts:
    """Return the counts between a positive and a next negative instance, from keys in ascending order."""
    m, n = keys.shape
    case = np.flatnonzero((keys[:, ::-1].astype(np.uint8) & 1).view(bool))  # of both classes: the positive ones
    row, place = np.divmod(case, n)
    first = row.searchsorted(np.arange(m + 1))
    ends = np.ones(len(case), dtype=bool)
    np.not_equal(np.diff(case), 1, out=ends[:-1])
    ends[first[1:][first[1:] > 0] - 1] = True
    corner = np.flatnonzero(ends)
    row, place = row.take(corner), place.take(corner)
    n_corners = np.diff(row.searchsorted(np.arange(m + 1)))
    tp = corner + 1 - first.take(row)
    # each ranking begins at no case and ends at all cases, where its last corner may stand already
    last = row.searchsorted(np.arange(1, m + 1)) - 1
    is_whole = n_corners > 0
    is_whole[is_whole] = place[last[is_whole]] == n - 1
    sizes = n_corners + 2 - is_whole
    starts = np.cumsum(sizes) - sizes
    counts = np.zeros((2, int(sizes.sum())))
    at = np.arange(len(corner)) + (starts + 1 - (np.cumsum(n_corners) - n_corners)).take(row)
    counts[0, at], counts[1, at] = tp, place + 1 - tp
    ends_of_rows = starts + sizes - 1
    counts[0, ends_of_rows] = n_positive = np.diff(first)
    counts[1, ends_of_rows] = n - n_positive
    return ThresholdCounts(counts[0], counts[1], starts, None)


def _of_scores(positive: BoolArray, score: FloatArray, weight: FloatArray | None) -> ThresholdCounts:
    order = np.argsort(-score, axis=-1, kind="stable")
    positive, score = np.take_along_axis(positive, order, axis=-1), np.take_along_axis(score, order, axis=-1)
    one = 1.0 if weight is None else np.take_along_axis(weight, order, axis=-1)
    ends = np.ones(score.shape, dtype=bool)
    np.not_equal(score[:, 1:], score[:, :-1], out=ends[:, :-1])
    tp, fp = (np.cumsum(one * which, axis=-1, dtype=np.float64) for which in (positive, ~positive))
    counts = _with_starts(tp, fp, ends, score)
    if weight is None:
        return counts
    adds = np.append(True, (np.diff(counts.tp) != 0) | (np.diff(counts.fp) != 0))
    adds[counts.starts] = True
    return counts.kept(adds)


def _with_starts(tp: FloatArray, fp: FloatArray, ends: BoolArray, score: FloatArray | None) -> ThresholdCounts:
    column = np.zeros((len(tp), 1))
    every = np.hstack([column == 0, ends])
    flat = np.flatnonzero(every)
    n_ends = np.count_nonzero(every, axis=-1)
    tp, fp = (np.hstack([column, part]).take(flat) for part in (tp, fp))
    threshold = None if score is None else np.hstack([column + math.inf, score]).take(flat)
    return ThresholdCounts(tp, fp, np.cumsum(n_ends) - n_ends, threshold)
