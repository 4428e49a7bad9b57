"""What follows from mean ranks as they are printed, whatever was rounded?"""

from __future__ import annotations

__all__ = ["PrintedRanks", "decimals_of", "understand_decimals"]

import math
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.critical_differences import critical_difference

MOST_DECIMALS = 12  # more are those of a computer, not of a printed table
TESTS = {"nemenyi": "Nemenyi", "bonferroni-dunn": "Bonferroni-Dunn"}


class PrintedRanks:
    """A table of mean ranks, and what follows from it."""

    def __init__(
        self, ranks: FloatArray, n: int, decimals: int, names: tuple[str, ...], control: int | None, alpha: float
    ) -> None:
        self.ranks, self.n, self.k, self.decimals = ranks, n, len(ranks), decimals
        self.names, self.control, self.alpha = names, control, alpha
        self.half = 0.5 * 10.0**-decimals
        units = [round(rank * 10**decimals) for rank in ranks.tolist()]
        # rank sums are multiples of 1/2: the smallest and the largest that is printed so, doubled
        self.lowest = [-(-n * (2 * unit - 1) // 10**decimals) for unit in units]
        self.highest = [n * (2 * unit + 1) // 10**decimals for unit in units]
        self.sum = sum(units) / 10**decimals
        self.expected_sum = self.k * (self.k + 1) / 2
        self.most = float(n * (self.k - 1))  # of chi2, with ties or without

        near, far = self._extreme_deviations()
        self.chi2 = self._chi2(ranks - (self.k + 1) / 2)
        self.chi2_low = self._chi2(near)
        self.chi2_high = min(max(self._chi2(far), self.chi2), self.most)
        self.chi2_tied = self._chi2_tied(near, far)
        self.chi2_pvalue, self.f_pvalue = self.pvalues(self.chi2)
        self.cds = {test: critical_difference(n, self.k, alpha=alpha, test=test) for test in TESTS}
        self.test = "nemenyi" if control is None else "bonferroni-dunn"

    def f(self, chi2: float) -> float:
        """Return Iman & Davenport's statistic of Friedman's."""
        within = self.most - chi2
        if self.n == 1 or within < 0:
            return math.nan
        return (self.n - 1) * chi2 / within if within else math.inf

    def pvalues(self, chi2: float) -> tuple[float, float]:
        """Return the p-values of Friedman's and of Iman & Davenport's statistic."""
        df, within = self.k - 1, self.most - chi2
        of_chi2 = tails.chi2_pvalue(np.array(chi2), df).item()
        if math.isnan(self.f(chi2)):
            return of_chi2, math.nan
        if within == 0:  # F is infinite: the probability that all datasets agree, as in friedman_test
            return of_chi2, float(tails.as_pvalue(math.exp((1 - self.n) * math.lgamma(self.k + 1))))
        of_f = tails.f_pvalue(np.array(chi2), np.array(within), df, (self.n - 1) * df).item()
        return of_chi2, of_f

    def gap(self, i: int, j: int) -> float:
        """Return the difference of two mean ranks, free of the noise of floating point."""
        return round(abs(float(self.ranks[i] - self.ranks[j])), MOST_DECIMALS)

    def verdict(self, i: int, j: int, test: str) -> bool | None:
        """Tell whether two mean ranks differ; None where that is a matter of rounding."""
        least, most = self._extreme_gaps(i, j)
        return None if least < self.cds[test] <= most else least >= self.cds[test]

    def _extreme_gaps(self, i: int, j: int) -> tuple[float, float]:
        """Return the smallest and the largest difference of two mean ranks that are printed so."""
        if any(self.lowest[one] > self.highest[one] for one in (i, j)):
            return self.gap(i, j) - 2 * self.half, self.gap(i, j) + 2 * self.half
        lowest, highest = ([self._possible(one) for one in ends] for ends in (self.lowest, self.highest))
        steps = lowest[i] - highest[j], highest[i] - lowest[j]
        least = 0 if steps[0] <= 0 <= steps[1] else min(map(abs, steps))
        return least / (2 * self.n), max(map(abs, steps)) / (2 * self.n)

    def _possible(self, doubled_sum: int) -> int:
        """Return the nearest doubled rank sum that there can be: no mean rank is below 1 or above k."""
        return min(max(doubled_sum, 2 * self.n), 2 * self.n * self.k)

    def _extreme_deviations(self) -> tuple[FloatArray, FloatArray]:
        """Return how near to and far from (k + 1) / 2 the mean ranks can be that are printed so."""
        distance = np.abs(self.ranks - (self.k + 1) / 2)
        return np.maximum(distance - self.half, 0), np.minimum(distance + self.half, (self.k - 1) / 2)

    def _chi2(self, deviations: FloatArray) -> float:
        chi2 = float(12 * self.n / (self.k * (self.k + 1)) * (deviations**2).sum())  # Demšar (2006), section 3.2.2
        return self.most if math.isclose(chi2, self.most, rel_tol=1e-12) else chi2

    def _chi2_tied(self, near: FloatArray, far: FloatArray) -> float:
        """Bound (k - 1) S / W, with the sums of squares S of rank sums and W of ranks, each about its mean."""
        between = self.n**2 * float((far**2).sum())
        halves, rest = np.divmod(2 * near * self.n, self.n)
        within = float(((self.n - rest) * halves**2 + rest * (halves + 1) ** 2).sum()) / 4
        bound = (self.k - 1) * between / within if within > 0 else self.most
        return max(min(self.most, bound), self.chi2_high)


def decimals_of(values: FloatArray) -> int:
    """Return the number of decimals that all values need."""
    return next((d for d in range(MOST_DECIMALS) if (np.round(values, d) == values).all()), MOST_DECIMALS)


def understand_decimals(tables: FloatArray, decimals: Any) -> list[int]:
    """Return the number of decimals of each table, which must have no more."""
    d = _checks.count(decimals, "decimals", minimum=0)
    if d > MOST_DECIMALS:
        raise InvalidValueError(f"decimals must be at most {MOST_DECIMALS}, not {d}")
    finer = np.abs(np.round(tables, d) - tables) > 1e-12
    if finer.any():
        raise InvalidValueError(f"mean_ranks must have {d} decimals, but one of them is {tables[finer][0]}")
    return [d] * len(tables)
