"""A table that an engine holds looks like any grid, and is fetched in one go."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from evalstats import compare, read_predictions, read_table
from evalstats.io.engines import frames
from evalstats.io.engines.counted_predictions import OneByOne
from evalstats.io.engines.held import CasePlan, Codes, HeldColumns, column_of_arrow, held_grid
from evalstats.io.sources.grid import Grid
from evalstats.tables.errors import TableError, asked
from evalstats.tables.names import text_of


class Counting:
    """An engine of two rows that notes what it is asked for."""

    def __init__(self) -> None:
        self.header, self.asked = ["a ", "b", "c"], []  # type: tuple[list[str], list[Any]]

    def n_rows(self) -> int:
        self.asked.append("n")
        return 2

    def columns(self, names: Sequence[str]) -> list[Any]:
        self.asked.append(list(names))
        return [np.array([i, i]) for i in range(len(names))]


def test_columns_are_fetched_together() -> None:
    engine = Counting()
    columns = HeldColumns(engine, "the table")

    assert columns[2].tolist() == [2, 2]
    assert columns[-3].tolist() == [0, 0]
    assert [column.tolist() for column in columns] == [[0, 0], [1, 1], [2, 2]]
    assert engine.asked == [["a ", "b", "c"]]
    with pytest.raises(IndexError):
        columns[3]


def test_only_the_columns_that_are_needed_are_fetched() -> None:
    engine = Counting()
    columns = HeldColumns(engine, "the table")

    columns.load([2, 0])

    assert engine.asked == [["a ", "c"]]
    assert len(columns[0:1]) == 1


def test_columns_that_were_let_go_are_fetched_again() -> None:
    engine = Counting()
    columns = HeldColumns(engine, "the table")
    columns.load([0])

    columns.forget()

    assert columns[0].tolist() == [0, 0]
    assert engine.asked == [["a "], ["a ", "b", "c"]]


def test_two_readers_of_one_table_do_not_share_columns() -> None:
    class Shuffled(Counting):
        """Engine whose rows are in another order at each query."""

        def columns(self, names: Sequence[str]) -> list[Any]:
            self.asked.append(list(names))
            return [np.roll([0, 1], len(self.asked)) for _ in names]

    def understood(grid: Grid, at: Any, n_instances: Any, **_: Any) -> Any:
        first = grid.columns[0].tolist()
        if not others:  # a second thread reads the table between two columns of the first
            others.append(None)
            others[0] = load()
        return first, grid.columns[1].tolist()

    others: list[Any] = []
    load = OneByOne(held_grid(Shuffled(), "the table"), {"y_true": 0, "y_pred": 1}, understood)

    for first, second in (load(), others[0]):
        assert first == second


@pytest.mark.skipif(getattr(sys.flags, "context_aware_warnings", False), reason="each thread has its own filters")
def test_reading_again_leaves_the_filters_of_all_threads_alone() -> None:
    filters = warnings.filters

    def understood(*_: Any, is_told: bool) -> Any:
        return is_told, warnings.filters is filters

    again = OneByOne(held_grid(Counting(), "the table"), {"y_true": 0}, understood, is_told=True)

    assert again() == (True, True)


@pytest.mark.skipif(getattr(sys.flags, "context_aware_warnings", False), reason="each thread has its own filters")
def test_frames_in_memory_are_opened_with_the_filters_of_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    found, filters = [], warnings.filters
    monkeypatch.setattr(frames, "FrameEngine", lambda _: found.append(warnings.filters))

    frames.frame_engine(import_module("pandas").DataFrame({"a": [1]}))

    assert len(found) == 1
    assert found[0] is filters


def test_errors_of_an_engine_are_told_as_ours() -> None:
    class Broken(Counting):
        def columns(self, names: Sequence[str]) -> list[Any]:
            raise RuntimeError("the workers\nare gone")

    columns = HeldColumns(Broken(), "the table")

    with pytest.raises(TableError, match=r"^the table cannot be read: RuntimeError 'the workers'$"):
        columns[0]


def test_rows_are_counted_when_somebody_asks() -> None:
    engine = Counting()
    grid = held_grid(engine, "the table", word="line")

    assert grid.header == ["a", "b", "c"]
    assert engine.asked == []
    assert (len(grid.numbers), list(grid.numbers)) == (2, [2, 3])
    assert engine.asked == ["n"]


def test_classifiers_beyond_a_word_have_bits_in_the_next() -> None:
    code_of = {f"model {j}": j for j in range(64)}
    plan = CasePlan("row", Codes("d", {"d": 0}), Codes("c", code_of), "t", "p", ())

    assert plan.n_words == 2
    assert plan.bits(0)[-1] == ("model 61", 1 << 61)
    assert plan.bits(1) == [("model 62", 1), ("model 63", 2)]


@pytest.mark.parametrize(
    ("cells", "type_name"),
    [
        (["a", None, "b", "a"], "string"),
        (["a", None, "b", "a"], "string_view"),
        ([True, False, None], "bool_"),
        ([[1], [1, 2]], None),
        ([None, None], None),
        ([], None),
    ],
)
def test_arrow_arrays_keep_their_cells(cells: list[Any], type_name: str | None) -> None:
    pa = import_module("pyarrow")
    array = pa.array(cells, None if type_name is None else getattr(pa, type_name)())

    for one in (array, pa.chunked_array([array[:1], array[1:]], array.type)):
        column = column_of_arrow(one)

        assert [text_of(cell) for cell in column] == [text_of(cell) for cell in cells]


def test_arrow_numbers_are_numbers() -> None:
    pa = import_module("pyarrow")

    assert column_of_arrow(pa.array([1, 2])).tolist() == [1, 2]
    np.testing.assert_array_equal(column_of_arrow(pa.chunked_array([[1, None]])), [1, np.nan])
    assert column_of_arrow(pa.array([1.5], pa.float32())).dtype == np.float32
    encoded = pa.chunked_array([pa.array(["a", "b"]).dictionary_encode(), pa.array(["b", None]).dictionary_encode()])
    assert list(column_of_arrow(encoded)) == ["a", "b", "b", None]


class Failing:
    """An engine that does nothing but raise."""

    header: Sequence[str] = ("dataset", "model", "y_true", "y_pred")

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __getattr__(self, name: str) -> Any:
        def ask(*_: Any) -> Any:
            raise self.error

        return ask


class KilledWorkerError(Exception):
    """An error as that of a cluster, which knows nothing of evalstats."""


@pytest.mark.parametrize(
    "ask", ["n_rows", "kind", "first_row", "only", "counts", "case_patterns", "rankings", "columns"]
)
def test_whatever_an_engine_raises_is_one_sentence(ask) -> None:
    error = KilledWorkerError("node 7 died\nTraceback of many lines")
    columns = HeldColumns(Failing(error), "the table")

    with pytest.raises(TableError, match=r"^the table cannot be read: KilledWorkerError 'node 7 died'$") as caught:
        getattr(columns.engine, ask)("x")
    assert caught.value.__cause__ is error


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (
            "An error occurred while calling o1.get.\n: org.a.B: thrown\n\tat a.B\nCaused by: org.a.B: a task failed\n",
            "a task failed",
        ),
        ("a call failed\nCaused by: java.io.EOFException\nCaused by: org.a.B: the end", "java.io.EOFException"),
        ("\nThe Python worker says:\nthere is no column\nTraceback", "there is no column"),
        ("there is nothing below:\n", "there is nothing below:"),
    ],
)
def test_reason_of_an_engine_is_the_line_that_tells_it(message: str, reason: str) -> None:
    with pytest.raises(TableError, match=f"the table cannot be read: RuntimeError '{reason}'$"), asked("the table"):
        raise RuntimeError(message)


@pytest.mark.parametrize("error", [TableError("it is wrong"), MemoryError(), KeyboardInterrupt()])
def test_what_is_no_error_of_the_engine_stays_what_it_is(error) -> None:
    with pytest.raises(type(error)), asked("the table"):
        raise error


def test_partition_that_fails_is_one_sentence_of_every_reader() -> None:
    dd, pd = import_module("dask.dataframe"), import_module("pandas")
    rows = pd.DataFrame({"model": list("abab"), "y_true": [0, 1] * 2, "y_pred": [0, 1] * 2})

    def fail(part: Any, partition_info: Any = None) -> Any:
        if partition_info:
            raise RuntimeError("the disk is gone")
        return part

    frame = dd.from_pandas(rows, npartitions=2).map_partitions(fail, meta=rows)
    for read in (compare, read_table, read_predictions):
        with pytest.raises(TableError, match="the table cannot be read: RuntimeError 'the disk is gone'") as caught:
            read(frame)
        assert isinstance(caught.value.__cause__, RuntimeError)


def test_lazy_frame_without_its_column_is_one_sentence() -> None:
    polars = import_module("polars")

    with pytest.raises(TableError, match="the table cannot be read"):
        compare(polars.LazyFrame({"a": [1]}).with_columns(polars.col("b")))


def test_relation_of_a_closed_connection_is_one_sentence() -> None:
    connection = import_module("duckdb").connect()
    relation = connection.sql("SELECT 1 AS dataset, 2 AS a, 3 AS b")
    connection.close()

    with pytest.raises(TableError, match="the table cannot be read: ConnectionException 'Connection Error"):
        compare(relation)
