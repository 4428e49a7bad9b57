"""How does R compute the tests of a comparison over several datasets?"""

from __future__ import annotations

__all__ = ["adjusted_pvalues", "over_datasets"]

import math
from typing import Any

import numpy as np

from evalstats._ranks import significant_digits
from evalstats._types import FloatArray
from evalstats.comparison.record import Comparison
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.report.r_code import agreement, matrix, not_checked, number, numbers, string
from evalstats.wording import omnibus_words

_SINGLE = "relative = 1e-4"  # R rounds differences to the digits that single precision has
# R's own accuracy: qtukey stops its search at 0.0001, ptukey has five digits, and 12 decimals in the tail; of finitely
# many degrees of freedom it leaves 4e-10 in the tail, however small the truth is
_OF_STUDENTIZED_T = "relative = 1e-5, slack = 1e-9"
_OF_PTUKEY, _OF_QTUKEY = "relative = 1e-5, slack = 1e-11", "slack = 1e-4"
_OF_INTEGRALS = "relative = 1e-6, slack = 1e-12"

# the p-value of a pair in R, and how close R comes to it
_PAIR_TESTS = {
    "nemenyi": ("by_nemenyi(ranks)", _OF_PTUKEY),
    "bonferroni-dunn": ("by_siegel_castellan(ranks)", ""),
    "friedman-dunnett": ("by_friedman_dunnett(ranks)", _OF_INTEGRALS),
    "siegel-castellan": ("by_siegel_castellan(ranks)", ""),
    "conover": ("by_conover(ranks)", "relative = 1e-7"),
    "rank-sum": ("by_rank_sum(ranks)", "relative = 1e-7"),
    "miller": ("by_miller(ranks)", ""),
    "friedman-aligned": ("by_permuted_rows(aligned_ranks(better, digits))", ""),
    "quade": ("by_permuted_rows(weighted_ranks(ranks, better, digits))", ""),
    "tukey": ("by_tukey(scores)", _OF_STUDENTIZED_T),
    "dunnett": ("by_dunnett(scores)", _OF_INTEGRALS),
    "wilcoxon": ("by_differences(scores, digits, signed_rank)", ""),
    "sign": ("by_differences(scores, digits, sign_of)", ""),
    "steel": ("by_differences(scores, digits, sign_of)", ""),
    "max-t": ("by_max_t(scores, digits, first, second, signed_ranks)", ""),
    "max-t-means": ("by_max_t(scores, digits, first, second)", ""),
    "paired-t": ("by_differences(scores, digits, mean_of)", "relative = 1e-7"),
}
# what is drawn cannot be drawn again in R
_DRAWN = {
    "monte-carlo": (
        "the p-values of the max-T test of the pairs",
        "base R does not draw these random signs of datasets",
    ),
    "bootstrap": (
        "the p-values of the bootstrap test of the pairs",
        "base R does not draw these resamples of datasets",
    ),
}
# adjustments that R can check
_IN_R = (
    *("none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by", "sidak", "holm-sidak", "holland", "finner"),
    *("li", "shaffer"),
)


def over_datasets(comparison: Comparison) -> tuple[str, list[str]]:
    """Return the data of a comparison, and the code that computes its tests."""
    table = comparison.table
    digits = significant_digits(comparison.tie_tolerance)
    better = "scores" if table.greater_is_better else "-scores"
    data = [
        matrix("scores", table.scores, table.datasets, table.classifiers),
        f"digits <- {digits}  # scores that agree to so many significant digits are ties; 0: to the last bit",
        f"better <- {f'signif({better}, digits)' if digits else better}  # the larger, the better",
    ]
    if comparison.wilcoxon is not None:
        return "\n".join(data), _two(comparison, comparison.wilcoxon)
    omnibus: Any = comparison.omnibus
    code = [
        "ranks <- ranks_of(better)",
        "mean_ranks <- colMeans(ranks, na.rm = TRUE)",
        f'agree(paste("mean rank of", colnames(scores)), {numbers(comparison.mean_ranks)}, mean_ranks)',
        *_OMNIBUS[str(comparison.omnibus_test)](omnibus),
    ]
    if omnibus.method in {"exact", "monte-carlo"}:
        what = f"the p-value that decides of the {omnibus_words(comparison)}, {number(omnibus.pvalue)}"
        law = "exact distribution" if omnibus.method == "exact" else "distribution by these random permutations"
        code.append(not_checked(what, f"base R does not have its {law}"))
    return "\n".join(data), [*code, *_pairs(comparison)]


# --- two classifiers --------------------------------------------------------------------------------------------------


def _two(comparison: Comparison, wilcoxon: WilcoxonTestResult) -> list[str]:
    assert comparison.sign is not None
    pair = comparison.pairs[0]
    code = [
        f"d <- differences(scores[, {string(pair.first)}], scores[, {string(pair.second)}], digits)",
        "d <- d[d != 0]",
    ]
    if wilcoxon.n_zero == wilcoxon.n_pairs:
        return [*code, 'cat("All differences are zero: there is nothing to test.\\n")']
    law = "signed_rank" if wilcoxon.method == "exact" else "signed_rank_normal"
    single = _SINGLE if comparison.table.noise else ""
    return [
        *code,
        agreement("W+", wilcoxon.statistic, "sum(rank(abs(d))[d > 0])"),
        agreement(f"Wilcoxon test, {wilcoxon.method} p", wilcoxon.pvalue, f"{law}(d)"),
        agreement("sign test, p", comparison.sign.pvalue, "sign_of(d)"),
        'averages <- outer(d, d, "+") / 2',
        agreement(
            "Hodges-Lehmann estimate",
            wilcoxon.hodges_lehmann,
            "median(averages[!lower.tri(averages)])",
            tolerance=single or "slack = 1e-12",
        ),
    ]


# --- the leading test -------------------------------------------------------------------------------------------------


def _friedman(omnibus: Any) -> list[str]:
    n, k = omnibus.n_datasets, omnibus.n_classifiers
    if n == 1:
        return [not_checked("the Friedman test", "friedman.test needs two datasets or more")]
    code = [
        "test <- friedman(better)",
        "q <- unname(test$statistic)",
        agreement("Friedman chi-squared, corrected for ties", omnibus.chi2, "q"),
        agreement("its p, chi-squared approximation", omnibus.chi2_pvalue, "test$p.value"),
    ]
    if math.isfinite(omnibus.f):
        code += [
            f"f <- {n - 1} * q / ({n * (k - 1)} - q)",
            agreement("F of Iman and Davenport", omnibus.f, "f"),
            agreement("its p", omnibus.f_pvalue, f"pf(f, {k - 1}, {(k - 1) * (n - 1)}, lower.tail = FALSE)"),
        ]
    return code


def _aligned(omnibus: Any) -> list[str]:
    if omnibus.reason is not None:
        return [not_checked("the Friedman aligned-ranks test", omnibus.reason)]
    tail = f"pchisq(aligned_statistic(aligned), {omnibus.df}, lower.tail = FALSE)"
    return [
        "aligned <- aligned_ranks(better, digits)",
        agreement("statistic of aligned ranks", omnibus.statistic, "aligned_statistic(aligned)"),
        agreement("its p, chi-squared approximation", omnibus.chi2_pvalue, tail),
    ]


def _quade(omnibus: Any) -> list[str]:
    if omnibus.reason is not None:
        return [not_checked("the Quade test", omnibus.reason)]
    return [
        "test <- quade.test(whole_numbers(better, digits))",
        agreement("Quade's F", omnibus.statistic, "unname(test$statistic)"),
        agreement("its p, F approximation", omnibus.f_pvalue, "test$p.value"),
    ]


def _skillings_mack(omnibus: Any) -> list[str]:
    close = "relative = 1e-7, slack = 1e-9"
    return [
        "test <- skillings_mack(better)",
        agreement("Skillings-Mack statistic", omnibus.chi2, "test$statistic", tolerance=close),
        agreement("its p, chi-squared approximation", omnibus.chi2_pvalue, "test$p.value", tolerance=close),
    ]


def _anova(omnibus: Any) -> list[str]:
    if omnibus.reason is not None:
        return [not_checked("the repeated-measures ANOVA", omnibus.reason)]
    close = "relative = 1e-7"
    code = [
        "test <- anova_of(scores)",
        agreement("F of the analysis of variance", omnibus.statistic, 'test[1, "F value"]', tolerance=close),
        agreement(
            "its p, if the scores are spherical", omnibus.sphericity_pvalue, 'test[1, "Pr(>F)"]', tolerance=close
        ),
    ]
    if not math.isnan(omnibus.greenhouse_geisser_pvalue):
        # anova() takes small numbers for zero; F does not depend on the unit
        corrected = 'anova(lm(scores / max(abs(scores)) ~ 1), X = ~1, test = "Spherical")[1, "G-G Pr"]'
        tolerance = "relative = 1e-5"
        code.append(
            agreement("its p, Greenhouse-Geisser", omnibus.greenhouse_geisser_pvalue, corrected, tolerance=tolerance)
        )
    return code


_OMNIBUS = {
    "friedman": _friedman,
    "friedman-aligned": _aligned,
    "quade": _quade,
    "skillings-mack": _skillings_mack,
    "rm-anova": _anova,
}


# --- the pairs --------------------------------------------------------------------------------------------------------


def _pairs(comparison: Comparison) -> list[str]:
    posthoc: Any = comparison.posthoc
    name = str(comparison.posthoc_test)
    if isinstance(posthoc.reason, str) and name in {"conover", "tukey", "dunnett"}:
        return [not_checked(f"the {name} test of the pairs", posthoc.reason)]
    first, second = np.array(list(comparison._compared), dtype=np.intp).T
    at = (first, second) if comparison.control is None else first
    places = [f"first <- c({', '.join(map(str, first + 1))})", f"second <- c({', '.join(map(str, second + 1))})"]
    if posthoc.method in _DRAWN and name in {"max-t", "max-t-means", "romano-wolf"}:
        return [*places, *_drawn(comparison, posthoc.statistic[at], posthoc.method)]
    test, tolerance = _PAIR_TESTS[name]
    if name == "wilcoxon" and posthoc.method == "asymptotic":
        test = test.replace("signed_rank", "signed_rank_normal")
    if comparison.table.noise and name == "paired-t":
        tolerance = _SINGLE
    pvalue = posthoc.pvalue[at]
    code = [
        *places,
        'names <- paste("p of", colnames(scores)[first], "and", colnames(scores)[second])',
        f"pvalues <- mapply({test}, first, second)",
        *_critical_difference(comparison),
    ]
    if name == "steel":
        alone = f'agree(paste(names, "alone"), {numbers(posthoc.unadjusted_pvalue[at])}, pvalues)'
        why = "base R does not have the joint distribution of all comparisons with a control"
        return [*code, alone, not_checked("the p-values for all comparisons at once", why)]
    if name == "bonferroni-dunn":
        return [*code, f'agree(names, {numbers(pvalue)}, adjusted(pvalues, "bonferroni"))']
    if comparison.adjustment in {"single-step", "none"}:
        return [*code, f"agree(names, {numbers(pvalue)}, pvalues{tolerance and ', '}{tolerance})"]
    unadjusted = posthoc.unadjusted_pvalue[at]
    code.append(f'agree(paste(names, "alone"), {numbers(unadjusted)}, pvalues{tolerance and ", "}{tolerance})')
    return [*code, *adjusted_pvalues(comparison, pvalue, tolerance)]


def _drawn(comparison: Comparison, statistic: FloatArray, method: str) -> list[str]:
    """Return the code for the statistics of a test whose p-values come from what was drawn."""
    tolerance = _SINGLE if comparison.table.noise else "relative = 1e-7"
    of_ranks = comparison.posthoc_test == "max-t"
    what, computed = ("z of signed ranks of", "z_of_ranks") if of_ranks else ("t of", "t_of")
    names = f'paste("{what}", colnames(scores)[first], "and", colnames(scores)[second])'
    observed = f"mapply(by_differences(scores, digits, {computed}), first, second)"
    return [f"agree({names}, {numbers(statistic)}, {observed}, {tolerance})", not_checked(*_DRAWN[method])]


def adjusted_pvalues(comparison: Any, pvalue: FloatArray, tolerance: str = "") -> list[str]:
    """Return the code that adjusts `pvalues` of the pairs as the comparison does."""
    method = str(comparison.adjustment)
    if method not in _IN_R:
        why = f"base R does not have the adjustment {method}"
        return [not_checked("the adjusted p-values", why)]
    call = f"adjusted(pvalues, {string(method)}, ncol(scores))"
    return [f"agree(names, {numbers(pvalue)}, {call}{tolerance and ', '}{tolerance})"]


def _critical_difference(comparison: Comparison) -> list[str]:
    length = comparison.critical_difference
    if length is None:
        return []
    n, k, alpha = comparison.n_datasets, comparison.n_classifiers, comparison.alpha
    quantile, tolerance = {
        "nemenyi": (f"qtukey({alpha!r}, {k}, Inf, lower.tail = FALSE) / sqrt(2)", _OF_QTUKEY),
        "bonferroni-dunn": (f"qnorm({alpha!r} / (2 * {k - 1}), lower.tail = FALSE)", ""),
        "miller": (f"sqrt(qchisq({alpha!r}, {k - 1}, lower.tail = FALSE))", ""),
        "friedman-dunnett": (
            f"uniroot(function(t) log(largest_of(t, {k - 1})) - log({alpha!r}), c(1e-3, 20), tol = 1e-12)$root",
            _OF_INTEGRALS,
        ),
    }[str(comparison.posthoc_test)]
    r = f"{quantile} * sqrt({k} * {k + 1} / (6 * {n}))"
    return [agreement("critical difference", length, r, tolerance=tolerance)]
