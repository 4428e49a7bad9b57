from __future__ import annotations

import io
from importlib import import_module

import pytest

from evalstats import TableError, compare, read_table


@pytest.mark.parametrize("metric", ["accuracy", "neg_log_loss", "test_accuracy"])
def test_candidates_have_the_mean_of_their_splits(metric, sample, rows, content) -> None:
    path = sample("scikit-learn/grid.csv")
    name = metric.removeprefix("test_")
    expected = {
        ("grid", f"n_neighbors={row['param_n_neighbors']}, weights={row['param_weights']}"): float(
            row[f"mean_test_{name}"]
        )
        for row in rows(path)
    }

    table = read_table(path, metric=metric)

    assert (table.format, table.metric, table.greater_is_better) == ("sklearn-search", name, True)
    assert content(table) == pytest.approx(expected)


def test_several_scorers_are_asked(sample) -> None:
    with pytest.raises(TableError, match=r"holds the metrics 'accuracy', 'neg_log_loss'"):
        read_table(sample("scikit-learn/grid.csv"))


def test_repeats_are_told_by_their_folds(sample) -> None:
    with pytest.raises(TableError, match=r"has 12 splits, but does not tell which are folds"):
        read_table(sample("scikit-learn/repeated.csv"))
    assert compare(sample("scikit-learn/repeated.csv"), n_folds=3).table.folds[0].scores.shape == (4, 3, 2)


def test_assumed_folds_are_warned_of(sample) -> None:
    findings = read_table(sample("scikit-learn/grid.csv"), metric="accuracy").findings

    assert [one.code for one in findings if one.severity == "warning"] == ["folds-assumed"]


def test_only_one_iteration_of_a_halving_search_is_compared(sample, rows, content) -> None:
    path = sample("scikit-learn/halving.csv")
    last = [row for row in rows(path) if row["iter"] == "1"]
    expected = {("halving", f"n_neighbors={row['param_n_neighbors']}"): float(row["mean_test_score"]) for row in last}

    assert content(read_table(path)) == pytest.approx(expected)


def test_failed_fit_is_missing(sample) -> None:
    with pytest.raises(TableError, match=r"1 score is missing: 'failed' / 'n_neighbors=140'"):
        read_table(sample("scikit-learn/failed.csv"))


def test_dict_and_frame_of_a_search_are_the_same() -> None:
    selection = import_module("sklearn.model_selection")
    pandas = import_module("pandas")
    from sklearn.datasets import load_iris
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0)
    search = selection.GridSearchCV(tree, {"max_depth": [1, 2, None]}, cv=3).fit(*load_iris(return_X_y=True))

    first, second = read_table(search.cv_results_), read_table(pandas.DataFrame(search.cv_results_))

    assert first.scores.tolist() == second.scores.tolist()
    assert sorted(first.scores[0]) == pytest.approx(sorted(search.cv_results_["mean_test_score"]))


def test_searches_of_several_models_and_datasets_may_stand_in_one_table() -> None:
    text = "dataset,model,param_c,split0_test_score,split1_test_score,mean_test_score\n" + "".join(
        f"{dataset},{model},1,.{i + 5},.{i + 5},.{i + 5}\n"
        for dataset in ("x", "y")
        for i, model in enumerate(("svm", "tree"))
    )

    table = read_table(io.StringIO(text))

    assert (table.datasets, table.classifiers) == (("x", "y"), ("model=svm", "model=tree"))
    assert table.scores.tolist() == [[0.5, 0.6], [0.5, 0.6]]
