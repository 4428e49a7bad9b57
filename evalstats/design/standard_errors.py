"""Power of tests from the standard error of an estimate: questions, areas under ROC curves, battles and ranks."""

from __future__ import annotations

__all__ = ["TESTS", "EstimateTest", "Planned", "all_pairs_level", "noether_power"]

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.noncentral_t import t_power

# default values
USUAL = {"correlation": 0.5, "prevalence": 0.5, "cluster_size": 1.0, "intraclass_correlation": 0.0, "tie_rate": 0.0}


class Planned(NamedTuple):
    """A difference with the standard error of its estimate, in the unit of the difference."""

    difference: float
    scale: Callable[[int], float]
    """The standard error as a function of the sample size."""
    df: Callable[[int], float] | None = None
    """Degrees of freedom of the t distribution; None for the normal distribution."""

    def power(self, n: int, alpha: float, alternative: str, method: str) -> float:
        """Return the power at a sample size; the power of a two-sided test includes both tails."""
        error = self.scale(n)
        if self.df is None or method == "asymptotic":
            return normal_power(self.difference / error, alpha, alternative)
        df = self.df(n)
        return t_power(self.difference / error, df, alpha, alternative) if df >= 1 else 0.0


class EstimateTest(NamedTuple):
    """A test: the name of the difference, the arguments that describe the scores, and the standard error."""

    difference: str
    own: tuple[str, ...]
    plan: Callable[[Mapping[str, Any]], Planned]

    def understand(self, test: str, values: Mapping[str, Any]) -> Planned:
        """Validate the arguments and add the default values."""
        if self.difference not in values:
            raise InvalidValueError(f"the test {test!r} needs {self.difference}, the size of the difference")
        checked = {name: CHECKS[name](value, name) for name, value in values.items()}
        return self.plan(checked)


def normal_power(noncentrality: float, alpha: float, alternative: str) -> float:
    """Return the power of a z test."""
    from scipy.special import ndtr, ndtri

    critical = -float(ndtri(alpha / 2 if alternative == "two-sided" else alpha))
    right, left = float(ndtr(noncentrality - critical)), float(ndtr(-noncentrality - critical))
    return {"two-sided": right + left, "greater": right, "less": left}[alternative]


def noether_power(test: str, probability: float, n: float, alpha: float, alternative: str) -> float:
    """Return the power of the sign test or of Wilcoxon's signed-rank test.

    `probability` is P(D > 0) or P(D1 + D2 > 0) for independent differences: Noether (1987), sections 2.1 and 2.2.
    """
    per_difference = 4 if test == "sign" else 3
    return normal_power(math.sqrt(per_difference * n) * (probability - 0.5), alpha, alternative)


def all_pairs_level(n_models: int, alpha: float) -> float:
    """Return the level of a single pair from Tukey's studentized range, for equal precision of all pairs of models."""
    from evalstats.distributions import studentized_range

    z = np.asarray(studentized_range.isf(alpha, n_models) / math.sqrt(2))
    return 2 * float(tails.normal_right_tail(z))


def _questions(known: Mapping[str, Any]) -> Planned:
    """Return the standard error over questions: Miller (2024), sections 3.1-3.2; design effect of Kish (1965)."""
    if "sd" not in known:
        raise InvalidValueError("the test 'clustered-t' requires the standard deviation of the differences (sd)")
    if "n_samples" in known and "sd_within" not in known:
        raise InvalidValueError("n_samples requires sd_within, the standard deviation within a question")
    size, rho = (known.get(name, USUAL[name]) for name in ("cluster_size", "intraclass_correlation"))
    within = known.get("sd_within", 0.0) ** 2 / known.get("n_samples", 1)
    variance = known["sd"] ** 2 * (1 + (size - 1) * rho) + within
    return Planned(known["difference"], lambda n: math.sqrt(variance / n), lambda n: n / size - 1)


def _areas(known: Mapping[str, Any]) -> Planned:
    """Return the standard error for AUC, from the standard deviation of a pilot study or from the binormal model."""
    if ("sd" in known) == ("auc" in known):
        raise InvalidValueError(
            "the test 'auc' requires the AUC of y (auc), or sqrt(n) times the standard error in a pilot study (sd)"
        )
    if "sd" in known:
        if others := [name for name in ("correlation", "prevalence") if name in known]:
            raise InvalidValueError(f"{others[0]} requires auc, not sd")
        return Planned(known["difference"], lambda n: known["sd"] / math.sqrt(n))
    areas = known["auc"] + known["difference"], known["auc"]
    if not 0 < areas[0] < 1:
        raise InvalidValueError(f"auc + difference must lie between 0 and 1, but it is {areas[0]:g}")
    correlation, prevalence = (known.get(name, USUAL[name]) for name in ("correlation", "prevalence"))
    return Planned(
        known["difference"],
        lambda n: math.sqrt(_variance_of_areas(areas, correlation, n * prevalence, n * (1 - prevalence))),
    )


def _variance_of_areas(areas: tuple[float, float], correlation: float, n_positive: float, n_negative: float) -> float:
    """Return the variance of the difference between two areas for normal scores with equal variances in both classes.

    The formula is the variance of a two-sample U statistic (Hoeffding 1948). Two pairs of instances are both ordered
    correctly with a bivariate normal probability. The correlation is 1/2 if the pairs share one instance.
    """
    from scipy.special import ndtri

    m, n = max(n_positive, 1.0), max(n_negative, 1.0)
    total = 0.0
    for sign, a, b, shared in ((1, 0, 0, 1.0), (1, 1, 1, 1.0), (-2, 0, 1, correlation)):
        first, second = float(ndtri(areas[a])), float(ndtri(areas[b]))
        both = areas[a] * areas[b]
        one = _both_positive(first, second, shared / 2) - both
        two = _both_positive(first, second, shared) - both
        total += sign * (two + (m + n - 2) * one) / (m * n)
    return max(total, 1e-300)


def _both_positive(first: float, second: float, correlation: float) -> float:
    """Return P(Z1 < first, Z2 < second) for two standard normal variables."""
    from scipy.special import ndtr

    if correlation >= 1:
        return float(ndtr(min(first, second)))
    if correlation == 0:
        return float(ndtr(first) * ndtr(second))
    from scipy.integrate import quad

    def density(angle: float) -> float:
        cosine = math.cos(angle)
        return math.exp(-(first**2 + second**2 - 2 * first * second * math.sin(angle)) / (2 * cosine**2))

    # Plackett (1954): the derivative with respect to the correlation is the density at (first, second)
    added = quad(density, 0, math.asin(correlation), epsabs=1e-14, epsrel=1e-12)[0] / (2 * math.pi)
    return float(ndtr(first) * ndtr(second)) + added


def _battles(known: Mapping[str, Any]) -> Planned:
    """Return the standard error of the difference between two strengths, if all pairs have equal numbers of battles.

    The strengths of the other models are assumed to be halfway between the two strengths. A battle of two models with
    the difference d has the information p (1 - p) with p = expit(d). Each of the other models adds half of the
    information of its pairs, like conductances in series.
    """
    effect, k = known["effect"], known.get("n_classifiers", 2)

    def information(d: float) -> float:
        return 1 / (2 + 2 * math.cosh(min(abs(d), 700.0)))

    ties, size, rho = (known.get(name, USUAL[name]) for name in ("tie_rate", "cluster_size", "intraclass_correlation"))
    per_battle = information(effect) + (k - 2) * information(effect / 2) / 2
    variance = (1 - ties) * (1 + (size - 1) * rho) / per_battle
    return Planned(effect, lambda n: math.sqrt(variance / n))


def _positive(value: Any, name: str) -> float:
    number = _checks.finite_real(value, name)
    if number <= 0:
        raise InvalidValueError(f"{name} must be larger than 0, not {number:g}")
    return number


def _not_negative(value: Any, name: str) -> float:
    number = _checks.finite_real(value, name)
    if number < 0:
        raise InvalidValueError(f"{name} must be nonnegative, not {number:g}")
    return number


def _below_one(value: Any, name: str) -> float:
    number = _not_negative(value, name)
    if number >= 1:
        raise InvalidValueError(f"{name} must be at least 0 and below 1, not {number:g}")
    return number


def _one_or_more(value: Any, name: str) -> float:
    number = _checks.finite_real(value, name)
    if number < 1:
        raise InvalidValueError(f"{name} must be 1 or more, not {number:g}")
    return number


CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "difference": _checks.finite_real,
    "effect": _checks.finite_real,
    "sd": _positive,
    "sd_within": _not_negative,
    "n_samples": _checks.count,
    "cluster_size": _one_or_more,
    "intraclass_correlation": _below_one,
    "auc": _checks.proportion,
    "correlation": _below_one,
    "prevalence": _checks.proportion,
    "tie_rate": _below_one,
    "n_classifiers": lambda value, name: _checks.count(value, name, minimum=2),
}
TESTS = {
    "clustered-t": EstimateTest(
        "difference", ("sd", "sd_within", "n_samples", "cluster_size", "intraclass_correlation"), _questions
    ),
    "auc": EstimateTest("difference", ("auc", "correlation", "prevalence", "sd"), _areas),
    "battles": EstimateTest(
        "effect", ("n_classifiers", "tie_rate", "cluster_size", "intraclass_correlation"), _battles
    ),
}
