"""Metrics, p-values, null distributions and omnibus tests in words."""

from __future__ import annotations

__all__ = [
    "METHODS",
    "chi2_words",
    "f_of_readers_words",
    "f_words",
    "friedman_words",
    "law_words",
    "metric_words",
    "not_adjusted_words",
    "pvalue_of",
    "seed_words",
]

import math
from typing import Any

from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.report.numbers import decimal, pvalue_words
from evalstats.tables.score_table import ScoreTable
from evalstats.wording import metric_name

# the null distribution of the result, in words
METHODS: dict[str, str] = {
    "asymptotic": "normal approximation",
    "basic": "basic bootstrap",
    "bca": "BCa bootstrap",
    "beta-binomial mixture": "valid at any time, beta-binomial mixture",
    "betting": "valid at any time, by betting",
    "binomial": "binomial distribution",
    "chi2": "χ² approximation",
    "exact": "exact distribution",
    "f": "F distribution",
    "likelihood-ratio": "χ² approximation",
    "midp": "mid-p of the binomial distribution",
    "monte-carlo": "simulated permutations",
    "multivariate normal": "multivariate normal distribution",
    "multivariate t": "multivariate t distribution",
    "normal": "normal distribution",
    "percentile": "percentile bootstrap",
    "range": "permutations within datasets",
    "redelmeier": "normal approximation with Redelmeier's variance",
    "studentized range": "studentized range distribution",
    "t": "t distribution",
    "trinomial": "trinomial distribution",
    "unconditional": "exact unconditional distribution",
}


def metric_words(table: ScoreTable) -> str:
    """Return the name of the metric with its unit, as in 'accuracy (%)'."""
    name = metric_name(table.metric)
    return f"{name} ({table.unit})" if table.unit else name


def pvalue_of(result: Any, alpha: float | None = None) -> str:
    """Format the p-value of a test; a Monte Carlo p-value is not written below its resolution."""
    return pvalue_words(result.pvalue, alpha, getattr(result, "n_resamples", None))


def not_adjusted_words(alpha: float, n_pairs: int) -> str:
    """Warn that the p-values of many pairs are not adjusted."""
    return (
        f"The p-values are not adjusted for {n_pairs} comparisons. If no two classifiers differ, each comparison shows "
        f"a difference with a probability of {alpha:g}. The probability that at least one of them does is much larger"
    )


def law_words(result: Any) -> str:
    """Name the null distribution; for a simulation, add the number of resamples and the seed."""
    law, n_resamples = METHODS[result.method], getattr(result, "n_resamples", None)
    if n_resamples is None:
        return law
    is_smallest = round(result.pvalue * (n_resamples + 1)) == 1
    n = f"{n_resamples:,}" if n_resamples >= 10_000 else str(n_resamples)
    return f"{n} {law}{seed_words(result.seed)}{', none as extreme' if is_smallest else ''}"


def friedman_words(result: FriedmanTestResult) -> str:
    """Write the Friedman statistic of the chosen method with its p-value."""
    law = "F approximation of Iman and Davenport" if result.method == "f" else law_words(result)
    statistic = f_words(result) if result.method == "f" else f"{chi2_words(result)}, corrected for ties"
    return f"Friedman test: {statistic}, {pvalue_of(result)} ({law})"


def chi2_words(result: FriedmanTestResult) -> str:
    """Write Friedman's chi-squared statistic with its degrees of freedom."""
    return f"χ²({result.n_classifiers - 1}) = {decimal(result.chi2, 3)}"


def f_words(result: FriedmanTestResult) -> str:
    """Write the F statistic of Iman and Davenport with its degrees of freedom."""
    k, n = result.n_classifiers, result.n_datasets
    return f"F({k - 1}, {(k - 1) * (n - 1)}) = {decimal(result.f, 3)}"


def seed_words(seed: int | None) -> str:
    """Write the seed of a simulation, or '' if a Generator was passed."""
    return "" if seed is None else f" with the seed {seed}"


def f_of_readers_words(result: Any, digits: int) -> str:
    """State F of the Obuchowski-Rockette test. An adjusted F of new readers and instances has no F distribution."""
    df, df_error = result.df
    if result.method == "adjusted" and result.sampled == "both":
        return f"adjusted F = {decimal(result.statistic, digits)}"
    if math.isinf(df_error):
        return f"χ²({df:g}) = {decimal(df * result.statistic, digits)}"
    return f"F({df:g}, {df_error:.1f}) = {decimal(result.statistic, digits)}"
