from __future__ import annotations

from pathlib import Path

import pytest

from evalstats import TableError, read_predictions, read_table


def expected(sample, measure: str) -> dict[tuple[str, str], float]:
    found = {}
    for path in sample("aeon").glob(f"*_{measure}.csv"):
        for line in path.read_text().splitlines()[1:]:
            dataset, *scores = line.split(",")
            found[dataset, path.name.rpartition("_")[0]] = sum(map(float, scores)) / len(scores)
    return found


@pytest.mark.parametrize(("measure", "greater_is_better"), [("accuracy", True), ("logloss", False)])
def test_score_is_the_mean_over_resamples(measure, greater_is_better, sample, content) -> None:
    table = read_table(sample("aeon"), metric=measure)

    assert (table.format, table.greater_is_better) == ("aeon-results", greater_is_better)
    assert content(table) == pytest.approx(expected(sample, measure))


def test_accuracy_is_compared_unless_asked(sample) -> None:
    table = read_table(sample("aeon"))

    assert table.metric == "accuracy"
    assert "a different measure: logloss" in table.findings[0].sentence


def test_files_may_be_listed(sample, content) -> None:
    paths = sorted(sample("aeon").glob("*_accuracy.csv"))

    assert content(read_table(paths)) == content(read_table(sample("aeon")))


def test_one_file_is_one_classifier_and_not_two_resamples(sample) -> None:
    assert read_table(sample("aeon/ROCKET_accuracy.csv")).classifiers == ("ROCKET",)


def test_old_files_have_no_header(tmp_path) -> None:
    (tmp_path / "BOSS_accuracy.csv").write_text("Adiac,0.7,0.8\nBeef,0.5,0.6\n")
    (tmp_path / "ST_accuracy.csv").write_text("x,0,1\nAdiac,0.5,0.6\nBeef,0.5,0.6\n")

    assert read_table(tmp_path).scores.ravel() == pytest.approx([0.75, 0.55, 0.55, 0.55])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,0,1\nAdiac,0.7\nBeef,0.7,0.8\n", "line 2 has 2 fields, but other lines have 3"),
        ("", "has no row of scores"),
        ("x,0,1\nAdiac,0.7,y\n", "'y' is not a number"),
    ],
)
def test_faults_are_told(text, message, tmp_path) -> None:
    (tmp_path / "BOSS_accuracy.csv").write_text(text)

    with pytest.raises(TableError, match=message):
        read_table(tmp_path)


HEAD = "Coffee,ROCKET,TEST,0,MILLISECONDS,none\n{'a': 1, 'b': 2}\n0.5,1,2,-1,-1,2,,-1,-1\n"


def one(directory: Path, text: str, name: str = "ROCKET/Predictions/Coffee/testResample0.csv") -> Path:
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return directory


def test_accuracy_is_that_which_the_files_tell(sample, content) -> None:
    expected = {}
    for folder in sample("tsml-results").glob("*/Predictions/*"):
        told = [float(path.read_text().splitlines()[2].split(",")[0]) for path in folder.glob("*.csv")]
        expected[folder.name, folder.parents[1].name] = sum(told) / len(told)

    table = read_table(sample("tsml-results"))

    assert table.format == "tsml-results"
    assert content(table) == pytest.approx(expected)
    assert table.folds[0].repeats == ("0", "1")


def test_probability_is_that_of_the_positive_label(tmp_path) -> None:
    folder = one(tmp_path, HEAD + "0,0,,0.9,0.1,,77,,\n1,0,,0.6,0.4\n")

    assert read_predictions(folder).y_score.tolist() == [0.1, 0.4]
    assert read_predictions(folder, pos_label="0").y_score.tolist() == [0.9, 0.6]


def test_results_on_training_sets_are_left_out(sample, tmp_path) -> None:
    folder = one(
        one(tmp_path, HEAD.replace("0.5,1", "-1,1") + "0,0\n"), HEAD, "ROCKET/Predictions/Coffee/trainResample0.csv"
    )

    assert read_predictions(folder).y_true.tolist() == [0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Coffee,ROCKET\n", "must begin with the three header lines"),
        (HEAD, "holds no instance"),
        (HEAD.replace("TEST", "TRAIN") + "0,0\n", "line 1: the split is 'TRAIN', not TEST"),
        (HEAD + "?,0\n", "line 4: no true label"),
        (HEAD + "0.25,0.3\n", r"line 4: '0.25' is a number and not a label \(regression\)"),
        (
            HEAD.replace("2,,-1,-1", "2,2") + "0,1\n1,0\n",
            "holds cluster assignments, because line 3 gives a number of clusters",
        ),
        (HEAD + "0,0\n1,1\n", "line 3 gives the accuracy '0.5', but the accuracy of the predictions is 1"),
        (HEAD.replace("0.5,1", "x,1") + "0,0\n", "line 3 gives the accuracy 'x'"),
        (HEAD + "0\n", "line 4: '0' does not hold a true and a predicted label"),
    ],
)
def test_faults_are_told_with_their_file(text, message, tmp_path) -> None:
    with pytest.raises(TableError, match=message):
        read_table(one(tmp_path, text))


def test_resamples_that_some_estimators_lack_are_left_out(tmp_path) -> None:
    text = HEAD + "0,0\n1,0\n"
    for estimator, n in (("A", 3), ("B", 1)):
        for i in range(n):
            one(tmp_path, text, f"{estimator}/Predictions/Coffee/testResample{i}.csv")

    table = read_table(tmp_path)

    assert table.scores.tolist() == [[0.5, 0.5]]
    assert "Left out: 2 of 4 results" in table.findings[0].sentence


def test_estimators_without_a_common_resample_are_refused(tmp_path) -> None:
    for estimator, i in (("A", 0), ("B", 1)):
        one(tmp_path, HEAD + "0,0\n1,0\n", f"{estimator}/Predictions/Coffee/testResample{i}.csv")

    with pytest.raises(TableError, match="the estimators of dataset 'Coffee' have no resample in common"):
        read_table(tmp_path)


def test_error_rates_without_the_width_of_the_window(sample, rows, content) -> None:
    path = sample("ucr-summary/DataSummary.csv")
    columns = {name.strip(): name for name in rows(path)[0]}
    classifiers = ("ED (w=0)", "DTW (learned_w)", "DTW (w=100)")
    expected = {
        (row["Name"], name): float(row[columns[name]].partition(" (")[0]) for row in rows(path) for name in classifiers
    }

    table = read_table(path)

    assert (table.format, table.metric, table.greater_is_better) == ("ucr-summary", "error rate", False)
    assert content(table) == expected


def test_accuracy_is_not_there(sample) -> None:
    with pytest.raises(TableError, match=r"holds error rates, not 'accuracy'"):
        read_table(sample("ucr-summary/DataSummary.csv"), metric="accuracy")
