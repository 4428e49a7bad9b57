"""F1 and accuracy aggregated over folds.

Forman & Scholz (2010) found three ways to aggregate F1 in publications. Two of these ways depend on the treatment of
folds with an undefined precision or recall. The third way is nearly unbiased: sum TP, FP and FN over the folds, and
compute F1 from the sums.
"""

from __future__ import annotations

__all__ = [
    "FOLD_PRESETS",
    "F1FoldReport",
    "F1Strategies",
    "FoldPreset",
    "accuracy_over_folds",
    "f1_over_folds",
    "f1_report_over_folds",
]

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import EvalstatsWarning, InvalidValueError, short
from evalstats._result import Record, reasons, unbatch
from evalstats._types import BoolArray, FloatArray

LARGEST_BETA = 1e100  # the square of this number does not overflow
AGGREGATES = ("tp_fp", "mean", "precision_recall")
POLICIES = ("zero", "skip", "raise", "warn")

NOTHING = "no instance is positive or predicted positive in any fold"
ALL_SKIPPED = "no fold is left: precision or recall is undefined in every fold"


@dataclass(frozen=True, kw_only=True, eq=False)
class F1Strategies(Record):
    """One number for each of the five ways to aggregate F1 over folds (Forman & Scholz 2010, section 2.3).

    Attributes
    ----------
    tp_fp : float or ndarray
        F1 computed from TP, FP and FN summed over the folds, which is the recommended way.
    mean : float or ndarray
        Mean of F1 over the folds. A fold in which precision or recall is undefined counts as 0.
    mean_skip : float or ndarray
        Mean of F1 over the folds in which precision and recall are both defined.
    precision_recall : float or ndarray
        F1 computed from the mean precision and the mean recall. An undefined precision or recall counts as 0.
    precision_recall_skip : float or ndarray
        F1 computed from the mean precision and the mean recall over the folds in which both are defined.
    """

    tp_fp: Any
    mean: Any
    mean_skip: Any
    precision_recall: Any
    precision_recall_skip: Any


@dataclass(frozen=True, kw_only=True, eq=False)
class F1FoldReport(F1Strategies):
    """Result of `f1_report_over_folds`: the five values of F1, and the values of the folds.

    Attributes
    ----------
    spread : float or ndarray
        The largest of the five values minus the smallest. It is nan if a value is nan.
    mean_precision, mean_recall : float or ndarray
        Means over the folds. Undefined values count as 0.
    fold_f1, fold_precision, fold_recall : ndarray of shape (..., n_folds)
        Value of each fold. Precision is nan without predicted positives, and recall is nan without positive instances.
        F1 is nan if precision or recall is nan.
    n_folds : int
        Number of folds.
    n_undefined : int or ndarray of int
        Number of folds in which precision or recall is undefined.
    n_without_predicted_positives, n_without_positives : int or ndarray of int
        Numbers of folds with undefined precision and with undefined recall, respectively.
    beta : float
        Weight of recall relative to precision.
    reason : str, None or ndarray of object
        A sentence if a value is nan, otherwise None.
    """

    spread: Any
    mean_precision: Any
    mean_recall: Any
    fold_f1: Any
    fold_precision: Any
    fold_recall: Any
    n_folds: int
    n_undefined: Any
    n_without_predicted_positives: Any
    n_without_positives: Any
    beta: float
    reason: Any


@dataclass(frozen=True, kw_only=True, eq=False)
class FoldPreset(Record):
    """A named way to aggregate scores over folds. Example: ``f1_over_folds(tp, fp, fn, **preset.f1)``.

    Attributes
    ----------
    f1 : dict
        Options for `f1_over_folds`.
    auc : dict
        Options for `auc_over_folds`.
    meaning : str
        Description of the preset in a sentence.
    """

    f1: dict[str, str]
    auc: dict[str, str]
    meaning: str


FOLD_PRESETS = {
    "recommended": FoldPreset(
        f1={"aggregate": "tp_fp"},
        auc={"aggregate": "mean"},
        meaning="F of the summed counts, and the mean of the AUC over the folds, as Forman & Scholz (2010) recommend",
    ),
    "weka-explorer": FoldPreset(
        f1={"aggregate": "tp_fp"},
        auc={"aggregate": "merge"},
        meaning="the Explorer of WEKA 3.6.1 according to Forman & Scholz (2010): "
        "F of the summed counts, and the AUC of the merged scores of all folds",
    ),
    "weka-experimenter": FoldPreset(
        f1={"aggregate": "mean", "undefined": "zero"},
        auc={"aggregate": "mean"},
        meaning="the Experimenter of WEKA 3.6.1 according to Forman & Scholz (2010): "
        "the mean of F over the folds, with undefined folds as 0, and the mean of the AUC",
    ),
}


def f1_over_folds(
    tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, *, aggregate: str = "tp_fp", undefined: str = "zero", beta: float = 1.0
) -> Any:
    """Compute F1 aggregated over folds, from the counts of each fold.

    For the same predictions, different ways of aggregation gave F1 values of 58%, 69% and 73% (Forman & Scholz 2010,
    Table 1). Only the default is nearly unbiased if positive instances are rare, and only the default does not depend
    on the assignment of instances to folds. `f1_fold_bias` computes the bias of the other ways for given class counts,
    and `f1_report_over_folds` computes F1 in all ways.

    Parameters
    ----------
    tp, fp, fn : array_like of shape (..., n_folds)
        True positives, false positives and false negatives of each fold. Leading axes are batch dimensions and
        broadcast.
    aggregate : {'tp_fp', 'mean', 'precision_recall'}, default: 'tp_fp'
        ``'tp_fp'``: sum the counts over the folds, then compute F1. ``'mean'``: compute F1 for each fold, then the
        mean. ``'precision_recall'``: compute the mean precision and the mean recall, then F1 from these means.
    undefined : {'raise', 'warn', 'zero', 'skip'}, default: 'zero'
        What to do about a fold without positive instances (recall is 0/0) or without predicted positives (precision is
        0/0). ``'zero'``: precision, recall and F1 count as 0. ``'skip'``: leave the fold out. ``'raise'``: an error.
        ``'warn'``: as ``'zero'``, with one warning for the whole batch. With ``aggregate='tp_fp'``, this option has no
        effect, because the counts of such folds are also summed.
    beta : float, default: 1.0
        Weight of recall relative to precision. With the weight 1, the score is F1.

    Returns
    -------
    float or ndarray of shape (...)
        F1 from 0 to 1. It is nan if no instance is positive or predicted positive in any fold, or if ``'skip'`` leaves
        no fold. A warning then gives the reason.

    Raises
    ------
    ValueError
        If the counts are negative, not integers or do not match. With ``undefined='raise'``, if recall or precision is
        0/0.
    TypeError
        If the counts are not numbers.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57.

    Examples
    --------
    Four folds of a text classifier, 15 positives among 1504 instances (Table 1 of the paper):

    >>> from evalstats.metrics import f1_over_folds
    >>> tp, fp, fn = [3, 4, 4, 3], [0, 1, 13, 5], [0, 0, 0, 1]
    >>> for aggregate in ("tp_fp", "mean", "precision_recall"):
    ...     print(f"{aggregate}: {f1_over_folds(tp, fp, fn, aggregate=aggregate):.1%}")
    tp_fp: 58.3%
    mean: 69.2%
    precision_recall: 73.4%
    """
    counts = _fold_counts(tp, fp, fn)
    aggregate = _checks.choice(aggregate, "aggregate", AGGREGATES)
    undefined = _checks.choice(undefined, "undefined", POLICIES)
    beta = _beta(beta)

    report = _report(*counts, beta)
    value = getattr(report, f"{aggregate}_skip" if undefined == "skip" and aggregate != "tp_fp" else aggregate)

    _tell(report, np.asarray(value), aggregate, undefined)
    return unbatch(value)


def f1_report_over_folds(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, *, beta: float = 1.0) -> F1FoldReport:
    """Compute all five values of F1 aggregated over folds, and the values of the folds.

    Parameters
    ----------
    tp, fp, fn, beta
        As in `f1_over_folds`.

    Returns
    -------
    F1FoldReport
        The five values, their spread, the values of each fold, and the numbers of undefined values.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `f1_over_folds`.

    References
    ----------
    Forman & Scholz (2010), Table 2 (in HP Laboratories report HPL-2009-359).

    Examples
    --------
    Four positive instances in each fold; in the second fold, none of them is predicted positive:

    >>> from evalstats.metrics import f1_report_over_folds
    >>> report = f1_report_over_folds([2, 0, 4, 4], [0, 0, 0, 0], [2, 4, 0, 0])
    >>> print(f"{report.tp_fp:.0%} {report.mean:.0%} {report.mean_skip:.0%}")
    77% 67% 89%
    >>> print(f"{report.precision_recall:.0%} {report.precision_recall_skip:.0%}")
    68% 91%
    >>> report.n_undefined, report.n_without_predicted_positives, report.n_without_positives
    (1, 1, 0)
    >>> report.fold_f1.round(2)
    array([0.67,  nan, 1.  , 1.  ])
    """
    counts = _fold_counts(tp, fp, fn)
    return _report(*counts, _beta(beta))


def accuracy_over_folds(n_correct: ArrayLike, n_instances: ArrayLike, *, aggregate: str = "pooled") -> Any:
    """Compute the accuracy aggregated over folds.

    The two ways give the same result if all folds have the same size. Otherwise, the pooled accuracy minus the mean
    over the folds is the covariance of size and accuracy over the folds, divided by the mean size.

    Parameters
    ----------
    n_correct, n_instances : array_like of shape (..., n_folds)
        Numbers of correctly predicted instances and of all instances of each fold. Leading axes are batch dimensions
        and broadcast.
    aggregate : {'pooled', 'mean'}, default: 'pooled'
        ``'pooled'``: the number of correctly predicted instances divided by the number of all instances, so each
        instance has the same weight. ``'mean'``: the mean of the accuracies of the folds, so each fold has the same
        weight.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError
        If the counts are negative, not integers or do not match, a fold has no instance, or more instances are correct
        than the fold contains.
    TypeError
        If the counts are not numbers.

    References
    ----------
    Forman & Scholz (2010), sections 2.4 and 4.1.

    Examples
    --------
    >>> from evalstats.metrics import accuracy_over_folds
    >>> for aggregate in ("pooled", "mean"):
    ...     equal = accuracy_over_folds([30, 40], [50, 50], aggregate=aggregate)
    ...     unequal = accuracy_over_folds([30, 10], [50, 10], aggregate=aggregate)
    ...     print(f"{aggregate}: {equal:.3f} {unequal:.3f}")
    pooled: 0.700 0.667
    mean: 0.700 0.800
    """
    correct, cases = _counts_of_folds(n_correct=n_correct, n_instances=n_instances)
    aggregate = _checks.choice(aggregate, "aggregate", ("pooled", "mean"))
    if cases.min() == 0:
        raise InvalidValueError(f"each fold must hold an instance, but n_instances{_place(cases == 0)} is 0")
    correct, cases = np.broadcast_arrays(correct, cases)
    if (wrong := correct > cases).any():
        held = f"n_correct{_place(wrong)} is {correct[wrong][0]:g} of {cases[wrong][0]:g}"
        raise InvalidValueError(f"n_correct must not exceed n_instances, but {held}")

    if aggregate == "pooled":
        return unbatch(correct.sum(axis=-1) / cases.sum(axis=-1))
    return unbatch((correct / cases).mean(axis=-1))


def _report(tp: FloatArray, fp: FloatArray, fn: FloatArray, beta: float) -> F1FoldReport:
    weight = beta * beta
    predicted, positive = tp + fp, tp + fn
    is_defined = (predicted > 0) & (positive > 0)  # V of Forman & Scholz
    precision, recall = _ratio(tp, predicted), _ratio(tp, positive)
    f = np.where(is_defined, _ratio((1 + weight) * tp, weight * positive + predicted), np.nan)

    n_defined, n_folds = is_defined.sum(axis=-1), tp.shape[-1]
    totals = np.stack([np.where(is_defined, values, 0.0).sum(axis=-1) for values in (f, precision, recall)])
    of_all, of_defined = totals / n_folds, _ratio(totals, n_defined)
    values = {
        "tp_fp": _ratio((1 + weight) * tp.sum(axis=-1), weight * positive.sum(axis=-1) + predicted.sum(axis=-1)),
        "mean": of_all[0],
        "mean_skip": of_defined[0],
        "precision_recall": _harmonic_mean(of_all[1], of_all[2], weight),
        "precision_recall_skip": _harmonic_mean(of_defined[1], of_defined[2], weight),
    }
    nothing = np.isnan(values["tp_fp"])
    values = {name: np.where(nothing, np.nan, value) for name, value in values.items()}
    return F1FoldReport(
        **values,
        spread=np.ptp(list(values.values()), axis=0),
        mean_precision=of_all[1],
        mean_recall=of_all[2],
        fold_f1=f,
        fold_precision=precision,
        fold_recall=recall,
        n_folds=n_folds,
        n_undefined=n_folds - n_defined,
        n_without_predicted_positives=(predicted == 0).sum(axis=-1),
        n_without_positives=(positive == 0).sum(axis=-1),
        beta=beta,
        reason=reasons(nothing.shape, (nothing, NOTHING), (n_defined == 0, ALL_SKIPPED)),
    )


def _harmonic_mean(precision: FloatArray, recall: FloatArray, weight: float) -> FloatArray:
    """Return F from precision and recall (Forman & Scholz, eq. 1), or 0 if both are 0."""
    total = weight * precision + recall
    return np.where(total == 0, 0.0, (1 + weight) * precision * recall / np.where(total == 0, 1, total))


def _ratio(numerator: FloatArray, denominator: Any) -> FloatArray:
    """Return the ratio, nan if the denominator is 0."""
    is_zero = denominator == 0
    return np.where(is_zero, np.nan, numerator / np.where(is_zero, 1, denominator))


def _tell(report: F1FoldReport, value: FloatArray, aggregate: str, undefined: str) -> None:
    """Raise an error or one warning for the whole batch about undefined values and folds."""
    if (without := np.isnan(value)).any():
        reason = np.asarray(report.reason, dtype=object)[without][0]
        sentence = f"F is undefined{_where(without, 'problem')}: {reason}"
        if undefined == "raise":
            raise InvalidValueError(sentence)
        warnings.warn(f"{sentence}; the result is nan", EvalstatsWarning, stacklevel=3)
    if aggregate == "tp_fp" or undefined in ("zero", "skip"):
        return
    if (without := np.isnan(report.fold_f1)).any():
        positives = np.isnan(report.fold_recall)[without][0]
        why = (
            "no instance is positive, so recall is 0/0"
            if positives
            else "no instance is predicted positive, so precision is 0/0"
        )
        sentence = f"F is undefined{_where(without, 'fold')}: {why}"
        if undefined == "raise":
            raise InvalidValueError(
                f"{sentence}; undefined='zero' or undefined='skip' gives a defined result, and aggregate='tp_fp' does "
                "not need this option"
            )
        warnings.warn(f"{sentence}; such folds count as 0", EvalstatsWarning, stacklevel=3)


def _where(without: BoolArray, noun: str) -> str:
    if without.ndim == 0:
        return ""
    return f" in {np.count_nonzero(without)} of {without.size} {noun}s, first in {_place(without)}"


def _fold_counts(tp: Any, fp: Any, fn: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    a, b, c = np.broadcast_arrays(*_counts_of_folds(tp=tp, fp=fp, fn=fn))
    return a, b, c


def _counts_of_folds(**named: Any) -> list[FloatArray]:
    """Validate the counts of the folds as integers of at least 0 with a common shape."""
    _labels.same_labels(**named)
    counts = []
    for name, value in named.items():
        array = _checks.finite(_checks.numbers(value, name), name)
        if array.ndim == 0 or array.size == 0:
            raise InvalidValueError(f"{name} must have one count for each fold, but its shape is {array.shape}")
        for wrong, rule in ((array < 0, "0 or more"), (array != np.floor(array), "whole numbers")):
            if wrong.any():
                raise InvalidValueError(
                    f"{name} must be counts, {rule}, but {name}{_place(wrong)} is {array[wrong][0]:g}"
                )
        counts.append(array)
    lengths = {name: array.shape[-1] for name, array in zip(named, counts, strict=True)}
    if len(set(lengths.values())) > 1:
        held = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise InvalidValueError(f"the counts must have one value for each of the same folds, but {held}")
    try:
        np.broadcast_shapes(*(array.shape for array in counts))
    except ValueError as error:
        shapes = ", ".join(str(array.shape) for array in counts)
        raise InvalidValueError(f"the leading axes must broadcast, but the shapes are {shapes}") from error
    return counts


def _place(wrong: BoolArray) -> str:
    return f"[{', '.join(str(i) for i in np.argwhere(wrong)[0])}]"


def _beta(beta: Any) -> float:
    number = _checks.real(beta, "beta")
    if not 0 < number <= LARGEST_BETA:
        raise InvalidValueError(f"beta must be greater than 0 and at most 1e100, not {short(beta)}")
    return number
