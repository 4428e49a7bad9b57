from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats.mstats import hdquantiles

from evalstats.effects import quantiles
from evalstats.effects.quantiles import akinshin_gamma, harrell_davis
from evalstats.effects.standardized import cohen_d

CONSISTENCY = 1.482602218505602
DECILES = np.arange(1, 10) / 10

samples = st.lists(st.floats(0, 1).map(lambda v: round(v, 3)), min_size=2, max_size=12)


def gamma(x: list[float], y: list[float], p: float) -> float:
    """Akinshin (2020), with the sign turned: Hmisc's hdquantile is scipy's hdquantiles."""

    def quantile(values: np.ndarray, p: float) -> float:
        return float(hdquantiles(values, [p])[0])

    def mad(values: np.ndarray) -> float:
        return CONSISTENCY * quantile(np.abs(values - quantile(values, 0.5)), 0.5)

    a, b = np.array(x), np.array(y)
    pooled = ((len(a) - 1) * mad(a) ** 2 + (len(b) - 1) * mad(b) ** 2) / (len(a) + len(b) - 2)
    return (quantile(a, p) - quantile(b, p)) / math.sqrt(pooled)


def test_two_samples_of_two_by_hand() -> None:
    """The Harrell-Davis median of two values is their mean; both deviations are 1, so PMAD = 1.4826."""
    result = akinshin_gamma([4, 6], [1, 3], n_resamples=99, rng=0)

    assert result.estimate == pytest.approx(3 / CONSISTENCY, rel=1e-14)


@given(samples, samples, st.sampled_from([0.05, 0.25, 0.5, 0.9]))
def test_gamma_is_that_of_its_author_on_the_quantiles_of_scipy(x: list[float], y: list[float], p: float) -> None:
    result = akinshin_gamma(x, y, quantile=p, n_resamples=19, rng=0)

    if len(set(x)) > 1 or len(set(y)) > 1:
        assert result.estimate == pytest.approx(gamma(x, y, p), rel=1e-9, abs=1e-9)


@given(samples)
def test_harrell_davis_quantiles_are_those_of_scipy(x: list[float]) -> None:
    np.testing.assert_allclose(harrell_davis(np.array(x), DECILES), hdquantiles(x, DECILES), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("x", [[0.81, 0.84, 0.79, 0.9, 0.85], [0.3, 0.3, 0.7, 0.1], [2.0, 5.0, 5.0]])
def test_harrell_davis_quantiles_are_means_over_all_resamples(x: list[float]) -> None:
    """Of the r-th smallest of n values, over all n^n resamples, for p = r / (n + 1): no beta function at all."""
    n = len(x)
    resamples = np.sort(list(itertools.product(x, repeat=n)), axis=1)

    found = harrell_davis(np.array(x), np.arange(1, n + 1) / (n + 1))

    np.testing.assert_allclose(found, resamples.mean(axis=0), rtol=1e-12)


def test_median_deviation_is_the_standard_deviation_of_normal_values() -> None:
    assert pytest.approx(1 / stats.norm.ppf(0.75), rel=1e-15) == quantiles.CONSISTENCY


def test_gamma_is_cohens_d_for_normal_distributions() -> None:
    generator = np.random.default_rng(1)
    x, y = generator.normal(1, 2, 40_000), generator.normal(0, 2, 40_000)

    result = akinshin_gamma(x, y, quantile=[0.2, 0.5, 0.8], n_resamples=19, rng=1)

    np.testing.assert_allclose(result.estimate, 0.5, atol=0.03)


def test_outlier_moves_gamma_less_than_d() -> None:
    """One of 30 scores is at -50: d changes its sign, gamma hardly its value."""
    generator = np.random.default_rng(1)
    x, y = generator.normal(1, 1, 30), generator.normal(0, 1, 30)
    outlier = np.append(x[:-1], -50)

    here, there = (akinshin_gamma(v, y, n_resamples=19, rng=1).estimate for v in (x, outlier))

    assert there == pytest.approx(here, rel=0.1)
    assert cohen_d(outlier, y).estimate < 0 < cohen_d(x, y).estimate


def test_several_quantiles_are_the_last_axis() -> None:
    generator = np.random.default_rng(2)
    x, y = generator.normal(size=(3, 1, 8)), generator.normal(size=(4, 10))

    several = akinshin_gamma(x, y, quantile=DECILES, n_resamples=49, rng=5)

    assert several.estimate.shape == several.standard_error.shape == several.reason.shape == (3, 4, 9)
    assert several.magnitude.shape == several.confidence_interval().low.shape == (3, 4, 9)
    one = akinshin_gamma(x, y, quantile=0.3, n_resamples=49, rng=5)
    np.testing.assert_array_equal(several.estimate[..., 2], one.estimate)
    np.testing.assert_array_equal(several.standard_error[..., 2], one.standard_error)


def test_seed_gives_the_same_numbers() -> None:
    x, y = [0.81, 0.84, 0.79, 0.90, 0.83], [0.78, 0.82, 0.80, 0.84, 0.79]
    first, second, other = (akinshin_gamma(x, y, n_resamples=199, rng=seed) for seed in (1, 1, 2))

    assert tuple(first.confidence_interval()) == tuple(second.confidence_interval())
    assert first.standard_error == second.standard_error or math.isnan(first.standard_error)
    assert tuple(first.confidence_interval()) != tuple(other.confidence_interval())
    assert first.estimate == other.estimate


def test_interval_is_made_of_resamples() -> None:
    """19 resamples: the 90% limits are the least and the greatest. The sample with the least value is drawn first."""
    x, y = np.array(sorted(np.sort(np.random.default_rng(4).normal(size=(2, 12))).tolist()))
    generator = np.random.default_rng(7)
    of_x, of_y = generator.integers(12, size=(19, 12)), generator.integers(12, size=(19, 12))
    replicates = [gamma(x[i], y[j], 0.5) for i, j in zip(of_x, of_y, strict=True)]

    result = akinshin_gamma(x[::-1], y, n_resamples=19, rng=7)

    low, high = result.confidence_interval(0.9)
    assert (low, high) == (pytest.approx(min(replicates)), pytest.approx(max(replicates)))
    assert result.standard_error == pytest.approx(np.std(replicates, ddof=1))


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize(("n_resamples", "level", "place"), [(19, 0.9, 1), (99, 0.9, 5), (99, 0.5, 25), (199, 0.95, 5)])
def test_limits_are_the_values_at_the_places_of_their_shares(
    n_resamples: int, level: float, place: int, paired: bool
) -> None:
    """The B resamples divide the line into B + 1 parts of equal probability (Davison & Hinkley 1997, section 5.2.1)."""
    x, y = np.sort(np.random.default_rng(4).normal(size=(2, 8)))  # draws follow the order of the values
    generator = np.random.default_rng(7)
    of_x = generator.integers(8, size=(n_resamples, 8))
    of_y = of_x if paired else generator.integers(8, size=(n_resamples, 8))
    replicates = sorted(gamma(x[i], y[j], 0.3) for i, j in zip(of_x, of_y, strict=True))

    result = akinshin_gamma(x, y, quantile=0.3, paired=paired, n_resamples=n_resamples, rng=7)
    low, high = result.confidence_interval(level, method="percentile")

    assert (low, high) == (pytest.approx(replicates[place - 1]), pytest.approx(replicates[-place]))


@pytest.mark.parametrize("paired", [False, True])
def test_expanded_limits_are_farther_out_than_the_level(paired: bool) -> None:
    """Hesterberg (2015): t_0.05 sqrt(n / (n - 1)) of the normal distribution, with n pairs or half of both samples."""
    x, y = np.random.default_rng(4).normal(size=(2, 6))
    result = akinshin_gamma(x, y, paired=paired, n_resamples=9999, rng=7)
    df = 5 if paired else 10
    place = round(10_000 * stats.norm.cdf(stats.t.ppf(0.05, df) * math.sqrt(6 / 5)))

    low, high = result.confidence_interval(0.9)

    assert (low, high) == (result._replicates[place - 1], result._replicates[-place])
    percentile = result.confidence_interval(0.9, method="percentile")
    assert low < percentile.low < percentile.high < high


def test_fewer_than_five_values_have_no_interval() -> None:
    result = akinshin_gamma([0.81, 0.84, 0.79, 0.90], [0.78, 0.82, 0.80, 0.84, 0.79], rng=1)

    assert np.isnan([*result.confidence_interval()]).all()
    assert np.isfinite([*result.confidence_interval(method="percentile")]).all()
    assert "fewer than 5 values" in result.reason


@pytest.mark.sampled
@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
@pytest.mark.parametrize("paired", [False, True])
def test_interval_is_the_percentile_interval_of_all_resamples(paired: bool, level: float) -> None:
    """All 4^4 resampled pairs, or all 3^3 x 3^3 pairs of resamples; infinite where nothing varies."""
    n = 4 if paired else 3
    x, y = np.array([[0.81, 0.84, 0.79, 0.9], [0.78, 0.8, 0.77, 0.83]])[:, :n]
    places = list(itertools.product(range(n), repeat=n))
    drawn = [(i, i) for i in places] if paired else itertools.product(places, places)

    def of(a: np.ndarray, b: np.ndarray) -> float:
        return gamma(a, b, 0.5) if np.ptp(a) or np.ptp(b) else math.copysign(math.inf, a[0] - b[0])

    values = np.sort([of(x[list(i)], y[list(j)]) for i, j in drawn])
    n_resamples, share = 5000, (1 - level) / 2
    about = 5 * np.sqrt(share * (1 - share) / n_resamples)

    result = akinshin_gamma(x, y, paired=paired, n_resamples=n_resamples, rng=5)
    limits = result.confidence_interval(level, method="percentile")

    for limit, at in zip(limits, (share, 1 - share), strict=True):
        least, most = (values[round(s * (len(values) - 1))] for s in (at - about, at + about))
        assert least - 1e-9 <= limit <= most + 1e-9


def test_resampled_pairs_keep_what_they_have_in_common() -> None:
    """Scores of 30 datasets that differ more than the classifiers do: the interval of pairs is much narrower."""
    generator = np.random.default_rng(8)
    y = generator.normal(0, 5, 30)
    x = y + generator.normal(1, 0.5, 30)

    low, high = akinshin_gamma(x, y, paired=True, rng=1).confidence_interval()
    wide_low, wide_high = akinshin_gamma(x, y, rng=1).confidence_interval()

    assert high - low < (wide_high - wide_low) / 2


def test_interval_covers() -> None:
    """400 samples of 20 and 20 with an effect of 1; in 2,000 such samples 95% of the intervals cover it."""
    generator = np.random.default_rng(3)
    result = akinshin_gamma(
        generator.normal(1, 1, (400, 20)), generator.normal(0, 1, (400, 20)), n_resamples=399, rng=3
    )

    low, high = result.confidence_interval()

    assert np.mean((low <= 1) & (high >= 1)) == pytest.approx(0.95, abs=0.035)


def test_difference_without_variance_is_infinite_and_says_why() -> None:
    result = akinshin_gamma([0.3, 0.1 + 0.2], [0.2, 0.2], n_resamples=19)

    assert result.estimate == math.inf
    assert "there is no variance" in result.reason
    assert np.isnan([result.standard_error, *result.confidence_interval()]).all()


def test_resamples_without_variance_leave_no_standard_error() -> None:
    result = akinshin_gamma([1, 2], [3, 5], n_resamples=199, rng=1)

    assert math.isnan(result.standard_error)
    assert "some bootstrap samples" in result.reason
    assert result.confidence_interval(method="percentile").low == -math.inf
    assert math.isnan(result.confidence_interval().low)


def test_wrong_choices_are_refused() -> None:
    x, y = [1, 2, 3], [2, 3, 5]
    for choices, message in (
        ({"quantile": 1.0}, "quantile must lie between 0 and 1, not 1.0"),
        ({"quantile": [0.5, -0.1]}, "quantile must lie between 0 and 1, not -0.1"),
        ({"quantile": []}, "quantile must be a number or a list of numbers"),
        ({"n_resamples": 5}, "n_resamples must be at least 19, not 5"),
    ):
        with pytest.raises(ValueError, match=message):
            akinshin_gamma(x, y, **choices)
    with pytest.raises(TypeError, match="paired must be True or False"):
        akinshin_gamma(x, y, paired=1)
    with pytest.raises(TypeError, match="rng must be None"):
        akinshin_gamma(x, y, rng="seed")


def test_scores_near_the_largest_float_have_the_effect_of_small_ones() -> None:
    x, y = np.array([1.5, -1.5, 1.0, 0.25, 1.25]), np.array([-1.0, -1.5, -0.5, -1.25, 1.0])
    huge, small = (akinshin_gamma(x * unit, y * unit, n_resamples=99, rng=1) for unit in (2.0**1023, 1.0))

    assert huge.estimate == small.estimate
    assert huge.standard_error == pytest.approx(small.standard_error, nan_ok=True)


def test_standard_error_of_huge_effects_is_finite() -> None:
    x = np.array([1, 2, 3, 5, 8]) * 1e-300
    result = akinshin_gamma(x, np.ones(5), n_resamples=19, rng=0)

    assert 0 < result.standard_error < math.inf
