"""Report of a comparison of treatments by several readers."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import math
from itertools import combinations
from typing import Any

import numpy as np

from evalstats.comparison.readers import ReaderComparison
from evalstats.multiple.multireader import ObuchowskiRocketteTestResult
from evalstats.report.blocks import Document, Extent, Table, heads, listing, paragraph, sections
from evalstats.report.describe import count, decimal, f_of_readers_words, percent, pvalue_words, signed

POPULATIONS = {
    "both": "new readers and new instances",
    "cases": "these {readers} and new instances",
    "readers": "new readers and these instances",
}


def verdict(record: ReaderComparison) -> str:
    """State the difference between two treatments, or the best treatment, and for which populations it is shown."""
    test, mean = record.test, record.test.mean_auc
    if len(record.treatments) == 2:
        best = int(mean[1] > mean[0])
        low, high = (float(side[best, 1 - best]) for side in test.confidence_interval(1 - record.alpha))
        said = (
            f"Averaged over {count(len(record.readers), 'reader')}, the AUC of {record.treatments[best]} is "
            f"{decimal(float(test.difference[best, 1 - best]), 3)} larger than the AUC of {record.treatments[1 - best]}"
        )
        said += (
            ""
            if math.isnan(low)
            else f" ({percent(1 - record.alpha)} interval {decimal(low, 3)} to {decimal(high, 3)})"
        )
    else:
        best = int(np.argmax(mean))
        said = (
            f"Averaged over {count(len(record.readers), 'reader')}, {record.treatments[best]} has the largest AUC of "
            f"{len(record.treatments)} treatments, {decimal(float(mean[best]), 3)}"
        )
    said += f". {_shown(record, test)}"
    return said if test.sampled == "cases" else f"{said} {_shown(record, record.these_readers)}"


def _shown(record: ReaderComparison, test: ObuchowskiRocketteTestResult) -> str:
    for_whom = POPULATIONS[test.sampled].format(readers=count(len(record.readers), "reader"))
    if math.isnan(test.pvalue):
        return f"For {for_whom}, the test does not apply: {test.reason}."
    found = "a difference is shown" if test.pvalue <= record.alpha else "no difference is shown"
    return f"For {for_whom}, {found} ({f_of_readers_words(test, 2)}, {pvalue_words(test.pvalue, record.alpha)})."


def document(record: ReaderComparison, extent: Extent) -> Document:
    """Return the document: the areas of the readers, the differences, and the variance components."""
    test = record.test
    areas = Table(
        name="areas",
        caption="Area under the ROC curve of each treatment and reader.",
        columns=heads(["Treatment"], ["Mean", *record.readers]),
        rows=tuple(
            (name, decimal(float(test.mean_auc[i]), 3), *(decimal(float(one), 3) for one in test.auc[i]))
            for i, name in enumerate(record.treatments)
        )[: extent.max_rows],
    )
    low, high = test.confidence_interval(1 - record.alpha)
    differences = Table(
        name="differences",
        caption=f"Differences between the mean areas with {percent(1 - record.alpha)} intervals of individual pairs, "
        f"for {POPULATIONS[test.sampled].format(readers=count(len(record.readers), 'reader'))}.",
        columns=heads(["First", "Second"], ["Difference", "SE", "Interval"]),
        rows=tuple(
            (
                record.treatments[i],
                record.treatments[j],
                signed(float(test.difference[i, j]), 3),
                decimal(test.standard_error, 4),
                "none" if math.isnan(low[i, j]) else f"{decimal(low[i, j], 3)} to {decimal(high[i, j], 3)}",
            )
            for i, j in combinations(range(len(record.treatments)), 2)
        )[: extent.max_rows],
    )
    read = (
        f"{count(len(record.readers), 'reader')} rated {test.n_positive} positive and {test.n_negative} negative "
        f"instances with {count(len(record.treatments), 'treatment')}."
    )
    how = (
        "Obuchowski-Rockette test with DeLong's covariances. F has an adjusted p-value, which holds the level with few "
        "readers and few instances of a class; the F test with the degrees of freedom of Hillis (2007) does not."
    )
    parts: dict[str, Any] = {
        "Input": listing([read]),
        "Areas under the ROC curves": areas,
        "Differences": differences,
    }
    return Document(
        title=f"Comparison of {count(len(record.treatments), 'treatment')} by {count(len(record.readers), 'reader')}",
        verdict=paragraph(verdict(record)),
        sections=sections(parts | ({"Methods": paragraph(how)} if extent.with_methods else {})),
    )
