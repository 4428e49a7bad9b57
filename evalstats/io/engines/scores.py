"""Scores of rankings and probabilities, computed by the engine that holds the rows.

The engine counts the instances of each score, adds up the negative instances below it, and returns one row for each
ranking. The area under the ROC curve is exact, and neither rows nor scores are loaded. Average precision, Brier score
and log loss are means of integer contributions of the instances, so the order of addition has no effect.
"""

from __future__ import annotations

__all__ = ["KeptScores", "scores_where_kept"]

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from evalstats.io.engines.held import MOST_VALUES, UNIT, Codes, Engine, Ranking, RankingPlan
from evalstats.tables.names import text_of

KEYS = ("dataset", "classifier", "repeat", "fold")

Key = tuple[str, ...]  # names by KEYS; empty if there is no such column


def _area(ranking: Ranking) -> float:
    n_pairs = ranking.n_positive * ranking.n_negative
    return ranking.total / 2 / n_pairs if n_pairs else math.nan


def _mean_of_positive(ranking: Ranking) -> float:
    return ranking.total / UNIT / ranking.n_positive if ranking.n_positive else math.nan


def _mean(ranking: Ranking) -> float:
    return ranking.total / UNIT / (ranking.n_positive + ranking.n_negative)


# by the name of the metric
_VALUES: dict[str, Callable[[Ranking], float]] = {
    "roc_auc": _area,
    "average_precision": _mean_of_positive,
    "brier": _mean,
    "log_loss": _mean,
}


class _Known(NamedTuple):
    found: dict[tuple[str, bool], dict[Key, float] | None]

    def __call__(self, metric: str, *, by_fold: bool) -> dict[Key, float] | None:
        return self.found.get((metric, by_fold))


class KeptScores:
    """The score of each ranking, computed on demand; None if the engine cannot compute it."""

    def __init__(self, engine: Engine, keys: Mapping[str, Codes], positives: Codes, score: str) -> None:
        self._engine, self._keys, self._positives, self._score = engine, keys, positives, score
        self._found: dict[tuple[str, bool], dict[Key, float] | None] = {}

    def __call__(self, metric: str, *, by_fold: bool) -> dict[Key, float] | None:
        """Return the score of each dataset, classifier and repeat, of each fold or of all instances together."""
        if (metric, by_fold) not in self._found:
            try:
                self._found[metric, by_fold] = self._counted(metric, by_fold) if metric in _VALUES else None
            except Exception:  # any exception of an engine without this function: the rows are read
                self._found[metric, by_fold] = None
        return self._found[metric, by_fold]

    def _counted(self, metric: str, by_fold: bool) -> dict[Key, float] | None:
        keys = {name: codes for name, codes in self._keys.items() if by_fold or name != "fold"}
        rankings = self._engine.rankings(RankingPlan(tuple(keys.values()), self._positives, self._score, metric))
        if rankings is None or any(ranking.n_odd for ranking in rankings):
            return None
        name_of = {name: {j: text_of(value) for value, j in codes.code_of.items()} for name, codes in keys.items()}
        found: dict[Key, float] = {}
        for ranking in rankings:
            names = {name: name_of[name][j] for name, j in zip(keys, ranking.key, strict=True)}
            found[tuple(names.get(name, "") for name in KEYS)] = _VALUES[metric](ranking)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        # an engine cannot be copied, but its counts can
        for by_fold in (True, False):
            self("roc_auc", by_fold=by_fold)
        return _Known, (self._found,)


def scores_where_kept(
    engine: Engine, codes: Mapping[str, Codes], score: str | None, positives: Sequence[str | None]
) -> KeptScores | None:
    """Return the scores of a table of predictions; None unless all datasets have the same positive label.

    `codes` are columns by their roles, `score` is the column of scores, `positives` the positive label of each dataset.
    """
    label, keys = positives[0], {name: codes[name] for name in KEYS if name in codes}
    if score is None or label is None or set(positives) != {label} or not keys:
        return None
    if any(len(own.code_of) > MOST_VALUES for own in keys.values()):
        return None
    true = codes["y_true"]
    return KeptScores(engine, keys, Codes(true.column, {v: 1 for v in true.code_of if text_of(v) == label}), score)
