"""Which column holds what, and what does a cell say?

Columns are found by their names, names are checked, cells become numbers: the same for tables of scores and of
predictions.
"""

from __future__ import annotations

__all__ = [
    "CLASSIFIER_COLUMNS",
    "DATASET_COLUMNS",
    "ITEM_COLUMNS",
    "METRIC_COLUMNS",
    "NUMBER_COLUMNS",
    "QUESTION_COLUMNS",
    "RIGHT_COLUMNS",
    "RIGHT_WORDS",
    "SAMPLE_COLUMNS",
    "TRUTHS",
    "UNNAMED",
    "column_named",
    "columns_called",
    "fault_of",
    "header_name",
    "headers",
    "is_called",
    "key_column",
    "key_column_if_any",
    "natural_order",
    "not_a_number",
    "number_in",
    "numbers_in",
    "plain_name",
    "plain_numbers",
    "positions_of_repeated",
    "row_names",
    "rows_at",
    "rows_of_one_metric",
    "simplified",
    "written_number",
]

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from numbers import Number
from typing import Any

import numpy as np

from evalstats.tables.grid import MISSING_TYPES, Grid, TableError, examples, listed, short, text_of
from evalstats.tables.number_columns import NumberColumn

# Columns that are understood without being named; case does not matter, spaces and hyphens are underscores.
DATASET_COLUMNS = ("dataset", "data", "data_set", "dataset_name", "dataset_id", "problem", "task", "task_id", "domain")
CLASSIFIER_COLUMNS = ("classifier", "model", "algorithm", "method", "learner", "estimator")
METRIC_COLUMNS = ("metric", "measure")
# what is called so is answered; what is called like cases may number rows of anything
QUESTION_COLUMNS = (
    *("question_id", "question", "item_id", "item", "qid", "prompt_id", "example_id", "doc_id", "instance_id"),
)
# what may number anything, and names cases only where it tells them apart
NUMBER_COLUMNS = ("id", "uid")
# of answers and predictions, the surest first: beside an item, a row may be only counted, a sample one of its answers
ITEM_COLUMNS = (
    *QUESTION_COLUMNS,
    *("instance", "case_id", "case", "document_id", "row_id", "row", "sample_id", "sample", *NUMBER_COLUMNS),
)

# of several answers to each item
SAMPLE_COLUMNS = (
    *("sample", "sample_id", "sample_index", "epoch", "repeat", "repetition", "replicate", "run", "seed"),
    *("attempt", "trial", "generation", "completion_id"),
)
# of right and wrong answers, and how these are written
RIGHT_COLUMNS = ("correct", "is_correct", "right", "is_right", "passed")
RIGHT_WORDS = {
    **dict.fromkeys(("1", "1.0", "1,0", "true"), True),
    **dict.fromkeys(("0", "0.0", "0,0", "false"), False),
}
# labels that are numbers in words
TRUTHS = {"true": 1.0, "false": 0.0}

# what there is one of where no column names it
UNNAMED = {"dataset": "dataset", "classifier": "classifier"}

MISSING_WORDS = frozenset(
    ("", "na", "n/a", "#n/a", "nan", "-", "?", "null", "none", "missing", "<na>", "n.a.", "--", "---", "–", "—")
)
_LONGEST_MISSING = max(map(len, MISSING_WORDS))
MAX_NAME_LENGTH = 1000

_NO_LETTER = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_OF_NUMBERS = b"0123456789.+-eE"
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d*)?", re.ASCII)
_BIDIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # reorder what a reader sees


def key_column(grid: Grid, given: str | None, argument: str, known: Sequence[str]) -> int:
    """Return the column that names the datasets, or the classifiers, of a long table."""
    found = key_column_if_any(grid, given, argument, known)
    if found is None:
        problem = f"{grid.name}: none of the columns {headers(grid)} is known to name the {argument}s"
        raise TableError(problem, "choose one with {}", argument)
    return found


def key_column_if_any(grid: Grid, given: str | None, argument: str, known: Sequence[str]) -> int | None:
    """Return the column that names the datasets, or the classifiers; None where nothing is called so."""
    if given is not None:
        return column_named(grid, given, argument)
    found = columns_called(grid, known)
    if len(found) > 1:
        problem = f"{grid.name}: any of the columns {headers(grid, found)} may name the {argument}s"
        raise TableError(problem, "choose one with {}", argument)
    return found[0] if found else None


def column_named(grid: Grid, given: str, argument: str) -> int:
    """Return the column that an argument names."""
    found = [j for j, name in enumerate(grid.header) if name == text_of(given)]
    if len(found) == 1:
        return found[0]
    rule = f"{argument} must name a column of {grid.name}"
    if found:
        raise TableError(f"{rule}, but {len(found)} columns are called {short(given)}")
    raise TableError(f"{rule} ({headers(grid)}), not {short(given)}")


def rows_of_one_metric(grid: Grid, column: int, metric: str | None) -> tuple[Grid, str]:
    """Return the rows of a table with a column of metrics that tell of one of them, and its name."""
    names = row_names(grid, column, "metric")
    found = list(dict.fromkeys(names))
    if metric is None and len(found) > 1:
        problem = f"{grid.name}: column {short(grid.header[column])} holds the metrics {listed(found)}"
        raise TableError(problem, "choose one, for example {}", "metric", found[0])
    chosen = metric if metric is not None else found[0] if found else "score"
    if found and chosen not in found:
        raise TableError(f"{grid.name} has no metric {short(chosen)}; its metrics are {listed(found)}")
    kept = [i for i, name in enumerate(names) if name == chosen]
    columns = [[cells[i] for i in kept] for cells in grid.columns]
    return replace(grid, columns=columns, numbers=[grid.numbers[i] for i in kept]), chosen


def headers(grid: Grid, columns: Iterable[int] | None = None) -> str:
    """Return the names of columns, by default of all, as a message lists them."""
    return listed([grid.header[j] for j in (range(len(grid.header)) if columns is None else columns)])


def is_called(name: str, known: Sequence[str]) -> bool:
    """Return whether a name is one of those known, however it is written."""
    return simplified(name) in known


def columns_called(grid: Grid, known: Sequence[str]) -> list[int]:
    """Return the columns with a name that is one of those known, however it is written."""
    places = _places(tuple(grid.header))
    return sorted(j for name in set(known) for j in places.get(name, ()))


@lru_cache(maxsize=8)
def _places(names: tuple[str, ...]) -> dict[str, list[int]]:
    """Return the places of each name without its case, spaces and hyphens."""
    places: dict[str, list[int]] = {}
    for j, name in enumerate(names):
        places.setdefault(simplified(name), []).append(j)
    return places


@lru_cache(maxsize=10_000)
def simplified(name: str) -> str:
    """Return a name without its case, spaces and hyphens."""
    return name.casefold().replace(" ", "_").replace("-", "_")


def plain_name(name: str) -> str:
    """Return the letters and digits of a name, without case: `Data Set`, `data_set` and `DataSet` are one."""
    return _NO_LETTER.sub("", name.casefold())


def header_name(grid: Grid, j: int) -> str:
    """Return the name of a column, which must be a name."""
    name = grid.header[j]
    if not name:
        raise TableError(f"{grid.name}: column {j + 1} has no name")
    if fault := fault_of(name):
        raise TableError(f"{grid.name}: the name of column {j + 1} {fault}")
    return name


def row_names(grid: Grid, j: int, what: str) -> list[str]:
    """Return the names in a column."""
    column = [cell if isinstance(cell, str) else text_of(cell) for cell in grid.columns[j]]
    names = {cell: text_of(cell) for cell in set(column)}
    faults = {cell: fault_of(name) if name else "is empty" for cell, name in names.items()}
    if any(faults.values()):
        i = next(i for i, cell in enumerate(column) if faults[cell])
        article = "an" if what[0] in "aeiou" else "a"
        raise TableError(f"{grid.place(i, j)}: the name of {article} {what} {faults[column[i]]}")
    return [names[cell] for cell in column]


def rows_at(grid: Grid, at: Sequence[int]) -> str:
    """Return the numbers of rows as a message lists them."""
    return f"{grid.word}s {examples([str(grid.numbers[i]) for i in at])}"


def numbers_in(column: Any, decimal: str) -> list[float | None]:
    """Return the numbers in a column: nan where one is missing, None where there is something else."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return [float(value) for value in column.tolist()]
    plain = plain_numbers(column) if decimal == "." else None
    return [number_in(cell, decimal) for cell in column] if plain is None else list(plain)


def plain_numbers(column: Any) -> list[float] | None:
    """Return the numbers in a column of texts, None where one is not written with digits and a decimal point alone."""
    if isinstance(column, NumberColumn):
        return list(column.numbers.tolist())
    try:
        # with these characters only, `float` takes what `number_in` takes
        if "".join(column).encode("ascii").translate(None, _OF_NUMBERS):
            return None
        return list(map(float, column))
    except (TypeError, ValueError):
        return None


def number_in(cell: Any, decimal: str) -> float | None:
    """Return the number in a cell: nan where it is missing, None where there is something else."""
    return written_number(cell, decimal) if isinstance(cell, str) else _number(cell)


def _number(cell: Any) -> float | None:
    if cell is None or type(cell).__name__ in MISSING_TYPES:
        return math.nan
    if isinstance(cell, bool | np.bool_ | complex | np.complexfloating) or not isinstance(cell, Number):
        return None
    try:
        return float(cell)  # type: ignore[arg-type]  # what float() refuses is caught
    except OverflowError:
        return math.inf
    except ValueError:  # a signaling nan
        return None


def written_number(cell: str, decimal: str) -> float | None:
    """Return the number that a text is: nan where it is missing, None where it is something else."""
    text = text_of(cell)
    if len(text) > _LONGEST_MISSING and text[0].isalpha():
        return None
    if text.casefold() in MISSING_WORDS:
        return math.nan
    number = text.removesuffix("%").rstrip().replace("\N{MINUS SIGN}", "-")
    if decimal == ",":
        number = number.translate({ord(","): ".", ord("."): ","})
    return float(number) if _NUMBER.fullmatch(number) else None


def not_a_number(place: str, cell: Any, decimal: str, *, is_text: bool) -> TableError:
    """Return the error for a cell that must hold a number, with what may be meant."""
    problem = f"{place}: {short(cell)}"
    if not isinstance(cell, str) and number_in(cell, decimal) is not None:
        return TableError(f"{problem} is not finite")
    text = text_of(cell)
    if number_in(cell, decimal) is not None or text.casefold().lstrip("+-") in ("inf", "infinity"):
        return TableError(f"{problem} is not finite")
    other = "," if decimal == "." else "."
    if written_number(text, other) is not None:
        hint = f"if {other!r} is the decimal mark, pass {{}}"
        return TableError(f"{problem} is not a number with the decimal mark {decimal!r}", hint, "decimal", other)
    if _THOUSANDS.fullmatch(text):
        return TableError(f"{problem} has a thousands separator, which is not read")
    if is_text:
        hint = "if each row holds one score of one classifier, pass {}"
        return TableError(f"{problem} is not a number", hint, "layout", "long")
    return TableError(f"{problem} is not a number")


def fault_of(name: str) -> str | None:
    """Return what keeps a text from being a name."""
    if len(name) > MAX_NAME_LENGTH:
        return f"has {len(name):,} characters, and at most {MAX_NAME_LENGTH:,} are allowed"
    for character in "" if name.isprintable() else name:
        if character in _BIDIRECTIONAL or unicodedata.category(character) in ("Cc", "Cs"):
            return f"holds the control character {character!r}"
    return None


def positions_of_repeated(names: Sequence[Any]) -> dict[Any, list[int]]:
    """Return the positions of each name that occurs more than once."""
    if len(set(names)) == len(names):
        return {}
    positions: dict[Any, list[int]] = {}
    for i, name in enumerate(names):
        positions.setdefault(name, []).append(i)
    return {name: at for name, at in positions.items() if len(at) > 1}


def natural_order(name: str) -> tuple[list[Any], str]:
    """Sort by text and by numbers in it: fold 2 before fold 10."""
    parts = re.split(r"(\d+)", name.casefold())
    return [_size(part) if i % 2 else part for i, part in enumerate(parts)], name


def _size(digits: str) -> tuple[int, str]:
    """Sort whole numbers by their value, also those of more digits than Python turns into one."""
    digits = digits.lstrip("0")
    return len(digits), digits
