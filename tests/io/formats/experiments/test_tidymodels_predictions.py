from __future__ import annotations

import io
from collections import Counter

import pytest

from evalstats import TableError, read_predictions, read_table

HEADER = "wflow_id,id,.row,.pred_class,.pred_a,.pred_b"


def test_score_is_the_share_of_right_classes(sample, rows, means, content) -> None:
    path = sample("tidymodels/cells_predictions.csv")
    own = [{**row, "d": path.stem, "right": row[".pred_class"] == row["class"]} for row in rows(path)]

    table = read_table(path)

    assert table.format == "tidymodels-predictions"
    assert content(table) == pytest.approx(means(own, "d", "wflow_id", "right"))


def test_probability_is_that_of_the_positive_label(sample, rows) -> None:
    path = sample("tidymodels/cells_predictions.csv")

    for label in ("good", "poor"):
        told = Counter(float(row[f".pred_{label}"]) for row in rows(path))
        assert Counter(read_predictions(path, pos_label=label).y_score.tolist()) == told


def test_two_columns_of_classes_are_asked() -> None:
    text = f"{HEADER},class,group\nrf,Fold1,1,a,1,0,a,a\nrf,Fold1,2,b,0,1,b,a\n"

    with pytest.raises(TableError, match=r"any of the columns 'class', 'group' may hold the true classes"):
        read_table(io.StringIO(text))
    assert read_table(io.StringIO(text), y_true="class").scores.tolist() == [[1.0]]


def test_outcome_must_be_there() -> None:
    with pytest.raises(TableError, match=r"no column is known to hold the true classes"):
        read_table(io.StringIO(f"{HEADER}\nrf,Fold1,1,a,1,0\n"))
