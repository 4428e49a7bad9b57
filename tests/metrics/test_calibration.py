"""Calibration: the curve of scikit-learn, and an error that is its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.calibration import calibration_curve as sklearn_calibration_curve

from evalstats.metrics.calibration import calibration_curve, expected_calibration_error, squared_calibration_error


def forecast(seed: int, n: int = 60, k: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes, probabilities and weights."""
    rng = np.random.default_rng(seed)
    y_true = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    return y_true, rng.dirichlet(np.full(k, 0.4), n), rng.integers(1, 4, n).astype(float)


def calibration_error_by_definition(y_true: Any, confidence: Any, n_bins: int) -> float:
    """Guo et al. (2017), eq. 3, bin by bin."""
    error = 0.0
    for b in range(n_bins):
        inside = (confidence > b / n_bins) & (confidence <= (b + 1) / n_bins)
        if b == 0:
            inside |= confidence == 0
        if inside.any():
            error += abs(sum(y_true[inside]) - sum(confidence[inside]))
    return error / len(y_true)


def test_calibration_error_by_hand() -> None:
    """Two cases at 0.1 with no positive, two at 0.75 with two: half of 0.1 and half of 0.25."""
    result = expected_calibration_error([0, 0, 1, 1], [0.1, 0.1, 0.6, 0.9], n_bins=2)

    assert result == pytest.approx(0.175, abs=1e-15)


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("n_bins", [1, 2, 5, 17])
@pytest.mark.parametrize("decimals", [1, 15])
def test_calibration_curve_is_that_of_scikit_learn(strategy: str, n_bins: int, decimals: int) -> None:
    """Scikit-learn leaves out the empty bins."""
    rng = np.random.default_rng(n_bins)
    y_true, y_prob = rng.integers(0, 2, 50), rng.random(50).round(decimals)

    curve = calibration_curve(y_true, y_prob, n_bins=n_bins, strategy=strategy)
    expected = sklearn_calibration_curve(y_true, y_prob, n_bins=n_bins, strategy=strategy)

    for ours, theirs in zip(curve, expected, strict=True):
        np.testing.assert_allclose(ours[curve.weight > 0], theirs, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("n_bins", [1, 7, 15])
def test_calibration_error_is_its_definition(n_bins: int) -> None:
    y_true, y_proba, _ = forecast(n_bins, k=2)
    three, proba, _ = forecast(n_bins, k=3)
    right = (proba.argmax(axis=1) == three).astype(int)

    positive = calibration_error_by_definition(y_true, y_proba[:, 1], n_bins)
    predicted = calibration_error_by_definition(right, proba.max(axis=1), n_bins)

    assert expected_calibration_error(y_true, y_proba[:, 1], n_bins=n_bins) == pytest.approx(positive, abs=1e-13)
    assert expected_calibration_error(three, proba, n_bins=n_bins) == pytest.approx(predicted, abs=1e-13)


def test_calibration_curves_of_a_batch_are_the_loop() -> None:
    rng = np.random.default_rng(1)
    y_true, y_prob = rng.integers(0, 2, (3, 40)), rng.random((3, 40))

    for strategy in ("uniform", "quantile"):
        batch = calibration_curve(y_true, y_prob, strategy=strategy)
        members = [calibration_curve(y, p, strategy=strategy) for y, p in zip(y_true, y_prob, strict=True)]

        np.testing.assert_array_equal(batch.prob_true, [m.prob_true for m in members])
        np.testing.assert_array_equal(batch.prob_pred, [m.prob_pred for m in members])
        np.testing.assert_array_equal(batch.edges, [m.edges for m in members])


def test_empty_bins_are_nan() -> None:
    curve = calibration_curve([0, 1], [0.1, 0.9], n_bins=3)

    np.testing.assert_array_equal(curve.prob_true, [0, np.nan, 1])
    np.testing.assert_array_equal(curve.weight, [1, 0, 1])


def test_choices_must_be_known() -> None:
    with pytest.raises(ValueError, match=r"strategy must be 'uniform' or 'quantile', not 'width'"):
        calibration_curve([0, 1], [0.5, 0.5], strategy="width")
    with pytest.raises(ValueError, match=r"event='positive' needs two classes, but y_proba has 3 columns"):
        expected_calibration_error([0, 1, 2], [[0.2, 0.3, 0.5]] * 3, event="positive")
    with pytest.raises(ValueError, match=r"y_prob has the shape \(2, 3\)"):
        calibration_curve([0, 1], [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]])


@pytest.mark.parametrize("debiased", [True, False])
def test_squared_error_is_that_of_a_loop(debiased: bool) -> None:
    """Kumar, Liang & Ma (2019), section 4, bin by bin."""
    y_true, y_proba, _ = forecast(4, k=2)
    p = y_proba[:, 1]
    expected = 0.0
    for b in range(5):
        inside = (p > b / 5) & (p <= (b + 1) / 5)
        n, mean = inside.sum(), y_true[inside].mean()
        expected += n / len(p) * ((mean - p[inside].mean()) ** 2 - debiased * mean * (1 - mean) / (n - 1))

    assert squared_calibration_error(y_true, p, n_bins=5, strategy="uniform", debiased=debiased) == pytest.approx(
        expected, abs=1e-14
    )


def test_debiased_error_of_calibrated_probabilities_is_zero_on_average() -> None:
    """Over 400 samples of 100; the biased error is the variance of the frequencies."""
    rng = np.random.default_rng(5)
    p = rng.random((400, 100)).round(1)
    y = (rng.random((400, 100)) < p).astype(int)

    errors = squared_calibration_error(y, p, n_bins=10, strategy="uniform")
    biased = squared_calibration_error(y, p, n_bins=10, strategy="uniform", debiased=False)

    assert abs(errors.mean()) < 4 * errors.std() / 20
    assert biased.mean() > 0.01
