"""A file is known by its first bytes, also where they come one by one."""

from __future__ import annotations

import io
import os
import threading
import time
from pathlib import Path

import openpyxl
import pytest

from evalstats.tables import binary_files
from evalstats.tables.binary_files import grid_of_binary
from evalstats.tables.grid import TableError
from evalstats.tables.reading import read_table

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


@pytest.mark.parametrize("content", [workbook(), parquet()], ids=["Excel", "Parquet"])
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
    with pytest.raises(TableError, match=r"an Excel file of before 2007; save it as .xlsx"):
        grid_of_binary(io.BytesIO(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "t", READING)


def test_pipe_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_files, "LARGEST_PIPE", 100)

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    with pytest.raises(TableError, match=r"t has more than 100 bytes, which are not held in memory"):
        grid_of_binary(Pipe(b"P" * 200), "t", READING)


def test_whatever_the_file_is_called(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_bytes(parquet())

    assert read_table(tmp_path / "scores.csv").classifiers == ("NB", "SVM")
