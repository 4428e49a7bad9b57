"""Fit of the Bradley-Terry model to cells of battles, and its robust and clustered covariances."""

from __future__ import annotations

__all__ = ["Fit", "Sandwich", "contrasts_of_pairs", "cr2", "errors_of_differences", "fitted", "sandwich"]

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError
from evalstats._types import FloatArray, IndexArray
from evalstats.multiple.battle_model.cells import Cells

MOST_STEPS, LARGEST_LOGIT = 100, 40.0
NEAR_ZERO = 1e-12  # relative to the largest eigenvalue
MOST_DIFFERENT = 2000  # battles of one cluster, for CR2


class Fit(NamedTuple):
    """Parameters (strengths with mean 0, then coefficients), the inverse information, and the probabilities."""

    parameters: FloatArray
    inverse: FloatArray
    p: FloatArray  # of the first model of each cell
    log_likelihood: float


class Sandwich(NamedTuple):
    """A covariance of the parameters, and its degrees of freedom; `clipped` if eigenvalues were set to 0."""

    covariance: FloatArray
    df: float
    clipped: bool


def fitted(cells: Cells, start: FloatArray) -> Fit | None:
    """Maximize the likelihood by Newton's method with step halving, or None if it has no finite maximum."""
    from scipy.special import expit, xlog1py, xlogy

    theta, value = start.copy(), -np.inf
    for _ in range(MOST_STEPS):
        p = expit(_logits(cells, theta))
        gradient = _crossed(cells, cells.points - cells.n * p)
        information = _information(cells, cells.n * p * (1 - p))
        weight = max(np.trace(information[: cells.k, : cells.k]) / cells.k**2, np.finfo(float).tiny)
        information[: cells.k, : cells.k] += weight  # fixes the mean
        try:
            step = np.asarray(np.linalg.solve(information, gradient), dtype=np.float64)
        except np.linalg.LinAlgError:
            return None
        decrement = float(step @ gradient)
        if not decrement < 1e-20 * max(1.0, cells.n.sum()):
            theta, value = _improved(cells, theta, step, value)
            if np.abs(_logits(cells, theta)).max() > LARGEST_LOGIT:
                return None
            continue
        if np.linalg.cond(information) > 1e14:
            return None
        inverse = np.asarray(np.linalg.inv(information), dtype=np.float64)
        inverse[: cells.k, : cells.k] -= 1 / (cells.k**2 * weight)
        theta[: cells.k] -= theta[: cells.k].mean()
        likelihood = float((xlogy(cells.points, p) + xlog1py(cells.n - cells.points, -p)).sum())
        return Fit(theta, inverse, p, likelihood)
    return None


def _improved(cells: Cells, theta: FloatArray, step: FloatArray, value: float) -> tuple[FloatArray, float]:
    """Return the parameters after a step that does not decrease the likelihood, and the new likelihood."""
    size = 1.0
    for _ in range(50):
        new = theta + size * step
        logit = _logits(cells, new)
        # log p and log (1 - p) without cancellation
        found = float((cells.points * logit - cells.n * np.logaddexp(0, logit)).sum())
        if found >= value - 1e-12 * abs(value):
            break
        size /= 2
    return new, found


def _logits(cells: Cells, theta: FloatArray) -> FloatArray:
    return np.asarray(theta[cells.a] - theta[cells.b] + cells.terms @ theta[cells.k :])


def _crossed(cells: Cells, values: FloatArray) -> FloatArray:
    """Sum the rows of the design matrix, weighted by one value for each cell."""
    k = cells.k
    own = np.bincount(cells.a, values, minlength=k) - np.bincount(cells.b, values, minlength=k)
    return np.concatenate([own, values @ cells.terms])


def _information(cells: Cells, weight: FloatArray) -> FloatArray:
    """Sum the outer products of the rows of the design matrix, weighted by one value for each cell."""
    k, terms = cells.k, cells.terms
    both = cells.totals(weight)
    both = both + both.T
    information = np.empty((cells.size, cells.size))
    information[:k, :k] = np.diag(both.sum(axis=1)) - both
    for q, column in enumerate(terms.T):
        own = weight * column
        of_models = np.bincount(cells.a, own, minlength=k) - np.bincount(cells.b, own, minlength=k)
        information[:k, k + q] = information[k + q, :k] = of_models
    information[k:, k:] = terms.T @ (terms * weight[:, None])
    return information


def sandwich(
    cells: Cells, fit: Fit, residual: FloatArray | None, clusters: Sequence[IndexArray], *, corrected: bool
) -> Sandwich:
    """Return the covariance from the squared scores of battles, or of one or two clusterings.

    `residual` is the weight times the difference between outcome and probability of each battle, for the first model of
    its cell. If `corrected`, the factor G / (G - 1) for G clusters and G - 1 degrees of freedom are used.
    """
    if residual is None or not clusters:
        p, (s0, s1, s2) = fit.p, cells.squares
        return Sandwich(_around(fit, _information(cells, s2 - 2 * p * s1 + p * p * s0)), np.inf, False)
    sides = [(clusters[0], 1.0)]
    if len(clusters) == 2:
        both = clusters[0] * (int(clusters[1].max()) + 1) + clusters[1]
        sides += [(clusters[1], 1.0), (np.unique(both, return_inverse=True)[1], -1.0)]
    total, fewest = np.zeros((cells.size, cells.size)), np.inf
    for cluster, sign in sides:
        g = int(cluster.max()) + 1
        factor = np.float64(g) / (g - 1) if corrected and g > 1 else np.nan if g == 1 else 1.0
        total += sign * factor * _squared_sums(cells, residual, cluster, g)
        fewest = min(fewest, g)
    covariance, clipped = _around(fit, total), False
    if len(clusters) == 2 and np.isfinite(covariance).all():
        values, vectors = np.linalg.eigh(covariance)
        clipped = bool(values[0] < -1e-12 * max(values[-1], 0))
        covariance = (vectors * np.maximum(values, 0)) @ vectors.T
    return Sandwich(covariance, fewest - 1 if corrected else np.inf, clipped)


def _around(fit: Fit, squares: FloatArray) -> FloatArray:
    return np.asarray(fit.inverse @ squares @ fit.inverse)


def _squared_sums(cells: Cells, residual: FloatArray, cluster: IndexArray, g: int) -> FloatArray:
    """Sum the scores of each cluster, and their outer products over the clusters."""
    from scipy.sparse import coo_array

    k, at = cells.k, cells.cell
    rows, columns = np.concatenate([cluster, cluster]), np.concatenate([cells.a[at], cells.b[at]])
    of_models = coo_array((np.concatenate([residual, -residual]), (rows, columns)), shape=(g, k)).tocsr()
    of_terms = np.column_stack(
        [np.zeros((g, 0)), *(np.bincount(cluster, residual * one, minlength=g) for one in cells.terms[at].T)]
    )
    squares = np.empty((cells.size, cells.size))
    squares[:k, :k] = (of_models.T @ of_models).toarray()
    squares[:k, k:] = of_models.T @ of_terms
    squares[k:, :k] = squares[:k, k:].T
    squares[k:, k:] = of_terms.T @ of_terms
    return squares


def cr2(
    cells: Cells, fit: Fit, outcome: FloatArray, weight: FloatArray, cluster: IndexArray, contrasts: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the bias-reduced covariance CR2, and Satterthwaite's degrees of freedom of each contrast.

    The residuals of cluster g are multiplied by A = D (D (F - X M X') D)^(-1/2) D. Here F = D^2 are the variances of
    the battles, X the derivatives of their probabilities and M the inverse information. See Pustejovsky & Tipton (2018,
    eq. 9) and clubSandwich. Then the covariance is unbiased if the model is correct.

    Parameters
    ----------
    cells, fit : Cells, Fit
        The model.
    outcome, weight : ndarray of shape (n,)
        Outcome for the first model in the cell of each battle, and weight of the battle.
    cluster : ndarray of int, of shape (n,)
        Cluster of each battle.
    contrasts : ndarray of shape (n_contrasts, n_parameters)
        Contrasts of the parameters whose degrees of freedom are returned.
    """
    size, inverse = cells.size, fit.inverse
    rotated = contrasts @ inverse
    middle, trace, square, cross = np.zeros((size, size)), *np.zeros((3, len(contrasts)))
    outer = np.zeros((len(contrasts), size, size))
    order = np.argsort(cluster, kind="stable")
    edges = np.flatnonzero(np.diff(cluster[order], prepend=-1, append=-1))
    for start, end in itertools.pairwise(edges.tolist()):
        design, variance, residual = _equal_battles(cells, fit, outcome, weight, order[start:end])
        root = np.sqrt(variance)
        values, vectors = np.linalg.eigh(root[:, None] * (np.diag(variance) - design @ inverse @ design.T) * root)
        power = np.where(values > NEAR_ZERO * values[-1], 1 / np.sqrt(np.maximum(values, NEAR_ZERO * values[-1])), 0.0)
        adjusted = root[:, None] * (vectors * power) @ vectors.T * root @ (design / variance[:, None])  # A W X
        score = adjusted.T @ residual
        middle += np.outer(score, score)
        of_contrast = rotated @ adjusted.T
        length = (of_contrast * of_contrast * variance).sum(axis=1)
        projected = of_contrast @ design
        own = np.einsum("ci,ij,cj->c", projected, inverse, projected)
        trace, square, cross = trace + length - own, square + length**2, cross + length * own
        outer += projected[:, :, None] * projected[:, None, :]
    crossed = outer @ inverse
    norm = square - 2 * cross + np.einsum("cij,cji->c", crossed, crossed)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _around(fit, middle), trace**2 / norm


def _equal_battles(
    cells: Cells, fit: Fit, outcome: FloatArray, weight: FloatArray, at: IndexArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the derivatives, variances and residuals of a cluster. Combine m equal battles into one, times sqrt(m).

    The adjustment of equal battles is the same, and only the sum of their residuals has an effect.
    """
    _, first, unit = np.unique(
        np.column_stack([cells.cell[at], weight[at]]), axis=0, return_index=True, return_inverse=True
    )
    if len(first) > MOST_DIFFERENT:
        raise InvalidValueError(
            f"small_sample='cr2' accepts clusters with at most {MOST_DIFFERENT:,} different battles, but one has "
            f"{len(first):,}; use 'cr1'"
        )
    cell = cells.cell[at[first]]
    p, root = fit.p[cell], np.sqrt(np.bincount(unit))
    own = np.arange(len(first))
    design = np.zeros((len(first), cells.size))
    design[own, cells.a[cell]], design[own, cells.b[cell]] = 1, -1
    design[:, cells.k :] = cells.terms[cell]
    residual = np.bincount(unit, outcome[at] - fit.p[cells.cell[at]]) / root
    return design * (p * (1 - p) * root)[:, None], p * (1 - p) / weight[at[first]], residual


def contrasts_of_pairs(k: int, size: int) -> FloatArray:
    """Return the differences of all pairs of strengths as contrasts of the parameters, in the order of the pairs."""
    first, second = np.triu_indices(k, 1)
    contrasts = np.zeros((len(first), size))
    contrasts[np.arange(len(first)), first] = 1
    contrasts[np.arange(len(first)), second] = -1
    return contrasts


def errors_of_differences(covariance: FloatArray) -> FloatArray:
    """Return the standard errors of the differences of k estimates, of shape (k, k)."""
    variance = np.diag(covariance)
    return np.asarray(np.sqrt(np.maximum(variance[:, None] + variance[None] - 2 * covariance, 0)))
