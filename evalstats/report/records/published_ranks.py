"""Report of a check of published mean ranks."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from evalstats._findings import SEVERITIES, Finding
from evalstats.multiple.published_ranks import PublishedRanksCheck
from evalstats.report.blocks import Document, Extent, Table, heads, listing, paragraph, sections
from evalstats.report.describe import count, decimal, pvalue_cell
from evalstats.wording import written_list


def verdict(audit: PublishedRanksCheck) -> str:
    """State whether the published numbers are possible and whether they contradict a claim."""
    tables = _tables(audit)
    n_wrong = sum(any(one.severity == "error" for one in findings) for findings in tables)
    severities = [one.severity for findings in tables for one in findings]
    found = [count(severities.count(one), one) for one in SEVERITIES if one in severities]
    told = f"{written_list(found)} found" if found else "nothing found"
    of_tables = "" if len(tables) == 1 else f" in {n_wrong} of {len(tables)} tables"
    if n_wrong:
        return f"The published numbers contradict each other or a claim{of_tables}: {told}."
    return f"The published numbers are possible and do not contradict a claim: {told}."


def document(audit: PublishedRanksCheck, extent: Extent) -> Document:
    """Return the document: the findings and, for a single table, the recomputed quantities."""
    tables = _tables(audit)
    datasets = f" on {count(audit.n_datasets, 'dataset')}" if isinstance(audit.n_datasets, int) else ""
    title = f"Published mean ranks of {count(audit.n_classifiers, 'classifier')}{datasets}"
    shown = {
        "Findings": listing(_items(tables)),
        "Quantities that follow from the mean ranks": _table(audit) if len(tables) == 1 else None,
    }
    return Document(
        title=title if len(tables) == 1 else f"{len(tables)} tables: {title[0].lower()}{title[1:]}",
        verdict=paragraph(verdict(audit)),
        sections=sections(shown),
    )


def _tables(audit: PublishedRanksCheck) -> list[tuple[Finding, ...]]:
    return [audit.findings] if isinstance(audit.findings, tuple) else list(audit.findings.ravel())


def _items(tables: list[tuple[Finding, ...]]) -> Iterator[str]:
    if len(tables) == 1:
        yield from map(str, tables[0])
        return
    for i, findings in enumerate(tables, start=1):
        yield from (f"table {i}: {one}" for one in findings)


def _table(audit: PublishedRanksCheck) -> Table:
    def of(value: Any, digits: int) -> str:
        return decimal(np.asarray(value).item(), digits)

    def pvalue(value: Any) -> str:
        return pvalue_cell(np.asarray(value).item(), audit.alpha)

    rows = [
        ("Sum of the mean ranks", of(audit.rank_sum, int(np.asarray(audit.decimals).item()))),
        ("Expected sum of mean ranks", f"{audit.expected_sum:g}"),
        ("Friedman's χ²", of(audit.chi2, 3)),
        ("its p", pvalue(audit.chi2_pvalue)),
    ]
    if not math.isnan(np.asarray(audit.chi2_low).item()):
        rows += [
            ("χ², by rounding", f"{of(audit.chi2_low, 3)} to {of(audit.chi2_high, 3)}"),
            ("χ², at most, with ties", of(audit.chi2_tied, 3)),
        ]
    if not math.isnan(np.asarray(audit.f).item()):
        rows += [("F of Iman and Davenport", of(audit.f, 3)), ("its p", pvalue(audit.f_pvalue))]
    rows += [
        ("Critical difference of the Nemenyi test", of(audit.nemenyi_difference, 3)),
        ("Critical difference of the Bonferroni-Dunn test", of(audit.bonferroni_dunn_difference, 3)),
    ]
    at = f"Computed from the published mean ranks; critical differences at α = {audit.alpha:g}."
    return Table(name="ranks", caption=at, columns=heads(["Quantity"], ["Value"]), rows=tuple(rows))
