"""Cohen's kappa of all pairs of classifiers, of many tables, of one long pair, against sklearn, statsmodels and R."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.timing import Race, r_function
from evalstats.agreement import cohen_kappa, cohen_kappa_matrix, cohen_kappa_table

SKLEARN = "sklearn.metrics.cohen_kappa_score"
STATSMODELS = "statsmodels cohens_kappa"
WITH_BINCOUNT = "numpy.bincount and statsmodels cohens_kappa"
R = "R vcd::Kappa"

N_CLASSIFIERS, N = 500, 100_000
FIRST_PAIRS = 12  # the peers do one pair at a time, and get these of 124,750
FIRST_TABLES = 200


def predictions(k: int) -> np.ndarray:
    rng = np.random.default_rng(k)
    truth = rng.integers(0, k, N)
    return np.where(rng.random((N_CLASSIFIERS, N)) < 0.7, truth, rng.integers(0, k, (N_CLASSIFIERS, N)))


def sklearn_pairs(y: np.ndarray) -> np.ndarray:
    from sklearn.metrics import cohen_kappa_score

    return np.array([cohen_kappa_score(y[0], y[j]) for j in range(1, FIRST_PAIRS + 1)])


def statsmodels_pairs(y: np.ndarray, k: int) -> np.ndarray:
    from statsmodels.stats.inter_rater import cohens_kappa

    def table(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.bincount(a * k + b, minlength=k * k).reshape(k, k)

    pairs = range(1, FIRST_PAIRS + 1)
    return np.array([cohens_kappa(table(y[0], y[j]), return_results=False) for j in pairs])


def statsmodels_tables(tables: np.ndarray) -> np.ndarray:
    from statsmodels.stats.inter_rater import cohens_kappa

    results = [cohens_kappa(table) for table in tables[:FIRST_TABLES]]
    return np.array([[r.kappa, r.std_kappa, r.std_kappa0, r.kappa_max] for r in results])


def r_tables(tables: np.ndarray) -> np.ndarray:
    from rpy2 import robjects

    k = tables.shape[-1]
    kappa = r_function("vcd", f"function(cells) vcd::Kappa(matrix(cells, {k}, byrow = TRUE))$Unweighted")
    return np.array([kappa(robjects.FloatVector(table.ravel())) for table in tables[:FIRST_TABLES]])


def our_tables(tables: np.ndarray) -> np.ndarray:
    result = cohen_kappa_table(tables)
    return np.stack([result.estimate, result.standard_error, result.standard_error_null, result.maximum], axis=-1)


def agree_on_pairs(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    np.testing.assert_allclose(here[0, 1 : len(there) + 1], there, rtol=1e-12)


def agree_on_tables(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    np.testing.assert_allclose(here[: len(there), : there.shape[1]], there, rtol=1e-9)


def races() -> Iterator[Race]:
    n_pairs = N_CLASSIFIERS * (N_CLASSIFIERS - 1) // 2
    share = FIRST_PAIRS / n_pairs
    for k, goal in ((10, 200), (2, 600)):
        y = predictions(k)
        yield Race(
            f"kappa of all {n_pairs:,} pairs of {N_CLASSIFIERS} classifiers, {N:,} predictions, {k} classes",
            lambda y=y: cohen_kappa_matrix(y),
            {SKLEARN: lambda y=y: sklearn_pairs(y), WITH_BINCOUNT: lambda y=y, k=k: statsmodels_pairs(y, k)},
            agree_on_pairs,
            {SKLEARN: goal, WITH_BINCOUNT: 8},
            {SKLEARN: share, WITH_BINCOUNT: share},
            rounds=3,
        )

    tables = np.random.default_rng(1).integers(0, 50, (10_000, 5, 5)) + 50 * np.eye(5, dtype=int)
    share = FIRST_TABLES / len(tables)
    peers: dict[str, Any] = {STATSMODELS: lambda: statsmodels_tables(tables)}
    if find_spec("rpy2"):
        peers[R] = lambda: r_tables(tables)
    yield Race(
        "kappa, standard errors and maximum of 10,000 tables of 5 labels",
        lambda: our_tables(tables),
        peers,
        agree_on_tables,
        {STATSMODELS: 200},
        dict.fromkeys(peers, share),
    )

    from sklearn.metrics import cohen_kappa_score

    y1, y2 = np.random.default_rng(2).integers(0, 10, (2, 1_000_000))
    yield Race(
        "kappa of two labelings of 1,000,000 cases, 10 labels",
        lambda: cohen_kappa(y1, y2).estimate,
        {SKLEARN: lambda: cohen_kappa_score(y1, y2)},
        lambda here, there, _peer: np.testing.assert_allclose(here, there, rtol=1e-10, atol=1e-14),
        {SKLEARN: 5},
    )
