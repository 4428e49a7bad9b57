"""A published table is the plain table that it stands for, and says what was taken away."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from evalstats.io.columns.cleaning import plain_grid, spread_of, text_of_columns
from evalstats.io.reader.opening import grid_of
from evalstats.io.reader.tables import read_table
from evalstats.tables.errors import TableError
from evalstats.tables.score_table import ScoreTable


def read(text: str, **options) -> ScoreTable:
    return read_table(io.StringIO(text), **options)


def codes(table: ScoreTable) -> list[str]:
    return [one.code for one in table.findings]


def test_spread_is_kept_and_said_to_be_unused() -> None:
    table = read("dataset,NB,SVM\niris,93.3 ± 0.5,**95.0 ± 0.2**\nglass,70,71.2 ± 2\n")

    assert table.scores.tolist() == [[93.3, 95.0], [70.0, 71.2]]
    assert table.spread is not None
    np.testing.assert_array_equal(table.spread, [[0.5, 0.2], [np.nan, 2.0]])
    assert "The numbers after ± were read as spread and are not used (3 cells, such as '93.3 ± 0.5')." in [
        one.sentence for one in table.findings
    ]


def test_spread_follows_its_score() -> None:
    text = "classifier,iris,glass,Average\nSVM,95 ± 2,71 ± 4,83 ± 1\nNB,93 ± 1,70 ± 3,81 ± 1\n"
    turned = read(text)
    rows = "dataset,classifier,accuracy\niris,SVM,95 ± 2\nglass,NB,70 ± 3\niris,NB,93 ± 1\nglass,SVM,71 ± 4\n"
    long = read(rows)

    for table in (turned, long):
        at = table.datasets.index("glass"), table.classifiers.index("NB")
        assert table.spread is not None
        assert (table.scores[at], table.spread[at]) == (70.0, 3.0)
    chosen = turned.select(["NB"])
    assert chosen.spread is not None
    assert chosen.spread.tolist() == [[1.0], [3.0]]


def test_spread_stays_with_the_datasets_that_are_left() -> None:
    text = "dataset,NB,SVM,RF\na,1 ± 1,2 ± 2,3 ± 3\nb,-,5 ± 5,-\nc,7 ± 7,8 ± 8,-\n"

    dropped = read(text, missing="drop-datasets")
    kept = read(text, missing="skillings-mack")

    assert dropped.spread is not None
    assert dropped.spread.tolist() == [[1.0, 2.0, 3.0]]
    assert (kept.datasets, kept.spread is not None and kept.spread[1, 0]) == (("a", "c"), 7.0)


def test_ranks_in_parentheses_are_no_spread() -> None:
    """Demšar (2006), Table 6, prints the ranks behind the scores."""
    table = read("dataset,NB,SVM,RF\niris,0.93 (3),0.95 (1.5),0.95 (1.5)\nglass,0.70 (1),0.60 (3),0.65 (2)\n")

    assert (table.spread, codes(table)) == (None, ["ranks"])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("dataset,NB,SVM\niris,93.3*,95\nglass,70,71 v\n", "marks"),
        ("dataset,NB,SVM\niris,\\textbf{93.3},95\nglass,70,71\n", "markup"),
        ("dataset,NB,SVM\niris,93.3 (+0.5),95\nglass,70 (-1),71\n", "difference"),
        ('dataset,NB,SVM\niris,"0.93 [0.91, 0.95]",0.95\nglass,0.7,0.71\n', "interval"),
        ("dataset,NB,SVM\niris,93.3 (0.5),95\nglass,70 (1),71\n", "parentheses"),
    ],
)
def test_each_kind_is_told(text: str, code: str) -> None:
    assert codes(read(text)) == [code]


def test_cell_that_says_no_number_is_the_one_that_is_named() -> None:
    with pytest.raises(TableError, match="line 2, column 'SVM': 'DNF' is not a number"):
        read("dataset,NB,SVM\niris,93.3 ± 0.5,DNF\nglass,70 ± 1,71.2 ± 2\n")


def test_frame_of_texts_is_a_published_table_too() -> None:
    frame = pd.DataFrame({"NB": ["93 ± 1", "70 ± 2"], "SVM": ["95", "71"]}, index=["iris", "glass"])

    table = read_table(frame)

    assert (table.scores.tolist(), codes(table)) == ([[93.0, 95.0], [70.0, 71.0]], ["plus-minus"])


def test_names_are_as_they_were_unless_the_table_is_published() -> None:
    plain = read("dataset,**NB**,SVM\n`0`,1.5,2\n0,3.5,4\n")
    published = read("dataset,**NB**,SVM\n**iris**,**1.5**,2\nglass,3.5,4\n")

    assert (plain.classifiers, plain.datasets) == (("**NB**", "SVM"), ("`0`", "0"))
    assert (published.classifiers, published.datasets) == (("NB", "SVM"), ("iris", "glass"))


def test_names_that_are_numbers_with_marks_stay_names() -> None:
    assert read("dataset,NB,SVM\n1*,1.5*,2\n2*,3.5,4\n").datasets == ("1*", "2*")


def test_names_that_differ_by_their_markup_keep_it() -> None:
    assert read("dataset,NB,**NB**\niris,1.5*,2\nglass,3.5,4\n").classifiers == ("NB", "**NB**")


def test_plain_table_is_not_touched() -> None:
    grid = grid_of(io.StringIO("d,a (1),b\nx,0.5,0.7\n"), None, "utf-8", None)

    plain, decimal = plain_grid(grid, "auto")

    assert (plain.columns, plain.header, plain.findings, decimal) == (grid.columns, grid.header, (), ".")
    assert spread_of(plain.columns) is None


def test_texts_of_a_grid_are_one_text() -> None:
    grid = grid_of({"d": ["x", None], "a": [1.5, "2"]}, None, "utf-8", None)

    assert text_of_columns(grid) == "d\na\nx\n2\n"


@pytest.mark.parametrize("mark", ["+", "-", "=", "n.s.", "ns", "v", "(+)"])
def test_outcomes_of_tests_are_seen_in_plain_letters(mark: str) -> None:
    text = f"dataset,NB,SVM\niris,93.3 {mark},95.1\nwine,90.2,91.1\nglass,70.2,71.5 {mark}\n"

    table = read_table(io.StringIO(text))

    assert table.scores.tolist() == [[93.3, 95.1], [90.2, 91.1], [70.2, 71.5]]
    assert [one.code for one in table.findings] == ["marks"]
