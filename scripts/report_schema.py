"""Write the JSON Schema of saved reports from the classes of their records: ``python scripts/report_schema.py``.

The fields of a class are the names of its object, and all fields are required. The annotations of the fields are the
types of the values. If a field is annotated as Any, the type in the docstring is used.
"""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import json
import pkgutil
import re
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import evalstats
from evalstats._result import HypothesisTestResult, Record
from evalstats.comparison.battles import compare_battles
from evalstats.comparison.covariates import compare_adjusted
from evalstats.comparison.judged_scores import compare_judged
from evalstats.comparison.learning_curves import compare_learning_curves
from evalstats.comparison.ranking import Pair
from evalstats.comparison.readers import compare_readers
from evalstats.io.reader.battles import read_battles
from evalstats.io.reader.saved_reports import SCHEMA_VERSION
from evalstats.report.comparisons.shared_blocks import ReadCount
from evalstats.report.documents import KINDS
from evalstats.tables.errors import GROUPS

FILE = Path(evalstats.__file__).parent / "io" / "reader" / f"report_schema_{SCHEMA_VERSION}.json"
# computed fields that are written, for kinds that contain other records
ASKED = {
    "Comparison": ("advice", "decided_otherwise", "pairs"),
    "Posteriors": ("pairs",),
    "ParityReport": ("ok", "verdict"),
}
# fields of other designs, or fields that `left_out` describes
OPTIONAL = {"Pair": tuple(field.name for field in dataclasses.fields(Pair) if field.default is None)}
OPTIONAL |= {"QuestionScores": ("subgroup",), "ExperimentDesign": ("n_clusters",)}
# kinds with a complete schema; other records have the same outer names
DESCRIBED = tuple(name for name in KINDS if name != "Record")
# nan is null, and infinite values are strings
FLOAT = {"type": ["number", "string", "null"], "pattern": "^-?Infinity$"}
PARTS: dict[str, Any] = {
    "float": FLOAT,
    "floats": {"type": ["number", "string", "null", "array"], "pattern": "^-?Infinity$"},
    "integers": {"type": ["integer", "null", "array"]},
    "booleans": {"type": ["boolean", "array"]},
    "strings": {"type": ["string", "null", "array"]},
    "plain": {"type": ["null", "boolean", "number", "string", "array"]},
}
for _name, _part in PARTS.items():
    if "array" in _part["type"]:
        _part["items"] = {"$ref": f"#/$defs/{_name}"}
PARTS["findings"] = {"anyOf": [{"$ref": "#/$defs/Finding"}, {"type": "array", "items": {"$ref": "#/$defs/findings"}}]}
# types in docstrings of fields that are annotated as Any
WORDS = {
    "finding": "findings",
    "float": "floats",
    "int": "integers",
    "bool": "booleans",
    "str": "strings",
    "object": "strings",
    "ndarray": "floats",
}


def every_type() -> dict[str, Any]:
    """Return every class and alias of evalstats by its name."""
    found: dict[str, Any] = {}
    for module in pkgutil.walk_packages(evalstats.__path__, "evalstats."):
        if "__main__" not in module.name and not module.name.startswith(("evalstats.cli", "evalstats.serving")):
            loaded = importlib.import_module(module.name)
            found |= {name: value for name, value in vars(loaded).items() if _is_type(value)}
    return found


def _is_type(value: Any) -> bool:
    return isinstance(value, type | typing.TypeVar | types.UnionType) or typing.get_origin(value) is not None


class Schema:
    """Parts of a schema. Each part is written at its first use."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = every_type() | {"Any": Any, "Callable": typing.Callable}
        self.parts: dict[str, Any] = dict(PARTS)

    def of(self, annotation: Any, owner: type, field: str) -> dict[str, Any]:
        """Return the schema of a value."""
        annotation = self._meant(annotation, owner)
        origin, inside = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in (typing.Union, types.UnionType):
            return _any_of([self.of(one, owner, field) for one in inside])
        # NDArray is a type of its own since NumPy 2.5
        if any(one in (np.ndarray, NDArray) for one in (origin, annotation)) or annotation is Any:
            return _ref(_of_array(annotation) or self._documented(owner, field))
        if origin in (tuple, list, Sequence):
            return self._of_sequence(inside, owner, field)
        if origin in (dict, Mapping):
            if field == "options":
                return self._options()
            is_any = inside[1] is Any or inside[1] == NDArray[Any]
            item = _ref("plain") if is_any else self.of(inside[1], owner, field)
            return {"type": "object", "additionalProperties": item}
        return {"enum": list(inside)} if origin is typing.Literal else self._of_class(origin or annotation)

    def _meant(self, annotation: Any, owner: type) -> Any:
        """Return the type that a string or a variable denotes."""
        while isinstance(annotation, str | typing.ForwardRef | typing.TypeVar):
            if isinstance(annotation, typing.TypeVar):
                annotation = _argument(owner) or annotation.__bound__
            else:
                text = annotation if isinstance(annotation, str) else annotation.__forward_arg__
                annotation = eval(text, dict(vars(typing)), self.names)
        return annotation

    def _of_class(self, cls: Any) -> dict[str, Any]:
        if cls in (None, type(None)):
            return {"type": "null"}
        plain = {bool: "boolean", int: "integer", str: "string"}
        if cls in plain:
            return {"type": plain[cls]}
        if cls is float or cls.__name__ == "_WhenAsked":
            return _ref("float")
        if isinstance(cls, type) and issubclass(cls, Record):
            family = sorted(_family(cls), key=_name)
            return self.of_record(cls) if family == [cls] else self._of_family(cls, family)
        raise TypeError(cls)

    def _of_sequence(self, inside: tuple[Any, ...], owner: type, field: str) -> dict[str, Any]:
        if len(inside) == 1 or inside[1:] == (...,):
            return {"type": "array", "items": self.of(inside[0], owner, field)}
        each = [self.of(one, owner, field) for one in inside]
        return {"type": "array", "prefixItems": each, "items": False, "minItems": len(each)}

    def _of_family(self, cls: type, family: list[type]) -> dict[str, Any]:
        """Return a reference to the schema of a class and its subclasses."""
        name = f"Any{_name(cls)}"
        if name not in self.parts:
            self.parts[name] = {}
            self.parts[name] = _any_of([self.of_record(one) for one in family])
        return _ref(name)

    def of_record(self, cls: type) -> dict[str, Any]:
        """Return a reference to the schema of a record, and write it if it is new."""
        if cls.__name__ not in self.parts:
            self.parts[cls.__name__] = {}  # a value may contain values of the same type
            told = dict(_told(cls))
            properties = {name: self.of(annotation, cls, name) for name, annotation in told.items()}
            self.parts[cls.__name__] = {
                "type": "object",
                "properties": properties,
                "required": [name for name in told if name not in OPTIONAL.get(cls.__name__, ())],
                "additionalProperties": False,
            }
        return _ref(cls.__name__)

    def _options(self) -> dict[str, Any]:
        """Return the schema of the arguments of a report."""
        functions = (evalstats.compare, evalstats.analyze_runs, evalstats.read_table, compare_adjusted)
        functions += (read_battles, compare_battles, compare_judged, compare_learning_curves, compare_readers)
        names = ["human", "judge"]  # parameters without a default
        names += [name for function in functions for name in function.__kwdefaults__ or {} if name not in GROUPS]
        names = dict.fromkeys([*names, *itertools.chain(*GROUPS.values())])
        properties = {name: _ref("plain") for name in names}
        self.parts["options"] = {"type": "object", "properties": properties, "additionalProperties": False}
        return _ref("options")

    def _documented(self, owner: type, field: str) -> str:
        """Return the part for the type of a field in the docstring."""
        for cls in owner.__mro__:
            for line in (cls.__doc__ or "").splitlines():
                names, _, told = line.strip().partition(" : ")
                if told and field in names.split(", "):
                    words = re.findall(r"[a-z]+", told.partition("{")[0].lower()) or ["str"]
                    kind = next((part for word, part in WORDS.items() if word in words), None)
                    return kind or ("strings" if "{" in told else "plain")
        raise KeyError(f"{owner.__name__}.{field} is not in the docstring")


def _told(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the names of the values of a record, each with its annotation."""
    for field in dataclasses.fields(cls):
        if field.name[0] != "_":
            yield field.name, field.type
    for one in reversed(cls.__mro__):
        for name in ASKED.get(one.__name__, ()):
            found = vars(one)[name]
            function = found.fget if isinstance(found, property) else found.func
            yield name, function.__annotations__["return"]


def _family(cls: type) -> list[type]:
    """Return a class of records and its subclasses that are records."""
    derived = [one for child in cls.__subclasses__() for one in _family(child)]
    is_abstract = cls is HypothesisTestResult or _name(cls)[0] == "_"
    return derived if is_abstract else list(dict.fromkeys([cls, *derived]))


def _name(cls: type) -> str:
    return cls.__name__


def _argument(owner: type) -> Any:
    """Return the type argument of a generic base class of a class."""
    for base in getattr(owner, "__orig_bases__", ()):
        for one in typing.get_args(base):
            if not isinstance(one, typing.TypeVar):
                return one
    return None


def _of_array(annotation: Any) -> str | None:
    text = "" if annotation is Any else str(annotation)
    words = {"bool": "booleans", "int": "integers", "float": "floats", "str_": "strings"}
    return next((part for word, part in words.items() if word in text), None)


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _any_of(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    flat = [one for schema in schemas for one in schema.get("anyOf", [schema])]
    flat = [one for i, one in enumerate(flat) if one not in flat[:i]]
    return flat[0] if len(flat) == 1 else {"anyOf": flat}


def shared_parts() -> dict[str, Any]:
    """Return the schemas of the versions, and of the amount of data that was read, in a sentence and in numbers."""
    text = {"type": "string"}
    counts = {name: {"type": "string" if name == "unit" else "integer"} for name in ReadCount._fields}
    return {
        name: {"type": "object", "properties": own, "required": list(own), "additionalProperties": False}
        for name, own in (
            ("versions", dict.fromkeys(("evalstats", "python", "numpy", "scipy"), text)),
            ("read", {"sentence": text, **counts}),
        )
    }


def envelope(kind: str, record: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the complete JSON text of one kind of record."""
    checksum = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
    text = {"type": "string"}
    properties = {
        "kind": {"const": f"evalstats {kind}"},
        "schema_version": {"const": SCHEMA_VERSION},
        "evalstats_version": text,
        "versions": _ref("versions"),
        "verdict": text,
        "read": _ref("read"),
        kind: record,
        "left_out": text,
        "checksum": checksum,
    }
    required = [name for name in properties if name not in ("left_out", "read")]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def schema() -> dict[str, Any]:
    """Return the schema of all kinds with a complete description."""
    made = Schema()
    kinds: dict[str, list[dict[str, Any]]] = {}
    for name in DESCRIBED:
        kinds.setdefault(KINDS[name], []).append(made.of_record(made.names[name]))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Reports of evalstats, schema version {SCHEMA_VERSION}",
        "anyOf": [envelope(kind, _any_of(records)) for kind, records in kinds.items()],
        "$defs": shared_parts() | made.parts,
    }


def text() -> str:
    """Return the text of the file."""
    return json.dumps(schema(), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="\n")
