"""What does a result say in words? A sentence for each class of results, and for each note of a comparison."""

from __future__ import annotations

__all__ = [
    "METHODS",
    "NOTES",
    "SENTENCES",
    "chi2_words",
    "f_words",
    "friedman_words",
    "note",
    "sentence",
    "wilcoxon_words",
]

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._result import HypothesisTestResult
from evalstats.comparison import Comparison
from evalstats.diagram import POSTHOC_NAMES, written_list
from evalstats.multiple.bonferroni_dunn import BonferroniDunnTestResult
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.multiple.nemenyi import NemenyiTestResult
from evalstats.paired.sign import SignTestResult
from evalstats.paired.ttest import PairedTTestResult
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.report.document import Cite, Inline, Sentences
from evalstats.report.numbers import column, count, decimal, pvalue_bound, pvalue_words

# the null distribution that was really used, in words
METHODS: dict[str, str] = {
    "asymptotic": "normal approximation",
    "binomial": "binomial distribution",
    "chi2": "χ² approximation",
    "exact": "exact distribution",
    "f": "F approximation of Iman and Davenport",
    "monte-carlo": "simulated permutations",
    "normal": "normal distribution",
    "studentized range": "studentized range distribution",
    "t": "t distribution",
}


def sentence(result: HypothesisTestResult) -> str:
    """Put the result of one test into one sentence, without a decision.

    Parameters
    ----------
    result : HypothesisTestResult
        The result of one problem, not of a batch.

    Returns
    -------
    str
        The test, its statistic, its p-value and its null distribution; and the reason where the input was degenerate.

    Raises
    ------
    InvalidTypeError
        For anything that is not the result of a test of evalstats.
    InvalidValueError
        For a batch of results.

    Examples
    --------
    >>> from evalstats import report, wilcoxon_test
    >>> print(report.sentence(wilcoxon_test([5, 7, 3, 8, 6], [4, 4, 4, 4, 1])))
    Wilcoxon signed-rank test: W+ = 13.5 over 5 differences other than zero, p = 0.1875 (exact distribution).
    """
    if type(result) not in SENTENCES:
        raise InvalidTypeError(f"result must be the result of a test, not {type(result).__name__}")
    if not isinstance(result.method, str):
        raise InvalidValueError("result must be the result of one problem, but it is a batch of results")
    one_sided = "" if result.alternative == "two-sided" else f"; one-sided, alternative '{result.alternative}'"
    reason = "" if result.reason is None else f"; {result.reason}"
    return f"{SENTENCES[type(result)](result)}{one_sided}{reason}."


def note(code: str, comparison: Comparison) -> Sentences:
    """Say what the code of a note means for a comparison."""
    if code not in NOTES:
        raise InvalidValueError(f"notes must be among {', '.join(map(repr, NOTES))}, but one is {code!r}")
    return NOTES[code](comparison)


def wilcoxon_words(result: WilcoxonTestResult) -> str:
    """Give W+, the number of differences and the p-value."""
    return (
        f"Wilcoxon signed-rank test: W+ = {result.statistic:g} over "
        f"{count(result.n_pairs - result.n_zero, 'difference')} other than zero, "
        f"{pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def friedman_words(result: FriedmanTestResult) -> str:
    """Give the statistic of the method that was used, and its p-value."""
    law = METHODS[result.method]
    if result.n_resamples is not None:
        law = f"{result.n_resamples} {law}"
    statistic = f_words(result) if result.method == "f" else f"{chi2_words(result)}, corrected for ties"
    return f"Friedman test: {statistic}, {pvalue_words(result.pvalue)} ({law})"


def chi2_words(result: FriedmanTestResult) -> str:
    """Write Friedman's statistic with its degrees of freedom."""
    return f"χ²({result.n_classifiers - 1}) = {decimal(result.chi2, 3)}"


def f_words(result: FriedmanTestResult) -> str:
    """Write the statistic of Iman and Davenport with its degrees of freedom."""
    k, n = result.n_classifiers, result.n_datasets
    return f"F({k - 1}, {(k - 1) * (n - 1)}) = {decimal(result.f, 3)}"


def _sign_words(result: SignTestResult) -> str:
    return (
        f"Sign test: x is larger in {count(result.n_wins, 'pair')}, smaller in {result.n_losses} and tied in "
        f"{result.n_ties}, {pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _ttest_words(result: PairedTTestResult) -> str:
    mean = column([result.mean_difference], digits=3)[0]
    return (
        f"Paired t-test: mean difference {mean}, t({result.df:g}) = {decimal(result.statistic, 3)}, "
        f"{pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _nemenyi_words(result: NemenyiTestResult) -> str:
    pvalues = np.asarray(result.pvalue)[np.triu_indices(result.n_classifiers, 1)]
    n, k = count(result.n_datasets, "dataset"), count(result.n_classifiers, "classifier")
    return f"Nemenyi test of {k} on {n}: {_smallest_of(pvalues, 'p-value')} ({METHODS[result.method]})"


def _bonferroni_dunn_words(result: BonferroniDunnTestResult) -> str:
    pvalues = np.delete(np.asarray(result.pvalue), result.control)
    n, others = count(result.n_datasets, "dataset"), count(len(pvalues), "classifier")
    smallest = _smallest_of(pvalues, "adjusted p-value")
    return f"Bonferroni-Dunn test of {others} against a control on {n}: {smallest} ({METHODS[result.method]})"


def _smallest_of(pvalues: Any, name: str) -> str:
    smallest = pvalue_bound(float(pvalues.min()))
    return f"the {name} is {smallest}" if len(pvalues) == 1 else f"the smallest of {len(pvalues)} {name}s is {smallest}"


# every class of results of the package; a test proves that none is forgotten
SENTENCES: dict[type, Callable[[Any], str]] = {
    BonferroniDunnTestResult: _bonferroni_dunn_words,
    FriedmanTestResult: friedman_words,
    NemenyiTestResult: _nemenyi_words,
    PairedTTestResult: _ttest_words,
    SignTestResult: _sign_words,
    WilcoxonTestResult: wilcoxon_words,
}


def _datasets_dropped(comparison: Comparison) -> Sentences:
    dropped = comparison.table.dropped
    was = f"{count(len(dropped), 'dataset')} {'was' if len(dropped) == 1 else 'were'}"
    return _said(f"{was} left out because scores were missing: {written_list(dropped, at_most=10)}.")


def _degenerate(comparison: Comparison) -> Sentences:
    if comparison.omnibus is not None and comparison.omnibus.f == math.inf:
        order = "All datasets put the classifiers in one order: F is infinite"
        return _said(f"{order}, and its p-value is the probability of that order by chance.")
    leading = comparison.omnibus or comparison.wilcoxon
    assert leading is not None
    return _said(f"The data are degenerate: {leading.reason}.")


def _design_cannot_reach_alpha(comparison: Comparison) -> Sentences:
    smallest = pvalue_bound(comparison.smallest_pvalue, comparison.alpha)
    return _said(
        f"This design cannot reach α = {comparison.alpha:g}: the smallest p-value of the {_leading(comparison)} "
        f"with these datasets and ties is {smallest}. Only more datasets can change that."
    )


def _few_datasets_asymptotic(comparison: Comparison) -> Sentences:
    few = count(comparison.n_datasets, "dataset")
    if comparison.wilcoxon is not None:
        few = count(comparison.wilcoxon.n_pairs - comparison.wilcoxon.n_zero, "difference") + " other than zero"
    return _said(
        f"The p-value of the {_leading(comparison)} is an approximation for many datasets, and rests on no more than "
        f"{few}; the exact distribution is to be preferred."
    )


def _monte_carlo(comparison: Comparison) -> Sentences:
    assert comparison.omnibus is not None
    simulated = count(comparison.omnibus.n_resamples, "random permutation")
    return _said(
        f"The p-value of the Friedman test is simulated from {simulated}; another seed gives a slightly different one."
    )


def _omnibus_without_pairs(comparison: Comparison) -> Sentences:
    compared = count(len(comparison.pairs), "comparison")
    explanation = (
        f"The Friedman test rejects, but the {_posthoc(comparison)} does not show where the difference lies. This is "
        "no contradiction: the first looks at all classifiers at once, the second at each of "
        f"{compared}, with p-values adjusted for all of them, and has less power. More powerful procedures for the "
        "pairs exist "
    )
    return _said(explanation, Cite(("garcia2008",)), ".")


def _pairs_without_omnibus(comparison: Comparison) -> Sentences:
    return _said(
        f"Taken alone, the {_posthoc(comparison)} has p-values that reach α = {comparison.alpha:g}; because the "
        "Friedman test does not reject, no conclusion is drawn from them."
    )


def _pool_dependence(_: Comparison) -> Sentences:
    depends = "Mean ranks depend on all classifiers in the table: adding or leaving out one can change "
    return _said(f"{depends}the decision on two others ", Cite(("benavoli2016",)), ".")


def _posthoc_cannot_reach_alpha(comparison: Comparison) -> Sentences:
    whatever = "No pair could be shown to differ"
    if comparison.control is not None:
        whatever = "No classifier could be shown to differ from the control"
    smallest = comparison.smallest_posthoc_pvalue
    assert smallest is not None
    return _said(
        f"{whatever} by the {_posthoc(comparison)} on {count(comparison.n_datasets, 'dataset')}: "
        f"its smallest p-value is {pvalue_bound(smallest, comparison.alpha)}."
    )


def _wilcoxon_and_sign_disagree(comparison: Comparison) -> Sentences:
    assert comparison.wilcoxon is not None
    assert comparison.sign is not None
    wilcoxon = f"the Wilcoxon signed-rank test ({pvalue_words(comparison.wilcoxon.pvalue, comparison.alpha)})"
    sign = f"the sign test ({pvalue_words(comparison.sign.pvalue, comparison.alpha)})"
    rejecting, other = (wilcoxon, sign) if comparison.significant else (sign, wilcoxon)
    return _said(
        f"At α = {comparison.alpha:g} {rejecting} rejects and {other} does not: the sign test counts wins only, the "
        "Wilcoxon test weighs them by the size of the difference. The verdict is that of the Wilcoxon test."
    )


# every code that a comparison may carry
NOTES: dict[str, Callable[[Comparison], Sentences]] = {
    "datasets-dropped": _datasets_dropped,
    "degenerate": _degenerate,
    "design-cannot-reach-alpha": _design_cannot_reach_alpha,
    "few-datasets-asymptotic": _few_datasets_asymptotic,
    "monte-carlo": _monte_carlo,
    "omnibus-without-pairs": _omnibus_without_pairs,
    "pairs-without-omnibus": _pairs_without_omnibus,
    "pool-dependence": _pool_dependence,
    "posthoc-cannot-reach-alpha": _posthoc_cannot_reach_alpha,
    "wilcoxon-and-sign-disagree": _wilcoxon_and_sign_disagree,
}


def _said(*parts: Inline) -> Sentences:
    return parts


def _leading(comparison: Comparison) -> str:
    return "Wilcoxon signed-rank test" if comparison.omnibus is None else "Friedman test"


def _posthoc(comparison: Comparison) -> str:
    return POSTHOC_NAMES[type(comparison.posthoc)]
