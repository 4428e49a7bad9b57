"""Stability of the ranking of a comparison: datasets, instances or questions are drawn again."""

from __future__ import annotations

__all__ = ["stability_of_comparison"]

from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._types import FloatArray
from evalstats.comparison.record import Comparison
from evalstats.multiple.resampled_rankings import is_enumerated, units_of
from evalstats.multiple.stability import RankingStability, Settings, stability_of
from evalstats.tables.score_table import complete_scores

N_RESAMPLES = 10_000


def stability_of_comparison(
    comparison: Comparison, n_resamples: int | None = None, rng: Any = None
) -> RankingStability:
    """Return the stability of the ranking over datasets, over the instances of one test set, or over questions."""
    sample = _sample_of(comparison)
    if len(sample.scores) < 2:
        raise InvalidValueError(f"stability needs two or more {sample.unit}s, but there is one")
    settings = Settings.checked(
        _checks.tolerance(comparison.tie_tolerance, sample.scores),
        rule="mean-rank" if comparison.design == "datasets" else "mean",
        quantile=0.5,
        significance="pairs",
        alpha=comparison.alpha,
        confidence_level=1 - comparison.alpha,
        method="auto",
        n_resamples=N_RESAMPLES if n_resamples is None else n_resamples,
        greater_is_better=comparison.table.greater_is_better,
    )
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


class _Sample(NamedTuple):
    """Scores of the classifiers (columns) on the units of the sample (rows), and the names of the units."""

    unit: str
    scores: FloatArray
    names: Any
    clusters: Any = None


def _sample_of(comparison: Comparison) -> _Sample:
    table, design = comparison.table, comparison.design
    if design == "datasets":
        return _Sample("dataset", complete_scores(table, "stability"), table.datasets)
    if design == "questions":
        if comparison.n_benchmarks > 1 and comparison.average == "macro":  # each benchmark has the same weight
            return _Sample("benchmark", table.scores, table.datasets)
        items = table._items
        assert items is not None
        return _Sample("question", items.scores, items.questions, items.cluster)
    if design != "instances":
        raise InvalidValueError(
            f"stability draws datasets, instances or questions again, but here the {comparison.words.units} of one "
            "dataset are compared: they depend on the same data, so drawing them again shows too little variation"
        )
    from evalstats.tables.aligned_instances import aligned_cases

    scored = table._scored
    assert scored is not None
    choice = scored._choice
    if choice.base not in ("accuracy", "error_rate") or choice.average is not None:
        raise InvalidValueError(
            f"stability on one test set is for accuracy, which has a score of each instance, not for {choice.name}"
        )
    is_right = aligned_cases(scored._predictions).is_right.T
    scores = is_right if table.greater_is_better else ~is_right
    return _Sample("instance", scores.astype(np.float64), range(len(scores)))
