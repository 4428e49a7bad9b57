"""Widths of texts in columns of a terminal and in a proportional typeface."""

from __future__ import annotations

__all__ = ["columns", "font_sizes", "pad"]

import unicodedata
from functools import cache

# widths of a wide sans-serif typeface, in font sizes; a narrower typeface leaves a little more space
_NARROW, _WIDE = frozenset("iIjlft.,:;'|!()[]{}/\\- "), frozenset("mwMW@%…")


def columns(text: str) -> int:
    r"""Count the columns of a string in a terminal: wide characters use two columns, and combining marks use none.

    Examples
    --------
    >>> from evalstats.report.text_width import columns
    >>> columns("SVM"), columns("森林"), columns("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Pad a string with spaces to a width in columns; with `right`, the text is right-aligned."""
    space = " " * max(width - columns(text), 0)
    return space + text if right else text + space


def font_sizes(text: str) -> float:
    """Estimate an upper bound for the width of a string in a proportional typeface, in font sizes."""
    return sum(_font_sizes(character) for character in text)


@cache
def _columns(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _font_sizes(character: str) -> float:
    if character in _NARROW:
        return 0.39
    if character in _WIDE:
        return 1.0
    if not character.isascii():
        return (0.0, 0.72, 1.05)[_columns(character)]
    return 0.72 if character.isupper() else 0.64
