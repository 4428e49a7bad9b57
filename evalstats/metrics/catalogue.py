"""Union of the declarations of all metrics."""

from __future__ import annotations

__all__ = ["METRICS"]

from evalstats.metrics.calibration import CALIBRATION_METRICS
from evalstats.metrics.formulas import LABEL_METRICS
from evalstats.metrics.hmeasure import COST_METRICS
from evalstats.metrics.information import INFORMATION_METRICS
from evalstats.metrics.lift import LIFT_METRICS
from evalstats.metrics.probabilities import PROBABILITY_METRICS
from evalstats.metrics.ranking import RANKING_METRICS
from evalstats.metrics.registry import Metric
from evalstats.metrics.score_decomposition import DECOMPOSITION_METRICS

METRICS: dict[str, Metric] = {
    **LABEL_METRICS,
    **RANKING_METRICS,
    **COST_METRICS,
    **LIFT_METRICS,
    **PROBABILITY_METRICS,
    **INFORMATION_METRICS,
    **CALIBRATION_METRICS,
    **DECOMPOSITION_METRICS,
}
