"""Columns of a terminal and widths of a typeface."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.report import text_width as widths


@pytest.mark.parametrize(
    ("text", "columns"),
    [("C4.5", 4), ("森林", 4), ("e\u0301", 1), ("naïve", 5), ("Ｗ", 2), ("a\u200db", 2), ("βδ", 2), ("", 0)],
)
def test_columns(text: str, columns: int) -> None:
    assert widths.columns(text) == columns


@given(st.text("aW森\u0301", max_size=12), st.integers(0, 30))
def test_padded_text_has_the_width(text: str, width: int) -> None:
    for right in (False, True):
        padded = widths.pad(text, width, right=right)

        assert widths.columns(padded) == max(width, widths.columns(text))
        assert padded.strip(" ") == text


def test_wide_letters_are_wider() -> None:
    assert widths.font_sizes("ill") < widths.font_sizes("abc") < widths.font_sizes("ABC") < widths.font_sizes("MWM")
    assert widths.font_sizes("森") > widths.font_sizes("β") > widths.font_sizes("\u0301")
