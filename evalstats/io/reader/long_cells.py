"""Columns of long tables, and the conversion of their rows to a complete array."""

from __future__ import annotations

__all__ = ["column_of", "complete_array", "finite_number", "refuse_unknown"]

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from evalstats._errors import examples, listed
from evalstats._types import FloatArray
from evalstats.io.columns.roles import key_column_if_any
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import natural_order


def column_of(grid: Grid, given: str | None, argument: str, known: Sequence[str]) -> int:
    """Return the column that the caller named, or that is recognized. Raise an error if there is none."""
    found = key_column_if_any(grid, given, argument, known)
    if found is None:
        raise TableError(
            f"{grid.name} has no column of the {argument}s; name one of {listed(grid.header)} with {argument}="
        )
    return found


def refuse_unknown(
    argument: str, given: Collection[str], names: Sequence[Collection[str]], grid: Grid, of: str
) -> None:
    """Reject a name in an argument that occurs in no row."""
    if unknown := sorted(set(given).difference(*names)):
        raise TableError(f"{argument} must name a {of} of {grid.name}, not {short(unknown[0])}")


def finite_number(grid: Grid, column: int, row: int, what: str, decimal: str = ".") -> float | None:
    """Return the number in a cell, or None if it is missing, and reject infinite values."""
    cell = grid.columns[column][row]
    value = number_in(cell, decimal)
    if value is None or math.isinf(value):
        where = f"{grid.name}, {grid.word} {grid.numbers[row]}"
        raise TableError(f"{where}: the {what} {short(cell)} is not a finite number")
    return None if math.isnan(value) else value


def complete_array(
    grid: Grid, cells: Mapping[tuple[Any, ...], float], what: str, rule: str, place: str, hint: str, drop: Sequence[int]
) -> tuple[list[tuple[Any, ...]], FloatArray]:
    """Return the names of each axis in order, and the array of the cells. An error names the cells that are missing.

    `place` is the format of a cell in a message. `hint` proposes names of one axis in `drop` to leave out: the smallest
    set of names without which no cell is missing.
    """
    if not cells:
        raise TableError(f"{grid.name} holds no {what}")
    axes = [tuple(sorted(set(axis), key=_order)) for axis in zip(*cells, strict=True)]
    array = np.full([len(axis) for axis in axes], np.nan)
    places = [{name: i for i, name in enumerate(axis)} for axis in axes]
    for key, value in cells.items():
        array[tuple(place[name] for place, name in zip(places, key, strict=True))] = value
    lacking = np.argwhere(np.isnan(array))
    if len(lacking):
        told = [place.format(*(axis[i] for axis, i in zip(axes, at, strict=True))) for at in lacking.tolist()]
        names = [[str(axes[axis][i]) for i in np.unique(lacking[:, axis])] for axis in drop]
        sizes = [len(axes[axis]) for axis in drop]
        # not all names of an axis; and of as many names, those of the longest axis: the smallest part of the data
        fewest = min(zip(names, sizes, strict=True), key=lambda one: (len(one[0]) == one[1], len(one[0]), -one[1]))[0]
        raise TableError(
            f"{grid.name}: {rule}, but {len(lacking):,} of {array.size:,} {what} are missing ({examples(told)})",
            hint,
            "drop",
            fewest[0] if len(fewest) == 1 else tuple(fewest),
        )
    return axes, array


def _order(name: Any) -> Any:
    return natural_order(name) if isinstance(name, str) else name
