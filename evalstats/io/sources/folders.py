"""Choice of the table in a folder without a known format, and instructions to export tracked runs."""

from __future__ import annotations

__all__ = ["how_to_export", "links_out_of", "listed_files", "tables_in", "tables_of_folder"]

import contextlib
import os
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from evalstats._errors import listed
from evalstats._files import is_inside
from evalstats.tables.errors import TableError, visible

# suffixes that are almost always tables, and suffixes that may be tables if there are no others
_TABLES = (".csv", ".tsv", ".xlsx", ".parquet", ".pq", ".arrow", ".feather", ".jsonl", ".ndjson")
_TEXTS = (".json", ".txt", ".md", ".tex", ".html")
_PACKED = (".gz", ".bz2", ".xz")
_MOST_FILES = 1_000


def tables_of_folder(path: str) -> list[str]:
    """Return the paths of the tables in a folder; if there are none, search its direct subfolders.

    Raises
    ------
    TableError
        If there is no table, or only text files, any of which may be the table.
    """
    name = visible(os.path.basename(os.path.abspath(path)))
    files, folders = _entries(path)
    found = _ending(files, _TABLES) or [file for folder in folders for file in _ending(_entries(folder)[0], _TABLES)]
    if len(found) > _MOST_FILES:
        raise TableError(f"{name} is a directory with {len(found):,} tables, too many to be read together")
    if found:
        return found
    texts = _ending(files, _TEXTS)
    if len(texts) == 1:
        return texts
    problem = f"{name} is a directory without a table, such as a file that ends in {', '.join(_TABLES[:4])}"
    if links := links_out_of(path):
        problem = f"{name} is a directory of links that lead out of it and are not followed: {listed_files(links)}"
    if texts:
        problem = (
            f"{name} is a directory with several text files, each of which may contain the table: {listed_files(texts)}"
        )
    raise TableError(f"{problem}; give one of them")


def links_out_of(path: str) -> list[str]:
    """Return symbolic links to tables outside the folder, which are not read."""
    with contextlib.suppress(OSError):
        links = [one.path for one in os.scandir(path) if one.is_symlink() and one.name[0] not in "._~"]
        return sorted(link for link in _ending(links, _TABLES) if os.path.isfile(link) and not is_inside(link, path))
    return []


def tables_in(path: str) -> str | list[str] | None:
    """Return the only table of a folder, or a list of its tables; return None if there is none."""
    try:
        found = tables_of_folder(path)
    except TableError:  # the reader of the folder reports it
        return None
    return found[0] if len(found) == 1 else found


def listed_files(paths: Iterable[str]) -> str:
    """Return the first names of files as a list for a message."""
    return listed([visible(os.path.basename(path)) for path in paths])


def _entries(path: str) -> tuple[list[str], list[str]]:
    """Return the files and the subfolders of a folder in sorted order, without hidden entries."""
    try:
        entries = sorted((one for one in os.scandir(path) if one.name[0] not in "._~"), key=lambda one: one.name)
        folders = [one.path for one in entries if one.is_dir(follow_symlinks=False)]
        return [one.path for one in entries if is_inside(one.path, path)], folders
    except OSError as error:
        raise TableError(f"{visible(path)} cannot be read: {error.strerror}") from None


def _ending(files: Iterable[str], suffixes: tuple[str, ...]) -> list[str]:
    return [file for file in files if _suffix(file) in suffixes]


def _suffix(path: str) -> str:
    stem, suffix = os.path.splitext(path.casefold())
    return os.path.splitext(stem)[1] if suffix in _PACKED else suffix


# --- directories of trackers ------------------------------------------------------------------------------------------


_MOST_ENTRIES = 1_000  # number of names in a directory that are checked
_OF_MLFLOW = (
    "of MLflow: give the table that mlflow.search_runs(search_all_experiments=True).to_csv('runs.csv', index=False) "
    "writes, or the table of 'mlflow experiments csv'"
)
_OF_WANDB = "of Weights & Biases: send {} with 'wandb sync', and give the table of runs that its page exports"
_LAST_SCORES = "give a table with the last score of each run, with the columns dataset, classifier, repeat and score"


class _Tracked(NamedTuple):
    """Files that a tracking program writes to a directory, and the recommended action.

    The pattern `names` must match a name in the directory. If `within` is not empty, it must match a name below it.
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
    _Tracked(r"events\.out\.tfevents\..*", "", f"of TensorBoard, with training histories: {_LAST_SCORES}"),
)


def how_to_export(path: str) -> str:
    """Return how to export the runs of the tracking program that wrote a directory; '' if it is unknown."""
    try:
        entries = list(islice(Path(path).iterdir(), _MOST_ENTRIES))
        runs = [one for one in entries if one.name != "latest-run"]
        for program in _PROGRAMS:
            named = _called(runs, program.names)
            if named and (not program.within or any(_called(_inside(one), program.within) for one in named[:3])):
                return program.words
    except OSError:  # an unreadable directory is treated as an empty directory
        return ""
    return ""


def _called(entries: Iterable[Path], pattern: str) -> Sequence[Path]:
    return [one for one in entries if re.fullmatch(pattern, one.name)]


def _inside(entry: Path) -> Iterable[Path]:
    return islice(entry.iterdir(), _MOST_ENTRIES) if entry.is_dir() else ()
