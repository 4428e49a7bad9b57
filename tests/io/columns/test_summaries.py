"""A name tells whether a row is a summary, a column a description; values tell ranks and right answers."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats import TableError, read_table
from evalstats.io.columns.summaries import are_correctness, are_ranks, is_summary, truths_in
from evalstats.tables.categorical import CodedColumn

NO_SUMMARIES = [
    *("iris", "wine", "Wafer", "w", "l", "wl", "Max Planck", "mean temperature", "rank-svm", "best-first", "NB", "SVM"),
    *("Wisconsin", "tic-tac-toe", "Winter", "loss", "no"),
]


@pytest.mark.parametrize("name", NO_SUMMARIES)
def test_names_of_datasets_and_classifiers_are_no_summaries(name: str) -> None:
    assert not is_summary(name)


def test_ranks_may_be_tied() -> None:
    assert are_ranks(np.array([[1, 2.5, 2.5], [3, 1, 2], [2, 2, 2]], dtype=float))
    # the leaderboards of the AutoML Benchmark, where a failed run has no rank and ties have the next one
    assert are_ranks(np.array([[1, 2, np.nan], [1, 2, 3]], dtype=float))
    assert are_ranks(np.array([[1, 4, 3, 2]] * 9 + [[1, 3, 1, 2], [np.nan, 2, 1, 3]] + [[4, 3, 2, 1]] * 9, dtype=float))


@pytest.mark.parametrize(
    "scores",
    [
        [[1, 2, 3]],  # one row
        [[1, 2], [2, 1]],  # two classifiers
        [[1, 2, 2], [3, 1, 2]],  # not the mean of the tied ranks
        [[2, 3, 4], [4, 3, 2]],
        [[2, 2, 2], [2, 2, 2]],  # nothing is ranked
        [[1.2, 2.3, 3.1], [1, 2, 3]],
        [[1, 3, np.nan], [1, 2, 3]],  # not the ranks of those that are there
        [[1, 2, np.nan], [np.nan, 1, 2]],  # no row has all
        [[1, 2, 3, 3, 4], [1, 2, 3, 4, 5]] * 6,  # too many ties for ranks without midranks
    ],
)
def test_other_numbers_are_no_ranks(scores: list[list[float]]) -> None:
    assert not are_ranks(np.array(scores, dtype=float))


@pytest.mark.parametrize(
    "columns", [[[0, 1]], [["0", "1"]], [[True, False]], [["TRUE", "false"]], [[1.0, 1.0], [0.0, 1.0]]]
)
def test_right_and_wrong_in_any_writing(columns: list[list[object]]) -> None:
    assert are_correctness(columns)


def test_what_a_column_says_of_right_and_wrong() -> None:
    """Scores are known by their first cell; nothing is asked of cells that cannot be a key."""
    columns: list[Any] = [[1, 0], ["TRUE"], [], [0.5, 1], [1, [2]], [[0]], np.array([0.0, 1.0])]
    columns.append(CodedColumn(["1", "0"], np.array([0, 1])))

    assert [truths_in(column) for column in columns] == [
        {True, False},
        {True},
        set(),
        None,
        None,
        None,
        {True, False},
        {True, False},
    ]


@pytest.mark.parametrize("columns", [[[1, 1]], [[0, 0.5, 1]], [["yes", "no"]], [[0, 1, 2]], [["", "1", "0"]]])
def test_other_cells_are_not_right_and_wrong(columns: list[list[object]]) -> None:
    assert not are_correctness(columns)


@pytest.mark.parametrize("name", ["Mean", "BEST", "sum", "ALL", "Overall", "Std"])
def test_a_summary_by_its_name_that_is_none_by_its_values_is_asked_for(name: str) -> None:
    frame = pd.DataFrame({"LR": [0.6, 0.7, 0.8], "NB": [0.65, 0.6, 0.7], name: [0.7, 0.5, 0.75]}, index=list("abc"))
    with pytest.raises(
        TableError, match=f"has the name of a summary .* drop={name!r}; if it is one, pass keep={name!r}"
    ):
        read_table(frame)

    assert read_table(frame, keep=name).classifiers == ("LR", "NB", name)
    assert read_table(frame, drop=name).classifiers == ("LR", "NB")


@pytest.mark.parametrize(("name", "how"), [("Mean", "mean"), ("Best", "max"), ("Worst", "min"), ("Std", "std")])
def test_a_summary_by_its_name_and_its_values_is_left_out(name: str, how: str) -> None:
    frame = pd.DataFrame({"LR": [0.6, 0.7, 0.8], "NB": [0.65, 0.6, 0.7]}, index=list("abc"))
    table = read_table(frame.assign(**{name: getattr(frame, how)(axis=1).round(2)}))

    assert table.classifiers == ("LR", "NB")
    assert [one.name for one in table.left_out] == [name]


def test_names_with_words_for_both_ends_or_for_ablations_are_classifiers() -> None:
    names = ("MinMax", "min-max", "w/ all", "LR")
    frame = pd.DataFrame([[0.6, 0.7, 0.8, 0.75], [0.6, 0.5, 0.4, 0.7]], columns=names, index=["Friedman1", "a"])

    assert read_table(frame).classifiers == names
    assert read_table(frame).datasets == ("Friedman1", "a")


def test_a_table_of_nothing_but_what_is_left_out_says_how_to_keep_it() -> None:
    frame = pd.DataFrame({"LR": [0.6, 0.7], "NB": [0.65, 0.6]}, index=["Time", "best"])
    with pytest.raises(TableError, match=r"'best' is a summary of the others; .* pass keep='Time' and so on"):
        read_table(frame)

    assert len(read_table(frame, keep=["Time", "best"], rows_are="datasets").datasets) == 2


@pytest.mark.parametrize("heading", ["{},,,", "{}", "{0},{0},{0},{0}"])
def test_headings_of_groups_are_left_out(heading: str) -> None:
    lines = ["dataset,A,B,C", heading.format("UCI"), "a,1,2,3", "b,3,2,1", heading.format("KEEL"), "c,1,2,2", "d,2,1,1"]

    table = read_table(io.StringIO("\n".join(lines)))

    assert table.datasets == ("a", "b", "c", "d")
    assert "headings of groups: 'UCI', 'KEEL'." in table.findings[0].sentence


def test_a_row_without_scores_below_others_is_no_heading() -> None:
    with pytest.raises(TableError, match="2 scores are missing: 'b' / 'A'"):
        read_table(io.StringIO("dataset,A,B\na,1,2\nb,,\nc,2,1\n"))


@pytest.mark.parametrize("name", ["Ø", "Durchschnitt", "Moyenne", "12 sets", "all of them"])
def test_a_last_row_of_means_is_left_out_whatever_it_is_called(name: str) -> None:
    scores = {"NB": [81.3, 74.0, 90.2, 66.1], "SVM": [83.3, 75.0, 88.7, 70.6]}
    rows = {"dataset": ["p", "q", "r", "s"], **scores}
    means = {key: [*cells, round(sum(cells) / 4, 1)] for key, cells in scores.items()}

    table = read_table({"dataset": [*rows["dataset"], name], **means})

    assert table.datasets == ("p", "q", "r", "s")
    assert [one.name for one in table.left_out] == [name]
    assert len(read_table({"dataset": [*rows["dataset"], name], **means}, keep=name).datasets) == 5
    other = {key: [*cells[:-1], cells[-1] + (key == "NB")] for key, cells in means.items()}
    if name in ("12 sets", "all of them"):
        assert len(read_table({"dataset": [*rows["dataset"], name], **other}).datasets) == 5


@pytest.mark.parametrize("dash", ["–", "—", "--", "n.a."])
def test_dashes_of_published_tables_are_missing(dash: str) -> None:
    with pytest.raises(TableError, match="1 score is missing: 'q' / 'SVM'"):
        read_table({"dataset": ["p", "q", "r"], "NB": ["0.8", "0.7", "0.9"], "SVM": ["0.6", dash, "0.7"]})


@pytest.mark.parametrize("names", [["🦄", "🐙"], ["山", "川"], ["→", "←"], ["№ ①", "№ ②"]])
def test_names_without_a_latin_letter_are_names(names: list[str]) -> None:
    table = {"dataset": ["iris", "glass", "wine"], names[0]: [0.9, 0.8, 0.7], names[1]: [0.8, 0.9, 0.6]}

    assert read_table(table).classifiers == tuple(names)


@pytest.mark.parametrize("name", ["IR", "year", "weight", "Δ (%)", "Δ(%)"])
def test_more_columns_that_describe_the_datasets_or_compare_the_others(name: str) -> None:
    table = {
        "dataset": ["iris", "glass", "wine"],
        "NB": [0.9, 0.8, 0.7],
        "SVM": [0.8, 0.9, 0.6],
        name: [-1.5, 2.5, 3.25],
    }

    assert read_table(table).classifiers == ("NB", "SVM")


def test_means_of_groups_between_the_datasets_are_left_out() -> None:
    rows = (
        "iris,90,91\nglass,70,73\nAvg small,80,82\nadult,80,83\nhiggs,60,65\nAverage of large,70,74\nMean field,1,2\n"
    )

    table = read_table(io.StringIO("Dataset,NB,SVM\n" + rows), keep="Mean field")

    assert table.datasets == ("iris", "glass", "adult", "higgs", "Mean field")
    assert {one.reason for one in table.left_out} <= {"holds the means of the rows above", "is a summary of the others"}


@pytest.mark.parametrize("name", ["Unnamed: 5", ""])
def test_column_of_nothing_without_a_name_is_left_out(name: str) -> None:
    table = {"dataset": ["iris", "glass"], "NB": [0.9, 0.8], "SVM": [0.8, 0.9], name: [np.nan, np.nan]}

    assert read_table(table).classifiers == ("NB", "SVM")


def test_means_that_are_to_be_kept_stay() -> None:
    rows = "dataset,NB,SVM,tree\niris,1,3,5\nwine,2,4,6\nzoo,3,5,7\nAverage,2,4,6\n"

    assert read_table(io.StringIO(rows)).datasets == ("iris", "wine", "zoo")
    assert read_table(io.StringIO(rows), keep="Average").datasets == ("iris", "wine", "zoo", "Average")


@pytest.mark.parametrize("name", ["...1", "X1", "rowid", "_c0", "Column1", "id"])
@pytest.mark.parametrize("start", [0, 1])
def test_a_column_that_counts_the_rows_before_their_names_is_no_classifier(name: str, start: int) -> None:
    counts = {name: [start, start + 1, start + 2], "dataset": ["iris", "wine", "glass"]}

    table = read_table({**counts, "NB": [0.9, 0.8, 0.7], "SVM": [0.8, 0.7, 0.6]})

    assert table.classifiers == ("NB", "SVM")
    assert ("column", name, "numbers the rows") in [(one.what, one.name, one.reason) for one in table.left_out]


@pytest.mark.parametrize("name", ["平均", "Media", "Gemiddelde", "Среднее", "Moyenne", "Mittelwert"])
def test_means_in_other_languages_are_means(name: str) -> None:
    rows = {"dataset": ["iris", "wine", "glass", name], "NB": [0.9, 0.8, 0.7, 0.8], "SVM": [0.8, 0.7, 0.6, 0.7]}

    assert read_table(rows).datasets == ("iris", "wine", "glass")


def test_a_margin_called_total_holds_means() -> None:
    import pandas as pd

    long = pd.DataFrame({"dataset": ["a", "a", "b", "b"], "model": ["x", "y"] * 2, "acc": [0.9, 0.8, 0.7, 0.5]})
    pivot = pd.pivot_table(long, "acc", "dataset", "model", margins=True, margins_name="Total")

    table = read_table(pivot)

    assert (table.datasets, table.classifiers) == (("a", "b"), ("x", "y"))


def test_texts_beside_the_models_of_a_leaderboard_are_notes() -> None:
    text = "Model,Organization,License,MMLU,GSM8K\nGPT-4,OpenAI,closed,86.4,92\nLlama 3,Meta,open,82,93\n"

    table = read_table(io.StringIO(text))

    assert (table.classifiers, table.datasets) == (("GPT-4", "Llama 3"), ("MMLU", "GSM8K"))
    assert [(one.name, one.reason) for one in table.left_out] == [
        ("Organization", "holds no numbers"),
        ("License", "holds no numbers"),
    ]


def test_cell_of_a_leaderboard_that_is_no_number_is_told_by_its_column_with_what_to_type() -> None:
    text = "Model,Context,MMLU,GSM8K\nGPT-4,128k,86.4,92\nLlama 3,8k,82,93\n"

    with pytest.raises(TableError, match=r"column 'Context' of 'GPT-4': '128k' is not a number; .* drop='Context'"):
        read_table(io.StringIO(text))
    assert read_table(io.StringIO(text), drop="Context").datasets == ("MMLU", "GSM8K")


SIZES = [
    "size (MB)",
    "GPU hours",
    "n_samples",
    "Model size",
    "params",
    "FLOPs",
    "memory (GB)",
    "context length",
    "n",
    "Inference (ms)",
    "Energy (kWh)",
]


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("form", ["row", "column", "transposed"])
def test_sizes_of_classifiers_are_no_datasets(name: str, form: str) -> None:
    """What describes the classifiers, or the datasets, is left out and listed."""
    rows = {"NB": [0.81, 0.64, 0.7], "SVM": [0.79, 0.66, 0.65], "RF": [0.7, 0.6, 0.62]}
    datasets, values = ["iris", "wine", "glass"], [120, 340, 98]
    if form == "row":
        table = {
            "dataset": [*datasets, name],
            **{key: [*rows[key], value] for key, value in zip(rows, values, strict=True)},
        }
    elif form == "column":
        table = {"dataset": datasets, name: values, **rows}
    else:
        table = {
            "model": list(rows),
            **{key: [rows[m][i] for m in rows] for i, key in enumerate(datasets)},
            name: values,
        }

    found = read_table(table)

    assert (found.datasets, found.classifiers) == (tuple(datasets), tuple(rows))
    assert [one.name for one in found.left_out] == [name]


def test_one_letter_of_several_names_is_a_dataset() -> None:
    letters = [*"klmno"]

    assert read_table({"dataset": letters, "NB": [0.1, 0.2, 0.3, 0.4, 0.5], "RF": [0.2] * 5}).datasets == tuple(letters)


def test_unit_of_all_classifiers_is_that_of_the_scores() -> None:
    table = {"dataset": ["u", "v", "w"], "NB (ms)": [1.5, 2.5, 3.5], "RF (ms)": [2.5, 1.5, 4.5]}

    assert len(read_table(table).classifiers) == 2


def test_prevalence_of_a_dataset_is_asked_for() -> None:
    table = {"dataset": ["u", "v", "w"], "prevalence": [0.15, 0.25, 0.35], "NB": [0.1, 0.4, 0.3], "RF": [0.3, 0.2, 0.4]}

    with pytest.raises(TableError, match="the column 'prevalence' has the name of a description of the datasets"):
        read_table(table)


@pytest.mark.parametrize("name", ["shots", "Resolution", "layers"])
def test_settings_of_classifiers_are_no_datasets(name: str) -> None:
    table = {"model": ["NB", "SVM", "RF"], name: [5, 16, 0], "iris": [0.8, 0.7, 0.6], "wine": [0.9, 0.7, 0.5]}

    found = read_table(table)

    assert (found.datasets, [one.name for one in found.left_out]) == (("iris", "wine"), [name])
