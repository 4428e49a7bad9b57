"""Subgroup or cluster of each prediction or question, with the source column and the names of the subgroups."""

from __future__ import annotations

__all__ = ["GROUPINGS", "NOT_GIVEN", "Subgroups", "crossed", "parts_of", "subgroups_in", "subgroups_of"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._result import Record
from evalstats._types import IndexArray
from evalstats.tables.categorical import distinct_cells
from evalstats.tables.names import natural_order, text_of

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
