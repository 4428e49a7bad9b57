"""Generators of labelings for coefficients of agreement."""

from __future__ import annotations

__all__ = ["adjusted_rand_score", "cohen_kappa", "cohen_kappa_table", "light_kappa"]

from random import Random

from evalstats.parity.random_inputs import Arguments, alternative, confidence_level


def adjusted_rand_score(random: Random) -> Arguments:
    """Generate similar and different clusterings, from a single cluster to one cluster for each instance."""
    n = random.randint(2, 30)
    y_true = [random.randint(1, random.choice([2, 3, n])) for _ in range(n)]
    return {"y_true": y_true, "y_pred": [a if random.random() < 0.5 else random.randint(1, 4) for a in y_true]}


def cohen_kappa(random: Random) -> Arguments:
    """Generate words with all types of weights; at least two labels are in use."""
    words = ["a", "b", "c", "d"][: random.randint(2, 4)]
    y1 = ["a", "b", *(random.choice(words) for _ in range(random.randint(0, 40)))]
    return {"y1": y1, "y2": [a if random.random() < 0.5 else random.choice(words) for a in y1], **_kappa(random)}


def cohen_kappa_table(random: Random) -> Arguments:
    """Generate tables with empty cells and all types of weights; every label is in use."""
    k = random.randint(2, 5)
    largest = random.choice([1, 5, 1000])
    table = [[random.randint(0, largest) + (i == j) for j in range(k)] for i in range(k)]
    return {"table": table, **_kappa(random)}


def light_kappa(random: Random) -> Arguments:
    """Generate three or more raters who use every label at least once; psych has quadratic weights only."""
    k, n_raters = random.randint(2, 4), random.randint(3, 5)
    every = [[label] * n_raters for label in range(1, k + 1)]
    ratings = every + [[random.randint(1, k) for _ in range(n_raters)] for _ in range(random.randint(3, 30))]
    return {"ratings": ratings, **({"weights": "quadratic"} if random.random() < 0.5 else {})}


def _kappa(random: Random) -> Arguments:
    weights = random.choice([None, "linear", "quadratic"])
    return {
        "alternative": alternative(random),
        "confidence_level": confidence_level(random),
        **({"weights": weights} if weights else {}),
    }
