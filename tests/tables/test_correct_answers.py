"""Right and wrong answers, once each, are predictions whose true label is 'right'."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats import read_predictions, read_table
from evalstats.tables.correct_answers import are_single_answers, is_right_or_wrong, predictions_of_answers
from evalstats.tables.items import QuestionScores

SCORES = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
ITEMS = QuestionScores(
    questions=("a", "b", "c"),
    benchmark=np.zeros(3, dtype=np.intp),
    cluster=None,
    scores=SCORES,
    n_samples=np.ones((3, 2), dtype=np.intp),
    within=np.zeros((3, 2)),
    columns={"item": "id", "score": "correct"},
)
ROWS = {"model": list("ababab"), "id": list("aabbcc"), "correct": [1, 0, 1, 1, 0, 0]}


def made(*, greater_is_better: bool = True) -> evalstats.Predictions:
    return predictions_of_answers(ITEMS, "d", ("a", "b"), greater_is_better=greater_is_better, source=None)


def test_predictions_are_right_where_the_answers_are() -> None:
    predictions = made()

    assert is_right_or_wrong(predictions)
    assert np.array_equal((predictions.y_true == predictions.y_pred).reshape(2, 3), SCORES.T == 1)


def test_where_less_is_better_1_is_an_error() -> None:
    predictions = made(greater_is_better=False)

    assert np.array_equal((predictions.y_true == predictions.y_pred).reshape(2, 3), SCORES.T == 0)


def test_they_are_those_of_a_wide_table() -> None:
    wide = read_table({"id": list("abc"), "a": [1, 1, 0], "b": [0, 1, 0]})._scored._predictions
    long = read_table(ROWS)._scored._predictions

    for name in ("datasets", "classifiers", "labels", "repeats", "folds"):
        assert getattr(wide, name) == getattr(long, name)
    for name in ("classifier", "y_true", "y_pred", "instance"):
        assert np.array_equal(getattr(wide, name), getattr(long, name))


@pytest.mark.parametrize(
    "other",
    [
        {"scores": np.array([[0.5, 0.0], [1.0, 1.0], [0.0, 0.0]])},
        {"n_samples": np.array([[1, 1], [1, 2], [1, 1]])},
        {"benchmark": np.array([0, 0, 1])},
        {"cluster": np.array([0, 0, 1])},
    ],
)
def test_grades_samples_benchmarks_and_clusters_are_questions(other: dict[str, np.ndarray]) -> None:
    assert not are_single_answers(replace(ITEMS, **other))


def test_cluster_of_one_question_is_none() -> None:
    assert are_single_answers(replace(ITEMS, cluster=np.array([2, 0, 1])))


def test_direction_that_is_told_says_what_1_means() -> None:
    table = read_table(
        {"model": ROWS["model"], "question": ROWS["id"], "score": ROWS["correct"]}, greater_is_better=False
    )

    assert (table.metric, table.greater_is_better) == ("error_rate", False)
    assert np.allclose(table.scores, [[2 / 3, 1 / 3]])


def test_column_of_correct_answers_has_its_direction_and_metric() -> None:
    with pytest.raises(ValueError, match="greater_is_better=False is for scores, but 'correct' says which answers are"):
        read_table(ROWS, greater_is_better=False)
    with pytest.raises(
        ValueError, match="metric must be accuracy for answers that are correct or incorrect, not 'nope'"
    ):
        read_table(ROWS, metric="nope")
    assert read_table(ROWS, metric="acc").metric == "accuracy"


def test_metric_that_needs_labels_is_refused() -> None:
    with pytest.raises(
        ValueError, match="metric must be accuracy or error_rate for answers that are correct or incorrect"
    ):
        read_table({"id": list("abcde"), "a": [1, 1, 0, 1, 1], "b": [0, 1, 0, 1, 0]}, metric="f1_macro")


def test_all_right_or_few_cases_are_no_scores() -> None:
    """A column that names the cases says that 1 is a right answer, however few there are."""
    few = read_table({"item_id": ["a", "b"], "a": [1, 1], "b": [0, 1]})
    right = read_table({"uid": list("abcdefgh"), "a": [1] * 8, "b": [1] * 8})

    assert few._scored is not None
    assert right._scored is not None


WRONG = {"item_id": [f"q{i}" for i in range(40)], "error_a": [0, 0, 0, 1] * 10, "error_b": [0, 1, 1, 1] * 10}
BESIDE = [{}, {"benchmark": ["x", "y"] * 20}, {"cluster": [f"c{i // 4}" for i in range(40)]}]


@pytest.mark.parametrize("rows_are", [None, "questions", "instances"])
@pytest.mark.parametrize("beside", BESIDE)
def test_columns_with_names_of_losses_are_asked_about(beside: dict[str, list[str]], rows_are: str | None) -> None:
    """1 in a column error_a may be an incorrect answer: the direction must be given, and each answer is obeyed."""
    source = WRONG | beside

    with pytest.raises(ValueError, match="'error_a', 'error_b' have names of losses") as caught:
        read_table(source, rows_are=rows_are)
    of_losses = read_table(source, rows_are=rows_are, greater_is_better=False)
    of_answers = read_table(source, rows_are=rows_are, greater_is_better=True)

    assert "pass greater_is_better=False; if greater is better, pass greater_is_better=True" in str(caught.value)
    assert not of_losses.greater_is_better
    assert np.allclose(of_losses.scores.mean(axis=0), [1 / 4, 3 / 4])
    assert of_answers.greater_is_better
    assert np.allclose(of_answers.scores, of_losses.scores)


@pytest.mark.parametrize("name", ["{}_loss", "is_wrong_{}", "{} (failed)", "hallucinated_{}"])
def test_losses_of_questions_are_no_gains(name: str) -> None:
    """Numbers of any size, in columns that the caller says to be of questions."""
    losses = {"item_id": WRONG["item_id"], name.format("a"): [0.2, 0.4] * 20, name.format("b"): [0.7, 0.9] * 20}

    with pytest.raises(ValueError, match="have names of losses"):
        read_table(losses, rows_are="questions")

    assert not read_table(losses, rows_are="questions", greater_is_better=False).greater_is_better
    assert not read_table(losses, rows_are="questions", metric="loss").greater_is_better


def test_predictions_without_labels_have_no_direction_to_give() -> None:
    with pytest.raises(ValueError, match="write 1 for a correct answer"):
        read_predictions(WRONG)


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("where", ["the line above the table", "the name of the file"])
def test_words_around_answers_say_what_1_means(where: str, beside: dict[str, list[str]], tmp_path: Path) -> None:
    answers = {"item_id": WRONG["item_id"], "a": WRONG["error_a"], "b": WRONG["error_b"]} | beside
    above, name = ("Table 1: Errors\n", "answers.csv") if "above" in where else ("", "errors.csv")
    path = tmp_path / name
    path.write_text(above + pd.DataFrame(answers).to_csv(index=False))

    with pytest.raises(ValueError, match=f"{where} says that lower is better"):
        read_table(path)

    assert not read_table(path, greater_is_better=False).greater_is_better
    assert read_table(path, greater_is_better=True).greater_is_better


def test_name_of_a_column_is_stronger_than_words_around_it(tmp_path: Path) -> None:
    path = tmp_path / "errors.csv"
    path.write_text(pd.DataFrame(ROWS).to_csv(index=False))

    assert read_table(path).greater_is_better
