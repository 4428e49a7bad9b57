from __future__ import annotations

import json

import pytest

from evalstats import InvalidValueError
from evalstats.cli.formats_command import listed_formats
from evalstats.io import known_formats


def test_list_names_every_format() -> None:
    names = [line.split()[0] for line in listed_formats(None, as_json=False).splitlines() if line[:1].strip()]

    assert names == [one.name for one in known_formats()]


@pytest.mark.parametrize("one", known_formats(), ids=lambda one: one.name)
def test_one_format_is_shown_with_its_example(one) -> None:
    assert f"\n\n{one.example.rstrip()}\n" in listed_formats(one.name, as_json=False)


def test_program_is_shown_with_all_kinds_of_its_results() -> None:
    told = json.loads(listed_formats("weka", as_json=True))

    assert [one["name"] for one in told] == ["weka-arff", "weka-csv", "weka-predictions"]


def test_json_has_the_same() -> None:
    told = json.loads(listed_formats(None, as_json=True))

    assert [one["example"] for one in told] == [one.example for one in known_formats()]
    assert json.loads(listed_formats("weka-csv", as_json=True))["title"] == "WEKA Experimenter, CSV"


def test_unknown_format_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="format must be"):
        listed_formats("waka", as_json=False)
