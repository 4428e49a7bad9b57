"""The fit of battles and its covariances, against their definitions with whole matrices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import sqrtm

from evalstats.multiple.battle_model.cells import grouped
from evalstats.multiple.battle_model.covariance import contrasts_of_pairs, cr2, fitted, sandwich

rng = np.random.default_rng(11)
N, K = 60, 4
A = rng.integers(0, K, N)
B = (A + rng.integers(1, K, N)) % K
OUTCOME = rng.choice([0.0, 0.5, 1.0, 0.7], N)
LENGTH = rng.normal(size=N)
CLUSTER = rng.integers(0, 9, N)
WEIGHT = rng.choice([1.0, 2.0], N)
CELLS = grouped(A, B, OUTCOME, WEIGHT, [LENGTH], K)
FIT = fitted(CELLS, np.zeros(CELLS.size))
OF_FIRST = np.where(A > B, 1 - OUTCOME, OUTCOME)


def design() -> np.ndarray:
    """Rows of the first model of each cell, of the differences from model 0 and the length."""
    sign = np.where(A > B, -1, 1)
    rows = (np.arange(K) == A[:, None]).astype(float) - (np.arange(K) == B[:, None])
    return np.column_stack([rows, LENGTH])[:, 1:] * sign[:, None]


def to_first() -> np.ndarray:
    """Differences of the strengths from model 0, and the coefficient."""
    return np.column_stack([[-1] * (K - 1) + [0], np.eye(K)])


def test_score_is_zero_at_the_maximum() -> None:
    assert FIT is not None
    p = FIT.p[CELLS.cell]

    assert design().T @ (WEIGHT * (OF_FIRST - p)) == pytest.approx(np.zeros(K), abs=1e-9)
    assert FIT.parameters[:K].sum() == pytest.approx(0, abs=1e-12)


def test_clustered_covariance_is_that_of_whole_matrices() -> None:
    assert FIT is not None
    p, x = FIT.p[CELLS.cell], design()
    inverse = np.linalg.inv(x.T @ (x * (WEIGHT * p * (1 - p))[:, None]))
    scores = x * (WEIGHT * (OF_FIRST - p))[:, None]
    sums = np.array([scores[g == CLUSTER].sum(axis=0) for g in range(9)])
    expected = 9 / 8 * inverse @ sums.T @ sums @ inverse

    found = sandwich(CELLS, FIT, WEIGHT * (OF_FIRST - p), [CLUSTER], corrected=True)

    assert to_first() @ found.covariance @ to_first().T == pytest.approx(expected, rel=1e-9)
    assert found.df == 8


def test_bias_reduced_covariance_is_its_definition() -> None:
    """Pustejovsky & Tipton (2018), eq. 9 to 13, with all battles in the matrices."""
    assert FIT is not None
    p = FIT.p[CELLS.cell]
    x = design() * (p * (1 - p))[:, None]
    variance = p * (1 - p) / WEIGHT
    inverse = np.linalg.inv(x.T @ (x / variance[:, None]))
    middle, rows = np.zeros((K, K)), []
    hat = np.eye(N) - x @ inverse @ (x / variance[:, None]).T
    for g in range(9):
        own = g == CLUSTER
        d = np.diag(np.sqrt(variance[own]))
        inner = d @ (np.diag(variance[own]) - x[own] @ inverse @ x[own].T) @ d
        a = d @ np.linalg.inv(np.real(sqrtm(inner))) @ d
        score = x[own].T @ np.diag(1 / variance[own]) @ a @ (OF_FIRST - p)[own]
        middle += np.outer(score, score)
        rows.append(hat[own].T @ a @ np.diag(1 / variance[own]) @ x[own] @ inverse)
    expected = inverse @ middle @ inverse
    contrast = np.array([0.0, 1, 0, 0])  # model 2 minus model 0
    q = np.array([row @ contrast for row in rows])
    gram = q @ np.diag(variance) @ q.T

    pairs = contrasts_of_pairs(K, CELLS.size)
    found, df = cr2(CELLS, FIT, OF_FIRST, WEIGHT, CLUSTER, pairs)

    assert to_first() @ found @ to_first().T == pytest.approx(expected, rel=1e-7)
    assert df[1] == pytest.approx(np.trace(gram) ** 2 / (gram**2).sum(), rel=1e-7)
