from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from evalstats._checks import EvalstatsWarning
from evalstats.metrics import curves
from evalstats.metrics.curves import precision_recall_curve, roc_curve

Problem = Callable[..., tuple[np.ndarray, np.ndarray, np.ndarray]]


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
