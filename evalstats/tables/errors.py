"""Errors about tables: the fault, its place, and the fix."""

from __future__ import annotations

__all__ = ["GROUPS", "TableError", "TableNotFoundError", "asked", "first_line_of", "short", "visible"]

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from evalstats import _errors
from evalstats._checks import EvalstatsError, InvalidValueError
from evalstats._errors import bounded

_OTHERS = (
    "dataset",
    "classifier",
    "metric",
    "score",
    "fold",
    "repeat",
    "greater_is_better",
    "sheet",
)  # named without a value
_ROWS = ("datasets", "folds", "runs", "instances", "questions")  # values of rows_are
# arguments of `read_table` that are given together, by the argument that takes them
GROUPS = {
    "columns": (
        *("dataset", "classifier", "score", "repeat", "fold"),
        *("instance", "y_true", "y_pred", "y_score"),
        *("question", "cluster", "stratum", "subgroup"),
    ),
    "parsing": (
        *("delimiter", "decimal", "thousands", "encoding"),
        *("sheet", "rows", "header_rows", "transpose", "n_folds"),
    ),
}
# arguments whose values are not text
_PLAIN = (
    "header_rows",
    "transpose",
    "n_folds",
    "allow_unequal_samples",
    "accept_scores",
    "same_order",
    "greater_is_better",
)
LONGEST_TYPED = 200  # characters of a value that a message offers


class TableError(InvalidValueError):
    """A source cannot be read as a table of scores.

    Attributes
    ----------
    problem : str
        Fault and its place.
    hint : str
        What to do. ``{}`` is the place of the argument of `read_table`, ``{keep}`` and ``{thousands}`` the places of
        `keep` and `thousands` with the same value, ``{metric}`` or the like the place of another argument, and
        ``{folds}`` or ``{wide}`` or the like the place of `rows_are` or `layout` with that value; may be empty.
    argument : str
        That argument; may be empty.
    value : str or tuple of str
        Value or values to try; it may be empty.
    code : str
        Name of the declared rule that rejects the source, such as ``'training-log'``; empty for other errors.
    """

    def __init__(
        self, problem: str, hint: str = "", argument: str = "", value: str | tuple[str, ...] = "", *, code: str = ""
    ) -> None:
        super().__init__(problem, hint, argument, value)
        self.code = code
        self.problem, self.hint, self.argument = problem, hint, argument
        is_short = len(value if isinstance(value, str) else "".join(value)) <= LONGEST_TYPED
        self.value = value if is_short else ""  # nobody types a name of 5,000 digits

    def __str__(self) -> str:
        return self.message(_keyword)

    def message(self, write: Callable[[str, Any], str]) -> str:
        """Return the whole sentence; ``write(argument, value)`` says how an argument is given."""
        if not self.hint:
            return bounded(self.problem)
        others = {name: write(name, "") for name in _OTHERS}
        others |= {rows: write("rows_are", rows) for rows in _ROWS}
        others |= {layout: write("layout", layout) for layout in ("wide", "long", "predictions", "answers")}
        others |= {
            "transpose": write("transpose", "True"),
            "keep": write("keep", self.value),
            "thousands": write("thousands", self.value),
            "one_header": write("header_rows", "1"),
            "lower": write("greater_is_better", "False"),
        }
        others |= {name.replace("-", "_"): write("missing", name) for name in ("skillings-mack", "drop-datasets")}
        hint = self.hint.format(write(self.argument, self.value), **others)
        return bounded(f"{self.problem}; {hint}")


def _keyword(argument: str, value: str | tuple[str, ...]) -> str:
    """Write an argument as Python does; some arguments are not text."""
    if not isinstance(value, str):
        return f"{argument}={list(value)!r}"
    group = next((group for group, names in GROUPS.items() if argument in names), None)
    written = value if argument in _PLAIN else repr(value) if value else ""
    return f"{argument}={written}" if group is None else f"{group}={{{argument!r}: {written or '...'}}}"


class TableNotFoundError(EvalstatsError, FileNotFoundError):
    """The path of a table does not lead to a file."""


def short(value: Any) -> str:
    """Return the value as a message shows it: on one line and not longer than 40 characters."""
    return _errors.short(value, 40)


def visible(text: str) -> str:
    """Return a text of one line in which every character can be seen and written."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def first_line_of(error: Exception) -> str:
    """Return the first line of the message of an error, or its type."""
    return visible(str(error).strip().partition("\n")[0]) or type(error).__name__


@contextmanager
def asked(name: str) -> Iterator[None]:
    """Convert any exception of an engine, such as a dead worker or a failed partition, to one sentence."""
    try:
        yield
    except (EvalstatsError, MemoryError):
        raise
    except Exception as error:  # each engine has its own errors
        kind, reason = type(error).__name__, str(error).strip().partition("\n")[0]
        words = f"{kind} {_errors.short(visible(reason))}" if reason else kind
        raise TableError(f"{name} cannot be read: {words}") from error
