"""Output of NVIDIA's NeMo Evaluator: rewards of problems, or scores of benchmarks."""

from __future__ import annotations

__all__ = ["FORMATS"]

from collections.abc import Mapping
from typing import Any, NamedTuple

from evalstats._findings import note
from evalstats.io.formats import log_files
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_questions import cells_found, chosen_metrics, direction, items_found, together
from evalstats.io.options import Asked
from evalstats.io.sources.source import JSON_LINES, Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

REWARD = "reward"

EXAMPLE = """
alpha/results.jsonl:
{"problem_idx": 0, "reward": 1.0, "repeat": 0, "expected_answer": "42", "metadata": {"category": "arithmetic"}}
{"problem_idx": 0, "reward": 0.0, "repeat": 1, "expected_answer": "42", "metadata": {"category": "arithmetic"}}
""".lstrip()


class _Run(NamedTuple):
    model: str
    task: str
    is_told: bool


def _is_items(seen: Seen) -> bool:
    first = seen.start.partition("\n")[0]
    return seen.kind == JSON_LINES and '"problem_idx"' in first and '"reward"' in first


def _is_bundle(seen: Seen) -> bool:
    if not log_files.is_document(seen, "benchmark"):
        return False
    about = log_files.part(seen.document, "benchmark")
    return isinstance(log_files.part(about, "scores"), Mapping) and log_files.word(log_files.part(about, "name")) != ""


def _is_log(seen: Seen) -> bool:
    return _is_items(seen) or _is_bundle(seen)


def _read(seen: Seen, asked: Asked) -> Found:
    files = log_files.logs_in(seen, _is_log)
    items = [one for one in files if _is_items(one)]
    if not items:
        return _of_bundles(seen, asked, files)
    runs = [_run(one) for one in items]
    chosen = chosen_metrics(seen, asked, {"": [REWARD]})[""]
    better = direction(seen, asked, {chosen: True})
    logs = [_log(one, run) for one, run in zip(items, runs, strict=True)]
    words = "Models and benchmarks that no eval-*.json names have the names of their folders."
    found = [] if all(run.is_told for run in runs) else [note("named-by-folder", words)]
    return items_found(seen, asked, logs, metric=chosen, greater_is_better=better, findings=found)


def _run(seen: Seen) -> _Run:
    bundles = log_files.siblings(seen, lambda name: name.startswith("eval-") and name.endswith(".json"))
    told = [one.document for one in bundles if _is_bundle(one)]
    if len(told) == 1:
        model, task = _model(told[0]), log_files.word(log_files.part(told[0], "benchmark", "name"))
        return _Run(model or log_files.folder_of(seen), task, bool(model))
    model = log_files.folder_of(seen)
    if not model:
        raise TableError(f"{seen.name}: the file eval-*.json next to it, or its folder, names the model; pass the path")
    return _Run(model, "problems", is_told=False)


def _model(bundle: Any) -> str:
    told = log_files.part(bundle, "config", "model")
    return (
        log_files.word(told)
        or log_files.word(log_files.part(told, "id"))
        or log_files.word(log_files.part(told, "name"))
    )


def _log(seen: Seen, run: _Run) -> log_files.Log:
    log = log_files.Log.of(seen, run.model)
    for number, line in seen.records():
        item, value, place = (
            log_files.word(log_files.part(line, "problem_idx")),
            log_files.number_of(log_files.part(line, REWARD)),
            f"{seen.name}, line {number}",
        )
        if not item or value is None:
            raise TableError(f"{place} has no problem_idx, or its reward is not a number")
        expected = log_files.part(line, "expected_answer")
        check = "" if expected is None else log_files.digest(expected)
        log.items.append(
            log_files.Item(
                run.task, item, value, log_files.word(log_files.part(line, "repeat")) or "0", check, place=place
            )
        )
    return log


def _of_bundles(seen: Seen, asked: Asked, files: list[Seen]) -> Found:
    known: dict[str, dict[str, None]] = {}
    for one in files:
        own = known.setdefault(log_files.word(log_files.part(one.document, "benchmark", "name")), {})
        scores = log_files.part(one.document, "benchmark", "scores")
        # in addition to the scores, there are a summary, failures and the duration of the run, which have no value
        own.update(dict.fromkeys(name for name in scores if log_files.part(scores, name, "value") is not None))
    chosen = chosen_metrics(seen, asked, known)
    better = direction(seen, asked, {name: "reward" in name or direction_of_metric(name) for name in chosen.values()})
    logs = []
    for one in files:
        task = log_files.word(log_files.part(one.document, "benchmark", "name"))
        if task not in chosen:
            continue
        value = log_files.number_of(log_files.part(one.document, "benchmark", "scores", chosen[task], "value"))
        if value is None:
            raise TableError(f"{one.name}: the value of {short(chosen[task])} is not a number")
        name = _model(one.document) or log_files.folder_of(one)
        logs.append(
            log_files.Log(name, one.name, one.path or one.name, [log_files.Item(task, "", value, place=one.name)])
        )
    return cells_found(seen, logs, metric=together(chosen.values()), greater_is_better=better)


FORMATS = (
    Format(
        name="nemo-evaluator",
        title="NVIDIA NeMo Evaluator, results.jsonl or eval-*.json",
        description="Rewards of problems, reduced over the repeats, or scores of benchmarks. Each model is a classifier.",
        example=EXAMPLE,
        recognises=(
            Sign("lines", ("problem_idx", "reward")),
            Sign("keys", ("benchmark", "scores")),
        ),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
