"""Wilcoxon's, the sign and the paired t-test of all pairs of many classifiers, against loops over scipy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, islice

import numpy as np
from scipy import stats

from benchmarks.timing import Race
from evalstats.pairwise.paired_t import pairwise_paired_ttest
from evalstats.pairwise.sign import pairwise_sign_test
from evalstats.pairwise.wilcoxon import pairwise_wilcoxon_test

FEW = 500  # pairs in a loop
SCIPY = "scipy, pair by pair"


def in_a_loop(test: Callable[[np.ndarray, np.ndarray], float], scores: np.ndarray) -> np.ndarray:
    return np.array([test(x, y) for x, y in islice(combinations(scores.T, 2), FEW)])


def wilcoxon(x: np.ndarray, y: np.ndarray) -> float:
    return float(stats.wilcoxon(x, y, method="approx", correction=True).pvalue)


def sign(x: np.ndarray, y: np.ndarray) -> float:
    return float(stats.binomtest(int(np.sum(x > y)), int(np.sum(x != y))).pvalue)


def paired_t(x: np.ndarray, y: np.ndarray) -> float:
    return float(stats.ttest_rel(x, y).pvalue)


def counted(d: np.ndarray) -> float:
    """Return the exact two-sided p with ties as one would by hand: count the sets of doubled midranks of every sum."""
    ranks = np.rint(2 * stats.rankdata(np.abs(d[d != 0]))).astype(int)
    n_sets = np.zeros(ranks.sum() + 1)
    n_sets[0] = 1
    for rank in ranks:
        n_sets[rank:] += n_sets[:-rank]  # numpy reads the old numbers
    positive = ranks[d[d != 0] > 0].sum()
    return min(1.0, 2 * n_sets[: min(positive, ranks.sum() - positive) + 1].sum() / n_sets.sum())


def agree(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    pairs = here[np.triu_indices(len(here), 1)]
    np.testing.assert_allclose(pairs[: len(there)], there, rtol=1e-9)


def exact(what: str, scores: np.ndarray) -> Race:
    n, k = scores.shape
    by_hand = "numpy, all sums counted, pair by pair"
    all_pairs = k * (k - 1) // 2
    return Race(
        f"Wilcoxon's test (exact, with ties), all {all_pairs:,} pairs of {k} classifiers, {n} datasets, {what}",
        lambda: pairwise_wilcoxon_test(scores).unadjusted_pvalue,
        {by_hand: lambda: in_a_loop(lambda x, y: counted(np.round(x - y, 9)), scores)},
        agree,
        {by_hand: 3},
        {by_hand: FEW / all_pairs},
        rounds=3,
    )


def races() -> Iterator[Race]:
    rng = np.random.default_rng(5)
    n, k = 121, 179
    noise = 0.1 * rng.random((n, 1)) + 0.05 * rng.random((n, k))
    yield exact("four of five pairs with p < .001", np.round(0.7 + noise + 0.06 * np.arange(k) / k, 3))
    yield exact("noise alone", rng.random((n, k)).round(2))
    k, n = 200, 500
    scores = np.random.default_rng(0).random((n, k))
    all_pairs = k * (k - 1) // 2
    for name, ours, theirs in (
        ("Wilcoxon's test (asymptotic)", lambda: pairwise_wilcoxon_test(scores, method="asymptotic"), wilcoxon),
        ("the sign test", lambda: pairwise_sign_test(scores), sign),
        ("the paired t-test", lambda: pairwise_paired_ttest(scores), paired_t),
    ):
        yield Race(
            f"{name}, all {all_pairs:,} pairs of {k} classifiers, {n} datasets",
            lambda ours=ours: ours().unadjusted_pvalue,
            {SCIPY: lambda theirs=theirs: in_a_loop(theirs, scores)},
            agree,
            {SCIPY: 5},
            {SCIPY: FEW / all_pairs},
            rounds=3,
        )
