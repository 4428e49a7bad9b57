"""Conversion of Python objects that are not tables, such as results of libraries, to tables."""

from __future__ import annotations

__all__ = ["rows_of_texts", "table_of_object"]

import dataclasses
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from evalstats.tables.errors import TableError


def table_of_object(source: Any) -> Any:
    """Return the frame, the dict or the array that an object contains; return any other object unchanged.

    - A Series becomes a frame of one column and the levels of its index. A Series with only one level is rejected,
      because it names no classifiers.
    - A hyperparameter search of scikit-learn becomes its `cv_results_`, and a reader or dataset of Arrow its table.
    - An array with named fields becomes a dict of columns.
    - A dict of Series with the same row names gets a column of these names.
    - A dict whose keys are pairs of names becomes a dict of dicts.
    - A list of named tuples, or of dataclass objects, becomes a list of dicts.
    """
    if isinstance(source, list | tuple) and source and not isinstance(source[0], str):
        return _of_fields(source)
    if isinstance(source, np.ndarray):
        return {name: source[name] for name in source.dtype.names} if source.dtype.names else source
    if isinstance(source, Mapping):
        return _with_names_of_rows(_of_pairs(source))
    if hasattr(source, "to_frame") and hasattr(source, "dtype") and not hasattr(source, "columns"):
        if getattr(getattr(source, "index", None), "nlevels", 1) < 2:
            raise TableError(
                "the table: a Series has one value in each row, and no names of classifiers",
                "give a data frame with a column for each classifier, or the columns dataset, classifier and score",
            )
        return source.to_frame(source.name or "score")
    if isinstance(found := getattr(source, "cv_results_", None), Mapping):
        return found
    if type(source).__module__.partition(".")[0] == "pyarrow" and not hasattr(source, "to_pydict"):
        read = getattr(source, "read_all", None) or getattr(source, "to_table", None)
        source = source if read is None else read()
    return source


def rows_of_texts(source: Any) -> bool:
    """Return whether a list contains rows with at least one text."""
    if not isinstance(source, list | tuple) or len(source) < 2:
        return False
    are_rows = all(isinstance(row, list | tuple) for row in source)
    return are_rows and any(isinstance(cell, str) for row in source for cell in row)


def _of_fields(source: Any) -> Any:
    """Convert a list of named tuples or dataclass objects to a list of dicts; return other lists unchanged."""
    if all(isinstance(item, tuple) and hasattr(item, "_fields") for item in source):
        return [item._asdict() for item in source]
    if all(dataclasses.is_dataclass(item) and not isinstance(item, type) for item in source):
        return [{one.name: getattr(item, one.name) for one in dataclasses.fields(item)} for item in source]
    return source


def _of_pairs(source: Mapping[Any, Any]) -> Any:
    """Convert a dict whose keys are pairs of names to a dict of dicts; return other dicts unchanged."""
    are_pairs = all(isinstance(key, tuple) and len(key) == 2 and all(isinstance(x, str) for x in key) for key in source)
    kinds = (Real, Mapping, list, tuple, np.ndarray)
    if not source or not are_pairs or not all(isinstance(value, kinds) for value in source.values()):
        return source
    found: dict[str, dict[str, Any]] = {}
    for (outer, inner), value in source.items():
        found.setdefault(outer, {})[inner] = value
    return found


def _with_names_of_rows(source: Any) -> Any:
    """Add a column of row names to a dict of Series with the same index of texts."""
    indexes: list[Any] = [getattr(column, "index", None) for column in source.values()]
    if not indexes or not all(hasattr(index, "get_level_values") for index in indexes):
        return source
    index = indexes[0]
    are_names = index.nlevels == 1 and all(isinstance(name, str) for name in index)
    if not are_names or any(not index.equals(other) for other in indexes) or (index.name or "") in source:
        return source
    return {index.name or "": list(index), **source}
