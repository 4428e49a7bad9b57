"""Runs tracked by MLflow: the table of search_runs() or of `mlflow experiments csv`."""

from __future__ import annotations

__all__ = ["FORMATS"]

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, Sign, rows_of
from evalstats.io.formats.tracked_runs import TAKES, runs_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen

EXAMPLE = """
run_id,status,metrics.accuracy,params.model,params.dataset,params.seed,tags.mlflow.runName
a1,FINISHED,0.91,RF,iris,0,rf-iris-0
a2,FINISHED,0.93,SVM,iris,0,svm-iris-0
""".lstrip()
PARENT = "tags.mlflow.parentRunId"


def _read(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, ("run_id",), "MLflow")
    n, findings = len(rows.numbers), []
    if "status" in rows:
        rows = rows.where("status", lambda cell: cell == "FINISHED")
        if left := n - len(rows.numbers):
            findings.append(note("unfinished-runs", f"Left out, because they did not finish: {left} of {n} runs."))
    if PARENT in rows:
        parents = set(rows.texts(PARENT))
        n = len(rows.numbers)
        rows = rows.where("run_id", lambda cell: cell not in parents)
        if left := n - len(rows.numbers):
            findings.append(note("parent-runs", f"Left out, because they only group other runs: {left} of {n} runs."))
    metrics = [name for name in rows.columns if name.startswith("metrics.")]
    return runs_found(
        seen, asked, rows, parameters="params.", metrics=metrics, run_name="tags.mlflow.runName", findings=findings
    )


FORMATS = (
    Format(
        name="mlflow",
        title="MLflow, search_runs() as a frame or CSV",
        description="Finished runs. Use columns= to name columns that are not recognized.",
        example=EXAMPLE,
        recognises=(Sign("columns", ("run_id", "metrics.*")),),
        read=_read,
        takes=TAKES,
    ),
)
