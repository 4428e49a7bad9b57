"""Right cases of all folds, counted at once, give the scores that confusion counts of each fold give."""

from __future__ import annotations

import importlib
import tracemalloc

import numpy as np
import pandas as pd
import pytest

from evalstats.io.reader.predictions import read_predictions
from evalstats.tables.correct_answers import OF_RIGHT_CASES, right_counts
from evalstats.tables.prediction_scores import _score, groups_of, metric_choice, score_predictions


def drawn(seed: int, *, n_labels: int = 3) -> pd.DataFrame:
    """Draw predictions of two or three datasets, with folds, repeats and classifiers of different numbers."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in "xyz"[: rng.integers(1, 4)]:
        n = int(rng.integers(4, 30))
        true = rng.integers(n_labels, size=n)
        for repeat in range(rng.integers(1, 4)):
            fold = rng.integers(rng.integers(1, 4), size=n)
            for name in "ab":
                predicted = np.where(rng.random(n) < 0.6, true, rng.integers(n_labels, size=n))
                own = {"dataset": dataset, "classifier": name, "repeat": repeat, "fold": fold, "row": range(n)}
                rows.append(pd.DataFrame({**own, "y_true": true, "y_pred": predicted}))
    return pd.concat(rows).sample(frac=1, random_state=seed)


def test_two_folds_by_hand() -> None:
    rows = {"fold": [1, 1, 1, 2], "y_true": ["a", "b", "a", "b"], "y_pred": ["a", "b", "b", "b"]}
    counts = right_counts(read_predictions(rows), "accuracy")

    assert counts.fold_scores.tolist() == [2 / 3, 1.0]
    assert (counts.scores.tolist(), counts.n_instances.tolist(), counts.begins.tolist()) == ([0.75], [4], [0, 2])


@pytest.mark.parametrize("metric", OF_RIGHT_CASES)
@pytest.mark.parametrize("aggregate", ["pooled", "mean"])
@pytest.mark.parametrize("seed", range(5))
def test_scores_are_those_of_confusion_counts(metric, aggregate, seed) -> None:
    predictions = read_predictions(drawn(seed))
    scored = score_predictions(predictions, metric=metric, aggregate=aggregate)
    choice = metric_choice(predictions, metric, aggregate, "raise")

    for group, expected in zip(scored.groups, (_score(one, choice) for one in groups_of(predictions)), strict=True):
        assert group.to_dict() == expected.to_dict()


@pytest.mark.parametrize("seed", range(3))
def test_counts_of_an_engine_give_the_same(seed) -> None:
    duckdb = importlib.import_module("duckdb")
    frame = drawn(seed).drop(columns="row")
    from evalstats import read_table

    counted = read_table(duckdb.from_df(frame), metric="error_rate")
    assert counted.scores == pytest.approx(read_table(frame, metric="error_rate").scores, abs=0)


def test_memory_does_not_grow_with_the_square_of_the_labels() -> None:
    n = 2_000
    true = np.arange(n)
    predictions = read_predictions({"y_true": true, "y_pred": np.where(true % 4, true, 1)})
    tracemalloc.start()

    scores = score_predictions(predictions, metric="accuracy").scores

    largest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (scores.tolist(), largest < 2_000_000) == ([[0.75]], True)
