"""Intervals of proportions: published limits, their equations, and what every one must keep."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalstats.metrics.proportions import accuracy_interval, proportion_interval

# Newcombe, R. G. (1998), Statistics in Medicine 17, 857-872, Table I, methods 3 and 5
NEWCOMBE = {
    (81, 263): {"wilson": (0.2553, 0.3662), "clopper-pearson": (0.2527, 0.3676)},
    (15, 148): {"wilson": (0.0624, 0.1605), "clopper-pearson": (0.0578, 0.1617)},
    (0, 20): {"wilson": (0.0, 0.1611), "clopper-pearson": (0.0, 0.1684)},
    (1, 29): {"wilson": (0.0061, 0.1718), "clopper-pearson": (0.0009, 0.1776)},
}
COUNTS = [[60, 8], [5, 27]]
each_method = pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])


@each_method
@pytest.mark.parametrize("counts", NEWCOMBE)
def test_intervals_of_newcombe(counts: tuple[int, int], method: str) -> None:
    low, high = proportion_interval(*counts, method=method)

    assert (round(low, 4), round(high, 4)) == NEWCOMBE[counts][method]


@each_method
@given(st.integers(0, 10**9), st.integers(0, 10**9), st.floats(1e-6, 1 - 1e-9))
def test_limits_lie_in_the_range_and_bracket_the_share(
    method: str, successes: int, failures: int, level: float
) -> None:
    low, high = proportion_interval(successes, successes + failures, method=method, confidence_level=level)
    share = successes / (successes + failures) if successes + failures else 0.5

    assert 0 <= low <= share * (1 + 1e-12)
    assert share * (1 - 1e-12) <= high <= 1


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_wilson_limits_solve_their_equation(successes: int, failures: int) -> None:
    """(p - observed)^2 = z^2 p (1 - p) / n, to the last digits even where the limit is tiny."""
    n = successes + failures
    z2 = stats.norm.ppf(0.975) ** 2

    for p in proportion_interval(successes, n):
        assert (p - successes / n) ** 2 == pytest.approx(z2 * p * (1 - p) / n, rel=1e-9, abs=1e-24)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_clopper_pearson_covers_at_least_at_its_level(level: float) -> None:
    n, p = 30, np.linspace(0.001, 0.999, 97)
    low, high = proportion_interval(np.arange(n + 1), n, method="clopper-pearson", confidence_level=level)

    covered = (low <= p[:, None]) & (p[:, None] <= high)
    coverage = (covered * stats.binom.pmf(np.arange(n + 1), n, p[:, None])).sum(axis=1)

    assert coverage.min() >= level


@each_method
def test_exchanging_success_and_failure_mirrors_the_interval(method: str) -> None:
    x, n = np.arange(13), 12
    low, high = proportion_interval(x, n, method=method)

    np.testing.assert_allclose(low, 1 - high[::-1], rtol=1e-13, atol=1e-15)


@each_method
def test_batch_of_proportions_is_the_loop(method: str) -> None:
    x, n = np.array([[0], [3]]), np.array([3, 7, 50])

    low, high = proportion_interval(x, n, method=method)

    expected = [[tuple(proportion_interval(int(a), int(b), method=method)) for b in n] for a in x[:, 0]]
    np.testing.assert_array_equal(np.stack([low, high], axis=-1), expected)


@each_method
def test_no_trials_tell_nothing(method: str) -> None:
    assert tuple(proportion_interval(0, 0, method=method)) == (0, 1)


@each_method
def test_accuracy_is_a_proportion(method: str) -> None:
    counts = np.array([COUNTS, [[5, 0], [0, 5]]])

    assert np.array_equal(
        np.stack(tuple(accuracy_interval(counts, method=method))),
        np.stack(tuple(proportion_interval([87, 10], [100, 10], method=method))),
    )


@pytest.mark.parametrize(
    ("successes", "n", "choices", "message"),
    [
        (3, 2, {}, r"n_successes must not be more than n, but n_successes is 3 and n is 2"),
        ([1, 3], 2, {}, r"but n_successes\[1\] is 3 and n is 2"),
        (-1, 2, {}, r"n_successes must be nonnegative whole numbers, but n_successes is -1"),
        (1, 2.5, {}, r"n must be nonnegative whole numbers, but n is 2.5"),
        ([1, 2], [3, 4, 5], {}, r"n_successes and n must broadcast"),
        (1, math.nan, {}, r"n must be finite"),
        (1, 2, {"method": "wald"}, r"method must be 'wilson' or 'clopper-pearson', not 'wald'"),
        (1, 2, {"confidence_level": 95}, r"confidence_level must lie between 0 and 1, not 95"),
    ],
)
def test_bad_proportions_are_refused(successes: Any, n: Any, choices: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        proportion_interval(successes, n, **choices)
