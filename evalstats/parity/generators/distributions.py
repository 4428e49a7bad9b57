"""Which values of a null distribution are put to R?"""

from __future__ import annotations

__all__ = ["isf", "sf"]

from random import Random

from evalstats.parity.random_inputs import Arguments


def sf(random: Random) -> Arguments:
    """Small and large ranges, of as few variables as R is accurate for."""
    return {"q": [random.uniform(0, 8) for _ in range(random.randint(1, 4))], "k": random.randint(2, 7)}


def isf(random: Random) -> Arguments:
    """Probabilities from 0.001 to 0.1; elsewhere R's qtukey may stop too early (8e-5 off at p = 6.5e-6, k = 2)."""
    return {"p": 10 ** -random.uniform(1, 3), "k": random.randint(2, 7)}
