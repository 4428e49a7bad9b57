"""Simulate the type-I error rate for two models with equal accuracy and different patterns of errors.

``python scripts/simulate_unlike_models.py`` writes docs/error-rates/unlike-models.csv and a table of
docs/error-rates-questions.md. With ``--experiments 200``, the script only prints the rates of a short simulation.

One model is correct or incorrect in whole clusters, and the other model at random questions. The test is the default of
`compare`: the sign-flip test of the clusters if their effective number is below 20, and otherwise the cluster-robust
t-test.
"""

from __future__ import annotations

import itertools

import numpy as np
from generated_tables import read_rows, simulate_and_write
from simulate_unequal_clusters import AT_ONCE, DOCS, LEVEL, PAGE

from evalstats import clustered_ttest
from evalstats.comparison.validity import FEW_CLUSTERS
from evalstats.paired import clustered_permutation_test

DATA, SEED = DOCS / "error-rates" / "unlike-models.csv", 20261125
CLUSTERS, SHARES, SIZE = (8, 12, 19, 20, 30, 50, 100, 200), (0.5, 0.7, 0.9, 0.95), 10
EXPERIMENTS, SIGNS_DRAWN = 4000, 999

Row = dict[str, float | str]


def settings() -> list[tuple[int, float]]:
    """Return all numbers of clusters and proportions of correct answers."""
    return list(itertools.product(CLUSTERS, SHARES))


def rates(number: int, setting: tuple[int, float], n: int) -> Row:
    """Return the rate at which the default test rejects equal accuracy in n experiments."""
    n_clusters, share = setting
    rng, groups = np.random.default_rng([SEED, number]), np.repeat(np.arange(n_clusters), SIZE)
    rejected = 0
    for start in range(0, n, AT_ONCE):
        shape = min(AT_ONCE, n - start), n_clusters
        by_clusters = (rng.random(shape) < share)[:, groups].astype(float)
        here_and_there = (rng.random((shape[0], groups.size)) < share).astype(float)
        if n_clusters < FEW_CLUSTERS:
            choices = {"n_resamples": SIGNS_DRAWN, "rng": int(rng.integers(2**32))}
            pvalues = clustered_permutation_test(by_clusters, here_and_there, clusters=groups, **choices).pvalue
        else:
            pvalues = clustered_ttest(by_clusters, here_and_there, clusters=groups).pvalue
        rejected += int((pvalues <= LEVEL).sum())
    return {"rejects": rejected / n}


def simulated(n: int) -> list[Row]:
    """Return a row for each setting."""
    return [
        dict(zip(("clusters", "share"), setting, strict=True)) | {"experiments": n} | rates(number, setting, n)
        for number, setting in enumerate(settings())
    ]


def table(rows: list[Row]) -> str:
    """Return the table of the page: a row for each number of clusters, a column for each accuracy."""
    lines = [f"| clusters of {SIZE} | {' | '.join(f'accuracy {share:.2f}' for share in SHARES)} |"]
    lines.append(f"|{' ---: |' * (1 + len(SHARES))}")
    for n_clusters in CLUSTERS:
        own = {float(row["share"]): float(row["rejects"]) for row in rows if int(row["clusters"]) == n_clusters}
        lines.append(f"| {n_clusters} | {' | '.join(f'{own[share]:.3f}' for share in SHARES)} |")
    return "\n".join(lines) + "\n"


def read() -> list[Row]:
    """Return the rows of the data."""
    return [dict(row) for row in read_rows(DATA)]


if __name__ == "__main__":
    simulate_and_write(
        __doc__,
        lambda n: simulated(EXPERIMENTS if n is None else n),
        lambda rows: {"unlike": table(rows)},
        data=DATA,
        page=PAGE,
        seed=SEED,
    )
