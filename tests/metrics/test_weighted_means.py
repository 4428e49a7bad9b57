"""Weights are repetitions, whatever their size; a mean without weight is what the policy says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalstats import EvalstatsWarning
from evalstats.metrics.weighted_means import filled_score, mean_score, weighted_mean, weighted_sum

VALUES = np.array([0.25, 0.5, 1.0])
WEIGHT = np.array([1.0, 2.0, 0.0])


def test_sum_and_mean_by_hand() -> None:
    assert (weighted_sum(VALUES, None), weighted_sum(VALUES, WEIGHT)) == (1.75, 1.25)
    assert (weighted_mean(VALUES, None), weighted_mean(VALUES, WEIGHT)) == (1.75 / 3, 1.25 / 3)


def test_weights_are_repetitions() -> None:
    assert weighted_mean(VALUES, WEIGHT) == weighted_mean(np.repeat(VALUES, WEIGHT.astype(int)), None)


@pytest.mark.parametrize("factor", [5e-324, 1e-200, 1e200, 1.7e308 / 3])
def test_size_of_the_weights_does_not_matter(factor: float) -> None:
    """Neither do their sums vanish nor overflow."""
    equal = np.full(3, factor)

    assert weighted_mean(VALUES, equal) == pytest.approx(1.75 / 3, rel=1e-15)


def test_no_weight_is_nan_without_a_warning() -> None:
    assert math.isnan(weighted_mean(VALUES, np.zeros(3)))


def test_batch_is_the_loop_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    values, weight = rng.random((4, 37)), rng.random((4, 37))

    assert weighted_mean(values, weight).tolist() == [
        float(weighted_mean(*one)) for one in zip(values, weight, strict=True)
    ]
    transposed = np.asfortranarray(values)
    assert weighted_sum(transposed, None).tolist() == [float(weighted_sum(row, None)) for row in values]


def test_undefined_scores_are_filled_as_the_policy_says() -> None:
    scores = np.array([0.5, np.nan])

    assert filled_score(scores, "zero", "brier", "never").tolist() == [0.5, 0.0]
    with pytest.warns(EvalstatsWarning, match=r"in 1 of 2 scores, first in \[1\]: no case has weight"):
        mean = mean_score(np.ones((2, 3)), np.array([[1.0, 1, 1], [0, 0, 0]]), "warn", "brier")
    np.testing.assert_array_equal(mean, [1, np.nan])
