"""The script for R: it parses, it is ASCII, and R finds the numbers of the comparison."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalstats import Comparison, InvalidTypeError, compare, example_table, report

R = shutil.which("Rscript")
needs_r = pytest.mark.skipif(R is None and os.environ.get("EVALSTATS_REQUIRE_R") != "1", reason="R is not installed")


def run(comparison: Comparison, folder: Path) -> str:
    assert R is not None, "EVALSTATS_REQUIRE_R is set, but there is no Rscript"
    (folder / "check.R").write_text(report.r_script(comparison), encoding="ascii")
    done = subprocess.run(
        [R, "--vanilla", "check.R"], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_names_are_quoted_text(named: Callable[[str], Comparison]) -> None:
    script = report.r_script(named("all pairs: nasty names"))
    outside = re.sub(r"#.*", "", re.sub(r'"(\\.|[^"\\])*"', "", script))

    assert script.isascii()
    assert "script" not in outside
    assert "`" not in outside
    assert r'"\U{e9}"' not in script
    assert r"na\U{ef}ve Bayes \U{68ee}\U{6797}" in script


def test_script_holds_every_score(comparison: Comparison) -> None:
    script = report.r_script(comparison)
    body = script[script.index("scores <- matrix(c(") : script.index("), nrow = ")]

    numbers = [np.nan if x == "NA" else float(x) for x in re.findall(r"-?\d[\d.e-]*|NA", body)]

    np.testing.assert_array_equal(numbers, comparison.table.scores.ravel())


@needs_r
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
def test_r_agrees(named: Callable[[str], Comparison], tmp_path: Path, name: str, n_numbers: int) -> None:
    lines = run(named(name), tmp_path).splitlines()

    assert [line for line in lines if not line.startswith("agrees ")] == []
    assert len(lines) == n_numbers


@needs_r
def test_r_agrees_on_many_classifiers(named: Callable[[str], Comparison], tmp_path: Path) -> None:
    printed = run(named("all pairs: 30 classifiers"), tmp_path)

    assert "DIFFERS" not in printed
    assert printed.count("agrees ") == 30 + 4 + 1 + 435


@needs_r
def test_r_agrees_in_single_precision(tmp_path: Path) -> None:
    """There equal scores have six digits in common, and the text says so too."""
    counts = np.array([[31, 30], [43, 41], [27, 29], [38, 38], [22, 19], [35, 31], [40, 35], [28, 22]])
    comparison = compare(pd.DataFrame((counts / 50).astype("float32"), columns=["NB", "SVM"]))

    assert "differences that agree to 6 significant digits of the scores are ties" in report.r_script(comparison)
    assert "Scores that agree to 6 significant digits counted as ties." in " ".join(report.text(comparison).split())
    assert run(comparison, tmp_path).count("agrees ") == 4


@needs_r
def test_nothing_to_test_is_said(named: Callable[[str], Comparison], tmp_path: Path) -> None:
    assert run(named("two: everything tied"), tmp_path) == "All differences are zero: there is nothing to test.\n"


@pytest.mark.parametrize("choice", [{"posthoc": "miller"}, {"posthoc": "friedman-dunnett", "control": "C4.5"}])
def test_other_tests_with_a_critical_difference_are_not_taken_for_the_usual_ones(choice: dict[str, str]) -> None:
    script = report.r_script(compare(example_table("demsar-2006"), **choice))

    assert "# not computed anew: " in script
    assert "critical difference" not in script


def test_one_dataset_is_refused() -> None:
    one = compare({"dataset": ["d"] * 4, "classifier": list("AABB"), "fold": [1, 2, 1, 2], "acc": [0.8, 0.9, 0.7, 0.6]})

    with pytest.raises(InvalidTypeError, match="what compare returned for several datasets, not OneDatasetComparison"):
        report.r_script(one)
