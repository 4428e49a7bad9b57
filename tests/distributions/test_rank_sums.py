"""Friedman's null distribution, against the enumeration of every arrangement."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import accumulate, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats.distributions import rank_sums
from evalstats.distributions.rank_sums import count_at_least, exact_cost, exact_tail, n_arrangements

# SuppDists 1.1-9.7 asked for P(Q > the next lower value); S = 4 x the sum of squared deviations of the rank sums
SUPPDISTS = [(10, 3, 600, 0.000110441910531), (14, 4, 800, 0.0322752736151), (8, 4, 400, 0.0507090430743)]


def untied(n: int, k: int) -> list[tuple[int, ...]]:
    return [tuple(range(2, 2 * k + 1, 2))] * n


def doubled_midranks(scores: tuple[int, ...]) -> tuple[int, ...]:
    """Ranks by their definition: twice the number below, plus the number equal, plus one."""
    return tuple(sorted(2 * sum(b < a for b in scores) + sum(b == a for b in scores) + 1 for a in scores))


def enumerated_tail(patterns: list[tuple[int, ...]]) -> dict[int, Fraction]:
    """P(S >= s) for every value of S, over all arrangements of all datasets."""
    n, k = len(patterns), len(patterns[0])
    spreads = Counter(
        sum((sum(column) - n * (k + 1)) ** 2 for column in zip(*arrangement, strict=True))
        for arrangement in product(*(sorted(set(permutations(pattern))) for pattern in patterns))
    )
    values = sorted(spreads, reverse=True)
    above = accumulate(spreads[value] for value in values)
    return {value: Fraction(count, spreads.total()) for value, count in zip(values, above, strict=True)}


patterns_of_a_table = st.integers(2, 4).flatmap(
    lambda k: st.lists(
        st.tuples(*[st.integers(0, 2)] * k).map(doubled_midranks).filter(lambda p: p[0] != p[-1]),
        min_size=1,
        max_size={2: 7, 3: 5, 4: 3}[k],
    )
)


def test_two_datasets_of_three_classifiers() -> None:
    """By hand: the second order is the first (S = 32), exchanges neighbours (24), rotates (8), or is opposite (0)."""
    tail = [exact_tail(untied(2, 3), spread) for spread in (0, 8, 24, 32)]

    assert tail == pytest.approx([1, 5 / 6, 3 / 6, 1 / 6], rel=1e-15)


@pytest.mark.parametrize(("n", "k", "spread", "tail"), SUPPDISTS)
def test_without_ties_as_suppdists(n: int, k: int, spread: int, tail: float) -> None:
    assert exact_tail(untied(n, k), spread) == pytest.approx(tail, rel=1e-10)


@given(patterns=patterns_of_a_table)
@settings(max_examples=repetitions(80))
def test_exact_tail_is_the_enumeration(patterns: list[tuple[int, ...]]) -> None:
    """Any mixture of ties, at every value of S."""
    expected = enumerated_tail(patterns)

    assert {s: exact_tail(patterns, s) for s in expected} == pytest.approx(
        {s: float(p) for s, p in expected.items()}, rel=1e-14
    )


@pytest.mark.parametrize(("n", "k"), [(30, 4), (80, 3), (12, 5), (5, 6), (3, 7)])
def test_mean_and_extremes_without_ties(n: int, k: int) -> None:
    """E(S) = n k (k^2 - 1) / 3, because E(Q) = k - 1; the largest S has probability k!^(1 - n)."""
    support, tail = rank_sums._law(tuple(untied(n, k)))
    probability = -np.diff(tail)

    assert support @ probability == pytest.approx(n * k * (k**2 - 1) / 3, rel=1e-12)
    assert (tail[0], tail[-2]) == (1.0, pytest.approx(float(Fraction(1, math.factorial(k) ** (n - 1))), rel=1e-13))


def test_mean_with_ties() -> None:
    """E(S) is the sum of squares within datasets, with any ties."""
    patterns = [(3, 3, 6, 8), (2, 5, 5, 8), (2, 6, 6, 6), (5, 5, 5, 5 + 4)] * 5 + untied(4, 4)
    patterns = [doubled_midranks(p) for p in patterns]
    within = sum((value - 5) ** 2 for pattern in patterns for value in pattern)

    support, tail = rank_sums._law(tuple(sorted(patterns, key=rank_sums._whole_ranks_first)))

    assert support @ -np.diff(tail) == pytest.approx(within, rel=1e-12)


@pytest.mark.parametrize(("n", "wins"), [(1, 1), (9, 9), (30, 22), (1000, 700)])
def test_two_classifiers_are_the_sign_test(n: int, wins: int) -> None:
    tail = 2 * Fraction(sum(math.comb(n, i) for i in range(wins, n + 1)), 2**n)

    assert exact_tail(untied(n, 2), 2 * (2 * wins - n) ** 2) == pytest.approx(float(min(tail, 1)), rel=1e-13)


def test_order_of_the_datasets_does_not_matter() -> None:
    patterns = [(3, 3, 6), (2, 4, 6), (2, 5, 5), (2, 4, 6)]

    assert exact_tail(patterns, 50) == exact_tail(patterns[::-1], 50)


def test_one_dataset_or_none_has_one_value_of_s() -> None:
    assert (exact_tail(untied(1, 4), 20), exact_tail([], 0)) == (1.0, 1.0)


@pytest.mark.long
def test_beyond_the_range_of_floats_the_tail_is_zero() -> None:
    """The callers turn it into the smallest float."""
    assert exact_tail(untied(450, 3), 2 * (2 * 450) ** 2) == 0.0


def test_arrangements_are_counted_and_listed() -> None:
    pattern = (3, 3, 8, 8, 8, 12)
    orders = rank_sums._arrangements(pattern)

    assert n_arrangements(pattern) == len(orders) == 60
    assert {tuple(order) for order in orders.tolist()} == set(permutations(pattern))


@pytest.mark.parametrize("patterns", [untied(60, 3), untied(15, 4), untied(8, 5), untied(5, 6), untied(3, 7)])
def test_estimated_cost_is_near_the_true_one(patterns: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    """The additions within a factor of 1.5; the table never larger than estimated."""
    sizes, additions, totals = [0], [0], rank_sums._totals

    def counting(cell: np.ndarray, probability: np.ndarray, n_cells: int) -> np.ndarray:
        additions.append(cell.size)
        sizes.append(n_cells)
        return totals(cell, probability, n_cells)

    monkeypatch.setattr(rank_sums, "_totals", counting)
    rank_sums._law.__wrapped__(tuple(patterns))
    estimate, largest_table = exact_cost(patterns)

    assert estimate / 1.5 <= sum(additions) <= 1.5 * estimate
    assert max(sizes) <= 1.001 * largest_table + 1


@given(patterns=patterns_of_a_table)
def test_cost_of_small_tables_is_small(patterns: list[tuple[int, ...]]) -> None:
    additions, cells = exact_cost(patterns)

    assert 1 <= additions < 1e5
    assert 1 <= cells < 1e5


def test_cost_of_hopeless_tables_is_a_number() -> None:
    assert all(1e100 < cost < math.inf for cost in exact_cost(untied(1000, 250)))


@pytest.mark.parametrize("draws", [rank_sums._packed_draws, rank_sums._sorted_draws])
@pytest.mark.parametrize("pattern", [(2, 4, 6), (3, 3, 6), (2, 5, 5, 8)])
def test_random_orders_are_equally_likely(draws: object, pattern: tuple[int, ...]) -> None:
    """One dataset: the sums are its order, and each order comes within five standard errors of its share."""
    drawn = np.concatenate([sums.T for sums in draws([pattern], 40_000, np.random.default_rng(1))])
    orders, counts = np.unique(drawn, axis=0, return_counts=True)
    share = 1 / n_arrangements(pattern)

    assert {tuple(order) for order in orders.tolist()} == set(permutations(pattern))
    assert np.abs(counts - 40_000 * share).max() < 5 * math.sqrt(40_000 * share * (1 - share))


@pytest.mark.parametrize(("n", "k"), [(150, 7), (40, 5), (3, 3), (20, 11), (4, 200)])
def test_random_rank_sums_add_up(n: int, k: int) -> None:
    """More datasets than a bit field holds, more resamples than a chunk: each draw still has the sum of all ranks."""
    rng = np.random.default_rng(0)
    draws = rank_sums._packed_draws if k <= rank_sums.MOST_PACKED_CLASSIFIERS else rank_sums._sorted_draws
    m = 2**15 + 7 if k < 10 else 500

    totals = np.concatenate([sums.sum(axis=0) for sums in draws(untied(n, k), m, rng)])

    assert (len(totals), set(totals.tolist())) == (m, {n * k * (k + 1)})


@pytest.mark.parametrize(
    "patterns",
    [untied(10, 3), untied(5, 3) + [(3, 3, 6)] * 4, [(2, 5, 5, 8), (3, 3, 7, 7), (4, 4, 4, 8)] * 3, untied(2, 8)],
    ids=["k3", "k3-ties", "k4-ties", "k8"],
)
def test_monte_carlo_comes_near_the_exact_tail(patterns: list[tuple[int, ...]]) -> None:
    """Within four standard errors at the median, at 5 % and at 1 %."""
    support, tail = rank_sums._law(tuple(sorted(patterns, key=rank_sums._whole_ranks_first)))
    at = [int(np.flatnonzero(tail <= level)[0]) for level in (0.5, 0.05, 0.01)]
    m = 50_000

    counts = count_at_least(patterns, [int(support[i]) for i in at], m, np.random.default_rng(7))

    z = (np.array(counts) / m - tail[at]) / np.sqrt(tail[at] * (1 - tail[at]) / m)
    assert np.abs(z).max() < 4


@pytest.mark.parametrize(
    ("k", "unused"), [(6, "_sorted_draws"), (7, "_sorted_draws"), (8, "_packed_draws"), (12, "_packed_draws")]
)
def test_orders_of_few_classifiers_alone_are_listed(k: int, unused: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All 12! orders of twelve would not fit into memory."""
    monkeypatch.setattr(rank_sums, unused, lambda *_: pytest.fail(f"{unused} for {k} classifiers"))

    assert count_at_least(untied(3, k), [0], 50, np.random.default_rng(0)) == [50]


def test_datasets_share_a_table_of_their_orders_while_it_is_small() -> None:
    """6^5 pairs of orders are fewer than 2^14, and 6^6 are more."""
    shifts = [np.uint64(21 * j) for j in range(3)]

    tables = rank_sums._packed_tables(untied(12, 3), shifts, 1000)

    assert [(len(table), n_datasets) for table, n_datasets in tables] == [(6**5, 5), (6**5, 5), (6**2, 2)]


def test_every_random_order_reaches_zero() -> None:
    assert count_at_least(untied(4, 3), [0], 100, np.random.default_rng(0)) == [100]
