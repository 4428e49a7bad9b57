"""What did the learners of mlr3 predict? A table with row_ids, truth and response."""

from __future__ import annotations

__all__ = ["FORMAT"]

from typing import Any

from evalstats._findings import note
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS
from evalstats.io.formats.format import Format, Found, predictions_found
from evalstats.io.formats.positive_class_scores import positive_scores
from evalstats.io.formats.tabular import Rows, column_called, file_stem, rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen

EXAMPLE = """
task_id,learner_id,iteration,row_ids,truth,response,prob.M,prob.R
sonar,classif.rpart,1,4,R,R,0.2,0.8
sonar,classif.rpart,1,9,M,R,0.4,0.6
""".lstrip()
REQUIRED = ("truth", "response")


def _recognises(seen: Seen) -> bool:
    header = set(seen.header)
    names = [name for name in header if name != "task_id"]
    if column_called(names, (*DATASET_COLUMNS, *CLASSIFIER_COLUMNS)) is not None:
        return False  # a plain table of predictions
    return set(REQUIRED) <= header and not header.isdisjoint(("row_ids", "row_id")) and ".pred_class" not in header


def _read(seen: Seen, asked: Asked) -> Found:
    row = "row_ids" if "row_ids" in seen.header else "row_id"
    rows = rows_of(seen, (*REQUIRED, row), "predictions of mlr3")
    n, findings = len(rows.numbers), []
    columns: dict[str, list[Any]] = {
        "dataset": _or(rows, "task_id", "dataset"),
        "classifier": _or(rows, "learner_id", file_stem(seen, "classifier")),
        "row": rows[row],
        "y_true": rows.texts("truth"),
        "y_pred": rows.texts("response"),
    }
    if "learner_id" not in rows:
        words = "The name of the file stands for the learner, which it does not tell."
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


FORMAT = Format(
    name="mlr3-predictions",
    title="mlr3, predictions as CSV",
    description="Labels and probabilities of each row of a task, with learner_id and task_id, as bmr$obs_loss() has.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
