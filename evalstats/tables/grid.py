"""What cells does a source hold?

Text, Excel, Parquet, data frames and arrays become one grid of cells;
`evalstats.tables.reading` decides what the cells mean.
"""

from __future__ import annotations

__all__ = [
    "MISSING_TYPES",
    "Grid",
    "TableError",
    "TableNotFoundError",
    "examples",
    "grid_of",
    "listed",
    "short",
    "text_of",
    "visible",
]

import codecs
import csv
import io
import itertools
import math
import os
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalstats import _checks, _errors, _labels
from evalstats._checks import EvalstatsError, InvalidTypeError, InvalidValueError

MISSING_TYPES = ("NAType", "NaTType")  # of pandas.NA and pandas.NaT, known without pandas
DELIMITERS = "\t;,|"
MAX_LINE_LENGTH = 10_000_000

_CSV_RULES = {
    "field larger than field limit": "a field is far too long for a table of scores; is a quotation mark never closed?",
    "unexpected end of data": "a quotation mark is opened and never closed",
}

_INVISIBLE = dict.fromkeys((0x200B, 0x2060, 0xFEFF))  # zero-width space, word joiner, byte order mark
_UNDECODED_BYTE = re.compile("[\udc80-\udcff]")  # a byte that is not text is read as the code point 0xDC00 + byte


class TableError(InvalidValueError):
    """A source cannot be read as a table of scores.

    Attributes
    ----------
    problem : str
        What is wrong and where.
    hint : str
        What to do, with ``{}`` where the argument of `read_table` stands; may be empty.
    argument, value : str
        That argument and the value to try; may be empty.
    """

    def __init__(self, problem: str, hint: str = "", argument: str = "", value: str = "") -> None:
        super().__init__(problem, hint, argument, value)
        self.problem, self.hint, self.argument, self.value = problem, hint, argument, value

    def __str__(self) -> str:
        return self.message(lambda argument, value: f"{argument}={value!r}" if value else f"{argument}=")

    def message(self, write: Callable[[str, str], str]) -> str:
        """Return the whole sentence; ``write(argument, value)`` says how an argument is given."""
        if not self.hint:
            return self.problem
        return f"{self.problem}; {self.hint.format(write(self.argument, self.value))}"


class TableNotFoundError(EvalstatsError, FileNotFoundError):
    """There is no file at the path of a table."""


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Cells as they were found, before their meaning is known."""

    name: str  # of the source, for messages
    header: list[str]
    columns: list[Any]
    word: str  # 'line' or 'row'
    numbers: Sequence[int]  # of the lines or rows, as their editor shows them
    must_name_datasets: bool  # a file has a column of names; a frame or an array may have none
    file: str | None = None
    across: str = ""  # what the columns of a frame are called together
    noise: Sequence[float] = ()  # of the type of each column, where the cells no longer tell the type

    def noise_at(self, columns: Iterable[int]) -> float:
        """Return the relative noise of columns of numbers in single or half precision, else 0."""
        at = list(columns)
        told = [self.noise[j] for j in at if self.noise]
        return max([*told, *(_checks.noise_in(self.columns[j]) for j in at)], default=0.0)

    def place(self, i: int, j: int) -> str:
        """Return where a cell stands, as a message says it."""
        column = f"column {short(self.header[j])}" if self.header[j] else f"column {j + 1}"
        return f"{self.name}, {self.word} {self.numbers[i]}, {column}"


def grid_of(source: Any, delimiter: str | None, encoding: str, sheet: str | None) -> Grid:
    """Return the cells of any source that `evalstats.tables.reading.read_table` takes."""
    try:
        return _grid_of_any(source, delimiter, encoding, sheet)
    except EvalstatsError:
        raise
    except (OSError, EOFError, zlib.error) as error:  # of the file system, or of a compressed stream that was cut off
        raise TableError(f"the table cannot be read: {_errors.short(_first_line(error))}") from None


def _grid_of_any(source: Any, delimiter: str | None, encoding: str, sheet: str | None) -> Grid:
    if isinstance(source, str | bytes | os.PathLike):
        return _grid_of_path(source, delimiter, encoding, sheet)
    if hasattr(source, "readline"):
        return _grid_of_stream(source, delimiter, encoding, sheet)
    if hasattr(source, "to_pydict"):
        return _grid_of_arrow(source, "the table")
    if hasattr(source, "columns") and hasattr(source, "to_numpy"):
        return _grid_of_frame(source)
    if isinstance(source, dict):
        return _grid_of_dict(source)
    if isinstance(source, np.ndarray | list | tuple):
        return _grid_of_array(source)
    raise InvalidTypeError(
        f"source must be a path, an open file, a data frame, an array or a ScoreTable, not {type(source).__name__}"
    )


def _grid_of_path(source: Any, delimiter: str | None, encoding: str, sheet: str | None) -> Grid:
    path = os.fsdecode(source)
    if "\n" in path:
        raise TableError("source must be a path, but it is a text of several lines; wrap the text in io.StringIO")
    try:
        file = open(path, "rb")  # noqa: SIM115 (the errors of opening are not the errors of reading)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL character in the path
        raise TableNotFoundError(f"there is no file {visible(path) or repr(path)}") from None
    except IsADirectoryError:
        return _grid_of_directory(path)
    except OSError as error:
        raise TableError(f"{_errors.short(visible(path))} cannot be read: {error.strerror}") from None
    with file:
        name = visible(os.path.basename(path))
        return replace(_grid_of_binary(file, name, delimiter, encoding, sheet), file=name)


def _grid_of_directory(path: str) -> Grid:
    from evalstats.study.store import is_study

    if not is_study(path):
        raise TableError(f"{visible(path)} is a directory, not a file")
    from evalstats.study.running import read_study

    name = visible(os.path.basename(os.path.normpath(path)))
    columns = read_study(path).columns
    return replace(_grid_of_columns(name, list(columns), list(columns.values())), file=name)


def _grid_of_stream(stream: Any, delimiter: str | None, encoding: str, sheet: str | None) -> Grid:
    given = getattr(stream, "name", None)
    file = visible(os.path.basename(given)) if isinstance(given, str) and not given.startswith("<") else None
    name = "standard input" if given == "<stdin>" else file or "the table"
    if isinstance(stream.read(0), str):
        return replace(_grid_of_text(stream, name, delimiter, encoding), file=file)
    buffered = stream if hasattr(stream, "peek") else io.BufferedReader(stream)
    try:
        return replace(_grid_of_binary(buffered, name, delimiter, encoding, sheet), file=file)
    finally:
        if buffered is not stream:
            buffered.detach()


def _grid_of_binary(file: Any, name: str, delimiter: str | None, encoding: str, sheet: str | None) -> Grid:
    start = file.peek(8)[:8]
    if start.startswith(b"PAR1"):
        return _grid_of_parquet(file, name)
    if start.startswith(b"PK\x03\x04"):
        return _grid_of_excel(file, name, sheet)
    if start == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        raise TableError(f"{name} is an Excel file of before 2007; save it as .xlsx")
    if sheet is not None:
        raise TableError(f"{name} is not an Excel file, so it has no sheet {short(sheet)}")
    try:
        is_utf8 = codecs.lookup(encoding).name == "utf-8"
        text = io.TextIOWrapper(file, "utf-8-sig" if is_utf8 else encoding, errors="surrogateescape", newline="")
    except (LookupError, TypeError):
        rule = "encoding must be one that Python knows, such as 'utf-8' or 'latin-1'"
        raise InvalidValueError(f"{rule}, not {short(encoding)}") from None
    try:
        return _grid_of_text(text, name, delimiter, encoding)
    finally:
        text.detach()


def _grid_of_text(stream: Any, name: str, delimiter: str | None, encoding: str) -> Grid:
    lines = _lines(stream, name, encoding)
    start, first_line = next(((n, line) for n, line in lines if line.strip()), (0, ""))
    if not start:
        raise TableError(f"{name} is empty")
    used = _most_frequent_delimiter(first_line) if delimiter is None else _one_character(delimiter)
    records = _records(itertools.chain([first_line], (line for _, line in lines)), used, name, start)
    _, header = next(records, (start, []))
    if len(header) < 2:
        raise _one_column(f"{name}, line {start}", first_line.strip(), delimiter)
    numbers: list[int] = []
    rows: list[list[str]] = []
    for number, row in records:
        numbers.append(number)
        rows.append(row)
    width = _width(header, rows, numbers, used, name)
    return Grid(
        name=name,
        header=[text_of(field) for field in header[:width]],
        columns=[[row[j] if j < len(row) else "" for row in rows] for j in range(width)],
        word="line",
        numbers=numbers,
        must_name_datasets=True,
    )


def _lines(stream: Any, name: str, encoding: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers; none is read further than the longest that is allowed."""
    for number in itertools.count(1):
        try:
            line = stream.readline(MAX_LINE_LENGTH + 1)
        except UnicodeError as error:
            raise TableError(f"{name}, near line {number}: {_first_line(error)}") from None
        if not line:
            return
        if len(line) > MAX_LINE_LENGTH:
            raise TableError(
                f"{name}, line {number} has more than {MAX_LINE_LENGTH:,} characters: not a table of scores"
            )
        if number == 1 and line.startswith(("\udcff\udcfe", "\udcfe\udcff")):
            raise TableError(f"{name} begins as text in UTF-16 does", "pass {}", "encoding", "utf-16")
        if "\0" in line:
            raise TableError(f"{name}, line {number}: a NUL character, so this is not a text file")
        if byte := _UNDECODED_BYTE.search(line):
            place = f"{name}, line {number}, character {byte.start() + 1}"
            problem = f"{place}: the byte {ord(byte.group()) - 0xDC00:#x} is not {encoding}"
            raise TableError(problem, "if the file is written so, pass {}", "encoding", "latin-1")
        yield number, line


def _records(lines: Iterable[str], delimiter: str, name: str, start: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each record that is not blank, with the number of its first line."""
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    number = start
    try:
        for fields in reader:
            if any(field and not field.isspace() for field in fields):
                yield number, fields
            number = start + reader.line_num
    except csv.Error as error:
        rule = _CSV_RULES.get(str(error).partition(" (")[0], str(error))
        raise TableError(f"{name}, line {number}: {rule}") from None


def _most_frequent_delimiter(line: str) -> str:
    outside_quotes = "".join(line.split('"')[::2])
    return max(DELIMITERS, key=outside_quotes.count)  # the first of equals


def _one_character(delimiter: Any) -> str:
    if isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '"\r\n\0':
        return delimiter
    raise InvalidValueError(f"delimiter must be one character, not {short(delimiter)}")


def _one_column(place: str, line: str, delimiter: str | None) -> TableError:
    problem = f"{place}: {short(line)} is one column only"
    if delimiter is not None:
        problem += f" with the delimiter {delimiter!r}"
    better = next((c for c in (_most_frequent_delimiter(line), " ") if c in line and c != delimiter), None)
    if better is None:
        return TableError(f"{problem}; a table has a column of names and a column of scores or more")
    return TableError(problem, "if its columns are separated so, pass {}", "delimiter", better)


def _width(header: list[str], rows: list[list[str]], numbers: list[int], delimiter: str, name: str) -> int:
    """Return the number of columns; delimiters at the end of lines make none."""
    width = named = _filled(header)
    for number, row in zip(numbers, rows, strict=True):
        filled = len(row) if len(row) == named else _filled(row)
        if len(row) < named or filled > len(header):
            problem = (
                f"{name}, line {number} has {len(row)} fields between {delimiter!r}, but the header has {len(header)}"
            )
            hint = "put names that hold the delimiter into quotation marks" if filled > len(header) else ""
            raise TableError(problem, hint)
        width = max(width, filled)
    return width


def _filled(fields: Iterable[Any]) -> int:
    """Return the number of fields up to the last that is not blank."""
    return max((j + 1 for j, field in enumerate(fields) if text_of(field)), default=0)


def _grid_of_frame(frame: Any) -> Grid:
    header, columns = list(frame.columns), list(np.asarray(frame.to_numpy()).T)
    index: Any = getattr(frame, "index", None)
    only_counts = type(index).__name__ == "RangeIndex" and index.name is None
    if hasattr(index, "get_level_values") and not only_counts:
        header = [*index.names, *header]
        columns = [*(index.get_level_values(level) for level in range(index.nlevels)), *columns]
    # the array of a frame of several types does not tell them
    noise = [_checks.noise_of_type(dtype) for dtype in getattr(frame, "dtypes", ())]
    together = getattr(frame.columns, "name", None)
    grid = _grid_of_columns("the table", header, columns, [0.0] * (len(columns) - len(noise)) + noise)
    return replace(grid, across=text_of(together) if together else "")


def _grid_of_dict(columns: dict[Any, Any]) -> Grid:
    for name, column in columns.items():
        if isinstance(column, str | dict) or not isinstance(column, Iterable):
            raise InvalidTypeError(f"source must be a dict of columns, but column {short(name)} is {short(column)}")
    _labels.same_labels(**{f"column {short(name)}": column for name, column in columns.items()})
    noise = [_checks.noise_in(column) for column in columns.values()]
    return _grid_of_columns("the table", list(columns), [list(column) for column in columns.values()], noise)


def _grid_of_array(values: Any) -> Grid:
    array, noise = _checks.numbers(values, "source"), _checks.noise_in(values)
    if array.ndim != 2:
        raise InvalidValueError(
            f"source must have the shape (n_datasets, n_classifiers), but its shape is {array.shape}"
        )
    header = [f"classifier {j + 1}" for j in range(array.shape[1])]
    return _grid_of_columns("the table", header, list(array.T), [noise] * len(header))


def _grid_of_arrow(table: Any, name: str) -> Grid:
    written = (table.schema.pandas_metadata or {}).get("index_columns", [])
    # pandas writes its index as the last columns
    header = sorted(table.column_names, key=lambda column: column not in written)
    columns = [table.column(column).to_pylist() for column in header]
    noise = [_checks.noise_of_type(table.schema.field(column).type) for column in header]
    names = ["" if column.startswith("__index_level_") else column for column in header]
    return _grid_of_columns(name, names, columns, noise)


def _grid_of_parquet(file: Any, name: str) -> Grid:
    try:
        import pyarrow.parquet
    except ImportError:
        raise TableError(f'{name} is a Parquet file; to read it: pip install "classifier-evalstats[parquet]"') from None
    try:
        table = pyarrow.parquet.ParquetFile(file).read()
    except (OSError, ValueError) as error:
        raise TableError(f"{name} cannot be read as a Parquet file: {_first_line(error)}") from None
    return _grid_of_arrow(table, name)


def _grid_of_excel(file: Any, name: str, sheet: str | None) -> Grid:
    try:
        import openpyxl
    except ImportError:
        raise TableError(f'{name} is an Excel file; to read it: pip install "classifier-evalstats[excel]"') from None
    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
    except Exception as error:  # a damaged file fails by whatever its parts raise
        raise TableError(f"{name} cannot be read as an Excel file: {_first_line(error)}") from None
    titles = [page.title for page in book.worksheets]
    if not titles or (sheet is not None and sheet not in titles):
        raise TableError(f"{name} has no sheet {short(sheet)}; its sheets are {listed(titles)}")
    page = book[titles[0] if sheet is None else sheet]
    page.reset_dimensions()  # the size that the file claims may be a million empty rows
    filled = [(number, row) for number, row in enumerate(page.iter_rows(values_only=True), 1) if _filled(row)]
    if not filled:
        raise TableError(f"{name} is empty")
    (_, header), *records = filled
    width = max(_filled(row) for _, row in filled)
    columns = [[row[j] if j < len(row) else None for _, row in records] for j in range(width)]
    grid = _grid_of_columns(name, [*header, *[None] * width][:width], columns)
    return replace(grid, numbers=[number for number, _ in records], must_name_datasets=True)


def _grid_of_columns(name: str, header: Sequence[Any], columns: list[Any], noise: Sequence[float] = ()) -> Grid:
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


def examples(items: Sequence[str], limit: int = 5) -> str:
    """Return the first items, and how many more there are."""
    more = f" and {len(items) - limit:,} more" if len(items) > limit else ""
    return ", ".join(items[:limit]) + more


def listed(names: Iterable[Any]) -> str:
    """Return names as a message lists them."""
    return examples([short(name) for name in names], 10)


def short(value: Any) -> str:
    """Return the value as a message shows it: on one line and not longer than 40 characters."""
    return _errors.short(value, 40)


def visible(text: str) -> str:
    """Return a text of one line in which every character can be seen and written."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _first_line(error: Exception) -> str:
    return visible(str(error).strip().partition("\n")[0]) or type(error).__name__
