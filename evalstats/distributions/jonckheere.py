"""How many pairs of values stand in a predicted order of their groups, if the values fell into the groups at random?

Values of the same group make no pair, and a pair of equal values is half in order. Laws are those of twice the number
of pairs in order, from 0. Only positive numbers are added, so that the far tail has as many digits as the middle.
"""

from __future__ import annotations

__all__ = ["law_of_pairs", "law_of_sum", "law_work", "moments", "n_pairs"]

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from evalstats._types import FloatArray

Sizes = tuple[int, ...]  # of the groups, in the predicted order
Pattern = tuple[int, ...]  # how many values are equal, from the smallest value to the largest

A_CALL = 1e3  # additions that take as long as a call


def n_pairs(sizes: Sizes) -> int:
    """Count the pairs of values from different groups."""
    return (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2


@lru_cache(maxsize=256)
def law_of_pairs(sizes: Sizes, pattern: Pattern) -> FloatArray:
    """Return the probabilities of 0, 1, ..., 2 n_pairs: twice the number of pairs in order."""
    law = _untied(sizes) if max(pattern) == 1 else _tied(sizes, pattern)
    law.flags.writeable = False
    return law


def law_of_sum(laws: Sequence[FloatArray]) -> FloatArray:
    """Return the law of the sum of independent numbers."""
    total: FloatArray = np.ones(1)
    for law in laws:
        total = np.convolve(total, law)
    return total


def law_work(sizes: Sizes, pattern: Pattern) -> float:
    """Estimate the additions of `law_of_pairs`."""
    length = 2 * n_pairs(sizes) + 1
    if max(pattern) == 1:
        before = list(itertools.accumulate(sizes, initial=0))[:-1]
        steps = sum(m * n * (m * n + A_CALL) for m, n in zip(before, sizes, strict=True))
        return steps + sum(m * n for m, n in zip(before, sizes, strict=True)) * length
    states = math.prod(size + 1 for size in sizes)
    ways = max(math.comb(equal + len(sizes) - 1, equal) for equal in pattern)
    return float(states) * ways * (length + 10 * A_CALL)


def moments(sizes: Sizes, pattern: Pattern) -> tuple[float, float]:
    """Return the mean and the variance of the number of pairs in order; Hollander & Wolfe (1999), 6.12 and 6.19."""
    n = sum(sizes)

    def sums(counts: Sequence[int]) -> tuple[int, int, int]:
        return (
            sum(c * (c - 1) * (2 * c + 5) for c in counts),
            sum(c * (c - 1) * (c - 2) for c in counts),
            sum(c * (c - 1) for c in counts),
        )

    groups, ties = sums(sizes), sums(pattern)
    variance = (n * (n - 1) * (2 * n + 5) - groups[0] - ties[0]) / 72
    if n > 2:
        variance += groups[1] * ties[1] / (36 * n * (n - 1) * (n - 2))
    if n > 1:
        variance += groups[2] * ties[2] / (8 * n * (n - 1))
    return n_pairs(sizes) / 2, variance if len(pattern) > 1 else 0.0


def _untied(sizes: Sizes) -> FloatArray:
    """Each group is independent of the order among those before it: a sum of the numbers of Mann and Whitney."""
    before, counts = 0, [np.ones(1)]
    for size in sizes:
        counts.append(_mann_whitney(before, size))
        before += size
    law = law_of_sum(counts)
    twice = np.zeros(2 * len(law) - 1)
    twice[::2] = law
    return twice


def _mann_whitney(m: int, n: int) -> FloatArray:
    """Return the law of the number of pairs in which one of n values is larger than one of m others."""
    laws = [np.ones(1)] * (m + 1)  # of j values and i others, for every i
    for j in range(1, n + 1):
        for i in range(1, m + 1):
            law = np.zeros(i * j + 1)
            law[i:] = j / (i + j) * laws[i]  # the largest of all is one of the j: so many pairs
            law[: (i - 1) * j + 1] += i / (i + j) * laws[i - 1]
            laws[i] = law
    return laws[m]


def _tied(sizes: Sizes, pattern: Pattern) -> FloatArray:
    """Put equal values at a time into the groups, from the smallest; a state says how many each group has."""
    k, length = len(sizes), 2 * n_pairs(sizes) + 1
    laws = {(0,) * k: np.zeros(length)}
    laws[(0,) * k][0] = 1.0
    for equal in pattern:
        moved: dict[Sizes, FloatArray] = {}
        for used, law in laws.items():
            room = [size - u for size, u in zip(sizes, used, strict=True)]
            for chosen in _shares(equal, room):
                # of the values before, twice; of the equal ones, once
                gain = sum(chosen[h] * (2 * used[g] + chosen[g]) for h in range(k) for g in range(h))
                weight = math.prod(math.comb(r, c) for r, c in zip(room, chosen, strict=True)) / math.comb(
                    sum(room), equal
                )
                state = tuple(u + c for u, c in zip(used, chosen, strict=True))
                target = moved.setdefault(state, np.zeros(length))
                target[gain:] += weight * law[: length - gain]
        laws = moved
    return laws[sizes]


def _shares(n: int, room: Sequence[int]) -> Iterator[Sizes]:
    """Yield all ways to share n things out, no more to each than there is room."""
    if len(room) == 1:
        if n <= room[0]:
            yield (n,)
        return
    for first in range(min(n, room[0]) + 1):
        for others in _shares(n - first, room[1:]):
            yield (first, *others)
