"""Which metrics are there, and what does each promise?

A metric is declared where it is written: each stem of this room holds a literal table of its metrics, and
`evalstats.metrics.METRICS` is their union. Docs and laws are computed from these tables.
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
    """What a metric declares about itself.

    Attributes
    ----------
    function : str
        Its public function in `evalstats.metrics`.
    needs : str
        What stands beside the true labels: ``'labels'``, ``'scores'`` or ``'probabilities'``.
    greater_is_better : bool
        False for errors and losses.
    range : tuple of float
        The smallest and the largest value it can have.
    symmetry : tuple of str
        What leaves its value as it is; keys of `SYMMETRIES`.
    undefined_when : str
        When its formula divides by zero, in words that complete "undefined: ...".
    sklearn : str or None
        The function of scikit-learn with the same values.
    """

    function: str
    needs: str
    greater_is_better: bool
    range: tuple[float, float]
    symmetry: tuple[str, ...]
    undefined_when: str
    sklearn: str | None


@dataclass(frozen=True, kw_only=True)
class ExternalMetric(Metric):
    """A metric of another package, which registers it as an entry point of the group ``evalstats.metrics``.

    Attributes
    ----------
    compute : callable
        ``compute(y_true, y_pred)`` returns the score of some cases; nan where it is undefined. Of ``needs='labels'``
        both are arrays of labels, as text; otherwise `y_true` tells which cases are positive, and the other array
        holds their scores or probabilities.
    """

    compute: Callable[[Any, Any], float] = field(repr=False)
    function: str = ""
    symmetry: tuple[str, ...] = ()
    undefined_when: str = ""
    sklearn: str | None = None


def external_metric(name: str) -> ExternalMetric | None:
    """Return the metric of this name that another package adds, None if there is none."""
    from evalstats._plugins import METRICS, PluginError, blamed, plugin_named

    plugin = plugin_named(METRICS, name)
    if plugin is None:
        return None
    record = plugin.value
    if not isinstance(record, ExternalMetric):
        raise PluginError(f"{plugin.title} is no ExternalMetric, but an object of {type(record).__name__}")

    def compute(y_true: Any, y_pred: Any) -> float:
        with blamed(plugin, "cannot be computed"):
            return float(record.compute(y_true, y_pred))

    return replace(record, compute=compute)
