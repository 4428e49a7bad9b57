"""Noninferiority and equivalence of two areas under the ROC curve on one test set."""

from __future__ import annotations

__all__ = ["AreaMargin", "area_margin", "areas"]

from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._result import reasons
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.small_sample_limits import with_skewness, without_skewness
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import positive_cases
from evalstats.metrics.delong import placements_of, satterthwaite
from evalstats.paired.delong import DeLongTestResult, delong_test
from evalstats.paired.noninferiority_results import AtMargin, OneSided, understand_margin

METHODS = ("t", "normal")
# weight of a pseudo-instance in each class with the largest possible difference of placements
ADDED = 0.6
NO_VARIANCE = (
    "the difference between the areas has no variance, so the normal distribution does not apply; this does not mean "
    "that the difference is known exactly"
)
SINGLE_CASE = "with a single positive or a single negative instance, the difference between the areas has no variance"


class AreaMargin:
    """Two areas under ROC curves, the standard error of their difference, and its distribution."""

    test = "auc"

    def __init__(
        self, areas: DeLongTestResult, method: str, error: FloatArray, df: FloatArray, skewness: FloatArray
    ) -> None:
        """Store the estimated areas, and the standard error and the skewness of their difference."""
        self.areas, self.method, self.error, self.df, self.skewness = areas, method, error, df, skewness
        self.n = np.asarray(areas.n_positive) + np.asarray(areas.n_negative)
        self.difference = np.asarray(areas.difference)

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test the null hypothesis that the difference is the shift: Liu et al. (2006), section 3, and Hall (1992)."""
        has_variance = self.error > 0
        excess = self.difference - shift
        t = np.where(has_variance, excess / np.where(has_variance, self.error, 1.0), np.nan)
        sign = 1.0 if alternative == "greater" else -1.0
        t = sign * without_skewness(sign * t, np.minimum(sign * self.skewness, 0.0))
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
        error = np.where(self.error > 0, self.error, np.nan)
        below, above = (
            error * with_skewness(quantile, np.minimum(skewness, 0.0)) for skewness in (self.skewness, -self.skewness)
        )
        return np.maximum(self.difference - below, -1.0), np.minimum(self.difference + above, 1.0)


def area_margin(y_true: Any, x: Any, y: Any, *, pos_label: Any = None, method: str = "t") -> AreaMargin:
    """Compare two areas, by t with a variance and a skewness for few instances, or by DeLong's method."""
    method = _checks.choice(method, "method", METHODS)
    areas = delong_test(y_true, x, y, pos_label=pos_label, df="infinite")
    error = np.asarray(areas.standard_error)
    if method == "normal":
        return AreaMargin(areas, method, error, np.full(error.shape, np.inf), np.zeros(error.shape))

    score = np.stack(np.broadcast_arrays(*_checks.paired(x, y)), axis=-2)
    *batch, n = np.broadcast_shapes(score[..., 0, :].shape, (*error.shape, 1))
    is_positive = positive_cases(classes.understand(y_true, "y_true"), pos_label, greater_of_two=True)
    is_positive = np.broadcast_to(is_positive, (*batch, n))
    placements = placements_of(is_positive, np.broadcast_to(score, (*batch, 2, n)))
    return AreaMargin(areas, method, *_moments(is_positive, placements[..., 0, :] - placements[..., 1, :]))


def _moments(positive: BoolArray, doubled: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return standard error, degrees of freedom and skewness, from differences of doubled placements."""
    members = np.stack([positive, ~positive])
    size = members.sum(axis=-1, dtype=np.float64)
    values = np.where(members, doubled, 0.0) / (2 * size[::-1, ..., None])
    deviations = np.where(members, values - (values.sum(axis=-1) / size)[..., None], 0.0)
    parts = ((deviations**2).sum(axis=-1) + ADDED) / np.where(size > 1, size * (size - 1), np.nan)
    third = (deviations**3).sum(axis=-1) / np.where(size > 2, size * (size - 1) * (size - 2), np.inf)
    variance = parts.sum(axis=0)
    # the more positive instances a negative instance exceeds, the smaller the area
    skewness = (third[0] - third[1]) / variance**1.5
    return np.sqrt(variance), satterthwaite(parts, size - 1), skewness


def areas(x: Any, y: Any, *, margin: Any, y_true: Any = None, pos_label: Any = None, method: str = "t") -> AtMargin:
    """Compare two areas under ROC curves."""
    margin = understand_margin(margin, are_shares=True)
    return AtMargin(area_margin(y_true, x, y, pos_label=pos_label, method=method), margin)
