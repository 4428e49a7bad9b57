"""``evalstats formats`` lists what is read, and shows one format in full."""

from __future__ import annotations

import json

from evalstats.io.formats.recognition import known_formats


def test_all_formats_are_listed(run) -> None:
    text = run("formats").stdout

    assert [one.name for one in known_formats() if one.name not in text] == []


def test_one_format_is_shown_with_its_example(run) -> None:
    text = run("formats", "weka-csv").stdout

    assert "WEKA Experimenter" in text
    assert "Key_Scheme" in text


def test_json_is_a_list_of_formats(run) -> None:
    listed = json.loads(run("formats", "--format", "json").stdout)

    assert len(listed) == len(known_formats())


def test_unknown_format_is_one_line(refused) -> None:
    assert "format must be" in refused("formats", "word-perfect")
