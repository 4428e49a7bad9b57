"""Which decimal mark do the numbers of a table have, where nobody said it?"""

from __future__ import annotations

__all__ = ["decimal_of", "with_decimal"]

import re
from dataclasses import replace

from evalstats._findings import Finding
from evalstats.tables.grid import Grid, short
from evalstats.tables.number_columns import NumberColumn
from evalstats.tables.published_cells import text_of_columns

_WITH_COMMA = re.compile(r"[+\-\N{MINUS SIGN}]?\d*,\d+(?:[eE][+-]?\d+)?\s?%?", re.ASCII)
_MAY_BE_THOUSANDS = re.compile(r"[+\-\N{MINUS SIGN}]?[1-9]\d{0,2},\d{3}\s?%?", re.ASCII)
_WITH_POINT = re.compile(r"[+\-\N{MINUS SIGN}]?\d*\.\d+(?:[eE][+-]?\d+)?\s?%?", re.ASCII)


def decimal_of(grid: Grid, decimal: str) -> str:
    """Return the decimal mark of a grid, if it is not given."""
    if decimal != "auto":
        return decimal
    # what an engine holds is not fetched to look for commas; it reads numbers as numbers
    return "." if grid.is_held else with_decimal(grid, text_of_columns(grid))[1]


def with_decimal(grid: Grid, text: str) -> tuple[Grid, str]:
    """Take the comma for the decimal mark where fields are separated by something else and no other way is possible."""
    if "," not in text or grid.delimiter == ",":
        return grid, "."
    cells = {cell.strip() for column in grid.columns for cell in column if isinstance(cell, str) and "," in cell}
    numbers = [cell for cell in cells if _WITH_COMMA.match(cell)]
    plain = (cell for column in grid.columns if isinstance(column, NumberColumn) for cell in column)
    certain = any(not _MAY_BE_THOUSANDS.match(cell) for cell in numbers)
    if not certain or any(_WITH_POINT.match(cell.strip()) for cell in (*text.split("\n"), *plain) if "." in cell):
        return grid, "."
    sentence = f"The comma was read as the decimal mark, as in {short(min(numbers))}."
    told = Finding(code="decimal-comma", severity="note", sentence=sentence)
    return replace(grid, findings=(*grid.findings, told)), ","
