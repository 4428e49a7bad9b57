"""Which cell of a matrix belongs to which pair of a comparison?"""

from __future__ import annotations

__all__ = ["PairCells", "cells_of_pairs"]

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from evalstats._checks import InvalidTypeError
from evalstats._types import IntArray
from evalstats.comparison.record import Comparison
from evalstats.plot.matrix import EMPTY, UNKNOWN


class PairCells(NamedTuple):
    """Names around the matrix of a comparison, best first, and its cells, of which nothing is known so far."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    steps: IntArray
    row_of: dict[str, int]
    column_of: dict[str, int]

    def of(self, first: str, second: str) -> Iterator[tuple[tuple[int, int], bool]]:
        """Yield the cells of a pair, and whether `first` is the classifier of the row."""
        for row, column in ((first, second), (second, first)):
            if row in self.row_of and column in self.column_of:
                yield (self.row_of[row], self.column_of[column]), row == first


def cells_of_pairs(comparison: Any) -> PairCells:
    """Return the cells of all pairs of a comparison; with a control there is one row."""
    if not isinstance(comparison, Comparison):
        raise InvalidTypeError(f"comparison must be what compare returned, not {type(comparison).__name__}")
    control, columns = comparison.control, comparison.ranking
    rows = columns if control is None else (control,)
    if control is not None:
        columns = tuple(name for name in columns if name != control)
    steps = np.full((len(rows), len(columns)), UNKNOWN, dtype=np.intp)
    if control is None:
        np.fill_diagonal(steps, EMPTY)
    row_of, column_of = ({name: place for place, name in enumerate(names)} for names in (rows, columns))
    return PairCells(rows, columns, steps, row_of, column_of)
