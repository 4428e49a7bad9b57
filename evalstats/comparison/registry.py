"""Which tests answer the same question for a table of several classifiers? Omnibus tests and post-hoc tests by name."""

from __future__ import annotations

__all__ = [
    "OMNIBUS_TESTS",
    "ON_COMMON_DATASETS",
    "POSTHOC_TESTS",
    "TESTS_ON_ONE_DATASET",
    "OmnibusTest",
    "OneDatasetTest",
    "PosthocTest",
]

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import signature
from typing import Any


@dataclass(frozen=True, kw_only=True)
class OmnibusTest:
    """A test whether several classifiers differ at all.

    `stem` is the module that holds the function; it is loaded when the test is run. `words` is its name in a sentence,
    `cited` are keys of the bibliography.
    """

    words: str
    stem: str
    function: str
    cited: tuple[str, ...]

    def run(self, scores: Any, **choices: Any) -> Any:
        """Return the result of the test; choices that it does not have are left out."""
        function = _function(self.stem, self.function)
        return function(scores, **_known(function, choices))


@dataclass(frozen=True, kw_only=True)
class PosthocTest:
    """A test which pairs differ, or which classifiers differ from a control.

    `omnibus` is the test that leads it. `pairs` and `control` say which families it can test; `adjusts` whether its
    p-values are adjusted pair by pair, so that the method can be chosen, or hold for the whole family by themselves;
    `has_critical_difference` whether one difference of mean ranks separates what differs from what does not;
    `depends_on_the_pool` whether the other classifiers can change the p-value of a pair before it is adjusted. `effect`
    is the field of its result whose sign tells which of a pair is better, and empty where the mean ranks tell it: with
    `compares_scores` it is above 0 where the first has the larger scores, otherwise below 0 where the first is better.
    """

    words: str
    stem: str
    function: str
    omnibus: str
    cited: tuple[str, ...]
    pairs: bool = True
    control: bool = True
    adjusts: bool = True
    has_critical_difference: bool = False
    depends_on_the_pool: bool = True
    effect: str = ""
    compares_scores: bool = False

    def run(self, scores: Any, *, control: int | None, adjust: str, **choices: Any) -> Any:
        """Return the result of the test; choices that it does not have are left out."""
        function = _function(self.stem, self.function)
        return function(scores, **_known(function, {**choices, "control": control, "adjust": adjust}))


def _known(function: Callable[..., Any], choices: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in choices.items() if name in _parameters(function)}


@cache
def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    return frozenset(signature(function).parameters)


def _function(stem: str, name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(import_module(f"evalstats.{stem}"), name)
    return function


OMNIBUS_TESTS: dict[str, OmnibusTest] = {
    "friedman": OmnibusTest(
        words="Friedman test", stem="multiple.friedman", function="friedman_test", cited=("friedman1937",)
    ),
    "friedman-aligned": OmnibusTest(
        words="Friedman aligned-ranks test",
        stem="multiple.friedman_aligned",
        function="friedman_aligned_test",
        cited=("hodges1962",),
    ),
    "quade": OmnibusTest(words="Quade test", stem="multiple.quade", function="quade_test", cited=("quade1979",)),
    "skillings-mack": OmnibusTest(
        words="Skillings-Mack test",
        stem="multiple.skillings_mack",
        function="skillings_mack_test",
        cited=("skillings1981",),
    ),
    "rm-anova": OmnibusTest(
        words="repeated-measures ANOVA", stem="multiple.rm_anova", function="rm_anova_test", cited=("fisher1925",)
    ),
}

POSTHOC_TESTS: dict[str, PosthocTest] = {
    "nemenyi": PosthocTest(
        words="Nemenyi test",
        stem="multiple.nemenyi",
        function="nemenyi_test",
        omnibus="friedman",
        cited=("nemenyi1963",),
        control=False,
        adjusts=False,
        has_critical_difference=True,
    ),
    "bonferroni-dunn": PosthocTest(
        words="Bonferroni-Dunn test",
        stem="multiple.bonferroni_dunn",
        function="bonferroni_dunn_test",
        omnibus="friedman",
        cited=("dunn1961",),
        pairs=False,
        adjusts=False,
        has_critical_difference=True,
    ),
    "friedman-dunnett": PosthocTest(
        words="Dunnett form of the Friedman comparisons with a control",
        stem="multiple.friedman_dunnett",
        function="friedman_dunnett_test",
        omnibus="friedman",
        cited=("dunnett1955",),
        pairs=False,
        adjusts=False,
        has_critical_difference=True,
    ),
    "siegel-castellan": PosthocTest(
        words="Siegel-Castellan test",
        stem="multiple.siegel_castellan",
        function="siegel_castellan_test",
        omnibus="friedman",
        cited=("siegel1988",),
    ),
    "conover": PosthocTest(
        words="Conover test",
        stem="multiple.conover",
        function="conover_test",
        omnibus="friedman",
        cited=("conover1999",),
    ),
    "rank-sum": PosthocTest(
        words="exact rank-sum test",
        stem="multiple.rank_sum_differences",
        function="rank_sum_difference_test",
        omnibus="friedman",
        cited=("eisinga2017",),
    ),
    "miller": PosthocTest(
        words="Miller test",
        stem="multiple.siegel_castellan",
        function="miller_test",
        omnibus="friedman",
        cited=("miller1981",),
        adjusts=False,
        has_critical_difference=True,
    ),
    "friedman-aligned": PosthocTest(
        words="z test of aligned ranks",
        stem="multiple.friedman_aligned",
        function="friedman_aligned_posthoc_test",
        omnibus="friedman-aligned",
        cited=("garcia2010",),
        effect="statistic",
    ),
    "quade": PosthocTest(
        words="z test of Quade's ranks",
        stem="multiple.quade",
        function="quade_posthoc_test",
        omnibus="quade",
        cited=("quade1979",),
        effect="statistic",
    ),
    "tukey": PosthocTest(
        words="Tukey HSD test",
        stem="multiple.tukey",
        function="tukey_test",
        omnibus="rm-anova",
        cited=("tukey1949",),
        control=False,
        adjusts=False,
        effect="mean_difference",
        compares_scores=True,
    ),
    "dunnett": PosthocTest(
        words="Dunnett test",
        stem="multiple.tukey",
        function="dunnett_test",
        omnibus="rm-anova",
        cited=("dunnett1955",),
        pairs=False,
        adjusts=False,
        effect="mean_difference",
        compares_scores=True,
    ),
    "wilcoxon": PosthocTest(
        words="Wilcoxon signed-rank test",
        stem="pairwise.wilcoxon",
        function="pairwise_wilcoxon_test",
        omnibus="friedman",
        cited=("wilcoxon1945",),
        depends_on_the_pool=False,
        effect="rank_biserial",
        compares_scores=True,
    ),
    "sign": PosthocTest(
        words="sign test",
        stem="pairwise.sign",
        function="pairwise_sign_test",
        omnibus="friedman",
        cited=("demsar2006",),
        depends_on_the_pool=False,
        effect="lead",
        compares_scores=True,
    ),
    "paired-t": PosthocTest(
        words="paired t-test",
        stem="pairwise.paired_t",
        function="pairwise_paired_ttest",
        omnibus="rm-anova",
        cited=("demsar2006",),
        depends_on_the_pool=False,
        effect="mean_difference",
        compares_scores=True,
    ),
}

# tests of pairs that look at two classifiers alone, and so at the datasets that both have where scores are missing
ON_COMMON_DATASETS = ("wilcoxon", "sign")


@dataclass(frozen=True, kw_only=True)
class OneDatasetTest:
    """A test of two classifiers on one dataset: its name in a sentence, and keys of the bibliography."""

    words: str
    cited: tuple[str, ...]


TESTS_ON_ONE_DATASET: dict[str, OneDatasetTest] = {
    "corrected_ttest": OneDatasetTest(words="corrected resampled t-test", cited=("nadeau2003",)),
    "delong_test": OneDatasetTest(words="DeLong test", cited=("delong1988",)),
    "ftest_5x2cv": OneDatasetTest(words="combined 5×2 cv F test", cited=("alpaydin1999",)),
    "mcnemar_test": OneDatasetTest(words="exact McNemar test", cited=("mcnemar1947",)),
    "metric_permutation_test": OneDatasetTest(words="permutation test", cited=("yeh2000",)),
}
