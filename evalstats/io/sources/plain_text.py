"""Which fields does a text hold that has no quotation marks, no blank lines, and equally many fields in each line?

Most large files are so. They are split in blocks; whatever is not so is left to the reader that knows every rule.
"""

from __future__ import annotations

__all__ = ["MAX_LINE_LENGTH", "plain_columns"]

import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats._types import AnyArray, FloatArray, IndexArray
from evalstats.io.sources.field_encoding import coded_fields
from evalstats.io.sources.number_parser import Fields, NumberColumn, last_eight, plain_number_fields
from evalstats.io.sources.numbers import plain_numbers
from evalstats.tables.errors import TableError, first_line_of

BLOCK = 1 << 22  # characters
LARGE = 1 << 14  # with fewer characters, numbers one by one are as fast
MANY_LINES = 100_000  # with fewer, it does not matter whether texts are kept once
MAX_LINE_LENGTH = 10_000_000


def plain_columns(
    stream: Any, head: str, width: int, delimiter: str, name: str, first: int
) -> tuple[list[Any], list[str]]:
    """Return the columns of a text, and its lines from the first block on that is not plain.

    Parameters
    ----------
    stream : file object
        The text from its first line of cells on, without `head`.
    head : str
        Whole lines of it that were read already; the first has the number `first`.
    width : int
        The number of columns.
    delimiter : str
        The character between fields.
    name : str
        Of the source, for messages.

    Raises
    ------
    TableError
        If the text cannot be decoded.
    """
    parts: list[_Part] = []
    left: list[str] = []
    rows_read = 0
    try:
        for block, is_whole in _blocks(stream, head):
            part = _part(block, delimiter, width) if is_whole else None
            if part is None:
                # the last line is not complete, or ends with half of a line break
                end = "" if block.endswith("\n") else stream.readline(MAX_LINE_LENGTH)
                left = list(io.StringIO(block + end, newline=""))
                break
            parts.append(part)
            rows_read += len(part.ends) // width
    except UnicodeError as error:
        raise TableError(f"{name}, near line {first + rows_read}: {first_line_of(error)}") from None
    return _joined(parts, delimiter, width), left


class _Part(NamedTuple):
    """The fields of a block whose last line ends with a line break, and its characters, one byte each."""

    text: str
    ends: IndexArray
    codes: AnyArray


def _blocks(stream: Any, head: str) -> Iterator[tuple[str, bool]]:
    """Yield blocks of whole lines; the last line of a block may be one that is far too long, and is not complete."""
    while (block := stream.read(BLOCK)) or head:
        end = "" if block.endswith("\n") or not block else stream.readline(BLOCK)
        yield head + block + end, len(end) < BLOCK
        head = ""


def _part(block: str, delimiter: str, width: int) -> _Part | None:
    """Return the fields of a block, line after line; None where it is not plain."""
    if "\r" in block:
        block = block.replace("\r\n", "\n")
    if any(sign in block for sign in '"\r\0') or not _has_codes(block, delimiter):
        return None
    if not block.endswith("\n"):
        block += "\n"
    codes = np.frombuffer(block.encode("ascii", "replace"), dtype=np.uint8)
    is_line_end = codes == ord("\n")
    ends = np.flatnonzero(is_line_end | (codes == ord(delimiter)))
    n_lines = np.count_nonzero(is_line_end)
    is_even = len(ends) == n_lines * width and is_line_end[ends[width - 1 :: width]].all()
    ends = np.concatenate([[-1], ends])
    return _Part(block, ends, codes) if is_even and not _has_spaces(block, codes, ends, width, delimiter) else None


def _has_spaces(block: str, codes: AnyArray, ends: IndexArray, width: int, delimiter: str) -> bool:
    """Tell whether a field begins with a space, or a line with what may be blank."""
    first = codes[ends[:-1] + 1]
    if (first == ord(" ")).any():
        return True
    of_lines = first[::width]
    # beyond ASCII there are blanks too
    is_odd = (of_lines <= ord(" ")) | (of_lines == ord(delimiter)) | (of_lines == ord("?"))
    starts = ends[:-1:width][is_odd] + 1
    return any(block[start].isspace() or block[start] == delimiter for start in starts.tolist())


def _has_codes(block: str, delimiter: str) -> bool:
    """Tell whether every character of a text was decoded, and none can be taken for another in one byte."""
    if block.isascii():
        return delimiter.isascii()
    try:
        block.encode()
    except UnicodeError:  # a byte that is no text
        return False
    return delimiter.isascii() and delimiter != "?"


def _joined(parts: Sequence[_Part], delimiter: str, width: int) -> list[Any]:
    """Return the columns of all blocks: those that hold numbers only as such, if there are many, and the others."""
    if not parts or sum(len(part.text) for part in parts) < LARGE:
        return _as_texts(parts, delimiter, width)
    numbers = _numbers_of(parts, width)
    sizes = np.cumsum([0, *(len(part.text) for part in parts)])
    ends = [part.ends[1:] + size for part, size in zip(parts, sizes[:-1].tolist(), strict=True)]
    fields = Fields("".join(part.text for part in parts), np.concatenate([[-1], *ends]))
    at = np.arange(0, len(fields.ends) - 1, width)
    columns: dict[int, Any] = {j: NumberColumn(fields, at + j, own) for j, own in numbers.items()}
    others = [j for j in range(width) if j not in columns]
    if len(at) >= MANY_LINES and fields.text.isascii():
        texts = [(Fields(part.text, part.ends), last_eight(part.codes)) for part in parts]
        for j in others:
            own = coded_fields(texts, [np.arange(j, len(part.ends) - 1, width) for part in parts])
            columns |= {} if own is None else {j: own}
        others = [j for j in others if j not in columns]
    # where most columns are texts, they are split together
    split = _as_texts(parts, delimiter, width) if 2 * len(others) > width else None
    columns |= {j: fields.texts(at + j) if split is None else split[j] for j in others}
    return [columns[j] for j in range(width)]


def _as_texts(parts: Sequence[_Part], delimiter: str, width: int) -> list[Any]:
    columns: list[list[str]] = [[] for _ in range(width)]
    for part in parts:
        fields = part.text[:-1].replace("\n", delimiter).split(delimiter)
        for j, column in enumerate(columns):
            column.extend(fields[j::width])
    return list(columns)


# --- numbers ----------------------------------------------------------------------------------------------------------


def _numbers_of(parts: Sequence[_Part], width: int) -> dict[int, FloatArray]:
    """Return the numbers of each column that holds nothing else."""
    found: dict[int, list[FloatArray]] = {j: [] for j in range(width)}
    for part in parts:
        own = _numbers_of_part(part, width, list(found))
        found = {j: [*before, own[j]] for j, before in found.items() if j in own}
    return {j: own[0] if len(own) == 1 else np.concatenate(own) for j, own in found.items()}


def _numbers_of_part(part: _Part, width: int, columns: list[int]) -> dict[int, FloatArray]:
    # the first line tells most of the columns of names
    fields = Fields(part.text, part.ends)
    cells = fields.texts(np.array(columns, dtype=np.intp))
    columns = [j for j, cell in zip(columns, cells, strict=True) if plain_numbers([cell]) is not None]
    if not columns:
        return {}
    at = np.arange(0, len(part.ends) - 1, width)[:, np.newaxis] + np.array(columns)
    starts, stops = part.ends[at] + 1, part.ends[at + 1]
    values, is_plain = plain_number_fields(part.codes, starts.ravel(), stops.ravel())
    by_column, is_plain = np.ascontiguousarray(values.reshape(at.shape).T), is_plain.reshape(at.shape)
    found = {}
    for i, (j, is_known) in enumerate(zip(columns, np.all(is_plain, axis=0).tolist(), strict=True)):
        if is_known or _with_others(fields, at[:, i], by_column[i], ~is_plain[:, i]):
            found[j] = by_column[i]
    return found


def _with_others(fields: Fields, at: IndexArray, values: FloatArray, is_other: AnyArray) -> bool:
    """Write what `float` reads in other fields into the values of a column; tell whether all are numbers."""
    numbers = plain_numbers(fields.texts(at[is_other]))
    if numbers is not None:
        values[is_other] = numbers
    return numbers is not None
