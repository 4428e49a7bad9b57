"""Each metric has the comparison that it has alone; ranks by metric have the smallest place where they are equal."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, spearmanr

import evalstats
from evalstats import InvalidTypeError, InvalidValueError, compare, report
from evalstats.comparison import ComparisonByMetric

# N. Japkowicz, tutorial on the evaluation of classifiers (2012): eight classifiers on the breast cancer data of UCI
CLASSIFIERS = ("NB", "C4.5", "3NN", "Ripp", "SVM", "Bagg", "Boost", "RanF")
BREAST_CANCER = {
    "accuracy": (71.7, 75.5, 72.4, 71.0, 69.6, 67.8, 70.3, 69.23),
    "rmse": (0.4534, 0.4324, 0.5101, 0.4494, 0.5515, 0.4518, 0.4329, 0.47),
    "precision": (0.53, 0.74, 0.56, 0.52, 0.48, 0.40, 0.50, 0.48),
    "f1": (0.48, 0.40, 0.41, 0.43, 0.39, 0.23, 0.46, 0.39),
}
# as printed beside them, where they are right: of precision SVM 5, Boost 7 and RanF 5 are printed, and of F1 RanF 7
PLACES = {
    "accuracy": (3, 1, 2, 4, 6, 8, 5, 7),
    "rmse": (5, 1, 7, 3, 8, 4, 2, 6),
    "precision": (3, 1, 2, 4, 6, 8, 5, 6),
    "f1": (1, 5, 4, 3, 6, 8, 2, 6),
}


def breast_cancer() -> dict[str, pd.DataFrame]:
    return {name: pd.DataFrame([row], columns=CLASSIFIERS, index=["bc"]) for name, row in BREAST_CANCER.items()}


def long_table(n: int = 8, k: int = 4, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (f"d{i}", f"c{j}", metric, rng.random() + j / 5)
        for i in range(n)
        for j in range(k)
        for metric in ("accuracy", "auc", "log loss")
    ]
    return pd.DataFrame(rows, columns=["dataset", "classifier", "metric", "score"])


def test_places_of_a_published_table() -> None:
    """One dataset, four metrics: equal scores share the smallest place, and rmse is better where it is smaller."""
    found = compare(breast_cancer(), metric=list(BREAST_CANCER))

    assert found.metrics == tuple(BREAST_CANCER)
    assert {name: tuple(found.ranks[:, j]) for j, name in enumerate(found.metrics)} == PLACES


def test_each_metric_has_the_comparison_that_it_has_alone() -> None:
    table = long_table()
    found = compare(table, metric=("auc", "log loss"), control="c0", alpha=0.1)

    assert isinstance(found, ComparisonByMetric)
    assert list(found) == ["auc", "log loss"]
    assert len(found) == 2
    for metric, comparison in dict(found).items():
        alone = compare(table, metric=metric, control="c0", alpha=0.1)
        assert report.json(comparison) == report.json(alone)
    assert not found["log loss"].table.greater_is_better


def test_correlations_are_those_of_the_mean_ranks() -> None:
    found = compare(long_table(k=6), metric=["accuracy", "auc", "log loss"])
    ranks = np.stack([found[metric].mean_ranks for metric in found], axis=1)

    np.testing.assert_array_equal(found.mean_ranks, ranks)
    for i in range(3):
        for j in range(3):
            assert found.kendall[i, j] == pytest.approx(kendalltau(ranks[:, i], ranks[:, j]).statistic)
            assert found.spearman[i, j] == pytest.approx(spearmanr(ranks[:, i], ranks[:, j]).statistic)


def test_metric_that_tells_nothing_apart_has_no_correlation() -> None:
    table = long_table()
    table.loc[table["metric"] == "auc", "score"] = 0.5
    found = compare(table, metric=["accuracy", "auc"])

    assert np.isnan(found.kendall[0, 1])
    assert np.isnan(found.kendall[1, 1])
    assert found.kendall[0, 0] == 1
    assert found.ranks[:, 1].tolist() == [1, 1, 1, 1]


def test_predictions_are_scored_by_every_metric() -> None:
    path = evalstats.example_path("sklearn-predictions")
    found = compare(path, metric=["accuracy", "roc_auc"])

    for metric in found:
        np.testing.assert_array_equal(found[metric].table.scores, evalstats.read_table(path, metric=metric).scores)


def test_name_that_was_asked_for_finds_the_metric_too() -> None:
    found = compare(evalstats.example_path("sklearn-predictions"), metric=["accuracy", "auc"])

    assert found["auc"] is found["roc_auc"]
    with pytest.raises(KeyError, match="metric must be one of 'accuracy', 'roc_auc', not 'f1'"):
        found["f1"]


def test_what_can_be_read_once_is_read_once() -> None:
    text = io.StringIO(long_table().to_csv(index=False))

    assert list(compare(text, metric=["accuracy", "auc"])) == ["accuracy", "auc"]


def test_header_of_two_rows_holds_the_metrics() -> None:
    wide = long_table().pivot_table(index="dataset", columns=["metric", "classifier"], values="score")[
        ["accuracy", "auc"]
    ]

    assert list(compare(wide, metric=["accuracy", "auc"])) == ["accuracy", "auc"]


def test_order_of_the_classifiers_is_that_of_the_first_metric() -> None:
    tables = breast_cancer()
    tables["rmse"] = tables["rmse"][list(CLASSIFIERS[::-1])]
    found = compare(tables, metric=list(BREAST_CANCER))

    assert found["rmse"].table.classifiers == CLASSIFIERS
    assert tuple(found.ranks[:, 1]) == PLACES["rmse"]


def test_folds_of_one_dataset() -> None:
    rng = np.random.default_rng(0)
    rows = [("d", "AB"[j], fold, rng.random() + j, rng.random()) for fold in range(10) for j in range(2)]
    table = pd.DataFrame(rows, columns=["dataset", "classifier", "fold", "accuracy", "f1"])
    found = compare(table, metric=["accuracy", "f1"])

    assert found["accuracy"].pair_test == "corrected_ttest"
    assert found.ranks[:, 0].tolist() == [2, 1]
    assert found.mean_ranks[:, 0].tolist() == [2, 1]


def test_rows_are_classifiers_by_metric() -> None:
    frame = compare(breast_cancer(), metric=["accuracy", "rmse"]).to_frame()

    assert frame.columns.tolist() == ["classifier", "metric", "rank", "mean_rank", "mean_score"]
    assert frame.iloc[8].tolist() == ["NB", "rmse", 5, 5.0, 0.4534]


@pytest.mark.parametrize(
    ("source", "metric", "error", "message"),
    [
        (None, ["auc"], InvalidValueError, r"a sequence of two or more names, not \['auc'\]"),
        (None, [], InvalidValueError, "metric must be one name, or a sequence of two or more"),
        (None, ["auc", "auc"], InvalidValueError, "metric must name different metrics"),
        (None, ["auc", 3], InvalidTypeError, "metric must be text, not int"),
        (None, 3, InvalidTypeError, "metric must be text, not int"),
        (None, ["auc", "f1"], InvalidValueError, "has no metric 'f1'; its metrics are"),
        (
            pd.DataFrame(np.eye(4), columns=list("ABCD")),
            ["accuracy", "auc"],
            InvalidValueError,
            "the source has one score for each dataset and classifier, so the metrics 'accuracy', 'auc' would be names",
        ),
        (
            evalstats.example_table("demsar-2006"),
            ["accuracy", "auc"],
            InvalidTypeError,
            "a comparison by several metrics requires a source with these metrics, but a ScoreTable holds one metric",
        ),
        (
            {name: pd.DataFrame(np.eye(3), columns=list(of)) for name, of in {"accuracy": "ABC", "auc": "ABD"}.items()},
            ["accuracy", "auc"],
            InvalidValueError,
            "the classifiers must be the same for each metric, but only one of 'accuracy' and 'auc' has scores of 'C'",
        ),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_refused(source: object, metric: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        compare(long_table() if source is None else source, metric=metric)
