"""Columns that contradict each other are refused by every command that reads them."""

from __future__ import annotations

import pytest

import evalstats
from evalstats import EvalstatsError
from evalstats.io.columns.computed import refuse_contradictions, refuse_two_spellings
from evalstats.io.reader.opening import grid_of

LABELS = {"item_id": list(range(6)), "y_true": list("ababab"), "y_pred": list("ababba")}
RIGHT = [1, 1, 1, 1, 0, 0]


def grid(**columns):
    return grid_of(columns, None, "utf-8", None)


def test_columns_that_agree_are_no_contradiction():
    refuse_contradictions(grid(**LABELS, correct=RIGHT), 1, 2)
    refuse_contradictions(grid(**LABELS), 1, 2)


@pytest.mark.parametrize("words", [(1, 0), ("true", "false"), (True, False), ("1.0", "0.0")])
def test_first_rows_are_named(words):
    said = [words[0]] * 6

    with pytest.raises(
        EvalstatsError,
        match=r"'correct' contradicts 'y_true' and 'y_pred' in 2 of 6 rows: row 5 is marked as correct, ",
    ):
        refuse_contradictions(grid(**LABELS, correct=said), 1, 2)


def test_true_label_that_is_called_wrong_contradicts():
    with pytest.raises(
        EvalstatsError, match="row 1 is marked as incorrect, with the true label 'a' and the predicted label 'a'"
    ):
        refuse_contradictions(grid(**LABELS, correct=[0, *RIGHT[1:]]), 1, 2)


def test_free_texts_may_be_right_in_other_words():
    texts = {"true": ["Paris", "42", "blue"], "pred": ["It is Paris.", "forty-two", "blue"]}

    refuse_contradictions(grid(**texts, correct=[1, 1, 1]), 0, 1)
    with pytest.raises(EvalstatsError, match="row 2 is marked as correct"):
        refuse_contradictions(
            grid(true=["Paris", "42", "blue"], pred=["It is Paris.", "Blue", "blue!"], correct=[1] * 3), 0, 1
        )


def test_numbers_are_compared_by_their_value():
    numbers = {"true": ["42", "7", "1"], "pred": ["42.0", "7", "2"]}

    refuse_contradictions(grid(**numbers, correct=[1, 1, 0]), 0, 1)
    with pytest.raises(EvalstatsError, match="row 3 is marked as correct"):
        refuse_contradictions(grid(**numbers, correct=[1, 1, 1]), 0, 1)


@pytest.mark.parametrize("read", [evalstats.compare, evalstats.read_predictions, evalstats.gate])
def test_every_reader_asks(read):
    both = {name: values * 2 for name, values in LABELS.items()} | {
        "classifier": ["x"] * 6 + ["y"] * 6,
        "correct": [1] * 12,
    }

    with pytest.raises(EvalstatsError, match="contradicts"):
        read(both) if read is not evalstats.gate else read(
            both, both, margin=0.1, baseline_name="x", candidate_name="x"
        )


def test_answers_to_questions_are_asked_too():
    rows = {**LABELS, "model": ["x"] * 6, "correct": [1] * 6}

    with pytest.raises(EvalstatsError, match="contradicts"):
        evalstats.read_table(rows, layout="answers")


@pytest.mark.parametrize(
    ("true", "predicted", "message"),
    [
        (["1", "0", "1", "0"], ["01", "0", "1", "0"], "'1' and '01' are one value in two spellings"),
        (["cat", "dog"] * 2, ["Cat", "dog"] * 2, "'cat' and 'Cat' are one value in two spellings"),
        (["True", "False"] * 2, ["1", "0"] * 2, "'True' and '1' are one value in two spellings"),
        (["cat", "dog"] * 2, ["0", "1"] * 2, "no predicted label .* is a true label"),
    ],
)
def test_labels_that_cannot_agree_are_refused(true, predicted, message):
    with pytest.raises(EvalstatsError, match=message):
        refuse_two_spellings(grid(t=true, p=predicted), 0, 1)


def test_free_texts_keep_their_spelling():
    refuse_two_spellings(grid(t=["Paris", "Rome", "Oslo", "Bern"], p=["paris", "rome.", "Oslo", "Lima"]), 0, 1)


def test_equal_whole_numbers_of_both_sides_are_one_label():
    """One file had a missing value once, so its labels were written as 1.0 and 0.0."""
    rows = {"row": list("abcd"), "y_true": ["1", "0", "1", "0"], "y_pred": ["1", "0", "0", "0"]}
    others = rows | {"y_true": ["1.0", "0.0", "1.0", "0.0"], "y_pred": ["1", "0", "1", "0"]}

    found = evalstats.gate(rows, others, margin=0.5)

    assert found.tasks[0].difference == 0.25
    plain = evalstats.gate(rows, others | {"y_true": rows["y_true"]}, margin=0.5)
    assert found.tasks[0].to_dict() == plain.tasks[0].to_dict()
    assert [one.code for one in (*found.findings, *plain.findings)] == ["one-spelling"]
