"""Scores of OpenAI evals for each sample."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_files import Item, Log, digest, logs_in, number_of, part, parts, word
from evalstats.io.formats.log_questions import chosen_metrics, direction, items_found, together
from evalstats.io.options import Asked
from evalstats.io.sources.source import JSON_LINES, Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

CORRECT = "correct"  # field of events that compare an answer with the expected answer

EXAMPLE = """
{"spec": {"completion_fns": ["gpt-4"], "eval_name": "sums.dev.v0"}}
{"run_id": "26", "event_id": 1, "sample_id": "sums.dev.0", "type": "match", "data": {"correct": true, "expected": "2"}}
{"run_id": "26", "event_id": 2, "sample_id": "sums.dev.0", "type": "metrics", "data": {"f1_score": 0.5}}
{"final_report": {"accuracy": 1.0}}
""".lstrip()


class _Run(NamedTuple):
    seen: Seen
    model: str
    task: str
    samples: dict[str, None]
    events: list[tuple[int, str, str, float, str]]  # line, sample, metric, value, what was expected


def _is_log(seen: Seen) -> bool:
    return seen.kind == JSON_LINES and '"spec"' in seen.start and '"completion_fns"' in seen.start


def _read(seen: Seen, asked: Asked) -> Found:
    runs = [_run(one) for one in logs_in(seen, _is_log)]
    metrics: dict[str, dict[str, None]] = {}
    for run in runs:
        metrics.setdefault(run.task, {}).update(dict.fromkeys(event[2] for event in run.events))
    if asked.metric is None:  # the default is the field that all matching evals record
        metrics = {task: {CORRECT: None} if CORRECT in known else known for task, known in metrics.items()}
    chosen = chosen_metrics(seen, asked, metrics)
    better = direction(seen, asked, {name: direction_of_metric(name) for name in chosen.values()})
    logs = [_log(run, chosen[run.task]) for run in runs if run.task in chosen]
    name = together(chosen.values())
    return items_found(seen, asked, logs, metric=name, greater_is_better=better)


def _run(seen: Seen) -> _Run:
    spec: Any = None
    run = _Run(seen, "", "", {}, [])
    for number, line in seen.records():
        spec = part(line, "spec") if spec is None else spec
        sample, kind, data = word(part(line, "sample_id")), word(part(line, "type")), part(line, "data")
        if not sample:
            continue
        run.samples[sample] = None
        if not isinstance(data, Mapping) or kind not in ("match", "metrics"):
            continue
        for name, value in data.items() if kind == "metrics" else [(CORRECT, data.get(CORRECT))]:
            number_in = number_of(value)
            if number_in is not None:
                run.events.append((number, sample, name, number_in, digest(data.get("expected"))))
    model = " + ".join(map(word, parts(spec, "completion_fns")))
    task = word(part(spec, "eval_name"))
    if not model or not task:
        raise TableError(f"{seen.name} has no completion_fns and no eval_name in its spec")
    return run._replace(model=model, task=task)


def _log(run: _Run, metric: str) -> Log:
    log = Log.of(run.seen, run.model)
    answers: dict[str, int] = {}
    for number, sample, name, value, expected in run.events:
        if name == metric:
            answers[sample] = answers.get(sample, 0) + 1  # several events of a sample are several answers
            place = f"{run.seen.name}, line {number}"
            check = expected if name == CORRECT else ""
            log.items.append(Item(run.task, sample, value, str(answers[sample]), check, place=place))
    missing = [sample for sample in run.samples if sample not in answers]
    log.items += [Item(run.task, sample, math.nan, place=f"{run.seen.name}, {short(sample)}") for sample in missing]
    return log


FORMATS = (
    Format(
        name="openai-evals",
        title="OpenAI evals, events",
        description="Matches, or a metric, for each sample. Each completion function is a classifier, and each eval is a dataset.",
        example=EXAMPLE,
        recognises=(Sign("lines", ("spec", "completion_fns")),),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
