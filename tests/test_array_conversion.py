"""Arrays of other libraries are read as numpy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats._array_conversion import is_other_array, numpy_array

SCORES = np.array([[0.1, 0.2], [0.5, 0.4], [0.3, 0.9]])


class Shared:
    """An array that shares its memory by DLPack and has nothing else of numpy."""

    def __init__(self, values: Any) -> None:
        self._values, self.shape = values, values.shape

    def __dlpack__(self, **choices: Any) -> Any:
        return self._values.__dlpack__(**choices)

    def __dlpack_device__(self) -> Any:
        return self._values.__dlpack_device__()


class Elsewhere(Shared):
    """An array on another device."""

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("on a device")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("on a device")

    dtype = "other.float32"


def test_shared_memory_is_a_table() -> None:
    assert is_other_array(Shared(SCORES))
    assert evalstats.read_table(Shared(SCORES)).scores.tolist() == SCORES.tolist()


def test_half_precision_keeps_its_noise() -> None:
    assert evalstats.read_table(Shared(SCORES.astype(np.float32))).noise > 0


def test_memory_that_is_elsewhere_is_refused() -> None:
    with pytest.raises(
        evalstats.InvalidTypeError, match="Elsewhere that numpy cannot read: move the array to the CPU first"
    ):
        numpy_array(Elsewhere(SCORES))


@pytest.mark.parametrize("source", [SCORES, [[1, 2]], "x", None])
def test_everything_else_is_no_other_array(source: Any) -> None:
    assert not is_other_array(source)


def test_single_precision_ties_as_in_numpy() -> None:
    """0.3 - 0.2 and 0.9 - 0.8 are equal differences in single precision too, whatever the library."""
    x, y = np.array([[0.3, 0.9, 0.5, 0.7], [0.2, 0.8, 0.6, 0.6]], dtype=np.float32)

    shared = evalstats.wilcoxon_test(Shared(x), Shared(y))

    assert shared.to_dict() == evalstats.wilcoxon_test(x, y).to_dict()
    assert shared.statistic == 7.5 != evalstats.wilcoxon_test(x.astype(float), y.astype(float)).statistic


def test_lists_of_other_arrays_are_tables() -> None:
    rows = [Shared(row) for row in SCORES]

    assert evalstats.friedman_test(rows).statistic == evalstats.friedman_test(SCORES).statistic


def test_array_elsewhere_is_refused_by_the_name_of_its_argument() -> None:
    with pytest.raises(
        evalstats.InvalidTypeError, match=r"x is a .*Elsewhere that numpy cannot read: move the array to the CPU"
    ):
        evalstats.sign_test(Elsewhere(SCORES[:, 0]), SCORES[:, 1])
