"""Bootstrap of battles, or of clusters of battles, for the Bradley-Terry model."""

from __future__ import annotations

__all__ = ["Samples", "bootstrapped"]

from typing import NamedTuple

import numpy as np

from evalstats._types import FloatArray, IndexArray
from evalstats.multiple.battle_model.cells import Cells
from evalstats.multiple.battle_model.covariance import fitted
from evalstats.multiple.bradley_terry import linked_groups


class Samples(NamedTuple):
    """Parameters of the bootstrap samples, and the number of samples without finite strengths of all models."""

    parameters: FloatArray
    n_infinite: int


def bootstrapped(
    cells: Cells,
    start: FloatArray,
    points: FloatArray,
    weight: FloatArray,
    cluster: IndexArray | None,
    n_resamples: int,
    rng: np.random.Generator,
) -> Samples:
    """Fit the model to bootstrap samples of battles or of clusters.

    In each sample, the model is fitted to the largest group of models that are connected in both directions by chains
    of wins. Models above this group have the strength infinity, and models below it have the strength minus infinity.
    Models without a link to this group have the strength nan.

    Parameters
    ----------
    cells : Cells
        The battles.
    start : ndarray of shape (n_parameters,)
        The estimates, from which Newton's method starts.
    points, weight : ndarray of shape (n,)
        Weight times outcome for the first model in the cell of each battle, and weight of each battle.
    cluster : ndarray of int, of shape (n,), optional
        The cluster of each battle.
    n_resamples : int
        Number of bootstrap samples.
    rng : numpy.random.Generator
        Source of the random numbers.
    """
    from scipy.sparse import coo_array

    n_cells, n = len(cells.a), len(cells.cell)
    at = cells.cell
    if cluster is None:  # equal battles are drawn together
        key = np.column_stack([cells.cell, weight, points])
        _, first, unit = np.unique(key, axis=0, return_index=True, return_inverse=True)
        proportions, units = np.bincount(unit) / n, np.arange(len(first))
        at, weight, points = at[first], weight[first], points[first]
    else:
        units, n = cluster, int(cluster.max()) + 1
        proportions = np.full(n, 1 / n)
    shape = (len(proportions), n_cells)
    of_weights = coo_array((weight, (units, at)), shape=shape).tocsr()
    of_points = coo_array((points, (units, at)), shape=shape).tocsr()
    parameters, n_infinite = np.empty((n_resamples, cells.size)), 0
    for draw in parameters:
        counts = rng.multinomial(n, proportions).astype(np.float64)
        sample = cells._replace(n=np.asarray(counts @ of_weights), points=np.asarray(counts @ of_points))
        draw[:] = _parameters(sample, start)
        n_infinite += not np.isfinite(draw).all()
    return Samples(parameters, n_infinite)


def _parameters(cells: Cells, start: FloatArray) -> FloatArray:
    """Fit the largest group of models that are connected in both directions by chains of wins."""
    above, main, below = linked_groups(cells.beats)
    parameters = np.full(cells.size, np.nan)
    strengths = parameters[: cells.k]
    own = int(main.sum())
    found = None
    if own > 1:
        found = fitted(cells.among(main), np.concatenate([start[: cells.k][main], start[cells.k :]]))
    if found is not None:
        strengths[main], parameters[cells.k :] = found.parameters[:own], found.parameters[own:]
        strengths[above], strengths[below] = np.inf, -np.inf
    return parameters
