"""Validation of a JSON document against a schema."""

from __future__ import annotations

__all__ = ["SchemaFault", "schema_faults"]

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evalstats._errors import listed, short
from evalstats._result import Record

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
    >>> from evalstats.io.reader.json_schema import schema_faults
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
