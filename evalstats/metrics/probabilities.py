"""Scores of predicted probabilities.

Every function accepts probabilities of the positive class, of shape (..., n), or of all classes, of shape (..., n,
n_classes). The columns are in the sorted order of the classes.
"""

from __future__ import annotations

__all__ = ["PROBABILITY_METRICS", "brier_score_loss", "log_loss", "root_mean_squared_error"]

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._result import unbatch
from evalstats._types import FloatArray
from evalstats.metrics import score_input
from evalstats.metrics.formulas import policy
from evalstats.metrics.registry import Metric

PROBABILITY_METRICS = {
    "brier": Metric(
        function="brier_score_loss",
        needs="probabilities",
        greater_is_better=False,
        range=(0.0, 2.0),
        symmetry=("relabel",),
        undefined_when=score_input.NO_WEIGHT,
        sklearn="brier_score_loss",
    ),
    "log_loss": Metric(
        function="log_loss",
        needs="probabilities",
        greater_is_better=False,
        range=(0.0, math.inf),
        symmetry=("relabel",),
        undefined_when=score_input.NO_WEIGHT,
        sklearn="log_loss",
    ),
    "root_mean_squared_error": Metric(
        function="root_mean_squared_error",
        needs="probabilities",
        greater_is_better=False,
        range=(0.0, math.sqrt(2)),
        symmetry=("relabel",),
        undefined_when=score_input.NO_WEIGHT,
        sklearn=None,
    ),
}


def brier_score_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    scale_by_half: bool | str = "auto",
    undefined: str = "raise",
) -> Any:
    """Compute the Brier score: the mean squared difference between probabilities and outcomes.

    The Brier score is a proper scoring rule: the expected score is smallest for the true probabilities.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True classes. Leading axes are batch dimensions and broadcast.
    y_proba : array_like of shape (..., n) or (..., n, n_classes)
        Probability of the positive class, or of every class, with the columns in the sorted order of the classes. If it
        is ambiguous whether the last axis contains instances or classes, and `y_proba` has more axes than `y_true`, the
        last axis contains classes.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more.
    pos_label : label, optional
        The positive class if `y_proba` has no columns. Default: 1 for the labels 0 and 1 or -1 and 1. For other
        numbers, the default is the greater number, or the last of `labels`. For text, pass one of the two classes.
    labels : sequence, optional
        All classes, sorted. This argument is required if some classes do not occur in `y_true`.
    scale_by_half : bool or 'auto', default: 'auto'
        Divide by 2, so the worst value is 1 instead of 2. ``'auto'`` divides only for two classes.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do if no instance has a positive weight. ``'raise'``: an error. ``'warn'``: nan, with one warning for
        the whole batch. ``'nan'``: nan. ``'zero'``: 0.

    Returns
    -------
    float or ndarray of shape (...)
        Smaller is better.

    Raises
    ------
    ValueError
        If a probability is outside of [0, 1], or the probabilities of an instance do not sum to one. If classes and
        columns do not match, lengths differ, or a weight is negative.
    TypeError
        If labels have different types, or the probabilities are not numbers.

    References
    ----------
    Brier, G. W. (1950). Verification of forecasts expressed in terms of probability. Monthly Weather Review 78, 1-3.

    Examples
    --------
    >>> from evalstats.metrics import brier_score_loss
    >>> print(f"{brier_score_loss([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]):.4f}")
    0.0375

    Three classes:

    >>> y_proba = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.2, 0.2, 0.6]]
    >>> print(f"{brier_score_loss(['eggs', 'ham', 'spam'], y_proba, labels=['eggs', 'ham', 'spam']):.4f}")
    0.1467
    """
    chosen = policy(undefined)
    forecast = score_input.understand_forecast(y_true, y_proba, sample_weight, pos_label, labels)
    k = forecast.proba.shape[-1]
    halved = k == 2 if _checks.is_among(scale_by_half, ("auto",)) else _checks.boolean(scale_by_half, "scale_by_half")

    loss = _squared_distances(forecast) / (2 if halved else 1)

    return score_input.mean_score(loss, forecast.weight, chosen, "brier_score_loss")


def log_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the log loss (cross-entropy) of predicted probabilities, in nats.

    The log loss is a proper scoring rule without an upper bound. The loss of an instance whose true class has the
    predicted probability 0 depends only on the floating-point precision.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As in `brier_score_loss`. Probabilities are limited to [eps, 1 - eps], with the eps of their data type: 2.2e-16
        for float64, 1.2e-07 for float32.
    normalize : bool, default: True
        True: the mean over the instances. False: the sum.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        As in `brier_score_loss`. A sum over no instances is 0 and always defined.

    Returns
    -------
    float or ndarray of shape (...)
        Smaller is better.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `brier_score_loss`.

    References
    ----------
    Good, I. J. (1952). Rational decisions. Journal of the Royal Statistical Society B 14, 107-114.

    Examples
    --------
    >>> from evalstats.metrics import log_loss
    >>> y_proba = [[0.1, 0.9], [0.9, 0.1], [0.8, 0.2], [0.35, 0.65]]
    >>> print(f"{log_loss(['spam', 'ham', 'ham', 'spam'], y_proba):.5f}")
    0.21616
    """
    chosen = policy(undefined)
    normalize = _checks.boolean(normalize, "normalize")
    forecast = score_input.understand_forecast(y_true, y_proba, sample_weight, pos_label, labels)

    loss = -np.log(np.clip(score_input.of_true_class(forecast), forecast.eps, 1 - forecast.eps))

    if not normalize:
        return unbatch(score_input.weighted_sum(loss, forecast.weight))
    return score_input.mean_score(loss, forecast.weight, chosen, "log_loss")


def root_mean_squared_error(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    divide_by_classes: bool = False,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    undefined: str = "raise",
) -> Any:
    """Compute the root mean squared error of predicted probabilities.

    For two classes, the error is the square root of the mean of (f(x) - y)^2. Here, f(x) is the probability of the
    positive class and y is 1 or 0. For more classes, the squared differences of all classes are summed. The error is
    the square root of `brier_score_loss`.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As in `brier_score_loss`.
    divide_by_classes : bool, default: False
        Divide the sum over all classes by the number of classes, as WEKA does. The worst value is then smaller for more
        classes. For two classes, this option has no effect.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        As in `brier_score_loss`.

    Returns
    -------
    float or ndarray of shape (...)
        Smaller is better.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `brier_score_loss`.

    References
    ----------
    Japkowicz, N. & Shah, M. (2011). Evaluating Learning Algorithms. Cambridge University Press.

    Examples
    --------
    >>> from evalstats.metrics import root_mean_squared_error
    >>> print(f"{root_mean_squared_error([1, 0, 1, 0, 1], [0.95, 0.6, 0.8, 0.75, 0.9]):.4f}")
    0.4416
    """
    chosen = policy(undefined)
    divide_by_classes = _checks.boolean(divide_by_classes, "divide_by_classes")
    forecast = score_input.understand_forecast(y_true, y_proba, sample_weight, pos_label, labels)
    k = forecast.proba.shape[-1]

    loss = _squared_distances(forecast) / (k if divide_by_classes or k == 2 else 1)

    return unbatch(np.sqrt(score_input.mean_score(loss, forecast.weight, chosen, "root_mean_squared_error")))


def _squared_distances(forecast: score_input.Forecast) -> FloatArray:
    """Return the sum over the classes of the squared differences between probability and indicator: Brier (1950)."""
    k = forecast.proba.shape[-1]
    difference = forecast.proba - (forecast.true[..., None] == np.arange(k))
    squares: FloatArray = np.square(difference, out=difference).sum(axis=-1)
    return squares
