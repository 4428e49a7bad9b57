"""Which fields does a text hold that has no quotation marks, no blank lines, and equally many fields in each line?

Most large files are so. They are split in blocks; whatever is not so is left to the reader that knows every rule.
"""

from __future__ import annotations

__all__ = ["MAX_LINE_LENGTH", "plain_columns"]

import io
from collections.abc import Iterator, Sequence
from typing import Any

from evalstats.tables.grid import TableError, first_line_of

BLOCK = 1 << 22  # characters
MAX_LINE_LENGTH = 10_000_000


def plain_columns(stream: Any, columns: Sequence[list[str]], delimiter: str, name: str, first: int) -> list[str]:
    """Append to columns what a stream still holds, and return the lines from the first block on that is not plain.

    Parameters
    ----------
    stream : file object
        A text, of which the first line of cells has the number `first`.
    columns : sequence of list of str
        What was read of each column.
    delimiter : str
        The character between fields.
    name : str
        Of the source, for messages.

    Raises
    ------
    TableError
        If the text cannot be decoded.
    """
    for block in _blocks(stream, name, first, columns[0]):
        fields = _fields(block, delimiter, len(columns))
        if fields is None:
            lines = list(io.StringIO(block, newline=""))
            if not lines[-1].endswith(("\n", "\r")):
                lines[-1] += stream.readline(MAX_LINE_LENGTH)
            return lines
        for j, column in enumerate(columns):
            column.extend(fields[j :: len(columns)])
    return []


def _blocks(stream: Any, name: str, first: int, column: list[str]) -> Iterator[str]:
    """Yield blocks of whole lines; the last line of a block may be one that is far too long, and is not complete."""
    try:
        while block := stream.read(BLOCK):
            yield block if block.endswith("\n") else block + stream.readline(BLOCK)
    except UnicodeError as error:
        raise TableError(f"{name}, near line {first + len(column)}: {first_line_of(error)}") from None


def _fields(block: str, delimiter: str, width: int) -> list[str] | None:
    """Return the fields of a block, line after line; None where it is not plain."""
    if "\r" in block:
        block = block.replace("\r\n", "\n")
    odd = ('"', "\r", "\0", "\n\n", f"{delimiter} ", "\n ", "\n\t", f"\n{delimiter}")
    if block[0] in f' \t\n{delimiter}"' or not block.isascii() or any(sign in block for sign in odd):
        return None
    if not block.endswith("\n"):
        if len(block) > BLOCK:  # a line that has no end
            return None
        block += "\n"
    lines = block.split("\n")
    lines.pop()
    n = width - 1
    if any(line.count(delimiter) != n for line in lines):
        return None
    return block[:-1].replace("\n", delimiter).split(delimiter)
