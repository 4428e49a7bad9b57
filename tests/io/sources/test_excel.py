"""The sheet that holds a table is read; damaged, endless and locked books are one line."""

from __future__ import annotations

import contextlib
import io
import re
import time
import zipfile
from collections.abc import Callable

import openpyxl
import pytest

from evalstats._errors import EvalstatsError
from evalstats.io.reader.tables import read_table
from evalstats.io.sources import excel as excel_table
from evalstats.io.sources.excel import grid_of_excel
from evalstats.tables.errors import TableError

TABLE = [["dataset", "NB", "SVM"], ["iris", 93.3, 95], ["glass", 70, 71]]
SCORES = [[93.3, 95.0], [70.0, 71.0]]


def book(*merged: str, **sheets: list[list]) -> io.BytesIO:
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for name, rows in sheets.items():
        page = workbook.create_sheet(name)
        for row in rows:
            page.append(row)
        for cells in merged:
            page.merge_cells(cells)
    file = io.BytesIO()
    workbook.save(file)
    file.seek(0)
    return file


def changed(change: Callable[[bytes], bytes | None]) -> io.BytesIO:
    """Return the book of the table with its sheet changed."""
    file = io.BytesIO()
    with zipfile.ZipFile(book(a=TABLE)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content: bytes | None = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                content = change(content or b"")
            if content is not None:
                new.writestr(name, content)
    file.seek(0)
    return file


def test_only_sheet_with_a_table_is_read_and_told() -> None:
    table = read_table(book(readme=[["What is here"], ["by me"]], scores=TABLE))

    assert table.scores.tolist() == SCORES
    assert [one.sentence for one in table.findings] == [
        "The sheet 'scores' was read; no table of scores was found on 'readme'."
    ]


def test_several_tables_are_asked_for() -> None:
    file = book(a=TABLE, b=[["dataset", "X"], ["iris", 1.5]])

    with pytest.raises(
        TableError, match=r"has tables on the sheets 'a', 'b'; choose one, for example parsing={'sheet': 'a'}"
    ):
        read_table(file)
    file.seek(0)
    assert read_table(file, parsing={"sheet": "b"}).classifiers == ("X",)


ONE = [["dataset", "accuracy"], ["iris", 0.9], ["glass", 0.7]]
OTHER = [["accuracy", "dataset"], [0.8, "iris"], [0.6, "glass"]]
FOLDS = [["fold", "NB", "SVM"], [1, 0.9, 0.8], [2, 0.7, 0.6]]


def test_sheets_with_the_same_columns_are_read_together_if_all_are_asked_for(tmp_path) -> None:
    """The columns may stand in another order, and the advice holds for paths and for streams."""
    file = book(NB=ONE, SVM=OTHER, readme=[["by me"]])
    path = tmp_path / "scores.xlsx"
    path.write_bytes(file.getvalue())
    advice = r"tables with the same columns on the sheets 'NB', 'SVM'; .* pass parsing={'sheet': '\*'}; otherwise"

    for source in (file, path, str(path).encode()):
        with pytest.raises(TableError, match=advice):
            read_table(source)
        file.seek(0)
        table = read_table(source, parsing={"sheet": "*"})
        assert (table.datasets, table.classifiers) == (("glass", "iris"), ("NB", "SVM"))
        assert table.scores.tolist() == [[0.7, 0.6], [0.9, 0.8]]
        assert [one.sentence for one in table.findings] == [
            "The tables of 2 sheets were read; no table of scores was found on 'readme'.",
            "The classifiers have the names of their sheets: 'NB', 'SVM'.",
        ]


@pytest.mark.parametrize(
    ("names", "datasets", "shape"),
    [
        (("iris", "wine"), ("iris", "wine"), (1, 2, 2)),
        (("repeat 1", "repeat 2"), ("dataset",), (2, 2, 2)),
        (("seed 3", "seed 5"), ("dataset",), (2, 2, 2)),
    ],
)
def test_sheets_of_folds_are_of_datasets_unless_their_names_count_repeats(
    names: tuple[str, ...], datasets: tuple[str, ...], shape: tuple[int, ...]
) -> None:
    table = read_table(book(**dict.fromkeys(names, FOLDS)), parsing={"sheet": "*"})

    assert (table.datasets, table.folds[0].scores.shape) == (datasets, shape)


@pytest.mark.parametrize(
    ("sheets", "message"),
    [
        ({"accuracy": TABLE, "F1": TABLE}, "'F1'\" have names of metrics; choose one, for example parsing={'sheet'"),
        ({"Mon": TABLE, "Tue": TABLE}, "same datasets: give one of them; by its name, such as parsing={'sh"),
        (
            {"fold 1": FOLDS, "fold 2": FOLDS},
            "have numbers in their names and in their column 'fold'; give each file the name",
        ),
        ({"NB": ONE, "sizes": [["dataset", "n"], ["iris", 150]]}, "sheets that are read together must have the same"),
    ],
)
def test_sheets_that_nothing_tells_apart_are_refused(sheets: dict[str, list], message: str) -> None:
    with pytest.raises(TableError) as caught:
        read_table(book(**sheets), parsing={"sheet": "*"})
    assert message in str(caught.value)


def test_the_name_of_one_sheet_says_nothing_about_all() -> None:
    file = book(**{"error rate of NB": ONE, "SVM": ONE})

    assert read_table(file, parsing={"sheet": "*"}).greater_is_better


def test_all_sheets_of_one_sheet_or_of_no_workbook() -> None:
    assert read_table(book(a=TABLE, readme=[["x"]]), parsing={"sheet": "*"}).scores.tolist() == SCORES
    with pytest.raises(TableError, match="is not an Excel file, so it has no sheet"):
        read_table(io.BytesIO(b"dataset,NB,SVM\niris,1,2\n"), parsing={"sheet": "*"})


def test_title_offset_and_notes_do_no_harm() -> None:
    rows = [["Results", *[None] * 4], [None] * 5, *([None, None, *row] for row in TABLE), [None] * 5, ["Bold is best"]]

    table = read_table(book("A1:E1", a=rows))

    assert (table.scores.tolist(), table.classifiers) == (SCORES, ("NB", "SVM"))
    assert [one.code for one in table.findings] == ["title-rows", "notes-below"]


def test_merged_headings_are_no_datasets() -> None:
    rows = [TABLE[0], ["Small", None, None], TABLE[1], ["Large", None, None], TABLE[2]]

    table = read_table(book("A2:C2", "A4:C4", a=rows))

    assert (table.scores.tolist(), [one.code for one in table.findings]) == (SCORES, ["headings"])


def test_merged_cells_of_the_header_are_an_upper_row() -> None:
    rows = [["dataset", "accuracy", None, "f1", None], [None, "NB", "SVM", "NB", "SVM"], ["iris", 1, 2, 3, 4]]

    table = read_table(book("A1:A2", "B1:C1", "D1:E1", a=rows), metric="f1")

    assert (table.scores.tolist(), table.datasets) == ([[3.0, 4.0]], ("iris",))


def test_merged_names_are_those_of_all_their_rows() -> None:
    rows = [
        ["dataset", "classifier", "accuracy"],
        ["iris", "NB", 1],
        [None, "SVM", 2],
        ["glass", "NB", 3],
        [None, "SVM", 4],
    ]

    assert read_table(book("A2:A3", "A4:A5", a=rows)).scores.tolist() == [[3.0, 4.0], [1.0, 2.0]]


def test_rows_are_those_of_excel() -> None:
    rows = [["x"], [], *TABLE, [], ["dataset", "NB"], ["iris", 1]]

    assert read_table(book(a=rows), parsing={"rows": "3-5"}).scores.tolist() == SCORES
    with pytest.raises(TableError, match="row 5, column 'SVM': 'bad' is not a number"):
        read_table(book(a=[*rows[:4], ["glass", 70, "bad"]]))


@pytest.mark.parametrize(
    "change",
    [
        lambda xml: xml[: len(xml) // 2],
        lambda xml: xml.replace(b'r="A2"', b'r="A-"'),
        lambda xml: xml.replace(b'r="A2"', b'r="ZZZZ1"'),
        lambda xml: xml.replace(b"<v>93.3</v>", b"<v>x</v>"),
        lambda xml: xml.replace(b"<v>0</v>", b"<v>99999</v>"),
        lambda xml: xml.replace(b"<v>0</v>", b"<v></v>"),
        lambda xml: None,
        lambda xml: b"",
        lambda xml: b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>',
    ],
)
def test_damaged_sheet_is_read_or_refused(change: Callable[[bytes], bytes | None]) -> None:
    """Nothing else is raised."""
    with contextlib.suppress(EvalstatsError):
        read_table(changed(change))


def test_row_beyond_the_last_of_excel_is_refused_at_once() -> None:
    file = changed(lambda xml: re.sub(rb'<row r="3"', b'<row r="999999999999"', xml))
    start = time.process_time()

    with pytest.raises(TableError, match="the sheet 'a' has more than 1,048,576 rows and is not read"):
        read_table(file)
    assert time.process_time() - start < 30


def test_limit_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel_table, "_MOST_CELLS", 5)

    with pytest.raises(TableError, match="the sheet 'a' has more than 5 cells and is not read"):
        grid_of_excel(book(a=TABLE), "t", None)


def test_every_cut_of_a_book_is_one_line() -> None:
    whole = book(a=TABLE).getvalue()

    for end in range(8, len(whole), 211):
        with pytest.raises(TableError, match="cannot be read as an Excel file") as caught:
            read_table(io.BytesIO(whole[:end]))
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", ["-5", "0", "-1", "2", "1", "1e3", "5.5", "abc", "", "2.0"])
def test_rows_that_are_not_numbered_upwards_are_refused(number: str) -> None:
    """They would be left out without a word: a dataset less."""
    file = changed(lambda sheet: sheet.replace(b'<row r="3"', b'<row r="' + number.encode() + b'"'))

    with pytest.raises(TableError, match=f"damaged: after row 2 it has a row with the number '{number}'; open it"):
        grid_of_excel(file, "t.xlsx", None)


@pytest.mark.parametrize("at_once", [7, 50, 1 << 20])
def test_rows_without_a_number_follow_each_other(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(excel_table, "_AT_ONCE", at_once)
    file = changed(lambda sheet: re.sub(rb'<row r="\d+"', b"<row", sheet))

    assert read_table(file).scores.tolist() == SCORES
    with pytest.raises(TableError, match="after row 2"):
        read_table(changed(lambda sheet: sheet.replace(b'<row r="3"', b'<row r="-3"')))
