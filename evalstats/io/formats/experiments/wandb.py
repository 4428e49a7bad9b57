"""Runs tracked by Weights & Biases: the frame of its documentation, or the exported table."""

from __future__ import annotations

__all__ = ["FORMATS"]

import ast
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evalstats._findings import Finding, note
from evalstats.io.formats.format import Format, Found, Rows, Sign, rows_of
from evalstats.io.formats.tracked_runs import TAKES, runs_found
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import are_plain_numbers
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE = """
summary,config,name
"{'accuracy': 0.91, '_runtime': 3.2}","{'model': 'forest', 'dataset': 'adult', 'seed': 0}",forest-adult
"{'accuracy': 0.93, '_runtime': 5.1}","{'model': 'boost', 'dataset': 'adult', 'seed': 0}",boost-adult
""".lstrip()

FRAME = ("summary", "config", "name")
# of the table of runs on the page, which has the configuration and the metrics behind them
PAGE = ("Name", "Agent", "State", "Notes", "User", "Tags", "Created", "Runtime", "Sweep")
MAX_LITERAL = 1_000_000


def _is_chart(seen: Seen) -> bool:
    return any(" - " in name and name.endswith("__MIN") for name in seen.header)


def _read(seen: Seen, asked: Asked) -> Found:
    if _is_chart(seen):
        raise TableError(
            f"{seen.name} is the export of a chart of Weights & Biases, which contains the histories of individual "
            "runs: export the table of "
            "runs, or the frame of wandb.Api().runs() with summary, config and name"
        )
    if not set(FRAME) <= set(seen.header):
        return _of_page(seen, asked)
    rows = rows_of(seen, FRAME, "runs of Weights & Biases")
    columns: dict[str, list[Any]] = {"name": rows["name"]}
    columns |= {name: rows[name] for name in ("state",) if name in rows}
    for part in FRAME[:2]:
        columns |= _flat(rows, part)
    rows, findings = _finished(replace(rows, columns=columns), "state")
    metrics = [name for name in columns if name.startswith("summary.") and not name.startswith("summary._")]
    return runs_found(seen, asked, rows, parameters="config.", metrics=metrics, run_name="name", findings=findings)


def _of_page(seen: Seen, asked: Asked) -> Found:
    rows, findings = _finished(rows_of(seen, ("Name", "State"), "runs of Weights & Biases"), "State")
    numbers = [name for name in rows.columns if name not in PAGE and are_plain_numbers(rows[name])]
    # the name that runs have together, if it was given; each run has its own Name
    groups = set(rows.texts("Group")) if "Group" in rows else set()
    run_name = "Group" if "" not in groups and 1 < len(groups) < len(rows.numbers) else "Name"
    return runs_found(seen, asked, rows, parameters="", metrics=numbers, run_name=run_name, findings=findings)


def _finished(rows: Rows, column: str) -> tuple[Rows, list[Finding]]:
    """Drop the runs whose state is not 'finished', with a note."""
    if column not in rows:
        return rows, []
    n = len(rows.numbers)
    kept = rows.where(column, lambda cell: str(cell).casefold() == "finished")
    left = n - len(kept.numbers)
    return kept, [
        note("unfinished-runs", f"Left out, because they did not finish: {left} of {n} runs.")
    ] if left else []


def _flat(rows: Rows, part: str) -> dict[str, list[Any]]:
    """Convert a column of dicts to one column for each key. A missing key gives an empty cell."""
    dicts = [_dict(cell, rows, part, i) for i, cell in enumerate(rows[part])]
    names = dict.fromkeys(str(name) for own in dicts for name in own)
    texts = [{str(name): value for name, value in own.items()} for own in dicts]
    plain = [name for name in names if not any(isinstance(own.get(name), Mapping | list | tuple) for own in texts)]
    return {f"{part}.{name}": [own.get(name, "") for own in texts] for name in plain}


def _dict(cell: Any, rows: Rows, part: str, i: int) -> Mapping[Any, Any]:
    if isinstance(cell, str) and len(cell) <= MAX_LITERAL:
        for read in (json.loads, ast.literal_eval):
            try:
                cell = read(cell)
                break
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                continue
    if isinstance(cell, Mapping):
        return cell
    place = f"{rows.name}, {rows.word} {rows.numbers[i]}"
    raise TableError(
        f"{place}: {short(cell)} in the column {part!r} is not a dict in the form that Weights & Biases writes"
    )


FORMATS = (
    Format(
        name="wandb",
        title="Weights & Biases, a frame or CSV of runs",
        description="Finished runs. Use columns= to name columns that are not recognized, such as summary.x and config.x.",
        example=EXAMPLE,
        recognises=(
            Sign("columns", FRAME),
            Sign("columns", ("Name", "State", "Runtime")),
            Sign("columns", ("* - *__MIN", "* - *__MAX")),
        ),
        read=_read,
        takes=TAKES,
    ),
)
