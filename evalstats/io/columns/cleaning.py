"""Removal of decoration and headings from published tables, and warnings about failed runs. Findings list changes."""

from __future__ import annotations

__all__ = [
    "decimal_of",
    "failed_runs",
    "filled_down",
    "plain_grid",
    "spread_of",
    "text_of_columns",
    "with_decimal",
    "with_plain_thousands",
    "without_headings",
]

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evalstats._errors import examples
from evalstats._findings import Finding
from evalstats._lexicon import MISSING_WORDS, is_called, simplified, word_list
from evalstats._types import FloatArray
from evalstats.io.columns.roles import columns_called
from evalstats.io.sources.fields import MANY_LINES
from evalstats.io.sources.grid import Grid, NumberColumn, Written, only_rows
from evalstats.io.sources.numbers import (
    MARKS,
    frequent_number,
    number_in,
    thousands_mark,
    without_thousands,
    written_in,
)
from evalstats.io.sources.table_region import is_number, is_one_text
from evalstats.tables.categorical import CodedColumn, coded
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of, texts_of

_WITH_COMMA = re.compile(r"[+\-\N{MINUS SIGN}]?\d*,\d+(?:[eE][+-]?\d+)?\s?%?", re.ASCII)
_MAY_BE_THOUSANDS = re.compile(r"[+\-\N{MINUS SIGN}]?[1-9]\d{0,2},\d{3}\s?%?", re.ASCII)
_MAY_BE_GROUPED = re.compile(r"[1-9]\d{0,2}\.\d{3}", re.ASCII)
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

_NAMES_OF_MARKS = {",": "comma", ".": "point", "'": "apostrophe", " ": "space"}

_SENTENCES = {
    "plus-minus": "The numbers after ± were read as spread and are not used",
    "parentheses": "The numbers in parentheses were read as spread and are not used",
    "ranks": "The numbers in parentheses are the ranks of each row and are not used",
    "interval": "The intervals after the scores are not used",
    "difference": "The differences in parentheses after the scores are not used",
    "marks": "Marks of significance or footnotes next to the scores are not used",
    "markup": "Bold type and other markup of scores were removed",
}


def plain_grid(grid: Grid, decimal: str, thousands: str | None = None) -> tuple[Grid, str]:
    """Return a grid without decoration of numbers and names, and its decimal mark. Findings list the changes.

    `thousands` is the given thousands separator.
    """
    if decimal == "auto" and thousands is None and grid.delimiter == ";":
        _refuse_possible_groups(grid)
    if not any(map(_may_hold_text, grid.columns)):
        return grid, "." if decimal == "auto" else decimal
    if not all(isinstance(column, list | NumberColumn) or _is_long(column) for column in grid.columns):
        grid = replace(grid, columns=list(map(_as_list, grid.columns)))
    grid, decimal = with_plain_thousands(grid, decimal, thousands)
    text = text_of_columns(grid)
    if decimal == "auto":
        decimal = "."
        if "," in text and grid.delimiter != ",":
            grid, decimal = with_decimal(grid, text)
    if not _may_be_decorated(text):
        return grid, decimal
    grid = replace(grid, columns=list(map(_as_list, grid.columns)))
    of_names = [_is_of_names(grid, j) for j in range(len(grid.header))]
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
    if found == {"parentheses"} and _are_ranks_in_parentheses(columns):
        columns = [[_without_spread(cell) for cell in column] for column in columns]
        return replace(
            grid, header=header, columns=columns, findings=(*grid.findings, _told("ranks", columns))
        ), decimal
    findings = [_told(what, columns) for what in _SENTENCES if what in found]
    return replace(grid, header=header, columns=columns, findings=(*grid.findings, *findings)), decimal


def _refuse_possible_groups(grid: Grid) -> None:
    """Raise an error if the points of a file with semicolons may separate thousands, as in 1.234 and 900."""
    with_point, whole = [], []
    columns = (column for j, column in enumerate(grid.columns) if not _is_of_names(grid, j))
    for cell in (cell for column in columns for cell in _distinct(column) if isinstance(cell, str)):
        if "." in cell:
            if not _MAY_BE_GROUPED.fullmatch(cell):  # the first cell of most tables
                return
            with_point.append(cell)
        elif len(cell) == 3 and cell.isdecimal() and cell > "100":
            whole.append(cell)
    if with_point and whole:
        raise TableError(
            f"{grid.name}: the point in {short(min(with_point))} may separate thousands, because "
            f"{short(min(whole))} is a whole number and every number with a point has three digits after it",
            "pass {thousands} if it separates thousands, or {} if it is the decimal mark",
            "decimal",
            ".",
        )


def _is_of_names(grid: Grid, column: int) -> bool:
    return column == 0 or is_called(grid.header[column], NAMES)


def with_plain_thousands(grid: Grid, decimal: str, thousands: str | None) -> tuple[Grid, str]:
    """Return a grid without thousands separators, if the separator is given or certain.

    The function also returns the decimal mark. The mark stays ``'auto'`` if the numbers do not show it.
    """
    if thousands:
        mark, found = thousands, decimal if decimal != "auto" else {",": ".", ".": ","}.get(thousands, "")
    else:
        texts = (
            cell
            for j, column in enumerate(grid.columns)
            if isinstance(column, list | CodedColumn) and not _is_of_names(grid, j)
            for cell in _distinct(column)
            if isinstance(cell, str)
        )
        mark, found = thousands_mark(texts, decimal)
    if not mark:
        return grid, decimal
    columns = [
        column if _is_of_names(grid, j) else _column_without_thousands(_as_list(column), mark, found)
        for j, column in enumerate(grid.columns)
    ]
    cells = [
        (old, new)
        for own, column in zip(grid.columns, columns, strict=True)
        if own is not column
        for old, new in zip(own, column, strict=True)
        if isinstance(new, str)
    ]
    separated = [old for old, new in cells if old != new]
    is_decimal = mark in ".," and any(mark in new and _plain_cell(new, mark) is not None for _, new in cells)
    if not separated or (is_decimal and not thousands):
        return grid, decimal
    n, marks = len(separated), f"The {_NAMES_OF_MARKS[mark]} was read as the thousands separator"
    if found and decimal == "auto":
        marks += f" and the {_NAMES_OF_MARKS[found]} as the decimal mark"
    sentence = f"{marks} ({n:,} {'cell' if n == 1 else 'cells'}, such as {short(separated[0])})."
    return replace(grid, columns=columns, findings=(*grid.findings, _note("thousands", sentence))), found or decimal


def _column_without_thousands(column: Any, mark: str, decimal: str) -> Any:
    """Remove thousands separators from a column if at least half of its cells then become numbers."""
    if not isinstance(column, list):
        return column
    plain = [without_thousands(cell, MARKS[mark]) if isinstance(cell, str) else cell for cell in column]
    marks = [one for one in decimal or ".," if one != mark]
    n_numbers = max(sum(_plain_cell(cell, one) is not None for cell in plain) for one in marks)
    return plain if 2 * n_numbers >= len(plain) else column


def _may_be_decorated(text: str) -> bool:
    if not text.isascii() or any(sign in text for sign in _SIGNS):
        return True
    return any(letter in text and any(sign in text for sign in signs) for letter, signs in _LONGER_SIGNS.items())


def text_of_columns(grid: Grid) -> str:
    """Join all distinct texts of a grid with line breaks. Columns of plain numbers are omitted."""
    parts = ["\n".join(grid.header)]
    for own in grid.columns:
        column = _distinct(own)
        if isinstance(column, list):
            try:
                parts.append("\n".join(column))
            except TypeError:  # a frame or a workbook contains cells of other types
                parts.append("\n".join(cell for cell in column if isinstance(cell, str)))
    return "\n".join([*parts, ""])


def _is_long(column: Any) -> bool:
    """Return whether a column has at least `MANY_LINES` rows and stores each distinct text once."""
    return isinstance(column, CodedColumn) and len(column) >= MANY_LINES and set(map(type, column.values)) <= {str}


def _distinct(column: Any) -> Any:
    return column.values if isinstance(column, CodedColumn) else column


def _as_list(column: Any) -> Any:
    return list(column) if _may_hold_text(column) else column


def _may_hold_text(column: Any) -> bool:
    return not isinstance(column, np.ndarray) or column.dtype.kind not in "biufcmM"


def spread_of(columns: Sequence[Any]) -> FloatArray | None:
    """Return the spread of each cell, shape (n_rows, n_columns), or None if no cell has a spread."""
    lists = [column for column in columns if isinstance(column, list)]
    if not any(Written in set(map(type, column)) for column in lists):
        return None
    spread = np.array([[getattr(cell, "spread", math.nan) for cell in column] for column in columns]).T
    return None if np.isnan(spread).all() else spread


# --- cells ------------------------------------------------------------------------------------------------------------


def _plain_column(column: Any, decimal: str) -> Any:
    """Replace decorated numbers by plain numbers if at least half of the cells of a column are numbers."""
    if not isinstance(column, list) or not any(isinstance(cell, str) for cell in column):
        return column
    plain = [_plain_cell(cell, decimal) for cell in column]
    n_numbers = sum(cell is not None for cell in plain)
    if 2 * n_numbers >= len(plain) and any(isinstance(cell, Written) for cell in plain):
        return [cell if number is None else number for cell, number in zip(column, plain, strict=True)]
    return column


def _plain_names(names: Sequence[Any]) -> list[Any]:
    """Remove markup from names. Return the names unchanged if two different names would become equal."""
    from evalstats.io.sources.numbers import plain_name

    texts = {name: plain_name(name) for name in names if isinstance(name, str)}
    if len(set(texts.values())) < len(texts):
        return list(names)
    return [texts[name] if isinstance(name, str) else name for name in names]


def _plain_cell(cell: Any, decimal: str) -> Any:
    """Return a cell as a plain number, or None if the cell is not a number."""
    if isinstance(cell, str) and (number := frequent_number(cell, decimal)) is not None:
        return number
    if number_in(cell, decimal) is not None:
        return "" if cell is None else cell
    return written_in(cell, decimal) if isinstance(cell, str) else None


def _without_spread(cell: Any) -> Any:
    if isinstance(cell, Written):
        cell.spread = math.nan
    return cell


# --- findings ---------------------------------------------------------------------------------------------------------


def _what_was_beside(columns: Sequence[Any]) -> set[str]:
    return {cell.beside for column in columns for cell in column if isinstance(cell, Written)}


def _are_ranks_in_parentheses(columns: Sequence[Any]) -> bool:
    """Return whether the numbers in parentheses are the ranks 1 to k of each row, with midranks for ties."""
    of_numbers = [column for column in columns if any(isinstance(cell, Written) for cell in column)]
    k = len(of_numbers)
    rows = [row for row in zip(*of_numbers, strict=True) if any(isinstance(cell, Written) for cell in row)]
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
    """Return the given decimal mark; if it is 'auto', infer the decimal mark from the cells."""
    if decimal != "auto":
        return decimal
    # an engine reads numbers itself; its rows are not loaded to search for commas
    return "." if grid.is_held else with_decimal(grid, text_of_columns(grid))[1]


def with_decimal(grid: Grid, text: str) -> tuple[Grid, str]:
    """Return a grid and its decimal mark. The mark is a comma only if no other reading is possible."""
    if "," not in text or grid.delimiter == ",":
        return grid, "."
    cells = {_bare(cell) for column in grid.columns for cell in column if isinstance(cell, str) and "," in cell}
    numbers = [cell for cell in cells if _WITH_COMMA.match(cell)]
    plain = (cell for column in grid.columns if isinstance(column, NumberColumn) for cell in column)
    certain = any(not _MAY_BE_THOUSANDS.match(cell) for cell in numbers)
    if not certain or any(_WITH_POINT.match(cell.strip()) for cell in (*text.split("\n"), *plain) if "." in cell):
        return grid, "."
    sentence = f"The comma was read as the decimal mark, as in {short(min(numbers))}."
    told = Finding(code="decimal-comma", severity="note", sentence=sentence)
    return replace(grid, findings=(*grid.findings, told)), ","


def _bare(cell: str) -> str:
    """Return a cell that begins with its number, without the markup before it."""
    if "$" in cell or "\\" in cell:
        from evalstats.io.sources.numbers import without_markup  # its patterns take milliseconds to compile

        cell = without_markup(cell) or cell
    return cell.lstrip("*_`~ ").rstrip()


def filled_down(grid: Grid, keys: Sequence[int], told: tuple[Finding, ...] = ()) -> tuple[Grid, tuple[Finding, ...]]:
    """Fill each empty name of a long table with the name above it.

    `keys` contains the columns of names. If two rows would have the same names, no name is filled in. The findings in
    `told` come before the new finding.
    """
    if grid.is_held:
        return grid, told
    gaps = [j for j in keys if not all(map(text_of, _distinct(grid.columns[j])))]
    if len(gaps) != 1:
        return grid, told
    names = {j: texts_of(grid.columns[j]) for j in keys}
    if not names[gaps[0]][0]:
        return grid, told
    filled: list[str] = []
    for name in names[gaps[0]]:
        filled.append(name or filled[-1])
    names[gaps[0]] = filled
    if len(set(zip(*names.values(), strict=True))) < len(filled):
        return grid, told
    sentence = f"Empty cells in {short(grid.header[gaps[0]])} were filled with the name above them, as in merged cells."
    columns = [filled if j == gaps[0] else column for j, column in enumerate(grid.columns)]
    return replace(grid, columns=columns), (*told, Finding(code="merged-cells", severity="note", sentence=sentence))


# --- headings of groups of rows ---------------------------------------------------------------------------------------


_RULE = re.compile(r":?[-=]{2,}:?")
_DRAWN = ("-", "=", ":")
_LOOKED_AT = 1000  # maximum number of sampled cells


def without_headings(grid: Grid) -> Grid:
    """Return a table of numbers without the rows that name groups, with a finding that lists them.

    A heading is a row with the same text in all cells, as from a cell that spans the table. If the first row contains
    only a name, every row with only a name is a heading. Drawn lines between rows are also removed.
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
    """Return the indices of rows that are drawn lines, and of rows with the same text in all cells."""
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
    """Return the rows that contain only a name, if the first row contains only a name and the last row does not."""
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
    """Return whether at least half of the sampled cells outside the first column are numbers."""
    n_cells = n_numbers = 0
    for cell in _cells(grid, gone):
        n_cells += 1
        n_numbers += is_number(cell)
        if n_cells == _LOOKED_AT:
            break
    return n_cells > 0 and 2 * n_numbers >= n_cells


def _cells(grid: Grid, gone: Collection[int]) -> Iterator[Any]:
    """Yield the cells that are not missing, row by row; skip the first column and the rows in `gone`."""
    for i, row in enumerate(zip(*grid.columns[1:], strict=True)):
        if i not in gone:
            yield from (cell for cell in row if text_of(cell).casefold() not in MISSING_WORDS)


# --- failed runs ------------------------------------------------------------------------------------------------------


STATUS_COLUMNS = word_list("columns.status")
FAILED = frozenset(word_list("values.failed"))
MOST_NAMED = 5  # maximum number of rows that a finding names


def failed_runs(grid: Grid) -> tuple[Finding, ...]:
    """Return a warning about rows with a status that logs write for failed runs.

    Examples
    --------
    >>> from evalstats.io.columns.cleaning import failed_runs
    >>> from evalstats.io.sources.grid import grid_of_columns
    >>> failed_runs(grid_of_columns("the table", ["accuracy", "status"], [[0.9, 0.0], ["ok", "error"]]))[0].sentence
    "1 row has the status 'error' (row 2): the values are read as scores."
    """
    for j in columns_called(grid, STATUS_COLUMNS):
        cells = coded(grid.columns[j])
        failed = {i for i, value in enumerate(cells.values) if simplified(text_of(value)) in FAILED}
        rows = [i for i, code in enumerate(cells.codes.tolist()) if code in failed]
        if rows:
            said = examples([short(text_of(cells.values[i])) for i in sorted(failed)])
            at = examples([f"{grid.word} {grid.numbers[i]}" for i in rows], MOST_NAMED)
            n, which = len(rows), "row has" if len(rows) == 1 else "rows have"
            sentence = f"{n:,} {which} the status {said} ({at}): the values are read as scores."
            numbers: dict[str, float] = {"n_rows": n}
            return (Finding(code="failed-runs", severity="warning", sentence=sentence, numbers=numbers),)
    return ()
