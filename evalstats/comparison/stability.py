"""Stability of the ranking of a comparison under resampling, and consensus ranking over tasks."""

from __future__ import annotations

__all__ = ["consensus_of_comparison", "stability_of_comparison"]

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._types import FloatArray
from evalstats.comparison.record import Comparison
from evalstats.multiple.consensus import ConsensusRanking, consensus_of
from evalstats.multiple.resampled_rankings import is_enumerated, units_of
from evalstats.multiple.stability import RankingStability, Settings, stability_of
from evalstats.tables.prediction_scores import PredictionScores
from evalstats.tables.predictions import Predictions
from evalstats.tables.score_table import complete_scores

N_RESAMPLES = 10_000


def stability_of_comparison(
    comparison: Comparison, n_resamples: int | None = None, rng: Any = None
) -> RankingStability:
    """Return the stability of the ranking under resampling of datasets, instances or questions."""
    sample = _sample_of(comparison)
    if len(sample.scores) < 2:
        raise InvalidValueError(f"stability requires two or more {sample.unit}s, but there is one")
    rule = "mean-rank" if comparison.design == "datasets" else "mean"
    settings = _settings(comparison, sample.scores, rule, n_resamples)
    units = units_of(sample.clusters, sample.scores, None, settings.tie_tolerance)
    if sample.clusters is None:
        units = units._replace(labels=list(sample.names))
    source = _checks.random_source(rng)
    is_drawn = not is_enumerated(settings.method, units.n, settings.n_resamples)
    return stability_of(
        sample.scores,
        units,
        settings,
        source.generator() if is_drawn else None,
        source.seed if is_drawn else None,
        comparison.table.classifiers,
        sample.unit,
    )


def consensus_of_comparison(
    comparison: Comparison, n_resamples: int | None = None, rng: Any = None
) -> ConsensusRanking:
    """Return the consensus ranking of several benchmarks of questions, or of several datasets."""
    tasks = comparison.table.datasets
    if len(tasks) < 2:
        raise InvalidValueError(
            "consensus requires two or more benchmarks or datasets, but there is one; use stability"
        )
    samples = list(_samples_of_tasks(comparison))
    for name, sample in zip(tasks, samples, strict=True):
        n = len(sample.scores if sample.clusters is None else np.unique(sample.clusters))
        if n < 2:
            unit = sample.unit if sample.clusters is None else "cluster"
            raise InvalidValueError(f"consensus requires two or more {unit}s of each task, but {short(name)} has one")
    scores = np.concatenate([one.scores for one in samples])
    has_clusters = samples[0].clusters is not None
    return consensus_of(
        scores,
        np.repeat(np.arange(len(tasks)), [len(one.scores) for one in samples]),
        tasks,
        np.concatenate([one.clusters for one in samples]) if has_clusters else None,
        np.full(len(tasks), 1 / len(tasks)),
        _settings(comparison, scores, "mean", n_resamples),
        _checks.random_source(rng),
        comparison.table.classifiers,
        samples[0].unit,
        [name for one in samples for name in one.names],
    )


def _settings(comparison: Comparison, scores: FloatArray, rule: str, n_resamples: int | None) -> Settings:
    return Settings.checked(
        _checks.tolerance(comparison.tie_tolerance, scores),
        rule=rule,
        quantile=0.5,
        significance="pairs",
        alpha=comparison.alpha,
        confidence_level=1 - comparison.alpha,
        method="auto",
        n_resamples=N_RESAMPLES if n_resamples is None else n_resamples,
        greater_is_better=comparison.table.greater_is_better,
    )


class _Sample(NamedTuple):
    """Scores of the classifiers (columns) on the sampled units (rows), with the names of the units."""

    unit: str
    scores: FloatArray
    names: Any
    clusters: Any = None


def _sample_of(comparison: Comparison) -> _Sample:
    table, design = comparison.table, comparison.design
    if design == "datasets":
        return _Sample("dataset", complete_scores(table, "stability"), table.datasets)
    if design == "questions":
        if comparison.n_benchmarks > 1 and comparison.average == "macro":  # all benchmarks have the same weight
            return _Sample("benchmark", table.scores, table.datasets)
        items = table._items
        assert items is not None
        return _Sample("question", items.scores, items.questions, items.cluster)
    if design != "instances":
        raise InvalidValueError(
            f"stability resamples datasets, instances or questions, but here the {comparison.words.units} of one "
            "dataset are compared: they share data, so their resamples show too little variation"
        )
    scored = table._scored
    assert scored is not None
    return _of_instances(scored._predictions, _accuracy_of(scored, "stability on one test set"))


def _samples_of_tasks(comparison: Comparison) -> Iterator[_Sample]:
    """Yield the questions of each benchmark, or the instances of each dataset."""
    table = comparison.table
    if (items := table.answers) is not None:
        for number in range(len(table.datasets)):
            own = np.flatnonzero(items.benchmark == number)
            clusters = None if items.cluster is None else items.cluster[own]
            yield _Sample("question", items.scores[own], [items.questions[i] for i in own.tolist()], clusters)
        return
    if (scored := table._scored) is None:
        raise InvalidValueError(
            "consensus requires the questions of each benchmark or the instances of each dataset, but the table holds "
            "only scores; use stability, which resamples the datasets"
        )
    is_error = _accuracy_of(scored, "consensus")
    for name in table.datasets:
        yield _of_instances(scored._predictions.select((name,), table.classifiers), is_error)


def _accuracy_of(scored: PredictionScores, what: str) -> bool:
    """Return whether the metric is the error rate (not accuracy), or raise an error for other metrics."""
    choice = scored._choice
    if choice.base not in ("accuracy", "error_rate") or choice.average is not None:
        raise InvalidValueError(f"{what} requires accuracy or error rate, a mean over instances, not {choice.name}")
    return bool(choice.base == "error_rate")


def _of_instances(predictions: Predictions, is_error: bool) -> _Sample:
    """Return the correctness, or the errors, of each classifier on each instance of one test set."""
    from evalstats.tables.aligned_instances import aligned_cases  # few comparisons need it

    cases = aligned_cases(predictions)
    scores = ~cases.is_right.T if is_error else cases.is_right.T
    clusters = None if cases.cluster is None else cases.cluster.code
    return _Sample("instance", scores.astype(np.float64), range(len(scores)), clusters)
