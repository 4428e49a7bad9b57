"""Long tables with folds and repeats: every score finds its place, whatever the order of the rows."""

from __future__ import annotations

import io
import itertools
import tracemalloc
from typing import Any

import numpy as np
import pytest

from evalstats.io.options import given_together
from evalstats.io.reader.tables import read_table
from evalstats.tables.errors import TableError
from evalstats.tables.score_table import ScoreTable

RNG = np.random.default_rng(3)
SCORES = RNG.random((2, 2, 3, 4)).round(3)  # dataset, repeat, fold, classifier
ROWS = [
    {"dataset": f"d{d}", "run": r, "fold": f + 8, "model": "ABCD"[c], "acc": SCORES[d, r, f, c]}
    for d, r, f, c in itertools.product(*map(range, SCORES.shape))
]


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def read(rows: list[dict[str, Any]], **choices: Any) -> ScoreTable:
    return read_table(columns(rows), **given_together(choices))


def test_each_score_stands_in_its_repeat_fold_and_column() -> None:
    table = read(ROWS)

    np.testing.assert_array_equal([one.scores for one in table.folds], SCORES)
    assert [one.dataset for one in table.folds] == ["d0", "d1"]
    assert (table.folds[0].repeats, table.folds[0].folds) == (("0", "1"), ("8", "9", "10"))


def test_scores_are_means_over_folds_and_repeats() -> None:
    table = read(ROWS)

    np.testing.assert_allclose(table.scores, SCORES.mean(axis=(1, 2)), rtol=1e-15)
    assert (table.metric, table.computation) == ("acc", "acc, mean over the folds of the repeats")


def test_order_of_rows_changes_nothing() -> None:
    shuffled = [ROWS[i] for i in RNG.permutation(len(ROWS))]

    assert read(shuffled).to_dict() == read(ROWS).to_dict()


def test_columns_can_be_named() -> None:
    renamed = [
        {**{k: v for k, v in row.items() if k not in ("run", "fold")}, "a": row["run"], "b": row["fold"]}
        for row in ROWS
    ]

    assert read(renamed, repeat="a", fold="b", score="acc").to_dict() == read(ROWS).to_dict()


def test_repeats_without_folds_have_one_fold_each() -> None:
    rows = [{k: v for k, v in row.items() if k != "fold"} for row in ROWS if row["fold"] == 8]

    table = read(rows)

    np.testing.assert_array_equal([one.scores for one in table.folds], SCORES[:, :, :1])
    assert table.folds[0].folds == ("",)


def test_sizes_of_the_sets_are_means_over_the_folds() -> None:
    table = read([{**row, "train_size": 90 + row["run"], "n_test": 10} for row in ROWS])

    assert (table.folds[0].n_train, table.folds[0].n_test) == (90.5, 10.0)


def test_selection_selects_folds_too() -> None:
    table = read(ROWS).select(["C", "A"])

    np.testing.assert_array_equal(table.folds[1].scores, SCORES[1][..., [2, 0]])


def test_dataset_with_a_missing_fold_is_dropped_whole_when_asked() -> None:
    table = read([{**row, "acc": None} if i == 5 else row for i, row in enumerate(ROWS)], missing="drop-datasets")

    assert table.dropped == ("d0",)
    assert [one.dataset for one in table.folds] == ["d1"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [*ROWS, ROWS[0]],
            "in each fold of a dataset, but several scores belong to 'd0', 'A', '0', '8' (rows 1, 49)",
        ),
        (ROWS[1:], "1 score is missing: 'd0' / 'A'"),
        (
            [row for row in ROWS if (row["dataset"], row["run"], row["fold"]) != ("d1", 1, 9)],
            "repeat '1' lacks fold '9'",
        ),
        ([{**row, "n_test": 0} for row in ROWS], "the size of a set must be above 0, not 0"),
        ([{**row, "n_test": "ten"} for row in ROWS], "'ten' is not a number"),
    ],
)
def test_incomplete_runs_are_refused(rows: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(TableError) as error:
        read(rows)

    assert message in str(error.value)


def test_several_scores_without_a_column_of_folds_are_refused_with_a_hint() -> None:
    with pytest.raises(TableError, match=r"name their column with columns={'fold': ...}"):
        read_table(io.StringIO("dataset,model,x,score\nd,a,1,0.5\nd,a,2,0.6\n"))


def test_repeats_and_folds_are_not_multiplied() -> None:
    """3,000 repeats of a fold each: 9 million places are not made to find out."""
    n = 3000
    numbers = [str(i) for i in range(n)]
    rows = {"dataset": ["d"] * n, "classifier": ["a", "b"] * (n // 2), "run": numbers, "fold": numbers}

    tracemalloc.start()
    with pytest.raises(TableError, match="each repeat of dataset 'd' must have the same folds"):
        read_table({**rows, "score": [0.5] * n})
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert most < 8 * n * n / 2
