"""How does a program read a record?"""

from __future__ import annotations

__all__ = ["SCHEMA_VERSION", "json"]

import math
from collections.abc import Mapping
from json import dumps
from typing import Any

from evalstats._result import Record
from evalstats._version import __version__
from evalstats.report.documents import UNSEEN, kind_of, verdict

SCHEMA_VERSION = 1


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
        ``"Infinity"`` or ``"-Infinity"``. The same record always gives the same text. Ends with a line break.

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
    written = {
        "kind": f"evalstats {type(record).__name__ if kind == 'record' else kind}",
        "schema_version": SCHEMA_VERSION,
        "evalstats_version": __version__,
        "verdict": verdict(record),
        kind: _without_nan(record.to_dict()),
    }
    return _written(written, "") + "\n"


def _without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {str(key): _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _written(value: Any, indent: str) -> str:
    """Objects and nested lists one item a line, lists of plain values on one line."""
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        items = [f"{_dumped(key)}: {_written(item, deeper)}" for key, item in value.items()]
        return f"{{\n{deeper}" + f",\n{deeper}".join(items) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        items = [_written(item, deeper) for item in value]
        return f"[\n{deeper}" + f",\n{deeper}".join(items) + f"\n{indent}]"
    return _dumped(value)


def _dumped(value: Any) -> str:
    """Write a plain value; characters that cannot be seen are escaped, as those below the space always are."""
    return UNSEEN.sub(lambda found: dumps(found[0])[1:-1], dumps(value, ensure_ascii=False, allow_nan=False))
