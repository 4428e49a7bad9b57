"""Multi-label scores and one-vs-rest counts."""

from __future__ import annotations

__all__ = ["hamming_loss", "multilabel_counts", "multilabel_score", "one_vs_rest_counts", "subset_accuracy_score"]

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._result import unbatch
from evalstats._types import AnyArray, BoolArray, FloatArray
from evalstats.metrics import formulas
from evalstats.metrics.class_encoding import both_equal, class_codes, distinct, given_classes, in_order, understand
from evalstats.metrics.counts import confusion_counts, fold_codes, tally, understand_pairs
from evalstats.metrics.score_input import mean_score, near_one, understand_weight, weighted_mean
from evalstats.metrics.scoring import beta_of

AVERAGES = ("macro", "micro", "weighted", "samples")
METRICS_OF_TASKS = tuple(name for name, metric in formulas.LABEL_METRICS.items() if metric.average == formulas.CHOSEN)


class Marks(NamedTuple):
    """True and predicted labels of each instance, (..., n, k), and the weights, (..., n)."""

    true: BoolArray
    predicted: BoolArray
    weight: FloatArray | None


def one_vs_rest_counts(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    fold: ArrayLike | None = None,
    n_folds: int | None = None,
) -> AnyArray:
    """Count correct and incorrect predictions of each class against the rest, in one table for each class.

    A task with k classes becomes k binary tasks, often with a rare positive class. The advice on rare classes and
    on folds without positive instances applies to each of these tasks.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (..., n)
        True and predicted labels of n instances. Leading axes are batch dimensions and broadcast.
    labels : sequence, optional
        The classes, in the order of the tables in the result. The data may contain other classes. Default: all labels
        that occur in the batch, sorted.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    fold : array_like of shape (..., n), optional
        The fold of each instance.
    n_folds : int, optional
        The folds are 0, 1, ..., n_folds - 1. Default: all values in `fold`, sorted.

    Returns
    -------
    ndarray of shape (..., k, 2, 2), or (..., k, n_folds, 2, 2) with `fold`
        ``[[tn, fp], [fn, tp]]`` of each class. The type is int64, or float64 with weights.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `confusion_counts`.

    Examples
    --------
    >>> from evalstats.metrics import one_vs_rest_counts, score_from_counts
    >>> counts = one_vs_rest_counts(["a", "b", "c", "c"], ["a", "c", "c", "b"])
    >>> counts[2]
    array([[1, 1],
           [1, 1]])
    >>> score_from_counts("recall", counts)
    array([1. , 0. , 0.5])
    """
    pairs = understand_pairs(y_true, y_pred, sample_weight, fold=fold)
    folds = fold_codes(fold, n_folds, pairs.true.array.shape[-1])
    listed = [] if labels is None else given_classes(labels, pairs.kind)
    names = [*listed, *in_order((distinct(pairs.true) | distinct(pairs.predicted)) - set(listed))]
    true, predicted = class_codes(pairs.true, names), class_codes(pairs.predicted, names)
    hit = both_equal(true, predicted)
    by_true, by_predicted = (tally([*folds, codes, hit], pairs.weight) for codes in (true, predicted))
    parts = (by_true[..., 1], by_predicted[..., 0], by_true[..., 0])
    shape = by_true.shape[:-1]
    # in one_vs_rest, the class axis is the first axis
    c = formulas.one_vs_rest(*(np.array(part.reshape(-1, shape[-1]).T, dtype=np.float64) for part in parts))
    cells = np.stack([c.tn, c.fp, c.fn, c.tp], axis=-1).swapaxes(0, 1).reshape(*shape, 2, 2)
    counts: AnyArray = np.moveaxis(cells, -3, -3 - len(folds))
    if labels is not None:
        counts = np.take(counts, range(len(listed)), axis=-3 - len(folds))
    return counts if pairs.weight is not None else counts.astype(np.int64)


def multilabel_counts(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    fold: ArrayLike | None = None,
    n_folds: int | None = None,
) -> AnyArray:
    """Count correct and incorrect predictions of each label of multi-label data.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (..., n, k)
        Whether each instance has each label, and whether the label was predicted: True and False, or 1 and 0. Leading
        axes are batch dimensions and broadcast.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    fold : array_like of shape (..., n), optional
        The fold of each instance.
    n_folds : int, optional
        The folds are 0, 1, ..., n_folds - 1. Default: all values in `fold`, sorted.

    Returns
    -------
    ndarray of shape (..., k, 2, 2), or (..., k, n_folds, 2, 2) with `fold`
        ``[[tn, fp], [fn, tp]]`` of each label. The type is int64, or float64 with weights.

    Raises
    ------
    ValueError
        If the arrays contain values other than 0 and 1, their numbers of instances or labels differ, or a weight is
        negative.
    TypeError
        If the arrays do not contain numbers.

    Examples
    --------
    Three texts, which may be about sport, money or both:

    >>> from evalstats.metrics import multilabel_counts
    >>> multilabel_counts([[1, 0], [1, 1], [0, 0]], [[1, 0], [0, 1], [0, 1]])
    array([[[1, 0],
            [1, 1]],
    <BLANKLINE>
           [[1, 1],
            [0, 1]]])
    """
    marks = _marks(y_true, y_pred, sample_weight, fold)
    true, predicted = (np.ascontiguousarray(part.swapaxes(-1, -2)).view(np.uint8) for part in marks[:2])
    folds = None if fold is None else _fold_of_cases(fold, marks)[..., None, :]
    weight = None if marks.weight is None else marks.weight[..., None, :]
    counts: AnyArray = confusion_counts(true, predicted, n_classes=2, sample_weight=weight, fold=folds, n_folds=n_folds)
    return counts


def multilabel_score(
    metric: str,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: str | None = "macro",
    sample_weight: ArrayLike | None = None,
    undefined: str = "warn",
    **choices: Any,
) -> Any:
    """Compute a score of multi-label predictions, such as F1, precision or recall.

    Parameters
    ----------
    metric : str
        One of ``'f1'``, ``'fbeta'``, ``'precision'``, ``'recall'``, ``'specificity'``, ``'false_positive_rate'``,
        ``'jaccard'``, ``'informedness'``.
    y_true, y_pred, sample_weight
        As in `multilabel_counts`.
    average : {'macro', 'micro', 'weighted', 'samples', None}, default: 'macro'
        ``'macro'``: the mean over the labels. ``'weighted'``: the mean weighted by the numbers of instances with the
        label. ``'micro'``: one score from the counts summed over the labels. ``'samples'``: the score of each instance
        over its labels, then the mean over the instances. ``None``: the score of each label, along a new last axis.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        What to do about a label (with ``'samples'``, an instance) for which the score is 0/0, as in `precision_score`.
    **choices
        The option `beta` of ``'fbeta'``.

    Returns
    -------
    float or ndarray of shape (...); with ``average=None`` ndarray of shape (..., k)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `multilabel_counts`, or if the metric, the average or an option is unknown.

    References
    ----------
    Tsoumakas, G., Katakis, I. & Vlahavas, I. (2010). Mining multi-label data. Data Mining and Knowledge Discovery
    Handbook, second edition, 667-685.

    Examples
    --------
    >>> from evalstats.metrics import multilabel_score
    >>> y_true, y_pred = [[1, 0], [1, 1], [0, 1]], [[1, 0], [0, 1], [0, 0]]
    >>> multilabel_score("recall", y_true, y_pred, average=None)
    array([0.5, 0.5])
    >>> multilabel_score("recall", y_true, y_pred, average="samples")
    0.5
    """
    undefined = formulas.policy(undefined)
    record = formulas.LABEL_METRICS[_checks.choice(metric, "metric", METRICS_OF_TASKS)]
    if average is not None:
        _checks.choice(average, "average", AVERAGES)
    for name in choices:
        if name not in record.choices:
            raise InvalidTypeError(f"{metric} has no option {name!r} in multilabel_score")
    if "beta" in record.choices:
        choices["beta"] = beta_of(choices.get("beta"))
    marks = _marks(y_true, y_pred, sample_weight)
    marks = marks._replace(weight=near_one(marks.weight))
    score = _over_cases if average == "samples" else _over_labels
    values, n_undefined = score(record, marks, average, formulas.fill_value(undefined, record.usual), choices)
    formulas.report(
        n_undefined > 0,
        undefined,
        function=f"multilabel_score of {metric}",
        when=record.undefined_when.replace("class", "label"),
        averaged=average not in (None, "micro"),
        unit="instance" if average == "samples" else "label",
    )
    return unbatch(values)


def hamming_loss(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, undefined: str = "raise"
) -> Any:
    """Compute the Hamming loss: the proportion of incorrect predictions over all instances and labels.

    If labels are rare, a classifier that predicts no label has a small loss.

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As in `multilabel_counts`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if no instance has a positive weight. ``'raise'``: an error. ``'nan'``: nan. ``'warn'``: nan, with
        one warning for the whole batch. ``'zero'``: 0.

    Returns
    -------
    float or ndarray of shape (...)
        Smaller is better.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `multilabel_counts`.

    References
    ----------
    Tsoumakas, Katakis & Vlahavas (2010), section 34.7.1.

    Examples
    --------
    >>> from evalstats.metrics import hamming_loss
    >>> hamming_loss([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    0.25
    """
    undefined = formulas.policy(undefined)
    marks = _marks(y_true, y_pred, sample_weight)
    return mean_score((marks.true != marks.predicted).mean(axis=-1), marks.weight, undefined, "hamming_loss")


def subset_accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, undefined: str = "raise"
) -> Any:
    """Compute the subset accuracy: the proportion of instances with all labels predicted correctly.

    Parameters
    ----------
    y_true, y_pred, sample_weight, undefined
        As in `hamming_loss`.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `multilabel_counts`.

    References
    ----------
    Tsoumakas, Katakis & Vlahavas (2010), section 34.7.1.

    Examples
    --------
    >>> from evalstats.metrics import subset_accuracy_score
    >>> subset_accuracy_score([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    0.5
    """
    undefined = formulas.policy(undefined)
    marks = _marks(y_true, y_pred, sample_weight)
    right = (marks.true == marks.predicted).all(axis=-1).astype(np.float64)
    return mean_score(right, marks.weight, undefined, "subset_accuracy_score")


def yes_or_no(value: Any, name: str) -> BoolArray:
    """Return labels of shape (..., n, k), or raise an error that names an element other than 0 and 1."""
    if hasattr(value, "toarray"):
        raise InvalidTypeError(f"{name} must be a dense array, not a sparse {type(value).__name__}: pass .toarray()")
    array = _checks.numbers(value, name)
    if array.ndim < 2 or array.size == 0:
        raise InvalidValueError(
            f"{name} must have the shape (..., n_instances, n_labels), one column of 0 and 1 for each label, but its "
            f"shape "
            f"is {array.shape}"
        )
    is_yes: BoolArray = array == 1
    other = ~is_yes & (array != 0)
    if other.any():
        at = tuple(np.argwhere(other)[0])
        place = ", ".join(map(str, at))
        raise InvalidValueError(
            f"{name} must hold 1 where an instance has a label and 0 elsewhere, but {name}[{place}] is "
            f"{array[at]:g}; if each instance has one label, see precision_score and one_vs_rest_counts"
        )
    return is_yes


def check_weight(sample_weight: Any, shape: tuple[int, ...]) -> FloatArray | None:
    """Return one weight for each instance of labels of shape (..., n, k), or None."""
    return None if sample_weight is None else understand_weight(sample_weight, shape[-2])


def _marks(y_true: Any, y_pred: Any, sample_weight: Any, fold: Any = None) -> Marks:
    _labels.same_labels(y_true=y_true, y_pred=y_pred)
    _labels.same_labels(rows=("y_true", "y_pred"), y_true=y_true, y_pred=y_pred, sample_weight=sample_weight, fold=fold)
    true, predicted = yes_or_no(y_true, "y_true"), yes_or_no(y_pred, "y_pred")
    if true.shape[-2:] != predicted.shape[-2:]:
        (n, k), (m, j) = true.shape[-2:], predicted.shape[-2:]
        raise InvalidValueError(
            f"y_true and y_pred must be paired: y_true has {n} instances of {k} labels, y_pred has {m} of {j}"
        )
    weight = check_weight(sample_weight, true.shape)
    leading = [true.shape[:-2], predicted.shape[:-2], () if weight is None else weight.shape[:-1]]
    try:
        np.broadcast_shapes(*leading)
    except ValueError as error:
        shapes = ", ".join(map(str, leading))
        raise InvalidValueError(f"the leading axes must broadcast, but they are {shapes}") from error
    return Marks(true, predicted, weight)


def _fold_of_cases(fold: Any, marks: Marks) -> AnyArray:
    folds, n = understand(fold, "fold").array, marks.true.shape[-2]
    if folds.shape[-1] != n:
        raise InvalidValueError(f"fold must hold the fold of each of the {n} instances, but its shape is {folds.shape}")
    return folds


def _over_labels(
    record: formulas.LabelMetric, marks: Marks, average: str | None, fill: float, choices: dict[str, Any]
) -> tuple[FloatArray, AnyArray]:
    """Compute the score of each label from its counts, and average over the labels."""
    counts = multilabel_counts(marks.true, marks.predicted, sample_weight=marks.weight)
    *batch, k, _, _ = counts.shape
    tn, fp, fn, tp = counts.reshape(-1, k, 4).astype(np.float64).transpose(2, 1, 0)
    c = formulas.OneVsRest(tp, fp, fn, tn, total=tp[0] + fp[0] + fn[0] + tn[0])
    found = formulas.evaluate(record, c, range(k), average, fill, **choices)
    values, n_undefined = (part.T.reshape((*batch, *part.shape[:-1])) for part in found)
    return values, n_undefined


def _over_cases(
    record: formulas.LabelMetric, marks: Marks, _: str | None, fill: float, choices: dict[str, Any]
) -> tuple[FloatArray, AnyArray]:
    """Compute the score of each instance from its labels, and average over the instances with a defined score."""
    true, predicted = np.broadcast_arrays(marks.true, marks.predicted)
    kinds = (true & predicted, ~true & predicted, true & ~predicted, ~(true | predicted))
    shape = true.shape[:-1]
    tp, fp, fn, tn = (np.count_nonzero(kind, axis=-1).astype(np.float64).reshape(1, -1) for kind in kinds)
    c = formulas.OneVsRest(tp, fp, fn, tn, total=tp[0] + fp[0] + fn[0] + tn[0])
    values, undefined = (part.reshape(shape) for part in formulas.evaluate(record, c, range(1), None, fill, **choices))
    one = np.ones(()) if marks.weight is None else marks.weight
    weight = ~np.isnan(values) * one
    mean = weighted_mean(np.broadcast_to(np.where(np.isnan(values), 0.0, values), weight.shape), weight)
    without_value = np.isnan(mean)
    n_undefined = np.count_nonzero((undefined > 0) & (one > 0), axis=-1)
    return np.where(without_value, fill, mean), np.maximum(n_undefined, without_value)
