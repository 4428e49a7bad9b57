"""Score of each dataset and classifier, computed from predictions in folds."""

from __future__ import annotations

__all__ = [
    "Group",
    "GroupScore",
    "MetricChoice",
    "MetricScores",
    "PredictionScores",
    "groups_of",
    "metric_choice",
    "metric_names",
    "metric_scores",
    "score_predictions",
    "several_metrics",
    "usual_name",
]

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from evalstats import _checks, metrics
from evalstats._errors import InvalidTypeError, InvalidValueError, listed
from evalstats._lexicon import names_of, simplified, word_list
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray, IndexArray, IntArray
from evalstats.metrics import METRICS, F1Strategies, Metric
from evalstats.metrics.registry import ExternalMetric, external_metric
from evalstats.tables.correct_answers import OF_RIGHT_CASES, right_counts
from evalstats.tables.errors import TableError, short
from evalstats.tables.positive_label import check_positive_label, check_scored_label
from evalstats.tables.predictions import Predictions

if TYPE_CHECKING:
    from evalstats.tables.predictions import ScoresOfKeptRows

# alternative names of metrics in lower case, with underscores for spaces and hyphens
ALIASES = {
    **{word: name for name in names_of("aliases") for word in word_list(f"aliases.{name}")},
    **{record.function: name for name, record in METRICS.items()},
}
AVERAGES = ("micro", "macro", "weighted")
# metrics with a numeric parameter, which a metric name cannot contain
NEED_A_NUMBER = {"fbeta": "beta", "precision_at_n": "n"}

# the recommended aggregation is first
AGGREGATES = {"f1": ("tp_fp", "mean", "precision_recall"), "scores": ("mean", "merge")}
POOLED = ("pooled", "mean")
# maximum number of cells of the confusion counts of a cross-validation: 400 MB
MOST_CELLS = 50_000_000
POLICIES = ("raise", "zero", "skip", "nan")

NAMES = {
    "f1": "F1",
    "roc_auc": "AUC",
    "brier": "Brier score",
    "cohen_kappa": "Cohen's kappa",
    "matthews_corrcoef": "Matthews' correlation",
}
WORDS = {
    "tp_fp": "from TP, FP and FN summed over the folds",
    "precision_recall": "from the means over the folds of precision and recall",
    "mean": "mean over the folds",
    "merge": "of the scores of all folds together",
    "pooled": "of the instances of all folds together",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupScore(Record):
    """Score of one classifier on one dataset, with the scores of its folds.

    Attributes
    ----------
    dataset, classifier : str
        Names of the dataset and of the classifier.
    score : float
        The score, which is the mean over the repeats if there are several repeats.
    repeat_scores : ndarray of shape (n_repeats,)
        The score of each repeat, aggregated over its folds.
    repeats, folds : tuple of str, one name for each fold
        Name of the repeat and of the fold. The names are empty if there is only one repeat or fold.
    fold_scores : ndarray of shape (n_folds,)
        Score of each fold of each repeat. An undefined score is nan.
    n_undefined : int
        Number of folds without a score.
    n_instances, n_positive : int
        Numbers of instances and of positive instances in each repeat. `n_positive` is -1 if no label is positive.
    strategies : F1Strategies or None
        For F1, the values of the five aggregations, each as the mean over the repeats. None for other metrics.
    """

    dataset: str
    classifier: str
    score: float
    repeat_scores: FloatArray
    repeats: tuple[str, ...]
    folds: tuple[str, ...]
    fold_scores: FloatArray
    n_undefined: int
    n_instances: int
    n_positive: int
    strategies: F1Strategies | None


@dataclass(frozen=True, kw_only=True, eq=False)
class PredictionScores(Record):
    """Scores of classifiers on datasets, and their computation from predictions.

    Attributes
    ----------
    metric : str
        Name of the metric, such as ``'f1'`` or ``'f1_macro'``.
    greater_is_better : bool
        Direction of the metric.
    aggregate, undefined : str
        The aggregation over the folds, and the treatment of folds without a score.
    description : str
        Phrase that states the metric and its aggregation.
    datasets, classifiers : tuple of str
        Names of the rows and columns of `scores`.
    scores : ndarray of shape (n_datasets, n_classifiers)
        The scores. A score is nan if a classifier was not tested on a dataset, or if the score is undefined and
        `undefined` is ``'nan'``.
    groups : tuple of GroupScore
        Each score with the scores of its folds, sorted by dataset and then by classifier.
    """

    metric: str
    greater_is_better: bool
    aggregate: str
    undefined: str
    description: str
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    scores: FloatArray
    groups: tuple[GroupScore, ...]
    _predictions: Predictions
    _choice: MetricChoice

    def select(self, datasets: Sequence[str], classifiers: Sequence[str]) -> PredictionScores:
        """Return the scores of some classifiers on some datasets, in the given order.

        Parameters
        ----------
        datasets, classifiers : sequence of str
            Names of rows and columns of `scores`.

        Returns
        -------
        PredictionScores
        """
        if (tuple(datasets), tuple(classifiers)) == (self.datasets, self.classifiers):
            return self
        rows, columns = map(self.datasets.index, datasets), map(self.classifiers.index, classifiers)
        scores = self.scores[np.ix_(list(rows), list(columns))]
        scores.setflags(write=False)
        found = {(group.dataset, group.classifier): group for group in self.groups}
        return replace(
            self,
            datasets=tuple(datasets),
            classifiers=tuple(classifiers),
            scores=scores,
            groups=tuple(found[key] for key in itertools.product(datasets, classifiers) if key in found),
            _predictions=self._predictions.select(datasets, classifiers),
        )

    def _rows(self) -> Sequence[Record]:
        return self.groups


class MetricChoice(NamedTuple):
    """Metric with its options. `chosen` states whether the caller chose the aggregation."""

    name: str
    base: str
    record: Metric
    average: str | None
    aggregate: str
    undefined: str
    chosen: bool

    @property
    def is_f1(self) -> bool:
        """Whether folds can be aggregated in the five ways of Forman & Scholz."""
        return self.name == "f1"

    @property
    def needs_positive(self) -> bool:
        """Whether one label is positive and all others are negative."""
        return self.record.needs != "labels" or (self.average is None and _has_average(self.record))


class Group(NamedTuple):
    """Predictions of one classifier on one dataset in one repeat."""

    dataset: str
    classifier: str
    repeat: str
    true: IndexArray
    predicted: IndexArray | None
    score: FloatArray | None
    fold: IndexArray
    folds: tuple[str, ...]
    positive: int  # number of the positive label; -1 if no instance has it
    instance: IndexArray | None
    n_instances: IntArray | None  # number of instances that each row represents; None: one
    kept: ScoresOfKeptRows | None = None  # where the scores are kept elsewhere
    labels: tuple[str, ...] = ()

    def count(self, chosen: BoolArray | None = None) -> int:
        """Return the number of instances, or the number of chosen instances."""
        if chosen is None:
            return len(self.true) if self.n_instances is None else int(self.n_instances.sum())
        return int(chosen.sum() if self.n_instances is None else self.n_instances[chosen].sum())

    @property
    def is_positive(self) -> BoolArray:
        """Whether each instance is positive."""
        return np.equal(self.true, self.positive)

    @property
    def is_predicted(self) -> BoolArray:
        """Whether each instance is predicted positive."""
        assert self.predicted is not None
        return np.equal(self.predicted, self.positive)


@dataclass(frozen=True, kw_only=True, eq=False)
class MetricScores(Record):
    """Scores of classifiers on datasets by several metrics.

    ``scores["f1"]`` is the `PredictionScores` of one metric.

    Attributes
    ----------
    metrics, datasets, classifiers : tuple of str
        Names of the three axes of `scores`.
    greater_is_better : tuple of bool
        The direction of each metric.
    scores : ndarray of shape (n_metrics, n_datasets, n_classifiers)
        The scores.
    by_metric : tuple of PredictionScores
        The scores of each metric, with the scores of the folds.
    """

    metrics: tuple[str, ...]
    greater_is_better: tuple[bool, ...]
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    scores: FloatArray
    by_metric: tuple[PredictionScores, ...]
    _predictions: Predictions

    def __getitem__(self, metric: str) -> PredictionScores:
        return self.by_metric[self.metrics.index(_checks.choice(usual_name(metric), "metric", self.metrics))]

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the scores as a long table: a row for each dataset, classifier and metric.

        Returns
        -------
        dict of str to list
            The columns `dataset`, `classifier`, `metric` and `score`.
        """
        heads, scores = ("dataset", "classifier", "metric"), np.moveaxis(self.scores, 0, -1)
        names = zip(*itertools.product(self.datasets, self.classifiers, self.metrics), strict=True)
        return dict(zip(heads, map(list, names), strict=True)) | {"score": scores.ravel().tolist()}


@overload
def score_predictions(
    predictions: Predictions, *, metric: str | None = None, aggregate: str | None = None, undefined: str = "raise"
) -> PredictionScores: ...


@overload
def score_predictions(
    predictions: Predictions,
    *,
    metric: list[str] | tuple[str, ...],
    aggregate: str | None = None,
    undefined: str = "raise",
) -> MetricScores: ...


def score_predictions(
    predictions: Predictions,
    *,
    metric: str | list[str] | tuple[str, ...] | None = None,
    aggregate: str | None = None,
    undefined: str = "raise",
) -> PredictionScores | MetricScores:
    """Compute one score for each dataset and classifier from predictions, and describe the computation.

    First, the scores are aggregated over the folds of each repeat. The result is the mean over the repeats.

    Parameters
    ----------
    predictions : Predictions
        Result of `read_predictions`.
    metric : str or list of str, optional
        One metric or several: names in `evalstats.metrics.METRICS`, with ``_micro``, ``_macro`` or ``_weighted`` for an
        average over the labels (``'f1_macro'``), or metrics that another package adds. Without a suffix, precision,
        recall, F and similar metrics are computed for the positive label. ``'fbeta'`` and ``'precision_at_n'`` need a
        number and cannot be chosen. Default: ``'accuracy'`` if labels were predicted, otherwise ``'roc_auc'``.
    aggregate : str, optional
        Aggregation over the folds. The default is the first option.

        - For ``'f1'``: ``'tp_fp'``, ``'mean'`` or ``'precision_recall'``, as in `evalstats.metrics.f1_over_folds`.
        - For metrics of rankings: ``'mean'`` or ``'merge'``, as in `evalstats.metrics.auc_over_folds`.
        - For all other metrics: ``'pooled'``, from the instances of all folds, or ``'mean'``, the mean over the folds.
    undefined : {'raise', 'nan', 'zero', 'skip'}, default: 'raise'
        What to do if a required value is undefined (0/0). ``'raise'``: raise an error. ``'zero'``: the value counts as
        0. ``'skip'``: leave out the fold or, in an average over labels, the label. ``'nan'``: the score is nan.

    Returns
    -------
    PredictionScores or MetricScores
        `MetricScores` for a list of metrics, even if the list has only one metric.

    Raises
    ------
    TableError
        If the columns are not sufficient for the metric, if a required positive label is unknown, or if a value is
        undefined.
    InvalidValueError
        If `metric`, `aggregate` or `undefined` has an unknown value.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57.

    Examples
    --------
    >>> from evalstats.io.reader.predictions import read_predictions
    >>> from evalstats.tables.prediction_scores import score_predictions
    >>> predictions = read_predictions({
    ...     "dataset": ["d"] * 6, "classifier": ["NB"] * 6, "fold": [1, 1, 1, 2, 2, 2],
    ...     "y_true": [1, 1, 0, 1, 0, 0], "y_pred": [1, 0, 0, 1, 1, 1],
    ... })
    >>> scores = score_predictions(predictions, metric="f1")
    >>> scores.scores.round(4), scores.groups[0].fold_scores.round(4)
    (array([[0.5714]]), array([0.6667, 0.5   ]))
    >>> scores.description
    'F1 of the positive label 1, from TP, FP and FN summed over the folds'
    >>> score_predictions(predictions, metric=["accuracy", "f1"]).scores.round(4)[:, 0, 0]
    array([0.5   , 0.5714])
    """
    if not isinstance(metric, str | None):
        return metric_scores(
            [
                score_predictions(predictions, metric=one, aggregate=aggregate, undefined=undefined)
                for one in several_metrics(metric)
            ]
        )
    choice = metric_choice(predictions, metric, aggregate, undefined)
    kept = _scores_where_kept(predictions, choice)
    if choice.record.needs != "labels" and kept is None:
        predictions = predictions.one_by_one()
    if choice.needs_positive:
        average = f"{choice.base}_macro" if _has_average(choice.record) else ""
        check_positive_label(predictions, choice.name, average)
    if choice.record.needs != "labels":
        check_scored_label(predictions)
    if choice.base in OF_RIGHT_CASES:
        groups = tuple(_of_right_cases(predictions, choice))
    else:
        groups = tuple(_score(group, choice) for group in groups_of(predictions, kept))
    scores = np.full((len(predictions.datasets), len(predictions.classifiers)), np.nan)
    row, column = ({name: i for i, name in enumerate(own)} for own in (predictions.datasets, predictions.classifiers))
    for group in groups:
        scores[row[group.dataset], column[group.classifier]] = group.score
    scores.setflags(write=False)
    return PredictionScores(
        metric=choice.name,
        greater_is_better=choice.record.greater_is_better,
        aggregate=choice.aggregate,
        undefined=choice.undefined,
        description=_description(predictions, choice),
        datasets=predictions.datasets,
        classifiers=predictions.classifiers,
        scores=scores,
        groups=groups,
        _predictions=predictions,
        _choice=choice,
    )


def several_metrics(metrics: Any) -> tuple[str, ...]:
    """Return the names of several metrics, or raise an error if a metric occurs twice."""
    if not isinstance(metrics, list | tuple) or not metrics or not all(isinstance(one, str) for one in metrics):
        raise InvalidTypeError(f"metric must be the name of a metric or a list of such names, not {short(metrics)}")
    usual = [usual_name(one) for one in metrics]
    if twice := [one for one, name in zip(metrics, usual, strict=True) if usual.count(name) > 1]:
        raise InvalidValueError(f"metric must name different metrics, but these are the same: {listed(twice)}")
    return tuple(metrics)


def metric_scores(found: Sequence[PredictionScores]) -> MetricScores:
    """Combine the scores of several metrics in one record."""
    scores = np.stack([one.scores for one in found])
    scores.setflags(write=False)
    return MetricScores(
        metrics=tuple(one.metric for one in found),
        greater_is_better=tuple(one.greater_is_better for one in found),
        datasets=found[0].datasets,
        classifiers=found[0].classifiers,
        scores=scores,
        by_metric=tuple(found),
        _predictions=found[0]._predictions,
    )


def _scores_where_kept(predictions: Predictions, choice: MetricChoice) -> ScoresOfKeptRows | None:
    """Return the scores that an engine computes for the metric, or None if the rows are necessary."""
    counted = predictions._counted
    if choice.record.needs == "labels" or counted is None or counted.kept is None:
        return None
    needed = (True,) if choice.aggregate == "mean" else (True, False)
    are_enough = all(counted.kept(choice.base, by_fold=by_fold) is not None for by_fold in needed)
    return counted.kept if are_enough else None


def groups_of(predictions: Predictions, kept: ScoresOfKeptRows | None = None) -> Iterator[tuple[Group, ...]]:
    """Yield the repeats of each classifier on each dataset."""
    number = {label: i for i, label in enumerate(predictions.labels)}
    key = predictions.dataset * len(predictions.classifiers) + predictions.classifier
    for rows in _runs(key):
        d = predictions.dataset[rows.start]
        yield tuple(
            Group(
                dataset=predictions.datasets[d],
                classifier=predictions.classifiers[predictions.classifier[rows.start]],
                repeat=predictions.repeats[predictions.repeat[part.start]],
                true=predictions.y_true[part],
                predicted=None if predictions.y_pred is None else predictions.y_pred[part],
                score=None if predictions.y_score is None else predictions.y_score[part],
                fold=predictions.fold[part],
                folds=tuple(predictions.folds[i] for i in np.unique(predictions.fold[part]).tolist()),
                positive=number.get(predictions.positives[d] or "", -1),
                instance=None if predictions.instance is None else predictions.instance[part],
                n_instances=None if predictions._counted is None else predictions._counted.n_instances[part],
                kept=kept,
                labels=predictions.labels,
            )
            for part in _runs(predictions.repeat[rows], rows.start)
        )


def _runs(sorted_key: IndexArray, start: int = 0) -> list[slice]:
    """Return the slice of each value in a sorted key."""
    edges = [0, *(np.flatnonzero(np.diff(sorted_key)) + 1).tolist(), len(sorted_key)]
    return [slice(start + a, start + b) for a, b in itertools.pairwise(edges)]


# --- choices ----------------------------------------------------------------------------------------------------------


def metric_choice(predictions: Predictions, metric: str | None, aggregate: str | None, undefined: str) -> MetricChoice:
    """Return a metric with all its options, or raise an error if the predictions do not support it."""
    _checks.instance(predictions, "predictions", Predictions, "a result of read_predictions")
    if metric is None:
        metric = "roc_auc" if predictions.y_pred is None else "accuracy"
    name, base, average, record = _understood(metric)
    absent = predictions.y_pred is None if record.needs == "labels" else not predictions._has_scores
    if absent:
        column = "y_pred" if record.needs == "labels" else "y_score"
        needed = {"labels": "predicted labels", "scores": "scores", "probabilities": "probabilities"}[record.needs]
        raise TableError(f"{name} needs {needed}, but the predictions lack {column}", "name it with {}", column)
    known = AGGREGATES.get(name) or AGGREGATES.get(record.needs) or POOLED
    chosen = aggregate is not None
    if aggregate is None:
        aggregate = known[0]
    elif not _checks.is_among(aggregate, known):
        raise InvalidValueError(f"aggregate of {name} must be {' or '.join(map(repr, known))}, not {short(aggregate)}")
    return MetricChoice(
        name, base, record, average, aggregate, _checks.choice(undefined, "undefined", POLICIES), chosen
    )


def metric_names(*, with_averages: bool = True) -> tuple[str, ...]:
    """Return the names of the metrics of predictions, such as ``'f1'`` and the average ``'f1_macro'``."""
    names = [name for name in METRICS if name not in NEED_A_NUMBER]
    averages = [f"{name}_{average}" for name in names if _has_average(METRICS[name]) for average in AVERAGES]
    return (*names, *averages) if with_averages else tuple(names)


def usual_name(metric: str) -> str:
    """Return the standard name of a metric. 'ROC AUC' and 'roc_auc_score' have the same standard name."""
    name = simplified(metric.strip())
    return ALIASES.get(name, name)


def _understood(metric: Any) -> tuple[str, str, str | None, Metric]:
    """Return the full name of a metric, its base name, the average in its suffix, and its declaration."""
    if isinstance(metric, str):
        name = usual_name(metric)
        base, _, average = name.rpartition("_")
        base = ALIASES.get(base, base)
        if name in METRICS and name not in NEED_A_NUMBER:
            return name, name, None, METRICS[name]
        if average in AVERAGES and base in METRICS and base not in NEED_A_NUMBER and _has_average(METRICS[base]):
            return f"{base}_{average}", base, average, METRICS[base]
        if name in NEED_A_NUMBER:
            raise InvalidValueError(
                f"{name} needs {NEED_A_NUMBER[name]}, which predictions do not contain; compute the metric with "
                f"evalstats.metrics.{METRICS[name].function} and compare the scores"
            )
        if (record := external_metric(metric)) is not None:
            return metric, metric, None, record
    names = ", ".join(metric_names(with_averages=False))
    raise InvalidValueError(
        f"metric of predictions must be one of {names}, or an average over labels such as f1_macro, not {short(metric)}"
    )


def _has_average(record: Metric) -> bool:
    return getattr(record, "average", None) == "chosen"


def _description(predictions: Predictions, choice: MetricChoice) -> str:
    name = NAMES.get(choice.name) or choice.name.replace("_", " ")
    if choice.needs_positive:
        positives = set(predictions.positives)
        name += f" of the positive label {positives.pop()}" if len(positives) == 1 else " of the positive labels"
    n_folds, n_repeats = len(predictions.folds), len(predictions.repeats)
    words = [name] if n_folds == 1 else [name, WORDS[choice.aggregate]]
    if choice.undefined in ("zero", "skip"):
        words.append("undefined values " + ("counting as 0" if choice.undefined == "zero" else "left out"))
    return ", ".join(words) + (f"; mean of {n_repeats} repeats" if n_repeats > 1 else "")


# --- scores -----------------------------------------------------------------------------------------------------------


def _score(repeats: tuple[Group, ...], choice: MetricChoice) -> GroupScore:
    scored = [_score_of_repeat(repeat, choice) for repeat in repeats]
    first = repeats[0]
    return GroupScore(
        dataset=first.dataset,
        classifier=first.classifier,
        score=float(np.mean(of_repeats := np.array([value for value, _, _ in scored]))),
        repeat_scores=of_repeats,
        repeats=tuple(repeat.repeat for repeat in repeats for _ in repeat.folds),
        folds=tuple(fold for repeat in repeats for fold in repeat.folds),
        fold_scores=(of_folds := np.concatenate([values for _, values, _ in scored])),
        n_undefined=int(np.isnan(of_folds).sum()),
        n_instances=first.count(),
        n_positive=first.count(first.is_positive) if choice.needs_positive else -1,
        strategies=_mean_strategies([strategies for _, _, strategies in scored if strategies is not None]),
    )


def _of_right_cases(predictions: Predictions, choice: MetricChoice) -> Iterator[GroupScore]:
    """Yield the result of `_score` for each classifier and dataset, computed from counts of correct predictions."""
    counts = right_counts(predictions, choice.base)
    fold_names, repeat_names = predictions.folds, predictions.repeats
    pair = counts.dataset * len(predictions.classifiers) + counts.classifier
    begins, folds = counts.begins.tolist(), counts.fold.tolist()
    for runs in _runs(pair):
        own = slice(begins[runs.start], begins[runs.stop])
        of_repeats = counts.scores[runs]
        if choice.aggregate == "mean":
            parts = (counts.fold_scores[begins[i] : begins[i + 1]] for i in range(runs.start, runs.stop))
            of_repeats = np.array([part.mean() for part in parts])
        repeats = [(repeat_names[counts.repeat[i]], begins[i + 1] - begins[i]) for i in range(runs.start, runs.stop)]
        yield GroupScore(
            dataset=predictions.datasets[counts.dataset[runs.start]],
            classifier=predictions.classifiers[counts.classifier[runs.start]],
            score=float(np.mean(of_repeats)),
            repeat_scores=of_repeats,
            repeats=tuple(name for name, n in repeats for _ in range(n)),
            folds=tuple(fold_names[i] for i in folds[own]),
            fold_scores=counts.fold_scores[own],
            n_undefined=0,
            n_instances=int(counts.n_instances[runs.start]),
            n_positive=-1,
            strategies=None,
        )


def _score_of_repeat(group: Group, choice: MetricChoice) -> tuple[float, FloatArray, F1Strategies | None]:
    """Return the score of one repeat, the scores of its folds, and for F the five aggregated values."""
    if choice.is_f1:
        return _f1_of_repeat(group, choice)
    of_folds, undefined = _of_folds(group, choice, by_fold=True)
    if choice.aggregate == "mean":
        return _mean(of_folds, undefined, group, choice), _shown(of_folds, undefined, choice), None
    of_all, is_undefined = of_folds, undefined
    if len(group.folds) > 1:
        of_all, is_undefined = _of_folds(group, choice, by_fold=False)
    if choice.undefined == "raise" and is_undefined[0]:
        raise _undefined(group, choice, "")
    if choice.undefined == "skip" and np.isnan(of_all[0]):
        raise _undefined(group, choice, "")
    value = 0.0 if choice.undefined == "zero" and np.isnan(of_all[0]) else float(of_all[0])
    return value, _shown(of_folds, undefined, choice), None


def _f1_of_repeat(group: Group, choice: MetricChoice) -> tuple[float, FloatArray, F1Strategies]:
    counts = _binary_counts(group, by_fold=True)
    report = metrics.f1_report_over_folds(counts[:, 1, 1], counts[:, 0, 1], counts[:, 1, 0])
    strategies = F1Strategies(**{field.name: getattr(report, field.name) for field in fields(F1Strategies)})
    undefined = np.isnan(report.fold_f1)
    if choice.aggregate == "tp_fp":
        value = report.tp_fp
    else:
        if choice.undefined == "raise" and undefined.any():
            raise _undefined(group, choice, group.folds[int(undefined.argmax())])
        value = getattr(report, choice.aggregate + ("_skip" if choice.undefined == "skip" else ""))
        if choice.undefined == "nan" and undefined.any():
            value = np.nan
    if np.isnan(value) and choice.undefined != "nan":
        if choice.undefined != "zero":
            raise _undefined(group, choice, "")
        value = 0.0
    return float(value), report.fold_f1, strategies


def _of_folds(group: Group, choice: MetricChoice, *, by_fold: bool) -> tuple[FloatArray, BoolArray]:
    """Return the score of each fold or of all instances, and whether it depends on an undefined value."""
    if isinstance(choice.record, ExternalMetric):
        return _external(group, choice.record, by_fold)
    if choice.record.needs == "labels":
        choices = {"average": choice.average} if choice.average else {}
        counts = _binary_counts(group, by_fold) if choice.needs_positive else _counts(group, by_fold)
        if choice.base == "balanced_accuracy":  # a mean over the labels that are true: others are not part of it
            return metrics.score_from_counts(choice.base, counts, undefined="nan"), _lacks_a_true_label(counts)
        fill = "zero" if choice.undefined == "zero" else "nan"
        values = metrics.score_from_counts(choice.base, counts, undefined=fill, **choices)
        return values, metrics.count_undefined(choice.base, counts, **choices) > 0
    if group.kept is not None:
        values = _kept_scores(group, choice.base, by_fold=by_fold)
        return values, np.isnan(values)
    assert group.score is not None
    rows = [group.fold == fold for fold in np.unique(group.fold)] if by_fold else [np.ones(len(group.fold), dtype=bool)]
    function = getattr(metrics, choice.record.function)
    with_labels = {"labels": [False, True]} if choice.record.needs == "probabilities" else {}
    try:
        values = np.array(
            [
                function(group.is_positive[r], group.score[r], pos_label=True, undefined="nan", **with_labels)
                for r in rows
            ]
        )
    except InvalidValueError as error:  # not a probability
        raise TableError(f"{short(group.dataset)} / {short(group.classifier)}: {error}") from None
    return values, np.isnan(values)


def _external(group: Group, record: ExternalMetric, by_fold: bool) -> tuple[FloatArray, BoolArray]:
    pair: tuple[Any, Any] = group.is_positive, group.score
    if record.needs == "labels":
        labels = np.array(group.labels)
        pair = labels[group.true], labels[group.predicted]
    fold = group.fold if by_fold else np.zeros_like(group.fold)
    if group.n_instances is not None:
        pair, fold = (
            (np.repeat(pair[0], group.n_instances), np.repeat(pair[1], group.n_instances)),
            np.repeat(fold, group.n_instances),
        )
    values = np.array([record.compute(*(own[fold == one] for own in pair)) for one in np.unique(fold)])
    return values, np.isnan(values)


def _kept_scores(group: Group, metric: str, *, by_fold: bool) -> FloatArray:
    assert group.kept is not None
    known = group.kept(metric, by_fold=by_fold)
    assert known is not None
    names = (group.dataset, group.classifier, group.repeat)
    return np.array([known[key] for key in _keys_of(known, names, group.folds if by_fold else ("",))])


def _keys_of(known: Mapping[tuple[str, ...], float], names: tuple[str, ...], folds: Sequence[str]) -> Iterator[Any]:
    """Yield the key of each fold. A name that the keys do not contain is empty."""
    whole = next(iter(known))
    for fold in folds:
        yield tuple(name if there else "" for name, there in zip((*names, fold), whole, strict=True))


def _lacks_a_true_label(counts: IndexArray) -> BoolArray:
    """Return which folds have no instance of a label that occurs in other folds."""
    of_labels = counts.sum(axis=-1)
    lacks: BoolArray = (of_labels[:, of_labels.any(axis=0)] == 0).any(axis=-1)
    return lacks


def _binary_counts(group: Group, by_fold: bool) -> IndexArray:
    return _tables(group.is_positive.astype(np.intp), group.is_predicted.astype(np.intp), group, 2, by_fold)


def _counts(group: Group, by_fold: bool) -> IndexArray:
    assert group.predicted is not None
    present, numbers = np.unique(np.concatenate([group.true, group.predicted]), return_inverse=True)
    if len(present) ** 2 * len(group.folds) > MOST_CELLS:
        problem = f"dataset {short(group.dataset)} has {len(present):,} different labels"
        raise TableError(f"{problem}, too many to count each pair of labels by fold; check whether they are scores")
    return _tables(numbers[: len(group.true)], numbers[len(group.true) :], group, len(present), by_fold)


def _tables(true: IndexArray, predicted: IndexArray, group: Group, n: int, by_fold: bool) -> IndexArray:
    """Return confusion counts of shape (n_folds, n, n), or of shape (1, n, n) for all folds."""
    fold = group.fold if by_fold else np.zeros_like(group.fold)
    counts = metrics.confusion_counts(true, predicted, n_classes=n, fold=fold, sample_weight=group.n_instances)
    return counts.astype(np.int64, copy=False)


def _mean(values: FloatArray, undefined: BoolArray, group: Group, choice: MetricChoice) -> float:
    if choice.undefined == "raise" and undefined.any():
        raise _undefined(group, choice, group.folds[int(undefined.argmax())])
    missing = np.isnan(values)
    if choice.undefined == "skip":
        if missing.all():
            raise _undefined(group, choice, "")
        return float(values[~missing].mean())
    return float(np.where(missing, 0.0, values).mean() if choice.undefined == "zero" else values.mean())


def _shown(values: FloatArray, undefined: BoolArray, choice: MetricChoice) -> FloatArray:
    """Return the fold scores, with undefined scores as nan even if they count as 0 in the aggregate."""
    return (
        np.where(undefined, np.nan, values) if choice.average is None and choice.base != "balanced_accuracy" else values
    )


def _mean_strategies(of_repeats: list[F1Strategies]) -> F1Strategies | None:
    if not of_repeats:
        return None
    names = [field.name for field in fields(F1Strategies)]
    return F1Strategies(**{name: float(np.mean([getattr(one, name) for one in of_repeats])) for name in names})


def _undefined(group: Group, choice: MetricChoice, fold: str) -> TableError:
    place = f"{short(group.classifier)} on dataset {short(group.dataset)}"
    if group.repeat:
        place += f", repeat {group.repeat}"
    if fold:
        place += f", fold {fold}"
    when = "precision or recall is 0/0" if choice.is_f1 else choice.record.undefined_when
    problem = f"{choice.name} of {place} is undefined: {when}"
    if choice.undefined == "skip":
        return TableError(f"{problem}, so no value is left")
    return TableError(problem, "to continue, pass {}", "undefined", "skip" if fold else "zero")
