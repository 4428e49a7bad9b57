"""Which files of a directory, or of a list of paths, are the logs of one program?"""

from __future__ import annotations

__all__ = ["first_logs", "folder_of", "is_document", "label_of", "logs_in", "recognising", "siblings"]

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from evalstats._errors import listed
from evalstats._files import is_inside
from evalstats.io.sources.source import DIRECTORY, DOCUMENT, FILES, JSON, Seen
from evalstats.tables.errors import TableError

SUFFIXES = (".eval", ".jsonl", ".json", ".parquet")
MOST_FIRST = 20  # files of a directory that are looked at before it is left to others


def first_logs(seen: Seen) -> Iterator[Seen]:
    """Yield what shows the format of a directory or a list of paths: itself, and its first files."""
    yield seen
    if seen.kind == FILES:
        for name in seen.members[:1]:
            yield from first_logs(seen.member(name))
    elif seen.kind == DIRECTORY:
        yield from map(seen.member, _candidates(seen)[:MOST_FIRST])


def recognising(is_log: Callable[[Seen], bool]) -> Callable[[Seen], bool]:
    """Return the function that recognises one log, a directory of logs, or a list of their paths."""
    return lambda seen: any(map(is_log, first_logs(seen)))


def logs_in(seen: Seen, recognises: Callable[[Seen], bool]) -> list[Seen]:
    """Return the logs of one program: every path of a list must be one, or a directory that holds some.

    Raises
    ------
    TableError
        If there is none, or a path of the list is none.
    """
    found = _logs(seen, recognises)
    if not found:
        raise TableError(f"{seen.name} holds no file of this format")
    return found


def _logs(seen: Seen, recognises: Callable[[Seen], bool]) -> list[Seen]:
    if seen.kind == FILES:
        found = []
        for name in seen.members:
            one = seen.member(name)
            own = _logs(one, recognises)
            if not own:
                raise TableError(
                    f"{one.name} is of another format than {seen.member(seen.members[0]).name}, or of none"
                )
            found += own
        return found
    if seen.kind == DIRECTORY:
        return [one for one in map(seen.member, _candidates(seen)) if recognises(one)]
    return [seen] if recognises(seen) else []


def siblings(one: Seen, accept: Callable[[str], bool]) -> list[Seen]:
    """Return the other files in the folder of a log whose names are accepted, in order."""
    if one.path is None:
        return []
    folder = os.path.dirname(os.path.abspath(one.path))
    with contextlib.suppress(OSError):
        paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if accept(name)]
        return [one.another(path) for path in paths if is_inside(path, folder)]
    return []


def label_of(paths: Sequence[str]) -> dict[str, str]:
    """Return a short name for each of several paths: the last part, with as many folders as tell them apart."""
    split = {path: os.path.splitext(os.path.normpath(path))[0].split(os.sep) for path in paths}
    longest = max(map(len, split.values()), default=0)
    for n in range(1, longest + 1):
        labels = {path: "/".join(parts[-n:]) for path, parts in split.items()}
        if len(set(labels.values())) == len(labels):
            return labels
    raise TableError(f"one log is given several times: {listed(sorted(paths))}")


def is_document(seen: Seen, *keys: str) -> bool:
    """Tell whether a source may be a JSON object with these keys, written or already read; it is not read yet."""
    if seen.kind == DOCUMENT:
        return isinstance(seen.source, Mapping)
    return seen.kind == JSON and all(f'"{key}"' in seen.start for key in keys)


def folder_of(one: Seen, levels: int = 1) -> str:
    """Return the name of the folder of a log, empty where it has no path."""
    if one.path is None:
        return ""
    folder = os.path.abspath(one.path)
    for _ in range(levels):
        folder = os.path.dirname(folder)
    return os.path.basename(folder)


def _candidates(seen: Seen) -> list[str]:
    return [name for name in seen.members if name.lower().endswith(SUFFIXES)]
