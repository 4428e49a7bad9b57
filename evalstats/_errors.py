"""Errors and warnings of evalstats, and the format of values in messages."""

from __future__ import annotations

__all__ = [
    "EvalstatsError",
    "EvalstatsWarning",
    "InvalidTypeError",
    "InvalidValueError",
    "bounded",
    "did_you_mean",
    "examples",
    "listed",
    "not_among",
    "short",
    "words_of",
]

from collections.abc import Callable, Iterable, Sequence
from typing import Any

# maximum number of characters of a message; a screen holds about 2,000
LONGEST_MESSAGE = 1_000
END_OF_MESSAGE = 300  # position of the fix


class EvalstatsError(Exception):
    """Base class of all errors of evalstats. Every error about an argument is a subclass."""

    def __str__(self) -> str:
        return bounded(super().__str__())


class InvalidValueError(EvalstatsError, ValueError):
    """An argument has the right type, but an invalid value."""


class InvalidTypeError(EvalstatsError, TypeError):
    """An argument has a type that is not supported."""


class EvalstatsWarning(UserWarning):
    """Warning about a result that is correct but must be interpreted with care."""

    def __str__(self) -> str:
        return bounded(super().__str__())


def bounded(message: str) -> str:
    """Return a message, without its middle part if the whole message would fill a screen."""
    if len(message) <= LONGEST_MESSAGE:
        return message
    return f"{message[: LONGEST_MESSAGE - END_OF_MESSAGE - 5]} ... {message[-END_OF_MESSAGE:]}"


def examples(items: Sequence[str], limit: int = 5) -> str:
    """Format the first items and the number of the remaining items."""
    more = f" and {len(items) - limit:,} more" if len(items) > limit else ""
    return ", ".join(items[:limit]) + more


def listed(values: Iterable[Any], limit: int = 10) -> str:
    """Format the first values for a message, with the number of the remaining values."""
    every = values if isinstance(values, Sequence) else list(values)
    return examples([short(value, 40) for value in every[:limit]] + [""] * (len(every) - limit), limit)


def not_among(argument: str, value: Any, names: Iterable[Any]) -> str:
    """Return the error message for an unknown name, with the most similar known name."""
    every = list(names)
    return f"{argument} must be one of {listed(every)}, not {short(value)}{did_you_mean(value, every)}"


def did_you_mean(value: Any, names: Iterable[Any], of: Callable[[Any], str] = lambda _: "") -> str:
    """Return the end of a message about an unknown name: the most similar name, or '' if there is none.

    ``of(name)`` returns text that follows the name.
    """
    import difflib  # only an error needs it

    known = {str(name).casefold(): name for name in names}
    found = difflib.get_close_matches(value.casefold(), known, n=1, cutoff=0.7) if isinstance(value, str) else []
    return f"; did you mean {short(known[found[0]], 40)}{of(known[found[0]])}?" if found else ""


def short(value: Any, limit: int = 80) -> str:
    """Format a value for a message on one line with a maximum length.

    If Python cannot format a value, such as an integer of 5,000 digits, describe its size or its type.
    """
    try:
        if type(value) is int and value.bit_length() > 4 * limit:
            return f"a whole number of {value.bit_length()} bits"
        written = " ".join(repr(value.item() if _is_scalar_of_numpy(value) else value).split())
    except Exception:  # any error of the repr of a user class
        return f"a value of the type {type(value).__name__}"
    return written if len(written) <= limit else written[: limit - 3] + "..."


def words_of(error: BaseException) -> str:
    """Return the message of an error, or '' if the error class cannot format it."""
    try:
        return str(error)
    except Exception:
        return ""


def _is_scalar_of_numpy(value: Any) -> bool:
    return type(value).__module__ == "numpy" and not getattr(value, "shape", (0,)) and hasattr(value, "item")
