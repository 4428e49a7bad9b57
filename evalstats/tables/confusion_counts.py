"""Confusion matrices of all classifiers on each dataset, with the same rows and columns."""

from __future__ import annotations

__all__ = ["ConfusionMatrices", "confusion_matrices"]

from dataclasses import dataclass

import numpy as np

from evalstats import _checks
from evalstats._result import Record
from evalstats._types import IndexArray, IntArray
from evalstats.metrics import confusion_counts
from evalstats.tables.errors import TableError, short
from evalstats.tables.predictions import Predictions

# maximum number of cells of all matrices: 800 MB
MOST_CELLS = 100_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfusionMatrices(Record):
    """Result of `confusion_matrices`.

    Attributes
    ----------
    classifiers, datasets : tuple of str
        Names, in the order of the predictions.
    labels : tuple of tuple of str
        The labels of the rows (true) and the columns (predicted) of the matrices of each dataset.
    counts : tuple of ndarray of int64
        One array for each dataset with c labels, of shape (n_classifiers, c, c), or (n_classifiers, n_folds, c, c) by
        fold. The counts are sums over the repeats.
    folds : tuple of str
        Names of the folds, or an empty tuple if the counts are also sums over the folds.
    """

    classifiers: tuple[str, ...]
    datasets: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    counts: tuple[IntArray, ...]
    folds: tuple[str, ...]


def confusion_matrices(predictions: Predictions, *, folds: bool = False) -> ConfusionMatrices:
    """Count the true and predicted labels of every classifier on every dataset in confusion matrices.

    Parameters
    ----------
    predictions : Predictions
        Result of `read_predictions`, with predicted labels.
    folds : bool, default: False
        Whether to count each fold separately.

    Returns
    -------
    ConfusionMatrices
        `counts` is the input of `evalstats.multiple.project_classifiers`.

    Raises
    ------
    TableError
        If there are no predicted labels, if a classifier was not tested on every dataset, or if a dataset has too many
        labels.
    InvalidTypeError
        If an argument has the wrong type.

    Examples
    --------
    >>> from evalstats import read_predictions
    >>> from evalstats.tables import confusion_matrices
    >>> predictions = read_predictions({
    ...     "dataset": ["flowers"] * 6, "classifier": ["NB"] * 3 + ["SVM"] * 3, "row": [1, 2, 3] * 2,
    ...     "y_true": ["rose", "rose", "lily"] * 2, "y_pred": ["rose", "lily", "lily", "rose", "rose", "rose"],
    ... })
    >>> found = confusion_matrices(predictions)
    >>> found.labels
    (('lily', 'rose'),)
    >>> found.counts[0].tolist()
    [[[1, 0], [1, 1]], [[0, 1], [0, 2]]]
    """
    predictions = _checks.instance(predictions, "predictions", Predictions, "a result of read_predictions")
    folds = _checks.boolean(folds, "folds")
    if predictions.y_pred is None:
        raise TableError("predictions must have predicted labels for a confusion matrix, but have no such column")
    edges = np.searchsorted(predictions.dataset, np.arange(len(predictions.datasets) + 1))
    made = [
        _of_dataset(predictions, d, slice(int(edges[d]), int(edges[d + 1])), folds)
        for d in range(len(predictions.datasets))
    ]
    return ConfusionMatrices(
        classifiers=predictions.classifiers,
        datasets=predictions.datasets,
        labels=tuple(labels for labels, _ in made),
        counts=tuple(counts for _, counts in made),
        folds=predictions.folds if folds else (),
    )


def _of_dataset(predictions: Predictions, d: int, rows: slice, folds: bool) -> tuple[tuple[str, ...], IntArray]:
    assert predictions.y_pred is not None
    classifier, n = predictions.classifier[rows], len(predictions.classifiers)
    tested = np.bincount(classifier, minlength=n) > 0
    name = predictions.datasets[d]
    if not tested.all():
        missing = predictions.classifiers[int(np.argmin(tested))]
        raise TableError(
            f"every classifier must have predictions for every dataset, but {missing} has none for {short(name)}"
        )
    present, codes = np.unique(
        np.concatenate([predictions.y_true[rows], predictions.y_pred[rows]]), return_inverse=True
    )
    fold: IndexArray = predictions.fold[rows]
    own, fold = np.unique(fold, return_inverse=True)
    n_folds, c = len(own) if folds else 1, len(present)
    if n * n_folds * c * c > MOST_CELLS:
        raise TableError(
            f"dataset {short(name)} has {c:,} labels, too many to count each pair; check whether the labels are scores"
        )
    part = classifier * n_folds + (fold if folds else 0)
    counted = predictions._counted
    counts = confusion_counts(
        codes[: len(classifier)],
        codes[len(classifier) :],
        n_classes=c,
        fold=part,
        n_folds=n * n_folds,
        sample_weight=None if counted is None else counted.n_instances[rows],
    )
    shape = (n, n_folds, c, c) if folds else (n, c, c)
    return tuple(predictions.labels[i] for i in present.tolist()), counts.astype(np.int64).reshape(shape)
