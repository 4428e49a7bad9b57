"""Confusion counts for batches and folds."""

from __future__ import annotations

__all__ = ["confusion_counts", "place_of", "whole_numbers", "whole_tables"]

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._types import AnyArray, IntArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import Codes, Labels
from evalstats.metrics.score_input import understand_weight

# 8 GiB of counts: if the labels are in fact identifiers, the table would fill the memory
LARGEST_RESULT = 2**30


class Pairs(NamedTuple):
    """Paired true and predicted labels, with their weights."""

    true: Labels
    predicted: Labels
    kind: str
    weight: AnyArray | None


def confusion_counts(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    n_classes: int | None = None,
    labels: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    fold: ArrayLike | None = None,
    n_folds: int | None = None,
) -> AnyArray:
    """Count how often each true class was predicted as each class, for batches and folds.

    Every score of hard labels is a formula of these counts (see `score_from_counts`). Counts can be added: the counts
    of the whole data are the sum of the counts of their parts.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (..., n)
        True and predicted labels of n instances: integers, booleans, text or other hashable objects, all of one type.
        Leading axes are batch dimensions and broadcast: ``y_true`` of shape (n,) matches predictions of shape (6, n) of
        six classifiers.
    n_classes : int, optional
        The classes are 0, 1, ..., n_classes - 1. With this argument, the function is fastest, because it does not
        search for the classes.
    labels : sequence, optional
        The classes, in the order of the rows. A label that is not listed raises an error. Without `n_classes` and
        `labels`, the classes are all labels that occur in `y_true` or `y_pred`, sorted.
    sample_weight : array_like of shape (..., n), optional
        Weight of each instance, 0 or more. The counts are then sums of weights. All weights may be zero.
    fold : array_like of shape (..., n), optional
        The fold (or group, or site) of each instance: integers or any other labels. Folds may differ in size. Leading
        axes broadcast, so each repeat of a cross-validation can have its own folds.
    n_folds : int, optional
        The folds are 0, 1, ..., n_folds - 1, and an empty fold has counts of zero. Default: all values in `fold`,
        sorted.

    Returns
    -------
    ndarray of shape (..., k, k), or (..., n_folds, k, k) with `fold`
        Rows are true classes, columns are predicted classes. The type is int64, or float64 with weights.

    Raises
    ------
    ValueError
        If the lengths differ, there are no instances, a label is missing or not among the classes, or a weight is
        negative or not finite.
    TypeError
        If labels have different types, such as text and numbers.

    Notes
    -----
    The function processes blocks that fit into the processor cache, so it needs little memory in addition to the input
    and the result. You can count the parts of a file separately, also on several machines. Use the same `labels` (or
    `n_classes`) and the same `n_folds` for each part, and add the results.

    Examples
    --------
    >>> from evalstats.metrics import confusion_counts
    >>> y_true = ["cat", "cat", "dog", "dog", "dog"]
    >>> y_pred = ["cat", "dog", "dog", "dog", "cat"]
    >>> confusion_counts(y_true, y_pred)
    array([[1, 1],
           [1, 2]])

    The first three instances are in one fold, and the last two are in a second fold:

    >>> confusion_counts(y_true, y_pred, fold=[0, 0, 0, 1, 1])
    array([[[1, 1],
            [0, 1]],
    <BLANKLINE>
           [[0, 0],
            [1, 1]]])
    """
    pairs = understand_pairs(y_true, y_pred, sample_weight, fold=fold)
    names = _classes(pairs, n_classes, labels)
    folds = fold_codes(fold, n_folds, pairs.true.array.shape[-1])

    keys = [*folds, classes.class_codes(pairs.true, names), classes.class_codes(pairs.predicted, names)]
    return tally(keys, pairs.weight)


def understand_pairs(
    y_true: Any,
    y_pred: Any,
    sample_weight: Any = None,
    *,
    names: tuple[str, str] = ("y_true", "y_pred"),
    fold: Any = None,
) -> Pairs:
    """Return true and predicted labels of one type and equal length, with weights that are at least 0."""
    _labels.same_labels(**{names[0]: y_true, names[1]: y_pred, "sample_weight": sample_weight, "fold": fold})
    true, predicted = classes.understand(y_true, names[0]), classes.understand(y_pred, names[1])
    n, m = true.array.shape[-1], predicted.array.shape[-1]
    if n != m:
        hint = (
            ""
            if predicted.array.ndim == 1 or n not in predicted.array.shape
            else "; the instances must be the last axis"
        )
        raise InvalidValueError(
            f"{names[0]} and {names[1]} must be paired: {names[0]} has {n} labels, {names[1]} has {m}{hint}"
        )
    kind = classes.same_kind(true, predicted)
    return Pairs(true, predicted, kind, None if sample_weight is None else understand_weight(sample_weight, n))


def present_classes(pairs: Pairs) -> list[Any]:
    """Return the labels that occur, true or predicted, sorted."""
    return classes.in_order(classes.distinct(pairs.true) | classes.distinct(pairs.predicted))


def tally(keys: Sequence[Codes], weight: AnyArray | None = None) -> AnyArray:
    """Count the instances along the last axis with each combination of codes: one new axis for each key.

    The codes are combined into one number, first key first, and a single `bincount` of each block counts all
    combinations.
    """
    shape = _broadcast(*(k.shape for k in keys), () if weight is None else weight.shape)
    sizes = tuple(k.size for k in keys)
    cells = math.prod(sizes)
    if math.prod(shape[:-1]) * cells > LARGEST_RESULT:
        tables = f"{math.prod(shape[:-1])} tables of {' x '.join(map(str, sizes))} cells"
        raise InvalidValueError(f"the counts would be {tables}, which do not fit into memory")
    counts = np.zeros((*shape[:-1], cells), dtype=np.int64 if weight is None else np.float64)
    for block in classes.blocks(shape, cells):
        joint = _joint_codes(keys, block)
        rows = counts[block[:-1]]
        if (n_rows := math.prod(rows.shape[:-1])) > 1:
            joint = joint + (np.arange(n_rows) * cells).reshape(*rows.shape[:-1], 1)
        weights = None
        if weight is not None:
            same_shape = (*rows.shape[:-1], joint.shape[-1])
            weights = np.broadcast_to(weight[classes.within(block, weight.shape)], same_shape).ravel()
        rows += np.bincount(joint.ravel(), weights, n_rows * cells).reshape(rows.shape)
    return counts.reshape(*shape[:-1], *sizes)


def _joint_codes(keys: Sequence[Codes], block: classes.Index) -> AnyArray:
    """Combine codes into one integer for each combination, in the type of the labels if it is large enough."""
    first, *others = keys
    joint, n = first.of(classes.within(block, first.shape)), first.size
    for key in others:
        codes = key.of(classes.within(block, key.shape))
        n *= key.size
        dtype = np.promote_types(codes.dtype, np.min_scalar_type(-n))
        joint = np.add(np.multiply(joint, key.size, dtype=dtype), codes, dtype=dtype)
    return joint


def _broadcast(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError as error:
        raise InvalidValueError(
            f"the leading axes must broadcast, but the shapes are {', '.join(map(str, shapes))}"
        ) from error


def _classes(pairs: Pairs, n_classes: int | None, labels: Sequence[Any] | None) -> Sequence[Any]:
    if n_classes is not None and labels is not None:
        raise InvalidValueError("n_classes and labels both specify the classes: pass only one of them")
    if n_classes is not None:
        if pairs.kind not in (classes.NUMBERS, classes.BOOLEANS):
            raise InvalidValueError(
                f"n_classes needs labels 0, 1, ..., but {pairs.true.name} holds {pairs.kind}: give labels instead"
            )
        return range(_checks.count(n_classes, "n_classes"))
    return present_classes(pairs) if labels is None else classes.given_classes(labels, pairs.kind)


def fold_codes(fold: Any, n_folds: int | None, n: int) -> list[Codes]:
    """Return the codes of the folds, or an empty list if there are no folds."""
    if fold is None:
        if n_folds is not None:
            raise InvalidValueError("n_folds needs fold, the fold of each instance")
        return []
    understood = classes.understand(fold, "fold")
    if understood.array.shape[-1] != n:
        raise InvalidValueError(
            f"fold must hold the fold of each of the {n} instances, but its shape is {understood.array.shape}"
        )
    if n_folds is None:
        return [classes.class_codes(understood, classes.in_order(classes.distinct(understood)))]
    return [classes.class_codes(understood, range(_checks.count(n_folds, "n_folds")))]


def whole_tables(counts: Any) -> IntArray:
    """Return square tables of integers of at least 0."""
    _labels.square_labels(counts, "counts", missing=0)
    tables = whole_numbers(counts, "counts")
    _checks.batch(tables, "counts")
    if tables.ndim < 2 or tables.shape[-1] != tables.shape[-2] or tables.size == 0:
        raise InvalidValueError(
            f"counts must have the shape (..., k, k) with k of 1 or more, but its shape is {tables.shape}"
        )
    return tables


def whole_numbers(value: Any, name: str) -> IntArray:
    """Return integers of at least 0."""
    numbers = _checks.finite(_checks.numbers(value, name), name)
    wrong = (numbers < 0) | (numbers != np.floor(numbers)) | (numbers > 2**53)
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        raise InvalidValueError(
            f"{name} must be nonnegative whole numbers, but {name}{place_of(at)} is {numbers[at]:.17g}"
        )
    return numbers.astype(np.int64)


def place_of(at: Any) -> str:
    """Format a position for a message, after the name of an array."""
    return f"[{', '.join(str(int(i)) for i in at)}]" if len(at) else ""
