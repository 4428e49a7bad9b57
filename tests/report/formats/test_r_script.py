"""The script for R: it parses, it is ASCII, and R finds the numbers of the comparison."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from evalstats import Comparison, InvalidTypeError, compare, example_table, report


def test_names_are_quoted_text(named: Callable[[str], Comparison]) -> None:
    script = report.r_script(named("all pairs: nasty names"))
    outside = re.sub(r"#.*", "", re.sub(r'"(\\.|[^"\\])*"', "", script))

    assert script.isascii()
    assert "script" not in outside
    assert "`" not in outside
    assert r'"\U{e9}"' not in script
    assert r"na\U{ef}ve Bayes \U{68ee}\U{6797}" in script


def test_script_holds_every_score(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        script = report.r_script(comparison)
        body = script[script.index("scores <- matrix(c(") : script.index("), nrow = ")]

        numbers = [np.nan if x == "NA" else float(x) for x in re.findall(r"-?\d[\d.e-]*|NA", body)]

        np.testing.assert_array_equal(numbers, comparison.table.scores.ravel())


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "n_numbers"),
    [
        ("all pairs: some differ", 15),
        ("all pairs: nasty names", 13),
        ("all pairs: everything tied", 15),
        ("all pairs: one dataset", 7),
        ("all pairs: lower is better", 9),
        ("all pairs: one order, few datasets", 13),
        ("control: better and worse", 12),
        ("two: not rejected", 4),
        ("two: lower is better", 4),
        ("two: asymptotic, few datasets", 4),
    ],
)
def test_r_agrees(named: Callable[[str], Comparison], in_r: Callable[[object], str], name: str, n_numbers: int) -> None:
    lines = in_r(named(name)).splitlines()

    assert [line for line in lines if not line.startswith(("agrees ", "NOT CHECKED: "))] == []
    assert sum(line.startswith("agrees ") for line in lines) == n_numbers


def test_r_agrees_on_many_classifiers(named: Callable[[str], Comparison], in_r: Callable[[object], str]) -> None:
    printed = in_r(named("all pairs: 30 classifiers"))

    assert "DIFFERS" not in printed
    assert printed.count("agrees ") == 30 + 4 + 1 + 435


def test_r_agrees_in_single_precision(in_r: Callable[[object], str]) -> None:
    """There equal scores have six digits in common, and the text says so too."""
    counts = np.array([[31, 30], [43, 41], [27, 29], [38, 38], [22, 19], [35, 31], [40, 35], [28, 22]])
    comparison = compare(pd.DataFrame((counts / 50).astype("float32"), columns=["NB", "SVM"]))

    assert "digits <- 6  # scores that agree to this number of significant digits are ties" in report.r_script(
        comparison
    )
    assert "Scores that agree to 6 significant digits counted as ties." in " ".join(report.text(comparison).split())
    assert in_r(comparison).count("agrees ") == 4


def test_nothing_to_test_is_said(named: Callable[[str], Comparison], in_r: Callable[[object], str]) -> None:
    assert in_r(named("two: everything tied")) == "All differences are zero: there is nothing to test.\n"


def test_what_is_no_comparison_is_refused() -> None:
    with pytest.raises(InvalidTypeError, match="comparison must be a result of compare, not ScoreTable"):
        report.r_script(example_table("demsar-2006"))


def test_what_stands_beside_the_tests_is_named_as_not_checked() -> None:
    comparison = compare(example_table("demsar-2006"), margin=0.02, rope=0.01, robustness=True, stability=True)
    lines = [line for line in report.r_script(comparison).splitlines() if line.startswith("not_checked(")]

    assert [line.split('"')[1] for line in lines][-4:] == [
        "the intervals against the margin",
        "the posterior probabilities",
        "the other analyses",
        "the stability of the ranking",
    ]
