"""The mean ranks that a publication prints, with their classifiers and, if present, their scores."""

from __future__ import annotations

__all__ = ["RanksRead", "read_printed_ranks"]

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from evalstats._errors import listed
from evalstats._lexicon import CLASSIFIER_COLUMNS, is_called
from evalstats.io.columns.cleaning import plain_grid
from evalstats.io.columns.roles import headers
from evalstats.io.columns.summaries import RANK, is_summary
from evalstats.io.reader.opening import grid_of
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import positions_of_repeated, text_of, texts_of


class RanksRead(NamedTuple):
    """Mean ranks of a publication, as printed.

    Attributes
    ----------
    ranks : dict of str to str or float
        Mean rank of each classifier, with the printed decimals.
    beside_scores : bool
        Whether the mean ranks are a row below the scores of the datasets.
    """

    ranks: dict[str, Any]
    beside_scores: bool


def read_printed_ranks(
    source: Any,
    *,
    named: str | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
    rows: str | None = None,
    header_rows: int | None = None,
) -> RanksRead:
    """Read mean ranks that are a row or a column of a table, with the decimals that are printed.

    Parameters
    ----------
    source : str, path-like or file object
        A table with a row or a column whose name denotes mean ranks (``'Average rank'``). Alternatively, a single row
        or column of numbers, or a table of scores with a row of ranks below the scores.
    named : str, optional
        Name of the row or column, if no name or several names are recognized.
    delimiter, encoding, sheet, rows, header_rows
        The same arguments as for `read_table`.

    Returns
    -------
    RanksRead

    Raises
    ------
    TableError
        If no mean ranks are found, or if one of them is not a number.
    """
    grid, _ = plain_grid(grid_of(source, delimiter, encoding, sheet, rows, header_rows), "auto")
    names = texts_of(grid.columns[0]) if grid.columns else []
    has_names = not all(_is_number(name) for name in names)
    at_rows = _called(names if has_names else [], named)
    at_columns = _called(grid.header, named)
    if at_rows and at_columns:  # a classifier may be called Rank SVM
        at_rows = [i for i in at_rows if named or is_summary(names[i])]
        at_columns = [j for j in at_columns if named or is_summary(grid.header[j])]
    if at_rows and not at_columns:
        return _of_row(grid, _only(grid, at_rows, names), names)
    if at_columns:
        return _of_column(grid, _only(grid, at_columns, grid.header))
    if named is not None:
        raise TableError(f"{grid.name} has no row and no column {short(named)}")
    if len(names) == 1:
        return _of_row(grid, 0, names if has_names else [])
    if len(grid.header) == 2 and has_names:
        return _of_column(grid, 1)
    raise TableError(
        f"{grid.name}: no row and no column has the name of mean ranks ({headers(grid)})",
        "name them with {}",
        "mean_ranks",
    )


def _called(names: Sequence[str], named: str | None) -> list[int]:
    """Return the positions of names that denote ranks, or of the name `named`."""
    if named is not None:
        return [i for i, name in enumerate(names) if name == text_of(named)]
    return [i for i, name in enumerate(names) if RANK.search(name)]


def _only(grid: Grid, found: list[int], names: Sequence[str]) -> int:
    if len(found) > 1:
        several = listed([names[i] for i in found])
        raise TableError(
            f"{grid.name}: {several} may all be the mean ranks", "choose one with {}", "mean_ranks", names[found[0]]
        )
    return found[0]


def _of_row(grid: Grid, i: int, names: Sequence[str]) -> RanksRead:
    at = range(1 if names else 0, len(grid.header))
    kept = [j for j in at if not is_summary(grid.header[j])]
    beside = any(not is_summary(name) for name in names if name != names[i])
    return RanksRead(_numbers(grid, [(grid.header[j], i, j) for j in kept]), beside)


def _of_column(grid: Grid, j: int) -> RanksRead:
    of_names = [at for at, name in enumerate(grid.header) if is_called(name, CLASSIFIER_COLUMNS)]
    of_texts = [at for at, own in enumerate(grid.columns) if at != j and not all(_is_number(cell) for cell in own)]
    if not (of_names or of_texts):
        raise TableError(f"{grid.name} has no column of names for the mean ranks in {short(grid.header[j])}")
    names = [text_of(cell) for cell in grid.columns[(of_names or of_texts)[0]]]
    kept = [i for i, name in enumerate(names) if not is_summary(name)]
    return RanksRead(_numbers(grid, [(names[i], i, j) for i in kept]), beside_scores=False)


def _numbers(grid: Grid, cells: list[tuple[str, int, int]]) -> dict[str, Any]:
    """Return the mean ranks by classifier. Reject missing or repeated names and cells without numbers."""
    names = [name for name, _, _ in cells]
    if repeated := positions_of_repeated(names):
        raise TableError(f"{grid.name}: {short(next(iter(repeated)))} is the name of several mean ranks")
    for name, i, j in cells:
        if not name:
            raise TableError(f"{grid.place(i, j)}: the mean rank {short(grid.columns[j][i])} has no name")
        if not _is_number(grid.columns[j][i]):
            raise TableError(
                f"{grid.place(i, j)}: the mean rank of {name} is {short(grid.columns[j][i])}, not a number"
            )
    return {name: _as_written(grid.columns[j][i]) for name, i, j in cells}


def _as_written(cell: Any) -> Any:
    return text_of(cell) if isinstance(cell, str) else float(cell)


def _is_number(cell: Any) -> bool:
    numbers = (number_in(cell, mark) for mark in (".", ","))
    return any(number is not None and math.isfinite(number) for number in numbers)
