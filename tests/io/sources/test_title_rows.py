"""Titles above a table and notes below it are found, said, and never read as datasets."""

from __future__ import annotations

import io

import pytest

from evalstats import read_table
from evalstats._errors import InvalidValueError
from evalstats.io.sources.table_region import laid_out, refuse_numbers_as_names, rows_asked
from evalstats.tables.errors import TableError

TABLE = [["dataset", "NB", "SVM"], ["iris", 0.9, 0.8], ["glass", 0.7, 0.6]]


def laid(rows: list[list], numbers: list[int] | None = None, **choices):
    return laid_out(rows, numbers or list(range(1, len(rows) + 1)), name="t", word="row", **choices)


def test_plain_rows_are_a_header_and_cells() -> None:
    found = laid(TABLE)

    assert (found.header, found.upper, found.first, found.end, found.findings) == (TABLE[0], (), 1, 3, ())


def test_titles_and_notes_are_left_out_and_told() -> None:
    found = laid([["Table 1"], *TABLE, ["Note: the best in bold"]])

    assert (found.header, found.first, found.end) == (TABLE[0], 2, 4)
    assert [one.sentence for one in found.findings] == [
        "The row above the table holds no scores: 'Table 1'.",
        "The row below the table holds no scores: 'Note: the best in bold'.",
    ]


def test_last_row_with_a_name_only_is_a_dataset_without_scores() -> None:
    assert laid([*TABLE, ["wine", None, None]]).end == 4


@pytest.mark.parametrize(
    ("note", "numbers"),
    [
        ("* p < .05", None),
        ("The scores are means of ten runs", None),
        ("anything", [1, 2, 3, 5]),  # a blank row stands before it
        ("This is said in more than five words", None),
    ],
)
def test_note_is_known_by_its_words_or_by_the_gap(note: str, numbers: list[int] | None) -> None:
    assert laid([*TABLE, [note, None, None]], numbers).end == 3


def test_two_rows_of_names_are_a_header() -> None:
    found = laid([["", "accuracy", "", "f1", ""], ["dataset", "NB", "SVM", "NB", "SVM"], ["iris", 1, 2, 3, 4]])

    assert found.header == ["dataset", "NB", "SVM", "NB", "SVM"]
    assert found.upper == ("", "accuracy", "accuracy", "f1", "f1")


def test_header_below_something_else_is_asked_for() -> None:
    with pytest.raises(TableError) as caught:
        laid([["by", "me", None], ["on Monday", None, None], *TABLE])

    assert str(caught.value) == (
        "t, row 1 leaves columns without a name, but row 3 looks like the header; if the table begins there, pass "
        "parsing={'rows': '3-'}"
    )


def test_numbers_as_names_are_refused() -> None:
    with pytest.raises(TableError, match=r"holds numbers, such as '0.9', .* pass parsing={'header_rows': 0}"):
        refuse_numbers_as_names(["iris", "0.9", "0.8"], "t, line 1")
    refuse_numbers_as_names(["k", "1", "3", "5"], "numbers of neighbours are names")


def test_no_header_gives_numbered_classifiers() -> None:
    found = laid(TABLE[1:], header_rows=0)

    assert (found.header, found.first) == (["", "classifier 1", "classifier 2"], 0)


def test_rows_that_are_asked_for() -> None:
    assert [rows_asked(rows) for rows in ("3-15", "3-", "-15")] == [(3, 15), (3, None), (1, 15)]
    for wrong in ("15-3", "-", "x", "1:3", 5):
        with pytest.raises(InvalidValueError, match="rows must be the first and the last row of the table"):
            rows_asked(wrong)


def test_numbers_are_names_where_one_header_is_said() -> None:
    text = "dataset,0.1,0.5\na,0.8,0.7\nb,0.6,0.9\n"
    with pytest.raises(
        TableError, match=r"if they are names, pass parsing={'header_rows': 1}; .* pass parsing={'header_rows': 0}"
    ):
        read_table(io.StringIO(text))

    assert read_table(io.StringIO(text), parsing={"header_rows": 1}).classifiers == ("0.1", "0.5")
