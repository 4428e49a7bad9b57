"""How many pairs of a positive and a negative case does each ranking put in order, where its rows are kept?

The engine counts the cases of each score, adds up the negative ones below it, and gives one row for each ranking: the
area under the ROC curve is exact, and neither rows nor scores come here.
"""

from __future__ import annotations

__all__ = ["Areas", "areas_where_kept"]

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evalstats.tables.engines.held import MOST_VALUES, Codes, Engine, RankingPlan
from evalstats.tables.grid import text_of

KEYS = ("dataset", "classifier", "repeat", "fold")

Key = tuple[str, ...]  # names by KEYS; empty where there is no such column


class _Known(NamedTuple):
    of_folds: dict[Key, float] | None
    of_all: dict[Key, float] | None

    def __call__(self, *, by_fold: bool) -> dict[Key, float] | None:
        return self.of_folds if by_fold else self.of_all


class Areas:
    """The area under the ROC curve of each ranking, counted when it is asked for; None where it cannot be counted."""

    def __init__(self, engine: Engine, keys: Mapping[str, Codes], positives: Codes, score: str) -> None:
        self._engine, self._keys, self._positives, self._score = engine, keys, positives, score
        self._found: dict[bool, dict[Key, float] | None] = {}

    def __call__(self, *, by_fold: bool) -> dict[Key, float] | None:
        """Return the area of each dataset, classifier and repeat, of each fold or of all cases together."""
        if by_fold not in self._found:
            try:
                self._found[by_fold] = self._counted(by_fold)
            except Exception:  # an engine that cannot do this, in whatever words: the rows are read
                self._found[by_fold] = None
        return self._found[by_fold]

    def _counted(self, by_fold: bool) -> dict[Key, float] | None:
        keys = {name: codes for name, codes in self._keys.items() if by_fold or name != "fold"}
        rankings = self._engine.rankings(RankingPlan(tuple(keys.values()), self._positives, self._score))
        if rankings is None or any(ranking.n_odd for ranking in rankings):
            return None
        name_of = {name: {j: text_of(value) for value, j in codes.code_of.items()} for name, codes in keys.items()}
        found: dict[Key, float] = {}
        for ranking in rankings:
            names = {name: name_of[name][j] for name, j in zip(keys, ranking.key, strict=True)}
            n_pairs = ranking.n_positive * ranking.n_negative
            area = ranking.twice_in_order / 2 / n_pairs if n_pairs else math.nan
            found[tuple(names.get(name, "") for name in KEYS)] = area
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        # no engine can be copied, but what it counts
        return _Known, (self(by_fold=True), self(by_fold=False))


def areas_where_kept(
    engine: Engine, codes: Mapping[str, Codes], score: str | None, positives: Sequence[str | None]
) -> Areas | None:
    """Return the areas of a table of predictions; None unless one label is the positive one of all datasets.

    `codes` are columns by their roles, `score` is that of the scores, `positives` the label of each dataset.
    """
    label, keys = positives[0], {name: codes[name] for name in KEYS if name in codes}
    if score is None or label is None or set(positives) != {label} or not keys:
        return None
    if any(len(own.code_of) > MOST_VALUES for own in keys.values()):
        return None
    true = codes["y_true"]
    return Areas(engine, keys, Codes(true.column, {v: 1 for v in true.code_of if text_of(v) == label}), score)
