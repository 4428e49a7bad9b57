"""Rankings of classifiers by their definitions, with functions of NumPy and SciPy."""

from __future__ import annotations

__all__ = ["literal_ranks"]

import itertools

import numpy as np
from scipy import stats

from evalstats import adjust_pvalues, wilcoxon_test


def literal_criterion(rule: str, scores: np.ndarray, quantile: float = 0.5) -> np.ndarray:
    """Return the values by which one resample is ranked, smaller is better, by functions of numpy and scipy."""
    if rule == "mean":
        return -scores.mean(axis=0)
    if rule in ("median", "quantile"):
        return -np.quantile(scores, quantile, axis=0)
    if rule == "mean-rank":
        return stats.rankdata(-scores.round(9), axis=1).mean(axis=0)
    k = scores.shape[1]
    pairs = list(itertools.combinations(range(k), 2))
    tested = [wilcoxon_test(scores[:, i], scores[:, j], method="asymptotic") for i, j in pairs]
    adjusted = adjust_pvalues([test.pvalue for test in tested], "holm")
    beaten = np.zeros(k)
    for (i, j), test, p in zip(pairs, tested, adjusted, strict=True):
        if p <= 0.05:
            beaten[i if test.z > 0 else j] += 1
    return -beaten


def literal_ranks(rule: str, scores: np.ndarray, quantile: float = 0.5) -> np.ndarray:
    return stats.rankdata(literal_criterion(rule, scores, quantile).round(9), method="min").astype(int)
