"""R code for results of data other than scores: answers with covariates, ratings of readers, and learning curves."""

from __future__ import annotations

__all__ = ["of_covariates", "of_learning_curves", "of_readers"]

from itertools import combinations

import numpy as np

from evalstats._ranks import significant_digits
from evalstats._types import FloatArray
from evalstats.comparison.covariates import AdjustedDifference
from evalstats.comparison.learning_curves import LearningCurveComparison
from evalstats.comparison.readers import ReaderComparison
from evalstats.multiple.multireader import ObuchowskiRocketteTestResult
from evalstats.report.r_code import (
    CLOSE,
    agreement,
    agreements,
    matrix,
    not_checked,
    not_installed,
    number,
    numbers,
    string,
    strings,
    whole_numbers,
)

# the iterations end at rounding errors of the scores
_OF_GEE = "relative = 1e-6, slack = rounding"


def of_covariates(result: AdjustedDifference) -> tuple[str, list[str]]:
    """Return the score, the covariates and the cluster of each answer, and the code of the estimating equations."""
    is_binomial = "TRUE" if result.family == "binomial" else "FALSE"
    is_exchangeable = "TRUE" if result.working_correlation == "exchangeable" else "FALSE"
    data = [
        "# the score of each answer, the constant, the model (1: the candidate) and the covariates, and the cluster",
        f"y <- {numbers(result._score)}",
        matrix("x", result._matrix, None, result.coefficients),
        f"cluster <- {whole_numbers(result._cluster)}",
    ]
    low, high = result.confidence_interval()
    code = [
        "rounding <- 1e-9 * max(abs(y))",
        f"fit <- estimating_equations(y, x, cluster, {is_binomial}, {is_exchangeable})",
        f"difference <- standardized_difference(fit, x, cluster, {is_binomial})",
        "errors <- sqrt(diag(fit$covariance))",
        f"df <- {number(result.df)}",
        agreement("correlation within a question", result.correlation, "fit$correlation", tolerance=CLOSE),
        agreements('paste("coefficient of", colnames(x))', result.coefficient, "fit$estimate", _OF_GEE),
        agreements('paste("standard error of", colnames(x))', result.coefficient_standard_error, "errors", _OF_GEE),
        agreements(
            'paste("p of", colnames(x))',
            result.coefficient_pvalue,
            "2 * pt(-abs(fit$estimate / errors), df)",
            "relative = 1e-5",
        ),
        agreements(
            strings(["difference", "its standard error", "its lower limit", "its upper limit"]),
            [result.estimate, result.standard_error, low, high],
            "c(difference, difference[1] + c(-1, 1) * qt(0.975, df) * difference[2])",
            _OF_GEE,
        ),
    ]
    return "\n".join(data), code


# --- ratings of several readers ---------------------------------------------------------------------------------------

# variances of areas that are all 1 are rounding errors
_OF_VARIANCES = "relative = 1e-7, slack = 1e-15"
# R compares each positive with each negative instance in one matrix
MOST_PAIRS = 50_000_000
_COMPONENTS = {
    "ms_treatment": "mean square of the treatments",
    "ms_treatment_reader": "mean square of treatments x readers",
    "variance": "variance of an area",
    "cov1": "covariance, same reader",
    "cov2": "covariance, same treatment",
    "cov3": "covariance, both different",
}


def of_readers(comparison: ReaderComparison) -> tuple[str, list[str]]:
    """Return the ratings of each treatment and reader, and the code that computes the areas and the tests."""
    t, r, n = comparison._ratings.shape
    if (n_pairs := comparison.test.n_positive * comparison.test.n_negative) > MOST_PAIRS:
        why = f"R would need a matrix of {n_pairs:,} pairs of a positive and a negative instance"
        return "", [not_checked("the areas and the tests", why)]
    names = [f"{treatment}, {reader}" for treatment in comparison.treatments for reader in comparison.readers]
    positive = ", ".join("TRUE" if one else "FALSE" for one in comparison._is_positive.tolist())
    data = [
        "# rows are instances; columns are the readers of the first treatment, of the second ...",
        matrix("scores", comparison._ratings.reshape(t * r, n).T, None, names),
        f"y_true <- c({positive})",
        f"treatments <- {strings(comparison.treatments)}",
        f"readers <- {strings(comparison.readers)}",
    ]
    test, pairs = comparison.test, np.array(list(combinations(range(t), 2)))
    first, second = pairs.T
    parts = [getattr(test, name) for name in _COMPONENTS]
    code = [
        "found <- areas_of_readers(y_true, scores, length(treatments))",
        agreements('paste("area of", colnames(scores))', test.auc.ravel(), "c(t(found$auc))"),
        agreements('paste("mean area of", treatments)', test.mean_auc, "rowMeans(found$auc)"),
        agreements(strings(_COMPONENTS.values()), parts, "found$components", _OF_VARIANCES),
        *_test(test, "new readers" if test.sampled != "cases" else "these readers"),
        f"first <- c({', '.join(str(i + 1) for i in first)})",
        f"second <- c({', '.join(str(i + 1) for i in second)})",
        'of_pairs <- paste(treatments[first], "-", treatments[second])',
        "differences <- rowMeans(found$auc)[first] - rowMeans(found$auc)[second]",
        agreements('paste("difference", of_pairs)', test.difference[first, second], "differences"),
    ]
    if test.standard_error > 0:
        low, high = test.confidence_interval(1 - comparison.alpha)
        code += [
            f"reach <- qt(1 - {comparison.alpha!r} / 2, tested$df) * tested$standard_error",
            agreement("standard error of a difference", test.standard_error, "tested$standard_error", tolerance=CLOSE),
            agreements('paste("lower limit", of_pairs)', low[first, second], "differences - reach"),
            agreements('paste("upper limit", of_pairs)', high[first, second], "differences + reach"),
        ]
    if test.sampled != "cases":
        code += _test(comparison.these_readers, "these readers")
    return "\n".join(data), code


def _test(test: ObuchowskiRocketteTestResult, whom: str) -> list[str]:
    """Return the code for F of the treatments, its degrees of freedom and its p-value."""
    of = f"{whom}{'' if test.sampled == 'readers' else ' and new instances'}"
    if test.reason is not None:
        return [not_checked(f"the test for {of}", test.reason)]
    return [
        f'tested <- obuchowski_rockette(found, "{test.sampled}")',
        agreement(f"F for {of}", test.statistic, "tested$statistic", tolerance="relative = 1e-7"),
        agreement("its second degrees of freedom", test.df[1], "tested$df", tolerance="relative = 1e-7"),
        agreement("its p", test.pvalue, "tested$p.value", tolerance="relative = 1e-7"),
    ]


# --- learning curves --------------------------------------------------------------------------------------------------

_OF_SCORES, _OF_P = "relative = 1e-7, slack = rounding", "relative = 1e-7"
# random points integrate the multivariate t distribution: pmvt() has an absolute error of 1e-6
_OF_PMVT = "relative = 1e-3, slack = 5e-6"


def of_learning_curves(comparison: LearningCurveComparison) -> tuple[str, list[str]]:
    """Return the scores of both classifiers, and the code that computes the test at each size."""
    test, sizes = comparison.test, [str(size) for size in comparison.test.sizes]
    n_instances = "n_train + n_test" if test.n_instances is None else number(test.n_instances)
    digits = f"digits <- {significant_digits(test.tie_tolerance)}"
    data = [
        "# the scores of the two classifiers: rows are repeats, columns are training-set sizes",
        *(matrix(name, own, comparison.repeats, sizes) for name, own in zip("xy", comparison._scores, strict=True)),
        f"n_train <- {numbers(test.n_train)}",
        f"n_test <- {numbers(test.n_test)}",
        f"n_instances <- {n_instances}",
        f"{digits}  # differences that agree to this number of significant digits are equal; 0: all bits",
    ]
    x, y = comparison.classifiers
    code = [
        "d <- differences_at_sizes(x, y, digits)",
        "rounding <- 1e-12 * max(abs(x), abs(y))",
        "ratio <- n_test / (n_instances - n_test)",
        *_mean_and_error("x", f"score of {x}", test.mean_x, test.standard_error_x),
        *_mean_and_error("y", f"score of {y}", test.mean_y, test.standard_error_y),
        *_mean_and_error("d", "difference", test.mean_difference, test.standard_error),
        _at_sizes("t", test.statistic, "corrected_t_at_sizes(d, ratio)", _OF_P),
        "pvalues <- sapply(seq_along(ratio), function(j) corrected_mean_of(d[, j], ratio[j]))",
        _at_sizes("p alone", test.unadjusted_pvalue, "pvalues", _OF_P),
    ]
    return "\n".join(data), [*code, *(_by_max_t if test.adjustment == "max-t" else _by_sidak)(comparison)]


def _at_sizes(what: str, values: FloatArray, r: str, tolerance: str) -> str:
    return agreements(f"paste({string(what + ' at')}, colnames(x))", values, r, tolerance)


def _mean_and_error(name: str, what: str, mean: FloatArray, error: FloatArray) -> list[str]:
    return [
        _at_sizes(f"mean {what}", mean, f"colMeans({name})", _OF_SCORES),
        _at_sizes(f"standard error of the {what}", error, f"corrected_errors({name}, ratio)", _OF_SCORES),
    ]


def _by_sidak(comparison: LearningCurveComparison) -> list[str]:
    test, alpha = comparison.test, comparison.alpha
    low, high = test.confidence_interval(1 - alpha)
    reach = f"qt((1 - {1 - alpha!r}^(1 / length(ratio))) / 2, nrow(d) - 1, lower.tail = FALSE)"
    return [
        _at_sizes("p", test.pvalue, 'adjusted(pvalues, "sidak", 2)', _OF_P),
        "errors <- corrected_errors(d, ratio)",
        f"reach <- {reach} * ifelse(errors > 0, errors, NaN)",
        _at_sizes("lower limit", low, "colMeans(d) - reach", _OF_SCORES),
        _at_sizes("upper limit", high, "colMeans(d) + reach", _OF_SCORES),
    ]


def _by_max_t(comparison: LearningCurveComparison) -> list[str]:
    """Return the code for the largest t of all sizes: p-values, and the level of the band at its half-width."""
    test = comparison.test
    known = np.flatnonzero(test.standard_error > 0)
    if not known.size:
        return [_at_sizes("p", test.pvalue, "pvalues", "")]
    low, high = test.confidence_interval(1 - comparison.alpha)
    critical = float((high[known[0]] - low[known[0]]) / 2 / test.standard_error[known[0]])
    return [
        'if (requireNamespace("mvtnorm", quietly = TRUE)) {',
        "largest <- largest_t(d)",
        _at_sizes("p", test.pvalue, "largest_t_pvalues(d, ratio, pvalues)", _OF_PMVT),
        agreement("level of the band", comparison.alpha, f"largest({number(critical)})", tolerance=_OF_PMVT),
        "} else {",
        not_checked("the max-t p-values and the band", not_installed("mvtnorm")),
        "}",
    ]
