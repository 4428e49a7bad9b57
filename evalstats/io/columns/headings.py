"""Rows of a table of numbers that are headings of groups of rows.

A heading has no number of its own. Rows of predictions also have one text in all cells if every classifier is correct,
so a table of answers has no headings.
"""

from __future__ import annotations

__all__ = ["without_headings"]

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from evalstats._errors import examples
from evalstats._findings import Finding
from evalstats._lexicon import MISSING_WORDS
from evalstats.io.sources.grid import Grid, only_rows
from evalstats.io.sources.title_rows import is_number, is_one_text
from evalstats.tables.errors import short
from evalstats.tables.names import text_of

_RULE = re.compile(r":?[-=]{2,}:?")
_DRAWN = ("-", "=", ":")
_LOOKED_AT = 1000  # cells of numbers


def without_headings(grid: Grid) -> Grid:
    """Return a table of numbers without the rows that name groups, with a finding that lists them.

    A heading is a row with one text in all its cells, as a cell that spans the table gives, or a row with a name and
    nothing else if the first row is one. A line drawn between rows is none of them either.
    """
    if len(grid.header) < 2 or not grid.numbers or not all(isinstance(column, list) for column in grid.columns):
        return grid  # a column of numbers has a value in each row
    lines, spanning = _of_one_text(grid)
    headings = {*spanning, *_with_a_name_only(grid)}
    gone = headings.union(lines)
    if not gone or len(gone) == len(grid.numbers) or not _holds_numbers(grid, gone):
        return grid
    left = only_rows(grid, [i for i in range(len(grid.numbers)) if i not in gone])
    if not headings:
        return left
    names = examples([short(text_of(grid.columns[0][i])) for i in sorted(headings)])
    sentence = f"Rows with one name and no number were treated as headings of groups: {names}."
    numbers: dict[str, float] = {"n_rows_left_out": len(headings)}
    told = Finding(code="headings", severity="note", sentence=sentence, numbers=numbers)
    return replace(left, findings=(*grid.findings, told))


def _of_one_text(grid: Grid) -> tuple[set[int], set[int]]:
    """Return the rows that are drawn lines, and those with one text in all cells."""
    first, second, *_ = grid.columns
    # nearly all rows differ in their first two cells already
    alike = [i for i, (a, b) in enumerate(zip(first, second, strict=True)) if _begin_alike(a, b)]
    lines, spanning = set(), set()
    for i in alike:
        row = [column[i] for column in grid.columns]
        if all(isinstance(cell, str) and _RULE.fullmatch(cell.strip()) for cell in row):
            lines.add(i)
        elif is_one_text(row):
            spanning.add(i)
    return lines, spanning


def _begin_alike(a: Any, b: Any) -> bool:
    if not isinstance(a, str) or not isinstance(b, str):
        return False
    return a[:1] == b[:1] != "" or (a[:1] in _DRAWN and b[:1] in _DRAWN)


def _with_a_name_only(grid: Grid) -> list[int]:
    """Return the rows with a name and nothing else, if the first row is one and the last is not."""
    if len(grid.header) < 3:
        return []
    found: list[int] = []
    for i, row in enumerate(zip(*grid.columns, strict=True)):
        if _is_name_only(row):
            found.append(i)
        elif not found:
            return []
    return [] if len(grid.numbers) - 1 in found else found


def _is_name_only(row: Collection[Any]) -> bool:
    # any digit shows that an integer is not a name; an integer of thousands of digits cannot be converted to text
    first, *rest = ("0" if isinstance(cell, int) else text_of(cell) for cell in row)
    return bool(first) and not any(map(str.isdigit, first)) and not any(rest)


def _holds_numbers(grid: Grid, gone: Collection[int]) -> bool:
    """Return whether most cells outside the column of names are numbers."""
    n_cells = n_numbers = 0
    for cell in _cells(grid, gone):
        n_cells += 1
        n_numbers += is_number(cell)
        if n_cells == _LOOKED_AT:
            break
    return n_cells > 0 and 2 * n_numbers >= n_cells


def _cells(grid: Grid, gone: Collection[int]) -> Iterator[Any]:
    """Yield the cells behind the first column that are not missing, row by row."""
    for i, row in enumerate(zip(*grid.columns[1:], strict=True)):
        if i not in gone:
            yield from (cell for cell in row if text_of(cell).casefold() not in MISSING_WORDS)
