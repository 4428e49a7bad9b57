"""Answers row by row with covariates, for models that adjust for the covariates."""

from __future__ import annotations

__all__ = ["AnswerRows", "read_answer_rows"]

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._lexicon import (
    ANSWER_WORDS,
    CLASSIFIER_COLUMNS,
    CLUSTER_COLUMNS,
    GENERIC_SCORE_COLUMNS,
    ITEM_COLUMNS,
    ITEM_SCORE_COLUMNS,
    RIGHT_COLUMNS,
)
from evalstats._types import AnyArray, FloatArray
from evalstats.io.columns.roles import column_named, columns_called, key_column, row_names
from evalstats.io.reader.opening import open_source
from evalstats.io.sources.numbers import number_in


class AnswerRows(NamedTuple):
    """Columns of answers in the form of the arguments of `adjusted_difference`."""

    score: FloatArray
    model: list[str]
    question: list[str]
    covariates: dict[str, AnyArray]


def read_answer_rows(
    source: Any,
    covariates: Sequence[str],
    *,
    classifier: str | None = None,
    question: str | None = None,
    cluster: str | None = None,
    score: str | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
) -> AnswerRows:
    """Read one row for each answer: the model, the question, the score and the covariates by their names.

    Parameters
    ----------
    source : path or data frame
        A long table of answers.
    covariates : sequence of str
        Columns of the covariates. A covariate is numeric if all cells of its column are numbers. Otherwise, it is text.
    classifier, question, score, cluster : str, optional
        Columns of the models, the questions, the scores and the clusters of questions. With a column of clusters, the
        clusters replace the questions. If you do not pass a name, the column is recognized by its name.
    delimiter, encoding, sheet : optional
        As in `read_table`.

    Returns
    -------
    AnswerRows
    """
    grid = open_source(source, delimiter, encoding, sheet).grid
    c = key_column(grid, classifier, "classifier", CLASSIFIER_COLUMNS)
    clusters = columns_called(grid, CLUSTER_COLUMNS)
    if cluster is not None:
        q = column_named(grid, cluster, "cluster")
    elif question is None and clusters:
        q = clusters[0]
    else:
        q = key_column(grid, question, "question", ITEM_COLUMNS)
    if score is not None:
        s = column_named(grid, score, "score")
    else:
        found = columns_called(grid, (*RIGHT_COLUMNS, *ITEM_SCORE_COLUMNS, *GENERIC_SCORE_COLUMNS))
        if not found:
            raise InvalidValueError(f"{grid.name} must have a column of scores; name it with score=")
        s = found[0]
    values = [_score(cell) for cell in grid.columns[s]]
    if None in values:
        row = grid.numbers[values.index(None)]
        raise InvalidValueError(
            f"{grid.name}: the score of {grid.word} {row} is neither a number nor a word for correct or incorrect"
        )
    return AnswerRows(
        score=np.array(values, dtype=np.float64),
        model=row_names(grid, c, "model"),
        question=row_names(grid, q, "question"),
        covariates={name: _covariate(grid.columns[column_named(grid, name, "adjust_for")]) for name in covariates},
    )


def _score(cell: Any) -> float | None:
    word = str(cell).strip().casefold()
    return float(ANSWER_WORDS[word]) if word in ANSWER_WORDS else number_in(cell, ".")


def _covariate(column: Any) -> AnyArray:
    numbers = [number_in(cell, ".") for cell in column]
    if None in numbers:
        return np.array([str(cell).strip() for cell in column])
    return np.array(numbers, dtype=np.float64)
