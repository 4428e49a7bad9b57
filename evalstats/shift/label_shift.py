"""Estimation of class proportions in new unlabeled data under label shift."""

from __future__ import annotations

__all__ = ["LabelShift", "estimate_label_shift"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._result import ConfidenceInterval, Record
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics import confusion_counts

SINGULAR = "two classes have the same distribution of predictions, so their proportions cannot be distinguished"
# above this condition number, the inverse has no correct digits
WORST_CONDITION = 1e10


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelShift(Record):
    """Result of `estimate_label_shift`.

    Attributes
    ----------
    labels : tuple
        The classes, in the order of the arrays.
    proportions : ndarray of shape (c,)
        Estimated proportion of each class in the new data. The proportions are nonnegative with the sum 1, or nan if
        there is a `reason`.
    source_proportions : ndarray of shape (c,)
        Proportion of each class in the labeled data.
    weights : ndarray of shape (c,)
        ``proportions / source_proportions``: the weights of the instances of each class. A weighted score on the
        labeled data estimates the score on the new data.
    predicted_proportions, source_predicted_proportions : ndarray of shape (c,)
        Proportion of predictions of each class in the new data and in the labeled data.
    raw_weights : ndarray of shape (c,)
        The weights before negative values were set to 0 and the weights were rescaled.
    condition : float
        Condition number of the matrix with the joint proportions of true and predicted classes. The larger the
        condition number, the more the noise is amplified.
    pvalue : float
        p-value of the chi-squared test. The null hypothesis is that the predictions have the same distribution
        in both datasets. A large p-value means that the predictions show no evidence of a shift.
    n_source, n_new : int
        Numbers of labeled and of new instances.
    n_resamples : int
        Number of bootstrap samples.
    seed : int or None
        Seed of the bootstrap samples, or None if `rng` was a Generator.
    reason : str or None
        A sentence if the proportions cannot be estimated, otherwise None.
    """

    labels: tuple[Any, ...]
    proportions: FloatArray
    source_proportions: FloatArray
    weights: FloatArray
    predicted_proportions: FloatArray
    source_predicted_proportions: FloatArray
    raw_weights: FloatArray
    condition: float
    pvalue: float
    n_source: int
    n_new: int
    n_resamples: int
    seed: int | None
    reason: str | None
    _replicates: FloatArray

    def _axes(self) -> tuple[str, ...]:
        return ("label",)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a percentile bootstrap interval for each proportion.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval.

        Returns
        -------
        ConfidenceInterval
            Limits of shape (c,).

        Examples
        --------
        >>> from evalstats.shift import estimate_label_shift
        >>> found = estimate_label_shift([0] * 50 + [1] * 50, [0] * 40 + [1] * 55 + [0] * 5, [0] * 80 + [1] * 120)
        >>> low, high = found.confidence_interval()
        >>> low.round(1), high.round(1)
        (array([0.3, 0.4]), array([0.6, 0.7]))
        """
        level = _checks.confidence_level(confidence_level)
        low, high = np.quantile(self._replicates, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=level, seed=self.seed)


def estimate_label_shift(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    y_pred_new: ArrayLike,
    *,
    labels: Sequence[Any] | None = None,
    n_resamples: int = 999,
    rng: Any = None,
) -> LabelShift:
    """Estimate the class proportions in new unlabeled data from the predictions of a classifier.

    The method (black box shift estimation) assumes label shift: only the class proportions have changed, not the
    distribution within each class. The confusion matrix of the labeled data then shows how often each class is
    predicted for each true class. The new class proportions follow from this matrix and the predictions for the new
    data.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (n,)
        True and predicted labels of instances on which the classifier was not trained.
    y_pred_new : array_like of shape (m,)
        Predicted labels of the new instances.
    labels : sequence, optional
        The classes in the desired order. None: all labels that occur, sorted.
    n_resamples : int, default: 999
        Number of bootstrap samples of both datasets for the interval.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    LabelShift

    Raises
    ------
    ValueError
        If lengths differ, there are no instances, or a class has no labeled instance.
    TypeError
        If labels have different types, or an argument has the wrong type.

    References
    ----------
    Lipton, Z. C., Wang, Y.-X. & Smola, A. J. (2018). Detecting and correcting for label shift with black box
    predictors. ICML, 3122-3130.

    Examples
    --------
    A classifier predicts 80% of the instances of each class correctly. It predicts the class ill for 62% of the
    new instances:

    >>> from evalstats.shift import estimate_label_shift
    >>> y_true = ["well"] * 500 + ["ill"] * 500
    >>> y_pred = ["well"] * 400 + ["ill"] * 100 + ["ill"] * 400 + ["well"] * 100
    >>> found = estimate_label_shift(y_true, y_pred, ["ill"] * 62 + ["well"] * 38)
    >>> found.labels, found.proportions.round(3), found.weights.round(2)
    (('ill', 'well'), array([0.7, 0.3]), array([1.4, 0.6]))
    """
    n_resamples, source = _checks.resampling(n_resamples, rng, minimum=0)
    names = _classes(y_true, y_pred, y_pred_new) if labels is None else _checks.listed(labels, "labels", "labels")
    table = confusion_counts(y_true, y_pred, labels=names).astype(np.float64)
    new = np.diagonal(confusion_counts(y_pred_new, y_pred_new, labels=names)).astype(np.float64)
    if table.ndim != 2 or new.ndim != 1:
        raise InvalidValueError("y_true, y_pred and y_pred_new must have one axis; pass one classifier at a time")
    if not table.sum(axis=1).all():
        missing = names[int(np.argmin(table.sum(axis=1)))]
        raise InvalidValueError(f"y_true must have an instance of every class, but it has none of {short(missing)}")

    n, m = float(table.sum()), float(new.sum())
    joint = table.T / n  # rows are predicted classes, columns are true classes
    condition = float(np.linalg.cond(joint))
    raw, proportions = _solve(joint[None], (new / m)[None])
    is_singular = not condition < WORST_CONDITION
    if is_singular:
        raw, proportions = np.full_like(raw, np.nan), np.full_like(proportions, np.nan)
    return LabelShift(
        labels=tuple(names),
        proportions=proportions[0],
        source_proportions=table.sum(axis=1) / n,
        weights=proportions[0] / (table.sum(axis=1) / n),
        predicted_proportions=new / m,
        source_predicted_proportions=table.sum(axis=0) / n,
        raw_weights=raw[0],
        condition=condition,
        pvalue=_pvalue(table.sum(axis=0), new),
        n_source=int(n),
        n_new=int(m),
        n_resamples=n_resamples,
        seed=source.seed,
        reason=SINGULAR if is_singular else None,
        _replicates=_replicates(table, new, n_resamples, source.generator(), proportions[0]),
    )


def _classes(*of: Any) -> list[Any]:
    """Return all labels that occur, sorted."""
    from evalstats.metrics import class_encoding as classes

    understood = [
        classes.understand(value, name) for value, name in zip(of, ("y_true", "y_pred", "y_pred_new"), strict=True)
    ]
    classes.same_kind(understood[0], understood[1])
    classes.same_kind(understood[0], understood[2])
    found: list[Any] = classes.in_order(set().union(*(classes.distinct(one) for one in understood)))
    return found


def _solve(joint: FloatArray, predicted: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Solve for the weights in many samples at once; return the weights and nonnegative proportions with sum 1."""
    raw = np.einsum("bij,bj->bi", np.linalg.pinv(joint), predicted)
    proportions = np.maximum(raw, 0.0) * joint.sum(axis=1)
    total = proportions.sum(axis=1, keepdims=True)
    return raw, np.divide(proportions, total, out=np.full_like(proportions, np.nan), where=total > 0)


def _replicates(
    table: FloatArray, new: FloatArray, n_resamples: int, generator: np.random.Generator, proportions: FloatArray
) -> FloatArray:
    """Return the proportions in bootstrap samples, in which each class keeps its number of labeled instances."""
    if n_resamples == 0 or np.isnan(proportions).any():
        return np.full((1, len(new)), np.nan)
    totals = table.sum(axis=1)
    drawn = np.stack(
        [
            generator.multinomial(int(total), row / total, size=n_resamples)
            for row, total in zip(table, totals, strict=True)
        ],
        axis=1,
    )
    joint = np.swapaxes(drawn, 1, 2) / totals.sum()
    predicted = generator.multinomial(int(new.sum()), new / new.sum(), size=n_resamples) / new.sum()
    return _solve(joint, predicted)[1]


def _pvalue(before: FloatArray, after: FloatArray) -> float:
    """Return the p-value of the chi-squared homogeneity test of the predicted classes."""
    from scipy.stats import chi2

    counts = np.array([before, after])[:, (before + after) > 0]
    if counts.shape[1] < 2:
        return 1.0
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    return float(tails.as_pvalue(chi2.sf(((counts - expected) ** 2 / expected).sum(), counts.shape[1] - 1)))
