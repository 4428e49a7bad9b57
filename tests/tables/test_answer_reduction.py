"""Several answers to one item become one score, as the formulas of pass@k say."""

from __future__ import annotations

import itertools
import math

import pytest

from evalstats.tables.items import is_reducer, reduced


@pytest.mark.parametrize(
    ("name", "expected"),
    [("mean", 0.4), ("median", 0.0), ("max", 1.0), ("mode", 0.0), ("majority", 0.0), ("at_least_2", 1.0)],
)
def test_named_ways(name: str, expected: float) -> None:
    assert reduced([1, 0, 0, 1, 0], name) == expected


@pytest.mark.parametrize(("n_right", "k"), [(0, 1), (1, 2), (2, 2), (3, 1), (3, 3), (4, 2)])
def test_pass_at_k_and_pass_k_count_all_choices_of_k_answers(n_right: int, k: int) -> None:
    """Both are means over every choice of k among the answers."""
    answers = [1] * n_right + [0] * (5 - n_right)
    choices = list(itertools.combinations(answers, k))

    assert reduced(answers, f"pass_at_{k}") == pytest.approx(sum(map(any, choices)) / len(choices), abs=1e-15)
    assert reduced(answers, f"pass_k_{k}") == pytest.approx(sum(map(all, choices)) / len(choices), abs=1e-15)


def test_answers_that_were_not_scored_do_not_count() -> None:
    assert reduced([1, math.nan, 0]) == 0.5
    assert math.isnan(reduced([math.nan, math.nan]))
    assert math.isnan(reduced([1, math.nan], "pass_at_2"))


def test_majority_is_one_of_all_answers() -> None:
    """An answer that was not scored withholds its vote without lowering the bar."""
    assert reduced([1, 1, math.nan], "majority") == 1
    assert math.isnan(reduced([1, math.nan, math.nan, 0], "majority"))


def test_reducers_are_known_by_name() -> None:
    assert [is_reducer(name) for name in ("mean", "pass_at_5", "at_least_1", "collect", "pass_at_", "")] == [
        *(True, True, True, False, False, False)
    ]
