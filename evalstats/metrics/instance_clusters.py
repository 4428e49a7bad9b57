"""Which cases belong together, and how many are right in each group?"""

from __future__ import annotations

__all__ = ["Groups", "numbered", "sums_by_group", "understand_groups"]

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _labels
from evalstats._checks import InvalidValueError
from evalstats._types import BoolArray, IndexArray, IntArray
from evalstats.metrics import class_encoding as classes


class Groups(NamedTuple):
    """The cases in the order of their groups, and where each group begins."""

    order: IndexArray
    starts: IndexArray


def understand_groups(groups: Any, n: int, *, rows: Sequence[str] = (), **beside: Any) -> Groups:
    """Return the groups of n cases; `beside` names the data that the groups belong to.

    The cases are the last axis of the data, or the rows of those that `rows` names.
    """
    codes, names = numbered(groups, "groups", "group", n, rows=rows, **beside)
    order = np.argsort(codes, kind="stable")
    return Groups(order, np.searchsorted(codes[order], np.arange(len(names))))


def numbered(
    labels: Any, name: str, word: str, n: int, *, rows: Sequence[str] = (), **beside: Any
) -> tuple[IndexArray, list[Any]]:
    """Return the number of the group or the stratum of each of n cases, and its names in the order of their numbers."""
    understood = classes.understand(labels, name)
    if understood.array.shape != (n,):
        raise InvalidValueError(
            f"{name} must name one {word} for each of the {n} cases, but its shape is {understood.array.shape}"
        )
    for other_name, other in beside.items():
        _labels.same_labels(rows=rows, **{other_name: other, name: labels})
    given = understood.array.tolist()
    numbers = {one: number for number, one in enumerate(dict.fromkeys(given))}
    return np.fromiter(map(numbers.__getitem__, given), dtype=np.intp, count=n), list(numbers)


def sums_by_group(right: BoolArray, groups: Groups) -> IntArray:
    """Count the True of each group along the last axis."""
    return np.asarray(np.add.reduceat(right[..., groups.order], groups.starts, axis=-1, dtype=np.int64))
