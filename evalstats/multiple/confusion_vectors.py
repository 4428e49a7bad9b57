"""Vectors of all entries of the confusion matrices of a classifier."""

from __future__ import annotations

__all__ = ["NORMALIZATIONS", "PerformanceVectors", "performance_vectors"]

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._result import Record
from evalstats._types import FloatArray

NORMALIZATIONS = ("none", "all", "true")
# row totals that agree to this relative precision are equal: weights are sums of floats
_SAME = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class PerformanceVectors(Record):
    """Result of `performance_vectors`.

    Attributes
    ----------
    classifiers, domains : tuple of str
        Names of the rows of `vectors`, and names of the domains (datasets) whose entries are concatenated in each row.
    n_classes : tuple of int
        Number of classes c of each domain. A domain has c * c entries.
    vectors : ndarray of shape (n_classifiers, n_entries)
        The confusion matrices of each classifier, row by row. The rows of a matrix are the true classes.
    ideal : ndarray of shape (n_entries,)
        The vector of a classifier without errors: each row total is on the diagonal.
    fold_vectors : ndarray of shape (n_classifiers, n_folds, n_entries), or None
        The vectors of the folds, rescaled to the size of the domain. Each vector is `ideal` plus the errors of the fold
        multiplied by (size of the domain) / (size of the fold).
    normalize : {'none', 'all', 'true'}
        Normalization of the entries.
    """

    classifiers: tuple[str, ...]
    domains: tuple[str, ...]
    n_classes: tuple[int, ...]
    vectors: FloatArray
    ideal: FloatArray
    fold_vectors: FloatArray | None
    normalize: str

    def _axes(self) -> tuple[str, ...]:
        return ("classifier", "entry")


def performance_vectors(
    confusion_matrices: Any,
    *,
    folds: bool = False,
    normalize: str = "none",
    classifiers: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> PerformanceVectors:
    """Convert the confusion matrices of each classifier, on one or several domains, into one vector.

    Domains (datasets) may have different numbers of classes.

    Parameters
    ----------
    confusion_matrices : array_like, sequence of array_like, or dict
        Confusion matrices, whose rows are the true classes, as in `evalstats.metrics.confusion_counts`. For one domain:
        an array of shape (n_classifiers, c, c). For several domains: a sequence of such arrays, one for each domain,
        which may have different numbers of classes c. Alternatively: a dict whose keys are the names of the
        classifiers. Each value is a matrix, a sequence of matrices, or a dict from the name of each domain to a matrix.
    folds : bool, default: False
        Whether each matrix is a stack of the matrices of the folds, of shape (n_folds, c, c). The matrices of the folds
        are summed, and each fold also has its own vector.
    normalize : {'none', 'all', 'true'}, default: 'none'
        ``'all'`` divides each matrix by its number of instances, so every domain has the same weight. ``'true'``
        divides each row by its total, so every class has the same weight.
    classifiers, datasets : sequence of str, optional
        Names, if `confusion_matrices` does not contain them.

    Returns
    -------
    PerformanceVectors

    Raises
    ------
    ValueError
        If a matrix is not square, is empty or contains negative numbers. If classifiers have different domains, or
        different row totals (and therefore different instances).
    TypeError
        If an argument has the wrong type.

    References
    ----------
    Japkowicz, N., Sanghi, P. & Tischer, P. (2008). A projection-based framework for classifier performance evaluation.
    ECML PKDD, 548-563.

    Examples
    --------
    The three domains of the tutorial of Japkowicz, slide 90; rows are the true class:

    >>> from evalstats.multiple import performance_vectors
    >>> one = {"classifier": [[[82, 12], [17, 114]], [[15, 25], [5, 231]], [[99, 1], [6, 94]]]}
    >>> made = performance_vectors(one)
    >>> made.vectors
    array([[ 82.,  12.,  17., 114.,  15.,  25.,   5., 231.,  99.,   1.,   6.,
             94.]])
    >>> made.ideal
    array([ 94.,   0.,   0., 131.,  40.,   0.,   0., 236., 100.,   0.,   0.,
           100.])
    """
    folds = _checks.boolean(folds, "folds")
    normalize = _checks.choice(normalize, "normalize", NORMALIZATIONS)
    if isinstance(confusion_matrices, Mapping):
        stacks, own_classifiers, own_domains = _of_mapping(confusion_matrices, folds)
    else:
        stacks, own_classifiers, own_domains = list(_of_domains(confusion_matrices, folds)), None, None
    parts = [_understood(stack, i, folds) for i, stack in enumerate(stacks)]
    if not parts:
        raise InvalidValueError("confusion_matrices must hold the matrices of at least one domain, but there are none")
    if len({part.shape[:2] for part in parts}) != 1:
        raise InvalidValueError(
            "confusion_matrices must hold the same classifiers and the same number of folds in every domain, "
            f"but the shapes are {' and '.join(str(part.shape) for part in parts)}"
        )
    names = _names(classifiers, own_classifiers, "classifiers", "classifier", len(parts[0]))
    of_domains = _names(datasets, own_domains, "datasets", "domain", len(parts))

    made = [_vectors_of(part, domain, names, normalize, folds) for part, domain in zip(parts, of_domains, strict=True)]
    whole, ideal, each = (np.concatenate(arrays, axis=-1) for arrays in zip(*made, strict=True))
    return PerformanceVectors(
        classifiers=names,
        domains=of_domains,
        n_classes=tuple(part.shape[-1] for part in parts),
        vectors=whole,
        ideal=ideal,
        fold_vectors=each if folds else None,
        normalize=normalize,
    )


def _of_mapping(confusions: Mapping[Any, Any], folds: bool) -> tuple[list[Any], list[Any], list[Any] | None]:
    """Return the matrices of all classifiers for each domain, and the names of classifiers and domains."""
    if not confusions:
        raise InvalidValueError("confusion_matrices must hold at least one classifier, but it is empty")
    rows, names = list(confusions.values()), list(confusions)
    domains = list(rows[0]) if isinstance(rows[0], Mapping) else None
    by_domain = [_matrices(own, name, domains, folds) for name, own in confusions.items()]
    for name, matrices in zip(names, by_domain, strict=True):
        if len(matrices) != len(by_domain[0]):
            raise InvalidValueError(
                f"confusion_matrices must hold the same number of matrices for every classifier, but {names[0]!r} has "
                f"{len(by_domain[0])} matrices and {name!r} has {len(matrices)}"
            )
    return [list(matrices) for matrices in zip(*by_domain, strict=True)], names, domains


def _matrices(own: Any, name: Any, domains: list[Any] | None, folds: bool) -> list[Any]:
    """Return the matrices of one classifier, one for each domain."""
    if isinstance(own, Mapping) != (domains is not None) or (domains is not None and set(own) != set(domains)):
        raise InvalidValueError(
            f"confusion_matrices must hold the same domains for every classifier, but {name!r} has different domains"
        )
    if domains is not None:
        return [own[domain] for domain in domains]
    return [own] if _depth(own) == 2 + folds else _checks.listed(own, "confusion_matrices", "matrices")


def _of_domains(confusions: Any, folds: bool) -> Iterator[Any]:
    """Yield the matrices of each domain. An array with one axis fewer is a single domain."""
    if _depth(confusions) == 3 + folds:
        yield confusions
        return
    yield from _checks.listed(confusions, "confusion_matrices", "arrays of shape (n_classifiers, c, c)")


def _depth(value: Any) -> int:
    """Return the number of axes of an array, or of nested lists by their first items."""
    depth = 0
    while True:
        if hasattr(value, "shape"):
            return depth + len(value.shape)
        if not isinstance(value, list | tuple) or not value:
            return depth
        depth, value = depth + 1, value[0]


def _understood(stack: Any, i: int, folds: bool) -> FloatArray:
    """Return the matrices of one domain as an array of shape (n_classifiers, n_folds, c, c)."""
    name = f"confusion_matrices of domain {i + 1}"
    array = _checks.moderate(_checks.finite(_checks.numbers(stack, name), name), name)
    wanted = "(n_classifiers, n_folds, c, c)" if folds else "(n_classifiers, c, c)"
    if array.ndim != 3 + folds or array.shape[-1] != array.shape[-2]:
        raise InvalidValueError(f"{name} must have the shape {wanted}, but the shape is {array.shape}")
    if array.size == 0:
        raise InvalidValueError(f"{name} must hold at least one matrix of at least one class, but it is empty")
    if array.min() < 0:
        raise InvalidValueError(f"{name} must hold nonnegative counts, but one count is {array.min():g}")
    return array if folds else array[:, None]


def _names(given: Any, own: list[Any] | None, name: str, word: str, n: int) -> tuple[str, ...]:
    if given is not None and own is not None:
        raise InvalidTypeError(f"{name} must be left out if confusion_matrices is a dict that names them")
    if given is None:
        return tuple(str(one) for one in own) if own is not None else tuple(f"{word} {i + 1}" for i in range(n))
    names = tuple(_checks.text(one, f"a name of {name}") for one in _checks.listed(given, name, "str"))
    if len(names) != n or len(set(names)) != n:
        raise InvalidValueError(f"{name} must hold {n} different names, not {len(set(names))}")
    return names


def _vectors_of(
    part: FloatArray, domain: str, names: tuple[str, ...], normalize: str, folds: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the vectors of one domain for the classifiers, for the ideal classifier and for the folds."""
    whole = part.sum(axis=1)
    totals = whole.sum(axis=-1)
    off = np.abs(totals - totals[0]) > _SAME * totals[0].max()
    if off.any():
        i, label = (int(at) for at in np.argwhere(off)[0])
        raise InvalidValueError(
            f"confusion_matrices must come from the same instances for every classifier, but on {domain}, "
            f"class {label} has {totals[0, label]:g} instances for {names[0]} and {totals[i, label]:g} for {names[i]}"
        )
    if not totals[0].any():
        raise InvalidValueError(
            f"confusion_matrices must count at least one instance, but the matrices of {domain} are all 0"
        )
    n, c = part.shape[0], part.shape[-1]
    ideal = np.diag(totals[0])
    each = np.empty((n, 0, c, c))
    if folds:
        sizes = part.sum(axis=(-2, -1), keepdims=True)
        if not sizes.all():
            raise InvalidValueError(
                f"confusion_matrices must count at least one instance in every fold, but a fold of {domain} has none"
            )
        errors = part - part.sum(axis=-1)[..., None] * np.eye(c)
        each = ideal + errors * (totals[0].sum() / sizes)
    divisor: Any = {"none": 1.0, "all": totals[0].sum(), "true": np.where(totals[0] > 0, totals[0], 1.0)[:, None]}[
        normalize
    ]
    flat = c * c
    return (whole / divisor).reshape(n, flat), (ideal / divisor).reshape(flat), (each / divisor).reshape(n, -1, flat)
