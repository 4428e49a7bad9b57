"""Large files, directories and patterns of files are counted in place; small and odd ones are read cell by cell."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evalstats
from evalstats import TableError
from evalstats.io.engines.files import grid_of_files

pytestmark = pytest.mark.usefixtures("everything_is_large")

ROWS: dict[str, list[Any]] = {
    "dataset": ["d"] * 8,
    "classifier": ["a"] * 4 + ["b"] * 4,
    "row": [0, 1, 2, 3] * 2,
    "y_true": ["u", "v", "v", "u"] * 2,
    "y_pred": ["u", "v", "u", "u", "v", "v", "u", "v"],
}


def write(path: Path, rows: dict[str, list[Any]] = ROWS, *, part: slice = slice(None)) -> Path:
    """Write rows in the format of the suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = {name: column[part] for name, column in rows.items()}
    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet

        pa.parquet.write_table(pa.table(rows), path)
    elif path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([list(rows), *zip(*rows.values(), strict=True)])
    else:
        lines = [json.dumps(dict(zip(rows, row, strict=True))) for row in zip(*rows.values(), strict=True)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_large_file_is_counted_in_place(suffix: str, tmp_path: Path, outcome: Callable[..., Any]) -> None:
    was_counted, found = outcome(write(tmp_path / f"x.{suffix}"))

    assert was_counted
    assert found == outcome(ROWS)[1]


def test_large_file_without_a_column_of_datasets_holds_one(tmp_path: Path, outcome: Callable[..., Any]) -> None:
    rows = {name: column for name, column in ROWS.items() if name != "dataset"}

    assert (
        outcome(write(tmp_path / "x.csv", rows))
        == outcome(write(tmp_path / "y.parquet", rows))
        == (
            True,
            outcome(rows)[1],
        )
    )


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("how", ["directory", "pattern"])
def test_many_files_are_one_table(suffix: str, how: str, tmp_path: Path, outcome: Callable[..., Any]) -> None:
    write(tmp_path / "runs" / f"1.{suffix}", part=slice(3))
    write(tmp_path / "runs" / "more" / f"2.{suffix}", part=slice(3, None))
    source = tmp_path / "runs" if how == "directory" else tmp_path / "runs" / "**" / f"*.{suffix}"

    assert outcome(os.fspath(source)) == (True, outcome(ROWS)[1])


def test_folders_may_name_a_column(tmp_path: Path, outcome: Callable[..., Any]) -> None:
    rows = {name: column for name, column in ROWS.items() if name != "classifier"}
    write(tmp_path / "runs" / "classifier=a" / "x.parquet", rows, part=slice(4))
    write(tmp_path / "runs" / "classifier=b" / "x.parquet", rows, part=slice(4, None))

    assert outcome(tmp_path / "runs") == (True, outcome(ROWS)[1])


def test_file_whose_name_is_a_pattern_is_one_file(tmp_path: Path, outcome: Callable[..., Any]) -> None:
    write(tmp_path / "x1.parquet", {name: column[:0] for name, column in ROWS.items()})

    assert outcome(write(tmp_path / "x[1].parquet")) == (True, outcome(ROWS)[1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d,a,1,u,u\nd,b,1,u\n", "line 3 has 4 fields between ',', but the header has 5"),
        ('d,a,1,u,u\n"d,b,1,u,u\n', "line 3: a quotation mark is opened and never closed"),
        ("d,a,1,u,u\n\nd,b,1,u,\n", "line 4, column 'y_pred': the predicted label is missing"),
        ("d,a,1,u,u\nd,b,2,u,u\n", "the instance of line 2 of 'a' is not among the instances of 'b'"),
        ('d,a,1,u,"u\nx"\nd,a,1,u,u\n', "lines 2 and 4 are the same for 'd' / 'a'"),
        ("d,a,1,u,u\0\nd,b,1,u,u\n", "a NUL character"),
    ],
)
def test_what_is_wrong_in_a_text_is_told_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("dataset,classifier,row,y_true,y_pred\n" + text)

    with pytest.raises(TableError, match=message):
        evalstats.compare(path)


def test_latin_1_is_read_cell_by_cell(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("dataset,classifier,y_true,y_pred\nd,é,1,1\nd,b,1,0\n".encode("latin-1"))

    assert evalstats.read_table(path, parsing={"encoding": "latin-1"}).classifiers == ("b", "é")


def test_tables_of_scores_are_read_cell_by_cell(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", {"dataset": ["x", "y"], "a": [1, 2], "b": [3, 4]})

    assert grid_of_files(os.fspath(path), None, "utf-8") is None
    assert evalstats.read_table(path).scores.tolist() == [[1, 3], [2, 4]]


def test_columns_of_many_files_may_be_named(tmp_path: Path, outcome: Callable[..., Any]) -> None:
    renamed = {{"y_true": "gold", "y_pred": "said"}.get(name, name): column for name, column in ROWS.items()}
    write(tmp_path / "runs" / "1.csv", renamed, part=slice(3))
    write(tmp_path / "runs" / "2.csv", renamed, part=slice(3, None))

    assert outcome(tmp_path / "runs", y_true="gold", y_pred="said") == (True, outcome(ROWS)[1])


def test_directory_with_a_table_of_scores_is_that_table(tmp_path: Path) -> None:
    write(tmp_path / "x.csv", {"dataset": ["x", "y"], "a": [1, 2], "b": [3, 4]})

    assert evalstats.read_table(tmp_path).classifiers == ("a", "b")


def test_directory_of_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.doc").write_text("x")

    with pytest.raises(TableError, match="is a directory without a table"):
        evalstats.read_table(tmp_path)


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_without_duckdb_arrow_reads_the_columns(
    suffix: str, tmp_path: Path, outcome: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)

    assert outcome(write(tmp_path / f"x.{suffix}")) == (True, outcome(ROWS)[1])


def test_without_any_engine_many_files_say_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "runs" / "x.csv")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(TableError, match=r"pip install .classifier-evalstats\[duckdb\]"):
        evalstats.read_table(tmp_path / "runs")


def test_duckdb_loads_no_extension_from_anywhere(tmp_path: Path) -> None:
    grid = grid_of_files(os.fspath(write(tmp_path / "x.csv")), None, "utf-8")
    assert grid is not None
    connection: Any = grid.columns.engine._connection
    settings = dict(connection.sql("SELECT name, value FROM duckdb_settings()").fetchall())

    assert settings["autoinstall_known_extensions"] == "false"
    assert settings["enable_progress_bar"] == "false"
    assert settings["autoload_known_extensions"] == "false"
    assert "evalstats" in settings["temp_directory"]
