"""Steel's many-one sign test against all orders of small tables, binomial sums and simulation."""

from __future__ import annotations

import itertools
import math
from math import comb
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats
from scipy.special import log_ndtr, ndtr

from evalstats import sign_test
from evalstats.examples import example_table
from evalstats.multiple import friedman_dunnett, steel, steel_sign_test
from evalstats.multiple.steel import largest_sf
from evalstats.pairwise import pairwise_sign_test

ALTERNATIVES = ["two-sided", "less", "greater"]


def over_all_orders(scores: np.ndarray, control: int, alternative: str) -> list[float]:
    """P(largest lead >= lead), by every order of every dataset: the definition."""

    def leads(table: np.ndarray) -> np.ndarray:
        lead = np.delete(np.sign(table - table[:, [control]]).sum(axis=0), control)
        return {"greater": lead, "less": -lead, "two-sided": abs(lead)}[alternative]

    n, k = scores.shape
    orders = itertools.product(itertools.permutations(range(k)), repeat=n)
    largest = [leads(np.take_along_axis(scores, np.array(order), axis=1)).max() for order in orders]
    return [float(np.mean(np.array(largest) >= lead)) for lead in leads(scores)]


def test_one_dataset_by_hand() -> None:
    """A classifier beats the control on the only dataset unless the control is the best of three."""
    result = steel_sign_test([[0.7, 0.8, 0.6]], control=0, alternative="greater")

    assert result.n_wins.tolist() == [0, 1, 0]
    assert result.win_difference.tolist() == [0, 1, -1]
    assert result.pvalue[1] == pytest.approx(2 / 3, rel=1e-15)
    assert result.pvalue[2] == 1


def test_two_datasets_by_hand() -> None:
    """Both beat the control twice with 1/9, the first alone with (1/3 + 1/6)^2 - 1/9 = 5/36, the second as often."""
    result = steel_sign_test([[1, 2, 0], [1, 2, 0]], control=0, alternative="greater")

    assert result.pvalue[1] == pytest.approx(1 / 9 + 2 * 5 / 36, rel=1e-14)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n_values", [2, 3, 1000])
@pytest.mark.parametrize(("n", "k"), [(1, 3), (3, 3), (4, 3), (1, 5), (2, 4), (5, 2)])
def test_exact_pvalue_is_a_share_of_all_orders(n: int, k: int, n_values: int, alternative: str) -> None:
    scores = np.random.default_rng(n + 10 * k).integers(0, n_values, (n, k)).astype(float)

    for control in (0, k - 1):
        result = steel_sign_test(scores, control=control, alternative=alternative, method="exact")

        expected = over_all_orders(scores, control, alternative)
        assert np.delete(result.pvalue, control) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [5, 60, 5000])
def test_two_classifiers_have_the_sign_test(n: int, alternative: str) -> None:
    scores = np.random.default_rng(n).integers(0, 3, (n, 2))

    result = steel_sign_test(scores, control=1, alternative=alternative)

    alone = sign_test(scores[:, 0], scores[:, 1], alternative=alternative)
    assert result.method == "exact"
    assert result.pvalue[0] == result.unadjusted_pvalue[0] == alone.pvalue


def test_unadjusted_pvalues_and_counts_are_those_of_the_pairwise_test() -> None:
    scores = example_table("demsar-2006").scores

    result, pairs = steel_sign_test(scores, control=0), pairwise_sign_test(scores, control=0, adjust="none")

    for name in ("statistic", "n_wins", "win_difference", "n_ties", "unadjusted_pvalue"):
        np.testing.assert_array_equal(getattr(result, name), getattr(pairs, name))


def test_one_distribution_of_all_is_no_weaker_than_sidak() -> None:
    """The leads depend on each other, so their largest is smaller than that of independent ones."""
    scores = np.random.default_rng(5).random((20, 4))

    result = steel_sign_test(scores, control=0)

    others = result.pvalue[1:]
    assert (others <= 1 - (1 - result.unadjusted_pvalue[1:]) ** 3 + 1e-12).all()
    assert (others >= result.unadjusted_pvalue[1:]).all()


@pytest.mark.sampled
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n_values", [3, 10**6])
def test_the_three_distributions_agree(n_values: int, alternative: str) -> None:
    scores = np.random.default_rng(6).integers(0, n_values, (60, 4)) + np.array([0, 0, 1, 0])

    exact, drawn, normal = (
        steel_sign_test(scores, control=0, alternative=alternative, method=method).pvalue[1:]
        for method in ("exact", "monte-carlo", "asymptotic")
    )

    assert drawn == pytest.approx(exact, abs=0.02)
    assert normal == pytest.approx(exact, abs=0.01)


def test_steel_predicts_the_correlation_of_a_third() -> None:
    """Signs of X_i - X_0 and X_j - X_0 agree in two of three orders; with ties it lies between 1/3 and 1/2."""
    assert steel._normal_tail([(1, 1, 1)] * 9, 3, np.array([5]), True) == pytest.approx(
        steel.largest_sf(np.array([4 / 3]), 2, 1 / 3, two_sided=True), rel=1e-14
    )
    tied = steel.largest_sf(np.array([4.5 / np.sqrt(6)]), 2, 1 / 2, two_sided=True)
    assert steel._normal_tail([(2, 1)] * 9, 3, np.array([5]), True) == pytest.approx(tied, rel=1e-14)


def test_one_comparison_with_the_control_is_a_sign_test() -> None:
    assert steel._normal_tail([(1, 1)] * 9, 2, np.array([5]), True) == pytest.approx(
        2 * stats.norm.sf(4 / 3), rel=1e-14
    )


def test_method_by_default() -> None:
    rng = np.random.default_rng(7)

    methods = [str(steel_sign_test(rng.random(shape), control=0).method) for shape in [(30, 5), (30, 9), (120, 9)]]

    assert methods == ["exact", "monte-carlo", "asymptotic"]


def test_smallest_pvalue_is_that_of_winning_everywhere() -> None:
    """Without ties the best of three against one beats it on four datasets: all orders by hand and as given."""
    result = steel_sign_test([[1, 2, 0]] * 4, control=0, alternative="greater")

    assert result.pvalue[1] == result.min_attainable_pvalue
    both, one = 1 / 3, 1 / 2
    assert result.min_attainable_pvalue == pytest.approx(2 * one**4 - both**4, rel=1e-14)


def test_far_tail_keeps_its_digits() -> None:
    """300 wins of 300 over the control: 2^-300 for each of two others, 3^-300 for both."""
    result = steel_sign_test([[1, 2, 0]] * 300, control=0, alternative="greater")

    assert result.pvalue[1] == pytest.approx(2 * 0.5**300, rel=1e-12)
    assert result.method == "exact"


@pytest.mark.long
def test_level_holds_in_noise() -> None:
    """Exact p-values of 3,000 tables of noise: at 5 % at most about 5 % reject."""
    tables = np.random.default_rng(8).random((3000, 8, 4))

    result = steel_sign_test(tables, control=0)

    assert np.mean((result.pvalue[:, 1:] <= 0.05).any(axis=-1)) < 0.05 + 3 * 0.004


def test_batch_is_the_loop() -> None:
    tables = np.random.default_rng(9).integers(0, 4, (3, 2, 6, 4))
    tables[0, 0] = 1

    for method in ("auto", "monte-carlo", "asymptotic"):
        batch = steel_sign_test(tables, control=2, method=method, n_resamples=99)
        for at in np.ndindex(3, 2):
            member = steel_sign_test(tables[at], control=2, method=method, n_resamples=99)
            np.testing.assert_array_equal(batch.pvalue[at], member.pvalue)
            assert (batch.reason[at], batch.method[at]) == (member.reason, member.method)


def test_less_is_greater_of_negated_scores() -> None:
    scores = np.random.default_rng(10).integers(0, 3, (7, 4))

    less = steel_sign_test(scores, control=1, alternative="less")

    np.testing.assert_array_equal(less.pvalue, steel_sign_test(-scores, control=1, alternative="greater").pvalue)


def test_random_two_sided_pvalues_are_those_of_negated_scores() -> None:
    for seed in range(5):
        scores = np.random.default_rng(seed).integers(0, 5, (6, 4))
        here, mirrored = (
            steel_sign_test(values, control=0, method="monte-carlo", n_resamples=199, rng=seed)
            for values in (scores, -scores)
        )

        np.testing.assert_array_equal(here.pvalue, mirrored.pvalue)


@pytest.mark.parametrize("method", ["auto", "exact", "monte-carlo", "asymptotic"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_nothing_but_ties_has_p_one_and_a_reason(method: str, alternative: str) -> None:
    result = steel_sign_test(np.full((5, 3), 0.1), control=0, method=method, alternative=alternative)

    assert result.pvalue[1:].tolist() == [1, 1]
    assert result.min_attainable_pvalue == 1
    assert result.reason == steel.NEVER_DIFFERENT


def test_order_of_datasets_and_classifiers_changes_nothing() -> None:
    rng = np.random.default_rng(11)
    scores = rng.integers(0, 5, (9, 8))
    rows, columns = rng.permutation(9), rng.permutation(8)

    result = steel_sign_test(scores, control=3, method="monte-carlo", n_resamples=199)

    moved = steel_sign_test(
        scores[rows][:, columns], control=int(np.flatnonzero(columns == 3)[0]), method="monte-carlo", n_resamples=199
    )
    np.testing.assert_array_equal(moved.pvalue, result.pvalue[columns])


def test_control_by_name() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [2, 3, 4], "c": [1, 1, 1]})

    assert steel_sign_test(frame, control="b").control == "b"


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"control": None}, "control must be the index or the name of a column, not None"),
        ({"control": 5}, "control must be an index from 0 to 2, not 5"),
        ({"control": 0, "method": "normal"}, "method must be 'auto' or 'exact'"),
        ({"control": 0, "alternative": "more"}, "alternative must be 'two-sided' or"),
        ({"control": 0, "n_resamples": 0}, "n_resamples must be at least 1, not 0"),
    ],
)
def test_what_is_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        steel_sign_test([[1, 2, 3], [3, 2, 1]], **choices)


def test_exact_is_refused_where_it_would_take_too_long() -> None:
    with pytest.raises(ValueError, match=r"method='exact' would take more than .* for 50 datasets and 12 classifiers"):
        steel_sign_test(np.random.default_rng(0).random((50, 12)), control=0, method="exact")


def test_chance_of_winning_everywhere_is_that_of_the_best_of_all() -> None:
    """All k - 1 others beat the control on every dataset with probability k^-n: part of inclusion and exclusion."""
    n, k = 3, 6

    result = steel_sign_test([[0, *range(1, k)]] * n, control=0, alternative="greater")

    # s given others all win on one dataset with probability 1 / (s + 1)
    expected = sum((-1) ** (s + 1) * comb(k - 1, s) * (1 / (s + 1)) ** n for s in range(1, k))
    assert result.pvalue[1] == pytest.approx(expected, rel=1e-12)


def by_quadrature(t: float, m: int, correlation: float, two_sided: bool) -> float:
    """P(largest >= t) by adaptive quadrature of the definition."""
    common, own = math.sqrt(correlation), math.sqrt(1 - correlation)

    def integrand(y: float) -> float:
        inside = log_ndtr((t - common * y) / own)
        if two_sided:
            inside = math.log(max(ndtr((t - common * y) / own) - ndtr((-t - common * y) / own), 1e-300))
        return -math.expm1(m * inside) * math.exp(-y * y / 2) / math.sqrt(2 * math.pi)

    value, _ = integrate.quad(integrand, -12, 12, points=[-t * common, t * common], epsabs=1e-15, epsrel=1e-12)
    return value


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("correlation", [0.0, 0.2, 1 / 3, 0.5])
@pytest.mark.parametrize("m", [2, 9, 100])
def test_tail_is_its_integral(m: int, correlation: float, two_sided: bool) -> None:
    t = np.array([0.3, 1.0, 2.5, 4.0])

    expected = [by_quadrature(one, m, correlation, two_sided) for one in t.tolist()]

    assert largest_sf(t, m, correlation, two_sided=two_sided) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("t", [0.5, 3.0, 12.0, 30.0])
def test_correlation_of_a_half_is_that_of_dunnett(t: float) -> None:
    """Into the far tail, which the definition of the other module computes from other variables."""
    expected = friedman_dunnett._sf(t, 7)

    assert largest_sf(np.array(t), 7, 0.5, two_sided=True) == pytest.approx(expected, rel=1e-12)


def test_one_variable_is_normal() -> None:
    t = np.array([-3.0, -0.5, 0.0, 2.0, 8.0])

    assert largest_sf(t, 1, 0.3, two_sided=False) == pytest.approx(ndtr(-t), rel=1e-12)


def test_without_correlation_the_variables_are_independent() -> None:
    t = np.array([-1.0, 0.7, 2.0])

    assert largest_sf(t, 4, 0.0, two_sided=False) == pytest.approx(1 - ndtr(t) ** 4, rel=1e-12)


def test_two_sided_tail_of_nothing_is_one() -> None:
    assert largest_sf(np.array([0.0, -1.0]), 3, 1 / 3, two_sided=True).tolist() == [1.0, 1.0]
