"""The list of the rules that reject a source, in order, with reasons."""

from __future__ import annotations

__all__ = ["RULES", "refuse_names", "refuse_numbers", "refuse_predictions", "refuse_table"]

import math
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evalstats.io.columns import conditions
from evalstats.io.columns.conditions import Names, Numbers, Seen, names_of
from evalstats.io.columns.other_results import OTHER_RESULTS
from evalstats.io.sources.console_output import DOCUMENT_RULES, TEXT_RULES
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import numbers_in
from evalstats.io.sources.rule import Example, Match, Rule, Stage, apply_rules

_AS_WIDE = "; if the columns are classifiers nevertheless, pass {}"
_AS_DATASETS = "; if they are datasets nevertheless, pass {datasets}"
_AS_RUNS = "if they are folds, pass {}, or if they are runs, {runs}"
_SCORES = {"LR": [0.8, 0.81, 0.83], "NB": [0.7, 0.72, 0.75], "SVM": [0.9, 0.8, 0.7]}


def _named(rows: Sequence[Any], columns: str = "LR NB SVM", corner: str = "") -> dict[str, Any]:
    return {corner: list(rows), **dict(zip(columns.split(), _SCORES.values(), strict=True))}


def _examples(refused: Sequence[Any], read: Sequence[Any]) -> tuple[Example, ...]:
    return (*(Example(data=one) for one in refused), *(Example(data=one, applies=False) for one in read))


def _names(
    code: str,
    applies: Callable[[Names], Match | None],
    said: str,
    hint: str,
    refused: Sequence[Any],
    read: Sequence[Any],
    *,
    of_rows: bool = True,
    value: str = "datasets",
) -> Rule:
    """Return a rule for names in a wide table; `said` describes the rows or columns in the error message."""
    return Rule(
        code=code,
        stage=Stage.NAMES,
        applies=applies,
        sentence=f"{{name}}: {said}",
        hint=hint + (_AS_DATASETS if of_rows else _AS_WIDE),
        option="rows_are" if of_rows else "layout",
        value=value if of_rows else "wide",
        examples=_examples(refused, read),
    )


MEAN_RANKS = Rule(
    code="mean-ranks",
    stage=Stage.TABLE,
    applies=conditions.mean_ranks,
    sentence="{name}: {rank} holds mean ranks instead of the scores from which they were computed",
    hint=(
        "'evalstats audit', or check_published_ranks() in Python, checks whether these ranks are possible "
        "and reports what follows from them"
    ),
    examples=_examples(
        [
            {"classifier": ["C4.5", "NB", "SVM"], "avg_rank": [2.5, 1.3, 2.2]},
            _named(["mean rank"]) | {name: [2.0] for name in _SCORES},
        ],
        [{"dataset": ["iris", "wine"], "NB": [1, 2], "SVM": [2, 1]}],
    ),
)
CONFUSION_COUNTS = Rule(
    code="confusion-counts",
    stage=Stage.TABLE,
    applies=conditions.confusion_counts,
    sentence="{name}: the columns {columns} hold counts of a confusion matrix, not scores",
    hint="give the predictions, or one score for each dataset and classifier" + _AS_WIDE,
    option="layout",
    value="wide",
    examples=_examples(
        [_named("abc", "TP FP FN"), _named("ABC", "pred_A pred_B pred_C", "actual")],
        [{"": ["a", "b", "c"], "TP": [0.8, 0.7, 0.9], "model 1": [0.7, 0.6, 0.9], "model 2": [0.7, 0.8, 0.6]}],
    ),
)
COUNTS_AS_PREDICTIONS = Rule(
    code="counts-as-predictions",
    stage=Stage.PREDICTIONS,
    applies=conditions.confusion_counts,
    sentence=CONFUSION_COUNTS.sentence,
    hint="give a row for each instance, with its true and its predicted label",
    examples=_examples(
        [
            {"actual": ["A", "B"], "pred_A": [60, 10], "pred_B": [50, 100], "total": [110, 110]},
            {"fold": [1, 2], "TP": [3, 4], "FP": [0, 1], "FN": [0, 0]},
        ],
        [{"actual": ["A", "B", "A"], "NB": ["A", "B", "B"], "SVM": ["A", "A", "B"]}],
    ),
)
COUNTED_LABELS = Rule(
    code="counted-labels",
    stage=Stage.TABLE,
    applies=conditions.counted_labels,
    sentence="{name}: each row has a true and a predicted label and, in {column}, the number of instances with both",
    hint="give a row for each instance; if each row is an instance nevertheless, pass {}",
    option="rows_are",
    value="instances",
    examples=_examples(
        [
            {"truth": ["a", "a", "b", "b"], "predicted": ["a", "b", "a", "b"], "count": [10, 3, 2, 20]},
            {"model": ["NB", "NB"], "y_true": [0, 1], "y_pred": [0, 1], "n": [7, 9]},
        ],
        [{"truth": ["a", "a", "b"], "predicted": ["a", "a", "b"], "count": [10, 3, 2]}],
    ),
)
_ANIMALS = ["cat", "dog", "cat", "dog"]
PREDICTIONS_ALONE = Rule(
    code="predictions-alone",
    stage=Stage.TABLE,
    applies=conditions.predictions_alone,
    sentence="{name}: {predicted} holds predicted labels, and no column is named as true labels",
    hint="name the column of the true labels with {}",
    option="y_true",
    examples=_examples(
        [
            {".row": [1, 2, 3, 4], "animal": _ANIMALS, ".pred_class": _ANIMALS, "id": ["Fold1"] * 4},
            {"model": ["A"] * 2 + ["B"] * 2, "item": [1, 2] * 2, "answer": _ANIMALS, "prediction": _ANIMALS},
        ],
        [{"model": ["A"] * 2 + ["B"] * 2, "item": [1, 2] * 2, "label": _ANIMALS, "prediction": _ANIMALS}],
    ),
)
_SHARES = {"p0": [0.9, 0.2, 0.6, 0.1, 0.7, 0.5, 0.8, 0.4], "p1": [0.1, 0.8, 0.4, 0.9, 0.3, 0.5, 0.2, 0.6]}
LABELS_AND_SHARES = Rule(
    code="labels-and-shares",
    stage=Stage.TABLE,
    applies=conditions.labels_and_shares,
    sentence=(
        "{name}: {predicted} holds predicted labels, {names} the probabilities of the classes, and no column is named "
        "as true labels"
    ),
    hint="add the true labels in a column y_true",
    examples=_examples(
        [{"predict": [0, 1, 0, 1, 0, 0, 0, 1], **_SHARES}, {"model": ["A"] * 8, "pred": list("abababab"), **_SHARES}],
        [
            {"predict": [0, 1, 0, 1, 0, 0, 0, 1], **_SHARES, "target": [0, 1] * 4},
            {"predict": [0, 1, 0, 1, 0, 0, 0, 1], "A": [0.9] * 8, "B": [0.8] * 8},
        ],
    ),
)
PAIRS_IN_COLUMNS = Rule(
    code="pairs-in-columns",
    stage=Stage.TABLE,
    applies=conditions.pairs_in_columns,
    sentence="{name}: the columns {first} and {second} name pairs of classifiers",
    hint="give one score for each dataset and classifier; if one of these columns is a note, pass {}",
    option="drop",
    examples=_examples(
        [
            {"model1": ["LR", "LR"], "model2": ["NB", "SVM"], "p": [0.1, 0.2]},
            {"group_a": ["LR", "LR"], "group_b": ["NB", "SVM"], "p": [0.1, 0.2]},
        ],
        [{"dataset": ["iris", "wine"], "model1": [0.8, 0.9], "model2": [0.7, 0.6]}],
    ),
)
TRAINING_LOG = Rule(
    code="training-log",
    stage=Stage.TABLE,
    applies=conditions.training_log,
    sentence="{name} holds {what}",
    hint="give one score of each classifier on each dataset, or in each fold, in the columns dataset, classifier, fold "
    "and score" + _AS_WIDE,
    option="layout",
    value="wide",
    examples=_examples(
        [
            {"round": [1, 2, 3], "test-auc": [0.8, 0.9, 0.9]},
            {"train_acc": [0.8, 0.9], "val_acc": [0.7, 0.8]},
            ",Model,Accuracy,AUC,Recall,Prec.,F1,Kappa,MCC,TT (Sec)\n" + "a,b,1,1,1,1,1,1,1,1\n",
        ],
        [
            {"dataset": ["a", "b"], "test_a": [0.1, 0.2], "test_b": [0.1, 0.3]},
            {"dataset": ["a", "b"], "TestNet": [0.1, 0.2], "TrainNet": [0.1, 0.3]},
        ],
    ),
)
_OWN = [_named(["iris", "wine", "glass"], corner="dataset"), _named(["a", "b", "c"])]
NAME_RULES = (
    _names(
        "counter",
        conditions.counter,
        "the column {column} counts rows of one dataset, and does not name datasets",
        "if this column counts folds or runs, pass {} or {runs}",
        [_named([100, 200, 300], corner="Global Step"), _named([1, 2, 3], corner="bootstrap")],
        [*_OWN, _named(["iris", "wine", "glass"], corner="step by step")],
        value="folds",
    ),
    _names(
        "settings",
        conditions.settings,
        "the rows are called {corner}: they are settings or times on one dataset, not datasets",
        "compare the classifiers with one setting on several datasets",
        [
            _named([100, 200, 400], corner="train_size"),
            _named(["2024-01-01", "2024-01-02", "2025"], corner="Date"),
        ],
        [*_OWN, {"lr": [93, 95, 91], "rf": [90, 91, 92]}],
    ),
    _names(
        "cases",
        conditions.cases,
        "the rows are called {corner}: they are instances of one dataset, not datasets",
        "if they are questions, pass {}; if they are instances, pass {instances}",
        [_named(["q1", "q2", "q3"], corner="question"), _named(["q1", "q2", "q3"], corner="query")],
        [*_OWN, _named(["iris", "wine", "glass"], corner="sample")],
        value="questions",
    ),
    _names(
        "classes",
        conditions.classes,
        "the rows are called {corner}: they are classes of one dataset, not datasets",
        "give the predictions, or one row for each dataset",
        [_named(["setosa", "virginica", "x"], corner="class"), _named(["a", "b", "c"], corner="category")],
        [*_OWN, _named(["iris", "wine", "glass"], corner="class")],
    ),
    _names(
        "metrics-by-run",
        conditions.metrics_by_run,
        "the rows {names} have names of metrics, and the columns names of folds or runs",
        "if the scores belong to one classifier, give such a file for each classifier, choosing a metric with {metric}",
        [
            _named(["accuracy", "auc", "f1"], "fold1 fold2 fold3"),
            _named(["auc", "mse", "r2"], "cv_1_valid cv_2_valid cv_3_valid"),
        ],
        [*_OWN, _named(["accuracy", "auc", "f1"], corner="dataset") | {"dataset": ["a", "b", "c"]}],
    ),
    _names(
        "metric-columns",
        conditions.metric_columns,
        "the columns {names} have names of metrics, not of classifiers",
        "if the scores belong to one classifier, give such a file for each classifier, choosing a metric with {metric}",
        [_named("abc", "loss val_accuracy val_loss"), _named("abc", "precision recall f1-score")],
        [*_OWN, _named("abc", "AUC-SVM F1-boost NB")],
        of_rows=False,
    ),
    _names(
        "run-columns",
        conditions.run_columns,
        "the columns {names} have names of folds or runs, not of classifiers",
        "if the rows are classifiers, call the column of their names 'classifier', or pass {transpose}",
        [_named("abc", "fold1 fold2 fold3"), _named("abc", "Fold1.Rep1 Fold2.Rep1 Fold1.Rep2")],
        [*_OWN, _named("abc", "fold split run")],
        of_rows=False,
    ),
    _names(
        "numbered-again",
        conditions.numbered_again,
        "each of {names} is the name of several numbered columns, which may be runs of one classifier",
        "if they are, give them names such as NB_run1 or NB_fold1, or give one row for each run, with a column repeat",
        [_named("abc", "NB_1 NB_2 SVM_1") | {"SVM_2": [0.1, 0.2, 0.3]}],
        [*_OWN, _named("abc", "VGG16 VGG19 NB")],
        of_rows=False,
    ),
    _names(
        "counted-columns",
        conditions.counted_columns,
        "the names {names} only number the columns, which may hold folds or runs of one dataset",
        _AS_RUNS,
        [
            {"model": ["NB", "SVM", "tree"], **{f"k{j}": [0.1, 0.2, 0.3] for j in range(4)}},
            {"model": ["NB", "SVM", "tree"], **{f"V{j}": [0.1, 0.2, 0.3] for j in range(1, 5)}},
        ],
        [*_OWN, {"model": ["NB", "SVM"], "S1": [0.1, 0.2], "S2": [0.1, 0.3], "S3": [0.3, 0.4]}],
        value="folds",
    ),
    _names(
        "counted-rows",
        conditions.counted_rows,
        "the names {names} only number the rows, which may be folds or runs of one dataset",
        _AS_RUNS,
        [_named(["k0", "k1", "k2"]), _named(["score_1", "score_2", "score_3"])],
        [*_OWN, _named(["S1", "S2", "S3"]), _named(["k0", "k1", "k2"], corner="dataset")],
        value="folds",
    ),
    _names(
        "metric-rows",
        conditions.metric_rows,
        "the rows {names} have names of metrics, not of datasets",
        "keep the scores of one metric on several datasets",
        [_named(["accuracy", "f1", "auc"]), _named(["accuracy", "f1", "x"])],
        _OWN,
    ),
    _names(
        "run-rows",
        conditions.run_rows,
        "the rows {names} have names of folds or runs, not of datasets",
        _AS_RUNS,
        [_named(["Fold 1", "Fold 2", "Fold 3"]), _named(["1. fold", "2. fold", "3. fold"])],
        [*_OWN, _named(["fold", "split", "run"]), _named([1, 2, 3], corner="fold")],
        value="folds",
    ),
    _names(
        "pairs-in-rows",
        conditions.pairs_in_rows,
        "the rows {names} are pairs of classifiers, not datasets",
        "give one row for each dataset and one column for each classifier",
        [_named(["LR vs NB", "LR vs SVM", "NB vs SVM"]), _named(["AB versus CD", "AB versus EF", "CD versus EF"])],
        _OWN,
    ),
    _names(
        "described-columns",
        conditions.described,
        "the rows {names} describe the columns of another table, as pandas' describe() does",
        "give that table",
        [_named(["count", "25%", "50%"]), _named(["x", "50%", "75%"])],
        _OWN,
    ),
    _names(
        "same-names",
        conditions.same_names,
        "rows and columns have the same names, {names}, as in a matrix of pairs, or of classes",
        "give one row for each dataset and one column for each classifier",
        [_named(["LR", "NB", "SVM"]), {"": ["cat", "dog"], "cat": [50, 3], "dog": [2, 88]}],
        [*_OWN, _named(["NB", "LR", "SVM"])],
    ),
    Rule(
        code="metric-name",
        stage=Stage.NAMES,
        applies=conditions.metric_name,
        sentence="{name}: {metric} has the name of a metric, not of a dataset or a classifier",
        hint="if it is neither, pass {}; if it is one of them, pass {keep}; if each row has one score, in this "
        "column, name it with {score}",
        option="drop",
        examples=_examples(
            [_named(["iris", "wine", "glass"], "loss NB SVM"), _named(["iris", "wine", "glass"], "kappa NB SVM")], _OWN
        ),
    ),
)
NUMBER_RULES = (
    Rule(
        code="shares-of-one",
        stage=Stage.NUMBERS,
        applies=conditions.shares,
        sentence="{name}: the columns {names} add up to 1 in each row, as the probabilities of classes do",
        hint="add the true labels and the probability of the positive label of each classifier; if they are "
        "scores, pass {}",
        option="layout",
        value="wide",
        examples=_examples(
            [{"cat": [0.25, 0.5, 0.125, 0.75, 0.1], "dog": [0.75, 0.5, 0.875, 0.25, 0.9]}],
            [{"cat": [0.25, 0.5, 0.12, 0.75, 0.1], "dog": [0.75, 0.5, 0.87, 0.25, 0.8]}],
        ),
    ),
    Rule(
        code="predicted-labels",
        stage=Stage.NUMBERS,
        applies=conditions.labels,
        sentence="{name}: the columns {names} hold whole numbers that mostly agree in each row, like predicted labels "
        "of instances",
        hint="add the true labels in a column y_true; if they are scores, pass {}",
        option="layout",
        value="wide",
        examples=_examples(
            [{"NB": [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3], "SVM": [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 3, 3]}],
            [{"NB": [91, 92, 93, 81, 82, 83, 71, 72, 73, 61, 62, 63], "SVM": list(range(70, 82))}],
        ),
    ),
    Rule(
        code="square-of-counts",
        stage=Stage.NUMBERS,
        applies=conditions.square,
        sentence="{name} looks like a confusion matrix: a square of whole numbers, with the largest number of each row "
        "on its diagonal",
        hint="give the predictions, or one score for each dataset and classifier; if its rows are datasets, pass {}",
        option="rows_are",
        value="datasets",
        examples=_examples([[[50, 3], [2, 88]], [[9, 1], [0, 9]]], [[[93, 95], [88, 90]]]),
    ),
    Rule(
        code="folds-without-names",
        stage=Stage.NUMBERS,
        applies=conditions.folds_without_names,
        sentence="{name}: the rows have no names of datasets, and all scores are multiples of {shares}, like "
        "scores of the folds of one dataset",
        hint="if they are folds, pass {}; if the rows are runs or datasets, pass {runs} or {datasets}",
        option="rows_are",
        value="folds",
        examples=_examples(
            [
                {"NB": [14 / 15, 13 / 15, 1, 1], "SVM": [13 / 15, 12 / 15, 14 / 15, 1]},
                {"NB": [0.933333, 0.866667, 1.0], "SVM": [0.866667, 0.8, 0.933333]},
            ],
            [{"NB": [0.93, 0.87, 1.0], "SVM": [0.87, 0.8, 0.93]}],
        ),
    ),
)
RULES = (
    *TEXT_RULES,
    *DOCUMENT_RULES,
    MEAN_RANKS,
    CONFUSION_COUNTS,
    COUNTS_AS_PREDICTIONS,
    COUNTED_LABELS,
    *OTHER_RESULTS,
    PREDICTIONS_ALONE,
    LABELS_AND_SHARES,
    PAIRS_IN_COLUMNS,
    TRAINING_LOG,
    *NAME_RULES,
    *NUMBER_RULES,
)


def refuse_table(grid: Grid, *, has_answers: bool) -> None:
    """Reject a table whose cells are not scores for a comparison, before its layout is known."""
    apply_rules(RULES, Stage.TABLE, Seen(grid, has_answers), grid.name)


def refuse_predictions(grid: Grid) -> None:
    """Reject a table that was read as predictions but contains other results."""
    apply_rules(RULES, Stage.PREDICTIONS, Seen(grid), grid.name)
    if (match := conditions.counted_labels(Seen(grid))) is not None:
        raise replace(COUNTED_LABELS, hint="give a row for each instance", option="").error(grid.name, match)


def refuse_names(
    grid: Grid,
    key: int | None,
    heads: Sequence[int],
    kept: Container[str],
    *,
    is_across: bool,
    has_runs: bool,
    answered: Container[str] = (),
) -> None:
    """Reject a table whose names show that its rows are not datasets or its columns not classifiers."""
    names = names_of(grid, key, heads, kept, is_across=is_across, has_runs=has_runs)
    apply_rules(RULES, Stage.NAMES, names, grid.name, answered)


def refuse_numbers(
    grid: Grid, heads: Sequence[int], decimal: str, *, has_runs: bool, answered: Container[str] = ()
) -> None:
    """Reject unnamed rows whose numbers are not scores, but probabilities, labels or counts."""
    rows = np.array([[math.nan if x is None else x for x in numbers_in(grid.columns[j], decimal)] for j in heads]).T
    numbers = Numbers([grid.header[j] for j in heads], rows, has_runs)
    apply_rules(RULES, Stage.NUMBERS, numbers, grid.name, answered)
