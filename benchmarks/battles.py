"""Strengths of models in battles, with cluster-robust standard errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.multiple import bradley_terry_from_battles

N_BATTLES, N_MODELS, N_PROMPTS = 20_000, 30, 4_000


def races() -> Iterator[Race]:
    rng = np.random.default_rng(1952)
    strength = rng.normal(size=N_MODELS)
    a = rng.integers(0, N_MODELS, N_BATTLES)
    b = (a + rng.integers(1, N_MODELS, N_BATTLES)) % N_MODELS
    wins = (rng.random(N_BATTLES) < 1 / (1 + np.exp(strength[b] - strength[a]))).astype(float)
    prompts = rng.integers(0, N_PROMPTS, N_BATTLES)

    def by_statsmodels() -> Any:
        import statsmodels.api as sm

        rows, design = np.arange(N_BATTLES), np.zeros((N_BATTLES, N_MODELS))
        design[rows, a] += 1
        design[rows, b] -= 1
        model = sm.GLM(wins, design[:, 1:], family=sm.families.Binomial())
        return model.fit(cov_type="cluster", cov_kwds={"groups": prompts, "use_correction": False})

    def by_choix() -> Any:
        import choix

        first, second = np.where(wins == 1, (a, b), (b, a)).tolist()
        return choix.opt_pairwise(N_MODELS, list(zip(first, second, strict=True)), alpha=0.0)

    def agree(mine: Any, theirs: Any, name: str) -> None:
        if name.startswith("choix"):  # strengths only: it has no covariance
            np.testing.assert_allclose(mine.estimate, theirs - theirs.mean(), atol=1e-3)
            return
        np.testing.assert_allclose(mine.differences[1:, 0], theirs.params, atol=1e-6)
        np.testing.assert_allclose(mine.differences_standard_error[1:, 0], theirs.bse, rtol=1e-6)

    yield Race(
        job=f"strengths of {N_MODELS} models in {N_BATTLES:,} battles, clustered by {N_PROMPTS:,} prompts",
        ours=lambda: bradley_terry_from_battles(a, b, wins, clusters=prompts, small_sample="cr0"),
        peers={"statsmodels GLM, clustered": by_statsmodels, "choix, no standard errors": by_choix},
        agree=agree,
        goal={"statsmodels GLM, clustered": 1, "choix, no standard errors": 1},
    )
