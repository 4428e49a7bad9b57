"""Opening of files and listing of directories.

Pipes without a writer, devices and endless streams raise an error. Links that lead out of the listed directory are not
followed.
"""

from __future__ import annotations

__all__ = [
    "MOST_BYTES",
    "SpecialFileError",
    "TooLongError",
    "files_below",
    "is_inside",
    "matching",
    "opened",
    "piped",
    "whole",
]

import glob
import io
import os
import re
import stat
import time
from collections.abc import Iterable, Iterator
from typing import IO, Any

MOST_BYTES = 2_000_000_000  # limit for sources that can be read only once, and for a report
_ANY_FOLDERS = re.compile(r"(?:^|/)\*\*(?:/|$)")
_AT_ONCE = 1 << 20
# maximum time in seconds of a pipe without a writer: a program that starts at the same time opens it earlier
_PATIENCE = 5.0
_GIVEN = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/", "/dev/null")  # input of a shell, or empty input
# content of finished pipes of a shell, because a command inspects a file before it reads the file
_ENDED: dict[tuple[int, ...] | None, bytes] = {}


class SpecialFileError(OSError):
    """The path is not a regular file: a pipe without a writer, a device or a socket."""

    def __init__(self, reason: str) -> None:
        super().__init__(None, reason)


class TooLongError(SpecialFileError):
    """A file or a stream is larger than the limit."""

    def __init__(self, at_most: int) -> None:
        super().__init__(f"it is larger than the limit of {at_most:,} bytes")


def opened(path: Any) -> IO[bytes]:
    """Open a file for reading.

    Raises
    ------
    SpecialFileError
        If the path is a pipe without a writer, a device or a socket.
    OSError, ValueError
        Under the same conditions as `open`.
    """
    if (content := piped(path)) is not None:
        return io.BufferedReader(io.BytesIO(content))  # this object has the methods of a file, such as peek
    return open(path, "rb")


def piped(path: Any) -> bytes | None:
    """Return the content of a pipe, or None for a regular file; raise an error for a device or a socket."""
    mode = os.stat(path).st_mode
    if stat.S_ISFIFO(mode):
        return _content_of_pipe(path)
    is_given = os.fsdecode(path).startswith(_GIVEN)
    if stat.S_ISSOCK(mode) or (not is_given and (stat.S_ISBLK(mode) or stat.S_ISCHR(mode))):
        raise SpecialFileError(f"it is a {'socket' if stat.S_ISSOCK(mode) else 'device'}, and not a file")
    return None


def _content_of_pipe(path: Any) -> bytes:
    """Return the content of a pipe, and wait for a slow writer."""
    is_given = os.fsdecode(path).startswith(_GIVEN)
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open(handle, "rb", buffering=0) as stream:
        until = time.monotonic() + _PATIENCE
        while (first := stream.read(_AT_ONCE)) == b"" and not is_given:  # None: a writer has not written yet
            if time.monotonic() > until:
                raise SpecialFileError("it is a pipe without a writer")
            time.sleep(0.02)
        os.set_blocking(handle, True)
        of_shell = os.fstat(handle)[1:3] if is_given else None  # inode and device
        if first == b"":
            return _ENDED.get(of_shell, b"")
        content = (first or b"") + whole(stream)
        if of_shell is not None:
            _ENDED[of_shell] = content
        return bytes(content)


def whole(stream: Any, at_most: int = MOST_BYTES) -> Any:
    """Return the complete content of a text or binary stream; raise an error if the stream exceeds the limit."""
    found: list[Any] = []
    n = 0
    while part := stream.read(_AT_ONCE):
        found.append(part)
        n += len(part)
        if n > at_most:
            raise TooLongError(at_most)
    return part[:0].join(found)


def files_below(folder: str, most: int) -> Iterator[str]:
    """Yield the paths of at most `most` + 1 files in a directory and its subdirectories, in sorted order.

    Pipes, devices and names that begin with a dot are skipped. Links to directories and links to files outside of the
    directory are not followed.
    """
    n = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(name for name in files if not name.startswith(".")):
            path = os.path.join(place, name)
            if is_inside(path, folder):
                n += 1
                yield path
                if n > most:
                    return


def is_inside(path: str, folder: str) -> bool:
    """Return whether a path leads to a file inside a directory after its links are resolved."""
    if not os.path.isfile(path):
        return False
    if not os.path.islink(path):
        return True
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))


def matching(pattern: str) -> list[str]:
    """Return the sorted files that match a pattern with ``*`` or ``?``; ``**`` follows no links to directories."""
    if not glob.has_magic(pattern):
        return []
    try:
        found = set(_matches(pattern))
    except (OSError, ValueError):
        return []
    return sorted(path for path in found if os.path.isfile(path) or os.path.isdir(path))


def _matches(pattern: str) -> Iterable[str]:
    return _matching_below(pattern) if _ANY_FOLDERS.search(pattern) else glob.glob(pattern)


def _matching_below(pattern: str) -> Iterator[str]:
    before, behind = _ANY_FOLDERS.split(pattern, maxsplit=1)
    for start in glob.glob(f"{before}/") if before or pattern.startswith("/") else [""]:
        for folder, folders, _ in os.walk(start or os.curdir):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            place = folder if start else os.path.relpath(folder)
            yield from _matches(os.path.join(glob.escape("" if place == os.curdir else place), behind or "*"))
