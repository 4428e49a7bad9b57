"""Titles, comments, R's header and notes: the table among them is read, or the line to type is named."""

from __future__ import annotations

import ast
import io

import pytest

from evalstats.io.reader.tables import read_table
from evalstats.io.sources.delimited import grid_of_rows, grid_of_uneven_text
from evalstats.tables.errors import TableError

TABLE = "dataset,NB,SVM\niris,93.3,95\nglass,70,71\n"
SCORES = [[93.3, 95.0], [70.0, 71.0]]


@pytest.mark.parametrize(
    "text",
    [
        "Table 1. Accuracy of all\n" + TABLE,
        "Table 1\n\nby me\n" + TABLE,
        "# made by x, with y\n" + TABLE,
        "# made, by, x, with y\n#\n" + TABLE,
        "# " + TABLE,  # numpy.savetxt writes the header so
        "Table 1,,\n" + TABLE,  # a spreadsheet writes the title so
        TABLE + "Note that all is well.\n",
        TABLE + "\n* p < .05\n",
        'It is 5" wide\n' + TABLE,
        "NB,SVM\niris,93.3,95\nglass,70,71\n",  # R's write.table
        '"NB","SVM"\n"iris",93.3,95\n"glass",70,71\n',
        '"dataset","NB","SVM"\n"1","iris",93.3,95\n"2","glass",70,71\n',
        "dataset,NB,SVM\n0,iris,93.3,95\n1,glass,70,71\n",  # as pandas numbers rows
    ],
)
def test_table_is_found(text: str) -> None:
    table = read_table(io.StringIO(text))

    assert (table.scores.tolist(), table.datasets, table.classifiers) == (SCORES, ("iris", "glass"), ("NB", "SVM"))


def test_decimal_commas_between_commas_are_no_numbers_of_rows() -> None:
    with pytest.raises(TableError, match=r"line 2 has 3 fields between ',', but the header has 2"):
        read_table(io.StringIO("dataset,acc\n1,0,93\n2,0,71\n"))


def test_title_is_told() -> None:
    table = read_table(io.StringIO("Table 1\n# by me\n" + TABLE))

    assert [one.sentence for one in table.findings] == [
        "The 2 lines above the table hold no scores: 'Table 1', '# by me'."
    ]


@pytest.mark.parametrize(
    ("text", "evidence", "option"),
    [
        (
            "Accuracy, of NB, SVM and all\n" + TABLE,
            "line 1 has no number below it, but line 2 looks",
            "parsing={'rows': '2-'}",
        ),
        (
            "Accuracy, of NB, SVM, and all\n" + TABLE,
            "line 2 looks like the header of 3 columns",
            "parsing={'rows': '2-'}",
        ),
        ("dataset,A,B,C\nx,1,2,3\ny,1,2,3\nNote: bold, underlined\n", "line 4 has 2 fields", "parsing={'rows': '-3'}"),
        (
            "iris,93.3,95.5\nglass,70,71\nwine,80,81\n",
            "line 1 holds numbers, such as '93.3'",
            "parsing={'header_rows': 0}",
        ),
    ],
)
def test_what_is_only_likely_is_refused_with_the_option(text: str, evidence: str, option: str) -> None:
    with pytest.raises(TableError) as caught:
        read_table(io.StringIO(text))

    assert evidence in str(caught.value)
    assert str(caught.value).endswith(f"pass {option}")
    read_table(io.StringIO(text), parsing=ast.literal_eval(option.removeprefix("parsing=")))


def test_decimal_commas_between_commas_are_no_row_names() -> None:
    with pytest.raises(TableError, match="line 2 has 3 fields between ',', but the header has 2"):
        read_table(io.StringIO("x,NB\niris,0,931\nglass,0,815\n"))


def test_grid_of_lines_and_of_rows() -> None:
    head = [(n, line + "\n") for n, line in enumerate(["title", *TABLE.splitlines()], 1)]
    of_lines = grid_of_uneven_text(head, [], "t", None, None, is_exact=False)
    of_rows = grid_of_rows([line.split(",") for line in TABLE.splitlines()], [2, 3, 4], "t", ",")

    assert of_lines.columns == of_rows.columns
    assert list(of_lines.numbers) == list(of_rows.numbers) == [3, 4]


def test_numbers_of_rows_that_r_writes_have_no_name() -> None:
    text = '"dataset" "NB" "SVM"\n"1" "iris" 0.9 0.8\n"2" "wine" 0.7 0.6\n'

    table = read_table(io.StringIO(text), parsing={"delimiter": " "})

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("NB", "SVM"))
