"""Standard names for the columns of long tables from pandas."""

from __future__ import annotations

__all__ = ["of_melted"]

from collections.abc import Iterable
from dataclasses import replace

from evalstats._findings import Finding
from evalstats._lexicon import CLASSIFIER_COLUMNS, METRIC_COLUMNS
from evalstats.io.columns.roles import columns_called
from evalstats.io.sources.grid import Grid
from evalstats.tables.errors import short


def of_melted(grid: Grid, given: Iterable[str | None] = ()) -> Grid:
    """Rename the default columns of `melt()` and `reset_index()`, and add a finding.

    If `given` contains a column with a role, the table is returned unchanged.
    """
    meant = {} if any(name is not None for name in given) else _meant(grid)
    if not meant or not {*meant.values()}.difference(meant).isdisjoint(grid.header):
        return grid
    told = [f"{short(name)} the {role}s" for name, role in meant.items() if name != role]
    sentence = f"The columns have the names that pandas gives to the columns of long tables: {', '.join(told)}."
    header = [meant.get(name, name) for name in grid.header]
    return replace(
        grid, header=header, findings=(*grid.findings, Finding(code="melted", severity="note", sentence=sentence))
    )


def _meant(grid: Grid) -> dict[str, str]:
    """Map the default column names of pandas to the columns of a long table."""
    header = list(grid.header)
    if {"variable", "value"} <= set(header):  # DataFrame.melt()
        if not columns_called(grid, CLASSIFIER_COLUMNS):
            index = {"index": "dataset"} if set(header) == {"index", "variable", "value"} else {}
            return {**index, "variable": "classifier", "value": "score"}
        return {} if columns_called(grid, METRIC_COLUMNS) else {"variable": "metric", "value": "score"}
    if len(header) == 3 and header[2] == "0" and header[1] == "level_1":  # DataFrame.stack().reset_index()
        return {header[0]: "dataset", "level_1": "classifier", "0": "score"}
    if len(header) == 3 and header[2] == "0" and header[0] == "level_0":  # DataFrame.unstack().reset_index()
        return {"level_0": "classifier", header[1]: "dataset", "0": "score"}
    return {}
