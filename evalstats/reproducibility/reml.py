"""Restricted maximum likelihood estimation of the variances of crossed and nested effects in unbalanced designs."""

from __future__ import annotations

__all__ = ["RestrictedFit", "moments_are_dependent", "restricted_fit"]

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats._types import AnyArray, FloatArray, IndexArray

COMPLEX_STEP = 1e-100
# maximum ratio of a variance to the variance of single scores: above it, the latter is only rounding error
LARGEST_RATIO = 1e10
SMALLEST_RATIO = 1e-9
DEPENDENT = 1e-9  # smallest eigenvalue of terms of length 1 that can be distinguished
NEWTON_STEPS = 50
CONVERGED = 1e-7  # maximum slope of the deviance with respect to the logarithms of the ratios
ROUNDS = 10
STEP = 1e-4  # step of a logarithm, for second derivatives


class RestrictedFit(NamedTuple):
    """Maximum of the restricted likelihood, with an entry for each term; the last term is for single scores."""

    variances: FloatArray
    standard_errors: FloatArray  # from the observed information; nan where a variance is 0
    log_likelihood: float
    has_converged: bool


class _Design:
    """Cross-products of the columns of the model y = mean + sum of Z_k b_k + e."""

    def __init__(self, scores: FloatArray, levels: Sequence[IndexArray]) -> None:
        from scipy import sparse

        self.n = scores.size
        self.sizes = [int(level.max()) + 1 for level in levels]
        # the terms with most levels first, because the elimination of their columns causes no fill-in
        self.order = np.argsort(self.sizes, kind="stable")[::-1]
        columns = sparse.hstack([_indicators(levels[k]) for k in self.order], format="csc")
        centered = scores - scores.mean()
        self.cross = (columns.T @ columns).tocsc()
        self.identity = sparse.identity(self.cross.shape[0], format="csc")
        self.known = columns.T @ np.column_stack([np.ones(self.n), centered])
        self.squares = np.array([[self.n, 0.0], [0.0, centered @ centered]])

    def deviance(self, ratios: AnyArray) -> tuple[Any, Any]:
        """Return -2 log L at the optimal variance of single scores, and the log of the residual sum of squares.

        With H = I + sum of ratio_k Z_k Z_k', -2 log L is log|H| + log 1'H^-1 1 + (n - 1) log(residual), plus a constant
        (Searle, Casella & McCulloch 1992, section 6.6).
        """
        from scipy.sparse import diags
        from scipy.sparse.linalg import splu

        weights = np.repeat(ratios[self.order], np.array(self.sizes)[self.order])
        matrix = (self.identity + diags(weights) @ self.cross).tocsc()
        factor = splu(matrix, permc_spec="NATURAL", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
        pivots = factor.U.diagonal()
        solved = factor.solve(weights[:, np.newaxis] * self.known.astype(weights.dtype))
        products = self.squares - self.known.T @ solved  # (1, y)' H^-1 (1, y)
        residual = products[1, 1] - products[0, 1] ** 2 / products[0, 0]
        constant = (self.n - 1) * (1 + math.log(2 * math.pi / (self.n - 1)))
        value = np.log(pivots * np.sign(pivots.real)).sum() + np.log(products[0, 0])
        return value + (self.n - 1) * np.log(residual) + constant, residual

    def slopes(self, ratios: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives of the deviance and of the log residual with respect to the ratios, to full accuracy.

        A derivative from an imaginary step has no cancellation error (Squire & Trapp 1998).
        """
        found = []
        for k, ratio in enumerate(ratios):
            step = COMPLEX_STEP * max(1.0, ratio)
            moved = ratios.astype(complex)
            moved[k] += 1j * step
            deviance, residual = self.deviance(moved)
            found.append((deviance.imag / step, (residual.imag / step) / residual.real))
        both = np.array(found)
        return both[:, 0], both[:, 1]


def restricted_fit(scores: FloatArray, levels: Sequence[IndexArray]) -> RestrictedFit:
    """Estimate the variances of the random effects by restricted maximum likelihood.

    For each term except single scores, `levels` contains the index of the level of each score.
    """
    if not levels:
        n, variance = scores.size, float(np.var(scores, ddof=1))
        log_likelihood = -((n - 1) * (1 + math.log(2 * math.pi * variance)) + math.log(n)) / 2
        error = variance * math.sqrt(2 / (n - 1))
        return RestrictedFit(np.array([variance]), np.array([error]), log_likelihood, has_converged=True)
    design = _Design(scores, levels)
    ratios, hessian, has_converged = _best_ratios(design)
    deviance, residual = design.deviance(ratios)
    single = residual / (design.n - 1)
    logs = np.full(len(ratios), np.nan)
    inside = ratios > 0
    # the variance of single scores at given ratios has the relative variance 2 / (n - 1), and depends on the ratios
    of_single = 2 / (design.n - 1)
    if inside.any():
        follows = (design.slopes(ratios)[1] * ratios)[inside]
        covariance = 2 * np.linalg.inv(hessian)
        of_single += float(follows @ covariance @ follows)
        logs[inside] = np.diag(covariance) + 2 * covariance @ follows + of_single
    variances = np.append(ratios * single, single)
    with np.errstate(invalid="ignore"):
        errors = variances * np.sqrt(np.append(logs, of_single))
    return RestrictedFit(variances, errors, float(-deviance / 2), has_converged)


def moments_are_dependent(levels: Sequence[IndexArray], n: int) -> bool:
    """Return whether the design cannot separate the variances of all terms from each other and from single scores.

    In this case, the covariance matrices of the residuals that the terms imply are linearly dependent.
    """
    tables = [_indicators(level) for level in levels] + [_indicators(np.arange(n))]
    totals = [np.asarray(table.sum(axis=0)).ravel() for table in tables]
    gram = np.empty((len(tables), len(tables)))
    for i, one in enumerate(tables):
        for j, other in enumerate(tables):
            common = (one.T @ other).tocsr()
            mixed = totals[i] @ (common @ totals[j])
            gram[i, j] = (
                common.power(2).sum() - 2 * mixed / n + (totals[i] @ totals[i]) * (totals[j] @ totals[j]) / n**2
            )
    lengths = np.sqrt(np.diag(gram))
    if not (lengths > 0).all():
        return True
    return bool(np.linalg.eigvalsh(gram / np.outer(lengths, lengths)).min() < DEPENDENT)


def _indicators(level: IndexArray) -> Any:
    from scipy.sparse import csc_matrix

    n = level.size
    return csc_matrix((np.ones(n), (np.arange(n), level)), shape=(n, int(level.max()) + 1))


def _best_ratios(design: _Design) -> tuple[FloatArray, FloatArray, bool]:
    """Return the variance ratios, the second derivatives in the logs of positive ratios, and the convergence."""
    ratios = _search(design, np.full(len(design.sizes), 1.0))
    hessian, has_converged = np.empty((0, 0)), False
    for _ in range(ROUNDS):
        ratios = np.where(ratios > SMALLEST_RATIO, ratios, 0.0)
        ratios, hessian, has_converged = _newton(design, ratios)
        at_zero = ratios == 0
        rises = design.slopes(ratios)[0] >= 0
        if (rises | ~at_zero).all():
            break
        # a variance of 0 for which a larger value has a higher likelihood
        ratios = _search(design, np.where(at_zero & ~rises, 0.1, np.maximum(ratios, 1e-4)))
    return ratios, hessian, has_converged


def _search(design: _Design, start: FloatArray) -> FloatArray:
    """Minimize the deviance over the square roots of the ratios, for which 0 is not a boundary."""
    from scipy.optimize import minimize

    def value(roots: FloatArray) -> float:
        return float(design.deviance(roots**2)[0])

    def slope(roots: FloatArray) -> FloatArray:
        return 2 * roots * design.slopes(roots**2)[0]

    bounds = [(0.0, math.sqrt(LARGEST_RATIO))] * len(start)
    found = minimize(value, np.sqrt(start), jac=slope, method="L-BFGS-B", bounds=bounds, tol=1e-10)
    return np.asarray(found.x) ** 2


def _newton(design: _Design, ratios: FloatArray) -> tuple[FloatArray, FloatArray, bool]:
    """Refine the minimum over the logarithms of the positive ratios, and return the second derivatives."""
    inside = np.flatnonzero(ratios)
    logs = np.log(ratios[inside])

    def slope(at: FloatArray) -> FloatArray:
        moved = ratios.copy()
        moved[inside] = np.exp(at)
        return (design.slopes(moved)[0] * moved)[inside]

    hessian, has_converged = np.empty((inside.size, inside.size)), inside.size == 0
    for _ in range(NEWTON_STEPS if inside.size else 0):
        here = slope(logs)
        columns = [(slope(logs + move) - slope(logs - move)) / (2 * STEP) for move in np.eye(inside.size) * STEP]
        hessian = (np.array(columns) + np.array(columns).T) / 2
        has_converged = bool(np.abs(here).max() < CONVERGED)
        if has_converged or np.linalg.eigvalsh(hessian).min() <= 0:
            break
        logs = np.clip(logs - np.clip(np.linalg.solve(hessian, here), -1, 1), None, math.log(LARGEST_RATIO))
    best = ratios.copy()
    best[inside] = np.exp(logs)
    return best, hessian, has_converged and bool((best < LARGEST_RATIO / 2).all())
