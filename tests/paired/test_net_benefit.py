from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalstats.metrics import clustered_mean
from evalstats.paired import net_benefit_difference

Y = np.array([0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1])
P = np.array([5, 10, 10, 20, 20, 30, 35, 40, 50, 55, 60, 60, 70, 75, 80, 85, 90, 90, 95, 97]) / 100
Q = np.array([10, 20, 5, 30, 10, 50, 20, 30, 40, 70, 50, 80, 60, 90, 70, 80, 80, 95, 90, 85]) / 100


def differences(t: float) -> np.ndarray:
    weights = Y - (1 - Y) * t / (1 - t)
    return ((t <= P).astype(float) - (t <= Q)) * weights


def test_value_by_hand() -> None:
    """At 0.15, q misses a positive instance and both differ on one negative: 1 / 20 + 3 / 17 / 20."""
    result = net_benefit_difference(Y, P, Q, thresholds=[0.15])

    assert result.difference[0] == pytest.approx((1 + 3 / 17) / 20, rel=1e-12)
    assert result.standard_error[0] == pytest.approx(0.050313170, abs=5e-10)


def test_difference_is_a_mean_over_the_instances() -> None:
    result = net_benefit_difference(Y, P, Q)

    for i, t in enumerate(result.thresholds):
        u = differences(t)
        assert result.difference[i] == pytest.approx(u.mean(), abs=1e-12)
        assert result.standard_error[i] == pytest.approx(stats.sem(u), rel=1e-6, abs=1e-7)
        if u.any():
            low, high = stats.t.interval(0.95, 19, u.mean(), stats.sem(u))
            assert (result.low[i], result.high[i]) == pytest.approx((low, high), rel=1e-6, abs=1e-9)


def test_net_benefit_of_each_is_that_of_its_decisions() -> None:
    result = net_benefit_difference(Y, P, Q)

    weights = [Y - (1 - Y) * t / (1 - t) for t in result.thresholds]
    for score, found in ((P, result.net_benefit_x), (Q, result.net_benefit_y)):
        wanted = [((t <= score) * weight).mean() for t, weight in zip(result.thresholds, weights, strict=True)]
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_clusters_are_those_of_a_clustered_mean() -> None:
    clusters = np.arange(20) // 2
    result = net_benefit_difference(Y, P, Q, thresholds=[0.15, 0.65], clusters=clusters)

    wanted = [clustered_mean(differences(t), clusters=clusters).standard_error for t in (0.15, 0.65)]
    np.testing.assert_allclose(result.standard_error, wanted, rtol=1e-12)


def test_swapping_x_and_y_mirrors_the_bands() -> None:
    here, there = net_benefit_difference(Y, P, Q), net_benefit_difference(Y, Q, P)

    np.testing.assert_allclose(here.difference, -there.difference, atol=1e-14)
    np.testing.assert_allclose(here.low_everywhere, -there.high_everywhere, rtol=1e-9, atol=1e-12)


def test_same_decisions_have_no_difference() -> None:
    result = net_benefit_difference(Y, P, P)

    assert (result.low_everywhere == 0).all()
    assert (result.high_everywhere == 0).all()
    assert not result.shown.any()
    assert "same decision" in result.reason


def test_simultaneous_band_errs_about_as_often_as_it_says() -> None:
    """Two models that err equally: in 400 samples, a difference is shown at any threshold in about 10%."""
    rng, shown = np.random.default_rng(5), 0
    for _ in range(400):
        z = rng.normal(size=150)
        y = rng.random(150) < 1 / (1 + np.exp(-2 * z))
        p, q = (1 / (1 + np.exp(-2 * (z + rng.normal(size=150)))) for _ in range(2))
        result = net_benefit_difference(
            y, p, q, thresholds=np.arange(1, 10) / 10, confidence_level=0.9, n_resamples=1000
        )
        shown += bool(result.shown.any())

    assert 0.06 <= shown / 400 <= 0.15


def test_clear_difference_is_shown_with_its_sign() -> None:
    rng = np.random.default_rng(2)
    y = rng.random(400) < 0.5
    good, noise = np.where(y, 0.8, 0.2), rng.random(400)

    assert (net_benefit_difference(y, good, noise, thresholds=[0.4, 0.6]).shown == 1).all()
    assert (net_benefit_difference(y, noise, good, thresholds=[0.4, 0.6]).shown == -1).all()


def test_single_cluster_has_no_limits() -> None:
    result = net_benefit_difference(Y, P, Q, clusters=[1] * 20)

    assert np.isnan(result.low).all()
    assert not result.shown.any()
    assert "single cluster" in result.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x": [P, Q]}, r"x must have the shape \(n,\), but its shape is \(2, 20\)"),
        ({"y": Q - 1}, "y must hold probabilities from 0 to 1"),
        ({"thresholds": [1]}, "above 0 and below 1"),
        ({"confidence_level": 1}, "confidence_level must lie between 0 and 1, not 1"),
    ],
)
def test_bad_input_is_named(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        net_benefit_difference(**{"y_true": Y, "x": P, "y": Q} | arguments)
