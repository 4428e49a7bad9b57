"""What do the tables of Inspect say: samples_df or evals_df?"""

from __future__ import annotations

__all__ = ["FORMAT"]

import math
import os
from collections.abc import Sequence
from typing import Any

from evalstats._findings import note
from evalstats.io.formats.evaluation_logs import Item, Log
from evalstats.io.formats.format import Format, Found
from evalstats.io.formats.log_metrics import chosen_metrics, direction
from evalstats.io.formats.log_questions import cells_found, items_found
from evalstats.io.formats.log_values import digest, is_grade, value_of
from evalstats.io.options import Asked
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of

SCORE, HEADLINE = "score_", "score_headline_value"

EXAMPLE = """
sample_id,eval_id,log,id,epoch,input,target,metadata_passage,score_match,error
UemuypP5,cLFzRJAS,logs/addition_alpha.eval,q1,1,1+1?,2,0,C,
UemuypP6,cLFzRJAT,logs/addition_beta.eval,q1,1,1+1?,2,0,I,
""".lstrip()


def _recognises(seen: Seen) -> bool:
    names = set(seen.header)
    of_samples = {"eval_id", "log", "id", "epoch"} <= names
    return (of_samples or {"eval_id", "log", "task_name", "model"} <= names) and any(
        name.startswith(SCORE) for name in names
    )


def _read(seen: Seen, asked: Asked) -> Found:
    grid = seen.grid
    is_samples = "epoch" in grid.header and "id" in grid.header
    return _of_samples(seen, asked, grid) if is_samples else _of_evals(seen, asked, grid)


def _texts(grid: Grid, name: str) -> list[str]:
    return [text_of(cell) for cell in _column(grid, name)] if name in grid.header else [""] * len(grid.numbers)


def _column(grid: Grid, name: str) -> Sequence[Any]:
    column: Sequence[Any] = grid.columns[grid.header.index(name)]
    return column


def _of_samples(seen: Seen, asked: Asked, grid: Grid) -> Found:
    tasks = [task.rpartition("/")[2] or "samples" for task in _texts(grid, "task_name")]
    models = _texts(grid, "model")
    logs_of = _texts(grid, "log")
    found = []
    if "" in models:
        models = [model or _stem(path) for model, path in zip(models, logs_of, strict=True)]
        found.append(note("named-by-log", "The table has no column model: a classifier is called like its log."))
    scorers = [name.removeprefix(SCORE) for name in grid.header if name.startswith(SCORE)]
    metric = chosen_metrics(seen, asked, {"": scorers})[""]
    values, asked_of = _column(grid, SCORE + metric), _texts(grid, "input")
    is_graded = all(is_grade(_plain(value)) for value in values if text_of(value))
    better = direction(seen, asked, {metric: True if is_graded else direction_of_metric(metric)})
    logs: dict[tuple[str, str], Log] = {}
    for i, (item, epoch) in enumerate(zip(_texts(grid, "id"), _texts(grid, "epoch"), strict=True)):
        place = grid.place(i, grid.header.index("id"))
        if not item:
            raise TableError(f"{place}: a sample has no id")
        log = logs.setdefault((models[i], logs_of[i]), Log(models[i], logs_of[i] or seen.name, logs_of[i]))
        value = math.nan if not text_of(values[i]) else value_of(_plain(values[i]), place)
        log.items.append(Item(tasks[i], item, value, epoch, digest(asked_of[i]), place=place))
    return items_found(seen, asked, list(logs.values()), metric=metric, greater_is_better=better, findings=found)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _stem(path: str) -> str:
    return os.path.splitext(path.replace("\\", "/").rpartition("/")[2])[0]


def _of_evals(seen: Seen, asked: Asked, grid: Grid) -> Found:
    names = [name.removeprefix(SCORE) for name in grid.header if name.startswith(SCORE)]
    names = [name for name in names if not name.endswith("_stderr") and not name.startswith("headline_")]
    metric = chosen_metrics(seen, asked, {"": names})[""]
    # the columns are called <scorer>_<metric>
    better = direction(seen, asked, {metric: direction_of_metric(metric)})
    j = grid.header.index(SCORE + metric)
    logs = []
    for i, (task, model) in enumerate(zip(_texts(grid, "task_name"), _texts(grid, "model"), strict=True)):
        value = number_in(_column(grid, SCORE + metric)[i], ".")
        if not task or not model or value is None or math.isinf(value):
            raise TableError(f"{grid.place(i, j)}: {short(metric)} is no number, or the task or the model is not told")
        item = Item(task.rpartition("/")[2], "", value, place=grid.place(i, j))
        logs.append(Log(model, seen.name, f"{seen.name} {i}", [item]))
    return cells_found(seen, logs, metric=metric, greater_is_better=better)


FORMAT = Format(
    name="inspect-frames",
    title="Inspect (inspect_ai), samples_df or evals_df",
    description="Scores of samples, epochs reduced first, or of tasks, in a data frame or saved as CSV or Parquet.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
