"""Inputs for designs are legal, and reach every test whose power is known."""

from __future__ import annotations

import pytest

ROOM = "design"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


@pytest.mark.parametrize(
    ("function", "tests"),
    [
        (
            "minimum_attainable_pvalue",
            {"sign", "wilcoxon", "permutation", "mcnemar", "friedman", "nemenyi", "bonferroni-dunn", "steel"},
        ),
        ("minimum_sample_size", {"sign", "wilcoxon", "permutation", "mcnemar"}),
        (
            "statistical_power",
            {"sign", "wilcoxon", "mcnemar", "paired-t", "corrected-t", "clustered-t", "auc", "battles"},
        ),
        ("required_sample_size", {"sign", "paired-t"}),
    ],
)
def test_every_test_is_drawn(values, function: str, tests: set[str]) -> None:
    assert values(ROOM, function, "test") == tests


def test_t_tests_are_not_asked_for_the_far_tail(drawn) -> None:
    sided = {one["alternative"] for one in drawn(ROOM, "statistical_power") if one["test"].endswith("-t")}

    assert sided == {"two-sided", "greater"}


def test_detectable_difference_is_asked_in_both_ways(drawn) -> None:
    kinds = {("discordance" in one, "accuracy" in one) for one in drawn(ROOM, "minimum_detectable_difference")}

    assert kinds == {(True, False), (False, True)}
