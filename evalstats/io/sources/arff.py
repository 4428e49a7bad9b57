"""Attributes and rows of an ARFF file.

WEKA quotes text in single or double quotes, with a backslash before special characters, unlike CSV. A question mark is
a missing value, and ``%`` begins a comment line.
"""

from __future__ import annotations

__all__ = ["Arff", "arff_of", "fields_of", "grid_of_arff", "looks_like_arff", "unquoted"]

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from evalstats.io.sources.grid import Grid
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import texts_of

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_FIELD = re.compile(rf"\s*({_QUOTED}|[^,'\"][^,]*|)\s*(?:,|$)", re.DOTALL)
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|\S+)\s+(.+)", re.IGNORECASE | re.DOTALL)
_SPACED = re.compile(rf"{_QUOTED}|[^\s'\"]+")
_SPARSE = re.compile(r"\{(.*)\}")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MEANT = {"n": "\n", "r": "\r", "t": "\t"}


class Arff(NamedTuple):
    """The attributes and the rows of an ARFF file."""

    relation: str
    names: list[str]
    columns: list[list[str]]
    numbers: list[int]  # line numbers of the rows


def fields_of(line: str) -> list[str] | None:
    """Split a line into fields that keep their quotes; return None if a quote is not closed."""
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
    """Return the value of a field without quotes, with backslash escapes resolved."""
    if len(field) < 2 or field[0] not in "'\"" or field[-1] != field[0]:
        return field
    return _ESCAPED.sub(lambda match: _MEANT.get(match[1], match[1]), field[1:-1])


def looks_like_arff(lines: Iterable[tuple[int, str]]) -> bool:
    """Return whether the first line that is not a comment declares a relation or an attribute."""
    texts = (line.strip("\ufeff \t\r\n").casefold() for _, line in lines)
    first = next((text for text in texts if text and not text.startswith("%")), "")
    return first.startswith(("@relation", "@attribute"))


def grid_of_arff(name: str, lines: Iterable[tuple[int, str]], rows: str | None, header_rows: int | None) -> Grid:
    """Return the cells of a table that is written as ARFF."""
    if rows is not None or header_rows is not None:
        given = "rows" if rows is not None else "header_rows"
        raise TableError(f"{name} is an ARFF file, which defines its columns and rows; omit {given}")
    arff = arff_of(name, lines)
    if len(arff.names) < 2:
        raise TableError(
            f"{name} has {len(arff.names)} attributes; a table must have a column of names and a column of scores"
        )
    header = texts_of(arff.names)
    return Grid(
        name=name, header=header, columns=arff.columns, word="line", numbers=arff.numbers, must_name_datasets=True
    )


def arff_of(name: str, all_lines: Iterable[tuple[int, str]]) -> Arff:
    """Parse the lines of an ARFF file; `name` identifies the file in messages."""
    names: list[str] = []
    empty: list[str] = []
    relation, lines, has_outputs, classes = "", _lines(all_lines), False, list[str]()
    for number, line in lines:
        word, _, rest = line.partition(" ")
        if word.casefold() == "@data":
            if (first := next(lines, None)) is not None:
                lines = itertools.chain([first], lines)
                pair = _fields_of_row(first[1], ["", ""]) or []
                if len(names) != 2 and len(pair) == 2 and (has_outputs or unquoted(pair[0]) in classes):
                    names, empty = ["y_true", "y_pred"], ["", ""]  # the results of KEEL, below the header of the data
            rows, numbers = _rows(name, lines, empty)
            return Arff(
                relation, names, [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names], numbers
            )
        if word.casefold() == "@relation":
            relation = unquoted(rest.strip())
        elif match := _ATTRIBUTE.fullmatch(line):
            names.append(unquoted(match[1]))
            classes = _values(match[2])  # of the last attribute
            empty.append(classes[0] if classes else "0")
        elif word.casefold() in ("@outputs", "@output"):
            has_outputs = True
        elif word.casefold() not in ("@inputs", "@input"):
            raise TableError(f"{name}, line {number}: {short(line)} is not a header line of an ARFF file")
    raise TableError(f"{name} has no line @data, so the ARFF file is not complete")


def _values(kind: str) -> list[str]:
    """Return the values of a nominal attribute. In a sparse row, the first value stands for omitted cells."""
    values = fields_of(kind[1:].rpartition("}")[0]) if kind.startswith("{") else None
    return list(map(unquoted, values or ()))


def _lines(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for number, line in lines:
        text = line.strip("\ufeff \t\r\n")
        if text and not text.startswith("%"):
            yield number, text.replace("\t", " ")


def _rows(name: str, lines: Iterator[tuple[int, str]], empty: list[str]) -> tuple[list[list[str]], list[int]]:
    rows: list[list[str]] = []
    numbers: list[int] = []
    for number, line in lines:
        fields = _fields_of_row(line, empty)
        if fields is None:
            raise TableError(f"{name}, line {number}: a quotation mark is opened and never closed")
        if len(fields) != len(empty):
            problem = f"{name}, line {number} has {len(fields)} fields, but the header has {len(empty)} attributes"
            raise TableError(problem)
        rows.append([unquoted(field) for field in fields])
        numbers.append(number)
    return rows, numbers


def _fields_of_row(line: str, empty: list[str]) -> list[str] | None:
    """Split a row at commas or white space; expand a sparse row to all fields."""
    if sparse := _SPARSE.fullmatch(line):
        pairs = [pair.strip().partition(" ") for pair in fields_of(sparse[1]) or [] if pair.strip()]
        if not all(at.isdecimal() and int(at) < len(empty) for at, _, _ in pairs):
            return []
        row = list(empty)
        for at, _, value in pairs:
            row[int(at)] = value.strip()
        return row
    if "," not in line and len(empty) > 1 and not _SPACED.sub("", line).strip():
        return _SPACED.findall(line)
    return fields_of(line)
