"""A table of scores is complete, named and cannot be changed; everything else is refused."""

from __future__ import annotations

import copy
import io
import math
import pickle

import numpy as np
import pytest

from evalstats._errors import EvalstatsError, InvalidTypeError, InvalidValueError
from evalstats.io.reader.tables import read_table
from evalstats.tables.score_table import ScoreTable

SCORES = [[0.93, 0.95], [0.71, 0.5]]
INCOMPLETE = "d,A,B,C\nx,1,,2\ny,,,2\nz,3,2,1\n"


def test_position_is_the_column_of_a_name() -> None:
    table = ScoreTable(scores=[[0.1, 0.2]], datasets=("iris",), classifiers=("NB", "SVM"))

    assert table.position("SVM") == 1
    with pytest.raises(InvalidValueError, match="classifier must be one of 'NB', 'SVM', not 'tree'"):
        table.position("tree")


def made(**changes) -> ScoreTable:
    return ScoreTable(**{"scores": SCORES, "datasets": ("iris", "glass"), "classifiers": ("NB", "SVM"), **changes})


def test_scores_are_a_read_only_copy() -> None:
    scores = np.array(SCORES)
    table = made(scores=scores)
    scores[0, 0] = 5

    assert table.scores[0, 0] == 0.93
    with pytest.raises(ValueError, match="read-only"):
        table.scores[0, 0] = 5


def test_select_keeps_the_order_that_is_asked_for() -> None:
    table = made(metric="AUC", unit="%", greater_is_better=False, dropped=("x",), source="f.csv")

    chosen = table.select(["SVM", "NB"])

    assert chosen.to_dict() == {**table.to_dict(), "classifiers": ["SVM", "NB"], "scores": [[0.95, 0.93], [0.5, 0.71]]}
    with pytest.raises(InvalidValueError, match="classifiers must be among 'NB', 'SVM', not 'J48'"):
        table.select(["J48"])


def test_table_can_be_copied_and_pickled() -> None:
    table = made()

    assert pickle.loads(pickle.dumps(table)).to_dict() == copy.deepcopy(table).to_dict() == table.to_dict()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scores": [[1, 2]]}, "scores must have one row for each of the 2 datasets .* the shape is \\(1, 2\\)"),
        ({"scores": [[1, 2], [3, math.nan]]}, r"scores\[1, 1\] \(dataset 'glass', classifier 'SVM'\) is nan"),
        ({"scores": [[1, 2], [3, math.inf]]}, r"scores\[1, 1\] \(dataset 'glass', classifier 'SVM'\) is inf"),
        ({"classifiers": ("NB", " NB ")}, "classifiers must be unique, but these are repeated: 'NB'"),
        ({"datasets": ("a", "")}, "datasets: the name '' is empty"),
        ({"datasets": ("a", "\x1b[2J")}, "datasets: the name .* holds the control character '\\\\x1b'"),
        ({"datasets": ("a", "\u202egnp.exe")}, "holds the control character '\\\\u202e'"),
        ({"datasets": ("a", "\ud800")}, "holds the control character '\\\\ud800'"),
        ({"datasets": ("a", "x" * 1001)}, "has 1,001 characters, but at most 1,000 are allowed"),
        ({"metric": ""}, "metric: the name '' is empty"),
        ({"scores": np.empty((0, 2)), "datasets": ()}, "at least one"),
    ],
)
def test_what_a_table_refuses(changes: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        made(**changes)


def test_types_that_a_table_refuses() -> None:
    with pytest.raises(InvalidTypeError, match="greater_is_better must be True or False"):
        made(greater_is_better="yes")
    with pytest.raises(InvalidTypeError, match="classifiers must be a sequence of names, not 'NB'"):
        made(classifiers="NB")


def test_name_of_a_file_cannot_hide_anything() -> None:
    assert made(source="a\x1b\n\ud800.csv").source == "a\\x1b\\n\\ud800.csv"


def test_selection_of_an_incomplete_table() -> None:
    table = read_table(io.StringIO(INCOMPLETE), missing="skillings-mack")

    assert table.select(["C", "A"]).missing == ()
    assert table.select(["C", "B", "A"]).missing == (("x", "B"),)
    assert (table.select(["A", "B"]).datasets, table.select(["A", "B"]).dropped) == (("z",), ("y", "x"))
    assert table.select(["B"]).datasets == ("z",)


@pytest.mark.parametrize(
    ("scores", "missing", "error", "message"),
    [
        ([[1, math.nan, 2]], (), InvalidValueError, r"scores\[0, 1\] \(dataset 'x', classifier 'B'\) is nan"),
        (
            [[1, math.inf, 2]],
            (("x", "B"),),
            InvalidValueError,
            "missing must name cells without a score, but the score of 'x' / 'B' is inf",
        ),
        (
            [[1, 0.5, 2]],
            (("x", "B"),),
            InvalidValueError,
            "missing must name cells without a score, but the score of 'x' / 'B' is 0.5",
        ),
        ([[1, 0.5, 2]], (("x", "D"),), InvalidValueError, "must name cells of the table, not 'x' / 'D'"),
        ([[1, 0.5, 2]], ("xB",), InvalidTypeError, "missing must hold pairs of a dataset and a classifier"),
        (
            [[1, math.nan, math.nan]],
            (("x", "B"), ("x", "C")),
            InvalidValueError,
            "two or more scores, but 'x' has fewer",
        ),
        ([[1, 2, math.nan]], (("x", "C"),), InvalidValueError, "each classifier must have a score, but 'C' has none"),
    ],
)
def test_missing_cells_are_as_strict(scores: list, missing: tuple, error: type[EvalstatsError], message: str) -> None:
    with pytest.raises(error, match=message):
        ScoreTable(scores=scores, datasets=("x",), classifiers=("A", "B", "C"), missing=missing)


@pytest.mark.parametrize("name", ["metric", "unit", "source", "computation", "format"])
@pytest.mark.parametrize("value", [b"x", 3])
def test_words_must_be_text(name, value) -> None:
    with pytest.raises(InvalidTypeError, match=f"{name} must be text, not {type(value).__name__}"):
        ScoreTable(scores=[[1, 2]], datasets=("x",), classifiers=("a", "b"), **{name: value})


def test_names_must_not_be_bytes() -> None:
    with pytest.raises(InvalidTypeError, match="classifiers must be text, not bytes"):
        ScoreTable(scores=[[1, 2]], datasets=("x",), classifiers=(b"a", b"b"))
    with pytest.raises(InvalidTypeError, match="datasets must be a sequence of names, not b'xy'"):
        ScoreTable(scores=[[1], [2]], datasets=b"xy", classifiers=("a",))
