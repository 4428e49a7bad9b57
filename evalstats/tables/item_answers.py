"""Which item of which task was answered how? One file of one classifier, whose rows are items with names."""

from __future__ import annotations

__all__ = ["ItemAnswers", "item_answers"]

import math
import os
from typing import Any, NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats.tables.columns import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    ITEM_COLUMNS,
    column_named,
    columns_called,
    headers,
    is_called,
    number_in,
    row_names,
)
from evalstats.tables.grid import Grid, TableError, examples, grid_of, short, text_of
from evalstats.tables.prediction_labels import MISSING_LABELS
from evalstats.tables.predictions import COLUMNS

SAMPLE_COLUMNS = (
    *("sample", "sample_id", "sample_index", "epoch", "repeat", "repetition", "replicate", "run", "seed"),
    *("attempt", "trial", "generation", "completion_id"),
)
RIGHT_COLUMNS = ("correct", "is_correct", "right", "is_right", "passed")
RIGHT_WORDS = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False}


class ItemAnswers(NamedTuple):
    """The answers of one classifier to each item of each task; what the file does not tell is None.

    Of several sampled answers to each item only the share of right ones is kept.
    """

    name: str  # of the file
    task: list[str]
    item: list[str]
    y_true: list[str] | None
    y_pred: list[str] | None
    y_score: list[float] | None
    right: list[bool] | None
    cluster: list[str] | None
    metric: str | None = None  # what was chosen of a log, whose mean is compared
    share: list[float] | None = None  # of the samples of each item, those that are right; None of one answer to each

    def keys(self) -> dict[tuple[str, str], int]:
        """Return the row of each item, by its task and its name."""
        return {key: i for i, key in enumerate(zip(self.task, self.item, strict=True))}


def item_answers(
    source: Any, *, classifier: str | None = None, cluster: str | None = None, argument: str = "classifier"
) -> ItemAnswers | None:
    """Read the answers of one classifier, or return None where the rows are no items.

    Parameters
    ----------
    source : str, path-like, file object, data frame or dict
        A table with a column that names the items (``row``, ``case``, ``item_id`` ...), and either ``correct`` or
        ``y_true`` with ``y_pred`` or ``y_score``; or the directory of a study that kept its predictions.
    classifier : str, optional
        Which one is meant, where the file holds several.
    cluster : str, optional
        Column that tells which items belong together.
    argument : str, default: 'classifier'
        What the caller calls `classifier`, for messages.

    Raises
    ------
    TableError
        If an item has no name, stands there twice, or has no answer; if the file holds several classifiers, and none is
        chosen.
    """
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        source = _kept_in(source)
        if source is None:
            return None
    grid = grid_of(source, None, "utf-8", None)
    true, right = _found(grid, COLUMNS["y_true"]), _found(grid, RIGHT_COLUMNS)
    if true is None and right is None:
        return None
    rows = _rows_of(grid, classifier, argument)
    if not rows:
        raise TableError(f"{grid.name} has no row of answers")
    item = _found(grid, ITEM_COLUMNS)
    if item is None:
        raise TableError(
            f"{grid.name}: none of the columns {headers(grid)} is known to name the items; call one 'item_id'"
        )
    task = _found(grid, DATASET_COLUMNS)
    items = _names(grid, item, "item", rows)
    tasks = ["all items" for _ in rows] if task is None else _names(grid, task, "task", rows)
    at = next((grid.header.index(name) for name in grid.header if is_called(name, SAMPLE_COLUMNS)), None)
    samples = None if at is None or len(set(zip(tasks, items, strict=True))) == len(rows) else at
    _refuse_twice(
        grid, rows, tasks, items, None if samples is None else [text_of(grid.columns[samples][i]) for i in rows]
    )
    if (predicted := _found(grid, COLUMNS["y_pred"])) is None and right is None:
        score = _found(grid, COLUMNS["y_score"])
        if score is None:
            raise TableError(
                f"{grid.name}: none of the columns {headers(grid)} is known to hold answers; call it 'y_pred'"
            )
    score = _found(grid, COLUMNS["y_score"])
    answers = ItemAnswers(
        name=grid.name,
        task=tasks,
        item=items,
        y_true=None if true is None else _labels(grid, true, rows),
        y_pred=None if predicted is None else _labels(grid, predicted, rows),
        y_score=None if score is None else _numbers(grid, score, rows),
        right=None if right is None else _rights(grid, right, rows),
        cluster=None if cluster is None else _names(grid, column_named(grid, cluster, "cluster"), "cluster", rows),
    )
    return answers if samples is None else _averaged(answers, grid.header[samples])


def _averaged(answers: ItemAnswers, column: str) -> ItemAnswers:
    """Put the samples of each item together: the share of them that is right."""
    if answers.right is not None:
        right = answers.right
    elif answers.y_true is not None and answers.y_pred is not None:
        right = [a == b for a, b in zip(answers.y_true, answers.y_pred, strict=True)]
    else:
        raise TableError(
            f"{answers.name} has several samples of an item (column {short(column)}), which must be right or wrong: "
            "give it a column 'correct'"
        )
    rows: dict[tuple[str, str], list[int]] = {}
    for i, key in enumerate(zip(answers.task, answers.item, strict=True)):
        rows.setdefault(key, []).append(i)
    for (task, item), own in rows.items():
        for values, what in ((answers.cluster, "cluster"), (answers.y_true, "true label")):
            if values is not None and len({values[i] for i in own}) > 1:
                raise TableError(
                    f"{answers.name}: the samples of the item {short(item)} of {short(task)} must have one {what}"
                )
    first = [own[0] for own in rows.values()]
    return answers._replace(
        task=[task for task, _ in rows],
        item=[item for _, item in rows],
        y_true=None if answers.y_true is None else [answers.y_true[i] for i in first],
        y_pred=None,
        y_score=None,
        right=None,
        cluster=None if answers.cluster is None else [answers.cluster[i] for i in first],
        share=[sum(right[i] for i in own) / len(own) for own in rows.values()],
    )


def _kept_in(directory: Any) -> Any:
    """Return the predictions of a study of one repeat; None where there are none, or several of each case."""
    from evalstats.study.store import is_study

    if not is_study(directory):
        raise InvalidValueError(f"there is no study in {short(os.fspath(directory))}")
    from evalstats.study.running import read_study

    study = read_study(directory)
    if not study.complete:
        raise InvalidValueError(f"the study in {short(os.fspath(directory))} is not finished; run it again to go on")
    if not study._has_predictions or len(np.unique(study.columns["repeat"])) > 1:
        return None
    return study.prediction_columns()


def _found(grid: Grid, known: tuple[str, ...]) -> int | None:
    """Return the column that is called so; two are a question."""
    at = columns_called(grid, known)
    if len(at) > 1:
        # the usual name is meant, where others stand beside it
        best = min(at, key=lambda j: known.index(grid.header[j].casefold().replace(" ", "_").replace("-", "_")))
        if known is not ITEM_COLUMNS:
            raise TableError(f"{grid.name}: any of the columns {headers(grid, at)} may be meant; rename all but one")
        return best
    return at[0] if at else None


def _rows_of(grid: Grid, classifier: str | None, argument: str) -> list[int]:
    """Return the rows of the classifier that is meant."""
    every = list(range(len(grid.numbers)))
    at = _found(grid, CLASSIFIER_COLUMNS)
    if at is None:
        if classifier is not None:
            raise TableError(f"{argument} must name a classifier of {grid.name}, which has no column that names them")
        return every
    names = row_names(grid, at, "classifier")
    known = list(dict.fromkeys(names))
    if classifier is None:
        if len(known) > 1:
            problem = f"{grid.name} holds {len(known)} classifiers ({examples(known)})"
            raise TableError(problem, "name the one that is meant with {}", argument, known[0])
        return every
    if classifier not in known:
        raise TableError(f"{argument} must be one of {examples(known)}, not {short(classifier)}")
    return [i for i in every if names[i] == classifier]


def _names(grid: Grid, j: int, what: str, rows: list[int]) -> list[str]:
    names = row_names(grid, j, what)
    return [names[i] for i in rows]


def _refuse_twice(grid: Grid, rows: list[int], tasks: list[str], items: list[str], samples: list[str] | None) -> None:
    seen: dict[tuple[str, ...], int] = {}
    told = [tasks, items] if samples is None else [tasks, items, samples]
    for i, key in zip(rows, zip(*told, strict=True), strict=True):
        if key in seen:
            raise TableError(
                f"{grid.name}, {grid.word} {grid.numbers[i]}: the item {short(key[1])} of {short(key[0])}"
                f"{'' if samples is None else f', sample {short(key[2])},'} stands in "
                f"{grid.word} {grid.numbers[seen[key]]} already"
            )
        seen[key] = i


def _labels(grid: Grid, j: int, rows: list[int]) -> list[str]:
    labels = [text_of(grid.columns[j][i]) for i in rows]
    for i, label in zip(rows, labels, strict=True):
        if label.casefold() in MISSING_LABELS:
            raise TableError(f"{grid.place(i, j)}: the answer is missing; what failed must be told as a wrong answer")
    return labels


def _numbers(grid: Grid, j: int, rows: list[int]) -> list[float]:
    numbers = []
    for i in rows:
        number = number_in(grid.columns[j][i], ".")
        if number is None or not math.isfinite(number):
            raise TableError(f"{grid.place(i, j)}: a score must be a finite number, not {short(grid.columns[j][i])}")
        numbers.append(number)
    return numbers


def _rights(grid: Grid, j: int, rows: list[int]) -> list[bool]:
    found = []
    for i in rows:
        word = text_of(grid.columns[j][i]).casefold()
        if word not in RIGHT_WORDS:
            raise TableError(
                f"{grid.place(i, j)}: an answer must be right (1, true) or wrong (0, false), not {short(word)}"
            )
        found.append(RIGHT_WORDS[word])
    return found
