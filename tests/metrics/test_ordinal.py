"""Scores of ordered classes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from evalstats.metrics import kendall_tau_b, ordinal_absolute_error, ordinal_squared_error

ORDER = ["poor", "fair", "good"]
TRUE, PREDICTED = ["poor", "fair", "good", "good"], ["poor", "fair", "poor", "fair"]
EVERY = [ordinal_absolute_error, ordinal_squared_error, kendall_tau_b]


def test_errors_by_hand() -> None:
    """Off by 0, 0, 2 and 1 classes."""
    assert ordinal_absolute_error(TRUE, PREDICTED, labels=ORDER) == 3 / 4
    assert ordinal_squared_error(TRUE, PREDICTED, labels=ORDER) == 5 / 4


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40))
def test_errors_are_those_of_the_codes(pairs: list[tuple[int, int]]) -> None:
    true, predicted = np.array(pairs).T

    assert ordinal_absolute_error(true, predicted, labels=range(5)) == pytest.approx(abs(true - predicted).mean())
    assert ordinal_squared_error(true, predicted, labels=range(5)) == pytest.approx(((true - predicted) ** 2).mean())


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40))
def test_tau_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    true, predicted = np.array(pairs).T
    theirs = kendalltau(true, predicted).statistic if len(pairs) > 1 else math.nan

    assert kendall_tau_b(true, predicted, undefined="nan") == pytest.approx(theirs, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("function", EVERY)
def test_batch_equals_the_loop_and_weights_are_repetitions(function) -> None:
    rng = np.random.default_rng(0)
    true, predicted, times = rng.integers(0, 4, 30), rng.integers(0, 4, (3, 30)), rng.integers(0, 3, 30)

    together = function(true, predicted)

    assert together.tolist() == pytest.approx([function(true, own) for own in predicted], rel=1e-13)
    weighted = function(true, predicted[0], sample_weight=times)
    assert weighted == pytest.approx(function(np.repeat(true, times), np.repeat(predicted[0], times)), rel=1e-12)


def test_opposite_order() -> None:
    assert kendall_tau_b([1, 2, 3], [3, 2, 1]) == -1
    assert kendall_tau_b(TRUE, TRUE, labels=ORDER) == 1


def test_one_class() -> None:
    with pytest.raises(
        ValueError, match="kendall_tau_b is undefined: all true or all predicted labels belong to one class"
    ):
        kendall_tau_b([1, 1], [1, 2])
    assert kendall_tau_b([1, 1], [1, 2], undefined="zero") == 0
    assert math.isnan(ordinal_absolute_error([1, 2], [1, 2], sample_weight=[0, 0], undefined="nan"))


@pytest.mark.parametrize("function", EVERY)
class TestMessages:
    def test_text_has_no_order_of_its_own(self, function) -> None:
        with pytest.raises(ValueError, match="labels must list the classes in their order, because y_true holds text"):
            function(TRUE, PREDICTED)

    def test_set_has_no_order(self, function) -> None:
        with pytest.raises(TypeError, match="labels must be a sequence of classes, not a set, which has no order"):
            function(TRUE, PREDICTED, labels=set(ORDER))

    def test_unseen_class(self, function) -> None:
        with pytest.raises(ValueError, match="excellent"):
            function(TRUE, [*PREDICTED[:3], "excellent"], labels=ORDER)
