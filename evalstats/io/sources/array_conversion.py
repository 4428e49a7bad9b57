"""Conversion of arrays of other libraries to numpy."""

from __future__ import annotations

__all__ = ["is_other_array", "numpy_array"]

from typing import Any

import numpy as np

from evalstats._checks import InvalidTypeError
from evalstats._types import AnyArray


def is_other_array(source: Any) -> bool:
    """Return whether an object is an array of the Python array API standard, but not numpy's."""
    return not isinstance(source, np.ndarray) and (
        hasattr(source, "__array_namespace__") or (hasattr(source, "__dlpack__") and hasattr(source, "shape"))
    )


def numpy_array(source: Any) -> AnyArray:
    """Return the array in main memory, without a copy if possible."""
    try:
        return np.from_dlpack(source)
    except Exception:  # exceptions of each library if it cannot share its memory, as with recorded gradients
        pass
    try:
        return np.asarray(source)
    except Exception:
        kind = f"{type(source).__module__}.{type(source).__name__}"
        raise InvalidTypeError(f"source is a {kind} that numpy cannot read: move it to the CPU first") from None
