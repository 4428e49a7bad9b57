"""Choice of sources whose rows an engine holds; the check imports no optional package."""

from __future__ import annotations

__all__ = ["FEWEST_ROWS", "held_source"]

import os
from typing import TYPE_CHECKING, Any

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.opening import grid_of_cells

if TYPE_CHECKING:
    from evalstats.io.sources.grid import Grid

# packages of data frames: the first keep their rows in memory, the second elsewhere
EAGER = ("pandas", "polars", "pyarrow", "modin", "cudf")
LAZY = ("dask", "dask_expr", "duckdb", "_duckdb", "ibis", "pyspark", "daft", "sqlframe")
# frames in memory with fewer rows, and smaller files, are read cell by cell, so that every message names its row
FEWEST_ROWS = 20_000
FEWEST_BYTES = {".parquet": 100_000, ".pq": 100_000, ".jsonl": 1_000_000, ".ndjson": 1_000_000}
FEWEST_BYTES_OF_TEXT = 1_000_000
MAGIC = "*?["
TO_INSTALL = 'pip install "classifier-evalstats[frames]"'


def held_source(source: Any, delimiter: str | None, encoding: str, sheet: str | None) -> Grid | None:
    """Return the grid of a source that an engine holds, or None if it must be read cell by cell."""
    if (files := _large_files(source)) is not None:
        if sheet is not None:
            return None
        from evalstats.io.engines.files import grid_of_files

        return grid_of_files(files, delimiter, encoding)
    package = type(source).__module__.partition(".")[0]
    if package == "xarray":
        return frame_grid(source)
    from evalstats.io.engines.held import held_grid
    from evalstats.tables.errors import asked

    with asked("the table"):  # computing the columns may fail, and the connection may be closed
        if not (_is_lazy(source, package) or _is_large_frame(source, package)):
            return None
        from evalstats.io.engines.frames import frame_engine

        engine = frame_engine(source)
    if engine is not None:
        return held_grid(engine, "the table")
    if _is_lazy(source, package):
        kind = f"{package}.{type(source).__name__}"
        raise InvalidTypeError(f"source is a {kind}, which is read through narwhals: {TO_INSTALL}")
    return None


def _large_files(source: Any) -> str | list[str] | None:
    """Return the path or paths of a large source, or None for any other source."""
    if isinstance(source, str | os.PathLike):
        return os.fsdecode(source) if _is_large(os.fspath(source)) else None
    are_paths = isinstance(source, list | tuple) and all(isinstance(item, str | os.PathLike) for item in source)
    return [os.fsdecode(item) for item in source] if are_paths and any(map(_is_large, source)) else None


def _is_lazy(source: Any, package: str) -> bool:
    if package == "polars":
        return hasattr(source, "collect") and hasattr(source, "collect_schema") and not hasattr(source, "shape")
    return (package in LAZY and hasattr(source, "columns")) or hasattr(source, "__narwhals_lazyframe__")


def _is_large_frame(source: Any, package: str) -> bool:
    shape: Any = getattr(source, "shape", ()) if package in EAGER or hasattr(source, "__narwhals_dataframe__") else ()
    return hasattr(source, "columns") and len(shape) == 2 and shape[0] >= FEWEST_ROWS


def _is_large(path: Any) -> bool:
    """Return whether a path is a large file, a directory or a glob pattern."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return isinstance(path, str) and any(character in path for character in MAGIC) and "\n" not in path
    if os.path.isdir(path):
        return True
    suffix = os.path.splitext(os.fsdecode(path))[1].casefold()
    return found.st_size >= FEWEST_BYTES.get(suffix, FEWEST_BYTES_OF_TEXT)


AS_IT_IS = (None, "utf-8", None, None, None)


def frame_grid(labeled: Any) -> Grid:
    """Return the grid of an xarray Dataset or DataArray.

    An array of two dimensions has a row for each label of the first dimension. Without labels, it is a plain array. Any
    other array, and any Dataset, has a row for each combination of labels, and a column for each dimension and
    variable.
    """
    if not labeled.dims:
        raise InvalidValueError("source must have at least one dimension, but it is a single value")
    if not hasattr(labeled, "data_vars"):
        if labeled.ndim == 2:
            has_labels = any(name in labeled.coords for name in labeled.dims)
            return grid_of_cells(labeled.to_pandas() if has_labels else labeled.to_numpy(), AS_IT_IS)
        labeled = labeled.to_dataset(name=labeled.name or "score")
    return grid_of_cells(labeled.to_dataframe().reset_index(), AS_IT_IS)
