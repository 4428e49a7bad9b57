"""Reliability curves: the frequency of an event at each predicted probability, with a band."""

from __future__ import annotations

__all__ = ["ReliabilityCurve", "recalibrated", "reliability_curve"]

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._result import Record
from evalstats._types import FloatArray, IndexArray, IntArray
from evalstats.metrics.calibration import EVENTS, event_of
from evalstats.metrics.score_input import one_forecast

METHODS = ("isotonic", "uniform", "quantile")
BANDS = ("consistency", "confidence", "none")
FEW = "fewer than 10 instances: the curve and its band are not informative"
CONSTANT = "all probabilities are equal, so the curve is a single point"
MOST_BLOCKS = 200  # largest number of blocks of forecasts in the confidence band: the time is quadratic in it
MOST_POSITIONS = 400  # largest number of points of the consistency band
N_BARS = 20


@dataclass(frozen=True, kw_only=True, eq=False)
class ReliabilityCurve(Record):
    """Result of `reliability_curve`.

    Attributes
    ----------
    probability : ndarray of shape (m,)
        Distinct predicted probabilities in ascending order or, with bins, the mean probability of each bin that is not
        empty.
    frequency : ndarray of shape (m,)
        Estimated frequency of the event at each `probability`: the isotonic estimate or the frequency in the bin.
    n_instances, n_events : ndarray of int, of shape (m,)
        Number of instances with each `probability` (or in each bin), and number of them in which the event occurred.
    method : str
        ``'isotonic'``, ``'uniform'`` or ``'quantile'``.
    event : str
        ``'positive'``: the instance is positive. ``'predicted'``: the class with the largest probability is correct.
    band : str
        ``'consistency'``, ``'confidence'`` or ``'none'``.
    band_probability, lower, upper : ndarray of shape (b,)
        The band at selected probabilities: at most 400 for a consistency band, and the limits of blocks for a
        confidence band. The arrays are empty without a band.
    confidence_level : float
        Level of the band.
    simultaneous : bool
        Whether the level of the band applies to all probabilities together. If False, it applies to each probability
        separately.
    bar_edges, bar_counts : ndarray
        Histogram of the probabilities: 21 edges from 0 to 1, and the number of instances in each of 20 bars.
    n_resamples : int
        Number of resamples for the band. It is 0 if the band does not use resamples.
    seed : int or None
        Seed of the resamples, or None without resamples or if `rng` was a Generator.
    reason : str or None
        A sentence if the input was degenerate, otherwise None.
    """

    probability: FloatArray
    frequency: FloatArray
    n_instances: IntArray
    n_events: IntArray
    method: str
    event: str
    band: str
    band_probability: FloatArray
    lower: FloatArray
    upper: FloatArray
    confidence_level: float
    simultaneous: bool
    bar_edges: FloatArray
    bar_counts: IntArray
    n_resamples: int
    seed: int | None
    reason: str | None

    def _axes(self) -> tuple[str, ...]:
        return ("point",)

    @property
    def share_outside(self) -> float:
        """Proportion of the instances whose point on the curve is outside of a consistency band.

        For a confidence band, it is the proportion of the instances for which the band does not contain the predicted
        probability. The proportion is nan without a band.
        """
        if self.band == "none":
            return math.nan
        lower, upper = self.limits_at(self.probability)
        value = self.frequency if self.band == "consistency" else self.probability
        slack = 1e-12  # a limit may equal the curve except for rounding
        outside = (value < lower - slack) | (value > upper + slack)
        return float(self.n_instances[outside].sum() / self.n_instances.sum())

    def limits_at(self, probability: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return both limits of the band at the given probabilities.

        Parameters
        ----------
        probability : array_like of float
            Probabilities from 0 to 1.

        Returns
        -------
        tuple of two ndarray
            The lower limits and the upper limits. A confidence band of an isotonic curve is a step function. The other
            bands are interpolated linearly. The limits are nan outside of the range of the predicted probabilities.
        """
        at = np.asarray(_checks.numbers(probability, "probability"))
        x = self.band_probability
        if self.band == "none":
            return np.full(at.shape, np.nan), np.full(at.shape, np.nan)
        if not self.simultaneous:
            low, high = (np.interp(at, x, v, left=np.nan, right=np.nan) for v in (self.lower, self.upper))
            return np.asarray(low), np.asarray(high)
        below = np.append(0.0, self.lower)[np.searchsorted(x, at, side="right")]
        above = np.append(self.upper, 1.0)[np.searchsorted(x, at, side="left")]
        return below, above


def reliability_curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    method: str = "isotonic",
    n_bins: int = 10,
    band: str = "consistency",
    confidence_level: float = 0.95,
    event: str = "auto",
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    n_resamples: int = 1000,
    rng: Any = None,
) -> ReliabilityCurve:
    """Compute a reliability curve with a band and a histogram of the predicted probabilities.

    The curve of calibrated probabilities is the diagonal, except for random variation. The isotonic curve (CORP) does
    not require a choice of bins. `evalstats.plot.reliability_diagram` plots the curve.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True classes.
    y_proba : array_like of shape (n,) or (n, n_classes)
        Probability of the positive class, or of every class, as in `brier_score_loss`. For one class of several, pass
        ``y_true == label`` and the column of the class.
    method : {'isotonic', 'uniform', 'quantile'}, default: 'isotonic'
        ``'isotonic'``: the increasing function with the smallest squared error. ``'uniform'`` and ``'quantile'``: bins
        of equal width, and bins with approximately equal numbers of instances, respectively.
    n_bins : int, default: 10
        Number of bins. The isotonic curve ignores this argument.
    band : {'consistency', 'confidence', 'none'}, default: 'consistency'
        ``'consistency'``: the range that contains the curve of calibrated probabilities with a probability of
        `confidence_level`, at each predicted probability separately. This band surrounds the diagonal.
        ``'confidence'``: an interval for the true frequency. For the isotonic curve, the band is simultaneous for all
        probabilities if the true frequency increases with the probability. This band needs no resamples, but it is
        wide. With bins, the band is the Clopper-Pearson interval of each bin separately.
    confidence_level : float, default: 0.95
        Level of the band.
    event : {'auto', 'positive', 'predicted'}, default: 'auto'
        As in `expected_calibration_error`.
    pos_label, labels
        As in `brier_score_loss`.
    n_resamples : int, default: 1000
        Number of resamples of the consistency band.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    ReliabilityCurve

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `brier_score_loss`, or if an option is unknown or `y_true` has leading axes.

    See Also
    --------
    brier_decomposition : the Brier score, split into miscalibration, discrimination and uncertainty.
    calibration_curve : the curve over bins without a band, as in scikit-learn.

    Notes
    -----
    For the consistency band, events are drawn from the predicted probabilities, and the curve is fitted again. The
    confidence band of the isotonic curve uses Clopper-Pearson limits for all runs of consecutive blocks among m blocks
    of probabilities. Each limit has the error probability (1 - level) / (m (m + 1)). At a probability, the lower limit
    is the largest lower limit of the runs at or below it. The upper limit is the smallest upper limit of the runs at or
    above it. A block is one distinct probability. For more than 200 distinct probabilities, a block contains
    consecutive probabilities, with approximately equal numbers of instances.

    References
    ----------
    Dimitriadis, T., Gneiting, T. & Jordan, A. I. (2021). Stable reliability diagrams for probabilistic classifiers.
    PNAS 118, e2016191118.

    Broecker, J. & Smith, L. A. (2007). Increasing the reliability of reliability diagrams. Weather and Forecasting 22,
    651-661.

    Dimitriadis, T., Duembgen, L., Henzi, A., Puke, M. & Ziegel, J. (2023). Honest calibration assessment for binary
    outcome predictions. Biometrika 110, 663-680.

    Examples
    --------
    >>> from evalstats.metrics import reliability_curve
    >>> y_true, y_prob = [0, 0, 1, 0, 1, 1] * 10, [0.1, 0.2, 0.3, 0.6, 0.7, 0.9] * 10
    >>> curve = reliability_curve(y_true, y_prob, band="confidence")
    >>> curve.frequency
    array([0. , 0. , 0.5, 0.5, 1. , 1. ])
    >>> print(f"{curve.lower[-1]:.2f} to {curve.upper[-1]:.2f}")
    0.71 to 1.00
    """
    method, band = _checks.choice(method, "method", METHODS), _checks.choice(band, "band", BANDS)
    n_bins, n_resamples = _checks.count(n_bins, "n_bins"), _checks.count(n_resamples, "n_resamples", minimum=2)
    level = _checks.confidence_level(confidence_level)
    event = _checks.choice(event, "event", EVENTS)
    forecast = one_forecast(y_true, y_proba, pos_label, labels)
    source = _checks.random_source(rng)

    happened, probability = event_of(forecast, event)
    points = _points(happened, probability, method, n_bins)
    limits, drawn = _NO_BAND, 0
    if band == "confidence":
        limits = _run_limits(points, level) if method == "isotonic" else _bin_limits(points, level)
    elif band == "consistency":
        limits, drawn = _consistency(points, method, level, n_resamples, source.generator()), n_resamples
    counts, edges = np.histogram(probability, bins=N_BARS, range=(0.0, 1.0))
    return ReliabilityCurve(
        probability=points.probability,
        frequency=_fitted(points.n_events, points.n, method),
        n_instances=points.n.astype(np.int64),
        n_events=points.n_events.astype(np.int64),
        method=method,
        event=_resolved(event, forecast.proba.shape[-1]),
        band=band,
        band_probability=limits.probability,
        lower=limits.lower,
        upper=limits.upper,
        confidence_level=level,
        simultaneous=band == "confidence" and method == "isotonic",
        bar_edges=edges,
        bar_counts=counts.astype(np.int64),
        n_resamples=drawn,
        seed=source.seed if drawn else None,
        reason=CONSTANT if np.ptp(probability) == 0 else FEW if probability.size < 10 else None,
    )


def recalibrated(happened: FloatArray, probability: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Return the isotonic frequency of the event for each instance."""
    distinct, place = np.unique(probability, return_inverse=True)
    place = place.ravel()
    weight = np.ones(probability.shape) if weight is None else weight
    total = np.bincount(place, weight, distinct.size).astype(np.float64)
    events = np.bincount(place, weight * happened, distinct.size).astype(np.float64)
    has_weight = total > 0
    frequency = np.zeros(distinct.size)
    frequency[has_weight] = _fitted(events[has_weight], total[has_weight], "isotonic")
    return frequency[place]


class _Points(NamedTuple):
    """Mean probability, number of instances and number of events for each probability or bin."""

    probability: FloatArray
    n: FloatArray
    n_events: FloatArray
    sorted_probability: FloatArray  # probabilities of all instances, in the order of the points
    starts: IndexArray  # the first instance of each point


class _Limits(NamedTuple):
    probability: FloatArray
    lower: FloatArray
    upper: FloatArray


_NO_BAND = _Limits(*(np.empty(0) for _ in range(3)))


def _resolved(event: str, k: int) -> str:
    return ("positive" if k == 2 else "predicted") if event == "auto" else event


def _points(happened: FloatArray, probability: FloatArray, method: str, n_bins: int) -> _Points:
    order = np.argsort(probability, kind="stable")
    ordered = probability[order]
    if method == "isotonic":
        key = ordered
    else:
        edges = np.linspace(0, 1, n_bins + 1)
        inner = (edges if method == "uniform" else np.percentile(ordered, edges * 100))[1:-1]
        key = np.searchsorted(inner, ordered).astype(np.float64)
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    n = np.diff(np.append(starts, ordered.size)).astype(np.float64)
    events = np.add.reduceat(happened[order], starts)
    mean = ordered[starts] if method == "isotonic" else np.add.reduceat(ordered, starts) / n
    return _Points(mean, n, events, ordered, starts)


def _fitted(events: FloatArray, n: FloatArray, method: str) -> FloatArray:
    frequency = events / n
    if method != "isotonic":
        return frequency
    from scipy.optimize import isotonic_regression

    return np.asarray(isotonic_regression(frequency, weights=n).x)


def _consistency(
    points: _Points, method: str, level: float, n_resamples: int, generator: np.random.Generator
) -> _Limits:
    """Return quantiles of curves whose events are simulated with the predicted probabilities."""
    m = points.probability.size
    at = np.unique(np.linspace(0, m - 1, min(m, MOST_POSITIONS)).round().astype(np.intp))
    curves = np.empty((n_resamples, at.size))
    is_distinct = method == "isotonic" and m < points.sorted_probability.size / 4
    for row in range(n_resamples):
        if is_distinct:
            events = generator.binomial(points.n.astype(np.int64), points.probability).astype(np.float64)
        else:
            drawn = generator.random(points.sorted_probability.size) < points.sorted_probability
            events = np.add.reduceat(drawn.astype(np.float64), points.starts) if m < drawn.size else drawn.astype(float)
        curves[row] = _fitted(events, points.n, method)[at]
    lower, upper = np.quantile(curves, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return _Limits(points.probability[at], lower, upper)


def _run_limits(points: _Points, level: float) -> _Limits:
    """Return the simultaneous band of an increasing function: Dimitriadis et al. (2023), section 2."""
    starts = _blocks(points.n)
    n, events = (np.add.reduceat(v, starts) for v in (points.n, points.n_events))
    ends = np.append(starts[1:], points.n.size) - 1
    first, last = points.probability[starts], points.probability[ends]
    m = n.size
    j, k = np.triu_indices(m)
    of_runs = (np.append(0.0, np.cumsum(v)) for v in (n, events))
    size, happened = (total[k + 1] - total[j] for total in of_runs)
    low, high = _clopper_pearson(happened, size, (1 - level) / (m * (m + 1)))
    lower, upper = np.zeros(m), np.ones(m)
    np.maximum.at(lower, k, low)
    np.minimum.at(upper, j, high)
    lower, upper = np.maximum.accumulate(lower), np.minimum.accumulate(upper[::-1])[::-1]
    at = np.union1d(first, last)
    return _Limits(
        at,
        np.append(0.0, lower)[np.searchsorted(last, at, side="right")],
        np.append(upper, 1.0)[np.searchsorted(first, at, side="left")],
    )


def _blocks(n: FloatArray) -> IndexArray:
    """Return the first distinct probability of each block."""
    if n.size <= MOST_BLOCKS:
        return np.arange(n.size)
    block = np.minimum((np.cumsum(n) - n / 2) * (MOST_BLOCKS / n.sum()), MOST_BLOCKS - 1).astype(np.intp)
    return np.flatnonzero(np.append(True, block[1:] != block[:-1]))


def _bin_limits(points: _Points, level: float) -> _Limits:
    return _Limits(points.probability, *_clopper_pearson(points.n_events, points.n, (1 - level) / 2))


def _clopper_pearson(events: FloatArray, n: FloatArray, error: float) -> tuple[FloatArray, FloatArray]:
    """Return both Clopper-Pearson limits for a proportion, each with the given error probability."""
    from scipy.special import betainccinv, betaincinv

    low = np.where(events > 0, betaincinv(np.maximum(events, 1), n - events + 1, error), 0.0)
    high = np.where(events < n, betainccinv(events + 1, np.maximum(n - events, 1), error), 1.0)
    return low, high
