"""Registry of the tests of a comparison, with the options of each test.

Every test is declared by its name, with the options that it supports.
"""

from __future__ import annotations

__all__ = [
    "OMNIBUS_TESTS",
    "ON_COMMON_DATASETS",
    "PARAMETRIC",
    "POSTERIOR_TESTS",
    "POSTHOC_TESTS",
    "TESTS_OF_DIFFERENCES",
    "TESTS_OF_TWO",
    "DeclaredTest",
    "DifferenceTest",
    "OmnibusTest",
    "PairTest",
    "PosthocTest",
]

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from evalstats._types import BoolArray


@dataclass(frozen=True, kw_only=True)
class DeclaredTest:
    """Declaration of a statistical test.

    `words` is the name in a sentence, and `cited` are keys of the bibliography. `methods` contains the null
    distributions that `method` can select. It is empty if there is only one. `simulates` states whether the test
    accepts `n_resamples` and `rng`. `instead` names a test that does not require a variance. If the declared test has
    no p-value, the test `instead` decides. For overlapping folds, no test without a variance is known to control the
    type-I error rate.
    """

    words: str
    cited: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    simulates: bool = False
    instead: str = ""

    def taken(self, choices: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options among `method`, `n_resamples` and `rng` that the test supports."""
        taken = {name: choices[name] for name in ("n_resamples", "rng") if self.simulates and name in choices}
        return taken | ({"method": choices["method"]} if choices.get("method") in self.methods else {})


@dataclass(frozen=True, kw_only=True)
class _RunnableTest(DeclaredTest):
    """Test over datasets, a public function of a subpackage that is loaded when the test is run.

    `assumes_normality` states whether the test assumes normal differences over datasets.
    """

    function: str
    package: str = "multiple"
    assumes_normality: bool = False

    def _run(self, *scores: Any, **choices: Any) -> Any:
        function: Callable[..., Any] = getattr(import_module(f"evalstats.{self.package}"), self.function)
        return function(*scores, **choices)


@dataclass(frozen=True, kw_only=True)
class PairTest(_RunnableTest):
    """Test whether two classifiers differ over datasets."""

    package: str = "paired"

    def run(self, x: Any, y: Any, *, tie_tolerance: float, **choices: Any) -> Any:
        """Return the result of the test."""
        return self._run(x, y, tie_tolerance=tie_tolerance, **choices)


@dataclass(frozen=True, kw_only=True)
class OmnibusTest(_RunnableTest):
    """Test whether several classifiers differ.

    `is_directed` states whether the result shows which classifier is better, and whether the test accepts
    `greater_is_better`. `always` holds arguments that every comparison passes.
    """

    instead: str = "friedman"
    is_directed: bool = True
    always: tuple[tuple[str, Any], ...] = ()

    def run(self, scores: Any, *, greater_is_better: bool, tie_tolerance: float, **choices: Any) -> Any:
        """Return the result of the test."""
        direction = {"greater_is_better": greater_is_better} if self.is_directed else {}
        return self._run(scores, tie_tolerance=tie_tolerance, **direction, **dict(self.always), **choices)


@dataclass(frozen=True, kw_only=True)
class PosthocTest(_RunnableTest):
    """Test which pairs of classifiers differ, or which classifiers differ from a control.

    `omnibus` is the omnibus test that belongs to this test. `pairs` and `control` state whether it can test
    all pairs and all comparisons with a control. `adjusts` states whether its p-values require an adjustment. If not,
    the p-values apply to the whole family. `has_critical_difference` states whether the test has a critical difference
    of mean ranks. `depends_on_the_pool` states whether the other classifiers can change the p-value of a pair before it
    is adjusted. `effect` is the field of the result whose sign shows which classifier of a pair is better. It is empty
    if the mean ranks show which classifier is better. If `compares_scores` is True, the field is above 0 if the first
    classifier has the larger scores. If `compares_scores` is False, the field is below 0 if the first classifier is
    better. `always` holds arguments that every comparison passes. `bound` is the name under which `minimum_sample_size`
    computes the minimum attainable p-value, before adjustment. It is empty if `minimum_sample_size` does not support
    the test.
    """

    instead: str = "wilcoxon"
    omnibus: str = "friedman"
    pairs: bool = True
    control: bool = True
    adjusts: bool = True
    has_critical_difference: bool = False
    depends_on_the_pool: bool = True
    effect: str = ""
    compares_scores: bool = False
    always: tuple[tuple[str, Any], ...] = ()
    bound: str = ""

    @property
    def is_gated(self) -> bool:
        """Whether a pair is significantly different only if the omnibus test also rejects.

        If other classifiers can change the p-value of a pair, they may cause a small p-value for two classifiers that
        perform equally. The family-wise error rate is then controlled only if all classifiers perform equally.
        Therefore, the omnibus test must first reject this null hypothesis. A test that uses only the scores of each
        pair, or resamples all pairs together, does not require the omnibus test.
        """
        return self.depends_on_the_pool

    def different(self, rejected: BoolArray, leading: BoolArray | bool) -> BoolArray:
        """Return which pairs differ, from the decisions of the pairwise test and of the omnibus test."""
        return np.asarray(rejected & leading if self.is_gated else rejected)

    def run(
        self,
        scores: Any,
        *,
        control: int | None,
        adjust: str,
        greater_is_better: bool,
        tie_tolerance: float,
        **choices: Any,
    ) -> Any:
        """Return the result of the test; `choices` contains the options that the test supports."""
        of_family: dict[str, Any] = {"control": control} if self.control else {}
        if self.adjusts:
            of_family["adjust"] = adjust
        if not self.compares_scores:
            of_family["greater_is_better"] = greater_is_better
        return self._run(scores, tie_tolerance=tie_tolerance, **of_family, **dict(self.always), **choices)


TESTS_OF_TWO: dict[str, PairTest] = {
    "wilcoxon": PairTest(
        words="Wilcoxon signed-rank test",
        function="wilcoxon_test",
        methods=("auto", "exact", "asymptotic"),
    ),
    "sign": PairTest(words="sign test", function="sign_test"),
    "permutation": PairTest(
        words="permutation test of the mean",
        function="permutation_test",
        methods=("auto", "exact", "monte-carlo"),
        simulates=True,
    ),
    "paired-t": PairTest(words="paired t-test", function="paired_ttest", assumes_normality=True),
}

OMNIBUS_TESTS: dict[str, OmnibusTest] = {
    "friedman": OmnibusTest(
        words="Friedman test",
        function="friedman_test",
        cited=("friedman1937",),
        methods=("auto", "exact", "chi2", "f", "monte-carlo"),
        simulates=True,
    ),
    "friedman-aligned": OmnibusTest(
        words="Friedman aligned-ranks test",
        function="friedman_aligned_test",
        cited=("hodges1962",),
        methods=("auto", "exact", "monte-carlo", "chi2"),
        simulates=True,
    ),
    "quade": OmnibusTest(
        words="Quade test",
        function="quade_test",
        cited=("quade1979",),
        methods=("auto", "exact", "monte-carlo", "f"),
        simulates=True,
    ),
    "skillings-mack": OmnibusTest(
        words="Skillings-Mack test",
        function="skillings_mack_test",
        cited=("skillings1981",),
        methods=("auto", "exact", "monte-carlo", "chi2"),
        simulates=True,
    ),
    "rm-anova": OmnibusTest(
        words="repeated-measures ANOVA",
        function="rm_anova_test",
        cited=("fisher1925",),
        assumes_normality=True,
        is_directed=False,
        # valid with and without sphericity; a preliminary test of sphericity does not improve the choice
        always=(("correction", "greenhouse-geisser"),),
    ),
}

# the first test after an omnibus test other than Friedman's test is the default of `compare`
POSTHOC_TESTS: dict[str, PosthocTest] = {
    "wilcoxon": PosthocTest(
        words="Wilcoxon signed-rank test",
        package="pairwise",
        function="pairwise_wilcoxon_test",
        cited=("wilcoxon1945",),
        depends_on_the_pool=False,
        effect="rank_biserial",
        compares_scores=True,
        bound="wilcoxon",
    ),
    "sign": PosthocTest(
        words="sign test",
        package="pairwise",
        function="pairwise_sign_test",
        cited=("demsar2006",),
        depends_on_the_pool=False,
        effect="win_difference",
        compares_scores=True,
        bound="sign",
    ),
    "nemenyi": PosthocTest(
        words="Nemenyi test",
        function="nemenyi_test",
        cited=("nemenyi1963",),
        control=False,
        adjusts=False,
        has_critical_difference=True,
        bound="nemenyi",
    ),
    "bonferroni-dunn": PosthocTest(
        words="Bonferroni-Dunn test",
        function="bonferroni_dunn_test",
        cited=("dunn1961",),
        pairs=False,
        adjusts=False,
        has_critical_difference=True,
        bound="bonferroni-dunn",
    ),
    "friedman-dunnett": PosthocTest(
        words="Dunnett form of the Friedman comparisons with a control",
        function="friedman_dunnett_test",
        cited=("dunnett1955",),
        pairs=False,
        adjusts=False,
        has_critical_difference=True,
    ),
    "siegel-castellan": PosthocTest(
        words="Siegel-Castellan test",
        function="siegel_castellan_test",
        cited=("siegel1988",),
    ),
    "conover": PosthocTest(words="Conover test", function="conover_test", cited=("conover1999",)),
    "rank-sum": PosthocTest(
        words="exact rank-sum test",
        function="friedman_exact_posthoc_test",
        cited=("eisinga2017",),
    ),
    "miller": PosthocTest(
        words="Miller test",
        function="miller_test",
        cited=("miller1981",),
        adjusts=False,
        has_critical_difference=True,
    ),
    "friedman-aligned": PosthocTest(
        words="z test of aligned ranks",
        function="friedman_aligned_posthoc_test",
        omnibus="friedman-aligned",
        cited=("garcia2010",),
        effect="statistic",
    ),
    "quade": PosthocTest(
        words="z test of Quade's ranks",
        function="quade_posthoc_test",
        omnibus="quade",
        cited=("quade1979",),
        effect="statistic",
    ),
    "tukey": PosthocTest(
        words="Tukey HSD test",
        function="tukey_test",
        omnibus="rm-anova",
        cited=("tukey1949",),
        assumes_normality=True,
        control=False,
        adjusts=False,
        effect="mean_difference",
        compares_scores=True,
    ),
    "dunnett": PosthocTest(
        words="Dunnett test",
        function="dunnett_test",
        omnibus="rm-anova",
        cited=("dunnett1955",),
        assumes_normality=True,
        pairs=False,
        adjusts=False,
        effect="mean_difference",
        compares_scores=True,
    ),
    "steel": PosthocTest(
        words="many-one sign test of Steel",
        function="steel_sign_test",
        cited=("steel1959",),
        simulates=True,
        pairs=False,
        adjusts=False,
        depends_on_the_pool=False,
        effect="win_difference",
        compares_scores=True,
        bound="steel",
    ),
    "max-t": PosthocTest(
        words="step-down max-T test of signed ranks",
        package="pairwise",
        function="pairwise_max_t_test",
        cited=("westfall1993", "wilcoxon1945"),
        simulates=True,
        adjusts=False,
        depends_on_the_pool=False,
        effect="statistic",
        compares_scores=True,
        always=(("ranks", True),),
        bound="permutation",
    ),
    "max-t-means": PosthocTest(
        words="step-down max-T test of the means",
        package="pairwise",
        function="pairwise_max_t_test",
        cited=("romano2005",),
        simulates=True,
        adjusts=False,
        depends_on_the_pool=False,
        effect="mean_difference",
        compares_scores=True,
        bound="permutation",
    ),
    "romano-wolf": PosthocTest(
        words="Romano-Wolf bootstrap test of the means",
        package="pairwise",
        function="pairwise_max_t_test",
        cited=("romano2005", "romano2016"),
        simulates=True,
        adjusts=False,
        depends_on_the_pool=False,
        effect="mean_difference",
        compares_scores=True,
        always=(("method", "bootstrap"),),
    ),
    "range": PosthocTest(
        words="randomized Tukey HSD test",
        package="pairwise",
        function="pairwise_max_t_test",
        cited=("carterette2012",),
        simulates=True,
        control=False,
        adjusts=False,
        effect="mean_difference",
        compares_scores=True,
        always=(("method", "range"),),
    ),
    "paired-t": PosthocTest(
        words="paired t-test",
        package="pairwise",
        function="pairwise_paired_ttest",
        omnibus="rm-anova",
        cited=("demsar2006",),
        assumes_normality=True,
        depends_on_the_pool=False,
        effect="mean_difference",
        compares_scores=True,
    ),
}

# tests that compare each pair alone, on its common datasets if scores are missing
ON_COMMON_DATASETS = ("wilcoxon", "sign")


# tests that assume normal differences over datasets
PARAMETRIC = tuple(
    name
    for tests in (TESTS_OF_TWO, OMNIBUS_TESTS, POSTHOC_TESTS)
    for name, test in tests.items()
    if test.assumes_normality
)


@dataclass(frozen=True, kw_only=True)
class DifferenceTest(DeclaredTest):
    """Test of the differences between two classifiers on one dataset, or between two models on questions.

    `design` is the code of the design. `of_several` is the name of the test in `which_test` for several classifiers.
    `analyses` contains the names in `ANALYSES` of this test and of the other tests that are valid for the same data.
    """

    design: str
    of_several: str = ""
    analyses: tuple[str, ...] = ()


# tests of posterior probabilities, with their names in a report
POSTERIOR_TESTS: dict[str, str] = {
    "accuracy": "Bayesian test of two accuracies",
    "correlated-t": "Bayesian correlated t-test",
    "sign": "Bayesian sign test",
    "signed-rank": "Bayesian signed-rank test",
}

# analyses of one dataset, with their names in a report
ANALYSES: dict[str, str] = {
    "5x2-f": "combined 5×2 cv F test",
    "5x2-t": "5×2 cv t-test",
    "bootstrap": "paired bootstrap",
    "corrected-t": "corrected resampled t-test",
    "delong": "DeLong test",
    "mcnemar-chi2": "McNemar test, χ² without correction",
    "mcnemar-chi2-corrected": "McNemar test, χ² with correction",
    "mcnemar-exact": "exact McNemar test",
    "mcnemar-midp": "mid-p McNemar test",
    "paired-permutation": "paired permutation test of the runs",
    "paired-t": "paired t-test",
    "permutation": "permutation test",
}
TESTS_OF_DIFFERENCES: dict[str, DifferenceTest] = {
    "corrected_ttest": DifferenceTest(
        words="corrected resampled t-test",
        cited=("nadeau2003",),
        design="folds",
        of_several="pairwise_corrected_ttest",
        analyses=("corrected-t",),
    ),
    "ftest_5x2cv": DifferenceTest(
        words="combined 5×2 cv F test", cited=("alpaydin1999",), design="folds", analyses=("5x2-f", "5x2-t")
    ),
    "paired_ttest": DifferenceTest(
        words="paired t-test",
        cited=("demsar2006",),
        design="runs",
        of_several="pairwise_paired_ttest",
        analyses=("paired-t", "paired-permutation"),
    ),
    "delong_test": DifferenceTest(
        words="DeLong test",
        cited=("delong1988",),
        design="instances",
        of_several="pairwise_delong_test",
        # a test that exchanges the two classifiers needs no variance
        instead="metric_permutation_test",
        analyses=("delong", "permutation", "bootstrap"),
    ),
    "mcnemar_test": DifferenceTest(
        words="exact McNemar test",
        cited=("mcnemar1947",),
        design="instances",
        of_several="cochran_q_test",
        analyses=("mcnemar-exact", "mcnemar-midp", "mcnemar-chi2", "mcnemar-chi2-corrected"),
    ),
    "metric_permutation_test": DifferenceTest(
        words="permutation test",
        cited=("yeh2000",),
        simulates=True,
        design="instances",
        analyses=("permutation", "bootstrap"),
    ),
    "clustered_ttest": DifferenceTest(
        words="cluster-robust t-test", cited=("bell2002",), design="questions", instead="clustered_permutation_test"
    ),
    "clustered_permutation_test": DifferenceTest(
        words="cluster-wise permutation test", simulates=True, design="questions"
    ),
    "pairwise_betting_test": DifferenceTest(
        words="betting test", cited=("waudbysmith2024", "vovk2021"), design="questions"
    ),
    "pairwise_max_t_test": DifferenceTest(
        words="cluster-wise step-down max-T test", cited=("westfall1993",), simulates=True, design="questions"
    ),
    "range": DifferenceTest(
        words="randomized Tukey HSD test", cited=("carterette2012",), simulates=True, design="questions"
    ),
}
