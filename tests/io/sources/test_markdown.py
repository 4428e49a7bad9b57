"""A table of Markdown is its cells."""

from __future__ import annotations

import io

import pytest

from evalstats.io.reader.tables import read_table
from evalstats.io.sources.markdown import grid_of_markdown
from evalstats.tables.errors import TableError


def grid(text: str):
    return grid_of_markdown("t", list(enumerate(text.splitlines(keepends=True), 1)))


def test_cells_between_bars() -> None:
    found = grid("Some, text.\n\n| d | a |\n|:--|--:|\n| x | 1 |\n| y | 2 |\n\nMore.\n")

    assert (found.header, found.columns, list(found.numbers)) == (["d", "a"], [["x", "y"], ["1", "2"]], [5, 6])


def test_bars_at_the_ends_are_not_needed() -> None:
    assert grid("d | a\n- | -\nx | 1\n").columns == [["x"], ["1"]]


def test_names_are_plain_text() -> None:
    found = grid("| d | **SVM** | `x_1` | a\\_b |\n|---|---|---|---|\n| c\\|d | 1 | 2 | 3 |\n")

    assert (found.header, found.columns[0]) == (["d", "SVM", "x_1", "a_b"], ["c|d"])


def test_best_scores_in_bold_are_read() -> None:
    head = "| dataset | NB | SVM |\n|---|---|---|\n"
    text = head + "| iris | 93.3 | **95.0** |\n| glass | __70__ | 60* |\n| Average | 81 | 77 |\n"

    table = read_table(io.StringIO(text))

    assert table.scores.tolist() == [[93.3, 95.0], [70.0, 60.0]]
    assert [one.name for one in table.left_out] == ["Average"]


def test_several_tables_are_asked_for() -> None:
    text = "| d | a |\n|---|---|\n| x | 1 |\n\n| d | a |\n|---|---|\n| x | 2 |\n"

    with pytest.raises(
        TableError, match=r"holds 2 tables of Markdown, in the lines '1-3', '5-7'; .* parsing={'rows': '1-3'}"
    ):
        grid(text)
    assert read_table(io.StringIO(text), parsing={"rows": "5-7"}).scores.tolist() == [[2.0]]


def test_rule_without_rows_is_no_table() -> None:
    with pytest.raises(TableError, match="holds no table with at least two rows and two columns"):
        grid("| d | a |\n|---|---|\n")


PSQL = " dataset |  nb  | svm\n---------+------+------\n iris    | 0.81 | 0.82\n wine    | 0.71 | 0.75\n(2 rows)\n"
MYSQL = """+---------+------+------+
| dataset | nb   | svm  |
+---------+------+------+
| iris    | 0.81 | 0.82 |
| wine    | 0.71 | 0.75 |
+---------+------+------+
2 rows in set (0.00 sec)
"""
GRID = """+---------+------+------+
| dataset |   nb |  svm |
+=========+======+======+
| iris    | 0.81 | 0.82 |
+---------+------+------+
| wine    | 0.71 | 0.75 |
+---------+------+------+
"""
ORG = "| dataset | nb | svm |\n|---------+----+-----|\n| iris | 0.81 | 0.82 |\n| wine | 0.71 | 0.75 |\n"


@pytest.mark.parametrize("text", [PSQL, MYSQL, GRID, ORG], ids=["PostgreSQL", "MySQL", "tabulate", "Emacs"])
def test_tables_that_programs_draw_with_bars_are_read(text: str) -> None:
    table = read_table(io.StringIO(text))

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("nb", "svm"))
    assert table.scores.tolist() == [[0.81, 0.82], [0.71, 0.75]]
    assert "headings" not in [one.code for one in table.findings]
