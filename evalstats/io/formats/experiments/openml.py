"""Results of OpenML: evaluations of runs, and their predictions.arff."""

from __future__ import annotations

__all__ = ["FORMATS"]

import json
from typing import Any

from evalstats._findings import Finding, note
from evalstats.io.columns.roles import told_folds
from evalstats.io.formats.format import (
    Format,
    Found,
    Rows,
    Sign,
    chosen_metric,
    directions,
    file_stem,
    positive_scores,
    predictions_found,
    rows_of,
    scores_found,
)
from evalstats.io.options import Asked
from evalstats.io.sources.arff import Arff, arff_of
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE_OF_EVALUATIONS = """
run_id,task_id,setup_id,flow_id,flow_name,data_id,data_name,function,value,values
101,50,900,70,sklearn.forest(1),1,adult,predictive_accuracy,0.89,
102,50,901,71,sklearn.boost(1),1,adult,predictive_accuracy,0.93,
""".lstrip()

REQUIRED_OF_EVALUATIONS = ("task_id", "flow_name", "data_name", "function")
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


def _read_evaluations(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, REQUIRED_OF_EVALUATIONS, "list_evaluations()")
    metric = chosen_metric(seen, asked, list(dict.fromkeys(rows.texts("function"))))
    rows = rows.where("function", lambda cell: cell == metric)
    classifiers = _with_what_differs(rows, "flow_name", "setup_id", "setup")
    datasets = _with_what_differs(rows, "data_name", "task_id", "task")
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


def _with_what_differs(rows: Rows, name: str, key: str, word: str) -> list[str]:
    """Return names, and append the key to a name that has several keys."""
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
            raise TableError(f"{problem}: keep one of these runs, by its run_id")


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


EVALUATIONS = Format(
    name="openml-evaluations",
    title="OpenML, list_evaluations() as a frame or CSV",
    description="Values of one evaluation function for flows on tasks, or for folds with per_fold=True. Each setup of a flow is a classifier.",
    example=EXAMPLE_OF_EVALUATIONS,
    recognises=(Sign("columns", REQUIRED_OF_EVALUATIONS),),
    read=_read_evaluations,
    takes=("n_folds",),
)


EXAMPLE_OF_PREDICTIONS = """
@relation openml_task_7_predictions
@attribute repeat numeric
@attribute fold numeric
@attribute row_id numeric
@attribute prediction {good,bad}
@attribute correct {good,bad}
@attribute confidence.good numeric
@attribute confidence.bad numeric
@data
0,0,4,good,bad,0.6,0.4
""".lstrip()

REQUIRED_OF_PREDICTIONS = ("row_id", "prediction", "correct")
STEM = "predictions"


def _is_predictions(seen: Seen) -> bool:
    if seen.members:
        files = _files(seen)
        return bool(files) and _is_predictions(seen.member(files[0]))
    start = seen.start.casefold()
    return "@attribute" in start and all(f"@attribute {name} " in start for name in REQUIRED_OF_PREDICTIONS)


def _files(seen: Seen) -> list[str]:
    arffs = [member for member in seen.members if member.casefold().endswith(".arff")]
    return arffs if seen.kind == "files" else [name for name in arffs if name.rpartition("/")[2] == f"{STEM}.arff"]


def _read_predictions(seen: Seen, asked: Asked) -> Found:
    names = ("dataset", "classifier", "repeat", "fold", "instance", "y_true", "y_pred")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    probabilities: list[dict[str, list[str]]] = []
    for file, run in _runs(seen):
        arff = arff_of(file.name, file.lines())
        table = _table(file, arff)
        n = len(arff.numbers)
        columns["dataset"] += [arff.relation.removeprefix("openml_").removesuffix("_predictions") or "dataset"] * n
        columns["classifier"] += [run] * n
        sources = {
            "repeat": "repeat",
            "fold": "fold",
            "instance": "row_id",
            "y_true": "correct",
            "y_pred": "prediction",
        }
        for name, source in sources.items():
            columns[name] += table.get(source, ["0"] * n)
        told = {name.removeprefix("confidence."): own for name, own in table.items() if name.startswith("confidence.")}
        probabilities.append(told)
    labels = set.intersection(*(set(told) for told in probabilities)) if probabilities else set()
    joined = {label: [cell for told in probabilities for cell in told[label]] for label in labels}
    if scores := positive_scores(asked, columns["dataset"], columns["y_true"], joined):
        columns["y_score"] = scores
    findings = [
        note(
            "true-labels",
            "The column 'correct' holds the true labels. It does not show whether the prediction is correct.",
        )
    ]
    return predictions_found(seen, columns, findings=findings)


def _runs(seen: Seen) -> list[tuple[Seen, str]]:
    """Return each file with the name of its run, from the name of the file or its folder."""
    if not seen.members:
        return [(seen, _name(file_stem(seen, "run"), seen.path or ""))]
    return [(file := seen.member(name), _name(file_stem(file, "run"), name)) for name in _files(seen)]


def _name(stem: str, path: str) -> str:
    above = path.replace("\\", "/").split("/")[-2:-1]
    return above[0] if stem == STEM and above and above[0] else stem


def _table(file: Seen, arff: Arff) -> dict[str, list[str]]:
    table = dict(zip(arff.names, arff.columns, strict=True))
    if lacking := [name for name in REQUIRED_OF_PREDICTIONS if name not in table]:
        hint = ": numbers were predicted instead of labels" if "truth" in table else ""
        raise TableError(f"{file.name} lacks the attribute {lacking[0]!r} of predictions of OpenML{hint}")
    if len(set(table.get("sample", ()))) > 1:
        raise TableError(
            f"{file.name} holds a learning curve with several samples of each fold: keep the rows of one sample"
        )
    return table


PREDICTIONS = Format(
    name="openml-predictions",
    title="OpenML, predictions.arff of runs",
    description="Labels and confidences of one run in each file. The run has the name of its folder.",
    example=EXAMPLE_OF_PREDICTIONS,
    recognises=(
        Sign("files", ("*.arff",)),
        Sign("arff", REQUIRED_OF_PREDICTIONS),
    ),
    confirms=_is_predictions,
    read=_read_predictions,
)

FORMATS = (EVALUATIONS, PREDICTIONS)
