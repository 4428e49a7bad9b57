"""Results of MTEB: a file for each task, in the folder of a model."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from evalstats._findings import note
from evalstats.io.formats import log_files
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_questions import cells_found, chosen_metrics, direction, together
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError

META = "model_meta.json"
MAIN = "main_score"
SPLIT = "test"  # taken if a task has several splits
# greater values of the main score of each task are better
BETTER = {MAIN: True}

EXAMPLE = """
results/acme__alpha/no_revision/Banking77Classification.json:
{"mteb_version": "2.26.24", "task_name": "Banking77Classification", "scores": {"test": [
  {"accuracy": 0.71, "f1": 0.70, "main_score": 0.71, "hf_subset": "default", "languages": ["eng-Latn"]}]}}
""".lstrip()


def _is_log(seen: Seen) -> bool:
    return log_files.is_document(seen, "task_name", "mteb_version") and isinstance(
        log_files.part(seen.document, "scores"), Mapping
    )


def _read(seen: Seen, asked: Asked) -> Found:
    files = [(one, list(_records(one))) for one in log_files.logs_in(seen, _is_log)]
    metrics: dict[str, dict[str, None]] = {}
    for one, records in files:
        own = {name: None for record in records for name, value in record.items() if _is_score(value)}
        if not own:
            raise TableError(f"{one.name} holds no score")
        metrics[_task(one)] = {MAIN: None} if asked.metric is None and MAIN in own else own
    chosen = chosen_metrics(seen, asked, metrics)
    better = direction(seen, asked, {name: BETTER.get(name, direction_of_metric(name)) for name in chosen.values()})
    logs = []
    for one, records in files:
        values = [log_files.number_of(record.get(chosen.get(_task(one), ""))) for record in records]
        mean = float(np.mean([math.nan if value is None else value for value in values]))
        logs.append(
            log_files.Log(
                _model(one), one.name, one.path or one.name, [log_files.Item(_task(one), "", mean, place=one.name)]
            )
        )
    found = []
    if several := sum(len(records) > 1 for _, records in files):
        found.append(
            note("mean-of-subsets", f"The score of each of {several:,} files is the mean over its subsets, as in MTEB.")
        )
    if left := sorted({split for one, _ in files for split in _splits(one)[1:]}):
        found.append(
            note("other-splits", f"One split of each file is read; these splits are not used: {', '.join(left)}.")
        )
    return cells_found(seen, logs, metric=together(chosen.values()), greater_is_better=better, findings=found)


def _task(seen: Seen) -> str:
    return log_files.word(log_files.part(seen.document, "task_name")) or seen.name


def _splits(seen: Seen) -> list[str]:
    """Return the names of the splits. The first split is read."""
    names = [name for name in log_files.part(seen.document, "scores") if log_files.parts(seen.document, "scores", name)]
    return sorted(names, key=lambda name: name != SPLIT)


def _records(seen: Seen) -> Iterator[Mapping[str, Any]]:
    """Yield the scores of each subset of the split that is read."""
    for split in _splits(seen)[:1]:
        yield from (record for record in log_files.parts(seen.document, "scores", split) if isinstance(record, Mapping))


def _is_score(value: Any) -> bool:
    number = None if isinstance(value, bool) else log_files.number_of(value)
    return number is not None and not math.isnan(number)


def _model(seen: Seen) -> str:
    """Return the name of the model from the file next to the results, or from their folder."""
    meta = next((one.document for one in log_files.siblings(seen, lambda name: name == META)), None)
    return log_files.word(log_files.part(meta, "name")) or log_files.folder_of(seen).replace("__", "/") or seen.name


FORMATS = (
    Format(
        name="mteb",
        title="MTEB, results of tasks",
        description="The main score of each task, or a chosen metric. Each task is a dataset, and each model is a classifier.",
        example=EXAMPLE,
        recognises=(Sign("keys", ("task_name", "mteb_version", "scores")),),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
