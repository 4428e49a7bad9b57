"""Headings of groups are left out of tables of numbers, and said; rows of labels never are."""

from __future__ import annotations

import io

import pytest

from evalstats import read_table
from evalstats.io.columns.cleaning import without_headings
from evalstats.io.sources.table_region import grid_of_laid_rows
from evalstats.tables.errors import TableError

SCORES = [["dataset", "a", "b"], ["Small", "", ""], ["x", ".1", ".2"], ["Large", "", ""], ["y", ".3", ".4"]]


def grid_of(rows):
    return grid_of_laid_rows("t", rows, range(1, len(rows) + 1), "row")


def test_rows_with_a_name_only_are_headings_of_numbers() -> None:
    grid = without_headings(grid_of(SCORES))

    assert grid.columns == [["x", "y"], [".1", ".3"], [".2", ".4"]]
    assert [one.sentence for one in grid.findings] == [
        "Rows with one name and no number were treated as headings of groups: 'Small', 'Large'."
    ]
    assert grid.findings[0].numbers == {"n_rows_left_out": 2}


def test_text_in_all_cells_is_a_heading_of_numbers_wherever_it_stands() -> None:
    rows = [SCORES[0], SCORES[2], ["Large", "Large", "Large"], SCORES[4]]

    assert without_headings(grid_of(rows)).numbers == [2, 4]


def test_lines_drawn_between_rows_of_numbers_are_none_of_them() -> None:
    grid = without_headings(grid_of([SCORES[0], SCORES[2], ["---", ":--:", "----"], SCORES[4]]))

    assert (grid.numbers, grid.findings) == ([2, 4], ())


@pytest.mark.parametrize("word", ["cat", "-", "--", "mean", "true", "n/a"])
def test_rows_of_words_are_no_headings(word) -> None:
    rows = [["x", "a", "b"], *[[word] * 3] * 3, ["dog", word, "dog"], ["dog", "dog", word]]

    assert without_headings(grid_of(rows)).numbers == [2, 3, 4, 5, 6]


def test_name_without_numbers_below_others_is_a_dataset_whose_scores_are_missing() -> None:
    with pytest.raises(TableError, match="2 scores are missing"):
        read_table(io.StringIO("dataset,a,b\nx,.1,.2\ny,,\nz,.3,.4\n"))


def test_labels_that_are_mostly_numbers_are_kept_where_true_labels_are_named() -> None:
    rows = "".join(f"{y},{y},{p}\n" for y, p in [("other", "other")] * 4 + [("1", "2"), ("2", "2"), ("1", "1")] * 3)
    table = read_table(io.StringIO("Klasse,a,b\n" + rows), columns={"y_true": "Klasse"}, metric="accuracy")

    assert table.scores.tolist() == [[1.0, pytest.approx(10 / 13)]]
