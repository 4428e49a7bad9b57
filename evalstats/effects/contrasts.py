"""Contrast estimation: differences between classifiers from medians over datasets."""

from __future__ import annotations

__all__ = ["ContrastEstimation", "ContrastPair", "contrast_estimation"]

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evalstats import _checks
from evalstats._labels import column_names
from evalstats._result import PairsByName, Record
from evalstats._types import FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class ContrastPair(Record):
    """One pair of a contrast estimation.

    Attributes
    ----------
    first, second : int or column name
        The two classifiers: their names, or their positions if the scores have no names.
    contrast : float
        Estimate of the score of the first classifier minus the score of the second.
    median : float
        Median over the datasets of the score of the first classifier minus the score of the second.
    """

    first: Any
    second: Any
    contrast: float
    median: float


@dataclass(frozen=True, kw_only=True, eq=False)
class ContrastEstimation(PairsByName[ContrastPair]):
    """Result of `contrast_estimation`.

    Attributes
    ----------
    contrasts : ndarray of shape (..., k, k)
        ``contrasts[u, v]`` estimates the score of u minus the score of v. Contrasts are additive: the contrast between
        u and w is the contrast between u and v plus the contrast between v and w.
    medians : ndarray of shape (..., k, k)
        Median over the datasets of the score of u minus the score of v. The medians are not always additive.
    effects : ndarray of shape (..., k)
        Mean of the medians of u against all classifiers, including u itself. A contrast is the difference between two
        effects.
    n_datasets, n_classifiers : int
        Numbers of datasets and of classifiers (k).
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    """

    _of_pair: ClassVar[Any] = ContrastPair

    contrasts: FloatArray
    medians: FloatArray
    effects: FloatArray
    n_datasets: int
    n_classifiers: int
    classifiers: tuple[Any, ...] | None

    def _axes(self) -> tuple[str, ...]:
        return ("first", "second")

    def _values_of_pairs(self) -> dict[str, Any]:
        return {"contrast": self.contrasts, "median": self.medians}


def contrast_estimation(scores: Any) -> ContrastEstimation:
    """Estimate the differences between classifiers from medians over datasets (contrast estimation).

    The estimator is due to Doksum. Unlike a difference of means, the estimator is robust against a few datasets with
    unusual differences. The scores of all datasets must be on one scale. The function does not test differences. For
    tests, see `friedman_test` and `pairwise_wilcoxon_test`.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier, with at least one row and two columns. Leading axes are batch
        dimensions.

    Returns
    -------
    ContrastEstimation
        The matrix `contrasts`, the `medians` from which it is computed, and the `effects` of the classifiers.

    Raises
    ------
    ValueError, TypeError
        If a score is not a finite number, or the scores are not a table.

    Notes
    -----
    Let Z_uv be the median over the datasets of x_u - x_v (Z_uu = 0), and let m_u be the mean of Z_uj over all k
    classifiers j. The contrast is m_u - m_v.

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
        # all other classifiers at once, because the differences of all pairs would not fit into memory
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
