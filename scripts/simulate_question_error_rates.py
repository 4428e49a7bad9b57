"""Simulate the coverage of intervals and the type-I error rate of tests for models on questions.

``python scripts/simulate_question_error_rates.py`` writes docs/error-rates/questions.csv and the tables of
docs/error-rates-questions.md. With ``--experiments 50``, the script only prints the rates of a short simulation.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from generated_tables import read_rows, simulate_and_write

from evalstats import clustered_ttest
from evalstats.metrics import clustered_mean
from evalstats.paired import clustered_permutation_test

DOCS = Path(__file__).parents[1] / "docs"
DATA, PAGE = DOCS / "error-rates" / "questions.csv", DOCS / "error-rates-questions.md"
CLUSTERS, CORRELATIONS, SAMPLES, SHARES = (5, 10, 20, 50, 200), (0.0, 0.2, 0.5), (1, 5, 20), (0.5, 0.9, 0.99)
QUESTIONS = 4  # in each cluster
EXPERIMENTS, SEED, LEVEL = 2000, 20261122, 0.05
OF_SIGNS = 5  # one of this number of experiments also has the slower sign-flip test of clusters

Row = dict[str, float]


def answers(
    rng: np.random.Generator, n: int, n_clusters: int, correlation: float, n_samples: int, share: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean scores of two equal models on the questions of n experiments.

    The questions of a cluster are equally hard. The probability of a correct answer has a beta distribution over
    clusters, so two answers in one cluster have the given correlation.
    """
    size = (n, n_clusters)
    ease = np.full(size, share)
    if correlation > 0:
        strength = 1 / correlation - 1
        ease = rng.beta(strength * share, strength * (1 - share), size)
    right = rng.binomial(n_samples, np.repeat(ease, QUESTIONS, axis=1), (2, n, n_clusters * QUESTIONS))
    x, y = right / n_samples
    return x, y


def rates(rng: np.random.Generator, n: int, setting: tuple[int, float, int, float]) -> Row:
    """Return the coverage of intervals of one model, and the rejection rates of tests of two equal models."""
    n_clusters, *_, share = setting
    x, y = answers(rng, n, *setting)
    groups = np.repeat(np.arange(n_clusters), QUESTIONS)
    mean, alone = clustered_mean(x, clusters=groups), clustered_mean(x)
    wilson, few_clusters, t = (
        mean.confidence_interval(1 - LEVEL, method=method) for method in ("wilson", "few-clusters", "t")
    )
    margin = 1.96 * alone.standard_error
    some = slice(0, max(1, n // OF_SIGNS))
    signs = clustered_permutation_test(x[some], y[some], clusters=groups)
    return {
        "wilson": float(np.mean((wilson.low <= share) & (share <= wilson.high))),
        "few_clusters": float(np.mean((few_clusters.low <= share) & (share <= few_clusters.high))),
        "length": float(np.mean(few_clusters.high - few_clusters.low) / np.mean(wilson.high - wilson.low)),
        "t": float(np.mean((t.low <= share) & (share <= t.high))),
        "normal": float(np.mean(np.abs(alone.estimate - share) <= margin)),
        "t_test": float(np.mean(clustered_ttest(x, y, clusters=groups).pvalue <= LEVEL)),
        "signs": float(np.mean(signs.pvalue <= LEVEL)),
    }


def settings() -> Iterator[tuple[int, float, int, float]]:
    """Yield all numbers of clusters, correlations, numbers of samples and proportions of correct answers."""
    yield from itertools.product(CLUSTERS, CORRELATIONS, SAMPLES, SHARES)


def simulated(n: int) -> list[Row]:
    """Return a row for each setting. Each setting has its own random numbers."""
    rows = []
    for number, setting in enumerate(settings()):
        row = dict(zip(("clusters", "correlation", "samples", "share"), setting, strict=True))
        rows.append(row | {"experiments": n} | rates(np.random.default_rng([SEED, number]), n, setting))
    return rows


def table(rows: list[Row]) -> str:
    """Return the table of the page: the lowest and the highest rate over proportions and samples."""
    columns = ("clusters", "correlation", "Wilson covers", "few-clusters covers", "its length", "t covers")
    columns += ("independent, normal covers", "t-test rejects", "signs reject")
    lines = [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    for n_clusters, correlation in itertools.product(CLUSTERS, CORRELATIONS):
        own = [row for row in rows if (row["clusters"], row["correlation"]) == (n_clusters, correlation)]
        cells = []
        for name in ("wilson", "few_clusters", "length", "t", "normal", "t_test", "signs"):
            values = [float(row[name]) for row in own]
            digits = 2 if name == "length" else 3
            cells.append(f"{min(values):.{digits}f} to {max(values):.{digits}f}")
        lines.append(f"| {n_clusters} | {correlation:g} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def read() -> list[Row]:
    """Return the rows of the data."""
    return [{name: float(value) for name, value in row.items()} for row in read_rows(DATA)]


if __name__ == "__main__":
    simulate_and_write(
        __doc__,
        lambda n: simulated(EXPERIMENTS if n is None else n),
        lambda rows: {"table": table(rows)},
        data=DATA,
        page=PAGE,
        seed=SEED,
    )
