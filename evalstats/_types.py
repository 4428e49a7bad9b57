"""Array types of arguments and results, and the type of progress callbacks."""

from __future__ import annotations

__all__ = ["AnyArray", "BoolArray", "ExponentArray", "FloatArray", "IndexArray", "IntArray", "Progress"]

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[Any]
BoolArray = NDArray[np.bool_]
ExponentArray = NDArray[np.int32]  # as np.frexp gives them
FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.intp]  # places in another array
IntArray = NDArray[np.int64]  # counts
Progress = Callable[[int, int, str], object]  # completed number, total number, and unit
