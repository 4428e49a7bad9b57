"""Which rows tell of new data, where a column tells training from test data?

Scores on training data say nothing about how good a classifier is, and no mean of the two does.
"""

from __future__ import annotations

__all__ = ["rows_of_new_data"]

from collections.abc import Container
from dataclasses import replace

from evalstats._findings import Finding
from evalstats.tables.codes import coded
from evalstats.tables.columns import CLASSIFIER_COLUMNS, DATASET_COLUMNS, is_called, simplified
from evalstats.tables.grid import Grid, TableError, listed, short, text_of
from evalstats.tables.roles import only_rows

# in this order: what was seen neither for training nor for choosing is new
_NEW = (
    ("test", "testing", "holdout", "hold_out", "out_of_sample", "oos", "unseen"),
    ("val", "valid", "validation", "dev", "eval", "evaluation"),
)
_SEEN = ("train", "training", "in_sample", "learn", "learning")
_SETS = frozenset((*_SEEN, *_NEW[0], *_NEW[1]))
_MOST = len(_SETS)


def rows_of_new_data(grid: Grid, given: Container[str | None] = ()) -> Grid:
    """Return the rows of test data, or else of validation data, without the column that tells them apart.

    `given` are names of columns that were given a role. Scores of training data alone are refused.
    """
    for j, name in enumerate(grid.header):
        column = grid.columns[j]
        if not len(column) or not isinstance(column[0], str) or simplified(column[0]) not in _SETS:  # the first cell settles nearly all
            continue
        if name in given or is_called(name, DATASET_COLUMNS) or is_called(name, CLASSIFIER_COLUMNS):
            continue
        cells = coded(column)
        texts = [text_of(cell) for cell in cells.values[: _MOST + 1]]
        sets = [simplified(text) for text in texts]
        if not 1 < len(cells.values) <= _MOST or len(cells.codes) == len(texts) or not _SETS.issuperset(sets):
            continue
        chosen = next((tier for tier in _NEW if not set(tier).isdisjoint(sets)), None)
        if chosen is None:
            raise TableError(f"{grid.name}: the column {short(name)} says that all scores are of training data")
        kept = [i for i, code in enumerate(cells.codes.tolist()) if sets[code] in chosen]
        read = [text for text, one in zip(texts, sets, strict=True) if one in chosen]
        rest = [text for text, one in zip(texts, sets, strict=True) if one not in chosen]
        if not rest:
            continue
        sentence = (
            f"Of the rows that {short(name)} tells apart, those of {listed(read)} are read and {listed(rest)} not."
        )
        told = Finding(code="rows-of-new-data", severity="note", sentence=sentence)
        left = only_rows(grid, kept)
        others = [i for i in range(len(grid.header)) if i != j]
        return replace(
            left,
            header=[grid.header[i] for i in others],
            columns=[left.columns[i] for i in others],
            noise=[grid.noise[i] for i in others] if grid.noise else (),
            findings=(*grid.findings, told),
        )
    return grid
