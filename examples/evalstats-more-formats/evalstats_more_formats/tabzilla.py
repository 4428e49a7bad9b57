"""The trial and the score of each algorithm of TabZilla that are compared."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
from typing import Any

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, Rows, Sign, chosen_metric, rows_of, scores_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE = """
dataset_fold_id,dataset_name,alg_name,hparam_source,Accuracy__val,Accuracy__test
openml__adult__7592__fold_3,openml__adult__7592,XGBoost,default,0.86,0.87
openml__adult__7592__fold_3,openml__adult__7592,XGBoost,random_1_s0,0.88,0.88
openml__adult__7592__fold_3,openml__adult__7592,MLP,default,0.83,0.84
""".lstrip()

REQUIRED = ("dataset_fold_id", "alg_name")
DIRECTIONS = {
    **dict.fromkeys(("Accuracy", "AUC", "F1", "R2"), True),
    **dict.fromkeys(("Log Loss", "MSE", "RMSE", "MAE", "time"), False),
}


def _read(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, REQUIRED, "TabZilla")
    metrics = [name.removesuffix("__test") for name in rows.columns if name.endswith("__test") and name != "time__test"]
    metric = chosen_metric(seen, asked, metrics, "Accuracy")
    direction = DIRECTIONS.get(metric, asked.greater_is_better)
    folds = [cell.rpartition("__fold_") for cell in rows.texts("dataset_fold_id")]
    for i, (dataset, _, fold) in enumerate(folds):
        if not dataset or not fold:
            place = f"{seen.name}, {rows.word} {rows.numbers[i]}"
            raise TableError(f"{place}: {short(rows.texts('dataset_fold_id')[i])} does not end in __fold_ and a number")
    kept, words = _chosen_trials(seen, rows, metric, direction)
    rows = rows.at(kept)
    columns: dict[str, Any] = {
        "dataset": [folds[i][0] for i in kept],
        "classifier": rows.texts("alg_name"),
        "fold": [folds[i][2] for i in kept],
        "score": rows[f"{metric}__test"],
    }
    findings = [note("trials-chosen", words)] if words else []
    if asked.metric is None and len(metrics) > 1:
        others = ", ".join(name for name in metrics if name != metric)
        findings.append(note("metric-chosen", f"{metric} is compared; {others} can be chosen by metric=."))
    return scores_found(
        seen, columns, metric=metric, greater_is_better=direction, numbers=rows.numbers, findings=findings
    )


def _chosen_trials(seen: Seen, rows: Rows, metric: str, direction: bool | None) -> tuple[list[int], str]:
    """Return one row for each algorithm and fold, and how it was chosen: the best on the validation set."""
    trials: dict[tuple[str, str], list[int]] = {}
    for i, key in enumerate(zip(rows.texts("alg_name"), rows.texts("dataset_fold_id"), strict=True)):
        trials.setdefault(key, []).append(i)
    if all(len(own) == 1 for own in trials.values()):
        return list(range(len(rows.numbers))), ""
    if f"{metric}__val" not in rows or direction is None:
        problem = f"{seen.name} holds several trials of an algorithm on a fold, but no column {short(metric + '__val')}"
        raise TableError(f"{problem} to choose one by; keep one trial of each")
    validation = rows.values(f"{metric}__val")
    worst = float("-inf")
    goodness = [worst if math.isnan(value) else value if direction else -value for value in validation]
    kept = sorted(max(own, key=lambda i: (goodness[i], -i)) for own in trials.values())
    most = max(map(len, trials.values()))
    words = f"Among up to {most} trials of an algorithm on a fold, the trial with the best {metric}__val was compared, by its"
    return kept, f"{words} {metric}__test."


FORMATS = (
    Format(
        name="tabzilla",
        title="TabZilla, metadataset.csv",
        description="The test score of the trial that is best on the validation set; Accuracy unless asked.",
        example=EXAMPLE,
        recognises=(Sign("columns", REQUIRED),),
        read=_read,
    ),
)
