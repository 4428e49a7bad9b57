"""Inputs for labelings are legal, and reach every kind of weights."""

from __future__ import annotations

import pytest

ROOM = "agreement"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


@pytest.mark.parametrize("function", ["cohen_kappa", "cohen_kappa_table"])
def test_every_kind_of_weights_is_drawn(values, function: str) -> None:
    assert values(ROOM, function, "weights") == {None, "linear", "quadratic"}


def test_labels_are_words_of_which_two_at_least_are_in_use(drawn) -> None:
    assert {len({*one["y1"], *one["y2"]}) for one in drawn(ROOM, "cohen_kappa")} == {2, 3, 4}


def test_every_label_of_a_table_is_in_use(drawn) -> None:
    tables = [one["table"] for one in drawn(ROOM, "cohen_kappa_table")]

    assert all(table[i][i] > 0 for table in tables for i in range(len(table)))
    assert any(cell == 0 for table in tables for row in table for cell in row)
