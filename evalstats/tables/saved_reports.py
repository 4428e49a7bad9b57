"""Which report of evalstats stands in a file, and is it as it was written?

JSON is read strictly here: a key that stands twice, or a number that JSON does not know, is refused.
"""

from __future__ import annotations

__all__ = ["SavedTable", "saved_table"]

import json
import os
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from evalstats._checks import InvalidValueError
from evalstats._errors import listed, short
from evalstats._result import report_module
from evalstats.tables.grid import TableError
from evalstats.tables.json_rows import grid_of_json
from evalstats.tables.own_tables import table_of_record
from evalstats.tables.score_table import ScoreTable

# what stands in every report beside the record, which has the name of its kind
_ENVELOPE = {"kind", "record", "schema_version", "evalstats_version", "versions", "verdict", "left_out", "checksum"}
_FIRST = 4096
_KIND = re.compile(rb'"kind"\s*:\s*"evalstats ')
_DIRECTION = "greater_is_better"


class SavedTable(NamedTuple):
    """The scores in a report, and what else it tells of them."""

    table: ScoreTable
    knows_direction: bool  # whether somebody said it, where the name of the metric does not
    n_questions: int | None  # whose means the scores are


def saved_table(source: Any, metric: str | None = None) -> SavedTable | None:
    """Return the scores that a report of `compare` holds; None where the source is no report.

    Parameters
    ----------
    source : object
        The path of a report, or its parsed text.
    metric : str, optional
        Which one is meant, of a report by several metrics.

    Raises
    ------
    TableError
        If the report has no checksum or another one, keys that evalstats does not write, or no table of scores.
    """
    if isinstance(source, Mapping):
        name, document = "the report", source
        if not str(source.get("kind", "")).startswith("evalstats "):
            return None
    else:
        if not isinstance(source, str | os.PathLike) or (text := _text(source)) is None:
            return None
        name = os.path.basename(os.fspath(source))
        document = _strict_json(text, name)
    return _table_of(name, _checked(name, document), metric)


def _strict_json(text: str, name: str) -> Any:
    """Return a text in JSON, parsed; a key that stands twice and numbers such as NaN are refused."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise TableError(f"{name}: the key {short(key)} stands there twice, so that it was edited")
            found[key] = value
        return found

    def refuse(constant: str) -> Any:
        raise TableError(f"{name}: {constant} is no JSON, so that it was edited")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except TableError:
        raise
    except RecursionError:
        raise TableError(f"{name} is nested too deeply for a report") from None
    except ValueError as error:
        raise TableError(f"{name} is no JSON any more: see its line {getattr(error, 'lineno', 1)}") from None


def _text(path: Any) -> str | None:
    """Return the text of a file that is an object and says that it is a report; else None."""
    try:
        with open(path, "rb") as file:
            start = file.read(_FIRST)
            if not start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
                return None
            content = start + file.read()
    except (OSError, ValueError):
        return None  # the reader of tables says what is wrong with it
    if not _KIND.search(content):
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _checked(name: str, document: Any) -> Mapping[str, Any]:
    """Refuse a report that is not as evalstats wrote it."""
    kind = str(document.get("kind", "")) if isinstance(document, Mapping) else ""
    if not kind.startswith("evalstats "):
        raise TableError(f"{name} is no report of evalstats: it does not say what kind of record it holds")
    writer, told = report_module("formats.json"), kind.removeprefix("evalstats ")
    version = document.get("schema_version")
    if type(version) is not int or version != writer.SCHEMA_VERSION:
        raise TableError(
            f"{name} has the schema version {short(version)}, and this evalstats reads {writer.SCHEMA_VERSION}"
        )
    if unknown := sorted(set(document) - _ENVELOPE - {told}):
        raise TableError(f"{name} has the key {short(unknown[0])}, which evalstats does not write: it was edited")
    hint = "write it again by compare, or give the data themselves"
    if "checksum" not in document:
        raise TableError(f"{name} is a report without its checksum: it was edited", hint)
    if document["checksum"] != writer.checksum(document):
        raise TableError(f"{name} is a report whose checksum does not fit: it was edited after it was written", hint)
    return document  # type: ignore[no-any-return]  # a mapping


def _table_of(name: str, document: Mapping[str, Any], metric: str | None) -> SavedTable:
    kind = str(document["kind"]).removeprefix("evalstats ")
    record = document.get(kind)
    if kind == "by_metric" and isinstance(record, Mapping):
        kind, record = "comparison", _by_metric(name, record, metric)
    if not isinstance(record, Mapping) or not isinstance(record.get("table"), Mapping):
        raise TableError(
            f"{name} is a report of the kind {short(kind)}, which holds no table of scores", "give the data themselves"
        )
    if unknown := sorted(set(record["table"]) - {field.name for field in fields(ScoreTable)}):
        raise TableError(f"{name}: its table has the key {short(unknown[0])}, which evalstats does not write")
    held = table_of_record(grid_of_json(name, {"kind": f"evalstats {kind}", kind: record}))
    if not isinstance(held, ScoreTable):
        raise InvalidValueError(f"{name} is a report without a table of scores")
    options = record.get("options")
    is_told = isinstance(options, Mapping) and options.get(_DIRECTION) is not None
    n = record.get("n_questions")
    return SavedTable(held, is_told, n if isinstance(n, int) else None)


def _by_metric(name: str, record: Mapping[str, Any], metric: str | None) -> Any:
    """Return the comparison by the metric that is meant."""
    within = record.get("comparisons")
    found = {
        str(one["table"].get("metric")): one
        for one in (within if isinstance(within, list) else ())
        if isinstance(one, Mapping) and isinstance(one.get("table"), Mapping)
    }
    if metric is None and len(found) > 1:
        problem = f"{name} is a report by several metrics ({listed(list(found))})"
        raise TableError(problem, "choose one with {}", "metric", next(iter(found)))
    if found and metric is not None and metric not in found:
        raise TableError(f"{name} is a report by {listed(list(found))}, not by {short(metric)}")
    return found.get(metric or next(iter(found), ""))
