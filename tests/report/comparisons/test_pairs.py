"""The pairs of every design stand in one table: what was measured, the p-values, the decision and the counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evalstats import compare, example_table
from evalstats.report.blocks import Table
from evalstats.report.comparisons.comparison_tables import each_tested_words, pairs_table


def graded(k: int = 3) -> dict[str, list[Any]]:
    """Return graded answers of models to 40 questions."""
    scores = np.random.default_rng(3).random((k, 40)).round(2) + np.arange(k)[:, None]
    rows = [(f"m{m}", f"q{i}", float(scores[m, i])) for m in range(k) for i in range(40)]
    return dict(zip(("model", "question", "score"), map(list, zip(*rows, strict=True)), strict=True))


def folds() -> dict[str, list[Any]]:
    scores = np.random.default_rng(4).normal(0.8, 0.02, (3, 10)) + np.array([[0], [0.001], [0.1]])
    return {"classifier": [*"A" * 10, *"B" * 10, *"C" * 10], "fold": [*range(10)] * 3, "acc": scores.ravel().tolist()}


@pytest.mark.parametrize("source", [graded, folds])
def test_differences_have_one_table(source: Any) -> None:
    comparison = compare(source())
    *few, table = pairs_table(comparison, 100)

    assert not few
    assert isinstance(table, Table)
    heads = ["First", "Second", "Difference", "Interval", "p", "p adj.", "Shown to differ", "W/T/L"]
    assert [column.head for column in table.columns] == heads
    assert [row[:2] for row in table.rows] == [(pair.first, pair.second) for pair in comparison.pairs]
    assert [row[6] for row in table.rows] == ["yes" if pair.different else "no" for pair in comparison.pairs]
    assert table.marked == tuple(pair.different for pair in comparison.pairs)


def test_ranks_have_the_measure_of_their_test() -> None:
    comparison = compare(example_table("demsar-2006"), posthoc="nemenyi")
    table = pairs_table(comparison, 100)[-1]

    assert isinstance(table, Table)
    assert "Rank diff." in [column.head for column in table.columns]


def test_smallest_pvalues_are_shown_where_not_all_are() -> None:
    said, table = pairs_table(compare(graded()), 1)

    assert isinstance(table, Table)
    assert len(table.rows) == 1
    assert "1 of 3 pairs with the smallest p-values" in str(said)


def test_words_say_how_each_pair_was_tested() -> None:
    said = each_tested_words(compare(graded()))

    assert said.startswith("Each pair was compared by the cluster-robust t-test; the p-values are adjusted by Holm's")
    assert said.endswith("All 3 pairs are shown to differ.")
