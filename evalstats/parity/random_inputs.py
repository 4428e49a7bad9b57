"""Which numbers, samples and choices does a generator draw?"""

from __future__ import annotations

__all__ = [
    "Arguments",
    "alternative",
    "classes",
    "clusters",
    "confidence_level",
    "direction",
    "family",
    "level",
    "mcnemar",
    "pairs",
    "pairs_of_classifiers",
    "ranking",
    "scores_in_one_unit",
    "table",
    "two_samples",
    "values",
]

from collections.abc import Callable
from random import Random
from typing import Any

Arguments = dict[str, Any]


def pairs(random: Random, *, smallest: int = 1, noise: bool = False) -> Arguments:
    """Return two samples; some pairs are equal."""
    n = random.choice([n for n in (1, 2, 3, 4, 5, 6, 8, 10, 15, 30, 60) if n >= smallest])
    value = values(random, noise=noise)
    x = [value() for _ in range(n)]
    share_of_zeros = random.choice([0, 0, 0.3, 0.8])
    return {"x": x, "y": [a if random.random() < share_of_zeros else value() for a in x]}


def two_samples(random: Random, *, smallest: int) -> Arguments:
    """Return two samples of any lengths."""
    value = values(random, noise=False)
    lengths = [n for n in (1, 2, 3, 5, 8, 15, 40) if n >= smallest]
    return {name: [value() for _ in range(random.choice(lengths))] for name in ("x", "y")}


def table(random: Random, size: tuple[int, int] | None = None) -> list[list[float]]:
    """Return rows of scores, of any number of datasets and classifiers or of the size asked for."""
    n, k = size or (random.choice([1, 2, 3, 5, 10, 20]), random.randint(2, 7))
    value = values(random, noise=True)
    return [[value() for _ in range(k)] for _ in range(n)]


def scores_in_one_unit(random: Random, size: tuple[int, int] | None = None) -> list[list[float]]:
    """Return a table of multiples of one unit: distances of scores are as exact in R's adapter as here."""
    n, k = size or (random.choice([1, 2, 3, 5, 10, 20]), random.randint(2, 7))
    digits, most = random.choice([(0, 4), (0, 99), (2, 1), (4, 1)])
    return [[round(random.uniform(0, most), digits) for _ in range(k)] for _ in range(n)]


def pairs_of_classifiers(random: Random, scores: list[list[float]]) -> Arguments:
    """Return these scores for all pairs or against a control, in both directions."""
    control = {"control": random.randint(0, len(scores[0]) - 1)} if random.random() < 0.5 else {}
    adjust = random.choice(["none", "bonferroni", "holm", "hochberg", "hommel"])
    return {"scores": scores, "adjust": adjust, **control, **direction(random)}


def family(random: Random, scores: list[list[float]]) -> Arguments:
    """Return these scores, sometimes with a copied classifier, for all pairs or against a control."""
    if random.random() < 0.2:
        scores = [[*row[:-1], row[0]] for row in scores]
    to_a_control = {"control": random.randrange(len(scores[0])), "alternative": alternative(random)}
    return {
        "scores": scores,
        "adjust": random.choice(["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"]),
        **(to_a_control if random.random() < 0.5 else {}),
    }


def direction(random: Random) -> Arguments:
    """Return whether greater scores are better."""
    return {"greater_is_better": random.choice([True, False])}


def ranking(random: Random, *, smallest: int = 1) -> Arguments:
    """Return two classes and a score for each case."""
    y_true = classes(random, smallest=smallest)
    value = values(random, noise=False)
    return {"y_true": y_true, "y_score": [value() for _ in y_true]}


def classes(random: Random, *, smallest: int) -> list[int]:
    """Return 0 and 1 in any order, each as often as asked for at least."""
    y_true = [i for i in (0, 1) for _ in range(random.randint(smallest, 15))]
    random.shuffle(y_true)
    return y_true


def clusters(random: Random) -> Arguments:
    """Return groups of one to five cases, two or more in each of one to three strata, in any order."""
    cases, n_groups = [], 0
    for stratum in range(random.randint(1, 3)):
        for group in range(n_groups, n_groups + random.choice([2, 3, 5, 12])):
            cases += [(group, stratum)] * random.randint(1, 5)
            n_groups = group + 1
    random.shuffle(cases)
    groups, strata = ([case[i] for case in cases] for i in (0, 1))
    return {"groups": groups, "strata": strata, "average": random.choice(["micro", "macro"])}


def values(random: Random, *, noise: bool) -> Callable[[], float]:
    """Return a source of one kind of score: many ties, accuracies, percentages, counts, very large or very small.

    With `noise` also tenths that went through different sums, such as 0.3 and 0.1 + 0.2, for adapters that take
    `tie_tolerance` as we do.
    """
    scale = random.choice([1.0, 1.0, 1e-150, 1e-9, 1e9, 1e150])
    sources: list[Callable[[], float]] = [
        lambda: random.randint(0, 4) / 4 * scale,
        lambda: round(random.uniform(0, 1), 4),
        lambda: round(random.uniform(0, 100), 2),
        lambda: float(random.randint(-9, 9)),
        lambda: random.uniform(-1, 1) * scale,
        lambda: _tenths(random),
    ]
    return random.choice(sources if noise else sources[:-1])


def _tenths(random: Random) -> float:
    i = random.randint(0, 9)
    return random.choice([i / 10, i * 0.1, 1 - (10 - i) * 0.1])


def alternative(random: Random) -> str:
    """Return one of the three alternatives."""
    return random.choice(["two-sided", "less", "greater"])


def mcnemar(random: Random) -> Arguments:
    """Return the choices of McNemar's test."""
    return {
        "alternative": alternative(random),
        "method": random.choice(["exact", "midp", "asymptotic"]),
        "correction": random.choice([True, False]),
        "confidence_level": confidence_level(random),
    }


def confidence_level(random: Random) -> float:
    """Return a level at which R's limits are determined."""
    # at 0.5 a one-sided limit of R's normal approximation is any point of an interval: z crosses 0 on a plateau
    return random.choice([0.6, 0.9, 0.95, 0.99])


def level(random: Random) -> float:
    """Return a level of significance."""
    return random.choice([0.01, 0.05, 0.1, 0.5])
