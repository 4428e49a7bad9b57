"""Counts at the thresholds of many rankings at once."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.metrics.curves import roc_curve
from evalstats.metrics.ranking_input import understand_rankings
from evalstats.metrics.threshold_counts import counts_of_one, threshold_counts


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
    with pytest.raises(
        ValueError, match="y_true must hold positive and negative instances for it, not one class alone"
    ):
        counts_of_one([1, 1], [1, 2], None, None, "it")


def test_batch_is_refused() -> None:
    with pytest.raises(ValueError, match=r"must have the shape \(n,\) for it, but the shapes are \(2,\) and \(2, 2\)"):
        counts_of_one([0, 1], [[1, 2], [2, 1]], None, None, "it")
