"""Arguments: understand them, or say exactly what is wrong."""

from __future__ import annotations

__all__ = [
    "EvalstatsError",
    "EvalstatsWarning",
    "InvalidTypeError",
    "InvalidValueError",
    "Tolerance",
    "boolean",
    "choice",
    "confidence_level",
    "correctness_matrix",
    "count",
    "finite",
    "generator",
    "noise_in",
    "noise_of_type",
    "numbers",
    "paired",
    "pairing",
    "proportion",
    "right_or_wrong",
    "score_matrix",
    "tolerance",
]

import math
from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# How far a score may be from its true value, relative to it, by the bytes of its type: 32, 8 and 1 roundings. Double
# precision can afford the sums of many folds and seeds; half precision cannot afford more than its own rounding.
FULL_SIZE = 8
NOISE = {8: 2.0**-48, 4: 2.0**-21, 2: 2.0**-11}
LARGEST_NOISE_IN_TOLERANCES = 2.0**-8  # so that noise ties no two values that the tolerance tells apart

ALTERNATIVES = ("two-sided", "less", "greater")


class EvalstatsError(Exception):
    """Anything evalstats refuses; every error it raises about an argument is one of these."""


class InvalidValueError(EvalstatsError, ValueError):
    """An argument of the right type has a value that would give a wrong number."""


class InvalidTypeError(EvalstatsError, TypeError):
    """An argument has a type that cannot be understood."""


class EvalstatsWarning(UserWarning):
    """A number is right but weak."""


def choice(value: Any, name: str, options: Sequence[str]) -> str:
    """Return `value` if it is one of the `options`."""
    if isinstance(value, str) and value in options:
        return value
    raise InvalidValueError(f"{name} must be {' or '.join(map(repr, options))}, not {value!r}")


def boolean(value: Any, name: str) -> bool:
    """Return `value` as a bool if it is one (a string or a number is not)."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise InvalidTypeError(f"{name} must be True or False, not {value!r}")


def proportion(value: Any, name: str) -> float:
    """Return `value` if it lies strictly between 0 and 1."""
    number = _real(value, name)
    if 0 < number < 1:
        return number
    raise InvalidValueError(f"{name} must lie between 0 and 1, not {value!r}")


def confidence_level(value: Any) -> float:
    """Return a confidence level strictly between 0 and 1."""
    return proportion(value, "confidence_level")


def count(value: Any, name: str, *, minimum: int = 1) -> int:
    """Return `value` if it is a whole number of at least `minimum`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise InvalidTypeError(f"{name} must be a whole number, not {value!r}")
    if value < minimum:
        raise InvalidValueError(f"{name} must be at least {minimum}, not {value!r}")
    return int(value)


class Tolerance(float):
    """The relative precision to which scores are compared, and how far noise may have moved a score from its value.

    Attributes
    ----------
    noise : float
        The noise of one score, relative to it: that of the type of number that the scores came in.
    """

    noise: float

    def __new__(cls, value: float, noise: float | None = None) -> Self:
        """Without its `noise`, a tolerance is one for double precision; a finer one leaves less room for noise."""
        self = super().__new__(cls, value)
        self.noise = min(NOISE[FULL_SIZE], value * LARGEST_NOISE_IN_TOLERANCES) if noise is None else noise
        return self


def tolerance(value: Any, *scores: Any) -> Tolerance:
    """Return 0 or a power of ten between 1e-15 and 0.1, with the noise of the least precise of the scores, as given.

    Ask before the scores become an array of float64, which does not tell where its numbers come from.
    """
    number = _real(value, "tie_tolerance")
    if number == 0:
        return Tolerance(0.0)
    if 0 < number < 1:
        digits = round(-math.log10(number))
        if 1 <= digits <= 15 and math.isclose(number, 10.0**-digits, rel_tol=1e-9):
            known = value if isinstance(value, Tolerance) else Tolerance(10.0**-digits)
            return Tolerance(10.0**-digits, max(known.noise, *map(noise_in, scores), 0.0))
    raise InvalidValueError(
        f"tie_tolerance must be 0 or a power of ten from 1e-15 to 0.1, such as 1e-12, not {value!r}"
    )


def noise_in(scores: Any) -> float:
    """Return the relative noise of scores that came in single or half precision; 0 of all others.

    Of scores in several types, as in a frame, it is that of the least precise. A table of scores says it itself.
    """
    if isinstance(scores, np.ndarray) and scores.dtype.kind != "O":
        return noise_of_type(scores.dtype)
    if isinstance(own := getattr(scores, "noise", None), float):
        return own
    if isinstance(scores, list | tuple):
        return _noise_of_items(scores)
    dtypes = getattr(scores, "dtypes", None)
    dtypes = list(dtypes) if isinstance(dtypes, Iterable) else [getattr(scores, "dtype", None)]
    if any(getattr(dtype, "kind", None) == "O" for dtype in dtypes):
        return _noise_of_items(np.asarray(scores, dtype=object).ravel().tolist())
    return max(map(noise_of_type, dtypes), default=0.0)


def _noise_of_items(items: Sequence[Any]) -> float:
    kinds = set(map(type, items))
    noise = max((noise_of_type(np.dtype(kind)) for kind in kinds if issubclass(kind, np.floating)), default=0.0)
    if any(issubclass(kind, list | tuple | np.ndarray) for kind in kinds):
        noise = max(noise, *(noise_in(item) for item in items if isinstance(item, list | tuple | np.ndarray)))
    return noise


def noise_of_type(dtype: Any) -> float:
    """Return the noise of a type of numpy or pandas, which say its size, or of Arrow, polars or torch."""
    if getattr(dtype, "kind", None) is not None:
        size = dtype.itemsize if dtype.kind == "f" else FULL_SIZE
    else:
        name = str(dtype).lower().removeprefix("torch.")
        size = {"float32": 4, "float": 4, "float16": 2, "halffloat": 2}.get(name, FULL_SIZE)  # "float" is Arrow's
    return NOISE[size] if size < FULL_SIZE else 0.0


def generator(rng: Any) -> np.random.Generator:
    """Return a random generator from None, a seed or a generator; the global random state is never used."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise InvalidTypeError(f"rng must be None, a seed or a numpy Generator, not {rng!r}") from error


def numbers(value: Any, name: str) -> FloatArray:
    """Return `value` as an array of float64, or say which element is not a number."""
    if hasattr(value, "mask") and np.ma.is_masked(value):  # numpy.ma takes 7 ms to load
        at = tuple(np.argwhere(np.ma.getmaskarray(value))[0])
        raise InvalidValueError(f"{name} must have no masked values, but {name}{_index(at)} is masked")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise InvalidValueError(f"{name} must be a regular array, but its rows have different lengths") from error
    if array.dtype.kind in "biuf":
        with np.errstate(over="ignore"):  # what a long double alone can hold becomes infinite, and is refused as that
            return array.astype(np.float64, copy=False)
    if array.dtype.kind == "O":
        return _numbers_from_objects(array, name)
    if array.dtype.kind == "c":
        raise InvalidTypeError(f"{name} must be real numbers, not {array.dtype}")
    first = f", but {name}{_index((0,) * array.ndim)} is {array.flat[0].item()!r}" if array.size else ""
    raise InvalidTypeError(f"{name} must be numbers{first}")


def finite(array: FloatArray, name: str, labels: tuple[Sequence[Any], ...] | None = None) -> FloatArray:
    """Return `array` if it holds neither nan nor infinity, or name the first that it holds."""
    # one pass without a temporary: the sum of finite numbers can only overflow, and then the exact test decides
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.sum(array)
    if not np.isfinite(total) and not (is_finite := np.isfinite(array)).all():
        at = tuple(int(i) for i in np.argwhere(~is_finite)[0])
        place = f"{name}{_index(at)}"
        if labels is not None:
            words = ("dataset", "classifier")[: len(at)]
            place += " (" + ", ".join(f"{w} {labels[j][at[j]]!r}" for j, w in enumerate(words)) + ")"
        raise InvalidValueError(f"{name} must be finite, but {place} is {array[at]}")
    return array


def paired(x: Any, y: Any, *, minimum: int = 1) -> tuple[FloatArray, FloatArray]:
    """Return two samples paired along their last axis, with leading axes that broadcast.

    The arrays are not yet broadcast against each other: all pairs of k classifiers need only k rows here.
    """
    a, b = numbers(x, "x"), numbers(y, "y")
    pairing(x, y, a.shape, b.shape, minimum=minimum)
    return finite(a, "x"), finite(b, "y")


def pairing(x: Any, y: Any, of_x: tuple[int, ...], of_y: tuple[int, ...], *, minimum: int = 1) -> None:
    """Refuse two samples, as given and by their shapes, that do not pair or whose leading axes do not broadcast."""
    _same_index(x, y)
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
    try:
        np.broadcast_shapes(of_x, of_y)
    except ValueError as error:
        raise InvalidValueError(
            f"the leading axes of x and y must broadcast, but their shapes are {of_x} and {of_y}"
        ) from error


def right_or_wrong(value: Any, name: str) -> NDArray[np.bool_]:
    """Return an array of True and False, or say which element is neither (nor 1 or 0 as a whole number)."""
    is_array = isinstance(value, np.ndarray) and not hasattr(value, "mask")
    array: NDArray[Any] = value if is_array and value.dtype.kind in "biu" else numbers(value, name)
    if array.dtype == bool:
        return array
    is_right: NDArray[np.bool_] = array == 1
    wrong = ~is_right & (array != 0)
    if not wrong.any() and np.asarray(value).dtype.kind == "f":
        wrong = np.ones_like(is_right)
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        raise InvalidValueError(
            f"{name} must say who is right, as True and False or as the integers 1 and 0, "
            f"but {name}{_index(at)} is {array[at]}"
        )
    return is_right


def correctness_matrix(correct: Any) -> NDArray[np.bool_]:
    """Return right and wrong answers of shape (..., n_samples, n_classifiers)."""
    is_right = right_or_wrong(correct, "correct")
    if is_right.ndim < 2:
        raise InvalidValueError(
            f"correct must have the shape (n_samples, n_classifiers), but it has the shape {is_right.shape}"
        )
    if is_right.shape[-1] < 2 or is_right.size == 0:
        raise InvalidValueError(
            f"correct must hold at least 1 sample (rows) and 2 classifiers (columns), but its shape is {is_right.shape}"
        )
    return is_right


def score_matrix(scores: Any, *, minimum_datasets: int = 1, minimum_classifiers: int = 2) -> FloatArray:
    """Return scores of shape (..., n_datasets, n_classifiers)."""
    array = numbers(scores, "scores")
    if array.ndim < 2:
        raise InvalidValueError(
            f"scores must have the shape (n_datasets, n_classifiers), but it has the shape {array.shape}"
        )
    n, k = array.shape[-2:]
    if n < minimum_datasets or k < minimum_classifiers or array.size == 0:
        raise InvalidValueError(
            f"scores must hold at least {minimum_datasets} dataset{_s(minimum_datasets)} (rows) and "
            f"{minimum_classifiers} classifiers (columns), but its shape is {array.shape}"
        )
    labels = None
    if array.ndim == 2 and hasattr(scores, "index") and hasattr(scores, "columns"):
        labels = (list(scores.index), list(scores.columns))
    return finite(array, "scores", labels)


def _real(value: Any, name: str) -> float:
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise InvalidTypeError(f"{name} must be a number, not {value!r}")
    try:
        return float(value)
    except OverflowError as error:
        raise InvalidValueError(f"{name} must be a number that a float can hold, not {value!r}") from error


def _numbers_from_objects(array: NDArray[Any], name: str) -> FloatArray:
    """Exact conversion of Python numbers (fractions, decimals, big integers) with a place for each that is not one."""
    result = np.empty(array.shape, dtype=np.float64)
    for at in np.ndindex(array.shape):
        item: Any = array[at]
        if isinstance(item, list | tuple | np.ndarray):
            raise InvalidValueError(f"{name} must be a regular array, but its rows have different lengths")
        try:
            if isinstance(item, str | bytes | complex | np.complexfloating):
                raise TypeError
            result[at] = float(item)
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidTypeError(f"{name} must be numbers, but {name}{_index(at)} is {item!r}") from error
    return result


def _same_index(x: Any, y: Any) -> None:
    """Refuse two pandas Series that pairing by position would pair wrongly."""
    if all(hasattr(v, "index") and hasattr(v, "iloc") for v in (x, y)) and not x.index.equals(y.index):
        raise InvalidValueError(
            "x and y must have equal indexes to be paired; align them first, for example with x.align(y, join='inner')"
        )


def _index(at: tuple[Any, ...]) -> str:
    return f"[{', '.join(str(int(i)) for i in at)}]" if at else ""


def _s(n: int) -> str:
    return "" if n == 1 else "s"
