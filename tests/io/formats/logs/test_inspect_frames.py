"""Tables of Inspect: one row for each sample, or for each log."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

import evalstats
from evalstats.tables.errors import TableError

FORMATS = Path(__file__).parents[3] / "data" / "formats" / "inspect-ai"
SAMPLES, EVALS = FORMATS / "samples_df.csv", FORMATS / "evals_df.csv"


def test_samples_are_named_by_their_log_and_errors_are_missing() -> None:
    with pytest.raises(TableError, match="'q4' of 'addition_gamma'"):
        evalstats.read_table(SAMPLES)
    table = evalstats.read_table(SAMPLES, missing="drop-cases")
    with SAMPLES.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["id"] != "q4"]
    share = {
        log: [row["score_match"] == "C" for row in rows if log in row["log"]] for log in ("alpha", "beta", "gamma")
    }

    assert table.classifiers == ("addition_alpha", "addition_beta", "addition_gamma")
    assert table.scores.tolist() == [[sum(own) / len(own) for own in share.values()]]
    assert table.format == "inspect-frames"


def test_frame_with_columns_of_the_log() -> None:
    frame = pd.read_csv(SAMPLES)
    frame["model"] = ["openai/" + Path(log).stem for log in frame["log"]]
    frame["task_name"] = "acme/addition"
    table = evalstats.read_table(frame, missing="drop-cases")

    assert table.classifiers == ("openai/addition_alpha", "openai/addition_beta", "openai/addition_gamma")
    assert table.datasets == ("addition",)


def test_evals_are_scores_of_tasks() -> None:
    table = evalstats.read_table(EVALS, metric="match_accuracy")

    assert table.classifiers == ("mockllm/alpha", "mockllm/beta", "mockllm/gamma")
    assert table.scores.tolist() == [[11 / 12, 0.5, 9 / 11]]
    assert table.greater_is_better


def test_value_that_is_no_score_is_refused() -> None:
    frame = pd.read_csv(SAMPLES).astype({"score_match": object})
    frame.loc[2, "score_match"] = "maybe"

    with pytest.raises(TableError, match=r"the table, row 3, column 'id': 'maybe' is no score"):
        evalstats.read_table(frame)
