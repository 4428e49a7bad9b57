"""Roles of the rows and columns of a wide table: datasets, classifiers, and summaries that are not compared.

A row or column whose name certainly denotes a summary is omitted and recorded. A likely summary raises an error that
lists the alternatives.
"""

from __future__ import annotations

__all__ = [
    "OF_ROWS",
    "Summary",
    "are_correctness",
    "are_ranks",
    "describes_classifiers",
    "is_summary",
    "names_in",
    "rows_of_long",
    "sort_out",
    "summaries_in",
    "truths_in",
    "turned",
    "without_notes",
]

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidTypeError
from evalstats._findings import LeftOut
from evalstats._lexicon import RIGHT_WORDS, one_of, plain_name, word_list
from evalstats._ranks import midranks
from evalstats._types import FloatArray
from evalstats.io.columns.computed import HIGHEST, LOWEST, MOST_LOOKED_AT, differences_of_pairs, rounding_of
from evalstats.io.columns.grammar import FEWEST_COUNTED, alike, count_on
from evalstats.io.columns.kinds import role_of
from evalstats.io.columns.roles import are_numbers
from evalstats.io.sources.grid import Grid, NumberColumn, only_rows
from evalstats.io.sources.numbers import number_in, numbers_in
from evalstats.tables.categorical import CodedColumn
from evalstats.tables.categorical import names_in as distinct_names
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of, texts_of

# a name with one of these words, and no word except these and the next, is the name of a summary
SUMMARIES = frozenset(word_list("summaries.summary"))
BESIDE_SUMMARIES = frozenset(word_list("summaries.beside"))
_OF_SUMMARIES = SUMMARIES | BESIDE_SUMMARIES
RANK = re.compile(rf"(?<![^\W\d_]){one_of('summaries.rank')}(?![^\W\d_])", re.IGNORECASE)
_WORD, _HUMP = re.compile(r"[^\W\d_]+"), re.compile(r"(?<=[a-z])(?=[A-Z])")
_WIN_TIE_LOSS = re.compile(r"w(?:ins?)?[\W_]*(?:[td](?:ies?|raws?)?)?[\W_]*l(?:oss(?:es)?|oses?)?", re.IGNORECASE)
_OTHER_UNIT = re.compile(rf"(?<=\S)\s*[\[(](?:{one_of('rows.other_unit')}|\w+/s)[\])]\s*$", re.IGNORECASE)
SIZES = frozenset(word_list("rows.size"))
_SETTINGS = frozenset(word_list("rows.setting"))
COUNTERS = frozenset(("", *word_list("rows.counter")))
NOTES = frozenset(word_list("rows.note"))
# of datasets, in numbers that need not be whole
DESCRIPTIONS = frozenset(word_list("rows.description"))
# of the scores in a row, computed from them
DIFFERENCES = frozenset(word_list("rows.difference"))
# words of the rows below a table that say what a test found
_TEST = re.compile(rf"{one_of('summaries.test').replace('_', '[ _]')}(?![a-z0-9])", re.IGNORECASE)
_MEAN_OF = re.compile(rf"{one_of('summaries.mean_of')}(?![^\W\d_])", re.IGNORECASE)
_UNNAMED = re.compile(r"(?:Unnamed: ?\d+)?")  # name that pandas gives a column without a name
_MOST_COMPARED = 20  # maximum number of compared columns
_SAMPLED = 200  # number of sampled cells
_FEWEST_ROWS = 3  # minimum number of rows, with the row of means
_ROUNDED = 0.051  # rounding error of percentages with one decimal
_OF_WEKA = re.compile(r"\(?v/\s*/\*\)?")  # wins, ties and losses
_SHAPED = re.compile(r"[\s()]*[Δ∆][\s()]*%?[\s()]*")


@lru_cache(maxsize=10_000)
def is_summary(name: str) -> bool:
    """Return whether a row or column name denotes a summary, such as an average, a rank or a win count."""
    if name.lstrip()[:1] in "wW" and _WIN_TIE_LOSS.fullmatch(name.strip()) and len(name.strip()) > 2:
        return True
    if _OF_WEKA.fullmatch(name.strip()):
        return True
    if name[:2].casefold() == "w/" and name.casefold().startswith(("w/ ", "w/o ")):  # 'with' and 'without'
        return False
    words = _WORD.findall((name if name.islower() else _HUMP.sub(" ", name)).casefold())
    if "".join(words) in SUMMARIES:
        return True
    return not SUMMARIES.isdisjoint(words) and _OF_SUMMARIES.issuperset(words)


def turned(grid: Grid) -> Grid:
    """Return the transposed grid."""
    if len(grid.columns) < 2:
        raise TableError(f"{grid.name} has only one column, so its rows are not classifiers with scores")
    names = texts_of(grid.columns[0])
    rows = [list(row) for row in zip(*grid.columns[1:], strict=True)]
    return replace(
        grid,
        header=["dataset", *names],
        columns=[grid.header[1:], *rows],
        numbers=range(2, len(grid.header) + 1),
        word="column",
        across="",
        noise=(0.0, *[grid.noise_at(range(1, len(grid.header)))] * len(names)),
    )


def without_notes(grid: Grid, drop: Any, keep: Any) -> tuple[Grid, tuple[LeftOut, ...]]:
    """Omit columns that describe classifiers, such as a year, from a table with classifiers in rows."""
    kept = names_in(keep, "keep") | names_in(drop, "drop")
    reasons = {j: _reason_of_note(grid, j) for j, name in enumerate(grid.header) if j and name not in kept}
    gone = {j: reason for j, reason in reasons.items() if reason}
    left = [j for j in range(len(grid.header)) if j not in gone]
    told = tuple(LeftOut(what="column", name=grid.header[j], reason=why) for j, why in gone.items())
    noise = [grid.noise[j] for j in left] if grid.noise else ()
    header, columns = [grid.header[j] for j in left], [grid.columns[j] for j in left]
    return replace(grid, header=header, columns=columns, noise=noise), told


def _reason_of_note(grid: Grid, j: int) -> str:
    """Return the reason for omitting a column next to classifier names, or '' if it may hold scores."""
    name = grid.header[j]
    if describes_classifiers(name):
        return "is a note" if plain_name(name) in NOTES else "describes the classifiers"
    others = (column for i, column in enumerate(grid.columns) if i not in (0, j))
    return "holds no numbers" if not _has_digits(grid.columns[j]) and any(map(_has_digits, others)) else ""


def describes_classifiers(name: str) -> bool:
    """Return whether a column name denotes a note, a time or a size of a classifier."""
    if plain_name(name) in NOTES:
        return True
    return len(name) > 1 and role_of(name) in ("time", "number", "p-value")


def sort_out(
    grid: Grid, key: int | None, heads: Sequence[int], decimal: str, drop: Any, keep: Any
) -> tuple[Grid, list[int], tuple[LeftOut, ...]]:
    """Return the grid without summary rows, the indices of classifier columns, and the omitted rows and columns."""
    drop, keep = names_in(drop, "drop"), names_in(keep, "keep")
    left: list[LeftOut] = []
    kept_columns: list[int] = []
    for j in heads:
        name = grid.header[j]
        reason = "was excluded on request" if name in drop - keep else ""
        if name not in drop | keep:
            is_counter = key is not None and j < key and _counts_rows(grid.columns[j], decimal)
            reason = "numbers the rows" if is_counter else _reason_of_column(grid, j, decimal)
        if reason:
            left.append(LeftOut(what="column", name=name or f"column {j + 1}", reason=reason))
        else:
            kept_columns.append(j)
    computed = _computed(grid, kept_columns, decimal)
    gone = [j for j in computed if grid.header[j] not in keep]
    left += [LeftOut(what="column", name=grid.header[j], reason=computed[j]) for j in sorted(gone)]
    kept_columns = [j for j in kept_columns if j not in gone]
    datasets = [] if key is None else [name for column in grid.columns[key : key + 1] for name in texts_of(column)]
    reasons = _reasons_of_names(datasets, drop, keep)
    means = _means_of_groups(grid, kept_columns, decimal, datasets, reasons)
    reasons = ["" if name in keep else why for name, why in zip(datasets, means, strict=True)]
    left += [LeftOut(what="row", name=name, reason=why) for name, why in zip(datasets, reasons, strict=True) if why]
    _refuse_unknown(grid, drop, keep, {*datasets, *grid.header})
    if any(reasons):
        grid = only_rows(grid, [i for i, why in enumerate(reasons) if not why])
    return grid, kept_columns, tuple(left)


def _means_of_groups(
    grid: Grid, heads: Sequence[int], decimal: str, names: Sequence[str], reasons: list[str]
) -> list[str]:
    """Add reasons for rows named as group means (``'Avg small'``) that hold the means of the rows above."""
    begins, found = 0, list(reasons)
    for i, name in enumerate(names):
        if not found[i] and _MEAN_OF.match(name) and i - begins > 1:
            rows = only_rows(grid, range(begins, i + 1))
            found[i] = "holds the means of the rows above" if _is_mean_of_rows(rows, heads, decimal) else ""
        begins = i + 1 if found[i] else begins
    return found


def rows_of_long(
    grid: Grid, at: Sequence[int], drop: Any, keep: Any, runs: Iterable[int] = ()
) -> tuple[Grid, tuple[LeftOut, ...]]:
    """Return a long table without rows of summaries.

    The columns `at` contain the names of datasets and classifiers. The columns `runs` contain the names of folds and
    runs, where a program may also write 'mean' and 'std'.
    """
    drop, keep = names_in(drop, "drop"), names_in(keep, "keep")
    left: dict[str, LeftOut] = {}
    is_kept = np.ones(len(grid.numbers), dtype=bool)
    seen: set[str] = set()
    for j in (*at, *runs):
        names, codes = distinct_names(grid.columns[j])
        if j in at:
            seen |= set(names)
            reasons = [_reason_of_name(name, drop, keep) for name in names]
            if all(reasons):  # summaries of nothing
                reasons = ["should be left out" if name in drop else "" for name in names]
        else:
            summaries = set(filter(is_summary, names))
            seen |= summaries
            gone = summaries - keep if len(summaries) < len(names) else set()
            reasons = ["is a summary of the others" if name in gone else "" for name in names]
        found = [(name, why) for name, why in zip(names, reasons, strict=True) if why]
        left |= {name: LeftOut(what="row", name=name, reason=why) for name, why in found}
        if found:
            is_kept &= ~np.array([bool(why) for why in reasons])[codes]
    _refuse_unknown(grid, drop, keep, seen)
    return (only_rows(grid, np.flatnonzero(is_kept).tolist()) if left else grid), tuple(left.values())


_FEWEST_DENSE = 4  # fewer columns of grades would be ranks by chance


def are_ranks(scores: FloatArray) -> bool:
    """Return whether each row contains the ranks of its k or fewer values, with midranks for ties."""
    n, k = scores.shape
    if n < 2 or k < 3 or not (np.fmin.reduce(scores, axis=None) >= 1 and np.fmax.reduce(scores, axis=None) <= k):
        return False
    is_there = ~np.isnan(scores)
    if not is_there.all(axis=1).any() or (scores[is_there] * 2 % 1 != 0).any():
        return False
    are_mid = ((midranks(np.where(is_there, scores, np.inf)) == scores) | ~is_there).all(axis=1)
    if not are_mid.all():  # ties may have the next rank, if they are few
        tied = [row[np.isfinite(row)] for row in scores[~are_mid]]
        are_dense = all(np.array_equal(np.unique(row), np.arange(1, row.max() + 1)) for row in tied if row.size)
        if k < _FEWEST_DENSE or n < 10 * len(tied) or not are_dense:
            return False
    return bool((scores != scores[:, :1]).any(axis=None, where=is_there))


def are_correctness(columns: Iterable[Any]) -> bool:
    """Return whether columns contain both truth values (0 and 1, or true and false) and no other value."""
    seen: set[Any] = set()
    for column in columns:
        said = truths_in(column)
        if said is None:
            return False
        seen |= said
    return seen == {True, False}


def truths_in(column: Any) -> set[bool] | None:
    """Return the truth values that occur in a column, or None if the column contains other values."""
    if isinstance(column, NumberColumn) and len(column) and column.numbers[0] not in (0.0, 1.0):
        return None
    if not len(column) or not _is_truth(column[0]):
        return None if len(column) else set()
    try:
        values = set(column.tolist() if isinstance(column, np.ndarray) else getattr(column, "values", column))
    except TypeError:  # a cell is a list, or a dict
        return None
    if not all(map(_is_truth, values)):
        return None
    return {_TRUTHS[_as_truth(value)] for value in values}


_TRUTHS: dict[Any, bool] = {**RIGHT_WORDS, 0: False, 1: True}


def _as_truth(value: Any) -> Any:
    return text_of(value).casefold() if isinstance(value, str) else value


def _is_truth(value: Any) -> bool:
    try:
        return _as_truth(value) in _TRUTHS
    except TypeError:  # a list, a dict, or a number that has no hash: a signaling nan
        return False


def _reasons_of_names(names: Sequence[str], drop: set[str], keep: set[str]) -> list[str]:
    """Return the reason for omitting each row by its name, or '' for a row that is kept."""
    like = alike(names)
    known = {name: _reason_of_name(name, set(), set()) for name in set(like)}
    if sum(map(_is_letter, names)) == 1:  # n is no letter of an alphabet of names
        known |= {name: "describes the classifiers" for name in set(like) if name in ("n", "N")}
    known |= {name: known[name] or "describes the classifiers" for name in _with_other_unit(like)}
    told = drop | keep
    return [
        _reason_of_name(name, drop, keep) if name in told else known[own] for name, own in zip(names, like, strict=True)
    ]


def _reason_of_name(name: str, drop: set[str], keep: set[str]) -> str:
    if name in keep:
        return ""
    if name in drop:
        return "was excluded on request"
    if is_summary(name):
        return "is a summary of the others"
    role = role_of(name)
    if _TEST.search(name) or role == "p-value":
        return "belongs to a statistical test"
    if role == "spread":  # MAD and SE may be names of datasets
        return "holds the limits or widths of intervals" if any(map(str.isdecimal, name)) else ""
    is_size = role in ("time", "number") or plain_name(name) in SIZES | _SETTINGS
    return "describes the classifiers" if len(name) > 1 and is_size else ""


def _with_other_unit(names: Sequence[str]) -> set[str]:
    """Return the names with a unit of sizes or times in brackets, unless half of the names have such a unit.

    ``NB (ms)`` next to ``NB`` is a different value of NB.
    """
    distinct = set(names)
    found = {name for name in distinct if _OTHER_UNIT.search(name)}
    found = {name for name in found if _OTHER_UNIT.sub("", name) not in distinct}
    return found if 2 * len(found) < len(names) else set()


def _is_letter(name: str) -> bool:
    return len(name) == 1 and name.isalpha()


def _refuse_unknown(grid: Grid, drop: set[str], keep: set[str], known: set[str]) -> None:
    if unknown := sorted((drop | keep) - known):
        argument = "drop" if unknown[0] in drop else "keep"
        raise TableError(f"{argument} must name rows or columns of {grid.name}, not {short(unknown[0])}")


def _reason_of_column(grid: Grid, j: int, decimal: str) -> str:
    """Return the reason for omitting a column, or '' if it may hold scores of a classifier."""
    name, column = grid.header[j], grid.columns[j]
    plain = plain_name(name)
    if _UNNAMED.fullmatch(name) and _is_empty(column, decimal):
        return "is empty"
    if plain == "n" and all(_are_whole(other, decimal) for other in grid.columns if are_numbers(other)):
        return ""  # one letter of several classifiers, among integers
    if plain in SIZES or (plain in COUNTERS and name and (plain or name.isascii())):
        return _reason_of_size(grid, j, decimal, plain)
    return _reason_by_name(grid, j, decimal, plain) or _reason_by_cells(grid, column)


def _reason_by_name(grid: Grid, j: int, decimal: str, plain: str) -> str:
    name, column = grid.header[j], grid.columns[j]
    role = role_of(name)
    has_other_unit = _OTHER_UNIT.search(name) is not None and name in _with_other_unit(grid.header)
    reasons = (
        (is_summary(name) and not _names_extremes(name), "is a summary of the others"),
        (plain in NOTES and (not are_numbers(column) or _is_empty(column, decimal)), "is a note"),
        (plain in DESCRIPTIONS or role == "number" or has_other_unit, "describes the datasets"),
        (role in ("time", "p-value"), f"contains the {role} of each row"),
        (name == "p" and not _has_like(grid, name), "contains the p-value of each row"),
        (plain in DIFFERENCES or _SHAPED.fullmatch(name) is not None, "is a difference between other columns"),
    )
    reason = next((reason for is_so, reason in reasons if is_so), "")
    if reason == "is a difference between other columns" and not _is_difference(grid, j, decimal):
        raise _either(grid, name, "a difference between other columns")
    return reason


def _is_empty(column: Any, decimal: str) -> bool:
    return all(value != value for value in numbers_in(column, decimal))  # noqa: PLR0124 - nan


def _has_like(grid: Grid, letter: str) -> bool:
    """Return whether another column also has one lower-case letter as its name."""
    return any(len(name) == 1 and name.islower() for name in grid.header if name != letter)


def _reason_by_cells(grid: Grid, column: Any) -> str:
    is_text = not _has_digits(column) and sum(map(_has_digits, grid.columns[1:])) > 1
    return "holds no numbers" if is_text else ""


def _reason_of_size(grid: Grid, j: int, decimal: str, plain: str) -> str:
    """Return the reason for omitting a column whose name denotes a size or a counter; raise an error if unclear."""
    column = grid.columns[j]
    if _are_whole(column, decimal):
        return "describes the datasets" if plain in SIZES else "numbers the rows"
    if plain not in COUNTERS and not are_numbers(column):
        return "describes the datasets"
    raise _either(grid, grid.header[j], "a column that describes the datasets")


def _either(grid: Grid, name: str, how: str) -> TableError:
    return TableError(
        f"{grid.name}: the column {short(name)} has the name of {how}, but its values look like scores",
        "if it is not a classifier, pass {}; if it is one, pass {keep}",
        "drop",
        name,
    )


def _has_digits(column: Any) -> bool:
    """Return whether a cell contains a digit, or all cells are empty."""
    if isinstance(column, NumberColumn) or (isinstance(column, np.ndarray) and column.dtype.kind in "iufb"):
        return True
    is_empty = True
    for cell in column:  # the first number decides
        if (
            not isinstance(cell, str)
            or any(map(str.isdigit, cell))
            or (cell.strip() and number_in(cell, ".") is not None)
        ):
            return True
        is_empty = is_empty and not cell.strip()
    return is_empty


def _is_difference(grid: Grid, j: int, decimal: str) -> bool:
    """Return whether a column contains a number with a sign, or equals the difference of two other columns."""
    if any(isinstance(cell, str) and cell.lstrip()[:1] == "+" for cell in grid.columns[j]):
        return True
    others = [column for i, column in enumerate(grid.columns) if i != j and are_numbers(column)]
    columns = [np.array(numbers_in(column, decimal), dtype=float) for column in others[:_MOST_COMPARED]]
    own = np.array([math.nan if value is None else value for value in numbers_in(grid.columns[j], decimal)])
    pairs = itertools.combinations(columns, 2)
    with np.errstate(invalid="ignore"):
        return bool((own < 0).any()) or any(np.all(np.abs(np.abs(x - y) - own) < _ROUNDED) for x, y in pairs)


def _computed(grid: Grid, heads: Sequence[int], decimal: str) -> dict[int, str]:
    """Find columns that are differences of two other columns, or their ranks; return their descriptions."""
    if not 2 < len(heads) <= _MOST_COMPARED or any(isinstance(grid.columns[j], CodedColumn) for j in heads):
        return {}
    columns = [_values(grid.columns[j], decimal) for j in heads]
    names = [grid.header[j] for j in heads]
    decimals = [_decimals(grid.columns[j][:_SAMPLED], decimal) for j in heads]
    found = differences_of_pairs(columns, names, decimals)
    return {heads[own]: what.format(short(names[a]), short(names[b])) for own, (a, b, what) in found.items()}


def _values(column: Any, decimal: str) -> FloatArray:
    """Return the numbers of a column. Cells without a number are nan."""
    if isinstance(column, NumberColumn) and decimal == ".":
        return column.numbers
    return np.array([math.nan if value is None else value for value in numbers_in(column, decimal)])


def _decimals(column: Any, decimal: str) -> int:
    """Return the largest number of decimals in a column."""
    texts = texts_of(column)
    return max((len(text.rpartition(decimal)[2]) for text in texts if decimal in text and "e" not in text), default=0)


def _is_mean_of_rows(grid: Grid, heads: Sequence[int], decimal: str) -> bool:
    """Return whether the last row contains the mean of the rows above in all columns, and these rows differ."""
    n = len(grid.numbers)
    if len(heads) < 2 or n < _FEWEST_ROWS:
        return False
    differ = False
    for j in heads:
        *above, last = (math.nan if value is None else value for value in numbers_in(grid.columns[j], decimal))
        error = _ROUNDED if abs(last) > 1 else _ROUNDED / 10
        if not abs(sum(above) / len(above) - last) < error:
            return False
        differ = differ or max(above) - min(above) > 10 * error
    return differ


def _names_extremes(name: str) -> bool:
    """Return whether a name contains words for minimum and maximum, such as MinMax, and is not a summary."""
    words = set(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold()))
    return not words.isdisjoint(HIGHEST) and not words.isdisjoint(LOWEST)


def _counts_rows(column: Any, decimal: str) -> bool:
    """Return whether a column numbers its rows consecutively from 0 or 1."""
    values = numbers_in(column, decimal)
    return len(values) >= FEWEST_COUNTED and count_on(values)


def _are_whole(column: Any, decimal: str) -> bool:
    values = numbers_in(column, decimal)
    return all(value is not None and (math.isnan(value) or value % 1 == 0) for value in values)


def names_in(value: Any, argument: str) -> set[str]:
    """Return the set of names in an argument that is None, a name or a sequence of names."""
    if value is None:
        return set()
    if isinstance(value, str):
        return {text_of(value)}
    if not isinstance(value, Iterable) or getattr(value, "ndim", 1) == 0:
        raise InvalidTypeError(f"{argument} must be a name or a sequence of names, not {short(value)}")
    return {text_of(name) for name in value}


# --- summaries by their values alone ----------------------------------------------------------------------------------


FEWEST_OTHERS = 3
FEWEST_COMPARED = 2  # scores in a row
MOST_AT_END = 3  # a table ends in a mean, a rank and a number of wins, hardly in more
MOST_SEARCHED = 60  # maximum number of rows in which a summary is searched at any position
# how probable it may be that a row agrees by chance: at the end of a table, anywhere else, and to be noted
_AT_END, _ANYWHERE, _NOTED = 1e-4, 1e-8, 0.01
_PRECISION = 1e-9  # rounding error of numbers in double precision
# the largest test set whose proportions are told from other numbers, and how near to a whole number a multiple is
LARGEST_DENOMINATOR, _WHOLE = 10_000, 1e-7


class Summary(NamedTuple):
    """Row that equals a summary of the other rows. `is_certain` states that the row does not agree by chance."""

    row: int
    what: str
    is_certain: bool


Function = Callable[[FloatArray], FloatArray]


def _mean(scores: FloatArray) -> FloatArray:
    mean: FloatArray = scores.mean(axis=0)
    return mean


def _geometric_mean(scores: FloatArray) -> FloatArray:
    found: FloatArray = np.exp(np.log(scores).mean(axis=0))
    return found


def _mean_rank(scores: FloatArray, sign: int) -> FloatArray:
    mean: FloatArray = midranks(sign * scores).mean(axis=0)
    return mean


_OF_ANY: Mapping[str, Function] = {
    "mean": _mean,
    "median": partial(np.median, axis=0),
    "geometric mean": _geometric_mean,
    "sum": partial(np.sum, axis=0),
}
# of rows of datasets also the mean ranks of the classifiers, of which 1 is the greatest or the smallest
OF_ROWS: Mapping[str, Function] = {
    **_OF_ANY,
    "mean rank": partial(_mean_rank, sign=-1),
    "mean rank, from the smallest": partial(_mean_rank, sign=1),
}


def summaries_in(scores: FloatArray, kept: Collection[int] = (), *, are_datasets: bool = True) -> list[Summary]:
    """Return the rows that equal a summary of the other rows within rounding.

    Parameters
    ----------
    scores : ndarray of shape (n_rows, n_columns)
        Scores. A missing score is nan.
    kept : collection of int
        Rows that the caller declares not to be summaries.
    are_datasets : bool, default: True
        Whether the rows are datasets, on which the classifiers (columns) are ranked.

    Returns
    -------
    list of Summary
        The summaries, in the order of the rows.
    """
    functions = OF_ROWS if are_datasets else _OF_ANY
    with np.errstate(all="ignore"):  # scores may be as large as numbers can be
        return _summaries_in(scores, kept, functions)


def _summaries_in(scores: FloatArray, kept: Collection[int], functions: Mapping[str, Function]) -> list[Summary]:
    n = len(scores)
    if n <= FEWEST_OTHERS:
        return []
    last: Summary | None = None
    for n_last in range(min(MOST_AT_END, n - FEWEST_OTHERS), 0, -1):
        others = scores[: n - n_last]
        above = _Others(others, others.sum(axis=0), rounding_of(others))
        known: list[Summary] = []
        for i in range(n - n_last, n):
            last = None if i in kept else _summary(scores[i], above, i, functions, _AT_END)
            if last is None or not last.is_certain:
                break
            known.append(last)
        if len(known) == n_last:
            return known
    doubted = [] if last is None else [last]
    if n > MOST_SEARCHED:
        return doubted
    rows = (i for i in range(n - 1) if i not in kept)
    without = ((i, np.delete(scores, i, axis=0)) for i in rows)
    beside = ((i, _Others(rest, rest.sum(axis=0), rounding_of(rest))) for i, rest in without)
    anywhere = (_summary(scores[i], others, i, functions, _ANYWHERE) for i, others in beside)
    return [*(one for one in anywhere if one is not None and one.is_certain), *doubted][:1]


class _Others(NamedTuple):
    """Rows that may be summarized, with the sum of each column and the rounding error of their scores."""

    rows: FloatArray
    totals: FloatArray
    error: float


def _summary(
    row: FloatArray, beside: _Others, at: int, functions: Mapping[str, Function], most: float
) -> Summary | None:
    """Return the summary that a row equals, or None if it equals none or may agree by chance."""
    others, totals, of_scores = beside
    present = ~np.isnan(row) & ~np.isnan(totals)  # infinite scores of both signs are not scores either
    if present.sum() < max(FEWEST_COMPARED, len(row) // 2):
        return None
    whole = row, others
    if not present.all():
        row, others = row[present], others[:, present]
        of_scores = rounding_of(others)
    own = rounding_of(row)
    agreed = {}
    first, are_ranks = others[:, :1], row.min() >= 1 and row.max() <= len(row)
    for what, function in functions.items():
        times = 0 if what.startswith("mean rank") else len(others) if what == "sum" else 1
        error = own + times * of_scores
        # most rows already differ in their first score
        if not are_ranks if what.startswith("mean rank") else abs(function(first)[0] - row[0]) > 2 * error + _PRECISION:
            continue
        expected = function(others)
        if what == "sum" and (np.abs(expected) < 2 * np.abs(others).max(axis=0)).any():
            continue  # not a sum of similar scores: 3 of 0, 1 and 2
        if np.isfinite(expected).all() and (np.abs(expected - row) <= error * 1.001 + _PRECISION).all():
            agreed[what] = _chance(what, row, others, error)
    # a mean that equals the median is in the middle of rows with even spacing, which measured scores do not have
    if not agreed or {"mean", "median"} <= agreed.keys() or (whole[1] == whole[0]).all(axis=1).any():
        return None
    what, chance = min(agreed.items(), key=lambda pair: pair[1])
    if chance > _NOTED:
        return None
    return Summary(at, what.partition(",")[0], chance <= most)


def _chance(what: str, row: FloatArray, others: FloatArray, error: float) -> float:
    """Return the probability that a row agrees with a summary by chance, given the spread of the other rows."""
    if what.startswith("mean rank"):
        widths = np.full(len(row), float(len(row) - 1))
    elif what == "sum":
        widths = np.abs(row)
    else:
        # as wide as even scores with this median distance from the median: a distant score has no influence
        widths = 4 * np.median(np.abs(others - np.median(others, axis=0)), axis=0)
    # scores are not ranks, whose means are proportions too
    step = (error if what.startswith("mean rank") else max(error, _half_step(row))) + _PRECISION
    own = np.where(widths > 0, np.minimum(1.0, 2 * step / widths), 1.0)
    if what == "median":  # scores that are often tied are often tied with the median
        own = np.maximum(own, (np.diff(np.sort(others, axis=0), axis=0) <= 2 * step).mean(axis=0))
    return float(np.prod(own))


def _half_step(row: FloatArray) -> float:
    """Return half of 1/m for the smallest m such that all scores are multiples of 1/m, like proportions of m instances.

    Proportions of the same number of instances agree far more often than their decimals suggest.
    """
    values = row[:MOST_LOOKED_AT]
    multiples = np.arange(1, LARGEST_DENOMINATOR + 1)[:, np.newaxis] * values
    is_whole = (np.abs(multiples - np.round(multiples)) < _WHOLE).all(axis=1)
    return float(0.5 / (1 + is_whole.argmax())) if is_whole.any() else 0.0
