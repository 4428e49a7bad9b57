"""Scores of predictions by fold and in aggregate, with the findings of `evalstats.metrics.check_folds`."""

from __future__ import annotations

__all__ = ["INTERVAL", "PredictionAnalysis", "analyze_predictions", "chosen_sum", "sums"]

import csv
import io
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._findings import Finding, gravest_first
from evalstats._result import Record, of_rows
from evalstats.metrics import FoldPreset, check_folds, cross_validated_mean
from evalstats.tables.prediction_scores import (
    Group,
    GroupScore,
    MetricChoice,
    MetricScores,
    PredictionScores,
    groups_of,
    metric_choice,
    metric_scores,
    score_predictions,
    several_metrics,
)
from evalstats.tables.predictions import Predictions

# metrics that are means over instances, and the code of the finding with their interval
MEANS_OF_INSTANCES = ("accuracy", "error_rate")
INTERVAL = "cross-validated-interval"


@dataclass(frozen=True, kw_only=True, eq=False)
class PredictionAnalysis(Record):
    """Result of `analyze_predictions`. `evalstats.report` renders it.

    Attributes
    ----------
    scores : PredictionScores or MetricScores
        The scores for one metric or for several metrics.
    findings : tuple of Finding
        Findings about the folds, sorted by dataset and then by severity. Each finding names the datasets, classifiers
        and repeats that it concerns.
    seed : int or None
        Seed for the p-values in the findings. It is None if there are no such p-values, or if `rng` was a Generator.
    """

    scores: PredictionScores | MetricScores
    findings: tuple[Finding, ...]
    seed: int | None

    def __str__(self) -> str:
        return f"{super().__str__()}{''.join(of_rows(scores.groups) for scores in self.by_metric)}"

    def _rows(self) -> Sequence[Record]:
        return self.findings

    def to_csv(self) -> str:
        """Return the scores as CSV: a row for each fold, and a row for each aggregated score.

        Returns
        -------
        str
            Rows of folds have no `aggregate`, and rows of aggregated scores have no `fold`. The cell of an undefined
            score is empty.
        """
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["dataset", "classifier", "repeat", "fold", "aggregate", "metric", "score"])
        for scores in self.by_metric:
            for group in scores.groups:
                key = [group.dataset, group.classifier]
                for repeat, fold, score in zip(group.repeats, group.folds, group.fold_scores.tolist(), strict=True):
                    writer.writerow([*key, repeat, fold, "", scores.metric, _exact(score)])
                for name, score in sums(group, scores).items():
                    writer.writerow([*key, "", "", name, scores.metric, _exact(score)])
        return out.getvalue()

    @property
    def by_metric(self) -> tuple[PredictionScores, ...]:
        """Scores of each metric."""
        return self.scores.by_metric if isinstance(self.scores, MetricScores) else (self.scores,)


def analyze_predictions(
    predictions: Predictions,
    *,
    metric: str | list[str] | tuple[str, ...] | None = None,
    aggregate: str | None = None,
    undefined: str = "nan",
    n_resamples: int = 999,
    rng: Any = None,
) -> PredictionAnalysis:
    """Analyze predictions: compute the scores of all folds and their aggregate, and check the folds.

    Parameters
    ----------
    predictions : Predictions
        Result of `read_predictions`.
    metric : str or list of str, optional
        As in `score_predictions`.
    aggregate : str, optional
        As in `score_predictions`. For several metrics, each metric must support the aggregation.
    undefined : {'raise', 'nan', 'zero', 'skip'}, default: 'nan'
        As in `score_predictions`, but the default is ``'nan'`` instead of ``'raise'``.
    n_resamples : int, default: 999
        As in `evalstats.metrics.check_folds`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. Each check uses the same seed.

    Returns
    -------
    PredictionAnalysis

    Raises
    ------
    TableError, InvalidValueError
        Under the same conditions as `score_predictions`.

    Examples
    --------
    >>> from evalstats.io.reader.predictions import read_predictions
    >>> from evalstats.tables.prediction_report import analyze_predictions
    >>> predictions = read_predictions({
    ...     "dataset": ["d"] * 8, "classifier": ["NB"] * 8, "fold": [1, 1, 1, 1, 2, 2, 2, 2],
    ...     "y_true": [1, 1, 0, 0, 1, 0, 0, 0], "y_pred": [1, 0, 0, 0, 0, 0, 0, 0],
    ... })
    >>> report = analyze_predictions(predictions, metric="f1")
    >>> report.scores.scores, report.scores.groups[0].fold_scores.round(3)
    (array([[0.5]]), array([0.667,   nan]))
    >>> [finding.code for finding in report.findings]
    ['fold-without-predicted-positives', 'f-values-differ']
    """
    asked = [metric] if isinstance(metric, str | None) else several_metrics(metric)
    choices = [metric_choice(predictions, one, aggregate, undefined) for one in asked]
    source = _checks.random_source(rng)

    by_metric = [
        score_predictions(predictions, metric=choice.name, aggregate=choice.aggregate, undefined=choice.undefined)
        for choice in choices
    ]

    # findings about the folds either do not depend on the metric, or name the metric
    found = {
        (one.code, one.sentence, str(one.places)): one
        for choice, scores in zip(choices, by_metric, strict=True)
        for one in itertools.chain(
            _findings(predictions, choice, scores.description, n_resamples, source.given),
            _intervals(predictions, choice),
        )
    }
    findings = gravest_first(found.values())
    order = {dataset: i for i, dataset in enumerate(predictions.datasets)}
    by_dataset = sorted(findings, key=lambda finding: order[finding.places[0]["dataset"]])
    is_simulated = any(finding.code == "uncalibrated-folds" for finding in findings)
    return PredictionAnalysis(
        scores=by_metric[0] if isinstance(metric, str | None) else metric_scores(by_metric),
        findings=tuple(by_dataset),
        seed=source.seed if is_simulated else None,
    )


# --- findings ---------------------------------------------------------------------------------------------------------


def _findings(
    predictions: Predictions, choice: MetricChoice, description: str, n_resamples: int, rng: Any
) -> Iterator[Finding]:
    """Yield the findings on the folds of each repeat. A finding on several classifiers is reported once."""
    if len(predictions.folds) < 2:
        return
    predictions = predictions.one_by_one()
    preset = FoldPreset(
        f1={
            "aggregate": choice.aggregate if choice.is_f1 else "tp_fp",
            "undefined": "skip" if choice.undefined == "skip" else "zero",
        },
        auc={"aggregate": choice.aggregate if choice.record.needs == "scores" else "mean"},
        meaning=description,
    )
    n_cross_validations = len(predictions.datasets) * len(predictions.repeats)
    found: dict[tuple[str, str, str, str], list[Group]] = {}
    positives = dict(zip(predictions.datasets, predictions.positives, strict=True))
    for group in itertools.chain.from_iterable(groups_of(predictions)):
        if positives[group.dataset] is None or len(group.folds) < 2:
            continue
        check = check_folds(
            group.is_positive,
            _fold_keys(group),
            y_pred=group.is_predicted if choice.record.needs == "labels" and choice.needs_positive else None,
            y_score=group.score if choice.record.needs == "scores" else None,
            groups=group.instance,
            pos_label=True,
            preset=preset,
            n_cross_validations=n_cross_validations,
            n_resamples=n_resamples,
            rng=rng,
        )
        for finding in check:
            key = group.dataset, finding.code, finding.severity, finding.sentence
            found.setdefault(key, []).append(group)
    for (_, code, severity, sentence), groups in found.items():
        yield Finding(code=code, severity=severity, sentence=sentence, places=tuple(map(_place, groups)))


def _intervals(predictions: Predictions, choice: MetricChoice) -> Iterator[Finding]:
    """Yield a finding with the interval for the accuracy of each classifier in one cross-validation."""
    if len(predictions.folds) < 2 or choice.name not in MEANS_OF_INSTANCES or predictions._cluster is not None:
        return
    for groups in groups_of(predictions.one_by_one()):
        group = groups[0]
        if len(groups) > 1 or len(group.folds) < 2 or group.predicted is None:
            continue
        is_counted = np.equal(group.true, group.predicted) == (choice.name == "accuracy")
        found = cross_validated_mean(is_counted.astype(np.float64), group.fold)
        low, high = found.confidence_interval()
        yield Finding(
            code=INTERVAL,
            severity="note",
            sentence=(
                f"the {choice.name.replace('_', ' ')} is {found.estimate:.3f}, 95% interval {low:.3f} to {high:.3f}, "
                f"for models trained on {found.n_train} of {found.n_instances} instances"
            ),
            places=(_place(group),),
            numbers={"estimate": float(found.estimate), "low": float(low), "high": float(high)},
        )


def _place(group: Group) -> dict[str, str]:
    place = {"dataset": group.dataset, "classifier": group.classifier, "repeat": group.repeat}
    return {what: name for what, name in place.items() if name}


def _fold_keys(group: Group) -> Any:
    """Return the fold of each instance: its name, or its number if all names are numbers."""
    names: list[Any] = list(group.folds)
    if all(name.isdecimal() for name in names):
        names = [int(name) for name in names]
    return np.array(names)[np.unique(group.fold, return_inverse=True)[1]]


# --- sums -----------------------------------------------------------------------------------------------------------


def sums(group: GroupScore, scores: PredictionScores) -> dict[str, float]:
    """Return the aggregated scores of a group, by the name of the aggregation."""
    others = {} if group.strategies is None else group.strategies.to_dict()
    return {**others, chosen_sum(scores): group.score}


def chosen_sum(scores: PredictionScores) -> str:
    """Return the name of the aggregation that gives the score."""
    skips = scores.metric == "f1" and scores.undefined == "skip" and scores.aggregate != "tp_fp"
    return scores.aggregate + "_skip" * skips


def _exact(value: float) -> str:
    return "" if math.isnan(value) else repr(value)
