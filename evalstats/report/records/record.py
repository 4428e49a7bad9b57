"""How does the result of one test, of one estimate, or any other record read?"""

from __future__ import annotations

__all__ = ["document", "verdict"]

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from evalstats._findings import Finding
from evalstats._result import Record
from evalstats.report.blocks import Block, Column, Document, Extent, Table, listing, paragraph, section
from evalstats.report.documents import is_batch
from evalstats.report.numbers import of_count
from evalstats.report.sentences import has_sentence, sentence

_LISTED = 8  # values of an array that are written; of a longer one, how many there are and their range
_SHOWN = 6  # fields that stand in the sentence of a record without one of its own


def verdict(record: Record) -> str:
    """Put a result into a sentence; of any other record, give its kind and its first values."""
    own: Any = record
    if is_batch(record):
        return f"A batch of results of the shape {np.shape(own.reason)}."
    return sentence(record) if has_sentence(record) else _named(record)


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
    blocks += _tables(record, extent.most_rows)
    return Document(
        title=words.partition(":")[0] if has_sentence(record) and not is_batch(record) else kind,
        verdict=paragraph(words),
        sections=(section("fields", "Its numbers", *blocks),) if blocks else (),
    )


def _named(record: Record) -> str:
    shown = [f"{name} {value}" for name, value in _rows(record) if len(value) < 40][:_SHOWN]
    return f"{_words(type(record).__name__)}: {', '.join(shown)}." if shown else f"{_words(type(record).__name__)}."


def _rows(record: Record) -> Iterator[tuple[str, str]]:
    for field in fields(record):
        value = getattr(record, field.name)
        if not field.name.startswith("_") and value is not None and not _are_records(value):
            yield field.name, _value(value)


def _are_records(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(one, Record) for one in value)


def _tables(record: Record, most_rows: int) -> Iterator[Table]:
    """Yield a table for each field that holds records, with a row for each of them and a column for each field."""
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name.startswith("_") or not _are_records(value) or isinstance(value[0], Finding):
            continue
        rows = [dict(_rows(one)) for one in value[:most_rows]]
        names = list(dict.fromkeys(name for row in rows for name in row))
        few = f", the first {of_count(len(rows), len(value), 'row')}" if len(rows) < len(value) else ""
        yield Table(
            name=field.name,
            caption=f"{field.name.replace('_', ' ').capitalize()}{few}.",
            columns=tuple(Column(head=name.replace("_", " ")) for name in names),
            rows=tuple(tuple(row.get(name, "") for name in names) for row in rows),
        )


def _value(value: Any) -> str:
    """Write a value in one line: numbers with six digits, many of them by how many they are and their range."""
    if isinstance(value, Record):
        return ", ".join(f"{name} {written}" for name, written in _rows(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(one)}" for name, one in value.items())
    if isinstance(value, np.ndarray | list | tuple) and (np.ndim(value) > 1 or len(value) > _LISTED):
        return _range(np.asarray(value))
    if isinstance(value, np.ndarray | list | tuple):
        return ", ".join(map(_value, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _range(values: np.ndarray[Any, Any]) -> str:
    many = f"{' x '.join(map(str, values.shape))} values"
    if not np.issubdtype(values.dtype, np.number) or np.isnan(values).all():
        return many
    return f"{many} from {np.nanmin(values):.6g} to {np.nanmax(values):.6g}"


def _words(name: str) -> str:
    """Write the name of a class in words: 'Roc curve' of RocCurve."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name.removesuffix("Result"))
    first, *others = apart.split()
    return " ".join([first, *(word if word.isupper() else word.lower() for word in others)])
