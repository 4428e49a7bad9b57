"""Posterior probabilities of one pair and of all pairs, against baycomp, which does one pair at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from benchmarks.timing import Race
from evalstats.bayes.correlated_t import bayes_pairwise_correlated_ttest
from evalstats.bayes.signed_rank import bayes_pairwise_signed_rank_test, bayes_signed_rank_test

BAYCOMP = "baycomp"
N_SAMPLES = 50_000
ROPE = 0.01
SHARE_OF_SAMPLES = 0.04
FIRST_PAIRS = 200  # of the correlated t-test


def signed_rank(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    import baycomp

    p = baycomp.SignedRankTest.probs(x, y, ROPE, nsamples=int(SHARE_OF_SAMPLES * N_SAMPLES), random_state=1)
    return np.array(p)  # x better, rope, y better


def correlated_t(scores: np.ndarray) -> np.ndarray:
    import baycomp

    pairs = islice(combinations(scores.T, 2), FIRST_PAIRS)
    return np.array([baycomp.CorrelatedTTest.probs(x, y, ROPE, runs=10) for x, y in pairs])


def our_signed_rank(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    result = bayes_signed_rank_test(x, y, rope=ROPE, ties="split", rng=1)
    return np.array([result.p_greater, result.p_rope, result.p_less])


def our_signed_rank_of_all_pairs(scores: np.ndarray) -> np.ndarray:
    result = bayes_pairwise_signed_rank_test(scores, rope=ROPE, ties="split", rng=1)
    return np.array([result.p_greater[0, 1], result.p_rope[0, 1], result.p_less[0, 1]])


def our_correlated_t(scores: np.ndarray) -> np.ndarray:
    result = bayes_pairwise_correlated_ttest(scores, rope=ROPE, correlation=0.1)
    pairs = np.triu_indices(scores.shape[1], 1)
    return np.stack([p[pairs] for p in (result.p_greater, result.p_rope, result.p_less)], axis=-1)


def agree_as_counts(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    np.testing.assert_allclose(here, there, rtol=0, atol=5 * np.sqrt(0.25 / (SHARE_OF_SAMPLES * N_SAMPLES)))


def agree(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    np.testing.assert_allclose(here[: len(there)], there, rtol=1e-10, atol=1e-14)


def races() -> Iterator[Race]:
    for n, goal in ((20, {}), (100, {BAYCOMP: 40})):
        x = np.random.default_rng(n).normal(0.8, 0.05, n)
        y = x + np.random.default_rng(1).normal(0.004, 0.03, n)
        yield Race(
            f"Bayesian signed rank, {N_SAMPLES:,} samples, {n} datasets",
            lambda x=x, y=y: our_signed_rank(x, y),
            {BAYCOMP: lambda x=x, y=y: signed_rank(x, y)},
            agree_as_counts,
            goal,
            {BAYCOMP: SHARE_OF_SAMPLES},
        )
    scores = np.random.default_rng(3).normal(0.8, 0.05, (100, 30))
    yield Race(
        f"Bayesian signed rank, {N_SAMPLES:,} samples, all 435 pairs of 30 classifiers, 100 datasets",
        lambda: our_signed_rank_of_all_pairs(scores),
        {BAYCOMP: lambda: signed_rank(scores[:, 0], scores[:, 1])},
        agree_as_counts,
        {BAYCOMP: 40},
        {BAYCOMP: SHARE_OF_SAMPLES / 435},
        rounds=1,
    )
    folds = np.random.default_rng(4).normal(0.8, 0.05, (100, 200))
    yield Race(
        "Bayesian correlated t, all 19,900 pairs of 200 classifiers, 100 folds",
        lambda: our_correlated_t(folds),
        {BAYCOMP: lambda: correlated_t(folds)},
        agree,
        {BAYCOMP: 100},
        {BAYCOMP: FIRST_PAIRS / 19_900},
    )
