"""How were runs of OpenML evaluated? The table of list_evaluations()."""

from __future__ import annotations

__all__ = ["FORMAT"]

import json
from typing import Any

from evalstats._findings import Finding, note
from evalstats.io.columns.split_counting import told_folds
from evalstats.io.formats.format import Format, Found, chosen_metric, directions, scores_found
from evalstats.io.formats.tabular import Rows, rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE = """
run_id,task_id,setup_id,flow_id,flow_name,data_id,data_name,function,value,values
101,50,900,70,sklearn.forest(1),1,adult,predictive_accuracy,0.89,
102,50,901,71,sklearn.boost(1),1,adult,predictive_accuracy,0.93,
""".lstrip()

REQUIRED = ("task_id", "flow_name", "data_name", "function")
DIRECTIONS = directions(
    gains="""
    predictive_accuracy area_under_roc_curve f_measure kappa kb_relative_information_score precision recall
    unweighted_recall quadratic_weighted_kappa matthews_correlation_coefficient
    """,
    losses="""
    mean_absolute_error root_mean_squared_error relative_absolute_error root_relative_squared_error average_cost
    total_cost usercpu_time_millis usercpu_time_millis_training usercpu_time_millis_testing build_cpu_time
    wall_clock_time_millis wall_clock_time_millis_training wall_clock_time_millis_testing run_cpu_time
    """,
)


def _recognises(seen: Seen) -> bool:
    return set(REQUIRED) <= set(seen.header)


def _read(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, REQUIRED, "list_evaluations()")
    metric = chosen_metric(seen, asked, list(dict.fromkeys(rows.texts("function"))))
    rows = rows.where("function", lambda cell: cell == metric)
    classifiers = _with_what_differs(rows, "flow_name", "setup_id", "flow_name", "setup")
    datasets = _with_what_differs(rows, "data_name", "task_id", "data_name", "task")
    _refuse_several_runs(seen, rows, datasets, classifiers)
    columns: dict[str, list[Any]] = {"dataset": datasets, "classifier": classifiers}
    numbers = rows.numbers
    findings: list[Finding] = []
    if "values" in rows and any(_holds_list(cell) for cell in rows["values"]):
        columns, numbers = _of_folds(rows, columns)
        runs, findings = told_folds(seen.name, columns.pop("fold"), columns["dataset"], asked)
        columns |= runs
        findings.append(note("folds", "The values of each fold were read."))
    else:
        columns["score"] = rows["value"] if "value" in rows else [None] * len(numbers)
    direction = DIRECTIONS.get(metric, False if "error" in metric else None)
    return scores_found(seen, columns, metric=metric, greater_is_better=direction, numbers=numbers, findings=findings)


def _with_what_differs(rows: Rows, name: str, key: str, within: str, word: str) -> list[str]:
    """Return names, with the number behind them where one name has several."""
    names = rows.texts(name)
    if key not in rows:
        return names
    keys = rows.texts(key)
    of_name: dict[str, set[str]] = {}
    for own, number in zip(names, keys, strict=True):
        of_name.setdefault(own, set()).add(number)
    return [
        f"{own} ({word} {number})" if len(of_name[own]) > 1 else own for own, number in zip(names, keys, strict=True)
    ]


def _refuse_several_runs(seen: Seen, rows: Rows, datasets: list[str], classifiers: list[str]) -> None:
    first: dict[tuple[str, str], int] = {}
    for i, pair in enumerate(zip(datasets, classifiers, strict=True)):
        if (before := first.setdefault(pair, i)) != i:
            lines = f"{rows.word}s {rows.numbers[before]} and {rows.numbers[i]}"
            problem = f"{seen.name}: {short(pair[1])} was run several times on {short(pair[0])} ({lines})"
            raise TableError(f"{problem}: keep one run of each, by its run_id")


def _holds_list(cell: Any) -> bool:
    return cell[:1] == "[" if isinstance(cell, str) else isinstance(cell, list | tuple) or hasattr(cell, "tolist")


def _of_folds(rows: Rows, of_runs: dict[str, list[Any]]) -> tuple[dict[str, list[Any]], list[int]]:
    columns: dict[str, list[Any]] = {name: [] for name in ("dataset", "classifier", "fold", "score")}
    numbers: list[int] = []
    for i, cell in enumerate(rows["values"]):
        values = _values(cell, f"{rows.name}, {rows.word} {rows.numbers[i]}")
        for fold, value in enumerate(values):
            columns["dataset"].append(of_runs["dataset"][i])
            columns["classifier"].append(of_runs["classifier"][i])
            columns["fold"].append(str(fold))
            columns["score"].append(value)
            numbers.append(rows.numbers[i])
    return columns, numbers


def _values(cell: Any, place: str) -> list[Any]:
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except (ValueError, RecursionError):
            raise TableError(f"{place}: {short(cell)} is not a list of the values of folds") from None
    values = cell.tolist() if hasattr(cell, "tolist") else cell
    if not isinstance(values, list | tuple) or any(isinstance(value, list | tuple | dict) for value in values):
        raise TableError(f"{place}: {short(cell)} is not a list of the values of folds")
    return list(values)


FORMAT = Format(
    name="openml-evaluations",
    title="OpenML, list_evaluations() as a frame or CSV",
    description="One function of flows on tasks, of folds where per_fold=True; a flow with other settings is another.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
