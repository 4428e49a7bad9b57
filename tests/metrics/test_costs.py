"""Expected cost under a matrix of costs."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from evalstats.metrics import error_rate, expected_cost

COUNTS = [[84, 6], [4, 6]]
COSTS = [[0, 1], [10, 0]]


def test_cost_by_hand() -> None:
    """Four missed cases at 10 and six false alarms at 1 cost 46 in 100 cases; with 1 % positives .99/15 + .01 * 4."""
    assert expected_cost(COUNTS, COSTS) == pytest.approx(0.46, rel=1e-15)
    assert expected_cost(COUNTS, COSTS, class_priors=[0.99, 0.01]) == pytest.approx(0.99 / 15 + 0.04, rel=1e-15)
    assert expected_cost(COUNTS, COSTS, normalize=True) == pytest.approx(0.46 / (0.9 + 0.1 * 10), rel=1e-15)


def test_cost_is_that_of_a_loop_over_the_cases() -> None:
    rng = np.random.default_rng(0)
    true, predicted, costs = rng.integers(0, 4, 300), rng.integers(0, 4, 300), rng.random((4, 4)) * 9
    counts = np.zeros((4, 4))
    np.add.at(counts, (true, predicted), 1)

    total = sum(costs[t, p] for t, p in zip(true, predicted, strict=True))

    assert expected_cost(counts, costs) == pytest.approx(total / 300, rel=1e-13)


def test_equal_costs_are_the_error_rate() -> None:
    y_true, y_pred = [0, 1, 2, 2, 1], [0, 2, 2, 1, 1]
    counts = np.zeros((3, 3))
    np.add.at(counts, (y_true, y_pred), 1)

    assert expected_cost(counts, 1 - np.eye(3)) == pytest.approx(error_rate(y_true, y_pred), rel=1e-15)


def test_batch_equals_the_loop_and_costs_have_any_unit() -> None:
    counts = np.random.default_rng(1).integers(0, 50, (3, 2, 3, 3))
    costs = np.random.default_rng(2).random((3, 3))

    together = expected_cost(counts, costs)

    each = [expected_cost(own, costs) for own in counts.reshape(-1, 3, 3)]
    np.testing.assert_allclose(together.ravel(), each, rtol=1e-15)
    np.testing.assert_allclose(expected_cost(counts, costs * 1e100), together * 1e100, rtol=1e-13)


def test_own_shares_change_nothing() -> None:
    assert expected_cost(COUNTS, COSTS, class_priors=[0.9, 0.1]) == pytest.approx(0.46, rel=1e-14)


def test_all_mistakes_have_the_normalized_cost_one() -> None:
    assert expected_cost([[0, 3], [5, 0]], COSTS, normalize=True) == 1
    assert expected_cost([[3, 0], [0, 5]], COSTS, normalize=True) == 0


def test_class_without_cases() -> None:
    with pytest.raises(
        ValueError,
        match=r"expected_cost is undefined: there is no instance of a class with a positive "
        "prior",
    ):
        expected_cost([[3, 1], [0, 0]], COSTS, class_priors=[0.5, 0.5])
    assert expected_cost([[3, 1], [0, 0]], COSTS, class_priors=[1, 0]) == 0.25
    assert math.isnan(expected_cost([[0, 0], [0, 0]], COSTS, undefined="nan"))


class TestMessages:
    def test_negative(self) -> None:
        with pytest.raises(ValueError, match=r"costs must be 0 or more, but costs\[1, 0\] is -10"):
            expected_cost(COUNTS, [[0, 1], [-10, 0]])

    def test_all_zero(self) -> None:
        with pytest.raises(ValueError, match="costs must have a number above 0"):
            expected_cost(COUNTS, [[0, 0], [0, 0]])

    def test_shape(self) -> None:
        with pytest.raises(ValueError, match=r"costs must have the shape \(2, 2\), as counts has 2 classes"):
            expected_cost(COUNTS, np.ones((3, 3)))
        with pytest.raises(ValueError, match=r"counts must have the shape \(\.\.\., k, k\)"):
            expected_cost([1, 2], COSTS)

    def test_shares(self) -> None:
        with pytest.raises(ValueError, match=r"class_priors must be 0 or more and sum to 1, but they sum to 1\.5"):
            expected_cost(COUNTS, COSTS, class_priors=[1, 0.5])
        with pytest.raises(ValueError, match=r"class_priors must be 0 or more and sum to 1, but one is -0\.5"):
            expected_cost(COUNTS, COSTS, class_priors=[-0.5, 1.5])

    def test_labels_in_another_order(self) -> None:
        counts = pd.DataFrame(COUNTS, index=["no", "yes"], columns=["no", "yes"])
        costs = pd.DataFrame(COSTS, index=["yes", "no"], columns=["yes", "no"])
        with pytest.raises(ValueError, match="the index of costs must be the classes of counts in their order"):
            expected_cost(counts, costs)
