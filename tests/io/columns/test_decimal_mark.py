"""The comma is the decimal mark where it can be nothing else."""

from __future__ import annotations

import io
import re
from importlib import import_module

import pandas as pd
import pytest

from evalstats._errors import InvalidValueError
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
    ("cells", "mark"),
    [
        ("1,234,567;0,5\nglass;3,009;0,7", ","),
        ("1.234.567;0.5\nglass;3.009.123;0.7", "."),
        ("1 234;2 345\nglass;3 009;999", " "),
    ],
)
def test_thousands_separator_that_may_be_something_else_is_asked_about(cells: str, mark: str) -> None:
    with pytest.raises(TableError, match=re.escape(f"only if {mark!r} separates thousands; if so, pass parsing={{'th")):
        read(f"dataset;NB;SVM\niris;{cells}\n")


@pytest.mark.parametrize(
    ("cells", "parsing", "scores"),
    [
        ("1 234;2 345\nglass;3 009;999", {"thousands": " "}, [[1234, 2345], [3009, 999]]),
        ("1 234,5;2 345\nglass;3 009;999", {"thousands": " ", "decimal": ","}, [[1234.5, 2345], [3009, 999]]),
        ("1,234;2,345\nglass;3,009;4,567", {"thousands": ","}, [[1234, 2345], [3009, 4567]]),
        ("1,234;2,345\nglass;3,009;0.5", {"thousands": ","}, [[1234, 2345], [3009, 0.5]]),
        ("1.234;2.345\nglass;3.009;0,5", {"thousands": "."}, [[1234, 2345], [3009, 0.5]]),
        ("1'234;2’345\nglass;3'009;0.5", {"thousands": "'"}, [[1234, 2345], [3009, 0.5]]),
    ],
)
def test_thousands_separator_that_is_given_is_read(cells: str, parsing: dict[str, str], scores: object) -> None:
    table = read_table(io.StringIO(f"dataset;NB;SVM\niris;{cells}\n"), parsing=parsing)

    assert table.scores.tolist() == scores
    assert codes(table)[0] == "thousands"


@pytest.mark.parametrize("space", ["\u00a0", "\u2007", "\u2009", "\u202f"])
def test_spaces_that_nobody_types_between_numbers_separate_thousands(space: str) -> None:
    """A plain space is then one too."""
    table = read(f"dataset;NB;SVM\niris;1{space}234;2 345\nglass;999;1{space}000\n")

    assert table.scores.tolist() == [[1234.0, 2345.0], [999.0, 1000.0]]


def test_thin_space_of_latex_separates_thousands() -> None:
    table = read(r"dataset & NB & SVM \\ iris & 1\,234 & \textbf{2\,345} \\ glass & 999 & 1\,000 \\")

    assert table.scores.tolist() == [[1234.0, 2345.0], [999.0, 1000.0]]


def test_one_mark_cannot_separate_thousands_and_decimals() -> None:
    with pytest.raises(InvalidValueError, match="thousands must not be the decimal mark, but both are ','"):
        read_table(io.StringIO("d;A;B\na;1;2\n"), parsing={"decimal": ",", "thousands": ","})


CELLS = {
    "certain thousands": ["1,234.5", "2,345.25", "999.5", "3,009.5", "12.5", "1,100.5"],
    "commas alone": ["1,234", "2,345", "3,009", "1,999", "1,100", "1,004"],
    "decimal commas": ["0,5", "0,6", "0,7", "0,8", "0,9", "0,1"],
    "spreads": ["0.5 ± 0.1", "0.6 ± 0.1", "0.7", "0.8", "0.9", "0.1"],
}


@pytest.mark.parametrize("layout", ["wide", "long"])
@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_an_engine_changes_no_number_and_no_question(cells: str, layout: str, engine: str) -> None:
    package = import_module(engine)
    own = CELLS[cells]
    if layout == "wide":
        frame = pd.DataFrame({"dataset": ["a", "b", "c"], "A": own[:3], "B": own[3:]})
    else:
        frame = pd.DataFrame({"dataset": [*"abcabc"], "classifier": [*"AAABBB"], "score": own})
    held = package.from_df(frame) if engine == "duckdb" else package.from_pandas(frame).lazy()

    assert _outcome(held) == _outcome(frame)


def _outcome(source: object) -> object:
    try:
        table = read_table(source)
    except TableError as error:
        return str(error)
    return table.scores.tolist(), list(map(str, table.findings))
