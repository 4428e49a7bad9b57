"""Which p-values that are adjusted are put to R?"""

from __future__ import annotations

__all__ = ["adjust_pairwise", "adjust_pvalues"]

from collections.abc import Callable
from random import Random

from evalstats.parity.random_inputs import Arguments


def adjust_pvalues(random: Random) -> Arguments:
    """Every method, on ties, zeros, ones and tiny p-values in any order."""
    draws: list[Callable[[], float]] = [
        random.random,
        lambda: random.choice([0.0, 0.01, 0.02, 0.04, 0.5, 1.0]),
        lambda: 10.0 ** -random.randint(0, 300),
    ]
    draw = random.choice(draws)
    methods = ["bonferroni", "sidak", "holm", "holm-sidak", "hochberg", "hommel", "finner", "holland", "bh", "by"]
    return {"pvalues": [draw() for _ in range(random.randint(1, 12))], "method": random.choice(methods)}


def adjust_pairwise(random: Random) -> Arguments:
    """Every method that R has; for Bergmann and Hommel's R goes through all subsets, and wants no ties."""
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
