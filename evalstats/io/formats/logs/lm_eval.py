"""Output of lm-evaluation-harness (lm_eval): results of tasks, and samples of their documents.

Samples are read if they exist. Then the results in the same directory provide the model and the directions of the
metrics.
"""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from evalstats._errors import listed
from evalstats._findings import Finding, note, warning
from evalstats.io.formats import log_files
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.formats.log_questions import cells_found, chosen_metrics, direction, items_found, together
from evalstats.io.options import Asked
from evalstats.io.sources.source import JSON_LINES, Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

_SAMPLES = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT[^_/]+)\.jsonl", re.DOTALL)
# fields of a line that are not metrics
FIELDS = frozenset(
    (
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash", "input", "prompt", " cluster"),
    )
)
CLUSTER = " cluster"  # key that cannot be a field of a line
LARGE = frozenset(("doc", "arguments", "resps", "filtered_resps", "target"))
# fields of the results of a task that are not scores
OF_TASK = frozenset(("alias", "name", "sample_len", "sample_count", "samples"))
UNSCORED = "bypass"  # metric of --predict_only, which is no score

EXAMPLE = """
acme__alpha/samples_sums_2026-11-22T09-51-18.036561.jsonl:
{"doc_id": 0, "doc": {"question": "1+1?"}, "target": "2", "resps": [["2"]], "filter": "strict-match", "metrics": ["exact_match"], "doc_hash": "14cc", "exact_match": 1.0}
{"doc_id": 1, "doc": {"question": "2+2?"}, "target": "4", "resps": [["5"]], "filter": "strict-match", "metrics": ["exact_match"], "doc_hash": "c9fb", "exact_match": 0.0}
""".lstrip()


class _Samples(NamedTuple):
    """The samples of one task in one file, before a metric is chosen."""

    seen: Seen
    task: str
    model: str
    better: Mapping[str, Any]  # directions of the metrics in the results
    lines: list[tuple[int, Mapping[str, Any]]]


def _is_results(seen: Seen) -> bool:
    if not log_files.is_document(seen, "results") or log_files.part(seen.document, "config_general") is not None:
        return False
    results, about = log_files.part(seen.document, "results"), ("higher_is_better", "configs", "versions", "config")
    if not isinstance(results, Mapping) or not all(isinstance(values, Mapping) for values in results.values()):
        return False
    return any(isinstance(log_files.part(seen.document, key), Mapping) for key in about)


def _is_samples(seen: Seen) -> bool:
    first = seen.start.partition("\n")[0]
    return seen.kind == JSON_LINES and '"doc_id"' in first and ('"resps"' in first or '"doc"' in first)


def _is_log(seen: Seen) -> bool:
    return _is_samples(seen) or _is_results(seen)


def _read(seen: Seen, asked: Asked) -> Found:
    files = log_files.logs_in(seen, _is_log)
    samples = [one for one in files if _is_samples(one)]
    results = [one for one in files if not _is_samples(one)]
    if samples:
        found = [_samples(one, asked.columns.get("cluster")) for one in samples]
        _refuse_results_alone(seen, {one.model for one in found}, results)
        return _of_samples(seen, asked, found)
    if asked.columns.get("cluster") is not None:
        raise TableError(
            f"{seen.name} holds results of tasks, but cluster is for samples: run the harness with --log_samples"
        )
    return _of_results(seen, asked, results)


# --- samples ----------------------------------------------------------------------------------------------------------


def _refuse_results_alone(seen: Seen, models: Collection[str], results: Sequence[Seen]) -> None:
    """Reject models that have results but no samples, because only the samples of the other models are read."""
    if without := sorted({_model(one) for one in results} - set(models)):
        raise TableError(
            f"{seen.name} holds results without samples of {listed(without)}, and samples of {listed(sorted(models))}; "
            "to compare the questions, run the harness with --log_samples; to compare the tasks, give only the "
            "results_*.json files"
        )


def _of_samples(seen: Seen, asked: Asked, tasks: Sequence[_Samples]) -> Found:
    metrics: dict[str, dict[str, None]] = {}
    for one in tasks:
        of_file = dict.fromkeys(key for _, line in one.lines for key in _metrics(line))
        if not of_file:
            continue
        metrics.setdefault(one.task, {}).update(of_file)
    found = []
    if without := sorted({one.task for one in tasks} - metrics.keys()):
        if all(UNSCORED in line for one in tasks for _, line in one.lines):
            raise _unscored(seen)
        words = "no metric of {} belongs to individual documents, so their samples are left out."
        found.append(note("corpus-metrics", words.format(listed(without)).capitalize()))
        if not metrics:
            raise TableError(
                f"{seen.name}: {words.format(listed(without)).partition(',')[0]}; read the results instead"
            )
    chosen = chosen_metrics(seen, asked, metrics)
    better = {chosen[one.task]: _direction(chosen[one.task], one.better) for one in tasks if one.task in chosen}
    is_better = direction(seen, asked, better)
    found += _left_out(metrics, chosen)
    logs = [_log(one, chosen[one.task]) for one in tasks if one.task in chosen]
    return items_found(seen, asked, logs, metric=together(chosen.values()), greater_is_better=is_better, findings=found)


def _samples(seen: Seen, cluster: str | None) -> _Samples:
    name = _SAMPLES.fullmatch(os.path.basename(seen.path or seen.file or ""))
    if name is None:
        problem = f"{seen.name} must keep its name from the harness, samples_<task>_<time>.jsonl, because the task"
        raise TableError(f"{problem} and the model are otherwise unknown")
    task, time = name[1], name[2]
    results = [
        one.document
        for one in log_files.siblings(seen, lambda file: file.endswith(f"_{time}.json"))
        if _is_results(one)
    ]
    model = next((log_files.word(log_files.part(one, "model_name")) for one in results), "") or log_files.folder_of(
        seen
    )
    if not model:
        raise TableError(f"{seen.name}: the folder of the file names the model; pass the path of the file")
    lines: list[tuple[int, Mapping[str, Any]]] = []
    for number, line in seen.records():
        if not isinstance(line, Mapping) or not log_files.word(line.get("doc_id")):
            raise TableError(f"{seen.name}, line {number} is not a sample: it has no doc_id")
        # without the document and the answers, which are large
        kept = {key: value for key, value in line.items() if key not in LARGE}
        if cluster is not None:
            kept[CLUSTER] = log_files.word(log_files.part(line, "doc", cluster))
            if not kept[CLUSTER]:
                raise TableError(
                    f"{seen.name}, line {number}: the document has no name or number called {short(cluster)}"
                )
        lines.append((number, kept))
    if not any("filter" in line for _, line in lines):
        _refuse_unfiltered(seen, lines)
    better = log_files.part(results[0], "higher_is_better", task) if results else None
    return _Samples(seen, task, model, better if isinstance(better, Mapping) else {}, lines)


def _refuse_unfiltered(seen: Seen, lines: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Reject a file of an old version with several lines for a document and no filter name."""
    first: dict[str, int] = {}
    for number, line in lines:
        document = log_files.word(line["doc_id"])
        if (before := first.setdefault(document, number)) != number:
            raise TableError(
                f"{seen.name}, lines {before} and {number} belong to one document, {document}, and no field filter "
                "tells "
                "them apart, as before lm_eval 0.4.6: run the harness again"
            )


def _metrics(line: Mapping[str, Any]) -> Iterable[str]:
    """Yield the metrics of one document, with the name of the filter. Skip metrics that are lists."""
    named = [log_files.word(name) for name in log_files.parts(line, "metrics")]
    through = log_files.word(line.get("filter"))
    for name in named or [key for key in line if key not in FIELDS]:
        if name in line and name != UNSCORED and log_files.number_of(line[name]) is not None:
            yield f"{name},{through}" if through else name


def _log(one: _Samples, metric: str) -> log_files.Log:
    log = log_files.Log.of(one.seen, one.model)
    name, _, through = metric.partition(",")
    for number, line in one.lines:
        if log_files.word(line.get("filter")) != through:
            continue
        place = f"{one.seen.name}, line {number}"
        value = log_files.number_of(line.get(name))
        if value is None:
            raise TableError(
                f"{place}: {short(line.get(name))} is not a number, but {short(metric)} is a number elsewhere"
            )
        check = log_files.word(line.get("doc_hash")) + log_files.word(line.get("target_hash"))
        item = log_files.word(line["doc_id"])
        log.items.append(
            log_files.Item(
                one.task, item, value, "", check, log_files.word(line.get("prompt_hash")), place, line.get(CLUSTER, "")
            )
        )
    return log


# --- results ----------------------------------------------------------------------------------------------------------


def _of_results(seen: Seen, asked: Asked, files: Sequence[Seen]) -> Found:
    leaves: dict[str, dict[str, None]] = {}
    better: dict[tuple[str, str], Mapping[str, Any]] = {}
    groups: set[str] = set()
    scores: list[tuple[Seen, str, Mapping[str, Any]]] = []
    for one in files:
        results = log_files.part(one.document, "results")
        own_groups = {task for task in results if _is_group(one.document, task, set())}
        groups |= own_groups
        for task, values in results.items():
            if task in own_groups or not isinstance(values, Mapping):
                continue
            keys = [key for key in values if key not in OF_TASK and "_stderr" not in key]
            if keys and all(key.partition(",")[0] == UNSCORED for key in keys):
                raise _unscored(one)
            keys = [key for key in keys if log_files.number_of(values[key]) is not None]
            leaves.setdefault(task, {}).update(dict.fromkeys(keys))
            of_task = log_files.part(one.document, "higher_is_better", task)
            better |= {(task, key): of_task if isinstance(of_task, Mapping) else {} for key in keys}
            scores.append((one, task, values))
    known = {task: keys for task, keys in leaves.items() if keys}
    chosen = chosen_metrics(seen, asked, known)
    of_metrics = {metric: _direction(metric, better[task, metric]) for task, metric in chosen.items()}
    is_better = direction(seen, asked, of_metrics)
    found = _left_out(known, chosen)
    if groups:
        words = f"The groups {listed(sorted(groups))} are left out: the tasks in them are compared."
        found.append(note("groups", words))
    logs = {id(one): log_files.Log.of(one, _model(one)) for one in files}
    for one, task, values in scores:
        if task in chosen:
            value = log_files.number_of(values.get(chosen[task]))
            place = f"{one.name}, task {short(task)}"
            logs[id(one)].items.append(log_files.Item(task, "", math.nan if value is None else value, place=place))
    metric = together(chosen.values())
    return cells_found(seen, list(logs.values()), metric=metric, greater_is_better=is_better, findings=found)


def _is_group(document: Any, task: str, above: set[str]) -> bool:
    """Return whether a task name is a group with at least one listed task; `above` prevents cycles."""
    below = [log_files.word(name) for name in log_files.parts(document, "group_subtasks", task)]
    return any(
        name in log_files.part(document, "results") or (name not in above and _is_group(document, name, {*above, task}))
        for name in below
    )


def _model(one: Seen) -> str:
    document = one.document
    named = log_files.word(log_files.part(document, "model_name")) or _of_arguments(
        log_files.word(log_files.part(document, "config", "model_args"))
    )
    name = named or log_files.word(log_files.part(document, "config", "model")) or log_files.folder_of(one)
    if not name:
        raise TableError(f"{one.name} has no model_name")
    return name


def _of_arguments(arguments: str) -> str:
    """Return the model name in arguments such as ``pretrained=acme/alpha,dtype=float16``, or ''."""
    found = re.search(r"(?:^|,)(?:pretrained|model)=([^,]+)", arguments)
    return found[1] if found else ""


def _unscored(seen: Seen) -> TableError:
    return TableError(f"{seen.name} holds answers without scores: run the harness again without --predict_only")


# --- metrics ----------------------------------------------------------------------------------------------------------


def _direction(metric: str, told: Mapping[str, Any]) -> bool | None:
    name = metric.partition(",")[0]
    better = told.get(name)
    return better if isinstance(better, bool) else direction_of_metric(name)


def _left_out(known: Mapping[str, Collection[str]], chosen: Mapping[str, str]) -> list[Finding]:
    found = []
    different = sorted(set(chosen.values()))
    if len(different) > 1:
        words = (
            "Each task has its own metric: " + ", ".join(f"{task} {metric}" for task, metric in chosen.items()) + "."
        )
        found.append(
            note("metrics", words if len(chosen) <= 10 else f"The tasks have the metrics {listed(different)}.")
        )
    else:
        found.append(note("metric", f"The metric of the scores is {different[0]}."))
    if without := [task for task in known if task not in chosen]:
        found.append(warning("tasks-left-out", f"The tasks {listed(without)} have no such metric and are left out."))
    return found


FORMATS = (
    Format(
        name="lm-eval",
        title="lm-evaluation-harness (lm_eval), samples or results",
        description="Samples of documents (--log_samples), or results of tasks. Each model is a classifier, and each task is a dataset.",
        example=EXAMPLE,
        recognises=(
            Sign("keys", ("results",)),
            Sign("lines", ("doc_id",)),
        ),
        confirms=_is_log,
        each_file=True,
        read=_read,
        takes=("cluster",),
    ),
)
