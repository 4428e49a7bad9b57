"""Battles of models, grouped into cells of equal battles."""

from __future__ import annotations

__all__ = ["BOTH_BAD", "WINNERS", "Cells", "grouped", "outcomes_of", "understood_clusters", "understood_models"]

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError, short
from evalstats._types import BoolArray, FloatArray, IndexArray
from evalstats.metrics import class_encoding as classes

BOTH_BAD = ("both_bad", "tie (bothbad)")
# words for the winner, and the outcome of model_a
WINNERS = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5, **dict.fromkeys(BOTH_BAD, 0.5)}


class Cells(NamedTuple):
    """Battles with equal models and covariates. `cell` gives the cell of each battle.

    `n` and `points` are the sums of the weights, and of the weights times the outcomes of model a. `squares` are the
    sums of the squared weights times 1, the outcome and the squared outcome, of shape (3, n_cells). `terms` are the
    covariates, of shape (n_cells, n_terms).
    """

    a: IndexArray
    b: IndexArray
    n: FloatArray
    points: FloatArray
    squares: FloatArray
    terms: FloatArray
    cell: IndexArray
    k: int

    @property
    def size(self) -> int:
        """Number of parameters: the strengths and the coefficients."""
        return self.k + int(self.terms.shape[1])

    def weighted(self, n: FloatArray, points: FloatArray) -> Cells:
        """Return the same cells with other sums of the weights."""
        return self._replace(n=n, points=points)

    @property
    def beats(self) -> BoolArray:
        """Whether the row has won or tied a battle against the column, (k, k)."""
        return np.asarray(self.totals(self.points) + self.totals(self.n - self.points).T > 0)

    def among(self, models: BoolArray) -> Cells:
        """Return the cells of battles between some of the models, with new positions."""
        kept = models[self.a] & models[self.b]
        at = np.cumsum(models) - 1
        cell = np.cumsum(kept) - 1
        return Cells(
            at[self.a[kept]],
            at[self.b[kept]],
            self.n[kept],
            self.points[kept],
            self.squares[:, kept],
            self.terms[kept],
            cell[self.cell[kept[self.cell]]],
            int(models.sum()),
        )

    def totals(self, values: FloatArray) -> FloatArray:
        """Sum a value of each cell over the ordered pairs of models, (k, k)."""
        flat = np.bincount(self.a * self.k + self.b, values, minlength=self.k**2)
        return np.asarray(flat.reshape(self.k, self.k))


def understood_models(model_a: Any, model_b: Any, models: Any) -> tuple[IndexArray, IndexArray, tuple[Any, ...]]:
    """Return the positions of the models of each battle, and the names of the models in order."""
    both = [_listed(value, name) for value, name in ((model_a, "model_a"), (model_b, "model_b"))]
    n = len(both[0])
    if len(both[1]) != n:
        raise InvalidValueError(f"model_a and model_b must be paired: model_a has {n} battles, model_b {len(both[1])}")
    if not n:
        raise InvalidValueError("model_a must hold one battle or more, but it is empty")
    found = dict.fromkeys(both[0]) | dict.fromkeys(both[1])
    names = sorted(found, key=lambda name: (str(type(name)), name)) if models is None else _listed(models, "models")
    if unknown := [name for name in found if name not in set(names)]:
        raise InvalidValueError(f"models must name all models of the battles, but {short(unknown[0])} is missing")
    if len(set(names)) != len(names):
        raise InvalidValueError("models must be different names, but one occurs twice")
    if len(names) < 2:
        raise InvalidValueError(f"battles must have two models or more, but {short(names[0])} is the only one")
    at = {name: position for position, name in enumerate(names)}
    a, b = (np.fromiter(map(at.__getitem__, own), dtype=np.intp, count=n) for own in both)
    if (alone := np.flatnonzero(a == b)).size:
        row = int(alone[0])
        raise InvalidValueError(
            f"model_a and model_b must be different models, but both are {short(names[a[row]])} in battle {row}"
        )
    return a, b, tuple(names)


def _listed(value: Any, name: str) -> list[Any]:
    array = classes.understand(value, name).array
    if array.ndim != 1:
        raise InvalidValueError(f"{name} must have one value for each battle, but its shape is {array.shape}")
    return list(array.tolist())


def outcomes_of(winner: Any, n: int) -> tuple[FloatArray, BoolArray]:
    """Return the outcome of model a in each battle, from 0 to 1, and whether both models were bad."""
    given = winner.tolist() if hasattr(winner, "tolist") else _checks.listed(winner, "winner", "words or numbers")
    if not isinstance(given, list) or len(given) != n:
        shape = _checks.regular(winner, "winner").shape
        raise InvalidValueError(f"winner must have one value for each of the {n} battles, but its shape is {shape}")
    if not any(isinstance(one, str) for one in given):
        outcome = _checks.finite(_checks.numbers(given, "winner"), "winner")
        if (beyond := np.flatnonzero((outcome < 0) | (outcome > 1))).size:
            row = int(beyond[0])
            rule = "winner must be words, or outcomes of model a from 0 to 1"
            raise InvalidValueError(f"{rule}, but winner[{row}] is {outcome[row]:g}")
        return outcome, np.zeros(n, dtype=bool)
    values = {one: WINNERS.get(one, np.nan) if isinstance(one, str) else np.nan for one in set(given)}
    outcome = np.fromiter(map(values.__getitem__, given), dtype=np.float64, count=n)
    if (unknown := np.flatnonzero(np.isnan(outcome))).size:
        row = int(unknown[0])
        rule = "winner must be 'model_a', 'model_b', 'tie' or 'both_bad'"
        raise InvalidValueError(f"{rule}, but winner[{row}] is {short(given[row])}")
    bad = {one: one in BOTH_BAD for one in values}
    return outcome, np.fromiter(map(bad.__getitem__, given), dtype=bool, count=n)


def understood_clusters(clusters: Any, n: int, model_a: Any) -> tuple[IndexArray, ...]:
    """Return the cluster of each battle, for each of at most two clusterings."""
    if clusters is None:
        return ()
    several = list(clusters) if isinstance(clusters, tuple) else [clusters]
    if isinstance(clusters, Mapping):
        several = list(clusters.values())
    if not 1 <= len(several) <= 2:
        raise InvalidValueError(
            f"clusters must be one clustering or a tuple of two, but there are {len(several)} clusterings"
        )
    found = []
    for one in several:
        _labels.same_labels(model_a=model_a, clusters=one)
        labels = _listed(one, "clusters")
        if len(labels) != n:
            raise InvalidValueError(
                f"clusters must name a cluster for each of the {n} battles, but the number of values is {len(labels)}"
            )
        at = {label: position for position, label in enumerate(dict.fromkeys(labels))}
        found.append(np.fromiter(map(at.__getitem__, labels), dtype=np.intp, count=n))
    return tuple(found)


def grouped(
    a: IndexArray, b: IndexArray, outcome: FloatArray, weight: FloatArray | None, terms: Sequence[FloatArray], k: int
) -> Cells:
    """Group equal battles; the first model of a cell without terms is the one with the smaller position."""
    weight = np.ones(len(a)) if weight is None else weight
    columns = np.column_stack(terms) if terms else np.zeros((len(a), 0))
    flipped = a > b
    first, second = np.where(flipped, b, a), np.where(flipped, a, b)
    y = np.where(flipped, 1 - outcome, outcome)
    columns = np.where(flipped[:, None], -columns, columns)
    # battles with the same models and the same few values of the covariates are one cell
    key = first * k + second
    for column in columns.T:
        values, code = np.unique(column, return_inverse=True)
        key = _dense(key) * len(values) + code
    _, start, cell = np.unique(key, return_index=True, return_inverse=True)
    n_cells = len(start)
    squared = weight * weight
    weights = (weight, weight * y, squared, squared * y, squared * y * y)
    sums = np.array([np.bincount(cell, of, minlength=n_cells) for of in weights], dtype=np.float64)
    return Cells(first[start], second[start], sums[0], sums[1], sums[2:], columns[start], cell, k)


def _dense(key: IndexArray) -> IndexArray:
    return np.asarray(np.unique(key, return_inverse=True)[1])
