"""Report of the alternative annotator test: the decision and a table of the annotators."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import numpy as np

from evalstats.agreement.alternative_annotators import AlternativeAnnotatorResult
from evalstats.report.blocks import Document, Extent, Table, heads, paragraph, sections
from evalstats.report.describe import probability

CAPTION = (
    "Wins: proportion of the instances on which the judge agrees with the other annotators at least as well as the "
    "annotator does. Difference: proportion on which the annotator is better minus proportion on which the judge is "
    "better. The adjusted p-values control the false discovery rate under any dependence (Benjamini and Yekutieli)."
)


def verdict(result: AlternativeAnnotatorResult) -> str:
    """State how many annotators the judge is shown to be as good as, and whether it may replace the annotators."""
    n, k = int(result.is_rejected.sum()), len(result.annotators)
    size = (
        f"{result.n_instances.min()} to {result.n_instances.max()}"
        if np.ptp(result.n_instances)
        else f"{result.n_instances[0]}"
    )
    rule = (
        "by the rule of at least half of the annotators, the judge may replace them"
        if result.may_replace
        else ("that is less than half, and by this rule the judge may not replace them")
    )
    words = (
        f"At epsilon {result.epsilon:g}, with {size} instances per annotator, the judge is shown to be as good as "
        f"{n} of {k} annotators: {rule}. The advantage probability is {result.advantage_probability:.3f}."
    )
    if result.left_out:
        words += f" Left out because they have too few instances: {', '.join(map(str, result.left_out))}."
    return words if result.reason is None else f"{words} Note: {result.reason}."


def document(result: AlternativeAnnotatorResult, extent: Extent) -> Document:
    """Return the document: the decision and a table of the annotators."""
    rows = [
        {
            "annotator": str(result.annotators[j]),
            "instances": str(result.n_instances[j]),
            "wins": f"{result.win_rate[j]:.3f}",
            "difference": f"{result.mean_difference[j]:.3f}",
            "p (t-test)": "undefined" if np.isnan(result.pvalue[j]) else probability(result.pvalue[j]),
            "p (exact)": probability(result.exact_pvalue[j]),
            "adjusted p": probability(result.adjusted_pvalue[j]),
            "as good": "yes" if result.is_rejected[j] else "not shown",
        }
        for j in range(min(len(result.annotators), extent.max_rows))
    ]
    table = Table(
        name="annotators",
        caption=CAPTION,
        columns=heads(["annotator"], list(rows[0])[1:]),
        rows=tuple(tuple(row.values()) for row in rows),
    )
    return Document(
        title="Alternative annotator test", verdict=paragraph(verdict(result)), sections=sections({"Annotators": table})
    )
