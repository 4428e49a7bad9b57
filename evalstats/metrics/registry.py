"""Declarations of metrics.

A metric is declared in its own module: each module contains a literal table of its metrics, and
`evalstats.metrics.METRICS` is their union. The documentation and the tests of invariants use these tables.
"""

from __future__ import annotations

__all__ = ["SYMMETRIES", "ExternalMetric", "Metric", "external_metric"]

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

SYMMETRIES = {
    "exchange": "true and predicted labels may be exchanged",
    "relabel": "the classes may be renamed or reordered",
}


@dataclass(frozen=True, kw_only=True)
class Metric:
    """Declaration of a metric.

    Attributes
    ----------
    function : str
        Public function in `evalstats.metrics`.
    needs : str
        Input in addition to the true labels: ``'labels'``, ``'scores'`` or ``'probabilities'``.
    greater_is_better : bool
        False for errors and losses.
    range : tuple of float
        Smallest and largest possible value.
    symmetry : tuple of str
        Transformations that do not change the value. They are keys of `SYMMETRIES`. Default: none.
    undefined_when : str
        Condition under which the formula divides by zero, as a clause that completes "undefined: ...".
    sklearn : str or None
        Function of scikit-learn that returns the same values.
    """

    function: str
    needs: str
    greater_is_better: bool
    range: tuple[float, float]
    symmetry: tuple[str, ...] = ()
    undefined_when: str
    sklearn: str | None


@dataclass(frozen=True, kw_only=True)
class ExternalMetric(Metric):
    """Metric of another package, registered as an entry point of the group ``evalstats.metrics``.

    Attributes
    ----------
    compute : callable
        ``compute(y_true, y_pred)`` returns the score of the instances, or nan if the score is undefined. With
        ``needs='labels'``, both are arrays of labels, as text. With other inputs, `y_true` states which instances are
        positive, and the second array contains the scores or probabilities of the instances.
    """

    compute: Callable[[Any, Any], float] = field(repr=False)
    function: str = ""
    symmetry: tuple[str, ...] = ()
    undefined_when: str = ""
    sklearn: str | None = None


def external_metric(name: str) -> ExternalMetric | None:
    """Return the metric of this name from another package, or None if no package provides it."""
    from evalstats._plugins import METRICS, PluginError, blamed, plugin_named

    plugin = plugin_named(METRICS, name)
    if plugin is None:
        return None
    record = plugin.value
    if not isinstance(record, ExternalMetric):
        raise PluginError(f"{plugin.title} must be an ExternalMetric, not an object of type {type(record).__name__}")

    def compute(y_true: Any, y_pred: Any) -> float:
        with blamed(plugin, "cannot be computed"):
            return float(record.compute(y_true, y_pred))

    return replace(record, compute=compute)
