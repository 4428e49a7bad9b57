"""Settings of the simulation of error rates: random data, and the counts of each experiment."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from scipy.special import betaincinv, ndtri

ALPHA = 0.05

Found = dict[str, np.ndarray]  # what is counted, and of each experiment whether it happened or a mean share

NORMAL_999 = float(ndtri(0.9995))  # of the interval that decides whether a rate is known
# what `compare` chooses without options: a subject and a variant
DEFAULTS = {
    *(("friedman_test", "auto"), ("pairwise_wilcoxon_test", "holm"), ("pairwise_wilcoxon_test", "control, holm")),
    *(("wilcoxon_test", ""), ("mcnemar_test", "exact"), ("cochran_q_test", ""), ("pairwise_mcnemar_test", "holm")),
    *(("clustered_ttest", ""), ("pairwise_clustered_ttest", "holm"), ("pairwise_corrected_ttest", "holm")),
    *(
        ("corrected_ttest", ""),
        ("delong_test", ""),
        ("pairwise_delong_test", "holm"),
        ("compare", "friedman, wilcoxon"),
        ("compare_readers", ""),
        ("noninferiority_test, auc", ""),
    ),
}
POWER = 0.9  # with which the smallest excess would have been found


@cache
def smallest_excess(n: int) -> float:
    """Return the smallest excess over the level that n experiments detect with a probability of 90%.

    An excess is detected if the lower limit of the 99.9% interval is above the level. 0 experiments mean an exact rate.
    """
    if n == 0:
        return 0.0
    # Wilson's limit is above the level if the count is above the score test's critical value
    critical = math.floor(n * ALPHA + NORMAL_999 * math.sqrt(n * ALPHA * (1 - ALPHA))) + 1
    return float(betaincinv(critical, n - critical + 1, POWER)) - ALPHA if critical <= n else 1 - ALPHA


# --- how scores are drawn ---------------------------------------------------------------------------------------------

DISTRIBUTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "normal": lambda z: z,
    "skewed": np.exp,  # log-normal
    "discrete": lambda z: np.round(2 * z) / 2,  # about 9 values
    "tied": lambda z: np.round(z / 2),  # three values, most of them 0
    "unequal": lambda z: z * np.linspace(1, 3, z.shape[-1]),  # the classifiers vary differently
}
PAIRED_SIZES = (5, 10, 30, 200)
TABLE_SIZES = ((5, 3), (10, 5), (30, 10))
LARGE_TABLES = ((200, 5), (20, 50))

RARE = (np.arange(100) % 10 == 0).astype(int)  # 10 of 100 instances are positive
# ratings: their description, the true labels, and the number of readers
RATED = (
    ("readers", np.tile([0, 1], 30), 3),
    ("readers", np.tile([0, 1], 60), 8),
    ("readers, 10% positive", RARE, 8),
)
ADJUSTED = (("both", "adjusted"), ("cases", "adjusted"))


def rated(rng: np.random.Generator, many: int, truth: np.ndarray, k: int, sampled: str) -> np.ndarray:
    """Draw ratings of shape (many, 2, k, n) by readers with different skills, and two equal treatments.

    There are no effects of a treatment on instances or on readers, because these would be differences if instances or
    readers are fixed.
    """
    n = len(truth)
    of_cases = rng.standard_normal((many, 1, 1, n)) + (sampled != "readers") * 0.7 * rng.standard_normal(
        (many, 2, 1, n)
    )
    skill = (
        1.5
        + 0.3 * rng.standard_normal((many, 1, k, 1))
        + (sampled != "cases") * 0.3 * rng.standard_normal((many, 2, k, 1))
    )
    return skill * truth + of_cases + rng.standard_normal((many, 2, k, n))


def scores(rng: np.random.Generator, distribution: str, shape: tuple[int, ...], lead: float) -> np.ndarray:
    """Draw scores of shape (..., n, k) of equal classifiers. The last classifier may be better."""
    drawn = DISTRIBUTIONS[distribution](rng.standard_normal(shape))
    drawn[..., -1] += lead
    return drawn


def right(rng: np.random.Generator, shape: tuple[int, ...], shares: Any) -> np.ndarray:
    """Draw correct and incorrect answers of shape (..., n, k) with a correlation of about .3 and these proportions."""
    hard = math.sqrt(0.5) * rng.standard_normal((*shape[:-1], 1))
    return hard + math.sqrt(0.5) * rng.standard_normal(shape) < ndtri(np.broadcast_to(shares, shape[-1:]))


# --- what is counted --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """A test or an interval, a type of random data, and a size."""

    subject: str  # the public function; of an interval `Result.confidence_interval` or a function
    variant: str
    data: str
    n: int
    k: int
    lead: float
    run: Callable[[np.random.Generator, int], Found] = field(compare=False)
    size: int = 200  # experiments of a chunk

    @property
    def key(self) -> str:
        """Name of the setting in the file."""
        return f"{self.subject}|{self.variant}|{self.data}|{self.n}|{self.k}|{self.lead:g}"


def rejected(pvalue: Any, lead: float) -> Found:
    """Count rejections of one hypothesis."""
    return {"power" if lead else "type-I error": np.asarray(pvalue) <= ALPHA}


def family(pvalue: np.ndarray, lead: float, control: int | None) -> Found:
    """Count rejections in families of p-values of shape (size, k, k) or (size, k). The last classifier is better."""
    k = pvalue.shape[-1]
    if pvalue.ndim == 3:
        pairs = [(i, j) for i in range(k) for j in range(i + 1, k) if control is None or control in (i, j)]
        p = np.stack([pvalue[:, i, j] for i, j in pairs], axis=1)
    else:
        pairs = [(i, control or 0) for i in range(k) if i != (control or 0)]
        p = np.stack([pvalue[:, i] for i, _ in pairs], axis=1)
    truly = np.array([bool(lead) and k - 1 in pair for pair in pairs])
    return discoveries(p <= ALPHA, truly)


def discoveries(called: np.ndarray, truly: np.ndarray) -> Found:
    """Count false and true discoveries among hypotheses in the last axis."""
    found: Found = {}
    if (~truly).any():
        found["family-wise error"] = called[:, ~truly].any(axis=1)
    if truly.any():
        found["false discovery rate"] = called[:, ~truly].sum(axis=1) / np.maximum(called.sum(axis=1), 1)
        found["power"] = called[:, truly].any(axis=1)
    return found


def covered(interval: Any, truth: Any) -> Found:
    """Count the intervals that contain the true value. A missing interval does not contain it."""
    low, high = np.asarray(interval.low), np.asarray(interval.high)
    return {"coverage": (low <= truth + 1e-12) & (truth - 1e-12 <= high)}


def one_by_one(function: Callable[..., Any], *batches: np.ndarray) -> np.ndarray:
    """Call a function that does not accept batches for each experiment, and return its p-values."""
    return np.array([function(*given).pvalue for given in zip(*batches, strict=True)])
