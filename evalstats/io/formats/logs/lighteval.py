"""Output of lighteval: details of documents, or results of tasks."""

from __future__ import annotations

__all__ = ["FORMATS"]

import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from evalstats import _errors
from evalstats._errors import listed
from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_files import Item, Log, digest, is_document, logs_in, number_of, part, parts, word
from evalstats.io.formats.log_questions import cells_found, chosen_metrics, direction, items_found, together
from evalstats.io.options import Asked
from evalstats.io.sources.source import FRAME, Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

_DETAILS = re.compile(r"details_(.+)_\d{4}-\d\d-\d\dT[^_]+\.parquet", re.DOTALL)
MOST_ROWS = 10_000_000

EXAMPLE = """
{"config_general": {"model_name": "acme/alpha"},
 "results": {"sums|0": {"acc": 0.875, "acc_stderr": 0.125}, "all": {"acc": 0.875, "acc_stderr": 0.125}},
 "versions": {}, "config_tasks": {}, "summary_tasks": {}}
""".lstrip()


class _Details(NamedTuple):
    seen: Seen
    model: str
    task: str
    rows: list[Mapping[str, Any]]


def _is_details(seen: Seen) -> bool:
    if seen.kind != FRAME or seen.path is None or not seen.path.lower().endswith(".parquet"):
        return False
    names = set(seen.header)
    return {"doc", "metric", "model_response"} <= names or {"full_prompt", "metrics"} <= names


def _is_results(seen: Seen) -> bool:
    if not is_document(seen, "config_general"):
        return False
    return part(seen.document, "config_general") is not None and isinstance(part(seen.document, "results"), Mapping)


def _is_log(seen: Seen) -> bool:
    return _is_results(seen) or _is_details(seen)


def _read(seen: Seen, asked: Asked) -> Found:
    files = logs_in(seen, _is_log)
    better: dict[str, bool | None] = {}
    for one in files:
        better |= _directions(one.document) if _is_results(one) else {}
    details = [_details(one) for one in files if _is_details(one)]
    return _of_details(seen, asked, details, better) if details else _of_results(seen, asked, files, better)


def _directions(document: Any) -> dict[str, bool | None]:
    """Return the directions of the metrics from the configurations of the tasks."""
    tasks = part(document, "config_tasks")
    found: dict[str, bool | None] = {}
    for task in tasks.values() if isinstance(tasks, Mapping) else ():
        for metric in parts(task, "metrics"):
            better = part(metric, "higher_is_better")
            if isinstance(better, bool):
                found[word(part(metric, "metric_name"))] = better
    return found


def _better(better: Mapping[str, bool | None], metric: str) -> bool | None:
    return better[metric] if better.get(metric) is not None else direction_of_metric(metric)


# --- details of documents ---------------------------------------------------------------------------------------------


def _of_details(seen: Seen, asked: Asked, details: list[_Details], better: Mapping[str, bool | None]) -> Found:
    metrics: dict[str, dict[str, None]] = {}
    for one in details:
        known = metrics.setdefault(one.task, {})
        for row in one.rows:
            known.update({name: None for name, value in _scores(row).items() if number_of(value) is not None})
    chosen = chosen_metrics(seen, asked, metrics)
    is_better = direction(seen, asked, {name: _better(better, name) for name in chosen.values()})
    logs = [_log(one, chosen[one.task]) for one in details if one.task in chosen]
    metric = together(chosen.values())
    found = [note("metric", f"The metric of the scores is {listed(sorted(set(chosen.values())))}.")]
    return items_found(seen, asked, logs, metric=metric, greater_is_better=is_better, findings=found)


def _details(seen: Seen) -> _Details:
    rows = _rows(seen)
    folders = os.path.abspath(seen.path or "").split(os.sep)
    after = folders[folders.index("details") + 1 : -2] if "details" in folders else folders[-3:-2]
    named = _DETAILS.fullmatch(folders[-1])
    task = next((word(part(row, "doc", "task_name")) for row in rows), "") or (named[1] if named else "")
    if not task or not after:
        raise TableError(
            f"{seen.name}: the path must name the task and the model, as in "
            "details/<model>/<time>/details_<task>_<time>"
        )
    return _Details(seen, "/".join(after), task, rows)


def _rows(seen: Seen) -> list[Mapping[str, Any]]:
    """Return the rows without the answers of the model, because the answers are large."""
    import pyarrow.parquet  # seen.header has read it already

    wanted = [name for name in ("doc", "metric", "metrics", "hashes", "example") if name in seen.header]
    try:
        with pyarrow.parquet.ParquetFile(seen.path) as file:
            if file.metadata.num_rows > MOST_ROWS:
                raise TableError(f"{seen.name} has {file.metadata.num_rows:,} rows, but at most {MOST_ROWS:,} are read")
            rows: list[Mapping[str, Any]] = file.read(columns=wanted).to_pylist()
    except TableError:
        raise
    except (OSError, ValueError, TypeError, KeyError, ArithmeticError, RecursionError, NotImplementedError) as error:
        raise TableError(f"{seen.name} cannot be read as a Parquet file: {_errors.short(str(error))}") from None
    return rows


def _scores(row: Mapping[str, Any]) -> Mapping[str, Any]:
    found = row.get("metric") if "metric" in row else row.get("metrics")
    return found if isinstance(found, Mapping) else {}


def _log(one: _Details, metric: str) -> Log:
    log = Log.of(one.seen, one.model)
    for i, row in enumerate(one.rows, 1):
        item, place = word(part(row, "doc", "id")), f"{one.seen.name}, row {i}"
        value = number_of(_scores(row).get(metric))
        if value is None:
            raise TableError(f"{place}: the metric {short(metric)} is not a number")
        query = part(row, "doc", "query") or part(row, "hashes", "hash_examples") or part(row, "example")
        # the first versions do not number their documents, which are in the order of the benchmark
        log.items.append(Item(one.task, item or str(i), value, "", digest(query) if query else "", place=place))
    return log


# --- results of tasks -------------------------------------------------------------------------------------------------


def _of_results(seen: Seen, asked: Asked, files: list[Seen], better: Mapping[str, bool | None]) -> Found:
    metrics: dict[str, dict[str, None]] = {}
    summaries: set[str] = set()
    for one in files:
        for task, values in part(one.document, "results").items():
            if task == "all" or ":_average" in task or not isinstance(values, Mapping):
                summaries.add(task)
                continue
            names = [name for name in values if not name.endswith("_stderr") and number_of(values[name]) is not None]
            metrics.setdefault(task, {}).update(dict.fromkeys(names))
    chosen = chosen_metrics(seen, asked, metrics)
    is_better = direction(seen, asked, {name: _better(better, name) for name in chosen.values()})
    logs = []
    for one in files:
        about = part(one.document, "config_general")
        model = word(part(about, "model_name")) or word(part(about, "model_config", "model_name"))
        if not model:
            raise TableError(f"{one.name} has no model_name")
        log = Log.of(one, model)
        for task, values in part(one.document, "results").items():
            value = number_of(values.get(chosen[task])) if task in chosen else None
            log.items += [] if value is None else [Item(task, "", value, place=one.name)]
        logs.append(log)
    found = (
        [note("summaries", f"The rows {listed(sorted(summaries))} summarize the other rows and are left out.")]
        if summaries
        else []
    )
    metric = together(chosen.values())
    return cells_found(seen, logs, metric=metric, greater_is_better=is_better, findings=found)


FORMATS = (
    Format(
        name="lighteval",
        title="lighteval, details or results",
        description="Scores of documents (details, Parquet) or of tasks (results, JSON). Each model is a classifier.",
        example=EXAMPLE,
        recognises=(
            Sign("keys", ("config_general",)),
            Sign("columns", ("doc", "metric", "model_response")),
            Sign("columns", ("full_prompt", "metrics")),
        ),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
