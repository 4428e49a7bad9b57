from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from evalstats import EvalstatsWarning
from evalstats.metrics.sample_weight import filled_score, mean_score, understand_weight, weighted_mean, weighted_sum

VALUES = np.array([0.25, 0.5, 1.0])
WEIGHT = np.array([1.0, 2.0, 0.0])


@pytest.mark.parametrize("value", [[1, 2], [0, 0], [[0.5, 1], [2, 3]]])
def test_weights_are_taken_as_they_are(value: Any) -> None:
    """All may be zero; leading axes are a batch."""
    assert understand_weight(value).tolist() == value
    assert understand_weight(value, 2).tolist() == value


@pytest.mark.parametrize(
    ("value", "n", "message"),
    [
        ([1, -2], None, r"sample_weight must be 0 or more, but sample_weight\[1\] is -2$"),
        ([[1, 1], [-0.5, 1]], 2, r"sample_weight must be 0 or more, but sample_weight\[1, 0\] is -0.5$"),
        ([1, float("nan")], None, r"sample_weight must be finite, but sample_weight\[1\] is nan"),
        (5, None, "sample_weight must hold one weight for each instance, but it is a single number"),
        (5, 3, r"sample_weight must hold one weight for each of the 3 instances, but its shape is \(\)"),
        ([1, 2], 3, r"sample_weight must hold one weight for each of the 3 instances, but its shape is \(2,\)"),
    ],
)
def test_bad_weights_are_named(value: Any, n: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        understand_weight(value, n)


def test_weights_are_numbers() -> None:
    with pytest.raises(TypeError, match="sample_weight must be numbers"):
        understand_weight(["a", "b"])


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
    with pytest.warns(EvalstatsWarning, match=r"in 1 of 2 scores, first in \[1\]: no instance has weight"):
        mean = mean_score(np.ones((2, 3)), np.array([[1.0, 1, 1], [0, 0, 0]]), "warn", "brier")
    np.testing.assert_array_equal(mean, [1, np.nan])
