"""Directories of tracking programs, and the way to export their runs as a table."""

from __future__ import annotations

__all__ = ["how_to_export"]

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

_MOST_ENTRIES = 1_000  # number of names in a directory that are checked
_OF_MLFLOW = (
    "of MLflow: give the table that mlflow.search_runs(search_all_experiments=True).to_csv('runs.csv', index=False) "
    "writes, or that of 'mlflow experiments csv'"
)
_OF_WANDB = "of Weights & Biases: send {} with 'wandb sync', and give the table of runs that their page exports"
_LAST_SCORES = "give a table with the last score of each run, with columns dataset, classifier, repeat and score"


class _Tracked(NamedTuple):
    """Files that a tracking program writes to a directory, and the recommended action.

    One of the patterns must match a name in the directory, and if needed other patterns match names below it.
    """

    names: str
    within: str
    words: str


_PROGRAMS = (
    _Tracked(
        r"(?:offline-)?run-\d{8}_\d{6}-\w+",
        "",
        f"{_OF_WANDB.format('them')}, or the frame of wandb.Api().runs() with summary, config and name",
    ),
    _Tracked(r"run-\w+\.wandb", "", _OF_WANDB.format("it")),
    _Tracked(r"\d+", r"meta\.yaml|[0-9a-f]{32}", _OF_MLFLOW),
    _Tracked(r"[0-9a-f]{32}", r"artifacts|metrics", _OF_MLFLOW),
    _Tracked(
        r"version_\d+",
        r"metrics\.csv|hparams\.yaml|events\.out\.tfevents\..*",
        f"of Lightning: {_LAST_SCORES}",
    ),
    _Tracked(r"events\.out\.tfevents\..*", "", f"of TensorBoard, the course of training: {_LAST_SCORES}"),
)


def how_to_export(path: str) -> str:
    """Return the tracking program of a directory and the input to give instead; empty if it is unknown."""
    try:
        entries = list(islice(Path(path).iterdir(), _MOST_ENTRIES))
        runs = [one for one in entries if one.name != "latest-run"]
        for program in _PROGRAMS:
            named = _called(runs, program.names)
            if named and (not program.within or any(_called(_inside(one), program.within) for one in named[:3])):
                return program.words
    except OSError:  # what cannot be looked into is a directory all the same
        return ""
    return ""


def _called(entries: Iterable[Path], pattern: str) -> Sequence[Path]:
    return [one for one in entries if re.fullmatch(pattern, one.name)]


def _inside(entry: Path) -> Iterable[Path]:
    return islice(entry.iterdir(), _MOST_ENTRIES) if entry.is_dir() else ()
