"""The .632 bootstrap weighs what was left out with what was trained on."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.study.bootstrap_632 import weighted_scores

shares = st.floats(0, 1)


def plus(err1: float, err: float, gamma: float) -> float:
    """Transcribe the .632+ rule for errors: the correction of .632 has err1 limited to the no-information rate."""
    plain = 0.368 * err + 0.632 * err1
    if err1 <= err or gamma <= err:
        return plain
    limited = min(err1, gamma)
    rate = (limited - err) / (gamma - err)
    return plain + (limited - err) * 0.368 * 0.632 * rate / (1 - 0.368 * rate)


def test_nearest_neighbour_on_labels_without_information() -> None:
    """Efron & Tibshirani (1997), section 3: apparent error 0, true error .5: .632 says .316, .632+ says .5."""
    out_of_bag = np.array([0.45, 0.55])

    assert weighted_scores(out_of_bag, 0.0, greater_is_better=False).mean() == pytest.approx(0.316)
    assert weighted_scores(out_of_bag, 0.0, 0.5, greater_is_better=False).mean() == pytest.approx(0.5)


@given(st.lists(shares, min_size=1, max_size=5), shares, shares)
def test_mean_is_the_published_rule(errors: list[float], err: float, gamma: float) -> None:
    out_of_bag = np.array(errors)
    scores = weighted_scores(out_of_bag, err, gamma, greater_is_better=False)

    assert scores.mean() == pytest.approx(plus(float(out_of_bag.mean()), err, gamma), abs=1e-12)


@given(st.lists(shares, min_size=1, max_size=5), shares, shares)
def test_accuracy_is_one_minus_error(errors: list[float], err: float, gamma: float) -> None:
    errors_ = np.array(errors)
    of_errors = weighted_scores(errors_, err, gamma, greater_is_better=False)
    of_accuracy = weighted_scores(1 - errors_, 1 - err, 1 - gamma)

    # rounding can decide between equal and nearly equal rates, where the rule jumps
    if abs(errors_.mean() - err) > 1e-9 and abs(gamma - err) > 1e-9:
        np.testing.assert_allclose(of_accuracy, 1 - of_errors, atol=1e-9)


def test_failed_runs_stay_without_a_score() -> None:
    scores = weighted_scores(np.array([0.8, math.nan]), 1.0, 0.5)

    assert np.isnan(scores).tolist() == [False, True]
    assert np.isnan(weighted_scores(np.array([math.nan]), 1.0, 0.5)).all()
