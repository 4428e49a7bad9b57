"""Numbers, names and functions in a script for R: whole, quoted, and only those that are called."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.report.r_code import agreement, functions_for, matrix, number, string


@pytest.mark.parametrize(
    ("value", "written"), [(0.1, "0.1"), (1, "1.0"), (float("nan"), "NaN"), (float("inf"), "Inf"), (-np.inf, "-Inf")]
)
def test_numbers(value: float, written: str) -> None:
    assert number(value) == written


@pytest.mark.parametrize(
    ("name", "written"),
    [("SVM", '"SVM"'), ('a"b\\c', '"a\\"b\\\\c"'), ("é", '"\\U{e9}"'), ("'; q()", '"\'; q()"')],
)
def test_names_are_quoted(name: str, written: str) -> None:
    assert string(name) == written


def test_missing_scores_are_na() -> None:
    assert "  0.5, NA\n" in matrix("scores", np.array([[0.5, np.nan]]), ["d"], ["a", "b"])


def test_line_that_compares() -> None:
    assert agreement("its p", 0.25, "p", tolerance="slack = 1") == 'agree("its p", 0.25, p, slack = 1)'


def test_functions_come_with_those_that_they_call_and_no_others() -> None:
    code = functions_for("by_friedman_dunnett(ranks)")

    assert all(f"\n{name} <- function" in f"\n{code}" for name in ("by_friedman_dunnett", "rank_z", "largest_of"))
    assert "by_conover" not in code
    assert code.isascii()
