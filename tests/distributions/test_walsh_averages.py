"""Walsh averages by forming them all, and by searching where they are too many."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from evalstats.distributions import walsh_averages


def formed(d: np.ndarray) -> np.ndarray:
    """Literal definition: all (d_i + d_j) / 2 with i <= j."""
    return np.sort([(a + b) / 2 for a, b in itertools.combinations_with_replacement(d, 2)])


def test_median_by_hand() -> None:
    """Of 1, 2, 4 the averages are 1, 1.5, 2, 2.5, 3, 4."""
    assert walsh_averages.median(np.array([1.0, 2.0, 4.0])) == 2.25


def test_nothing_has_the_median_zero() -> None:
    assert walsh_averages.median(np.empty(0)) == 0


@pytest.mark.parametrize("n", [1, 2, 5, 60])
def test_every_average_is_found_at_its_place(n: int) -> None:
    d = np.sort(np.random.default_rng(n).normal(size=n).round(1))
    expected = formed(d)

    assert walsh_averages.averages(d, list(range(1, expected.size + 1))) == pytest.approx(expected.tolist(), abs=1e-15)


@pytest.mark.parametrize("n", [walsh_averages.SORTED_UP_TO + 1, 1500])
@pytest.mark.parametrize("kind", ["continuous", "tied", "wild"])
def test_averages_are_found_without_forming_them(n: int, kind: str) -> None:
    rng = np.random.default_rng(n)
    d = {
        "continuous": rng.normal(size=n),
        "tied": rng.normal(size=n).round(1),
        "wild": rng.normal(size=n) * 10.0 ** rng.integers(-20, 20, n),
    }[kind]
    half = np.sort(d) / 2
    expected = np.sort(np.add.outer(half, half)[np.triu_indices(n)])
    positions = [1, 2, expected.size // 3, expected.size // 2, expected.size]

    assert walsh_averages.averages(np.sort(d), positions) == expected[np.array(positions) - 1].tolist()
