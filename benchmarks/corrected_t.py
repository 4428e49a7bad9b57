"""The corrected t-test of all pairs of many classifiers on many datasets, against loops over the pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from benchmarks.timing import Race
from evalstats.paired.ttest import corrected_ttest
from evalstats.pairwise.corrected_t import pairwise_corrected_ttest

SCIPY = "loop, formula with scipy.stats.t (scikit-learn's gallery)"
SPECIAL = "loop, formula with numpy and scipy.special.stdtr"
OURS = "loop over corrected_ttest"
N_TRAIN, N_TEST = 9, 1


def scipy_pvalues(scores: np.ndarray, n_pairs: int) -> np.ndarray:
    from scipy import stats

    def pvalue(x: np.ndarray, y: np.ndarray) -> float:
        differences = x - y
        corrected_sd = math.sqrt(np.var(differences, ddof=1) * (1 / len(x) + N_TEST / N_TRAIN))
        return 2 * stats.t.sf(abs(np.mean(differences) / corrected_sd), len(x) - 1)

    return np.array([pvalue(x, y) for x, y in islice(combinations(scores[0].T, 2), n_pairs)])


def special_pvalues(scores: np.ndarray, n_pairs: int) -> np.ndarray:
    from scipy.special import stdtr

    def pvalue(x: np.ndarray, y: np.ndarray) -> float:
        d = x - y
        return 2 * stdtr(len(d) - 1, -abs(d.mean() / math.sqrt(d.var(ddof=1) * (1 / len(d) + N_TEST / N_TRAIN))))

    return np.array([pvalue(x, y) for x, y in islice(combinations(scores[0].T, 2), n_pairs)])


def our_pvalues(scores: np.ndarray, n_pairs: int) -> np.ndarray:
    pairs = islice(combinations(scores[0].T, 2), n_pairs)
    return np.array([corrected_ttest(x, y, n_train=N_TRAIN, n_test=N_TEST).pvalue for x, y in pairs])


def agree(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    pairs = here[0][np.triu_indices(here.shape[-1], 1)]
    np.testing.assert_allclose(pairs[: len(there)], there, rtol=1e-11)


def races() -> Iterator[Race]:
    for n_datasets, n_folds, k, goals in ((50, 100, 200, {SCIPY: 100}), (1, 10, 20, {})):
        scores = np.random.default_rng(k).normal(0.8, 0.05, (n_datasets, n_folds, k))
        all_pairs = n_datasets * k * (k - 1) // 2
        n_pairs = min(2000, all_pairs)
        yield Race(
            f"Corrected t-test, all pairs of {k} classifiers on {n_datasets} x {n_folds} folds ({all_pairs:,} pairs)",
            lambda s=scores: pairwise_corrected_ttest(s, n_train=N_TRAIN, n_test=N_TEST, adjust="none").pvalue,
            {
                SCIPY: lambda s=scores, m=n_pairs: scipy_pvalues(s, m),
                SPECIAL: lambda s=scores, m=n_pairs: special_pvalues(s, m),
                OURS: lambda s=scores, m=n_pairs: our_pvalues(s, m),
            },
            agree,
            goals,
            dict.fromkeys((SCIPY, SPECIAL, OURS), n_pairs / all_pairs),
            rounds=3,
        )
