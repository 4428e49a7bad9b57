"""Report of one test, one estimate, or any other record."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from evalstats._findings import Finding
from evalstats._result import SCALARS, Record, some_rows
from evalstats.report.blocks import (
    Block,
    Column,
    Document,
    Extent,
    Figure,
    Table,
    listing,
    paragraph,
    section,
    sections,
)
from evalstats.report.curves import figure_of
from evalstats.report.describe import count, of_count
from evalstats.report.documents import is_batch
from evalstats.report.sentences import has_sentence, sentence

_LISTED = 8  # values of an array that are written in the table of fields
_SHOWN = 6  # fields in the sentence of a record without its own template
_PLACES = 40  # maximum rows of a table of an array; for more, the smallest p-values or evenly spaced rows
_FIELDS_OF_NAMES = ("classifiers", "labels", "classes", "datasets", "metrics", "raters")
_SQUARE = 12  # maximum rows and columns of a complete matrix; for a larger matrix, its largest entries
_AXES = {("first", "second"): "pair", ("first",): "comparison with the control"}
_ANSWERS = (("x is correct", "x is incorrect"), ("y is correct", "y is incorrect"))
_SIDES = {"McNemarTestResult": _ANSWERS, "McNemarMethods": _ANSWERS}


def verdict(record: Record) -> str:
    """Return the sentence of a test or an estimate; for other records, return the kind and the first values."""
    own: Any = record
    if not is_batch(record):
        return sentence(record) if has_sentence(record) else _named(record)
    if (axes := record._axes()) and np.ndim(own.reason) == len(axes):
        place = "pair" if axes[0] == "first" else axes[-1]
        return f"{_words(type(record).__name__)}: {count(some_rows(record, 0)[1], place)}."
    return f"A batch of results of the shape {np.shape(own.reason)}."


def document(record: Record, extent: Extent) -> Document:
    """Return the document of a record: its sentence, findings, fields and arrays."""
    words, kind = verdict(record), _words(type(record).__name__)
    blocks, drawn = _blocks(record, extent), None if is_batch(record) else figure_of(record)
    return Document(
        title=words.partition(":")[0] if has_sentence(record) and not is_batch(record) else kind,
        verdict=paragraph(words),
        sections=sections({"Curve": None if drawn is None else Figure(diagram=drawn)})
        + ((section("fields", "Fields", *blocks),) if blocks else ()),
    )


def _blocks(record: Record, extent: Extent) -> list[Block]:
    """Return the findings, fields and arrays of a record, and the arrays of its nested records."""
    blocks: list[Block] = []
    found = [one for one in getattr(record, "findings", ()) if isinstance(one, Finding)]
    if found:
        blocks.append(listing(map(str, found)))
    places, of_places = _of_places(record, extent.max_rows)
    matrices = {name: array for name, array in _matrices(record).items() if name not in of_places}
    series = {name: array for name, array in _series(record).items() if name not in of_places}
    nested = {name: one for name, one in _records_with_arrays(record).items() if name not in of_places}
    rows = list(_rows(record, of_places | matrices.keys() | series.keys() | nested.keys()))
    if rows:
        heads = (Column(head="Field"), Column(head="Value", prose=True))
        blocks.append(Table(name="fields", caption="", columns=heads, rows=tuple(rows[: extent.max_rows])))
    blocks += [] if places is None else [places]
    blocks += [_matrix(record, name, array, extent.max_rows) for name, array in matrices.items()]
    blocks += _values_in_columns(record, series, extent.max_rows)
    blocks += _tables(record, extent.max_rows)
    for name, one in nested.items():
        blocks += [paragraph(f"{name.replace('_', ' ').capitalize()}:"), *_blocks(one, extent)]
    return blocks


def _of_places(record: Record, max_rows: int) -> tuple[Table | None, frozenset[str]]:
    """Return a table with a row for each position of the arrays of a record, such as each pair.

    The table has one row for each pair, although a symmetric matrix contains each pair twice. The second return value
    contains the names of the fields that the table shows completely.
    """
    own: Any = record
    axes = record._axes()
    if not axes and not is_batch(record):
        return None, frozenset()
    if is_batch(record) and np.ndim(own.reason) != len(axes):
        axes = tuple(name for name in some_rows(record, 0)[0] if name.startswith("problem")) + axes
    most = min(max_rows, _PLACES)
    some, n = some_rows(record, most)
    columns = {name: column for name, column in some.items() if _is_of_places(record, name, column)}
    at, few = list(range(len(columns[axes[0]]))), ""
    if n > most and "pvalue" in columns:
        at = np.argsort(np.asarray(columns["pvalue"], dtype=float), kind="stable").tolist()
        few = f", the {most} smallest p-values of {n}"
    elif n > most:
        few = f", {most} of {n} at equal steps"
    names = [field.name for field in fields(record)]
    shown = frozenset(name for name in names if _is_shown_by(getattr(record, name), name, columns, n))
    table = Table(
        name="places",
        caption=f"Each {_AXES.get(axes, axes[-1])}{few}.",
        columns=tuple(Column(head=name.replace("_", " "), numeric=name not in axes) for name in columns),
        rows=tuple(tuple(_value(column[i]) for column in columns.values()) for i in at),
    )
    return table, shown


def _is_shown_by(value: Any, name: str, columns: Mapping[str, Any], n: int) -> bool:
    """Return whether columns with `n` rows show a field (an array, or a mapping or record of arrays) completely."""
    parts = dict(value._public()) if isinstance(value, Record) else value
    if isinstance(parts, Mapping):
        return bool(parts) and all(_is_shown_by(one, f"{name}_{key}", columns, n) for key, one in parts.items())
    if name not in columns or not isinstance(value, np.ndarray):
        return False
    if value.ndim > 1 and "second" in columns and value.dtype.kind == "f":  # the pairs leave out the diagonal
        diagonal = np.diagonal(value)
        return len(set(diagonal[~np.isnan(diagonal)].tolist())) <= 1
    return value.ndim > 1 or value.size == n


def _is_of_places(record: Record, name: str, column: list[Any]) -> bool:
    """Return whether a column has a separate value for each position instead of a repeated field."""
    if hasattr(record, name):
        return isinstance(getattr(record, name), np.ndarray)
    return (
        name in (*record._axes(), "second") or name.startswith("problem") or any(value != column[0] for value in column)
    )


def _matrices(record: Record) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of a record with at least two axes, such as a contingency table."""
    values = {field.name: getattr(record, field.name) for field in fields(record) if field.name[0] != "_"}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray) and value.ndim > 1}


def _series(record: Record) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of a record with one axis that are too long for one line."""
    values = {field.name: getattr(record, field.name) for field in fields(record) if field.name[0] != "_"}
    return {n: v for n, v in values.items() if isinstance(v, np.ndarray) and v.ndim == 1 and v.size > _LISTED}


def _records_with_arrays(record: Record) -> dict[str, Record]:
    """Return the fields of a record that are records with arrays."""
    values = {field.name: getattr(record, field.name) for field in fields(record) if field.name[0] != "_"}
    return {n: v for n, v in values.items() if isinstance(v, Record) and (_matrices(v) or _series(v))}


def _values_in_columns(record: Record, series: Mapping[str, np.ndarray[Any, Any]], max_rows: int) -> Iterator[Table]:
    """Yield a table for the arrays of each length, with a column for each array."""
    for size in dict.fromkeys(array.size for array in series.values()):
        names = _names(record, size, ("classifiers",))  # the number of categories may equal the number of raters
        columns = {name: array for name, array in series.items() if array.size == size}
        at = np.unique(np.linspace(0, size - 1, min(size, max_rows, _PLACES)).round().astype(int)).tolist()
        few = f", {len(at)} of {size} at equal steps" if len(at) < size else ""
        yield Table(
            name="_".join(columns),
            caption=f"{', '.join(name.replace('_', ' ') for name in columns).capitalize()}{few}.",
            columns=(Column(head=""), *(Column(head=name.replace("_", " "), numeric=True) for name in columns)),
            rows=tuple((names[i], *(_value(array[i : i + 1]) for array in columns.values())) for i in at),
        )


def _matrix(record: Record, name: str, array: np.ndarray[Any, Any], max_rows: int) -> Table:
    """Return a matrix as a table, which contains only the entries farthest from zero if the array is large."""
    title = name.replace("_", " ").capitalize()
    if array.ndim == 2 and max(array.shape) <= _SQUARE:
        known = _SIDES.get(type(record).__name__, (None, None))
        down, across = (side or _names(record, size) for side, size in zip(known, array.shape, strict=True))
        return Table(
            name=name,
            caption=f"{title}.",
            columns=(Column(head=""), *(Column(head=one, numeric=True) for one in across)),
            rows=tuple((one, *map(_value, row)) for one, row in zip(down, array.tolist(), strict=True)),
        )
    most = min(max_rows, _PLACES, array.size)
    numbers = np.issubdtype(array.dtype, np.number)
    largest = np.argsort(-np.abs(np.nan_to_num(array, nan=0.0)), axis=None, kind="stable") if numbers else range(most)
    places = [np.unravel_index(flat, array.shape) for flat in largest[:most]]
    names = [_names(record, size) for size in array.shape]
    few = (
        f", the {most} entries farthest from zero of {array.size}" if numbers else f", the first {most} of {array.size}"
    )
    return Table(
        name=name,
        caption=f"{title}{few if most < array.size else ''}.",
        columns=(*(Column(head=f"axis {i + 1}") for i in range(array.ndim)), Column(head="value", numeric=True)),
        rows=tuple((*(names[i][j] for i, j in enumerate(place)), _value(array[place].item())) for place in places),
    )


def _names(record: Record, size: int, among: tuple[str, ...] = _FIELDS_OF_NAMES) -> tuple[str, ...]:
    """Return the names of the rows or columns of an array, or their numbers if no field has this number of names."""
    for field in among:
        names = getattr(record, field, None)
        if isinstance(names, tuple | list | np.ndarray) and np.ndim(names) == 1 and len(names) == size:
            return tuple(map(str, names))
    return tuple(map(str, range(size)))


def _named(record: Record) -> str:
    alone = {name for name, value in vars(record).items() if isinstance(value, SCALARS)}
    short = {
        name: value
        for name, value in _rows(record, _series(record).keys() | _matrices(record).keys())
        if len(value) < 40
    }
    shown = [f"{name} {value}" for name, value in short.items() if name in alone or not alone][:_SHOWN]
    return f"{_words(type(record).__name__)}: {', '.join(shown)}." if shown else f"{_words(type(record).__name__)}."


def _rows(record: Record, without: Container[str] = ()) -> Iterator[tuple[str, str]]:
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name.startswith("_") or field.name in without or value is None or _are_records(value):
            continue
        yield field.name, _value(value)


def _are_records(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(one, Record) for one in value)


def _tables(record: Record, max_rows: int) -> Iterator[Table]:
    """Yield a table for each field that contains records: a row for each record, and a column for each field."""
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name.startswith("_") or not _are_records(value) or isinstance(value[0], Finding):
            continue
        rows = [dict(_rows(one)) for one in value[:max_rows]]
        names = list(dict.fromkeys(name for row in rows for name in row))
        few = f", the first {of_count(len(rows), len(value), 'row')}" if len(rows) < len(value) else ""
        yield Table(
            name=field.name,
            caption=f"{field.name.replace('_', ' ').capitalize()}{few}.",
            columns=tuple(Column(head=name.replace("_", " ")) for name in names),
            rows=tuple(tuple(row.get(name, "") for name in names) for row in rows),
        )


def _value(value: Any) -> str:
    """Format a value on one line; for many numbers, show the first numbers, the last number and the range."""
    if isinstance(value, Record):
        return ", ".join(f"{name} {written}" for name, written in _rows(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(one)}" for name, one in value.items())
    if isinstance(value, np.ndarray):
        return _value(value.ravel().tolist())
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value)) if len(value) <= _LISTED else _many(list(value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _many(values: list[Any]) -> str:
    """Format many values: the first three, the last, their number, and the range if they are numbers."""
    ends = f"{', '.join(map(_value, values[:3]))}, ..., {_value(values[-1])} ({len(values)} values"
    if all(isinstance(value, bool) for value in values):
        return f"{sum(values)} of {len(values)} true"
    finite = [value for value in values if isinstance(value, int | float) and not np.isnan(value)]
    return f"{ends} from {min(finite):.6g} to {max(finite):.6g})" if finite else f"{ends})"


def _words(name: str) -> str:
    """Convert the name of a class to words: 'Roc curve' for RocCurve."""
    apart = re.sub(r"(?<=[a-z0-9])(?<!Mc)(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name.removesuffix("Result"))
    first, *others = apart.split()
    return " ".join([first, *(word if word.isupper() else word.lower() for word in others)])
