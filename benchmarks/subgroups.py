"""Differences of two classifiers in 50 subgroups of a million instances, against statsmodels' meta-analysis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.paired import subgroup_test

N, K = 1_000_000, 50
STATSMODELS = "loop over subgroups and statsmodels' combine_effects"


def races() -> Iterator[Race]:
    rng = np.random.default_rng(1)
    group = rng.integers(0, K, N)
    x, y = (rng.random(N) < 0.8 for _ in range(2))

    def by_loop() -> Any:
        from statsmodels.stats.meta_analysis import combine_effects

        parts = [x[group == g].astype(float) - y[group == g] for g in range(K)]
        return combine_effects(np.array([d.mean() for d in parts]), np.array([d.var() / d.size for d in parts]))

    def agree(ours: Any, theirs: Any, _peer: str) -> None:
        np.testing.assert_allclose(ours.statistic, theirs.q, rtol=1e-9)

    yield Race(
        job=f"Interaction of {N:,} instances in {K} subgroups",
        ours=lambda: subgroup_test(x, y, group, method="asymptotic"),
        peers={STATSMODELS: by_loop},
        agree=agree,
        goal={},
        rounds=3,
        limit=1.0,
    )
