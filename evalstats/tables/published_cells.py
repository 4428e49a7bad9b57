"""Which plain table does a published one stand for? Decorated cells become numbers, and what stood there is noted."""

from __future__ import annotations

__all__ = ["plain_grid", "spread_of", "text_of_columns"]

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evalstats._findings import Finding
from evalstats._types import FloatArray
from evalstats.tables.codes import CodedColumn
from evalstats.tables.columns import CLASSIFIER_COLUMNS, DATASET_COLUMNS, is_called, number_in
from evalstats.tables.grid import Grid, Written, short
from evalstats.tables.number_columns import NumberColumn
from evalstats.tables.plain_text import MANY_LINES

NAMES = (*DATASET_COLUMNS, *CLASSIFIER_COLUMNS, "metric", "measure")

# an ASCII text of cells, a line for each, has no decorated one without any of these; the longer ones, also the outcomes
# of tests behind scores, are looked for where their letter stands
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
    "marks": "Marks beside the scores, of significance or of footnotes, are not used",
    "markup": "Bold type and other markup of scores was taken away",
}


def plain_grid(grid: Grid, decimal: str) -> tuple[Grid, str]:
    """Return a grid with plain numbers and names, and its decimal mark; its findings tell what was taken away."""
    if not any(map(_may_hold_text, grid.columns)):
        return grid, "." if decimal == "auto" else decimal
    if not all(isinstance(column, list | NumberColumn) or _is_long(column) for column in grid.columns):
        grid = replace(grid, columns=list(map(_as_list, grid.columns)))
    text = text_of_columns(grid)
    if decimal == "auto":
        decimal = "."
        if "," in text and grid.delimiter != ",":
            from evalstats.tables.decimal_mark import with_decimal  # most tables have no comma

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
        column = own.values if isinstance(own, CodedColumn) else own
        if isinstance(column, list):
            try:
                parts.append("\n".join(column))
            except TypeError:  # cells of a frame or a workbook
                parts.append("\n".join(cell for cell in column if isinstance(cell, str)))
    return "\n".join([*parts, ""])


def _is_long(column: Any) -> bool:
    """Tell whether a column holds many texts, each distinct one once."""
    return isinstance(column, CodedColumn) and len(column) >= MANY_LINES and set(map(type, column.values)) <= {str}


def _as_list(column: Any) -> Any:
    return list(column) if _may_hold_text(column) else column


def _may_hold_text(column: Any) -> bool:
    return not isinstance(column, np.ndarray) or column.dtype.kind not in "biufcmM"


def spread_of(columns: Sequence[Any]) -> FloatArray | None:
    """Return what was read as spread of each cell of columns, shape (n_rows, n_columns); None if nothing was."""
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
    from evalstats.tables.written_numbers import plain_name

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
    from evalstats.tables.written_numbers import written_in  # its patterns take milliseconds to compile

    return written_in(cell, decimal)


def _without_spread(cell: Any) -> Any:
    if isinstance(cell, Written):
        cell.spread = math.nan
    return cell


# --- what is told -----------------------------------------------------------------------------------------------------


def _what_was_beside(columns: Sequence[Any]) -> set[str]:
    return {cell.beside for column in columns for cell in column if isinstance(cell, Written)}


def _are_ranks_in_parentheses(columns: Sequence[Any], decimal: str) -> bool:
    """Tell whether the numbers in parentheses are the ranks 1 to k of each row, equal ones in the middle."""
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
