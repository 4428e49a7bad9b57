"""Fields of text without quotation marks: delimited fields, or aligned columns.

Most large files have this form, and pyarrow or NumPy parses their numbers. The module `csv` parses other files.
"""

from __future__ import annotations

__all__ = ["MANY_LINES", "MAX_LINE_LENGTH", "columns_of_lines", "plain_lines", "rows_of_printed"]

import csv
import io
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from evalstats._types import FloatArray
from evalstats.io.sources.grid import Fields, NumberColumn
from evalstats.io.sources.numbers import plain_numbers
from evalstats.io.sources.table_region import is_number
from evalstats.tables.categorical import CodedColumn
from evalstats.tables.errors import TableError, first_line_of

BLOCK = 1 << 18  # size of a block, in characters: copies of a block stay in the cache of the processor
_BLOCK_OF_ARROW = 1 << 24  # bytes, more than the longest line
MAX_LINE_LENGTH = 10_000_000
MANY_LINES = 100_000  # minimum number of lines for which repeated texts are stored once
MANY_CELLS = 300_000  # minimum number of cells, below which loading pyarrow takes longer than it saves
_AT_ONCE = 1 << 13  # number of lines in a batch
_FEWEST_EACH = 4  # minimum mean number of rows for each distinct text
_MOST_COUNTED = 10_000  # the range of whole numbers that may be those of folds or runs
_NOT_DECODED = re.compile("[\ud800-\udfff]")


def plain_lines(
    stream: Any, head: str, width: int, delimiter: str, name: str, first: int
) -> tuple[PlainLines, list[str]]:
    """Return the leading plain lines of text, and the lines from the first block that is not plain.

    Parameters
    ----------
    stream : file object
        The text after `head`.
    head : str
        Complete lines that were already read; the first line has the number `first`.
    width : int
        The number of columns.
    delimiter : str
        The character between fields.
    name : str
        Name of the source in messages.

    Raises
    ------
    TableError
        If the text cannot be decoded.
    """
    lines = PlainLines()
    try:
        for block in _blocks(stream, head):
            text = block.replace("\r\n", "\n") if "\r" in block else block
            text = text.removesuffix("\n")
            if not _is_plain(text, width, delimiter):
                return lines, list(io.StringIO(block, newline=""))
            lines.add(text)
    except UnicodeError as error:
        raise TableError(f"{name}, near line {first + len(lines)}: {first_line_of(error)}") from None
    return lines, []


class PlainLines(Sequence[str]):
    """Lines of text, which is split at the first access to a line other than the first."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._n = 0

    def add(self, text: str) -> None:
        """Append the lines of text that does not end with a line break."""
        self._texts.append(text)
        self._n += text.count("\n") + 1

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, at: Any) -> Any:
        return self._texts[0].partition("\n")[0] if at == 0 and self._n else self._split[at]

    def __iter__(self) -> Iterator[str]:
        return iter(self._split)

    @cached_property
    def _split(self) -> list[str]:
        return [line for text in self._texts for line in text.split("\n")]

    def encoded(self) -> bytes:
        """Return the lines as one text in UTF-8."""
        return b"\n".join(text.encode() for text in self._texts)


def _blocks(stream: Any, head: str) -> Iterator[str]:
    """Yield blocks of complete lines; only an overlong last line may be incomplete."""
    while (block := stream.read(BLOCK)) or head:
        end = "" if block.endswith("\n") or not block else stream.readline(MAX_LINE_LENGTH + 1)
        yield head + block + end
        head = ""


def _is_plain(text: str, width: int, delimiter: str) -> bool:
    """Return whether all lines have `width` fields and no quotation marks, blank first fields or undecoded bytes."""
    if any(sign in text for sign in ('"', "\r", "\0")):
        return False
    # two patterns that begin with rare characters take less time than one
    sign = re.escape(delimiter)
    blanks = (rf"\n(?:[\s{sign}]|\Z)", rf" (?<={sign} )")
    if any(re.search(blank, part) for blank in blanks for part in (f"\n{text[:1]}", text)):
        return False
    if not text.isascii() and _NOT_DECODED.search(text):
        return False
    if len(text) - text.rfind("\n") > MAX_LINE_LENGTH + 1:
        return False
    if not delimiter.isascii():
        return {line.count(delimiter) for line in text.split("\n")} == {width - 1}
    others = bytes({*range(256)} - {ord(delimiter), ord("\n")})
    marks = text.encode().translate(None, others) + b"\n"
    return marks == (delimiter.encode() * (width - 1) + b"\n") * (text.count("\n") + 1)


def columns_of_lines(lines: Sequence[str], width: int, delimiter: str) -> list[Any]:
    """Split plain lines into columns: numbers if all cells are numbers, otherwise texts.

    If there are many lines, a repeated text is stored once.
    """
    fields = Fields(lines, delimiter, width)
    data = b""
    if width * len(lines) >= MANY_CELLS and _suits_arrow(lines, delimiter):
        data = lines.encoded() if isinstance(lines, PlainLines) else "\n".join(lines).encode()
    # the first line identifies most columns of names
    first = fields.lines[0].split(delimiter) if lines else []
    are_numbers = plain_numbers(first[1:]) is not None
    expected = [j for j, cell in enumerate(first) if (are_numbers and j) or plain_numbers([cell]) is not None]
    values, texts = _values(fields, data, expected)
    found = ((j, _number_column(fields, j, own)) for j, own in zip(expected, values, strict=True))
    numbers = {j: column for j, column in found if column is not None}
    columns = {**texts, **numbers}
    if len(numbers) < width and len(lines) >= MANY_LINES:
        counters = [j for j, column in numbers.items() if _may_count(column.numbers)]
        others = [j for j in range(width) if j not in columns]
        for j, own in _coded(fields, data, sorted([*others, *counters])).items():
            if j in numbers:
                numbers[j].coded = own
            else:
                columns[j] = own
    others = [j for j in range(width) if j not in columns]
    columns |= zip(others, fields.texts(others), strict=True)
    return [columns[j] for j in range(width)]


def _suits_arrow(lines: Sequence[str], delimiter: str) -> bool:
    """Return whether pyarrow is installed and splits these lines in the same way."""
    try:
        import pyarrow.csv  # noqa: F401 (whether it can be)
    except ImportError:
        return False
    return delimiter.isascii() and not lines[0].startswith("\ufeff")


def _by_arrow(fields: Fields, data: bytes, kinds: Mapping[int, Any]) -> Any:
    """Parse columns of the given types with pyarrow; return None if pyarrow fails."""
    import pyarrow as pa
    from pyarrow import csv

    names = [str(j) for j in range(fields.width)]
    types = {names[j]: kind for j, kind in kinds.items()}
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            read_options=csv.ReadOptions(column_names=names, block_size=_BLOCK_OF_ARROW),
            parse_options=csv.ParseOptions(delimiter=fields.delimiter, quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=[], strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:  # a column holds something else
        return None
    return table if len(table) == len(fields.lines) else None


def _may_count(numbers: FloatArray) -> bool:
    """Return whether numbers may identify folds or runs: integers in a small range."""
    return bool(np.ptp(numbers) <= _MOST_COUNTED) and not (numbers % 1).any()


def _number_column(fields: Fields, j: int, values: FloatArray) -> NumberColumn | None:
    """Return a column, or None if it contains other cells than numbers."""
    column = NumberColumn(fields, j, values)
    if column.is_finite:
        return column
    numbers = plain_numbers(fields.columns[j])  # words such as nan are not written with digits alone
    return None if numbers is None else NumberColumn(fields, j, np.asarray(numbers))


def _values(fields: Fields, data: bytes, columns: Sequence[int]) -> tuple[list[FloatArray], dict[int, Any]]:
    """Return the values of columns, and the texts of other columns if pyarrow parses the lines.

    If a column contains other cells than numbers, return [nan] for each column. `data` contains the lines as bytes if
    pyarrow can parse them.
    """
    if not columns:
        return [], {}
    if data:
        others = sorted({*range(fields.width)}.difference(columns))
        kind = _dictionary() if len(fields.lines) >= MANY_LINES else "string"
        table = _by_arrow(fields, data, dict.fromkeys(columns, "float64") | dict.fromkeys(others, kind))
        if table is not None:
            found = table.columns
            return (
                [column.to_numpy() for column in found[: len(columns)]],
                {j: _texts_of_arrow(column) for j, column in zip(others, found[len(columns) :], strict=True)},
            )
    options: dict[str, Any] = {"delimiter": fields.delimiter, "comments": None, "encoding": None, "ndmin": 2}
    try:
        return list(np.ascontiguousarray(np.loadtxt(fields.lines, usecols=columns, **options).T)), {}
    except ValueError:
        return [np.array([np.nan])] * len(columns), {}


class _Numbering(dict[str, int]):
    """Mapping of distinct texts to consecutive numbers, in the order of occurrence."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


def _coded(fields: Fields, data: bytes, columns: Sequence[int]) -> dict[int, CodedColumn]:
    """Return columns with repeated texts as codes; `data` has the same meaning as in `_values`."""
    if not columns:
        return {}
    if data and (table := _by_arrow(fields, data, dict.fromkeys(columns, _dictionary()))) is not None:
        found = dict(zip(columns, map(_coded_by_arrow, table.columns), strict=True))
        return {j: own for j, own in found.items() if _repeats(own)}
    numberings = {j: _Numbering() for j in columns}
    codes: dict[int, list[Any]] = {j: [] for j in columns}
    for start in range(0, len(fields.lines), _AT_ONCE):
        if not codes:
            break
        some = Fields(fields.lines[start : start + _AT_ONCE], fields.delimiter, fields.width)
        for j, texts in zip(list(codes), some.texts(list(codes)), strict=True):
            codes[j].append(np.fromiter(map(numberings[j].__getitem__, texts), np.intp, len(texts)))
            if _FEWEST_EACH * len(numberings[j]) > start + _AT_ONCE:
                del codes[j]
    return {j: CodedColumn(list(numberings[j]), np.concatenate(own)) for j, own in codes.items()}


def _dictionary() -> Any:
    import pyarrow as pa

    return pa.dictionary(pa.int32(), pa.string())


def _coded_by_arrow(column: Any) -> CodedColumn:
    blocks = column.unify_dictionaries().chunks
    codes = np.concatenate([block.indices.to_numpy() for block in blocks])
    return CodedColumn(blocks[0].dictionary.to_pylist(), codes.astype(np.intp))


def _repeats(column: CodedColumn) -> bool:
    return _FEWEST_EACH * len(column.values) <= len(column.codes)


def _texts_of_arrow(column: Any) -> CodedColumn | list[str]:
    """Return the texts of a column, which are encoded if they repeat and pyarrow encoded them."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        texts: list[str] = column.to_pylist()
        return texts
    coded = _coded_by_arrow(column)
    return coded if _repeats(coded) else list(coded)


FEWEST_LINES = 3
MOST_LINES = 10_000
_RULE = re.compile(r"[ \t]*(?:[-=]{2,}[ \t]+)+[-=]{2,}[ \t]*")
_SHORTENED = re.compile(r"\[\d+ rows x \d+ columns\]")
_PLUS_MINUS = ("±", "+-", "+/-")
_SPREAD = re.compile(r"(?<=[\d%])[ \t]+(±|\+-|\+/-)[ \t]+(?=[\d.])")  # blanks around the sign within a cell
_GLUED = re.compile(r"\S\s+\d*\.\d+$")  # a name and a score: the blanks between them separate no columns
_DELIMITED = re.compile(r"[\t;|]|,\S*,")
Lines = Sequence[tuple[int, str]]


class Printed(NamedTuple):
    """Cells of a printed table, with their line numbers."""

    rows: list[list[str]]
    numbers: list[int]


def rows_of_printed(lines: Lines, name: str) -> Printed | None:
    """Return the rows of a table whose columns are separated only by blanks, or None for other texts.

    Lines of dashes show the widths of the columns. Without such lines, all lines must have the same number of fields
    between blanks. Alternatively, the positions without a character in any line separate the columns, and names may
    contain blanks.

    Raises
    ------
    TableError
        If the program omitted rows when it printed the table.
    """
    lines = [(number, line.rstrip()) for number, line in lines if line.strip()]
    if not FEWEST_LINES <= len(lines) <= MOST_LINES:
        return None
    if any(_SHORTENED.fullmatch(line.strip()) for _, line in lines):
        problem = f"{name} is a table that pandas printed without some of its rows or columns"
        raise TableError(problem, "write the table with to_csv()")
    rules = [line for _, line in lines[:2] if _RULE.fullmatch(line)]
    lines = [(number, line) for number, line in lines if not _RULE.fullmatch(line)]
    texts, numbers = [line for _, line in lines], [number for number, _ in lines]
    if rules:
        spans = [found.span() for found in re.finditer(r"[-=]+", rules[0])]
        return Printed(_cut(texts, spans), numbers)
    if any(map(_DELIMITED.search, texts)):
        return None
    # a title, or what R's names of columns have together, stands across the columns
    above = [texts[0].split()] if len(texts) > FEWEST_LINES and len(texts[0].split()) == 1 else []
    texts = texts[len(above) :]
    rows = _fields([_SPREAD.sub(r"\1", line) for line in texts])
    rows = rows or _filled_down(_cut(texts, _merged(texts, _spans(texts))))
    if any(_GLUED.search(row[0]) for row in rows[-2:]):
        return None
    return Printed([*above, *rows], numbers) if _holds_numbers(rows) else None


def _fields(lines: Sequence[str]) -> list[list[str]]:
    """Split lines at blanks outside quotes; return an empty list if the numbers of fields differ."""
    try:
        rows = list(csv.reader((line.strip() for line in lines), delimiter=" ", skipinitialspace=True, strict=True))
    except csv.Error:
        return []
    header, *others = rows
    widths = {len(row) for row in others}
    if len(widths) != 1 or not widths <= {len(header), len(header) + 1}:
        return []
    # R writes no name above the names of rows
    return rows if widths == {len(header)} else [["", *header], *others]


def _spans(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the start and end of each column: ranges between positions that are blank in all lines."""
    width = max(map(len, lines))
    is_filled = [any(line[j : j + 1].strip() for line in lines) for j in range(width)]
    groups = itertools.groupby(range(width), key=is_filled.__getitem__)
    found = [list(group) for filled, group in groups if filled]
    return [(at[0], at[-1] + 1) for at in found]


def _merged(lines: Sequence[str], spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join adjacent spans that belong to one column, such as the parts of a name with blanks."""
    merged: list[tuple[int, int]] = []
    is_open = False
    for begin, end in spans:
        header, *cells = (line[begin:end].strip() for line in lines)
        is_part_of_header = header != "" and not any(cells)  # the rest of the name stands above numbers
        is_part_of_name = bool(merged) and not header and any(cells) and not any(map(is_number, filter(None, cells)))
        is_spread = bool(merged) and any(cells) and all(cell.startswith(_PLUS_MINUS) for cell in filter(None, cells))
        if is_open or is_part_of_name or is_spread:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((begin, end))
        is_open = is_part_of_header or {*cells} <= {"", *_PLUS_MINUS}
    return merged


def _cut(lines: Sequence[str], spans: Sequence[tuple[int, int]]) -> list[list[str]]:
    """Cut lines into cells at the starts of the columns."""
    begins = [0, *(begin for begin, _ in spans[1:])]
    ends = [*begins[1:], None]
    return [[line[begin:end].strip() for begin, end in zip(begins, ends, strict=True)] for line in lines]


def _filled_down(rows: list[list[str]]) -> list[list[str]]:
    """Fill in the first names of a two-level index, which are printed once."""
    first = next((i for i, row in enumerate(rows) if row[0] and any(map(is_number, row[1:]))), len(rows))
    for above, row in itertools.pairwise(rows[first:]):
        if not row[0] and row[1]:
            row[0] = above[0]
    return rows


def _holds_numbers(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether a column other than the first contains only numbers in the second half of the rows."""
    if not rows or len(rows[0]) < 2:
        return False
    columns = zip(*rows[-max(1, len(rows) // 2) :], strict=True)  # the second half of the rows, below all header rows
    return any(all(map(is_number, column)) for column in list(columns)[1:])
