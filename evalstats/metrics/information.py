"""Information scores: the information, in bits, that the predictions of a classifier add to the class proportions."""

from __future__ import annotations

__all__ = ["INFORMATION_METRICS", "information_score", "relative_information_score"]

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _labels
from evalstats._errors import InvalidValueError
from evalstats._types import FloatArray
from evalstats.metrics import score_input
from evalstats.metrics.formulas import policy
from evalstats.metrics.registry import Metric

ONE_CLASS = "one class has the prior probability 1, or no instance has weight"

INFORMATION_METRICS = {
    "information": Metric(
        function="information_score",
        needs="probabilities",
        greater_is_better=True,
        range=(-math.inf, math.inf),
        symmetry=("relabel",),
        undefined_when=ONE_CLASS,
        sklearn=None,
    ),
    "relative_information": Metric(
        function="relative_information_score",
        needs="probabilities",
        greater_is_better=True,
        range=(-math.inf, math.inf),
        symmetry=("relabel",),
        undefined_when=ONE_CLASS,
        sklearn=None,
    ),
}


def information_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    prior: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the information score: the mean information in bits that a classifier adds to the priors.

    The score of an instance is ``-log2 P(y) + log2 P(y|x)`` if the probability of its class is at least the prior of
    this class. Otherwise, the score is ``-(-log2(1 - P(y)) + log2(1 - P(y|x)))``. This score is negative, because the
    prediction is misleading. A prediction that equals the prior has the score 0.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As in `brier_score_loss`.
    prior : array_like of shape (..., n_classes), optional
        Prior probability of each class, preferably from the training data, in the order of the columns. If the
        probabilities have no columns, the order is negative class, positive class. Default: the (weighted) proportion
        of each class in `y_true`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        As in `brier_score_loss`. The score is also undefined if one class has a prior probability of 1.

    Returns
    -------
    float or ndarray of shape (...)
        The score in bits. Greater is better.

    Raises
    ------
    ValueError
        Under the same conditions as `brier_score_loss`, and if the prior of a class that occurs is 0.
    TypeError
        Under the same conditions as `brier_score_loss`.

    Notes
    -----
    Probabilities of 0 and 1 have finite scores. The logarithm of P(y|x) is computed only if P(y|x) is at least the
    prior. The logarithm of 1 - P(y|x) is computed only if P(y|x) is below the prior. Therefore, the computed logarithm
    is always finite.

    References
    ----------
    Kononenko, I. & Bratko, I. (1991). Information-based evaluation criterion for classifier's performance. Machine
    Learning 6, 67-80.

    Examples
    --------
    >>> from evalstats.metrics import information_score
    >>> print(f"{information_score([1, 0, 1, 0, 1], [0.95, 0.6, 0.8, 0.75, 0.9]):.4f}")
    0.2682
    """
    chosen = policy(undefined)
    forecast = score_input.understand_forecast(y_true, y_proba, sample_weight, pos_label, labels)

    bits, _ = _information(forecast, prior)

    return score_input.filled_score(bits, chosen, "information_score", ONE_CLASS)


def relative_information_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    prior: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the relative information score: the fraction of the entropy that a classifier removes.

    Parameters
    ----------
    y_true, y_proba, prior, sample_weight, pos_label, labels, undefined
        As in `information_score`. The entropy is computed from the prior.

    Returns
    -------
    float or ndarray of shape (...)
        The value 1 means perfect predictions, 0 means no additional information, and negative values mean misleading
        predictions. WEKA reports this score multiplied by 100. With a prior from other data, the perfect score may
        differ from 1.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `information_score`.

    References
    ----------
    Kononenko, I. & Bratko, I. (1991). Information-based evaluation criterion for classifier's performance. Machine
    Learning 6, 67-80.

    Examples
    --------
    >>> from evalstats.metrics import relative_information_score
    >>> print(f"{relative_information_score([1, 0, 1, 0, 1], [0.95, 0.6, 0.8, 0.75, 0.9]):.4f}")
    0.2762
    """
    chosen = policy(undefined)
    forecast = score_input.understand_forecast(y_true, y_proba, sample_weight, pos_label, labels)

    bits, prior_shares = _information(forecast, prior)
    share = bits / _entropy(prior_shares)

    return score_input.filled_score(share, chosen, "relative_information_score", ONE_CLASS)


def _information(forecast: score_input.Forecast, prior: Any) -> tuple[FloatArray, FloatArray]:
    """Return the mean information in bits, nan if it is undefined, and the prior: Kononenko & Bratko (1991)."""
    shares = _class_shares(forecast) if prior is None else _given_prior(prior, forecast)
    true = np.broadcast_to(forecast.true, np.broadcast_shapes(forecast.true.shape, (*shares.shape[:-1], 1)))
    before: FloatArray = np.take_along_axis(np.broadcast_to(shares, (*true.shape[:-1], shares.shape[-1])), true, -1)
    after = score_input.of_true_class(forecast)
    counts = np.ones(1) if forecast.weight is None else forecast.weight
    if prior is not None and (never := np.argwhere((before == 0) & (counts > 0))).size:
        at = ", ".join(map(str, never[0]))
        raise InvalidValueError(
            f"the prior of every class that occurs must be above 0, but the prior of y_true[{at}] is 0"
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        useful = np.log2(after) - np.log2(before)
        misleading = np.log2(1 - before) - np.log2(1 - after)
        bits = np.where(after >= before, useful, misleading)
        mean = score_input.weighted_mean(np.where(counts > 0, bits, 0.0), forecast.weight)
    certain = (shares == 1).any(axis=-1)
    return np.where(certain, np.nan, mean), shares


def _class_shares(forecast: score_input.Forecast) -> FloatArray:
    k = forecast.proba.shape[-1]
    indicator = forecast.true[..., None, :] == np.arange(k)[:, None]
    weight = None if forecast.weight is None else forecast.weight[..., None, :]
    return score_input.weighted_mean(indicator.astype(np.float64), weight)


def _given_prior(prior: Any, forecast: score_input.Forecast) -> FloatArray:
    axis = "columns" if hasattr(prior, "columns") else "index"
    _labels.labels_agree(prior, "prior", forecast.classes, "the classes", axis=axis)
    shares, k = score_input.understand_probabilities(prior, "prior"), forecast.proba.shape[-1]
    if shares.ndim == 0 or shares.shape[-1] != k:
        raise InvalidValueError(
            f"prior must hold a probability for each of the {k} classes, but its shape is {shares.shape}"
        )
    score_input.check_sums(shares, "prior", forecast.eps)
    score_input.batch_shape(y_true=forecast.true.shape[:-1], y_proba=forecast.proba.shape[:-2], prior=shares.shape[:-1])
    return shares


def _entropy(shares: FloatArray) -> FloatArray:
    """Return the entropy of class proportions in bits."""
    entropy: FloatArray = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=-1)
    return np.where(entropy > 0, entropy, np.nan)
