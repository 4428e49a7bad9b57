"""How does a program read a record?"""

from __future__ import annotations

__all__ = ["SCHEMA_VERSION", "checksum", "json"]

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from json import JSONEncoder, dumps
from platform import python_version
from typing import Any

from evalstats._result import Record
from evalstats._version import __version__
from evalstats.report.documents import UNSEEN, kind_of, verdict
from evalstats.report.reading import count_read, read_words

SCHEMA_VERSION = 1
_PLAIN = frozenset({str, int, float, bool, type(None)})
_NESTED = (Mapping, list, tuple)


def json(record: Record) -> str:
    """Return everything a record holds, as JSON.

    Parameters
    ----------
    record : Record
        Anything that evalstats returns. It stands in the result under the word for its kind.

    Returns
    -------
    str
        Numbers have as many digits as it takes to read back the same float; nan is null, and infinity is the string
        ``"Infinity"`` or ``"-Infinity"``. ``read`` counts what was read and what was left out. What a file of very many
        pairs leaves out is told in the sentence ``left_out``, which is not there otherwise. The same record under the
        same versions always gives the same text. It ends with a checksum of what stands before it, and a line break:
        see `verify_report`.

    Examples
    --------
    >>> import json
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> record = json.loads(report.json(c))
    >>> record["kind"], record["schema_version"]
    ('evalstats comparison', 1)
    >>> record["comparison"]["critical_difference"] == c.critical_difference
    True
    """
    kind = kind_of(record)
    written: dict[str, Any] = {
        "kind": f"evalstats {type(record).__name__ if kind == 'record' else kind}",
        "schema_version": SCHEMA_VERSION,
        "evalstats_version": __version__,
        "versions": _versions(),
        "verdict": verdict(record),
    }
    if read := count_read(record):
        written["read"] = {"sentence": read_words(read), **read._asdict()}
    written[kind] = record._brief()
    if left_out := record._left_out_of_brief():
        written["left_out"] = left_out
    body = _seen(_written(written, ""))
    return f'{body[:-2]},\n  "checksum": "{_digest(body)}"\n}}\n'


def checksum(document: Mapping[str, Any]) -> str:
    """Return the checksum that a parsed text of `json` must have, whatever stands there as such."""
    written = {name: value for name, value in document.items() if name != "checksum"}
    return _digest(_seen(_written(written, "")))


def _digest(text: str) -> str:
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


@cache
def _versions() -> dict[str, str]:
    """Return the versions of everything that computes."""
    others = {name: version(name) for name in ("numpy", "scipy")}
    return {"evalstats": __version__, "python": python_version(), **others}


def _written(value: Any, indent: str) -> str:
    """Write objects and nested lists one item a line, lists of plain values on one line."""
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
    """Write objects of plain values with one call for all of them; nothing where there are others."""
    if not all(type(row) is dict and row and _is_flat(row.values()) for row in value):
        return []
    deeper = f"\n{indent}  "
    try:
        written = _encoder(f",{deeper}").encode(value)
    except ValueError:  # a float that JSON does not know
        return []
    # a break of a line stands between items only: within a text it is escaped
    rows = written[2:-2].split(f"}},{deeper}{{")
    return [f"{{{deeper}{row}\n{indent}}}" for row in rows]


def _flat(value: Any, indent: str = "") -> str:
    """Write what holds plain values alone, on one line or, with an indent, one item a line."""
    encoder = _encoder(f",\n{indent}" if indent else ", ")
    try:
        return encoder.encode(value)
    except (TypeError, ValueError):  # a float that JSON does not know, or something else that is not plain
        return encoder.encode(_known(value))


@cache
def _encoder(separator: str) -> JSONEncoder:
    return JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(separator, ": "))


def _known(value: Any) -> Any:
    """Put null for nan, words for infinity, and text for what JSON does not know."""
    if isinstance(value, Mapping):
        return {str(key): _known(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_known(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _seen(text: str) -> str:
    """Escape what cannot be seen, as control characters always are; the only breaks are those between items."""
    lines = text.split("\n")
    if all(map(str.isprintable, lines)):
        return text
    return "\n".join(UNSEEN.sub(lambda found: dumps(found[0])[1:-1], line) for line in lines)
