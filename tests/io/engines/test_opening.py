"""Which sources stay where they are, and which are read cell by cell."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import evalstats
from evalstats.io.engines import opening
from evalstats.io.engines.held import HeldColumns
from evalstats.io.engines.opening import held_source

ROWS = {"dataset": ["d"] * 4, "classifier": ["a", "a", "b", "b"], "y_true": [0, 1] * 2, "y_pred": [0, 1, 1, 1]}


def held(source: Any) -> Any:
    return held_source(source, None, "utf-8", None)


def test_small_frames_are_read_cell_by_cell() -> None:
    pd, pl = import_module("pandas"), import_module("polars")

    assert held(pd.DataFrame(ROWS)) is None
    assert held(pl.DataFrame(ROWS)) is None
    assert held(pd.Series([1, 2])) is None


def test_large_frames_stay_where_they_are() -> None:
    pd, pl, pa = (import_module(name) for name in ("pandas", "polars", "pyarrow"))
    many = {name: column * (opening.FEWEST_ROWS // 4) for name, column in ROWS.items()}

    for frame in (pd.DataFrame(many), pl.DataFrame(many), pa.table(many)):
        grid = held(frame)

        assert isinstance(grid.columns, HeldColumns)
        assert grid.header == list(ROWS)
        assert len(grid.numbers) == opening.FEWEST_ROWS


def test_lazy_frames_stay_where_they_are_whatever_their_size() -> None:
    pl, duckdb = import_module("polars"), import_module("duckdb")

    assert isinstance(held(pl.LazyFrame(ROWS)).columns, HeldColumns)
    assert isinstance(held(duckdb.sql("SELECT 1 AS a, 2 AS b")).columns, HeldColumns)


def test_named_index_of_pandas_is_a_column() -> None:
    pd = import_module("pandas")
    frame = pd.DataFrame({name: column * 5_000 for name, column in ROWS.items()})

    assert held(frame.set_index(["dataset", "classifier"])).header == list(ROWS)
    assert held(frame[::-1]).header == list(ROWS)


def test_lazy_frame_without_narwhals_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    pl = import_module("polars")
    monkeypatch.setitem(sys.modules, "narwhals.stable.v2", None)

    with pytest.raises(evalstats.InvalidTypeError, match=r"pip install .classifier-evalstats\[frames\]"):
        evalstats.read_table(pl.LazyFrame(ROWS))


def test_small_files_wake_no_engine(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("dataset,a,b\nx,1,2\ny,2,3\n")
    script = (
        "import sys, evalstats; evalstats.read_table(sys.argv[1]); "
        "print([m for m in ('narwhals', 'duckdb', 'pyarrow', 'pandas', 'polars') if m in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("path", ["no-such-file.csv", "a\0b", "text\nof *\nlines", "no-such-*.parquet"])
def test_what_is_not_there_is_left_to_be_refused(path: str) -> None:
    assert held(path) is None
    with pytest.raises(evalstats.TableError if "\n" in path else evalstats.tables.TableNotFoundError):
        evalstats.read_table(path)
