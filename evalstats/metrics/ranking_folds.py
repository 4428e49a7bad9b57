"""AUC and other scores of rankings aggregated over folds.

Each fold was scored by its own model. A ranking of the merged scores is meaningful only if the scores of all models are
on a common scale. Use merged scores only if you also want to evaluate the calibration of the models.
"""

from __future__ import annotations

__all__ = [
    "AucFoldReport",
    "auc_over_folds",
    "auc_report_over_folds",
    "average_precision_over_folds",
    "precision_at_n_over_folds",
]

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats._result import Record, unbatch
from evalstats._types import BoolArray, FloatArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.ranking import average_precision_score, precision_at_n, roc_auc_score
from evalstats.metrics.score_input import understand_scores

AGGREGATES = ("mean", "merge")
POLICIES = ("raise", "skip", "zero", "nan")

ONE_CLASS = "all instances belong to one class"
NO_POSITIVE = "no instance is positive"


@dataclass(frozen=True, kw_only=True, eq=False)
class AucFoldReport(Record):
    """Result of `auc_report_over_folds`: both ways of aggregation, and the AUC of each fold.

    Attributes
    ----------
    mean : float or ndarray
        Mean of the AUC over the folds (the recommended way). It is nan if the AUC of a fold is undefined.
    mean_skip : float or ndarray
        Mean over the folds with a defined AUC.
    merge : float or ndarray
        AUC of the merged scores of all folds.
    fold_auc : ndarray of shape (..., n_folds)
        AUC of each fold. It is nan if all instances of the fold belong to one class.
    folds : tuple
        The folds, in the order of `fold_auc`.
    n_folds : int
        Number of folds.
    n_undefined : int or ndarray of int
        Number of folds without a defined AUC.
    reason : str, None or ndarray of object
        A sentence if the AUC of a fold is undefined, otherwise None.
    """

    mean: Any
    mean_skip: Any
    merge: Any
    fold_auc: FloatArray
    folds: tuple[Any, ...]
    n_folds: int
    n_undefined: Any
    reason: Any


def auc_over_folds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    fold: ArrayLike,
    *,
    aggregate: str = "mean",
    undefined: str = "raise",
    pos_label: Any = None,
) -> Any:
    """Compute the AUC aggregated over folds.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True labels of n instances.
    y_score : array_like of shape (..., n)
        Scores, each from the model that was not trained on the instance. A greater score means that the positive class
        is more likely. Leading axes are batch dimensions and broadcast: `y_true` and `fold` of shape (n,) match the
        scores of six classifiers of shape (6, n).
    fold : array_like of shape (..., n)
        The fold in which each instance was tested: integers or any other labels. Folds may differ in size.
    aggregate : {'mean', 'merge'}, default: 'mean'
        ``'mean'``: compute the AUC of each fold, then the mean. ``'merge'``: merge the scores of all folds, then
        compute one AUC. The merged AUC is lower than the mean if the scores of the folds are on different scales.
        `check_folds` tests for different scales.
    undefined : {'raise', 'nan', 'zero', 'skip'}, default: 'raise'
        What to do about a fold (or, with ``'merge'``, about data) whose instances all belong to one class. ``'raise'``:
        an error that names the fold. ``'skip'``: leave the fold out. ``'zero'``: its AUC counts as 0. ``'nan'``: the
        result is nan.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.

    Returns
    -------
    float or ndarray of shape (...)
        The AUC, or nan with a warning if ``'skip'`` leaves no fold.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or the AUC of a fold is undefined and `undefined` is ``'raise'``.
    TypeError
        If scores are not numbers, or labels have different types.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57, sections 2.4 and 3.2.

    Examples
    --------
    Both models rank their instances perfectly, but all scores of the second model are lower:

    >>> from evalstats.metrics import auc_over_folds
    >>> y_true = [0, 0, 1, 1, 0, 0, 1, 1]
    >>> y_score = [0.5, 0.6, 0.8, 0.9, 0.1, 0.2, 0.3, 0.4]
    >>> fold = [1, 1, 1, 1, 2, 2, 2, 2]
    >>> auc_over_folds(y_true, y_score, fold)
    1.0
    >>> auc_over_folds(y_true, y_score, fold, aggregate="merge")
    0.75
    """
    aggregate, undefined = _choices(aggregate, undefined)

    def score(**of_folds: Any) -> FloatArray:
        return np.asarray(roc_auc_score(y_true, y_score, pos_label=pos_label, undefined="nan", **of_folds))

    return _one_out_of_many(score, fold, aggregate, undefined, ONE_CLASS)


def auc_report_over_folds(
    y_true: ArrayLike, y_score: ArrayLike, fold: ArrayLike, *, pos_label: Any = None
) -> AucFoldReport:
    """Compute the AUC of each fold and both ways of aggregation.

    Parameters
    ----------
    y_true, y_score, fold, pos_label
        As in `auc_over_folds`.

    Returns
    -------
    AucFoldReport
        The AUC of each fold, the mean over the folds, and the AUC of the merged scores.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `auc_over_folds`, except for folds without a defined AUC, which the result reports.

    Examples
    --------
    >>> from evalstats.metrics import auc_report_over_folds
    >>> report = auc_report_over_folds([0, 1, 0, 1, 0, 0], [0.2, 0.7, 0.9, 0.8, 0.1, 0.3], [1, 1, 2, 2, 3, 3])
    >>> report.fold_auc
    array([ 1.,  0., nan])
    >>> report.mean, report.mean_skip, report.merge
    (nan, 0.5, 0.75)
    >>> print(report.reason)
    in 1 of 3 folds, all instances belong to one class
    """
    of_folds = np.asarray(roc_auc_score(y_true, y_score, pos_label=pos_label, undefined="nan", fold=fold))
    merged = np.asarray(roc_auc_score(y_true, y_score, pos_label=pos_label, undefined="nan"))
    names, k = _names(fold), of_folds.shape[-1]
    n_undefined = np.isnan(of_folds).sum(axis=-1)
    reason = [f"in {n} of {k} folds, {ONE_CLASS}" if n else None for n in n_undefined.ravel().tolist()]
    return AucFoldReport(
        mean=of_folds.mean(axis=-1),
        mean_skip=_mean_of_defined(of_folds),
        merge=np.broadcast_to(merged, n_undefined.shape),
        fold_auc=of_folds,
        folds=tuple(names),
        n_folds=k,
        n_undefined=n_undefined,
        reason=np.array(reason, dtype=object).reshape(n_undefined.shape),
    )


def average_precision_over_folds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    fold: ArrayLike,
    *,
    aggregate: str = "mean",
    undefined: str = "raise",
    pos_label: Any = None,
) -> Any:
    """Compute the average precision aggregated over folds.

    Parameters
    ----------
    y_true, y_score, fold, aggregate, pos_label
        As in `auc_over_folds`.
    undefined : {'raise', 'nan', 'zero', 'skip'}, default: 'raise'
        What to do about a fold without positive instances, as in `auc_over_folds`.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `auc_over_folds`.

    References
    ----------
    Forman & Scholz (2010), section 3.2.

    Examples
    --------
    >>> from evalstats.metrics import average_precision_over_folds
    >>> y_true = [0, 0, 1, 1, 0, 0, 1, 1]
    >>> y_score = [0.5, 0.6, 0.8, 0.9, 0.1, 0.2, 0.3, 0.4]
    >>> average_precision_over_folds(y_true, y_score, [1, 1, 1, 1, 2, 2, 2, 2])
    1.0
    """
    aggregate, undefined = _choices(aggregate, undefined)

    def score(**of_folds: Any) -> FloatArray:
        return np.asarray(average_precision_score(y_true, y_score, pos_label=pos_label, undefined="nan", **of_folds))

    return _one_out_of_many(score, fold, aggregate, undefined, NO_POSITIVE)


def precision_at_n_over_folds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    fold: ArrayLike,
    *,
    n: int = 20,
    aggregate: str = "mean",
    undefined: str = "raise",
    pos_label: Any = None,
) -> Any:
    """Compute the precision at n aggregated over folds.

    Parameters
    ----------
    y_true, y_score, aggregate, pos_label
        As in `auc_over_folds`. With ``'merge'``, the n greatest scores are the greatest scores of all folds together.
    fold : array_like of shape (n_instances,)
        The fold in which each instance was tested.
    n : int, default: 20
        Number of instances above the cut in each fold.
    undefined : {'raise', 'nan', 'zero', 'skip'}, default: 'raise'
        What to do about a fold with fewer than n instances, as in `auc_over_folds`.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `auc_over_folds`.

    References
    ----------
    Forman & Scholz (2010), section 3.2.

    Examples
    --------
    >>> from evalstats.metrics import precision_at_n_over_folds
    >>> y_true = [0, 1, 0, 1, 0, 1, 0, 0]
    >>> y_score = [0.5, 0.6, 0.8, 0.9, 0.1, 0.3, 0.2, 0.1]
    >>> precision_at_n_over_folds(y_true, y_score, [1, 1, 1, 1, 2, 2, 2, 2], n=2)
    0.5
    """
    aggregate, undefined = _choices(aggregate, undefined)
    n = _checks.count(n, "n")
    _labels.same_labels(y_true=y_true, y_score=y_score, fold=fold)
    true, of_case = (classes.understand(value, name).array for value, name in ((y_true, "y_true"), (fold, "fold")))
    scores = understand_scores(y_score)
    if of_case.ndim != 1 or not true.shape[-1:] == scores.shape[-1:] == of_case.shape:
        shapes = f"{true.shape}, {scores.shape} and {of_case.shape}"
        raise InvalidValueError(
            "fold must have the shape (n,), with one value for each instance, but y_true, y_score and fold have "
            f"{shapes}"
        )

    def score(**of_folds: Any) -> FloatArray:
        if not of_folds:
            return np.asarray(precision_at_n(true, scores, n, pos_label=pos_label))
        names = _names(fold)
        large = np.array([np.count_nonzero(of_case == name) >= n for name in names])
        values = np.full((*np.broadcast_shapes(true.shape[:-1], scores.shape[:-1]), len(names)), np.nan)
        if large.any():
            kept = np.isin(of_case, np.array(names)[large])
            values[..., large] = precision_at_n(
                true[..., kept], scores[..., kept], n, pos_label=pos_label, fold=of_case[kept]
            )
        return values

    return _one_out_of_many(score, fold, aggregate, undefined, f"there are fewer than {n} instances")


def _choices(aggregate: Any, undefined: Any) -> tuple[str, str]:
    return _checks.choice(aggregate, "aggregate", AGGREGATES), _checks.choice(undefined, "undefined", POLICIES)


def _names(fold: Any) -> Sequence[Any]:
    return classes.in_order(classes.distinct(classes.understand(fold, "fold")))


def _one_out_of_many(score: Callable[..., FloatArray], fold: Any, aggregate: str, undefined: str, why: str) -> Any:
    """Aggregate a score over the folds, as the mean or from the merged scores; nan means an undefined score."""
    if fold is None:
        raise InvalidTypeError("fold must hold the fold of each instance, not None")
    of_folds = score(fold=fold)
    values = of_folds
    if aggregate == "merge":
        values = np.broadcast_to(score(), of_folds.shape[:-1])[..., None]
    missing = np.isnan(values)
    if undefined == "raise" and missing.any():
        raise InvalidValueError(
            f"{_sentence(missing, fold, aggregate, why)}; use undefined='skip', 'zero' or 'nan' to continue"
        )
    if undefined == "skip":
        mean = _mean_of_defined(values)
        if (nothing := np.isnan(mean)).any():
            at = f" of problem {_place(nothing)}" if nothing.ndim else ""
            warnings.warn(
                f"the score is undefined in every fold{at}: {why}; the result is nan", EvalstatsWarning, stacklevel=3
            )
        return unbatch(mean)
    return unbatch(np.where(missing, 0.0 if undefined == "zero" else np.nan, values).mean(axis=-1))


def _mean_of_defined(values: FloatArray) -> FloatArray:
    is_defined = ~np.isnan(values)
    n = is_defined.sum(axis=-1)
    return np.where(n == 0, np.nan, np.where(is_defined, values, 0.0).sum(axis=-1) / np.maximum(n, 1))


def _sentence(missing: BoolArray, fold: Any, aggregate: str, why: str) -> str:
    *problem, number = np.argwhere(missing)[0]
    of_problem = f" of problem [{', '.join(map(str, problem))}]" if problem else ""
    if aggregate == "merge":
        return f"the score of the merged folds{of_problem} is undefined: {why}"
    folds = f"fold {_names(fold)[number]!s}{of_problem}"
    more = np.count_nonzero(missing) - 1
    return f"the score of {folds} is undefined: {why}" + (f" (and {more} more)" if more else "")


def _place(wrong: BoolArray) -> str:
    return f"[{', '.join(str(i) for i in np.argwhere(wrong)[0])}]"
