"""Reading of saved reports, and their validation by schema and checksum."""

from __future__ import annotations

__all__ = ["EARLIER_VERSIONS", "check_report", "has_own_checksum", "report_faults", "report_schema", "text_of_report"]

import json
import os
from collections.abc import Mapping
from functools import cache
from os import fspath
from os.path import basename
from typing import Any

from evalstats import _checks, _files
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats.io.reader.json_schema import SchemaFault, schema_faults
from evalstats.io.reader.record_text import LARGEST_TEXT, SCHEMA_VERSION, checksum
from evalstats.tables.errors import TableError, TableNotFoundError, visible

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
        path = fspath(report)
        name = str(path)
        try:
            with _files.opened(path) as file:
                text: Any = _bounded(file, basename(name))
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
        text = _bounded(report, basename(name))
    else:
        raise InvalidTypeError(f"report must be a path, an open file or a dict, not {short(report)}")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InvalidValueError(f"{basename(name)} is not text in UTF-8, so it is not a report in JSON") from None
    return basename(name), _checks.text(text, "report")


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
