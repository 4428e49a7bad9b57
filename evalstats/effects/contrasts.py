"""Contrast estimation: by how much does each classifier score above each other, by medians over datasets?"""

from __future__ import annotations

__all__ = ["ContrastEstimation", "contrast_estimation"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._labels import column_names
from evalstats._result import Record
from evalstats._types import FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class ContrastEstimation(Record):
    """What `contrast_estimation` returns.

    Attributes
    ----------
    contrasts : ndarray of shape (..., k, k)
        ``contrasts[u, v]`` estimates how much u scores above v, in the unit of the scores. They add up: the contrast of
        u and w is that of u and v plus that of v and w.
    medians : ndarray of shape (..., k, k)
        Median over the datasets of the scores of u minus those of v; these need not add up.
    effects : ndarray of shape (..., k)
        Mean of the medians of u against all classifiers, itself among them: a contrast is a difference of two.
    n_datasets, n_classifiers : int
        n and k, the shape of the table.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame that was given; None for an array.
    """

    contrasts: FloatArray
    medians: FloatArray
    effects: FloatArray
    n_datasets: int
    n_classifiers: int
    classifiers: tuple[Any, ...] | None

    def _axes(self) -> tuple[str, ...]:
        return ("first", "second")


def contrast_estimation(scores: Any) -> ContrastEstimation:
    """Estimate by how much each of several classifiers scores above each other, by medians over datasets.

    The estimator of Doksum: a few datasets with odd differences hardly move it, as they move a difference of means.
    Scores of all datasets must be on one scale. It is an estimate and no test; for that see `friedman_test` and
    `pairwise_wilcoxon_test`.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset, one column per classifier, at least two columns and one row. Leading axes are a batch.

    Returns
    -------
    ContrastEstimation
        The matrix `contrasts`; also the `medians` that it comes from, and the `effects` of the classifiers.

    Raises
    ------
    ValueError, TypeError
        If a score is not a finite number, or the shape is not that of a table.

    Notes
    -----
    With Z_uv the median over the datasets of x_u - x_v, and m_u the mean of Z_uj over all k classifiers j (Z_uu = 0),
    the contrast is m_u - m_v.

    References
    ----------
    Doksum, K. (1967). Robust procedures for some linear models with one observation per cell. Annals of Mathematical
    Statistics 38, 878-883.

    García, S., Fernández, A., Luengo, J. & Herrera, F. (2010). Advanced nonparametric tests for multiple comparisons in
    the design of experiments in computational intelligence and data mining. Information Sciences 180, 2044-2064.

    Examples
    --------
    >>> from evalstats.effects import contrast_estimation
    >>> result = contrast_estimation([[80, 78, 70], [84, 82, 74], [79, 80, 71], [90, 60, 75]])
    >>> result.medians
    array([[  0.,   2.,  10.],
           [ -2.,   0.,   8.],
           [-10.,  -8.,   0.]])
    >>> result.contrasts[0].round(3)
    array([ 0.,  2., 10.])
    """
    matrix = _checks.moderate(_checks.score_matrix(scores), "scores")
    n, k = matrix.shape[-2:]

    medians = np.zeros((*matrix.shape[:-2], k, k))
    for u in range(k - 1):
        # all others at once: the differences of all pairs would not fit into memory
        above = np.median(matrix[..., [u]] - matrix[..., u + 1 :], axis=-2)
        medians[..., u, u + 1 :], medians[..., u + 1 :, u] = above, 0.0 - above
    effects = medians.sum(axis=-1) / k

    return ContrastEstimation(
        contrasts=effects[..., :, None] - effects[..., None, :],
        medians=medians,
        effects=effects,
        n_datasets=n,
        n_classifiers=k,
        classifiers=column_names(scores),
    )
