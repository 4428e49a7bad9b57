"""Files that are read together are one table; where no column names the classifiers, the files do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats.comparison.analysis import compare
from evalstats.gating.decision import gate
from evalstats.io.reader.opening import grid_of
from evalstats.io.reader.predictions import read_predictions
from evalstats.io.reader.several_files import grid_of_several
from evalstats.io.reader.tables import read_table
from evalstats.tables.errors import TableError

ANSWERS = "row,y_true,y_pred\n1,a,a\n2,b,{}\n3,a,{}\n4,b,b\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lr.csv").write_text(ANSWERS.format("a", "a"))
    (tmp_path / "rf.csv").write_text(ANSWERS.format("b", "b"))
    return tmp_path


def test_predictions_of_two_files_have_their_names(folder: Path) -> None:
    paths = [folder / "lr.csv", str(folder / "rf.csv")]

    assert read_predictions(paths).classifiers == ("lr", "rf")
    comparison = compare(paths)
    assert (comparison.table.classifiers, comparison.design) == (("lr", "rf"), "instances")
    assert comparison.table.source == "lr.csv, rf.csv"


def test_names_of_files_are_told(folder: Path) -> None:
    grid = grid_of([str(folder / "lr.csv"), str(folder / "rf.csv")], None, "utf-8", None)

    assert [one.sentence for one in grid.findings] == ["The classifiers have the names of their files: 'lr', 'rf'."]


def test_equal_names_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for name in ("lr", "rf"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "test.csv.gz").write_text(ANSWERS.format("a", "b"))

    table = read_predictions([tmp_path / "lr" / "test.csv.gz", tmp_path / "rf" / "test.csv.gz"])

    assert table.classifiers == ("lr/test", "rf/test")


def test_column_of_classifiers_is_believed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("dataset,model,score\nx,NB,1\nx,SVM,2\n")
    (tmp_path / "b.csv").write_text("score,model,dataset\n3,NB,y\n4,SVM,y\n")

    assert read_table([tmp_path / "a.csv", tmp_path / "b.csv"]).scores.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_long_scores_of_one_classifier_a_file(tmp_path: Path) -> None:
    (tmp_path / "NB.csv").write_text("dataset,score\nx,1\ny,2\n")
    (tmp_path / "SVM.csv").write_text("dataset,score\ny,4\nx,3\n")

    table = read_table([tmp_path / "NB.csv", tmp_path / "SVM.csv"])

    assert (table.classifiers, table.scores.tolist()) == (("NB", "SVM"), [[1.0, 3.0], [2.0, 4.0]])


def test_metrics_of_one_classifier_a_file(tmp_path: Path) -> None:
    (tmp_path / "NB.csv").write_text("dataset,accuracy,f1\nx,0.1,1\ny,0.2,1\n")
    (tmp_path / "SVM.csv").write_text("dataset,accuracy,f1\ny,0.4,1\nx,0.3,1\n")
    files = [tmp_path / "NB.csv", tmp_path / "SVM.csv"]

    table = read_table(files, metric="accuracy")

    assert (table.classifiers, table.scores.tolist()) == (("NB", "SVM"), [[0.1, 0.3], [0.2, 0.4]])
    with pytest.raises(TableError, match=r"'accuracy', 'f1' may hold the scores; choose one, .*metric='accuracy'"):
        read_table(files)


def test_message_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("dataset,NB,SVM\nx,1,2\n")
    (tmp_path / "b.csv").write_text("dataset,NB,SVM\ny,1,2\nz,1,bad\n")

    with pytest.raises(TableError, match=r"a.csv and b.csv, line 3 of b.csv, column 'SVM': 'bad' is not a number"):
        read_table([tmp_path / "a.csv", tmp_path / "b.csv"])


def test_other_columns_are_refused(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "c.csv").write_text("dataset,NB,SVM\nx,1,2\n")

    with pytest.raises(TableError, match=r"must have the same columns, but c.csv and lr.csv differ in 'NB', 'SVM'"):
        read_table([tmp_path / "c.csv", folder / "lr.csv"])


def test_same_file_twice_is_refused(folder: Path) -> None:
    with pytest.raises(TableError, match=r"each file must be given once"):
        read_predictions([folder / "lr.csv", folder / "lr.csv"])


def test_one_file_is_itself(folder: Path) -> None:
    grid = grid_of(str(folder / "lr.csv"), None, "utf-8", None)

    assert grid_of_several([("lr.csv", grid)]) is grid


LONG = "model,accuracy\nNB,{}\nSVM,{}\n"
WIDE = "dataset,NB,SVM\niris,{},0.95\nwine,{},0.75\n"


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder


HISTORY = Path(__file__).parents[2] / "data" / "formats" / "training-logs" / "xgboost_cv_with_index.csv"


def test_training_histories_of_several_classifiers_are_refused(tmp_path: Path) -> None:
    """With a metric, their rounds were read as several scores of one dataset."""
    with pytest.raises(TableError, match=r"^the table of deep.csv and flat.csv holds a training history"):
        read_table(written(tmp_path, deep=HISTORY.read_text(), flat=HISTORY.read_text()), metric="test-auc-mean")


@pytest.mark.parametrize("text", [LONG, "dataset,accuracy\nx,{}\ny,{}\n"], ids=["datasets", "classifiers"])
def test_file_with_the_name_of_a_summary_is_asked_about(tmp_path: Path, text: str) -> None:
    """One of two files was left out, because two scores are their own mean."""
    folder = written(tmp_path, best=text.format(0.9, 0.8), other=text.format(0.9, 0.8))

    with pytest.raises(TableError, match=r"'best' has the name of a summary .*, but its values look like scores"):
        read_table(folder)
    assert read_table(folder, keep="best").scores.shape == (2, 2)


NESTED = '{{"{}": {{"acc": 0.9, "f1": 0.8}}, "{}": {{"acc": {}, "f1": 0.6}}}}'


@pytest.mark.parametrize(
    ("files", "rows", "datasets", "classifiers"),
    [
        (("A", "B"), ("iris", "wine"), ("iris", "wine"), ("A", "B")),
        (("x", "y"), ("NB", "SVM"), ("x", "y"), ("NB", "SVM")),
        (("iris", "wine"), ("m1", "m2"), ("iris", "wine"), ("m1", "m2")),
    ],
)
def test_keys_above_metrics_are_datasets_or_classifiers(
    tmp_path: Path, files: Any, rows: Any, datasets: Any, classifiers: Any
) -> None:
    """They were refused. In CSV, the rows have no name for their column."""
    for i, name in enumerate(files):
        (tmp_path / f"{name}.json").write_text(NESTED.format(*rows, 0.6 + i / 10))
        (tmp_path / f"{name}.csv").write_text(f",acc,f1\n{rows[0]},0.9,0.8\n{rows[1]},{0.6 + i / 10},0.6\n")

    for suffix in ("json", "csv"):
        table = read_table(sorted(tmp_path.glob(f"*.{suffix}")), metric="acc")
        assert (table.datasets, table.classifiers) == (datasets, classifiers)
        assert table.scores.T.ravel()[[1, 3] if rows == datasets else [2, 3]].tolist() == [0.6, 0.7]


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_unknown_names_of_rows_and_files_are_asked_about(tmp_path: Path, suffix: str) -> None:
    text = NESTED.format("a", "b", 0.5) if suffix == "json" else ",acc,f1\na,.9,.8\nb,.5,.6\n"
    for name in "xy":
        (tmp_path / f"{name}.{suffix}").write_text(text)

    with pytest.raises(TableError, match="the rows 'a', 'b' or the files 'x', 'y' may be the classifiers"):
        read_table(sorted(tmp_path.glob(f"*.{suffix}")), metric="acc")


@pytest.mark.parametrize("corner", ["", "name"])
def test_files_of_seeds_hold_the_runs_of_classifiers(tmp_path: Path, corner: str) -> None:
    """The seeds were read as classifiers."""
    for i, other in enumerate((0.7, 0.6)):
        (tmp_path / f"seed_{i}.csv").write_text(f"{corner},acc\nm1,0.9\nm2,{other}\n")

    table = read_table(tmp_path)
    assert (table.datasets, table.classifiers) == (("dataset",), ("m1", "m2"))
    assert sorted(table.folds[0].scores[..., 1].ravel().tolist()) == [0.6, 0.7]


def test_leaderboards_of_mljar_are_compared(tmp_path: Path) -> None:
    """One leaderboard is no comparison. The names of several files are the datasets."""
    head = "name,model_type,metric_type,metric_value,train_time"
    text = head + "\n1_Baseline,Baseline,logloss,{},1\n2_Linear,Linear,logloss,{},2\n"

    table = read_table(written(tmp_path, iris=text.format(0.9, 0.3), wine=text.format(0.8, 0.4)))
    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("1_Baseline", "2_Linear"))
    assert (table.metric, table.greater_is_better, table.scores.tolist()) == (
        "logloss",
        False,
        [[0.9, 0.3], [0.8, 0.4]],
    )


def test_files_that_all_have_names_of_summaries_are_read(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, best_0=LONG.format(0.9, 0.8), best_1=LONG.format(0.7, 0.6)))

    assert table.datasets == ("best_0", "best_1")


def test_files_may_have_the_names_of_datasets(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, iris=LONG.format(0.9, 0.8), wine=LONG.format(0.7, 0.6)))

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("NB", "SVM"))
    assert table.scores.tolist() == [[0.9, 0.8], [0.7, 0.6]]


@pytest.mark.parametrize("text", [LONG, "fold,NB,SVM\n1,{},0.8\n2,{},0.7\n"], ids=["long", "folds"])
def test_files_that_count_repeats_are_not_datasets(tmp_path: Path, text: str) -> None:
    table = read_table(written(tmp_path, rep_1=text.format(0.9, 0.7), rep_2=text.format(0.8, 0.5)))

    assert (table.datasets, len(table.folds), table.folds[0].scores.shape[0]) == (("dataset",), 1, 2)


@pytest.mark.parametrize("header", ["accuracy\n", ""])
def test_folder_of_columns_is_read_as_a_list_of_them(tmp_path: Path, header: str) -> None:
    written(tmp_path, NB=f"{header}.9\n.8\n.7\n", SVM=f"{header}.8\n.7\n.9\n")
    told = {"same_order": True, "rows_are": "folds"}

    table = read_table(tmp_path, **told)

    assert table.folds[0].scores.tolist() == [[[0.9, 0.8], [0.8, 0.7], [0.7, 0.9]]]
    listed = read_table([str(tmp_path / "NB.csv"), str(tmp_path / "SVM.csv")], **told)
    assert listed.folds[0].scores.tolist() == table.folds[0].scores.tolist()


@pytest.mark.parametrize(("name", "shape"), [("run", (2, 1, 2)), ("fold", (1, 2, 2))])
def test_files_may_be_runs_of_one_table(tmp_path: Path, name: str, shape: tuple[int, ...]) -> None:
    table = read_table(written(tmp_path, **{f"{name}_1": WIDE.format(0.9, 0.7), f"{name}_2": WIDE.format(0.8, 0.5)}))

    assert table.folds[0].scores.shape == shape
    np.testing.assert_allclose(table.scores, [[0.85, 0.95], [0.6, 0.75]])


def test_folders_and_files_may_be_classifiers_and_datasets(tmp_path: Path) -> None:
    names = [f"{model}__{dataset}" for model in ("knn", "svm") for dataset in ("iris", "wine")]
    table = read_table(written(tmp_path, **{name: ANSWERS.format("b", "b") for name in names}))

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("knn", "svm"))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"accuracy": WIDE, "f1": WIDE}, "'accuracy.csv', 'f1.csv' have names of metrics: give one of the files"),
        ({"accuracy": LONG, "f1": LONG}, "'accuracy.csv', 'f1.csv' have names of metrics: give one of the files"),
        ({"new": WIDE, "old": WIDE}, "'new.csv', 'old.csv' hold scores of the same datasets: give one of them"),
        (
            {"a__x": ANSWERS, "a__y": ANSWERS, "b__x": ANSWERS, "b__y": ANSWERS},
            "may be the classifiers; add a column dataset or classifier to each file",
        ),
        (
            {"a": WIDE, "b": LONG},
            "is a directory of 2 tables with different columns: 'a.csv', 'b.csv'; give one of them",
        ),
    ],
)
def test_files_that_nothing_tells_apart_are_refused(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(TableError) as caught:
        read_table(written(tmp_path, **{name: text.format(0.5, 0.6) for name, text in files.items()}))
    assert message in str(caught.value)


def test_files_of_one_name_and_two_kinds_are_two(tmp_path: Path) -> None:
    frame = pd.DataFrame({"dataset": ["x", "y"], "score": [1, 2]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")

    assert read_table([tmp_path / "a.csv", tmp_path / "a.parquet"]).classifiers == ("a.csv", "a.parquet")


def predictions_of_caret(path: Path, wrong: int, **tuned: list[int]) -> str:
    """Write the data frame `pred` of a model that R's caret trained, with its tuning parameters."""
    labels = ["cat", "dog"] * 10
    predicted = [labels[i - 1] if i < wrong else label for i, label in enumerate(labels)]
    frame = pd.DataFrame({"pred": predicted, "obs": labels, "rowIndex": range(1, 21), **tuned, "Resample": "Fold1"})
    frame.sample(frac=1, random_state=wrong).to_csv(path)
    return str(path)


def test_predictions_of_models_with_other_tuning_parameters_are_compared(tmp_path: Path) -> None:
    sources = [
        predictions_of_caret(tmp_path / "rf.csv", 2, mtry=[2] * 20),
        predictions_of_caret(tmp_path / "knn.csv", 8, k=[5] * 20),
    ]

    comparison = compare(sources)
    assert dict(zip(comparison.table.classifiers, comparison.table.scores[0], strict=True)) == {"rf": 0.9, "knn": 0.6}
    assert any("some files lack them: 'k', 'mtry'" in one.sentence for one in comparison.table.findings)


def test_column_with_a_role_that_one_file_lacks_is_an_error(tmp_path: Path) -> None:
    sources = [
        predictions_of_caret(tmp_path / "rf.csv", 2, seed=[2] * 20),
        predictions_of_caret(tmp_path / "knn.csv", 8, fold=[5] * 20),
    ]

    with pytest.raises(TableError, match="must have the same columns"):
        compare(sources)


def test_probabilities_of_spark_stay_beside_its_labels(tmp_path: Path) -> None:
    labels = [0.0, 1.0] * 10
    for name, wrong in (("a", 2), ("b", 8)):
        predicted = [1 - label if i < wrong else label for i, label in enumerate(labels)]
        rows = {"id": range(20), "label": labels, "prediction": predicted, "probability": "[0.4,0.6]"}
        pd.DataFrame(rows).to_csv(tmp_path / f"{name}.csv", index=False)

    table = compare([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]).table
    assert table.scores.tolist() == [[0.9, 0.6]]


def test_predictions_of_files_without_a_name_of_true_labels_lead_to_it(tmp_path: Path) -> None:
    """collect_predictions() of tidymodels calls the true labels like the column of the data."""
    for name, wrong in (("a", 2), ("b", 8)):
        path = predictions_of_caret(tmp_path / f"{name}.csv", wrong)
        frame = pd.read_csv(path).rename(columns={"pred": ".pred_class", "obs": "animal", "rowIndex": ".row"})
        frame.drop(columns="Unnamed: 0").to_csv(path, index=False)
    sources = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]

    with pytest.raises(TableError, match=r"'\.pred_class' holds predicted labels") as asked:
        compare(sources)
    assert (asked.value.argument, asked.value.value) == ("y_true", "animal")
    assert compare(sources, y_true="animal").table.scores.tolist() == [[0.9, 0.6]]


@pytest.mark.parametrize("index", [False, True])
def test_suites_of_one_classifier_a_file(tmp_path: Path, index: bool) -> None:
    """An evaluation suite of Hugging Face has times, speeds and notes beside the metric of each task."""
    paths = []
    for name, accuracy in (("alpha", [0.7, 0.8, 0.9]), ("beta", [0.6, 0.9, 0.5])):
        times = {"total_time_in_seconds": [2.1, 3.2, 1.1], "samples_per_second": [0.5, 6.1, 5.2]}
        suite = {"accuracy": accuracy, **times, "task_name": ["glue/cola", "glue/sst2", "imdb"]}
        paths.append(tmp_path / f"{name}.csv")
        pd.DataFrame({**suite, "data_preprocessor": [None] * 3}).to_csv(paths[-1], index=index)

    table = read_table(paths)

    assert (table.classifiers, table.metric) == (("alpha", "beta"), "accuracy")
    assert (table.datasets, table.scores[:, 0].tolist()) == (("glue/cola", "glue/sst2", "imdb"), [0.7, 0.8, 0.9])
    result = gate(*paths, margin=0.1)
    assert (result.tasks[0].metric, result.tasks[0].n) == ("accuracy", 3)


def _fold_tables(path: Path) -> list[str]:
    """Write the fold scores of two classifiers, a file each, in the layout of PyCaret."""
    for name, shift in (("lr", 0.0), ("rf", 0.01)):
        rows = [f"{i},{0.8 + shift + i / 500:.3f},{0.9:.3f},{0.7 - i / 500:.3f}" for i in range(5)]
        (path / f"{name}.csv").write_text(
            "\n".join(["Fold,Accuracy,AUC,Prec.", *rows, "Mean,0.804,0.9,0.696", "Std,0.003,0.0,0.003", ""])
        )
    return [str(path / "lr.csv"), str(path / "rf.csv")]


def test_mean_and_spread_below_folds_are_no_folds(tmp_path: Path) -> None:
    table = read_table(_fold_tables(tmp_path), metric="Accuracy")

    assert table.folds[0].folds == tuple("01234")
    assert table.scores == pytest.approx(np.array([[0.804, 0.814]]))
    assert {one.name for one in table.left_out if one.what == "row"} == {"Mean", "Std"}
    kept = read_table(_fold_tables(tmp_path), metric="Accuracy", keep="Mean")
    assert kept.folds[0].folds == (*"01234", "Mean")


def test_advice_on_the_metrics_of_one_classifier_leads_to_a_comparison(tmp_path: Path) -> None:
    paths = _fold_tables(tmp_path)

    with pytest.raises(
        TableError, match="if the scores belong to one classifier, give such a file for each classifier"
    ):
        read_table(paths[0])
    with pytest.raises(TableError, match="choose one, for example metric='Accuracy'"):
        compare(paths)
    assert compare(paths, metric="Accuracy").design == "folds"
    with pytest.raises(ValueError, match="to compare their folds, give both files and the margin to the command comp"):
        gate(*paths, metric="Accuracy", margin=0.01)


@pytest.mark.parametrize("run", ["cv_{}_valid", "cv_{}", "fold {}"])
def test_metrics_in_rows_and_folds_in_columns(tmp_path: Path, run: str) -> None:
    """The summary of a cross-validation of H2O."""
    header = ",".join(["", "mean", "sd", *(run.format(i) for i in range(1, 4))])
    for name, shift in (("gbm", 0.0), ("glm", 0.01)):
        rows = [
            f"auc,0.9,0.01,0.91,{0.9 + shift},0.89",
            f"logloss,0.5,0.1,0.6,{0.5 - shift},0.4",
            "err_count,9,1,8,9,10",
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join([header, *rows, ""]))
    paths = [tmp_path / "gbm.csv", tmp_path / "glm.csv"]

    with pytest.raises(TableError, match=r"'auc', 'logloss'.* names of folds.*, give such a file for each classifier"):
        read_table(paths[0])
    table = read_table(paths, metric="logloss")
    assert table.folds[0].scores.tolist() == [[[0.6, 0.6], [0.5, 0.49], [0.4, 0.4]]]
    assert not table.greater_is_better


def test_records_of_questions_with_lists_of_solutions_are_paired(tmp_path: Path) -> None:
    """LiveCodeBench writes the texts of a problem, lists of solutions, and the share of correct solutions."""
    scores = {"alpha": [1.0, 0.5, 0.0, 1.0], "beta": [0.0, 0.5, 0.5, 1.0]}
    for model, own in scores.items():
        records = [
            {
                "question_title": "144" if i == 2 else f"A. Problem {i}",
                "question_content": "Find it.",
                "question_id": f"18{i}_A",
                "contest_id": f"18{i}",
                "contest_date": "2023-08-21T00:00:00",
                "difficulty": "easy",
                "code_list": ["x = 1", "x = 2"],
                "graded_list": [value > 0, value == 1],
                "pass@1": value,
                "metadata": ["{}"],
            }
            for i, value in enumerate(own)
        ]
        (tmp_path / f"{model}.json").write_text(json.dumps(records))

    table = read_table([tmp_path / "alpha.json", tmp_path / "beta.json"])

    assert table.classifiers == ("alpha", "beta")
    assert table.scores[0].tolist() == pytest.approx([sum(own) / 4 for own in scores.values()])
    assert "Not used, because they hold lists: 'code_list', 'graded_list', 'metadata'." in {
        one.sentence for one in table.findings
    }


_SUMMARY = "{}accuracy,0.9,0.1,0.9,0.8,1.0\n{}auc,0.95,0.05,0.9,0.95,1.0\n{}aic,,0.0,,,\n{}err,0.1,0.1,0.1,0.2,0.0\n"


def test_index_in_addition_to_unnamed_row_names_is_left_out(tmp_path: Path) -> None:
    """H2O names the metrics in an unnamed column, and pandas writes its index before this column."""
    columns = "mean,sd,cv_1_valid,cv_2_valid,cv_3_valid\n"
    for i, rows in enumerate((_SUMMARY, _SUMMARY.replace("0.9,0.8,1.0", "0.7,0.9,0.8"))):
        (tmp_path / f"plain_{i}.csv").write_text("," + columns + rows.format("", "", "", ""))
        (tmp_path / f"index_{i}.csv").write_text(",," + columns + rows.format("0,", "1,", "2,", "3,"))

    plain, index = (
        read_table([tmp_path / f"{name}_{i}.csv" for i in range(2)], metric="accuracy") for name in ("plain", "index")
    )

    assert plain.folds[0].scores[0].tolist() == [[0.9, 0.7], [0.8, 0.9], [1.0, 0.8]]
    assert plain.folds[0].scores.tolist() == index.folds[0].scores.tolist()


def test_folds_in_json_of_pandas_are_read_without_their_mean(tmp_path: Path) -> None:
    """The frame that pull() of PyCaret returns, written with to_json() and with to_csv()."""
    for model, scores in {"lr": [0.9, 0.8, 1.0], "nb": [0.7, 0.9, 0.8]}.items():
        of_folds = pd.DataFrame({"Accuracy": scores, "F1": scores[::-1]}, index=["0", "1", "2"])
        frame = pd.concat([of_folds, pd.DataFrame({"Mean": of_folds.mean(), "Std": of_folds.std(ddof=0)}).T])
        frame.rename_axis("Fold").to_csv(tmp_path / f"{model}.csv")
        frame.to_json(tmp_path / f"{model}.json")

    tables = [
        read_table([tmp_path / f"{name}.{suffix}" for name in ("lr", "nb")], metric="Accuracy")
        for suffix in ("csv", "json")
    ]

    for table in tables:
        assert table.folds[0].folds == ("0", "1", "2")
        assert table.folds[0].scores[0].tolist() == [[0.9, 0.7], [0.8, 0.9], [1.0, 0.8]]


def test_frames_of_cross_validate_have_the_names_of_their_files(tmp_path: Path) -> None:
    text = (
        "fit_time,score_time,test_accuracy,train_accuracy\n0.01,0.002,{},0.99\n0.02,0.003,{},0.98\n0.01,0.002,0.9,1.0\n"
    )
    (tmp_path / "lr.csv").write_text(text.format(0.91, 0.93))
    (tmp_path / "nb.csv").write_text(text.format(0.88, 0.86))
    paths = [tmp_path / "lr.csv", tmp_path / "nb.csv"]

    with pytest.raises(TableError, match="if the rows of all classifiers are in the same order, pass same_order=True"):
        read_table(paths, rows_are="folds")
    table = read_table(paths, rows_are="folds", same_order=True)

    assert (table.classifiers, table.metric) == (("lr", "nb"), "test_accuracy")
    assert table.folds[0].scores[0].tolist() == [[0.91, 0.88], [0.93, 0.86], [0.9, 0.9]]
    assert read_table(paths[0], rows_are="folds", layout="wide").metric == "accuracy"
