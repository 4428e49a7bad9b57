"""Distinct cells and their numbers say the same as the cells themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.tables.categorical import (
    FEW_NAMES,
    CodedColumn,
    Names,
    coded,
    distinct_cells,
    distinct_keys,
    joined,
    names_in,
    naturally_ordered,
    number_codes,
    one_after_another,
    repeated,
)
from evalstats.tables.names import natural_order, text_of


@pytest.mark.parametrize(
    "column",
    [
        ["b", "a", "b"],
        np.array([3, -1, 3, 7]),
        np.array([2**62, -(2**62), 0]),
        np.array([0.5, np.nan, 1.0, 0.5]),
        np.array([True, False, True]),
        np.array([2**63, 1], dtype=np.uint64),
        [1, True, 1.0, "1", None, "True"],
    ],
    ids=repr,
)
def test_coded_column_holds_the_cells(column: Any) -> None:
    cells = coded(column)

    assert [text_of(cell) for cell in cells] == [text_of(cell) for cell in column]
    assert text_of(cells[1]) == text_of(column[1])
    assert len(cells[:2]) == 2
    assert coded(cells) is cells


def test_distinct_cells_are_as_they_were() -> None:
    cells = distinct_cells([1, True, "1", 1.0, 1])

    assert [repr(cell) for cell in cells.values] == ["1", "True", "'1'", "1.0"]
    assert [repr(cell) for cell in cells] == ["1", "True", "'1'", "1.0", "1"]


@pytest.mark.parametrize(
    "columns",
    [[["a", 1], [True, None]], [np.array([1, 2]), np.array([0.5, 1])], [coded(["a", "b"]), coded(["b", "c"])]],
)
def test_columns_are_put_one_after_another(columns: Any) -> None:
    cells = [cell for column in columns for cell in column]

    assert list(one_after_another(columns)) == cells
    assert list(repeated(columns[0], 2)) == [*columns[0], *columns[0]]


def test_names_in_two_spellings_are_one() -> None:
    names = names_in(["a", " a", "b  c", "b c"])

    assert list(names.names) == ["a", "b c"]
    assert names.codes.tolist() == [0, 0, 1, 1]
    assert names.first_of([False, True]) == 2


@given(st.lists(st.sampled_from(["fold 2", "fold 10", "Fold 1", "x", "10", "2", "02"]), min_size=1))
def test_natural_order_numbers_names_as_sorting_does(cells: list[str]) -> None:
    names = naturally_ordered(names_in(cells))

    assert list(names.names) == sorted(set(cells), key=natural_order)
    assert [names.names[i] for i in names.codes] == cells


@pytest.mark.parametrize("form", ["{}", "instance {}", "q{:09}", "1-{}"])
def test_many_numbered_names_are_sorted_as_few(form: str) -> None:
    cells = [form.format(i) for i in np.random.default_rng(1).permutation(FEW_NAMES + 10)]

    names = naturally_ordered(Names(cells, np.arange(len(cells))))

    assert list(names.names) == sorted(cells, key=natural_order)


def test_many_names_that_differ_in_leading_zeros() -> None:
    cells = [*map(str, range(FEW_NAMES + 1)), "007"]

    assert list(naturally_ordered(names_in(cells)).names) == sorted(cells, key=natural_order)


def test_whole_numbers_stand_in_the_order_of_their_texts() -> None:
    values = np.array([-10, -2, 0, 3, 20])
    codes = number_codes(values, np.arange(5))

    assert [str(value) for _, value in sorted(zip(codes, values, strict=True))] == sorted(
        map(str, values.tolist()), key=natural_order
    )


@pytest.mark.parametrize("size", [3, 1_000, 2**40])
def test_joined_keys_are_the_distinct_combinations(size: int) -> None:
    rng = np.random.default_rng(size)
    keys = [rng.integers(0, size, 50) for _ in range(3)]

    first, codes = joined(keys)

    rows = list(zip(*(key.tolist() for key in keys), strict=True))
    assert [rows[first[code]] for code in codes] == rows
    assert [rows.index(rows[i]) for i in first] == first.tolist()
    assert len(first) == len(set(rows))


def test_distinct_keys_are_sorted() -> None:
    assert distinct_keys(np.array([5, 1, 5]), 6).tolist() == [1, 5]
    assert distinct_keys(np.array([5_000, 1]), 10_000).tolist() == [1, 5_000]


def test_columns_know_their_length() -> None:
    assert len(CodedColumn(["a"], np.zeros(4, dtype=np.intp))) == 4
