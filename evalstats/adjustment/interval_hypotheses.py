"""Detection of classifiers on a line, and the number of hypotheses about them that can be true together.

Classifiers are on a line if, in some order, a pair that encloses another pair never has a larger p-value. Tests that
depend only on the distance between mean ranks have this property. The page docs/reference/adjustment/pairwise.md proves
two properties. The pairs with p >= t form a unit interval graph, and exhaustive sets are partitions into its cliques.
The largest sets consist of contiguous blocks, except that the block of a given pair is the pair and one run of the
others.
"""

from __future__ import annotations

__all__ = ["along_the_line", "most_true_on_line", "most_true_with_pair", "order_on_a_line", "pairs_in"]

import numpy as np
from numpy.typing import NDArray

from evalstats._types import BoolArray, FloatArray, IntArray

CountArray = NDArray[np.int16]

# p-values of equal distances may differ by rounding
ROUNDING = 1e-12
# marks a missing partition: the sum of two such values and the pairs of 127 classifiers fits into 16 bits
NEVER = -16_000
THRESHOLDS_AT_ONCE = 2048


def pairs_in(size: int) -> int:
    """Return the number of pairs that this number of classifiers forms."""
    return size * (size - 1) // 2


def order_on_a_line(p: FloatArray) -> IntArray | None:
    """Return the classifiers in an order along which p-values never increase with the interval, if one is found.

    If the matrix has such an order, the second eigenvector of its Laplacian is monotone along the order (Atkins, Boman
    & Hendrickson 1998). Components that are connected only by the smallest value can be in any order.
    """
    codes = np.unique(p, return_inverse=True)[1].reshape(p.shape).astype(np.float64)
    order = np.array(_seriated(codes, list(range(len(p)))))
    return order if along_the_line(p, order) is not None else None


def along_the_line(p: FloatArray, order: IntArray) -> FloatArray | None:
    """Return the p-values in this order without rounding noise, or None if a p-value increases with its interval."""
    ordered = p[np.ix_(order, order)]
    np.fill_diagonal(ordered, 1.0)
    line = ordered.copy()
    for distance in range(1, len(p)):
        i = np.arange(len(p) - distance)
        shorter = np.minimum(line[i, i + distance - 1], line[i + 1, i + distance])
        line[i, i + distance] = line[i + distance, i] = np.minimum(line[i, i + distance], shorter)
    return line if (ordered - line <= ROUNDING * ordered).all() else None


def most_true_on_line(n_thresholds: IntArray) -> IntArray:
    """Return the largest number of true hypotheses for each threshold, ascending.

    n_thresholds[i, j] is the number of thresholds that the p-value of i and j reaches.
    """
    most: CountArray = _prefixes(n_thresholds, int(n_thresholds.max()))[-1]
    return most.astype(np.int64)


def most_true_with_pair(n_thresholds: IntArray, values: FloatArray) -> FloatArray:
    """Return, for each pair i < j, the largest product of a threshold and the number that can be true with the pair."""
    k = len(n_thresholds)
    largest = np.zeros((k, k))
    for start in range(0, len(values), THRESHOLDS_AT_ONCE):
        here = values[start : start + THRESHOLDS_AT_ONCE]
        reached = np.clip(n_thresholds - start, 0, len(here))
        for (i, j), number in _with_pair(reached, len(here)).items():
            largest[i, j] = np.max(here[: len(number)] * number, initial=largest[i, j])
    return largest


def _prefixes(reached: IntArray, n: int) -> CountArray:
    """Return the largest number of true hypotheses among the first 0, 1, ..., k classifiers, for n thresholds."""
    k = len(reached)
    most = np.zeros((k + 1, n), dtype=np.int16)
    for end in range(2, k + 1):
        most[end] = most[end - 1]
        for first in range(end - 1):
            c = reached[first, end - 1]
            np.maximum(most[end, :c], most[first, :c] + pairs_in(end - first), out=most[end, :c])
    return most


def _with_pair(reached: IntArray, n: int) -> dict[tuple[int, int], CountArray]:
    """Return the largest number of true hypotheses with each pair i < j, for the thresholds of its p-value."""
    k = len(reached)
    backwards = reached[::-1, ::-1]
    before, behind = _prefixes(reached, n), _prefixes(backwards, n)
    over_i = _crossing(reached, before)
    over_j = _crossing(backwards, behind)[::-1, ::-1]
    most = _in_one_interval(reached, before, behind[::-1])
    mirrored = {(k - 1 - j, k - 1 - i): number for (i, j), number in most.items()}  # the same arrays
    _cut_on_both_sides(most, reached, over_i, over_j)
    _cut_on_the_right(most, reached, before, over_j)
    _cut_on_the_right(mirrored, backwards, behind, over_i[::-1, ::-1])
    return most


def _crossing(reached: IntArray, before: CountArray) -> CountArray:
    """Return the largest number of true hypotheses among 0, ..., y without i, if the last block extends across i.

    The value is at [i, y] for y > i. [i, i] has the value for the classifiers before i.
    """
    k, n = len(reached), before.shape[1]
    most = np.full((k, k, n), NEVER, dtype=np.int16)
    for i in range(k):
        most[i, i] = before[i]
        for y in range(i + 1, k) if i else ():
            c = reached[i - 1, y]
            most[i, y] = most[i - 1, y]
            np.maximum(most[i, y, :c], before[i - 1, :c] + pairs_in(y - i + 1), out=most[i, y, :c])
    return most


def _in_one_interval(reached: IntArray, before: CountArray, behind: CountArray) -> dict[tuple[int, int], CountArray]:
    """Return the largest number of true hypotheses if the block of the pair is an interval."""
    k = len(reached)
    most: dict[tuple[int, int], CountArray] = {}
    for distance in range(k - 1, 0, -1):
        for i in range(k - distance):
            j = i + distance
            number = before[i] + behind[j + 1] + pairs_in(distance + 1)
            number = number[: reached[i, j]]
            for wider in ((i - 1, j), (i, j + 1)):
                if wider in most:
                    c = len(most[wider])
                    np.maximum(number[:c], most[wider], out=number[:c])
            most[i, j] = number
    return most


def _cut_on_both_sides(
    most: dict[tuple[int, int], CountArray], reached: IntArray, over_i: CountArray, over_j: CountArray
) -> None:
    """Maximize over blocks of i, j and the classifiers between y and z."""
    k = len(reached)
    pairs = np.array([pairs_in(size) for size in range(k + 2)], dtype=np.int16)[:, np.newaxis]
    for i in range(k - 1):
        left = np.empty((k, over_i.shape[-1]), dtype=np.int16)
        for z in range(i + 1, k):
            c = reached[i, z]
            left[z, :c] = np.max(over_i[i, i:z, :c] + pairs[2 : z - i + 2][::-1], axis=0)
        for j in range(i + 1, k):
            c = reached[i, j]
            between = slice(i + 1, j + 1)
            np.maximum(most[i, j], np.max(left[between, :c] + over_j[j, between, :c], axis=0), out=most[i, j])


def _cut_on_the_right(
    most: dict[tuple[int, int], CountArray], reached: IntArray, before: CountArray, over_j: CountArray
) -> None:
    """Maximize over blocks of j and the classifiers from a to z - 1, with a <= i < z <= j."""
    k = len(reached)
    pairs = np.array([pairs_in(size) for size in range(k + 2)], dtype=np.int16)[:, np.newaxis]
    for j in range(1, k):
        first = before[:j].copy()
        for a in range(j):
            first[a, reached[a, j] :] = NEVER
        rest = np.full(first.shape, NEVER, dtype=np.int16)
        for i in reversed(range(j)):
            c = reached[i, j]
            np.maximum(rest[: i + 1, :c], pairs[2 : i + 3][::-1] + over_j[j, i + 1, :c], out=rest[: i + 1, :c])
            np.maximum(most[i, j], np.max(first[: i + 1, :c] + rest[: i + 1, :c], axis=0), out=most[i, j])


def _seriated(codes: FloatArray, members: list[int]) -> list[int]:
    """Order the members by connected component, and within a component by the second eigenvector of the Laplacian."""
    if len(members) < 3:
        return members
    similarity = codes[np.ix_(members, members)]
    np.fill_diagonal(similarity, np.inf)
    similarity -= similarity.min()
    parts = _parts(similarity > 0)
    if len(parts) > 1:
        return [m for part in parts for m in _seriated(codes, [members[i] for i in part])]
    np.fill_diagonal(similarity, 0.0)
    position = np.linalg.eigh(np.diag(similarity.sum(axis=0)) - similarity)[1][:, 1]
    order = np.argsort(position, kind="stable")
    runs = np.split(order, np.flatnonzero(np.diff(position[order]) > 1e-9) + 1)
    return [m for run in runs for m in _seriated(codes, [members[i] for i in run])]


def _parts(linked: BoolArray) -> list[list[int]]:
    """Return the connected components of a graph."""
    left, parts = set(range(len(linked))), []
    while left:
        part, new = set(), {min(left)}
        while new:
            part |= new
            new = set(np.flatnonzero(linked[sorted(new)].any(axis=0)).tolist()) - part
        parts.append(sorted(part))
        left -= part
    return parts
