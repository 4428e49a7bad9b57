"""Columns of dataset, classifier, repeat and score in a table of tracked runs."""

from __future__ import annotations

__all__ = ["TAKES", "runs_found"]

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalstats._errors import examples, listed
from evalstats._findings import Finding, note
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS, SEED_COLUMNS, is_called, simplified
from evalstats.io.columns.kinds import BESIDE, role_of
from evalstats.io.formats.format import Found, Rows, chosen_metric, scores_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

TAKES = ("dataset", "classifier", "repeat", "fold", "score")
KNOWN = {
    "dataset": DATASET_COLUMNS,
    "classifier": (*CLASSIFIER_COLUMNS, "algo", "model_type"),
    "repeat": ("repeat", "repetition", "seed", "random_state", "random_seed", "run_seed"),
    "fold": ("fold", "cv_fold", "fold_id", "split"),
}


def runs_found(
    seen: Seen,
    asked: Asked,
    rows: Rows,
    *,
    parameters: str,
    metrics: Sequence[str],
    run_name: str,
    findings: Sequence[Finding] = (),
) -> Found:
    """Return the scores of runs, one run in each row.

    Parameters
    ----------
    seen, asked
        Source and options of the caller, as in `Format.read`.
    rows : Rows
        Runs to compare.
    parameters : str
        Prefix of the columns of parameters.
    metrics : sequence of str
        Columns of measured numbers.
    run_name : str
        Column of run names, which are the classifiers if no parameter names them.
    findings : sequence of Finding
        Omitted runs.
    """
    at = {name: _optional(seen, asked, rows, name, parameters) for name in ("dataset", "classifier", "repeat", "fold")}
    if at["classifier"] is None and run_name in rows:
        at["classifier"] = run_name
    is_of_one = at["dataset"] is None and not (at["repeat"] is None and at["fold"] is None)
    for name in ("classifier",) if is_of_one else ("dataset", "classifier"):
        if at[name] is None:
            raise _unknown(seen, rows, name, parameters)
    rows = _without_runs_in_names(rows, at, run_name)
    score = _score(seen, asked, rows, [name for name in metrics if name not in at.values()])
    metric = score.partition(".")[2] if score in metrics and "." in score else score
    columns: dict[str, Any] = {name: rows.texts(column) for name, column in at.items() if column is not None}
    if at["repeat"] and not at["fold"] and is_called(at["repeat"].removeprefix(parameters), SEED_COLUMNS):
        columns["seed"] = columns.pop("repeat")  # runs on one split
    if is_of_one:
        columns["dataset"] = ["dataset"] * len(rows.numbers)
    columns["score"] = rows[score]
    words = ", ".join(f"{name} {short(column)}" for name, column in at.items() if column is not None)
    told = note("columns-chosen", f"Columns: {words}, score {short(score)}.")
    return scores_found(
        seen,
        columns,
        metric=metric,
        greater_is_better=direction_of_metric(metric),
        numbers=rows.numbers,
        findings=[told, *findings],
    )


def _score(seen: Seen, asked: Asked, rows: Rows, metrics: Sequence[str]) -> str:
    if given := asked.columns.get("score"):
        return _given(seen, rows, "score", given)
    by_name = {name.partition(".")[2] or name: name for name in metrics} | {name: name for name in metrics}
    if asked.metric is not None and asked.metric in by_name:
        return by_name[asked.metric]
    filled = [name for name in metrics if any(cell not in ("", None) for cell in rows[name])]
    names = [name.partition(".")[2] or name for name in filled]
    known = [name for name in names if direction_of_metric(name) is not None and role_of(name) not in BESIDE]
    return by_name[chosen_metric(seen, asked, known or names)]


def _given(seen: Seen, rows: Rows, argument: str, given: str) -> str:
    if given not in rows:
        raise TableError(f"{argument} must name a column of {seen.name} ({listed(rows.columns)}), not {short(given)}")
    return given


def _optional(seen: Seen, asked: Asked, rows: Rows, name: str, parameters: str) -> str | None:
    if given := asked.columns.get(name):
        return _given(seen, rows, name, given)
    of_parameters = [column for column in rows.columns if column.startswith(parameters)]
    found = [column for column in of_parameters if simplified(column.removeprefix(parameters)) in KNOWN[name]]
    if len(found) > 1:
        problem = f"{seen.name}: any of the columns {listed(found)} may contain the {name}"
        raise TableError(problem, "choose one with {}", name, found[0])
    return found[0] if found else None


def _without_runs_in_names(rows: Rows, at: Mapping[str, str | None], run_name: str) -> Rows:
    """Remove the seed or fold from run names, if every run is named after its classifier and its seed or fold."""
    counter = at["repeat"] or at["fold"]
    if at["classifier"] != run_name or counter is None:
        return rows
    names = [
        re.fullmatch(rf"(.+?)[\W_]+(?:{re.escape(counter)})?[\W_]*0*{re.escape(number)}", name, re.IGNORECASE)
        for name, number in zip(rows.texts(run_name), rows.texts(counter), strict=True)
    ]
    if None in names:
        return rows
    return replace(rows, columns={**rows.columns, run_name: [found[1] for found in names if found]})


def _unknown(seen: Seen, rows: Rows, name: str, parameters: str) -> TableError:
    columns = [column for column in rows.columns if column.startswith(parameters)]
    names = [column for column in columns if len(set(rows.texts(column))) < len(rows.numbers)] or columns
    problem = f"{seen.name}: no parameter is known to name the {name}s ({examples([short(one) for one in columns])})"
    return TableError(problem, "choose a column, for example with {}", name, names[0] if names else "")
