from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from evalstats.metrics import (
    auc_estimate,
    average_precision_score,
    bootstrap_auc_interval,
    brier_score_loss,
    precision_at_n,
    roc_auc_score,
    roc_curve,
)
from evalstats.metrics.class_encoding import understand
from evalstats.metrics.positive_class import cases_of, one_is_usual, positive_cases

FOUR = ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])


@pytest.mark.parametrize(
    ("y", "choices"),
    [
        ([False, False, True, True], {}),
        ([-1, -1, 1, 1], {}),
        ([0.0, 0.0, 1.0, 1.0], {}),
        ([3, 3, 7, 7], {"pos_label": 7}),
        (["ham", "ham", "spam", "spam"], {"pos_label": "spam"}),
        ([b"n", b"n", b"p", b"p"], {"pos_label": b"p"}),
        ([("n", 0), ("n", 0), ("p", 1), ("p", 1)], {"pos_label": ("p", 1)}),
    ],
    ids=str,
)
def test_labels_of_any_kind(y: list[Any], choices: dict[str, Any]) -> None:
    labels = np.empty(4, dtype=object)
    labels[:] = y

    assert roc_auc_score(labels, FOUR[1], **choices) == 0.75
    assert average_precision_score(labels, FOUR[1], **choices) == average_precision_score(*FOUR)


def test_the_greater_of_two_labels_is_positive() -> None:
    """As in scikit-learn; a curve of the other class would look as plausible, so that there it must be named."""
    y = ["ham", "ham", "spam", "spam"]

    assert roc_auc_score(y, FOUR[1]) == sklearn_metrics.roc_auc_score(y, FOUR[1])
    with pytest.raises(ValueError, match=r"pos_label must name the positive class: y_true holds 'ham', 'spam'"):
        roc_curve(y, FOUR[1])


def test_all_other_classes_are_negative() -> None:
    assert roc_auc_score([0, 2, 1, 1], FOUR[1], pos_label=1) == 0.75


def test_one_is_positive_by_custom() -> None:
    """Of 0 and 1, and of -1 and 1, though only one of them occurs; booleans are 0 and 1."""
    usual = [{0, 1}, {0}, {1}, {-1, 1}, {-1}, {False, True}]
    unusual = [{1, 2}, {-1, 0}, {-1, 0, 1}, {"a", "b"}]

    assert [one_is_usual(present) for present in [*usual, *unusual]] == [True] * 6 + [False] * 4


def test_one_helper_serves_rankings_probabilities_and_intervals() -> None:
    """Turning labels and scores around changes nothing for any of them."""
    y, score = ["ham", "spam", "ham", "spam"], np.array([0.1, 0.4, 0.35, 0.8])

    assert auc_estimate(y, score, pos_label="spam").estimate == auc_estimate(y, -score, pos_label="ham").estimate
    assert bootstrap_auc_interval(y, score, rng=0).estimate == 1 - bootstrap_auc_interval(y, -score, rng=0).estimate
    assert brier_score_loss(y, score, pos_label="spam") == pytest.approx(
        brier_score_loss(y, 1 - score, pos_label="ham")
    )
    assert precision_at_n(y, score, 2, pos_label="spam") == 1 - precision_at_n(y, score, 2, pos_label="ham")


def test_tuples_are_labels_not_arrays() -> None:
    labels = np.empty(3, dtype=object)
    labels[:] = [("p", 1), ("n", 0), ("p", 1)]

    assert cases_of(labels, ("p", 1)).tolist() == [True, False, True]


def test_positive_class_must_occur_unless_one_class_is_there() -> None:
    assert positive_cases(understand([0, 0], "y_true"), 7).tolist() == [False, False]
    with pytest.raises(ValueError, match="pos_label must be one of 0, 1, not 7"):
        positive_cases(understand([0, 1], "y_true"), 7)
