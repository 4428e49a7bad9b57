"""Inputs for tables of several classifiers are legal, and reach every null distribution that R has."""

from __future__ import annotations

import math

import pytest

ROOM = "multiple"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


@pytest.mark.parametrize(
    ("function", "methods"),
    [
        ("friedman_test", {"chi2", "f", "exact"}),
        ("cochran_q_test", {"chi2", "exact"}),
        ("quade_test", {"f", "exact"}),
        ("friedman_aligned_test", {"chi2", "exact"}),
        ("durbin_test", {"chi2", "f"}),
        ("page_test", {"asymptotic", "exact"}),
        ("friedman_exact_posthoc_test", {"exact", "normal"}),
    ],
)
def test_every_null_distribution_is_drawn(values, function: str, methods: set[str]) -> None:
    assert values(ROOM, function, "method") == methods


@pytest.mark.parametrize("function", ["friedman_test", "quade_test", "friedman_aligned_test"])
def test_exact_distributions_are_asked_of_small_tables(drawn, function: str) -> None:
    shapes = {(len(one["scores"]), len(one["scores"][0])) for one in drawn(ROOM, function) if one["method"] == "exact"}

    assert all(k == 2 or n * k <= 12 for n, k in shapes), shapes


@pytest.mark.parametrize(
    "function",
    ["friedman_test", "nemenyi_test", "bonferroni_dunn_test", "conover_test", "durbin_test", "page_test", "quade_test"],
)
def test_both_directions_are_drawn(values, function: str) -> None:
    assert values(ROOM, function, "greater_is_better") == {True, False}


@pytest.mark.parametrize("function", ["conover_test", "siegel_castellan_test", "quade_posthoc_test"])
def test_all_pairs_and_a_control_are_drawn(values, function: str) -> None:
    assert {None, 0, 1} < values(ROOM, function, "control")
    assert values(ROOM, function, "adjust") == {"none", "bonferroni", "holm", "hochberg", "hommel"}


def test_scores_are_missing_from_none_to_most(drawn) -> None:
    shares = []
    for one in drawn(ROOM, "skillings_mack_test"):
        cells = [score for row in one["scores"] for score in row]
        shares.append(sum(map(math.isnan, cells)) / len(cells))

    assert min(shares) == 0
    assert max(shares) > 0.7
