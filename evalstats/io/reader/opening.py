"""Opening of any source: a table, several files, a directory, or a table that an engine holds."""

from __future__ import annotations

__all__ = ["grid_of", "open_source", "rereadable"]

import contextlib
import os
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalstats import _errors
from evalstats._errors import EvalstatsError, listed
from evalstats._findings import Finding
from evalstats.io.engines.opening import held_source
from evalstats.io.reader.several_files import grid_of_several
from evalstats.io.sources.delimited import ONE_COLUMN, grid_of_one_column
from evalstats.io.sources.folders import links_out_of, listed_files, tables_of_folder
from evalstats.io.sources.grid import Grid, Reading, grid_of_columns
from evalstats.io.sources.opening import grid_of_cells, grid_of_file
from evalstats.io.sources.source import Seen, look
from evalstats.tables.errors import TableError, first_line_of, visible


def open_source(
    source: Any,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
    rows: str | None = None,
    header_rows: int | None = None,
) -> Seen:
    """Open a source. Its cells are read later by `grid_of`."""
    return look(source, delimiter, encoding, sheet, rows, header_rows, cells_of=grid_of)


def rereadable(source: Any) -> Any:
    """Return a source that can be opened again. A stream or a pipe is loaded into memory."""
    return open_source(source).source if _is_pipe(source) or hasattr(source, "readline") else source


def _is_pipe(source: Any) -> bool:
    with contextlib.suppress(OSError, ValueError):  # reading it explains the fault
        return isinstance(source, str | os.PathLike) and Path(source).is_fifo()
    return False


def grid_of(
    source: Any,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
    rows: str | None = None,
    header_rows: int | None = None,
) -> Grid:
    """Return the cells of any source that `evalstats.read_table` takes."""
    reading = delimiter, encoding, sheet, rows, header_rows
    try:
        return _grid_of_any(source, reading)
    except EvalstatsError:
        raise
    except (OSError, EOFError, zlib.error) as error:  # errors of the file system, or of a truncated compressed stream
        raise TableError(f"the table cannot be read: {_errors.short(first_line_of(error))}") from None


def _grid_of_any(source: Any, reading: Reading) -> Grid:
    if isinstance(source, Grid):  # cells that a caller has read and changed
        return source
    delimiter, encoding, sheet, rows, header_rows = reading
    held = held_source(source, delimiter, encoding, sheet) if rows is None and header_rows is None else None
    if held is not None:
        return held
    if isinstance(source, str | bytes | os.PathLike) and os.path.isdir(source):
        return _grid_of_directory(os.fsdecode(source), reading)
    if isinstance(source, list | tuple) and source and all(isinstance(item, str | os.PathLike) for item in source):
        read = _grid_of_path if len(source) == 1 else _grid_of_one_of_several
        return grid_of_several([(os.fsdecode(item), read(item, reading)) for item in source])
    return _with_all_sheets(grid_of_cells(source, reading))


def _grid_of_path(path: str | os.PathLike[str], reading: Reading) -> Grid:
    if os.path.isdir(path):
        return _grid_of_directory(os.fspath(path), reading)
    return _with_all_sheets(grid_of_file(path, reading))


def _with_all_sheets(grid: Grid) -> Grid:
    """Join the tables of all sheets, if the caller requested all sheets."""
    if not grid.sheets:
        return grid
    return replace(grid_of_several(grid.sheets, "sheets"), name=grid.name, file=grid.file)


def _grid_of_one_of_several(path: str | os.PathLike[str], reading: Reading) -> Grid:
    """Read a file of a list or folder. The file may have one column, because the file name identifies the scores."""
    try:
        return _grid_of_path(path, reading)
    except TableError as error:
        if error.code != ONE_COLUMN:
            raise
        name = visible(os.path.basename(os.fspath(path)))
        with contextlib.suppress(TableError), open(path, encoding=reading[1]) as file:  # a compressed one is not text
            return replace(grid_of_one_column(file, name, reading[1]), file=name)
        raise


def _grid_of_directory(path: str, reading: Reading) -> Grid:
    from evalstats.study.store import is_study

    if not is_study(path):
        from evalstats.io.sources.folders import how_to_export

        if whose := how_to_export(path):
            raise TableError(f"{visible(path)} holds runs {whose}")
        return _grid_of_folder(path, reading)
    from evalstats.study.runner import read_study

    name = visible(os.path.basename(os.path.normpath(path)))
    columns = read_study(path).columns
    return replace(grid_of_columns(name, list(columns), list(columns.values())), file=name)


def _grid_of_folder(path: str, reading: Reading) -> Grid:
    """Return the only table of a folder, or join its tables if they have the same columns."""
    files = tables_of_folder(path)
    read = _grid_of_path if len(files) == 1 else _grid_of_one_of_several
    grids = [read(file, reading) for file in files]
    if len({frozenset(grid.header) for grid in grids}) > 1:
        several = f"{visible(os.path.basename(os.path.abspath(path)))} is a directory of {len(files)} tables"
        raise TableError(f"{several} with different columns: {listed_files(files)}; give one of them")
    grid = grid_of_several(list(zip(files, grids, strict=True)))
    names = listed([visible(os.path.relpath(file, path)) for file in files], 3)
    words = (
        f"The following file of the directory was read: {names}"
        if len(files) == 1
        else f"The following tables were read: {names}"
    )
    if links := links_out_of(path):
        words += f"; links that lead out of the directory were not: {listed_files(links)}"
    told = Finding(code="files-of-folder", severity="note", sentence=f"{words}.")
    return replace(grid, findings=(told, *grid.findings))
