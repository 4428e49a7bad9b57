"""Subgroups: values of metafor, statsmodels and R, limits, the change of sign, and small subgroups."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from evalstats import EvalstatsWarning, InvalidValueError, delong_test, report
from evalstats.paired import clustered_ttest, gap_change_test, subgroup_test, subgroup_test_from_estimates

# n, only x is correct, only y: 40 10 2, 30 6 5, 20 1 6
X = np.repeat([1, 0, 1, 1, 0, 1, 1, 0, 1], [10, 2, 28, 6, 5, 19, 1, 6, 13])
Y = np.repeat([0, 1, 1, 0, 1, 1, 0, 1, 1], [10, 2, 28, 6, 5, 19, 1, 6, 13])
G = np.repeat(["g1", "g2", "g3"], [40, 30, 20])


def test_interaction_is_that_of_metafor_and_statsmodels() -> None:
    """`rma(method='FE')` of metafor 3.8-1, `combine_effects` of statsmodels 0.15.0, and lm with HC0."""
    result = subgroup_test(X, Y, G, method="asymptotic")

    assert result.method == "chi2"
    assert result.difference == pytest.approx([0.2, 1 / 30, -0.25])
    assert result.standard_error**2 == pytest.approx([0.0065, 0.0121851852, 0.014375])
    assert (result.statistic, result.df) == (pytest.approx(9.74289689, abs=1e-8), 2)
    assert result.pvalue == pytest.approx(0.00766225890, abs=1e-10)
    assert result.exact_pvalue == pytest.approx(0.0129212587, abs=1e-10)


def test_change_of_sign() -> None:
    """Gail & Simon (1985); the second by hand from its differences and standard errors."""
    result = subgroup_test(X, Y, G)
    other = subgroup_test_from_estimates([0.163, -0.114, -0.047, -0.151], [0.0788, 0.0689, 0.0614, 0.0547])

    assert result.crossover_statistic == pytest.approx(4.34782609, abs=1e-8)
    assert result.crossover_pvalue == pytest.approx(0.0469610, abs=1e-7)
    assert other.crossover_statistic == pytest.approx(4.27880775, abs=1e-8)
    assert other.crossover_pvalue == pytest.approx(0.08772943, abs=1e-8)


def test_change_of_sign_of_differences_of_one_sign_has_p_one() -> None:
    assert subgroup_test_from_estimates([0.1, 0.2], [0.1, 0.1]).crossover_pvalue == 1


def test_limits_hold_together() -> None:
    """Of three independent normal estimates: g1 from 1 to 39 points, and g3 at least -54."""
    result = subgroup_test(X, Y, G)
    c = norm.ppf((1 + 0.95 ** (1 / 3)) / 2)

    assert result.lower == pytest.approx(result.difference - c * result.standard_error)
    assert (round(100 * result.lower[0]), round(100 * result.upper[0])) == (1, 39)
    assert (result.worst_subgroup, round(100 * result.worst_lower)) == ("g3", -54)


def test_noninferiority_needs_every_subgroup() -> None:
    result = subgroup_test(X, Y, G, margin=0.3)

    each = norm.sf((result.difference + 0.3) / result.standard_error)
    assert result.noninferiority_pvalue == pytest.approx(each.max())
    assert math.isnan(subgroup_test(X, Y, G).noninferiority_pvalue)


def test_swap_mirrors_the_differences() -> None:
    first, second = subgroup_test(X, Y, G), subgroup_test(Y, X, G)

    assert second.pvalue == first.pvalue
    assert second.statistic == pytest.approx(first.statistic)
    assert second.upper == pytest.approx(-first.lower)
    assert second.crossover_pvalue == pytest.approx(first.crossover_pvalue)


def test_order_of_instances_does_not_matter() -> None:
    order = np.random.default_rng(1).permutation(90)
    first, second = subgroup_test(X, Y, G), subgroup_test(X[order], Y[order], G[order])

    assert second.subgroups == first.subgroups
    assert second.pvalue == pytest.approx(first.pvalue, rel=1e-12)


def test_small_subgroups_are_permuted() -> None:
    small = subgroup_test(X[:80], Y[:80], G[:80], n_resamples=999)

    assert subgroup_test(np.tile(X, 3), np.tile(Y, 3), np.tile(G, 3)).method == "chi2"
    assert (small.method, small.n_resamples, small.seed) == ("monte-carlo", 999, 0)


def test_permutation_is_near_chi_squared_in_large_subgroups() -> None:
    x, y, g = np.tile(X, 4), np.tile(Y, 4), np.tile(G, 4)
    rng = np.random.default_rng(0)
    mixed = rng.permutation(g)

    by_chi2 = subgroup_test(x, y, mixed, method="asymptotic").pvalue
    permuted = subgroup_test(x, y, mixed, method="permutation").pvalue

    assert permuted == pytest.approx(by_chi2, abs=0.03)


def test_subgroup_without_variance_has_no_limits_but_is_permuted() -> None:
    x, y, g = [1] * 10 + [1, 0] * 10, [1] * 10 + [0, 1] * 5 + [0] * 10, ["a"] * 10 + ["b"] * 20

    result, asymptotic = subgroup_test(x, y, g), subgroup_test(x, y, g, method="asymptotic")

    assert result.method == "monte-carlo"
    assert 0 < result.pvalue <= 1
    assert math.isnan(result.lower[0])
    assert "do not vary have no limits: 'a'" in result.reason
    assert math.isnan(asymptotic.pvalue)
    assert "fewer than two subgroups can be tested" in asymptotic.reason


def test_tiny_subgroups_are_shown_and_not_tested() -> None:
    result = subgroup_test([*X, 1, 0], [*Y, 0, 0], [*G, "h", "h"], method="asymptotic")

    assert result.n_instances.tolist() == [40, 30, 20, 2]
    assert result.difference[3] == 0.5
    assert math.isnan(result.lower[3])
    assert result.pvalue == pytest.approx(0.00766225890, abs=1e-10)
    assert "fewer than 5 instances or clusters are not tested: 'h'" in result.reason


def test_missing_names_are_a_subgroup() -> None:
    named = [None if g == "g3" else g for g in G.tolist()]

    assert subgroup_test(X, Y, named).subgroups == ("g1", "g2", "not given")


def test_clusters_give_the_standard_errors_of_the_clustered_test() -> None:
    rng = np.random.default_rng(2)
    x, y, groups = rng.random(120), rng.random(120), np.repeat([0, 1, 2], 40)
    clusters = np.arange(120) // 4

    result = subgroup_test(x, y, groups, clusters=clusters, method="asymptotic")

    inner = clustered_ttest(x[:40], y[:40], clusters=clusters[:40])
    assert result.standard_error[0] == pytest.approx(inner.standard_error)
    assert result.n_clusters == 30
    assert subgroup_test(x, y, groups, clusters=clusters).method == "monte-carlo"
    with pytest.raises(ValueError, match="clusters must not cross subgroups, but cluster 0 does"):
        subgroup_test(x, y, groups, clusters=np.arange(120) % 10)


def test_rounding_of_sums_is_no_variance_of_clusters() -> None:
    """All instances differ by 0.1, but the sums of clusters of one to seven instances are rounded."""
    sizes = np.arange(1, 8)
    clusters, groups = np.repeat(np.arange(14), [*sizes, *sizes]), np.repeat(["a", "b"], sizes.sum())
    x = np.full(len(groups), 0.1)

    result = subgroup_test(x, 0 * x, groups, clusters=clusters, method="asymptotic")

    assert result.standard_error.tolist() == [0, 0]
    assert math.isnan(result.pvalue)


def test_areas_by_delong() -> None:
    """Differences of AUC in two subgroups: Q is the squared z of their difference."""
    rng = np.random.default_rng(3)
    found = []
    for lead in (0.0, 1.0):
        y = rng.integers(0, 2, 80)
        found.append(delong_test(y, y * lead + rng.normal(size=80), rng.normal(size=80), df="infinite"))
    d, error = [one.difference for one in found], [one.standard_error for one in found]

    result = subgroup_test_from_estimates(d, error, subgroups=["young", "old"])

    assert result.statistic == pytest.approx((d[0] - d[1]) ** 2 / (error[0] ** 2 + error[1] ** 2))
    assert result.subgroups == ("young", "old")


def test_gap_change_is_the_interaction_among_the_instances_of_the_class() -> None:
    y_true = np.tile([1, 1, 0], 30)
    result = gap_change_test(y_true, X, Y, G, rate="tpr")
    kept = y_true == 1

    inner = subgroup_test(X[kept], Y[kept], G[kept])
    assert (result.statistic, result.pvalue) == (inner.statistic, inner.pvalue)
    with pytest.raises(ValueError, match="rate='fpr' needs instances of its class"):
        gap_change_test([1] * 90, X, Y, G, rate="fpr", pos_label=1)


@pytest.mark.parametrize("wrong", [{"subgroup": [0, 1]}, {"subgroup": G, "clusters": [0, 1]}])
def test_gap_change_needs_a_subgroup_and_a_cluster_of_each_instance(wrong: dict[str, Any]) -> None:
    with pytest.raises(
        InvalidValueError, match=r"must have one value for each of 90 instances, but its shape is \(2,\)"
    ):
        gap_change_test([1, 0] * 45, X, Y, **wrong)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="subgroup must hold two subgroups or more, but it holds 'a' only"):
        subgroup_test([1, 0], [0, 1], ["a", "a"])
    with pytest.raises(ValueError, match="subgroup must name one subgroup for each of the 2 instances"):
        subgroup_test([1, 0], [0, 1], ["a"])
    with pytest.raises(ValueError, match=r"standard_error must be positive, but standard_error\[1\] is 0"):
        subgroup_test_from_estimates([1, 2], [1, 0])
    with pytest.raises(ValueError, match="margin must be above 0"):
        subgroup_test(X, Y, G, margin=-1.0)
    with pytest.warns(EvalstatsWarning, match="there are 60 subgroups"):
        subgroup_test(np.tile([1, 0, 1, 0, 1, 1], 60), np.tile([0, 1, 1, 0, 0, 1], 60), np.repeat(np.arange(60), 6))


def test_sentence() -> None:
    assert report.sentence(subgroup_test(X, Y, G, method="asymptotic")) == (
        "Test of equal differences in 3 subgroups: χ²(2) = 9.743, p = 0.00766 (χ² approximation); change of sign "
        "p = 0.0470."
    )
