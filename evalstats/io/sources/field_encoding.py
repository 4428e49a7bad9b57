"""Which distinct texts do the fields of a column hold? Short ones are compared as whole numbers, all at once."""

from __future__ import annotations

__all__ = ["coded_fields"]

from collections.abc import Sequence

import numpy as np

from evalstats._types import AnyArray, IndexArray
from evalstats.io.sources.number_parser import Fields
from evalstats.tables.categorical import CodedColumn

_LONGEST = 16  # characters: two whole numbers
_AT_ONCE, _BITS = 1 << 15, 16  # fields; bits of a place in a table: what the cache holds
_FEWEST_EACH = 4  # rows with each text
_MOST_TURNS = 4
_MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)  # odd, with bits in no order


def coded_fields(texts: Sequence[tuple[Fields, AnyArray]], places: Sequence[IndexArray]) -> CodedColumn | None:
    """Return a column that keeps each distinct text once, in the order they come.

    None where a text is longer than 16 characters, or where many are distinct.

    Parameters
    ----------
    texts : sequence of tuple
        Blocks of a text in ASCII: their fields, and their characters by `last_eight`, none of them NUL.
    places : sequence of ndarray of int
        Which fields of each block stand in the column.
    """
    number: dict[str, int] = {}
    codes = []
    for (fields, characters), at in zip(texts, places, strict=True):
        for start in range(0, len(at), _AT_ONCE):
            some = at[start : start + _AT_ONCE]
            stops = fields.ends[some + 1]
            lengths = stops - fields.ends[some] - 1
            if lengths.max() > _LONGEST:
                return None
            before = np.maximum(stops - 8, 0)
            keys = _last(characters[stops], lengths), _last(characters[before], np.maximum(lengths - 8, 0))
            if (first_rows := _first_rows(*keys)) is None:
                return None
            found = np.zeros(len(some), dtype=np.intp)
            found[first_rows] = 1
            own = np.array([number.setdefault(text, len(number)) for text in fields.texts(some[found > 0])])
            if _FEWEST_EACH * len(own) > _AT_ONCE:
                return None
            codes.append(own[(np.cumsum(found) - 1)[first_rows]])
    return CodedColumn(list(number), np.concatenate(codes))


def _last(characters: AnyArray, lengths: IndexArray) -> AnyArray:
    """Return eight characters each without those before the last few."""
    n_before = (64 - 8 * np.minimum(lengths, 8)).astype(np.uint64)  # bits
    return (characters >> n_before) << n_before


def _first_rows(*keys: AnyArray) -> IndexArray | None:
    """Return of each row the first one with the same keys; None where not all are found in a few turns.

    In each turn the rows that meet in a place of a table are compared with the first of them.
    """
    first_rows = np.empty(len(keys[0]), dtype=np.intp)
    left = np.arange(len(first_rows))
    table = np.empty(1 << _BITS, dtype=np.intp)
    for turn in range(_MOST_TURNS):
        mixed = np.zeros(len(left), dtype=np.uint64)
        for key, multiplier in zip(keys, _MULTIPLIERS, strict=True):
            mixed ^= key[left] * np.uint64(multiplier + 2 * turn)
            mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(_MULTIPLIERS[0])
        places = (mixed >> np.uint64(64 - _BITS)).astype(np.intp)
        table[places[::-1]] = left[::-1]  # the last that is written stays: the first row
        first = table[places]
        is_same = np.all([key[first] == key[left] for key in keys], axis=0)
        first_rows[left[is_same]] = first[is_same]
        left = left[~is_same]
        if not len(left):
            return first_rows
    return None
