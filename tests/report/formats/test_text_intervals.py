"""A list of intervals in a terminal: one line a value, as wide as the terminal, in ASCII where asked."""

from __future__ import annotations

import math

import pytest

from evalstats.report.formats.text import draw_list
from evalstats.report.interval_list import IntervalList, IntervalRow
from evalstats.report.text_width import columns


def drawn(*rows: IntervalRow) -> IntervalList:
    return IntervalList(rows=rows, low=-1.0, high=1.0, zero=0.0, ends=("", ""), caption=("Values.",))


def row(name: str, value: float, half: float, *, full: bool = True) -> IntervalRow:
    return IntervalRow(name=name, value=value, low=value - half, high=value + half, written=f"{value:.2f}", full=full)


ROWS = drawn(row("森林 − SVM", 0.5, 0.25), row("SVM − a-name-that-is-much-too-long-for-it", -0.5, math.nan, full=False))


def test_full_and_empty_dots_on_a_common_axis() -> None:
    first, second = draw_list(ROWS, width=80)

    assert "├───●──┤" in first
    assert "○" in second
    assert "├" not in second
    # two wide letters are two characters less
    assert first.index("│") == second.index("│") - 2
    assert (first[-4:], second[-5:]) == ("0.50", "-0.50")


@pytest.mark.parametrize("width", [40, 60, 100])
def test_no_line_is_too_wide(width: int) -> None:
    assert all(columns(line) <= width for line in draw_list(ROWS, width=width))


def test_ascii() -> None:
    lines = draw_list(drawn(row("a", 0.5, 0.25), row("b", -0.5, 0.1, full=False)), ascii_only=True)

    assert all(line.isascii() for line in lines)
    assert "*" in lines[0]
    assert "o" in lines[1]


def test_no_line_where_there_is_no_room() -> None:
    assert draw_list(ROWS, width=20) == []
