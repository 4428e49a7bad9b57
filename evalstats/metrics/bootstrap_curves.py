"""Bootstrap of the heights of a curve at given points."""

from __future__ import annotations

__all__ = [
    "HEIGHTS",
    "Ranked",
    "cost_heights",
    "gain_heights",
    "lift_heights",
    "own_heights",
    "precision_heights",
    "redrawn_heights",
    "tpr_heights",
]

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.metrics.curves import hull_counts
from evalstats.metrics.threshold_counts import ThresholdCounts

# weights of cases that are drawn at a time
_AT_ONCE = 1 << 21
_ROUNDING = 1e-12
_SMALLEST_SHARE = 1e-9


class Ranked(NamedTuple):
    """Weights of the positive and negative instances with at least each distinct score: (m, n_scores)."""

    tp: FloatArray
    fp: FloatArray


def redrawn_heights(
    positive: BoolArray,
    scores: FloatArray,
    read: Callable[[Ranked, FloatArray], FloatArray],
    grid: FloatArray,
    *,
    n_resamples: int,
    generator: np.random.Generator,
) -> FloatArray:
    """Return bootstrap heights of the curves of k classifiers at a grid, (k, n_draws, n_points).

    `read` returns the heights of the curves of several bootstrap samples at the grid, (m, n_points). All classifiers
    share the samples. A sample without an instance of either class has no curve and is left out.
    """
    k, n = scores.shape
    orders = [np.argsort(-own, kind="stable") for own in scores]
    ends = [_ends(own[order]) for own, order in zip(scores, orders, strict=True)]
    heights: list[list[FloatArray]] = [[] for _ in range(k)]
    step = max(1, _AT_ONCE // n)
    for start in range(0, n_resamples, step):
        weights = generator.multinomial(n, np.full(n, 1 / n), size=min(step, n_resamples - start))
        n_positive = weights[:, positive].sum(axis=1)
        weights = weights[(n_positive > 0) & (n_positive < n)]
        for own, order, last in zip(heights, orders, ends, strict=True):
            own.append(read(_ranked(weights, positive, order, last), grid))
    return np.array([np.concatenate(own) for own in heights])


def own_heights(
    positive: BoolArray, score: FloatArray, read: Callable[[Ranked, FloatArray], FloatArray], grid: FloatArray
) -> FloatArray:
    """Return the height of the curve of the original instances."""
    order = np.argsort(-score, kind="stable")
    once = np.ones((1, len(score)), dtype=np.int64)
    height: FloatArray = read(_ranked(once, positive, order, _ends(score[order])), grid)[0]
    return height


def tpr_heights(drawn: Ranked, fpr: FloatArray) -> FloatArray:
    """Read true positive rates at false positive rates; the curve is straight between two thresholds."""
    return _straight_heights(drawn.fp, drawn.tp, fpr)


def precision_heights(drawn: Ranked, recall: FloatArray) -> FloatArray:
    """Read the precision at the highest threshold that reaches each recall."""
    reached = drawn.tp / drawn.tp[:, -1:]
    precision = drawn.tp / np.maximum(drawn.tp + drawn.fp, 1)
    at = np.array([np.searchsorted(own, recall * (1 - _ROUNDING)) for own in reached]).reshape(len(reached), -1)
    has_none = (drawn.tp + drawn.fp == 0) | (drawn.tp == 0)
    # at recall 0 the first threshold that finds a positive case
    first = np.argmax(~has_none, axis=1)[:, None]
    return np.take_along_axis(precision, np.maximum(at, first), axis=1)


def cost_heights(drawn: Ranked, x: FloatArray) -> FloatArray:
    """Return the cost of the best threshold of each sample: straight between the corners of its convex hull."""
    m, n = drawn.tp.shape
    start = np.zeros((m, 1))
    tpr, fpr = (np.hstack([start, part / part[:, -1:]]).ravel() for part in (drawn.tp, drawn.fp))
    points = ThresholdCounts(tpr, fpr, np.arange(m) * (n + 1), None)
    adds = np.append(True, (np.diff(tpr) != 0) | (np.diff(fpr) != 0))
    adds[points.starts] = True
    hull = hull_counts(points.kept(adds))
    heights = np.empty((m, len(x)))
    for i, (first, last) in enumerate(zip(hull.starts, hull.lasts, strict=True)):
        own_tpr, own_fpr = hull.tp[first : last + 1], hull.fp[first : last + 1]
        equal = np.append(0.0, np.diff(own_fpr) / (np.diff(own_fpr) + np.diff(own_tpr)))
        cost = own_fpr * (1 - equal) + (1 - own_tpr) * equal
        heights[i] = np.interp(x, np.append(equal, 1.0), np.append(cost, 1 - own_tpr[-1]))
    return heights


def gain_heights(drawn: Ranked, share: FloatArray) -> FloatArray:
    """Read the gain at proportions of the instances; instances of equal score are in random order."""
    return _straight_heights(drawn.tp + drawn.fp, drawn.tp, share)


def lift_heights(drawn: Ranked, share: FloatArray) -> FloatArray:
    """Read the lift; at proportion 0, it is the lift of the smallest proportion above."""
    above = np.where(share > 0, share, _SMALLEST_SHARE)
    lift: FloatArray = gain_heights(drawn, above) / above
    return lift


def _straight_heights(passed: FloatArray, found: FloatArray, at: FloatArray) -> FloatArray:
    """Read resampled curves at given proportions, straight between two thresholds."""
    start = np.zeros((len(passed), 1))
    x, y = (np.hstack([start, part / part[:, -1:]]) for part in (passed, found))
    heights = [np.interp(at, own_x, own_y) for own_x, own_y in zip(x, y, strict=True)]
    return np.array(heights).reshape(len(passed), len(at))


def _ranked(weights: AnyArray, positive: BoolArray, order: IndexArray, last: IndexArray) -> Ranked:
    here, is_positive = weights[:, order], positive[order]
    tp, fp = (np.cumsum(here * which, axis=1)[:, last] for which in (is_positive, ~is_positive))
    return Ranked(tp, fp)


def _ends(decreasing: FloatArray) -> IndexArray:
    """Return the position of the last instance of each distinct score."""
    return np.flatnonzero(np.append(decreasing[1:] != decreasing[:-1], True))


# what each curve is called, and how its heights are read
HEIGHTS: dict[str, Callable[[Ranked, FloatArray], FloatArray]] = {
    "cost": cost_heights,
    "roc": tpr_heights,
    "precision-recall": precision_heights,
    "gain": gain_heights,
    "lift": lift_heights,
}
