"""R code for the tests of a comparison: the data and the computation of each design."""

from __future__ import annotations

__all__ = ["data_and_code"]

import math
from typing import Any

import numpy as np

from evalstats._ranks import midranks, significant_digits
from evalstats._types import FloatArray
from evalstats.comparison.designs.instances import as_the_metric_takes
from evalstats.comparison.notes import is_simulated
from evalstats.comparison.record import Comparison
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.report import r_code
from evalstats.tables.aligned_instances import AlignedCases, aligned_cases
from evalstats.wording import omnibus_words

_SINGLE = "relative = 1e-4"  # R rounds differences to the number of digits of single precision
# accuracy of R: qtukey stops its search at 0.0001; ptukey has five digits, and 12 decimals in the tail. For finite
# degrees of freedom, the smallest tail value of ptukey is 4e-10
_OF_STUDENTIZED_T = "relative = 1e-5, slack = 1e-9"
_OF_PTUKEY, _OF_QTUKEY = "relative = 1e-5, slack = 1e-11", "slack = 1e-4"
_OF_INTEGRALS = "relative = 1e-6, slack = 1e-12"

# the p-value of a pair in R, and the tolerance
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
    "range": ("by_range(scores)", ""),
    "paired-t": ("by_differences(scores, digits, mean_of)", "relative = 1e-7"),
}
# random draws cannot be reproduced in R
_DRAWN = {
    "monte-carlo": (
        "the p-values of the max-T test of the pairs",
        "base R cannot reproduce these random signs of datasets",
    ),
    "range": (
        "the p-values of the randomized Tukey HSD test",
        "base R cannot reproduce these permutations within datasets",
    ),
    "bootstrap": (
        "the p-values of the bootstrap test of the pairs",
        "base R cannot reproduce these resamples of datasets",
    ),
}
# R needs minutes to read a script with more numbers
MOST_NUMBERS = 2_000_000
# all sign flips of more clusters take minutes in R, and too much memory
MOST_CLUSTERS = 20
# all exchanges of the predictions of more clusters take minutes in R
MOST_EXCHANGED = 14
_NAMES = 'names <- paste("p of", colnames(scores)[first], "and", colnames(scores)[second])'
_OF_PAIRS = 'of_pairs <- paste(colnames(scores)[first], "-", colnames(scores)[second])'


def data_and_code(comparison: Comparison) -> tuple[str, list[str]]:
    """Return the R code with the data of a comparison, and the R code that computes its tests."""
    made = {"datasets": _over_datasets, "questions": _on_questions}.get(comparison.design, _on_one_dataset)
    data, code = made(comparison)
    return "\n".join(data), code


# --- the pairs of every design ----------------------------------------------------------------------------------------


def _places(comparison: Comparison) -> list[str]:
    first, second = comparison._compared.sides()
    return [f"first <- {r_code.whole_numbers(first + 1)}", f"second <- {r_code.whole_numbers(second + 1)}"]


def _column(comparison: Comparison, name: str) -> FloatArray:
    return np.array([getattr(pair, name) for pair in comparison.pairs], dtype=float)


def _of_pairs(comparison: Comparison, what: str, name: str, r: str, tolerance: str = r_code.CLOSE) -> str:
    """Return the R code that compares a field of the pairs with the value of R."""
    return r_code.agreements(f'paste("{what}", of_pairs)', _column(comparison, name), r, tolerance)


def _each_tested(comparison: Comparison, pvalues: str, tolerance: str = "relative = 1e-7") -> list[str]:
    """Return the R code for the p-values of the pairs, unadjusted and adjusted."""
    several = comparison.n_pairs > 1
    alone, unadjusted = 'paste(names, "alone")' if several else "names", _column(comparison, "unadjusted_pvalue")
    code = [f"pvalues <- {pvalues}", r_code.agreements(alone, unadjusted, "pvalues", tolerance)]
    return [*code, *(_adjusted(comparison, _column(comparison, "pvalue"), tolerance) if several else [])]


def _adjusted(comparison: Comparison, pvalue: FloatArray, tolerance: str = "") -> list[str]:
    """Return the R code that adjusts the p-values of the pairs by the method of the comparison."""
    method = str(comparison.adjustment)
    if method not in r_code.IN_R:
        why = f"base R does not have the adjustment {method}"
        return [r_code.not_checked("the adjusted p-values", why)]
    call = f"adjusted(pvalues, {r_code.string(method)}, ncol(scores))"
    return [r_code.agreements("names", pvalue, call, tolerance)]


# --- over datasets ----------------------------------------------------------------------------------------------------


def _over_datasets(comparison: Comparison) -> tuple[list[str], list[str]]:
    table = comparison.table
    digits = significant_digits(comparison.tie_tolerance)
    better = "scores" if table.greater_is_better else "-scores"
    data = [
        r_code.matrix("scores", table.scores, table.datasets, table.classifiers),
        f"digits <- {digits}  # scores that agree to this number of significant digits are ties; 0: all bits",
        f"better <- {f'signif({better}, digits)' if digits else better}  # the larger, the better",
    ]
    if comparison.wilcoxon is not None:
        return data, _two(comparison, comparison.wilcoxon)
    omnibus: Any = comparison.omnibus
    code = [
        "ranks <- ranks_of(better)",
        "mean_ranks <- colMeans(ranks, na.rm = TRUE)",
        f'agree(paste("mean rank of", colnames(scores)), {r_code.numbers(comparison.mean_ranks)}, mean_ranks)',
        *_OMNIBUS[str(comparison.omnibus_test)](omnibus),
    ]
    if omnibus.method in {"exact", "monte-carlo"}:
        what = f"the decisive p-value of the {omnibus_words(comparison)}, {r_code.number(omnibus.pvalue)}"
        law = "exact distribution" if omnibus.method == "exact" else "distribution by these random permutations"
        code.append(r_code.not_checked(what, f"base R does not have its {law}"))
    return data, [*code, *_pairs(comparison)]


# --- two classifiers --------------------------------------------------------------------------------------------------


def _two(comparison: Comparison, wilcoxon: WilcoxonTestResult) -> list[str]:
    assert comparison.sign is not None
    pair = comparison.pairs[0]
    code = [
        f"d <- differences(scores[, {r_code.string(pair.first)}], scores[, {r_code.string(pair.second)}], digits)",
        "d <- d[d != 0]",
    ]
    if wilcoxon.n_zero == wilcoxon.n_pairs:
        return [*code, 'cat("All differences are zero: there is nothing to test.\\n")']
    law = "signed_rank" if wilcoxon.method == "exact" else "signed_rank_normal"
    single = _SINGLE if comparison.table.noise else ""
    return [
        *code,
        r_code.agreement("W+", wilcoxon.statistic, "sum(rank(abs(d))[d > 0])"),
        r_code.agreement(f"Wilcoxon test, {wilcoxon.method} p", wilcoxon.pvalue, f"{law}(d)"),
        r_code.agreement("sign test, p", comparison.sign.pvalue, "sign_of(d)"),
        'averages <- outer(d, d, "+") / 2',
        r_code.agreement(
            "Hodges-Lehmann estimate",
            wilcoxon.hodges_lehmann,
            "median(averages[!lower.tri(averages)])",
            tolerance=single or "slack = 1e-12",
        ),
    ]


# --- the omnibus test -------------------------------------------------------------------------------------------------


def _friedman(omnibus: Any) -> list[str]:
    n, k = omnibus.n_datasets, omnibus.n_classifiers
    if n == 1:
        return [r_code.not_checked("the Friedman test", "friedman.test needs two datasets or more")]
    code = [
        "test <- friedman(better)",
        "q <- unname(test$statistic)",
        r_code.agreement("Friedman chi-squared, corrected for ties", omnibus.chi2, "q"),
        r_code.agreement("its p, chi-squared approximation", omnibus.chi2_pvalue, "test$p.value"),
    ]
    if math.isfinite(omnibus.f):
        code += [
            f"f <- {n - 1} * q / ({n * (k - 1)} - q)",
            r_code.agreement("F of Iman and Davenport", omnibus.f, "f"),
            r_code.agreement("its p", omnibus.f_pvalue, f"pf(f, {k - 1}, {(k - 1) * (n - 1)}, lower.tail = FALSE)"),
        ]
    return code


def _aligned(omnibus: Any) -> list[str]:
    if omnibus.reason is not None:
        return [r_code.not_checked("the Friedman aligned-ranks test", omnibus.reason)]
    tail = f"pchisq(aligned_statistic(aligned), {omnibus.df}, lower.tail = FALSE)"
    return [
        "aligned <- aligned_ranks(better, digits)",
        r_code.agreement("statistic of aligned ranks", omnibus.statistic, "aligned_statistic(aligned)"),
        r_code.agreement("its p, chi-squared approximation", omnibus.chi2_pvalue, tail),
    ]


def _quade(omnibus: Any) -> list[str]:
    if omnibus.reason is not None:
        return [r_code.not_checked("the Quade test", omnibus.reason)]
    return [
        "test <- quade.test(whole_numbers(better, digits))",
        r_code.agreement("Quade's F", omnibus.statistic, "unname(test$statistic)"),
        r_code.agreement("its p, F approximation", omnibus.f_pvalue, "test$p.value"),
    ]


def _skillings_mack(omnibus: Any) -> list[str]:
    close = "relative = 1e-7, slack = 1e-9"
    return [
        "test <- skillings_mack(better)",
        r_code.agreement("Skillings-Mack statistic", omnibus.chi2, "test$statistic", tolerance=close),
        r_code.agreement("its p, chi-squared approximation", omnibus.chi2_pvalue, "test$p.value", tolerance=close),
    ]


def _anova(omnibus: Any) -> list[str]:
    if omnibus.reason is not None:
        return [r_code.not_checked("the repeated-measures ANOVA", omnibus.reason)]
    close = "relative = 1e-7"
    code = [
        "test <- anova_of(scores)",
        r_code.agreement("F of the analysis of variance", omnibus.statistic, 'test[1, "F value"]', tolerance=close),
        r_code.agreement(
            "its p, if the scores are spherical", omnibus.sphericity_pvalue, 'test[1, "Pr(>F)"]', tolerance=close
        ),
    ]
    if not math.isnan(omnibus.greenhouse_geisser_pvalue):
        # anova() treats small numbers as zero; F does not depend on the unit
        corrected = 'anova(lm(scores / max(abs(scores)) ~ 1), X = ~1, test = "Spherical")[1, "G-G Pr"]'
        tolerance = "relative = 1e-5"
        code.append(
            r_code.agreement(
                "its p, Greenhouse-Geisser", omnibus.greenhouse_geisser_pvalue, corrected, tolerance=tolerance
            )
        )
    return code


_OMNIBUS = {
    "friedman": _friedman,
    "friedman-aligned": _aligned,
    "quade": _quade,
    "skillings-mack": _skillings_mack,
    "rm-anova": _anova,
}


def _pairs(comparison: Comparison) -> list[str]:
    posthoc: Any = comparison.posthoc
    name = str(comparison.posthoc_test)
    if isinstance(posthoc.reason, str) and name in {"conover", "tukey", "dunnett"}:
        return [r_code.not_checked(f"the {name} test of the pairs", posthoc.reason)]
    of, places = comparison._compared.of, _places(comparison)
    if is_simulated(posthoc) and name in {"max-t", "max-t-means", "romano-wolf", "range"}:
        return [*places, *_drawn(comparison, of(posthoc.statistic), posthoc.method)]
    test, tolerance = _PAIR_TESTS[name]
    if name == "wilcoxon" and posthoc.method == "asymptotic":
        test = test.replace("signed_rank", "signed_rank_normal")
    if comparison.table.noise and name == "paired-t":
        tolerance = _SINGLE
    pvalue = of(posthoc.pvalue)
    code = [*places, _NAMES, f"pvalues <- mapply({test}, first, second)", *_critical_difference(comparison)]
    if name == "steel":
        alone = r_code.agreements('paste(names, "alone")', of(posthoc.unadjusted_pvalue), "pvalues", "")
        why = "base R does not have the joint distribution of all comparisons with a control"
        return [*code, alone, r_code.not_checked("the p-values for all comparisons at once", why)]
    if name == "bonferroni-dunn":
        return [*code, r_code.agreements("names", pvalue, 'adjusted(pvalues, "bonferroni")', "")]
    if comparison.adjustment in {"single-step", "none"}:
        return [*code, r_code.agreements("names", pvalue, "pvalues", tolerance)]
    unadjusted = of(posthoc.unadjusted_pvalue)
    code.append(r_code.agreements('paste(names, "alone")', unadjusted, "pvalues", tolerance))
    return [*code, *_adjusted(comparison, pvalue, tolerance)]


def _drawn(comparison: Comparison, statistic: FloatArray, method: str) -> list[str]:
    """Return the R code for the statistics of a test with Monte Carlo p-values."""
    tolerance = _SINGLE if comparison.table.noise else "relative = 1e-7"
    what, computed = {"max-t": ("z of signed ranks of", "z_of_ranks"), "range": ("mean difference of", "mean")}.get(
        str(comparison.posthoc_test), ("t of", "t_of")
    )
    names = f'paste("{what}", colnames(scores)[first], "and", colnames(scores)[second])'
    observed = f"mapply(by_differences(scores, digits, {computed}), first, second)"
    return [r_code.agreements(names, statistic, observed, tolerance), r_code.not_checked(*_DRAWN[method])]


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
    return [r_code.agreement("critical difference", length, r, tolerance=tolerance)]


# --- on one dataset ---------------------------------------------------------------------------------------------------


def _on_one_dataset(comparison: Comparison) -> tuple[list[str], list[str]]:
    data, code = _ON_ONE_DATASET[comparison.pair_test](comparison)
    return data, [*_places(comparison), _NAMES, _OF_PAIRS, *code]


def _differences(comparison: Comparison, r: str) -> str:
    return _of_pairs(comparison, "difference", "difference", r, "slack = 1e-12")


def _limits(comparison: Comparison, r: str) -> list[str]:
    """Return the R code for the intervals of the differences, unless an interval is a single point."""
    low, high = (_column(comparison, name) for name in ("low", "high"))
    if (low == high).any():
        return [r_code.not_checked("the intervals of the differences", "some differences have no variance")]
    close = "relative = 1e-7, slack = 1e-10"
    return [
        f"limits <- {r}",
        _of_pairs(comparison, "lower limit", "low", "limits[1, ]", close),
        _of_pairs(comparison, "upper limit", "high", "limits[2, ]", close),
    ]


# --- by the scores of folds -------------------------------------------------------------------------------------------


def _folds(comparison: Comparison) -> list[str]:
    folds = comparison.table.folds[0]
    scores = folds.scores.reshape(-1, folds.scores.shape[-1])
    names = [f"run {r}" if folds.same_split else f"repeat {r} fold {f}" for r in folds.repeats for f in folds.folds]
    digits = significant_digits(comparison.tests[0].tie_tolerance)  # type: ignore[attr-defined]  # tests of folds have one
    return [
        r_code.matrix("scores", scores, names, comparison.table.classifiers),
        f"digits <- {digits}  # differences that agree to this number of significant digits are equal; 0: all bits",
    ]


def _by_corrected_t(comparison: Comparison) -> tuple[list[str], list[str]]:
    sizes = comparison.n_test, comparison.n_train
    ratio = "0" if comparison.design == "runs" else f"{sizes[0]!r} / {sizes[1]!r}"
    data = [*_folds(comparison), f"ratio <- {ratio}  # ratio of test to training instances"]
    half = f"qt(1 - {comparison.alpha!r} / 2, length(d) - 1) * abs(mean(d) / corrected_t(d, ratio))"
    limits = f"function(i, j) {{ d <- differences(scores[, i], scores[, j], digits); mean(d) + c(-1, 1) * {half} }}"
    return data, [
        _differences(comparison, "colMeans(scores)[first] - colMeans(scores)[second]"),
        *_each_tested(
            comparison, "mapply(by_differences(scores, digits, function(d) corrected_mean_of(d, ratio)), first, second)"
        ),
        *_limits(comparison, f"mapply({limits}, first, second)"),
    ]


def _by_5x2(comparison: Comparison) -> tuple[list[str], list[str]]:
    test = "by_differences(scores, digits, function(d) five_by_two(matrix(d, ncol = 2, byrow = TRUE)))"
    return _folds(comparison), [
        _differences(comparison, "colMeans(scores)[first] - colMeans(scores)[second]"),
        *_each_tested(comparison, f"mapply({test}, first, second)"),
    ]


# --- by the predictions of the instances ------------------------------------------------------------------------------


def _cases(comparison: Comparison) -> AlignedCases:
    scored = comparison.table._scored
    assert scored is not None
    return aligned_cases(scored._predictions)


def _by_mcnemar(comparison: Comparison) -> tuple[list[str], list[str]]:
    right, times = np.unique(_cases(comparison).is_right.T, axis=0, return_counts=True)
    data = [
        "# correctness (1), and the number of such instances",
        r_code.matrix("scores", right.astype(int), None, comparison.table.classifiers),
        f"times <- c({', '.join(map(str, times.tolist()))})",
    ]
    sign = "" if comparison.table.greater_is_better else "-"
    code = [
        _differences(
            comparison, f"{sign}(colSums(scores * times)[first] - colSums(scores * times)[second]) / sum(times)"
        )
    ]
    if comparison.omnibus is not None:
        omnibus = comparison.omnibus
        code.append(r_code.agreement("Cochran's Q", omnibus.statistic, 'cochran(scores, times)[["statistic"]]'))
        if omnibus.method == "chi2":
            code.append(r_code.agreement("its p", omnibus.pvalue, 'cochran(scores, times)[["p.value"]]'))
        else:
            code.append(r_code.not_checked("its p-value", f"base R does not have its distribution ({omnibus.method})"))
    test = "function(i, j) sign_of(rep(scores[, i] - scores[, j], times))"
    why = "base R does not have the score interval of Tango (1998)"
    return data, [
        *code,
        *_each_tested(comparison, f"mapply({test}, first, second)"),
        r_code.not_checked("the intervals of the differences", why),
    ]


def _by_delong(comparison: Comparison) -> tuple[list[str], list[str]]:
    cases = _cases(comparison)
    assert cases.y_score is not None
    positive = ", ".join("TRUE" if one else "FALSE" for one in cases.is_positive.tolist())
    data = [r_code.matrix("scores", cases.y_score.T, None, comparison.table.classifiers), f"y_true <- c({positive})"]
    areas = "apply(scores, 2, function(x) areas_of(x[y_true], x[!y_true])$area)"
    few = "TRUE" if comparison.tests[0].method == "t" else "FALSE"
    return data, [
        f"areas <- {areas}",
        _differences(comparison, "areas[first] - areas[second]"),
        *_each_tested(comparison, f"mapply(by_delong(y_true, scores, {few}), first, second)"),
        *_limits(comparison, f"mapply(limits_by_delong(y_true, scores, {few}, {comparison.alpha!r}), first, second)"),
    ]


# metrics of the true labels t and the predictions p; of one label or of probabilities, t is TRUE for the positive label
_METRICS = {
    "accuracy": "mean(t == p)",
    "error_rate": "mean(t != p)",
    "f1": "2 * sum(t & p) / (sum(t) + sum(p))",
    "precision": "sum(t & p) / sum(p)",
    "recall": "sum(t & p) / sum(t)",
    "roc_auc": "areas_of(p[t], p[!t])$area",
    "brier": "mean((t - p)^2)",
    "log_loss": "-mean(log(pmin(pmax(ifelse(t, p, 1 - p), .Machine$double.eps), 1 - .Machine$double.eps)))",
}


def _in_clusters(comparison: Comparison) -> tuple[list[str], list[str]]:
    """Return the data and the code of all exchanges of whole clusters, and of the jackknife of the clusters."""
    scored = comparison.table._scored
    assert scored is not None
    cases = _cases(comparison)
    assert cases.cluster is not None
    y_true, predicted, choices = as_the_metric_takes(cases, scored._choice)
    is_of_one, metric = "pos_label" in choices, _METRICS.get(choices["metric"])
    if metric is None or "average" in choices or choices["undefined"] == "zero":
        why = "this script does not have this metric"
        return _scores_alone(comparison, "the permutation tests of the pairs, and the intervals", why)
    if choices["metric"] == "roc_auc":  # the classifiers need no common scale
        predicted = midranks(predicted)
    data = [
        r_code.matrix("scores", predicted.T, None, comparison.table.classifiers),
        f"y_true <- {r_code.whole_numbers(y_true)}{' == 1' * is_of_one}",
        f"cluster <- {r_code.whole_numbers(cases.cluster.code)}",
    ]
    of_two = "function(i, j) {}(metric, y_true, scores[, i], scores[, j], cluster{})"
    tests: Any = comparison.tests
    code = [
        f"metric <- function(t, p) {metric}",
        "values <- apply(scores, 2, function(p) metric(y_true, p))",
        _differences(comparison, "values[first] - values[second]"),
    ]
    if comparison.n_clusters > MOST_EXCHANGED or any(test.method != "exact" for test in tests):
        why = f"R would have to try all exchanges of {comparison.n_clusters} clusters"
        code.append(r_code.not_checked("the permutation tests of the pairs", why))
    else:
        code += _each_tested(comparison, f"mapply({of_two.format('by_exchanges', '')}, first, second)")
    if np.isnan(_column(comparison, "low")).any():
        return data, [
            *code,
            r_code.not_checked("the intervals of the differences", "some differences have no variance"),
        ]
    limits = of_two.format("limits_without_clusters", f", {comparison.alpha!r}")
    return data, [*code, *_limits(comparison, f"mapply({limits}, first, second)")]


def _by_permutation(comparison: Comparison) -> tuple[list[str], list[str]]:
    if comparison.n_clusters is not None:
        return _in_clusters(comparison)
    why = "base R has neither this metric nor the same random numbers"
    return _scores_alone(comparison, "the permutation tests of the pairs, and the bootstrap intervals", why)


def _scores_alone(comparison: Comparison, what: str, why: str) -> tuple[list[str], list[str]]:
    """Return the scores and the code for their differences; state why the other numbers are not checked."""
    table = comparison.table
    data = [r_code.matrix("scores", table.scores, table.datasets, table.classifiers)]
    return data, [_differences(comparison, "scores[1, first] - scores[1, second]"), r_code.not_checked(what, why)]


_ON_ONE_DATASET = {
    "corrected_ttest": _by_corrected_t,
    "delong_test": _by_delong,
    "ftest_5x2cv": _by_5x2,
    "mcnemar_test": _by_mcnemar,
    "metric_permutation_test": _by_permutation,
    "paired_ttest": _by_corrected_t,
}


# --- on questions -----------------------------------------------------------------------------------------------------


def _on_questions(comparison: Comparison) -> tuple[list[str], list[str]]:
    """Return the R code with the scores of the questions, and the R code for the tests with clusters."""
    items = comparison.table._items
    assert items is not None
    if items.scores.size > MOST_NUMBERS:
        return [], [
            r_code.not_checked("the tests of the pairs", f"a script of {items.scores.size:,} scores is too long")
        ]
    cluster = np.arange(len(items.questions)) if items.cluster is None else items.cluster
    models = comparison.models
    order = [comparison.table.position(model.classifier) + 1 for model in models]
    counts = np.bincount(items.benchmark).tolist()
    weights = [1 / len(counts)] * len(counts) if comparison.average == "macro" else np.divide(counts, sum(counts))
    data = [
        "# the score of each question, its cluster and its benchmark, and the weights of the benchmarks",
        r_code.matrix("scores", items.scores, None, comparison.table.classifiers),
        f"cluster <- {r_code.whole_numbers(cluster)}",
        f"stratum <- {r_code.whole_numbers(items.benchmark)}",
        f"weights <- {r_code.numbers(weights)}",
    ]
    code = [
        f"models <- {r_code.whole_numbers(order)}",
        "by_model <- sapply(models, function(i) of_clusters(scores[, i], cluster, stratum, weights))",
        r_code.agreements(
            'paste("mean score of", colnames(scores)[models])', [model.score for model in models], "by_model[1, ]"
        ),
        r_code.agreements(
            'paste("standard error of", colnames(scores)[models])',
            [model.standard_error for model in models],
            "by_model[2, ]",
        ),
        *_pairs_of_questions(comparison),
    ]
    if comparison.over_benchmarks is not None:
        told, tests = data_and_code(comparison.over_benchmarks)
        code += ['cat("With the benchmarks as the sample:\\n")', told, *tests]
    return data, code


def _pairs_of_questions(comparison: Comparison) -> list[str]:
    if comparison.pair_test == "pairwise_betting_test":
        return [r_code.not_checked("the pairs", "base R has no tests by betting")]
    return [
        *_places(comparison),
        _NAMES,
        _OF_PAIRS,
        "of_two <- function(one, i, j) one(scores[, i] - scores[, j], cluster, stratum, weights)",
        "found <- mapply(function(i, j) of_two(of_clusters, i, j), first, second)",
        _of_pairs(comparison, "difference", "difference", "found[1, ]"),
        _of_pairs(comparison, "standard error", "standard_error", "found[2, ]"),
        *(_by_t if comparison.pair_test == "clustered_ttest" else _by_signs)(comparison),
    ]


def _by_t(comparison: Comparison) -> list[str]:
    half = f"qt(1 - {comparison.alpha!r} / 2, found[3, ]) * ifelse(found[2, ] > 0, found[2, ], NaN)"
    return [
        _of_pairs(comparison, "degrees of freedom", "df", "found[3, ]"),
        f"half <- {half}",
        _of_pairs(comparison, "lower limit", "low", "found[1, ] - half"),
        _of_pairs(comparison, "upper limit", "high", "found[1, ] + half"),
        *_each_tested(comparison, "apply(found, 2, by_clusters)", r_code.CLOSE),
    ]


def _by_signs(comparison: Comparison) -> list[str]:
    if comparison.pair_test == "pairwise_max_t_test":
        return [r_code.not_checked("the max-T test of the pairs", "base R has no max-T test of clusters")]
    if comparison.pair_test == "range":
        return [
            r_code.not_checked("the randomized Tukey HSD test of the pairs", "base R does not permute within clusters")
        ]
    if not _can_try_all_signs(comparison):
        why = f"R would have to try all signs of {comparison.n_clusters} clusters"
        return [r_code.not_checked("the permutation tests of the pairs, and the intervals of the differences", why)]
    return [
        *_each_tested(comparison, "mapply(function(i, j) of_two(by_signs, i, j), first, second)", r_code.CLOSE),
        r_code.not_checked(
            "the intervals of the differences", "base R does not have the intervals of subsets (Hartigan 1969)"
        ),
    ]


def _can_try_all_signs(comparison: Comparison) -> bool:
    """Return whether R can try all sign flips: few clusters, or cluster sums of the same absolute value."""
    items = comparison.table._items
    assert items is not None
    if comparison.n_clusters <= MOST_CLUSTERS:
        return True
    weights = 1 / np.bincount(items.benchmark)[items.benchmark] if comparison.average == "macro" else 1.0
    cluster = np.arange(len(items.questions)) if items.cluster is None else items.cluster
    for a, b in {(pair.first, pair.second) for pair in comparison.pairs}:
        x, y = (items.scores[:, comparison.table.position(name)] for name in (a, b))
        sums = np.abs(np.bincount(cluster, (x - y) * weights))
        sums = sums[sums > 1e-12]
        if sums.size > MOST_CLUSTERS and np.ptp(sums) > 1e-9 * sums.max():
            return False
    return True
