"""Answers of one classifier to named questions, read from one file or from the log of a program."""

from __future__ import annotations

__all__ = ["in_one_spelling", "item_answers", "log_answers"]

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evalstats import _lexicon
from evalstats._errors import InvalidValueError, examples
from evalstats._findings import Finding
from evalstats.io.columns.computed import one_spelling, refuse_contradictions, refuse_two_spellings
from evalstats.io.columns.roles import (
    column_named,
    columns_called,
    headers,
    possible_clusters,
    row_names,
    with_crossed_subgroups,
)
from evalstats.io.columns.summaries import truths_in
from evalstats.io.formats.format import Found
from evalstats.io.formats.recognition import found_in
from evalstats.io.layouts.candidate import refuse_names_of_losses, refuse_words_of_losses
from evalstats.io.layouts.labels import MISSING_LABELS
from evalstats.io.options import Asked
from evalstats.io.reader.opening import grid_of, open_source
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.tables.categorical import subgroups_in
from evalstats.tables.errors import TableError, short
from evalstats.tables.items import ALL_ITEMS, ItemAnswers
from evalstats.tables.names import text_of, texts_of


def item_answers(
    source: Any,
    *,
    classifier: str | None = None,
    cluster: str | None = None,
    subgroup: str | None = None,
    greater_is_better: bool | None = None,
    argument: str = "classifier",
    reading: Mapping[str, Any] | None = None,
) -> ItemAnswers | None:
    """Read the answers of one classifier, or return None if the rows are not questions.

    Parameters
    ----------
    source : str, path-like, file object, data frame or dict
        A table with a column that names the questions (``row``, ``case``, ``item_id`` ...), and either ``correct``, or
        ``y_true`` and one of ``y_pred`` and ``y_score``. Alternatively, the directory of a study with stored
        predictions.
    classifier : str, optional
        Name of the classifier, if the file holds several.
    cluster : str, optional
        Column of the clusters: correlated questions have the same value.
    subgroup : str, optional
        Column of the subgroups of the questions, or several columns separated by commas. An empty cell means the
        subgroup ``'not given'``.
    greater_is_better : bool, optional
        Meaning of 1 in a column that has the name of a classifier: a correct answer (True) or an incorrect one (False).
    argument : str, default: 'classifier'
        Name of `classifier` in the interface of the caller, for messages.
    reading : dict, optional
        Delimiter, encoding and sheet of a file; see `grid_of`.

    Raises
    ------
    TableError
        If a question has no name, occurs twice, or has no answer; if the file holds several classifiers and none is
        chosen.
    """
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        source = _kept_in(source)
        if source is None:
            return None
    grid = grid_of(source, **(reading or {}))
    if grid.record is not None:
        raise TableError(
            f"{grid.name} is a report of evalstats, and only the original file has its checksum",
            "give the path of that file",
        )
    grid, subgroup = with_crossed_subgroups(grid, subgroup)
    source, long = grid, _long(grid, subgroup, is_told=greater_is_better is not None)
    # a column with a known name says itself what 1 means
    is_turned = long is not grid and greater_is_better is False
    grid = _of_classifier(long, classifier, argument)
    known = _lexicon.PREDICTION_COLUMNS
    true, predicted, score = (_found(grid, known[name]) for name in ("y_true", "y_pred", "y_score"))
    right = _found(grid, _lexicon.RIGHT_COLUMNS)
    if true is None and right is None:
        if predicted is not None and columns_called(grid, _lexicon.ITEM_COLUMNS):
            problem = f"{grid.name}: none of the columns {headers(grid)} is known to hold the true labels of"
            raise TableError(f"{problem} {short(grid.header[predicted])}; call it 'y_true'")
        return None
    if not grid.numbers:
        raise TableError(f"{grid.name} has no row of answers")
    item = _found(grid, _lexicon.ITEM_COLUMNS)
    if item is None:
        raise _nameless(grid)
    if predicted is None and right is None and score is None:
        raise TableError(f"{grid.name}: none of the columns {headers(grid)} is known to hold answers; call it 'y_pred'")
    task = _task_column(grid)
    items = row_names(grid, item, "item")
    tasks = [ALL_ITEMS] * len(items) if task is None else row_names(grid, task, "task")
    at = next((j for j, name in enumerate(grid.header) if _lexicon.is_called(name, _lexicon.SAMPLE_COLUMNS)), None)
    samples = None if at is None or len(set(zip(tasks, items, strict=True))) == len(items) else at
    _refuse_twice(grid, tasks, items, None if samples is None else texts_of(grid.columns[samples]))
    g = None if subgroup is None else column_named(grid, subgroup, "subgroup")
    answers = ItemAnswers(
        name=grid.name,
        task=tasks,
        item=items,
        y_true=None if true is None else _labels(grid, true),
        y_pred=None if predicted is None else _labels(grid, predicted),
        y_score=None if score is None else _numbers(grid, score),
        right=None if right is None else [one != is_turned for one in _rights(grid, right)],
        cluster=None if cluster is None else row_names(grid, column_named(grid, cluster, "cluster"), "cluster"),
        subgroup=None if g is None else subgroups_in(grid.header[g], grid.columns[g]).labels,
        is_turned=is_turned and true is None,
        column=None if true is not None or columns_called(source, _lexicon.CLASSIFIER_COLUMNS) else _only_name(long),
        findings=() if cluster else _possible_clusters(source, tasks, items),
    )
    refuse_two_spellings(grid, true, predicted)
    refuse_contradictions(grid, true, predicted)
    (answers,) = in_one_spelling(answers)
    return answers if samples is None else _averaged(answers, grid.header[samples])


def _possible_clusters(grid: Grid, tasks: Sequence[str], items: Sequence[str]) -> tuple[Finding, ...]:
    """Return a warning if several questions share a value of a column other than their names, such as a patient."""
    named = _found(grid, _lexicon.ITEM_COLUMNS)  # numbers may begin anew in each task
    unused = [j for j in range(len(grid.header)) if j != named]
    return possible_clusters(grid, unused, lambda: len({*zip(tasks, items, strict=True)}))


def in_one_spelling(*sides: ItemAnswers) -> list[ItemAnswers]:
    """Return the answers with one label for equal whole numbers, such as '1' and '1.0', and a finding that says so."""
    labels = dict.fromkeys(label for one in sides for own in (one.y_true, one.y_pred) for label in own or ())
    plain, told = one_spelling(labels)
    if not plain:
        return list(sides)
    true, predicted = (
        [None if own is None else [plain.get(label, label) for label in own] for own in columns]
        for columns in zip(*((one.y_true, one.y_pred) for one in sides), strict=True)
    )
    return [
        one._replace(y_true=a, y_pred=b, findings=(*one.findings, *told))
        for one, a, b in zip(sides, true, predicted, strict=True)
    ]


def _long(grid: Grid, subgroup: str | None, *, is_told: bool) -> Grid:
    """Convert a column for each classifier to a row for each answer; return a grid with known columns unchanged.

    If the meaning of 1 is not given, names and words of losses are rejected.
    """
    from evalstats.io.layouts.questions import long_items
    from evalstats.io.layouts.wide_predictions import answers_of_wide  # which knows the columns of questions from here

    if columns_called(
        grid, (*_lexicon.PREDICTION_COLUMNS["y_pred"], *_lexicon.PREDICTION_COLUMNS["y_score"], *_lexicon.RIGHT_COLUMNS)
    ):
        return grid
    told = True if is_told else None
    if (items := long_items(grid, (), {"subgroup": subgroup}, told)) is not None:
        refuse_words_of_losses(grid, told)
        return items
    wide = answers_of_wide(grid, ".", {"subgroup": subgroup}, greater_is_better=told)
    if wide is None:
        return _with_known_answers(grid, told)
    if not wide.names_cases:
        raise _nameless(grid)
    columns = dict(zip(wide.grid.header, wide.grid.columns, strict=True))
    if len(set(columns["dataset"])) == 1:  # a single task needs no name
        del columns["dataset"]
    if not wide.has_true:  # correct and incorrect are not labels of the questions
        refuse_words_of_losses(grid, told)
        del columns["y_true"]
        columns["correct"] = [cell == "right" for cell in columns.pop("y_pred")]
    return replace(wide.grid, header=list(columns), columns=list(columns.values()))


def _only_name(long: Grid) -> str | None:
    """Return the name of the only column that became rows of answers, if there is one."""
    at = columns_called(long, _lexicon.CLASSIFIER_COLUMNS)
    names = {text_of(cell) for cell in long.columns[at[0]]} if len(at) == 1 else set()
    return names.pop() if len(names) == 1 else None


def _with_known_answers(grid: Grid, told: bool | None) -> Grid:
    """Rename the only column of 0 and 1 of a long table as ``correct``; return other grids unchanged.

    A name of a loss, and an unknown name, are rejected if the meaning of 1 is not given.
    """
    keys = (_lexicon.CLASSIFIER_COLUMNS, _lexicon.ITEM_COLUMNS)
    if not all(columns_called(grid, known) for known in keys) or columns_called(
        grid, _lexicon.PREDICTION_COLUMNS["y_true"]
    ):
        return grid
    others = (
        *keys,
        _lexicon.DATASET_COLUMNS,
        _lexicon.STRATUM_COLUMNS,
        _lexicon.SAMPLE_COLUMNS,
        _lexicon.CLUSTER_COLUMNS,
    )
    known = tuple(name for names in others for name in names)
    rest = [
        j for j, name in enumerate(grid.header) if not _lexicon.is_called(name, known) and truths_in(grid.columns[j])
    ]
    at = [j for j in rest if _lexicon.is_called(grid.header[j], _lexicon.ITEM_SCORE_COLUMNS)] or rest
    if len(at) != 1:
        return grid
    refuse_names_of_losses(grid, at, told)
    name = grid.header[at[0]]
    if told is None and not _lexicon.is_called(name, _lexicon.ITEM_SCORE_COLUMNS):
        problem = f"{grid.name}: the column {short(name)} holds 0 and 1, but its name does not say what 1 means"
        hint = "if 1 is a correct answer, pass {}; if it is an incorrect answer, pass {lower}"
        raise TableError(problem, hint, "greater_is_better", "True")
    return replace(grid, header=["correct" if j == at[0] else own for j, own in enumerate(grid.header)])


def _nameless(grid: Grid) -> TableError:
    return TableError(
        f"{grid.name}: none of the columns {headers(grid)} is known to name the questions, by which the answers of "
        "baseline and candidate are paired; call one of them 'item_id', or add this column"
    )


def _of_classifier(grid: Grid, classifier: str | None, argument: str) -> Grid:
    """Return the rows of the chosen classifier; return a wide table unchanged."""
    if not columns_called(grid, (*_lexicon.PREDICTION_COLUMNS["y_true"], *_lexicon.RIGHT_COLUMNS)):
        return grid
    rows = _rows_of(grid, classifier, argument)
    if len(rows) == len(grid.numbers):
        return grid
    return replace(
        grid,
        columns=[[column[i] for i in rows] for column in grid.columns],
        numbers=[grid.numbers[i] for i in rows],
        noise=(),
    )


def _averaged(answers: ItemAnswers, column: str) -> ItemAnswers:
    """Replace the sampled answers to each question by the proportion of correct answers."""
    if answers.right is not None:
        right = answers.right
    elif answers.y_true is not None and answers.y_pred is not None:
        right = [a == b for a, b in zip(answers.y_true, answers.y_pred, strict=True)]
    else:
        raise TableError(
            f"{answers.name} has several sampled answers to a question (column {short(column)}), which must be correct "
            "or incorrect: add a column 'correct'"
        )
    rows: dict[tuple[str, str], list[int]] = {}
    for i, key in enumerate(zip(answers.task, answers.item, strict=True)):
        rows.setdefault(key, []).append(i)
    for (task, item), own in rows.items():
        told = (answers.cluster, "cluster"), (answers.subgroup, "subgroup"), (answers.y_true, "true label")
        for values, what in told:
            if values is not None and len({values[i] for i in own}) > 1:
                raise TableError(
                    f"{answers.name}: the sampled answers to the question {short(item)} of {short(task)} must have one "
                    f"{what}"
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
        subgroup=None if answers.subgroup is None else [answers.subgroup[i] for i in first],
        share=[sum(right[i] for i in own) / len(own) for own in rows.values()],
        n_answers=[len(own) for own in rows.values()],
    )


def _kept_in(directory: Any) -> Any:
    """Return the stored predictions of a study with one repeat, or None for a study without predictions."""
    from evalstats.study.store import is_study

    if not is_study(directory):
        raise InvalidValueError(f"there is no study in {short(os.fspath(directory))}")
    from evalstats.study.runner import read_study

    study = read_study(directory)
    if not study.complete:
        raise InvalidValueError(f"the study in {short(os.fspath(directory))} is not finished; run it again to continue")
    if not study._has_predictions or len(np.unique(study.columns["repeat"])) > 1:
        return None
    return study.prediction_columns()


def _found(grid: Grid, known: tuple[str, ...]) -> int | None:
    """Return the column with a known name, or raise an error if several non-question columns have one."""
    at = columns_called(grid, known)
    if len(at) > 1:
        # the usual name is used if there are other names
        best = min(at, key=lambda j: known.index(grid.header[j].casefold().replace(" ", "_").replace("-", "_")))
        if known is not _lexicon.ITEM_COLUMNS:
            raise TableError(
                f"{grid.name}: the columns {headers(grid, at)} have names with the same meaning; rename all but one"
            )
        return best
    return at[0] if at else None


def _task_column(grid: Grid) -> int | None:
    """Return the column of benchmarks. Without one, return the column of datasets."""
    of_benchmarks = [name for name in _lexicon.STRATUM_COLUMNS if name not in _lexicon.DATASET_COLUMNS]
    at = columns_called(grid, of_benchmarks)
    if not at:
        return _found(grid, _lexicon.DATASET_COLUMNS)
    return min(at, key=lambda j: of_benchmarks.index(_lexicon.simplified(grid.header[j])))


def _rows_of(grid: Grid, classifier: str | None, argument: str) -> list[int]:
    """Return the row indices of the chosen classifier, or raise an error if the choice is ambiguous."""
    every = list(range(len(grid.numbers)))
    at = _found(grid, _lexicon.CLASSIFIER_COLUMNS)
    if at is None:
        if classifier is not None:
            raise TableError(f"{argument} must name a classifier of {grid.name}, which has no column of classifiers")
        return every
    names = row_names(grid, at, "classifier")
    known = list(dict.fromkeys(names))
    if classifier is None:
        if len(known) > 1:
            problem = f"{grid.name} holds {len(known)} classifiers ({examples(known)})"
            raise TableError(problem, "choose one with {}", argument, known[0])
        return every
    if classifier not in known:
        raise TableError(f"{argument} must be one of {examples(known)}, not {short(classifier)}")
    return [i for i in every if names[i] == classifier]


def _refuse_twice(grid: Grid, tasks: list[str], items: list[str], samples: list[str] | None) -> None:
    seen: dict[tuple[str, ...], int] = {}
    told = [tasks, items] if samples is None else [tasks, items, samples]
    for i, key in enumerate(zip(*told, strict=True)):
        if key in seen:
            raise TableError(
                f"{grid.name}, {grid.word} {grid.numbers[i]}: the question {short(key[1])} of {short(key[0])}"
                f"{'' if samples is None else f', sample {short(key[2])},'} already occurs in "
                f"{grid.word} {grid.numbers[seen[key]]}"
            )
        seen[key] = i


def _labels(grid: Grid, j: int) -> list[str]:
    labels = texts_of(grid.columns[j])
    for i, label in enumerate(labels):
        if label.casefold() in MISSING_LABELS:
            raise TableError(f"{grid.place(i, j)}: the answer is missing; record a failed answer as incorrect")
    return labels


def _numbers(grid: Grid, j: int) -> list[float]:
    numbers = []
    for i, cell in enumerate(grid.columns[j]):
        number = number_in(cell, ".")
        if number is None or not math.isfinite(number):
            raise TableError(f"{grid.place(i, j)}: a score must be a finite number, not {short(cell)}")
        numbers.append(number)
    return numbers


def _rights(grid: Grid, j: int) -> list[bool]:
    found = []
    for i, text in enumerate(texts_of(grid.columns[j])):
        word = text.casefold()
        if word not in _lexicon.ANSWER_WORDS:
            raise TableError(
                f"{grid.place(i, j)}: an answer must be correct (1, true) or incorrect (0, false), not {short(word)}"
            )
        found.append(_lexicon.ANSWER_WORDS[word])
    return found


def log_answers(
    source: Any,
    *,
    classifier: str | None,
    cluster: str | None,
    metric: str | None,
    argument: str,
    greater_is_better: bool | None = None,
    reading: Mapping[str, Any] | None = None,
) -> ItemAnswers | Found | None:
    """Read the answers of one model from a log, a directory or a list of logs; for other sources, return None.

    The content of a log with scores of benchmarks but no answers is returned unchanged.

    Parameters
    ----------
    source : object
        Source of the answers.
    classifier, cluster, argument, reading
        The same arguments as for `item_answers`.
    metric : str or None
        Metric of the log, if it has several metrics.
    greater_is_better : bool, optional
        Direction of the metric, if the log does not give it.

    Raises
    ------
    TableError
        If the log holds several models and none is chosen, or if its scores are not proportions of correct answers.
    """
    if not _may_be_log(source):
        return None
    asked = Asked(metric=metric, greater_is_better=greater_is_better, columns={"cluster": cluster}, as_items=True)
    found = _found_log(source, asked, reading or {})
    if found is None or found.layout == "long":
        return found
    if found.layout != "answers" and not {"instance", "y_pred"} <= set(found.grid.header):
        return None
    columns = dict(zip(found.grid.header, found.grid.columns, strict=True))
    names = [text_of(name) for name in columns["model" if found.layout == "answers" else "classifier"]]
    known = list(dict.fromkeys(names))
    if classifier is None and len(known) > 1:
        problem = f"{found.grid.name} holds {len(known)} models ({examples(known)})"
        raise TableError(problem, "choose one with {}", argument, known[0])
    if classifier is not None and classifier not in known:
        raise TableError(f"{argument} must be one of {examples(known)}, not {short(classifier)}")
    chosen = [i for i, name in enumerate(names) if classifier in (None, name)]
    own = {name: [values[i] for i in chosen] for name, values in columns.items()}
    answers = _questions(found, own) if found.layout == "answers" else _predictions(found, own)
    model = known[0] if classifier is None else classifier
    told = [found.questions.get((model, *key), ("", "")) for key in zip(answers.task, answers.item, strict=True)]
    checks, prompts = ([one[k] for one in told] for k in (0, 1))
    return answers._replace(checks=checks, prompts=prompts, measure=found.measure, findings=found.findings)


def _found_log(source: Any, asked: Asked, reading: Mapping[str, Any]) -> Found | None:
    try:
        return found_in(open_source(source, **reading), "auto", asked)
    except TableError as error:
        if error.argument != "missing":
            raise
        # a gate drops nothing that is missing
        raise TableError(f"{error.problem}; record a failed answer as incorrect") from None


def _may_be_log(source: Any) -> bool:
    """Return whether a source consists of paths that are not a study."""
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        from evalstats.study.store import is_study

        return not is_study(source)
    paths = source if isinstance(source, list | tuple) and source else [source]
    return all(isinstance(path, str | os.PathLike) for path in paths)


def _questions(found: Found, own: dict[str, list[Any]]) -> ItemAnswers:
    values = [float(value) for value in own["score"]]
    if not found.greater_is_better or min(values) < 0 or max(values) > 1:
        raise TableError(
            f"{found.grid.name}: {short(found.metric)} is not a proportion of correct answers between 0 "
            "and 1, which a gate compares",
            "choose a different metric with {}",
            "metric",
            "accuracy",
        )
    rows: dict[tuple[str, str], list[int]] = {}
    for i, key in enumerate(zip(own["benchmark"], own["question"], strict=True)):
        rows.setdefault(key, []).append(i)
    is_single = len(rows) == len(values) and set(values) <= {0, 1}
    return ItemAnswers(
        name=found.grid.name,
        task=[task for task, _ in rows],
        item=[item for _, item in rows],
        y_true=None,
        y_pred=None,
        y_score=None,
        right=[value == 1 for value in values] if is_single else None,
        cluster=[own["cluster"][at[0]] for at in rows.values()] if "cluster" in own else None,
        share=None if is_single else [sum(values[i] for i in at) / len(at) for at in rows.values()],
        n_answers=None if is_single else [len(at) for at in rows.values()],
        metric=found.metric,
    )


def _predictions(found: Found, own: dict[str, list[Any]]) -> ItemAnswers:
    n = len(own["instance"])
    true, predicted = (texts_of(own[name]) for name in ("y_true", "y_pred"))
    is_judged = set(true) == {"right"}  # correct and incorrect are not labels of the questions
    return ItemAnswers(
        name=found.grid.name,
        task=texts_of(own.get("dataset", [ALL_ITEMS] * n)),
        item=texts_of(own["instance"]),
        y_true=None if is_judged else true,
        y_pred=None if is_judged else predicted,
        y_score=None,
        right=[one == "right" for one in predicted] if is_judged else None,
        cluster=None,
        metric="accuracy",
    )
