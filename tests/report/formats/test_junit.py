"""Does a server read the parity with R?"""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from evalstats.parity import validate
from evalstats.parity.numeric_difference import Mismatch
from evalstats.report.records.parity import junit

REPORT = validate(live=False, functions=["paired/sign", "quade_test"])


def test_every_function_is_a_test_case() -> None:
    suites = ET.fromstring(junit(REPORT))

    assert suites.attrib == {"tests": "2", "failures": "0", "errors": "0", "skipped": "0"}
    assert [(case.get("classname"), case.get("name")) for case in suites.iter("testcase")] == [
        ("paired.sign", "sign_test"),
        ("multiple.quade", "quade_test"),
    ]


def test_what_differs_is_a_failure_and_what_was_not_checked_is_skipped() -> None:
    wrong = Mismatch(
        case="paired/sign/sign_test/one",
        source="generated",
        field="pvalue",
        ours="<\x1b[31m&]]>",
        r=0.5,
        difference=1.0,
        tolerance=1e-12,
        arguments={"x": [1.0], "y": [2.0]},
    )
    first, second = REPORT.rows
    rows = (replace(first, verdict="differs", mismatches=(wrong,)), replace(second, verdict="not checked"))
    suites = ET.fromstring(junit(replace(REPORT, rows=rows)))

    (failure,) = suites.iter("failure")
    assert "evalstats.sign_test(x=[1.0], y=[2.0]).pvalue" in failure.get("message", "")
    assert "\\x1b[31m&]]>" in failure.get("message", "")
    assert [one.get("message") for one in suites.iter("skipped")] == ["nothing was compared"]
    assert suites.attrib["failures"] == suites.attrib["skipped"] == "1"
