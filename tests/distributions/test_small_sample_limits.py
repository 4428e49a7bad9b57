"""Limits from a few values: transformations written out, exact limits of counts, coverage, mirrors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.stats import skew, t

from evalstats.distributions import small_sample_limits
from evalstats.distributions.small_sample_limits import (
    MOST_KINDS,
    ClusterLeads,
    bounded_mean_draws,
    fewest_clusters,
    share_never_seen,
    skewed_mean_limits,
    skewness_of_mean,
    unseen_words,
    win_probability_limits,
)
from evalstats.metrics import proportion_interval

SKEWED = np.random.default_rng(1).exponential(size=(3, 12))


def test_skewness_is_that_of_scipy_over_the_root_of_n() -> None:
    deviations = SKEWED - SKEWED.mean(axis=1, keepdims=True)

    assert skewness_of_mean(deviations) == pytest.approx(skew(SKEWED, axis=1) / np.sqrt(12))
    assert skewness_of_mean(1e-200 * deviations) == pytest.approx(skewness_of_mean(deviations))
    assert skewness_of_mean(np.array([-1.0, 1.0])) == 0
    assert skewness_of_mean(np.zeros(4)) == 0


@pytest.mark.parametrize("skewness", [0.8, 0.1, 1e-3, -0.5])
def test_farther_limit_solves_the_transformation_of_hall(skewness: float) -> None:
    """The transform t + s t^2 / 3 + s^2 t^3 / 27 + s / 6 of (mean - limit) / error is Student's quantile."""
    low, high = skewed_mean_limits(2.0, 0.5, skewness, 7, 0.9)
    at = (2.0 - (high if skewness > 0 else low)) / 0.5

    transformed = at + skewness * at**2 / 3 + skewness**2 * at**3 / 27 + skewness / 6
    assert transformed == pytest.approx(-np.sign(skewness) * t.ppf(0.95, 7), rel=1e-9)


@pytest.mark.parametrize("skewness", [-2.0, -0.3, 0.0, 1e-7, 0.3, 2.0])
def test_no_limit_is_nearer_than_that_of_student(skewness: float) -> None:
    low, high = skewed_mean_limits(0.0, 1.0, skewness, 4, 0.95)
    mirrored = skewed_mean_limits(0.0, 1.0, -skewness, 4, 0.95)

    assert low <= -t.ppf(0.975, 4) * (1 - 1e-12)
    assert high >= t.ppf(0.975, 4) * (1 - 1e-12)
    assert (-mirrored[1], -mirrored[0]) == (pytest.approx(low), pytest.approx(high))


def test_tiny_skewness_is_the_straight_line() -> None:
    """Both branches meet."""
    near, beyond = (skewed_mean_limits(0.0, 1.0, s, 4, 0.95)[1] for s in (0.99e-5, 1.01e-5))

    assert near == pytest.approx(beyond, rel=1e-5)
    assert near < beyond


@pytest.mark.parametrize("wins", [0, 3, 8])
def test_limits_of_counts_are_those_of_clopper_and_pearson(wins: int) -> None:
    values = np.repeat([0.0, 1.0], [8 - wins, wins])[:, None]
    exact = proportion_interval(wins, 8, method="clopper-pearson")

    lower, upper = bounded_mean_draws(values, (0.0, 1.0), 200_000, np.random.default_rng(1))[:, 0]

    assert np.quantile(lower, 0.025) == pytest.approx(exact.low, abs=0.004)
    assert np.quantile(upper, 0.975) == pytest.approx(exact.high, abs=0.004)


def test_columns_and_rows_in_another_order_change_nothing() -> None:
    values = np.random.default_rng(2).random((7, 5))

    here = bounded_mean_draws(values, (0.0, 1.0), 50, np.random.default_rng(1))
    there = bounded_mean_draws(values[::-1, ::-1], (0.0, 1.0), 50, np.random.default_rng(1))

    assert np.array_equal(here[:, ::-1], there)


@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("n", [3, 10])
def test_limits_of_a_bounded_mean_cover(share: float, n: int) -> None:
    """Values of a beta distribution most of which are near an end; 95 % at least, but for four standard errors."""
    rng = np.random.default_rng(5)
    values = rng.beta(share / 2, (1 - share) / 2, (n, 2000))

    lower, upper = bounded_mean_draws(values, (0.0, 1.0), 999, rng)

    holds = (np.quantile(lower, 0.025, axis=1) <= share) & (share <= np.quantile(upper, 0.975, axis=1))
    assert holds.mean() >= 0.95 - 4 * np.sqrt(0.95 * 0.05 / 2000)


@pytest.mark.parametrize("estimate", [0.0, 0.2, 0.5, 0.97, 1.0])
def test_win_probability_limits_are_where_the_distance_is_the_quantile(estimate: float) -> None:
    """Newcombe's method 5 written out, with Student's quantile for the normal one."""
    n, m, strata = 4, 6, 3
    low, high = win_probability_limits(estimate, (n, m), strata, 0.95, 0.0)

    for limit in (low, high):
        if 0 < limit < 1 and limit != estimate:
            spread = 1 + ((n + m) / 2 - 1) * ((1 - limit) / (2 - limit) + limit / (1 + limit))
            error = np.sqrt(limit * (1 - limit) / (n * m) * spread / strata)
            assert abs(limit - estimate) == pytest.approx(t.ppf(0.975, strata * (n + m - 2)) * error, rel=1e-9)
    assert low <= estimate <= high
    assert high - low > 0.1


def test_win_probability_limits_mirror_and_widen_with_the_variance() -> None:
    low, high = win_probability_limits(0.7, (5, 5), 1, 0.95, 0.0)
    wider = win_probability_limits(0.7, (5, 5), 1, 0.95, 0.1)

    mirrored = win_probability_limits(0.3, (5, 5), 1, 0.95, 0.0)
    assert [1 - float(mirrored[1]), 1 - float(mirrored[0])] == pytest.approx([float(low), float(high)])
    assert wider[0] < low < high < wider[1]


@pytest.mark.parametrize(("n", "probability"), [(3, "0.73"), (10, "0.35"), (28, "0.05")])
def test_few_runs_may_miss_what_is_rare(n: int, probability: str) -> None:
    """0.9^n, the chance that none of n runs is one in ten."""
    assert f"absent from {n} runs with probability {probability};" in str(unseen_words(n))


def test_many_runs_show_what_happens_in_one_of_ten() -> None:
    assert 0.9**28 > 0.05 > 0.9**29
    assert unseen_words(29) is None


def equal(n: int, lead: float = 0.0) -> ClusterLeads:
    return ClusterLeads(np.full(n, 1 / n), np.full(n, lead / n))


@pytest.mark.parametrize("n", [1, 2, 8, 58, 59, 300])
def test_clusters_that_differ_nowhere_leave_room_for_a_share_never_seen(n: int) -> None:
    """By hand: none of n is of a kind that has the share m, with the probability (1 - m)^n."""
    assert equal(n).pvalue(-0.05, "greater") == pytest.approx(0.95**n, rel=1e-6)
    assert equal(n).limits(0.05, (0.0, 0.0)) == pytest.approx((0.05 ** (1 / n) - 1, 1 - 0.05 ** (1 / n)), rel=1e-6)


@pytest.mark.parametrize(("margin", "n"), [(0.05, 59), (0.01, 299), (0.1, 29), (0.2, 14), (1.0, 1)])
def test_fewest_clusters_leave_no_larger_share_than_the_margin(margin: float, n: int) -> None:
    assert fewest_clusters(margin, 0.05) == n
    assert share_never_seen(n, 0.05) <= margin
    assert n == 1 or share_never_seen(n - 1, 0.05) > margin


def test_pvalue_is_that_of_random_weights() -> None:
    """A million draws of the sum of exponential weights."""
    rng = np.random.default_rng(0)
    weights = rng.random(15) / 8
    weights /= weights.sum()
    leads = weights * rng.uniform(-0.4, 0.4, 15)
    found = ClusterLeads(weights, leads)
    drawn = rng.exponential(size=(10**6, 16))

    for alternative, sign in (("greater", 1), ("less", -1)):
        z = np.append(sign * (leads + 0.05 * weights), -(weights**2).sum() * (1 - sign * 0.05))
        share = (drawn @ z <= 0).mean()
        assert found.pvalue(-0.05, alternative) == pytest.approx(share, abs=5 * np.sqrt(0.25 / 10**6))


def test_one_difference_has_the_beta_distribution() -> None:
    """Clusters that all differ by d: the weight of the one more is a beta variable, and its limit (1 + d) times it."""
    low, _ = equal(20, 0.1).limits(0.05, (0.1, 0.1))

    assert low == pytest.approx(0.1 - 1.1 * stats.beta.ppf(0.95, 1, 20), rel=1e-6)


def test_limits_are_where_the_pvalue_is_alpha_and_swap_with_the_models() -> None:
    leads = np.random.default_rng(1).normal(0, 0.1, 40) / 40
    one, other = (ClusterLeads(np.full(40, 1 / 40), side) for side in (leads, -leads))
    low, high = one.limits(0.05, (0.0, 0.0))

    assert (one.pvalue(low, "greater"), one.pvalue(high, "less")) == pytest.approx((0.05, 0.05), rel=1e-6)
    assert other.limits(0.05, (0.0, 0.0)) == pytest.approx((-high, -low), rel=1e-9)
    assert one.limits(0.05, (-0.9, 0.9)) == (-0.9, 0.9)


def test_many_clusters_have_the_limits_of_the_normal_distribution() -> None:
    """But for the one more, which is 1 away and has the weight 1 / n."""
    rng = np.random.default_rng(2)
    d = rng.normal(0, 0.2, 20_000).clip(-1, 1)
    found = ClusterLeads(np.full(d.size, 1 / d.size), d / d.size)
    low, high = found.limits(0.05, (d.mean(), d.mean()))

    assert d.size > MOST_KINDS
    half = stats.norm.isf(0.05) * d.std() / np.sqrt(d.size)
    assert (d.mean() - low, high - d.mean()) == pytest.approx((half + 1 / d.size,) * 2, rel=1e-3)


def test_nothing_is_shown_of_clusters_at_the_margin_or_worse() -> None:
    assert equal(30, -0.05).pvalue(-0.05, "greater") == 1
    assert equal(30, -0.2).pvalue(-0.05, "greater") == 1
    assert equal(30, -0.2).pvalue_of_seen(-0.05) == 1
    assert equal(30).pvalue_of_seen(-0.05) == 0


def test_scores_that_never_differ_have_no_room_for_others() -> None:
    found = ClusterLeads(np.full(9, 1 / 9), np.zeros(9), largest=0.0)

    assert found.pvalue(-1.0, "greater") == 0
    assert found.limits(0.05, (0.0, 0.0)) == (0.0, 0.0)


def test_draws_do_not_depend_on_how_many_are_made_together(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).random((7, 2))
    whole = bounded_mean_draws(values, (0, 1), 20, np.random.default_rng(2))

    monkeypatch.setattr(small_sample_limits, "NUMBERS_AT_ONCE", 3)

    assert bounded_mean_draws(values, (0, 1), 20, np.random.default_rng(2)) == pytest.approx(whole, rel=1e-13)
