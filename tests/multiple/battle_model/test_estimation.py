"""Reasons why strengths are infinite, and the bootstrap of battles."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.multiple.battle_model.cells import grouped
from evalstats.multiple.battle_model.covariance import fitted
from evalstats.multiple.battle_model.estimation import Battles, bootstrapped, estimated


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        (
            [(0, 1), (1, 2)],
            "in some order of the models, none ever lost or tied against a later model, so no finite strengths exist",
        ),
        (
            [(0, 1), (1, 0), (1, 2)],
            "'z' never won or tied against the other models, so these strengths are infinite",
        ),
    ],
)
def test_reason_names_the_models(pairs: list[tuple[int, int]], reason: str) -> None:
    """The first model of each pair wins."""
    a, b = (np.array(column) for column in zip(*pairs, strict=True))
    y = np.ones(len(a))
    cells = grouped(a, b, y, None, [], 3)
    battles = Battles(cells, np.where(a > b, 1 - y, y), y, ())

    found = estimated(battles, ("x", "y", "z"), "robust", "cr1", 2, None)

    assert found["reason"] == reason


A = np.array([0, 0, 1, 1, 2, 2, 0, 1] * 5)
B = np.array([1, 2, 2, 0, 0, 1, 1, 2] * 5)
OUTCOME = np.array([1, 0, 1, 0, 1, 0.5, 0, 1] * 5, dtype=float)
CELLS = grouped(A, B, OUTCOME, None, [], 3)
OF_FIRST = np.where(A > B, 1 - OUTCOME, OUTCOME)


@pytest.mark.parametrize("clusters", [None, np.arange(40) // 4])
def test_sample_is_the_fit_of_the_drawn_battles(clusters: np.ndarray | None) -> None:
    """One draw, repeated with the same random numbers."""
    start = np.zeros(3)
    samples = bootstrapped(CELLS, start, OF_FIRST, np.ones(40), clusters, 1, np.random.default_rng(3))

    generator = np.random.default_rng(3)
    if clusters is None:
        key = np.column_stack([CELLS.cell, np.ones(40), OF_FIRST])
        unit = np.unique(key, axis=0, return_inverse=True)[1]
        drawn = generator.multinomial(40, np.bincount(unit) / 40)
        battles = np.concatenate([np.flatnonzero(unit == u)[[0] * n] for u, n in enumerate(drawn) if n])
    else:
        drawn = generator.multinomial(10, np.full(10, 0.1))
        battles = np.concatenate([np.tile(np.flatnonzero(clusters == c), n) for c, n in enumerate(drawn) if n])
    expected = fitted(grouped(A[battles], B[battles], OUTCOME[battles], None, [], 3), start)
    assert expected is not None
    assert samples.parameters[0] == pytest.approx(expected.parameters, abs=1e-9)
    assert samples.n_infinite == 0
