"""Scores of rankings of labels that a case may have together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs

from evalstats.metrics import coverage_error, label_ranking_average_precision_score, label_ranking_loss

RNG = np.random.default_rng(5)
OF_SKLEARN = {
    coverage_error: theirs.coverage_error,
    label_ranking_average_precision_score: theirs.label_ranking_average_precision_score,
    label_ranking_loss: theirs.label_ranking_loss,
}
every = pytest.mark.parametrize("function", OF_SKLEARN)


def test_values_by_hand() -> None:
    """The case has the labels ranked 1 and 3 of 3: precision 1 and 2/3, one wrong pair of two, three labels to read."""
    y_true, y_score = [[1, 0, 1]], [[0.9, 0.5, 0.1]]

    assert label_ranking_average_precision_score(y_true, y_score) == pytest.approx((1 + 2 / 3) / 2)
    assert label_ranking_loss(y_true, y_score) == 0.5
    assert coverage_error(y_true, y_score) == 3


@every
@pytest.mark.parametrize("decimals", [0, 1, 9])
@pytest.mark.parametrize("weighted", [False, True])
def test_values_are_those_of_scikit_learn(function, decimals: int, weighted: bool) -> None:
    true, score = RNG.random((80, 6)) < 0.3, (3 * RNG.random((80, 6))).round(decimals)
    true[:2] = [[True] * 6, [False] * 6]
    weight = RNG.random(80) if weighted else None

    ours = function(true, score, sample_weight=weight)

    assert ours == pytest.approx(OF_SKLEARN[function](true, score, sample_weight=weight), rel=1e-12)


@every
@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_batch_equals_the_loop(function, n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    true, score = rng.random((n, k)) < 0.5, rng.integers(-2, 3, (3, n, k))

    together = function(true, score)

    assert together.tolist() == [function(true, own) for own in score]


@every
def test_only_the_order_counts(function) -> None:
    true, score = RNG.random((30, 4)) < 0.5, RNG.integers(0, 4, (30, 4))

    assert function(true, np.exp(score)) == function(true, score)


@every
def test_bad_scores_are_refused(function) -> None:
    with pytest.raises(ValueError, match=r"y_score must be finite, but y_score\[0, 1\] is nan"):
        function([[0, 1]], [[0.2, np.nan]])
    with pytest.raises(ValueError, match="a score for each of the 1 instances and 2 labels of y_true"):
        function([[0, 1]], [[0.2]])
    with pytest.raises(ValueError, match="y_true must hold 1 where an instance has a label and 0 elsewhere"):
        function([[0, 3]], [[0.2, 0.1]])
    with pytest.raises(ValueError, match="leading axes of y_true and y_score must broadcast"):
        function(np.zeros((2, 3, 2)), np.zeros((4, 3, 2)))
    with pytest.raises(ValueError, match="no instance has weight"):
        function([[0, 1]], [[0.2, 0.1]], sample_weight=[0])
