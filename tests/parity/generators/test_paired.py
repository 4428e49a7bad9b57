"""Inputs for pairs of classifiers are legal, and reach every alternative and null distribution."""

from __future__ import annotations

import pytest

ROOM = "paired"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


@pytest.mark.parametrize(
    ("function", "argument", "choices"),
    [
        ("sign_test", "ties", {"drop", "split", "keep"}),
        ("wilcoxon_test", "zero_method", {"wilcox", "pratt", "zsplit"}),
        ("wilcoxon_test", "method", {"auto", "exact", "asymptotic"}),
        ("ttest_10x10", "averaging", {"all", "folds", "runs", "sorted-runs"}),
        ("mcnemar_test", "method", {"exact", "midp", "asymptotic"}),
        ("square_table_test", "method", {"bowker", "stuart-maxwell", "bhapkar"}),
        ("delong_unpaired_test", "df", {"welch", "infinite"}),
    ],
)
def test_every_choice_is_drawn(values, function: str, argument: str, choices: set[str]) -> None:
    assert values(ROOM, function, argument) == choices


@pytest.mark.parametrize(
    "function",
    [
        "clustered_permutation_test", "clustered_ttest", "corrected_ttest", "delong_test", "mcnemar_test",
        "metric_permutation_test", "naive_resampled_ttest",
        "paired_ttest", "permutation_test", "sign_test", "ttest_5x2cv", "ttest_10x10", "wilcoxon_test",
    ],
)  # fmt: skip
def test_every_alternative_is_drawn(values, function: str) -> None:
    assert values(ROOM, function, "alternative") == {"two-sided", "less", "greater"}


def test_answers_are_always_alike_to_never(drawn) -> None:
    instances = [one for one in drawn(ROOM, "mcnemar_test") if "x" in one]
    shares = {sum(a != b for a, b in zip(one["x"], one["y"], strict=True)) / len(one["x"]) for one in instances}

    assert {0.0, 1.0} < shares
    assert {"clusters" in one for one in instances} == {True, False}


@pytest.mark.parametrize("function", ["paired_ttest", "corrected_ttest", "naive_resampled_ttest"])
def test_t_tests_have_two_pairs(drawn, function: str) -> None:
    assert min(len(one["x"]) for one in drawn(ROOM, function)) == 2


def test_five_by_two_is_five_by_two(drawn) -> None:
    assert {(len(one["x"]), *map(len, one["y"])) for one in drawn(ROOM, "ftest_5x2cv")} == {(5, 2, 2, 2, 2, 2)}


def test_long_permutations_have_few_digits(drawn) -> None:
    """The exact distribution of coin takes whole numbers, and small ones."""
    for one in drawn(ROOM, "permutation_test"):
        assert len(one["x"]) < 40 or all(value == int(value) for value in [*one["x"], *one["y"]])
