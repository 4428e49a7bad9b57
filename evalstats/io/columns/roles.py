"""Roles of columns, meanings of cells, and the numbering of repeats and folds.

The functions find columns by their names, check names and convert cells to numbers. Tables of scores and of predictions
use the same functions.
"""

from __future__ import annotations

__all__ = [
    "NUMBERED",
    "are_numbers",
    "checked_names",
    "column_named",
    "column_of",
    "column_of_one_score",
    "columns_called",
    "counted_splits",
    "groups_rows",
    "header_name",
    "headers",
    "holds_fractions",
    "key_column",
    "key_column_if_any",
    "looks_like_predictions",
    "of_melted",
    "possible_clusters",
    "refuse_true_labels",
    "row_names",
    "rows_at",
    "rows_of_one_metric",
    "splits_by_cases",
    "told_folds",
    "with_column_of_metrics",
    "with_crossed_subgroups",
    "with_numbered_names",
    "without_role",
]

import itertools
import math
import re
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from evalstats import _lexicon
from evalstats._errors import InvalidValueError, examples, listed
from evalstats._findings import Finding, warning
from evalstats.io.options import Asked
from evalstats.io.sources.grid import Grid, NumberColumn
from evalstats.io.sources.numbers import number_in
from evalstats.metrics.directions import direction_of
from evalstats.tables.categorical import Names, crossed, distinct_cells, names_in, naturally_ordered, parts_of
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import are_faultless, fault_of, natural_order, positions_of_repeated, text_of, texts_of

# the advice on a name that occurs twice
NUMBERED = "if they are different, pass {} to number them; if they are the same, delete one"
# behind the name of what several instances come from: patient_id, PatientID
_END_OF_UNIT = re.compile(rf"[\W_]*{_lexicon.one_of('columns.end_of_unit')}$")
# classes, whose probabilities are in columns with these names
_CLASSES = {"yes", "no"}


def key_column(grid: Grid, given: str | None, argument: str, known: Sequence[str]) -> int:
    """Return the column of dataset or classifier names in a long table. Raise an error if there is none."""
    found = key_column_if_any(grid, given, argument, known)
    if found is None:
        problem = f"{grid.name}: none of the columns {headers(grid)} is known to name the {argument}s"
        texts = [name for name in without_role(grid) if _may_name(grid.columns[grid.header.index(name)])]
        at = 0 if argument == "dataset" else -1
        raise TableError(problem, "choose one with {}", argument, texts[at] if texts else "")
    return found


def _may_name(column: Any) -> bool:
    """Return whether the cells of a column are names: neither numbers nor words for correct and incorrect."""
    return not are_numbers(column) and not {text_of(cell).casefold() for cell in column} <= _lexicon.RIGHT_WORDS.keys()


def key_column_if_any(grid: Grid, given: str | None, argument: str, known: Sequence[str]) -> int | None:
    """Return the column of dataset or classifier names, or None if no column has such a name."""
    if given is not None:
        return column_named(grid, given, argument)
    found = columns_called(grid, known)
    if len(found) > 1:
        problem = f"{grid.name}: any of the columns {headers(grid, found)} may name the {argument}s"
        raise TableError(problem, "choose one with {}", argument, grid.header[found[0]])
    return found[0] if found else None


def column_named(grid: Grid, given: str, argument: str) -> int:
    """Return the index of the column with the given name. Raise an error unless exactly one column has it."""
    found = [j for j, name in enumerate(grid.header) if name == text_of(given)]
    if len(found) == 1:
        return found[0]
    rule = f"{argument} must name a column of {grid.name}"
    if found:
        raise TableError(f"{rule}, but {len(found)} columns are called {short(given)}")
    raise TableError(f"{rule} ({headers(grid)}), not {short(given)}")


def with_crossed_subgroups(grid: Grid, subgroup: str | None) -> tuple[Grid, str | None]:
    """Return the column of subgroups; for names separated by commas, add the column of their combinations."""
    if subgroup is None or text_of(subgroup) in grid.header or len(names := parts_of(subgroup)) < 2:
        return grid, subgroup
    if len(set(names)) < len(names):
        raise InvalidValueError(f"subgroup must name different columns, not {listed(names)}")
    at = [column_named(grid, name, "subgroup") for name in names]
    free = without_role(grid)  # in a wide table, a column of subgroups would otherwise be a classifier
    order = [j for j, name in enumerate(grid.header) if j not in at or name not in free]
    name, cells = ", ".join(names), crossed({grid.header[j]: grid.columns[j] for j in at})
    crossing = replace(
        grid,
        header=[*(grid.header[j] for j in order), name],
        columns=[*(grid.columns[j] for j in order), cells],
        noise=[*(grid.noise[j] for j in order), 0.0] if grid.noise else (),
        upper=[*(grid.upper[j] for j in order), ""] if grid.upper else (),
    )
    return crossing, name


def column_of_one_score(grid: Grid, metric: int) -> int | None:
    """Return the only column of scores next to a column of metrics (mljar), or None if there is none.

    Columns of classifiers have other names.
    """
    scores = [j for j in columns_called(grid, _lexicon.GENERIC_SCORE_COLUMNS) if j and are_numbers(grid.columns[j])]
    return scores[0] if len(scores) == 1 and metric else None


def with_column_of_metrics(grid: Grid) -> Grid:
    """Name the first column 'metric' if it has the names of metrics and no other role."""
    if _lexicon.is_called(
        grid.header[0],
        (*_lexicon.DATASET_COLUMNS, *_lexicon.CLASSIFIER_COLUMNS, *_lexicon.METRIC_COLUMNS, *_lexicon.RUN_COLUMNS),
    ):
        return grid
    known = [name for name in map(text_of, grid.columns[0]) if direction_of(name) is not None]
    return replace(grid, header=["metric", *grid.header[1:]]) if 2 * len(known) > len(grid.columns[0]) else grid


def rows_of_one_metric(grid: Grid, column: int, metric: str | None) -> tuple[Grid, str]:
    """Return the rows of one metric, and the name of the metric, from a table with a column of metrics."""
    names = row_names(grid, column, "metric")
    found = [
        name for name in dict.fromkeys(names) if name.casefold() not in _lexicon.MISSING_WORDS
    ]  # - beside a heading
    if metric is None and len(found) > 1:
        problem = f"{grid.name}: column {short(grid.header[column])} holds the metrics {listed(found)}"
        raise TableError(problem, "choose one, for example {}", "metric", found[0])
    chosen = metric if metric is not None else found[0] if found else "score"
    if found and chosen not in found:
        raise TableError(f"{grid.name} has no metric {short(chosen)}; its metrics are {listed(found)}")
    kept = [i for i, name in enumerate(names) if name == chosen]
    columns = [[cells[i] for i in kept] for cells in grid.columns]
    return replace(grid, columns=columns, numbers=[grid.numbers[i] for i in kept]), chosen


def headers(grid: Grid, columns: Iterable[int] | None = None) -> str:
    """Return the names of columns as a list for a message; by default, list all columns."""
    return listed([grid.header[j] for j in (range(len(grid.header)) if columns is None else columns)])


def without_role(grid: Grid) -> list[str]:
    """Return the names of columns that are not recognized, so each may have any role."""
    known = (
        *_lexicon.DATASET_COLUMNS,
        *_lexicon.CLASSIFIER_COLUMNS,
        *_lexicon.METRIC_COLUMNS,
        *itertools.chain(*_lexicon.PREDICTION_COLUMNS.values()),
    )
    return [name for name in grid.header if name and not _lexicon.is_called(name, known)]


def are_numbers(column: Any) -> bool:
    """Return whether all cells of a column are numbers, with a decimal point or a decimal comma."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return True
    return all(number_in(cell, ".") is not None or number_in(cell, ",") is not None for cell in column)


def holds_fractions(column: Any) -> bool:
    """Return whether a column holds numbers, at least one of which is not whole. Such numbers are not names."""
    numbers = column.numbers if isinstance(column, NumberColumn) else column
    if isinstance(numbers, np.ndarray) and numbers.dtype.kind in "iuf":
        return bool((numbers[np.isfinite(numbers)] % 1).any())
    if len(column) and number_in(column[0], ".") is None:
        return False  # without all distinct names
    cells = distinct_cells(column).values
    found = itertools.takewhile(lambda value: value is not None, (number_in(cell, ".") for cell in cells))
    values = [value for value in found if value is not None]
    return len(values) == len(cells) and any(math.isfinite(value) and value % 1 for value in values)


def columns_called(grid: Grid, known: Sequence[str]) -> list[int]:
    """Return the columns whose name is in `known`. Case, spaces and hyphens are ignored."""
    places = _places(tuple(grid.header))
    return sorted(j for name in set(known) for j in places.get(name, ()))


@lru_cache(maxsize=8)
def _places(names: tuple[str, ...]) -> dict[str, list[int]]:
    """Return the positions of each column name. Case, spaces and hyphens are ignored."""
    places: dict[str, list[int]] = {}
    for j, name in enumerate(names):
        places.setdefault(_lexicon.simplified(name), []).append(j)
    for classes in (_lexicon.TRUTHS.keys(), _CLASSES):
        if classes <= places.keys():  # beside a column false, true is no truth; beside a column yes, no is no number
            places = {name: at for name, at in places.items() if name not in classes}
    return places


def header_name(grid: Grid, j: int) -> str:
    """Return the name of a column, or raise an error if it is empty or invalid."""
    name = grid.header[j]
    if not name:
        raise TableError(f"{grid.name}: column {j + 1} has no name")
    if fault := fault_of(name):
        raise TableError(f"{grid.name}: the name of column {j + 1} {fault}")
    return name


def row_names(grid: Grid, j: int, what: str) -> list[str]:
    """Return the names in a column, or raise an error if a name is empty or invalid."""
    texts = texts_of(grid.columns[j])
    if are_faultless(texts):
        return texts
    column = [cell if isinstance(cell, str) else text_of(cell) for cell in grid.columns[j]]
    names = {cell: text_of(cell) for cell in set(column)}
    faults = {cell: fault_of(name) if name else "is empty" for cell, name in names.items()}
    if any(faults.values()):
        i = next(i for i, cell in enumerate(column) if faults[cell])
        article = "an" if what[0] in "aeiou" else "a"
        raise TableError(f"{grid.place(i, j)}: the name of {article} {what} {faults[column[i]]}")
    return [names[cell] for cell in column]


def with_numbered_names(grid: Grid, kept: Collection[str], *, of_rows: bool) -> Grid:
    """Return a wide table whose repeated names are numbered from the second occurrence on, if they are in `kept`.

    The rows of a dataset with several folds or runs keep their names; `of_rows` is then False.
    """
    if not kept:
        return grid
    columns = list(grid.columns)
    known = (*_lexicon.DATASET_COLUMNS, *_lexicon.CLASSIFIER_COLUMNS)
    for j, name in enumerate(grid.header):
        if of_rows and (j == 0 or _lexicon.is_called(name, known)):
            columns[j] = _numbered(texts_of(columns[j]), kept) or columns[j]
    return replace(grid, header=_numbered(grid.header, kept) or grid.header, columns=columns)


def _numbered(names: Sequence[str], kept: Collection[str]) -> list[str] | None:
    """Append numbers to the repetitions of names in `kept`. Return None if no such name is repeated."""
    again: dict[int, str] = {}
    taken = set(names)
    for name, at in positions_of_repeated(names).items():
        if name in kept:
            new = (f"{name} ({n})" for n in itertools.count(2))
            again |= dict(zip(at[1:], (one for one in new if one not in taken), strict=False))
    return [again.get(i, name) for i, name in enumerate(names)] if again else None


def possible_clusters(
    grid: Grid, unused: Iterable[int], count: Callable[[], int], word: str = "instances"
) -> tuple[Finding, ...]:
    """Return a warning if several instances share a value of an unused column, such as a patient.

    `count` returns the number of instances. It is called only if a column is called after such a unit.
    """
    units = [j for j in unused if _is_unit(grid.header[j])]
    n = count() if units else 0
    names = [grid.header[j] for j in units if _groups(grid, j, n)]
    if not names:
        return ()
    sentence = (
        f"{word.capitalize()} with the same {' or '.join(map(short, names))} may be correlated. Unless this column is "
        f"named as cluster, tests treat the {word} as independent, and p-values may be too small."
    )
    return (warning("possible-clusters", sentence),)


def groups_rows(grid: Grid, j: int) -> bool:
    """Return whether rows share a value of a column that is called after what several instances may come from."""
    return _is_unit(grid.header[j]) and _groups(grid, j, len(grid.numbers))


def _groups(grid: Grid, j: int, n: int) -> bool:
    return 1 < len(distinct_cells(grid.columns[j]).values) < n


def _is_unit(name: str) -> bool:
    """Return whether a column is called after what several instances may come from, such as patients or documents."""
    name = _lexicon.simplified(name)
    units = _lexicon.word_list("columns.unit", "columns.item_text", "columns.cluster")
    return not {name, _END_OF_UNIT.sub("", name)}.isdisjoint(units)


def rows_at(grid: Grid, at: Sequence[int]) -> str:
    """Return the line or row numbers of rows as a list for a message."""
    return f"{grid.word}s {examples([str(grid.numbers[i]) for i in at])}"


def looks_like_predictions(grid: Grid) -> bool:
    """Return whether a grid has a column of true labels, and a column of predicted labels or scores."""
    found = {name for name in _lexicon.PREDICTION_COLUMNS if columns_of(grid, name)}
    return "y_true" in found and not found.isdisjoint(("y_pred", "y_score"))


def refuse_true_labels(grid: Grid, others: Container[int | None] = ()) -> None:
    """Raise an error if a column has the name of true labels, so the other columns hold predictions, not scores."""
    truths = [j for j in columns_called(grid, _lexicon.PREDICTION_COLUMNS["y_true"]) if j not in others]
    if grid.is_held or not truths:
        return
    labels = set(map(text_of, grid.columns[truths[0]]))
    rest = [j for j in range(len(grid.header)) if j not in others and j not in truths]
    predicted = [j for j in rest if labels.issuperset(map(text_of, grid.columns[j]))]
    scored = predicted or [j for j in rest if holds_fractions(grid.columns[j])]
    if scored and len(labels) < len(grid.numbers):
        raise TableError(
            f"{grid.name}: column {short(grid.header[truths[0]])} has the name of true labels, so the rows are "
            "instances, but no column is known to hold the predictions",
            "name their column, for example with {}",
            "y_pred" if predicted else "y_score",
            grid.header[scored[0]],
        )


def column_of(grid: Grid, argument: str, given: str | None, others: Container[int | None]) -> int | None:
    """Return the column that the caller named for a role, or the only column that is recognized by its name."""
    if given is not None:
        return column_named(grid, given, argument)
    found = columns_of(grid, argument, others)
    if len(found) > 1:
        problem = f"{grid.name}: any of the columns {headers(grid, found)} may be {argument}"
        raise TableError(problem, "choose one with {}", argument, grid.header[found[0]])
    return found[0] if found else None


def columns_of(grid: Grid, role: str, others: Container[int | None] = ()) -> list[int]:
    """Return the columns whose name is known for a role."""
    found = [j for j in columns_called(grid, _lexicon.PREDICTION_COLUMNS[role]) if j not in others]
    if found or role != "y_true":
        return found
    return [j for j in columns_called(grid, _lexicon.TRUE_AT_LAST) if j not in others]


def checked_names(grid: Grid, j: int, what: str) -> Names:
    """Return the names in a column in natural order, or raise an error if a name is empty or invalid."""
    names = names_in(grid.columns[j])
    faults = [fault_of(name) if name else "is empty" for name in names.names]
    if any(faults):
        i = names.first_of([fault is not None for fault in faults])
        article = "an" if what == "instance" else "a"
        raise TableError(f"{grid.place(i, j)}: the name of {article} {what} {faults[names.codes[i]]}")
    return naturally_ordered(names)


def of_melted(grid: Grid, given: Iterable[str | None] = ()) -> Grid:
    """Rename the default columns of `melt()` and `reset_index()`, and add a finding.

    If `given` contains a column with a role, the table is returned unchanged.
    """
    meant = {} if any(name is not None for name in given) else _melted_names(grid)
    if not meant or not {*meant.values()}.difference(meant).isdisjoint(grid.header):
        return grid
    told = [f"{short(name)} contains the {role}s" for name, role in meant.items() if name != role]
    sentence = f"The columns have the names that pandas gives to the columns of long tables: {', '.join(told)}."
    header = [meant.get(name, name) for name in grid.header]
    return replace(
        grid, header=header, findings=(*grid.findings, Finding(code="melted", severity="note", sentence=sentence))
    )


def _melted_names(grid: Grid) -> dict[str, str]:
    """Map the default column names of pandas to the columns of a long table."""
    header = list(grid.header)
    if {"variable", "value"} <= set(header):  # DataFrame.melt()
        if not columns_called(grid, _lexicon.CLASSIFIER_COLUMNS):
            index = {"index": "dataset"} if set(header) == {"index", "variable", "value"} else {}
            return {**index, "variable": "classifier", "value": "score"}
        return {} if columns_called(grid, _lexicon.METRIC_COLUMNS) else {"variable": "metric", "value": "score"}
    if len(header) == 3 and header[2] == "0" and header[1] == "level_1":  # DataFrame.stack().reset_index()
        return {header[0]: "dataset", "level_1": "classifier", "0": "score"}
    if len(header) == 3 and header[2] == "0" and header[0] == "level_0":  # DataFrame.unstack().reset_index()
        return {"level_0": "classifier", header[1]: "dataset", "0": "score"}
    return {}


# up to this number, splits are usually the folds of one cross-validation
MOST_FOLDS = 10


def splits_by_cases(tests: Sequence[Any]) -> tuple[list[int], list[int]]:
    """Return the repeat and the fold of each split, from the instances that it tests.

    The test sets of consecutive folds of a cross-validation hold every instance once. If there are no such folds, each
    split is treated as a repeat with one fold.

    Parameters
    ----------
    tests : sequence of array_like of int
        The instances that each split tests.

    Examples
    --------
    >>> from evalstats.io.columns.roles import splits_by_cases
    >>> splits_by_cases([[0, 1], [2, 3], [0, 2], [1, 3]])
    ([1, 1, 2, 2], [1, 2, 1, 2])
    >>> splits_by_cases([[0, 1], [0, 2]])
    ([1, 2], [1, 1])
    """
    n, sets = len(tests), [np.asarray(one).ravel() for one in tests]
    k = next((k for k in range(2, n + 1) if n % k == 0 and _is_partition(sets, k)), 1)
    return [i // k + 1 for i in range(n)], [i % k + 1 for i in range(n)]


def told_folds(
    name: str, folds: Sequence[str], datasets: Sequence[str], asked: Asked
) -> tuple[dict[str, list[Any]], list[Finding]]:
    """Return columns of repeats and folds. Consecutive fold numbers are split into several repeats.

    Parameters
    ----------
    name : str
        Name of the source in messages.
    folds, datasets : sequence of str
        The fold and the dataset in each row.
    asked : Asked
        Options of the caller. `n_folds` is the number of folds in a repeat.
    """
    distinct = sorted(set(folds), key=natural_order)
    is_one = len(set(datasets)) == 1
    repeats, numbers, findings = counted_splits(name, len(distinct), asked, is_one_dataset=is_one)
    at = {fold: i for i, fold in enumerate(distinct)}
    columns: dict[str, list[Any]] = {"fold": [numbers[at[fold]] for fold in folds]}
    if max(repeats, default=1) > 1:
        columns["repeat"] = [repeats[at[fold]] for fold in folds]
    return columns, findings


def _is_partition(sets: list[Any], k: int) -> bool:
    """Return whether every k consecutive sets hold the same instances, each once."""
    groups = [np.sort(np.concatenate(sets[i : i + k])) for i in range(0, len(sets), k)]
    once = (np.diff(groups[0]) > 0).all()
    return bool(once) and all(np.array_equal(group, groups[0]) for group in groups[1:])


def counted_splits(
    name: str, n: int, asked: Asked, *, is_one_dataset: bool, hint: str = ""
) -> tuple[list[int], list[int], list[Finding]]:
    """Return the repeat and the fold of each of n splits, with a finding about the assumption.

    Parameters
    ----------
    name : str
        Name of the source in messages.
    n : int
        Number of splits.
    asked : Asked
        Options of the caller. `n_folds` is the number of folds in a repeat.
    is_one_dataset : bool
        Whether a test will depend on which splits form a repeat. The mean over all splits does not.
    hint : str
        Other information that identifies the folds.
    """
    k = asked.n_folds
    if k is not None and (k < 1 or n % k):
        raise InvalidValueError(
            f"n_folds must divide the number of splits, but {name} has {n} splits, and n_folds is {k}"
        )
    findings = []
    if k is None and is_one_dataset and n > 1:
        if n > MOST_FOLDS:
            problem = f"{name} has {n} splits, but does not show which splits are folds of one cross-validation{hint}"
            raise TableError(problem, "pass {}, the number of folds in each repeat", "n_folds")
        words = (
            f"The {n} splits are treated as the folds of one cross-validation, although the table does not state "
            f"this{hint}."
        )
        if n_repeats := next((d for d in range(2, n) if n % d == 0), 0):
            n_folds = n // n_repeats
            words += f" If they are {n_repeats} repeats of {n_folds} folds, pass n_folds={n_folds}."
        findings.append(warning("folds-assumed", words))
    k = k or n
    return [i // k + 1 for i in range(n)], [i % k + 1 for i in range(n)], findings
