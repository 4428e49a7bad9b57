"""What is the smallest input that still shows a mismatch?"""

from __future__ import annotations

from typing import Any

from evalstats.parity.fuzz import MOST_TRIALS, shrunk


def test_only_what_matters_is_left() -> None:
    arguments = {
        "x": [0.7312, 0.1, 0.9213, 0.4, 0.6],
        "y": [0.2, 0.3, 0.1, 0.9, 0.5],
        "ties": "split",
        "confidence_level": 0.9,
    }

    found = shrunk(arguments, lambda given: any(x > 2 * y for x, y in zip(given["x"], given["y"], strict=True)))

    assert found == {"x": [1.0], "y": [0.0]}


def test_columns_and_rows_of_a_table_are_left_out_beside_the_control() -> None:
    scores = [[0.5, 0.25, 0.75, 0.125], [0.1, 0.2, 0.3, 0.4], [0.3, 0.9, 0.9, 0.2]]

    def fails(given: dict[str, Any]) -> bool:
        return "control" in given and any(row[given["control"]] > 0.8 for row in given["scores"])

    found = shrunk({"scores": scores, "control": 2}, fails)

    assert found["control"] == 0
    assert len(found["scores"]) == 1
    assert len(found["scores"][0]) == 1


def test_what_no_smaller_input_shows_stays() -> None:
    arguments = {"x": [1.0, 2.0, 3.0]}

    assert shrunk(arguments, lambda given: given == arguments) == arguments


def test_trials_are_limited() -> None:
    asked: list[Any] = []

    def fails(given: dict[str, Any]) -> bool:
        asked.append(given)
        return len(asked) % 2 == 0

    shrunk({"x": [i / 7 for i in range(1000)]}, fails)
    assert len(asked) <= MOST_TRIALS
    assert shrunk({"x": [1.5, 2.5]}, lambda given: True, most=0) == {"x": [1.5, 2.5]}


def test_nothing_goes_round_for_ever() -> None:
    assert shrunk({"x": [0.1, 0.2], "y": [0.3]}, lambda given: True) == {"x": [0.2], "y": [0.3]}
