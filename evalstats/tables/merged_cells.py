"""Which name stands for the empty cells below it, as where cells of a spreadsheet were merged?"""

from __future__ import annotations

__all__ = ["filled_down"]

from collections.abc import Sequence
from dataclasses import replace

from evalstats._findings import Finding
from evalstats.tables.grid import Grid, short, text_of


def filled_down(grid: Grid, keys: Sequence[int], told: tuple[Finding, ...] = ()) -> tuple[Grid, tuple[Finding, ...]]:
    """Return a long table with each empty name filled by the one above it, if one of its columns of names has some.

    `keys` are the columns of names, of which no two rows have the same ones then; otherwise nothing is filled. What is
    `told` already is told before it.
    """
    if grid.is_held:
        return grid, told
    names = {j: [text_of(cell) for cell in grid.columns[j]] for j in keys}
    gaps = [j for j, own in names.items() if "" in own]
    if len(gaps) != 1 or not names[gaps[0]] or not names[gaps[0]][0]:
        return grid, told
    filled: list[str] = []
    for name in names[gaps[0]]:
        filled.append(name or filled[-1])
    names[gaps[0]] = filled
    if len(set(zip(*names.values(), strict=True))) < len(filled):
        return grid, told
    sentence = f"Empty cells in {short(grid.header[gaps[0]])} were taken for the name above them, as merged cells are."
    columns = [filled if j == gaps[0] else column for j, column in enumerate(grid.columns)]
    return replace(grid, columns=columns), (*told, Finding(code="merged-cells", severity="note", sentence=sentence))
