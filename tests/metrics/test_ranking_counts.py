"""Counts at the thresholds of many rankings at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.metrics.curves import roc_curve
from evalstats.metrics.ranking import roc_auc_score
from evalstats.metrics.ranking_counts import counts_of_one, threshold_counts
from evalstats.metrics.score_input import understand_rankings


def test_counts_by_hand() -> None:
    counts = counts_of_one([0, 0, 1, 1], [1, 2, 2, 3], None, None, "it")

    assert counts.tp.tolist() == [0, 1, 2, 2]
    assert counts.fp.tolist() == [0, 0, 1, 2]
    assert counts.threshold.tolist() == [np.inf, 3, 2, 1]


@pytest.mark.parametrize("thresholds", [False, True])
def test_counts_are_those_of_the_curves(kind: str, problem, thresholds: bool) -> None:
    """One after the other, through keys and through places."""
    y, score = (np.stack(part) for part in zip(*(problem(kind, 30, seed)[:2] for seed in range(5)), strict=True))

    ((_, counts),) = threshold_counts(understand_rankings(y, score, None, None), thresholds=thresholds)

    for i, (start, last) in enumerate(zip(counts.starts, counts.lasts, strict=True)):
        curve = roc_curve(y[i], score[i])
        np.testing.assert_allclose(counts.tp[start : last + 1] / y[i].sum(), curve.tpr, rtol=1e-15)
        np.testing.assert_allclose(counts.fp[start : last + 1] / (1 - y[i]).sum(), curve.fpr, rtol=1e-15)


def test_large_batch_comes_in_blocks(problem) -> None:
    y = np.tile([0, 1], 500)
    score = np.random.default_rng(0).random((3, 100, 1000))

    blocks = list(threshold_counts(understand_rankings(y, score, None, None)))

    assert len(blocks) > 1
    assert sum(len(counts.starts) for _, counts in blocks) == 300


def test_corners_are_where_a_negative_case_follows_a_positive_one(kind: str, problem) -> None:
    """The greatest accuracy is the same with and without the points that are no corners, for one class too."""
    y, score = (np.stack(part) for part in zip(*(problem(kind, 30, seed)[:2] for seed in range(9)), strict=True))
    y[0], y[1] = 0, 1

    def best(*, corners: bool) -> list[float]:
        ((_, counts),) = threshold_counts(understand_rankings(y, score, 1, None), corners=corners)
        return np.maximum.reduceat(counts.tp - counts.fp, counts.starts).tolist()

    assert best(corners=True) == best(corners=False)


def test_cases_without_weight_set_no_threshold() -> None:
    counts = counts_of_one([0, 1, 1, 0], [1, 2, 3, 4], None, [1, 2, 1, 0], "it")

    assert counts.threshold.tolist() == [np.inf, 3, 2, 1]
    assert counts.tp.tolist() == [0, 1, 3, 3]


def test_one_class_is_refused() -> None:
    with pytest.raises(ValueError, match="y_true must hold positive and negative instances for it, not only one class"):
        counts_of_one([1, 1], [1, 2], None, None, "it")


def test_batch_is_refused() -> None:
    with pytest.raises(ValueError, match=r"must have the shape \(n,\) for it, but the shapes are \(2,\) and \(2, 2\)"):
        counts_of_one([0, 1], [[1, 2], [2, 1]], None, None, "it")


Problem = Callable[..., tuple[np.ndarray, np.ndarray, np.ndarray]]


def area_by_pairs(y: Any, score: Any) -> float:
    """Count pairs: the definition."""
    pairs = [(p, q) for p, a in zip(score, y, strict=True) if a for q, b in zip(score, y, strict=True) if not b]
    return sum((p > q) + (p == q) / 2 for p, q in pairs) / len(pairs)


# the definition, counted slowly


@given(st.lists(st.tuples(st.booleans(), st.integers(-4, 4)), min_size=1, max_size=30))
def test_area_is_the_share_of_pairs_in_order(cases: list[tuple[bool, int]]) -> None:
    y, score = zip(*[(False, 0), (True, 0), *cases], strict=True)

    assert roc_auc_score(y, score) == pytest.approx(area_by_pairs(y, score), rel=1e-14)


@given(st.lists(st.tuples(st.booleans(), st.floats(allow_nan=False, allow_infinity=False)), min_size=1, max_size=15))
def test_any_finite_scores_are_compared_exactly(cases: list[tuple[bool, float]]) -> None:
    y, score = zip(*[(False, 1.0), (True, -1.0), *cases], strict=True)

    assert roc_auc_score(y, score) == pytest.approx(area_by_pairs(y, score), rel=1e-14)


# folds and long rows


def test_folds_of_many_sizes_equal_the_loop(kind: str, problem: Problem) -> None:
    """Two hundred folds of 2 to 201 cases, shuffled; rows are filled up to a common length."""
    sizes = np.arange(2, 202)
    fold = np.random.default_rng(4).permutation(np.repeat(np.arange(200), sizes))
    y, score, _ = problem(kind, len(fold))

    together = roc_auc_score(y, score, fold=fold, undefined="nan")

    for j in range(200):
        here = fold == j
        one = roc_auc_score(y[here], score[here], undefined="nan")
        assert together[j] == one or (math.isnan(together[j]) and math.isnan(one))


def test_filled_rows_change_nothing_at_the_ends_of_the_range() -> None:
    """The largest numbers below 1, and 1 and -1 themselves, in folds of different sizes."""
    below = np.nextafter(1, 0)
    score = [below, -1.0, below, 1.0, 1.0, -1.0, below]
    y, fold = [1, 0, 0, 1, 0, 1, 0], [0, 0, 1, 1, 1, 1, 1]

    assert roc_auc_score(y, score, fold=fold).tolist() == [1.0, area_by_pairs(y[2:], score[2:])]


def test_long_rows_are_exact() -> None:
    """Rank sums of 200,000 cases do not fit into single precision."""
    n = 100_000
    y, score = np.tile([0, 1], n), np.arange(2 * n) // 2

    assert roc_auc_score(y, score) == 0.5
    assert roc_auc_score(y, np.arange(2 * n)) == (n + 1) / 2 / n
