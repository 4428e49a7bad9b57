"""Counts in each of many rankings: instances that pass each threshold, and correctly ordered pairs."""

from __future__ import annotations

__all__ = ["ThresholdCounts", "counts_of_one", "pairs_in_order", "threshold_counts"]

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalstats._errors import InvalidValueError
from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import BLOCK, Index
from evalstats.metrics.score_input import Folds, Rankings, understand_rankings


class ThresholdCounts(NamedTuple):
    """Weights of the positive and negative instances whose score is at least each distinct score, ranking by ranking.

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
        """Return the chosen thresholds, which must include the first threshold of each ranking."""
        places = np.flatnonzero(keep)
        threshold = None if self.threshold is None else self.threshold.take(places)
        return ThresholdCounts(self.tp.take(places), self.fp.take(places), places.searchsorted(self.starts), threshold)


def threshold_counts(
    rankings: Rankings, *, thresholds: bool = False, corners: bool = False
) -> Iterator[tuple[Index, ThresholdCounts]]:
    """Yield blocks of the batch with the counts of their rankings and, with `thresholds`, the scores.

    A threshold that no additional weight passes is left out. With `corners`, a threshold is also left out if only
    instances of the same class are added before and after it. A metric that increases with each positive instance and
    decreases with each negative instance never has its maximum at such a threshold.
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
    """Return the counts of one problem with instances of both classes. `function` names the caller in messages."""
    rankings = understand_rankings(y_true, y_score, pos_label, sample_weight)
    if rankings.batch:
        shapes = f"the shapes are {rankings.positive.shape} and {rankings.score.shape}"
        raise InvalidValueError(f"y_true and y_score must have the shape (n,) for {function}, but {shapes}")
    ((_, counts),) = threshold_counts(rankings._replace(batch=(1,)), thresholds=True)
    if not (counts.tp[-1] > 0 and counts.fp[-1] > 0):
        raise InvalidValueError(f"y_true must hold positive and negative instances for {function}, not only one class")
    return counts


def _of_keys(keys: AnyArray, *, corners: bool) -> ThresholdCounts:
    """Sort scores as integer keys. Positive instances have odd keys."""
    keys.sort(axis=-1)
    if corners and not np.equal(keys[:, 1:] ^ keys[:, :-1], 1).any():  # instances of both classes are not tied
        return _corners_of_keys(keys)
    decreasing = keys[:, ::-1]
    ends = np.ones(keys.shape, dtype=bool)
    np.greater(decreasing[:, 1:] ^ decreasing[:, :-1], 1, out=ends[:, :-1])
    tp = np.cumsum(decreasing & np.uint64(1), axis=-1, dtype=np.float64)
    return _with_starts(tp, np.arange(1.0, keys.shape[-1] + 1) - tp, ends, None)


def _corners_of_keys(keys: AnyArray) -> ThresholdCounts:
    """Return the cumulative counts at the corners of the curve, from keys in ascending order."""
    m, n = keys.shape
    case = np.flatnonzero((keys[:, ::-1].astype(np.uint8) & 1).view(bool))  # positions of the positive instances
    row, place = np.divmod(case, n)
    first = row.searchsorted(np.arange(m + 1))
    ends = np.ones(len(case), dtype=bool)
    np.not_equal(np.diff(case), 1, out=ends[:-1])
    ends[first[1:][first[1:] > 0] - 1] = True
    corner = np.flatnonzero(ends)
    row, place = row.take(corner), place.take(corner)
    n_corners = np.diff(row.searchsorted(np.arange(m + 1)))
    tp = corner + 1 - first.take(row)
    # each ranking begins with no instance and ends with all instances, where its last corner may already be
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


# --- correctly ordered pairs ------------------------------------------------------------------------------------------


KeyArray = NDArray[np.uint64]

# up to this row length, rank sums are exact in single precision
LONGEST_SINGLE = 5000
# a negative instance of padding, which does not change the count of pairs
FILLER = np.uint64(2**64 - 2)
# if each size has at least this number of folds, folds of one size are scored together; else sizes are rounded up
FOLDS_OF_A_SIZE = 64


def pairs_in_order(rankings: Rankings) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the numbers of correctly ordered pairs (ties count half), of positive instances, and of all instances."""
    if rankings.folds is None:
        return _pairs_of_rows(rankings)
    return _pairs_of_folds(rankings, rankings.folds)


def _pairs_of_rows(rankings: Rankings) -> tuple[FloatArray, FloatArray, FloatArray]:
    n = rankings.positive.shape[-1]
    shape = (*rankings.batch, n)
    score, positive = np.broadcast_to(rankings.score, shape), np.broadcast_to(rankings.positive, shape)
    pairs, n_positive = np.empty(rankings.batch), np.empty(rankings.batch)
    for block in classes.blocks(shape, n):
        rows = block[:-1]
        keys = ordered_keys(score[rows].reshape(-1, n), positive[rows].reshape(-1, n))
        scored = _pairs_of_keys(keys)
        target = pairs[rows].shape
        pairs[rows], n_positive[rows] = (part.reshape(target) for part in scored)
    return pairs, n_positive, np.full(rankings.batch, float(n))


def _pairs_of_folds(rankings: Rankings, folds: Folds) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Count the ordered pairs of each fold, for rows that have the same folds."""
    shape = (*rankings.batch, folds.shape[-1])
    own = (1,) * (len(shape) - len(folds.shape)) + folds.shape
    shared = [j for j in range(len(shape) - 1) if own[j] == 1]
    axes = shared + [j for j in range(len(shape) - 1) if own[j] > 1] + [len(shape) - 1]
    score, positive = (np.broadcast_to(a, shape).transpose(axes) for a in (rankings.score, rankings.positive))
    outer = tuple(shape[j] for j in shared)
    rows = [(row, score[row].reshape(-1), positive[row].reshape(-1)) for row in np.ndindex(outer)]
    pairs, n_positive = np.zeros((*outer, len(folds.sizes))), np.zeros((*outer, len(folds.sizes)))
    for some, cases, filler in _fold_blocks(folds):
        for row, row_score, row_positive in rows:
            keys = ordered_keys(row_score.take(cases), row_positive.take(cases))
            if filler is not None:
                keys[filler] = FILLER
            pairs[row][some], n_positive[row][some] = _pairs_of_keys(keys)
    moved = (*(shape[j] for j in axes[:-1]), len(folds.names))
    back = (*np.argsort(axes[:-1]), len(shape) - 1)
    n = np.broadcast_to(folds.sizes.astype(np.float64), pairs.shape)
    answer = tuple(part.reshape(moved).transpose(back) for part in (pairs, n_positive, n))
    return answer[0], answer[1], answer[2]


def _fold_blocks(folds: Folds) -> Iterator[tuple[IndexArray, IndexArray, BoolArray | None]]:
    """Yield folds with the positions of their instances, padded to rows of equal length, and the padded positions."""
    for which, width in _of_like_size(folds.sizes):
        step = max(1, BLOCK // width)
        for i in range(0, len(which), step):
            some = which[i : i + step]
            starts, sizes = folds.starts[some, None], folds.sizes[some, None]
            offsets = np.arange(width)
            filler = offsets >= sizes if (sizes < width).any() else None
            places = starts + (offsets if filler is None else np.minimum(offsets, sizes - 1))
            yield some, places if folds.order is None else folds.order.take(places), filler


def _of_like_size(sizes: IndexArray) -> Iterator[tuple[IndexArray, int]]:
    """Yield groups of nonempty folds of similar size, and the row length that fits all folds of the group."""
    filled = np.flatnonzero(sizes)
    widths = sizes[filled]
    if len(np.unique(widths)) * FOLDS_OF_A_SIZE > len(widths):
        unit = 2 ** np.maximum(np.log2(widths).astype(np.intp) - 3, 0)
        widths = -(-widths // unit) * unit
    order = np.argsort(widths, kind="stable")
    distinct, first = np.unique(widths[order], return_index=True)
    yield from zip(np.split(filled[order], first[1:]), distinct.tolist(), strict=True)


def ordered_keys(score: AnyArray, positive: BoolArray) -> KeyArray:
    """Return integers whose order is the order of the scores. The lowest bit is the class. Ties agree in the rest."""
    values = np.add(score, 0.0, dtype=np.float64)  # no negative zero
    if values.min() >= 0:
        keys = values.view(np.uint64)
    else:
        bits = _within_one(values).view(np.int64)
        bits ^= (bits >> 63) & (2**63 - 1)
        bits += 2**62
        keys = bits.view(np.uint64)
    keys <<= np.uint64(1)
    keys |= positive
    return keys


def _within_one(values: FloatArray) -> FloatArray:
    """Map numbers to the range -1 to 1 with the same order and ties. One bit of each float is then unused."""
    largest = max(float(values.max()), -float(values.min()))
    if largest <= 1:
        return values
    scaled: FloatArray = values * 2.0 ** -math.frexp(largest)[1]
    rounded = np.abs(scaled) < np.finfo(np.float64).smallest_normal
    if values[rounded].any():
        distinct, rank = np.unique(values, return_inverse=True)
        return rank.reshape(values.shape) / len(distinct)
    return scaled


def _pairs_of_keys(keys: KeyArray) -> tuple[FloatArray, FloatArray]:
    """Return, for each row, the numbers of correctly ordered pairs (ties count half) and of positive instances.

    Sorting puts the negative instances of a tie below the positive instances. The rank sum of the positive instances
    then counts each tied pair as 1, so half of the number of tied pairs is subtracted.
    """
    keys.sort(axis=-1)
    n = keys.shape[-1]
    dtype = np.float32 if n <= LONGEST_SINGLE else np.float64
    positive: AnyArray = (keys.astype(np.uint8) & 1).astype(dtype)
    place: AnyArray = np.arange(n, dtype=np.float64).astype(dtype)
    n_positive: FloatArray = positive.sum(axis=-1).astype(np.float64)
    rank_sum: FloatArray = np.einsum("ij,j->i", positive, place).astype(np.float64)
    return rank_sum - n_positive * (n_positive - 1) / 2 - _tied_pairs(keys) / 2, n_positive


def _tied_pairs(keys: KeyArray) -> FloatArray | float:
    """Count the pairs of a positive and a negative instance with equal scores, in each sorted row."""
    change = keys[:, 1:] ^ keys[:, :-1]
    from_negative = np.zeros(keys.shape, dtype=bool)
    np.equal(change, 1, out=from_negative[:, 1:])
    if not from_negative.any():
        return 0.0
    new = np.ones(keys.shape, dtype=bool)
    np.not_equal(change, 0, out=new[:, 1:])
    starts = np.flatnonzero(new)
    lengths = np.diff(starts, append=keys.size)
    second = np.flatnonzero(from_negative.ravel()[starts])
    tied = (lengths[second] * lengths[second - 1]).astype(np.float64)
    return np.bincount(starts[second] // keys.shape[1], tied, len(keys)).astype(np.float64, copy=False)
