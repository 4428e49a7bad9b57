"""How does R compute the tests of a comparison on one dataset?"""

from __future__ import annotations

__all__ = ["on_one_dataset"]

from typing import Any

import numpy as np

from evalstats._ranks import significant_digits
from evalstats.comparison.record import Comparison
from evalstats.report.formats.r_over_datasets import adjusted_pvalues
from evalstats.report.r_code import agreement, matrix, not_checked, numbers
from evalstats.tables.aligned_instances import AlignedCases, aligned_cases

_NAMES = (
    'names <- paste("p of", colnames(scores)[first], "and", colnames(scores)[second])',
    'of_pairs <- paste(colnames(scores)[first], "-", colnames(scores)[second])',
)


def on_one_dataset(comparison: Comparison) -> tuple[str, list[str]]:
    """Return the data of a comparison, and the code that computes its tests."""
    data, code = _TESTS[comparison.pair_test](comparison)
    first, second = (np.array(side) + 1 for side in zip(*comparison._compared, strict=True))
    places = [f"first <- c({', '.join(map(str, first))})", f"second <- c({', '.join(map(str, second))})", *_NAMES]
    return "\n".join(data), [*places, *code]


def _column(comparison: Comparison, name: str) -> Any:
    return np.array([getattr(pair, name) for pair in comparison.pairs], dtype=float)


def _pairs(comparison: Comparison, test: str, tolerance: str = "relative = 1e-7") -> list[str]:
    """Return the code for the p-values of the pairs, alone and adjusted."""
    several = comparison.n_pairs > 1
    alone = 'paste(names, "alone")' if several else "names"
    unadjusted = numbers(_column(comparison, "unadjusted_pvalue"))
    code = [f"pvalues <- mapply({test}, first, second)", f"agree({alone}, {unadjusted}, pvalues, {tolerance})"]
    return [*code, *(adjusted_pvalues(comparison, _column(comparison, "pvalue"), tolerance) if several else [])]


def _differences(comparison: Comparison, r: str) -> str:
    differences = numbers(_column(comparison, "difference"))
    return f'agree(paste("difference", of_pairs), {differences}, {r}, slack = 1e-12)'


def _limits(comparison: Comparison, r: str) -> list[str]:
    """Return the code for the intervals of the differences, where none is a single point."""
    low, high = (_column(comparison, name) for name in ("low", "high"))
    if (low == high).any():
        return [not_checked("the intervals of the differences", "some differences have no variance")]
    close = "relative = 1e-7, slack = 1e-10"
    return [
        f"limits <- {r}",
        f'agree(paste("lower limit", of_pairs), {numbers(low)}, limits[1, ], {close})',
        f'agree(paste("upper limit", of_pairs), {numbers(high)}, limits[2, ], {close})',
    ]


# --- by the scores of folds -------------------------------------------------------------------------------------------


def _folds(comparison: Comparison) -> list[str]:
    folds = comparison.table.folds[0]
    scores = folds.scores.reshape(-1, folds.scores.shape[-1])
    names = [f"repeat {r} fold {f}" for r in folds.repeats for f in folds.folds]
    digits = significant_digits(comparison.tests[0].tie_tolerance)  # type: ignore[attr-defined]  # tests of folds have one
    return [
        matrix("scores", scores, names, comparison.table.classifiers),
        f"digits <- {digits}  # differences that agree to so many significant digits are equal; 0: to the last bit",
    ]


def _by_corrected_t(comparison: Comparison) -> tuple[list[str], list[str]]:
    ratio = f"{comparison.n_test!r} / {comparison.n_train!r}"
    data = [*_folds(comparison), f"ratio <- {ratio}  # of test to training cases"]
    half = f"qt(1 - {comparison.alpha!r} / 2, length(d) - 1) * abs(mean(d) / corrected_t(d, ratio))"
    limits = f"function(i, j) {{ d <- differences(scores[, i], scores[, j], digits); mean(d) + c(-1, 1) * {half} }}"
    return data, [
        _differences(comparison, "colMeans(scores)[first] - colMeans(scores)[second]"),
        *_pairs(comparison, "by_differences(scores, digits, function(d) corrected_mean_of(d, ratio))"),
        *_limits(comparison, f"mapply({limits}, first, second)"),
    ]


def _by_5x2(comparison: Comparison) -> tuple[list[str], list[str]]:
    test = "by_differences(scores, digits, function(d) five_by_two(matrix(d, ncol = 2, byrow = TRUE)))"
    return _folds(comparison), [
        _differences(comparison, "colMeans(scores)[first] - colMeans(scores)[second]"),
        *_pairs(comparison, test),
    ]


# --- by the answers to the cases --------------------------------------------------------------------------------------


def _cases(comparison: Comparison) -> AlignedCases:
    scored = comparison.table._scored
    assert scored is not None
    return aligned_cases(scored._predictions)


def _by_mcnemar(comparison: Comparison) -> tuple[list[str], list[str]]:
    right, times = np.unique(_cases(comparison).is_right.T, axis=0, return_counts=True)
    data = [
        "# who is right (1), and in how many cases it is so",
        matrix("scores", right.astype(int), None, comparison.table.classifiers),
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
        code.append(agreement("Cochran's Q", omnibus.statistic, 'cochran(scores, times)[["statistic"]]'))
        if omnibus.method == "chi2":
            code.append(agreement("its p", omnibus.pvalue, 'cochran(scores, times)[["p.value"]]'))
        else:
            code.append(not_checked("its p-value", f"base R does not have its distribution ({omnibus.method})"))
    test = "function(i, j) sign_of(rep(scores[, i] - scores[, j], times))"
    why = "base R does not have the score interval of Tango (1998)"
    return data, [*code, *_pairs(comparison, test), not_checked("the intervals of the differences", why)]


def _by_delong(comparison: Comparison) -> tuple[list[str], list[str]]:
    cases = _cases(comparison)
    assert cases.y_score is not None
    positive = ", ".join("TRUE" if one else "FALSE" for one in cases.is_positive.tolist())
    data = [
        matrix("scores", cases.y_score.T, None, comparison.table.classifiers),
        f"y_true <- c({positive})",
    ]
    areas = "apply(scores, 2, function(x) areas_of(x[y_true], x[!y_true])$area)"
    return data, [
        f"areas <- {areas}",
        _differences(comparison, "areas[first] - areas[second]"),
        *_pairs(comparison, "by_delong(y_true, scores)"),
        *_limits(comparison, f"mapply(limits_by_delong(y_true, scores, {comparison.alpha!r}), first, second)"),
    ]


def _by_permutation(comparison: Comparison) -> tuple[list[str], list[str]]:
    table = comparison.table
    data = [matrix("scores", table.scores, table.datasets, table.classifiers)]
    why = "base R has neither this metric nor the same random numbers"
    return data, [
        _differences(comparison, "scores[1, first] - scores[1, second]"),
        not_checked("the permutation tests of the pairs, and the bootstrap intervals", why),
    ]


_TESTS = {
    "corrected_ttest": _by_corrected_t,
    "delong_test": _by_delong,
    "ftest_5x2cv": _by_5x2,
    "mcnemar_test": _by_mcnemar,
    "metric_permutation_test": _by_permutation,
}
