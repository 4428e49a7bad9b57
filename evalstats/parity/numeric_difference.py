"""Differences between the results of evalstats and R."""

from __future__ import annotations

__all__ = ["Mismatch", "OurAnswer", "answer", "compare", "failure"]

import importlib
import inspect
import math
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats._errors import EvalstatsWarning, InvalidValueError
from evalstats._result import ConfidenceInterval, Record
from evalstats._types import FloatArray
from evalstats.parity.reference_cases import Case

_ROUNDING = 1e-14
# every other field is a count, a rank, a probability or a ratio, whose size does not depend on the unit of the scores
_IN_UNITS_OF_THE_DATA = frozenset((
    *("confidence_interval", "hodges_lehmann", "mean_difference", "standard_error"),
    *("stratum_differences", "stratum_means"),
))  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class Mismatch(Record):
    """One field on which R and evalstats disagree.

    Attributes
    ----------
    case : str
        ``subpackage/module/function/case``.
    source : str
        ``'frozen'``, ``'live'`` or ``'generated'``.
    field : str
        Name of the field or method, or ``''`` if R or evalstats gave no result.
    ours, r : value
        Results of evalstats and R; strings for text.
    difference : float
        ``|ours - r|``; for several numbers, the difference that exceeds the tolerance most. It is infinite if the
        results have different types.
    tolerance : float
        Largest difference allowed: the larger of the absolute tolerance and the relative tolerance times the number.
    arguments : mapping of str to value
        Arguments of both calls.
    """

    case: str
    source: str
    field: str
    ours: Any
    r: Any
    difference: float
    tolerance: float
    arguments: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class OurAnswer(Record):
    """Result of evalstats for one case: the result of the function and the remaining arguments for its methods."""

    result: Any
    further: Mapping[str, Any]

    def field(self, name: str) -> Any:
        """Return a field, or the result of the method with this name. A plain result has the single field ``value``."""
        if not isinstance(self.result, Record):
            if name == "value":
                return self.result
            raise InvalidValueError(
                f"the result is a {type(self.result).__name__}, so the R result may have the field 'value' only"
            )
        if not hasattr(self.result, name):
            raise InvalidValueError(f"{type(self.result).__name__} has no field {name}")
        value = getattr(self.result, name)
        if callable(value):
            value = value(**_taken_by(value, self.further))
        return (value.low, value.high) if isinstance(value, ConfidenceInterval) else value

    def left_over(self) -> set[str]:
        """Return the arguments that neither the function nor a public method of the result uses."""
        methods = [getattr(self.result, name) for name in dir(self.result) if self.further and not name.startswith("_")]
        return set(self.further).difference(
            *(_taken_by(method, self.further) for method in methods if callable(method))
        )


def answer(case: Case) -> OurAnswer:
    """Call the function of a case, which its module or the public API contains."""
    function = _function(case)
    mine = _taken_by(function, case.arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EvalstatsWarning)  # the number is right but weak
        result = function(**{name: np.asarray(value) if _is_data(value) else value for name, value in mine.items()})
    return OurAnswer(result=result, further={name: value for name, value in case.arguments.items() if name not in mine})


def compare(case: Case, ours: OurAnswer, theirs: Mapping[str, Any], source: str) -> tuple[float, tuple[Mismatch, ...]]:
    """Return the largest difference over all fields of the R result, and the fields in which it is too large."""
    largest, mismatches = 0.0, []
    if unused := ours.left_over():
        words = f"neither the function nor a method of its result has the parameter {', '.join(sorted(unused))}"
        mismatches.append(failure(case, source, ours=words, r=dict(theirs)))
    for field, r in theirs.items():
        try:
            mine = ours.field(field)
        except Exception as error:  # any error of our method is our result
            mismatches.append(failure(case, source, field=field, ours=error, r=r))
            continue
        tolerance, absolute = case.allowed(field)
        relative, difference, allowed = _apart(mine, r, tolerance, max(absolute, _noise(field, case.arguments)))
        largest = max(largest, relative)
        if relative > tolerance:
            mismatches.append(_mismatch(case, source, field, ours=mine, r=r, difference=difference, tolerance=allowed))
    return largest, tuple(mismatches)


def failure(case: Case, source: str, *, field: str = "", ours: Any = "not computed", r: Any = "no result") -> Mismatch:
    """Return the mismatch of a case in which R or evalstats raised an error."""
    tolerance = case.allowed(field)[0]
    return _mismatch(case, source, field, ours=_words(ours), r=_words(r), difference=math.inf, tolerance=tolerance)


def _mismatch(
    case: Case, source: str, field: str, *, ours: Any, r: Any, difference: float, tolerance: float
) -> Mismatch:
    return Mismatch(
        case=case.identity,
        source=source,
        field=field,
        ours=ours,
        r=r,
        difference=difference,
        tolerance=tolerance,
        arguments=dict(case.arguments),
    )


def _words(value: Any) -> Any:
    return f"{type(value).__name__}: {value}" if isinstance(value, BaseException) else value


def _function(case: Case) -> Callable[..., Any]:
    module = importlib.import_module(f"evalstats.{case.stem.replace('/', '.')}")
    public = importlib.import_module("evalstats")
    function = getattr(module, case.function, None) or getattr(public, case.function, None)
    if function is None:
        raise InvalidValueError(f"neither {module.__name__} nor evalstats has a function {case.function}")
    return function  # type: ignore[no-any-return]  # looked up by name


def _taken_by(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    names = inspect.signature(function).parameters
    return {name: value for name, value in arguments.items() if name in names}


def _apart(ours: Any, theirs: Any, tolerance: float, absolute: float) -> tuple[float, float, float]:
    """Return the largest relative difference between two values, the absolute difference, and the tolerance.

    The differences are 0 if the values are equal, and infinite if they have different types.
    """
    unlike = math.inf, math.inf, tolerance
    if _holds_words(theirs) or _holds_words(ours):
        same = _holds_words(theirs) and _holds_words(ours) and _plain(ours) == _plain(theirs)
        return (0.0, 0.0, tolerance) if same else unlike
    if (a := np.asarray(ours)).dtype.kind not in "iuf":
        return unlike
    a, b = a.astype(np.float64), np.asarray(theirs, dtype=np.float64)
    if b.ndim == 0 and a.shape == (1,):  # in R, every number is a vector
        b = b.reshape(1)
    if a.shape != b.shape:
        return unlike
    shares = _relative(a, b, absolute / tolerance)
    if not (share := float(np.max(shares, initial=0.0))) < math.inf:
        return unlike
    if share == 0:
        return 0.0, 0.0, tolerance
    worst = np.argmax(shares)
    x, y = float(a.flat[worst]), float(b.flat[worst])
    return share, abs(x - y), max(absolute, tolerance * max(abs(x), abs(y)))


def _relative(a: FloatArray, b: FloatArray, smallest: float) -> FloatArray:
    """Return abs(a - b) / max(abs(a), abs(b), smallest), or 0 for adjacent subnormal floats.

    Floats below 2e-308 have few digits: 5e-324 and 1e-323 are as close as possible. For very small tail probabilities,
    R returns 0, whereas a p-value of evalstats is at least 5e-324.
    """
    with np.errstate(all="ignore"):
        is_tiny = (a != 0) & (np.abs(a) < sys.float_info.min)
        same = (a == b) | (np.isnan(a) & np.isnan(b)) | (is_tiny & ((b == 0) | (np.abs(a - b) <= math.ulp(0.0))))
        relative = np.abs(a - b) / np.maximum(np.maximum(np.abs(a), np.abs(b)), smallest)
    return np.where(same, 0.0, np.where(np.isfinite(a) & np.isfinite(b) & np.isfinite(relative), relative, np.inf))


def _noise(field: str, arguments: Mapping[str, Any]) -> float:
    """Return the absolute difference that rounding error may cause in a field.

    For example, a true zero may be 1e-17 in evalstats and -3e-17 in R. An interval limit may be the small difference of
    two large numbers. P-values have no such tolerance, because even very small p-values are meaningful.
    """
    if "pvalue" in field or field == "value":
        return 0.0
    return _ROUNDING * (_size(arguments) if field in _IN_UNITS_OF_THE_DATA else 1.0)


def _size(arguments: Mapping[str, Any]) -> float:
    sizes = [np.abs(np.asarray(value, dtype=np.float64)) for value in arguments.values() if _is_data(value)]
    return max((float(np.max(size, initial=0.0, where=np.isfinite(size))) for size in sizes), default=1.0)


def _is_data(value: Any) -> bool:
    return isinstance(value, list | tuple) and not _holds_words(value)


def _holds_words(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_holds_words, value))
    return isinstance(value, str | bool | np.bool_) or (isinstance(value, np.ndarray) and value.dtype.kind in "USOb")


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value
