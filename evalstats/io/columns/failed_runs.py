"""Rows of failed runs: their scores are read, and a warning lists them."""

from __future__ import annotations

__all__ = ["failed_runs"]

from evalstats._errors import examples
from evalstats._findings import Finding
from evalstats._lexicon import simplified, word_list
from evalstats.io.columns.roles import columns_called
from evalstats.io.sources.grid import Grid
from evalstats.tables.categorical import coded
from evalstats.tables.errors import short
from evalstats.tables.names import text_of

STATUS_COLUMNS = word_list("columns.status")
FAILED = frozenset(word_list("values.failed"))
MOST_NAMED = 5  # rows


def failed_runs(grid: Grid) -> tuple[Finding, ...]:
    """Return a warning about rows with the status of a failed run, as logs write it.

    Examples
    --------
    >>> from evalstats.io.columns.failed_runs import failed_runs
    >>> from evalstats.io.sources.grid import grid_of_columns
    >>> failed_runs(grid_of_columns("the table", ["accuracy", "status"], [[0.9, 0.0], ["ok", "error"]]))[0].sentence
    "1 row has the status 'error' (row 2), and their values are read as scores."
    """
    for j in columns_called(grid, STATUS_COLUMNS):
        cells = coded(grid.columns[j])
        failed = {i for i, value in enumerate(cells.values) if simplified(text_of(value)) in FAILED}
        rows = [i for i, code in enumerate(cells.codes.tolist()) if code in failed]
        if rows:
            said = examples([short(text_of(cells.values[i])) for i in sorted(failed)])
            at = examples([f"{grid.word} {grid.numbers[i]}" for i in rows], MOST_NAMED)
            n, which = len(rows), "row has" if len(rows) == 1 else "rows have"
            sentence = f"{n:,} {which} the status {said} ({at}), and their values are read as scores."
            numbers: dict[str, float] = {"n_rows": n}
            return (Finding(code="failed-runs", severity="warning", sentence=sentence, numbers=numbers),)
    return ()
