"""An answer as what can be compared with another."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from evalstats._result import Record


def plain(value: Any) -> Any:
    """Return what can be compared: nan is nan, records are their fields, and pictures are what is seen."""
    if isinstance(value, Record):
        return [(key, plain(item)) for key, item in value.to_dict().items()]
    if isinstance(value, mpl.axes.Axes):
        canvas = FigureCanvasAgg(value.figure)
        canvas.draw()
        return bytes(canvas.buffer_rgba())
    if isinstance(value, dict):
        return [(repr(key), plain(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, repr(value.tolist()))
    return repr(value) if isinstance(value, int | float | str | None | np.generic) else type(value).__name__
