"""The result of a study is a plain table, as text too."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest

from evalstats.study.result import COLUMNS, result_of
from evalstats.study.single_run import RUN_COLUMNS, Repeat
from evalstats.study.store import MemoryStore

DESCRIPTION = {
    "datasets": {"z": {}, "a": {}},
    "classifiers": {"svm": "", "NB": ""},
    "metric": "accuracy",
    "scheme": "k-fold",
    "seed": 1,
    "predictions": False,
}


def stored(scores: dict[tuple[str, str, int], list[float]]) -> MemoryStore:
    store = MemoryStore()
    for key, own in scores.items():
        constant = {"int64": 1, "float64": 0.5, "string": None}
        runs = {name: [constant[kind]] * len(own) for name, kind in RUN_COLUMNS.items()}
        failures = ["it broke" if np.isnan(score) else None for score in own]
        runs |= {"fold": list(range(1, len(own) + 1)), "score": own, "failure": failures}
        store.keep(key, Repeat(runs=runs, predictions=None))
    return store


STORE = stored(
    {
        ("a", "NB", 2): [0.5, 0.7],
        ("a", "NB", 1): [0.8, 0.8],
        ("z", "svm", 1): [0.25, np.nan],
        ("a", "svm", 1): [np.nan, np.nan],
    }
)
RESULT = result_of(DESCRIPTION, STORE, complete=False)


def test_rows_are_sorted_as_names_were_given() -> None:
    """Not by the order in which the runs came in."""
    assert RESULT.to_frame()[["dataset", "classifier", "repeat", "fold", "score"]].fillna(-1).to_numpy().tolist() == [
        ["z", "svm", 1, 1, 0.25],
        ["z", "svm", 1, 2, -1],
        ["a", "svm", 1, 1, -1],
        ["a", "svm", 1, 2, -1],
        ["a", "NB", 1, 1, 0.8],
        ["a", "NB", 1, 2, 0.8],
        ["a", "NB", 2, 1, 0.5],
        ["a", "NB", 2, 2, 0.7],
    ]
    assert list(RESULT.columns) == list(COLUMNS)
    assert RESULT.n_failed == 3


def test_csv_and_dict_hold_every_row() -> None:
    back = pd.read_csv(io.StringIO(RESULT.to_csv()))

    assert back.score.tolist() == pytest.approx(RESULT.columns["score"].tolist(), nan_ok=True)
    assert json.loads(json.dumps(RESULT.to_dict()))["columns"]["classifier"][0] == "svm"


def test_columns_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        RESULT.columns["score"][0] = 1.0


def test_632_without_its_training_score_has_none_yet() -> None:
    store = stored({("a", "NB", 1): [0.5]})
    result = result_of(DESCRIPTION | {"scheme": ".632"}, store, complete=False)

    assert result.columns["failure"].tolist() == [
        "trained on all cases: the score on the training data is not there yet"
    ]
