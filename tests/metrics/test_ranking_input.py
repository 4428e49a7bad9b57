from __future__ import annotations

import numpy as np
import pytest

from evalstats.metrics.ranking_input import understand_folds, understand_rankings, understand_scores

TWO_ROWS = [["b", "a", "b"], ["a", "a", "c"]]


def test_folds_list_their_cases() -> None:
    """Each row is cut in its own way, and a fold may be empty in it."""
    folds = understand_folds(TWO_ROWS, None)
    assert folds is not None

    listed = [[folds.cases(row, fold).tolist() for fold in range(3)] for row in range(2)]

    assert list(folds.names) == ["a", "b", "c"]
    assert listed == [[[1], [0, 2], []], [[0, 1], [], [2]]]
    assert folds.sizes.tolist() == [1, 2, 0, 2, 0, 1]


def test_folds_in_order_need_no_list() -> None:
    folds = understand_folds([0, 0, 2], 4)
    assert folds is not None

    assert folds.order is None
    assert [folds.cases(0, fold).tolist() for fold in range(4)] == [[0, 1], [], [2], []]


def test_many_rows_are_counted_as_one_is() -> None:
    """More cases than one block holds."""
    fold = np.random.default_rng(0).integers(0, 5, (40, 5000))

    folds = understand_folds(fold, 5)

    assert folds is not None
    assert folds.sizes.reshape(40, 5).tolist() == [np.bincount(row, minlength=5).tolist() for row in fold]


def test_leading_axes_broadcast() -> None:
    rankings = understand_rankings([0, 1, 1], np.zeros((4, 1, 3)), None, np.ones((2, 3)), TWO_ROWS)

    assert rankings.batch == (4, 2)


def test_single_precision_is_kept() -> None:
    assert understand_scores(np.zeros(3, dtype=np.float32)).dtype == np.float32
    assert understand_scores([1, 2]).dtype == np.float64


def test_last_axes_must_be_equal() -> None:
    with pytest.raises(ValueError, match="y_true and fold must be paired: y_true has 2 instances, fold has 3"):
        understand_rankings([0, 1], [1, 2], None, None, [0, 0, 1])
    with pytest.raises(ValueError, match="y_score must hold at least one score"):
        understand_scores([])
