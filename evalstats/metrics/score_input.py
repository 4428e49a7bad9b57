"""Validation of predicted probabilities and rankings: true classes, scores, weights and folds."""

from __future__ import annotations

__all__ = [
    "Folds",
    "Forecast",
    "Rankings",
    "batch_shape",
    "check_sums",
    "filled_score",
    "mean_score",
    "near_one",
    "of_true_class",
    "one_forecast",
    "paired_rankings",
    "understand_folds",
    "understand_forecast",
    "understand_probabilities",
    "understand_rankings",
    "understand_scores",
    "understand_weight",
    "weighted_mean",
    "weighted_sum",
]

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError, short
from evalstats._result import unbatch
from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import (
    BLOCK,
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
    positive_cases,
    shown,
    understand,
)
from evalstats.metrics.formulas import fill_value, report

Classified = tuple[IndexArray, Sequence[Any]]


class Forecast(NamedTuple):
    """Paired class indexes (..., n), probabilities (..., n, k) and weights (..., n).

    If two classes were passed as one probability, the columns are (negative, positive). `eps` is the precision of the
    original probabilities. `classes` are the labels of the columns.
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


def one_forecast(y_true: Any, y_proba: Any, pos_label: Any, labels: Any) -> Forecast:
    """Validate the classes and probabilities of one problem without weights."""
    forecast = understand_forecast(y_true, y_proba, None, pos_label, labels)
    if forecast.proba.ndim > 2 or forecast.true.ndim > 1:
        raise InvalidValueError(
            f"y_true and y_proba must hold one problem, not a batch, but y_true has the shape {forecast.true.shape}"
        )
    return forecast


def _has_columns(proba: AnyArray, true: AnyArray) -> bool:
    """Return whether the last axis of the probabilities contains the classes instead of the instances."""
    n = true.shape[-1]
    if proba.ndim < 2 or proba.shape[-2] != n:
        return False
    return proba.shape[-1] != n or proba.ndim > true.ndim


def understand_probabilities(value: Any, name: str) -> FloatArray:
    """Return numbers from 0 to 1, or raise an error that names an invalid number."""
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
    """Check that the probabilities of each instance sum to one, to half of their digits (as scikit-learn does)."""
    total = proba.sum(axis=-1)
    wrong = np.abs(total - 1) > math.sqrt(eps)
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        place = f"{name}[{', '.join(map(str, at))}]" if at else name
        raise InvalidValueError(
            f"the probabilities of the classes must sum to one, but the probabilities of {place} sum to "
            f"{total[at]:.10g}; "
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
        hint = "; labels must list all classes if some classes do not occur" if listed is None else ""
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
    """Return 1 for the positive class and 0 for the other class, and the classes with the positive class last."""
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
    raise InvalidValueError(f"pos_label must name the positive class: y_true holds {shown(in_order(names))}")


def _codes(true: Labels, names: Sequence[Any]) -> IndexArray:
    codes: IndexArray = class_codes(true, names).of((slice(None),) * true.array.ndim).astype(np.intp)
    return codes


def _weight(sample_weight: Any, n: int, true: AnyArray, proba_shape: tuple[int, ...], name: str) -> FloatArray | None:
    """Return the weights, after a check that all leading axes broadcast."""
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


# --- weights of instances ---------------------------------------------------------------------------------------------


SMALLEST, LARGEST = 1e-300, 1e305
LARGEST_EXPONENT = 200
NO_WEIGHT = "no instance has weight"


def understand_weight(sample_weight: Any, n: int | None = None) -> FloatArray:
    """Return finite weights of at least 0. If the number of instances is given, the last axis must have this length."""
    weight = _checks.finite(_checks.numbers(sample_weight, "sample_weight"), "sample_weight")
    if n is not None and (weight.ndim == 0 or weight.shape[-1] != n):
        raise InvalidValueError(
            f"sample_weight must hold one weight for each of the {n} instances, but its shape is {weight.shape}"
        )
    if weight.ndim == 0:
        raise InvalidValueError("sample_weight must hold one weight for each instance, but it is a single number")
    if weight.size and weight.min() < 0:
        at = ", ".join(str(i) for i in np.argwhere(weight < 0)[0])
        raise InvalidValueError(
            f"sample_weight must be nonnegative, but sample_weight[{at}] is {weight[weight < 0][0]:g}"
        )
    with np.errstate(over="ignore"):
        total = weight.sum(axis=-1).max() if weight.size else 0.0
    if total and not (total <= LARGEST and weight.max() >= SMALLEST):
        raise InvalidValueError(
            f"the largest sample_weight must be 0 or at least {SMALLEST:g}, and the sum must be at most {LARGEST:g}, "
            f"but they are {weight.max():g} and {total:g}"
        )
    return weight


def near_one(weight: FloatArray | None) -> FloatArray | None:
    """Return weights whose products fit in a float, for scores that do not depend on their scale.

    The weights are divided by a power of two, which is exact.
    """
    if weight is None or not weight.size:
        return weight
    exponent = np.frexp(weight.max())[1]
    return weight if abs(int(exponent)) < LARGEST_EXPONENT else np.ldexp(weight, -exponent)


def weighted_sum(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Sum over the instances in an order that does not depend on the other problems of the batch."""
    weighted = np.ascontiguousarray(values if weight is None else values * weight)
    return np.asarray(weighted.sum(axis=-1), dtype=np.float64)


def weighted_mean(values: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Return the mean over the instances, or nan if no instance has weight."""
    if weight is None:
        return np.divide(weighted_sum(values, None), values.shape[-1])
    # first divide by the largest weight, so a sum of tiny or huge weights neither underflows nor overflows
    largest = weight.max(axis=-1, keepdims=True)
    weight = weight / np.where(largest > 0, largest, 1)
    with np.errstate(invalid="ignore"):
        return np.divide(weighted_sum(values, weight), weighted_sum(weight, None))


def mean_score(values: FloatArray, weight: FloatArray | None, chosen: str, function: str) -> Any:
    """Return the mean over the instances, and the value of `undefined` if no instance has weight."""
    return filled_score(weighted_mean(values, weight), chosen, function, NO_WEIGHT)


def filled_score(scores: FloatArray, chosen: str, function: str, when: str) -> Any:
    """Replace undefined scores, which are nan, according to `undefined`; scikit-learn has no value for such scores."""
    undefined = np.isnan(scores)
    report(undefined, chosen, function=function, when=when, usual=math.nan)
    return unbatch(np.where(undefined, fill_value(chosen, math.nan), scores))


# --- rankings ---------------------------------------------------------------------------------------------------------


class Folds(NamedTuple):
    """Assignment of instances to folds. The leading axes of `shape` are the axes of `fold`.

    `order` lists the instances fold by fold, as positions in the flattened array, or is None if the instances are in
    this order. The instances of fold i are ``order[starts[i]:starts[i] + sizes[i]]``.
    """

    shape: tuple[int, ...]
    names: Sequence[Any]
    order: IndexArray | None
    starts: IndexArray
    sizes: IndexArray

    def cases(self, row: int, fold: int) -> IndexArray:
        """Return the positions, within a row, of the instances in one fold."""
        number = row * len(self.names) + fold
        places = self.starts[number] + np.arange(self.sizes[number])
        positions: IndexArray = (places if self.order is None else self.order[places]) - row * self.shape[-1]
        return positions


class Rankings(NamedTuple):
    """Which instances are positive, and their scores, weights and folds. Leading axes broadcast to `batch`."""

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
    """Validate instances of two classes, with one score, weight and fold for each instance."""
    _labels.same_labels(**{"y_true": y_true, name: y_score, "sample_weight": sample_weight, "fold": fold})
    positive = positive_cases(classes.understand(y_true, "y_true"), pos_label)
    return paired_rankings(
        positive, understand_scores(y_score, name), sample_weight, understand_folds(fold, n_folds), name
    )


def understand_scores(y_score: Any, name: str = "y_score") -> AnyArray:
    """Return finite scores. Single precision is kept to save memory."""
    single = isinstance(y_score, np.ndarray) and y_score.dtype == np.float32
    score = y_score if single else _checks.numbers(y_score, name)
    if score.ndim == 0 or score.size == 0:
        raise InvalidValueError(f"{name} must hold at least one score, but its shape is {score.shape}")
    return _checks.finite(score, name)


def understand_folds(fold: Any, n_folds: int | None) -> Folds | None:
    """Return the instances of each fold, or None if there are no folds."""
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
    """Count the instances of each fold in each row."""
    if len(codes) == 1:
        return np.bincount(codes[0], minlength=n_folds)
    sizes = np.empty((len(codes), n_folds), dtype=np.intp)
    step = max(1, BLOCK // codes.shape[-1])
    for i in range(0, len(codes), step):
        part = codes[i : i + step]
        joint = np.add(part, (np.arange(len(part)) * n_folds)[:, None], dtype=np.intp)
        sizes[i : i + step] = np.bincount(joint.ravel(), minlength=len(part) * n_folds).reshape(-1, n_folds)
    return sizes.ravel()
