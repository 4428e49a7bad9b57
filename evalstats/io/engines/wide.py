"""Counts of predictions in a file with a column for each classifier.

The common readers determine the meaning of the columns from example rows: the first rows, and one row for each further
label. Then the engine counts the labels of all rows. If the engine cannot count the labels, all rows are read.
"""

from __future__ import annotations

__all__ = ["ColumnsLater", "counted_or_read", "wide_grid"]

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from evalstats._errors import EvalstatsError
from evalstats._lexicon import PREDICTION_COLUMNS, TRUE_AT_LAST
from evalstats._types import IntArray
from evalstats.io.columns.cleaning import STATUS_COLUMNS
from evalstats.io.columns.roles import columns_called
from evalstats.io.engines.duckdb import DuckdbEngine
from evalstats.io.engines.held import MOST_VALUES, CasePatterns, CasePlan, HeldColumns, Ranking, RankingPlan, held_grid
from evalstats.io.sources.arrow import grid_of_arrow
from evalstats.io.sources.grid import Grid
from evalstats.tables.errors import TableError

FEWEST_ROWS = 20_000  # fewer rows are read at once
N_EXAMPLES = 2_000
KINDS = ("integer", "text")

_Found = TypeVar("_Found")
_Counts = tuple[list[list[Any]], IntArray] | None


def wide_grid(engine: Any, name: str, plain: Callable[[], Grid]) -> Grid | None:
    """Return the grid of a large file that may have a column for each classifier, or None for other sources.

    `plain` reads all its rows.
    """
    header = list(engine.header)
    if not isinstance(engine, DuckdbEngine) or len(set(header)) < len(header):
        return None
    if any(engine.kind(column) not in KINDS or column.startswith("__index_level_") for column in header):
        return None
    grid = replace(held_grid(engine, name, file=name), noise=[0.0] * len(header))
    true = columns_called(grid, PREDICTION_COLUMNS["y_true"]) or columns_called(grid, TRUE_AT_LAST)
    if not true or columns_called(grid, STATUS_COLUMNS) or len(grid.numbers) < FEWEST_ROWS:
        return None
    return replace(grid, columns=ColumnsLater(engine, header[true[0]], plain))


def counted_or_read(grid: Grid, read: Callable[[Grid], _Found]) -> _Found:
    """Apply `read` to a grid; for a file with a column for each classifier, apply it only to example rows."""
    columns = grid.columns
    if not isinstance(columns, ColumnsLater) or (few := columns.examples(grid)) is None:
        return read(grid)
    try:
        found = read(few)
        if columns.is_counted:
            return found
    except EvalstatsError:
        if columns.is_counted:
            raise
    return read(grid)


class ColumnsLater(Sequence[Any]):
    """Columns of a file with a column for each classifier; access to one column reads all columns."""

    def __init__(self, engine: DuckdbEngine, true: str, plain: Callable[[], Grid]) -> None:
        self.engine, self._true, self._plain = engine, true, plain
        # how often each cell occurs, of the columns with few different ones
        self.n_cells: dict[str, dict[Any, int]] = {}
        self._kept: dict[tuple[str, ...], _Counts] = {}
        self._columns: Sequence[Any] | None = None
        self._counted: HeldColumns | None = None

    def __len__(self) -> int:
        return len(self.engine.header)

    def __getitem__(self, at: Any) -> Any:
        if self._columns is None:
            self._columns = self._plain().columns
        return self._columns[at]

    @property
    def is_counted(self) -> bool:
        """Whether the engine counted the predictions. If it did, the rows were not read."""
        return self._counted is not None and self._counted.is_counted

    def counts(self, names: Sequence[str], limit: int) -> _Counts:
        """Return distinct rows of columns and their counts, from a cache."""
        if tuple(names) not in self._kept:
            self._kept[tuple(names)] = self.engine.counts(names, limit)
        return self._kept[tuple(names)]

    def examples(self, grid: Grid) -> Grid | None:
        """Return example rows of the file; return None if pyarrow is missing or a label has no example."""
        try:
            import pyarrow as pa
        except ImportError:
            return None
        engine, header = self.engine, self.engine.header
        found = engine.first_rows(N_EXAMPLES)
        for name in header:
            if len(set(found.column(name).to_pylist())) > MOST_VALUES:
                continue
            # counts with the true labels, because the readers request these counts
            counts = self.counts(list(dict.fromkeys((self._true, name))), MOST_VALUES**2)
            if counts is None:
                continue
            n_cells: dict[Any, int] = {}
            for cell, n in zip(counts[0][-1], counts[1].tolist(), strict=True):
                n_cells[cell] = n_cells.get(cell, 0) + n
            if None in n_cells:
                return None
            self.n_cells[name] = n_cells
        for name, n_cells in self.n_cells.items():
            others = n_cells.keys() - set(found.column(name).to_pylist())
            found = pa.concat_tables([found, *(engine.first_rows(1, (name, value)) for value in sorted(others))])
        return replace(grid_of_arrow(found, grid.name), file=grid.file, whole=self)

    def unpivoted(
        self,
        grid: Grid,
        roles: Mapping[str, str],
        heads: Sequence[str],
        dropped: Collection[str],
        read: Callable[[Grid], Grid],
    ) -> Grid:
        """Return the long table of predictions, whose rows the engine counts.

        `roles` contains the names of columns by their roles. `heads` contains the columns of the classifiers. `read`
        returns the same table from all rows.
        """
        used = {*roles.values(), *heads}
        of_labels = {*heads, roles["y_true"], *(roles[name] for name in ("dataset", "fold") if name in roles)}
        kinds = {self.engine.kind(name) for name in (*heads, roles["y_true"])}
        is_sure = not grid.findings and len(kinds) == 1 and roles.keys().isdisjoint(("repeat", "subgroup", "cluster"))
        is_sure = is_sure and set(self.engine.header) <= used.union(dropped) and of_labels <= self.n_cells.keys()
        if not is_sure or not used <= set(self.engine.header):
            raise TableError(f"{grid.name} must be read as a whole")
        later = replace(grid, columns=self, numbers=range(1, self.engine.n_rows() + 1), whole=None)
        own = _Unpivoted(self, roles, heads, lambda: read(later))
        long = held_grid(own, grid.name, file=grid.file)
        assert isinstance(long.columns, HeldColumns)
        long.columns.must_count = True
        self._counted = long.columns
        return long


class _Unpivoted:
    """Engine for the long form of a table with a column for each classifier."""

    def __init__(
        self, table: ColumnsLater, roles: Mapping[str, str], heads: Sequence[str], read: Callable[[], Grid]
    ) -> None:
        self._table, self._wide = table, table.engine
        self._roles, self._heads, self._read = roles, heads, read
        self.header: list[str] = ["classifier", "dataset", "instance", *(["fold"] if "fold" in roles else [])]
        self.header += ["y_true", "y_pred"]

    def n_rows(self) -> int:
        """Return the number of rows."""
        return self._wide.n_rows() * len(self._heads)

    def kind(self, name: str) -> str:
        """Return the kind of a column."""
        column = self._roles.get(name, self._heads[0] if name == "y_pred" else None)
        if column is None:
            return "integer" if name == "instance" else "text"
        return self._wide.kind(column)

    def counts(self, names: Sequence[str], limit: int) -> tuple[list[list[Any]], IntArray] | None:
        """Return distinct rows of columns and their counts, or None if there are more than `limit`."""
        keys: list[list[Any]] = [[] for _ in names]
        counts = []
        for head in self._heads:
            columns = {**self._roles, "y_pred": head}
            at = {name: columns[name] for name in names if name in columns}
            found = self._table.counts(list(dict.fromkeys(at.values())), limit)
            if found is None:
                return None
            n = len(found[1])
            own = dict(zip(dict.fromkeys(at.values()), found[0], strict=True))
            for key, name in zip(keys, names, strict=True):
                key.extend(own[at[name]] if name in at else [head if name == "classifier" else name] * n)
            counts.append(found[1])
        return keys, np.concatenate(counts)

    def case_patterns(self, plan: CasePlan) -> CasePatterns:
        """Count the instances with each pattern of tested and correct classifiers."""
        bits = [dict(plan.bits(w)) for w in range(plan.n_words)]
        own = [[(head, of_word[head]) for head in self._heads if head in of_word] for of_word in bits]
        dataset = None if plan.dataset is None else plan.dataset._replace(column=self._roles["dataset"])
        datasets, right, n = self._wide.right_words(self._roles["y_true"], own, dataset)
        names = [self._roles[name] for name in ("dataset", "instance") if name in self._roles]
        is_certain = "instance" not in self._roles or self._wide.names_each_row(names)
        return CasePatterns(
            dataset=datasets,
            n_rows=np.full(len(n), len(self._heads)),
            tested=[np.full(len(n), sum(bit for _, bit in of_word)) for of_word in own],
            right=right,
            is_constant=np.ones(len(n), dtype=bool),
            is_odd=np.full(len(n), not is_certain),
            n_instances=n,
        )

    def rankings(self, plan: RankingPlan) -> list[Ranking] | None:
        """Return None, because the table contains no scores."""
        return None

    def first_row(self) -> list[Any]:
        """Return the cells of the first row."""
        return [column[0] for column in self._read().columns]

    def only(self, name: str, values: Sequence[Any]) -> Any:
        """Raise NotImplementedError: the rows of test data are selected before the table is converted."""
        raise NotImplementedError  # `_read` selects the rows of test data

    def columns(self, names: Sequence[str]) -> list[Any]:
        """Return columns of all rows."""
        grid = self._read()
        return [grid.columns[grid.header.index(name)] for name in names]
