"""Every example in a docstring runs and prints what it says, and the records that examples make show themselves."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Iterator

import numpy as np
import pytest

import evalstats
from evalstats._result import LONGEST, Record

MODULES = ["evalstats", *(m.name for m in pkgutil.walk_packages(evalstats.__path__, "evalstats."))]
# what a reader cannot use, or what means that an array or a number of numpy was printed as it is
NEVER_SHOWN = ("functools.partial", " object at 0x", "np.float64(", "np.int64(", "np.str_(", "np.True_", "np.False_")


@pytest.mark.parametrize("name", [m for m in MODULES if not m.endswith("__main__")])
def test_examples_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their records obey the laws of all records: short texts, and a table whose columns are equally long and plain."""
    records: dict[type[Record], Record] = {}
    finish = Record.__post_init__

    def remember(record: Record) -> None:
        finish(record)
        records.setdefault(type(record), record)

    monkeypatch.setattr(Record, "__post_init__", remember)

    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)

    assert failed == 0
    assert not [offence for record in tuple(records.values()) for offence in _offences(record)]


def _offences(record: Record) -> Iterator[str]:
    name, shown, columns = type(record).__name__, repr(record), record.to_columns()
    if len(shown) > LONGEST + 100:
        yield f"repr({name}) has {len(shown)} characters"
    yield from (f"repr({name}) shows {text}" for text in NEVER_SHOWN if text in shown)
    if type(record).__str__.__module__ == Record.__module__ and len(str(record)) > LONGEST:
        yield f"str({name}) has {len(str(record))} characters"
    if len({len(column) for column in columns.values()}) > 1:
        yield f"the columns of {name} differ in length"
    if any(isinstance(value, np.generic) for column in columns.values() for value in column):
        yield f"a column of {name} holds a number of numpy"
