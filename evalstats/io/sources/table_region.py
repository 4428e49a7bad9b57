"""Choice of the table in text that another program wrote."""

from __future__ import annotations

__all__ = ["grid_of_laid_rows", "one_table"]

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evalstats._errors import listed
from evalstats._findings import Finding
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS, is_called
from evalstats.io.sources.grid import Around, Grid
from evalstats.io.sources.title_rows import is_one_text, laid_out
from evalstats.tables.errors import TableError
from evalstats.tables.names import text_of

Rows = Sequence[tuple[int, Sequence[Any]]]


def one_table(
    name: str,
    tables: Sequence[Rows],
    language: str,
    *,
    header_rows: int | None = None,
    findings: tuple[Finding, ...] = (),
    around: Sequence[Sequence[Around]] = (),
) -> Grid:
    """Return the grid of the only table; if there are several, an error asks for `rows`."""
    at = [i for i, rows in enumerate(tables) if len(rows) > 1 and any(len(cells) > 1 for _, cells in rows)]
    tables = [tables[i] for i in at]
    if not tables:
        raise TableError(f"{name} is written in {language}, but holds no table with at least two rows and two columns")
    if len(tables) > 1:
        places = listed([f"{rows[0][0]}-{rows[-1][0]}" for rows in tables])
        problem = f"{name} holds {len(tables)} tables of {language}, in the lines {places}"
        first, last = tables[0][0][0], tables[0][-1][0]
        raise TableError(problem, "choose one, for example {}", "rows", f"{first}-{last}")
    numbers, rows = zip(*tables[0], strict=True)
    grid = grid_of_laid_rows(name, rows, numbers, "line", header_rows=header_rows, findings=findings)
    return replace(grid, around=(*grid.around, *(around[at[0]] if around else ())))


def grid_of_laid_rows(
    name: str,
    rows: Sequence[Sequence[Any]],
    numbers: Sequence[int],
    word: str,
    *,
    header_rows: int | None = None,
    is_exact: bool = False,
    findings: tuple[Finding, ...] = (),
) -> Grid:
    """Return the grid of rows of cells without titles and notes; short rows are padded."""
    laid = laid_out(rows, numbers, name=name, word=word, header_rows=header_rows, is_exact=is_exact, spans=True)
    body = rows[laid.first : laid.end]
    columns = [[row[j] if j < len(row) else None for row in body] for j in range(len(laid.header))]
    own = [i for i, row in enumerate(body) if not is_one_text(row)] if "" in laid.header else []
    filled = [j for j, column in enumerate(columns) if laid.header[j] or any(text_of(column[i]) for i in own)]
    is_of_all = len(filled) > 2 and is_called(laid.header[0], (*CLASSIFIER_COLUMNS, *DATASET_COLUMNS))
    if is_of_all and not any(map(text_of, columns[0])):  # pandas: the name of the columns, no index
        filled.remove(0)
    return Grid(
        name=name,
        header=[laid.header[j] for j in filled],
        columns=[columns[j] for j in filled],
        word=word,
        numbers=list(numbers[laid.first : laid.end]),
        must_name_datasets=True,
        findings=(*findings, *laid.findings),
        upper=tuple(laid.upper[j] for j in filled) if laid.upper else (),
        around=laid.around,
    )
