"""Validation of rankings: positive instances, scores, weights and folds."""

from __future__ import annotations

__all__ = [
    "Folds",
    "Rankings",
    "paired_rankings",
    "understand_folds",
    "understand_rankings",
    "understand_scores",
]

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import BLOCK, positive_cases
from evalstats.metrics.sample_weight import near_one, understand_weight


class Folds(NamedTuple):
    """Assignment of instances to folds; the leading axes of `shape` are the axes of `fold`.

    `order` lists the instances fold by fold, as positions in the flattened array (None: they are already in this
    order); the instances of fold number i of all rows are ``order[starts[i]:starts[i] + sizes[i]]``.
    """

    shape: tuple[int, ...]
    names: Sequence[Any]
    order: IndexArray | None
    starts: IndexArray
    sizes: IndexArray

    def cases(self, row: int, fold: int) -> IndexArray:
        """Return the positions, within a row, of the instances of one of its folds."""
        number = row * len(self.names) + fold
        places = self.starts[number] + np.arange(self.sizes[number])
        positions: IndexArray = (places if self.order is None else self.order[places]) - row * self.shape[-1]
        return positions


class Rankings(NamedTuple):
    """Which instances are positive, and their scores, weights and folds; leading axes broadcast to `batch`."""

    positive: BoolArray
    score: AnyArray
    weight: FloatArray | None
    folds: Folds | None
    batch: tuple[int, ...]


def understand_rankings(
    y_true: Any,
    y_score: Any,
    pos_label: Any,
    sample_weight: Any,
    fold: Any = None,
    n_folds: int | None = None,
    *,
    name: str = "y_score",
) -> Rankings:
    """Validate two classes of instances with one score, weight and fold for each."""
    _labels.same_labels(**{"y_true": y_true, name: y_score, "sample_weight": sample_weight, "fold": fold})
    positive = positive_cases(classes.understand(y_true, "y_true"), pos_label)
    return paired_rankings(
        positive, understand_scores(y_score, name), sample_weight, understand_folds(fold, n_folds), name
    )


def understand_scores(y_score: Any, name: str = "y_score") -> AnyArray:
    """Return finite scores; single precision is kept to save memory."""
    single = isinstance(y_score, np.ndarray) and y_score.dtype == np.float32
    score = y_score if single else _checks.numbers(y_score, name)
    if score.ndim == 0 or score.size == 0:
        raise InvalidValueError(f"{name} must hold at least one score, but its shape is {score.shape}")
    return _checks.finite(score, name)


def understand_folds(fold: Any, n_folds: int | None) -> Folds | None:
    """Return the instances of each fold, or None without folds."""
    if fold is None:
        if n_folds is not None:
            raise InvalidValueError("n_folds needs fold, the fold of each instance")
        return None
    understood = classes.understand(fold, "fold")
    names: Sequence[Any]
    if n_folds is None:
        names = classes.in_order(classes.distinct(understood))
    else:
        names = range(_checks.count(n_folds, "n_folds"))
    shape = understood.array.shape
    everything = (slice(None),) * len(shape)
    codes = classes.class_codes(understood, names).of(everything).reshape(-1, shape[-1])
    sizes = _sizes(codes, len(names))
    order = None
    if (codes[:, 1:] < codes[:, :-1]).any():
        narrow = codes.astype(np.min_scalar_type(len(names)), copy=False)
        order = np.argsort(narrow, axis=-1, kind="stable")
        order += (np.arange(len(codes)) * shape[-1])[:, None]
        order = order.ravel()
    return Folds(shape, names, order, np.cumsum(sizes) - sizes, sizes)


def paired_rankings(
    positive: BoolArray, score: AnyArray, sample_weight: Any, folds: Folds | None, name: str = "y_score"
) -> Rankings:
    """Return arrays whose last axes are equal and whose leading axes broadcast."""
    weight = None if sample_weight is None else near_one(understand_weight(sample_weight))
    shapes = {"y_true": positive.shape, name: score.shape}
    if weight is not None:
        shapes["sample_weight"] = weight.shape
    if folds is not None:
        shapes["fold"] = folds.shape
    n = positive.shape[-1]
    for other, shape in shapes.items():
        if shape[-1] != n:
            raise InvalidValueError(
                f"y_true and {other} must be paired: y_true has {n} instances, {other} has {shape[-1]}"
            )
    try:
        batch = np.broadcast_shapes(*(shape[:-1] for shape in shapes.values()))
    except ValueError as error:
        listed = ", ".join(f"{other} {shape}" for other, shape in shapes.items())
        raise InvalidValueError(f"the leading axes must broadcast, but the shapes are {listed}") from error
    return Rankings(positive, score, weight, folds, batch)


def _sizes(codes: AnyArray, n_folds: int) -> IndexArray:
    """Count the instances of each fold, row after row."""
    if len(codes) == 1:
        return np.bincount(codes[0], minlength=n_folds)
    sizes = np.empty((len(codes), n_folds), dtype=np.intp)
    step = max(1, BLOCK // codes.shape[-1])
    for i in range(0, len(codes), step):
        part = codes[i : i + step]
        joint = np.add(part, (np.arange(len(part)) * n_folds)[:, None], dtype=np.intp)
        sizes[i : i + step] = np.bincount(joint.ravel(), minlength=len(part) * n_folds).reshape(-1, n_folds)
    return sizes.ravel()
