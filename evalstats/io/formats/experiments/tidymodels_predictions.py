"""What did tidymodels predict? The table of collect_predictions()."""

from __future__ import annotations

__all__ = ["FORMAT"]

from typing import Any

from evalstats._errors import listed
from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, predictions_found
from evalstats.io.formats.positive_class_scores import positive_scores
from evalstats.io.formats.tabular import Rows, rows_of
from evalstats.io.formats.yardstick import datasets_of, runs_of_resamples, workflows
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError

EXAMPLE = """
wflow_id,id,.row,.pred_class,.pred_good,.pred_poor,class,.config
rec_rf,Fold1,1,good,0.8,0.2,good,Preprocessor1_Model1
rec_rf,Fold2,2,good,0.6,0.4,poor,Preprocessor1_Model1
""".lstrip()
REQUIRED = (".row", ".pred_class")


def _recognises(seen: Seen) -> bool:
    return set(REQUIRED) <= set(seen.header)


def _read(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, REQUIRED, "collect_predictions()")
    outcome = asked.columns.get("y_true") or _outcome(seen, rows)
    if outcome not in rows:
        raise TableError(f"y_true must name a column of {seen.name} ({listed(rows.columns)}), not {outcome!r}")
    classifiers, findings = workflows(rows, "workflow")
    datasets, told = datasets_of(seen, rows)
    columns: dict[str, list[Any]] = {
        "dataset": datasets,
        "classifier": classifiers,
        "row": rows[".row"],
        "y_true": rows.texts(outcome),
        "y_pred": rows.texts(".pred_class"),
    }
    labels = set(columns["y_true"]) | set(columns["y_pred"])
    probabilities = {label: rows[f".pred_{label}"] for label in labels if f".pred_{label}" in rows}
    if scores := positive_scores(asked, columns["dataset"], columns["y_true"], probabilities):
        columns["y_score"] = scores
    findings = [note("outcome", f"The column {outcome} holds the true classes."), *told, *findings]
    return predictions_found(seen, columns | runs_of_resamples(rows), numbers=rows.numbers, findings=findings)


def _outcome(seen: Seen, rows: Rows) -> str:
    """Return the column of true classes, which tidymodels calls as the data do: the one that holds the labels."""
    rest = [
        name for name in rows.columns if name and not name.startswith(".") and name not in ("id", "id2", "wflow_id")
    ]
    predicted = set(rows.texts(".pred_class"))
    found = [name for name in rest if not predicted.isdisjoint(rows.texts(name))]
    if len(found) == 1:
        return found[0]
    words = f"any of the columns {listed(found)} may hold" if found else "no column is known to hold"
    raise TableError(f"{seen.name}: {words} the true classes", "choose one with {}", "y_true")


FORMAT = Format(
    name="tidymodels-predictions",
    title="tidymodels, collect_predictions() as CSV",
    description="Classes and probabilities of workflows on the rows of one dataset; y_true= names the outcome if asked.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
    takes=("y_true",),
)
