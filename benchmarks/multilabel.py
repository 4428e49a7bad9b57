"""Scores of cases with several labels, of many sets of predictions at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from sklearn import metrics

from benchmarks.timing import Race
from evalstats.metrics import multilabel_score

N_SETS, N_CASES, N_LABELS, N_FOR_LOOP = 500, 1_000, 20, 20
AVERAGES = {"macro": 10, "samples": 10}


def races() -> Iterator[Race]:
    rng = np.random.default_rng(2010)
    y = rng.random((N_CASES, N_LABELS)) < 0.2
    predicted = y ^ (rng.random((N_SETS, N_CASES, N_LABELS)) < 0.1)

    def agree(mine: np.ndarray, theirs: list[float], _peer: str) -> None:
        np.testing.assert_allclose(mine[: len(theirs)], theirs, rtol=1e-12)

    def in_a_loop(average: str) -> list[float]:
        with warnings.catch_warnings():  # of cases without a label
            warnings.simplefilter("ignore")
            return [metrics.f1_score(y, own, average=average, zero_division=0) for own in predicted[:N_FOR_LOOP]]

    for average, goal in AVERAGES.items():
        yield Race(
            job=f"F1 ({average}) of {N_SETS} sets of predictions, {N_CASES:,} cases with {N_LABELS} labels",
            ours=lambda average=average: multilabel_score("f1", y, predicted, average=average, undefined="zero"),
            peers={"scikit-learn loop": lambda average=average: in_a_loop(average)},
            agree=agree,
            goal={"scikit-learn loop": goal},
            shares={"scikit-learn loop": N_FOR_LOOP / N_SETS},
            rounds=3,
        )
