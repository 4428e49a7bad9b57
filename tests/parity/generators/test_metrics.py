"""Inputs for metrics are legal, and reach none to all, and both sides of the diagonal."""

from __future__ import annotations

import pytest

ROOM = "metrics"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


@pytest.mark.parametrize("function", ["proportion_interval", "accuracy_interval"])
def test_both_intervals_are_drawn(values, function: str) -> None:
    assert values(ROOM, function, "method") == {"wilson", "clopper-pearson"}


def test_successes_reach_none_and_all(drawn) -> None:
    shares = {one["n_successes"] / one["n"] for one in drawn(ROOM, "proportion_interval")}

    assert {0.0, 1.0} < shares


def test_area_is_whole_or_a_part(values) -> None:
    assert values(ROOM, "roc_auc_score", "max_fpr") == {1, 0.05, 0.3, 0.5}


@pytest.mark.parametrize(("function", "least"), [("roc_curve", 1), ("auc_estimate", 2), ("delong_covariance", 2)])
def test_each_class_has_enough_cases(drawn, function: str, least: int) -> None:
    assert min(one["y_true"].count(c) for one in drawn(ROOM, function) for c in (0, 1)) == least


def test_cases_vary_together_in_one_stratum_and_in_several(drawn, values) -> None:
    inputs = drawn(ROOM, "clustered_mean")

    assert {len(set(one["strata"])) for one in inputs} == {1, 2, 3}
    assert any(len(set(one["clusters"])) < len(one["clusters"]) for one in inputs)
    assert values(ROOM, "clustered_mean", "average") == {"micro", "macro"}


@pytest.mark.parametrize("function", ["pass_at_k", "pass_hat_k", "majority_at_k"])
def test_no_question_has_fewer_samples_than_attempts(drawn, function: str) -> None:
    assert all(1 <= one["k"] <= min(one["n_samples"]) for one in drawn(ROOM, function))
