"""Prediction-powered means against ppi_py, the package of its authors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.metrics import ppi_mean

N_LABELED, N = 500, 100_000
PPI_PY = "ppi_py"


def races() -> Iterator[Race]:
    rng = np.random.default_rng(4)
    truth = (rng.random(N) < 0.7).astype(float)
    judge = np.where(rng.random(N) < 0.85, truth, 1 - truth)
    human = np.where(np.arange(N) < N_LABELED, truth, np.nan)

    def by_ppi_py() -> Any:
        import ppi_py

        interval = ppi_py.ppi_mean_ci(truth[:N_LABELED], judge[:N_LABELED], judge[N_LABELED:], alpha=0.05, lam=1)
        return np.mean(interval)

    def agree(ours: Any, theirs: Any, _peer: str) -> None:
        np.testing.assert_allclose(ours.estimate, theirs, rtol=1e-9)

    yield Race(
        job=f"ppi_mean, {N_LABELED} labels of {N:,} answers, weight 1",
        ours=lambda: ppi_mean(human, judge, judge_weight=1.0),
        peers={PPI_PY: by_ppi_py},
        agree=agree,
        goal={},
    )
