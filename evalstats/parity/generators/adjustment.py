"""Generators of p-values for adjustments."""

from __future__ import annotations

__all__ = ["adjust_pairwise", "adjust_pvalues"]

from collections.abc import Callable
from random import Random

from evalstats.parity.random_inputs import Arguments


def adjust_pvalues(random: Random) -> Arguments:
    """Generate every method, with ties, zeros, ones and very small p-values in any order."""
    draws: list[Callable[[], float]] = [
        random.random,
        lambda: random.choice([0.0, 0.01, 0.02, 0.04, 0.5, 1.0]),
        lambda: 10.0 ** -random.randint(0, 300),
    ]
    draw = random.choice(draws)
    methods = ["bonferroni", "sidak", "holm", "holm-sidak", "hochberg", "hommel", "finner", "holland", "bh", "by"]
    return {"pvalues": [draw() for _ in range(random.randint(1, 12))], "method": random.choice(methods)}


def adjust_pairwise(random: Random) -> Arguments:
    """Generate every method that R has; for Bergmann and Hommel, R enumerates all subsets and does not support ties."""
    methods = ["bonferroni", "holm", "hochberg", "hommel", "bh", "by", "bergmann-hommel"]
    method = random.choice(methods)
    logical = method == "bergmann-hommel"
    k = random.randint(3, 4) if logical else random.randint(2, 8)
    power = random.choice([1, 3, 9])
    # zero has no z value
    thousandths = random.sample(range(1, 1001), k * (k - 1) // 2)
    matrix = [[1.0] * k for _ in range(k)]
    for i in range(k):
        for j in range(i):
            matrix[i][j] = matrix[j][i] = (thousandths.pop() / 1000) ** power
    return {"pvalues": matrix, "method": method, "enforce_monotonicity": logical}
