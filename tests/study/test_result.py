"""The result of a study is a plain table, as text too."""

from __future__ import annotations

import io
import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.study.result import COLUMNS, result_of, weighted_scores
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
shares = st.floats(0, 1)


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
        "trained on all instances: the score on the training data is not available yet"
    ]


def plus(err1: float, err: float, gamma: float) -> float:
    """Transcribe the .632+ rule for errors: the correction of .632 has err1 limited to the no-information rate."""
    plain = 0.368 * err + 0.632 * err1
    if err1 <= err or gamma <= err:
        return plain
    limited = min(err1, gamma)
    rate = (limited - err) / (gamma - err)
    return plain + (limited - err) * 0.368 * 0.632 * rate / (1 - 0.368 * rate)


def test_nearest_neighbour_on_labels_without_information() -> None:
    """Efron & Tibshirani (1997), section 3: apparent error 0, true error .5: .632 says .316, .632+ says .5."""
    out_of_bag = np.array([0.45, 0.55])

    assert weighted_scores(out_of_bag, 0.0, greater_is_better=False).mean() == pytest.approx(0.316)
    assert weighted_scores(out_of_bag, 0.0, 0.5, greater_is_better=False).mean() == pytest.approx(0.5)


@given(st.lists(shares, min_size=1, max_size=5), shares, shares)
def test_mean_is_the_published_rule(errors: list[float], err: float, gamma: float) -> None:
    out_of_bag = np.array(errors)
    scores = weighted_scores(out_of_bag, err, gamma, greater_is_better=False)

    assert scores.mean() == pytest.approx(plus(float(out_of_bag.mean()), err, gamma), abs=1e-12)


@given(st.lists(shares, min_size=1, max_size=5), shares, shares)
def test_accuracy_is_one_minus_error(errors: list[float], err: float, gamma: float) -> None:
    errors_ = np.array(errors)
    of_errors = weighted_scores(errors_, err, gamma, greater_is_better=False)
    of_accuracy = weighted_scores(1 - errors_, 1 - err, 1 - gamma)

    # rounding can decide between equal and nearly equal rates, where the rule jumps
    if abs(errors_.mean() - err) > 1e-9 and abs(gamma - err) > 1e-9:
        np.testing.assert_allclose(of_accuracy, 1 - of_errors, atol=1e-9)


def test_failed_runs_stay_without_a_score() -> None:
    scores = weighted_scores(np.array([0.8, math.nan]), 1.0, 0.5)

    assert np.isnan(scores).tolist() == [False, True]
    assert np.isnan(weighted_scores(np.array([math.nan]), 1.0, 0.5)).all()
