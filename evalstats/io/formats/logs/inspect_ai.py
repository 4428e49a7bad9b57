"""Logs of Inspect (inspect_ai): the scores of each sample.

A log is a zip file (.eval) or one JSON document. The reader uses the summaries of the samples and does not open the
samples themselves. The log of an unfinished run has a journal instead of a header.
"""

from __future__ import annotations

__all__ = ["FORMATS"]

import json
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evalstats import _errors
from evalstats._errors import listed
from evalstats._findings import Finding, note, warning
from evalstats.io.formats import log_files
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_questions import cells_found, chosen_metrics, direction, items_found, together
from evalstats.io.options import Asked
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.io.sources.source import ZIP, Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short
from evalstats.tables.items import is_reducer
from evalstats.tables.names import natural_order, text_of, texts_of

HEADER, SUMMARIES, START = "header.json", "summaries.json", "_journal/start.json"
JOURNAL = "_journal/summaries/"

EXAMPLE_OF_LOGS = """
{"version": 2, "status": "success", "eval": {"eval_id": "PgyVgF", "task": "addition", "model": "openai/gpt-4o"},
 "samples": [{"id": "q1", "epoch": 1, "input": "1+1?", "target": "2", "scores": {"match": {"value": "C"}}},
             {"id": "q2", "epoch": 1, "input": "2+2?", "target": "4", "scores": {"match": {"value": "I"}}}]}
""".lstrip()


class _Run(NamedTuple):
    """Content of one log before a scorer is chosen."""

    seen: Seen
    model: str
    task: str
    status: str
    is_invalid: bool
    reducers: tuple[str, ...]
    sample_ids: tuple[str, ...]
    graded: tuple[str, ...]  # scorers whose accuracy the log holds
    samples: tuple[Mapping[str, Any], ...]


def _is_log(seen: Seen) -> bool:
    if seen.kind == ZIP:
        return HEADER in seen.members or START in seen.members
    return (
        log_files.is_document(seen, "eval_id") and log_files.word(log_files.part(seen.document, "eval", "task")) != ""
    )


def _read_logs(seen: Seen, asked: Asked) -> Found:
    runs = [_run(one) for one in log_files.logs_in(seen, _is_log)]
    scorers: dict[str, dict[str, None]] = {}
    for run in runs:
        names = (name for sample in run.samples for name in _scores(sample))
        scorers.setdefault(run.task, {}).update(dict.fromkeys(names))
    metrics = chosen_metrics(seen, asked, scorers)
    better = direction(seen, asked, {name: _direction(runs, name) for name in metrics.values()})
    logs = [_log(run, metrics[run.task], asked.columns.get("cluster")) for run in runs if run.task in metrics]
    reducer, found = _reducer(runs)
    chosen = listed(sorted(set(metrics.values())))
    found += [note("scorer", f"The scores come from the scorer {chosen}; C counts as 1, P as 0.5, and I and N as 0.")]
    found += [one for run in runs for one in _state(run)]
    name = together(metrics.values())
    return items_found(seen, asked, logs, metric=name, greater_is_better=better, reducer=reducer, findings=found)


def _run(seen: Seen) -> _Run:
    header, samples = _of_zip(seen) if seen.kind == ZIP else _of_document(seen)
    about = log_files.part(header, "eval")
    model, task = log_files.word(log_files.part(about, "model")), log_files.word(log_files.part(about, "task"))
    if not model or not task:
        raise TableError(f"{seen.name} has no model and no task in its header, which every log of Inspect has")
    reducers = log_files.part(about, "config", "epochs_reducer")
    return _Run(
        seen=seen,
        model=model,
        task=task.rpartition("/")[2],
        status=log_files.word(log_files.part(header, "status")) or "started",
        is_invalid=log_files.part(header, "invalidated") is True,
        reducers=tuple(
            log_files.word(name) for name in (reducers if isinstance(reducers, list) else [reducers]) if name
        ),
        sample_ids=tuple(map(log_files.word, log_files.parts(about, "dataset", "sample_ids"))),
        graded=tuple(
            log_files.word(log_files.part(score, "name"))
            for score in log_files.parts(header, "results", "scores")
            if log_files.part(score, "metrics", "accuracy") is not None
        ),
        samples=tuple(sample for sample in samples if isinstance(sample, Mapping)),
    )


def _of_zip(seen: Seen) -> tuple[Any, list[Any]]:
    members = set(seen.members)
    header = _json_member(seen, HEADER if HEADER in members else START)
    if SUMMARIES in members:
        return header, log_files.parts(_json_member(seen, SUMMARIES))
    journal = sorted((name for name in members if name.startswith(JOURNAL)), key=natural_order)
    return header, [sample for name in journal for sample in log_files.parts(_json_member(seen, name))]


def _of_document(seen: Seen) -> tuple[Any, list[Any]]:
    if log_files.part(seen.document, "samples") is None:
        raise TableError(f"{seen.name} is only the header of a log: it holds no samples")
    return seen.document, log_files.parts(seen.document, "samples")


def _json_member(seen: Seen, name: str) -> Any:
    content = seen.member_bytes(name)
    try:
        return json.loads(content)
    except RecursionError:
        raise TableError(f"{seen.name}: the JSON in {name} is nested too deeply") from None
    except ValueError as error:
        raise TableError(f"{seen.name}: {name} is not valid JSON: {_errors.short(str(error))}") from None


def _scores(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a sample by scorer. Each key of a dict of values is a separate score."""
    found: dict[str, Any] = {}
    scores = log_files.part(sample, "scores")
    for name, score in (scores if isinstance(scores, Mapping) else {}).items():
        value = log_files.part(score, "value")
        found |= {f"{name}/{key}": own for key, own in value.items()} if isinstance(value, Mapping) else {name: value}
    return found


def _direction(runs: Sequence[_Run], scorer: str) -> bool | None:
    """Return the direction of a scorer: greater is better for grades; for other values, the name determines the direction."""
    values = [value for run in runs for sample in run.samples if (value := _scores(sample).get(scorer)) is not None]
    if all(log_files.is_grade(value) for value in values if not (isinstance(value, float) and math.isnan(value))):
        return True
    return True if any(scorer in run.graded for run in runs) else direction_of_metric(scorer)


def _log(run: _Run, scorer: str, cluster: str | None) -> log_files.Log:
    log = log_files.Log.of(run.seen, run.model)
    seen: set[str] = set()
    for sample in run.samples:
        item, epoch, asked = (
            log_files.word(sample.get("id")),
            log_files.word(sample.get("epoch")) or "1",
            sample.get("input"),
        )
        place = f"{run.seen.name}, sample {short(item)}, epoch {epoch}"
        if not item:
            raise TableError(f"{run.seen.name}: a sample has no id")
        value = _scores(sample).get(scorer)
        check = (
            log_files.digest(asked) if isinstance(asked, str) else ""
        )  # the parts of a conversation have ids of their own
        group = "" if cluster is None else log_files.word(log_files.part(sample, "metadata", cluster))
        if cluster is not None and not group:
            raise TableError(f"{place}: the metadata of the sample have no name or number called {short(cluster)}")
        log.items.append(
            log_files.Item(run.task, item, log_files.value_of(value, place), epoch, check, place=place, cluster=group)
        )
        seen.add(item)
    # samples that the run did not reach
    log.items += [
        log_files.Item(run.task, item, math.nan, "1", place=run.seen.name)
        for item in run.sample_ids
        if item not in seen
    ]
    return log


def _reducer(runs: Sequence[_Run]) -> tuple[str, list[Finding]]:
    """Return the reducer that all logs name first; if there is none, return 'mean', with a warning if logs differ."""
    named = {run.reducers for run in runs}
    first = next(iter(named), ())
    if len(named) == 1 and first and is_reducer(first[0]):
        return first[0], []
    if named in (set(), {()}):
        return "mean", []
    names = sorted({name for reducers in named for name in reducers})
    return "mean", [warning("reducer", f"The logs reduce epochs by {listed(names)}; here, the mean is used.")]


def _state(run: _Run) -> list[Finding]:
    found = []
    if run.status != "success":
        words = (
            f"The run of {run.seen.name} did not end (its status is {run.status!r}): the log holds "
            f"{len(run.samples):,} answers."
        )
        found.append(warning("unfinished", words))
    if run.is_invalid:
        found.append(warning("invalidated", f"The log {run.seen.name} is marked as invalid."))
    return found


LOGS = Format(
    name="inspect-ai",
    title="Inspect (inspect_ai), logs",
    description="Scores of samples (.eval or .json), reduced over the epochs. Models are classifiers, and tasks are datasets.",
    example=EXAMPLE_OF_LOGS,
    recognises=(
        Sign("archive", (f"{START}|{HEADER}",)),
        Sign("keys", ("eval", "task", "model")),
    ),
    confirms=_is_log,
    each_file=True,
    read=_read_logs,
    takes=("cluster",),
)


SCORE = "score_"

EXAMPLE_OF_FRAMES = """
sample_id,eval_id,log,id,epoch,input,target,metadata_passage,score_match,error
UemuypP5,cLFzRJAS,logs/addition_alpha.eval,q1,1,1+1?,2,0,C,
UemuypP6,cLFzRJAT,logs/addition_beta.eval,q1,1,1+1?,2,0,I,
""".lstrip()


def _read_frames(seen: Seen, asked: Asked) -> Found:
    grid = seen.grid
    is_samples = "epoch" in grid.header and "id" in grid.header
    return _of_samples(seen, asked, grid) if is_samples else _of_evals(seen, asked, grid)


def _texts(grid: Grid, name: str) -> list[str]:
    return texts_of(_column(grid, name)) if name in grid.header else [""] * len(grid.numbers)


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
        found.append(note("named-by-log", "The table has no column model: a classifier has the name of its log."))
    scorers = [name.removeprefix(SCORE) for name in grid.header if name.startswith(SCORE)]
    metric = chosen_metrics(seen, asked, {"": scorers})[""]
    values, asked_of = _column(grid, SCORE + metric), _texts(grid, "input")
    is_graded = all(log_files.is_grade(_plain(value)) for value in values if text_of(value))
    better = direction(seen, asked, {metric: True if is_graded else direction_of_metric(metric)})
    logs: dict[tuple[str, str], log_files.Log] = {}
    for i, (item, epoch) in enumerate(zip(_texts(grid, "id"), _texts(grid, "epoch"), strict=True)):
        place = grid.place(i, grid.header.index("id"))
        if not item:
            raise TableError(f"{place}: a sample has no id")
        log = logs.setdefault((models[i], logs_of[i]), log_files.Log(models[i], logs_of[i] or seen.name, logs_of[i]))
        value = math.nan if not text_of(values[i]) else log_files.value_of(_plain(values[i]), place)
        log.items.append(log_files.Item(tasks[i], item, value, epoch, log_files.digest(asked_of[i]), place=place))
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
            raise TableError(
                f"{grid.place(i, j)}: {short(metric)} is not a number, or the task or the model is missing"
            )
        item = log_files.Item(task.rpartition("/")[2], "", value, place=grid.place(i, j))
        logs.append(log_files.Log(model, seen.name, f"{seen.name} {i}", [item]))
    return cells_found(seen, logs, metric=metric, greater_is_better=better)


FRAMES = Format(
    name="inspect-frames",
    title="Inspect (inspect_ai), samples_df or evals_df",
    description="Scores of samples, reduced over the epochs, or scores of tasks, in a data frame, CSV or Parquet.",
    example=EXAMPLE_OF_FRAMES,
    recognises=(
        Sign("columns", ("eval_id", "log", "id", "epoch", f"{SCORE}*")),
        Sign("columns", ("eval_id", "log", "task_name", "model", f"{SCORE}*")),
    ),
    read=_read_frames,
)

FORMATS = (LOGS, FRAMES)
