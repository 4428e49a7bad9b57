"""How does a program read a comparison?"""

from __future__ import annotations

__all__ = ["SCHEMA_VERSION", "json"]

import math
from json import dumps
from typing import TYPE_CHECKING, Any

from evalstats import _checks
from evalstats._version import __version__
from evalstats.comparison.one_dataset import OneDatasetComparison
from evalstats.comparison.over_datasets import Comparison
from evalstats.report.verdict import verdict

if TYPE_CHECKING:
    from evalstats.comparison.one_dataset import OneDatasetComparison

SCHEMA_VERSION = 1


def json(comparison: Comparison | OneDatasetComparison) -> str:
    """Return everything a comparison holds, as JSON.

    Parameters
    ----------
    comparison : Comparison or OneDatasetComparison
        What `compare` returned.

    Returns
    -------
    str
        Numbers have as many digits as it takes to read back the same float; nan is null, and infinity is the string
        ``"Infinity"`` or ``"-Infinity"``. The same comparison always gives the same text. Ends with a line break.

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
    _checks.instance(comparison, "comparison", (Comparison, OneDatasetComparison), "what compare returned")
    record = {
        "kind": "evalstats comparison",
        "schema_version": SCHEMA_VERSION,
        "evalstats_version": __version__,
        "verdict": verdict(comparison),
        "comparison": _without_nan(comparison.to_dict()),
    }
    return _written(record, "") + "\n"


def _without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return value


def _written(value: Any, indent: str) -> str:
    """Objects and nested lists one item a line, lists of plain values on one line."""
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        items = [f"{dumps(key)}: {_written(item, deeper)}" for key, item in value.items()]
        return f"{{\n{deeper}" + f",\n{deeper}".join(items) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        items = [_written(item, deeper) for item in value]
        return f"[\n{deeper}" + f",\n{deeper}".join(items) + f"\n{indent}]"
    return dumps(value, ensure_ascii=False, allow_nan=False)
