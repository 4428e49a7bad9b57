"""Access to the values of a JSON document with unchecked content."""

from __future__ import annotations

__all__ = ["digest", "is_grade", "names_below", "number_of", "part", "parts", "value_of", "word"]

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

from evalstats.io.sources.numbers import written_number
from evalstats.tables.errors import TableError, short

# like value_to_float of Inspect, which also converts all other values to 0
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def part(value: Any, *keys: str) -> Any:
    """Return the value at a path of keys, or None if the path does not exist."""
    for key in keys:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def parts(value: Any, *keys: str) -> list[Any]:
    """Return the list at a path of keys, or an empty list if there is none."""
    found = part(value, *keys) if keys else value
    return list(found) if isinstance(found, list | tuple) else []


def names_below(value: Any, *keys: str) -> list[str]:
    """Return the keys of the mapping at a path, or an empty list if there is no mapping."""
    found = part(value, *keys)
    return list(found) if isinstance(found, Mapping) else []


def word(value: Any) -> str:
    """Return a name or a number as text, or '' for any other value."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < 200:
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return ""


def number_of(value: Any) -> float | None:
    """Return a score as a float: nan for None, and None if the value is not a finite number."""
    if value is None:
        return math.nan
    if isinstance(value, int | float):  # True is 1, as every harness counts it
        try:
            number = float(value)
        except OverflowError:
            return None
        return None if math.isinf(number) else number
    return None


def digest(*values: Any) -> str:
    """Return a hash of values: 16 hexadecimal digits, or '' if the values cannot be serialized."""
    try:
        written = json.dumps(values, sort_keys=True, default=repr)
    except (ValueError, TypeError, RecursionError):
        return ""
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_grade(value: Any) -> bool:
    """Return whether a value is a grade for correct or incorrect, such as 'C', 'yes' or True."""
    return isinstance(value, bool) or (isinstance(value, str) and (value in LETTERS or value.lower() in WORDS))


def value_of(value: Any, place: str) -> float:
    """Convert a score to a float. Grades become 1 or 0, and a missing score becomes nan."""
    if isinstance(value, str):
        if value in LETTERS or value.lower() in WORDS:
            return LETTERS[value] if value in LETTERS else WORDS[value.lower()]
        number = written_number(value, ".")
        if number is not None and (math.isinf(number) or (math.isnan(number) and value.lower() != "nan")):
            number = None
    else:
        number = number_of(value)
    if number is None:
        raise TableError(f"{place}: {short(value)} is not a score (a number, C, P, I, N, yes or no)")
    return number
