"""Cells of text with aligned columns, as printed by pandas, R and tabulate."""

from __future__ import annotations

__all__ = ["rows_of_printed"]

import csv
import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from evalstats.io.sources.title_rows import is_number
from evalstats.tables.errors import TableError

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
