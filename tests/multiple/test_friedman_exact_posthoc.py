"""The exact test of rank-sum differences."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from repetitions import repetitions
from scipy import stats

from evalstats._errors import InvalidValueError
from evalstats.examples import example_table
from evalstats.multiple.friedman_exact_posthoc import friedman_exact_posthoc_test
from evalstats.multiple.siegel_castellan import siegel_castellan_test
from evalstats.paired.sign import sign_test

tables = hnp.arrays(float, st.tuples(st.integers(1, 4), st.integers(2, 4)), elements=st.integers(0, 3).map(float))


def by_enumeration(scores: np.ndarray) -> np.ndarray:
    """P(|D| >= |d|) of each pair: any two classifiers have the same law, so those of the first two are counted."""
    ranks = np.array([stats.rankdata(-row) for row in scores])
    drawn = [[a - b for a, b in itertools.permutations(row.tolist(), 2)] for row in ranks]
    law = np.abs([sum(one) for one in itertools.product(*drawn)])
    sums = ranks.sum(axis=0)
    return np.array([[(law >= abs(a - b)).mean() for b in sums] for a in sums])


def eisinga(d: int, k: int, n: int) -> Fraction:
    """P(|D| >= d) without ties, in whole numbers: the generating function of one dataset to the n-th power."""
    one = {x: k - abs(x) for x in range(1 - k, k) if x}
    law = {0: 1}
    for _ in range(n):
        following: dict[int, int] = {}
        for a, b in itertools.product(law, one):
            following[a + b] = following.get(a + b, 0) + law[a] * one[b]
        law = following
    return Fraction(sum(count for x, count in law.items() if abs(x) >= d), (k * (k - 1)) ** n)


def test_two_datasets_by_hand() -> None:
    """Each dataset has d = 1, 2 with weights 2, 1 of 6: P(|D| = 4) = 2/36, 3: 8/36, 2: (4 + 4)/36."""
    result = friedman_exact_posthoc_test([[3, 2, 1], [3, 2, 1]], adjust="none")

    assert result.statistic.tolist() == [[0, -2, -4], [2, 0, -2], [4, 2, 0]]
    assert result.pvalue[0, 2] == pytest.approx(2 / 36, rel=1e-15)
    assert result.pvalue[0, 1] == pytest.approx(18 / 36, rel=1e-15)
    assert result.min_attainable_pvalue == result.pvalue[0, 2]


@settings(max_examples=repetitions(60))
@given(tables)
def test_counts_all_draws_with_ties(scores: np.ndarray) -> None:
    result = friedman_exact_posthoc_test(scores, adjust="none", method="exact")

    np.testing.assert_allclose(result.pvalue, by_enumeration(scores), rtol=1e-13)


@pytest.mark.parametrize(("n", "k"), [(3, 3), (9, 4), (12, 7), (30, 5)])
def test_is_the_law_of_whole_numbers_far_into_the_tail(n: int, k: int) -> None:
    """At n = 30 and k = 5 the smallest is 20^-30: 9e-40, and right to 13 digits."""
    best_to_worst = np.tile(np.arange(k, 0, -1.0), (n, 1))

    result = friedman_exact_posthoc_test(best_to_worst, adjust="none")

    for j in range(1, k):
        assert result.pvalue[0, j] == pytest.approx(float(eisinga(n * j, k, n)), rel=1e-13)
    assert result.min_attainable_pvalue == pytest.approx(2 * float(k * (k - 1)) ** -n, rel=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_two_classifiers_are_the_sign_test(seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 4, (20, 2))

    result = friedman_exact_posthoc_test(scores)

    assert result.pvalue[0, 1] == pytest.approx(sign_test(scores[:, 0], scores[:, 1]).pvalue, rel=1e-13)


def test_normal_distribution_is_near_for_many_datasets() -> None:
    """The exact sum over whole numbers is the normal tail half a unit further in."""
    exact = friedman_exact_posthoc_test(np.random.default_rng(2).random((400, 4)), adjust="none")
    half_a_unit = (np.abs(exact.statistic) - 0.5) / math.sqrt(400 * 4 * 5 / 6)
    pairs = np.triu_indices(4, 1)

    np.testing.assert_allclose(exact.pvalue[pairs], 2 * stats.norm.sf(half_a_unit)[pairs], rtol=1e-3)


def test_normal_without_ties_is_siegel_castellan() -> None:
    scores = np.random.default_rng(2).random((9, 4))
    normal, z = friedman_exact_posthoc_test(scores, method="normal"), siegel_castellan_test(scores)

    np.testing.assert_allclose(normal.pvalue, z.pvalue, rtol=1e-12)


def test_normal_with_ties_has_the_variance_of_the_exact_law() -> None:
    scores = np.array([[3.0, 3, 2, 1], [1, 1, 1, 5], [4, 3, 3, 2]])
    ranks = np.array([stats.rankdata(-row) for row in scores])
    variance = sum(np.mean([(a - b) ** 2 for a, b in itertools.permutations(row, 2)]) for row in ranks)

    normal = friedman_exact_posthoc_test(scores, adjust="none", method="normal")

    expected = 2 * stats.norm.sf(np.abs(normal.statistic) / math.sqrt(variance))
    np.testing.assert_allclose(normal.pvalue, expected, rtol=1e-12)


def test_half_integer_differences_are_not_truncated() -> None:
    """PMCMRplus takes 0.5 for 0, and would have p = 1; P(|D| >= 1/2) counts all draws but those with D = 0."""
    scores = np.array([[3.0, 2, 3], [1, 2, 3], [1, 2, 3]])

    result = friedman_exact_posthoc_test(scores, adjust="none")

    assert result.statistic[0, 1] == 0.5
    assert result.pvalue[0, 1] == pytest.approx(by_enumeration(scores)[0, 1], rel=1e-14)
    assert result.pvalue[0, 1] < 1


def test_datasets_that_tie_all_say_nothing() -> None:
    scores = np.random.default_rng(1).random((7, 4))
    more = np.vstack([scores, np.full((5, 4), 0.5)])

    np.testing.assert_array_equal(friedman_exact_posthoc_test(more).pvalue, friedman_exact_posthoc_test(scores).pvalue)


def test_rejects_no_more_than_alpha() -> None:
    """An exact test is conservative, whatever the ties: 2,000 tables of six datasets with many ties."""
    scores = np.random.default_rng(3).integers(0, 3, (2000, 6, 3))

    pvalue = friedman_exact_posthoc_test(scores, adjust="none").pvalue[:, 0, 1]

    assert (pvalue <= 0.05).mean() <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 2000)


def test_auto_gives_way_to_the_normal_distribution() -> None:
    scores = np.random.default_rng(5).random((3000, 10))

    assert friedman_exact_posthoc_test(scores).method == "normal"


def test_exact_is_refused_where_it_is_not_affordable() -> None:
    with pytest.raises(InvalidValueError, match="method='exact' would take about"):
        friedman_exact_posthoc_test(np.zeros((5000, 100)) + np.arange(100), method="exact")


def test_smaller_than_any_float_is_no_zero() -> None:
    result = friedman_exact_posthoc_test(np.tile(np.arange(20.0), (150, 1)))

    assert result.min_attainable_pvalue == 5e-324
    assert result.unadjusted_pvalue[0, 19] == 5e-324


def test_control_and_names() -> None:
    table = example_table("demsar-2006")
    every = friedman_exact_posthoc_test(table.scores, adjust="none")
    one = friedman_exact_posthoc_test(table.scores, control=0, adjust="none")

    np.testing.assert_array_equal(one.pvalue[1:], every.pvalue[1:, 0])
    assert np.isnan(one.statistic[0])
