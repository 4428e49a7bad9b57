"""Scores saved by evaluate.save of Hugging Face."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
from collections.abc import Mapping
from typing import Any

from evalstats._findings import note, warning
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_files import Item, Log, is_document, label_of, logs_in, number_of, part, word
from evalstats.io.formats.log_questions import cells_found, chosen_metrics, direction, together
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError

# keys that users add to the scores to identify them
MODELS = ("model", "model_name", "model_id", "model_name_or_path", "experiment", "run")
DATASETS = ("dataset", "dataset_name", "task", "task_name", "benchmark")
NO_SCORES = frozenset(
    (*MODELS, *DATASETS, "total_time_in_seconds", "samples_per_second", "latency_in_seconds", "seed", "step", "epoch")
)

EXAMPLE = """
{"model": "acme/alpha", "dataset": "imdb", "accuracy": 0.91, "_timestamp": "2026-11-22T09:00:00.000000",
 "_git_commit_hash": "1cf05ec", "_evaluate_version": "0.4.6", "_python_version": "3.11.7", "_interpreter_path": "..."}
""".lstrip()


def _is_log(seen: Seen) -> bool:
    return is_document(seen, "_timestamp") and part(seen.document, "_evaluate_version") is not None


def _read(seen: Seen, asked: Asked) -> Found:
    files = logs_in(seen, _is_log)
    metrics: dict[str, dict[str, None]] = {}
    for one in files:
        if not _scores(one):
            raise TableError(
                f"{one.name} holds no score; save the scores themselves, not a dict of them: evaluate.save(path, "
                "model=..., dataset=..., **results)"
            )
        metrics.setdefault(_named(one, DATASETS) or "dataset", {}).update(dict.fromkeys(_scores(one)))
    chosen = chosen_metrics(seen, asked, metrics)
    better = direction(seen, asked, {name: direction_of_metric(name) for name in chosen.values()})
    labels = label_of([one.path or one.name for one in files])
    logs = []
    for one in files:
        task, model = _named(one, DATASETS) or "dataset", _named(one, MODELS) or labels[one.path or one.name]
        value = _scores(one).get(chosen.get(task, ""), math.nan)
        logs.append(Log(model, one.name, one.path or one.name, [Item(task, "", value, place=one.name)]))
    found = []
    if any(not _named(one, MODELS) for one in files):
        found.append(note("named-by-file", "If a file names no model, the name of the file is used."))
    if any(not _named(one, DATASETS) for one in files):
        words = (
            "A file that names no dataset is read as a score on one unnamed dataset. If the files belong to several "
        )
        words += "datasets, name them: evaluate.save(path, model=..., dataset=..., **results)."
        found.append(warning("unnamed-dataset", words))
    metric = together(chosen.values())
    return cells_found(seen, logs, metric=metric, greater_is_better=better, findings=found)


def _named(seen: Seen, keys: tuple[str, ...]) -> str:
    return next((word(seen.document[key]) for key in keys if word(seen.document.get(key))), "")


def _scores(seen: Seen) -> dict[str, float]:
    """Return the scores by metric; for a bootstrap score with an interval, return only the score."""
    document = seen.document
    if not isinstance(document, Mapping):
        raise TableError(f"{seen.name} is not an object of scores")
    values: dict[str, Any] = {
        name: part(value, "score") if isinstance(value, Mapping) else value for name, value in document.items()
    }
    numbers = {name: number_of(value) for name, value in values.items() if not isinstance(value, bool)}
    return {
        name: number
        for name, number in numbers.items()
        if number is not None and not math.isnan(number) and name not in NO_SCORES and not name.startswith("_")
    }


FORMATS = (
    Format(
        name="hf-evaluate",
        title="Hugging Face evaluate, saved scores",
        description="One score in each file. The classifier is the model or the experiment in the file, or the name of the file.",
        example=EXAMPLE,
        recognises=(Sign("keys", ("_timestamp", "_evaluate_version")),),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
