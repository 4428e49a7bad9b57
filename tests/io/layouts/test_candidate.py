"""What every layout makes of its cells."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest

from evalstats import read_table
from evalstats.io.layouts.candidate import is_better_greater
from evalstats.tables.errors import TableError


@pytest.mark.parametrize(
    ("metric", "expected"), [("score", True), ("AUC", True), ("test error", False), ("NLL", False)]
)
def test_more_is_better_unless_the_name_says_otherwise(metric: str, expected: bool) -> None:
    assert is_better_greater(metric) is expected


def test_all_scores_or_none_have_a_percent_sign() -> None:
    with pytest.raises(TableError, match="either all or none of the scores must be written with %"):
        read_table(io.StringIO("fold,NB,SVM\n1,93%,0.9\n2,91%,0.8\n"))
    assert read_table(io.StringIO("fold,NB,SVM\n1,93%,90%\n2,91%,80%\n")).unit == "%"


def test_places_of_missing_scores_are_named() -> None:
    with pytest.raises(TableError, match="'b' / 'SVM'"):
        read_table({"dataset": ["a", "b"], "NB": [0.9, 0.8], "SVM": [0.7, np.nan]})


def test_folds_that_lack_a_score_are_left_out_and_told() -> None:
    rows = {"model": ["A"] * 3 + ["B"] * 2, "seed": [1, 2, 3, 1, 2], "acc": [0.9, 0.91, 0.92, 0.8, 0.82]}

    with pytest.raises(TableError, match="leave out the folds or repeats that lack a score with missing='drop-folds'"):
        read_table(rows)
    table = read_table(rows, missing="drop-folds")
    assert table.folds[0].repeats == ("1", "2")
    np.testing.assert_allclose(table.scores, [[0.905, 0.81]])
    assert [(one.name, one.reason) for one in table.left_out] == [("dataset, run 3", "lacks the score of a classifier")]


def test_runs_of_which_none_is_complete_are_paired_by_their_order_if_that_is_said() -> None:
    rows = {"model": ["A"] * 2 + ["B"] * 2, "seed": [1, 2, 3, 4], "acc": [0.9, 0.91, 0.8, 0.82]}

    with pytest.raises(TableError, match="none of the repeats of dataset 'dataset' has a score of every classifier"):
        read_table(rows, missing="drop-folds")
    assert read_table(rows, same_order=True).folds[0].scores[:, 0].tolist() == [[0.9, 0.8], [0.91, 0.82]]


IN_ROWS = "dataset,fold,NB,SVM,LR\nx,0,0.9,,0.8\nx,1,0.8,,0.7\ny,0,0.85,0.8,0.6\ny,1,0.86,0.81,0.6\n"


def test_classifier_without_a_score_in_any_fold_is_named() -> None:
    problem = (
        "none of the folds of dataset 'x' has a score of every classifier, and 'SVM' has none; leave out such datasets "
        "with missing='drop-datasets' instead, or leave out a classifier, for example with drop='SVM'"
    )
    with pytest.raises(TableError, match=re.escape(problem)):
        read_table(io.StringIO(IN_ROWS), missing="drop-folds")

    assert read_table(io.StringIO(IN_ROWS), missing="drop-datasets").datasets == ("y",)
    assert read_table(io.StringIO(IN_ROWS), missing="drop-folds", drop="SVM").scores.shape == (2, 2)


def test_wide_folds_of_which_none_is_complete_are_not_called_rows_in_one_order() -> None:
    source = "fold,NB,SVM,LR\n0,0.9,,0.8\n1,,0.8,0.7\n"

    with pytest.raises(TableError, match="classifier; leave out a classifier, for example with drop='NB'"):
        read_table(io.StringIO(source), missing="drop-folds")
    assert read_table(io.StringIO(source), missing="drop-folds", drop="NB").folds[0].folds == ("1",)


def test_folds_with_other_names_for_each_classifier_need_the_meaning_of_the_rows_too() -> None:
    rows = {"model": ["A"] * 2 + ["B"] * 2, "fold": ["a1", "a2", "b1", "b2"], "acc": [0.9, 0.91, 0.8, 0.82]}

    with pytest.raises(TableError, match="regardless of their names, pass rows_are='folds' and same_order=True"):
        read_table(rows, missing="drop-folds")
    table = read_table(rows, missing="drop-folds", rows_are="folds", same_order=True)
    assert table.folds[0].scores[0].tolist() == [[0.9, 0.8], [0.91, 0.82]]
