"""Cells of an Excel workbook, and the choice of the sheet with the table."""

from __future__ import annotations

__all__ = ["ALL_SHEETS", "LARGEST_SHEET", "grid_of_excel"]

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from evalstats._errors import EvalstatsError, listed
from evalstats._findings import Finding
from evalstats.io.sources.compressed import refuse_bomb
from evalstats.io.sources.grid import Around, Grid
from evalstats.io.sources.table_region import grid_of_laid_rows, rows_asked
from evalstats.metrics.directions import direction_of
from evalstats.tables.errors import TableError, first_line_of, short
from evalstats.tables.names import text_of

ALL_SHEETS = "*"  # not a valid name of a sheet
LARGEST_SHEET = 1_048_576  # maximum number of rows in Excel
_MOST_CELLS = 20_000_000
# merged cells are looked for in workbooks whose parts are not larger, in bytes
_LARGEST_WITH_MERGED = 20_000_000

_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
_NUMBER_OF_ROW = re.compile(rb"""\sr\s*=\s*["']([^"']*)["']""")
_AT_ONCE = 1 << 20  # size of a block, in bytes

Row = tuple[Any, ...]


def grid_of_excel(
    file: Any, name: str, sheet: str | None, rows: str | None = None, header_rows: int | None = None
) -> Grid:
    """Return the cells of the requested sheet, or of the only sheet with a table; ``'*'`` reads all sheets."""
    try:
        import openpyxl
    except ImportError:
        raise TableError(f'{name} is an Excel file; to read it: pip install "classifier-evalstats[excel]"') from None
    n_bytes = refuse_bomb(file, name)
    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        titles = _sheets_with_table(book, name) if sheet == ALL_SHEETS else []
        if len(titles) > 1:
            read = [(own, grid_of_excel(file, name, own, rows, header_rows)) for own in titles]
            return _with_sheets(read, name, [page.title for page in book.worksheets])
        title, filled, findings = _sheet_with_table(book, name, None if sheet == ALL_SHEETS else sheet)
        if rows is not None:
            first, last = rows_asked(rows)
            filled = [(number, row) for number, row in filled if first <= number and (last is None or number <= last)]
        if not filled:
            raise TableError(f"{name} is empty" if rows is None else f"{name} has no row {rows}")
        if n_bytes <= _LARGEST_WITH_MERGED and _has_gaps(filled):
            filled = _unmerged(openpyxl.load_workbook(file, data_only=True)[title], filled)
    except (EvalstatsError, MemoryError, RecursionError):
        raise
    except Exception as error:  # a damaged file fails by whatever its parts raise
        raise TableError(f"{name} cannot be read as an Excel file: {short(first_line_of(error))}") from None
    numbers, cells = zip(*filled, strict=True)
    grid = grid_of_laid_rows(
        name, cells, numbers, "row", header_rows=header_rows, is_exact=rows is not None, findings=findings
    )
    around = (*grid.around, Around("sheet", title, "the name of the sheet"))
    return replace(grid, must_name_datasets=True, around=around)


def _sheets_with_table(book: Any, name: str) -> list[str]:
    """Return the titles of the sheets of a workbook that hold a table."""
    return [page.title for page in book.worksheets if _may_be_table(_begin(page, name))]


def _begin(page: Any, name: str) -> list[tuple[int, Row]]:
    return list(itertools.islice(_filled_rows(page, name), 50))


def _with_sheets(read: list[tuple[str, Grid]], name: str, titles: list[str]) -> Grid:
    """Return the tables of all sheets, with a note that lists the sheets without a table."""
    # the name of one sheet says nothing about the others
    own = [
        (title, replace(grid, name=f"{name}, sheet {short(title)}", around=grid.around[:-1])) for title, grid in read
    ]
    if others := [title for title in titles if title not in dict(read)]:
        words = f"The tables of {len(read)} sheets were read; no table of scores was found on {listed(others)}."
        told = Finding(code="sheet", severity="note", sentence=words)
        own[0] = own[0][0], replace(own[0][1], findings=(told, *own[0][1].findings))
    return replace(own[0][1], name=name, sheets=tuple(own))


def _sheet_with_table(
    book: Any, name: str, sheet: str | None
) -> tuple[str, list[tuple[int, Row]], tuple[Finding, ...]]:
    """Return the requested sheet, or the only sheet with a table; raise an error if several have one."""
    titles = [page.title for page in book.worksheets]
    if not titles or (sheet is not None and sheet not in titles):
        if not titles:
            raise TableError(f"{name} has no worksheet")
        raise TableError(f"{name} has no sheet {short(sheet)}; its sheets are {listed(titles)}")
    if sheet is not None or len(titles) == 1:
        title = titles[0] if sheet is None else sheet
        return title, list(_filled_rows(book[title], name)), ()
    begins = {title: _begin(book[title], name) for title in titles}
    with_table = [title for title, rows in begins.items() if _may_be_table(rows)]
    if len(with_table) > 1:
        heads = {frozenset(text_of(cell) for _, row in begins[title][:1] for cell in row) for title in with_table}
        if len(heads) > 1 or all(direction_of(title) is not None for title in with_table):
            problem = f"{name} has tables on the sheets {listed(with_table)}"
            raise TableError(problem, "choose one, for example {}", "sheet", with_table[0])
        problem = f"{name} has tables with the same columns on the sheets {listed(with_table)}"
        hint = "if each sheet belongs to one classifier, dataset or run, pass {}; otherwise choose one with {sheet}"
        raise TableError(problem, hint, "sheet", ALL_SHEETS)
    title = with_table[0] if with_table else titles[0]
    others = listed([other for other in titles if other != title])
    told = Finding(
        code="sheet",
        severity="note",
        sentence=f"The sheet {short(title)} was read; no table of scores was found on {others}.",
    )
    return title, list(_filled_rows(book[title], name)), (told,) if with_table else ()


def _filled_rows(page: Any, name: str) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a sheet that are not blank, with their row numbers."""
    _refuse_rows_out_of_order(page, name)
    page.reset_dimensions()  # the size that the file claims may be a million empty rows
    n_cells = 0
    for number, row in enumerate(page.iter_rows(values_only=True), 1):
        n_cells += len(row)
        if number > LARGEST_SHEET or n_cells > _MOST_CELLS:
            most = f"{LARGEST_SHEET:,} rows" if number > LARGEST_SHEET else f"{_MOST_CELLS:,} cells"
            raise TableError(f"{name}: the sheet {short(page.title)} has more than {most} and is not read")
        if any(cell is not None and text_of(cell) for cell in row):
            yield number, row


def _refuse_rows_out_of_order(page: Any, name: str) -> None:
    """Reject a damaged sheet with row numbers that do not increase: openpyxl would drop the rows without a message."""
    last, rest = 0, b""
    with page._get_source() as source:
        while chunk := source.read(_AT_ONCE):
            rest += chunk
            end = 0
            for tag in _ROW.finditer(rest):
                end = tag.end()
                written = _NUMBER_OF_ROW.search(tag[1])
                number = last + 1 if written is None else int(written[1]) if written[1].isdigit() else -1
                if number > LARGEST_SHEET:
                    return  # rejected where the rows are counted
                if number <= last:
                    said = "" if written is None else written[1].decode("utf-8", "replace")
                    raise TableError(
                        f"{name}: the sheet {short(page.title)} is damaged: after row {last} it has a row with the "
                        f"number {short(said)}; open it and save it again"
                    )
                last = number
            rest = rest[max(end, rest.rfind(b"<")) :]


def _may_be_table(rows: list[tuple[int, Row]]) -> bool:
    """Return whether two rows have two cells, and one row has a number and text."""
    wide = [row for _, row in rows if sum(cell is not None for cell in row) > 1]
    return len(wide) > 1 and any(
        isinstance(cell, int | float) or _says_number(cell) for row in wide[1:] for cell in row
    )


def _says_number(cell: Any) -> bool:
    from evalstats.io.sources.numbers import written_in

    return isinstance(cell, str) and (written_in(cell, ".") is not None or written_in(cell, ",") is not None)


def _has_gaps(filled: list[tuple[int, Row]]) -> bool:
    """Return whether cells are empty in the first rows or the first column, as after a merge of cells."""
    width = max(len(row) for _, row in filled)
    heads = [row for _, row in filled[:5]]
    return any(len(row) < width or None in row for row in heads) or any(row[0] is None for _, row in filled)


def _unmerged(page: Any, filled: list[tuple[int, Row]]) -> list[tuple[int, Row]]:
    """Copy the value of each merged range to all its cells."""
    rows = {number: list(row) for number, row in filled}
    width = max(len(row) for row in rows.values())
    for merged in page.merged_cells.ranges:
        value = page.cell(merged.min_row, merged.min_col).value
        if value is None:
            continue
        for number in range(merged.min_row, min(merged.max_row, LARGEST_SHEET) + 1):
            if number not in rows:
                continue
            row = rows[number]
            row += [None] * (min(merged.max_col, width) - len(row))
            for j in range(merged.min_col - 1, min(merged.max_col, len(row))):
                row[j] = value
    return [(number, tuple(row)) for number, row in rows.items()]
