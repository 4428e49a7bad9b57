"""Answers to named questions, as a gate reads them."""

from __future__ import annotations

import pytest

from evalstats import EvalstatsError
from evalstats.io.reader.answers import item_answers


def test_columns_are_found_by_their_names(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("Task,Question ID,target,prediction,text\narc,7,a,b,t1\narc,8,b,b,t1\n")

    answers = item_answers(path, cluster="text")

    assert (answers.task, answers.item, answers.y_true, answers.y_pred) == (
        ["arc"] * 2,
        ["7", "8"],
        ["a", "b"],
        ["b", "b"],
    )
    assert answers.cluster == ["t1", "t1"]
    assert answers.keys() == {("arc", "7"): 0, ("arc", "8"): 1}


def test_right_and_wrong_are_words_or_numbers():
    answers = item_answers({"id": ["a", "b", "c"], "correct": [True, 0, "TRUE"]})

    assert answers.right == [True, False, True]
    assert answers.task == ["all questions"] * 3


def test_scores_of_datasets_are_no_items():
    assert item_answers({"dataset": ["a", "b"], "x": [0.1, 0.2]}) is None


@pytest.mark.parametrize("value", ["", None, float("nan"), "maybe", 0.5, 2])
def test_what_is_neither_right_nor_wrong_is_refused(value):
    with pytest.raises(EvalstatsError, match="row 2, column 'correct': an answer must be correct"):
        item_answers({"id": ["a", "b"], "correct": [1, value]})


def test_directory_without_a_study_is_refused(tmp_path):
    with pytest.raises(EvalstatsError, match="there is no study in"):
        item_answers(tmp_path)


def test_predicted_labels_without_true_labels_are_no_scores():
    """A gate would otherwise compare the means of the predicted labels 0 and 1, as scores of datasets."""
    with pytest.raises(EvalstatsError, match="known to hold the true labels of 'y_pred'; call it 'y_true'"):
        item_answers({"item_id": ["a", "b"], "y_pred": [0, 1]})
