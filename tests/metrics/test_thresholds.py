"""Scores of labels at each threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from evalstats.metrics import best_threshold, scores_at_thresholds

FOUR = ([0, 0, 1, 1], [1, 2, 2, 3])


def test_accuracy_by_hand() -> None:
    result = scores_at_thresholds(*FOUR)

    assert result.scores.tolist() == [0.5, 0.75, 0.75, 0.5]
    assert result.thresholds.tolist() == [math.inf, 3, 2, 1]
    assert (result.best_score, result.best_threshold) == (0.75, 3)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("metric", "theirs"),
    [
        ("accuracy", sklearn_metrics.accuracy_score),
        ("f1", sklearn_metrics.f1_score),
        ("matthews_corrcoef", sklearn_metrics.matthews_corrcoef),
        ("balanced_accuracy", sklearn_metrics.balanced_accuracy_score),
    ],
)
def test_scores_are_those_of_the_labels_that_a_threshold_gives(metric: str, theirs, kind: str, problem) -> None:
    y, score, weight = problem(kind, 40)

    result = scores_at_thresholds(y, score, metric=metric, sample_weight=weight)

    by_hand = [theirs(y, score >= t, sample_weight=weight) for t in result.thresholds]
    ours = np.nan_to_num(result.scores, nan=0.0)  # scikit-learn's value of 0/0
    np.testing.assert_allclose(ours, by_hand, rtol=1e-11, atol=1e-12)


def test_choices_of_the_metric_are_taken() -> None:
    result = scores_at_thresholds(*FOUR, metric="fbeta", beta=2)

    assert result.scores.tolist() == pytest.approx([0, 5 / 9, 10 / 11, 10 / 12])


def test_batch_is_the_loop_over_curves(kind: str, problem) -> None:
    y, score = (np.stack(part) for part in zip(*(problem(kind, 30, seed)[:2] for seed in range(6)), strict=True))

    together = best_threshold(y, score, metric="f1")

    each = [scores_at_thresholds(a, b, metric="f1") for a, b in zip(y, score, strict=True)]
    assert together.score.tolist() == [one.best_score for one in each]
    assert together.threshold.tolist() == [one.best_threshold for one in each]


def test_best_error_rate_is_the_smallest() -> None:
    score, threshold = best_threshold(*FOUR, metric="error_rate")

    assert (score, threshold) == (0.25, 3)


def test_of_equal_thresholds_the_greatest_is_taken() -> None:
    """It may be best to call no case positive."""
    assert best_threshold([1, 0, 0], [1, 2, 3]).threshold == math.inf
    assert best_threshold([1, 0, 0], [1, 2, 3]).score == 2 / 3


def test_undefined_at_every_threshold() -> None:
    with pytest.raises(ValueError, match="best_threshold of recall is undefined: it is 0/0 at every threshold"):
        best_threshold([0, 0], [1, 2], metric="recall")
    score, threshold = best_threshold([[0, 0], [0, 1]], [1, 2], metric="recall", undefined="zero")
    assert score.tolist() == [0, 1]
    np.testing.assert_array_equal(threshold, [math.nan, 2])


class TestMessages:
    def test_metric(self) -> None:
        with pytest.raises(ValueError, match=r"metric must be 'accuracy' or .*, not 'roc_auc'"):
            scores_at_thresholds(*FOUR, metric="roc_auc")

    def test_average(self) -> None:
        with pytest.raises(
            TypeError, match="f1 at a threshold is for the positive class, and does not accept the option 'average'"
        ):
            best_threshold(*FOUR, metric="f1", average="macro")

    def test_unknown_choice(self) -> None:
        with pytest.raises(TypeError, match="accuracy has no option 'beta'"):
            scores_at_thresholds(*FOUR, beta=1)
