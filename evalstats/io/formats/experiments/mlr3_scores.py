"""What did a benchmark of mlr3 score? A table of bmr$score() or bmr$aggregate()."""

from __future__ import annotations

__all__ = ["FORMAT"]

import re
from typing import Any

from evalstats._errors import listed
from evalstats.io.columns.split_counting import counted_splits
from evalstats.io.formats.format import Format, Found, chosen_metric, directions, scores_found
from evalstats.io.formats.tabular import Rows, rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError

EXAMPLE = """
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


def _recognises(seen: Seen) -> bool:
    return set(KEYS) <= set(seen.header) and "truth" not in seen.header


def _read(seen: Seen, asked: Asked) -> Found:
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


FORMAT = Format(
    name="mlr3-scores",
    title="mlr3, bmr$score() or bmr$aggregate() as CSV",
    description="Scores of tasks, learners and iterations; of several measures metric= chooses one, as classif.ce.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
