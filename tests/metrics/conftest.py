"""Scores of many kinds for the tests of rankings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

SCORES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "probabilities": lambda rng, n: rng.random(n),
    "ties": lambda rng, n: rng.integers(0, 5, n) / 4,
    "whole numbers": lambda rng, n: rng.integers(-3, 4, n),
    "one to minus one": lambda rng, n: rng.uniform(-1, 1, n),
    "margins": lambda rng, n: 5 * rng.normal(size=n),
    "margins with ties": lambda rng, n: 3 * rng.normal(size=n).round(1),
    "single precision": lambda rng, n: rng.normal(size=n).astype(np.float32),
    "zeros of both signs": lambda rng, n: rng.choice([-0.0, 0.0, 1.0], n),
    "enormous": lambda rng, n: rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n),
    "subnormal and large": lambda rng, n: rng.choice([-1, 1], n) * 10.0 ** rng.uniform(-322, 3, n),
}


@pytest.fixture(params=SCORES)
def kind(request: pytest.FixtureRequest) -> str:
    """Name of a kind of scores."""
    return request.param


@pytest.fixture
def draw_scores() -> Callable[[str, int, int], np.ndarray]:
    """Draw n scores of a kind from a seed."""
    return lambda kind, n, seed: SCORES[kind](np.random.default_rng(seed), n)


@pytest.fixture
def problem() -> Callable[..., tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Draw a problem of n cases with scores of a kind."""
    return _problem


def _problem(kind: str, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels of both classes, scores, and weights of which some are zero."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    y[:2] = 0, 1
    weight = rng.random(n) * (rng.random(n) < 0.9)
    weight[:2] = 1
    return y, SCORES[kind](rng, n), weight
