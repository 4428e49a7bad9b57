"""Is the difference of two classifiers' paired scores larger than a given shift? The tests, and their limits."""

from __future__ import annotations

__all__ = ["TESTS", "ShiftedScores"]

from collections.abc import Callable
from typing import Any

import numpy as np

from evalstats._ranks import differences, rounded
from evalstats._result import HypothesisTestResult, reasons
from evalstats._types import FloatArray
from evalstats.distributions.binomial import binomial_left_tail
from evalstats.distributions.signed_rank import SORTED_UP_TO
from evalstats.paired.clustered import clustered_permutation_test
from evalstats.paired.noninferiority_results import OneSided
from evalstats.paired.permutation import permutation_test
from evalstats.paired.sign import sign_test
from evalstats.paired.ttest import corrected_ttest, paired_ttest
from evalstats.paired.wilcoxon import wilcoxon_test

TESTS = ("wilcoxon", "sign", "permutation", "paired-t", "corrected-t", "clustered-permutation")
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "wilcoxon": wilcoxon_test,
    "sign": sign_test,
    "permutation": permutation_test,
    "paired-t": paired_ttest,
    "corrected-t": corrected_ttest,
    "clustered-permutation": clustered_permutation_test,
}
# halvings of the range of many differences: what is left is less than they are rounded to
HALVINGS = 50

AT_THE_MARGIN = "every difference lies exactly at the margin, so there is none on either side of it to test"
CONSTANT_DIFFERENCE = (
    "x and y differ by the same amount in every pair, so the differences have no variance and the t distribution does "
    "not apply; a rank test does, for example test='wilcoxon'"
)


class ShiftedScores:
    """Two classifiers' scores of the same datasets or folds, and the test that compares them."""

    def __init__(self, x: FloatArray, y: FloatArray, test: str, tie_tolerance: float, **choices: Any) -> None:
        """Understand the choices too: sizes of a corrected t-test, resamples and groups of a permutation test."""
        self.test, self.n = test, x.shape[-1]
        self._x, self._y, self._tie_tolerance, self._choices = x, y, tie_tolerance, choices
        self.difference = self._estimate()

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test the scores of x against those of y, moved by the shift."""
        result = self._tested(shift, alternative)
        all_equal = np.asarray(result.statistic) == 0
        if self.test in ("paired-t", "corrected-t"):
            constant = np.asarray(result.standard_error) == 0
            reason = reasons(constant.shape, (constant & all_equal, AT_THE_MARGIN), (constant, CONSTANT_DIFFERENCE))
        else:
            none_left = np.array([text is not None for text in np.ravel(np.asarray(result.reason, dtype=object))])
            reason = reasons(all_equal.shape, (none_left.reshape(all_equal.shape), AT_THE_MARGIN))
        drawn = getattr(result, "n_resamples", None), getattr(result, "seed", None)
        return OneSided(result.statistic, result.pvalue, result.method, reason, *drawn)

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits of the difference: the shifts that the test does not reject at alpha lie between them."""
        if self.test == "sign":
            return self._of_each(_sign_limit, alpha)
        if self.test == "wilcoxon":
            return self._of_each(self._signed_rank_limit, alpha)
        above, below = (self._tested(0.0, side).confidence_interval(1 - alpha) for side in ("greater", "less"))
        return above.low, below.high

    def _tested(self, shift: float, alternative: str) -> Any:
        options = {"alternative": alternative, "tie_tolerance": self._tie_tolerance, **self._choices}
        result: HypothesisTestResult = FUNCTIONS[self.test](self._x, self._y + shift, **options)
        return result

    def _estimate(self) -> Any:
        if self.test == "wilcoxon":
            return wilcoxon_test(
                self._x, self._y, zero_method="pratt", method="asymptotic", tie_tolerance=self._tie_tolerance
            ).hodges_lehmann
        if self.test == "sign":
            return np.median(differences(self._x, self._y, self._tie_tolerance), axis=-1)
        result = self._tested(0.0, "greater")
        return result.statistic if self.test.endswith("permutation") else result.mean_difference

    def _of_each(
        self, lower_limit: Callable[[FloatArray, float], float], alpha: float
    ) -> tuple[FloatArray, FloatArray]:
        d = np.sort(differences(self._x, self._y, self._tie_tolerance), axis=-1)
        low, high = np.empty(d.shape[:-1]), np.empty(d.shape[:-1])
        for at in np.ndindex(low.shape):
            # what is above x - y is below y - x
            low[at], high[at] = lower_limit(d[at], alpha), -lower_limit(-d[at][::-1], alpha)
        return low, high

    def _signed_rank_limit(self, d: FloatArray, alpha: float) -> float:
        """Return the Walsh average up to which all shifts of the sorted differences are rejected.

        Between two neighbouring averages p does not change, and it grows from one to the next.
        """

        def rejects(shift: float) -> bool:
            test = wilcoxon_test(d, np.full(d.shape, shift), alternative="greater", tie_tolerance=self._tie_tolerance)
            return bool(test.pvalue <= alpha)

        if not rejects(d[0] - 1 - abs(d[0])):
            return -np.inf
        if d.size > SORTED_UP_TO:
            low, high = float(d[0]), float(d[-1])
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                low, high = (middle, high) if rejects(middle) else (low, middle)
            return low
        averages = np.unique(rounded(np.add.outer(d / 2, d / 2)[np.triu_indices(d.size)], self._tie_tolerance))
        first, last = 0, averages.size - 1  # the limit is one of these
        while first < last:
            middle = (first + last) // 2
            if rejects(averages[middle] / 2 + averages[middle + 1] / 2):
                first = middle + 1
            else:
                last = middle
        return float(averages[first])


def _sign_limit(d: FloatArray, alpha: float) -> float:
    """Return the difference up to which all shifts are rejected: so many of the sorted differences lie below it."""
    n_below = np.arange(d.size)
    n_rejected = int(np.count_nonzero(binomial_left_tail(n_below, np.full(d.size, d.size)) <= alpha))
    return float(d[n_rejected - 1]) if n_rejected else -np.inf
