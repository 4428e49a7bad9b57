"""Report of the verification of a saved report: the changed values and possible reasons."""

from __future__ import annotations

__all__ = ["document", "verdict"]

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evalstats.report.blocks import Column, Document, Extent, Section, Table, listing, paragraph, section
from evalstats.report.describe import counted
from evalstats.verification.report_check import EVERYTHING, ChangedValue, ReportVerification
from evalstats.wording import written_list

# conclusion for each status
_WORDS = {"verified": "Verified", "not verified": "Not verified", "cannot be verified": "Cannot be verified"}
# parts of positions in a report, and their contents
_GIVEN = (
    ("version", "the versions of the software"),
    (".table.", "the name and the format of the data"),
    (".table", "the scores, and the notes about the interpretation of the data"),
    (".source", "the name of the data"),
    (".options", "the arguments"),
    (".data_checksum", "the checksum of the data file"),
    ("$.read", "the amount of data that was read"),
)


def verdict(verification: ReportVerification) -> str:
    """State whether all values were reproduced, and whether the report was edited."""
    source, n = verification.source, counted(verification.n_values, "value")
    edited = ""
    if verification.is_edited:
        edited = f" {source} was changed after evalstats wrote it: its checksum does not match."
    if verification.not_recomputed == EVERYTHING:
        return f"{_WORDS[verification.status]}: {_why_not_made(verification)}{edited}"
    given = f" Taken as given, not verified: {'; '.join(_of_given(verification.taken_as_given))}."
    if verification.changes:
        among = ", including the verdict" if any(one.place == "verdict" for one in verification.changes) else ""
        found = len(verification.changes)
        begin = f"{_WORDS[verification.status]}: {found:,} of {n} of {source} {'differs' if found == 1 else 'differ'}"
        return f"{begin}{among}.{edited}{given}"
    unseen = ""
    if verification.not_recomputed:
        unseen = f" Not recomputed: {written_list(list(verification.not_recomputed))}, which requires the data."
    begin = "Verified: all" if verification.ok else "Not verified, though all"
    again = "from the data" if verification.used_data else "from the scores in the report"
    return f"{begin} {n} of {source} are reproduced {again}.{unseen}{edited}{given}"


def _why_not_made(verification: ReportVerification) -> str:
    """State why no part of a report was recomputed."""
    faults, source = verification.faults, verification.source
    if not faults:
        return " ".join([f"nothing of {source} was recomputed.", *(one.sentence for one in verification.findings[-1:])])
    more = ""
    if len(faults) > 1:
        is_one = len(faults) == 2
        more = f" There {'is' if is_one else 'are'} {counted(len(faults) - 1, 'more deviation')}."
    return f"{source} does not have the format of a report of evalstats: {faults[0]}.{more}"


def _of_given(places: Sequence[str]) -> list[str]:
    """Describe the parts of a report that were not verified, without repetition."""
    return list(dict.fromkeys(next(told for end, told in _GIVEN if end in place) for place in places))


def document(verification: ReportVerification, extent: Extent) -> Document:
    """Return the document: the changed values and possible reasons."""
    return Document(
        title=f"Verification of {verification.source}",
        verdict=paragraph(verdict(verification)),
        sections=tuple(_sections(verification, extent.max_rows)),
    )


def _sections(verification: ReportVerification, max_rows: int) -> Iterator[Section]:
    if verification.faults:
        yield section("faults", "Deviations from the report format", listing(list(map(str, verification.faults))))
    verdicts = [one for one in verification.changes if one.place == "verdict"]
    for one in verdicts:
        yield section("verdict", "The verdict", listing([f"In the report: {one.before}", f"Now: {one.now}"]))
    others = [one for one in verification.changes if one.place != "verdict"]
    if others:
        yield section("changes", "Values that differ", _table(others, max_rows))
    is_made = verification.not_recomputed != EVERYTHING
    if verification.findings[0 if is_made else 1 :]:
        yield section("why", "Why?", listing([one.sentence for one in verification.findings]))
    if is_made:
        yield section("how", "Recomputation", listing(_steps(verification)))


def _table(changes: Sequence[ChangedValue], max_rows: int) -> Table:
    shown, n = changes[:max_rows], len(changes)
    first = "" if len(shown) == n else f" These are the first {len(shown):,} of {n:,}."
    return Table(
        name="changes",
        caption=f"Values in the report and recomputed values.{first}",
        columns=(Column(head="Place"), Column(head="In the report"), Column(head="Now")),
        rows=tuple((one.place, _written(one.before), _written(one.now)) for one in shown),
    )


def _steps(verification: ReportVerification) -> Iterator[str]:
    options = [f"{name} = {value!r}" for name, value in verification.options.items()]
    yield f"With {written_list(options)}." if options else "Every argument had its default value."
    source = "the data" if verification.used_data else "the scores in the report; the data were not read"
    yield f"The values were recomputed from {source}."
    yield f"Written with {_versions(verification.written_with)}."
    yield f"Recomputed with {_versions(verification.verified_with)}."
    yield f"Taken as given, and not verified: {', '.join(verification.taken_as_given)}."
    yield "Numbers that agree to nine digits count as equal."
    yield "A checksum does not identify the author of the report: use a signature for this purpose."


def _versions(versions: Mapping[str, Any]) -> str:
    return written_list([f"{name} {value}" for name, value in versions.items()]) or "unknown versions"


def _written(value: Any) -> str:
    """Format a value as in the JSON file."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
