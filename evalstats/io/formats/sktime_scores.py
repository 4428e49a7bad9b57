"""What do the results of a benchmark of sktime say, in whatever file they are kept?"""

from __future__ import annotations

__all__ = ["benchmark_found"]

from collections.abc import Sequence
from typing import Any, NamedTuple

from evalstats.io.columns.split_counting import told_folds
from evalstats.io.formats.format import Found, chosen_metric, scores_found
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import is_missing
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError, short

TIMES = ("fit_time", "pred_time")


class FoldScore(NamedTuple):
    """The score of one model in one fold of one task."""

    task: str
    model: str
    fold: str
    metric: str
    score: Any
    number: int


def benchmark_found(seen: Seen, asked: Asked, scores: Sequence[FoldScore]) -> Found:
    """Return the scores of one metric; folds in which no model of a task has one are not there."""
    names = list(dict.fromkeys(one.metric for one in scores))
    metric = chosen_metric(seen, asked, [*(name for name in names if name not in TIMES), *_only_if_asked(asked, names)])
    own = [one for one in scores if one.metric == metric]
    there = {(one.task, one.fold) for one in own if not is_missing(one.score)}
    own = [one for one in own if (one.task, one.fold) in there]
    if not own:
        raise TableError(f"{seen.name} holds no score of {short(metric)}")
    columns: dict[str, list[Any]] = {
        "dataset": [one.task for one in own],
        "classifier": [one.model for one in own],
        "score": [one.score for one in own],
    }
    folds, findings = told_folds(seen.name, [one.fold for one in own], columns["dataset"], asked)
    return scores_found(
        seen,
        columns | folds,
        metric=metric,
        greater_is_better=direction_of_metric(metric),
        numbers=[one.number for one in own],
        findings=findings,
    )


def _only_if_asked(asked: Asked, names: Sequence[str]) -> list[str]:
    return [name for name in TIMES if name in names and asked.metric == name]
