"""Cells are the same whatever held them; what holds none is refused in one line."""

from __future__ import annotations

import codecs
import io
import math
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalstats._errors import EvalstatsError
from evalstats.io.reader.opening import grid_of
from evalstats.io.reader.tables import read_table
from evalstats.tables.errors import TableError, TableNotFoundError

WIDE = "dataset,NB,SVM\niris,0.93,0.95\nglass,0.71,0.5\n"
SCORES = [[0.93, 0.95], [0.71, 0.5]]
FRAME = pd.DataFrame(SCORES, index=["iris", "glass"], columns=["NB", "SVM"])


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_the_most_frequent_of_the_header(read, content, delimiter: str) -> None:
    text = '"data, set"' + WIDE.replace(",", delimiter).removeprefix("dataset").replace("iris", '"i;r,i|s"')

    assert content(read(text)) == (("i;r,i|s", "glass"), ("NB", "SVM"), SCORES)


def test_spaces_can_be_the_delimiter(read, content) -> None:
    assert content(read("data  NB SVM\niris 0.93   0.95\n glass 0.71 0.5 \n", delimiter=" "))[2] == SCORES


@pytest.mark.parametrize(
    "text",
    [
        WIDE.replace("\n", "\r\n"),
        WIDE.replace("\n", "\r"),
        WIDE.rstrip("\n"),
        "\ufeff" + WIDE,
        "\n  \n" + WIDE.replace("\n", "\n\n") + ",,\n \n",
        WIDE.replace("\n", ",\n"),
        WIDE.replace("\n", ",,\n").replace("SVM,,", "SVM"),
        WIDE.replace(",", " ,\u00a0").replace("0.95", "0.95\u200b"),
    ],
    ids=["crlf", "cr", "no last newline", "bom", "blank lines", "last column empty", "trailing delimiters", "spaces"],
)
def test_what_editors_and_spreadsheets_leave_behind_does_no_harm(read, content, text: str) -> None:
    assert content(read(text.encode())) == (("iris", "glass"), ("NB", "SVM"), SCORES)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "cp1252"])
def test_other_encodings_are_read_when_named(read, encoding: str) -> None:
    assert read("dataset,Naïve\nöl,1\n".encode(encoding), encoding=encoding).classifiers == ("Naïve",)


def test_frame_of_another_library_needs_columns_and_to_numpy(content) -> None:
    class Frame:
        columns = ("data", "NB")

        def to_numpy(self):
            return np.array([["iris", 0.5], ["glass", 0.6]], dtype=object)

    assert content(read_table(Frame())) == (("iris", "glass"), ("NB",), [[0.5], [0.6]])


@pytest.mark.parametrize(
    "frame", [FRAME, FRAME.rename_axis("dataset"), FRAME.reset_index(names="dataset")], ids=["index", "named", "column"]
)
def test_parquet(content, frame: pd.DataFrame, tmp_path: Path) -> None:
    frame.to_parquet(tmp_path / "scores.parquet")

    table = read_table(tmp_path / "scores.parquet")

    assert (content(table), table.source) == ((("iris", "glass"), ("NB", "SVM"), SCORES), "scores.parquet")


def test_arrow_table(content) -> None:
    import pyarrow as pa

    assert content(read_table(pa.table({"data": ["iris"], "NB": [1.5]}))) == (("iris",), ("NB",), [[1.5]])


def test_excel(refused, content, tmp_path: Path) -> None:
    path = tmp_path / "scores.xlsx"
    with pd.ExcelWriter(path) as book:
        FRAME.to_excel(book, sheet_name="first")
        (FRAME * 100).to_excel(book, sheet_name="percent", startrow=3)

    assert content(read_table(path, parsing={"sheet": "first"})) == (("iris", "glass"), ("NB", "SVM"), SCORES)
    assert read_table(path, parsing={"sheet": "percent"}).scores[0, 0] == 93.0
    assert "has no sheet 'third'; its sheets are 'first', 'percent'" in refused(path, sheet="third")


def test_excel_says_which_row(refused, tmp_path: Path) -> None:
    FRAME.map(lambda value: "half" if value == 0.5 else value).to_excel(tmp_path / "scores.xlsx", startrow=3)

    assert refused(tmp_path / "scores.xlsx") == "scores.xlsx, row 6, column 'SVM': 'half' is not a number"


def test_excel_and_parquet_are_known_by_their_first_bytes(content, tmp_path: Path) -> None:
    FRAME.to_excel(tmp_path / "scores.csv.xlsx")
    os.rename(tmp_path / "scores.csv.xlsx", tmp_path / "scores.csv")

    with open(tmp_path / "scores.csv", "rb") as file:
        assert content(read_table(file))[2] == SCORES
    assert content(read_table(tmp_path / "scores.csv"))[2] == SCORES


@pytest.mark.parametrize("start", [b"PAR1", b"PK\x03\x04"])
def test_damaged_file_is_one_line(refused, start: bytes) -> None:
    assert "cannot be read as" in refused(start + bytes(range(256)))


def test_old_excel_file_is_named(refused) -> None:
    assert "Excel file in the format before 2007" in refused(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100)


@pytest.mark.parametrize(("module", "start"), [("pyarrow.parquet", b"PAR1"), ("openpyxl", b"PK\x03\x04")])
def test_missing_library_is_named(refused, module: str, start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)

    extra = {"openpyxl": "excel"}.get(module, "parquet")
    assert f'pip install "classifier-evalstats[{extra}]"' in refused(start + b"rest of the file")


def test_open_files_stay_open(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(WIDE)

    with open(tmp_path / "scores.csv", "rb") as file, open(tmp_path / "scores.csv") as text:
        assert read_table(file).source == read_table(text).source == "scores.csv"
        assert not file.closed
        assert not text.closed
    memory = io.BytesIO(WIDE.encode())
    read_table(memory)
    assert not memory.closed


def test_named_pipe(content, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([sys.executable, "-c", f"open({str(pipe)!r}, 'w').write({WIDE!r})"]):
        assert content(read_table(pipe))[2] == SCORES


def test_error_survives_pickling() -> None:
    """Errors of workers travel between processes."""
    error = TableError("problem", "pass {}", "decimal", ",")

    assert str(pickle.loads(pickle.dumps(error))) == "problem; pass parsing={'decimal': ','}"


def test_options_of_binary_files_that_do_not_fit(refused) -> None:
    assert "encoding must be one that Python supports" in refused(WIDE.encode(), encoding="klingon")
    assert "encoding must be one that Python supports" in refused(WIDE.encode(), encoding="utf\0")
    assert "is not an Excel file, so it has no sheet 'first'" in refused(WIDE.encode(), sheet="first")


def test_bytes_that_are_not_the_encoding_are_found(refused) -> None:
    assert refused("dataset,NB\niris,1\nöl,2\n".encode("latin-1")).startswith(
        "the table, line 3, character 1: the byte 0xf6 is not utf-8. The first word is 'öl' in cp1252, "
    )


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_byte_order_mark_decides_the_encoding(read, content, mark: bytes, encoding: str) -> None:
    assert content(read(mark + WIDE.encode(encoding))) == content(read(WIDE.encode()))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (5, "source must be a path, an open file, a data frame, an array or a ScoreTable, not int"),
        (FRAME.groupby("NB"), "not DataFrameGroupBy"),
        ([1, 2], r"source must have the shape (n_datasets, n_classifiers), but its shape is (2,)"),
        ([["a"]], "source must be numbers"),
        ({"NB": "abc"}, "source must be a dict of columns, but column 'NB' is 'abc'"),
        ({"NB": [1], "SVM": [1, 2]}, "columns of equal length, but their lengths are 1, 2"),
        ({}, "has no column of scores"),
        (pd.DataFrame(), "has no column of scores"),
        (FRAME.iloc[:0], "has no row of scores"),
        (FRAME > 0.6, "row 1, column 'NB': True is not a number"),
        (FRAME.replace(0.5, math.inf), "row 2, column 'SVM': inf is not finite"),
        (FRAME.astype(complex), "is not a number"),
        (pd.concat([FRAME, FRAME]), "these are repeated: 'iris' (rows 1, 3), 'glass' (rows 2, 4)"),
        (pd.concat([FRAME, FRAME], axis=1), "'NB' is the name of the columns 2, 4"),
    ],
)  # fmt: skip
def test_frames_and_arrays_that_are_no_table(refused, source: object, message: str) -> None:
    assert message in refused(source)


def test_column_of_two_probabilities_is_refused(refused) -> None:
    source = {"y_true": [0, 1], "NB": np.array([[0.1, 0.9], [0.8, 0.2]])}

    assert "column 'NB' has the shape (2, 2); for probabilities of two classes, give column[" in refused(source)


def test_columns_of_a_frame_keep_their_types() -> None:
    """Beside a column of words, whole numbers stay exact and missing scores missing; nothing becomes an object."""
    frame = pd.DataFrame({"dataset": ["a", "b"], "n": [2**60 + 1, 1], "NB": [0.5, None], "note": [True, None]})
    frame["dataset"] = frame["dataset"].astype("category")

    grid = grid_of(frame, None, "utf-8", None)

    assert [getattr(column, "dtype", None) for column in grid.columns] == [object, np.int64, np.float64, object]
    assert [list(map(str, column)) for column in grid.columns] == [
        ["a", "b"],
        ["1152921504606846977", "1"],
        ["0.5", "nan"],
        ["True", "None"],
    ]


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no file .*nope\.csv") as caught:
        read_table(tmp_path / "nope.csv")

    assert isinstance(caught.value, TableNotFoundError)
    assert isinstance(caught.value, EvalstatsError)


@pytest.mark.parametrize("path", ["", "a\0b", "\udcff.csv", "README.md/scores.csv"])
def test_paths_that_cannot_be(path: str) -> None:
    with pytest.raises(TableNotFoundError, match="there is no file"):
        read_table(path)


def test_text_is_not_a_path() -> None:
    with pytest.raises(TableError, match=r"wrap the string in io\.StringIO"):
        read_table(WIDE)


def test_directory(refused, tmp_path: Path) -> None:
    assert "is a directory without a table" in refused(tmp_path)


def test_binary_file(refused, tmp_path: Path) -> None:
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")

    assert "picture.csv is an image" in refused(tmp_path / "picture.csv")


@pytest.mark.parametrize("quote", ["", '"'])
def test_enormous_line_is_not_read_to_its_end(refused, quote: str, tmp_path: Path) -> None:
    path = tmp_path / "line.csv"
    with open(path, "wb") as file:
        file.write(f"d,NB\n{quote}x".encode())
        file.write(b"x" * 50_000_000)
    start = time.process_time()

    message = refused(path)

    assert message == "line.csv, line 2 has more than 10,000,000 characters, so the file is not a table of scores"
    assert time.process_time() - start < 2


def test_endless_device_is_not_read_to_its_end(refused) -> None:
    assert refused(Path("/dev/zero")) == "'zero' cannot be read: it is a device, and not a file"


def test_value_that_nobody_types_is_not_offered() -> None:
    long = TableError("it is wrong", "choose one with {}", "metric", "9" * 5000)

    assert str(long) == "it is wrong; choose one with metric="
    assert str(TableError("a", "pass {}", "header_rows", "0")) == "a; pass parsing={'header_rows': 0}"
    assert str(TableError("a", "pass {}", "dataset", "0")) == "a; pass columns={'dataset': '0'}"
