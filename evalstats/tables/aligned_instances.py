"""Predictions for one dataset aligned by instance, computed once for all functions that use them."""

from __future__ import annotations

__all__ = ["AlignedCases", "aligned_cases", "times_predicted"]

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._errors import listed
from evalstats._types import BoolArray, FloatArray, IndexArray
from evalstats.tables.errors import TableError, short
from evalstats.tables.predictions import Predictions
from evalstats.tables.subgroup_names import Subgroups


class AlignedCases(NamedTuple):
    """Predictions of k classifiers for the same n instances of one dataset, in the order of the instances."""

    y_true: IndexArray  # (n,), numbers of labels
    y_pred: IndexArray | None  # (k, n)
    y_score: FloatArray | None  # (k, n)
    positive: int  # number of the positive label; -1 where no instance has it
    subgroup: Subgroups | None = None  # of the instances

    @property
    def is_positive(self) -> BoolArray:
        """Which instances are positive."""
        return np.equal(self.y_true, self.positive)

    @property
    def is_right(self) -> BoolArray:
        """Which classifier (row) gives which instance (column) its true label."""
        assert self.y_pred is not None
        return np.equal(self.y_pred, self.y_true)


def aligned_cases(predictions: Predictions) -> AlignedCases:
    """Return the predictions for one dataset, aligned by instance.

    Parameters
    ----------
    predictions : Predictions
        Predictions for one dataset, in which each classifier predicted each named instance once.

    Returns
    -------
    AlignedCases
        The classifiers in the order of `predictions`.

    Raises
    ------
    InvalidValueError
        If the instances are not named, one was predicted several times or by some classifiers only, or has several true
        labels.
    """
    predictions = predictions.one_by_one()
    if predictions.instance is None:
        raise TableError(
            "the instances are not named, so the answers of two classifiers to one instance cannot be put "
            "side by side: the predictions need a column row",
            "if the rows of all classifiers are in the same order, pass {}",
            "same_order",
            "True",
        )
    k = len(predictions.classifiers)
    order = np.lexsort((predictions.instance, predictions.classifier))
    case, rest = predictions.instance[order], len(order) % k
    if rest or (case.reshape(k, -1) != case[: len(case) // k]).any() or (np.diff(case.reshape(k, -1)) == 0).any():
        raise InvalidValueError("each instance must be predicted once by each classifier")
    true = predictions.y_true[order].reshape(k, -1)
    if (several := (true != true[0]).any(axis=0)).any():
        name = predictions.labels[true[0, int(several.argmax())]]
        raise InvalidValueError(f"each instance must have one true label, but one has {short(name)} and another")
    subgroup = None
    if predictions._subgroup is not None:
        code = predictions._subgroup.code[order].reshape(k, -1)
        if (code != code[0]).any():
            names = (predictions._subgroup.names[i] for i in code[:, int((code != code[0]).any(axis=0).argmax())])
            raise InvalidValueError(
                f"each instance must be in one subgroup, but one is in {listed(sorted(set(names)))}"
            )
        subgroup = replace(predictions._subgroup, code=code[0])
    label = predictions.positives[0]
    return AlignedCases(
        y_true=true[0],
        y_pred=None if predictions.y_pred is None else predictions.y_pred[order].reshape(k, -1),
        y_score=None if predictions.y_score is None else predictions.y_score[order].reshape(k, -1),
        positive=-1 if label is None or label not in predictions.labels else predictions.labels.index(label),
        subgroup=subgroup,
    )


def times_predicted(predictions: Predictions) -> int:
    """Return how often a classifier predicted each instance, also without a column of repeats."""
    n_repeats = len(predictions.repeats)
    # where instances were counted, each was predicted once in each repeat
    if predictions.instance is None:
        return n_repeats
    cases = predictions.dataset * (int(predictions.instance.max()) + 1) + predictions.instance
    # counted by sorting: their numbers may be far more than the rows
    return max(n_repeats, int(np.unique(cases[predictions.classifier == 0], return_counts=True)[1].max()))
