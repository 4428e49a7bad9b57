"""The Hellinger distance by its definition, and the tree by a slow one."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from evalstats import EvalstatsError, run_study
from evalstats.study import HellingerTree, hellinger_distance

RNG = np.random.default_rng(0)
CASES = RNG.normal(size=(40, 3))
LABELS = (CASES[:, 1] + RNG.normal(0, 1, 40) > 0.8).astype(int)


def test_distance_is_what_the_definition_says():
    p, n = [3, 0, 7], [5, 5, 90]
    wanted = sqrt(sum((sqrt(a / 10) - sqrt(b / 100)) ** 2 for a, b in zip(p, n, strict=True)))

    assert hellinger_distance(p, n) == pytest.approx(wanted)
    assert hellinger_distance([[3, 0, 7], [1, 1, 1]], [n, n])[0] == pytest.approx(wanted)


def test_shares_of_the_classes_do_not_matter():
    assert hellinger_distance([9, 1], [10, 90]) == pytest.approx(hellinger_distance([9000, 1000], [1, 9]))


def test_extremes():
    assert hellinger_distance([2, 4], [10, 20]) == pytest.approx(0)
    assert hellinger_distance([3, 0], [0, 8]) == pytest.approx(sqrt(2))


def grown(cases, labels):
    """Grow the tree by the definition, split by split."""
    p, n = labels.sum(), (1 - labels).sum()
    best = (1e-9, None)
    for column in range(cases.shape[1]) if p and n else ():
        values = np.unique(cases[:, column])
        for low, high in pairwise(values):
            left = cases[:, column] <= low
            if min(left.sum(), (~left).sum()) < 2:
                continue
            parts = [(labels[side].sum() / p, (1 - labels[side]).sum() / n) for side in (left, ~left)]
            distance = sqrt(sum((sqrt(a) - sqrt(b)) ** 2 for a, b in parts))
            if distance > best[0] + 1e-10:
                best = (distance, (column, (low + high) / 2))
    if best[1] is None:
        return (p + 1) / (p + n + 2)
    column, threshold = best[1]
    left = cases[:, column] <= threshold
    return column, threshold, grown(cases[left], labels[left]), grown(cases[~left], labels[~left])


def share(tree, case):
    while isinstance(tree, tuple):
        column, threshold, left, right = tree
        tree = left if case[column] <= threshold else right
    return tree


def test_tree_is_that_of_a_slow_search():
    slow = grown(CASES, LABELS)
    fitted = HellingerTree().fit(CASES, LABELS)
    new = RNG.normal(size=(200, 3))

    assert fitted.predict_proba(new)[:, 1] == pytest.approx([share(slow, case) for case in new])


def test_deep_tree_needs_no_recursion():
    n = 4000
    cases, labels = np.arange(n, dtype=float)[:, None], np.arange(n) // 2 % 2

    assert (HellingerTree().fit(cases, labels).predict(cases) == labels).all()


def test_tree_is_as_good_as_another_and_runs_in_a_study():
    data = load_breast_cancer(return_X_y=True)
    trees = {"HDDT": HellingerTree(), "Gini": DecisionTreeClassifier(min_samples_leaf=2)}
    study = run_study(trees, {"breast cancer": data}, n_folds=3, n_repeats=1, metric="roc_auc", rng=0)
    scores = np.array(study.columns["score"])

    assert (scores > 0.88).all()


def test_leaves_are_smoothed_and_limits_kept():
    tree = HellingerTree(max_depth=1).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])

    assert tree.predict_proba([[1.0], [9.0]])[:, 1].tolist() == [0.25, 0.75]
    assert HellingerTree(min_samples_leaf=3).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]).predict([[4.0]]) == [0]


def test_constant_columns_give_a_leaf():
    tree = HellingerTree().fit(np.ones((5, 2)), [0, 0, 0, 1, 1])

    assert tree.predict_proba([[1, 1]])[0, 1] == pytest.approx(3 / 7)


def test_clones_have_the_same_parameters():
    assert clone(HellingerTree(min_samples_leaf=7)).get_params() == {"min_samples_leaf": 7, "max_depth": None}
    with pytest.raises(EvalstatsError, match="not criterion"):
        HellingerTree().set_params(criterion="gini")


# refused as it must be, but in the words and errors of this package; one column of labels is refused, not flattened
OWN_WORDS = {
    "check_classifier_not_supporting_multiclass",
    "check_classifiers_regression_target",
    "check_complex_data",
    "check_dtype_object",
    "check_estimators_empty_data_messages",
    "check_estimators_nan_inf",
    "check_estimators_unfitted",
    "check_fit2d_1sample",
    "check_fit2d_predict1d",
    "check_n_features_in_after_fitting",
    "check_requires_y_none",
    "check_supervised_y_2d",
}


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_finds_nothing_but_other_words():
    checks = check_estimator(HellingerTree(), on_skip=None, on_fail=None)
    failed = {check["check_name"]: check["exception"] for check in checks if check["status"] == "failed"}

    assert len(checks) > 40
    assert failed.keys() <= OWN_WORDS, failed


@pytest.mark.parametrize(
    "around",
    [
        lambda tree: GridSearchCV(tree, {"min_samples_leaf": [1, 5]}, cv=3),
        lambda tree: make_pipeline(StandardScaler(), tree),
        lambda tree: CalibratedClassifierCV(tree, cv=3),
        lambda tree: BaggingClassifier(tree, n_estimators=3, random_state=0),
        lambda tree: VotingClassifier([("one", tree), ("other", DecisionTreeClassifier())], voting="soft"),
    ],
)
def test_what_scikit_learn_builds_around_classifiers_takes_it(around):
    fitted = around(HellingerTree()).fit(CASES, LABELS)

    assert fitted.score(CASES, LABELS) > 0.7


def test_scores_are_those_of_scikit_learn():
    assert is_classifier(HellingerTree())
    split = list(StratifiedKFold(4).split(CASES, LABELS))
    trees = [HellingerTree().fit(CASES[train], LABELS[train]) for train, _ in split]
    right = [tree.predict(CASES[test]) == LABELS[test] for tree, (_, test) in zip(trees, split, strict=True)]

    assert cross_val_score(HellingerTree(), CASES, LABELS, cv=split).tolist() == [own.mean() for own in right]
    areas = [
        roc_auc_score(LABELS[test], tree.predict_proba(CASES[test])[:, 1])
        for tree, (_, test) in zip(trees, split, strict=True)
    ]
    assert cross_val_score(HellingerTree(), CASES, LABELS, cv=split, scoring="roc_auc").tolist() == areas
    weight = np.arange(len(CASES))
    everything = trees[0].predict(CASES) == LABELS
    assert trees[0].score(CASES, LABELS, sample_weight=weight) == pytest.approx(np.average(everything, weights=weight))


def test_it_is_written_as_it_is_called():
    assert repr(HellingerTree(max_depth=3)) == "HellingerTree(min_samples_leaf=2, max_depth=3)"


@pytest.mark.parametrize(
    ("cases", "labels", "choices", "message"),
    [
        ([[1.0], [2.0]], [0, 0], {}, "labels of two classes, not 1"),
        ([[1.0], [2.0], [3.0]], [0, 1, 2], {}, "labels of two classes, not 3"),
        ([[1.0], [np.nan]], [0, 1], {}, "X must be finite"),
        ([1.0, 2.0], [0, 1], {}, "X must have the shape"),
        ([[1.0], [2.0]], [0], {}, "y must have one label"),
        ([[1.0], [2.0]], [0, 1], {"min_samples_leaf": 0}, "min_samples_leaf must be at least 1"),
    ],
)
def test_bad_input_is_refused(cases, labels, choices, message):
    with pytest.raises(EvalstatsError, match=message):
        HellingerTree(**choices).fit(cases, labels)


def test_columns_must_be_those_of_training():
    frame = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "dose": [0.0, 1.0, 0.0, 1.0]})
    tree = HellingerTree().fit(frame, [0, 0, 1, 1])

    assert tree.predict(frame).tolist() == tree.predict(frame.to_numpy()).tolist()
    for other in (frame[["dose", "age"]], frame.rename(columns={"dose": "weight"})):
        with pytest.raises(EvalstatsError, match=r"X must have the columns of training, \['age', 'dose'\], in that"):
            tree.predict(other)
    with pytest.raises(EvalstatsError, match="X must have 2 columns, as in training, not 1"):
        tree.predict_proba(frame.to_numpy()[:, :1])


def test_untrained_tree_does_not_predict():
    with pytest.raises(EvalstatsError, match="must be trained with fit before it predicts"):
        HellingerTree().predict([[1.0]])


@pytest.mark.parametrize(
    ("positives", "negatives", "message"),
    [
        ([1, 2], [1], "one shape"),
        ([-1, 2], [1, 2], "must be nonnegative counts, but one is -1"),
        ([0, 0], [1, 2], "at least one instance"),
        ([np.nan], [1], "finite"),
    ],
)
def test_bad_counts_are_refused(positives, negatives, message):
    with pytest.raises(EvalstatsError, match=message):
        hellinger_distance(positives, negatives)
