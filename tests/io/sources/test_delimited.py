"""The fields of a text are its cells, and its other languages are recognized."""

from __future__ import annotations

import io

import pytest

from evalstats import read_table
from evalstats._errors import InvalidValueError
from evalstats.io.sources.delimited import (
    DELIMITERS,
    grid_of_records,
    grid_of_text,
    header_of_line,
    most_frequent_delimiter,
    one_character,
    one_column,
    records_of,
    text_lines,
)
from evalstats.tables.errors import TableError


def test_fields_are_cells() -> None:
    grid = grid_of_text(io.StringIO('\nd,"a, b"\nx,1\n\ny,2\n'), "t", None, "utf-8")

    assert (grid.header, grid.columns, list(grid.numbers), grid.delimiter) == (
        ["d", "a, b"], [["x", "y"], ["1", "2"]], [3, 5], ","
    )  # fmt: skip


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_delimiter_is_found(delimiter: str) -> None:
    grid = grid_of_text(io.StringIO("d,a,b\nx,1,2\n".replace(",", delimiter)), "t", None, "utf-8")

    assert (grid.header, grid.delimiter) == (["d", "a", "b"], delimiter)
    assert most_frequent_delimiter(f'"{"x,;" * 9}"{delimiter}b') == delimiter


def test_rows_that_are_asked_for_are_read() -> None:
    text = "x,y,z,q\nfoo\nd,a\nx,1\ny,2\nbar,,,\n"

    grid = grid_of_text(io.StringIO(text), "t", None, "utf-8", "3-5")

    assert (grid.header, list(grid.numbers)) == (["d", "a"], [4, 5])
    with pytest.raises(TableError, match="t has no row 9-"):
        grid_of_text(io.StringIO(text), "t", None, "utf-8", "9-")


@pytest.mark.parametrize(
    "text",
    [
        "| d | a |\n|---|---|\n| x | 1 |\n",
        "d | a\n-|-\nx | 1\n",
        "\\begin{tabular}{ll}\nd & a \\\\\nx & 1 \\\\\n\\end{tabular}\n",
        "d & a \\\\\nx & 1 \\\\\n",
        "<table><tr><td>d<td>a<tr><td>x<td>1</table>",
        '[{"d": "x", "a": 1}]',
        '{"d": ["x"], "a": [1]}',
    ],
)
def test_other_languages_give_the_same_cells(text: str) -> None:
    grid = grid_of_text(io.StringIO(text), "t", None, "utf-8")

    assert grid.header == ["d", "a"]
    assert [[str(cell) for cell in column] for column in grid.columns] == [["x"], ["1"]]


def test_lines_are_numbered_and_checked() -> None:
    assert list(text_lines(io.StringIO("a\nb"), "t", "utf-8")) == [(1, "a\n"), (2, "b")]
    with pytest.raises(TableError, match="line 2 holds a NUL character"):
        list(text_lines(io.StringIO("a\n\0"), "t", "utf-8"))


def test_records_have_the_number_of_their_first_line() -> None:
    lines = [(4, 'a,"b\n'), (5, 'c"\n'), (6, "d,e\n")]

    assert list(records_of(lines, ",", "t")) == [(4, ["a", "b\nc"]), (6, ["d", "e"])]


def test_ragged_record_is_refused_with_its_line() -> None:
    with pytest.raises(TableError, match=r"t, line 7 has 3 fields between ',', but the header has 2"):
        grid_of_records(["d", "a"], [["x", "1", "2"]], [7], "t", ",")


def test_header_of_a_line() -> None:
    assert header_of_line('"a, b";c', None) == ["a, b", "c"]
    assert header_of_line("a b", " ") == ["a", "b"]


def test_delimiter_is_one_character() -> None:
    assert one_character(":") == ":"
    with pytest.raises(InvalidValueError, match="delimiter must be one character, not '::'"):
        one_character("::")


def test_one_column_says_what_may_help() -> None:
    assert str(one_column("t, line 1", "a b", None)).endswith("pass parsing={'delimiter': ' '}")
    assert str(one_column("t, line 1", "a", None)).endswith("at least one column of scores")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize(
    "header",
    [r"dataset,\input{a},R&D", r"dataset,\\host\a,B", "% noise,A,B", "<dataset>,A,B", "<5 % noise,A,B", r"d,A\\,B\\"],
)
def test_header_with_signs_of_another_language_is_still_a_header(header: str, delimiter: str) -> None:
    """No line below is written in LaTeX or HTML, and each has as many fields as the first."""
    text = f"{header}\nR&D,0.7,0.8\niris,0.6,0.9\nlenses,0.5,0.4\n".replace(",", delimiter)

    assert grid_of_text(io.StringIO(text), "t", None, "utf-8").header == header.split(",")


def test_a_table_of_latex_with_as_many_commas_in_each_line_is_one_of_latex() -> None:
    text = r"data \textbf{, x} & A & B \\" + "\nir, is & 0.7 & 0.8 \\\\\nle, nses & 0.5 & 0.4 \\\\\n"

    assert grid_of_text(io.StringIO(text), "t", None, "utf-8").header[1:] == ["A", "B"]


def test_table_as_it_is_printed_is_refused() -> None:
    """A printed frame of polars has rounded numbers, types below the names, and perhaps an ellipsis for rows."""
    text = "shape: (2, 3)\n┌─────┬─────┬─────┐\n│ d   ┆ a   ┆ b   │\n│ x   ┆ 1.0 ┆ 2.0 │\n└─────┴─────┴─────┘\n"

    with pytest.raises(TableError, match="t is a printed table with lines around its cells"):
        grid_of_text(io.StringIO(text), "t", None, "utf-8")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_encoding_without_a_mark_is_named(encoding: str) -> None:
    content = "dataset,NB,SVM\niris,0.9,0.8\nwine,0.7,0.6\n".encode(encoding)

    with pytest.raises(
        TableError, match=f"looks like text in {encoding[:6].upper()}; pass parsing={{'encoding': '{encoding}'}}"
    ):
        read_table(io.BytesIO(content))
    assert read_table(io.BytesIO(content), parsing={"encoding": encoding}).datasets == ("iris", "wine")
