"""Noninferiority and equivalence of two areas under the ROC curve on one test set."""

from __future__ import annotations

__all__ = ["AreaMargin", "area_margin", "areas"]

from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._result import reasons
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import positive_cases
from evalstats.metrics.delong import adjusted_parts, placements_of, satterthwaite
from evalstats.paired.delong import FIRST, SECOND, DeLongTestResult, delong_test
from evalstats.paired.noninferiority_results import AtMargin, OneSided, understand_margin

METHODS = ("t", "normal")
# weight of the pseudo-instances: one-sided tests of skewed differences need a greater weight than two-sided tests
ADDED = 0.5
NO_VARIANCE = (
    "the difference between the areas has no variance, so the normal distribution does not apply; this does not mean "
    "that the difference is known exactly"
)
SINGLE_CASE = "with a single positive or a single negative instance, the difference between the areas has no variance"


class AreaMargin:
    """Two areas under ROC curves, the standard error of their difference, and its distribution."""

    test = "auc"

    def __init__(self, areas: DeLongTestResult, method: str, error: FloatArray, df: FloatArray) -> None:
        """Store the estimated areas and the standard error of their difference."""
        self.areas, self.method, self.error, self.df = areas, method, error, df
        self.n = np.asarray(areas.n_positive) + np.asarray(areas.n_negative)
        self.difference = np.asarray(areas.difference)

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test the null hypothesis that the difference is the shift: Liu et al. (2006), section 3."""
        has_variance = self.error > 0
        excess = self.difference - shift
        t = np.where(has_variance, excess / np.where(has_variance, self.error, 1.0), np.nan)
        is_t = self.method == "t"
        return OneSided(
            t,
            tails.t_pvalue(t, self.df, alternative) if is_t else tails.normal_pvalue(t, alternative),
            np.full(t.shape, "t" if is_t else "asymptotic"),
            reasons(t.shape, (~has_variance, SINGLE_CASE if is_t else NO_VARIANCE)),
        )

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits, truncated at -1 and 1, or nan without a variance."""
        from scipy.special import ndtri

        quantile = tails.t_quantile(self.df, 1 - alpha) if self.method == "t" else -float(ndtri(alpha))
        reach = np.where(self.error > 0, quantile * self.error, np.nan)
        return np.maximum(self.difference - reach, -1.0), np.minimum(self.difference + reach, 1.0)


def area_margin(y_true: Any, x: Any, y: Any, *, pos_label: Any = None, method: str = "t") -> AreaMargin:
    """Compare two areas, by t with a variance adjusted for few instances, or by DeLong's method."""
    method = _checks.choice(method, "method", METHODS)
    areas = delong_test(y_true, x, y, pos_label=pos_label, df="infinite")
    error = np.asarray(areas.standard_error)
    if method == "normal":
        return AreaMargin(areas, method, error, np.full(error.shape, np.inf))

    score = np.stack(np.broadcast_arrays(*_checks.paired(x, y)), axis=-2)
    *batch, n = np.broadcast_shapes(score[..., 0, :].shape, (*error.shape, 1))
    is_positive = positive_cases(classes.understand(y_true, "y_true"), pos_label, greater_of_two=True)
    is_positive = np.broadcast_to(is_positive, (*batch, n))
    placements = placements_of(is_positive, np.broadcast_to(score, (*batch, 2, n)))
    parts, _ = adjusted_parts(is_positive, placements, FIRST, SECOND, ADDED)
    size = np.stack([areas.n_positive, areas.n_negative])
    # without any difference, the largest possible difference counts
    v, w = np.where(parts[..., 0] == 0, ADDED / (size * np.maximum(size - 1, 1)), parts[..., 0])
    df = satterthwaite((v, w), size - 1)
    return AreaMargin(areas, method, np.sqrt(v + w), df)


def areas(x: Any, y: Any, *, margin: Any, y_true: Any = None, pos_label: Any = None, method: str = "t") -> AtMargin:
    """Compare two areas under ROC curves."""
    margin = understand_margin(margin, are_shares=True)
    return AtMargin(area_margin(y_true, x, y, pos_label=pos_label, method=method), margin)
