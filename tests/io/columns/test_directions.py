"""The direction of a metric by its name, in every layout."""

from __future__ import annotations

import io
import re
from typing import Any

import pandas as pd
import pytest

from evalstats import ScoreTable, TableError, compare, read_table

ROWS = "dataset,LR,NB\na,0.1,0.2\nb,0.3,0.1\n"


def test_corner_cell_names_the_metric() -> None:
    table = read_table(io.StringIO(ROWS.replace("dataset", "error rate")))

    assert (table.metric, table.greater_is_better) == ("error rate", False)


def test_arrows_at_datasets_are_asked_about() -> None:
    rows = ROWS.replace("\na,", "\na (↓),").replace("\nb,", "\nb (↑),")

    with pytest.raises(TableError, match="the names of datasets have the arrows '↑', '↓', which show directions"):
        read_table(io.StringIO(rows))
    assert not read_table(io.StringIO(rows.replace("↑", "↓")), greater_is_better=False).greater_is_better


LONG = {"dataset": ["iris", "iris", "glass", "glass"], "model": ["NB", "SVM"] * 2}


@pytest.mark.parametrize("metric", ["goodness", "speed", "ASR"])
def test_metric_that_nobody_knows_is_noted_in_every_layout(metric: str) -> None:
    wide = {"dataset": ["iris", "glass"], "NB": [0.9, 0.7], "SVM": [0.8, 0.6]}
    for table, options in ((wide, {"metric": metric}), (LONG | {metric: [0.9, 0.8, 0.7, 0.6]}, {})):
        taken = read_table(table, **options)
        told = read_table(table, **options, greater_is_better=False)

        assert (taken.greater_is_better, told.greater_is_better) == (True, False)
        assert [one.sentence for one in taken.findings] == [
            f"It is not known whether higher or lower '{metric}' is better: higher is treated as better."
        ]
        assert told.findings == ()


@pytest.mark.parametrize("name", ["score", "value", "result", "test_score", "mean_test_score"])
def test_scores_of_which_no_metric_is_named_are_better_higher(name: str) -> None:
    assert read_table(LONG | {name: [0.9, 0.8, 0.7, 0.6]}).greater_is_better is True


def test_table_that_was_read_takes_the_direction_of_the_metric_that_is_named_later() -> None:
    table = read_table([[0.9, 0.8], [0.7, 0.6], [0.5, 0.4]])
    ranks = read_table([[1, 2, 3], [2, 1, 3], [1, 3, 2]])

    assert compare(table, metric="log loss").table.greater_is_better is False
    assert compare(table, metric="log loss", greater_is_better=True).table.greater_is_better is True
    assert compare(table, metric="speed").table.greater_is_better is True
    assert compare(ranks, metric="accuracy").table.greater_is_better is False


@pytest.mark.parametrize(
    ("metric", "is_better"), [("error rate", False), ("AUC", True), ("score", True), ("speed", True)]
)
def test_table_that_is_made_by_hand_has_the_direction_of_its_metric(metric: str, is_better: bool) -> None:
    made = {"scores": [[0.1, 0.2]], "datasets": ("iris",), "classifiers": ("NB", "SVM"), "metric": metric}

    assert ScoreTable(**made).greater_is_better is is_better
    assert ScoreTable(**made, greater_is_better=not is_better).greater_is_better is not is_better


COUNTS = """
type,task,autosklearn,autoweka,h2oautoml,randomforest,tpot
binary,adult,10,nan,74,2000,388
binary,australian,11,nan,86,2000,12789
binary,kc1,11,nan,112,2000,6433
multiclass,riccardo,8,nan (6),9,2000,17 (1)
""".lstrip()


def test_counts_of_models_of_the_automl_benchmark_are_no_scores() -> None:
    problem = (
        "all scores are whole numbers up to 12,789, as counts, sizes and times are, and nothing names the metric; name "
        "the metric, for example with metric='errors'"
    )
    with pytest.raises(TableError, match=re.escape("'autoweka' has no score on any dataset")) as caught:
        read_table(io.StringIO(COUNTS), metric="errors")
    assert caught.value.argument == "drop"
    with pytest.raises(TableError, match=re.escape(problem)):
        read_table(io.StringIO(COUNTS), drop="autoweka")
    assert not read_table(io.StringIO(COUNTS), drop="autoweka", metric="errors").greater_is_better


@pytest.mark.parametrize(
    ("scores", "options"),
    [
        ("93,95\n88,87\n100,99\n", {}),  # percentages
        ("1793,1295\n1288,1387\n1200,999.5\n", {}),
        ("1793,1295\n1288,1387\n1200,999\n", {"greater_is_better": True}),
        ("1793,1295\n1288,1387\n1200,999\n", {"metric": "reward"}),
    ],
)
def test_whole_numbers_that_are_read(scores: str, options: dict[str, Any]) -> None:
    rows = "".join(f"{name},{row}\n" for name, row in zip("abc", scores.splitlines(), strict=True))

    assert read_table(io.StringIO("dataset,NB,SVM\n" + rows), **options).scores.shape == (3, 2)


def test_whole_numbers_in_a_data_frame_are_known_to_the_caller() -> None:
    frame = pd.DataFrame({"NB": [1793, 1288, 1200], "SVM": [1295, 1387, 999]}, index=list("abc"))

    assert read_table(frame).greater_is_better
