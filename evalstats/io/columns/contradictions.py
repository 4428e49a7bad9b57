"""Contradictions between the columns of correct answers, true labels and predicted labels."""

from __future__ import annotations

__all__ = ["one_spelling", "refuse_contradictions", "refuse_spelled_twice", "refuse_two_spellings"]

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from evalstats._errors import examples, listed
from evalstats._findings import Finding
from evalstats._lexicon import ANSWER_WORDS, RIGHT_COLUMNS, TRUTHS, plain_name, two_spellings
from evalstats._types import AnyArray, BoolArray
from evalstats.io.columns.roles import columns_called
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.tables.categorical import CodedColumn, coded
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import natural_order, text_of

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
