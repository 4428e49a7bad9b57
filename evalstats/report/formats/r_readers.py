"""R code for the test of treatments by several readers: the ratings and the computation."""

from __future__ import annotations

__all__ = ["data_and_code"]

from itertools import combinations

import numpy as np

from evalstats.comparison.readers import ReaderComparison
from evalstats.multiple.multireader import ObuchowskiRocketteTestResult
from evalstats.report.r_code import CLOSE, agreement, agreements, matrix, not_checked, strings

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


def data_and_code(comparison: ReaderComparison) -> tuple[str, list[str]]:
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
            f"reach <- tested$quantile({comparison.alpha!r}) * tested$standard_error",
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
