"""Report of the comparison with R, code that reproduces each mismatch, and JUnit XML for continuous integration."""

from __future__ import annotations

__all__ = ["document", "junit", "verdict"]

import importlib
import inspect
import math
import typing
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree as ET  # it only writes  # nosec B405

import numpy as np

from evalstats.parity.numeric_difference import Mismatch
from evalstats.parity.reference_cases import FORMULA, IMPLEMENTATION
from evalstats.parity.validation import FunctionParity, ParityReport
from evalstats.report.blocks import Block, Column, Document, Extent, Table, heads, listing, paragraph, sections
from evalstats.report.describe import count
from evalstats.report.documents import seen
from evalstats.report.r_code import number, string

_MOST_MISMATCHES = 20
_LONGEST_VALUE = 200


def verdict(report: ParityReport) -> str:
    """State the number of comparisons, and whether results differ."""
    return report.verdict


def document(report: ParityReport, extent: Extent) -> Document:
    """Return the document: the functions, the mismatches, and the reasons for wider tolerances."""
    wider = [f"{row.statistic}: {reason}" for row in report.rows for reason in row.reasons]
    shown: dict[str, Block | None] = {
        "Functions": _table(report, extent) if report.rows else None,
        "Sources": _sources(report),
        "Mismatches": listing(_mismatches(report)),
        "Second sources of our formulas": listing(_second_sources(report) if extent.with_methods else ()),
        "Wider tolerances": listing(wider if extent.with_methods else ()),
        "Without a result of R": listing(
            f"{row.statistic}: {n} generated without a result: {why}"
            for row in report.rows
            for why, n in row.unanswered.items()
        ),
        "Without R": _without_r(report, extent),
        # a terminal shows only the end of a long text
        "Answers": paragraph(f"{_provenance(report)} {report.verdict}"),
    }
    return Document(title="Statistics against R", verdict=paragraph(report.verdict), sections=sections(shown))


def _sources(report: ParityReport) -> Block | None:
    """Count the functions by the source of their reference values."""
    counts = [
        (report.n_functions(IMPLEMENTATION), "R or one of its packages implements the statistic"),
        (report.n_functions(FORMULA), "the distributions are R's and the formula is ours; there is a second source"),
        (report.n_functions("none"), "R is not called; the function is compared with another source"),
    ]
    return listing(f"{count(n, 'function')}: {words}." for n, words in counts if n)


def _second_sources(report: ParityReport) -> Iterator[str]:
    return (f"{row.statistic}: {row.second_source}" for row in report.rows if row.second_source)


def _without_r(report: ParityReport, extent: Extent) -> Block | None:
    """Name the functions that R does not provide; a report with methods adds the reasons."""
    if not report.without_r:
        return None
    if extent.with_methods:
        return listing(f"{one.function}: {one.reason} ({one.oracle})" for one in report.without_r)
    names = ", ".join(one.function for one in report.without_r)
    have, are = ("has", "is") if len(report.without_r) == 1 else ("have", "are")
    return paragraph(
        f"{count(len(report.without_r), 'function')} {have} no counterpart in R and {are} checked against other "
        "packages, slow transcriptions of the definition or high-precision results, by tests that the Markdown report "
        f"names: {names}."
    )


# parts that a terminal does not show because they are too long
_OF_METHODS = ("Tolerance", "R function and version")


def _table(report: ParityReport, extent: Extent) -> Table:
    """Return a table with a row for each function, and a column for generated inputs if there are any."""
    generated = ("Generated",) if any(row.n_generated for row in report.rows) else ()
    return Table(
        name="functions",
        caption="Number of manually written calls, and the largest relative difference from the stored results of R "
        "(frozen), from live R and on generated inputs; - means no comparison.",
        columns=(
            *heads(["Statistic"], ("Cases", "Frozen", "Live", *generated)),
            *([Column(head="Source")] if extent.with_methods else ()),
            Column(head="Verdict", prose=True),
            *((Column(head=head, prose=True) for head in _OF_METHODS) if extent.with_methods else ()),
        ),
        rows=tuple(_cells(row, extent, with_generated=bool(generated)) for row in report.rows),
    )


def _cells(row: FunctionParity, extent: Extent, *, with_generated: bool) -> tuple[str, ...]:
    tolerance = f"{row.tolerance:.0e}"
    if row.widest_tolerance > row.tolerance:
        tolerance += f" to {row.widest_tolerance:.0e}"
    if row.absolute_tolerance:
        tolerance += f", absolute {row.absolute_tolerance:.0e}"
    of_generated = f"{row.n_generated - row.n_unanswered} of {row.n_generated}: {_size(row.largest_generated)}"
    generated = (of_generated if row.n_generated else "-",) if with_generated else ()
    versions = row.frozen_versions or row.live_versions
    of_r = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (
        row.statistic,
        str(row.n_cases),
        _size(row.largest_frozen),
        _size(row.largest_live),
        *generated,
        *((row.source,) if extent.with_methods else ()),
        row.verdict if row.remark is None else f"{row.verdict} ({row.remark})",
        *((tolerance, f"{row.asked} ({of_r})" if versions else row.asked) if extent.with_methods else ()),
    )


def _provenance(report: ParityReport) -> str:
    frozen = sorted({row.frozen_versions["R"] for row in report.rows if row.frozen_versions})
    sentence = f"Stored results of R {', '.join(frozen)}; " if frozen else "No stored results of R; "
    sentence += f"live results of R {report.live}." if report.live else f"no live results: {report.not_live}."
    return f"{sentence} Seed of the generated inputs: {report.seed}." if report.seed is not None else sentence


def _mismatches(report: ParityReport) -> list[str]:
    """Describe the mismatches (first for generated inputs), with the lines that reproduce them."""
    in_order = sorted(report.mismatches, key=lambda mismatch: mismatch.source != "generated")
    lines = [mismatch_words(mismatch) for mismatch in in_order[:_MOST_MISMATCHES]]
    more = len(report.mismatches) - _MOST_MISMATCHES
    return [*lines, f"and {more} more"] if more > 0 else lines


def mismatch_words(mismatch: Mismatch) -> str:
    """State both results of a mismatch; for a generated input, add the lines that reproduce it."""
    where = f"{mismatch.case}, {mismatch.field or 'no result'}, {mismatch.source}"
    apart = (
        ""
        if math.isinf(mismatch.difference)
        else f" (difference {mismatch.difference:.1e}, allowed {mismatch.tolerance:.1e})"
    )
    given = ""
    if mismatch.source == "generated":
        given = f"; in Python: {python_line(mismatch)}; in R, started in r_reference: {r_lines(mismatch)}"
    return f"{where}: ours {_short(mismatch.ours)}, R's {_short(mismatch.r)}{apart}{given}"


def _short(value: object) -> str:
    text = repr(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."


def _size(difference: float | None) -> str:
    return "-" if difference is None else f"{difference:.1e}" if difference else "0"


# --- examples of a mismatch -------------------------------------------------------------------------------------------


def python_line(mismatch: Mismatch) -> str:
    """Return the Python call that reproduces a mismatch."""
    room, stem, name, _ = mismatch.case.split("/", 3)
    homes = ("evalstats", f"evalstats.{room}", f"evalstats.{room}.{stem}")
    module = next((home for home in homes if hasattr(importlib.import_module(home), name)), homes[-1])
    function = getattr(importlib.import_module(module), name, None)
    if function is None:
        return f"{module}.{name}({_given(mismatch.arguments)})"
    mine = inspect.signature(function).parameters
    given = {n: v for n, v in mismatch.arguments.items() if n in mine}
    call = f"{module}.{name}({_given(given, takes_lists=module == 'evalstats')})"
    if mismatch.field in ("", "value"):
        return call
    method = getattr(typing.get_type_hints(function).get("return"), mismatch.field, None)
    if not inspect.isfunction(method):
        return f"{call}.{mismatch.field}"
    taken = inspect.signature(method).parameters
    return f"{call}.{mismatch.field}({_given({n: v for n, v in mismatch.arguments.items() if n in taken})})"


def r_lines(mismatch: Mismatch) -> str:
    """Return the R calls that reproduce a mismatch, for a session that was started in the folder r_reference."""
    room, stem, name, _ = mismatch.case.split("/", 3)
    arguments = ", ".join(f"{key} = {_in_r(value)}" for key, value in mismatch.arguments.items())
    field = f"${mismatch.field}" if mismatch.field else ""
    return f'source("common.R"); source("{room}/{stem}.R"); {name}({arguments}){field}'


def _given(arguments: Mapping[str, Any], *, takes_lists: bool = True) -> str:
    """Format the arguments of a Python call: lists for public functions, arrays for internal functions."""
    written = {
        n: f"{v!r}" if takes_lists or not isinstance(v, list) else f"numpy.array({v!r})" for n, v in arguments.items()
    }
    return ", ".join(f"{name}={value}" for name, value in written.items())


def _in_r(value: Any) -> str:
    """Format a value as the R adapter expects it: a matrix for a list of lists, and a list for a dict."""
    if isinstance(value, Mapping):
        return f"list({', '.join(f'{name} = {_in_r(item)}' for name, item in value.items())})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return string(value)
    if isinstance(value, list | tuple):
        if value and all(isinstance(row, list | tuple) for row in value):
            cells = ", ".join(_in_r(cell) for row in value for cell in row)
            return f"matrix(c({cells}), nrow = {len(value)}, byrow = TRUE)"
        return f"c({', '.join(map(_in_r, value))})"
    return number(value)


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
