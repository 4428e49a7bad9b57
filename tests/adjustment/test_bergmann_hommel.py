from __future__ import annotations

import itertools

import numpy as np
import pytest

from evalstats.adjustment.bergmann_hommel import by_definition, running_maximum


def exhaustive_sets(k: int) -> set[frozenset[tuple[int, int]]]:
    """All sets of hypotheses that can be true together: classifiers with the same label are alike."""
    labelled = [[0]]
    for _ in range(k - 1):
        labelled = [[*labels, new] for labels in labelled for new in range(max(labels) + 2)]
    pairs = list(itertools.combinations(range(k), 2))
    return {frozenset((i, j) for i, j in pairs if labels[i] == labels[j]) for labels in labelled} - {frozenset()}


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


def random_matrix(k: int, seed: int) -> np.ndarray:
    p = np.random.default_rng(seed).random((k, k)) ** 3
    p = np.round(p, 2) if seed % 2 else p
    return np.triu(p, 1) + np.triu(p, 1).T


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

    assert running_maximum(adjusted, p).tolist() == [0.3, 0.1, 0.3, 0.6, 0.6]
    assert running_maximum(adjusted[::-1], p[::-1]).tolist() == [0.6, 0.6, 0.3, 0.1, 0.3]


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
