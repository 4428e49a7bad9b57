"""Which score did each classifier reach in each run of an experiment?

A run is one repeat of a whole cross-validation.
"""

from __future__ import annotations

__all__ = ["Runs", "best_score", "runs_of_each_dataset"]

import math
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import EvalstatsError
from evalstats._types import AnyArray, FloatArray
from evalstats.metrics import METRICS
from evalstats.tables.prediction_scores import AVERAGES, groups_of, usual_name
from evalstats.tables.predictions import Predictions, read_predictions
from evalstats.tables.score_table import ScoreTable


class Runs(NamedTuple):
    """The runs of all classifiers on one dataset."""

    names: tuple[str, ...]
    scores: FloatArray  # (n_runs, n_classifiers)
    probabilities: dict[str, FloatArray]  # of a classifier: (n_runs, n_instances)


def runs_of_each_dataset(table: ScoreTable, source: Any = None) -> tuple[Runs, ...]:
    """Return the runs of a table; one run where it has no repeats.

    A source that is a study, or the directory of one, brings the probabilities that it kept.
    """
    runs = table.runs
    if not runs:
        return tuple(Runs(("",), scores[np.newaxis], {}) for scores in table.scores)
    predictions = _kept_predictions(source) if table._scored is None else table._scored._predictions
    probabilities = {} if predictions is None else _probabilities(predictions)
    return tuple(
        Runs(
            run.repeats,
            run.scores,
            {
                c: probabilities[run.dataset, c]
                for c in table.classifiers
                if len(probabilities.get((run.dataset, c), ())) == len(run.scores)
            },
        )
        for run in runs
    )


def best_score(table: ScoreTable, runs: Sequence[Runs]) -> float | None:
    """Return the best score that the metric can have, in the unit of the scores."""
    name = usual_name(table.metric)
    base, _, average = name.rpartition("_")
    record = METRICS.get(name) or (METRICS.get(base) if average in AVERAGES else None)
    if record is None or record.greater_is_better != table.greater_is_better:
        return None
    best = float(record.range[1 if record.greater_is_better else 0])
    largest = max(float(own.scores.max()) for own in runs)
    if table.unit == "%" or largest > max(record.range):
        best *= 100
    return best if math.isfinite(best) and (not table.greater_is_better or largest <= best) else None


def _kept_predictions(source: Any) -> Predictions | None:
    """Return the predictions that a study kept, if it did and they can be read."""
    from evalstats.study.store import is_study

    study: Any = source
    if isinstance(source, str | os.PathLike):
        if not is_study(source):
            return None
        from evalstats.study.running import read_study

        study = read_study(source)
    if not getattr(study, "_has_predictions", False):
        return None
    try:
        return read_predictions(study)
    except EvalstatsError:
        return None


def _probabilities(predictions: Predictions) -> dict[tuple[str, str], FloatArray]:
    """Return the scores of the same cases in every run of a classifier on a dataset, where there are such."""
    if predictions.y_score is None or predictions.case is None:
        return {}
    found = {}
    for groups in groups_of(predictions):
        cases = [_known(group.case) for group in groups]
        once = len(cases[0]) > 1 and (np.diff(cases[0]) > 0).all()
        if once and all(np.array_equal(cases[0], own) for own in cases):
            scores = [_known(group.score) for group in groups]
            found[groups[0].dataset, groups[0].classifier] = np.stack(scores)
    return found


def _known(array: AnyArray | None) -> AnyArray:
    assert array is not None
    return array
