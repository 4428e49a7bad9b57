"""Where in a plane do points lie whose distances are given? Along a tree, by scaling, by principal components."""

from __future__ import annotations

__all__ = ["classical_scaling", "place_by_tree", "principal_components", "spanning_tree"]

import numpy as np

from evalstats._types import FloatArray, IntArray

# a side of a line is chosen only if it is better by more than this share
_CLEARLY = 1e-9


def spanning_tree(d: FloatArray, root: int) -> IntArray:
    """Return the edges of a minimum-cost spanning tree, each as (the point that is there, the next one), by Prim.

    scipy's minimum_spanning_tree takes a distance of 0 for a missing edge, and tells no order from a root.
    """
    n = len(d)
    waiting = np.ones(n, dtype=bool)
    waiting[root] = False
    nearest, parent = d[root].copy(), np.full(n, root)
    edges = []
    while waiting.any():
        new = int(np.argmin(np.where(waiting, nearest, np.inf)))
        edges.append((int(parent[new]), new))
        waiting[new] = False
        closer = waiting & (d[new] < nearest)
        nearest[closer], parent[closer] = d[new][closer], new
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def place_by_tree(d: FloatArray, tree: IntArray, from_folds: FloatArray | None) -> tuple[FloatArray, FloatArray | None]:
    """Place the points in the order of the tree, the last one, which is its root, at (0, 0).

    Each point keeps two distances exactly: to the root, and to its neighbour in the tree or, of a neighbour of the
    root, to the nearest point that is there (Lee, Slagle & Blum, 1977, with the root as the second reference of all).
    Every distance to the root is kept, so the triangle of each new point is one of the given distances, and closes if
    they are a metric; where it does not, the distance to the root is kept. Of two places the one is taken that keeps
    all other distances better.
    """
    root = len(d) - 1
    points, placed = np.zeros((len(d), 2)), [root]
    for parent, new in tree.tolist():
        there = np.array(placed)
        points[new] = _place(d[new, there], points[there], d[there, root], there.tolist().index(parent))
        placed.append(new)
    if from_folds is None:
        return points, None
    n_folds = len(from_folds) // root
    from_root = d[:, root]
    order = np.r_[root, :root]
    clouds = [_place(row[order], points[order], from_root[order], 1 + i // n_folds) for i, row in enumerate(from_folds)]
    return points, np.array(clouds).reshape(-1, 2)


def _place(to: FloatArray, points: FloatArray, radii: FloatArray, beside: int) -> FloatArray:
    """Place a point by its distances `to` points of which the first is the root, and which have given `radii`."""
    own = to[0]
    if radii[beside] == 0:
        away = np.where(radii > 0, to, np.inf)
        if not np.isfinite(away).any():
            return np.array([own, 0.0])
        beside = int(np.argmin(away))
    if own == 0:
        return np.zeros(2)
    radius = radii[beside]
    unit = points[beside] / radius
    # the share of `own` along the line from the root to the other point: the law of cosines, without overflow
    along = np.clip((own / radius + radius / own - (to[beside] / radius) * (to[beside] / own)) / 2, -1.0, 1.0)
    across = np.sqrt((1 - along) * (1 + along)) * np.array([-unit[1], unit[0]])
    left, right = own * (along * unit + across), own * (along * unit - across)
    lost_left, lost_right = (((np.hypot(*(points - at).T) - to) ** 2).sum() for at in (left, right))
    return np.asarray(right if lost_right < lost_left * (1 - _CLEARLY) else left)


def classical_scaling(d: FloatArray, from_folds: FloatArray | None) -> tuple[FloatArray, FloatArray | None]:
    """Return the points of classical multidimensional scaling (Torgerson, 1952), moved so that the last is (0, 0).

    Points of folds are added by Gower's formula (1968), which moves no other point.
    """
    size = float(d.max(initial=0.0)) or 1.0
    squares = (d / size) ** 2
    means = squares.mean(axis=1)
    centred = -(squares - means - means[:, None] + means.mean()) / 2
    values, vectors = np.linalg.eigh(centred)
    first = np.argsort(values)[::-1][:2]
    values, vectors = np.maximum(values[first], 0.0), vectors[:, first] * _signs(vectors[:, first])
    real = values > 1e-12
    axes = np.where(real, vectors * np.sqrt(values), 0.0)
    points = _two_columns(axes)
    clouds = None
    if from_folds is not None:
        off = means - (from_folds / size) ** 2
        weights = np.where(real, vectors / np.sqrt(np.where(real, values, 1.0)), 0.0)
        clouds = size * (_two_columns(off @ weights / 2) - points[-1])
    return size * (points - points[-1]), clouds


def principal_components(vectors: FloatArray, folds: FloatArray | None) -> tuple[FloatArray, FloatArray | None]:
    """Return the first two principal components, moved so that the last point is (0, 0)."""
    size = float(np.abs(vectors).max(initial=0.0)) or 1.0
    scaled = vectors / size
    left, values, right = np.linalg.svd(scaled - scaled.mean(axis=0), full_matrices=False)
    axes = (right[:2].T * _signs(left[:, :2])) * (values[:2] > 1e-12 * max(values[0], 1e-300))
    axes = _two_columns(axes)

    def projected(rows: FloatArray) -> FloatArray:
        return np.asarray(size * ((rows / size - scaled[-1]) @ axes))

    return projected(vectors), None if folds is None else projected(folds)


def _signs(axes: FloatArray) -> FloatArray:
    """Return the sign of each column with which its largest entry is positive, so that pictures do not flip."""
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    return np.where(largest < 0, -1.0, 1.0)


def _two_columns(array: FloatArray) -> FloatArray:
    return np.pad(array, ((0, 0), (0, 2 - array.shape[1])))
