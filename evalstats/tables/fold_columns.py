"""Does a long table have the scores of each fold or run in a column of its own, as ``fold1, ..., fold5``?"""

from __future__ import annotations

__all__ = ["with_rows_of_folds"]

import re
from collections.abc import Sequence
from dataclasses import replace

from evalstats._findings import Finding
from evalstats.tables.codes import CodedColumn, coded
from evalstats.tables.columns import simplified
from evalstats.tables.grid import Grid, TableError, listed
from evalstats.tables.known_names import is_fold, number_of_run, run_and_metric
from evalstats.tables.roles import LeftOut, is_summary


def with_rows_of_folds(
    grid: Grid, keys: Sequence[int], metric: str | None = None
) -> tuple[Grid, tuple[LeftOut, ...], tuple[Finding, ...]]:
    """Return a long table with one row for each fold, where it has a column for each; `keys` are those of names."""
    told = {j: found for j, name in enumerate(grid.header) if j not in keys and (found := run_and_metric(name))}
    measured = list(dict.fromkeys(own for _, own in told.values()))
    if len(measured) > 1:
        if metric is None:
            problem = f"{grid.name} has columns of the metrics {listed(measured)} for each run"
            raise TableError(problem, "choose one, for example {}", "metric", next(filter(None, measured)))
        measured = [own for own in measured if simplified(own) == simplified(metric)]
    at = [j for j, (_, own) in told.items() if own in measured]
    stems = {re.sub(r"[\W_\d]", "", told[j][0].casefold()) for j in at}
    others = [j for j in range(len(grid.header)) if j not in (*keys, *told)]
    if len(at) < 2 or len(stems) > 1 or not all(is_summary(grid.header[j]) for j in others):
        return grid, (), ()
    runs = "fold" if is_fold(told[at[0]][0]) else "repeat"
    n, m = len(grid.numbers), len(at)
    names = [number_of_run(told[j][0]) for j in at]
    of_keys = {j: coded(grid.columns[j]) for j in keys}
    columns = [CodedColumn(own.values, own.codes.repeat(m)) for own in of_keys.values()]
    scores = [cell for row in zip(*(grid.columns[j] for j in at), strict=True) for cell in row]
    long = replace(
        grid,
        header=[*(grid.header[j] for j in of_keys), runs, measured[0] or "score"],
        columns=[*columns, names * n, scores],
        numbers=[number for number in grid.numbers for _ in at],
        noise=(*[0.0] * (len(of_keys) + 1), grid.noise_at(at)),
    )
    sentence = f"The columns {listed([grid.header[j] for j in at])} hold the scores of one {runs} each."
    left_out = (LeftOut(what="column", name=grid.header[j], reason="is a summary of the others") for j in others)
    return long, tuple(left_out), (Finding(code="columns-of-folds", severity="note", sentence=sentence),)
