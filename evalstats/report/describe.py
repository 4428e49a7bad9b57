"""Numbers, metrics, p-values, null distributions and omnibus tests in words."""

from __future__ import annotations

__all__ = [
    "METHODS",
    "as_given",
    "chi2_words",
    "column",
    "count",
    "counted",
    "decimal",
    "decimals",
    "f_of_readers_words",
    "f_words",
    "friedman_words",
    "law_words",
    "metric_words",
    "not_adjusted_words",
    "of_count",
    "percent",
    "probability",
    "pvalue_bound",
    "pvalue_cell",
    "pvalue_of",
    "pvalue_words",
    "seed_words",
    "shown_of",
    "signed",
]

import math
from collections.abc import Sequence
from typing import Any

from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.tables.score_table import ScoreTable
from evalstats.wording import metric_name

MINUS = "−"
_WITH_SEPARATORS = 10_000  # from here on


def pvalue_words(pvalue: float, alpha: float | None = None, n_resamples: int | None = None) -> str:
    """Format a p-value for a sentence, with three digits.

    If rounding to three digits would move the p-value to the other side of `alpha`, more digits are written. For
    a simulated p-value, fewer digits are written, because `n_resamples` simulations have a resolution of 1 /
    (n_resamples + 1).

    Examples
    --------
    >>> from evalstats.report.describe import pvalue_words
    >>> pvalue_words(0.5703125), pvalue_words(0.0000123), pvalue_words(0.0500001, alpha=0.05)
    ('p = 0.570', 'p = 1.23e-05', 'p = 0.0500001')
    >>> pvalue_words(0.0003, n_resamples=9999)
    'p = 0.0003'
    """
    if math.isnan(pvalue):
        return "no p-value"
    cell = pvalue_cell(pvalue, alpha, n_resamples)
    return f"p {cell}" if cell.startswith((">", "<")) else f"p = {cell}"


def pvalue_cell(pvalue: float, alpha: float | None = None, n_resamples: int | None = None) -> str:
    """Format a p-value for a table: with three digits, or with a power of ten below 0.001.

    Examples
    --------
    >>> from evalstats.report.describe import pvalue_cell
    >>> pvalue_cell(0.5703125), pvalue_cell(0.0000123), pvalue_cell(1.0)
    ('0.570', '1.23e-05', '1')
    """
    if math.isnan(pvalue):
        return "none"
    if pvalue == 1:
        return "1"
    if pvalue < 1e-300:
        return "< 1e-300"
    digits = 3
    text = _of_digits(pvalue, digits, n_resamples)
    while alpha is not None and pvalue != alpha and (float(text) <= alpha) != (pvalue <= alpha) and digits < 20:
        digits += 1
        text = _of_digits(pvalue, digits, n_resamples)
    return "> 0.999" if float(text) == 1 else text


def _of_digits(pvalue: float, digits: int, n_resamples: int | None) -> str:
    decimals = digits - 1 - math.floor(math.log10(pvalue))
    if n_resamples is not None:  # 9999 simulations: four decimals
        decimals = min(decimals, math.ceil(math.log10(n_resamples + 1)) + digits - 3)
    elif pvalue < 0.001:
        return f"{pvalue:.{digits - 1}e}"
    return f"{pvalue:.{decimals}f}"


def pvalue_bound(pvalue: float, alpha: float | None = None) -> str:
    """Format a p-value after the word "p-value" in a sentence: '0.0625', 'below 1e-300'.

    Examples
    --------
    >>> from evalstats.report.describe import pvalue_bound
    >>> pvalue_bound(0.0625), pvalue_bound(1e-9), pvalue_bound(0.99999)
    ('0.0625', '1.00e-09', 'above 0.999')
    """
    words = pvalue_words(pvalue, alpha).removeprefix("p ").removeprefix("= ")
    return words.replace("< ", "below ").replace("> ", "above ")


def column(values: Sequence[float], *, digits: int) -> list[str]:
    """Format the numbers of one column with the same number of decimals, which the largest number determines.

    Examples
    --------
    >>> from evalstats.report.describe import column
    >>> column([0.857, 0.0312], digits=4)
    ['0.8570', '0.0312']
    """
    largest = max((abs(v) for v in values if math.isfinite(v)), default=0.0)
    if largest == 0:
        return [decimal(v, 0) for v in values]
    decimals = max(digits - math.ceil(math.log10(largest)), 0)
    if decimals > digits + 3 or largest >= 1e7:
        return [
            f"{MINUS if v < 0 else ''}{abs(v):.{digits - 1}e}" if math.isfinite(v) else decimal(v, 0) for v in values
        ]
    return [decimal(v, decimals) for v in values]


def shown_of(part: int, things: str, n: int) -> str:
    """State how many of `n` `things` have a property: 'of 6 pairs, 1 is', 'all 6 pairs are'.

    Examples
    --------
    >>> from evalstats.report.describe import shown_of
    >>> [shown_of(part, "3 pairs", 3) for part in (0, 1, 2, 3)]
    ['of 3 pairs, none is', 'of 3 pairs, 1 is', 'of 3 pairs, 2 are', 'all 3 pairs are']
    """
    if part == n > 1:
        return f"all {things} are"
    return f"of {things}, {part if part else 'none'} {'is' if part < 2 else 'are'}"


def decimal(value: float, decimals: int) -> str:
    """Format a number with a fixed number of decimals and a true minus sign; zero has no sign."""
    if math.isnan(value):
        return "none"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        return text.lstrip("-")
    return text.replace("-", MINUS)


def probability(p: float) -> str:
    """Format a probability with three decimals; only exact values are written as 0 or 1."""
    if 0 < p < 0.0005 or 0.9995 <= p < 1:
        return "< 0.001" if p < 0.5 else "> 0.999"
    return decimal(p, 3)


def decimals(values: Sequence[float]) -> int | None:
    """Count the decimals that are necessary to write all values exactly; return None if a value has an exponent."""
    written = [repr(value) for value in values]
    if any("e" in text for text in written):
        return None
    return max(len(text.partition(".")[2]) if not text.endswith(".0") else 0 for text in written)


def as_given(values: Sequence[float], places: int | None) -> list[str]:
    """Format values with `places` decimals, or as Python does if `places` is None."""
    if places is not None:
        return [decimal(value, places) for value in values]
    return [MINUS + repr(-value) if value < 0 else repr(value) for value in values]


def signed(value: float, decimals: int) -> str:
    """Format a number with a plus or minus sign, unless it is written as zero."""
    text = decimal(value, decimals)
    return f"+{text}" if text[0] not in "−n" and text.strip("0.") else text


def percent(proportion: float) -> str:
    """Format a proportion such as 0.95 as '95 %'."""
    return f"{round(100 * proportion, 6):g} %"


def count(n: int, noun: str, plural: str | None = None) -> str:
    """Format a number with its noun: '1 dataset', '14 datasets', '15,931 pairs'.

    Examples
    --------
    >>> from evalstats.report.describe import count
    >>> count(1, "dataset"), count(0, "dataset"), count(2, "loss", "losses")
    ('1 dataset', '0 datasets', '2 losses')
    """
    words = noun if n == 1 else plural or f"{noun}s"
    return f"{n:,} {words}" if n >= _WITH_SEPARATORS else f"{n} {words}"


def of_count(part: int, n: int, noun: str) -> str:
    """Format a part of a total with its noun: '3 of 36 pairs', '9,239 of 15,931 pairs'.

    Examples
    --------
    >>> from evalstats.report.describe import of_count
    >>> of_count(3, 36, "pair"), of_count(9239, 15931, "pair")
    ('3 of 36 pairs', '9,239 of 15,931 pairs')
    """
    return f"{part:,} of {count(n, noun)}" if n >= _WITH_SEPARATORS else f"{part} of {count(n, noun)}"


def counted(n: int, noun: str) -> str:
    """Format a number of units with a thousands separator: '1 instance', '10,000 instances'."""
    return f"{n:,} {noun if n == 1 else noun + 's'}"


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
