"""Efficiencies of many classifiers, against one linear programme of scipy for each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Race
from evalstats.multiple.data_envelopment import DEAEfficiency, dea_efficiency

N_CLASSIFIERS, N_MEASURES, N_FOR_LOOP = 1_000, 10, 20


def one_by_one(scores: np.ndarray, is_merit: np.ndarray) -> list[float]:
    """Charnes, Cooper & Rhodes (1978), as they write it: all classifiers limit the weights of each."""
    from scipy.optimize import linprog

    merits, burdens = scores[:, is_merit], scores[:, ~is_merit]
    limits = np.hstack([merits, -burdens])
    found = []
    for own_merits, own_burdens in zip(merits[:N_FOR_LOOP], burdens[:N_FOR_LOOP], strict=True):
        costs = np.concatenate([-own_merits, np.zeros(burdens.shape[1])])
        unit = np.concatenate([np.zeros(merits.shape[1]), own_burdens])
        solved = linprog(costs, limits, np.zeros(len(limits)), unit[np.newaxis], [1.0])
        found.append(-solved.fun)
    return found


def races() -> Iterator[Race]:
    scores = np.random.default_rng(1997).uniform(0.1, 1, (N_CLASSIFIERS, N_MEASURES))
    is_merit = np.arange(N_MEASURES) % 2 == 0

    def agree(here: DEAEfficiency, there: list[float], _peer: str) -> None:
        np.testing.assert_allclose(here.efficiencies[: len(there)], there, rtol=1e-7)

    yield Race(
        job=f"efficiencies of {N_CLASSIFIERS:,} classifiers by {N_MEASURES} measures",
        ours=lambda: dea_efficiency(scores, greater_is_better=is_merit.tolist()),
        peers={"scipy linprog loop": lambda: one_by_one(scores, is_merit)},
        agree=agree,
        goal={},
        shares={"scipy linprog loop": N_FOR_LOOP / N_CLASSIFIERS},
        rounds=3,
        limit=5,
    )
