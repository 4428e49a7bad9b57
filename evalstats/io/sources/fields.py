"""Fields of text without quotation marks and blank lines, with the same number of fields in each line.

Most large files have this form, and pyarrow or NumPy parses their numbers. The module `csv` parses other files.
"""

from __future__ import annotations

__all__ = ["MANY_LINES", "MAX_LINE_LENGTH", "columns_of_lines", "plain_lines"]

import io
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from evalstats._types import FloatArray
from evalstats.io.sources.grid import Fields, NumberColumn
from evalstats.io.sources.numbers import plain_numbers
from evalstats.tables.categorical import CodedColumn
from evalstats.tables.errors import TableError, first_line_of

BLOCK = 1 << 22  # size of a block, in characters
_BLOCK_OF_ARROW = 1 << 24  # bytes, more than the longest line
MAX_LINE_LENGTH = 10_000_000
MANY_LINES = 100_000  # minimum number of lines for which repeated texts are stored once
MANY_CELLS = 300_000  # minimum number of cells, below which loading pyarrow takes longer than it saves
_AT_ONCE = 1 << 13  # number of lines in a batch
_FEWEST_EACH = 4  # minimum mean number of rows for each distinct text
_MOST_COUNTED = 10_000  # the range of whole numbers that may be those of folds or runs
_END, _ASCII = ord("\n"), 128
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
        return self._texts[0].split("\n", 1)[0] if at == 0 and self._n else self._split[at]

    def __iter__(self) -> Iterator[str]:
        return iter(self._split)

    @cached_property
    def _split(self) -> list[str]:
        return str(self).split("\n") if self._n else []

    def __str__(self) -> str:
        return "\n".join(self._texts)


def _blocks(stream: Any, head: str) -> Iterator[str]:
    """Yield blocks of complete lines; only an overlong last line may be incomplete."""
    while (block := stream.read(BLOCK)) or head:
        end = "" if block.endswith("\n") or not block else stream.readline(MAX_LINE_LENGTH + 1)
        yield head + block + end
        head = ""


def _is_plain(text: str, width: int, delimiter: str) -> bool:
    """Return whether all lines have `width` fields and no quotation marks, blank first fields or undecoded bytes."""
    # the search for a space alone is faster, and most tables of numbers have none
    if any(sign in text for sign in ('"', "\r", "\0")) or (" " in text and f"{delimiter} " in text):
        return False
    if not text.isascii() and _NOT_DECODED.search(text):
        return False
    if len(text) - text.rfind("\n") > MAX_LINE_LENGTH + 1:
        return False
    firsts = _first_signs(text, width, delimiter)
    return bool(firsts) and not any(sign == delimiter or sign.isspace() for sign in firsts)


def _first_signs(text: str, width: int, delimiter: str) -> set[str]:
    """Return the first characters of the lines if each line has `width` fields; otherwise, return an empty set."""
    if delimiter.isascii():
        data = np.frombuffer(f"{text}\n".encode(), np.uint8)
        is_end = data == _END
        ends = is_end[(data == ord(delimiter)) | is_end]  # of the fields; True for the last field of a line
        if len(ends) % width or not (ends.reshape(-1, width) == (np.arange(width) == width - 1)).all():
            return set()
        counts = np.bincount(data[np.append(0, np.flatnonzero(is_end)[:-1] + 1)])
        if len(counts) <= _ASCII:
            return set(map(chr, np.flatnonzero(counts).tolist()))
    lines = text.split("\n")
    return {line[:1] for line in lines} if {line.count(delimiter) for line in lines} == {width - 1} else set()


def columns_of_lines(lines: Sequence[str], width: int, delimiter: str) -> list[Any]:
    """Split plain lines into columns: numbers if all cells are numbers, otherwise texts.

    If there are many lines, a repeated text is stored once.
    """
    fields = Fields(lines, delimiter, width)
    text = str(lines) if isinstance(lines, PlainLines) else "\n".join(lines)
    data = text.encode() if width * len(lines) >= MANY_CELLS and _suits_arrow(lines, delimiter) else b""
    numbers = {j: NumberColumn(fields, j, own) for j, own in _numbers_in(fields, data).items()}
    columns: dict[int, Any] = dict(numbers)
    others = [j for j in range(width) if j not in columns]
    if others and len(lines) >= MANY_LINES:
        counters = [j for j, column in numbers.items() if _may_count(column.numbers)]
        for j, own in _coded(fields, data, sorted([*others, *counters])).items():
            if j in numbers:
                numbers[j].coded = own
            else:
                columns[j] = own
        others = [j for j in others if j not in columns]
    if others:
        columns |= dict(zip(others, fields.texts(others), strict=True))
    return [columns[j] for j in range(width)]


def _suits_arrow(lines: Sequence[str], delimiter: str) -> bool:
    """Return whether pyarrow is installed and splits these lines in the same way."""
    try:
        import pyarrow.csv  # noqa: F401 (whether it can be)
    except ImportError:
        return False
    return delimiter.isascii() and not lines[0].startswith("\ufeff")


def _by_arrow(fields: Fields, data: bytes, columns: Sequence[int], kind: Any) -> Any:
    """Parse columns of one type with pyarrow; return None if pyarrow fails."""
    import pyarrow as pa
    from pyarrow import csv

    names = [str(j) for j in range(fields.width)]
    own = [names[j] for j in columns]
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            read_options=csv.ReadOptions(column_names=names, block_size=_BLOCK_OF_ARROW),
            parse_options=csv.ParseOptions(delimiter=fields.delimiter, quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(own, kind), include_columns=own, null_values=[], strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:  # a column holds something else
        return None
    return table if len(table) == len(fields.lines) else None


def _may_count(numbers: FloatArray) -> bool:
    """Return whether numbers may identify folds or runs: integers in a small range."""
    return bool(np.ptp(numbers) <= _MOST_COUNTED) and not (numbers % 1).any()


def _numbers_in(fields: Fields, data: bytes) -> dict[int, FloatArray]:
    """Return the columns that contain only numbers; `data` contains the lines as bytes if pyarrow can parse them."""
    # the first line identifies most columns of names
    first = fields.lines[0].split(fields.delimiter) if fields.lines else []
    columns = [j for j, cell in enumerate(first) if plain_numbers([cell]) is not None]
    if not columns:
        return {}
    found = {}
    # words such as nan are not written with digits alone
    for j, own in zip(columns, _values(fields, data, columns), strict=True):
        numbers = own if np.isfinite(own).all() else plain_numbers(fields.columns[j])
        if numbers is not None:
            found[j] = np.asarray(numbers)
    return found


def _values(fields: Fields, data: bytes, columns: Sequence[int]) -> list[FloatArray]:
    """Return the values of columns; if a column contains other cells, return [nan] for each column."""
    table = _by_arrow(fields, data, columns, "float64") if data else None
    if table is not None:
        return [column.to_numpy() for column in table.columns]
    options: dict[str, Any] = {"delimiter": fields.delimiter, "comments": None, "encoding": None, "ndmin": 2}
    try:
        return list(np.ascontiguousarray(np.loadtxt(fields.lines, usecols=columns, **options).T))
    except ValueError:
        return [np.array([np.nan])] * len(columns)


class _Numbering(dict[str, int]):
    """Mapping of distinct texts to consecutive numbers, in the order of occurrence."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


def _coded(fields: Fields, data: bytes, columns: Sequence[int]) -> dict[int, CodedColumn]:
    """Return columns with repeated texts as codes; `data` has the same meaning as in `_numbers_in`."""
    if data and (table := _by_arrow(fields, data, columns, _dictionary())) is not None:
        found = dict(zip(columns, map(_coded_by_arrow, table.columns), strict=True))
        return {j: own for j, own in found.items() if _FEWEST_EACH * len(own.values) <= len(own.codes)}
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
