"""Former names of arguments, which still work with a warning."""

from __future__ import annotations

__all__ = ["renamed_arguments"]

import functools
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from evalstats._errors import InvalidTypeError

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def renamed_arguments(
    *, removed_in: str, **new_names: str
) -> Callable[[Callable[_Arguments, _Result]], Callable[_Arguments, _Result]]:
    """Let a function accept former names of its keyword arguments.

    The signature shows the new names only.

    Parameters
    ----------
    removed_in : str
        Version in which the old names are removed.
    **new_names : str
        The new name of each old one.

    Returns
    -------
    callable
        A decorator. A call with an old name gives a FutureWarning, which Python shows by default. A call with both
        names is an InvalidTypeError.

    Examples
    --------
    >>> @renamed_arguments(removed_in="2.0", items="questions")
    ... def score(*, questions):
    ...     return questions / 10
    >>> score(questions=7)
    0.7
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     score(items=7)
    0.7
    >>> str(caught[0].message)
    'score(): items= is called questions= now; items= is removed in version 2.0'
    """

    def decorate(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
        @functools.wraps(function)
        def renaming(*args: Any, **kwargs: Any) -> _Result:
            for old in new_names.keys() & kwargs:
                new = new_names[old]
                if new in kwargs:
                    raise InvalidTypeError(f"{function.__name__}() got {new}= and {old}=, its old name: pass {new}=")
                problem = f"{old}= is called {new}= now; {old}= is removed in version {removed_in}"
                warnings.warn(f"{function.__name__}(): {problem}", FutureWarning, stacklevel=2)
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return renaming

    return decorate
