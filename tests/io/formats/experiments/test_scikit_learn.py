from __future__ import annotations

import io
import json
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidValueError, TableError, compare, corrected_ttest, read_table, which_test


def result(scores, **others):
    return {
        "fit_time": np.zeros(len(scores)),
        "score_time": np.zeros(len(scores)),
        "test_score": np.array(scores),
        **others,
    }


def halves(n_repeats: int) -> dict[str, list[np.ndarray]]:
    rng = np.random.default_rng(0)
    orders = [rng.permutation(8) for _ in range(n_repeats)]
    tests = [part for order in orders for part in (order[:4], order[4:])]
    return {"train": [np.setdiff1d(np.arange(8), test) for test in tests], "test": tests}


def test_indices_tell_repeats_folds_and_sizes() -> None:
    results = {
        name: result(scores, indices=halves(2)) for name, scores in {"a": [1, 2, 3, 5], "b": [0, 2, 2, 3]}.items()
    }

    comparison = compare(results)

    folds = comparison.table.folds[0]
    assert folds.scores.shape == (2, 2, 2)
    assert (folds.n_train, folds.n_test) == (4, 4)
    expected = corrected_ttest([1, 2, 3, 5], [0, 2, 2, 3], n_train=4, n_test=4).pvalue
    assert comparison.pairs[0].pvalue == pytest.approx(expected)


def test_what_scikit_learn_returns_is_read() -> None:
    selection = import_module("sklearn.model_selection")
    from sklearn.datasets import load_iris
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB

    splits = selection.RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    x, y = load_iris(return_X_y=True)
    models = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
    results = {
        name: selection.cross_validate(model, x, y, cv=splits, return_indices=True) for name, model in models.items()
    }

    table = read_table(results)

    assert table.format == "sklearn-cross-validate"
    assert table.scores[0] == pytest.approx([own["test_score"].mean() for own in results.values()])
    assert table.folds[0].scores.shape == (3, 5, 2)
    assert table.folds[0].n_test == 30


def test_datasets_of_classifiers_are_compared_over_datasets() -> None:
    results = {d: {"a": result([0.1, 0.3]), "b": result([0.2, 0.6])} for d in ("x", "y")}

    assert read_table(results).scores.ravel() == pytest.approx([0.2, 0.4, 0.2, 0.4])


def test_splits_without_indices_are_asked_unless_few() -> None:
    few, many = ({name: result([0.5] * n) for name in "ab"} for n in (5, 20))

    assert [one.code for one in read_table(few).findings] == ["folds-assumed"]
    with pytest.raises(TableError, match=r"has 20 splits, but does not show which splits are folds"):
        read_table(many)
    assert read_table(many, parsing={"n_folds": 5}).folds[0].scores.shape == (4, 5, 2)
    with pytest.raises(InvalidValueError, match=r"n_folds must divide the number of splits"):
        read_table(many, parsing={"n_folds": 7})


def test_failed_fit_is_missing_of_cross_validate() -> None:
    with pytest.raises(TableError, match=r"1 score is missing: 'dataset' / 'b'"):
        read_table({"a": result([0.5, 0.6]), "b": result([0.5, np.nan])})


def test_several_scorers_are_asked_of_cross_validate() -> None:
    results = {name: result([0.5, 0.6], test_auc=[0.7, 0.9]) for name in "ab"}

    with pytest.raises(TableError, match=r"holds the metrics 'score', 'auc'"):
        read_table(results)
    assert read_table(results, metric="test_auc").scores.tolist() == [[0.8, 0.8]]


def test_other_splits_are_refused() -> None:
    other = {part: sets[::-1] for part, sets in halves(2).items()}
    results = {"a": result([1, 2, 3, 4], indices=halves(2)), "b": result([1, 2, 3, 4], indices=other)}

    with pytest.raises(TableError, match=r"the splits of 'a' and 'b' differ"):
        read_table(results)


def test_one_result_is_one_classifier() -> None:
    with pytest.raises(TableError, match=r"each result belongs to one classifier"):
        read_table(result([0.5, 0.6]))
    with pytest.raises(TableError, match="each result belongs to one classifier"):
        read_table(result([1, 2, 3, 4], indices=halves(2)))


def test_no_scorer_in_common_is_refused() -> None:
    second = {"fit_time": [0.0], "score_time": [0.0], "test_auc": [0.5]}

    with pytest.raises(TableError, match=r"have no scorer in common"):
        read_table({"a": result([0.5]), "b": second})


def test_advice_takes_the_folds() -> None:
    results = {"a": result([0.5, 0.7] * 10), "b": result([0.6, 0.4] * 10)}

    assert which_test(results, n_folds=5, n_repeats=4).design.n_folds == 5


def test_results_may_be_written_as_json() -> None:
    results = {name: result(scores) for name, scores in (("a", [0.5, 0.7]), ("b", [0.6, 0.4]))}
    text = json.dumps(results, default=list)

    table = read_table(io.StringIO(text), parsing={"n_folds": 2})

    assert table.classifiers == ("a", "b")
    assert table.folds[0].scores.tolist() == read_table(results, parsing={"n_folds": 2}).folds[0].scores.tolist()


SCORES = {
    ("iris", "nb"): [0.5, 0.7],
    ("iris", "svm"): [0.6, 0.4],
    ("wine", "nb"): [0.8, 0.7],
    ("wine", "svm"): [0.7, 0.7],
}
RESULTS = {names: result(scores) for names, scores in SCORES.items()}


def frame(results) -> pd.DataFrame:
    return pd.concat({name: pd.DataFrame(own) for name, own in results.items()})


@pytest.mark.parametrize(
    "source",
    [
        RESULTS,
        {d: {c: RESULTS[d, c] for c in ("nb", "svm")} for d in ("iris", "wine")},
        {c: {d: RESULTS[d, c] for d in ("iris", "wine")} for c in ("nb", "svm")},
        {(c, d): own for (d, c), own in RESULTS.items()},
        frame(RESULTS),
        frame({(c, d): own for (d, c), own in RESULTS.items()}).reset_index(names=["model", "dataset", "fold"]),
        io.StringIO(frame(RESULTS).iloc[::-1].to_csv()),
        pd.concat([pd.DataFrame(own).assign(dataset=d, model=c) for (d, c), own in RESULTS.items()]),
    ],
    ids=["pairs", "by dataset", "by classifier", "pairs turned", "frame", "frame with names", "text", "columns"],
)
def test_names_tell_datasets_and_classifiers_wherever_they_stand(source) -> None:
    table = read_table(source)

    assert (table.format, table.datasets, table.classifiers) == (
        "sklearn-cross-validate",
        ("iris", "wine"),
        ("nb", "svm"),
    )
    assert [one.scores[0].T.tolist() for one in table.folds] == [
        [SCORES[d, "nb"], SCORES[d, "svm"]] for d in ("iris", "wine")
    ]


def test_frames_of_classifiers_on_one_dataset_hold_folds() -> None:
    results = {c: RESULTS["iris", c] for c in ("nb", "svm")}

    table = read_table(frame(results))

    assert table.folds[0].scores.tolist() == read_table(results).folds[0].scores.tolist()


def test_outer_names_that_say_nothing_are_told() -> None:
    results = {d: {"a": result([0.1, 0.3]), "b": result([0.2, 0.6])} for d in ("x", "y")}

    assert [one.sentence for one in read_table(results).findings] == [
        "The outer keys, 'x', 'y', are treated as datasets; transpose=False treats them as classifiers."
    ]
    assert read_table(results, parsing={"transpose": False}).classifiers == ("x", "y")


def test_frames_that_do_not_count_the_splits_are_refused() -> None:
    uncounted = frame(RESULTS).reset_index(level=2, drop=True).reset_index(names=["dataset", "model"])
    again = frame(RESULTS).reset_index(names=["dataset", "model", "fold"]).assign(fold=1)
    words = frame({"nb": RESULTS["iris", "nb"]}).assign(test_score=["0.5", "good"])

    with pytest.raises(
        TableError,
        match=r"a column of split numbers and, for several datasets, .* next to the results of cross_validate",
    ):
        read_table(uncounted)
    with pytest.raises(TableError, match="the split 1 occurs twice"):
        read_table(again)
    with pytest.raises(TableError, match="row 2, column 'test_score': 'good' is not a number"):
        read_table(words)


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


def test_several_scorers_are_asked_of_search(sample) -> None:
    with pytest.raises(TableError, match=r"holds the metrics 'accuracy', 'neg_log_loss'"):
        read_table(sample("scikit-learn/grid.csv"))


def test_repeats_are_told_by_their_folds(sample) -> None:
    with pytest.raises(TableError, match=r"has 12 splits, but does not show which splits are folds"):
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


def test_failed_fit_is_missing_of_search(sample) -> None:
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


@pytest.mark.parametrize("orient", ["columns", "records", "list"])
def test_search_in_json_is_the_search(orient, tmp_path) -> None:
    frame = pd.DataFrame({"param_a": [1, 2], "params": [{"a": 1}, {"a": 2}], "mean_test_score": [0.75, 0.9]})
    frame = frame.assign(split0_test_score=[0.8, 0.9], split1_test_score=[0.7, 0.9])
    path = tmp_path / "search.json"
    path.write_text(json.dumps(frame.to_dict("list")) if orient == "list" else frame.to_json(orient=orient))

    table = read_table(path)

    assert (table.format, table.classifiers) == ("sklearn-search", ("a=1", "a=2"))
    assert table.folds[0].scores.tolist() == [[[0.8, 0.9], [0.7, 0.9]]]


def test_search_with_decimal_commas_is_read_if_it_is_said() -> None:
    """As ``to_csv(sep=";", decimal=",")`` writes it."""
    text = "params;split0_test_score;split1_test_score;mean_test_score\n{'C': 1};0,9;0,8;0,85\n{'C': 2};0,7;0,8;0,75\n"

    with pytest.raises(TableError, match=r"pass parsing={'decimal': ','}"):
        read_table(io.StringIO(text))
    table = read_table(io.StringIO(text), parsing={"decimal": ","})

    assert table.folds[0].scores.tolist() == [[[0.9, 0.7], [0.8, 0.8]]]
