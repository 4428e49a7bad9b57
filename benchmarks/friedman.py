"""Friedman's test: null distributions and batches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.timing import Race, r_function
from evalstats import friedman_test
from evalstats.distributions import rank_sums

LONGEST_EXACT = 2.0  # seconds, 30 datasets of 4 classifiers


def races() -> Iterator[Race]:
    rng = np.random.default_rng(2006)
    yield _resampling(rng.random((30, 5)).round(2), 100_000, share=0.02, goal={"scipy": 25, "coin": 10}, rounds=5)
    yield _resampling(rng.random((100, 30)), 100_000, share=0.001, goal={"scipy": 5}, rounds=3)
    yield _exact(rng.random((30, 4)))
    yield _batch(rng.random((200, 100, 30)), "without ties")
    yield _batch(rng.random((200, 100, 30)).round(2), "with ties")
    yield _one_table(rng.random((100, 30)))


def _resampling(scores: np.ndarray, n_resamples: int, *, share: float, goal: dict[str, float], rounds: int) -> Race:
    """Draw Monte Carlo p-values; scipy's permutation test is vectorized, and its ranks are computed once."""
    peers: dict[str, Callable[[], Any]] = {
        "scipy permutation_test": lambda: _scipy_pvalue(scores, round(n_resamples * share)),
    }
    if "coin" in goal and (coin := _coin(scores, n_resamples)):
        peers["R coin approximate"] = coin

    def agree(ours: float, theirs: float, name: str) -> None:
        drawn = n_resamples * (share if name.startswith("scipy") else 1)
        error = np.sqrt(ours * (1 - ours) * (1 / n_resamples + 1 / drawn))
        assert abs(ours - theirs) < 5 * error + 2 / drawn

    n, k = scores.shape
    return Race(
        job=f"Friedman, {n_resamples:,} random arrangements of {n} x {k}",
        ours=lambda: friedman_test(scores, method="monte-carlo", n_resamples=n_resamples, rng=1).pvalue,
        peers=peers,
        agree=agree,
        goal={name: goal[word] for name in peers for word in goal if word in name},
        shares={"scipy permutation_test": share},
        rounds=rounds,
    )


def _exact(scores: np.ndarray) -> Race:
    """Compute an exact p-value, the cache emptied, against as many random arrangements as give three digits of it."""
    n_resamples, share = 1_000_000, 0.005

    def ours() -> float:
        rank_sums._law.cache_clear()
        start = time.perf_counter()
        pvalue = friedman_test(scores, method="exact").pvalue
        assert time.perf_counter() - start < LONGEST_EXACT
        return float(pvalue)

    def agree(exact: float, drawn: float, _: str) -> None:
        assert abs(exact - drawn) < 5 * np.sqrt(exact * (1 - exact) / (n_resamples * share))

    n, k = scores.shape
    return Race(
        job=f"Friedman, exact p of {n} x {k} (always under {LONGEST_EXACT:g} s)",
        ours=ours,
        peers={"scipy permutation_test, 1,000,000": lambda: _scipy_pvalue(scores, round(n_resamples * share))},
        agree=agree,
        goal={"scipy permutation_test, 1,000,000": 50},
        shares={"scipy permutation_test, 1,000,000": share},
    )


def _batch(tables: np.ndarray, what: str) -> Race:
    def loop() -> list[Any]:
        return [stats.friedmanchisquare(*table.T) for table in tables[:20]]

    def agree(ours: Any, theirs: list[Any], _: str) -> None:
        np.testing.assert_allclose(ours.statistic[:20], [r.statistic for r in theirs], rtol=1e-12)
        np.testing.assert_allclose(ours.pvalue[:20], [r.pvalue for r in theirs], rtol=1e-12)

    n_tables, n, k = tables.shape
    return Race(
        job=f"Friedman, batch of {n_tables} tables {n} x {k}, {what}",
        ours=lambda: friedman_test(tables, method="chi2"),
        peers={"scipy friedmanchisquare loop": loop},
        agree=agree,
        goal={"scipy friedmanchisquare loop": 12},
        shares={"scipy friedmanchisquare loop": 20 / n_tables},
    )


def _one_table(scores: np.ndarray) -> Race:
    def agree(ours: Any, theirs: Any, _: str) -> None:
        np.testing.assert_allclose(tuple(ours), tuple(theirs), rtol=1e-12)

    n, k = scores.shape
    return Race(
        job=f"Friedman, one table {n} x {k}, all statistics",
        ours=lambda: friedman_test(scores),
        peers={"scipy friedmanchisquare": lambda: stats.friedmanchisquare(*scores.T)},
        agree=agree,
        goal={"scipy friedmanchisquare": 3},
        rounds=25,
    )


def _scipy_pvalue(scores: np.ndarray, n_resamples: int) -> float:
    def unequal(*ranks: np.ndarray, axis: int = -1) -> np.ndarray:
        return sum(rank.sum(axis=axis) ** 2 for rank in ranks)

    ranks = stats.rankdata(-scores, axis=1)
    answer = stats.permutation_test(
        tuple(ranks.T),
        unequal,
        permutation_type="samples",
        vectorized=True,
        alternative="greater",
        n_resamples=n_resamples,
        rng=1,
    )
    return float(answer.pvalue)


def _coin(scores: np.ndarray, n_resamples: int) -> Callable[[], float] | None:
    """R's coin through rpy2; None where they are not installed."""
    code = """function(scores, k, n_resamples) {
      data <- data.frame(y = scores, g = factor(rep(seq_len(k), length(scores) / k)),
                         b = factor(rep(seq_len(length(scores) / k), each = k)))
      test <- coin::friedman_test(y ~ g | b, data, distribution = coin::approximate(nresample = n_resamples))
      as.numeric(coin::pvalue(test))
    }"""
    try:
        test = r_function("coin", code)
    except ImportError:
        return None
    from rpy2 import robjects

    values = robjects.FloatVector(scores.ravel().tolist())
    return lambda: float(test(values, scores.shape[1], n_resamples)[0])
