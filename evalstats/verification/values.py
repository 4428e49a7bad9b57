"""Which values of two documents differ by more than rounding?"""

from __future__ import annotations

__all__ = ["PRECISION", "ChangedValue", "changed_values", "count_values"]

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evalstats._result import Record

# numbers that agree to nine digits are the same on two machines
PRECISION = 1e-9
# a difference of scores may be zero on one machine and rounding on the other; a p-value may be as small as it likes
NOISE = 1e-12
# under which names a record of two classifiers has them
PAIRS = (("first", "second"), ("classifier", "reference"))


@dataclass(frozen=True, kw_only=True, eq=False)
class ChangedValue(Record):
    """A value of a report that comes out otherwise.

    Attributes
    ----------
    place : str
        Where it stands in the report: ``'omnibus.pvalue'``, ``'pairs[NB, SVM].different'``.
    before, now : bool, int, float, str or None
        What the report says, and what comes out now; a list or an object by its length (``'list of 3'``), and what is
        not there as ``'nothing'``.
    """

    place: str
    before: Any
    now: Any


def changed_values(before: Any, now: Any, place: str = "") -> Iterator[ChangedValue]:
    """Yield each value of the first document that the second has otherwise; what only the second has is not asked for.

    Numbers are compared to nine digits, everything else exactly.
    """
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for name, value in before.items():
            where = f"{place}.{name}" if place else str(name)
            if name in now:
                yield from changed_values(value, now[name], where)
            else:
                yield ChangedValue(place=where, before=_brief(value), now="nothing")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for i, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from changed_values(one, other, f"{place}[{_pair(one, other) or i}]")
    elif not _same(before, now, 0.0 if "pvalue" in place else NOISE):
        yield ChangedValue(place=place, before=_brief(before), now=_brief(now))


def count_values(document: Any) -> int:
    """Count the numbers, words and decisions that a document holds."""
    if not isinstance(document, Mapping | list):
        return 1
    return sum(map(count_values, document.values() if isinstance(document, Mapping) else document))


def _pair(before: Any, now: Any) -> str:
    """Return the names of the two classifiers that both records are about; nothing if they are no such records."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for names in PAIRS:
            pair = [before.get(name) for name in names]
            if all(isinstance(name, str) for name in pair) and pair == [now.get(name) for name in names]:
                return ", ".join(map(str, pair))
    return ""


def _same(before: Any, now: Any, noise: float) -> bool:
    if isinstance(before, bool) or isinstance(now, bool):
        return before is now
    if isinstance(before, int | float) and isinstance(now, int | float):
        return math.isclose(before, now, rel_tol=PRECISION, abs_tol=noise)
    return bool(before == now)


def _brief(value: Any) -> Any:
    if isinstance(value, Mapping):
        return f"object of {len(value)}"
    return f"list of {len(value)}" if isinstance(value, list) else value
