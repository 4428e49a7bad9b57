"""How likely is a fold without positive cases, where recall and AUC are undefined?"""

from __future__ import annotations

__all__ = ["empty_fold_probability"]

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._result import unbatch
from evalstats._types import AnyArray, FloatArray
from evalstats.metrics.forman_scholz_exact import binomial_law

# two empty folds at once are then less likely than a rounding error of one
RARE = 1e-16


def empty_fold_probability(
    n_positive: ArrayLike, n_folds: int, *, fold_sizes: ArrayLike | None = None, n_trials: int = 1
) -> Any:
    """Tell how likely a fold without positives is when cases are dealt out at random, without stratification.

    Parameters
    ----------
    n_positive : int or array_like of int
        Positive cases of the dataset.
    n_folds : int
        Folds of the cross-validation.
    fold_sizes : array_like of shape (n_folds,), or int, optional
        Cases of each fold, or of all folds alike. Without it each positive case falls into any fold, whatever the
        others do (sampling with replacement): the limit for many cases, and for equal folds slightly too much.
    n_trials : int, default: 1
        Independent cross-validations in which it may happen: classes, datasets, repetitions.

    Returns
    -------
    float or ndarray
        Probability that in one trial at least some fold has no positive case.

    Raises
    ------
    ValueError
        If a number is too small, there are more positives than cases, or `fold_sizes` has another length.
    TypeError
        If a number is not whole.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57, Figure 9.

    Examples
    --------
    >>> from evalstats.metrics import empty_fold_probability
    >>> print(f"{empty_fold_probability(50, 10):.4f} {empty_fold_probability(50, 10, fold_sizes=100):.4f}")
    0.0509 0.0443
    >>> print(f"{empty_fold_probability(90, 10, n_trials=1000):.3f}")
    0.533
    """
    positives = _whole(n_positive, "n_positive", 0)
    n_folds = _checks.count(n_folds, "n_folds")
    n_trials = _checks.count(n_trials, "n_trials")
    sizes = None if fold_sizes is None else _sizes(fold_sizes, n_folds, int(positives.max()))

    once = np.array([_once(p, n_folds, sizes) for p in positives.ravel().tolist()])

    with np.errstate(divide="ignore"):  # a fold that is surely empty
        return unbatch(-np.expm1(n_trials * np.log1p(-once)).reshape(positives.shape))


def _once(n_positive: int, n_folds: int, sizes: AnyArray | None) -> float:
    """Return the probability that some fold gets no positive case.

    The folds' numbers of positives are independent, conditional on their total: Poisson, or binomial if the folds have
    sizes. Folds are added one by one, apart for "none of them is empty" and "some is": no term is ever subtracted.
    """
    if n_positive < n_folds:
        return 1.0
    expected = _expected(n_positive, n_folds, sizes)
    if expected < RARE:
        return expected
    none, some = np.zeros(n_positive + 1), np.zeros(n_positive + 1)
    none[0] = 1.0
    for law in _laws(n_positive, n_folds, sizes):
        some = np.convolve(some, law)[: n_positive + 1] + law[0] * none
        none = np.convolve(none, np.concatenate([[0.0], law[1:]]))[: n_positive + 1]
    return float(some[-1] / (some[-1] + none[-1]))


def _expected(n_positive: int, n_folds: int, sizes: AnyArray | None) -> float:
    """Return the expected number of empty folds."""
    if n_folds == 1:
        return 0.0
    if sizes is None:
        return n_folds * math.exp(n_positive * math.log1p(-1 / n_folds))
    n = int(sizes.sum())
    left = n - np.arange(n_positive)  # cases, as one positive after another finds its place
    alike = zip(*np.unique(sizes, return_counts=True), strict=True)
    return float(sum(count * np.exp(np.log1p(-size / left).sum()) for size, count in alike if n - size >= n_positive))


def _laws(n_positive: int, n_folds: int, sizes: AnyArray | None) -> list[FloatArray]:
    """Return for each fold the probabilities of 0, 1, ... positives before their total is known."""
    if sizes is None:
        mean = n_positive / n_folds
        count = np.arange(1, 40 + round(3 * mean))
        return [np.cumprod(np.concatenate([[math.exp(-mean)], mean / count]))] * n_folds
    by_size = {}
    for size in np.unique(sizes).tolist():
        first, law = binomial_law(size, n_positive / sizes.sum())
        by_size[size] = np.concatenate([np.zeros(first), law])
    return [by_size[size] for size in sizes.tolist()]


def _sizes(fold_sizes: Any, n_folds: int, n_positive: int) -> AnyArray:
    given = _whole(fold_sizes, "fold_sizes", 1)
    if given.shape not in ((), (n_folds,)):
        raise InvalidValueError(f"fold_sizes must be one number or {n_folds}, but its shape is {given.shape}")
    sizes = np.broadcast_to(given, n_folds)
    if n_positive > sizes.sum():
        raise InvalidValueError(f"n_positive must not exceed the {sizes.sum()} cases of all folds, but is {n_positive}")
    return sizes


def _whole(value: Any, name: str, minimum: int) -> AnyArray:
    return _checks.counts(value, name, minimum=minimum)
