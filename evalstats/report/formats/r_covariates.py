"""R code for the difference between two models at equal covariates: the answers and the computation."""

from __future__ import annotations

__all__ = ["data_and_code"]

from evalstats.comparison.covariates import AdjustedDifference
from evalstats.report.r_code import CLOSE, agreement, agreements, matrix, number, numbers, strings, whole_numbers

# the iterations end at rounding errors of the scores
_OF_GEE = "relative = 1e-6, slack = rounding"


def data_and_code(result: AdjustedDifference) -> tuple[str, list[str]]:
    """Return the score, covariates and cluster of each answer, and the code of the estimating equations."""
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
