"""Result class of the agreement coefficients.

Every coefficient of this subpackage is 1 - Do / De: one minus the ratio of the observed disagreement to the
disagreement expected by chance.
"""

from __future__ import annotations

__all__ = ["AgreementResult", "pvalues", "standardized", "without_noise"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._result import ConfidenceInterval, EstimateResult, HypothesisTestResult, interval_of
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails

FULL_AGREEMENT = (
    "the labels of every instance agree, so no variance can be estimated; the lower limit of the interval is exact"
)
NO_VARIANCE = "every instance has the same agreement, so no variance can be estimated and there is no interval"
ONE_CASE = "there is only one instance, so there is no standard error and no interval"

# relative size below which a difference of two sums is the noise of their rounding
NOISE = 1e-13

# text of the result of each measure after its name
WORDS = (
    "{estimate:decimal} over {n_instances:count instance}, standard error {standard_error:decimal}, {pvalue:p} against "
    "agreement by chance ({method:law})"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class AgreementResult(HypothesisTestResult, EstimateResult):
    """An agreement coefficient with its test. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    estimate : float or ndarray
        The coefficient. It is 1 for agreement on every instance, 0 for agreement by chance, and negative for less
        agreement than by chance.
    standard_error : float or ndarray
        Standard error of the estimate, which is valid for any true agreement and used for the interval.
    statistic : float or ndarray
        The estimate divided by its standard error. It is positive if there is more agreement than by chance.
    pvalue : float or ndarray
        p-value of the null hypothesis that agreement is due to chance.
    n_instances : int or ndarray
        Number of instances used for the estimate.
    """

    n_instances: Any
    _df: Any
    _largest_disagreement: Any  # disagreement of one instance, in units of the disagreement by chance
    _smallest_value: float = -1.0

    __str__ = EstimateResult.__str__

    def confidence_interval(self, confidence_level: float = 0.95, *, method: str = "wald") -> ConfidenceInterval:
        """Compute a confidence interval that stays within the range of the coefficient.

        The interval is one-sided if the alternative is one-sided.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval in large samples.
        method : {'wald', 'fisher'}, default: 'wald'
            ``'wald'``: estimate +- quantile x standard error, truncated at -1 and 1, as in most programs. If the
            coefficient is near 1 or the sample is small, the coverage is too low. For `cohen_kappa`, the coverage of
            95% intervals is 86.4% with 10 instances and 93.0% with 50 instances. ``'fisher'``: the same interval on the
            atanh scale, transformed back. The interval stays within the range of the coefficient, and the coverage
            is closer to the nominal level.

        Returns
        -------
        ConfidenceInterval
            If the labels agree on every instance, both choices of `method` give the same exact limits. The upper
            Clopper-Pearson limit u of the proportion of instances with a disagreement gives the lower limit 1 - u / De
            of the coefficient. If the standard error is 0 for a different reason, or nan, both limits are nan.

        Examples
        --------
        >>> from evalstats.agreement import cohen_kappa_table
        >>> result = cohen_kappa_table([[9, 1], [0, 90]])
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        0.829 1.000
        >>> low, high = result.confidence_interval(method="fisher")
        >>> print(f"{low:.3f} {high:.3f}")
        0.636 0.992
        """
        level = _checks.confidence_level(confidence_level)
        method = _checks.choice(method, "method", ("wald", "fisher"))

        tail = (1 - level) / 2 if self.alternative == "two-sided" else 1 - level
        low, high = self._wald(tail) if method == "wald" else self._fisher(tail)

        complete, has_variance = np.asarray(self.estimate) == 1, np.asarray(self.standard_error) > 0
        low = np.where(complete, self._exact_lower_limit(tail), np.where(has_variance, low, np.nan))
        high = np.where(complete, 1.0, np.where(has_variance, high, np.nan))
        is_defined = ~np.isnan(low)
        low = np.where(is_defined & (self.alternative == "less"), self._smallest_value, low)
        high = np.where(is_defined & (self.alternative == "greater"), 1.0, high)
        return interval_of(low, high, level)

    def _wald(self, tail: float) -> tuple[FloatArray, FloatArray]:
        estimate = np.asarray(self.estimate)
        margin = -tails.t_quantile(self._df, tail) * self.standard_error
        return np.maximum(estimate - margin, self._smallest_value), np.minimum(estimate + margin, 1.0)

    def _fisher(self, tail: float) -> tuple[FloatArray, FloatArray]:
        """Compute the interval on the atanh scale, whose derivative is 1 / (1 - x^2): Fisher (1915)."""
        estimate = np.asarray(self.estimate)
        # only custom weights give -1 or less, for which the transformation is undefined
        inside = np.where(np.abs(estimate) < 1, estimate, np.nan)
        margin = -tails.t_quantile(self._df, tail) * self.standard_error / (1 - inside**2)
        return np.tanh(np.arctanh(inside) - margin), np.tanh(np.arctanh(inside) + margin)

    def _exact_lower_limit(self, tail: float) -> FloatArray:
        """Compute the lower limit if there is no disagreement in n instances: Clopper & Pearson (1934)."""
        share = -np.expm1(np.log(tail) / np.maximum(self.n_instances, 1))
        return np.asarray(np.maximum(1 - share * self._largest_disagreement, self._smallest_value))


def standardized(estimate: FloatArray, standard_error: FloatArray) -> FloatArray:
    """Return the estimate in standard errors, or, if the standard error is 0, 0 for an estimate of 0, else infinity."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((standard_error == 0) & (estimate == 0), 0.0, estimate / standard_error)


def pvalues(statistic: FloatArray, alternative: str, df: Any = np.inf) -> FloatArray:
    """Return p-values from the t distribution (df infinite: normal), or nan if the statistic is infinite."""
    return np.where(np.isfinite(statistic), tails.t_pvalue(statistic, df, alternative), np.nan)


def without_noise(differences: FloatArray, scale: FloatArray) -> FloatArray:
    """Return the differences of large sums; differences within rounding noise are set to 0."""
    return np.where(np.abs(differences) <= NOISE * scale, 0.0, differences)
