"""Areas under many ROC curves, and their covariance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import stats
from sklearn import metrics

from benchmarks.timing import Race, r_function
from evalstats.metrics import delong_covariance, roc_auc_score

N_CASES = np.linspace(100, 1630, 20).astype(int)
N_CLASSIFIERS, N_REPEATS, N_FOLDS = 6, 500, 10
FOLDS_FOR_SKLEARN = 400


class Dataset(NamedTuple):
    y: np.ndarray
    score: np.ndarray  # classifiers, repeats, cases
    fold: np.ndarray  # repeats, cases


def races() -> Iterator[Race]:
    rng = np.random.default_rng(1988)
    yield _grid([_dataset(rng, n, tied=bool(i % 2)) for i, n in enumerate(N_CASES)])
    yield _ragged(rng, 20_000)
    for n, k, digits in ((10_000, 6, 16), (100_000, 6, 16), (100_000, 6, 2)):
        yield _delong(rng, n, k, digits)


def _dataset(rng: np.random.Generator, n: int, *, tied: bool) -> Dataset:
    y = rng.permutation(np.arange(n) % 5 < 2).astype(np.int8)
    score = rng.random((N_CLASSIFIERS, N_REPEATS, n))
    stratified = np.empty(n, dtype=np.int8)
    for label in (0, 1):
        stratified[y == label] = np.arange(np.count_nonzero(y == label)) % N_FOLDS
    fold = np.empty((N_REPEATS, n), dtype=np.int8)
    for label in (0, 1):
        fold[:, y == label] = rng.permuted(np.tile(stratified[y == label], (N_REPEATS, 1)), axis=1)
    return Dataset(y, score.round(2) if tied else score, fold)


def _grid(datasets: list[Dataset]) -> Race:
    """Repeated cross-validation of six classifiers on twenty datasets."""

    def ours() -> list[np.ndarray]:
        return [roc_auc_score(d.y, d.score, fold=d.fold, n_folds=N_FOLDS) for d in datasets]

    def by_sklearn() -> list[list[float]]:
        each = FOLDS_FOR_SKLEARN // len(datasets) // N_FOLDS
        return [
            [
                metrics.roc_auc_score(d.y[d.fold[r] == j], d.score[0, r][d.fold[r] == j])
                for r in range(each)
                for j in range(N_FOLDS)
            ]
            for d in datasets
        ]

    def agree(areas: list[np.ndarray], theirs: list[list[float]], _: str) -> None:
        for mine, other in zip(areas, theirs, strict=True):
            np.testing.assert_allclose(mine[0].ravel()[: len(other)], other, rtol=1e-12)

    n_areas = len(datasets) * N_CLASSIFIERS * N_REPEATS * N_FOLDS
    n_scores = sum(d.score.size for d in datasets)
    return Race(
        job=f"AUC of {n_areas:,} folds, {n_scores / 1e6:.0f} million scores, half of them with ties",
        ours=ours,
        peers={"scikit-learn loop": by_sklearn},
        agree=agree,
        goal={"scikit-learn loop": 600},
        shares={"scikit-learn loop": FOLDS_FOR_SKLEARN / n_areas},
    )


def _ragged(rng: np.random.Generator, n_folds: int) -> Race:
    """Folds of 20 to 200 cases, one after the other; scipy ranks rows that are filled up to 200."""
    sizes = rng.integers(20, 201, n_folds)
    fold = np.repeat(np.arange(n_folds), sizes)
    y, score = rng.random(len(fold)) < 0.4, rng.random(len(fold))
    there = np.arange(200) < sizes[:, None]

    def by_rankdata() -> np.ndarray:
        rows, positive = np.full(there.shape, np.inf), np.zeros(there.shape, dtype=bool)
        rows[there], positive[there] = score, y
        n_positive = positive.sum(axis=1)
        rank_sum = (stats.rankdata(rows, axis=1) * positive).sum(axis=1)
        return (rank_sum - n_positive * (n_positive + 1) / 2) / (n_positive * (sizes - n_positive))

    def agree(mine: np.ndarray, theirs: np.ndarray, _: str) -> None:
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)

    return Race(
        job=f"AUC of {n_folds:,} folds of 20 to 200 cases",
        ours=lambda: roc_auc_score(y, score, fold=fold, n_folds=n_folds),
        peers={"scipy rankdata of filled rows": by_rankdata},
        agree=agree,
        goal={"scipy rankdata of filled rows": 2},
    )


def _delong(rng: np.random.Generator, n: int, k: int, digits: int) -> Race:
    y = rng.random(n) < 0.3
    score = (rng.normal(size=(k, n)) + y).round(digits)
    peers: dict[str, Callable[[], Any]] = {"numpy, by scipy's ranks": lambda: _by_ranks(y, score)}
    if proc := by_proc(y, score):
        peers = {"R pROC": proc}

    def agree(mine: Any, theirs: np.ndarray, _: str) -> None:
        np.testing.assert_allclose(mine.covariance, theirs, rtol=1e-11, atol=1e-20)

    return Race(
        job=f"DeLong covariance of {k} classifiers on {n:,} cases{', with ties' if digits < 16 else ''}",
        ours=lambda: delong_covariance(y, score),
        peers=peers,
        agree=agree,
        goal={"R pROC": 15},
        rounds=5,
    )


def _by_ranks(y: np.ndarray, score: np.ndarray) -> np.ndarray:
    together, n_positive, n_negative = stats.rankdata(score, axis=1), y.sum(), (~y).sum()
    above = (together[:, y] - stats.rankdata(score[:, y], axis=1)) / n_negative
    below = (together[:, ~y] - stats.rankdata(score[:, ~y], axis=1)) / n_positive
    return np.cov(above) / n_positive + np.cov(below) / n_negative


def by_proc(y: np.ndarray, score: np.ndarray) -> Callable[[], np.ndarray] | None:
    """R's pROC through rpy2; None where they are not installed."""
    code = """function(y, scores, k) {
      scores <- matrix(scores, ncol = k)
      curves <- lapply(seq_len(k), function(j) {
        pROC::roc(y, scores[, j], levels = c(0, 1), direction = "<", quiet = TRUE)
      })
      result <- matrix(0, k, k)
      for (i in seq_len(k)) for (j in seq_len(i)) {
        result[i, j] <- result[j, i] <- if (i == j) pROC::var(curves[[i]]) else pROC::cov(curves[[i]], curves[[j]])
      }
      result
    }"""
    try:
        covariance = r_function("pROC", code)
    except ImportError:
        return None
    from rpy2 import robjects

    labels, values = robjects.IntVector(y.astype(int).tolist()), robjects.FloatVector(score.ravel().tolist())
    k = len(score)
    return lambda: np.array(list(covariance(labels, values, k))).reshape(k, k)
