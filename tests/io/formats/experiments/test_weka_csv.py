from __future__ import annotations

import io
from importlib import import_module

import pytest

from evalstats import TableError, compare, read_table

WEKA = {"quotechar": "'", "escapechar": "\\", "doublequote": False}
HEADER = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct\n"


def scheme(row: dict[str, str]) -> str:
    name = row["Key_Scheme"].rpartition(".")[2]
    return f"{name} {row['Key_Scheme_options']}" if name == "J48" else name


def test_experiment_is_the_mean_over_runs_and_folds(sample, rows, means, content) -> None:
    path = sample("weka/experiment.csv")
    own = [{**row, "scheme": scheme(row)} for row in rows(path, **WEKA)]

    table = read_table(path)

    assert (table.format, table.metric, table.unit, table.greater_is_better) == (
        "weka-csv",
        "Percent_correct",
        "%",
        True,
    )
    assert content(table) == pytest.approx(means(own, "Key_Dataset", "scheme", "Percent_correct"))
    assert table.folds[1].n_train == 7


@pytest.mark.parametrize(
    ("measure", "greater_is_better"),
    [
        ("Percent_incorrect", False),
        ("Kappa_statistic", True),
        ("Mean_absolute_error", False),
        ("SF_entropy_gain", True),
    ],
)
def test_each_measure_has_its_own_direction(measure, greater_is_better, sample, rows, means, content) -> None:
    own = [{**row, "scheme": scheme(row)} for row in rows(sample("weka/experiment.csv"), **WEKA)]

    table = read_table(sample("weka/experiment.csv"), metric=measure)

    assert table.greater_is_better is greater_is_better
    assert content(table) == pytest.approx(means(own, "Key_Dataset", "scheme", measure))


def test_random_splits_have_repeats_and_sizes(sample) -> None:
    comparison = compare(sample("weka/splits.csv"))

    folds = comparison.table.folds[0]
    assert (comparison.table.metric, folds.scores.shape) == ("Correlation_coefficient", (2, 1, 2))
    assert (folds.n_train, folds.n_test) == (40, 20)


def test_averages_are_runs_without_folds(sample, rows, means, content) -> None:
    own = [{**row, "scheme": scheme(row)} for row in rows(sample("weka/averages.csv"), **WEKA)]

    table = read_table(sample("weka/averages.csv"))

    assert content(table) == pytest.approx(means(own, "Key_Dataset", "scheme", "Avg_Percent_correct"))
    assert table.folds[0].n_train is None


def test_names_lose_the_quotes_of_weka() -> None:
    text = HEADER + "'it\\'s, one',1,1,a.J48,'',75\n'it\\'s, one',1,1,b.SMO,?,80\n"

    assert read_table(io.StringIO(text)).datasets == ("it's, one",)


def test_schemes_of_one_name_keep_their_packages() -> None:
    text = HEADER + "d,1,1,a.J48,'',75\nd,1,1,b.J48,'',80\n"

    assert read_table(io.StringIO(text)).classifiers == ("a.J48", "b.J48")


def test_missing_score_is_missing() -> None:
    text = HEADER + "d,1,1,a.J48,'',75\nd,1,1,b.SMO,'',?\n"

    with pytest.raises(TableError, match=r"1 score is missing: 'd' / 'SMO'"):
        read_table(io.StringIO(text))


def test_experiment_that_was_appended_brings_its_header_again() -> None:
    text = HEADER + "d,1,1,a.J48,'',75\n" + HEADER + "d,1,1,b.SMO,'',80\n"

    assert read_table(io.StringIO(text)).scores.tolist() == [[75, 80]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("'d,1,1,a.J48,'',75\n", "line 2: a quotation mark of WEKA is opened and never closed"),
        ("d,1,1,a.J48,75\n", "line 2 has 5 fields, but the header has 6"),
        ("d,1,1,a.J48,'',x\n", "'x' is not a number"),
        ("d,1,1,a.J48,'',75\nd,1,1,a.J48,'',75\n", r"several are there of 'd', 'J48', '1', '1' \(lines 2, 3\)"),
        ("", "has no row of scores"),
    ],
)
def test_faults_are_told_with_their_place(text, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(HEADER + text))


def test_unknown_measure_asks_for_its_direction() -> None:
    text = HEADER.replace("Percent_correct", "measureNumRules") + "d,1,1,a.J48,'',7\nd,1,1,b.SMO,'',8\n"

    with pytest.raises(TableError, match=r"whether more or less of 'measureNumRules' is better is not known"):
        read_table(io.StringIO(text))
    assert read_table(io.StringIO(text), greater_is_better=False).greater_is_better is False


def test_frame_that_pandas_read_is_the_same(sample, content) -> None:
    pandas = import_module("pandas")
    frame = pandas.read_csv(sample("weka/experiment.csv"), quotechar="'", escapechar="\\", doublequote=False)

    assert content(read_table(frame.fillna(""))) == content(read_table(sample("weka/experiment.csv")))
