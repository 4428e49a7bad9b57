"""Inputs for p-values are legal, and reach every adjustment that R has."""

from __future__ import annotations

import pytest

ROOM = "adjustment"


def test_our_functions_take_what_is_drawn(refusals) -> None:
    assert refusals(ROOM) == []


@pytest.mark.parametrize(
    ("function", "methods"),
    [
        (
            "adjust_pvalues",
            {"bonferroni", "sidak", "holm", "holm-sidak", "hochberg", "hommel", "finner", "holland", "bh", "by"},
        ),
        ("adjust_pairwise", {"bonferroni", "holm", "hochberg", "hommel", "bh", "by", "bergmann-hommel"}),
    ],
)
def test_every_method_is_drawn(values, function: str, methods: set[str]) -> None:
    assert values(ROOM, function, "method") == methods


def test_pvalues_reach_zero_one_and_ties(drawn) -> None:
    samples = [one["pvalues"] for one in drawn(ROOM, "adjust_pvalues")]

    assert {0.0, 1.0} <= {p for sample in samples for p in sample}
    assert any(len(set(sample)) < len(sample) for sample in samples)
    assert any(0 < p < 1e-200 for sample in samples for p in sample)


def test_matrices_are_symmetric_and_bergmann_hommel_has_few_classifiers(drawn) -> None:
    for one in drawn(ROOM, "adjust_pairwise"):
        matrix = one["pvalues"]
        assert matrix == [list(column) for column in zip(*matrix, strict=True)]
        assert len(matrix) <= 4 or one["method"] != "bergmann-hommel"
        assert one["enforce_monotonicity"] == (one["method"] == "bergmann-hommel")
