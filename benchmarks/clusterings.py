"""Scores of clusters in many runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import metrics

from benchmarks.timing import Race
from evalstats import agreement

N_RUNS, N_CASES, N_CLUSTERS, N_FOR_LOOP = 10_000, 1_000, 10, 100
SCORES = {"adjusted_rand_score": 40, "v_measure_score": 40, "adjusted_mutual_info_score": 20}


def races() -> Iterator[Race]:
    rng = np.random.default_rng(1985)
    y, runs = rng.integers(0, N_CLUSTERS, N_CASES), rng.integers(0, N_CLUSTERS, (N_RUNS, N_CASES))

    def agree(mine: Any, theirs: list[float], _: str) -> None:
        np.testing.assert_allclose(mine[: len(theirs)], theirs, atol=1e-12)

    for name, goal in SCORES.items():
        ours, theirs = getattr(agreement, name), getattr(metrics, name)
        yield Race(
            job=f"{name} of {N_RUNS:,} runs, {N_CASES:,} cases in {N_CLUSTERS} clusters",
            ours=lambda ours=ours: ours(y, runs),
            peers={"scikit-learn loop": lambda theirs=theirs: [theirs(y, own) for own in runs[:N_FOR_LOOP]]},
            agree=agree,
            goal={"scikit-learn loop": goal},
            shares={"scikit-learn loop": N_FOR_LOOP / N_RUNS},
        )
