"""A table of a page is its cells."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from evalstats.io.reader.tables import read_table
from evalstats.io.sources.html import grid_of_html
from evalstats.tables.errors import TableError


def grid(text: str):
    return grid_of_html("t", list(enumerate(text.splitlines(keepends=True), 1)))


def test_cells_of_a_page() -> None:
    found = grid(
        "<html><p>x</p>\n<table>\n<tr><th>d</th><th>a &amp; b</th></tr>\n"
        "<tr><td>x<sup>1</sup><td><b>1</b>\n</table></html>"
    )

    assert (found.header, found.columns, list(found.numbers)) == (["d", "a & b"], [["x"], ["1"]], [4])


def test_spans_fill_their_cells() -> None:
    found = grid(
        "<table><tr><th rowspan=2>d<th colspan=2>accuracy</tr><tr><th>a<th>b</tr>"
        "<tr><td rowspan='2'>x<td>1<td>2</tr><tr><td>3<td>4</tr></table>"
    )

    assert (found.header, found.upper) == (["d", "a", "b"], ("", "accuracy", "accuracy"))
    assert found.columns == [["x", "x"], ["1", "3"], ["2", "4"]]


def test_page_of_pandas_is_its_frame() -> None:
    frame = pd.DataFrame({"NB": [0.9, 0.7], "SVM": [0.8, 0.6]}, index=["iris", "glass"])

    table = read_table(io.StringIO(frame.to_html()))

    assert table.to_frame().values.tolist() == frame.values.tolist()
    assert (table.datasets, table.classifiers) == (("iris", "glass"), ("NB", "SVM"))


def test_layout_tables_are_told_apart_by_their_size() -> None:
    assert grid("<table><tr><td>menu</td></tr></table><table><tr><td>d<td>a<tr><td>x<td>1</table>").header == ["d", "a"]


@pytest.mark.parametrize("text", ["<p>no table</p>", "<table>", "<table><tr><td colspan=99999999>x</table>", "<" * 99])
def test_page_without_a_table_is_refused(text: str) -> None:
    with pytest.raises(TableError, match="holds no table with at least two rows and two columns"):
        grid(text)
