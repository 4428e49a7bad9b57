"""Results: the one idiom that every test and every estimate returns."""

from __future__ import annotations

__all__ = ["ConfidenceInterval", "EstimateResult", "HypothesisTestResult", "Record", "unbatch"]

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np


@dataclass(frozen=True, kw_only=True, eq=False)
class Record:
    """A frozen record of numbers; fields whose names begin with an underscore are for its own methods."""

    def to_dict(self) -> dict[str, Any]:
        """Return the public fields as plain Python values, arrays as nested lists.

        Returns
        -------
        dict
            One entry per public field, in the order of the fields.
        """
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self) if not f.name.startswith("_")}


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfidenceInterval(Record):
    """An interval that covers the estimated quantity with a stated confidence.

    ``low, high = interval`` works.

    Attributes
    ----------
    low, high : float or ndarray
        Limits, in the unit of the estimate; infinite on the open side of a one-sided interval.
    confidence_level : float
        The level asked for.
    attained_level : float or ndarray
        The level the interval really has. An exact interval of a discrete statistic has at least the level asked
        for, or, where no interval reaches it, the largest that exists; otherwise it is the level asked for.
    """

    low: Any
    high: Any
    confidence_level: float
    attained_level: Any

    def __iter__(self) -> Iterator[Any]:
        yield self.low
        yield self.high


@dataclass(frozen=True, kw_only=True, eq=False)
class HypothesisTestResult(Record):
    """What every hypothesis test returns; ``statistic, pvalue = result`` works.

    One problem gives plain floats and strings; a batch gives arrays of the leading shape.

    Attributes
    ----------
    statistic : float or ndarray
        The test statistic. It is the same quantity whatever the alternative.
    pvalue : float or ndarray
        The p-value; nan where the test does not apply, and then `reason` says why. A nan never counts as a rejection.
    alternative : str
        ``'two-sided'``, ``'less'`` or ``'greater'``.
    method : str or ndarray of str
        The null distribution really used.
    reason : str, None or ndarray of object
        None, or a sentence when the input was degenerate.
    """

    statistic: Any
    pvalue: Any
    alternative: str
    method: Any
    reason: Any

    def __iter__(self) -> Iterator[Any]:
        yield self.statistic
        yield self.pvalue


@dataclass(frozen=True, kw_only=True, eq=False)
class EstimateResult(Record):
    """What every estimate with a standard error returns.

    Attributes
    ----------
    estimate : float or ndarray
        The estimated quantity.
    standard_error : float or ndarray
        Its standard error, in the same unit.
    reason : str, None or ndarray of object
        None, or a sentence when the input was degenerate.
    """

    estimate: Any
    standard_error: Any
    reason: Any


def unbatch(values: Any) -> Any:
    """Turn a 0-d array into the Python scalar it holds; leave every other array alone."""
    values = np.asarray(values)
    return values.item() if values.ndim == 0 else values


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return float(value) if isinstance(value, float) else value  # a tolerance is one that knows more
