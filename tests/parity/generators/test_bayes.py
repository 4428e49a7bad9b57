"""Inputs for posteriors are legal, and reach ropes, priors and correlations."""

from __future__ import annotations

import pytest

ROOM = "bayes"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


@pytest.mark.parametrize("function", ["bayes_correlated_ttest", "bayes_pairwise_correlated_ttest"])
def test_correlation_is_given_or_follows_from_the_sizes(drawn, function: str) -> None:
    kinds = [("correlation" in one, "n_train" in one, "n_test" in one) for one in drawn(ROOM, function)]

    assert set(kinds) == {(True, False, False), (False, True, True)}


@pytest.mark.parametrize("function", ["bayes_sign_test", "bayes_pairwise_sign_test"])
def test_every_place_of_the_prior_is_drawn(values, function: str) -> None:
    assert values(ROOM, function, "prior_place") == {"less", "rope", "greater"}


def test_differences_stand_on_the_edge_of_the_rope(drawn) -> None:
    on_edge = [
        abs(a - b) == one["rope"]
        for one in drawn(ROOM, "bayes_sign_test")
        for a, b in zip(one["x"], one["y"], strict=True)
    ]

    assert 0.1 < sum(on_edge) / len(on_edge) < 0.9
