from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve as sklearn_calibration_curve
from sklearn.metrics import brier_score_loss as sklearn_brier
from sklearn.metrics import log_loss as sklearn_log_loss

from evalstats._checks import EvalstatsWarning
from evalstats.metrics import probabilities
from evalstats.metrics.probabilities import (
    PROBABILITY_METRICS,
    brier_score_loss,
    calibration_curve,
    expected_calibration_error,
    information_score,
    log_loss,
    relative_information_score,
    root_mean_squared_error,
)

# Japkowicz, Machine Learning Evaluation: the slides "RMSE" and "Information Score"
SLIDE_PROBABILITIES = [0.95, 0.6, 0.8, 0.75, 0.9]
SLIDE_CLASSES = [1, 0, 1, 0, 1]
SLIDE_PRIOR = [0.4, 0.6]
SLIDE_SUM_OF_SQUARES, SLIDE_RMSE = 0.975, 0.4416
SLIDE_INFORMATION_OF_X1, SLIDE_INFORMATION = 0.66, 0.40
INFORMATION = 0.2682073836  # with the minus of Kononenko & Bratko (1991) in the misleading branch

SCORES = [brier_score_loss, log_loss, root_mean_squared_error, information_score, relative_information_score]
each_score = pytest.mark.parametrize("score", [*SCORES, expected_calibration_error])


def forecast(seed: int, n: int = 60, k: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes, probabilities and weights."""
    rng = np.random.default_rng(seed)
    y_true = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    return y_true, rng.dirichlet(np.full(k, 0.4), n), rng.integers(1, 4, n).astype(float)


def information_by_definition(y_true: Any, y_proba: Any, prior: Any) -> float:
    """Kononenko & Bratko (1991), case by case."""
    total = 0.0
    for c, p in zip(y_true, y_proba, strict=True):
        if p[c] >= prior[c]:
            total += -math.log2(prior[c]) + math.log2(p[c])
        else:
            total -= -math.log2(1 - prior[c]) + math.log2(1 - p[c])
    return total / len(y_true)


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


# hand-computed and published


def test_squared_errors_of_the_tutorial() -> None:
    """The slide sums five squared differences."""
    result = brier_score_loss(SLIDE_CLASSES, SLIDE_PROBABILITIES) * 5

    assert result == pytest.approx(SLIDE_SUM_OF_SQUARES, abs=1e-12)


def test_root_mean_squared_error_of_the_tutorial() -> None:
    result = root_mean_squared_error(SLIDE_CLASSES, SLIDE_PROBABILITIES)

    assert result == pytest.approx(SLIDE_RMSE, abs=5e-5)
    assert result == pytest.approx(math.sqrt(SLIDE_SUM_OF_SQUARES / 5), abs=1e-12)


def test_information_score_has_a_minus_where_the_answer_misleads() -> None:
    result = information_score(SLIDE_CLASSES, SLIDE_PROBABILITIES)

    assert result == pytest.approx(INFORMATION, abs=1e-10)


def test_information_score_of_the_slide_lost_a_minus() -> None:
    """The fourth case is misleading: counting it with a plus gives what the slide prints."""
    misleading = information_score([0], [0.75], prior=SLIDE_PRIOR)
    as_printed = information_score(SLIDE_CLASSES, SLIDE_PROBABILITIES) - 2 * misleading / 5

    assert misleading == pytest.approx(-0.3219280949, abs=1e-10)
    assert as_printed == pytest.approx(SLIDE_INFORMATION, abs=5e-3)


def test_information_of_the_first_case_of_the_tutorial() -> None:
    result = information_score([1], [0.95], prior=SLIDE_PRIOR)

    assert result == pytest.approx(-math.log2(0.6) + math.log2(0.95), abs=1e-15)
    assert result == pytest.approx(SLIDE_INFORMATION_OF_X1, abs=5e-3)


def test_relative_information_divides_by_the_entropy_of_the_prior() -> None:
    entropy = -(0.4 * math.log2(0.4) + 0.6 * math.log2(0.6))

    assert relative_information_score(SLIDE_CLASSES, SLIDE_PROBABILITIES) == pytest.approx(INFORMATION / entropy)


def test_calibration_error_by_hand() -> None:
    """Two cases at 0.1 with no positive, two at 0.75 with two: half of 0.1 and half of 0.25."""
    result = expected_calibration_error([0, 0, 1, 1], [0.1, 0.1, 0.6, 0.9], n_bins=2)

    assert result == pytest.approx(0.175, abs=1e-15)


# scikit-learn and transcriptions of the definitions


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_losses_are_those_of_scikit_learn(k: int, weighted: bool) -> None:
    y_true, y_proba, weight = forecast(k, k=k)
    w = weight if weighted else None

    for half in (True, False, "auto"):
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


@pytest.mark.parametrize(
    ("y_true", "choices"),
    [([0, 1, 1, 0], {}), ([-1, 1, 1, -1], {}), ([3, 7, 7, 3], {}), (["a", "b", "b", "a"], {"pos_label": "a"})],
)
def test_positive_class_is_that_of_scikit_learn(y_true: list[Any], choices: dict[str, Any]) -> None:
    y_proba = [0.1, 0.9, 0.8, 0.3]

    ours = brier_score_loss(y_true, y_proba, **choices)

    assert ours == pytest.approx(sklearn_brier(y_true, y_proba, **choices), rel=1e-12)


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


@pytest.mark.parametrize("k", [2, 3, 6])
def test_information_score_is_its_definition(k: int) -> None:
    y_true, y_proba, _ = forecast(k, k=k)
    shares = np.bincount(y_true) / len(y_true)
    other = np.arange(1, k + 1) / np.arange(1, k + 1).sum()

    assert information_score(y_true, y_proba) == pytest.approx(
        information_by_definition(y_true, y_proba, shares), rel=1e-12
    )
    assert information_score(y_true, y_proba, prior=other) == pytest.approx(
        information_by_definition(y_true, y_proba, other), rel=1e-12
    )


@pytest.mark.parametrize("n_bins", [1, 7, 15])
def test_calibration_error_is_its_definition(n_bins: int) -> None:
    y_true, y_proba, _ = forecast(n_bins, k=2)
    three, proba, _ = forecast(n_bins, k=3)
    right = (proba.argmax(axis=1) == three).astype(int)

    positive = calibration_error_by_definition(y_true, y_proba[:, 1], n_bins)
    predicted = calibration_error_by_definition(right, proba.max(axis=1), n_bins)

    assert expected_calibration_error(y_true, y_proba[:, 1], n_bins=n_bins) == pytest.approx(positive, abs=1e-13)
    assert expected_calibration_error(three, proba, n_bins=n_bins) == pytest.approx(predicted, abs=1e-13)


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


def test_calibration_curves_of_a_batch_are_the_loop() -> None:
    rng = np.random.default_rng(1)
    y_true, y_prob = rng.integers(0, 2, (3, 40)), rng.random((3, 40))

    for strategy in ("uniform", "quantile"):
        batch = calibration_curve(y_true, y_prob, strategy=strategy)
        members = [calibration_curve(y, p, strategy=strategy) for y, p in zip(y_true, y_prob, strict=True)]

        np.testing.assert_array_equal(batch.prob_true, [m.prob_true for m in members])
        np.testing.assert_array_equal(batch.prob_pred, [m.prob_pred for m in members])
        np.testing.assert_array_equal(batch.edges, [m.edges for m in members])


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


@each_score
def test_one_probability_is_two_columns(score: Callable[..., Any]) -> None:
    y_true, p = [0, 1, 1, 0, 1], np.array([0.25, 0.5, 0.75, 0.125, 0.0])

    assert score(y_true, p) == score(y_true, np.stack([1 - p, p], axis=1)) == score(y_true, p[:, None])


@pytest.mark.parametrize("k", [2, 3, 4])
def test_root_mean_squared_error_is_the_root_of_brier(k: int) -> None:
    y_true, proba, _ = forecast(8, k=k)
    halved = brier_score_loss(y_true, proba)
    whole = brier_score_loss(y_true, proba, scale_by_half=False)

    assert root_mean_squared_error(y_true, proba) == pytest.approx(math.sqrt(halved))
    assert root_mean_squared_error(y_true, proba, divide_by_classes=True) == pytest.approx(math.sqrt(whole / k))


def test_prior_scores_no_information() -> None:
    y_true = [0, 0, 1, 2]

    assert information_score(y_true, [[0.5, 0.25, 0.25]] * 4) == 0


def test_perfection_removes_all_uncertainty() -> None:
    y_true = np.array([0, 0, 1, 2])

    assert relative_information_score(y_true, np.eye(3)[y_true]) == pytest.approx(1, abs=1e-15)


def test_impossible_and_certain_answers_have_finite_information() -> None:
    """Posterior 0: log2(1 - prior); posterior 1: -log2(prior). No clamp is needed."""
    assert information_score([0, 1], [0.0, 1.0]) == 1
    assert information_score([0, 1], [1.0, 0.0]) == -1


@given(st.integers(0, 10**6), st.integers(2, 5))
def test_scores_stay_in_their_range(seed: int, k: int) -> None:
    y_true, proba, weight = forecast(seed, n=8, k=k)

    for metric in PROBABILITY_METRICS.values():
        low, high = metric.range
        assert low <= getattr(probabilities, metric.function)(y_true, proba, sample_weight=weight) <= high


def test_every_score_is_declared() -> None:
    functions = {metric.function for metric in PROBABILITY_METRICS.values()}

    assert functions == set(probabilities.__all__) - {"PROBABILITY_METRICS", "CalibrationCurve", "calibration_curve"}


# degenerate


@pytest.mark.parametrize("score", [brier_score_loss, log_loss, root_mean_squared_error, expected_calibration_error])
def test_one_class_is_scored_where_the_other_is_known(score: Callable[..., Any]) -> None:
    """A fold without negatives: 0 and 1 are the classes, or `labels` lists them."""
    result = score([1, 1], [0.5, 0.5])

    assert result == score(["b", "b"], [0.5, 0.5], labels=["a", "b"])
    assert result > 0


def test_one_class_has_no_information() -> None:
    with pytest.raises(ValueError, match=r"information_score is undefined: one class has the whole prior"):
        information_score([1, 1], [0.5, 0.7])
    assert math.isnan(information_score([1, 1], [0.5, 0.7], undefined="nan"))
    assert relative_information_score([1, 1], [0.5, 0.7], undefined="zero") == 0
    assert information_score([1, 1], [0.5, 0.7], prior=[0.5, 0.5]) == pytest.approx(math.log2(1.4) / 2)


def test_undefined_scores_of_a_batch_are_counted_in_one_warning() -> None:
    weight = [[1.0, 1.0], [0.0, 0.0]]

    with pytest.warns(EvalstatsWarning, match=r"in 1 of 2 scores, first in \[1\]: no case has weight") as caught:
        result = brier_score_loss([0, 1], [0.0, 0.5], sample_weight=weight, undefined="warn")

    assert len(caught) == 1
    np.testing.assert_array_equal(result, [0.125, np.nan])


def test_empty_bins_are_nan() -> None:
    curve = calibration_curve([0, 1], [0.1, 0.9], n_bins=3)

    np.testing.assert_array_equal(curve.prob_true, [0, np.nan, 1])
    np.testing.assert_array_equal(curve.weight, [1, 0, 1])


# messages


@pytest.mark.parametrize(
    ("y_true", "y_proba", "choices", "message"),
    [
        ([0, 1], [0.5, 1.5], {}, r"y_proba must hold probabilities from 0 to 1, but y_proba\[1\] is 1.5"),
        ([0, 1], [-0.25, 0.5], {}, r"but y_proba\[0\] is -0.25"),
        ([0, 1], [0.5, np.nan], {}, r"y_proba must be finite, but y_proba\[1\] is nan"),
        ([0, 1], [[0.5, 0.5], [0.5, 0.4]], {}, r"must sum to one, but those of y_proba\[1\] sum to 0.9"),
        ([0, 1, 1], [0.5, 0.5], {}, r"y_true has 3 labels, y_proba has the shape \(2,\)"),
        ([0, 1, 2], [0.5, 0.5, 0.1], {}, r"needs two classes, but there are 3: 0, 1, 2"),
        ([0, 1, 1], [[0.2, 0.3, 0.5]] * 3, {}, r"it has 3 columns, and y_true holds 2 classes, 0, 1; labels must"),
        ([0, 1, 1], [[0.5, 0.5]] * 3, {"labels": [1, 0]}, r"labels must be sorted"),
        ([0, 1, 1], [[0.5, 0.5]] * 3, {"pos_label": 1}, r"pos_label=1 needs the probability of one class"),
        (["a", "b"], [0.5, 0.5], {}, r"pos_label must say which class is the positive one: y_true holds 'a', 'b'"),
        (["a", "b"], [0.5, 0.5], {"pos_label": "c"}, r"pos_label must be one of 'a', 'b', not 'c'"),
        ([5, 5], [0.5, 0.5], {}, r"pos_label must say which class is the positive one: y_true holds 5"),
        ([0, 1], [0.5, 0.5], {"sample_weight": [1, -1]}, r"sample_weight must be 0 or more, but sample_weight\[1\]"),
        ([0, 1], [0.5, 0.5], {"sample_weight": [1]}, r"one weight for each of the 2 cases"),
        ([0, 1], [0.5, 0.5], {"sample_weight": [0, 0]}, r"is undefined: .*no case has weight"),
        ([[0, 1]] * 2, [[0.5, 0.5]] * 3, {}, r"the leading axes of y_true, y_proba must broadcast"),
        ([], [], {}, r"y_true must hold at least one label"),
        ([0, 1], [0.5, 0.5], {"undefined": "skip"}, r"undefined must be 'warn' or"),
    ],
)
@each_score
def test_bad_input_is_refused(
    score: Callable[..., Any], y_true: Any, y_proba: Any, choices: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        score(y_true, y_proba, **choices)


def test_prior_must_fit() -> None:
    with pytest.raises(ValueError, match=r"prior must hold a probability for each of the 2 classes"):
        information_score([0, 1], [0.5, 0.5], prior=[0.2, 0.3, 0.5])
    with pytest.raises(ValueError, match=r"must sum to one, but those of prior sum to 0.8"):
        information_score([0, 1], [0.5, 0.5], prior=[0.5, 0.3])
    with pytest.raises(ValueError, match=r"must be above 0, but that of y_true\[0\] is 0"):
        information_score([0, 1], [0.5, 0.5], prior=[0, 1])


def test_choices_must_be_known() -> None:
    with pytest.raises(ValueError, match=r"strategy must be 'uniform' or 'quantile', not 'width'"):
        calibration_curve([0, 1], [0.5, 0.5], strategy="width")
    with pytest.raises(ValueError, match=r"event='positive' needs two classes, but y_proba has 3 columns"):
        expected_calibration_error([0, 1, 2], [[0.2, 0.3, 0.5]] * 3, event="positive")
    with pytest.raises(TypeError, match=r"scale_by_half must be True or False, not 'half'"):
        brier_score_loss([0, 1], [0.5, 0.5], scale_by_half="half")
    with pytest.raises(ValueError, match=r"y_prob has the shape \(2, 3\)"):
        calibration_curve([0, 1], [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]])
