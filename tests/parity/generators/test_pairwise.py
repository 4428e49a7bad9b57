"""Inputs for all pairs of a table are legal, and reach a control, copies and every adjustment."""

from __future__ import annotations

import pytest

ROOM = "pairwise"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


ALL = ("none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by")
FUNCTIONS = (
    "pairwise_corrected_ttest", "pairwise_paired_ttest", "pairwise_sign_test", "pairwise_wilcoxon_test",
    "pairwise_mcnemar_test", "pairwise_delong_test",
)  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_adjustment_with_and_without_a_control(drawn, function: str) -> None:
    drawn_together = {(one["adjust"], one.get("control") is not None) for one in drawn(ROOM, function)}

    assert drawn_together == {(adjust, control) for adjust in ALL for control in (True, False)}


@pytest.mark.parametrize("function", FUNCTIONS[:4])
def test_some_classifiers_are_copies(drawn, function: str) -> None:
    assert any(
        len(one["scores"]) > 2 and all(row[0] == row[-1] for row in one["scores"]) for one in drawn(ROOM, function)
    )


def test_pratt_is_not_corrected_for_continuity_where_r_has_no_such_test(drawn) -> None:
    for one in drawn(ROOM, "pairwise_wilcoxon_test"):
        assert not (one["correction"] and one["zero_method"] == "pratt" and one["method"] == "asymptotic")
