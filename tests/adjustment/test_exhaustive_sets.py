from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from evalstats.adjustment.exhaustive_sets import (
    NO_PAIR,
    best_bottlenecks,
    block_bottlenecks,
    most_true,
    numbers_of_true,
    pairs_in,
    ranked,
)

# all sizes of partitions, counted by hand
BY_HAND = {
    2: (0, 1),
    3: (0, 1, 3),
    4: (0, 1, 2, 3, 6),
    5: (0, 1, 2, 3, 4, 6, 10),
}


def partitions(members: list[int]) -> Iterator[list[list[int]]]:
    if not members:
        yield []
        return
    first, *rest = members
    for partition in partitions(rest):
        yield [[first], *partition]
        for i, block in enumerate(partition):
            yield [*partition[:i], [first, *block], *partition[i + 1 :]]


def random_codes(k: int, seed: int) -> np.ndarray:
    p = np.random.default_rng(seed).integers(1, 8, (k, k)) / 10
    return ranked(np.triu(p, 1) + np.triu(p, 1).T)[1].astype(np.uint8)


def bottleneck(partition: list[list[int]], codes: np.ndarray) -> int:
    return min((int(codes[i, j]) for block in partition for i, j in itertools.combinations(block, 2)), default=NO_PAIR)


@pytest.mark.parametrize(("k", "expected"), BY_HAND.items())
def test_numbers_of_true_hypotheses_by_hand(k: int, expected: tuple[int, ...]) -> None:
    assert numbers_of_true(k) == expected


@pytest.mark.parametrize("k", range(1, 10))
def test_numbers_of_true_hypotheses_are_those_of_all_partitions(k: int) -> None:
    sizes = {sum(pairs_in(len(block)) for block in partition) for partition in partitions(list(range(k)))}

    assert numbers_of_true(k) == tuple(sorted(sizes))


def test_ranks_are_symmetric_and_equal_for_equal_pvalues() -> None:
    values, codes = ranked(np.array([[1, 0.2, 0.1], [0.2, 1, 0.2], [0.1, 0.2, 1]]))

    assert values.tolist() == [0.1, 0.2]
    assert codes.tolist() == [[0, 2, 1], [2, 0, 2], [1, 2, 0]]


@pytest.mark.parametrize("k", [2, 3, 6])
def test_bottlenecks_of_all_sets_of_classifiers(k: int) -> None:
    codes = random_codes(k, k)
    blocks = block_bottlenecks(codes)

    for subset in range(2**k):
        assert blocks[subset] == bottleneck([[i for i in range(k) if subset >> i & 1]], codes)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_best_bottlenecks_are_those_of_all_partitions(k: int) -> None:
    codes = random_codes(k, 10 + k)
    expected = np.zeros((2**k, pairs_in(k) + 1), dtype=int)
    for subset in range(2**k):
        for partition in partitions([i for i in range(k) if subset >> i & 1]):
            n = sum(pairs_in(len(block)) for block in partition)
            expected[subset, n] = max(expected[subset, n], bottleneck(partition, codes))

    np.testing.assert_array_equal(best_bottlenecks(codes), expected)


def test_most_true_hypotheses_for_each_threshold() -> None:
    """A and B, with C and D apart from both, and less alike: with the larger threshold only one pair is left."""
    p = np.array([[0, 0.9, 0.1, 0.1], [0.9, 0, 0.1, 0.1], [0.1, 0.1, 0, 0.5], [0.1, 0.1, 0.5, 0]])
    values, codes = ranked(p)

    assert most_true(best_bottlenecks(codes.astype(np.uint8)), len(values)).tolist() == [6, 2, 1]
