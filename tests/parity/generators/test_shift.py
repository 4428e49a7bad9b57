"""Inputs for tests of a changed world are legal, and of different sizes."""

from __future__ import annotations

ROOM = "shift"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


def test_samples_differ_in_size(drawn) -> None:
    assert any(len(one["x"]) != len(one["y"]) for one in drawn(ROOM, "mmd_test"))
