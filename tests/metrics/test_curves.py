from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from sklearn import metrics as sklearn_metrics

from evalstats._errors import EvalstatsWarning
from evalstats.metrics import curves, roc_auc_score, roc_convex_hull, roc_curve
from evalstats.metrics.curves import hull_counts, precision_recall_curve
from evalstats.metrics.ranking_counts import ThresholdCounts

Problem = Callable[..., tuple[np.ndarray, np.ndarray, np.ndarray]]
CASES = st.lists(st.tuples(st.booleans(), st.integers(-9, 9)), max_size=40)


# by hand
def test_curve_by_hand() -> None:
    fpr, tpr, thresholds = roc_curve([0, 0, 1, 1], [1, 2, 2, 3])

    assert fpr.tolist() == [0, 0, 0.5, 1]
    assert tpr.tolist() == [0, 0.5, 1, 1]
    assert thresholds.tolist() == [math.inf, 3, 2, 1]


def test_precision_recall_curve_by_hand() -> None:
    precision, recall, thresholds = precision_recall_curve([0, 0, 1, 1], [1, 2, 2, 3])

    assert precision.tolist() == [0.5, 2 / 3, 1, 1]
    assert recall.tolist() == [1, 1, 0.5, 0]
    assert thresholds.tolist() == [1, 2, 3]


# scikit-learn
@pytest.mark.parametrize("drop_intermediate", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("curve", ["roc_curve", "precision_recall_curve"])
def test_curves_equal_scikit_learn(
    curve: str, kind: str, drop_intermediate: bool, weighted: bool, problem: Problem
) -> None:
    y, score, weight = problem(kind, 100)
    choices = {"sample_weight": weight if weighted else None, "drop_intermediate": drop_intermediate}

    ours, theirs = getattr(curves, curve)(y, score, **choices), getattr(sklearn_metrics, curve)(y, score, **choices)

    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-15)


# degenerate
def test_no_positive_case() -> None:
    """scikit-learn's values with a warning: recall 1, true positive rate nan."""
    with pytest.warns(EvalstatsWarning, match="the recall of precision_recall_curve is undefined"):
        assert precision_recall_curve([0, 0], [1, 2], undefined="warn").recall.tolist() == [1, 1, 0]
    with pytest.warns(EvalstatsWarning, match="the true positive rate of roc_curve is undefined"):
        assert np.isnan(roc_curve([0, 0], [1, 2], undefined="warn").tpr).all()
    with pytest.raises(ValueError, match="the false positive rate of roc_curve is undefined: there is no negative"):
        roc_curve([1, 1], [1, 2])


# messages
def test_curves_are_of_one_problem(problem: Problem) -> None:
    with pytest.raises(ValueError, match=r"must have the shape \(n,\) for a curve"):
        roc_curve([0, 1], [[1, 2], [2, 1]])


def test_hull_by_hand() -> None:
    """Of (0, 2/3), (1/2, 2/3) and (1/2, 1) the second lies below the line between the others."""
    hull = roc_convex_hull([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9])

    assert hull.fpr.tolist() == [0, 0, 1 / 2, 1]
    assert hull.tpr.tolist() == [0, 2 / 3, 1, 1]
    assert hull.thresholds.tolist() == [np.inf, 0.8, 0.35, 0.1]


def test_points_on_a_line_are_no_corners() -> None:
    """All tied, or by chance: the diagonal has two corners."""
    assert roc_convex_hull([0, 1, 0, 1], [1, 1, 2, 2]).fpr.tolist() == [0, 1]


@given(CASES)
def test_hull_is_that_of_scipy(cases: list[tuple[bool, int]]) -> None:
    """Its area above the diagonal; scipy's is that of the polygon of all points and (1, 0)."""
    y, score = zip(*[(False, 0), (True, 1), *cases], strict=True)
    curve = roc_curve(y, score)
    points = np.vstack([np.column_stack([curve.fpr, curve.tpr]), [[0, 0], [1, 1], [1, 0]]])

    hull = roc_convex_hull(y, score)

    assert hull.area == pytest.approx(ConvexHull(points).volume, rel=1e-12)


@given(CASES)
def test_hull_is_concave_and_holds_points_of_the_curve(cases: list[tuple[bool, int]]) -> None:
    y, score = zip(*[(False, 0), (True, 1), *cases], strict=True)
    curve, hull = roc_curve(y, score), roc_convex_hull(y, score)

    slopes = [dy / dx if dx else np.inf for dx, dy in zip(np.diff(hull.fpr), np.diff(hull.tpr), strict=True)]
    assert all(np.diff(slopes) < 0) or len(slopes) == 1
    assert set(zip(*hull, strict=True)) <= set(zip(*curve, strict=True))
    assert hull.area >= max(roc_auc_score(y, score) - 1e-12, 0.5)


def test_long_arc_below_a_far_point_is_gone_at_once() -> None:
    """From neighbour to neighbour it would take a pass for each of its points; without the far point they all stay."""
    m = 100_000
    fp, tp = np.arange(m + 1.0), np.sqrt(np.arange(m + 1.0))
    starts = np.array([0, m + 2])
    both = ThresholdCounts(np.r_[tp, 1e9, tp], np.r_[fp, m + 1, fp], starts, None)

    hull = hull_counts(both)

    assert hull.starts.tolist() == [0, 2]
    assert hull.tp[:2].tolist() == [0, 1e9]
    assert hull.tp[2:].tolist() == tp.tolist()


def test_weights_are_repetitions() -> None:
    rng = np.random.default_rng(0)
    y, score, times = rng.random(50) < 0.4, rng.integers(0, 20, 50), rng.integers(0, 4, 50)

    weighted = roc_convex_hull(y, score, sample_weight=times)

    repeated = roc_convex_hull(np.repeat(y, times), np.repeat(score, times))
    for mine, other in zip(weighted, repeated, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-14)


def test_one_class_is_refused() -> None:
    with pytest.raises(ValueError, match="y_true must hold positive and negative instances for roc_convex_hull"):
        roc_convex_hull([1, 1], [1, 2])
