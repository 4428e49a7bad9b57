"""What does the result of one test say in words? A sentence for each class of results."""

from __future__ import annotations

__all__ = ["SENTENCES", "sentence"]

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._result import HypothesisTestResult
from evalstats.adjustment.which_pairs import PairwiseTestResult
from evalstats.agreement.beyond_chance import AgreementResult
from evalstats.agreement.fleiss import FleissKappaResult
from evalstats.agreement.gwet import GwetAC1Result
from evalstats.agreement.kappa import CohenKappaResult
from evalstats.agreement.krippendorff import KrippendorffAlphaResult
from evalstats.agreement.scott import ScottPiResult
from evalstats.multiple.bonferroni_dunn import BonferroniDunnTestResult
from evalstats.multiple.cochran import CochranQTestResult
from evalstats.multiple.conover import ConoverTestResult
from evalstats.multiple.durbin import DurbinTestResult
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.multiple.friedman_aligned import FriedmanAlignedPosthocTestResult, FriedmanAlignedTestResult
from evalstats.multiple.friedman_dunnett import FriedmanDunnettTestResult
from evalstats.multiple.nemenyi import NemenyiTestResult
from evalstats.multiple.page import PageTestResult
from evalstats.multiple.quade import QuadePosthocTestResult, QuadeTestResult
from evalstats.multiple.rank_sum_differences import RankSumDifferenceTestResult
from evalstats.multiple.rm_anova import RMAnovaTestResult
from evalstats.multiple.siegel_castellan import MillerTestResult, SiegelCastellanTestResult
from evalstats.multiple.skillings_mack import SkillingsMackTestResult
from evalstats.multiple.tukey import DunnettTestResult, TukeyTestResult
from evalstats.paired.delong import DeLongTestResult, DeLongUnpairedTestResult
from evalstats.paired.five_by_two import FTest5x2cvResult, TTest5x2cvResult
from evalstats.paired.mcnemar import McNemarTestResult
from evalstats.paired.metric_bootstrap import MetricBootstrapTestResult
from evalstats.paired.metric_permutation import MetricPermutationTestResult
from evalstats.paired.naive import NaiveResampledTTestResult
from evalstats.paired.permutation import PermutationTestResult
from evalstats.paired.sign import SignTestResult
from evalstats.paired.square_table import McNemarTableResult
from evalstats.paired.ten_by_ten import TTest10x10Result
from evalstats.paired.ttest import CorrectedTTestResult, PairedTTestResult
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.pairwise.common_datasets import CommonDatasetsTestResult
from evalstats.pairwise.corrected_t import PairwiseCorrectedTTestResult
from evalstats.pairwise.delong import PairwiseDeLongTestResult
from evalstats.pairwise.mcnemar import PairwiseMcNemarTestResult
from evalstats.pairwise.paired_t import PairwisePairedTTestResult
from evalstats.pairwise.sign import PairwiseSignTestResult
from evalstats.pairwise.wilcoxon import PairwiseWilcoxonTestResult
from evalstats.report.describe import METHODS, friedman_words, wilcoxon_words
from evalstats.report.numbers import column, count, decimal, pvalue_bound, pvalue_words

_MeanRankTestResult = (
    ConoverTestResult
    | DunnettTestResult
    | FriedmanAlignedPosthocTestResult
    | FriedmanDunnettTestResult
    | MillerTestResult
    | QuadePosthocTestResult
    | RankSumDifferenceTestResult
    | SiegelCastellanTestResult
    | TukeyTestResult
)


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


def _naive_words(result: NaiveResampledTTestResult) -> str:
    mean = column([result.mean_difference], digits=3)[0]
    return (
        f"Naive resampled t-test, for comparison only since its p-value is too small: mean difference {mean}, "
        f"t({result.df}) = {decimal(result.statistic, 3)}, {pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _ttest_10x10_words(result: TTest10x10Result) -> str:
    mean = column([result.mean_difference], digits=3)[0]
    design = f"{count(result.n_runs, 'run')} of {count(result.n_folds, 'fold')}"
    used = {
        "all": "all differences",
        "folds": "averages over the folds",
        "runs": "averages over the runs",
        "sorted-runs": "averages over the sorted runs",
    }[result.use]
    calibrated = "calibrated" if result.calibrated else "as given"
    return (
        f"Bouckaert's t-test on {used} of {design}: mean difference {mean}, t({result.df:g}) = "
        f"{decimal(result.statistic, 3)}, with degrees of freedom {calibrated}, {pvalue_words(result.pvalue)} "
        f"({METHODS[result.method]})"
    )


def _pairwise_corrected_words(result: PairwiseCorrectedTTestResult) -> str:
    k, n = count(result.n_classifiers, "classifier"), count(result.n_scores, "fold")
    pvalues = np.asarray(result.pvalue)
    of_pairs = (
        pvalues[np.triu_indices(len(pvalues), 1)] if result.control is None else np.delete(pvalues, result.control)
    )
    applicable = of_pairs[~np.isnan(of_pairs)]
    name = "p-value" if result.adjustment == "none" else "adjusted p-value"
    smallest = _smallest_of(applicable, name) if applicable.size else f"no {name} is defined"
    return f"Corrected resampled t-tests of {k} over {n}: {smallest} ({METHODS[result.method]})"


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


def _delong_unpaired_words(result: DeLongUnpairedTestResult) -> str:
    areas = f"{decimal(result.auc_x, 3)} and {decimal(result.auc_y, 3)}"
    statistic = f"t({result.df:.1f})" if result.method == "t" else "z"
    return (
        f"DeLong test of two test sets: areas under the ROC curves {areas}, {statistic} = "
        f"{decimal(result.statistic, 3)}, {pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _pairwise_delong_words(result: PairwiseDeLongTestResult) -> str:
    n = count(result.n_positive + result.n_negative, "case")
    return f"DeLong test of {_compared_and_smallest(result, n)}"


def _pairwise_words(
    name: str, result: PairwiseWilcoxonTestResult | PairwiseSignTestResult | PairwisePairedTTestResult
) -> str:
    return f"{name} of {_compared_and_smallest(result, count(result.n_datasets, 'dataset'))}"


def _common_datasets_words(result: CommonDatasetsTestResult) -> str:
    name = {"wilcoxon": "Wilcoxon signed-rank tests", "sign": "Sign tests"}[result.test]
    units = f"the common ones of {count(result.n_datasets, 'dataset')}"
    return f"{name} of {_compared_and_smallest(result, units)}"


def _compared_and_smallest(result: PairwiseTestResult, units: str) -> str:
    of_pairs = np.asarray(result.pvalue)
    if result.control is None:
        of_pairs, compared = of_pairs[np.triu_indices(result.n_classifiers, 1)], f"{result.n_classifiers} classifiers"
    else:
        others = count(result.n_classifiers - 1, "classifier")
        of_pairs, compared = np.delete(of_pairs, result.control), f"{others} against a control"
    name = "p-value" if result.adjustment == "none" else "adjusted p-value"
    known = of_pairs[~np.isnan(of_pairs)]
    smallest = _smallest_of(known, name) if known.size else "there is no p-value"
    return f"{compared} on {units}: {smallest} ({METHODS[result.method]})"


def _metric_words(name: str, result: MetricPermutationTestResult | MetricBootstrapTestResult) -> str:
    scores = f"{decimal(result.score_x, 3)} and {decimal(result.score_y, 3)}"
    law = METHODS[result.method] if result.n_resamples is None else f"{result.n_resamples} {METHODS[result.method]}"
    if isinstance(result, MetricBootstrapTestResult):
        law = f"{METHODS[result.method]}, {result.n_resamples} replicates"
    return (
        f"{name} of {result.metric}: {scores} in {count(result.n_cases, 'case')}, difference "
        f"{decimal(result.difference, 3)}, {pvalue_words(result.pvalue)} ({law})"
    )


def _cochran_words(result: CochranQTestResult) -> str:
    unit = "sample" if result.n_groups is None else "group"
    k, informative = count(result.n_classifiers, "classifier"), count(result.n_informative, unit)
    return (
        f"Cochran's Q test of {k}: Q({result.df}) = {decimal(result.statistic, 3)} over {informative} on which they "
        f"disagree, {pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _mcnemar_words(result: McNemarTestResult) -> str:
    only_x, only_y = result.table[0, 1], result.table[1, 0]
    chi2 = f"χ²(1) = {decimal(result.statistic, 3)}, " if result.method == "asymptotic" else ""
    groups = "" if result.n_groups is None else f" in {count(result.n_groups, 'group')}"
    return (
        f"McNemar's test: only x is right in {count(int(only_x), 'case')} and only y in {only_y} of {result.n_cases}"
        f"{groups}, {chi2}{pvalue_words(result.pvalue)} ({_mcnemar_law(result.method, result.n_groups)})"
    )


def _mcnemar_law(method: str, n_groups: int | None) -> str:
    return "mid-p of the exact distribution" if method == "midp" and n_groups is not None else METHODS[method]


def _mcnemar_table_words(result: McNemarTableResult) -> str:
    name = {"bowker": "Bowker's", "stuart-maxwell": "the Stuart-Maxwell", "bhapkar": "Bhapkar's"}[result.method]
    statistic = f"χ²({result.df}) = {decimal(result.statistic, 3)}"
    classes = count(result.table.shape[-1], "class", "classes")
    return (
        f"{name[0].upper()}{name[1:]} test of {classes} in {count(result.n_cases, 'case')}: {statistic}, "
        f"{pvalue_words(result.pvalue)} (χ² approximation)"
    )


def _pairwise_mcnemar_words(result: PairwiseMcNemarTestResult) -> str:
    pvalues = np.asarray(result.pvalue)
    k, others = result.n_classifiers, ""
    if result.control is None:
        pvalues = pvalues[np.triu_indices(k, 1)]
    else:
        pvalues, k, others = np.delete(pvalues, result.control), k - 1, " against a control"
    n = count(result.n_samples, "sample")
    groups = "" if result.n_groups is None else f" in {count(result.n_groups, 'group')}"
    name = "p-value" if result.adjustment == "none" else "adjusted p-value"
    return (
        f"McNemar's tests of {count(k, 'classifier')}{others} on {n}{groups}: {_smallest_of(pvalues, name)} "
        f"({_mcnemar_law(result.method, result.n_groups)})"
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


def _mean_rank_words(name: str, result: _MeanRankTestResult) -> str:
    """Say how small the smallest p-value of a test of pairs over datasets is."""
    pvalues = np.asarray(result.pvalue)
    if result.control is None:
        k, others = result.n_classifiers, ""
        pvalues = pvalues[np.triu_indices(k, 1)]
    else:
        k, others = result.n_classifiers - 1, " against a control"
        pvalues = np.delete(pvalues, result.control)
    known = pvalues[~np.isnan(pvalues)]
    kind = "p-value" if result.adjustment == "none" else "adjusted p-value"
    smallest = _smallest_of(known, kind) if known.size else "there is no p-value"
    return (
        f"{name} of {count(k, 'classifier')}{others} on {count(result.n_datasets, 'dataset')}: {smallest} "
        f"({METHODS[result.method]})"
    )


def _quade_words(result: QuadeTestResult) -> str:
    statistic = f"F({result.df[0]}, {result.df[1]}) = {decimal(result.statistic, 3)}"
    return f"Quade test: {statistic}, {pvalue_words(result.pvalue)} ({_law(result)})"


def _friedman_aligned_words(result: FriedmanAlignedTestResult) -> str:
    statistic = f"χ²({result.df}) = {decimal(result.statistic, 3)}"
    return f"Friedman test on aligned ranks: {statistic}, {pvalue_words(result.pvalue)} ({_law(result)})"


def _rm_anova_words(result: RMAnovaTestResult) -> str:
    correction = {
        "none": "",
        "greenhouse-geisser": f", Greenhouse and Geisser's ε = {decimal(result.greenhouse_geisser_epsilon, 3)}",
        "huynh-feldt": f", Huynh and Feldt's ε = {decimal(result.huynh_feldt_epsilon, 3)}",
    }[result.correction]
    statistic = f"F({result.df[0]}, {result.df[1]}) = {decimal(result.statistic, 3)}"
    law = METHODS[result.method]
    return f"Repeated-measures ANOVA: {statistic}, {pvalue_words(result.pvalue)} ({law}{correction})"


def _skillings_mack_words(result: SkillingsMackTestResult) -> str:
    statistic = f"χ²({result.df}) = {decimal(result.statistic, 3)}"
    used = count(result.n_datasets - len(result.dropped_datasets), "dataset")
    missing = count(result.n_missing, "missing score")
    return f"Skillings-Mack test on {used} with {missing}: {statistic}, {pvalue_words(result.pvalue)} ({_law(result)})"


def _durbin_words(result: DurbinTestResult) -> str:
    df = f"F({result.df[0]}, {result.df[1]})" if isinstance(result.df, tuple) else f"χ²({result.df})"
    return f"Durbin test: {df} = {decimal(result.statistic, 3)}, {pvalue_words(result.pvalue)} ({_law(result)})"


def _page_words(result: PageTestResult) -> str:
    return (
        f"Page test of a trend: L = {result.statistic:g}, expected {result.expected:g}, "
        f"{pvalue_words(result.pvalue)} ({METHODS[result.method]})"
    )


def _law(
    result: QuadeTestResult | FriedmanAlignedTestResult | SkillingsMackTestResult | DurbinTestResult,
) -> str:
    law = METHODS[result.method]
    return law if result.n_resamples is None else f"{result.n_resamples} {law}"


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
    CommonDatasetsTestResult: _common_datasets_words,
    CohenKappaResult: partial(_agreement_words, "Cohen's kappa"),
    ConoverTestResult: partial(_mean_rank_words, "Conover's test"),
    CorrectedTTestResult: partial(_ttest_words, "Corrected resampled t-test"),
    DeLongTestResult: _delong_words,
    DeLongUnpairedTestResult: _delong_unpaired_words,
    DunnettTestResult: partial(_mean_rank_words, "Dunnett's test of the mean scores"),
    FTest5x2cvResult: _ftest_5x2cv_words,
    FleissKappaResult: partial(_agreement_words, "Fleiss' kappa"),
    FriedmanAlignedPosthocTestResult: partial(_mean_rank_words, "Test of the aligned ranks"),
    FriedmanAlignedTestResult: _friedman_aligned_words,
    FriedmanDunnettTestResult: partial(_mean_rank_words, "Dunnett's test of the mean ranks"),
    FriedmanTestResult: friedman_words,
    GwetAC1Result: partial(_agreement_words, "Gwet's AC1"),
    KrippendorffAlphaResult: partial(_agreement_words, "Krippendorff's alpha"),
    McNemarTableResult: _mcnemar_table_words,
    McNemarTestResult: _mcnemar_words,
    MetricBootstrapTestResult: partial(_metric_words, "Paired bootstrap"),
    MetricPermutationTestResult: partial(_metric_words, "Permutation test"),
    MillerTestResult: partial(_mean_rank_words, "Miller's test"),
    NaiveResampledTTestResult: _naive_words,
    NemenyiTestResult: _nemenyi_words,
    PairwiseCorrectedTTestResult: _pairwise_corrected_words,
    PairwiseMcNemarTestResult: _pairwise_mcnemar_words,
    PairedTTestResult: partial(_ttest_words, "Paired t-test"),
    PairwiseDeLongTestResult: _pairwise_delong_words,
    PairwisePairedTTestResult: partial(_pairwise_words, "Paired t-tests"),
    PairwiseSignTestResult: partial(_pairwise_words, "Sign tests"),
    PairwiseWilcoxonTestResult: partial(_pairwise_words, "Wilcoxon signed-rank tests"),
    PermutationTestResult: _permutation_words,
    QuadePosthocTestResult: partial(_mean_rank_words, "Test of Quade's weighted ranks"),
    DurbinTestResult: _durbin_words,
    PageTestResult: _page_words,
    QuadeTestResult: _quade_words,
    SkillingsMackTestResult: _skillings_mack_words,
    RMAnovaTestResult: _rm_anova_words,
    RankSumDifferenceTestResult: partial(_mean_rank_words, "Test of rank-sum differences"),
    ScottPiResult: partial(_agreement_words, "Scott's pi"),
    SiegelCastellanTestResult: partial(_mean_rank_words, "Siegel and Castellan's test"),
    SignTestResult: _sign_words,
    TukeyTestResult: partial(_mean_rank_words, "Tukey's test"),
    TTest10x10Result: _ttest_10x10_words,
    TTest5x2cvResult: _ttest_5x2cv_words,
    WilcoxonTestResult: wilcoxon_words,
}
