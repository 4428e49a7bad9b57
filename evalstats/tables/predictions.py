"""Predictions of each classifier for each instance.

A long table with one row for each instance, classifier and repeat is converted to arrays of numbers and checked once.
"""

from __future__ import annotations

__all__ = ["CountedCases", "Predictions", "ScoresOfKeptRows", "refuse_clusters"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from evalstats._errors import InvalidValueError, listed
from evalstats._findings import Finding
from evalstats._result import Record
from evalstats._types import AnyArray, FloatArray, IndexArray, IntArray
from evalstats.tables.errors import short

if TYPE_CHECKING:
    from evalstats.tables.categorical import Subgroups
    from evalstats.tables.correct_answers import RightPatterns


class ScoresOfKeptRows(Protocol):
    """Function that returns the scores of rankings in an engine, or None if the metric is not supported."""

    def __call__(self, metric: str, *, by_fold: bool) -> dict[tuple[str, ...], float] | None:
        """Return the score of each dataset, classifier and repeat, by fold or over all instances."""


class CountedCases(NamedTuple):
    """Counts of equal predictions from an engine; each row represents several predictions.

    Equal predictions differ only in the instance, so the rows have neither instances nor scores.
    """

    n_instances: IntArray  # (n,), for how many predictions each row stands
    patterns: RightPatterns | None  # for one dataset with named instances, each predicted once per classifier
    load: Any  # a function that reads them row by row
    has_scores: bool  # of the positive label, where they are kept
    kept: ScoresOfKeptRows | None = None  # by the metrics that can be counted

    def select(
        self, whole: Predictions, rows: IndexArray, datasets: Sequence[str], classifiers: Sequence[str]
    ) -> CountedCases:
        """Return the counts for some classifiers on some datasets."""
        columns = [whole.classifiers.index(name) for name in classifiers]
        patterns = None if self.patterns is None else self.patterns.select(columns)
        chosen = _Chosen(self.load, tuple(datasets), tuple(classifiers))
        return self._replace(n_instances=self.n_instances[rows], patterns=patterns, load=chosen)


class _Chosen(NamedTuple):
    """Function that loads predictions and selects datasets and classifiers."""

    load: Any
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]

    def __call__(self) -> Predictions:
        predictions: Predictions = self.load()
        return predictions.select(self.datasets, self.classifiers)


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictions(Record):
    """Result of `read_predictions`: checked predictions of classifiers on datasets.

    Each of n rows is the prediction of one classifier for one instance. Names and labels are text. The arrays hold the
    indices of the names and labels. The rows are sorted by dataset, classifier, repeat and instance. The order of the
    source has no effect, and the instances of two classifiers are in the same order.

    Attributes
    ----------
    datasets, classifiers, labels : tuple of str
        Names in natural order (fold 2 before fold 10) or, after `select`, in the requested order.
    repeats, folds : tuple of str
        Names in natural order. There is one empty name if the table has no such column.
    positives : tuple of (str or None)
        The positive label of each dataset. It is None if the dataset has more than two labels and no positive label was
        given.
    dataset, classifier, repeat, fold : ndarray of int, shape (n,)
        Index of the name in the tuple of these names.
    y_true : ndarray of int, shape (n,)
        Index of the true label in `labels`.
    y_pred : ndarray of int, shape (n,), or None
        Index of the predicted label in `labels`.
    y_score : ndarray of float64, shape (n,), or None
        Score of the positive label. A greater score means that the positive label is more likely.
    instance : ndarray of int, shape (n,), or None
        Number of the instance, if the table names the instances.
    source : str or None
        Name of the file, without its folder.
    findings : tuple of Finding, default: ()
        Findings about the interpretation of the source and about omitted parts, with the reasons.
    format : str, default: ''
        Name of the format of the source, if `read_predictions` recognized it or the caller gave it.
    """

    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    repeats: tuple[str, ...]
    folds: tuple[str, ...]
    labels: tuple[str, ...]
    positives: tuple[str | None, ...]
    dataset: IndexArray
    classifier: IndexArray
    repeat: IndexArray
    fold: IndexArray
    y_true: IndexArray
    y_pred: IndexArray | None
    y_score: FloatArray | None
    instance: IndexArray | None
    source: str | None
    findings: tuple[Finding, ...] = ()
    format: str = ""
    _counted: CountedCases | None = None
    _subgroup: Subgroups | None = None  # of each row
    _cluster: Subgroups | None = None  # of each row; their instances may be correlated
    _has_seeds: bool = False  # the repeats are numbers of seeds
    _unconfirmed: Mapping[str, bool] = field(default_factory=dict)  # datasets: whether the positive label is a guess

    def select(self, datasets: Sequence[str], classifiers: Sequence[str]) -> Predictions:
        """Return the predictions of some classifiers on some datasets, in the given order.

        Parameters
        ----------
        datasets, classifiers : sequence of str
            Names in the attributes `datasets` and `classifiers`.

        Returns
        -------
        Predictions
        """
        if (tuple(datasets), tuple(classifiers)) == (self.datasets, self.classifiers):
            return self
        dataset_of = _renumbered(self.datasets, datasets, "datasets")[self.dataset]
        classifier_of = _renumbered(self.classifiers, classifiers, "classifiers")[self.classifier]
        kept = np.flatnonzero((dataset_of >= 0) & (classifier_of >= 0))
        # a stable sort keeps the order of repeats and instances
        rows = kept[np.lexsort((classifier_of[kept], dataset_of[kept]))]
        names = ("repeat", "fold", "y_true", "y_pred", "y_score", "instance")
        taken: dict[str, Any] = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return replace(
            self,
            datasets=tuple(datasets),
            classifiers=tuple(classifiers),
            positives=tuple(self.positives[self.datasets.index(name)] for name in datasets),
            dataset=_fixed(dataset_of[rows]),
            classifier=_fixed(classifier_of[rows]),
            _counted=None if self._counted is None else self._counted.select(self, rows, datasets, classifiers),
            _subgroup=None if self._subgroup is None else self._subgroup.at(rows),
            _cluster=None if self._cluster is None else self._cluster.at(rows),
            **{name: _fixed(array[rows]) for name, array in taken.items()},
        )

    @property
    def n_instances(self) -> int:
        """Number of test instances in all datasets. All classifiers of a dataset predicted the same instances."""
        size = len(self.datasets) * len(self.classifiers)
        pair = self.dataset * len(self.classifiers) + self.classifier
        n_instances = None if self._counted is None else self._counted.n_instances
        counts = np.bincount(pair, n_instances, minlength=size).reshape(len(self.datasets), -1).astype(np.intp)
        first = (counts > 0).argmax(axis=1)  # the first classifier of each dataset
        predicted = counts[np.arange(len(counts)), first]
        if len(self.repeats) == 1:
            return int(predicted.sum())
        rows = np.flatnonzero(self.classifier == first[self.dataset])
        if self.instance is not None:
            return len(np.unique(self.dataset[rows] * (int(self.instance.max()) + 1) + self.instance[rows]))
        own = np.unique(self.dataset[rows] * len(self.repeats) + self.repeat[rows])
        n_repeats = np.bincount(own // len(self.repeats), minlength=len(counts))
        return int((predicted // n_repeats).sum())

    @property
    def _names_cases(self) -> bool:
        return self.instance is not None or (self._counted is not None and self._counted.patterns is not None)

    @property
    def _has_scores(self) -> bool:
        return self.y_score is not None or (self._counted is not None and self._counted.has_scores)

    def one_by_one(self) -> Predictions:
        """Return the same predictions with one row for each prediction. Counted predictions are loaded.

        Returns
        -------
        Predictions
        """
        predictions: Predictions = self if self._counted is None else self._counted.load()
        return predictions

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the predictions as columns of plain Python values, in the form that `read_predictions` accepts.

        Returns
        -------
        dict of str to list
            Labels are text. A column that the predictions do not have is left out.
        """
        named = {
            "dataset": (self.dataset, self.datasets),
            "classifier": (self.classifier, self.classifiers),
            "repeat": (self.repeat, self.repeats),
            "fold": (self.fold, self.folds),
            "y_true": (self.y_true, self.labels),
            "y_pred": (self.y_pred, self.labels),
        }
        columns = {
            name: [names[i] for i in codes.tolist()]
            for name, (codes, names) in named.items()
            if codes is not None and names != ("",)
        }
        further = {"instance": self.instance, "y_score": self.y_score}
        return {**columns, **{name: values.tolist() for name, values in further.items() if values is not None}}


def refuse_clusters(predictions: Predictions | None, analysis: str) -> None:
    """Raise an error for predictions in clusters, if an analysis does not use the clusters."""
    if predictions is not None and predictions._cluster is not None:
        raise InvalidValueError(
            f"cluster is for comparisons of classifiers on the instances of one test set, not for {analysis}"
        )


# --- columns ----------------------------------------------------------------------------------------------------------


def _renumbered(names: tuple[str, ...], chosen: Sequence[str], argument: str) -> IndexArray:
    """Return the new number of each name, or -1 if the name is not chosen."""
    number = np.full(len(names), -1, dtype=np.intp)
    for new, name in enumerate(chosen):
        if name not in names:
            raise InvalidValueError(f"{argument} must be among {listed(names)}, not {short(name)}")
        number[names.index(name)] = new
    return number


def _fixed(array: AnyArray) -> Any:
    array.setflags(write=False)
    return array
