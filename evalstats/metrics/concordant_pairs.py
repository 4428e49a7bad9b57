"""Number of correctly ordered pairs of a positive and a negative instance, in each of many rankings."""

from __future__ import annotations

__all__ = ["ordered_keys", "pairs_in_order"]

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import BLOCK
from evalstats.metrics.ranking_input import Folds, Rankings

KeyArray = NDArray[np.uint64]

# rows this long have rank sums that are exact in single precision
LONGEST_SINGLE = 5000
# a negative case above every score: it fills up rows and changes no pair
FILLER = np.uint64(2**64 - 2)
# folds of one size are scored together if there are so many of them for each size, else sizes are rounded up
FOLDS_OF_A_SIZE = 64


def pairs_in_order(rankings: Rankings) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the correctly ordered pairs (ties count half), positive instances, and all instances."""
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
    """Score the folds of all rows that have the same folds, with the other axes in front."""
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
    """Yield indexes of folds, the positions of their instances in rows of one length, and unused positions."""
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
    """Yield indexes of nonempty folds, and the length of the rows into which they fit."""
    filled = np.flatnonzero(sizes)
    widths = sizes[filled]
    if len(np.unique(widths)) * FOLDS_OF_A_SIZE > len(widths):
        unit = 2 ** np.maximum(np.log2(widths).astype(np.intp) - 3, 0)
        widths = -(-widths // unit) * unit
    order = np.argsort(widths, kind="stable")
    distinct, first = np.unique(widths[order], return_index=True)
    yield from zip(np.split(filled[order], first[1:]), distinct.tolist(), strict=True)


def ordered_keys(score: AnyArray, positive: BoolArray) -> KeyArray:
    """Return integers in the order of the scores; the lowest bit is the class, and ties agree in the other bits."""
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
    """Return numbers between -1 and 1 in the same order and with the same ties: their bits leave one bit free."""
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
    """Return, for each row, the correctly ordered pairs (ties count half) and the positive instances.

    Sorting puts the negative instances of a tie below the positive instances. The rank sum of the positive instances
    then counts each tied pair fully, and half of these pairs is subtracted.
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
