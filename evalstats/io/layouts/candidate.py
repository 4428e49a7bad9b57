"""Scores by dataset and classifier: the common result of all layouts."""

from __future__ import annotations

__all__ = [
    "Candidate",
    "Cells",
    "Strength",
    "all_with_sign",
    "choose",
    "complete_folds",
    "is_better_greater",
    "refuse_choices",
    "refuse_other_metric",
    "run_words",
    "scores_in",
    "without_summaries",
]

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError, listed
from evalstats._findings import Finding, LeftOut
from evalstats._lexicon import RIGHT_COLUMNS
from evalstats._types import BoolArray, FloatArray, IndexArray
from evalstats.io.columns.computed import summary_of_some
from evalstats.io.columns.roles import columns_called
from evalstats.io.columns.summaries import summaries_in
from evalstats.io.columns.surroundings import said_in
from evalstats.io.sources.grid import Grid, NumberColumn
from evalstats.io.sources.numbers import not_a_number, numbers_in, plain_numbers
from evalstats.metrics.directions import direction_of, direction_of_metric, words_of
from evalstats.tables.errors import TableError, short
from evalstats.tables.fold_scores import FoldScores
from evalstats.tables.names import text_of

if TYPE_CHECKING:
    from evalstats.tables.items import QuestionScores
    from evalstats.tables.prediction_scores import PredictionScores


MOST_COMPARED = 200  # maximum number of compared columns


class Strength(IntEnum):
    """Weight of a fact that supports a reading of a table."""

    WEAK = 1  # the shape, or no name
    USUAL = 2  # a name that other columns have too
    STRONG = 4  # a name of this role, or values that only this role has


class Candidate(NamedTuple):
    """Possible reading of a table, with its supporting facts."""

    argument: str  # argument of `read_table` that selects this reading
    value: str
    holds: str  # contents of the table in this reading
    evidence: tuple[tuple[Strength, str], ...]

    @property
    def score(self) -> int:
        """Sum of the weights of the facts."""
        return sum(strength for strength, _ in self.evidence)

    @property
    def reasons(self) -> str:
        """Supporting facts, joined for a message."""
        return " and ".join(fact for _, fact in self.evidence)


def choose(name: str, candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate with the most evidence, or raise an error if a second candidate is close."""
    best, *others = sorted(candidates, key=lambda one: -one.score)
    close = next((one for one in others if one.score > best.score - Strength.STRONG), None)
    if close is None:
        return best
    problem = f"{name} may hold {best.holds}, because {best.reasons}, or {close.holds}, because {close.reasons}"
    raise TableError(problem, f"pass {{}} or {{{close.value}}}", best.argument, best.value)


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Scores by dataset and classifier. A missing score is nan."""

    name: str  # name of the source in messages
    file: str | None
    metric: str
    greater_is_better: bool
    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    scores: FloatArray
    is_percent: BoolArray
    word: str = ""
    noise: float = 0.0  # relative rounding error of scores in single or half precision
    numbers: IndexArray | None = None  # line or row number of each score; 0 for a score that a long table lacks
    computation: str = ""
    folds: tuple[FoldScores, ...] = ()
    scored: PredictionScores | None = None
    items: QuestionScores | None = None  # scores of questions, whose means are the scores of the table
    left_out: tuple[LeftOut, ...] = ()
    findings: tuple[Finding, ...] = ()
    spread: FloatArray | None = None  # spreads that were printed with the scores
    format: str = ""

    def without(self, datasets: Sequence[int], classifiers: Sequence[int], left_out: tuple[LeftOut, ...]) -> Cells:
        """Return the scores without some datasets and classifiers, and record the reasons."""
        rows = [i for i in range(len(self.datasets)) if i not in datasets]
        columns = [j for j in range(len(self.classifiers)) if j not in classifiers]
        at = np.ix_(rows, columns)
        return replace(
            self,
            datasets=tuple(self.datasets[i] for i in rows),
            classifiers=tuple(self.classifiers[j] for j in columns),
            scores=np.ascontiguousarray(self.scores[at]),
            is_percent=self.is_percent[at],
            numbers=None if self.numbers is None else self.numbers[at],
            spread=None if self.spread is None else self.spread[at],
            folds=tuple(replace(self.folds[i], scores=self.folds[i].scores[..., columns]) for i in rows if self.folds),
            left_out=(*self.left_out, *left_out),
        )

    def place(self, at: Sequence[Any]) -> str:
        """Return the place of a score, for messages."""
        i, j = at
        where = "" if self.numbers is None or not self.numbers[i, j] else f" ({self.word} {self.numbers[i, j]})"
        return f"{short(self.datasets[i])} / {short(self.classifiers[j])}{where}"


def complete_folds(cells: Cells) -> Cells:
    """Return the scores without the folds (or repeats, if there are several) in which a classifier has no score."""
    kept: list[FoldScores] = []
    told: list[LeftOut] = []
    for one in cells.folds:
        axis, role = (0, "repeats") if len(one.repeats) > 1 else (1, "folds")
        is_whole = np.asarray(~np.isnan(one.scores).any(axis=(1 - axis, 2)))
        names = getattr(one, role)
        if not is_whole.any():
            raise _no_complete_fold(cells, one, role)
        what = "run" if one.same_split else role[:-1]
        gone = [name for name, whole in zip(names, is_whole.tolist(), strict=True) if not whole]
        told += [
            LeftOut(what="row", name=f"{one.dataset}, {what} {name}", reason="lacks the score of a classifier")
            for name in gone
        ]
        scores = one.scores[is_whole] if axis == 0 else one.scores[:, is_whole]
        scores.setflags(write=False)
        left: dict[str, Any] = {"scores": scores, role: tuple(name for name in names if name not in gone)}
        kept.append(replace(one, **left))
    means = np.stack([one.scores.mean(axis=(0, 1)) for one in kept])
    return replace(cells, folds=tuple(kept), scores=means, left_out=(*cells.left_out, *told))


def _no_complete_fold(cells: Cells, one: FoldScores, role: str) -> TableError:
    """Return the error for a dataset without a complete fold or repeat, with the classifier that lacks most scores."""
    n_missing = np.isnan(one.scores).sum(axis=(0, 1))
    worst = int(n_missing.argmax())
    name, has_none = cells.classifiers[worst], n_missing[worst] == one.scores[..., worst].size
    problem = f"{cells.name}: none of the {role} of dataset {short(one.dataset)} has a score of every classifier"
    has_complete = not all(np.isnan(other.scores).any() for other in cells.folds)
    others = "leave out such datasets with {drop_datasets} instead" if has_complete else ""
    if not has_none and cells.numbers is not None and not cells.format:  # a row for each score
        which = "{runs}" if one.same_split or role == "repeats" else "{folds}"
        hint = (
            f"{others}{'; ' * has_complete}if the rows of all classifiers are in the same order, regardless of their "
        )
        return TableError(problem, f"{hint}names, pass {which} and {{}}", "same_order", "True")
    if has_none:
        problem += f", and {short(name)} has none"
    hint = f"{others}{', or ' * has_complete}leave out a classifier, for example with {{}}"
    return TableError(problem, hint, "drop", name)


def without_summaries(cells: Cells, keep: Collection[str]) -> Cells:
    """Return the scores without datasets and classifiers whose values are summaries of other values.

    Possible summaries are recorded as findings. Names in `keep` are not dropped.
    """
    if cells.items is not None or cells.scored is not None:
        return cells
    for what, names, scores in (
        ("row", cells.datasets, cells.scores),
        ("column", cells.classifiers, cells.scores.T),
    ):
        if len(names) > MOST_COMPARED and what == "column":
            continue
        if all(name in (f"dataset {i}", f"classifier {i}") for i, name in enumerate(names, 1)):
            continue  # numbered in an array, whose axes the caller knows
        kept = [i for i, name in enumerate(names) if name in keep]
        found = summaries_in(scores, kept, are_datasets=what == "row")
        gone = [one.row for one in found if one.is_certain]
        left_out = tuple(
            LeftOut(what=what, name=names[one.row], reason=f"is the {one.what} of the others")
            for one in found
            if one.is_certain
        )
        if not gone and (some := summary_of_some(scores, names, kept)):
            gone, left_out = [some[0]], (LeftOut(what=what, name=names[some[0]], reason=some[1]),)
        if gone:
            return without_summaries(cells.without(*((gone, []) if what == "row" else ([], gone)), left_out), keep)
        for one in found:
            sentence = (
                f"{short(names[one.row])} may be the {one.what} of the others, because the values agree within "
                f"rounding; if it is, leave it out with drop={names[one.row]!r}."
            )
            told = Finding(code="may-be-summary", severity="warning", sentence=sentence)
            cells = replace(cells, findings=(*cells.findings, told))
    return cells


def is_better_greater(metric: str) -> bool:
    """Return the direction of a metric; if its name does not show the direction, greater is better."""
    return direction_of_metric(metric) is not False


def refuse_other_metric(grid: Grid, name: str, metric: str | None, greater_is_better: bool | None) -> None:
    """Reject a given metric that is not the metric that the table names, unless the direction is given too."""
    direction = direction_of(name)
    if metric is None or greater_is_better is not None or direction is None or _share_a_word(name, metric):
        return
    problem = f"{grid.name}: the metric of the scores is {short(name)}, not {short(metric)}"
    if direction_of_metric(metric) is not None and direction_of_metric(metric) != direction:
        problem += f", for which {'lower' if direction else 'higher'} is better"
    raise TableError(
        problem, "leave out the option, or pass {}; to rename the metric, pass {greater_is_better} too", "metric", name
    )


_WHAT_1_MEANS = "if smaller is better, and 1 is an incorrect answer, pass {lower}; if greater is better, pass {}"


def refuse_names_of_losses(
    grid: Grid, heads: Sequence[int], greater_is_better: bool | None, *, has_option: bool = True
) -> None:
    """Reject columns of classifiers that all have names of losses, unless the direction is given.

    A column ``error_a`` of answers may hold 1 for an incorrect answer. Without the option, the caller cannot state the
    meaning of 1.
    """
    names = [grid.header[j] for j in heads]
    if greater_is_better is not None or not names or not all(map(_names_a_loss, names)):
        return
    named = f"column {short(names[0])} has the name" if len(names) == 1 else f"columns {listed(names)} have names"
    problem = f"{grid.name}: the {named} of {'a loss' if len(names) == 1 else 'losses'}"
    if not has_option:
        raise TableError(
            problem, "write 1 for a correct answer, and use only the names of the classifiers as column names"
        )
    raise TableError(problem, _WHAT_1_MEANS, "greater_is_better", "True")


def refuse_words_of_losses(grid: Grid, greater_is_better: bool | None) -> None:
    """Reject answers if the texts around the table say that lower is better, unless the direction is given.

    The name of a column, such as ``correct``, is stronger.
    """
    if greater_is_better is not None:
        return
    said = said_in(grid.around, grid.file)
    if said.greater_is_better is False and not columns_called(grid, RIGHT_COLUMNS):
        problem = f"{grid.name}: {said.where} says that lower is better ({short(said.text)})"
        raise TableError(problem, _WHAT_1_MEANS, "greater_is_better", "True")


def _names_a_loss(name: str) -> bool:
    return direction_of(name) is False or direction_of_metric(name) is False


def _share_a_word(name: str, metric: str) -> bool:
    """Return whether two names of a metric have a word in common, and one direction."""
    from evalstats.tables.prediction_scores import usual_name  # all metrics, a quarter of the time of the import

    words = (set(usual_name(one).split("_")).union(map(str.casefold, words_of(one))) for one in (name, metric))
    return not set.isdisjoint(*words) and is_better_greater(metric) == is_better_greater(name)


_OF_PREDICTIONS = dict.fromkeys(("aggregate", "undefined", "pos_label"), "predictions")
_OF_WIDE = {"transpose": "a wide table of scores"}
_OF_SCORES = dict.fromkeys(("keep", "transpose"), "a table of scores")
# what each kind of record is, and its untaken choices, each with the kind that takes it
_UNTAKEN = {
    "wide": ("this is a wide table of scores", _OF_PREDICTIONS),
    "long": ("this is a long table of scores", _OF_PREDICTIONS | _OF_WIDE),
    "answers": ("these are answers to questions", _OF_PREDICTIONS | _OF_SCORES),
    "predictions": ("these are predictions", {"drop": "a table of scores"} | _OF_SCORES),
}


def refuse_choices(choices: dict[str, Any], layout: str) -> None:
    """Reject options that do not apply to a kind of record."""
    what, untaken = _UNTAKEN[layout]
    for name, kind in untaken.items():
        if choices.get(name) is not None:
            raise InvalidValueError(f"{name} belongs to {kind}, but {what}")


def scores_in(grid: Grid, j: int, decimal: str, layout: str) -> tuple[FloatArray, BoolArray]:
    """Return the numbers of a column, with nan for missing cells, and a mask of cells with a percent sign."""
    column = grid.columns[j]
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf" and not np.isinf(column).any():
        return column.astype(np.float64), np.zeros(column.shape, dtype=bool)
    if decimal == "." and isinstance(column, NumberColumn) and column.is_finite:
        return column.numbers, np.zeros(column.numbers.shape, dtype=bool)
    if (plain := plain_numbers(column, decimal)) is not None:
        numbers = np.array(plain)
        if np.isfinite(numbers).all():
            return numbers, np.zeros(numbers.shape, dtype=bool)
    values = numbers_in(column, decimal)
    numbers = np.array(values, dtype=np.float64)
    if None in values or np.isinf(numbers).any():
        i = next(i for i, value in enumerate(values) if value is None or math.isinf(value))
        is_text = layout == "wide" and len(values) > 1 and all(value is None or math.isnan(value) for value in values)
        if is_text and _others_hold_numbers(grid, j, decimal):
            problem = f"{grid.place(i, j)}: {short(column[i])} is not a number"
            raise TableError(problem, "if this column is not a classifier, pass {}", "drop", grid.header[j])
        if grid.word != "column":
            raise not_a_number(grid.place(i, j), column[i], decimal, is_text=is_text)
        name = text_of(grid.columns[0][i])  # the table was transposed: the datasets were columns
        place = f"{grid.name}, column {short(name)} of {short(grid.header[j])}"
        error = not_a_number(place, column[i], decimal, is_text=False)
        if error.hint or not isinstance(column[i], str):
            raise error
        raise TableError(error.problem, "if this column is not a dataset, pass {}", "drop", name)
    return numbers, np.array([isinstance(cell, str) and "%" in cell for cell in column], dtype=bool)


def _others_hold_numbers(grid: Grid, j: int, decimal: str) -> bool:
    """Return whether two or more columns besides the first and column `j` hold only numbers."""
    others = (column for i, column in enumerate(grid.columns) if i not in (0, j))
    return sum(None not in numbers_in(column, decimal) for column in others) > 1


def all_with_sign(grid: Grid, values: FloatArray, with_sign: BoolArray) -> bool:
    """Return whether fold scores have percent signs, or raise an error if only some have one."""
    if with_sign.any() and not with_sign[~np.isnan(values)].all():
        raise TableError(f"{grid.name}: either all or none of the scores must be written with %")
    return bool(with_sign.any())


def run_words(runs: dict[str, int], folds: Sequence[FoldScores]) -> str:
    """Return the unit over which scores are means: runs, folds, repeats, or folds of the repeats."""
    if folds[0].same_split:
        return "runs"
    return " of the ".join(f"{name}s" for name in ("fold", "repeat") if name in runs)
