"""What does an ARFF file hold: the names of its attributes, and its rows?

Text stands in single or double quotes with a backslash before what is special, a question mark is a missing value, and
``%`` begins a line of comment: WEKA's own quoting, which is not that of CSV.
"""

from __future__ import annotations

__all__ = ["Arff", "arff_in", "fields_of", "unquoted"]

import re
from collections.abc import Iterator
from typing import NamedTuple

from evalstats.tables.grid import TableError, short
from evalstats.tables.seen import Seen

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_FIELD = re.compile(rf"\s*({_QUOTED}|[^,'\"][^,]*|)\s*(?:,|$)", re.DOTALL)
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|\S+)\s+(.+)", re.IGNORECASE | re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MEANT = {"n": "\n", "r": "\r", "t": "\t"}


class Arff(NamedTuple):
    """The attributes and the rows of an ARFF file."""

    relation: str
    names: list[str]
    columns: list[list[str]]
    numbers: list[int]  # of the lines


def fields_of(line: str) -> list[str] | None:
    """Return the fields of a line, still quoted; None where a quotation mark is never closed."""
    line = line.rstrip("\r\n")
    fields: list[str] = []
    at = 0
    while match := _FIELD.match(line, at):
        fields.append(match[1].strip())
        if match.end() == len(line):
            return [*fields, ""] if match[0].endswith(",") else fields
        at = match.end()
    return None


def unquoted(field: str) -> str:
    """Return what a field says: without its quotes, with what the backslashes mean."""
    if len(field) < 2 or field[0] not in "'\"" or field[-1] != field[0]:
        return field
    return _ESCAPED.sub(lambda match: _MEANT.get(match[1], match[1]), field[1:-1])


def arff_in(seen: Seen) -> Arff:
    """Read an ARFF file; its header must come before the line ``@data``."""
    names: list[str] = []
    relation, lines = "", _lines(seen)
    for number, line in lines:
        word, _, rest = line.partition(" ")
        if word.casefold() == "@data":
            rows, numbers = _rows(seen.name, lines, len(names))
            return Arff(
                relation, names, [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names], numbers
            )
        if word.casefold() == "@relation":
            relation = unquoted(rest.strip())
        elif match := _ATTRIBUTE.fullmatch(line):
            names.append(unquoted(match[1]))
        elif word.casefold() not in ("@inputs", "@outputs", "@input", "@output"):
            raise TableError(f"{seen.name}, line {number}: {short(line)} is not a line of the header of an ARFF file")
    raise TableError(f"{seen.name} has no line @data, so that this is not a whole ARFF file")


def _lines(seen: Seen) -> Iterator[tuple[int, str]]:
    for number, line in seen.lines():
        text = line.strip()
        if text and not text.startswith("%"):
            yield number, text.replace("\t", " ")


def _rows(name: str, lines: Iterator[tuple[int, str]], width: int) -> tuple[list[list[str]], list[int]]:
    rows: list[list[str]] = []
    numbers: list[int] = []
    for number, line in lines:
        fields = fields_of(line)
        if fields is None:
            raise TableError(f"{name}, line {number}: a quotation mark is opened and never closed")
        if len(fields) != width:
            raise TableError(f"{name}, line {number} has {len(fields)} fields, but the header has {width} attributes")
        rows.append([unquoted(field) for field in fields])
        numbers.append(number)
    return rows, numbers
