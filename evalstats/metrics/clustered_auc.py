"""Covariance of AUCs if the instances are in clusters, such as several images of a patient."""

from __future__ import annotations

__all__ = ["ClusteredAreas", "clustered_areas"]

from typing import NamedTuple

import numpy as np

from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.metrics.cluster_variance import sums_by_code
from evalstats.metrics.delong import doubled_placements


class ClusteredAreas(NamedTuple):
    """Areas (b, k), their covariance (b, k, k), and the variance of the first area minus the second (b,)."""

    auc: FloatArray
    covariance: FloatArray
    variance_of_difference: FloatArray


def clustered_areas(positive: BoolArray, score: AnyArray, cluster: IndexArray) -> ClusteredAreas:
    """Return areas and covariances of b problems with the same clusters: Obuchowski (1997).

    The shapes are (b, n), (b, k, n) and (n,). With fewer than two clusters that have an instance of a class, the
    covariance is nan. With clusters of one instance, it is DeLong's.
    """
    below = doubled_placements(positive, score)
    n_clusters = int(cluster.max()) + 1
    m = positive.sum(axis=-1)
    n = positive.shape[-1] - m
    other = np.where(positive, n[:, np.newaxis], m[:, np.newaxis])
    # of a negative instance, the proportion of the positive instances above it
    share = below / (2 * other[:, np.newaxis])
    component = np.where(positive[:, np.newaxis], share, 1 - share)
    of_positive = np.where(positive[:, np.newaxis], component, 0.0)
    auc = of_positive.sum(axis=-1) / m[:, np.newaxis]
    # the difference as a third classifier: nothing cancels if both vary alike
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
