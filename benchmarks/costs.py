"""H-measure and cost curves of many classifiers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import special, stats

from benchmarks.timing import Race
from evalstats.metrics import CostRanges, cost_ranges, h_measure

N_CASES, N_CLASSIFIERS, N_FOR_LOOP = 1_000, 10_000, 50


def races() -> Iterator[Race]:
    rng = np.random.default_rng(2009)
    y = rng.random(N_CASES) < 0.3
    scores = rng.normal(size=(N_CLASSIFIERS, N_CASES)) + y

    def agree(mine: np.ndarray, theirs: list[float], _: str) -> None:
        np.testing.assert_allclose(mine[: len(theirs)], theirs, rtol=1e-10)

    by_stats, by_special = "Python loop over the steps of hmeasure, scipy.stats", "the same with scipy.special"
    some, share = scores[:N_FOR_LOOP], N_FOR_LOOP / N_CLASSIFIERS
    yield Race(
        job=f"H-measure of {N_CLASSIFIERS:,} classifiers on {N_CASES:,} cases",
        ours=lambda: h_measure(y, scores),
        peers={
            by_stats: lambda: [_h_measure(y, own, stats.beta.cdf) for own in some],
            by_special: lambda: [_h_measure(y, own, lambda c, a, b: special.betainc(a, b, c)) for own in some],
        },
        agree=agree,
        goal={by_stats: 60, by_special: 15},
        shares=dict.fromkeys((by_stats, by_special), share),
    )

    probabilities = np.linspace(0.005, 0.995, 100).tolist()

    def same_winners(_: CostRanges, theirs: list[int], __: str) -> None:
        mine = cost_ranges(y, some, [str(i) for i in range(N_FOR_LOOP)])
        for probability, winner in zip(probabilities, theirs, strict=True):
            who = mine.winners[int(np.searchsorted(mine.high, probability))]
            assert str(winner) in who or who[0] in ("none positive", "all positive"), (probability, winner, who)

    by_hulls = "Python loop over hulls"
    yield Race(
        job=f"cost curves of {N_CLASSIFIERS:,} classifiers on {N_CASES:,} cases, and who wins where",
        ours=lambda: cost_ranges(y, scores),
        peers={by_hulls: lambda: _winners(y, some, probabilities)},
        agree=same_winners,
        goal={by_hulls: 100},
        shares={by_hulls: share},
        bounds={"the order of the scores": lambda: np.argsort(scores)},
    )


def _winners(y: np.ndarray, scores: np.ndarray, probabilities: list[float]) -> list[int]:
    """Each hull, the least cost on it at each probability, and whose is the smallest."""
    least = [
        [min(p * missed + (1 - p) * (1 - refused) for refused, missed in hull) for p in probabilities]
        for hull in (_hull(y, own) for own in scores)
    ]
    return [min(range(len(least)), key=lambda i: least[i][j]) for j in range(len(probabilities))]


def _h_measure(y: np.ndarray, score: np.ndarray, cdf: Callable[..., Any]) -> float:
    """Distributions of the scores, their hull, the costs at its corners, and Beta probabilities one by one."""
    share = y.mean()
    a, b = 2.0, 1 + (1 - share) / share
    hull = _hull(y, score)
    rises = [(q[0] - p[0], q[1] - p[1]) for p, q in itertools.pairwise(hull)]
    costs = [0.0, *(share * dz / ((1 - share) * dx + share * dz) for dx, dz in rises), 1.0]
    first = [a / (a + b) * cdf(c, a + 1, b) for c in costs]
    second = [b / (a + b) * cdf(c, a, b + 1) for c in costs]
    loss = sum(
        (1 - share) * (1 - hull[i][0]) * (first[i + 1] - first[i]) + share * hull[i][1] * (second[i + 1] - second[i])
        for i in range(len(hull))
    )
    worst = (1 - share) * a * cdf(share, a + 1, b) + share * b * (1 - cdf(share, a, b + 1))
    return float(1 - loss / (worst / (a + b)))


def _hull(y: np.ndarray, score: np.ndarray) -> list[tuple[float, float]]:
    """Shares of the negative and of the positive cases up to each score, where their curve is below all lines."""
    of_positive, of_negative, points = 0, 0, [(0.0, 0.0)]
    order = np.argsort(score)
    is_positive, sorted_scores = y[order].tolist(), score[order].tolist()
    n_positive, n_negative = np.count_nonzero(y), np.count_nonzero(~y)
    for i, positive in enumerate(is_positive):
        of_positive, of_negative = of_positive + positive, of_negative + (not positive)
        if i + 1 == len(is_positive) or sorted_scores[i + 1] != sorted_scores[i]:
            points.append((of_negative / n_negative, of_positive / n_positive))
    hull: list[tuple[float, float]] = []
    for x, z in points:
        while len(hull) > 1 and _turns_up(hull[-2], hull[-1], (x, z)):
            hull.pop()
        hull.append((x, z))
    return hull


def _turns_up(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> bool:
    """Whether q lies on or above the line from p to r."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) <= 0
