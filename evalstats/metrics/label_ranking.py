"""Scores of rankings of labels for multi-label data."""

from __future__ import annotations

__all__ = ["coverage_error", "label_ranking_average_precision_score", "label_ranking_loss"]

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._types import BoolArray, FloatArray
from evalstats.metrics.formulas import policy
from evalstats.metrics.multilabel import check_weight, yes_or_no
from evalstats.metrics.score_input import mean_score


class RankedLabels(NamedTuple):
    """The labels of each instance in decreasing order of their scores, (..., n, k).

    For each score, `passed` and `found` contain the numbers of labels and of true labels, respectively, of the instance
    with at least this score.
    """

    is_true: BoolArray
    passed: FloatArray
    found: FloatArray
    weight: FloatArray | None


def label_ranking_average_precision_score(
    y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None, undefined: str = "raise"
) -> Any:
    """Compute the label ranking average precision of multi-label data.

    For each true label of an instance, the function considers all labels that are ranked at least as high. It computes
    the fraction of true labels among these labels. The score is the mean of these fractions over the true labels, and
    then over the instances. The value of an instance with no label or with all labels is 1.

    Parameters
    ----------
    y_true : array_like of shape (..., n, k)
        Whether each of n instances has each of k labels: True and False, or 1 and 0. Leading axes are batch dimensions
        and broadcast.
    y_score : array_like of shape (..., n, k)
        Score of each label for each instance. A greater score means a more likely label. Only the order of the scores
        within an instance matters. Ties count against the classifier.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if no instance has a positive weight. ``'raise'``: an error. ``'nan'``: nan. ``'warn'``: nan, with
        one warning for the whole batch. ``'zero'``: 0.

    Returns
    -------
    float or ndarray of shape (...)
        The value is 1 if, for every instance, all true labels are ranked before all other labels.

    Raises
    ------
    ValueError
        If `y_true` contains values other than 0 and 1, a score is not finite, or the shapes do not match.
    TypeError
        If an array does not contain numbers.

    References
    ----------
    Tsoumakas, G., Katakis, I. & Vlahavas, I. (2010). Mining multi-label data. Data Mining and Knowledge Discovery
    Handbook, second edition, 667-685. Section 34.7.2.

    Examples
    --------
    >>> from evalstats.metrics import label_ranking_average_precision_score
    >>> y_true = [[1, 0, 0], [0, 0, 1]]
    >>> round(label_ranking_average_precision_score(y_true, [[0.75, 0.5, 1], [1, 0.2, 0.1]]), 4)
    0.4167
    """
    undefined = policy(undefined)
    ranked = _ranked(y_true, y_score, sample_weight)
    n_true = ranked.is_true.sum(axis=-1)
    sums = np.where(ranked.is_true, ranked.found / ranked.passed, 0.0).sum(axis=-1)
    decided = (n_true == 0) | (n_true == ranked.is_true.shape[-1])
    values = np.where(decided, 1.0, sums / np.maximum(n_true, 1))
    return mean_score(values, ranked.weight, undefined, "label_ranking_average_precision_score")


def label_ranking_loss(
    y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None, undefined: str = "raise"
) -> Any:
    """Compute the proportion of incorrectly ordered pairs of a true and a false label of an instance.

    Equal scores count as incorrect. The value of an instance with no label or with all labels is 0.

    Parameters
    ----------
    y_true, y_score, sample_weight, undefined
        As in `label_ranking_average_precision_score`.

    Returns
    -------
    float or ndarray of shape (...)
        Smaller is better.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `label_ranking_average_precision_score`.

    References
    ----------
    Tsoumakas, Katakis & Vlahavas (2010), section 34.7.2.

    Examples
    --------
    >>> from evalstats.metrics import label_ranking_loss
    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    undefined = policy(undefined)
    ranked = _ranked(y_true, y_score, sample_weight)
    n_true = ranked.is_true.sum(axis=-1)
    # for each true label, the number of other labels with at least the same score
    wrong = np.where(ranked.is_true, ranked.passed - ranked.found, 0.0).sum(axis=-1)
    values = wrong / np.maximum(n_true * (ranked.is_true.shape[-1] - n_true), 1)
    return mean_score(values, ranked.weight, undefined, "label_ranking_loss")


def coverage_error(
    y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None, undefined: str = "raise"
) -> Any:
    """Compute the mean number of top-ranked labels needed to include all true labels of an instance.

    Parameters
    ----------
    y_true, y_score, sample_weight, undefined
        As in `label_ranking_average_precision_score`.

    Returns
    -------
    float or ndarray of shape (...)
        Smaller is better. The best value is the mean number of true labels of an instance, and the worst is k. The
        value of an instance without labels is 0.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `label_ranking_average_precision_score`.

    References
    ----------
    Tsoumakas, Katakis & Vlahavas (2010), section 34.7.2; they count from 0, and scikit-learn and this function from 1.

    Examples
    --------
    >>> from evalstats.metrics import coverage_error
    >>> coverage_error([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    2.5
    """
    undefined = policy(undefined)
    ranked = _ranked(y_true, y_score, sample_weight)
    values = np.where(ranked.is_true, ranked.passed, 0.0).max(axis=-1)
    return mean_score(values, ranked.weight, undefined, "coverage_error")


def _ranked(y_true: Any, y_score: Any, sample_weight: Any) -> RankedLabels:
    _labels.same_labels(y_true=y_true, y_score=y_score)
    _labels.same_labels(rows=("y_true", "y_score"), y_true=y_true, y_score=y_score, sample_weight=sample_weight)
    true, score = yes_or_no(y_true, "y_true"), _checks.finite(_checks.numbers(y_score, "y_score"), "y_score")
    if score.shape[-2:] != true.shape[-2:]:
        raise InvalidValueError(
            f"y_score must hold a score for each of the {true.shape[-2]} instances and {true.shape[-1]} labels of "
            f"y_true, but its shape is {score.shape}"
        )
    weight = check_weight(sample_weight, true.shape)
    try:
        true, score = np.broadcast_arrays(true, score)
    except ValueError as error:
        shapes = f"the shapes are {true.shape} and {score.shape}"
        raise InvalidValueError(f"the leading axes of y_true and y_score must broadcast, but {shapes}") from error
    order = np.argsort(-score, axis=-1, kind="stable")
    ranked, is_true = np.take_along_axis(score, order, axis=-1), np.take_along_axis(true, order, axis=-1)
    k = score.shape[-1]
    is_last = np.ones(score.shape, dtype=bool)
    np.not_equal(ranked[..., 1:], ranked[..., :-1], out=is_last[..., :-1])
    # the position of the last label with the same score
    last = np.where(is_last, np.arange(k), k)[..., ::-1]
    last = np.minimum.accumulate(last, axis=-1)[..., ::-1]
    found = np.take_along_axis(np.cumsum(is_true, axis=-1, dtype=np.float64), last, axis=-1)
    return RankedLabels(is_true, last + 1.0, found, weight)
