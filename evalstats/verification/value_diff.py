"""Comparison of two documents: values that differ by more than rounding."""

from __future__ import annotations

__all__ = ["PRECISION", "ChangedValue", "changed_values", "count_values"]

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evalstats._result import Record

# numbers that agree to nine digits count as equal, because machines round differently
PRECISION = 1e-9
# a difference of scores may be zero on one machine and a rounding error on another; a p-value may be arbitrarily small
NOISE = 1e-12
# fields that name the two classifiers of a record
PAIRS = (("first", "second"), ("classifier", "reference"))


@dataclass(frozen=True, kw_only=True, eq=False)
class ChangedValue(Record):
    """A value of a report that differs after recomputation.

    Attributes
    ----------
    place : str
        Position in the report, such as ``'omnibus.pvalue'`` or ``'pairs[NB, SVM].different'``.
    before, now : bool, int, float, str or None
        Value in the report, and recomputed value. A list or an object is given by its length (``'list of 3'``), and a
        missing value as ``'nothing'``.
    """

    place: str
    before: Any
    now: Any


def changed_values(before: Any, now: Any, place: str = "", *, exact: Collection[str] = ()) -> Iterator[ChangedValue]:
    """Yield each value that differs between two documents, or that only one of them contains.

    Floats are compared to nine digits, except floats whose name is in `exact`. Other values are compared exactly. An
    integer differs from a float.
    """
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys((*before, *now)):
            where = f"{place}.{name}" if place else str(name)
            if name in before and name in now:
                yield from changed_values(before[name], now[name], where, exact=exact)
            else:
                told, found = (_brief(one[name]) if name in one else "nothing" for one in (before, now))
                yield ChangedValue(place=where, before=told, now=found)
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for i, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from changed_values(one, other, f"{place}[{_pair(one, other) or i}]", exact=exact)
    elif type(before) is not type(now) or not (
        _close(before, now, place, exact) if isinstance(before, float) else before == now
    ):
        yield ChangedValue(place=place, before=_brief(before), now=_brief(now))


def count_values(document: Any) -> int:
    """Count the numbers, words and decisions in a document."""
    if not isinstance(document, Mapping | list):
        return 1
    return sum(map(count_values, document.values() if isinstance(document, Mapping) else document))


def _pair(before: Any, now: Any) -> str:
    """Return the names of the two classifiers if both records have the same names. Otherwise return ''."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for names in PAIRS:
            pair = [before.get(name) for name in names]
            if all(isinstance(name, str) for name in pair) and pair == [now.get(name) for name in names]:
                return ", ".join(map(str, pair))
    return ""


def _close(before: float, now: float, place: str, exact: Collection[str]) -> bool:
    if re.sub(r"\[[0-9]+\]", "", place).rpartition(".")[2] in exact:
        return before == now
    return math.isclose(before, now, rel_tol=PRECISION, abs_tol=0.0 if "pvalue" in place else NOISE)


def _brief(value: Any) -> Any:
    if isinstance(value, Mapping):
        return f"object of {len(value)}"
    return f"list of {len(value)}" if isinstance(value, list) else value
