"""Rows that equal a summary of the others are none of them, whatever they are called."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from repetitions import repetitions
from scipy.stats import rankdata

from evalstats import compare, read_table, report
from evalstats.io.columns.computed import summary_of_some
from evalstats.io.columns.summaries import summaries_in

SCORES = np.random.default_rng(0).uniform(0.5, 1.0, (8, 4))
SUMMARIES = {
    "mean": lambda scores: scores.mean(axis=0),
    "median": lambda scores: np.median(scores, axis=0),
    "geometric mean": lambda scores: np.exp(np.log(scores).mean(axis=0)),
    "sum": lambda scores: scores.sum(axis=0),
    "mean rank": lambda scores: rankdata(-scores, axis=1).mean(axis=0),
}


def frame(rows: np.ndarray, last: str = "Gesamt") -> pd.DataFrame:
    names = [f"problem {i}" for i in range(len(rows) - 1)]
    return pd.DataFrame(rows, columns=list("ABCD"), index=pd.Index([*names, last], name="dataset"))


@pytest.mark.parametrize("decimals", [2, 4, 17])
@pytest.mark.parametrize("what", SUMMARIES)
def test_last_row_that_is_a_summary_within_rounding_is_found(what, decimals) -> None:
    scores = SCORES.round(decimals)
    rows = np.vstack([scores, SUMMARIES[what](scores).round(decimals)])

    found = summaries_in(rows)

    # scores with two digits are often tied, and a dataset of medium difficulty is then the median of the others
    is_certain = (what, decimals) != ("median", 2)
    assert [(one.row, one.what, one.is_certain) for one in found] == [(8, what, is_certain)]


@pytest.mark.parametrize("what", SUMMARIES)
def test_summary_is_left_out_in_rows_and_in_columns_and_in_long_tables_and_is_said(what) -> None:
    table = frame(np.vstack([SCORES, SUMMARIES[what](SCORES)]).round(4))
    long = table.stack().rename("accuracy").reset_index().rename(columns={"level_1": "classifier"})
    turned = table.T.rename_axis("classifier")

    for source in (table, turned, long, long.sample(frac=1, random_state=0)):
        read = read_table(source)
        assert ("row", "Gesamt", f"is the {what} of the others") in [(o.what, o.name, o.reason) for o in read.left_out]
        assert len(read.datasets) == 8
        assert f"the row Gesamt, which is the {what} of the others" in " ".join(report.text(compare(source)).split())


def test_several_summaries_below_a_table_are_found() -> None:
    ends = [SUMMARIES[what](SCORES).round(3) for what in ("mean", "median", "mean rank")]

    found = summaries_in(np.vstack([SCORES.round(3), *ends]))

    assert [one.row for one in found] == [8, 9, 10]


def test_column_that_is_the_mean_of_the_classifiers_is_no_classifier() -> None:
    table = pd.DataFrame(SCORES.round(4), columns=list("ABCD")).assign(
        Ensemblewert=SCORES.round(4).mean(axis=1).round(4)
    )
    table.insert(0, "dataset", [f"problem {i}" for i in range(8)])

    assert read_table(table).classifiers == ("A", "B", "C", "D")


def test_what_is_to_be_kept_is_kept() -> None:
    table = frame(np.vstack([SCORES, SCORES.mean(axis=0)]))

    assert "Gesamt" in read_table(table, keep="Gesamt").datasets
    assert "Gesamt" not in read_table(table).datasets


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(np.outer(np.arange(9.0), np.ones(4)) / 10 + np.arange(4) / 100, id="equal steps"),
        pytest.param(np.full((6, 4), 0.5), id="one value"),
        pytest.param(np.vstack([SCORES, SCORES[3]]), id="twice the same"),
        pytest.param(SCORES, id="scores"),
        pytest.param(SCORES[:3], id="few"),
        pytest.param(np.vstack([SCORES[:, :1], SCORES[:, :1].mean().round(1)]), id="one classifier, few decimals"),
    ],
)
def test_rows_that_agree_by_chance_stay(rows) -> None:
    assert not any(one.is_certain for one in summaries_in(rows))


def test_row_that_may_be_a_summary_is_noted_and_stays() -> None:
    scores = np.array([[81, 70], [60, 95], [93, 54], [71, 88]])
    rows = np.vstack([scores, scores.mean(axis=0).round()]).astype(float)
    table = pd.DataFrame(rows, columns=["A", "B"], index=pd.Index([*"abcd", "e"], name="dataset"))

    read = read_table(table)

    assert read.datasets[-1] == "e"
    assert [one.sentence for one in read.findings if one.code == "may-be-summary"]


def test_no_real_scores_are_left_out() -> None:
    """No row and no column of random tables is treated as a summary."""
    found = 0
    for seed in range(repetitions(300)):
        rng = np.random.default_rng(seed)
        n, k, decimals = rng.integers(4, 20), rng.integers(2, 8), rng.integers(1, 5)
        scores = (100 * rng.beta(8, 2, (n, 1)) + rng.normal(0, 3, (n, k))).round(decimals)
        found += any(one.is_certain for one in summaries_in(scores))
        found += any(one.is_certain for one in summaries_in(scores.T, are_datasets=False))

    assert found == 0


@pytest.mark.sampled
@pytest.mark.parametrize("n_instances", [10, 30, 100])
def test_proportions_of_one_number_of_instances_are_no_summaries(n_instances: int) -> None:
    """A dataset whose accuracies are the medians of the others by chance stays; no table loses one."""
    rng = np.random.default_rng(n_instances)
    n = repetitions(400)
    ease = rng.uniform(0.1, 0.8, (n, 14, 1)) + rng.uniform(0, 0.1, (n, 14, 3))
    tables = rng.binomial(n_instances, ease) / n_instances

    found = [one for table in tables for one in summaries_in(table, (), are_datasets=True)]

    assert [one for one in found if one.is_certain] == []


def test_columns_made_of_some_of_the_others_are_left_out_and_said() -> None:
    """A table of a study on other domains: models in rows, their scores and what was computed from these in columns."""
    models = ["tree", "forest", "boosting", "bagging", "stacking", "network"]
    table = pd.DataFrame({"Model": models})
    for seed, name in enumerate(("Home", "Hungary", "Switzerland", "Ohio")):
        table[name] = np.random.default_rng(seed).uniform(0.5, 0.9, 6)
    abroad = table[["Hungary", "Switzerland", "Ohio"]]
    table["Abroad"] = abroad.mean(axis=1)
    table["Fall"] = table["Home"] - table["Abroad"]
    table["Fall (%)"] = 100 * table["Fall"] / table["Home"]
    table["Worst country"] = abroad.min(axis=1)

    read = read_table(table)

    assert read.datasets == ("Home", "Hungary", "Switzerland", "Ohio")
    assert {one.name: one.reason for one in read.left_out} == {
        "Abroad": "is the mean of 'Hungary', 'Switzerland', 'Ohio'",
        "Fall": "is the difference between the rows 'Home', 'Abroad'",
        "Fall (%)": "is the difference between the rows 'Home', 'Abroad', in percent",
        "Worst country": "is the minimum of 'Hungary', 'Switzerland', 'Ohio'",
    }
    assert "Fall" in read_table(table, keep=["Fall"]).datasets


def test_similar_classifiers_are_no_summaries_of_each_other() -> None:
    """Rounded scores of similar classifiers often lie in the middle of others, and rise and fall together."""
    draw = np.random.default_rng(3)
    for _ in range(repetitions(300)):
        n, k = draw.integers(3, 25), draw.integers(3, 13)
        scores = draw.beta(8, 2, n)[:, np.newaxis] + draw.normal(0, draw.choice([0.002, 0.01, 0.05]), (n, k))
        for j in range(1, k):
            alike = draw.random(n) < 0.5
            scores[alike, j] = scores[alike, draw.integers(j)]
        scores = scores.round(draw.integers(1, 4))
        for rows in (scores, scores.T):
            assert summary_of_some(rows, [f"x{i}" for i in range(len(rows))]) is None
