"""Fields of text without quotation marks and blank lines, with the same number of fields in each line.

Most large files have this form, and pyarrow or NumPy parses their numbers. The module `csv` parses other files.
"""

from __future__ import annotations

__all__ = ["MANY_LINES", "MAX_LINE_LENGTH", "columns_of_lines", "plain_lines"]

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from evalstats._types import FloatArray
from evalstats.io.sources.grid import Fields, NumberColumn
from evalstats.io.sources.numbers import plain_numbers
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
