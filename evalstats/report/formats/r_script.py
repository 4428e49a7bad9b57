"""How does a sceptic check the numbers in R?"""

from __future__ import annotations

__all__ = ["r_script"]

import math
from collections.abc import Iterable

from evalstats._checks import InvalidTypeError
from evalstats._ranks import significant_digits
from evalstats._result import HypothesisTestResult
from evalstats._version import __version__
from evalstats.comparison.over_datasets import Comparison
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.wording import omnibus_words, pair_test_words

_COMPUTED_ANEW = ("nemenyi", "bonferroni-dunn")
# what both kinds of comparison need: one line per number, with both answers
_AGREE = """
agree <- function(what, evalstats, r, relative = 1e-9, slack = 0) {
  same <- isTRUE(abs(evalstats - r) <= relative * max(abs(evalstats), abs(r)) + slack)
  cat(sprintf("%-8s %-46s evalstats %-16.10g R %-16.10g\n", if (same) "agrees" else "DIFFERS", what, evalstats, r))
}
"""
_SEVERAL = """
ranks <- t(apply(-better, 1, rank))  # 1 is the best
mean_ranks <- colMeans(ranks)
"""
_MEAN_RANKS = """for (name in names(evalstats_mean_ranks)) {
  agree(paste("mean rank of", name), evalstats_mean_ranks[[name]], mean_ranks[[name]])
}
"""
# the ranks of a dataset with missing scores, stretched to the range from 1 to the number of classifiers
_INCOMPLETE = """
ranks <- t(apply(-better, 1, function(x) {
  r <- rank(x, na.last = "keep")  # 1 is the best
  1 + (r - 1) * (length(x) - 1) / (sum(!is.na(x)) - 1)
}))
mean_ranks <- colMeans(ranks, na.rm = TRUE)
"""
_TWO = """
wins <- sum(d > 0)
losses <- sum(d < 0)
d <- d[d != 0]
signed_ranks <- rank(abs(d)) * sign(d)
"""
_EXACT = """
# the distribution of twice W+, given the ties: each rank counts or not, with probability 1/2
probability <- 1
for (r in 2 * abs(signed_ranks)) probability <- (c(probability, numeric(r)) + c(numeric(r), probability)) / 2
twice <- 2 * sum(signed_ranks[signed_ranks > 0])
tails <- c(sum(probability[1:(twice + 1)]), sum(probability[(twice + 1):length(probability)]))
agree("Wilcoxon test, exact p", {pvalue}, min(1, 2 * tails))
"""
_ASYMPTOTIC = """
agree("Wilcoxon test, p", {pvalue}, wilcox.test(d, exact = FALSE, correct = TRUE)$p.value)
"""


def r_script(comparison: Comparison) -> str:
    """Return a script in base R that holds the scores, computes the tests anew and prints both answers side by side.

    Parameters
    ----------
    comparison : Comparison
        What `compare` returned.

    Returns
    -------
    str
        Run it with ``Rscript``; it needs no package. It is written in ASCII, and names stand in it as quoted text only.

    Raises
    ------
    InvalidTypeError
        If `comparison` is one on one dataset.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.r_script(c).splitlines()[2])
    scores <- matrix(c(
    """
    if not isinstance(comparison, Comparison):
        raise InvalidTypeError(
            f"comparison must be what compare returned for several datasets, not {type(comparison).__name__}"
        )
    table = comparison.table
    n, k = table.scores.shape
    values = ",\n".join("  " + ", ".join(map(_number, row)) for row in table.scores.tolist())
    scores = f"""# Made by evalstats {__version__}: the scores of a comparison, its tests computed anew in base R.

scores <- matrix(c(
{values}
), nrow = {n}, ncol = {k}, byrow = TRUE, dimnames = list(
  {_strings(table.datasets)},
  {_strings(table.classifiers)}
))
better <- {"scores" if table.greater_is_better else "-scores"}  # the larger, the better
"""
    if comparison.wilcoxon is not None:
        return scores + _AGREE + _two(comparison, comparison.wilcoxon)
    assert comparison.omnibus is not None
    return scores + _AGREE + _several(comparison, comparison.omnibus)


_SINGLE = ", relative = 1e-4"  # R rounds differences to the digits that single precision has


def _two(comparison: Comparison, wilcoxon: WilcoxonTestResult) -> str:
    assert comparison.sign is not None
    pair = comparison.pairs[0]
    lines = [
        "",
        f"x <- scores[, {_string(pair.first)}]",
        f"y <- scores[, {_string(pair.second)}]",
        "d <- x - y",
    ]
    if digits := significant_digits(comparison.tie_tolerance):
        lines += [
            f"# differences that agree to {digits} significant digits of the scores are ties",
            f"own <- {digits} - (floor(log10(pmax(abs(x), abs(y)))) + 1)",
            "shared <- round(d, pmax(min(own), own - 3))",
            "d <- ifelse(x == y, 0, ifelse(shared == 0, round(d, own), shared))",
        ]
    law = _EXACT if wilcoxon.method == "exact" else _ASYMPTOTIC
    if wilcoxon.n_zero == wilcoxon.n_pairs:
        return "\n".join([*lines, 'cat("All differences are zero: there is nothing to test.\\n")', ""])
    return (
        "\n".join(lines)
        + _TWO
        + f'agree("W+", {wilcoxon.statistic!r}, sum(signed_ranks[signed_ranks > 0]))'
        + law.replace("{pvalue}", repr(wilcoxon.pvalue))
        + f'agree("sign test, p", {comparison.sign.pvalue!r}, binom.test(wins, wins + losses)$p.value)\n'
        + 'averages <- outer(d, d, "+") / 2\n'
        + f'agree("Hodges-Lehmann estimate", {wilcoxon.hodges_lehmann!r}, median(averages[!lower.tri(averages)])'
        + f"{_SINGLE if comparison.table.noise else ''})\n"
    )


def _several(comparison: Comparison, omnibus: HypothesisTestResult) -> str:
    lines = []
    if digits := significant_digits(comparison.tie_tolerance):
        lines.append(f"better <- signif(better, {digits})  # scores that agree to {digits} significant digits are ties")
    means = ", ".join(f"{_string(name)} = {comparison.mean_rank(name)!r}" for name in comparison.ranking)
    lines.append(f"evalstats_mean_ranks <- list({means})")
    beginning = "\n" + "\n".join(lines) + (_INCOMPLETE if comparison.table.missing else _SEVERAL) + _MEAN_RANKS
    if not isinstance(omnibus, FriedmanTestResult) or comparison.posthoc_test not in _COMPUTED_ANEW:
        tests = f"the {omnibus_words(comparison)} and the {pair_test_words(comparison)}"
        return f"{beginning}# not computed anew: {tests}; the command evalstats validate compares both with R\n"
    return beginning + _friedman(omnibus) + _posthoc(comparison)


def _friedman(omnibus: FriedmanTestResult) -> str:
    n, k = omnibus.n_datasets, omnibus.n_classifiers
    if n == 1:
        return "# friedman.test needs two datasets or more\n"
    lines = [
        "friedman <- friedman.test(better)",
        "if (is.nan(friedman$statistic)) friedman <- list(statistic = 0, p.value = 1)  # nothing but ties",
        "q <- unname(friedman$statistic)",
        f'agree("Friedman chi-squared, corrected for ties", {omnibus.chi2!r}, q)',
        f'agree("its p, chi-squared approximation", {omnibus.chi2_pvalue!r}, friedman$p.value)',
    ]
    if math.isfinite(omnibus.f):
        lines += [
            f"f <- {n - 1} * q / ({n * (k - 1)} - q)",
            f'agree("F of Iman and Davenport", {omnibus.f!r}, f)',
            f'agree("its p", {omnibus.f_pvalue!r}, pf(f, {k - 1}, {(k - 1) * (n - 1)}, lower.tail = FALSE))',
        ]
    if omnibus.method in {"exact", "monte-carlo"}:
        lines.append(f"# base R has no counterpart of the p-value that decides ({omnibus.method}): {omnibus.pvalue!r}")
    return "\n".join(lines) + "\n"


def _posthoc(comparison: Comparison) -> str:
    n, k, alpha = comparison.n_datasets, comparison.n_classifiers, comparison.alpha
    if comparison.control is None:
        # R's own accuracy: qtukey stops its search at 0.0001, ptukey has five digits, and 12 decimals in the tail
        critical = f"qtukey({alpha!r}, {k}, Inf, lower.tail = FALSE) / sqrt(2) * se, slack = 1e-4"
        pvalue = f"ptukey(z * sqrt(2), {k}, Inf, lower.tail = FALSE), relative = 1e-5, slack = 1e-11"
    else:
        critical = f"qnorm({alpha!r} / (2 * {k - 1}), lower.tail = FALSE) * se"
        pvalue = f"min(1, {k - 1} * 2 * pnorm(-z))"
    lines = [
        f"se <- sqrt({k} * {k + 1} / (6 * {n}))",
        f'agree("critical difference", {comparison.critical_difference!r}, {critical})',
        "pair <- function(first, second, evalstats) {",
        "  z <- abs(mean_ranks[[first]] - mean_ranks[[second]]) / se",
        f'  agree(paste("p of", first, "and", second), evalstats, {pvalue})',
        "}",
        *(f"pair({_string(p.first)}, {_string(p.second)}, {p.pvalue!r})" for p in comparison.pairs),
    ]
    return "\n".join(lines) + "\n"


def _number(score: float) -> str:
    return "NA" if math.isnan(score) else repr(score)


def _strings(names: Iterable[str]) -> str:
    return f"c({', '.join(map(_string, names))})"


def _string(name: str) -> str:
    """Quote a name for R, so that nothing in it can be read as code."""
    return '"' + "".join(f"\\U{{{ord(c):x}}}" if not c.isascii() else f"\\{c}" if c in '\\"' else c for c in name) + '"'
