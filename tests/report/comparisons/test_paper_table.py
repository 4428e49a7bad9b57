"""The table of datasets x classifiers: best, second, mean ranks, and who is not shown to differ."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from evalstats import Comparison, ScoreTable, compare
from evalstats.report.blocks import Table
from evalstats.report.comparisons.comparison_tables import paper_table


def of(scores: object, **choices: object) -> Table:
    values = np.asarray(scores, dtype=float)
    names = {"datasets": [f"d{i}" for i in range(len(values))], "classifiers": list("ABCD")[: values.shape[1]]}
    better = bool(choices.pop("greater_is_better", True))
    return paper_table(compare(ScoreTable(scores=values, metric="AUC", greater_is_better=better, **names), **choices))


def test_best_and_second_of_each_row() -> None:
    table = of([[0.5, 0.7, 0.6], [0.9, 0.8, 0.9], [0.3, 0.2, 0.2], [0.4, 0.4, 0.4]])

    assert {place for place in table.best if place[0] < 4} == {(0, 2), (1, 1), (1, 3), (2, 1)}
    # no second beside two that are best together; all that share the second place
    assert {place for place in table.second if place[0] < 4} == {(0, 3), (2, 2), (2, 3)}


def test_noise_breaks_no_tie() -> None:
    table = of([[0.3 - 0.2, 0.9 - 0.8, 0.05]] * 3)

    assert {(0, 1), (0, 2)} <= table.best


def test_lower_is_better() -> None:
    table = of([[0.5, 0.7, 0.6]] * 3, greater_is_better=False)

    assert (0, 1) in table.best
    assert (0, 3) in table.second
    assert "lower is better" in table.caption


def test_mean_ranks_stand_at_the_foot_with_their_marks(named: Callable[[str], Comparison]) -> None:
    table = paper_table(named("all pairs: some differ"))

    assert table.foot
    assert table.rows[-1] == ("Mean rank", "3.143", "2.000°", "2.929°", "1.929")
    assert (14, 4) in table.best
    assert "° not shown to differ from the best, C4.5+m+cf (Nemenyi test" in table.caption


def test_no_mark_where_nothing_is_concluded(named: Callable[[str], Comparison]) -> None:
    for name in ("all pairs: not rejected", "two: first better"):
        table = paper_table(named(name))

        assert "°" not in table.caption + "".join(table.rows[-1])


def test_control_is_who_others_are_not_shown_to_differ_from(named: Callable[[str], Comparison]) -> None:
    comparison = named("control: one better")
    foot = dict(zip(comparison.table.classifiers, paper_table(comparison).rows[-1][1:], strict=True))

    assert {name for name, text in foot.items() if text.endswith("°")} == {"C4.5+m", "C4.5+cf"}


def test_numbers_have_the_same_decimals_and_no_more_than_four_digits() -> None:
    assert of([[0.5, 0.71], [0.25, 1]]).rows[0] == ("d0", "0.50", "0.71")
    assert of([[1 / 3, 0.71], [0.25, 1]]).rows[0] == ("d0", "0.3333", "0.7100")
    assert of([[93.3, 71], [25, 88]]).rows[1] == ("d1", "25.0", "88.0")


def test_missing_scores_are_dashes(named: Callable[[str], Comparison]) -> None:
    comparison = named("all pairs: scores missing")
    shown = [cell for row in paper_table(comparison).rows for cell in row]

    assert shown.count("–") == len(comparison.table.missing)
