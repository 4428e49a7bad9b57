"""Conversion of a published table to a plain table: decorated cells become numbers, and a note records the change."""

from __future__ import annotations

__all__ = ["decimal_of", "filled_down", "plain_grid", "spread_of", "text_of_columns", "with_decimal"]

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evalstats._findings import Finding
from evalstats._lexicon import is_called, word_list
from evalstats._types import FloatArray
from evalstats.io.sources.fields import MANY_LINES
from evalstats.io.sources.grid import Grid, NumberColumn, Written
from evalstats.io.sources.numbers import number_in
from evalstats.tables.categorical import CodedColumn
from evalstats.tables.errors import short
from evalstats.tables.names import text_of

_WITH_COMMA = re.compile(r"[+\-\N{MINUS SIGN}]?\d*,\d+(?:[eE][+-]?\d+)?\s?%?", re.ASCII)
_MAY_BE_THOUSANDS = re.compile(r"[+\-\N{MINUS SIGN}]?[1-9]\d{0,2},\d{3}\s?%?", re.ASCII)
_WITH_POINT = re.compile(r"[+\-\N{MINUS SIGN}]?\d*\.\d+(?:[eE][+-]?\d+)?\s?%?", re.ASCII)


NAMES = word_list("columns.dataset", "columns.classifier", "columns.metric")

# an ASCII text of cells, a line for each, has no decorated one without any of these; the longer ones, also the outcomes
# of tests after scores, are searched for only if their letter occurs
_SIGNS = "\\*$([{`~<&"
_LONGER_SIGNS = {
    "_": ("__",),
    "+": ("+-", "+/", " +\n", "\t+\n"),
    "-": (" -\n", "\t-\n"),
    "=": (" =\n", "\t=\n"),
    "v": (" v\n", "\tv\n"),
    "n": (" ns\n", "\tns\n", " n.s.\n", "\tn.s.\n"),
}

_SENTENCES = {
    "plus-minus": "The numbers after ± were read as spread and are not used",
    "parentheses": "The numbers in parentheses were read as spread and are not used",
    "ranks": "The numbers in parentheses are the ranks of each row and are not used",
    "interval": "The intervals behind the scores are not used",
    "difference": "The differences in parentheses behind the scores are not used",
    "marks": "Marks of significance or footnotes next to the scores are not used",
    "markup": "Bold type and other markup of scores was taken away",
}


def plain_grid(grid: Grid, decimal: str) -> tuple[Grid, str]:
    """Return a grid with plain numbers and names, and its decimal mark; its findings list what was removed."""
    if not any(map(_may_hold_text, grid.columns)):
        return grid, "." if decimal == "auto" else decimal
    if not all(isinstance(column, list | NumberColumn) or _is_long(column) for column in grid.columns):
        grid = replace(grid, columns=list(map(_as_list, grid.columns)))
    text = text_of_columns(grid)
    if decimal == "auto":
        decimal = "."
        if "," in text and grid.delimiter != ",":
            grid, decimal = with_decimal(grid, text)
    if not _may_be_decorated(text):
        return grid, decimal
    grid = replace(grid, columns=list(map(_as_list, grid.columns)))
    of_names = [j == 0 or is_called(name, NAMES) for j, name in enumerate(grid.header)]
    columns = [
        column if is_of_names else _plain_column(column, decimal)
        for column, is_of_names in zip(grid.columns, of_names, strict=True)
    ]
    found = _what_was_beside(columns)
    if not found:
        return grid, decimal
    header = _plain_names(grid.header)
    columns = [
        _plain_names(column) if is_of_names else column for column, is_of_names in zip(columns, of_names, strict=True)
    ]
    if found == {"parentheses"} and _are_ranks_in_parentheses(columns, decimal):
        columns = [[_without_spread(cell) for cell in column] for column in columns]
        return replace(
            grid, header=header, columns=columns, findings=(*grid.findings, _told("ranks", columns))
        ), decimal
    findings = [_told(what, columns) for what in _SENTENCES if what in found]
    return replace(grid, header=header, columns=columns, findings=(*grid.findings, *findings)), decimal


def _may_be_decorated(text: str) -> bool:
    if not text.isascii() or any(sign in text for sign in _SIGNS):
        return True
    return any(letter in text and any(sign in text for sign in signs) for letter, signs in _LONGER_SIGNS.items())


def text_of_columns(grid: Grid) -> str:
    """Return all texts of a grid in one, a line for each; columns of plain numbers have none."""
    parts = ["\n".join(grid.header)]
    for own in grid.columns:
        column = _distinct(own)
        if isinstance(column, list):
            try:
                parts.append("\n".join(column))
            except TypeError:  # cells of a frame or a workbook
                parts.append("\n".join(cell for cell in column if isinstance(cell, str)))
    return "\n".join([*parts, ""])


def _is_long(column: Any) -> bool:
    """Return whether a column holds many texts, each distinct one once."""
    return isinstance(column, CodedColumn) and len(column) >= MANY_LINES and set(map(type, column.values)) <= {str}


def _distinct(column: Any) -> Any:
    return column.values if isinstance(column, CodedColumn) else column


def _as_list(column: Any) -> Any:
    return list(column) if _may_hold_text(column) else column


def _may_hold_text(column: Any) -> bool:
    return not isinstance(column, np.ndarray) or column.dtype.kind not in "biufcmM"


def spread_of(columns: Sequence[Any]) -> FloatArray | None:
    """Return the spread of each cell of columns, shape (n_rows, n_columns); None if no cell has one."""
    lists = [column for column in columns if isinstance(column, list)]
    if not any(Written in set(map(type, column)) for column in lists):
        return None
    spread = np.array([[getattr(cell, "spread", math.nan) for cell in column] for column in columns]).T
    return None if np.isnan(spread).all() else spread


# --- cells ------------------------------------------------------------------------------------------------------------


def _plain_column(column: Any, decimal: str) -> Any:
    """Return a column with its decorated numbers as plain ones, if it is one of numbers."""
    if not isinstance(column, list) or not any(isinstance(cell, str) for cell in column):
        return column
    plain = [_plain_cell(cell, decimal) for cell in column]
    n_numbers = sum(cell is not None for cell in plain)
    if 2 * n_numbers >= len(plain) and any(isinstance(cell, Written) for cell in plain):
        return [cell if number is None else number for cell, number in zip(column, plain, strict=True)]
    return column


def _plain_names(names: Sequence[Any]) -> list[Any]:
    """Return names without the markup around them, as long as those that differ still do."""
    from evalstats.io.sources.numbers import plain_name

    texts = {name: plain_name(name) for name in names if isinstance(name, str)}
    if len(set(texts.values())) < len(texts):
        return list(names)
    return [texts[name] if isinstance(name, str) else name for name in names]


def _plain_cell(cell: Any, decimal: str) -> Any:
    """Return a cell that is a number, decorated or not; None if it is none."""
    if number_in(cell, decimal) is not None:
        return "" if cell is None else cell
    if not isinstance(cell, str):
        return None
    from evalstats.io.sources.numbers import written_in  # its patterns take milliseconds to compile

    return written_in(cell, decimal)


def _without_spread(cell: Any) -> Any:
    if isinstance(cell, Written):
        cell.spread = math.nan
    return cell


# --- findings ---------------------------------------------------------------------------------------------------------


def _what_was_beside(columns: Sequence[Any]) -> set[str]:
    return {cell.beside for column in columns for cell in column if isinstance(cell, Written)}


def _are_ranks_in_parentheses(columns: Sequence[Any], decimal: str) -> bool:
    """Return whether the numbers in parentheses are the ranks 1 to k of each row, equal ones in the middle."""
    of_numbers = [column for column in columns if any(isinstance(cell, Written) for cell in column)]
    k = len(of_numbers)
    rows = list(zip(*of_numbers, strict=True))
    if k < 2 or not rows:
        return False
    for row in rows:
        ranks = [cell.inside if isinstance(cell, Written) else math.nan for cell in row]
        if not math.isclose(sum(ranks), k * (k + 1) / 2) or min(ranks) < 1 or any(2 * rank % 1 for rank in ranks):
            return False
    return len(rows) * k >= 4


def _told(what: str, columns: Sequence[Any]) -> Finding:
    beside = "parentheses" if what == "ranks" else what
    cells = [cell.cell for column in columns for cell in column if isinstance(cell, Written) and cell.beside == beside]
    n = len(cells)
    return _note(what, f"{_SENTENCES[what]} ({n:,} {'cell' if n == 1 else 'cells'}, such as {short(cells[0])}).")


def _note(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="note", sentence=sentence)


def decimal_of(grid: Grid, decimal: str) -> str:
    """Return the decimal mark of a grid, if it is not given."""
    if decimal != "auto":
        return decimal
    # rows of an engine are not loaded to search for commas; the engine reads numbers as numbers
    return "." if grid.is_held else with_decimal(grid, text_of_columns(grid))[1]


def with_decimal(grid: Grid, text: str) -> tuple[Grid, str]:
    """Return a grid and its decimal mark: the comma only if it separates no fields and no other reading is possible."""
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


def filled_down(grid: Grid, keys: Sequence[int], told: tuple[Finding, ...] = ()) -> tuple[Grid, tuple[Finding, ...]]:
    """Return a long table with each empty name filled by the one above it, if one of its columns of names has some.

    `keys` are the columns of names. If two rows would have the same names, nothing is filled. The findings in `told`
    come before the new finding.
    """
    if grid.is_held:
        return grid, told
    gaps = [j for j in keys if not all(map(text_of, _distinct(grid.columns[j])))]
    if len(gaps) != 1:
        return grid, told
    names = {j: [text_of(cell) for cell in grid.columns[j]] for j in keys}
    if not names[gaps[0]][0]:
        return grid, told
    filled: list[str] = []
    for name in names[gaps[0]]:
        filled.append(name or filled[-1])
    names[gaps[0]] = filled
    if len(set(zip(*names.values(), strict=True))) < len(filled):
        return grid, told
    sentence = f"Empty cells in {short(grid.header[gaps[0]])} were treated as the name above them, as merged cells are."
    columns = [filled if j == gaps[0] else column for j, column in enumerate(grid.columns)]
    return replace(grid, columns=columns), (*told, Finding(code="merged-cells", severity="note", sentence=sentence))
