"""Encoding of class labels as integers.

Labels are integers, booleans, text or any other hashable objects of one type. Two arrays of labels must have the same
type. False and True also count as 0 and 1.
"""

from __future__ import annotations

__all__ = [
    "BOOLEANS",
    "NUMBERS",
    "Codes",
    "Labels",
    "blocks",
    "both_equal",
    "cases_of",
    "class_codes",
    "distinct",
    "fits",
    "given_classes",
    "in_order",
    "one_is_usual",
    "positive_cases",
    "refuse_one_class",
    "same_kind",
    "shown",
    "understand",
    "within",
]

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._types import AnyArray, BoolArray, IndexArray, IntArray

Index = tuple[slice, ...]
LARGEST_LABEL = 2.0**63
# elements of a block: a few arrays of this length fit into the second-level cache
BLOCK = 2**16
# integers with a smaller range than this are looked up in a table
LARGEST_TABLE = 2**20
NUMBERS, BOOLEANS, TEXT, MISSING = "numbers", "booleans", "text", "missing labels"
KIND_OF_DTYPE = {"b": BOOLEANS, "i": NUMBERS, "u": NUMBERS, "U": TEXT, "S": "bytes"}


class Labels(NamedTuple):
    """A validated array of labels: it is not empty, no label is missing, and all labels have one type."""

    array: AnyArray
    kind: str
    name: str


class Codes(NamedTuple):
    """Labels as integers: ``codes.of(block)`` returns the class indexes, 0 to ``size - 1``, of a block of labels."""

    of: Callable[[Index], AnyArray]
    size: int
    shape: tuple[int, ...]


def understand(value: Any, name: str) -> Labels:
    """Return `value` as labels, or raise an error that names an element that is not a label."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        place, _ = _first(np.ma.getmaskarray(value), name, bool)
        raise InvalidValueError(f"{name} must not contain missing labels, but {place} is masked")
    array = _checks.regular(value, name)
    if array.ndim == 0:
        raise InvalidValueError(f"{name} must have at least one axis, but it is the single label {short(array.item())}")
    if array.size == 0:
        raise InvalidValueError(f"{name} must hold at least one label, but its shape is {array.shape}")
    if array.dtype.kind in "US" and isinstance(value, list | tuple):
        array = np.array(value, dtype=object)  # NumPy has converted numbers and nan among text to text
    if array.dtype.kind in "OT":
        return _from_objects(array.astype(object, copy=False), name)
    if array.dtype.kind == "f":
        return Labels(_whole(array, name), NUMBERS, name)
    if array.dtype.kind not in KIND_OF_DTYPE:
        raise InvalidTypeError(
            f"{name} must hold labels (whole numbers, booleans, text or other hashable objects), not {array.dtype}"
        )
    return Labels(array.astype(array.dtype.newbyteorder("="), copy=False), KIND_OF_DTYPE[array.dtype.kind], name)


def given_classes(labels: Any, kind: str) -> list[Any]:
    """Return the classes that the user listed, which must be distinct and have the type of the data."""
    listed = _checks.listed(labels, "labels", "classes")
    understood = understand(np.fromiter(listed, dtype=object, count=len(listed)), "labels")
    if not _compatible(understood.kind, kind):
        raise InvalidTypeError(
            f"labels must be of the same kind as the data, but labels holds {understood.kind} and the data hold {kind}"
        )
    classes = understood.array.tolist()
    if len(set(classes)) < len(classes):
        twice = next(c for i, c in enumerate(classes) if c in classes[:i])
        raise InvalidValueError(f"labels must be distinct, but {short(twice)} occurs twice")
    return list(classes)


def fits(label: Any, kind: str) -> bool:
    """Return whether a label has the type of the data."""
    return _compatible(_kind(label), kind)


def same_kind(first: Labels, second: Labels) -> str:
    """Return the common type of two arrays of labels, or raise an error if their labels can never be equal."""
    if first.kind == second.kind:
        return first.kind
    if {first.kind, second.kind} == {BOOLEANS, NUMBERS}:
        numbers = first if first.kind == NUMBERS else second
        if distinct(numbers) <= {0, 1}:
            return NUMBERS
    raise InvalidTypeError(
        f"{first.name} and {second.name} must hold labels of one kind, but {first.name} holds {first.kind} "
        f"(such as {first.array.flat[0]!s}) and {second.name} holds {second.kind} (such as {second.array.flat[0]!s})"
    )


def distinct(labels: Labels) -> set[Any]:
    """Return the distinct labels."""
    array = labels.array
    if labels.kind in (NUMBERS, BOOLEANS):
        low, high = int(array.min()), int(array.max())
        if _fit_a_table(low, high):
            seen = np.zeros(high - low + 1, dtype=bool)
            for block in blocks(array.shape):
                seen[_shifted(array[block], low)] = True
            return {low + int(i) for i in np.flatnonzero(seen)}
    found: set[Any] = set()
    for block in blocks(array.shape):
        found.update(array[block].ravel().tolist())
    return found


def in_order(classes: Iterable[Any]) -> list[Any]:
    """Return the sorted classes, or raise an error if they cannot be sorted."""
    try:
        return sorted(classes)
    except TypeError as error:
        raise InvalidTypeError(f"the classes cannot be sorted, so labels must list them: {shown(classes)}") from error


def class_codes(labels: Labels, classes: Sequence[Any]) -> Codes:
    """Return the class indexes of labels. An unknown label raises an error as soon as its block is read."""
    array = labels.array
    of = _by_order if array.dtype.kind in "US" else _by_name
    if array.dtype.kind in "biu":
        low, high = int(min(classes)), int(max(classes))
        if low == 0 and list(classes) == list(range(len(classes))):
            of = _by_value
        elif _fit_a_table(low, high):
            of = _by_table
    return Codes(of(labels, classes), len(classes), array.shape)


def both_equal(first: Codes, second: Codes) -> Codes:
    """Return 1 if two codes are equal, otherwise 0."""
    shape = np.broadcast_shapes(first.shape, second.shape)

    def of(block: Index) -> AnyArray:
        equal: BoolArray = first.of(within(block, first.shape)) == second.of(within(block, second.shape))
        return equal

    return Codes(of, 2, shape)


def blocks(shape: tuple[int, ...], cells: int = 0) -> Iterator[Index]:
    """Split an array into blocks of about `BLOCK` elements, in order; each row also needs `cells` elements."""
    inner = [max(math.prod(shape[j + 1 :]), math.prod(shape[j + 1 : -1]) * cells) for j in range(len(shape) - 1)]
    axis = next((j for j, cost in enumerate(inner) if cost <= BLOCK), len(shape) - 1)
    step = BLOCK // max(inner[axis], 1) if axis < len(inner) else max(BLOCK, cells)
    rest = (slice(None),) * (len(shape) - axis - 1)
    for outer in itertools.product(*(range(n) for n in shape[:axis])):
        head = tuple(slice(i, i + 1) for i in outer)
        for start in range(0, shape[axis], step):
            yield (*head, slice(start, start + step), *rest)


def within(block: Index, shape: tuple[int, ...]) -> Index:
    """Return the block of an array that broadcasts: an axis of length 1 is taken completely."""
    own = block[len(block) - len(shape) :]
    return tuple(slice(None) if n == 1 else s for s, n in zip(own, shape, strict=True))


def shown(classes: Iterable[Any]) -> str:
    """Format classes for a message, at most the first ten."""
    written = [short(c) for c in itertools.islice(classes, 11)]
    return ", ".join(written[:10]) + (", ..." if len(written) > 10 else "")


def _by_value(labels: Labels, classes: Sequence[Any]) -> Callable[[Index], AnyArray]:
    """Return nonnegative integers as their own codes."""
    array, limit = labels.array, len(classes)
    width = array.dtype.itemsize
    signed = array.view(f"i{width}")
    if array.dtype.kind == "i":
        # as an unsigned integer, a negative number is large, so one comparison finds both errors
        array, limit = array.view(f"u{width}"), min(limit, 2 ** (8 * width - 1))
    elif array.dtype.kind == "b":
        array = array.view(np.uint8)

    def of(block: Index) -> AnyArray:
        if array[block].max() >= limit:
            raise _unknown(labels, classes)
        return signed[block] if width == 8 else array[block]

    return of


def _by_table(labels: Labels, classes: Sequence[Any]) -> Callable[[Index], AnyArray]:
    low, high = int(min(classes)), int(max(classes))
    table = np.full(high - low + 1, -1, dtype=np.min_scalar_type(-len(classes)))
    table[[int(c) - low for c in classes]] = range(len(classes))

    def of(block: Index) -> AnyArray:
        part = labels.array[block]
        if int(part.min()) < low or int(part.max()) > high:
            raise _unknown(labels, classes)
        codes: AnyArray = table[_shifted(part, low)]
        if codes.min() < 0:
            raise _unknown(labels, classes)
        return codes

    return of


def _by_order(labels: Labels, classes: Sequence[Any]) -> Callable[[Index], AnyArray]:
    names = np.array(classes)
    order = np.argsort(names)
    in_order = names[order]

    def of(block: Index) -> AnyArray:
        part = labels.array[block]
        codes: AnyArray = order[np.minimum(np.searchsorted(in_order, part), len(names) - 1)]
        if (names[codes] != part).any():
            raise _unknown(labels, classes)
        return codes

    return of


def _by_name(labels: Labels, classes: Sequence[Any]) -> Callable[[Index], AnyArray]:
    number = {c: i for i, c in enumerate(classes)}

    def of(block: Index) -> AnyArray:
        part = labels.array[block]
        try:
            codes = np.fromiter(map(number.__getitem__, part.ravel().tolist()), dtype=np.intp, count=part.size)
        except KeyError:
            raise _unknown(labels, classes) from None
        return codes.reshape(part.shape)

    return of


def _fit_a_table(low: int, high: int) -> bool:
    return high - low < LARGEST_TABLE and high < 2**63


def _shifted(part: AnyArray, low: int) -> IndexArray:
    return part.astype(np.intp) - low


def _unknown(labels: Labels, classes: Sequence[Any]) -> InvalidValueError:
    known = set(classes)
    place, label = _first(labels.array, labels.name, lambda value: value not in known)
    return InvalidValueError(f"{labels.name} must hold labels among {shown(classes)}, but {place} is {short(label)}")


def _whole(array: AnyArray, name: str) -> IntArray:
    """Return labels such as 0.0 and 1.0 as integers; raise an error for numbers with a fraction, such as 0.73."""
    array = _checks.finite(_checks.numbers(array, name), name)
    if (np.abs(array) >= LARGEST_LABEL).any():
        place, label = _first(array, name, lambda value: abs(value) >= LARGEST_LABEL)
        raise InvalidValueError(f"{name} must hold labels smaller than 2^63, but {place} is {short(label)}")
    whole = array.astype(np.int64)
    if (whole != array).any():
        place, label = _first(array, name, lambda value: value != int(value))
        raise InvalidValueError(
            f"{name} must hold labels, but {place} is {short(label)}; for scores and probabilities, use a metric such "
            "as roc_auc_score"
        )
    return whole


def _from_objects(array: NDArray[np.object_], name: str) -> Labels:
    try:
        kinds = {_kind(value) for value in set(array.ravel().tolist())}
    except TypeError:
        place, label = _first(array, name, lambda value: not _can_be_hashed(value))
        raise InvalidTypeError(f"{name} must hold hashable labels, but {place} is {short(label)}") from None
    if MISSING in kinds:
        place, label = _first_of_kind(array, name, MISSING)
        raise InvalidValueError(f"{name} must not contain missing labels, but {place} is {short(label)}")
    if kinds == {BOOLEANS}:
        return Labels(array.astype(bool), BOOLEANS, name)
    if kinds <= {NUMBERS, BOOLEANS}:
        return Labels(_numbers_from_objects(array, name), NUMBERS, name)
    if len(kinds) > 1:
        (here, a), (there, b) = (_first_of_kind(array, name, kind) for kind in sorted(kinds)[:2])
        raise InvalidTypeError(
            f"{name} must hold labels of one kind, but {here} is {short(a)} and {there} is {short(b)}"
        )
    return Labels(array, kinds.pop(), name)


def _numbers_from_objects(array: NDArray[np.object_], name: str) -> AnyArray:
    if any(isinstance(value, float | np.floating) for value in set(array.ravel().tolist())):
        return _whole(array.astype(np.float64), name)
    try:
        return array.astype(np.int64)
    except OverflowError:
        return array


def _compatible(kind: str, other: str) -> bool:
    return kind == other or {kind, other} == {NUMBERS, BOOLEANS}


def _kind(value: Any) -> str:
    if value is None or _differs_from_itself(value):
        return MISSING
    if isinstance(value, bool | np.bool_):
        return BOOLEANS
    if isinstance(value, int | float | np.integer | np.floating):
        return NUMBERS
    return TEXT if isinstance(value, str) else "bytes" if isinstance(value, bytes) else "other objects"


def _differs_from_itself(value: Any) -> bool:
    """Return whether a value differs from itself, as nan and NaT do; False for pandas.NA, arrays and signaling nan."""
    try:
        return not bool(value == value)  # noqa: PLR0124  # a nan is what differs from itself
    except Exception:  # the comparison of a foreign class may raise any error
        return True


def _can_be_hashed(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _first_of_kind(array: AnyArray, name: str, kind: str) -> tuple[str, Any]:
    return _first(array, name, lambda value: _kind(value) == kind)


def _first(array: AnyArray, name: str, wrong: Callable[[Any], bool]) -> tuple[str, Any]:
    """Return the position and the value of the first invalid element."""
    for number, value in enumerate(array.ravel().tolist()):
        if wrong(value):
            at = ", ".join(str(int(i)) for i in np.unravel_index(number, array.shape))
            return f"{name}[{at}]", value
    raise AssertionError(name)


def positive_cases(true: Labels, pos_label: Any, *, greater_of_two: bool = False) -> BoolArray:
    """Return which instances are positive.

    Without `pos_label`, the positive class is True, or 1 for the labels 0 and 1 or -1 and 1. For two other labels, the
    positive class is the greater label, if the caller allows this default.
    """
    if pos_label is None:
        if true.kind == BOOLEANS:
            return true.array
        pos_label = _default_positive(true, greater_of_two)
    elif not fits(pos_label, true.kind):
        raise InvalidTypeError(
            f"pos_label must be of the same kind as y_true, which holds {true.kind}, not {short(pos_label)}"
        )
    positive = cases_of(true.array, pos_label)
    if not positive.any() and len(present := _present(true)) > 1:
        raise InvalidValueError(f"pos_label must be one of {shown(present)}, not {short(pos_label)}")
    return positive


def refuse_one_class(positive: BoolArray) -> None:
    """Raise an error if all instances are positive or all are negative."""
    if positive.all() or not positive.any():
        raise InvalidValueError(
            "y_true must hold positive and negative instances, but all instances belong to one class"
        )


def cases_of(labels: AnyArray, label: Any) -> BoolArray:
    """Return which instances have this label."""
    if labels.dtype == object:
        # a label may be a tuple, which NumPy would convert to an array
        single = np.empty((), dtype=object)
        single[()] = label
        return np.equal(labels, single).astype(bool)
    equal: BoolArray = np.equal(labels, label)
    return equal


def one_is_usual(present: Collection[Any]) -> bool:
    """Return whether 1 is the positive class by convention: for 0 and 1, or -1 and 1."""
    return set(present) <= {0, 1} or set(present) <= {-1, 1}


def _default_positive(true: Labels, greater_of_two: bool) -> Any:
    if true.kind == NUMBERS and true.array.min() >= 0 and true.array.max() <= 1:
        return 1
    present = _present(true)
    if one_is_usual(present):
        return 1
    if greater_of_two and len(present) == 2:
        return present[1]
    if len(present) > 2:
        hint = "choose multi_class='ovr' or 'ovo', or pos_label" if greater_of_two else "pos_label must name one"
        raise InvalidValueError(f"y_true holds {len(present)} classes, {shown(present)}: {hint}")
    raise InvalidValueError(f"pos_label must name the positive class: y_true holds {shown(present)}")


def _present(true: Labels) -> list[Any]:
    """Return the labels that occur, sorted; objects of other types in the order of their text."""
    return sorted(distinct(true), key=repr if true.kind == "other objects" else None)
