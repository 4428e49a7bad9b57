"""Which metrics are there, and what does each promise?

A metric is declared where it is written: each stem of this room holds a literal table of its metrics, and
`evalstats.metrics.METRICS` is their union. Docs and laws are computed from these tables.
"""

from __future__ import annotations

__all__ = ["SYMMETRIES", "Metric"]

from dataclasses import dataclass

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
