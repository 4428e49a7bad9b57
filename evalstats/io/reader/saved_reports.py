"""Saved reports: conversion of records to JSON, strict parsing, and validation by schema and checksum."""

from __future__ import annotations

__all__ = [
    "EARLIER_VERSIONS",
    "LARGEST_TEXT",
    "SCHEMA_VERSION",
    "UNSEEN",
    "SchemaFault",
    "check_report",
    "checksum",
    "digest",
    "document_of_text",
    "has_own_checksum",
    "report_faults",
    "report_schema",
    "schema_faults",
    "text_of_report",
    "written",
]

import itertools
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from evalstats import _checks, _files
from evalstats._errors import InvalidTypeError, InvalidValueError, listed, short
from evalstats._result import Record
from evalstats.tables.errors import TableError, TableNotFoundError, visible

# version of the format of saved records; a key that is added, removed or of a different type requires a new version
SCHEMA_VERSION = 2
# bytes of a string that is read; a million pairs of classifiers take 300 MB
LARGEST_TEXT = 512 * 2**20
# objects and lists in each other; a report has fewer than ten
DEEPEST = 50
# terminal control characters, characters that reorder or break lines, surrogates, and noncharacters
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_PLAIN = frozenset({str, int, float, bool, type(None)})
_NESTED = (Mapping, list, tuple)


# --- writing ----------------------------------------------------------------------------------------------------------


def written(document: Mapping[str, Any]) -> str:
    """Return a document as JSON text. Equal documents have equal texts."""
    return _seen(_written(document, ""))


def checksum(document: Mapping[str, Any]) -> str:
    """Return the checksum of a document without its own checksum field."""
    return digest(written({name: value for name, value in document.items() if name != "checksum"}))


def digest(text: str) -> str:
    """Return the SHA-256 checksum of a string with the prefix ``sha256:``."""
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _written(value: Any, indent: str) -> str:
    """Write nested values with one item per line, and lists of plain values on one line."""
    deeper = indent + "  "
    if isinstance(value, Mapping) and value:
        if _is_flat(value.values()):
            return f"{{\n{deeper}{_flat(value, deeper)[1:-1]}\n{indent}}}"
        items = [f"{_flat(str(key))}: {_written(item, deeper)}" for key, item in value.items()]
        return f"{{\n{deeper}" + f",\n{deeper}".join(items) + f"\n{indent}}}"
    if isinstance(value, list | tuple) and not _is_flat(value) and any(isinstance(x, _NESTED) for x in value):
        items = _rows(value, deeper) or [_written(item, deeper) for item in value]
        return f"[\n{deeper}" + f",\n{deeper}".join(items) + f"\n{indent}]"
    return _flat(value)


def _is_flat(values: Iterable[Any]) -> bool:
    return _PLAIN.issuperset(map(type, values))


def _rows(value: Sequence[Any], indent: str) -> list[str]:
    """Write a list of flat objects in one call. Return an empty list for other lists."""
    if not all(type(row) is dict and row and _is_flat(row.values()) for row in value):
        return []
    deeper = f"\n{indent}  "
    try:
        written = _encoder(f",{deeper}").encode(value)
    except ValueError:  # a float that JSON does not support
        return []
    # line breaks occur between items only: inside a string they are escaped
    rows = written[2:-2].split(f"}},{deeper}{{")
    return [f"{{{deeper}{row}\n{indent}}}" for row in rows]


def _flat(value: Any, indent: str = "") -> str:
    """Encode a value that contains only plain values, on one line or, with an indent, with one item per line."""
    encoder = _encoder(f",\n{indent}" if indent else ", ")
    try:
        return encoder.encode(value)
    except (TypeError, ValueError):  # a float that JSON does not support, or another value that is not plain
        return encoder.encode(_known(value))


@cache
def _encoder(separator: str) -> json.JSONEncoder:
    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(separator, ": "))


def _known(value: Any) -> Any:
    """Replace nan by null, infinity by a word, and values that JSON does not support by text."""
    if isinstance(value, Mapping):
        return {str(key): _known(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_known(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _seen(text: str) -> str:
    """Escape invisible characters, including control characters. The only line breaks are between items."""
    lines = text.split("\n")
    if all(map(str.isprintable, lines)):
        return text
    return "\n".join(UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], line) for line in lines)


# --- reading ----------------------------------------------------------------------------------------------------------


def document_of_text(text: str, source: str) -> Any:
    """Return the value of a JSON text; reject ambiguous text.

    Parameters
    ----------
    text : str
        A text in JSON.
    source : str
        Name of the source, for messages.

    Returns
    -------
    object
        Value that consists of dicts, lists, text, integers, finite floats, bools and None.

    Raises
    ------
    InvalidValueError
        If the text is not standard JSON (RFC 8259) or is nested too deeply. If a name occurs twice in an object, or if
        a number is NaN, infinite or too large.
    """
    try:
        document = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError:
        raise InvalidValueError(f"{source} is nested too deeply for a report") from None
    except json.JSONDecodeError as error:
        raise InvalidValueError(f"{source} {_fault(text, error)}") from None
    except ValueError as error:  # a duplicate name, or a number that JSON or Python does not support
        problem = str(error) if isinstance(error, _AmbiguousError) else "it holds a number with more than 4,300 digits"
        raise InvalidValueError(f"{source} is not a report in the format of evalstats: {problem}") from None
    _refuse_unbounded(document, source)
    return document


class _AmbiguousError(ValueError):
    """Error for JSON text that parsers read in different ways."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    again = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # None
    raise _AmbiguousError(f"the name {short(again)} occurs twice in one object")


def _no_constant(word: str) -> Any:
    raise _AmbiguousError(f"it holds {word}, which is not JSON")


def _refuse_unbounded(document: Any, source: str) -> None:
    """Reject values that are nested too deeply, level by level, and floats that are not finite."""
    level, depth = [document], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise InvalidValueError(f"{source} is nested too deeply for a report: more than {DEEPEST} levels")
        if any(type(value) is float and not math.isfinite(value) for value in level):
            raise InvalidValueError(f"{source} holds a number that is too large for a float")
        inner = (value.values() if isinstance(value, dict) else value for value in level if type(value) in (dict, list))
        level = list(itertools.chain.from_iterable(inner))


def _fault(text: str, error: json.JSONDecodeError) -> str:
    """Return the reason why a string is not a JSON report."""
    if not text.lstrip().startswith("{"):
        return "is not a report in JSON, as report.json and --format json write it"
    if error.msg == "Extra data":
        return f"holds more than a report: see its line {error.lineno}"
    if not text.rstrip().endswith("}"):
        return "ends too early, so a part of the report is missing"
    return f"is not valid JSON: see its line {error.lineno}"


Schema = Mapping[str, Any]

_TYPES: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, Mapping),
}
_WORDS = {"null": "null", "boolean": "true or false", "integer": "a whole number", "number": "a number"}
_WORDS |= {"string": "a string", "array": "a list", "object": "an object"}
# a name that needs no quotes in a path
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


@dataclass(frozen=True, kw_only=True, eq=False)
class SchemaFault(Record):
    """Position at which a document violates its schema.

    Attributes
    ----------
    path : str
        Position in the document, such as ``'$.comparison.pairs[3].pvalue'``.
    problem : str
        Fault at this place: ``'must be a number, not a string'``.
    """

    path: str
    problem: str

    def __str__(self) -> str:
        return f"{self.path} {self.problem}"


def schema_faults(document: Any, schema: Schema, *, most: int = 100) -> tuple[SchemaFault, ...]:
    """Return the violations of a schema in a JSON document. The tuple is empty if the document is valid.

    Parameters
    ----------
    document : object
        Parsed JSON.
    schema : mapping
        A JSON Schema (draft 2020-12) that uses only ``$ref`` to ``$defs``, ``type``, ``const``, ``enum``, ``pattern``,
        ``properties``, ``required``, ``additionalProperties``, ``prefixItems``, ``items``, ``minItems`` and ``anyOf``.
        Unlike in the standard, 1.0 is not an integer, because a program that writes 1.0 has changed the document.
    most : int, default: 100
        Maximum number of reported faults.

    Returns
    -------
    tuple of SchemaFault

    Examples
    --------
    >>> from evalstats.io.reader.saved_reports import schema_faults
    >>> schema = {"type": "object", "properties": {"p": {"type": "number"}}, "additionalProperties": False}
    >>> [str(fault) for fault in schema_faults({"p": "0.01", "q": 1}, schema)]
    ["$.p must be a number, not '0.01'", '$.q is not in the format']
    """
    return tuple(itertools.islice(_Walk(schema.get("$defs", {})).faults(document, schema, "$"), most))


class _Walk:
    """A parallel walk through a document and its schema."""

    def __init__(self, parts: Mapping[str, Schema]) -> None:
        self._parts = parts

    def faults(self, value: Any, schema: Schema, path: str) -> Iterator[SchemaFault]:
        """Yield the violations in a value and in all nested values."""
        schema = self._meant(schema)
        if "anyOf" in schema:
            yield from self._of_any(value, schema["anyOf"], path)
            return
        problem = _problem(value, schema)
        if problem:
            yield SchemaFault(path=path, problem=problem)
        elif isinstance(value, Mapping):
            yield from self._of_object(value, schema, path)
        elif isinstance(value, list):
            yield from self._of_list(value, schema, path)

    def _meant(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            schema = self._parts[schema["$ref"].removeprefix("#/$defs/")]
        return schema

    def _of_object(self, value: Mapping[str, Any], schema: Schema, path: str) -> Iterator[SchemaFault]:
        known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        for name in schema.get("required", ()):
            if name not in value:
                yield SchemaFault(path=_inside(path, name), problem="is missing")
        for name, item in value.items():
            inner = known.get(name, others)
            if inner is False:
                yield SchemaFault(path=_inside(path, name), problem="is not in the format")
            else:
                yield from self.faults(item, inner, _inside(path, name))

    def _of_list(self, value: list[Any], schema: Schema, path: str) -> Iterator[SchemaFault]:
        first = schema.get("prefixItems", ())
        others = schema.get("items", {})
        for i, item in enumerate(value):
            inner = first[i] if i < len(first) else others
            if inner is False:
                yield SchemaFault(path=f"{path}[{i}]", problem="is not in the format")
            else:
                yield from self.faults(item, inner, f"{path}[{i}]")

    def _of_any(self, value: Any, schemas: list[Schema], path: str) -> Iterator[SchemaFault]:
        """Yield nothing if one of several schemas fits; otherwise, yield the violations of the closest schema."""
        meant = list(self._flat(schemas))
        possible = [schema for schema in meant if not _problem(value, schema)]
        if not possible:
            words = " or ".join(dict.fromkeys(map(_expected, meant)))
            yield SchemaFault(path=path, problem=f"must be {words}, not {_shown(value)}")
            return
        if len(possible) > 1 and isinstance(value, Mapping):
            # objects of one kind have the same names: only the nearest are gone through
            distances = [len(set(one.get("properties", ())) ^ set(value)) for one in possible]
            possible = [one for one, far in zip(possible, distances, strict=True) if far == min(distances)]
        found: list[SchemaFault] = []
        for schema in possible:
            faults = list(itertools.islice(self.faults(value, schema, path), 100))
            if not faults:
                return
            found = faults if not found or len(faults) < len(found) else found
        yield from found

    def _flat(self, schemas: list[Schema]) -> Iterator[Schema]:
        for schema in map(self._meant, schemas):
            if "anyOf" in schema:
                yield from self._flat(schema["anyOf"])
            else:
                yield schema


def _problem(value: Any, schema: Schema) -> str:
    """Return the violation of a value, without its nested values, or '' if there is none."""
    if "const" in schema or "enum" in schema:
        known = schema.get("enum", [schema.get("const")])
        is_known = any(type(value) is type(one) and value == one for one in known)
        return "" if is_known else f"must be {_expected(schema)}, not {_shown(value)}"
    types = schema.get("type", ())
    types = [types] if isinstance(types, str) else types
    if types and not any(_TYPES[name](value) for name in types):
        return f"must be {_expected(schema)}, not {_shown(value)}"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        return f"must be {_expected(schema)}, not {_shown(value)}"
    if isinstance(value, list) and len(value) < schema.get("minItems", 0):
        return f"must be a list with {schema['minItems']} or more items, but the number of items is {len(value)}"
    return ""


def _expected(schema: Schema) -> str:
    if "const" in schema or "enum" in schema:
        return listed(schema.get("enum", [schema.get("const")]))
    types = schema.get("type", ())
    words = _WORDS | ({"string": f"a string that matches {schema['pattern']}"} if "pattern" in schema else {})
    return " or ".join(words[name] for name in ([types] if isinstance(types, str) else types))


def _shown(value: Any) -> str:
    """Format a value as in JSON. A list or an object is described by its type."""
    if isinstance(value, list | Mapping):
        return "a list" if isinstance(value, list) else "an object"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else short(value)


def _inside(path: str, name: str) -> str:
    return f"{path}.{name}" if _PLAIN_NAME.fullmatch(name) else f"{path}[{short(name)}]"


# schema versions that no release wrote in the form of today, and who did
EARLIER_VERSIONS = {1: "a version of evalstats before the first release"}
# fields that every report has in addition to its record
_AROUND = ("kind", "schema_version", "evalstats_version", "versions", "verdict", "checksum")
_CHUNK = 2**20


@cache
def report_schema() -> Mapping[str, Any]:
    """Return the JSON Schema of saved reports; the package stores it as ``io/reader/report_schema_2.json``."""
    from importlib.resources import files  # imported on demand: only functions that read a report need it

    text = files("evalstats.io.reader").joinpath(f"report_schema_{SCHEMA_VERSION}.json").read_text(encoding="utf-8")
    schema: Mapping[str, Any] = json.loads(text)
    return schema


def report_faults(document: Mapping[str, Any]) -> tuple[SchemaFault, ...]:
    """Return the schema violations of a report: extra or missing names, and wrong types.

    For a kind of record without a complete schema, only the other fields of the report are checked.

    Parameters
    ----------
    document : mapping
        The parsed text of `report.json` with the current schema version.

    Returns
    -------
    tuple of SchemaFault
        At most 100 faults. The tuple is empty if there is none.
    """
    schema = report_schema()
    of_kind = [one for one in schema["anyOf"] if one["properties"]["kind"]["const"] == document.get("kind")]
    around = of_kind[0] if of_kind else _around(schema, document)
    return schema_faults(document, {**around, "$defs": schema["$defs"]})


def has_own_checksum(document: Mapping[str, Any]) -> bool:
    """Return whether the stored checksum matches the report, or False if there is no checksum."""
    return isinstance(document.get("checksum"), str) and document["checksum"] == checksum(document)


def check_report(document: Mapping[str, Any], name: str) -> None:
    """Reject a report that differs from the text that evalstats wrote.

    Parameters
    ----------
    document : mapping
        The parsed text of `report.json`.
    name : str
        Name of the report in messages.

    Raises
    ------
    TableError
        If the schema version is not the current version, or if a name or a type violates the schema. If the checksum is
        missing or does not match.
    """
    version = document.get("schema_version")
    if type(version) is not int or version != SCHEMA_VERSION:
        problem = (
            f"{name} has the schema version {short(version)}, but this version of evalstats reads {SCHEMA_VERSION}"
        )
        raise TableError(f"{problem}: compare the scores again")
    for fault in report_faults(document):
        raise TableError(f"{name} is not a report in the format of evalstats: {visible(str(fault))}")
    if not has_own_checksum(document):
        raise TableError(f"{name} was changed after evalstats wrote it: its checksum does not match")


def text_of_report(report: Any) -> tuple[str, str]:
    """Return the name and the text of a report, given as a path or an open file.

    Raises
    ------
    ValueError
        If the file does not exist, cannot be read or is not text in UTF-8. If the file does not begin like a report, or
        is longer than 512 MB.
    """
    if isinstance(report, str | os.PathLike):
        path = os.fspath(report)
        name = str(path)
        try:
            with _files.opened(path) as file:
                text: Any = _bounded(file, os.path.basename(name))
        except FileNotFoundError:
            raise TableNotFoundError(f"there is no file {visible(name)}") from None
        except InvalidValueError:
            raise
        except _files.SpecialFileError as error:
            raise InvalidValueError(f"report {short(name)} cannot be read: {error.strerror}") from None
        except (OSError, ValueError) as error:  # a directory, a name that is too long, or a NUL character in it
            raise InvalidValueError(f"report {short(name)} cannot be read: {short(str(error))}") from None
    elif hasattr(report, "read"):
        name = str(getattr(report, "name", "the report"))
        text = _bounded(report, os.path.basename(name))
    else:
        raise InvalidTypeError(f"report must be a path, an open file or a dict, not {short(report)}")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InvalidValueError(
                f"{os.path.basename(name)} is not text in UTF-8, so it is not a report in JSON"
            ) from None
    return os.path.basename(name), _checks.text(text, "report")


def _bounded(file: Any, name: str) -> Any:
    """Read the rest of a file that begins like a report. Limit the size, because a device may be endless."""
    part = file.read(_CHUNK)
    if not isinstance(part, str | bytes):
        raise InvalidTypeError(f"report must be a file of text or bytes, but reading it returned {short(part)}")
    begin = part[:100].lstrip() if isinstance(part, str) else part[:100].removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin[:1] not in ("{", b"{"):
        raise InvalidValueError(f"{name} is not a report in JSON, as report.json and --format json write it")
    try:
        return part + _files.whole(file, LARGEST_TEXT - len(part))
    except _files.TooLongError:
        raise InvalidValueError(
            f"{name} is longer than {LARGEST_TEXT // 2**20} MB, which is too long for a report"
        ) from None


def _around(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema for a kind of record that has no complete schema."""
    known: Mapping[str, Any] = schema["anyOf"][0]["properties"]
    kind = str(document.get("kind")).removeprefix("evalstats ")
    held = kind if kind in document else "record"
    properties = {name: known[name] for name in (*_AROUND, "read", "left_out")}
    properties |= {"kind": {"type": "string"}, held: {"type": "object"}}
    return {"type": "object", "properties": properties, "required": [*_AROUND, held], "additionalProperties": False}
