"""Names, numbers and lists in sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.wording import shorten, unbroken, wrap, wrap_names, written_list


@pytest.mark.parametrize(
    ("names", "limit", "short"),
    [
        (["short"], 10, ["short"]),
        (["a-long-beginning-end"], 7, ["a-l…end"]),
        (["same-start-1-same-end", "same-start-2-same-end"], 9, ["…1-s…-end", "…2-s…-end"]),
        (["same", "same"], 3, ["s…e", "s…e"]),
        (["abc"], 0, ["…"]),
        ([f"{a}-{i}-zzzzzzzz" for a in ("aa", "bb") for i in (1, 2)], 6, ["a… (1)", "a… (3)", "b… (2)", "b… (4)"]),
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
    assert wrap("unbreakable yes", len, 4, whole_words=False) == ["unbr", "eaka", "ble", "yes"]


@given(st.text("ab  ", max_size=80), st.integers(1, 20))
def test_lines_are_those_of_adding_word_after_word(text: str, limit: int) -> None:
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        lines = [*lines, word] if lines[-1] and len(longer) > limit else [*lines[:-1], longer]

    assert wrap(text, len, limit) == lines


@pytest.mark.parametrize(
    ("name", "wrapped"),
    [
        ("short", "short"),
        ("random forest", "random\nforest"),
        ("random_forest", "random_\nforest"),
        ("random-forest", "random-\nforest"),
        ("models/forest", "models/\nforest"),
        ("RandomForest", "Random\nForest"),
        ("gradient10Boosted", "gradient10\nBoosted"),
        ("随机森林分类器随机森林分类器", "随机森林分类器\n随机森林分类器"),
        ("abcdefghijklmnop", "abcdefgh\nijklmnop"),
        ("abcdefghijklmnopqrstuvwxyz", "abcdefghi…\nrstuvwxyz"),
    ],
)
def test_wrap_names_prefers_the_boundary_of_a_word_and_cuts_only_what_two_lines_do_not_hold(
    name: str, wrapped: str
) -> None:
    assert wrap_names([name], len, 10) == [wrapped]


@given(st.text("ab-_ 字", min_size=1, max_size=40), st.integers(2, 20))
def test_wrapped_names_fit_and_lose_no_letter_before_they_are_cut(name: str, limit: int) -> None:
    (wrapped,) = wrap_names([name], len, limit)

    assert max(map(len, wrapped.split("\n"))) <= limit
    assert wrapped.count("\n") <= 1
    if len(name) < 2 * limit:
        assert wrapped.replace("\n", "").replace(" ", "") == name.replace(" ", "")


@pytest.mark.parametrize("limit", [8, 12, 20])
def test_wrapped_names_stay_different(limit: int) -> None:
    """Names that differ in one letter, anywhere, or in a space at the end of a line, are different in the plot."""
    word = "classifier-of-a-very-long-name-" * 3
    names = [word[:i] + mark + word[i + 1 :] for i in range(0, len(word), 7) for mark in "XY"]
    names += ["forest forest forest", "forestforest forest", "forest forestforest"]

    assert len(set(wrap_names(names, len, limit))) == len(names)


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
