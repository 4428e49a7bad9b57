"""Near-duplicates in different folds."""

from __future__ import annotations

__all__ = ["NearDuplicates", "near_duplicates"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._result import Record
from evalstats._types import AnyArray, BoolArray, IntArray
from evalstats.metrics.class_encoding import understand

# more pairs would fill the memory; such data consist of few distinct instances, not of near-duplicates
MOST_PAIRS = 20_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class NearDuplicates(Record):
    """Result of `near_duplicates`.

    Attributes
    ----------
    pairs : ndarray of int, shape (n_pairs, 2)
        Indexes of two nearly equal instances in different folds, with the smaller index first.
    has_near_duplicate : ndarray of bool, shape (n,)
        Whether each instance has a near-duplicate in a different fold.
    proportion : float
        Proportion of instances with a near-duplicate in a different fold. The classifier that was tested on such an
        instance was trained on the near-duplicate.
    n_pairs_within_folds : int
        Number of near-duplicate pairs within a fold, which do not cause data leakage.
    n_conflicting : int
        Number of near-duplicate pairs in different folds whose labels differ. It is 0 if no labels were passed.
    n_instances : int
        Number of instances.
    """

    pairs: IntArray
    has_near_duplicate: BoolArray
    proportion: float
    n_pairs_within_folds: int
    n_conflicting: int
    n_instances: int


def near_duplicates(
    X: ArrayLike,  # noqa: N803 - the name in scikit-learn
    fold: ArrayLike,
    *,
    y_true: ArrayLike | None = None,
    tolerance: float = 1e-6,
    similarity: float = 0.8,
    shingle: int = 4,
) -> NearDuplicates:
    """Find near-duplicate instances in different folds, which bias cross-validation.

    Parameters
    ----------
    X : array_like of shape (n, n_features), or sequence of n str
        The instances: rows of numbers, or texts.
    fold : array_like of shape (n,)
        The fold of each instance.
    y_true : array_like of shape (n,), optional
        Labels, which are used to count near-duplicates with different labels.
    tolerance : float, default: 1e-6
        Two numerical instances are near-duplicates if they differ in every column by at most this fraction of the range
        of the column. A tolerance of 0 finds exact copies.
    similarity : float, default: 0.8
        Two texts are near-duplicates if at least this fraction of all their shingles occurs in both texts (Jaccard's
        coefficient).
    shingle : int, default: 4
        Number of characters in a shingle. Texts are compared in lower case and with single spaces. A text that is
        shorter than this number is a single shingle.

    Returns
    -------
    NearDuplicates

    Raises
    ------
    ValueError
        If the lengths differ, a value is nan or infinite, an option is out of range, or nearly all instances are equal.
    TypeError
        If instances are neither numbers nor texts.

    Notes
    -----
    The function finds all pairs within the tolerance, not only pairs whose rounded values agree. It compares texts by
    all their shingles, not by a sample of them.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies. ACM SIGKDD Explorations 12(1), 49-57.
    Section 5 ("twinning").

    Broder, A. Z. (1997). On the resemblance and containment of documents. Compression and Complexity of Sequences,
    21-29.

    Examples
    --------
    >>> from evalstats.metrics import near_duplicates
    >>> texts = ["the cat sat on the mat", "a dog barked", "The cat  sat on the mat!", "the stock fell"]
    >>> found = near_duplicates(texts, fold=[0, 0, 1, 1])
    >>> found.pairs.tolist(), found.proportion
    ([[0, 2]], 0.5)
    """
    understand(of_fold := _one_axis(fold, "fold"), "fold")
    tolerance, similarity = _checks.real(tolerance, "tolerance"), _checks.real(similarity, "similarity")
    if not 0 <= tolerance < 1:
        raise InvalidValueError(f"tolerance must be at least 0 and below 1, not {tolerance:g}")
    if not 0 < similarity <= 1:
        raise InvalidValueError(f"similarity must be greater than 0 and at most 1, not {similarity:g}")
    shingle = _checks.count(shingle, "shingle")
    texts = _texts(X)
    pairs = _close_numbers(X, tolerance) if texts is None else _similar_texts(texts[0], similarity, shingle)
    n = len(of_fold)
    n_given = len(texts[0]) if texts is not None else np.shape(X)[0]
    labels = None if y_true is None else _one_axis(y_true, "y_true")
    if n_given != n or (labels is not None and len(labels) != n):
        lengths = f"{n_given} instances, {n} folds" + ("" if labels is None else f" and {len(labels)} labels")
        raise InvalidValueError(f"X, fold and y_true must have the same length, but the lengths are {lengths}")

    across = of_fold[pairs[:, 0]] != of_fold[pairs[:, 1]]
    has_near_duplicate = np.zeros(n, dtype=np.bool_)
    kept = pairs[across]
    has_near_duplicate[kept.ravel()] = True
    return NearDuplicates(
        pairs=kept,
        has_near_duplicate=has_near_duplicate,
        proportion=float(has_near_duplicate.mean()),
        n_pairs_within_folds=int((~across).sum()),
        n_conflicting=0 if labels is None else int((labels[kept[:, 0]] != labels[kept[:, 1]]).sum()),
        n_instances=n,
    )


def _one_axis(value: Any, name: str) -> AnyArray:
    array = _checks.regular(value, name)
    if array.ndim != 1 or array.size == 0:
        raise InvalidValueError(f"{name} must have one value for each instance, but its shape is {array.shape}")
    return array


def _texts(cases: Any) -> tuple[list[str]] | None:
    """Return the texts of the instances, or None if they are numbers."""
    if isinstance(cases, str | bytes):
        raise InvalidTypeError("X must be a sequence of strings, not one string")
    array = _checks.regular(cases, "X")
    if array.dtype.kind in "US" or (array.dtype.kind == "O" and array.size and isinstance(array.flat[0], str)):
        if array.ndim != 1:
            raise InvalidValueError(f"X must hold one string for each instance, but its shape is {array.shape}")
        return ([_checks.text(one, "an instance") for one in array.tolist()],)
    return None


def _close_numbers(cases: Any, tolerance: float) -> IntArray:
    """Return all pairs of rows that differ in every column by at most the tolerance, as a fraction of its range."""
    from scipy.spatial import cKDTree

    array = _checks.numbers(cases, "X")
    array = array[:, None] if array.ndim == 1 else array
    if array.ndim != 2 or array.size == 0:
        raise InvalidValueError(f"X must have the shape (n, n_features), but its shape is {array.shape}")
    array = _checks.moderate(_checks.finite(array, "X"), "X")
    low, spread = array.min(axis=0), np.ptp(array, axis=0)
    tree = cKDTree((array - low) / np.where(spread > 0, spread, 1.0))
    radius = tolerance * (1 + 1e-9)
    _refuse_too_many((int(tree.count_neighbors(tree, radius, p=np.inf)) - len(array)) // 2)
    return np.asarray(tree.query_pairs(radius, p=np.inf, output_type="ndarray"), dtype=np.int64).reshape(-1, 2)


def _similar_texts(texts: list[str], similarity: float, shingle: int) -> IntArray:
    """Return all pairs of texts whose sets of shingles have a Jaccard coefficient of at least the similarity."""
    from scipy.sparse import csr_matrix

    sets = [_shingles(text, shingle) for text in texts]
    numbers = {one: i for i, one in enumerate(sorted(set().union(*sets)))}
    lengths = np.array([len(own) for own in sets])
    columns = np.fromiter((numbers[one] for own in sets for one in own), dtype=np.int64, count=int(lengths.sum()))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    table = csr_matrix((np.ones(len(columns), dtype=np.int32), columns, starts), shape=(len(texts), len(numbers)))
    found: list[IntArray] = []
    step = max(int(MOST_PAIRS // max(len(texts), 1)), 1)
    for start in range(0, len(texts), step):
        common = (table[start : start + step] @ table.T).tocoo()
        first, second, n = common.row + start, common.col, common.data
        likely = (first < second) & (n >= similarity * (lengths[first] + lengths[second] - n) - 1e-9)
        found.append(np.column_stack([first[likely], second[likely]]).astype(np.int64))
    return np.concatenate(found)


def _shingles(text: str, size: int) -> set[str]:
    plain = " ".join(text.lower().split())
    return {plain[i : i + size] for i in range(max(len(plain) - size + 1, 1))}


def _refuse_too_many(n_pairs: int) -> None:
    if n_pairs > MOST_PAIRS:
        raise InvalidValueError(
            f"X must hold mostly different instances, but {n_pairs:,} pairs are nearly equal; pass a smaller tolerance"
        )
