"""Scores of each classifier in the folds and repeats of a cross-validation."""

from __future__ import annotations

__all__ = ["FoldScores", "RunScores", "fold_scores_of_predictions", "run_scores_of_predictions", "runs_of"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from evalstats._result import Record
from evalstats._types import FloatArray

if TYPE_CHECKING:
    from evalstats.tables.prediction_scores import GroupScore, PredictionScores


@dataclass(frozen=True, kw_only=True, eq=False)
class FoldScores(Record):
    """Scores of the folds of one dataset. All classifiers have the same folds.

    Attributes
    ----------
    dataset : str
        Name of the dataset.
    scores : ndarray of float64, shape (n_repeats, n_folds, n_classifiers)
        The score of each fold. The classifiers are in the order of the table. The scores of the folds are not
        independent.
    repeats, folds : tuple of str
        Names of the repeats and of the folds, in natural order. There is one empty name if the table does not name
        them.
    n_train, n_test : float or None
        Mean sizes of the training and test sets, or None if the table does not state them.
    same_split : bool, default: False
        Whether the repeats are runs with different seeds on the same training and test set. Given these sets, the
        scores of the runs are independent.
    """

    dataset: str
    scores: FloatArray
    repeats: tuple[str, ...]
    folds: tuple[str, ...]
    n_train: float | None
    n_test: float | None
    same_split: bool = False

    def _axes(self) -> tuple[str, ...]:
        return "repeat", "fold", "classifier"


class RunScores(NamedTuple):
    """Scores of all classifiers on one dataset in each repeat, aggregated over the folds as in the table."""

    dataset: str
    repeats: tuple[str, ...]
    scores: FloatArray  # (n_repeats, n_classifiers)


def fold_scores_of_predictions(scored: PredictionScores) -> tuple[FoldScores, ...]:
    """Return the fold scores of predictions, or an empty result if a fold has no score or there is only one fold."""
    counts_as_zero = scored.aggregate == "mean" and scored.undefined == "zero"
    result = []
    for dataset, groups in _groups_of_datasets(scored):
        first = groups[0]
        repeats, folds = (tuple(dict.fromkeys(names)) for names in (first.repeats, first.folds))
        shape = len(repeats), len(folds)
        if (
            len(groups) != len(scored.classifiers)
            or len(first.fold_scores) < 2
            or any((group.repeats, group.folds) != (first.repeats, first.folds) for group in groups)
            or len(first.fold_scores) != shape[0] * shape[1]
        ):
            return ()
        scores = np.stack([group.fold_scores for group in groups], axis=-1).reshape(*shape, -1)
        if counts_as_zero:
            scores = np.where(np.isnan(scores), 0.0, scores)
        if not np.isfinite(scores).all():
            return ()
        scores.setflags(write=False)
        # in each repeat, every instance is tested once and is in the training sets of all other folds
        n_test = first.n_instances / len(folds)
        n_train = first.n_instances - n_test if len(folds) > 1 else None
        result.append(
            FoldScores(
                dataset=dataset,
                scores=scores,
                repeats=repeats,
                folds=folds,
                n_train=n_train,
                n_test=n_test if n_train else None,
                same_split=len(folds) == 1 and _is_one_test_set(scored, dataset, len(repeats)),
            )
        )
    return tuple(result)


def _is_one_test_set(scored: PredictionScores, dataset: str, n_repeats: int) -> bool:
    """Return whether the repeats are runs with different seeds that predicted the same instances."""
    own = scored._predictions
    if not own._has_seeds or own.instance is None:
        return False
    rows = own.dataset == own.datasets.index(dataset)
    n_instances = len(np.unique(own.instance[rows]))
    return int(rows.sum()) == n_instances * n_repeats * len(scored.classifiers)


def run_scores_of_predictions(scored: PredictionScores) -> tuple[RunScores, ...]:
    """Return the scores of the repeats of each dataset on which all classifiers were tested."""
    return tuple(
        RunScores(
            dataset,
            tuple(dict.fromkeys(groups[0].repeats)),
            np.stack([group.repeat_scores for group in groups], axis=-1),
        )
        for dataset, groups in _groups_of_datasets(scored)
        if len(groups) == len(scored.classifiers)
    )


def _groups_of_datasets(scored: PredictionScores) -> list[tuple[str, list[GroupScore]]]:
    found: dict[str, list[GroupScore]] = {dataset: [] for dataset in scored.datasets}
    for group in scored.groups:
        found[group.dataset].append(group)
    return list(found.items())


def runs_of(runs: Sequence[RunScores]) -> FloatArray | None:
    """Return the scores of all repeats, of shape (n_repeats, n_datasets, n_classifiers).

    Return None if the datasets have no repeats, or if their repeats differ.
    """
    if not runs or len(runs[0].repeats) < 2 or any(one.repeats != runs[0].repeats for one in runs):
        return None
    return np.stack([one.scores for one in runs], axis=1)
