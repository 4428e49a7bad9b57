"""Scores of HELM for each instance of its runs, for each run, or in the tables of its leaderboards."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from evalstats._errors import listed
from evalstats._findings import note
from evalstats.io.columns.summaries import is_summary
from evalstats.io.formats.format import Format, Found, Sign, chosen_metric, scores_found
from evalstats.io.formats.log_files import Item, Log, is_document, logs_in, number_of, part, parts, siblings, word
from evalstats.io.formats.log_questions import cells_found, chosen_metrics, direction, items_found, together
from evalstats.io.options import Asked
from evalstats.io.sources.source import JSON, Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

SPEC, TEST = "run_spec.json", "test"
RUN = "run"  # the only answer of a run whose scores are means
USUAL = ("exact_match", "quasi_exact_match")
OF_RUN = re.compile(r'\s*\[\s*\{\s*"name":\s*\{\s*"name":')  # the beginning of stats.json
# what HELM counts beside the metrics: tokens, times and costs
COUNTED = re.compile(r"(?:num|inference|finish_reason|training|estimated)_|batch_size$|prompt_truncated$")
# directions of metrics whose names do not show them
BETTER = {
    "bits_per_byte": False,
    "logprob": True,
    "logprob_per_byte": True,
    "edit_similarity": True,
    "math_equiv": True,
}

EXAMPLE = """
runs/v1/mmlu-subject=anatomy,model=openai_gpt2/per_instance_stats.json:
[{"instance_id": "id7", "train_trial_index": 0, "stats": [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": 1.0}]},
 {"instance_id": "id8", "train_trial_index": 0, "stats": [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": 0.0}]}]
""".lstrip()

EXAMPLE_OF_TABLE = """
{"title": "Accuracy",
 "header": [{"value": "Model", "markdown": false}, {"value": "MMLU - EM", "markdown": false, "lower_is_better": false}],
 "rows": [[{"value": "alpha", "markdown": false}, {"value": 0.65, "markdown": false}],
          [{"value": "beta", "markdown": false}, {"value": 0.61, "markdown": false}]]}
""".lstrip()


class _Run(NamedTuple):
    seen: Seen
    model: str
    task: str
    records: list[Mapping[str, Any]]  # without those of perturbed instances
    n_perturbed: int


def _is_log(seen: Seen) -> bool:
    return seen.kind == JSON and '"train_trial_index"' in seen.start and '"instance_id"' in seen.start


def _is_summary(seen: Seen) -> bool:
    return seen.kind == JSON and OF_RUN.match(seen.start) is not None


def _read(seen: Seen, asked: Asked) -> Found:
    files = logs_in(seen, lambda one: _is_log(one) or _is_summary(one))
    logs = list(filter(_is_log, files))
    of_instances = {_folder(one) for one in logs} == {_folder(one) for one in files}
    runs = [_run(one) for one in (logs if of_instances else filter(_is_summary, files))]
    metrics: dict[str, dict[str, None]] = {}
    for run in runs:
        metrics.setdefault(run.task, {}).update(dict.fromkeys(_names(run)))
    if asked.metric is None:
        metrics = {task: _main(known) for task, known in metrics.items()}
    chosen = chosen_metrics(seen, asked, metrics, USUAL)
    known_direction = {name: BETTER.get(name, direction_of_metric(name)) for name in chosen.values()}
    better = direction(seen, asked, known_direction)
    found = [note("metric", f"The metric of the scores is {', '.join(sorted(set(chosen.values())))}.")]
    if n_perturbed := sum(run.n_perturbed for run in runs):
        found.append(note("perturbed", f"The scores of {n_perturbed:,} perturbed instances are left out."))
    answers = [_log(run, chosen[run.task]) for run in runs if run.task in chosen]
    metric = together(chosen.values())
    if of_instances:
        return items_found(seen, asked, answers, metric=metric, greater_is_better=better, findings=found)
    return cells_found(seen, answers, metric=metric, greater_is_better=better, findings=found)


def _folder(one: Seen) -> str:
    return os.path.dirname(one.path or "")


def _main(metrics: dict[str, None]) -> dict[str, None]:
    return dict.fromkeys(name for name in metrics if not COUNTED.match(name)) or metrics


def _run(seen: Seen) -> _Run:
    spec = next((one.document for one in siblings(seen, lambda name: name == SPEC)), None)
    model, name = word(part(spec, "adapter_spec", "model")), word(part(spec, "name"))
    if not model or not name:
        raise TableError(
            f"{seen.name} must be in the same directory as its {SPEC}, which names the run and the model; pass its path"
        )
    records = parts(seen.document)
    if bad := [record for record in records if not isinstance(record, Mapping)]:
        raise TableError(f"{seen.name}: {short(bad[0])} is not a record of an instance")
    if not _is_log(seen):
        tested = [record for record in records if part(record, "name", "split") == TEST]
        return _Run(seen, model, _task_of(name), [{"instance_id": RUN, "stats": tested or records}], 0)
    plain = [record for record in records if not record.get("perturbation")]
    return _Run(seen, model, _task_of(name), plain, len(records) - len(plain))


def _task_of(run: str) -> str:
    """Return the name of a run without the arguments that name the model."""
    scenario, _, arguments = run.partition(":")
    if not arguments:  # the run has no arguments except the model
        scenario, _, arguments = run.partition(":")
    rest = [one for one in arguments.split(",") if one and not one.startswith(("model=", "model_deployment="))]
    return f"{scenario}:{','.join(rest)}" if rest else scenario


def _stats(record: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    for stat in parts(record, "stats"):
        name = part(stat, "name")
        if word(part(name, "name")) and not part(name, "perturbation"):
            parts_of_name = word(part(name, "name")), word(part(name, "sub_split"))
            yield "/".join(filter(None, parts_of_name)), number_of(part(stat, "mean"))


def _names(run: _Run) -> Iterator[str]:
    for record in run.records:
        yield from (name for name, value in _stats(record) if value is not None and not math.isnan(value))


def _log(run: _Run, metric: str) -> Log:
    log = Log.of(run.seen, run.model)
    # HELM writes a record of an instance for each of its classes of metrics
    answers: dict[tuple[str, str], tuple[str, list[float]]] = {}
    for i, record in enumerate(run.records, 1):
        item, place = word(record.get("instance_id")), f"{run.task}, record {i}"
        values = [value for name, value in _stats(record) if name == metric]
        if not item or None in values:
            raise TableError(f"{place} of {run.seen.name} has no instance_id, or its {short(metric)} is not a number")
        trial = word(record.get("train_trial_index")) or "0"
        answers.setdefault((item, trial), (place, []))[1].extend(value for value in values if value is not None)
    for (item, trial), (place, own) in answers.items():
        log.items += [Item(run.task, item, value, trial, place=place) for value in own or [math.nan]]
    return log


def _is_table(seen: Seen) -> bool:
    if not is_document(seen, "title", "header"):
        return False
    tables = parts(seen.document) or [seen.document]
    return all(parts(table, "header") and word(part(table, "title")) for table in tables)


def _read_table(seen: Seen, asked: Asked) -> Found:
    tables = {word(part(table, "title")): table for table in parts(seen.document) or [seen.document]}
    title = chosen_metric(seen, asked, list(tables))
    header, *rows = parts(tables[title], "header"), *parts(tables[title], "rows")
    # HELM states no direction of counts, and the mean win rate is computed from the other columns
    kept = [j for j, cell in enumerate(header) if part(cell, "lower_is_better") is not None]
    named = {j: word(part(header[j], "value")) for j in kept}
    left = [word(part(cell, "value")) for j, cell in enumerate(header) if j and (j not in kept or is_summary(named[j]))]
    named = {j: name for j, name in named.items() if not is_summary(name)}
    if not named or not rows:
        raise TableError(f"{seen.name}: the table {short(title)} holds counts or summaries, but no scores of datasets")
    better = direction(seen, asked, {name: not part(header[j], "lower_is_better") for j, name in named.items()})
    found = [note("not-used", f"Not used, because they are counts or summaries: {listed(left)}.")] if left else []
    metrics = {word(part(header[j], "metadata", "metric")) for j in named} - {""}
    metric = metrics.pop() if len(metrics) == 1 else title
    cells = [(name, row, j) for row in rows for j, name in named.items()]
    columns = {
        "dataset": [name for name, _, _ in cells],
        "classifier": [word(part(row[0], "value")) for _, row, _ in cells],
        "score": [part(row[j], "value") for _, row, j in cells],
    }
    return scores_found(seen, columns, metric=metric, greater_is_better=better, findings=found)


FORMATS = (
    Format(
        name="helm",
        title="HELM, run directories",
        description="A metric for the instances without perturbations, or for the runs. Each model is a classifier, and the rest of the name of the run is the dataset.",
        example=EXAMPLE,
        recognises=(Sign("keys", ("train_trial_index", "instance_id")), Sign("keys", ("sum_squared", "split"))),
        confirms=lambda seen: _is_log(seen) or _is_summary(seen),
        each_file=True,
        read=_read,
    ),
    Format(
        name="helm-tables",
        title="HELM, tables of a leaderboard in JSON",
        description="Scores of models in a table of the folder groups. The columns are datasets with their metrics.",
        example=EXAMPLE_OF_TABLE,
        recognises=(Sign("keys", ("title", "header", "markdown")),),
        confirms=_is_table,
        read=_read_table,
    ),
)
