"""Generators of subgroups for tests of two classifiers that are not declared."""

from __future__ import annotations

__all__ = ["gap_change_test", "subgroup_test_from_estimates"]

from random import Random

from evalstats.parity.random_inputs import Arguments


def subgroup_test_from_estimates(random: Random) -> Arguments:
    """Generate two to eight subgroups, with differences of both signs."""
    k = random.randint(2, 8)
    return {
        "difference": [round(random.uniform(-1, 1), 3) for _ in range(k)],
        "standard_error": [round(random.uniform(0.01, 1), 3) for _ in range(k)],
    }


def gap_change_test(random: Random) -> Arguments:
    """Generate all rates in two or three subgroups, in each of which the difference varies."""
    y_true, x, y, subgroup = [], [], [], []
    for group in range(random.randint(2, 3)):
        for true in (0, 1):
            cells = [
                (0, 1),
                (1, 0),
                (1, 1),
                *((random.randint(0, 1), random.randint(0, 1)) for _ in range(random.choice([3, 12]))),
            ]
            y_true += [true] * len(cells)
            x += [a for a, _ in cells]
            y += [b for _, b in cells]
            subgroup += [group] * len(cells)
    rates = ["tpr", "fpr", "selection_rate", "accuracy"]
    return {
        "y_true": y_true,
        "x": x,
        "y": y,
        "subgroup": subgroup,
        "rate": random.choice(rates),
        "method": "asymptotic",
    }
