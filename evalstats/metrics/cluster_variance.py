"""Clusters and strata of instances, and the variances of a mean and of AUCs over clusters and strata.

Correlated instances, such as the questions on one passage or the sampled answers to one question, form a *cluster*.
Clusters are independent of each other. A *stratum* is a fixed part of the instances, such as one of several benchmarks.
The clusters of a stratum are a sample, but the strata themselves are fixed.
"""

from __future__ import annotations

__all__ = [
    "AVERAGES",
    "ClusteredAreas",
    "Clusters",
    "Combined",
    "Groups",
    "Moments",
    "clustered_areas",
    "combined",
    "degrees_of_freedom",
    "effective_clusters",
    "jackknife_factors",
    "moments",
    "noise_of_scores",
    "numbered",
    "sums_by_code",
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
from evalstats._errors import InvalidValueError, short
from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray, IntArray
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.delong import doubled_placements

AVERAGES = ("micro", "macro")
# a smaller sum of deviations, relative to the number of instances and the largest score, is rounding error
NOISE = 2.0**-44
# squares of scores beyond these powers of two may overflow or underflow
LARGEST_EXPONENT = 200


class Clusters(NamedTuple):
    """The instances in the order of their strata and clusters, and the start of each stratum and cluster."""

    order: IndexArray  # of the cases
    starts: IndexArray  # the first instance of each cluster, in that order
    edges: IndexArray  # the first cluster of each stratum, and the number of clusters
    weights: FloatArray  # weights of the strata in the mean
    strata: tuple[Any, ...]  # names of the strata; () without strata
    is_grouped: bool

    @property
    def sizes(self) -> FloatArray:
        """Number of instances in each cluster."""
        return np.diff(self.starts, append=self.order.size).astype(np.float64)

    @property
    def n_clusters(self) -> IndexArray:
        """Number of clusters in each stratum."""
        return np.diff(self.edges)

    @property
    def n_instances(self) -> IndexArray:
        """Number of instances in each stratum."""
        return np.diff(np.append(self.starts, self.order.size)[self.edges])

    @property
    def effective_of_strata(self) -> FloatArray:
        """Number of clusters of equal size that contain as much information as the clusters of each stratum."""
        sizes = self.sizes
        return np.array([effective_clusters(sizes[stratum]) for stratum in self.of_stratum()])

    @property
    def effective(self) -> float:
        """Number of clusters of equal weight in the mean that contain as much information as all clusters."""
        return float(1 / (self.weights**2 / self.effective_of_strata).sum())

    def of_stratum(self) -> list[slice]:
        """Return the clusters of each stratum."""
        return [slice(first, end) for first, end in itertools.pairwise(self.edges.tolist())]

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum each cluster along the last axis."""
        ordered = np.take(values, self.order, axis=-1)
        if self.starts.size == self.order.size:
            return ordered
        return np.asarray(np.add.reduceat(ordered, self.starts, axis=-1))

    def without_groups(self) -> Clusters:
        """Return the same strata with each instance as its own cluster."""
        n = self.order.size
        return self._replace(starts=np.arange(n), edges=np.append(self.starts, n)[self.edges], is_grouped=False)


class Moments(NamedTuple):
    """The mean of each stratum and its standard error, of shape (..., n_strata)."""

    means: FloatArray
    standard_errors: FloatArray  # nan if a stratum has a single cluster
    freedom: FloatArray  # degrees of freedom of each stratum, (n_strata,)


class Combined(NamedTuple):
    """The weighted mean of the strata, its standard error and its degrees of freedom."""

    mean: FloatArray
    standard_error: FloatArray
    df: FloatArray


def understand_clusters(
    clusters: Any, strata: Any, average: Any, n: int, *, rows: Sequence[str] = (), **beside: Any
) -> Clusters:
    """Return the clusters and the strata of n instances. `beside` names the data to which the instances belong.

    Without clusters, each instance is a cluster. Without strata, there is one stratum. The instances are the last axis
    of the data, or the rows of the data that `rows` names.
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
    """Return the number of clusters of equal size that contain as much information as clusters of the given sizes.

    The result is the squared sum of the sizes divided by the sum of their squares (Kish 1965, section 8.2). It equals
    the number of clusters if all sizes are equal, and is close to 1 if one cluster contains nearly all instances.

    Parameters
    ----------
    sizes : array_like of shape (..., n_clusters)
        Number of instances in each cluster, or the sum of their weights. A size of 0 is ignored. Leading axes are batch
        dimensions.

    Returns
    -------
    ndarray of shape (...)
        Number of equal clusters, from 1 to n_clusters, or 0 if there are no instances.

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
    """Return the factor of the deviation of each cluster, (..., n_clusters), or 1 if all sizes are equal.

    Multiply the sum of the squared products of factor and deviation by G / (G - 1), and divide it by n^2. The result is
    the delete-one-cluster jackknife variance of the mean. It is the CV3 or CR3 variance of a regression on a constant
    (Bell & McCaffrey 2002, section 4). The factors are needed because a large cluster has a large weight in the mean,
    so its own deviation from the mean is too small.
    """
    n, g = _totals(sizes)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((n - n / g) / (n - sizes))


def degrees_of_freedom(sizes: FloatArray) -> FloatArray:
    """Return the degrees of freedom of the jackknife variance: the number of clusters minus one if all sizes are equal.

    If all instances are independent with the same variance, Satterthwaite's (1946) degrees of freedom are tr(P)^2 /
    tr(P^2). See Bell & McCaffrey (2002) and Imbens & Kolesar (2016). For a mean, P has u_g on its diagonal and -u_g u_h
    elsewhere, with u_g = n_g / (n - n_g). A size of 0 means no cluster. A single cluster has 0 degrees of freedom.
    """
    n, g = _totals(sizes)
    largest = sizes.max(axis=-1, keepdims=True)
    are_equal = ((sizes == largest) | (sizes == 0)).all(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = sizes / (n - sizes)
        square = u * u
        beside = square.sum(axis=-1) ** 2 - (square * square).sum(axis=-1)
        df = u.sum(axis=-1) ** 2 / (square.sum(axis=-1) + beside)
    return np.where(are_equal, g[..., 0] - 1, np.maximum(df, 1))  # never below 1, except for rounding errors


def noise_of_scores(*scores: Any) -> float:
    """Return the relative rounding error of sums of scores, which is larger for single and half precision."""
    return max(NOISE, *(4 * _checks.noise_in(one) for one in scores))


def moments(
    values: FloatArray, clustering: Clusters, largest: FloatArray | None = None, noise: float = NOISE
) -> Moments:
    """Return the means of values of shape (..., n), and their cluster-robust standard errors.

    In a stratum of G clusters with n instances, r_g is the sum of the deviations from the mean in cluster g. The
    variance is G / (G - 1) times the sum of the squares of f_g r_g, divided by n^2, with the `jackknife_factors` f_g.
    `largest` is the largest absolute score from which the values are computed, and `noise` its relative rounding error:
    deviations that are only rounding errors of such scores are set to 0.
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
        is_noise = np.abs(deviation) <= noise * largest[..., np.newaxis] * size
        g = size.size
        if size.min() < size.max():
            deviation *= jackknife_factors(size)
        square = np.where(is_noise, 0.0, deviation * deviation).sum(axis=-1)
        same = own[..., 0] / size[0]  # as the mean of each cluster is, except for rounding errors
        mean = np.where(is_noise.all(axis=-1), np.where(np.abs(same) <= noise * largest, 0.0, same), mean)
        means.append(mean)
        errors.append(np.sqrt(square * (g / (g - 1))) / n if g > 1 else np.full(mean.shape, np.nan))
        freedom.append(degrees_of_freedom(size))
    exponent = exponent[..., np.newaxis]
    return Moments(
        np.ldexp(np.stack(means, axis=-1), exponent), np.ldexp(np.stack(errors, axis=-1), exponent), np.stack(freedom)
    )


def combined(of_strata: Moments, clustering: Clusters) -> Combined:
    """Combine the strata with weights, and compute the degrees of freedom of the variance.

    With several strata, the degrees of freedom are Satterthwaite's (1946), computed from the estimated variances. They
    are limited by the values that result from the expected variances in two models. In one model, all instances are
    independent with the same variance. In the other model, the instances of a cluster are all equal. Without this
    limit, the variance of a stratum of two clusters, which is often much too small, would have almost no influence.
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
    """Return the numbers of instances and of nonempty clusters, (..., 1)."""
    return sizes.sum(axis=-1, keepdims=True), np.count_nonzero(sizes, axis=-1, keepdims=True).astype(np.float64)


def _refuse_crossing(group: IndexArray, stratum: IndexArray, clusters: list[Any], strata: list[Any]) -> None:
    own = np.empty(len(clusters), dtype=np.intp)
    own[group[::-1]] = stratum[::-1]  # the stratum of its first instance
    crossing = np.flatnonzero(own[group] != stratum)
    if crossing.size:
        case = crossing[0]
        first, second = short(strata[own[group[case]]]), short(strata[stratum[case]])
        raise InvalidValueError(
            f"clusters must not cross strata, but cluster {short(clusters[group[case]])} has instances in strata "
            f"{first} and {second}; use different names for different clusters, or omit strata"
        )


class Groups(NamedTuple):
    """Instances sorted by cluster, with the position of the first instance of each cluster."""

    order: IndexArray
    starts: IndexArray


def understand_groups(clusters: Any, n: int, *, rows: Sequence[str] = (), **beside: Any) -> Groups:
    """Return the clusters of n instances. `beside` names the data to which the instances belong.

    The instances are the last axis of the data, or the rows of the data that `rows` names.
    """
    codes, names = numbered(clusters, "clusters", "cluster", n, rows=rows, **beside)
    order = np.argsort(codes, kind="stable")
    return Groups(order, np.searchsorted(codes[order], np.arange(len(names))))


def numbered(
    labels: Any, name: str, word: str, n: int, *, rows: Sequence[str] = (), **beside: Any
) -> tuple[IndexArray, list[Any]]:
    """Return the index of the cluster or stratum of each of n instances, and the names by index."""
    understood = classes.understand(labels, name)
    if understood.array.shape != (n,):
        raise InvalidValueError(
            f"{name} must name one {word} for each of the {n} instances, but its shape is {understood.array.shape}"
        )
    for other_name, other in beside.items():
        _labels.same_labels(rows=rows, **{other_name: other, name: labels})
    given = understood.array.tolist()
    numbers = {one: number for number, one in enumerate(dict.fromkeys(given))}
    return np.fromiter(map(numbers.__getitem__, given), dtype=np.intp, count=n), list(numbers)


def sums_by_group(right: BoolArray, clusters: Groups) -> IntArray:
    """Count the True values of each cluster along the last axis."""
    return np.asarray(np.add.reduceat(right[..., clusters.order], clusters.starts, axis=-1, dtype=np.int64))


def sums_by_code(values: FloatArray, codes: IndexArray, size: int) -> FloatArray:
    """Sum the values for each code from 0 to size - 1 along the last axis."""
    rows = values.reshape(-1, values.shape[-1])
    sums = np.array([np.bincount(codes, weights=row, minlength=size) for row in rows])
    return sums.reshape(*values.shape[:-1], size)


# --- covariance of AUCs -----------------------------------------------------------------------------------------------


class ClusteredAreas(NamedTuple):
    """Areas (b, k), their covariance (b, k, k), and the variance of the first area minus the second (b,)."""

    auc: FloatArray
    covariance: FloatArray
    variance_of_difference: FloatArray


def clustered_areas(positive: BoolArray, score: AnyArray, cluster: IndexArray) -> ClusteredAreas:
    """Return areas and covariances of b problems with the same clusters: Obuchowski (1997).

    The shapes are (b, n), (b, k, n) and (n,). If fewer than two clusters contain an instance of a class, the covariance
    is nan. If each cluster has one instance, it is DeLong's covariance.
    """
    below = doubled_placements(positive, score)
    n_clusters = int(cluster.max()) + 1
    m = positive.sum(axis=-1)
    n = positive.shape[-1] - m
    other = np.where(positive, n[:, np.newaxis], m[:, np.newaxis])
    # for a negative instance: the proportion of the positive instances above it
    share = below / (2 * other[:, np.newaxis])
    component = np.where(positive[:, np.newaxis], share, 1 - share)
    of_positive = np.where(positive[:, np.newaxis], component, 0.0)
    auc = of_positive.sum(axis=-1) / m[:, np.newaxis]
    # the difference is treated as a third classifier, which avoids cancellation if both vary together
    several = np.concatenate([component, component[:, :1] - component[:, 1:2]], axis=1)
    centers = np.concatenate([auc, auc[:, :1] - auc[:, 1:2]], axis=1)

    deviation, parts, counts = several - centers[..., np.newaxis], [], []
    for own in (positive, ~positive):
        of_class = np.where(own[:, np.newaxis], deviation, 0.0)
        parts.append(sums_by_code(of_class, cluster, n_clusters))
        counts.append((sums_by_code(own[:, np.newaxis].astype(np.float64), cluster, n_clusters)[:, 0] > 0).sum(axis=-1))
    size_of_positive, size_of_negative = (one.astype(np.float64)[:, np.newaxis, np.newaxis] for one in (m, n))
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = [(count / (count - 1))[:, np.newaxis, np.newaxis] for count in counts]
        both = n_clusters / (n_clusters - 1) if n_clusters > 1 else np.nan
        covariance = factors[0] * (parts[0] @ parts[0].swapaxes(-1, -2)) / size_of_positive**2
        covariance = covariance + factors[1] * (parts[1] @ parts[1].swapaxes(-1, -2)) / size_of_negative**2
        across = both * (parts[0] @ parts[1].swapaxes(-1, -2)) / (size_of_positive * size_of_negative)
        covariance = covariance + across + across.swapaxes(-1, -2)
    is_single = (np.minimum(*counts) < 2)[:, np.newaxis, np.newaxis]
    covariance = np.where(is_single, np.nan, covariance)
    return ClusteredAreas(auc, covariance[:, :-1, :-1], covariance[:, -1, -1])
