"""The mean of cases that vary together: by hand, by statsmodels, its laws, and what has no answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from evalstats.metrics import clustered_mean, proportion_interval

RNG = np.random.default_rng(20)
GROUPS = RNG.integers(0, 15, 90)
CORRECT = (RNG.random(90) < RNG.random(15)[GROUPS]).astype(float)


def test_four_passages_by_hand() -> None:
    """Sums of deviations .5, .5, -1.5, .5: the variance is 4/3 * 3 / 64."""
    result = clustered_mean([1, 1, 1, 1, 0, 0, 1, 1], clusters=list("aabbccdd"))

    assert result.estimate == 0.75
    assert result.standard_error == pytest.approx(0.25, rel=1e-14)
    assert (result.df, result.n_clusters, result.n_instances) == (3, 4, 8)
    assert result.design_effect == pytest.approx((4 / 3 * 3 / 64) / (1.5 / 7 / 8), rel=1e-13)
    assert result.effective_sample_size == pytest.approx(3, rel=1e-13)


def test_standard_error_is_that_of_a_cluster_robust_regression_where_groups_are_of_one_size() -> None:
    groups = np.arange(90) % 15
    result = clustered_mean(CORRECT, clusters=groups)

    fit = sm.OLS(CORRECT, np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    assert result.standard_error == pytest.approx(fit.bse[0], rel=1e-12)
    np.testing.assert_allclose(
        [result.confidence_interval(method="t").low, result.confidence_interval(method="t").high],
        fit.conf_int()[0],
        rtol=1e-12,
    )


def test_groups_of_unequal_size_have_a_larger_standard_error_and_fewer_degrees_of_freedom() -> None:
    result = clustered_mean(CORRECT, clusters=GROUPS)
    fit = sm.OLS(CORRECT, np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": GROUPS}, use_t=True)

    assert fit.bse[0] < result.standard_error < 1.1 * fit.bse[0]
    assert result.effective_clusters - 2 < result.df < result.effective_clusters < 15
    assert result.effective_clusters == pytest.approx(90**2 / (np.bincount(GROUPS) ** 2).sum(), rel=1e-12)


def test_independent_answers_have_nearly_the_interval_of_wilson() -> None:
    """With many cases t is normal, and p (1 - p) / SE^2 is n - 1."""
    correct = np.repeat([1, 0], [7000, 3000])

    ours, wilson = clustered_mean(correct).confidence_interval(), proportion_interval(7000, 10_000)

    np.testing.assert_allclose([ours.low, ours.high], [wilson.low, wilson.high], rtol=1e-5)


def test_copies_of_a_case_add_nothing_but_cases() -> None:
    """Five samples that always agree say no more than one."""
    once = clustered_mean(CORRECT)
    copied = clustered_mean(np.repeat(CORRECT, 5), clusters=np.repeat(np.arange(90), 5))

    assert copied.standard_error == pytest.approx(once.standard_error, rel=1e-12)
    assert copied.design_effect == pytest.approx(5 * 449 / 445, rel=1e-12)
    ours, theirs = (one.confidence_interval(method="wilson") for one in (copied, once))
    assert ours.low == pytest.approx(theirs.low, rel=1e-12)


def test_means_of_groups_of_one_size_are_the_cases() -> None:
    values = RNG.random((12, 5))

    of_cases = clustered_mean(values.ravel(), clusters=np.repeat(np.arange(12), 5))
    of_means = clustered_mean(values.mean(axis=1))

    assert of_cases.estimate == pytest.approx(of_means.estimate, rel=1e-14)
    assert of_cases.standard_error == pytest.approx(of_means.standard_error, rel=1e-12)


def test_batch_is_the_loop_and_order_does_not_matter() -> None:
    batch = RNG.random((3, 2, 90))
    strata = GROUPS % 3
    order = RNG.permutation(90)

    result = clustered_mean(batch, clusters=GROUPS, strata=strata, average="macro")
    shuffled = clustered_mean(batch[..., order], clusters=GROUPS[order], strata=strata[order], average="macro")

    for at in np.ndindex(3, 2):
        one = clustered_mean(batch[at], clusters=GROUPS, strata=strata, average="macro")
        assert (one.estimate, one.standard_error, one.df) == (
            result.estimate[at],
            result.standard_error[at],
            result.df[at],
        )
        assert one.confidence_interval().low == result.confidence_interval().low[at]
    np.testing.assert_allclose(shuffled.standard_error, result.standard_error, rtol=1e-12)


def test_macro_counts_each_benchmark_the_same() -> None:
    result = clustered_mean([1, 1, 1, 0, 0, 0, 0, 0, 1, 0], strata=["s"] * 4 + ["l"] * 6, average="macro")

    assert result.strata == ("s", "l")
    np.testing.assert_allclose(result.stratum_means, [0.75, 1 / 6])
    assert result.estimate == pytest.approx((0.75 + 1 / 6) / 2, rel=1e-14)


@pytest.mark.parametrize("n", [1, 5, 200])
def test_all_right_still_has_an_interval(n: int) -> None:
    """As wide as that of as many right answers as there are groups, with the t distribution."""
    result = clustered_mean(np.ones(3 * (n + 1)), clusters=np.arange(3 * (n + 1)) // 3)

    low, high = result.confidence_interval()

    assert (result.standard_error, result.effective_sample_size, high) == (0, n + 1, 1)
    assert 0 < low < proportion_interval(n + 1, n + 1).low
    assert "standard error is 0" in result.reason


def test_single_group_says_why_there_is_no_interval() -> None:
    result = clustered_mean([1, 0, 1], clusters=[4, 4, 4])

    assert np.isnan([result.standard_error, *result.confidence_interval()]).all()
    assert "single cluster" in result.reason
    assert np.isnan(list(clustered_mean([1]).confidence_interval())).all()


def test_scores_that_are_no_shares_have_the_interval_of_t() -> None:
    result = clustered_mean([3.0, 5.0, 4.0, 8.0])

    low, high = result.confidence_interval()

    assert (low, high) == tuple(result.confidence_interval(method="t"))
    assert low + high == pytest.approx(10)
    with pytest.raises(ValueError, match="method='wilson' is for scores within"):
        result.confidence_interval(method="wilson")
    assert np.isnan(clustered_mean([3.0, 3.0]).confidence_interval().low)


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_interval_stays_in_the_range_and_holds_the_estimate(share: float) -> None:
    correct = np.random.default_rng(3).random((200, 40)) < share

    result = clustered_mean(correct, clusters=np.arange(40) // 4)

    low, high = result.confidence_interval()
    assert ((low >= 0) & (low <= result.estimate + 1e-12) & (result.estimate <= high + 1e-12) & (high <= 1)).all()
    assert (low < high).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": [1, np.nan]}, r"scores must be finite, but scores\[1\] is nan"),
        ({"scores": []}, "scores must hold at least 1 instance"),
        ({"scores": 1.0}, "scores must hold at least 1 instance"),
        ({"scores": ["a", "b"]}, "scores must be numbers"),
        ({"scores": [1, 0], "clusters": [1, None]}, r"clusters\[1\] is None"),
        ({"scores": [1, 0, 1], "clusters": [1, 1, 1], "strata": [1, 2, 1]}, "clusters must not cross strata"),
        ({"scores": pd.Series([1, 0]), "clusters": pd.Series([1, 2], index=[1, 0])}, "equal indexes"),
        ({"scores": [1e200, 1]}, "scores must lie between -1e150 and 1e150"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        clustered_mean(**arguments)


def test_few_clusters_is_wilson_with_parts_of_two_groups_more() -> None:
    """Four passages of two questions: the means 1, 1, 0, 1, a tenth of a passage at 1 and a tenth at 0."""
    result = clustered_mean([1, 1, 1, 1, 0, 0, 1, 1], clusters=[1, 1, 2, 2, 3, 3, 4, 4])
    squares = 3 * 0.25**2 + 0.75**2
    variance = 4 / 3 * (squares + 0.1 * (0.75**2 + 0.25**2)) / 4**2
    n = 0.75 * 0.25 / variance
    t = np.sqrt(stats.f.ppf(0.95, 1, 3))
    centre, half = (0.75 + t**2 / (2 * n)), t * np.sqrt(0.75 * 0.25 / n + t**2 / (4 * n**2))

    low, high = result.confidence_interval(method="few-clusters")

    assert [low, high] == pytest.approx([(centre - half) / (1 + t**2 / n), (centre + half) / (1 + t**2 / n)], rel=1e-12)
    wilson = result.confidence_interval(method="wilson")
    assert low < wilson.low < wilson.high < high
    assert tuple(result.confidence_interval()) == (low, high)


def test_few_clusters_shares_its_groups_among_the_strata() -> None:
    """Two alike benchmarks have nearly the interval of one that is twice as large."""
    correct = np.random.default_rng(4).random((40, 5)) < np.random.default_rng(5).random((40, 1))
    groups = np.repeat(np.arange(80), 5)
    twice = np.tile(correct.ravel(), 2)

    apart = clustered_mean(twice, clusters=groups, strata=np.repeat(["a", "b"], 200))
    together = clustered_mean(twice, clusters=groups)

    np.testing.assert_allclose(
        list(apart.confidence_interval(method="few-clusters")),
        list(together.confidence_interval(method="few-clusters")),
        rtol=0.01,
    )


def test_few_clusters_covers_where_wilson_does_not() -> None:
    """Ten clusters of 80 answers, nine in ten right, correlation .5: Wilson's covers .86."""
    rng = np.random.default_rng(6)
    ease = rng.beta(0.9, 0.1, (1500, 10))
    scores = rng.binomial(20, np.repeat(ease, 4, axis=1)) / 20
    result = clustered_mean(scores, clusters=np.repeat(np.arange(10), 4))

    covers = {}
    for method in ("wilson", "few-clusters"):
        low, high = result.confidence_interval(method=method)
        covers[method] = np.mean((low <= 0.9) & (high >= 0.9))

    assert covers["wilson"] < 0.90
    assert covers["few-clusters"] > 0.95 - 3 * 0.0057


def test_interval_covers_where_a_few_groups_of_many_are_large() -> None:
    """100 groups of which few are large, nine in ten right, correlation .8: the deviations of groups cover .86."""
    rng = np.random.default_rng(7)
    sizes = np.minimum(300, np.ceil(np.random.default_rng(100).pareto(1, 100) + 1)).astype(int)
    groups = np.repeat(np.arange(100), sizes)
    ease = rng.beta(0.25 * 0.9, 0.25 * 0.1, (1500, 100))
    result = clustered_mean(rng.random((1500, groups.size)) < ease[:, groups], clusters=groups)

    covers = {}
    for method in ("wilson", "auto"):
        low, high = result.confidence_interval(method=method)
        covers[method] = np.mean((low <= 0.9) & (high >= 0.9))

    assert covers["wilson"] < 0.92
    assert covers["auto"] > 0.95 - 3 * 0.0057


def test_few_clusters_is_wilson_without_variance_and_nan_without_a_standard_error() -> None:
    right = clustered_mean(np.ones(8), clusters=[1, 1, 2, 2, 3, 3, 4, 4])

    assert tuple(right.confidence_interval(method="few-clusters")) == tuple(right.confidence_interval())
    assert np.isnan(list(clustered_mean([1, 0], clusters=[1, 1]).confidence_interval(method="few-clusters"))).all()
    with pytest.raises(ValueError, match="method='few-clusters' is for scores within"):
        clustered_mean([1.0, 3.0]).confidence_interval(method="few-clusters")
