"""Which cases vary together, which benchmark are they of, and how much does a mean over them vary?

Cases that vary together are a *group*: the questions on one passage, the sampled answers to one question. Groups are
independent of each other. A *stratum* is a part of the cases that every sample has, such as one of several benchmarks;
its groups are sampled, and it is not.
"""

from __future__ import annotations

__all__ = [
    "AVERAGES",
    "Clusters",
    "Combined",
    "Groups",
    "Moments",
    "combined",
    "degrees_of_freedom",
    "effective_clusters",
    "jackknife_factors",
    "moments",
    "numbered",
    "sums_by_group",
    "understand_clusters",
    "understand_groups",
]

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._types import BoolArray, FloatArray, IndexArray, IntArray
from evalstats.metrics import class_encoding as classes

AVERAGES = ("micro", "macro")
# a sum of deviations that is smaller than this, relative to the cases and the largest score, is rounding
NOISE = 2.0**-44
# squares of scores beyond these powers of two may leave the range of a float
LARGEST_EXPONENT = 200


class Clusters(NamedTuple):
    """The cases in the order of their strata and groups, and where each of them begins."""

    order: IndexArray  # of the cases
    starts: IndexArray  # the first case of each group, in that order
    edges: IndexArray  # the first group of each stratum, and the number of groups
    weights: FloatArray  # of the strata in the mean
    strata: tuple[Any, ...]  # their names; () without strata
    is_grouped: bool

    @property
    def sizes(self) -> FloatArray:
        """Cases in each group."""
        return np.diff(self.starts, append=self.order.size).astype(np.float64)

    @property
    def n_clusters(self) -> IndexArray:
        """Groups in each stratum."""
        return np.diff(self.edges)

    @property
    def n_instances(self) -> IndexArray:
        """Cases in each stratum."""
        return np.diff(np.append(self.starts, self.order.size)[self.edges])

    @property
    def effective_of_strata(self) -> FloatArray:
        """Clusters of equal size that carry as much information as those of each stratum."""
        sizes = self.sizes
        return np.array([effective_clusters(sizes[stratum]) for stratum in self.of_stratum()])

    @property
    def effective(self) -> float:
        """Clusters of equal weight in the mean that carry as much information as all of these."""
        return float(1 / (self.weights**2 / self.effective_of_strata).sum())

    def of_stratum(self) -> list[slice]:
        """Return the groups of each stratum."""
        return [slice(first, end) for first, end in itertools.pairwise(self.edges.tolist())]

    def sums(self, values: FloatArray) -> FloatArray:
        """Add up each group along the last axis."""
        ordered = np.take(values, self.order, axis=-1)
        if self.starts.size == self.order.size:
            return ordered
        return np.asarray(np.add.reduceat(ordered, self.starts, axis=-1))

    def without_groups(self) -> Clusters:
        """Return the same strata with each case as a group of its own."""
        n = self.order.size
        return self._replace(starts=np.arange(n), edges=np.append(self.starts, n)[self.edges], is_grouped=False)


class Moments(NamedTuple):
    """The mean of each stratum and its standard error, of shape (..., n_strata)."""

    means: FloatArray
    standard_errors: FloatArray  # nan where a stratum has a single group
    freedom: FloatArray  # degrees of freedom of each stratum, (n_strata,)


class Combined(NamedTuple):
    """The weighted mean of the strata, its standard error and its degrees of freedom."""

    mean: FloatArray
    standard_error: FloatArray
    df: FloatArray


def understand_clusters(
    clusters: Any, strata: Any, average: Any, n: int, *, rows: Sequence[str] = (), **beside: Any
) -> Clusters:
    """Return the groups and the strata of n cases; `beside` names the data that they belong to.

    None in place of groups: each case is one. None in place of strata: there is one. The cases are the last axis of the
    data, or the rows of those that `rows` names.
    """
    average = _checks.choice(average, "average", AVERAGES)
    names: list[Any] = []
    group, stratum = np.arange(n), np.zeros(n, dtype=np.intp)
    if strata is not None:
        stratum, names = numbered(strata, "strata", "stratum", n, rows=rows, **beside)
    if clusters is not None:
        group, group_names = numbered(clusters, "clusters", "cluster", n, rows=rows, **beside)
        _refuse_crossing(group, stratum, group_names, names)
    order = np.lexsort((group, stratum))
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    edges = np.flatnonzero(np.diff(stratum[order][starts], prepend=-1, append=-1))
    cases = np.diff(np.append(starts, n)[edges])
    weights = cases / n if average == "micro" else np.full(len(cases), 1 / len(cases))
    return Clusters(order, starts, edges, weights, tuple(names), clusters is not None)


def effective_clusters(sizes: ArrayLike) -> FloatArray:
    """Return how many clusters of equal size carry as much information as clusters of these sizes.

    It is the squared sum of the sizes over the sum of their squares (Kish 1965, section 8.2): the number of clusters
    where all are equal, and near 1 where one holds nearly all instances.

    Parameters
    ----------
    sizes : array_like of shape (..., n_clusters)
        Instances in each cluster, or their weights; 0 is no cluster. Leading axes are a batch.

    Returns
    -------
    ndarray of shape (...)
        From 1 to n_clusters; 0 without any instance.

    References
    ----------
    Kish, L. (1965). Survey Sampling. Wiley.

    Examples
    --------
    >>> print(effective_clusters([10] * 20), effective_clusters([2] * 18 + [40] * 2).round(1))
    20.0 4.1
    """
    weights = np.asarray(sizes, dtype=np.float64)
    largest = weights.max(axis=-1, keepdims=True, initial=0)
    weights = weights / np.where(largest > 0, largest, 1)
    total = weights.sum(axis=-1)
    return np.asarray(total**2 / np.where(total > 0, (weights**2).sum(axis=-1), 1))


def jackknife_factors(sizes: FloatArray) -> FloatArray:
    """Return what the deviation of each cluster is multiplied by, (..., n_clusters); 1 where all sizes are equal.

    G / (G - 1) times the sum of the squared products, over n^2, is the variance of the mean by the jackknife that
    leaves out one cluster after the other: CV3 or CR3 of a regression on a constant (Bell & McCaffrey 2002, section 4).
    A large cluster draws the mean towards itself, so that its own deviation from it is too small.
    """
    n, g = _totals(sizes)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((n - n / g) / (n - sizes))


def degrees_of_freedom(sizes: FloatArray) -> FloatArray:
    """Return the degrees of freedom of that variance, (...): one less than the clusters where all sizes are equal.

    They are those of Satterthwaite (1946) if all instances vary alike and independently (Bell & McCaffrey 2002; Imbens
    & Kolesar 2016), tr(P)^2 / tr(P^2). For a mean P has u_g on its diagonal and -u_g u_h beside it, where
    u_g = n_g / (n - n_g). A size of 0 is no cluster; of a single one there are 0 degrees of freedom.
    """
    n, g = _totals(sizes)
    largest = sizes.max(axis=-1, keepdims=True)
    are_equal = ((sizes == largest) | (sizes == 0)).all(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = sizes / (n - sizes)
        square = u * u
        beside = square.sum(axis=-1) ** 2 - (square * square).sum(axis=-1)
        df = u.sum(axis=-1) ** 2 / (square.sum(axis=-1) + beside)
    return np.where(are_equal, g[..., 0] - 1, df)


def moments(values: FloatArray, clustering: Clusters, largest: FloatArray | None = None) -> Moments:
    """Return the means of values of shape (..., n), and their cluster-robust standard errors.

    In a stratum of G groups with n cases, r_g is the sum of the deviations from the mean in group g, and the variance
    is G / (G - 1) times the sum of the squares of f_g r_g, over n^2, with the `jackknife_factors` f_g. `largest` is the
    size of the scores of which the values are differences: deviations that are rounding beside it are 0.
    """
    largest = np.abs(values).max(axis=-1) if largest is None else largest
    exponent = np.frexp(largest)[1]
    exponent = np.where(np.abs(exponent) > LARGEST_EXPONENT, exponent, 0)
    if exponent.any():
        values, largest = np.ldexp(values, -exponent[..., np.newaxis]), np.ldexp(largest, -exponent)
    sums, sizes = clustering.sums(values), clustering.sizes
    means, errors, freedom = [], [], []
    for stratum, n in zip(clustering.of_stratum(), clustering.n_instances.tolist(), strict=True):
        own, size = sums[..., stratum], sizes[stratum]
        mean = own.sum(axis=-1) / n
        deviation = own - mean[..., np.newaxis] * size
        is_noise = np.abs(deviation) <= NOISE * largest[..., np.newaxis] * size
        g = size.size
        if size.min() < size.max():
            deviation *= jackknife_factors(size)
        square = np.where(is_noise, 0.0, deviation * deviation).sum(axis=-1)
        means.append(np.where(is_noise.all(axis=-1), own[..., 0] / size[0], mean))
        errors.append(np.sqrt(square * (g / (g - 1))) / n if g > 1 else np.full(mean.shape, np.nan))
        freedom.append(degrees_of_freedom(size))
    exponent = exponent[..., np.newaxis]
    return Moments(
        np.ldexp(np.stack(means, axis=-1), exponent), np.ldexp(np.stack(errors, axis=-1), exponent), np.stack(freedom)
    )


def combined(of_strata: Moments, clustering: Clusters) -> Combined:
    """Weight the strata, and the degrees of freedom of their variances.

    With several strata they are those of Satterthwaite (1946), by the variances found, but no more than by the
    variances to be expected if all instances vary alike and independently, or if those of a cluster are all the same.
    A variance of two clusters is often far too small, and would count for nothing otherwise.
    """
    mean = (clustering.weights * of_strata.means).sum(axis=-1)
    parts = clustering.weights * of_strata.standard_errors
    largest = parts.max(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = (parts / largest[..., np.newaxis]) ** 2
        error = largest * np.sqrt(squares.sum(axis=-1))
    has_error, is_known = largest > 0, ~np.isnan(largest)
    freedom = of_strata.freedom
    if freedom.size == 1:
        return Combined(mean, np.where(has_error, error, largest), np.where(is_known, freedom[0], np.nan))
    sizes = clustering.n_instances, clustering.effective_of_strata
    most = min(_satterthwaite(clustering.weights**2 / size, freedom) for size in sizes)
    df = np.minimum(_satterthwaite(squares, freedom), most)
    all_groups = np.where(is_known, freedom.sum(), np.nan)
    return Combined(mean, np.where(has_error, error, largest), np.where(has_error, df, all_groups))


def _satterthwaite(variances: FloatArray, freedom: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = variances / variances.sum(axis=-1, keepdims=True)
        return np.asarray(1 / (shares**2 / freedom).sum(axis=-1))


def _totals(sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the instances and the number of the clusters that hold any, (..., 1)."""
    return sizes.sum(axis=-1, keepdims=True), np.count_nonzero(sizes, axis=-1, keepdims=True).astype(np.float64)


def _refuse_crossing(group: IndexArray, stratum: IndexArray, clusters: list[Any], strata: list[Any]) -> None:
    own = np.empty(len(clusters), dtype=np.intp)
    own[group[::-1]] = stratum[::-1]  # the stratum of its first case
    crossing = np.flatnonzero(own[group] != stratum)
    if crossing.size:
        case = crossing[0]
        first, second = short(strata[own[group[case]]]), short(strata[stratum[case]])
        raise InvalidValueError(
            f"clusters must not cross strata, but cluster {short(clusters[group[case]])} has cases in strata {first} "
            f"and "
            f"{second}; if these are two clusters, give them two names, or else leave out strata"
        )


class Groups(NamedTuple):
    """The cases in the order of their groups, and where each group begins."""

    order: IndexArray
    starts: IndexArray


def understand_groups(clusters: Any, n: int, *, rows: Sequence[str] = (), **beside: Any) -> Groups:
    """Return the groups of n cases; `beside` names the data that the groups belong to.

    The cases are the last axis of the data, or the rows of those that `rows` names.
    """
    codes, names = numbered(clusters, "clusters", "cluster", n, rows=rows, **beside)
    order = np.argsort(codes, kind="stable")
    return Groups(order, np.searchsorted(codes[order], np.arange(len(names))))


def numbered(
    labels: Any, name: str, word: str, n: int, *, rows: Sequence[str] = (), **beside: Any
) -> tuple[IndexArray, list[Any]]:
    """Return the number of the group or the stratum of each of n cases, and its names in the order of their numbers."""
    understood = classes.understand(labels, name)
    if understood.array.shape != (n,):
        raise InvalidValueError(
            f"{name} must name one {word} for each of the {n} cases, but its shape is {understood.array.shape}"
        )
    for other_name, other in beside.items():
        _labels.same_labels(rows=rows, **{other_name: other, name: labels})
    given = understood.array.tolist()
    numbers = {one: number for number, one in enumerate(dict.fromkeys(given))}
    return np.fromiter(map(numbers.__getitem__, given), dtype=np.intp, count=n), list(numbers)


def sums_by_group(right: BoolArray, clusters: Groups) -> IntArray:
    """Count the True of each group along the last axis."""
    return np.asarray(np.add.reduceat(right[..., clusters.order], clusters.starts, axis=-1, dtype=np.int64))
