"""Preparation of rows whose type the user gave: columns are renamed for the readers of the layouts."""

from __future__ import annotations

__all__ = [
    "ROWS",
    "RUN_NAMES",
    "in_same_order",
    "is_of_runs",
    "layout_of_rows",
    "long_answers",
    "numbered_runs",
    "with_numbers_for_words",
    "with_run_names",
]

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evalstats import _lexicon
from evalstats._errors import InvalidValueError
from evalstats._findings import LeftOut
from evalstats.io.columns.grammar import count_on
from evalstats.io.columns.roles import column_named, columns_called, groups_rows, headers
from evalstats.io.columns.summaries import is_summary, truths_in
from evalstats.io.layouts.candidate import refuse_names_of_losses
from evalstats.io.layouts.labels import refuse_complements
from evalstats.io.sources.grid import Grid, only_rows
from evalstats.io.sources.numbers import number_in, numbers_in
from evalstats.tables.categorical import CodedColumn, coded, joined
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of

ROWS = ("datasets", "folds", "runs", "instances", "questions")
# by what rows are: the role of the column that numbers them, and what it is called so that readers know it
RUN_NAMES = {"folds": ("fold", "fold"), "runs": ("repeat", "seed")}
_Columns = dict[str, str | None]


def layout_of_rows(rows_are: str | None, layout: str) -> str:
    """Return the layout that follows from the type of the rows; reject a different layout."""
    told = {"datasets": "wide", "questions": "answers", "instances": "predictions"}.get(str(rows_are), layout)
    if (rows_are, layout) == ("datasets", "long"):  # each row is the score of a classifier on a dataset
        return layout
    is_wide = layout == "wide" and rows_are in ("instances", "questions")  # the classifiers are in columns
    if layout not in ("auto", told) and not is_wide:
        raise InvalidValueError(f"layout must be 'auto' or {told!r} if rows_are is {rows_are!r}, not {layout!r}")
    return told


def is_of_runs(rows_are: str | None) -> bool:
    """Return whether the caller declared the rows to be folds or runs."""
    return rows_are in RUN_NAMES


# --- folds and runs ---------------------------------------------------------------------------------------------------


def with_run_names(grid: Grid, rows_are: str | None, columns: _Columns) -> tuple[Grid, _Columns, tuple[LeftOut, ...]]:
    """Return a table with a column for each classifier whose rows are named as folds or runs.

    Also return the columns with their roles, and the omitted rows below the runs.
    """
    if rows_are not in RUN_NAMES or not grid.header:
        return grid, columns, ()
    role, name = RUN_NAMES[rows_are]
    dataset = _repeated_datasets(grid, columns["dataset"])
    at = _column_of_runs(grid, role, columns)
    if at is None and dataset != 0 and _names_rows(grid):
        at = 0
    if at is None:
        numbers = [str(i + 1) for i in range(len(grid.numbers))]
        grid = _with_column(grid, name, numbers if dataset is None else _places([coded(grid.columns[dataset]).codes]))
    else:
        rest = [j for j in range(len(grid.header)) if j != at]
        grid = replace(
            grid,
            header=[name, *(grid.header[j] for j in rest)],
            columns=[grid.columns[at], *(grid.columns[j] for j in rest)],
            noise=[grid.noise[j] for j in (at, *rest)] if grid.noise else (),
        )
    gone = {i: text for i, text in enumerate(map(text_of, grid.columns[0])) if is_summary(text)}
    if len(gone) < len(grid.numbers):
        grid = only_rows(grid, [i for i in range(len(grid.numbers)) if i not in gone])
    told = tuple(LeftOut(what="row", name=text, reason="is a summary of the others") for text in gone.values())
    return grid, columns | {role: name}, told


def _repeated_datasets(grid: Grid, given: str | None) -> int | None:
    """Return the column of datasets if it repeats a name. Otherwise return None."""
    found = (
        [column_named(grid, given, "dataset")] if given is not None else columns_called(grid, _lexicon.DATASET_COLUMNS)
    )
    return next((j for j in found if len(set(map(text_of, grid.columns[j]))) < len(grid.numbers)), None)


def numbered_runs(
    grid: Grid, keys: Sequence[int], columns: _Columns, choices: Mapping[str, Any]
) -> tuple[Grid, _Columns]:
    """Return a table with a row for each score and a number or name for each fold or run, and the columns to report.

    `keys` contains the columns of the datasets and classifiers. If no column names the runs, only the order of the rows
    distinguishes them. `same_order` must then be True.
    """
    rows_are, same_order = choices.get("rows_are"), choices.get("same_order")
    if rows_are not in RUN_NAMES:
        return grid, columns
    role, name = RUN_NAMES[rows_are]
    at = _column_of_runs(grid, role, columns)
    if at is not None and not same_order:
        header = [name if j == at else own for j, own in enumerate(grid.header)]
        return replace(grid, header=header), columns | {role: name}
    if not same_order:
        raise TableError(
            f"{grid.name}: no column shows to which {rows_are} the rows of a classifier belong",
            "name it with {fold} or {repeat}; if the rows of all classifiers are in the same order, pass {}",
            "same_order",
            "True",
        )
    header = [own if j != at else f"{own} as written" for j, own in enumerate(grid.header)]  # the places of keys stay
    cells = [cells if j != at else [""] * len(grid.numbers) for j, cells in enumerate(grid.columns)]
    numbers = _places(coded(grid.columns[j]).codes for j in keys)
    return replace(grid, header=[*header, name], columns=[*cells, numbers], noise=()), columns | {role: name}


def _column_of_runs(grid: Grid, role: str, columns: Mapping[str, str | None]) -> int | None:
    """Return the column of folds or runs: the named column, or a column with a known name."""
    if (given := columns[role]) is not None:
        return column_named(grid, given, role)
    found = columns_called(grid, _lexicon.RUN_COLUMNS)
    own = [
        j
        for j in found
        if _lexicon.is_called(grid.header[j], (*_lexicon.PREDICTION_COLUMNS[role], *_lexicon.SEED_COLUMNS))
    ]
    return next(iter(own or found), None)


def _names_rows(grid: Grid) -> bool:
    """Return whether the first column contains names or row numbers instead of scores."""
    values = numbers_in(grid.columns[0], ".")
    if None in values:
        return not all(number_in(cell, ",") is not None for cell in grid.columns[0])
    return len(values) > 1 and count_on(values)


# --- instances and questions ------------------------------------------------------------------------------------------


def with_numbers_for_words(grid: Grid, columns: _Columns) -> Grid:
    """Convert words for correct and incorrect answers, such as ``yes`` and ``no``, to 1 and 0.

    In a table with true labels, these words are labels. In a table with numeric answers, they describe the questions.
    """
    if (
        grid.is_held
        or columns["y_true"]
        or columns_called(grid, (*_lexicon.PREDICTION_COLUMNS["y_true"], *_lexicon.TRUE_AT_LAST))
    ):
        return grid
    given = {name for name in columns.values() if name is not None}
    known = (
        *_lexicon.ITEM_COLUMNS,
        *_lexicon.DATASET_COLUMNS,
        *_lexicon.CLASSIFIER_COLUMNS,
        *_lexicon.CLUSTER_COLUMNS,
        *_lexicon.RUN_COLUMNS,
    )
    kinds: dict[int, set[bool]] = {}
    for j, name in enumerate(grid.header):
        if name not in given and not _lexicon.is_called(name, known) and (words := _words_of_answers(grid.columns[j])):
            kinds[j] = {number_in(word, ".") is not None for word in words}
    in_words = [j for j, kind in kinds.items() if False in kind]
    if not in_words or {True} in kinds.values():
        return grid
    cells = {j: coded(grid.columns[j]) for j in in_words}
    told = {
        j: [str(int(_lexicon.ANSWER_WORDS[text_of(value).casefold()])) for value in own.values]
        for j, own in cells.items()
    }
    return replace(
        grid, columns=[CodedColumn(told[j], cells[j].codes) if j in told else own for j, own in enumerate(grid.columns)]
    )


def _words_of_answers(column: Any) -> set[str]:
    """Return the distinct words of a column of correct and incorrect answers. Otherwise return an empty set."""
    if not len(column) or text_of(column[0]).casefold() not in _lexicon.ANSWER_WORDS:
        return set()
    words = {text_of(value).casefold() for value in coded(column).values}
    return words if words <= _lexicon.ANSWER_WORDS.keys() else set()


def long_answers(
    grid: Grid,
    rows_are: str | None,
    decimal: str,
    columns: _Columns,
    greater_is_better: bool | None,
    drop: Collection[str] = (),
    keep: Collection[str] = (),
) -> tuple[Grid, _Columns, tuple[LeftOut, ...]] | None:
    """Convert a column for each model to a row for each answer. Return None if the table already has such rows.

    Columns in `drop` are left out. Columns in `keep` belong to models, even if they add up to 1 as the probabilities of
    classes do. The function applies to questions, and to instances whose scores are not labels. Also return the columns
    without numbers.
    """
    if rows_are not in ("instances", "questions"):
        return None
    if any(columns[name] is not None for name in ("classifier", "score")) or columns_called(
        grid, _lexicon.CLASSIFIER_COLUMNS
    ):
        return None
    units = _shared(grid, columns["cluster"], keep)
    at = {name: _told(grid, columns[name], known, units) for name, known in _OF_ANSWERS.items()}
    if at["question"] is None and 0 not in units and grid.header and at["stratum"] != 0 and _names_rows(grid):
        at["question"] = 0
    if (subgroup := columns.get("subgroup")) is not None:
        at["subgroup"] = column_named(grid, subgroup, "subgroup")
    keys = {name: j for name, j in at.items() if j is not None}
    heads = [
        j
        for j, name in enumerate(grid.header)
        if name and j not in (*keys.values(), *units) and name not in drop and _holds_numbers(grid, j, decimal)
    ]
    if len(heads) < 2:
        raise TableError(
            f"{grid.name}: of the columns {headers(grid)}, two or more must hold the scores of a model, one row for "
            f"each of the {rows_are}",
            "if a column names the models, choose it with {}; if one holds the true labels, choose it with {y_true}",
            "classifier",
        )
    refuse_names_of_losses(grid, heads, greater_is_better)
    refuse_complements(grid, [j for j in heads if grid.header[j] not in keep], decimal)
    _refuse_one_binary_column(grid, [j for j in heads if grid.header[j] not in keep], decimal)
    n, m = len(grid.numbers), len(heads)
    codes = {name: coded(grid.columns[j]) for name, j in keys.items()}
    if "question" not in codes:
        codes["question"] = coded([str(i + 1) for i in range(n)])
    # the subgroup keeps the name of its column
    called = {name: name if name != "subgroup" else grid.header[keys[name]] for name in codes}
    long = replace(
        grid,
        header=[*called.values(), "model", "score"],
        columns=[
            *(CodedColumn(own.values, own.codes.repeat(m)) for own in codes.values()),
            [grid.header[j] for j in heads] * n,
            [cell for row in zip(*(grid.columns[j] for j in heads), strict=True) for cell in row],
        ],
        numbers=[number for number in grid.numbers for _ in heads],
        noise=(),
    )
    told: _Columns = {**dict.fromkeys(columns), **called, "classifier": "model", "score": "score"}
    rest = [name for j, name in enumerate(grid.header) if name and j not in keys.values() and j not in heads]
    left_out = tuple(
        LeftOut(what="column", name=name, reason="was excluded on request" if name in drop else "holds no scores")
        for name in rest
    )
    return long, told, left_out


_OF_ANSWERS = {"question": _lexicon.ITEM_COLUMNS, "stratum": _lexicon.DATASET_COLUMNS, "cluster": ()}


def _told(grid: Grid, given: str | None, known: Sequence[str], units: Collection[int]) -> int | None:
    if given is not None:
        return column_named(grid, given, "question")
    return next((j for j in columns_called(grid, known) if j not in units), None)


def _shared(grid: Grid, cluster: str | None, keep: Collection[str]) -> list[int]:
    """Return columns such as patients, whose values several rows share; a repeated name of questions is refused."""
    named = [j for j in columns_called(grid, _lexicon.ITEM_COLUMNS) if grid.header[j] != cluster]
    free = [j for j, name in enumerate(grid.header) if name not in keep and j not in named]
    return [j for j in free if groups_rows(grid, j)]


def _refuse_one_binary_column(grid: Grid, heads: Sequence[int], decimal: str) -> None:
    """Ask about one column of 0 and 1 next to columns of probabilities: it may hold the true labels."""
    binary = [j for j in heads if truths_in(grid.columns[j]) == {True, False}]
    others = [j for j in heads if j not in binary]
    if len(binary) != 1 or not others or not all(_are_probabilities(grid, j, decimal) for j in others):
        return
    name = grid.header[binary[0]]
    raise TableError(
        f"{grid.name}: the column {short(name)} holds only 0 and 1, and {headers(grid, others)} hold numbers between 0 "
        "and 1, like true labels and scores of a class",
        "if it holds the true labels, pass {}; if it holds the scores of a model, pass {keep}",
        "y_true",
        name,
    )


def _are_probabilities(grid: Grid, j: int, decimal: str) -> bool:
    """Return whether a column holds numbers from 0 to 1, at least one of which is between them."""
    values = np.array(numbers_in(grid.columns[j], decimal), dtype=float)
    return bool(((values >= 0) & (values <= 1)).all() and (values % 1 > 0).any())


def _holds_numbers(grid: Grid, j: int, decimal: str) -> bool:
    return None not in numbers_in(grid.columns[j], decimal) and not is_summary(grid.header[j])


# --- the order of rows ------------------------------------------------------------------------------------------------


def in_same_order(grid: Grid, layout: str, columns: _Columns) -> tuple[Grid, _Columns]:
    """Add numbers to the answers of each classifier in row order, which must be the same for all classifiers."""
    if grid.is_held:
        raise InvalidValueError("same_order needs rows in a known order, but an engine holds the rows of this table")
    role = "question" if layout == "answers" else "instance"
    known = _lexicon.PREDICTION_COLUMNS["instance"]
    named = [columns[role]] if columns[role] is not None else [grid.header[j] for j in columns_called(grid, known)]
    named = [name for name in named if name != columns["cluster"]]
    if named:
        raise InvalidValueError(
            f"same_order is only for rows without identifiers, but the column {named[0]!r} identifies the rows; "
            "omit same_order"
        )
    known = (*_lexicon.CLASSIFIER_COLUMNS, *_lexicon.DATASET_COLUMNS, *_lexicon.PREDICTION_COLUMNS["repeat"])
    given = [column_named(grid, name, "classifier") for name in (columns["classifier"], columns["dataset"]) if name]
    keys = dict.fromkeys((*given, *columns_called(grid, known)))
    numbers = _places(coded(grid.columns[j]).codes for j in keys)
    return _with_column(grid, role, numbers), columns | {role: role}


def _places(keys: Iterable[Any]) -> list[str]:
    """Return the position of each row among the rows with the same keys, from 1, as text."""
    told = list(keys)
    if not told:
        raise InvalidValueError("same_order needs rows of several classifiers, but no column names classifiers")
    _, group = joined(told)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    places = np.empty(len(group), dtype=np.intp)
    places[order] = np.arange(len(group)) - np.repeat(starts, np.diff(np.append(starts, len(group))))
    return [str(i + 1) for i in places.tolist()]


def _with_column(grid: Grid, name: str, cells: Sequence[Any]) -> Grid:
    noise = [0.0, *grid.noise] if grid.noise else ()
    return replace(grid, header=[name, *grid.header], columns=[cells, *grid.columns], noise=noise)
