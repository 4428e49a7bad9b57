"""Sentences for the note codes of a comparison, in one table for all designs."""

from __future__ import annotations

__all__ = ["DRAWN", "NOTES", "hopeless_pairs", "judged_alone_words", "means_otherwise_words", "note"]

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from evalstats._errors import InvalidValueError, short
from evalstats.comparison.notes import Note, is_simulated, variation_of
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.comparison.validity import hopeless_words
from evalstats.multiple.friedman import FriedmanTestResult
from evalstats.multiple.incomplete_blocks import linked_groups
from evalstats.paired.metric_permutation import MetricPermutationTestResult
from evalstats.report.blocks import Cite, Inline, Sentences
from evalstats.report.comparisons.shared_blocks import MOST_LISTED, dataset_words, replaced_words, untested_words
from evalstats.report.describe import (
    column,
    count,
    decimal,
    metric_words,
    not_adjusted_words,
    pvalue_bound,
    pvalue_of,
    pvalue_words,
    seed_words,
)
from evalstats.report.sentences import with_names
from evalstats.wording import adjusted_words, omnibus_words, pair_test_words, written_list

# maximum number of listed pairs; the others are counted
_LISTED = 6
_LISTED_MEANS = 3


def note(code: str, comparison: Comparison) -> Sentences:
    """Return the sentence for a note code, or raise an error if the code is unknown."""
    if code not in NOTES:
        raise InvalidValueError(
            f"notes must be among {', '.join(map(repr, map(str, NOTES)))}, but one is {short(code)}"
        )
    return NOTES[code](comparison)


# --- over datasets ----------------------------------------------------------------------------------------------------


def _datasets_dropped(comparison: Comparison) -> Sentences:
    dropped = comparison.table.dropped
    was = f"{count(len(dropped), comparison.words.dataset)} {'was' if len(dropped) == 1 else 'were'}"
    return _said(
        f"{was} left out because scores were missing: {written_list(dropped, at_most=10)}. The test of Skillings and "
        "Mack (missing='skillings-mack', or --missing skillings-mack) uses their other scores."
    )


def _degenerate_on_one_dataset(comparison: Comparison) -> Sentences:
    leading = comparison.omnibus or comparison.tests[0]
    names = comparison.pairs[0].first, comparison.pairs[0].second
    return _said(f"The data are degenerate: {with_names(str(leading.reason), *names)}.")


def _degenerate(comparison: Comparison) -> Sentences:
    if comparison.design != "datasets":
        return _degenerate_on_one_dataset(comparison)
    words = comparison.words
    if isinstance(comparison.omnibus, FriedmanTestResult) and comparison.omnibus.f == math.inf:
        order = f"All {words.datasets} rank the {words.classifiers} in the same order: F is infinite"
        return _said(f"{order}, and its p-value is the probability of that order by chance.")
    leading = comparison.omnibus or comparison.wilcoxon
    assert leading is not None
    if comparison.table.missing and len(apart := _linked(comparison)) > 1:
        return _said(
            f"No {words.dataset} links these groups of {words.classifiers}: {'; '.join(map(written_list, apart))}. "
            "Only differences within them are tested, and mean ranks of different groups cannot be compared."
        )
    return _said(f"The data are degenerate: {leading.reason}.")


def _linked(comparison: Comparison) -> list[list[str]]:
    """Return the classifiers in groups that are connected by common datasets."""
    groups: dict[int, list[str]] = {}
    of_each = linked_groups(~np.isnan(comparison.table.scores)).tolist()
    for name, first in zip(comparison.table.classifiers, of_each, strict=True):
        groups.setdefault(first, []).append(name)
    return list(groups.values())


def _depends_on_the_analysis(comparison: Comparison) -> Sentences:
    """State for how many pairs other valid analyses make a different decision."""
    robustness = comparison.robustness
    assert robustness is not None
    n = sum(pair.n_different not in (0, robustness.n_analyses) for pair in robustness.pairs)
    return _said(
        f"Other valid analyses decide differently on {count(n, 'pair')}: the verdict depends on the choice of the "
        "test. The choice is valid only if you made it before you saw the scores."
    )


def _design_cannot_reach_alpha_on_one_dataset(comparison: Comparison) -> Sentences:
    smallest = pvalue_bound(float(comparison.min_attainable_pvalue or 0.0), comparison.alpha)
    units, differ = ("instances", "are discordant") if comparison.n_clusters is None else ("clusters", "differ")
    return _said(
        f"No p-value can be as small as α = {comparison.alpha:g} on this test set: too few {units} {differ}, and the "
        f"minimum attainable p-value is {smallest}. Only more {units} can change that."
    )


def _design_cannot_reach_alpha(comparison: Comparison) -> Sentences:
    if comparison.design != "datasets":
        return _design_cannot_reach_alpha_on_one_dataset(comparison)
    assert comparison.min_attainable_pvalue is not None
    smallest, datasets = pvalue_bound(comparison.min_attainable_pvalue, comparison.alpha), comparison.words.datasets
    return _said(
        f"No p-value can be as small as α = {comparison.alpha:g} with this design. The smallest p-value of the "
        f"{omnibus_words(comparison)} with these {datasets} and ties is {smallest}. Only more {datasets} can change "
        "that."
    )


def _few_datasets_asymptotic(comparison: Comparison) -> Sentences:
    few = count(comparison.n_datasets, comparison.words.dataset)
    if comparison.wilcoxon is not None:
        few = count(comparison.wilcoxon.n_pairs - comparison.wilcoxon.n_zero, "difference") + " other than zero"
    return _said(
        f"The p-value of the {omnibus_words(comparison)} is an approximation for many {comparison.words.datasets}, "
        f"and it is based on only {few}; use the exact distribution."
    )


def _missing_cells(comparison: Comparison) -> Sentences:
    n, size, words = len(comparison.table.missing), comparison.table.scores.size, comparison.words
    lack = len({dataset for dataset, _ in comparison.table.missing})
    return _said(
        f"{n} of {size} scores {'is' if n == 1 else 'are'} missing, on {count(lack, words.dataset)}. The "
        f"{omnibus_words(comparison)} is valid only if no score is missing because of its value: a "
        f"{words.classifier} without scores on its worst data gets a mean rank that is too good. Each pair is "
        f"compared on the {words.datasets} with scores of both {words.classifiers}."
    )


def _no_common_dataset(comparison: Comparison) -> Sentences:
    without = [f"{p.first} with {p.second}" for p in comparison.pairs if not (p.n_wins or p.n_ties or p.n_losses)]
    listed = "; ".join(without[:_LISTED]) + (f"; and {len(without) - _LISTED} more" if len(without) > _LISTED else "")
    return _said(f"No conclusion is possible about pairs without a common {comparison.words.dataset}: {listed}.")


def _monte_carlo_on_one_dataset(comparison: Comparison) -> Sentences:
    seed = next((test.seed for test in comparison.tests if isinstance(test, MetricPermutationTestResult)), None)
    return _said(
        f"The p-values of the {pair_test_words(comparison)}s are simulated{seed_words(seed)}; a different seed gives "
        "slightly different p-values."
    )


def _monte_carlo(comparison: Comparison) -> Sentences:
    if comparison.design != "datasets":
        return _monte_carlo_on_one_dataset(comparison)
    leading: Any = comparison.omnibus
    pairs: Any = comparison.posthoc
    said = []
    if is_simulated(leading):
        said.append(_simulated(f"The p-value of the {omnibus_words(comparison)} is", leading, "random permutation"))
    if pairs is not None and is_simulated(pairs):
        drawn = DRAWN[str(comparison.posthoc_test)]
        said.append(_simulated(f"The p-values of the {pair_test_words(comparison)} are", pairs, drawn))
    return _said(" ".join(said))


def _simulated(what: str, result: Any, drawn: str) -> str:
    simulated = f"{count(result.n_resamples, drawn)}{seed_words(result.seed)}"
    slightly = "a slightly different p-value" if what.endswith(" is") else "slightly different p-values"
    return f"{what} simulated from {simulated}; a different seed gives {slightly}."


def _omnibus_without_pairs_on_one_dataset(comparison: Comparison) -> Sentences:
    return _said(
        "Cochran's Q test rejects, but no pair is shown to differ. This is not a contradiction: the first test "
        f"compares all classifiers at once, and the second tests each of {count(comparison.n_pairs, 'pair')}, with "
        "adjusted p-values."
    )


def _omnibus_without_pairs(comparison: Comparison) -> Sentences:
    if comparison.design != "datasets":
        return _omnibus_without_pairs_on_one_dataset(comparison)
    compared = count(comparison.n_pairs, "comparison")
    explanation = (
        f"The {omnibus_words(comparison)} rejects, but the {pair_test_words(comparison)} does not show where the "
        f"difference lies. This is not a contradiction: the first test compares {_all_at_once(comparison)}, and the "
        f"second tests each of {compared}{_by_what(comparison)}. The p-values of the second test are adjusted for all "
        "comparisons, so it has less power."
    )
    if not comparison.is_gated:
        return _said(explanation)
    return _said(f"{explanation} More powerful procedures for the pairs exist ", Cite(("garcia2008",)), ".")


def judged_alone_words(comparison: Comparison) -> str:
    """State that pairs differ although the omnibus test does not reject, and that they do not require it."""
    found = "the pair is" if comparison.n_different == 1 else "each pair is"
    return (
        f"The {omnibus_words(comparison)} of {_all_at_once(comparison)} does not reject "
        f"({pvalue_of(comparison.omnibus, comparison.alpha)}); {found} tested separately{_by_what(comparison)}."
    )


def _all_at_once(comparison: Comparison) -> str:
    return f"all {'means' if comparison.omnibus_test == 'rm-anova' else 'ranks'} at once"


def _by_what(comparison: Comparison) -> str:
    """Name the quantity that the post-hoc test compares, if it does not require the omnibus test."""
    what = {
        "rank_biserial": "the sizes of its differences",
        "win_difference": "its wins and losses",
        "mean_difference": "the mean of its differences",
        "statistic": "the sizes of its differences",
    }.get(POSTHOC_TESTS[str(comparison.posthoc_test)].effect)
    return "" if what is None or comparison.is_gated else f", by {what}"


def _one_run(comparison: Comparison) -> Sentences:
    each = "Each score comes from one run of its cross-validation"
    if comparison.design != "datasets":
        each = "The scores come from one run"
    return _said(f"{each}: no statement is possible about the verdict with another seed ", Cite(("raeder2010",)), ".")


def _runs_disagree(comparison: Comparison) -> Sentences:
    found = comparison.pvalues_over_runs
    assert found is not None
    return _said(
        f"Of {count(found.n_runs, 'run')}, each tested separately, {found.n_reject} "
        f"{'shows' if found.n_reject == 1 else 'show'} a significant difference: a verdict from one run is not "
        "reproducible ",
        Cite(("raeder2010",)),
        ".",
    )


def _pairs_without_omnibus_on_one_dataset(comparison: Comparison) -> Sentences:
    return _said(
        f"Some p-values of McNemar's tests are at most α = {comparison.alpha:g}; because Cochran's Q test "
        "does not reject, no conclusion is drawn from them."
    )


def _pairs_without_omnibus(comparison: Comparison) -> Sentences:
    if comparison.design != "datasets":
        return _pairs_without_omnibus_on_one_dataset(comparison)
    if not comparison.is_gated:
        return _said(judged_alone_words(comparison))
    return _said(
        f"Some p-values of the {pair_test_words(comparison)} are at most α = {comparison.alpha:g}; because the "
        f"{omnibus_words(comparison)} does not reject, no conclusion is drawn from them."
    )


def _no_critical_difference(comparison: Comparison) -> Sentences:
    test = adjusted_words(pair_test_words(comparison), comparison.adjustment)
    why = "compares scores, not mean ranks"
    if comparison.adjustment != "single-step":
        why = "decides on each pair by its own p-value"
    return _said(f"The {test} {why}, so there is no single critical difference of mean ranks.")


def _ranks_say_otherwise(comparison: Comparison) -> Sentences:
    return _said(
        "In some pairs, one classifier has the better mean rank and the other has the better scores. The "
        f"{pair_test_words(comparison)} uses the scores."
    )


def _pool_dependence(comparison: Comparison) -> Sentences:
    what = f"Mean ranks depend on all {comparison.words.classifiers} in the table"
    if POSTHOC_TESTS[str(comparison.posthoc_test)].compares_scores:
        what = f"The variance is estimated from all {comparison.words.classifiers} in the table"
    depends = f"{what}: adding or leaving out one of them can change "
    return _said(f"{depends}the decision on two others ", Cite(("benavoli2016",)), ".")


def hopeless_pairs(comparison: Comparison) -> str:
    """State that no pair can be significantly different, and how many datasets would be sufficient."""
    assert comparison.smallest_posthoc_pvalue is not None
    words = comparison.words
    where = f"With {count(comparison.n_datasets, words.dataset)}"
    if comparison.table.missing:
        where = f"With the {words.datasets} that pairs have in common"
    return hopeless_words(
        str(comparison.posthoc_test),
        comparison.adjustment,
        where=f"{where} and {count(comparison.n_classifiers, words.classifier)}",
        smallest=pvalue_bound(comparison.smallest_posthoc_pvalue, comparison.alpha),
        n_classifiers=comparison.n_classifiers,
        control=comparison.control,
        alpha=comparison.alpha,
        nouns=(words.classifier, words.dataset),
    )


def means_otherwise_words(comparison: Comparison) -> str:
    """List the pairs whose mean scores contradict the decisions, and the means, in an additional sentence."""
    found = comparison.means_otherwise
    if not found:
        return ""
    listed = "; ".join(_with_means(comparison, *pair) for pair in found[:_LISTED_MEANS])
    more = f"; and {len(found) - _LISTED_MEANS} more" if len(found) > _LISTED_MEANS else ""
    return f" The mean {metric_words(comparison.table)} orders the pairs in the opposite way: {listed}{more}."


def _with_means(comparison: Comparison, better: str, worse: str) -> str:
    """Write two classifiers, each with the mean score over the common datasets."""
    both = comparison.table.scores[:, [comparison.table.position(name) for name in (better, worse)]]
    means = both[~np.isnan(both).any(axis=1)].mean(axis=0).tolist()
    apart = (column(means, digits=digits) for digits in range(3, 15))
    first, second = next((both for both in apart if both[0] != both[1]), column(means, digits=15))
    return f"{first} for {better}, {second} for {worse}"


def _means_say_otherwise(comparison: Comparison) -> Sentences:
    n = len(comparison.means_otherwise)
    pairs, words = "one pair that is" if n == 1 else f"{n:,} pairs that are", comparison.words
    return _said(
        f"For {pairs} shown to differ, the better {words.classifier} has the worse mean: it is better on more "
        f"{words.datasets}, but much worse on a few. The {pair_test_words(comparison)} does not weight differences by "
        "their size as the mean does. A test cannot show whether the wins or the means are relevant: inspect these "
        f"{words.datasets}."
    )


def _very_few_datasets(comparison: Comparison) -> Sentences:
    words = comparison.words
    instead = (
        " If the datasets are benchmarks of many questions, compare the answers to the questions instead."
        if words.dataset == "dataset"
        else ""
    )
    return _said(
        f"{count(comparison.n_datasets, words.dataset)} are a very small sample: the verdict depends on each of "
        "them, the distribution of the tests of pairs is a rough approximation, and the conclusions hardly apply to "
        f"other {words.datasets}.{instead}"
    )


def _not_adjusted(comparison: Comparison) -> Sentences:
    return _said(f"{not_adjusted_words(comparison.alpha, comparison.n_pairs)}.")


def _unequal_variation(comparison: Comparison) -> Sentences:
    anova = variation_of(comparison.omnibus, comparison.table.scores)
    test = pair_test_words(comparison)
    relies = f"The {test} assumes equal variances"
    if anova is comparison.omnibus:
        relies = f"The analysis of variance is corrected for this, but the {test} is not"
    epsilon, least = decimal(anova.greenhouse_geisser_epsilon, 3), 1 / (comparison.n_classifiers - 1)
    return _said(
        f"The differences between {comparison.words.classifiers} have unequal variances (Mauchly's test of sphericity, "
        f"{pvalue_words(anova.mauchly_pvalue)}; Greenhouse and Geisser's ε = {epsilon}, which is {least:.3g} at "
        f"worst and 1 at best). {relies}: its p-values are too small for pairs whose difference varies much, and too "
        "large for other pairs. Paired t-tests (posthoc='paired-t', or --posthoc paired-t) do not need that assumption."
    )


def _datasets_are_a_sample(comparison: Comparison) -> Sentences:
    words = comparison.words
    return _said(
        f"The verdict is about the population of which these {words.datasets} are a random sample. If they were "
        f"selected manually, are popular benchmarks, or were used to tune the {words.classifiers}, the tests reject "
        "too often ",
        Cite(("salzberg1997",)),
        ".",
    )


def _pvalue(comparison: Comparison) -> Sentences:
    """State how to interpret a p-value."""
    return _said(
        "A p-value is the probability of a result at least as extreme as this one if the "
        f"{comparison.words.classifiers} perform equally. Therefore, 1 − p is neither the probability that they differ "
        "nor the probability that another experiment rejects."
    )


def _wilcoxon_and_sign_disagree(comparison: Comparison) -> Sentences:
    assert comparison.wilcoxon is not None
    assert comparison.sign is not None
    wilcoxon = f"the Wilcoxon signed-rank test ({pvalue_of(comparison.wilcoxon, comparison.alpha)})"
    sign = f"the sign test ({pvalue_of(comparison.sign, comparison.alpha)})"
    rejecting, other = (wilcoxon, sign) if comparison.significant else (sign, wilcoxon)
    return _said(
        f"At α = {comparison.alpha:g}, {rejecting} rejects and {other} does not. The sign test only counts wins, and "
        "the Wilcoxon test weights them by the size of the difference. The Wilcoxon test decides."
    )


# --- on one dataset ---------------------------------------------------------------------------------------------------


def _one_dataset(comparison: Comparison) -> Sentences:
    return _said(
        f"All conclusions are about {dataset_words(comparison)}. Only other datasets can show whether they apply to "
        "other data ",
        Cite(("demsar2006",)),
        ".",
    )


def _runs_of_one_split(comparison: Comparison) -> Sentences:
    n = comparison.n_repeats or 1
    smallest = 2.0 ** (1 - n)
    by_signs = (
        f" With {n} runs, a test of only the signs of the differences could not give a p-value below "
        f"{decimal(smallest, 4)}. The t-test is therefore valid only for normally distributed differences."
        if smallest > comparison.alpha
        else ""
    )
    return _said(
        f"The {n} runs differ in what a seed determines, such as initial weights and the order of the batches. They "
        "have the same training set and test set: the verdict is about repeated training on these data. If the seed "
        "also determined the split, the test sets and training sets of the runs overlap and the test rejects too "
        f"often. In this case, add the columns n_train and n_test.{by_signs}"
    )


def _sizes_assumed(comparison: Comparison) -> Sentences:
    return _said(
        f"The sizes of the training and test sets are not in the table: the {comparison.n_folds} folds were treated "
        f"as the folds of a {comparison.n_folds}-fold cross-validation. For random splits, add the columns n_train "
        "and n_test."
    )


def _many_folds(comparison: Comparison) -> Sentences:
    return _said(
        f"{comparison.n_folds} folds are unusually many for one cross-validation: if they are repeated random splits "
        "or several cross-validations, the test rejects too often; add the columns repeat, n_train and n_test."
    )


def _some_pairs_degenerate(comparison: Comparison) -> Sentences:
    return _said(untested_words(comparison, pair_test_words(comparison)).strip())


def _interval_says_otherwise(comparison: Comparison) -> Sentences:
    alpha = comparison.alpha
    pairs = [p for p in comparison.pairs if (p.low > 0 or p.high < 0) != (p.unadjusted_pvalue <= alpha)]
    told = [f"{pair.first} and {pair.second} (p = {decimal(pair.unadjusted_pvalue, 4)} alone)" for pair in pairs]
    of_interval, of_pvalue = _BEHIND.get(comparison.pair_test, ("another approximation", "the test"))
    of_interval = of_interval if comparison.n_clusters is None else "the jackknife of the clusters"
    return _said(
        f"For {written_list(told, at_most=MOST_LISTED)}, the interval and the p-value disagree about a difference of "
        f"0 at α = {alpha:g}. The interval is from {of_interval}. The p-value is from {of_pvalue}. The p-value "
        "decides."
    )


# methods of the interval and of the p-value of a pair, if they differ
_BEHIND = {
    "mcnemar_test": ("Tango's score test, an approximation", "the exact test, which rejects less often"),
    "metric_permutation_test": ("the bootstrap", "the permutation test"),
}


def _few_folds(comparison: Comparison) -> Sentences:
    n = (comparison.n_repeats or 1) * (comparison.n_folds or 1)
    return _said(
        f"{n} scores give an imprecise estimate of the variance; ten repeats of ten folds are recommended ",
        Cite(("bouckaert2004",)),
        ".",
    )


# sampled units, if the joint distribution of all comparisons is simulated
DRAWN = {
    "max-t": "random sign assignment",
    "max-t-means": "random sign assignment",
    "romano-wolf": "bootstrap resample",
    "range": "random permutation",
    "steel": "random permutation",
}

# every note code of a comparison
NOTES: dict[str, Callable[[Comparison], Sentences]] = {
    Note.DATASETS_ARE_A_SAMPLE: _datasets_are_a_sample,
    Note.DATASETS_DROPPED: _datasets_dropped,
    Note.DEGENERATE: _degenerate,
    Note.DEPENDS_ON_THE_ANALYSIS: _depends_on_the_analysis,
    Note.DESIGN_CANNOT_REACH_ALPHA: _design_cannot_reach_alpha,
    Note.FEW_DATASETS_ASYMPTOTIC: _few_datasets_asymptotic,
    Note.FEW_FOLDS: _few_folds,
    Note.INTERVAL_SAYS_OTHERWISE: _interval_says_otherwise,
    Note.MANY_FOLDS_ASSUMED: _many_folds,
    Note.MEANS_SAY_OTHERWISE: _means_say_otherwise,
    Note.MISSING_CELLS: _missing_cells,
    Note.MONTE_CARLO: _monte_carlo,
    Note.NOT_ADJUSTED: _not_adjusted,
    Note.NO_COMMON_DATASET: _no_common_dataset,
    Note.NO_CRITICAL_DIFFERENCE: _no_critical_difference,
    Note.OMNIBUS_WITHOUT_PAIRS: _omnibus_without_pairs,
    Note.ONE_DATASET: _one_dataset,
    Note.ONE_RUN: _one_run,
    Note.PAIRS_WITHOUT_OMNIBUS: _pairs_without_omnibus,
    Note.POOL_DEPENDENCE: _pool_dependence,
    Note.POSTHOC_CANNOT_REACH_ALPHA: lambda comparison: (hopeless_pairs(comparison),),
    Note.PVALUE: _pvalue,
    Note.RANKS_SAY_OTHERWISE: _ranks_say_otherwise,
    Note.RUNS_DISAGREE: _runs_disagree,
    Note.RUNS_OF_ONE_SPLIT: _runs_of_one_split,
    Note.SIZES_ASSUMED: _sizes_assumed,
    Note.SOME_PAIRS_DEGENERATE: _some_pairs_degenerate,
    Note.TEST_REPLACED: lambda comparison: (replaced_words(comparison),),
    Note.UNEQUAL_VARIATION: _unequal_variation,
    Note.VERY_FEW_DATASETS: _very_few_datasets,
    Note.WILCOXON_AND_SIGN_DISAGREE: _wilcoxon_and_sign_disagree,
}


def _said(*parts: Inline) -> Sentences:
    return parts
