"""Comparison with R as JUnit XML for continuous integration."""

from __future__ import annotations

__all__ = ["junit"]

from xml.etree import ElementTree as ET  # it only writes  # nosec B405

from evalstats.parity.agreement_status import FunctionParity, ParityReport
from evalstats.report.documents import seen
from evalstats.report.records.parity import mismatch_words


def junit(report: ParityReport) -> str:
    """Render a parity report as JUnit XML: a test case for each function, and a failure for each difference."""
    rows = report.rows
    differs, unchecked = ([row for row in rows if row.verdict == word] for word in ("differs", "not checked"))
    counts = {"tests": len(rows), "failures": len(differs), "errors": 0, "skipped": len(unchecked)}
    said = {name: str(value) for name, value in counts.items()}
    suites = ET.Element("testsuites", said)
    suite = ET.SubElement(suites, "testsuite", {"name": "evalstats validate", **said})
    for row in rows:
        case = ET.SubElement(suite, "testcase", {"classname": row.stem.replace("/", "."), "name": row.statistic})
        _tell(case, row)
    ET.SubElement(suite, "system-out").text = seen(report.verdict)
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _tell(case: ET.Element, row: FunctionParity) -> None:
    if row.verdict == "differs":
        sentences = [seen(mismatch_words(one)) for one in row.mismatches]
        ET.SubElement(case, "failure", {"message": sentences[0]}).text = "\n".join(sentences)
    elif row.verdict == "not checked":
        ET.SubElement(case, "skipped", {"message": seen(row.remark or "nothing was compared")})
