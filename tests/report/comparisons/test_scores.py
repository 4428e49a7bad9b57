"""A table of scores is shown with what was measured, what is missing, and the digits that it was given with."""

from __future__ import annotations

import math
from typing import Any

import pytest

from evalstats import ScoreTable, report
from evalstats.report.blocks import Extent
from evalstats.report.comparisons.scores import document, scores_table, verdict


def made(**changes: Any) -> ScoreTable:
    named = {"scores": [[0.9, 0.75], [0.5, 0.25]], "datasets": ("iris", "glass"), "classifiers": ("A", "B")}
    return ScoreTable(**named | {"metric": "AUC"} | changes)


@pytest.mark.parametrize(
    ("changes", "end"),
    [
        ({}, "AUC, higher is better."),
        ({"metric": "loss", "greater_is_better": False}, "loss, lower is better."),
        ({"unit": "%"}, "AUC (%), higher is better."),
        ({"dropped": ("wine",)}, "AUC, higher is better; 1 dataset left out."),
    ],
    ids=["plain", "loss", "unit", "dropped"],
)
def test_verdict_says_what_was_measured_and_what_is_missing(changes: dict[str, Any], end: str) -> None:
    table = made(**changes)

    assert verdict(table) == f"2 classifiers on 2 datasets: {end}"
    assert report.sentence(table) == verdict(table)


def test_digits_are_those_that_were_given() -> None:
    assert scores_table(made()).rows == (("iris", "0.90", "0.75"), ("glass", "0.50", "0.25"))


def test_computed_scores_have_six_digits() -> None:
    table = made(scores=[[1 / 3, 0.75], [2 / 3, 1.0]], computation="mean over folds")

    assert scores_table(table).rows == (("iris", "0.333333", "0.75"), ("glass", "0.666667", "1"))


def test_missing_score_is_a_dash_and_counted() -> None:
    table = made(
        scores=[[0.9, math.nan, 0.5], [0.5, 0.25, 0.75]], classifiers=("A", "B", "C"), missing=(("iris", "B"),)
    )

    assert scores_table(table).rows[0] == ("iris", "0.90", "–", "0.50")
    assert verdict(table) == "3 classifiers on 2 datasets: AUC, higher is better; 1 score missing."


def test_long_table_is_cut_and_says_so() -> None:
    shown = document(made(source="scores.csv"), Extent(max_rows=1)).sections[0].blocks[0]

    assert [row[0] for row in shown.rows] == ["iris"]
    assert shown.caption == "The scores, from scores.csv: AUC. The table shows the first 1 of 2 datasets."
