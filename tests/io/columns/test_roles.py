"""A column is known by its name, and a cell by what stands in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.tables.errors import TableError

SCORES = [[0.93, 0.95], [0.71, 0.5]]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1e-3", 0.001),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("-0.25", -0.25),
        ("\u22120.25", -0.25),
        ("1E+2", 100.0),
        ("007", 7.0),
    ],
)
def test_numbers_as_people_write_them(read, cell: str, value: float) -> None:
    assert read(f"d,a\nx,{cell}\n").scores[0, 0] == value


def test_decimal_commas(read, content) -> None:
    assert content(read("d;NB;SVM\niris;0,93;0,95\nglass;,71;5e-1\n", decimal=","))[2] == SCORES


def test_quoted_decimal_commas_between_commas(read, content) -> None:
    assert content(read('d,NB,SVM\niris,"0,93","0,95"\nglass,"0,71","0,5"\n', decimal=","))[2] == SCORES


def test_names_are_normalized(read) -> None:
    """An accent written as two code points in one row and as one in another is one name."""
    table = read("dataset,model,score\nDemsˇar,a,1\nZu\u0308rich,a,2\nZ\u00fcrich,b,3\nDemsˇar,b,4\n")

    assert table.datasets == ("Demsˇar", "Zürich")


@pytest.mark.parametrize("data", ["dataset", "Data", "data set", "PROBLEM", "task-id", "domain"])
@pytest.mark.parametrize("model", ["classifier", "Model", "ALGORITHM", "method", "learner"])
def test_key_columns_are_recognized(read, data: str, model: str) -> None:
    assert read(f"{model},{data},accuracy\nNB,iris,1\n").classifiers == ("NB",)


def test_names_with_numbers_are_sorted_as_people_sort_them(read) -> None:
    assert read("data,model,score\nd10,b,1\nd9,b,2\nD1,b,3\n").datasets == ("D1", "d9", "d10")


@given(st.text(st.sampled_from("0123456789.,eE+-_ x%"), max_size=8))
def test_a_number_that_is_read_is_the_number_that_python_reads(read, cell: str) -> None:
    """Anything else is missing or refused, never another number; what stands behind ``+-`` is its spread."""
    try:
        value = read(f'd;a\nx;"{cell}"\n').scores[0, 0]
    except TableError:
        return

    assert value == float(cell.partition("+-")[0].strip(" _").removesuffix("%").replace(",", "."))


def test_decimal_commas_between_commas_are_not_two_scores(refused) -> None:
    assert "line 2 has 3 fields between ',', but the header has 2" in refused("dataset,NB\niris,0,931\n")


def test_decimal_mark_that_is_expected(refused) -> None:
    text = "d;NB\niris;0.931\n"

    assert (
        "'0.931' is not a number with the decimal mark ','; pass parsing={'decimal': '.'} if '.' is the decimal mark"
        in refused(text, decimal=",")
    )


@pytest.mark.parametrize("names", [("TRUE", "FALSE"), ("True", "False"), ("false", "true")])
@pytest.mark.parametrize(
    ("first", "cells", "rows_are"),
    [
        ("dataset", ("0.9,0.8", "0.7,0.6"), None),
        ("dataset", ("1,0", "0,0"), "datasets"),
        ("item_id", ("1,0", "0,1"), None),
    ],
)
def test_columns_true_and_false_are_classifiers(read, names, first: str, cells, rows_are: str | None) -> None:
    """The first was read as the true labels of the other without a word."""
    asked = {} if rows_are is None else {"rows_are": rows_are}
    table = read(f"{first},{','.join(names)}\na,{cells[0]}\nb,{cells[1]}\n", **asked)

    assert sorted(table.classifiers) == sorted(names)
