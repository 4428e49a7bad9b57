"""Results of tidymodels: collect_metrics() and collect_predictions()."""

from __future__ import annotations

__all__ = ["FORMATS"]

from typing import Any

from evalstats._errors import listed
from evalstats._findings import Finding, note
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS
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

# the metrics of the package yardstick, with the direction that each declares
DIRECTIONS = directions(
    gains="""
    accuracy average_precision bal_accuracy f_meas gain_capture j_index kap mcc npv ppv pr_auc precision recall roc_auc
    roc_aunp roc_aunu sens sensitivity spec specificity detection_prevalence ccc iic rpd rpiq rsq rsq_trad
    concordance_survival roc_auc_survival
    """,
    losses="""
    brier_class classification_cost mn_log_loss huber_loss huber_loss_pseudo mae mape mase mse poisson_log_loss rmse
    smape brier_survival brier_survival_integrated
    """,
)


def workflows(rows: Rows, what: str) -> tuple[list[str], list[Finding]]:
    """Return the name of the classifier in each row: the workflow, with its configuration if it was tuned."""
    n = len(rows.numbers)
    column = "wflow_id" if "wflow_id" in rows else column_called(rows.columns, CLASSIFIER_COLUMNS)
    flows = [""] * n if column is None else rows.texts(column)
    configs = rows.texts(".config") if ".config" in rows else [""] * n
    of_flow: dict[str, set[str]] = {}
    for flow, config in zip(flows, configs, strict=True):
        of_flow.setdefault(flow, set()).add(config)
    names = [
        f"{flow} {config}".strip() if len(of_flow[flow]) > 1 or not flow else flow
        for flow, config in zip(flows, configs, strict=True)
    ]
    findings = []
    if tuned := [flow for flow, own in of_flow.items() if len(own) > 1]:
        whose = f"the {what} {tuned[0]}" if tuned[0] else "the tuning grid"
        words = f"Each configuration of {whose} is a classifier of its own; they were tuned on the same resamples."
        findings.append(note("options-differ", words))
    return [name or what for name in names], findings


def datasets_of(seen: Seen, rows: Rows) -> tuple[list[str], list[Finding]]:
    """Return the dataset in each row: of a column that was added, otherwise the file stands for it."""
    if (column := column_called(rows.columns, DATASET_COLUMNS)) is not None:
        return rows.texts(column), []
    words = "The file does not contain the name of the dataset; the file name is used."
    return [file_stem(seen, "dataset")] * len(rows.numbers), [note("dataset-of-file", words)]


def runs_of_resamples(rows: Rows) -> dict[str, Any]:
    """Return the repeat and the fold of each row: Repeat1 and Fold01, Fold01 alone, or a random resample."""
    if "id" not in rows:
        return {}
    if "id2" in rows:
        return {"repeat": rows["id"], "fold": rows["id2"]}
    is_fold = all(name.casefold().startswith("fold") for name in rows.texts("id"))
    return {"fold" if is_fold else "repeat": rows["id"]}


EXAMPLE_OF_METRICS = """
wflow_id,id,.metric,.estimator,.estimate,.config
rec_glm,Fold01,accuracy,binary,0.81,Preprocessor1_Model1
rec_rf,Fold01,accuracy,binary,0.86,Preprocessor1_Model1
""".lstrip()


def _read_metrics(seen: Seen, asked: Asked) -> Found:
    is_long = ".metric" in seen.header
    rows = rows_of(seen, [".metric"] if is_long else [".config"], "collect_metrics()")
    names = (
        list(dict.fromkeys(rows.texts(".metric"))) if is_long else [name for name in rows.columns if name in DIRECTIONS]
    )
    metric = chosen_metric(seen, asked, names)
    if is_long:
        rows = rows.where(".metric", lambda cell: cell == metric)
        score = ".estimate" if ".estimate" in rows else "mean"
        if score not in rows:
            raise TableError(f"{seen.name} lacks the column '.estimate' or 'mean' of collect_metrics()")
    else:
        score = metric
    classifiers, findings = workflows(rows, "workflow")
    datasets, told = datasets_of(seen, rows)
    columns: dict[str, Any] = {
        "dataset": datasets,
        "classifier": classifiers,
        "score": rows[score],
    }
    return scores_found(
        seen,
        columns | runs_of_resamples(rows),
        metric=metric,
        greater_is_better=DIRECTIONS.get(metric),
        numbers=rows.numbers,
        findings=[*told, *_of_summary(score), *findings],
    )


def _of_summary(score: str) -> list[Finding]:
    words = "These are means over the resamples; collect_metrics(summarize = FALSE) has the scores of each."
    return [note("averages", words)] if score == "mean" else []


METRICS = Format(
    name="tidymodels-metrics",
    title="tidymodels, collect_metrics() as CSV",
    description="Scores of workflows on the resamples of one dataset, long, wide or summarized; metric= chooses one.",
    example=EXAMPLE_OF_METRICS,
    recognises=(
        Sign("columns", (".metric", ".estimate|mean")),
        Sign("columns", (".config", "|".join(DIRECTIONS)), without=(".metric", ".pred_class")),
    ),
    read=_read_metrics,
)


EXAMPLE_OF_PREDICTIONS = """
wflow_id,id,.row,.pred_class,.pred_good,.pred_poor,class,.config
rec_rf,Fold1,1,good,0.8,0.2,good,Preprocessor1_Model1
rec_rf,Fold2,2,good,0.6,0.4,poor,Preprocessor1_Model1
""".lstrip()
REQUIRED = (".row", ".pred_class")


def _read_predictions(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, REQUIRED, "collect_predictions()")
    outcome = asked.columns.get("y_true") or _outcome(seen, rows)
    if outcome not in rows:
        raise TableError(f"y_true must name a column of {seen.name} ({listed(rows.columns)}), not {outcome!r}")
    classifiers, findings = workflows(rows, "workflow")
    datasets, told = datasets_of(seen, rows)
    columns: dict[str, list[Any]] = {
        "dataset": datasets,
        "classifier": classifiers,
        "instance": rows[".row"],
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


PREDICTIONS = Format(
    name="tidymodels-predictions",
    title="tidymodels, collect_predictions() as CSV",
    description="Classes and probabilities of workflows on the rows of one dataset; y_true names the outcome if asked.",
    example=EXAMPLE_OF_PREDICTIONS,
    recognises=(Sign("columns", REQUIRED),),
    read=_read_predictions,
    takes=("y_true",),
)

FORMATS = (METRICS, PREDICTIONS)
