"""Results of scikit-learn's cross_validate become a table of several datasets, or the fold scores of one."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.comparison.analysis import compare
from evalstats.paired.ttest import corrected_ttest
from evalstats.tables.cross_validation import fold_scores_from_cross_validate, score_table_from_cross_validate

IRIS = {"NB": {"test_f1": [0.9, 1.0], "test_auc": [0.7, 0.8]}, "SVM": {"test_f1": [0.8, 0.6], "test_auc": [0.9, 0.9]}}
WINE = {"SVM": {"test_f1": [0.5, 0.7], "test_auc": [0.6, 0.6]}, "NB": {"test_f1": [0.4, 0.2], "test_auc": [0.3, 0.5]}}


def test_means_over_the_folds_by_name() -> None:
    """Classifiers are paired by their names, whatever their order."""
    table = score_table_from_cross_validate({"iris": IRIS, "wine": WINE}, metric="f1")

    np.testing.assert_allclose(table.scores, [[0.95, 0.7], [0.3, 0.6]], rtol=1e-15)
    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("NB", "SVM"))
    assert (table.metric, table.greater_is_better) == ("f1", True)
    assert table.computation == "f1, mean over the folds"


def test_scikit_learn_is_understood() -> None:
    from sklearn.datasets import load_iris, load_wine
    from sklearn.model_selection import cross_validate
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    classifiers = {"NB": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    results = {
        name: {key: cross_validate(model, *load(return_X_y=True), cv=3) for key, model in classifiers.items()}
        for name, load in {"iris": load_iris, "wine": load_wine}.items()
    }

    table = score_table_from_cross_validate(results)

    assert table.scores[1, 0] == np.mean(results["wine"]["NB"]["test_score"])
    assert table.metric == "score"
    assert compare(table).table is table


def test_one_dataset_is_refused_with_what_it_needs() -> None:
    for results in (IRIS, {"iris": IRIS}):
        with pytest.raises(InvalidValueError, match=r"fold_scores_from_cross_validate\(results\) and corrected_ttest"):
            score_table_from_cross_validate(results, metric="f1")


def test_fold_scores_of_one_dataset() -> None:
    scores = fold_scores_from_cross_validate(IRIS, metric="test_auc", dataset="iris")

    assert scores.scores.tolist() == [[0.7, 0.8], [0.9, 0.9]]
    assert (scores.classifiers, scores.metric, scores.dataset) == (("NB", "SVM"), "auc", "iris")
    with pytest.raises(ValueError, match="read-only"):
        scores.scores[0, 0] = 1


@pytest.mark.parametrize(
    ("results", "metric", "error", "message"),
    [
        ({}, None, InvalidTypeError, "results must be a dict of datasets"),
        ([1], None, InvalidTypeError, r"results must be a dict of datasets, each a dict of classifiers, not \[1\]"),
        ({"a": IRIS, "b": {}}, "f1", InvalidTypeError, "results of dataset 'b' must be a dict of classifiers, not {}"),
        ({"a": IRIS, "b": {"NB": 3}}, "f1", InvalidTypeError, "must hold a result of cross_validate, .* 'NB' is 3"),
        ({"a": IRIS, "b": {"NB": {"fit_time": [1]}}}, "f1", InvalidTypeError, r"but 'NB' is \['fit_time'\]"),
        ({"a": IRIS, "b": WINE}, None, InvalidValueError, "have the scorers 'f1', 'auc': choose one with metric="),
        ({"a": IRIS, "b": WINE}, "mcc", InvalidValueError, r"metric must be a scorer of .* \('f1', 'auc'\), not 'mcc'"),
        ({"a": IRIS, "b": {"NB": IRIS["NB"]}}, "f1", InvalidValueError, "each dataset must have the same classifiers"),
        ({"a": {"NB": {"test_f1": [1, 2]}, "SVM": {"test_f1": [1]}}, "b": WINE}, "f1", InvalidValueError,
         "must have the same folds for each classifier"),
        ({"a": {"NB": {"test_f1": [1, np.nan]}}, "b": WINE}, "f1", InvalidValueError, "must be finite"),
        ({"a": {"NB": {"test_f1": []}}, "b": WINE}, "f1", InvalidValueError, "must have one score for each fold"),
        ({"a": {"NB": {"test_x": [1]}, "SVM": {"test_y": [1]}}, "b": WINE}, None, InvalidValueError,
         "have no scorer in common"),
        ({"a": {"NB": {"test_x": [1]}}, "b": {"NB": {"test_y": [1]}}}, None, InvalidValueError,
         "each dataset must have the same scorer"),
    ],
)  # fmt: skip
def test_mistakes(results: object, metric: str | None, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        score_table_from_cross_validate(results, metric=metric)


def test_sizes_come_from_the_indices_of_scikit_learn() -> None:
    from sklearn.datasets import load_iris
    from sklearn.model_selection import KFold, cross_validate
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    models = {"NB": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1, random_state=0)}
    cv = KFold(4, shuffle=True, random_state=0)
    results = {
        name: cross_validate(model, *load_iris(return_X_y=True), cv=cv, return_indices=True)
        for name, model in models.items()
    }

    folds = fold_scores_from_cross_validate(results)

    assert (folds.n_train, folds.n_test) == (112.5, 37.5)
    assert corrected_ttest(*folds.scores, n_train=folds.n_train, n_test=folds.n_test).correlation == 0.25


def test_without_indices_the_sizes_are_not_known() -> None:
    scores = fold_scores_from_cross_validate(IRIS, metric="auc")

    assert (scores.n_train, scores.n_test) == (None, None)


def test_indices_of_different_folds_are_refused() -> None:
    """Scores of different folds are not paired."""
    one = {"test_f1": [0.5, 0.6], "indices": {"train": [[0, 1], [2, 3]], "test": [[2, 3], [0, 1]]}}
    two = {"test_f1": [0.5, 0.6], "indices": {"train": [[0, 2], [1, 3]], "test": [[1, 3], [0, 2]]}}

    with pytest.raises(
        InvalidValueError, match="same folds for each classifier, but the indices of 'A' and 'B' differ"
    ):
        fold_scores_from_cross_validate({"A": one, "B": two})
