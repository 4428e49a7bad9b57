"""R script that checks the numbers in a comparison."""

from __future__ import annotations

__all__ = ["r_script"]

from collections.abc import Iterator
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._result import Record
from evalstats._version import __version__
from evalstats.comparison.battles import BattleComparison
from evalstats.comparison.by_metric import ComparisonByMetric
from evalstats.comparison.covariates import AdjustedDifference
from evalstats.comparison.learning_curves import LearningCurveComparison
from evalstats.comparison.readers import ReaderComparison
from evalstats.comparison.record import Comparison
from evalstats.report import r_code
from evalstats.report.formats import r_battles, r_comparison, r_covariates, r_learning_curves, r_readers

# results of `compare` for data other than scores, and the modules that write their data and their code
_OF_OTHER_ROWS: dict[type[Record], Any] = {
    AdjustedDifference: r_covariates,
    BattleComparison: r_battles,
    LearningCurveComparison: r_learning_curves,
    ReaderComparison: r_readers,
}
# the function of check.R for one pair and one side; for more datasets, R needs a long time for the signed ranks
_ONE_SIDED = {
    "wilcoxon": "signed_rank_side",
    "sign": "sign_side",
    "paired-t": "t_side(0)",
    "corrected-t": "t_side(ratio)",
}
_MOST_RANKS = 1000
_OF_T, _OF_SCORES = "relative = 1e-7", "relative = 1e-7, slack = 1e-10"
_NO_INTERVAL = "base R has no exact interval for {test} with equal differences"


def r_script(comparison: Record) -> str:
    """Render a comparison as an R script that recomputes the tests and compares the results.

    Parameters
    ----------
    comparison : Comparison, ComparisonByMetric, BattleComparison or another
        Result of `compare`, including comparisons of battles, or of `compare_learning_curves`, `compare_readers` or
        `adjusted_difference`.

    Returns
    -------
    str
        Run the script with ``Rscript``. The script requires no package, except mvtnorm for max-t tests of learning
        curves and clubSandwich for CR2 standard errors of battles. Each printed line begins with ``agrees``,
        ``DIFFERS``, or ``NOT CHECKED`` and the reason. The script contains only ASCII characters, and all names are
        quoted strings.

    Raises
    ------
    InvalidTypeError
        If `comparison` is not a result of one of the four functions.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.r_script(c).splitlines()[2])
    scores <- matrix(c(
    """
    if isinstance(comparison, ComparisonByMetric):
        data, code = "", _by_each_metric(comparison)
    elif module := _OF_OTHER_ROWS.get(type(comparison)):
        data, code = module.data_and_code(comparison)
    else:
        data, code = _data_and_code(comparison)
    head = f"# Made by evalstats {__version__}: the data of a comparison, its tests recomputed in R."
    body = "\n".join(code)
    return "\n\n".join(part for part in (head, data, f"{r_code.functions_for(body)}\n{body}\n") if part)


def _data_and_code(comparison: Any) -> tuple[str, list[str]]:
    """Return the R code with the data of one comparison, and the R code that computes its tests."""
    comparison = _checks.instance(comparison, "comparison", Comparison, "a result of compare")
    data, code = r_comparison.data_and_code(comparison)
    return data, [*code, *_beside(comparison)]


def _beside(comparison: Any) -> Iterator[str]:
    """Yield the code of the tests with a margin, and of messages that name the supplements without a check."""
    yield from _code_of_margins(comparison)
    drawn = "base R cannot reproduce these resamples"
    for beside, what, why in (
        (comparison.posteriors, "the posterior probabilities", "base R has no Bayesian tests"),
        (comparison.robustness, "the other analyses", "each of them is a separate comparison"),
        (comparison.calibration, "the calibration", "base R has no calibration errors"),
        (comparison.subgroups, "the differences in subgroups", "this script computes the tests of all instances"),
        (comparison.stability, "the stability of the ranking", drawn),
        (comparison.consensus, "the consensus of the rankings", drawn),
    ):
        if beside:
            yield r_code.not_checked(what, why)


# --- by several metrics -----------------------------------------------------------------------------------------------


def _by_each_metric(found: ComparisonByMetric) -> list[str]:
    """Return the R code that computes the tests by each metric, and the correlations of the ranks."""
    code = ["ranks_by <- list()"]
    for j, (metric, one) in enumerate(zip(found.metrics, found.comparisons, strict=True)):
        data, tests = _data_and_code(one)
        # over several datasets, the script computes mean ranks; on one dataset, the scores are ranked here
        is_computed = one.design == "datasets" and one.wilcoxon is None
        ranks = "mean_ranks" if is_computed else r_code.numbers(found.mean_ranks[:, j])
        code += [
            f'cat("By ", {r_code.string(metric)}, ":\\n", sep = "")',
            data,
            *tests,
            f"ranks_by[[{j + 1}]] <- {ranks}",
            "",
        ]
    return [*code, *_correlations(found)]


def _correlations(found: ComparisonByMetric) -> Iterator[str]:
    if len(found.classifiers) < 3:
        return
    yield "alike <- function(i, j, method) cor(signif(ranks_by[[i]], 12), signif(ranks_by[[j]], 12), method = method)"
    for i, first in enumerate(found.metrics):
        for j, second in enumerate(found.metrics[i + 1 :], i + 1):
            for name, method, values in (
                ("Kendall's tau", "kendall", found.kendall),
                ("Spearman's rho", "spearman", found.spearman),
            ):
                value = float(values[i, j])
                if value == value:  # without different ranks, there is no correlation  # noqa: PLR0124
                    r = f'alike({i + 1}, {j + 1}, "{method}")'
                    yield r_code.agreement(f"{name} of {first} and {second}", value, r, tolerance="slack = 1e-12")


def _code_of_margins(comparison: Comparison) -> list[str]:
    """Return the code of both one-sided tests and of the interval for each pair; the scores are in the script."""
    margins = comparison.margins
    if margins is None:
        return []
    has_scores = comparison.design == "datasets" or comparison.pair_test in ("corrected_ttest", "paired_ttest")
    if not has_scores or (margins.test == "wilcoxon" and comparison.n_datasets > _MOST_RANKS):
        why = f"this script does not compute the {margins.test} test with a margin for {comparison.design}"
        return [r_code.not_checked("the tests against the margin", why)]
    pairs, sign = margins.pairs, "" if comparison.table.greater_is_better else "-"
    code = [
        f"classifier <- match({r_code.strings(pair.classifier for pair in pairs)}, colnames(scores))",
        f"reference <- match({r_code.strings(pair.reference for pair in pairs)}, colnames(scores))",
        f"against <- against_margin({sign}scores, digits, {r_code.number(margins.margin)}, {_ONE_SIDED[margins.test]})",
        'of_margins <- paste(colnames(scores)[classifier], "and", colnames(scores)[reference])',
    ]
    for what, side, name in (("not worse", "greater", "noninferiority"), ("worse", "less", "inferiority")):
        pvalues = f'mapply(against("{side}"), classifier, reference)'
        if margins.adjustment in r_code.IN_R:
            own = [getattr(pair, f"pvalue_{name}") for pair in pairs]
            r = f"adjusted({pvalues}, {r_code.string(margins.adjustment)}, ncol(scores))"
            code.append(r_code.agreements(f'paste("p, {what} by the margin,", of_margins)', own, r, _OF_T))
        else:
            why = f"base R does not have the adjustment {margins.adjustment}"
            code.append(r_code.not_checked(f"the p-values, {what} by the margin", why))
    if margins.test in ("wilcoxon", "sign"):
        test = "signed ranks" if margins.test == "wilcoxon" else "signs"
        return [*code, r_code.not_checked("the intervals against the margin", _NO_INTERVAL.format(test=test))]
    limits = np.array([(pair.difference, pair.low, pair.high) for pair in pairs])
    ratio = "0" if margins.test == "paired-t" else "ratio"
    code.append(f"of_t <- mapply(limits_of_t(scores, {ratio}, {r_code.number(margins.alpha)}), classifier, reference)")
    for i, what in enumerate(("difference", "lower limit", "upper limit")):
        name = f'paste("margin, {what},", of_margins)'
        code.append(r_code.agreements(name, limits[:, i], f"of_t[{i + 1}, ]", _OF_SCORES))
    return code
