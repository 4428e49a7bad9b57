"""The formats of this package are found by their entry points, and recognized by their samples and examples."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from evalstats import read_table
from evalstats.io import known_formats
from evalstats.io.formats.recognition import _index, _plugin_entries, recognized
from evalstats.io.sources.source import look

PROGRAMS = ("keel", "mlr3", "tabarena", "tabzilla", "tidymodels")
SAMPLES = Path(__file__).parent / "samples"
FILES = sorted(path.relative_to(SAMPLES).as_posix() for path in SAMPLES.glob("*/*.csv"))


def found_by(source: object) -> list[str]:
    seen = look(source)
    return [entry.name for entry in (*recognized(seen), *recognized(seen, _plugin_entries()))]


def test_formats_are_listed_behind_those_of_evalstats() -> None:
    added = known_formats()[len(_index()) :]

    assert [one.name for one in added] == [
        "keel",
        "mlr3-scores",
        "mlr3-predictions",
        "tabarena",
        "tabzilla",
        "tidymodels-metrics",
        "tidymodels-predictions",
    ]


@pytest.mark.parametrize("name", [*FILES, "keel/results"])
def test_a_sample_is_recognized_as_one_format_of_its_program(name: str) -> None:
    (found,) = found_by(SAMPLES / name)

    assert found.startswith(name.split("/", maxsplit=1)[0])


def test_an_example_is_recognized(tmp_path: Path) -> None:
    for one in known_formats()[len(_index()) :]:
        first, _, rest = one.example.partition("\n")
        if first.endswith(":"):
            path = tmp_path / first[:-1]
            path.parent.mkdir(parents=True)
            path.write_text(rest)
            assert found_by(tmp_path) == [one.name]
        else:
            assert found_by(io.StringIO(one.example)) == [one.name]


def test_program_of_a_kind_is_a_format() -> None:
    assert read_table(SAMPLES / "mlr3/aggregate.csv", format="mlr3").format == "mlr3-scores"
