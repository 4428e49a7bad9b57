"""Projection of classifiers onto the plane by their confusion matrices."""

from __future__ import annotations

__all__ = ["DISTANCES", "PROJECTIONS", "ClassifierProjection", "project_classifiers", "project_vectors"]

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._labels import same_labels
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import Record
from evalstats._types import FloatArray, IntArray
from evalstats.multiple.confusion_vectors import performance_vectors
from evalstats.multiple.mean_ranks import dataset_ranks

PROJECTIONS = ("mcst", "mds", "pca")
# names in scipy.spatial.distance; the other names are from scikit-learn
DISTANCES = {
    **{name: name for name in ("euclidean", "cityblock", "chebyshev", "braycurtis", "canberra", "sqeuclidean")},
    "l2": "euclidean",
    "l1": "cityblock",
    "manhattan": "cityblock",
}
ALL_PERFECT = "every classifier has the vector of the Ideal, so all points are equal"
ALL_ALIKE = "all classifiers have the same vector, so there is one point in addition to the Ideal"
# distances that agree to this fraction of the largest distance count as preserved
_KEPT = 1e-9
# a side of a line is chosen only if it is better by more than this fraction
_CLEARLY = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassifierProjection(Record):
    """Result of `project_classifiers` and `project_vectors`.

    Attributes
    ----------
    classifiers, domains : tuple of str
        Names of the points, and of the domains (datasets) in their vectors.
    distance : str
        Name of the distance between two vectors, or ``'callable'``.
    method : {'mcst', 'mds', 'pca'}
        The projection.
    normalize : str
        As in `performance_vectors`.
    distance_to_ideal : ndarray of shape (n_classifiers,)
        Distance of each vector from the vector of the ideal classifier (the Ideal).
    ranks : ndarray of shape (n_classifiers,)
        Ranks of the distances from the Ideal. The classifier that is closest to the Ideal has rank 1, and ties get the
        mean of their ranks.
    distances : ndarray of shape (n_classifiers, n_classifiers)
        Distances between the vectors of all pairs of classifiers.
    nearest_distance : ndarray of shape (n_classifiers,)
        Distance of each classifier from the most similar classifier. A large distance indicates an unusual classifier.
    points : ndarray of shape (n_classifiers, 2)
        The points in the plane. The Ideal is (0, 0).
    tree : ndarray of int, shape (n_classifiers, 2)
        The edges of the minimum-cost spanning tree of the classifiers and the Ideal, in order of placement. Each edge
        leads from a placed point to the next point. The index of the Ideal is n_classifiers.
    tree_length : float
        Sum of the distances along the tree.
    stress : float
        The value sqrt(sum (d - d*)^2 / sum d^2) over all pairs of points, including the Ideal. Here, d is the distance
        between the vectors, and d* is the distance between the points in the plane. A stress of 0 means that all
        distances are preserved.
    n_preserved, n_pairs : int
        Number of distances between points that equal the distances between the vectors, and number of all distances.
    fold_points : ndarray of shape (n_classifiers, n_folds, 2), or None
        The points of the folds of each classifier.
    fold_distance_to_ideal : ndarray of shape (n_classifiers, n_folds), or None
        Distance of each fold from the Ideal, rescaled to the size of the domain.
    reason : str or None
        A sentence if the input was degenerate, otherwise None.
    """

    classifiers: tuple[str, ...]
    domains: tuple[str, ...]
    distance: str
    method: str
    normalize: str
    distance_to_ideal: FloatArray
    ranks: FloatArray
    distances: FloatArray
    nearest_distance: FloatArray
    points: FloatArray
    tree: IntArray
    tree_length: float
    stress: float
    n_preserved: int
    n_pairs: int
    fold_points: FloatArray | None
    fold_distance_to_ideal: FloatArray | None
    reason: str | None

    def _axes(self) -> tuple[str, ...]:
        return ("classifier",)

    @property
    def ranking(self) -> tuple[str, ...]:
        """Return the names of the classifiers, with the classifier that is closest to the Ideal first."""
        return tuple(self.classifiers[i] for i in np.argsort(self.ranks, kind="stable"))


def project_classifiers(
    confusion_matrices: Any,
    *,
    distance: str | Callable[[FloatArray, FloatArray], float] = "euclidean",
    method: str = "mcst",
    folds: bool = False,
    normalize: str = "none",
    classifiers: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> ClassifierProjection:
    """Project classifiers onto the plane by their confusion matrices, relative to an ideal classifier.

    A score reduces the confusion matrices of a classifier to one number. This number does not show on which domain or
    class the classifier makes errors. This function compares every entry of every matrix. Two points are close to each
    other if the two classifiers make similar errors. A point is close to the Ideal if there are few errors.

    Parameters
    ----------
    confusion_matrices : array_like, sequence of array_like, or dict
        As in `performance_vectors`.
    distance : str or callable, default: 'euclidean'
        The distance between two vectors: ``'euclidean'`` (``'l2'``), ``'cityblock'`` (``'manhattan'``, ``'l1'``),
        ``'chebyshev'``, ``'canberra'``, ``'braycurtis'``, ``'sqeuclidean'`` or a function. The function takes two
        vectors and returns a nonnegative number. The Euclidean distance emphasizes frequent errors of the same kind.
        With counts, the Manhattan distance from the Ideal counts each error twice.
    method : {'mcst', 'mds', 'pca'}, default: 'mcst'
        ``'mcst'`` exactly preserves the distance of every classifier from the Ideal and every distance along a
        minimum-cost spanning tree. ``'mds'`` is classical multidimensional scaling of all distances. ``'pca'`` uses the
        first two principal components of the vectors, regardless of the distance.
    folds : bool, default: False
        As in `performance_vectors`: each fold is also a point.
    normalize : {'none', 'all', 'true'}, default: 'none'
        As in `performance_vectors`: without normalization, a large domain has more weight than a small domain.
    classifiers, datasets : sequence of str, optional
        As in `performance_vectors`.

    Returns
    -------
    ClassifierProjection

    Raises
    ------
    ValueError
        If the confusion matrices do not match, or if `distance` returns an invalid distance.
    TypeError
        If an argument has the wrong type.

    Notes
    -----
    The projection is descriptive and does not test differences. Two classifiers with the same distance from the Ideal
    may make different errors. Their points are then far apart.

    References
    ----------
    Japkowicz, N., Sanghi, P. & Tischer, P. (2008). A projection-based framework for classifier performance evaluation.
    ECML PKDD, 548-563.

    Lee, R. C. T., Slagle, J. R. & Blum, H. (1977). A triangulation method for the sequential mapping of points from
    N-space to two-space. IEEE Transactions on Computers 26(3), 288-292.

    Examples
    --------
    Two classifiers on the domain Anneal, without its empty class (Japkowicz's tutorial, slide 95):

    >>> import numpy as np
    >>> from evalstats.multiple import project_classifiers
    >>> adaboost = np.zeros((5, 5))
    >>> adaboost[:, 2] = [8, 99, 684, 0, 40]
    >>> adaboost[3, 3] = 67
    >>> bayes = [[7, 0, 1, 0, 0], [0, 99, 0, 0, 0], [3, 38, 564, 0, 79], [0, 0, 0, 67, 0], [0, 0, 2, 0, 38]]
    >>> anneal = {"NB": bayes, "AdaBoost": adaboost}
    >>> project_classifiers(anneal).distance_to_ideal.round(2)
    array([148.67, 151.43])
    >>> project_classifiers(anneal, distance="cityblock").distance_to_ideal
    array([246., 294.])
    """
    made = performance_vectors(
        confusion_matrices, folds=folds, normalize=normalize, classifiers=classifiers, datasets=datasets
    )
    found = _projected(made.vectors, made.ideal, made.fold_vectors, distance, method, made.classifiers)
    return replace(found, domains=made.domains, normalize=made.normalize)


def project_vectors(
    vectors: ArrayLike,
    ideal: ArrayLike,
    *,
    distance: str | Callable[[FloatArray, FloatArray], float] = "euclidean",
    method: str = "mcst",
    classifiers: Sequence[str] | None = None,
) -> ClassifierProjection:
    """Project performance vectors onto the plane, relative to the vector of an ideal classifier.

    Parameters
    ----------
    vectors : array_like of shape (n_classifiers, n_entries)
        Measurements of each classifier: errors on many datasets, several metrics in comparable units, or the result of
        `performance_vectors`.
    ideal : array_like of shape (n_entries,)
        The vector of an ideal classifier.
    distance : str or callable, default: 'euclidean'
        As in `project_classifiers`.
    method : {'mcst', 'mds', 'pca'}, default: 'mcst'
        As in `project_classifiers`.
    classifiers : sequence of str, optional
        Names of the rows. Default: the row labels of a data frame.

    Returns
    -------
    ClassifierProjection

    Raises
    ------
    ValueError
        If vectors and ideal have different lengths, contain nan or infinity, or `distance` returns an invalid distance.
    TypeError
        If an argument has the wrong type.

    Examples
    --------
    Error rates on two datasets; all distances are preserved, because vectors of two numbers are points in a plane:

    >>> from evalstats.multiple import project_vectors
    >>> found = project_vectors([[0.3, 0.4], [0.3, 0.0], [0.6, 0.8]], [0, 0])
    >>> found.distance_to_ideal
    array([0.5, 0.3, 1. ])
    >>> round(found.stress, 6), found.n_preserved, found.n_pairs
    (0.0, 6, 6)
    """
    same_labels(vectors=vectors, ideal=ideal)
    array = _checks.numbers(vectors, "vectors")
    if array.ndim != 2 or array.size == 0:
        raise InvalidValueError(
            f"vectors must have the shape (n_classifiers, n_entries), but the shape is {array.shape}"
        )
    to = _checks.numbers(ideal, "ideal")
    if to.shape != array.shape[1:]:
        raise InvalidValueError(
            f"ideal must have one value for each of {array.shape[1]} entries of a vector, but its shape is {to.shape}"
        )
    array = _checks.moderate(_checks.finite(array, "vectors"), "vectors")
    to = _checks.moderate(_checks.finite(to, "ideal"), "ideal")
    names = _row_names(vectors, classifiers, len(array))
    return _projected(array, to, None, distance, method, names)


def _row_names(vectors: Any, given: Any, n: int) -> tuple[str, ...]:
    if given is None:
        index = getattr(vectors, "index", None)
        own = [f"classifier {i + 1}" for i in range(n)] if index is None or callable(index) else [str(i) for i in index]
        return tuple(own)
    names = tuple(_checks.text(one, "a name of classifiers") for one in _checks.listed(given, "classifiers", "str"))
    if len(names) != n or len(set(names)) != n:
        raise InvalidValueError(f"classifiers must hold {n} different names, not {len(set(names))}")
    return names


def _projected(
    vectors: FloatArray, ideal: FloatArray, folds: FloatArray | None, distance: Any, method: Any, names: tuple[str, ...]
) -> ClassifierProjection:
    method = _checks.choice(method, "method", PROJECTIONS)
    called, measure = _measure(distance)
    k = len(vectors)
    all_vectors = np.vstack([vectors, ideal])  # the Ideal is the last point
    d = _all_distances(measure, all_vectors)
    tree = spanning_tree(d, k)

    flat = None if folds is None else folds.reshape(-1, folds.shape[-1])
    from_folds = None if flat is None else measure(flat, all_vectors)
    if method == "mcst":
        points, fold_points = place_by_tree(d, tree, from_folds)
    elif method == "mds":
        points, fold_points = classical_scaling(d, from_folds)
    else:
        points, fold_points = principal_components(all_vectors, flat)

    pairs = np.triu_indices(k + 1, 1)
    wanted, got = d[pairs], _lengths(points[pairs[0]] - points[pairs[1]])
    size = float(wanted.max(initial=0.0))
    others = d[:k, :k] + np.diag(np.full(k, np.inf))
    return ClassifierProjection(
        classifiers=names,
        domains=(),
        distance=called,
        method=method,
        normalize="none",
        distance_to_ideal=d[:k, k],
        ranks=dataset_ranks(d[None, :k, k], False, _checks.tolerance(DEFAULT_TIE_TOLERANCE))[0],
        distances=d[:k, :k],
        nearest_distance=others.min(axis=1) if k > 1 else np.full(k, np.nan),
        points=points[:k],
        tree=tree,
        tree_length=float(d[tree[:, 0], tree[:, 1]].sum()),
        stress=0.0 if size == 0 else float(_length((wanted - got) / size) / _length(wanted / size)),
        n_preserved=int((np.abs(wanted - got) <= _KEPT * size).sum()),
        n_pairs=len(wanted),
        fold_points=None if folds is None or fold_points is None else fold_points.reshape(*folds.shape[:2], 2),
        fold_distance_to_ideal=None
        if folds is None or from_folds is None
        else from_folds[:, k].reshape(folds.shape[:2]),
        reason=_reason(d, k),
    )


def _reason(d: FloatArray, k: int) -> str | None:
    if not d[:k, k].any():
        return ALL_PERFECT
    return ALL_ALIKE if k > 1 and not d[:k, :k].any() else None


def _length(values: FloatArray) -> float:
    return float(np.sqrt((values**2).sum()))


def _lengths(differences: FloatArray) -> FloatArray:
    return np.hypot(differences[..., 0], differences[..., 1])


def _measure(distance: Any) -> tuple[str, Callable[[FloatArray, FloatArray], FloatArray]]:
    """Return the name of a distance, and the function that computes the distances between two lists of vectors."""
    name: Any = distance
    if isinstance(distance, str) and distance in DISTANCES:
        name = DISTANCES[distance]
    elif not callable(distance):
        words = " or ".join(map(repr, DISTANCES))
        raise InvalidValueError(f"distance must be {words} or a function of two vectors, not {short(distance)}")

    def measure(x: FloatArray, y: FloatArray) -> FloatArray:
        found = _cdist(x, y, name) if isinstance(name, str) else _by_function(name, x, y)
        if np.isnan(found).any():  # the distance between two zero vectors is 0/0 in some definitions
            found = np.where(np.isnan(found) & (x[:, None] == y).all(axis=-1), 0.0, found)
        if not (np.isfinite(found).all() and (found >= 0).all()):
            raise InvalidValueError("distance must return finite nonnegative numbers, but it returns other values")
        return found

    return name if isinstance(name, str) else "callable", measure


def _cdist(x: FloatArray, y: FloatArray, name: Any) -> FloatArray:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(x, y, name))


def _by_function(function: Callable[[FloatArray, FloatArray], float], x: FloatArray, y: FloatArray) -> FloatArray:
    return np.array([[_checks.real(function(a, b), "what distance gives") for b in y] for a in x], dtype=np.float64)


def _all_distances(measure: Callable[[FloatArray, FloatArray], FloatArray], vectors: FloatArray) -> FloatArray:
    d = measure(vectors, vectors)
    size = d.max(initial=0.0)
    if np.abs(d - d.T).max() > _KEPT * size or np.abs(np.diag(d)).max() > _KEPT * size:
        raise InvalidValueError("distance must be symmetric, and 0 from a vector to itself, but it is not")
    d = (d + d.T) / 2
    np.fill_diagonal(d, 0.0)
    return d


def spanning_tree(d: FloatArray, root: int) -> IntArray:
    """Return the edges of a minimum-cost spanning tree as (placed point, next point), by Prim's algorithm.

    scipy's minimum_spanning_tree treats a distance of 0 as a missing edge and does not return an order from a root.
    """
    n = len(d)
    waiting = np.ones(n, dtype=bool)
    waiting[root] = False
    nearest, parent = d[root].copy(), np.full(n, root)
    edges = []
    while waiting.any():
        new = int(np.argmin(np.where(waiting, nearest, np.inf)))
        edges.append((int(parent[new]), new))
        waiting[new] = False
        closer = waiting & (d[new] < nearest)
        nearest[closer], parent[closer] = d[new][closer], new
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def place_by_tree(d: FloatArray, tree: IntArray, from_folds: FloatArray | None) -> tuple[FloatArray, FloatArray | None]:
    """Place the points in the order of the tree. The last point, its root, is at (0, 0).

    The placement preserves two distances of each point exactly: to the root, and to its neighbor in the tree. For a
    neighbor of the root, the second preserved distance is the distance to the nearest placed point. The root is the
    second reference point of Lee, Slagle & Blum (1977). The lengths of all three sides of the triangle (the point and
    its two reference points) are known, so the triangle exists if the distances are a metric. If the triangle does not
    exist, only the distance to the root is preserved. If two positions are possible, the position that better preserves
    all other distances is used.
    """
    root = len(d) - 1
    points, placed = np.zeros((len(d), 2)), [root]
    for parent, new in tree.tolist():
        there = np.array(placed)
        points[new] = _place(d[new, there], points[there], d[there, root], there.tolist().index(parent))
        placed.append(new)
    if from_folds is None:
        return points, None
    n_folds = len(from_folds) // root
    from_root = d[:, root]
    order = np.r_[root, :root]
    clouds = [_place(row[order], points[order], from_root[order], 1 + i // n_folds) for i, row in enumerate(from_folds)]
    return points, np.array(clouds).reshape(-1, 2)


def _place(to: FloatArray, points: FloatArray, radii: FloatArray, beside: int) -> FloatArray:
    """Compute the position of a point from its distances `to` points whose distances to the first point are `radii`."""
    own = to[0]
    if radii[beside] == 0:
        away = np.where(radii > 0, to, np.inf)
        if not np.isfinite(away).any():
            return np.array([own, 0.0])
        beside = int(np.argmin(away))
    if own == 0:
        return np.zeros(2)
    radius = radii[beside]
    unit = points[beside] / radius
    # the component of `own` along the line from the root to the other point: law of cosines, without overflow
    along = np.clip((own / radius + radius / own - (to[beside] / radius) * (to[beside] / own)) / 2, -1.0, 1.0)
    across = np.sqrt((1 - along) * (1 + along)) * np.array([-unit[1], unit[0]])
    left, right = own * (along * unit + across), own * (along * unit - across)
    lost_left, lost_right = (((np.hypot(*(points - at).T) - to) ** 2).sum() for at in (left, right))
    return np.asarray(right if lost_right < lost_left * (1 - _CLEARLY) else left)


def classical_scaling(d: FloatArray, from_folds: FloatArray | None) -> tuple[FloatArray, FloatArray | None]:
    """Return classical multidimensional scaling (Torgerson, 1952), shifted to put the last point at (0, 0).

    The points of folds are added by Gower's formula (1968), which does not change the positions of the other points.
    """
    size = float(d.max(initial=0.0)) or 1.0
    squares = (d / size) ** 2
    means = squares.mean(axis=1)
    centered = -(squares - means - means[:, None] + means.mean()) / 2
    values, vectors = np.linalg.eigh(centered)
    first = np.argsort(values)[::-1][:2]
    values, vectors = np.maximum(values[first], 0.0), vectors[:, first] * _signs(vectors[:, first])
    real = values > 1e-12
    axes = np.where(real, vectors * np.sqrt(values), 0.0)
    points = _two_columns(axes)
    clouds = None
    if from_folds is not None:
        off = means - (from_folds / size) ** 2
        weights = np.where(real, vectors / np.sqrt(np.where(real, values, 1.0)), 0.0)
        clouds = size * (_two_columns(off @ weights / 2) - points[-1])
    return size * (points - points[-1]), clouds


def principal_components(vectors: FloatArray, folds: FloatArray | None) -> tuple[FloatArray, FloatArray | None]:
    """Return the first two principal components, shifted to put the last point at (0, 0)."""
    size = float(np.abs(vectors).max(initial=0.0)) or 1.0
    scaled = vectors / size
    left, values, right = np.linalg.svd(scaled - scaled.mean(axis=0), full_matrices=False)
    axes = (right[:2].T * _signs(left[:, :2])) * (values[:2] > 1e-12 * max(values[0], 1e-300))
    axes = _two_columns(axes)

    def projected(rows: FloatArray) -> FloatArray:
        return np.asarray(size * ((rows / size - scaled[-1]) @ axes))

    return projected(vectors), None if folds is None else projected(folds)


def _signs(axes: FloatArray) -> FloatArray:
    """Return the sign of each column for which its largest entry is positive, to fix the orientation."""
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    return np.where(largest < 0, -1.0, 1.0)


def _two_columns(array: FloatArray) -> FloatArray:
    return np.pad(array, ((0, 0), (0, 2 - array.shape[1])))
