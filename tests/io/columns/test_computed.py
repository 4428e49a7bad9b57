"""computed_columns(): what was computed from the true labels and another column is none of a classifier."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from evalstats import compare, read_predictions, read_table
from evalstats.io.columns.computed import computed_columns
from evalstats.tables.errors import TableError

RNG = np.random.default_rng(3)
TRUTH = RNG.integers(0, 2, 60)
LR, RF = (np.round(np.clip(0.5 + 0.3 * (TRUTH - 0.5) + RNG.normal(0, 0.2, 60), 0.01, 0.99), 3) for _ in range(2))
LABEL_LR, LABEL_RF = (LR > 0.5) * 1, (RF > 0.45) * 1
SQUARED = {"lr_x": (TRUTH - LR) ** 2, "rf_x": (TRUTH - RF) ** 2}


def losses(probability: np.ndarray) -> np.ndarray:
    return -np.log(np.where(TRUTH == 1, probability, 1 - probability))


@pytest.mark.parametrize(
    ("own", "what"),
    [
        (np.abs(TRUTH - LR), "is the absolute error of {}"),
        (np.round((TRUTH - LR) ** 2, 2), "is the squared error of {}"),
        (TRUTH - LR, "is the true label minus {}"),
        (LR - TRUTH, "is {} minus the true label"),
        (losses(LR), "is the log loss of {}"),
        (losses(LR) / np.log(2), "is the log loss of {} in bits"),
    ],
)
def test_errors_of_probabilities_are_known_by_their_values(own: np.ndarray, what: str) -> None:
    assert computed_columns(TRUTH, [LR, RF, own], ["lr", "rf", "x"]) == {2: (0, what)}


def test_right_and_wrong_answers_are_known_by_their_values() -> None:
    found = computed_columns(
        TRUTH, [LABEL_LR, LABEL_RF, (LABEL_LR == TRUTH) * 1, (LABEL_RF != TRUTH) * 1], ["lr", "rf", "ok", "bad"]
    )

    assert found == {2: (0, "marks the correct predictions of {}"), 3: (1, "marks the errors of {}")}


def test_of_two_that_are_each_others_error_the_name_decides_then_the_order() -> None:
    error = np.abs(TRUTH - LR)

    assert list(computed_columns(TRUTH, [error, LR], ["lr_error", "lr"])) == [0]
    assert list(computed_columns(TRUTH, [error, LR], ["a", "b"])) == [1]


def test_classifiers_and_constants_are_not_computed() -> None:
    same, calibrated = np.zeros(60), LR**2

    assert computed_columns(TRUTH, [LR, RF, 1 - LR, calibrated], list("abcd")) == {}
    assert computed_columns(TRUTH, [same, TRUTH * 1.0, 1 - same], list("abc")) == {}
    assert computed_columns(TRUTH[:4], [LR[:4], (TRUTH - LR)[:4]], list("ab")) == {}
    assert computed_columns(TRUTH, [LR, np.where(np.arange(60) == 59, np.nan, TRUTH - LR)], list("ab")) == {}


@pytest.mark.parametrize("truth", [TRUTH, np.array(["no", "yes"])[TRUTH], 2 * TRUTH - 1, TRUTH.astype(bool)])
def test_errors_of_each_classifier_are_left_out_and_said(truth: np.ndarray) -> None:
    """Else a squared error is compared as one more classifier: by DeLong's test, with an area of 0."""
    frame = pd.DataFrame({"y_true": truth, "lr": LR, "rf": RF, **SQUARED})

    table = read_table(frame)

    assert table.classifiers == ("lr", "rf")
    assert [(out.name, out.reason) for out in table.left_out] == [
        ("lr_x", "is the squared error of 'lr'"), ("rf_x", "is the squared error of 'rf'")
    ]  # fmt: skip
    assert read_predictions(frame).classifiers == ("lr", "rf")
    assert len(compare(frame).pairs) == 1


@pytest.mark.parametrize("write", [lambda x: x, lambda x: x * 1, lambda x: np.where(x, "True", "False")])
def test_who_was_right_is_left_out_beside_the_answers(write: object) -> None:
    labels = np.array(["cat", "dog"])
    for truth, lr, rf in ((TRUTH, LABEL_LR, LABEL_RF), (labels[TRUTH], labels[LABEL_LR], labels[LABEL_RF])):
        right = {"lr ok": write(lr == truth), "rf ok": write(rf == truth)}  # type: ignore[operator]  # a function
        text = pd.DataFrame({"y_true": truth, "lr": lr, "rf": rf, **right}).to_csv(index=False)

        assert read_table(io.StringIO(text)).classifiers == ("lr", "rf")
        assert read_predictions(io.StringIO(text)).classifiers == ("lr", "rf")


def test_where_another_column_has_no_error_it_is_asked_which_are_classifiers() -> None:
    """One line of a lecture: a probability, its squared error and its information score, five cases."""
    text = (
        "id,f_x,y,squared,score\n1,.95,1,.0025,.66\n2,.6,0,.36,0\n3,.8,1,.04,.42\n4,.75,0,.5625,.32\n5,.9,1,.01,.59\n"
    )

    with pytest.raises(TableError) as error:
        read_table(io.StringIO(text))

    assert str(error.value) == (
        "the table: the column 'squared' is the squared error of 'f_x' and is not a classifier; 'score' has no such "
        "column and may not be a classifier either; leave out what is not a classifier, for example with "
        "drop='squared'; if it is one, pass keep='squared'"
    )
    assert read_table(io.StringIO(text), keep="squared").classifiers == ("f_x", "score", "squared")
    assert read_predictions(io.StringIO(text), drop=["squared", "score"]).classifiers == ("f_x",)
