"""What a wide table says by its names and values is understood and said, or asked; nothing is compared in silence."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, compare, read_table
from evalstats.tables.score_table import ScoreTable

RNG = np.random.default_rng(3)
NAMES = ["LR", "NB", "tree"]
DATASETS = [f"set {i}" for i in "abcdefgh"]
SCORES = (RNG.random((8, 3)) * 0.3 + 0.6).round(3)
FRAME = pd.DataFrame(SCORES, index=pd.Index(DATASETS, name="dataset"), columns=NAMES)


def codes(table: ScoreTable) -> list[str]:
    return [finding.code for finding in table.findings]


def left_out(table: ScoreTable) -> list[tuple[str, str]]:
    return [(one.what, one.name) for one in table.left_out]


@pytest.mark.parametrize(
    "name",
    [
        "Average",
        "Mean",
        "AVG.",
        "avg",
        "Median",
        "Std",
        "St. Dev.",
        "Rank",
        "avg rank",
        "Average_Rank",
        "Mean rank",
        "Wins",
        "# wins",
        "W/T/L",
        "w-t-l",
        "Win/Tie/Loss",
        "Total",
        "Overall",
        "Best",
        "Geometric mean",
        "AvgRank",
        "Mean accuracy",
    ],
)
def test_rows_of_summaries_are_left_out_and_said(name: str) -> None:
    frame = pd.concat([FRAME, pd.DataFrame([[1.0, 2.0, 3.0]], index=[name], columns=NAMES)])

    table = read_table(frame)

    assert table.datasets == tuple(DATASETS)
    assert left_out(table) == [("row", name)]
    assert compare(frame).mean_ranks == compare(FRAME).mean_ranks


def test_rows_of_summaries_of_text_do_not_stop_the_reading() -> None:
    text = FRAME.to_csv() + "W/T/L,3/0/5,4/0/4,5/1/2\n"

    assert left_out(read_table(io.StringIO(text))) == [("row", "W/T/L")]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("n_train", range(100, 108)),
        ("size", [150, 200, 90, 80, 1000, 12, 15, 18]),
        ("id", range(8)),
        ("#", range(1, 9)),
        ("classes", [2, 3, 2, 2, 4, 2, 2, 2]),
        ("Best", SCORES.max(axis=1)),
        ("Average", SCORES.mean(axis=1)),
        ("winner", ["NB"] * 8),
        ("notes", ["", "small"] * 4),
        ("fold", [10] * 8),
        ("seed", [0] * 8),
        ("repeat", range(8)),
    ],
)
def test_columns_that_are_no_classifiers_are_left_out_and_said(name: str, values: Any) -> None:
    frame = FRAME.assign(**{name: list(values)})

    table = read_table(frame)

    assert table.classifiers == tuple(NAMES)
    assert left_out(table) == [("column", name)]
    np.testing.assert_array_equal(table.scores, SCORES)


def test_columns_that_may_be_either_are_asked_for() -> None:
    frame = FRAME.rename(columns={"tree": "size"})

    with pytest.raises(TableError, match="its values look like scores"):
        read_table(frame)
    assert read_table(frame, keep="size").classifiers == ("LR", "NB", "size")
    assert read_table(frame, drop="size").classifiers == ("LR", "NB")


def test_what_is_asked_for_is_kept_and_dropped() -> None:
    frame = FRAME.rename(index={"set a": "Average"})

    assert read_table(frame, keep="Average").datasets[0] == "Average"
    assert read_table(frame, drop=["Average", "NB"]).classifiers == ("LR", "tree")
    with pytest.raises(TableError, match="drop must name rows or columns of the table, not 'set z'"):
        read_table(frame, drop="set z", keep="Average")


@pytest.mark.parametrize("corner", ["classifier", "Model", "algorithm", "method"])
def test_corner_that_names_classifiers_turns_the_table(corner: str) -> None:
    turned = FRAME.T.rename_axis(index=corner, columns=None)

    for source in (turned, io.StringIO(turned.to_csv()), turned.rename_axis(columns="dataset")):
        table = read_table(source)
        assert (table.datasets, table.classifiers) == (tuple(DATASETS), tuple(NAMES))
        assert codes(table) == ["transposed"]
        np.testing.assert_array_equal(table.scores, SCORES)


@pytest.mark.parametrize(
    ("corner", "metric", "is_better"),
    [
        ("F1", "F1", True),
        ("F1 rank", "F1 rank", False),
        ("rank", "rank", False),
        ("accuracy gap", "accuracy gap", True),
        ("- RMSE", "- RMSE", True),
        ("RMSE", "RMSE", False),
        ("steps to success", "steps to success", False),
        ("dataset (error rate)", "error rate", False),
    ],
)
@pytest.mark.parametrize("is_turned", [False, True])
def test_corner_names_the_metric(corner: str, metric: str, is_better: bool, is_turned: bool) -> None:
    """Rows of classifiers have the same metric; a gap has no direction, and a note says so."""
    text = f"{corner},iris,glass\nNB,11,25\nSVM,24,13\n" if is_turned else f"{corner},NB,SVM\niris,11,24\nglass,25,13\n"
    if is_turned:
        text = text.replace("dataset (", "model (")
    table = read_table(io.StringIO(text))

    assert (table.classifiers, table.datasets) == (("NB", "SVM"), ("iris", "glass"))
    assert (table.metric, table.greater_is_better) == (metric, is_better)
    assert ("unknown-direction" in [one.code for one in table.findings]) == (metric == "accuracy gap")


def test_rank_above_numbers_is_no_metric() -> None:
    with pytest.raises(TableError, match="3 rows without names"):
        read_table(io.StringIO("rank,NB,SVM\n1,0.9,0.8\n2,0.7,0.6\n3,0.5,0.4\n"))


def test_names_of_both_axes_turn_the_table() -> None:
    assert read_table(FRAME.T.rename_axis(index=None, columns="dataset")).classifiers == tuple(NAMES)
    assert read_table(FRAME.rename_axis(columns="classifier")).classifiers == tuple(NAMES)


def test_table_is_turned_or_left_as_it_is_asked_for() -> None:
    turned = FRAME.T.rename_axis(index="classifier")

    assert read_table(turned, parsing={"transpose": False}).classifiers == tuple(DATASETS)
    assert read_table(FRAME.T.rename_axis(index=None), parsing={"transpose": True}).classifiers == tuple(NAMES)


def test_one_dataset_by_several_metrics_is_no_table_of_datasets() -> None:
    frame = pd.DataFrame({"model": NAMES, "accuracy": [0.8, 0.9, 0.7], "f1": [0.7, 0.8, 0.6]})

    with pytest.raises(TableError, match="hold scores on one dataset"):
        compare(frame)


def test_ranks_are_compared_as_ranks() -> None:
    ranks = (-FRAME).rank(axis=1)

    for metric in (None, "rank", "mean rank"):
        table = read_table(ranks, metric=metric)
        assert not table.greater_is_better
        assert compare(table).ranking == compare(FRAME).ranking
    assert "ranks" in codes(read_table(ranks))


def test_ranks_in_folds_are_compared_as_ranks() -> None:
    scores = pd.DataFrame(RNG.random((20, 4)), columns=list("ABCD"))
    scores.iloc[3, 1] = np.nan
    ranks = (-scores).rank(axis=1)
    ranks.insert(0, "dataset", ["iris"] * 10 + ["wine"] * 10)
    ranks.insert(1, "fold", [*range(10)] * 2)

    table = read_table(ranks, missing="drop-folds")

    assert "ranks" in codes(table)
    assert not table.greater_is_better
    assert table.scores[1].tolist() == pytest.approx(ranks.iloc[10:, 2:].mean().tolist())


def test_ranks_stay_ranks_if_a_classifier_is_left_out() -> None:
    ranks = (-FRAME).rank(axis=1)
    name = str(ranks.columns[0])

    table = read_table(ranks, drop=name)
    assert not table.greater_is_better
    assert table.metric == "rank"
    by_fold = pd.concat([ranks.iloc[:3].assign(fold=range(3)), ranks.iloc[:3].assign(fold=range(3, 6))])
    of_folds = read_table(by_fold.assign(dataset=["a"] * 3 + ["b"] * 3).reset_index(drop=True), drop=name)
    assert len(of_folds.folds) == 2
    assert not of_folds.greater_is_better


def test_rows_without_names_are_asked_about_where_they_are_many() -> None:
    many = RNG.random((100, 3))

    with pytest.raises(TableError, match="which may be datasets, or folds or runs of one dataset"):
        compare(many)
    assert len(read_table(many, rows_are="datasets").datasets) == 100
    assert len(read_table(many[:12]).datasets) == 12


def test_fold_column_is_that_of_folds_wherever_it_stands() -> None:
    frame = pd.DataFrame(RNG.random((10, 3)), columns=NAMES).assign(fold=range(10))

    assert compare(frame).pair_test == "corrected_ttest"
    several = frame.assign(dataset=["a"] * 5 + ["b"] * 5, fold=[*range(5)] * 2)
    assert read_table(several).datasets == ("a", "b")
    assert len(read_table(several).folds) == 2
    named = frame.rename(columns={"fold": "part"})
    assert compare(read_table(named, columns={"fold": "part"})).pair_test == "corrected_ttest"


def answers(n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    truth = RNG.integers(0, 2, n)
    return truth, np.where(RNG.random((n, 3)) < [0.6, 0.7, 0.95], truth[:, None], 1 - truth[:, None])


def test_true_labels_beside_predictions_are_a_test_set() -> None:
    truth, predicted = answers()
    frame = pd.DataFrame(predicted, columns=NAMES).assign(y_true=truth)
    words = frame.replace({0: "no", 1: "yes"})

    for source in (frame, words, io.StringIO(words.to_csv(index=False))):
        comparison = compare(source)
        assert comparison.pair_test == "mcnemar_test"
        assert comparison.score("tree") == pytest.approx((predicted[:, 2] == truth).mean())


def test_true_labels_beside_scores_are_a_ranking() -> None:
    truth, predicted = answers()
    frame = pd.DataFrame(predicted * 0.5 + RNG.random((60, 3)) * 0.6, columns=NAMES).assign(y_true=truth)

    assert compare(frame).pair_test == "delong_test"


@pytest.mark.parametrize("kind", [int, float, bool, str])
def test_right_and_wrong_are_counted_and_not_ranked(kind: type) -> None:
    truth, predicted = answers()
    right = pd.DataFrame(
        (predicted == truth[:, None]).astype(kind if kind is not str else int).astype(kind), columns=NAMES
    )

    named = right.assign(question=[f"q{i}" for i in range(60)])
    for source in (right, named, named.set_index("question")):
        comparison = compare(source)
        assert comparison.omnibus is not None
        assert comparison.pair_test == "mcnemar_test"
        assert comparison.score("tree") == pytest.approx((predicted[:, 2] == truth).mean())


def test_right_and_wrong_of_several_datasets_are_accuracies() -> None:
    truth, predicted = answers()
    right = pd.DataFrame((predicted == truth[:, None]).astype(int), columns=NAMES)

    table = read_table(right.assign(dataset=np.repeat(["a", "b", "c"], 20)))

    assert table.datasets == ("a", "b", "c")
    assert table.metric == "accuracy"
    np.testing.assert_allclose(table.scores[0], (predicted == truth[:, None])[:20].mean(axis=0))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda scores: scores * [100, 100, 1], "another-scale"),
        (lambda scores: scores[:, [0, 1, 0]], "equal-columns"),
        (lambda scores: np.where(scores == scores[3, 1], 991, scores * 100), "beyond-the-scale"),
        (lambda scores: np.where(scores == scores[3, 1], 0, scores), "zeros"),
    ],
)
def test_scores_that_look_wrong_are_noted(change: Any, code: str) -> None:
    assert codes(read_table(FRAME * 0 + change(SCORES))) == [code]
    assert codes(read_table(FRAME)) == []


@pytest.mark.parametrize(
    "metric", ["Error rate (%)", "test_error", "NLL", "perplexity", "WER", "time (s)", "classif.ce"]
)
def test_losses_are_known_by_name(metric: str) -> None:
    assert not read_table(FRAME, metric=metric).greater_is_better
    assert "lower is better" in _text(compare(FRAME, metric=metric))


def test_column_of_metrics_does_not_give_the_direction_of_another_column() -> None:
    rows = {"dataset": ["a", "a", "b", "b"], "method": ["x", "y"] * 2, "metric": ["roc_auc"] * 4}

    assert not read_table({**rows, "metric_error": [0.1, 0.2, 0.1, 0.3]}).greater_is_better
    assert read_table({**rows, "metric": ["neg_log_loss"] * 4, "result": [-0.1, -0.2, -0.1, -0.3]}).greater_is_better
    table = read_table(
        {**rows, "metric": ["neg_log_loss"] * 4, "logloss": [0.1, 0.2, 0.1, 0.3]}, columns={"score": "logloss"}
    )
    assert (table.metric, table.greater_is_better) == ("logloss", False)


def test_summaries_in_long_tables_are_left_out() -> None:
    long = (
        FRAME.T.assign(Average=1.0).T.reset_index(names="dataset").melt("dataset", var_name="model", value_name="auc")
    )

    table = read_table(long)

    assert table.datasets == tuple(DATASETS)
    assert left_out(table) == [("row", "Average")]


def _text(comparison: Any) -> str:
    from evalstats import report

    return report.text(comparison)


@pytest.mark.parametrize("kind", [dict, pd.DataFrame])
def test_rows_without_names_are_told(kind: type) -> None:
    """The scores of five folds look like those of five datasets; an array has axes that its owner knows."""
    scores = {"lr": [0.9, 0.8, 0.7, 0.9, 0.8], "nb": [0.8, 0.7, 0.7, 0.8, 0.9]}

    told = [finding.sentence for finding in read_table(kind(scores)).findings]

    rule = "The rows have no names, and each is treated as a dataset"
    assert told == [f"{rule}; if they are folds of one dataset, or runs, add a column fold or repeat."]
    assert read_table(kind(scores), rows_are="datasets").findings == ()
    assert read_table(np.array(list(scores.values())).T).findings == ()
    assert read_table(kind({**scores, "fold": [1, 2, 3, 4, 5]})).findings == ()


# --- columns beside the scores, rows without names --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("Time (s)", [1.5, 2.5, 7.5, 9], "contains the time of each row"),
        ("p-value", [0.1, 0.2, 0.3, 0.01], "contains the p-value of each row"),
        ("adj. p", [0.1, 0.2, 0.3, 0.01], "contains the p-value of each row"),
        ("imbalance ratio", [1.5, 2.5, 7.5, 9], "describes the datasets"),
        ("Δ", [-0.1, 0.1, 0.2, 0.1], "is a difference between other columns"),
        ("group", ["small", "small", "large", "large"], "holds no numbers"),
        ("sig.", ["*", "", "*", ""], "holds no numbers"),
    ],
)
def test_columns_beside_the_scores_are_left_out(name: str, cells: list[object], reason: str) -> None:
    text = pd.DataFrame(
        {"A": [0.5, 0.6, 0.7, 0.8], "B": [0.4, 0.7, 0.75, 0.7], name: cells}, index=list("wxyz")
    ).to_csv()

    table = read_table(io.StringIO(text))

    assert table.classifiers == ("A", "B")
    assert [(one.name, one.reason) for one in table.left_out] == [(name, reason)]


def test_difference_is_told_by_its_numbers() -> None:
    frame = pd.DataFrame({"A": [0.9, 0.8, 0.75], "B": [0.4, 0.1, 0.35]}, index=list("xyz"))

    assert read_table(frame.assign(gain=frame.A - frame.B)).classifiers == ("A", "B")
    with pytest.raises(
        TableError, match=r"'gain' has the name of a difference between other columns, but .* pass drop='gain'"
    ):
        read_table(frame.assign(gain=[0.9, 0.9, 0.1]))


def test_rows_with_numbers_for_names_are_asked_about_in_a_file() -> None:
    frame = pd.DataFrame({"A": [0.9, 0.8, 0.75], "B": [0.4, 0.1, 0.35]})

    for text in (frame.to_csv(), frame.rename_axis("id").to_csv()):
        with pytest.raises(TableError, match="has 3 rows without names, which may be datasets, or folds or runs of"):
            read_table(io.StringIO(text))
        assert len(read_table(io.StringIO(text), rows_are="datasets").datasets) == 3
    assert read_table(io.StringIO(frame.rename_axis("dataset").to_csv())).findings == ()
    many = pd.concat([frame] * 30, ignore_index=True)
    with pytest.raises(
        TableError, match="has 90 rows without names, which may be datasets, or folds or runs of one dataset"
    ):
        read_table(io.StringIO(many.to_csv()))


def test_a_column_of_metrics_is_chosen_from() -> None:
    frame = pd.DataFrame(
        {"dataset": list("xxyy"), "metric": ["f1", "rmse"] * 2, "A": [0.5, 2, 0.6, 3], "B": [0.4, 1, 0.7, 5]}
    )

    with pytest.raises(TableError, match=r"column 'metric' holds the metrics 'f1', 'rmse'; choose one"):
        read_table(frame)
    table = read_table(frame, metric="rmse")
    assert (table.scores.tolist(), table.greater_is_better) == ([[2.0, 1.0], [3.0, 5.0]], False)


def test_names_are_found_beside_an_index() -> None:
    frame = pd.DataFrame({"index": ["u", "v"], "A": [0.9, 0.8], "B": [0.4, 0.1]})

    assert read_table(io.StringIO(frame.to_csv())).datasets == ("u", "v")
    frame = pd.DataFrame({"Type": ["s", "s"], "Dataset": ["u", "v"], "A": [0.9, 0.8], "B": [0.4, 0.1]})
    assert read_table(io.StringIO(frame.to_csv(index=False))).datasets == ("u", "v")


def test_text_in_a_column_of_scores_points_to_drop() -> None:
    frame = pd.DataFrame({"dataset": ["u", "v"], "A": [0.9, 0.8], "B": [0.4, 0.1], "best": ["{'C': 1}", "{'C': 2}"]})

    with pytest.raises(TableError, match=r"is not a number; if this column is not a classifier, pass drop='tuned'"):
        read_table(frame.rename(columns={"best": "tuned"}))


def test_shares_of_one_are_no_scores() -> None:
    share = np.array([0.1, 0.25, 0.5, 0.75, 0.9, 0.33])
    frame = pd.DataFrame({"p_a": share, "p_b": 1 - share})

    for source in (frame, io.StringIO(frame.to_csv())):
        with pytest.raises(TableError, match="'p_a', 'p_b' add up to 1 in each row, as the probabilities of"):
            read_table(source)
    assert read_table(frame.set_axis(list("uvwxyz"))).classifiers == ("p_a", "p_b")
    assert read_table(frame, rows_are="datasets").classifiers == ("p_a", "p_b")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("p-value", "belongs to a statistical test"),
        ("Friedman chi2", "belongs to a statistical test"),
        ("Nemenyi CD", "belongs to a statistical test"),
        ("Training time (s)", "describes the classifiers"),
        ("Params (M)", "describes the classifiers"),
        ("FLOPs", "describes the classifiers"),
        ("GMACs", "describes the classifiers"),
        ("size_mb", "describes the classifiers"),
        ("ci95", "holds the limits or widths of intervals"),
        ("95% CI", "holds the limits or widths of intervals"),
        ("All", "is a summary of the others"),
        ("macro avg", "is a summary of the others"),
    ],
)
def test_rows_below_the_datasets_are_left_out(name: str, reason: str) -> None:
    frame = pd.DataFrame({"A": [0.9, 0.8, 7], "B": [0.4, 0.1, 9]}, index=["iris", "wine", name])

    table = read_table(io.StringIO(frame.to_csv()))

    assert table.datasets == ("iris", "wine")
    assert [(one.name, one.reason) for one in table.left_out] == [(name, reason)]
    assert read_table(frame, keep=name).datasets == ("iris", "wine", name)


def test_what_describes_classifiers_in_rows_is_left_out() -> None:
    columns = {"Venue": ["CVPR'19", "ICML'20"], "Year": [2019, 2020], "Params (M)": [25, 30]}
    frame = pd.DataFrame({**columns, "iris": [0.9, 0.8], "wine": [0.7, 0.6]}, index=["LR", "NB"])

    table = read_table(io.StringIO(frame.to_csv()))

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("LR", "NB"))
    assert [one.name for one in table.left_out] == list(columns)
    assert "Year" in read_table(frame, keep="Year", drop=["Venue"], parsing={"transpose": True}).datasets


LABELS = {"a": [0, 1, 2, 1, 0, 0, 2, 1, 1, 2], "b": [0, 1, 2, 2, 0, 0, 2, 1, 1, 1], "c": [0, 1, 2, 1, 0, 1, 2, 1, 1, 2]}


@pytest.mark.parametrize("names", [{}, {"": range(10)}])
def test_predicted_labels_without_true_ones_are_no_scores(names: dict[str, Any]) -> None:
    """A frame of predictions, written with its index, was compared as datasets."""
    with pytest.raises(TableError, match="like predicted labels of instances; add the true labels"):
        read_table(names | LABELS)


def test_whole_numbers_may_be_scores() -> None:
    errors = {name: [7 * i + len(name) * j for i in range(10)] for j, name in enumerate(LABELS)}

    assert read_table(LABELS, rows_are="datasets").scores.shape == (10, 3)
    assert read_table({"dataset": list("qrstuvwxyz"), **LABELS}).scores.shape == (10, 3)
    assert read_table({"": range(10), **errors}).scores.shape == (10, 3)
    assert read_table({"": range(9), **{name: cells[:9] for name, cells in LABELS.items()}}).scores.shape == (9, 3)


@pytest.mark.parametrize(
    ("text", "keep", "datasets", "classifiers"),
    [
        ("dataset,LR,LR\nx,1,2\ny,2,3\n", "LR", ("x", "y"), ("LR", "LR (2)")),
        ("dataset,LR,LR,NB,NB\nx,1,2,3,4\ny,2,3,4,5\n", ["LR", "NB"], ("x", "y"), ("LR", "LR (2)", "NB", "NB (2)")),
        ("dataset,LR,LR,LR (2)\nx,1,2,3\ny,2,3,5\n", "LR", ("x", "y"), ("LR", "LR (3)", "LR (2)")),
        ("dataset,LR,NB\nx,1,2\ny,2,3\nx,3,4\n", "x", ("x", "y", "x (2)"), ("LR", "NB")),
        ("model,x,y\nLR,1,2\nNB,2,3\nLR,3,4\n", "LR", ("x", "y"), ("LR", "NB", "LR (2)")),
        ("y_true,LR,LR\n" + "1,1,0\n0,1,0\n" * 6, "LR", ("dataset",), ("LR", "LR (2)")),
        ("LR,LR\n" + "1,0\n0,0\n1,1\n" * 4, "LR", ("dataset",), ("LR", "LR (2)")),
    ],
)
def test_repeated_names_are_numbered_where_they_are_to_be_kept(
    text: str, keep: str | list[str], datasets: tuple[str, ...], classifiers: tuple[str, ...]
) -> None:
    """The message asks so: those that repeat, and no others."""
    with pytest.raises(TableError, match="must be unique") as caught:
        read_table(io.StringIO(text))
    assert (caught.value.argument, [*np.atleast_1d(caught.value.value)]) == ("keep", [*np.atleast_1d(keep)])

    table = read_table(io.StringIO(text), keep=keep)
    assert (table.datasets, table.classifiers) == (datasets, classifiers)


@pytest.mark.parametrize("rows_are", [None, "folds"])
def test_a_dataset_with_several_folds_that_is_kept_is_not_numbered(rows_are: str | None) -> None:
    rows = "".join(
        f"{name},{fold},.{fold}{i},.{fold}{i + 1}\n" for i, name in enumerate(["Average", "y"]) for fold in (1, 2)
    )

    table = read_table(io.StringIO("dataset,fold,A,B\n" + rows), keep="Average", rows_are=rows_are)

    assert (table.datasets, [one.scores.shape for one in table.folds]) == (("Average", "y"), [(1, 2, 2)] * 2)
    assert table.left_out == ()


def test_metric_of_the_table_is_not_renamed() -> None:
    """A metric without a name in the table is named; another name for a named one needs its direction too."""
    text = "{},NB,SVM\niris,0.1,0.2\nglass,0.2,0.1\n"

    assert read_table(io.StringIO(text.format("dataset")), metric="RMSE").metric == "RMSE"
    assert read_table(io.StringIO(text.format("RMSE")), metric="test RMSE").metric == "test RMSE"
    with pytest.raises(
        TableError, match="the metric of the scores is 'RMSE', not 'nope'; leave out the option, or pass"
    ):
        read_table(io.StringIO(text.format("RMSE")), metric="nope")
    table = read_table(io.StringIO(text.format("RMSE")), metric="goodness", greater_is_better=True)
    assert (table.metric, table.greater_is_better) == ("goodness", True)


MLJAR = """
name,model_type,metric_type,metric_value,train_time
1_Baseline,Baseline,logloss,0.66,3.48
2_DecisionTree,Decision Tree,logloss,0.603,4.22
3_Linear,Linear,logloss,0.56,5.35
""".lstrip()


@pytest.mark.parametrize(
    "text", [MLJAR, MLJAR.replace("name", "dataset", 1), "".join(MLJAR.splitlines(keepends=True)[:3])]
)
def test_leaderboard_of_one_metric_is_of_one_dataset(text: str) -> None:
    with pytest.raises(TableError, match="each row has one score, in the column 'metric_value', of the metric in"):
        read_table(io.StringIO(text))


def test_classifiers_beside_a_column_of_metrics_are_read() -> None:
    text = "dataset,metric,NB,value net\niris,acc,0.9,0.8\nwine,acc,0.8,0.7\n"

    assert read_table(io.StringIO(text)).classifiers == ("NB", "value net")


def test_columns_of_a_leaderboard_whose_models_are_unknown_are_metrics() -> None:
    """AlpacaEval writes a win rate, its standard error and counts for each model."""
    text = ",win_rate,standard_error,n_wins,n_draws,n_total\nqux-1,50,0,0,805,805\nfoo-2,30.2,1.4,240,0,805\n"

    with pytest.raises(TableError, match=r"'win_rate', 'standard_error', .* have names of metrics, not of classifiers"):
        read_table(io.StringIO(text))
