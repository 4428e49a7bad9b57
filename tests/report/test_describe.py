"""Each result has a sentence, each note has one, and no sentence says more than was found."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import evalstats
from evalstats import (
    Comparison,
    bonferroni_dunn_test,
    cochran_q_test,
    corrected_ttest,
    delong_test,
    delong_unpaired_test,
    friedman_test,
    ftest_5x2cv,
    mcnemar_from_counts,
    mcnemar_table,
    mcnemar_test,
    metric_bootstrap_test,
    metric_permutation_test,
    naive_resampled_ttest,
    nemenyi_test,
    paired_ttest,
    pairwise_corrected_ttest,
    pairwise_delong_test,
    pairwise_mcnemar_test,
    pairwise_paired_ttest,
    pairwise_sign_test,
    pairwise_wilcoxon_test,
    permutation_test,
    report,
    sign_test,
    ttest_5x2cv,
    ttest_10x10,
    wilcoxon_test,
)
from evalstats._result import EstimateResult, HypothesisTestResult
from evalstats.bayes import PosteriorResult
from evalstats.comparison.notes import ON_ONE_DATASET, OVER_DATASETS
from evalstats.report import describe, one_dataset, sentences

X, Y = [5, 7, 3, 8, 6, 4], [4, 4, 4, 4, 1, 4]
SCORES = np.array(
    [[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [3.0, 2.0, 1.0], [3.0, 2.0, 1.0], [2.0, 3.0, 1.0], [3.0, 2.0, 1.0]]
)


class TestSentences:
    @pytest.mark.parametrize(
        ("result", "words"),
        [
            (
                wilcoxon_test(X, Y),
                (
                    "Wilcoxon signed-rank test: W+ = 13.5 over 5 differences other than zero, p = 0.1875 "
                    "(exact distribution)."
                ),
            ),
            (
                wilcoxon_test([1, 2], [0, 2], method="asymptotic", alternative="greater"),
                (
                    "Wilcoxon signed-rank test: W+ = 1 over 1 difference other than zero, p = 0.5000 "
                    "(normal approximation); one-sided, alternative 'greater'."
                ),
            ),
            (
                sign_test(X, Y),
                "Sign test: x is larger in 4 pairs, smaller in 1 and tied in 1, p = 0.3750 (binomial distribution).",
            ),
            (
                paired_ttest([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]),
                "Paired t-test: mean difference 2.00, t(2) = 3.464, p = 0.0742 (t distribution).",
            ),
            (
                corrected_ttest([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], n_train=2, n_test=1),
                "Corrected resampled t-test: mean difference 2.00, t(2) = 2.191, p = 0.1598 (t distribution).",
            ),
            (
                naive_resampled_ttest([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]),
                (
                    "Naive resampled t-test, for comparison only since its p-value is too small: mean difference 2.00, "
                    "t(2) = 3.464, p = 0.0742 (t distribution)."
                ),
            ),
            (
                ttest_10x10([[1, 3], [4, 0]], [[0, 0], [0, 0]], use="sorted-runs", df=2.5),
                (
                    "Bouckaert's t-test on averages over the sorted runs of 2 runs of 2 folds: mean difference 2.00, "
                    "t(2.5) = 1.764, with degrees of freedom as given, p = 0.1940 (t distribution)."
                ),
            ),
            (
                pairwise_corrected_ttest([[11, 10, 9], [12, 10, 10], [13, 10, 8]], n_train=2, n_test=1),
                (
                    "Corrected resampled t-tests of 3 classifiers over 3 folds: the smallest of 3 adjusted p-values is "
                    "0.4795 (t distribution)."
                ),
            ),
            (
                pairwise_corrected_ttest([[1, 2], [2, 3]], n_train=1, n_test=1, control=0),
                (
                    "Corrected resampled t-tests of 1 classifier against a control over 2 folds: there is no p-value "
                    "(t distribution); 1 of 1 pairs differ by the same amount in every fold, so that their differences "
                    "have no variance and the t distribution does not apply; a test of the predictions does, for "
                    "example McNemar's."
                ),
            ),
            (
                ttest_5x2cv([[1, 0]] * 5, [[0, 0]] * 5, alternative="greater"),
                (
                    "5x2cv t-test: difference 1.000 in the first fold, t(5) = 1.414, p = 0.1082 (t distribution), from "
                    "0.1082 to 0.5000 with another fold first; one-sided, alternative 'greater'."
                ),
            ),
            (
                ttest_5x2cv([[1, 1]] * 5, [[1, 1]] * 5),
                (
                    "5x2cv t-test: difference 0 in the first fold, t(5) = 0.000, p = 1 (t distribution); "
                    "x and y are equal in every fold."
                ),
            ),
            (
                ftest_5x2cv([[1, 0]] * 5, [[0, 0]] * 5),
                "5x2cv F-test: mean difference 0.500, F(10, 5) = 1.000, p = 0.5349 (F distribution).",
            ),
            (
                delong_test([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8]),
                (
                    "DeLong test: areas under the ROC curves 0.875 and 0.750, z = 0.500, p = 0.6171 "
                    "(normal approximation)."
                ),
            ),
            (
                delong_unpaired_test(
                    [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8], [0, 0, 0, 1, 1], [1, 4, 2, 3, 5]
                ),
                (
                    "DeLong test of two test sets: areas under the ROC curves 0.875 and 0.833, t(7.0) = 0.151, "
                    "p = 0.8844 (t distribution)."
                ),
            ),
            (
                pairwise_delong_test(
                    [0, 0, 0, 0, 1, 1, 1, 1], np.c_[[1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8]]
                ),
                "DeLong test of 2 classifiers on 8 cases: the adjusted p-value is 0.6171 (normal approximation).",
            ),
            (
                pairwise_wilcoxon_test([[1, 2, 4], [1, 3, 7], [0, 2, 3], [4, 9, 8]]),
                (
                    "Wilcoxon signed-rank tests of 3 classifiers on 4 datasets: the smallest of 3 adjusted p-values is "
                    "0.3750 (exact distribution)."
                ),
            ),
            (
                pairwise_sign_test([[1, 2, 4]] * 6, control=0, adjust="none", alternative="greater"),
                (
                    "Sign tests of 2 classifiers against a control on 6 datasets: the smallest of 2 p-values is 0.0156 "
                    "(binomial distribution); one-sided, alternative 'greater'."
                ),
            ),
            (
                pairwise_paired_ttest([[1, 2], [2, 3]], control=0),
                (
                    "Paired t-tests of 1 classifier against a control on 2 datasets: there is no p-value "
                    "(t distribution); 1 of 1 pairs differ by the same amount on every dataset, so that their "
                    "differences have no variance and the t distribution does not apply; a rank test does, for "
                    "example pairwise_wilcoxon_test."
                ),
            ),
            (
                metric_permutation_test([1, 1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0]),
                (
                    "Permutation test of f1: 1.000 and 0.571 in 8 cases, difference 0.429, p = 0.2500 "
                    "(exact distribution)."
                ),
            ),
            (
                metric_bootstrap_test([0, 1] * 9, [0, 1] * 9, [0, 1, 1, 1, 0, 0] * 3, n_resamples=99, rng=1),
                (
                    "Paired bootstrap of f1: 1.000 and 0.667 in 18 cases, difference 0.333, p = 0.0200 "
                    "(BCa bootstrap, 99 replicates)."
                ),
            ),
            (
                cochran_q_test([[1, 0, 0], [1, 1, 0], [1, 0, 0], [1, 1, 1]]),
                (
                    "Cochran's Q test of 3 classifiers: Q(2) = 4.667 over 3 samples on which they disagree, p = 0.2222 "
                    "(exact distribution)."
                ),
            ),
            (
                permutation_test(X, Y),
                (
                    "Permutation test: mean difference 2.00 over 6 pairs, 5 differences other than zero, p = 0.1875 "
                    "(exact distribution)."
                ),
            ),
            (
                permutation_test(X, Y, method="monte-carlo", n_resamples=99, rng=1, alternative="less"),
                (
                    "Permutation test: mean difference 2.00 over 6 pairs, 5 differences other than zero, p = 0.9800 "
                    "(99 simulated permutations); one-sided, alternative 'less'."
                ),
            ),
            (
                mcnemar_from_counts([[59, 6], [16, 80]], method="midp"),
                (
                    "McNemar's test: only x is right in 6 cases and only y in 16 of 161, p = 0.0347 "
                    "(mid-p of the binomial distribution)."
                ),
            ),
            (
                mcnemar_from_counts([[3, 1], [0, 2]], method="asymptotic", correction=False, alternative="greater"),
                (
                    "McNemar's test: only x is right in 1 case and only y in 0 of 6, χ²(1) = 1.000, p = 0.1587 "
                    "(normal approximation); one-sided, alternative 'greater'."
                ),
            ),
            (
                mcnemar_test([1, 1, 1, 0, 1], [0, 0, 1, 1, 0], groups=["a", "a", "b", "b", "c"], method="midp"),
                (
                    "McNemar's test: only x is right in 3 cases and only y in 1 of 5 in 3 groups, p = 0.5000 "
                    "(mid-p of the exact distribution)."
                ),
            ),
            (
                mcnemar_table([[20, 5, 2], [10, 30, 4], [7, 9, 25]], method="stuart-maxwell"),
                "The Stuart-Maxwell test of 3 classes in 112 cases: χ²(2) = 6.264, p = 0.0436 (χ² approximation).",
            ),
            (
                pairwise_mcnemar_test([[1, 1, 0]] * 9 + [[1, 0, 0]] * 3),
                (
                    "McNemar's tests of 3 classifiers on 12 samples: the smallest of 3 adjusted p-values is 0.0015 "
                    "(exact distribution)."
                ),
            ),
            (
                pairwise_mcnemar_test([[1, 1, 0]] * 9 + [[1, 0, 0]] * 3, control=2, method="asymptotic", adjust="none"),
                (
                    "McNemar's tests of 2 classifiers against a control on 12 samples: the smallest of 2 p-values is "
                    "0.0015 (normal approximation)."
                ),
            ),
            (
                friedman_test(SCORES),
                "Friedman test: χ²(2) = 8.333, corrected for ties, p = 0.0120 (exact distribution).",
            ),
            (
                friedman_test(SCORES, method="chi2"),
                "Friedman test: χ²(2) = 8.333, corrected for ties, p = 0.0155 (χ² approximation).",
            ),
            (
                friedman_test(SCORES, method="f"),
                "Friedman test: F(2, 10) = 11.364, p = 0.0027 (F approximation of Iman and Davenport).",
            ),
            (
                nemenyi_test(SCORES),
                (
                    "Nemenyi test of 3 classifiers on 6 datasets: the smallest of 3 p-values is 0.0109 "
                    "(studentized range distribution)."
                ),
            ),
            (
                nemenyi_test(SCORES[:, :2]),
                "Nemenyi test of 2 classifiers on 6 datasets: the p-value is 0.1025 (studentized range distribution).",
            ),
            (
                bonferroni_dunn_test(SCORES, control=2),
                (
                    "Bonferroni-Dunn test of 2 classifiers against a control on 6 datasets: the smallest of 2 adjusted "
                    "p-values is 0.0078 (normal distribution)."
                ),
            ),
            (
                evalstats.skillings_mack_test([[3, 2, 1], [3, 1, np.nan], [1, np.nan, np.nan]]),
                (  # 6 of the 12 orders are as far apart
                    "Skillings-Mack test on 2 datasets with 3 missing scores: χ²(2) = 2.893, p = 0.5000 "
                    "(exact distribution)."
                ),
            ),
            (
                evalstats.skillings_mack_test(
                    [[3, 2, 1], [3, 1, np.nan], [1, np.nan, np.nan]], method="monte-carlo", rng=1, n_resamples=99
                ),
                (
                    "Skillings-Mack test on 2 datasets with 3 missing scores: χ²(2) = 2.893, p = 0.4500 "
                    "(99 simulated permutations)."
                ),
            ),
            (
                evalstats.durbin_test(SCORES, method="f"),
                "Durbin test: F(2, 10) = 11.364, p = 0.0027 (F distribution).",
            ),
            (
                evalstats.durbin_test(SCORES, method="chi2"),
                "Durbin test: χ²(2) = 8.333, p = 0.0155 (χ² approximation).",
            ),
            (
                evalstats.page_test(SCORES, alternative="less"),
                (
                    "Page test of a trend: L = 62, expected 72, p = 0.0016 (exact distribution); one-sided, "
                    "alternative 'less'."
                ),
            ),
            (
                evalstats.quade_test(SCORES),
                "Quade test: F(2, 10) = 11.364, p = 0.0120 (exact distribution).",
            ),
            (
                evalstats.quade_test(SCORES, method="f"),
                "Quade test: F(2, 10) = 11.364, p = 0.0027 (F distribution).",
            ),
            (
                evalstats.quade_posthoc_test(SCORES),
                (
                    "Test of Quade's weighted ranks of 3 classifiers on 6 datasets: the smallest of 3 adjusted "
                    "p-values is 0.0117 (normal distribution)."
                ),
            ),
            (
                evalstats.friedman_aligned_test(SCORES, method="monte-carlo", n_resamples=99, rng=1),
                "Friedman test on aligned ranks: χ²(2) = 8.333, p = 0.0200 (99 simulated permutations).",
            ),
            (
                evalstats.friedman_aligned_posthoc_test(SCORES, control=0),
                (
                    "Test of the aligned ranks of 2 classifiers against a control on 6 datasets: the smallest "
                    "of 2 adjusted p-values is 0.0078 (normal distribution)."
                ),
            ),
            (
                evalstats.conover_test(SCORES, adjust="none"),
                (
                    "Conover's test of 3 classifiers on 6 datasets: the smallest of 3 p-values is below 0.001 "
                    "(t distribution)."
                ),
            ),
            (
                evalstats.conover_test(SCORES[:1]),
                (
                    "Conover's test of 3 classifiers on 1 dataset: there is no p-value (t distribution); all "
                    "datasets agree, so that no variance is left to estimate: the t distribution does not apply."
                ),
            ),
            (
                evalstats.siegel_castellan_test(SCORES[:, :2]),
                (
                    "Siegel and Castellan's test of 2 classifiers on 6 datasets: the adjusted p-value is "
                    "0.1025 (normal distribution)."
                ),
            ),
            (
                evalstats.miller_test(SCORES),
                (
                    "Miller's test of 3 classifiers on 6 datasets: the smallest of 3 adjusted p-values is "
                    "0.0155 (χ² approximation)."
                ),
            ),
            (
                evalstats.rank_sum_difference_test(SCORES),
                (
                    "Test of rank-sum differences of 3 classifiers on 6 datasets: the smallest of 3 adjusted "
                    "p-values is 0.0094 (exact distribution)."
                ),
            ),
            (
                evalstats.friedman_dunnett_test(SCORES, control=2),
                (
                    "Dunnett's test of the mean ranks of 2 classifiers against a control on 6 datasets: the "
                    "smallest of 2 adjusted p-values is 0.0075 (multivariate normal distribution)."
                ),
            ),
            (
                evalstats.rm_anova_test(SCORES),
                "Repeated-measures ANOVA: F(2, 10) = 11.364, p = 0.0027 (F distribution).",
            ),
            (
                evalstats.rm_anova_test(SCORES, correction="greenhouse-geisser"),
                (
                    "Repeated-measures ANOVA: F(2, 10) = 11.364, p = 0.0084 (F distribution, Greenhouse and "
                    "Geisser's ε = 0.712)."
                ),
            ),
            (
                evalstats.rm_anova_test(SCORES, correction="huynh-feldt"),
                (
                    "Repeated-measures ANOVA: F(2, 10) = 11.364, p = 0.0037 (F distribution, Huynh and "
                    "Feldt's ε = 0.914)."
                ),
            ),
            (
                evalstats.tukey_test(SCORES),
                (
                    "Tukey's test of 3 classifiers on 6 datasets: the smallest of 3 adjusted p-values is 0.0020 "
                    "(studentized range distribution)."
                ),
            ),
            (
                evalstats.dunnett_test(SCORES, control=2),
                (
                    "Dunnett's test of the mean scores of 2 classifiers against a control on 6 datasets: the "
                    "smallest of 2 adjusted p-values is 0.0014 (multivariate t distribution)."
                ),
            ),
        ],
        ids=lambda value: type(value).__name__ if isinstance(value, HypothesisTestResult) else "",
    )
    def test_sentence_of_each_result(self, result: HypothesisTestResult, words: str) -> None:
        assert report.sentence(result) == words

    def test_monte_carlo_names_its_sample(self) -> None:
        said = report.sentence(friedman_test(SCORES, method="monte-carlo", n_resamples=99, rng=1))

        assert "(99 simulated permutations)" in said

    def test_reason_is_told(self) -> None:
        result = sign_test([1, 2], [1, 2])

        assert report.sentence(result).endswith(f"; {result.reason}.")

    def test_missing_pvalue_is_not_a_small_one(self) -> None:
        """A constant difference has no t-test: the sentence says that there is no p-value."""
        said = report.sentence(paired_ttest([1.0, 2.0, 3.0], [0.0, 1.0, 2.0]))

        assert "no p-value" in said
        assert "p =" not in said

    def test_batch_is_refused(self) -> None:
        with pytest.raises(ValueError, match="it is a batch of results"):
            report.sentence(sign_test([X, X], [Y, Y]))

    def test_other_things_are_refused(self) -> None:
        with pytest.raises(TypeError, match=r"record must be what evalstats returns, .* not str"):
            report.sentence("p < 0.05")

    def test_every_result_class_has_a_sentence(self) -> None:
        """Of tests, estimates and posteriors; and each sentence has its class."""
        inside = pkgutil.iter_modules(evalstats.__path__, "evalstats.")
        rooms = [importlib.import_module(m.name) for m in inside if m.ispkg]
        exported = {c for room in rooms for name in room.__all__ if inspect.isclass(c := getattr(room, name))}
        results = (HypothesisTestResult, EstimateResult, PosteriorResult)

        leaves = {c.__name__ for c in exported if issubclass(c, results) and not c.__subclasses__()}

        assert leaves == set(sentences.SENTENCES)


NOTES = {
    "datasets-dropped": ("all pairs: datasets dropped", "1 dataset was left out because scores were missing: c."),
    "degenerate": ("two: everything tied", "The data are degenerate: all differences are zero"),
    "depends-on-the-analysis": ("all pairs: robustness", "Other valid analyses decide otherwise on 4 pairs"),
    "design-cannot-reach-alpha": (
        "two: design too small",
        (
            "This design cannot reach α = 0.05: the smallest p-value of the Wilcoxon signed-rank test with these "
            "datasets and ties is 0.1250. Only more datasets can change that."
        ),
    ),
    "few-datasets-asymptotic": ("all pairs: chi2, few datasets", "rests on no more than 14 datasets; the exact"),
    "missing-cells": (
        "all pairs: scores missing",
        "10 of 56 scores are missing, on 9 datasets. The Skillings-Mack test is right only if none is missing because",
    ),
    "no-common-dataset": (
        "all pairs: no common dataset",
        "of pairs without a common dataset: classifier 3 with classifier 1.",
    ),
    "monte-carlo": ("all pairs: monte carlo", "simulated from 999 random permutations with the seed 1; another seed"),
    "no-critical-difference": (
        "all pairs: holm",
        "Conover test adjusts its p-values by Holm's method: there is no single",
    ),
    "ranks-say-otherwise": ("all pairs: ranks say otherwise", "the Tukey HSD test decides by the scores"),
    "one-run": ("all pairs: one run", "Each score comes from one run of its cross-validation"),
    "runs-disagree": ("two: repeats", "a verdict from one run would not be reproducible"),
    "omnibus-without-pairs": ("all pairs: rejects, no pair differs", "This is no contradiction"),
    "pairs-without-omnibus": ("all pairs: pairs without omnibus", "no conclusion is drawn from them"),
    "pool-dependence": ("control: one better", "depend on all classifiers in the table"),
    "posthoc-cannot-reach-alpha": (
        "control: post-hoc too small",
        (
            "No classifier could be shown to differ from the control by the Bonferroni-Dunn test on 2 datasets: "
            "its smallest p-value is 0.0604."
        ),
    ),
    "wilcoxon-and-sign-disagree": (
        "two: only Wilcoxon rejects",
        "At α = 0.05 the Wilcoxon signed-rank test (p = 0.0",
    ),
}


class TestNotes:
    @pytest.mark.parametrize("code", describe.NOTES)
    def test_note_of_each_code(self, named: Callable[[str], Comparison], code: str) -> None:
        name, words = NOTES[code]

        said = describe.note(code, named(name))

        assert code in named(name).notes
        assert words in "".join(part for part in said if isinstance(part, str))

    def test_every_code_of_a_comparison_has_a_note(self) -> None:
        assert set(describe.NOTES) == set(OVER_DATASETS)
        assert set(one_dataset.NOTES) == set(ON_ONE_DATASET)

    def test_groups_that_no_dataset_links_are_named(self, named: Callable[[str], Comparison]) -> None:
        said = describe.note("degenerate", named("all pairs: groups that nothing links"))

        assert "groups of classifiers: classifier 1 and classifier 2; classifier 3 and classifier 4." in said[0]

    def test_unknown_code_is_an_error(self, named: Callable[[str], Comparison]) -> None:
        with pytest.raises(ValueError, match=r"notes must be among 'datasets-dropped', .* but one is 'astrology'"):
            report.document(replace(named("two: not rejected"), notes=("astrology",)))

    def test_who_disagrees_is_told_both_ways(self, named: Callable[[str], Comparison]) -> None:
        for name, first in (("Wilcoxon", "Wilcoxon signed-rank"), ("the sign test", "sign")):
            c = named(f"two: only {name} rejects")

            said = describe.note("wilcoxon-and-sign-disagree", c)[0]

            assert said.startswith(f"At α = 0.05 the {first} test (p = 0.0")

    def test_other_degenerate_notes(self, named: Callable[[str], Comparison]) -> None:
        tied = describe.note("degenerate", named("all pairs: everything tied"))
        one_order = describe.note("degenerate", named("all pairs: one order, few datasets"))
        few = describe.note("few-datasets-asymptotic", named("two: asymptotic, few datasets"))

        assert tied[0].startswith("The data are degenerate: ")
        assert one_order[0].startswith("All datasets put the classifiers in one order: F is infinite")
        assert "rests on no more than 8 differences other than zero" in few[0]
