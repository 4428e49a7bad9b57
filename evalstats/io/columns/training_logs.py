"""Is a table the course of a training, or the trials of a search? Both are of one dataset.

Their rows are rounds, epochs or trials: to compare their columns, or to take rows for datasets, would answer nothing.
"""

from __future__ import annotations

__all__ = ["refuse_training_logs"]

import re
from collections.abc import Iterable
from typing import Any

from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS, is_called, one_of, simplified, word_list
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError

_COURSE = "the course of a training"
_CLASSES = "a report of scikit-learn on the classes of one classifier"
# columns that one of these programs writes, and what their rows are; none of them names datasets
_PROGRAMS = {
    "optuna": "the trials of a search by Optuna",
    "ray_tune": "trials of Ray Tune",
    "transformers": f"{_COURSE} by transformers",
    "transformers_evaluation": f"{_COURSE} by transformers",
    "classification_report": _CLASSES,
    "classification_report_turned": _CLASSES,
    "autogluon": "the leaderboard of AutoGluon",
    "kaggle": "the leaderboard of Kaggle",
    "pycaret": "the leaderboard of PyCaret",
}
_COUNTERS = frozenset(("", *word_list("first_columns.counter_in_logs")))
_SET = re.compile(rf"{one_of('sets.prefix', 'sets.prefix_in_logs')}_(?=.)")
_OVER_FOLDS = re.compile(r"_(?:mean|stdv?)$")


def refuse_training_logs(grid: Grid) -> None:
    """Refuse a table whose columns are those of a training or of a search."""
    names = [simplified(name) for name in grid.header]
    program = next((one for one in _PROGRAMS if set(word_list(f"programs.{one}")).issubset(names)), "")
    what, known = (_PROGRAMS[program], word_list(f"programs.{program}")) if program else ("", ())
    others = [name for name in names if name not in known]
    if any(is_called(name, DATASET_COLUMNS) or is_called(name, CLASSIFIER_COLUMNS) for name in others):
        return
    if not what and _is_course(names) and all(map(_are_numbers, grid.columns)):
        what = _COURSE
    if what:
        raise TableError(
            f"{grid.name} holds {what}, on one dataset",
            "give one score of each classifier on each dataset, or in each fold, in columns dataset, classifier, fold "
            "and score; if they are datasets and classifiers all the same, pass {}",
            "layout",
            "wide",
        )


def _is_course(names: list[str]) -> bool:
    """Tell whether all names are those of metrics, on data for training or testing or both, beside a counter."""
    measured = [name for name in names if name not in _COUNTERS]
    metrics = {_OVER_FOLDS.sub("", _SET.sub("", name)) for name in measured}
    of_sets = [name for name in measured if _SET.match(name)]
    is_counted = len(measured) < len(names) - (names[:1] == [""])
    is_course = len(of_sets) == len(measured) or is_counted or {_SET.sub("", name) for name in of_sets} >= metrics
    return (
        len(measured) + is_counted > 1 and bool(of_sets) and is_course and None not in map(direction_of_metric, metrics)
    )


def _are_numbers(column: Iterable[Any]) -> bool:
    return all(number_in(cell, ".") is not None for cell in column)
