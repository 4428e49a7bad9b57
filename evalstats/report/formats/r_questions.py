"""How does R compute the tests of a comparison of models on questions?"""

from __future__ import annotations

__all__ = ["on_questions"]

from typing import Any

import numpy as np

from evalstats.comparison.record import Comparison
from evalstats.report.formats.r_over_datasets import adjusted_pvalues, over_datasets
from evalstats.report.r_code import matrix, not_checked, numbers

_CLOSE = "relative = 1e-7, slack = 1e-12"
# more numbers than this make a script that R reads for minutes
MOST_NUMBERS = 2_000_000
# all signs of more clusters take R minutes, and more memory than there is
MOST_CLUSTERS = 20


def on_questions(comparison: Comparison) -> tuple[str, list[str]]:
    """Return the scores of the questions, and the code that computes the tests in their clusters."""
    items = comparison.table._items
    assert items is not None
    if items.scores.size > MOST_NUMBERS:
        return "", [not_checked("the tests of the pairs", f"a script of {items.scores.size:,} scores is too long")]
    cluster = np.arange(len(items.items)) if items.cluster is None else items.cluster
    order = [comparison.table.position(model.classifier) + 1 for model in comparison.models]
    first = [comparison.table.position(pair.first) + 1 for pair in comparison.pairs]
    second = [comparison.table.position(pair.second) + 1 for pair in comparison.pairs]
    counts = np.bincount(items.stratum).tolist()
    weights = [1 / len(counts)] * len(counts) if comparison.average == "macro" else np.divide(counts, sum(counts))
    data = [
        "# the score of each question, its cluster and its benchmark, and the weights of the benchmarks",
        matrix("scores", items.scores, None, comparison.table.classifiers),
        f"cluster <- {_whole(cluster)}",
        f"stratum <- {_whole(items.stratum)}",
        f"weights <- {numbers(weights)}",
    ]
    code = [
        f"models <- {_whole(order)}",
        "by_model <- sapply(models, function(i) of_clusters(scores[, i], cluster, stratum, weights))",
        _agree('"mean score of", colnames(scores)[models]', _models(comparison, "score"), "by_model[1, ]"),
        _agree('"standard error of", colnames(scores)[models]', _models(comparison, "standard_error"), "by_model[2, ]"),
        f"first <- {_whole(first)}",
        f"second <- {_whole(second)}",
        'names <- paste("p of", colnames(scores)[first], "and", colnames(scores)[second])',
        'of_pairs <- paste(colnames(scores)[first], "-", colnames(scores)[second])',
        "of_two <- function(one, i, j) one(scores[, i] - scores[, j], cluster, stratum, weights)",
        "found <- mapply(function(i, j) of_two(of_clusters, i, j), first, second)",
        _agree('"difference", of_pairs', _pairs(comparison, "difference"), "found[1, ]"),
        _agree('"standard error", of_pairs', _pairs(comparison, "standard_error"), "found[2, ]"),
        *(_by_t if comparison.pair_test == "clustered_ttest" else _by_signs)(comparison),
    ]
    if comparison.over_benchmarks is not None:
        told, tests = over_datasets(comparison.over_benchmarks)
        code += ['cat("With the benchmarks as the sample:\\n")', told, *tests]
    return "\n".join(data), code


def _by_t(comparison: Comparison) -> list[str]:
    half = f"qt(1 - {comparison.alpha!r} / 2, found[3, ]) * ifelse(found[2, ] > 0, found[2, ], NaN)"
    return [
        _agree('"degrees of freedom", of_pairs', _pairs(comparison, "df"), "found[3, ]"),
        f"half <- {half}",
        _agree('"lower limit", of_pairs', _pairs(comparison, "low"), "found[1, ] - half"),
        _agree('"upper limit", of_pairs', _pairs(comparison, "high"), "found[1, ] + half"),
        "pvalues <- apply(found, 2, by_clusters)",
        *_adjusted(comparison),
    ]


def _by_signs(comparison: Comparison) -> list[str]:
    if not _can_try_all_signs(comparison):
        why = f"R would have to try all signs of {comparison.n_clusters} clusters"
        return [not_checked("the permutation tests of the pairs, and the intervals of the differences", why)]
    return [
        "pvalues <- mapply(function(i, j) of_two(by_signs, i, j), first, second)",
        *_adjusted(comparison),
        not_checked("the intervals of the differences", "base R does not have those of subsets (Hartigan 1969)"),
    ]


def _can_try_all_signs(comparison: Comparison) -> bool:
    """Tell whether the clusters of each pair are few, or their sums of one size, so that only their signs count."""
    items = comparison.table._items
    assert items is not None
    if comparison.n_clusters <= MOST_CLUSTERS:
        return True
    weights = 1 / np.bincount(items.stratum)[items.stratum] if comparison.average == "macro" else 1.0
    cluster = np.arange(len(items.items)) if items.cluster is None else items.cluster
    for a, b in {(pair.first, pair.second) for pair in comparison.pairs}:
        x, y = (items.scores[:, comparison.table.position(name)] for name in (a, b))
        sums = np.abs(np.bincount(cluster, (x - y) * weights))
        sums = sums[sums > 1e-12]
        if sums.size > MOST_CLUSTERS and np.ptp(sums) > 1e-9 * sums.max():
            return False
    return True


def _adjusted(comparison: Comparison) -> list[str]:
    if len(comparison.pairs) == 1:
        return [f"agree(names, {_pairs(comparison, 'pvalue')}, pvalues, {_CLOSE})"]
    alone = f'agree(paste(names, "alone"), {_pairs(comparison, "unadjusted_pvalue")}, pvalues, {_CLOSE})'
    pvalue = np.array([pair.pvalue for pair in comparison.pairs])
    return [alone, *adjusted_pvalues(comparison, pvalue, _CLOSE)]


def _agree(what: str, evalstats: str, r: str) -> str:
    return f"agree(paste({what}), {evalstats}, {r}, {_CLOSE})"


def _whole(values: Any) -> str:
    return f"c({', '.join(str(int(value)) for value in values)})"


def _pairs(comparison: Comparison, name: str) -> str:
    return numbers(np.array([getattr(pair, name) for pair in comparison.pairs], dtype=float))


def _models(comparison: Comparison, name: str) -> str:
    return numbers(np.array([getattr(model, name) for model in comparison.models], dtype=float))
