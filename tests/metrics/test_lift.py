"""Lift, gain and the break-even point."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from evalstats.metrics import (
    break_even_point,
    lift_curve,
    lift_score,
    precision_at_n,
    precision_recall_curve,
    roc_curve,
)


def test_curve_by_hand() -> None:
    """Three of five cases pass the second threshold, and hold both positive ones."""
    curve = lift_curve([0, 0, 1, 0, 1], [1, 2, 2, 2, 3])

    assert curve.proportion.tolist() == [0, 0.2, 0.8, 1]
    assert curve.gain.tolist() == [0, 0.5, 1, 1]
    assert curve.lift.tolist() == [2.5, 2.5, 1.25, 1]
    assert curve.thresholds.tolist() == [math.inf, 3, 2, 1]


def test_gain_is_the_true_positive_rate(kind: str, problem) -> None:
    y, score, weight = problem(kind, 80)

    curve, roc = lift_curve(y, score, sample_weight=weight), roc_curve(y, score, sample_weight=weight)

    np.testing.assert_allclose(curve.gain, roc.tpr, rtol=1e-13)
    np.testing.assert_array_equal(curve.thresholds, roc.thresholds)
    np.testing.assert_allclose(curve.lift[1:] * np.average(y, weights=weight), _precision(y, score, weight), rtol=1e-12)


def _precision(y: np.ndarray, score: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return precision_recall_curve(y, score, sample_weight=weight).precision[-2::-1]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_lift_is_the_mean_over_all_orders_of_ties(n: int) -> None:
    y, score = np.array([1, 0, 1, 0, 1]), np.array([3, 2, 2, 2, 1])
    orders = [order for order in itertools.permutations(range(5)) if (np.diff(score[list(order)]) <= 0).all()]

    expected = np.mean([y[list(order[:n])].mean() for order in orders]) / y.mean()

    assert lift_score(y, score, fraction=n / 5) == pytest.approx(expected, rel=1e-14)


def test_break_even_point_is_the_precision_among_as_many_cases_as_are_positive(kind: str, problem) -> None:
    y, score, _ = problem(kind, 60)

    value = break_even_point(y, score)

    assert value == pytest.approx(precision_at_n(y, score, int(y.sum())), rel=1e-14)


def test_break_even_point_is_where_precision_is_recall(problem) -> None:
    y, score, _ = problem("margins", 60)
    precision, recall, _ = precision_recall_curve(y, score)

    at = np.flatnonzero(precision[:-1] == recall[:-1])

    assert break_even_point(y, score) in precision[at].tolist()


@pytest.mark.parametrize("function", [lift_score, break_even_point])
def test_batch_equals_the_loop(function, kind: str, problem) -> None:
    y, score = (np.stack(part) for part in zip(*(problem(kind, 50, seed)[:2] for seed in range(6)), strict=True))

    together = function(y.reshape(2, 3, 50), score.reshape(2, 3, 50))

    assert together.ravel().tolist() == [function(a, b) for a, b in zip(y, score, strict=True)]


@pytest.mark.parametrize("function", [lift_score, break_even_point])
def test_weights_are_repetitions(function, problem) -> None:
    y, score, _ = problem("ties", 60)
    times = np.random.default_rng(7).integers(0, 4, 60)

    weighted = function(y, score, sample_weight=times)

    assert weighted == pytest.approx(function(np.repeat(y, times), np.repeat(score, times)), rel=1e-13)


def test_all_cases_have_the_lift_of_guessing() -> None:
    assert lift_score([0, 1, 1], [1, 2, 3], fraction=1) == pytest.approx(1, rel=1e-15)
    assert lift_score([1, 1], [1, 2], fraction=0.3) == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize("function", [lift_score, break_even_point])
def test_no_positive_case(function) -> None:
    with pytest.raises(
        ValueError, match=r"is undefined in 1 of 2 scores, first in \[0\]: there is no positive instance"
    ):
        function([[0, 0], [0, 1]], [1, 2])
    assert math.isnan(function([0, 0], [1, 2], undefined="nan"))
    assert function([0, 0], [1, 2], undefined="zero") == 0


@pytest.mark.parametrize("share", [0, -0.1, 1.1, math.nan])
def test_share_is_a_part(share: float) -> None:
    with pytest.raises(ValueError, match="fraction must be greater than 0 and at most 1"):
        lift_score([0, 1], [1, 2], fraction=share)
