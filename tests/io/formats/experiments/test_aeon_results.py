from __future__ import annotations

import pytest

from evalstats import TableError, read_table


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
    assert "logloss is there too" in table.findings[0].sentence


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
