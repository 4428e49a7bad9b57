"""Design of an experiment, from data or from a description."""

from __future__ import annotations

__all__ = ["Evidence", "evidence_described", "evidence_read"]

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.comparison.advice.decision_tree import ExperimentDesign, ranks_cases
from evalstats.comparison.words import WORDS, Words, words_of
from evalstats.io.reader.tables import read_table, refuse_late
from evalstats.tables.aligned_instances import times_predicted
from evalstats.tables.correct_answers import right_patterns
from evalstats.tables.errors import short
from evalstats.tables.fold_scores import fold_scores_of_predictions
from evalstats.tables.predictions import Predictions
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.tables.prediction_scores import PredictionScores


DATA = ("scores", "folds", "runs", "predictions", "probabilities", "answers")
USUAL_METRIC = {"predictions": "accuracy", "probabilities": "roc_auc"}
# names of rows, such as 'fold 3', 'run 2', 'iris, fold 3' and 'iris rep 2 fold 3'
FOLD_NAME = re.compile(
    r"(?:[\s,;:/|_.-]*(?:fold|split|repeat|repetition|rep|run|seed|resample|bootstrap)[\s_#.:-]*\d+)+$", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence:
    """Design of an experiment, and properties of the data on which the findings depend."""

    design: ExperimentDesign
    classifiers: tuple[str, ...] | None = None
    scores: FloatArray | None = None  # of shape (n_datasets or n_fold_scores, n_classifiers)
    n_discordant: int | None = None  # instances that exactly one of two classifiers predicts correctly
    has_cases: bool = True  # the predictions of two classifiers can be paired
    has_rows_of_folds: bool = False  # the rows of a table of scores are named as folds
    n_missing: int = 0  # scores
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE
    words: Words = WORDS["datasets"]


@runtime_checkable
class _ScoresOfFolds(Protocol):
    """Interface of a result of `evalstats.tables.fold_scores_from_cross_validate`."""

    dataset: str
    classifiers: tuple[str, ...]
    scores: FloatArray
    metric: str


def evidence_described(told: dict[str, int], data: str | None, metric: str | None, reading: dict[str, Any]) -> Evidence:
    """Return the design of an experiment that keywords describe."""
    if reading:
        refuse_late(reading, "there is none")
    if "n_classifiers" not in told:
        raise InvalidTypeError("which_test requires a table or n_classifiers")
    data = data or _usual_data(told, metric)
    if data == "folds" and not told.keys() & {"n_folds", "n_repeats"}:
        raise InvalidValueError("data 'folds' requires n_folds or n_repeats")
    if data == "runs" and ("n_folds" in told or "n_repeats" not in told):
        raise InvalidValueError("data 'runs' requires n_repeats, the number of runs, and accepts no n_folds")
    if data == "scores" and (given := sorted(told.keys() & {"n_folds", "n_repeats"})):
        raise InvalidValueError(f"data must be 'folds', 'predictions' or 'probabilities' if {given[0]} is given")
    counts = {"n_datasets": 1, "n_folds": 1, "n_repeats": 1, "n_instances": None, **told}
    return Evidence(design=_design(data, metric or USUAL_METRIC.get(data, ""), counts))


def _usual_data(told: dict[str, int], metric: str | None) -> str:
    """Return the default type of data: folds, the predictions for one test set, or scores."""
    if told.keys() & {"n_folds", "n_repeats"}:
        return "folds"
    if "n_instances" in told and told.get("n_datasets", 1) == 1:
        return "probabilities" if metric is not None and ranks_cases(metric) else "predictions"
    return "scores"


def evidence_read(
    source: Any, told: dict[str, int], data: str | None, metric: str | None, reading: dict[str, Any]
) -> Evidence:
    """Return the design of an experiment from its data, or raise an error if the arguments contradict the data."""
    if metric is None and data == "probabilities":
        metric = "roc_auc"
    if isinstance(source, Record) and isinstance(source, _ScoresOfFolds):
        refuse_late(reading)
        evidence = _from_folds(source.scores.T, source.classifiers, source.metric, told)
    elif isinstance(source, Predictions):
        refuse_late(reading)
        evidence = _from_predictions(source, data, metric)
    else:
        parsing = {"n_folds": told.get("n_folds"), **reading.pop("parsing", {})}
        table = read_table(source, metric=metric, parsing=parsing, **reading)
        evidence = _from_table(table, told) if table._scored is None else _from_scored(table._scored, data)
        evidence = replace(evidence, tie_tolerance=_checks.tolerance(DEFAULT_TIE_TOLERANCE, table))
    found = evidence.design.to_dict()
    for name, value in (told | ({} if data is None else {"data": data})).items():
        if found[name] is not None and found[name] != value:
            raise InvalidValueError(f"{name} must be {found[name]!r} as in the data, not {short(value)}")
    n_instances = told.get("n_instances", evidence.design.n_instances)
    return replace(evidence, design=replace(evidence.design, n_instances=n_instances))


def _design(data: str, metric: str, counts: dict[str, Any], by_folds: bool | None = None) -> ExperimentDesign:
    if by_folds is None:
        by_folds = counts["n_folds"] > 1 and data in ("predictions", "probabilities") and ranks_cases(metric)
    return ExperimentDesign(data=data, metric=metric, control=None, parametric=False, by_folds=by_folds, **counts)


def _from_folds(
    scores: FloatArray, classifiers: tuple[str, ...], metric: str, told: dict[str, int], data: str = "folds"
) -> Evidence:
    """Return the design for fold or run scores of one dataset, of shape (n_scores, n_classifiers)."""
    n_folds, n_repeats = _runs(len(scores), told)
    counts = {"n_classifiers": scores.shape[1], "n_datasets": 1, "n_instances": None}
    design = _design(data, metric, {**counts, "n_folds": n_folds, "n_repeats": n_repeats})
    return Evidence(design=design, classifiers=classifiers, scores=scores)


def _runs(n: int, told: dict[str, int]) -> tuple[int, int]:
    """Return the numbers of folds and repeats whose product is the number of scores."""
    n_folds = told.get("n_folds", n // told.get("n_repeats", 1))
    n_repeats = told.get("n_repeats", n // n_folds)
    if n_folds * n_repeats != n:
        raise InvalidValueError(
            f"n_folds times n_repeats must equal the number of scores, {n}, not {n_folds} x {n_repeats}"
        )
    return n_folds, n_repeats


def _from_answers(table: ScoreTable, n_questions: int) -> Evidence:
    counts = {"n_classifiers": len(table.classifiers), "n_datasets": len(table.datasets), "n_instances": n_questions}
    design = _design("answers", table.metric, {**counts, "n_folds": 1, "n_repeats": 1})
    return Evidence(design=design, classifiers=table.classifiers)


def _from_table(table: ScoreTable, told: dict[str, int]) -> Evidence:
    if table._items is not None:
        return _from_answers(table, len(table._items.scores))
    if (datasets := _datasets_of_rows(table.datasets)) is not None and not table.folds and not table.missing:
        return _from_rows_of_folds(table, datasets, told)
    if len(table.folds) == 1:
        (folds,) = table.folds
        n_repeats, n_folds, k = folds.scores.shape
        told = {"n_repeats": n_repeats, "n_folds": n_folds}
        data = "runs" if folds.same_split else "folds"
        return _from_folds(folds.scores.reshape(-1, k), table.classifiers, table.metric, told, data)
    n_repeats, n_folds = (max((one.scores.shape[axis] for one in table.folds), default=1) for axis in (0, 1))
    counts = {"n_classifiers": len(table.classifiers), "n_datasets": len(table.datasets), "n_instances": None}
    design = _design(
        "folds" if table.folds else "scores", table.metric, {**counts, "n_folds": n_folds, "n_repeats": n_repeats}
    )
    scores = None if table.missing else table.scores
    return Evidence(
        design=design, classifiers=table.classifiers, scores=scores, n_missing=len(table.missing), words=words_of(table)
    )


def _from_rows_of_folds(table: ScoreTable, datasets: list[str], told: dict[str, int]) -> Evidence:
    """Return the design for a table whose rows are folds, such as 'fold 1' or 'iris, fold 1'."""
    names = list(dict.fromkeys(datasets))
    if len(names) == 1:
        evidence = _from_folds(table.scores, table.classifiers, table.metric, told)
        return replace(evidence, has_rows_of_folds=True)
    scores = np.stack([table.scores[[name == own for own in datasets]].mean(axis=0) for name in names])
    n_folds, n_repeats = _runs(max(map(datasets.count, names)), told)
    counts = {"n_classifiers": len(table.classifiers), "n_datasets": len(names), "n_instances": None}
    design = _design("folds", table.metric, {**counts, "n_folds": n_folds, "n_repeats": n_repeats})
    return Evidence(design=design, classifiers=table.classifiers, scores=scores, has_rows_of_folds=True)


def _datasets_of_rows(names: tuple[str, ...]) -> list[str] | None:
    """Return the dataset in each row name such as 'iris, fold 1', or None if any name has a different form."""
    found = [FOLD_NAME.search(name) for name in names]
    if len(names) < 2 or None in found:
        return None
    datasets = [name[: match.start()] for name, match in zip(names, found, strict=True) if match is not None]
    return datasets if len(set(datasets)) < len(datasets) else None


def _from_scored(scored: PredictionScores, data: str | None) -> Evidence:
    """Return the design for scored predictions. If a score is a mean over folds, the test compares the folds."""
    predictions = scored._predictions
    if predictions._has_seeds and len(predictions.datasets) == 1:
        for folds in fold_scores_of_predictions(scored):
            if folds.same_split:
                told = {"n_repeats": len(folds.repeats), "n_folds": 1}
                return _from_folds(folds.scores[:, 0], scored.classifiers, scored.metric, told, "runs")
    by_folds = len(predictions.folds) > 1 and scored.aggregate == "mean"
    return _from_predictions(predictions, data, scored.metric, scored.scores, by_folds)


def _from_predictions(
    predictions: Predictions,
    data: str | None,
    metric: str | None,
    scores: FloatArray | None = None,
    by_folds: bool | None = None,
) -> Evidence:
    has_labels, has_scores = predictions.y_pred is not None, predictions._has_scores
    if not (has_labels and has_scores) or data not in ("predictions", "probabilities"):
        data = "predictions" if has_labels else "probabilities"
    n_datasets, n_classifiers = len(predictions.datasets), len(predictions.classifiers)
    n_repeats = times_predicted(predictions)
    is_first = predictions.classifier == 0
    n_rows = int(is_first.sum() if predictions._counted is None else predictions._counted.n_instances[is_first].sum())
    counts = {
        "n_classifiers": n_classifiers,
        "n_datasets": n_datasets,
        "n_folds": len(predictions.folds),
        "n_repeats": n_repeats,
        "n_instances": n_rows // n_repeats if n_datasets == 1 else None,
    }
    design = _design(data, metric or USUAL_METRIC[data], counts, by_folds)
    if (design.measure == "auc" and not has_scores) or (design.measure == "accuracy" and not has_labels):
        held = "labels" if has_labels else "scores"
        raise InvalidValueError(
            f"metric {short(design.metric)} cannot be computed: the predictions contain only {held}"
        )
    cluster = predictions._cluster
    if cluster is not None and (n_clusters := len(np.unique(cluster.code))) < n_rows:
        design = replace(design, n_clusters=n_clusters)
    is_one_pair = n_datasets == n_repeats == 1 and n_classifiers == 2
    can_pair = is_one_pair and has_labels and predictions._names_cases
    return Evidence(
        design=design,
        classifiers=predictions.classifiers,
        scores=scores if n_datasets > 1 else None,
        n_discordant=_discordant(predictions) if can_pair else None,
        has_cases=predictions._names_cases,
    )


def _discordant(predictions: Predictions) -> int:
    """Count the instances that exactly one of two classifiers predicts correctly."""
    table = right_patterns(predictions).tables[0, 1]
    return int(table[0, 1] + table[1, 0])
