"""The diagnostics see what they are for."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.bayes.mcmc_diagnostics import bulk_effective_sample_size, mean_effective_sample_size, split_rhat


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
