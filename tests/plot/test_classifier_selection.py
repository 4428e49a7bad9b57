"""Which classifiers are drawn: the best, in the order of the comparison or of the mean ranks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evalstats import compare, example_table
from evalstats.plot.classifier_selection import drawn_classifiers, table_of


def test_best_come_first() -> None:
    """Demšar (2006), Table 6: mean ranks 3.14, 2.00, 2.93 and 1.93 in the order of the columns."""
    table = example_table("demsar-2006")

    assert drawn_classifiers(table, 2).names == ("C4.5+m+cf", "C4.5+m")
    assert drawn_classifiers(table, 9).columns == [3, 1, 2, 0]
    assert drawn_classifiers(compare(table), 9).names == compare(table).ranking


def test_of_losses_the_smallest_are_the_best() -> None:
    table = example_table("demsar-2006")

    losses = replace(table, scores=-table.scores, greater_is_better=False)

    assert drawn_classifiers(losses, 9) == drawn_classifiers(table, 9)


def test_missing_scores_are_no_obstacle(incomplete) -> None:
    assert np.isnan(incomplete.table.scores).any()
    assert drawn_classifiers(incomplete.table, 4).names[0] == "classifier 3"


def test_sentence_counts_who_is_not_drawn() -> None:
    table = example_table("demsar-2006")

    assert drawn_classifiers(table, 4).sentences == ()
    assert drawn_classifiers(table, 3).sentences == ("Drawn are the best 3 of 4 classifiers, by their mean rank.",)


def test_messages() -> None:
    with pytest.raises(TypeError, match="data must be a ScoreTable or a comparison, not list"):
        table_of([[1, 2]])
    with pytest.raises(ValueError, match="at_most must be at least 1, not 0"):
        drawn_classifiers(example_table("demsar-2006"), 0)
