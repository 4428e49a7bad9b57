"""Results of the AutoML Benchmark: its results.csv and its directory of predictions."""

from __future__ import annotations

__all__ = ["FORMATS"]

import re
from typing import Any

from evalstats._errors import listed
from evalstats._findings import Finding, note, warning
from evalstats.io.formats.format import (
    Format,
    Found,
    Rows,
    Sign,
    directions,
    positive_scores,
    predictions_found,
    rows_of,
    scores_found,
)
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import is_missing
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE_OF_SCORES = """
id,task,framework,constraint,fold,type,result,metric,mode,version,params,seed,info,acc,logloss
openml.org/t/3,kr-vs-kp,RandomForest,1h8c,0,binary,-0.05,neg_logloss,local,1.4,,1,,0.99,0.05
openml.org/t/3,kr-vs-kp,constantpredictor,1h8c,0,binary,-0.69,neg_logloss,local,1.4,,1,,0.52,0.69
""".lstrip()

# files of before 2020 have neither constraint nor metric
REQUIRED_OF_SCORES = ("task", "framework", "fold", "result")
RESULT = "result"
# the columns of individual metrics, which keep their natural sign; the sign of `result` is set so that greater is
# better
DIRECTIONS = directions(
    gains="acc auc balacc f1 mcc pr_auc r2",
    losses="logloss mae mse rmse rmsle msle mape medae duration training_duration predict_duration",
)


def _read_scores(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, REQUIRED_OF_SCORES, "the AutoML Benchmark")
    score, metric, rows, findings = _chosen(seen, asked, rows)
    rows, superseded = _without_superseded(rows, score)
    n_failed = sum(map(is_missing, rows[score]))
    if superseded:
        n = len(rows.numbers) + superseded
        words = f"Left out, because they failed and were run again: {superseded} of {n} jobs."
        findings.append(note("jobs-run-again", words))
    if n_failed:
        of_all = f"{n_failed} of {len(rows.numbers)} jobs"
        words = f"{of_all} failed: their scores are missing, and are not replaced by scores of a constant predictor."
        findings.append(warning("failed-jobs", words))
    columns: dict[str, Any] = {
        "dataset": rows.texts("task"),
        "classifier": _frameworks(rows),
        "fold": rows["fold"],
        "score": rows[score],
    }
    direction = True if score == RESULT else DIRECTIONS.get(score)
    return scores_found(
        seen, columns, metric=metric, greater_is_better=direction, numbers=rows.numbers, findings=findings
    )


def _chosen(seen: Seen, asked: Asked, rows: Rows) -> tuple[str, str, Rows, list[Finding]]:
    """Return the column of scores, its metric, the rows to compare, and the findings."""
    optimized = sorted(set(rows.texts("metric")) - {""}) if "metric" in rows else []
    if asked.metric in optimized:
        return RESULT, str(asked.metric), rows.where("metric", lambda cell: cell == asked.metric), []
    single = [name for name in rows.columns if name in DIRECTIONS]
    if asked.metric in single:
        return str(asked.metric), str(asked.metric), rows, []
    if asked.metric not in (None, RESULT):
        known = [RESULT, *optimized, *single]
        raise TableError(f"{seen.name} has no metric {short(asked.metric)}; its metrics are {listed(known)}")
    if "metric" not in rows:
        problem = f"{seen.name} lacks the column 'metric' of newer versions, so the column 'result' may hold losses"
        raise TableError(
            problem,
            "choose a column, for example {}",
            "metric",
            next((name for name in single if "duration" not in name), "acc"),
        )
    words = "The column result is compared. Greater values are always better: the benchmark negates losses."
    findings = [note("metric-chosen", words)]
    if len(optimized) > 1:
        words = f"The tasks have different metrics ({', '.join(optimized)}): ranks can be compared, differences cannot"
        findings.append(warning("several-metrics", f"{words}; metric= keeps the tasks with one metric."))
    return RESULT, optimized[0] if len(optimized) == 1 else RESULT, rows, findings


def _frameworks(rows: Rows) -> list[str]:
    """Return the name of the framework in each row, with its constraint if there are several."""
    frameworks = rows.texts("framework")
    constraints = rows.texts("constraint") if "constraint" in rows else []
    if len(set(constraints)) < 2:
        return frameworks
    return [f"{name} ({constraint})" for name, constraint in zip(frameworks, constraints, strict=True)]


def _without_superseded(rows: Rows, score: str) -> tuple[Rows, int]:
    """Drop failed jobs that have a result from a later run."""
    keys = list(zip(rows.texts("task"), _frameworks(rows), rows.texts("fold"), strict=True))
    has_score = [not is_missing(cell) for cell in rows[score]]
    done = {key for key, own in zip(keys, has_score, strict=True) if own}
    kept = [i for i, key in enumerate(keys) if has_score[i] or key not in done]
    return rows.at(kept), len(keys) - len(kept)


SCORES = Format(
    name="amlb-results",
    title="AutoML Benchmark, results.csv",
    description="Values of the column result for tasks, frameworks and folds. Greater is better. metric= selects a different column.",
    example=EXAMPLE_OF_SCORES,
    recognises=(Sign("columns", (*REQUIRED_OF_SCORES, "constraint|mode")),),
    read=_read_scores,
)


EXAMPLE_OF_PREDICTIONS = """
RandomForest.small.1h8c.local.20260801T000000/predictions/adult/0/predictions.csv:
no,yes,predictions,truth
0.8,0.2,no,no
0.3,0.7,yes,no
""".lstrip()

_FILE = re.compile(r"(?:([^/]+)/)?predictions/([^/]+)/(\d+)/predictions\.csv$")
REQUIRED_OF_PREDICTIONS = ("predictions", "truth")


def _read_predictions(seen: Seen, asked: Asked) -> Found:
    names = ("dataset", "classifier", "fold", "instance", "y_true", "y_pred")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    probabilities: dict[str, list[Any]] = {}
    for member in seen.members:
        if (match := _FILE.search(member)) is None:
            continue
        rows = rows_of(seen.member(member), REQUIRED_OF_PREDICTIONS, "predictions of the AutoML Benchmark")
        n, n_before = len(rows.numbers), len(columns["instance"])
        labels = [name for name in rows.columns if name not in REQUIRED_OF_PREDICTIONS]
        if not labels:
            raise TableError(f"{member} has no column of a class, because numbers were predicted instead of labels")
        columns["dataset"] += [match[2]] * n
        columns["classifier"] += [(match[1] or seen.name).partition(".")[0]] * n
        columns["fold"] += [match[3]] * n
        columns["instance"] += [f"{match[3]}/{i}" for i in range(n)]
        columns["y_true"] += rows.texts("truth")
        columns["y_pred"] += rows.texts("predictions")
        for label in {*labels, *probabilities}:
            told = probabilities.setdefault(label, [None] * n_before)
            told += rows[label] if label in labels else [None] * n
    if not columns["instance"]:
        raise TableError(f"{seen.name} holds no file such as predictions/TASK/0/predictions.csv")
    scores = positive_scores(asked, columns["dataset"], columns["y_true"], probabilities)
    if scores and None not in scores:
        columns["y_score"] = scores
    words = "The files do not name the instances: the rows of a file are read as the instances of its fold, in order."
    return predictions_found(seen, columns, findings=[note("cases-in-order", words)])


PREDICTIONS = Format(
    name="amlb-predictions",
    title="AutoML Benchmark, a directory of predictions",
    description="Labels and probabilities in FRAMEWORK.../predictions/TASK/FOLD/predictions.csv.",
    example=EXAMPLE_OF_PREDICTIONS,
    recognises=(Sign("files", ("predictions/*/*/predictions.csv",)),),
    read=_read_predictions,
)

FORMATS = (SCORES, PREDICTIONS)
