"""Columns that were computed from the scores of two others, as in an illustration of Wilcoxon's test.

Their difference, its absolute value, its ranks, its signed ranks. They are known by their values, whatever they are
called: nothing else agrees with a difference on every dataset.
"""

from __future__ import annotations

__all__ = ["differences_of_pairs"]

import itertools
import math
import re
from collections.abc import Sequence

import numpy as np

from evalstats._lexicon import one_of
from evalstats._ranks import midranks
from evalstats._types import BoolArray, FloatArray

# fewer rows may agree by chance
_FEWEST = 5
# so many columns are compared with each other
_MOST_COMPARED = 20
_SAYS_SO = re.compile(rf"{one_of('rows.difference_stem')}|^d$", re.IGNORECASE)
_NOISE = 1e-9
# what agrees by chance once in so many powers of two is computed
_BITS = 17


def differences_of_pairs(
    columns: Sequence[FloatArray], names: Sequence[str], decimals: Sequence[int]
) -> dict[int, tuple[int, int, str]]:
    """Return the columns with differences of two others, or ranks of such differences: by number, the two and the kind.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_datasets,)
        Scores; nan if a cell is not a number.
    names : sequence of str
        Names of the columns. If each of three columns can be the difference, the difference is the column with such a
        name, otherwise a column with a negative number, otherwise the last column.
    decimals : sequence of int
        Number of decimals of each column.

    Returns
    -------
    dict
        ``{3: (0, 1, 'is the absolute difference of {} and {}')}``: the fourth column of the first two.
    """
    if len(columns) < 3 or len(columns) > _MOST_COMPARED or len(columns[0]) < _FEWEST:
        return {}
    table = np.array(columns, dtype=np.float64)
    if np.isinf(table).any():
        return {}
    errors = 0.51 * 10.0 ** -np.array(decimals) + _NOISE * max(1.0, float(np.nanmax(np.abs(table), initial=0.0)))
    may_be = _agree_at_first(table, errors)
    order = sorted(range(len(names)), key=lambda j: (bool(_SAYS_SO.search(names[j])), (table[j] < 0).any(), j))
    found: dict[int, tuple[int, int, str]] = {}
    for place in range(len(order) - 1, 1, -1):
        own = order[place]
        ranks = _are_ranks(table[own])
        for one, other in itertools.combinations(sorted(order[:place]), 2):
            if not (ranks or may_be[own, one, other]) or np.isnan(table[[one, other]]).any():
                continue
            difference = np.round(table[one] - table[other], min(12, max(decimals[one], decimals[other])))
            what = _difference(difference, table[own], errors[own], len(names)) or _ranks(difference, table[own])
            if what:
                found[own] = one, other, what
                break
    return found


def _agree_at_first(table: FloatArray, errors: FloatArray) -> BoolArray:
    """Return whether each column may be the difference of each pair of others, by the first rows."""
    head = table[:, :_FEWEST]
    apart = np.abs(head[:, None] - head[None])
    off = np.abs(apart[None] - np.abs(head)[:, None, None])
    return np.asarray((off < errors[:, None, None, None]).all(axis=-1))


def _are_ranks(column: FloatArray) -> bool:
    """Return whether a column may hold ranks of its rows, with or without signs."""
    present = column[~np.isnan(column)]
    return bool(present.size >= _FEWEST and np.abs(present).max() <= column.size and (2 * present % 1 == 0).all())


def _difference(difference: FloatArray, own: FloatArray, error: float, k: int) -> str:
    """Return how a column relates to a difference; empty if it does not, or agrees too roughly to decide."""
    for values, what in (
        (difference, "is {} minus {}"),
        (-difference, "is the difference of {} and {}"),
        (abs(difference), "is the absolute difference of {} and {}"),
    ):
        if (np.abs(values - own) < error).all():
            bits = len(own) * math.log2(max(1.0, float(np.ptp(own)) / (2 * error)))
            return what if bits > _BITS + 3 * math.log2(k) else ""
    return ""


def _ranks(difference: FloatArray, own: FloatArray) -> str:
    """Return whether a column holds the ranks of a difference; if the difference is zero, any cell is accepted."""
    differ = difference != 0
    if differ.sum() < _FEWEST:
        return ""
    for among in (differ, np.ones_like(differ)):  # Wilcoxon's way with differences of zero, and Pratt's
        ranks = np.zeros(len(own))
        ranks[among] = midranks(np.abs(difference[among])[None, :])[0]
        for values, what in (
            (ranks, "holds the ranks of the differences of {} and {}"),
            (ranks * np.sign(difference), "holds the signed ranks of the differences of {} and {}"),
            (-ranks * np.sign(difference), "holds the signed ranks of the differences of {} and {}"),
        ):
            if (np.abs(values - own)[differ] < _NOISE).all():
                return what
    return ""
