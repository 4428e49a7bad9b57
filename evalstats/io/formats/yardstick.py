"""How do tidymodels name metrics, workflows and resamples?"""

from __future__ import annotations

__all__ = ["DIRECTIONS", "datasets_of", "runs_of_resamples", "workflows"]

from typing import Any

from evalstats._findings import Finding, note
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS
from evalstats.io.formats.format import directions
from evalstats.io.formats.tabular import Rows, column_called, file_stem
from evalstats.io.sources.source import Seen

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
    """Return the name of the classifier in each row: the workflow, with its configuration where it was tuned."""
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
    words = "The name of the file stands for the dataset, which it does not tell."
    return [file_stem(seen, "dataset")] * len(rows.numbers), [note("dataset-of-file", words)]


def runs_of_resamples(rows: Rows) -> dict[str, Any]:
    """Return the repeat and the fold of each row: Repeat1 and Fold01, Fold01 alone, or a resample drawn at random."""
    if "id" not in rows:
        return {}
    if "id2" in rows:
        return {"repeat": rows["id"], "fold": rows["id2"]}
    is_fold = all(name.casefold().startswith("fold") for name in rows.texts("id"))
    return {"fold" if is_fold else "repeat": rows["id"]}
