"""Paired differences of cases that vary together: by hand, by statsmodels, by enumeration, and their laws."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm

from evalstats import (
    clustered_ttest,
    equivalence_test,
    mcnemar_test,
    noninferiority_test,
    paired_ttest,
    permutation_test,
)
from evalstats.paired import clustered_permutation_test

RNG = np.random.default_rng(8)
N = 120
GROUPS = RNG.integers(0, 25, N)
STRATA = GROUPS % 3
X = (RNG.random(N) < 0.7).astype(float)
Y = (RNG.random(N) < 0.6).astype(float)
HAND = {"x": [1, 1, 1, 1, 0, 1, 1, 1], "y": [1, 0, 1, 0, 0, 0, 1, 1], "clusters": list("aabbccdd")}


def test_four_passages_by_hand() -> None:
    """Totals 1, 1, 1, 0 of two questions each: deviations 1/4, 1/4, 1/4, -3/4, variance 4/3 * 3/4 / 64 = 1/64."""
    result = clustered_ttest(**HAND)

    assert (result.mean_difference, result.standard_error, result.df) == (0.375, 0.125, 3)
    assert result.statistic == pytest.approx(3, rel=1e-14)
    assert clustered_permutation_test(**HAND).pvalue == 0.25  # three signs: 2 of 8


def test_t_is_that_of_a_cluster_robust_regression_where_groups_are_of_one_size() -> None:
    groups = np.arange(N) % 24
    fit = sm.OLS(X - Y, np.ones(N)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)

    result = clustered_ttest(X, Y, clusters=groups)

    assert result.statistic == pytest.approx(fit.tvalues[0], rel=1e-11)
    assert result.pvalue == pytest.approx(fit.pvalues[0], rel=1e-10)
    np.testing.assert_allclose(tuple(result.confidence_interval()), fit.conf_int()[0], rtol=1e-10)


def test_strata_are_tests_of_their_own() -> None:
    alone = [
        clustered_ttest(X[s == STRATA], Y[s == STRATA], clusters=GROUPS[s == STRATA])
        for s in dict.fromkeys(STRATA.tolist())
    ]

    result = clustered_ttest(X, Y, clusters=GROUPS, strata=STRATA, average="macro")

    errors = np.array([one.standard_error for one in alone])
    np.testing.assert_allclose(result.stratum_differences, [one.mean_difference for one in alone], rtol=1e-10)
    np.testing.assert_allclose(result.stratum_standard_errors, errors, rtol=1e-10)
    assert result.mean_difference == pytest.approx(np.mean([one.mean_difference for one in alone]), rel=1e-10)
    assert result.standard_error == pytest.approx(np.sqrt((errors**2).sum()) / 3, rel=1e-10)


# sizes of clusters of which the sandwich of equal ones made the t-test reject .11 to .28
UNEQUAL = {
    "two dominate": [2] * 18 + [40] * 2,
    "one dominates": [3] * 29 + [57],
    "geometric": [2**j for j in range(8)],
    "log-normal": np.maximum(1, np.random.default_rng(50).lognormal(1, 1.2, 50)).astype(int).tolist(),
    "Pareto": np.minimum(200, np.ceil(np.random.default_rng(30).pareto(1, 30) + 1)).astype(int).tolist(),
}


@pytest.mark.parametrize("shape", UNEQUAL)
@pytest.mark.parametrize("answers", ["right or wrong", "real"])
def test_level_holds_for_clusters_of_unequal_size(shape: str, answers: str) -> None:
    """2000 experiments with two equal models, whose answers correlate by about .5 in a cluster."""
    groups = np.repeat(np.arange(len(UNEQUAL[shape])), UNEQUAL[shape])
    rng = np.random.default_rng(9)
    x, y = (
        rng.normal(size=(2000, len(UNEQUAL[shape])))[:, groups] + rng.normal(size=(2000, groups.size)) for _ in "xy"
    )
    if answers == "right or wrong":
        x, y = x < 0.5, y < 0.5

    rejected = clustered_ttest(x, y, clusters=groups).pvalue <= 0.05

    assert rejected.mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_without_groups_it_is_the_paired_ttest() -> None:
    ours, known = clustered_ttest(X, Y), paired_ttest(X, Y)

    assert ours.df == known.df
    assert ours.statistic == pytest.approx(known.statistic, rel=1e-12)
    assert clustered_permutation_test(X, Y).pvalue == permutation_test(X, Y).pvalue


def test_right_and_wrong_in_groups_are_those_of_mcnemar() -> None:
    for alternative in ("two-sided", "less", "greater"):
        ours = clustered_permutation_test(X, Y, clusters=GROUPS, alternative=alternative)
        theirs = mcnemar_test(X.astype(bool), Y.astype(bool), clusters=GROUPS, alternative=alternative)
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_macro_average_counts_every_assignment_of_signs(alternative: str) -> None:
    groups, strata = np.repeat(np.arange(9), 3), np.repeat(["a", "b"], [6, 21])
    x, y = RNG.integers(0, 5, (2, 27)).astype(float)
    weights = np.where(strata == "a", 1 / 12, 1 / 42)
    totals = [((x - y) * weights)[groups == g].sum() for g in range(9)]
    sums = np.array([np.dot(signs, np.abs(totals)) for signs in itertools.product((-1, 1), repeat=9)])
    total = sum(totals)
    extreme = {
        "greater": sums >= total - 1e-12,
        "less": sums <= total + 1e-12,
        "two-sided": np.abs(sums) >= abs(total) - 1e-12,
    }[alternative]

    result = clustered_permutation_test(x, y, clusters=groups, strata=strata, average="macro", alternative=alternative)

    assert result.statistic == pytest.approx(total, rel=1e-12)
    assert (result.pvalue, result.method) == (extreme.mean(), "exact")


def test_interval_of_the_permutation_test_leaves_out_zero_where_it_rejects() -> None:
    groups = np.repeat(np.arange(10), 4)
    for seed in range(40):
        rng = np.random.default_rng(seed)
        x, y = rng.integers(0, 6, (2, 40)) + 0.0
        x += rng.integers(0, 3)
        result = clustered_permutation_test(x, y, clusters=groups)
        low, high = result.confidence_interval()
        assert (low > 0 or high < 0) == (result.pvalue <= 0.05 and low * high != 0)


def test_interval_moves_with_the_scores() -> None:
    """Groups of other sizes count with their cases."""
    groups = GROUPS % 12
    here = clustered_permutation_test(X, Y, clusters=groups).confidence_interval()
    there = clustered_permutation_test(X + 2, Y, clusters=groups).confidence_interval()

    np.testing.assert_allclose(np.subtract(tuple(there), tuple(here)), 2, rtol=1e-9)


def test_few_groups_cannot_reach_five_percent() -> None:
    """Whatever the cases say: five passages have a two-sided p of 1/16 at least."""
    groups = np.repeat(np.arange(5), 200)

    result = clustered_permutation_test(np.ones(1000), np.zeros(1000), clusters=groups)

    assert result.pvalue == result.min_attainable_pvalue == 2 / 32


@pytest.mark.parametrize("test", [clustered_ttest, clustered_permutation_test])
def test_order_of_cases_and_names_of_groups_do_not_matter(test: Any) -> None:
    order = RNG.permutation(N)
    names = np.array([f"passage {g}" for g in GROUPS])

    here = test(X, Y, clusters=GROUPS, strata=STRATA, average="macro")
    there = test(X[order], Y[order], clusters=names[order], strata=STRATA[order], average="macro")

    assert there.statistic == pytest.approx(here.statistic, rel=1e-12)
    assert there.pvalue == pytest.approx(here.pvalue, rel=1e-11)


@pytest.mark.parametrize("test", [clustered_ttest, clustered_permutation_test])
def test_batch_in_groups_is_the_loop(test: Any) -> None:
    x, y = RNG.integers(0, 2, (2, 4, N))

    batch = test(x, y, clusters=GROUPS, strata=STRATA, average="macro")

    for i in range(4):
        one = test(x[i], y[i], clusters=GROUPS, strata=STRATA, average="macro")
        assert (one.statistic, one.pvalue) == (batch.statistic[i], batch.pvalue[i])


def test_groups_that_all_differ_alike_have_no_t() -> None:
    result = clustered_ttest([2, 3, 4, 5], [1, 2, 3, 4], clusters=[1, 1, 2, 2])

    assert (result.statistic, result.standard_error) == (np.inf, 0)
    assert np.isnan([result.pvalue, *result.confidence_interval()]).all()
    assert "does not apply" in result.reason


def test_all_ties_are_said() -> None:
    for test in (clustered_ttest, clustered_permutation_test):
        result = test(X, X, clusters=GROUPS)
        assert (result.statistic, result.pvalue) == (0, 1)
        assert isinstance(result.reason, str)


def test_single_group_has_no_t() -> None:
    result = clustered_ttest([1, 0, 1], [0, 0, 1], clusters=["only"] * 3)

    assert np.isnan([result.statistic, result.pvalue, result.standard_error]).all()
    assert "single cluster" in result.reason
    assert clustered_permutation_test([1, 0, 1], [0, 0, 1], clusters=["only"] * 3).pvalue == 1


def test_group_that_crosses_strata_is_refused() -> None:
    for test in (clustered_ttest, clustered_permutation_test):
        with pytest.raises(ValueError, match="clusters must not cross strata, but cluster 'p'"):
            test([1, 0, 1], [0, 0, 1], clusters=["p", "q", "p"], strata=["a", "a", "b"])


@pytest.mark.parametrize("unit", [1.0, 0.1, 1 / 3])
def test_difference_at_the_margin_in_every_cluster_is_at_the_margin_in_every_unit(unit: float) -> None:
    y = np.array([9.0, 9, 6, 6, 3, 3, 9, 3]) * unit
    choices = {"margin": 3 * unit, "clusters": [0, 0, 1, 1, 2, 2, 3, 3], "test": "clustered-t"}

    assert noninferiority_test(y - 3 * unit, y, **choices).pvalue == 1
    assert equivalence_test(y - 3 * unit, y, **choices).pvalue_low == 1
