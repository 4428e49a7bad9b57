"""Each result has a sentence, each note has one, and no sentence says more than was found."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import evalstats
from evalstats import (
    bonferroni_dunn_test,
    cochran_q_test,
    corrected_ttest,
    delong_test,
    equivalence_test,
    friedman_test,
    ftest_5x2cv,
    mcnemar_test,
    nemenyi_test,
    noninferiority_test,
    paired_ttest,
    pairwise_mcnemar_test,
    pairwise_wilcoxon_test,
    permutation_test,
    report,
    sign_test,
    ttest_5x2cv,
    wilcoxon_test,
)
from evalstats._declarations import all_declarations
from evalstats._result import EstimateResult, HypothesisTestResult
from evalstats.adjustment import EValueAdjustment, adjust_e_values
from evalstats.bayes import PosteriorResult
from evalstats.metrics import (
    BrierDecomposition,
    DecisionCurve,
    GroupGaps,
    ReliabilityCurve,
    brier_decomposition,
    decision_curve,
    group_gaps,
    reliability_curve,
)
from evalstats.multiple import RankConfidenceSets
from evalstats.paired import (
    NetBenefitDifference,
    delong_unpaired_test,
    metric_bootstrap_test,
    metric_permutation_test,
    naive_resampled_ttest,
    net_benefit_difference,
    sensitivity_specificity_test,
    square_table_test,
    ttest_10x10,
)
from evalstats.pairwise import (
    pairwise_corrected_ttest,
    pairwise_delong_test,
    pairwise_paired_ttest,
    pairwise_sign_test,
)
from evalstats.report import sentences

X, Y = [5, 7, 3, 8, 6, 4], [4, 4, 4, 4, 1, 4]
SCORES = np.array(
    [[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [3.0, 2.0, 1.0], [3.0, 2.0, 1.0], [2.0, 3.0, 1.0], [3.0, 2.0, 1.0]]
)


EVENTS = ([0] * 15 + [1] * 5) + ([0] * 5 + [1] * 15)
LOW_HIGH = [0.2] * 20 + [0.8] * 20


def test_no_posterior_probability_is_0_or_1() -> None:
    """What no draw shows is not known to be impossible; only equality without a rope is."""
    x, y = np.arange(12) + 5.0, np.arange(12) + 0.0
    drawn = report.sentence(evalstats.bayes_signed_rank_test(x, y, rope=0.01, rng=1))

    assert "x scores higher with a probability above 0.999, y with a probability below 0.001" in drawn
    assert "practically equivalent (within 0.01) with a probability below 0.001 (50,000 draws" in drawn
    assert "equal with a probability of 0.000" in report.sentence(
        evalstats.bayes_correlated_ttest([1.0, 2, 4], [0.0, 0, 1], n_train=9, n_test=1)
    )


class TestSentences:
    @pytest.mark.parametrize(
        ("result", "words"),
        [
            (
                wilcoxon_test(X, Y),
                (
                    "Wilcoxon signed-rank test: W+ = 13.5 over 5 differences other than zero, p = 0.188 "
                    "(exact distribution)."
                ),
            ),
            (
                wilcoxon_test([1, 2], [0, 2], method="asymptotic", alternative="greater"),
                (
                    "Wilcoxon signed-rank test: W+ = 1 over 1 difference other than zero, p = 0.500 (normal "
                    "approximation); one-sided, alternative 'greater'."
                ),
            ),
            (
                sign_test(X, Y),
                ("Sign test: x is larger in 4 pairs, smaller in 1 and tied in 1, p = 0.375 (binomial distribution)."),
            ),
            (
                paired_ttest([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]),
                "Paired t-test: mean difference 2.00, t(2) = 3.464, p = 0.0742 (t distribution).",
            ),
            (
                corrected_ttest([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], n_train=2, n_test=1),
                ("Corrected resampled t-test: mean difference 2.00, t(2) = 2.191, p = 0.160 (t distribution)."),
            ),
            (
                naive_resampled_ttest([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]),
                (
                    "Naive resampled t-test, for comparison only since its p-value is too small: mean difference 2.00, "
                    "t(2) = 3.464, p = 0.0742 (t distribution)."
                ),
            ),
            (
                evalstats.paired.sequential_sign_test(X, Y),
                (
                    "Sequential sign test: x is larger in 4 pairs, smaller in 1 and tied in 1, largest e-value "
                    "1.33, p = 0.750 (valid at any time, beta-binomial mixture)."
                ),
            ),
            (
                evalstats.paired.betting_test([1, 1, 1, 0, 1], [0, 0, 0, 0, 1], null_difference=-0.1),
                (
                    "Test by betting: mean difference 0.600 against −0.1 over 5 pairs between −1 and 1, largest "
                    "e-value 2.33, p = 0.429 (valid at any time, by betting)."
                ),
            ),
            (
                ttest_10x10([[1, 3], [4, 0]], [[0, 0], [0, 0]], averaging="sorted-runs", df=2.5),
                (
                    "Bouckaert's t-test on averages over the sorted runs of 2 runs of 2 folds: mean "
                    "difference 2.00, t(2.5) = 1.764, with degrees of freedom as given, p = 0.194 (t "
                    "distribution)."
                ),
            ),
            (
                pairwise_corrected_ttest([[11, 10, 9], [12, 10, 10], [13, 10, 8]], n_train=2, n_test=1),
                (
                    "Corrected resampled t-tests of 3 classifiers over 3 folds: the smallest of 3 adjusted "
                    "p-values is 0.479 (t distribution)."
                ),
            ),
            (
                pairwise_corrected_ttest([[1, 2], [2, 3]], n_train=1, n_test=1, control=0),
                (
                    "Corrected resampled t-tests of 1 classifier against a control over 2 folds: there is no p-value "
                    "(t distribution); in 1 of 1 pairs, the scores differ by the same amount in every fold, so the "
                    "differences have no variance and the t distribution does not apply; use a test of the "
                    "predictions, such as mcnemar_test."
                ),
            ),
            (
                ttest_5x2cv([[1, 0]] * 5, [[0, 0]] * 5, alternative="greater"),
                (
                    "5x2cv t-test: difference 1.000 in the first fold, t(5) = 1.414, p = 0.108 (t "
                    "distribution), from 0.108 to 0.500 with another fold first; one-sided, alternative "
                    "'greater'."
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
                "5x2cv F-test: mean difference 0.500, F(10, 5) = 1.000, p = 0.535 (F distribution).",
            ),
            (
                delong_test([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8]),
                (
                    "DeLong test: areas under the ROC curves 0.875 and 0.750, t(3.9) = 0.470, p = 0.664 (t "
                    "distribution)."
                ),
            ),
            (
                delong_unpaired_test(
                    [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8], [0, 0, 0, 1, 1], [1, 4, 2, 3, 5]
                ),
                (
                    "DeLong test of two test sets: areas under the ROC curves 0.875 and 0.833, t(7.0) = "
                    "0.151, p = 0.884 (t distribution)."
                ),
            ),
            (
                pairwise_delong_test(
                    [0, 0, 0, 0, 1, 1, 1, 1], np.c_[[1, 2, 3, 6, 4, 5, 7, 8], [1, 6, 5, 2, 4, 3, 7, 8]]
                ),
                ("DeLong test of 2 classifiers on 8 instances: the p-value is 0.664 (t distribution)."),
            ),
            (
                pairwise_wilcoxon_test([[1, 2, 4], [1, 3, 7], [0, 2, 3], [4, 9, 8]]),
                (
                    "Wilcoxon signed-rank tests of 3 classifiers on 4 datasets: the smallest of 3 adjusted "
                    "p-values is 0.375 (exact distribution)."
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
                    "(t distribution); in 1 of 1 pairs, the scores differ by the same amount in every row, so the "
                    "differences have no variance and the t distribution does not apply; use a rank test, such as "
                    "pairwise_wilcoxon_test."
                ),
            ),
            (
                metric_permutation_test([1, 1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0]),
                (
                    "Permutation test of f1: 1.000 and 0.571 in 8 instances, difference 0.429, p = 0.250 (exact "
                    "distribution)."
                ),
            ),
            (
                metric_bootstrap_test([0, 1] * 9, [0, 1] * 9, [0, 1, 1, 1, 0, 0] * 3, n_resamples=99, rng=1),
                (
                    "Paired bootstrap of f1: 1.000 and 0.667 in 18 instances, difference 0.333, p = 0.02 (BCa "
                    "bootstrap, 99 replicates)."
                ),
            ),
            (
                cochran_q_test([[1, 0, 0], [1, 1, 0], [1, 0, 0], [1, 1, 1]]),
                (
                    "Cochran's Q test of 3 classifiers: Q(2) = 4.667 over 3 instances on which they disagree, p = "
                    "0.222 (exact distribution)."
                ),
            ),
            (
                permutation_test(X, Y),
                (
                    "Permutation test: mean difference 2.00 over 6 pairs, 5 differences other than zero, p = "
                    "0.188 (exact distribution)."
                ),
            ),
            (
                permutation_test(X, Y, method="monte-carlo", n_resamples=99, rng=1, alternative="less"),
                (
                    "Permutation test: mean difference 2.00 over 6 pairs, 5 differences other than zero, p = "
                    "0.98 (99 simulated permutations with the seed 1); one-sided, alternative 'less'."
                ),
            ),
            (
                noninferiority_test(X, Y, margin=1, test="sign"),
                (
                    "Test of noninferiority, sign test: difference 2.00 in 6 pairs, margin 1.000, p = 0.0312 (binomial "
                    "distribution); one-sided, alternative 'greater'."
                ),
            ),
            (
                equivalence_test(counts=[[59, 6], [16, 80]], margin=0.15, test="accuracy"),
                (
                    "Test of equivalence (two one-sided tests), accuracy: difference −0.0621 in 161 instances, "
                    "margin 0.150, p = 0.00382 (score test)."
                ),
            ),
            (
                mcnemar_test(counts=[[59, 6], [16, 80]], method="midp"),
                (
                    "McNemar's test: only x is correct in 6 instances and only y in 16 of 161, p = 0.0347 (mid-p of "
                    "the binomial distribution)."
                ),
            ),
            (
                mcnemar_test(counts=[[3, 1], [0, 2]], method="asymptotic", correction=False, alternative="greater"),
                (
                    "McNemar's test: only x is correct in 1 instance and only y in 0 of 6, χ²(1) = 1.000, p = 0.159 "
                    "(normal approximation); one-sided, alternative 'greater'."
                ),
            ),
            (
                mcnemar_test([1, 1, 1, 0, 1], [0, 0, 1, 1, 0], clusters=["a", "a", "b", "b", "c"], method="midp"),
                (
                    "McNemar's test: only x is correct in 3 instances and only y in 1 of 5 in 3 clusters, p = 0.500 "
                    "(mid-p of the exact distribution)."
                ),
            ),
            (
                square_table_test([[20, 5, 2], [10, 30, 4], [7, 9, 25]], method="stuart-maxwell"),
                "The Stuart-Maxwell test of 3 classes in 112 instances: χ²(2) = 6.264, p = 0.0436 (χ² approximation).",
            ),
            (
                sensitivity_specificity_test(positives=[[0, 0], [1, 0]], negatives=[[31, 53], [22, 155]]),
                (
                    "Joint test of sensitivity and specificity in 1 positive instance and 261 negative instances: "
                    "sensitivity of x 0.000 and of y 1.000 (95 % interval of the difference −1.000 to 0.587), "
                    "specificity of x 0.678 and of y 0.797 (95 % interval of the difference −0.183 to −0.0551), "
                    "χ²(2) = 13.813, p = 0.00100 (normal approximation)."
                ),
            ),
            (
                pairwise_mcnemar_test([[1, 1, 0]] * 9 + [[1, 0, 0]] * 3),
                (
                    "McNemar's tests of 3 classifiers on 12 instances: the smallest of 3 adjusted p-values is "
                    "0.00146 (exact distribution)."
                ),
            ),
            (
                pairwise_mcnemar_test([[1, 1, 0]] * 9 + [[1, 0, 0]] * 3, control=2, method="asymptotic", adjust="none"),
                (
                    "McNemar's tests of 2 classifiers against a control on 12 instances: the smallest of 2 p-values "
                    "is 0.00150 (normal approximation)."
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
                "Friedman test: F(2, 10) = 11.364, p = 0.00266 (F approximation of Iman and Davenport).",
            ),
            (
                nemenyi_test(SCORES),
                (
                    "Nemenyi test of 3 classifiers on 6 datasets: the smallest of 3 adjusted p-values is 0.0109 "
                    "(studentized range distribution)."
                ),
            ),
            (
                nemenyi_test(SCORES[:, :2]),
                ("Nemenyi test of 2 classifiers on 6 datasets: the p-value is 0.102 (studentized range distribution)."),
            ),
            (
                bonferroni_dunn_test(SCORES, control=2),
                (
                    "Bonferroni-Dunn test of 2 classifiers against a control on 6 datasets: the smallest of 2"
                    " adjusted p-values is 0.00778 (normal distribution)."
                ),
            ),
            (
                evalstats.multiple.skillings_mack_test([[3, 2, 1], [3, 1, np.nan], [1, np.nan, np.nan]]),
                (  # 6 of the 12 orders are as far apart
                    "Skillings-Mack test on 2 datasets with 3 missing scores: χ²(2) = 2.893, p = 0.500 (exact"
                    " distribution)."
                ),
            ),
            (
                evalstats.multiple.skillings_mack_test(
                    [[3, 2, 1], [3, 1, np.nan], [1, np.nan, np.nan]], method="monte-carlo", rng=1, n_resamples=99
                ),
                (
                    "Skillings-Mack test on 2 datasets with 3 missing scores: χ²(2) = 2.893, p = 0.45 (99 "
                    "simulated permutations with the seed 1)."
                ),
            ),
            (
                evalstats.multiple.durbin_test(SCORES, method="f"),
                "Durbin test: F(2, 10) = 11.364, p = 0.00266 (F distribution).",
            ),
            (
                evalstats.multiple.durbin_test(SCORES, method="chi2"),
                "Durbin test: χ²(2) = 8.333, p = 0.0155 (χ² approximation).",
            ),
            (
                evalstats.multiple.steel_sign_test(SCORES, control=0),
                (
                    "Steel's many-one sign test of 2 classifiers against a control on 6 datasets: the smallest of 2 "
                    "adjusted p-values is 0.0597 (exact distribution)."
                ),
            ),
            (
                evalstats.multiple.jonckheere_block_test(SCORES, alternative="less"),
                (
                    "Jonckheere's test of a trend: J = 2, expected 9, so 11 % of the pairs are in order, "
                    "p = 0.00182 (exact distribution); one-sided, alternative 'less'."
                ),
            ),
            (
                evalstats.multiple.looney_f_test(SCORES > 1.5),
                "Looney's F test: F(2, 10) = 7.000, p = 0.0126 (F distribution).",
            ),
            (
                evalstats.multiple.page_test(SCORES, alternative="less"),
                (
                    "Page test of a trend: L = 62, expected 72, p = 0.00156 (exact distribution); one-sided, "
                    "alternative 'less'."
                ),
            ),
            (
                evalstats.effects.almost_stochastic_order([3, 5, 4], [2, 6, 1]),
                (
                    "Violation ratio of the almost stochastic order of x above y (3 and 3 values): 0.111, upper 95 % "
                    "confidence bound 0.631, standard error 0.316."
                ),
            ),
            (
                evalstats.reproducibility.interquartile_mean([[1, 2, 3, 4], [5, 6, 7, 8]], n_resamples=19),
                "Interquartile mean: 4.500 over 2 runs on 4 datasets, standard error 1.434.",
            ),
            (
                evalstats.reproducibility.probability_of_improvement(
                    [[2, 1], [4, 3]], [[2, 1], [4, 3]], n_resamples=19
                ),
                "Probability of improvement: 0.500 over 2 and 2 runs on 2 datasets, standard error 0.238.",
            ),
            (
                evalstats.multiple.bradley_terry_from_counts([[0, 8], [2, 0]]),
                (
                    "Davidson's model of 2 classifiers in 10 comparisons, 0 of them tied: log-strengths from −0.693 to "
                    "0.693."
                ),
            ),
            (
                evalstats.reproducibility.variance_components(
                    [[0, 2], [3, 5]], factors=["run", "fold"], nested={"fold": ["run"]}
                ),
                "Variance components of 2 (run) x 2 (fold): run 64 %, run:fold 36 %.",
            ),
            (
                evalstats.reproducibility.variance_components(
                    [0.1, 0.2, 0.8, 0.9, 0.4],
                    factors={"question": [1, 1, 2, 2, 3], "sample": [1, 2, 1, 2, 1]},
                    nested={"sample": ["question"]},
                ),
                "Variance components of 3 (question) x 1.5 (sample): question 96 %, question:sample 4 %.",
            ),
            (
                evalstats.multiple.plackett_luce_model([[2, 1]] * 8 + [[1, 2]] * 2),
                "Plackett-Luce model of 2 classifiers on 10 datasets: log-strengths from −0.693 to 0.693.",
            ),
            (
                evalstats.pairwise.pairwise_mean_differences(SCORES, n_resamples=19),
                "Mean differences of 3 classifiers on 6 datasets: the largest is 1.67.",
            ),
            (
                evalstats.quade_test(SCORES),
                "Quade test: F(2, 10) = 11.364, p = 0.0120 (exact distribution).",
            ),
            (
                evalstats.quade_test(SCORES, method="f"),
                "Quade test: F(2, 10) = 11.364, p = 0.00266 (F distribution).",
            ),
            (
                evalstats.multiple.quade_posthoc_test(SCORES),
                (
                    "Test of Quade's weighted ranks of 3 classifiers on 6 datasets: the smallest of 3 adjusted "
                    "p-values is 0.0117 (normal distribution)."
                ),
            ),
            (
                evalstats.friedman_aligned_test(SCORES, method="monte-carlo", n_resamples=99, rng=1),
                (
                    "Friedman test on aligned ranks: χ²(2) = 8.333, p = 0.02 (99 simulated permutations with the "
                    "seed 1)."
                ),
            ),
            (
                evalstats.multiple.friedman_aligned_posthoc_test(SCORES, control=0),
                (
                    "Test of the aligned ranks of 2 classifiers against a control on 6 datasets: the smallest"
                    " of 2 adjusted p-values is 0.00778 (normal distribution)."
                ),
            ),
            (
                evalstats.conover_test(SCORES, adjust="none"),
                (
                    "Conover's test of 3 classifiers on 6 datasets: the smallest of 3 p-values is 7.60e-04 (t"
                    " distribution)."
                ),
            ),
            (
                evalstats.conover_test(SCORES[:1]),
                (
                    "Conover's test of 3 classifiers on 1 dataset: there is no p-value (t distribution); all "
                    "datasets agree, so there is no residual variance and the t distribution does not apply."
                ),
            ),
            (
                evalstats.multiple.siegel_castellan_test(SCORES[:, :2]),
                (
                    "Siegel and Castellan's test of 2 classifiers on 6 datasets: the p-value is "
                    "0.102 (normal distribution)."
                ),
            ),
            (
                evalstats.multiple.miller_test(SCORES),
                (
                    "Miller's test of 3 classifiers on 6 datasets: the smallest of 3 adjusted p-values is "
                    "0.0155 (χ² approximation)."
                ),
            ),
            (
                evalstats.multiple.friedman_exact_posthoc_test(SCORES),
                (
                    "Test of rank-sum differences of 3 classifiers on 6 datasets: the smallest of 3 adjusted "
                    "p-values is 0.00939 (exact distribution)."
                ),
            ),
            (
                evalstats.multiple.friedman_dunnett_test(SCORES, control=2),
                (
                    "Dunnett's test of the mean ranks of 2 classifiers against a control on 6 datasets: the "
                    "smallest of 2 adjusted p-values is 0.00751 (multivariate normal distribution)."
                ),
            ),
            (
                evalstats.rm_anova_test(SCORES),
                "Repeated-measures ANOVA: F(2, 10) = 11.364, p = 0.00266 (F distribution).",
            ),
            (
                evalstats.rm_anova_test(SCORES, correction="greenhouse-geisser"),
                (
                    "Repeated-measures ANOVA: F(2, 10) = 11.364, p = 0.00839 (F distribution, corrected by "
                    "Greenhouse and Geisser's ε = 0.712 for a lack of sphericity)."
                ),
            ),
            (
                evalstats.rm_anova_test(SCORES, correction="huynh-feldt"),
                (
                    "Repeated-measures ANOVA: F(2, 10) = 11.364, p = 0.00373 (F distribution, corrected by "
                    "Huynh and Feldt's ε = 0.914 for a lack of sphericity)."
                ),
            ),
            (
                evalstats.tukey_test(SCORES),
                (
                    "Tukey's test of 3 classifiers on 6 datasets: the smallest of 3 adjusted p-values is "
                    "0.00199 (studentized range distribution)."
                ),
            ),
            (
                evalstats.multiple.dunnett_test(SCORES, control=2),
                (
                    "Dunnett's test of the mean scores of 2 classifiers against a control on 6 datasets: the "
                    "smallest of 2 adjusted p-values is 0.00142 (multivariate t distribution)."
                ),
            ),
        ],
        ids=lambda value: type(value).__name__ if isinstance(value, HypothesisTestResult) else "",
    )
    def test_sentence_of_each_result(self, result: HypothesisTestResult, words: str) -> None:
        assert report.sentence(result) == words

    def test_e_values_are_counted_by_their_decision(self) -> None:
        assert report.sentence(adjust_e_values([200, 90, 30, 4])) == (
            "e-Holm adjustment of 4 e-values: 2 of 4 hypotheses are rejected at α = 0.05, where the adjusted e-value "
            "is 20 or more; the largest is 78.0."
        )
        assert report.sentence(adjust_e_values([200, 90, 30, 4], method="e-bh")).endswith(
            "the false discovery rate is of the current e-values only: with more data, e-BH may no longer reject "
            "a hypothesis that it rejects now."
        )

    def test_decision_curve_names_the_best_decision(self) -> None:
        curve = decision_curve(EVENTS, [LOW_HIGH, [0.5] * 40], thresholds=[0.05, 0.3, 0.6])

        assert report.sentence(curve).startswith(
            "Decision curve at 3 thresholds from 0.05 to 0.6 for 40 instances: the net benefit is the largest for "
            "classifier 0 at 2, for predicting all positive at 1"
        )

    def test_net_benefits_are_compared_by_name(self) -> None:
        found = net_benefit_difference(EVENTS, LOW_HIGH, [0.5] * 40, thresholds=[0.3, 0.6], rng=1)

        told = report.sentence(found, names=("new", "old"))

        assert told.startswith("Net benefit of new minus old at 2 thresholds from 0.3 to 0.6 for 40 instances: new is ")
        assert (
            "new is better at 0 and old at 0 by the simultaneous 95 % band; the largest difference is 0.188 (" in told
        )
        assert found.difference[1] == pytest.approx(15 / 40 - 5 / 40 * 1.5)

    def test_gaps_name_their_subgroups(self) -> None:
        told = report.sentence(group_gaps(EVENTS, np.array(LOW_HIGH) > 0.5, ["a"] * 20 + ["b"] * 20))

        assert told.startswith(
            "Largest differences between 2 subgroups (simultaneous 95 % limits): true positive rate "
        )
        assert "selection rate 1.000 (0.772 to 1.000), b minus a; equalized odds 1.000" in told

    def test_calibration_curve_and_score_have_the_words_of_the_calibration_report(self) -> None:
        curve = reliability_curve(EVENTS, [0.05] * 20 + [0.8] * 20, method="uniform", band="confidence")
        score = report.sentence(brier_decomposition(EVENTS, LOW_HIGH))

        assert report.sentence(curve) == (
            "Reliability curve of 40 instances (uniform bins): the frequency of the positive class differs most from "
            "the probability at 0.050, where it is 0.250; the probability is outside of the 95 % confidence band for "
            "50 % of the instances."
        )
        assert score.startswith("Brier score of 40 instances: 0.190 = miscalibration 0.003 − discrimination 0.06")
        assert score.endswith("+ uncertainty 0.250 (isotonic fit).")

    def test_monte_carlo_names_its_sample(self) -> None:
        said = report.sentence(friedman_test(SCORES, method="monte-carlo", n_resamples=99, rng=1))

        assert "p = 0.02 (99 simulated permutations with the seed 1)" in said

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
        with pytest.raises(TypeError, match=r"record must be a result of evalstats, .* not str"):
            report.sentence("p < 0.05")

    def test_every_result_class_has_a_sentence(self) -> None:
        """Of tests, estimates, posteriors and sets of ranks; and each sentence has its class."""
        inside = pkgutil.iter_modules(evalstats.__path__, "evalstats.")
        rooms = [importlib.import_module(m.name) for m in inside if m.ispkg]
        exported = {c for room in rooms for name in room.__all__ if inspect.isclass(c := getattr(room, name))}
        others = (
            BrierDecomposition,
            DecisionCurve,
            EValueAdjustment,
            GroupGaps,
            NetBenefitDifference,
            ReliabilityCurve,
        )
        results = (HypothesisTestResult, EstimateResult, PosteriorResult, RankConfidenceSets, *others)

        leaves = {c.__name__ for c in exported if issubclass(c, results) and not c.__subclasses__()}

        assert leaves == set(sentences.SENTENCES) | {one.result for one in all_declarations() if one.sentence}
