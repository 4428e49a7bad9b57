"""Results of the BigCode evaluation harness: the scores of the tasks of one run."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
from collections.abc import Mapping
from typing import Any

from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_files import Item, Log, is_document, logs_in, number_of, part, word
from evalstats.io.formats.log_questions import cells_found, chosen_metrics, direction, together
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError

CONFIG = "config"
USUAL = ("pass@1",)

EXAMPLE = """
evaluation_results.json:
{"humaneval": {"pass@1": 0.34, "pass@10": 0.51}, "config": {"model": "acme/alpha", "n_samples": 20, "tasks": "humaneval"}}
""".lstrip()


def _is_log(seen: Seen) -> bool:
    if not is_document(seen, CONFIG, "n_samples", "model") or part(seen.document, CONFIG, "n_samples") is None:
        return False
    return all(isinstance(own, Mapping) for own in seen.document.values())


def _read(seen: Seen, asked: Asked) -> Found:
    files = [(one, _scores(one)) for one in logs_in(seen, _is_log)]
    metrics: dict[str, dict[str, None]] = {}
    for one, scores in files:
        if not scores:
            raise TableError(f"{one.name} holds no score of a task")
        for task, own in scores.items():
            metrics.setdefault(task, {}).update(dict.fromkeys(own))
    chosen = chosen_metrics(seen, asked, metrics, USUAL)
    better = direction(seen, asked, {name: direction_of_metric(name) for name in chosen.values()})
    logs = []
    for one, scores in files:
        log = Log.of(one, _model(part(one.document, CONFIG)) or one.name)
        log.items += [
            Item(task, "", own.get(chosen[task], math.nan), place=one.name)
            for task, own in scores.items()
            if task in chosen
        ]
        logs.append(log)
    return cells_found(seen, logs, metric=together(chosen.values()), greater_is_better=better)


def _scores(seen: Seen) -> dict[str, dict[str, float]]:
    """Return the scores of each task by their metrics."""
    tasks = {task: own for task, own in seen.document.items() if task != CONFIG}
    numbers = {task: {name: number_of(value) for name, value in own.items()} for task, own in tasks.items()}
    found = {
        task: {name: value for name, value in own.items() if value is not None and not math.isnan(value)}
        for task, own in numbers.items()
    }
    return {task: own for task, own in found.items() if own}


def _model(config: Any) -> str:
    """Return the name of the model, with the adapter that was loaded into it."""
    model, adapter = word(part(config, "model")), word(part(config, "peft_model"))
    return f"{model} + {adapter}" if adapter else model


FORMATS = (
    Format(
        name="bigcode",
        title="BigCode evaluation harness, results of tasks",
        description="Scores of tasks, pass@1 or a chosen metric. Each task is a dataset, and each model is a classifier.",
        example=EXAMPLE,
        recognises=(Sign("keys", ("config", "n_samples", "model")),),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
