"""A source before its format is known.

A source is opened once. Its first characters, or the names of its columns or files, identify the format. A format or
the reader of plain tables then reads the rest.
"""

from __future__ import annotations

__all__ = ["DIRECTORY", "FILES", "Seen", "look"]

import contextlib
import io
import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from evalstats import _errors, _files
from evalstats.io.sources.compressed import MAX_BYTES, unpacked
from evalstats.io.sources.delimited import header_of_line, text_lines
from evalstats.io.sources.grid import Grid, Reading, column_names
from evalstats.io.sources.opening import grid_of_cells, table_of_object, text_of_bytes
from evalstats.tables.errors import TableError, short, visible

if TYPE_CHECKING:
    from zipfile import ZipFile

START = 65_536  # number of bytes that identify a format
FACE = 8_192  # number of these bytes that show the format of text: a header, or the attributes of ARFF
MAX_FILES = 200_000  # maximum number of files in a directory
DAMAGES = ("BadZipFile", "error")  # names of errors of zipfile and zlib, which are not imported for this check
MAX_KEYS = 30  # maximum number of keys that are checked in a dict
PLAIN, TEXT, FRAME, JSON, JSON_LINES, ZIP, DIRECTORY, FILES, DOCUMENT, OBJECT = (
    *("plain", "text", "frame", "json", "json-lines", "zip", "directory", "files", "document", "object"),
)

# arguments: source, delimiter, encoding, sheet, rows and header_rows
Opener = Callable[[Any, str | None, str, str | None, str | None, int | None], Grid]


def _cells_of_one(source: Any, *reading: Any) -> Grid:
    return grid_of_cells(source, reading)


class Seen:
    """Opened source.

    Attributes
    ----------
    kind : str
        ``'text'``: lines of text, with `header`. ``'frame'``: a data frame, a dict of columns, Parquet or Excel, with
        `header`. ``'json'`` and ``'json-lines'``: JSON text. ``'zip'``, ``'directory'`` and ``'files'`` (a list of
        paths): files, with `members`. ``'document'``: dicts and lists as in JSON. ``'object'``: any other object.
        ``'plain'``: a source that can only be a plain table, or that cannot be opened.
    source : object
        The given object; a stream that can be read only once is held in memory.
    name : str
        Name of the source in messages.
    file : str or None
        Name of the file without its folder.
    path : str or None
        The whole path of a file or directory.
    start : str
        The first characters of text.
    """

    def __init__(
        self,
        source: Any,
        kind: str,
        name: str,
        *,
        file: str | None = None,
        path: str | None = None,
        start: str = "",
        at: int = 0,
        reading: Reading = (None, "utf-8", None, None, None),
        cells_of: Opener | None = None,
    ) -> None:
        self.source, self.kind, self.name = source, kind, name
        self.file, self.path, self.start = file, path, start
        self.at = at  # position of a stream
        self.reading = reading  # delimiter, encoding, sheet, rows, header_rows
        self._cells_of = cells_of or _cells_of_one

    @cached_property
    def grid(self) -> Grid:
        """Cells of the source as a plain table."""
        try:
            grid = self._cells_of(self.source, *self.reading)
        except TableError as error:
            problem = self._named(error.problem)
            raise TableError(problem, error.hint, error.argument, error.value, code=error.code) from None
        return replace(grid, name=self._named(grid.name))

    def _named(self, text: str) -> str:
        """Add the folder to a message that begins with a file name, if a folder was opened."""
        is_member = self.file is not None and self.name != self.file and text.startswith(self.file)
        return self.name + text.removeprefix(self.file or "") if is_member else text

    @cached_property
    def header(self) -> tuple[str, ...]:
        """Column names of text or a frame; empty for other kinds."""
        if self.kind == TEXT:
            line = next((line for line in self.start.splitlines() if line.strip()), "")
            return tuple(header_of_line(line, self.reading[0]))
        if self.kind == FRAME:
            names = column_names(self.source)
            return tuple(self.grid.header) if names is None else names
        return ()

    @cached_property
    def members(self) -> tuple[str, ...]:
        """Files of a directory, a zip or a list of paths, in order; '/' separates the parts of a path."""
        if self.kind == DIRECTORY:
            return tuple(_files_below(self.path or ""))
        if self.kind == ZIP:
            with self._opened() as file, _zip(file, self.name) as archive:
                return tuple(name for name in archive.namelist() if not name.endswith("/"))
        return tuple(map(os.fsdecode, self.source)) if self.kind == FILES else ()

    @cached_property
    def face(self) -> str:
        """Beginning of text, or the first keys of a document."""
        if self.kind == DOCUMENT:
            return "\n".join(_keys(self.source, 3))
        if self.kind == TEXT:  # headers and attributes; the rest of what was read are rows
            return self.start[: max(self.start.find("\n"), FACE)]
        return self.start

    def member(self, name: str) -> Seen:
        """Open one of the `members`."""
        if self.kind == ZIP:
            return self.another(_Held(self.member_bytes(name), f"{self.name}/{name}"))
        found = self.another(os.path.join(self.path, name) if self.path else name)
        found.name = visible(name) if self.path else found.name
        return found

    def another(self, source: Any) -> Seen:
        """Open another source with the same options, such as a member or a file of the same folder."""
        return look(source, *self.reading, cells_of=self._cells_of)

    def member_bytes(self, name: str) -> bytes:
        """Return the content of a zip member; raise an error if it exceeds the size limit."""
        with self._opened() as file:
            return unpacked(file, name, self.name)

    def lines(self, longest: int = 0) -> Iterator[tuple[int, str]]:
        """Yield the lines of text with their numbers; reject NUL and invalid bytes."""
        with self._opened() as file:
            if isinstance(file.read(0), str):
                yield from text_lines(file, self.name, self.reading[1], longest)
                return
            text = text_of_bytes(file, self.reading[1])
            try:
                yield from text_lines(text, self.name, self.reading[1], longest)
            finally:
                text.detach()

    @cached_property
    def document(self) -> Any:
        """Value of a JSON text, or the Python object that was passed."""
        if self.kind in (DOCUMENT, OBJECT, FRAME):
            return self.source
        # some programs write a document of many megabytes without a line break
        return _json("".join(line for _, line in self.lines(MAX_BYTES)), self.name)

    def records(self) -> Iterator[tuple[int, Any]]:
        """Yield the line number and the value of each nonblank line of JSON lines."""
        for number, line in self.lines():
            if line.strip():
                yield number, _json(line, f"{self.name}, line {number}")

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Any]:
        with _readable(self.name):
            if self.path is not None:
                with open(self.path, "rb") as file:
                    yield file
                return
            self.source.seek(self.at)
            yield self.source
            self.source.seek(self.at)


class _Held(io.BytesIO):
    """Stream that can be read only once, loaded into memory."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name


class _HeldText(io.StringIO):
    def __init__(self, content: str, name: str) -> None:
        super().__init__(content, newline="")
        self.name = name


def look(
    source: Any,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
    rows: str | None = None,
    header_rows: int | None = None,
    *,
    cells_of: Opener | None = None,
) -> Seen:
    """Open a source without reading it; only a source that cannot be read twice is loaded into memory.

    Nothing is rejected here. A source that cannot be opened has the kind 'plain', whose reader reports the reason.
    `cells_of` returns the cells of a source that is more than one table in memory or in a file.
    """
    reading = delimiter, encoding, sheet, rows, header_rows
    if isinstance(source, str | bytes | os.PathLike):
        return _look_at_path(source, reading, cells_of)
    if hasattr(source, "readline"):
        return _look_at_stream(source, reading, cells_of)
    try:
        source = table_of_object(source)
        kind = _kind_of_object(source)
    except Exception:  # a frame whose names cannot be asked for
        from evalstats.tables.errors import asked

        with asked("the table"):
            raise
    name = "the list of files" if kind == FILES else "the table"
    return Seen(source, kind, name, reading=reading, cells_of=cells_of)


def _kind_of_object(source: Any) -> str:
    if hasattr(source, "to_pydict") or (hasattr(source, "to_numpy") and hasattr(source, "columns")):
        return FRAME
    if isinstance(source, Mapping):
        of_columns = all(isinstance(key, str) and not isinstance(value, Mapping) for key, value in source.items())
        return FRAME if of_columns and isinstance(source, dict) else DOCUMENT
    if isinstance(source, list | tuple) and source:
        if all(isinstance(item, str | os.PathLike) for item in source):
            return FILES
        return DOCUMENT if all(isinstance(item, Mapping) for item in source) else PLAIN
    return PLAIN if hasattr(source, "__array__") or isinstance(source, list | tuple) else OBJECT


def _look_at_path(source: Any, reading: Reading, cells_of: Opener | None) -> Seen:
    path = os.fsdecode(source)
    name = visible(os.path.basename(os.path.normpath(path)))
    try:
        if (content := _files.piped(path)) is not None:
            return _look_at_stream(_Held(content, path), reading, cells_of)
        with open(path, "rb") as file:
            kind, start = _kind_of_bytes(file, path, reading[1])
    except IsADirectoryError:
        from evalstats.study.store import is_study

        kind = PLAIN if is_study(path) else DIRECTORY
        return Seen(source, kind, name, file=name, path=path, reading=reading, cells_of=cells_of)
    except _files.SpecialFileError as error:
        raise TableError(f"{short(name)} cannot be read: {error.strerror}") from None
    except (OSError, ValueError):
        found = _files.matching(path)
        return Seen(found or source, FILES if found else PLAIN, name, reading=reading, cells_of=cells_of)
    return Seen(source, kind, name, file=name, path=path, start=start, reading=reading, cells_of=cells_of)


def _look_at_stream(stream: Any, reading: Reading, cells_of: Opener | None) -> Seen:
    given = getattr(stream, "name", None)
    name = visible(os.path.basename(given)) if isinstance(given, str) and not given.startswith("<") else None
    shown = "standard input" if given == "<stdin>" else name or "the table"
    with _readable(shown):
        if not _can_go_back(stream):
            content, given = _files.whole(stream), given if isinstance(given, str) else ""
            stream = _HeldText(content, given) if isinstance(content, str) else _Held(content, given)
        at = stream.tell()
        if isinstance(stream.read(0), str):
            start = stream.read(START)
            kind = _kind_of_text(start, given)
        else:
            kind, start = _kind_of_bytes(stream, given, reading[1])
        stream.seek(at)
    return Seen(stream, kind, shown, file=name, start=start, at=at, reading=reading, cells_of=cells_of)


def _keys(value: Any, depth: int) -> Iterator[str]:
    """Yield the first keys of nested dicts and lists, down to a maximum depth."""
    if isinstance(value, Mapping):
        yield from map(str, itertools.islice(value, MAX_KEYS))
        inner: Any = value.values()
    else:
        inner = value if isinstance(value, list | tuple) else ()
    if depth > 1:
        for item in itertools.islice(inner, MAX_KEYS):
            yield from _keys(item, depth - 1)


def _can_go_back(stream: Any) -> bool:
    return bool(getattr(stream, "seekable", lambda: False)())


def _kind_of_bytes(file: Any, name: Any, encoding: str) -> tuple[str, str]:
    """Return the kind of an open file, and its first characters if it is text."""
    first = file.read(START)
    if first.startswith(b"PAR1"):
        return FRAME, ""
    if first.startswith(b"PK\x03\x04"):
        file.seek(0)
        return (ZIP if _is_called(name, ".eval") or not _is_excel(file) else FRAME), ""
    if first.startswith((b"\xd0\xcf\x11\xe0", b"\xff\xfe", b"\xfe\xff")) and encoding == "utf-8":
        return PLAIN, ""
    try:
        text = first.decode(encoding, "replace").removeprefix("\ufeff")
    except (LookupError, TypeError, ValueError):
        return PLAIN, ""
    return _kind_of_text(text, name), text


def _is_excel(file: Any) -> bool:
    """Return whether a zip is a workbook. A damaged zip counts as one; the workbook reader reports the damage."""
    import zipfile

    try:
        with zipfile.ZipFile(file) as archive:
            return any(name.startswith("xl/") for name in archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return True


def _kind_of_text(start: str, name: Any) -> str:
    begin = start.lstrip()
    if begin[:1] not in ("{", "["):
        return TEXT
    line, _, rest = begin.partition("\n")
    if begin[:1] == "[" and line[1:].lstrip()[:1] not in ("", "{", "[", '"', "]"):
        return TEXT
    named = _is_called(name, ".jsonl", ".ndjson")
    return JSON_LINES if named or (rest.lstrip()[:1] in ("{", "[") and _is_json(line)) else JSON


def _is_called(name: Any, *suffixes: str) -> bool:
    return isinstance(name, str) and name.lower().endswith(suffixes)


def _is_json(line: str) -> bool:
    import json

    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _json(text: str, name: str) -> Any:
    import json

    try:
        return json.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise TableError(f"{name}: the JSON is nested too deeply") from None
    except ValueError as error:
        raise TableError(f"{name} is not valid JSON: {_errors.short(str(error)).strip(chr(39))}") from None


def _files_below(path: str) -> Iterator[str]:
    for found, file in enumerate(_files.files_below(path, MAX_FILES), 1):
        if found > MAX_FILES:
            raise TableError(f"{short(path)} holds more than {MAX_FILES:,} files, too many to be read")
        yield os.path.relpath(file, path).replace(os.sep, "/")


@contextlib.contextmanager
def _zip(file: Any, name: str) -> Iterator[ZipFile]:
    import zipfile

    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise TableError(f"{name} cannot be read as a zip file: {_errors.short(str(error))}") from None
    with archive:
        yield archive


@contextlib.contextmanager
def _readable(name: str) -> Iterator[None]:
    try:
        yield
    except TableError:
        raise
    except _files.SpecialFileError as error:
        raise TableError(f"{name} cannot be read: {error.strerror}") from None
    except Exception as error:
        if not isinstance(error, OSError | EOFError | UnicodeError) and type(error).__name__ not in DAMAGES:
            raise
        words = getattr(error, "strerror", None) or str(error)
        raise TableError(f"{name} cannot be read: {_errors.short(words)}") from None
