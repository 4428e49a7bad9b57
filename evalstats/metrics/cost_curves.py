"""Expected cost of errors, and cost curves: the expected cost for all ratios of costs and class proportions."""

from __future__ import annotations

__all__ = ["CostCurve", "CostRanges", "cost_curve", "cost_ranges", "expected_cost"]

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._result import Record, unbatch
from evalstats._types import FloatArray, IndexArray
from evalstats.metrics.curves import hull_counts
from evalstats.metrics.formulas import fill_value, policy, report
from evalstats.metrics.ranking_counts import ThresholdCounts, counts_of_one, threshold_counts
from evalstats.metrics.score_input import understand_rankings

# the two constant predictions, which need no classifier
NONE_POSITIVE, ALL_POSITIVE = "none positive", "all positive"
# a smaller difference of two rates on the same instances is rounding error
ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class CostCurve(Record):
    """The lower envelope of a classifier's cost lines for all thresholds, as a list of segments.

    Attributes
    ----------
    low, high : ndarray of shape (m,)
        Limits of the probability cost, from 0 to 1, between which each threshold is optimal.
    fpr, tpr : ndarray of shape (m,)
        False and true positive rate of each threshold. At the probability cost x, the normalized expected cost of the
        threshold is fpr (1 - x) + (1 - tpr) x.
    thresholds : ndarray of shape (m,)
        Instances whose score is at least the threshold are predicted positive. The thresholds decrease.
    area : float
        Mean normalized expected cost if every probability cost is equally likely. It is between 0 and 1/4.
    """

    low: FloatArray
    high: FloatArray
    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    area: float

    def _axes(self) -> tuple[str, ...]:
        return ("piece",)

    def at(self, probability_cost: ArrayLike) -> Any:
        """Return the normalized expected cost of the best threshold.

        Parameters
        ----------
        probability_cost : array_like
            Numbers from 0 to 1, as defined in `cost_curve`.

        Returns
        -------
        float or ndarray of the shape of the argument

        Raises
        ------
        ValueError
            If a number is not between 0 and 1.
        """
        x = _probability(probability_cost)
        i = np.minimum(np.searchsorted(self.high, x), len(self.high) - 1)
        return unbatch(np.asarray(self.fpr[i] * (1 - x) + (1 - self.tpr[i]) * x))

    def threshold_at(self, probability_cost: ArrayLike) -> Any:
        """Return the best threshold.

        Parameters
        ----------
        probability_cost : array_like
            As in `at`. If two thresholds are equally good, the method returns the greater threshold.

        Returns
        -------
        float or ndarray of the shape of the argument

        Raises
        ------
        ValueError
            If a number is not between 0 and 1.
        """
        x = _probability(probability_cost)
        i = np.minimum(np.searchsorted(self.high, x), len(self.high) - 1)
        return unbatch(np.asarray(self.thresholds[i]))


@dataclass(frozen=True, kw_only=True, eq=False)
class CostRanges(Record):
    """Classifiers with the smallest expected cost in each range of the probability cost.

    Attributes
    ----------
    low, high : ndarray of shape (m,)
        Limits of the ranges, from 0 to 1.
    winners : tuple of tuple of str
        The best classifiers in each range. A range has several classifiers if their ROC curves share a point that is
        optimal in the range. ``'none positive'`` and ``'all positive'`` are the constant predictions. A constant
        prediction is listed if no classifier has a smaller cost.
    names : tuple of str
        Names of all classifiers.
    """

    low: FloatArray
    high: FloatArray
    winners: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]

    def _axes(self) -> tuple[str, ...]:
        return ("range",)


def cost_curve(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> CostCurve:
    """Compute the cost curve: the expected cost for every ratio of costs and every prevalence.

    The *probability cost* is x = p c_FN / (p c_FN + (1 - p) c_FP). Here, p is the prevalence, c_FN is the cost of a
    false negative, and c_FP is the cost of a false positive. With equal costs, the probability cost is the prevalence.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels of at least two classes.
    y_score : array_like of shape (n,)
        Scores, or predicted labels 0 and 1. A greater score means that the positive class is more likely.
    pos_label : label, optional
        As in `roc_curve`.
    sample_weight : array_like of shape (n,), optional
        Weight of each instance, 0 or more.

    Returns
    -------
    CostCurve
        The segments of the curve, with `at` and `threshold_at`.

    Raises
    ------
    ValueError
        If there is no positive or no negative instance, lengths differ, or the positive class is unknown. If a score is
        not finite or a weight is negative.
    TypeError
        If scores are not numbers.

    References
    ----------
    Drummond, C. & Holte, R. C. (2006). Cost curves: an improved method for visualizing classifier performance. Machine
    Learning 65, 95-130.

    Examples
    --------
    >>> from evalstats.metrics import cost_curve
    >>> curve = cost_curve([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9])
    >>> curve.low.round(3)
    array([0. , 0.6])
    >>> curve.thresholds
    array([0.8 , 0.35])
    >>> round(curve.at(0.3), 4)
    0.1
    """
    hull = hull_counts(counts_of_one(y_true, y_score, pos_label, sample_weight, "cost_curve"))
    fpr, tpr = _rates(hull)
    low, high = _ranges(fpr, tpr)
    there = high > low
    x = np.append(low[there], 1.0)
    height = np.append(fpr[there] * (1 - low[there]) + (1 - tpr[there]) * low[there], 1 - tpr[there][-1])
    assert hull.threshold is not None
    return CostCurve(
        low=low[there],
        high=high[there],
        fpr=fpr[there],
        tpr=tpr[there],
        thresholds=hull.threshold[there],
        area=float(np.sum(np.diff(x) * (height[1:] + height[:-1])) / 2),
    )


def cost_ranges(
    y_true: ArrayLike,
    y_score: Mapping[str, ArrayLike] | ArrayLike,
    names: Sequence[str] | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> CostRanges:
    """Find the classifiers with the smallest expected cost in each range of the probability cost.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels of at least two classes.
    y_score : dict of str to array_like, or array_like of shape (n_classifiers, n)
        Scores of the instances by each classifier. A greater score means that the positive class is more likely. The
        keys of a dict are the names of the classifiers.
    names : sequence of str, optional
        Names of the classifiers, for an array of scores.
    pos_label : label, optional
        As in `roc_curve`.
    sample_weight : array_like of shape (n,), optional
        Weight of each instance, 0 or more.

    Returns
    -------
    CostRanges
        ``low, high`` and the `winners` of each range. See `cost_curve` for the probability cost.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `cost_curve`, or if the names do not match the scores.

    References
    ----------
    Drummond, C. & Holte, R. C. (2006). Cost curves: an improved method for visualizing classifier performance. Machine
    Learning 65, 95-130. Section 4.

    Examples
    --------
    >>> from evalstats.metrics import cost_ranges
    >>> y_true = [0, 0, 0, 1, 1, 1]
    >>> ranges = cost_ranges(y_true, {"careful": [0, 0, 0, 0, 1, 1], "eager": [0, 0, 1, 1, 1, 1]})
    >>> for low, high, winners in zip(ranges.low, ranges.high, ranges.winners):
    ...     print(f"{low:.2f} to {high:.2f}: {', '.join(winners)}")
    0.00 to 0.50: careful
    0.50 to 1.00: eager
    """
    names, scores = _named(y_true, y_score, names)
    fpr, tpr, owner = _corners_of_all(y_true, scores, pos_label, sample_weight)
    order = np.lexsort([-tpr, fpr])
    points = ThresholdCounts(np.append(0.0, tpr[order]), np.append(0.0, fpr[order]), np.array([0]), None)
    corners = hull_counts(_rising(points))
    low, high = _ranges(corners.fp, corners.tp)
    there = np.flatnonzero(high > low)
    winners = [_winners(corners.fp[i], corners.tp[i], fpr, tpr, owner, names) for i in there]
    new = np.array([i == 0 or winners[i] != winners[i - 1] for i in range(len(winners))])
    starts = np.flatnonzero(new)
    return CostRanges(
        low=low[there][starts],
        high=np.append(low[there][starts][1:], 1.0),
        winners=tuple(winners[i] for i in starts),
        names=names,
    )


def _probability(value: Any) -> FloatArray:
    x = _checks.finite(_checks.numbers(value, "probability_cost"), "probability_cost")
    if x.size and (x.min() < 0 or x.max() > 1):
        raise InvalidValueError("probability_cost must be from 0 to 1")
    return x


def _named(y_true: Any, y_score: Any, names: Any) -> tuple[tuple[str, ...], Any]:
    if isinstance(y_score, Mapping):
        if names is not None:
            raise InvalidValueError("names must be left out: y_score holds them")
        for one in y_score.values():
            _labels.same_labels(y_true=y_true, y_score=one)
        if not y_score:
            raise InvalidValueError("y_score must hold at least one classifier, but it is empty")
        names = list(y_score)
        scores: Any = list(y_score.values())
    else:
        _labels.same_labels(y_true=y_true, y_score=y_score)
        array = _checks.numbers(y_score, "y_score")
        if array.ndim != 2:
            raise InvalidValueError(f"y_score must have the shape (n_classifiers, n), but its shape is {array.shape}")
        scores = array
        if names is None and len(scores):
            return tuple([f"classifier {i + 1}" for i in range(len(scores))]), scores
        names = () if names is None else names
    known = tuple(_checks.text(name, "a name") for name in _checks.listed(names, "names", "str"))
    if len(known) != len(scores) or not len(scores):
        n = len(scores)
        raise InvalidValueError(f"names must hold one name for each of the {n} classifiers, but it holds {len(known)}")
    times = Counter(known)
    for name in known:
        if times[name] > 1 or name in (NONE_POSITIVE, ALL_POSITIVE):
            raise InvalidValueError(f"names must be different from each other and from '{NONE_POSITIVE}', not {name!r}")
    return known, scores


def _rates(hull: ThresholdCounts) -> tuple[FloatArray, FloatArray]:
    return hull.fp / hull.fp[-1], hull.tp / hull.tp[-1]


def _corners_of_all(
    y_true: Any, scores: Any, pos_label: Any, sample_weight: Any
) -> tuple[FloatArray, FloatArray, IndexArray]:
    """Return the rates at the corners of the hulls, and the index of the classifier of each."""
    if isinstance(scores, np.ndarray):
        counts_of_one(y_true, scores[0], pos_label, sample_weight, "cost_ranges")  # raises an error for invalid data
        rankings = understand_rankings(y_true, scores, pos_label, sample_weight)
        hulls = [
            (np.arange(len(scores))[rows], hull_counts(counts))
            for rows, counts in threshold_counts(rankings, corners=True)
        ]
    else:
        hulls = [
            (np.array([i]), hull_counts(counts_of_one(y_true, own, pos_label, sample_weight, "cost_ranges")))
            for i, own in enumerate(scores)
        ]
    fpr = np.concatenate([hull.fp / hull.fp[hull.lasts][hull.rows] for _, hull in hulls])
    tpr = np.concatenate([hull.tp / hull.tp[hull.lasts][hull.rows] for _, hull in hulls])
    return fpr, tpr, np.concatenate([numbers.ravel()[hull.rows] for numbers, hull in hulls])


def _rising(points: ThresholdCounts) -> ThresholdCounts:
    """Omit points that are not above all points to their left, except for rounding, because they are below the hull."""
    highest = np.maximum.accumulate(points.tp)
    keep = np.append(True, points.tp[1:] > highest[:-1] + ROUNDING)
    keep[-1] = True
    before = int(np.flatnonzero(keep[:-1])[-1])
    if before > 0:
        keep[before] = max(1 - points.fp[before], 1 - points.tp[before]) > ROUNDING
    return points.kept(keep)


def _ranges(fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the limits between which each corner of the hull is optimal; neighbors have equal costs at a limit."""
    across, up = np.diff(fpr), np.diff(tpr)
    equal = across / (across + up)
    return np.append(0.0, equal), np.append(equal, 1.0)


def _winners(
    fpr: float, tpr: float, all_fpr: FloatArray, all_tpr: FloatArray, owner: IndexArray, names: tuple[str, ...]
) -> tuple[str, ...]:
    if fpr == tpr == 0:
        return (NONE_POSITIVE,)
    if fpr == tpr == 1:
        return (ALL_POSITIVE,)
    near = (np.abs(all_fpr - fpr) <= ROUNDING) & (np.abs(all_tpr - tpr) <= ROUNDING)
    return tuple(names[i] for i in np.unique(owner[near]).tolist())


# --- expected cost of the errors --------------------------------------------------------------------------------------


# proportions that are rounded to six digits may differ from the sum 1 by this amount
SHARES_TOLERANCE = 1e-6


def expected_cost(
    counts: ArrayLike,
    costs: ArrayLike,
    *,
    class_priors: ArrayLike | None = None,
    normalize: bool = False,
    undefined: str = "raise",
) -> Any:
    """Compute the expected cost per instance for a matrix of costs.

    Parameters
    ----------
    counts : array_like of shape (..., k, k)
        Counts or sums of weights, at least 0. Rows are true classes, columns are predicted classes. See
        `confusion_counts`.
    costs : array_like of shape (k, k)
        Cost of an instance of the row's class that is predicted as the column's class, at least 0, in any unit. At
        least one cost must be positive.
    class_priors : array_like of shape (k,), optional
        Proportion of each class among future instances. The proportions sum to 1. Default: the proportions in `counts`.
    normalize : bool, default: False
        Divide by the cost that would result if every instance were misclassified in the most expensive way. The result,
        between 0 and 1, is the normalized expected cost of Drummond & Holte.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if there are no instances, or no instances of a class with a positive proportion. ``'raise'``: an
        error. ``'nan'``: nan. ``'warn'``: nan, with one warning for the whole batch. ``'zero'``: 0.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError
        If `counts` or `costs` is not square, or contains negative numbers. If the shapes differ, all costs are 0, or
        the proportions do not sum to 1.
    TypeError
        If the arguments are not numbers.

    References
    ----------
    Drummond, C. & Holte, R. C. (2006). Cost curves: an improved method for visualizing classifier performance. Machine
    Learning 65, 95-130. Section 2.

    Examples
    --------
    A false negative costs 10, and a false positive costs 1. Of 100 instances, 4 are false negatives and 6 are false
    positives:

    >>> from evalstats.metrics import expected_cost
    >>> print(f"{expected_cost([[84, 6], [4, 6]], [[0, 1], [10, 0]]):.2f}")
    0.46

    If only 1 of 100 future instances is positive:

    >>> print(f"{expected_cost([[84, 6], [4, 6]], [[0, 1], [10, 0]], class_priors=[0.99, 0.01]):.3f}")
    0.106
    """
    undefined = policy(undefined)
    normalize = _checks.boolean(normalize, "normalize")
    table, cost = _square(counts, "counts"), _square(costs, "costs")
    names = _labels.square_labels(counts, "counts")
    if names is not None:
        _labels.square_labels(costs, "costs")
        _labels.labels_agree(costs, "costs", names, "the classes of counts")
    k = table.shape[-1]
    if cost.shape != (k, k):
        raise InvalidValueError(f"costs must have the shape ({k}, {k}), as counts has {k} classes, not {cost.shape}")
    if not cost.any():
        raise InvalidValueError("at least one of the costs must be above 0, because costs of 0 have no effect")
    shares = None if class_priors is None else _shares(class_priors, k, names)

    largest = cost.max()
    of_class = table.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        if shares is None:
            weight = of_class / of_class.sum(axis=-1, keepdims=True)
            value = (table * (cost / largest)).sum(axis=(-2, -1)) / of_class.sum(axis=-1)
        else:
            weight = np.where(shares > 0, shares, 0.0)
            rates = np.where(shares[:, None] > 0, table / of_class[..., None], 0.0)
            value = (weight[:, None] * rates * (cost / largest)).sum(axis=(-2, -1))
        worst = (weight * (cost.max(axis=-1) / largest)).sum(axis=-1)
        value = value / worst if normalize else value * largest
    when = "there is no instance" if shares is None else "there is no instance of a class with a positive prior"
    if normalize:
        when += ", or errors in the classes that occur have no cost"
    missing = np.isnan(value)
    report(missing, undefined, function="expected_cost", when=when, usual=math.nan)
    return unbatch(np.where(missing, fill_value(undefined, math.nan), value))


def _square(value: Any, name: str) -> FloatArray:
    array = _checks.finite(_checks.numbers(value, name), name)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.size == 0:
        kind = "(..., k, k)" if name == "counts" else "(k, k)"
        raise InvalidValueError(
            f"{name} must have the shape {kind}, a row and a column for each class, not {array.shape}"
        )
    if array.min() < 0:
        at = tuple(int(i) for i in np.argwhere(array < 0)[0])
        raise InvalidValueError(f"{name} must be nonnegative, but {name}{list(at)} is {array[at]:g}")
    return _checks.moderate(array, name)


def _shares(value: Any, k: int, names: tuple[Any, ...] | None) -> FloatArray:
    array = _checks.finite(_checks.numbers(value, "class_priors"), "class_priors")
    if names is not None:
        _labels.labels_agree(value, "class_priors", names, "the classes of counts")
    if array.shape != (k,):
        raise InvalidValueError(
            f"class_priors must hold one prior for each of {k} classes, but its shape is {array.shape}"
        )
    if array.min() < 0:
        raise InvalidValueError(f"class_priors must be nonnegative and sum to 1, but one is {array.min():g}")
    if abs(array.sum() - 1) > SHARES_TOLERANCE:
        raise InvalidValueError(f"class_priors must be nonnegative and sum to 1, but they sum to {array.sum():g}")
    return array
