"""Reader of wide tables of answers to questions with benchmarks or clusters."""

from __future__ import annotations

__all__ = ["long_items"]

from collections.abc import Collection, Mapping
from dataclasses import replace

from evalstats._lexicon import CLASSIFIER_COLUMNS, PREDICTION_COLUMNS, TRUE_AT_LAST
from evalstats.io.columns.roles import columns_called
from evalstats.io.columns.summaries import truths_in
from evalstats.io.layouts.candidate import refuse_names_of_losses
from evalstats.io.layouts.questions import key_columns
from evalstats.io.layouts.wide_predictions import PREDICTED
from evalstats.io.sources.grid import Grid
from evalstats.tables.categorical import CodedColumn, coded

# a column of classifiers belongs to a long table, and true labels make the others labels
NO_HEADS = (*CLASSIFIER_COLUMNS, *PREDICTION_COLUMNS["y_true"], *TRUE_AT_LAST)
# columns that the caller may name in a wide table of answers
NAMED = ("question", "dataset", "stratum", "cluster", "subgroup")


def long_items(
    grid: Grid, dropped: Collection[str], columns: Mapping[str, str | None], greater_is_better: bool | None = None
) -> Grid | None:
    """Return the long table of answers, or None if the table has no benchmarks or clusters.

    The last column is called ``correct``, or, if `greater_is_better` is False and 1 means an incorrect answer,
    ``error``.
    """
    others = (name for role, name in columns.items() if role not in NAMED)
    if any(name is not None for name in others) or columns_called(grid, NO_HEADS):
        return None
    gone = {j for j, name in enumerate(grid.header) if name in dropped}
    keys = key_columns(grid, columns, None, gone)
    told = list(dict.fromkeys(j for j in keys.values() if j is not None))
    heads = [j for j in range(len(grid.header)) if j not in (*told, *gone)]
    if keys["question"] is None or (keys["stratum"] is None and keys["cluster"] is None) or len(heads) < 2:
        return None
    if any(PREDICTED.search(grid.header[j]) or truths_in(grid.columns[j]) is None for j in heads):
        return None
    refuse_names_of_losses(grid, heads, greater_is_better)
    n, m = len(grid.numbers), len(heads)
    codes = {j: coded(grid.columns[j]) for j in told}
    answers = [cell for row in zip(*(grid.columns[j] for j in heads), strict=True) for cell in row]
    return replace(
        grid,
        header=[*(grid.header[j] for j in told), "model", "error" if greater_is_better is False else "correct"],
        columns=[
            *(CodedColumn(own.values, own.codes.repeat(m)) for own in codes.values()),
            [grid.header[j] for j in heads] * n,
            answers,
        ],
        numbers=[number for number in grid.numbers for _ in heads],
        noise=(),
    )
