"""Performance deterioration: by hand, batches, worlds in which nothing can be lost."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import EvalstatsError
from evalstats.shift import performance_deterioration


@pytest.mark.parametrize(
    ("test", "ideal", "trivial", "expected"),
    [(0.2, 0.1, 0.4, 1 / 3), (0.4, 0.1, 0.4, 1), (0.5, 0.1, 0.4, 1), (0.05, 0.1, 0.4, -1 / 6), (0.1, 0.1, 0.4, 0)],
)
def test_values_by_hand(test, ideal, trivial, expected):
    """(test - ideal) / (trivial - ideal), cut at 1 above the trivial classifier (tutorial, slide 110)."""
    found = performance_deterioration(test, ideal, trivial)

    assert found.estimate == pytest.approx(expected)
    assert found.is_trivial == (test > trivial)
    assert found.reason is None


def test_batch_equals_the_loop():
    rng = np.random.default_rng(0)
    test, ideal, trivial = rng.random((4, 3)), rng.random((4, 1)) / 4, 0.5
    found = performance_deterioration(test, ideal, trivial)

    loop = [
        [performance_deterioration(a, float(b[0]), trivial).estimate for a in row]
        for row, b in zip(test, ideal, strict=True)
    ]
    assert found.estimate.tolist() == loop


@pytest.mark.parametrize("trivial", [0.3, 0.2])
def test_nothing_can_be_lost_where_the_ideal_is_no_better_than_the_trivial_one(trivial):
    found = performance_deterioration([0.1, 0.3, 0.9], 0.3, trivial)

    assert np.isnan(found.estimate).all()
    assert all("there is no advantage to lose" in reason for reason in found.reason)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.2, 0.1, 0.4), "error_test must hold error rates from 0 to 1"),
        ((0.2, -0.1, 0.4), "error_ideal must hold error rates from 0 to 1"),
        ((0.2, 0.1, np.nan), "error_trivial must be finite"),
        (([0.2, 0.1], [0.1, 0.1, 0.1], 0.4), "shapes that broadcast"),
        (("a", 0.1, 0.4), "error_test must be numbers"),
    ],
)
def test_what_is_no_error_rate_is_refused(arguments, message):
    with pytest.raises(EvalstatsError, match=message):
        performance_deterioration(*arguments)
