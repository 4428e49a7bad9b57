"""Calibration of predicted probabilities."""

from __future__ import annotations

__all__ = [
    "CALIBRATION_METRICS",
    "BinSums",
    "CalibrationCurve",
    "bin_sums",
    "calibration_curve",
    "event_of",
    "expected_calibration_error",
    "squared_calibration_error",
]

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._result import Record, unbatch
from evalstats._types import FloatArray
from evalstats.metrics.formulas import policy
from evalstats.metrics.registry import Metric
from evalstats.metrics.score_input import NO_WEIGHT, Forecast, filled_score, understand_forecast

STRATEGIES = ("uniform", "quantile")
EVENTS = ("auto", "positive", "predicted")

CALIBRATION_METRICS = {
    "expected_calibration_error": Metric(
        function="expected_calibration_error",
        needs="probabilities",
        greater_is_better=False,
        range=(0.0, 1.0),
        undefined_when=NO_WEIGHT,
        sklearn=None,
    )
}


@dataclass(frozen=True, kw_only=True, eq=False)
class CalibrationCurve(Record):
    """A calibration curve. You can unpack it: ``prob_true, prob_pred = curve``.

    Attributes
    ----------
    prob_true : ndarray of shape (..., n_bins)
        Proportion of positive instances in each bin. It is nan if the bin is empty.
    prob_pred : ndarray of shape (..., n_bins)
        Mean predicted probability of the instances of each bin. It is nan if the bin is empty.
    weight : ndarray of shape (..., n_bins)
        Number of instances in each bin, or the sum of their weights.
    edges : ndarray of shape (..., n_bins + 1)
        Limits of the bins. A bin includes its upper limit, and the first bin also includes its lower limit.
    strategy : str
        Strategy for the limits of the bins.
    """

    prob_true: FloatArray
    prob_pred: FloatArray
    weight: FloatArray
    edges: FloatArray
    strategy: str

    def _axes(self) -> tuple[str, ...]:
        return ("bin",)

    def __iter__(self) -> Iterator[FloatArray]:
        yield self.prob_true
        yield self.prob_pred


def calibration_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: Any = None,
    n_bins: int = 5,
    strategy: str = "uniform",
    sample_weight: ArrayLike | None = None,
) -> CalibrationCurve:
    """Compute the calibration curve.

    The curve compares the proportion of positive instances with the mean predicted probability in each bin. If these
    two values are equal in every bin, the classifier is calibrated: of the instances with the predicted probability
    0.8, 80% are positive.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True classes, at most two. Leading axes are batch dimensions and broadcast.
    y_prob : array_like of shape (..., n)
        Probability of the positive class.
    pos_label : label, optional
        As in `brier_score_loss`.
    n_bins : int, default: 5
        Number of bins.
    strategy : {'uniform', 'quantile'}, default: 'uniform'
        ``'uniform'``: bins of equal width. ``'quantile'``: bins with approximately equal numbers of instances,
        separately for each problem. The quantiles ignore the weights.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.

    Returns
    -------
    CalibrationCurve
        ``prob_true`` and ``prob_pred`` of all bins. The values are nan for empty bins, which scikit-learn leaves out.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `brier_score_loss`.

    Examples
    --------
    >>> from evalstats.metrics import calibration_curve
    >>> y_prob = [0.1, 0.2, 0.3, 0.4, 0.65, 0.7, 0.8, 0.9, 1.0]
    >>> prob_true, prob_pred = calibration_curve([0, 0, 0, 0, 1, 1, 1, 1, 1], y_prob, n_bins=3)
    >>> prob_true
    array([0. , 0.5, 1. ])
    >>> prob_pred
    array([0.2  , 0.525, 0.85 ])
    """
    n_bins = _checks.count(n_bins, "n_bins")
    strategy = _checks.choice(strategy, "strategy", STRATEGIES)
    forecast = understand_forecast(y_true, y_prob, sample_weight, pos_label, None, name="y_prob", columns=False)

    positive = forecast.true.astype(np.float64)
    bins = bin_sums(positive, forecast.proba[..., 1], forecast.weight, n_bins, strategy)

    with np.errstate(invalid="ignore"):
        return CalibrationCurve(
            prob_true=bins.happened / bins.weight,
            prob_pred=bins.predicted / bins.weight,
            weight=bins.weight,
            edges=bins.edges,
            strategy=strategy,
        )


def expected_calibration_error(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    n_bins: int = 15,
    strategy: str = "uniform",
    event: str = "auto",
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the expected calibration error: the mean distance between probabilities and frequencies.

    The instances are assigned to bins by the probability of an event. The error is the mean over the instances of the
    absolute difference between the frequency of the event and the mean probability in their bin.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As in `brier_score_loss`.
    n_bins : int, default: 15
        Number of bins. The result depends on this number, so report it.
    strategy : {'uniform', 'quantile'}, default: 'uniform'
        As in `calibration_curve`.
    event : {'auto', 'positive', 'predicted'}, default: 'auto'
        ``'positive'``: the instance is positive (two classes only). ``'predicted'``: the class with the largest
        probability is correct, so only the confidence is evaluated (Guo et al. 2017). ``'auto'`` is ``'positive'`` for
        two classes and ``'predicted'`` for more.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        As in `brier_score_loss`.

    Returns
    -------
    float or ndarray of shape (...)
        Smaller is better. The calibration error is not a proper scoring rule: a classifier that always predicts the
        class proportion has no error.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `brier_score_loss`.

    References
    ----------
    Naeini, M. P., Cooper, G. F. & Hauskrecht, M. (2015). Obtaining well calibrated probabilities using Bayesian
    binning. AAAI 29, 2901-2907.

    Guo, C., Pleiss, G., Sun, Y. & Weinberger, K. Q. (2017). On calibration of modern neural networks. ICML 34,
    1321-1330, eq. 3.

    Examples
    --------
    >>> from evalstats.metrics import expected_calibration_error
    >>> print(f"{expected_calibration_error([0, 0, 1, 1], [0.1, 0.1, 0.6, 0.9], n_bins=2):.4f}")
    0.1750
    """
    chosen = policy(undefined)
    n_bins = _checks.count(n_bins, "n_bins")
    strategy, event = _checks.choice(strategy, "strategy", STRATEGIES), _checks.choice(event, "event", EVENTS)
    forecast = understand_forecast(y_true, y_proba, sample_weight, pos_label, labels)

    happened, probability = event_of(forecast, event)
    bins = bin_sums(happened, probability, forecast.weight, n_bins, strategy)
    with np.errstate(invalid="ignore"):
        error = np.abs(bins.happened - bins.predicted).sum(axis=-1) / bins.weight.sum(axis=-1)

    return filled_score(error, chosen, "expected_calibration_error", NO_WEIGHT)


def squared_calibration_error(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    n_bins: int = 15,
    strategy: str = "quantile",
    event: str = "auto",
    debiased: bool = True,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
) -> Any:
    """Compute the squared calibration error over bins, without the bias from random variation.

    The error is the mean over the instances of the squared difference between the frequency of the event and the mean
    probability in their bin. Random variation makes these differences larger than 0 even for a calibrated classifier,
    so `expected_calibration_error` is too large in small samples. The debiased error subtracts the estimated variance
    of each frequency.

    Parameters
    ----------
    y_true, y_proba, pos_label, labels
        As in `brier_score_loss`.
    n_bins : int, default: 15
        Number of bins. The result depends on this number, so report it.
    strategy : {'uniform', 'quantile'}, default: 'quantile'
        As in `calibration_curve`.
    event : {'auto', 'positive', 'predicted'}, default: 'auto'
        As in `expected_calibration_error`.
    debiased : bool, default: True
        Subtract the estimated variance of the frequency in each bin. The estimate is ``f (1 - f) / (n - 1)`` for a
        frequency f of n instances, and 0 for one instance.

    Returns
    -------
    float or ndarray of shape (...)
        Smaller is better. A debiased error is negative if the differences are smaller than expected by chance.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `brier_score_loss`.

    References
    ----------
    Kumar, A., Liang, P. S. & Ma, T. (2019). Verified uncertainty calibration. NeurIPS 32, section 4.

    Examples
    --------
    >>> from evalstats.metrics import squared_calibration_error
    >>> y_true, y_proba = [0, 0, 0, 1, 1, 1, 0, 1], [0.1, 0.1, 0.1, 0.1, 0.8, 0.8, 0.8, 0.8]
    >>> for debiased in (False, True):
    ...     print(f"{squared_calibration_error(y_true, y_proba, n_bins=2, debiased=debiased):.4f}")
    0.0125
    -0.0500
    """
    n_bins = _checks.count(n_bins, "n_bins")
    strategy, event = _checks.choice(strategy, "strategy", STRATEGIES), _checks.choice(event, "event", EVENTS)
    debiased = _checks.boolean(debiased, "debiased")
    forecast = understand_forecast(y_true, y_proba, None, pos_label, labels)

    bins = bin_sums(*event_of(forecast, event), None, n_bins, strategy)
    n = np.maximum(bins.weight, 1.0)
    frequency = bins.happened / n
    squared = (frequency - bins.predicted / n) ** 2
    if debiased:
        squared -= frequency * (1 - frequency) / np.maximum(n - 1, 1.0)
    return unbatch((bins.weight * squared).sum(axis=-1) / bins.weight.sum(axis=-1))


class BinSums(NamedTuple):
    """Sums over the instances of each bin, of shape (..., n_bins)."""

    happened: FloatArray
    predicted: FloatArray
    weight: FloatArray
    edges: FloatArray


def bin_sums(happened: FloatArray, predicted: FloatArray, weight: FloatArray | None, n: int, strategy: str) -> BinSums:
    """Sum the events, the probabilities and the weights of the instances of each bin."""
    w = np.ones(()) if weight is None else weight
    happened, predicted, w = np.broadcast_arrays(happened, predicted, w)
    batch = predicted.shape[:-1]
    if strategy == "uniform":
        edges = np.broadcast_to(np.linspace(0, 1, n + 1), (*batch, n + 1))
        which = np.searchsorted(edges[(0,) * len(batch)][1:-1], predicted)
    else:
        edges = np.moveaxis(np.percentile(predicted, np.linspace(0, 1, n + 1) * 100, axis=-1), 0, -1)
        which = np.empty(predicted.shape, dtype=np.intp)
        for at in np.ndindex(batch):
            which[at] = np.searchsorted(edges[at][1:-1], predicted[at])
    n_problems = math.prod(batch)
    cell = (which.reshape(n_problems, -1) + n * np.arange(n_problems)[:, None]).ravel()

    def total(values: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(cell, values.ravel(), n_problems * n), dtype=np.float64).reshape(*batch, n)

    return BinSums(total(w * happened), total(w * predicted), total(w), edges)


def event_of(forecast: Forecast, event: str) -> tuple[FloatArray, FloatArray]:
    """Return whether the event occurred in each instance, and its probability."""
    k = forecast.proba.shape[-1]
    if event == "auto":
        event = "positive" if k == 2 else "predicted"
    if event == "predicted":
        happened = np.argmax(forecast.proba, axis=-1) == forecast.true
        return happened.astype(np.float64), forecast.proba.max(axis=-1)
    if k > 2:
        raise InvalidValueError(f"event='positive' needs two classes, but y_proba has {k} columns")
    return forecast.true.astype(np.float64), forecast.proba[..., 1]
