"""Scores of each classifier in each run of an experiment.

A run is one repeat of a whole cross-validation.
"""

from __future__ import annotations

__all__ = ["Runs", "best_score", "runs_of_each_dataset"]

import math
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import EvalstatsError
from evalstats._types import AnyArray, FloatArray
from evalstats.metrics import METRICS
from evalstats.tables.prediction_scores import AVERAGES, groups_of, usual_name
from evalstats.tables.predictions import Predictions
from evalstats.tables.score_table import ScoreTable


class Runs(NamedTuple):
    """Runs of all classifiers on one dataset."""

    names: tuple[str, ...]
    scores: FloatArray  # (n_runs, n_classifiers)
    probabilities: dict[str, FloatArray]  # of a classifier: (n_runs, n_instances) or (n_runs, n_instances, n_classes)


def runs_of_each_dataset(table: ScoreTable, source: Any = None) -> tuple[Runs, ...]:
    """Return the runs of each dataset of a table. Without repeats, there is one run.

    If the source is a study or the directory of a study, the result includes the stored probabilities.
    """
    runs = table.runs
    if not runs:
        return tuple(Runs(("",), scores[np.newaxis], {}) for scores in table.scores)
    study = _study(source)
    probabilities: dict[tuple[str, str], FloatArray] = {}
    if study is None and table._scored is not None:
        probabilities = _probabilities(table._scored._predictions)
    elif study is not None:
        with suppress(EvalstatsError):  # damaged: the scores are there without them
            probabilities = study._scores_of_cases()
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
    """Return the best possible score of the metric in the unit of the scores, or None if it is unknown."""
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


def _study(source: Any) -> Any:
    """Return the study of a source if the study stored predictions. Otherwise return None."""
    from evalstats.study.store import is_study

    if isinstance(source, str | os.PathLike) and is_study(source):
        from evalstats.study.runner import read_study

        source = read_study(source)
    return source if getattr(source, "_has_predictions", False) else None


def _probabilities(predictions: Predictions) -> dict[tuple[str, str], FloatArray]:
    """Return the scores of each classifier and dataset, if all runs have the same instances."""
    from evalstats.study.store import have_same_cases

    if predictions.y_score is None or predictions.instance is None:
        return {}
    found = {}
    for groups in groups_of(predictions):
        if have_same_cases([_known(group.instance) for group in groups]):
            scores = [_known(group.score) for group in groups]
            found[groups[0].dataset, groups[0].classifier] = np.stack(scores)
    return found


def _known(array: AnyArray | None) -> AnyArray:
    assert array is not None
    return array
