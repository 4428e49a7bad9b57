"""Generators of samples of instances for tests of dataset shift."""

from __future__ import annotations

__all__ = ["mmd_test"]

from random import Random

from evalstats.parity.random_inputs import Arguments


def mmd_test(random: Random) -> Arguments:
    """Generate samples of any size and number of columns with common instances; R needs a bandwidth."""
    p, digits = random.randint(1, 4), random.choice([0, 2, 6])
    own = Random(random.randrange(10**6))  # whoever draws, no case is endless

    def cases() -> list[list[float]]:
        return [[round(own.gauss(0, 2), digits) for _ in range(p)] for _ in range(random.randint(2, 12))]

    x, y = cases(), cases()
    if random.random() < 0.3:
        y[0] = x[0]
    choices = {"bandwidth": random.choice([0.3, 1.0, 2.5, 40.0]), "scale": random.choice([True, False])}
    return {"x": x, "y": y, **choices, "n_resamples": 9}
