"""Predictions are read as they stand, paired by their names, and refused where a score of them would be wrong."""

from __future__ import annotations

import io
import random
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalstats._errors import EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats.io.options import given_together
from evalstats.io.reader.predictions import read_predictions
from evalstats.tables.errors import TableError, TableNotFoundError

ROWS = [
    ("iris", "NB", 1, 1, "rose", "rose", 0.9),
    ("iris", "NB", 1, 2, "lily", "rose", 0.6),
    ("iris", "NB", 2, 3, "rose", "lily", 0.4),
    ("iris", "NB", 2, 4, "lily", "lily", 0.1),
    ("iris", "SVM", 1, 1, "rose", "rose", 0.8),
    ("iris", "SVM", 1, 2, "lily", "lily", 0.2),
    ("iris", "SVM", 2, 3, "rose", "rose", 0.7),
    ("iris", "SVM", 2, 4, "lily", "lily", 0.3),
]
NAMES = ("dataset", "classifier", "fold", "row", "y_true", "y_pred", "y_score")


def text(rows: list[tuple] = ROWS, names: tuple[str, ...] = NAMES) -> str:
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]) + "\n"


def read(content: str, **options):
    return read_predictions(io.StringIO(content), **given_together(options))


def one_dataset(true: list, predicted: list, **options):
    n = len(true)
    return read_predictions(
        {"dataset": ["d"] * n, "classifier": ["c"] * n, "y_true": true, "y_pred": predicted}, **options
    )


def refused(content: str, **options) -> str:
    with pytest.raises(TableError) as error:
        read(content, **options)
    assert "\n" not in str(error.value)
    return re.sub("^the table[:,] ", "", str(error.value))


# --- what is read -----------------------------------------------------------------------------------------------------


def test_columns_become_names_and_numbers() -> None:
    p = read(text())

    assert (p.datasets, p.classifiers, p.folds, p.repeats) == (("iris",), ("NB", "SVM"), ("1", "2"), ("",))
    assert p.labels == ("lily", "rose")
    assert p.positives == ("rose",)
    assert p.classifier.tolist() == [0] * 4 + [1] * 4
    assert p.y_true.sum() == 4
    assert p.y_score.tolist() == [0.9, 0.6, 0.4, 0.1, 0.8, 0.2, 0.7, 0.3]


def test_order_of_rows_changes_nothing() -> None:
    shuffled = random.Random(1).sample(ROWS, len(ROWS))

    assert read(text(shuffled)).to_dict() == read(text()).to_dict()


def test_every_source_gives_the_same(tmp_path: Path) -> None:
    frame = pd.DataFrame(ROWS, columns=NAMES)
    frame.to_csv(tmp_path / "p.tsv", sep="\t", index=False)
    frame.to_excel(tmp_path / "p.xlsx", index=False)
    frame.to_parquet(tmp_path / "p.parquet")
    expected = read(text()).to_dict() | {"source": None}

    for source in (frame, *(tmp_path / f"p.{suffix}" for suffix in ("tsv", "xlsx", "parquet"))):
        assert read_predictions(source).to_dict() | {"source": None} == expected


@pytest.mark.parametrize(
    "names",
    [
        ("Data Set", "Model", "cv-fold", "case", "Actual", "Predicted", "Probability"),
        ("task", "learner", "split", "row_id", "truth", "prediction", "confidence"),
    ],
)
def test_columns_are_recognized_by_their_names(names: tuple[str, ...]) -> None:
    assert read(text(names=names)).to_dict() == read(text()).to_dict()


def test_without_columns_of_names_there_is_one_dataset_and_one_classifier() -> None:
    rows = {"y_true": ["a", "b", "a"], "y_pred": ["a", "a", "a"], "age": [3, 4, 5]}

    one = read_predictions(rows)
    two = read_predictions(
        {"model": list("mmnn"), "note": list("-xxx"), "y_true": [1, 0, 1, 0], "y_prob": [0.9, 0.2, 0.3, 0.4]}
    )

    assert (one.datasets, one.classifiers, two.datasets, two.classifiers) == (
        ("dataset",),
        ("classifier",),
        ("dataset",),
        ("m", "n"),
    )
    assert [finding.sentence for p in (one, two) for finding in p.findings] == [
        (
            "No column names datasets or classifiers: all predictions belong to one dataset and one classifier. "
            "Not used: 'age'."
        ),
        "No column names datasets: all predictions belong to one dataset. Not used: 'note'.",
    ]


TITLED = """Predictions of a thesis

id,age,truth,lr,tree
1,30,a,a,b
2,31,b,b,b
3,30,a,a,a
4,33,b,a,b
5,34,a,a,a

Note: preliminary
"""


def test_table_may_stand_among_other_lines_and_columns() -> None:
    found, told = read(TITLED, drop="age"), read(TITLED, drop="age", rows="3-8", header_rows=1)

    assert found.to_columns() == told.to_columns()
    assert found.classifiers == ("lr", "tree")
    assert found.findings[0].sentence.startswith("The line above the table holds no scores")
    assert told.findings[-1].sentence == "Left out: the column 'age', which was excluded on request."


def test_columns_that_look_like_none_are_kept() -> None:
    rows = {"truth": list("ababa"), "lr": list("abbba"), "odd": list("xxxxa")}
    with pytest.raises(TableError, match="if it is not a classifier, pass drop='odd'"):
        read_predictions(rows)

    assert read_predictions(rows, drop="odd").classifiers == ("lr",)
    assert read_predictions(rows, keep="odd").classifiers == ("lr", "odd")


@pytest.mark.parametrize("source", [io.StringIO(text()), {"classifier": ["c"], "y_true": [1], "y_pred": [1]}])
def test_columns_of_long_tables_are_not_left_out(source: object) -> None:
    with pytest.raises(InvalidValueError, match=r"^drop is for a table with a column for each classifier, but"):
        read_predictions(source, drop="fold")


def test_rows_of_names_are_two_at_most() -> None:
    with pytest.raises(InvalidValueError, match="header_rows must be 0 or 1 or 2, not 3"):
        read(TITLED, header_rows=3)


def test_columns_can_be_named() -> None:
    names = ("a", "b", "c", "d", "e", "f", "g")

    p = read(
        text(names=names), dataset="a", classifier="b", fold="c", instance="d", y_true="e", y_pred="f", y_score="g"
    )

    assert p.to_dict() == read(text()).to_dict()


def test_whole_numbers_are_one_label_however_a_frame_holds_them() -> None:
    assert one_dataset([0, 1, 1], [0.0, 1.0, 0.0]).labels == ("0", "1")


def test_decimal_comma_of_scores() -> None:
    assert read("dataset;classifier;y_true;y_score\nd;c;1;0,5\nd;c;0;0,25\n", decimal=",").y_score.tolist() == [
        0.25,
        0.5,
    ]


def test_arrays_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        read(text()).y_true[0] = 1


# --- the positive label -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        ([0, 1], "1"),
        ([-1, 1], "1"),
        ([1, 2], None),
        (["1", "b"], None),
        ([False, True], "True"),
        (["no", "yes"], "yes"),
        (["2", "10"], "10"),
        ([0, 0], "1"),
        (["a", "a"], None),
        ([0, 1, 2], None),
    ],
)
def test_usual_positive_label(labels: list, positive: str | None) -> None:
    """1 of 0 and 1, else the greater of two; of other numbers of labels, and of 1 and 2, there is none."""
    assert one_dataset(labels, labels).positives == (positive,)


def test_positive_label_is_chosen_for_all_or_each() -> None:
    data = {"dataset": ["a", "a", "b", "b"], "classifier": ["c"] * 4, "y_true": [0, 1, 5, 6], "y_pred": [0, 1, 5, 6]}

    assert read_predictions(data, pos_label=0).positives == ("0", "0")
    assert read_predictions(data, pos_label={"b": 5}).positives == ("1", "5")


@pytest.mark.parametrize(
    ("pos_label", "error", "message"),
    [
        ("tulip", TableError, "pos_label must be a label of the data ('lily', 'rose'), not 'tulip'"),
        ({"wine": "rose"}, TableError, "pos_label must name datasets among 'iris', not 'wine'"),
        ({"iris": "tulip"}, TableError, "pos_label must be a label of dataset 'iris' ('lily', 'rose'), not 'tulip'"),
        (
            ["rose"],
            InvalidTypeError,
            "pos_label must be one label, or a dict with one label for each dataset, not ['rose']",
        ),
    ],
)
def test_positive_label_must_be_there(pos_label: object, error: type, message: str) -> None:
    with pytest.raises(error) as caught:
        read(text(), pos_label=pos_label)
    assert str(caught.value) == message


# --- what is refused --------------------------------------------------------------------------------------------------


def changed(i: int, j: int, value: object) -> str:
    rows = [list(row) for row in ROWS]
    rows[i][j] = value
    return text([tuple(row) for row in rows])


FILL = "write a label there, such as '{}', or leave out the rows of this instance for all classifiers"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (",".join(NAMES) + "\n", "the table has no row of predictions"),
        (changed(1, 4, ""), f"line 3, column 'y_true': the true label is missing; {FILL.format('unknown')}"),
        (changed(1, 5, "NaN"), f"line 3, column 'y_pred': the predicted label is missing; {FILL.format('no answer')}"),
        (changed(1, 6, ""), "line 3, column 'y_score': the score is missing"),
        (changed(1, 6, "nan"), "line 3, column 'y_score': the score is missing"),
        (changed(1, 6, "inf"), "line 3, column 'y_score': 'inf' is not finite"),
        (changed(1, 6, "high"), "line 3, column 'y_score': 'high' is not a number"),
        (changed(1, 0, ""), "line 3, column 'dataset': the name of a dataset is empty"),
        (changed(1, 2, ""), "line 3, column 'fold': the name of a fold is empty"),
        (
            text([*ROWS, ROWS[0]]),
            (
                "each instance must be predicted once in a fold, but lines 2 and 10 are the same for 'iris' / 'NB'; "
                "if several instances belong to one patient or document, name the column of these clusters with "
                "columns={'cluster': ...}"
            ),
        ),
        (
            changed(4, 4, "lily"),
            ("each instance must have one true label, but the instance of lines 2 and 6 of dataset 'iris' has two"),
        ),
        (
            text(ROWS[:-1]),
            (
                "the classifiers of dataset 'iris' must be tested on the same instances in each repeat, but the "
                "instance of line 5 of 'NB' is not among the instances of 'SVM'"
            ),
        ),
        (
            "dataset,classifier,truth\nd,c,1\n",
            (
                "none of the columns 'dataset', 'classifier', 'truth' is known "
                "to hold predicted labels or scores; choose one with columns={'y_pred': ...}"
            ),
        ),
        (
            "dataset,classifier,y_pred\nd,c,1\n",
            (
                "none of the columns 'dataset', 'classifier', 'y_pred' is "
                "known to hold the true labels; choose one with columns={'y_true': ...}"
            ),
        ),
        (
            "dataset,classifier,truth,actual,y_pred\nd,c,1,1,1\n",
            ("any of the columns 'truth', 'actual' may be y_true; choose one with columns={'y_true': 'truth'}"),
        ),
        (
            "system,y_true,y_pred\nc,1,1\n",
            (
                "none of the columns 'system', 'y_true', 'y_pred' is known "
                "to name the classifiers; choose one with columns={'classifier': 'system'}"
            ),
        ),
        (
            "model,case,y_true,y_pred\na,1,0,0\nb,1,1,0\n",
            (
                "each instance must have one true label, but the instance of lines 2 and 3 of dataset 'dataset' has "
                "two; "
                "if the instances belong to several datasets, name the column of the datasets with "
                "columns={'dataset': ...}"
            ),
        ),
        (
            "model,case,y_true,y_pred\na,1,0,0\na,1,0,0\n",
            (
                "each instance must be predicted once in a fold, but lines 2 and 3 are the same for 'dataset' / 'a'; "
                "if the instances belong to several datasets, name the column of the datasets with "
                "columns={'dataset': ...}; "
                "if several instances belong to one patient or document, name the column of these clusters with "
                "columns={'cluster': ...}"
            ),
        ),
    ],
)
def test_mistakes_are_told_in_one_line(content: str, message: str) -> None:
    assert refused(content) == message


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        ("age,income,fit,Scored Labels\n30,no,2,yes\n40,yes,1,yes\n", "true labels; choose one with .*'income'"),
        (
            "learner_id,row_ids,truth,response,prob.yes\nnb,1,no,no,0.4\nnb,2,yes,no,0.3\n",
            "predicted labels or scores; choose one with .*'response'",
        ),
    ],
)
def test_column_that_is_offered_holds_the_same_labels(content: str, advice: str) -> None:
    with pytest.raises(TableError, match=advice):
        read_predictions(io.StringIO(content))


def test_texts_of_instances_are_no_names_of_classifiers() -> None:
    content = "text,gold,pred\ngood film,1,1\nbad film,0,1\nno film,0,0\n"

    assert read_predictions(io.StringIO(content)).classifiers == ("classifier",)


def test_without_rows_the_true_labels_are_counted() -> None:
    names, rows = tuple(n for n in NAMES if n != "row"), [(*row[:3], *row[4:]) for row in ROWS]

    assert read(text(rows, names)).datasets == ("iris",)
    assert refused(text(rows[:-1], names)).endswith("but 'NB' and 'SVM' have different counts of the true labels")


def test_other_folds_of_the_same_cases_are_allowed_with_a_warning() -> None:
    rows = [(*row[:2], 3 - row[2] if row[1] == "SVM" else row[2], *row[3:]) for row in ROWS]

    with pytest.warns(EvalstatsWarning, match="'NB' and 'SVM' were tested in different folds of dataset 'iris'"):
        read(text(rows))


@pytest.mark.parametrize(
    ("true", "predicted", "pair"),
    [
        (["1.5", "0"], ["1.50", "0"], "'1.5' and '1.50'"),
        (["1", "1.10"], ["1.0", "1.10"], "'1' and '1.0'"),
        (["1", "01"], ["1", "1"], "'01' and '1'"),
        ([True, False], [1, 0], "'0' and 'False'"),
        (["True", "x"], ["true", "x"], "'True' and 'true'"),
    ],
)
def test_one_value_in_two_spellings_is_refused(true: list, predicted: list, pair: str) -> None:
    """Compared as text they would never agree, and every score would be wrong."""
    with pytest.raises(TableError, match=f"the labels {pair} are one value in two spellings"):
        one_dataset(true, predicted)


@pytest.mark.parametrize(
    ("true", "predicted"), [(["1", "0"], ["1.0", "0.0"]), (["1.0", "0.0"], ["1", "0"]), (["-1", "x"], ["-1.00", "x"])]
)
def test_equal_whole_numbers_are_one_label(true: list, predicted: list) -> None:
    """Many programs write 1.0 for 1 in a column that had a missing value."""
    found = one_dataset(true, predicted)

    assert found.y_true.tolist() == found.y_pred.tolist()
    assert not any("." in label for label in found.labels)
    assert "one-spelling" in {one.code for one in found.findings}
    assert "one-spelling" not in {one.code for one in one_dataset(predicted, predicted).findings}


def test_scores_are_no_labels() -> None:
    content = "dataset,classifier,y_true,y_pred\nd,c,1,0.9\nd,c,0,0.2\n"

    hint = refused(content)

    assert hint.endswith(
        "'0.9' is a number, but not a true label; if these are scores, pass columns={'y_score': 'y_pred'}"
    )
    assert read(content, y_score="y_pred").y_score.tolist() == [0.2, 0.9]


@pytest.mark.parametrize(
    ("true", "predicted", "message"),
    [
        (["rose", "lily"], [0, 1], "the predicted label '0' is a number, but the true labels are words"),
        (
            [0, 1],
            ["lily", "rose"],
            r"the predicted label 'lily' is a word, but the true labels are numbers",
        ),
    ],
)
def test_words_against_numbers(true: list, predicted: list, message: str) -> None:
    """They could never be right."""
    with pytest.raises(TableError, match=message):
        one_dataset(true, predicted)


def test_spelling_may_differ_between_datasets() -> None:
    data = {"dataset": ["a", "b"], "classifier": ["c", "c"], "y_true": ["1", "True"], "y_pred": ["1", "True"]}

    assert read_predictions(data).labels == ("1", "True")


def test_label_that_is_only_predicted_is_a_label() -> None:
    assert one_dataset(["a", "b"], ["a", "c"]).labels == ("a", "b", "c")


def test_file_that_is_not_there() -> None:
    with pytest.raises(TableNotFoundError, match=r"there is no file nope\.csv"):
        read_predictions("nope.csv")


def test_classifiers_may_be_tested_on_different_datasets() -> None:
    data = {"dataset": ["a", "b"], "classifier": ["c", "d"], "y_true": [1, 0], "y_pred": [1, 1]}

    assert np.array_equal(read_predictions(data).classifier, [0, 1])


def test_a_column_id_names_the_cases_where_it_tells_them_apart() -> None:
    rows = {"model": ["a", "a", "b", "b"], "y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 1]}

    named = read_predictions({**rows, "id": [7, 8, 7, 8]})
    assert named.instance is not None
    assert read_predictions({**rows, "id": [7, 7, 7, 7]}).instance is None


def test_names_of_classifiers_and_cases_are_not_multiplied() -> None:
    """3,000 classifiers with a case each: 9 million places are not made to find out."""
    n = 3000
    numbers = [str(i) for i in range(n)]
    rows = {"dataset": ["d"] * n, "classifier": numbers, "row": numbers, "y_true": [0, 1] * (n // 2), "y_pred": [1] * n}

    tracemalloc.start()
    with pytest.raises(TableError, match="must be tested on the same instances"):
        read_predictions(rows)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert most < 8 * n * n / 2


def test_a_label_of_thousands_of_digits_is_a_label() -> None:
    long = "9" * 5000
    text = "row,y_true,y_pred\n" + "".join(f"{i},{long if i % 2 else 1},1\n" for i in range(6))

    assert read_predictions(io.StringIO(text)).labels == ("1", long)


@pytest.mark.parametrize("dataset", [{}, {"dataset": ["d"] * 4}])
def test_weights_are_not_used_and_the_report_states_it(dataset: dict) -> None:
    """A weighted accuracy would be another number."""
    columns = {"classifier": ["A", "A", "B", "B"], "y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 1]}
    found = read_predictions(dataset | columns | {"sample_weight": [9, 1, 9, 1]})

    assert found.findings[0].sentence == "'sample_weight' is not used: every row counts once."
    assert found.findings[0].severity == "warning"


def test_many_scores_as_predictions_of_two_classes_are_no_regression() -> None:
    """The message names the option, which a message about targets of a regression would hide."""
    score = [round((i % 2 + 2 * i / 60) / 3, 3) for i in range(60)]
    columns = {"classifier": ["A"] * 60, "instance": list(range(60)), "y_true": [i % 2 for i in range(60)]}

    with pytest.raises(TableError, match=r"columns=\{'y_score': 'prediction'\}"):
        read_predictions(columns | {"prediction": score})
    assert read_predictions(columns | {"prediction": score}, columns={"y_score": "prediction"}).y_pred is None
