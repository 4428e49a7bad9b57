from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions
from scipy import stats
from statsmodels.stats.contingency_tables import SquareTable

from evalstats import metrics
from evalstats.paired import mcnemar_test, square_table_test

METHODS = ["bowker", "stuart-maxwell", "bhapkar"]
THREE = [[20, 5, 2], [10, 30, 4], [7, 9, 25]]

# Stuart (1953): unaided distance vision of 7477 women, right eye (rows) and left eye; the two statistics are those of
# Stuart (1955) and Bowker's test in many textbooks
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]

tables = st.integers(2, 5).flatmap(
    lambda k: (
        st.lists(st.sampled_from([0, 0, 1, 2, 7, 30]), min_size=k * k, max_size=k * k)
        .filter(any)
        .map(lambda v: np.reshape(v, (k, k)))
    )
)
any_method = pytest.mark.parametrize("method", METHODS)


def stuart_maxwell_definition(table: np.ndarray) -> tuple[float, int]:
    """Return d' V^- d with the generalized inverse of Moore and Penrose, and the rank of V."""
    lead = table.sum(axis=1) - table.sum(axis=0)
    covariance = -(table + table.T).astype(float)
    np.fill_diagonal(covariance, table.sum(axis=1) + table.sum(axis=0) - 2 * np.diag(table))
    return float(lead @ np.linalg.pinv(covariance, rcond=1e-10) @ lead), int(np.linalg.matrix_rank(covariance))


def bhapkar_definition(table: np.ndarray) -> float:
    """Wald's statistic: the multinomial covariance without the null hypothesis, without the last class."""
    n = table.sum()
    p, rows, columns = table / n, table.sum(axis=1) / n, table.sum(axis=0) / n
    d = rows - columns
    covariance = -(p + p.T) - np.outer(d, d)
    np.fill_diagonal(covariance, rows + columns - 2 * np.diag(p) - d**2)
    return float(n * d[:-1] @ np.linalg.solve(covariance[:-1, :-1], d[:-1]))


def test_three_classes_by_hand() -> None:
    """25 / 15 + 25 / 9 + 25 / 13 with three degrees of freedom."""
    result = square_table_test(THREE)

    assert result.statistic == pytest.approx(float(Fraction(25, 15) + Fraction(25, 9) + Fraction(25, 13)), rel=1e-15)
    assert (result.df, result.n_instances, result.n_discordant, result.reason) == (3, 112, 37, None)
    assert result.pvalue == pytest.approx(stats.chi2.sf(result.statistic, 3), rel=1e-13)


def test_three_classes_that_exchange_cases_have_two_margins_to_compare() -> None:
    result = square_table_test(THREE, method="stuart-maxwell")

    assert (result.df, result.n_instances, result.n_discordant, result.reason) == (2, 112, 37, None)
    np.testing.assert_allclose(result.difference, [-10 / 112, 0, 10 / 112], rtol=1e-15, atol=1e-17)


@pytest.mark.parametrize(("method", "statistic", "df"), [("bowker", 19.11, 6), ("stuart-maxwell", 11.96, 3)])
def test_vision_of_7477_women(method: str, statistic: float, df: int) -> None:
    result = square_table_test(VISION, method=method)

    assert (round(result.statistic, 2), result.df) == (statistic, df)


@given(tables)
def test_stuart_maxwell_is_its_definition(table: np.ndarray) -> None:
    """With the generalized inverse, whatever the rank."""
    statistic, rank = stuart_maxwell_definition(table)

    result = square_table_test(table, method="stuart-maxwell")

    assert result.df == rank
    assert result.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-9)


def test_bhapkar_is_its_definition() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        table = rng.integers(1, 40, (4, 4))

        result = square_table_test(table, method="bhapkar")

        assert result.statistic == pytest.approx(bhapkar_definition(table), rel=1e-10)
        assert result.statistic >= square_table_test(table, method="stuart-maxwell").statistic


@pytest.mark.parametrize("table", [THREE, VISION])
def test_statsmodels_has_the_same_numbers(table: Any) -> None:
    there = SquareTable(np.array(table), shift_zeros=False)
    for method, test in (
        ("bowker", there.symmetry()),
        ("stuart-maxwell", there.homogeneity()),
        ("bhapkar", there.homogeneity(method="bhapkar")),
    ):
        here = square_table_test(table, method=method)

        assert (here.statistic, here.pvalue, here.df) == pytest.approx((test.statistic, test.pvalue, test.df), rel=1e-9)


@pytest.mark.parametrize("method", ["bowker", "stuart-maxwell"])
@pytest.mark.parametrize("table", [[[59, 6], [16, 80]], [[0, 5], [0, 0]], [[3, 4], [4, 1]]])
def test_two_classes_are_mcnemar_without_correction(table: Any, method: str) -> None:
    pair = mcnemar_test(counts=table, method="asymptotic", correction=False)

    result = square_table_test(table, method=method)

    assert tuple(result) == pytest.approx(tuple(pair), rel=1e-12)


@any_method
@settings(max_examples=repetitions(50))
@given(tables, st.randoms(use_true_random=False))
def test_order_of_the_classes_and_of_x_and_y_does_not_matter(method: str, table: np.ndarray, random: Any) -> None:
    order = random.sample(range(len(table)), len(table))
    here = square_table_test(table, method=method)

    for other in (square_table_test(table.T, method=method), square_table_test(table[order][:, order], method=method)):
        assert other.df == here.df
        assert other.statistic == pytest.approx(here.statistic, rel=1e-8, abs=1e-9)


@any_method
def test_a_class_on_its_own_changes_nothing(method: str) -> None:
    """R's mcnemar.test has NaN here, and statsmodels counts the empty pairs as degrees of freedom."""
    apart = np.zeros((4, 4), dtype=int)
    apart[:3, :3] = THREE

    result = square_table_test(apart, method=method)

    here = square_table_test(THREE, method=method)
    assert (result.statistic, result.df) == (pytest.approx(here.statistic, rel=1e-12), here.df)
    assert result.pvalue == pytest.approx(here.pvalue, rel=1e-12)
    assert (
        "in 3 of 6 pairs" if method == "bowker" else "2 sets of classes are not connected by discordant instances"
    ) in result.reason


def test_empty_pairs_are_no_degrees_of_freedom() -> None:
    """Of 2000 symmetric tables with a pair that never occurs, 5 % are rejected; with df 3 it would be about 2.5 %."""
    rng = np.random.default_rng(2)
    tables = rng.multinomial(300, [0.3, 0.1, 0, 0.1, 0.2, 0.1, 0, 0.1, 0.1], size=2000).reshape(-1, 3, 3)

    result = square_table_test(tables)

    assert set(result.df.tolist()) == {2}
    assert abs(np.mean(result.pvalue <= 0.05) - 0.05) < 3 * math.sqrt(0.05 * 0.95 / 2000)
    assert np.mean(stats.chi2.sf(result.statistic, 3) <= 0.05) < 0.035


@any_method
def test_classifiers_that_always_agree_give_p_one_and_a_reason(method: str) -> None:
    result = square_table_test(np.diag([3, 0, 9]), method=method)

    assert (result.statistic, result.pvalue, result.df, result.n_discordant) == (0.0, 1.0, 0, 0)
    assert "the same class to every instance" in result.reason


def test_difference_without_variance_has_no_bhapkar_test() -> None:
    """All cases are of class 0 for x and of class 1 for y: Stuart and Maxwell's test has the variance of the null."""
    table = [[0, 8], [0, 0]]

    result = square_table_test(table, method="bhapkar")

    assert result.statistic == math.inf
    assert math.isnan(result.pvalue)
    assert "no variance" in result.reason
    assert square_table_test(table, method="stuart-maxwell").statistic == 8


def test_far_tail_is_never_zero() -> None:
    assert square_table_test([[0, 10**6], [0, 0]]).pvalue == 5e-324


@any_method
def test_batch_equals_the_loop(method: str) -> None:
    batch = np.random.default_rng(3).integers(0, 3, (2, 5, 4, 4))
    batch[0, 0] = np.diag([1, 2, 3, 4])

    result = square_table_test(batch, method=method)

    for at in np.ndindex(2, 5):
        member = square_table_test(batch[at], method=method)
        for name in ("statistic", "pvalue", "df", "n_instances", "n_discordant", "reason", "method"):
            np.testing.assert_equal(getattr(result, name)[at], getattr(member, name))
        np.testing.assert_array_equal(result.difference[at], member.difference)


def test_labels_become_a_table() -> None:
    x, y = ["cat", "dog", "cow", "cat"], ["cat", "cat", "cow", "dog"]

    result = square_table_test(metrics.confusion_counts(x, y))

    assert result.table.tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 0]]  # cat, cow, dog


def test_result_is_a_record_of_plain_values() -> None:
    result = square_table_test(THREE)

    assert [type(v) for v in (result.statistic, result.pvalue, result.df, result.method)] == [float, float, int, str]
    assert json.loads(json.dumps(result.to_dict()))["df"] == 3


@pytest.mark.parametrize(
    ("table", "method", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], "bowker", r"shape \(..., k, k\) with k of 2 or more, but its shape is \(2, 3\)"),
        ([[5]], "bowker", r"shape \(..., k, k\) with k of 2 or more, but its shape is \(1, 1\)"),
        ([1, 2], "bowker", "table must have rows and columns"),
        ([[1, -1], [0, 2]], "bowker", r"whole numbers from 0 to 2\^50, but table\[0, 1\] is -1"),
        ([[1, 0.5], [0, 2]], "bowker", r"table\[0, 1\] is 0.5"),
        ([[1, math.nan], [0, 2]], "bowker", r"table must be finite, but table\[0, 1\] is nan"),
        ([[0, 0], [0, 0]], "bowker", "table must hold at least one instance"),
        (THREE, "mcnemar", "method must be 'bowker' or 'stuart-maxwell' or 'bhapkar', not 'mcnemar'"),
    ],
)
def test_bad_tables_are_refused(table: Any, method: str, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        square_table_test(table, method=method)
