"""Cells of an Arrow table, an Arrow (Feather) file or a Parquet file."""

from __future__ import annotations

__all__ = ["grid_of_arrow", "grid_of_arrow_file", "grid_of_parquet"]

import os
from typing import Any

from evalstats import _checks
from evalstats._errors import EvalstatsError
from evalstats.io.sources.grid import Grid, grid_of_columns
from evalstats.tables.errors import TableError, first_line_of, short

# a Parquet file may have so many cells, or so many times the bytes of the file
_ALWAYS_ALLOWED = 10_000_000
_MOST_CELLS_OF_A_BYTE = 50


def grid_of_arrow(table: Any, name: str) -> Grid:
    """Return the cells of an Arrow table; the index of pandas becomes the first column."""
    try:
        return _grid_of_arrow(table, name)
    except (EvalstatsError, MemoryError):
        raise
    except Exception as error:  # a damaged column, text that is not UTF-8, a date beyond the year 9999
        raise TableError(f"{name} cannot be read as an Arrow table: {short(first_line_of(error))}") from None


def grid_of_parquet(file: Any, name: str) -> Grid:
    """Return the cells of a Parquet file."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise TableError(f'{name} is a Parquet file; to read it: pip install "classifier-evalstats[parquet]"') from None
    try:
        opened = pyarrow.parquet.ParquetFile(file)
        n_cells = opened.metadata.num_rows * opened.metadata.num_columns
        n_bytes = file.seek(0, os.SEEK_END)
        _check_size(name, n_cells, n_bytes)
        table = opened.read()
    except (EvalstatsError, MemoryError):
        raise
    except Exception as error:  # whatever the parts of a damaged file raise
        raise TableError(f"{name} cannot be read as a Parquet file: {short(first_line_of(error))}") from None
    return grid_of_arrow(table, name)


def grid_of_arrow_file(file: Any, name: str) -> Grid:
    """Return the cells of an Arrow file, including Feather version 2."""
    try:
        import pyarrow.ipc
    except ImportError:
        raise TableError(f'{name} is an Arrow file; to read it: pip install "classifier-evalstats[parquet]"') from None
    try:
        n_bytes = file.seek(0, os.SEEK_END)
        file.seek(0)
        batches, n_cells = [], 0
        opened = pyarrow.ipc.open_file(file)
        for i in range(opened.num_record_batches):
            batches.append(opened.get_batch(i))
            n_cells += batches[-1].num_rows * batches[-1].num_columns
            _check_size(name, n_cells, n_bytes)
        table = pyarrow.Table.from_batches(batches, opened.schema)
        table.validate(full=True)  # offsets of a damaged file may point outside its memory
    except (EvalstatsError, MemoryError):
        raise
    except Exception as error:  # whatever the parts of a damaged file raise
        raise TableError(f"{name} cannot be read as an Arrow file: {short(first_line_of(error))}") from None
    return grid_of_arrow(table, name)


def _check_size(name: str, n_cells: int, n_bytes: int) -> None:
    if n_cells > max(_ALWAYS_ALLOWED, _MOST_CELLS_OF_A_BYTE * n_bytes):
        raise TableError(
            f"{name} has {n_cells:,} cells in {n_bytes:,} bytes, more than {_MOST_CELLS_OF_A_BYTE} in each byte, so it "
            "is not read"
        )


def _grid_of_arrow(table: Any, name: str) -> Grid:
    written = _index_columns(table)
    # pandas writes its index as the last columns
    at = sorted(range(len(table.column_names)), key=lambda j: table.column_names[j] not in written)
    columns = [table.column(j).to_pylist() for j in at]
    noise = [_checks.noise_of_type(table.schema.field(j).type) for j in at]
    header = [table.column_names[j] for j in at]
    names = ["" if column.startswith("__index_level_") else column for column in header]
    return grid_of_columns(name, names, columns, noise)


def _index_columns(table: Any) -> list[Any]:
    """Return the index columns in the pandas metadata; return an empty list if they cannot be read."""
    try:
        index = (table.schema.pandas_metadata or {}).get("index_columns", [])
    except Exception:  # the note is text that anybody may write
        return []
    return [name for name in index if isinstance(name, str)] if isinstance(index, list) else []
