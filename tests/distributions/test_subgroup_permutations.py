"""Permuted labels and exact tables are those of an enumeration."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
import pytest

from evalstats.distributions.subgroup_permutations import exact_two_column_pvalue, permuted_interactions

RNG = np.random.default_rng(0)


def exact_by_tables(first: list[int], second: list[int]) -> float:
    """Sum the probabilities of all tables with these margins, as whole numbers."""
    rows = [a + b for a, b in zip(first, second, strict=True)]
    ways = [
        np.prod([comb(n, a) for n, a in zip(rows, table, strict=True)])
        for table in itertools.product(*(range(n + 1) for n in rows))
        if sum(table) == sum(first)
    ]
    observed = np.prod([comb(n, a) for n, a in zip(rows, first, strict=True)])
    return float(sum(w for w in ways if w <= observed) / sum(ways))


@pytest.mark.parametrize(
    ("first", "second"), [([10, 6, 1], [2, 5, 6]), ([3, 0, 4, 1], [1, 5, 0, 2]), ([2, 2], [2, 2]), ([5, 0], [0, 7])]
)
def test_exact_pvalue_is_that_of_every_table(first: list[int], second: list[int]) -> None:
    found = exact_two_column_pvalue(np.array(first), np.array(second), 9, RNG)

    assert found == pytest.approx(exact_by_tables(first, second), rel=1e-10)


def test_published_program() -> None:
    """fisher.test of R 4.2.2."""
    assert exact_two_column_pvalue(np.array([10, 6, 1]), np.array([2, 5, 6]), 9, RNG) == pytest.approx(
        0.0129212587, abs=1e-10
    )


def test_drawn_tables_are_near_the_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalstats.distributions.subgroup_permutations.MOST_TABLES", 1)

    found = exact_two_column_pvalue(np.array([10, 6, 1]), np.array([2, 5, 6]), 100_000, np.random.default_rng(1))

    assert found == pytest.approx(0.01292, abs=0.0015)


def test_empty_columns_and_rows_have_p_one() -> None:
    assert exact_two_column_pvalue(np.array([3, 2]), np.array([0, 0]), 9, RNG) == 1
    assert exact_two_column_pvalue(np.array([3, 0]), np.array([2, 0]), 9, RNG) == 1


def interaction(d: np.ndarray, group: np.ndarray) -> float:
    """Q with the variance of all units where a subgroup has none."""
    pooled = d.var()
    means = np.array([d[group == g].mean() for g in (0, 1)])
    variances = np.array([(d[group == g].var() or pooled) / (group == g).sum() for g in (0, 1)])
    centre = (means / variances).sum() / (1 / variances).sum()
    return float(((means - centre) ** 2 / variances).sum())


@pytest.mark.parametrize("noise", [0.0, 1e-3])
def test_permutations_have_the_law_of_all_permutations(noise: float) -> None:
    """Four of nine units, for whole differences, whose counts are drawn, and for others, which are permuted."""
    d = np.array([1.0, 1, 0, 1, 0, -1, 0, -1, 0]) + noise * np.arange(9.0) ** 2
    group = np.array([0] * 4 + [1] * 5)
    every = [np.isin(np.arange(9), first) for first in itertools.combinations(range(9), 4)]
    observed = interaction(d, group)
    share = np.mean([interaction(d, np.where(first, 0, 1)) >= observed - 1e-9 for first in every])

    q, p = permuted_interactions(d, np.ones(9), group, 20_000, np.random.default_rng(2))

    assert q == pytest.approx(observed)
    assert p == pytest.approx(share, abs=0.012)


def test_clusters_are_permuted_whole() -> None:
    """Clusters of two equal instances have a smaller Q than the instances, and a p-value of their own number."""
    d, group = np.array([2.0, 2, 0, 2, 0, -2, 0, -2]), np.repeat([0, 1], 4)

    q, p = permuted_interactions(d, np.full(8, 2.0), group, 5000, np.random.default_rng(3))

    assert q == pytest.approx(interaction(d / 2, group))
    assert 0.02 < p < 0.2


def test_equal_differences_have_p_one() -> None:
    assert permuted_interactions(np.full(6, 0.3), np.ones(6), np.repeat([0, 1], 3), 99, RNG) == (0.0, 1.0)


@pytest.mark.parametrize("difference", [np.array([1.0, -1]), np.array([1.0, -1]) / 3])
def test_permutations_that_are_all_as_extreme_have_p_one(difference: np.ndarray) -> None:
    """Two subgroups of one unit have the same Q in both orders: (99 + 1) / (99 + 1)."""
    q, p = permuted_interactions(difference, np.ones(2), np.array([0, 1]), 99, np.random.default_rng(4))

    assert q > 0
    assert p == 1
