"""Errors about tables, with the problem, its place and the fix."""

from __future__ import annotations

__all__ = ["GROUPS", "TableError", "TableNotFoundError", "asked", "first_line_of", "short", "visible"]

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from evalstats import _errors
from evalstats._errors import EvalstatsError, InvalidValueError, bounded

# named without a value
_OTHERS = (
    *("dataset", "classifier", "metric", "score", "fold", "repeat"),
    *("cluster", "greater_is_better", "sheet", "y_true"),
)
_ROWS = ("datasets", "folds", "runs", "instances", "questions")  # values of rows_are
# arguments of `read_table` that are given in a dict, by the name of the dict
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
    """Error for a source that cannot be read as a table of scores.

    Attributes
    ----------
    problem : str
        Fault and its place.
    hint : str
        Fix, or an empty text. ``{}`` is replaced by `argument` with `value`. ``{keep}``, ``{thousands}`` and
        ``{as_cluster}`` are replaced by the arguments `keep`, `thousands` and `cluster` with `value`. ``{metric}`` is
        replaced by the argument `metric`, and ``{folds}`` or ``{wide}`` by `rows_are` or `layout` with this value.
    argument : str
        Name of the argument of `read_table` to pass, or an empty text.
    value : str or tuple of str
        Suggested value or values, or an empty text.
    code : str
        Name of the declared rule that rejects the source, such as ``'training-log'``, or ``''`` for other errors.
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
        """Return the complete message. ``write(argument, value)`` returns the text of an argument."""
        if not self.hint:
            return bounded(self.problem)
        others = {name: write(name, "") for name in _OTHERS}
        others |= {rows: write("rows_are", rows) for rows in _ROWS}
        others |= {layout: write("layout", layout) for layout in ("wide", "long", "predictions", "answers")}
        others |= {
            "transpose": write("transpose", "True"),
            "not_transposed": write("transpose", "False"),
            "keep": write("keep", self.value),
            "as_cluster": write("cluster", self.value),
            "thousands": write("thousands", self.value),
            "one_header": write("header_rows", "1"),
            "lower": write("greater_is_better", "False"),
        }
        others |= {name.replace("-", "_"): write("missing", name) for name in ("skillings-mack", "drop-datasets")}
        hint = self.hint.format(write(self.argument, self.value), **others)
        return bounded(f"{self.problem}; {hint}")


def _keyword(argument: str, value: str | tuple[str, ...]) -> str:
    """Format an argument as Python code. The values of some arguments are not text."""
    if not isinstance(value, str):
        return f"{argument}={list(value)!r}"
    group = next((group for group, names in GROUPS.items() if argument in names), None)
    written = value if argument in _PLAIN else repr(value) if value else ""
    return f"{argument}={written}" if group is None else f"{group}={{{argument!r}: {written or '...'}}}"


class TableNotFoundError(EvalstatsError, FileNotFoundError):
    """Error for a path that does not lead to a file."""


def short(value: Any) -> str:
    """Return a value as text on one line of at most 40 characters."""
    return _errors.short(value, 40)


def visible(text: str) -> str:
    """Replace invisible characters of a string by escape sequences."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def first_line_of(error: Exception) -> str:
    """Return the first line of the message of an error, or the type of the error if the message is empty."""
    return visible(str(error).strip().partition("\n")[0]) or type(error).__name__


@contextmanager
def asked(name: str) -> Iterator[None]:
    """Convert any exception of an engine, such as a failed partition, to a `TableError`."""
    try:
        yield
    except (EvalstatsError, MemoryError):
        raise
    except Exception as error:  # each engine has its own errors
        kind, reason = type(error).__name__, _reason_of(str(error))
        words = f"{kind} {_errors.short(visible(reason))}" if reason else kind
        raise TableError(f"{name} cannot be read: {words}") from error


def _reason_of(message: str) -> str:
    """Return the line that states the fault. Messages of Spark begin with lines that only name a call."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    causes = [re.sub(r"^Caused by: (?:[\w.$]+: )?", "", line) for line in lines if line.startswith("Caused by: ")]
    return next(iter(causes or [line for line in lines if not line.endswith(":")] or lines), "")
