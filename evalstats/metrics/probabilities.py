"""Scores of probabilities: how much may one believe what a classifier says about its own certainty?

Every function takes the probability of the positive class, of shape (..., n), or of every class, of shape
(..., n, n_classes), with the columns in the sorted order of the classes.
"""

from __future__ import annotations

__all__ = [
    "PROBABILITY_METRICS",
    "CalibrationCurve",
    "brier_score_loss",
    "calibration_curve",
    "expected_calibration_error",
    "information_score",
    "log_loss",
    "relative_information_score",
    "root_mean_squared_error",
]

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._result import Record, unbatch
from evalstats._types import AnyArray, FloatArray, IndexArray
from evalstats.metrics.classes import (
    BOOLEANS,
    NUMBERS,
    Labels,
    class_codes,
    distinct,
    fits,
    given_classes,
    in_order,
    shown,
    understand,
)
from evalstats.metrics.positive_class import cases_of, one_is_usual
from evalstats.metrics.registry import Metric
from evalstats.metrics.sample_weight import understand_weight
from evalstats.metrics.undefined import fill_value, policy, report

STRATEGIES = ("uniform", "quantile")
EVENTS = ("auto", "positive", "predicted")

NO_WEIGHT = "no case has weight"
ONE_CLASS = "one class has the whole prior probability, so that there is nothing to learn, or no case has weight"

PROBABILITY_METRICS = {
    "brier": Metric(
        function="brier_score_loss",
        needs="probabilities",
        greater_is_better=False,
        range=(0.0, 2.0),
        symmetry=("relabel",),
        undefined_when=NO_WEIGHT,
        sklearn="brier_score_loss",
    ),
    "log_loss": Metric(
        function="log_loss",
        needs="probabilities",
        greater_is_better=False,
        range=(0.0, math.inf),
        symmetry=("relabel",),
        undefined_when=NO_WEIGHT,
        sklearn="log_loss",
    ),
    "root_mean_squared_error": Metric(
        function="root_mean_squared_error",
        needs="probabilities",
        greater_is_better=False,
        range=(0.0, math.sqrt(2)),
        symmetry=("relabel",),
        undefined_when=NO_WEIGHT,
        sklearn=None,
    ),
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
    "expected_calibration_error": Metric(
        function="expected_calibration_error",
        needs="probabilities",
        greater_is_better=False,
        range=(0.0, 1.0),
        symmetry=(),
        undefined_when=NO_WEIGHT,
        sklearn=None,
    ),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class CalibrationCurve(Record):
    """How often the event happens where a given probability is predicted; ``prob_true, prob_pred = curve`` works.

    Attributes
    ----------
    prob_true : ndarray of shape (..., n_bins)
        Share of the cases of each bin that are positive; nan where a bin is empty.
    prob_pred : ndarray of shape (..., n_bins)
        Mean predicted probability of the cases of each bin; nan where a bin is empty.
    weight : ndarray of shape (..., n_bins)
        Number of the cases in each bin, or the sum of their weights.
    edges : ndarray of shape (..., n_bins + 1)
        Limits of the bins. A bin holds its upper limit, the first one also its lower limit.
    strategy : str
        How the bins were made.
    """

    prob_true: FloatArray
    prob_pred: FloatArray
    weight: FloatArray
    edges: FloatArray
    strategy: str

    def _axes(self) -> tuple[str, ...]:
        return ("bin",)

    def __iter__(self) -> Iterator[FloatArray]:
        yield self.prob_true
        yield self.prob_pred


Classified = tuple[IndexArray, Sequence[Any]]


class Forecast(NamedTuple):
    """Class numbers (..., n), probabilities (..., n, k) and weights (..., n) that belong together.

    Two classes that came as one probability are the columns (negative, positive). `eps` is the precision of the
    probabilities as they were given; `classes` are the labels of the columns.
    """

    true: IndexArray
    proba: FloatArray
    weight: FloatArray | None
    eps: float
    classes: Sequence[Any]


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
    """Tell how far predicted probabilities are from what happened: the mean squared difference.

    It is a proper score: nobody can improve it by saying another probability than the one believed.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True classes; leading axes are a batch and broadcast.
    y_proba : array_like of shape (..., n) or (..., n, n_classes)
        Probability of the positive class, or of every class, the columns in the sorted order of the classes. Where
        a square array could be read both ways and has more axes than `y_true`, its columns are classes.
    sample_weight : array_like of shape (..., n), optional
        Weight of each case, 0 or more.
    pos_label : label, optional
        The positive class if `y_proba` has no columns. The default is 1 for labels 0 and 1 or -1 and 1, else the
        greater number, or the last of `labels`; text needs one of the two.
    labels : sequence, optional
        All classes, sorted; needed where some of them do not occur in `y_true`.
    scale_by_half : bool or 'auto', default: 'auto'
        Divide by 2, so that the worst value is 1 and not 2. ``'auto'`` does so for two classes only.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        What to do where no case has weight: an error; nan with one warning for the whole batch; nan; or 0.

    Returns
    -------
    float or ndarray of the leading shape
        Less is better.

    Raises
    ------
    ValueError
        If a probability lies outside of 0 and 1, those of a case do not sum to one, classes and columns do not fit,
        lengths differ, or a weight is negative.
    TypeError
        If labels are of different kinds, or the probabilities are not numbers.

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
    forecast = _forecast(y_true, y_proba, sample_weight, pos_label, labels)
    k = forecast.proba.shape[-1]
    halved = k == 2 if _checks.is_among(scale_by_half, ("auto",)) else _checks.boolean(scale_by_half, "scale_by_half")

    loss = _squared_distances(forecast) / (2 if halved else 1)

    return _mean(loss, forecast.weight, chosen, "brier_score_loss")


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
    """Tell how surprising the true classes are to who believes the predicted probabilities: cross-entropy, in nats.

    It is a proper score, and merciless: a class that happens although its probability was 0 costs as much as the
    precision of the numbers allows.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As in `brier_score_loss`. Probabilities are kept eps away from 0 and 1, with the eps of their own type:
        2.2e-16 for float64, 1.2e-07 for float32.
    normalize : bool, default: True
        The mean over the cases; False: the sum.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        As in `brier_score_loss`. A sum over nothing is 0 and always defined.

    Returns
    -------
    float or ndarray of the leading shape
        Less is better.

    Raises
    ------
    ValueError, TypeError
        As `brier_score_loss`.

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
    forecast = _forecast(y_true, y_proba, sample_weight, pos_label, labels)

    loss = -np.log(np.clip(_of_true_class(forecast), forecast.eps, 1 - forecast.eps))

    if not normalize:
        return unbatch(_sum(loss, forecast.weight))
    return _mean(loss, forecast.weight, chosen, "log_loss")


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
    """Tell how far predicted probabilities are from what happened, in the unit of a probability.

    For two classes it is the root of the mean of (f(x) - y)^2, where f(x) is the probability of the positive class
    and y is 1 or 0; for more, the squared differences of all classes are summed. It is the root of
    `brier_score_loss`.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As in `brier_score_loss`.
    divide_by_classes : bool, default: False
        Divide the sum over all classes by their number, as WEKA does, so that the worst value is less for more
        classes. For two classes it makes no difference.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        As in `brier_score_loss`.

    Returns
    -------
    float or ndarray of the leading shape
        Less is better.

    Raises
    ------
    ValueError, TypeError
        As `brier_score_loss`.

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
    forecast = _forecast(y_true, y_proba, sample_weight, pos_label, labels)
    k = forecast.proba.shape[-1]

    loss = _squared_distances(forecast) / (k if divide_by_classes or k == 2 else 1)

    return unbatch(np.sqrt(_mean(loss, forecast.weight, chosen, "root_mean_squared_error")))


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
    """Tell how many bits a classifier adds to what the class frequencies say, on average over the cases.

    A case counts ``-log2 P(y) + log2 P(y|x)`` where the probability given to its class is not less than the prior of
    that class, and ``-(-log2(1 - P(y)) + log2(1 - P(y|x)))``, which is negative, where it is less: the answer was
    misleading. To say the prior scores 0.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As in `brier_score_loss`.
    prior : array_like of shape (..., n_classes), optional
        Probability of each class before anything is known of the case, best from the training data, in the order of
        the columns; without columns: negative, positive. The default is the (weighted) share of each class in
        `y_true`.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        As in `brier_score_loss`; the score is also undefined where one class has the whole prior probability.

    Returns
    -------
    float or ndarray of the leading shape
        Bits; more is better.

    Raises
    ------
    ValueError
        As `brier_score_loss`, and if the prior of a class that occurs is 0.
    TypeError
        As `brier_score_loss`.

    Notes
    -----
    Probabilities of 0 and 1 need no special care: the logarithm of P(y|x) is taken only where it is at least the
    prior, that of 1 - P(y|x) only where P(y|x) is below the prior. Both are finite.

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
    forecast = _forecast(y_true, y_proba, sample_weight, pos_label, labels)

    bits, _ = _information(forecast, prior)

    return _filled(bits, chosen, "information_score", ONE_CLASS)


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
    """Tell which share of the uncertainty about the class a classifier removes: `information_score` over entropy.

    Parameters
    ----------
    y_true, y_proba, prior, sample_weight, pos_label, labels, undefined
        As in `information_score`; the entropy is that of the prior.

    Returns
    -------
    float or ndarray of the leading shape
        1 is perfect, 0 tells nothing, and below 0 the answers mislead. WEKA shows it times 100. With a prior from
        elsewhere perfection may differ from 1.

    Raises
    ------
    ValueError, TypeError
        As `information_score`.

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
    forecast = _forecast(y_true, y_proba, sample_weight, pos_label, labels)

    bits, prior_shares = _information(forecast, prior)
    share = bits / _entropy(prior_shares)

    return _filled(share, chosen, "relative_information_score", ONE_CLASS)


def calibration_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: Any = None,
    n_bins: int = 5,
    strategy: str = "uniform",
    sample_weight: ArrayLike | None = None,
) -> CalibrationCurve:
    """Tell how often the positive class occurs where a given probability is predicted.

    Where the two are equal, the classifier is calibrated: of the cases to which it gives 0.8, four in five are
    positive.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True classes, at most two; leading axes are a batch and broadcast.
    y_prob : array_like of shape (..., n)
        Probability of the positive class.
    pos_label : label, optional
        As in `brier_score_loss`.
    n_bins : int, default: 5
        Number of bins.
    strategy : {'uniform', 'quantile'}, default: 'uniform'
        Bins of equal width, or bins of about equally many cases, each problem with its own. Quantiles are those of
        the cases, whatever their weights.
    sample_weight : array_like of shape (..., n), optional
        Weight of each case, 0 or more.

    Returns
    -------
    CalibrationCurve
        ``prob_true`` and ``prob_pred`` of all bins, nan where a bin is empty; scikit-learn leaves these bins out.

    Raises
    ------
    ValueError, TypeError
        As `brier_score_loss`.

    Examples
    --------
    >>> from evalstats.metrics import calibration_curve
    >>> y_prob = [0.1, 0.2, 0.3, 0.4, 0.65, 0.7, 0.8, 0.9, 1.0]
    >>> prob_true, prob_pred = calibration_curve([0, 0, 0, 0, 1, 1, 1, 1, 1], y_prob, n_bins=3)
    >>> prob_true
    array([0. , 0.5, 1. ])
    >>> prob_pred
    array([0.2  , 0.525, 0.85 ])
    """
    n_bins = _checks.count(n_bins, "n_bins")
    strategy = _checks.choice(strategy, "strategy", STRATEGIES)
    forecast = _forecast(y_true, y_prob, sample_weight, pos_label, None, name="y_prob", columns=False)

    positive = forecast.true.astype(np.float64)
    bins = _bins(positive, forecast.proba[..., 1], forecast.weight, n_bins, strategy)

    with np.errstate(invalid="ignore"):
        return CalibrationCurve(
            prob_true=bins.happened / bins.weight,
            prob_pred=bins.predicted / bins.weight,
            weight=bins.weight,
            edges=bins.edges,
            strategy=strategy,
        )


def expected_calibration_error(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    n_bins: int = 15,
    strategy: str = "uniform",
    event: str = "auto",
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    undefined: str = "raise",
) -> Any:
    """Tell by how much predicted probabilities and frequencies differ, on average over the cases.

    The cases are put into bins by the probability of an event; the error is the mean over the cases of the absolute
    difference between the frequency of the event in the bin and the mean probability in the bin.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As in `brier_score_loss`.
    n_bins : int, default: 15
        Number of bins. The result depends on it: quote it.
    strategy : {'uniform', 'quantile'}, default: 'uniform'
        As in `calibration_curve`.
    event : {'auto', 'positive', 'predicted'}, default: 'auto'
        ``'positive'``: the case is positive (two classes only). ``'predicted'``: the class with the largest
        probability is right, so that only the confidence is judged (Guo et al. 2017). ``'auto'`` is ``'positive'``
        for two classes and ``'predicted'`` for more.
    undefined : {'raise', 'warn', 'nan', 'zero'}, default: 'raise'
        As in `brier_score_loss`.

    Returns
    -------
    float or ndarray of the leading shape
        Less is better. It is not a proper score: who always says the frequency of the class has none.

    Raises
    ------
    ValueError, TypeError
        As `brier_score_loss`.

    References
    ----------
    Naeini, M. P., Cooper, G. F. & Hauskrecht, M. (2015). Obtaining well calibrated probabilities using Bayesian
    binning. AAAI 29, 2901-2907.

    Guo, C., Pleiss, G., Sun, Y. & Weinberger, K. Q. (2017). On calibration of modern neural networks. ICML 34,
    1321-1330, eq. 3.

    Examples
    --------
    >>> from evalstats.metrics import expected_calibration_error
    >>> print(f"{expected_calibration_error([0, 0, 1, 1], [0.1, 0.1, 0.6, 0.9], n_bins=2):.4f}")
    0.1750
    """
    chosen = policy(undefined)
    n_bins = _checks.count(n_bins, "n_bins")
    strategy, event = _checks.choice(strategy, "strategy", STRATEGIES), _checks.choice(event, "event", EVENTS)
    forecast = _forecast(y_true, y_proba, sample_weight, pos_label, labels)

    happened, probability = _event(forecast, event)
    bins = _bins(happened, probability, forecast.weight, n_bins, strategy)
    with np.errstate(invalid="ignore"):
        error = np.abs(bins.happened - bins.predicted).sum(axis=-1) / bins.weight.sum(axis=-1)

    return _filled(error, chosen, "expected_calibration_error", NO_WEIGHT)


class _Bins(NamedTuple):
    """Sums over the cases of each bin, of shape (..., n_bins)."""

    happened: FloatArray
    predicted: FloatArray
    weight: FloatArray
    edges: FloatArray


def _bins(happened: FloatArray, predicted: FloatArray, weight: FloatArray | None, n: int, strategy: str) -> _Bins:
    w = np.ones(()) if weight is None else weight
    happened, predicted, w = np.broadcast_arrays(happened, predicted, w)
    batch = predicted.shape[:-1]
    if strategy == "uniform":
        edges = np.broadcast_to(np.linspace(0, 1, n + 1), (*batch, n + 1))
        which = np.searchsorted(edges[(0,) * len(batch)][1:-1], predicted)
    else:
        edges = np.moveaxis(np.percentile(predicted, np.linspace(0, 1, n + 1) * 100, axis=-1), 0, -1)
        which = np.empty(predicted.shape, dtype=np.intp)
        for at in np.ndindex(batch):
            which[at] = np.searchsorted(edges[at][1:-1], predicted[at])
    n_problems = math.prod(batch)
    cell = (which.reshape(n_problems, -1) + n * np.arange(n_problems)[:, None]).ravel()

    def total(values: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(cell, values.ravel(), n_problems * n), dtype=np.float64).reshape(*batch, n)

    return _Bins(total(w * happened), total(w * predicted), total(w), edges)


def _event(forecast: Forecast, event: str) -> tuple[FloatArray, FloatArray]:
    """Return whether the event happened in each case, and its probability."""
    k = forecast.proba.shape[-1]
    if event == "auto":
        event = "positive" if k == 2 else "predicted"
    if event == "predicted":
        happened = np.argmax(forecast.proba, axis=-1) == forecast.true
        return happened.astype(np.float64), forecast.proba.max(axis=-1)
    if k > 2:
        raise InvalidValueError(f"event='positive' needs two classes, but y_proba has {k} columns")
    return forecast.true.astype(np.float64), forecast.proba[..., 1]


def _squared_distances(forecast: Forecast) -> FloatArray:
    """Return the sum over the classes of the squared differences between probability and indicator: Brier (1950)."""
    k = forecast.proba.shape[-1]
    difference = forecast.proba - (forecast.true[..., None] == np.arange(k))
    squares: FloatArray = np.square(difference, out=difference).sum(axis=-1)
    return squares


def _of_true_class(forecast: Forecast) -> FloatArray:
    """Return the probability that was given to the class that is the true one."""
    shape = np.broadcast_shapes(forecast.true.shape, forecast.proba.shape[:-1])
    proba = np.broadcast_to(forecast.proba, (*shape, forecast.proba.shape[-1]))
    true = np.broadcast_to(forecast.true, shape)
    of_true: FloatArray = np.take_along_axis(proba, true[..., None], axis=-1)[..., 0]
    return of_true


def _information(forecast: Forecast, prior: Any) -> tuple[FloatArray, FloatArray]:
    """Return the mean information in bits, nan where it is undefined, and the prior: Kononenko & Bratko (1991)."""
    shares = _class_shares(forecast) if prior is None else _given_prior(prior, forecast)
    true = np.broadcast_to(forecast.true, np.broadcast_shapes(forecast.true.shape, (*shares.shape[:-1], 1)))
    before: FloatArray = np.take_along_axis(np.broadcast_to(shares, (*true.shape[:-1], shares.shape[-1])), true, -1)
    after = _of_true_class(forecast)
    counts = np.ones(1) if forecast.weight is None else forecast.weight
    if prior is not None and (never := np.argwhere((before == 0) & (counts > 0))).size:
        at = ", ".join(map(str, never[0]))
        raise InvalidValueError(f"the prior of every class that occurs must be above 0, but that of y_true[{at}] is 0")
    with np.errstate(divide="ignore", invalid="ignore"):
        useful = np.log2(after) - np.log2(before)
        misleading = np.log2(1 - before) - np.log2(1 - after)
        bits = np.where(after >= before, useful, misleading)
        mean = _average(np.where(counts > 0, bits, 0.0), forecast.weight)
    certain = (shares == 1).any(axis=-1)
    return np.where(certain, np.nan, mean), shares


def _class_shares(forecast: Forecast) -> FloatArray:
    k = forecast.proba.shape[-1]
    indicator = forecast.true[..., None, :] == np.arange(k)[:, None]
    weight = None if forecast.weight is None else forecast.weight[..., None, :]
    return _average(indicator.astype(np.float64), weight)


def _given_prior(prior: Any, forecast: Forecast) -> FloatArray:
    axis = "columns" if hasattr(prior, "columns") else "index"
    _labels.labels_agree(prior, "prior", forecast.classes, "the classes", axis=axis)
    shares, k = _probabilities(prior, "prior"), forecast.proba.shape[-1]
    if shares.ndim == 0 or shares.shape[-1] != k:
        raise InvalidValueError(
            f"prior must hold a probability for each of the {k} classes; its shape is {shares.shape}"
        )
    _sums_to_one(shares, "prior", forecast.eps)
    _batch_shape(y_true=forecast.true.shape[:-1], y_proba=forecast.proba.shape[:-2], prior=shares.shape[:-1])
    return shares


def _entropy(shares: FloatArray) -> FloatArray:
    """Return the entropy of class shares in bits."""
    entropy: FloatArray = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=-1)
    return np.where(entropy > 0, entropy, np.nan)


def _sum(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Sum over the cases, each problem in the same order whatever the batch."""
    weighted = np.ascontiguousarray(values if weight is None else values * weight)
    return np.asarray(weighted.sum(axis=-1), dtype=np.float64)


def _average(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Return the mean over the cases; nan where no case has weight."""
    if weight is None:
        return np.divide(_sum(values, None), values.shape[-1])
    # divided by the largest weight first: a sum of tiny or huge weights neither vanishes nor overflows
    largest = weight.max(axis=-1, keepdims=True)
    weight = weight / np.where(largest > 0, largest, 1)
    with np.errstate(invalid="ignore"):
        return np.divide(_sum(values, weight), _sum(weight, None))


def _mean(values: FloatArray, weight: FloatArray | None, chosen: str, function: str) -> Any:
    return _filled(_average(values, weight), chosen, function, NO_WEIGHT)


def _filled(scores: FloatArray, chosen: str, function: str, when: str) -> Any:
    """Give undefined scores, which are nan, the value that the policy says; scikit-learn has none."""
    undefined = np.isnan(scores)
    report(undefined, chosen, function=function, when=when, usual=math.nan)
    return unbatch(np.where(undefined, fill_value(chosen, math.nan), scores))


def _forecast(
    y_true: Any,
    y_proba: Any,
    sample_weight: Any,
    pos_label: Any,
    labels: Any,
    *,
    name: str = "y_proba",
    columns: bool = True,
) -> Forecast:
    """Return classes, probabilities and weights that belong together, or say what is wrong with them."""
    true = understand(y_true, "y_true")
    listed = None if labels is None else given_classes(labels, true.kind)
    proba = _probabilities(y_proba, name)
    eps = _precision(y_proba)
    n = true.array.shape[-1]
    with_columns = columns and _has_columns(proba, true.array)
    rows = (name,) if with_columns else ()
    _labels.same_labels(rows=rows, y_true=y_true, **{name: y_proba}, sample_weight=sample_weight)
    if with_columns:
        if proba.shape[-1] == 1:
            proba = proba[..., 0]
        else:
            _sums_to_one(proba, name, eps)
            codes, names = _class_numbers(true, proba.shape[-1], listed, pos_label, name)
            _labels.labels_agree(y_proba, name, names, "the classes", axis="columns")
            return Forecast(codes, proba, _weight(sample_weight, n, codes, proba.shape[:-1], name), eps, names)
    if proba.ndim == 0 or proba.shape[-1] != n:
        raise InvalidValueError(
            f"y_true and {name} must be paired: y_true has {n} labels, {name} has the shape {proba.shape}"
        )
    codes, names = _positive(true, listed, pos_label)
    weight = _weight(sample_weight, n, codes, proba.shape, name)
    return Forecast(codes, np.stack([1 - proba, proba], axis=-1), weight, eps, names)


def _has_columns(proba: AnyArray, true: AnyArray) -> bool:
    """Whether the last axis of the probabilities are the classes, and not the cases."""
    n = true.shape[-1]
    if proba.ndim < 2 or proba.shape[-2] != n:
        return False
    return proba.shape[-1] != n or proba.ndim > true.ndim


def _probabilities(value: Any, name: str) -> FloatArray:
    proba = _checks.finite(_checks.numbers(value, name), name)
    if proba.size == 0:
        raise InvalidValueError(f"{name} must hold at least one probability, but its shape is {proba.shape}")
    if proba.min() < 0 or proba.max() > 1:
        at = tuple(np.argwhere((proba < 0) | (proba > 1))[0])
        place = ", ".join(map(str, at))
        raise InvalidValueError(f"{name} must hold probabilities from 0 to 1, but {name}[{place}] is {proba[at]:.17g}")
    return proba


def _precision(y_proba: Any) -> float:
    dtype = np.asarray(y_proba).dtype
    return float(np.finfo(dtype if dtype.kind == "f" else np.float64).eps)


def _sums_to_one(proba: FloatArray, name: str, eps: float) -> None:
    """Refuse probabilities of a case that do not sum to one, to half of the digits of their type (scikit-learn)."""
    total = proba.sum(axis=-1)
    wrong = np.abs(total - 1) > math.sqrt(eps)
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        place = f"{name}[{', '.join(map(str, at))}]" if at else name
        raise InvalidValueError(
            f"the probabilities of the classes must sum to one, but those of {place} sum to {total[at]:.10g}; "
            "divide by their sum if they were rounded"
        )


def _class_numbers(true: Labels, k: int, listed: list[Any] | None, pos_label: Any, name: str) -> Classified:
    """Return the column of each true class, and the classes."""
    if pos_label is not None:
        raise InvalidValueError(
            f"pos_label={pos_label!r} needs the probability of one class, but {name} has {k} columns"
        )
    names = in_order(distinct(true)) if listed is None else _sorted_classes(listed)
    if len(names) != k:
        whose = "y_true" if listed is None else "labels"
        hint = "; labels must list all classes if some do not occur" if listed is None else ""
        raise InvalidValueError(
            f"{name} must have a column for each class: it has {k} columns, and {whose} holds {len(names)} "
            f"class{'' if len(names) == 1 else 'es'}, {shown(names)}{hint}"
        )
    return _codes(true, names), names


def _sorted_classes(listed: list[Any]) -> list[Any]:
    if listed != in_order(listed):
        raise InvalidValueError(
            f"labels must be sorted, as the columns of y_proba are in scikit-learn, not {shown(listed)}; "
            "sort labels and columns together"
        )
    return listed


def _positive(true: Labels, listed: list[Any] | None, pos_label: Any) -> Classified:
    """Return 1 for the positive class and 0 for the other one, and the classes, the positive one last."""
    names = distinct(true) | set(listed or ())
    if len(names) > 2:
        raise InvalidValueError(
            f"one probability for each case needs two classes, but there are {len(names)}: {shown(in_order(names))}"
        )
    if pos_label is None:
        pos_label = _positive_class(true.kind, names, listed)
    elif not fits(pos_label, true.kind) or (len(names) == 2 and not _checks.is_among(pos_label, names)):
        raise InvalidValueError(f"pos_label must be one of {shown(in_order(names))}, not {short(pos_label)}")
    return cases_of(true.array, pos_label).astype(np.intp), [*(names - {pos_label}), pos_label]


def _positive_class(kind: str, names: set[Any], listed: list[Any] | None) -> Any:
    if listed is not None and len(listed) == 2:
        return _sorted_classes(listed)[1]
    if kind in (NUMBERS, BOOLEANS):
        if one_is_usual(names):
            return 1
        if len(names) == 2:
            return max(names)
    raise InvalidValueError(
        f"pos_label must say which class is the positive one: y_true holds {shown(in_order(names))}"
    )


def _codes(true: Labels, names: Sequence[Any]) -> IndexArray:
    codes: IndexArray = class_codes(true, names).of((slice(None),) * true.array.ndim).astype(np.intp)
    return codes


def _weight(sample_weight: Any, n: int, true: AnyArray, proba_shape: tuple[int, ...], name: str) -> FloatArray | None:
    """Return the weights, once all leading axes are known to broadcast."""
    shapes = {"y_true": true.shape[:-1], name: proba_shape[:-1]}
    if sample_weight is None:
        _batch_shape(**shapes)
        return None
    weight = understand_weight(sample_weight, n)
    _batch_shape(**shapes, sample_weight=weight.shape[:-1])
    return weight


def _batch_shape(**shapes: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError as error:
        axes = ", ".join(map(str, shapes.values()))
        raise InvalidValueError(
            f"the leading axes of {', '.join(shapes)} must broadcast, but they are {axes}"
        ) from error
