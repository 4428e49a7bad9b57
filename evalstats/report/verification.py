"""Did the numbers of a saved report come out again? What changed, and why, in words."""

from __future__ import annotations

__all__ = ["document", "verdict"]

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evalstats.report.blocks import Column, Document, Extent, Section, Table, listing, paragraph, section
from evalstats.report.numbers import counted
from evalstats.verification.values import ChangedValue
from evalstats.verification.verifying import ReportVerification
from evalstats.wording import written_list


def verdict(verification: ReportVerification) -> str:
    """Say whether every value came out again, and whether the report is as it was written."""
    source, changes = verification.source, verification.changes
    n = counted(verification.n_values, "value")
    edited = ""
    if verification.is_edited:
        edited = f" {source} was changed after evalstats wrote it: its checksum does not fit."
    if not changes:
        begin = "Not verified, though all" if edited else "Verified: all"
        again = "from the data" if verification.used_data else "from the scores in the report"
        return f"{begin} {n} of {source} come out again {again}.{edited}"
    among = ", the verdict among them" if any(one.place == "verdict" for one in changes) else ""
    return f"Not verified: {len(changes):,} of {n} of {source} come out otherwise{among}.{edited}"


def document(verification: ReportVerification, extent: Extent) -> Document:
    """Show the values that changed, and what may be the reason."""
    return Document(
        title=f"Verification of {verification.source}",
        verdict=paragraph(verdict(verification)),
        sections=tuple(_sections(verification, extent.most_rows)),
    )


def _sections(verification: ReportVerification, most_rows: int) -> Iterator[Section]:
    verdicts = [one for one in verification.changes if one.place == "verdict"]
    for one in verdicts:
        yield section("verdict", "The verdict", listing([f"In the report: {one.before}", f"Now: {one.now}"]))
    others = [one for one in verification.changes if one.place != "verdict"]
    if others:
        yield section("changes", "What came out otherwise?", _table(others, most_rows))
    if verification.findings:
        yield section("why", "Why?", listing([one.sentence for one in verification.findings]))
    yield section("how", "How it was made again", listing(_steps(verification)))


def _table(changes: Sequence[ChangedValue], most_rows: int) -> Table:
    shown, n = changes[:most_rows], len(changes)
    first = "" if len(shown) == n else f" These are the first {len(shown):,} of {n:,}."
    return Table(
        name="changes",
        caption=f"Values of the report, and what comes out now.{first}",
        columns=(Column(head="Place"), Column(head="In the report"), Column(head="Now")),
        rows=tuple((one.place, _written(one.before), _written(one.now)) for one in shown),
    )


def _steps(verification: ReportVerification) -> Iterator[str]:
    options = [f"{name} = {value!r}" for name, value in verification.options.items()]
    yield f"With {written_list(options)}." if options else "With the default of every argument."
    yield "From the data." if verification.used_data else "From the scores in the report; the data were not read."
    yield f"Written with {_versions(verification.written_with)}."
    yield f"Made again with {_versions(verification.verified_with)}."
    if verification.is_edited is None:
        yield "The report has no checksum: whether somebody changed it, nobody can tell."
    yield "Numbers that agree to nine digits count as the same."


def _versions(versions: Mapping[str, Any]) -> str:
    return written_list([f"{name} {value}" for name, value in versions.items()]) or "unknown versions"


def _written(value: Any) -> str:
    """Write a value as it stands in the file."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
