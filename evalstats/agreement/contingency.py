"""Contingency tables of classes and clusters for many runs."""

from __future__ import annotations

__all__ = ["Contingency", "Pairs", "over_runs"]

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from evalstats import _labels
from evalstats._errors import InvalidValueError
from evalstats._result import unbatch
from evalstats._types import AnyArray, FloatArray, IndexArray
from evalstats.metrics import class_encoding as classes

# a table is counted cell by cell if it has at most this number of cells for each instance; otherwise, its instances are
# sorted
CELLS_PER_CASE = 8
# number of cells, row sums and instances that are held at a time
AT_ONCE = 2**18


class Pairs(NamedTuple):
    """Numbers of pairs of instances that are together in both labelings and in each labeling, and of all pairs."""

    both: FloatArray
    true: FloatArray
    predicted: FloatArray
    all: float


class Contingency(NamedTuple):
    """The nonempty cells of m tables, one table after the other, and the sizes of classes and clusters.

    A cell belongs to the row `run`. `of_class` and `of_cluster` contain the sizes of its class and cluster.
    """

    n: int
    m: int
    run: IndexArray
    n_instances: FloatArray
    of_class: FloatArray
    of_cluster: FloatArray
    cluster: IndexArray
    class_sizes: FloatArray
    cluster_sizes: FloatArray

    def total(self, values: FloatArray) -> FloatArray:
        """Return the sums over the cells of each table."""
        return np.bincount(self.run, values, self.m).astype(np.float64, copy=False)

    def largest_of_clusters(self) -> FloatArray:
        """Return the number of instances in the largest class of their cluster."""
        largest = np.zeros(self.cluster_sizes.size)
        np.maximum.at(largest, self.cluster, self.n_instances)
        total: FloatArray = largest.reshape(self.m, -1).sum(axis=-1)
        return total

    def pairs(self) -> Pairs:
        """Return the numbers of pairs of instances."""
        both = self.total(self.n_instances * (self.n_instances - 1)) / 2
        true, predicted = ((sizes * (sizes - 1)).sum(axis=-1) / 2 for sizes in (self.class_sizes, self.cluster_sizes))
        return Pairs(both, true, predicted, self.n * (self.n - 1) / 2)

    def information(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the mutual information in nats, and the entropies of the classes and of the clusters.

        If each cluster is part of one class, the mutual information is exactly the entropy of the classes. If each
        class is part of one cluster, it is exactly the entropy of the clusters. These cases are detected from integer
        numbers of pairs, not from logarithms.
        """
        pairs = self.pairs()
        pure, complete = pairs.both == pairs.predicted, pairs.both == pairs.true
        of_classes, of_clusters = self.entropies()
        of_clusters = np.where(pure & complete, of_classes, of_clusters)
        shared = np.minimum(self.mutual_information(), np.minimum(of_classes, of_clusters))
        return np.where(pure, of_classes, np.where(complete, of_clusters, shared)), of_classes, of_clusters

    def mutual_information(self) -> FloatArray:
        """Return the mutual information in nats, which may be rounding noise above 0 for independent labelings."""
        ratio = np.log(self.n_instances) - np.log(self.of_class) - np.log(self.of_cluster) + np.log(self.n)
        information = self.total(self.n_instances / self.n * ratio)
        return np.where(information > np.finfo(float).eps, information, 0.0)

    def entropies(self) -> tuple[FloatArray, FloatArray]:
        """Return the entropies in nats of the classes and of the clusters."""
        return _entropy(self.class_sizes / self.n), _entropy(self.cluster_sizes / self.n)

    def n_labels(self) -> tuple[IndexArray, IndexArray]:
        """Return the numbers of classes and of clusters."""
        return np.count_nonzero(self.class_sizes, axis=-1), np.count_nonzero(self.cluster_sizes, axis=-1)


def over_runs(y_true: Any, y_pred: Any, score: Callable[[Contingency], FloatArray]) -> Any:
    """Check two labelings of the same instances, and return the score of each run of a batch."""
    _labels.same_labels(y_true=y_true, y_pred=y_pred)
    true, predicted = classes.understand(y_true, "y_true"), classes.understand(y_pred, "y_pred")
    n = true.array.shape[-1]
    if predicted.array.shape[-1] != n:
        there = predicted.array.shape[-1]
        raise InvalidValueError(f"y_true and y_pred must be paired: y_true has {n} instances, y_pred has {there}")
    try:
        batch = np.broadcast_shapes(true.array.shape[:-1], predicted.array.shape[:-1])
    except ValueError as error:
        shapes = f"y_true {true.array.shape}, y_pred {predicted.array.shape}"
        raise InvalidValueError(f"the leading axes must broadcast, but the shapes are {shapes}") from error
    codes = [_codes(labels) for labels in (true, predicted)]
    sizes = [int(own.max()) + 1 for own in codes]
    codes[0] = codes[0] * sizes[1]
    rows = [np.broadcast_to(own, (*batch, n)).reshape(-1, n) for own in codes]
    step = max(1, AT_ONCE // max(n, *sizes, min(sizes[0] * sizes[1], CELLS_PER_CASE * n)))
    parts = [score(_table(rows[0][i : i + step] + rows[1][i : i + step], *sizes)) for i in range(0, len(rows[0]), step)]
    return unbatch(np.concatenate(parts).reshape(batch))


def _codes(labels: classes.Labels) -> IndexArray:
    names = classes.in_order(classes.distinct(labels))
    everything = (slice(None),) * labels.array.ndim
    return classes.class_codes(labels, names).of(everything).astype(np.intp)


def _table(cell: IndexArray, n_classes: int, n_clusters: int) -> Contingency:
    """Count the instances of each row in each cell (class, cluster)."""
    m, n = cell.shape
    cells = n_classes * n_clusters
    cell += np.arange(m)[:, None] * cells
    joint = cell.ravel()
    place: AnyArray
    if cells <= CELLS_PER_CASE * n:
        counts = np.bincount(joint, minlength=m * cells)
        place = np.flatnonzero(counts)
        count = counts[place]
    else:
        place, count = np.unique(joint, return_counts=True)
    run, within = np.divmod(place, cells)
    of_class, of_cluster = np.divmod(within, n_clusters)
    cases = count.astype(np.float64)
    of_class, of_cluster = of_class + run * n_classes, of_cluster + run * n_clusters
    class_sizes: FloatArray = np.bincount(of_class, cases, m * n_classes).astype(np.float64, copy=False)
    cluster_sizes: FloatArray = np.bincount(of_cluster, cases, m * n_clusters).astype(np.float64, copy=False)
    return Contingency(
        n=n,
        m=m,
        run=run,
        n_instances=cases,
        of_class=class_sizes[of_class],
        of_cluster=cluster_sizes[of_cluster],
        cluster=of_cluster,
        class_sizes=class_sizes.reshape(m, n_classes),
        cluster_sizes=cluster_sizes.reshape(m, n_clusters),
    )


def _entropy(shares: FloatArray) -> FloatArray:
    logs = np.log(np.where(shares > 0, shares, 1.0))
    entropy: FloatArray = -(shares * logs).sum(axis=-1)
    return entropy.clip(0)
