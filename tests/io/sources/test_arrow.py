"""Arrow tables and Parquet files are read, or refused in one line, whatever stands in them."""

from __future__ import annotations

import datetime as dt
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalstats._errors import EvalstatsError
from evalstats.io.sources.arrow import grid_of_arrow, grid_of_parquet
from evalstats.tables.errors import TableError

TABLE = pa.table({"dataset": ["x", "y"], "a": [1.0, 2.0]})


def written(table: pa.Table) -> io.BytesIO:
    file = io.BytesIO()
    pq.write_table(table, file)
    file.seek(0)
    return file


def test_columns_are_those_of_the_table() -> None:
    for grid in (grid_of_arrow(TABLE, "t"), grid_of_parquet(written(TABLE), "t")):
        assert (grid.header, grid.columns) == (["dataset", "a"], [["x", "y"], [1.0, 2.0]])


def test_two_columns_of_one_name_are_two_columns() -> None:
    table = pa.Table.from_arrays([pa.array(["x"]), pa.array([1.0]), pa.array([2.0])], names=["d", "a", "a"])

    assert grid_of_parquet(written(table), "t").columns == [["x"], [1.0], [2.0]]


@pytest.mark.parametrize(
    "note",
    [b"{", b"\xff", b"[" * 100_000, b'{"index_columns": 5}', b"[]", b'{"index_columns": [{"kind": "range"}, ["x"]]}'],
)
def test_note_of_pandas_may_be_anything(note: bytes) -> None:
    table = TABLE.replace_schema_metadata({b"pandas": note})

    assert grid_of_parquet(written(table), "t").header == ["dataset", "a"]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([99_999_999, 1], pa.int32()).cast(pa.date32()),
        pa.array([b"\xff\xfe", b"x"]).view(pa.string()),
        pa.array([2**40, 1], pa.int64()).view(pa.timestamp("s")),
    ],
    ids=["a date beyond the year 9999", "text that is not UTF-8", "a time beyond the year 9999"],
)
def test_column_that_python_cannot_hold_is_refused(column: pa.Array) -> None:
    table = pa.Table.from_arrays([pa.array(["x", "y"]), column], names=["d", "a"])

    for read in (lambda: grid_of_arrow(table, "t"), lambda: grid_of_parquet(written(table), "t")):
        with pytest.raises(EvalstatsError, match=r"^t cannot be read as an? "):
            read()


def test_dates_are_no_reason_to_fail() -> None:
    table = pa.table({"d": [dt.date(2020, 1, 1)], "a": [1.0]})

    assert grid_of_arrow(table, "t").columns[0] == [dt.date(2020, 1, 1)]


def test_every_cut_of_a_file_is_refused_in_one_line() -> None:
    whole = written(TABLE).getvalue()

    for end in range(4, len(whole), 37):
        with pytest.raises(TableError, match=r"^t cannot be read as a Parquet file: ") as caught:
            grid_of_parquet(io.BytesIO(whole[:end]), "t")
        assert "\n" not in str(caught.value)


def test_bomb_of_equal_rows_is_refused_before_it_is_read() -> None:
    table = pa.table({"dataset": np.zeros(12_000_000, dtype=np.int8)})

    with pytest.raises(TableError, match=r"t has 12,000,000 cells in .* bytes, more than 50 in each byte"):
        grid_of_parquet(written(table), "t")
