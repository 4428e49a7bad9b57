"""Several measures at once: who is beaten on all of them, and who is good on nearly all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import rankdata

import evalstats
from evalstats.metrics import score_from_counts
from evalstats.multiple import dea_efficiency, pareto_front, ranks_by_metric
from evalstats.multiple.several_metrics import understand_metrics

# Japkowicz, slides 9 and 10: eight classifiers on breast cancer of UCI, and their ranks as printed
NAMES = ["NB", "C4.5", "3NN", "Ripp", "SVM", "Bagg", "Boost", "RanF"]
MEASURES = ["Acc", "RMSE", "TPR", "FPR", "Prec", "Rec", "F", "AUC", "Info S"]
GREATER = [True, False, True, False, True, True, True, True, True]
SCORES = [
    [71.7, 0.4534, 0.44, 0.16, 0.53, 0.44, 0.48, 0.7, 48.11],
    [75.5, 0.4324, 0.27, 0.04, 0.74, 0.27, 0.4, 0.59, 34.28],
    [72.4, 0.5101, 0.32, 0.1, 0.56, 0.32, 0.41, 0.63, 43.37],
    [71.0, 0.4494, 0.37, 0.14, 0.52, 0.37, 0.43, 0.6, 22.34],
    [69.6, 0.5515, 0.33, 0.15, 0.48, 0.33, 0.39, 0.59, 54.89],
    [67.8, 0.4518, 0.17, 0.1, 0.4, 0.17, 0.23, 0.63, 11.3],
    [70.3, 0.4329, 0.42, 0.18, 0.5, 0.42, 0.46, 0.7, 34.48],
    [69.23, 0.47, 0.33, 0.15, 0.48, 0.33, 0.39, 0.63, 20.78],
]
SCORES_OF_TWO = np.array([[0.9, 0.5], [0.8, 0.6]])
PRINTED = [
    [3, 5, 1, 7, 3, 1, 1, 1, 2],
    [1, 1, 7, 1, 1, 7, 5, 7, 5],
    [2, 7, 6, 2, 2, 6, 4, 3, 3],
    [4, 3, 3, 4, 4, 3, 3, 6, 6],
    [6, 8, 4, 5, 5, 4, 6, 7, 1],
    [8, 4, 8, 2, 8, 8, 8, 3, 8],
    [5, 2, 2, 8, 7, 2, 2, 1, 4],
    [7, 6, 4, 5, 5, 4, 7, 3, 7],
]


def of_slides() -> dict[str, object]:
    return {"greater_is_better": GREATER, "classifiers": NAMES, "metrics": MEASURES}


def test_f_of_the_slides_follows_from_precision_and_recall() -> None:
    """From the printed values, which are rounded: within .01 for each classifier, and recall is the TPR."""
    for name, row in zip(NAMES, SCORES, strict=True):
        precision, recall = row[4], row[5]
        # of as many positives as are called positive by a classifier of this precision and recall
        counts = [[1, recall * (1 - precision)], [precision * (1 - recall), precision * recall]]
        assert score_from_counts("f1", counts) == pytest.approx(row[6], abs=0.01), name
        assert row[2] == row[5]


def test_ranks_of_the_slides_but_for_two_columns() -> None:
    """Precision .48 of SVM and of the forest is rank 6 and .50 of boosting rank 5; F .39 is rank 6 twice."""
    ranks = ranks_by_metric(SCORES, **of_slides()).ranks

    wrong = [name for j, name in enumerate(MEASURES) if ranks[:, j].tolist() != [row[j] for row in PRINTED]]
    assert wrong == ["Prec", "F"]
    assert ranks[:, 4].tolist() == [3, 1, 2, 4, 6, 8, 5, 6]
    assert ranks[:, 6].tolist() == [1, 5, 4, 3, 6, 8, 2, 6]


def test_naive_bayes_is_among_the_best_three_most_often() -> None:
    """But not on all measures but one: none of the eight is."""
    ranks = ranks_by_metric(SCORES, **of_slides())

    assert ranks.n_among_best.tolist() == [7, 4, 5, 4, 1, 2, 5, 1]
    assert ranks.nearly_always_best == ()


def test_one_bad_measure_is_allowed() -> None:
    ranks = ranks_by_metric([[3, 3, 0], [2, 2, 9], [1, 1, 8]], n_best=1, classifiers=["a", "b", "c"])

    assert ranks.nearly_always_best == ("a",)


def test_ranks_are_those_of_scipy() -> None:
    scores = np.random.default_rng(0).integers(0, 5, (20, 6)) / 4

    assert ranks_by_metric(scores).ranks.tolist() == rankdata(-scores, method="min", axis=0).tolist()


def test_front_is_that_of_a_loop_over_pairs() -> None:
    scores = np.random.default_rng(1).integers(0, 5, (40, 3))
    better = [True, False, True]
    signed = scores * np.where(better, 1, -1)

    front = pareto_front(scores, greater_is_better=better)

    dominates = [[bool((a >= b).all() and (a > b).any()) for b in signed] for a in signed]
    assert front.dominates.tolist() == dominates
    assert front.on_front.tolist() == [not any(column) for column in zip(*dominates, strict=True)]
    assert front.n_dominating.tolist() == [sum(column) for column in zip(*dominates, strict=True)]


def test_front_of_the_slides() -> None:
    """The forest is beaten by nobody on everything: only its information score is below that of naive Bayes and SVM."""
    front = pareto_front(SCORES, **of_slides())

    assert {name for name, on in zip(front.classifiers, front.on_front, strict=True) if on} >= {
        "NB",
        "C4.5",
        "SVM",
        "Boost",
    }


def test_equal_classifiers_do_not_dominate_each_other() -> None:
    assert pareto_front([[1, 2], [1, 2]]).on_front.tolist() == [True, True]


def test_n_best_is_a_number() -> None:
    with pytest.raises(ValueError, match="n_best must be at least 1, not 0"):
        ranks_by_metric([[1, 2]], n_best=0)


def test_names_are_those_of_a_frame() -> None:
    frame = pd.DataFrame({"accuracy": [0.9, 0.8], "seconds": [3, 4]}, index=["NB", "SVM"])

    table = understand_metrics(frame, [True, False], None, None)

    assert (table.classifiers, table.metrics) == (("NB", "SVM"), ("accuracy", "seconds"))
    assert table.merits.tolist() == [[0.9, -3], [0.8, -4]]


def test_array_gets_no_invented_names() -> None:
    table = understand_metrics([[1, 2]], True, None, ["a", "b"])
    ranks = ranks_by_metric([[1, 2], [3, 4]])

    assert (table.classifiers, table.metrics) == (None, ("a", "b"))
    assert (ranks.classifiers, ranks.metrics, ranks.nearly_always_best) == (None, None, (0, 1))


def test_table_of_ranks_has_a_row_for_each_classifier_and_metric() -> None:
    rows = ranks_by_metric([[1, 2, 5], [3, 4, 0]], classifiers=["NB", "SVM"], metrics=["a", "b", "c"]).to_columns()

    assert list(zip(rows["classifier"], rows["metric"], rows["ranks"], strict=True)) == [
        ("NB", "a", 2), ("NB", "b", 2), ("NB", "c", 1), ("SVM", "a", 1), ("SVM", "b", 1), ("SVM", "c", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("test", [pareto_front, ranks_by_metric, dea_efficiency])
class TestNamesOfTheTable:
    def test_names_come_out(self, test: Any) -> None:
        frame = pd.DataFrame(SCORES_OF_TWO, index=["NB", "SVM"], columns=["accuracy", "recall"])
        table = evalstats.ScoreTable(
            scores=SCORES_OF_TWO, datasets=("NB", "SVM"), classifiers=("accuracy", "recall"), greater_is_better=True
        )
        fields = np.array([(0.9, 0.5), (0.8, 0.6)], dtype=[("accuracy", float), ("recall", float)])
        polars = pl.DataFrame(SCORES_OF_TWO, schema=["accuracy", "recall"], orient="row")

        results = [test(one) for one in (frame, table, fields, polars)]

        assert [one.classifiers for one in results] == [("NB", "SVM"), ("NB", "SVM"), None, None]
        assert {getattr(one, "metrics", ("accuracy", "recall")) for one in results} == {("accuracy", "recall")}

    @pytest.mark.parametrize("axis", ["index", "columns"])
    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (["a", "a"], "must have different names, but 'a' occurs twice"),
            (pd.MultiIndex.from_tuples([("x", "a"), ("x", "b")]), r"must have one name each.*scores.{}.map"),
        ],
    )
    def test_ambiguous_names_are_refused(self, test: Any, axis: str, names: Any, message: str) -> None:
        frame = pd.DataFrame(SCORES_OF_TWO).set_axis(names, axis=axis)
        rows = "rows" if axis == "index" else axis

        with pytest.raises(ValueError, match=f"the {rows} of scores {message.format(axis)}"):
            test(frame)


class TestMessages:
    def test_shape(self) -> None:
        with pytest.raises(ValueError, match=r"scores must have the shape \(n_classifiers, n_metrics\)"):
            understand_metrics([1, 2], True, None, None)

    def test_directions(self) -> None:
        with pytest.raises(ValueError, match="one value for each of the 2 metrics, not 1"):
            understand_metrics([[1, 2]], [True], None, None)
        with pytest.raises(
            TypeError, match="greater_is_better must be True or False, or a sequence with True or False for each metric"
        ):
            understand_metrics([[1, 2]], "yes", None, None)

    def test_names(self) -> None:
        with pytest.raises(ValueError, match="classifiers must hold 2 names, but it holds 1"):
            understand_metrics([[1, 2], [2, 1]], True, ["a"], None)
        with pytest.raises(ValueError, match="metrics must be different from each other, but 'a' occurs twice"):
            understand_metrics([[1, 2]], True, None, ["a", "a"])

    def test_nan(self) -> None:
        with pytest.raises(ValueError, match=r"scores must be finite, but scores\[0, 1\] is nan"):
            understand_metrics([[1, float("nan")]], True, None, None)
