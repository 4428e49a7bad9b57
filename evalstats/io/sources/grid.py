"""Grid of the cells of a source, before they are interpreted by `evalstats.io.reader.tables`."""

from __future__ import annotations

__all__ = [
    "Around",
    "Fields",
    "Grid",
    "NumberColumn",
    "Reading",
    "Written",
    "column_names",
    "examples",
    "grid_of_columns",
    "listed",
    "only_columns",
    "only_rows",
]

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import examples, listed
from evalstats._findings import Finding
from evalstats._types import FloatArray
from evalstats.tables.categorical import CodedColumn
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of, texts_of

Reading = tuple[str | None, str, str | None, str | None, int | None]  # delimiter, encoding, sheet, rows, header_rows


class Around(NamedTuple):
    """Text near a table, with its kind and its place for messages."""

    kind: str  # 'title', 'caption', 'paragraph', 'note', or a name: 'label', 'sheet', 'file'
    text: str
    where: str


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Cells of a source before they are interpreted."""

    name: str  # name of the source in messages
    header: list[str]
    columns: Sequence[Any]
    word: str  # 'line' or 'row'
    numbers: Sequence[int]  # line or row numbers in the source
    must_name_datasets: bool  # a file has a column of names; a frame or an array may have none
    file: str | None = None
    across: str = ""  # common name of the columns of a frame
    noise: Sequence[float] = ()  # relative rounding error of each column, if its cells no longer have the original type
    delimiter: str = ""  # between the fields of text
    upper: Sequence[str] = ()  # a row of names above the header, where it has two
    is_nested: bool = False  # whether the source is a dict of dicts, whose outer names may be rows or columns
    record: Mapping[str, Any] | None = None  # a record of evalstats that was read back
    findings: tuple[Finding, ...] = ()  # decoration that the reader of the cells removed
    around: tuple[Around, ...] = ()  # words around the table, the nearest first
    whole: Any = None  # the file whose rows an engine counts, if the rows of the grid are examples of them
    sheets: tuple[tuple[str, Grid], ...] = ()  # all tables of a workbook by name, if they were requested

    @property
    def is_held(self) -> bool:
        """Whether an engine holds the rows and fetches each column at its first use."""
        return type(self.columns).__name__ == "HeldColumns"

    def noise_at(self, columns: Iterable[int]) -> float:
        """Return the relative rounding error of columns in single or half precision; 0 for other columns."""
        if self.word == "line":  # texts have no precision
            return 0.0
        at = list(columns)
        told = [self.noise[j] for j in at if self.noise]
        return max([*told, *(_checks.noise_in(self.columns[j]) for j in at)], default=0.0)

    def place(self, i: int, j: int) -> str:
        """Return the place of a cell, for messages."""
        column = f"column {short(self.header[j])}" if self.header[j] else f"column {j + 1}"
        return f"{self.name}, {self.word} {self.numbers[i]}, {column}"


class Fields:
    """Lines with equal numbers of fields, which are split on demand."""

    def __init__(self, lines: Sequence[str], delimiter: str, width: int) -> None:
        self.lines, self.delimiter, self.width = lines, delimiter, width
        self._last: tuple[int | None, list[str]] = (None, [])  # the row that was split last, and its texts

    def row(self, at: int) -> list[str]:
        """Return the texts of a row; callers often need all columns of one row."""
        number, texts = self._last
        if number != at:
            texts = self.lines[at].split(self.delimiter)
            self._last = (at, texts)
        return texts

    def texts(self, columns: Sequence[int]) -> list[list[str]]:
        """Return the cells of some columns as texts."""
        if not columns:
            return []
        last = max(columns) + 1
        if 2 * last > self.width:
            return [self.columns[j] for j in columns]
        rows = [line.split(self.delimiter, last) for line in self.lines]
        return [[row[j] for row in rows] for j in columns]

    @cached_property
    def columns(self) -> list[list[str]]:
        """Cells of all columns as texts."""
        fields = self.delimiter.join(self.lines).split(self.delimiter)
        return [fields[j :: self.width] for j in range(self.width)]


class NumberColumn(Sequence[str]):
    """Column of numbers with a decimal point; its texts are restored on demand.

    `coded` stores each distinct text once, if the column has few distinct texts.
    """

    coded: CodedColumn | None = None

    def __init__(self, fields: Fields, column: int, numbers: FloatArray, at: Sequence[int] | None = None) -> None:
        self._fields, self._column, self.numbers, self._at = fields, column, numbers, at

    @cached_property
    def is_finite(self) -> bool:
        """Whether all numbers are finite."""
        return bool(np.isfinite(self.numbers).all())

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return self.rows(range(len(self))[at])
        return self._fields.row(at if self._at is None else self._at[at])[self._column]

    def __iter__(self) -> Iterator[str]:
        fields = self._fields
        is_sample = len(self) * fields.width < len(fields.lines)  # then all its columns need less than one split of all
        few = len(self) if is_sample else min(len(self), 1)  # often only the first text is used
        yield from (self[i] for i in range(few))
        texts = fields.columns[self._column] if few < len(self) else []
        yield from texts[few:] if self._at is None else (texts[i] for i in self._at[few:])

    def rows(self, rows: Sequence[int]) -> NumberColumn:
        """Return the column with the given rows."""
        at = rows if self._at is None else [self._at[i] for i in rows]
        return NumberColumn(self._fields, self._column, self.numbers[rows], at)


class Written(str):
    """A number as a plain text, and the rest of its cell.

    Attributes
    ----------
    spread : float
        The number after ± or in parentheses. It is nan if there is none.
    beside : {'', 'plus-minus', 'parentheses', 'interval', 'difference', 'marks', 'markup'}
        Removed decoration.
    inside : float
        The number in parentheses as printed. It is nan if there is none.
    cell : str
        The whole cell.
    """

    spread: float = math.nan
    beside: str = ""
    inside: float = math.nan
    cell: str = ""


def column_names(source: Any) -> tuple[str, ...] | None:
    """Return the column names of a frame or a dict; return None if the source must be read first."""
    columns = getattr(source, "column_names", None) or getattr(source, "columns", None)
    if columns is None and isinstance(source, dict):
        columns = source
    return None if columns is None else tuple(map(text_of, columns))


def grid_of_columns(name: str, header: Sequence[Any], columns: list[Any], noise: Sequence[float] = ()) -> Grid:
    """Return the grid of columns in memory; raise an error unless they have equal lengths."""
    lengths = sorted({len(column) for column in columns})
    if len(lengths) > 1:
        raise TableError(f"{name} must have columns of equal length, but their lengths are {listed(lengths)}")
    return Grid(
        name=name,
        header=texts_of(header),
        columns=columns,
        word="row",
        numbers=range(1, sum(lengths) + 1),
        must_name_datasets=False,
        noise=noise,
    )


def only_columns(grid: Grid, kept: Sequence[int]) -> Grid:
    """Return a grid with the given columns, in their order in `kept`."""
    return replace(
        grid,
        header=[grid.header[j] for j in kept],
        columns=[grid.columns[j] for j in kept],
        noise=[grid.noise[j] for j in kept] if grid.noise else (),
    )


def only_rows(grid: Grid, kept: Sequence[int]) -> Grid:
    """Return a grid with the given rows."""
    columns = [_cells_at(column, kept) for column in grid.columns]
    return replace(grid, columns=columns, numbers=[grid.numbers[i] for i in kept])


def _cells_at(column: Any, rows: Sequence[int]) -> Any:
    if isinstance(column, CodedColumn):
        found, codes = np.unique(column.codes[list(rows)], return_inverse=True)
        return CodedColumn([column.values[i] for i in found.tolist()], codes)
    if isinstance(column, NumberColumn):
        return column.rows(list(rows))
    return column[list(rows)] if isinstance(column, np.ndarray) else [column[i] for i in rows]
