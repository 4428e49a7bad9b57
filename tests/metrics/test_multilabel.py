"""Scores of labels that a case may have together, and of each class against the rest."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn import metrics as theirs

from evalstats import EvalstatsWarning
from evalstats.metrics import (
    f1_over_folds,
    hamming_loss,
    multilabel_counts,
    multilabel_score,
    one_vs_rest_counts,
    roc_auc_score,
    score_from_counts,
    subset_accuracy_score,
)

RNG = np.random.default_rng(3)
TRUE, PREDICTED = RNG.random((2, 60, 5)) < [0.5, 0.3, 0.1, 0.02, 0.0]
WEIGHT = RNG.random(60).round(2)
OF_SKLEARN = {
    "precision": theirs.precision_score,
    "recall": theirs.recall_score,
    "f1": theirs.f1_score,
    "fbeta": theirs.fbeta_score,
    "jaccard": theirs.jaccard_score,
}
EVERY = ("precision", "recall", "f1", "fbeta", "jaccard", "specificity", "false_positive_rate", "informedness")


def choices(metric: str) -> dict[str, float]:
    return {"beta": 2.0} if metric == "fbeta" else {}


def test_counts_by_hand() -> None:
    """Two labels of three cases: the first is found once of twice, the second is always predicted."""
    counts = multilabel_counts([[1, 0], [1, 1], [0, 0]], [[1, 1], [0, 1], [0, 1]])

    assert counts.tolist() == [[[1, 0], [1, 1]], [[0, 2], [0, 1]]]


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_counts_are_those_of_scikit_learn(weight: np.ndarray | None) -> None:
    ours = multilabel_counts(TRUE, PREDICTED, sample_weight=weight)

    expected = theirs.multilabel_confusion_matrix(TRUE, PREDICTED, sample_weight=weight)
    np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-13)
    assert ours.dtype == (np.int64 if weight is None else np.float64)


@pytest.mark.parametrize("weight", [None, WEIGHT])
@pytest.mark.parametrize("labels", [None, ["c", "a"]])
def test_counts_of_classes_are_those_of_scikit_learn(weight: np.ndarray | None, labels: list[str] | None) -> None:
    true, predicted = RNG.choice(list("abcd"), (2, 60))

    ours = one_vs_rest_counts(true, predicted, labels=labels, sample_weight=weight)

    expected = theirs.multilabel_confusion_matrix(true, predicted, labels=labels, sample_weight=weight)
    np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("weight", [None, WEIGHT])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "samples", None])
@pytest.mark.parametrize("metric", OF_SKLEARN)
def test_scores_are_those_of_scikit_learn(metric: str, average: str | None, weight: np.ndarray | None) -> None:
    ours = multilabel_score(
        metric, TRUE, PREDICTED, average=average, sample_weight=weight, undefined="zero", **choices(metric)
    )

    expected = OF_SKLEARN[metric](
        TRUE, PREDICTED, average=average, sample_weight=weight, zero_division=0, **choices(metric)
    )
    np.testing.assert_allclose(ours, expected, rtol=1e-12)


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_losses_of_cases_are_those_of_scikit_learn(weight: np.ndarray | None) -> None:
    loss, right = (score(TRUE, PREDICTED, sample_weight=weight) for score in (hamming_loss, subset_accuracy_score))

    assert loss == pytest.approx(theirs.hamming_loss(TRUE, PREDICTED, sample_weight=weight), rel=1e-12)
    assert right == pytest.approx(theirs.accuracy_score(TRUE, PREDICTED, sample_weight=weight), rel=1e-12)


@pytest.mark.parametrize("metric", EVERY)
def test_score_of_each_label_is_that_of_two_classes(metric: str) -> None:
    """Two roads to one number: the columns one by one."""
    ours = multilabel_score(metric, TRUE, PREDICTED, average=None, undefined="nan", **choices(metric))

    counts = multilabel_counts(TRUE, PREDICTED)
    np.testing.assert_array_equal(ours, score_from_counts(metric, counts, undefined="nan", **choices(metric)))


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "samples", None])
@pytest.mark.parametrize("metric", EVERY)
def test_batch_equals_the_loop_and_weights_are_repetitions(metric: str, average: str | None) -> None:
    runs = RNG.random((4, 60, 5)) < 0.4
    times = RNG.integers(0, 3, 60)
    how = {"average": average, "undefined": "nan", **choices(metric)}

    together = multilabel_score(metric, TRUE, runs, **how)

    loop = [multilabel_score(metric, TRUE, own, **how) for own in runs]
    np.testing.assert_array_equal(together, loop)
    weighted = multilabel_score(metric, TRUE, runs[0], sample_weight=times, **how)
    repeated = multilabel_score(metric, np.repeat(TRUE, times, axis=0), np.repeat(runs[0], times, axis=0), **how)
    np.testing.assert_allclose(weighted, repeated, rtol=1e-12)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 1)), min_size=1, max_size=30))
def test_one_against_rest_is_the_table_of_zeros_and_ones(cases: list[tuple[int, int, int]]) -> None:
    true, predicted, fold = np.array(cases).T

    counts = one_vs_rest_counts(true, predicted, labels=range(4), fold=fold, n_folds=2)

    marks = (codes[:, None] == np.arange(4) for codes in (true, predicted))
    np.testing.assert_array_equal(counts, multilabel_counts(*marks, fold=fold, n_folds=2))


def test_classes_come_before_folds() -> None:
    """So that one call gives the F of every class over the folds."""
    true, predicted = RNG.integers(0, 3, (2, 40))
    fold = np.arange(40) % 4

    counts = one_vs_rest_counts(true, predicted, fold=fold)

    assert counts.shape == (3, 4, 2, 2)
    f = f1_over_folds(counts[..., 1, 1], counts[..., 0, 1], counts[..., 1, 0])
    np.testing.assert_allclose(f, theirs.f1_score(true, predicted, average=None))


def test_areas_of_labels_are_a_batch_of_columns() -> None:
    """The docs say so, and scikit-learn agrees."""
    score = RNG.random(TRUE.shape)[:, :3]

    areas = roc_auc_score(TRUE[:, :3].T, score.T)

    np.testing.assert_allclose(areas, theirs.roc_auc_score(TRUE[:, :3], score, average=None), rtol=1e-12)


def test_undefined_labels_and_cases_are_told() -> None:
    nobody = np.zeros((2, 2), dtype=bool)
    with pytest.warns(
        EvalstatsWarning, match="multilabel_score of recall is undefined for a label: no instance belongs to the label"
    ):
        assert multilabel_score("recall", nobody, nobody) == 0
    with pytest.warns(EvalstatsWarning, match="undefined for an instance: .*; the instance counts as 0"):
        assert multilabel_score("f1", [[1, 0], [0, 0]], [[1, 0], [0, 0]], average="samples") == 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(multilabel_score("f1", nobody, nobody, average="samples", undefined="nan"))
    with pytest.raises(ValueError, match="undefined for a label"):
        multilabel_score("f1", nobody, nobody, undefined="raise")
    with pytest.raises(ValueError, match="hamming_loss is undefined: no instance has weight"):
        hamming_loss(TRUE, PREDICTED, sample_weight=np.zeros(60))


@pytest.mark.parametrize(
    ("y_true", "y_pred", "message"),
    [
        ([0, 1], [0, 1], r"y_true must have the shape \(\.\.\., n_instances, n_labels\).* its shape is \(2,\)"),
        ([[0, 2]], [[0, 1]], r"y_true must hold 1 where .* but y_true\[0, 1\] is 2; .* see precision_score"),
        ([[0, 1]], [[0, 0.5]], r"y_pred must hold 1 where .* but y_pred\[0, 1\] is 0\.5"),
        ([[0, 1]], [[0, np.nan]], r"y_pred\[0, 1\] is nan"),
        ([[0, 1]], [[0, 1, 1]], "y_true has 1 instances of 2 labels, y_pred has 1 of 3"),
        (np.zeros((0, 2)), np.zeros((0, 2)), r"its shape is \(0, 2\)"),
        (np.zeros((2, 3, 2)), np.zeros((4, 3, 2)), "the leading axes must broadcast, but they are"),
    ],
)
@pytest.mark.parametrize("function", [multilabel_counts, hamming_loss, subset_accuracy_score])
def test_bad_marks_are_refused(function, y_true: object, y_pred: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(y_true, y_pred)


def test_bad_choices_are_refused() -> None:
    with pytest.raises(ValueError, match=r"metric must be 'precision' or .*, not 'accuracy'"):
        multilabel_score("accuracy", TRUE, PREDICTED)
    with pytest.raises(ValueError, match="average must be 'macro' or 'micro' or 'weighted' or 'samples', not 'binary'"):
        multilabel_score("f1", TRUE, PREDICTED, average="binary")
    with pytest.raises(TypeError, match="f1 has no option 'beta' in multilabel_score"):
        multilabel_score("f1", TRUE, PREDICTED, beta=2)
    with pytest.raises(ValueError, match="sample_weight must hold one weight for each of the 60 instances"):
        multilabel_counts(TRUE, PREDICTED, sample_weight=[1, 2])
    with pytest.raises(ValueError, match="fold must hold the fold of each of the 60 instances"):
        multilabel_counts(TRUE, PREDICTED, fold=[0, 1])
    with pytest.raises(TypeError, match=r"y_true must be a dense array, not a sparse csr_matrix: pass \.toarray\(\)"):
        multilabel_counts(csr_matrix(TRUE), PREDICTED)
