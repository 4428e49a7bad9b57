"""Maximum mean discrepancy: the definition, its level, its invariances."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import EvalstatsError
from evalstats.shift import mmd_test


def samples(seed: int, shift: float = 0.0, n: int = 15, m: int = 12):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)), rng.normal(size=(m, 2)) + shift


def kernel(a, b, sigma):
    return np.exp(-((a - b) ** 2).sum() / (2 * sigma**2))


def test_statistic_is_what_the_definition_says():
    """Gretton et al. (2012), equations 5 and 3, term by term."""
    x, y = samples(1)
    result = mmd_test(x, y, bandwidth=1.3, n_resamples=9)
    m, n = len(x), len(y)
    xx = np.array([[kernel(a, b, 1.3) for b in x] for a in x])
    yy = np.array([[kernel(a, b, 1.3) for b in y] for a in y])
    xy = np.array([[kernel(a, b, 1.3) for b in y] for a in x])

    assert result.statistic == pytest.approx(xx.mean() + yy.mean() - 2 * xy.mean())
    unbiased = (xx.sum() - m) / (m * (m - 1)) + (yy.sum() - n) / (n * (n - 1)) - 2 * xy.mean()
    assert result.unbiased == pytest.approx(unbiased)


def test_default_bandwidth_is_the_median_distance():
    assert mmd_test([[0.0], [0.0]], [[3.0], [4.0]], n_resamples=9).bandwidth == 3


def test_pvalue_is_the_share_of_exchanges():
    from itertools import combinations

    x, y = np.array([[0.0], [0.2], [0.1]]), np.array([[1.0], [1.4], [0.9], [0.15]])
    both = np.vstack([x, y])

    def value(chosen):
        rest = [i for i in range(7) if i not in chosen]
        return mmd_test(both[list(chosen)], both[rest], bandwidth=0.5, n_resamples=1).statistic

    observed = value((0, 1, 2))
    exact = np.mean([value(chosen) >= observed - 1e-12 for chosen in combinations(range(7), 3)])

    assert mmd_test(x, y, bandwidth=0.5, n_resamples=20_000).pvalue == pytest.approx(exact, abs=0.01)


def test_level_and_power():
    """Of 200 pairs of one law about 10 are rejected at .05; more than 20 have a probability of 1e-3."""
    rejected = sum(mmd_test(*samples(seed), n_resamples=99, rng=seed).pvalue <= 0.05 for seed in range(200))

    assert rejected <= 20
    assert mmd_test(*samples(1, 2.0)).pvalue == 0.001


def test_exchange_of_the_samples_changes_nothing():
    x, y = samples(2, 0.5)
    one, other = mmd_test(x, y), mmd_test(y, x)

    assert one.statistic == pytest.approx(other.statistic)
    assert one.unbiased == pytest.approx(other.unbiased)
    assert one.pvalue == other.pvalue


@pytest.mark.parametrize("scale", [False, True])
def test_order_of_the_cases_changes_nothing(scale):
    x, y = samples(4, 0.5)
    one, other = mmd_test(x, y, scale=scale), mmd_test(x[::-1], np.roll(y, 3, axis=0), scale=scale)

    assert one.to_dict() == other.to_dict()


def test_units_do_not_matter_when_scaled():
    x, y = samples(3, 0.5)
    one, other = mmd_test(x, y, scale=True), mmd_test(x * [1, 1000], y * [1, 1000], scale=True)

    assert one.statistic == pytest.approx(other.statistic)
    assert one.pvalue == other.pvalue


@pytest.mark.parametrize(("bandwidth", "statistic"), [(1e-300, 1 / 20 + 1 / 30), (1e300, 0)])
def test_kernel_that_sees_no_differences_finds_none(bandwidth, statistic):
    """Each case is like itself alone, or like all: the squares of these numbers are none that a float holds."""
    rng = np.random.default_rng(3)
    result = mmd_test(rng.normal(size=(20, 2)), rng.normal(9, 1, size=(30, 2)), bandwidth=bandwidth, n_resamples=19)

    assert result.statistic == pytest.approx(statistic, abs=1e-12)
    assert result.pvalue == 1


def test_equal_cases_are_told():
    result = mmd_test(np.ones((4, 2)), np.ones((5, 2)))

    assert (result.statistic, result.pvalue) == (0.0, 1.0)
    assert "are equal" in result.reason


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"bandwidth": 0}, "bandwidth must be above 0"),
        ({"bandwidth": np.inf}, "bandwidth must be above 0"),
        ({"scale": 1}, "scale must be True or False"),
        ({"n_resamples": 0}, "n_resamples must be at least 1"),
    ],
)
def test_bad_choices_are_refused(choices, message):
    with pytest.raises(EvalstatsError, match=message):
        mmd_test(*samples(1), **choices)


def test_too_many_cases_are_refused_before_the_memory_is_full():
    with pytest.raises(EvalstatsError, match="at most 20,000 instances together"):
        mmd_test(np.zeros((20_000, 1)), np.zeros((1000, 1)))
