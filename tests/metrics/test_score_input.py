"""Probabilities, classes and weights belong together, or one sentence says why they do not."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss as sklearn_brier

from evalstats import EvalstatsWarning
from evalstats.metrics.calibration import expected_calibration_error
from evalstats.metrics.information import information_score, relative_information_score
from evalstats.metrics.probabilities import brier_score_loss, log_loss, root_mean_squared_error
from evalstats.metrics.score_input import (
    filled_score,
    mean_score,
    understand_folds,
    understand_rankings,
    understand_scores,
    understand_weight,
    weighted_mean,
    weighted_sum,
)

SCORES = [brier_score_loss, log_loss, root_mean_squared_error, information_score, relative_information_score]
ALL_SCORES = [*SCORES, expected_calibration_error]
each_score = pytest.mark.parametrize("score", ALL_SCORES)


@pytest.mark.parametrize(
    ("y_true", "choices"),
    [([0, 1, 1, 0], {}), ([-1, 1, 1, -1], {}), ([3, 7, 7, 3], {}), (["a", "b", "b", "a"], {"pos_label": "a"})],
)
def test_positive_class_is_that_of_scikit_learn(y_true: list[Any], choices: dict[str, Any]) -> None:
    y_proba = [0.1, 0.9, 0.8, 0.3]

    ours = brier_score_loss(y_true, y_proba, **choices)

    assert ours == pytest.approx(sklearn_brier(y_true, y_proba, **choices), rel=1e-12)


@each_score
def test_one_probability_is_two_columns(score: Callable[..., Any]) -> None:
    y_true, p = [0, 1, 1, 0, 1], np.array([0.25, 0.5, 0.75, 0.125, 0.0])

    assert score(y_true, p) == score(y_true, np.stack([1 - p, p], axis=1)) == score(y_true, p[:, None])


@pytest.mark.parametrize("score", [brier_score_loss, log_loss, root_mean_squared_error, expected_calibration_error])
def test_one_class_is_scored_where_the_other_is_known(score: Callable[..., Any]) -> None:
    """A fold without negatives: 0 and 1 are the classes, or `labels` lists them."""
    result = score([1, 1], [0.5, 0.5])

    assert result == score(["b", "b"], [0.5, 0.5], labels=["a", "b"])
    assert result > 0


@pytest.mark.parametrize(
    ("y_true", "y_proba", "choices", "message"),
    [
        ([0, 1], [0.5, 1.5], {}, r"y_proba must hold probabilities from 0 to 1, but y_proba\[1\] is 1.5"),
        ([0, 1], [-0.25, 0.5], {}, r"but y_proba\[0\] is -0.25"),
        ([0, 1], [0.5, np.nan], {}, r"y_proba must be finite, but y_proba\[1\] is nan"),
        ([0, 1], [[0.5, 0.5], [0.5, 0.4]], {}, r"must sum to one, but the probabilities of y_proba\[1\] sum to 0.9"),
        ([0, 1, 1], [0.5, 0.5], {}, r"y_true has 3 labels, y_proba has the shape \(2,\)"),
        ([0, 1, 2], [0.5, 0.5, 0.1], {}, r"needs two classes, but there are 3: 0, 1, 2"),
        ([0, 1, 1], [[0.2, 0.3, 0.5]] * 3, {}, r"it has 3 columns, and y_true holds 2 classes, 0, 1; labels must"),
        ([0, 1, 1], [[0.5, 0.5]] * 3, {"labels": [1, 0]}, r"labels must be sorted"),
        ([0, 1, 1], [[0.5, 0.5]] * 3, {"pos_label": 1}, r"pos_label=1 needs the probability of one class"),
        (["a", "b"], [0.5, 0.5], {}, r"pos_label must name the positive class: y_true holds 'a', 'b'"),
        (["a", "b"], [0.5, 0.5], {"pos_label": "c"}, r"pos_label must be one of 'a', 'b', not 'c'"),
        ([5, 5], [0.5, 0.5], {}, r"pos_label must name the positive class: y_true holds 5"),
        ([0, 1], [0.5, 0.5], {"sample_weight": [1, -1]}, r"sample_weight must be nonnegative, but sample_weight\[1\]"),
        ([0, 1], [0.5, 0.5], {"sample_weight": [1]}, r"one weight for each of the 2 instances"),
        ([0, 1], [0.5, 0.5], {"sample_weight": [0, 0]}, r"is undefined: .*no instance has weight"),
        ([[0, 1]] * 2, [[0.5, 0.5]] * 3, {}, r"the leading axes of y_true, y_proba must broadcast"),
        ([], [], {}, r"y_true must hold at least one label"),
        ([0, 1], [0.5, 0.5], {"undefined": "skip"}, r"undefined must be 'warn' or"),
    ],
)
def test_bad_input_is_refused_by_every_score(y_true: Any, y_proba: Any, choices: dict[str, Any], message: str) -> None:
    for score in ALL_SCORES:
        with pytest.raises(ValueError, match=message):
            pytest.fail(f"{score.__name__} gives {score(y_true, y_proba, **choices)}")


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
        ([1, -2], None, r"sample_weight must be nonnegative, but sample_weight\[1\] is -2$"),
        ([[1, 1], [-0.5, 1]], 2, r"sample_weight must be nonnegative, but sample_weight\[1, 0\] is -0.5$"),
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


TWO_ROWS = [["b", "a", "b"], ["a", "a", "c"]]


def test_folds_list_their_cases() -> None:
    """Each row is cut in its own way, and a fold may be empty in it."""
    folds = understand_folds(TWO_ROWS, None)
    assert folds is not None

    listed = [[folds.cases(row, fold).tolist() for fold in range(3)] for row in range(2)]

    assert list(folds.names) == ["a", "b", "c"]
    assert listed == [[[1], [0, 2], []], [[0, 1], [], [2]]]
    assert folds.sizes.tolist() == [1, 2, 0, 2, 0, 1]


def test_folds_in_order_need_no_list() -> None:
    folds = understand_folds([0, 0, 2], 4)
    assert folds is not None

    assert folds.order is None
    assert [folds.cases(0, fold).tolist() for fold in range(4)] == [[0, 1], [], [2], []]


def test_many_rows_are_counted_as_one_is() -> None:
    """More cases than one block holds."""
    fold = np.random.default_rng(0).integers(0, 5, (40, 5000))

    folds = understand_folds(fold, 5)

    assert folds is not None
    assert folds.sizes.reshape(40, 5).tolist() == [np.bincount(row, minlength=5).tolist() for row in fold]


def test_leading_axes_broadcast() -> None:
    rankings = understand_rankings([0, 1, 1], np.zeros((4, 1, 3)), None, np.ones((2, 3)), TWO_ROWS)

    assert rankings.batch == (4, 2)


def test_single_precision_is_kept() -> None:
    assert understand_scores(np.zeros(3, dtype=np.float32)).dtype == np.float32
    assert understand_scores([1, 2]).dtype == np.float64


def test_last_axes_must_be_equal() -> None:
    with pytest.raises(ValueError, match="y_true and fold must be paired: y_true has 2 instances, fold has 3"):
        understand_rankings([0, 1], [1, 2], None, None, [0, 0, 1])
    with pytest.raises(ValueError, match="y_score must hold at least one score"):
        understand_scores([])
