"""Values with their intervals: what is drawn for pairs on one dataset, and for very many classifiers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalstats import Comparison, compare, example_table
from evalstats.cd_layout import Diagram
from evalstats.report.interval_list import IntervalList, difference_list, drawing_of, place_list, rank_list


def many(k: int = 60, **choices: object) -> Comparison:
    rng = np.random.default_rng(1)
    scores = rng.random((30, 1)) + rng.normal(0, 0.05, (30, k)) + np.linspace(0, 0.2, k)
    made: Comparison = compare(scores, rows_are="datasets", **choices)
    return made


def one(k: int = 3) -> object:
    rng = np.random.default_rng(1)
    names = {"dataset": ["d"] * 10 * k, "classifier": [c for c in "abcdefgh"[:k] for _ in range(10)]}
    return compare(
        names | {"fold": [*range(10)] * k, "accuracy": rng.normal(np.repeat(np.arange(k), 10) / 9, 0.1).tolist()}
    )


def test_which_drawing() -> None:
    assert isinstance(drawing_of(compare(example_table("demsar-2006"))), Diagram)
    assert isinstance(drawing_of(many(40)), Diagram)
    assert isinstance(drawing_of(many(41)), IntervalList)
    assert isinstance(drawing_of(one()), IntervalList)
    assert drawing_of(compare(example_table("raeder-2010-seed-216"))) is None


def test_pairs_on_one_dataset() -> None:
    comparison = one()
    drawn = difference_list(comparison)

    for row, pair in zip(drawn.rows, comparison.pairs, strict=True):
        assert row.name == f"{pair.first} − {pair.second}"
        assert (row.value, row.low, row.high, row.full) == (pair.difference, pair.low, pair.high, pair.different)
        assert drawn.low < min(row.low, 0) <= max(row.high, 0) < drawn.high


def test_intervals_of_ranks_do_not_overlap_where_two_differ() -> None:
    comparison = many(posthoc="nemenyi")
    rows = rank_list(comparison, 60).rows
    at = comparison.table.position

    for a in rows:
        for b in rows:
            if a.value < b.value:
                assert comparison.different[at(a.name), at(b.name)] == (a.high <= b.low)


def test_best_are_shown_and_the_others_counted() -> None:
    comparison = many()
    drawn = rank_list(comparison)

    assert [row.name for row in drawn.rows] == list(comparison.ranking[:40])
    assert "The list shows the best 40 of 60 classifiers." in drawn.caption[0]


def test_no_line_without_a_critical_difference() -> None:
    drawn = rank_list(many(adjust="bonferroni"))

    assert all(math.isnan(row.low) for row in drawn.rows)
    assert not any("critical difference" in sentence for sentence in drawn.caption)


def test_nothing_is_concluded_where_the_leading_test_does_not_reject() -> None:
    rng = np.random.default_rng(2)
    comparison = compare(rng.random((10, 45)), rows_are="datasets", posthoc="nemenyi", alpha=0.0001)

    assert "no conclusion is possible" in rank_list(comparison).caption[-1]
    assert not any(row.full for row in rank_list(comparison).rows)


@pytest.mark.parametrize("drawn", [rank_list(many()), difference_list(one())], ids=["ranks", "differences"])
def test_everything_has_its_place(drawn: IntervalList) -> None:
    picture = place_list(drawn, len, longest_name=20)
    axis = next(s for s in picture.segments if s.kind == "axis")

    assert all(axis.x1 <= x <= axis.x2 for s in picture.segments for x in (s.x1, s.x2))
    assert all(0 <= y <= picture.height for s in picture.segments for y in (s.y1, s.y2))
    assert sum(s.kind == "dot" for s in picture.segments) == len(drawn.rows)
    assert sum(s.kind == "hole" for s in picture.segments) == sum(not row.full for row in drawn.rows)
    ticks = [float(t.text.replace("−", "-")) for t in picture.texts if t.kind == "tick"]
    assert 2 <= len(ticks) <= 6
    assert all(drawn.low <= tick <= drawn.high for tick in ticks)
