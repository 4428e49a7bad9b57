"""Columns that were computed from other columns, and columns that contradict each other.

Such a column does not belong to a separate classifier. The module also finds rows that summarize earlier rows.
"""

from __future__ import annotations

__all__ = [
    "HIGHEST",
    "LOWEST",
    "MOST_LOOKED_AT",
    "computed_columns",
    "differences_of_pairs",
    "one_spelling",
    "refuse_contradictions",
    "refuse_spelled_twice",
    "refuse_two_spellings",
    "rounding_of",
    "summary_of_some",
]

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import examples, listed
from evalstats._findings import Finding
from evalstats._lexicon import ANSWER_WORDS, RIGHT_COLUMNS, TRUTHS, one_of, plain_name, two_spellings, word_list
from evalstats._ranks import midranks
from evalstats._types import AnyArray, BoolArray, FloatArray
from evalstats.io.columns.roles import columns_called
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.tables.categorical import CodedColumn, coded
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import natural_order, text_of

# maximum number of columns that are compared with each other
_MOST_COMPARED = 20
# fewer instances may agree by chance
_FEWEST = 5
# a column with two digits was rounded to this precision
_ROUNDED = 0.0051
# number of first instances that are compared first, because most columns already differ there
_FIRST = 1000
_SMALLEST = 1e-15
_SAYS_SO = re.compile(one_of("rows.error_stem"), re.IGNORECASE)


def _loss(truth: FloatArray, answers: FloatArray) -> FloatArray:
    probability = np.where(truth == 1, answers, 1 - answers)
    lost: FloatArray = -np.log(np.clip(probability, _SMALLEST, 1))
    return lost


# formulas of columns computed from labels, or from the probability of label 1
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
    """Map each column that was computed from the true labels and a second column to the second column and the formula.

    Parameters
    ----------
    truth : ndarray of shape (n_instances,)
        The true labels: 1 and 0 if the columns are probabilities, otherwise the codes of labels that the columns use.
    columns : sequence of ndarray of shape (n_instances,)
        Labels or probabilities. A missing value is nan.
    names : sequence of str
        Names of the columns. If each of two columns is the error of the other, the error is the column whose name
        denotes an error, or the last column.

    Returns
    -------
    dict
        ``{2: (0, 'is the squared error of {}')}``: the third column is the squared error of the first column.
    """
    found: dict[int, tuple[int, str]] = {}
    if len(truth) < _FEWEST:
        return found
    # sorts columns with names of computed columns last, so they are compared with possible sources
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
    """Return whether a column equals the result of a formula in all instances; check the first instances first."""
    for part in (slice(_FIRST), slice(None)):
        if not (np.abs(formula(truth[part], answers[part]) - own[part]) < _ROUNDED).all():
            return False
    return True


# --- columns that are the difference of two others --------------------------------------------------------------------


_SAYS_DIFFERENCE = re.compile(rf"{one_of('rows.difference_stem')}|^d$", re.IGNORECASE)
_NOISE = 1e-9
# evidence in bits that is required to call a column computed
_BITS = 17


def differences_of_pairs(
    columns: Sequence[FloatArray], names: Sequence[str], decimals: Sequence[int]
) -> dict[int, tuple[int, int, str]]:
    """Find columns that are differences between two other columns, or ranks of such differences.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_datasets,)
        Scores. A cell that is not a number is nan.
    names : sequence of str
        Names of the columns. If each of three columns can be the difference, the difference is the column whose name
        denotes a difference. If no name does, it is a column with a negative number or, without negative numbers, the
        last column.
    decimals : sequence of int
        Number of decimals of each column.

    Returns
    -------
    dict
        ``{3: (0, 1, 'is the absolute difference between {} and {}')}``: the fourth column is the absolute difference
        between the first two columns.
    """
    if len(columns) < 3 or len(columns) > _MOST_COMPARED or len(columns[0]) < _FEWEST:
        return {}
    table = np.array(columns, dtype=np.float64)
    if np.isinf(table).any():
        return {}
    errors = 0.51 * 10.0 ** -np.array(decimals) + _NOISE * max(1.0, float(np.nanmax(np.abs(table), initial=0.0)))
    may_be = _agree_at_first(table, errors)
    order = sorted(range(len(names)), key=lambda j: (bool(_SAYS_DIFFERENCE.search(names[j])), (table[j] < 0).any(), j))
    found: dict[int, tuple[int, int, str]] = {}
    for place in range(len(order) - 1, 1, -1):
        own = order[place]
        ranks = _are_ranks(table[own])
        for one, other in itertools.combinations(sorted(order[:place]), 2):
            if not (ranks or may_be[own, one, other]) or np.isnan(table[[one, other]]).any():
                continue
            difference = np.round(table[one] - table[other], min(12, max(decimals[one], decimals[other])))
            what = _difference(difference, table[own], errors[own], len(names)) or _ranks(difference, table[own])
            if what:
                found[own] = one, other, what
                break
    return found


def _agree_at_first(table: FloatArray, errors: FloatArray) -> BoolArray:
    """Return whether each column may be the difference of each pair of columns, judged by the first rows."""
    head = table[:, :_FEWEST]
    apart = np.abs(head[:, None] - head[None])
    off = np.abs(apart[None] - np.abs(head)[:, None, None])
    return np.asarray((off < errors[:, None, None, None]).all(axis=-1))


def _are_ranks(column: FloatArray) -> bool:
    """Return whether the values of a column, without their signs, can be ranks of the rows."""
    present = column[~np.isnan(column)]
    return bool(present.size >= _FEWEST and np.abs(present).max() <= column.size and (2 * present % 1 == 0).all())


def _difference(difference: FloatArray, own: FloatArray, error: float, k: int) -> str:
    """Return the relation of a column to a difference, or '' if there is no relation or there are too few digits."""
    for values, what in (
        (difference, "is {} minus {}"),
        (-difference, "is the difference between {} and {}"),
        (abs(difference), "is the absolute difference between {} and {}"),
    ):
        if (np.abs(values - own) < error).all():
            bits = len(own) * math.log2(max(1.0, float(np.ptp(own)) / (2 * error)))
            return what if bits > _BITS + 3 * math.log2(k) else ""
    return ""


def _ranks(difference: FloatArray, own: FloatArray) -> str:
    """Return the words for a column of ranks of a difference, or ''. Ranks of zero differences are not checked."""
    differ = difference != 0
    if differ.sum() < _FEWEST:
        return ""
    for among in (differ, np.ones_like(differ)):  # Wilcoxon's way with differences of zero, and Pratt's
        ranks = np.zeros(len(own))
        ranks[among] = midranks(np.abs(difference[among])[None, :])[0]
        for values, what in (
            (ranks, "holds the ranks of the differences between {} and {}"),
            (ranks * np.sign(difference), "holds the signed ranks of the differences between {} and {}"),
            (-ranks * np.sign(difference), "holds the signed ranks of the differences between {} and {}"),
        ):
            if (np.abs(values - own)[differ] < _NOISE).all():
                return what
    return ""


# --- rows that summarize some of the others ---------------------------------------------------------------------------


_MOST_DECIMALS, _EQUAL = 10, 1e-12
MOST_LOOKED_AT = 200  # maximum number of scores from which the rounding is inferred
_PERCENT = frozenset(word_list("rows.percent"))
LOWEST, HIGHEST = (frozenset(word_list(f"summaries.{which}")) for which in ("lowest", "highest"))


class _Values(NamedTuple):
    """Values of a formula of some rows, the spread of its possible values, and the error of each value."""

    values: FloatArray
    spread: FloatArray | float
    error: float


_Formula = Callable[[FloatArray, float], _Values]


def summary_of_some(rows: FloatArray, names: Sequence[str], kept: Collection[int] = ()) -> tuple[int, str] | None:
    """Find the last row that was computed from rows before it, and return its index and its description.

    The row is the mean of two or more consecutive rows, or the difference between two rows. If its name states so, it
    is the minimum or maximum of the rows, or a difference as a percentage of one row. A row that may agree by chance is
    not a summary.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_scores)
        Scores. If a score is missing, no row is a summary.
    names : sequence of str
        Names of the rows.
    kept : collection of int
        Rows that the caller declares not to be summaries.

    Returns
    -------
    tuple of int and str, or None
        ``(4, "is the mean of 'a', 'b', 'c'")``.
    """
    n = len(rows)
    if not 2 < n <= _MOST_COMPARED or not rows.size or not np.isfinite(rows).all():
        return None
    rounding = rounding_of(rows)
    needed = _BITS + 3 * math.log2(n)
    noise = _NOISE * max(1.0, float(np.abs(rows).max()))
    with np.errstate(over="ignore", invalid="ignore"):  # a sum that is too large for a float is no summary
        for own in (at for at in range(n - 1, 1, -1) if at not in kept):
            for what, of, formula in _formulas_of_some(own, names[own]):
                if _bits(formula, rows, of, own, rounding, noise) > needed:
                    return own, what.format(listed([names[at] for at in of]))
    return None


def _bits(formula: _Formula, rows: FloatArray, of: list[int], own: int, rounding: float, noise: float) -> float:
    """Return the evidence in bits that a row agrees with a formula other than by chance, or 0 if it does not agree."""
    for part in (slice(_FEWEST), slice(None)):  # checks a few scores first, because most rows already differ there
        values, spread, inexact = formula(rows[:, part][of], rounding + noise)
        error = rounding + inexact
        if (np.abs(values - rows[own, part]) > error).any():
            return 0.0
    return float(np.log2(np.maximum(1.0, np.broadcast_to(spread, rows[own].shape) / (2 * error))).sum())


def _formulas_of_some(own: int, name: str) -> Iterator[tuple[str, list[int], _Formula]]:
    """Yield the formulas that a row with this name may follow: the words, the source rows and the function."""
    words = set(re.findall(r"[a-z]+", name.casefold()))
    of_block: dict[str, _Formula] = {"is the mean of {}": partial(_of_block, np.mean)}
    if not words.isdisjoint(LOWEST):
        of_block["is the minimum of {}"] = partial(_of_block, np.min)
    if not words.isdisjoint(HIGHEST):
        of_block["is the maximum of {}"] = partial(_of_block, np.max)
    for start, end in itertools.combinations(range(own + 1), 2):
        if end - start > 1:
            yield from ((what, list(range(start, end)), formula) for what, formula in of_block.items())
    of_pair: dict[str, _Formula] = {"is the difference between the rows {}": _difference_of_rows}
    if "%" in name or not words.isdisjoint(_PERCENT):
        of_pair["is the difference between the rows {}, in percent"] = _in_percent
    for pair in itertools.permutations(range(own), 2):
        yield from ((what, list(pair), formula) for what, formula in of_pair.items())


def _of_block(function: Callable[..., FloatArray], rows: FloatArray, error: float) -> _Values:
    # scores of one row rise and fall together: only what is left counts
    return _Values(function(rows, axis=0), np.ptp(rows - rows.mean(axis=1, keepdims=True), axis=0), error)


def _difference_of_rows(rows: FloatArray, error: float) -> _Values:
    difference = rows[0] - rows[1]
    return _Values(difference, float(np.ptp(difference)), 2 * error)


def _in_percent(rows: FloatArray, error: float) -> _Values:
    difference, spread, _ = _difference_of_rows(rows, error)
    if (rows[0] <= 0).any():
        return _Values(np.full_like(difference, np.inf), 0.0, error)
    return _Values(100 * difference / rows[0], 100 * spread, float(200 * error / rows[0].min()))


def rounding_of(scores: FloatArray) -> float:
    """Return half a unit of the last decimal of scores: the largest rounding error."""
    scores = scores[:MOST_LOOKED_AT, :MOST_LOOKED_AT] if scores.ndim > 1 else scores[:MOST_LOOKED_AT]
    values = scores[np.isfinite(scores)][:MOST_LOOKED_AT]
    steps = (10.0**-decimals for decimals in range(_MOST_DECIMALS if values.size else 0))
    return next((step / 2 for step in steps if np.abs(values - step * np.round(values / step)).max() < _EQUAL), 0.0)


_WHOLE_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)(?:\.0+)?")


def refuse_contradictions(grid: Grid, true: int | None, predicted: int | None) -> None:
    """Reject rows that are marked as correct but have an incorrect predicted label, or the reverse.

    Labels are compared without case and punctuation, numbers by their value. If the predictions are free-text answers,
    a judge may accept an answer that differs from the reference answer. Then, a predicted answer contradicts the mark
    only if it is the reference answer to a different question.

    Parameters
    ----------
    grid : Grid
        The cells. Without a column of correct and incorrect answers, no contradiction is possible.
    true, predicted : int or None
        Columns of the true and of the predicted labels.

    Raises
    ------
    TableError
        If a row contains a contradiction. The message lists the first of these rows.
    """
    at = columns_called(grid, RIGHT_COLUMNS)
    if true is None or predicted is None or not at:
        return
    truth, answer = (coded(grid.columns[j]) for j in (true, predicted))
    labels, keys = _keys(truth, answer)
    of_true, of_predicted = labels[0][truth.codes], labels[1][answer.codes]
    are_equal = of_true == of_predicted
    # for a few labels, any other label is incorrect; for free-text answers, only the true answer to another question is
    never = np.ones(len(are_equal), dtype=bool)
    if not _is_closed(answer, keys):
        never = np.isin(of_predicted, np.unique(of_true))
    for j in at:
        if (right := _rights(grid.columns[j])) is None:
            continue
        wrong = np.flatnonzero((right & ~are_equal & never) | (~right & are_equal))
        if wrong.size:
            raise _contradiction(grid, (j, true, predicted), right, wrong)


def refuse_two_spellings(grid: Grid, true: int | None, predicted: int | None) -> None:
    """Reject two spellings of one number, truth value or word, and predictions that contain no true label.

    Labels are compared as text, because a correct prediction in a different spelling would count as incorrect.
    Free-text answers are not checked, because their wording varies.

    Parameters
    ----------
    grid : Grid
        The cells.
    true, predicted : int or None
        Columns of the true and of the predicted labels.

    Raises
    ------
    TableError
        If a label has two spellings, or if no predicted label is a true label. The message lists the labels.
    """
    if true is None or predicted is None or columns_called(grid, RIGHT_COLUMNS):
        return
    truth, answer = (coded(grid.columns[j]) for j in (true, predicted))
    is_closed = _is_closed(answer, _keys(truth, answer)[1])
    known, said = ({text_of(cell): None for cell in column.values} for column in (truth, answer))

    def value_of(label: str) -> float | str | None:
        value = _plain(label)
        return value if is_closed or isinstance(value, float) else None

    plain, _ = one_spelling((*known, *said))
    known, said = (dict.fromkeys(plain.get(label, label) for label in own) for own in (known, said))
    refuse_spelled_twice(grid.name, (*known, *said), value_of)
    if is_closed and known.keys().isdisjoint(said):
        raise TableError(
            f"{grid.name} must have the same labels in the columns of true and predicted labels, but no predicted "
            f"label ({listed(sorted(said))}) in {short(grid.header[predicted])} is a true label "
            f"({listed(sorted(known))})"
        )


def one_spelling(labels: Iterable[str]) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """Map labels such as '1.0' to '1' if '1' is a label, too, and no number has a fraction. Also return a note.

    Many programs write the whole numbers of a column with a decimal point if one of its values is missing.
    """
    found = {label: _WHOLE_NUMBER.fullmatch(label) for label in labels if isinstance(_plain(label), float)}
    plain = {label: one[1] for label, one in found.items() if one}
    if not len(plain) == len(found) > len(set(plain.values())):
        return {}, ()
    changed = sorted((label for label in plain if plain[label] != label), key=natural_order)
    verb = "is read as the label" if len(changed) == 1 else "are read as the labels"
    sentence = f"{listed(changed)} {verb} {listed([plain[label] for label in changed])}: the numbers are equal."
    return plain, (Finding(code="one-spelling", severity="note", sentence=sentence),)


def refuse_spelled_twice(place: str, labels: Iterable[str], value_of: Callable[[str], float | str | None]) -> None:
    """Reject two spellings of one number, truth value or word, because labels are compared as text."""
    if twice := two_spellings(labels, value_of):
        raise TableError(
            f"{place}: the labels {short(twice[0])} and {short(twice[1])} are one value in two spellings; labels are "
            "compared as text, so use one spelling"
        )


def _contradiction(grid: Grid, at: tuple[int, int, int], right: BoolArray, wrong: AnyArray) -> TableError:
    names = [short(grid.header[j]) for j in at]
    told = [
        f"{grid.word} {grid.numbers[i]} is marked as {'correct' if right[i] else 'incorrect'}, with the true label "
        f"{short(text_of(grid.columns[at[1]][i]))} and the predicted label {short(text_of(grid.columns[at[2]][i]))}"
        for i in wrong[:3].tolist()
    ]
    return TableError(
        f"{grid.name}: the column {names[0]} contradicts {names[1]} and {names[2]} in {len(wrong):,} of "
        f"{len(right):,} {grid.word}s: {examples(told, 3)}",
        "correct the values, or remove one of the columns",
    )


def _keys(truth: CodedColumn, answer: CodedColumn) -> tuple[tuple[AnyArray, AnyArray], list[Any]]:
    """Return a code for each distinct label, equal for all its spellings, and the labels in the order of the codes."""
    number: dict[Any, int] = {}
    codes = [
        np.array([number.setdefault(_plain(value), len(number)) for value in column.values], dtype=np.intp)
        for column in (truth, answer)
    ]
    return (codes[0], codes[1]), list(number)


def _plain(cell: Any) -> float | str:
    text = text_of(cell)
    value = TRUTHS.get(text.casefold(), number_in(text, "."))
    return (plain_name(text) or text) if value is None or math.isnan(value) else value


def _is_closed(answer: CodedColumn, keys: Sequence[Any]) -> bool:
    """Return whether the predictions are labels: numbers, or words that repeat at least twice on average."""
    return all(isinstance(key, float) for key in keys) or 2 * len(answer.values) <= max(4, len(answer))


def _rights(column: Any) -> BoolArray | None:
    """Return which answers are correct, or None if a cell is not a word for correct or incorrect."""
    cells = coded(column)
    words = [text_of(value).casefold() for value in cells.values]
    if any(word not in ANSWER_WORDS for word in words):
        return None
    return np.array([ANSWER_WORDS[word] for word in words])[cells.codes]
