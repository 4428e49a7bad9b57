"""The parts of the sampler draw from what they say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import trapezoid

from evalstats.bayes import hierarchical_model
from evalstats.bayes.hierarchical_model import (
    LOG_DF_RANGE,
    _gamma_above,
    _log_prior_of_log_df,
    _slice,
    _truncated_normal,
    bulk_effective_sample_size,
    mean_effective_sample_size,
    split_rhat,
)


def test_prior_of_the_degrees_of_freedom_is_a_mixture_of_gammas() -> None:
    """Against the double sum over a fine grid of shapes and rates."""
    shape, rate = np.linspace(0.5, 5, 801)[:, None], np.linspace(0.05, 0.15, 401)
    log_df, log_prior = _log_prior_of_log_df((0.5, 5), (0.05, 0.15))

    for x in (0.1, 1.0, 10.0, 60.0):
        density = stats.gamma.pdf(x, shape, scale=1 / rate)
        mean = trapezoid(trapezoid(density, rate, axis=1), shape.ravel()) / (4.5 * 0.1)
        # the table is of log(x), up to a constant: 1 / (4.5 * 0.1) is in it neither
        at = np.interp(np.log(x), log_df, log_prior)
        reference = np.interp(np.log(20.0), log_df, log_prior)
        at_20 = trapezoid(trapezoid(stats.gamma.pdf(20, shape, scale=1 / rate), rate, axis=1), shape.ravel())
        assert at - reference == pytest.approx(np.log(mean * x * 0.45 / (at_20 * 20)), abs=2e-4)


def test_prior_has_next_to_nothing_outside_its_table() -> None:
    log_df, log_prior = _log_prior_of_log_df((0.5, 5), (0.05, 0.15))
    density = np.exp(log_prior)

    assert (log_df[0], log_df[-1]) == LOG_DF_RANGE
    assert density[0] / 0.5 < 1e-7 * trapezoid(density, log_df)
    assert density[-1] == 0


def test_slice_sampling_draws_from_its_density() -> None:
    """A gamma distribution on the scale of its logarithm, in 4000 chains of 20 steps."""
    rng = np.random.default_rng(0)
    point = np.zeros(4000)
    for _ in range(20):
        point = _slice(lambda t: 3 * t - np.exp(t), point, -30.0, 9.0, rng)

    assert stats.kstest(np.exp(point), stats.gamma(3).cdf).pvalue > 1e-3


@pytest.mark.parametrize(("mean", "sd"), [(0.0, 0.1), (0.5, 3.0), (0.9, 0.5)])
def test_truncated_normal_is_one(mean: float, sd: float) -> None:
    rng = np.random.default_rng(1)
    draws = _truncated_normal(np.full(5000, mean), np.full(5000, sd), 1.0, rng)
    law = stats.truncnorm((-1 - mean) / sd, (1 - mean) / sd, mean, sd)

    assert stats.kstest(draws, law.cdf).pvalue > 1e-3


@pytest.mark.parametrize("bound", [2.0, 40.0, 600.0])
def test_gamma_above_a_bound_is_truncated(bound: float) -> None:
    """However rarely a free draw is above it."""
    draws = _gamma_above(bound, 3.0, np.ones(5000), np.random.default_rng(2))
    law = stats.gamma(3)

    assert stats.kstest(draws, lambda x: -np.expm1(law.logsf(x) - law.logsf(bound))).pvalue > 1e-3


def test_prior_bounds_are_the_published_ones() -> None:
    """Corani et al. (2017): a thousand times the standard deviations."""
    assert hierarchical_model.LARGEST_SCALE == 1000


def autoregressive(rho: float, n: int, seed: int = 0) -> np.ndarray:
    """Four stationary chains whose draws have the correlation rho with the one before."""
    rng = np.random.default_rng(seed)
    chains = rng.standard_normal((4, n))
    for t in range(1, n):
        chains[:, t] = rho * chains[:, t - 1] + np.sqrt(1 - rho**2) * chains[:, t]
    return chains


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_autoregressive_chains_are_worth_what_theory_says(rho: float) -> None:
    """On average over seeds: one estimate is off by a tenth easily."""
    runs = [autoregressive(rho, 5000, seed) for seed in range(8)]
    expected = 20_000 * (1 - rho) / (1 + rho)

    assert np.mean([bulk_effective_sample_size(run) for run in runs]) == pytest.approx(expected, rel=0.1)
    assert np.mean([mean_effective_sample_size(run) for run in runs]) == pytest.approx(expected, rel=0.1)
    assert np.mean([split_rhat(run) for run in runs]) < 1.01


def test_alternating_chains_are_worth_more_than_their_number() -> None:
    assert mean_effective_sample_size(autoregressive(-0.5, 5000)) > 25_000


def test_rhat_without_ranks_by_hand() -> None:
    """Normal scores of 1, ..., 8 in four halves of two: within and between variance by hand."""
    from scipy.stats import norm

    scores = norm.ppf((np.arange(1, 9) - 0.375) / 8.25).reshape(4, 2)
    within, between = scores.var(axis=1, ddof=1).mean(), scores.mean(axis=1).var(ddof=1)

    # chains 1 2 5 6 and 3 4 7 8: the halves are 1 2, 3 4, 5 6, 7 8
    assert split_rhat(np.array([[1, 2, 5, 6], [3, 4, 7, 8.0]])) == pytest.approx(np.sqrt(0.5 + between / within))


@pytest.mark.parametrize("change", ["location", "scale", "drift"])
def test_chains_that_disagree_are_found(change: str) -> None:
    chains = autoregressive(0, 1000)
    if change == "location":
        chains[0] += 1
    elif change == "scale":
        chains[0] *= 3
    else:
        chains += np.linspace(0, 2, 1000)

    assert split_rhat(chains) > 1.05


def test_monotone_transformations_do_not_matter() -> None:
    chains = autoregressive(0.5, 500)

    assert split_rhat(np.exp(9 * chains)) == pytest.approx(split_rhat(chains), abs=0.002)
    assert bulk_effective_sample_size(np.exp(9 * chains)) == pytest.approx(
        bulk_effective_sample_size(chains), rel=1e-12
    )


def test_constant_chains_agree() -> None:
    chains = np.ones((4, 10))

    assert (split_rhat(chains), bulk_effective_sample_size(chains)) == (1, 40)
