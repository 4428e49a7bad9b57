"""Arrow reads the columns of files that are needed."""

from __future__ import annotations

from pathlib import Path

from evalstats.io.engines.files import arrow_engine


def test_cells_of_a_text_are_texts(tmp_path: Path) -> None:
    """01 and 1 are two names in a text file."""
    (tmp_path / "x.csv").write_text('a;b\n01;"x;y"\n1;\n')

    engine = arrow_engine([str(tmp_path / "x.csv")], "csv", ";")

    assert engine is not None
    assert (engine.header, engine.kind("a"), engine.n_rows()) == (["a", "b"], "text", 2)
    assert [list(column) for column in engine.columns(["a", "b"])] == [["01", "1"], ["x;y", ""]]
    assert engine.counts(["a"], 1) is None


def test_files_that_are_none_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_text("no Parquet")

    assert arrow_engine([str(tmp_path / "x.parquet")], "parquet", "") is None
