"""Choice of the table in a folder that no known program made."""

from __future__ import annotations

__all__ = ["links_out_of", "listed_files", "tables_in", "tables_of_folder"]

import contextlib
import os
from collections.abc import Iterable

from evalstats._errors import listed
from evalstats._files import is_inside
from evalstats.tables.errors import TableError, visible

# suffixes that are almost always tables, and suffixes that may be tables if there are no others
_TABLES = (".csv", ".tsv", ".xlsx", ".parquet", ".pq", ".arrow", ".feather", ".jsonl", ".ndjson")
_TEXTS = (".json", ".txt", ".md", ".tex", ".html")
_PACKED = (".gz", ".bz2", ".xz")
_MOST_FILES = 1_000


def tables_of_folder(path: str) -> list[str]:
    """Return the paths of the tables in a folder, or else of those in the folders in it.

    Raises
    ------
    TableError
        If there is none, or if there are texts only, of which any may be meant.
    """
    name = visible(os.path.basename(os.path.abspath(path)))
    files, folders = _entries(path)
    found = _ending(files, _TABLES) or [file for folder in folders for file in _ending(_entries(folder)[0], _TABLES)]
    if len(found) > _MOST_FILES:
        raise TableError(f"{name} is a directory with {len(found):,} tables, more than are read together")
    if found:
        return found
    texts = _ending(files, _TEXTS)
    if len(texts) == 1:
        return texts
    problem = f"{name} is a directory without a table, as a file that ends in {', '.join(_TABLES[:4])} is"
    if links := links_out_of(path):
        problem = f"{name} is a directory of links that lead out of it and are not followed: {listed_files(links)}"
    if texts:
        problem = f"{name} is a directory of texts, and each of them may contain the table: {listed_files(texts)}"
    raise TableError(f"{problem}; give the file that is meant")


def links_out_of(path: str) -> list[str]:
    """Return the links in a folder that have names of tables and lead out of it: they are not read."""
    with contextlib.suppress(OSError):
        links = [one.path for one in os.scandir(path) if one.is_symlink() and one.name[0] not in "._~"]
        return sorted(link for link in _ending(links, _TABLES) if os.path.isfile(link) and not is_inside(link, path))
    return []


def tables_in(path: str) -> str | list[str] | None:
    """Return the only table of a folder, or a list of them; None if there is none, or no study."""
    try:
        found = tables_of_folder(path)
    except TableError:  # the reader of the folder reports it
        return None
    return found[0] if len(found) == 1 else found


def listed_files(paths: Iterable[str]) -> str:
    """Return the first names of files, as a message lists them."""
    return listed([visible(os.path.basename(path)) for path in paths])


def _entries(path: str) -> tuple[list[str], list[str]]:
    """Return the files and the folders in a folder, in order, without what is hidden."""
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
