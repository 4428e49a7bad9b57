"""Gaps in rates between subgroups for one classifier: true and false positive rates, selection rate, precision."""

from __future__ import annotations

__all__ = ["RATES", "GroupGaps", "group_gaps"]

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError, listed
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.metrics.class_encoding import positive_cases, understand
from evalstats.metrics.cluster_variance import numbered
from evalstats.metrics.proportions import score_limits

RATES = ("tpr", "fpr", "selection_rate", "ppv")


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupGaps(Record):
    """Result of `group_gaps`.

    Attributes
    ----------
    subgroups : tuple
        Names of the subgroups, in sorted order.
    n_instances, n_positive : ndarray of int, of shape (n_subgroups,)
        Numbers of instances and of positive instances of each subgroup.
    rates : dict of str to ndarray of shape (n_subgroups,)
        Rates of each subgroup: the true positive rate ``'tpr'``, the false positive rate ``'fpr'``, the
        ``'selection_rate'`` (proportion of positive predictions) and the precision ``'ppv'``. A rate is nan if there is
        no instance in its denominator.
    gaps : dict of str to float
        Largest difference in each rate between two subgroups.
    highest, lowest : dict of str to name
        Subgroups with the highest and the lowest value of each rate, respectively.
    lower, upper : dict of str to float
        Limits of the largest difference in each rate. For each rate, the limits are simultaneous over all pairs of
        subgroups.
    equalized_odds_difference : float
        The larger of the gaps in ``'tpr'`` and ``'fpr'``.
    equalized_odds_lower, equalized_odds_upper : float
        Limits of the equalized odds difference, which are simultaneous over all pairs of subgroups and both rates.
    confidence_level : float
        Level of the limits.
    reason : str or None
        A sentence if a rate of a subgroup is undefined, otherwise None.
    """

    subgroups: tuple[Any, ...]
    n_instances: IntArray
    n_positive: IntArray
    rates: dict[str, FloatArray]
    gaps: dict[str, float]
    highest: dict[str, Any]
    lowest: dict[str, Any]
    lower: dict[str, float]
    upper: dict[str, float]
    equalized_odds_difference: float
    equalized_odds_lower: float
    equalized_odds_upper: float
    confidence_level: float
    reason: str | None

    def _axes(self) -> tuple[str, ...]:
        return ("subgroup",)


def group_gaps(
    y_true: ArrayLike, y_pred: ArrayLike, subgroup: ArrayLike, *, pos_label: Any = None, confidence_level: float = 0.95
) -> GroupGaps:
    """Compute the gaps in the rates of one classifier between subgroups, with intervals.

    A gap of 0 does not show that a classifier is fair. In a small sample, gaps may be large by chance, so also consider
    the limits.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (n,)
        True and predicted labels of independent instances.
    subgroup : array_like of shape (n,)
        Subgroup of each instance: at least two different names or numbers.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.
    confidence_level : float, default: 0.95
        Level of the limits.

    Returns
    -------
    GroupGaps

    Raises
    ------
    ValueError, TypeError
        If the arguments are not paired, or there are fewer than two subgroups.

    See Also
    --------
    evalstats.paired.gap_change_test : test whether two classifiers have equal gaps.

    Notes
    -----
    The limits for the difference between two proportions are Newcombe's, which use Wilson's limits for both
    proportions. Each interval has the level 1 - alpha / m for m pairs of subgroups (and rates), so the intervals are
    simultaneous. The largest difference then lies between the largest lower limit and the largest upper limit of the
    absolute differences. A bootstrap of the largest difference would be biased upward.

    References
    ----------
    Hardt, M., Price, E. & Srebro, N. (2016). Equality of opportunity in supervised learning. NeurIPS 29.

    Newcombe, R. G. (1998). Interval estimation for the difference between independent proportions: comparison of eleven
    methods. Statistics in Medicine 17, 873-890, method 10.

    Examples
    --------
    >>> from evalstats.metrics import group_gaps
    >>> y_true = [1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1]
    >>> y_pred = [1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1]
    >>> result = group_gaps(y_true, y_pred, ["a"] * 8 + ["b"] * 8)
    >>> result.gaps["tpr"], result.equalized_odds_difference
    (0.25, 0.25)
    >>> print(f"{result.equalized_odds_lower:.2f} to {result.equalized_odds_upper:.2f}")
    0.00 to 0.68
    """
    level = _checks.confidence_level(confidence_level)
    _labels.same_labels(y_true=y_true, y_pred=y_pred, subgroup=subgroup)
    true, predicted = (
        positive_cases(understand(v, n), pos_label, greater_of_two=True)
        for v, n in ((y_true, "y_true"), (y_pred, "y_pred"))
    )
    if true.ndim != 1 or true.shape != predicted.shape:
        raise InvalidValueError(
            f"y_true and y_pred must have the shape (n,), but their shapes are {true.shape} and {predicted.shape}"
        )
    code, names = numbered(subgroup, "subgroup", "subgroup", true.size)
    if len(names) < 2:
        raise InvalidValueError(f"subgroup must hold two subgroups or more, but it holds {listed(names)} only")
    order = sorted(range(len(names)), key=lambda i: names[i])
    counted = _Counted(true, predicted, np.argsort(order)[code], len(names))

    pairs = len(names) * (len(names) - 1) // 2
    limits = {rate: counted.limits(rate, 1 - (1 - level) / pairs) for rate in RATES}
    both = [counted.limits(rate, 1 - (1 - level) / (2 * pairs)) for rate in ("tpr", "fpr")]
    rates = {rate: counted.rate(rate) for rate in RATES}
    has = {rate: not np.isnan(values).all() for rate, values in rates.items()}
    gaps = {rate: float(np.nanmax(v) - np.nanmin(v)) if has[rate] else math.nan for rate, v in rates.items()}
    in_order = [names[i] for i in order]
    return GroupGaps(
        subgroups=tuple(in_order),
        n_instances=counted.total(np.ones(true.size, dtype=np.bool_)),
        n_positive=counted.total(true),
        rates=rates,
        gaps=gaps,
        highest={rate: in_order[int(np.nanargmax(v))] if has[rate] else None for rate, v in rates.items()},
        lowest={rate: in_order[int(np.nanargmin(v))] if has[rate] else None for rate, v in rates.items()},
        lower={rate: low for rate, (low, _) in limits.items()},
        upper={rate: high for rate, (_, high) in limits.items()},
        equalized_odds_difference=_largest([gaps["tpr"], gaps["fpr"]]),
        equalized_odds_lower=_largest([low for low, _ in both]),
        equalized_odds_upper=_largest([high for _, high in both]),
        confidence_level=level,
        reason=_reason(rates, in_order),
    )


class _Counted:
    """Numbers of instances of each subgroup by their true and predicted class."""

    def __init__(self, true: BoolArray, predicted: BoolArray, code: IntArray, k: int) -> None:
        self._true, self._predicted, self._code, self._k = true, predicted, code, k

    def total(self, chosen: BoolArray) -> IntArray:
        """Count the chosen instances of each subgroup."""
        return np.bincount(self._code[chosen], minlength=self._k)

    def counts(self, rate: str) -> tuple[IntArray, IntArray]:
        """Return the numerators and the denominators of a rate."""
        among = {"tpr": self._true, "fpr": ~self._true, "ppv": self._predicted}
        chosen = among.get(rate, np.ones(self._true.shape, dtype=np.bool_))
        event = self._true if rate == "ppv" else self._predicted
        return self.total(chosen & event), self.total(chosen)

    def rate(self, rate: str) -> FloatArray:
        """Return the rate of each subgroup, or nan if there is no instance in the denominator."""
        events, n = self.counts(rate)
        return np.where(n > 0, events / np.maximum(n, 1), np.nan)

    def limits(self, rate: str, level: float) -> tuple[float, float]:
        """Return limits of the largest absolute difference, from Newcombe's limits for each pair."""
        from scipy.special import ndtri

        events, n = self.counts(rate)
        known = n > 0
        if known.sum() < 2:
            return math.nan, math.nan
        p = events[known] / n[known]
        counts = (events[known].astype(np.float64), (n - events)[known].astype(np.float64))
        low, high = score_limits(*counts, float(ndtri((1 + level) / 2)) ** 2)
        i, j = np.triu_indices(p.size, 1)
        d = p[i] - p[j]
        below = d - np.sqrt((p[i] - low[i]) ** 2 + (high[j] - p[j]) ** 2)
        above = d + np.sqrt((high[i] - p[i]) ** 2 + (p[j] - low[j]) ** 2)
        nearest = np.where((below <= 0) & (above >= 0), 0.0, np.minimum(np.abs(below), np.abs(above)))
        return float(nearest.max()), float(np.maximum(np.abs(below), np.abs(above)).max())


def _largest(values: list[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return max(known) if known else math.nan


def _reason(rates: dict[str, FloatArray], names: list[Any]) -> str | None:
    """Return a sentence that names the subgroups for which a rate is undefined."""
    words = {"tpr": "positive instances", "fpr": "negative instances", "ppv": "positive predictions"}
    told = []
    for rate, word in words.items():
        without = [name for name, value in zip(names, rates[rate].tolist(), strict=True) if math.isnan(value)]
        if without:
            told.append(f"the gap in {rate} does not include {listed(without)}, where there are no {word}")
    return "; ".join(told) or None
