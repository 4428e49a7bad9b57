"""The layout with more columns that have a role in it is taken; layouts with as many are asked about."""

from __future__ import annotations

import pytest

from evalstats import TableError
from evalstats.io.layouts.candidate import Candidate, Strength, choose
from evalstats.io.layouts.evidence import recognized
from evalstats.io.sources.grid import Grid, grid_of_columns

COLUMNS = (
    *("dataset", "classifier", "score", "repeat", "fold", "instance", "y_true", "y_pred", "y_score"),
    *("question", "cluster", "stratum"),
)
CELLS = {"model": ["a", "b"], "dataset": ["x", "y"], "benchmark": ["x", "y"]}


def grid(header: str) -> Grid:
    names = header.split()
    return grid_of_columns("t", names, [CELLS.get(name, [1, 0]) for name in names])


@pytest.mark.parametrize(
    ("header", "named", "layout"),
    [
        ("dataset NB SVM", {}, "wide"),
        ("fold NB SVM", {}, "wide"),
        ("dataset model accuracy", {}, "long"),
        ("model fold accuracy", {}, "long"),
        ("dataset model y_true y_pred", {}, "predictions"),
        ("model question_id correct", {}, "answers"),
        ("model benchmark question_id y_true y_pred correct sample", {}, "answers"),
        ("dataset model y_true y_pred accuracy fold", {}, "predictions"),
        ("dataset model y_true y_pred accuracy", {"score": "accuracy"}, "long"),
        ("a b c", {"question": "a"}, "answers"),
        ("a b c", {"y_true": "a"}, "predictions"),
        ("a b c", {"classifier": "a"}, "long"),
        ("a b c", {"dataset": "a"}, "wide"),
    ],
)
def test_layout_explains_most_columns(header: str, named: dict[str, str], layout: str) -> None:
    assert recognized(grid(header), "auto", dict.fromkeys(COLUMNS) | named) == layout


def test_layouts_that_explain_as_much_are_asked() -> None:
    with pytest.raises(TableError) as refused:
        recognized(grid("model benchmark question_id y_true y_pred correct"), "auto", dict.fromkeys(COLUMNS))

    assert refused.value.argument == "layout"
    assert "layout='answers' or layout='predictions'" in str(refused.value)


def test_close_candidates_are_asked_and_clear_ones_taken() -> None:
    weak, usual, strong = (
        Candidate("rows_are", value, value, ((strength, f"of {value}"),))
        for value, strength in (("folds", Strength.WEAK), ("runs", Strength.USUAL), ("datasets", Strength.STRONG))
    )
    clear = Candidate("rows_are", "datasets", "datasets", ((Strength.STRONG, "a"), (Strength.WEAK, "b")))

    assert choose("t", [weak, clear]) is clear
    assert choose("t", [weak]) is weak
    with pytest.raises(TableError, match="t may hold datasets, because of datasets, or runs, because of runs; pass"):
        choose("t", [weak, usual, strong])
