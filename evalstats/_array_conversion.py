"""Conversion of arrays of other libraries to NumPy arrays by DLPack or the array protocol of NumPy."""

from __future__ import annotations

__all__ = ["is_other_array", "numpy_array", "with_numpy_arrays"]

from typing import Any

import numpy as np

from evalstats._errors import InvalidTypeError
from evalstats._types import AnyArray

_OWN = (np.ndarray, np.generic, int, float, str)  # the most frequent types, which need no further check


def is_other_array(source: Any) -> bool:
    """Return whether an object is an array of the Python array API standard but not a NumPy array."""
    kind = type(source)  # the lookup of a missing attribute is slower on an object than on its class
    if issubclass(kind, (*_OWN, type)):
        return False
    return hasattr(kind, "__array_namespace__") or (hasattr(kind, "__dlpack__") and hasattr(source, "shape"))


def numpy_array(source: Any, name: str = "source") -> AnyArray:
    """Convert an array to a NumPy array in main memory, without a copy if its library can share it."""
    for read in (np.from_dlpack, _copied):
        try:
            return read(source)
        except Exception:  # nosec B110  # exceptions of each library if it cannot share its memory, as with recorded gradients
            pass
    try:
        array = np.asarray(source)
    except Exception:
        array = np.empty((), dtype=object)
    if array.dtype.kind == "O":  # numpy has put the object itself into an array
        kind = f"{type(source).__module__}.{type(source).__name__}"
        raise InvalidTypeError(f"{name} is a {kind} that numpy cannot read: move the array to the CPU first")
    return array


def _copied(source: Any) -> AnyArray:
    """Copy the array from another device. NumPy before 2.1 cannot request a copy."""
    return np.from_dlpack(source, device="cpu", copy=True)


def with_numpy_arrays(value: Any, name: str) -> Any:
    """Convert an array of another library, or a list of such arrays, to NumPy; return other values unchanged."""
    if isinstance(value, list | tuple):
        if len(value) and (isinstance(value[0], list | tuple) or is_other_array(value[0])):
            return [with_numpy_arrays(one, f"{name}[{i}]") for i, one in enumerate(value)]
        return value
    return numpy_array(value, name) if is_other_array(value) else value
