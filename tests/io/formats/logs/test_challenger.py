"""The long table of challengeR: cases of tasks are questions of benchmarks, and an empty value must be decided on."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from evalstats import TableError, compare, read_table

CASES = Path(__file__).parents[3] / "data" / "formats" / "challenger" / "cases.csv"
GAP = (
    "task,case,algorithm,value\nliver,1,A,0.9\nliver,1,B,0.8\nliver,2,A,0.4\nliver,2,B,\nliver,3,A,0.6\nliver,3,B,0.7\n"
)


def test_cases_of_tasks_are_read() -> None:
    table = read_table(CASES)

    assert (table.classifiers, table.datasets) == (("A", "B", "C"), ("liver", "spleen"))
    assert table._items.scores[:4].tolist() == [[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6], [0.7, 0.6, 0.8]]
    assert compare(CASES).design == "questions"


def test_direction_may_be_told() -> None:
    assert not read_table(CASES, greater_is_better=False).greater_is_better
    assert not read_table(CASES, metric="error rate").greater_is_better


def test_empty_value_is_refused() -> None:
    with pytest.raises(TableError, match=r"'2' of 'B' \(not scored\)"):
        read_table(io.StringIO(GAP))


@pytest.mark.parametrize(
    ("asked", "scores"),
    [
        ({"missing": "worst"}, [[0.9, 0.8], [0.4, 0.4], [0.6, 0.7]]),
        ({"missing": "worst", "greater_is_better": False}, [[0.9, 0.8], [0.4, 0.9], [0.6, 0.7]]),
        ({"missing": "zero"}, [[0.9, 0.8], [0.4, 0.0], [0.6, 0.7]]),
        ({"missing": "drop-instances"}, [[0.9, 0.8], [0.6, 0.7]]),
    ],
)
def test_missing_rule_decides(asked, scores) -> None:
    assert read_table(io.StringIO(GAP), **asked)._items.scores.tolist() == scores


def test_algorithms_may_have_the_column_of_the_example_of_challenger() -> None:
    """R writes the numbers of the rows in a first column without a name."""
    lines = CASES.read_text().splitlines()
    text = "\n".join(f'"{i or ""}",{line}' for i, line in enumerate(lines)).replace("algorithm", "alg_name")
    table = read_table(io.StringIO(text + "\n"))

    assert (table.format, table.classifiers) == ("challenger", ("A", "B", "C"))
    assert table.scores.tolist() == read_table(CASES).scores.tolist()
