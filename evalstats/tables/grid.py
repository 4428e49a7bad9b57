"""What cells does a source hold?

Text, Excel, Parquet, data frames and arrays become one grid of cells;
`evalstats.tables.reading` decides what the cells mean.
"""

from __future__ import annotations

__all__ = [
    "MISSING_TYPES",
    "Grid",
    "Reading",
    "TableError",
    "TableNotFoundError",
    "Written",
    "column_names",
    "examples",
    "first_line_of",
    "grid_of",
    "grid_of_cells",
    "grid_of_columns",
    "grid_of_text_bytes",
    "listed",
    "short",
    "text_of",
    "visible",
]

import codecs
import io
import math
import os
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalstats import _checks, _errors, _files, _labels
from evalstats._checks import EvalstatsError, InvalidTypeError, InvalidValueError
from evalstats._errors import bounded, examples, listed
from evalstats._findings import Finding
from evalstats.tables.python_objects import rows_of_texts

MISSING_TYPES = ("NAType", "NaTType")  # of pandas.NA and pandas.NaT, known without pandas

_OTHERS = ("dataset", "classifier", "metric", "score", "greater_is_better")  # arguments that hints name without a value
LONGEST_TYPED = 200  # characters of a value that a message offers

_INVISIBLE = dict.fromkeys((0x200B, 0x2060, 0xFEFF))  # zero-width space, word joiner, byte order mark


class TableError(InvalidValueError):
    """A source cannot be read as a table of scores.

    Attributes
    ----------
    problem : str
        What is wrong and where.
    hint : str
        What to do, with ``{}`` where the argument of `read_table` stands, ``{keep}`` where `keep` stands with the same
        value, and ``{metric}`` or the like where another argument stands; may be empty.
    argument, value : str
        That argument and the value to try; may be empty.
    """

    def __init__(self, problem: str, hint: str = "", argument: str = "", value: str = "") -> None:
        super().__init__(problem, hint, argument, value)
        self.problem, self.hint, self.argument = problem, hint, argument
        self.value = value if len(value) <= LONGEST_TYPED else ""  # nobody types a name of 5,000 digits

    def __str__(self) -> str:
        return self.message(_keyword)

    def message(self, write: Callable[[str, str], str]) -> str:
        """Return the whole sentence; ``write(argument, value)`` says how an argument is given."""
        if not self.hint:
            return bounded(self.problem)
        others = {name: write(name, "") for name in _OTHERS}
        others |= {"keep": write("keep", self.value), "one_header": write("header_rows", "1")}
        others["skillings_mack"] = write("missing", "skillings-mack")
        hint = self.hint.format(write(self.argument, self.value), **others)
        return bounded(f"{self.problem}; {hint}")


def _keyword(argument: str, value: str) -> str:
    """Write an argument as Python does; some are no text."""
    is_plain = argument in ("header_rows", "transpose", "allow_unequal_samples", "accept_scores")
    return f"{argument}={value if is_plain else repr(value) if value else ''}"


class TableNotFoundError(EvalstatsError, FileNotFoundError):
    """There is no file at the path of a table."""


Reading = tuple[str | None, str, str | None, str | None, int | None]  # delimiter, encoding, sheet, rows, header_rows


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Cells as they were found, before their meaning is known."""

    name: str  # of the source, for messages
    header: list[str]
    columns: Sequence[Any]
    word: str  # 'line' or 'row'
    numbers: Sequence[int]  # of the lines or rows, as their editor shows them
    must_name_datasets: bool  # a file has a column of names; a frame or an array may have none
    file: str | None = None
    across: str = ""  # what the columns of a frame are called together
    noise: Sequence[float] = ()  # of the type of each column, where the cells no longer tell the type
    delimiter: str = ""  # between the fields of a text
    upper: Sequence[str] = ()  # a row of names above the header, where it has two
    is_nested: bool = False  # of a dict of dicts, whose outer names may be rows or columns
    record: Mapping[str, Any] | None = None  # a record of evalstats that was read back
    findings: tuple[Finding, ...] = ()  # what the reader of the cells took away

    @property
    def is_held(self) -> bool:
        """Whether an engine holds the rows, so that a column is fetched when it is first used."""
        return type(self.columns).__name__ == "HeldColumns"

    def noise_at(self, columns: Iterable[int]) -> float:
        """Return the relative noise of columns of numbers in single or half precision, else 0."""
        if self.word == "line":  # texts have no precision
            return 0.0
        at = list(columns)
        told = [self.noise[j] for j in at if self.noise]
        return max([*told, *(_checks.noise_in(self.columns[j]) for j in at)], default=0.0)

    def place(self, i: int, j: int) -> str:
        """Return where a cell stands, as a message says it."""
        column = f"column {short(self.header[j])}" if self.header[j] else f"column {j + 1}"
        return f"{self.name}, {self.word} {self.numbers[i]}, {column}"


class Written(str):
    """A number as a plain text, and what stood beside it in its cell.

    Attributes
    ----------
    spread : float
        The number after ± or in parentheses; nan if there is none.
    beside : {'', 'plus-minus', 'parentheses', 'interval', 'difference', 'marks', 'markup'}
        What was taken away.
    inside : float
        The number in parentheses as it stands there; nan if there is none.
    cell : str
        The whole cell.
    """

    spread: float = math.nan
    beside: str = ""
    inside: float = math.nan
    cell: str = ""


def grid_of(
    source: Any,
    delimiter: str | None,
    encoding: str,
    sheet: str | None,
    rows: str | None = None,
    header_rows: int | None = None,
) -> Grid:
    """Return the cells of any source that `evalstats.tables.reading.read_table` takes."""
    reading = delimiter, encoding, sheet, rows, header_rows
    try:
        return _grid_of_any(source, reading)
    except EvalstatsError:
        raise
    except (OSError, EOFError, zlib.error) as error:  # of the file system, or of a compressed stream that was cut off
        raise TableError(f"the table cannot be read: {_errors.short(first_line_of(error))}") from None


def _grid_of_any(source: Any, reading: Reading) -> Grid:
    from evalstats.tables.engines.opening import held_source

    delimiter, encoding, sheet, rows, header_rows = reading
    held = held_source(source, delimiter, encoding, sheet) if rows is None and header_rows is None else None
    return grid_of_cells(source, reading) if held is None else held


def grid_of_cells(source: Any, reading: Reading) -> Grid:
    """Return the cells of a source read one by one, so that the line of each is known."""
    if isinstance(source, str | bytes | os.PathLike):
        return _grid_of_path(source, reading)
    if hasattr(source, "readline"):
        return _grid_of_stream(source, reading)
    if hasattr(source, "to_pydict"):
        from evalstats.tables.arrow_table import grid_of_arrow

        return grid_of_arrow(source, "the table")
    if hasattr(source, "columns") and hasattr(source, "to_numpy"):
        return _grid_of_frame(source)
    from evalstats.tables.engines.other_arrays import is_other_array, numpy_array

    if is_other_array(source):
        source = numpy_array(source)
    if isinstance(source, dict | list | tuple | np.ndarray):
        return _grid_of_object(source, reading)
    raise InvalidTypeError(
        f"source must be a path, an open file, a data frame, an array or a ScoreTable, not {type(source).__name__}"
    )


def _grid_of_object(source: Any, reading: Reading) -> Grid:
    """Return the cells of Python's own objects: columns, records, paths, numbers."""
    items = list(source.values() if isinstance(source, dict) else () if isinstance(source, np.ndarray) else source)
    if items and all(isinstance(item, dict) for item in items):
        from evalstats.tables.json_rows import grid_of_json

        return replace(grid_of_json("the table", source), must_name_datasets=False)
    if isinstance(source, dict):
        return _grid_of_dict(source)
    if items and all(isinstance(item, str | os.PathLike) for item in items):
        from evalstats.tables.several_files import grid_of_several

        return grid_of_several([(os.fsdecode(item), _grid_of_path(item, reading)) for item in items])
    if rows_of_texts(source):
        from evalstats.tables.row_tables import grid_of_laid_rows

        return grid_of_laid_rows("the table", source, range(1, len(items) + 1), "row", header_rows=reading[-1])
    return _grid_of_array(source)


def _grid_of_path(source: Any, reading: Reading) -> Grid:
    path = os.fsdecode(source)
    if "\n" in path:
        raise TableError("source must be a path, but it is a text of several lines; wrap the text in io.StringIO")
    try:
        file = _files.opened(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL character in the path
        how = ", and what lies on the web must be downloaded first" if "://" in path else ""
        raise TableNotFoundError(f"there is no file {visible(path) or repr(path)}{how}") from None
    except IsADirectoryError:
        return _grid_of_directory(path, reading)
    except OSError as error:
        raise TableError(f"{_errors.short(visible(path))} cannot be read: {error.strerror}") from None
    with file:
        name = visible(os.path.basename(path))
        return replace(_grid_of_binary(file, name, reading), file=name)


def _grid_of_directory(path: str, reading: Reading) -> Grid:
    from evalstats.study.store import is_study

    if not is_study(path):
        from evalstats.tables.run_directories import how_to_export

        if whose := how_to_export(path):
            raise TableError(f"{visible(path)} holds runs {whose}")
        return _grid_of_folder(path, reading)
    from evalstats.study.running import read_study

    name = visible(os.path.basename(os.path.normpath(path)))
    columns = read_study(path).columns
    return replace(grid_of_columns(name, list(columns), list(columns.values())), file=name)


def _grid_of_folder(path: str, reading: Reading) -> Grid:
    """Return the only table of a folder, or those of one kind as one, and say which was read."""
    from evalstats.tables.folder_tables import links_out_of, listed_files, tables_of_folder
    from evalstats.tables.several_files import grid_of_several

    files = tables_of_folder(path)
    grids = [_grid_of_path(file, reading) for file in files]
    if len({frozenset(grid.header) for grid in grids}) > 1:
        several = f"{visible(os.path.basename(os.path.abspath(path)))} is a directory of {len(files)} tables"
        raise TableError(f"{several} with other columns each: {listed_files(files)}; give the file that is meant")
    grid = grid_of_several(list(zip(files, grids, strict=True)))
    names = listed([visible(os.path.relpath(file, path)) for file in files], 3)
    words = f"This file of the directory was read: {names}" if len(files) == 1 else f"These were read: {names}"
    if links := links_out_of(path):
        words += f"; links that lead out of the directory were not: {listed_files(links)}"
    told = Finding(code="files-of-folder", severity="note", sentence=f"{words}.")
    return replace(grid, findings=(told, *grid.findings))


def _grid_of_stream(stream: Any, reading: Reading) -> Grid:
    given = getattr(stream, "name", None)
    file = visible(os.path.basename(given)) if isinstance(given, str) and not given.startswith("<") else None
    name = "standard input" if given == "<stdin>" else file or "the table"
    if isinstance(stream.read(0), str):
        return replace(_grid_of_lines(stream, name, reading), file=file)
    buffered = stream if hasattr(stream, "peek") else io.BufferedReader(stream)
    try:
        return replace(_grid_of_binary(buffered, name, reading), file=file)
    finally:
        if buffered is not stream:
            buffered.detach()


def _grid_of_binary(file: Any, name: str, reading: Reading) -> Grid:
    from evalstats.tables.binary_files import START, begins_as_binary, grid_of_binary

    if begins_as_binary(file.peek(START)[:START]):
        return grid_of_binary(file, name, reading)
    return grid_of_text_bytes(file, name, reading)


def grid_of_text_bytes(file: Any, name: str, reading: Reading) -> Grid:
    """Return the cells of a text that is given as bytes."""
    _, encoding, sheet, _, _ = reading
    if sheet is not None:
        raise TableError(f"{name} is not an Excel file, so it has no sheet {short(sheet)}")
    try:
        is_utf8 = codecs.lookup(encoding).name == "utf-8"
        text = io.TextIOWrapper(file, "utf-8-sig" if is_utf8 else encoding, errors="surrogateescape", newline="")
    except (LookupError, TypeError, ValueError):
        rule = "encoding must be one that Python knows, such as 'utf-8' or 'latin-1'"
        raise InvalidValueError(f"{rule}, not {short(encoding)}") from None
    try:
        return _grid_of_lines(text, name, reading)
    finally:
        text.detach()


def _grid_of_lines(stream: Any, name: str, reading: Reading) -> Grid:
    from evalstats.tables.text_table import grid_of_text

    delimiter, encoding, _, rows, header_rows = reading
    return grid_of_text(stream, name, delimiter, encoding, rows, header_rows)


def column_names(source: Any) -> tuple[str, ...] | None:
    """Return the names of the columns of a frame or a dict, None if it has to be read first."""
    columns = getattr(source, "column_names", None) or getattr(source, "columns", None)
    if columns is None and isinstance(source, dict):
        columns = source
    return None if columns is None else tuple(map(text_of, columns))


def _grid_of_frame(frame: Any) -> Grid:
    header, columns = list(frame.columns), _columns_of_frame(frame)
    upper: list[Any] = []
    if getattr(frame.columns, "nlevels", 1) == 2:
        upper, header = ([pair[level] for pair in header] for level in (0, 1))
    index: Any = getattr(frame, "index", None)
    only_counts = type(index).__name__ == "RangeIndex" and index.name is None
    if hasattr(index, "get_level_values") and not only_counts:
        header = [*index.names, *header]
        upper = [*[""] * index.nlevels, *upper] if upper else []
        columns = [*(index.get_level_values(level) for level in range(index.nlevels)), *columns]
    # the array of a frame of several types does not tell them
    noise = [_checks.noise_of_type(dtype) for dtype in getattr(frame, "dtypes", ())]
    together = getattr(frame.columns, "name", None)
    grid = grid_of_columns("the table", header, columns, [0.0] * (len(columns) - len(noise)) + noise)
    named = tuple(map(text_of, upper))
    return replace(grid, across=text_of(together) if together else "", upper=named if any(named) else ())


def _columns_of_frame(frame: Any) -> list[Any]:
    """Return the columns of a frame, those of numbers in their own types: together they would all become objects."""
    kinds = [str(getattr(dtype, "kind", "O")) for dtype in getattr(frame, "dtypes", ())]
    if len(set(kinds)) < 2 or not hasattr(frame, "iloc"):
        return list(np.asarray(frame.to_numpy()).T)
    of_numbers = [isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in frame.dtypes]
    return [
        np.asarray(frame.iloc[:, j].to_numpy() if is_numeric else frame.iloc[:, j].to_numpy(dtype=object))
        for j, is_numeric in enumerate(of_numbers)
    ]


def _grid_of_dict(columns: dict[Any, Any]) -> Grid:
    from evalstats.tables.program_texts import refuse_program_document

    refuse_program_document(columns, "the table")
    for name, column in columns.items():
        if isinstance(column, str | dict) or not isinstance(column, Iterable):
            raise InvalidTypeError(f"source must be a dict of columns, but column {short(name)} is {short(column)}")
        if hasattr(column, "columns"):
            raise TableError(
                f"source must be a dict of columns, but {short(name)} is a table",
                "if each is of a dataset, with a row for each fold, give pd.concat(source, names=['dataset', 'fold'])",
            )
        if len(shape := getattr(column, "shape", (0,))) > 1:
            raise InvalidValueError(
                f"each column of source must have one value for each row, but column {short(name)} has the shape "
                f"{tuple(shape)}; of probabilities of two classes, give those of the positive one, column[:, 1]"
            )
    if columns and all(isinstance(column, list | tuple) and _holds_lists(column) for column in columns.values()):
        raise TableError(
            f"source must be a dict of columns, but {short(next(iter(columns)))} holds lists or dicts",
            "give one row for each score, in columns dataset, classifier, fold and score",
        )
    _labels.same_labels(**{f"column {short(name)}": column for name, column in columns.items()})
    noise = [_checks.noise_in(column) for column in columns.values()]
    return grid_of_columns("the table", list(columns), [list(column) for column in columns.values()], noise)


def _holds_lists(column: Sequence[Any]) -> bool:
    return bool(column) and isinstance(column[0], list | tuple | dict)


def _grid_of_array(values: Any) -> Grid:
    array, noise = _checks.numbers(values, "source"), _checks.noise_in(values)
    if array.ndim != 2:
        raise InvalidValueError(
            f"source must have the shape (n_datasets, n_classifiers), but its shape is {array.shape}"
        )
    header = [f"classifier {j + 1}" for j in range(array.shape[1])]
    return grid_of_columns("the table", header, list(array.T), [noise] * len(header))


def grid_of_columns(name: str, header: Sequence[Any], columns: list[Any], noise: Sequence[float] = ()) -> Grid:
    """Return the grid of columns of one length, which have no lines."""
    lengths = sorted({len(column) for column in columns})
    if len(lengths) > 1:
        raise TableError(f"{name} must have columns of one length, but their lengths are {listed(lengths)}")
    return Grid(
        name=name,
        header=[text_of(cell) for cell in header],
        columns=columns,
        word="row",
        numbers=range(1, sum(lengths) + 1),
        must_name_datasets=False,
        noise=noise,
    )


def text_of(value: Any) -> str:
    """Return a cell as the text of a name; empty if it is missing."""
    if not isinstance(value, str):
        if value is None or type(value).__name__ in MISSING_TYPES or (isinstance(value, float) and math.isnan(value)):
            return ""
        if isinstance(value, float | np.floating) and value.is_integer():
            value = int(value)
        try:
            value = str(value)
        except Exception:  # a whole number of 5,000 digits has no text
            raise TableError(f"a name or a label must be text, not {short(value)}") from None
    if not value.isascii():
        value = unicodedata.normalize("NFC", value).translate(_INVISIBLE)
    return " ".join(value.split())


def short(value: Any) -> str:
    """Return the value as a message shows it: on one line and not longer than 40 characters."""
    return _errors.short(value, 40)


def visible(text: str) -> str:
    """Return a text of one line in which every character can be seen and written."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def first_line_of(error: Exception) -> str:
    """Return the first line of what an error says, or its kind."""
    return visible(str(error).strip().partition("\n")[0]) or type(error).__name__
