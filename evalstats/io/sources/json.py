"""Cells of JSON text: records, columns, JSON lines, or a saved record of evalstats."""

from __future__ import annotations

__all__ = ["checked_json", "grid_of_json", "grid_of_json_text", "looks_like_json", "nested_in"]

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalstats._errors import listed
from evalstats._findings import Finding
from evalstats._lexicon import program_of, simplified
from evalstats.io.sources.console_output import refuse_program_document
from evalstats.io.sources.grid import Grid, grid_of_columns
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short, visible
from evalstats.tables.names import text_of

_SCALARS = (str, int, float, bool, type(None))

_OF_NUMPY = re.compile(r"\[\s*[-+\d.e]+\s+[-+\d.e]")  # numbers without commas between them


def looks_like_json(line: str) -> bool:
    """Return whether a line with an opening bracket begins JSON text instead of a printed array."""
    rest = line[1:].lstrip()
    return rest[:1] in ("", "{", "[", '"', "}", "]") and not _OF_NUMPY.match(rest)


def grid_of_json_text(
    name: str, lines: Iterable[tuple[int, str]], rows: str | None = None, header_rows: int | None = None
) -> Grid:
    """Return the cells of a JSON document or of JSON lines."""
    numbered = iter(lines)
    number, line = next(numbered)
    first = _document(line.lstrip("\ufeff"))
    if not isinstance(first, dict | list):
        text = "".join(itertools.chain([line.lstrip("\ufeff")], (more for _, more in numbered)))
        return grid_of_json(name, checked_json(text, name, number), header_rows)
    more = [(at, text) for at, text in numbered if text.strip()]
    if not more:
        return grid_of_json(name, first, header_rows)
    documents = [first, *(checked_json(text.strip(), f"{name}, line {at}", 1) for at, text in more)]
    return replace(
        grid_of_json(name, documents, header_rows, one_each=True),
        word="line",
        numbers=[number, *(at for at, _ in more)],
    )


def grid_of_json(name: str, document: Any, header_rows: int | None = None, *, one_each: bool = False) -> Grid:
    """Return the cells of a JSON document: a list of records, a dict of columns, or a form that pandas writes."""
    if isinstance(document, Mapping):
        return _grid_of_object(name, document)
    if isinstance(document, list | tuple) and document and all(isinstance(item, Mapping) for item in document):
        return _grid_of_records(name, document)
    if isinstance(document, list) and len(document) > 1 and all(isinstance(item, list) for item in document):
        return _grid_of_rows(name, document, header_rows)
    what = "lines" if one_each else "a list"
    raise TableError(f"{name} must hold {what} of records, a dict of columns, or rows of cells, not {_shape(document)}")


def _grid_of_object(name: str, document: Mapping[str, Any]) -> Grid:
    if str(document.get("kind", "")).startswith("evalstats "):
        return replace(grid_of_columns(name, [], []), record=document)
    refuse_program_document(document, name)
    data, columns = document.get("data"), document.get("columns")
    if isinstance(data, list) and isinstance(columns, list):  # the form of pandas with orient='split'
        return _grid_of_split(name, data, columns, document.get("index"))
    if isinstance(data, list) and "schema" in document and all(isinstance(item, Mapping) for item in data):
        return _without_counted(_grid_of_records(name, data))
    values = list(document.values())
    if values and all(isinstance(value, list) for value in values):
        for key, column in document.items():
            _refuse_nested(f"{name}, column {short(key)}", column)
        return _filed(grid_of_columns(name, list(document), values))
    if nested := nested_in(document):
        return _grid_of_nested(name, nested)
    return _grid_of_lists(name, document)


def _grid_of_lists(name: str, document: Mapping[str, Any]) -> Grid:
    """Return the only list of records, or the answers in lists of questions by their outcome. Reject other objects."""
    lists = [key for key, value in document.items() if isinstance(value, list) and value]
    if len(lists) == 1 and all(isinstance(item, Mapping) for item in document[lists[0]]):
        return _grid_of_records(name, document[lists[0]])
    outcomes = _outcomes_in(document)
    if not outcomes:
        problem = f"{name} must hold a list of records or a dict of columns, not {_shape(document)}"
        hint = "give one record for each score or answer, with the names of its classifier and dataset"
        raise TableError(problem, hint)
    n = sum(outcomes.values())
    sentence = f"{name} lists the questions by their outcome: {n:,} of {len(outcomes):,} answers count as correct."
    told = Finding(code="lists-of-outcomes", severity="note", sentence=sentence)
    grid = grid_of_columns(name, ["question_id", "correct"], [list(outcomes), list(outcomes.values())])
    return replace(grid, findings=(told,))


def _outcomes_in(document: Mapping[str, Any]) -> dict[str, int]:
    """Map each question to 1 if it is in the only list of successes, as in ``{"resolved_ids": [...], ...}``.

    The other lists hold the other questions, and an object may hold reasons of failures. Return {} if the document
    holds no such lists, or other tables.
    """
    lists = {key: own for key, own in document.items() if isinstance(own, list)}
    others = [own for key, own in document.items() if key not in lists and not _holds_texts(own)]
    if not all(isinstance(item, str) for own in lists.values() for item in own):
        return {}
    right = [key for key in lists if direction_of_metric(key.removesuffix("_ids")) is True]
    if len(right) != 1 or len(lists) < 2 or not all(isinstance(value, _SCALARS) for value in others):
        return {}
    found = dict.fromkeys(itertools.chain.from_iterable(lists.values()), 0)
    return found | dict.fromkeys(lists[right[0]], 1)


def _holds_texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(own, str) for own in value.values())


def _grid_of_records(name: str, records: Sequence[Mapping[str, Any]]) -> Grid:
    records, told = _without_lists_of_texts(_with_scores_beside(records))
    names = list(dict.fromkeys(itertools.chain.from_iterable(records)))
    if len(names) * len(records) > max(1_000_000, 100 * sum(map(len, records))):
        raise TableError(f"{name} has {len(records):,} records with {len(names):,} names, nearly all of them different")
    columns = [[record.get(key) for record in records] for key in names]
    if program_of(map(simplified, names)):  # a later rule names the program
        columns = [[one if isinstance(one, _SCALARS) else json.dumps(one) for one in column] for column in columns]
    for i, record in enumerate(zip(*columns, strict=True), 1):
        _refuse_nested(f"{name}, record {i}", record)
    return _filed(replace(grid_of_columns(name, names, columns), word="record", findings=told))


def _without_lists_of_texts(
    records: Sequence[Mapping[str, Any]],
) -> tuple[Sequence[Mapping[str, Any]], tuple[Finding, ...]]:
    """Leave out what the records hold in lists of texts or of answers, such as solutions next to their score."""
    names = [key for key, value in records[0].items() if isinstance(value, list)]
    if not names or not all(
        isinstance(item, str | bool) for record in records for key in names for item in _items(record.get(key))
    ):
        return records, ()
    if not any(isinstance(value, int | float) and not isinstance(value, bool) for value in records[0].values()):
        return records, ()
    sentence = f"Not used, because they hold lists: {listed(names)}."
    told = Finding(code="unnamed", severity="note", sentence=sentence)
    return [{key: value for key, value in record.items() if key not in names} for record in records], (told,)


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else () if value is None else (value,)


def _with_scores_beside(records: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Move the numbers in the only nested dict of each record to the record, if all records have one."""
    keys = [key for key, value in records[0].items() if isinstance(value, Mapping)]
    if len(keys) != 1 or len(records) < 2:
        return records
    key, found = keys[0], []
    for record in records:
        inner = record.get(key)
        if not isinstance(inner, Mapping) or not inner.keys().isdisjoint(record.keys() - {key}):
            return records
        if not all(value is None or isinstance(value, int | float) for value in inner.values()):
            return records
        found.append({**{name: value for name, value in record.items() if name != key}, **inner})
    return found


def _grid_of_rows(name: str, rows: Sequence[Sequence[Any]], header_rows: int | None) -> Grid:
    from evalstats.io.sources.table_region import grid_of_laid_rows

    for i, row in enumerate(rows, 1):
        _refuse_nested(f"{name}, row {i}", row)
    return grid_of_laid_rows(name, rows, range(1, len(rows) + 1), "row", header_rows=header_rows)


def _grid_of_split(name: str, data: Sequence[Any], columns: Sequence[Any], index: Any) -> Grid:
    for i, row in enumerate(data, 1):
        if not isinstance(row, list) or len(row) != len(columns):
            raise TableError(f"{name}, row {i} of 'data' must have a cell for each of the {len(columns)} columns")
        _refuse_nested(f"{name}, row {i} of 'data'", row)
    cells: list[Any] = [list(column) for column in zip(*data, strict=True)] or [[] for _ in columns]
    names = list(columns)
    if isinstance(index, list) and len(index) == len(data) and index != list(range(len(data))):
        _refuse_nested(f"{name}, 'index'", index)
        names, cells = ["", *names], [list(index), *cells]
    return _with_upper(name, names, cells)


def _with_upper(name: str, names: Sequence[Any], cells: list[Any]) -> Grid:
    """Return the grid of columns whose names may be pairs of an upper and a lower name."""
    pairs = [own if isinstance(own, list) and len(own) == 2 else ["", own] for own in names]
    for _, own in pairs:
        _refuse_nested(f"{name}, 'columns'", [own])
    grid = grid_of_columns(name, [own for _, own in pairs], cells)
    is_paired = any(above for above, _ in pairs)
    return _filed(replace(grid, upper=tuple(text_of(above) for above, _ in pairs)) if is_paired else grid)


def _grid_of_nested(name: str, document: Mapping[str, Mapping[str, Any]]) -> Grid:
    """Return the columns of a dict of dicts; the inner keys are the rows, as in pandas."""
    document, corner, told = _without_properties(document)
    rows = list(dict.fromkeys(itertools.chain.from_iterable(document.values())))
    if len(rows) * len(document) > max(1_000_000, 100 * sum(map(len, document.values()))):
        raise TableError(
            f"{name} has {len(rows):,} inner and {len(document):,} outer keys, nearly all of them different"
        )
    for key, column in document.items():
        _refuse_nested(f"{name}, {short(key)}", column.values())
    columns = [[column.get(row) for row in rows] for column in document.values()]
    if _only_count(rows):
        return _filed(grid_of_columns(name, list(document), columns))
    if _only_count(list(document)):
        return _grid_of_records(name, list(document.values()))
    grid = _filed(grid_of_columns(name, [corner, *document], [rows, *columns]))
    return replace(grid, is_nested=True, findings=told)


def _without_properties(
    document: Mapping[str, Mapping[str, Any]],
) -> tuple[Mapping[str, Mapping[str, Any]], str, tuple[Finding, ...]]:
    """Return the only dict of numbers of each name, without its other values, such as the size of a model.

    Also return the key of the dict if it is a metric, and a note, as for ``{"model": {"pass@1": {"mbpp": 0.8}}}``.
    """
    keys = {key for own in document.values() for key, value in own.items() if isinstance(value, Mapping)}
    found = {name: value for name, own in document.items() for key, value in own.items() if key in keys}
    if len(keys) != 1 or len(found) < len(document) or not all(map(_holds_numbers, found.values())):
        return document, "", ()
    key, beside = keys.pop(), [name for name in dict.fromkeys(itertools.chain(*document.values())) if name not in keys]
    beside.remove(key)
    unread = f", and {listed(beside)} {'is' if len(beside) == 1 else 'are'} not" if beside else ""
    sentence = f"For each of {listed(list(document), 3)}, the values in {short(key)} are read{unread}."
    told = Finding(code="unnamed", severity="note", sentence=sentence)
    return found, key if direction_of_metric(key) is not None else "", (told,)


def _holds_numbers(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        own is None or (isinstance(own, int | float) and not isinstance(own, bool)) for own in value.values()
    )


def nested_in(document: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Return a dict of dicts, or the only dict of dicts next to other values in a document, or {} if there is none."""
    inner = [value for value in document.values() if isinstance(value, Mapping)]
    if len(inner) == len(document):
        return document
    is_nested = len(inner) == 1 and inner[0] and all(isinstance(value, Mapping) for value in inner[0].values())
    return inner[0] if is_nested else {}


def _only_count(names: Sequence[Any]) -> bool:
    return [str(name) for name in names] == [str(i) for i in range(len(names))]


def _without_counted(grid: Grid) -> Grid:
    """Drop a first column ``index`` that only numbers the rows, as pandas writes it."""
    if grid.header[:1] != ["index"] or not _only_count(grid.columns[0]):
        return grid
    return replace(grid, header=grid.header[1:], columns=grid.columns[1:])


def _filed(grid: Grid) -> Grid:
    return replace(grid, must_name_datasets=True)


def _refuse_nested(place: str, values: Iterable[Any]) -> None:
    for value in values:
        if not isinstance(value, _SCALARS):
            problem = f"{place}: a cell must be a number or a string, not {_shape(value)}"
            raise TableError(problem, "give one record for each score, with its dataset, classifier and score")


def _shape(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"a dict with {listed(list(value)[:5])}" if value else "an empty dict"
    return "a list" if isinstance(value, list) else short(value)


def _document(line: str) -> Any:
    """Parse a line of JSON; return None if it is not a complete value."""
    try:
        return json.loads(line, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None


def checked_json(text: str, place: str, start: int = 1) -> Any:
    """Parse JSON text and reject duplicate names in an object; `start` is the number of its first line."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise TableError(f"{place}: the JSON is nested too deeply for a table of scores") from None
    except json.JSONDecodeError as error:
        where = place if "line " in place else f"{place}, line {start + error.lineno - 1}"
        raise TableError(f"{where}, character {error.colno}: not JSON, {visible(error.msg)}") from None
    except ValueError as error:  # a duplicate name, or a number with more than 4,300 digits
        problem = str(error) if "occurs twice" in str(error) else "a number with more than 4,300 digits"
        raise TableError(f"{place}: {problem}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        again = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the name {short(again)} occurs twice in one object")
    return found
