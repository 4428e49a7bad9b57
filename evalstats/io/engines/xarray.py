"""Conversion of a labeled array of xarray to a frame."""

from __future__ import annotations

__all__ = ["frame_grid"]

from typing import Any

from evalstats._checks import InvalidValueError
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.opening import grid_of_cells

AS_IT_IS = (None, "utf-8", None, None, None)


def frame_grid(labelled: Any) -> Grid:
    """Return the grid of a Dataset or DataArray.

    An array of two dimensions is a table with a row for each label of the first one, or an array where it has no
    labels; any other, and a Dataset, has a row for each combination of labels, and its dimensions and variables are
    columns.
    """
    if not labelled.dims:
        raise InvalidValueError("source must have a dimension at least, but it is a single value")
    if not hasattr(labelled, "data_vars"):
        if labelled.ndim == 2:
            has_labels = any(name in labelled.coords for name in labelled.dims)
            return grid_of_cells(labelled.to_pandas() if has_labels else labelled.to_numpy(), AS_IT_IS)
        labelled = labelled.to_dataset(name=labelled.name or "score")
    return grid_of_cells(labelled.to_dataframe().reset_index(), AS_IT_IS)
