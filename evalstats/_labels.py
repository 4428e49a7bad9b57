"""Checks that the labels of arrays agree.

Numbers are paired by position. A pandas Series or data frame also has labels for each position. The labels of two
arguments, or of the rows and columns of one square table, can contradict the positions. A pairing by position would
then be wrong. Therefore, such input raises an error, and the user aligns the labels. Only the tables in one list, such
as one table for each run, are aligned by the names of their rows and columns. If a table lacks one of these names, an
error is raised. Objects are recognized by their attributes: an object with `iloc` and `index` is a Series, or a data
frame if it has `columns` too. Arrays of numpy, polars and xarray have no such labels and are paired by position.
However, polars tables in a list are aligned by the names of their columns.
"""

from __future__ import annotations

__all__ = [
    "aligned_frames",
    "column_names",
    "labels_agree",
    "named",
    "only_counts",
    "place_of",
    "row_names",
    "same_labels",
    "same_labels_in_list",
    "square_labels",
    "without_names",
]

from collections import Counter
from collections.abc import Iterator, Sequence
from numbers import Number
from typing import Any

from evalstats._errors import InvalidValueError, short

SHOWN = 10


def same_labels(*, rows: Sequence[str] = (), **named: Any) -> None:
    """Raise an error if the labels of arguments contradict the pairing by position.

    Arguments are paired along their last axis, and their leading axes broadcast. Arguments in `rows` are paired along
    their first axis.
    """
    known: dict[tuple[int, int], tuple[str, Any, str]] = {}
    for name, value in named.items():
        for axis, (labels, word) in enumerate(_labels_from_the_last(value, of_rows=name in rows)):
            if labels is None:
                continue
            first = known.setdefault((axis, len(labels)), (name, labels, word))
            if not _equal(first[1], labels):
                raise _not_paired(first, (name, labels, word))


def same_labels_in_list(value: Any, name: str) -> None:
    """Raise an error if the Series in a list, which become the rows of an array, have different indexes."""
    if not isinstance(value, list | tuple) or not value or not _has_labels(value[0]) or hasattr(value[0], "columns"):
        return
    first = f"{name}[0]", value[0].index, "index"
    for i, row in enumerate(value):
        if _has_labels(row) and len(row.index) == len(first[1]) and not _equal(first[1], row.index):
            raise _not_paired(first, (f"{name}[{i}]", row.index, "index"))


def aligned_frames(value: Any, name: str) -> Any:
    """Align the rows and columns of all tables in a (nested) list to the order of the first table.

    Any other value is returned unchanged. If a row or a column is missing in some tables, an error is raised.
    """
    first = next(_frames_in(value, name), None)
    return value if first is None else _aligned(value, name, first)


def _frames_in(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the data frames of a (nested) list. Skip lists that begin with a number or text."""
    head = value
    while isinstance(head, list | tuple) and head:
        head = head[0]
    if not isinstance(value, list | tuple) or isinstance(head, Number | str | None):
        return
    for i, one in enumerate(value):
        if _is_frame(one):
            yield f"{name}[{i}]", one
        else:
            yield from _frames_in(one, f"{name}[{i}]")


def _is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and hasattr(value, "to_numpy")


def _aligned(value: Any, name: str, first: tuple[str, Any]) -> Any:
    if not _is_frame(value):
        if not isinstance(value, list | tuple):
            return value
        return [_aligned(one, f"{name}[{i}]", first) for i, one in enumerate(value)]
    for axis, word in (("columns", "columns"), ("index", "index")):
        labels, others = getattr(first[1], axis, None), getattr(value, axis, None)
        if labels is None or others is None or list(labels) == list(others):
            continue
        missing = [label for label in labels if label not in set(others)]
        more = [label for label in others if label not in set(labels)]
        if missing or more or len(set(others)) < len(list(others)):
            alone, where = (missing, first[0]) if missing else (more, name)
            problem = f"{shown(alone)[1:-1]} {'is' if len(alone) == 1 else 'are'} only in {where}"
            problem = problem if alone else f"some labels of {name} occur twice"
            raise InvalidValueError(
                f"{first[0]} and {name} must have the same {word}, but {problem}; if the positions are right, pass "
                "to_numpy() of each"
            )
        value = value[list(labels)] if axis == "columns" else value.loc[list(labels)]
    return value


def square_labels(value: Any, name: str, *, missing: float | None = None) -> tuple[Any, ...] | None:
    """Return the common labels of the rows and columns of a square data frame, or None if it has no labels.

    `missing` is the value for pairs of labels that the table does not contain.
    """
    if not _has_labels(value) or not hasattr(value, "columns"):
        return None
    rows, columns = value.index, value.columns
    if _equal(rows, columns):
        return tuple(rows)
    in_rows, in_columns = set(rows), set(columns)
    problem = f"the rows are {shown(rows)} and the columns {shown(columns)}"
    if in_rows == in_columns:
        how = f"{name}.reindex(columns={name}.index) puts them in order"
    elif missing is not None and in_rows & in_columns:
        lacking = "rows" if in_columns - in_rows else "columns"
        gone = [label for label in (columns if lacking == "rows" else rows) if label not in (in_rows & in_columns)]
        problem = f"the {lacking} lack {shown(gone)}: {problem}"
        how = f"{name}.reindex(index=labels, columns=labels, fill_value={missing}) adds them, with a list of all labels"
    else:
        how = f"if the positions are right, pass {name}.to_numpy()"
    raise InvalidValueError(
        f"rows and columns of {name} must be the same labels in the same order, but {problem}; {how}"
    )


def labels_agree(value: Any, name: str, expected: Sequence[Any], what: str, *, axis: str = "index") -> None:
    """Raise an error if `value` has the expected labels, but at other positions.

    If no label of `value` is expected, the values are paired by position. Labels that only number the positions are
    ignored too, unless the expected labels are the same numbers.
    """
    if not _has_labels(value) or not hasattr(value, axis):
        return
    given, wanted = [str(one) for one in getattr(value, axis)], [str(one) for one in expected]
    if given == wanted or not set(given) & set(wanted):
        return
    if only_counts(getattr(value, axis)) and set(given) != set(wanted):
        return
    word = "columns" if axis == "columns" else "index"
    raise InvalidValueError(
        f"the {word} of {name} must be {what} in their order, {shown(expected)}, but it is "
        f"{shown(getattr(value, axis))}; if the positions are right, pass {name}.to_numpy()"
    )


def column_names(table: Any, name: str = "scores") -> tuple[Any, ...] | None:
    """Return the unique column names of a data frame, a structured array or a score table.

    For a list of data frames, which `aligned_frames` aligns, return the names of the first data frame. Return None if
    the object has no names or if the names are the numbers from 0.
    """
    name, table = next(_frames_in(table, name), (name, table))
    names = getattr(table, "columns", None)
    if names is None or not hasattr(table, "to_numpy"):
        names = table.classifiers if is_score_table(table) else getattr(getattr(table, "dtype", None), "names", None)
    return _each_once(names, name, "columns")


def row_names(table: Any, name: str = "scores") -> tuple[Any, ...] | None:
    """Return the names of the rows of a pandas data frame or a score table, by the rules of `column_names`."""
    names = table.datasets if is_score_table(table) else table.index if _has_labels(table) else None
    return _each_once(names, name, "rows")


def _each_once(names: Any, name: str, axis: str) -> tuple[Any, ...] | None:
    if names is None or only_counts(names):
        return None
    if (levels := getattr(names, "nlevels", 1)) > 1:
        labels = f"{name}.columns" if axis == "columns" else f"{name}.index"
        raise InvalidValueError(
            f"the {axis} of {name} must have one name each, but their names have {levels} levels; "
            f"{labels}.map('_'.join) joins them"
        )
    known = tuple(names.tolist() if hasattr(names, "tolist") else names)
    if len(set(known)) < len(known):
        twice = next(one for one, n in Counter(known).items() if n > 1)
        raise InvalidValueError(f"the {axis} of {name} must have different names, but {short(twice)} occurs twice")
    return known


def is_score_table(value: Any) -> bool:
    """Return whether a value is a score table with names of datasets and classifiers."""
    return {"scores", "datasets", "classifiers", "greater_is_better"} <= getattr(
        type(value), "__dataclass_fields__", {}
    ).keys()


def without_names(value: Any, name: str) -> Any:
    """Return the values of a structured array or a score table without names; return any other value unchanged."""
    if is_score_table(value):
        if not value.greater_is_better:
            raise InvalidValueError(
                f"{name} must have larger values for better classifiers, but in this table, smaller values are better; "
                f"pass {name}.to_frame() and, if the function has this argument, greater_is_better=False"
            )
        return value.scores
    if hasattr(type(value), "dtype") and getattr(value.dtype, "names", None) and hasattr(value, "__array__"):
        from numpy import stack
        from numpy.lib.recfunctions import structured_to_unstructured

        fields = value.dtype.names
        if "U" in (kinds := {value.dtype[field].kind for field in fields}) and len(kinds) > 1:
            # numbers next to text remain numbers
            return stack([value[field].astype(object) for field in fields], axis=-1)
        return structured_to_unstructured(value)
    return value


def named(place: int | None, names: tuple[Any, ...] | None) -> Any:
    """Return the name of a column, or its position if the columns have no names; for None, return None."""
    return place if place is None or names is None else names[place]


def place_of(name: Any, names: tuple[Any, ...] | None) -> Any:
    """Return the position of the column with the name that `named` returned."""
    return name if name is None or names is None else names.index(name)


def only_counts(labels: Any) -> bool:
    """Return whether pandas labels are the default labels 0, 1, 2, ..."""
    return type(labels).__name__ == "RangeIndex" and labels.name is None and (labels.start, labels.step) == (0, 1)


def shown(labels: Any) -> str:
    """Format the first labels, at most ten, for a message."""
    listed = list(labels)
    written = ", ".join(short(getattr(label, "item", lambda own=label: own)(), 40) for label in listed[:SHOWN])
    return f"[{written}{', ...' if len(listed) > SHOWN else ''}]"


def _has_labels(value: Any) -> bool:
    return hasattr(value, "iloc") and hasattr(getattr(value, "index", None), "equals")


def _labels_from_the_last(value: Any, *, of_rows: bool) -> list[tuple[Any, str]]:
    """Return the labels of each axis, last axis first, or None for an axis without labels."""
    if isinstance(value, list | tuple):
        value = next((frame for _, frame in _frames_in(value, "")), value)
    if isinstance(value, list | tuple) and value and _has_labels(value[0]):
        return [] if of_rows else [(value[0].index, "index")]
    if not _has_labels(value):
        return []
    if not hasattr(type(value), "columns"):  # pandas looks for a missing attribute among the labels, which takes 10 µs
        return [(value.index, "index")]
    return [(value.index, "index")] if of_rows else [(value.columns, "columns"), (value.index, "index")]


def _equal(labels: Any, others: Any) -> bool:
    return labels is others or bool(labels.equals(others))


def _not_paired(one: tuple[str, Any, str], other: tuple[str, Any, str]) -> InvalidValueError:
    (name, labels, word), (name_of_other, others, word_of_other) = one, other
    at = next((i for i, pair in enumerate(zip(labels, others, strict=True)) if repr(pair[0]) != repr(pair[1])), 0)
    differ = f"position {at} is {shown(labels[at : at + 1])[1:-1]} in {name} and {shown(others[at : at + 1])[1:-1]}"
    what = "indexes" if word == word_of_other == "index" else "columns" if word == word_of_other else "labels"
    return InvalidValueError(
        f"{name} and {name_of_other} must have equal {what} to be paired, but {differ} in {name_of_other}; align them "
        f"first, for example with {name}.align({name_of_other}, join='inner')"
    )
