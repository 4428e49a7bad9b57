"""Tango's intervals of all pairs of 500 models on one test set, against scipy's brentq pair by pair."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Race
from evalstats.paired import equivalence_test

BRENTQ = "scipy brentq of Tango's equation, pair by pair"
N_MODELS, N_CASES, FEW = 500, 2_000, 300
LEVEL = 0.95


def tables() -> np.ndarray:
    """Return ``[[both right, only x], [only y, neither]]`` of every pair."""
    rng = np.random.default_rng(1)
    right = rng.normal(size=N_CASES) + rng.normal(size=(N_MODELS, N_CASES)) < np.linspace(0.4, 1.2, N_MODELS)[:, None]
    i, j = np.triu_indices(N_MODELS, 1)
    both = np.rint(right.astype(float) @ right.T.astype(float)).astype(np.int64)[i, j]
    n_right = right.sum(axis=1)
    only_x, only_y = n_right[i] - both, n_right[j] - both
    cells = [both, only_x, only_y, N_CASES - both - only_x - only_y]
    return np.stack(cells, axis=-1).reshape(-1, 2, 2)


def by_brentq(pairs: np.ndarray) -> np.ndarray:
    """Tango (1998), equations 3 to 6: the most likely share of the loser under each difference."""
    from scipy.optimize import brentq
    from scipy.special import ndtri

    z, n = float(ndtri(0.5 + LEVEL / 2)), N_CASES

    def distance(difference: float, b: int, c: int, of: float) -> float:
        linear = -b - c + (2 * n - b + c) * difference
        share = (math.sqrt(linear**2 + 8 * n * c * difference * (1 - difference)) - linear) / (4 * n)
        return b - c - n * difference - of * math.sqrt(n * (2 * share + difference * (1 - difference)))

    limits = []
    for (_, b), (c, _) in pairs[:FEW].tolist():
        middle = (b - c) / n
        ends = ((-1 + 1e-12, middle, z), (middle, 1 - 1e-12, -z))
        limits.append([brentq(distance, low, high, (b, c, of), xtol=1e-15, rtol=1e-15) for low, high, of in ends])
    return np.array(limits)


def agree(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    np.testing.assert_allclose(here[:FEW], there, rtol=0, atol=1e-12)


def races() -> Iterator[Race]:
    pairs = tables()
    yield Race(
        f"Tango's intervals of the accuracies of {len(pairs):,} pairs of {N_MODELS} models, from their counts",
        lambda: np.stack(
            tuple(equivalence_test(counts=pairs, margin=0.01, test="accuracy").confidence_interval(LEVEL)), axis=-1
        ),
        {BRENTQ: lambda: by_brentq(pairs)},
        agree,
        {},
        {BRENTQ: FEW / len(pairs)},
        rounds=3,
        limit=1.0,
    )
