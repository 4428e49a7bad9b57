"""What is shown of a mean holds beside clusters of a kind that no sample held."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalstats.distributions.unseen_clusters import MOST_KINDS, ClusterLeads, fewest_clusters, share_never_seen


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
