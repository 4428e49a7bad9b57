"""Treatment of undefined scores, whose formula divides by zero.

``'warn'``: the value of scikit-learn, nearly always 0, with one warning for the whole batch that counts the undefined
scores; ``'zero'``: 0 without a warning; ``'nan'``: nan, and a class is left out of an average; ``'raise'``: an error
that names the first undefined score.
"""

from __future__ import annotations

__all__ = ["POLICIES", "fill_value", "policy", "report"]

import inspect
import math
import warnings
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import EvalstatsWarning, InvalidValueError
from evalstats._types import BoolArray

POLICIES = ("warn", "zero", "nan", "raise")


def policy(value: Any) -> str:
    """Return `value` if it is a policy for undefined scores."""
    return _checks.choice(value, "undefined", POLICIES)


def fill_value(policy: str, usual: float = 0.0) -> float:
    """Return the replacement of an undefined value; `usual` is the value of scikit-learn."""
    return {"warn": usual, "raise": usual, "zero": 0.0, "nan": math.nan}[policy]


def report(
    undefined: BoolArray,
    policy: str,
    *,
    function: str,
    when: str,
    usual: float = 0.0,
    averaged: bool = False,
    unit: str = "class",
) -> None:
    """Raise or warn, once for the whole batch, if a score is undefined and the policy requires it.

    Parameters
    ----------
    undefined : ndarray of bool, of the shape of the scores
        Which scores are undefined, or averages over something undefined.
    policy : str
        One of `POLICIES`.
    function : str
        The public function that was called.
    when : str
        Reason, as a clause that completes "undefined: ...".
    usual : float, default: 0.0
        Value of the undefined scores; nan in an average means that they were left out.
    averaged : bool, default: False
        Whether the scores are averages over classes, or over `unit`.
    """
    if policy in ("zero", "nan") or not undefined.any():
        return
    place = ""
    if undefined.ndim:
        first = ", ".join(str(i) for i in np.argwhere(undefined)[0])
        place = f" in {np.count_nonzero(undefined)} of {undefined.size} scores, first in [{first}]"
    article = "an" if unit[0] in "aeiou" else "a"
    what = f"{function} is undefined" + (f" for {article} {unit}" if averaged else "")
    sentence = f"{what}{place}: {when}"
    if policy == "raise":
        raise InvalidValueError(f"{sentence}; undefined='nan' or 'zero' gives such scores a value")
    if averaged:
        done = f"the {unit} is left out of the average" if math.isnan(usual) else f"the {unit} counts as {usual:g}"
    else:
        done = f"the score is set to {usual:g}"
    warnings.warn(
        f"{sentence}; {done} (undefined='zero', 'nan' or 'raise' chooses)", EvalstatsWarning, _callers_level()
    )


def _callers_level() -> int:
    """Return the stack level of the first caller outside of this package."""
    level, frame = 0, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("evalstats."):
        level, frame = level + 1, frame.f_back
    return level
