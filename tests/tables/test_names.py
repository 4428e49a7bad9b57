"""Names of many rows are read together as each of them is read."""

from __future__ import annotations

from typing import Any

import pytest

from evalstats.tables.names import are_faultless, fault_of, text_of, texts_of


@pytest.mark.parametrize(
    "odd",
    ["data 0", "", " a", "a ", "a  b", "a\nb", "a\tb", "é", "e\u0301", "a\u200b", "\x1c", "a\x0bb", 1.0, None, True],
)
def test_texts_of_a_column_are_those_of_its_cells(odd: Any) -> None:
    """Also where one of many plain texts is odd, at the beginning, in the middle or at the end."""
    names = [f"data {i}" for i in range(1, 201)]
    for at in (0, 100, 200):
        column = [*names[:at], odd, *names[at:]]
        assert texts_of(column) == list(map(text_of, column))


@pytest.mark.parametrize(
    ("odd", "is_so"), [("x", True), ("", False), ("x" * 1001, False), ("a\x00", False), ("\u202e", False)]
)
def test_names_without_a_fault_are_known_together(odd: str, is_so: bool) -> None:
    assert are_faultless(["iris", "Wein ✓", odd]) is is_so
    assert is_so == (bool(odd) and fault_of(odd) is None)
