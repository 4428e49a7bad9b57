"""DeLong's covariance and test in many folds at once, and on instances in clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.ranking import by_proc
from benchmarks.timing import Race
from evalstats.metrics import delong_covariance
from evalstats.paired import clustered_delong_test
from evalstats.pairwise import pairwise_delong_test

N_FOLDS, N_CLASSIFIERS, N_CASES = 10_000, 6, 100
FOLDS_FOR_PEERS = 200


def races() -> Iterator[Race]:
    rng = np.random.default_rng(2014)
    y = rng.random((N_FOLDS, N_CASES)) < 0.4
    y[:, :2], y[:, 2:4] = True, False
    score = rng.normal(size=(N_FOLDS, N_CLASSIFIERS, N_CASES)) + y[:, None]
    yield _covariances(y, score, "")
    yield _covariances(y, score.round(1), ", with ties")
    yield _pairs(y, score)
    yield _clusters(rng, 20_000, 4_000)
    yield _clusters(rng, 20_000, 4_000, digits=1)
    yield _clusters(rng, 20_000, 20_000)
    yield _clusters(rng, 1_000_000, 200_000)


def _covariances(y: np.ndarray, score: np.ndarray, ties: str) -> Race:
    peers = {"loop of Sun & Xu's midranks (numpy)": lambda: _loop(fast_delong, y, score)}
    peers["loop of scipy's ranks"] = lambda: _loop(_by_ranks, y, score)
    if package := _confidenceinterval():
        peers["loop of confidenceinterval"] = lambda: _loop(package, y, score)

    def agree(mine: Any, theirs: np.ndarray, name: str) -> None:
        # confidenceinterval ranks in single precision
        tolerance = 1e-4 if name.endswith("confidenceinterval") else 1e-11
        np.testing.assert_allclose(mine.covariance[:FOLDS_FOR_PEERS], theirs, rtol=tolerance, atol=tolerance / 1e6)

    return Race(
        job=f"DeLong covariance of {N_CLASSIFIERS} classifiers in {N_FOLDS:,} folds of {N_CASES} cases{ties}",
        ours=lambda: delong_covariance(y, score),
        peers=peers,
        agree=agree,
        goal={"loop of confidenceinterval": 30},
        shares=dict.fromkeys(peers, FOLDS_FOR_PEERS / N_FOLDS),
        rounds=3,
    )


def _pairs(y: np.ndarray, score: np.ndarray) -> Race:
    i, j = np.triu_indices(N_CLASSIFIERS, 1)
    by_case = np.ascontiguousarray(score.swapaxes(1, 2))

    def by_loop() -> np.ndarray:
        covariances = _loop(fast_delong, y, score)
        variance = covariances[:, i, i] + covariances[:, j, j] - 2 * covariances[:, i, j]
        area = np.array([_areas(y[fold], score[fold]) for fold in range(FOLDS_FOR_PEERS)])
        return 2 * stats.norm.sf(np.abs(area[:, i] - area[:, j]) / np.sqrt(variance))

    def agree(mine: Any, theirs: np.ndarray, _: str) -> None:
        np.testing.assert_allclose(mine.unadjusted_pvalue[:FOLDS_FOR_PEERS, i, j], theirs, rtol=1e-8)

    name = "loop of Sun & Xu's midranks (numpy)"
    return Race(
        job=f"DeLong test of all pairs of {N_CLASSIFIERS} classifiers in {N_FOLDS:,} folds of {N_CASES} cases",
        ours=lambda: pairwise_delong_test(y, by_case, df="infinite"),
        peers={name: by_loop},
        agree=agree,
        goal={name: 30},
        shares={name: FOLDS_FOR_PEERS / N_FOLDS},
        rounds=3,
    )


def _clusters(rng: np.random.Generator, n: int, n_clusters: int, digits: int = 16) -> Race:
    """Two classifiers on instances whose scores share a part within each cluster."""
    cluster = rng.integers(0, n_clusters, n) if n_clusters < n else rng.permutation(n)
    y = rng.random(n) < 0.3
    score = (rng.normal(size=(2, n)) + rng.normal(size=(2, n_clusters))[:, cluster] + y).round(digits)
    peers: dict[str, Callable[[], Any]] = {}
    if n_clusters == n and (proc := by_proc(y, score)):
        peers = {"R pROC, for independent instances": proc}
    elif n <= 20_000:
        peers = {"numpy loop over the clusters": lambda: obuchowski_covariance(y, score, cluster)}

    def agree(mine: Any, theirs: np.ndarray, _: str) -> None:
        np.testing.assert_allclose(mine.covariance, theirs, rtol=1e-10, atol=1e-20)

    sizes = f"{n:,} instances in {n_clusters:,} clusters{', with ties' if digits < 16 else ''}"
    return Race(
        job=f"clustered DeLong test of 2 classifiers, {sizes}",
        ours=lambda: clustered_delong_test(y, *score, cluster),
        peers=peers,
        agree=agree,
        goal={"numpy loop over the clusters": 30, "R pROC, for independent instances": 2},
        rounds=3,
        limit=None if peers else 3,
    )


def obuchowski_covariance(y: np.ndarray, score: np.ndarray, cluster: np.ndarray) -> np.ndarray:
    """Obuchowski (1997), section 2: the sums of the components of each cluster, one cluster after the other."""
    above, below = score[:, y], score[:, ~y]
    m, n = above.shape[1], below.shape[1]
    totals = []
    order = np.argsort(cluster, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(cluster[order])) + 1):
        positive, negative = own[y[own]], own[~y[own]]
        of_positive = _wins(score[:, positive, None], below[:, None, :]).mean(axis=2)
        of_negative = _wins(above[:, None, :], score[:, negative, None]).mean(axis=2)
        totals.append((len(positive), len(negative), of_positive.sum(axis=1), of_negative.sum(axis=1)))
    n_positive, n_negative, v10, v01 = (np.array(values) for values in zip(*totals, strict=True))
    area = v10.sum(axis=0) / m
    d10, d01 = v10 - n_positive[:, None] * area, v01 - n_negative[:, None] * area
    i10, i01, i = np.count_nonzero(n_positive), np.count_nonzero(n_negative), len(totals)
    s10 = i10 / ((i10 - 1) * m) * d10.T @ d10
    s01 = i01 / ((i01 - 1) * n) * d01.T @ d01
    s11 = i / (i - 1) * d10.T @ d01
    return s10 / m + s01 / n + (s11 + s11.T) / (m * n)


def _wins(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    return (above > below) + (above == below) / 2


def _loop(covariance: Callable[[np.ndarray, np.ndarray], np.ndarray], y: np.ndarray, score: np.ndarray) -> np.ndarray:
    return np.array([covariance(y[fold], score[fold]) for fold in range(FOLDS_FOR_PEERS)])


def fast_delong(y: np.ndarray, score: np.ndarray) -> np.ndarray:
    """Sun & Xu (2014), algorithm 2: three rankings for each classifier."""
    m, n = np.count_nonzero(y), np.count_nonzero(~y)
    above, below = np.empty((len(score), m)), np.empty((len(score), n))
    for row, values in enumerate(score):
        together = _midranks(np.concatenate([values[y], values[~y]]))
        above[row] = (together[:m] - _midranks(values[y])) / n
        below[row] = 1 - (together[m:] - _midranks(values[~y])) / m
    return np.cov(above) / m + np.cov(below) / n


def _midranks(values: np.ndarray) -> np.ndarray:
    """Sun & Xu (2014), algorithm 1, with the search for ties done by numpy."""
    order = np.argsort(values)
    ordered = values[order]
    edges = np.concatenate([[0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1, [len(values)]])
    ranks = np.empty(len(values))
    ranks[order] = np.repeat((edges[:-1] + edges[1:] + 1) / 2, np.diff(edges))
    return ranks


def _by_ranks(y: np.ndarray, score: np.ndarray) -> np.ndarray:
    together, m, n = stats.rankdata(score, axis=1), y.sum(), (~y).sum()
    above = (together[:, y] - stats.rankdata(score[:, y], axis=1)) / n
    below = (together[:, ~y] - stats.rankdata(score[:, ~y], axis=1)) / m
    return np.cov(above) / m + np.cov(below) / n


def _areas(y: np.ndarray, score: np.ndarray) -> np.ndarray:
    m, n = np.count_nonzero(y), np.count_nonzero(~y)
    return np.array([(_midranks(values)[y].sum() - m * (m + 1) / 2) / (m * n) for values in score])


def _confidenceinterval() -> Callable[[np.ndarray, np.ndarray], np.ndarray] | None:
    """Return the package's own loop; None where it is not installed."""
    try:
        from confidenceinterval import delong
    except ImportError:
        return None

    def covariance(y: np.ndarray, score: np.ndarray) -> np.ndarray:
        order = (~y).argsort(kind="stable")
        return delong.fastDeLong(score[:, order], int(y.sum()), None)[1]

    return covariance
