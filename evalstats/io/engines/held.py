"""Queries to an engine that holds a table, without loading its rows.

A held table has the interface of a grid of cells.
"""

from __future__ import annotations

__all__ = [
    "CERTAIN",
    "UNIT",
    "CasePatterns",
    "CasePlan",
    "Codes",
    "Engine",
    "HeldColumns",
    "Ranking",
    "RankingPlan",
    "column_of_arrow",
    "held_grid",
    "interruptible",
    "ranking_of",
    "rankings_of_counts",
]

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any, NamedTuple, Protocol

import numpy as np

from evalstats._types import AnyArray, BoolArray, IntArray
from evalstats.io.sources.grid import Grid
from evalstats.tables.categorical import CodedColumn, coded
from evalstats.tables.errors import asked
from evalstats.tables.names import texts_of

CERTAIN = 2.0**-52  # probabilities closer to 0 or 1 are clipped to this distance
# parts of 1 in which an instance is counted; the log loss of an instance is at most 37, and its number has 63 bits
UNIT = 2**57
# an engine looks for each of so many values in every row
MOST_VALUES = 200


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt for Ctrl-C, which DuckDB reports as a RuntimeError."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


class Codes(NamedTuple):
    """Name of a column, and the integer code of each of its values."""

    column: str
    code_of: dict[Any, int]


class CasePlan(NamedTuple):
    """Query for the counts per instance: the columns of instance, dataset, classifier and labels."""

    case: str
    dataset: Codes | None  # None: there is one
    classifier: Codes
    true: str
    predicted: str
    constants: tuple[Codes, ...]  # columns that must be constant over the rows of an instance

    @property
    def n_words(self) -> int:
        """Number of integers that store one bit for each classifier."""
        from evalstats.tables.correct_answers import WORD

        return max(self.classifier.code_of.values()) // WORD + 1

    def bits(self, word: int) -> list[tuple[Any, int]]:
        """Return the classifiers of a word, each with its bit in this word."""
        from evalstats.tables.correct_answers import WORD

        return [(name, 1 << j % WORD) for name, j in self.classifier.code_of.items() if j // WORD == word]


class RankingPlan(NamedTuple):
    """Query for the counts per ranking: the key columns, the scores and the positive label."""

    keys: tuple[Codes, ...]
    positives: Codes  # 1 for each spelling of the positive label; there may be none
    score: str
    metric: str = "roc_auc"


class Ranking(NamedTuple):
    """Counts of one ranking."""

    key: tuple[int, ...]
    # for an area: twice the pairs with the positive instance above the negative, where a tie counts half; for other
    # metrics: the sum of the terms in parts of `UNIT`; a sum of integers does not depend on the order of addition
    total: int
    n_positive: int
    n_negative: int
    n_odd: int  # scores that are missing or not finite, or of probabilities those below 0 or above 1


class CasePatterns(NamedTuple):
    """Groups of instances with equal patterns and the size of each group. All arrays have shape (n,)."""

    dataset: IntArray
    n_rows: IntArray
    tested: list[IntArray]  # a bit for each classifier that has a row, in words
    right: list[IntArray]  # a bit for each classifier that is right
    is_constant: BoolArray
    is_odd: BoolArray  # the name is missing, or may be another's in a different spelling
    n_instances: IntArray


class Engine(Protocol):
    """Interface of an engine that holds a table and can count its rows."""

    header: list[str]

    def n_rows(self) -> int:
        """Return the number of rows."""

    def kind(self, name: str) -> str:
        """Return 'integer', 'float', 'text', 'boolean' or 'other'."""

    def counts(self, names: Sequence[str], limit: int) -> tuple[list[list[Any]], IntArray] | None:
        """Return the distinct rows of some columns and their counts, or None if there are more than `limit`."""

    def case_patterns(self, plan: CasePlan) -> CasePatterns:
        """Count the instances with each pattern of tested and correct classifiers."""

    def rankings(self, plan: RankingPlan) -> list[Ranking] | None:
        """Compute the counts for each ranking that the metric needs, or None if a score is possibly not a number."""

    def first_row(self) -> list[Any]:
        """Return the cells of the first row, or an empty list if there are no rows."""

    def only(self, name: str, values: Sequence[Any]) -> Engine:
        """Return an engine with the rows that have one of `values` in a column, without that column."""

    def columns(self, names: Sequence[str]) -> list[Any]:
        """Return columns in a common row order, as arrays of numbers or as codes with distinct cells."""


def ranking_of(row: Sequence[Any]) -> Ranking:
    """Convert a result row of an engine to a ranking: its key and four counts."""
    *key, total, n_positive, n_negative, n_odd = map(int, row)
    return Ranking(tuple(key), total, n_positive, n_negative, n_odd)


def rankings_of_counts(
    keys: Sequence[Sequence[Any]],
    score: AnyArray,
    positive: AnyArray,
    negative: AnyArray,
    odd: AnyArray,
    *,
    metric: str = "roc_auc",
) -> list[Ranking]:
    """Compute the counts that the metric needs for each ranking, from the number of instances with each score."""
    rows: dict[tuple[Any, ...], list[int]] = {}
    for i, key in enumerate(zip(*keys, strict=True)):
        rows.setdefault(key, []).append(i)
    found = []
    for key, own in rows.items():
        at = np.array(own)[np.argsort(score[own], kind="stable")]
        n_positive, n_negative = positive[at].astype(np.int64), negative[at].astype(np.int64)
        total = (_pairs_in_order if metric == "roc_auc" else _precisions)(n_positive, n_negative)
        found.append(Ranking(key, total, int(n_positive.sum()), int(n_negative.sum()), int(odd[at].sum())))
    return found


def _pairs_in_order(n_positive: IntArray, n_negative: IntArray) -> int:
    below = np.cumsum(n_negative) - n_negative
    return int((n_positive * (2 * below + n_negative)).sum())


def _precisions(n_positive: IntArray, n_negative: IntArray) -> int:
    n_found, n_named = (np.cumsum(n[::-1])[::-1] for n in (n_positive, n_positive + n_negative))
    units = np.rint(n_found / n_named * UNIT).astype(np.int64)
    return sum(n * unit for n, unit in zip(n_positive.tolist(), units.tolist(), strict=True))


class HeldColumns(Sequence[Any]):
    """Columns of a held table: `load` fetches some columns, and access to any other column fetches all.

    `plain`, if given, reads the same table cell by cell, with line numbers for messages.
    """

    def __init__(self, engine: Engine, name: str, plain: Callable[[], Grid] | None = None) -> None:
        self.engine: Engine = _Asked(engine, name)
        self.plain = plain
        self.must_count = False  # whether another reader is asked if the rows cannot be counted
        self.is_counted = False
        self._loaded: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self.engine.header)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[j] for j in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        if at % len(self) not in self._loaded:
            self.load(range(len(self)))
        return self._loaded[at % len(self)]

    def load(self, at: Iterable[int]) -> None:
        """Load the given columns in one query, because the row order of an engine may differ between queries."""
        wanted = sorted(set(at))
        columns = self.engine.columns([self.engine.header[j] for j in wanted])
        self._loaded = dict(zip(wanted, columns, strict=True))

    def forget(self) -> None:
        """Release the memory of the fetched columns."""
        self._loaded = {}

    def moved(self) -> HeldColumns:
        """Move the fetched columns to a copy, because threads that read the same table must not share them."""
        own = copy(self)
        self.forget()
        return own


class _Asked:
    """Engine that converts the errors of another engine to errors of evalstats."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine, self._name, self.header = engine, name, engine.header

    def __getattr__(self, attribute: str) -> Any:
        own = getattr(self._engine, attribute)
        if not callable(own):
            return own

        def ask(*arguments: Any) -> Any:
            with asked(self._name):
                return own(*arguments)

        return ask


class _RowNumbers(Sequence[int]):
    """Lazy sequence of the row numbers. The engine counts the rows at the first use."""

    def __init__(self, engine: Engine, first: int) -> None:
        self._engine, self._first, self._n = engine, first, -1

    def __len__(self) -> int:
        if self._n < 0:
            self._n = self._engine.n_rows()
        return self._n

    def __getitem__(self, at: Any) -> Any:
        return range(self._first, self._first + len(self))[at]

    def __array__(self, dtype: Any = None, copy: Any = None) -> AnyArray:
        return np.arange(self._first, self._first + len(self), dtype=dtype)


def held_grid(
    engine: Engine, name: str, *, file: str | None = None, word: str = "row", plain: Callable[[], Grid] | None = None
) -> Grid:
    """Return the grid of a table that an engine holds."""
    columns = HeldColumns(engine, name, plain)
    return Grid(
        name=name,
        header=texts_of(engine.header),
        columns=columns,
        word=word,
        numbers=_RowNumbers(columns.engine, 2 if word == "line" else 1),
        must_name_datasets=word == "line",
        file=file,
    )


def column_of_arrow(array: Any) -> AnyArray | CodedColumn:
    """Convert an Arrow array to an array of numbers, or to codes with distinct cells."""
    import pyarrow as pa

    kind = array.type
    if (pa.types.is_integer(kind) or pa.types.is_floating(kind)) and not pa.types.is_float16(kind):
        numbers: AnyArray = array.to_numpy(zero_copy_only=False) if isinstance(array, pa.Array) else array.to_numpy()
        return numbers
    if pa.types.is_nested(kind) or pa.types.is_null(kind):
        return coded(array.to_pylist())
    if not pa.types.is_dictionary(kind):
        array = (array.cast(pa.large_string()) if _is_view(kind) else array).dictionary_encode()
    if isinstance(array, pa.ChunkedArray):
        array = array.unify_dictionaries().combine_chunks()
        array = array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
    values = array.dictionary.to_pylist()
    if not array.null_count:
        return CodedColumn(values, np.asarray(array.indices).astype(np.intp))
    codes = array.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
    return CodedColumn([*values, None], codes.astype(np.intp))


def _is_view(kind: Any) -> bool:
    return str(kind) == "string_view"
