"""The comparison with R in words: what differs first, then every function, then where the answers come from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evalstats import report
from evalstats.parity import ParityReport
from evalstats.parity.numeric_difference import Mismatch
from evalstats.parity.reference_cases import WithoutR
from evalstats.parity.validation import FunctionParity

WRONG = Mismatch(
    case="demo/subject/spread/plain",
    field="size",
    source="frozen",
    ours="narrow",
    r="na|row",
    difference=float("inf"),
    tolerance=1e-12,
    arguments={},
)


def row(**own: Any) -> FunctionParity:
    usual = {
        "statistic": "spread",
        "stem": "demo/subject",
        "asked": "base::mean",
        "source": "implementation",
        "second_source": None,
        "frozen_versions": {"R": "4.2.2"},
        "live_versions": {},
        "n_cases": 2,
        "n_frozen": 2,
        "n_live": 0,
        "n_generated": 0,
        "n_unanswered": 0,
        "largest_frozen": 0.0,
        "largest_live": None,
        "largest_generated": None,
        "tolerance": 1e-12,
        "widest_tolerance": 1e-12,
        "absolute_tolerance": 0.0,
        "reasons": (),
        "unanswered": {},
        "mismatches": (),
        "verdict": "agrees",
        "remark": None,
        "ok": True,
    }
    return FunctionParity(**(usual | own))


def of(*rows: FunctionParity, **own: Any) -> ParityReport:
    usual = {"live": None, "not_live": "none was requested", "seed": None, "complete": True}
    return ParityReport(rows=rows, **(usual | own))


def test_text_is_a_table_that_ends_with_the_verdict() -> None:
    wider = row(statistic="shift", widest_tolerance=1e-10, reasons=("an example of a reason",), largest_frozen=3e-11)

    assert report.text(of(row(), wider), width=100).splitlines() == [
        "Statistics against R",
        "════════════════════",
        "",
        "2 functions against implementations in R, on 4 cases: no mismatch.",
        "",
        "Functions",
        "─────────",
        "",
        "Statistic  Cases   Frozen  Live  Verdict",
        "────────────────────────────────────────",
        "spread         2        0     -  agrees",
        "shift          2  3.0e-11     -  agrees",
        "",
        "Number of manually written calls, and the largest relative difference from the stored results of R",
        "(frozen), from live R and on generated inputs; - means no comparison.",
        "",
        "Sources",
        "───────",
        "",
        "- 2 functions: R or one of its packages implements the statistic.",
        "",
        "Answers",
        "───────",
        "",
        "Stored results of R 4.2.2; no live results: none was requested. 2 functions against implementations",
        "in R, on 4 cases: no mismatch.",
    ]


def test_functions_are_counted_by_what_stands_behind_them() -> None:
    ours = row(statistic="shift", source="formula", second_source="a printed value: tests/test_shift.py::test_printed")
    without = WithoutR(function="other", reason="R has no such function", oracle="tests/test_other.py")
    text = report.markdown(of(row(), ours, without_r=(without,)))

    assert (
        "1 function against implementations in R and 1 function against R's distributions with our formula, on 4 cases"
        in text
    )
    assert "- shift: a printed value: tests/test\\_shift.py::test\\_printed" in text
    assert "- 1 function: R is not called" in text


def test_mismatches_and_reasons_are_listed() -> None:
    wrong = row(verdict="differs", ok=False, mismatches=(WRONG,), reasons=("an example of a reason",))
    text = report.markdown(of(wrong))

    assert "- spread: an example of a reason" in text
    assert "- demo/subject/spread/plain, size, frozen: ours 'narrow', R's 'na\\|row'" in text
    assert "1 function against implementations in R, on 2 cases: 1 mismatch." in text


def test_generated_mismatches_are_told_though_there_are_many_others() -> None:
    """They are small, and are shown with the lines that repeat them."""
    drawn = replace(WRONG, case="paired/sign/sign_test/generated-7", source="generated")
    wrong = row(verdict="differs", ok=False, mismatches=(*[WRONG] * 30, drawn))
    text = report.text(of(wrong), width=400)

    assert "- paired/sign/sign_test/generated-7, size, generated: ours" in text
    assert "- and 11 more" in text


def test_generated_inputs_have_their_column() -> None:
    generated = row(n_generated=30, n_unanswered=2, largest_generated=0.0, unanswered={"x is too large": 2})
    text = report.text(of(generated, live="4.2.2", not_live=None, seed=3), width=200)

    assert "28 of 30: 0" in text
    assert "- spread: 2 generated without a result: x is too large" in text
    assert "live results of R 4.2.2. Seed of the generated inputs: 3." in text


def test_nothing_checked_has_no_table() -> None:
    assert "Functions" not in report.text(of())


def test_tolerances_and_the_functions_of_r_are_told_where_there_is_room() -> None:
    wider = row(statistic="shift", widest_tolerance=1e-10, reasons=("an example of a reason",))

    full = report.text(of(wider), width=200, methods=True)

    assert "1e-12 to 1e-10" in full
    assert "base::mean (R 4.2.2)" in full
    assert "shift: an example of a reason" in full


def test_what_r_does_not_have_is_named() -> None:
    without = (WithoutR(function="f1_score", reason="R has none", oracle="tests/metrics/test_labels.py"),)

    short = report.text(replace(of(row()), without_r=without), width=200)
    full = report.markdown(replace(of(row()), without_r=without))

    assert "1 functions have no counterpart in R" not in short
    assert "1 function has no counterpart in R and is checked against" in short
    assert "f1_score" in short
    assert "R has none (tests/metrics/test" in full.replace("\\", "")
