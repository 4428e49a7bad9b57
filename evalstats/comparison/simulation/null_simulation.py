"""Simulation of batches of tables under the null hypothesis.

``'permutation'`` assigns the scores of each dataset (or of each instance) to the classifiers in a random order.
``'normal'`` draws the differences within a dataset from a normal distribution with the covariances of the table.
"""

from __future__ import annotations

__all__ = ["NullTables", "decimals_of", "in_any_order", "null_cases", "null_folds", "null_scores"]

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from evalstats._canonical_order import unsigned_order
from evalstats._types import AnyArray, BoolArray, FloatArray

# scores with more decimals are not rounded
MOST_DECIMALS = 10

Draw = Callable[[int, np.random.Generator], AnyArray]


class NullTables(NamedTuple):
    """Source of tables: `draw(size, rng)` returns `size` tables, each generated from `numbers` random numbers."""

    draw: Draw
    numbers: int


def decimals_of(scores: FloatArray) -> int | None:
    """Return the number of decimals of all scores, or None if it exceeds the maximum."""
    known = scores[~np.isnan(scores)]
    for decimals in range(MOST_DECIMALS + 1):
        if np.allclose(known, np.round(known, decimals), rtol=1e-12, atol=1e-15):
            return decimals
    return None


def in_any_order(scores: FloatArray, added: FloatArray, draw_like: Callable[..., NullTables]) -> NullTables:
    """Return a source of tables that does not depend on the order of datasets and classifiers or the sign of scores."""
    rows, columns = unsigned_order(scores)
    tables = draw_like(scores[np.ix_(rows, columns)], added[columns])
    datasets, classifiers = rows.argsort(), columns.argsort()
    return tables._replace(draw=lambda size, rng: tables.draw(size, rng)[:, datasets][..., classifiers])


def null_scores(scores: FloatArray, added: FloatArray, *, null: str) -> NullTables:
    """Generate scores of shape (size, n_datasets, n_classifiers); missing scores stay missing.

    `added` is the advantage of each classifier. It is 0 if no classifier is better.
    """
    decimals, is_missing = decimals_of(scores), np.isnan(scores)
    if null == "permutation":

        def draw(size: int, rng: np.random.Generator) -> FloatArray:
            return _written(_exchanged(scores, is_missing, size, rng) + added, decimals)

    else:
        mean = np.nanmean(scores, axis=1, keepdims=True)
        spread = _residuals(scores, is_missing) / math.sqrt(len(scores) - 1)

        def draw(size: int, rng: np.random.Generator) -> FloatArray:
            drawn = rng.standard_normal((size, len(scores), len(scores))) @ spread
            return _written(np.where(is_missing, np.nan, mean + drawn + added), decimals)

    return NullTables(draw, max(scores.size, len(scores) ** 2 if null == "normal" else 0))


def null_folds(scores: FloatArray, added: FloatArray, *, correlation: float) -> NullTables:
    """Generate normal scores of shape (size, n_folds, n_classifiers) with a given correlation between the folds.

    The covariance of the classifiers is estimated from the given folds, so it does not include effects that are common
    to all folds.
    """
    n, decimals = len(scores), decimals_of(scores)
    mean = scores.mean(axis=1, keepdims=True)
    spread = _residuals(scores, np.isnan(scores)) / math.sqrt(n - 1)
    shared = math.sqrt(correlation / (1 - correlation))

    def draw(size: int, rng: np.random.Generator) -> FloatArray:
        drawn = rng.standard_normal((size, n, n)) @ spread
        common = shared * rng.standard_normal((size, 1, n)) @ spread
        return _written(mean + drawn + common + added, decimals)

    return NullTables(draw, n * n)


def null_cases(answers: AnyArray) -> NullTables:
    """Assign the answers (n_instances, n_classifiers) to each instance to the classifiers in random order."""
    is_missing = np.zeros(answers.shape, dtype=bool)
    return NullTables(lambda size, rng: _exchanged(answers, is_missing, size, rng), answers.size)


def _exchanged(values: AnyArray, is_missing: BoolArray, size: int, rng: np.random.Generator) -> AnyArray:
    """Permute the entries of each row at random; missing entries stay at their positions."""
    keys = np.where(is_missing, 2.0, rng.random((size, *values.shape)))
    order = keys.argsort(axis=-1)  # missing scores come last
    places = np.broadcast_to(is_missing.argsort(axis=-1, kind="stable"), order.shape)
    drawn = np.empty(order.shape, dtype=values.dtype)
    np.put_along_axis(drawn, places, np.take_along_axis(values[np.newaxis], order, axis=-1), axis=-1)
    return drawn


def _residuals(scores: FloatArray, is_missing: BoolArray) -> FloatArray:
    """Subtract the means of datasets and classifiers from the scores; missing scores become 0.

    A column with missing scores is rescaled to the variance of its known scores.
    """
    left = scores
    for _ in range(1 if not is_missing.any() else 20):  # without missing scores, one iteration is sufficient
        left = left - np.nanmean(left, axis=1, keepdims=True)
        left = left - np.nanmean(left, axis=0, keepdims=True)
    n_known = (~is_missing).sum(axis=0)
    return np.asarray(np.where(is_missing, 0.0, left) * np.sqrt(len(scores) / n_known))


def _written(scores: FloatArray, decimals: int | None) -> FloatArray:
    """Round scores to the decimals of the table, because this rounding causes ties."""
    return scores if decimals is None else np.round(scores, decimals)
