"""Base classes of results: records, tests and estimates."""

from __future__ import annotations

__all__ = [
    "ClassifiersTestResult",
    "ConfidenceInterval",
    "EstimateResult",
    "EstimatedPair",
    "HypothesisTestResult",
    "PairsByName",
    "Record",
    "interval_of",
    "of_rows",
    "plain",
    "reasons",
    "report_module",
    "some_rows",
    "unbatch",
]

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from evalstats._errors import InvalidTypeError, InvalidValueError, not_among, short
from evalstats._labels import named, place_of
from evalstats._types import AnyArray, IndexArray

if TYPE_CHECKING:
    from evalstats._frames import DataFrame

OF_NUMPY = (np.ndarray, np.generic)
SCALARS = (bool, int, float, str, type(None))

AnyPair = TypeVar("AnyPair")

# maximum lengths of repr() and str(), in characters and in values: a few lines for every record
LONGEST, LONGEST_VALUE, MOST_VALUES, WHOLE_ARRAY = 900, 90, 3, 6
MOST_PAIRS = 10
# for an array with more entries, str() shows the first and the last entries of each axis
SHOWN_ENTRIES = 16


@dataclass(frozen=True, kw_only=True, eq=False)
class Record:
    """Frozen record of numbers. Fields whose names begin with an underscore are private.

    For one problem, the fields are plain Python numbers and text instead of 0-d arrays and numpy scalars. For a batch,
    they are arrays.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # dataclass() adds a __repr__ of all fields to each class without its own __repr__
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]  # to itself

    def __post_init__(self) -> None:
        values = vars(self)
        for name, value in values.items():
            if isinstance(value, OF_NUMPY) and value.ndim == 0 and name[0] != "_":
                values[name] = value.item()

    def __repr__(self) -> str:
        values = [f"{name}={_short(value)}" for name, value in self._public()]
        return f"{type(self).__name__}({_as_many_as_fit(values)})"

    def __str__(self) -> str:
        told = [(name, value) for name, value in _scalars(self) if name != "reason" and value not in (None, "")]
        arrays = [(name, value) for name, value in self._public() if _is_of_arrays(value)]
        if not arrays and (documents := report_module("documents")).kind_of(self) != "record":
            return str(documents.verdict(self))
        told = [*arrays, *told] if self._axes() else [*told, *arrays]
        values = ", ".join(f"{name} = {_rounded(value)}" for name, value in told[: 2 * MOST_VALUES])
        if not values:
            return repr(self)
        rows = of_rows(self._rows() or (), LONGEST - len(values) - 80)
        return f"{type(self).__name__}: {values}{rows}{self._reason()}"

    def to_dict(self) -> dict[str, Any]:
        """Return the public fields as plain Python values, with arrays as nested lists.

        Returns
        -------
        dict
            One entry per public field, in the order of the fields.
        """
        return {name: plain(value) for name, value in self._told()}

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the table of the record as columns of equal length with plain Python values.

        The table has one row for one problem, and a row for each problem of a batch. For a test of several pairs, it
        has a row for each pair, with the classifiers `first` and `second`. With a control, `second` is the control. For
        a comparison, it has a row for each of its `pairs`. The other columns contain the fields with one number or
        text, and the fields with one value for each row. If a field contains a record, each field of this record is a
        column (`interval_low`). Fields with several values for a row, such as the mean ranks of a test, are left out.

        Returns
        -------
        dict of str to list
        """
        rows = self._rows()
        return _of_one(self) if rows is None else _of_several(rows)

    def to_frame(self) -> DataFrame:
        """Return the table of the record as a pandas DataFrame: the columns of `to_columns`.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        EvalstatsError
            If pandas is not installed.
        """
        from evalstats._frames import data_frame

        return data_frame(self.to_columns())

    def _repr_html_(self) -> str:
        """Show the record in a notebook."""
        return str(report_module("formats.notebook").notebook_html(self))

    def _repr_markdown_(self) -> str:
        """Show the record in a notebook that is converted to Markdown."""
        return str(report_module("formats.notebook").notebook_markdown(self))

    def _public(self) -> Iterator[tuple[str, Any]]:
        return ((f.name, getattr(self, f.name)) for f in fields(self) if f.name[0] != "_")

    def _told(self) -> Iterator[tuple[str, Any]]:
        """Yield the public fields and the values that are computed on demand, for `to_dict` and the table."""
        return self._public()

    def _brief(self) -> dict[str, Any]:
        """Return `to_dict` without values that are slow to compute and rarely needed."""
        return self.to_dict()

    def _left_out_of_brief(self) -> str:
        """Return a sentence on the values that `_brief` omits, or an empty text."""
        return ""

    def _rows(self) -> Sequence[Record] | None:
        """Return the records that form the rows of the table, if the table consists of records."""
        return None

    def _axes(self) -> tuple[str, ...]:
        """Return the names of the last axes of the fields, such as ('first', 'second') for pairs."""
        return ()

    def _reason(self) -> str:
        reason = getattr(self, "reason", None)
        return f"\nreason: {reason}" if isinstance(reason, str) else ""


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfidenceInterval(Record):
    """Confidence interval of an estimated quantity.

    You can unpack it: ``low, high = interval``.

    Attributes
    ----------
    low, high : float or ndarray
        Limits, in the unit of the estimate; infinite on the open side of a one-sided interval.
    confidence_level : float
        Requested confidence level.
    attained_level : float or ndarray
        Attained confidence level. For an exact interval from a discrete statistic, the attained level is at least the
        requested level or, if this is impossible, the largest possible level. For other intervals, it is the requested
        level.
    seed : int or None
        Seed of the random numbers for the limits, or None if no random numbers were used or a Generator was passed.
    """

    low: Any
    high: Any
    confidence_level: float
    attained_level: Any
    seed: int | None = None

    def __str__(self) -> str:
        limits, asked = f"{_rounded(self.low)} to {_rounded(self.high)}", self.confidence_level
        if np.ndim(self.attained_level) or not self.attained_level < asked - 1e-12:
            return f"{limits} (confidence level {asked:g})"
        return f"{limits} (confidence level {self.attained_level:.3g}, not {asked:g}: the widest interval)"

    def __iter__(self) -> Iterator[Any]:
        yield self.low
        yield self.high


def interval_of(low: Any, high: Any, level: float, *, known: Any = True, seed: int | None = None) -> ConfidenceInterval:
    """Return an interval with the requested level; the limits and the level are NaN where `known` is False."""
    if known is not True:
        low, high = np.where(known, low, np.nan), np.where(known, high, np.nan)
    attained = np.where(np.isnan(low), np.nan, level)
    return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=attained, seed=seed)


@dataclass(frozen=True, kw_only=True, eq=False)
class HypothesisTestResult(Record):
    """Base class of the results of hypothesis tests. You can unpack it: ``statistic, pvalue = result``.

    For one problem, the fields are plain floats and strings. For a batch, they are arrays of the shape of the batch.

    Attributes
    ----------
    statistic : float or ndarray
        The test statistic. The statistic is the same quantity for every alternative.
    pvalue : float or ndarray
        The p-value. It is nan if the test is undefined. `reason` then gives the explanation. A p-value of nan never
        counts as a rejection.
    alternative : str
        ``'two-sided'``, ``'less'`` or ``'greater'``.
    method : str or ndarray of str
        The null distribution that was used.
    reason : str, None or ndarray of object
        None, or a sentence that explains a degenerate input.
    """

    statistic: Any
    pvalue: Any
    alternative: str
    method: Any
    reason: Any

    def __str__(self) -> str:
        choices = f"{_rounded(self.method)}, {self.alternative}"
        if self._axes() and np.ndim(self.pvalue) == len(self._axes()):
            return f"{type(self).__name__} ({choices}):{self._of_pairs()}{self._reason()}"
        values = f"statistic = {_rounded(self.statistic)}, p = {_rounded(self.pvalue)}"
        return f"{type(self).__name__}: {values} ({choices}){self._reason()}"

    def _of_pairs(self) -> str:
        """Format one line for each pair; for many pairs, format only the pairs with the smallest p-values."""
        pairs, n = some_rows(self, MOST_PAIRS)
        rows = zip(*(pairs[name] for name in ("first", "second", "statistic", "pvalue")), strict=True)
        lines = [f"\n{i} and {j}: statistic = {_rounded(s)}, p = {_rounded(p)}" for i, j, s, p in rows]
        left = f"\n... {n - MOST_PAIRS} more pairs with larger p-values" if n > MOST_PAIRS else ""
        return "".join(lines) + left

    def __iter__(self) -> Iterator[Any]:
        yield self.statistic
        yield self.pvalue


@dataclass(frozen=True, kw_only=True, eq=False)
class TestedPair(Record):
    """One pair of a test of several pairs.

    Attributes
    ----------
    first, second : int or column name
        The two classifiers: their names, or their positions if the scores have no names.
    statistic : float
        The statistic of the first classifier relative to the second.
    pvalue : float
        The p-value of the pair, adjusted as in the whole test.
    """

    first: Any
    second: Any
    statistic: float
    pvalue: float


@dataclass(frozen=True, kw_only=True, eq=False)
class EstimatedPair(Record):
    """One pair of an estimate for several pairs.

    Attributes
    ----------
    first, second : int or column name
        The two classifiers: their names, or their positions if the scores have no names.
    estimate : float
        The estimate for the first classifier relative to the second.
    standard_error : float
        Standard error of the estimate.
    """

    first: Any
    second: Any
    estimate: float
    standard_error: float


class PairsByName(Record, Generic[AnyPair]):
    """Base class of results from which two names select a pair."""

    classifiers: tuple[Any, ...] | None
    _of_pair: ClassVar[Any]  # the record of a pair, with the fields first and second and the fields of the values

    def __getitem__(self, names: tuple[Any, Any]) -> AnyPair:
        """Return one pair: ``result["a", "b"]``."""
        if np.shape(names) != (2,):
            raise InvalidTypeError(f"a pair has two classifiers, as in result['a', 'b'], not {short(names)}")
        return self.pair(*names)

    def pair(self, first: Any, second: Any) -> AnyPair:
        """Return the values for a pair of classifiers.

        Parameters
        ----------
        first, second : int or column name
            The two classifiers: their names, or, if the scores have no names, their positions.

        Returns
        -------
        Record
            The values of the first classifier relative to the second.

        Raises
        ------
        InvalidValueError
            If a classifier is unknown, both are the same, or `second` is not the control of the result. If the result
            is a batch or has no values of pairs.

        Examples
        --------
        >>> import pandas as pd
        >>> from evalstats.effects import pairwise_vargha_delaney_a
        >>> scores = pd.DataFrame({"nb": [0.80, 0.71, 0.70, 0.60], "svm": [0.91, 0.85, 0.73, 0.66], "tree": 0.7})
        >>> pairwise_vargha_delaney_a(scores).pair("svm", "nb").estimate
        0.75
        """
        values = self._values_of_pairs()
        axes, shape = self._axes(), np.shape(next(reversed(values.values())))
        if axes not in (("first", "second"), ("first",)) or len(shape) != len(axes):
            problem = "belongs to a batch, which contains this pair once for each problem" if axes else "has no pairs"
            raise InvalidValueError(f"{type(self).__name__} {problem}")
        k = shape[-1]
        known = range(k) if self.classifiers is None else self.classifiers
        for name in (first, second):
            if name not in known:
                raise InvalidValueError(not_among("each classifier of a pair", name, known))
        i, j = known.index(first), known.index(second)
        if i == j:
            raise InvalidValueError(f"a pair has two classifiers, but both are {short(first)}")
        if len(axes) == 1 and j != _place_of_control(self):
            raise InvalidValueError(
                f"the second classifier must be the control {short(getattr(self, 'control', None))}"
            )
        at = (i, j)[: len(axes)]
        names = {"first": named(i, self.classifiers), "second": named(j, self.classifiers)}
        found: AnyPair = self._of_pair(**names, **{name: np.asarray(value)[at] for name, value in values.items()})
        return found

    def _values_of_pairs(self) -> dict[str, Any]:
        """Return the values of all pairs, or of all pairs with the control, by the names of the fields of a pair."""
        return {field.name: getattr(self, field.name) for field in fields(self._of_pair)[2:]}


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassifiersTestResult(PairsByName[TestedPair], HypothesisTestResult):
    """Base class of the results of tests of several classifiers.

    Attributes
    ----------
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    """

    _of_pair: ClassVar[Any] = TestedPair

    classifiers: tuple[Any, ...] | None = None

    def to_matrix(self, field: str = "pvalue") -> DataFrame:
        """Return a field of a test of all pairs as a pandas DataFrame with classifiers as rows and columns.

        Parameters
        ----------
        field : str, default: 'pvalue'
            A field with a value for each pair.

        Returns
        -------
        pandas.DataFrame
            Data frame of shape (k, k).

        Raises
        ------
        EvalstatsError
            If pandas is not installed.
        InvalidValueError
            If the field does not have one value for each pair.
        """
        from evalstats._frames import data_frame

        values: Any = getattr(self, field, None)
        k = np.shape(self.pvalue)[-1:]
        if self._axes() != ("first", "second") or np.shape(values) != 2 * k:
            raise InvalidValueError(
                f"field must have a value for each pair of classifiers, but {short(field)} does not"
            )
        names = None if self.classifiers is None else list(self.classifiers)
        return data_frame(values, index=names, columns=names)


@dataclass(frozen=True, kw_only=True, eq=False)
class EstimateResult(Record):
    """Base class of estimates with a standard error.

    Attributes
    ----------
    estimate : float or ndarray
        The estimated quantity.
    standard_error : float or ndarray
        Standard error of the estimate, in the same unit.
    reason : str, None or ndarray of object
        None, or a sentence that explains a degenerate input.
    """

    estimate: Any
    standard_error: Any
    reason: Any

    def __str__(self) -> str:
        values = f"estimate = {_rounded(self.estimate)}, standard error = {_rounded(self.standard_error)}"
        return f"{type(self).__name__}: {values}{self._reason()}"


def reasons(shape: tuple[int, ...], *cases: tuple[Any, str]) -> Any:
    """Return the sentence of the first case whose condition is true, or None; for a batch, return an array.

    A case is a condition and its sentence. The condition is broadcast to the shape of the batch.
    """
    if not shape:
        return next((sentence for applies, sentence in cases if applies), None)
    result = np.full(shape, None, dtype=object)
    for applies, sentence in reversed(cases):
        result[np.broadcast_to(applies, shape)] = sentence
    return result


def unbatch(values: Any) -> Any:
    """Convert a 0-d array to a Python scalar; return every other value unchanged."""
    values = np.asarray(values)
    return values.item() if values.ndim == 0 else values


def report_module(name: str) -> Any:
    """Import and return a module of `evalstats.report`, which formats records."""
    return import_module(f"evalstats.report.{name}")


def plain(value: Any) -> Any:
    """Convert arrays, records and their contents to plain Python values."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist() if value.dtype != object else plain(value.tolist())
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return float(value) if isinstance(value, float) else value  # a tolerance is a number with more information


def _short(value: Any, *, nested: bool = False) -> str:
    """Format a value as Python does, shortened if it is long."""
    if isinstance(value, np.ndarray):
        text = _short_array(value)
    elif isinstance(value, Record):
        inner = (
            "..." if nested else ", ".join([f"{n}={_short(v, nested=True)}" for n, v in _scalars(value)[:2]] + ["..."])
        )
        text = f"{type(value).__name__}({inner})"
    elif isinstance(value, Mapping):
        items = [f"{key!r}: {_short(value[key], nested=True)}" for key in list(value)[:MOST_VALUES]]
        text = f"{{{_with_count(items, len(value))}}}"
    elif isinstance(value, tuple | list | set | frozenset):
        first = [_short(item, nested=True) for _, item in zip(range(MOST_VALUES), value, strict=False)]
        text = f"({_with_count(first, len(value))}{',' * (len(value) == 1)})"
    elif callable(value):
        text = getattr(value, "__name__", type(value).__name__)
    else:
        text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."


def _short_array(values: AnyArray) -> str:
    if values.ndim == 1 and values.size <= WHOLE_ARRAY:
        return f"array({np.array2string(values, separator=', ', max_line_width=LONGEST)})"
    first = [_rounded(value) for value in values.flat[:MOST_VALUES].tolist()]
    kind = "str" if values.dtype.kind == "U" else values.dtype.name
    return f"<{kind} array of shape {values.shape}: {_with_count(first, values.size)}>"


def _with_count(first: list[str], n: int) -> str:
    return ", ".join(first if len(first) == n else [*first, f"... {n} in all"])


def _as_many_as_fit(values: list[str]) -> str:
    """Join as many values as fit in the text, and count the remaining values."""
    lengths = np.cumsum([len(value) + 2 for value in values])
    n = int(np.searchsorted(lengths, LONGEST, side="right"))
    return ", ".join(values if n == len(values) else [*values[:n], f"... {len(values) - n} more fields"])


def _is_of_arrays(value: Any) -> bool:
    """Return whether a value is an array of numbers or a tuple of such arrays."""
    if isinstance(value, tuple):
        return bool(value) and _is_of_arrays(value[0])
    return isinstance(value, np.ndarray) and value.dtype.kind in "biuf"


def _rounded(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, np.ndarray):
        digits: Any = {"float_kind": _rounded}
        lines = np.array2string(value, separator=", ", threshold=SHOWN_ENTRIES, edgeitems=2, formatter=digits)
        left = f" ({value.size:,} values)" if value.size > SHOWN_ENTRIES else ""
        return " ".join(lines.split()) + left
    if _is_of_arrays(value):
        return f"({', '.join(map(_rounded, value))})"
    return value if isinstance(value, str) and len(value) <= LONGEST_VALUE else _short(value)


def of_rows(rows: Sequence[Record], longest: int = LONGEST) -> str:
    """Format a line for each record, with its numbers and text; for many records, format only the first that fit."""
    told = ([f"{name} = {_rounded(value)}" for name, value in _scalars(row) if value is not None] for row in rows)
    lines = [f"\n{_as_many_as_fit(one)}" for _, one in zip(range(MOST_PAIRS), told, strict=False)]
    n = int(np.searchsorted(np.cumsum([len(line) for line in lines]), longest, side="right"))
    return "".join(lines[:n]) + (f"\n... {len(rows) - n} more" if len(rows) > n else "")


def _scalars(record: Record) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in record._public() if isinstance(value, SCALARS)]


def some_rows(record: Record, most: int) -> tuple[dict[str, list[Any]], int]:
    """Return at most a given number of rows from a record's table, and the total number of rows.

    If the table has more rows, the rows with the smallest p-values are selected. Without p-values, evenly spaced rows
    are selected.
    """
    values = dict(_flat(record))
    shape = _shape_of_rows(record, values)
    at = _kept(record, shape)
    n, pvalue = len(at), values.get("pvalue")
    if n > most:
        order = np.linspace(0, n - 1, most).round().astype(int)
        if isinstance(pvalue, np.ndarray) and pvalue.shape == shape:
            order = np.argsort(pvalue.ravel()[at], kind="stable")[:most]
        at = at[np.sort(order)]
    return _columns(record, values, shape, at), n


def _of_one(record: Record) -> dict[str, list[Any]]:
    """Return the columns of the fields that have one value for each row."""
    values = dict(_flat(record))
    shape = _shape_of_rows(record, values)
    if not shape:
        return {name: [value] for name, value in values.items() if isinstance(value, SCALARS)}
    return _columns(record, values, shape, _kept(record, shape))


def _shape_of_rows(record: Record, values: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape of the first numeric field that has the axes of the record."""
    shapes = (np.shape(v) for v in values.values() if isinstance(v, np.ndarray | bool | int | float))
    return next((s for s in shapes if len(s) >= len(record._axes())), ())


def _kept(record: Record, shape: tuple[int, ...]) -> IndexArray:
    """Return the flat positions of the rows of the table: each pair once, and no pair of the control with itself."""
    kept, control = np.ones(shape, dtype=np.bool_), _place_of_control(record)
    if record._axes() == ("first", "second"):
        kept[...] = np.triu(np.ones(shape[-2:], dtype=np.bool_), 1)
    elif control is not None:
        kept[..., control] = False
    return np.flatnonzero(kept)


def _place_of_control(record: Record) -> int | None:
    """Return the position of the control of a record, or None if the record has no control."""
    if record._axes() != ("first",):
        return None
    place: int | None = place_of(getattr(record, "control", None), getattr(record, "classifiers", None))
    return place


def _columns(record: Record, values: Mapping[str, Any], shape: tuple[int, ...], at: IndexArray) -> dict[str, list[Any]]:
    """Return the columns of the rows at these flat positions."""
    axes, where, control = record._axes(), np.unravel_index(at, shape), _place_of_control(record)
    n_batch = len(shape) - len(axes)
    names = ["problem"] if n_batch == 1 else [f"problem_{i}" for i in range(n_batch)]
    places = {name: place.tolist() for name, place in zip([*names, *axes], where, strict=True)}
    if control is not None:
        places["second"] = [control] * len(at)
    columns = {name: _by_name(record, name, place) for name, place in places.items()}
    for name, value in values.items():
        if isinstance(value, SCALARS):
            columns[name] = [value] * len(at)
        elif value.shape in (shape, shape[:n_batch]):
            one_each = value.reshape(value.shape + (1,) * (len(shape) - value.ndim))
            columns[name] = np.broadcast_to(one_each, shape)[where].tolist()
    return columns


def _by_name(record: Record, axis: str, places: list[int]) -> list[Any]:
    """Replace positions along an axis with names if the record has them: `classifiers` for 'classifier' and pairs."""
    names = getattr(record, "classifiers" if axis in ("first", "second") else f"{axis}s", None)
    return [names[i] for i in places] if isinstance(names, tuple) else places


def _flat(record: Record, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the public fields with numbers, text or arrays, including the fields of nested records and tables."""
    for name, value in record._told():
        if name != "classifiers":  # the names of the rows
            yield from _named(f"{prefix}{name}", value)


def _named(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, Record):
        yield from _flat(value, f"{name}_")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _named(f"{name}_{key}", item)
    elif isinstance(value, tuple) and name.startswith("df"):
        yield from ((f"{name}_{i}", item) for i, item in enumerate(value, start=1))
    elif isinstance(value, SCALARS) or (isinstance(value, np.ndarray) and _is_plain(value)):
        yield name, value


def _is_plain(values: AnyArray) -> bool:
    return values.dtype != object or all(isinstance(value, SCALARS) for value in values.flat)


def _of_several(records: Iterable[Record]) -> dict[str, list[Any]]:
    """Concatenate the tables of several records; columns that a table lacks contain None."""
    parts = [_of_one(record) for record in records]
    names = dict.fromkeys(name for part in parts for name in part)
    lengths = [len(next(iter(part.values()), ())) for part in parts]
    return {
        name: [v for part, n in zip(parts, lengths, strict=True) for v in part.get(name, [None] * n)] for name in names
    }
