from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from evalstats.adjustment.exhaustive_sets import (
    NO_PAIR,
    best_bottlenecks,
    block_bottlenecks,
    by_definition,
    dynamic,
    enforce_monotonicity,
    most_true,
    numbers_of_true,
    pairs_in,
    ranked,
    static,
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


def true_sets(k: int) -> list[set[tuple[int, int]]]:
    """All sets of hypotheses that can be true together: classifiers with the same label are alike."""
    return [
        {(i, j) for i, j in itertools.combinations(range(k), 2) if labels[i] == labels[j]}
        for labels in itertools.product(range(k), repeat=k)
    ]


def by_steps(matrix: np.ndarray, *, ones_with_smaller: bool) -> np.ndarray:
    """Multiply the i-th smallest by the most hypotheses that can be true when i - 1 (any, or these) are false."""
    k = len(matrix)
    pairs = sorted(itertools.combinations(range(k), 2), key=lambda pair: matrix[pair])
    adjusted, largest = np.zeros((k, k)), 0.0
    for i, pair in enumerate(pairs):
        if ones_with_smaller:
            possible = [len(s) for s in true_sets(k) if not s & set(pairs[:i])]
        else:
            possible = [len(s) for s in true_sets(k) if len(s) <= len(pairs) - i]
        largest = max(largest, max(possible) * matrix[pair])
        adjusted[pair] = adjusted[pair[::-1]] = largest
    return adjusted


def random_matrix(k: int, seed: int) -> np.ndarray:
    p = np.random.default_rng(seed).random((k, k)) ** 3
    p = np.round(p, 2) if seed % 2 else p
    return np.triu(p, 1) + np.triu(p, 1).T


def test_static_divisors_of_four_classifiers() -> None:
    """6, 3, 3, 3, 2, 1: another program has 1 in the fifth place, because two pairs need two blocks."""
    p = np.array([1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1])

    np.testing.assert_allclose(static(p, 4) / p, [6, 3, 3, 3, 2, 1], rtol=1e-14)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_procedures_are_those_of_all_true_sets(k: int, seed: int) -> None:
    matrix = random_matrix(k, seed)
    i, j = np.triu_indices(k, 1)

    np.testing.assert_allclose(static(matrix[i, j], k), by_steps(matrix, ones_with_smaller=False)[i, j], rtol=1e-14)
    np.testing.assert_allclose(
        dynamic(matrix, on_line=False)[i, j], by_steps(matrix, ones_with_smaller=True)[i, j], rtol=1e-14
    )


@pytest.mark.parametrize("k", [9, 30, 90])
def test_dynamic_of_clear_clusters(k: int) -> None:
    """Three clusters of equals far apart: once they are told apart, only pairs within a cluster can be true."""
    place = np.repeat([0.0, 10.0, 20.0], k // 3)
    p = np.exp(-np.abs(place[:, np.newaxis] - place)) / 1000

    adjusted = dynamic(p, on_line=True)

    within = 3 * (k // 3) * (k // 3 - 1) // 2
    assert adjusted[0, 1] == pytest.approx(within / 1000)
    # all hypotheses may be true when the smallest p-value is looked at
    assert adjusted[0, -1] == pytest.approx(p[0, -1] * k * (k - 1) / 2)


def exhaustive_sets(k: int) -> set[frozenset[tuple[int, int]]]:
    """All sets of hypotheses that can be true together: classifiers with the same label are alike."""
    labeled = [[0]]
    for _ in range(k - 1):
        labeled = [[*labels, new] for labels in labeled for new in range(max(labels) + 2)]
    pairs = list(itertools.combinations(range(k), 2))
    return {frozenset((i, j) for i, j in pairs if labels[i] == labels[j]) for labels in labeled} - {frozenset()}


def enumerated(matrix: np.ndarray) -> np.ndarray:
    """Go through the definition, one exhaustive set after the other."""
    adjusted = np.zeros(matrix.shape)
    for exhaustive in exhaustive_sets(len(matrix)):
        product = len(exhaustive) * min(matrix[pair] for pair in exhaustive)
        for i, j in exhaustive:
            adjusted[i, j] = adjusted[j, i] = max(adjusted[i, j], product)
    return adjusted


def pairs_of(matrix: np.ndarray) -> np.ndarray:
    return matrix[np.triu_indices(len(matrix), 1)]


# how p-values may fall with the distance on a line
SHAPES = {
    "exponential": lambda d: np.exp(-d),
    "heavy": lambda d: 1 / (1 + d),
    "normal": lambda d: np.exp(-d * d),
    "linear": lambda d: np.maximum(1 - d / 5, 0.001),
    "steps": lambda d: np.exp(-np.round(d)),
    "one step": lambda d: np.where(d < 1, 0.9, 0.01),
}


PLACES = {
    "spread": lambda rng, k: rng.random(k) * rng.choice([1, 3, 8]),
    "ties": lambda rng, k: rng.integers(0, 6, k).astype(float),
    "clusters": lambda rng, k: rng.choice([0, 2, 5], k) + rng.random(k) / 2,
}


def random_line(k: int, seed: int) -> np.ndarray:
    """P-values that never grow with the interval, without a distance behind them."""
    rng = np.random.default_rng(seed)
    p = np.ones((k, k))
    for distance in range(1, k):
        for i in range(k - distance):
            j = i + distance
            factor = rng.choice([1, 0.9, 0.5, rng.random()])
            p[i, j] = p[j, i] = min(p[i, j - 1], p[i + 1, j]) * factor
    return p


def test_three_pvalues_by_hand() -> None:
    """All three together: 3 times .01; each alone: itself."""
    matrix = np.array([[1, 0.01, 0.04], [0.01, 1, 0.03], [0.04, 0.03, 1]])

    np.testing.assert_array_equal(pairs_of(by_definition(matrix, on_line=False)), [0.03, 0.04, 0.03])


def test_running_maximum_by_hand() -> None:
    """Equal p-values are raised alike, wherever they stand."""
    adjusted, p = np.array([0.3, 0.1, 0.2, 0.6, 0.5]), np.array([0.02, 0.01, 0.02, 0.4, 0.5])

    assert enforce_monotonicity(adjusted, p).tolist() == [0.3, 0.1, 0.3, 0.6, 0.6]
    assert enforce_monotonicity(adjusted[::-1], p[::-1]).tolist() == [0.6, 0.6, 0.3, 0.1, 0.3]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7])
def test_partitions_give_the_enumerated_definition(k: int, seed: int) -> None:
    matrix = random_matrix(k, seed)

    np.testing.assert_array_equal(pairs_of(by_definition(matrix, on_line=False)), pairs_of(enumerated(matrix)))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("k", [2, 3, 5, 6, 7])
def test_line_gives_the_enumerated_definition(k: int, places: str, shape: str) -> None:
    place = np.sort(PLACES[places](np.random.default_rng(k), k))
    matrix = SHAPES[shape](np.abs(place[:, np.newaxis] - place))

    np.testing.assert_array_equal(pairs_of(by_definition(matrix, on_line=True)), pairs_of(enumerated(matrix)))


def test_line_gives_the_enumerated_definition_of_eight() -> None:
    matrix = random_line(8, 0)

    np.testing.assert_array_equal(pairs_of(by_definition(matrix, on_line=True)), pairs_of(enumerated(matrix)))


@pytest.mark.parametrize("seed", range(40))
def test_two_roads_to_one_number(seed: int) -> None:
    """The line and all partitions, on p-values that no distance gives."""
    matrix = random_line(3 + seed % 7, seed)

    np.testing.assert_array_equal(
        pairs_of(by_definition(matrix, on_line=True)), pairs_of(by_definition(matrix, on_line=False))
    )


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("places", PLACES)
def test_two_roads_to_one_number_for_eleven(places: str, shape: str) -> None:
    place = np.sort(PLACES[places](np.random.default_rng(11), 11))
    matrix = SHAPES[shape](np.abs(place[:, np.newaxis] - place))

    np.testing.assert_array_equal(
        pairs_of(by_definition(matrix, on_line=True)), pairs_of(by_definition(matrix, on_line=False))
    )


def test_thresholds_are_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = random_line(11, 5)
    whole = by_definition(matrix, on_line=True)

    monkeypatch.setattr("evalstats.adjustment.interval_hypotheses.THRESHOLDS_AT_ONCE", 4)

    np.testing.assert_array_equal(by_definition(matrix, on_line=True), whole)
