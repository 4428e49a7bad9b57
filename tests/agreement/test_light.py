"""Light's kappa: the mean of Cohen's kappas, and how sure it is."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.agreement import agreement_result, cohen_kappa, cohen_kappa_matrix, light, light_kappa

RATINGS = [[1, 1, 2], [2, 2, 3], [3, 3, 3], [3, 3, 3], [2, 2, 2], [1, 2, 3], [4, 4, 4], [1, 1, 2], [2, 2, 2]]
WEIGHTS = [None, "linear", "quadratic"]
rated = st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=12)


def test_three_raters_by_hand() -> None:
    """The first two agree in 3 of 4 cases, by chance in 2; the last two too; the first and the last as by chance."""
    result = light_kappa([["a", "a", "a"], ["a", "a", "b"], ["b", "b", "b"], ["b", "a", "a"]])

    assert result.kappas.tolist() == [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
    assert result.estimate == pytest.approx(1 / 3, rel=1e-15)


@given(rated, st.sampled_from(WEIGHTS))
def test_it_is_the_mean_of_the_kappas_of_cohen(ratings: list[list[int]], weights: str | None) -> None:
    labels = [0, 1, 2, 3]
    pairs = [
        cohen_kappa([r[a] for r in ratings], [r[b] for r in ratings], labels=labels, weights=weights).estimate
        for a, b in itertools.combinations(range(3), 2)
    ]

    result = light_kappa(ratings, labels=labels, weights=weights)

    if any(map(math.isnan, pairs)):
        assert math.isnan(result.estimate)
        assert result.reason == light.NO_KAPPA
    else:
        assert result.estimate == pytest.approx(np.mean(pairs), abs=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_two_raters_have_the_standard_error_of_cohen(weights: str | None) -> None:
    x = np.array(RATINGS)[:, :2]

    result, cohen = light_kappa(x, weights=weights), cohen_kappa(x[:, 0], x[:, 1], weights=weights)

    assert result.estimate == pytest.approx(cohen.estimate, rel=1e-13)
    assert result.standard_error == pytest.approx(cohen.standard_error * math.sqrt(9 / 8), rel=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_pvalue_is_near_the_share_of_all_arrangements(weights: str | None, alternative: str) -> None:
    """Five cases and three raters: 120 orders of the labels of two of them. The error of 9999 draws is .005."""
    x = np.array([[0, 0, 1], [2, 1, 2], [1, 1, 1], [2, 2, 2], [0, 2, 0]])
    orders = [list(order) for order in itertools.permutations(range(5))]
    all_ways = np.array([[x[:, 0], x[a, 1], x[b, 2]] for a in orders for b in orders]).swapaxes(1, 2)
    towards = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}[alternative]
    kappas, own = (towards(light_kappa(y, weights=weights, method="t").estimate) for y in (all_ways, x))

    result = light_kappa(x, weights=weights, alternative=alternative)

    assert (result.method, result.n_resamples, result.seed) == ("monte-carlo", 9999, 0)
    assert result.pvalue == pytest.approx((kappas >= own - 1e-9).mean(), abs=0.02)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_order_of_cases_and_raters_and_names_is_nothing_to_random_arrangements(weights: str | None) -> None:
    rng = np.random.default_rng(5)
    x = rng.choice(4, p=[0.4, 0.3, 0.2, 0.1], size=(20, 3))
    mixed = x[rng.permutation(20)][:, [2, 0, 1]]
    mixed = np.array([3, 0, 2, 1])[mixed] if weights is None else mixed

    here, there = (light_kappa(y, weights=weights, n_resamples=99) for y in (x, mixed))

    assert here.pvalue == there.pvalue


def test_raters_who_guess_are_rejected_as_often_as_the_level_says() -> None:
    """400 tables with a rare label, of which t would reject .4; 36 is the 99.99 % point of a binomial of .05."""
    x = np.random.default_rng(9).choice(2, p=[0.9, 0.1], size=(400, 40, 2))

    assert (light_kappa(x, n_resamples=99).pvalue <= 0.05).sum() <= 36
    assert (light_kappa(x, method="t").pvalue <= 0.05).mean() > 0.3


@pytest.mark.parametrize("weights", WEIGHTS)
def test_standard_error_is_near_the_jackknife(weights: str | None) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, (200, 1))
    x = np.where(rng.random((200, 4)) < 0.6, truth, rng.integers(0, 4, (200, 4)))
    without = light_kappa(np.stack([np.delete(x, i, axis=0) for i in range(200)]), weights=weights, method="t").estimate
    jackknife = math.sqrt(199 / 200 * np.sum((without - without.mean()) ** 2))

    assert light_kappa(x, weights=weights).standard_error == pytest.approx(jackknife, rel=0.03)


def test_interval_covers() -> None:
    """Raters who give the true label in 60 % of the cases and guess in the others: kappa of a pair is .36."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, (1000, 60, 1))
    x = np.where(rng.random((1000, 60, 3)) < 0.6, truth, rng.integers(0, 3, (1000, 60, 3)))

    low, high = light_kappa(x, method="t").confidence_interval(method="fisher")

    assert np.mean((low <= 0.36) & (high >= 0.36)) > 0.93


def test_matrix_of_kappas_is_that_of_all_pairs() -> None:
    assert light_kappa(RATINGS).kappas == pytest.approx(cohen_kappa_matrix(np.transpose(RATINGS)), rel=1e-12)


def test_batch_is_the_loop() -> None:
    x = np.random.default_rng(3).integers(0, 3, (2, 3, 8, 4))
    x[0, 0] = 1

    batch = light_kappa(x, labels=[0, 1, 2])

    for at in np.ndindex(2, 3):
        member = light_kappa(x[at], labels=[0, 1, 2])
        np.testing.assert_array_equal(
            [batch.estimate[at], batch.standard_error[at], batch.pvalue[at]],
            [member.estimate, member.standard_error, member.pvalue],
        )
        assert batch.reason[at] == member.reason


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[1, 1, 1], [1, 1, 1]], light.NO_KAPPA),
        ([[1, 1, 1], [2, 2, 2]], agreement_result.FULL_AGREEMENT),
        ([[1, 2, 3]], agreement_result.ONE_CASE),
        ([[1, 2], [2, 1]], agreement_result.NO_VARIANCE),
    ],
)
def test_degenerate_ratings_have_a_reason(ratings: Any, reason: str) -> None:
    result = light_kappa(ratings)

    assert result.reason == reason
    assert math.isnan(result.pvalue) == (reason == light.NO_KAPPA)
    assert math.isnan(light_kappa(ratings, method="t").pvalue)
    assert math.isnan(result.confidence_interval().low) == (reason != agreement_result.FULL_AGREEMENT)


@pytest.mark.parametrize(
    ("ratings", "choices", "message"),
    [
        ([[1, None], [1, 2]], {}, r"ratings must be complete, but ratings\[0, 1\] is missing; krippendorff_alpha"),
        ([[1], [2]], {}, "ratings must hold the labels of two raters or more"),
        ([[1, 2]], {"method": "exact"}, "method must be 'monte-carlo' or 't', not 'exact'"),
        ([[1, 2]], {"weights": "cubic"}, "weights must be 'linear' or 'quadratic', not 'cubic'"),
        ([[1, 3]], {"labels": [1, 2]}, r"ratings\[0, 1\] is 3"),
    ],
)
def test_what_is_refused(ratings: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        light_kappa(ratings, **choices)
