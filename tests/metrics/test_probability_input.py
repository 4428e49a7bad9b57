"""Probabilities, classes and weights belong together, or one sentence says why they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss as sklearn_brier

from evalstats.metrics.calibration import expected_calibration_error
from evalstats.metrics.information import information_score, relative_information_score
from evalstats.metrics.probabilities import brier_score_loss, log_loss, root_mean_squared_error

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
        ([0, 1], [[0.5, 0.5], [0.5, 0.4]], {}, r"must sum to one, but those of y_proba\[1\] sum to 0.9"),
        ([0, 1, 1], [0.5, 0.5], {}, r"y_true has 3 labels, y_proba has the shape \(2,\)"),
        ([0, 1, 2], [0.5, 0.5, 0.1], {}, r"needs two classes, but there are 3: 0, 1, 2"),
        ([0, 1, 1], [[0.2, 0.3, 0.5]] * 3, {}, r"it has 3 columns, and y_true holds 2 classes, 0, 1; labels must"),
        ([0, 1, 1], [[0.5, 0.5]] * 3, {"labels": [1, 0]}, r"labels must be sorted"),
        ([0, 1, 1], [[0.5, 0.5]] * 3, {"pos_label": 1}, r"pos_label=1 needs the probability of one class"),
        (["a", "b"], [0.5, 0.5], {}, r"pos_label must say which class is the positive one: y_true holds 'a', 'b'"),
        (["a", "b"], [0.5, 0.5], {"pos_label": "c"}, r"pos_label must be one of 'a', 'b', not 'c'"),
        ([5, 5], [0.5, 0.5], {}, r"pos_label must say which class is the positive one: y_true holds 5"),
        ([0, 1], [0.5, 0.5], {"sample_weight": [1, -1]}, r"sample_weight must be 0 or more, but sample_weight\[1\]"),
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
