"""Permuted labels: against scikit-learn, the level, what cannot be permuted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from evalstats import EvalstatsError
from evalstats.study import label_permutation_test
from evalstats.study.label_permutation import _folds, _order

X, Y = load_iris(return_X_y=True)
QUICK = {"n_folds": 3, "n_resamples": 9}


def test_score_is_that_of_scikit_learn_on_the_same_folds():
    order = np.lexsort([*X.T[::-1], Y])
    fold = np.empty(len(Y), dtype=int)
    fold[order] = _folds(Y[order], 5, np.random.default_rng(0).permutation(len(Y)))
    wanted = cross_val_score(GaussianNB(), X, Y, cv=PredefinedSplit(fold))

    assert label_permutation_test(GaussianNB(), X, Y, n_folds=5, n_resamples=1).statistic == pytest.approx(
        wanted.mean()
    )
    assert all(np.bincount(Y[fold == one]).tolist() == [10, 10, 10] for one in range(5))


def test_pvalue_counts_the_true_labels_too():
    result = label_permutation_test(GaussianNB(), X, Y, **QUICK)

    assert result.pvalue == 0.1
    assert (result.null_scores < result.statistic).all()
    assert result.expected_score == pytest.approx(1 / 3, abs=0.1)


@pytest.mark.long
def test_level_is_kept_where_there_is_nothing_to_learn():
    """Of 60 data sets of noise 6 reject at .1 on average; more than 14 have a probability below 1e-3."""
    rng = np.random.default_rng(1)
    rejected = sum(
        label_permutation_test(GaussianNB(), rng.normal(size=(30, 2)), rng.integers(0, 2, 30), **QUICK, rng=i).pvalue
        <= 0.1
        for i in range(60)
    )

    assert rejected <= 14


@pytest.mark.parametrize("n_folds", [2, 10])
def test_who_always_says_the_most_frequent_class_has_learnt_nothing(n_folds):
    """On folds of the true labels such a classifier has a smaller accuracy after every permutation, and p = 0.01."""
    noise, balanced = np.random.default_rng(3).normal(size=(40, 2)), np.arange(40) % 2
    result = label_permutation_test(DummyClassifier(), noise, balanced, n_folds=n_folds, n_resamples=99)

    assert result.pvalue == 1
    assert set(result.null_scores) == {result.statistic}


class Leaning:
    """The nearer one of two centres that are drawn together, so the shares of the classes count."""

    def get_params(self, deep=True):
        return {}

    def set_params(self):
        return self

    def __sklearn_clone__(self):
        return Leaning()

    def fit(self, cases, labels):
        self.centres = np.array([0.3 * cases[labels == one].mean(axis=0) for one in (0, 1)])
        self.logs = np.log(np.bincount(labels, minlength=2))
        return self

    def predict(self, cases):
        return (self.logs - ((cases[:, None] - self.centres) ** 2).sum(axis=2) / 2).argmax(axis=1)


@pytest.mark.long
def test_level_is_kept_by_a_classifier_that_leans_to_the_larger_class():
    """Of 200 data sets of noise 10 reject at .05 on average; more than 20 have a probability below 2e-3."""
    rng = np.random.default_rng(8)
    rejected = sum(
        label_permutation_test(Leaning(), rng.normal(size=(20, 3)), np.arange(20) % 2, n_resamples=19, rng=i).pvalue
        <= 0.05
        for i in range(200)
    )

    assert rejected <= 20


def test_every_permutation_is_stratified_by_its_own_labels():
    labels, dealt = np.repeat([0, 1, 2], [20, 10, 5]), np.random.default_rng(0).permutation(35)
    for order in (np.arange(35), np.random.default_rng(1).permutation(35)):
        own = labels[order]

        counts = np.array([np.bincount(own[_folds(own, 5, dealt) == fold], minlength=3) for fold in range(5)])
        assert (counts == [4, 2, 1]).all()


def test_groups_keep_their_labels():
    groups, labels = np.repeat([0, 1, 2], 5), np.arange(15) // 5
    order = _order(15, groups, np.random.default_rng(0))

    assert (labels[order] == labels).all()
    assert sorted(order.tolist()) == list(range(15))
    assert label_permutation_test(GaussianNB(), X[:150], Y, groups=Y, **QUICK).pvalue == 1


def test_same_seed_same_result_in_processes_too():
    tree = DecisionTreeClassifier(max_features=1)
    one, other = (label_permutation_test(tree, X, Y, **QUICK, rng=4, n_jobs=jobs) for jobs in (None, 2))

    assert one.null_scores.tolist() == other.null_scores.tolist()
    assert one.seed == 4


def test_frame_and_text_labels_are_taken():
    names = np.array(["a", "b", "c"])[Y]

    assert label_permutation_test(GaussianNB(), pd.DataFrame(X), names, **QUICK).pvalue == 0.1


def test_one_class_has_nothing_to_permute():
    result = label_permutation_test(DummyClassifier(), X[:20], np.zeros(20), **QUICK)

    assert (result.statistic, result.pvalue) == (1, 1)
    assert "the same label" in result.reason


@pytest.mark.parametrize(
    ("arguments", "choices", "message"),
    [
        ((GaussianNB, X, Y), {}, "classifier must have fit, predict and get_params"),
        ((GaussianNB(), X, Y[:5]), {}, "X must have one row for each of 5 labels"),
        ((GaussianNB(), X[:, 0], Y), {}, "X must have one row"),
        ((GaussianNB(), X, Y), {"n_folds": 1}, "n_folds must be at least 2"),
        ((GaussianNB(), X, Y), {"n_folds": 200}, "n_folds must be at most the number of instances"),
        ((GaussianNB(), X, Y), {"n_resamples": 0}, "n_resamples must be at least 1"),
        ((GaussianNB(), X, Y), {"groups": [1]}, "groups must have one value"),
        ((GaussianNB(), X, Y), {"n_jobs": 0}, "n_jobs must be at least 1"),
        ((GaussianNB(), X, X[:, 0] + 0.25), {}, "y must hold labels, but one is"),
        ((GaussianNB(), X, np.full(len(X), np.nan)), {}, "y must hold labels, but one is nan"),
    ],
)
def test_bad_input_is_refused(arguments, choices, message):
    with pytest.raises(EvalstatsError, match=message):
        label_permutation_test(*arguments, **choices)


class OfTwoColumns(GaussianNB):
    """Naive Bayes that looks at the first two columns only."""

    def fit(self, X, y):  # noqa: N803 - scikit-learn's name
        return super().fit(np.asarray(X)[:, :2].astype(float), y)

    def predict(self, X):  # noqa: N803 - scikit-learn's name
        return super().predict(np.asarray(X)[:, :2].astype(float))


@pytest.mark.parametrize(
    "form", [np.asarray, pd.DataFrame, lambda cases: pd.DataFrame(cases).assign(word=list("abcd") * 10)]
)
def test_order_of_the_cases_changes_nothing(form) -> None:
    rng = np.random.default_rng(8)
    cases, y, groups = form(rng.normal(size=(40, 2))), rng.integers(0, 2, 40), np.repeat([0, 1], 20)
    order = rng.permutation(40)
    shuffled = cases.iloc[order].reset_index(drop=True) if hasattr(cases, "iloc") else cases[order]

    classifier = OfTwoColumns()
    one = label_permutation_test(classifier, cases, y, groups=groups, n_folds=4, n_resamples=9)
    other = label_permutation_test(classifier, shuffled, y[order], groups=groups[order], n_folds=4, n_resamples=9)

    assert (one.statistic, one.pvalue, one.null_scores.tolist()) == (
        other.statistic,
        other.pvalue,
        other.null_scores.tolist(),
    )
