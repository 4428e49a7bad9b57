from __future__ import annotations

import itertools

import numpy as np
import pytest

from evalstats.adjustment.shaffer import dynamic, static


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
