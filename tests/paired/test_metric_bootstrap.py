from __future__ import annotations

import json
import math
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sklearn_metrics

from evalstats import delong_test
from evalstats.paired.metric_bootstrap import MetricBootstrapTestResult, metric_bootstrap_test

ALTERNATIVES = ["two-sided", "less", "greater"]
METHODS = ["bca", "percentile", "basic"]


def two_classifiers(n: int, seed: int = 0, accuracies: tuple[float, float] = (0.85, 0.75)) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    y_true = rng.random(n) < 0.4
    right = rng.random((2, n)) < np.array(accuracies)[:, None]
    return [y_true.astype(int), *np.where(right, y_true, ~y_true).astype(int)]


def two_rankings(n: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    y_true = rng.random(n) < 0.4
    common = rng.normal(size=n)
    return [y_true, 1.4 * y_true + common + rng.normal(size=n) / 2, y_true + common + rng.normal(size=n) / 2]


def test_difference_of_accuracies_has_a_known_spread() -> None:
    """Its variance, n times, is (b + c) / n - ((b - c) / n)^2."""
    y_true, x, y = two_classifiers(400)
    b, c = np.sum((x == y_true) & (y != y_true)), np.sum((x != y_true) & (y == y_true))
    error = math.sqrt(((b + c) / 400 - ((b - c) / 400) ** 2) / 400)

    result = metric_bootstrap_test(y_true, x, y, metric="accuracy", n_resamples=40_000, rng=1)
    low, high = result.confidence_interval()

    assert result.difference == pytest.approx((b - c) / 400, abs=1e-15)
    assert result.standard_error == pytest.approx(error, rel=0.02)
    assert (low, high) == pytest.approx((result.difference - 1.96 * error, result.difference + 1.96 * error), abs=0.005)
    assert (result.method, result.reason, result.n_undefined, result.n_clusters) == ("bca", None, 0, None)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_interval_is_that_of_scipy_on_rows(method: str, alternative: str) -> None:
    """Two independent samples of replicates: the limits agree to about a twentieth of a standard error."""
    y_true, x, y = two_classifiers(60, seed=4)

    def difference(rows: np.ndarray, axis: int) -> np.ndarray:
        rows = rows.astype(int)
        true = y_true[rows]

        def f1(predicted: np.ndarray) -> np.ndarray:
            return 2 * (true & predicted).sum(axis) / (true.sum(axis) + predicted.sum(axis))

        return f1(x[rows]) - f1(y[rows])

    theirs = stats.bootstrap(
        (np.arange(60),),
        difference,
        n_resamples=20_000,
        alternative=alternative,
        method=method if method != "bca" else "BCa",
        rng=np.random.default_rng(1),
    )

    ours = metric_bootstrap_test(y_true, x, y, method=method, alternative=alternative, n_resamples=20_000, rng=2)

    limits, expected = np.array(tuple(ours.confidence_interval())), np.array(theirs.confidence_interval)
    bounded = np.isfinite(expected)
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=0.03)
    np.testing.assert_array_equal(np.isfinite(limits), bounded)
    np.testing.assert_allclose(limits[bounded], expected[bounded], atol=ours.standard_error / 10)


def test_interval_of_areas_is_near_that_of_delong() -> None:
    y_true, x, y = two_rankings(120)
    delong = delong_test(y_true, x, y, df="infinite")

    result = metric_bootstrap_test(y_true, x, y, metric="roc_auc", rng=1)

    assert result.standard_error == pytest.approx(delong.standard_error, rel=0.08)
    np.testing.assert_allclose(
        tuple(result.confidence_interval()), tuple(delong.confidence_interval()), atol=delong.standard_error / 3
    )
    assert result.pvalue == pytest.approx(delong.pvalue, rel=0.3)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(6))
def test_pvalue_inverts_the_interval(method: str, alternative: str, seed: int) -> None:
    """A little above the level of the p-value the interval leaves out 0, and a little below it does not."""
    y_true, x, y = two_rankings(80, seed=seed)
    result = metric_bootstrap_test(
        y_true, x, y, metric="roc_auc", method=method, alternative=alternative, rng=seed, n_resamples=4999
    )

    alpha = min(max(result.pvalue, 0.005), 0.7)

    wide, narrow = result.confidence_interval(1 - alpha / 1.3), result.confidence_interval(1 - alpha * 1.3)

    assert wide.low <= 0 <= wide.high or result.pvalue < alpha
    assert not narrow.low < 0 < narrow.high or result.pvalue > alpha


def test_stratified_replicates_keep_the_classes() -> None:
    """With two positive cases of twelve, other replicates lose them in one of nine draws."""
    y_true = [1, 1] + [0] * 10
    x, y = np.arange(12)[::-1] / 12, np.array([8, 3, 1, 2, 0, 4, 5, 6, 7, 9, 10, 11]) / 12

    free = metric_bootstrap_test(y_true, x, y, metric="roc_auc", rng=1)
    stratified = metric_bootstrap_test(y_true, x, y, metric="roc_auc", rng=1, stratified=True)

    assert free.n_undefined == pytest.approx(9999 * (10 / 12) ** 12, rel=0.1)
    assert stratified.n_undefined == 0


def test_stratified_spread_is_that_of_the_strata() -> None:
    y_true, x, y = two_classifiers(300)
    d = (x == y_true).astype(float) - (y == y_true)
    variance = sum(np.sum(y_true == c) * np.var(d[y_true == c]) for c in (0, 1)) / 300**2

    result = metric_bootstrap_test(y_true, x, y, metric="accuracy", stratified=True, n_resamples=40_000, rng=1)

    assert result.standard_error == pytest.approx(math.sqrt(variance), rel=0.02)


def test_groups_are_drawn_as_a_whole() -> None:
    """Every case four times over: as many groups as there were cases have the spread of the cases alone."""
    y_true, x, y = two_classifiers(100)
    alone = metric_bootstrap_test(y_true, x, y, n_resamples=20_000, rng=1)
    fourfold = [np.repeat(v, 4) for v in (y_true, x, y)]

    grouped = metric_bootstrap_test(*fourfold, clusters=np.repeat(np.arange(100), 4), n_resamples=20_000, rng=2)
    ungrouped = metric_bootstrap_test(*fourfold, n_resamples=20_000, rng=3)

    assert (grouped.n_clusters, grouped.n_instances) == (100, 400)
    assert grouped.standard_error == pytest.approx(alone.standard_error, rel=0.03)
    assert ungrouped.standard_error == pytest.approx(alone.standard_error / 2, rel=0.04)
    assert tuple(grouped.confidence_interval()) == pytest.approx(tuple(alone.confidence_interval()), abs=0.01)


def test_function_and_name_of_a_metric_agree() -> None:
    y_true, x, y = two_classifiers(60)

    by_name = metric_bootstrap_test(y_true, x, y, metric="f1", n_resamples=300, rng=1)
    by_function = metric_bootstrap_test(y_true, x, y, metric=sklearn_metrics.f1_score, n_resamples=300, rng=2)

    assert by_function.metric == "f1_score"
    assert by_function.difference == pytest.approx(by_name.difference, rel=1e-14)
    assert by_function.standard_error == pytest.approx(by_name.standard_error, rel=0.2)
    assert by_function._acceleration == pytest.approx(by_name._acceleration, rel=1e-10)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.long
def test_level_is_about_kept_with_many_cases(method: str) -> None:
    rejected = [
        metric_bootstrap_test(
            *two_classifiers(200, seed, accuracies=(0.8, 0.8)), method=method, n_resamples=199, rng=seed
        ).pvalue
        <= 0.1
        for seed in range(200)
    ]

    assert 0.1 - 0.06 < np.mean(rejected) < 0.1 + 0.06


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_swapping_mirrors(method: str, alternative: str) -> None:
    """The draws are the same, because what is drawn does not depend on whose predictions come first."""
    y_true, x, y = two_rankings(60)
    mirrored = {"two-sided": "two-sided", "less": "greater", "greater": "less"}[alternative]

    here = metric_bootstrap_test(y_true, x, y, metric="roc_auc", method=method, alternative=alternative, rng=1)
    there = metric_bootstrap_test(y_true, y, x, metric="roc_auc", method=method, alternative=mirrored, rng=1)

    assert here.pvalue == pytest.approx(there.pvalue, rel=1e-9)
    low, high = here.confidence_interval()
    mirrored_low, mirrored_high = there.confidence_interval()
    assert (low, high) == pytest.approx((-mirrored_high, -mirrored_low), rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("metric", ["f1", "roc_auc"])
def test_identical_predictions_have_p_one(metric: str, method: str) -> None:
    y_true, x, _ = two_classifiers(30)

    result = metric_bootstrap_test(y_true, x, x, metric=metric, method=method, n_resamples=99)

    assert (result.pvalue, result.difference, result.standard_error) == (1, 0, 0)
    assert "have the same prediction for every instance" in result.reason
    assert np.isnan(tuple(result.confidence_interval())).all()


def test_difference_that_never_varies_has_no_pvalue() -> None:
    y_true = np.repeat([0, 1], 10)

    result = metric_bootstrap_test(y_true, y_true, 1 - y_true, metric="accuracy", n_resamples=99)

    assert (result.difference, result.standard_error) == (1, 0)
    assert math.isnan(result.pvalue)
    assert "every replicate has the same difference" in result.reason


def test_bca_without_acceleration_is_said_to_be_percentiles() -> None:
    """Without the only positive case there is no area, and its influence is not known."""
    y_true = [1, 0, 0, 0, 0, 0]

    result = metric_bootstrap_test(y_true, [3, 1, 2, 4, 5, 6], [1, 3, 2, 4, 6, 5], metric="roc_auc", rng=1)

    assert result.method == "percentile"
    assert "plain percentiles" in result.reason


def test_pvalue_is_never_zero() -> None:
    y_true, x, y = two_classifiers(400, accuracies=(0.99, 0.5))

    for method in METHODS:
        result = metric_bootstrap_test(y_true, x, y, method=method, n_resamples=99, rng=1)

        assert 2 / 100 <= result.pvalue < 0.05


def test_seed_gives_the_same_numbers_and_no_warning() -> None:
    y_true, x, y = two_classifiers(60)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = {metric_bootstrap_test(y_true, x, y, metric="precision", rng=3).pvalue for _ in range(2)}

    assert len(results) == 1


def test_result_is_a_record_of_plain_values() -> None:
    result = metric_bootstrap_test(*two_classifiers(40), n_resamples=99, rng=1)
    statistic, pvalue = result

    assert isinstance(result, MetricBootstrapTestResult)
    assert (statistic, pvalue) == (result.difference, result.pvalue)
    assert "_replicates" not in json.loads(json.dumps(result.to_dict()))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "more"}, "alternative must be"),
        ({"method": "studentized"}, "method must be 'bca' or 'percentile' or 'basic'"),
        ({"n_resamples": 1}, "n_resamples must be at least 2"),
        ({"stratified": "yes"}, "stratified must be True or False"),
        ({"stratified": True, "clusters": [0] * 40}, "a cluster holds instances of several"),
    ],
)
def test_unknown_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        metric_bootstrap_test(*two_classifiers(40), **options)


def test_acceleration_is_that_of_leaving_out_each_case() -> None:
    """Efron (1987), eq. 6.6: of a mean, the sum of cubes over six times that of squares to the power 3/2."""
    rng = np.random.default_rng(6)
    y = np.repeat([0, 1], [9, 14])
    x, other = (np.where(rng.random(23) < share, y, 1 - y) for share in (0.9, 0.6))
    gain = (x == y).astype(float) - (other == y)
    off = gain - gain.mean()

    result = metric_bootstrap_test(y, x, other, metric="accuracy", n_resamples=99, rng=1)

    assert result._acceleration == pytest.approx((off**3).sum() / (6 * (off**2).sum() ** 1.5), rel=1e-9)
