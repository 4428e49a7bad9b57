"""Inputs for null distributions are legal, and reach the range in which R is accurate."""

from __future__ import annotations

import pytest

ROOM = "distributions"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


def test_ranges_are_small_and_large(drawn) -> None:
    q = [value for one in drawn(ROOM, "sf") for value in one["q"]]

    assert min(q) < 0.5
    assert max(q) > 7.5


@pytest.mark.parametrize("function", ["sf", "isf"])
def test_few_variables_are_asked_for(values, function: str) -> None:
    assert values(ROOM, function, "k") == set(range(2, 8))


def test_probabilities_are_those_that_qtukey_finds(drawn) -> None:
    assert all(0.001 <= one["p"] <= 0.1 for one in drawn(ROOM, "isf"))
