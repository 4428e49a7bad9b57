"""Results of mlr3: the scores of a benchmark, and predictions."""

from __future__ import annotations

__all__ = ["FORMATS"]

import re
from typing import Any

from evalstats._errors import listed
from evalstats._findings import note
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS
from evalstats.io.columns.roles import counted_splits
from evalstats.io.formats.format import (
    Format,
    Found,
    Rows,
    Sign,
    chosen_metric,
    column_called,
    directions,
    file_stem,
    positive_scores,
    predictions_found,
    rows_of,
    scores_found,
)
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError

EXAMPLE_OF_SCORES = """
nr,task_id,learner_id,resampling_id,iteration,classif.ce,classif.auc
1,sonar,classif.rpart,cv,1,0.30,0.72
2,sonar,classif.ranger,cv,1,0.18,0.93
""".lstrip()

KEYS = ("task_id", "learner_id", "resampling_id")
DIRECTIONS = directions(
    gains="""
    classif.acc classif.auc classif.bacc classif.fbeta classif.mcc classif.npv classif.ppv classif.prauc
    classif.precision classif.recall classif.sensitivity classif.specificity classif.tn classif.tnr classif.tp
    classif.tpr classif.dor classif.mauc_aunu classif.mauc_aunp classif.mauc_au1u classif.mauc_au1p classif.mauc_mu
    regr.ktau regr.rsq regr.srho clust.silhouette clust.ch clust.dunn surv.cindex
    """,
    losses="""
    classif.ce classif.logloss classif.bbrier classif.mbrier classif.fpr classif.fnr classif.fdr classif.fomr classif.fp
    classif.fn classif.costs regr.mse regr.rmse regr.mae regr.mape regr.msle regr.rmsle regr.medae regr.medse regr.maxae
    regr.maxse regr.rae regr.rrse regr.rse regr.sae regr.sse regr.pinball regr.smape clust.wss surv.brier surv.graf
    time_train time_predict time_both oob_error
    """,
)
_MEASURE = re.compile(
    r"(?:classif|regr|clust|surv|dens|sim)\.\w+|time_(?:train|predict|both)|oob_error|selected_features"
)
RANDOM = ("subsampling", "bootstrap", "repeated_holdout")


def _read_scores(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, KEYS, "a benchmark of mlr3")
    measures = [name for name in rows.columns if _MEASURE.fullmatch(name)]
    metric = chosen_metric(seen, asked, measures)
    columns: dict[str, Any] = {
        "dataset": rows.texts("task_id"),
        "classifier": rows.texts("learner_id"),
        "score": rows[metric],
    }
    runs, findings = ({}, []) if "iteration" not in rows else _runs(seen, asked, rows)
    direction = DIRECTIONS.get(metric)
    return scores_found(
        seen, columns | runs, metric=metric, greater_is_better=direction, numbers=rows.numbers, findings=findings
    )


def _runs(seen: Seen, asked: Asked, rows: Rows) -> tuple[dict[str, Any], Any]:
    """Return the repeat and the fold of each row: iterations count the folds across all repeats."""
    kinds = sorted(set(rows.texts("resampling_id")))
    if len(kinds) > 1:
        raise TableError(f"{seen.name} holds the resamplings {listed(kinds)}; keep the rows of one")
    iterations = rows.values("iteration")
    if any(not value >= 1 or value % 1 for value in iterations):
        raise TableError(f"{seen.name}: the column 'iteration' must count from 1")
    if kinds == ["repeated_cv"]:
        n, is_one = int(max(iterations, default=0)), len(set(rows.texts("task_id"))) == 1
        repeats, folds, findings = counted_splits(seen.name, n, asked, is_one_dataset=is_one)
        at = [int(value) - 1 for value in iterations]
        return {"repeat": [repeats[i] for i in at], "fold": [folds[i] for i in at]}, findings
    return {"repeat" if kinds and kinds[0] in RANDOM else "fold": rows["iteration"]}, []


SCORES = Format(
    name="mlr3-scores",
    title="mlr3, bmr$score() or bmr$aggregate() as CSV",
    description="Scores of tasks, learners and iterations; of several measures metric= chooses one, as classif.ce.",
    example=EXAMPLE_OF_SCORES,
    recognises=(Sign("columns", KEYS, without=("truth",)),),
    read=_read_scores,
    takes=("n_folds",),
)


EXAMPLE_OF_PREDICTIONS = """
task_id,learner_id,iteration,row_ids,truth,response,prob.M,prob.R
sonar,classif.rpart,1,4,R,R,0.2,0.8
sonar,classif.rpart,1,9,M,R,0.4,0.6
""".lstrip()
REQUIRED = ("truth", "response")


def _is_predictions(seen: Seen) -> bool:
    names = set(seen.header).difference(KEYS)
    return column_called(names, (*DATASET_COLUMNS, *CLASSIFIER_COLUMNS)) is None  # else a plain table of predictions


def _read_predictions(seen: Seen, asked: Asked) -> Found:
    row = "row_ids" if "row_ids" in seen.header else "row_id"
    rows = rows_of(seen, (*REQUIRED, row), "predictions of mlr3")
    n, findings = len(rows.numbers), []
    columns: dict[str, list[Any]] = {
        "dataset": _or(rows, "task_id", "dataset"),
        "classifier": _or(rows, "learner_id", file_stem(seen, "classifier")),
        "instance": rows[row],
        "y_true": rows.texts("truth"),
        "y_pred": rows.texts("response"),
    }
    if "learner_id" not in rows:
        words = "The file does not contain the name of the learner; the file name is used."
        findings.append(note("classifier-of-file", words))
    if "iteration" in rows:
        is_again = len(set(zip(columns["dataset"], columns["classifier"], rows.texts(row), strict=True))) < n
        columns["repeat" if is_again else "fold"] = rows["iteration"]
    probabilities = {name.removeprefix("prob."): rows[name] for name in rows.columns if name.startswith("prob.")}
    if scores := positive_scores(asked, columns["dataset"], columns["y_true"], probabilities):
        columns["y_score"] = scores
    return predictions_found(seen, columns, numbers=rows.numbers, findings=findings)


def _or(rows: Rows, name: str, otherwise: str) -> list[str]:
    return rows.texts(name) if name in rows else [otherwise] * len(rows.numbers)


PREDICTIONS = Format(
    name="mlr3-predictions",
    title="mlr3, predictions as CSV",
    description="Labels and probabilities of each row of a task, with learner_id and task_id, as bmr$obs_loss() has.",
    example=EXAMPLE_OF_PREDICTIONS,
    recognises=(Sign("columns", (*REQUIRED, "row_ids|row_id"), without=(".pred_class",)),),
    confirms=_is_predictions,
    read=_read_predictions,
)

FORMATS = (SCORES, PREDICTIONS)
