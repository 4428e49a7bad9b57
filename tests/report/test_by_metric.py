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
        scores = -scores if (name == "log loss") != (turned and name == "f1") else scores
        tables[name] = pd.DataFrame(scores, columns=list("ABCDEFGH")[:k])
    return compare(tables, metric=list(tables))


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_metrics_that_agree() -> None:
    assert found().verdict == (
        "By all 3 metrics E has the best mean rank. Classifiers are shown to differ by 3 of 3 metrics (accuracy, f1 "
        "and log loss), each tested by itself at α = 0.05. Kendall's correlation of the mean ranks by two metrics is "
        "+1.00."
    )


def test_metrics_that_disagree() -> None:
    said = found(turned=True).verdict

    assert said.startswith("Who has the best mean rank depends on the metric: E by accuracy and log loss; A by f1.")
    assert said.endswith("Kendall's correlation of the mean ranks by two metrics is −1.00 to +1.00.")


def test_two_classifiers_have_no_correlation() -> None:
    shown = report.document(found(k=2, n_metrics=2))

    assert "Kendall" not in report.text(shown)
    assert [section.name for section in shown.sections] == ["metrics", "ranks", "means", "notes"]


def test_places_stand_in_the_order_of_their_sum() -> None:
    (table,) = (section.blocks[0] for section in report.document(found()).sections if section.name == "ranks")

    assert table.rows[0] == ("E", "1", "1", "1", "3")
    assert [column.head for column in table.columns] == ["Classifier", "accuracy", "f1", "log loss", "Best 3"]
    assert "Lower is better by log loss, higher by the others." in table.caption


@pytest.mark.parametrize("style", ["text", "markdown", "html", "latex"])
def test_every_format(style: str) -> None:
    shown = one_line(getattr(report, style)(found()))

    assert "What follows by each metric" in shown
    assert "Ranks by metric" in shown
    assert "Do the metrics rank alike?" in shown
    assert "Each metric is tested by itself" in shown


def test_json_has_the_comparisons() -> None:
    read = json.loads(report.json(found()))

    assert read["kind"] == "evalstats by_metric"
    assert read["by_metric"]["ranks"][4] == [1, 1, 1]
    assert [one["table"]["metric"] for one in read["by_metric"]["comparisons"]] == ["accuracy", "f1", "log loss"]


def test_no_row_beyond_the_most_is_shown() -> None:
    text = one_line(report.text(report.document(found(), most_rows=2)))

    assert "The tables leave out the 3 classifiers with the largest ranks." in text
