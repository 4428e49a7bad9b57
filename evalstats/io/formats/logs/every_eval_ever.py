"""Files in the schema of Every Eval Ever: instances or aggregates."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from evalstats._findings import note
from evalstats.io.formats import log_files
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_questions import cells_found, chosen_metrics, direction, items_found, together
from evalstats.io.options import Asked
from evalstats.io.sources.source import JSON_LINES, Seen
from evalstats.tables.errors import TableError, short

SCORE, CORRECT = "score", "is_correct"

EXAMPLE = """
{"schema_version": "0.3.0", "evaluation_id": "gsm8k/acme/1", "model_id": "acme/alpha", "evaluation_name": "gsm8k", "sample_id": "7", "interaction_type": "single_turn", "input": {"raw": "1+1?", "reference": ["2"]}, "answer_attribution": [], "evaluation": {"score": 1.0, "is_correct": true}}
{"schema_version": "0.3.0", "evaluation_id": "gsm8k/acme/1", "model_id": "acme/alpha", "evaluation_name": "gsm8k", "sample_id": "8", "interaction_type": "single_turn", "input": {"raw": "2+2?", "reference": ["4"]}, "answer_attribution": [], "evaluation": {"score": 0.0, "is_correct": false}}
""".lstrip()


class _Row(NamedTuple):
    """Score of one instance, with the evaluation result to which it belongs."""

    seen: Seen
    model: str
    task: str
    item: str
    result: str
    score: float
    correct: float
    check: str
    place: str


def _is_items(seen: Seen) -> bool:
    first = seen.start.partition("\n")[0]
    return seen.kind == JSON_LINES and all(f'"{key}"' in first for key in ("evaluation_id", "sample_id", "model_id"))


def _is_aggregate(seen: Seen) -> bool:
    if not log_files.is_document(seen, "schema_version"):
        return False
    return (
        bool(log_files.parts(seen.document, "evaluation_results"))
        and log_files.part(seen.document, "model_info") is not None
    )


def _is_log(seen: Seen) -> bool:
    return _is_items(seen) or _is_aggregate(seen)


def _read(seen: Seen, asked: Asked) -> Found:
    files = log_files.logs_in(seen, _is_log)
    items = [one for one in files if _is_items(one)]
    return _of_items(seen, asked, items) if items else _of_aggregates(seen, asked, files)


def _of_items(seen: Seen, asked: Asked, files: list[Seen]) -> Found:
    rows = [row for one in files for row in _rows(one)]
    ids: dict[tuple[str, str, str], set[str]] = {}
    for row in rows:
        ids.setdefault((row.model, row.task, row.item), set()).add(row.result)
    options: dict[str, dict[str, None]] = {}
    for (_, task, _), results in ids.items():
        # several results of one answer are several metrics, a row for each
        own = options.setdefault(task, {})
        own.update(dict.fromkeys(sorted(results)) if len(results) > 1 else {})
    by_result = {task: own for task, own in options.items() if own}
    wanted = CORRECT if asked.metric == CORRECT else SCORE
    if asked.metric in (SCORE, CORRECT):
        asked = replace(asked, metric=None)
    chosen = chosen_metrics(seen, asked, {task: own or {wanted: None} for task, own in options.items()})
    if by_result:
        rows = [row for row in rows if row.task in chosen and row.result in ("", chosen[row.task])]
    elif wanted == CORRECT:
        rows = [row._replace(score=row.correct) for row in rows]
    are_correct = all(row.score == row.correct or math.isnan(row.score) for row in rows)
    better = _directions(files)
    told = {task: True if are_correct else better.get(task) for task in chosen}
    is_better = direction(seen, asked, told)
    metric = together(chosen.values())
    found = [note("metric", f"The metric of the scores is {metric}.")]
    return items_found(seen, asked, _logs(rows), metric=metric, greater_is_better=is_better, findings=found)


def _rows(seen: Seen) -> list[_Row]:
    rows = []
    for number, line in seen.records():
        model, task = (
            log_files.word(log_files.part(line, "model_id")),
            log_files.word(log_files.part(line, "evaluation_name")),
        )
        item, place = (
            log_files.word(log_files.part(line, "sample_hash")) or log_files.word(log_files.part(line, "sample_id")),
            f"{seen.name}, line {number}",
        )
        if not model or not task or not item:
            raise TableError(f"{place} lacks model_id, evaluation_name or sample_id")
        values = [
            math.nan if log_files.part(line, "error") else log_files.number_of(log_files.part(line, "evaluation", key))
            for key in (SCORE, CORRECT)
        ]
        if values[0] is None or values[1] is None:
            raise TableError(f"{place}: evaluation.score or evaluation.is_correct is not a number")
        result = log_files.word(log_files.part(line, "evaluation_result_id"))
        question = log_files.part(line, "input", "raw")
        check = "" if question is None else log_files.digest(question, log_files.part(line, "input", "reference"))
        rows.append(_Row(seen, model, task, item, result, values[0], values[1], check, place))
    return rows


def _directions(files: list[Seen]) -> dict[str, bool | None]:
    """Return the directions of the metrics from the aggregate files next to the logs."""
    better: dict[str, bool | None] = {}
    for one in files:
        for other in log_files.siblings(one, lambda name: name.endswith(".json")):
            for result in log_files.parts(other.document, "evaluation_results") if _is_aggregate(other) else ():
                better[log_files.word(log_files.part(result, "evaluation_name"))] = _is_greater(result)
    return better


def _is_greater(result: Any) -> bool | None:
    lower = log_files.part(result, "metric_config", "lower_is_better")
    return not lower if isinstance(lower, bool) else None


def _logs(rows: list[_Row]) -> list[log_files.Log]:
    logs: dict[tuple[int, str], log_files.Log] = {}
    answers: dict[tuple[int, str, str, str], int] = {}
    for row in rows:
        key = id(row.seen), row.model, row.task, row.item
        answers[key] = answers.get(key, 0) + 1
        log = logs.setdefault(key[:2], log_files.Log.of(row.seen, row.model))
        log.items.append(log_files.Item(row.task, row.item, row.score, str(answers[key]), row.check, place=row.place))
    return list(logs.values())


def _of_aggregates(seen: Seen, asked: Asked, files: list[Seen]) -> Found:
    rows: list[tuple[Seen, str, str, Mapping[str, Any]]] = []
    metrics: dict[str, dict[str, None]] = {}
    better: dict[str, bool | None] = {}
    for one in files:
        for result in log_files.parts(one.document, "evaluation_results"):
            task, metric = log_files.word(log_files.part(result, "evaluation_name")), _metric_of(result)
            better[metric] = _is_greater(result)
            metrics.setdefault(task, {})[metric] = None
            rows.append((one, task, metric, result))
    chosen = chosen_metrics(seen, asked, metrics)
    is_better = direction(seen, asked, {metric: better[metric] for metric in chosen.values()})
    logs = {id(one): log_files.Log.of(one, _model(one)) for one in files}
    for one, task, metric, result in rows:
        if chosen.get(task) == metric:
            value = log_files.number_of(log_files.part(result, "score_details", "score"))
            if value is None:
                raise TableError(f"{one.name}: the score of {short(task)} is not a number")
            logs[id(one)].items.append(log_files.Item(task, "", value, place=one.name))
    metric = together(chosen.values())
    return cells_found(seen, list(logs.values()), metric=metric, greater_is_better=is_better)


def _metric_of(result: Any) -> str:
    about = log_files.part(result, "metric_config")
    return (
        log_files.word(log_files.part(about, "metric_name"))
        or log_files.word(log_files.part(about, "metric_id"))
        or SCORE
    )


def _model(seen: Seen) -> str:
    name = log_files.word(log_files.part(seen.document, "model_info", "id")) or log_files.word(
        log_files.part(seen.document, "model_info", "name")
    )
    if not name:
        raise TableError(f"{seen.name} has no model in its model_info")
    return name


FORMATS = (
    Format(
        name="every-eval-ever",
        title="Every Eval Ever, instances or aggregates",
        description="Scores of instances (.jsonl) or of evaluations (.json). Each model is a classifier.",
        example=EXAMPLE,
        recognises=(
            Sign("keys", ("schema_version", "evaluation_results")),
            Sign("lines", ("schema_version", "evaluation_id")),
        ),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
