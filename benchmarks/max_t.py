"""Step-down max-T of all pairs of 30 classifiers, by signs and by bootstrap, against numpy loops over the resamples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Race
from evalstats._canonical_order import unsigned_order
from evalstats._checks import random_source
from evalstats.pairwise import max_t, pairwise_max_t_test

N_RESAMPLES, FEW = 10_000, 500  # resamples in the loop
LOOP = "numpy, resample by resample"


def in_a_loop(scores: np.ndarray) -> np.ndarray:
    """T of all pairs at once for one sign vector after the other."""
    i, j = np.triu_indices(scores.shape[1], 1)
    ordered = scores[unsigned_order(scores)[0]]
    d = ordered[:, i] - ordered[:, j]
    n = len(d)

    def statistics(values: np.ndarray) -> np.ndarray:
        return np.abs(values.mean(axis=0) / (values.std(axis=0, ddof=1) / np.sqrt(n)))

    observed = statistics(d)
    order = np.argsort(observed)
    count = np.ones(len(order))
    for signs in max_t._random_flips(n, FEW, random_source(0)):
        largest = np.maximum.accumulate(statistics(d * signs[:, None])[order])
        count += largest >= observed[order] * (1 - 1e-12)
    pvalues = np.empty(len(order))
    pvalues[order] = np.maximum.accumulate(count[::-1])[::-1] / (FEW + 1)
    return pvalues


def bootstrapped_in_a_loop(scores: np.ndarray) -> np.ndarray:
    """T of all pairs around the observed mean differences, for one resample of the datasets after the other."""
    i, j = np.triu_indices(scores.shape[1], 1)
    ordered = scores[unsigned_order(scores)[0]]
    d = ordered[:, i] - ordered[:, j]
    n, mean = len(d), d.mean(axis=0)
    observed = np.abs(mean / (d.std(axis=0, ddof=1) / np.sqrt(n)))
    order = np.argsort(observed)
    count = np.ones(len(order))
    for times in max_t._random_counts(n, FEW, random_source(0)).astype(int):
        drawn = d[np.repeat(np.arange(n), times)]
        t = np.abs((drawn.mean(axis=0) - mean) / (drawn.std(axis=0, ddof=1) / np.sqrt(n)))
        count += np.maximum.accumulate(t[order]) >= observed[order] * (1 - 1e-12)
    pvalues = np.empty(len(order))
    pvalues[order] = np.maximum.accumulate(count[::-1])[::-1] / (FEW + 1)
    return pvalues


def races() -> Iterator[Race]:
    scores = np.random.default_rng(0).random((100, 30))

    def agree(_here: np.ndarray, there: np.ndarray, _peer: str) -> None:
        few = pairwise_max_t_test(scores, method="monte-carlo", n_resamples=FEW).pvalue
        np.testing.assert_allclose(few[np.triu_indices(30, 1)], there, rtol=1e-12)

    yield Race(
        f"step-down max-T, {N_RESAMPLES:,} resamples of 100 datasets, all 435 pairs of 30 classifiers",
        lambda: pairwise_max_t_test(scores, method="monte-carlo", n_resamples=N_RESAMPLES).pvalue,
        {LOOP: lambda: in_a_loop(scores)},
        agree,
        {LOOP: 50},
        {LOOP: FEW / N_RESAMPLES},
        rounds=3,
    )

    i, j = np.triu_indices(scores.shape[1], 1)
    squares = np.square(scores[:, i] - scores[:, j]).T

    def at_least() -> np.ndarray:
        """Return the sums of squares of all pairs in all resamples, which any statistic t needs."""
        return squares @ max_t._random_counts(len(scores), N_RESAMPLES, random_source(0)).T

    def agree_by_bootstrap(_here: np.ndarray, there: np.ndarray, _peer: str) -> None:
        few = pairwise_max_t_test(scores, method="bootstrap", n_resamples=FEW).pvalue
        np.testing.assert_allclose(few[np.triu_indices(30, 1)], there, rtol=1e-12)

    yield Race(
        f"Romano-Wolf bootstrap, {N_RESAMPLES:,} resamples of 100 datasets, all 435 pairs of 30 classifiers",
        lambda: pairwise_max_t_test(scores, method="bootstrap", n_resamples=N_RESAMPLES).pvalue,
        {LOOP: lambda: bootstrapped_in_a_loop(scores)},
        agree_by_bootstrap,
        {LOOP: 50},
        {LOOP: FEW / N_RESAMPLES},
        {"the draws and one matrix product": at_least},
        rounds=3,
    )
