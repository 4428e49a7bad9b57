"""Nested cross-validated mean from the scores of all models, without the time for training them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.reproducibility import nested_cross_validated_mean

N_FOLDS, N_INSTANCES = 10, 1_000
REPEATS = (20, 200)


def races() -> Iterator[Race]:
    for n_repeats in REPEATS:
        yield _race(n_repeats)


def _race(n_repeats: int) -> Race:
    rng = np.random.default_rng(2026)
    outer = rng.random((n_repeats, N_INSTANCES))
    inner = rng.random((n_repeats, N_FOLDS, N_INSTANCES))
    fold = rng.permuted(np.tile(np.arange(N_INSTANCES) % N_FOLDS, (n_repeats, 1)), axis=1)
    inner[fold[:, None] == np.arange(N_FOLDS)[:, None]] = np.nan

    def by_loops() -> Any:
        """Loop over the repeats and folds, as Algorithm 1 of Bates, Hastie & Tibshirani (2024) does."""
        inner_scores, a, b = [], [], []
        for r in range(n_repeats):
            for j in range(N_FOLDS):
                own, others = outer[r, fold[r] == j], inner[r, j, fold[r] != j]
                inner_scores.append(others)
                a.append((others.mean() - own.mean()) ** 2)
                b.append(own.var(ddof=1) / len(own))
        return np.concatenate(inner_scores).mean(), np.mean(a) - np.mean(b)

    def agree(mine: Any, theirs: Any, _: str) -> None:
        np.testing.assert_allclose((mine.nested_mean, mine.mean_squared_error), theirs, rtol=1e-9)

    return Race(
        job=f"nested cross-validated mean, {n_repeats} repeats of {N_FOLDS} folds, {N_INSTANCES:,} instances",
        ours=lambda: nested_cross_validated_mean(outer, inner, fold),
        peers={"NumPy, in loops": by_loops},
        agree=agree,
        goal={},
        limit=1.0,
    )
