"""The verdict of a report is that of its rows, in one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from evalstats.parity.numeric_difference import Mismatch
from evalstats.parity.validation import FunctionParity, ParityReport

WRONG = Mismatch(
    case="a/b/f/one", field="x", source="frozen", ours=1.0, r=2.0, difference=0.5, tolerance=1e-12, arguments={}
)


def row(**changes: Any) -> FunctionParity:
    counts = dict.fromkeys(("n_cases", "n_frozen", "n_live"), 3) | {"n_generated": 0, "n_unanswered": 0}
    sizes = dict.fromkeys(("largest_frozen", "largest_live", "largest_generated"))
    tolerances = {"tolerance": 1e-12, "widest_tolerance": 1e-12, "absolute_tolerance": 0.0}
    words = {"statistic": "f", "stem": "a/b", "asked": "stats::f", "verdict": "agrees", "remark": None, "ok": True}
    words |= {"source": "implementation", "second_source": None}
    empty = {"frozen_versions": {}, "live_versions": {}, "reasons": (), "unanswered": {}, "mismatches": ()}
    return FunctionParity(**counts | sizes | tolerances | words | empty | changes)


def made(*rows: FunctionParity, complete: bool = True) -> ParityReport:
    return ParityReport(rows=rows, live=None, not_live="none was requested", seed=None, complete=complete)


DIFFERS = row(mismatches=(WRONG, WRONG), verdict="differs", ok=False)
UNCHECKED = row(statistic="g", verdict="not checked", remark="no result for one", ok=False)


@pytest.mark.parametrize(
    ("report", "ok", "verdict"),
    [
        (made(), False, "Nothing was checked: there are no test cases."),
        (made(row()), True, "1 function against implementations in R, on 3 cases: no mismatch."),
        (made(row(n_cases=1)), True, "1 function against implementations in R, on 1 case: no mismatch."),
        (
            made(row(n_generated=5), row()),
            True,
            "2 functions against implementations in R, on 6 cases and 5 generated inputs: no mismatch.",
        ),
        (made(row(), DIFFERS), False, "2 functions against implementations in R, on 6 cases: 2 mismatches."),
        (made(row(), UNCHECKED), False, "No mismatch, but not everything could be checked: g."),
        (made(DIFFERS, UNCHECKED), False, "2 mismatches, but not everything could be checked: g."),
        (
            made(row(), complete=False),
            False,
            "Interrupted: 1 function against implementations in R, on 3 cases so far, no mismatch.",
        ),
    ],
    ids=["empty", "one", "one case", "generated", "differs", "unchecked", "both", "interrupted"],
)
def test_verdict_is_that_of_the_rows(report: ParityReport, ok: bool, verdict: str) -> None:
    assert (report.ok, report.verdict) == (ok, verdict)


def test_mismatches_of_all_rows_are_listed() -> None:
    report = made(DIFFERS, row(), DIFFERS)

    assert report.mismatches == (WRONG,) * 4
    assert report.n_cases == 9


def test_dictionary_tells_the_verdict_too() -> None:
    told = made(DIFFERS).to_dict()

    assert (told["ok"], told["verdict"]) == (
        False,
        "1 function against implementations in R, on 3 cases: 2 mismatches.",
    )
    assert told["rows"][0]["verdict"] == "differs"
