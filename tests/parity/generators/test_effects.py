"""Inputs for effect sizes are legal, and reach samples and pairs of every length."""

from __future__ import annotations

import pytest

ROOM = "effects"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


@pytest.mark.parametrize("function", ["cliffs_delta", "vargha_delaney_a", "rank_biserial"])
def test_both_intervals_are_drawn(values, function: str) -> None:
    assert values(ROOM, function, "method") == {"consistent", "fisher"}


def test_two_scales_of_dominance_see_the_same_samples(drawn) -> None:
    assert repr(drawn(ROOM, "cliffs_delta")) == repr(drawn(ROOM, "vargha_delaney_a"))


def test_hedges_g_has_two_degrees_of_freedom(drawn) -> None:
    for one in drawn(ROOM, "hedges_g"):
        n, m = len(one["x"]), len(one["y"])
        assert n == m >= 3 if one["paired"] else n + m - 2 >= 2


@pytest.mark.parametrize("function", ["cliffs_delta", "cohen_d"])
def test_independent_samples_differ_in_length(drawn, function: str) -> None:
    assert any(len(one["x"]) != len(one["y"]) for one in drawn(ROOM, function))
