"""Nemenyi p-values of all pairs and critical differences, against scipy, R, statsmodels and scikit-posthocs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.distributions import studentized_range
from evalstats.multiple.critical_differences import critical_difference
from evalstats.multiple.nemenyi import nemenyi_test

SCIPY = "scipy.stats.studentized_range"
R = "R stats::ptukey"
STATSMODELS = "statsmodels psturng"
POSTHOCS = "scikit_posthocs.posthoc_nemenyi_friedman"

QUANTILES = [(k, alpha) for k in (3, 10, 30, 100) for alpha in (0.05, 0.001)]
EVERY = 50  # statsmodels does one range at a time: it gets one in fifty


def table(n: int, k: int) -> np.ndarray:
    rng = np.random.default_rng(n + k)
    return rng.random((n, k)) + np.linspace(0, 0.5, k)


def ranges(scores: np.ndarray) -> np.ndarray:
    i, j = np.triu_indices(scores.shape[1], 1)
    return np.abs(nemenyi_test(scores).statistic[i, j]) * math.sqrt(2)


def without_cache(q: np.ndarray, k: int) -> np.ndarray:
    studentized_range._chebyshev_coefficients.cache_clear()
    return studentized_range.sf(q, k)


def pvalue_peers(q: np.ndarray, k: int) -> dict[str, Callable[[], Any]]:
    from scipy.stats import studentized_range as scipy_range
    from statsmodels.stats.libqsturng import psturng

    peers = {
        SCIPY: lambda: scipy_range.sf(q, k, np.inf),
        STATSMODELS: lambda: np.array([float(np.squeeze(psturng(v, k, np.inf))) for v in q[::EVERY]]),
    }
    if find_spec("rpy2"):
        from rpy2 import robjects

        ptukey, vector = robjects.r["ptukey"], robjects.FloatVector(q)
        peers[R] = lambda: np.array(ptukey(vector, k, math.inf, lower_tail=False))
    return peers


def agree_on_pvalues(here: np.ndarray, there: np.ndarray, peer: str) -> None:
    if peer == STATSMODELS:  # two or three digits, and clipped at both ends
        here = here[::EVERY]
        inside = (here > 0.002) & (here < 0.5)
        np.testing.assert_allclose(here[inside], there[inside], rtol=0.05)
    elif peer == R:
        np.testing.assert_allclose(here, there, rtol=0, atol=5e-6)
    else:
        np.testing.assert_allclose(here, there, rtol=1e-11, atol=1e-13)  # the absolute error of scipy: 4e-14


def posthocs_matrix(scores: np.ndarray) -> np.ndarray:
    import scikit_posthocs

    return scikit_posthocs.posthoc_nemenyi_friedman(scores).to_numpy()


def races() -> Iterator[Race]:
    from scipy.stats import studentized_range as scipy_range

    for n, k, goals in ((100, 100, {SCIPY: 100, R: 4, STATSMODELS: 1000}), (30, 10, {SCIPY: 10})):
        q = ranges(table(n, k))
        shares = {STATSMODELS: len(q[::EVERY]) / len(q)}
        job = f"Nemenyi p-values, {len(q):,} pairs of {k} classifiers"
        peers = pvalue_peers(q, k)
        yield Race(job, lambda q=q, k=k: studentized_range.sf(q, k), peers, agree_on_pvalues, goals, shares)
        first_goals = {SCIPY: goals[SCIPY] / 2} if k == 100 else {}
        yield Race(
            f"{job}, the first time",
            lambda q=q, k=k: without_cache(q, k),
            {SCIPY: peers[SCIPY]},
            agree_on_pvalues,
            first_goals,
        )
    yield Race(
        f"{len(QUANTILES)} critical differences, k = 3 to 100",
        lambda: [critical_difference(1, k, alpha=a) / math.sqrt(k * (k + 1) / 12) for k, a in QUANTILES],
        {SCIPY: lambda: [scipy_range.isf(a, k, np.inf) for k, a in QUANTILES]},
        lambda here, there, _peer: np.testing.assert_allclose(here, there, rtol=1e-12),
        {SCIPY: 7},
    )
    scores = table(100, 30)
    yield Race(
        "Nemenyi test of 100 datasets x 30 classifiers, from the scores",
        lambda: nemenyi_test(scores).pvalue,
        {POSTHOCS: lambda: posthocs_matrix(scores)},
        lambda here, there, _peer: np.testing.assert_allclose(here, there, rtol=1e-9, atol=1e-13),
        {POSTHOCS: 8},
    )
