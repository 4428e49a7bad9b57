"""Which number does a publication print, of which classifier, and with how many decimals?"""

from __future__ import annotations

__all__ = ["PrintedNumber", "named_values", "printed_number", "printed_table"]

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats._types import FloatArray
from evalstats.multiple.published_rank_bounds import decimals_of

_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,](\d*))?|[.,](\d+))")


class PrintedNumber(NamedTuple):
    """A number, half a unit of its last decimal, and how it is written."""

    value: float
    half: float
    written: str


def named_values(values: Any, names: Any, argument: str) -> tuple[Any, Any]:
    """Return values, and the names that a dict, a Series or a data frame gives them where none are given."""
    if isinstance(values, Mapping):
        own: list[Any] = list(values)
        if not all(isinstance(name, str) for name in own):
            raise InvalidTypeError(f"the keys of {argument} must be names, not {short(own)}")
        if names is not None and (isinstance(names, str) or list(names) != own):
            raise InvalidValueError(
                f"names must be left out, or be the keys of {argument} in their order, {short(own)}; not {short(names)}"
            )
        return list(values.values()), own
    labels = getattr(values, "columns", getattr(values, "index", None)) if hasattr(values, "iloc") else None
    if names is None and labels is not None and not _labels.only_counts(labels):
        own = list(labels)
        names = own if all(isinstance(name, str) for name in own) and len(set(own)) == len(own) else None
    return values, names


def printed_table(values: Any, argument: str) -> tuple[FloatArray, FloatArray | None]:
    """Return numbers, and how many decimals each is written with; None where they are not written as texts."""
    array = values if isinstance(values, np.ndarray) else _checks.regular(values, argument)
    written = array.dtype.kind in "US" or (
        array.dtype.kind == "O" and any(isinstance(one, str | Decimal) for one in array.ravel().tolist())
    )
    if not written:
        return _checks.numbers(values, argument), None
    numbers, decimals = np.empty(array.shape), np.zeros(array.shape)
    for at in np.ndindex(array.shape):
        place = f"{argument}[{', '.join(map(str, at))}]" if at else argument
        numbers[at], decimals[at] = _number_and_decimals(array[at], place)
    return numbers, decimals


def printed_number(value: Any, argument: str) -> PrintedNumber:
    """Return one number; a text tells its decimals, a float has one or more, and a whole number has none."""
    if isinstance(value, str | Decimal):
        number, decimals = _number_and_decimals(value, argument)
        return PrintedNumber(number, 0.5 * 10.0**-decimals, str(value).strip())
    array = _checks.finite(_checks.numbers(value, argument), argument)
    if array.ndim:
        raise InvalidValueError(f"{argument} must be one number, not {short(value)}")
    is_float = np.asarray(value).dtype.kind == "f"
    decimals = max(decimals_of(array.reshape(1)), int(is_float))
    return PrintedNumber(float(array), 0.5 * 10.0**-decimals, f"{float(array):g}")


def _number_and_decimals(value: Any, place: str) -> tuple[float, int]:
    if not isinstance(value, str | Decimal):
        own = _checks.real(value, place)
        return own, decimals_of(np.array([own])) if math.isfinite(own) else 0
    text = str(value).strip()
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise InvalidTypeError(f"{place.split('[', maxsplit=1)[0]} must be numbers, but {place} is {short(value)}")
    return float(text.replace(",", ".")), len(found[1] or found[2] or "")
