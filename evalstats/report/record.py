"""How does the result of one test, of one estimate, or any other record read?"""

from __future__ import annotations

__all__ = ["document", "verdict"]

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from evalstats._findings import Finding
from evalstats._result import Record
from evalstats.report.blocks import Block, Column, Document, Extent, Table, listing, paragraph, section
from evalstats.report.documents import is_batch
from evalstats.report.numbers import percent
from evalstats.report.sentences import SENTENCES, sentence

_LISTED = 8  # values of an array that are written; of a longer one, how many there are and their range
_SHOWN = 6  # fields that stand in the sentence of a record without one of its own


def verdict(record: Record) -> str:
    """Put a result into a sentence; of any other record, give its kind and its first values."""
    own: Any = record
    if is_batch(record):
        return f"A batch of results of the shape {np.shape(own.reason)}."
    return sentence(record) if type(record).__name__ in SENTENCES else _named(record)


def document(record: Record, extent: Extent) -> Document:
    """Show a record by its sentence, its findings and its fields."""
    words, kind = verdict(record), _words(type(record).__name__)
    blocks: list[Block] = []
    found = [one for one in getattr(record, "findings", ()) if isinstance(one, Finding)]
    if found:
        blocks.append(listing(map(str, found)))
    rows = tuple(_rows(record))
    if rows:
        heads = (Column(head="Field"), Column(head="Value", prose=True))
        blocks.append(Table(name="fields", caption="", columns=heads, rows=rows[: extent.most_rows]))
    return Document(
        title=words.partition(":")[0] if type(record).__name__ in SENTENCES and not is_batch(record) else kind,
        verdict=paragraph(words),
        sections=(section("fields", "Its numbers", *blocks),) if blocks else (),
    )


def _named(record: Record) -> str:
    shown = [f"{name} {value}" for name, value in _rows(record) if len(value) < 40][:_SHOWN]
    return f"{_words(type(record).__name__)}: {', '.join(shown)}." if shown else f"{_words(type(record).__name__)}."


def _rows(record: Record) -> Iterator[tuple[str, str]]:
    for field in fields(record):
        value = getattr(record, field.name)
        if not field.name.startswith("_") and value is not None and not _is_shown_elsewhere(value):
            yield field.name, _value(value)


def _is_shown_elsewhere(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(one, Finding) for one in value)


def _value(value: Any) -> str:
    """Write a value in one line: numbers with six digits, long arrays by their range."""
    for kind, write in _WRITERS.items():
        if isinstance(value, kind):
            return write(value)
    return str(value)


def _value_of_record(value: Record) -> str:
    if {"low", "high"} <= {field.name for field in fields(value)}:
        level = getattr(value, "confidence_level", None)
        of_level = "" if level is None else f" ({percent(level)})"
        return f"{_value(value.low)} to {_value(value.high)}{of_level}"  # type: ignore[attr-defined]
    return ", ".join(f"{name} {written}" for name, written in _rows(value))


def _listed(values: Sequence[Any]) -> str:
    if len(values) > _LISTED:
        return f"{len(values)} values, the first {_value(values[0])}"
    return ", ".join(map(_value, values))


def _array(values: np.ndarray[Any, Any]) -> str:
    if values.ndim == 1 and values.size <= _LISTED:
        return _listed(values.tolist())
    shape = " x ".join(map(str, values.shape))
    if values.size and np.issubdtype(values.dtype, np.number) and not np.isnan(values).all():
        return f"{shape} values from {_value(np.nanmin(values))} to {_value(np.nanmax(values))}"
    return f"{shape} values"


def _words(name: str) -> str:
    """Write the name of a class in words: 'Roc curve' of RocCurve."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name.removesuffix("Result"))
    first, *others = apart.split()
    return " ".join([first, *(word if word.isupper() else word.lower() for word in others)])


def _mapping(value: Mapping[Any, Any]) -> str:
    return ", ".join(f"{key}: {_value(one)}" for key, one in value.items())


_WRITERS: dict[Any, Callable[[Any], str]] = {
    bool | np.bool_: lambda value: "yes" if value else "no",
    float | np.floating: lambda value: f"{value:.6g}",
    Record: _value_of_record,
    Mapping: _mapping,
    list | tuple: _listed,
    np.ndarray: _array,
}
