"""What evalstats refuses, and how a value is written into a message."""

from __future__ import annotations

__all__ = ["EvalstatsError", "EvalstatsWarning", "InvalidTypeError", "InvalidValueError"]


class EvalstatsError(Exception):
    """Anything evalstats refuses; every error it raises about an argument is one of these."""


class InvalidValueError(EvalstatsError, ValueError):
    """An argument of the right type has a value that would give a wrong number."""


class InvalidTypeError(EvalstatsError, TypeError):
    """An argument has a type that cannot be understood."""


class EvalstatsWarning(UserWarning):
    """A number is right but weak."""
