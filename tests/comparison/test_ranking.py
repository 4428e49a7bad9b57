"""The ranking of a comparison as a table: best first, as the report shows it."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import compare, example_table, report


def test_table_of_the_ranking() -> None:
    comparison = compare(example_table("demsar-2006"), alpha=0.10)
    frame = comparison.ranks.to_frame()

    assert list(frame.columns) == ["classifier", "mean_rank", "mean_score", "median_score", "letters"]
    assert list(frame["classifier"]) == list(comparison.ranking)
    assert list(frame["mean_rank"]) == [comparison.mean_rank(name) for name in comparison.ranking]
    assert list(frame["letters"]) == ["a", "ab", "bc", "c"]
    scores = comparison.table.scores[:, comparison.table.position("C4.5+m+cf")]
    assert frame["mean_score"][0] == pytest.approx(scores.mean())
    assert frame["median_score"][0] == np.median(scores)


def test_no_letters_where_nothing_is_concluded() -> None:
    by_ranks = compare(example_table("demsar-2006"), posthoc="nemenyi", alpha=0.001)
    assert "letters" not in by_ranks.ranks.to_columns()
    assert "letters" not in compare(example_table("demsar-2006"), control="C4.5").ranks.to_columns()


def test_one_dataset_has_scores_and_no_mean_ranks() -> None:
    folds = {"dataset": ["d"] * 20, "classifier": ["a"] * 10 + ["b"] * 10, "fold": [*range(10)] * 2}
    comparison = compare(folds | {"accuracy": [0.5 + i / 30 + i % 3 / 100 for i in range(20)]})

    assert comparison.ranks.mean_ranks is None
    assert comparison.ranks.classifiers == ("b", "a")


def test_verdict_is_the_text_of_a_comparison() -> None:
    comparison = compare(example_table("demsar-2006"))

    assert str(comparison) == comparison.verdict == report.sentence(comparison)
    assert comparison.verdict in " ".join(report.text(comparison).split())
