"""Ratings at random on units: all arrangements, random ones, and the mean of the disagreement."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest

from evalstats._checks import random_source
from evalstats.distributions import shuffled_ratings
from evalstats.distributions.shuffled_ratings import disagreement, number_of_draws, shuffled_pvalue


def squares_of_pairs(x: np.ndarray) -> np.ndarray:
    first, second = np.triu_indices(x.shape[-1], 1)
    return ((x[..., first] - x[..., second]) ** 2).sum(axis=-1)


@cache
def _arrangements(values: tuple[float, ...], sizes: tuple[int, ...]) -> np.ndarray:
    """Return the disagreement of every order of the values."""
    ends = np.cumsum(sizes)[:-1]
    return np.array(
        [disagreement(np.split(np.array(order), ends), squares_of_pairs) for order in itertools.permutations(values)]
    )


def arrangements(values: list[float], sizes: list[int]) -> np.ndarray:
    return _arrangements(tuple(values), tuple(sizes))


def pvalue(
    values: list[float], sizes: list[int], observed: float, alternative: str, method: str, **choices: int
) -> float:
    mean = arrangements(values, sizes).mean()
    return shuffled_pvalue(
        np.sort(np.array(values)), np.array(sizes), squares_of_pairs, observed, mean,
        alternative=alternative, method=method, n_resamples=choices.get("n_resamples"), source=random_source(3),
    ).pvalue  # fmt: skip


def test_mean_does_not_depend_on_the_sizes_of_units() -> None:
    """Half the number of ratings times the mean difference of a pair: 3 * 2.8 here."""
    values = [0.0, 1.0, 1.0, 2.0, 3.0, 3.0]
    means = [arrangements(values, sizes).mean() for sizes in ([2, 2, 2], [2, 4], [3, 3])]

    pairs = [(a - b) ** 2 for a, b in itertools.combinations(values, 2)]
    assert means == pytest.approx([3 * np.mean(pairs)] * 3)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("sizes", [[2, 2, 2], [2, 4], [3, 3]])
def test_exact_pvalue_counts_all_orders(alternative: str, sizes: list[int]) -> None:
    values = [0.0, 1.0, 1.0, 2.0, 5.0, 3.0]
    sums = arrangements(values, sizes)
    for observed in np.unique(sums.round(9)):
        gap, own = sums.mean() - sums, sums.mean() - observed
        if alternative != "greater":
            gap, own = (abs(gap), abs(own)) if alternative == "two-sided" else (-gap, -own)
        expected = (gap >= own - 1e-8).mean()

        assert pvalue(values, sizes, observed, alternative, "exact") == pytest.approx(expected, rel=1e-12)


def test_random_pvalue_counts_the_observed_one() -> None:
    """No disagreement at all in 19 draws of which each has a chance of 1/15 of it: (b + 1) / 20."""
    found = pvalue([0, 0, 1, 1, 2, 2], [2, 2, 2], 0.0, "greater", "monte-carlo", n_resamples=19)

    assert found >= 1 / 20
    assert found * 20 == pytest.approx(round(found * 20))


def test_random_draws_in_blocks_are_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of 40,000 draws is .0012; the chance is 1 / 15. The last block is smaller than the others."""
    arguments = ([0, 0, 1, 1, 2, 2], [2, 2, 2], 0.0, "greater", "monte-carlo")
    in_one_block = pvalue(*arguments, n_resamples=39_999)
    monkeypatch.setattr(shuffled_ratings, "AT_ONCE", 7000)

    found = pvalue(*arguments, n_resamples=39_999)

    assert found == in_one_block == pytest.approx(1 / 15, abs=0.005)


def test_number_of_draws_falls_with_the_number_of_ratings() -> None:
    assert [number_of_draws(None, n) for n in (10, 6711, 67_108, 10**9)] == [9999, 9999, 1000, 999]
    assert number_of_draws(7, 10**9) == 7
