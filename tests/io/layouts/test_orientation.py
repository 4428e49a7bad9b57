"""A turned table is seen by the names on both axes; where one axis speaks only, it is asked for."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest

from evalstats import TableError, read_table

DATASETS = ["iris", "wine", "adult"]
NAMES = ["LR", "NB", "SVM", "RandomForest"]
SCORES = pd.DataFrame(
    [[0.9, 0.8, 0.85, 0.95], [0.7, 0.72, 0.71, 0.8], [0.6, 0.65, 0.62, 0.7]], index=DATASETS, columns=NAMES
)


def written(frame: pd.DataFrame, form: str) -> io.StringIO:
    write = {
        "csv": frame.to_csv,
        "tsv": lambda: frame.to_csv(sep="\t"),
        "json": frame.to_json,
        "html": frame.to_html,
        "markdown": lambda: "\n".join(
            "|" + "|".join(map(str, row)) + "|"
            for row in [("", *frame.columns), ["---"] * (1 + frame.shape[1]), *frame.itertuples()]
        ),
    }
    return io.StringIO(write[form]())


@pytest.mark.parametrize("form", ["csv", "tsv", "json", "html", "markdown"])
@pytest.mark.parametrize("datasets", [DATASETS, DATASETS[:2]])
def test_names_on_both_axes_turn_a_table(form: str, datasets: list[str]) -> None:
    right = SCORES.loc[datasets]

    straight, turned = read_table(written(right, form)), read_table(written(right.T, form))

    assert straight.datasets == turned.datasets == tuple(datasets)
    assert straight.classifiers == turned.classifiers == tuple(NAMES)
    assert (straight.scores == turned.scores).all()
    assert [one.code for one in turned.findings] == ["transposed"]
    assert straight.findings == ()


@pytest.mark.parametrize(
    ("rows", "columns", "evidence"),
    [
        (NAMES, ["A1", "A2", "A3"], "the rows 'LR', 'NB', 'SVM', 'RandomForest' have the names of classifiers"),
        (["P", "Q", "R", "S"], DATASETS, "the columns 'iris', 'wine', 'adult' have the names of datasets"),
    ],
)
def test_names_on_one_axis_are_asked_for(rows: list[str], columns: list[str], evidence: str) -> None:
    frame = SCORES.T.set_axis(rows).set_axis(columns, axis=1)

    with pytest.raises(TableError) as refused:
        read_table(written(frame, "csv"))

    assert evidence in str(refused.value)
    assert str(refused.value).endswith(
        "if the rows are classifiers, pass parsing={'transpose': True}; if they are datasets, "
        "pass parsing={'transpose': False}"
    )
    assert read_table(frame, parsing={"transpose": True}).classifiers == tuple(rows)
    assert read_table(frame, parsing={"transpose": False}).classifiers == tuple(columns)


@pytest.mark.parametrize(
    "frame",
    [
        SCORES.T.rename_axis("dataset"),  # the corner cell says what the rows are
        SCORES.T.set_axis(["P", "Q", "R", "NB"]).set_axis(["A", "B", "wine"], axis=1),  # one name of several
        SCORES.set_axis(["P", "Q", "R"]),
        SCORES.set_axis(["P", "Q", "R", "S"], axis=1),
    ],
)
def test_other_tables_stay_as_they_are(frame: pd.DataFrame) -> None:
    assert read_table(frame).classifiers == tuple(frame.columns)


def test_folds_across_are_those_of_one_dataset() -> None:
    frame = pd.DataFrame(SCORES.to_numpy().T, index=NAMES, columns=["fold 1", "fold 2", "fold 3"])

    for corner in ("", "classifier"):
        table = read_table(io.StringIO(frame.rename_axis(corner).to_csv()))
        assert table.classifiers == tuple(NAMES)
        assert table.folds[0].folds == ("1", "2", "3")
        assert table.folds[0].scores[0].tolist() == SCORES.to_numpy().tolist()
    runs = read_table(frame.set_axis(["seed1", "seed2", "seed3"], axis=1))
    assert runs.folds[0].repeats == ("1", "2", "3")


def test_dict_of_dicts_with_known_names_needs_no_word() -> None:
    for nested in (SCORES.to_dict(), SCORES.T.to_dict()):
        assert read_table(nested).classifiers == tuple(NAMES)


def test_many_unknown_columns_beside_few_rows_are_noted() -> None:
    frame = pd.DataFrame(0.5, index=["x", "y", "z"], columns=[f"D{i}" for i in range(30)])

    assert "the 30 columns as classifiers" in read_table(frame).findings[0].sentence
    assert "few-rows" not in [one.code for one in read_table(frame.T).findings]


def test_long_table_whose_columns_are_exchanged_is_refused() -> None:
    long = SCORES.rename_axis("model").melt(ignore_index=False, var_name="dataset", value_name="acc").reset_index()

    with pytest.raises(
        TableError, match="column 'dataset' holds names of classifiers and column 'model' holds names of"
    ):
        read_table(long)
    assert read_table(long, columns={"dataset": "model", "classifier": "dataset"}).classifiers == tuple(
        sorted(NAMES, key=str.casefold)
    )


@pytest.mark.parametrize(
    "before", [{"Rank": [1, 2, 3, 4]}, {"#": [1, 2, 3, 4]}, {"Organisation": ["x", "y", "x", "z"]}, {"": [0, 1, 2, 3]}]
)
@pytest.mark.parametrize("called", ["Model", "method"])
def test_classifiers_behind_ranks_or_notes_are_found(before: dict[str, list[object]], called: str) -> None:
    names = ["LR", "NB", "SVM", "tree"]
    board = before | {called: names, "MMLU": [70.0, 65, 60, 61], "GSM8K": [50.0, 45, 60, 40], "ARC": [60.0, 55, 50, 52]}

    table = read_table(board)

    assert (table.classifiers, table.datasets) == (tuple(names), ("MMLU", "GSM8K", "ARC"))


@pytest.mark.parametrize("rows", [["1", "2", "3"], ["Fold 1", "Fold 2", "Fold 3"], ["fold1", "fold2", "fold3"]])
@pytest.mark.parametrize("below", [[], ["mean"], ["Mean", "Std"]])
def test_summaries_below_folds_do_not_make_them_datasets(rows: list[str], below: list[str]) -> None:
    names = [*rows, *below]
    frame = {
        "fold": names,
        "LR": [0.8, 0.7, 0.9, 0.8, 0.1][: len(names)],
        "RF": [0.9, 0.8, 0.7, 0.8, 0.1][: len(names)],
    }

    table = read_table(frame)

    assert table.folds[0].scores.tolist() == [[[0.8, 0.9], [0.7, 0.8], [0.9, 0.7]]]
    assert [one.name for one in table.left_out] == below


@pytest.mark.parametrize("drop", ["Organisation", "Rank", ["Organisation", "ARC"], ["params", "Rank"]])
def test_columns_that_were_moved_away_can_be_dropped(drop: Any) -> None:
    names = ["LR", "NB", "SVM", "tree"]
    board = {
        "Rank": [1, 2, 3, 4],
        "Organisation": ["x", "y", "x", "z"],
        "Model": names,
        "params": ["1M", "2M", "1M", "3M"],
    }
    board |= {"MMLU": [70.0, 65, 60, 61], "GSM8K": [50.0, 45, 60, 40], "ARC": [60.0, 55, 50, 52]}

    table = read_table(board, drop=drop)

    assert table.datasets == (("MMLU", "GSM8K") if "ARC" in drop else ("MMLU", "GSM8K", "ARC"))
    with pytest.raises(TableError, match="drop must name rows or columns of the table, not 'Organization'"):
        read_table(board, drop="Organization")


@pytest.mark.parametrize("counter", ["", '"",'])
@pytest.mark.parametrize(("repeats", "shape"), [(1, (1, 2, 2)), (2, (2, 2, 2))])
def test_resamples_of_caret_are_folds_and_repeats(counter: str, repeats: int, shape: tuple[int, ...]) -> None:
    names = [f"Fold0{f}" + (f".Rep{r}" if repeats > 1 else "") for r in range(1, repeats + 1) for f in (1, 2)]
    lines = [f'{counter}"Resample","rf~Accuracy","gbm~Accuracy"']
    lines += [f'{counter and f"{i},"}"{name}",{0.9 + i / 100},{0.8}' for i, name in enumerate(names, 1)]

    table = read_table(io.StringIO("\n".join(lines) + "\n"))

    assert (table.classifiers, table.metric) == (("rf", "gbm"), "Accuracy")
    assert table.folds[0].scores.shape == shape
    assert table.folds[0].scores[:, :, 0].ravel().tolist() == [0.9 + i / 100 for i in range(1, len(names) + 1)]


def test_resamples_of_caret_are_folds_and_repeats_of_predictions_too() -> None:
    """``train(...)$pred``: a setting that is the same in all rows names no classifiers."""
    labels = pd.DataFrame(
        {"pred": list("abba"), "obs": list("abab"), "rowIndex": [1, 2, 3, 4], "usekernel": ["TRUE"] * 4}
    )
    frame = labels.assign(Resample=["Fold1.Rep1", "Fold2.Rep1", "Fold1.Rep1", "Fold2.Rep1"])

    table = read_table(frame, metric="accuracy")

    assert table.scores.tolist() == [[0.5]]
    assert (table.folds[0].folds, table.folds[0].repeats) == (("1", "2"), ("1",))


@pytest.mark.parametrize("decimal", [".", ","])
def test_scores_beside_folds_name_no_datasets_whatever_the_decimal_mark(decimal) -> None:
    text = "Fold\tLR\tNB\n2\t0.7\t0.6\n1\t0.5\t0.4\n".replace(".", decimal)

    table = read_table(io.StringIO(text))

    assert table.classifiers == ("LR", "NB")
    assert len(table.folds[0].folds) == 2


def test_folds_are_known_by_the_cells_of_a_column() -> None:
    """As tidymodels writes them in the columns id and id2; a metric that is not compared is listed."""
    rows = [
        f"{model},Repeat{r},Fold{f},{0.8 + 0.01 * f + 0.02 * r + lead},{0.4 - lead}"
        for model, lead in (("forest", 0.05), ("boost", 0))
        for r in (1, 2)
        for f in (1, 2, 3)
    ]
    table = read_table(io.StringIO("\n".join(["wflow_id,id,id2,accuracy,mn_log_loss", *rows])))

    assert table.folds[0].scores.shape == (2, 3, 2)
    assert [(one.name, one.reason) for one in table.left_out] == [
        ("mn_log_loss", "is a different metric from accuracy")
    ]


def test_column_of_folds_is_kept_if_another_is_called_so() -> None:
    table = read_table(io.StringIO("model,note,fold,score\na,Fold1,1,3\na,Fold1,2,4\nb,Fold1,1,5\nb,Fold1,2,1\n"))

    assert table.folds[0].folds == ("1", "2")


def _tidymodels(header: str, rows: list[str]) -> str:
    metrics = ("accuracy,binary", "roc_auc,binary")
    return "\n".join([header, *(row.format(metric) for row in rows for metric in metrics), ""])


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        (
            "wflow_id,.config,.metric,.estimator,mean,std_err,n,model,rank",
            ["rf,m1,{},.9,.1,10,a,1", "lr,m1,{},.8,.1,10,b,2"],
        ),
        ("penalty,.metric,.estimator,mean,n,std_err,.config", ["0.1,{},.9,10,.1,m1", "0.2,{},.8,10,.1,m2"]),
        (".metric,.estimator,mean,n,std_err,.config", ["{},.9,10,.1,m1"]),
    ],
)
def test_means_of_metrics_in_rows_are_scores_of_one_dataset(header: str, rows: list[str]) -> None:
    """The settings of a classifier are no datasets, and a mean beside its spread and number is one score."""
    text = _tidymodels(header, rows)

    with pytest.raises(TableError, match=r"column '\.metric' holds the metrics 'accuracy', 'roc_auc'; choose one"):
        read_table(io.StringIO(text))
    with pytest.raises(TableError, match=r"the column 'mean' holds scores on one dataset; scores on .* folds"):
        read_table(io.StringIO(text), metric="accuracy")


def test_folds_in_a_first_column_beside_configurations() -> None:
    rows = [f"Fold{i},{{}},{0.9 - j / 10},m{j}" for i in (1, 2) for j in (1, 2)]
    text = _tidymodels("id,.metric,.estimator,.estimate,.config", rows)

    table = read_table(io.StringIO(text), metric="roc_auc")

    assert table.classifiers == ("m1", "m2")
    assert table.folds[0].folds == ("1", "2")
    assert table.scores == pytest.approx(pd.DataFrame([[0.8, 0.7]]).to_numpy())


@pytest.mark.parametrize(
    "header",
    [
        "model,score,rating_q025,CI,avg_tokens",  # Arena-Hard
        "model,score,lower,upper,n_tokens",
        "model,win_rate,standard_error,n_wins_base,avg_length",
        "model,accuracy,accuracy_stderr,output_length,tokens",
    ],
)
def test_bounds_spreads_and_lengths_beside_a_score_are_no_datasets(header: str) -> None:
    rows = ["a,82.6,80.8,84.6,662", "b,78.0,75.9,79.9,720", "c,60.1,58.0,62.2,500"]

    with pytest.raises(TableError, match=r"the rows are classifiers and the columns? .* on one dataset"):
        read_table(io.StringIO("\n".join([header, *rows])))


def test_leaderboard_with_unknown_names_is_not_compared_by_its_columns() -> None:
    """AlpacaEval writes no name above the names of the models."""
    header = ",win_rate,standard_error,n_draws,discrete_win_rate,avg_length,length_controlled_winrate"
    rows = [f"m{i}x,{50 + i}.{i},1.{i},{i},{49 + i}.5,{900 + 70 * i},{48 + 2 * i}.7" for i in range(8)]
    text = "\n".join([header, *rows])

    with pytest.raises(TableError, match="'win_rate' has the name of a summary"):
        read_table(io.StringIO(text))
    for choice in ({"drop": "win_rate"}, {"keep": "win_rate"}):
        with pytest.raises(TableError, match=r"the columns .*'discrete_win_rate'.* have names of metrics"):
            read_table(io.StringIO(text), **choice)


def test_score_beside_columns_with_unknown_names_is_asked_about() -> None:
    text = "model,score,part a,part b\nx,0.4,0.8,0.6\ny,0.6,0.7,0.5\nz,0.5,0.6,0.4\n"

    with pytest.raises(TableError, match="'score' has the name of a metric, not of a dataset or a classifier"):
        read_table(io.StringIO(text))
    assert read_table(io.StringIO(text), drop="score").datasets == ("part a", "part b")


@pytest.mark.parametrize(
    ("columns", "options", "metric", "datasets"),
    [
        ("MMLU - EM,BoolQ - EM,OpenbookQA - EM", {}, "EM", ("MMLU", "BoolQ", "OpenbookQA")),
        ("iris accuracy,wine accuracy,glass accuracy", {}, "accuracy", ("iris", "wine", "glass")),
        ("F1 iris,F1 wine,F1 zoo", {}, "F1", ("iris", "wine", "zoo")),
        ("iris_f1,wine_f1,glass_accuracy", {}, "score", ("iris", "wine", "glass")),
        ("iris_f1,wine_f1,wine_auc", {"metric": "F1"}, "f1", ("iris", "wine")),
    ],
)
def test_names_of_datasets_and_metrics_are_separated(
    columns: str, options: dict[str, Any], metric: str, datasets: tuple[str, ...]
) -> None:
    of_rows = [["model", *columns.split(",")], ["A", ".1", ".2", ".3"], ["B", ".4", ".5", ".6"]]
    of_columns = [["dataset", "A", "B"], *list(zip(*of_rows, strict=True))[1:]]

    across, down = (
        read_table(io.StringIO("\n".join(map(",".join, rows))), **options) for rows in (of_rows, of_columns)
    )

    assert (across.metric, across.datasets, across.classifiers) == (metric, datasets, ("A", "B"))
    assert across.scores.tolist() == [[0.1, 0.4], [0.2, 0.5], [0.3, 0.6]][: len(datasets)] == down.scores.tolist()
    assert (down.metric, down.datasets) == (metric, datasets)
    assert [one.name for one in across.left_out] == columns.split(",")[len(datasets) :]


@pytest.mark.parametrize("columns", ["iris_f1,wine_f1,wine_auc", "iris_f1,wine_error,zoo_f1"])
def test_datasets_with_several_metrics_are_asked_about(columns: str) -> None:
    with pytest.raises(TableError, match=r"the names of the datasets contain the metrics 'f1', '(auc|error)'; choose"):
        read_table(io.StringIO(f"model,{columns}\nA,.1,.2,.3\nB,.4,.5,.6\n"))


def test_unknown_words_beside_metrics_are_no_datasets_without_an_answer() -> None:
    """The F1 scores of classes are no scores on datasets."""
    text = "model,cat F1,dog F1,ant F1\nA,.1,.2,.3\nB,.4,.5,.6\n"

    with pytest.raises(TableError, match=r"seem to hold scores on one dataset; .*; if the columns .*'transpose': True"):
        read_table(io.StringIO(text))
    table = read_table(io.StringIO(text), parsing={"transpose": True}, rows_are="datasets")

    assert table.datasets == ("cat F1", "dog F1", "ant F1")
