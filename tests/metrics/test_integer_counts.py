"""Counts are whole numbers of cases, and the message says where one is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evalstats import InvalidValueError
from evalstats.metrics.integer_counts import place_of, whole_numbers, whole_tables


@pytest.mark.parametrize("value", [3, 3.0, [0, 7], np.array([[1.0, 2.0]]), [True, False]])
def test_whole_numbers_are_taken_in_any_type(value: Any) -> None:
    taken = whole_numbers(value, "n")

    assert taken.dtype == np.int64
    assert taken.tolist() == np.asarray(value, dtype=int).tolist()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (2.5, r"n must be whole numbers of 0 or more, but n is 2\.5"),
        ([1, -1], r"but n\[1\] is -1"),
        ([[1, 2], [3, 0.1]], r"but n\[1, 1\] is 0\.1"),
        (2.0**60, r"but n is 1\.15"),
        ([1, float("nan")], r"n must be finite, but n\[1\] is nan"),
    ],
)
def test_other_numbers_are_refused_with_their_place(value: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        whole_numbers(value, "n")


def test_tables_may_be_a_batch() -> None:
    assert whole_tables(np.ones((2, 3, 4, 4))).shape == (2, 3, 4, 4)


@pytest.mark.parametrize("shape", [(2, 3), (0, 0), (4,)])
def test_tables_are_square(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidValueError, match=r"counts must have the shape \(\.\.\., k, k\) with k of 1 or more"):
        whole_tables(np.zeros(shape))


def test_place_is_written_after_a_name() -> None:
    assert (place_of(()), place_of((np.int64(3),)), place_of([0, 2])) == ("", "[3]", "[0, 2]")
