"""Bounds that follow from published mean ranks, for any rounding."""

from __future__ import annotations

__all__ = [
    "PrintedNumber",
    "PrintedRanks",
    "decimals_of",
    "named_values",
    "printed_number",
    "printed_table",
    "understand_decimals",
]

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.multiple.critical_differences import critical_difference

MOST_DECIMALS = 12  # more decimals are from a computer, not from a printed table
TESTS = {"nemenyi": "the Nemenyi test", "bonferroni-dunn": "the Bonferroni-Dunn test"}
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,](\d*))?|[.,](\d+))")


class PrintedRanks:
    """A table of published mean ranks, and derived statistics."""

    def __init__(
        self, ranks: FloatArray, n: int, decimals: int, names: tuple[str, ...], control: int | None, alpha: float
    ) -> None:
        self.ranks, self.n, self.k, self.decimals = ranks, n, len(ranks), decimals
        self.names, self.control, self.alpha = names, control, alpha
        self.half = 0.5 * 10.0**-decimals
        units = [round(rank * 10**decimals) for rank in ranks.tolist()]
        # doubled rank sums (multiples of 1/2): the smallest and the largest with this printed value
        self.lowest = [-(-n * (2 * unit - 1) // 10**decimals) for unit in units]
        self.highest = [n * (2 * unit + 1) // 10**decimals for unit in units]
        self.sum = sum(units) / 10**decimals
        self.expected_sum = self.k * (self.k + 1) / 2
        self.most = float(n * (self.k - 1))  # upper bound of chi2, with or without ties

        near, far = self._extreme_deviations()
        self.chi2 = self._chi2(ranks - (self.k + 1) / 2)
        self.chi2_low = self._chi2(near)
        self.chi2_high = min(max(self._chi2(far), self.chi2), self.most)
        self.chi2_tied = self._chi2_tied(near, far)
        self.chi2_pvalue, self.f_pvalue = self.pvalues(self.chi2)
        self.cds = {test: critical_difference(n, self.k, alpha=alpha, test=test) for test in TESTS}
        self.test = "nemenyi" if control is None else "bonferroni-dunn"

    def f(self, chi2: float) -> float:
        """Return Iman & Davenport's statistic from Friedman's statistic."""
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
        """Return the difference of two mean ranks without floating-point noise."""
        return round(abs(float(self.ranks[i] - self.ranks[j])), MOST_DECIMALS)

    def verdict(self, i: int, j: int, test: str) -> bool | None:
        """Return whether two mean ranks differ significantly, or None if the decision depends on the rounding."""
        least, most = self._extreme_gaps(i, j)
        return None if least < self.cds[test] <= most else least >= self.cds[test]

    def _extreme_gaps(self, i: int, j: int) -> tuple[float, float]:
        """Return the smallest and the largest difference of two mean ranks with these published values."""
        if any(self.lowest[one] > self.highest[one] for one in (i, j)):
            return self.gap(i, j) - 2 * self.half, self.gap(i, j) + 2 * self.half
        lowest, highest = ([self._possible(one) for one in ends] for ends in (self.lowest, self.highest))
        steps = lowest[i] - highest[j], highest[i] - lowest[j]
        least = 0 if steps[0] <= 0 <= steps[1] else min(map(abs, steps))
        return least / (2 * self.n), max(map(abs, steps)) / (2 * self.n)

    def _possible(self, doubled_sum: int) -> int:
        """Return the nearest possible doubled rank sum: between 2 n and 2 n k."""
        return min(max(doubled_sum, 2 * self.n), 2 * self.n * self.k)

    def _extreme_deviations(self) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and largest distances from (k + 1) / 2 of mean ranks with these published values."""
        distance = np.abs(self.ranks - (self.k + 1) / 2)
        return np.maximum(distance - self.half, 0), np.minimum(distance + self.half, (self.k - 1) / 2)

    def _chi2(self, deviations: FloatArray) -> float:
        chi2 = float(12 * self.n / (self.k * (self.k + 1)) * (deviations**2).sum())  # Demšar (2006), section 3.2.2
        return self.most if math.isclose(chi2, self.most, rel_tol=1e-12) else chi2

    def _chi2_tied(self, near: FloatArray, far: FloatArray) -> float:
        """Return bounds of (k - 1) S / W, with the centered sums of squares S of the rank sums and W of the ranks."""
        between = self.n**2 * float((far**2).sum())
        halves, rest = np.divmod(2 * near * self.n, self.n)
        within = float(((self.n - rest) * halves**2 + rest * (halves + 1) ** 2).sum()) / 4
        bound = (self.k - 1) * between / within if within > 0 else self.most
        return max(min(self.most, bound), self.chi2_high)


def decimals_of(values: FloatArray) -> int:
    """Return the number of decimals that all values need."""
    return next((d for d in range(MOST_DECIMALS) if (np.round(values, d) == values).all()), MOST_DECIMALS)


def understand_decimals(tables: FloatArray, decimals: Any) -> list[int]:
    """Return the number of decimals of each table, or raise an error if the table has more decimals."""
    d = _checks.count(decimals, "decimals", minimum=0)
    if d > MOST_DECIMALS:
        raise InvalidValueError(f"decimals must be at most {MOST_DECIMALS}, not {d}")
    finer = np.abs(np.round(tables, d) - tables) > 1e-12
    if finer.any():
        raise InvalidValueError(f"mean_ranks must have {d} decimals, but one mean rank is {tables[finer][0]}")
    return [d] * len(tables)


class PrintedNumber(NamedTuple):
    """A number, half a unit of its last decimal, and its text."""

    value: float
    half: float
    written: str


def named_values(values: Any, names: Any, argument: str) -> tuple[Any, Any]:
    """Return values and their names, from the argument or from a dict, a Series or a data frame."""
    if isinstance(values, Mapping):
        own: list[Any] = list(values)
        if not all(isinstance(name, str) for name in own):
            raise InvalidTypeError(f"the keys of {argument} must be names, not {short(own)}")
        if names is not None and (isinstance(names, str) or list(names) != own):
            raise InvalidValueError(
                f"names must be left out, or must be the keys of {argument} in their order, {short(own)}, not "
                f"{short(names)}"
            )
        return list(values.values()), own
    labels = getattr(values, "columns", getattr(values, "index", None)) if hasattr(values, "iloc") else None
    if names is None and labels is not None and not _labels.only_counts(labels):
        own = list(labels)
        names = own if all(isinstance(name, str) for name in own) and len(set(own)) == len(own) else None
    return values, names


def printed_table(values: Any, argument: str) -> tuple[FloatArray, FloatArray | None]:
    """Return numbers and their numbers of decimals, or None if they are not strings."""
    array = values if isinstance(values, np.ndarray) else _checks.regular(values, argument)
    written = array.dtype.kind in "US" or (
        array.dtype.kind == "O" and any(isinstance(one, str | Decimal) for one in array.ravel().tolist())
    )
    if not written:
        return _checks.numbers(values, argument), None
    numbers, decimals = np.empty(array.shape), np.zeros(array.shape)
    for at in np.ndindex(array.shape):
        place = f"{argument}[{', '.join(map(str, at))}]" if at else argument
        numbers[at], decimals[at] = _number_and_decimals(array[at], place)
    return numbers, decimals


def printed_number(value: Any, argument: str) -> PrintedNumber:
    """Return one number. A string contains its decimals, a float has at least one decimal, and an integer has none."""
    if isinstance(value, str | Decimal):
        number, decimals = _number_and_decimals(value, argument)
        return PrintedNumber(number, 0.5 * 10.0**-decimals, str(value).strip())
    array = _checks.finite(_checks.numbers(value, argument), argument)
    if array.ndim:
        raise InvalidValueError(f"{argument} must be one number, not {short(value)}")
    is_float = np.asarray(value).dtype.kind == "f"
    decimals = max(decimals_of(array.reshape(1)), int(is_float))
    return PrintedNumber(float(array), 0.5 * 10.0**-decimals, f"{float(array):g}")


def _number_and_decimals(value: Any, place: str) -> tuple[float, int]:
    if not isinstance(value, str | Decimal):
        own = _checks.real(value, place)
        return own, decimals_of(np.array([own])) if math.isfinite(own) else 0
    text = str(value).strip()
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise InvalidTypeError(f"{place.split('[', maxsplit=1)[0]} must be numbers, but {place} is {short(value)}")
    return float(text.replace(",", ".")), len(found[1] or found[2] or "")
