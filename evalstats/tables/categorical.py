"""Distinct cells of a column with the number of the cell in each row, and the subgroup of each row.

Each distinct name is interpreted once, and each row stores the number of its name.
"""

from __future__ import annotations

__all__ = [
    "GROUPINGS",
    "NOT_GIVEN",
    "CodedColumn",
    "Names",
    "Subgroups",
    "coded",
    "crossed",
    "distinct_cells",
    "distinct_keys",
    "joined",
    "names_in",
    "naturally_ordered",
    "number_codes",
    "one_after_another",
    "parts_of",
    "repeated",
    "subgroups_in",
    "subgroups_of",
]

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError
from evalstats._result import Record
from evalstats._types import AnyArray, IndexArray
from evalstats.tables.names import natural_order, text_of, texts_of

# numbers with this number of digits fit into 64 bits
MOST_DIGITS = 18
# up to this number, sorting the names one by one is fast
FEW_NAMES = 5_000
# joint keys must fit into 64 bits
LARGEST_KEY = 2**62
_AT_ONCE = 1 << 10  # rows


class CodedColumn(Sequence[Any]):
    """Column that stores each distinct cell once in `values`, and the number of the cell of each row in `codes`."""

    def __init__(self, values: Sequence[Any] | AnyArray, codes: IndexArray) -> None:
        self.values, self.codes = values, codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return CodedColumn(self.values, self.codes[at])
        return self.values[self.codes[at]]

    def __iter__(self) -> Iterator[Any]:
        # in blocks, because often only the first cells are used
        blocks = (self.codes[at : at + _AT_ONCE].tolist() for at in range(0, len(self.codes), _AT_ONCE))
        return map(self.values.__getitem__, itertools.chain.from_iterable(blocks))


class Names(NamedTuple):
    """Distinct names in a column, and the number of the name in each row."""

    names: Sequence[str]
    codes: IndexArray

    def first_of(self, wrong: Sequence[bool]) -> int:
        """Return the first row whose name is marked in `wrong`."""
        return int(np.asarray(wrong, dtype=bool)[self.codes].argmax())


def coded(column: Any) -> CodedColumn:
    """Return a column, encoded by its distinct cells. Cells that are not numbers become text."""
    column = getattr(column, "coded", None) or column  # of a column of numbers, they may be known
    if isinstance(column, CodedColumn):
        return column
    if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
        return _coded_numbers(column)
    # convert to text first, because 1 and True are the same key of a dict but different names
    are_texts = set(map(type, column)) <= {str}
    cells = column if are_texts else [cell if isinstance(cell, str) else text_of(cell) for cell in column]
    number = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
    return CodedColumn(list(number), np.fromiter(map(number.__getitem__, cells), dtype=np.intp, count=len(cells)))


def distinct_cells(column: Any) -> CodedColumn:
    """Return a column, encoded by its distinct cells without conversion: 1, True and ``'1'`` are distinct."""
    if isinstance(column, CodedColumn | np.ndarray) or getattr(column, "coded", None):
        return coded(column)
    cells = [(type(cell), cell) for cell in column]
    try:
        keys = dict.fromkeys(cells)
    except TypeError:  # a list or a dict is known by what is written of it
        cells = [(type(cell), repr(cell)) for cell in column]
        keys = dict.fromkeys(cells)
    number = {key: i for i, key in enumerate(keys)}
    codes = np.fromiter(map(number.__getitem__, cells), dtype=np.intp, count=len(cells))
    return CodedColumn([value for _, value in number], codes)


def repeated(column: Any, times: int) -> Any:
    """Return a column repeated `times` times as a whole."""
    if isinstance(column, np.ndarray):
        return np.tile(column, times)
    if isinstance(column, CodedColumn):
        return CodedColumn(column.values, np.tile(column.codes, times))
    return list(column) * times


def one_after_another(columns: Sequence[Any]) -> Any:
    """Concatenate columns."""
    if all(isinstance(column, np.ndarray) and column.dtype.kind in "iuf" for column in columns):
        return np.concatenate(columns)
    if not all(isinstance(column, CodedColumn) for column in columns):
        return [cell for column in columns for cell in column]
    starts = np.cumsum([0, *(len(column.values) for column in columns)])
    codes = [column.codes + start for column, start in zip(columns, starts[:-1], strict=True)]
    return CodedColumn([cell for column in columns for cell in column.values], np.concatenate(codes))


def _coded_numbers(column: AnyArray) -> CodedColumn:
    if column.dtype.kind == "b":
        return CodedColumn(np.array([False, True]), column.astype(np.intp))
    if column.dtype.kind == "i" and len(column):
        low, high = int(column.min()), int(column.max())
        if high - low < 4 * len(column):
            above = column.astype(np.int64) - low
            found, codes = _counted(above, high - low + 1)
            return CodedColumn((found + low).astype(column.dtype), codes)
    values, codes = np.unique(column, return_inverse=True)
    return CodedColumn(values, codes.astype(np.intp, copy=False))


def _counted(key: AnyArray, size: int) -> tuple[IndexArray, IndexArray]:
    """Return the distinct numbers below `size`, and the position of each number among them."""
    is_there = np.zeros(size, dtype=bool)
    is_there[key] = True
    found = np.flatnonzero(is_there)
    if len(found) == size:
        return found, key.astype(np.intp, copy=False)
    place = np.cumsum(is_there, dtype=np.intp) - 1
    return found, place[key]


def names_in(column: Any) -> Names:
    """Return the names in a column. Cells with the same text have the same name."""
    cells = coded(column)
    texts = texts_of(_plain(cells.values))
    number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    if len(number) == len(texts):
        return Names(texts, cells.codes)
    merged = np.array([number[text] for text in texts], dtype=np.intp)
    return Names(list(number), merged[cells.codes])


def _plain(values: Any) -> Any:
    """Convert numpy integers to Python integers, which are faster to write; leave other types unchanged."""
    return values.tolist() if isinstance(values, np.ndarray) and values.dtype.kind in "iub" else values


def naturally_ordered(names: Names) -> Names:
    """Return names numbered in natural order: fold 2 before fold 10."""
    order = _natural_order(names.names)
    if (np.diff(order) == 1).all():
        return names
    number = np.empty(len(order), dtype=np.intp)
    number[order] = np.arange(len(order))
    return Names([names.names[i] for i in order.tolist()], number[names.codes])


def number_codes(values: AnyArray, codes: IndexArray) -> IndexArray:
    """Convert codes of sorted distinct integers to the natural order of their texts, with -1 last."""
    n_negative, place = int(np.count_nonzero(values < 0)), np.arange(len(values))
    if not n_negative:
        return codes
    return np.where(place < n_negative, len(values) - 1 - place, place - n_negative)[codes]


def _natural_order(names: Sequence[str]) -> IndexArray:
    if len(names) > FEW_NAMES and (numbers := _numbers_of(names)) is not None:
        # names with equal numbers differ in leading zeros
        return np.argsort(numbers, kind="stable") if len(np.unique(numbers)) == len(numbers) else _one_by_one(names)
    return _one_by_one(names)


def _one_by_one(names: Sequence[str]) -> IndexArray:
    return np.array(sorted(range(len(names)), key=lambda i: natural_order(names[i])), dtype=np.intp)


def _numbers_of(names: Sequence[str]) -> IndexArray | None:
    """Return the number at the end of each name if the names differ only in this number. Otherwise return None."""
    least, greatest = min(names), max(names)
    n_common = next((i for i, (a, b) in enumerate(zip(least, greatest, strict=False)) if a != b), len(least))
    common = least[:n_common].rstrip("0123456789")
    texts = [name[len(common) :] for name in names]
    joint = "".join(texts)
    if joint.isascii() and joint.isdecimal() and min(map(len, texts)) > 0 and max(map(len, texts)) <= MOST_DIGITS:
        return np.array(texts).astype(np.int64)
    return None


def joined(keys: Sequence[IndexArray]) -> tuple[IndexArray, IndexArray]:
    """Return the first row of each distinct combination of keys, and the number of the combination in each row."""
    joint, size = keys[0], int(keys[0].max()) + 1
    first = joint
    for key in keys[1:]:
        n = int(key.max()) + 1
        if size * n > LARGEST_KEY:
            _, joint = np.unique(joint, return_inverse=True)
            size = int(joint.max()) + 1
        joint, size = joint * n + key, size * n
    if size < 4 * len(joint):
        _, codes = _counted(joint, size)
        first = np.empty(int(codes.max()) + 1, dtype=np.intp)
        first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the last that is written stays: the first row
        return first, codes
    _, first, codes = np.unique(joint, return_index=True, return_inverse=True)
    return first, codes


def distinct_keys(key: IndexArray, size: int) -> IndexArray:
    """Return the distinct values of integer keys below `size`, in ascending order."""
    return _counted(key, size)[0] if size < 4 * len(key) else np.unique(key)


# columns that group instances, by their names as arguments
GROUPINGS = ("subgroup", "cluster")
# name of the subgroup of empty cells
NOT_GIVEN = "not given"


@dataclass(frozen=True, kw_only=True, eq=False)
class Subgroups(Record):
    """Subgroup, or cluster, of each row.

    Attributes
    ----------
    column : str
        Column of the subgroups in the source.
    names : tuple of str
        Names of the subgroups, in natural order.
    code : ndarray of int, shape (n,)
        Index in `names` of the subgroup of each row.
    """

    column: str
    names: tuple[str, ...]
    code: IndexArray

    def at(self, rows: Any) -> Subgroups:
        """Return the subgroups of the given rows, in the order of the rows."""
        return replace(self, code=self.code[rows])

    @property
    def labels(self) -> list[str]:
        """Name of the subgroup of each row."""
        return [self.names[i] for i in self.code.tolist()]


def subgroups_in(column: str, cells: Sequence[Any]) -> Subgroups:
    """Return the subgroups in a column. The subgroup of an empty cell is ``'not given'``."""
    found = distinct_cells(cells)
    texts = [text_of(value) or NOT_GIVEN for value in found.values]
    names = sorted(set(texts), key=natural_order)
    number = {name: i for i, name in enumerate(names)}
    of_value = np.array([number[text] for text in texts], dtype=np.intp)
    return Subgroups(column=column, names=tuple(names), code=of_value[found.codes])


def parts_of(column: str) -> list[str]:
    """Return the column names in a comma-separated list."""
    return [name.strip() for name in column.split(",")]


def crossed(columns: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the combination of the subgroups of each row in several columns, such as ``'female, 60+'``."""
    each = (subgroups_in(name, cells).labels for name, cells in columns.items())
    return [", ".join(labels) for labels in zip(*each, strict=True)]


def subgroups_of(told: Mapping[str, Any] | None, n: int) -> Subgroups | None:
    """Return the subgroups of `n` questions from a saved report, or None if the report has none."""
    if told is None:
        return None
    code, names = np.array(told["code"], dtype=np.intp), tuple(map(str, told["names"]))
    if code.shape != (n,) or not ((code >= 0) & (code < len(names))).all():
        raise InvalidValueError("each of its questions must have one of the named subgroups")
    return Subgroups(column=str(told["column"]), names=names, code=code)
