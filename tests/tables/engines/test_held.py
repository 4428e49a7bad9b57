"""A table that an engine holds looks like any grid, and is fetched in one go."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from evalstats.tables.engines.held import CasePlan, Codes, HeldColumns, column_of_arrow, held_grid
from evalstats.tables.grid import TableError, text_of


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


def test_errors_of_an_engine_are_told_as_ours() -> None:
    class Broken(Counting):
        def columns(self, names: Sequence[str]) -> list[Any]:
            raise RuntimeError("the workers\nare gone")

    columns = HeldColumns(Broken(), "the table")

    with pytest.raises(TableError, match=r"^the table cannot be read: .the workers.$"):
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
