"""Methods paragraph of a comparison, with its citations."""

from __future__ import annotations

__all__ = ["methods", "tie_words"]


from typing import Any

from evalstats._ranks import significant_digits
from evalstats._result import HypothesisTestResult
from evalstats._version import __version__
from evalstats.comparison.notes import is_simulated
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS, TESTS_OF_DIFFERENCES
from evalstats.metrics.delong import FEW_INSTANCES
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.report.blocks import Cite, Sentences
from evalstats.report.comparisons.notes import DRAWN
from evalstats.report.comparisons.shared_blocks import dataset_words
from evalstats.report.describe import count, seed_words
from evalstats.wording import (
    adjustment_words,
    condition_words,
    kept_words,
    metric_name,
    omnibus_words,
    pair_test_words,
    promise_words,
)

_WILCOXON = {
    "exact": "p-values are exact, given the ties and zeros",
    "asymptotic": "p-values are from the normal approximation",
}
_ZEROS = {
    "wilcox": "zero differences were dropped",
    "pratt": "zero differences were ranked and then dropped",
    "zsplit": "the ranks of zero differences were split between both signs",
}
# the form of the Friedman test that decides, and the forms that are also reported
_FRIEDMAN = {
    "exact": ("with its exact permutation distribution, given the ties", "its χ² and F forms"),
    "monte-carlo": ("with random permutations of the ranks within each {of}", "its χ² and F forms"),
    "chi2": ("with its χ² approximation", "its F form"),
    "f": ("in its F form", "its χ² form"),
}


def methods(comparison: Comparison) -> Sentences:
    """Render the methods paragraph of a comparison, with the citations in their places."""
    made = {"datasets": _over_datasets, "questions": _on_questions}.get(comparison.design, _on_one_dataset)
    return *made(comparison), f" All numbers were computed with evalstats {__version__}."


def _over_datasets(comparison: Comparison) -> Sentences:
    """Describe the comparison of classifiers over datasets, or of models over benchmarks."""
    who, of = comparison.words.classifier, comparison.words.dataset
    n, k = count(comparison.n_datasets, of), count(comparison.n_classifiers, who)
    direction = "higher is better" if comparison.table.greater_is_better else "lower is better"
    what = f"The scores ({metric_name(comparison.table.metric)}, {direction}) of {k} on {n} were compared"
    if comparison.wilcoxon is not None:
        body = _two(comparison, comparison.wilcoxon)
    else:
        assert comparison.omnibus is not None
        body = _several(comparison, comparison.omnibus)
    return what, *body, *_beside_the_test(comparison)


def _beside_the_test(comparison: Any) -> Sentences:
    """Describe the noninferiority tests and the Bayesian tests of a comparison, if any."""
    said: Sentences = ()
    if comparison.margins is not None:
        from evalstats.report.comparisons.optional_analyses import margin_method  # every test of margins

        said += (" ", *margin_method(comparison, comparison.margins))
    if (posteriors := getattr(comparison, "posteriors", None)) is not None:
        from evalstats.report.comparisons.optional_analyses import posterior_method  # every Bayesian test

        said += (" ", *posterior_method(posteriors))
    return said


def tie_words(tie_tolerance: float) -> str:
    """State which scores count as ties."""
    if tie_tolerance == 0:
        return "Scores counted as ties only if they were identical to the last bit."
    return f"Scores that agree to {significant_digits(tie_tolerance)} significant digits counted as ties."


def _two(comparison: Comparison, wilcoxon: WilcoxonTestResult) -> Sentences:
    choices = (
        f", two-sided at α = {comparison.alpha:g}; {_ZEROS[wilcoxon.zero_method]}, and {_WILCOXON[wilcoxon.method]}. "
        f"{tie_words(comparison.tie_tolerance)} The size of the difference is given by the Hodges-Lehmann estimate "
        "with its interval "
    )
    return (
        " with tests on ranks ",
        Cite(("demsar2006",)),
        f". The two {comparison.words.classifiers} were compared by the Wilcoxon signed-rank test ",
        Cite(("wilcoxon1945",)),
        choices,
        Cite(("hodges1963",)),
        " and by the matched-pairs rank-biserial correlation ",
        Cite(("kerby2014",)),
        ". The sign test is also reported.",
    )


def _several(comparison: Comparison, omnibus: HypothesisTestResult) -> Sentences:
    who, of = comparison.words.classifier, comparison.words.dataset
    ranked: Sentences = (
        " with tests on ranks ",
        Cite(("demsar2006",)),
        f": they were ranked on each {of}, 1 for the best, and ties got the mean of their ranks. ",
    )
    if OMNIBUS_TESTS[str(comparison.omnibus_test)].assumes_normality:
        ranked = (" by their means. ",)
    decided = (
        f"{tie_words(comparison.tie_tolerance)} The hypothesis that all {who}s perform equally was tested at α = "
        f"{comparison.alpha:g} by the {omnibus_words(comparison)} "
    )
    gate = f" Pairs were interpreted only if the {omnibus_words(comparison)} rejects." if comparison.is_gated else ""
    size = (
        f"{gate} The size of each difference is given by wins, ties and losses, by the matched-pairs rank-biserial "
        "correlation "
    )
    return (
        *ranked,
        decided,
        Cite(OMNIBUS_TESTS[str(comparison.omnibus_test)].cited),
        *(_friedman(omnibus, of) if isinstance(omnibus, FriedmanTestResult) else (". ",)),
        *((_missing(comparison),) if comparison.table.missing else ()),
        *_posthoc(comparison),
        size,
        Cite(("kerby2014",)),
        " and by the Hodges-Lehmann estimate of the difference in score ",
        Cite(("hodges1963",)),
        ".",
    )


def _missing(comparison: Comparison) -> str:
    n, size = len(comparison.table.missing), comparison.table.scores.size
    who, of = comparison.words.classifier, comparison.words.dataset
    return (
        f"{n} of {size} scores {'was' if n == 1 else 'were'} missing: on each {of}, the {who}s with a score were "
        f"ranked, and each pair was compared on the {of}s for which both had a score. For the mean ranks, the ranks "
        f"on each {of} were scaled to the range from 1 to {comparison.n_classifiers}. "
    )


def _friedman(omnibus: FriedmanTestResult, of: str) -> Sentences:
    law, beside = _FRIEDMAN[omnibus.method]
    law = law.format(of=of)
    reported = f" {'are' if beside.endswith('forms') else 'is'} also reported. "
    return f", corrected for ties, {law}; {beside} ", Cite(("iman1980",)), reported


def _posthoc(comparison: Comparison) -> Sentences:
    if comparison.posthoc_test == "nemenyi":
        return _all_pairs(comparison)
    if comparison.posthoc_test == "bonferroni-dunn":
        return _against_control(comparison)
    family = "All pairs were compared"
    if comparison.control is not None:
        family = f"The {comparison.words.classifiers} were compared with the control, {comparison.control},"
    how = ""
    if comparison.adjustment != "single-step":
        promise = promise_words(
            comparison.adjustment, comparison.alpha, comparison.n_pairs, only=condition_words(comparison)
        )
        how = f"; {promise}"
    elif comparison.is_gated:
        how = f", {kept_words(comparison)}"
    if comparison.posthoc_test in DRAWN:
        how = f", {_joint_law(comparison)}"
    cited = POSTHOC_TESTS[str(comparison.posthoc_test)].cited
    return f"{family} by the {pair_test_words(comparison)} ", Cite(cited), f"{how}."


def _joint_law(comparison: Comparison) -> str:
    posthoc: Any = comparison.posthoc
    if is_simulated(posthoc):
        drawn = count(posthoc.n_resamples, DRAWN[str(comparison.posthoc_test)])
        return f"with the joint distribution under {drawn}{seed_words(posthoc.seed)}"
    law = "joint normal approximation" if posthoc.method == "asymptotic" else "exact joint distribution"
    return f"with the {law} of all comparisons"


def _all_pairs(comparison: Comparison) -> Sentences:
    where = (
        f" on the mean ranks with the critical difference CD = q·{_scale(comparison)} ({kept_words(comparison)}). "
        f"Here, q is the upper {comparison.alpha:g} quantile of the studentized range of {comparison.n_classifiers} "
        "means with infinite degrees of freedom, divided by √2."
    )
    return "All pairs were compared by the Nemenyi test ", Cite(("nemenyi1963",)), where


def _against_control(comparison: Comparison) -> Sentences:
    where = (
        f" on the mean ranks with the critical difference CD = z·{_scale(comparison)}, where z is the upper "
        f"{comparison.alpha:g}/(2·{comparison.n_classifiers - 1}) quantile of the normal distribution "
        f"({kept_words(comparison)})."
    )
    who = f"The {comparison.words.classifiers} were compared with the control, {comparison.control},"
    test = f"{who} by the Bonferroni-Dunn test "
    return test, Cite(("dunn1961",)), where


def _scale(comparison: Comparison) -> str:
    n, k = comparison.n_datasets, comparison.n_classifiers
    return f"√({k}·{k + 1}/(6·{n})) = {comparison.critical_difference:.3f}"


# --- on one dataset ---------------------------------------------------------------------------------------------------


def _on_one_dataset(comparison: Comparison) -> Sentences:
    """Describe the comparison of classifiers on one dataset."""
    table, test = comparison.table, TESTS_OF_DIFFERENCES[comparison.pair_test]
    direction = "higher is better" if table.greater_is_better else "lower is better"
    classifiers = count(comparison.n_classifiers, "classifier")
    what = f"{classifiers} were compared on {dataset_words(comparison)} ({metric_name(table.metric)}, {direction}) "
    tested = "by their ", *_HOW_TESTED[comparison.pair_test](comparison, test.words), Cite(test.cited)
    choices = f", two-sided at α = {comparison.alpha:g}"
    if comparison.n_pairs > 1:
        how = adjustment_words(str(comparison.adjustment))
        choices += f", with p-values {'not adjusted' if comparison.adjustment == 'none' else f'adjusted by {how}'}"
    return what, *tested, f"{choices}.", *_beside_the_test(comparison)


def _folds_tested(comparison: Comparison, name: str) -> Sentences:
    ratio = f"{comparison.n_test:g}/{comparison.n_train:g}"
    tested = (
        f"scores in {comparison.n_repeats} × {comparison.n_folds} folds. Differences between two classifiers were "
        f"tested by the {name}, whose variance allows for the overlap of the training sets by the ratio {ratio} of "
        "test to training instances "
    )
    return (tested,)


def _runs_tested(comparison: Comparison, name: str) -> Sentences:
    tested = (
        f"scores in {comparison.n_repeats} runs with different seeds on one training and test set. Differences between "
        f"two classifiers were tested by the {name} "
    )
    return (tested,)


def _five_by_two_tested(comparison: Comparison, name: str) -> Sentences:
    assert comparison.n_folds == 2
    return (f"scores in five repeats of two folds. The difference was tested by the {name} ",)


def _cases_tested(comparison: Comparison, name: str) -> Sentences:
    answers = f"answers to the {int(comparison.n_test)} instances of one test set. "
    if comparison.tests[0].method == "t":
        few = f"{answers}A class has fewer than {FEW_INSTANCES} instances. Therefore, the standard error was adjusted "
        how = "for few instances, and the p-values are from the t distribution "
        return few, how, Cite(("oneill2014",)), f". The classifiers were compared by the {name} "
    if comparison.n_clusters is not None:
        clusters = f"the {comparison.n_clusters} clusters of the instances (column {comparison.columns['cluster']})"
        return (f"{answers}They were compared by the {name} that exchanges the answers in each of {clusters} ",)
    if comparison.omnibus is None:
        return (f"{answers}They were compared by the {name} ",)
    omnibus = f"{answers}The equality of all accuracies was tested by Cochran's Q test "
    return omnibus, Cite(("cochran1950",)), f"; pairs were tested by the {name} "


_HOW_TESTED = {
    "corrected_ttest": _folds_tested,
    "delong_test": _cases_tested,
    "ftest_5x2cv": _five_by_two_tested,
    "mcnemar_test": _cases_tested,
    "metric_permutation_test": _cases_tested,
    "paired_ttest": _runs_tested,
}


# --- on questions -----------------------------------------------------------------------------------------------------


def _on_questions(comparison: Comparison) -> Sentences:
    """Describe the comparison of models on questions."""
    by: Sentences = ("the permutation test that gives the differences of a cluster a common random sign",)
    if comparison.pair_test == "pairwise_max_t_test":
        by = (
            "the step-down max-T test, with a common random sign for the differences of a cluster ",
            Cite(("westfall1993",)),
        )
    if comparison.pair_test == "range":
        by = (
            "the randomized Tukey HSD test, which permutes the models within each cluster ",
            Cite(("carterette2012",)),
        )
    if comparison.pair_test == "pairwise_betting_test":
        by = (
            "betting on the next question, which is valid at any stopping time ",
            Cite(("waudbysmith2024", "vovk2021")),
        )
    if comparison.pair_test == "clustered_ttest":
        by = "a t-test with a cluster-robust standard error and its degrees of freedom ", Cite(("bell2002",))
    strata = " within each benchmark" if comparison.n_benchmarks > 1 else ""
    return (
        "Models were compared question by question, by ",
        *by,
        f"{strata}.{_adjusted(comparison)} Intervals of individual models are Wilson intervals ",
        Cite(("wilson1927",)),
        f", with the effective sample size{_unseen(comparison)} and the t distribution ",
        Cite(("korn1998",)),
        f", or t intervals if scores are below 0 or above 1. Significance level: {comparison.alpha:g}.",
        *_beside_the_test(comparison),
        *_over_benchmarks(comparison),
    )


def _unseen(comparison: Comparison) -> str:
    """State that the effective sample size allows for unobserved clusters if questions have clusters or benchmarks."""
    if comparison.n_clusters == comparison.n_questions and comparison.n_benchmarks == 1:
        return ""
    return ", which allows for types of clusters that are not in the sample,"


def _over_benchmarks(comparison: Comparison) -> Sentences:
    """Describe the comparison with the benchmarks as the sample, if there is one."""
    if comparison.over_benchmarks is None:
        return ()
    first, *rest = _over_datasets(comparison.over_benchmarks)
    assert isinstance(first, str)
    return f" With the benchmarks as the sample: {first[0].lower()}{first[1:]}", *rest


def _adjusted(comparison: Comparison) -> str:
    """Describe the adjustment of the p-values, if there is one."""
    if comparison.adjustment == "none":
        return ""
    return f" p-values are adjusted by {adjustment_words(str(comparison.adjustment))}."
