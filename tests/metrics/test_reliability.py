"""Reliability curves: the isotonic fit, the bands, and their coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from forecasts import P, Y
from scipy.stats import binomtest
from sklearn.isotonic import IsotonicRegression

from evalstats.metrics import reliability_curve


def test_curve_is_the_isotonic_regression_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    p = rng.random(200).round(2)
    y = (rng.random(200) < p**2).astype(int)

    curve = reliability_curve(y, p, band="none")

    np.testing.assert_allclose(curve.frequency, IsotonicRegression().fit(p, y).predict(curve.probability), atol=1e-12)
    assert curve.n_instances.sum() == curve.bar_counts.sum() == 200
    assert curve.n_events.sum() == y.sum()


def test_curve_by_hand() -> None:
    curve = reliability_curve(Y, P, band="none")

    np.testing.assert_allclose(curve.frequency, [0] * 2 + [0.25] * 3 + [0.5] * 2 + [0.6] * 4 + [1] * 5)


def test_consistency_band_of_one_probability_is_the_binomial_distribution() -> None:
    """With one distinct probability, the curve is the proportion of a binomial number."""
    curve = reliability_curve([0, 1] * 50, [0.3] * 100, n_resamples=4000)

    assert curve.lower[0] == pytest.approx(0.21, abs=0.011)
    assert curve.upper[0] == pytest.approx(0.39, abs=0.011)
    assert curve.share_outside == 1
    assert "single point" in curve.reason


def test_confidence_band_is_the_best_of_all_runs() -> None:
    """Of three probabilities: every run of them by scipy's exact interval, with the error 0.05 / 12."""
    y, p = [0, 1] * 10 + [1, 1, 0] * 10 + [1] * 15, [0.2] * 20 + [0.5] * 30 + [0.8] * 15
    sums, sizes = [10, 20, 15], [20, 30, 15]
    low, high = np.zeros(3), np.ones(3)
    for j in range(3):
        for k in range(j, 3):
            run = binomtest(sum(sums[j : k + 1]), sum(sizes[j : k + 1])).proportion_ci(1 - 2 * 0.05 / 12, "exact")
            low[k:], high[: j + 1] = np.maximum(low[k:], run.low), np.minimum(high[: j + 1], run.high)

    curve = reliability_curve(y, p, band="confidence")

    np.testing.assert_allclose(curve.lower, low, rtol=1e-9)
    np.testing.assert_allclose(curve.upper, high, rtol=1e-9)
    assert curve.limits_at([0.1, 0.3])[0].tolist() == [0.0, pytest.approx(low[0])]
    assert curve.limits_at([0.3, 0.9])[1].tolist() == [pytest.approx(high[1]), 1.0]


def test_bins_have_clopper_pearson_intervals() -> None:
    curve = reliability_curve(Y, P, method="uniform", n_bins=2, band="confidence", confidence_level=0.9)

    assert curve.n_instances.tolist() == [9, 11]
    run = binomtest(2, 9).proportion_ci(0.9, "exact")
    assert (curve.lower[0], curve.upper[0]) == (pytest.approx(run.low), pytest.approx(run.high))
    assert not curve.simultaneous


def test_blocks_of_many_probabilities_keep_the_band_valid() -> None:
    """With 200 blocks of 5000 forecasts, the band holds the true frequency and is narrower than with few instances."""
    rng = np.random.default_rng(1)
    p = rng.random(5000)

    curve = reliability_curve(rng.random(5000) < p, p, band="confidence")

    lower, upper = curve.limits_at(np.linspace(0, 1, 101))
    assert (lower <= np.linspace(0, 1, 101)).all()
    assert (upper >= np.linspace(0, 1, 101)).all()
    assert curve.share_outside == 0
    assert (upper - lower)[50] < 0.3


def test_probabilities_far_from_the_frequency_leave_both_bands() -> None:
    rng = np.random.default_rng(2)
    p = rng.random(2000)
    y = rng.random(2000) < p**3

    assert reliability_curve(y, p, n_resamples=200).share_outside > 0.5
    assert reliability_curve(y, p, band="confidence").share_outside > 0.1
    assert math.isnan(reliability_curve(y, p, band="none").share_outside)


@pytest.mark.long
@pytest.mark.parametrize("shape", [1.0, 0.5])
def test_coverage_of_the_confidence_band_is_not_below_its_level(shape: float) -> None:
    """Of 400 samples, at most 5 % and simulation error have a true frequency outside somewhere."""
    rng = np.random.default_rng(3)
    missed = 0
    for _ in range(400):
        p = rng.random(100)
        curve = reliability_curve(rng.random(100) < p**shape, p, band="confidence", confidence_level=0.8)
        at = np.linspace(0, 1, 201)
        lower, upper = curve.limits_at(at)
        missed += bool(((at**shape < lower) | (at**shape > upper)).any())

    assert missed / 400 <= 0.2 + 3 * math.sqrt(0.2 * 0.8 / 400)


@pytest.mark.long
def test_level_of_the_consistency_band_is_that_of_each_point() -> None:
    """At the median probability, calibrated forecasts leave the band of 90 % in one of ten samples."""
    rng = np.random.default_rng(4)
    outside = 0
    for seed in range(400):
        p = rng.random(101)
        curve = reliability_curve(rng.random(101) < p, p, confidence_level=0.9, n_resamples=200, rng=seed)
        at = curve.probability[50]
        lower, upper = (float(limit) for limit in curve.limits_at(at))
        outside += not lower <= curve.frequency[50] <= upper

    assert abs(outside / 400 - 0.1) <= 3 * math.sqrt(0.09 / 400) + 0.01


def test_event_of_several_classes_is_the_top_label() -> None:
    proba = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]]

    curve = reliability_curve([0, 2, 1], proba, band="none")

    assert curve.event == "predicted"
    assert curve.probability.tolist() == [0.4, 0.7, 0.8]
    assert curve.n_events.tolist() == [0, 1, 0]


def test_batch_and_unknown_choices_are_refused() -> None:
    with pytest.raises(ValueError, match="must hold one problem"):
        reliability_curve([[0, 1], [1, 0]], [[0.5, 0.4], [0.5, 0.4]], labels=[0, 1], event="positive")
    with pytest.raises(ValueError, match="band must be 'consistency' or 'confidence' or 'none', not 'wald'"):
        reliability_curve(Y, P, band="wald")
