"""Bergmann-Hommel and the other adjustments of all pairs, against enumeration, and the sizes that no peer reaches."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from math import erfc

import numpy as np
from statsmodels.stats.multitest import multipletests

from benchmarks.timing import Race
from evalstats.adjustment.exhaustive_sets import by_definition
from evalstats.adjustment.interval_hypotheses import along_the_line, order_on_a_line
from evalstats.adjustment.pairwise import adjust_pairwise
from evalstats.adjustment.pvalues import adjust_pvalues

# scmamp, whose sets are precomputed too, is not packaged for Debian: this loop stands in for it, and is faster
ENUMERATION = "loop over precomputed exhaustive sets"
STATSMODELS = "statsmodels multipletests, family by family"
FIRST = "the first 20,000 of 1,382,958,545 partitions, found and tried"
BELL_15 = 1_382_958_545
ALL_PARTITIONS = "ours over all partitions"


@lru_cache
def exhaustive_sets(k: int) -> list[list[tuple[int, int]]]:
    labeled = [[0]]
    for _ in range(k - 1):
        labeled = [[*labels, new] for labels in labeled for new in range(max(labels) + 2)]
    pairs = list(itertools.combinations(range(k), 2))
    return [[(i, j) for i, j in pairs if labels[i] == labels[j]] for labels in labeled if max(labels) < k - 1]


def enumerated(p: np.ndarray) -> np.ndarray:
    adjusted = np.eye(len(p))
    for exhaustive in exhaustive_sets(len(p)):
        product = len(exhaustive) * min(p[pair] for pair in exhaustive)
        for i, j in exhaustive:
            adjusted[i, j] = adjusted[j, i] = max(adjusted[i, j], min(product, 1.0))
    return adjusted


def any_matrix(k: int) -> np.ndarray:
    p = np.random.default_rng(k).random((k, k)) ** 3
    return np.triu(p, 1) + np.triu(p, 1).T + np.eye(k)


def of_ranks(k: int) -> np.ndarray:
    mean_ranks = np.random.default_rng(k).normal(size=k) * 1.5
    return np.vectorize(erfc)(np.abs(np.subtract.outer(mean_ranks, mean_ranks)))


def first_partitions(p: np.ndarray, n: int) -> np.ndarray:
    """Enumerate some partitions: labels that grow by one at most, counted like a clock."""
    k, adjusted = len(p), np.eye(len(p))
    labels = [0] * k
    for _ in range(n):
        inside = [(i, j) for i, j in itertools.combinations(range(k), 2) if labels[i] == labels[j]]
        product = min(len(inside) * min(p[pair] for pair in inside), 1.0) if inside else 0.0
        for i, j in inside:
            adjusted[i, j] = adjusted[j, i] = max(adjusted[i, j], product)
        at = next(i for i in reversed(range(k)) if i and labels[i] <= max(labels[:i]))
        labels[at:] = [labels[at] + 1] + [0] * (k - at - 1)
    return adjusted


def on_a_line(p: np.ndarray, *, on_line: bool) -> np.ndarray:
    line = along_the_line(p, order_on_a_line(p))
    return by_definition(line, on_line=on_line)[np.triu_indices(len(p), 1)]


def races() -> Iterator[Race]:
    p = any_matrix(9)
    exhaustive_sets(9)
    yield Race(
        "Bergmann-Hommel of 9 classifiers, any p-values",
        lambda: adjust_pairwise(p, "bergmann-hommel"),
        {ENUMERATION: lambda: enumerated(p)},
        lambda here, there, _peer: np.testing.assert_array_equal(here, there),
        {},
    )
    families = np.random.default_rng(0).random((1000, 45)) ** 3
    yield Race(
        "Hommel of 1,000 families of 45",
        lambda: adjust_pvalues(families, "hommel"),
        {STATSMODELS: lambda: np.array([multipletests(f, method="hommel")[1] for f in families])},
        lambda here, there, _peer: np.testing.assert_allclose(here, there, rtol=1e-12),
        {STATSMODELS: 10},
    )
    large = any_matrix(15)
    yield Race(
        "Bergmann-Hommel of 15 classifiers, any p-values",
        lambda: adjust_pairwise(large, "bergmann-hommel"),
        {FIRST: lambda: first_partitions(large, 20_000)},
        lambda here, there, _peer: np.testing.assert_array_less(there, here + 1e-15),  # each is one of those compared
        {FIRST: 500},
        {FIRST: 20_000 / BELL_15},
        rounds=3,
    )
    ranks = of_ranks(15)
    yield Race(
        "Bergmann-Hommel of 15 classifiers, p-values of mean ranks",
        lambda: on_a_line(ranks, on_line=True),
        {ALL_PARTITIONS: lambda: on_a_line(ranks, on_line=False)},
        lambda here, there, _peer: np.testing.assert_array_equal(here, there),
        {},
        rounds=3,
    )
