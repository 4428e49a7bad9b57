"""Cost curves, and where which classifier wins."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import trapezoid

from evalstats.metrics import confusion_counts, cost_curve, cost_ranges, error_rate, expected_cost, roc_curve

GRID = np.linspace(0, 1, 101)
CASES = st.lists(st.tuples(st.booleans(), st.integers(-4, 4), st.integers(-4, 4)), max_size=30)


def lowest_line(y: object, score: object) -> np.ndarray:
    """Take the least cost over all thresholds: Drummond & Holte (2006), eq. 4 for each."""
    fpr, tpr, _ = roc_curve(y, score)
    return (fpr[:, None] * (1 - GRID) + (1 - tpr[:, None]) * GRID).min(axis=0)


def test_curve_by_hand() -> None:
    """Points (0, 2/3) and (1/2, 1): lines x / 3 and (1 - x) / 2 cross at 3/5."""
    curve = cost_curve([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9])

    assert curve.low.tolist() == pytest.approx([0, 0.6])
    assert curve.high.tolist() == pytest.approx([0.6, 1])
    assert curve.thresholds.tolist() == [0.8, 0.35]
    assert curve.at([0, 0.6, 1]).tolist() == pytest.approx([0, 0.2, 0], abs=1e-15)
    assert curve.area == pytest.approx(0.1)
    assert curve.threshold_at([0.1, 0.7]).tolist() == [0.8, 0.35]


@given(CASES)
def test_curve_is_the_lowest_line(cases: list[tuple[bool, int, int]]) -> None:
    y, score, _ = zip(*[(False, 0, 0), (True, 1, 0), *cases], strict=True)
    curve = cost_curve(y, score)

    np.testing.assert_allclose(curve.at(GRID), lowest_line(y, score), atol=1e-14)
    assert curve.area == pytest.approx(trapezoid(curve.at(np.linspace(0, 1, 10_001)), dx=1e-4), abs=1e-6)
    assert 0 <= curve.area <= 0.25 + 1e-15


def test_cost_is_the_normalized_expected_cost() -> None:
    """A share of positive cases of .2 and a missed case that costs 5: x = 1 / 1.8."""
    y, score = [0, 0, 0, 1, 1, 1], [1, 3, 2, 2, 4, 5]
    x = 0.2 * 5 / (0.2 * 5 + 0.8 * 1)
    tables = [confusion_counts(y, [int(value >= t) for value in score], n_classes=2) for t in range(1, 7)]

    costs = expected_cost(tables, [[0, 1], [5, 0]], class_priors=[0.8, 0.2], normalize=True)

    assert cost_curve(y, score).at(x) == pytest.approx(min(costs))


def test_guessing_has_the_triangle() -> None:
    curve = cost_curve([0, 1], [1, 1])

    assert curve.at([0.2, 0.5, 0.9]).tolist() == pytest.approx([0.2, 0.5, 0.1])
    assert curve.area == 0.25


@given(CASES)
def test_winners_have_the_lowest_curve(cases: list[tuple[bool, int, int]]) -> None:
    """In the middle of each range; and the ranges go from 0 to 1."""
    y, a, b = (np.array(part) for part in zip(*[(False, 0, 0), (True, 1, 0), *cases], strict=True))
    scores = {"a": a, "b": b, "c": (a + b) // 2}
    ranges = cost_ranges(y, scores)

    assert (ranges.low[0], ranges.high[-1]) == (0, 1)
    assert ranges.low[1:].tolist() == ranges.high[:-1].tolist()
    for low, high, winners in zip(ranges.low, ranges.high, ranges.winners, strict=True):
        middle = (low + high) / 2
        costs = {name: cost_curve(y, own).at(middle) for name, own in scores.items()}
        trivial = {"none positive": middle, "all positive": 1 - middle}
        assert winners
        for name in winners:
            assert ({**costs, **trivial})[name] == pytest.approx(min(costs.values()), abs=1e-12)
    assert all(one != other for one, other in itertools.pairwise(ranges.winners))


def test_same_classifiers_win_together() -> None:
    y, score = [0, 0, 1, 1], [1, 2, 2, 3]

    ranges = cost_ranges(y, [score, np.exp(score)], ["one", "its copy"])

    assert ranges.winners == (("one", "its copy"),)


def test_winners_among_many_are_those_of_every_curve() -> None:
    """Where the curves of other classifiers fall below, and in one call for all as one by one."""
    rng = np.random.default_rng(5)
    y = rng.random(1000) < 0.3
    scores = rng.normal(size=(100, 1000)) + y
    ranges = cost_ranges(y, scores)
    again = cost_ranges(y, {f"classifier {i + 1}": own for i, own in enumerate(scores)})

    assert ranges.winners == again.winners
    np.testing.assert_allclose(ranges.high, again.high, atol=1e-12)
    curves = [roc_curve(y, own) for own in scores]
    for low, high, winners in zip(ranges.low, ranges.high, ranges.winners, strict=True):
        p = (low + high) / 2
        least = np.array([np.min(p * (1 - one.tpr) + (1 - p) * one.fpr) for one in curves])
        cost = {"none positive": p, "all positive": 1 - p}
        for name in winners:
            own = cost[name] if name in cost else least[int(name.split()[1]) - 1]
            assert own == pytest.approx(min(least.min(), p, 1 - p), abs=1e-12)


def test_without_a_classifier() -> None:
    assert cost_ranges([0, 1], [[1, 1]]).winners == (("none positive",), ("all positive",))


def test_no_classifier_is_refused_by_its_own_name() -> None:
    with pytest.raises(ValueError, match="y_score must hold at least one classifier, but it is empty"):
        cost_ranges([0, 1], {})


def test_weights_are_repetitions() -> None:
    y, score, times = np.array([0, 0, 1, 1, 0]), np.array([1, 3, 2, 4, 4]), np.array([2, 1, 3, 1, 1])

    weighted = cost_curve(y, score, sample_weight=times)
    repeated = cost_curve(np.repeat(y, times), np.repeat(score, times))

    np.testing.assert_allclose(weighted.at(GRID), repeated.at(GRID), atol=1e-15)


class TestMessages:
    def test_one_class(self) -> None:
        with pytest.raises(ValueError, match="y_true must hold positive and negative instances for cost_curve"):
            cost_curve([1, 1], [1, 2])

    def test_probability_cost(self) -> None:
        with pytest.raises(ValueError, match="probability_cost must be from 0 to 1"):
            cost_curve([0, 1], [1, 2]).at(1.5)

    def test_names(self) -> None:
        with pytest.raises(ValueError, match="names must hold one name for each of the 2 classifiers, but it holds 1"):
            cost_ranges([0, 1], [[1, 2], [2, 1]], ["a"])
        with pytest.raises(ValueError, match="names must be left out: y_score holds them"):
            cost_ranges([0, 1], {"a": [1, 2]}, ["a"])
        with pytest.raises(ValueError, match="names must be different from each other"):
            cost_ranges([0, 1], [[1, 2], [2, 1]], ["a", "a"])

    def test_shape(self) -> None:
        with pytest.raises(ValueError, match=r"y_score must have the shape \(n_classifiers, n\)"):
            cost_ranges([0, 1], [1, 2])


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


class TestMessagesOfExpectedCost:
    def test_negative(self) -> None:
        with pytest.raises(ValueError, match=r"costs must be nonnegative, but costs\[1, 0\] is -10"):
            expected_cost(COUNTS, [[0, 1], [-10, 0]])

    def test_all_zero(self) -> None:
        with pytest.raises(ValueError, match="at least one of the costs must be above 0"):
            expected_cost(COUNTS, [[0, 0], [0, 0]])

    def test_shape(self) -> None:
        with pytest.raises(ValueError, match=r"costs must have the shape \(2, 2\), as counts has 2 classes"):
            expected_cost(COUNTS, np.ones((3, 3)))
        with pytest.raises(ValueError, match=r"counts must have the shape \(\.\.\., k, k\)"):
            expected_cost([1, 2], COSTS)

    def test_shares(self) -> None:
        with pytest.raises(ValueError, match=r"class_priors must be nonnegative and sum to 1, but they sum to 1\.5"):
            expected_cost(COUNTS, COSTS, class_priors=[1, 0.5])
        with pytest.raises(ValueError, match=r"class_priors must be nonnegative and sum to 1, but one is -0\.5"):
            expected_cost(COUNTS, COSTS, class_priors=[-0.5, 1.5])

    def test_labels_in_another_order(self) -> None:
        counts = pd.DataFrame(COUNTS, index=["no", "yes"], columns=["no", "yes"])
        costs = pd.DataFrame(COSTS, index=["yes", "no"], columns=["yes", "no"])
        with pytest.raises(ValueError, match="the index of costs must be the classes of counts in their order"):
            expected_cost(counts, costs)
