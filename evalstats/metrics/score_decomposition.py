"""Decomposition of the Brier score into miscalibration, discrimination and uncertainty."""

from __future__ import annotations

__all__ = ["DECOMPOSITION_METRICS", "BrierDecomposition", "brier_decomposition", "miscalibration"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.metrics.calibration import EVENTS, bin_sums, event_of
from evalstats.metrics.formulas import policy
from evalstats.metrics.registry import Metric
from evalstats.metrics.reliability import recalibrated
from evalstats.metrics.score_input import NO_WEIGHT, filled_score, one_forecast, understand_forecast, weighted_mean

METHODS = ("isotonic", "distinct", "uniform", "quantile")

DECOMPOSITION_METRICS = {
    "miscalibration": Metric(
        function="miscalibration",
        needs="probabilities",
        greater_is_better=False,
        range=(0.0, 1.0),
        undefined_when=NO_WEIGHT,
        sklearn=None,
    )
}


@dataclass(frozen=True, kw_only=True, eq=False)
class BrierDecomposition(Record):
    """Result of `brier_decomposition`: brier = miscalibration - discrimination + uncertainty + remainder.

    Attributes
    ----------
    brier : float
        Brier score of the event, between 0 and 1.
    miscalibration : float
        Part of the score that recalibration would remove (Murphy's reliability). The best value is 0.
    discrimination : float
        Reduction of the score because the probabilities distinguish between instances (Murphy's resolution). A greater
        value is better.
    uncertainty : float
        Brier score of predicting the frequency of the event for every instance. The uncertainty does not depend on the
        probabilities.
    remainder : float
        Variation of the probabilities within the bins, or 0 without bins.
    method : str
        ``'isotonic'``, ``'distinct'``, ``'uniform'`` or ``'quantile'``.
    n_groups : int
        Number of groups of instances with the same recalibrated frequency.
    n_instances : int
        Number of instances.
    reason : str or None
        A sentence if the input was degenerate, otherwise None.
    """

    brier: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    remainder: float
    method: str
    n_groups: int
    n_instances: int
    reason: str | None


def brier_decomposition(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    method: str = "isotonic",
    n_bins: int = 10,
    event: str = "auto",
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
) -> BrierDecomposition:
    """Compute the components of the Brier score: miscalibration, discrimination and uncertainty.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True classes.
    y_proba : array_like of shape (n,) or (n, n_classes)
        Probability of the positive class, or of every class, as in `brier_score_loss`.
    method : {'isotonic', 'distinct', 'uniform', 'quantile'}, default: 'isotonic'
        Estimate of the frequency with which each probability is compared. ``'isotonic'``: the increasing function with
        the smallest squared error (CORP). ``'distinct'``: the frequency among the instances with exactly this
        probability (Murphy 1973). If all probabilities differ, the miscalibration measures the distance between each
        probability and the outcome 0 or 1. ``'uniform'`` and ``'quantile'``: bins of equal width, and bins with
        approximately equal numbers of instances, respectively. With bins, there is a remainder.
    n_bins : int, default: 10
        Number of bins. The methods without bins ignore this argument.
    event : {'auto', 'positive', 'predicted'}, default: 'auto'
        As in `expected_calibration_error`.
    pos_label, labels
        As in `brier_score_loss`.

    Returns
    -------
    BrierDecomposition

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `brier_score_loss`, or if an option is unknown or `y_true` has leading axes.

    References
    ----------
    Dimitriadis, T., Gneiting, T. & Jordan, A. I. (2021). Stable reliability diagrams for probabilistic classifiers.
    PNAS 118, e2016191118.

    Murphy, A. H. (1973). A new vector partition of the probability score. Journal of Applied Meteorology 12, 595-600.

    Examples
    --------
    >>> from evalstats.metrics import brier_decomposition
    >>> parts = brier_decomposition([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
    >>> print(f"{parts.brier:.3f} = {parts.miscalibration:.3f} - {parts.discrimination:.3f} + {parts.uncertainty:.3f}")
    0.167 = 0.083 - 0.167 + 0.250
    """
    method = _checks.choice(method, "method", METHODS)
    n_bins, event = _checks.count(n_bins, "n_bins"), _checks.choice(event, "event", EVENTS)
    forecast = one_forecast(y_true, y_proba, pos_label, labels)

    happened, probability = event_of(forecast, event)
    rate, brier = float(happened.mean()), float(((happened - probability) ** 2).mean())
    uncertainty = rate * (1 - rate)
    if method == "isotonic":
        fitted = recalibrated(happened, probability, None)
        after = float(((happened - fitted) ** 2).mean())
        parts, n_groups = (brier - after, uncertainty - after), len(np.unique(fitted))
    else:
        parts, n_groups = _of_groups(happened, probability, rate, method, n_bins)
    return BrierDecomposition(
        brier=brier,
        miscalibration=max(parts[0], 0.0),
        discrimination=max(parts[1], 0.0),
        uncertainty=uncertainty,
        remainder=brier - (parts[0] - parts[1] + uncertainty) if method in ("uniform", "quantile") else 0.0,
        method=method,
        n_groups=n_groups,
        n_instances=happened.size,
        reason="the event has the same value in all instances, so there is nothing to discriminate"
        if uncertainty == 0
        else None,
    )


def miscalibration(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    event: str = "auto",
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the miscalibration: the part of the Brier score that isotonic recalibration would remove.

    In contrast to `expected_calibration_error`, miscalibration needs no bins. The estimate is biased upward in small
    samples.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As in `brier_score_loss`.
    event : {'auto', 'positive', 'predicted'}, default: 'auto'
        As in `expected_calibration_error`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        As in `brier_score_loss`.

    Returns
    -------
    float or ndarray of shape (...)
        Smaller is better. Miscalibration is not a proper scoring rule: a classifier that always predicts the class
        proportion has no miscalibration.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `brier_score_loss`.

    References
    ----------
    Dimitriadis, T., Gneiting, T. & Jordan, A. I. (2021). Stable reliability diagrams for probabilistic classifiers.
    PNAS 118, e2016191118.

    Examples
    --------
    >>> from evalstats.metrics import miscalibration
    >>> print(f"{miscalibration([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9]):.4f}")
    0.0833
    """
    chosen, event = policy(undefined), _checks.choice(event, "event", EVENTS)
    forecast = understand_forecast(y_true, y_proba, sample_weight, pos_label, labels)
    happened, probability = event_of(forecast, event)
    given = () if forecast.weight is None else (forecast.weight,)
    arrays = np.broadcast_arrays(happened, probability, *given)
    happened, probability = arrays[:2]
    error = (happened - probability) ** 2
    fitted = np.empty(error.shape)
    for at in np.ndindex(error.shape[:-1]):
        fitted[at] = recalibrated(happened[at], probability[at], arrays[2][at] if given else None)
    removed = weighted_mean(error - (happened - fitted) ** 2, arrays[2] if given else None)
    return filled_score(np.maximum(removed, 0.0), chosen, "miscalibration", NO_WEIGHT)


def _of_groups(
    happened: FloatArray, probability: FloatArray, rate: float, method: str, n_bins: int
) -> tuple[tuple[float, float], int]:
    """Return Murphy's reliability and resolution, and the number of groups."""
    if method == "distinct":
        place = np.unique(probability, return_inverse=True)[1].ravel()
        each = (np.ones(place.size), happened, probability)
        n, events, predicted = (np.bincount(place, v).astype(np.float64) for v in each)
    else:
        bins = bin_sums(happened, probability, None, n_bins, method)
        n, events, predicted = (v[bins.weight > 0] for v in (bins.weight, bins.happened, bins.predicted))
    frequency = events / n
    reliability = float((n * (predicted / n - frequency) ** 2).sum() / n.sum())
    resolution = float((n * (frequency - rate) ** 2).sum() / n.sum())
    return (reliability, resolution), n.size
