"""aligned_cases(): what several classifiers said of one case stands in one column."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evalstats import InvalidValueError, read_predictions
from evalstats.tables.aligned_instances import aligned_cases, times_predicted

# cases 0 to 3, in folds that are not in the order of the cases
ROWS = {
    "dataset": ["d"] * 8,
    "classifier": ["a"] * 4 + ["b"] * 4,
    "fold": [2, 1, 2, 1] * 2,
    "row": [0, 1, 2, 3] * 2,
    "y_true": ["u", "v", "v", "w"] * 2,
    "y_pred": ["u", "v", "w", "w", "w", "v", "v", "u"],
}


def test_cases_stand_in_their_order_whatever_the_fold() -> None:
    cases = aligned_cases(read_predictions(ROWS))

    assert cases.y_true.tolist() == [0, 1, 1, 2]
    assert cases.y_pred is not None
    assert cases.y_pred.tolist() == [[0, 1, 2, 2], [2, 1, 1, 0]]
    assert cases.is_right.tolist() == [[True, True, False, True], [False, True, True, False]]


def test_positive_cases_are_those_of_the_positive_label() -> None:
    assert aligned_cases(read_predictions(ROWS, pos_label="v")).is_positive.tolist() == [False, True, True, False]
    assert not aligned_cases(read_predictions(ROWS)).is_positive.any()


def test_selected_classifiers_stand_in_the_order_asked_for() -> None:
    predictions = read_predictions(ROWS)
    swapped = aligned_cases(predictions.select(["d"], ["b", "a"]))
    both = aligned_cases(predictions)

    assert swapped.y_pred is not None
    assert both.y_pred is not None
    assert swapped.y_pred.tolist() == both.y_pred[::-1].tolist()
    with pytest.raises(InvalidValueError, match=r"classifiers must be among .*, not 'c'"):
        predictions.select(["d"], ["c"])


def test_cases_without_a_name_are_refused() -> None:
    rows = {name: values for name, values in ROWS.items() if name != "row"}
    rows["y_true"] = ["u"] * 8

    with pytest.raises(InvalidValueError, match="add the column 'row'"):
        aligned_cases(read_predictions(rows))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instance": np.array([0, 1, 2, 3, 0, 1, 2, 2])}, "predicted once"),
        ({"classifier": np.array([0, 0, 0, 0, 0, 1, 1, 1])}, "predicted once"),
        ({"y_true": np.array([0, 1, 1, 2, 0, 1, 1, 0])}, "one true label, but an instance has 'w' and"),
    ],
)
def test_records_that_do_not_fit_together_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        aligned_cases(replace(read_predictions(ROWS), **change))


def test_times_predicted_counts_folds_too() -> None:
    twice = {name: values * 2 for name, values in ROWS.items()} | {"fold": [1] * 8 + [2] * 8}

    assert times_predicted(read_predictions(ROWS)) == 1
    assert times_predicted(read_predictions(twice)) == 2


def test_cases_of_many_datasets_are_counted_without_a_place_for_each_number() -> None:
    """Of 3,000 datasets with cases of their own there are 9 million numbers, which are not made."""
    n = 3000
    numbers = [str(i) for i in range(n)]
    many = {"data": numbers * 2, "model": ["a"] * n + ["b"] * n, "row": numbers * 2}
    predictions = read_predictions({**many, "y_true": [0, 1] * n, "y_pred": [0, 1] * n})

    tracemalloc.start()
    times = times_predicted(predictions)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert times == 1
    assert most < 8 * n * n / 10
