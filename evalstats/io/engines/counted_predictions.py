"""Counts of equal predictions, and scores from rankings and probabilities, computed by the engine."""

from __future__ import annotations

__all__ = ["KeptScores", "held_predictions"]

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from evalstats._types import IntArray
from evalstats.io.engines import held
from evalstats.io.sources.grid import Grid
from evalstats.tables.correct_answers import WORD, RightPatterns, patterns_of_words
from evalstats.tables.errors import TableError
from evalstats.tables.names import natural_order, text_of
from evalstats.tables.predictions import Predictions

# maximum number of distinct rows that are counted; for more, the rows are read one by one
MOST_GROUPS = 1_000_000
SORTS = {"integer": "number", "float": "number", "text": "text", "boolean": "boolean"}


class Understood(Protocol):
    """Function that converts a grid to predictions; each row represents `n_instances` predictions, if given."""

    def __call__(
        self, grid: Grid, at: Mapping[str, int | None], n_instances: IntArray | None, /, *, is_told: bool = False
    ) -> Predictions:
        """Convert the grid, without warnings if they were already issued."""


class OneByOne(NamedTuple):
    """Callable that reads the predictions of a held table row by row, if counts are not sufficient."""

    grid: Grid
    at: Mapping[str, int | None]
    understood: Understood
    is_told: bool = False  # whether warnings about the table were already issued

    def __call__(self) -> Predictions:
        """Read the predictions, one row each."""
        assert isinstance(self.grid.columns, held.HeldColumns)
        columns = self.grid.columns.moved()
        try:
            columns.load([j for j in self.at.values() if j is not None])
            return self.understood(replace(self.grid, columns=columns), self.at, None, is_told=self.is_told)
        except TableError:
            if columns.plain is None:
                raise
        return self.understood(columns.plain(), self.at, None, is_told=self.is_told)

    def __reduce__(self) -> tuple[Any, ...]:
        # an engine cannot be copied, but its content can
        return _AreRead, (self(),)


class _AreRead(NamedTuple):
    predictions: Predictions

    def __call__(self) -> Predictions:
        return self.predictions


def held_predictions(
    grid: Grid, at: Mapping[str, int | None], understood: Understood, *, one_by_one: bool
) -> Predictions:
    """Return the predictions in a table that an engine holds.

    ``understood(grid, at, n_instances)`` converts a grid, each row of which represents `n_instances` predictions. If
    counts are not sufficient, or the table has a fault, the rows are read one by one.
    """
    load, columns = OneByOne(grid, at, understood), grid.columns
    assert isinstance(columns, held.HeldColumns)
    counted = None if one_by_one else _counted(grid, at, load)
    columns.is_counted = counted is not None
    if counted is None and columns.must_count:
        raise TableError(f"the rows of {grid.name} cannot be counted")
    return load() if counted is None else counted


def _counted(grid: Grid, at: Mapping[str, int | None], load: OneByOne) -> Predictions | None:
    columns = grid.columns
    assert isinstance(columns, held.HeldColumns)
    if at["instance"] is not None and at["repeat"] is not None:
        return None
    names = {name: columns.engine.header[j] for name, j in at.items() if j is not None}
    try:
        groups = _groups(
            columns.engine, {name: own for name, own in names.items() if name not in ("instance", "y_score")}
        )
        patterns = _patterns(columns.engine, names, groups) if groups is not None and "instance" in names else None
    except Exception:  # any exception of an engine without this function: the rows are read, or rejected, one by one
        return None
    if groups is None or (patterns is None and "instance" in names):
        return None
    try:
        predictions = load.understood(groups.grid(grid), groups.places(at), groups.n)
    except TableError:  # the message must name a row
        return None
    assert predictions._counted is not None
    again = load._replace(is_told=True)
    codes = {name: groups.codes(name, column) for name, column in names.items() if name in groups.columns}
    kept = scores_where_kept(columns.engine, codes, names.get("y_score"), predictions.positives)
    counted = predictions._counted._replace(patterns=patterns, load=again, has_scores="y_score" in names, kept=kept)
    return replace(predictions, _counted=counted)


class _Groups(NamedTuple):
    """Distinct rows as columns by role, and the number of occurrences of each row."""

    columns: dict[str, list[Any]]
    n: IntArray

    def grid(self, of: Grid) -> Grid:
        """Return the distinct rows as a grid with the properties of another grid."""
        numbers = range(1, len(self.n) + 1)
        return replace(of, header=list(self.columns), columns=list(self.columns.values()), numbers=numbers)

    def places(self, at: Mapping[str, int | None]) -> dict[str, int | None]:
        """Return the position of each role in the grid of groups, or None for a missing role."""
        here = list(self.columns)
        return {name: here.index(name) if name in here else None for name in at}

    def codes(self, name: str, column: str) -> held.Codes:
        """Return integer codes of the values in natural order. Spellings of the same name share a code."""
        texts = {value: text_of(value) for value in dict.fromkeys(self.columns[name])}
        number = {text: i for i, text in enumerate(sorted(set(texts.values()), key=natural_order))}
        return held.Codes(column, {value: number[text] for value, text in texts.items()})


def _groups(engine: held.Engine, names: Mapping[str, str]) -> _Groups | None:
    found = engine.counts(list(names.values()), MOST_GROUPS)
    if found is None or not len(found[1]):
        return None
    return _Groups(dict(zip(names, found[0], strict=True)), found[1])


# --- cases ------------------------------------------------------------------------------------------------------------


def _patterns(engine: held.Engine, names: Mapping[str, str], groups: _Groups) -> RightPatterns | None:
    """Return the correctness patterns, or None unless each classifier of a dataset predicted each instance once."""
    plan = _plan(engine, names, groups)
    if plan is None:
        return None
    tested: dict[int, set[int]] = {}
    datasets = [0] * len(groups.n)
    if plan.dataset is not None:
        datasets = [plan.dataset.code_of[name] for name in groups.columns["dataset"]]
    for dataset, classifier in zip(datasets, groups.columns["classifier"], strict=True):
        tested.setdefault(dataset, set()).add(plan.classifier.code_of[classifier])
    found = engine.case_patterns(plan)
    if not _are_complete(found, tested, plan.n_words):
        return None
    return patterns_of_words(found.right, found.n_instances, max(plan.classifier.code_of.values()) + 1)


def _plan(engine: held.Engine, names: Mapping[str, str], groups: _Groups) -> held.CasePlan | None:
    """Return the plan of the counts per instance, or None if names in the engine may differ from the cell texts."""
    kinds = {name: engine.kind(column) for name, column in names.items()}
    sorts = {name: SORTS.get(kind) for name, kind in kinds.items()}
    keys = ("classifier", "y_true", *(name for name in ("y_pred", "dataset", "fold") if name in names))
    # without predicted labels, only the classifiers of the rows of an instance are counted
    predicted = "y_pred" if "y_pred" in names else "y_true"
    pairs = set(zip(groups.columns["y_true"], groups.columns[predicted], strict=True))
    if (
        "classifier" not in names
        or kinds["instance"] not in ("integer", "text")
        or None in (sorts[name] for name in keys)
        or sorts["y_true"] != sorts[predicted]
        or any((true == predicted) != (text_of(true) == text_of(predicted)) for true, predicted in pairs)
    ):
        return None
    codes = {name: groups.codes(name, names[name]) for name in keys if name != "y_pred"}
    if any(len(own.code_of) > held.MOST_VALUES for own in codes.values()):
        return None
    datasets = codes.get("dataset")
    constants = (codes[name] for name in ("y_true", "fold") if name in codes)
    return held.CasePlan(
        case=names["instance"],
        dataset=None if datasets is None or len(datasets.code_of) == 1 else datasets,
        classifier=codes["classifier"],
        true=names["y_true"],
        predicted=names[predicted],
        constants=tuple(own for own in constants if len(own.code_of) > 1),
    )


def _are_complete(found: held.CasePatterns, tested: Mapping[int, set[int]], n_words: int) -> bool:
    """Return whether each instance has exactly one row for each classifier of its dataset.

    If k rows have k bits in sum and in union, each row has a different bit, so no bit occurs twice.
    """
    if found.is_odd.any() or not found.is_constant.all():
        return False
    n_rows, words = found.n_rows.copy(), [word.copy() for word in found.tested]
    for dataset, own in tested.items():
        of_dataset = found.dataset == dataset
        n_rows[of_dataset] -= len(own)
        for w in range(n_words):
            words[w][of_dataset] -= sum(1 << j % WORD for j in own if j // WORD == w)
    return not n_rows.any() and not any(word.any() for word in words)


# --- scores of rankings and probabilities -----------------------------------------------------------------------------


KEYS = ("dataset", "classifier", "repeat", "fold")

Key = tuple[str, ...]  # names by KEYS; empty if there is no such column


def _area(ranking: held.Ranking) -> float:
    n_pairs = ranking.n_positive * ranking.n_negative
    return ranking.total / 2 / n_pairs if n_pairs else math.nan


def _mean_of_positive(ranking: held.Ranking) -> float:
    return ranking.total / held.UNIT / ranking.n_positive if ranking.n_positive else math.nan


def _mean(ranking: held.Ranking) -> float:
    return ranking.total / held.UNIT / (ranking.n_positive + ranking.n_negative)


# score of a ranking from its counts, by metric
_VALUES: dict[str, Callable[[held.Ranking], float]] = {
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
    """Callable that returns the scores of all rankings, or None if the engine cannot compute them."""

    def __init__(self, engine: held.Engine, keys: Mapping[str, held.Codes], positives: held.Codes, score: str) -> None:
        self._engine, self._keys, self._positives, self._score = engine, keys, positives, score
        self._found: dict[tuple[str, bool], dict[Key, float] | None] = {}

    def __call__(self, metric: str, *, by_fold: bool) -> dict[Key, float] | None:
        """Return the score of each dataset, classifier and repeat; with `by_fold`, return the score of each fold."""
        by_fold = by_fold and "fold" in self._keys
        if (metric, by_fold) not in self._found:
            try:
                self._found[metric, by_fold] = self._counted(metric, by_fold) if metric in _VALUES else None
            except Exception:  # any exception of an engine without this function: the rows are read
                self._found[metric, by_fold] = None
        return self._found[metric, by_fold]

    def _counted(self, metric: str, by_fold: bool) -> dict[Key, float] | None:
        keys = {name: codes for name, codes in self._keys.items() if by_fold or name != "fold"}
        rankings = self._engine.rankings(held.RankingPlan(tuple(keys.values()), self._positives, self._score, metric))
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
        areas = {("roc_auc", by_fold): self("roc_auc", by_fold=by_fold) for by_fold in (True, False)}
        return _Known, (self._found | areas,)


def scores_where_kept(
    engine: held.Engine, codes: Mapping[str, held.Codes], score: str | None, positives: Sequence[str | None]
) -> KeptScores | None:
    """Return an object that computes scores in the engine; return None unless all datasets share one positive label.

    `codes` contains columns by their roles, `score` is the column of scores, `positives` the positive label of each
    dataset.
    """
    label, keys = positives[0], {name: codes[name] for name in KEYS if name in codes}
    if score is None or label is None or set(positives) != {label} or not keys:
        return None
    if any(len(own.code_of) > held.MOST_VALUES for own in keys.values()):
        return None
    true = codes["y_true"]
    return KeptScores(engine, keys, held.Codes(true.column, {v: 1 for v in true.code_of if text_of(v) == label}), score)
