"""Selection of the rows of test data, if a column separates training data from test data.

Scores on training data do not estimate the performance on new data, and neither does a mean over training and test
scores.
"""

from __future__ import annotations

__all__ = ["held_rows_of_new_data", "rows_of_new_data"]

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from evalstats import _lexicon
from evalstats._errors import listed
from evalstats._findings import Finding
from evalstats.io.engines.held import HeldColumns, held_grid
from evalstats.io.sources.grid import Grid, NumberColumn, only_rows
from evalstats.tables.categorical import coded
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of, texts_of

# in this order: rows used neither for training nor for model selection are test data
_NEW = _lexicon.word_list("sets.test"), _lexicon.word_list("sets.validation")
_SEEN = _lexicon.word_list("sets.training")
_SETS = frozenset((*_SEEN, *_NEW[0], *_NEW[1]))
_MOST = len(_SETS)
# words that add nothing to the name of a set: CV-Train, test set
_BESIDE = re.compile(rf"{_lexicon.one_of('sets.beside')}_|_{_lexicon.one_of('sets.beside')}")


def rows_of_new_data(grid: Grid, given: Collection[str | None] = ()) -> Grid:
    """Return the rows of test data, or else of validation data, without the column that identifies them.

    `given` contains the names of the columns to which the caller assigned a role. Scores of training data alone are
    rejected.
    """
    for j, name in enumerate(grid.header):
        column = grid.columns[j]
        # the first cell excludes most columns quickly
        if isinstance(column, NumberColumn) or not len(column) or not _may_tell(name, column[0], given):
            continue
        if _are_labels(grid, given):
            return grid
        cells = coded(column)
        texts = texts_of(cells.values[: _MOST + 1])
        told = _told(grid, name, texts) if len(texts) == len(cells.values) < len(cells.codes) else None
        if told is None:
            continue
        are_new = [text in told.read for text in texts]
        left = only_rows(grid, [i for i, code in enumerate(cells.codes.tolist()) if are_new[code]])
        return replace(
            left,
            header=_without(grid.header, j),
            columns=_without(left.columns, j),
            noise=_without(grid.noise, j) if grid.noise else (),
            findings=(*grid.findings, told.found(len(grid.numbers) - len(left.numbers))),
        )
    return grid


def _are_labels(grid: Grid, given: Collection[str | None]) -> bool:
    """Return whether the true labels are words such as 'train', so the column does not separate the data."""
    called = (*_lexicon.PREDICTION_COLUMNS["y_true"], *_lexicon.TRUE_AT_LAST)
    true = [j for j, name in enumerate(grid.header) if name in given or _lexicon.is_called(name, called)]
    return any(_SETS.issuperset(map(_set_named, _texts(grid.columns[j]))) for j in true)


def _set_named(text: str) -> str:
    """Return the name of a set without words such as 'cv', so CV-Train becomes 'train'."""
    return _BESIDE.sub("", _lexicon.simplified(text))


def _texts(column: Any) -> list[str]:
    return texts_of(coded(column).values)


def held_rows_of_new_data(grid: Grid, given: Collection[str | None] = ()) -> Grid:
    """Select the rows of test data in a held table. Rows are loaded only for an error message."""
    columns = grid.columns
    assert isinstance(columns, HeldColumns)
    engine = columns.engine
    first = engine.first_row() if any(engine.kind(name) == "text" for name in engine.header) else []
    for j, cell in enumerate(first):
        name, held = grid.header[j], engine.header[j]
        if engine.kind(held) != "text" or not _may_tell(name, cell, given):
            continue
        if _are_labels(grid, given):
            return grid
        counts = engine.counts([held], 2 * _MOST)
        if counts is None or counts[1].sum() == len(counts[1]):
            continue
        texts = {value: text_of(value) for value in counts[0][0]}
        if told := _told(grid, name, list(dict.fromkeys(texts.values()))):
            kept = engine.only(held, [value for value, text in texts.items() if text in told.read])

            def plain() -> Grid:
                whole = replace(grid, columns=list(columns)) if columns.plain is None else columns.plain()
                return rows_of_new_data(whole, given)

            left = held_grid(kept, grid.name, file=grid.file, word=grid.word, plain=plain)
            n_rows = zip(counts[0][0], counts[1].tolist(), strict=True)
            n_left_out = sum(n for value, n in n_rows if texts[value] not in told.read)
            return replace(left, findings=(*grid.findings, told.found(n_left_out)))
    return grid


class _Told(NamedTuple):
    """Cell values of the rows to read, and the sentence of the finding."""

    read: list[str]
    sentence: str

    def found(self, n_left_out: int) -> Finding:
        """Return a finding with the number of omitted rows."""
        numbers: dict[str, float] = {"n_rows_left_out": n_left_out}
        return Finding(code="rows-of-new-data", severity="note", sentence=self.sentence, numbers=numbers)


def _may_tell(name: str, first: Any, given: Collection[str | None]) -> bool:
    """Return whether a column may separate training from test data, judged by its name and first cell."""
    if not isinstance(first, str) or _set_named(first) not in _SETS or name in given:
        return False
    return not _lexicon.is_called(
        name,
        (
            *_lexicon.DATASET_COLUMNS,
            *_lexicon.CLASSIFIER_COLUMNS,
            *_lexicon.PREDICTION_COLUMNS["y_true"],
            *_lexicon.PREDICTION_COLUMNS["y_pred"],
        ),
    )


def _told(grid: Grid, name: str, texts: Sequence[str]) -> _Told | None:
    """Return the selection from the distinct cells. Return None if they are not names of training and test sets."""
    sets = {text: _set_named(text) for text in texts}
    if not 1 < len(sets) <= _MOST or not _SETS.issuperset(sets.values()):
        return None
    chosen = next((tier for tier in _NEW if not set(tier).isdisjoint(sets.values())), None)
    if chosen is None:
        raise TableError(f"{grid.name}: the column {short(name)} says that all scores come from training data")
    read = [text for text, one in sets.items() if one in chosen]
    rest = [text for text, one in sets.items() if one not in chosen]
    if not rest:
        return None
    column = short(name)
    sentence = f"The rows with {listed(read)} in {column} are read, and the rows with {listed(rest)} are not."
    return _Told(read, sentence)


def _without(items: Sequence[Any], at: int) -> list[Any]:
    return [item for i, item in enumerate(items) if i != at]
