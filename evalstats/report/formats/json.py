"""Records as JSON."""

from __future__ import annotations

__all__ = ["SCHEMA_VERSION", "checksum", "json", "versions"]

from functools import cache
from importlib.metadata import version
from platform import python_version
from typing import Any

from evalstats._result import Record
from evalstats._version import __version__
from evalstats.io.reader.saved_reports import SCHEMA_VERSION, checksum, digest, written
from evalstats.report.comparisons.shared_blocks import count_read, read_words
from evalstats.report.documents import kind_of, verdict


def json(record: Record) -> str:
    """Render all contents of a record as JSON.

    Parameters
    ----------
    record : Record
        Any record of evalstats. In the JSON object, the key of the record is its kind.

    Returns
    -------
    str
        The JSON text. Numbers have enough digits to restore the same float; nan is null, and infinity is the string
        ``"Infinity"`` or ``"-Infinity"``. ``read`` contains the amounts of data that were read and that were left out.
        For very many pairs, the sentence ``left_out`` describes the omitted values. The same record with the same
        versions always gives the same text. The text ends with a checksum of the preceding text and a line break (see
        `verify_report`).

    Examples
    --------
    >>> import json
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> record = json.loads(report.json(c))
    >>> record["kind"], record["schema_version"]
    ('evalstats comparison', 2)
    >>> record["comparison"]["critical_difference"] == c.critical_difference
    True
    """
    kind = kind_of(record)
    told: dict[str, Any] = {
        "kind": f"evalstats {type(record).__name__ if kind == 'record' else kind}",
        "schema_version": SCHEMA_VERSION,
        "evalstats_version": __version__,
        "versions": versions(),
        "verdict": verdict(record),
    }
    if read := count_read(record):
        told["read"] = {"sentence": read_words(read), **read._asdict()}
    told[kind] = record._brief()
    if left_out := record._left_out_of_brief():
        told["left_out"] = left_out
    body = written(told)
    return f'{body[:-2]},\n  "checksum": "{digest(body)}"\n}}\n'


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that computed the record."""
    others = {name: version(name) for name in ("numpy", "scipy")}
    return {"evalstats": __version__, "python": python_version(), **others}
