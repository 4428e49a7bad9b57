"""McNemar's test of all pairs of many classifiers, and Cochran's Q, against mlxtend, statsmodels and pandas."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.multiple.cochran import cochran_q_test
from evalstats.pairwise.mcnemar import pairwise_mcnemar_test

MLXTEND = "mlxtend mcnemar_tables and mcnemar"
STATSMODELS = "statsmodels mcnemar, counts by numpy"
CROSSTAB = "statsmodels mcnemar, counts by pandas.crosstab"


def statsmodels_pvalues(right: np.ndarray, n_pairs: int) -> np.ndarray:
    from statsmodels.stats.contingency_tables import mcnemar

    def table(x: np.ndarray, y: np.ndarray) -> list[list[int]]:
        return [[np.sum(x & y), np.sum(x & ~y)], [np.sum(~x & y), np.sum(~x & ~y)]]

    pairs = islice(combinations(right.T, 2), n_pairs)
    return np.array([mcnemar(np.array(table(x, y)), exact=True).pvalue for x, y in pairs])


def crosstab_pvalues(right: np.ndarray, n_pairs: int) -> np.ndarray:
    import pandas as pd
    from statsmodels.stats.contingency_tables import mcnemar

    pairs = islice(combinations(right.T, 2), n_pairs)
    return np.array([mcnemar(pd.crosstab(x, y).to_numpy(), exact=True).pvalue for x, y in pairs])


def mlxtend_pvalues(right: np.ndarray, n_classifiers: int, exact: bool) -> np.ndarray:
    from mlxtend.evaluate import mcnemar, mcnemar_tables

    tables = mcnemar_tables(np.ones(len(right), dtype=int), *right[:, :n_classifiers].T.astype(int))
    return np.array([mcnemar(table, exact=exact)[1] for table in tables.values()])


def mlxtend_cochran(right: np.ndarray) -> tuple[float, float]:
    from mlxtend.evaluate import cochrans_q

    q, pvalue = cochrans_q(np.ones(len(right), dtype=int), *right.T.astype(int))
    return float(q), float(pvalue)


def statsmodels_cochran(right: np.ndarray) -> tuple[float, float]:
    from statsmodels.stats.contingency_tables import cochrans_q

    result = cochrans_q(right.astype(int))
    return float(result.statistic), float(result.pvalue)


def agree(here: np.ndarray, there: np.ndarray, peer: str) -> None:
    few = int((1 + np.sqrt(1 + 8 * len(there))) / 2) if peer == MLXTEND else len(here)
    pairs = here[:few, :few][np.triu_indices(few, 1)]
    np.testing.assert_allclose(pairs[: len(there)], there, rtol=1e-10)


def agree_q(here: Any, there: tuple[float, float], _peer: str) -> None:
    np.testing.assert_allclose(tuple(here), there, rtol=1e-10)


def races() -> Iterator[Race]:
    yield from mcnemar_races()
    yield from cochran_races()


def mcnemar_races() -> Iterator[Race]:
    few = 8
    for k, n, n_pairs, method, goals in (
        (500, 100_000, 20, "exact", {MLXTEND: 100, STATSMODELS: 20, CROSSTAB: 500}),
        (500, 100_000, 20, "asymptotic", {MLXTEND: 100}),
        (30, 2_000, 100, "exact", {}),
    ):
        right = np.random.default_rng(k).random((n, k)) < np.linspace(0.8, 0.81, k)
        all_pairs = k * (k - 1) // 2
        peers = {MLXTEND: lambda right=right, exact=method == "exact": mlxtend_pvalues(right, few, exact)}
        shares = {MLXTEND: few * (few - 1) // 2 / all_pairs}
        if method == "exact":
            peers[STATSMODELS] = lambda right=right, m=n_pairs: statsmodels_pvalues(right, m)
            peers[CROSSTAB] = lambda right=right, m=n_pairs: crosstab_pvalues(right, m)
            shares[STATSMODELS] = shares[CROSSTAB] = n_pairs / all_pairs
        yield Race(
            f"McNemar's test ({method}), all {all_pairs:,} pairs of {k} classifiers, {n:,} cases",
            lambda right=right, method=method: pairwise_mcnemar_test(right, method=method).unadjusted_pvalue,
            peers,
            agree,
            goals,
            shares,
            rounds=3,
        )


def cochran_races() -> Iterator[Race]:
    for k, peers in (
        (10, {"mlxtend cochrans_q": mlxtend_cochran}),
        (30, {"statsmodels cochrans_q": statsmodels_cochran}),
    ):
        right = np.random.default_rng(k).random((10_000, k)) < np.linspace(0.8, 0.82, k)
        yield Race(
            f"Cochran's Q (chi-squared) of {k} classifiers, 10,000 samples",
            lambda right=right: cochran_q_test(right, method="chi2"),
            {name: (lambda right=right, way=way: way(right)) for name, way in peers.items()},
            agree_q,
            {},
        )
