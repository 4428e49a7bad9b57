"""Direction of the scores, from the name of the metric, a title, or the name of the file."""

from __future__ import annotations

__all__ = ["UNKNOWN", "unknown_direction", "unknown_metric"]

from typing import TYPE_CHECKING

from evalstats._findings import Finding
from evalstats.metrics.directions import direction_of_metric, names_no_metric
from evalstats.tables.errors import TableError, short

if TYPE_CHECKING:
    pass

# the code of a note
UNKNOWN = "unknown-direction"


def unknown_metric(metric: str) -> tuple[Finding, ...]:
    """Return a note for a metric whose name does not show whether greater values are better."""
    if not metric.strip() or direction_of_metric(metric) is not None or names_no_metric(metric):
        return ()
    sentence = f"Whether more or less of {short(metric)} is better is not known: higher is treated as better."
    return (Finding(code=UNKNOWN, severity="warning", sentence=sentence),)


def unknown_direction(name: str, metric: str) -> TableError:
    """Return the error for a metric with an unknown direction."""
    problem = f"{name}: whether more or less of {short(metric)} is better is not known"
    return TableError(problem, "say it by {} or {lower}", "greater_is_better", "True")
