"""Repeats of a table tell, in the report, how often another run would have said the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from evalstats import Comparison, compare
from evalstats.report import document
from evalstats.report.comparisons.reproducibility import overlap_table
from evalstats.reproducibility import overlap_matrix

NAMED = Callable[[str], Comparison]
RUNS = [[0.9, 0.8, 0.7], [0.8, 0.8, 0.6], [0.7, 0.9, 0.5], [0.9, 0.7, 0.6]]


def test_counts_are_wins_ties_and_losses_of_the_first() -> None:
    table = overlap_table(("A", "B", "C"), [("A", "B"), ("B", "C")], overlap_matrix(RUNS), "better score")

    assert [row[:3] for row in table.rows] == [("A", "B", "2/1/1"), ("B", "C", "4/0/0")]
    assert [column.head for column in table.columns] == ["First", "Second", "Ahead", "R", "Interval"]


def test_reproducibility_and_its_interval_are_those_of_the_record() -> None:
    overlap = overlap_matrix(RUNS)
    interval = overlap.confidence_interval()

    (row,) = overlap_table(("A", "B", "C"), [("A", "B")], overlap, "better score").rows

    assert row[3] == f"{overlap.reproducibility[0, 1]:.2f}"
    assert row[4] == f"{interval.low[0, 1]:.2f} to {interval.high[0, 1]:.2f}"


def test_several_classifiers_have_rankings_and_significant_runs(named: NAMED, section, said) -> None:
    comparison = named("all pairs: repeats")
    part = section(document(comparison), "reproducibility")
    verdicts, words = comparison.reproducibility, said(part)

    assert "Applied to each run separately, the Friedman test rejects in " in words
    assert "Two runs give the same ranking of all classifiers with probability " in words
    heads = [column.head for column in part.blocks[1].columns]
    assert heads[-1] == "Significant"
    at = comparison.table.classifiers.index
    assert [row[-1] for row in part.blocks[1].rows] == [
        f"{verdicts.n_significant[at(a), at(b)]}/{verdicts.n_significant[at(b), at(a)]}"
        for a, b, *_ in part.blocks[1].rows
    ]


def test_two_classifiers_are_told_who_was_favored(named: NAMED, section, said) -> None:
    comparison = named("two: repeats")
    pvalues, words = comparison.pvalues_over_runs, said(section(document(comparison), "reproducibility"))
    first, second = comparison.table.classifiers

    assert f"{pvalues.n_reject_first} in favor of {first}, {pvalues.n_reject_second} in favor of {second}" in words
    assert "same ranking" not in words


def test_one_dataset_is_told_by_its_repeats(section, said) -> None:
    at = list(np.ndindex(4, 5, 2))
    scores = np.random.default_rng(1).random((4, 5, 2))
    rows = {"dataset": ["d"] * len(at), "repeat": [r for r, *_ in at], "fold": [f for _, f, _ in at]}
    rows |= {"classifier": ["AB"[c] for *_, c in at], "accuracy": [float(scores[one]) for one in at]}

    words = said(section(document(compare(rows)), "reproducibility"))

    assert "4 repeats of the cross-validation, which differ by their seed" in words


@pytest.mark.parametrize("name", ["all pairs: repeats", "two: repeats"])
def test_raeder_is_cited(named: NAMED, name: str) -> None:
    assert "raeder2010" in document(named(name)).cited
