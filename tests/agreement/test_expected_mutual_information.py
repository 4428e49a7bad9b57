"""The information that two labellings share by chance."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from evalstats.agreement import expected_mutual_information as expected_information
from evalstats.agreement.contingency import over_runs
from evalstats.agreement.expected_mutual_information import expected_mutual_information


@pytest.mark.parametrize(("y", "clusters"), [("aabb", "xxyz"), ("aaab", "xyyy"), ("aabbcc", "xxxyyz"), ("abc", "xxx")])
def test_expectation_is_the_mean_over_all_orders(y: str, clusters: str) -> None:
    orders = np.array([list(order) for order in itertools.permutations(clusters)])
    shared = over_runs(list(y), orders, lambda table: table.mutual_information())

    expected = over_runs(list(y), list(clusters), expected_mutual_information)

    assert expected == pytest.approx(shared.mean(), abs=1e-14)


def test_sums_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y, runs = rng.integers(0, 5, 200), rng.integers(0, 5, (6, 200))
    whole = over_runs(y, runs, expected_mutual_information)
    monkeypatch.setattr(expected_information, "AT_ONCE", 100)

    np.testing.assert_allclose(over_runs(y, runs, expected_mutual_information), whole, rtol=1e-13)
