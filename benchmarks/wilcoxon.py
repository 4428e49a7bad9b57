"""Wilcoxon's test of many pairs, and of all pairs of many classifiers, against scipy, coin and scikit-posthocs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.timing import Race, r_function
from evalstats.distributions.signed_rank import untied_law
from evalstats.paired.wilcoxon import wilcoxon_test

SCIPY = "scipy.stats.wilcoxon"
SCIPY_BATCH = "scipy.stats.wilcoxon(axis=)"
POSTHOCS = "scikit_posthocs.posthoc_wilcoxon"
COIN = "R coin::wilcoxsign_test"

N_CLASSIFIERS, N_DATASETS = 200, 500
FIRST, SECOND = np.triu_indices(N_CLASSIFIERS, 1)
N_PAIRS = FIRST.size
EVERY = 100  # a peer that does one pair at a time gets one in a hundred
EVERY_OF_BATCH = 10
N_OF_POSTHOCS = 21  # and this one gets all pairs of so many classifiers


def pairs(n: int, decimals: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Scores of two classifiers, one a little better: p-values between 0.1 and 0.0001."""
    rng = np.random.default_rng(n)
    x, y = rng.normal(0.08, 1, n), rng.normal(0, 1, n)
    return (x, y) if decimals is None else (x.round(decimals), y.round(decimals))


def exact_pvalue(x: np.ndarray, y: np.ndarray) -> float:
    untied_law.cache_clear()
    return wilcoxon_test(x, y, method="exact").pvalue


def agree_exactly(here: float, there: float, peer: str) -> None:
    assert abs(here / there - 1) < 1e-11, (peer, here, there)


def exact(n: int, goal: float, rounds: int) -> Race:
    from scipy.stats import wilcoxon

    x, y = pairs(n)
    return Race(
        job=f"exact p, {n} pairs without ties",
        ours=lambda: exact_pvalue(x, y),
        peers={SCIPY: lambda: wilcoxon(x, y, method="exact").pvalue},
        agree=agree_exactly,
        goal={SCIPY: goal},
        rounds=rounds,
    )


def exact_with_ties() -> Race:
    from rpy2 import robjects

    x, y = pairs(1000, decimals=2)
    coin = r_function(
        "coin",
        'function(x, y) coin::pvalue(coin::wilcoxsign_test(x ~ y, distribution = "exact", zero.method = "Wilcoxon"))',
    )
    # in steps of 0.01 and whole, so that R sees the same ties
    a, b = (robjects.FloatVector(np.rint(100 * v)) for v in (x, y))
    return Race(
        job="exact p, 1000 pairs with ties",
        ours=lambda: exact_pvalue(x, y),
        peers={COIN: lambda: coin(a, b)[0]},
        agree=agree_exactly,
        goal={COIN: 500},
        rounds=3,
    )


def all_pairs(scores: np.ndarray) -> np.ndarray:
    choices = {"method": "asymptotic", "correction": False}
    return np.concatenate([wilcoxon_test(x, scores[i + 1 :], **choices).pvalue for i, x in enumerate(scores[:-1])])


def all_pairs_peers(scores: np.ndarray) -> dict[str, Callable[[], Any]]:
    from scipy.stats import wilcoxon

    first, second = FIRST[::EVERY], SECOND[::EVERY]
    batch_first, batch_second = FIRST[::EVERY_OF_BATCH], SECOND[::EVERY_OF_BATCH]
    peers = {
        SCIPY: lambda: np.array([wilcoxon(scores[i], scores[j]).pvalue for i, j in zip(first, second, strict=True)]),
        SCIPY_BATCH: lambda: wilcoxon(scores[batch_first], scores[batch_second], axis=-1).pvalue,
    }
    if find_spec("scikit_posthocs"):
        from scikit_posthocs import posthoc_wilcoxon

        groups = scores[:N_OF_POSTHOCS]
        peers[POSTHOCS] = lambda: posthoc_wilcoxon(groups).to_numpy()[np.triu_indices(N_OF_POSTHOCS, 1)]
    return peers


def agree_on_all_pairs(here: np.ndarray, there: np.ndarray, peer: str) -> None:
    share = {SCIPY: here[::EVERY], SCIPY_BATCH: here[::EVERY_OF_BATCH]}.get(peer)
    if share is None:
        share = here[SECOND < N_OF_POSTHOCS]
    np.testing.assert_allclose(share, there, rtol=1e-12)


def asymptotic_of_all_pairs() -> Race:
    scores = np.random.default_rng(0).random((N_CLASSIFIERS, N_DATASETS))
    peers = all_pairs_peers(scores)
    return Race(
        job=f"all {N_PAIRS:,} pairs of {N_CLASSIFIERS} classifiers on {N_DATASETS} datasets",
        ours=lambda: all_pairs(scores),
        peers=peers,
        agree=agree_on_all_pairs,
        goal={SCIPY: 25, SCIPY_BATCH: 3, POSTHOCS: 25},
        shares={
            SCIPY: len(FIRST[::EVERY]) / N_PAIRS,
            SCIPY_BATCH: len(FIRST[::EVERY_OF_BATCH]) / N_PAIRS,
            **({POSTHOCS: N_OF_POSTHOCS * (N_OF_POSTHOCS - 1) / 2 / N_PAIRS} if POSTHOCS in peers else {}),
        },
    )


def races() -> Iterator[Race]:
    yield exact(1000, goal=50, rounds=5)
    yield exact(2000, goal=1000, rounds=3)
    if find_spec("rpy2"):
        yield exact_with_ties()
    yield asymptotic_of_all_pairs()
