from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats.metrics.instance_clusters import sums_by_group, understand_groups

RIGHT = np.array([[1, 0, 1, 1, 1], [0, 0, 1, 0, 1]], dtype=bool)


@pytest.mark.parametrize(
    "groups",
    [
        list("abacb"),
        [7, 2, 7, 5, 2],
        np.array([7.0, 2.0, 7.0, 5.0, 2.0]),
        pd.Series(list("xyxzy")),
        [(1,), (2,), (1,), (3,), (2,)],
    ],
    ids=["text", "numbers", "whole floats", "series", "tuples"],
)
def test_groups_are_counted_in_the_order_of_their_first_cases(groups: Sequence[Any]) -> None:
    if isinstance(groups[0], tuple):
        groups = np.fromiter(groups, dtype=object, count=5)

    sums = sums_by_group(RIGHT, understand_groups(groups, 5))

    np.testing.assert_array_equal(sums, [[2, 1, 1], [1, 1, 0]])


def test_sums_are_those_of_a_loop() -> None:
    rng = np.random.default_rng(1)
    right, groups = rng.random((3, 400)) < 0.5, rng.integers(0, 60, 400)

    sums = sums_by_group(right, understand_groups(groups, 400))

    names = list(dict.fromkeys(groups.tolist()))
    np.testing.assert_array_equal(sums, np.stack([right[:, groups == g].sum(axis=1) for g in names], axis=1))


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, 2], r"groups must name one group for each of the 5 cases, but its shape is \(2,\)"),
        ([1, None, 1, 1, 1], r"groups must have no missing labels, but groups\[1\] is None"),
        ([0.5, 1, 1, 1, 1], r"groups\[0\] is 0.5"),
    ],
)
def test_what_names_no_groups_is_refused(groups: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        understand_groups(groups, 5)


def test_series_must_have_the_index_of_the_data() -> None:
    with pytest.raises(ValueError, match="x and groups must have equal indexes"):
        understand_groups(pd.Series([1, 2]), 2, x=pd.Series([1, 0], index=[1, 0]))
