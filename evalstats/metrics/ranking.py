"""Scores of rankings: AUC, average precision and precision at n.

Scores are compared bit by bit, without rounding. Equal scores are ties, and a tied pair of instances counts one half.
"""

from __future__ import annotations

__all__ = ["RANKING_METRICS", "average_precision_score", "precision_at_n", "roc_auc_score"]

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError, short
from evalstats._result import unbatch
from evalstats._types import AnyArray, BoolArray, FloatArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics import score_input
from evalstats.metrics.class_encoding import Labels, positive_cases
from evalstats.metrics.curves import Steps, steps
from evalstats.metrics.formulas import fill_value, policy, report
from evalstats.metrics.ranking_counts import pairs_in_order
from evalstats.metrics.registry import Metric

UNIT = (0.0, 1.0)

RANKING_METRICS = {
    "roc_auc": Metric(
        function="roc_auc_score",
        needs="scores",
        greater_is_better=True,
        range=UNIT,
        undefined_when="there is no positive or no negative instance",
        sklearn="roc_auc_score",
    ),
    "average_precision": Metric(
        function="average_precision_score",
        needs="scores",
        greater_is_better=True,
        range=UNIT,
        undefined_when="there is no positive instance",
        sklearn="average_precision_score",
    ),
    "precision_at_n": Metric(
        function="precision_at_n",
        needs="scores",
        greater_is_better=True,
        range=UNIT,
        undefined_when="never",
        sklearn=None,
    ),
}


def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    multi_class: str = "raise",
    labels: Sequence[Any] | None = None,
    average: str | None = "macro",
    sample_weight: ArrayLike | None = None,
    max_fpr: float | None = None,
    fold: ArrayLike | None = None,
    n_folds: int | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the area under the ROC curve (AUC).

    The AUC is the probability that a positive instance has a greater score than a negative instance. A pair with equal
    scores counts one half, so guessing gives 0.5. Only the order of the scores matters.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True labels of n instances.
    y_score : array_like of shape (..., n), or (..., n, k) with `multi_class`
        Scores. A greater score means that the positive class is more likely. Leading axes are batch dimensions and
        broadcast: `y_true` of shape (n,) matches the scores of six classifiers of shape (6, n).
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels, as in scikit-learn.
    multi_class : {'raise', 'ovr', 'ovo'}, default: 'raise'
        Treatment of more than two classes. ``'ovr'`` scores each class against the rest, and ``'ovo'`` scores each pair
        of classes in both directions (Hand & Till 2001). `y_score` then has one column for each class. The rows of
        `y_score` need not sum to 1.
    labels : sequence, optional
        The classes in the order of the columns. Default: all labels in `y_true`, sorted.
    average : {'macro', 'weighted', None}, default: 'macro'
        Average over the classes or pairs of classes: ``'macro'`` is the mean, and ``'weighted'`` is the mean weighted
        by the numbers of instances. ``None`` (for ``'ovr'``) returns the area of each class along a new last axis.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    max_fpr : float, optional
        Use only the part of the curve up to this false positive rate, above 0 and at most 1. The area is rescaled so
        that it is 0.5 for guessing and 1 for a perfect ranking (McClish 1989). The result is below 0.5 if the curve is
        below the diagonal.
    fold : array_like of shape (..., n), optional
        The fold (or group) of each instance. Folds may differ in size. Leading axes broadcast.
    n_folds : int, optional
        The folds are 0, 1, ..., n_folds - 1. Default: all values in `fold`, sorted.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if all instances belong to one class. ``'raise'``: an error. ``'nan'``: nan, and a class is left out
        of an average. ``'warn'``: the same with one warning for the whole batch. ``'zero'``: 0.

    Returns
    -------
    float or ndarray of shape (...)
        With `fold`, a new axis contains the folds. With ``average=None``, a new last axis contains the classes.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, a weight is negative, the classes do not match, or an area is
        undefined.
    TypeError
        If scores are not numbers, or labels have different types.

    References
    ----------
    Hanley, J. A. & McNeil, B. J. (1982). The meaning and use of the area under a receiver operating characteristic
    (ROC) curve. Radiology 143, 29-36.
    Hand, D. J. & Till, R. J. (2001). A simple generalisation of the area under the ROC curve for multiple class
    classification problems. Machine Learning 45, 171-186.
    McClish, D. K. (1989). Analyzing a portion of the ROC curve. Medical Decision Making 9, 190-195.

    Examples
    --------
    >>> from evalstats.metrics import roc_auc_score
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75

    Two classifiers on the same instances, and the first classifier on two folds:

    >>> roc_auc_score([0, 0, 1, 1], [[0.1, 0.4, 0.35, 0.8], [0.5, 0.5, 0.5, 0.5]])
    array([0.75, 0.5 ])
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fold=["a", "b", "b", "a"])
    array([1., 0.])
    """
    undefined = policy(undefined)
    multi_class = _checks.choice(multi_class, "multi_class", ("raise", "ovr", "ovo"))
    max_fpr = _max_fpr(max_fpr)
    rows = () if multi_class == "raise" else ("y_score",)
    _labels.same_labels(rows=rows, y_true=y_true, y_score=y_score, sample_weight=sample_weight, fold=fold)
    true = classes.understand(y_true, "y_true")
    folds = score_input.understand_folds(fold, n_folds)
    if multi_class == "raise":
        positive = positive_cases(true, pos_label, greater_of_two=True)
        areas, _ = _areas(
            score_input.paired_rankings(positive, score_input.understand_scores(y_score), sample_weight, folds), max_fpr
        )
        return _answer("roc_auc", areas, np.isnan(areas), folds, undefined)
    columns = _columns(true, y_score, labels, pos_label, max_fpr)
    score_classes = _one_against_rest if multi_class == "ovr" else _one_against_one
    areas, cases = score_classes(columns, sample_weight, folds)
    if average is None and multi_class == "ovr":
        return _answer("roc_auc", areas, np.isnan(areas), folds, undefined, fold_axis=-2)
    average = _checks.choice(average, "average", ("macro", "weighted"))
    return _answer("roc_auc", *_averaged(areas, cases, average, undefined), folds, undefined, averaged=True)


def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    fold: ArrayLike | None = None,
    n_folds: int | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the average precision: the mean precision over the recall levels.

    The average precision is the sum of the precision at each distinct score, weighted by the increase in recall,
    without interpolation. Guessing has an average precision of about the prevalence.

    Parameters
    ----------
    y_true, y_score, sample_weight, fold, n_folds
        As in `roc_auc_score`.
    pos_label : label, optional
        As in `roc_curve`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if no instance is positive. ``'raise'``: an error. ``'nan'``: nan. ``'warn'``: 0, as in scikit-learn,
        with one warning for the whole batch. ``'zero'``: 0.

    Returns
    -------
    float or ndarray of shape (...); with `fold`, a new last axis contains the folds

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `roc_auc_score`.

    References
    ----------
    Davis, J. & Goadrich, M. (2006). The relationship between precision-recall and ROC curves. International Conference
    on Machine Learning, 233-240.

    Examples
    --------
    >>> from evalstats.metrics import average_precision_score
    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    undefined = policy(undefined)
    rankings = score_input.understand_rankings(y_true, y_score, pos_label, sample_weight, fold, n_folds)

    values = _of_each(rankings, _average_precision)
    return _answer("average_precision", values, np.isnan(values), rankings.folds, undefined, usual=0.0)


def precision_at_n(
    y_true: ArrayLike,
    y_score: ArrayLike,
    n: int,
    *,
    pos_label: Any = None,
    fold: ArrayLike | None = None,
    n_folds: int | None = None,
) -> Any:
    """Compute the precision at n: the proportion of positives among the n top-ranked instances.

    If the cut is within a group of equal scores, the value is the expected value over all permutations of the tied
    instances.

    Parameters
    ----------
    y_true, y_score, fold, n_folds
        As in `roc_auc_score`.
    n : int
        Number of instances above the cut, in each member of the batch or each fold. It is at most the number of
        instances.
    pos_label : label, optional
        As in `roc_curve`.

    Returns
    -------
    float or ndarray of shape (...); with `fold`, a new last axis contains the folds

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `roc_auc_score`, or if there are fewer than n instances.

    Examples
    --------
    >>> from evalstats.metrics import precision_at_n
    >>> precision_at_n([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], 2)
    0.5

    One position remains for the two instances with the score 0.5, one of which is positive:

    >>> precision_at_n([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1], 2)
    0.75
    """
    n = _checks.count(n, "n")
    rankings = score_input.understand_rankings(y_true, y_score, pos_label, None, fold, n_folds)
    _refuse_fewer(rankings, n)

    return unbatch(_of_each(rankings, lambda positive, score, _: _precision_at(positive, score, n)))


def _max_fpr(max_fpr: Any) -> float | None:
    """Validate `max_fpr`. Return None for the whole curve."""
    if max_fpr is None:
        return None
    value = _checks.numbers(max_fpr, "max_fpr")
    if value.ndim or not 0 < value <= 1:
        raise InvalidValueError(f"max_fpr must be greater than 0 and at most 1, not {short(max_fpr)}")
    return None if value == 1 else float(value)


class Columns(NamedTuple):
    """Labels of more than two classes as indexes, (..., n), and one row of scores for each class, (..., k, n)."""

    codes: AnyArray
    score: AnyArray


def _columns(true: Labels, y_score: Any, labels: Any, pos_label: Any, max_fpr: float | None) -> Columns:
    if pos_label is not None or max_fpr is not None:
        raise InvalidValueError("pos_label and max_fpr are for two classes, not for multi_class='ovr' or 'ovo'")
    present = classes.distinct(true)
    names = classes.in_order(present) if labels is None else classes.given_classes(labels, true.kind)
    _labels.labels_agree(y_score, "y_score", names, "the classes", axis="columns")
    score = score_input.understand_scores(y_score)
    if score.ndim < 2 or score.shape[-1] != len(names):
        columns = f"{len(names)} classes, {classes.shown(names)}"
        raise InvalidValueError(f"y_score must have one column for each of {columns}, but its shape is {score.shape}")
    codes = classes.class_codes(true, names).of((slice(None),) * true.array.ndim)
    return Columns(codes, np.moveaxis(score, -1, -2))


def _one_against_rest(
    columns: Columns, sample_weight: Any, folds: score_input.Folds | None
) -> tuple[FloatArray, FloatArray]:
    """Return the one-vs-rest area of each class, and the weight of its instances, along the last axis."""
    positive = columns.codes[..., None, :] == np.arange(columns.score.shape[-2])[:, None]
    weight = None if sample_weight is None else score_input.understand_weight(sample_weight)[..., None, :]
    if folds is not None:
        folds = folds._replace(shape=(*folds.shape[:-1], 1, folds.shape[-1]))
    areas, cases = _areas(score_input.paired_rankings(positive, columns.score, weight, folds), None)
    axis = -1 if folds is None else -2
    return np.moveaxis(areas, axis, -1), np.moveaxis(cases, axis, -1)


def _one_against_one(
    columns: Columns, sample_weight: Any, folds: score_input.Folds | None
) -> tuple[FloatArray, FloatArray]:
    """Return the mean area of each pair of classes, and the weight of its instances: Hand & Till (2001), eq. 7."""
    areas, cases = [], []
    for a, b in itertools.combinations(range(columns.score.shape[-2]), 2):
        (first, of_first), (second, of_second) = (
            _one_against(other, one, columns, sample_weight, folds) for one, other in ((a, b), (b, a))
        )
        areas.append((first + second) / 2)
        cases.append(of_first + of_second)
    return np.stack(areas, axis=-1), np.stack(cases, axis=-1)


def _one_against(
    other: int, one: int, columns: Columns, sample_weight: Any, folds: score_input.Folds | None
) -> tuple[FloatArray, FloatArray]:
    """Return the area of one class against a second class. Instances of other classes have no weight."""
    rankings = score_input.paired_rankings(columns.codes == one, columns.score[..., one, :], sample_weight, folds)
    weight = 1.0 if rankings.weight is None else rankings.weight
    return _areas(rankings._replace(weight=weight * (rankings.positive | (columns.codes == other))), None)


def _averaged(areas: FloatArray, cases: FloatArray, average: str, undefined: str) -> tuple[FloatArray, BoolArray]:
    """Return the mean over the last axis without nan, and whether the axis contains nan."""
    missing = np.isnan(areas)
    weight = np.where(missing & (undefined != "zero"), 0.0, cases if average == "weighted" else 1.0)
    with np.errstate(invalid="ignore"):
        mean: FloatArray = (weight * np.where(missing, 0.0, areas)).sum(axis=-1) / weight.sum(axis=-1)
    return mean, np.any(missing, axis=-1)


def _answer(
    metric: str,
    values: FloatArray,
    missing: BoolArray,
    folds: score_input.Folds | None,
    undefined: str,
    *,
    usual: float = math.nan,
    fold_axis: int = -1,
    averaged: bool = False,
) -> Any:
    """Replace the undefined values, which are nan, according to `undefined`."""
    record = RANKING_METRICS[metric]
    when = record.undefined_when
    if folds is not None and missing.any():
        first = folds.names[np.argwhere(missing)[0][fold_axis]]
        when = f"{when} in fold {first!r}"
    report(missing, undefined, function=record.function, when=when, usual=usual, averaged=averaged)
    return unbatch(np.where(np.isnan(values), fill_value(undefined, usual), values))


def _areas(rankings: score_input.Rankings, max_fpr: float | None) -> tuple[FloatArray, FloatArray]:
    """Return the area under each ROC curve (nan if it is undefined) and the weight of the positive instances."""
    if rankings.weight is None and max_fpr is None:
        pairs, n_positive, n = pairs_in_order(rankings)
        with np.errstate(invalid="ignore"):
            return pairs / (n_positive * (n - n_positive)), n_positive
    areas = _of_each(rankings, lambda *ranking: _area(steps(*ranking), max_fpr))
    return areas, _of_each(rankings, lambda positive, _, w: float((positive if w is None else w[positive]).sum()))


def _area(steps: Steps, max_fpr: float | None) -> float:
    """Return the area under a ROC curve, or nan if there is no positive or no negative instance."""
    tp, fp = np.append(0.0, steps.tp), np.append(0.0, steps.fp)
    if tp[-1] == 0 or fp[-1] == 0:
        return math.nan
    if max_fpr is None:
        return float(_trapezoids(fp, tp) / (tp[-1] * fp[-1]))
    fpr, tpr = fp / fp[-1], tp / tp[-1]
    stop = int(np.searchsorted(fpr, max_fpr, side="right"))
    end = np.interp(max_fpr, fpr[stop - 1 : stop + 1], tpr[stop - 1 : stop + 1])
    area = _trapezoids(np.append(fpr[:stop], max_fpr), np.append(tpr[:stop], end))
    by_guessing = max_fpr**2 / 2
    return float(1 + (area - by_guessing) / (max_fpr - by_guessing)) / 2  # McClish (1989)


def _trapezoids(x: FloatArray, y: FloatArray) -> float:
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


def _of_each(
    rankings: score_input.Rankings, value: Callable[[BoolArray, FloatArray, FloatArray | None], float]
) -> FloatArray:
    """Return the value of each member of the batch, or of each of its folds."""
    shape = (*rankings.batch, rankings.positive.shape[-1])
    arrays = [
        None if a is None else np.broadcast_to(a, shape) for a in (rankings.positive, rankings.score, rankings.weight)
    ]
    folds = rankings.folds
    if folds is None:
        values = np.empty(rankings.batch)
        for row in np.ndindex(rankings.batch):
            values[row] = value(*(None if a is None else a[row] for a in arrays))  # type: ignore[arg-type]  # only weights may be None
        return values
    values = np.empty((*rankings.batch, len(folds.names)))
    numbers = np.broadcast_to(np.arange(math.prod(folds.shape[:-1])).reshape(folds.shape[:-1]), rankings.batch)
    for cell in np.ndindex(values.shape):
        row, number = cell[:-1], int(numbers[cell[:-1]])
        cases = folds.cases(number, cell[-1])
        values[cell] = value(*(None if a is None else a[row][cases] for a in arrays))  # type: ignore[arg-type]  # only weights may be None
    return values


def _average_precision(positive: BoolArray, score: FloatArray, weight: FloatArray | None) -> float:
    """Return the sum of precision times increase of recall, or nan if there is no positive instance."""
    tp, fp, _ = steps(positive, score, weight)
    if not len(tp) or tp[-1] == 0:
        return math.nan
    return float(np.sum(np.diff(tp, prepend=0.0) * tp / (tp + fp)) / tp[-1])


def _precision_at(positive: BoolArray, score: FloatArray, n: int) -> float:
    cut = np.partition(score, len(score) - n)[len(score) - n]
    above, tied = score > cut, score == cut
    left = n - np.count_nonzero(above)
    found = np.count_nonzero(positive & above) + left * np.count_nonzero(positive & tied) / np.count_nonzero(tied)
    return float(found / n)


def _refuse_fewer(rankings: score_input.Rankings, n: int) -> None:
    if rankings.folds is None:
        if (there := rankings.positive.shape[-1]) < n:
            raise InvalidValueError(f"n must be at most {there}, the number of instances, not {n}")
        return
    short = np.flatnonzero(rankings.folds.sizes < n)
    if len(short):
        name, there = rankings.folds.names[short[0] % len(rankings.folds.names)], rankings.folds.sizes[short[0]]
        raise InvalidValueError(f"n must be at most {there}, the number of instances in fold {name!r}, not {n}")
