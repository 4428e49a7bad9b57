"""The report over metrics: who is best by which, the table of places, and how alike the metrics rank."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from evalstats import compare, report
from evalstats.comparison import ComparisonByMetric


def found(*, turned: bool = False, k: int = 5, n_metrics: int = 3) -> ComparisonByMetric:
    """Compare classifiers in one order by every metric, or the other way round by the last one."""
    tables = {}
    for name in ("accuracy", "f1", "log loss")[:n_metrics]:
        scores = np.linspace(0, 1, 12)[:, None] + np.arange(k) / 2
        scores = 9 - scores if name == "log loss" else -scores if turned and name == "f1" else scores
        tables[name] = pd.DataFrame(scores, columns=list("ABCDEFGH")[:k])
    return compare(tables, metric=list(tables))


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_metrics_that_agree() -> None:
    assert found().verdict == (
        "By all 3 metrics E has the best mean rank. Classifiers are shown to differ by every metric, each tested "
        "separately at α = 0.05. Kendall's correlation of the mean ranks by any two metrics is +1.00."
    )


def test_metrics_that_disagree() -> None:
    said = found(turned=True).verdict

    assert said.startswith(
        "The classifier with the best mean rank depends on the metric: E by accuracy and log loss; A by F1."
    )
    assert said.endswith("Kendall's correlation of the mean ranks by any two metrics is −1.00 to +1.00.")


def test_two_classifiers_have_no_correlation() -> None:
    shown = report.document(found(k=2, n_metrics=2))

    assert "Kendall" not in report.text(shown)
    assert [section.name for section in shown.sections] == ["metrics", "ranks", "pairs", "means", "notes", "methods"]


def test_places_stand_in_the_order_of_their_sum() -> None:
    (table,) = (section.blocks[0] for section in report.document(found()).sections if section.name == "ranks")

    assert table.rows[0] == ("E", "1", "1", "1", "3")
    assert [column.head for column in table.columns] == ["Classifier", "accuracy", "F1", "log loss", "Best 3"]
    assert "Lower is better by log loss, higher by the others." in table.caption


@pytest.mark.parametrize("style", ["text", "markdown", "html", "latex"])
def test_every_format(style: str) -> None:
    shown = one_line(getattr(report, style)(found()))

    assert "Conclusions by metric" in shown
    assert "Ranks by metric" in shown
    assert "Agreement of the metrics" in shown
    assert "Each metric is tested separately" in shown


def test_json_has_the_comparisons() -> None:
    read = json.loads(report.json(found()))

    assert read["kind"] == "evalstats by_metric"
    assert read["by_metric"]["ranks"][4] == [1, 1, 1]
    assert [one["table"]["metric"] for one in read["by_metric"]["comparisons"]] == ["accuracy", "f1", "log loss"]


def test_no_row_beyond_the_most_is_shown() -> None:
    text = one_line(report.text(report.document(found(), max_rows=2)))

    assert "The tables leave out the 3 classifiers with the largest ranks." in text


def section_of(shown: object, name: str) -> tuple:
    return next(section.blocks for section in shown.sections if section.name == name)


def test_pairs_stand_in_one_order_with_the_metrics_that_tell_them_apart() -> None:
    several = found(turned=True)
    (table,) = section_of(report.document(several), "pairs")

    assert [column.head for column in table.columns] == [
        "First",
        "Second",
        "p, accuracy",
        "p, F1",
        "p, log loss",
        "Differ by",
    ]
    assert [row[:2] for row in table.rows[:2]] == [("E", "D"), ("E", "C")]
    extremes = next(row for row in table.rows if set(row[:2]) == {"A", "E"})
    assert extremes[-1] == "accuracy, F1 and log loss"
    assert len({*extremes[2:5]}) == 1
    assert [row[-1] == "none" for row in table.rows] == [not marked for marked in table.marked]


def test_pairs_with_a_control_have_it_second() -> None:
    frame = {m: pd.DataFrame(np.random.default_rng(1).random((9, 4)), columns=list("ABCD")) for m in ("f1", "auc")}
    (table,) = section_of(report.document(compare(frame, metric=["f1", "auc"], control="B")), "pairs")

    assert {row[1] for row in table.rows} == {"B"}
    assert len(table.rows) == 3


def test_long_table_of_pairs_is_cut_and_says_so() -> None:
    few, table = section_of(report.document(found(), max_rows=4), "pairs")

    assert few.content == ("The table shows the 4 of 10 pairs with the smallest p-values.",)
    assert len(table.rows) == 4


def test_figure_reaches_from_the_smallest_mean_rank_to_the_largest() -> None:
    drawn = section_of(report.document(found(turned=True)), "ranks")[-1].diagram
    rows = {row.name: (row.value, row.low, row.high, row.full) for row in drawn.rows}

    assert rows["E"] == (pytest.approx(7 / 3), 1, 5, True)
    assert rows["A"] == (pytest.approx(11 / 3), 1, 5, True)
    assert rows["C"] == (3, 3, 3, False)
    assert [row.name for row in drawn.rows] == list("EDCBA")


def test_methods_are_said_once_where_they_are_the_same() -> None:
    said = one_line(report.text(found(), part="methods"))

    assert said.startswith(
        "The classifiers were compared by 3 metrics, each separately. The scores (accuracy, higher is"
    )
    assert said.endswith("The same analysis was used for F1 (higher is better) and log loss (lower is better).")
    assert said.count("Wilcoxon signed-rank test") == 1


def test_scores_of_a_paper_have_the_best_of_each_metric() -> None:
    said = report.latex(found(turned=True), part="scores")

    assert r"accuracy & 0.500 & 1.000 & 1.500 & {\underline{2.000}} & {\bfseries 2.500}" in said
    assert r"F1 & {\bfseries −0.500}" in said.replace(r"\ensuremath{-}", "−").replace("-", "−")
    assert r"Mean of ranks" in said


def test_one_dataset_speaks_of_scores() -> None:
    rows = {"classifier": ["A"] * 4 + ["B"] * 4 + ["C"] * 4, "case": [1, 2, 3, 4] * 3, "y_true": [1, 0, 1, 0] * 3}
    several = compare(rows | {"y_pred": [1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1]}, metric=["accuracy", "f1"], pos_label=1)

    assert several.verdict.startswith("By both metrics A has the best score.")
    assert "mean rank" not in one_line(report.text(several))
