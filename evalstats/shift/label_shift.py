"""Which classes has the new data, if only their shares have changed? An answer without a single new label."""

from __future__ import annotations

__all__ = ["LabelShift", "estimate_label_shift"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._result import ConfidenceInterval, Record
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics import confusion_counts

SINGULAR = "the classifier predicts two classes alike, so that their shares cannot be told apart"
# beyond this condition number the inverse has no digits
WORST_CONDITION = 1e10


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelShift(Record):
    """What `estimate_label_shift` returns.

    Attributes
    ----------
    labels : tuple
        The classes, in the order of the arrays.
    shares : ndarray of shape (c,)
        Estimated share of each class in the new data: not negative, sum 1; nan where `reason` says why.
    source_shares : ndarray of shape (c,)
        Share of each class in the labelled data.
    weights : ndarray of shape (c,)
        ``shares / source_shares``: what a case of each class counts for, in a score of the labelled data that shall
        hold for the new data.
    predicted_shares, source_predicted_shares : ndarray of shape (c,)
        How often each class is predicted in the new data, and in the labelled data.
    raw_weights : ndarray of shape (c,)
        The weights before they were cut at 0 and rescaled.
    condition : float
        Condition number of the joint shares of true and predicted classes: the larger, the more noise is enlarged.
    pvalue : float
        Of the hypothesis that predictions have the same distribution in both (chi-squared): without it, nothing has
        shifted as far as this classifier sees.
    n_source, n_new : int
        Numbers of cases.
    n_resamples : int
        Number of bootstrap samples.
    seed : int or None
        Seed of the samples; None where `rng` was a Generator.
    reason : str or None
        None, or a sentence when the shares cannot be told.
    """

    labels: tuple[Any, ...]
    shares: FloatArray
    source_shares: FloatArray
    weights: FloatArray
    predicted_shares: FloatArray
    source_predicted_shares: FloatArray
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
        """Return the percentile bootstrap interval of each share.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            The interval covers the true value about this often.

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
    """Estimate how frequent each class is in new data without labels, from what a classifier predicts there.

    It is assumed that the classes themselves have not changed (label shift): a new case of a class looks as a case of
    it did before, only the shares of the classes are others. Then the confusion matrix of labelled data tells how often
    each class is predicted for each share, and the shares follow from the predictions: black box shift estimation.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (n,)
        True and predicted labels of cases that the classifier was not trained on.
    y_pred_new : array_like of shape (m,)
        Predicted labels of the new cases.
    labels : sequence, optional
        The classes in the order wanted; by default all labels that occur, sorted.
    n_resamples : int, default: 999
        Number of bootstrap samples, of both sets of cases, for the interval.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is.

    Returns
    -------
    LabelShift

    Raises
    ------
    ValueError
        If lengths differ, there are no cases, or a class has no labelled case.
    TypeError
        If labels are of different kinds, or an argument has the wrong type.

    References
    ----------
    Lipton, Z. C., Wang, Y.-X. & Smola, A. J. (2018). Detecting and correcting for label shift with black box
    predictors. ICML, 3122-3130.

    Examples
    --------
    A classifier that is right in 80% of either class; of the new cases it calls 62% ill:

    >>> from evalstats.shift import estimate_label_shift
    >>> y_true = ["well"] * 500 + ["ill"] * 500
    >>> y_pred = ["well"] * 400 + ["ill"] * 100 + ["ill"] * 400 + ["well"] * 100
    >>> found = estimate_label_shift(y_true, y_pred, ["ill"] * 62 + ["well"] * 38)
    >>> found.labels, found.shares.round(3), found.weights.round(2)
    (('ill', 'well'), array([0.7, 0.3]), array([1.4, 0.6]))
    """
    n_resamples = _checks.count(n_resamples, "n_resamples", minimum=0)
    source = _checks.random_source(rng)
    names = _classes(y_true, y_pred, y_pred_new) if labels is None else _checks.listed(labels, "labels", "labels")
    table = confusion_counts(y_true, y_pred, labels=names).astype(np.float64)
    new = np.diagonal(confusion_counts(y_pred_new, y_pred_new, labels=names)).astype(np.float64)
    if table.ndim != 2:
        raise InvalidValueError("y_true and y_pred must have one axis; take one classifier at a time")
    if not table.sum(axis=1).all():
        missing = names[int(np.argmin(table.sum(axis=1)))]
        raise InvalidValueError(f"y_true must have a case of every class, but it has none of {missing!r}")

    n, m = float(table.sum()), float(new.sum())
    joint = table.T / n  # rows are predicted, columns true
    condition = float(np.linalg.cond(joint))
    raw, shares = _solve(joint[None], (new / m)[None])
    is_singular = not condition < WORST_CONDITION
    if is_singular:
        raw, shares = np.full_like(raw, np.nan), np.full_like(shares, np.nan)
    return LabelShift(
        labels=tuple(names),
        shares=shares[0],
        source_shares=table.sum(axis=1) / n,
        weights=shares[0] / (table.sum(axis=1) / n),
        predicted_shares=new / m,
        source_predicted_shares=table.sum(axis=0) / n,
        raw_weights=raw[0],
        condition=condition,
        pvalue=_pvalue(table.sum(axis=0), new),
        n_source=int(n),
        n_new=int(m),
        n_resamples=n_resamples,
        seed=source.seed,
        reason=SINGULAR if is_singular else None,
        _replicates=_replicates(table, new, n_resamples, source.generator(), shares[0]),
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
    """Return the raw weights, and shares that are not negative and sum to 1, of many problems at once."""
    raw = np.einsum("bij,bj->bi", np.linalg.pinv(joint), predicted)
    shares = np.maximum(raw, 0.0) * joint.sum(axis=1)
    total = shares.sum(axis=1, keepdims=True)
    return raw, np.divide(shares, total, out=np.full_like(shares, np.nan), where=total > 0)


def _replicates(
    table: FloatArray, new: FloatArray, n_resamples: int, generator: np.random.Generator, shares: FloatArray
) -> FloatArray:
    """Return the shares in bootstrap samples of labelled and of new cases; each class keeps its number of cases."""
    if n_resamples == 0 or np.isnan(shares).any():
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
    """Compare the numbers of predictions of each class by the chi-squared test of homogeneity."""
    from scipy.stats import chi2

    counts = np.array([before, after])[:, (before + after) > 0]
    if counts.shape[1] < 2:
        return 1.0
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    return float(tails.as_pvalue(chi2.sf(((counts - expected) ** 2 / expected).sum(), counts.shape[1] - 1)))
