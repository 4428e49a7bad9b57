"""Predictions of each classifier in a wide table with a row for each instance.

The table has a column of true labels and a column for each classifier: its labels, or its scores of the positive class.
A table of 0 and 1 without true labels contains the correctness of predictions. Columns that name or describe an
instance are not classifiers.
"""

from __future__ import annotations

__all__ = ["FEWEST_CASES", "PREDICTED", "WideAnswers", "answers_of_wide", "gaps_in_answers"]

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from evalstats import _lexicon
from evalstats._errors import listed
from evalstats._findings import Finding, LeftOut
from evalstats._types import AnyArray, BoolArray, FloatArray
from evalstats.io.columns.computed import computed_columns
from evalstats.io.columns.grammar import count_on
from evalstats.io.columns.roles import (
    column_named,
    columns_called,
    holds_fractions,
    possible_clusters,
    row_names,
    with_numbered_names,
)
from evalstats.io.columns.summaries import COUNTERS, are_correctness, names_in, truths_in
from evalstats.io.layouts.candidate import Candidate, Strength, choose, refuse_names_of_losses
from evalstats.io.layouts.labels import refuse_classes, refuse_complements, refuse_many_targets
from evalstats.io.layouts.wide import classifier_names
from evalstats.io.sources.grid import Grid, NumberColumn
from evalstats.io.sources.numbers import is_missing, number_in, numbers_in
from evalstats.tables.categorical import GROUPINGS, CodedColumn, distinct_cells, one_after_another, repeated
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import natural_order, text_of, texts_of
from evalstats.tables.positive_label import MIDDLE

# fewer rows of 0 and 1 may be scores
FEWEST_CASES = 5
# a column is not a classifier if half of its answers are not true labels
FEWEST_KNOWN = 0.5

# in this number of rows, 0 and 1 may be predicted labels if every pair of columns agrees this much beyond chance:
# equal predicted labels are usual, but correctness rarely agrees so clearly between two classifiers
FEWEST_LABELS, LIKE_LABELS = 10, 0.6

# names of predicted labels
PREDICTED = re.compile(rf"(?<![^\W_]){_lexicon.one_of('columns.predicted')}(?![^\W_])", re.IGNORECASE)

# a column of an unknown name beside answers
_OF_GROUPS = "groups the instances and can be named as cluster, as subgroup or as dataset"

ROLES = ("y_true", "instance", "fold", "repeat", *GROUPINGS)


class WideAnswers(NamedTuple):
    """Answers of a wide table in long form, one row each, with findings."""

    grid: Grid
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...]
    has_true: bool  # labels; else the answers are correct or incorrect
    names_cases: bool  # a column names them; else they are counted


# suffixes of the name of a classifier, above its labels and above its scores
_END = re.compile(rf"[\W_]*{_lexicon.one_of('columns.predicted', 'columns.y_pred', 'columns.y_score')}$", re.IGNORECASE)


class _Roles(NamedTuple):
    """Columns of a wide table of predictions by role. `heads` contains the classifiers."""

    dataset: int | None
    at: dict[str, int | None]  # columns by the names in ROLES
    heads: list[int]  # the classifiers
    left_out: tuple[LeftOut, ...] = ()


def _may_be_wide(grid: Grid, columns: Mapping[str, str | None]) -> bool:
    """Return whether the given columns permit the wide layout, with a column for each classifier."""
    if any(columns.get(name) is not None for name in ("classifier", "score", "y_pred", "y_score")):
        return False
    of_long = (
        *_lexicon.CLASSIFIER_COLUMNS,
        *_lexicon.PREDICTION_COLUMNS["y_pred"],
        *_lexicon.PREDICTION_COLUMNS["y_score"],
    )
    return not columns_called(grid, of_long)


def _has_cases(grid: Grid, columns: Mapping[str, str | None]) -> bool:
    """Return whether a column of identifiers or true labels shows that rows are instances."""
    if columns.get("instance") is not None or columns.get("y_true") is not None:
        return True
    return bool(columns_called(grid, (*_lexicon.ITEM_COLUMNS, *_lexicon.PREDICTION_COLUMNS["y_true"])))


def answers_of_wide(
    grid: Grid,
    decimal: str,
    columns: Mapping[str, str | None],
    *,
    drop: Any = None,
    keep: Any = None,
    layout: str | None = None,
    greater_is_better: bool | None = None,
    has_direction: bool = True,
) -> WideAnswers | None:
    """Return the predictions in a wide table with a row for each instance, or None if it holds scores.

    With `layout` ``'predictions'``, 1 means correct and 0 incorrect, and no warning states that the columns look like
    labels. If `greater_is_better` is False, 1 means incorrect. `has_direction` states whether the caller has that
    option.
    """
    if not _may_be_wide(grid, columns) or (len(grid.numbers) < FEWEST_CASES and not _has_cases(grid, columns)):
        return None
    dropped, kept = names_in(drop, "drop"), names_in(keep, "keep")
    grid = with_numbered_names(grid, kept, of_rows=False)
    roles = _roles_by_name(grid, columns, dropped)
    true = roles.at["y_true"]
    if true is None and (true := _true_at_last(grid, roles, decimal)) is not None:
        roles.at["y_true"] = true
        roles = roles._replace(heads=[j for j in roles.heads if j != true])
    if true is None:
        _refuse_words(grid, roles)
    found = _of_answers(grid, roles, columns) if true is None else _of_labels(grid, roles, decimal, kept)
    if found is None or not found.heads:
        return None
    if true is None and layout != "predictions":
        _choose_meaning(grid, found)
        _refuse_names_of_predictions(grid, found)
    if true is None:
        refuse_names_of_losses(grid, found.heads, greater_is_better, has_option=has_direction)
    one = true is not None or greater_is_better is not False
    if unknown := sorted((dropped | kept) - set(grid.header)):
        argument = "drop" if unknown[0] in dropped else "keep"
        raise TableError(f"{argument} must name columns of {grid.name}, not {short(unknown[0])}")
    alike = _like_labels(grid, found) if true is None and layout != "predictions" else ()
    findings = (_understood(grid, found, one), *alike, *_scales(grid, found, decimal), *_possible_clusters(grid, found))
    if grid.whole is None:
        long = _long(grid, found, decimal, one)
    else:
        own = {"drop": drop, "keep": keep, "layout": layout}
        long = _counted(grid, found, decimal, dropped, partial(_all_rows, decimal=decimal, columns=columns, **own))
    return WideAnswers(long, findings, found.left_out, true is not None, found.at["instance"] is not None)


def _all_rows(grid: Grid, **options: Any) -> Grid:
    answers = answers_of_wide(grid, options.pop("decimal"), options.pop("columns"), **options)
    assert answers is not None  # the examples were understood as answers
    return answers.grid


def gaps_in_answers(grid: Grid) -> list[tuple[int, int]]:
    """Return the row and the column of each missing cell in columns of correct and incorrect answers."""
    found: list[tuple[int, int]] = []
    for j, column in enumerate(grid.columns):
        if isinstance(column, NumberColumn) and column.is_finite:
            continue
        # the first cell that is not missing settles it for scores
        first = next((cell for cell in column if not is_missing(cell)), None)
        if first is None or truths_in([first]) is None:
            continue
        cells = distinct_cells(column)
        is_gap = np.array([is_missing(cell) for cell in cells.values])
        if is_gap.any() and truths_in([cell for cell in cells.values if not is_missing(cell)]) is not None:
            found += [(int(i), j) for i in np.flatnonzero(is_gap[cells.codes])]
    return found


def _roles_by_name(grid: Grid, columns: Mapping[str, str | None], dropped: set[str]) -> _Roles:
    named = {name: columns.get(name) for name in (*ROLES, "dataset")}
    known = {name: _lexicon.PREDICTION_COLUMNS.get(name, ()) for name in ROLES} | {"dataset": _lexicon.DATASET_COLUMNS}
    at = {
        name: _only(grid, known[name]) if given is None else column_named(grid, given, name)
        for name, given in named.items()
    }
    row = at["instance"]
    if (
        named["instance"] is None
        and row is not None
        and row == at["cluster"]
        and _n_distinct(grid, row) < len(grid.numbers)
    ):
        at["instance"] = None  # a document or an image, of which there are several instances
    dataset = at.pop("dataset")
    keys = {dataset, *at.values()}
    rest = [j for j, name in enumerate(grid.header) if j not in keys and name]
    left_out = tuple(_left_out(grid, j, "was excluded on request") for j in rest if grid.header[j] in dropped)
    return _Roles(dataset, at, [j for j in rest if grid.header[j] not in dropped], left_out)


def _only(grid: Grid, known: Sequence[str]) -> int | None:
    found = columns_called(grid, known)
    return found[0] if len(found) == 1 else None


def _left_out(grid: Grid, j: int, reason: str) -> LeftOut:
    return LeftOut(what="column", name=grid.header[j], reason=reason)


# --- with true labels -------------------------------------------------------------------------------------------------


def _true_at_last(grid: Grid, roles: _Roles, decimal: str) -> int | None:
    """Return a column named label, class or y, if another column contains its labels or scores of a class.

    Fractions are scores of a classifier with this name. The values of a table with a different dataset in each row
    are also scores.
    """
    true, n = _only(grid, _lexicon.TRUE_AT_LAST), len(grid.numbers)
    if true is None or true not in (*roles.heads, roles.at["subgroup"]):
        return None
    if roles.dataset is not None and _n_distinct(grid, roles.dataset) == n:
        return None
    labels = _Labels.of(grid, true, decimal)
    if not 2 <= len(labels.texts) < n or any(value % 1 for value in labels.numbers):
        return None
    kinds = {_kind(grid, j, labels, decimal) for j in roles.heads if j != true}
    return true if "labels" in kinds or ("scores" in kinds and len(labels.texts) == 2) else None


class _Labels(NamedTuple):
    """True labels as texts and as numbers."""

    texts: set[str]
    numbers: set[float]

    @classmethod
    def of(cls, grid: Grid, j: int, decimal: str) -> _Labels:
        texts = {text_of(cell) for cell in distinct_cells(grid.columns[j]).values}
        numbers = {number_in(text, decimal) for text in texts}
        return cls(texts, {value for value in numbers if value is not None})

    def have(self, text: str, number: float | None) -> bool:
        return text in self.texts or number in self.numbers


def _kind(grid: Grid, j: int, labels: _Labels, decimal: str) -> str:
    """Return the kind of a column: 'labels', 'scores', 'names' (unique texts) or 'other'."""
    cells = distinct_cells(grid.columns[j])
    is_known, has_fraction = _known(cells, labels, decimal)
    if has_fraction:
        return "scores"
    if is_known[cells.codes].mean() >= FEWEST_KNOWN:
        return "labels"
    return "names" if len(cells.values) == len(grid.numbers) else "other"


def _known(cells: CodedColumn, labels: _Labels, decimal: str) -> tuple[BoolArray, bool]:
    """Return which distinct cells are true labels, and whether other cells include a number with a fraction."""
    values = _numbers_of(cells)
    if values is not None:
        is_known = np.isin(values, list(labels.numbers))
        return is_known, _has_fraction(values[~is_known])
    texts = texts_of(cells.values)
    numbers = [number_in(text, decimal) for text in texts]
    is_known = np.array([labels.have(*both) for both in zip(texts, numbers, strict=True)])
    has_fraction = any(x is not None and x % 1 > 0 and not own for x, own in zip(numbers, is_known, strict=True))
    return is_known, has_fraction and None not in numbers


def _has_fraction(values: AnyArray) -> bool:
    return bool((values[np.isfinite(values)] % 1 > 0).any())


def _numbers_of(cells: CodedColumn) -> AnyArray | None:
    """Return the distinct cells as a numeric array, or None if a cell is not a number."""
    if isinstance(cells.values, np.ndarray):
        return cells.values if cells.values.dtype.kind in "iuf" else None
    are_numbers = not any(isinstance(cell, Iterable) for cell in cells.values)
    values = np.asarray(cells.values) if are_numbers else np.empty(0, dtype=object)
    return values if values.dtype.kind in "iuf" else None


def _of_labels(grid: Grid, roles: _Roles, decimal: str, keep: set[str]) -> _Roles | None:
    """Return the roles of columns. Classifiers are columns that can contain predictions of the true labels."""
    if not len(grid.numbers):
        raise TableError(f"{grid.name} has no row of predictions")
    true = roles.at["y_true"]
    assert true is not None
    labels = _Labels.of(grid, true, decimal)
    kinds = {j: _kind(grid, j, labels, decimal) for j in roles.heads}
    are_names = {j: _numbers_cases(grid, j) or (kinds[j] == "names" and _may_name(grid, j, labels)) for j in kinds}
    names = [j for j in roles.heads if grid.header[j] not in keep and are_names[j]]
    heads = [j for j in roles.heads if j not in names]
    computed = _computed(grid, true, heads, decimal, keep)
    roles = roles._replace(left_out=(*roles.left_out, *computed.values()))
    heads = [j for j in heads if j not in computed]
    for j in heads:
        if kinds[j] in ("other", "names") and grid.header[j] not in keep:
            raise _no_answers(grid, j, true, labels)
    are_labels = [j for j in heads if kinds[j] == "labels" and grid.header[j] not in keep]
    are_scores = [j for j in heads if kinds[j] == "scores" and grid.header[j] not in keep]
    refuse_complements(grid, are_scores, decimal)
    refuse_classes(grid, [*are_labels, *are_scores], decimal)
    if are_labels and _are_of_the_same(grid, are_labels, are_scores):
        unused = "holds scores, but labels are used"
        told = (LeftOut(what="column", name=grid.header[j], reason=unused) for j in are_scores)
        roles = roles._replace(left_out=(*roles.left_out, *told))
        heads, are_scores = [j for j in heads if j not in are_scores], []
    if are_labels and are_scores:
        raise _labels_and_scores(grid, are_labels, are_scores, labels, decimal)
    return _named_cases(grid, roles, names, heads)


def _labels_and_scores(
    grid: Grid, are_labels: Sequence[int], scores: Sequence[int], labels: _Labels, decimal: str
) -> TableError:
    """Return an error that asks which columns to compare. Probabilities of a decision tree look like labels."""
    names, of_scores = (tuple(grid.header[j] for j in columns) for columns in (are_labels, scores))
    numbers = [value for j in scores for value in numbers_in(grid.columns[j], decimal) if value is not None]
    # scores of more classes say nothing, and scores of at least 0.5 may be confidences of each predicted label
    are_of_one = len(labels.texts) == 2 and min(numbers, default=1.0) < MIDDLE
    own = names if are_of_one else of_scores
    problem = f"{grid.name}: {listed(names)} hold labels, but {listed(of_scores)} hold scores"
    if labels.numbers == {0, 1} and are_of_one:
        hint = "if the labels are probabilities of 0 and 1, as from a decision tree, pass {}; otherwise, leave out the "
        return TableError(problem, f"{hint}columns of one kind with the option drop", "keep", own)
    return TableError(problem, "leave out the columns of one kind with {}", "drop", own)


def _are_of_the_same(grid: Grid, labels: Sequence[int], scores: Sequence[int]) -> bool:
    """Return whether each classifier has both a label and a score column: LR_pred and LR_proba."""
    names = [sorted({_END.sub("", grid.header[j]).casefold() for j in columns}) for columns in (labels, scores)]
    return names[0] == names[1] and len(names[0]) == len(labels) == len(scores)


def _may_name(grid: Grid, j: int, labels: _Labels) -> bool:
    """Return whether a column of unique cells may contain identifiers: no cell is a true label, or they count on."""
    if 2 * len(labels.texts) > len(grid.numbers):
        return False
    return count_on(numbers_in(grid.columns[j], ".")) or labels.texts.isdisjoint(_texts(grid, j))


def _numbers_cases(grid: Grid, j: int) -> bool:
    plain = _lexicon.plain_name(grid.header[j])
    is_named = plain in COUNTERS or _lexicon.is_called(grid.header[j], _lexicon.ITEM_COLUMNS)
    return is_named and not holds_fractions(grid.columns[j])


def _named_cases(grid: Grid, roles: _Roles, names: Sequence[int], heads: list[int]) -> _Roles:
    """Use the first column of identifiers for the instances if no column has this role; omit further identifiers."""
    at = dict(roles.at)
    rest = sorted(names, key=lambda j: not _numbers_cases(grid, j))
    if at["instance"] is None and rest:
        at["instance"] = rest.pop(0)
    left_out = tuple(_left_out(grid, j, "names the instances, and holds no answers") for j in rest)
    return _Roles(roles.dataset, at, heads, (*roles.left_out, *left_out))


def _computed(grid: Grid, true: int, heads: Sequence[int], decimal: str, keep: set[str]) -> dict[int, LeftOut]:
    """Return columns that were computed from the true labels and another column, such as errors."""
    codes = {text: float(i) for i, text in enumerate(sorted(_texts(grid, true), key=natural_order))}
    columns = [_as_numbers(grid, j, codes, decimal) for j in heads]
    truth = _as_numbers(grid, true, codes, decimal)
    if any(map(_has_fraction, columns)) and len(codes) == 2 and not np.isnan(truth).all():
        truth = (truth == np.nanmax(truth)) * 1.0
    found = computed_columns(truth, columns, [grid.header[j] for j in heads])
    told = {
        heads[j]: _left_out(grid, heads[j], what.format(short(grid.header[heads[i]])))
        for j, (i, what) in sorted(found.items())
        if grid.header[heads[j]] not in keep
    }
    have_one = {heads[i] for i, _ in found.values()} | {j for j in heads if grid.header[j] in keep}
    rest = [j for j in heads if j not in told and j not in have_one]
    if told and rest:
        j, why = next(iter(told.items()))
        raise TableError(
            f"{grid.name}: the column {short(grid.header[j])} {why.reason} and is not a classifier; "
            f"{short(grid.header[rest[0]])} has no such column and may not be a classifier either",
            "leave out what is not a classifier, for example with {}; if it is one, pass {keep}",
            "drop",
            grid.header[j],
        )
    return told


def _texts(grid: Grid, j: int) -> list[str]:
    return texts_of(distinct_cells(grid.columns[j]).values)


def _as_numbers(grid: Grid, j: int, codes: Mapping[str, float], decimal: str) -> FloatArray:
    """Return the cells of a column as floats. Labels become the codes of the true labels."""
    column = grid.columns[j]
    if isinstance(column, np.ndarray) and column.dtype.kind in "iufb":
        return column.astype(np.float64)
    cells = distinct_cells(column)
    values = _numbers_of(cells)
    if values is None:
        texts = texts_of(cells.values)
        numbers = [number_in(text, decimal) for text in texts]
        if None in numbers:
            numbers = [codes.get(text, _lexicon.TRUTHS.get(text.casefold())) for text in texts]
        values = np.array([math.nan if value is None else value for value in numbers])
    return values.astype(np.float64)[cells.codes]


def _no_answers(grid: Grid, j: int, true: int, labels: _Labels) -> TableError:
    own = texts_of(distinct_cells(grid.columns[j]).values)
    strange = [text for text in own if text not in labels.texts]
    refuse_many_targets(grid, true, sorted(labels.texts))
    hint = "if it is not a classifier, pass {}; if it is one, pass {keep}"
    if len(own) < len(grid.numbers):
        hint += "; if its values group correlated instances, pass {as_cluster}"
    return TableError(
        f"{grid.name}: the column {short(grid.header[j])} holds {listed(strange[:2])}, which are not true labels as "
        f"in {short(grid.header[true])} ({listed(sorted(labels.texts)[:3])})",
        hint,
        "drop",
        grid.header[j],
    )


# --- correct or incorrect ---------------------------------------------------------------------------------------------


def _of_answers(grid: Grid, roles: _Roles, columns: Mapping[str, str | None]) -> _Roles | None:
    """Return the columns of correct and incorrect answers, or None if the table holds scores.

    Without a column of identifiers, both correct and incorrect answers must occur.
    """
    heads, dataset, left_out = roles.heads, roles.dataset, roles.left_out
    answers = [
        j
        for j in heads
        if truths_in(grid.columns[j]) is not None and not _lexicon.is_called(grid.header[j], _lexicon.ITEM_COLUMNS)
    ]
    others = [j for j in heads if j not in answers]
    if not answers or not (are_correctness(grid.columns[j] for j in answers) or _has_cases(grid, columns)):
        return None
    are_fractions = {j: holds_fractions(grid.columns[j]) for j in others}  # which name no instance and no group
    names = [
        j
        for j in others
        if _numbers_cases(grid, j) or (_n_distinct(grid, j) == len(grid.numbers) and not are_fractions[j])
    ]
    rest = [j for j in others if j not in names]
    # as in a table with a row for each answer, further columns are not used
    if dataset is None and len(rest) == 1 and not are_fractions[rest[0]]:
        left_out = (*left_out, _left_out(grid, rest.pop(), _OF_GROUPS))
    if rest:  # other columns show that the table contains scores
        return None
    if dataset is not None and len({text_of(cell) for cell in grid.columns[dataset]}) == len(grid.numbers):
        names, dataset = [dataset, *names], None  # if each row has its own name, it names an instance
    return _named_cases(grid, roles._replace(dataset=dataset, left_out=left_out), names, answers)


def _choose_meaning(grid: Grid, roles: _Roles) -> None:
    """Raise an error if rows of 0 and 1 are named as datasets, folds or runs."""
    at = (roles.at[role] for role in ("instance", "fold", "repeat"))
    names = [grid.header[j] for j in at if j is not None and _n_distinct(grid, j) == len(grid.numbers)]
    known = {
        "datasets": _lexicon.DATASET_COLUMNS,
        "folds": _lexicon.PREDICTION_COLUMNS["fold"],
        "runs": _lexicon.RUN_COLUMNS,
    }
    for name in names:
        if value := next((value for value, words in known.items() if _lexicon.is_called(name, words)), ""):
            cases = (Strength.STRONG, "all scores are 0 or 1")
            called = (Strength.STRONG, f"a column is called {short(name)}")
            choose(
                grid.name,
                [
                    Candidate("rows_are", "instances", "answers to instances", (cases,)),
                    Candidate("rows_are", value, f"the scores of {value}", (called,)),
                ],
            )


def _refuse_words(grid: Grid, roles: _Roles) -> None:
    """Reject columns with the same few words, because these are predicted labels and the true labels are missing."""
    heads = [j for j in roles.heads if not _lexicon.is_called(grid.header[j], _lexicon.ITEM_COLUMNS)]
    if not heads or not len(grid.numbers):
        return
    first = (text_of(grid.columns[j][0]) for j in heads)
    if any(number_in(text, mark) is not None for text in first for mark in ".,"):
        return  # the first number decides, so thousands of other columns are not checked
    texts = [set(_texts(grid, j)) for j in heads]
    if len(texts) < 2 or any(number_in(text, ".") is not None for own in texts for text in own):
        return
    every, common = set().union(*texts), set.intersection(*texts)
    if (
        2 <= len(every) <= len(grid.numbers) / 3
        and 2 * len(common) >= len(every)
        and not {text.casefold() for text in every} <= _lexicon.RIGHT_WORDS.keys()
    ):
        names = listed([grid.header[j] for j in heads])
        if {text.casefold() for text in every} <= _lexicon.ANSWER_WORDS.keys():
            problem = f"{grid.name}: the columns {names} hold answers in words, such as {listed(sorted(every))}"
            hint = "if they show which answers are correct, pass {}; if they are labels, add the true labels in y_true"
            raise TableError(problem, hint, "rows_are", "questions")
        raise TableError(
            f"{grid.name}: the columns {names} hold the same few words, like predicted labels of instances, but no "
            "column holds the true labels",
            "add them in a column y_true",
        )


def _refuse_names_of_predictions(grid: Grid, roles: _Roles) -> None:
    """Reject columns of 0 and 1 whose names denote predictions if there are no true labels."""
    heads = roles.heads
    if predicted := [grid.header[j] for j in heads if PREDICTED.search(grid.header[j])]:
        problem = (
            f"{grid.name}: the columns {listed(predicted)} have names of predictions, and no column is known to "
            "hold the true labels"
        )
        if others := [grid.header[j] for j in heads if grid.header[j] not in predicted]:
            raise TableError(problem, "name it with {}", "y_true", others[0])
        hint = "add them in a column y_true; if 1 is a correct answer and 0 an incorrect answer, pass {}"
        raise TableError(problem, hint, "rows_are", "instances")


def _like_labels(grid: Grid, roles: _Roles) -> tuple[Finding, ...]:
    """Return a warning if columns of 0 and 1 agree as strongly as predicted labels do."""
    row, heads = roles.at["instance"], roles.heads
    is_named = roles.dataset is not None or not (row is None or _numbers_cases(grid, row) or not grid.header[row])
    if is_named or len(grid.numbers) < FEWEST_LABELS or any(_are_truths(grid.columns[j]) for j in heads):
        return ()
    answers = [_is_one(grid.columns[j]) for j in heads]
    if min((_kappa(x, y) for x, y in combinations(answers, 2)), default=0.0) < LIKE_LABELS:
        return ()
    sentence = (
        f"The columns {listed([grid.header[j] for j in heads])} hold 0 and 1 and agree in nearly all rows, like "
        "predicted labels of instances: 1 is treated as a correct answer."
    )
    return (Finding(code="like-labels", severity="warning", sentence=sentence),)


def _is_one(column: Any) -> BoolArray:
    cells = distinct_cells(column)
    return np.array([_is_yes(cell) for cell in cells.values])[cells.codes]


def _kappa(x: BoolArray, y: BoolArray) -> float:
    """Return Cohen's kappa of two boolean arrays, or 0 if chance agreement is complete."""
    by_chance = x.mean() * y.mean() + (1 - x.mean()) * (1 - y.mean())
    return float(((x == y).mean() - by_chance) / (1 - by_chance)) if by_chance < 1 else 0.0


def _n_distinct(grid: Grid, j: int) -> int:
    return len(distinct_cells(grid.columns[j]).values)


# --- one row for each answer ------------------------------------------------------------------------------------------


def _long(grid: Grid, roles: _Roles, decimal: str, one_is_right: bool) -> Grid:
    n, k, at = len(grid.numbers), len(roles.heads), roles.at
    row = at["instance"]
    long: dict[str, Any] = {
        "classifier": CodedColumn(classifier_names(grid, roles.heads), np.repeat(np.arange(k), n)),
        "dataset": CodedColumn(["dataset"], np.zeros(n * k, dtype=np.intp))
        if roles.dataset is None
        else repeated(row_names(grid, roles.dataset, "dataset"), k),
        "instance": repeated(np.arange(n) if row is None else grid.columns[row], k),
    }
    for name in ("fold", "repeat", *GROUPINGS):
        if (j := at[name]) is not None:
            # subgroups and clusters keep the name of their column
            long[grid.header[j] if name in GROUPINGS else name] = repeated(grid.columns[j], k)
    cells = one_after_another([grid.columns[j] for j in roles.heads])
    true = at["y_true"]
    if true is None:
        said = distinct_cells(cells)
        long["y_true"] = CodedColumn(["right"], np.zeros(n * k, dtype=np.intp))
        long["y_pred"] = CodedColumn(
            ["right" if _is_yes(cell) is one_is_right else "wrong" for cell in said.values], said.codes
        )
    else:
        long["y_true"] = repeated(grid.columns[true], k)
        labels = _Labels.of(grid, true, decimal)
        kinds = {_kind(grid, j, labels, decimal) for j in roles.heads}
        long["y_score" if "scores" in kinds else "y_pred"] = cells
    return replace(
        grid,
        header=list(long),
        columns=list(long.values()),
        numbers=np.tile(np.array(grid.numbers), k).tolist(),
        must_name_datasets=False,
    )


def _counted(grid: Grid, roles: _Roles, decimal: str, dropped: set[str], all_rows: Callable[[Grid], Grid]) -> Grid:
    """Return the long table of predictions whose rows an engine counts. `grid` contains example rows."""
    at = {"dataset": roles.dataset, **roles.at}
    names = {name: grid.header[j] for name, j in at.items() if j is not None}
    heads = classifier_names(grid, roles.heads)
    is_sure = "y_true" in names and all(_are_labels(grid, j, names["y_true"], decimal) for j in roles.heads)
    if not is_sure or not (roles.at["instance"] is None or _numbers_cases(grid, roles.at["instance"])):
        raise TableError(f"{grid.name} must be read as a whole")
    whole: Grid = grid.whole.unpivoted(grid, names, heads, dropped, all_rows)
    return whole


def _are_labels(grid: Grid, j: int, true: str, decimal: str) -> bool:
    """Return whether a column contains labels in all rows of the file, from the counts of its cells."""
    of_true, own = (grid.whole.n_cells.get(name) for name in (true, grid.header[j]))
    if of_true is None or own is None:
        return False
    labels = _Labels.of(grid, grid.header.index(true), decimal)
    is_known, has_fraction = _known(CodedColumn(list(own), np.arange(len(own))), labels, decimal)
    n = np.array(list(own.values()))
    return not has_fraction and bool(n[is_known].sum() >= FEWEST_KNOWN * n.sum())


def _is_yes(cell: Any) -> bool:
    return _lexicon.RIGHT_WORDS[text_of(cell).casefold()] if isinstance(cell, str) else bool(cell)


# --- findings ---------------------------------------------------------------------------------------------------------


def _understood(grid: Grid, roles: _Roles, one_is_right: bool) -> Finding:
    true, row = roles.at["y_true"], roles.at["instance"]
    words = f"with 1 if a classifier is {'correct' if one_is_right else 'incorrect'}"
    if true is not None:
        words = f"with its true label in {short(grid.header[true])}"
    if row is not None and grid.header[row]:
        words += f"; {short(grid.header[row])} names it"
    if roles.dataset is not None and not _lexicon.is_called(grid.header[roles.dataset], _lexicon.DATASET_COLUMNS):
        words += f"; {short(grid.header[roles.dataset])} names its dataset"
    sentence = f"Each row is an instance, {words}."
    if true is None and not any(_are_truths(grid.columns[j]) for j in roles.heads):
        sentence += " If 0 and 1 are predicted labels, add the true labels in a column y_true."
    return Finding(code="cases", severity="note", sentence=sentence)


def _are_truths(column: Any) -> bool:
    """Return whether a column contains truth values as booleans or words, not as numbers."""
    cells = distinct_cells(column).values
    return all(isinstance(cell, bool | np.bool_) or str(cell).casefold() in _lexicon.TRUTHS for cell in cells)


def _scales(grid: Grid, roles: _Roles, decimal: str) -> tuple[Finding, ...]:
    """Return a note if some columns contain numbers outside 0 to 1 and others contain probabilities."""
    if roles.at["y_true"] is None:
        return ()
    beyond = [j for j in roles.heads if not _are_shares(grid, j, decimal)]
    if not 0 < len(beyond) < len(roles.heads):
        return ()
    names = listed(grid.header[j] for j in beyond)
    sentence = f"Some numbers in {names} are outside of [0, 1], but the other classifiers have probabilities."
    return (Finding(code="not-probabilities", severity="note", sentence=sentence),)


def _possible_clusters(grid: Grid, roles: _Roles) -> tuple[Finding, ...]:
    """Return a warning if several instances of one dataset share a value of a column that was left out."""
    if roles.at["cluster"] is not None or (roles.dataset is not None and _n_distinct(grid, roles.dataset) > 1):
        return ()
    unused = [grid.header.index(one.name) for one in roles.left_out]
    return possible_clusters(grid, unused, partial(len, grid.numbers))


def _are_shares(grid: Grid, j: int, decimal: str) -> bool:
    cells = distinct_cells(grid.columns[j])
    values = _numbers_of(cells)
    numbers = [number_in(cell, decimal) for cell in cells.values] if values is None else values.tolist()
    return all(x is None or not (x < 0 or x > 1) for x in numbers)
