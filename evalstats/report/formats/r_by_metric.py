"""How does R compute the tests of a comparison by several metrics?"""

from __future__ import annotations

__all__ = ["by_each_metric"]

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from evalstats.report.r_code import agreement, numbers, string

if TYPE_CHECKING:
    from evalstats.comparison.by_metric import ComparisonByMetric


def by_each_metric(found: ComparisonByMetric, code_of: Callable[[Any], tuple[str, list[str]]]) -> list[str]:
    """Return the code that computes the tests by each metric, and how alike the metrics rank."""
    code = ["ranks_by <- list()"]
    for j, (metric, one) in enumerate(zip(found.metrics, found.comparisons, strict=True)):
        data, tests = code_of(one)
        # over several datasets the script computes the mean ranks; otherwise they are the ranks of the scores
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
                if value == value:  # where a metric tells nobody apart there is no correlation  # noqa: PLR0124
                    r = f'alike({i + 1}, {j + 1}, "{method}")'
                    yield agreement(f"{name} of {first} and {second}", value, r, tolerance="slack = 1e-12")
