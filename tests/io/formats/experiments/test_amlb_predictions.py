from __future__ import annotations

import pytest

from evalstats import TableError, read_predictions, read_table


def test_score_is_the_share_of_right_labels(sample, rows, content) -> None:
    expected = {}
    for task in sample("amlb/runs").glob("*/predictions/*"):
        own = [row for path in task.glob("*/predictions.csv") for row in rows(path)]
        right = sum(row["predictions"] == row["truth"] for row in own) / len(own)
        expected[task.name, task.parents[1].name.partition(".")[0]] = right

    table = read_table(sample("amlb/runs"))

    assert table.format == "amlb-predictions"
    assert content(table) == pytest.approx(expected)


def test_probability_is_that_of_the_positive_label(sample) -> None:
    first, second = (read_predictions(sample("amlb/runs"), pos_label=label).y_score for label in ("yes", "no"))

    assert first + second == pytest.approx(1)


def test_numbers_that_were_predicted_are_refused(tmp_path) -> None:
    path = tmp_path / "f.b.1h/predictions/t/0/predictions.csv"
    path.parent.mkdir(parents=True)
    path.write_text("predictions,truth\n0.1,0.2\n")

    with pytest.raises(TableError, match=r"has no column of a class: numbers were predicted"):
        read_table(tmp_path)
