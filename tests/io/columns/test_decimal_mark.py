"""The comma is the decimal mark where it can be nothing else."""

from __future__ import annotations

import io

import pytest

from evalstats.io.columns.cleaning import decimal_of, with_decimal
from evalstats.io.reader.opening import grid_of
from evalstats.io.reader.tables import read_table
from evalstats.tables.errors import TableError
from evalstats.tables.score_table import ScoreTable


def read(text: str) -> ScoreTable:
    return read_table(io.StringIO(text))


def codes(table: ScoreTable) -> list[str]:
    return [one.code for one in table.findings]


def test_decimal_comma_is_understood_where_it_is_certain() -> None:
    table = read("dataset;NB;SVM\niris;93,3;95,1\nglass;70,5;71\n")

    assert (table.scores.tolist(), codes(table)) == ([[93.3, 95.1], [70.5, 71.0]], ["decimal-comma"])


@pytest.mark.parametrize("cells", ["1,234;2,345\nglass;3,456;4,567", "0,5;0.7\nglass;0,6;0.8"])
def test_decimal_comma_that_may_be_something_else_is_asked_for(cells: str) -> None:
    with pytest.raises(TableError, match="decimal mark"):
        read(f"dataset;NB;SVM\niris;{cells}\n")


def test_decimal_mark_of_a_grid() -> None:
    grid = grid_of(io.StringIO("d;y\na;0,5\n"), None, "utf-8", None)

    assert (decimal_of(grid, "auto"), decimal_of(grid, ".")) == (",", ".")


def test_comma_is_told() -> None:
    grid = grid_of(io.StringIO("d;y\na;0,5\n"), None, "utf-8", None)

    found, decimal = with_decimal(grid, "d\ny\na\n0,5")

    assert (decimal, [one.sentence for one in found.findings]) == (
        ",", ["The comma was read as the decimal mark, as in '0,5'."]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ('d,NB,SVM\niris,"3,009.5","2,001"\nglass,"1,000.25",999.5\n', "comma"),
        ("d\tNB\tSVM\niris\t3,009.5\t2,001\nglass\t1,000.25\t999.5\n", "comma"),
        ("d;NB;SVM\niris;3.009,5;2.001\nglass;1.000,25;999,5\n", "point"),
        ('d,NB,SVM\niris,"3.009,5","2.001"\nglass,"1.000,25","999,5"\n', "point"),
        ("d;NB;SVM\niris;3 009,5;2 001\nglass;1 000,25;999,5\n", "space"),
        ("d;NB;SVM\niris;3'009.5;2'001\nglass;1'000.25;999.5\n", "apostrophe"),
        ("| d | NB | SVM |\n|---|---|---|\n| iris | 3,009.5 | 2,001 |\n| glass | 1,000.25 | 999.5 |\n", "comma"),
        ("d;NB;SVM\niris;3,009.5 ± 1.2;2,001 ± 3\nglass;1,000.25 ± 4;999.5 ± 2\n", "comma"),
    ],
)
def test_thousands_separator_is_read_where_it_is_certain(text: str, marks: str) -> None:
    table = read(text)

    assert table.scores.tolist() == [[3009.5, 2001.0], [1000.25, 999.5]]
    assert table.findings[0].sentence.startswith(f"The {marks} was read as the thousands separator and the ")
    assert codes(table)[0] == "thousands"


@pytest.mark.parametrize(
    "cells", ["1,234,567;0,5\nglass;3,009;0,7", "1.234.567;0.5\nglass;3.009.123;0.7", "1 234;2 345\nglass;3 009;999"]
)
def test_thousands_separator_that_may_be_something_else_is_refused(cells: str) -> None:
    with pytest.raises(TableError, match="has a thousands separator, which is not read"):
        read(f"dataset;NB;SVM\niris;{cells}\n")
