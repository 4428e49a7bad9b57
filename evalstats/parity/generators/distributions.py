"""Generators of values of null distributions."""

from __future__ import annotations

__all__ = ["isf", "sf"]

from random import Random

from evalstats.parity.random_inputs import Arguments


def sf(random: Random) -> Arguments:
    """Generate small and large ranges, for the small numbers of variables for which R is accurate."""
    return {"q": [random.uniform(0, 8) for _ in range(random.randint(1, 4))], "k": random.randint(2, 7)}


def isf(random: Random) -> Arguments:
    """Generate probabilities from 0.001 to 0.1; otherwise R's qtukey may stop early (8e-5 off at 6.5e-6, k = 2)."""
    return {"p": 10 ** -random.uniform(1, 3), "k": random.randint(2, 7)}
