"""McNemar's test of all pairs of many classifiers, against statsmodels and pandas."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from benchmarks.side_by_side import Race
from evalstats.paired.mcnemar import mcnemar_test

STATSMODELS = "statsmodels mcnemar, counts by numpy"
CROSSTAB = "statsmodels mcnemar, counts by pandas.crosstab"


def statsmodels_pvalues(right: np.ndarray, n_pairs: int) -> np.ndarray:
    from statsmodels.stats.contingency_tables import mcnemar

    def table(x: np.ndarray, y: np.ndarray) -> list[list[int]]:
        return [[np.sum(x & y), np.sum(x & ~y)], [np.sum(~x & y), np.sum(~x & ~y)]]

    pairs = islice(combinations(right, 2), n_pairs)
    return np.array([mcnemar(np.array(table(x, y)), exact=True).pvalue for x, y in pairs])


def crosstab_pvalues(right: np.ndarray, n_pairs: int) -> np.ndarray:
    import pandas as pd
    from statsmodels.stats.contingency_tables import mcnemar

    pairs = islice(combinations(right, 2), n_pairs)
    return np.array([mcnemar(pd.crosstab(x, y).to_numpy(), exact=True).pvalue for x, y in pairs])


def agree(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    pairs = here[np.triu_indices(len(here), 1)]
    np.testing.assert_allclose(pairs[: len(there)], there, rtol=1e-10)


def races() -> Iterator[Race]:
    for k, n, n_pairs, goals in ((500, 100_000, 20, {STATSMODELS: 20, CROSSTAB: 500}), (30, 2_000, 100, {})):
        right = np.random.default_rng(k).random((k, n)) < np.linspace(0.8, 0.81, k)[:, None]
        all_pairs = k * (k - 1) // 2
        yield Race(
            f"Exact McNemar test, all {all_pairs:,} pairs of {k} classifiers, {n:,} cases",
            lambda right=right: mcnemar_test(right[:, None], right[None]).pvalue,
            {
                STATSMODELS: lambda right=right, m=n_pairs: statsmodels_pvalues(right, m),
                CROSSTAB: lambda right=right, m=n_pairs: crosstab_pvalues(right, m),
            },
            agree,
            goals,
            {STATSMODELS: n_pairs / all_pairs, CROSSTAB: n_pairs / all_pairs},
            rounds=3,
        )
