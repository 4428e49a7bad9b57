"""What evalstats refuses, and how a value is written into a message."""

from __future__ import annotations

__all__ = ["EvalstatsError", "EvalstatsWarning", "InvalidTypeError", "InvalidValueError", "short"]

from typing import Any


class EvalstatsError(Exception):
    """Anything evalstats refuses; every error it raises about an argument is one of these."""


class InvalidValueError(EvalstatsError, ValueError):
    """An argument of the right type has a value that would give a wrong number."""


class InvalidTypeError(EvalstatsError, TypeError):
    """An argument has a type that cannot be understood."""


class EvalstatsWarning(UserWarning):
    """A number is right but weak."""


def short(value: Any, limit: int = 80) -> str:
    """Return any value as a message shows it: on one line, and not longer than so many characters.

    Some values have no words, such as a whole number of 5,000 digits; then their type stands for them.
    """
    try:
        if type(value) is int and value.bit_length() > 4 * limit:
            return f"a whole number of {value.bit_length()} bits"
        written = " ".join(repr(value.item() if _is_scalar_of_numpy(value) else value).split())
    except Exception:  # whatever the repr of somebody's class raises
        return f"a value of the type {type(value).__name__}"
    return written if len(written) <= limit else written[: limit - 3] + "..."


def _is_scalar_of_numpy(value: Any) -> bool:
    return type(value).__module__ == "numpy" and not getattr(value, "shape", (0,)) and hasattr(value, "item")
