"""Of several tables in a text one is meant; blank columns are none."""

from __future__ import annotations

import pytest

from evalstats.io.sources.table_region import grid_of_laid_rows, one_table
from evalstats.tables.errors import TableError

ROWS = [(3, ["d", "a"]), (4, ["x", "1"])]


def test_only_table_of_two_rows_is_meant() -> None:
    grid = one_table("t", [[], [(1, ["title"])], [(2, ["a"]), (3, ["b"])], ROWS], "HTML")

    assert (grid.header, grid.columns, list(grid.numbers), grid.word) == (["d", "a"], [["x"], ["1"]], [4], "line")


def test_none_and_several_are_refused() -> None:
    with pytest.raises(TableError, match="t is written in HTML, but holds no table"):
        one_table("t", [], "HTML")
    with pytest.raises(
        TableError, match=r"2 tables of HTML, in the lines '3-4', '3-4'; choose one, .* parsing={'rows': '3-4'}"
    ):
        one_table("t", [ROWS, ROWS], "HTML")


def test_blank_columns_are_left_out() -> None:
    grid = grid_of_laid_rows("t", [["", "d", "", "a"], [None, "x", "", 1], [None, "y", None, 2]], [1, 2, 3], "row")

    assert (grid.header, grid.columns) == (["d", "a"], [["x", "y"], [1, 2]])
