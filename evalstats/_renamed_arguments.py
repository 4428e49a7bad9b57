"""Former names of arguments, which are accepted until the next major version."""

from __future__ import annotations

__all__ = ["renamed_arguments"]

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from evalstats._errors import InvalidTypeError

P = ParamSpec("P")
R = TypeVar("R")


def renamed_arguments(removed_in: str, **names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts the former names of keyword arguments, with a warning.

    Parameters
    ----------
    removed_in : str
        The version of evalstats that removes the former names.
    **names : str
        The current name for each former name.

    Raises
    ------
    InvalidTypeError
        If a call has both names of an argument.

    Examples
    --------
    >>> @renamed_arguments("2.0", level="alpha")
    ... def test(scores, *, alpha=0.05):
    ...     return alpha
    >>> test([1, 2], alpha=0.01)
    0.01
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for former in names.keys() & kwargs.keys():
                name = names[former]
                if name in kwargs:
                    raise InvalidTypeError(
                        f"{function.__name__} takes {name} or its former name {former}, but both are given"
                    )
                warnings.warn(
                    f"{function.__name__}: the argument {former} is now called {name}; evalstats {removed_in} removes "
                    "the former name",
                    FutureWarning,
                    stacklevel=2,
                )
                kwargs[name] = kwargs.pop(former)
            return function(*args, **kwargs)

        return call

    return decorated
