"""Conversion of records to JSON text, and strict parsing of this text."""

from __future__ import annotations

__all__ = ["LARGEST_TEXT", "SCHEMA_VERSION", "UNSEEN", "checksum", "digest", "document_of_text", "written"]

import itertools
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from json import JSONEncoder, dumps
from typing import Any

from evalstats._errors import InvalidValueError, short

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
def _encoder(separator: str) -> JSONEncoder:
    return JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(separator, ": "))


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
    return "\n".join(UNSEEN.sub(lambda found: dumps(found[0])[1:-1], line) for line in lines)


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
