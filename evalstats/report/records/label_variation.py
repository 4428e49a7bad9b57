"""Report of the label variation of a judge and of annotators: agreements and distances with intervals."""

from __future__ import annotations

__all__ = ["document", "verdict"]

from evalstats.agreement.variation import LabelVariationResult
from evalstats.report.blocks import Document, Extent, Table, heads, paragraph, sections
from evalstats.report.describe import count, decimal

NAMES = {
    "judge_agreement": "Judge with a random annotator",
    "annotator_agreement": "Two annotators with each other",
    "difference": "Difference between the agreements",
    "distance": "Distance between the judge and the annotators",
    "split_half_distance": "Distance between two halves of the annotators",
}
METRICS = {"total-variation": "total variation distance", "jensen-shannon": "Jensen-Shannon distance (base 2)"}


def verdict(result: LabelVariationResult) -> str:
    """State both agreements, their difference with its interval, and the distances of the label distributions."""
    low, high = result.confidence_interval()
    more = (
        "more often than two annotators agree"
        if low > 0
        else "less often than two annotators agree"
        if high < 0
        else "no difference from the agreement of two annotators is shown"
    )
    words = (
        f"On {count(result.n_instances, 'instance')}, the judge agrees with a random annotator with probability "
        f"{decimal(result.judge_agreement, 3)}, and two annotators agree with probability "
        f"{decimal(result.annotator_agreement, 3)}: {more}"
    )
    if result.reason is None:
        words += f" (difference {decimal(result.difference, 3)}, 95 % interval {_span(low, high)})"
    words += (
        f". The mean {METRICS[result.metric]} of the label proportions is {decimal(result.distance, 3)}; between "
        f"two halves of the annotators, it is {decimal(result.split_half_distance, 3)}."
    )
    return words if result.reason is None else f"{words} Note: {result.reason}."


def document(result: LabelVariationResult, extent: Extent) -> Document:
    """Return the verdict and the means with their intervals."""
    rows = []
    for name, words in NAMES.items():
        interval = result.confidence_interval(of=name)
        span = "undefined" if result.reason else _span(*interval)
        rows.append((words, decimal(getattr(result, name), 3), span))
    left_out = (
        f" {count(result.n_left_out, 'instance')} with fewer than two labels are left out." if result.n_left_out else ""
    )
    table = Table(
        name="variation",
        caption=f"Means over {count(result.n_instances, 'instance')} with {count(result.n_labels, 'label')} of "
        f"annotators, with 95 % bootstrap intervals over the instances.{left_out} The distance is the "
        f"{METRICS[result.metric]}. With few annotators per instance, every distance is larger, so do not "
        "rank judges by distances.",
        columns=heads(["Quantity"], ["Mean", "Interval"]),
        rows=tuple(rows[: extent.max_rows]),
    )
    return Document(
        title="Label variation of a judge and annotators",
        verdict=paragraph(verdict(result)),
        sections=sections({"Agreement and distance": table}),
    )


def _span(low: float, high: float) -> str:
    return f"{decimal(low, 3)} to {decimal(high, 3)}"
