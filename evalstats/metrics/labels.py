"""Scores of hard labels.

Each score is a formula of confusion counts (`evalstats.metrics.formulas`). Each score has a function that computes it
from labels. `score_from_counts` computes every score from counts.
"""

from __future__ import annotations

__all__ = [
    "accuracy_score",
    "balanced_accuracy_score",
    "cohen_kappa_score",
    "count_undefined",
    "error_rate",
    "f1_score",
    "false_positive_rate",
    "fbeta_score",
    "geometric_mean_score",
    "informedness_score",
    "jaccard_score",
    "matthews_corrcoef",
    "precision_score",
    "recall_score",
    "score_from_counts",
    "specificity_score",
]

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from evalstats.metrics.scoring import class_score, score, score_table, undefined_in_table


def accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, undefined: str = "warn"
) -> Any:
    """Compute the accuracy: the proportion of correct predictions.

    If one class is much more frequent than the others, a classifier that always predicts this class has a high
    accuracy. See `balanced_accuracy_score` and `informedness_score`.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (..., n)
        True and predicted labels. Leading axes are batch dimensions and broadcast.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        What to do if no instance has a positive weight. ``'warn'``: the score is 0, with one warning for the whole
        batch. ``'zero'``: 0. ``'nan'``: nan. ``'raise'``: an error.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `confusion_counts`.

    Examples
    --------
    >>> from evalstats.metrics import accuracy_score
    >>> accuracy_score([0, 1, 1, 1], [0, 1, 0, 1])
    0.75

    Two classifiers on the same instances:

    >>> accuracy_score([0, 1, 1, 1], [[0, 1, 0, 1], [1, 1, 1, 1]])
    array([0.75, 0.75])
    """
    return score("accuracy", y_true, y_pred, sample_weight, undefined)


def error_rate(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, undefined: str = "warn"
) -> Any:
    """Compute the error rate: the proportion of incorrect predictions (zero-one loss).

    Parameters
    ----------
    y_true, y_pred, sample_weight, undefined
        As in `accuracy_score`.

    Returns
    -------
    float or ndarray of shape (...)
        Smaller is better.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `confusion_counts`.

    Examples
    --------
    >>> from evalstats.metrics import error_rate
    >>> error_rate([0, 1, 1, 1], [0, 1, 0, 1])
    0.25
    """
    return score("error_rate", y_true, y_pred, sample_weight, undefined)


def balanced_accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    adjusted: bool = False,
    undefined: str = "warn",
) -> Any:
    """Compute the balanced accuracy: the mean recall over the classes.

    The balanced accuracy is the accuracy that the classifier would have if all classes were equally frequent.

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As in `accuracy_score`.
    adjusted : bool, default: False
        Rescale the score so that guessing has the score 0 and a perfect classifier has the score 1.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        What to do about a class without true instances. ``'warn'``: leave it out of the mean, as in scikit-learn, with
        one warning for the whole batch. ``'nan'``: leave it out. ``'zero'``: its recall counts as 0. ``'raise'``: an
        error.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `confusion_counts`.

    References
    ----------
    Brodersen, K. H., Ong, C. S., Stephan, K. E. & Buhmann, J. M. (2010). The balanced accuracy and its posterior
    distribution. International Conference on Pattern Recognition, 3121-3124.

    Examples
    --------
    A classifier that always predicts 0 is correct for nine of ten instances:

    >>> from evalstats.metrics import balanced_accuracy_score
    >>> y_true = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    >>> balanced_accuracy_score(y_true, [0] * 10)
    0.5
    >>> balanced_accuracy_score(y_true, [0] * 10, adjusted=True)
    0.0
    """
    return score("balanced_accuracy", y_true, y_pred, sample_weight, undefined, adjusted=adjusted)


def precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    undefined: str = "warn",
) -> Any:
    """Compute the precision: the proportion of correct predictions among predictions of a class.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (..., n)
        True and predicted labels. Leading axes are batch dimensions and broadcast.
    labels : sequence, optional
        The classes to score, in the order of the scores in the result. Instances of other classes count only as errors
        of the scored classes. Default: all labels that occur in the batch, sorted.
    pos_label : label, default: 1
        The positive class, for ``average='binary'``.
    average : {'binary', 'micro', 'macro', 'weighted', None}, default: 'binary'
        ``'binary'``: the score of `pos_label`, one of two classes. ``'macro'``: the mean over the classes.
        ``'weighted'``: the mean weighted by the numbers of true instances. ``'micro'``: one score from the counts
        summed over the classes. ``None``: the score of each class, along a new last axis.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        What to do about a class for which the score is 0/0. For precision, this is a class that is never predicted.
        ``'warn'``: its score is 0, as in scikit-learn, with one warning for the whole batch. ``'zero'``: 0. ``'nan'``:
        nan, and the class is left out of an average. ``'raise'``: an error. `count_undefined` counts these classes.

    Returns
    -------
    float or ndarray of shape (...); with ``average=None`` ndarray of shape (..., n_labels)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `confusion_counts`. If there are more than two classes and `average` is
        ``'binary'``, or `pos_label` is not a class.

    Examples
    --------
    >>> from evalstats.metrics import precision_score
    >>> precision_score([0, 1, 1, 1], [1, 1, 1, 0])
    0.6666666666666666
    >>> precision_score(["ham", "spam"], ["spam", "spam"], pos_label="spam")
    0.5
    >>> precision_score([0, 1, 2, 2], [0, 0, 2, 2], average=None, undefined="nan")
    array([0.5, nan, 1. ])
    """
    return class_score("precision", y_true, y_pred, labels, pos_label, average, sample_weight, undefined)


def recall_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    undefined: str = "warn",
) -> Any:
    """Compute the recall (true positive rate, sensitivity): the proportion of a class predicted correctly.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight
        As in `precision_score`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        As in `precision_score`. Recall is undefined for a class without true instances.

    Returns
    -------
    float or ndarray of shape (...); with ``average=None`` ndarray of shape (..., n_labels)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `precision_score`.

    Examples
    --------
    >>> from evalstats.metrics import recall_score
    >>> recall_score([0, 0, 1, 1], [1, 0, 1, 0])
    0.5
    """
    return class_score("recall", y_true, y_pred, labels, pos_label, average, sample_weight, undefined)


def false_positive_rate(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    undefined: str = "warn",
) -> Any:
    """Compute the false positive rate: the proportion of instances of other classes predicted as a class.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight
        As in `precision_score`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        As in `precision_score`. The rate is undefined for a class to which all instances belong.

    Returns
    -------
    float or ndarray of shape (...); with ``average=None`` ndarray of shape (..., n_labels)
        Smaller is better.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `precision_score`.

    Examples
    --------
    >>> from evalstats.metrics import false_positive_rate
    >>> false_positive_rate([0, 0, 0, 0, 1], [1, 0, 0, 0, 1])
    0.25
    """
    return class_score("false_positive_rate", y_true, y_pred, labels, pos_label, average, sample_weight, undefined)


def specificity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    undefined: str = "warn",
) -> Any:
    """Compute the specificity (true negative rate): 1 minus the false positive rate.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight
        As in `precision_score`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        As in `precision_score`. Specificity is undefined for a class to which all instances belong.

    Returns
    -------
    float or ndarray of shape (...); with ``average=None`` ndarray of shape (..., n_labels)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `precision_score`.

    Examples
    --------
    >>> from evalstats.metrics import specificity_score
    >>> specificity_score([0, 0, 0, 0, 1], [1, 0, 0, 0, 1])
    0.75
    """
    return class_score("specificity", y_true, y_pred, labels, pos_label, average, sample_weight, undefined)


def fbeta_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float,
    labels: Sequence[Any] | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    undefined: str = "warn",
) -> Any:
    """Compute the F-beta score: the harmonic mean of precision and recall, with recall weighted by `beta`.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight
        As in `precision_score`.
    beta : float
        Weight of recall relative to precision. The weight 0 gives precision, infinity gives recall, and 1 gives F1.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        As in `precision_score`. F is undefined for a class that occurs neither in the true nor in the predicted labels.

    Returns
    -------
    float or ndarray of shape (...); with ``average=None`` ndarray of shape (..., n_labels)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `precision_score`, or if `beta` is negative.

    Notes
    -----
    F = (1 + beta²) tp / ((1 + beta²) tp + beta² fn + fp). If tp is 0 and there is an incorrect prediction, the score is
    0, although precision or recall may be undefined.

    References
    ----------
    van Rijsbergen, C. J. (1979). Information Retrieval, 2nd edition, chapter 7.

    Examples
    --------
    >>> from evalstats.metrics import fbeta_score
    >>> print(f"{fbeta_score([0, 1, 1, 1, 1], [1, 1, 1, 0, 0], beta=2):.4f}")
    0.5263
    """
    return class_score("fbeta", y_true, y_pred, labels, pos_label, average, sample_weight, undefined, beta=beta)


def f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    undefined: str = "warn",
) -> Any:
    """Compute the F1 score: the harmonic mean of precision and recall.

    For cross-validation, see `f1_over_folds`: the mean of F1 over folds is biased if positive instances are rare.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight
        As in `precision_score`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        As in `precision_score`. F1 is undefined for a class that occurs neither in the true nor in the predicted
        labels.

    Returns
    -------
    float or ndarray of shape (...); with ``average=None`` ndarray of shape (..., n_labels)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `precision_score`.

    Notes
    -----
    F1 = 2 tp / (2 tp + fp + fn), equation 2 of Forman & Scholz (2010). If tp is 0 and there is an incorrect prediction,
    the score is 0, although precision or recall may be undefined.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. SIGKDD Explorations 12, 49-57, section 2.

    Examples
    --------
    >>> from evalstats.metrics import f1_score
    >>> f1_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.8
    >>> f1_score([0, 1, 2, 2], [0, 1, 1, 2], average="macro")
    0.7777777777777777
    """
    return class_score("f1", y_true, y_pred, labels, pos_label, average, sample_weight, undefined)


def jaccard_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    undefined: str = "warn",
) -> Any:
    """Compute the Jaccard score: intersection over union of true and predicted instances of a class.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight
        As in `precision_score`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        As in `precision_score`. The score is undefined for a class that occurs neither in the true nor in the predicted
        labels.

    Returns
    -------
    float or ndarray of shape (...); with ``average=None`` ndarray of shape (..., n_labels)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `precision_score`.

    Examples
    --------
    >>> from evalstats.metrics import jaccard_score
    >>> jaccard_score([0, 0, 1, 1], [0, 1, 1, 0])
    0.3333333333333333
    """
    return class_score("jaccard", y_true, y_pred, labels, pos_label, average, sample_weight, undefined)


def matthews_corrcoef(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, undefined: str = "warn"
) -> Any:
    """Compute Matthews' correlation coefficient: 1 means perfect, 0 guessing, and -1 always incorrect.

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As in `accuracy_score`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        As in `accuracy_score`. The correlation is undefined if all true or all predicted labels belong to one class.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `confusion_counts`.

    References
    ----------
    Gorodkin, J. (2004). Comparing two K-category assignments by a K-category correlation coefficient. Computational
    Biology and Chemistry 28, 367-374.

    Examples
    --------
    >>> from evalstats.metrics import matthews_corrcoef
    >>> print(f"{matthews_corrcoef([1, 1, 1, -1], [1, -1, 1, 1]):.4f}")
    -0.3333
    """
    return score("matthews_corrcoef", y_true, y_pred, sample_weight, undefined)


def cohen_kappa_score(
    y1: ArrayLike,
    y2: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    weights: str | None = None,
    sample_weight: ArrayLike | None = None,
    undefined: str = "warn",
) -> Any:
    """Compute Cohen's kappa: the agreement between two labelings beyond chance.

    A value of 1 means complete agreement, and 0 means chance agreement. Negative values mean less agreement than by
    chance. For a standard error, an interval and a test, see `cohen_kappa`.

    Parameters
    ----------
    y1, y2 : array_like of shape (..., n)
        Two labels of each instance. Leading axes are batch dimensions and broadcast.
    labels : sequence, optional
        The classes in order. The order matters only with `weights`. A label that is not listed raises an error.
        Default: all labels that occur in the batch, sorted.
    weights : {None, 'linear', 'quadratic'}, default: None
        Weight of a disagreement. ``None``: all weights are equal. ``'linear'``: the distance between the two classes in
        the order of the classes. ``'quadratic'``: the square of this distance.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        What to do if chance agreement is 1, so kappa is 0/0. ``'warn'``: kappa is nan, as in scikit-learn, with one
        warning for the whole batch. ``'nan'``: nan. ``'zero'``: 0. ``'raise'``: an error.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `confusion_counts`.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20,
    37-46.

    Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit.
    Psychological Bulletin 70, 213-220.

    Examples
    --------
    >>> from evalstats.metrics import cohen_kappa_score
    >>> cohen_kappa_score(["no", "no", "yes", "yes"], ["no", "yes", "yes", "yes"])
    0.5
    """
    return score("cohen_kappa", y1, y2, sample_weight, undefined, labels=labels, weights=weights)


def informedness_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    undefined: str = "warn",
) -> Any:
    """Compute the informedness (Youden's J): recall minus false positive rate.

    A value of 1 means perfect predictions, 0 means guessing (for any class proportions), and -1 means only incorrect
    predictions.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight
        As in `precision_score`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        As in `precision_score`. The score is undefined for a class to which no instance or every instance belongs.

    Returns
    -------
    float or ndarray of shape (...); with ``average=None`` ndarray of shape (..., n_labels)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `precision_score`.

    References
    ----------
    Youden, W. J. (1950). Index for rating diagnostic tests. Cancer 3, 32-35.

    Examples
    --------
    >>> from evalstats.metrics import informedness_score
    >>> informedness_score([0, 0, 0, 0, 1, 1], [1, 0, 0, 0, 1, 1])
    0.75
    """
    return class_score("informedness", y_true, y_pred, labels, pos_label, average, sample_weight, undefined)


def geometric_mean_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, undefined: str = "warn"
) -> Any:
    """Compute the geometric mean of the recalls of all classes, which is 0 if a recall is 0.

    For two classes, the mean is the square root of sensitivity times specificity.

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As in `accuracy_score`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        What to do about a class without true instances. ``'warn'``: the recall of the class, and thus the score, is 0,
        with one warning for the whole batch. ``'zero'``: the same without a warning. ``'nan'``: leave the class out, as
        in imbalanced-learn. ``'raise'``: an error.

    Returns
    -------
    float or ndarray of shape (...)

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `confusion_counts`.

    References
    ----------
    Kubat, M. & Matwin, S. (1997). Addressing the curse of imbalanced training sets: one-sided selection. International
    Conference on Machine Learning, 179-186.

    Examples
    --------
    >>> from evalstats.metrics import geometric_mean_score
    >>> geometric_mean_score([0, 0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1, 1])
    0.5
    """
    return score("geometric_mean", y_true, y_pred, sample_weight, undefined)


def score_from_counts(metric: str, counts: ArrayLike, *, undefined: str = "warn", **choices: Any) -> Any:
    """Compute a score of hard labels from confusion counts, for a whole batch of tables.

    Parameters
    ----------
    metric : str
        One of ``'accuracy'``, ``'balanced_accuracy'``, ``'cohen_kappa'``, ``'error_rate'``, ``'f1'``,
        ``'false_positive_rate'``, ``'fbeta'``, ``'geometric_mean'``, ``'informedness'``, ``'jaccard'``,
        ``'matthews_corrcoef'``, ``'precision'``, ``'recall'``, ``'specificity'``.
    counts : array_like of shape (..., k, k)
        Counts or sums of weights, at least 0. Rows are true classes, columns are predicted classes. See
        `confusion_counts`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'warn'
        What to do if the score is 0/0, as in the function that computes the metric from labels.
    **choices
        Options of the function that computes the metric from labels: `average`, `pos_label`, `labels`, `beta`,
        `adjusted`, `weights`. The labels are the row indexes 0, 1, ..., k - 1, or the labels of a data frame, such as a
        pandas crosstab. The rows and columns of the data frame must have the same labels in the same order.

    Returns
    -------
    float or ndarray of shape (...); with ``average=None`` ndarray of shape (..., n_labels)

    Raises
    ------
    ValueError
        If the counts are not square tables of finite numbers of at least 0, or an option has an unknown value.
    TypeError
        If the metric does not support an option.

    Examples
    --------
    F1 of two folds, and of the sum of their counts:

    >>> import numpy as np
    >>> from evalstats.metrics import score_from_counts
    >>> counts = np.array([[[90, 2], [4, 4]], [[88, 2], [2, 8]]])
    >>> score_from_counts("f1", counts).round(4)
    array([0.5714, 0.8   ])
    >>> print(f"{score_from_counts('f1', counts.sum(axis=0)):.4f}")
    0.7059
    """
    return score_table(metric, counts, undefined, choices)


def count_undefined(metric: str, counts: ArrayLike, **choices: Any) -> Any:
    """Count the classes for which the formula of a score is 0/0.

    Parameters
    ----------
    metric, counts, **choices
        As in `score_from_counts`.

    Returns
    -------
    int or ndarray of int, of the shape of the scores
        The count, which is 0 if the score is defined. For a score of one class, or of all classes together, the count
        is 0 or 1. For an average, it is the number of classes with an undefined score. For ``average='weighted'``, only
        classes with a positive weight count.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `score_from_counts`.

    Examples
    --------
    Precision in three folds; in the last fold, nothing was predicted positive:

    >>> from evalstats.metrics import count_undefined
    >>> counts = [[[9, 1], [1, 4]], [[8, 2], [1, 4]], [[10, 0], [5, 0]]]
    >>> count_undefined("precision", counts)
    array([0, 0, 1])
    """
    return undefined_in_table(metric, counts, choices)
