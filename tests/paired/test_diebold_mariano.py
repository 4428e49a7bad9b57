"""The test of Diebold and Mariano, with the correction of Harvey, Leybourne and Newbold."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evalstats import paired_ttest
from evalstats.paired import diebold_mariano, diebold_mariano_test

ALTERNATIVES = ["two-sided", "less", "greater"]
RNG = np.random.default_rng(1)
X, Y = RNG.exponential(1, (2, 40))


def by_definition(x: np.ndarray, y: np.ndarray, h: int, weights: list[float]) -> tuple[float, float]:
    """DM of Diebold & Mariano (1995) and the statistic of Harvey et al. (1997, eq. 9), in loops."""
    d, n = x - y, len(x)
    mean = sum(d) / n
    gamma = [sum((d[t] - mean) * (d[t - k] - mean) for t in range(k, n)) / n for k in range(h)]
    variance = (gamma[0] + 2 * sum(w * g for w, g in zip(weights, gamma[1:], strict=True))) / n
    dm = mean / math.sqrt(variance)
    return dm, dm * math.sqrt((n + 1 - 2 * h + h * (h - 1) / n) / n)


def test_three_times_by_hand() -> None:
    """Differences 1, 2 and 3: the mean is 2, g_0 is 2/3, its error sqrt(2)/3, and the factor sqrt(2/3)."""
    result = diebold_mariano_test([2, 3, 4], [1, 1, 1])

    assert result.standard_error == pytest.approx(math.sqrt(2) / 3, rel=1e-15)
    assert result.statistic == pytest.approx(2 * math.sqrt(3), rel=1e-15)
    assert diebold_mariano_test([2, 3, 4], [1, 1, 1], method="asymptotic").statistic == pytest.approx(
        6 / math.sqrt(2), rel=1e-15
    )


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_one_step_is_the_paired_ttest(alternative: str) -> None:
    """The factor is that of n - 1 in place of n."""
    result, t_test = (test(X, Y, alternative=alternative) for test in (diebold_mariano_test, paired_ttest))

    assert tuple(result) == pytest.approx(tuple(t_test), rel=1e-9)


@pytest.mark.parametrize("h", [1, 2, 5])
def test_statistic_is_its_definition(h: int) -> None:
    falling = [1 - k / h for k in range(1, h)]

    for variance, weights in (("acf", [1.0] * (h - 1)), ("bartlett", falling)):
        dm, corrected = by_definition(X, Y, h, weights)
        result = diebold_mariano_test(X, Y, horizon=h, variance=variance)

        assert result.statistic == pytest.approx(corrected, rel=1e-9)
        assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(corrected), 39), rel=1e-9)
        normal = diebold_mariano_test(X, Y, horizon=h, variance=variance, method="asymptotic")
        assert normal.statistic == pytest.approx(dm, rel=1e-9)
        assert normal.pvalue == pytest.approx(2 * stats.norm.sf(abs(dm)), rel=1e-9)


def test_level_holds_where_losses_follow_each_other() -> None:
    """Moving averages over 3 times, forecasts 3 steps ahead: a t-test rejects four times as often as it may."""
    noise = np.random.default_rng(2).standard_normal((4000, 102))
    d = noise[:, 2:] + noise[:, 1:-1] + noise[:, :-2]

    level = np.mean(diebold_mariano_test(d, np.zeros(100), horizon=3).pvalue <= 0.05)

    assert 0.035 < level < 0.075
    assert np.mean(paired_ttest(d, np.zeros(100)).pvalue <= 0.05) > 0.2


def test_swapping_mirrors_the_result() -> None:
    here, there = diebold_mariano_test(X, Y, alternative="less"), diebold_mariano_test(Y, X, alternative="greater")

    assert (here.pvalue, here.statistic) == (there.pvalue, -there.statistic)


def test_order_of_time_matters_beyond_one_step() -> None:
    order = RNG.permutation(40)

    assert diebold_mariano_test(X[order], Y[order]).pvalue == pytest.approx(diebold_mariano_test(X, Y).pvalue, rel=1e-9)
    assert diebold_mariano_test(X[order], Y[order], horizon=4).pvalue != diebold_mariano_test(X, Y, horizon=4).pvalue


def test_equal_losses_have_p_one_and_a_reason() -> None:
    result = diebold_mariano_test([0.3, 0.7], [0.1 + 0.2, 0.7])

    assert (result.pvalue, result.statistic, result.reason) == (1, 0, diebold_mariano.NO_DIFFERENCE)


def test_constant_difference_has_no_pvalue_and_a_reason() -> None:
    result = diebold_mariano_test([0.4, 0.5, 0.6], [0.3, 0.4, 0.5])

    assert math.isinf(result.statistic)
    assert math.isnan(result.pvalue)
    assert result.reason == diebold_mariano.NO_VARIANCE


def test_negative_variance_is_told_and_has_a_way_out() -> None:
    x = [1, 0, 1, 0, 1, 0.1]

    result = diebold_mariano_test(x, np.zeros(6), horizon=2)

    assert math.isnan(result.pvalue)
    assert result.reason == diebold_mariano.NOT_POSITIVE
    assert diebold_mariano_test(x, np.zeros(6), horizon=2, variance="bartlett").pvalue < 1


@pytest.mark.parametrize("unit", [1.0, 0.1, 1e-5, 3e7])
def test_autocovariances_that_cancel_leave_no_variance(unit: float) -> None:
    """All series of -1, 0 and 1: the variance is positive if it is so in exact arithmetic."""
    for n, h in ((4, 2), (6, 2), (6, 3), (7, 3)):
        d = np.array(list(product((-1, 0, 1), repeat=n)))
        exact = n * d - d.sum(axis=1, keepdims=True)  # integers
        variance = (exact**2).sum(axis=1)
        for k in range(1, h):
            variance += 2 * (exact[:, k:] * exact[:, :-k]).sum(axis=1)

        result = diebold_mariano_test(d * unit, np.zeros(d.shape), horizon=h)

        assert (np.isfinite(result.statistic) == (variance > 0))[np.ptp(d, axis=1) > 0].all()
        assert n < 6 or (variance == 0).sum() > 3  # not only the three constant series


def test_batch_is_the_loop() -> None:
    x, y = np.round(RNG.random((2, 3, 4, 12)), 1)
    x[0, 0] = y[0, 0]

    batch = diebold_mariano_test(x, y, horizon=2)

    for at in np.ndindex(3, 4):
        member = diebold_mariano_test(x[at], y[at], horizon=2)
        np.testing.assert_array_equal([batch.statistic[at], batch.pvalue[at]], [member.statistic, member.pvalue])
        assert batch.reason[at] == member.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x": [1], "y": [2]}, "x and y must have at least 2 pairs"),
        ({"x": [1, 2], "y": [2]}, "x and y must be paired"),
        ({"x": [1, np.nan], "y": [2, 1]}, "x must be finite"),
        (
            {"x": [1, 2], "y": [2, 1], "horizon": 2},
            r"horizon must be smaller than the number of time points \(2\), but it is 2",
        ),
        ({"x": [1, 2], "y": [2, 1], "horizon": 0}, "horizon must be at least 1, not 0"),
        ({"x": [1, 2], "y": [2, 1], "method": "normal"}, "method must be 't' or 'asymptotic'"),
        ({"x": [1, 2], "y": [2, 1], "variance": "nw"}, "variance must be 'acf' or 'bartlett'"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        diebold_mariano_test(**arguments)
