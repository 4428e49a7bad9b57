"""Names, numbers and lists in sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.wording import shorten, unbroken, wrap, written_list


@pytest.mark.parametrize(
    ("names", "limit", "short"),
    [
        (["short"], 10, ["short"]),
        (["a-long-beginning-end"], 7, ["a-l…end"]),
        (["same-start-1-same-end", "same-start-2-same-end"], 9, ["…1-s…-end", "…2-s…-end"]),
        (["same", "same"], 3, ["s…e", "s…e"]),
        (["abc"], 0, ["…"]),
    ],
)
def test_shorten(names: list[str], limit: int, short: list[str]) -> None:
    assert shorten(names, len, limit) == short


@given(st.lists(st.text("abc-", min_size=1, max_size=30), min_size=1, max_size=6), st.integers(1, 20))
def test_shortened_names_fit(names: list[str], limit: int) -> None:
    for name, short in zip(names, shorten(names, len, limit), strict=True):
        assert len(short) <= limit
        assert len(name) > limit or short == name


def test_wrap() -> None:
    assert wrap("one two three", len, 7) == ["one two", "three"]
    assert wrap("unbreakable yes", len, 4) == ["unbreakable", "yes"]
    assert wrap("", len, 4) == [""]


def test_unbroken() -> None:
    assert (
        unbroken("p = 0.05, 95 % of F(3, 39) in A and B").replace("\u00a0", "~")
        == "p~=~0.05, 95~% of F(3,~39) in A and B"
    )


@pytest.mark.parametrize(
    ("n", "words"),
    [(1, "A"), (2, "A and B"), (3, "A, B and C"), (4, "A, B, C and D"), (5, "A, B, C and 2 others")],
)
def test_written_list_never_counts_a_single_name(n: int, words: str) -> None:
    assert written_list("ABCDE"[:n], at_most=3) == words
