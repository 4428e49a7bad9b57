"""Conversion of several files to one table."""

from __future__ import annotations

__all__ = ["grid_of_several", "has_scores_only"]

import itertools
import math
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evalstats._errors import listed
from evalstats._findings import Finding
from evalstats._lexicon import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    ITEM_COLUMNS,
    METRIC_COLUMNS,
    PREDICTION_COLUMNS,
    RUN_COLUMNS,
    SEED_COLUMNS,
    SIZE_COLUMNS,
    is_called,
    simplified,
)
from evalstats.io.columns.conditions import Seen, training_log
from evalstats.io.columns.grammar import is_run, runs_of
from evalstats.io.columns.kinds import BESIDE, is_beside, role_of
from evalstats.io.columns.roles import (
    are_numbers,
    column_of_one_score,
    columns_called,
    columns_of,
    looks_like_predictions,
    with_column_of_metrics,
    without_role,
)
from evalstats.io.columns.summaries import is_summary, turned
from evalstats.io.layouts.orientation import are_datasets, nested_order
from evalstats.io.sources.grid import Grid, only_columns
from evalstats.io.sources.numbers import number_in
from evalstats.metrics.directions import direction_of, direction_of_metric
from evalstats.tables.categorical import one_after_another
from evalstats.tables.errors import TableError, short, visible
from evalstats.tables.names import text_of, texts_of, two_writings

_MOST_CELLS = 1_000  # that show whether a column holds numbers
_KEYS = (*RUN_COLUMNS, *ITEM_COLUMNS)  # columns that distinguish the rows of one classifier


class _Line(int):
    """Line number that also stores the name of its file."""

    file: str = ""

    def __str__(self) -> str:
        return f"{int(self)} of {self.file}"


def grid_of_several(files: Sequence[tuple[str, Grid]], what: str = "files") -> Grid:
    """Concatenate the rows of several files or sheets with the same columns.

    If long tables or predictions have no column of classifiers, the file names are the classifiers.
    """
    paths, grids = [path for path, _ in files], [grid for _, grid in files]
    if len(grids) == 1:
        return grids[0]
    grids = [_with_metrics_by_run(_plain(grid)) for grid in _with_classifiers_apart(_with_common_columns(grids))]
    is_history = training_log(Seen(grids[0])) is not None
    grids = grids if is_history else _with_role_of_rows(paths, grids)
    first = grids[0]
    for grid in grids:
        if grid.record is not None or grid.is_nested:
            raise TableError(f"{grid.name} is not a table of rows, so it cannot be read together with other files")
        if sorted(grid.header) != sorted(first.header) or len(set(grid.header)) < len(grid.header):
            other = sorted(set(grid.header) ^ set(first.header)) or grid.header
            raise TableError(
                f"{what} that are read together must have the same columns, but {first.name} and {grid.name} differ in "
                f"{listed(other)}{two_writings(other)}"
            )
    order = [[grid.header.index(name) for name in first.header] for grid in grids]
    columns = [
        list(itertools.chain.from_iterable(grid.columns[at[j]] for grid, at in zip(grids, order, strict=True)))
        for j in range(len(first.header))
    ]
    joined = replace(
        first,
        name=f"the table of {first.name} and {f'{len(grids) - 1} more' if len(grids) > 2 else grids[1].name}",
        file=", ".join(grid.name for grid in grids),
        columns=columns,
        numbers=[line for grid in grids for line in _lines(grid)],
        noise=(),
        findings=tuple({one.sentence: one for grid in grids for one in grid.findings}.values()),
    )
    if is_history:
        return joined  # the names of the files do not make its rows datasets
    lengths = [len(grid.numbers) for grid in grids]
    has_datasets, has_classifiers = (
        any(is_called(name, known) for name in first.header) for known in (DATASET_COLUMNS, CLASSIFIER_COLUMNS)
    )
    answers = looks_like_predictions(first) or bool(columns_of(first, "y_pred"))
    has_keys = (
        has_datasets
        or is_called(first.header[0], METRIC_COLUMNS)
        or len(first.header) == 1
        or first.header[0] == ""
        or any(is_called(name, _KEYS) for name in first.header)
        or all(map(_has_numbers, first.columns))  # metrics and times of the folds, without their numbers
    )
    if not has_classifiers and (answers or (has_keys and has_scores_only(first))):
        return _with_columns(joined, _named_by_files(paths, has_datasets=has_datasets), lengths, what)
    # columns that distinguish the rows of one dataset, if no column names the datasets
    keys = () if has_datasets else CLASSIFIER_COLUMNS if has_classifiers and _has_scores(first) else RUN_COLUMNS
    if any(is_called(name, keys) for name in first.header) and _stand_again(grids, keys):
        return _with_columns(joined, _datasets_of_files(paths, grids, what), lengths, what)
    if not answers and not _has_runs(first) and _stand_again(grids, (*DATASET_COLUMNS, *CLASSIFIER_COLUMNS)):
        return _with_columns(joined, _runs_of_files(paths, grids, what), lengths, what)
    return joined


def _with_role_of_rows(paths: Sequence[str], grids: list[Grid]) -> list[Grid]:
    """Name a first column without a role, whose rows occur in several files: they are datasets or classifiers."""
    first = grids[0]
    if first.header[0] not in ("", "name") or are_numbers(first.columns[0]) or not _has_scores(first):
        return grids
    rows = list(dict.fromkeys(text for grid in grids for text in map(text_of, grid.columns[0])))
    if runs_of(rows) or not _stand_again(grids, ()):
        return grids
    files = _names(paths)
    known = False if runs_of(name.rpartition("/")[2] for name in files) else are_datasets(rows, files)
    if known is None:
        raise TableError(
            f"the rows {listed(rows)} or the files {listed(files)} may be the classifiers; add a column dataset or "
            "classifier to each file"
        )
    return [replace(grid, header=["dataset" if known else "classifier", *grid.header[1:]]) for grid in grids]


def _with_common_columns(grids: list[Grid]) -> list[Grid]:
    """Leave out columns without a role that only some files of predictions have, such as tuning parameters."""
    names = [set(grid.header) for grid in grids]
    common = set.intersection(*names)
    other = set.union(*names) - common
    free = {name for grid in grids for name in without_role(grid)}
    if not other or not other <= free or any(grid.record is not None or grid.is_nested for grid in grids):
        return grids
    if not all(map(looks_like_predictions, grids)):
        return grids
    sentence = f"Not used, because some files lack them: {listed(sorted(other))}."
    told = Finding(code="unnamed", severity="note", sentence=sentence)
    kept = [[j for j, name in enumerate(grid.header) if name in common] for grid in grids]
    return [
        replace(only_columns(grid, at), findings=(*grid.findings, told)) for grid, at in zip(grids, kept, strict=True)
    ]


def _with_classifiers_apart(grids: list[Grid]) -> list[Grid]:
    """Return long grids if each file has the scores of other classifiers on named datasets, in their columns."""
    names = [set(grid.header) for grid in grids]
    common = set.intersection(*names)
    own = [[j for j, name in enumerate(grid.header) if name not in common] for grid in grids]
    others = [grid.header[j] for grid, at in zip(grids, own, strict=True) for j in at]
    if not all(own) or len(set(others)) < len(others) or any(grid.record is not None for grid in grids):
        return grids
    if not any(is_called(name, DATASET_COLUMNS) for name in common) or any(map(_has_role, (*common, *others))):
        return grids
    if not all(_has_numbers(grid.columns[j]) for grid, at in zip(grids, own, strict=True) for j in at):
        return grids
    return [_long(grid, at) for grid, at in zip(grids, own, strict=True)]


def _has_role(name: str) -> bool:
    known = (*CLASSIFIER_COLUMNS, *RUN_COLUMNS, *ITEM_COLUMNS, *itertools.chain(*PREDICTION_COLUMNS.values()))
    return is_called(name, known) or role_of(name) is not None or direction_of(name) is not None


def _long(grid: Grid, at: Sequence[int]) -> Grid:
    kept = [j for j in range(len(grid.header)) if j not in at]
    n = len(grid.numbers)
    columns = [list(grid.columns[j]) * len(at) for j in kept]
    scores = one_after_another([grid.columns[j] for j in at])
    return replace(
        grid,
        header=[*(grid.header[j] for j in kept), "classifier", "score"],
        columns=[*columns, [grid.header[j] for j in at for _ in range(n)], scores],
        numbers=[*grid.numbers] * len(at),
        noise=(),
    )


def _plain(grid: Grid) -> Grid:
    """Return a grid without an index that was written in addition to unnamed row names, or with metrics as columns.

    A dict of dicts has its metrics in the outer or in the inner keys.
    """
    has_index = grid.header[:2] == ["", ""]
    if not (has_index or grid.is_nested):
        return grid
    rows = texts_of(grid.columns[0])
    if has_index and rows == [str(i) for i in range(len(grid.numbers))]:
        return replace(grid, header=grid.header[1:], columns=grid.columns[1:], noise=grid.noise[1:])
    if grid.is_nested and all(direction_of_metric(name) is not None for name in grid.header[1:]):
        names = [name for name in rows if not is_summary(name)]
        are_folds = len(names) < len(grid.numbers) and all(map(str.isdecimal, names))  # above their mean, in PyCaret
        return replace(grid, is_nested=False, header=["fold" if are_folds else "", *grid.header[1:]])
    if grid.is_nested and all(direction_of_metric(name) is not None for name in rows):
        return replace(turned(grid), is_nested=False, header=["", *rows])
    return grid


def _with_metrics_by_run(grid: Grid) -> Grid:
    """Name the first column of a table of one classifier whose rows are metrics and whose columns are folds or runs."""
    rest = [name for name in grid.header[1:] if not is_summary(name)]
    return with_column_of_metrics(grid) if len(rest) > 1 and all(map(is_run, rest)) else grid


def _stand_again(grids: Sequence[Grid], known: Sequence[str]) -> bool:
    """Return whether a row name occurs in two files, in the known columns or in the first column."""
    seen: set[tuple[str, ...]] = set()
    for grid in grids:
        at = [j for j, name in enumerate(grid.header) if is_called(name, known)] or [0]
        own = set(zip(*(map(text_of, grid.columns[j]) for j in at), strict=True))
        if seen & own:
            return True
        seen |= own
    return False


def _has_runs(grid: Grid) -> bool:
    return any(
        is_called(name, (*RUN_COLUMNS, *PREDICTION_COLUMNS["instance"], *METRIC_COLUMNS)) for name in grid.header
    )


def _named_by_files(paths: Sequence[str], *, has_datasets: bool) -> dict[str, list[str]]:
    """Return the names of the classifiers from files and folders. One level may name the datasets."""
    names = _names(paths)
    if has_datasets:
        return {"classifier": names}
    parts = [name.split("/") for name in names]
    folders, files = (sorted({own[at] for own in parts}) for at in (0, -1))
    if (
        {len(own) for own in parts} != {2}
        or len(folders) * len(files) != len(parts)
        or min(len(folders), len(files)) < 2
    ):
        return {"classifier": names, "dataset": ["dataset"] * len(paths)}
    are_folders_datasets = nested_order(folders, files)
    if are_folders_datasets is None:
        raise TableError(
            f"the folders {listed(folders)} or the files {listed(files)} in them may be the classifiers; add a column "
            "dataset or classifier to each file"
        )
    own = {"dataset": [one[0 if are_folders_datasets else 1] for one in parts]}
    return {**own, "classifier": [one[1 if are_folders_datasets else 0] for one in parts]}


def _datasets_of_files(paths: Sequence[str], grids: Sequence[Grid], what: str) -> dict[str, list[str]]:
    """Return the dataset of each file from its name, or the fold or run if the names are numbered."""
    names = _names(paths)
    if runs := runs_of(name.rpartition("/")[2] for name in names):
        known = [word for role in runs for word in (SEED_COLUMNS if role == "seed" else PREDICTION_COLUMNS[role])]
        if taken := [name for name in grids[0].header if is_called(name, known)]:
            problem = (
                f"{listed([grid.name for grid in grids])} have numbers in their names and in their column "
                f"{short(taken[0])}"
            )
            raise TableError(f"{problem}; give each file the name of its dataset, or rename the column")
        return runs
    _refuse_metrics(names, grids, what)
    return {"dataset": names}


def _runs_of_files(paths: Sequence[str], grids: Sequence[Grid], what: str) -> dict[str, list[str]]:
    """Return the run of each file from its name. Reject files whose names do not contain runs."""
    names = _names(paths)
    if runs := runs_of(name.rpartition("/")[2] for name in names):
        return runs
    _refuse_metrics(names, grids, what)
    problem = f"{listed([grid.name for grid in grids])} hold scores of the same datasets: give one of them"
    if what == "sheets":
        raise TableError(problem, "by its name, such as {}", "sheet", names[0])
    raise TableError(f"{problem}; if each of them belongs to a different run, call them run_1, run_2 and so on")


def _refuse_metrics(names: Sequence[str], grids: Sequence[Grid], what: str) -> None:
    """Reject files or sheets that are named after metrics."""
    if not all(direction_of(name) is not None for name in names):
        return
    problem = f"{listed([grid.name for grid in grids])} have names of metrics"
    if what == "sheets":
        raise TableError(problem, "choose one, for example {}", "sheet", names[0])
    raise TableError(f"{problem}: give one of the files")


def _with_columns(grid: Grid, added: dict[str, list[str]], lengths: Sequence[int], what: str) -> Grid:
    columns = [[name for name, n in zip(names, lengths, strict=True) for _ in range(n)] for names in added.values()]
    told = [f"{name}s" for name, own in added.items() if len(set(own)) > 1 or name == "classifier"]
    which = listed(dict.fromkeys(itertools.chain(*(added[name[:-1]] for name in told))))
    sentence = f"The {' and '.join(told)} have the names of their {what}: {which}."
    return replace(
        grid,
        header=[*added, *grid.header],
        columns=[*columns, *grid.columns],
        findings=(*grid.findings, Finding(code="names-of-files", severity="note", sentence=sentence)),
    )


def _has_scores(grid: Grid) -> bool:
    """Return whether the rows hold scores, in the columns of metrics or in a column next to the name of the metric."""
    metrics = columns_called(grid, METRIC_COLUMNS)
    of_one = len(metrics) == 1 and column_of_one_score(grid, metrics[0]) is not None
    return of_one or (len(grid.header) > 1 and has_scores_only(grid))


def has_scores_only(grid: Grid) -> bool:
    """Return whether the columns besides the key columns are one column of scores, or columns of metrics."""
    known = [*DATASET_COLUMNS, *CLASSIFIER_COLUMNS, *_KEYS, *itertools.chain(*SIZE_COLUMNS.values())]
    rest = [(name, column) for name, column in zip(grid.header, grid.columns, strict=True) if name]
    rest = [(name, own) for name, own in rest if not is_called(name, known) and not simplified(name).endswith("_id")]
    if len(rest) == 1:
        return True
    if is_called(grid.header[0], METRIC_COLUMNS) and all(is_run(name) or is_summary(name) for name, _ in rest[1:]):
        return True
    names = [
        name for name, column in rest if role_of(name) not in BESIDE and not is_beside(name) and _has_numbers(column)
    ]
    certain = [name for name in names if role_of(name) == "metric"]
    # beside several metrics, an abbreviation such as Prec. is a metric too
    return bool(certain) and all(
        name in certain or (len(certain) > 1 and direction_of_metric(name) is not None) for name in names
    )


def _has_numbers(column: Sequence[Any]) -> bool:
    """Return whether a column holds numbers, and not texts of which a few are numbers, such as titles."""
    numbers = [number_in(cell, ".") for cell in itertools.islice(column, _MOST_CELLS)]
    n_texts = numbers.count(None)
    return n_texts < len(numbers) - n_texts and not all(number is None or math.isnan(number) for number in numbers)


def _names(paths: Sequence[str]) -> list[str]:
    """Return the shortest unique ends of paths without suffixes. Sheet names stay unchanged."""
    parts = [os.path.normpath(path).split(os.sep) for path in paths]
    for called in (_stem, str):  # a.csv and a.parquet differ in their suffixes alone
        for depth in range(1, max(map(len, parts)) + 1):
            names = [visible("/".join((*own[-depth:-1], called(own[-1])))) for own in parts]
            if len(set(names)) == len(names):
                return names
    again = next((path for path in paths if paths.count(path) > 1), paths[0])
    raise TableError(f"each file must be given once, but {short(again)} is given twice")


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
