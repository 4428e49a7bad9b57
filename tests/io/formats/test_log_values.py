"""Values of a JSON document are treated as what they are, whatever stands there."""

from __future__ import annotations

import math

import pytest

from evalstats.io.formats.log_files import digest, names_below, number_of, part, parts, word


def test_part_stops_where_nothing_stands() -> None:
    document = {"a": {"b": [1, 2]}, "c": None}

    assert part(document, "a", "b") == [1, 2]
    assert part(document, "a", "x", "y") is part(document, "c", "d") is part([], "a") is None
    assert parts(document, "a", "b") == [1, 2]
    assert parts(document, "c") == parts("text") == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [("q1", "q1"), (7, "7"), (7.0, "7"), (0.5, "0.5"), (True, ""), (None, ""), ([1], ""), (math.inf, ""), (10**99, "")],
)
def test_word(value: object, expected: str) -> None:
    assert word(value) == expected


def test_number_of() -> None:
    assert [number_of(value) for value in (1, 0.5, True, False)] == [1.0, 0.5, 1.0, 0.0]
    assert [number_of(value) for value in ("1", [1], {}, math.inf, 10**400)] == [None] * 5
    assert math.isnan(number_of(None) or 0)
    assert math.isnan(number_of(math.nan) or 0)


def test_digest_tells_values_apart() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest("1") != digest(1)
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert digest(deep) == ""


def test_names_below_are_those_of_a_dict() -> None:
    assert names_below({"a": {"x": 1, "y": 2}}, "a") == ["x", "y"]
    assert [names_below({"a": value}, "a") for value in (3, "xy", ["x"], None)] == [[]] * 4
