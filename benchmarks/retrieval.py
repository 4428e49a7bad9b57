"""Tests of retrieval systems on paired queries, against ranx, which tests one pair, and a loop over permutations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.paired import permutation_test
from evalstats.pairwise import pairwise_max_t_test

N_QUERIES, N_SYSTEMS, N_RESAMPLES = 250, 30, 9_999
RANX, LOOP = "ranx's fisher_randomization_test, compiled", "numpy loop over permutations"


def races() -> Iterator[Race]:
    rng = np.random.default_rng(6)
    ability = rng.normal(0, 0.01, N_SYSTEMS)
    scores = np.clip(rng.beta(2, 3, (N_QUERIES, 1)) + rng.normal(ability, 0.1, (N_QUERIES, N_SYSTEMS)), 0, 1)
    x, y = scores[:, 0].copy(), scores[:, 1].copy()

    def by_ranx() -> Any:
        from ranx.statistical_tests.fisher_randomization_test import fisher_randomization_test

        return fisher_randomization_test(x, y, n_permutations=N_RESAMPLES)[0]

    def within_simulation(ours: Any, theirs: Any, _peer: str) -> None:
        np.testing.assert_allclose(ours.pvalue, theirs, atol=0.03)  # six standard errors

    yield Race(
        job=f"randomization test of 2 systems, {N_QUERIES} queries, {N_RESAMPLES:,} permutations",
        ours=lambda: permutation_test(x, y, method="monte-carlo", n_resamples=N_RESAMPLES),
        peers={RANX: by_ranx},
        agree=within_simulation,
        goal={},
    )

    share = 0.1

    def by_loop() -> Any:
        means = scores.mean(axis=0)
        observed = np.abs(means[:, None] - means)
        at_least = np.zeros_like(observed)
        n = round(share * N_RESAMPLES)
        for _ in range(n):
            shuffled = rng.permuted(scores, axis=1).mean(axis=0)
            at_least += np.ptp(shuffled) >= observed
        return (at_least + 1) / (n + 1)

    def agree(ours: Any, theirs: Any, _peer: str) -> None:
        pairs = np.triu_indices(N_SYSTEMS, 1)
        np.testing.assert_allclose(np.asarray(ours.pvalue)[pairs], theirs[pairs], atol=0.1)  # of 999 permutations

    yield Race(
        job=f"randomized Tukey HSD test, {N_QUERIES} queries x {N_SYSTEMS} systems, {N_RESAMPLES:,} permutations",
        ours=lambda: pairwise_max_t_test(scores, method="range", n_resamples=N_RESAMPLES),
        peers={LOOP: by_loop},
        agree=agree,
        goal={},
        shares={LOOP: share},
    )
