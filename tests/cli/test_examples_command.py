"""evalstats examples lists tables and writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalstats.examples import example_names, example_path, example_source, example_table
from evalstats.io.reader.tables import read_table


def test_examples_are_listed(run) -> None:
    assert [line.split()[0] for line in run("examples").stdout.splitlines() if line[0] != " "] == list(example_names())


def test_measures_are_written(run) -> None:
    assert run("examples", "japkowicz-measures").stdout == example_path("japkowicz-measures").read_text("utf-8")


@pytest.mark.parametrize("name", [name for name in example_names() if example_source(name).layout != "measures"])
def test_example_is_written_and_compared(run, name: str, folder: Path) -> None:
    (folder / "example.csv").write_text(run("examples", name).stdout, encoding="utf-8")

    assert read_table("example.csv").scores.tolist() == example_table(name).scores.tolist()
    assert run("compare", "example.csv").exit_code == 0
