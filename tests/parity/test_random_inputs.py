"""What generators share: samples with ties and zeros, scores of every scale, each choice in turn."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from evalstats.parity import random_inputs as drawing
from evalstats.parity.fuzz import find_generator


def many(draw: Callable[..., Any], *arguments: Any, **choices: Any) -> list[Any]:
    return [draw(Random(seed), *arguments, **choices) for seed in range(400)]


def test_pairs_are_as_long_as_asked_for_and_sometimes_equal() -> None:
    drawn = many(drawing.pairs, smallest=3)

    assert all(len(one["x"]) == len(one["y"]) >= 3 for one in drawn)
    assert any(one["x"] == one["y"] for one in drawn)
    assert any(set(one["x"]) & set(one["y"]) == set() for one in drawn)


def test_two_samples_differ_in_length() -> None:
    drawn = many(drawing.two_samples, smallest=2)

    assert min(len(one[name]) for one in drawn for name in "xy") == 2
    assert any(len(one["x"]) != len(one["y"]) for one in drawn)


@pytest.mark.parametrize("draw", [drawing.table, drawing.scores_in_one_unit])
def test_tables_are_rectangular_and_as_large_as_asked_for(draw: Callable[..., Any]) -> None:
    assert all(len({len(row) for row in table}) == 1 for table in many(draw))
    assert {(len(table), len(table[0])) for table in many(draw, (5, 3))} == {(5, 3)}


def test_scores_in_one_unit_are_multiples_of_it() -> None:
    for table in many(drawing.scores_in_one_unit):
        assert all(score == round(score, 4) for row in table for score in row)


def test_values_reach_every_scale_and_no_noise_unless_asked_for() -> None:
    sizes = [abs(draw()) for draw in many(drawing.values, noise=False)]

    assert min(size for size in sizes if size) < 1e-100
    assert max(sizes) > 1e100
    assert 0 in sizes
    assert all(math.isfinite(size) for size in sizes)


def test_noise_breaks_ties_that_a_tolerance_mends() -> None:
    drawn = [[draw() for _ in range(40)] for draw in many(drawing.values, noise=True)]

    assert any(len(set(sample)) > len({float(f"{value:.12g}") for value in sample}) for sample in drawn)


def test_classes_are_both_there() -> None:
    for y_true in many(drawing.classes, smallest=2):
        assert min(y_true.count(0), y_true.count(1)) >= 2


def test_ranking_has_a_score_for_each_case() -> None:
    assert all(len(one["y_true"]) == len(one["y_score"]) for one in many(drawing.ranking))


def test_family_is_of_all_pairs_or_has_a_control_and_an_alternative() -> None:
    drawn = many(drawing.family, [[1.0, 2.0, 3.0]])

    assert {tuple(one.keys() - {"scores", "adjust"} and sorted(one)) for one in drawn} == {
        (),
        ("adjust", "alternative", "control", "scores"),
    }
    assert any(one["scores"][0][-1] == one["scores"][0][0] for one in drawn)


def test_control_is_a_classifier() -> None:
    drawn = many(drawing.pairs_of_classifiers, [[1.0, 2.0, 3.0]])

    assert {one.get("control") for one in drawn} == {None, 0, 1, 2}


MCNEMAR = find_generator("paired/mcnemar/mcnemar_test")


@pytest.mark.parametrize(
    ("draw", "values"),
    [
        (drawing.alternative, {"two-sided", "less", "greater"}),
        (drawing.confidence_level, {0.6, 0.9, 0.95, 0.99}),
        (drawing.level, {0.01, 0.05, 0.1, 0.5}),
        (lambda random: drawing.direction(random)["greater_is_better"], {True, False}),
        (
            lambda random: find_generator("paired/mcnemar/mcnemar_test")(random)["method"],
            {"exact", "midp", "asymptotic"},
        ),
    ],
    ids=["alternative", "confidence level", "level", "direction", "method of McNemar"],
)
def test_every_choice_is_drawn(draw: Callable[[Random], Any], values: set[Any]) -> None:
    assert set(many(draw)) == values
