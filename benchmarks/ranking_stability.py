"""Stability of the ranking of 20 classifiers on 1000 instances in 10,000 resamples, against a loop with SciPy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.timing import Race
from evalstats.multiple import ranking_stability

N, K, N_RESAMPLES, OF_LOOP = 1000, 20, 10_000, 500
LOOP = "numpy loop, scipy's rankdata and kendalltau"


def races() -> Iterator[Race]:
    rng = np.random.default_rng(1)
    scores = rng.normal(0, 0.3, (N, K)) + np.linspace(0, 0.1, K)

    def by_loop() -> Any:
        draw, full = np.random.default_rng(2), stats.rankdata(-scores.mean(axis=0), method="min")
        drawn = (stats.rankdata(-scores[draw.integers(0, N, N)].mean(axis=0), method="min") for _ in range(OF_LOOP))
        return np.array([[(ranks == 1).sum(), stats.kendalltau(ranks, full).statistic] for ranks in drawn])

    def agree(ours: Any, theirs: np.ndarray, _peer: str) -> None:
        """Means of other random resamples: five standard errors."""
        error = theirs[:, 1].std() / np.sqrt(OF_LOOP)
        assert abs(ours.mean_tau - theirs[:, 1].mean()) < 5 * error

    for rule, limit in (("mean", 2.0), ("mean-rank", 2.0), ("median", 8.0)):
        yield Race(
            job=f"ranking_stability, {N} x {K}, {N_RESAMPLES:,} resamples, rule {rule}",
            ours=lambda rule=rule: ranking_stability(scores, rule=rule, n_resamples=N_RESAMPLES),
            peers={LOOP: by_loop} if rule == "mean" else {},
            agree=agree,
            goal={LOOP: 2} if rule == "mean" else {},
            shares={LOOP: OF_LOOP / N_RESAMPLES},
            rounds=3,
            limit=limit,
        )
