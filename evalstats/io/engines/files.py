"""Choice between DuckDB and Arrow for large predictions in a file, a directory or a glob pattern."""

from __future__ import annotations

__all__ = ["grid_of_files"]

import contextlib
import copy
import csv
import glob
import os
from collections.abc import Sequence
from typing import Any

from evalstats import _files
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS, is_called
from evalstats._types import IntArray
from evalstats.io.columns.roles import looks_like_predictions
from evalstats.io.engines.duckdb import engine_in_memory, has_duckdb
from evalstats.io.engines.frames import FrameEngine
from evalstats.io.engines.held import CasePatterns, CasePlan, Engine, Ranking, RankingPlan, held_grid
from evalstats.io.engines.wide import wide_grid
from evalstats.io.sources.delimited import DELIMITERS
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.opening import grid_of_cells
from evalstats.tables.errors import TableError, short, visible
from evalstats.tables.names import texts_of

KINDS = {
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".csv", ".tsv", ".txt"), "csv"),
    **dict.fromkeys((".jsonl", ".ndjson"), "json"),
}
LONGEST_LINE = 100_000  # maximum length of the first line, in characters
MAX_FILES = 200_000
MOST_NAMED = 1_000  # files that are read one by one, if no column names the classifiers
TO_INSTALL = 'pip install "classifier-evalstats[duckdb]"'


def grid_of_files(path: str | list[str], delimiter: str | None, encoding: str) -> Grid | None:
    """Return the grid of large prediction files, or None if the files must be read cell by cell."""
    files = _files_of(path) if isinstance(path, str) else path
    kinds = {KINDS.get(os.path.splitext(file)[1].casefold()) for file in files}
    if not files or len(kinds) > 1 or None in kinds:
        return None
    kind = str(kinds.pop())
    is_one = isinstance(path, str) and not os.path.isdir(path) and files == [path]
    if (kind == "csv" and _codec(encoding) != "utf-8") or (kind == "json" and _begins_wide(files[0])):
        return None
    written = _header(files[0], delimiter) if kind == "csv" else None
    # with semicolons as delimiters, the comma may be the decimal mark
    if kind == "csv" and (
        written is None or written[0] == ";" or (is_one and not _are_of_predictions(written[1])) or _holds_nul(files[0])
    ):
        return None
    engine = _engine(files, kind, written)
    if engine is None:
        if not is_one and not has_duckdb():
            raise TableError(f"to read {short(path)}, which names {kind} files, {TO_INSTALL}")
        return None
    name = visible(os.path.basename(os.path.normpath(path))) if isinstance(path, str) else "the list of files"

    def plain() -> Grid:
        return grid_of_cells(path, (delimiter, encoding, None, None, None))

    word = "line" if kind == "csv" else "row"
    grid = held_grid(engine, name, file=name, word=word, plain=plain if is_one and kind != "json" else None)
    # the classifiers of a list of files may have the names of the files
    is_known = _names_both(grid) if isinstance(path, list) else looks_like_predictions(grid)
    is_known = is_known or (not is_one and _names_both(grid))
    # if no column names the classifiers of the files in a folder, the file names do
    is_known = is_known and (not isinstance(path, str) or not 1 < len(files) <= MOST_NAMED or _has_classifiers(grid))
    if is_known:
        return grid
    return wide_grid(engine, name, plain) if is_one and kind == "parquet" else None


def _has_classifiers(grid: Grid) -> bool:
    return any(is_called(name, CLASSIFIER_COLUMNS) for name in grid.header)


def _names_both(grid: Grid) -> bool:
    """Return whether column names include a dataset column and a classifier column."""
    return all(any(is_called(name, known) for name in grid.header) for known in (DATASET_COLUMNS, CLASSIFIER_COLUMNS))


def _codec(encoding: str) -> str:
    import codecs

    try:
        return codecs.lookup(encoding).name
    except (LookupError, TypeError, ValueError):
        return ""


def _files_of(path: str) -> list[str]:
    """Return the files that a path, directory or pattern names. Omit studies and names that begin with '_'."""
    if os.path.isdir(path):
        from evalstats.study.store import is_study

        if is_study(path):
            return []
        found = _files.files_below(path, MAX_FILES)
        return sorted(file for file in found if not os.path.basename(file).startswith("_"))
    if os.path.exists(path):
        return [path]
    return [file for file in _files.matching(path) if os.path.isfile(file)]


def _are_of_predictions(names: list[str]) -> bool:
    header = texts_of(names)
    return looks_like_predictions(
        Grid(name="", header=header, columns=[], word="line", numbers=(), must_name_datasets=True)
    )


def _engine(files: list[str], kind: str, written: tuple[str, list[str]] | None) -> Engine | None:
    """Return a DuckDB engine for files, or an Arrow engine without DuckDB. Return None if neither can read them.

    `written` is the delimiter of text, and the names in its first line.
    """
    separator, names = ("", []) if written is None else written
    engine = _duckdb_engine(files, kind, separator) if has_duckdb() else arrow_engine(files, kind, separator)
    if engine is None or (kind == "csv" and texts_of(engine.header) != texts_of(names)):
        return None
    return engine


def _duckdb_engine(files: list[str], kind: str, separator: str) -> Engine | None:
    import duckdb

    try:
        return engine_in_memory(lambda connection: _relation(connection, files, kind, separator))
    except duckdb.Error:  # reading the file cell by cell finds the place of the fault
        return None


def _relation(connection: Any, files: list[str], kind: str, separator: str) -> Any:
    # a file whose name holds a pattern's characters is given to DuckDB as one
    paths: Sequence[str] = [_literal(file) for file in files]
    is_partitioned = any("=" in part for file in files for part in os.path.dirname(file).split(os.sep))
    if kind == "parquet":
        return connection.read_parquet(paths, hive_partitioning=is_partitioned)
    if kind == "json":
        return connection.read_json(paths, format="newline_delimited", hive_partitioning=is_partitioned)
    choices: dict[str, Any] = {"header": True, "sep": separator, "quotechar": '"', "escapechar": '"'}
    return connection.read_csv(paths, **choices, all_varchar=True, hive_partitioning=is_partitioned)


def _begins_wide(file: str) -> bool:
    """Return whether the first line exceeds `LONGEST_LINE`: DuckDB is slow with thousands of columns."""
    with contextlib.suppress(OSError), open(file, "rb") as stream:
        return len(stream.readline(LONGEST_LINE)) >= LONGEST_LINE
    return False


def _literal(file: str) -> str:
    return glob.escape(file)


def _holds_nul(file: str) -> bool:
    """Return whether a file contains a NUL byte, which DuckDB would read as an ordinary character."""
    with open(file, "rb") as stream:
        return any(b"\0" in block for block in iter(lambda: stream.read(1 << 20), b""))


def _header(file: str, delimiter: str | None) -> tuple[str, list[str]] | None:
    """Return the delimiter and the column names of a text file, or None if the first line is not a header."""
    try:
        with open(file, encoding="utf-8-sig", newline="") as stream:
            line = stream.readline(LONGEST_LINE)
    except (OSError, UnicodeError):
        return None
    if not line.strip() or not line.endswith("\n") or "\0" in line:
        return None
    outside_quotes = "".join(line.split('"')[::2])
    separator = max(DELIMITERS, key=outside_quotes.count) if delimiter is None else delimiter
    if len(separator) != 1:
        return None
    try:
        return separator, next(csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True))
    except csv.Error:
        return None


# --- Arrow ------------------------------------------------------------------------------------------------------------


def arrow_engine(files: Sequence[str], kind: str, separator: str) -> Engine | None:
    """Return an Arrow engine for files of one kind, or None if pyarrow is missing or cannot read them."""
    try:
        from pyarrow import ArrowInvalid, csv, dataset
    except ImportError:
        return None
    choices: Any = kind
    if kind == "csv":
        choices = dataset.CsvFileFormat(parse_options=csv.ParseOptions(delimiter=separator))
    try:
        found = dataset.dataset(list(files), format=choices, partitioning="hive")
        if kind == "csv":
            choices = dataset.CsvFileFormat(
                parse_options=csv.ParseOptions(delimiter=separator),
                convert_options=csv.ConvertOptions(column_types=dict.fromkeys(found.schema.names, "string")),
            )
            found = dataset.dataset(list(files), format=choices, partitioning="hive")
        return _ArrowFiles(found)
    except (ArrowInvalid, OSError, ValueError):
        return None


class _ArrowFiles:
    """Engine for an Arrow dataset of files; each query reads only the columns that it needs."""

    def __init__(self, files: Any) -> None:
        self._files = files
        self._kept: Any = None  # the rows that are asked for, None: all
        self.header: list[str] = list(files.schema.names)
        self._empty = self._of([], rows=0)

    def _of(self, names: Sequence[str], *, rows: int | None = None) -> FrameEngine:
        import narwhals.stable.v2 as nw

        if rows == 0:
            return FrameEngine(nw.from_native(self._files.schema.empty_table()).lazy())
        return FrameEngine(
            nw.from_native(self._files.to_table(columns=list(dict.fromkeys(names)), filter=self._kept)).lazy()
        )

    def n_rows(self) -> int:
        """Return the number of rows."""
        return int(self._files.count_rows(filter=self._kept))

    def kind(self, name: str) -> str:
        """Return the kind of a column."""
        return self._empty.kind(name)

    def first_row(self) -> list[Any]:
        """Return the cells of the first row, or an empty list if there are no rows."""
        return [cell for row in self._files.head(1).to_pylist() for cell in row.values()]

    def only(self, name: str, values: Sequence[Any]) -> _ArrowFiles:
        """Return an engine with the rows that have one of `values` in a column, without that column."""
        from pyarrow import compute

        left = copy.copy(self)
        left._kept = compute.field(name).isin(list(values))
        left.header = [other for other in self.header if other != name]
        return left

    def counts(self, names: Sequence[str], limit: int) -> tuple[list[list[Any]], IntArray] | None:
        """Return distinct rows of columns and their counts, or None if there are more than `limit`."""
        return self._of(names).counts(names, limit)

    def case_patterns(self, plan: CasePlan) -> CasePatterns:
        """Count the instances with each pattern of tested and correct classifiers."""
        coded = [codes.column for codes in (plan.dataset, plan.classifier, *plan.constants) if codes is not None]
        names = [plan.case, plan.true, plan.predicted, *coded]
        return self._of(names).case_patterns(plan)

    def rankings(self, plan: RankingPlan) -> list[Ranking] | None:
        """Compute the counts that the metric needs for each ranking."""
        coded = [codes.column for codes in (*plan.keys, plan.positives)]
        return self._of([*coded, plan.score]).rankings(plan)

    def columns(self, names: Sequence[str]) -> list[Any]:
        """Return columns as arrays of numbers, or as codes with distinct cells."""
        return self._of(names).columns(names)
