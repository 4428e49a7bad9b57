from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from evalstats.adjustment.exhaustive_sets import best_bottlenecks, most_true, ranked
from evalstats.adjustment.interval_hypotheses import (
    along_the_line,
    most_true_on_line,
    most_true_with_pair,
    order_on_a_line,
)


def on_line(places: list[float]) -> np.ndarray:
    distance = np.abs(np.subtract.outer(places, places))
    return np.exp(-(distance**1.5))


def shuffled(matrix: np.ndarray, seed: int) -> np.ndarray:
    order = np.random.default_rng(seed).permutation(len(matrix))
    return matrix[np.ix_(order, order)]


def test_only_an_order_in_which_no_pvalue_grows_is_a_line() -> None:
    p = on_line([0, 1, 2.5])

    assert along_the_line(p, np.array([0, 1, 2])) is not None
    assert along_the_line(p, np.array([2, 1, 0])) is not None
    assert along_the_line(p, np.array([1, 0, 2])) is None


def test_rounding_is_no_reason_to_refuse() -> None:
    """The larger interval takes the smaller p-value, which differs in the last digit."""
    p = on_line([0, 1, 1])
    p[0, 2] = p[2, 0] = np.nextafter(p[0, 1], 1)

    line = along_the_line(p, np.arange(3))

    assert line is not None
    assert line[0, 2] == p[0, 1]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "places",
    [
        [0, 1, 3, 4.5, 9, 9.1],
        [0, 0, 0, 0],
        [0, 0, 5, 5, 10, 10],
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        [0, 0.1, 0.3, 1000, 1000.2, 1000.25, 2000, 2000.1, 2000.3],
        [0, 2],
    ],
)
def test_line_is_found_in_any_order(places: list[float], seed: int) -> None:
    """Ties, equal steps, and groups so far apart that the p-values between them are all 0."""
    p = shuffled(on_line(places), seed)

    order = order_on_a_line(p)

    assert order is not None
    assert sorted(order.tolist()) == list(range(len(places)))
    assert along_the_line(p, order) is not None


@pytest.mark.parametrize("seed", range(5))
def test_line_is_not_found_where_there_is_none(seed: int) -> None:
    p = np.random.default_rng(seed).random((6, 6))
    p = np.triu(p, 1) + np.triu(p, 1).T
    orders = (np.array(order) for order in itertools.permutations(range(6)))
    there_is_none = all(along_the_line(p, order) is None for order in orders)

    assert there_is_none
    assert order_on_a_line(p) is None


@pytest.mark.parametrize("seed", range(10))
def test_most_true_hypotheses_are_those_of_all_partitions(seed: int) -> None:
    places = np.sort(np.random.default_rng(seed).random(2 + seed) * 5)
    values, codes = ranked(on_line(list(places)))

    expected = most_true(best_bottlenecks(codes.astype(np.uint8)), len(values))

    np.testing.assert_array_equal(most_true_on_line(codes), expected)


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    if not items:
        yield []
        return
    first, *others = items
    for rest in partitions(others):
        yield [[first], *rest]
        yield from ([*rest[:at], [first, *block], *rest[at + 1 :]] for at, block in enumerate(rest))


@pytest.mark.parametrize("seed", range(12))
def test_most_true_hypotheses_with_a_pair_are_those_of_all_partitions(seed: int) -> None:
    k = 3 + seed % 4
    values, codes = ranked(on_line(list(np.sort(np.random.default_rng(seed).random(k) * 5))))
    expected = np.zeros((k, k))
    for blocks in partitions(list(range(k))):
        pairs = [pair for block in blocks for pair in itertools.combinations(block, 2)]
        for pair in pairs:
            reached = min(int(codes[one]) for one in pairs)  # thresholds that all of them reach
            if reached:
                expected[pair] = max(expected[pair], values[reached - 1] * len(pairs))

    found = most_true_with_pair(codes, values)

    np.testing.assert_allclose(np.triu(found, 1), np.triu(expected, 1), rtol=1e-14)
