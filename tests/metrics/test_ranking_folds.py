"""One AUC, average precision or precision at n out of many folds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from evalstats._errors import EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats.metrics.ranking_folds import (
    auc_over_folds,
    auc_report_over_folds,
    average_precision_over_folds,
    precision_at_n_over_folds,
)

OVER_FOLDS = {"auc": auc_over_folds, "average precision": average_precision_over_folds}

# Forman & Scholz (2010), section 3.2: AUC of four folds of 38 positives, 92% on average
FOLD_AUC = [0.96, 0.91, 0.94, 0.87]


def folds_with_auc(areas: list[float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return 100 negatives and one positive per fold, put where it has the AUC wanted."""
    y_true, y_score, fold = [], [], []
    for i, area in enumerate(areas):
        y_true += [0] * 100 + [1]
        y_score += [*range(100), round(100 * area) - 0.5]
        fold += [i] * 101
    return np.array(y_true), np.array(y_score), np.array(fold)


def ranking(seed: int, n: int = 60, n_folds: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return scores with ties and a shift between the folds; each fold holds both classes."""
    rng = np.random.default_rng(seed)
    fold = rng.permuted(np.arange(n) % n_folds)
    y_true = rng.permuted(np.arange(n) % 3 == 0).astype(int)
    for i in range(n_folds):
        y_true[np.flatnonzero(fold == i)[:2]] = [0, 1]
    return y_true, rng.normal(y_true + fold / 4).round(1), fold


def test_two_shifted_folds_by_hand() -> None:
    """Each ranks perfectly; merged, the positives of the second fold lose to both negatives of the first: 12 of 16."""
    y_true, y_score, fold = [0, 0, 1, 1, 0, 0, 1, 1], [5, 6, 8, 9, 1, 2, 3, 4], [1, 1, 1, 1, 2, 2, 2, 2]

    assert auc_over_folds(y_true, y_score, fold) == 1
    assert auc_over_folds(y_true, y_score, fold, aggregate="merge") == 12 / 16


def test_mean_auc_of_forman_and_scholz() -> None:
    """Section 3.2 prints 96, 91, 94 and 87%, and 92% for their mean."""
    data = folds_with_auc(FOLD_AUC)

    np.testing.assert_allclose(auc_report_over_folds(*data).fold_auc, FOLD_AUC, rtol=1e-14)
    assert auc_over_folds(*data) == pytest.approx(0.92, rel=1e-14)


def test_shifted_folds_keep_their_mean_and_lose_their_merged_auc() -> None:
    """Figure 3 and section 3.2: 92% becomes 80% where two folds of four score on a scale of their own."""
    y_true, y_score, fold = folds_with_auc(FOLD_AUC)
    shifted = y_score + np.array([0, 0, 40, -40])[fold]

    assert auc_over_folds(y_true, shifted, fold) == pytest.approx(0.92, rel=1e-14)
    assert (
        auc_over_folds(y_true, shifted, fold, aggregate="merge")
        < 0.8
        < auc_over_folds(y_true, y_score, fold, aggregate="merge")
    )


@pytest.mark.parametrize("seed", range(4))
def test_scikit_learn_fold_by_fold(seed: int) -> None:
    y_true, y_score, fold = ranking(seed)

    of_folds = [fold == i for i in range(4)]
    for over_folds, peer in ((auc_over_folds, roc_auc_score), (average_precision_over_folds, average_precision_score)):
        expected = np.mean([peer(y_true[f], y_score[f]) for f in of_folds])
        assert over_folds(y_true, y_score, fold) == pytest.approx(expected, rel=1e-12)
        merged = over_folds(y_true, y_score, fold, aggregate="merge")
        assert merged == pytest.approx(peer(y_true, y_score), rel=1e-12)


def test_precision_at_n_by_hand() -> None:
    """Two of three in the first fold; in the second, one of the two and half of a tie."""
    y_true = [1, 1, 0, 1, 1, 0, 1, 0]
    y_score = [9, 8, 7, 1, 9, 8, 5, 5]
    fold = [1, 1, 1, 1, 2, 2, 2, 2]

    value = precision_at_n_over_folds(y_true, y_score, fold, n=3)

    assert value == pytest.approx((2 / 3 + 1.5 / 3) / 2, rel=1e-15)
    merged = precision_at_n_over_folds(y_true, y_score, fold, n=4, aggregate="merge")
    assert merged == 3 / 4


@given(st.integers(0, 1000))
def test_strictly_increasing_transformation_of_each_fold_keeps_the_means(seed: int) -> None:
    """What makes them a property of rankings: a scale of its own for each fold changes nothing."""
    y_true, y_score, fold = ranking(seed)
    scale = np.exp(y_score) * (fold + 1) - 10 * fold

    for over_folds in OVER_FOLDS.values():
        assert over_folds(y_true, scale, fold) == pytest.approx(over_folds(y_true, y_score, fold), rel=1e-12)


def test_batch_of_classifiers_is_the_loop() -> None:
    y_true, y_score, fold = ranking(1)
    scores = np.stack([y_score, -y_score, np.sin(y_score)])

    for over_folds in (*OVER_FOLDS.values(), lambda *data: precision_at_n_over_folds(*data, n=5)):
        loop = [over_folds(y_true, score, fold) for score in scores]
        np.testing.assert_array_equal(over_folds(y_true, scores, fold), loop)


def test_batch_of_repetitions_is_the_loop() -> None:
    """Each repetition of a cross-validation has folds of its own; the merged AUC does not look at them."""
    y_true, y_score, fold = ranking(1)
    folds = np.stack([fold, fold[::-1]])

    loop = [auc_over_folds(y_true, y_score, f, undefined="nan") for f in folds]
    np.testing.assert_array_equal(auc_over_folds(y_true, y_score, folds, undefined="nan"), loop)
    merged = auc_over_folds(y_true, y_score, folds, aggregate="merge")
    assert merged.tolist() == [auc_over_folds(y_true, y_score, fold, aggregate="merge")] * 2


def without_positives_in_b() -> tuple[list[int], list[float], list[str]]:
    return [0, 1, 0, 0, 1, 0], [0.1, 0.9, 0.4, 0.3, 0.2, 0.7], ["a", "a", "b", "b", "c", "c"]


@pytest.mark.parametrize("metric", OVER_FOLDS)
def test_undefined_folds(metric: str) -> None:
    """Fold a ranks right and fold c wrong; b has no value."""
    data, over_folds = without_positives_in_b(), OVER_FOLDS[metric]
    worst = {"auc": 0.0, "average precision": 0.5}[metric]

    assert over_folds(*data, undefined="skip") == (1 + worst) / 2
    assert over_folds(*data, undefined="zero") == pytest.approx((1 + worst) / 3, rel=1e-15)
    assert np.isnan(over_folds(*data, undefined="nan"))
    with pytest.raises(InvalidValueError, match=r"the score of fold b is undefined: .*; use undefined='skip'"):
        over_folds(*data)


def test_small_folds_have_no_precision_at_n() -> None:
    y_true, y_score, fold = [1, 0, 0, 1, 0], [5, 4, 3, 2, 1], [0, 0, 0, 1, 1]

    with pytest.raises(InvalidValueError, match="the score of fold 1 is undefined: there are fewer than 3 instances"):
        precision_at_n_over_folds(y_true, y_score, fold, n=3)
    assert precision_at_n_over_folds(y_true, y_score, fold, n=3, undefined="skip") == 1 / 3
    assert precision_at_n_over_folds(y_true, y_score, fold, n=3, undefined="zero") == 1 / 6
    with pytest.warns(EvalstatsWarning, match="undefined in every fold: there are fewer than 20 instances"):
        assert np.isnan(precision_at_n_over_folds(y_true, y_score, fold, undefined="skip"))


def test_no_fold_left() -> None:
    with pytest.warns(
        EvalstatsWarning, match="the score is undefined in every fold: all instances belong to one class"
    ) as caught:
        value = auc_over_folds([0, 0, 1, 1], [1, 2, 3, 4], [0, 0, 1, 1], undefined="skip")

    assert np.isnan(value)
    assert caught[0].filename == __file__


def test_merged_scores_of_one_class() -> None:
    with pytest.raises(
        InvalidValueError, match="the score of the merged folds is undefined: all instances belong to one class"
    ):
        auc_over_folds([0, 0, 0], [1, 2, 3], [0, 0, 1], aggregate="merge")
    assert auc_over_folds([0, 0, 0], [1, 2, 3], [0, 0, 1], aggregate="merge", undefined="zero") == 0


def test_message_names_the_problem_of_a_batch() -> None:
    y_true, y_score, fold = without_positives_in_b()

    with pytest.raises(InvalidValueError, match=r"fold b of problem \[0\] is undefined: .* \(and 1 more\)"):
        auc_over_folds(y_true, np.stack([y_score, y_score]), fold)


def test_report() -> None:
    report = auc_report_over_folds(*without_positives_in_b())

    np.testing.assert_array_equal(report.fold_auc, [1, np.nan, 0])
    assert report.folds == ("a", "b", "c")
    assert (report.n_folds, report.n_undefined) == (3, 1)
    assert report.mean_skip == 0.5
    assert np.isnan(report.mean)
    assert report.merge == 5 / 8
    assert report.reason == "in 1 of 3 folds, all instances belong to one class"


def test_report_of_a_batch() -> None:
    y_true, y_score, fold = ranking(2)

    report = auc_report_over_folds(y_true, np.stack([y_score, -y_score]), fold)

    assert report.fold_auc.shape == (2, 4)
    np.testing.assert_allclose(report.mean, [auc_over_folds(y_true, s, fold) for s in (y_score, -y_score)])
    assert report.reason.tolist() == [None, None]


def test_positive_class_can_be_named() -> None:
    y_true, y_score, fold = ranking(3)
    words = np.where(y_true == 1, "spam", "ham")

    assert auc_over_folds(words, y_score, fold, pos_label="spam") == auc_over_folds(y_true, y_score, fold)


def test_messages() -> None:
    y_true, y_score, fold = without_positives_in_b()

    with pytest.raises(InvalidValueError, match="aggregate must be 'mean' or 'merge', not 'pooled'"):
        auc_over_folds(y_true, y_score, fold, aggregate="pooled")
    with pytest.raises(InvalidValueError, match="undefined must be 'raise' or 'skip' or 'zero' or 'nan', not 'warn'"):
        auc_over_folds(y_true, y_score, fold, undefined="warn")
    with pytest.raises(InvalidValueError, match="n must be at least 1, not 0"):
        precision_at_n_over_folds(y_true, y_score, fold, n=0)
    with pytest.raises(InvalidValueError, match=r"fold must have the shape \(n,\)"):
        precision_at_n_over_folds(y_true, y_score, fold[:5], n=1)
    with pytest.raises(InvalidValueError, match="y_score must be finite"):
        auc_over_folds(y_true, [np.nan, *y_score[1:]], fold)
    with pytest.raises(InvalidTypeError, match="y_score must be numbers"):
        auc_over_folds(y_true, list("abcdef"), fold)
