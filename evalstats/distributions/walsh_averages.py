"""Walsh averages of paired differences: which one stands in the middle, and which ones bound an interval?"""

from __future__ import annotations

__all__ = ["averages", "median"]

from functools import lru_cache

import numpy as np

from evalstats._types import BoolArray, FloatArray, IntArray

SORTED_UP_TO = 700  # differences: beyond it their Walsh averages are searched, not sorted


def median(d: FloatArray) -> float:
    """Return the median of the Walsh averages of sorted differences (Hodges & Lehmann 1963); 0 where there is none."""
    n = d.size * (d.size + 1) // 2
    if n == 0:
        return 0.0
    lower, upper = averages(d, [(n + 1) // 2, n // 2 + 1])
    return lower / 2 + upper / 2


def averages(d: FloatArray, positions: list[int]) -> list[float]:
    """Return those of the Walsh averages (d[i] + d[j]) / 2, i <= j, that stand at these positions, from 1."""
    half = d / 2
    if d.size <= SORTED_UP_TO:
        averages = np.add.outer(half, half)[_upper_triangle(d.size)]
        at = np.array(positions) - 1
        return list(np.partition(averages, at)[at].tolist())
    return [_search_sums(half, position) for position in positions]


@lru_cache(maxsize=8)
def _upper_triangle(n: int) -> BoolArray:
    return ~np.tri(n, k=-1, dtype=bool)


def _search_sums(values: FloatArray, position: int) -> float:
    """Find the sum values[i] + values[j], i <= j, at a position, without forming the sums: bisect over all floats."""
    first_equal, next_value = (np.searchsorted(values, values, side=side) for side in ("left", "right"))
    low, high = _float_index(2 * values[0]) - 1, _float_index(2 * values[-1])
    with np.errstate(over="ignore"):  # infinity is above every value, which is all that is asked
        while high - low > 1:
            middle = (low + high) // 2
            if _count_sums(values, first_equal, next_value, _float_at(middle)) >= position:
                high = middle
            else:
                low = middle
    return _float_at(high)


def _count_sums(values: FloatArray, first_equal: IntArray, next_value: IntArray, limit: float) -> int:
    """Count the sums values[i] + values[j], i <= j, as floats round them, that are at most `limit`."""
    last = values.size - 1
    n_below = np.searchsorted(values, limit - values, side="right")
    # limit - values is rounded too: move on over neighbours as long as their sums say so
    while (more := (n_below <= last) & (values + values[np.minimum(n_below, last)] <= limit)).any():
        n_below[more] = next_value[n_below[more]]
    while (less := (n_below > 0) & (values + values[n_below - 1] > limit)).any():
        n_below[less] = first_equal[n_below[less] - 1]
    return (int(n_below.sum()) + int(np.count_nonzero(2 * values <= limit))) // 2


def _float_index(value: float) -> int:
    """Return the place of a float in the order of all floats, 0 for zero."""
    index = int(np.abs(np.float64(value)).view(np.int64))
    return index if value >= 0 else -index


def _float_at(index: int) -> float:
    value = float(np.int64(abs(index)).view(np.float64))
    return value if index >= 0 else -value
