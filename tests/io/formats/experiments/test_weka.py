from __future__ import annotations

import csv
import io
from importlib import import_module
from pathlib import Path

import pytest

from evalstats import TableError, compare, read_predictions, read_table
from evalstats.io.formats.experiments.weka import _direction_of
from evalstats.metrics.directions import direction_of

WEKA = {"quotechar": "'", "escapechar": "\\", "doublequote": False}
HEADER_OF_CSV = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct\n"


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
    text = HEADER_OF_CSV + "'it\\'s, one',1,1,a.J48,'',75\n'it\\'s, one',1,1,b.SMO,?,80\n"

    assert read_table(io.StringIO(text)).datasets == ("it's, one",)


def test_schemes_of_one_name_keep_their_packages() -> None:
    text = HEADER_OF_CSV + "d,1,1,a.J48,'',75\nd,1,1,b.J48,'',80\n"

    assert read_table(io.StringIO(text)).classifiers == ("a.J48", "b.J48")


def test_missing_score_is_missing() -> None:
    text = HEADER_OF_CSV + "d,1,1,a.J48,'',75\nd,1,1,b.SMO,'',?\n"

    with pytest.raises(TableError, match=r"1 score is missing: 'd' / 'SMO'"):
        read_table(io.StringIO(text))


def test_experiment_that_was_appended_brings_its_header_again() -> None:
    text = HEADER_OF_CSV + "d,1,1,a.J48,'',75\n" + HEADER_OF_CSV + "d,1,1,b.SMO,'',80\n"

    assert read_table(io.StringIO(text)).scores.tolist() == [[75, 80]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("'d,1,1,a.J48,'',75\n", "line 2: a quotation mark is opened and never closed"),
        ("d,1,1,a.J48,75\n", "line 2 has 5 fields, but the header has 6"),
        ("d,1,1,a.J48,'',x\n", "'x' is not a number"),
        ("d,1,1,a.J48,'',75\nd,1,1,a.J48,'',75\n", r"several scores belong to 'd', 'J48', '1', '1' \(lines 2, 3\)"),
        ("", "has no row of scores"),
    ],
)
def test_faults_are_told_with_their_place_of_csv(text, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(HEADER_OF_CSV + text))


def test_unknown_measure_asks_for_its_direction() -> None:
    text = HEADER_OF_CSV.replace("Percent_correct", "measureNumRules") + "d,1,1,a.J48,'',7\nd,1,1,b.SMO,'',8\n"

    with pytest.raises(TableError, match=r"it is not known whether higher or lower 'measureNumRules' is better"):
        read_table(io.StringIO(text))
    assert read_table(io.StringIO(text), greater_is_better=False).greater_is_better is False


def test_frame_that_pandas_read_is_the_same(sample, content) -> None:
    pandas = import_module("pandas")
    frame = pandas.read_csv(sample("weka/experiment.csv"), quotechar="'", escapechar="\\", doublequote=False)

    assert content(read_table(frame.fillna(""))) == content(read_table(sample("weka/experiment.csv")))


SAMPLES = Path(__file__).parents[3] / "data" / "formats" / "weka"


def measures(name: str) -> list[str]:
    with (SAMPLES / name).open(newline="") as file:
        header = next(csv.reader(file))
    sizes = ("Number_of_training_instances", "Number_of_testing_instances")
    return [one for one in header if one not in ("Date_time", "Summary", *sizes) and not one.startswith("Key_")]


@pytest.mark.parametrize("name", ["experiment.csv", "splits.csv"])
def test_every_measure_that_weka_writes_has_a_direction_unless_it_is_of_the_data(name) -> None:
    """The entropy of the prior classes is no merit of a classifier."""
    unknown = [one for one in measures(name) if _direction_of(one) is None]

    assert unknown == ["SF_prior_entropy", "SF_mean_prior_entropy"]


def test_directions_agree_with_the_words_of_the_names() -> None:
    told = {name: direction_of(name) for name in measures("experiment.csv")}

    assert [name for name, words in told.items() if words is not None and _direction_of(name) not in (words, None)] == [
        "SF_entropy_gain",
        "SF_mean_entropy_gain",
    ]


@pytest.mark.parametrize(
    ("name", "greater_is_better"),
    [
        ("Matthews_correlation", True),
        ("Weighted_avg_area_under_PRC", True),
        ("Unweighted_micro_avg_F_measure", True),
        ("Size_of_Predicted_Regions", False),
        ("measureTreeSize", None),
    ],
)
def test_measures_of_later_versions(name, greater_is_better) -> None:
    assert _direction_of(name) is greater_is_better


HEAD = "@relation r\n@attribute Key_Dataset {d}\n@attribute Key_Scheme {a.J48}\n@attribute Percent_correct numeric\n"


def test_arff_says_what_the_csv_of_the_same_experiment_says(sample, content) -> None:
    """WEKA writes 6 decimals into ARFF."""
    table = read_table(sample("weka/experiment.arff"))

    assert table.format == "weka-arff"
    assert content(table) == pytest.approx(content(read_table(sample("weka/experiment.csv"))), abs=1e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD, "has no line @data"),
        (HEAD + "@data\nd,a.J48\n", "line 6 has 2 fields, but the header has 3 attributes"),
        (HEAD + "@data\nd,'a.J48,1\n", "line 6: a quotation mark is opened and never closed"),
        (HEAD + "@what\n@data\n", "line 5: '@what' is not a header line"),
        (HEAD + "@data\n", "has no row of scores"),
    ],
)
def test_faults_are_told_with_their_place_of_arff(text, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(text))


def test_comments_and_empty_lines_are_nothing() -> None:
    text = "% made by hand\n\n" + HEAD + "@DATA\n% one\nd,a.J48,75\n\nd,b.SMO,80\n"

    assert read_table(io.StringIO(text)).scores.tolist() == [[75, 80]]


HEADER_OF_PREDICTIONS = "inst#,actual,predicted,error,prediction\n"


def test_two_files_are_two_classifiers_on_the_same_cases(sample, rows) -> None:
    paths = [sample(f"weka-predictions/{name}.csv") for name in ("J48", "SMO")]
    right = [sum(row["error"] == "" for row in rows(path)) / 40 for path in paths]

    comparison = compare(paths)

    assert comparison.table.classifiers == ("J48", "SMO")
    assert comparison.table.scores[0] == pytest.approx(right)
    assert read_table(sample("weka-predictions")).scores.tolist() == comparison.table.scores.tolist()


def test_label_that_weka_quotes_where_it_is_true_is_the_one_that_is_predicted(sample) -> None:
    """WEKA writes 2:'not yes' and 2:not yes."""
    assert read_predictions(sample("weka-predictions")).labels == ("not yes", "yes")


def test_labels_lose_their_numbers() -> None:
    predictions = read_predictions(io.StringIO(HEADER_OF_PREDICTIONS + "1,2:no,1:yes,+,.6\n2,1:yes,1:yes,,.9\n"))

    assert predictions.labels == ("no", "yes")
    assert predictions.y_pred.tolist() == [1, 1]


@pytest.mark.parametrize("cell", ["yes", "x:yes", "1:", "?"])
def test_label_must_be_written_as_weka_does(cell) -> None:
    with pytest.raises(TableError, match=r"line 2: .* is not a label as WEKA writes it"):
        read_table(io.StringIO(HEADER_OF_PREDICTIONS + f"1,{cell},1:yes,,.6\n"))


def test_label_that_is_missing_is_told() -> None:
    """WEKA writes 1:? where the data do not tell the class."""
    with pytest.raises(TableError, match=r"line 2: '1:[?]' marks a missing label"):
        read_table(io.StringIO(HEADER_OF_PREDICTIONS + "1,1:?,1:yes,,.6,\n"))
