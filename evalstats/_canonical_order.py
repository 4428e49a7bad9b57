"""Canonical orders of data, which make random draws independent of the order of the input.

A random draw processes rows and columns in order. If it used the order of the input, a table and its copy with
reversed rows would have different p-values. Therefore, the input is first sorted into an order that depends only on its
content. Rows or columns that remain in an arbitrary order are equivalent, so their order does not matter.
"""

from __future__ import annotations

__all__ = [
    "canonical_order",
    "content_order",
    "is_mirrored",
    "sorted_rows",
    "unsigned_form",
    "unsigned_order",
    "unsigned_rows",
]

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evalstats._types import AnyArray, FloatArray, IndexArray

# maximum number of attempts for identical columns
MOST_WAYS = 100


def sorted_rows(rows: FloatArray) -> FloatArray:
    """Sort the values of each row, and then the rows, for tests that permute the values within rows."""
    within = np.sort(rows, axis=-1)
    return np.asarray(within[content_order(within)])


def unsigned_rows(rows: FloatArray) -> FloatArray:
    """Sort the rows as `sorted_rows` does, with the same result for rows and their negatives (for two-sided draws)."""
    return np.asarray(min(sorted_rows(rows), sorted_rows(-rows), key=lambda one: one.tolist()))


def content_order(rows: AnyArray) -> IndexArray:
    """Return the order that sorts rows of shape (n, k) by their first column, then by the second, and so on."""
    return np.lexsort(rows.T[::-1]) if rows.shape[1] else np.arange(len(rows))


def is_mirrored(values: FloatArray) -> bool:
    """Return whether the sorted values come before their sorted negatives in lexicographic order."""
    ascending = np.sort(values)
    negatives = -ascending[::-1]
    differs = np.flatnonzero(ascending != negatives)
    return bool(differs.size and ascending[differs[0]] < negatives[differs[0]])


def canonical_order(table: AnyArray) -> tuple[IndexArray, IndexArray]:
    """Return a row order and a column order that give the same table for all permutations of its rows and columns.

    Rows and columns get colors, first by their values. The values in each row and column, and the colors at their
    positions, then refine the colors until they are stable. If several columns have one color, each of them is put
    first in turn, and the smallest of the resulting tables is used. If the columns are equivalent by a symmetry of the
    table, as in balanced designs, all resulting tables are equal.
    """
    n, k = table.shape
    value = np.unique(table, return_inverse=True)[1].reshape(n, k)
    start = _refined(value, np.zeros(n, dtype=np.intp), np.zeros(k, dtype=np.intp))
    best: tuple[bytes, IndexArray, IndexArray] | None = None
    for _, (_, column) in zip(range(MOST_WAYS), _ways(value, *start), strict=False):
        columns = np.argsort(column, kind="stable")
        rows = content_order(value[:, columns])
        found = value[np.ix_(rows, columns)].tobytes()
        if best is None or found < best[0]:
            best = found, rows, columns
    assert best is not None
    return best[1], best[2]


def unsigned_order(table: FloatArray) -> tuple[IndexArray, IndexArray]:
    """Return the `canonical_order` of a table up to its sign and an added constant."""
    return unsigned_form(table)[:2]


def unsigned_form(table: FloatArray) -> tuple[IndexArray, IndexArray, int]:
    """Return the orders of `unsigned_order` and the sign, 1 or -1, by which the caller multiplies the table.

    A score and its complement, such as an accuracy and an error rate, then have the same draws. The function compares
    the canonical form of the table with the canonical form of its negative, and uses the smaller form. In both tables,
    nan marks a cell without a value.
    """
    values, value = np.unique(table, return_inverse=True)
    value = value.reshape(table.shape)
    values = values[~np.isnan(values)]
    span = float(np.ptp(values)) if values.size else 0.0
    gaps = np.round(np.diff(values) / max(span, np.finfo(float).tiny), 9)
    best: tuple[bytes, list[float], tuple[IndexArray, IndexArray, int]] | None = None
    mirrored = np.where(value < len(values), len(values) - 1 - value, value)
    for turned, between, sign in ((value, gaps, 1), (mirrored, gaps[::-1], -1)):
        order = canonical_order(turned)
        found = turned[np.ix_(*order)].tobytes(), between.tolist(), (*order, sign)
        if best is None or found[:2] < best[:2]:
            best = found
    assert best is not None
    return best[2]


def _ways(value: IndexArray, row: IndexArray, column: IndexArray) -> Iterator[tuple[IndexArray, IndexArray]]:
    """Yield refined colors in which no two different columns share a color, with each tied column first in turn."""
    sizes = np.bincount(column)
    for color in np.flatnonzero(sizes > 1):
        members = np.flatnonzero(column == color)
        different = np.unique(value[:, members], axis=1, return_index=True)[1]
        if len(different) > 1:
            for member in members[different]:
                chosen = 2 * column + 1
                chosen[member] -= 1
                yield from _ways(value, *_refined(value, row, _ranked(chosen)))
            return
    yield row, column


def _refined(value: IndexArray, row: IndexArray, column: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Split the colors of rows and columns by their contents and positions until they are stable."""
    while True:
        new_row = _recolored(row, value, column)
        new_column = _recolored(column, value.T, new_row)
        if new_row.max(initial=0) == row.max(initial=0) and new_column.max(initial=0) == column.max(initial=0):
            return row, column
        row, column = new_row, new_column


def _recolored(color: IndexArray, value: IndexArray, across: IndexArray) -> IndexArray:
    """Return new colors of rows or columns, determined by their values at the positions of each color."""
    held = np.sort(value * (across.max(initial=0) + 1) + across, axis=1).astype(">i8")
    return _ranked([(own, line.tobytes()) for own, line in zip(color.tolist(), held, strict=True)])


def _ranked(keys: Sequence[Any] | IndexArray) -> IndexArray:
    """Return the position of each key among the distinct keys."""
    listed = list(keys)
    place = {key: i for i, key in enumerate(sorted(set(listed)))}
    return np.array([place[key] for key in listed], dtype=np.intp)
