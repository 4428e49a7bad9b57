"""What was done, in the words of a methods section, with its sources?"""

from __future__ import annotations

__all__ = ["methods", "tie_words"]

import math

import evalstats
from evalstats.comparison import Comparison
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.report.document import Cite, Sentences
from evalstats.report.numbers import count

_WILCOXON_LAWS = {
    "exact": "p-values are exact, given the ties and zeros",
    "asymptotic": "p-values are from the normal approximation",
}
_FRIEDMAN_LAWS = {
    "exact": "with its exact permutation distribution, given the ties",
    "chi2": "with its χ² approximation",
    "f": "in the form of Iman and Davenport's F",
    "monte-carlo": "with random permutations of the scores within each dataset",
}
_ZEROS = {
    "wilcox": "zero differences were dropped",
    "pratt": "zero differences were ranked and then dropped",
    "zsplit": "the ranks of zero differences were split between both signs",
}


def methods(comparison: Comparison) -> Sentences:
    """Write the methods paragraph of a comparison.

    Parameters
    ----------
    comparison : Comparison
        What was done is read from its results.

    Returns
    -------
    tuple of str and Cite
        Running text with the places of its citations.
    """
    direction = "higher is better" if comparison.table.greater_is_better else "lower is better"
    what = (
        f"The scores ({comparison.table.metric}, {direction}) of {count(comparison.n_classifiers, 'classifier')} "
        f"on {count(comparison.n_datasets, 'dataset')} were compared with tests on ranks "
    )
    if comparison.wilcoxon is not None:
        body = _two(comparison, comparison.wilcoxon)
    else:
        assert comparison.omnibus is not None
        body = _several(comparison, comparison.omnibus)
    return (what, Cite(("demsar2006",)), *body, f" All numbers were computed with evalstats {evalstats.__version__}.")


def tie_words(tie_tolerance: float) -> str:
    """Say which scores counted as ties."""
    if tie_tolerance == 0:
        return "Scores counted as ties only where they agree to the last bit."
    return f"Scores that agree to {round(-math.log10(tie_tolerance))} significant digits counted as ties."


def _two(comparison: Comparison, wilcoxon: WilcoxonTestResult) -> Sentences:
    return (
        ". The two classifiers were compared by the Wilcoxon signed-rank test ",
        Cite(("wilcoxon1945",)),
        f", two-sided at α = {comparison.alpha:g}; {_ZEROS[wilcoxon.zero_method]}, and {_WILCOXON_LAWS[wilcoxon.method]}. "
        f"{tie_words(wilcoxon.tie_tolerance)} The size of the difference is given by the Hodges-Lehmann estimate with its "
        "interval ",
        Cite(("hodges1963",)),
        " and by the matched-pairs rank-biserial correlation ",
        Cite(("kerby2014",)),
        ". The sign test is reported beside it.",
    )


def _several(comparison: Comparison, omnibus: FriedmanTestResult) -> Sentences:
    return (
        ": on each dataset they were ranked, 1 for the best, ties sharing the mean of their ranks. "
        f"{tie_words(omnibus.tie_tolerance)} Whether the classifiers differ at all was decided at α = {comparison.alpha:g} "
        "by the Friedman test ",
        Cite(("friedman1937",)),
        f", corrected for ties, {_FRIEDMAN_LAWS[omnibus.method]}; its χ² and F forms ",
        Cite(("iman1980",)),
        " are reported beside it. ",
        *_pairs(comparison),
        " Pairs were interpreted only if the Friedman test rejects. The size of each difference is given by wins, ties and "
        "losses, by the matched-pairs rank-biserial correlation ",
        Cite(("kerby2014",)),
        " and by the Hodges-Lehmann estimate of the difference in score ",
        Cite(("hodges1963",)),
        ".",
    )


def _pairs(comparison: Comparison) -> Sentences:
    n, k, cd = comparison.n_datasets, comparison.n_classifiers, comparison.critical_difference
    scale = f"√({k}·{k + 1}/(6·{n}))"
    if comparison.control is None:
        return (
            "All pairs were compared by the Nemenyi test ",
            Cite(("nemenyi1963",)),
            f" on the mean ranks with the critical difference CD = q·{scale} = {cd:.3f}, where q is the upper {comparison.alpha:g} "
            f"quantile of the studentized range of {k} means with infinite degrees of freedom, divided by √2.",
        )
    return (
        f"The classifiers were compared with the control, {comparison.control}, by the Bonferroni-Dunn test ",
        Cite(("dunn1961",)),
        f" on the mean ranks with the critical difference CD = z·{scale} = {cd:.3f}, where z is the upper "
        f"{comparison.alpha:g}/(2·{k - 1}) quantile of the normal distribution.",
    )
