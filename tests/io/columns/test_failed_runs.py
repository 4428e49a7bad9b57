"""Scores of runs that failed are not read without a word."""

from __future__ import annotations

import pandas as pd
import pytest

from evalstats import TableError, compare, read_table, report

RUNS = pd.DataFrame(
    {
        "model": ["a", "a", "a", "b", "b", "b"],
        "dataset": ["x", "y", "z"] * 2,
        "accuracy": [0.8, 0.7, 0.9, 0.6, 0.0, 0.7],
        "status": ["ok", "ok", "ok", "ok", "error", "ok"],
    }
)


@pytest.mark.parametrize("status", ["error", "Failed", "timed out", "CRASHED"])
def test_score_of_a_run_that_failed_is_a_warning_of_the_report(status) -> None:
    runs = RUNS.replace("error", status)

    table = read_table(runs)

    (told,) = (one for one in table.findings if one.code == "failed-runs")
    assert told.sentence == f"1 row has the status {status!r} (row 5): the values are read as scores."
    assert told.severity == "warning"
    assert "has the status" in " ".join(report.text(compare(runs)).split())


def test_runs_that_ended_well_are_no_warning() -> None:
    assert not read_table(RUNS.replace("error", "finished")).findings


def test_missing_score_of_a_run_that_failed_is_missing() -> None:
    with pytest.raises(TableError, match="1 score is missing: 'y' / 'b'"):
        read_table(RUNS.assign(accuracy=[0.8, 0.7, 0.9, 0.6, None, 0.7]))
