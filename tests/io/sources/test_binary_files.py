"""A file is known by its first bytes, also where they come one by one."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import pickle
import tarfile
import threading
import time
import zipfile
from pathlib import Path

import openpyxl
import pytest

from evalstats.io.reader.tables import read_table
from evalstats.io.sources import opening
from evalstats.io.sources.opening import grid_of_binary
from evalstats.tables.errors import TableError

READING = (None, "utf-8", None, None, None)


def workbook() -> bytes:
    book = openpyxl.Workbook()
    for row in [["dataset", "NB", "SVM"], ["iris", 93.3, 95], ["glass", 70, 71]]:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(pa.table({"dataset": ["iris", "glass"], "NB": [93.3, 70.0], "SVM": [95.0, 71.0]}), file)
    return file.getvalue()


def arrow_file(compression: str = "uncompressed") -> bytes:
    import pyarrow as pa
    import pyarrow.feather

    file = io.BytesIO()
    table = pa.table({"dataset": ["iris", "glass"], "NB": [93.3, 70.0], "SVM": [95.0, 71.0]})
    pyarrow.feather.write_feather(table, file, compression=compression)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [workbook(), parquet(), arrow_file(), arrow_file("lz4"), arrow_file("zstd")],
    ids=["Excel", "Parquet", "Arrow", "Feather, lz4", "Feather, zstd"],
)
@pytest.mark.parametrize("first", [1, 3, 1000])
def test_file_may_come_by_a_pipe(content: bytes, first: int) -> None:
    """Its first byte may arrive alone."""
    reader, writer = os.pipe()

    def send() -> None:
        with os.fdopen(writer, "wb", buffering=0) as pipe:
            pipe.write(content[:first])
            time.sleep(0.05)
            pipe.write(content[first:])

    thread = threading.Thread(target=send)
    thread.start()
    with os.fdopen(reader, "rb") as pipe:
        table = read_table(pipe)
    thread.join()

    assert table.scores.tolist() == [[93.3, 95.0], [70.0, 71.0]]


def test_text_that_begins_like_a_binary_file_is_text() -> None:
    grid = grid_of_binary(io.BufferedReader(io.BytesIO(b"Predictor,a\nx,1\n")), "t", READING)

    assert grid.header == ["Predictor", "a"]


def test_old_excel_is_named() -> None:
    with pytest.raises(TableError, match=r"an Excel file in the format before 2007; save it as .xlsx"):
        grid_of_binary(io.BytesIO(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "t", READING)


def test_pipe_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGEST_PIPE", 100)

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    with pytest.raises(TableError, match=r"t has more than 100 bytes, too many to be read from a pipe"):
        grid_of_binary(Pipe(b"P" * 200), "t", READING)


def test_whatever_the_file_is_called(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_bytes(parquet())

    assert read_table(tmp_path / "scores.csv").classifiers == ("NB", "SVM")


@pytest.mark.parametrize("cut", range(8, 600, 37))
def test_damaged_file_of_arrow_is_refused(cut: int) -> None:
    whole = arrow_file()
    damaged = (whole[:cut], whole[:cut] + bytes([whole[cut] ^ 255]) + whole[cut + 1 :])

    with pytest.raises(TableError, match=r"cannot be read as an Arrow"):
        grid_of_binary(io.BytesIO(damaged[0]), "t.feather", READING)
    with contextlib.suppress(TableError):  # another exception fails
        grid_of_binary(io.BytesIO(damaged[1]), "t.feather", READING)


@pytest.mark.parametrize("flipped", [1, 128, 255])
def test_no_damaged_byte_of_a_file_of_arrow_makes_texts_end_outside_it(flipped: int) -> None:
    """Without a check of the offsets, pyarrow reads memory outside the file, and the process may end."""
    whole, told = arrow_file(), []
    for i in range(8, len(whole)):
        damaged = whole[:i] + bytes([whole[i] ^ flipped]) + whole[i + 1 :]
        try:
            grid_of_binary(io.BytesIO(damaged), "t.feather", READING)
        except TableError as error:  # another exception fails
            told.append(error.problem)

    assert any("In chunk 0: Invalid" in one for one in told)


def test_file_of_arrow_that_is_larger_than_it_looks_is_refused() -> None:
    import pyarrow as pa

    file = io.BytesIO()
    table = pa.table({"dataset": pa.nulls(60_000_000), "NB": pa.nulls(60_000_000)})
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)

    with pytest.raises(TableError, match=r"has 120,000,000 cells in [\d,]+ bytes"):
        grid_of_binary(io.BytesIO(file.getvalue()), "t.arrow", READING)


def tar() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("scores.csv"))
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (pickle.dumps({"a": [1.0] * 9}, 2), "is a pickle, which can run arbitrary code when it is read"),
        (pickle.dumps({"a": [1.0] * 9}, 5), "is a pickle, which can run arbitrary code when it is read"),
        (b"\x93NUMPY\x01\0v\0{'descr': '<f8'}", "is a NumPy array without names"),
        (b"SQLite format 3\0" + bytes(90), "is an SQLite database"),
        (b"\x89HDF\r\n\x1a\n" + bytes(90), "is an HDF5 file"),
        (b"FEA1" + bytes(90), "is a Feather file of version 1"),
        (b"%PDF-1.5\n%\xd0\xd4\n", "is a PDF"),
        (tar(), "is a tar archive; unpack it, and read the table in it"),
        (gzip.compress(tar(), mtime=0), "is a tar archive; unpack it, and read the table in it"),
        (b"7z\xbc\xaf\x27\x1c\0\x04" + bytes(90), "is a 7z archive; unpack it"),
        (b"Rar!\x1a\x07\x01\0" + bytes(90), "is a RAR archive; unpack it"),
        (b"\x28\xb5\x2f\xfd" + bytes(90), "is compressed with zstd; unpack it"),
        (b"\x89PNG\r\n\x1a\n" + bytes(90), "is an image; write the table as CSV or Parquet"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "is an image"),
        (b"\x7fELF\x02\x01\x01" + bytes(90), "is a program"),
        (b"MZ\x90\0\x03" + bytes(90), "is a program"),
    ],
)
def test_files_of_other_kinds_are_refused_by_their_name(content: bytes, what: str) -> None:
    with pytest.raises(TableError, match=what):
        read_table(io.BytesIO(content))


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (
            b"r\x02\x01\0\x03\0",
            "is a Stata file; write the table as CSV or Parquet, or give what pandas.read_stata()",
        ),
        (b"<stata_dta><header><release>118", "is a Stata file"),
        (
            b"$FL2@(#) SPSS DATA FILE",
            "is an SPSS file; write the table as CSV or Parquet, or give what pandas.read_spss()",
        ),
        (
            b"HEADER RECORD*******LIBRARY HEADER",
            "is a SAS file; write the table as CSV or Parquet, or give what pandas",
        ),
        (b"MATLAB 5.0 MAT-file", "is a MATLAB file; write the table as CSV or Parquet, in MATLAB with writetable()"),
        (b"X\n\0\0\0\x03\0\x04", "is an R data file; write the table in R with write.csv()"),
        (gzip.compress(b"RDX3\nX\n\0\0\0\x03", mtime=0), "is an R data file; write the table in R with write.csv()"),
    ],
)
def test_files_of_other_programs_are_called_by_their_name(start: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "scores.bin"
    file.write_bytes(start + bytes(200) if start[:1] != b"\x1f" else start)

    with pytest.raises(TableError) as caught:
        read_table(file)

    assert str(caught.value).startswith(f"scores.bin {said}")


def test_open_document_is_called_by_its_name() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", "<x/>")

    with pytest.raises(
        TableError, match=r"is an OpenDocument file, as LibreOffice writes it; save it as \.xlsx or CSV"
    ):
        read_table(io.BytesIO(file.getvalue()))


@pytest.mark.parametrize("name", ["HEADER", "MZ", "GIF8", "Obj", "Rar!", "7z", "ustar"])
def test_texts_that_begin_alike_are_texts(name: str) -> None:
    table = read_table(io.BytesIO(f"{name},NB,SVM\niris,0.9,0.8\nwine,0.7,0.6\n".encode()), rows_are="datasets")

    assert table.classifiers == ("NB", "SVM")
