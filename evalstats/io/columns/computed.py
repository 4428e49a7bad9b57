"""Columns that were computed from the true labels and the answers of another column, such as its error or loss.

Such a column does not belong to a separate classifier.
"""

from __future__ import annotations

__all__ = ["computed_columns"]

import math
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from evalstats._lexicon import one_of
from evalstats._types import FloatArray

# so many columns are compared with each other
_MOST_COMPARED = 20
# fewer instances may agree by chance
_FEWEST = 5
# a column with two digits was rounded to this precision
_ROUNDED = 0.0051
# most columns differ in the first instances already
_FIRST = 1000
_SMALLEST = 1e-15
_SAYS_SO = re.compile(one_of("rows.error_stem"), re.IGNORECASE)


def _loss(truth: FloatArray, answers: FloatArray) -> FloatArray:
    probability = np.where(truth == 1, answers, 1 - answers)
    lost: FloatArray = -np.log(np.clip(probability, _SMALLEST, 1))
    return lost


# by what a column is, of labels or of the probability of label 1
_FORMULAS: Mapping[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "marks the errors of {}": lambda truth, answers: (answers != truth) * 1.0,
    "marks the correct predictions of {}": lambda truth, answers: (answers == truth) * 1.0,
    "is the absolute error of {}": lambda truth, answers: np.abs(truth - answers),
    "is the squared error of {}": lambda truth, answers: (truth - answers) ** 2,
    "is the true label minus {}": lambda truth, answers: truth - answers,
    "is {} minus the true label": lambda truth, answers: answers - truth,
    "is the log loss of {}": _loss,
    "is the log loss of {} in bits": lambda truth, answers: _loss(truth, answers) / math.log(2),
}


def computed_columns(
    truth: FloatArray, columns: Sequence[FloatArray], names: Sequence[str]
) -> dict[int, tuple[int, str]]:
    """Return the columns computed from the true labels and another column: number, source column and kind.

    Parameters
    ----------
    truth : ndarray of shape (n_instances,)
        The true labels: 1 and 0 if the columns are probabilities, otherwise the codes of labels that the columns use.
    columns : sequence of ndarray of shape (n_instances,)
        Labels or probabilities; nan if one is missing.
    names : sequence of str
        Names of the columns. If each of two columns is the error of the other, the error is the column with such a
        name, or the last column.

    Returns
    -------
    dict
        ``{2: (0, 'is the squared error of {}')}``: the third column of the first one.
    """
    found: dict[int, tuple[int, str]] = {}
    if len(truth) < _FEWEST:
        return found
    # whose own name is that of an answer comes first, and what may be computed from it behind
    order = sorted(range(min(len(columns), _MOST_COMPARED)), key=lambda j: (bool(_SAYS_SO.search(names[j])), j))
    with np.errstate(invalid="ignore", over="ignore"):
        columns = [np.asarray(column, dtype=np.float64) for column in columns[:_MOST_COMPARED]]
        for own in reversed(order):
            for other in order:
                what = _computed(truth, columns[other], columns[own]) if other != own and other not in found else None
                if what is not None:
                    found[own] = other, what
                    break
    return found


def _computed(truth: FloatArray, answers: FloatArray, own: FloatArray) -> str | None:
    # the source of a constant is unknown
    if _is_constant(own) or _is_constant(answers):
        return None
    return next((what for what in _FORMULAS if _agrees(_FORMULAS[what], truth, answers, own)), None)


def _is_constant(values: FloatArray) -> bool:
    return not np.nanmax(values, initial=-np.inf) - np.nanmin(values, initial=np.inf) > 2 * _ROUNDED


def _agrees(
    formula: Callable[[FloatArray, FloatArray], FloatArray], truth: FloatArray, answers: FloatArray, own: FloatArray
) -> bool:
    """Return whether a column equals a formula in all instances; the first instances are checked first."""
    for part in (slice(_FIRST), slice(None)):
        if not (np.abs(formula(truth[part], answers[part]) - own[part]) < _ROUNDED).all():
            return False
    return True
