from __future__ import annotations

import math
from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss as sklearn_brier
from sklearn.metrics import log_loss as sklearn_log_loss

from evalstats import metrics
from evalstats._errors import EvalstatsWarning
from evalstats.metrics.calibration import CALIBRATION_METRICS, expected_calibration_error
from evalstats.metrics.information import INFORMATION_METRICS, information_score, relative_information_score
from evalstats.metrics.probabilities import PROBABILITY_METRICS, brier_score_loss, log_loss, root_mean_squared_error

# Japkowicz, Machine Learning Evaluation: the slides "RMSE" and "Information Score"
SLIDE_PROBABILITIES = [0.95, 0.6, 0.8, 0.75, 0.9]
SLIDE_CLASSES = [1, 0, 1, 0, 1]
SLIDE_SUM_OF_SQUARES, SLIDE_RMSE = 0.975, 0.4416

SCORES = [brier_score_loss, log_loss, root_mean_squared_error, information_score, relative_information_score]
ALL_SCORES = [*SCORES, expected_calibration_error]
DECLARED = {**PROBABILITY_METRICS, **INFORMATION_METRICS, **CALIBRATION_METRICS}
each_score = pytest.mark.parametrize("score", ALL_SCORES)


def forecast(seed: int, n: int = 60, k: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes, probabilities and weights."""
    rng = np.random.default_rng(seed)
    y_true = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    return y_true, rng.dirichlet(np.full(k, 0.4), n), rng.integers(1, 4, n).astype(float)


# hand-computed and published


def test_squared_errors_of_the_tutorial() -> None:
    """The slide sums five squared differences."""
    result = brier_score_loss(SLIDE_CLASSES, SLIDE_PROBABILITIES) * 5

    assert result == pytest.approx(SLIDE_SUM_OF_SQUARES, abs=1e-12)


def test_root_mean_squared_error_of_the_tutorial() -> None:
    result = root_mean_squared_error(SLIDE_CLASSES, SLIDE_PROBABILITIES)

    assert result == pytest.approx(SLIDE_RMSE, abs=5e-5)
    assert result == pytest.approx(math.sqrt(SLIDE_SUM_OF_SQUARES / 5), abs=1e-12)


# scikit-learn and transcriptions of the definitions


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_losses_are_those_of_scikit_learn(k: int, weighted: bool) -> None:
    y_true, y_proba, weight = forecast(k, k=k)
    w = weight if weighted else None

    for half in (True, False, "auto") if "scale_by_half" in signature(sklearn_brier).parameters else ():  # since 1.8
        ours = brier_score_loss(y_true, y_proba, sample_weight=w, scale_by_half=half)
        assert ours == pytest.approx(sklearn_brier(y_true, y_proba, sample_weight=w, scale_by_half=half), rel=1e-12)
    for mean in (True, False):
        ours = log_loss(y_true, y_proba, sample_weight=w, normalize=mean)
        assert ours == pytest.approx(sklearn_log_loss(y_true, y_proba, sample_weight=w, normalize=mean), rel=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_log_loss_of_certain_mistakes_is_that_of_scikit_learn(dtype: type) -> None:
    """The eps is that of the type of the probabilities."""
    y_true, y_proba = [0, 1, 1, 0], np.array([0.0, 1.0, 0.0, 0.5], dtype=dtype)

    relative = 1e-12 if dtype is np.float64 else 1e-6
    assert log_loss(y_true, y_proba) == pytest.approx(sklearn_log_loss(y_true, y_proba), rel=relative)


# laws


@each_score
@pytest.mark.parametrize("k", [2, 3])
def test_batch_is_the_loop_over_its_members(score: Callable[..., Any], k: int) -> None:
    """Three classifiers on the same cases, each with its own weights."""
    y_true, _, _ = forecast(0, k=k)
    proba = np.stack([forecast(seed, k=k)[1] for seed in range(3)])
    weight = np.stack([forecast(seed, k=k)[2] for seed in range(3)])

    batch = score(y_true, proba, sample_weight=weight)

    assert batch.shape == (3,)
    assert batch.tolist() == [score(y_true, p, sample_weight=w) for p, w in zip(proba, weight, strict=True)]


@each_score
def test_batch_of_one_probability_is_the_loop(score: Callable[..., Any]) -> None:
    y_true = np.array([[0, 1, 1, 0, 1], [1, 0, 0, 0, 1]])
    proba = np.random.default_rng(0).random((4, 2, 5))

    batch = score(y_true, proba)

    assert batch.tolist() == [[score(y, p) for y, p in zip(y_true, row, strict=True)] for row in proba]


@each_score
@pytest.mark.parametrize("k", [2, 3])
def test_weights_are_repetitions(score: Callable[..., Any], k: int) -> None:
    y_true, proba, weight = forecast(5, k=k)
    times = weight.astype(int)

    result = score(y_true, proba, sample_weight=weight)

    assert result == pytest.approx(score(np.repeat(y_true, times), np.repeat(proba, times, axis=0)), rel=1e-11)


@each_score
@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_scale_of_the_weights_does_not_matter(score: Callable[..., Any], factor: float) -> None:
    y_true, proba, weight = forecast(6)

    result = score(y_true, proba, sample_weight=weight * factor)

    assert result == pytest.approx(score(y_true, proba, sample_weight=weight), rel=1e-11)


@pytest.mark.parametrize("score", SCORES)
def test_classes_may_be_renamed(score: Callable[..., Any]) -> None:
    """The declared symmetry: reversed order of the classes, reversed columns."""
    y_true, proba, _ = forecast(7)
    names = np.array(["z", "m", "a"])

    result = score(names[y_true], proba[:, ::-1])

    assert result == pytest.approx(score(y_true, proba), rel=1e-12)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_root_mean_squared_error_is_the_root_of_brier(k: int) -> None:
    y_true, proba, _ = forecast(8, k=k)
    halved = brier_score_loss(y_true, proba)
    whole = brier_score_loss(y_true, proba, scale_by_half=False)

    assert root_mean_squared_error(y_true, proba) == pytest.approx(math.sqrt(halved))
    assert root_mean_squared_error(y_true, proba, divide_by_classes=True) == pytest.approx(math.sqrt(whole / k))


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_scores_stay_in_their_range(seed: int, k: int) -> None:
    y_true, proba, weight = forecast(seed, n=8, k=k)

    for metric in DECLARED.values():
        low, high = metric.range
        assert low <= getattr(metrics, metric.function)(y_true, proba, sample_weight=weight) <= high


def test_every_score_is_declared() -> None:
    assert {metric.function for metric in DECLARED.values()} == {score.__name__ for score in ALL_SCORES}


# degenerate


def test_undefined_scores_of_a_batch_are_counted_in_one_warning() -> None:
    weight = [[1.0, 1.0], [0.0, 0.0]]

    with pytest.warns(EvalstatsWarning, match=r"in 1 of 2 scores, first in \[1\]: no instance has weight") as caught:
        result = brier_score_loss([0, 1], [0.0, 0.5], sample_weight=weight, undefined="warn")

    assert len(caught) == 1
    np.testing.assert_array_equal(result, [0.125, np.nan])


# messages


def test_choices_must_be_known() -> None:
    with pytest.raises(TypeError, match=r"scale_by_half must be True or False, not 'half'"):
        brier_score_loss([0, 1], [0.5, 0.5], scale_by_half="half")
