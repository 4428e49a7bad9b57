"""Rows of scores become a table by their keys, whatever their order."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.io.reader.tables import read_table
from evalstats.tables.errors import TableError

WIDE = "dataset,NB,SVM\niris,0.93,0.95\nglass,0.71,0.5\n"
LONG = "dataset,model,accuracy\niris,SVM,0.95\nglass,NB,0.71\niris,NB,0.93\nglass,SVM,0.5\n"


def test_long_file_is_paired_by_its_keys_and_sorted(read, content) -> None:
    table = read(LONG)

    assert content(table) == (("glass", "iris"), ("NB", "SVM"), [[0.71, 0.5], [0.93, 0.95]])
    assert table.metric == "accuracy"


def test_a_classifier_that_is_called_model_does_not_make_a_table_long(read) -> None:
    assert read("dataset,Model,Baseline\niris,0.9,0.8\n").classifiers == ("Model", "Baseline")


def test_columns_are_named_when_they_are_not_recognized(read, content) -> None:
    columns = {"dataset": "wo", "classifier": "wer", "score": "was"}
    table = read("wo,wer,was,seed\nx,a,1,7\nx,b,2,8\n", **columns, greater_is_better=True)

    assert (content(table), table.metric) == ((("x",), ("a", "b"), [[1.0, 2.0]]), "was")


def test_metric_chooses_among_score_columns(read) -> None:
    table = read("dataset,model,accuracy,ROC AUC\nx,a,0.1,0.2\n", metric="roc_auc")

    assert (table.scores.tolist(), table.metric) == ([[0.2]], "roc_auc")


def test_metric_chooses_among_the_rows_of_a_metric_column(read) -> None:
    text = "dataset,model,metric,value\nx,a,auc,0.1\nx,a,error,0.2\nx,b,error,0.3\nx,b,auc,0.4\n"

    table = read(text, metric="error")

    assert (table.scores.tolist(), table.metric, table.greater_is_better) == ([[0.2, 0.3]], "error", False)


def test_a_single_metric_names_the_table(read) -> None:
    assert read("dataset,model,metric,value\nx,a,auc,0.1\n").metric == "auc"


@given(st.permutations(range(12)))
def test_shuffling_the_rows_of_a_long_table_changes_nothing(content, order: list[int]) -> None:
    rows = [(f"d{i}", f"m{j}", i + j / 10) for i in range(4) for j in range(3)]
    shuffled = {name: [rows[i][c] for i in order] for c, name in enumerate(("data", "model", "score"))}
    ordered = {name: [row[c] for row in rows] for c, name in enumerate(("data", "model", "score"))}

    assert content(read_table(shuffled)) == content(read_table(ordered))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (LONG + "iris,NB,0.9\n", {}, "on each dataset, but these have several: 'iris' / 'NB' (lines 4, 6)"),
        ("dataset,model,acc,auc\nx,a,1,2\n", {}, "any of the columns 'acc', 'auc' may hold the scores; choose one"),
        ("data,model,metric,value\nx,a,f1,1\nx,a,auc,2\n", {}, "'f1', 'auc'; choose one, for example metric='f1'"),
        ("dataset,model,metric,value\nx,a,f1,1\n", {"metric": "F"}, "has no metric 'F'; its metrics are 'f1'"),
        ("data,model,method,score\nx,a,b,1\n", {}, "any of the columns 'model', 'method' may name the classifiers"),
        (WIDE, {"layout": "long"}, "none of the columns 'dataset', 'NB', 'SVM' is known to name the classifiers"),
        ("dataset,model\nx,a\n", {}, "none of the columns 'dataset', 'model' holds scores"),
        (LONG, {"score": "auc"}, "score must name a column of the table ('dataset', 'model', 'accuracy'), not 'auc'"),
        (LONG, {"layout": "wide", "score": "accuracy"}, "score does not apply to a wide table of scores"),
        ("data,model,score\nx,a,1\nx,,1\n", {}, "line 3, column 'model': the name of a classifier is empty"),
        ("data,model,score\n", {"layout": "long"}, "has no row of scores"),
        ("data,model,score\nx,a,b\n", {}, "line 2, column 'score': 'b' is not a number"),
        ("data,model,score,score\nx,a,1,2\n", {"score": "score"}, "but 2 columns are called 'score'"),
    ],
)  # fmt: skip
def test_long_mistakes(refused, text: str, options: dict, message: str) -> None:
    assert message in refused(text, **options)


def test_wrong_columns_do_not_fill_the_memory(refused) -> None:
    text = "data,model,score\n" + "".join(f"d{i},m{i},1\n" for i in range(20_000))

    assert "20,000 datasets and 20,000 classifiers, but only 20,000 scores" in refused(text)


@pytest.mark.parametrize("runs", ["fold", "repeat", "run"])
def test_runs_without_a_column_of_datasets_are_those_of_one(read, content, runs: str) -> None:
    rows = "".join(f"{name},{i},0.{9 - i}{shift}\n" for i in (1, 2, 3) for name, shift in (("NB", 0), ("SVM", 5)))

    table = read(f"model,{runs},accuracy\n{rows}")

    assert content(table) == (("dataset",), ("NB", "SVM"), [[pytest.approx(0.7), pytest.approx(0.75)]])
    assert len(table.folds) == 1


def test_unknown_names_beside_runs_are_asked_about(read) -> None:
    with pytest.raises(TableError, match="none of the columns"):
        read("model,fold,place,accuracy\nNB,1,Rome,0.9\nSVM,1,Rome,0.8\nNB,1,Oslo,1\nSVM,1,Oslo,0\n", layout="long")


def test_means_beside_their_spreads_are_the_scores() -> None:
    """What groupby(...).agg(["mean", "std"]) of pandas writes."""
    rows = {"dataset": list("xxyy"), "model": list("uvuv"), "mean": [0.8, 0.7, 0.9, 0.6], "std": [0.1, 0.2, 0.1, 0.2]}

    table = read_table(rows)

    assert (table.metric, table.scores.tolist()) == ("score", [[0.8, 0.7], [0.9, 0.6]])
    assert read_table({**rows, "count": [5] * 4}).metric == "score"
    with pytest.raises(TableError, match=r"may hold the scores"):
        read_table({**rows, "depth of trees": [0.8, 0.7, 0.9, 0.6]})


@pytest.mark.parametrize("errors", [("", ""), ("", "out of memory"), ("ok", "failed")])
def test_column_of_texts_called_like_a_score_holds_none(read, errors: tuple[str, str]) -> None:
    table = read(f"dataset,model,accuracy,error\nx,a,0.1,{errors[0]}\nx,b,0.2,{errors[1]}\n")

    assert (table.metric, table.scores.tolist()) == ("accuracy", [[0.1, 0.2]])


@pytest.mark.parametrize("seed", ["seed", "random_state", "Seed"])
def test_scores_of_several_seeds_are_runs(read, seed: str) -> None:
    table = read(f"dataset,model,{seed},accuracy\nx,a,1,0.1\nx,b,1,0.2\nx,a,2,0.3\nx,b,2,0.2\n")

    assert table.folds[0].scores.shape == (2, 1, 2)
    assert table.folds[0].same_split


def test_a_seed_that_tells_no_rows_apart_is_no_run(read) -> None:
    table = read("dataset,model,seed,accuracy\nx,a,1,0.1\nx,b,2,0.2\ny,a,1,0.3\ny,b,2,0.2\n", score="accuracy")

    assert (table.folds, table.scores.tolist()) == ((), [[0.1, 0.2], [0.3, 0.2]])


@pytest.mark.parametrize("seed", ["run_id", "attempt"])
def test_scores_of_several_runs_lead_to_the_argument_of_runs(read, seed: str) -> None:
    text = f"dataset,model,{seed},accuracy\nx,a,1,0.1\nx,b,1,0.2\nx,a,2,0.3\nx,b,2,0.2\n"

    with pytest.raises(
        TableError, match=f"if each score belongs to a different run, pass columns={{'repeat': '{seed}'}}"
    ):
        read(text)
    assert read(text, repeat=seed).folds[0].scores.shape == (2, 1, 2)


def test_means_of_groups_stand_beside_what_pandas_describes() -> None:
    import pandas as pd

    rows = {"dataset": ["a", "a", "b", "b"] * 2, "model": ["x", "y"] * 4, "acc": [0.9, 0.8, 0.7, 0.5] * 2}
    described = pd.DataFrame(rows).groupby(["dataset", "model"])["acc"].describe()

    assert read_table(described).scores.tolist() == [[0.9, 0.8], [0.7, 0.5]]


@pytest.mark.parametrize("labels", [["cat", "dog", "cat", "dog", "dog"], [1, 0, 1, 0, 0]])
def test_predictions_are_no_datasets(labels: list) -> None:
    """The error named 'layout', which the kind of the rows excludes; numeric labels were even compared as scores."""
    wide = {"id": range(5), "label": labels, "NB": labels[::-1], "SVM": labels[1:] + labels[:1]}
    long = {"id": range(5), "classifier": ["NB"] * 5, "y_true": labels, "y_pred": labels[::-1]}

    for rows in (wide, long):
        with pytest.raises(TableError, match="so its rows are not datasets; pass rows_are='instances'"):
            read_table(rows, rows_are="datasets")
        assert read_table(rows, rows_are="instances").metric == "accuracy"


def test_rows_of_datasets_may_be_long(read, content) -> None:
    table = read(LONG, rows_are="datasets", layout="long")

    assert content(table) == (("glass", "iris"), ("NB", "SVM"), [[0.71, 0.5], [0.93, 0.95]])
    with pytest.raises(
        TableError, match="is not a number; if each row holds one score of one classifier, pass layout='"
    ):
        read("who,what,x\niris,SVM,0.95\nglass,NB,0.71\n", rows_are="datasets")
    long = read("who,what,x\niris,SVM,0.95\niris,NB,0.71\n", rows_are="datasets", layout="long", dataset="who",
                classifier="what", score="x", greater_is_better=True)  # fmt: skip
    assert long.classifiers == ("NB", "SVM")


def test_question_about_the_scores_names_all_columns(read) -> None:
    """An aggregate of mlr3: 'any of the columns 'classif.acc' may hold the scores' named one column alone."""
    text = "nr,task_id,learner_id,iters,classif.acc\n1,iris,rpart,10,.9\n2,iris,ranger,10,.8\n"

    with pytest.raises(TableError, match=r"any of the columns 'nr', 'iters', 'classif\.acc' may hold the scores"):
        read(text)
    assert read(text, metric="classif.acc").classifiers == ("ranger", "rpart")


def test_metrics_in_rows_leave_the_question_of_the_score_column() -> None:
    """TabArena: the column of metrics selects rows, so --metric does not select the column of errors."""
    rows = {
        "dataset": ["a", "b", "c", "a", "b", "c"],
        "method": ["RF"] * 3 + ["GBM"] * 3,
        "metric_error": [0.1, 0.2, 0.3, 0.15, 0.1, 0.2],
        "metric": ["roc_auc", "roc_auc", "log_loss"] * 2,
        "time_infer_s": [1.5, 2.5, 3.5] * 2,
    }

    table = read_table(rows, metric="roc_auc")

    assert (table.datasets, table.metric, table.greater_is_better) == (("a", "b"), "metric_error", False)
    with pytest.raises(TableError, match=r"choose one, for example columns=\{'score': 'metric_error'\}"):
        read_table(rows | {"val_loss_b": rows["metric_error"], "error_b": rows["metric_error"]}, metric="roc_auc")


def test_dashes_of_headings_are_no_metric() -> None:
    """OpenCompass writes a dash in each column of a heading."""
    lines = ["dataset,metric,A,B", "--- Exam ---,-,-,-", "ceval,accuracy,60,50", "mmlu,accuracy,70,66", "wer,ppl,2,3"]

    with pytest.raises(TableError, match="holds the metrics 'accuracy', 'ppl'; choose one"):
        read_table(io.StringIO("\n".join(lines)))
    assert read_table(io.StringIO("\n".join(lines)), metric="accuracy").scores.tolist() == [[60, 50], [70, 66]]


@pytest.mark.parametrize("cell", ["#DIV/0!", "#REF!", "#N/A", "#VALUE!", "#WERT!"])
def test_failed_formulas_of_spreadsheets_are_missing_scores(cell: str) -> None:
    text = f"dataset,NB,SVM\niris,0.9,0.8\nwine,{cell},0.7\nglass,0.6,0.5\n"

    with pytest.raises(TableError, match=r"1 score is missing: 'wine' / 'NB'.* missing='drop-datasets'"):
        read_table(io.StringIO(text))
    assert read_table(io.StringIO(text), missing="drop-datasets").datasets == ("iris", "glass")
