"""R code for the tests of learning curves: the scores and the computation."""

from __future__ import annotations

__all__ = ["data_and_code"]

import numpy as np

from evalstats._ranks import significant_digits
from evalstats._types import FloatArray
from evalstats.comparison.learning_curves import LearningCurveComparison
from evalstats.report.r_code import agreement, agreements, matrix, not_checked, not_installed, number, numbers, string

_OF_SCORES, _OF_P = "relative = 1e-7, slack = rounding", "relative = 1e-7"
# random points integrate the multivariate t distribution: pmvt() has an absolute error of 1e-6
_OF_PMVT = "relative = 1e-3, slack = 5e-6"


def data_and_code(comparison: LearningCurveComparison) -> tuple[str, list[str]]:
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
    """Return the code for the largest t over all sizes: the p-values, and the level of the band."""
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
