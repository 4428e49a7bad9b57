"""The score of a run is the mean over its folds, or what the predictions of the run alone give."""

from __future__ import annotations

from typing import Any

import numpy as np

from evalstats.io.options import given_together
from evalstats.io.reader.tables import read_table
from evalstats.tables.runs import Runs, runs_of_each_dataset

LONG = {
    "dataset": ["d"] * 8,
    "classifier": ["a", "b"] * 4,
    "repeat": [1, 1, 1, 1, 2, 2, 2, 2],
    "fold": [1, 1, 2, 2] * 2,
    "accuracy": [0.6, 0.5, 0.8, 0.9, 0.7, 0.7, 0.7, 0.9],
}
# one classifier, two runs of two folds of three cases and one: the mean over folds is not that over cases
CASES = {
    "dataset": ["d"] * 8,
    "classifier": ["a"] * 8,
    "repeat": [1] * 4 + [2] * 4,
    "fold": [1, 1, 1, 2] * 2,
    "row": [0, 1, 2, 3, 3, 2, 1, 0],
    "y_true": [1, 0, 1, 0, 0, 1, 0, 1],
    "y_pred": [1, 0, 1, 1, 0, 0, 0, 1],
    "y_score": [0.9, 0.1, 0.8, 0.6, 0.2, 0.4, 0.3, 0.7],
}


def runs_of(source: Any, **reading: Any) -> tuple[Runs, ...]:
    return runs_of_each_dataset(read_table(source, **given_together(reading)))


def test_mean_over_folds() -> None:
    (own,) = runs_of(LONG)

    assert own.names == ("1", "2")
    np.testing.assert_allclose(own.scores, [[0.7, 0.7], [0.7, 0.8]])


def test_predictions_are_scored_run_by_run() -> None:
    """3 of 4 cases are right in each run; the means over the folds are 1/2 and 5/6."""
    assert runs_of(CASES)[0].scores.tolist() == [[0.75], [0.75]]
    np.testing.assert_allclose(runs_of(CASES, aggregate="mean")[0].scores, [[0.5], [5 / 6]])


def test_mean_over_the_runs_is_the_score_of_the_table() -> None:
    table = read_table(CASES, metric="f1")

    np.testing.assert_allclose(runs_of(CASES, metric="f1")[0].scores.mean(axis=0), table.scores[0])


def test_probabilities_stand_in_the_order_of_the_cases() -> None:
    (own,) = runs_of(CASES)

    assert own.probabilities["a"].tolist() == [[0.9, 0.1, 0.8, 0.6], [0.7, 0.3, 0.4, 0.2]]


def test_a_table_that_was_read_remembers_how_it_was_computed() -> None:
    assert runs_of_each_dataset(read_table(CASES))[0].scores.tolist() == [[0.75], [0.75]]


def test_datasets_may_have_different_repeats() -> None:
    shorter = {name: values[:4] for name, values in CASES.items()} | {"dataset": ["e"] * 4}
    runs = runs_of({name: values + shorter[name] for name, values in CASES.items()})

    assert [own.names for own in runs] == [("1", "2"), ("1",)]
    assert [own.scores.tolist() for own in runs] == [[[0.75], [0.75]], [[0.75]]]
