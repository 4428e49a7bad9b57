"""Large files read by Arrow if DuckDB is not installed; the required columns are loaded into memory."""

from __future__ import annotations

__all__ = ["arrow_engine"]

import copy
from collections.abc import Sequence
from typing import Any

from evalstats._types import IntArray
from evalstats.io.engines.frames import FrameEngine
from evalstats.io.engines.held import CasePatterns, CasePlan, Engine, Ranking, RankingPlan


def arrow_engine(files: Sequence[str], kind: str, separator: str) -> Engine | None:
    """Return the engine for files of one kind; None if pyarrow is not installed or cannot read them."""
    try:
        from pyarrow import ArrowInvalid, csv, dataset
    except ImportError:
        return None
    choices: Any = kind
    if kind == "csv":
        choices = dataset.CsvFileFormat(parse_options=csv.ParseOptions(delimiter=separator))
    try:
        found = dataset.dataset(list(files), format=choices, partitioning="hive")
        if kind == "csv":
            choices = dataset.CsvFileFormat(
                parse_options=csv.ParseOptions(delimiter=separator),
                convert_options=csv.ConvertOptions(column_types=dict.fromkeys(found.schema.names, "string")),
            )
            found = dataset.dataset(list(files), format=choices, partitioning="hive")
        return _ArrowFiles(found)
    except (ArrowInvalid, OSError, ValueError):
        return None


class _ArrowFiles:
    """Files of Arrow's dataset; each question reads the columns that it needs."""

    def __init__(self, files: Any) -> None:
        self._files = files
        self._kept: Any = None  # the rows that are asked for, None: all
        self.header: list[str] = list(files.schema.names)
        self._empty = self._of([], rows=0)

    def _of(self, names: Sequence[str], *, rows: int | None = None) -> FrameEngine:
        import narwhals.stable.v2 as nw

        if rows == 0:
            return FrameEngine(nw.from_native(self._files.schema.empty_table()).lazy())
        return FrameEngine(
            nw.from_native(self._files.to_table(columns=list(dict.fromkeys(names)), filter=self._kept)).lazy()
        )

    def n_rows(self) -> int:
        """Return the number of rows."""
        return int(self._files.count_rows(filter=self._kept))

    def kind(self, name: str) -> str:
        """Return the kind of a column."""
        return self._empty.kind(name)

    def first_row(self) -> list[Any]:
        """Return the cells of one row, none if there is none."""
        return [cell for row in self._files.head(1).to_pylist() for cell in row.values()]

    def only(self, name: str, values: Sequence[Any]) -> _ArrowFiles:
        """Return the rows that have one of these values in a column, without that column."""
        from pyarrow import compute

        left = copy.copy(self)
        left._kept = compute.field(name).isin(list(values))
        left.header = [other for other in self.header if other != name]
        return left

    def counts(self, names: Sequence[str], limit: int) -> tuple[list[list[Any]], IntArray] | None:
        """Return the distinct rows of some columns, and how often each occurs."""
        return self._of(names).counts(names, limit)

    def case_patterns(self, plan: CasePlan) -> CasePatterns:
        """Count the patterns of the instances, and the instances with each pattern."""
        coded = [codes.column for codes in (plan.dataset, plan.classifier, *plan.constants) if codes is not None]
        names = [plan.case, plan.true, plan.predicted, *coded]
        return self._of(names).case_patterns(plan)

    def rankings(self, plan: RankingPlan) -> list[Ranking] | None:
        """Count the pairs in order of each ranking."""
        coded = [codes.column for codes in (*plan.keys, plan.positives)]
        return self._of([*coded, plan.score]).rankings(plan)

    def columns(self, names: Sequence[str]) -> list[Any]:
        """Return columns as arrays of numbers or with their distinct cells."""
        return self._of(names).columns(names)
