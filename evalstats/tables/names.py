"""Names of datasets and classifiers: their text, their order, and invalid names."""

from __future__ import annotations

__all__ = [
    "MISSING_TYPES",
    "are_faultless",
    "fault_of",
    "natural_order",
    "positions_of_repeated",
    "text_of",
    "texts_of",
    "two_writings",
]

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from evalstats._lexicon import two_spellings
from evalstats.tables.errors import TableError, short

MISSING_TYPES = ("NAType", "NaTType")  # of pandas.NA and pandas.NaT, known without pandas
_INVISIBLE = dict.fromkeys((0x200B, 0x2060, 0xFEFF))  # zero-width space, word joiner, byte order mark
_HOW_WRITTEN = re.compile(r"[\s_\-\u2010\u2011]+")
_FEW = 100
MAX_NAME_LENGTH = 1000
_BIDIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # reorder what a reader sees


def text_of(value: Any) -> str:
    """Return a cell as the text of a name, or '' if the cell is missing."""
    if not isinstance(value, str):
        if value is None or type(value).__name__ in MISSING_TYPES or (isinstance(value, float) and math.isnan(value)):
            return ""
        if isinstance(value, float | np.floating) and value.is_integer():
            value = int(value)
        try:
            value = str(value)
        except Exception:  # an integer of 5,000 digits has no text
            raise TableError(f"a name or a label must be text, not {short(value)}") from None
    if not value.isascii():
        value = unicodedata.normalize("NFC", value).translate(_INVISIBLE)
    return " ".join(value.split())


def texts_of(column: Iterable[Any]) -> list[str]:
    """Return the cells of a column as texts of names. A column of clean texts is returned without conversion."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu":
        return list(map(str, column.tolist()))
    cells = list(column)
    if len(cells) > _FEW and set(map(type, cells)) == {str}:
        together = "\n".join(["", *cells, ""])
        is_tidy = not any(blanks in together for blanks in ("  ", "\n ", " \n"))
        joined = together.replace("\n", "")
        if is_tidy and joined.isascii() and joined.isprintable() and len(together) == len(joined) + len(cells) + 1:
            return cells
    return list(map(text_of, cells))


def fault_of(name: str) -> str | None:
    """Return why a string is not a valid name, or None if it is valid."""
    if len(name) > MAX_NAME_LENGTH:
        return f"has {len(name):,} characters, but at most {MAX_NAME_LENGTH:,} are allowed"
    for character in "" if name.isprintable() else name:
        if character in _BIDIRECTIONAL or unicodedata.category(character) in ("Cc", "Cs"):
            return f"holds the control character {character!r}"
    return None


def are_faultless(names: Sequence[str]) -> bool:
    """Return whether all texts are valid names."""
    return all(names) and max(map(len, names), default=0) <= MAX_NAME_LENGTH and "".join(names).isprintable()


def two_writings(*groups: Iterable[str]) -> str:
    """Return a clause about two names of a group that differ only in how they are written, or '' if there are none.

    The clause follows an error. The names are not merged, because ``a`` and ``A`` may be different.

    Examples
    --------
    >>> from evalstats.tables.names import two_writings
    >>> print(two_writings(["iris", "wine"], ["a-b", "A b"]))
    ; 'a-b' and 'A b' differ only in case, spaces, hyphens or underscores: if they are one name, write it in one way
    """
    for names in groups:
        if twice := two_spellings(names, lambda name: _HOW_WRITTEN.sub("", name.casefold()) or None):
            differ = "differ only in case, spaces, hyphens or underscores"
            return f"; {short(twice[0])} and {short(twice[1])} {differ}: if they are one name, write it in one way"
    return ""


def positions_of_repeated(names: Sequence[Any]) -> dict[Any, list[int]]:
    """Return the positions of each name that occurs more than once."""
    if len(set(names)) == len(names):
        return {}
    positions: dict[Any, list[int]] = {}
    for i, name in enumerate(names):
        positions.setdefault(name, []).append(i)
    return {name: at for name, at in positions.items() if len(at) > 1}


def natural_order(name: str) -> tuple[list[Any], str]:
    """Return the sort key of a name for natural order: fold 2 before fold 10."""
    parts = re.split(r"(\d+)", name.casefold())
    return [_size(part) if i % 2 else part for i, part in enumerate(parts)], name


def _size(digits: str) -> tuple[int, str]:
    """Return a sort key of an integer in digits, which may have more digits than Python converts."""
    digits = digits.lstrip("0")
    return len(digits), digits
