"""Predictions for one dataset, aligned by instance, for functions that compare classifiers by instance."""

from __future__ import annotations

__all__ = ["AlignedCases", "aligned_cases", "predicted_once", "times_predicted", "with_probabilities"]

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError, listed
from evalstats._findings import Finding, note
from evalstats._types import BoolArray, FloatArray, IndexArray
from evalstats.tables.categorical import Subgroups
from evalstats.tables.errors import TableError, short
from evalstats.tables.positive_label import check_scored_label
from evalstats.tables.predictions import Predictions, refuse_clusters

ROUNDING = 1e-6  # single precision and six decimals leave less


class AlignedCases(NamedTuple):
    """Predictions of k classifiers for the same n instances of one dataset, in the order of the instances."""

    y_true: IndexArray  # (n,), numbers of labels
    y_pred: IndexArray | None  # (k, n)
    y_score: FloatArray | None  # (k, n)
    positive: int  # number of the positive label; -1 where no instance has it
    subgroup: Subgroups | None = None  # of the instances
    cluster: Subgroups | None = None  # of the instances

    @property
    def is_positive(self) -> BoolArray:
        """Whether each instance is positive, shape (n,)."""
        return np.equal(self.y_true, self.positive)

    @property
    def is_right(self) -> BoolArray:
        """Whether each classifier (row) predicts each instance (column) correctly, shape (k, n)."""
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
        The classifiers are in the order of `predictions`. Clusters are left out if each has one instance.

    Raises
    ------
    InvalidValueError
        If the instances of several classifiers are not named. If an instance was predicted several times or by only
        some classifiers, or if it has several true labels, subgroups or clusters.
    """
    predictions = predictions.one_by_one()
    k = len(predictions.classifiers)
    if predictions.instance is None and k > 1:
        raise TableError(
            "the instances are not named, so the answers of two classifiers to one instance cannot be "
            "paired; add the column 'row' to the predictions",
            "if the rows of all classifiers are in the same order, pass {}",
            "same_order",
            "True",
        )
    instance = np.arange(predictions.y_true.size) if predictions.instance is None else predictions.instance
    order = np.lexsort((instance, predictions.classifier))
    case, rest = instance[order], len(order) % k
    if rest or (case.reshape(k, -1) != case[: len(case) // k]).any() or (np.diff(case.reshape(k, -1)) == 0).any():
        raise InvalidValueError(_not_once(predictions, instance))
    true = predictions.y_true[order].reshape(k, -1)
    if (several := (true != true[0]).any(axis=0)).any():
        name = predictions.labels[true[0, int(several.argmax())]]
        raise InvalidValueError(
            f"each instance must have one true label, but an instance has {short(name)} and a different label"
        )
    label = predictions.positives[0]
    return AlignedCases(
        y_true=true[0],
        y_pred=None if predictions.y_pred is None else predictions.y_pred[order].reshape(k, -1),
        y_score=None if predictions.y_score is None else predictions.y_score[order].reshape(k, -1),
        positive=-1 if label is None or label not in predictions.labels else predictions.labels.index(label),
        subgroup=_of_instances(predictions._subgroup, order.reshape(k, -1), "subgroup"),
        cluster=_grouped(_of_instances(predictions._cluster, order.reshape(k, -1), "cluster")),
    )


def _of_instances(groups: Subgroups | None, rows: IndexArray, what: str) -> Subgroups | None:
    """Return the subgroup or cluster of each instance; raise an error if its k rows differ."""
    if groups is None:
        return None
    code = groups.code[rows]
    if (differs := (code != code[0]).any(axis=0)).any():
        names = {groups.names[i] for i in code[:, int(differs.argmax())].tolist()}
        raise InvalidValueError(
            f"each instance must be in one {what}, but an instance is in {listed(sorted(names))} of the column "
            f"{short(groups.column)}"
        )
    return replace(groups, code=code[0])


def _grouped(cluster: Subgroups | None) -> Subgroups | None:
    """Return the clusters, or None if each instance is a cluster; raise an error for a single cluster."""
    if cluster is None:
        return None
    n, n_clusters = len(cluster.code), len(np.unique(cluster.code))
    if n_clusters == 1 < n:
        raise InvalidValueError(
            f"cluster must name two clusters or more, but all {n:,} instances are in {short(cluster.labels[0])} of the "
            f"column {short(cluster.column)}"
        )
    return None if n_clusters == n else cluster


def _not_once(predictions: Predictions, instance: IndexArray) -> str:
    """Return the message about a classifier that predicted an instance several times or not at all."""
    k, (different, case) = len(predictions.classifiers), np.unique(instance, return_inverse=True)
    times = np.bincount(predictions.classifier * len(different) + case, minlength=k * len(different))
    wrong = int((times != 1).argmax())
    return (
        "each instance must be predicted once by each classifier, but "
        f"{short(predictions.classifiers[wrong // len(different)])} has {times[wrong]} predictions of an instance; "
        "give one prediction of each instance"
    )


def times_predicted(predictions: Predictions) -> int:
    """Return how often a classifier predicted each instance, even if there is no column of repeats."""
    n_repeats = len(predictions.repeats)
    # counted instances were predicted once in each repeat
    if predictions.instance is None:
        return n_repeats
    cases = predictions.dataset * (int(predictions.instance.max()) + 1) + predictions.instance
    # count by sorting, because the numbers may be much larger than the number of rows
    return max(n_repeats, int(np.unique(cases[predictions.classifier == 0], return_counts=True)[1].max()))


def predicted_once(predictions: Predictions, analysis: str) -> tuple[Finding, ...]:
    """Return a note on the positive class, or raise an error if it is unknown or an instance was predicted twice."""
    refuse_clusters(predictions, analysis)
    for dataset, positive in zip(predictions.datasets, predictions.positives, strict=True):
        if positive is None:
            raise TableError(
                f"the dataset {short(dataset)} has more than two labels, {listed(predictions.labels)}: one of them "
                f"must be the positive class",
                "choose it with {}",
                "pos_label",
                predictions.labels[0],
            )
    if times_predicted(predictions) > 1:
        raise InvalidValueError(
            f"{analysis} needs one prediction of each instance by each classifier, but some instances were predicted "
            "several times; choose one repeat"
        )
    labels = dict.fromkeys(filter(None, predictions.positives))
    return (note("positive-label", f"The positive class is {listed(labels)}."),)


def with_probabilities(predictions: Predictions, analysis: str) -> tuple[Predictions, tuple[Finding, ...]]:
    """Return predictions with probabilities from 0 to 1, and findings on clipped values, for an analysis."""
    if predictions.y_score is None:
        raise TableError(
            f"{analysis} needs the probability of the positive class", "name its column with {}", "y_score"
        )
    findings = predicted_once(predictions, analysis)
    check_scored_label(predictions)
    score = predictions.y_score
    excess = np.maximum(-score, score - 1)
    wrong = int(excess.argmax())
    if excess[wrong] > ROUNDING:
        who = short(predictions.classifiers[predictions.classifier[wrong]])
        at = wrong - int(np.flatnonzero(predictions.classifier == predictions.classifier[wrong])[0])
        number = at + 1 if predictions.instance is None else int(predictions.instance[wrong]) + 1
        raise InvalidValueError(
            f"y_score must hold probabilities from 0 to 1, but {who} has {score[wrong]:.10g} for instance "
            f"{number}; {analysis} is defined only for probabilities"
        )
    n_clipped = int((excess > 0).sum())
    if not n_clipped:
        return predictions, findings
    what = "1 probability is" if n_clipped == 1 else f"{n_clipped:,} probabilities are"
    found = note(
        "clipped-probabilities",
        f"{what} outside of [0, 1] by at most {excess.max():.1g}, because of rounding, and "
        f"{'was' if n_clipped == 1 else 'were'} "
        "set to 0 or 1.",
    )
    return replace(predictions, y_score=np.clip(score, 0.0, 1.0)), (*findings, found)
