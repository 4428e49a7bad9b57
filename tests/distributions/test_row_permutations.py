"""The null distribution of tables whose rows are put in random order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from repetitions import repetitions

from evalstats._checks import random_source
from evalstats._errors import InvalidValueError
from evalstats.distributions.row_permutations import (
    _additions,
    chance_of_agreement,
    exact_tail,
    monte_carlo_tail,
    permutation_tail,
    spread,
)

tables = hnp.arrays(float, st.tuples(st.integers(1, 4), st.integers(2, 3)), elements=st.integers(-5, 5).map(float))


def centered(values: np.ndarray) -> np.ndarray:
    return values.shape[1] * values - values.sum(axis=1, keepdims=True)


def all_orders(rows: np.ndarray) -> Iterator[float]:
    for orders in itertools.product(*(itertools.permutations(row) for row in rows.tolist())):
        yield float(spread(np.array(orders)))


def test_two_rows_by_hand() -> None:
    """Of the six orders of the second row one agrees with the first, and two differ from it by one exchange."""
    rows = np.array([[-1.0, 0, 1], [-1, 0, 1]])

    assert exact_tail(rows, np.array([8.0, 6.0, 2.0, 0.0])) == pytest.approx([1 / 6, 1 / 2, 5 / 6, 1], rel=1e-15)


@settings(max_examples=repetitions(60))
@given(tables)
def test_exact_tail_counts_all_orders(values: np.ndarray) -> None:
    rows = centered(values)
    spreads = np.array(sorted(all_orders(rows)))
    distinct = np.unique(spreads)
    informative = rows[(rows != 0).any(axis=1)]

    tail = exact_tail(informative, distinct)

    assert tail == pytest.approx([(spreads >= s).mean() for s in distinct], rel=1e-13)


def test_monte_carlo_is_near_the_exact_tail() -> None:
    """Within four standard errors of 20,000 draws, in blocks."""
    rows = centered(np.random.default_rng(5).integers(0, 9, (6, 3)).astype(float))
    spreads = np.quantile(list(all_orders(rows[:4])), [0.5, 0.9])
    exact = exact_tail(rows, spreads)

    sampled = monte_carlo_tail(rows, spreads, 20_000, np.random.default_rng(1))

    assert np.all(np.abs(sampled - exact) < 4 * np.sqrt(exact * (1 - exact) / 20_000))


def test_monte_carlo_is_never_zero() -> None:
    rows = np.tile([-2.0, 0, 2], (30, 1))

    assert monte_carlo_tail(rows, np.array([spread(rows)]), 99, np.random.default_rng(1)) == [0.01]


def test_chance_of_agreement_counts_the_orders_of_ties() -> None:
    assert chance_of_agreement(np.array([[-2.0, 1, 1]] * 3)) == pytest.approx(1 / 9, rel=1e-15)
    assert chance_of_agreement(np.array([[-2.0, 0, 2]] * 3)) == pytest.approx(1 / 36, rel=1e-15)


@pytest.mark.parametrize(("n", "method"), [(4, "exact"), (19, "monte-carlo"), (20, "f")])
def test_auto_is_a_matter_of_the_table(n: int, method: str) -> None:
    rows = centered(np.random.default_rng(2).random((n, 4)).argsort(axis=1) * np.arange(1.0, n + 1)[:, None])

    assert permutation_tail(rows, "auto", "f", 99, random_source(None))[0] == method


def test_auto_has_one_pvalue_per_table() -> None:
    """Upside down and with its columns in another order too: what is drawn depends on the content of the rows."""
    rows = centered(np.random.default_rng(2).integers(0, 99, (15, 5)).astype(float))

    first, again = (
        permutation_tail(r, "auto", "f", 99, random_source(None)) for r in (rows, rows[::-1, [3, 1, 0, 4, 2]])
    )

    assert first[0] == "monte-carlo"
    assert first[1].tolist() == again[1].tolist()


@pytest.mark.parametrize("shape", [(40, 5), (3, 9), (2000, 7)])
def test_exact_is_refused_where_it_is_not_affordable(shape: tuple[int, int]) -> None:
    rows = centered(np.random.default_rng(3).integers(0, 999, shape).astype(float))

    with pytest.raises(InvalidValueError, match="method='exact' would take about"):
        permutation_tail(rows, "exact", "f", 99, None)


@pytest.mark.parametrize(("k", "n", "chance"), [(3, 4, 1 / 216), (171, 2, 8.05790039644312e-310), (200, 5000, 0.0)])
def test_chance_of_agreement_of_many_classifiers_is_a_float(k: int, n: int, chance: float) -> None:
    """171! is larger than any float; its inverse is none."""
    rows = centered(np.tile(np.arange(k, dtype=np.float64), (n, 1)))

    assert chance_of_agreement(rows) == chance


def test_cost_of_an_exact_distribution_counts_each_order_of_each_possible_sum() -> None:
    """The second row has 6 orders; the third is added to the 6 sums so far, and a row with two equal values has 3."""
    rows = np.array([[-1.0, 0, 1]] * 3)

    assert _additions(rows[:2]) == pytest.approx(6)
    assert _additions(rows) == pytest.approx(6 + 6 * 6)
    assert _additions(np.array([[-1.0, 0, 1], [-1, 0, 1], [-2, 1, 1]])) == pytest.approx(6 + 6 * 3)
