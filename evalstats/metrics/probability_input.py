"""Validation of predicted probabilities and true classes."""

from __future__ import annotations

__all__ = [
    "Forecast",
    "batch_shape",
    "check_sums",
    "of_true_class",
    "understand_forecast",
    "understand_probabilities",
]

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._types import AnyArray, FloatArray, IndexArray
from evalstats.metrics.class_encoding import (
    BOOLEANS,
    NUMBERS,
    Labels,
    cases_of,
    class_codes,
    distinct,
    fits,
    given_classes,
    in_order,
    one_is_usual,
    shown,
    understand,
)
from evalstats.metrics.sample_weight import understand_weight

Classified = tuple[IndexArray, Sequence[Any]]


class Forecast(NamedTuple):
    """Paired class indexes (..., n), probabilities (..., n, k) and weights (..., n).

    If two classes were passed as one probability, the columns are (negative, positive). `eps` is the precision of the
    original probabilities; `classes` are the labels of the columns.
    """

    true: IndexArray
    proba: FloatArray
    weight: FloatArray | None
    eps: float
    classes: Sequence[Any]


def of_true_class(forecast: Forecast) -> FloatArray:
    """Return the predicted probability of the true class."""
    shape = np.broadcast_shapes(forecast.true.shape, forecast.proba.shape[:-1])
    proba = np.broadcast_to(forecast.proba, (*shape, forecast.proba.shape[-1]))
    true = np.broadcast_to(forecast.true, shape)
    of_true: FloatArray = np.take_along_axis(proba, true[..., None], axis=-1)[..., 0]
    return of_true


def understand_forecast(
    y_true: Any,
    y_proba: Any,
    sample_weight: Any,
    pos_label: Any,
    labels: Any,
    *,
    name: str = "y_proba",
    columns: bool = True,
) -> Forecast:
    """Validate paired classes, probabilities and weights."""
    true = understand(y_true, "y_true")
    listed = None if labels is None else given_classes(labels, true.kind)
    proba = understand_probabilities(y_proba, name)
    eps = _precision(y_proba)
    n = true.array.shape[-1]
    with_columns = columns and _has_columns(proba, true.array)
    rows = (name,) if with_columns else ()
    _labels.same_labels(rows=rows, y_true=y_true, **{name: y_proba}, sample_weight=sample_weight)
    if with_columns:
        if proba.shape[-1] == 1:
            proba = proba[..., 0]
        else:
            check_sums(proba, name, eps)
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
    """Return whether the last axis of the probabilities contains the classes instead of the instances."""
    n = true.shape[-1]
    if proba.ndim < 2 or proba.shape[-2] != n:
        return False
    return proba.shape[-1] != n or proba.ndim > true.ndim


def understand_probabilities(value: Any, name: str) -> FloatArray:
    """Return numbers from 0 to 1; raise an error that names an invalid number."""
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


def check_sums(proba: FloatArray, name: str, eps: float) -> None:
    """Check that probabilities of an instance sum to one, to half of the digits of their type (scikit-learn)."""
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
    """Return 1 for the positive class and 0 for the other class, and the classes, the positive class last."""
    names = distinct(true) | set(listed or ())
    if len(names) > 2:
        raise InvalidValueError(
            f"one probability for each instance needs two classes, but there are {len(names)}: {shown(in_order(names))}"
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
    """Return the weights after checking that all leading axes broadcast."""
    shapes = {"y_true": true.shape[:-1], name: proba_shape[:-1]}
    if sample_weight is None:
        batch_shape(**shapes)
        return None
    weight = understand_weight(sample_weight, n)
    batch_shape(**shapes, sample_weight=weight.shape[:-1])
    return weight


def batch_shape(**shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the broadcast shape of the leading axes."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError as error:
        axes = ", ".join(map(str, shapes.values()))
        raise InvalidValueError(
            f"the leading axes of {', '.join(shapes)} must broadcast, but they are {axes}"
        ) from error
