"""Two-sample test based on the maximum mean discrepancy with a Gaussian kernel."""

from __future__ import annotations

__all__ = ["MMDTestResult", "mmd_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._canonical_order import content_order
from evalstats._errors import InvalidValueError, short
from evalstats._result import HypothesisTestResult
from evalstats._types import FloatArray
from evalstats.shift.two_sample import two_samples

ALL_EQUAL = "all instances of both samples are equal"
# a kernel matrix of more instances would need more than 3 GB
MOST_CASES = 20_000


@dataclass(frozen=True, kw_only=True, eq=False)
class MMDTestResult(HypothesisTestResult):
    """Result of `mmd_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float
        Biased estimate of the squared maximum mean discrepancy, 0 or more.
    pvalue : float
        Monte Carlo p-value: proportion of the random exchanges of instances with at least the observed statistic,
        counting the observed samples as one exchange.
    method : str
        ``'monte-carlo'``.
    unbiased : float
        The unbiased estimate of the squared maximum mean discrepancy, which may be negative.
    bandwidth : float
        Sigma of the kernel exp(-d^2 / (2 sigma^2)).
    n_x, n_y : int
        Numbers of instances in the samples.
    n_resamples : int
        Number of random exchanges.
    seed : int or None
        Seed of the exchanges, or None if `rng` was a Generator.
    """

    unbiased: float
    bandwidth: float
    n_x: int
    n_y: int
    n_resamples: int
    seed: int | None


def mmd_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    bandwidth: float | None = None,
    scale: bool = False,
    n_resamples: int = 999,
    rng: Any = None,
) -> MMDTestResult:
    """Test whether two samples of instances come from the same distribution (MMD).

    The null hypothesis is that both samples come from the same distribution. The test compares the squared distance
    between the samples in the feature space of a Gaussian kernel with the distances after random exchanges of
    instances.

    Parameters
    ----------
    x, y : array_like of shape (n_instances, n_features)
        Two samples with the same columns. Data frames must have the same column names.
    bandwidth : float, optional
        Sigma of the kernel. None: the median distance between two different instances of both samples together.
    scale : bool, default: False
        Whether to divide each column by its standard deviation over both samples. Use True if the columns have
        different units.
    n_resamples : int, default: 999
        Number of random exchanges.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    MMDTestResult

    Raises
    ------
    ValueError
        If the columns differ, a sample has fewer than 2 instances, or there are more than 20,000 instances. If a value
        is nan or infinite, or `bandwidth` is not above 0.
    TypeError
        If an argument has the wrong type.

    Notes
    -----
    The p-value is (b + 1) / (m + 1), where b of the m random exchanges give at least the observed statistic. The
    computing time increases with the square of the number of instances.

    References
    ----------
    Gretton, A., Borgwardt, K. M., Rasch, M. J., Schoelkopf, B. & Smola, A. (2012). A kernel two-sample test. Journal of
    Machine Learning Research 13, 723-773. Equations 3 and 5.

    Examples
    --------
    >>> from evalstats.shift import make_flu_patients, mmd_test
    >>> usual, other = make_flu_patients(200, rng=1), make_flu_patients(200, rng=2)
    >>> winter = make_flu_patients(200, change="W", rng=3)
    >>> print(f"p = {mmd_test(usual.X, winter.X).pvalue}, without a change p = {mmd_test(usual.X, other.X).pvalue}")
    p = 0.001, without a change p = 0.736
    """
    a, b = two_samples(x, y, minimum=2)
    if len(a) + len(b) > MOST_CASES:
        raise InvalidValueError(
            f"x and y must have at most {MOST_CASES:,} instances together, not {len(a) + len(b):,}; draw a random "
            "sample of each, or use classifier_two_sample_test"
        )
    n_resamples, source = _checks.resampling(n_resamples, rng)
    m, n = len(a), len(b)
    together, weight = np.vstack([a, b]), np.repeat([1 / m, -1 / n], [m, n])
    # draws and sums must not depend on the order of the instances
    order = content_order(np.column_stack([together, np.abs(weight)]))
    together, weight = together[order], weight[order]
    if _checks.boolean(scale, "scale"):
        spread = together.std(axis=0)
        together = together / np.where(spread > 0, spread, 1.0)
    squares = _squared_distances(together)
    sigma = _bandwidth(bandwidth, squares)
    with np.errstate(over="ignore", under="ignore"):
        kernel = np.exp(-np.square(np.sqrt(squares) / sigma) / 2)  # the square of sigma may overflow a float

    statistic = max(float(weight @ kernel @ weight), 0.0)
    drawn = _under_exchange(kernel, m, n, n_resamples, source.generator())
    reached = int((drawn >= statistic - 1e-12 * float(kernel.max())).sum())
    unbiased = statistic + _bias(kernel, weight, m, n)
    return MMDTestResult(
        statistic=statistic,
        pvalue=(reached + 1) / (n_resamples + 1),
        alternative="greater",
        method="monte-carlo",
        reason=None if squares.any() else ALL_EQUAL,
        unbiased=float(unbiased),
        bandwidth=sigma,
        n_x=m,
        n_y=n,
        n_resamples=n_resamples,
        seed=source.seed,
    )


def _bias(kernel: FloatArray, weight: FloatArray, m: int, n: int) -> float:
    """Return the difference between the biased and the unbiased estimate (eq. 3)."""
    of_x, of_y = (float(one @ kernel @ one) for one in ((weight > 0) * 1.0, (weight < 0) * 1.0))
    return (of_x - m) / (m * (m - 1)) - of_x / m**2 + (of_y - n) / (n * (n - 1)) - of_y / n**2


def _squared_distances(rows: FloatArray) -> FloatArray:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(rows, rows, "sqeuclidean"))


def _bandwidth(given: Any, squares: FloatArray) -> float:
    if given is not None:
        sigma = _checks.real(given, "bandwidth")
        if not 0 < sigma < np.inf:
            raise InvalidValueError(f"bandwidth must be above 0 and finite, not {short(given)}")
        return sigma
    distances = np.sqrt(squares[np.triu_indices(len(squares), 1)])
    differing = distances[distances > 0]
    return float(np.median(differing)) if differing.size else 1.0


def _under_exchange(kernel: FloatArray, m: int, n: int, n_resamples: int, generator: np.random.Generator) -> FloatArray:
    """Return the statistic after random exchanges of instances."""
    few, many = sorted((m, n))
    weight = np.repeat([1 / many, -1 / few], [many, few])
    step = max((1 << 22) // len(weight), 1)
    parts = []
    for start in range(0, n_resamples, step):
        drawn = generator.permuted(np.tile(weight, (min(step, n_resamples - start), 1)), axis=1)
        parts.append(((drawn @ kernel) * drawn).sum(axis=1))
    return np.concatenate(parts)
