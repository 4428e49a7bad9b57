"""How do several files become one table?"""

from __future__ import annotations

__all__ = ["grid_of_several"]

import itertools
import os
from collections.abc import Sequence
from dataclasses import replace

from evalstats._findings import Finding
from evalstats.tables.columns import CLASSIFIER_COLUMNS, DATASET_COLUMNS, is_called
from evalstats.tables.grid import Grid, TableError, listed, short, visible


class _Line(int):
    """The number of a line that says of which file it is."""

    file: str = ""

    def __str__(self) -> str:
        return f"{int(self)} of {self.file}"


def grid_of_several(files: Sequence[tuple[str, Grid]]) -> Grid:
    """Return the rows of several files with the same columns, one below the other.

    Where no column names the classifiers of a long table or of predictions, they have the names of their files.
    """
    from evalstats.tables.predictions import looks_like_predictions

    paths, grids = [path for path, _ in files], [grid for _, grid in files]
    if len(grids) == 1:
        return grids[0]
    first = grids[0]
    for grid in grids:
        if grid.record is not None or grid.is_nested:
            raise TableError(f"{grid.name} is no table of rows, so that it cannot be read together with other files")
        if sorted(grid.header) != sorted(first.header) or len(set(grid.header)) < len(grid.header):
            other = sorted(set(grid.header) ^ set(first.header)) or grid.header
            raise TableError(
                f"files that are read together must have the same columns, but {first.name} and {grid.name} differ in "
                f"{listed(other)}"
            )
    order = [[grid.header.index(name) for name in first.header] for grid in grids]
    columns = [
        list(itertools.chain.from_iterable(grid.columns[at[j]] for grid, at in zip(grids, order, strict=True)))
        for j in range(len(first.header))
    ]
    joined = replace(
        first,
        name=f"{first.name} and {len(grids) - 1} more" if len(grids) > 2 else f"{first.name} and {grids[1].name}",
        file=", ".join(grid.name for grid in grids),
        columns=columns,
        numbers=[line for grid in grids for line in _lines(grid)],
        noise=(),
        findings=tuple({one.sentence: one for grid in grids for one in grid.findings}.values()),
    )
    has = [any(is_called(name, known) for name in first.header) for known in (DATASET_COLUMNS, CLASSIFIER_COLUMNS)]
    answers = looks_like_predictions(first)
    if has[1] or not (answers or (has[0] and _has_one_score(first))):
        return joined
    added = {"classifier": _names(paths)}
    if not has[0]:
        added["dataset"] = ["dataset"] * len(paths)
    return _with_columns(joined, added, [len(grid.numbers) for grid in grids])


def _with_columns(grid: Grid, added: dict[str, list[str]], lengths: Sequence[int]) -> Grid:
    columns = [[name for name, n in zip(names, lengths, strict=True) for _ in range(n)] for names in added.values()]
    sentence = f"The classifiers have the names of their files: {listed(added['classifier'])}."
    return replace(
        grid,
        header=[*added, *grid.header],
        columns=[*columns, *grid.columns],
        findings=(*grid.findings, Finding(code="names-of-files", severity="note", sentence=sentence)),
    )


def _has_one_score(grid: Grid) -> bool:
    """Tell whether beside datasets, folds and repeats one column is left, which holds the scores."""
    from evalstats.tables.fold_scores import SIZE_COLUMNS
    from evalstats.tables.predictions import COLUMNS

    known = [*DATASET_COLUMNS, *COLUMNS["repeat"], *COLUMNS["fold"], *itertools.chain(*SIZE_COLUMNS.values())]
    return sum(not is_called(name, known) for name in grid.header) == 1


def _names(paths: Sequence[str]) -> list[str]:
    """Return the shortest ends of paths, without their suffix, that tell them apart."""
    parts = [os.path.normpath(path).split(os.sep) for path in paths]
    for depth in range(1, max(map(len, parts)) + 1):
        names = [visible("/".join((*own[-depth:-1], _stem(own[-1])))) for own in parts]
        if len(set(names)) == len(names):
            return names
    again = next((path for path in paths if paths.count(path) > 1), paths[0])
    raise TableError(f"each file must be given once, but {short(again)} is there twice")


def _stem(file: str) -> str:
    for suffix in (".gz", ".bz2", ".xz", ".zip"):
        file = file.removesuffix(suffix)
    return os.path.splitext(file)[0] or file


def _lines(grid: Grid) -> list[int]:
    lines: list[int] = []
    for number in grid.numbers:
        line = _Line(number)
        line.file = grid.name
        lines.append(line)
    return lines
