"""Results of a benchmark of sktime: as CSV, Parquet or a frame, and as JSON."""

from __future__ import annotations

__all__ = ["FORMATS"]

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evalstats.io.columns.roles import told_folds
from evalstats.io.formats.format import Format, Found, Sign, chosen_metric, rows_of, scores_found
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import is_missing
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

TIMES = ("fit_time", "pred_time")


class FoldScore(NamedTuple):
    """The score of one model in one fold of one task."""

    task: str
    model: str
    fold: str
    metric: str
    score: Any
    number: int


def benchmark_found(seen: Seen, asked: Asked, scores: Sequence[FoldScore]) -> Found:
    """Return the scores of one metric. Omit the folds in which no model has a score."""
    names = list(dict.fromkeys(one.metric for one in scores))
    metric = chosen_metric(seen, asked, [*(name for name in names if name not in TIMES), *_only_if_asked(asked, names)])
    own = [one for one in scores if one.metric == metric]
    there = {(one.task, one.fold) for one in own if not is_missing(one.score)}
    own = [one for one in own if (one.task, one.fold) in there]
    if not own:
        raise TableError(f"{seen.name} holds no score of {short(metric)}")
    columns: dict[str, list[Any]] = {
        "dataset": [one.task for one in own],
        "classifier": [one.model for one in own],
        "score": [one.score for one in own],
    }
    folds, findings = told_folds(seen.name, [one.fold for one in own], columns["dataset"], asked)
    return scores_found(
        seen,
        columns | folds,
        metric=metric,
        greater_is_better=direction_of_metric(metric),
        numbers=[one.number for one in own],
        findings=findings,
    )


def _only_if_asked(asked: Asked, names: Sequence[str]) -> list[str]:
    return [name for name in TIMES if name in names and asked.metric == name]


EXAMPLE_OF_TABLE = """
model_id,validation_id,folds.0.scores.accuracy_score,folds.1.scores.accuracy_score,means.accuracy_score
knn,problem_1,0.9,1.0,0.95
dummy,problem_1,0.4,0.5,0.45
""".lstrip()

REQUIRED = ("model_id", "validation_id")
_KEPT = re.compile(r"folds\.(?P<fold>\d+)\.scores\.(?P<metric>.+)")
_RETURNED = re.compile(r"(?P<metric>.+)_fold_(?P<fold>\d+)_test")


def _read_table(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, REQUIRED, "a benchmark of sktime")
    matches = {name: _KEPT.fullmatch(name) or _RETURNED.fullmatch(name) for name in rows.columns}
    keys = list(zip(rows.texts("validation_id"), rows.texts("model_id"), rows.numbers, strict=True))
    scores = [
        FoldScore(task, model, match["fold"], match["metric"], cell, number)
        for name, match in matches.items()
        if match is not None
        for (task, model, number), cell in zip(keys, rows[name], strict=True)
    ]
    return benchmark_found(seen, asked, scores)


TABLE = Format(
    name="sktime-results",
    title="sktime, results of a benchmark as CSV, Parquet or frame",
    description="Scores of models in the folds of each task. metric= can also select a time.",
    example=EXAMPLE_OF_TABLE,
    recognises=(Sign("columns", REQUIRED),),
    read=_read_table,
    takes=("n_folds",),
)


EXAMPLE_OF_JSON = """
[{"model_id": "knn", "validation_id": "problem_1", "folds": {"0": {"scores": {"accuracy_score": 0.9}}}},
 {"model_id": "dummy", "validation_id": "problem_1", "folds": {"0": {"scores": {"accuracy_score": 0.4}}}}]
""".lstrip()

KEYS = ("model_id", "validation_id", "folds")


def _is_json(seen: Seen) -> bool:
    document = seen.document
    return isinstance(document, list) and bool(document) and _is_result(document[0])


def _is_result(value: Any) -> bool:
    return isinstance(value, Mapping) and set(KEYS) <= set(value)


def _read_json(seen: Seen, asked: Asked) -> Found:
    document = seen.document
    if not isinstance(document, list) or not all(map(_is_result, document)):
        raise TableError(f"{seen.name} must be a list of results with model_id, validation_id and folds")
    scores: list[FoldScore] = []
    for i, result in enumerate(document, 1):
        place = f"{seen.name}, result {i}"
        for fold, content in _mapping(result["folds"], place, "folds").items():
            of_fold = _mapping(_mapping(content, place, "a fold").get("scores"), place, "scores")
            scores += [
                FoldScore(str(result["validation_id"]), str(result["model_id"]), str(fold), str(metric), score, i)
                for metric, score in of_fold.items()
            ]
    return benchmark_found(seen, asked, scores)


def _mapping(value: Any, place: str, what: str) -> Mapping[Any, Any]:
    if isinstance(value, Mapping):
        return value
    raise TableError(f"{place}: {what} must be an object with names, not {short(value)}")


JSON = Format(
    name="sktime-json",
    title="sktime, results of a benchmark as JSON",
    description="The same content as sktime-results.",
    example=EXAMPLE_OF_JSON,
    recognises=(Sign("keys", ("validation_id", "model_id")),),
    confirms=_is_json,
    read=_read_json,
    takes=("n_folds",),
)

FORMATS = (TABLE, JSON)
