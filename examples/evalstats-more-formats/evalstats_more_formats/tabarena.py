"""Errors measured by TabArena: its long table of results."""

from __future__ import annotations

__all__ = ["FORMATS"]

from typing import Any

from evalstats._errors import listed
from evalstats._findings import note, warning
from evalstats.io.columns.roles import told_folds
from evalstats.io.formats.format import Format, Found, Sign, rows_of, scores_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE = """
method,dataset,fold,metric_error,metric_error_val,metric,problem_type,time_train_s,time_infer_s
LightGBM,adult,0,0.07,0.08,roc_auc,binary,3.1,0.2
TabPFN,adult,0,0.06,0.07,roc_auc,binary,9.8,1.4
""".lstrip()

ERROR = "metric_error"
TIMES = ("time_train_s", "time_infer_s", "metric_error_val")


def _read(seen: Seen, asked: Asked) -> Found:
    dataset = "dataset" if "dataset" in seen.header else "task"
    rows = rows_of(seen, ("method", dataset, ERROR), "TabArena")
    metrics = sorted(set(rows.texts("metric"))) if "metric" in rows else []
    column, metric, findings = ERROR, ERROR, []
    if asked.metric in metrics:
        rows = rows.where("metric", lambda cell: cell == asked.metric)
        metric = f"error of {asked.metric}"
    elif asked.metric in TIMES and asked.metric in rows:
        column = metric = str(asked.metric)
    elif asked.metric not in (None, ERROR):
        known = [ERROR, *metrics, *(name for name in TIMES if name in rows)]
        raise TableError(f"{seen.name} has no metric {short(asked.metric)}; its metrics are {listed(known)}")
    elif len(metrics) > 1:
        words = f"The datasets have errors of different metrics ({', '.join(metrics)}): ranks can be compared"
        findings.append(warning("several-metrics", f"{words}, differences cannot; metric= keeps the datasets of one."))
    if column == ERROR:
        words = "metric_error is an error whatever the column metric says: lower is better."
        findings.insert(0, note("direction", words))
    if n := sum(map(_is_true, rows["imputed"])) if "imputed" in rows else 0:
        words = f"Imputed by TabArena: {n} of {len(rows.numbers)} scores, those of jobs that failed."
        findings.append(warning("imputed", words))
    columns: dict[str, Any] = {
        "dataset": rows.texts(dataset),
        "classifier": rows.texts("method"),
        "score": rows[column],
    }
    repeat = next((name for name in ("repeat", "seed") if name in rows), None)
    if repeat is not None:
        columns |= {"repeat": rows[repeat]} | ({"fold": rows["fold"]} if "fold" in rows else {})
    elif "fold" in rows:
        runs, assumed = told_folds(seen.name, rows.texts("fold"), columns["dataset"], asked)
        columns, findings = columns | runs, [*findings, *assumed]
    return scores_found(seen, columns, metric=metric, greater_is_better=False, numbers=rows.numbers, findings=findings)


def _is_true(cell: Any) -> bool:
    return cell.strip().casefold() in ("true", "1", "1.0") if isinstance(cell, str) else bool(cell)


FORMATS = (
    Format(
        name="tabarena",
        title="TabArena, a table with method and metric_error",
        description="Errors of methods on datasets and folds; lower is better for every metric.",
        example=EXAMPLE,
        recognises=(Sign("columns", ("method", ERROR, "dataset|task")),),
        read=_read,
        takes=("n_folds",),
    ),
)
