"""Heights of curves of cases that are drawn again."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.metrics import lift_score, precision_recall_curve
from evalstats.metrics.bootstrap_curves import HEIGHTS, own_heights, redrawn_heights

RNG = np.random.default_rng(4)
POSITIVE = np.arange(50) % 3 == 0
SCORES = np.round(POSITIVE + RNG.normal(0, 1, (2, 50)), 1)
AT = np.array([0.0, 0.2, 0.7, 1.0])


@pytest.mark.parametrize("curve", HEIGHTS)
def test_each_draw_is_the_curve_of_repeated_cases(curve: str) -> None:
    """Two roads to one number: a case that was drawn twice occurs twice."""
    read = HEIGHTS[curve]

    drawn = redrawn_heights(POSITIVE, SCORES, read, AT, n_resamples=8, generator=np.random.default_rng(1))

    times = np.random.default_rng(1).multinomial(50, np.full(50, 1 / 50), size=8)
    expected = [[own_heights(np.repeat(POSITIVE, w), np.repeat(score, w), read, AT) for w in times] for score in SCORES]
    np.testing.assert_allclose(drawn, expected, atol=1e-12)


def test_draws_without_a_class_are_left_out() -> None:
    drawn = redrawn_heights(
        np.array([True, False, False]), np.zeros((1, 3)), HEIGHTS["roc"], AT, n_resamples=200, generator=RNG
    )

    assert 80 < drawn.shape[1] < 190


def test_ends_of_the_curves() -> None:
    """No case passed: no rate, no cost of false alarms; all passed: all positives are found."""
    heights = {curve: own_heights(POSITIVE, SCORES[0], read, AT) for curve, read in HEIGHTS.items()}

    assert heights["roc"][-1] == heights["gain"][-1] == heights["lift"][-1] == 1
    assert heights["cost"][[0, -1]].tolist() == [0, 0]
    assert heights["gain"][0] == 0
    assert heights["lift"][1] == pytest.approx(lift_score(POSITIVE, SCORES[0], fraction=0.2))
    curve = precision_recall_curve(POSITIVE, SCORES[0])
    assert heights["precision-recall"][-1] == pytest.approx(curve.precision[curve.recall == 1].max())
