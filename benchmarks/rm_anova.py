"""Repeated-measures ANOVA of many tables, and Tukey's p-values, against statsmodels and scipy."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Race
from evalstats.distributions import studentized_range
from evalstats.multiple.rm_anova import rm_anova_test

STATSMODELS = "statsmodels AnovaRM, a loop"
SCIPY = "scipy.stats.studentized_range"
SHARE = 0.005  # the loop over tables would take minutes


def loop_over_tables(tables: np.ndarray) -> list[float]:
    import pandas as pd
    from statsmodels.stats.anova import AnovaRM

    i, j = np.indices(tables.shape[-2:])
    found = []
    for table in tables[: max(1, round(SHARE * len(tables)))]:
        long = pd.DataFrame({"score": table.ravel(), "dataset": i.ravel(), "classifier": j.ravel()})
        found.append(AnovaRM(long, "score", "dataset", within=["classifier"]).fit().anova_table["F Value"].iloc[0])
    return found


def races() -> Iterator[Race]:
    from scipy.stats import studentized_range as scipy_range

    for n, k in ((100, 30), (20, 5)):
        tables = np.random.default_rng(n).random((2000, n, k))
        yield Race(
            f"repeated-measures ANOVA of 2,000 tables {n} x {k}",
            lambda tables=tables: rm_anova_test(tables).statistic,
            {STATSMODELS: lambda tables=tables: loop_over_tables(tables)},
            lambda here, there, _peer: np.testing.assert_allclose(here[: len(there)], there, rtol=1e-8),
            {STATSMODELS: 12},
            {STATSMODELS: SHARE},
            rounds=3,
        )
    q = math.sqrt(2) * np.linspace(0.3, 5, 45)
    for k, df in ((10, 60), (10, 2)):
        yield Race(
            f"studentized range, 45 ranges of {k} with {df} degrees of freedom",
            lambda k=k, df=df: studentized_range.sf(q, k, df),
            {SCIPY: lambda k=k, df=df: scipy_range.sf(q, k, df)},
            lambda here, there, _peer: np.testing.assert_allclose(here, there, rtol=1e-10, atol=2e-13),
            {SCIPY: 300},
            rounds=3,
        )
