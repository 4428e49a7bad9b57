"""R script that checks the numbers in a comparison."""

from __future__ import annotations

__all__ = ["r_script"]

from collections.abc import Iterator
from typing import Any

from evalstats import _checks
from evalstats._result import Record
from evalstats._version import __version__
from evalstats.comparison.battles import BattleComparison
from evalstats.comparison.by_metric import ComparisonByMetric
from evalstats.comparison.covariates import AdjustedDifference
from evalstats.comparison.learning_curves import LearningCurveComparison
from evalstats.comparison.readers import ReaderComparison
from evalstats.comparison.record import Comparison
from evalstats.report.formats import r_battles, r_comparison, r_covariates, r_learning_curves, r_readers
from evalstats.report.formats.r_margins import code_of_margins
from evalstats.report.r_code import agreement, functions_for, not_checked, numbers, string

# results of `compare` for data other than scores, and the modules that write their data and their code
_OF_OTHER_ROWS: dict[type[Record], Any] = {
    AdjustedDifference: r_covariates,
    BattleComparison: r_battles,
    LearningCurveComparison: r_learning_curves,
    ReaderComparison: r_readers,
}


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
    return "\n\n".join(part for part in (head, data, f"{functions_for(body)}\n{body}\n") if part)


def _data_and_code(comparison: Any) -> tuple[str, list[str]]:
    """Return the R code with the data of one comparison, and the R code that computes its tests."""
    comparison = _checks.instance(comparison, "comparison", Comparison, "a result of compare")
    data, code = r_comparison.data_and_code(comparison)
    return data, [*code, *_beside(comparison)]


def _beside(comparison: Any) -> Iterator[str]:
    """Yield the code of the tests with a margin, and of messages that name the supplements without a check."""
    yield from code_of_margins(comparison)
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
            yield not_checked(what, why)


# --- by several metrics -----------------------------------------------------------------------------------------------


def _by_each_metric(found: ComparisonByMetric) -> list[str]:
    """Return the R code that computes the tests by each metric, and the correlations of the ranks."""
    code = ["ranks_by <- list()"]
    for j, (metric, one) in enumerate(zip(found.metrics, found.comparisons, strict=True)):
        data, tests = _data_and_code(one)
        # over several datasets, the script computes mean ranks; on one dataset, the scores are ranked here
        is_computed = one.design == "datasets" and one.wilcoxon is None
        ranks = "mean_ranks" if is_computed else numbers(found.mean_ranks[:, j])
        code += [f'cat("By ", {string(metric)}, ":\\n", sep = "")', data, *tests, f"ranks_by[[{j + 1}]] <- {ranks}", ""]
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
                    yield agreement(f"{name} of {first} and {second}", value, r, tolerance="slack = 1e-12")
