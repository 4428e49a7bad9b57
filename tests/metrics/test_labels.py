"""Scores of hard labels: the tutorial's examples, and scikit-learn's values wherever it has the score."""

from __future__ import annotations

import inspect
import math
import warnings

import numpy as np
import pytest
import sklearn.metrics
from repetitions import repetitions

from evalstats import metrics
from evalstats.metrics import accuracy_score, cohen_kappa_score, confusion_counts, score_from_counts
from evalstats.metrics.formulas import AVERAGES, LABEL_METRICS

# Japkowicz & Shah, tutorial on the evaluation of learning algorithms, slides "Issues with Accuracy" and "Issues with
# Precision/Recall"; here rows are the true class, the negative one first
LEFT = [[400, 100], [300, 200]]
SAME_ACCURACY = [[200, 300], [100, 400]]
SAME_PRECISION_AND_RECALL = [[0, 100], [300, 200]]

# the same, slide "Cohen's Kappa Measure: Example"; rows are the actual class
KAPPA_EXAMPLE = [[60, 50, 10], [10, 100, 40], [30, 10, 90]]

# the same, slide "Illustration on Anneal"; no case is of class d; accuracies (%) as printed
ANNEAL = {
    "NB": [
        [7, 0, 1, 0, 0, 0],
        [0, 99, 0, 0, 0, 0],
        [3, 38, 564, 0, 0, 79],
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 67, 0],
        [0, 0, 2, 0, 0, 38],
    ],
    "AdaBoost": [
        [0, 0, 8, 0, 0, 0],
        [0, 0, 99, 0, 0, 0],
        [0, 0, 684, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 67, 0],
        [0, 0, 40, 0, 0, 0],
    ],
}
ANNEAL_ACCURACY = {"NB": 86.3, "AdaBoost": 83.6}

WITH_SKLEARN = [name for name, record in LABEL_METRICS.items() if record.sklearn]


def test_equal_accuracy_hides_opposite_classifiers() -> None:
    both = np.array([LEFT, SAME_ACCURACY])

    assert score_from_counts("accuracy", both).tolist() == [0.6, 0.6]
    assert score_from_counts("recall", both).tolist() == [0.4, 0.8]
    assert score_from_counts("specificity", both).tolist() == [0.8, 0.4]


def test_equal_precision_and_recall_hide_a_useless_classifier() -> None:
    both = np.array([LEFT, SAME_PRECISION_AND_RECALL])

    np.testing.assert_allclose(score_from_counts("precision", both), 0.667, atol=0.0005)
    assert score_from_counts("recall", both).tolist() == [0.4, 0.4]
    assert score_from_counts("specificity", both).tolist() == [0.8, 0.0]
    np.testing.assert_allclose(score_from_counts("accuracy", both), [0.6, 1 / 3])
    np.testing.assert_allclose(score_from_counts("informedness", both), [0.2, -0.6])


def test_kappa_of_the_tutorial() -> None:
    assert score_from_counts("accuracy", KAPPA_EXAMPLE) == 0.625
    assert score_from_counts("cohen_kappa", KAPPA_EXAMPLE) == pytest.approx(
        (0.625 - 0.33875) / (1 - 0.33875), rel=1e-15
    )
    assert score_from_counts("cohen_kappa", KAPPA_EXAMPLE) == pytest.approx(0.4329, abs=5e-5)


@pytest.mark.parametrize("classifier", ANNEAL)
def test_accuracies_on_anneal(classifier: str) -> None:
    assert 100 * score_from_counts("accuracy", ANNEAL[classifier]) == pytest.approx(
        ANNEAL_ACCURACY[classifier], abs=0.05
    )


def test_boosting_on_anneal_knows_two_classes_only() -> None:
    """84% accuracy, and three of the five classes are never found."""
    recalls = score_from_counts("recall", ANNEAL["AdaBoost"], average=None, undefined="nan")

    np.testing.assert_array_equal(recalls, [0, 0, 1, math.nan, 1, 0])
    assert score_from_counts("geometric_mean", ANNEAL["AdaBoost"], undefined="nan") == 0


def test_pooled_accuracy_is_the_mean_of_equal_folds_only() -> None:
    """Raschka: (30 + 40) / 100 = (30/50 + 40/50) / 2. But 30 of 50 and 10 of 10 are 0.667 pooled, and 0.8 averaged."""
    for right, sizes, pooled, mean in (([30, 40], [50, 50], 0.7, 0.7), ([30, 10], [50, 10], 2 / 3, 0.8)):
        y_pred = np.concatenate([np.arange(n) < r for r, n in zip(right, sizes, strict=True)])
        counts = confusion_counts(np.ones_like(y_pred), y_pred, fold=np.repeat([0, 1], sizes))

        assert score_from_counts("accuracy", counts.sum(axis=0)) == pytest.approx(pooled)
        assert score_from_counts("accuracy", counts).mean() == pytest.approx(mean)


def test_predicting_the_majority_looks_good_by_accuracy_alone() -> None:
    y_true = np.arange(100) < 5
    never = np.zeros(100, dtype=bool)

    assert accuracy_score(y_true, never) == 0.95
    assert metrics.balanced_accuracy_score(y_true, never) == 0.5
    assert metrics.informedness_score(y_true, never) == 0
    assert metrics.geometric_mean_score(y_true, never) == 0


def test_kappa_of_one_common_label_is_undefined() -> None:
    with pytest.warns(
        UserWarning, match="cohen_kappa_score is undefined: agreement by chance is 1; the score is set to nan"
    ):
        assert math.isnan(cohen_kappa_score([1, 1], [1, 1]))
    assert cohen_kappa_score([1, 1], [1, 1], undefined="zero") == 0


@pytest.mark.parametrize("name", WITH_SKLEARN)
def test_arguments_are_those_of_scikit_learn(name: str) -> None:
    """All of them but the way to say what is undefined, and `normalize`, for which there are the counts."""
    ours = inspect.signature(getattr(metrics, LABEL_METRICS[name].function)).parameters
    theirs = inspect.signature(getattr(sklearn.metrics, LABEL_METRICS[name].sklearn)).parameters
    missing = set(theirs) - {"zero_division", "replace_undefined_by", "normalize"} - set(ours)

    assert missing == set()
    assert set(ours) - set(theirs) == {"undefined"}
    for argument in set(ours) & set(theirs):
        assert ours[argument].default == theirs[argument].default


def samples(seed: int) -> list[tuple]:
    """Labels of one to five classes, numbers and text, with and without weights: many that leave a score undefined."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(repetitions(60, short=18)):
        k, n = rng.integers(1, 6), rng.integers(1, 30)
        y_true, guess = rng.integers(0, k, (2, n))
        y_pred = np.where(rng.random(n) < 0.5, y_true, guess)
        names = [np.arange(5), np.array(list("abcde")), np.array([-1, 1, 20, 300, 10**12])][number % 3]
        weight = [None, rng.uniform(0.5, 2, n), rng.integers(0, 2, n) + (np.arange(n) == 0)][number // 3 % 3]
        found.append((names[y_true], names[y_pred], weight, names[:k].tolist()))
    return found


def ways(name: str, present: list, names: list, rng: np.random.Generator) -> list[dict]:
    """Choices of a metric, the same for both libraries."""
    if name == "cohen_kappa":
        return [{"weights": weights} for weights in (None, "linear", "quadratic")]
    if name == "balanced_accuracy":
        return [{"adjusted": adjusted} for adjusted in (False, True)]
    if LABEL_METRICS[name].average is None:
        return [{}]
    beta = {"beta": float(rng.choice([0, 0.5, 2, np.inf]))} if name == "fbeta" else {}
    some = rng.permutation(names)[: rng.integers(1, len(names) + 1)].tolist()
    several = [{"average": a, "labels": listed} for a in AVERAGES if a != "binary" for listed in (None, some)]
    binary = [{"average": "binary", "pos_label": present[-1]}] if len(present) <= 2 else []
    return [{**beta, **way} for way in several + binary]


@pytest.mark.sampled
@pytest.mark.parametrize("name", WITH_SKLEARN)
def test_values_are_those_of_scikit_learn(name: str) -> None:
    rng = np.random.default_rng(5)
    for y_true, y_pred, weight, names in samples(seed=6):
        for way in ways(name, sorted({*y_true.tolist(), *y_pred.tolist()}), names, rng):
            ours, theirs = both(name, y_true, y_pred, {"sample_weight": weight, **way}, {}, {})

            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12, err_msg=f"{y_true} {y_pred} {way}")


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["precision", "recall", "f1", "fbeta"])
def test_nan_is_the_zero_division_of_scikit_learn(name: str) -> None:
    """But where a weighted average has no weight left it is nan: scikit-learn then averages without weights, to 0."""
    rng = np.random.default_rng(7)
    for y_true, y_pred, weight, names in samples(seed=8):
        for way in ways(name, sorted({*y_true.tolist(), *y_pred.tolist()}), names, rng):
            ours, theirs = both(
                name,
                y_true,
                y_pred,
                {"sample_weight": weight, **way},
                {"undefined": "nan"},
                {"zero_division": math.nan},
            )

            if way["average"] == "weighted" and math.isnan(ours):
                assert math.isnan(theirs) or theirs == 0
            else:
                np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12, err_msg=f"{y_true} {y_pred} {way}")


def both(name: str, y_true: object, y_pred: object, shared: dict, mine: dict, theirs: dict) -> tuple:
    """Ask both libraries, without their warnings."""
    record = LABEL_METRICS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (
            getattr(metrics, record.function)(y_true, y_pred, **shared, **mine),
            getattr(sklearn.metrics, record.sklearn)(y_true, y_pred, **shared, **theirs),
        )
