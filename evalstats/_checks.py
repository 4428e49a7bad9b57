"""Validation of arguments, with precise error messages."""

from __future__ import annotations

__all__ = [
    "RandomSource",
    "Tolerance",
    "boolean",
    "choice",
    "confidence_level",
    "correctness_matrix",
    "count",
    "counts",
    "finite",
    "finite_real",
    "fold_scores",
    "generator",
    "instance",
    "instead",
    "is_among",
    "leading_axes",
    "listed",
    "mixed",
    "moderate",
    "noise_in",
    "noise_of_type",
    "numbers",
    "options",
    "paired",
    "pairing",
    "pairs_and_tolerance",
    "path",
    "progress",
    "proportion",
    "random_source",
    "real",
    "regular",
    "resampling",
    "right_or_wrong",
    "score_matrix",
    "scores_and_size",
    "significance_level",
    "text",
    "tolerance",
]

import math
import os
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from evalstats import _labels
from evalstats._array_conversion import is_other_array, numpy_array, with_numpy_arrays
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._types import AnyArray, BoolArray, FloatArray, IntArray

T = TypeVar("T")

LARGEST_COUNT = 2**53  # a float can represent every integer up to this value
LARGEST_SCORE = 1e150

# Maximum relative rounding error of a score, by the number of bytes of its type: 32, 8 and 1 roundings. Double
# precision allows sums over many folds and seeds; half precision allows only its own rounding error.
FULL_SIZE = 8
NOISE = {8: 2.0**-48, 4: 2.0**-21, 2: 2.0**-11}
LARGEST_NOISE_IN_TOLERANCES = 2.0**-8  # rounding error must not tie two values that differ by more than the tolerance

ALTERNATIVES = ("two-sided", "less", "greater")


def choice(value: Any, name: str, options: Sequence[str]) -> str:
    """Return `value` if it is one of the `options`."""
    if isinstance(value, str) and value in options:
        return value
    raise InvalidValueError(f"{name} must be {' or '.join(map(repr, options))}, not {short(value)}")


def instead(name: str, **others: Any) -> None:
    """Raise an error if the caller passes arguments that another argument, such as `counts`, replaces."""
    if given := [other for other, value in others.items() if value is not None]:
        them = "it" if len(given) == 1 else "them"
        raise InvalidValueError(f"{name} must be given instead of {' and '.join(given)}, not with {them}")


def options(given: Collection[str], of: str, taken: Sequence[str], required: Iterable[str] = ()) -> None:
    """Raise an error if the function or format `of` does not have an option, or if a required option is missing."""
    for name in given:
        if name not in taken:
            raise InvalidTypeError(f"{of} has no option {name!r}; it takes {', '.join(taken) or 'none'}")
    for name in required:
        if name not in given:
            raise InvalidTypeError(f"{of} requires the option {name!r}")


def label_text(label: Any) -> str:
    """Return a label as text."""
    if isinstance(label, float) and label.is_integer():
        label = int(label)
    try:
        return str(label)
    except Exception:  # an integer of 5,000 digits cannot be converted to text
        raise InvalidValueError(f"a label must have a text form, but it is {short(label)}") from None


def is_no_label(value: Any) -> bool:
    """Return whether a label is missing: None, nan or pandas.NA."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124  # a nan is what differs from itself
    except (TypeError, ArithmeticError):  # a comparison with a signaling nan of decimal raises an error
        return True


def boolean(value: Any, name: str) -> bool:
    """Return `value` as a bool, or raise an error for strings and numbers."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise InvalidTypeError(f"{name} must be True or False, not {short(value)}")


def real(value: Any, name: str) -> float:
    """Return `value` as a float if it is a number that fits in a float, including nan and infinity."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise InvalidTypeError(f"{name} must be a number, not {short(value)}")
    try:
        return float(value)
    except OverflowError as error:
        raise InvalidValueError(f"{name} must be a number that a float can hold, not {short(value)}") from error


def finite_real(value: Any, name: str) -> float:
    """Return `value` as a float if it is a finite number."""
    return float(finite(np.array(real(value, name)), name))


def duration(value: Any, name: str) -> float:
    """Return a duration in seconds, or raise an error if it is not positive and finite."""
    seconds = real(value, name)
    if not 0 < seconds < math.inf:
        rule = "finite" if seconds == math.inf else "above 0"
        raise InvalidValueError(f"{name} must be {rule}, not {short(value)}")
    return seconds


def text(value: Any, name: str) -> str:
    """Return `value` if it is text."""
    return str(instance(value, name, str, "text"))


def instance(value: Any, name: str, kinds: type[T] | tuple[type[T], ...], words: str) -> T:
    """Return `value` if it has one of the types. `words` names the types in the error message."""
    if isinstance(value, kinds):
        return value
    raise InvalidTypeError(f"{name} must be {words}, not {type(value).__name__}")


def is_among(value: Any, known: Iterable[Any]) -> bool:
    """Return whether `value` equals a known name or label; return False if it cannot be compared, such as an array."""
    try:
        hash(value)
        return any(value is one or bool(value == one) for one in known)
    except Exception:  # any error of the comparison of a user class, or of a signaling nan
        return False


def listed(value: Any, name: str, words: str) -> list[Any]:
    """Return the elements of a sequence, or raise an error (in which `words` names the elements) for other values."""
    value = with_numpy_arrays(value, name)
    if isinstance(value, set | frozenset):
        raise InvalidTypeError(f"{name} must be a sequence of {words}, not a set, which has no order")
    if not isinstance(value, str | bytes) and isinstance(value, Iterable):
        try:
            return list(value)
        except TypeError:  # an array without axes
            pass
    raise InvalidTypeError(f"{name} must be a sequence of {words}, not {short(value)}")


def progress(value: Any) -> Any:
    """Return `value` if it is None or callable."""
    if value is None or callable(value):
        return value
    raise InvalidTypeError(f"progress must be callable, not {short(value)}")


def path(value: Any, name: str) -> Any:
    """Return `value` if it is the path of a file or a directory."""
    return instance(value, name, (str, os.PathLike), "a path")


def moderate(array: FloatArray, name: str) -> FloatArray:
    """Return `array` if the squares and sums of its values fit in a float."""
    if array.size and max(array.max(), -array.min()) > LARGEST_SCORE:
        largest = array.flat[abs(array).argmax()]
        raise InvalidValueError(f"{name} must lie between -1e150 and 1e150, but one value is {largest}")
    return array


def proportion(value: Any, name: str) -> float:
    """Return `value` if it is strictly between 0 and 1."""
    number = real(value, name)
    if 0 < number < 1:
        return number
    raise InvalidValueError(f"{name} must lie between 0 and 1, not {short(value)}")


def significance_level(value: Any, name: str = "alpha") -> float:
    """Return a significance level whose confidence level is below 1."""
    level = proportion(value, name)
    if 1 - level == 1:
        raise InvalidValueError(f"{name} must be at least 1e-16, not {short(value)}: the confidence level would be 1")
    return level


def confidence_level(value: Any) -> float:
    """Return a confidence level strictly between 0 and 1."""
    return proportion(value, "confidence_level")


def count(value: Any, name: str, *, minimum: int = 1) -> int:
    """Return `value` if it is an integer of at least `minimum`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise InvalidTypeError(f"{name} must be a whole number, not {short(value)}")
    if value < minimum:
        raise InvalidValueError(f"{name} must be at least {minimum}, not {short(value)}")
    if value > LARGEST_COUNT:
        raise InvalidValueError(f"{name} must be at most 2^53, not {short(value)}")
    return int(value)


def counts(value: Any, name: str, *, minimum: int = 0) -> IntArray:
    """Return an integer or an array of integers of at least `minimum`. 3.0 does not count as an integer."""
    array = regular(value, name)
    if array.size == 0 or array.dtype.kind not in "iu":
        raise InvalidTypeError(f"{name} must be a whole number, not {short(value)}")
    if array.min() < minimum:
        raise InvalidValueError(f"{name} must be at least {minimum}, not {array.min():g}")
    if array.max() > LARGEST_COUNT:
        raise InvalidValueError(f"{name} must be at most 2^53, not {array.max():g}")
    return array.astype(np.int64)


class Tolerance(float):
    """Relative precision of comparisons of scores, and the relative rounding error of a score.

    Attributes
    ----------
    noise : float
        Rounding error of one score, relative to the score. It depends on the numeric type of the input.
    """

    noise: float

    def __new__(cls, value: float, noise: float | None = None) -> Self:
        """Create a tolerance, by default for double precision; a smaller tolerance assumes a smaller rounding error."""
        self = super().__new__(cls, value)
        self.noise = min(NOISE[FULL_SIZE], value * LARGEST_NOISE_IN_TOLERANCES) if noise is None else noise
        return self


def tolerance(value: Any, *scores: Any, name: str = "tie_tolerance") -> Tolerance:
    """Return 0 or a power of ten between 1e-15 and 0.1, with the rounding error of the least precise scores.

    Call the function before the scores are converted to float64, because the original type is then lost.
    """
    number = real(value, name)
    if number == 0:
        return Tolerance(0.0)
    if 0 < number < 1:
        digits = round(-math.log10(number))
        if 1 <= digits <= 15 and math.isclose(number, 10.0**-digits, rel_tol=1e-9):
            known = value if isinstance(value, Tolerance) else Tolerance(10.0**-digits)
            return Tolerance(10.0**-digits, max(known.noise, *map(noise_in, scores), 0.0))
    raise InvalidValueError(f"{name} must be 0 or a power of ten from 1e-15 to 0.1, such as 1e-12, not {short(value)}")


FEW_ROWS = 10_000  # up to this number, `dtypes` of pandas (50 µs) takes longer than two views of the values


def noise_in(scores: Any) -> float:
    """Return the relative rounding error of scores in single or half precision, or 0 for other scores.

    For scores of several types, as in a data frame, return the error of the least precise type. A `ScoreTable` stores
    its own error.
    """
    if isinstance(scores, np.ndarray) and scores.dtype.kind != "O":
        return noise_of_type(scores.dtype)
    if isinstance(getattr(type(scores), "noise", None), float):  # a Series may have a label with this name
        return float(scores.noise)
    if isinstance(scores, list | tuple):
        return _noise_of_items(scores)
    if is_other_array(scores) and not hasattr(scores, "dtype"):
        return noise_of_type(numpy_array(scores).dtype)
    dtypes = _types_of_columns(scores)
    if any(getattr(dtype, "kind", None) == "O" for dtype in dtypes):
        return _noise_of_items(np.asarray(scores, dtype=object).ravel().tolist())
    return max(map(noise_of_type, dtypes), default=0.0)


def _types_of_columns(scores: Any) -> set[Any]:
    kind = type(scores)
    if not hasattr(kind, "iloc"):
        dtypes = getattr(scores, "dtypes", None)
    elif not hasattr(kind, "columns"):
        return {scores.dtype}
    elif len(scores) <= FEW_ROWS and np.may_share_memory(values := scores.values, scores.values):
        return {values.dtype}  # two views of one block, which has one type
    else:
        dtypes = scores.dtypes
    return set(dtypes) if isinstance(dtypes, Iterable) else {getattr(scores, "dtype", None)}


def _noise_of_items(items: Sequence[Any]) -> float:
    noise = 0.0
    left: list[Any] = [items]
    seen: dict[int, Any] = {}  # a list may contain itself
    while left:
        parent = left.pop()
        if id(parent) in seen:
            continue
        seen[id(parent)] = parent
        children = parent.ravel().tolist() if isinstance(parent, np.ndarray) else parent
        for kind in set(map(type, children)):
            if issubclass(kind, np.generic):
                noise = max(noise, noise_of_type(np.dtype(kind)))
            elif issubclass(kind, list | tuple):
                left += [child for child in children if type(child) is kind]
            elif hasattr(kind, "dtype") or hasattr(kind, "dtypes"):
                arrays = [child for child in children if type(child) is kind]
                left += filter(_holds_objects, arrays)
                noise = max(noise, *(noise_in(array) for array in arrays if not _holds_objects(array)), 0.0)
    return noise


def _holds_objects(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "O"


def noise_of_type(dtype: Any) -> float:
    """Return the rounding error of a numeric type of NumPy, pandas, Arrow, polars or torch."""
    dtype = getattr(dtype, "subtype", dtype)  # of a sparse column of pandas
    if getattr(dtype, "kind", None) is not None:
        size = dtype.itemsize if dtype.kind == "f" else FULL_SIZE
    else:
        name = str(dtype).lower().rpartition(".")[2]
        size = {"float32": 4, "float": 4, "float16": 2, "halffloat": 2}.get(name, FULL_SIZE)  # "float" is Arrow's
    return NOISE[size] if size < FULL_SIZE else 0.0


class RandomSource(NamedTuple):
    """Source of random numbers for all functions of the package. The global random state is never used.

    None means the seed 0, and an integer is the seed. A generator is used directly, and its seed cannot be recorded.
    """

    given: Any

    @property
    def seed(self) -> int | None:
        """The seed to record, or None if a generator was passed."""
        return int(self.given) if isinstance(self.given, int | np.integer) else None

    def generator(self) -> np.random.Generator:
        """Return a new generator with the seed, or the generator that was passed."""
        return np.random.default_rng(self.given)

    def seed_of(self, n_resamples: Any) -> Any:
        """Return the seed for each result with a positive number of random draws, and None for the other results."""
        drawn = np.asarray(n_resamples, dtype=object).astype(bool)
        seeds = np.where(drawn, np.array(self.seed, dtype=object), np.array(None, dtype=object))
        return seeds.item() if seeds.ndim == 0 else seeds


def random_source(rng: Any) -> RandomSource:
    """Validate None, a seed or a numpy Generator."""
    source = RandomSource(0 if rng is None else rng)
    if rng is None:
        return source  # creating a generator takes as long as a whole test
    if isinstance(rng, bool | np.bool_ | str | float):
        raise InvalidTypeError(f"rng must be None, a seed or a numpy Generator, not {rng!r}")
    try:
        # for a numpy.matrix, numpy would recurse until Python stops
        if not isinstance(rng, Sequence | np.ndarray) or all(isinstance(one, int | np.integer) for one in rng):
            source.generator()
            return source
    except Exception:  # nosec B110  # invalid seeds raise an error below
        pass
    raise InvalidTypeError(f"rng must be None, a seed or a numpy Generator, not {short(rng)}")


def resampling(n_resamples: Any, rng: Any, *, minimum: int = 1) -> tuple[int, RandomSource]:
    """Return the number of resamples and the source of their random numbers."""
    return count(n_resamples, "n_resamples", minimum=minimum), random_source(rng)


def generator(rng: Any) -> np.random.Generator:
    """Return the generator of a `random_source`."""
    return random_source(rng).generator()


def regular(value: Any, name: str) -> AnyArray:
    """Return `value` as an array of any type, or raise an error if its rows have different lengths."""
    if hasattr(type(value), "iloc"):
        # same result as numpy without a check of each column; pandas stores columns, and tests sort rows
        return np.ascontiguousarray(value.values)
    _labels.same_labels_in_list(value, name)
    value = with_numpy_arrays(value, name)
    value = _labels.without_names(_labels.aligned_frames(value, name), name)
    try:
        return np.asarray(value)
    except ValueError as error:
        raise InvalidValueError(f"{name} must be a regular array, but its rows have different lengths") from error


def mixed(value: Any, name: str) -> AnyArray:
    """Return `value` as an array whose elements keep their types, such as nan in a list of texts."""
    value = with_numpy_arrays(value, name)
    return np.array(value, dtype=object) if isinstance(value, list | tuple) else np.asarray(value)


def numbers(value: Any, name: str) -> FloatArray:
    """Return `value` as an array of float64; raise an error that names an element that is not a number."""
    if hasattr(type(value), "filled") and np.ma.is_masked(value):  # numpy.ma takes 7 ms to load
        at = tuple(np.argwhere(np.ma.getmaskarray(value))[0])
        raise InvalidValueError(f"{name} must have no masked values, but {name}{_index(at)} is masked")
    array = regular(value, name)
    if array.dtype.kind in "biuf":
        with np.errstate(over="ignore"):  # values beyond a double become infinite, which raises an error
            return array.astype(np.float64, copy=False)
    if array.dtype.kind == "O":
        return _numbers_from_objects(array, name, value)
    if array.dtype.kind == "c":
        raise InvalidTypeError(f"{name} must be real numbers, not {array.dtype}")
    if not array.size:
        raise InvalidTypeError(f"{name} must be numbers")
    raise _not_a_number(array, (0,) * array.ndim, name, value)


def finite(array: FloatArray, name: str, labels: tuple[Iterable[Any], ...] | None = None) -> FloatArray:
    """Return `array` if it is finite, or raise an error that names the first nan or infinity."""
    # one pass without a temporary array: a sum of finite numbers can only overflow, and the exact check then decides
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.sum(array)
    if not np.isfinite(total) and not (is_finite := np.isfinite(array)).all():
        at = tuple(int(i) for i in np.argwhere(~is_finite)[0])
        place = f"{name}{_index(at)}"
        if labels is not None:
            words = ("dataset", "classifier")[: len(at)]
            place += " (" + ", ".join(f"{w} {list(labels[j])[at[j]]!r}" for j, w in enumerate(words)) + ")"
        raise InvalidValueError(f"{name} must be finite, but {place} is {array[at]}")
    return array


def paired(x: Any, y: Any, *, minimum: int = 1) -> tuple[FloatArray, FloatArray]:
    """Return two samples paired along their last axis, with leading axes that broadcast.

    The arrays are not yet broadcast against each other, so all pairs of k classifiers need only k rows.
    """
    a, b = numbers(x, "x"), numbers(y, "y")
    pairing(x, y, a.shape, b.shape, minimum=minimum)
    return finite(a, "x"), finite(b, "y")


def pairs_and_tolerance(
    x: Any, y: Any, tie_tolerance: Any, *, minimum: int = 1
) -> tuple[FloatArray, FloatArray, Tolerance]:
    """Return two paired samples, and the tolerance for ties of their values."""
    tie_tolerance = tolerance(tie_tolerance, x, y)
    return *paired(x, y, minimum=minimum), tie_tolerance


def pairing(x: Any, y: Any, of_x: tuple[int, ...], of_y: tuple[int, ...], *, minimum: int = 1) -> None:
    """Raise an error if two samples are not paired or their leading axes do not broadcast."""
    _labels.same_labels(x=x, y=y)
    for shape, name in ((of_x, "x"), (of_y, "y")):
        if not shape:
            raise InvalidValueError(f"{name} must have at least one axis, but it is a single number")
    n, m = of_x[-1], of_y[-1]
    if n != m:
        raise InvalidValueError(f"x and y must be paired: x has {n} value{_s(n)}, y has {m}")
    if n < minimum or 0 in of_x or 0 in of_y:
        raise InvalidValueError(
            f"x and y must have at least {minimum} pair{_s(minimum)}, but their shapes are {of_x} and {of_y}"
        )
    leading_axes(of_x, of_y)


def leading_axes(of_x: tuple[int, ...], of_y: tuple[int, ...], last: int = 1) -> tuple[int, ...]:
    """Return the shape to which the axes of x and y before the `last` axes broadcast."""
    try:
        return np.broadcast_shapes(of_x[:-last], of_y[:-last])
    except ValueError as error:
        raise InvalidValueError(
            f"the leading axes of x and y must broadcast, but their shapes are {of_x} and {of_y}"
        ) from error


def right_or_wrong(value: Any, name: str) -> BoolArray:
    """Return an array of True and False. Raise an error for elements other than True, False, 1 and 0."""
    known = regular(value, name) if hasattr(type(value), "iloc") else value  # np.asarray of a Series is slow
    array: AnyArray = known if type(known) is np.ndarray and known.dtype.kind in "biu" else numbers(value, name)
    if array.dtype == bool:
        return array
    is_right: BoolArray = array == 1
    wrong = ~is_right & (array != 0)
    if not wrong.any() and np.asarray(known).dtype.kind == "f":
        wrong = np.ones_like(is_right)
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        raise InvalidValueError(
            f"{name} must be boolean, or the integers 1 (correct) and 0 (incorrect), "
            f"but {name}{_index(at)} is {array[at]}"
        )
    return is_right


def correctness_matrix(correct: Any) -> BoolArray:
    """Return correct and incorrect answers of shape (..., n_instances, n_classifiers)."""
    is_right = right_or_wrong(correct, "correct")
    if is_right.ndim < 2:
        raise InvalidValueError(
            f"correct must have the shape (n_instances, n_classifiers), but it has the shape {is_right.shape}"
        )
    batch(is_right, "correct")
    if is_right.shape[-1] < 2 or is_right.size == 0:
        raise InvalidValueError(
            f"correct must hold at least 1 instance (row) and 2 classifiers (columns), but its shape is "
            f"{is_right.shape}"
        )
    return is_right


def batch(array: AnyArray, name: str) -> None:
    """Raise an error for a batch that contains no table."""
    if array.ndim > 2 and 0 in array.shape[:-2]:
        raise InvalidValueError(f"{name} must hold at least one table, but its shape is {array.shape}")


def score_matrix(scores: Any, *, minimum_datasets: int = 1, single: bool = False) -> FloatArray:
    """Return scores of shape (..., n_datasets, n_classifiers), or without leading axes if only one table is allowed."""
    array = numbers(scores, "scores")
    if array.ndim < 2 or (single and array.ndim > 2):
        raise InvalidValueError(
            f"scores must have the shape (n_datasets, n_classifiers), but it has the shape {array.shape}"
        )
    batch(array, "scores")
    n, k = array.shape[-2:]
    if n < minimum_datasets or k < 2:
        raise InvalidValueError(
            f"scores must hold at least {minimum_datasets} dataset{_s(minimum_datasets)} (rows) and 2 classifiers "
            f"(columns), but its shape is {array.shape}"
        )
    is_frame = array.ndim == 2 and hasattr(scores, "columns") and hasattr(scores, "index")
    return finite(array, "scores", (scores.index, scores.columns) if is_frame else None)


def scores_and_size(
    scores: Any, tie_tolerance: Any, *, minimum_datasets: int = 1
) -> tuple[FloatArray, int, int, Tolerance]:
    """Return the scores of shape (..., n_datasets, n_classifiers), both numbers, and the tolerance for ties."""
    tie_tolerance = tolerance(tie_tolerance, scores)
    matrix = score_matrix(scores, minimum_datasets=minimum_datasets)
    n, k = matrix.shape[-2:]
    return matrix, n, k, tie_tolerance


def fold_scores(scores: Any) -> FloatArray:
    """Return scores of shape (..., n_folds, n_classifiers)."""
    array = numbers(scores, "scores")
    batch(array, "scores")
    if array.ndim < 2 or min(array.shape[-2:]) < 2 or array.size == 0:
        raise InvalidValueError(
            "scores must have the shape (n_folds, n_classifiers), with two or more of each, but its shape is "
            f"{array.shape}"
        )
    return finite(array, "scores")


def _numbers_from_objects(array: AnyArray, name: str, given: Any) -> FloatArray:
    """Convert Python numbers, such as fractions, decimals and big integers, or raise an error with the position."""
    result = np.empty(array.shape, dtype=np.float64)
    for at in np.ndindex(array.shape):
        item: Any = array[at]
        if isinstance(item, list | tuple | np.ndarray):
            raise InvalidValueError(f"{name} must be a regular array, but its rows have different lengths")
        try:
            if isinstance(item, str | bytes | complex | np.complexfloating):
                raise TypeError
            result[at] = float(item)
        except Exception as error:
            raise _not_a_number(array, at, name, given) from error
    return result


def _not_a_number(array: AnyArray, at: tuple[int, ...], name: str, given: Any) -> InvalidTypeError:
    """Return the error for a value that is not a number. The error names a column of text."""
    item = array[at]
    names = _labels.column_names(given, name) if array.ndim == 2 and isinstance(item, str) else None
    if names is None:
        return InvalidTypeError(f"{name} must be numbers, but {name}{_index(at)} is {short(item)}")
    return InvalidTypeError(
        f"{name} must be numbers, but its column {short(names[at[1]])} has {short(item)}; drop the column, or use "
        "compare or read_table if it contains the names of datasets"
    )


def _index(at: tuple[Any, ...]) -> str:
    return f"[{', '.join(str(int(i)) for i in at)}]" if at else ""


def _s(n: int) -> str:
    return "" if n == 1 else "s"
