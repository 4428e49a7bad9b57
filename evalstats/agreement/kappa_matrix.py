"""All pairs at once: how far does each of many labellings agree with each other beyond chance?"""

from __future__ import annotations

__all__ = ["cohen_kappa_matrix"]

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._types import AnyArray, FloatArray, IntArray
from evalstats.metrics.class_encoding import Codes, class_codes, distinct, given_classes, in_order, understand
from evalstats.metrics.counts import tally

Words = NDArray[np.uint64]

# words of one plane, and products of codes, that are handled at a time
WORDS_AT_A_TIME = 2**17
CODES_AT_A_TIME = 2**21

N_BITS = np.array([n.bit_count() for n in range(256)], dtype=np.uint8)


def cohen_kappa_matrix(y: ArrayLike, *, labels: Sequence[Any] | None = None, weights: str | None = None) -> FloatArray:
    """Tell how far each of many labellings agrees with each other beyond chance: Cohen's kappa of all pairs.

    The labellings may be the predictions of many classifiers for one test set. Only the estimates are computed, at a
    small part of the cost of calling `cohen_kappa` for each pair; for a standard error call that for the pairs that
    matter, or, for a moderate number of labellings, once with ``y[:, None]`` and ``y[None]``.

    Parameters
    ----------
    y : array_like of shape (n_classifiers, n)
        The labels that each classifier (row) gives to the same n cases (columns): whole numbers, booleans, text or
        other hashable objects, all of one kind.
    labels : sequence, optional
        All labels in their order; a label that is not listed is an error. Without it: all that occur in `y`, sorted.
        The order matters for weights only.
    weights : {None, 'linear', 'quadratic'}, default: None
        As in `cohen_kappa`. For a matrix of weights use that function.

    Returns
    -------
    ndarray of shape (n_classifiers, n_classifiers)
        Symmetric, with 1 on the diagonal; nan where both labellings are one and the same label throughout.

    Raises
    ------
    ValueError
        If `y` has not two axes, holds no labels, a label is missing or not listed, or an option is unknown.
    TypeError
        If labels are of different kinds, such as text and numbers.

    Notes
    -----
    The labels of 64 cases are packed into one word for each binary digit of their number, so that a few operations on
    words compare 64 cases; beyond `y` and the result that takes n_classifiers x n x log2(k) / 8 bytes. Linear weights
    take k - 1 planes instead of log2(k); quadratic ones are a matrix product.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20,
    37-46.

    Examples
    --------
    >>> from evalstats.agreement import cohen_kappa_matrix
    >>> cohen_kappa_matrix([["a", "a", "b", "b"], ["a", "a", "b", "c"], ["b", "b", "b", "b"]]).round(3)
    array([[1. , 0.6, 0. ],
           [0.6, 1. , 0. ],
           [0. , 0. , nan]])
    """
    understood = understand(y, "y")
    if understood.array.ndim != 2:
        raise InvalidValueError(
            f"y must have the shape (n_classifiers, n), a row for each labelling, but its shape is "
            f"{understood.array.shape}"
        )
    names = in_order(distinct(understood)) if labels is None else given_classes(labels, understood.kind)
    name = "unweighted" if weights is None else _checks.choice(weights, "weights", ("linear", "quadratic"))
    codes = class_codes(understood, names)

    n, k = understood.array.shape[1], len(names)
    observed = {"unweighted": _n_unequal, "linear": _n_steps, "quadratic": _squared_steps}[name](codes)
    steps = np.abs(np.subtract.outer(np.arange(float(k)), np.arange(float(k))))
    cost = {"unweighted": np.minimum(steps, 1), "linear": steps, "quadratic": steps**2}[name]
    totals = tally([codes]).astype(np.float64)
    by_chance = totals @ cost @ totals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(by_chance > 0, 1 - n * observed / by_chance, np.nan)


def _n_unequal(codes: Codes) -> FloatArray:
    """Count the cases that each pair labels differently: in any binary digit of the label's number."""
    n_digits = max((codes.size - 1).bit_length(), 1)
    return _n_different([_packed(codes, partial(np.bitwise_and, 1 << digit)) for digit in range(n_digits)])


def _n_steps(codes: Codes) -> FloatArray:
    """Sum the steps between the two labels of each case: the thresholds of which one label is below, one above."""
    total = np.zeros((codes.shape[0],) * 2)
    for threshold in range(1, codes.size):
        total += _n_different([_packed(codes, partial(np.less_equal, threshold))])
    return total


def _squared_steps(codes: Codes) -> FloatArray:
    """Sum the squared steps between the two labels of each case, from the products of their numbers."""
    n_classifiers, n = codes.shape
    products = np.zeros((n_classifiers, n_classifiers))
    step = max(CODES_AT_A_TIME // n_classifiers, 1)
    for start in range(0, n, step):
        part = codes.of((slice(None), slice(start, start + step))).astype(np.float64)
        products += part @ part.T
    squares = np.diagonal(products)
    return squares[:, np.newaxis] + squares - 2 * products


def _packed(codes: Codes, bit: Callable[[AnyArray], AnyArray]) -> Words:
    """Return one bit of each case, 64 cases to a word."""
    n_classifiers, n = codes.shape
    result = np.zeros((n_classifiers, -(-n // 64) * 8), dtype=np.uint8)
    for i in range(n_classifiers):
        bits = np.packbits(bit(codes.of((slice(i, i + 1), slice(None)))[0]))
        result[i, : len(bits)] = bits
    return result.view(np.uint64)


def _n_different(planes: Sequence[Words]) -> FloatArray:
    """Count, for each pair of rows, the bits that differ in any of the planes."""
    n_rows, n_words = planes[0].shape
    counts = np.zeros((n_rows, n_rows), dtype=np.int64)
    step = max(WORDS_AT_A_TIME // n_rows, 8)
    different, here = np.empty((2, n_rows, step), dtype=np.uint64)
    for start in range(0, n_words, step):
        parts = [np.ascontiguousarray(plane[:, start : start + step]) for plane in planes]
        width = parts[0].shape[1]
        for i in range(n_rows - 1):
            later = slice(0, n_rows - 1 - i), slice(0, width)
            any_plane = np.bitwise_xor(parts[0][i + 1 :], parts[0][i], out=different[later])
            for part in parts[1:]:
                any_plane |= np.bitwise_xor(part[i + 1 :], part[i], out=here[later])
            counts[i, i + 1 :] += _n_bits(any_plane)
    return (counts + counts.T).astype(np.float64)


def _n_bits(words: Words) -> IntArray:
    """Count the bits that are set in each row."""
    if hasattr(np, "bitwise_count"):
        return np.asarray(np.bitwise_count(words).sum(axis=-1, dtype=np.int64))
    bytes_of_words = np.ascontiguousarray(words).view(np.uint8)  # numpy 1
    return np.asarray(N_BITS[bytes_of_words].sum(axis=-1, dtype=np.int64))
