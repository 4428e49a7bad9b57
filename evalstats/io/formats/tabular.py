"""Columns and rows of a table in a file format."""

from __future__ import annotations

__all__ = ["Rows", "column_called", "file_stem", "positive_scores", "rows_of"]

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalstats._lexicon import is_called
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import not_a_number, number_in
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of


@dataclass(frozen=True)
class Rows:
    """Columns by name, with the line or row numbers."""

    name: str
    columns: Mapping[str, list[Any]]
    numbers: list[int]
    word: str = "line"

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __getitem__(self, name: str) -> list[Any]:
        return self.columns[name]

    def texts(self, name: str) -> list[str]:
        """Return the cells of a column as texts."""
        return [cell if isinstance(cell, str) else text_of(cell) for cell in self.columns[name]]

    def where(self, name: str, is_kept: Callable[[Any], bool]) -> Rows:
        """Return the rows for which `is_kept` is true of the cell in a column."""
        return self.at([i for i, cell in enumerate(self.columns[name]) if is_kept(cell)])

    def at(self, kept: Sequence[int]) -> Rows:
        """Return the rows at the given positions."""
        columns = {name: [column[i] for i in kept] for name, column in self.columns.items()}
        return replace(self, columns=columns, numbers=[self.numbers[i] for i in kept])

    def values(self, name: str) -> list[float]:
        """Return a column of numbers. A missing number is nan."""
        return [self._value(name, i, cell) for i, cell in enumerate(self.columns[name])]

    def _value(self, name: str, i: int, cell: Any) -> float:
        value = number_in(cell, ".")
        if value is None or math.isinf(value):
            place = f"{self.name}, {self.word} {self.numbers[i]}, column {short(name)}"
            raise not_a_number(place, cell, ".", is_text=False)
        return value


def rows_of(seen: Seen, required: Sequence[str], title: str) -> Rows:
    """Return the rows of text or a frame, or raise an error if a required column is missing or repeated."""
    grid = seen.grid
    for name in required:
        if name not in grid.header:
            raise TableError(f"{seen.name} lacks the column {short(name)} of {title}")
    if repeated := [name for name in grid.header if name and grid.header.count(name) > 1]:
        raise TableError(f"{seen.name}: {grid.header.count(repeated[0])} columns are called {short(repeated[0])}")
    columns = {
        name: column.tolist() if isinstance(column, np.ndarray) else list(column)
        for name, column in zip(grid.header, grid.columns, strict=True)
    }
    return Rows(seen.name, columns, list(grid.numbers), grid.word)


def column_called(names: Iterable[str], known: Sequence[str]) -> str | None:
    """Return the first column with a known name, or None if there is none."""
    return next((name for name in names if is_called(name, known)), None)


def file_stem(seen: Seen, otherwise: str) -> str:
    """Return the file name without its suffix. Return `otherwise` if the source is not a file."""
    return os.path.splitext(seen.file)[0] if seen.file else otherwise


def positive_scores(
    asked: Asked, datasets: Sequence[str], y_true: Sequence[str], probabilities: Mapping[str, Sequence[Any]]
) -> list[Any] | None:
    """Return the probability of the positive label in each row. Return None if a dataset has no positive label.

    Parameters
    ----------
    asked : Asked
        `pos_label` is the positive label, or a dict of the positive labels of all datasets.
    datasets, y_true : sequence of str
        Name of the dataset and true label in each row.
    probabilities : mapping of str to sequence
        The probability of each label in each row.
    """
    from evalstats.io.layouts.labels import usual_positive

    labels: dict[str, set[str]] = {}
    for dataset, label in zip(datasets, y_true, strict=True):
        labels.setdefault(dataset, set()).add(label)
    positive: dict[str, str | None] = {}
    for dataset, own in labels.items():
        given = asked.pos_label
        if isinstance(given, Mapping):
            given = {text_of(key): value for key, value in given.items()}.get(dataset)
        positive[dataset] = usual_positive(sorted(own)) if given is None else text_of(given)
    if any(label not in probabilities for label in positive.values()):
        return None
    return [probabilities[positive[dataset] or ""][i] for i, dataset in enumerate(datasets)]
