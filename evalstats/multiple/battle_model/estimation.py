"""Estimates of the Bradley-Terry model of battles, with fields for their uncertainty, and the bootstrap of battles."""

from __future__ import annotations

__all__ = ["Battles", "estimated"]

from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import listed
from evalstats._types import BoolArray, FloatArray, IndexArray
from evalstats.multiple.battle_model.cells import Cells
from evalstats.multiple.battle_model.covariance import Fit, contrasts_of_pairs, cr2, fitted, sandwich
from evalstats.multiple.bradley_terry import linked_groups

ORDERED = "in some order of the models, none ever lost or tied against a later model, so no finite strengths exist"
ONE_CLUSTER = "all battles belong to one cluster, so the strengths have no standard error"
EXPLAINED = "the position or the covariates explain some outcomes completely, so no finite estimates exist"


class Battles(NamedTuple):
    """Validated battles, in the order of the arguments."""

    cells: Cells
    outcome: FloatArray  # of the first model of the cell
    weight: FloatArray
    clusters: tuple[IndexArray, ...]


def estimated(
    own: Battles, names: tuple[Any, ...], covariance: str, small_sample: str, n_resamples: int, rng: Any
) -> dict[str, Any]:
    """Return the estimates and the fields that describe their uncertainty."""
    cells, k = own.cells, own.cells.k
    above, main, below = linked_groups(cells.beats)
    estimate, q = np.full(k, np.nan), cells.terms.shape[1]
    method = _method(covariance, small_sample, own.clusters)
    unknown = {
        "coefficients": np.full(q, np.nan),
        "coefficients_standard_error": np.full(q, np.nan),
        "covariance": np.full((k, k), np.nan),
        "covariance_method": method,
        "standard_error": np.full(k, np.nan),
        "log_likelihood": np.nan,
        "df": np.inf,
        "strength_df": np.full(k, np.inf),
        "differences_df": np.full((k, k), np.inf),
        "is_clipped": False,
        "n_infinite": None,
    }
    reason = None if main.all() else _separated(cells, names, above, main, below)
    fit = None
    if main.sum() > 1:
        own_cells = cells.among(main)
        fit = fitted(own_cells, np.zeros(own_cells.size))
    if fit is None:
        return unknown | {"estimate": estimate, "reason": reason or EXPLAINED}
    m = int(main.sum())
    estimate[main], estimate[above], estimate[below] = fit.parameters[:m], np.inf, -np.inf
    found = unknown | {"estimate": estimate, "coefficients": fit.parameters[m:], "reason": reason}
    if main.all():
        found["log_likelihood"] = fit.log_likelihood
    if rng is not None:
        return found | _from_bootstrap(own, found, n_resamples, rng)
    return found | _from_formula(own, fit, main, covariance, small_sample, reason)


def _method(covariance: str, small_sample: str, clusters: tuple[IndexArray, ...]) -> str:
    if covariance != "robust":
        return covariance
    return small_sample.upper() if clusters else "HC0"


def _from_formula(
    own: Battles, fit: Fit, main: BoolArray, covariance: str, small_sample: str, reason: str | None
) -> dict[str, Any]:
    """Return the covariance of the models of the main group, and its degrees of freedom."""
    k, m = len(main), int(main.sum())
    cells = own.cells.among(main)
    kept = (main[own.cells.a] & main[own.cells.b])[own.cells.cell]
    outcome, weight = own.outcome[kept], own.weight[kept]
    clusters = [np.unique(one[kept], return_inverse=True)[1] for one in own.clusters]
    df_strength, df_pairs = np.full(k, np.inf), np.full((k, k), np.inf)
    df, clipped = np.inf, False
    if covariance == "model":
        parameters = fit.inverse
    elif small_sample == "cr2" and clusters and int(clusters[0].max()) > 0:
        pairs = contrasts_of_pairs(m, cells.size)
        strengths = np.eye(cells.size)[:m] - np.append(np.full(m, 1 / m), np.zeros(cells.size - m))
        parameters, each = cr2(cells, fit, outcome, weight, clusters[0], np.concatenate([strengths, pairs]))
        df_strength[main], df = each[:m], float(each[m:].min())
        first, second = np.flatnonzero(main)[np.array(np.triu_indices(m, 1))]
        df_pairs[first, second] = df_pairs[second, first] = each[m:]
    else:
        residual = weight * (outcome - fit.p[cells.cell])
        corrected = small_sample == "cr1"
        parameters, df, clipped = sandwich(cells, fit, residual, clusters, corrected=corrected)
        df_strength[:], df_pairs[:] = max(df, 1), max(df, 1)
        if any(int(one.max()) == 0 for one in clusters):
            parameters, reason = np.full_like(parameters, np.nan), reason or ONE_CLUSTER
    whole = np.full((k, k), np.nan)
    whole[np.ix_(main, main)] = parameters[:m, :m]
    return {
        "covariance": whole,
        "standard_error": np.sqrt(np.diag(whole)),
        "coefficients_standard_error": np.sqrt(np.diag(parameters)[m:]),
        "df": df,
        "strength_df": df_strength,
        "differences_df": df_pairs,
        "is_clipped": clipped,
        "reason": reason,
    }


def _from_bootstrap(own: Battles, found: dict[str, Any], n_resamples: int, rng: Any) -> dict[str, Any]:
    cells = own.cells
    start = np.concatenate([np.where(np.isfinite(found["estimate"]), found["estimate"], 0), found["coefficients"]])
    cluster = own.clusters[0] if own.clusters else None
    samples = bootstrapped(cells, start, own.weight * own.outcome, own.weight, cluster, n_resamples, rng)
    finite = samples.parameters[np.isfinite(samples.parameters).all(axis=1)]
    parameters = np.full((cells.size, cells.size), np.nan)
    if len(finite) > 1:
        parameters = np.atleast_2d(np.cov(finite, rowvar=False))
    strengths = parameters[: cells.k, : cells.k]
    return {
        "covariance": strengths,
        "standard_error": np.sqrt(np.diag(strengths)),
        "coefficients_standard_error": np.sqrt(np.diag(parameters)[cells.k :]),
        "n_infinite": samples.n_infinite,
        "_draws": samples.parameters[:, : cells.k],
    }


def _separated(cells: Cells, names: tuple[Any, ...], above: BoolArray, main: BoolArray, below: BoolArray) -> str:
    """Return a sentence that explains why some strengths are not finite and names the models."""
    from scipy.sparse.csgraph import connected_components

    met = cells.totals(cells.n)
    n_parts, part = connected_components(met + met.T, directed=False)
    if n_parts > 1:
        groups = [listed([names[i] for i in np.flatnonzero(part == one)], 10) for one in range(n_parts)]
        return (
            f"the models form {n_parts} groups that no battle connects ({'; '.join(groups)}), so strengths of "
            "different groups cannot be compared"
        )
    parts = []
    for models, rule in ((above, "never lost or tied against"), (below, "never won or tied against")):
        if models.any():
            parts.append(f"{listed([names[i] for i in np.flatnonzero(models)], 10)} {rule} the other models")
    if not main.sum() > 1:
        return ORDERED
    return f"{' and '.join(parts)}, so these strengths are infinite"


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
