"""Tables that are none of datasets and classifiers are refused by their names, with the way out; nothing is ranked."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, compare, read_predictions, read_table

SCORES = {"LR": [0.8, 0.81, 0.83], "NB": [0.7, 0.72, 0.75], "SVM": [0.9, 0.8, 0.7]}


def named(rows: list[Any], columns: list[str] | None = None, corner: str = "") -> dict[str, list[Any]]:
    return {corner: rows, **dict(zip(columns or SCORES, SCORES.values(), strict=True))}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        # the history of Keras, and what scikit-learn's classification_report gives
        (
            named([0, 1, 2], ["loss", "val_accuracy", "val_loss"], "epoch"),
            "holds a training history, on one dataset; give one score of each",
        ),
        (named(["a", "b", "c"], ["loss", "val_accuracy", "val_loss"]), "'val_loss' have names of metrics"),
        # a MetricCollection of torchmetrics
        (
            named(["MulticlassAccuracy", "MulticlassF1Score", "MulticlassAUROC"]),
            "the rows 'MulticlassAccuracy', 'MulticlassF1Score', 'MulticlassAUROC' have names of metrics",
        ),
        (named(["a", "b", "c"], ["precision", "recall", "f1-score"]), "'f1-score' have names of metrics"),
        # resamples() of caret, written as a table
        (
            named(["Fold1", "Fold2", "Fold3"], ["rf~Accuracy", "rf~Kappa", "nb~Accuracy"]),
            "have names of metrics, not",
        ),
        (
            named(["accuracy", "f1", "auc"]),
            "the rows 'accuracy', 'f1', 'auc' have names of metrics, not of datasets",
        ),
        (named(["Fold 1", "Fold 2", "Fold 3"]), "the rows 'Fold 1', 'Fold 2', 'Fold 3' have names of folds or runs"),
        (
            named(["split0", "split1", "split2"]),
            "have names of folds or runs, not of datasets; if they are folds, pass rows_are='folds'",
        ),
        (named(["run_1", "run_2", "run_10"]), "have names of folds or runs"),
        (named([100, 200, 300], corner="Global Step"), "the column 'Global Step' counts rows of one dataset"),
        # confusions, correlations and p-values
        (
            named(["LR", "NB", "SVM"]),
            "rows and columns have the same names, 'LR', 'NB', 'SVM', as in a matrix of pairs",
        ),
    ],
)
def test_other_tables_are_refused(source: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(TableError) as refused:
        read_table(source)

    assert message in str(refused.value)
    assert str(refused.value).endswith(
        (
            "if the columns are classifiers nevertheless, pass layout='wide'",
            "if they are datasets nevertheless, pass rows_are='datasets'",
        )
    )
    assert len(read_table(source, rows_are="datasets").scores) == 3


@pytest.mark.parametrize(
    "source",
    [
        named(["fold", "split", "run"]),  # no number
        named(["NB", "LR", "SVM"]),  # another order
        named(["iris", "wine", "glass"], corner="step by step"),
    ],
)
def test_tables_of_datasets_and_classifiers_are_read(source: dict[str, list[Any]]) -> None:
    assert read_table(source).scores.shape == (3, 3)


def test_what_stands_beside_the_scores_is_left_out() -> None:
    """The time and the spread of a classifier are not scores of another one. A time of none is asked about."""
    source = named(["iris", "wine", "glass"])
    source |= {"LR_time": [1.5, 2.5, 3.5], "NB (std)": [0.1, 0.2, 0.3], "k_time": [1, 2, 4]}

    with pytest.raises(TableError, match=r"the values of 'k_time' are on a different scale from the scores"):
        read_table(source)

    table = read_table(source, keep="k_time")

    assert table.classifiers == ("LR", "NB", "SVM", "k_time")
    assert [(one.name, one.reason) for one in table.left_out] == [
        ("LR_time", "contains the time of LR"),
        ("NB (std)", "contains the std of NB"),
    ]
    assert read_table(source, keep=["LR_time", "k_time"]).classifiers == ("LR", "NB", "SVM", "LR_time", "k_time")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            named([100, 200, 400], corner="train_size"),
            "they are settings or times on one",
        ),
        (named(["2024-01-01", "2024-01-02", "2024-01-03"], corner="Date"), "they are settings or times on one dataset"),
        (
            named(["q1", "q2", "q3"], corner="question"),
            "the rows are called 'question': they are instances of one dataset",
        ),
        (named(["setosa", "virginica", "x"], corner="class"), "they are classes of one dataset, not datasets"),
        (named(["LR vs NB", "LR vs SVM", "NB vs SVM"]), "are pairs of classifiers, not datasets"),
        (named(["count", "25%", "50%"]), "describe the columns of another table, as pandas' describe() does"),
        (named(["accuracy", "f1", "x"]), "the rows 'accuracy', 'f1', 'x' have names of metrics"),
        (named(["a", "b", "c"], ["fold 1", "fold 2", "fold 3"]), "have names of folds or runs, not of classifiers"),
    ],
)
def test_rows_that_are_no_datasets_are_refused(source: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(TableError) as refused:
        read_table(source)

    assert message in str(refused.value)
    assert len(read_table(source, rows_are="datasets").scores)


def test_one_column_of_a_metric_is_asked_about() -> None:
    source = named(["iris", "wine", "glass"], ["loss", "NB", "SVM"])

    with pytest.raises(TableError, match=r"'loss' has the name of a metric, not of a dataset or .* pass drop='loss'"):
        read_table(source)
    assert read_table(source, drop="loss").classifiers == ("NB", "SVM")
    assert read_table(source, keep="loss").classifiers == ("loss", "NB", "SVM")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (named(["a", "b", "c"], ["TP", "FP", "FN"]), "'TP', 'FP', 'FN' hold counts of a confusion matrix"),
        (named(["a", "b", "c"], ["True positives", "f.n.", "NB"]), "'True positives', 'f.n.' hold counts"),
        (named(["A", "B", "C"], ["pred_A", "pred_B", "pred_C"], "actual"), "'pred_A', 'pred_B', 'pred_C' hold counts"),
        ({"model1": ["LR", "LR"], "model2": ["NB", "SVM"], "p": [0.1, 0.2]}, "'model1' and 'model2' name pairs"),
    ],
)
def test_counts_and_pairs_are_refused(source: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(TableError) as refused:
        read_table(source)

    assert message in str(refused.value)


def test_classifiers_called_by_what_they_improve_are_read() -> None:
    for names in (["AUC-SVM", "F1-boost", "NB"], ["TP", "model 1", "model 2"]):
        assert read_table(named(["a", "b", "c"], names)).classifiers == tuple(names)


@pytest.mark.parametrize(
    "source",
    [
        {"actual": ["A", "B"], "pred_A": [60, 10], "pred_B": [50, 100], "total": [110, 110]},
        {"fold": [1, 2], "TP": [3, 4], "FP": [0, 1], "FN": [0, 0]},
    ],
)
def test_counts_are_no_predictions(source: dict[str, list[Any]]) -> None:
    with pytest.raises(TableError, match=r"hold counts of a confusion matrix, .*; give a row for each instance"):
        read_predictions(source)


MEAN_RANKS = {"classifier": ["C4.5", "NB", "SVM"], "avg_rank": [2.5, 1.3, 2.2]}


@pytest.mark.parametrize(
    "source",
    [
        MEAN_RANKS,
        {**MEAN_RANKS, "mean accuracy": [0.7, 0.9, 0.8]},
        {"setting": ["2-fold"] * 3, **MEAN_RANKS},
        {"algorithm": MEAN_RANKS["classifier"], "Friedman ranking": MEAN_RANKS["avg_rank"]},
        {"": ["Average rank"], "C4.5": [2.5], "NB": [1.3], "SVM": [2.2]},
        {"": ["mean accuracy", "mean rank"], "C4.5": [0.7, 2.5], "NB": [0.9, 1.3], "SVM": [0.8, 2.2]},
    ],
)
def test_mean_ranks_are_sent_to_the_audit(source: dict[str, list[Any]]) -> None:
    with pytest.raises(TableError, match=r"holds mean ranks instead of .* 'evalstats audit', or check_published_ranks"):
        compare(source)


def test_ranks_of_each_dataset_are_no_mean_ranks() -> None:
    long = {"dataset": ["a"] * 3 + ["b"] * 3, "classifier": [*"xyz"] * 2, "rank": [1, 2, 3, 3, 1, 2]}

    assert read_table(long).scores.tolist() == [[1, 2, 3], [3, 1, 2]]


@pytest.mark.parametrize("corner", ["row", "sample", "item"])
def test_rows_with_names_of_datasets_are_datasets_whatever_their_column_is_called(corner: str) -> None:
    table = read_table({corner: ["iris", "wine", "glass"], "lr": [0.1, 0.2, 0.3], "nb": [0.4, 0.5, 0.6]})

    assert table.datasets == ("iris", "wine", "glass")


def test_a_row_with_another_name_may_be_a_dataset_and_a_numbered_one_not() -> None:
    scores = {"lr": [0.1, 0.2, 0.3], "nb": [0.4, 0.5, 0.6]}

    assert read_table({"row": ["north", "south", "west"], **scores}).datasets == ("north", "south", "west")
    with pytest.raises(TableError, match="the rows are called 'row': they are instances"):
        read_table({"row": [1, 2, 3], **scores})


def test_what_was_left_out_is_said_where_one_classifier_remains() -> None:
    source = {"dataset": [*"abcd"], "worst": [1.0, 2, 3, 3], "middle": [4.0, 5, 6, 6.5], "best": [5.0, 6, 7, 7]}

    with pytest.raises(TableError, match=r"1 classifier; .*: 'worst' is a summary.*'best' is a summary.*keep='worst'"):
        compare(source)


@pytest.mark.parametrize("word", ["k{}", "f{}", "r{}", "score_{}"])
def test_rows_and_columns_that_are_only_numbered_are_no_datasets(word: str) -> None:
    scores = np.linspace(0.6, 0.9, 12).reshape(4, 3)
    names = [word.format(i) for i in range(4)]
    frame = pd.DataFrame(scores, index=names, columns=["NB", "SVM", "tree"])

    with pytest.raises(
        TableError, match=r"the names .* only number the rows, .*; if they are folds, pass rows_are='folds'"
    ):
        read_table(frame)
    with pytest.raises(
        TableError, match=r"the names .* only number the columns, .*; if they are folds, pass rows_are='folds'"
    ):
        read_table(frame.T.rename_axis("model"))
    assert read_table(frame, rows_are="datasets").datasets == tuple(names)
    assert read_table(frame.rename_axis("dataset")).datasets == tuple(names)
    assert read_table(frame.rename_axis("fold")).folds[0].scores.shape == (1, 4, 3)


def test_subjects_and_numbers_of_classifiers_are_names() -> None:
    scores = np.linspace(0.6, 0.9, 12).reshape(4, 3)

    subjects = pd.DataFrame(scores, index=["S1", "S2", "S3", "S4"], columns=["NB", "SVM", "tree"])
    assert read_table(subjects).datasets == ("S1", "S2", "S3", "S4")
    assert read_table(pd.DataFrame(scores, index=list("abcd"), columns=["1", "2", "3"])).classifiers == ("1", "2", "3")


@pytest.mark.parametrize("scale", [1, 100])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_decimals_are_no_shares_of_cases(kind: type, scale: int) -> None:
    """In single precision as in double: two digits are multiples of 1/100 whatever they are scores of."""
    frame = pd.DataFrame({"NB": [0.94, 0.72, 0.88, 0.5], "SVM": [0.9, 0.74, 0.86, 0.52]}) * scale

    assert read_table(frame.astype(kind)).scores.shape == (4, 2)


@pytest.mark.parametrize(
    "scores",
    [
        {"NB": [14 / 15, 13 / 15, 1, 1], "SVM": [13 / 15, 12 / 15, 14 / 15, 1]},
        {"NB": [100 * 51 / 56, 100 * 52 / 57, 100], "SVM": [100 * 50 / 56, 100 * 51 / 57, 100 * 52 / 56]},
        {"NB": [0.933333, 0.866667, 1.0], "SVM": [0.866667, 0.8, 0.933333]},
    ],
    ids=["equal folds", "percentages of folds of nearly equal size", "six digits"],
)
def test_shares_of_equally_many_cases_are_folds(scores: dict[str, list[float]]) -> None:
    """Folds of one dataset depend on each other, so a test over datasets would be wrong: they are asked about."""
    frame = pd.DataFrame(scores)
    for source in (scores, frame, frame.reset_index()):
        with pytest.raises(
            TableError, match=r"all scores are multiples of 1/.*, like scores of the folds of one dataset"
        ):
            compare(source)
        assert len(read_table(source, rows_are="datasets").datasets) == len(frame)
    assert read_table({"fold": range(len(frame)), **scores}).folds[0].scores.shape == (1, len(frame), 2)
    assert len(read_table({"dataset": [f"set {i}" for i in range(len(frame))], **scores}).datasets) == len(frame)


@pytest.mark.parametrize(
    "scores",
    [
        {"NB": [0.93, 0.87, 1.0], "SVM": [0.87, 0.8, 0.93]},  # rounded
        {"NB": [14 / 15, 12 / 17, 1], "SVM": [13 / 15, 15 / 17, 0.7]},  # of datasets of 15, 17 and 10 cases
        {"NB": [0.9123456, 0.8765432, 0.7654321], "SVM": [0.8123451, 0.9765438, 0.8654329]},
    ],
)
def test_other_scores_are_of_datasets(scores: dict[str, list[float]]) -> None:
    assert len(read_table(scores).datasets) == 3


@pytest.mark.parametrize("source", [np.array([[50, 3], [2, 88]]), [[50, 3], [2, 88]], pd.DataFrame([[9, 1], [0, 9]])])
def test_confusion_matrices_without_names_are_refused(source: Any) -> None:
    with pytest.raises(TableError, match=r"looks like a confusion matrix: a square of .*; give the pred"):
        compare(source)
    assert read_table(source, rows_are="datasets").scores.shape == (2, 2)
    assert read_table(np.array([[93, 95], [88, 90]])).scores.shape == (2, 2)


def test_confusion_matrices_with_names_are_refused() -> None:
    with pytest.raises(TableError, match="rows and columns have the same names, 'cat', 'dog', as in a matrix of pairs"):
        read_table({"": ["cat", "dog"], "cat": [50, 3], "dog": [2, 88]})


def test_metrics_in_folds_are_no_classifiers() -> None:
    """The frame of PyCaret's create_model() has a row for each fold and a column for each metric."""
    frame = pd.DataFrame(
        {"Accuracy": [0.9, 0.8, 0.85], "AUC": [0.9, 0.9, 0.9], "Prec.": [0.7, 0.8, 0.75]},
        index=pd.Index([0, 1, "Mean"], name="Fold"),
    )

    with pytest.raises(TableError, match=r"'Accuracy', 'AUC', 'Prec.' have names of metrics, not of classifiers"):
        read_table(frame)


def test_a_classifier_called_like_a_setting_is_one() -> None:
    assert read_table({"lr": [93, 95, 91], "rf": [90, 91, 92]}).classifiers == ("lr", "rf")


def test_several_rows_of_a_classifier_must_be_told_apart() -> None:
    frame = pd.DataFrame({"model": ["NB", "NB", "SVM", "SVM"], "accuracy": [0.8, 0.7, 0.9, 0.8]})

    for source in (frame, frame.reset_index()):
        with pytest.raises(
            TableError, match="has several rows of each classifier in the column 'model', and no column"
        ):
            compare(source)
    assert read_table(frame.assign(fold=[1, 2, 1, 2])).folds[0].scores.shape == (1, 2, 2)


def test_dicts_of_tables_or_of_lists_are_told_what_to_give() -> None:
    frame = pd.DataFrame({"NB": [0.8, 0.7], "SVM": [0.9, 0.8]})

    with pytest.raises(
        TableError, match=r"but 'iris' is a table; if each table belongs to a dataset, .* give pd\.concat\(source"
    ):
        read_table({"iris": frame, "wine": frame})
    assert len(read_table(pd.concat({"iris": frame, "wine": frame}, names=["dataset", "fold"])).folds) == 2
    with pytest.raises(TableError, match="but 'NB' holds lists or dicts; give one row for each score, in the columns"):
        read_table({"NB": [[0.8, 0.7]], "SVM": [[0.9, 0.8]]})


def test_addresses_are_no_files() -> None:
    with pytest.raises(FileNotFoundError, match="to read a file from the web, download it first"):
        read_table("https://example.org/scores.csv")


ALPACA = """
,win_rate,standard_error,mode,n_draws,n_wins,n_wins_base,output_length
aviary,77.02,1.468,minimal,12,614,179,1365
jina-chat,75.84,1.498,minimal,9,606,190,1082
openbuddy,72.92,1.562,minimal,4,585,216,1790
vicuna-13b,66.96,1.656,minimal,8,535,262,1037
""".lstrip()


def test_lengths_and_counts_are_no_scores_even_if_the_columns_are_said_to_be_classifiers() -> None:
    with pytest.raises(
        TableError, match=r"values of .*'output_length' are on a different scale from the scores"
    ) as asked:
        read_table(io.StringIO(ALPACA), layout="wide", keep="win_rate")
    assert asked.value.argument == "drop"

    table = read_table(io.StringIO(ALPACA), layout="wide", keep="win_rate", drop=asked.value.value)
    assert "output_length" not in table.classifiers
    assert (
        "output_length"
        in read_table(io.StringIO(ALPACA), layout="wide", keep=["win_rate", *asked.value.value]).classifiers
    )
