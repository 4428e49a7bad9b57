from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from evalstats import wilcoxon_test
from evalstats.effects.dominance import cliffs_delta, rank_biserial, vargha_delaney_a
from evalstats.metrics import roc_auc_score

# data of the tests of R's effsize; the limits printed there are those of its defaults, t and the unbiased variance
TREATMENT = [10, 10, 20, 20, 20, 30, 30, 30, 40, 50]
CONTROL = [10, 20, 30, 40, 40, 50]
EFFSIZE_LIMITS = (-0.7265846, 0.3890062)

# share of intervals that must cover: what 4000 samples may fall short of 95% by chance, and by small samples
LEAST_COVERAGE = 0.935

samples = st.lists(st.integers(0, 6), min_size=1, max_size=9)


def signs(x: list[int], y: list[int]) -> np.ndarray:
    return np.sign(np.subtract.outer(np.array(x), np.array(y))).astype(float)


def feng_and_cliff(d: float, variance: float, quantile: float) -> list[float]:
    """Return the limits as they are printed."""
    root = quantile * math.sqrt(variance) * math.sqrt((1 - d * d) ** 2 + quantile**2 * variance)
    return [(d - d**3 + side * root) / (1 - d * d + quantile**2 * variance) for side in (-1, 1)]


def test_delta_by_hand() -> None:
    result = cliffs_delta([3, 5], [1, 3, 4])

    assert (result.n_greater, result.n_less, result.n_ties) == (4, 1, 1)
    assert result.estimate == 0.5
    assert vargha_delaney_a([3, 5], [1, 3, 4]).estimate == 0.75


def test_rank_biserial_by_hand() -> None:
    """Differences 1, -2, 3, 0: ranks 1, 2, 3; W+ = 4, W- = 2."""
    result = rank_biserial([2, 1, 6, 4], [1, 3, 3, 4])

    assert (result.rank_sum, result.rank_sum_negative, result.n_zero) == (4, 2, 1)
    assert result.estimate == (4 - 2) / 6


def test_published_delta_and_limits() -> None:
    """Our limits are those that effsize prints, but for the variance: Cliff's consistent one is never negative."""
    result = cliffs_delta(TREATMENT, CONTROL)
    matrix, d, quantile = signs(TREATMENT, CONTROL), -0.25, special.stdtrit(14, 0.975)
    rows, columns = (((matrix.mean(axis=axis) - d) ** 2).sum() for axis in (1, 0))
    unbiased = (6**2 * rows + 10**2 * columns - ((matrix - d) ** 2).sum()) / (10 * 6 * 9 * 5)

    assert (result.estimate, result.magnitude, result.magnitude_source) == (d, "small", "Romano et al. (2006)")
    assert feng_and_cliff(d, unbiased, quantile) == pytest.approx(EFFSIZE_LIMITS, abs=5e-8)
    ours = feng_and_cliff(d, result.standard_error**2, quantile)
    assert list(result.confidence_interval()) == pytest.approx(ours, rel=1e-13)


@given(samples, samples)
def test_delta_counts_all_pairs(x: list[int], y: list[int]) -> None:
    """The n^2 comparisons of the definition, and Cliff's (1996) variance from their matrix."""
    matrix, d = signs(x, y), signs(x, y).mean()
    n, m = matrix.shape

    result = cliffs_delta(x, y)

    assert result.estimate == pytest.approx(d, abs=1e-15)
    assert [result.n_greater, result.n_ties, result.n_less] == [np.sum(matrix == s) for s in (1, 0, -1)]
    if min(n, m) > 1 and matrix.any():
        rows, columns = (matrix.mean(axis=axis).var(ddof=1) for axis in (1, 0))
        cells = ((matrix - d) ** 2).sum() / ((n - 1) * (m - 1))
        variance = ((m - 1) * rows + (n - 1) * columns + cells) / (n * m)
        assert result.standard_error == pytest.approx(math.sqrt(variance), rel=1e-12)
    else:
        assert math.isnan(result.standard_error)
        assert result.reason is not None


@given(samples, samples)
def test_a_is_the_area_under_the_roc_curve(x: list[int], y: list[int]) -> None:
    labels = [1] * len(x) + [0] * len(y)

    assert vargha_delaney_a(x, y).estimate == pytest.approx(roc_auc_score(labels, x + y), abs=1e-15)


@given(samples, samples)
def test_a_is_a_linear_function_of_delta(x: list[int], y: list[int]) -> None:
    delta, a = cliffs_delta(x, y), vargha_delaney_a(x, y)

    assert a.estimate == pytest.approx((delta.estimate + 1) / 2, abs=1e-15)
    for method in ("consistent", "fisher"):
        limits = [(limit + 1) / 2 for limit in delta.confidence_interval(method=method)]
        np.testing.assert_allclose(list(a.confidence_interval(method=method)), limits, atol=1e-15)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=10))
def test_rank_biserial_is_that_of_the_wilcoxon_test(pairs: list[tuple[int, int]]) -> None:
    """And its projection is the row sums of the signs of all Walsh sums."""
    x, y = zip(*pairs, strict=True)
    result, test = rank_biserial(x, y), wilcoxon_test(x, y)
    d = np.subtract(x, y)[np.not_equal(x, y)]

    assert result.estimate == pytest.approx(test.rank_biserial, abs=1e-15)
    if len(d):
        assert result.rank_sum == test.statistic
    if len(d) > 1:
        sums = np.sign(np.add.outer(d, d)).sum(axis=1)
        expected = 2 * sums.std(ddof=1) / (math.sqrt(len(d)) * (len(d) + 1))
        assert result.standard_error == pytest.approx(expected, abs=1e-14)


def test_pairs_without_a_difference_change_nothing() -> None:
    x, y = [0.9, 0.8, 0.7, 0.9, 0.6], [0.8, 0.75, 0.72, 0.6, 0.52]
    here, there = rank_biserial(x, y), rank_biserial([*x, 0.5, 0.4], [*y, 0.5, 0.4])

    for method in ("consistent", "fisher"):
        assert tuple(here.confidence_interval(method=method)) == tuple(there.confidence_interval(method=method))
    assert (here.estimate, here.standard_error, there.n_zero) == (there.estimate, there.standard_error, 2)


def test_dominance_does_not_care_for_monotone_transformations() -> None:
    generator = np.random.default_rng(1)
    x, y = generator.normal(size=9), generator.normal(size=12)

    here, there = cliffs_delta(x, y), cliffs_delta(np.exp(x), np.exp(y))

    assert (here.estimate, here.standard_error) == (there.estimate, there.standard_error)


@pytest.mark.parametrize("shift", [0, 1, 2])
def test_interval_of_delta_covers_where_fishers_does_not(shift: float) -> None:
    """Two normal distributions of one variance: delta = 2 Phi(shift / sqrt 2) - 1."""
    generator = np.random.default_rng(5)
    delta = 2 * special.ndtr(shift / math.sqrt(2)) - 1
    result = cliffs_delta(generator.normal(shift, 1, (4000, 20)), generator.normal(0, 1, (4000, 15)))

    coverage = {}
    for method in ("consistent", "fisher"):
        low, high = result.confidence_interval(method=method)
        coverage[method] = np.mean((low <= delta) & (delta <= high))

    assert coverage["consistent"] > LEAST_COVERAGE
    assert coverage["fisher"] < (0.96, 0.93, 0.80)[shift]


@pytest.mark.parametrize("shift", [0, 0.5, 1])
def test_interval_of_rank_biserial_covers_where_fishers_does_not(shift: float) -> None:
    """Normal differences: the sum of two is positive with probability Phi(shift sqrt 2)."""
    generator = np.random.default_rng(6)
    r = 2 * special.ndtr(shift * math.sqrt(2)) - 1
    result = rank_biserial(generator.normal(shift, 1, (4000, 20)), np.zeros(20))

    coverage = {}
    for method in ("consistent", "fisher"):
        low, high = result.confidence_interval(method=method)
        coverage[method] = np.mean((low <= r) & (r <= high))

    assert coverage["consistent"] > LEAST_COVERAGE
    assert coverage["fisher"] < (0.95, 0.91, 0.80)[int(2 * shift)]


@given(samples, samples)
def test_intervals_stay_in_the_range_around_the_estimate(x: list[int], y: list[int]) -> None:
    for result, low, high in ((cliffs_delta(x, y), -1, 1), (vargha_delaney_a(x, y), 0, 1)):
        for method in ("consistent", "fisher"):
            interval = result.confidence_interval(method=method)
            if not math.isnan(interval.low):
                assert low <= interval.low <= result.estimate + 1e-15
                assert result.estimate - 1e-15 <= interval.high <= high


def test_no_overlap_has_the_interval_of_a_proportion_of_one() -> None:
    """Wilson's limit for p = 1 of the smaller sample of 3, with t of 5 degrees of freedom, as 2 p - 1."""
    result = cliffs_delta([4, 5, 6, 7], [1, 2, 3])
    q = special.stdtrit(5, 0.975) ** 2

    assert (result.estimate, result.standard_error) == (1, 0)
    assert "above every value" in result.reason
    assert tuple(result.confidence_interval()) == (pytest.approx((3 - q) / (3 + q)), 1)
    assert tuple(cliffs_delta([1, 2, 3], [4, 5, 6, 7]).confidence_interval()) == (-1, pytest.approx((q - 3) / (3 + q)))


def test_all_pairs_above_have_the_interval_of_a_proportion_of_one() -> None:
    result = rank_biserial([4, 5, 6, 7], [1, 2, 3, 3])
    q = special.stdtrit(3, 0.975) ** 2

    assert (result.estimate, result.standard_error) == (1, 0)
    assert "has the higher score in every pair" in result.reason
    assert tuple(result.confidence_interval()) == (pytest.approx((4 - q) / (4 + q)), 1)


def test_one_value_has_an_effect_and_no_standard_error() -> None:
    for result in (cliffs_delta([5], [4, 5, 6]), cliffs_delta([5], [4]), rank_biserial([5], [4])):
        assert math.isnan(result.standard_error)
        assert math.isnan(result.confidence_interval().low)
        assert "variance cannot be estimated" in result.reason
    assert not math.isnan(cliffs_delta([5], [4, 5, 6]).confidence_interval(method="fisher").low)


def test_large_samples_take_one_sort() -> None:
    """200,000 x 200,000 comparisons would be 40 billion."""
    generator = np.random.default_rng(9)
    x, y = generator.normal(1, 1, 200_000), generator.normal(0, 1, 200_000)

    result = cliffs_delta(x, y)

    assert result.estimate == pytest.approx(2 * special.ndtr(1 / math.sqrt(2)) - 1, abs=5 * result.standard_error)
    assert result.n_greater + result.n_less + result.n_ties == 200_000**2


def test_unknown_method_is_refused() -> None:
    for result in (cliffs_delta([1, 2], [3, 2]), rank_biserial([1, 2], [3, 1])):
        with pytest.raises(ValueError, match="method must be 'consistent' or 'fisher', not 'wald'"):
            result.confidence_interval(method="wald")
