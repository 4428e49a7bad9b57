"""Scores of two classifiers after exchanges of predictions and after resampling of instances.

A unit is exchanged or resampled as a whole: an instance, or all instances of a cluster. Metrics of labels depend only
on counts of equal instances, so the time does not depend on the number of instances.
"""

from __future__ import annotations

__all__ = [
    "AreaPair",
    "LabelPair",
    "MeanPair",
    "ScorePair",
    "ScoredPair",
    "chunks",
    "differences_without_each",
    "understand_scored_pair",
]

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from evalstats import _checks, _labels, metrics
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._ranks import midranks
from evalstats._types import AnyArray, BoolArray, FloatArray, IntArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import Labels, one_is_usual, positive_cases, refuse_one_class
from evalstats.metrics.formulas import AVERAGES, CHOSEN, LABEL_METRICS

UNDEFINED = ("nan", "zero")
# options of the metric functions that this module sets
NOT_CHOSEN = ("sample_weight", "fold", "n_folds", "undefined", "pos_label", "labels", "multi_class", "average")
# the score of several instances is the mean of their individual scores
MEANS = ("brier", "log_loss")
# numbers in a chunk
CHUNK = 2**20


class ScoredPair(Protocol):
    """Two classifiers on the same instances, and the metric that compares them.

    Attributes
    ----------
    name : str
        The metric.
    scale : float
        Two scores that differ by less than about 1e-12 times this scale are equal up to rounding error.
    n_instances : int
        Number of instances.
    n_units : ndarray of shape (u,)
        Number of units of each type.
    stratum : ndarray of shape (u,)
        True class of each type of units, or -1 if a unit contains instances of several classes.
    n_exchangeable : ndarray of shape (e,)
        Number of units of each type that an exchange changes. Two units belong to the same type if an exchange makes
        them equal.
    as_observed : ndarray of shape (e,)
        Number of the units in `n_exchangeable` that are observed in the first of their two orientations.
    is_reversed : bool
        Whether samples are drawn with x and y swapped, so the samples do not depend on the order of x and y.
    width : int
        Number of values for one resample.
    """

    name: str
    scale: float
    n_instances: int
    n_units: IntArray
    stratum: IntArray
    n_exchangeable: IntArray
    as_observed: IntArray
    is_reversed: bool
    width: int

    def drawn(self, counts: IntArray) -> FloatArray:
        """Return the scores of x and y, (m, 2), for these numbers of units of each type, (m, u)."""
        ...

    def exchanged(self, first: IntArray) -> FloatArray:
        """Return the scores of x and y, (m, 2), for these numbers of units in the first orientation, (m, e)."""
        ...


class LabelPair:
    """Two classifiers that predict labels; only the counts of (true label, label of x, label of y) matter."""

    def __init__(
        self, codes: IntArray, k: int, unit: IntArray | None, name: str, score: Callable[[AnyArray], Any]
    ) -> None:
        self.name, self.scale, self.n_instances, self._k, self._score = name, 1.0, codes.shape[1], k, score
        present, cell = np.unique((codes[0] * k + codes[1]) * k + codes[2], return_inverse=True)
        cells = np.union1d(present, _exchanged(present, k))
        self._mirror = np.searchsorted(cells, _exchanged(cells, k))
        here = np.searchsorted(cells, present)[cell.ravel()]
        true, of_x, of_y = cells // k**2, cells // k % k, cells % k
        self._tables = [_Tables(true * k + predicted, k) for predicted in (of_x, of_y)]
        self._units, self.n_units = _kinds_of_units(here, len(cells), unit)
        self.stratum = _one_class(self._units, true)
        self.width = max(len(cells), k * k)
        self._understand_exchanges()

    def drawn(self, counts: IntArray) -> FloatArray:
        """Return the scores of x and y for these numbers of units of each type."""
        return self._scores(counts @ self._units)

    def exchanged(self, first: IntArray) -> FloatArray:
        """Return the scores of x and y for these numbers of units of each type in the first orientation."""
        return self._scores(self._all_second + first @ self._first_less_second)

    def _understand_exchanges(self) -> None:
        less_mirrored = self._units - self._units[:, self._mirror]
        changes = less_mirrored.any(axis=1)
        leading = np.take_along_axis(less_mirrored, (less_mirrored != 0).argmax(axis=1)[:, None], axis=1)[:, 0]
        is_first = leading > 0
        first = np.where(is_first[:, None], self._units, self._units[:, self._mirror])[changes]
        kinds, kind = np.unique(first, axis=0, return_inverse=True)
        n_units, kind = self.n_units[changes], kind.ravel()
        self.n_exchangeable = np.bincount(kind, n_units, len(kinds)).astype(np.int64)
        self.as_observed = np.bincount(kind, n_units * is_first[changes], len(kinds)).astype(np.int64)
        self.is_reversed = _is_reversed(2 * self.as_observed - self.n_exchangeable)
        second = kinds[:, self._mirror]
        self._first_less_second = kinds - second
        self._all_second = self.n_exchangeable @ second + self.n_units[~changes] @ self._units[~changes]

    def _scores(self, cells: FloatArray) -> FloatArray:
        return np.stack([self._score(tables.of(cells)) for tables in self._tables], axis=-1)


class ScorePair:
    """Two classifiers whose predictions are compared without a conversion, instance by instance."""

    def __init__(
        self,
        cases: tuple[AnyArray, AnyArray, AnyArray],
        unit: IntArray | None,
        name: str,
        score: Callable[[AnyArray, AnyArray], Any],
        *,
        in_batches: bool,
    ) -> None:
        true, x, y = cases
        self.name, self.n_instances, self.width = name, len(true), len(true)
        self._true, self._x, self._y, self._score, self._in_batches = true, x, y, score, in_batches
        code, (code_x, code_y) = _codes(true)[0], _codes(x, y)
        units = _Units(code, code_x, code_y, np.arange(len(true)) if unit is None else unit)
        self._unit, self._in_order = units.of_case, units.cases_in_order
        self.n_units = np.ones(units.n, dtype=np.int64)
        cases_of_units = np.zeros((units.n, int(code.max()) + 1), dtype=np.int64)
        np.add.at(cases_of_units, (self._unit, code), 1)
        self.stratum = _one_class(cases_of_units, np.arange(cases_of_units.shape[1]))
        changing = np.unique(self._unit[x != y])
        self.n_exchangeable = np.ones(len(changing), dtype=np.int64)
        self.as_observed = units.is_first[changing].astype(np.int64)
        self.is_reversed = units.is_reversed
        self._exchange_of_case = np.full(len(self.n_units), len(changing))
        self._exchange_of_case[changing] = np.arange(len(changing))
        self._exchange_of_case = self._exchange_of_case[self._unit]
        with np.errstate(invalid="ignore"):
            self.scale = max(abs(float(v)) for v in self.drawn(self.n_units[None])[0])

    def drawn(self, counts: IntArray) -> FloatArray:
        """Return the scores of x and y for these numbers of each unit."""
        scores = np.empty((len(counts), 2))
        times = counts[:, self._unit[self._in_order]]
        for rows in self._scored_together(times.sum(axis=1)):
            cases = np.repeat(np.tile(self._in_order, times[rows].size // times.shape[1]), times[rows].ravel())
            cases = cases.reshape(*np.shape(rows), -1)
            for side, predictions in enumerate((self._x, self._y)):
                scores[rows, side] = self._score(self._true[cases], predictions[cases])
        return scores

    def _scored_together(self, sizes: IntArray) -> Iterable[Any]:
        """Yield the indices of samples of equal size that are scored in one call (a function: one sample per call)."""
        if not self._in_batches:
            return range(len(sizes))
        return (np.flatnonzero(sizes == size) for size in np.unique(sizes))

    def exchanged(self, first: IntArray) -> FloatArray:
        """Return the scores of x and y if these units are in the first orientation and the others in the second."""
        kept = np.concatenate([first == self.as_observed, np.ones((len(first), 1), dtype=bool)], axis=1)
        kept = kept[:, self._exchange_of_case]
        x, y = np.where(kept, self._x, self._y), np.where(kept, self._y, self._x)
        if self._in_batches:
            # also for true labels with two axes: a row for each instance is not a column for each class
            return np.stack([self._score(self._true[None], predicted) for predicted in (x, y)], axis=-1)
        return np.array([[self._score(self._true, row) for row in pair] for pair in zip(x, y, strict=True)])


class MeanPair(ScorePair):
    """Two classifiers that are compared by the mean of the scores of individual instances."""

    @cached_property
    def _single(self) -> tuple[FloatArray, FloatArray]:
        """The score of each instance alone, for x and for y."""
        x, y = (self._score(self._true[:, None], predictions[:, None]) for predictions in (self._x, self._y))
        return x, y

    @cached_property
    def _sums(self) -> FloatArray:
        """The sums of both scores and the number of instances of each unit, of shape (u, 3)."""
        return np.stack([np.bincount(self._unit, weights) for weights in (*self._single, None)], axis=1)

    @cached_property
    def _changes(self) -> FloatArray:
        """Amount that the exchange of each unit adds to the sum of y and subtracts from the sum of x, of shape (e,)."""
        x, y = self._single
        return np.bincount(self._exchange_of_case, x - y, len(self.as_observed) + 1).astype(np.float64)[:-1]

    def drawn(self, counts: IntArray) -> FloatArray:
        """Return the mean scores for these numbers of each unit."""
        sums = counts @ self._sums
        return np.asarray(sums[:, :2] / sums[:, 2:])

    def exchanged(self, first: IntArray) -> FloatArray:
        """Return the mean scores if these units are in the first orientation and the others in the second."""
        change = (first != self.as_observed) @ self._changes
        sums = self._sums.sum(axis=0)
        return np.asarray(np.stack([sums[0] - change, sums[1] + change], axis=-1) / sums[2])


class AreaPair(ScorePair):
    """Two classifiers that are compared by the area under the ROC curve."""

    def drawn(self, counts: IntArray) -> FloatArray:
        """Return the areas for these numbers of each unit: a weighted sum over the positive instances."""
        weight, true = counts[:, self._unit[self._in_order]].astype(np.float64), self._true[self._in_order]
        n_positive = weight[:, true].sum(axis=1)
        n_pairs = n_positive * (weight.sum(axis=1) - n_positive)
        scores = self._x[self._in_order], self._y[self._in_order]
        wins = np.stack([_wins(true, score, weight) for score in scores], axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(n_pairs[:, None] > 0, wins / n_pairs[:, None], np.nan)


def _wins(true: BoolArray, score: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the total weight of the correctly ordered pairs. Ties count half."""
    positive, negative = np.flatnonzero(true), np.flatnonzero(~true)
    negative = negative[np.argsort(score[negative], kind="stable")]
    below = np.zeros((len(weight), len(negative) + 1))
    np.cumsum(weight[:, negative], axis=1, out=below[:, 1:])
    places = (np.searchsorted(score[negative], score[positive], side) for side in ("left", "right"))
    return np.asarray(sum(np.einsum("ij,ij->i", weight[:, positive], below[:, at]) for at in places) / 2)


class _Units:
    """Units in an order that depends only on their content, each in the first of its two orientations.

    A unit is a list of cells (true label, prediction of x, prediction of y); an exchange swaps the two predictions.
    """

    def __init__(self, true: IntArray, x: IntArray, y: IntArray, unit: IntArray) -> None:
        k = int(max(x.max(), y.max())) + 1
        cell, mirrored = (true * k + x) * k + y, (true * k + y) * k + x
        held, turned = _numbered_units(cell, mirrored, unit)
        is_first = held >= turned
        kind = np.unique(np.where(is_first, held, turned), return_inverse=True)[1].ravel()
        place = np.lexsort((~is_first, kind))
        self.n = len(place)
        self.is_first = is_first[place]
        self.of_case = np.argsort(place)[unit]
        self.cases_in_order = np.lexsort((cell, self.of_case))
        leads = np.where(held == turned, 0, np.where(is_first, 1, -1))
        self.is_reversed = _is_reversed(np.bincount(kind, leads))


def _numbered_units(cell: IntArray, mirrored: IntArray, unit: IntArray) -> tuple[IntArray, IntArray]:
    """Return codes of the units before and after an exchange. A code identifies the sorted list of cells of a unit."""
    sizes = np.bincount(unit)
    if len(sizes) == len(cell):
        order = np.argsort(unit)
        return cell[order], mirrored[order]
    lists = []
    for cells in (cell, mirrored):
        ordered = cells[np.lexsort((cells, unit))]
        lists += [tuple(one.tolist()) for one in np.split(ordered, np.cumsum(sizes)[:-1])]
    number = {key: i for i, key in enumerate(sorted(set(lists)))}
    numbers = np.array([number[key] for key in lists], dtype=np.int64)
    return numbers[: len(sizes)], numbers[len(sizes) :]


def _is_reversed(leads: FloatArray | IntArray) -> bool:
    """Return whether most units of the first type with unequal numbers are in the second orientation."""
    first = np.flatnonzero(leads)[:1]
    return bool(first.size and leads[first[0]] < 0)


def _codes(*arrays: AnyArray) -> list[IntArray]:
    """Encode the values of all arrays in ascending order, or in the order of their text for unordered objects."""
    together = np.concatenate(arrays)
    try:
        code = np.unique(together, return_inverse=True)[1].ravel()
    except TypeError:
        code = np.unique([repr(value) for value in together.tolist()], return_inverse=True)[1].ravel()
    return list(np.split(code.astype(np.int64), np.cumsum([len(array) for array in arrays])[:-1]))


def understand_scored_pair(
    y_true: Any, x: Any, y: Any, metric: Any, pos_label: Any, clusters: Any, undefined: Any, choices: dict[str, Any]
) -> ScoredPair:
    """Validate two classifiers and their metric."""
    undefined = _checks.choice(undefined, "undefined", UNDEFINED)
    _labels.same_labels(y_true=y_true, x=x, y=y, clusters=clusters)
    if callable(metric):
        return _of_any_function(y_true, x, y, metric, pos_label, clusters, choices)
    record = metrics.METRICS[_checks.choice(metric, "metric", tuple(metrics.METRICS))]
    of_metric = _of_labels if record.needs == "labels" else _of_scores
    pair = of_metric(y_true, x, y, metric, pos_label, clusters, undefined, choices)
    for score, name in zip(pair.drawn(pair.n_units[None])[0], "xy", strict=True):
        if np.isnan(score):
            raise InvalidValueError(f"{metric} of {name} is undefined: {record.undefined_when}")
    return pair


def chunks(n: int, width: int) -> Iterator[slice]:
    """Split n resamples into chunks that need little memory."""
    step = max(1, CHUNK // width)
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


def differences_without_each(pair: ScoredPair, kinds: IntArray) -> FloatArray:
    """Return the difference between the scores without one unit of each of these types."""
    differences = np.empty(len(kinds))
    for some in chunks(len(kinds), max(pair.width, len(pair.n_units))):
        counts = np.repeat(pair.n_units[None], some.stop - some.start, axis=0)
        counts[np.arange(len(counts)), kinds[some]] -= 1
        scores = pair.drawn(counts)
        differences[some] = scores[:, 0] - scores[:, 1]
    return differences


def _of_labels(
    y_true: Any, x: Any, y: Any, metric: str, pos_label: Any, clusters: Any, undefined: str, choices: dict[str, Any]
) -> LabelPair:
    labels = [classes.understand(value, name) for value, name in ((y_true, "y_true"), (x, "x"), (y, "y"))]
    n = _paired(labels[0].array, labels[1].array, labels[2].array)
    kinds = {classes.same_kind(labels[0], other) for other in labels[1:]}
    names = classes.in_order(set().union(*(classes.distinct(one) for one in labels)))
    choices = dict(choices)
    takes_average, average = LABEL_METRICS[metric].average == CHOSEN, choices.get("average", "binary")
    if average is None:
        raise InvalidValueError("average=None returns a score for each class; choose 'macro', 'micro' or 'weighted'")
    if takes_average:
        _checks.choice(average, "average", [one for one in AVERAGES if one])
    if choices.get("labels") is not None:
        listed = classes.given_classes(choices["labels"], kinds.pop())
        names = [*names, *(label for label in listed if label not in names)]
        choices["labels"] = [names.index(label) for label in listed]
    if takes_average and average == "binary":
        names, choices["pos_label"] = _with_positive(names, pos_label)
    elif pos_label is not None:
        raise InvalidValueError(f"pos_label={pos_label!r} requires a metric with average='binary', such as f1")
    codes = np.stack([classes.class_codes(one, names).of((slice(None),)) for one in labels]).astype(np.int64)

    def score(tables: AnyArray) -> Any:
        return metrics.score_from_counts(metric, tables, undefined=undefined, **choices)

    if takes_average and average == "macro" and "labels" not in choices:
        return LabelPair(codes, len(names), _unit_of_case(clusters, n), metric, _of_own_labels(score))
    return LabelPair(codes, len(names), _unit_of_case(clusters, n), metric, score)


def _of_own_labels(score: Callable[[AnyArray], Any]) -> Callable[[AnyArray], Any]:
    """Restrict a mean over the labels to the labels that occur in the table.

    Labels that only the other classifier predicts are not part of the mean.
    """

    def score_of_own(tables: AnyArray) -> AnyArray:
        occurs = (tables.sum(axis=-1) + tables.sum(axis=-2)) > 0
        if occurs.all():
            return np.asarray(score(tables))
        scores = np.empty(len(tables))
        patterns, pattern = np.unique(occurs, axis=0, return_inverse=True)
        for i, labels in enumerate(patterns):
            own = pattern.ravel() == i
            scores[own] = score(tables[own][:, labels][:, :, labels])
        return scores

    return score_of_own


def _of_scores(
    y_true: Any, x: Any, y: Any, metric: str, pos_label: Any, clusters: Any, undefined: str, choices: dict[str, Any]
) -> ScorePair:
    record = metrics.METRICS[metric]
    function = getattr(metrics, record.function)
    parameters = dict(list(inspect.signature(function).parameters.items())[2:])
    taken = [name for name in parameters if name not in NOT_CHOSEN]
    required = [name for name in taken if parameters[name].default is inspect.Parameter.empty]
    _checks.options(choices, metric, taken, required)
    true = classes.understand(y_true, "y_true")
    positive = positive_cases(true, pos_label, greater_of_two=True)
    predictions = [_checks.finite(_checks.numbers(value, name), name) for value, name in ((x, "x"), (y, "y"))]
    n = _paired(positive, predictions[0], predictions[1])
    refuse_one_class(positive)
    options = dict(choices)
    if record.undefined_when != "never":
        options["undefined"] = undefined
    if record.needs == "scores":
        predictions = [midranks(scores) for scores in predictions]
    else:
        options["labels"] = [False, True]
    if record.needs == "probabilities":
        options["pos_label"] = True

    def score(true: AnyArray, predicted: AnyArray) -> Any:
        return function(true, predicted, **options)

    kind = MeanPair if metric in MEANS and options.get("normalize", True) else ScorePair
    if metric == "roc_auc" and not choices and undefined == "nan":
        kind = AreaPair
    return kind((positive, predictions[0], predictions[1]), _unit_of_case(clusters, n), metric, score, in_batches=True)


def _of_any_function(
    y_true: Any, x: Any, y: Any, metric: Callable[..., Any], pos_label: Any, clusters: Any, choices: dict[str, Any]
) -> ScorePair:
    if choices or pos_label is not None:
        given = next(iter(choices), "pos_label")
        raise InvalidTypeError(f"a function as metric has no option {given!r}: pass a function that includes it")
    cases = _without_nan(y_true, "y_true"), _without_nan(x, "x"), _without_nan(y, "y")
    n = _paired(*cases)
    name = getattr(metric, "__name__", type(metric).__name__)

    def score(true: AnyArray, predicted: AnyArray) -> float:
        value = metric(true, predicted)
        if np.ndim(value) or np.iscomplexobj(value) or isinstance(value, str | bytes) or value is None:
            raise InvalidTypeError(f"metric must return a number, but {name} returned {short(value)}")
        return float(_checks.numbers(value, f"what {name} returns"))

    pair = ScorePair(cases, _unit_of_case(clusters, n), name, score, in_batches=False)
    if not np.isfinite(pair.scale):
        raise InvalidValueError(f"metric must return finite numbers for x and for y, but {name} did not")
    return pair


def _with_positive(names: list[Any], pos_label: Any) -> tuple[list[Any], int]:
    """Return the classes and the index of the positive class: 1 by convention, or the greater of two labels."""
    if len(names) > 2:
        raise InvalidValueError(
            f"average='binary' needs two classes, but there are {len(names)}: {classes.shown(names)}; choose 'macro', "
            "'micro' or 'weighted'"
        )
    if pos_label is None:
        if len(names) == 1 and not one_is_usual(names):
            raise InvalidValueError(f"pos_label must name the positive class: all labels are {short(names[0])}")
        pos_label = 1 if one_is_usual(names) else names[-1]
    if not _checks.is_among(pos_label, names):
        if len(names) > 1:
            raise InvalidValueError(f"pos_label must be one of {classes.shown(names)}, not {short(pos_label)}")
        names = [*names, pos_label]
    return names, names.index(pos_label)


def _paired(true: AnyArray, x: AnyArray, y: AnyArray) -> int:
    """Return the number of instances of three paired arrays."""
    for array, name in ((true, "y_true"), (x, "x"), (y, "y")):
        if array.ndim != 1:
            raise InvalidValueError(f"{name} must have the shape (n,), but its shape is {array.shape}")
        if len(array) != len(true):
            raise InvalidValueError(
                f"y_true and {name} must be paired: y_true has {len(true)} instances, {name} has {len(array)}"
            )
    return len(true)


def _without_nan(value: Any, name: str) -> AnyArray:
    array = np.asarray(value)
    if array.dtype.kind == "f":
        _checks.finite(array.astype(np.float64, copy=False), name)
    if array.size == 0:
        raise InvalidValueError(f"{name} must hold at least one instance, but its shape is {array.shape}")
    return array


def _unit_of_case(clusters: Any, n: int) -> IntArray | None:
    """Return the index of the cluster of each instance."""
    if clusters is None:
        return None
    understood: Labels = classes.understand(clusters, "clusters")
    if understood.array.shape != (n,):
        raise InvalidValueError(
            f"clusters must name the cluster of each of the {n} instances, but its shape is {understood.array.shape}"
        )
    codes = classes.class_codes(understood, classes.in_order(classes.distinct(understood)))
    return codes.of((slice(None),)).astype(np.int64)


def _exchanged(cells: IntArray, k: int) -> IntArray:
    """Return the index of the cell (true label, label of y, label of x) for each cell (true label, x, y)."""
    exchanged: IntArray = (cells // k**2 * k + cells % k) * k + cells // k % k
    return exchanged


def _kinds_of_units(cell: IntArray, n_cells: int, unit: IntArray | None) -> tuple[FloatArray, IntArray]:
    """Return, for each type of unit, the number of instances in each cell and the number of units."""
    if unit is None:
        n_units = np.bincount(cell, minlength=n_cells)
        return np.eye(n_cells)[n_units > 0], n_units[n_units > 0]
    cases = np.zeros((int(unit.max()) + 1, n_cells))
    np.add.at(cases, (unit, cell), 1)
    return np.unique(cases, axis=0, return_counts=True)


def _one_class(units: AnyArray, class_of_cell: IntArray) -> IntArray:
    """Return the common true class of the instances of each unit, or -1 if a unit has several classes."""
    holds = units > 0
    first = class_of_cell[holds.argmax(axis=1)]
    is_one: BoolArray = (~holds | (class_of_cell == first[:, None])).all(axis=1)
    return np.where(is_one, first, -1)


class _Tables:
    """Confusion matrices as sums of the counts of cells."""

    def __init__(self, place: IntArray, k: int) -> None:
        self._order = np.argsort(place, kind="stable")
        self._places, self._starts = np.unique(place[self._order], return_index=True)
        self._k = k

    def of(self, cells: FloatArray) -> FloatArray:
        """Return tables of shape (m, k, k) for counts of shape (m, n_cells)."""
        tables = np.zeros((len(cells), self._k**2))
        tables[:, self._places] = np.add.reduceat(cells[:, self._order], self._starts, axis=1)
        return tables.reshape(-1, self._k, self._k)
