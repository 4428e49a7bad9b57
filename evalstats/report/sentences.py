"""What does the result of one test say in words? A sentence for each class of results."""

from __future__ import annotations

__all__ = ["SENTENCES", "sentence"]

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._result import HypothesisTestResult
from evalstats.agreement.beyond_chance import AgreementResult
from evalstats.agreement.fleiss import FleissKappaResult
from evalstats.agreement.gwet import GwetAC1Result
from evalstats.agreement.kappa import CohenKappaResult
from evalstats.agreement.krippendorff import KrippendorffAlphaResult
from evalstats.agreement.scott import ScottPiResult
from evalstats.multiple.bonferroni_dunn import BonferroniDunnTestResult
from evalstats.multiple.cochran import CochranQTestResult
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.multiple.nemenyi import NemenyiTestResult
from evalstats.paired.delong import DeLongTestResult
from evalstats.paired.five_by_two import FTest5x2cvResult, TTest5x2cvResult
from evalstats.paired.mcnemar import McNemarTestResult
from evalstats.paired.permutation import PermutationTestResult
from evalstats.paired.sign import SignTestResult
from evalstats.paired.ttest import CorrectedTTestResult, PairedTTestResult
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.report.describe import METHODS, friedman_words, wilcoxon_words
from evalstats.report.numbers import column, count, decimal, pvalue_bound, pvalue_words


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


def _sign_words(result: SignTestResult) -> str:
    return (
        f"Sign test: x is larger in {count(result.n_wins, 'pair')}, smaller in {result.n_losses} and tied in "
        f"{result.n_ties}, {pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _permutation_words(result: PermutationTestResult) -> str:
    mean = column([result.statistic], digits=3)[0]
    differing = count(result.n_pairs - result.n_zero, "difference")
    law = METHODS[result.method] if result.n_resamples is None else f"{result.n_resamples} {METHODS[result.method]}"
    return (
        f"Permutation test: mean difference {mean} over {count(result.n_pairs, 'pair')}, {differing} other than zero, "
        f"{pvalue_words(result.pvalue)} ({law})"
    )


def _ttest_words(name: str, result: PairedTTestResult | CorrectedTTestResult) -> str:
    mean = column([result.mean_difference], digits=3)[0]
    return (
        f"{name}: mean difference {mean}, t({result.df:g}) = {decimal(result.statistic, 3)}, "
        f"{pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _ttest_5x2cv_words(result: TTest5x2cvResult) -> str:
    first = column([result.first_difference], digits=3)[0]
    statistic = f"t({result.df}) = {decimal(result.statistic, 3)}"
    return (
        f"5x2cv t-test: difference {first} in the first fold, {statistic}, {pvalue_words(result.pvalue)} "
        f"({METHODS[result.method]}){_range_of_orderings(result.pvalues_of_all_orderings)}"
    )


def _range_of_orderings(pvalues: Any) -> str:
    if np.isnan(pvalues).any() or np.ptp(pvalues) == 0:
        return ""
    return (
        f", from {pvalue_bound(float(pvalues.min()))} to {pvalue_bound(float(pvalues.max()))} with another fold first"
    )


def _ftest_5x2cv_words(result: FTest5x2cvResult) -> str:
    mean = column([result.mean_difference], digits=3)[0]
    statistic = f"F({result.df[0]}, {result.df[1]}) = {decimal(result.statistic, 3)}"
    return (
        f"5x2cv F-test: mean difference {mean}, {statistic}, {pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _delong_words(result: DeLongTestResult) -> str:
    areas = f"{decimal(result.auc_x, 3)} and {decimal(result.auc_y, 3)}"
    return (
        f"DeLong test: areas under the ROC curves {areas}, z = {decimal(result.statistic, 3)}, "
        f"{pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _cochran_words(result: CochranQTestResult) -> str:
    k, informative = count(result.n_classifiers, "classifier"), count(result.n_informative, "sample")
    return (
        f"Cochran's Q test of {k}: Q({result.df}) = {decimal(result.statistic, 3)} over {informative} on which they "
        f"disagree, {pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _mcnemar_words(result: McNemarTestResult) -> str:
    only_x, only_y = result.table[0, 1], result.table[1, 0]
    chi2 = f"χ²(1) = {decimal(result.statistic, 3)}, " if result.method == "asymptotic" else ""
    return (
        f"McNemar's test: only x is right in {count(int(only_x), 'case')} and only y in {only_y} of {result.n_cases}, "
        f"{chi2}{pvalue_words(result.pvalue)} ({METHODS[result.method]})"
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


def _agreement_words(name: str, result: AgreementResult) -> str:
    return (
        f"{name}: {decimal(result.estimate, 3)} over {count(result.n_cases, 'case')}, standard error "
        f"{decimal(result.standard_error, 3)}, {pvalue_words(result.pvalue)} against agreement by chance "
        f"({METHODS[result.method]})"
    )


def _smallest_of(pvalues: Any, name: str) -> str:
    smallest = pvalue_bound(float(pvalues.min()))
    return f"the {name} is {smallest}" if len(pvalues) == 1 else f"the smallest of {len(pvalues)} {name}s is {smallest}"


# every class of results of the package; a test proves that none is forgotten
SENTENCES: dict[type, Callable[[Any], str]] = {
    BonferroniDunnTestResult: _bonferroni_dunn_words,
    CochranQTestResult: _cochran_words,
    CohenKappaResult: partial(_agreement_words, "Cohen's kappa"),
    CorrectedTTestResult: partial(_ttest_words, "Corrected resampled t-test"),
    DeLongTestResult: _delong_words,
    FTest5x2cvResult: _ftest_5x2cv_words,
    FleissKappaResult: partial(_agreement_words, "Fleiss' kappa"),
    FriedmanTestResult: friedman_words,
    GwetAC1Result: partial(_agreement_words, "Gwet's AC1"),
    KrippendorffAlphaResult: partial(_agreement_words, "Krippendorff's alpha"),
    McNemarTestResult: _mcnemar_words,
    NemenyiTestResult: _nemenyi_words,
    PairedTTestResult: partial(_ttest_words, "Paired t-test"),
    PermutationTestResult: _permutation_words,
    ScottPiResult: partial(_agreement_words, "Scott's pi"),
    SignTestResult: _sign_words,
    TTest5x2cvResult: _ttest_5x2cv_words,
    WilcoxonTestResult: wilcoxon_words,
}
