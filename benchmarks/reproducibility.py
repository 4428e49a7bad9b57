"""Overlap of all pairs and the stopping rules, against one pair at a time and everything again after every run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.reproducibility import KolmogorovSmirnov, RankCorrelation, overlap_matrix

PAIR_BY_PAIR = "numpy, pair by pair"
SPEARMANR = "scipy spearmanr of the means, again after every run"
KS_2SAMP = "scipy ks_2samp, again after every second run"


def win_shares(runs: np.ndarray) -> np.ndarray:
    pairs = combinations(runs.T, 2)
    return np.array([np.mean((x > y) + 0.5 * (x == y)) for x, y in pairs])


def agree_on_shares(here: Any, there: np.ndarray, _peer: str) -> None:
    first, second = np.triu_indices(len(here.win_share), 1)
    np.testing.assert_allclose(here.win_share[first, second], there, rtol=0, atol=1e-15)


def correlations(probabilities: np.ndarray) -> np.ndarray:
    rule, seen = RankCorrelation(1 - 1e-15), []
    for run in probabilities:
        rule.update(run)
        seen.append(rule.correlation)
    return np.array(seen[1:], dtype=np.float64)


def correlations_again(probabilities: np.ndarray, step: int) -> np.ndarray:
    """Every `step`-th of them: a share of the work, spread over short and long histories."""
    from scipy.stats import spearmanr

    ns = range(1 + step // 2, len(probabilities), step)
    means = [(probabilities[:n].mean(axis=0), probabilities[: n + 1].mean(axis=0)) for n in ns]
    return np.array([spearmanr(before, now).statistic for before, now in means])


def distances(estimates: np.ndarray) -> np.ndarray:
    rule, seen = KolmogorovSmirnov(1e-12), []
    for estimate in estimates:
        rule.update(estimate)
        seen.append(rule.distance)
    return np.array(seen[1::2], dtype=np.float64)


def distances_again(estimates: np.ndarray, step: int) -> np.ndarray:
    from scipy.stats import ks_2samp

    ns = range(2 * step, len(estimates) + 1, 2 * step)
    return np.array([ks_2samp(estimates[:n:2], estimates[1:n:2], method="asymp").statistic for n in ns])


def races() -> Iterator[Race]:
    rng = np.random.default_rng(0)
    runs = rng.normal(size=(500, 200)).round(3)
    yield Race(
        job="overlap_matrix, 200 classifiers x 500 runs",
        ours=lambda: overlap_matrix(runs),
        peers={PAIR_BY_PAIR: lambda: win_shares(runs)},
        agree=agree_on_shares,
        goal={PAIR_BY_PAIR: 5},
    )

    step = 25
    probabilities = np.clip(rng.random(10_000) + rng.normal(0, 0.2, size=(500, 10_000)), 0, 1)

    def agree_on_correlations(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
        np.testing.assert_allclose(here[step // 2 :: step], there, rtol=0, atol=1e-13)

    yield Race(
        job="RankCorrelation, 500 runs x 10,000 instances",
        ours=lambda: correlations(probabilities),
        peers={SPEARMANR: lambda: correlations_again(probabilities, step)},
        agree=agree_on_correlations,
        goal={SPEARMANR: 10},
        shares={SPEARMANR: 1 / step},
        rounds=3,
    )

    estimates = rng.normal(0.8, 0.02, size=5000)

    def agree_on_distances(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
        np.testing.assert_allclose(here[step - 1 :: step], there, rtol=0, atol=1e-15)

    yield Race(
        job="KolmogorovSmirnov, 5000 runs",
        ours=lambda: distances(estimates),
        peers={KS_2SAMP: lambda: distances_again(estimates, step)},
        agree=agree_on_distances,
        goal={KS_2SAMP: 10},
        shares={KS_2SAMP: 1 / step},
        rounds=3,
    )
