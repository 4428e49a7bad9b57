from __future__ import annotations

import io
import shutil

import pytest

from evalstats import TableError, read_table


def test_scores_of_folds(sample, rows, means, content) -> None:
    path = sample("sktime/results.csv")
    expected = means(rows(path), "validation_id", "model_id", "means.accuracy_score")

    table = read_table(path)

    assert (table.format, table.metric, table.greater_is_better) == ("sktime-results", "accuracy_score", True)
    assert content(table) == pytest.approx(expected)
    assert table.folds[0].scores.shape == (1, 3, 2)


def test_parquet_says_the_same(sample, content) -> None:

    assert content(read_table(sample("sktime/results.parquet"))) == content(read_table(sample("sktime/results.csv")))


def test_frame_that_is_returned_says_the_same(sample, content) -> None:
    assert content(read_table(sample("sktime/frame.csv"))) == content(read_table(sample("sktime/results.csv")))


def test_times_are_compared_only_when_asked(sample) -> None:
    table = read_table(sample("sktime/results.csv"), metric="fit_time")

    assert table.greater_is_better is False


def test_folds_that_a_task_does_not_have_are_not_missing() -> None:
    text = "model_id,validation_id,folds.0.scores.acc,folds.1.scores.acc\na,p,.1,\nb,p,.2,\na,q,.3,.5\nb,q,.4,.6\n"

    assert read_table(io.StringIO(text)).scores.ravel() == pytest.approx([0.1, 0.2, 0.4, 0.5])


def test_score_of_one_model_that_is_missing_is_missing() -> None:
    text = "model_id,validation_id,folds.0.scores.acc\na,p,.1\nb,p,\n"

    with pytest.raises(TableError, match=r"1 score is missing: 'p' / 'b'"):
        read_table(io.StringIO(text))


def test_file_name_does_not_matter(sample, tmp_path) -> None:
    shutil.copy(sample("sktime/results.csv"), tmp_path / "x.txt")

    assert read_table(tmp_path / "x.txt").format == "sktime-results"
