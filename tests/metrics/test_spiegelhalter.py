"""Spiegelhalter's test: values of rms, the formula, the sides, and degenerate probabilities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from forecasts import P, Q, Y

from evalstats import report
from evalstats.metrics import brier_score_loss, spiegelhalter_test


def test_values_are_those_of_rms() -> None:
    """S:z and S:p of val.prob of rms 6.5-0, R 4.2.2."""
    result = spiegelhalter_test(Y, P)

    assert result.statistic == pytest.approx(-0.1846334154, abs=1e-10)
    assert result.pvalue == pytest.approx(0.8535165746, abs=1e-9)
    assert spiegelhalter_test(Y, Q).statistic == pytest.approx(0.2719830830, abs=1e-10)


def test_statistic_is_the_excess_of_the_brier_score() -> None:
    result = spiegelhalter_test(Y, Q)

    assert result.brier == pytest.approx(brier_score_loss(Y, Q), abs=1e-15)
    assert result.statistic == pytest.approx((result.brier - result.expected_brier) / result.standard_error)


def test_variance_is_that_of_all_outcomes() -> None:
    """The Brier score over all outcomes of four instances, each with its probability."""
    p = np.array([0.1, 0.3, 0.8, 0.6])
    outcomes = np.array(np.meshgrid(*[[0, 1]] * 4)).reshape(4, -1).T
    chance = np.prod(np.where(outcomes == 1, p, 1 - p), axis=1)
    brier = ((outcomes - p) ** 2).mean(axis=1)

    result = spiegelhalter_test([0, 1, 1, 0], p)

    assert result.expected_brier == pytest.approx(chance @ brier)
    assert result.standard_error**2 == pytest.approx(chance @ (brier - chance @ brier) ** 2)


def test_too_extreme_probabilities_are_on_the_side_greater() -> None:
    y, p = [0, 1] * 50, [0.05, 0.95, 0.95, 0.05] * 25

    assert spiegelhalter_test(y, p, alternative="greater").pvalue < 1e-6
    assert spiegelhalter_test(y, p, alternative="less").pvalue > 0.999


def test_batch_is_the_loop() -> None:
    batch = spiegelhalter_test(Y, [P, Q])

    np.testing.assert_array_equal(batch.statistic, [spiegelhalter_test(Y, p).statistic for p in (P, Q)])


@pytest.mark.parametrize("p", [[0.0, 1.0, 0.5], [0.5, 0.5, 0.5]])
def test_probabilities_without_variance_have_no_statistic(p: list[float]) -> None:
    result = spiegelhalter_test([0, 1, 1], p)

    assert math.isnan(result.statistic)
    assert math.isnan(result.pvalue)
    assert "every probability is 0, 1/2 or 1" in result.reason


def test_zero_and_one_among_others_are_allowed() -> None:
    assert math.isfinite(spiegelhalter_test([0, 1, 1], [0.0, 1.0, 0.7]).statistic)


def test_sentence_never_says_calibrated_of_a_large_pvalue() -> None:
    said = report.sentence(spiegelhalter_test(Y, P))

    assert said == (
        "Spiegelhalter's test of calibration in 20 instances: Brier score 0.149, expected 0.157 if calibrated, z = "
        "−0.185, p = 0.854 (normal approximation)."
    )


def test_probability_outside_is_refused() -> None:
    with pytest.raises(ValueError, match=r"y_prob must hold probabilities from 0 to 1, but y_prob\[1\] is 1.2"):
        spiegelhalter_test([0, 1], [0.5, 1.2])
