"""Inputs for repeated runs are legal, and reach two runs and many."""

from __future__ import annotations

import pytest

ROOM = "reproducibility"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


@pytest.mark.parametrize("function", ["overlap_matrix", "running_means"])
def test_runs_are_two_and_many(drawn, function: str) -> None:
    assert {len(one["runs"]) for one in drawn(ROOM, function)} == {2, 3, 8, 30}


def test_canonical_estimates_are_one_run_to_all(drawn) -> None:
    of_all = {
        (one["n_canonical"] == 1, one["n_canonical"] == len(one["scores"])) for one in drawn(ROOM, "long_run_mean")
    }

    assert of_all == {(True, False), (False, True), (False, False)}


def test_both_ways_to_pair_are_drawn(values) -> None:
    assert values(ROOM, "overlap", "pairing") == {"index", "all"}


def test_limits_of_bins_are_whole_and_rising(drawn) -> None:
    for one in drawn(ROOM, "run_histogram"):
        bins = one["bins"]
        assert bins == sorted(set(map(float, map(int, bins))))
        assert (bins[0], bins[-1]) == (0.0, 9.0)


def test_estimate_and_truth_are_pairs(drawn) -> None:
    assert {len(one["estimates"]) - len(one["truth"]) for one in drawn(ROOM, "estimation_bias")} == {0}
