"""Which metrics are there?"""

from __future__ import annotations

__all__ = ["METRICS"]

from evalstats.metrics.formulas import LABEL_METRICS
from evalstats.metrics.probabilities import PROBABILITY_METRICS
from evalstats.metrics.ranking import RANKING_METRICS
from evalstats.metrics.registry import Metric

METRICS: dict[str, Metric] = {**LABEL_METRICS, **RANKING_METRICS, **PROBABILITY_METRICS}
