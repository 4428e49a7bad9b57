"""Tests that may be looked at after every pair, for a million pairs, against scipy's distributions and a plain loop."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.paired.betting import betting_test
from evalstats.paired.sequential import sequential_sign_test

SCIPY = "scipy betabinom and binom after every pair"
LOOP = "loop over the pairs in Python"
N, N_LOOPED = 1_000_000, 50_000


def scipy_pvalues(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    from scipy.stats import betabinom, binom

    is_win, is_loss = x > y, x < y
    wins, n = np.cumsum(is_win), np.cumsum(is_win | is_loss)
    logs = betabinom.logpmf(wins, n, 1, 1) - binom.logpmf(wins, n, 0.5)
    return np.exp(-np.maximum.accumulate(np.maximum(logs, 0.0)))


def looped_pvalues(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    more = less = 0.5
    total, squares, largest, pvalues = 0.0, 0.0, 1.0, []
    for t, d in enumerate((x[:N_LOOPED] - y[:N_LOOPED]).tolist(), start=1):
        part = (d + 1) / 2
        bet = min(math.sqrt(2 * math.log(40) / ((0.25 + squares) * math.log(t + 1))), 1.0)
        more *= 1 + bet * (part - 0.5)
        less *= 1 - bet * (part - 0.5)
        largest = max(largest, more, less)
        pvalues.append(1 / largest)
        total += part
        squares += (part - (0.5 + total) / (t + 1)) ** 2
    return np.array(pvalues)


def agree(here: np.ndarray, there: np.ndarray, peer: str) -> None:
    np.testing.assert_allclose(here[: len(there)], there, rtol=1e-9)


def races() -> Iterator[Race]:
    x, y = np.random.default_rng(1).random((2, N))
    tests: tuple[tuple[str, Any, str, Any, float, dict[str, float]], ...] = (
        ("sequential sign test", sequential_sign_test, SCIPY, scipy_pvalues, 2, {}),
        ("test by betting", betting_test, LOOP, looped_pvalues, 2, {LOOP: N_LOOPED / N}),
    )
    for name, ours, peer, theirs, goal, shares in tests:
        yield Race(
            f"{name}, p-values after each of {N:,} pairs",
            lambda ours=ours: ours(x, y).pvalues,
            {peer: lambda theirs=theirs: theirs(x, y)},
            agree,
            {peer: goal},
            shares,
            rounds=3,
            limit=1.0,
        )
