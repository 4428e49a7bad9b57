"""Is a wide table one of datasets and classifiers at all? Many others look so, and their ranks would mean nothing."""

from __future__ import annotations

__all__ = ["companions", "refuse_other_tables"]

import re
from collections.abc import Sequence

from evalstats.tables.columns import simplified
from evalstats.tables.direction import direction_of
from evalstats.tables.grid import Grid, TableError, listed, short, text_of

# names of rows that count folds or runs, with a number behind them
_RUN = re.compile(
    r"(?:cv|fold|split|resample|repeat|rep|run|seed|trial|iteration|iter|epoch|step|bootstrap)[\W_]*\d+", re.IGNORECASE
)
# a first column that is called so counts them
_COUNTED = (
    "epoch",
    "step",
    "global_step",
    "iteration",
    "iter",
    "seed",
    "random_state",
    "trial",
    "bootstrap",
    "resample",
)
_SETS = re.compile(r"(?:train|training|val|valid|validation|test|eval|dev)_(?=.)")
# what stands beside the scores of a classifier, under its name and one of these words
_BESIDE = re.compile(
    r"(?P<name>.+?)[\W_]+(?P<word>time|runtime|seconds|std|stdev|stddev|sd|se|sem|ci|rank|n)\W*", re.IGNORECASE
)
FEWEST = 3


def companions(grid: Grid, heads: Sequence[int]) -> dict[int, str]:
    """Return the columns that tell something else of a classifier than its scores, and what: its time, its spread."""
    names = {simplified(grid.header[j]): grid.header[j] for j in heads}
    found: dict[int, str] = {}
    for j in heads:
        match = _BESIDE.fullmatch(grid.header[j])
        if match is not None and (whose := names.get(simplified(match["name"]))):
            found[j] = f"tells the {match['word'].casefold()} of {whose}"
    return found


def refuse_other_tables(grid: Grid, key: int | None, heads: Sequence[int]) -> None:
    """Refuse a table whose names say that its rows are no datasets, or its columns no classifiers.

    `key` is the column of the names of rows, `heads` are those of scores.
    """
    names = [grid.header[j] for j in heads]
    rows = [] if key is None else [text_of(cell) for cell in grid.columns[key]]
    corner = [] if key is None else [grid.header[key]]
    counter = next((name for name in (*corner, *names) if simplified(name) in _COUNTED), None)
    if counter is not None:
        found = f"the column {short(counter)} counts rows of one dataset, and does not name datasets"
        what = "call it fold or repeat if it does so"
    elif len(names) > 1 and all(map(_is_metric, names)):
        found = f"the columns {listed(names)} are called like metrics, not like classifiers"
        what = "choose one with metric= or score= in a table with a column of datasets and one of classifiers"
    elif len(rows) > 1 and all(map(_is_metric, rows)):
        found = f"the rows {listed(rows)} are called like metrics, not like datasets"
        what = "keep the scores of one metric on several datasets"
    elif len(rows) > 1 and all(map(_RUN.fullmatch, rows)):
        found = f"the rows {listed(rows)} are called like folds or runs, not like datasets"
        what = "call their column fold or repeat"
    elif len(rows) >= FEWEST and rows == names:
        found = f"rows and columns have the same names, {listed(rows)}, as in a matrix of pairs"
        what = "give one row for each dataset and one column for each classifier"
    else:
        return
    hint = f"{what}; if they are datasets and classifiers all the same, pass {{}}"
    raise TableError(f"{grid.name}: {found}", hint, "layout", "wide")


def _is_metric(name: str) -> bool:
    plain = _SETS.sub("", simplified(name))
    return direction_of(plain) is not None or plain in ("precision", "recall", "support", "specificity", "sensitivity")
