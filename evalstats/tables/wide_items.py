"""Does a table with a column for each model hold the answers to questions that are told apart further?"""

from __future__ import annotations

__all__ = ["long_items"]

from collections.abc import Collection
from dataclasses import replace

from evalstats.tables.codes import CodedColumn, coded
from evalstats.tables.columns import CLASSIFIER_COLUMNS, QUESTION_COLUMNS, SAMPLE_COLUMNS, is_called
from evalstats.tables.grid import Grid
from evalstats.tables.item_table import CLUSTER_COLUMNS, STRATUM_COLUMNS
from evalstats.tables.roles import are_correctness

_ROLES = {
    "question": QUESTION_COLUMNS,
    "stratum": STRATUM_COLUMNS,
    "cluster": CLUSTER_COLUMNS,
    "sample": SAMPLE_COLUMNS,
}


def long_items(grid: Grid, dropped: Collection[str]) -> Grid | None:
    """Return one row for each answer; None where questions have no benchmarks or clusters, or columns no answers."""
    if grid.is_held:
        return None
    keys: dict[str, int] = {}
    heads = []
    for j, name in enumerate(grid.header):
        role = next((role for role, known in _ROLES.items() if is_called(name, known)), None)
        if is_called(name, CLASSIFIER_COLUMNS) or role in keys:
            return None
        if role is not None:
            keys[role] = j
        elif name not in dropped:
            heads.append(j)
    if "question" not in keys or keys.keys().isdisjoint(("stratum", "cluster")) or len(heads) < 2:
        return None
    if not are_correctness(grid.columns[j] for j in heads):
        return None
    n, m = len(grid.numbers), len(heads)
    told = {j: coded(grid.columns[j]) for j in keys.values() if grid.header[j] not in dropped}
    columns = [CodedColumn(own.values, own.codes.repeat(m)) for own in told.values()]
    answers = [cell for row in zip(*(grid.columns[j] for j in heads), strict=True) for cell in row]
    return replace(
        grid,
        header=[*(grid.header[j] for j in told), "model", "correct"],
        columns=[*columns, [grid.header[j] for j in heads] * n, answers],
        numbers=[number for number in grid.numbers for _ in heads],
        noise=(),
    )
