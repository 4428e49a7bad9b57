"""R code for the tests of the pairs of a comparison with a margin."""

from __future__ import annotations

__all__ = ["code_of_margins"]

import numpy as np

from evalstats.comparison.record import Comparison
from evalstats.report.r_code import IN_R, agreements, not_checked, number, string, strings

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


def code_of_margins(comparison: Comparison) -> list[str]:
    """Return the code of both one-sided tests and of the interval for each pair; the scores are in the script."""
    margins = comparison.margins
    if margins is None:
        return []
    has_scores = comparison.design == "datasets" or comparison.pair_test in ("corrected_ttest", "paired_ttest")
    if not has_scores or (margins.test == "wilcoxon" and comparison.n_datasets > _MOST_RANKS):
        why = f"this script does not compute the {margins.test} test with a margin for {comparison.design}"
        return [not_checked("the tests against the margin", why)]
    pairs, sign = margins.pairs, "" if comparison.table.greater_is_better else "-"
    code = [
        f"classifier <- match({strings(pair.classifier for pair in pairs)}, colnames(scores))",
        f"reference <- match({strings(pair.reference for pair in pairs)}, colnames(scores))",
        f"against <- against_margin({sign}scores, digits, {number(margins.margin)}, {_ONE_SIDED[margins.test]})",
        'of_margins <- paste(colnames(scores)[classifier], "and", colnames(scores)[reference])',
    ]
    for what, side, name in (("not worse", "greater", "noninferiority"), ("worse", "less", "inferiority")):
        pvalues = f'mapply(against("{side}"), classifier, reference)'
        if margins.adjustment in IN_R:
            own = [getattr(pair, f"pvalue_{name}") for pair in pairs]
            r = f"adjusted({pvalues}, {string(margins.adjustment)}, ncol(scores))"
            code.append(agreements(f'paste("p, {what} by the margin,", of_margins)', own, r, _OF_T))
        else:
            why = f"base R does not have the adjustment {margins.adjustment}"
            code.append(not_checked(f"the p-values, {what} by the margin", why))
    if margins.test in ("wilcoxon", "sign"):
        test = "signed ranks" if margins.test == "wilcoxon" else "signs"
        return [*code, not_checked("the intervals against the margin", _NO_INTERVAL.format(test=test))]
    limits = np.array([(pair.difference, pair.low, pair.high) for pair in pairs])
    ratio = "0" if margins.test == "paired-t" else "ratio"
    code.append(f"of_t <- mapply(limits_of_t(scores, {ratio}, {number(margins.alpha)}), classifier, reference)")
    for i, what in enumerate(("difference", "lower limit", "upper limit")):
        name = f'paste("margin, {what},", of_margins)'
        code.append(agreements(name, limits[:, i], f"of_t[{i + 1}, ]", _OF_SCORES))
    return code
