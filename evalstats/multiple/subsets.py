"""Homogeneous subsets: groups of classifiers without a significant difference."""

from __future__ import annotations

__all__ = ["HomogeneousSubsets", "homogeneous_subsets"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, not_among
from evalstats._labels import column_names, named, square_labels
from evalstats._result import Record
from evalstats._types import AnyArray, BoolArray, IndexArray


@dataclass(frozen=True, kw_only=True, eq=False)
class HomogeneousSubsets(Record):
    """Result of `homogeneous_subsets`.

    Attributes
    ----------
    subsets : tuple of tuple of int
        Maximal contiguous parts of the ranking with at least two classifiers, no two of which differ significantly. The
        members of a subset are in the order of the ranking, and the best subset is first. A classifier may be in
        several subsets or in none.
    pairs_outside_subsets : tuple of (int, int)
        Pairs without a significant difference that are not in a common subset. The reason is a significant difference
        that involves a classifier ranked between the two. The better classifier of a pair is first, and the pairs are
        in the order of the ranking.
    classifiers : tuple or None
        Names of the classifiers, if `different` has names.
    """

    subsets: tuple[tuple[int, ...], ...]
    pairs_outside_subsets: tuple[tuple[int, int], ...]
    classifiers: tuple[Any, ...] | None = None

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each classifier of each subset: the number of the subset, and the classifier."""
        rows = [(i, named(place, self.classifiers)) for i, group in enumerate(self.subsets) for place in group]
        return {"group": [i for i, _ in rows], "classifier": [classifier for _, classifier in rows]}


def homogeneous_subsets(different: Any, order: Any) -> HomogeneousSubsets:
    """Compute the homogeneous subsets of a ranking, and the pairs outside all subsets.

    A bar of a critical-difference diagram means that no two of the classifiers under it differ significantly. The
    subsets are the maximal contiguous sets with this property. The function also returns the pairs without a
    significant difference that are not in a common subset.

    Parameters
    ----------
    different : array_like of bool, shape (k, k)
        Whether the test concludes that two classifiers differ. The matrix is symmetric, and False on the diagonal.
        False does not mean that the two classifiers are equal.
    order : sequence of length k
        The classifiers from the best to the worst, each once: rows of `different`, or names if it has names.

    Returns
    -------
    HomogeneousSubsets
        The fields `subsets` and `pairs_outside_subsets`.

    Raises
    ------
    InvalidTypeError
        If `different` is not Boolean, or if `order` contains neither integers nor names.
    InvalidValueError
        If `different` is not square, not symmetric or True on the diagonal, or `order` does not contain each classifier
        once.

    Examples
    --------
    Four classifiers in the order 0, 1, 2, 3. Only the best and the worst differ:

    >>> import numpy as np
    >>> from evalstats.multiple import homogeneous_subsets
    >>> different = np.zeros((4, 4), dtype=bool)
    >>> different[0, 3] = different[3, 0] = True
    >>> homogeneous_subsets(different, order=[0, 1, 2, 3]).subsets
    ((0, 1, 2), (1, 2, 3))

    The first and the last of three classifiers do not differ significantly, but the second classifier differs from
    both. No bar can show these decisions:

    >>> different = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    >>> homogeneous_subsets(different, order=[0, 1, 2]).pairs_outside_subsets
    ((0, 2),)
    """
    in_order, order, names = decisions_in_order(different, order)
    first = _first_of_run(in_order)
    k = len(order)
    groups = tuple(
        tuple(order[first[last] : last + 1].tolist())
        for last in range(k)
        if first[last] < last and (last == k - 1 or first[last + 1] > first[last])
    )
    better, worse = np.nonzero(np.triu(~in_order, 1))
    loose = better < first[worse]
    pairs = zip(order[better[loose]].tolist(), order[worse[loose]].tolist(), strict=True)
    return HomogeneousSubsets(subsets=groups, pairs_outside_subsets=tuple(pairs), classifiers=names)


def _first_of_run(in_order: BoolArray) -> IndexArray:
    """Return, for each position, the start of the longest run without a significant difference that ends there."""
    k = len(in_order)
    place = np.arange(k)
    # the lowest position above j that differs from j ends every run that would reach j from a higher position
    nearest = np.where(np.tril(in_order), place, -1).max(axis=1)
    return np.maximum.accumulate(nearest + 1)


def decisions_in_order(different: Any, order: Any) -> tuple[BoolArray, IndexArray, tuple[Any, ...] | None]:
    """Check decisions and an order; return the decisions in this order, the order, and the names of the classifiers."""
    relation, names = _relation_of(different), column_names(different, "different")
    ranking = _ranking_of(order, len(relation), names)
    return relation[np.ix_(ranking, ranking)], ranking, names


def _relation_of(different: Any) -> BoolArray:
    """Check the matrix of differences."""
    square_labels(different, "different")
    matrix = _array(different, "different")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise InvalidValueError(f"different must have the shape (k, k), but it has the shape {matrix.shape}")
    if matrix.dtype != np.bool_:
        raise InvalidTypeError(f"different must hold True and False, not {matrix.dtype}")
    if matrix.diagonal().any():
        at = int(np.argmax(matrix.diagonal()))
        raise InvalidValueError(f"different must be False on the diagonal, but different[{at}, {at}] is True")
    if not np.array_equal(matrix, matrix.T):
        i, j = map(int, np.argwhere(matrix & ~matrix.T)[0])
        raise InvalidValueError(
            f"different must be symmetric, but different[{i}, {j}] is True and different[{j}, {i}] is False"
        )
    return matrix


def _ranking_of(order: Any, k: int, names: tuple[Any, ...] | None) -> IndexArray:
    """Check an order of k classifiers, which are given by numbers, or by names if there are names."""
    ranking = _array(order, "order")
    if names is not None and ranking.dtype.kind not in "iu":
        if unknown := [name for name in ranking.tolist() if name not in names]:
            raise InvalidValueError(not_among("order", unknown[0], names))
        ranking = np.array([names.index(name) for name in ranking.tolist()])
    if ranking.dtype.kind not in "iu":
        raise InvalidTypeError(f"order must hold whole numbers, not {ranking.dtype}")
    if ranking.shape != (k,) or not np.array_equal(np.sort(ranking), np.arange(k)):
        raise InvalidValueError(f"order must hold each of the numbers 0 to {k - 1} once, but it is {ranking.tolist()}")
    return ranking.astype(np.intp)


def _array(value: Any, name: str) -> AnyArray:
    array = _checks.regular(value, name)
    return _checks.regular(array.tolist(), name) if array.dtype == object else array  # the type of its elements
